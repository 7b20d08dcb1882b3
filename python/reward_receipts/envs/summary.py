"""What a trace comes to: totals, means and the gap to the ceiling, over all of it and in each regime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..catalogue import sentence
from ..findings import Finding, InvalidDocument, shown
from ..generated.regime_report import RegimeReport
from ..rewards.component import Cadence
from ..rewards.resolved import ResolvedSpec, ResolvedTerm, required_spec, resolve
from .manifest import resolved_of_manifest
from .rows import Row

if TYPE_CHECKING:
    from ..generated.reward_spec import RewardSpec

_MOST_COMPONENTS: Final = 64


class SumOverflows(ArithmeticError):
    """A sum over a trace fits no double."""


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

    ``spec`` is what the rows were rewarded with: the spec, the spec as resolved, or the manifest of the run. Without
    it no ceiling is known. Raises InvalidDocument where a row is of another spec, or a type of the spec is not in the
    registry; SumOverflows where a sum fits no double.
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
        self._terms = () if resolved is None else resolved.terms
        self._types = tuple(term.type for term in self._terms)
        self._digests: tuple[str | None, str | None] | None = None  # of the first row, where nothing says it
        if resolved is not None:
            self._digests = resolved.spec_digest, resolved.digest
        elif spec is not None:
            self._digests = None, None  # the manifest says that the reward was the environment's own
        self._overall = _Tally(self._types)
        self._regimes: dict[str | None, _Tally] = {}

    def add(self, row: Row) -> tuple[Finding, ...]:
        """Takes a row, where it is of the summary's spec (without one: of the first row's). Else says what it is."""
        digests = (row["spec_digest"], row["resolved_spec_digest"])
        if self._digests is None:
            self._digests = digests
        if digests != self._digests:
            return tuple(
                Finding("trace.spec-differs", sentence("trace.spec-differs", row=row, spec=due), (name,))
                for name, row, due in zip(
                    ("spec_digest", "resolved_spec_digest"),
                    map(_or_none, digests),
                    map(_or_none, self._digests),
                    strict=True,
                )
                if row != due
            )
        if unknown := self._unknown(row["reward_components"]):
            code = "trace.component-unknown"
            known = ", ".join(map(shown, self._overall.components)) or "none"
            return tuple(
                Finding(code, sentence(code, name=shown(name), known=known), ("reward_components", name))
                for name in unknown
            )
        regime = self._regimes.get(row["regime"])
        if regime is None:
            regime = self._regimes[row["regime"]] = _Tally(self._types)
        self._overall.add(row)
        regime.add(row)
        return ()

    def report(self) -> RegimeReport:
        """What the rows so far come to. Raises SumOverflows where a sum fits no double."""
        spec_digest, resolved_digest = self._digests or (None, None)
        return RegimeReport.model_validate(
            {
                "spec_digest": spec_digest,
                "resolved_spec_digest": resolved_digest,
                "overall": self._overall.summary(None, self._terms),
                "regimes": [tally.summary(label, self._terms) for label, tally in self._regimes.items()],
            }
        )

    def _unknown(self, components: Mapping[str, float]) -> list[str]:
        held = self._overall.components
        if components.keys() <= held.keys():
            return []
        unknown = [name for name in components if name not in held]
        return unknown if self._resolved is not None or len(held) + len(unknown) > _MOST_COMPONENTS else []


def _resolved(spec: RewardSpec | ResolvedSpec | Mapping[str, Any] | None) -> ResolvedSpec | None:
    if spec is None or isinstance(spec, ResolvedSpec):
        return spec
    if isinstance(spec, Mapping):
        return resolved_of_manifest(spec)
    return resolve(required_spec(spec))


class _Term:
    """What one component contributed."""

    __slots__ = ("due", "total", "zero")

    def __init__(self) -> None:
        self.due = self.zero = 0
        self.total = 0.0


class _Tally:
    """Counts and sums over some rows."""

    def __init__(self, types: Iterable[str]) -> None:
        self.boundaries = self.episodes = self.scored = self.unscored = self.scored_ends = 0
        self.total = 0.0
        self.components = {name: _Term() for name in types}

    def add(self, row: Row) -> None:
        ends = row["terminated"] or row["truncated"]
        self.boundaries += row["regime_boundary"]
        self.episodes += ends
        reward = row["reward"]
        if reward is None:
            self.unscored += 1
            return
        self.scored += 1
        self.scored_ends += ends
        self.total += reward
        for name, contribution in row["reward_components"].items():
            term = self.components.get(name)
            if term is None:
                term = self.components[name] = _Term()
            term.due += 1
            term.zero += contribution == 0.0
            term.total += contribution

    def summary(self, label: str | None, terms: Iterable[ResolvedTerm]) -> dict[str, Any]:
        where = "the trace" if label is None else f"the regime {shown(label)}"
        bounds = {term.type: self._ceiling(term) for term in terms}
        components = []
        for name, term in self.components.items():
            summed = _finite(f"the total of {shown(name)} in {where}", term.total)
            components.append(
                {
                    "type": name,
                    "due_steps": term.due,
                    "zero_steps": term.zero,
                    "total": summed,
                    "ceiling": bounds.get(name),
                    "gap": _gap(f"the gap of {shown(name)} in {where}", bounds.get(name), summed),
                }
            )
        total = _finite(f"the total of {where}", self.total) if self.scored else None
        ceiling = _sum(bounds.values()) if bounds else None
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

    def _ceiling(self, term: ResolvedTerm) -> float | None:
        """The most that the term can come to in these rows; what overflows a double, nothing bounds."""
        if term.bound is None:
            return None
        due = self.scored if term.cadence is Cadence.STEP else self.scored_ends
        most = term.bound * due + 0.0  # never -0.0
        return most if most - most == 0.0 else None


def _sum(bounds: Iterable[float | None]) -> float | None:
    total = 0.0
    for bound in bounds:
        if bound is None:
            return None
        total += bound
    return total if total - total == 0.0 else None


def _gap(what: str, ceiling: float | None, total: float) -> float | None:
    return None if ceiling is None else _finite(what, ceiling - total)


def _finite(what: str, value: float) -> float:
    if value - value != 0.0:
        raise SumOverflows(f"{what} fits no double; clip the values, or lower the weights of the spec")
    return value


def _or_none(digest: str | None) -> str:
    return digest or "none"
