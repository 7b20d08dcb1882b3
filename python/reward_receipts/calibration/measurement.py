"""What a checker did on labelled trials: counts by fault class, and the bound on its false accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from ..core.codes import CodedSentence, sentence
from ..core.findings import shown
from ..core.numbers import finite_double, plain_integer
from ..receipts.lifetime import DEFAULT_VACUITY_LIMIT
from .bound import clopper_pearson_upper, require_probability
from .trials import Trial, Trials

GroupBy = Literal["group_id", "task_id"]
Unit = Literal["trials", "groups"]
_LISTED: Final = 20
_REPEATED: Final = ("task_id", "evidence_digest")
"""Members that independent trials do not share."""


class CalibrationRefused(ValueError):
    """Trials give no bound, or no certificate (synthetic) of a contract; ``refusals`` has every reason."""

    refusals: tuple[CodedSentence, ...]

    def __init__(self, refusals: Iterable[CodedSentence]) -> None:
        self.refusals = tuple(refusals)
        super().__init__(" ".join(f"{each.code}: {each}" for each in self.refusals))


@dataclass(frozen=True, slots=True)
class ClassCount:
    """The trials of one fault class that should have been refused."""

    fault_class: str
    trials: int
    false_accepts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The bound on a checker's false accepts, and the counts that it is computed from."""

    false_accepts: int
    """Units that should have been refused and were accepted; a group counts if one of its trials was."""
    trials: int
    """Units that should have been refused."""
    unit: Unit
    """Whether the bound is over single trials or over groups of them."""
    delta: float
    """The probability that the bound is wrong, as it was asked for."""
    epsilon: float
    """The exact upper bound on P(false accept), of a trial or in a group, at confidence 1 - delta."""
    threshold: float | None
    """The score from which on the checker accepts; None for trials with decisions."""
    controls: int
    """Single trials that should have been accepted."""
    failed_controls: int
    """Those of them that were refused."""
    classes: tuple[ClassCount, ...]
    """Single trials by fault class, in the order of the names."""
    corpus_digest: str

    def refusals(
        self,
        *,
        required_classes: Iterable[str] = (),
        failed_controls_allowed: int = 0,
        vacuity_limit: float = DEFAULT_VACUITY_LIMIT,
    ) -> tuple[CodedSentence, ...]:
        """Why the measurement supports no certificate (synthetic) of any contract; () if nothing speaks against it.

        ``required_classes`` are fault classes that must have trials, ``failed_controls_allowed`` is how many clean
        controls the checker may have refused, ``vacuity_limit`` the epsilon from which on a bound says nothing.
        Raises ValueError for a limit outside its range.
        """
        allowed = plain_integer(failed_controls_allowed)
        if allowed is None or allowed < 0:
            raise ValueError(f"failed_controls_allowed is {shown(failed_controls_allowed)}; expected an integer from 0")
        limit = finite_double(vacuity_limit, "vacuity_limit")
        if not 0.0 < limit <= 1.0:
            raise ValueError(f"vacuity_limit is {limit}; expected a number above 0 and at most 1")
        found: list[CodedSentence] = []
        names = [each.fault_class for each in self.classes]
        for name in dict.fromkeys(required_classes):
            if name not in names:
                known = ", ".join(map(shown, names[:_LISTED])) + (", ..." if len(names) > _LISTED else "")
                found.append(_refusal("class-empty", name=shown(name), known=known))
        if not self.controls:
            found.append(_refusal("controls-absent", trials=sum(each.trials for each in self.classes)))
        if self.failed_controls > allowed:
            found.append(
                _refusal("controls-failed", failed=self.failed_controls, controls=self.controls, allowed=allowed)
            )
        if self.false_accepts == self.trials:
            found.append(_refusal("all-accepted", trials=self.trials, unit=self.unit))
        elif self.epsilon >= limit:
            found.append(_refusal("bound-vacuous", epsilon=f"{self.epsilon:.6g}", limit=f"{limit:.6g}"))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """The measurement as plain JSON."""
        classes = [
            {"fault_class": each.fault_class, "trials": each.trials, "false_accepts": each.false_accepts}
            for each in self.classes
        ]
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "false_accepts": self.false_accepts,
            "trials": self.trials,
            "unit": self.unit,
            "threshold": self.threshold,
            "controls": self.controls,
            "failed_controls": self.failed_controls,
            "classes": classes,
            "corpus_digest": self.corpus_digest,
        }


def measure(
    trials: Trials, *, delta: float, threshold: float | None = None, group_by: GroupBy | None = None
) -> Measurement:
    """The bound on P(false accept) of a checker at confidence 1 - delta, from its labelled trials.

    ``threshold`` is the score from which on the checker accepts, for trials with scores. It has to be chosen without
    these trials: see ``choose_threshold``. Trials with a ``group_id`` are grouped by it; ``group_by="task_id"`` groups
    by task. The bound is then over groups: of the probability that a group which should have been refused has a false
    accept, which is at least that of a trial drawn from a random group.

    Raises CalibrationRefused if no trial should have been refused, if trials repeat a task or an evidence digest
    without a group, or if only some of those that should have been refused have the group. Raises ValueError for a
    delta that is not between 0 and 1, and for trials with scores and no threshold.

        found = measure(read_trials("trials.jsonl"), delta=0.05)
        print(found.false_accepts, found.trials, found.epsilon)
    """
    level = require_probability(delta, "delta")
    at = threshold_of(trials, threshold)
    units = faulty_units(trials, group_by)
    accepted = [any(trial.accepted_at(at) for trial in unit) for unit in units]
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for trial in (trial for unit in units for trial in unit):
        counts[trial.fault_class or ""] += 1
        wrong[trial.fault_class or ""] += trial.accepted_at(at)
    controls = [trial.accepted_at(at) for trial in trials if trial.should_accept]
    return Measurement(
        false_accepts=sum(accepted),
        trials=len(units),
        unit="trials" if grouping_of(trials, group_by) is None else "groups",
        delta=level,
        epsilon=clopper_pearson_upper(sum(accepted), len(units), level),
        threshold=at,
        controls=len(controls),
        failed_controls=controls.count(False),
        classes=tuple(ClassCount(name, counts[name], wrong[name]) for name in sorted(counts)),
        corpus_digest=trials.digest,
    )


def threshold_of(trials: Trials, threshold: float | None) -> float | None:
    """The threshold of trials with scores; None for trials with decisions. Raises ValueError if there is none."""
    if not trials.scored:
        return None
    if threshold is None:
        raise ValueError("the trials have scores; give the threshold from which on the checker accepts")
    return finite_double(threshold, "threshold")


def grouping_of(trials: Trials, group_by: GroupBy | None) -> GroupBy | None:
    """What trials are grouped by: as asked, or by ``group_id`` if one that should have been refused has one."""
    if group_by is not None and group_by not in get_args(GroupBy):
        raise ValueError(f"trials are not grouped by {shown(group_by)}; expected group_id or task_id")
    has_groups = any(trial.group_id is not None for trial in trials if not trial.should_accept)
    return group_by or ("group_id" if has_groups else None)


def faulty_units(trials: Trials, group_by: GroupBy | None) -> list[list[Trial]]:
    """The independent units that should have been refused: single trials, or groups. Raises CalibrationRefused."""
    member = grouping_of(trials, group_by)
    faulty = [trial for trial in trials if not trial.should_accept]
    if not faulty:
        raise CalibrationRefused([_refusal("nothing-to-refuse", trials=len(trials))])
    if member is None:
        repeats = [found for member in _REPEATED if (found := _repeats(faulty, member)) is not None]
        if repeats:
            raise CalibrationRefused(repeats)
        return [[trial] for trial in faulty]
    missing = sum(getattr(trial, member) is None for trial in faulty)
    if missing:
        raise CalibrationRefused([_refusal("groups-incomplete", missing=missing, trials=len(faulty), member=member)])
    groups: dict[str, list[Trial]] = {}
    for trial in faulty:
        groups.setdefault(getattr(trial, member), []).append(trial)
    return list(groups.values())


def _repeats(faulty: list[Trial], member: str) -> CodedSentence | None:
    counts = Counter(value for trial in faulty if (value := getattr(trial, member)) is not None)
    value, count = max(counts.items(), key=lambda each: each[1], default=("", 1))
    if count == 1:
        return None
    return _refusal("repeats-without-group", count=count, what=member, value=shown(value))


def _refusal(code: str, **values: object) -> CodedSentence:
    return sentence(f"calibration.{code}", **values)
