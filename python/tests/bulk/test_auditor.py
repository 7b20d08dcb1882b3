"""Auditor: many receipts against the contracts, certificates and keys that a reader holds."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import reward_receipts as rr
from field import Bench
from reward_receipts.bulk import Auditor, Documents, Unread, Verdict

BENCH = Bench()


def beside(task_id: str) -> Bench:
    """A contract of another task, whose certificate and receipts have the same signer."""
    other = Bench(task_id=task_id)
    other.key = BENCH.key
    other.certificate = other.certify()
    return other


OTHER = beside("task.of.another.contract")


def auditor(*benches: Bench, by_digest: bool = True) -> Auditor:
    contracts, certificates = [each.contract for each in benches], [each.certificate for each in benches]
    return Auditor(contracts, certificates, BENCH.key.keyring, by_digest=by_digest)


def text(receipt: rr.RewardEvidenceReceiptV1) -> bytes:
    return receipt.model_dump_json().encode()


def test_one_receipt_as_text_or_as_a_model() -> None:
    receipt = BENCH.receipt()
    for given in (receipt, text(receipt), text(receipt).decode()):
        verdict = auditor(BENCH).receipt(given)
        assert verdict
        assert verdict.verdict == "holds"
        assert verdict.receipt == receipt
        assert (verdict.findings, verdict.unchecked, verdict.not_given) == ((), (), {})
        assert "signature-invalid" in verdict.checked


def test_contract_and_certificate_are_chosen_by_digest() -> None:
    both = auditor(BENCH, beside("task.of.a.third.contract"))
    assert both.receipt(BENCH.receipt()).verdict == "holds"
    verdict = both.receipt(OTHER.receipt())
    assert not verdict
    assert verdict.verdict == "undecided"
    (unheld,) = [each for each in verdict.unchecked if each.code == "documents-not-held"]
    assert OTHER.contract.digest in unheld.sentence
    assert OTHER.certificate.digest in unheld.sentence


def test_a_single_contract_is_not_compared_with_a_receipt_of_another() -> None:
    assert auditor(BENCH).receipt(OTHER.receipt()).verdict == "undecided"
    alone = auditor(BENCH, by_digest=False).receipt(OTHER.receipt())
    assert alone.verdict == "fails"
    assert "receipt-names-another-contract" in [finding.code for finding in alone.findings]


def test_anything_that_was_not_given_is_named_with_its_checks() -> None:
    verdict = Auditor([], []).receipt(BENCH.receipt())
    assert verdict.verdict == "undecided"
    assert verdict.not_given.keys() == {"contract", "certificate", "key"}
    assert "scalar-differs-from-contract" in verdict.not_given["contract"]
    assert "signature-invalid" in verdict.not_given["key"]


def test_lines_have_their_numbers_and_a_bad_line_stops_nothing() -> None:
    first, second = BENCH.receipt(), BENCH.receipt(receipt_id="receipt.second", nonce="nonce.second")
    lines = [text(first), b"\r\n", b"{\n", text(second), text(first)]
    found = [*auditor(BENCH).lines(lines)]
    assert [(each.line, each.verdict) for each in found] == [(1, "holds"), (3, "invalid"), (4, "holds"), (5, "fails")]
    assert [finding.code for finding in found[1].findings] == ["json.syntax"]
    assert found[1].receipt is None
    assert {finding.code for finding in found[3].findings} == {"duplicate"}
    assert "<stdin>:1" in found[3].findings[0].sentence


def test_a_forged_receipt_does_not_make_the_genuine_one_a_repeat() -> None:
    genuine = BENCH.receipt()
    forged = genuine.model_copy(update={"policy_update": genuine.policy_update + 1})
    assert [each.verdict for each in auditor(BENCH).lines([text(forged), text(genuine)])] == ["fails", "holds"]


def test_files_and_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(text(BENCH.receipt()) + b"\n")
    (tmp_path / "b.json").write_bytes(text(BENCH.receipt(receipt_id="receipt.second", nonce="nonce.second")))
    found = [*auditor(BENCH).files([str(tmp_path), str(tmp_path / "missing.json")])]
    assert [each.verdict if isinstance(each, Verdict) else type(each) for each in found] == ["holds", "holds", Unread]
    assert [Path(each.source).name for each in found if isinstance(each, Verdict)] == ["a.jsonl", "b.json"]


def test_documents_of_a_folder(tmp_path: Path) -> None:
    for name, document in {"c": BENCH.contract, "d": BENCH.certificate, "e": BENCH.receipt()}.items():
        (tmp_path / f"{name}.json").write_text(document.model_dump_json())
    documents = Documents.from_folder(str(tmp_path))
    assert documents.contracts == {BENCH.contract.digest: BENCH.contract}
    assert documents.certificates == {BENCH.certificate.digest: BENCH.certificate}
    assert pickle.loads(pickle.dumps(documents)) == documents
    (tmp_path / "f.json").write_text('{"schema_version": "openadapt.reward-contract/v1"}')
    with pytest.raises(rr.InvalidDocument) as caught:
        Documents.from_folder(str(tmp_path))
    assert caught.value.findings[0].code == "schema.required"
    assert "f.json" in caught.value.__notes__[0]
    with pytest.raises(Unread, match="missing"):
        Documents.from_folder(str(tmp_path / "missing"))


def test_an_auditor_can_be_pickled() -> None:
    copied = pickle.loads(pickle.dumps(auditor(BENCH)))
    assert copied.receipt(BENCH.receipt()).verdict == "holds"


def test_errors_of_the_caller() -> None:
    with pytest.raises(rr.KeyFormatError):
        Auditor([BENCH.contract], [], {"key.test.bench": "not base64"})
    with pytest.raises(TypeError, match="contract"):
        Auditor([BENCH.certificate], [])  # type: ignore[list-item]
