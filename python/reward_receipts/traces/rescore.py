"""What another spec would have paid for the same behaviour, from the raw values in the rows of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..core.findings import shown
from ..rewards.components.component import Cadence
from ..rewards.engines.plain import compose
from ..rewards.spec.resolved import ResolvedSpec
from .row import Row, ends


class RescoreRefused(ValueError):
    """The rows do not have what the other spec needs."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """The totals of a trace under its own rewards and under another spec; only rows of training."""

    rows: int
    unscored: int
    """Rows whose own reward is None; the other spec pays nothing for them either."""
    before: float
    after: float
    components: Mapping[str, float]
    """What each term of the other spec would have contributed."""


def rescore(rows: Iterable[Row], before: ResolvedSpec, after: ResolvedSpec) -> Rescored:
    """Sums what ``after`` would have paid for rows that ``before`` rewarded.

    Exact, bit by bit what the engine gives: the raw value of a term is in the row, and clip, weight, gates and the
    order of the sum are those of the other spec. Refused where the rows do not have the raw value: for a term that
    ``before`` does not have, or has with another component, other params, or another cadence.
    Raises RescoreRefused, which names the term or the row.
    """
    _require_known(before, after)
    total_before = total_after = 0.0
    components = dict.fromkeys(after.names, 0.0)
    count = unscored = 0
    for row in rows:
        if row["evaluation"]:
            continue
        count += 1
        if row["resolved_spec_digest"] != before.digest:
            raise RescoreRefused(
                f"{_place(row)} is of the spec {row['resolved_spec_digest'] or 'none'}; expected {before.digest}"
            )
        if row["reward"] is None:
            unscored += 1
            continue
        total_before += row["reward"]
        contributions, total = rescored_row(row, after)
        for name, value in contributions.items():
            components[name] += value
        total_after += total
    return Rescored(count, unscored, total_before, total_after, components)


def rescored_row(row: Row, after: ResolvedSpec) -> tuple[dict[str, float], float]:
    """The values that each due term would have contributed at one step, in the spec's order, and the total.

    Raises RescoreRefused if the row has no raw value of a term that is due; CompositionError as the engine does.
    """
    values: list[float | None] = []
    ending = ends(row)
    for term in after.terms:
        if term.cadence is Cadence.EPISODE_END and not ending:
            values.append(None)
            continue
        detail = row["reward_detail"].get(term.name)
        if detail is None or detail["raw"] is None:
            raise RescoreRefused(f"{_place(row)} has no raw value of {shown(term.name)}")
        values.append(detail["raw"])
    contributions, total = compose(after, values, row["step"], None)
    each = zip(after.names, contributions, strict=True)
    return {name: contribution for name, contribution in each if contribution is not None}, total


def _require_known(before: ResolvedSpec, after: ResolvedSpec) -> None:
    had = {term.name: term for term in before.terms}
    for term in after.terms:
        old = had.get(term.name)
        if old is None:
            raise RescoreRefused(
                f"the trace has no term {shown(term.name)}, so its raw value is not known; it has "
                f"{', '.join(map(shown, had))}"
            )
        for what in ("type", "params", "cadence"):
            if getattr(old, what) != getattr(term, what):
                raise RescoreRefused(
                    f"the term {shown(term.name)} has another {what}: {getattr(old, what)} in the trace, "
                    f"{getattr(term, what)} in the other spec. Its raw value is not known"
                )


def _place(row: Row) -> str:
    return f"environment {row['environment']}, episode {row['episode']}, step {row['step']}"
