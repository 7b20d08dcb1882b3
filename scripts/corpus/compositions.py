"""The layer compose: rewards of specs, by the second computation, with verdicts and totals by hand in the tables."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from . import composition
from .doubles import nearest
from .library import Library
from .raw_json import edited, nested, parse, write
from .records import Record, SourceError, record
from .texts import Text

Table = dict[str, Any]
_KEYS = {
    *("id", "here", "level", "about", "section", "codes"),
    *("text", "spec", "set", "terms", "gates", "declare", "undeclared"),
    *("every_gate", "chain_of_gates", "backwards", "also_gate"),
    *("steps", "gives", "episode_steps", "ceiling", "unbounded"),
}
_COMPONENT = {"cadence": "step", "clip": None, "default_weight": 1.0}
_NOT_JSON = {
    "nan": '{"double":"nan"}',
    "inf": '{"double":"infinity"}',
    "-inf": '{"double":"-infinity"}',
    "fails": '{"fails":true}',
}
"""Raw values for which the tables have a word."""


def compositions(table: Table, library: Library) -> Iterator[Record]:
    """The cases of compose.toml and specs.toml."""
    for group in table["group"]:
        for row in group["cases"]:
            case_id = f"compose/{group['id']}/{row['id']}"
            if unknown := set(row) - _KEYS:
                raise SourceError(f"{case_id}: {', '.join(sorted(unknown))} is unknown")
            yield _case(case_id, {**table, **group, **row})


def _case(case_id: str, row: Table) -> Record:
    text = row.get("text") or _spec(row)
    arguments = _arguments(row, text)
    codes = row.get("codes")
    expect = _answer(case_id, row, text, arguments) if codes is None else {"valid": False, "codes": codes}
    here = row.get("here") or row["id"].replace("-", " ")
    return record(
        case_id,
        "compose",
        {"spec": Text(text.encode("utf-8"))},
        expect,
        sentence=f"{row['says']} Here: {here}.",
        section=row.get("section", "9"),
        level=row.get("level", "required"),
        about=row.get("about"),
        arguments=json.loads(arguments),
    )


def _spec(row: Table) -> str:
    spec = parse(row["spec"])
    if "set" in row:
        spec = edited(spec, row["set"])
    if "terms" in row:  # so many, each of a type of its own
        names = [f"t{number:02}" for number in range(row["terms"])]
        spec = edited(spec, nested("components", json.dumps([{"type": name} for name in names])))
        spec = edited(spec, nested("gates", json.dumps(_gates(row, names))))
    if "gates" in row:  # so many, all the same
        gates = [{"component": "b", "requires": "a"}] * row["gates"]
        spec = edited(spec, nested("gates", json.dumps(gates)))
    return write(spec)


def _gates(row: Table, names: list[str]) -> list[dict[str, str]]:
    """``every_gate``: each term requires all after it; ``chain_of_gates``: the next one. Or what is before it."""
    ordered = names[::-1] if row.get("backwards") else names
    pairs = []
    if row.get("every_gate"):
        pairs = [(one, other) for at, one in enumerate(ordered) for other in ordered[at + 1 :]]
    elif row.get("chain_of_gates"):
        pairs = list(itertools.pairwise(ordered))
    if "also_gate" in row:
        pairs.append(tuple(row["also_gate"]))
    return [{"component": component, "requires": requires} for component, requires in pairs]


def _arguments(row: Table, text: str) -> str:
    """The JSON text of the arguments. A type that the table does not declare has the plainest component."""
    declared = {name: {**_COMPONENT, **json.loads(own)} for name, own in row.get("declare", {}).items()}
    components = {name: declared.get(name, _COMPONENT) for name in [*declared, *_types(text)]}
    for name in row.get("undeclared", ()):
        del components[name]
    steps = ",".join(_step(words, _types(text, "name")) for words in row.get("steps", ()))
    episode_steps = row.get("episode_steps", "10")
    return f'{{"components":{json.dumps(components)},"steps":[{steps}],"episode_steps":{episode_steps}}}'


def _types(text: str, called: str = "type") -> list[str]:
    """The types of the terms, or what they are called by a member that a term may leave out."""
    try:
        types = [term.get(called, term["type"]) for term in parse(text)["components"]]
    except (ValueError, TypeError, KeyError, AttributeError):  # a spec that is refused needs no components
        return []
    return [name for name in types if type(name) is str and 1 <= len(name) <= 128]


def _step(words: str, names: list[str]) -> str:
    """A step as the tables spell it: ``reset``, or words like ``a=0.5``, ``b=nan`` and ``truncated``.

    ``*=0.5`` is the value of all terms that have none of their own.
    """
    if words == "reset":
        return '{"reset":true}'
    flags, raw = {"terminated": False, "truncated": False}, dict[str, str]()
    for word in words.split():
        if word in flags:
            flags[word] = True
        else:
            name, _, value = word.partition("=")
            raw |= dict.fromkeys(names if name == "*" else [name], _NOT_JSON.get(value, value))
    members = ",".join(f"{json.dumps(name)}:{value}" for name, value in raw.items())
    return f'{{"raw":{{{members}}},{json.dumps(flags)[1:]}'


def _answer(case_id: str, row: Table, text: str, arguments: str) -> dict[str, Any]:
    asked = parse(arguments)
    answer = composition.answer(parse(text), asked["components"], asked["steps"], asked["episode_steps"])
    gives = row.get("gives", [])
    if len(gives) != len(answer["steps"]):
        raise SourceError(
            f"{case_id}: {len(gives)} steps have an answer in the table, {len(answer['steps'])} elsewhere"
        )
    for number, (named, step) in enumerate(zip(gives, answer["steps"], strict=True)):
        _require(f"{case_id}: step {number}", _named(named, step), step)
    if "ceiling" in row:
        found = [answer["ceiling"][name] for name in ("per_step", "at_end", "per_episode")]
        _require(f"{case_id}: ceiling", [None if t == "null" else _double(t) for t in row["ceiling"]], found)
    if "unbounded" in row:
        _require(f"{case_id}: unbounded", row["unbounded"], answer["ceiling"]["unbounded"])
    return answer


def _named(words: str, step: dict[str, Any]) -> dict[str, Any]:
    """What a table names of a step: a refusal whole, or the total and perhaps the contributions; the rest as it is.

    ``compose.not-finite a``, ``compose.episode-over``, ``0.5``, ``0.5: a=0.25 b=0.25``, or ``*`` where only the two
    computations decide.
    """
    if words.startswith("compose."):
        code, _, component = words.partition(" ")
        return {"refused": code, "component": component} if component else {"refused": code}
    if words == "*" and "total" in step:
        return step
    total, _, rest = words.partition(":")
    pairs = [word.split("=") for word in rest.split()]
    contributions = {name: _double(value) for name, value in pairs} if pairs else step.get("contributions")
    return {"contributions": contributions, "total": _double(total)}


def _double(token: str) -> float:
    nearest(token)  # that it is a number, and finite
    return float(token)


def _require(what: str, named: Any, found: Any) -> None:
    if named != found:
        raise SourceError(f"{what}: the table says {named}, the second computation {found}")
