"""What a trace comes to: totals, means and the gap to the ceiling, over all of it and in each regime."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..catalogue import sentence
from ..findings import Finding, InvalidDocument, Path, shown
from ..generated.regime_report import RegimeReport
from ..rewards.component import Cadence
from ..rewards.resolved import ResolvedSpec, required_spec, resolve
from ..shape import schema_of
from .manifest import resolved_of_manifest
from .row_parts import Row

if TYPE_CHECKING:
    from ..generated.reward_spec import RewardSpec

_EPSILON: Final = sys.float_info.epsilon
_MOST_COMPONENTS: Final[int] = schema_of("regime-report")["$defs"]["RegimeSummary"]["properties"]["components"][
    "maxItems"
]
_MOST_REGIMES: Final[int] = schema_of("regime-report")["properties"]["regimes"]["maxItems"]


class SumOverflows(ArithmeticError):
    """A sum over a trace fits no double."""


class TooManyRegimes(ValueError):
    """A trace has more regimes than a report can hold."""


class ScoredMean(NamedTuple):
    """The mean of what is scored, and how much is."""

    mean: float | None
    """None where nothing is scored."""
    scored: int
    unscored: int


def mean_of_scored(values: Iterable[float | None]) -> ScoredMean:
    """The mean of the values that are not None, and how many are and are not. Raises SumOverflows."""
    total, scored, unscored = 0.0, 0, 0
    for value in values:
        if value is None:
            unscored += 1
        else:
            scored += 1
            total = _finite("the sum", total + value)
    return ScoredMean(total / scored if scored else None, scored, unscored)


def summarise(rows: Iterable[Row], spec: RewardSpec | ResolvedSpec | Mapping[str, Any] | None = None) -> RegimeReport:
    """What the rows of a trace come to. Rows are as read_trace gives them; only counts and sums are held.

    ``spec`` is what the rows were rewarded with: the spec, the spec as resolved, or the manifest of the run. Without it
    no ceiling is known, nor the order of the terms, so that a reward is held to be their sum but for rounding. Raises
    InvalidDocument where a row is of another spec, contradicts it or itself, or comes out of order, or a type of the
    spec is not in the registry; SumOverflows where a sum fits no double; TooManyRegimes.
    """
    summary = TraceSummary(spec)
    for row in rows:
        findings = summary.add(row)
        if findings:
            raise InvalidDocument(findings)
    return summary.report()


class TraceSummary:
    """Counts and sums over the rows of a trace, as they come; ``spec`` is as in ``summarise``.

    Raises ManifestRefused for a mapping that is no manifest, InvalidDocument where a type of the spec is not in the
    registry.
    """

    def __init__(self, spec: RewardSpec | ResolvedSpec | Mapping[str, Any] | None = None) -> None:
        resolved = _resolved(spec)
        self._resolved = resolved
        self._bounds = {} if resolved is None else {term.type: term.bound for term in resolved.terms}
        self._digests: tuple[str | None, str | None] | None = None  # of the first row, where nothing says it
        if resolved is not None:
            self._digests = resolved.spec_digest, resolved.digest
        elif spec is not None:
            self._digests = None, None  # the manifest says that the reward was the environment's own
        self._last: dict[int, tuple[int, int]] = {}  # episode and step of each environment's last row
        self._most = _Most(resolved)
        self._overall = _Tally(self._most)
        self._regimes: dict[str | None, _Tally] = {}

    def add(self, row: Row) -> tuple[Finding, ...]:
        """Takes a row, where it is one of the run: of the summary's spec (without one: of the first row's), and after
        those before. Else says what is wrong with it. Raises TooManyRegimes.
        """
        digests = (row["spec_digest"], row["resolved_spec_digest"])
        if self._digests is None:
            self._digests = digests
        if digests != self._digests:
            return _of_another_spec(digests, self._digests)
        findings = [*self._unknown(row["reward_components"]), *self._contradictions(row)]
        last, at = self._last.get(row["environment"]), (row["episode"], row["step"])
        if last is not None and at <= last:
            said = {"episode": at[0], "step": at[1], "environment": row["environment"]}
            findings.append(_finding("trace.row-repeated", ("step",), **said, last=last[1], before=last[0]))
        if findings:
            return tuple(findings)
        self._last[row["environment"]] = at
        regime = self._regimes.get(row["regime"])
        if regime is None:
            if len(self._regimes) >= _MOST_REGIMES:
                raise TooManyRegimes(f"the trace has more than {_MOST_REGIMES} regimes; a report holds no more")
            regime = self._regimes[row["regime"]] = _Tally(self._most)
        self._overall.add(row)
        regime.add(row)
        return ()

    @property
    def rows(self) -> int:
        """How many rows it has taken."""
        return self._overall.scored + self._overall.unscored

    def report(self) -> RegimeReport:
        """What the rows so far come to. Raises SumOverflows where a sum fits no double."""
        spec_digest, resolved_digest = self._digests or (None, None)
        return RegimeReport.model_validate(
            {
                "spec_digest": spec_digest,
                "resolved_spec_digest": resolved_digest,
                "overall": self._overall.summary(None),
                "regimes": [tally.summary(label) for label, tally in self._regimes.items()],
            }
        )

    def _unknown(self, components: Mapping[str, float]) -> Iterator[Finding]:
        held = self._overall.components
        if components.keys() <= held.keys():
            return
        unknown = [name for name in components if name not in held]
        if self._resolved is not None or len(held) + len(unknown) > _MOST_COMPONENTS:
            known = ", ".join(map(shown, held)) or "none"
            for name in unknown:
                yield _finding("trace.component-unknown", ("reward_components", name), name=shown(name), known=known)

    def _contradictions(self, row: Row) -> Iterator[Finding]:
        """Where the row of a spec is none that the spec can give."""
        components, reward = row["reward_components"], row["reward"]
        if row["spec_digest"] is None or reward is None or not (components or self._bounds):
            return
        total = size = 0.0
        for name in self._bounds or components:
            total += components.get(name, 0.0)
            size += abs(components.get(name, 0.0))
        # In the spec's order the sum is exact. Where that is not known, no tool has to have kept the row's, and each
        # order rounds otherwise, by half an epsilon of the sum so far at each term at most.
        slack = 0.0 if self._bounds else len(components) * _EPSILON * size
        if abs(total - reward) > slack and components.keys() <= (self._bounds or components).keys():
            yield _finding("trace.reward-differs", ("reward",), reward=reward, total=total)
        for name, contribution in components.items():
            bound = self._bounds.get(name)
            if bound is not None and contribution > bound:
                said = {"name": shown(name), "contribution": contribution, "ceiling": bound}
                yield _finding("trace.contribution-exceeds-ceiling", ("reward_components", name), **said)


def _of_another_spec(digests: tuple[str | None, str | None], due: tuple[str | None, str | None]) -> tuple[Finding, ...]:
    return tuple(
        _finding("trace.spec-differs", (name,), row=found or "none", spec=wanted or "none")
        for name, found, wanted in zip(("spec_digest", "resolved_spec_digest"), digests, due, strict=True)
        if found != wanted
    )


def _finding(code: str, path: Path, **values: object) -> Finding:
    return Finding(code, sentence(code, **values), path)


def _resolved(spec: RewardSpec | ResolvedSpec | Mapping[str, Any] | None) -> ResolvedSpec | None:
    if spec is None or isinstance(spec, ResolvedSpec):
        return spec
    if isinstance(spec, Mapping):
        return resolved_of_manifest(spec)
    return resolve(required_spec(spec))


class _Most:
    """The most that a spec can give at a step, and at one that ends an episode.

    It is added up as rewards are, from left to right in the spec's order: rounding keeps the order of numbers, so no
    total is above its ceiling.
    """

    def __init__(self, resolved: ResolvedSpec | None) -> None:
        terms = () if resolved is None else resolved.terms
        self.step = {term.type: term.bound for term in terms if term.cadence is Cadence.STEP}
        self.end = {term.type: term.bound for term in terms}
        self.per_step = _sum(self.step.values())
        self.per_end = None if resolved is None else _sum(self.end.values())  # None where any term is unbounded


class _Term:
    """What one component contributed."""

    __slots__ = ("ceiling", "due", "total", "zero")

    def __init__(self, ceiling: float | None) -> None:
        self.due = self.zero = 0
        self.total = 0.0
        self.ceiling = ceiling


class _Tally:
    """Counts and sums over some rows."""

    def __init__(self, most: _Most) -> None:
        self.boundaries = self.episodes = self.scored = self.unscored = 0
        self.total = 0.0
        self._most = most
        self._ceiling = None if most.per_end is None else 0.0
        self.components = {name: _Term(None if bound is None else 0.0) for name, bound in most.end.items()}

    def add(self, row: Row) -> None:
        ends = row["terminated"] or row["truncated"]
        self.boundaries += row["regime_boundary"]
        self.episodes += ends
        reward = row["reward"]
        if reward is None:
            self.unscored += 1
            return
        self.scored += 1
        self.total += reward
        for name, contribution in row["reward_components"].items():
            term = self.components.get(name)
            if term is None:
                term = self.components[name] = _Term(None)
            term.due += 1
            term.zero += contribution == 0.0
            term.total += contribution
        self._ceiling = _added(self._ceiling, self._most.per_end if ends else self._most.per_step)
        for name, bound in (self._most.end if ends else self._most.step).items():
            term = self.components[name]
            term.ceiling = _added(term.ceiling, bound)

    def summary(self, label: str | None) -> dict[str, Any]:
        where = "the trace" if label is None else f"the regime {shown(label)}"
        components = []
        for name, term in self.components.items():
            summed = _finite(f"the total of {shown(name)} in {where}", term.total)
            bound = _bounded(term.ceiling)
            components.append(
                {
                    "type": name,
                    "due_steps": term.due,
                    "zero_steps": term.zero,
                    "total": summed,
                    "ceiling": bound,
                    "gap": _gap(f"the gap of {shown(name)} in {where}", bound, summed),
                }
            )
        total = _finite(f"the total of {where}", self.total) if self.scored else None
        ceiling = _bounded(self._ceiling)
        return {
            "label": label,
            "boundaries": self.boundaries,
            "episodes": self.episodes,
            "scored_steps": self.scored,
            "unscored_steps": self.unscored,
            "total": total,
            "mean": None if total is None else total / self.scored,
            "ceiling": ceiling,
            "gap": None if total is None else _gap(f"the gap of {where}", ceiling, total),
            "components": components,
        }


def _added(ceiling: float | None, bound: float | None) -> float | None:
    return None if ceiling is None or bound is None else ceiling + bound


def _sum(bounds: Iterable[float | None]) -> float | None:
    total: float | None = 0.0
    for bound in bounds:
        total = _added(total, bound)
    return total


def _bounded(ceiling: float | None) -> float | None:
    return None if ceiling is None or ceiling - ceiling != 0.0 else ceiling  # what overflows a double, nothing bounds


def _gap(what: str, ceiling: float | None, total: float) -> float | None:
    return None if ceiling is None else _finite(what, ceiling - total)


def _finite(what: str, value: float) -> float:
    if value - value != 0.0:
        raise SumOverflows(f"{what} fits no double; clip the values, or lower the weights of the spec")
    return value
