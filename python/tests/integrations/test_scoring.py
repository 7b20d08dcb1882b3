"""What the modules of trainers share: rewards of a batch, and what was dropped and why."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from reward_receipts.integrations import trainers
from reward_receipts.integrations.scoring import Drop, Reading, Scoring
from training import Desk, changed, episode, reading

OUTCOMES = [outcome.value for outcome in rr.RewardOutcomeV1]


@pytest.mark.parametrize("tier", [0, 1, 2, 3])
def test_a_reading_is_scored_as_the_contract_says(tier: int) -> None:
    desk = Desk()
    batch = desk.scoring().score([reading(outcome, tier) for outcome in OUTCOMES], 7)
    for outcome, row in zip(OUTCOMES, batch.rows, strict=True):
        expected = rr.score(outcome, tier, desk.certificate, 7, contract=desk.contract)
        assert row.scalar == expected.scalar
        assert row.refusals == expected.certification_refusals
        if outcome in ("reconciliation_required", "failed_platform"):
            assert (row.scalar, dict(row.components), row.certified) == (None, {}, False)
            assert row.drop is not None
            assert row.drop.code == "unscored"
        else:
            assert row.certified is (tier >= 2)
            assert row.drop is None
    for column in (None, *desk.contract.component_names):
        assert [
            batch.column(column)[OUTCOMES.index(each)] for each in ("reconciliation_required", "failed_platform")
        ] == [
            None,
            None,
        ]


def test_a_receipt_gives_what_its_reading_gave(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    readings = [reading(outcome, number=number) for number, outcome in enumerate(OUTCOMES)]
    with desk.issuer(path) as issuer:
        live = desk.scoring(issuer=issuer).score(readings, 7)
    replayed = desk.scoring(receipts=path).score([str(each.episode_id) for each in readings], 7)
    assert [row[:4] for row in replayed.rows] == [row[:4] for row in live.rows]
    assert [row.drop and row.drop.code for row in replayed.rows] == [row.drop and row.drop.code for row in live.rows]
    receipts = [rr.read_document(line) for line in path.read_bytes().splitlines()]
    assert [getattr(each, "policy_checkpoint_id", None) for each in receipts] == ["checkpoint.00000007"] * len(OUTCOMES)


def test_expiry_is_evaluated_at_the_trainers_own_update(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        issuer.issue(episode(1))
    scoring = desk.scoring(receipts=path, when_certificate_ends="uncertified", warn_within=0)
    assert scoring.score(["episode.00000001"], 49).rows[0].certified
    with pytest.warns(rr.CertificateEnding, match=r"expired at update 50; .* \(synthetic\)"):
        (row,) = scoring.score(["episode.00000001"], 50).rows
    assert (row.scalar, row.certified) == (1.0, False)
    assert [each.code for each in row.refusals] == ["certificate-expired"]
    with pytest.raises(rr.CertificateEnded):
        desk.scoring(receipts=path).score(["episode.00000001"], 50)


def test_certified_only_drops_what_is_not_certified() -> None:
    desk = Desk()
    batch = desk.scoring(certified_only=True).score([reading(tier=2), reading(tier=1), reading("failed_platform")], 3)
    assert batch.column(None) == [1.0, None, None]
    assert batch.column("halt_on_uncertainty") == [0.1, None, None]
    assert [drop.code for drop in batch.drops] == ["uncertified", "unscored"]
    assert "(synthetic)" in batch.drops[0].sentence
    assert "tier-development-only" in batch.drops[0].sentence
    assert batch.shares() == {
        "certified_synthetic": pytest.approx(1 / 3),
        "unscored": pytest.approx(1 / 3),
        "dropped/uncertified": pytest.approx(1 / 3),
        "refusals/tier-development-only": pytest.approx(1 / 3),
    }
    with pytest.raises(ValueError, match="certified_only without a certificate"):
        Scoring(desk.contract, None, certified_only=True)


# Receipts that are not trained on


def one_drop(scoring: Scoring, episode_id: str, update: int = 0) -> Drop:
    (row,) = scoring.score([episode_id], update).rows
    assert (row.scalar, dict(row.components), row.certified) == (None, {}, False)
    assert row.drop is not None
    return row.drop


def test_anything_that_is_wrong_with_a_receipt_is_reported(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        for number in range(1, 6):
            issuer.issue(episode(number, policy_update=number - 1))
    first, second, third, fourth, fifth = path.read_bytes().splitlines(keepends=True)
    strange = rr.Issuer(desk.contract, None, rr.SigningKey.generate("key.other.0001")).issue(episode(6))
    path.write_bytes(
        first
        + changed(second, scalar_reward=0.5)
        + changed(third, scalar_reward=-1.0)
        + rr.canonical_json_bytes(strange)
        + b"\nnot json\n"
        + fourth
        + changed(fourth, scalar_reward=0.5)
        + fifth
        + fifth
    )
    scoring = desk.scoring(receipts=path)
    assert scoring.score(["episode.00000001"], 10).column(None) == [1.0]
    drop = one_drop(scoring, "episode.00000002", 10)
    assert drop.code == "receipt-fails"
    assert "receipts.jsonl:2: scalar-differs-from-contract: " in drop.sentence
    assert "signature-invalid: " in drop.sentence
    drop = one_drop(scoring, "episode.00000003", 10)
    assert (drop.code, "receipts.jsonl:3: receipt.verified-positive: " in drop.sentence) == ("receipt-invalid", True)
    drop = one_drop(scoring, "episode.00000006", 10)
    assert (drop.code, "receipts.jsonl:4: signer-unknown: " in drop.sentence) == ("receipt-undecided", True)
    drop = one_drop(scoring, "episode.00000009", 10)
    assert (drop.code, drop.episode_id) == ("no-receipt", "episode.00000009")
    assert 'receipts.jsonl has no receipt of episode "episode.00000009"' in drop.sentence
    # A forged receipt blocks nothing, and the same receipt again is the same receipt.
    assert scoring.score(["episode.00000004", "episode.00000005"], 10).column(None) == [1.0, 1.0]
    drop = one_drop(desk.scoring(receipts=path), "episode.00000005", 3)
    assert drop.code == "policy-update-ahead"
    assert "of policy update 4; the trainer is at 3" in drop.sentence


def test_two_receipts_of_an_episode_that_differ_are_not_trained_on(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    lines = [rr.canonical_json_bytes(desk.issuer().issue(episode(1))) + b"\n" for _ in range(2)]
    path.write_bytes(b"".join(lines))
    drop = one_drop(desk.scoring(receipts=path), "episode.00000001")
    assert (drop.code, "lines 1 and 2" in drop.sentence) == ("duplicate-receipt", True)


def test_receipts_that_are_added_later_are_found(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    path.touch()
    scoring = desk.scoring(receipts=path)
    assert one_drop(scoring, "episode.00000001").code == "no-receipt"
    line = rr.canonical_json_bytes(desk.issuer().issue(episode(1)))
    path.write_bytes(line[:200])
    assert one_drop(scoring, "episode.00000001").code == "no-receipt"
    path.write_bytes(line + b"\n")
    assert scoring.score(["episode.00000001"], 0).column(None) == [1.0]
    # Another file under the same name, larger than the first: a log that was rotated.
    other = [rr.canonical_json_bytes(desk.issuer().issue(episode(number))) + b"\n" for number in (2, 3, 4)]
    (tmp_path / "other").write_bytes(b"".join(other))
    (tmp_path / "other").replace(path)
    assert one_drop(scoring, "episode.00000001").code == "no-receipt"
    assert scoring.score(["episode.00000004"], 0).column(None) == [1.0]


# What is refused


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (Reading("verified", 2, {"terminal_effect": float("nan")}), "sample 1: component terminal_effect is nan"),
        (Reading("verified", 2, {"terminal_effect": float("-inf")}), "sample 1: component terminal_effect is -inf"),
        (Reading("verified", 2, {"terminal_effect": "1"}), "sample 1: component terminal_effect is a str"),  # type: ignore[dict-item]
        (Reading("verified", 2, {"speed": 1.0}), "sample 1: component .*speed.* is not in the contract"),
        (Reading("verified", 2), "sample 1: receipt.scored-needs-components"),
        (Reading("failed_platform", 2, {"terminal_effect": 0.0}), "sample 1: receipt.unscored-no-components"),
        (Reading("won", 2), "unknown reward outcome"),
        (Reading("verified", 7), "oracle tier 7"),
        (reading(number=1), "samples 0 and 1 of the batch are both episode .*episode.00000001"),
        (Reading("verified", 2, {"terminal_effect": 1.0}, "episode.00000002"), "evidence_digest"),
        ("episode.00000007", "no file of receipts"),
    ],
)
def test_a_bad_sample_is_named_and_nothing_is_issued(tmp_path: Path, bad: Any, sentence: str) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        scoring = desk.scoring(issuer=issuer)
        with pytest.raises(ValueError, match=sentence):
            scoring.score([reading(number=1), bad], 0)
        assert path.read_bytes() == b""
        with pytest.raises(ValueError, match="policy update -1"):
            scoring.score([reading(number=1)], -1)
        scoring.score([reading(number=1)], 5)
        with pytest.raises(rr.PolicyUpdateWentBack, match="at policy update 4 and was at 5"):
            scoring.score([reading(number=2)], 4)
        with pytest.raises(rr.PolicyUpdateWentBack, match="was issued for update 5"):
            desk.scoring(issuer=issuer).score([reading(number=2)], 4)
        assert len(path.read_bytes().splitlines()) == 1


def test_numbers_of_other_types_become_floats() -> None:
    (row,) = (
        Desk().scoring().score([Reading("verified", 2, {"terminal_effect": 1, "halt_on_uncertainty": 0.5})], 0).rows
    )
    assert dict(row.components) == {"terminal_effect": 1.0, "halt_on_uncertainty": 0.5}
    assert {type(value) for value in row.components.values()} == {float}


def test_anything_that_is_not_a_sample_is_refused() -> None:
    desk = Desk()
    with pytest.raises(TypeError, match="sample 0: components is a list; expected a mapping"):
        desk.scoring().score([Reading("verified", 2, [1.0])], 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sample 0 is a float; expected a Reading"):
        desk.scoring().score([0.5], 0)  # type: ignore[list-item]


def test_keys_and_documents_are_checked_at_once(tmp_path: Path) -> None:
    desk, other = Desk(), Desk(epsilon=0.001)
    with pytest.raises(ValueError, match="give the keyring of their issuer"):
        Scoring(desk.contract, None, receipts=tmp_path / "receipts.jsonl")
    with pytest.raises(rr.InvalidDocument, match="certificate-signature-invalid"):
        Scoring(desk.contract, other.certificate, keyring=desk.key.keyring)
    with pytest.warns(rr.CertificateSignatureUnchecked, match="was not checked"):
        Scoring(desk.contract, desk.certificate)
    with pytest.raises(ValueError, match="another contract or certificate"):
        Scoring(desk.contract, desk.certificate, issuer=other.issuer())
    with pytest.raises(FileNotFoundError):
        desk.scoring(receipts=tmp_path / "receipts.jsonl")


def test_anything_that_was_dropped_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    with caplog.at_level(logging.WARNING, logger="reward_receipts.integrations"):
        desk.scoring().score([reading(), reading("failed_platform", number=3), reading("reconciliation_required")], 4)
        desk.scoring().score([reading()], 4)
    assert [record.getMessage() for record in caplog.records] == [
        'update 4: 2 of 3 samples dropped (2 unscored). sample 1 ("episode.00000003"): the outcome is failed_platform, '
        "which is unscored and never 0.0; sample 2: the outcome is reconciliation_required, which is unscored and "
        "never 0.0"
    ]
    told: list[Drop] = []
    desk.scoring(on_drop=told.append).score([reading(), reading("failed_platform")], 4)
    assert [(drop.sample, drop.code) for drop in told] == [(1, "unscored")]


# Versions of trainers


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ("1.5.1", r"trl 1.5.1 is installed, and its API is not known here: install trl >= 1.6, < 2"),
        ("2.0.0", r"trl 2.0.0 is installed.*trl >= 1.6, < 2"),
        ("dev", r"trl dev is installed"),
    ],
)
def test_a_version_that_is_not_known_is_refused(found: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainers, "version", lambda name: found)
    with pytest.raises(trainers.TrainerNotSupported, match=sentence):
        trainers.require(trainers.TRL)


def test_versions_that_are_known_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in ("1.6", "1.6.0rc1", "1.16.0", "1.99.9+local"):
        monkeypatch.setattr(trainers, "version", lambda name, found=found: found)
        trainers.require(trainers.TRL)


def test_a_trainer_that_is_not_installed_is_named() -> None:
    nobody = trainers.Supported("no-such-trainer", "1.0", "2", "")
    with pytest.raises(trainers.TrainerNotSupported, match=r"no-such-trainer is not installed; install .*>= 1.0, < 2"):
        trainers.require(nobody)


def test_no_module_imports_its_trainer_before_it_is_used() -> None:
    """In a Python without the trainers, which is the one that runs this test."""
    import importlib
    import sys

    for name in ("trl", "verifiers", "openenv", "scoring"):
        importlib.import_module(f"reward_receipts.integrations.{name}")
    assert not {"trl", "verifiers", "openenv", "torch"} & sys.modules.keys()
