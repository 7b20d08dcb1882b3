"""Rules of a reward spec that JSON Schema cannot say. Each looks only where the shape is right.

A rule gives its first 100 findings. A sentence lists its first 100 names, and ``... (N more)`` in place of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from ..core.codes import broken
from ..core.findings import Finding, shown
from ..core.generated.tables import MAX_LISTED_NAMES, MAX_SPEC_FINDINGS
from ..core.schema_files import SCHEMA_FILES, read_schema_file

_MAX_PARTS: Final[int] = 1 + read_schema_file(SCHEMA_FILES["spec"])["properties"]["gates"]["maxItems"]
"""How many components, and how many gates, are checked: one more than a spec can have gates."""


def spec_findings(spec: Any) -> Iterator[Finding]:
    """Every rule that a plain JSON value breaks as a reward spec, in the catalogue's order; the first of each."""
    if type(spec) is not dict:
        return
    components = list(_objects(spec.get("components")))
    gates = list(_objects(spec.get("gates")))
    for findings in (
        _names_unique(components),
        _clips_ordered(components),
        _gate_names_known(components, gates),
        _gates_acyclic(gates),
    ):
        yield from islice(findings, MAX_SPEC_FINDINGS)


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Names as a sentence lists them: the first of them, and how many more there are."""
    words = [*map(shown, names[:MAX_LISTED_NAMES])]
    if len(names) > MAX_LISTED_NAMES:
        words.append(f"... ({len(names) - MAX_LISTED_NAMES} more)")
    return between.join(words)


def term_name(component: Mapping[str, Any]) -> str | None:
    """The name of a term of plain JSON: its ``name``, or its ``type`` if it has none; None for what is not a text."""
    name = component["name"] if "name" in component else component.get("type")
    return name if type(name) is str else None


def gate_order(names: Iterable[str], gates: Iterable[tuple[str, str]]) -> list[str] | None:
    """The names so that each comes after all that its gates require, else in the given order; None for a cycle.

    ``gates`` are pairs of a term and what it requires, both among the names.
    """
    waiting: dict[str, set[str]] = {name: set() for name in names}
    for component, requires in gates:
        waiting[component].add(requires)
    order: list[str] = []
    while waiting:
        settled = next((name for name, needs in waiting.items() if needs.isdisjoint(waiting)), None)
        if settled is None:
            return None
        del waiting[settled]
        order.append(settled)
    return order


def _names_unique(components: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for index, component in components:
        name = term_name(component)
        if name is not None and (first := seen.setdefault(name, index)) != index:
            place = ("components", index, "name" if "name" in component else "type")
            yield broken("spec.component-types-unique", place, name=shown(name), first=first)


def _clips_ordered(components: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    for index, component in components:
        match component.get("clip"):
            case [low, high] if _number(low) and _number(high) and low > high:
                place = ("components", index, "clip")
                yield broken("spec.clip-ordered", place, first=shown(low), second=shown(high))


def _gate_names_known(
    components: list[tuple[int, dict[str, Any]]], gates: list[tuple[int, dict[str, Any]]]
) -> Iterator[Finding]:
    names = [name for _, component in components if (name := term_name(component)) is not None]
    known = frozenset(names)
    for index, gate in gates:
        for end in ("component", "requires"):
            name = gate.get(end)
            if type(name) is str and name not in known:
                yield broken("spec.gate-names-known", ("gates", index, end), name=shown(name), known=listed(names))


def _gates_acyclic(gates: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    """Each gate that closes a cycle with those before it."""
    requires: dict[str, set[str]] = {}
    for index, gate in gates:
        component, required = gate.get("component"), gate.get("requires")
        if type(component) is not str or type(required) is not str:
            continue
        if (cycle := _way(requires, required, component)) is not None:
            yield broken("spec.gates-acyclic", ("gates", index), cycle=listed([component, *cycle], " requires "))
        else:
            requires.setdefault(component, set()).add(required)


def _way(requires: dict[str, set[str]], start: str, end: str) -> list[str] | None:
    """A way along gates from one term to another, both included; None where there is none."""
    came_from: dict[str, str | None] = {start: None}
    open_ends = [start]
    while open_ends:
        name = open_ends.pop()
        if name == end:
            way: list[str] = []
            step: str | None = name
            while step is not None:
                way.insert(0, step)
                step = came_from[step]
            return way
        for following in sorted(requires.get(name, ())):
            if following not in came_from:
                came_from[following] = name
                open_ends.append(following)
    return None


def _number(value: Any) -> bool:
    return type(value) in (int, float)  # a boolean is not a number


def _objects(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    for index, item in enumerate(value[:_MAX_PARTS] if type(value) is list else ()):
        if type(item) is dict:
            yield index, item
