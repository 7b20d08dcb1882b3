"""A pattern of a schema as a table of states, for languages without a regular expression engine of their own.

It knows what the lint lets into a pattern: ASCII letters, classes, alternatives, groups and counted repetitions between
``^`` and ``$``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

MOST_STATES: Final = 255
"""So that a state is a byte."""


@dataclass(frozen=True)
class Machine:
    """A deterministic machine over bytes, with the fewest states. It accepts just what the whole pattern matches."""

    classes: tuple[int, ...]
    """The class of each of the 256 bytes."""
    start: int
    first_accepting: int
    """This state accepts, and all after it. State 0 refuses whatever follows."""
    next: tuple[tuple[int, ...], ...]
    """The next state, by state and class."""


def machine(pattern: str) -> Machine:
    """The machine of a pattern."""
    classes, rows, accepting = _determined(pattern)
    order = [0, *sorted(range(1, len(rows)), key=lambda state: (state in accepting, state))]
    place = {state: number for number, state in enumerate(order)}
    first_accepting = next(number for number, state in enumerate(order) if state in accepting)
    following = tuple(tuple(place[to] for to in rows[state]) for state in order)
    return Machine(tuple(classes), place[1], first_accepting, following)


def _determined(pattern: str) -> tuple[list[int], list[list[int]], set[int]]:
    """The class of each byte, the next state by state and class, the accepting states. 0 refuses, 1 is the start."""
    parsed = list(_parser.parse(pattern))
    assert str(parsed[0]) == "(AT, AT_BEGINNING)", pattern
    assert str(parsed[-1]) == "(AT, AT_END)", pattern
    arcs: list[list[tuple[frozenset[int], int]]] = []  # by state: bytes and next state
    empty: list[list[int]] = []

    def state() -> int:
        arcs.append([])
        empty.append([])
        return len(arcs) - 1

    def follow(parts: Iterable[Any], start: int) -> int:
        for operation, argument in parts:
            start = one(str(operation), argument, start)
        return start

    def one(operation: str, argument: Any, start: int) -> int:
        if operation in ("LITERAL", "IN"):
            end = state()
            arcs[start].append((_bytes(operation, argument), end))
            return end
        if operation == "SUBPATTERN":
            _, added, removed, inner = argument
            assert not added | removed
            return follow(inner, start)
        if operation == "BRANCH":
            end = state()
            for branch in argument[1]:
                empty[follow(branch, start)].append(end)
            return end
        assert operation == "MAX_REPEAT", operation
        least, most, inner = argument
        for _ in range(least):
            start = follow(inner, start)
        if str(most) == "MAXREPEAT":
            loop = state()
            empty[start].append(loop)
            empty[follow(inner, loop)].append(loop)
            return loop
        end = state()
        for _ in range(most - least):
            empty[start].append(end)
            start = follow(inner, start)
        empty[start].append(end)
        return end

    first = state()
    last = follow(parsed[1:-1], first)

    def closed(states: Iterable[int]) -> frozenset[int]:
        found, open_ends = set(states), list(states)
        while open_ends:
            for following in empty[open_ends.pop()]:
                if following not in found:
                    found.add(following)
                    open_ends.append(following)
        return frozenset(found)

    # Determinise, byte by byte.
    sets = {frozenset[int](): 0, closed([first]): 1}
    order = [*sets]
    rows: list[list[int]] = []
    for each in order:
        row = []
        for byte in range(128):
            to = closed([end for state in each for accepted, end in arcs[state] if byte in accepted])
            if to not in sets:
                sets[to] = len(order)
                order.append(to)
            row.append(sets[to])
        rows.append(row)
    accepting = {number for each, number in sets.items() if last in each}
    rows, accepting = _minimal(rows, accepting)
    assert len(rows) <= MOST_STATES, f"{pattern}: {len(rows)} states"
    for line_break in b"\n\r":
        assert all(row[line_break] == 0 for row in rows), f"{pattern} accepts a line break"
    # Bytes that lead alike from every state are one class; no byte beyond ASCII is accepted.
    columns: dict[tuple[int, ...], int] = {tuple([0] * len(rows)): 0}
    classes = [columns.setdefault(tuple(row[byte] for row in rows), len(columns)) for byte in range(128)]
    narrow = [[column[state] for column in columns] for state in range(len(rows))]
    return [*classes, *[0] * 128], narrow, accepting


def _bytes(operation: str, argument: Any) -> frozenset[int]:
    found: set[int] = set()
    for kind, value in [(operation, argument)] if operation == "LITERAL" else argument:
        if str(kind) == "RANGE":
            found |= set(range(value[0], value[1] + 1))
        else:
            assert str(kind) == "LITERAL", kind
            found.add(value)
    assert max(found) < 128, found
    return frozenset(found)


def _minimal(rows: list[list[int]], accepting: set[int]) -> tuple[list[list[int]], set[int]]:
    """The smallest machine that accepts the same; 0 stays the one that refuses, 1 the start."""
    block = [int(state in accepting) for state in range(len(rows))]
    while True:
        signatures = [(block[state], *(block[to] for to in rows[state])) for state in range(len(rows))]
        numbers: dict[tuple[int, ...], int] = {}
        refined = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == len(set(block)):
            break
        block = refined
    numbers = {}
    block = [numbers.setdefault(each, len(numbers)) for each in block]  # type: ignore[call-overload]
    assert block[0] == 0
    assert block[1] == 1
    first = {each: state for state, each in reversed([*enumerate(block)])}
    merged = [[block[to] for to in rows[first[each]]] for each in range(len(first))]
    return merged, {block[state] for state in accepting}
