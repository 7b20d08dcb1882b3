"""The result of a run: the status of each case, the figures of each layer, and whether a claim can be made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ..core.counted import counted
from .case import Case
from .compare import has_rule_id
from .corpus import Corpus
from .process import Trouble
from .protocol import LAYERS, Answer, Hello

Status = Literal[
    "pass",
    "fail",
    "xfail",
    "xpass",
    "skip",
    "unsupported",
    "error",
    "crash",
    "timeout",
    "protocol-error",
    "unstable",
    "not-run",
]

EXCUSABLE: Final = ("fail", "error", "crash", "timeout", "protocol-error", "unstable")
"""The statuses that an expected failure can turn into ``xfail``: the case was asked, and not answered rightly."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What an implementation made of one case."""

    case: Case
    status: Status
    detail: str = ""
    """What was found against what is right, or what happened; the reason of an ``xfail``."""
    rule_id_agrees: bool = False
    """Whether it refused and named first the rule or code that must come first."""
    code: str | None = None
    """The rule or code that the first answer names first, if it does."""
    answer: Answer | None = None
    """The first answer itself, where no other case was asked: many might be long."""
    stderr: str = ""
    """The start and the end of the standard error of a process that crashed, hung or broke the protocol."""


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many."""

    passed: int
    of: int

    def __str__(self) -> str:
        return f"{self.passed} of {self.of}"


@dataclass(frozen=True, slots=True)
class LayerResult:
    """The figures of one layer."""

    layer: str
    claimed: bool
    conformant: bool
    """Whether it is claimed and every required case of it that was selected passes."""
    accepts: Count
    """What must be accepted, and was."""
    refusals: Count
    """What must be refused, and was; a crash is not a refusal."""
    rule_ids: Count
    """Refusals that say which rule must refuse, and where that rule was named first."""
    others: Count
    """Cases of the operations that neither accept nor refuse."""
    statuses: dict[str, int]
    """How many cases have each status."""


@dataclass(frozen=True, slots=True)
class Run:
    """One implementation, asked the selected cases of a corpus."""

    corpus: Corpus
    selected_layers: tuple[str, ...] | None
    """The layers that were selected; None for all."""
    selected_names: tuple[str, ...] | None
    """The names of cases that were selected; None for all."""
    seed: int
    hello: Hello | None
    """What the driver said of itself; None where it never did."""
    results: tuple[CaseResult, ...]
    trouble: Trouble | None = None
    """What ended the run early, or befell it after the last answer."""
    stale: tuple[str, ...] = ()
    """What is wrong with the expected failures."""

    @property
    def layers(self) -> Iterator[LayerResult]:
        """The figures of each layer that has selected cases."""
        claimed = () if self.hello is None else self.hello.layers
        for layer in self.corpus.layers:
            results = [result for result in self.results if result.case.layer == layer]
            if results:
                yield _layer_result(layer, layer in claimed, results)

    @property
    def at_stake(self) -> tuple[CaseResult, ...]:
        """The results that a claim needs to pass: the required cases of the layers that are claimed and selected."""
        claimed = () if self.hello is None else self.hello.layers
        return tuple(r for r in self.results if r.case.level == "required" and r.case.layer in claimed)

    @property
    def conformant(self) -> bool:
        """Whether the claim can be made."""
        stake = self.at_stake
        passed = bool(stake) and all(result.status == "pass" for result in stake)
        return passed and self.trouble is None and not self.stale and not self._xpasses

    @property
    def as_expected(self) -> bool:
        """Whether nothing is wrong but what was expected to be; without expected failures the same as conformant."""
        fine = all(result.status in ("pass", "xfail") for result in self.at_stake)
        return bool(self.at_stake) and fine and self.trouble is None and not self.stale and not self._xpasses

    @property
    def claim(self) -> str:
        """The one sentence that a reader may quote."""
        stake = self.at_stake
        version = self.corpus.version
        layers = ", ".join(_layers(stake))
        if not self.conformant:
            return f"not conformant: {'; '.join(self._against())}"
        if self.selected_names is not None:
            passed = f"passes {counted(len(stake), 'case')} of corpus {version} that were selected ({layers})"
            return f"{passed}; this is not a conformance claim"
        only = "" if self.selected_layers is None else ", the only layers that were selected"
        return f"conformant at {layers} of corpus {version}{only}"

    @property
    def _xpasses(self) -> bool:
        return any(result.status == "xpass" for result in self.results)

    def _against(self) -> Iterator[str]:
        if self.trouble is not None:
            yield f"{self.trouble.status}: {self.trouble.detail}"
        elif not self.at_stake:
            yield "none of the selected layers is claimed, or none of their cases is required"
        bad = Counter(result.status for result in self.at_stake if result.status not in ("pass", "not-run"))
        layers = _layers(r for r in self.at_stake if r.status not in ("pass", "not-run"))
        if bad:
            counts = ", ".join(f"{number} {status}" for status, number in sorted(bad.items()))
            yield f"{counts} of {counted(len(self.at_stake), 'required case')} in {', '.join(layers)}"
        not_run = sum(result.status == "not-run" for result in self.at_stake)
        if not_run:
            yield f"{counted(not_run, 'required case')} not run"
        yield from self.stale


def _layer_result(layer: str, claimed: bool, results: list[CaseResult]) -> LayerResult:
    required = [result for result in results if result.case.level == "required"]
    named = [result for result in results if has_rule_id(result.case)]
    return LayerResult(
        layer=layer,
        claimed=claimed,
        conformant=claimed and bool(required) and all(result.status == "pass" for result in required),
        accepts=_count(result for result in results if result.case.accepts is True),
        refusals=_count(result for result in results if result.case.accepts is False),
        rule_ids=Count(sum(result.rule_id_agrees for result in named), len(named)),
        others=_count(result for result in results if result.case.accepts is None),
        statuses=dict(sorted(Counter(result.status for result in results).items())),
    )


def _layers(results: Iterable[CaseResult]) -> list[str]:
    there = {result.case.layer for result in results}
    return [layer for layer in LAYERS if layer in there]


def _count(results: Iterable[CaseResult]) -> Count:
    passed = [result.status in ("pass", "xpass") for result in results]
    return Count(sum(passed), len(passed))
