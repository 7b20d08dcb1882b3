"""A row of a trace, judged and taken apart: scalars, the names in it (its layout), and the numbers under them.

Both formats are written from these parts, so they say the same. What is judged here without the schema is what the
schema takes as it is; whatever else, the schema decides. A trace takes a row at each step, so this is what it costs.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from itertools import compress
from math import isfinite
from operator import itemgetter
from typing import Any, Final

from ..core.findings import Finding, InvalidDocument
from ..core.frozen import FrozenDict
from ..core.generated.vocabulary import ZeroReason
from ..documents.python_input import plain_json
from ..validation.check import check
from ..validation.names import is_name, is_unicode
from ..validation.schemas import schema_of

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
    "evaluation",
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
SKIPPED: Final = ZeroReason.SKIPPED.value
"""The reason of a term that was not due."""
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

# What was found to hold need not be looked at again: names by the tuple of them, labels and digests.
_names: Final[dict[tuple[Any, ...], tuple[str, ...]]] = {(): ()}
_labels: Final[set[str]] = set()
_digests: Final[set[str]] = set()


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


def without_skipped(parts: Parts) -> Parts:
    """The parts of a row, without the contributions of terms that were not due.

    ``info`` names every term at every step and gives 0.0 for one that was not due; a row leaves it out. A contribution
    other than 0 stays, so that whoever adds them up finds it.
    """
    scalars, (names, types, sub_names), contributions, raws, zeros, values = parts
    reasons = zeros if names == types else [*map(dict(zip(types, zeros, strict=True)).get, names)]
    kept = [each != 0.0 or zero != SKIPPED for each, zero in zip(contributions, reasons, strict=True)]
    names = tuple(compress(names, kept))
    return scalars, (_names.get(names, names), types, sub_names), [*compress(contributions, kept)], raws, zeros, values


def row_findings(value: Any) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a row of a trace."""
    return () if type(value) is dict and parts_of(value) is not None else check("trace-row", value)


def row_of(parts: Parts) -> Row:
    """The row of some parts, as plain JSON."""
    scalars, (names, types, sub_names), contributions, raws, zeros, values = parts
    environment, episode, step, reward, own, terminated, truncated, evaluation, label, boundary, digest, resolved = (
        scalars
    )
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
        "evaluation": evaluation,
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
        environment, episode, step, reward, own, terminated, truncated, evaluation, _, boundary, _, _ = scalars
        if (
            len(row) != len(_ORDER)
            or version != SCHEMA_VERSION
            or not type(environment) is type(episode) is type(step) is int
            or not (0 <= environment <= _MOST and 0 <= episode <= _MOST and 0 <= step <= _MOST)
            or not type(terminated) is type(truncated) is type(evaluation) is type(boundary) is bool
            or (reward is not None and (type(reward) is not float or reward - reward != 0.0))
            or (own is not None and (type(own) is not float or own - own != 0.0))
        ):
            return None
        return taken_apart(tuple(scalars), row["reward_components"], row["reward_detail"])
    except (LookupError, TypeError):  # a member that is missing, cannot be hashed, or is of another kind
        return None


def taken_apart(scalars: tuple[Any, ...], components: Any, detail: Any) -> Parts | None:
    """The parts of a row whose counts, numbers and flags hold, where the rest is certain to. May raise TypeError."""
    label, _, digest, resolved = scalars[8:]
    if (  # each is looked up here first, since a call at each step costs more than the look
        ((type(label) is not str or label not in _labels) and not _text_holds("regime", label, _labels))
        or ((type(digest) is not str or digest not in _digests) and not _text_holds("spec_digest", digest, _digests))
        or (
            (type(resolved) is not str or resolved not in _digests)
            and not _text_holds("resolved_spec_digest", resolved, _digests)
        )
    ):
        return None
    members = _members(components)
    return None if members is None else _with_detail(scalars, *members, detail)


def _with_detail(scalars: tuple[Any, ...], names: tuple[str, ...], contributions: Any, detail: Any) -> Parts | None:
    types = _held_names(detail)
    if types is None:
        return None
    if not types:
        return scalars, (names, types, ()), contributions, (), (), ()
    terms = [*detail.values()]
    # Each line looks at all terms at once, in C: this runs at every step.
    if not _ALL_MAPPINGS.issuperset(map(type, terms)) or {*map(len, terms)} != _DETAIL_LENGTH:
        return None
    raws, zeros, subs = zip(*map(_raw_zero_terms, terms), strict=True)
    if (
        not _NUMBER_OR_NONE.issuperset(map(type, raws))
        or not _are_finite([*filter(None, raws)])
        or not _TEXT_OR_NONE.issuperset(map(type, zeros))
        or not _REASON_OR_NONE.issuperset(zeros)
        or not _ALL_MAPPINGS.issuperset(map(type, subs))
    ):
        return None
    if not any(subs):
        return scalars, (names, types, ()), contributions, raws, zeros, ()
    sub_names = tuple(map(tuple, subs))
    if not all(each in _names or _names_hold(each) for each in sub_names):
        return None
    values = [value for each in subs for _, value in each.items()]
    if not _are_doubles(values):
        return None
    return scalars, (names, types, sub_names), contributions, raws, zeros, values


_MAPPINGS: Final = (dict, FrozenDict)
_ALL_MAPPINGS: Final = frozenset(_MAPPINGS)
_FLOAT: Final = frozenset((float,))
_NUMBER_OR_NONE: Final = frozenset((float, type(None)))
_TEXT_OR_NONE: Final = frozenset((str, type(None)))
_REASON_OR_NONE: Final = frozenset((*_REASONS, None))
_DETAIL_LENGTH: Final = {len(_DETAIL)}
_raw_zero_terms: Final = itemgetter(*_DETAIL)


def _are_doubles(values: list[Any]) -> bool:
    """Whether all of them are finite floats."""
    return _FLOAT.issuperset(map(type, values)) and _are_finite(values)


def _are_finite(values: list[float]) -> bool:
    """Whether all of them are finite. If their sum is, they are; the sum of finite ones can overflow."""
    return isfinite(sum(values)) or all(map(isfinite, values))


def _members(mapping: Any) -> tuple[tuple[str, ...], list[float]] | None:
    """Names and numbers of a mapping, where both hold."""
    names = _held_names(mapping)
    if names is None:
        return None
    values = [*mapping.values()]
    return (names, values) if _are_doubles(values) else None


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
