"""Random reward specs as plain JSON, good ones and spoilt ones: a spec is the same in every run, by its number."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from random_rewards import bounds, double
from random_texts import random_text
from spec_space import AWKWARD_NAMES

NAMES = (*AWKWARD_NAMES, "__proto__", "constructor", "toString", "10", "9", "-1")
"""Names that a reader of YAML, or an object of JavaScript, takes for something else."""
MEMBERS = (
    "type",
    "weight",
    "clip",
    "component",
    "requires",
    "name",
    "__proto__",
    "constructor",
    "toString",
    "",
    "a/b~",
)
WRONG = (None, True, False, 0, 1.5, "", "1", [], [0.0], [1, 2, 3], {}, {"type": "a"}, "x" * 129, "\U0001f600" * 129)


def spec(rng: Random) -> dict[str, Any]:
    """A spec that the schema and every rule accept."""
    types = names(rng, rng.randint(1, 6) if rng.random() < 0.95 else 64)
    made: dict[str, Any] = {"name": _name(rng), "components": [_term(rng, name) for name in types]}
    if rng.random() < 0.8:
        made["gates"] = _gates(rng, types)
    if rng.random() < 0.5:
        made["schema_version"] = "reward-receipts.reward-spec/v1"
    members = list(made.items())
    rng.shuffle(members)
    return dict(members)


def spoilt(rng: Random, made: dict[str, Any]) -> Any:
    """A spec with an edit or a few, most of which some keyword or rule refuses. Changes what it is given."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choice(EDITS)(rng, made)
    return _wrong(rng) if rng.random() < 0.02 else made


def _name(rng: Random) -> str:
    if rng.random() < 0.1:
        return "\U0001f600" * 128  # of two code units each
    return (rng.choice(NAMES) if rng.random() < 0.5 else random_text(rng)) or "a"


def names(rng: Random, count: int) -> list[str]:
    """So many names, none of them twice."""
    found = dict.fromkeys(_name(rng) for _ in range(count))
    while len(found) < count:
        found[f"{_name(rng)[:100]} {len(found)}"] = None
    return list(found)


def _number(rng: Random) -> float | int:
    if rng.random() < 0.7:
        return double(rng)
    return rng.choice((0, 1, -3, 2**53 + 1, 10**25, 10**308, rng.getrandbits(80)))


def _term(rng: Random, name: str) -> dict[str, Any]:
    term: dict[str, Any] = {"type": name}
    if rng.random() < 0.25:
        term = {"type": name if rng.random() < 0.2 else _name(rng), "name": name}
    if rng.random() < 0.2:
        term["params"] = {_name(rng): plain(rng) for _ in range(rng.randint(0, 3))}
    if rng.random() < 0.6:
        term["weight"] = _number(rng)
    if rng.random() < 0.6:
        pair: list[Any] = bounds(rng) if rng.random() < 0.6 else sorted((_number(rng), _number(rng)))
        if rng.random() < 0.2:
            pair[rng.randrange(2)] = None
        term["clip"] = None if rng.random() < 0.2 else pair
    return term


def plain(rng: Random, depth: int = 0) -> Any:
    """Any JSON, a few containers deep."""
    draw = rng.random()
    if depth < 3 and draw < 0.15:
        return [plain(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if depth < 3 and draw < 0.3:
        return {_name(rng): plain(rng, depth + 1) for _ in range(rng.randint(0, 3))}
    return rng.choice((None, True, False, _name(rng), _number(rng), _number(rng), -0.0, 1, 1.0))


def _gates(rng: Random, types: list[str]) -> list[dict[str, str]]:
    """Gates without a cycle, some of them twice: what is required is before in some order of its own."""
    order = rng.sample(types, len(types))
    places = [rng.randrange(1, len(order)) for _ in range(rng.randint(0, 6) if len(order) > 1 else 0)]
    return [{"component": order[place], "requires": order[rng.randrange(place)]} for place in places]


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for member in value.values() if isinstance(value, dict) else value:
            yield from _containers(member)


def _wrong(rng: Random) -> Any:
    return copy.deepcopy(rng.choice(WRONG))  # the next edit may change it


def _replace(rng: Random, made: dict[str, Any]) -> None:
    """Any value by a wrong one."""
    place = rng.choice([each for each in _containers(made) if each])
    place[rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))] = _wrong(rng)


def _remove(rng: Random, made: dict[str, Any]) -> None:
    place = rng.choice([each for each in _containers(made) if each])
    del place[rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))]


def _add(rng: Random, made: dict[str, Any]) -> None:
    place = rng.choice([each for each in _containers(made) if isinstance(each, dict)])
    place.setdefault(rng.choice(MEMBERS), rng.choice((0, "a", None, {"a": 1}, [True])))


def _names_of(made: dict[str, Any]) -> list[str]:
    components = made.get("components")
    terms = [each for each in components if isinstance(each, dict)] if isinstance(components, list) else []
    return [name for term in terms if isinstance(name := term.get("name", term.get("type")), str)]


def _list_of(made: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(made.get(name), list):
        made[name] = []
    found: list[Any] = made[name]
    return found


def _name_twice(rng: Random, made: dict[str, Any]) -> None:
    name = rng.choice(_names_of(made) or ["a"])
    components = _list_of(made, "components")
    components.insert(rng.randint(0, len(components)), _term(rng, name))


def _unordered_clip(rng: Random, made: dict[str, Any]) -> None:
    term = _term(rng, _name(rng))
    term["clip"] = rng.choice(([1, 0.5], [0.5, -0.0], [2**53 + 1, 2**53], [10**40 + 1, 10**40], [1.0, 0, 2], [1e16, 1]))
    _list_of(made, "components").append(term)


def _gate(rng: Random, made: dict[str, Any]) -> None:
    """Gates between any two: some close a cycle, in one of several ways, some name what is not a type."""
    names = _names_of(made) or ["a"]
    gates = _list_of(made, "gates")
    for _ in range(rng.choice((1, 1, 12))):
        component, requires = (rng.choice(names) if rng.random() < 0.9 else _name(rng) for _ in range(2))
        gates.insert(rng.randint(0, len(gates)), {"component": component, "requires": requires})


def _cycle(rng: Random, made: dict[str, Any]) -> None:
    names = _names_of(made) or ["a"]
    around = rng.sample(names, rng.randint(1, min(5, len(names))))
    _list_of(made, "gates").extend(
        {"component": name, "requires": around[(at + 1) % len(around)]} for at, name in enumerate(around)
    )
    rng.shuffle(made["gates"])


def _length(rng: Random, made: dict[str, Any]) -> None:
    made["name"] = rng.choice(("x", "\U0001f600")) * rng.choice((0, 1, 64, 65, 127, 128, 129, 300))


def _too_many(rng: Random, made: dict[str, Any]) -> None:
    if rng.random() < 0.98:
        _list_of(made, "components").extend({"type": f"more {at}"} for at in range(rng.choice((60, 63, 64, 65, 70))))
    else:
        name = rng.choice(_names_of(made) or ["a"])
        _list_of(made, "gates").extend({"component": "b", "requires": name} for _ in range(rng.choice((4090, 4097))))


EDITS: tuple[Callable[[Random, dict[str, Any]], None], ...] = (
    *(_replace, _replace, _remove, _add, _name_twice, _unordered_clip, _gate, _gate, _cycle, _length, _too_many),
)
