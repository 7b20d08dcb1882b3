"""The charts of a report, one below the other over the same axis of policy updates, as a spec of Vega-Lite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..bulk.summary import OUTCOMES, VERDICTS, Group, Summary, UpdateRange
from ..core.extras import extra_module

MAX_CERTIFICATES: Final = 40
"""The certificates that are drawn: those that the most receipts name."""
_OUTSIDE: Final = 0.001
"""The share of the receipts that may be left of or right of what is drawn, if that halves the axis."""
_HEIGHT: Final = 150

_VERDICT_COLOURS: Final = {"holds": "#2f9e6e", "valid": "#7fb7e6", "fails": "#d1495b", "undecided": "#e0a030"}
_OUTCOME_COLOURS: Final = (
    "#2f9e6e",  # verified
    "#7fb7e6",  # halted_before_effect
    "#3f7fc1",  # refused
    "#8d6cc9",  # rejected_policy
    "#d1495b",  # wrong_effect
    "#e0a030",  # reconciliation_required
    "#8a8f98",  # failed_platform
)


@dataclass(frozen=True, slots=True)
class Charts:
    """The charts and what the page says about them."""

    spec: dict[str, Any]
    outside: int
    """The receipts whose policy updates are left of or right of what is drawn."""
    certificates_left_out: int


def charts_of(summary: Summary) -> Charts | None:
    """The charts of a summary; None if no valid receipt was counted. Raises ModuleNotFoundError without Altair."""
    if not summary.ranges:
        return None
    altair = extra_module("altair", "a report", "report")
    ranges, outside = _shown(summary.ranges)
    population = population_of(summary)
    domain = [ranges[0].first, ranges[-1].last + 1]
    scale_of_x = altair.Scale(domain=domain, nice=False)
    x = altair.X("first:Q", bin="binned", title=None, scale=scale_of_x, axis=_axis(altair))
    x_of_rule = altair.X(
        "first:Q", title=None, scale=scale_of_x, axis=_axis(altair)
    )  # a rule over a bin would be vertical
    where = [altair.Tooltip("updates:N", title="policy updates")]

    def stacked(
        rows: Sequence[dict[str, Any]], name: str, order: Sequence[str], colours: Sequence[str], title: str
    ) -> Any:
        scale = altair.Scale(domain=list(order), range=list(colours))
        legend = altair.Legend(title=None, orient="bottom", columns=4)
        return (
            altair.Chart(altair.Data(values=rows), title=title, height=_HEIGHT)
            .mark_bar(clip=True)
            .encode(
                x=x,
                x2="end:Q",
                y=altair.Y("receipts:Q", title="receipts", stack="zero"),
                color=altair.Color(f"{name}:N", scale=scale, legend=legend),
                order="order:Q",
                tooltip=[*where, altair.Tooltip(f"{name}:N"), altair.Tooltip("receipts:Q", format=",")],
            )
        )

    def stepped(rows: Sequence[dict[str, Any]], name: str, label: str, title: str, scale: Any, form: str) -> Any:
        lines = altair.Chart(altair.Data(values=rows), title=title, height=_HEIGHT)
        tooltip = [*where, altair.Tooltip(f"{name}:Q", title=label, format=form), altair.Tooltip("of:Q", format=",")]
        y = altair.Y(f"{name}:Q", title=label, scale=scale, axis=altair.Axis(format=form))
        return lines.mark_rule(strokeWidth=3).encode(x=x_of_rule, x2="end:Q", y=y, tooltip=tooltip)

    verdicts = [verdict for verdict in VERDICTS if any(verdict in each.groups for each in ranges)]
    outcomes = [outcome for outcome in OUTCOMES if any(_group(each, population).outcomes[outcome] for each in ranges)]
    views = [
        stacked(
            [*_by_verdict(ranges, verdicts)],
            "verdict",
            verdicts,
            [_VERDICT_COLOURS[verdict] for verdict in verdicts],
            "Verdicts of the valid receipts",
        ),
        stacked(
            [*_by_outcome(ranges, population, outcomes)],
            "outcome",
            outcomes,
            [_OUTCOME_COLOURS[OUTCOMES.index(outcome)] for outcome in outcomes],
            f"Outcomes, {POPULATIONS[population]}",
        ),
        stepped(
            [*_certified(ranges, population)],
            "share",
            "share",
            f"Certified (synthetic), {POPULATIONS[population]}",
            altair.Scale(domain=[0, 1]),
            ".0%",
        ),
        stepped(
            [*_scalars(ranges, population)],
            "mean",
            "mean scalar",
            f"Mean scalar of the scored, {POPULATIONS[population]}",
            altair.Scale(zero=True),
            "~g",
        ),
    ]
    certificates = _certificates(summary)
    left_out = max(len(certificates) - MAX_CERTIFICATES, 0)
    if certificates:
        rows = sorted(certificates[:MAX_CERTIFICATES], key=lambda row: (row["first"], row["end"], row["digest"]))
        bars = altair.Chart(altair.Data(values=rows), title="Certificates (synthetic), from issue to expiry")
        views.append(
            bars.mark_bar(clip=True, cornerRadius=2)
            .encode(
                x=x,
                x2="end:Q",
                y=altair.Y("label:N", title=" ", sort=None),
                color=altair.value("#3f7fc1"),
                tooltip=[
                    altair.Tooltip("certificate:N", title="certificate"),
                    altair.Tooltip("digest:N"),
                    altair.Tooltip("first:Q", title="issued at update", format="d"),
                    altair.Tooltip("end:Q", title="expires at update", format="d"),
                    altair.Tooltip("receipts:Q", format=","),
                ],
            )
            .properties(height=altair.Step(18))
        )
    spec = altair.vconcat(*views, spacing=28).resolve_scale(x="shared", color="independent").to_dict(format="vega-lite")
    return Charts(spec, outside, left_out)


POPULATIONS: Final = {
    "holds": "receipts that hold",
    "valid": "receipts that are valid and were not audited",
    "undecided": "undecided receipts (none holds)",
    "fails": "receipts that fail (no other is valid)",
}


def population_of(summary: Summary) -> str:
    """The verdict whose receipts the figures are of: those that hold, if there are any."""
    return next((verdict for verdict in POPULATIONS if verdict in summary.groups), "holds")


def _axis(altair: Any) -> Any:
    return altair.Axis(format="d", labelOverlap=True, labelSeparation=8, tickMinStep=1, grid=False)


def _shown(ranges: Sequence[UpdateRange]) -> tuple[Sequence[UpdateRange], int]:
    """The ranges that are drawn, and the receipts of the others: a stray update would make the rest too narrow."""
    counts = [sum(group.receipts for group in each.groups.values()) for each in ranges]
    room = int(sum(counts) * _OUTSIDE)
    low, high, outside = 0, len(ranges), 0
    while high - low > 1:
        span = ranges[high - 1].last + 1 - ranges[low].first
        ends = [
            (ranges[high - 2].last + 1 - ranges[low].first, counts[high - 1], 0, 1),
            (ranges[high - 1].last + 1 - ranges[low + 1].first, counts[low], 1, 0),
        ]
        left, count, first, last = min(ends)
        if outside + count > room or left * 2 > span:
            break
        outside += count
        low, high = low + first, high - last
    return ranges[low:high], outside


def _group(each: UpdateRange, verdict: str) -> Group:
    return each.groups.get(verdict, Group())


def _place(each: UpdateRange) -> dict[str, Any]:
    name = f"{each.first}" if each.first == each.last else f"{each.first} to {each.last}"
    return {"first": each.first, "end": each.last + 1, "updates": name}


def _by_verdict(ranges: Sequence[UpdateRange], verdicts: Sequence[str]) -> Iterator[dict[str, Any]]:
    for each in ranges:
        for order, verdict in enumerate(verdicts):
            if count := _group(each, verdict).receipts:
                yield {**_place(each), "verdict": verdict, "order": order, "receipts": count}


def _by_outcome(ranges: Sequence[UpdateRange], verdict: str, outcomes: Sequence[str]) -> Iterator[dict[str, Any]]:
    for each in ranges:
        for order, outcome in enumerate(outcomes):
            if count := _group(each, verdict).outcomes[outcome]:
                yield {**_place(each), "outcome": outcome, "order": order, "receipts": count}


def _certified(ranges: Sequence[UpdateRange], verdict: str) -> Iterator[dict[str, Any]]:
    for each in ranges:
        group = _group(each, verdict)
        if group.receipts:
            yield {**_place(each), "share": group.certified / group.receipts, "of": group.receipts}


def _scalars(ranges: Sequence[UpdateRange], verdict: str) -> Iterator[dict[str, Any]]:
    """Ranges without a scored receipt are left out: they have no mean."""
    for each in ranges:
        scalars = _group(each, verdict).scalars
        if scalars.count:
            yield {**_place(each), "mean": scalars.mean, "of": scalars.count}


def _certificates(summary: Summary) -> list[dict[str, Any]]:
    if summary.documents is None:
        return []
    counts = summary.certificates
    rows = []
    for digest, held in summary.documents.certificates.items():
        first, end = held.issued_at_policy_update, held.expires_at_policy_update
        short = digest.removeprefix("sha256:")[:8]
        rows.append(
            {
                "certificate": held.certificate_id,
                "label": f"{short} {held.certificate_id}",
                "digest": digest,
                "first": first,
                "end": end,
                "receipts": counts[digest],
            }
        )
    return sorted(rows, key=lambda row: (-row["receipts"], row["first"], row["digest"]))
