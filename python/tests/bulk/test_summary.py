"""Summary: counts over verdicts, in constant memory, that merge."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isclose, sqrt
from typing import Any

import pytest
from field import Bench
from hypothesis import given
from hypothesis import strategies as st
from reward_receipts.bulk import Auditor, Documents, Summary, Unread, Verdict, summary_text
from reward_receipts.bulk.summary import MAX_CONTRACTS, MAX_RANGES, MAX_UNREAD, OTHERS, Scalars
from reward_receipts.core.findings import Finding

BENCH = Bench()
OTHER = Bench(task_id="task.of.another.contract")
OTHER.key = BENCH.key
HELD = Documents({BENCH.contract.digest: BENCH.contract}, {BENCH.certificate.digest: BENCH.certificate})
AUDITOR = Auditor(HELD.contracts.values(), HELD.certificates.values(), BENCH.key.keyring)


def receipt(number: int, **members: Any) -> Any:
    own = {"receipt_id": f"receipt.{number:06}", "nonce": f"nonce.{number:06}", "episode_id": f"episode.{number:06}"}
    return BENCH.receipt(**own, **members)


def lines() -> Iterator[bytes]:
    """What holds, fails, is undecided, is invalid; scored and unscored; certified (synthetic) and not."""
    expired = {"certificate_state": "expired", "certified": False}
    for number in range(40):
        members: dict[str, Any] = {"policy_update": 100 + number}
        if number % 4 == 1:
            members |= {"reward_outcome": "wrong_effect", "scalar_reward": -1.0}
        if number % 4 == 2:
            members |= {"reward_outcome": "failed_platform", "scalar_reward": None, "reward_components": {}}
        if number % 10 == 3:
            members |= {"policy_update": 1000 * number, **expired}
        if number % 10 == 9:
            members |= {"reward_outcome": "verified", "scalar_reward": 3.0}
        yield receipt(number, **members).model_dump_json().encode()
    yield b'{"schema_version": "openadapt.reward-evidence-receipt/v1"}'
    yield b"{"
    yield OTHER.receipt(receipt_id="receipt.of.other", nonce="nonce.of.other").model_dump_json().encode()


def summary_of(verdicts: Iterable[Verdict | Unread], documents: Documents | None = HELD) -> Summary:
    summary = Summary(documents)
    for verdict in verdicts:
        summary.add(verdict)
    return summary


def test_counts_by_verdict_and_scalars_of_the_scored_only() -> None:
    summary = summary_of(AUDITOR.lines(lines(), "receipts.jsonl"))
    assert summary.receipts == 43
    assert summary.verdicts == {"holds": 36, "fails": 4, "undecided": 1, "invalid": 2}
    holds = summary.groups["holds"]
    assert holds.outcomes == {"verified": 18, "wrong_effect": 8, "failed_platform": 10}
    assert (holds.receipts, holds.scalars.count, holds.unscored) == (36, 26, 10)
    assert holds.scalars.mean == (18 - 8) / 26
    assert (holds.scalars.least, holds.scalars.greatest) == (-1.0, 1.0)
    assert (holds.scalars.positive, holds.scalars.negative) == (18, 8)
    assert summary.groups["fails"].scalars.mean == 3.0
    assert holds.certified == 32
    assert summary.refusals["certificate-expired"].receipts == 4
    assert summary.refusals["certificate-expired"].example.receipt_id == "receipt.000003"
    assert summary.refusals_unknown == 0  # the receipt of the contract that is not held says certified (synthetic)
    assert summary.certificates == {BENCH.certificate.digest: 40}
    assert summary.checked["signature-invalid"] == 41


def test_codes_have_an_example_with_its_place() -> None:
    summary = summary_of(AUDITOR.lines(lines(), "receipts.jsonl"))
    differs = summary.findings["scalar-differs-from-contract"]
    assert (differs.receipts, differs.times) == (4, 4)
    assert differs.example.receipt_id == "receipt.000009"
    assert differs.example.place.startswith("receipts.jsonl:10:")
    assert differs.example.pointer == "/scalar_reward"
    required = summary.findings["schema.required"]
    assert required.receipts == 1
    assert required.times > 1
    assert required.example.receipt_id is None
    assert [*summary.unchecked] == ["documents-not-held"]


def test_unscored_receipts_alone_have_no_mean() -> None:
    members = {"reward_outcome": "failed_platform", "scalar_reward": None, "reward_components": {}}
    summary = summary_of([AUDITOR.receipt(receipt(1, **members))])
    group = summary.to_json()["by_verdict"]["holds"]
    assert (group["scored"], group["unscored"]) == (0, 1)
    assert group["scalars"]["mean"] is None
    assert group["scalars"]["least"] is None
    assert re.search(r"^ *mean scalar +-$", summary_text(summary), re.MULTILINE)


@given(st.integers(1, 6), st.integers())
def test_merged_parts_are_the_whole(count: int, seed: int) -> None:
    verdicts = VERDICTS
    whole = summary_of(verdicts)
    parts: list[list[Any]] = [[] for _ in range(count)]
    draw = random.Random(seed)
    for verdict in verdicts:
        draw.choice(parts).append(verdict)
    summaries = [pickle.loads(pickle.dumps(summary_of(part))) for part in parts]
    draw.shuffle(summaries)
    merged = Summary()
    for summary in summaries:
        merged.merge(summary)
    assert merged.to_json() == whole.to_json()
    assert summary_text(merged) == summary_text(whole)


VERDICTS = [*AUDITOR.lines(lines(), "receipts.jsonl")]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.randoms())
def test_sums_are_exact_in_any_order(values: list[float], draw: random.Random) -> None:
    scalars, parts = Scalars(), [Scalars(), Scalars()]
    for value in values:
        scalars.add(value)
    for value in draw.sample(values, len(values)):
        draw.choice(parts).add(value)
    parts[0].merge(parts[1])
    mean = sum(map(Fraction, values)) / len(values)
    variance = sum((Fraction(value) - mean) ** 2 for value in values) / len(values)
    assert scalars.mean == float(mean)
    assert scalars.deviation == sqrt(variance)
    assert parts[0].as_json() == scalars.as_json()


def test_times_count_as_so_many_scalars() -> None:
    one, many = Scalars(), Scalars()
    one.add(0.1, 1000)
    for _ in range(1000):
        many.add(0.1)
    assert one.as_json() == many.as_json()
    assert one.mean is not None
    assert isclose(one.mean, 0.1, rel_tol=1e-15)
    assert one.deviation == 0.0


def undecided(number: int, **members: Any) -> Verdict:
    changed = BENCH.receipt().model_copy(update={"receipt_id": f"receipt.{number:06}", **members})
    return Verdict("undecided", "receipts.jsonl", number, changed)


def test_ranges_of_policy_updates_are_limited() -> None:
    state = {"certificate_state": "expired", "certified": False}
    verdicts = [undecided(number, policy_update=(number * 2**53) // 1000, **state) for number in range(1000)]
    forwards, backwards = summary_of(verdicts), summary_of(reversed(verdicts))
    assert 1 < len(forwards.ranges) <= MAX_RANGES
    assert forwards.ranges == forwards.ranges
    assert forwards.to_json()["policy_updates"] == backwards.to_json()["policy_updates"]
    assert sum(each.groups["undecided"].receipts for each in forwards.ranges) == 1000
    for before, after in zip(forwards.ranges, forwards.ranges[1:], strict=False):
        assert before.last < after.first
    assert forwards.ranges[-1].last < 2**53


def test_a_single_outlier_leaves_the_other_ranges_narrow() -> None:
    state = {"certificate_state": "expired", "certified": False}
    updates = [*range(100, 200), 2**53 - 1]
    summary = summary_of(undecided(update, policy_update=update, **state) for update in updates)
    assert [each.first for each in summary.ranges] == updates


def test_contracts_that_are_not_held_are_limited() -> None:
    digests = [f"sha256:{number:064x}" for number in range(1, 2 * MAX_CONTRACTS + 500)]
    verdicts = [undecided(number, reward_contract_digest=digest) for number, digest in enumerate(digests)]
    verdicts.append(undecided(99999))
    orders = [verdicts, verdicts[::-1], random.Random(5).sample(verdicts, len(verdicts))]
    kept, *others = [summary_of(order).contracts for order in orders]
    assert len(kept) == MAX_CONTRACTS + 2
    assert next(iter(kept)) == BENCH.contract.digest
    assert [*kept][-1] == OTHERS
    assert kept[OTHERS]["undecided"].receipts == len(digests) - MAX_CONTRACTS
    for other in others:
        assert {key: groups["undecided"].receipts for key, groups in other.items()} == {
            key: groups["undecided"].receipts for key, groups in kept.items()
        }


def test_files_that_cannot_be_read_are_counted_and_some_named() -> None:
    summary = summary_of(Unread(f"{number}.json", f"cannot read {number}.json") for number in range(MAX_UNREAD + 20))
    count, named = summary.unread
    assert (count, len(named)) == (MAX_UNREAD + 20, MAX_UNREAD)
    assert "120 files could not be read" in summary_text(summary)
    assert "and 115 more files" in summary_text(summary)
    assert summary.receipts == 0


def test_inputs_that_were_not_given() -> None:
    summary = summary_of(Auditor([], []).lines(lines()), None)
    assert summary.verdicts["undecided"] == 41
    receipts, checks = summary.not_given["contract"]
    assert receipts == 41
    assert "scalar-differs-from-contract" in checks
    assert summary.refusals == {}
    assert "No contract was given (--contract), which 41 receipts needed" in summary_text(summary)


def test_the_text_says_synthetic_and_is_printable() -> None:
    verdict = Verdict("invalid", "a\x1b[31m.jsonl", 3, None, (Finding("json.syntax", "bad \x1b[0m", (), 3, 1),))
    text = summary_text(summary_of([*VERDICTS, verdict]))
    assert "\x1b" not in text
    for line in text.splitlines():
        assert "certified" not in line or "synthetic" in line, line
    assert "By policy update" in text
    assert BENCH.contract.contract_id in text


def test_no_example_contains_what_could_be_a_key() -> None:
    key = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
    secret = BENCH.receipt().model_copy(update={"receipt_id": key.rstrip("=")})
    findings = (Finding("duplicate", "said", ("receipt_id",), 1, 1),)
    summary = summary_of([Verdict("fails", f"{key}.jsonl", 1, secret, findings), Unread(key, f"cannot read {key}")])
    for text in (json.dumps(summary.to_json()), summary_text(summary)):
        assert key.rstrip("=") not in text


def test_a_long_sentence_is_cut() -> None:
    summary = summary_of([Verdict("invalid", "", None, None, (Finding("json.syntax", "x" * 10_000),))])
    assert len(summary.findings["json.syntax"].example.sentence) == 500


def test_memory_does_not_grow_with_receipts() -> None:
    sizes = []
    for count in (5_000, 50_000):
        summary = Summary(HELD)
        verdict = Verdict("holds", "receipts.jsonl", 1, BENCH.receipt(), checked=("signature-invalid",))
        for _ in range(count):
            summary.add(verdict)
        sizes.append(len(pickle.dumps(summary)))
    assert sizes[1] <= sizes[0] + 64


@pytest.mark.parametrize("verdict", ["holds", "invalid"])
def test_a_verdict_without_a_receipt_is_counted(verdict: Any) -> None:
    summary = summary_of([Verdict(verdict, "", None, None, checked=("json.syntax",))])
    assert summary.verdicts[verdict] == 1
    assert summary.groups == {}
    assert summary.checked == {"json.syntax": 1}
