"""What a ledger admits and refuses, and what ``check`` finds, whatever database it is in."""

from __future__ import annotations

import hashlib
import itertools
import subprocess
import sys
import time
from typing import Any

import pytest
import reward_receipts as rr
from field import VECTORS, WORKED, Bench
from ledger_places import AUDITOR, BENCH, Place, opened, receipt
from reward_receipts.bulk import Auditor
from reward_receipts.core.codes import catalogue
from reward_receipts.ledger import Head, LedgerError, NotAdmitted, SignedHead
from reward_receipts.ledger.chain import START, link_after
from reward_receipts.receipts.receipt_file import Forks


def test_a_receipt_is_recorded_once(place: Place) -> None:
    with opened(place) as ledger:
        answers = [ledger.admit(receipt(1)), ledger.admit(receipt(1).model_dump_json(indent=1))]
        assert [(a.status, a.row, bool(a)) for a in answers] == [("admitted", 1, True), ("already-admitted", 1, True)]
    with opened(place) as ledger:
        assert ledger.admit(receipt(1)).status == "already-admitted"
        assert ledger.head().row == 1


@pytest.mark.parametrize("member", ["receipt_id", "nonce", "episode_id"])
def test_a_conflict_names_both_receipts(place: Place, member: str) -> None:
    with opened(place) as ledger:
        first = receipt(1)
        second = receipt(2, **{member: getattr(first, member)})
        assert ledger.admit(first)
        answer = ledger.admit(second)
        assert (answer.status, answer.row, answer.codes) == ("conflict", None, ("admission.conflict",))
        (finding,) = answer.findings
        assert finding.path == (member,)
        for each in (first, second):
            assert each.receipt_id in finding.sentence
            assert each.digest in finding.sentence
        (conflict,) = answer.conflicts
        assert (conflict.row, conflict.receipt_id, conflict.digest, conflict.members) == (
            1,
            first.receipt_id,
            first.digest,
            (member,),
        )
        assert ledger.head().row == 1


def test_a_receipt_can_conflict_with_several(place: Place) -> None:
    with opened(place) as ledger:
        ledger.admit_many([receipt(1), receipt(2)])
        answer = ledger.admit(receipt(1, episode_id="episode.00000002"))
        assert [(each.row, each.members) for each in answer.conflicts] == [
            (1, ("receipt_id", "nonce")),
            (2, ("episode_id",)),
        ]


def test_the_same_nonce_of_another_key_and_the_same_episode_of_another_contract_are_not_a_conflict(
    place: Place,
) -> None:
    other = Bench(contract_id="contract.other.0001")
    auditor = Auditor(
        [BENCH.contract, other.contract],
        [BENCH.certificate, other.certificate],
        BENCH.key.keyring | rr.Keyring({"key.test.other": bytes(32)}),
    )
    other.key = BENCH.key
    other.certificate = other.certify()
    auditor = Auditor([BENCH.contract, other.contract], [BENCH.certificate, other.certificate], BENCH.key.keyring)
    with opened(place, auditor) as ledger:
        assert ledger.admit(receipt(1))
        same_episode = other.receipt(
            receipt_id="receipt.00000002", nonce="nonce.00000002", episode_id="episode.00000001"
        )
        assert ledger.admit(same_episode).status == "admitted"


def test_a_forged_receipt_blocks_nothing(place: Place) -> None:
    forged = receipt(1).model_copy(update={"signature": receipt(2).signature})
    with opened(place) as ledger:
        answer = ledger.admit(forged)
        assert (answer.status, answer.codes) == ("refused", ("signature-invalid",))
        assert ledger.admit(receipt(1)).status == "admitted"
        assert ledger.admit(forged).status == "refused"  # it has the id of an admitted receipt, and other bytes


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"\xff", b'{"a":1}'])
def test_anything_that_is_not_a_receipt_is_refused(place: Place, text: bytes) -> None:
    with opened(place) as ledger:
        answer = ledger.admit(text)
        assert (answer.status, answer.verdict.verdict) == ("refused", "invalid")
        assert answer.codes


@pytest.mark.parametrize("wrong", [7, None, {}, [b"{}"]])
def test_anything_that_is_neither_text_nor_a_receipt_is_an_error_of_the_caller(place: Place, wrong: Any) -> None:
    with opened(place) as ledger:
        with pytest.raises(TypeError, match="text, a model or a Verdict"):
            ledger.admit(wrong)
        for one in (b"{}", "{}", receipt(1), AUDITOR.receipt(receipt(1))):
            with pytest.raises(TypeError, match="admit takes one"):
                ledger.admit_many(one)  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="admit takes one"):
                list(ledger.admit_each(one))  # type: ignore[arg-type]
        assert ledger.head().row == 0


def test_an_undecided_receipt_is_not_recorded(place: Place) -> None:
    with opened(place, Auditor([BENCH.contract], [], BENCH.key.keyring)) as ledger:
        answer = ledger.admit(receipt(1))
        assert answer.status == "undecided"
        assert "receipt-names-another-certificate" in answer.codes
        assert ledger.head().row == 0


def test_an_admitted_receipt_keeps_its_answer_when_its_audit_no_longer_holds(place: Place) -> None:
    with opened(place) as ledger:
        assert ledger.admit(receipt(1))
    later = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, at_update=10**9)
    with opened(place, later) as ledger:
        assert ledger.admit(receipt(1)).status == "already-admitted"
        assert ledger.admit(receipt(2)).codes == ("certificate-expired-at-update",)


def test_a_verdict_is_admitted_without_another_audit(place: Place) -> None:
    with opened(place, None) as ledger:
        assert ledger.admit(AUDITOR.receipt(receipt(1))).status == "admitted"
        with pytest.raises(ValueError, match="without an auditor"):
            ledger.admit(receipt(2))


@pytest.mark.parametrize("level", ["text", "schema", "signature"])
def test_an_auditor_that_checks_less_than_an_audit_admits_nothing(place: Place, level: Any) -> None:
    auditor = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, level=level)
    with opened(place, auditor) as ledger:
        for one in (receipt(1), receipt(1).model_dump_json(), auditor.receipt(receipt(1))):
            with pytest.raises(ValueError, match="less than an audit"):
                ledger.admit(one)
        assert ledger.head().row == 0


def test_a_batch_is_recorded_whole_or_not_at_all(place: Place) -> None:
    with opened(place) as ledger:
        batch = [receipt(1), receipt(2, nonce=receipt(1).nonce), b"{}", receipt(3)]
        with pytest.raises(NotAdmitted) as error:
            ledger.admit_many(batch)
        assert {at: each.status for at, each in error.value.refused.items()} == {1: "conflict", 2: "refused"}
        assert "receipt 1 conflict (admission.conflict)" in str(error.value)
        assert ledger.head().row == 0
        with pytest.raises(NotAdmitted):
            ledger.admit_many([b"{}"])
        assert ledger.admit_many([]) == []
        assert len(ledger.admit_many(map(receipt, range(20)))) == ledger.head().row == 20
        again = ledger.admit_many([receipt(3), receipt(20), receipt(20)])
        assert [(a.status, a.row) for a in again] == [
            ("already-admitted", 4),
            ("admitted", 21),
            ("already-admitted", 21),
        ]
        assert ledger.check() == ()


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_each_receipt_of_a_stream_has_its_own_answer(place: Place, batch: int) -> None:
    stream = [receipt(1), b"{}", receipt(2, nonce=receipt(1).nonce), receipt(1), receipt(3)]
    with opened(place) as ledger:
        answers = [(a.status, a.row) for a in ledger.admit_each(stream, batch=batch)]
        assert answers == [
            ("admitted", 1),
            ("refused", None),
            ("conflict", None),
            ("already-admitted", 1),
            ("admitted", 2),
        ]
        assert ledger.check() == ()


def test_rows_can_be_read_back(place: Place) -> None:
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, range(7)))
        found = ledger.get("receipt.00000003")
        assert found is not None
        assert (found.row, found.receipt, found.digest) == (4, receipt(3), receipt(3).digest)
        assert ledger.get("receipt.of.nobody") is None
        assert [record.row for record in ledger.chain()] == list(range(1, 8))
        assert [record.row for record in ledger.chain(after=5)] == [6, 7]
        assert ledger.head() == Head(7, list(ledger.chain())[-1].link)
        stats = ledger.stats()
        assert (stats.rows, stats.link, stats.issuers) == (7, ledger.head().link, {"key.test.bench": 7})
        (contract,) = stats.contracts
        assert (contract.receipts, contract.first_update, contract.last_update) == (7, 120, 120)
    with opened(place, read_only=True) as reader:
        assert reader.head().row == 7
        assert reader.check() == ()


COPIED = (
    "UPDATE reward_receipts SET receipt = (SELECT receipt FROM reward_receipts WHERE row_number = 4) "
    "WHERE row_number = 3"
)
MOVED = (
    "UPDATE reward_receipts SET row_number = -4 WHERE row_number = 3; "
    "UPDATE reward_receipts SET row_number = 3 WHERE row_number = 4; "
    "UPDATE reward_receipts SET row_number = 4 WHERE row_number = -4"
)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ("UPDATE reward_receipts SET episode_id = 'episode.edited' WHERE row_number = 3", ["columns-edited"]),
        ("UPDATE reward_receipts SET policy_update = 119 WHERE row_number = 3", ["columns-edited"]),
        ("UPDATE reward_receipts SET receipt = '' WHERE row_number = 3", ["row-edited", "columns-edited"]),
        (COPIED, ["row-edited", "columns-edited"]),
        ("DELETE FROM reward_receipts WHERE row_number = 3", ["row-missing"]),
        ("DELETE FROM reward_receipts WHERE row_number < 3", ["row-missing"]),
        (MOVED, ["row-edited"] * 3),
        ("DELETE FROM reward_receipts WHERE row_number > 3", ["rows-cut"]),
        ("DELETE FROM reward_receipts", ["rows-cut"]),
    ],
)
def test_check_finds_a_change(place: Place, change: str, codes: list[str]) -> None:
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, range(6)))
        head = ledger.head()
        assert ledger.check(head) == ()
        place.change(change)
        assert [finding.code for finding in ledger.check(head)] == [f"admission.{code}" for code in codes]


def test_a_chain_that_was_made_anew_differs_from_a_head(place: Place) -> None:
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, range(6)))
        head = ledger.head()
        ledger.admit(receipt(6))
        assert ledger.check(head) == ()
    place.change("DELETE FROM reward_receipts")
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, reversed(range(7))))
        assert ledger.check() == ()
        assert [finding.code for finding in ledger.check(head)] == ["admission.head-differs"]


def test_the_link_of_the_first_row_is_that_of_the_specification() -> None:
    text = rr.canonical_json_bytes(rr.read_document((WORKED / "receipt.json").read_bytes(), "receipt"))
    page = (VECTORS.parents[1] / "docs" / "specification.md").read_text(encoding="utf-8")
    assert hashlib.sha256(bytes(32) + bytes(7) + b"\1" + text).hexdigest() in page
    assert link_after(START, 1, text) == hashlib.sha256(bytes(32) + bytes(7) + b"\1" + text).digest()
    assert link_after(bytes([9] * 32), 258, text) == hashlib.sha256(b"\t" * 32 + bytes(6) + b"\1\2" + text).digest()


def test_each_code_of_a_check_is_in_the_catalogue() -> None:
    assert {code for code, each in catalogue().items() if code.startswith("admission.")} == {
        f"admission.{name}"
        for name in [
            "conflict",
            "update-backwards",
            "row-missing",
            "row-edited",
            "columns-edited",
            "rows-cut",
            "head-differs",
            "head-signature-invalid",
            "file-damaged",
        ]
    }


def test_a_head_is_signed_and_read_back(place: Place) -> None:
    with opened(place) as ledger:
        ledger.admit(receipt(1))
        signed = ledger.head().signed(BENCH.key)
        read = SignedHead.from_text(signed.text())
        assert read == signed
        assert read.verify(BENCH.key.keyring) is rr.SignatureVerdict.VALID
        assert ledger.check(read) == ()
    other = rr.SigningKey.generate("key.test.bench")
    assert signed.verify(other.keyring) is rr.SignatureVerdict.INVALID
    assert signed.verify(rr.SigningKey.generate("key.test.else").keyring) is rr.SignatureVerdict.SIGNER_UNKNOWN
    edited = SignedHead.from_text(signed.text().replace(b'"row":1', b'"row":2'))
    assert edited.verify(BENCH.key.keyring) is rr.SignatureVerdict.INVALID
    for text in (b"{}", b"[]", b"{", signed.text().replace(b"sha256:", b"sha257:")):
        with pytest.raises(ValueError, match="signed head|json"):
            SignedHead.from_text(text)


def test_an_update_that_runs_backwards_is_refused_on_request(place: Place) -> None:
    with opened(place, max_backwards=2) as ledger:
        assert ledger.admit(receipt(1, policy_update=110))
        assert ledger.admit(receipt(2, policy_update=108))
        answer = ledger.admit(receipt(3, policy_update=107))
        assert (answer.status, answer.codes) == ("refused", ("admission.update-backwards",))
        assert all(word in answer.findings[0].sentence for word in ("107", "110", "2"))
        assert ledger.admit(receipt(1, policy_update=110)).status == "already-admitted"
    with opened(place) as ledger:
        assert ledger.admit(receipt(3, policy_update=107)).status == "admitted"
    for wrong in (-1, True, 1.0):
        with pytest.raises(ValueError, match="max_backwards"):
            opened(place, max_backwards=wrong)


def test_a_receipt_that_is_not_admitted_does_not_raise_the_bar_for_updates(place: Place) -> None:
    with opened(place, max_backwards=0) as ledger:
        ahead = receipt(2, policy_update=115, nonce="nonce.00000001")
        answers = ledger.admit_each([receipt(1, policy_update=110), ahead, receipt(3, policy_update=110)])
        assert [answer.status for answer in answers] == ["admitted", "conflict", "admitted"]


def test_a_closed_ledger_and_a_ledger_after_a_fork(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = opened(place)
    monkeypatch.setattr(Forks, "count", Forks.count + 1)
    with pytest.raises(LedgerError, match="opened before a fork"):
        ledger.admit(receipt(1))
    monkeypatch.undo()
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        ledger.admit(receipt(1))


def test_a_clock_that_jumps_changes_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.cycle([2e9, 0.0, -1e9, 4e9])
    monkeypatch.setattr(time, "time", lambda: next(seconds))
    monkeypatch.setattr(time, "time_ns", lambda: int(next(seconds) * 1e9))
    with opened(place, max_backwards=0) as ledger:
        answers = list(ledger.admit_each(map(receipt, [3, 1, 2, 1]), batch=1))
        assert [answer.row for answer in answers] == [1, 2, 3, 2]
        assert ledger.check(ledger.head()) == ()


def test_importing_the_package_loads_no_database() -> None:
    script = (
        "import sys, reward_receipts.ledger as ledger; assert 'sqlite3' not in sys.modules; "
        "ledger.Ledger; assert 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
