"""From a step to its row in a trace: what the environment gave, checked, as plain JSON."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, Never

from ..documents.python_input import plain_json
from ..findings import Finding, InvalidDocument, shown
from ..generated.reward_trace_row import ZeroReason
from ..shape import check, schema_of
from .step import REGIME

Row = dict[str, Any]
"""A row of a trace, completed: all members of schemas/reward-trace-row.schema.json, as plain JSON."""

COMPONENTS: Final = "reward_components"
"""The member of ``info`` with the contribution of each term that was due."""
DETAIL: Final = "reward_detail"
"""The member of ``info`` that says how each term came to its contribution."""
ENVIRONMENT_REWARD: Final = "environment_reward"
"""The member of ``info`` with the environment's own reward, where a composed one stands in its place."""
SPEC_DIGEST: Final = "spec_digest"
"""The member of ``info`` with the digest of the spec as written."""
RESOLVED_SPEC_DIGEST: Final = "resolved_spec_digest"
"""The member of ``info`` with the digest of the spec as it is run."""
READ: Final = (REGIME, COMPONENTS, DETAIL, ENVIRONMENT_REWARD, SPEC_DIGEST, RESOLVED_SPEC_DIGEST)
"""The members of ``info`` that a row is made of."""

SCHEMA_VERSION: Final[str] = schema_of("trace-row")["properties"]["schema_version"]["const"]
REQUIRED: Final[tuple[str, ...]] = tuple(schema_of("trace-row")["required"])
"""The members that every row must have."""
_DEFAULTS: Final = {
    name: member["default"] for name, member in schema_of("trace-row")["properties"].items() if "default" in member
}
_DETAIL_MEMBERS: Final = frozenset(schema_of("trace-row")["$defs"]["RewardTermDetail"]["properties"])
_REASONS: Final = frozenset(reason.value for reason in ZeroReason)
_KEPT: Final = 10_000
_NOTHING: Final[dict[str, Any]] = {}


class StepRefused(ValueError):
    """What an environment gave for a step can stand in no trace. Nothing stands in for it."""

    def __init__(self, message: str, environment: int, episode: int, step: int) -> None:
        super().__init__(message, environment, episode, step)
        self.environment = environment
        """Which environment of a vector environment; 0 where there is one."""
        self.episode = episode
        """Which episode of that environment, from 0."""
        self.step = step
        """Which step of the episode, from 0."""

    def __str__(self) -> str:
        where = f"episode {self.episode}, step {self.step}"
        return f"environment {self.environment}, {where}: {self.args[0]}"


class StepRows:
    """The rows of one environment, step after step. It counts episodes, and steps in them.

    An episode begins at a reset that a step follows; a reset that follows a reset begins no other.
    """

    def __init__(self, environment: int = 0) -> None:
        self._environment = environment
        self._episode = 0
        self._step = 0
        self._running = False
        self._begun: object = None  # the regime that the reset said begins

    def begin(self, info: Mapping[str, Any]) -> None:
        """Takes a reset. A regime that begins with it begins with the first step after it.

        Raises StepRefused where ``info["regime"]`` is of another form than that of section 10 of the spec.
        """
        if self._step:
            self._episode += 1
        self._step = 0
        self._running = True
        label, boundary = self._regime(info)
        self._begun = label if boundary else None

    def row(self, reward: object, terminated: object, truncated: object, info: Mapping[str, Any]) -> Row:
        """The row of a step: what ``step`` returned, without the observation. A reward of None is unscored.

        The row has the very dicts that ``info`` has, and is still to be judged by ``required_row``. Raises StepRefused
        for a reward that is no finite number, a flag that is no boolean, a step after an episode's end or before a
        first reset.
        """
        if not self._running:
            found = "the episode has ended" if self._step else "the environment was not reset"
            self._refuse(f"a step was taken where {found}; call reset() first")
        label, boundary = self._regime(info)
        if self._begun is not None:
            boundary = boundary or label == self._begun
            self._begun = None
        get = info.get
        row = {
            "schema_version": SCHEMA_VERSION,
            "environment": self._environment,
            "episode": self._episode,
            "step": self._step,
            "reward": reward if type(reward) is float and reward - reward == 0.0 else self.number("the reward", reward),
            "environment_reward": self.number("the environment's own reward", get(ENVIRONMENT_REWARD)),
            "reward_components": get(COMPONENTS, _NOTHING),
            "reward_detail": get(DETAIL, _NOTHING),
            "terminated": terminated if type(terminated) is bool else self.flag("terminated", terminated),
            "truncated": truncated if type(truncated) is bool else self.flag("truncated", truncated),
            "regime": label,
            "regime_boundary": boundary,
            "spec_digest": get(SPEC_DIGEST),
            "resolved_spec_digest": get(RESOLVED_SPEC_DIGEST),
        }
        self.advance(row["terminated"] or row["truncated"])
        return row

    def advance(self, ends: bool) -> None:
        """Goes on to the next step, or to the end of the episode."""
        self._step += 1
        self._running = not ends

    def number(self, what: str, value: object) -> float | None:
        """A reward as a double; None where there is none. Raises StepRefused for what is no finite number."""
        if value is None:
            return None
        if type(value) is not float:
            if isinstance(value, bool) or not isinstance(value, numbers.Real):
                self._refuse(f"{what} is {_named(value)}, which is no number; return a float, or None for unscored")
            try:
                value = float(value)
            except OverflowError:
                self._refuse(f"{what} is an integer beyond any double; return a finite number")
        if value - value != 0.0:
            self._refuse(f"{what} is {value}, which is not finite; return a finite number, or None for unscored")
        return value

    def flag(self, what: str, value: object) -> bool:
        """A flag as a bool. Raises StepRefused for what is neither a bool nor one of NumPy's."""
        if type(value) is bool:
            return value
        if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
            return bool(value)
        return self._refuse(f"{what} is {_named(value)}; return a bool")

    def _regime(self, info: Mapping[str, Any]) -> tuple[str | None, bool]:
        regime = info.get(REGIME)
        if regime is None:
            return None, False
        if not isinstance(regime, (dict, Mapping)) or not isinstance(label := regime.get("label"), str):
            self._refuse(
                f'info["regime"] is {_named(regime)}; give {{"label": text, "boundary": bool}}, or another name to '
                "what is no regime"
            )
        boundary = regime.get("boundary", False)
        return label, boundary if type(boundary) is bool else self.flag('info["regime"]["boundary"]', boundary)

    def _refuse(self, message: str) -> Never:
        raise StepRefused(message, self._environment, self._episode, self._step)


Entries = tuple[
    Collection[str], Sequence[float | None], Sequence[str | None], Sequence[tuple[int, Mapping[str, float]]]
]
"""What a row says of its terms: their types, raw values, reasons for a zero; sub-terms, with their terms' places."""

Parts = tuple[tuple[Any, ...], Collection[str], Collection[float], Entries]
"""A row that holds, taken apart: the members of SCALARS; types and values of its contributions; its detail."""


class ComposedDetail(dict[str, dict[str, Any]]):
    """A ``reward_detail`` that the engine made: it holds, so a trace need not judge it again at each step.

    In all else it is a dict. Copies and pickles of it are plain ones.
    """

    __slots__ = ("entries",)
    entries: Entries

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def copy(self) -> dict[str, dict[str, Any]]:
        return dict(self)


def required_row(row: Row) -> Row:
    """The row completed, where it holds. Raises InvalidDocument, with every finding, where it does not.

    A row that is complete comes back as it is; so do its dicts.
    """
    return row if parts_of(row) is not None else _required(row)


def required_parts(row: Row) -> Parts:
    """The parts of a row, where it holds. Raises InvalidDocument, with every finding, where it does not."""
    parts = parts_of(row)
    if parts is None:
        parts = parts_of(_required(row))
        assert parts is not None  # a row that is completed and holds is one that parts_of() takes
    return parts


def row_findings(value: Any) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a row of a trace."""
    return () if type(value) is dict and parts_of(value) is not None else check("trace-row", value)


def _required(row: Row) -> Row:
    plain = plain_json(_without_numpy(row), ())
    findings = check("trace-row", plain)
    if findings:
        raise InvalidDocument(findings)
    return completed(plain)


def completed(row: Row) -> Row:
    """A row that holds with the schema's defaults filled in, whole numbers as int and the others as float.

    The order of the terms stays: it is the spec's order.
    """
    whole = {**_DEFAULTS, **row}
    for name in ("environment", "episode", "step"):
        whole[name] = int(whole[name])
    for name in ("reward", "environment_reward"):
        whole[name] = _double(whole[name])
    whole["reward_components"] = {name: float(value) for name, value in whole["reward_components"].items()}
    whole["reward_detail"] = {
        name: {
            "raw": _double(term.get("raw")),
            "zero": term.get("zero"),
            "terms": {part: float(value) for part, value in term.get("terms", {}).items()},
        }
        for name, term in whole["reward_detail"].items()
    }
    return {name: whole[name] for name in _ORDER}


_ORDER: Final = ("schema_version", *(name for name in schema_of("trace-row")["properties"] if name != "schema_version"))
SCALARS: Final = (
    "environment",
    "episode",
    "step",
    "reward",
    "environment_reward",
    "terminated",
    "truncated",
    "regime",
    "regime_boundary",
    "spec_digest",
    "resolved_spec_digest",
)
"""The members of a row that are neither its version nor an object."""
_members: Final = itemgetter("schema_version", *SCALARS, "reward_components", "reward_detail")

# What was found to hold need not be looked at again: names of terms by the tuple of them, labels and digests.
_names: Final[dict[tuple[Any, ...], tuple[Any, ...]]] = {(): ()}
_labels: Final[set[Any]] = {None}
_digests: Final[set[Any]] = {None}


def parts_of(row: Row) -> Parts | None:
    """The parts of a row that is certain to hold, and complete. None says nothing: the schema decides then.

    It is the schema in Python, for the rows that this package makes itself: a trace takes one at each step.
    """
    try:
        (
            version,
            environment,
            episode,
            step,
            reward,
            own,
            terminated,
            truncated,
            label,
            boundary,
            digest,
            resolved,
            components,
            detail,
        ) = _members(row)
        if (
            len(row) != _COUNT
            or version != SCHEMA_VERSION
            or not type(environment) is type(episode) is type(step) is int
            or not (0 <= environment <= _MOST and 0 <= episode <= _MOST and 0 <= step <= _MOST)
            or not type(terminated) is type(truncated) is type(boundary) is bool
            or type(components) is not dict
            or (reward is not None and (type(reward) is not float or reward - reward != 0.0))
            or (own is not None and (type(own) is not float or own - own != 0.0))
            or (label not in _labels and not _text_holds("regime", label, _labels))
            or (digest not in _digests and not _text_holds("spec_digest", digest, _digests))
            or (resolved not in _digests and not _text_holds("spec_digest", resolved, _digests))
        ):
            return None
        names = tuple(components)
        if (held := _names.get(names)) is not None:
            names = held  # one tuple for all rows is less to hold
        elif not _names_hold(names):
            return None
        contributions = components.values()
        for value in contributions:
            if type(value) is not float or value - value != 0.0:
                return None
        entries = detail.entries if type(detail) is ComposedDetail else _entries(detail)
    except (LookupError, TypeError):  # a member that is missing, cannot be hashed, or is of another kind
        return None
    if entries is None:
        return None
    scalars = environment, episode, step, reward, own, terminated, truncated, label, boundary, digest, resolved
    return scalars, names, contributions, entries


def _entries(detail: Any) -> Entries | None:
    """What a ``reward_detail`` that is certain to hold, and complete, has of each term."""
    names = tuple(detail)
    if type(detail) is not dict or (names not in _names and not _names_hold(names)):
        return None
    names = _names.get(names, names)
    raws: list[float | None] = []
    zeros: list[str | None] = []
    terms: list[tuple[int, dict[str, float]]] = []
    for term in detail.values():
        raw, zero, parts = term["raw"], term["zero"], term["terms"]
        if len(term) != _DETAIL_COUNT or not (zero is None or (type(zero) is str and zero in _REASONS)):
            return None
        if raw is not None and (type(raw) is not float or raw - raw != 0.0):
            return None
        if parts != _NOTHING:
            if not _terms_hold(parts):
                return None
            terms.append((len(raws), parts))
        raws.append(raw)
        zeros.append(zero)
    return names, raws, zeros, terms


_COUNT: Final = len(_ORDER)
_DETAIL_COUNT: Final = len(_DETAIL_MEMBERS)
_MOST: Final[int] = schema_of("trace-row")["$defs"]["TraceCount"]["maximum"]
_MOST_TERMS: Final[int] = schema_of("trace-row")["properties"]["reward_detail"]["maxProperties"]
_LEAST: Final[Row] = {
    "environment": 0,
    "episode": 0,
    "step": 0,
    "reward": None,
    "terminated": False,
    "truncated": False,
}
"""A row that holds."""


def _terms_hold(terms: object) -> bool:
    return (
        type(terms) is dict
        and ((names := tuple(terms)) in _names or _names_hold(names))
        and all(type(value) is float and value - value == 0.0 for value in terms.values())
    )


def _names_hold(names: tuple[Any, ...]) -> bool:
    holds = len(names) <= _MOST_TERMS and all(
        type(name) is str and 1 <= len(name) <= 128 and _unicode(name) for name in names
    )
    if holds and len(_names) < _KEPT:
        _names[names] = names
    return holds


def _text_holds(member: str, text: object, held: set[Any]) -> bool:
    """Whether a label or a digest holds, by the schema itself."""
    if type(text) is not str or not _unicode(text) or check("trace-row", {**_LEAST, member: text}):
        return False
    if len(held) < _KEPT:
        held.add(text)
    return True


def _unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_numpy(value: Any) -> Any:
    """A row with NumPy's numbers, and what else is a real number, as floats. What is none, the schema refuses."""
    if isinstance(value, Mapping):
        return {name: _without_numpy(member) for name, member in value.items()}
    return value if isinstance(value, (bool, int, float)) or not isinstance(value, numbers.Real) else _float(value)


def _float(value: numbers.Real) -> Any:
    try:
        return float(value)
    except OverflowError:
        return value


def _double(value: Any) -> float | None:
    return None if value is None else float(value)


def _named(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} {shown(value, 40)}"
