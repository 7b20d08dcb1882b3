"""The Issuer: receipts that are right by construction, one after the other, from threads and processes, in a file."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from command_line import in_a_process
from field import Bench
from nacl.signing import SigningKey as SodiumKey
from reward_receipts.integrations.scoring import Scoring
from reward_receipts.receipts.lifetime import WhenCertificateEnds

EVIDENCE = "sha256:" + "c" * 64
FIRST, END = 100, 150
"""The worked certificate is current from update 100 to 149."""


def bench() -> Bench:
    made = Bench()
    assert (made.certificate.issued_at_policy_update, made.certificate.expires_at_policy_update) == (FIRST, END)
    return made


def episode(number: int = 1, **members: Any) -> rr.Episode:
    given = {
        "episode_id": f"episode.{number:08d}",
        "outcome": "verified",
        "tier": 2,
        "policy_update": 120,
        "policy_checkpoint_id": "checkpoint.0120",
        "evidence_digest": EVIDENCE,
        "reward_components": {"terminal_effect": 1.0},
    }
    return rr.Episode(**{**given, **members})


def unscored(number: int, **members: Any) -> rr.Episode:
    return episode(
        number, outcome="reconciliation_required", uncertainty="effect_uncertain", reward_components={}, **members
    )


def in_file(path: Path) -> list[rr.RewardEvidenceReceiptV1]:
    """The receipts of a file, each read by the boundary."""
    data = path.read_bytes()
    assert not data or data.endswith(b"\n")
    documents = [rr.read_document(line, "receipt") for line in data.splitlines()]
    return [document for document in documents if isinstance(document, rr.RewardEvidenceReceiptV1)]


def test_every_outcome_and_tier_gives_a_receipt_that_holds(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    number = 0
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        for outcome in rr.RewardOutcomeV1:
            for tier in rr.OracleTier:
                number += 1
                made = episode(number, outcome=outcome, tier=tier)
                if outcome in rr.UNSCORED_REWARD_OUTCOMES:
                    made = unscored(number, tier=tier)
                receipt = issuer.issue(made)
                assert desk.audit(receipt, at_update=120).verdict is rr.AuditVerdict.HOLDS
                assert receipt.certified is (tier >= 2)
                expected = rr.score(receipt.reward_outcome, tier, desk.certificate, 120, contract=desk.contract)
                assert receipt.scalar_reward == expected.scalar
                assert receipt.oracle_tier == min(tier, desk.contract.oracle.tier)
    written = in_file(path)
    assert len(written) == number == 28
    assert len({receipt.nonce for receipt in written}) == len({receipt.receipt_id for receipt in written}) == number


def test_a_line_is_the_canonical_text_of_its_receipt(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        receipts = [issuer.issue(episode()), issuer.issue(unscored(2))]
    assert path.read_bytes() == b"".join(rr.canonical_json_bytes(receipt) + b"\n" for receipt in receipts)


def test_audit_takes_the_file_as_it_is(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue_batch([episode(1), unscored(2), episode(3)])
    (tmp_path / "contract.json").write_bytes(rr.canonical_json_bytes(desk.contract))
    (tmp_path / "certificate.json").write_bytes(rr.canonical_json_bytes(desk.certificate))
    desk.key.keyring.write(tmp_path / "keyring.json")
    given = ["--contract", "contract.json", "--certificate", "certificate.json", "--keyring", "keyring.json"]
    done = in_a_process("audit", path.name, *given, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_a_certificate_receipts_are_uncertified() -> None:
    desk = bench()
    receipt = rr.Issuer(desk.contract, None, desk.key).issue(episode())
    assert (receipt.certified, receipt.certificate_state) == (False, "absent")
    assert rr.audit(receipt, desk.contract, keyring=desk.key.keyring).verdict is rr.AuditVerdict.HOLDS


# The counter and the episodes


def test_a_counter_that_jumps_back_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1, policy_update=121))
        before = path.read_bytes()
        with pytest.raises(rr.PolicyUpdateWentBack, match=r"episode.00000002.* update 120; .* for update 121"):
            issuer.issue(episode(2, policy_update=120))
        assert path.read_bytes() == before
        assert issuer.high_water_mark == 121
        issuer.issue(episode(2, policy_update=121))


def test_the_mark_comes_from_the_file_too(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1, policy_update=130))
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        assert issuer.high_water_mark == 130
        with pytest.raises(rr.PolicyUpdateWentBack):
            issuer.issue(episode(2, policy_update=129))


def test_each_contract_has_a_mark_of_its_own(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    other = desk.contract.model_copy(update={"contract_id": "reward.contract.0002"})
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1, policy_update=130))
    with rr.Issuer(other, None, desk.key, path=path) as issuer:
        assert issuer.high_water_mark is None
        issuer.issue(episode(1, policy_update=3))
    assert [receipt.policy_update for receipt in in_file(path)] == [130, 3]


def test_late_updates_may_be_late_by_so_many_and_no_more() -> None:
    desk = bench()
    issuer = rr.Issuer(desk.contract, desk.certificate, desk.key, late_updates=2)
    issuer.issue(episode(1, policy_update=120))
    issuer.issue(episode(2, policy_update=118))
    assert issuer.high_water_mark == 120
    with pytest.raises(rr.PolicyUpdateWentBack, match="by more than 2"):
        issuer.issue(episode(3, policy_update=117))


def test_a_second_receipt_of_an_episode_is_refused(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1))
        with pytest.raises(rr.DuplicateEpisode, match=r"episode.00000001.* has a receipt .*receipts.jsonl"):
            issuer.issue(episode(1))
        with pytest.raises(rr.DuplicateEpisode, match=r"episode.00000003.* twice in the batch"):
            issuer.issue_batch([episode(2), episode(3), episode(3)])
    with (
        rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer,
        pytest.raises(rr.DuplicateEpisode),
    ):
        issuer.issue(episode(1))
    assert len(in_file(path)) == 1


# What is refused


@pytest.mark.parametrize(
    ("members", "error", "sentence"),
    [
        ({"reward_components": {"terminal_effect": float("nan")}}, ValueError, "terminal_effect is nan"),
        ({"reward_components": {"terminal_effect": float("inf")}}, ValueError, "terminal_effect is inf"),
        ({"reward_components": {"terminal_effect": True}}, ValueError, "terminal_effect is a bool"),
        ({"reward_components": {"terminal_effect": 10**400}}, ValueError, "terminal_effect is inf"),
        ({"reward_components": {"other": 1.0}}, ValueError, "other.* is not in the contract"),
        ({"reward_components": {}}, rr.InvalidDocument, "receipt.scored-needs-components"),
        ({"reward_components": [1.0]}, TypeError, "is a list; expected a mapping"),
        ({"outcome": "failed_platform"}, rr.InvalidDocument, "receipt.unscored-no-components"),
        ({"outcome": "won"}, ValueError, "unknown reward outcome"),
        ({"tier": 4}, ValueError, "oracle tier 4"),
        ({"tier": True}, ValueError, "oracle tier True"),
        ({"policy_update": -1}, ValueError, "policy update -1"),
        ({"policy_update": 120.0}, ValueError, "policy update 120.0"),
        ({"uncertainty": "effect_uncertain"}, rr.InvalidDocument, "receipt.verified-certain"),
        ({"uncertainty": "perhaps"}, rr.InvalidDocument, "/uncertainty"),
        ({"evidence_digest": "sha256:1"}, rr.InvalidDocument, "/evidence_digest"),
        ({"policy_checkpoint_id": "short"}, rr.InvalidDocument, "/policy_checkpoint_id"),
        ({"episode_id": "episode 1"}, rr.InvalidDocument, "/episode_id"),
        ({"episode_id": "\ud800episode"}, rr.InvalidDocument, "json.surrogate"),
        ({"episode_id": "\u00e9pisode.1"}, rr.InvalidDocument, "/episode_id"),
        ({"episode_id": 12345678}, TypeError, "12345678 is not text"),
    ],
)
def test_a_bad_episode_is_named_and_keeps_its_whole_batch_out(
    tmp_path: Path, members: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        with pytest.raises(error, match=sentence):
            issuer.issue_batch([episode(1), episode(2, **members)])
        assert path.read_bytes() == b""
        assert issuer.high_water_mark is None
        assert len(issuer.issue_batch([episode(1), episode(2)])) == 2


def test_anything_but_an_episode_is_refused() -> None:
    desk = bench()
    with pytest.raises(TypeError, match="takes an Episode, not a dict"):
        rr.Issuer(desk.contract, desk.certificate, desk.key).issue({"episode_id": "episode.0001"})  # type: ignore[arg-type]


def test_a_certificate_that_can_certify_nothing_is_refused_at_once(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    other = Bench(contract_id="reward.contract.0002")
    with pytest.raises(ValueError, match=rf"names contract {other.contract.digest}"):
        rr.Issuer(desk.contract, desk.certify(reward_contract_digest=other.contract.digest), desk.key, path=path)
    with pytest.raises(ValueError, match=r"\(synthetic\) nothing .* epsilon-exceeds-policy"):
        rr.Issuer(desk.contract, desk.certify(epsilon=0.5), desk.key, path=path)
    with pytest.raises(rr.InvalidDocument, match="certificate-signature-invalid"):
        rr.Issuer(desk.contract, desk.certificate.model_copy(update={"epsilon": 0.001}), desk.key, path=path)
    assert not path.exists()


def test_the_certificate_of_another_key_is_verified_with_the_key_that_is_given() -> None:
    desk = bench()
    key = rr.SigningKey.generate("key.scorer.0001")
    with pytest.warns(rr.CertificateSignatureUnchecked, match="certificate_keyring"):
        rr.Issuer(desk.contract, desk.certificate, key)
    receipt = rr.Issuer(desk.contract, desk.certificate, key, certificate_keyring=desk.key.keyring).issue(episode())
    keys = desk.key.keyring | key.keyring
    assert rr.audit(receipt, desk.contract, desk.certificate, keyring=keys).verdict is rr.AuditVerdict.HOLDS
    with pytest.raises(rr.InvalidDocument, match="certificate-signer-unknown"):
        rr.Issuer(desk.contract, desk.certificate, key, certificate_keyring=key.keyring)


# When the certificate ends


def issue_over(when: WhenCertificateEnds, updates: range) -> tuple[list[rr.RewardEvidenceReceiptV1], list[str]]:
    desk = bench()
    issuer = rr.Issuer(desk.contract, desk.certificate, desk.key, when_certificate_ends=when, warn_within=3)
    receipts = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for update in updates:
            receipts += [issuer.issue(episode(2 * update + n, policy_update=update)) for n in (0, 1)]
    for receipt in receipts:
        assert desk.audit(receipt).verdict is rr.AuditVerdict.HOLDS
    return receipts, [str(each.message) for each in caught if each.category is rr.CertificateEnding]


def test_the_end_of_a_certificate_is_reported_before_it_happens() -> None:
    receipts, told = issue_over("stop", range(END - 5, END))
    assert all(receipt.certified for receipt in receipts)
    assert [text.split(" expires in ")[1].split(":")[0] for text in told] == ["3 updates", "2 updates", "1 update"]
    assert all("(synthetic)" in text for text in told)


def test_a_run_stops_when_its_certificate_ends() -> None:
    with pytest.raises(rr.CertificateEnded, match=rf"expired at update {END}, and the policy is at update {END}"):
        issue_over("stop", range(END - 1, END + 1))
    with pytest.raises(rr.CertificateEnded, match=rf"is current from update {FIRST} on"):
        issue_over("stop", range(FIRST - 1, FIRST))


def test_a_run_continues_uncertified_if_it_is_configured_so() -> None:
    receipts, told = issue_over("uncertified", range(END - 1, END + 2))
    assert [receipt.certified for receipt in receipts] == [True, True, False, False, False, False]
    assert [receipt.certificate_state for receipt in receipts[2:]] == ["expired"] * 4
    assert len([text for text in told if "not certified (synthetic) from here on" in text]) == 1


def test_the_number_of_updates_to_the_end_can_be_asked() -> None:
    desk = bench()
    issuer = rr.Issuer(desk.contract, desk.certificate, desk.key)
    assert [issuer.expires_in(update) for update in (FIRST, END - 1, END, END + 5)] == [50, 1, 0, -5]
    assert rr.Issuer(desk.contract, None, desk.key).expires_in(3) is None


def test_a_certificate_that_says_too_little_is_refused() -> None:
    desk = bench()
    epsilon = desk.certificate.epsilon
    for make in (rr.Issuer, Scoring):
        keys = {"signing_key": desk.key} if make is rr.Issuer else {"keyring": desk.key.keyring}
        with pytest.raises(rr.CertificateVacuous, match=str(epsilon)):
            make(desk.contract, desk.certificate, vacuity_limit=epsilon, **keys)  # type: ignore[operator]


@pytest.mark.parametrize("options", [{"when_certificate_ends": "go on"}, {"warn_within": -1}, {"late_updates": True}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    desk = bench()
    with pytest.raises(ValueError, match="expected"):
        rr.Issuer(desk.contract, desk.certificate, desk.key, **options)


# Keys


def test_a_callable_signs_where_the_key_is_elsewhere(tmp_path: Path) -> None:
    desk, secret = bench(), SodiumKey.generate()
    public = bytes(secret.verify_key)
    key = rr.SigningKey.from_callable("kms.test.0001", public, lambda message: secret.sign(message).signature)
    certificate = rr.issue_certificate(
        contract=desk.contract,
        epsilon=0.01,
        checker_configuration_digest=EVIDENCE,
        issued_at_policy_update=100,
        signing_key=key,
    )
    receipt = rr.Issuer(desk.contract, certificate, key).issue(episode())
    assert rr.audit(receipt, desk.contract, certificate, keyring=key.keyring).verdict is rr.AuditVerdict.HOLDS
    with pytest.raises(rr.KeyFormatError, match="not in this process"):
        key.write(tmp_path / "key.json")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda message: SodiumKey.generate().sign(message).signature, "does not verify"),
        (lambda message: b"\0" * 63, "63 bytes"),
        (lambda message: "signature", "returned a str"),
        (lambda message: None, "returned a NoneType"),
    ],
)
def test_a_callable_that_signs_wrongly_is_found_before_anything_is_written(
    tmp_path: Path, answer: Any, sentence: str
) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    public = bytes(SodiumKey.generate().verify_key)
    key = rr.SigningKey.from_callable("kms.test.0001", public, answer)
    with (
        rr.Issuer(desk.contract, None, key, path=path) as issuer,
        pytest.raises(rr.KeyFormatError, match=sentence),
    ):
        issuer.issue(episode())
    assert path.read_bytes() == b""


def test_a_file_of_another_issuer_is_refused(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode())
    before = path.read_bytes()
    for key_id, sentence in (
        ("key.other.0001", "issued under key .*key.test.bench"),
        (desk.key.key_id, "did not sign it"),
    ):
        with pytest.raises(rr.ReceiptFileError, match=rf"receipts.jsonl:1 .*{sentence}"):
            rr.Issuer(desk.contract, None, rr.SigningKey.generate(key_id), path=path)
    assert path.read_bytes() == before


def test_a_line_that_nobody_signed_does_not_raise_the_mark(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1))
    forged = {**json.loads(path.read_bytes()), "policy_update": 2**53 - 1, "certificate_state": "expired"}
    forged["certified"] = False
    path.write_bytes(path.read_bytes() + json.dumps(forged).encode() + b"\n")
    with pytest.raises(rr.ReceiptFileError, match=r"receipts.jsonl:2 names key .* did not sign it"):
        rr.Issuer(desk.contract, desk.certificate, desk.key, path=path)


# The file


@pytest.mark.parametrize(
    "line", [b"{}\n", b"[]\n", b"not json\n", b'{"episode_id": 1}\n', b"\xff\n", b"[" * 500_000 + b"\n"]
)
def test_a_file_of_something_else_is_refused_with_the_line(tmp_path: Path, line: bytes) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode())
    path.write_bytes(data := path.read_bytes() + b"\n" + line)
    with pytest.raises(rr.ReceiptFileError, match=r"receipts.jsonl:3 is not"):
        rr.Issuer(desk.contract, desk.certificate, desk.key, path=path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("kept", [1, 300, -2, -1])
def test_a_half_written_last_line_is_found_and_not_continued(tmp_path: Path, kept: int) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1))
        whole = path.read_bytes()
        issuer.issue(episode(2))
    last = path.read_bytes().removeprefix(whole)[:kept]
    path.write_bytes(whole + last)
    complete = kept == -1  # only the end of the line is missing: nothing of the receipt is
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
            issuer.issue(episode(3))
            if not complete:
                issuer.issue(episode(2))
    assert [each.category for each in caught] == ([] if complete else [rr.TornLine])
    if not complete:
        assert f"receipts.jsonl:2: the last line was half written ({len(last)} bytes" in str(caught[0].message)
    receipts = in_file(path)
    assert [receipt.episode_id[-1] for receipt in receipts] == (["1", "2", "3"] if complete else ["1", "3", "2"])
    assert all(desk.audit(receipt) for receipt in receipts)


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1))
        before = path.read_bytes()
        written, room = os.write, [500]

        def full(descriptor: int, data: Any) -> int:
            if not room[0]:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            size, room[0] = room[0], 0
            return written(descriptor, bytes(data)[:size])

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
                issuer.issue(episode(2))
        assert path.read_bytes() == before
        issuer.issue(episode(2))
    assert len(in_file(path)) == 2


def test_a_file_that_was_moved_away_is_begun_again(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1, policy_update=121))
        path.rename(tmp_path / "receipts.1.jsonl")
        with pytest.raises(rr.DuplicateEpisode):
            issuer.issue(episode(1, policy_update=121))
        with pytest.raises(rr.PolicyUpdateWentBack):
            issuer.issue(episode(2, policy_update=120))
        issuer.issue(episode(2, policy_update=121))
    assert [receipt.episode_id[-1] for receipt in in_file(path)] == ["2"]


def test_a_file_that_was_cut_and_what_is_not_a_file_are_refused(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(1))
        os.truncate(path, 100)
        with pytest.raises(rr.ReceiptFileError, match="somebody cut it"):
            issuer.issue(episode(2))
    with pytest.raises(rr.ReceiptFileError, match="not a plain file"):
        rr.Issuer(desk.contract, desk.certificate, desk.key, path="/dev/null")
    with pytest.raises(ValueError, match="was closed"):
        issuer.issue(episode(3))
    issuer.close()


# Threads and processes


def test_threads_issue_each_receipt_once(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    refused: Counter[str] = Counter()
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:

        def work() -> None:
            for number in range(100):
                try:
                    issuer.issue(episode(number))
                except rr.DuplicateEpisode:
                    refused["duplicate"] += 1

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    receipts = in_file(path)
    assert sorted(receipt.episode_id for receipt in receipts) == [f"episode.{number:08d}" for number in range(100)]
    assert refused["duplicate"] == 300
    assert all(desk.audit(receipt) for receipt in receipts)


def test_a_receipt_that_is_signed_while_the_issuer_is_closed_is_not_given_out(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    secret = SodiumKey.generate()

    def sign(message: bytes) -> bytes:
        issuer.close()  # as another thread does at this moment
        return secret.sign(message).signature

    key = rr.SigningKey.from_callable("kms.test.0001", bytes(secret.verify_key), sign)
    issuer = rr.Issuer(desk.contract, None, key, path=path)
    with pytest.raises(ValueError, match="was closed"):
        issuer.issue(episode(1))
    assert path.read_bytes() == b""


WORKER = """
import sys, reward_receipts as rr
folder, worker, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
contract = rr.read_document(open(f"{folder}/contract.json", "rb").read())
certificate = rr.read_document(open(f"{folder}/certificate.json", "rb").read())
key = rr.SigningKey.from_file(f"{folder}/key.json")
refused = 0
with rr.Issuer(contract, certificate, key, path=f"{folder}/receipts.jsonl") as issuer:
    print("ready", flush=True)
    sys.stdin.readline()
    number = 0
    while count < 0 or number < count:
        try:
            issuer.issue(rr.Episode(episode_id=f"episode.{worker if number % 2 else 9}.{number:08d}",
                outcome="verified", tier=2, policy_update=120, policy_checkpoint_id="checkpoint.0120",
                evidence_digest="sha256:" + "c" * 64, reward_components={"terminal_effect": 1.0}))
        except rr.DuplicateEpisode:
            refused += 1
        number += 1
        if count < 0:
            print(number, flush=True)
print(refused)
"""


def start_worker(folder: Path, worker: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, str(folder), str(worker), str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def prepared(folder: Path) -> Bench:
    desk = bench()
    (folder / "contract.json").write_bytes(rr.canonical_json_bytes(desk.contract))
    (folder / "certificate.json").write_bytes(rr.canonical_json_bytes(desk.certificate))
    desk.key.write(folder / "key.json")
    return desk


@pytest.mark.slow
def test_processes_issue_each_receipt_once(tmp_path: Path) -> None:
    """Half of the episodes of each process are of all of them: one gets the receipt, the others are refused."""
    desk, count = prepared(tmp_path), 200
    workers = [start_worker(tmp_path, worker, count) for worker in range(3)]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    said = [worker.communicate("go\n")[0] for worker in workers]
    assert sum(map(int, said)) == 2 * count // 2
    receipts = in_file(tmp_path / "receipts.jsonl")
    assert len(receipts) == len({receipt.episode_id for receipt in receipts}) == 2 * count
    assert all(desk.audit(receipt) for receipt in receipts)


@pytest.mark.slow
def test_anything_that_a_killed_process_acknowledged_is_in_the_file(tmp_path: Path) -> None:
    desk = prepared(tmp_path)
    worker = start_worker(tmp_path, 1, -1)
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    worker.stdin.write("go\n")
    worker.stdin.flush()
    for _ in range(50):
        acknowledged = int(worker.stdout.readline())
    worker.send_signal(signal.SIGKILL)
    rest, _ = worker.communicate()
    acknowledged = max([acknowledged, *map(int, rest.split("\n")[:-1])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rr.TornLine)
        with rr.Issuer(desk.contract, desk.certificate, desk.key, path=tmp_path / "receipts.jsonl") as issuer:
            issuer.issue(episode(1))
    receipts = in_file(tmp_path / "receipts.jsonl")
    assert len(receipts) >= acknowledged + 1
    assert all(desk.audit(receipt) for receipt in receipts)


def _forked(issuer: rr.Issuer, first: int) -> None:
    for number in range(first, first + 50):
        issuer.issue(episode(number))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_an_issuer_can_be_used_on_both_sides_of_a_fork(tmp_path: Path) -> None:
    desk, path = bench(), tmp_path / "receipts.jsonl"
    with rr.Issuer(desk.contract, desk.certificate, desk.key, path=path) as issuer:
        issuer.issue(episode(0))
        context = multiprocessing.get_context("fork")
        children = [context.Process(target=_forked, args=(issuer, first)) for first in (100, 200)]
        for child in children:
            child.start()
        _forked(issuer, 300)
        for child in children:
            child.join()
            assert child.exitcode == 0
        with pytest.raises(rr.DuplicateEpisode):
            issuer.issue(episode(100))
    receipts = in_file(path)
    assert len(receipts) == len({receipt.nonce for receipt in receipts}) == 151
    assert all(desk.audit(receipt) for receipt in receipts)


def test_receipts_without_a_file_are_the_same() -> None:
    desk = bench()
    issuer = rr.Issuer(desk.contract, desk.certificate, desk.key)
    receipts = issuer.issue_batch([episode(1), unscored(2)])
    assert [receipt.scalar_reward for receipt in receipts] == [1.0, None]
    assert all(desk.audit(receipt) for receipt in receipts)
    assert json.loads(rr.canonical_json_bytes(receipts[1]))["reward_components"] == {}
    assert issuer.issue_batch([]) == []
