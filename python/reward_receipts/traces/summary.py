"""A summary of a trace: totals, means and the gap to the ceiling, over all of it and in each regime."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument, shown
from ..core.pointer import Path
from ..rewards.components.component import Cadence
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.resolved import ResolvedSpec, required_spec, resolve
from ..validation.schemas import schema_of
from .generated.regime_report import RegimeReport
from .manifest import specs_of_manifest
from .row import Row

_EPSILON: Final = sys.float_info.epsilon
_MOST_COMPONENTS: Final[int] = schema_of("regime-report")["$defs"]["RegimeSummary"]["properties"]["components"][
    "maxItems"
]
_MOST_REGIMES: Final[int] = schema_of("regime-report")["properties"]["regimes"]["maxItems"]


SpecOfRows: TypeAlias = RewardSpec | ResolvedSpec | tuple[ResolvedSpec, ...] | Mapping[str, Any]
"""The specs that rows were rewarded with, in one of these forms."""
Digests: TypeAlias = tuple[str | None, str | None]
"""The digests of a spec, as written and as resolved."""


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


def summarise(rows: Iterable[Row], spec: SpecOfRows | None = None) -> RegimeReport:
    """A summary of the rows of a trace, as read_trace gives them. Keeps only counts and sums in memory.

    ``spec`` is what the rows were rewarded with: the spec, the spec as resolved (or a tuple of them, if they were used
    one after another), or the manifest of the run. Without it
    the ceiling and the order of the terms are unknown, so a reward is compared with their sum up to rounding. Raises
    InvalidDocument if a row is of another spec, contradicts it or itself, or comes out of order, or a type of the
    spec is not in the registry; SumOverflows if a sum does not fit a double; TooManyRegimes.
    """
    summary = TraceSummary(spec)
    for row in rows:
        findings = summary.add(row)
        if findings:
            raise InvalidDocument(findings)
    return summary.report()


class TraceSummary:
    """Counts and sums over the rows of a trace, as they come; ``spec`` is as in ``summarise``.

    An episode counts in the returns and lengths of all rows if it has ended. It counts in those of a regime, or of a
    spec, if all its steps were in it: an episode across two regimes is left out of both, and ``left_out`` of the one
    that it ended in counts it. A return is the sum of the rewards of all steps of an episode, so one with a step
    without a reward or without a row has none, and ``left_out`` counts it.

    Raises ManifestRefused for a mapping that is not a manifest, InvalidDocument if a type of the spec is not in the
    registry.
    """

    def __init__(self, spec: SpecOfRows | None = None) -> None:
        specs = None if spec is None else _resolved(spec)
        self._specs = {} if specs is None else {_digests_of(each): _Most(each) for each in specs or (None,)}
        self._episodes: dict[int, _Episode] = {}  # of each environment, the one of its last row
        self._refused = _refused_steps(spec)
        self._restart()

    def restart(self) -> None:
        """Begins to count anew, after the rows so far: for the numbers of each interval of a run.

        An episode that goes on counts whole in the interval that it ends in.
        """
        self._refused = 0
        self._restart()

    def _restart(self) -> None:
        self._training = _Group(self._specs)
        self._evaluation = _Group(self._specs)

    def add(self, row: Row) -> tuple[Finding, ...]:
        """Takes a row, if it is one of the run: of the summary's specs (without one: of the first row's), and after
        those before. Otherwise says what is wrong with it. Raises TooManyRegimes.
        """
        digests = (row["spec_digest"], row["resolved_spec_digest"])
        if not self._specs:
            self._specs[digests] = _Most(None)
        most = self._specs.get(digests)
        if most is None:
            return _of_another_spec(digests, [*self._specs])
        group = self._evaluation if row.get("evaluation") else self._training
        findings = [*self._unknown(row["reward_components"], group, most), *_contradictions(row, most.end)]
        place = row["environment"]
        episode = self._episodes.get(place)
        if episode is not None and (row["episode"], row["step"]) <= (episode.number, episode.step):
            said = {"episode": row["episode"], "step": row["step"], "environment": place}
            findings.append(_finding("trace.row-repeated", ("step",), **said, last=episode.step, before=episode.number))
        if findings:
            return tuple(findings)
        group.require_room(row["regime"])
        if episode is None or episode.number != row["episode"]:
            episode = self._episodes[place] = _Episode(row, digests)
        group.add(row, most, digests, episode, episode.add(row, digests))
        return ()

    def add_refused(self, steps: int = 1) -> None:
        """Counts steps that were taken and have no row."""
        self._refused += steps

    @property
    def rows(self) -> int:
        """How many rows it has taken."""
        return self._training.rows + self._evaluation.rows

    def report(self) -> RegimeReport:
        """The summary of the rows so far. Raises SumOverflows if a sum does not fit a double."""
        training, evaluation = self._training, self._evaluation
        spec_digest, resolved_digest = next(iter(self._specs)) if len(self._specs) == 1 else (None, None)
        overall = training.overall.summary(None)
        overall["missing_steps"] = max(overall["missing_steps"], self._refused - evaluation.overall.missing)
        return RegimeReport.model_validate(
            {
                "spec_digest": spec_digest,
                "resolved_spec_digest": resolved_digest,
                "overall": overall,
                "regimes": [tally.summary(label) for label, tally in training.regimes.items()],
                "stages": [
                    {"spec_digest": written, "resolved_spec_digest": resolved, "summary": tally.summary(None)}
                    for (written, resolved), tally in training.stages.items()
                ],
                "evaluation": {
                    "overall": evaluation.overall.summary(None),
                    "regimes": [tally.summary(label) for label, tally in evaluation.regimes.items()],
                }
                if evaluation.rows
                else None,
            }
        )

    def _unknown(self, components: Mapping[str, float], group: _Group, most: _Most) -> Iterator[Finding]:
        known: Mapping[str, object] = most.end if most.is_known else group.overall.components
        if components.keys() <= known.keys():
            return
        unknown = [name for name in components if name not in known]
        if most.is_known or len(known) + len(unknown) > _MOST_COMPONENTS:
            names = ", ".join(map(shown, known)) or "none"
            for name in unknown:
                yield _finding("trace.component-unknown", ("reward_components", name), name=shown(name), known=names)


def _contradictions(row: Row, bounds: Mapping[str, float | None]) -> Iterator[Finding]:
    """If the spec of the row cannot give it."""
    components, reward = row["reward_components"], row["reward"]
    if row["spec_digest"] is None or reward is None or not (components or bounds):
        return
    total = size = 0.0
    for name in bounds or components:
        total += components.get(name, 0.0)
        size += abs(components.get(name, 0.0))
    # In the spec's order the sum is exact. Where that is not known, no tool has to have kept the row's, and each
    # order rounds otherwise, by half an epsilon of the sum so far at each term at most.
    slack = 0.0 if bounds else len(components) * _EPSILON * size
    if abs(total - reward) > slack and components.keys() <= (bounds or components).keys():
        yield _finding("trace.reward-differs", ("reward",), reward=reward, total=total)
    for name, contribution in components.items():
        bound = bounds.get(name)
        if bound is not None and contribution > bound:
            said = {"name": shown(name), "contribution": contribution, "ceiling": bound}
            yield _finding("trace.contribution-exceeds-ceiling", ("reward_components", name), **said)


def _of_another_spec(digests: Digests, known: Sequence[Digests]) -> tuple[Finding, ...]:
    return tuple(
        _finding(
            "trace.spec-differs",
            (name,),
            row=digests[place] or "none",
            spec=" or ".join(each[place] or "none" for each in known),
        )
        for place, name in enumerate(("spec_digest", "resolved_spec_digest"))
        if len(known) > 1 or digests[place] != known[0][place]
    )


def _finding(code: str, path: Path, **values: object) -> Finding:
    return Finding(code, sentence(code, **values), path)


def _resolved(spec: SpecOfRows) -> tuple[ResolvedSpec, ...]:
    """The specs that rows are of; () if the reward was the environment's own."""
    if isinstance(spec, ResolvedSpec):
        return (spec,)
    if isinstance(spec, Mapping):
        return specs_of_manifest(spec)
    if isinstance(spec, tuple):
        return spec
    return (resolve(required_spec(spec)),)


def _digests_of(resolved: ResolvedSpec | None) -> Digests:
    return (None, None) if resolved is None else (resolved.spec_digest, resolved.digest)


def _refused_steps(spec: SpecOfRows | None) -> int:
    """How many steps a finished manifest says were refused."""
    run = spec.get("run") if isinstance(spec, Mapping) else None
    refused = run.get("refused_steps") if isinstance(run, Mapping) else None
    return refused if type(refused) is int else 0


class _Most:
    """The most that a spec can give at a step, and at one that ends an episode.

    It is added up as rewards are, from left to right in the spec's order: rounding keeps the order of numbers, so no
    total is above its ceiling.
    """

    def __init__(self, resolved: ResolvedSpec | None) -> None:
        terms = () if resolved is None else resolved.terms
        self.is_known = resolved is not None
        self.step = {term.name: term.bound for term in terms if term.cadence is Cadence.STEP}
        self.end = {term.name: term.bound for term in terms}
        self.per_step = _sum(self.step.values())
        self.per_end = None if resolved is None else _sum(self.end.values())  # None where any term is unbounded


class _Episode:
    """The episode of an environment's last row."""

    __slots__ = ("digests", "is_whole", "number", "one_regime", "one_spec", "regime", "step", "total")

    def __init__(self, row: Row, digests: Digests) -> None:
        self.number = row["episode"]
        self.step = -1
        self.total = 0.0
        self.is_whole = True  # every step has a row and a reward
        self.regime, self.digests = row["regime"], digests
        self.one_regime = self.one_spec = True

    def add(self, row: Row, digests: Digests) -> int:
        """Takes the next row; returns how many steps before it have none."""
        missing: int = row["step"] - self.step - 1
        self.step = row["step"]
        if missing or row["reward"] is None:
            self.is_whole = False
        else:
            self.total += row["reward"]
        if row["regime"] != self.regime:
            self.one_regime = False
        if digests != self.digests:
            self.one_spec = False
        return missing


class _Group:
    """The tallies of some rows: of all, of each regime and of each spec."""

    def __init__(self, specs: Mapping[Digests, _Most]) -> None:
        self._mosts = specs
        self.overall = _Tally(specs.values())
        self.regimes: dict[str | None, _Tally] = {}
        self.stages: dict[Digests, _Tally] = {}

    @property
    def rows(self) -> int:
        return self.overall.scored + self.overall.unscored

    def require_room(self, label: str | None) -> None:
        """Raises TooManyRegimes if another regime would be too many."""
        if label not in self.regimes and len(self.regimes) >= _MOST_REGIMES:
            raise TooManyRegimes(f"the trace has more than {_MOST_REGIMES} regimes; a report has at most that many")

    def add(self, row: Row, most: _Most, digests: Digests, episode: _Episode, missing: int) -> None:
        regime = self.regimes.get(row["regime"])
        if regime is None:
            regime = self.regimes[row["regime"]] = _Tally(self._mosts.values())
        stage = self.stages.get(digests)
        if stage is None:
            # With one spec, its rows are all rows.
            stage = self.stages[digests] = self.overall if len(self._mosts) == 1 else _Tally([most])
        ended = episode if row["terminated"] or row["truncated"] else None
        self.overall.add(row, most, missing, ended, True)
        regime.add(row, most, missing, ended, episode.one_regime)
        if stage is not self.overall:
            stage.add(row, most, missing, ended, episode.one_spec)


class _Statistics:
    """Count, sum and extremes of one number of episodes."""

    __slots__ = ("count", "greatest", "left_out", "smallest", "total")

    def __init__(self) -> None:
        self.count = self.left_out = 0
        self.total = 0.0
        self.smallest = self.greatest = 0.0

    def add(self, value: float) -> None:
        self.smallest = min(self.smallest, value) if self.count else value
        self.greatest = max(self.greatest, value) if self.count else value
        self.count += 1
        self.total += value

    def summary(self, what: str) -> dict[str, Any]:
        mean = smallest = greatest = None
        if self.count:
            mean = _finite(what, self.total) / self.count
            smallest, greatest = _finite(what, self.smallest), _finite(what, self.greatest)
        return {"count": self.count, "left_out": self.left_out, "mean": mean, "min": smallest, "max": greatest}


class _Term:
    """What one component contributed."""

    __slots__ = ("ceiling", "due", "total", "zero")

    def __init__(self, ceiling: float | None) -> None:
        self.due = self.zero = 0
        self.total = 0.0
        self.ceiling = ceiling


class _Tally:
    """Counts and sums over some rows."""

    def __init__(self, mosts: Collection[_Most]) -> None:
        self.boundaries = self.episodes = self.scored = self.unscored = self.missing = 0
        self.returns, self.lengths = _Statistics(), _Statistics()
        self.total = 0.0
        self._ceiling = None if all(most.per_end is None for most in mosts) else 0.0
        self.components: dict[str, _Term] = {}
        for most in mosts:
            for name, bound in most.end.items():
                term = self.components.setdefault(name, _Term(None))
                if bound is not None:
                    term.ceiling = 0.0

    def add(self, row: Row, most: _Most, missing: int, ended: _Episode | None, one: bool) -> None:
        """Takes a row; ``missing`` steps before it have none, and ``one`` is whether its episode is all in here."""
        self.boundaries += row["regime_boundary"]
        self.missing += missing
        if ended is not None:
            self._end(ended, one)
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
        if most.per_end is None:
            self._ceiling = None
        elif self._ceiling is not None:
            self._ceiling = _added(self._ceiling, most.per_step if ended is None else most.per_end)
        for name, bound in (most.step if ended is None else most.end).items():
            term = self.components[name]
            term.ceiling = _added(term.ceiling, bound)

    def _end(self, episode: _Episode, one: bool) -> None:
        self.episodes += 1
        if one:
            self.lengths.add(episode.step + 1)
        else:
            self.lengths.left_out += 1
        if one and episode.is_whole:
            self.returns.add(episode.total)
        else:
            self.returns.left_out += 1

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
            "missing_steps": self.missing,
            "returns": self.returns.summary(f"the sum of the returns in {where}"),
            "lengths": self.lengths.summary(f"the sum of the lengths in {where}"),
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
