"""A summary of an audit as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Final

from ..core.codes import audit_inputs
from ..core.counted import counted
from ..core.escaping import printable_line
from ..core.text_table import aligned
from .summary import OTHERS, OUTCOMES, CodeCount, Group, Groups, Summary, merged_groups

_WORDS: Final = {"holds": "hold", "valid": "valid", "fails": "fail", "undecided": "undecided", "invalid": "invalid"}
_ROWS: Final = 20
"""The most rows of a table; a line below it counts further ones."""
_RANGES: Final = 12
"""The most rows of the table of policy updates."""
_FILES: Final = 5
_FIGURES: Final = ("hold", "fail", "undecided", "certified (synthetic)", "mean scalar", "unscored")
_OF_HOLDING: Final = "certified (synthetic), mean scalar and unscored: of the receipts that hold"


def summary_text(summary: Summary) -> str:
    """A summary for people, in lines of ASCII: verdicts, outcomes, scalars, findings, contracts, policy updates.

    Scalars are of scored receipts only; unscored ones are counted apart.

        print(summary_text(summary))
    """
    return "\n".join(map(printable_line, _lines(summary)))


def _lines(summary: Summary) -> Iterator[str]:
    verdicts = ", ".join(f"{count:,} {_WORDS[verdict]}" for verdict, count in summary.verdicts.items())
    yield f"{_many(summary.receipts, 'receipt')}: {verdicts}"
    count, named = summary.unread
    if count:
        yield f"{_many(count, 'file')} could not be read, or not to the end:"
        yield from (f"  {message}" for _, message in named[:_FILES])
        yield from _more(count, _FILES, "file")
    if summary.groups:
        yield from _section("By verdict", _by_verdict(summary.groups))
    yield from _codes("Findings", summary.findings)
    yield from _codes("Checks that could not run", summary.unchecked)
    for what, (receipts, codes) in summary.not_given.items():
        yield ""
        yield f"No {what} was given ({audit_inputs()[what]}), which {_many(receipts, 'receipt')} needed. Not checked:"
        yield from (f"  {code}" for code in codes)
    yield from _codes("Why receipts that do not fail are not certified (synthetic)", summary.refusals)
    if summary.refusals_unknown:
        yield f"  unknown for {_many(summary.refusals_unknown, 'receipt')}: the contract or certificate is not held"
    yield from _section(f"By contract ({_OF_HOLDING})", _by_contract(summary), 2)
    yield from _more(len(summary.contracts), _ROWS, "contract")
    yield from _section(f"By policy update ({_OF_HOLDING})", _by_update(summary))
    yield from _section("Certificates (synthetic)", _certificates(summary), 2)
    yield from _more(len(summary.certificates), _ROWS, "certificate")


def _many(number: int, what: str) -> str:
    return counted(number, what) if number < 1000 else f"{number:,} {what}s"


def _more(count: int, shown: int, what: str) -> Iterator[str]:
    if count > shown:
        yield f"  and {_many(count - shown, f'more {what}')}"


def _section(title: str, rows: Sequence[Sequence[str]], text_columns: int = 1) -> Iterator[str]:
    """A table of text whose first row is its head; nothing if it has no other row."""
    if len(rows) > 1:
        yield ""
        yield title
        yield from (f"  {printable_line(line)}" for line in aligned(rows, text_columns))


def _by_verdict(groups: Groups) -> list[list[str]]:
    shown = [verdict for verdict in _WORDS if verdict in groups]
    columns = [groups[verdict] for verdict in shown]
    rows = [["", *shown]]
    rows.append(["receipts", *(f"{group.receipts:,}" for group in columns)])
    rows.append(["say certified (synthetic)", *(_share(group.certified, group.receipts) for group in columns)])
    rows.append(["development only", *(_share(group.development_only, group.receipts) for group in columns)])
    for outcome in OUTCOMES:
        if any(group.outcomes[outcome] for group in columns):
            rows.append([outcome, *(_share(group.outcomes[outcome], group.receipts) for group in columns)])
    rows.append(["scored", *(f"{group.scalars.count:,}" for group in columns)])
    rows.append(["  mean scalar", *(_number(group.scalars.mean) for group in columns)])
    rows.append(["  standard deviation", *(_number(group.scalars.deviation) for group in columns)])
    rows.append(["  least", *(_number(group.scalars.least if group.scalars.count else None) for group in columns)])
    rows.append(
        ["  greatest", *(_number(group.scalars.greatest if group.scalars.count else None) for group in columns)]
    )
    rows.append(["unscored", *(f"{group.unscored:,}" for group in columns)])
    return rows


def _by_contract(summary: Summary) -> list[list[str]]:
    rows = [["contract", "digest", *_FIGURES]]
    for digest, groups in list(summary.contracts.items())[:_ROWS]:
        name = "(others)" if digest == OTHERS else summary.contract_id(digest) or "(not held)"
        rows.append([name, digest.removeprefix("sha256:")[:12] if digest != OTHERS else "", *_figures(groups)])
    return rows


def _by_update(summary: Summary) -> list[list[str]]:
    rows = [["policy updates", *_FIGURES]]
    ranges = summary.ranges
    size = -(-len(ranges) // _RANGES) or 1
    for start in range(0, len(ranges), size):
        part = ranges[start : start + size]
        first, last = part[0].first, part[-1].last
        name = f"{first}" if first == last else f"{first} to {last}"
        rows.append([name, *_figures(merged_groups(each.groups for each in part))])
    return rows


def _certificates(summary: Summary) -> list[list[str]]:
    rows = [["certificate", "digest", "issued at", "expires at", "receipts"]]
    for digest, count in list(summary.certificates.items())[:_ROWS]:
        assert summary.documents is not None
        held = summary.documents.certificates[digest]
        updates = (held.issued_at_policy_update, held.expires_at_policy_update)
        rows.append([held.certificate_id, digest.removeprefix("sha256:")[:12], *map(str, updates), f"{count:,}"])
    return rows


def _codes(title: str, counts: Mapping[str, CodeCount]) -> Iterator[str]:
    """For each code: the receipts that it was found of, and the first of them."""
    if not counts:
        return
    yield ""
    yield title
    rows = [["receipts", "code", "first at"]]
    rows += [
        [f"{count.receipts:,}", code, count.example.place or count.example.receipt_id or "-"]
        for code, count in counts.items()
    ]
    width = max(len(row[0]) for row in rows)
    yield from (f"  {line}" for line in aligned([[row[0].rjust(width), *row[1:]] for row in rows]))


def _figures(groups: Groups) -> list[str]:
    """What ``_FIGURES`` names."""
    counts = [
        f"{sum(groups[each].receipts for each in verdicts if each in groups):,}"
        for verdicts in (("holds", "valid"), ("fails",), ("undecided",))
    ]
    holds = groups.get("holds") or groups.get("valid") or Group()
    return [*counts, _share(holds.certified, holds.receipts), _number(holds.scalars.mean), f"{holds.unscored:,}"]


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.1%})" if whole else "-"


def _number(value: float | None) -> str:
    return "-" if value is None or not isfinite(value) else f"{value:.6g}"
