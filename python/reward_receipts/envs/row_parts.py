"""A row of a trace, judged and taken apart: scalars, the names in it (its layout), and the numbers under them.

Both formats are written from these parts, so they say the same. What is judged here without the schema is what the
schema takes as it is; whatever else, the schema decides. A trace takes a row at each step, so this is what it costs.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, Never

from ..documents.python_input import plain_json
from ..findings import Finding, InvalidDocument
from ..frozen import FrozenDict
from ..generated.reward_trace_row import ZeroReason
from ..rewards.names import is_name, is_unicode
from ..shape import check, schema_of

Row = dict[str, Any]
"""A row of a trace, completed: all members of schemas/reward-trace-row.schema.json, as plain JSON."""

Layout = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The names in a row: the terms that contributed; those with a detail; for each of these, its sub-terms. The last is
() where no term has any."""

Parts = tuple[tuple[Any, ...], Layout, Sequence[float], Sequence[float | None], Sequence[str | None], Sequence[float]]
"""A row that holds: the members of SCALARS, layout, contributions, raw values, reasons for a zero, sub-terms."""

SCHEMA_VERSION: Final[str] = schema_of("trace-row")["properties"]["schema_version"]["const"]
REQUIRED: Final[tuple[str, ...]] = tuple(schema_of("trace-row")["required"])
"""The members that every row must have."""
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

_ORDER: Final = ("schema_version", *(name for name in schema_of("trace-row")["properties"] if name != "schema_version"))
_DEFAULTS: Final = {
    name: member["default"] for name, member in schema_of("trace-row")["properties"].items() if "default" in member
}
_DETAIL: Final = ("raw", "zero", "terms")
_REASONS: Final = frozenset(reason.value for reason in ZeroReason)
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
_KEPT: Final = 10_000
_NO_PARTS: Final[Mapping[str, float]] = {}

# What was found to hold need not be looked at again: names by the tuple of them, labels and digests.
_names: Final[dict[tuple[Any, ...], tuple[str, ...]]] = {(): ()}
_labels: Final[set[str]] = set()
_digests: Final[set[str]] = set()


class ComposedDetail(Mapping[str, FrozenDict[Any]]):
    """A ``reward_detail`` that the engine made, read-only: for each term ``raw``, ``zero`` and ``terms``.

    Its numbers hold, so a trace need not judge it again. It is no dict, so that Gymnasium batches it as one object.
    Pickled, it is a plain read-only mapping.
    """

    __slots__ = ("contributions", "due", "holds", "of", "raws", "sub_names", "sub_values", "types", "zeros")

    holds: bool
    """Whether the names that components gave their sub-terms can stand in a row."""
    of: Mapping[str, float]
    """The ``reward_components`` that it is the detail of."""
    due: tuple[str, ...]
    """The terms that were due."""
    contributions: tuple[float, ...]
    """What each of these contributed."""
    types: tuple[str, ...]
    """The terms, in the spec's order."""
    raws: tuple[float | None, ...]
    """The value of each before the clip; None where it was not due."""
    zeros: tuple[str | None, ...]
    """Why each contributed 0; None where it did not."""
    sub_names: tuple[tuple[str, ...], ...]
    """The names of each one's sub-terms; () where no term has any."""
    sub_values: tuple[float, ...]
    """The sub-terms, one term's after another's."""

    def __init__(
        self,
        components: FrozenDict[float],
        types: tuple[str, ...],
        raws: Sequence[float | None],
        zeros: Sequence[str | None],
        terms: Mapping[str, Mapping[str, float]],
    ) -> None:
        _set_of(self, components)
        _set_due(self, types if len(components) == len(types) else tuple(components))
        _set_contributions(self, tuple([value for _, value in components.items()]))
        _set_types(self, types)
        _set_raws(self, tuple(raws))
        _set_zeros(self, tuple(zeros))
        parts = [terms.get(name, _NO_PARTS) for name in types] if terms else ()
        sub_names = tuple([tuple(each) for each in parts])
        _set_sub_names(self, sub_names)
        _set_holds(self, all(each in _names or _names_hold(each) for each in sub_names))
        _set_sub_values(self, tuple([value for each in parts for _, value in each.items()]))

    def __getitem__(self, name: str) -> FrozenDict[Any]:
        if name not in self.types:
            raise KeyError(name)
        place = self.types.index(name)
        names = self.sub_names[place] if self.sub_names else ()
        before = sum(map(len, self.sub_names[:place]))
        terms = FrozenDict(dict(zip(names, self.sub_values[before:], strict=False)))
        return FrozenDict({"raw": self.raws[place], "zero": self.zeros[place], "terms": terms})

    def __iter__(self) -> Iterator[str]:
        return iter(self.types)

    def __len__(self) -> int:
        return len(self.types)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a reward_detail cannot change")

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> ComposedDetail:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> ComposedDetail:
        return self


def _setter(name: str) -> Any:
    return ComposedDetail.__dict__[name].__set__  # the slot itself, past __setattr__


_set_holds: Final = _setter("holds")
_set_of: Final = _setter("of")
_set_due: Final = _setter("due")
_set_contributions: Final = _setter("contributions")
_set_types: Final = _setter("types")
_set_raws: Final = _setter("raws")
_set_zeros: Final = _setter("zeros")
_set_sub_names: Final = _setter("sub_names")
_set_sub_values: Final = _setter("sub_values")


def required_parts(row: Mapping[str, Any]) -> Parts:
    """The parts of a row, completed, where it holds. Raises InvalidDocument, with every finding, where it does not."""
    parts = parts_of(row)
    if parts is None:
        plain = plain_json(plain_numbers(row), ())
        findings = check("trace-row", plain)
        if findings:
            raise InvalidDocument(findings)
        parts = parts_of(completed(plain))
        assert parts is not None  # a row that is completed and holds is one that parts_of() takes
    return parts


def row_findings(value: Any) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a row of a trace."""
    return () if type(value) is dict and parts_of(value) is not None else check("trace-row", value)


def row_of(parts: Parts) -> Row:
    """The row of some parts, as plain JSON."""
    scalars, (names, types, sub_names), contributions, raws, zeros, values = parts
    environment, episode, step, reward, own, terminated, truncated, label, boundary, digest, resolved = scalars
    if sub_names:
        value = iter(values)
        terms = [{name: next(value) for name in each} for each in sub_names]
    else:
        terms = [{} for _ in types]
    return {
        "schema_version": SCHEMA_VERSION,
        "environment": environment,
        "episode": episode,
        "step": step,
        "reward": reward,
        "environment_reward": own,
        "reward_components": dict(zip(names, contributions, strict=True)),
        "reward_detail": {
            name: {"raw": raw, "zero": zero, "terms": part}
            for name, raw, zero, part in zip(types, raws, zeros, terms, strict=True)
        },
        "terminated": terminated,
        "truncated": truncated,
        "regime": label,
        "regime_boundary": boundary,
        "spec_digest": digest,
        "resolved_spec_digest": resolved,
    }


def ends(parts: Parts) -> bool:
    """Whether the row ends its episode."""
    return bool(parts[0][5] or parts[0][6])


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


_version_and_scalars: Final = itemgetter("schema_version", *SCALARS)


def parts_of(row: Mapping[str, Any]) -> Parts | None:
    """The parts of a row that is certain to hold, and complete. None says nothing: the schema decides then."""
    try:
        version, *scalars = _version_and_scalars(row)
        environment, episode, step, reward, own, terminated, truncated, _, boundary, _, _ = scalars
        if (
            len(row) != len(_ORDER)
            or version != SCHEMA_VERSION
            or not type(environment) is type(episode) is type(step) is int
            or not (0 <= environment <= _MOST and 0 <= episode <= _MOST and 0 <= step <= _MOST)
            or not type(terminated) is type(truncated) is type(boundary) is bool
            or (reward is not None and (type(reward) is not float or reward - reward != 0.0))
            or (own is not None and (type(own) is not float or own - own != 0.0))
        ):
            return None
        return taken_apart(tuple(scalars), row["reward_components"], row["reward_detail"])
    except (LookupError, TypeError):  # a member that is missing, cannot be hashed, or is of another kind
        return None


def taken_apart(scalars: tuple[Any, ...], components: Any, detail: Any) -> Parts | None:
    """The parts of a row whose counts, numbers and flags hold, where the rest is certain to. May raise TypeError."""
    _, _, _, _, _, _, _, label, _, digest, resolved = scalars
    if (  # each is looked up here first, since a call at each step costs more than the look
        ((type(label) is not str or label not in _labels) and not _text_holds("regime", label, _labels))
        or ((type(digest) is not str or digest not in _digests) and not _text_holds("spec_digest", digest, _digests))
        or (
            (type(resolved) is not str or resolved not in _digests)
            and not _text_holds("resolved_spec_digest", resolved, _digests)
        )
    ):
        return None
    composed = type(detail) is ComposedDetail
    members = (detail.due, detail.contributions) if composed and detail.of is components else _members(components)
    if members is None:
        return None
    names, contributions = members
    if composed:
        if not detail.holds:
            return None
        return (
            scalars,
            (names, detail.types, detail.sub_names),
            contributions,
            detail.raws,
            detail.zeros,
            detail.sub_values,
        )
    return _with_detail(scalars, names, contributions, detail)


def _with_detail(scalars: tuple[Any, ...], names: tuple[str, ...], contributions: Any, detail: Any) -> Parts | None:
    """The parts with a detail that others made."""
    types = _held_names(detail)
    if types is None:
        return None
    raws: list[float | None] = []
    zeros: list[str | None] = []
    sub_names: list[tuple[str, ...]] = []
    values: list[float] = []
    for name in types:
        term = detail[name]
        if type(term) not in _MAPPINGS or len(term) != len(_DETAIL):
            return None
        raw, zero = term["raw"], term["zero"]
        if raw is not None and (type(raw) is not float or raw - raw != 0.0):
            return None
        if zero is not None and (type(zero) is not str or zero not in _REASONS):
            return None
        members = _members(term["terms"])
        if members is None:
            return None
        raws.append(raw)
        zeros.append(zero)
        sub_names.append(members[0])
        values += members[1]
    layout = names, types, tuple(sub_names) if values else ()
    return scalars, layout, contributions, raws, zeros, values


_MAPPINGS: Final = (dict, FrozenDict)


def _members(mapping: Any) -> tuple[tuple[str, ...], list[float]] | None:
    """Names and numbers of a mapping, where both hold."""
    names = _held_names(mapping)
    if names is None:
        return None
    values = [value for _, value in mapping.items()]
    for value in values:
        if type(value) is not float or value - value != 0.0:
            return None
    return names, values


def _held_names(mapping: Any) -> tuple[str, ...] | None:
    """The names in a mapping, where they hold; one tuple for all rows that have the same."""
    if type(mapping) not in _MAPPINGS:
        return None
    names = tuple(mapping)
    return _names.get(names) or (names if _names_hold(names) else None)


def _names_hold(names: tuple[Any, ...]) -> bool:
    if len(names) > _MOST_TERMS or not all(type(name) is str and is_name(name) for name in names):
        return False
    if len(_names) < _KEPT:
        _names[names] = names
    return True


def _text_holds(member: str, text: object, held: set[str]) -> bool:
    """Whether a label or a digest that was not seen before, or None, holds: by the schema itself."""
    if text is None:
        return True
    if type(text) is not str or not is_unicode(text) or check("trace-row", {**_LEAST, member: text}):
        return False
    if len(held) < _KEPT:
        held.add(text)
    return True


def plain_numbers(value: Any) -> Any:
    """A value with NumPy's numbers and arrays, and what else is a real number, as Python's."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {name: plain_numbers(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_numbers(item) for item in value]
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return plain_numbers(value.tolist())
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            return value
    return value


def _double(value: Any) -> float | None:
    return None if value is None else float(value)
