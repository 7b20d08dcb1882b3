"""The driver of openadapt-types, which is run as a black box: it fails what the specification says and nothing else."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest
from checkout import ROOT
from reward_receipts.conformance import expected, runner
from reward_receipts.conformance.corpus import load
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.conformance.results import CaseResult, Run
from reward_receipts.conformance.runner import Settings

DRIVERS = ROOT / "conformance" / "drivers"
CORPUS = ROOT / "conformance"

Figure = Callable[[str], None]


@pytest.fixture(scope="module")
def peer() -> Run:
    corpus = load(str(CORPUS))
    done = runner.run(corpus, [sys.executable, str(DRIVERS / "openadapt_types_driver.py")], Settings(seed=7))
    entries = expected.read(str(DRIVERS / "openadapt_types.xfail"), corpus)
    return expected.apply(done, entries, date.today())


def test_openadapt_types_fails_what_the_specification_says_and_nothing_else(peer: Run, figure: Figure) -> None:
    assert peer.hello is not None
    assert (peer.hello.name, peer.hello.version) == ("openadapt-types", "0.24.0")
    assert peer.trouble is None
    assert peer.stale == ()
    odd = [result for result in peer.results if result.status not in ("pass", "xfail", "skip", "unsupported")]
    assert [(result.case.id, result.status, result.detail) for result in odd] == []

    for layer in peer.layers:
        if layer.claimed:
            columns = {"accepts": layer.accepts, "refusals": layer.refusals, "answers": layer.others}
            figures = ", ".join(f"{name} {count}" for name, count in columns.items() if count.of)
            figure(f"{layer.layer:<12} {figures}; {layer.statuses}")
    figure(peer.claim)
    reasons = Counter(reason_of(result) for result in peer.results if result.status == "xfail")
    for reason, times in reasons.most_common():
        figure(f"{times:6} {reason}")


def test_openadapt_types_answers_all_that_it_can_be_asked(peer: Run) -> None:
    """It skips what has no counterpart there, and claims no layer of which it can answer nothing."""
    assert peer.hello is not None
    assert set(LAYERS) - set(peer.hello.layers) == {"json", "signature", "audit", "compose"}
    claimed = [result for result in peer.results if result.case.layer in peer.hello.layers]
    assert {r.case.operation for r in claimed if r.status == "unsupported"} == {"canonical"}
    skipped = [r for r in claimed if r.status == "skip"]
    assert skipped
    assert all(r.case.kind is None and r.case.operation == "validate" for r in skipped)
    assert all(r.case.kind is not None for r in claimed if r.case.operation == "validate" and r not in skipped)
    for layer in peer.layers:
        if layer.claimed:
            assert layer.statuses["pass"] > layer.statuses["xfail"]


def test_each_expected_failure_names_a_section_in_one_sentence() -> None:
    for entry in expected.read(str(DRIVERS / "openadapt_types.xfail"), load(str(CORPUS))):
        assert re.fullmatch(r"Section [2-8]: [^.]+(?:\(\)[^.]+)?\.", entry.reason), entry.reason
        assert len(entry.cases) == 1
        assert entry.expires == date(2027, 11, 30)


def reason_of(result: CaseResult) -> str:
    return result.detail.partition(".")[0]
