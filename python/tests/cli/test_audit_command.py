"""``audit``: which documents a receipt is audited against, repeats, and what is reported once for a run."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from command_line import Shell, json_lines
from field import Bench
from reward_receipts.bulk.documents import Entry
from reward_receipts.bulk.files import Text
from reward_receipts.bulk.repeats import Seen

ALL = ("--contract", "contract.json", "--certificate", "certificate.json", "--keyring", "keyring.json")


class Desk:
    """A folder with a bench's contract, certificate and keyring, and what an audit of some receipts says there."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.bench = Bench()
        shell.write("contract.json", document(self.bench.contract))
        shell.write("certificate.json", document(self.bench.certificate))
        shell.write("keyring.json", {self.bench.key.key_id: self.bench.key.public_key})

    def verdicts(self, receipts: list[dict[str, Any]], *given: str) -> list[str]:
        self.shell.write("receipts.jsonl", json_lines(receipts))
        return [result["verdict"] for result in self.shell.results("audit", "receipts.jsonl", *(given or ALL))]


def document(model: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = model.model_dump(mode="json")
    return dumped


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(Shell(tmp_path, capsys, monkeypatch))


# Repeats


def test_a_forged_receipt_does_not_block_the_genuine_one(desk: Desk) -> None:
    genuine = document(desk.bench.receipt())
    forged = {**genuine, "episode_id": "episode.of.a.forger"}
    assert desk.verdicts([forged, genuine]) == ["fails", "holds"]
    assert desk.verdicts([forged, forged, genuine, forged]) == ["fails", "fails", "holds", "fails"]
    other_id = {**forged, "receipt_id": "receipt.of.a.forger"}
    assert desk.verdicts([other_id, genuine]) == ["fails", "holds"]


@pytest.mark.parametrize(
    ("member", "pointers"), [("receipt_id", ["/nonce"]), ("nonce", ["/receipt_id"]), (None, ["/receipt_id", "/nonce"])]
)
def test_a_repeat_of_a_receipt_that_holds_fails(desk: Desk, member: str | None, pointers: list[str]) -> None:
    first = desk.bench.receipt()
    second = desk.bench.receipt(**({} if member is None else {member: "another.one.of.it"}))
    desk.shell.write("receipts.jsonl", json_lines([document(first), document(second)]))
    results = desk.shell.results("audit", "receipts.jsonl", *ALL)
    assert [result["verdict"] for result in results] == ["holds", "fails"]
    assert [(f["code"], f["pointer"]) for f in results[1]["findings"]] == [("duplicate", each) for each in pointers]
    assert all(f["sentence"].endswith("was seen before, at receipts.jsonl:1.") for f in results[1]["findings"])
    assert desk.shell("audit", "receipts.jsonl", *ALL).status == 1


def test_a_repeat_of_an_undecided_receipt_is_undecided(desk: Desk) -> None:
    genuine = document(desk.bench.receipt())
    by_a_stranger = {**genuine, "issuer_key_id": "key.of.a.stranger"}
    desk.shell.write("receipts.jsonl", json_lines([by_a_stranger, genuine, genuine]))
    first, second, third = desk.shell.results("audit", "receipts.jsonl", *ALL)
    assert [first["verdict"], second["verdict"]] == ["undecided", "undecided"]
    [unchecked] = second["unchecked"]
    assert (unchecked["code"], unchecked["pointer"]) == ("duplicate", "/receipt_id")
    assert "at receipts.jsonl:1. That receipt is undecided" in unchecked["sentence"]
    assert third["verdict"] == "undecided"
    assert desk.shell("audit", "receipts.jsonl", *ALL).status == 2


def test_a_nonce_belongs_to_its_issuer(desk: Desk) -> None:
    genuine = document(desk.bench.receipt())
    other = rr.SigningKey.generate("key.of.another")
    desk.shell.write("keyring.json", {key.key_id: key.public_key for key in (desk.bench.key, other)})
    unsigned = {**genuine, "issuer_key_id": other.key_id, "receipt_id": "receipt.of.another"}
    of_another = document(rr.sign(rr.RewardEvidenceReceiptV1.model_validate(unsigned), other))
    assert desk.verdicts([genuine, of_another]) == ["holds", "holds"]


def test_a_repeat_fails_and_so_blocks_nothing_itself(desk: Desk) -> None:
    one = document(desk.bench.receipt())
    same_nonce = document(desk.bench.receipt(receipt_id="receipt.number.two"))
    same_id_as_that = document(desk.bench.receipt(receipt_id="receipt.number.two", nonce="nonce.number.three"))
    assert desk.verdicts([one, same_nonce, same_id_as_that]) == ["holds", "fails", "holds"]


def test_anything_that_is_kept_of_a_receipt_is_bounded() -> None:
    def entry(number: int) -> Entry:
        receipt = {"receipt_id": f"r{number:0127}", "issuer_key_id": "k" * 128, "nonce": f"n{number:0127}"}
        return Entry(Text("folder/" * 500 + "x.jsonl", b"", number), (), receipt, "receipt", ())

    seen = Seen()
    tracemalloc.start()
    for number in range(4000):
        seen.note(entry(number), holds=True)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The path of the file is 3,500 characters, which each entry makes anew here and a run makes once for a file.
    assert kept / 4000 < 3_500 + 700


# Which documents


@pytest.fixture
def two(desk: Desk) -> Bench:
    """A second bench, whose contract, certificate and key are held beside the first's."""
    other = Bench(contract_id="contract.of.another.task")
    desk.shell.write("contract.json", [document(desk.bench.contract), document(other.contract)])
    desk.shell.write("certificate.json", [document(desk.bench.certificate), document(other.certificate)])
    return other


def test_a_receipt_that_names_none_of_several_is_undecided_with_one_sentence(desk: Desk, two: Bench) -> None:
    third = Bench(contract_id="contract.of.a.third.task")
    third.key = desk.bench.key
    third.certificate = third.certify(certificate_id="certificate.of.a.third")
    desk.shell.write("receipt.json", document(third.receipt()))
    ran = desk.shell("audit", "receipt.json", *ALL)
    assert ran.status == 2
    assert ran.lines[0].split("  ")[2] == "undecided"
    assert len(ran.lines) == 2
    assert ran.lines[1].endswith(
        f"/reward_contract_digest unchecked documents-not-held contract {third.contract.digest} "
        "is not one of the 2 given "
        f"and certificate {third.certificate.digest} is not one of the 2 given."
    )


def test_a_certificate_that_is_not_held_is_not_taken_for_another(desk: Desk, two: Bench) -> None:
    desk.shell.write("certificate.json", document(two.certificate))
    desk.shell.write("receipt.json", document(desk.bench.receipt()))
    [result] = desk.shell.results("audit", "receipt.json", *ALL)
    assert (result["verdict"], result["findings"]) == ("undecided", [])
    assert [each["pointer"] for each in result["unchecked"]] == ["/certificate_digest"]
    assert result["unchecked"][0]["sentence"] == f"certificate {desk.bench.certificate.digest} is not the one given."


def test_the_rest_is_checked_although_the_contract_is_not_held(desk: Desk, two: Bench) -> None:
    third = Bench(contract_id="contract.of.a.third.task")
    altered = {**document(third.receipt()), "issuer_key_id": desk.bench.key.key_id}
    assert desk.verdicts([altered]) == ["fails"]
    assert desk.shell("audit", "receipts.jsonl", *ALL).err.startswith(
        "1 document, 1 finding; verdicts: 0 holds, 1 fails"
    )


def test_one_contract_is_the_one_to_audit_against(desk: Desk) -> None:
    other = Bench(contract_id="contract.of.another.task")
    desk.shell.write("receipt.json", document(other.receipt()))
    [result] = desk.shell.results("audit", "receipt.json", *ALL)
    assert result["verdict"] == "fails"
    assert result["findings"][0]["code"] == "receipt-names-another-contract"


# What is reported once


@pytest.mark.parametrize(
    ("given", "needs"),
    [
        ((), ["contract", "certificate", "key"]),
        (ALL[:2], ["certificate", "key"]),
        (ALL[:4], ["key"]),
        (ALL[2:], ["contract"]),
        ((*ALL[:2], *ALL[4:]), ["certificate"]),
    ],
)
def test_anything_that_nobody_gave_is_reported_once_for_the_run(
    desk: Desk, given: tuple[str, ...], needs: list[str]
) -> None:
    receipts = [desk.bench.receipt(receipt_id=f"receipt.number.{n}", nonce=f"nonce.number.{n}") for n in range(30)]
    desk.shell.write("receipts.jsonl", json_lines(list(map(document, receipts))))
    ran = desk.shell("audit", "receipts.jsonl", *given)
    assert ran.status == 2
    assert len(ran.lines) == 30 + len(needs)
    assert all("  undecided  " in line for line in ran.lines[:30])
    for line, need in zip(ran.lines[30:], needs, strict=True):
        assert line.startswith(f"unchecked for 30 documents: no {need} was given (--")
    whole = json.loads(desk.shell("audit", "receipts.jsonl", *given, "-f", "json").out)
    assert [result["not_given"] for result in whole["results"]] == [needs] * 30
    assert [each["what"] for each in whole["summary"]["not_given"]] == needs
    ran_codes = set(whole["summary"]["checked"])
    left = {code for each in whole["summary"]["not_given"] for code in each["codes"]}
    everything = json.loads(desk.shell("audit", "receipts.jsonl", *ALL, "-f", "json").out)["summary"]["checked"]
    assert ran_codes | left == set(everything)
    assert not ran_codes & left
    assert set(everything.values()) == {30}


def test_each_format_says_what_nobody_gave(desk: Desk) -> None:
    desk.shell.write("receipt.json", document(desk.bench.receipt()))
    github = desk.shell("audit", "receipt.json", *ALL[:4], "-f", "github").lines
    assert len(github) == 1
    assert github[0].startswith("::warning title=unchecked::unchecked for 1 document: no key was given (--keyring")
    junit = desk.shell("audit", "receipt.json", *ALL[:4], "-f", "junit").out
    assert 'errors="1"' in junit
    assert 'message="unchecked: no key was given (--keyring or --public-key)"' in junit


# Formats


def test_github_annotates_only_what_does_not_hold(desk: Desk) -> None:
    good = document(desk.bench.receipt())
    desk.shell.write("receipts.jsonl", json_lines([good, {**good, "receipt_id": "receipt.of.a.forger"}]))
    lines = desk.shell("audit", "receipts.jsonl", *ALL, "-f", "github").lines
    assert [line.split(",line=")[0] for line in lines] == ["::error file=receipts.jsonl"] * 2
    assert {line.split(",line=")[1][0] for line in lines} == {"2"}
    desk.shell.write("receipts.jsonl", json_lines([good]))
    assert desk.shell("audit", "receipts.jsonl", *ALL, "-f", "github").out == ""
    assert desk.shell("verify", "receipts.jsonl", *ALL[4:], "-f", "github").out == ""
    assert desk.shell("digest", "receipts.jsonl", "-f", "github").out.startswith("::notice ")


def test_json_lines_do_not_repeat_what_was_checked(desk: Desk) -> None:
    good = document(desk.bench.receipt())
    desk.shell.write("receipts.jsonl", json_lines([good]))
    result, summary = (rr.read_json(line) for line in desk.shell("audit", "receipts.jsonl", *ALL, "-f", "jsonl").lines)
    assert "checked" not in result
    assert summary["checked"]["signature-invalid"] == 1
    assert summary["verdicts"] == {"holds": 1, "fails": 0, "undecided": 0, "invalid": 0}


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "junit", "github"])
def test_every_audit_ends_with_the_verdicts(desk: Desk, form: str) -> None:
    good = document(desk.bench.receipt())
    stranger = {**good, "issuer_key_id": "key.of.a.stranger", "receipt_id": "receipt.of.a.stranger"}
    forged = {**good, "nonce": "nonce.of.a.forger"}
    desk.shell.write("receipts.jsonl", json_lines([good, stranger, forged, {}]))
    ran = desk.shell("audit", "receipts.jsonl", *ALL, "-f", form)
    assert ran.err.endswith("; verdicts: 1 holds, 1 fails, 1 undecided, 1 invalid\n")
