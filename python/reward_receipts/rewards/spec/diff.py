"""What changed from one spec to another: in words, and as plain JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal

from ...core.canonical import canonical_json_bytes
from ...core.foreign import describe_clip
from ...documents.export import plain_member
from ...documents.model import expected
from .members import SpecComponentPart, SpecMembers

ChangeKind = Literal[
    "name",
    "removed",
    "added",
    "moved",
    "type",
    "term-name",
    "param",
    "weight",
    "clip",
    "gate-removed",
    "gate-added",
    "gate-repeats",
    "gates-order",
]


class LeftOut(Enum):
    """Says of a side of a change that nothing is written there."""

    LEFT_OUT = "left out"


LEFT_OUT: Final = LeftOut.LEFT_OUT


@dataclass(frozen=True, slots=True)
class SpecChange:
    """One difference between two specs."""

    kind: ChangeKind
    """What changed."""
    sentence: str
    """The change in words, with both values."""
    component: str | None = None
    """The name of the term; None where it is the change of no one term."""
    before: Any = LEFT_OUT
    """What the first spec has: a name, a term, a gate, a weight, a clip, an index or a count; LEFT_OUT for nothing."""
    after: Any = LEFT_OUT
    """What the second spec has there."""

    def to_dict(self) -> dict[str, Any]:
        """The change as plain JSON; ``before`` or ``after`` is left out where nothing is written there."""
        members = {"kind": self.kind, "component": self.component, "before": self.before, "after": self.after}
        kept = {name: plain_member(value) for name, value in members.items() if value is not LEFT_OUT}
        return {**kept, "sentence": self.sentence}


@dataclass(frozen=True, slots=True)
class SpecDiff:
    """What changed from one spec to another: nothing, exactly where their digests are equal. True where they differ."""

    before_digest: str
    """The digest of the first spec as written."""
    after_digest: str
    """The digest of the second spec as written."""
    changes: tuple[SpecChange, ...]
    """The name's, the terms' in the order of the specs, the gates'."""

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __str__(self) -> str:
        return "\n".join(change.sentence for change in self.changes) or "The specs are equal."

    def to_dict(self) -> dict[str, Any]:
        """The difference as plain JSON."""
        return {
            "equal": not self.changes,
            "before_digest": self.before_digest,
            "after_digest": self.after_digest,
            "changes": [change.to_dict() for change in self.changes],
        }


def diff_specs(before: SpecMembers, after: SpecMembers) -> SpecDiff:
    """What changed from one spec to another, as they are written: no registry is asked what a default is.

    Raises pydantic's ValidationError for a spec that came past validation and does not hold, TypeError for a dict or
    another kind of document.
    """
    before = expected(before, SpecMembers, "before", "RewardSpec")._settled()
    after = expected(after, SpecMembers, "after", "RewardSpec")._settled()
    changes = (*_name(before, after), *_terms(before, after), *_gates(before, after))
    return SpecDiff(before.digest, after.digest, changes)


def _name(before: SpecMembers, after: SpecMembers) -> Iterator[SpecChange]:
    if before.name != after.name:
        sentence = f"The name was {_told(before.name)} and is {_told(after.name)}."
        yield SpecChange("name", sentence, None, before.name, after.name)


def _terms(before: SpecMembers, after: SpecMembers) -> Iterator[SpecChange]:
    old = {term.term_name: (place, term) for place, term in enumerate(before.components)}
    new = {term.term_name: (place, term) for place, term in enumerate(after.components)}
    for name, (_, term) in old.items():
        if name not in new:
            sentence = f"The term {_told(name)} was removed; it had {_settings(term)}."
            yield SpecChange("removed", sentence, name, before=term)
    for name, (_, term) in new.items():
        if name not in old:
            sentence = f"The term {_told(name)} was added, with {_settings(term)}."
            yield SpecChange("added", sentence, name, after=term)
    kept = [name for name in new if name in old]
    moved = _moved([(old[name][0], new[name][0]) for name in kept])
    for name in kept:
        (was_at, was), (is_at, now) = old[name], new[name]
        if was_at in moved:
            places = f"from /components/{was_at} to /components/{is_at}"
            if was_at == is_at:  # as many stand before it as did, but not the same
                passed = _passed(name, [each for each in kept if old[each][0] not in moved], old, new)
                sides = ("before", "after") if was_at < old[passed][0] else ("after", "before")
                places = f"from {sides[0]} {_told(passed)} to {sides[1]} it, and is at /components/{is_at} again"
            sentence = f"The term {_told(name)} moved {places}: contributions are added in the order of the terms."
            yield SpecChange("moved", sentence, name, was_at, is_at)
        if was.type != now.type:
            sentence = f"The component of {_told(name)} was {_told(was.type)} and is {_told(now.type)}."
            yield SpecChange("type", sentence, name, was.type, now.type)
        yield from _params_changed(was, now)
        yield from _setting_changed("weight", was, now)
        yield from _setting_changed("clip", was, now)
        if _written("name", was) != _written("name", now):
            sentence = f"The name of {_told(name)} was {_worded('name', was)} and is {_worded('name', now)}; {_SAME}."
            yield SpecChange("term-name", sentence, name, _written("name", was), _written("name", now))


def _params_changed(was: SpecComponentPart, now: SpecComponentPart) -> Iterator[SpecChange]:
    """Each parameter that changed; what a term does not give is the component's own."""
    before, after = was.params or {}, now.params or {}
    for name in sorted({*before, *after}):
        old, new = (given.get(name, LEFT_OUT) for given in (before, after))
        if _token(old) != _token(new):
            sentence = (
                f"The parameter {_told(name)} of {_told(now.term_name)} was {_param_worded(old)} and is "
                f"{_param_worded(new)}."
            )
            sides = ({} if value is LEFT_OUT else {name: value} for value in (old, new))
            yield SpecChange("param", sentence, now.term_name, *sides)
    if not before and not after and _written("params", was) != _written("params", now):
        words = f"were {_worded('params', was)} and are {_worded('params', now)}"
        sentence = f"The params of {_told(now.term_name)} {words}; {_SAME}."
        yield SpecChange("param", sentence, now.term_name, _written("params", was), _written("params", now))


def _param_worded(value: Any) -> str:
    return "the component's own" if value is LEFT_OUT else _told(plain_member(value))


def _setting_changed(
    member: Literal["weight", "clip"], was: SpecComponentPart, now: SpecComponentPart
) -> Iterator[SpecChange]:
    before, after = _written(member, was), _written(member, now)
    if _token(before) != _token(after):
        sentence = f"The {member} of {_told(now.term_name)} was {_worded(member, was)} and is {_worded(member, now)}."
        yield SpecChange(member, sentence, now.term_name, before, after)


def _written(member: str, term: SpecComponentPart) -> Any:
    return getattr(term, member) if member in term.model_fields_set else LEFT_OUT


def _token(value: Any) -> bytes | None:
    """What tells two settings apart as the digest does: -0.0 is not 0.0, and null is not left out."""
    return None if value is LEFT_OUT else canonical_json_bytes(value)


def _settings(term: SpecComponentPart) -> str:
    made = "" if term.params is None else f", params {_told(plain_member(term.params))}"
    of = "" if term.term_name == term.type else f"the type {_told(term.type)}, "
    return f"{of}weight {_worded('weight', term)} and clip {_worded('clip', term)}{made}"


def _worded(member: str, term: SpecComponentPart) -> str:
    value = _written(member, term)
    if value is LEFT_OUT:
        return "left out" if member in ("name", "params") else "the component's own"
    if isinstance(value, Mapping):
        return _told(plain_member(value))
    if value is None:
        return "none (null)"
    return describe_clip(value) if isinstance(value, tuple) else _told(value)


Places = tuple[int, int]
"""Where a term was, and where it is."""


def _moved(places: Sequence[Places]) -> set[int]:
    """The fewest of some old places, given in the order of the new ones, without which they rise.

    Where there is a choice, as many as can be of those that keep their place are not among them.
    """
    rising: list[list[Places]] = []  # for each term, the best rising run that ends with it
    for place in places:
        rising.append([*_best([run for run in rising if run[-1][0] < place[0]]), place])
    return {was_at for was_at, _ in places} - {was_at for was_at, _ in _best(rising)}


def _best(runs: list[list[Places]]) -> list[Places]:
    return max(runs, key=lambda run: (len(run), sum(was == now for was, now in run)), default=[])


def _passed(name: str, stayed: list[str], old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """A term that did not move and that is on another side of a moved one. There is one: else it had stayed too."""
    return next(each for each in stayed if (old[each][0] < old[name][0]) != (new[each][0] < new[name][0]))


def _gates(before: SpecMembers, after: SpecMembers) -> Iterator[SpecChange]:
    was, now = Counter(before.gates), Counter(after.gates)
    for gate in was:
        if gate not in now:
            sentence = f"The gate by which {_told(gate.component)} requires {_told(gate.requires)} was removed."
            yield SpecChange("gate-removed", sentence, gate.component, before=gate)
    for gate in now:
        if gate not in was:
            sentence = f"The gate by which {_told(gate.component)} requires {_told(gate.requires)} was added."
            yield SpecChange("gate-added", sentence, gate.component, after=gate)
        elif was[gate] != now[gate]:
            sentence = (
                f"The gate by which {_told(gate.component)} requires {_told(gate.requires)} was {_times(was[gate])} "
                f"and is {_times(now[gate])}; {_SAME}."
            )
            yield SpecChange("gate-repeats", sentence, gate.component, was[gate], now[gate])
    if _common(before.gates, was & now) != _common(after.gates, was & now):
        yield SpecChange("gates-order", f"The gates are in another order; {_SAME}.")


_SAME: Final = "the meaning is the same, the digest is not"


def _common(gates: Sequence[Any], both: Counter[Any]) -> list[Any]:
    """The gates of one spec that both have, each as often as both have it, in their order; what is more comes last."""
    left = both.copy()
    found = []
    for gate in gates:
        if left[gate] > 0:
            left[gate] -= 1
            found.append(gate)
    return found


def _told(value: Any) -> str:
    """A name or a number, whole: two long names that were cut could look the same."""
    return json.dumps(value)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
