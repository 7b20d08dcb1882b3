"""The command line: what each command reports about documents, and its exit status."""

from __future__ import annotations

import base64
import gzip
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from command_line import Ran, Shell, json_lines, receipts
from field import OPENADAPT, PUBLIC_KEY, WORKED, Bench, field_receipts, plain
from reward_receipts.core.codes import catalogue
from reward_receipts.core.schema_files import SCHEMA_FILES

MIB = 1024 * 1024
EVERYTHING = (
    *("--contract", OPENADAPT / "contract.json"),
    *("--certificate", OPENADAPT / "certificate.json"),
    *("--public-key", OPENADAPT / "public_key.txt"),
)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def document(model: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = model.model_dump(mode="json")
    return dumped


def undecided(ran: Ran, *words: str) -> None:
    """Exit status 2, nothing on standard output, and a message that has the words."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("reward-receipts: ") or "Usage:" in ran.err
    for word in words:
        assert word in ran.err


# lint: JSON Lines. Two good records around the one in question, or before it.

GOOD, ALSO_GOOD = (json.dumps(receipt).encode() for receipt in receipts(2))
WRONG = json.dumps({**receipts(3)[2], "certified": "yes"}).encode()

LINES = {
    "a BOM is line 1's finding": (b"\xef\xbb\xbf" + GOOD + b"\n" + ALSO_GOOD, {1: "json.bom"}),
    "CR LF ends": (GOOD + b"\r\n" + ALSO_GOOD + b"\r\n", {}),
    "a CR alone ends no line": (GOOD + b"\r" + ALSO_GOOD + b"\n", {1: "json.trailing"}),
    "Unicode's line separators end no line": (
        json.dumps({**receipts(1)[0], "nonce": "nonce\u2028alpha"}, ensure_ascii=False).encode() + b"\n" + ALSO_GOOD,
        {1: "schema.pattern"},
    ),
    "a torn last line": (GOOD + b"\n" + ALSO_GOOD[:700], {2: "json.syntax"}),
    "no LF at the end": (GOOD + b"\n" + ALSO_GOOD, {}),
    "blank lines are skipped, and counted": (b"\n" + GOOD + b"\n \t\r\n\n" + WRONG + b"\n", {5: "schema.type"}),
    "NUL bytes after a crash": (GOOD + b"\n" + ALSO_GOOD + b"\n" + b"\0" * 4096, {3: "json.syntax"}),
    "bytes that are not UTF-8": (GOOD.replace(b"proof", b"pr\xe9\xe9f") + b"\n" + ALSO_GOOD, {1: "json.utf8"}),
    "two records on one line": (GOOD + ALSO_GOOD + b"\n" + ALSO_GOOD, {1: "json.trailing"}),
    "a line of white space and more than 64 KiB": (GOOD[:-1] + b" " * 70_000 + b"}\n" + ALSO_GOOD, {}),
    "a line of exactly 1 MiB": (GOOD + b" " * (MIB - len(GOOD)) + b"\n" + ALSO_GOOD, {}),
    "a line of one byte more": (GOOD + b" " * (MIB - len(GOOD) + 1) + b"\n" + ALSO_GOOD, {1: "json.size"}),
    "a long last line without LF": (GOOD + b"\n" + ALSO_GOOD + b" " * MIB, {2: "json.size"}),
    "nested 100,000 deep": (b"[" * 100_000 + b"\n" + ALSO_GOOD, {1: "json.depth"}),
    "a number of 5,000 digits": (b'{"policy_update": ' + b"1" * 5000 + b"}\n" + ALSO_GOOD, {1: "json.number"}),
    "a member named twice": (GOOD[:-1] + b', "certified": true}\n' + ALSO_GOOD, {1: "json.duplicate"}),
    "null is not a document": (GOOD + b"\nnull\n" + ALSO_GOOD, {2: "schema.type"}),
    "an array is not a document": (GOOD + b"\n[" + ALSO_GOOD + b"]\n", {2: "schema.type"}),
    "one wrong record among good ones": (GOOD + b"\n" + WRONG + b"\n" + ALSO_GOOD, {2: "schema.type"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [(), ("--kind", "receipt")], ids=["its own kind", "--kind"])
@pytest.mark.parametrize(("data", "wrong"), LINES.values(), ids=LINES)
def test_each_line_has_its_verdict(shell: Shell, data: bytes, wrong: dict[int, str], kind: tuple[str, ...]) -> None:
    name = shell.write("receipts.jsonl", data)
    results = shell.results("lint", name, *kind)
    physical = [number for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    assert [result["line"] for result in results] == physical
    assert {r["line"]: r["findings"][0]["code"] for r in results if r["verdict"] != "valid"} == wrong
    assert all(finding["line"] == result["line"] for result in results for finding in result["findings"])
    assert shell("lint", name, *kind).status == (1 if wrong else 0)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["receipts.jsonl", "receipt.json"])
def test_another_encoding_is_never_an_empty_file(shell: Shell, encoding: str, name: str) -> None:
    shell.write(name, (GOOD + b"\n").decode().encode(encoding))
    ran = shell("lint", name)
    assert ran.status == 1
    assert ran.codes[0][1] in ("json.utf8", "json.syntax")


@pytest.mark.parametrize("name", ["receipts.jsonl.gz", "receipts.jsonl"])
def test_gzip_is_unpacked(shell: Shell, name: str) -> None:
    shell.write(name, gzip.compress(GOOD + b"\n") + gzip.compress(ALSO_GOOD + b"\n"))
    assert [(each["line"], each["verdict"]) for each in shell.results("lint", name)] == [(1, "valid"), (2, "valid")]


def test_gzip_that_is_cut_off_is_a_finding(shell: Shell) -> None:
    name = shell.write("receipts.jsonl.gz", gzip.compress(GOOD + b"\n" + ALSO_GOOD + b"\n")[:-8])
    ran = shell("lint", name)
    assert ran.status == 1
    assert ran.codes == [(f"{name}:3:1", "text.damaged")]


def test_the_first_fault_of_a_bad_line_has_its_place(shell: Shell) -> None:
    name = shell.write("receipts.jsonl", GOOD + b"\n\n" + b'{"nonce": tru}')
    found = 'Invalid JSON: expected a value, found "tru}"'
    assert shell("lint", name).out.startswith(f"{name}:3:11 /nonce json.syntax {found}")


# lint: repeats


def test_a_repeated_receipt_is_reported_with_where_it_was_first(shell: Shell) -> None:
    first, second = receipts(2)
    name = shell.write("receipts.jsonl", json_lines([first, second, first]))
    ran = shell("lint", name)
    assert ran.status == 1
    columns = [json.dumps(first).index(f'"{member}"') + 1 for member in ("receipt_id", "nonce")]
    assert ran.codes == [(f"{name}:3:{column}", "duplicate") for column in columns]
    assert f'receipt_id "{first["receipt_id"]}" was seen before, at {name}:1.' in ran.lines[0]
    assert f'nonce "{first["nonce"]}" was seen before, at {name}:1.' in ran.lines[1]
    assert [r["verdict"] for r in shell.results("lint", name)] == ["valid", "valid", "duplicate"]


def test_a_repeat_is_one_of_receipt_id_or_of_issuer_and_nonce(shell: Shell) -> None:
    first, second, third, fourth = receipts(4)
    second["receipt_id"] = first["receipt_id"]
    third["nonce"] = first["nonce"]
    fourth["nonce"], fourth["issuer_key_id"] = first["nonce"], "another.issuer"
    name = shell.write("receipts.jsonl", json_lines([first, second, third, fourth]))
    found = [[f["pointer"] for f in r["findings"]] for r in shell.results("lint", name)]
    assert found == [[], ["/receipt_id"], ["/nonce"], []]


def test_repeats_are_found_across_files_and_inside_an_array(shell: Shell) -> None:
    one, two = receipts(2)
    shell.write("a.json", [one, two, one])
    shell.write("b.json", two)
    results = shell.results("lint", "a.json", "b.json")
    assert [result["verdict"] for result in results] == ["valid", "valid", "duplicate", "duplicate"]
    assert results[2]["findings"][0]["pointer"] == "/2/receipt_id"
    assert "at a.json:1:" in results[3]["findings"][0]["sentence"]


def test_a_file_named_twice_is_read_once(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    assert shell("lint", name, "*.json", name).status == 0


# lint: which files, which kind


def test_a_pattern_is_expanded_in_order(shell: Shell) -> None:
    for name in ("b.json", "a.json", "c.txt", "[d].json"):
        shell.write(name, {})
    (shell.folder / "folder.json").mkdir()
    files = [result["file"] for result in shell.results("lint", "c.txt", "*.json", "[d].json")]
    assert files == ["c.txt", "[d].json", "a.json", "b.json"]
    undecided(shell("lint", "*.yaml"), "no file matches *.yaml")


def test_a_json_file_may_hold_an_array_of_documents(shell: Shell) -> None:
    ran = shell("lint", OPENADAPT / "receipts.json")
    assert (ran.status, ran.out, ran.err) == (0, "", "42 documents, 0 findings\n")
    documents = receipts(3)
    documents[1]["certified"] = "yes"
    del documents[2]["nonce"]
    name = shell.write("receipts.json", json.dumps(documents, indent=1))
    ran = shell("lint", name)
    assert ran.status == 1
    line = json.dumps(documents, indent=1).split("\n").index('  "certified": "yes",') + 1
    assert ran.lines[0].startswith(f"{name}:{line}:3 /1/certified schema.type certified is the string")
    assert " /2 schema.required nonce is missing" in ran.lines[1]


@pytest.mark.parametrize("name", ["x.jsonl", "x.ndjson", "X.JSONL"])
def test_the_suffix_says_json_lines_and_an_option_overrides(shell: Shell, name: str) -> None:
    shell.write(name, GOOD + b"\n" + ALSO_GOOD)
    shell.write("x.json", GOOD + b"\n" + ALSO_GOOD)
    assert shell("lint", name).status == 0
    assert shell("lint", "--no-lines", name).codes == [(f"{name}:2:1", "json.trailing")]
    assert shell("lint", "x.json").codes == [("x.json:2:1", "json.trailing")]
    assert shell("lint", "--lines", "x.json").status == 0


def test_standard_input(shell: Shell) -> None:
    ran = shell("lint", "-", stdin=WRONG)
    assert ran.status == 1
    assert ran.out.startswith("<stdin>:1:")
    assert shell("lint", "-", stdin=GOOD + b"\n" + ALSO_GOOD).codes == [("<stdin>:2:1", "json.trailing")]
    assert shell("lint", "-", "--lines", stdin=GOOD + b"\n" + ALSO_GOOD).status == 0


def test_a_document_names_its_kind_or_the_caller_does(shell: Shell) -> None:
    unlabelled = receipts(1)[0]
    del unlabelled["schema_version"]
    name = shell.write("receipt.json", unlabelled)
    ran = shell("lint", name)
    assert (ran.status, ran.codes) == (1, [(f"{name}:1:1", "schema.required")])
    assert "(document) schema.required schema_version is missing" in ran.out
    assert shell("lint", name, "--kind", "receipt").status == 0


SPEC = {"name": "a", "components": [{"type": "b"}]}


@pytest.mark.parametrize(
    ("name", "content", "is_told"),
    [
        ("a.yaml", "name: a\n", True),
        ("a.YML", "{}", True),
        ("a.json", SPEC, True),
        ("a.json", {"schema_version": "reward-receipts.reward-spec/v1", "name": "a"}, True),
        ("a.json", {"components": [{"name": "b"}]}, False),
        ("a.json", "{", False),
    ],
)
def test_linting_a_reward_spec_suggests_spec_lint(shell: Shell, name: str, content: Any, is_told: bool) -> None:
    ran = shell("lint", shell.write(name, content))
    assert ran.status == 1
    told = f"reward-receipts: {name} is like a reward spec; `reward-receipts spec lint` reads specs\n"
    assert (told in ran.err) == is_told


def test_a_wrong_kind_and_an_unknown_version(shell: Shell) -> None:
    ran = shell("lint", OPENADAPT / "certificate.json", "--kind", "receipt")
    assert ran.status == 1
    assert " /schema_version schema.const schema_version is " in ran.out
    name = shell.write("receipt.json", {**receipts(1)[0], "schema_version": "openadapt.reward-evidence-receipt/v2"})
    ran = shell("lint", name)
    assert (ran.status, ran.codes[0][1]) == (1, "schema.enum")
    undecided(shell("lint", name, "--kind", "seal"), "seal")


def test_every_rule_that_is_broken_is_reported(shell: Shell) -> None:
    broken = {**receipts(1)[0], "oracle_tier": 0, "scalar_reward": 1.0, "certificate_state": "absent"}
    codes = [code for _, code in shell("lint", shell.write("receipt.json", broken)).codes]
    assert codes == [
        "receipt.development-only",
        "receipt.certified-tier",
        "receipt.certified-current",
        *["receipt.absent-has-no-reference"] * 4,
        "receipt.penalty-not-positive",
    ]


# lint: what cannot be decided


@pytest.mark.parametrize(
    ("name", "data"),
    [("x.json", b""), ("x.json", b" \n\t\r\n"), ("x.jsonl", b""), ("x.jsonl", b"\n \r\n\n"), ("x.json", b"[]")],
)
def test_a_file_without_a_document(shell: Shell, name: str, data: bytes) -> None:
    undecided(shell("lint", shell.write(name, data)), f"no document in {name}")


def test_empty_standard_input(shell: Shell) -> None:
    undecided(shell("lint", "-"), "no document in <stdin>")


def test_files_that_cannot_be_read(shell: Shell) -> None:
    (shell.folder / "folder").mkdir()
    (shell.folder / "loop.json").symlink_to("loop.json")
    undecided(shell("lint", "missing.json"), "cannot read missing.json: No such file")
    undecided(shell("lint", "folder"), "no .json, .jsonl, .ndjson file in folder")
    undecided(shell("lint", "loop.json"), "cannot read loop.json: ")


def test_a_finding_weighs_more_than_what_cannot_be_decided_and_both_are_said(shell: Shell) -> None:
    shell.write("wrong.json", WRONG)
    ran = shell("lint", "missing.json", "wrong.json", "gone.json")
    assert ran.status == 1
    column = WRONG.index(b'"certified"') + 1
    assert ran.codes == [(f"wrong.json:1:{column}", "schema.type")]
    assert "missing.json" in ran.err
    assert "gone.json" in ran.err
    assert ran.err.endswith("1 document, 1 finding, 2 undecided\n")


@pytest.mark.parametrize(
    "data",
    [
        GOOD[:500],
        bytes(range(256)) * 40,
        b"\x89PNG\r\n\x1a\n" + bytes(1000),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a": 1, "\\u0061": 1}',
        b'"text"',
        b"17",
        b"NaN",
        b" " * MIB + GOOD,
    ],
    ids=["truncated", "binary", "an image", "deep", "deep objects", "duplicate", "text", "number", "NaN", "long"],
)
@pytest.mark.parametrize("command", ["lint", "digest", "verify", "audit"])
def test_bad_text_is_a_finding_for_every_command(shell: Shell, data: bytes, command: str) -> None:
    name = shell.write("receipt.json", data)
    keys = ("--public-key", OPENADAPT / "public_key.txt") if command in ("verify", "audit") else ()
    ran = shell(command, name, *keys)
    assert ran.status == 1
    said = ran.lines[1:] if command == "audit" else ran.lines
    assert ran.lines[: len(ran.lines) - len(said)] == ([f"{name}  invalid"] if command == "audit" else [])
    assert len(said) == 1
    assert said[0].startswith(f"{name}:")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "junit", "github"])
def test_nothing_that_a_terminal_acts_on_gets_through(shell: Shell, form: str) -> None:
    evil = {**receipts(1)[0], "a\x1b[31m\n::error::b\x7f\x9b": 1, "nonce": "\x1b]0;x\x07" + "n" * 8}
    name = "receipt\x1b[2J\n::error::\x7f.json"
    shell.write(name, evil)
    ran = shell("lint", name, "missing\x1b[2J.json", "-f", form)
    assert ran.status == 1
    for character in ran.out + ran.err:
        assert character.isprintable() or character == "\n", repr(character)
    assert not any(line.startswith("::error::") for line in ran.lines)


# digest


def test_digest_prints_the_published_digests(shell: Shell) -> None:
    expected = plain(WORKED / "EXPECTED.json")
    names = {"contract_as_authored": "contract", "contract_canonical": "contract"}
    for file in ("contract_as_authored", "contract_canonical", "certificate", "receipt"):
        path = WORKED / f"{file}.json"
        ran = shell("digest", path)
        assert (ran.status, ran.out) == (0, f"{expected[names.get(file, file) + '_digest']}  {path}\n")


def test_digest_names_the_line(shell: Shell) -> None:
    name = shell.write("receipts.jsonl", b"\n" + json_lines(receipts(2)))
    assert [line.split("  ")[1] for line in shell("digest", name).lines] == [f"{name}:2", f"{name}:3"]


def test_digest_of_what_does_not_hold_is_a_finding(shell: Shell) -> None:
    name = shell.write("receipts.jsonl", WRONG + b"\n" + GOOD)
    ran = shell("digest", name)
    assert ran.status == 1
    assert ran.lines[0].startswith(f"{name}:1:")
    assert ran.lines[1].startswith("sha256:")
    assert [result["digest"] is None for result in shell.results("digest", name)] == [True, False]


# score


def score(shell: Shell, outcome: str, tier: object = 2, update: object = 7, *more: object) -> Ran:
    contract = ("--contract", OPENADAPT / "contract.json")
    return shell("score", outcome, *contract, "--tier", tier, "--policy-update", update, *more)


CERTIFICATE = ("--certificate", OPENADAPT / "certificate.json")


def test_score_with_a_certificate(shell: Shell) -> None:
    ran = score(shell, "verified", 2, 7, *CERTIFICATE)
    assert ran.status == 0
    assert ran.lines == [
        "scalar                 1.0",
        "certified (synthetic)  yes",
        "development only       no",
        "certificate signature  not checked; give --keyring or --public-key",
    ]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "junit", "github"])
def test_score_says_whether_the_certificates_signature_was_checked(shell: Shell, bench: Bench, form: str) -> None:
    shell.write("key.txt", bench.key.public_key)
    bench.key.keyring.write(shell.folder / "keyring.json")
    rr.SigningKey.generate(bench.key.key_id).keyring.write(shell.folder / "wrong.json")
    rr.SigningKey.generate("key.other.0001").keyring.write(shell.folder / "other.json")
    weak = bench.certify(epsilon=0.4)
    forged = weak.model_copy(update={"epsilon": 0.0001})
    for name, document_of in (("contract", bench.contract), ("good", bench.certificate), ("forged", forged)):
        shell.write(f"{name}.json", document(document_of))

    def score(certificate: str, *keys: str) -> Ran:
        asked = ("--tier", 2, "--policy-update", 120, "--contract", "contract.json", "-f", form)
        return shell("score", "verified", *asked, "--certificate", f"{certificate}.json", *keys)

    for certificate in ("good", "forged"):
        unchecked = score(certificate)
        assert unchecked.status == 0
        assert "not checked" in unchecked.out
    for keys in (("--keyring", "keyring.json"), ("--public-key", "key.txt")):
        checked = score("good", *keys)
        assert checked.status == 0
        assert "not checked" not in checked.out
        assert "valid" in checked.out
        refused = score("forged", *keys)
        assert refused.status == 1
        assert "certificate-signature-invalid" in refused.out
        assert "scalar" not in refused.out
    assert score("good", "--keyring", "wrong.json").status == 1
    unknown = score("good", "--keyring", "other.json")
    assert unknown.status == 2
    assert "certificate-signer-unknown" in unknown.out
    assert "scalar" not in unknown.out
    assert score("good", "--keyring", "none.json").status == 2
    assert "scalar" not in score("good", "--keyring", "none.json").out


def test_score_without_a_certificate_says_nothing_of_its_signature(shell: Shell) -> None:
    assert "signature" not in score(shell, "verified", 2, 7).out
    [result] = json.loads(score(shell, "verified", 2, 7, "-f", "json").out)["results"]
    assert result["certificate_signature"] is None


def test_refusals_of_certification_are_not_findings(shell: Shell) -> None:
    ran = score(shell, "wrong_effect", 1, 100, *CERTIFICATE)
    assert ran.status == 0
    assert [line.split()[1] for line in ran.lines if line.startswith("refusal")] == [
        "tier-development-only",
        "certificate-expired",
    ]
    [result] = json.loads(score(shell, "verified", 2, 7, "-f", "json").out)["results"]
    assert [refusal["code"] for refusal in result["certification_refusals"]] == ["certificate-absent"]
    assert (result["certified_synthetic"], result["findings"]) == (False, [])


@pytest.mark.parametrize("outcome", ["reconciliation_required", "failed_platform"])
def test_an_unscored_episode_is_never_zero(shell: Shell, outcome: str) -> None:
    ran = score(shell, outcome, 2, 7, *CERTIFICATE)
    assert ran.lines[0] == "scalar                 unscored"
    assert "0.0" not in ran.out
    [result] = json.loads(score(shell, outcome, 2, 7, "-f", "json").out)["results"]
    assert result["scalar"] is None
    assert "0.0" not in score(shell, outcome, 2, 7, "-f", "junit").out


@pytest.mark.parametrize(
    ("outcome", "tier", "update"),
    [
        ("won", 2, 7),
        ("verified", 4, 7),
        ("verified", -1, 7),
        ("verified", "two", 7),
        ("verified", 2, -1),
        ("verified", 2, 2**53),
    ],
)
def test_score_of_what_is_out_of_range(shell: Shell, outcome: str, tier: object, update: object) -> None:
    undecided(score(shell, outcome, tier, update))


def test_score_under_what_is_not_a_contract(shell: Shell) -> None:
    where = ("--tier", 2, "--policy-update", 7)
    ran = shell("score", "verified", "--contract", OPENADAPT / "certificate.json", *where)
    assert ran.status == 1
    assert "schema.const" in ran.out
    undecided(shell("score", "verified", "--contract", "missing.json", *where), "missing.json")
    contract = plain(OPENADAPT / "contract.json")
    undecided(
        shell("score", "verified", "--contract", shell.write("two.json", [contract] * 2), *where), "more than one"
    )


# audit


def test_audit_of_the_field(shell: Shell) -> None:
    ran = shell("audit", OPENADAPT / "receipts.json", *EVERYTHING)
    counts = "42 holds, 0 fails, 0 undecided, 0 invalid"
    assert (ran.status, ran.err) == (0, f"42 documents, 0 findings; verdicts: {counts}\n")
    assert len(ran.lines) == 42
    assert [line.split("  ")[1] for line in ran.lines] == [receipt.receipt_id for receipt in field_receipts()]
    assert all(line.split("  ")[2] == "holds" for line in ran.lines)
    unscored = [line for line in ran.lines if "failed_platform" in line]
    assert [line.split("  ")[3:] for line in unscored] == [["failed_platform", "unscored", "certified (synthetic)"]] * 3


def test_anything_that_could_not_be_checked_leaves_a_receipt_undecided(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    for given in ((), EVERYTHING[:4], EVERYTHING[2:], (*EVERYTHING[:2], *EVERYTHING[4:])):
        ran = shell("audit", name, *given)
        assert ran.status == 2
        assert ran.lines[0].split("  ")[2] == "undecided"
        assert ran.lines[1:]
        assert all(line.startswith("unchecked for 1 document: no ") for line in ran.lines[1:])
        assert ran.err.startswith("1 document, 0 findings, 1 undecided; verdicts: 0 holds, 0 fails, 1 undecided")


def test_an_unknown_signer_is_undecided(shell: Shell) -> None:
    keyring = shell.write("keyring.json", {"another.key.id": PUBLIC_KEY})
    ran = shell("audit", shell.write("receipt.json", GOOD), *EVERYTHING[:4], "--keyring", keyring)
    assert ran.status == 2
    assert [line.split(" ")[3] for line in ran.lines[1:]] == ["signer-unknown", "certificate-signer-unknown"]


def test_audit_finds_the_documents_that_each_receipt_names(shell: Shell, bench: Bench) -> None:
    other = Bench(contract_id="contract.of.another.task")
    files = [
        shell.write("contracts.jsonl", json_lines([document(bench.contract), document(other.contract)])),
        shell.write("certificates.json", [document(other.certificate), document(bench.certificate)]),
    ]
    keyring = shell.write("keyring.json", {bench.key.key_id: bench.key.public_key})
    receipts_file = shell.write(
        "receipts.jsonl",
        json_lines(
            [
                document(bench.receipt()),
                document(other.receipt(receipt_id="receipt.of.another", nonce="nonce.of.another")),
            ]
        ),
    )
    given = ("--contract", files[0], "--certificate", files[1], "--keyring", keyring)
    results = shell.results("audit", receipts_file, *given)
    assert results[0]["verdict"] == "holds"
    # The two benches hold two keys under one id, so of the other's receipt the signatures are all that fails.
    assert [finding["code"] for finding in results[1]["findings"]] == [
        "signature-invalid",
        "certificate-signature-invalid",
    ]


def test_a_long_line_is_not_blank_because_it_starts_so(shell: Shell) -> None:
    name = shell.write("receipts.jsonl", GOOD + b"\n" + b" " * MIB + b" garbage\n")
    ran = shell("lint", name)
    assert (ran.status, [code for _, code in ran.codes]) == (1, ["json.size"])
    name = shell.write("receipt.json", b" " * MIB + b" garbage")
    assert shell("lint", name).codes[0][1] == "json.size"


def test_a_file_is_read_once_whatever_it_is_called(shell: Shell) -> None:
    shell.write("a.json", GOOD)
    (shell.folder / "b.json").symlink_to("a.json")
    for names in (("a.json", "./a.json"), ("**/**/*.json",), ("a.json", "b.json", "*.json")):
        ran = shell("lint", *names)
        assert (ran.status, ran.err) == (0, "1 document, 0 findings\n")


def test_a_document_of_another_kind_is_one_finding(shell: Shell) -> None:
    ran = shell("lint", shell.write("receipt.json", GOOD), "--kind", "contract")
    assert (ran.status, [code for _, code in ran.codes]) == (1, ["schema.const"])


def test_a_repeated_receipt_fails_the_audit(shell: Shell) -> None:
    twice = shell.write("receipts.jsonl", GOOD + b"\n" + GOOD)
    ran = shell("audit", twice, *EVERYTHING)
    assert ran.status == 1
    assert [line.split("  ")[2] for line in ran.lines[:2]] == ["holds", "fails"]
    assert [code for _, code in ran.codes[2:]] == ["duplicate", "duplicate"]
    assert shell("audit", shell.write("receipts.txt", GOOD), "--lines", *EVERYTHING).status == 0


def test_several_keyrings_are_one(shell: Shell, bench: Bench) -> None:
    mine = shell.write("mine.json", {bench.key.key_id: bench.key.public_key})
    field = shell.write("field.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    name = shell.write("receipt.json", GOOD)
    for order in ((mine, field), (field, mine)):
        assert shell("verify", name, "--keyring", order[0], "--keyring", order[1]).status == 0
    other = shell.write("other.json", {"dev.key.synthetic-proof": bench.key.public_key})
    undecided(shell("verify", name, "--keyring", field, "--keyring", other), "two different keys")
    undecided(shell("verify", name, "--keyring", field, "--public-key", OPENADAPT / "public_key.txt"), "not both")


def test_a_key_in_place_of_its_file_is_not_shown(shell: Shell) -> None:
    ran = shell("verify", shell.write("receipt.json", GOOD), "--public-key", PUBLIC_KEY)
    undecided(ran, "not the key itself")
    assert PUBLIC_KEY not in ran.out + ran.err
    private = shell.write("key.json", {"issuer_key_id": "key.of.a.test", "private_key": PUBLIC_KEY})
    undecided(shell("verify", shell.write("receipt.json", GOOD), "--keyring", private), "private key file")


def test_audit_against_another_contract_says_so(shell: Shell) -> None:
    ran = shell(
        "audit", shell.write("receipt.json", GOOD), "--contract", WORKED / "contract_as_authored.json", *EVERYTHING[2:]
    )
    assert ran.status == 1
    assert ran.lines[0].split("  ")[2] == "fails"
    assert (
        " /reward_contract_digest receipt-names-another-contract The receipt names contract sha256:ae04" in ran.lines[1]
    )


def test_audit_at_the_trainers_update(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    assert shell("audit", name, *EVERYTHING, "--at-update", 7).status == 0
    assert shell("audit", name, *EVERYTHING, "--at-update", 6).codes[1][1] == "policy-update-ahead"
    assert shell("audit", name, *EVERYTHING, "--at-update", 100).codes[1][1] == "certificate-expired-at-update"
    undecided(shell("audit", name, *EVERYTHING, "--at-update", -1))


def test_audit_with_something_that_is_not_usable_audits_nothing(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    undecided(shell("audit", name, "--contract", "missing.json"), "missing.json")
    undecided(shell("audit", name, "--keyring", "missing.json"), "missing.json")
    ran = shell("audit", name, "--contract", name)
    assert ran.status == 1
    assert "schema.const" in ran.out
    assert "holds" not in ran.out
    undecided(shell("audit", name, "--keyring", name, "--public-key", name), "not both")


def test_a_receipt_that_does_not_hold_is_not_audited(shell: Shell) -> None:
    ran = shell("audit", shell.write("receipts.jsonl", WRONG + b"\n" + GOOD), *EVERYTHING)
    assert ran.status == 1
    assert [line.split(" ")[0].split(":")[1] for line in ran.lines] == ["1", "1", "2"]
    assert ran.lines[0].endswith("  invalid")
    assert ran.lines[2].split("  ")[2] == "holds"


# verify


def test_verify_the_field(shell: Shell) -> None:
    ran = shell("verify", OPENADAPT / "receipts.json", OPENADAPT / "certificate.json", *EVERYTHING[4:])
    assert ran.status == 0
    assert len(ran.lines) == 43
    assert ran.lines[-1].split("  ") == [
        "valid",
        str(OPENADAPT / "certificate.json"),
        "reward.certificate.proof-synthetic",
        "dev.key.synthetic-proof",
    ]


def test_verify_what_was_altered(shell: Shell) -> None:
    name = shell.write("receipt.json", {**receipts(1)[0], "policy_update": 8})
    ran = shell("verify", name, *EVERYTHING[4:])
    assert ran.status == 1
    assert ran.lines[0].startswith(f"invalid  {name}  receipt.proof.claim.t0.s101.certified_sor  dev.key.")
    assert " /signature signature-invalid " in ran.lines[1]


def test_verify_with_a_keyring(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    good = shell.write("good.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    other = shell.write("other.json", {"another.key.id": PUBLIC_KEY})
    assert shell("verify", name, "--keyring", good).status == 0
    ran = shell("verify", name, "--keyring", other)
    assert ran.status == 2
    assert ran.lines[0].startswith("signer-unknown  ")
    assert " /issuer_key_id unchecked signer-unknown " in ran.lines[1]
    both = shell("verify", name, shell.write("wrong.json", WRONG), "--keyring", other)
    assert both.status == 1


def test_verify_a_contract_cannot_be_decided(shell: Shell) -> None:
    undecided(
        shell("verify", OPENADAPT / "contract.json", *EVERYTHING[4:]), "contract.json is a contract, which carries no"
    )


@pytest.mark.parametrize(
    "key",
    [
        "",
        "no key",
        base64.b64encode(bytes(31)).decode(),
        base64.b64encode(bytes(33)).decode(),
        PUBLIC_KEY[:-2] + "N=",
        "\u00e9" * 44,
        "A" * 10_000,
    ],
    ids=["empty", "no base64", "31 bytes", "33 bytes", "not canonical", "not ASCII", "long"],
)
def test_a_malformed_key_is_not_a_verdict(shell: Shell, key: str) -> None:
    name = shell.write("receipt.json", GOOD)
    ran = shell("verify", name, "--public-key", shell.write("key.txt", key))
    undecided(ran, "key.txt")
    assert not key or key not in ran.err
    undecided(
        shell("verify", name, "--keyring", shell.write("keyring.json", {"dev.key.synthetic-proof": key})),
        "keyring.json",
    )


def test_keys_that_cannot_be_read(shell: Shell) -> None:
    name = shell.write("receipt.json", GOOD)
    for option in ("--keyring", "--public-key"):
        undecided(shell("verify", name, option, "missing"), "cannot read missing: No such file")
        undecided(shell("verify", name, option, "."), "cannot read .: Is a directory")
    undecided(shell("verify", name), "--keyring")
    for keyring in (b"[]", b"{", b'{"dev.key.synthetic-proof": 1}', b"\xff"):
        undecided(shell("verify", name, "--keyring", shell.write("keyring.json", keyring)), "keyring.json")


# keygen and sign


def test_keygen_sign_verify(shell: Shell) -> None:
    made = shell("keygen", "key.of.a.test")
    assert made.status == 0
    private, keyring = shell.folder / "key.of.a.test.private.json", shell.folder / "key.of.a.test.keyring.json"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert made.out == f"public key  key.of.a.test  {plain(keyring)['key.of.a.test']}\n"
    assert plain(private)["private_key"] not in made.out + made.err

    unsigned = {**receipts(1)[0], "issuer_key_id": "key.of.a.test"}
    del unsigned["signature"], unsigned["signature_algorithm"]
    name = shell.write("unsigned.json", unsigned)
    ran = shell("sign", name, "--signing-key", private, "-o", "signed.json")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert shell("verify", "signed.json", "--keyring", keyring).status == 0
    printed = shell("sign", name, "--signing-key", private)
    assert printed.out.encode() == (shell.folder / "signed.json").read_bytes()
    assert shell("verify", "-", "--keyring", keyring, stdin=printed.out.encode()).status == 0
    assert shell("sign", "-", "--signing-key", private, stdin=json.dumps(unsigned).encode()).out == printed.out
    resigned = shell("sign", shell.write("again.json", {**unsigned, "signature": "x"}), "--signing-key", private)
    assert resigned.out == printed.out


def test_signing_a_certificate_completes_it(shell: Shell, bench: Bench) -> None:
    bench.key.write(shell.folder / "key.json")
    unsigned = document(bench.certificate)
    del unsigned["signature"], unsigned["signature_algorithm"], unsigned["schema_version"]
    name = shell.write("certificate.json", unsigned)
    assert shell("sign", name, "--signing-key", "key.json").codes == [(f"{name}:1:1", "schema.required")]
    ran = shell("sign", name, "--signing-key", "key.json", "--kind", "certificate")
    assert rr.read_document(ran.out) == bench.certificate


def test_documents_that_cannot_be_signed(shell: Shell, bench: Bench) -> None:
    bench.key.write(shell.folder / "key.json")
    key = ("--signing-key", "key.json")
    mine = {**receipts(1)[0], "issuer_key_id": bench.key.key_id}
    undecided(
        shell("sign", OPENADAPT / "certificate.json", *key, "-o", "out.json"),
        "dev.key.synthetic-proof",
        "key.test.bench",
    )
    undecided(shell("sign", OPENADAPT / "contract.json", *key, "-o", "out.json"), "carries no signature")
    undecided(shell("sign", "missing.json", *key, "-o", "out.json"), "missing.json")
    undecided(shell("sign", shell.write("two.jsonl", json_lines([mine, mine])), *key), "more than one document")
    ran = shell("sign", shell.write("wrong.json", {**mine, "certified": "yes"}), *key, "-o", "out.json")
    assert (ran.status, ran.codes[0][1]) == (1, "schema.type")
    ran = shell("sign", shell.write("torn.json", json.dumps(mine)[:90]), *key, "-o", "out.json")
    assert (ran.status, ran.codes[0][1]) == (1, "json.syntax")
    assert not (shell.folder / "out.json").exists()


def test_signing_never_writes_over_a_file(shell: Shell, bench: Bench) -> None:
    bench.key.write(shell.folder / "key.json")
    mine = shell.write("mine.json", {**receipts(1)[0], "issuer_key_id": bench.key.key_id})
    before = (shell.folder / mine).read_bytes()
    undecided(shell("sign", mine, "--signing-key", "key.json", "-o", mine), "cannot write mine.json: File exists")
    assert (shell.folder / mine).read_bytes() == before
    undecided(shell("sign", mine, "--signing-key", "key.json", "-o", "no/folder.json"), "cannot write no/folder.json")


def test_a_signing_key_that_cannot_be_used(shell: Shell, bench: Bench) -> None:
    mine = shell.write("mine.json", {**receipts(1)[0], "issuer_key_id": bench.key.key_id})
    undecided(shell("sign", mine, "--signing-key", "missing"), "cannot read missing")
    undecided(shell("sign", mine, "--signing-key", "."), ".: a private key is a plain file")
    os.chmod(shell.write("short.json", {"issuer_key_id": bench.key.key_id, "private_key": "c2VjcmV0IQ=="}), 0o600)
    ran = shell("sign", mine, "--signing-key", "short.json")
    undecided(ran, "short.json")
    assert "c2VjcmV0IQ" not in ran.err
    bench.key.write(shell.folder / "open.json")
    (shell.folder / "open.json").chmod(0o644)
    undecided(shell("sign", mine, "--signing-key", "open.json"), "0644", "chmod 600")


@pytest.mark.parametrize("existing", ["private", "keyring"])
def test_keygen_writes_both_files_or_neither(shell: Shell, existing: str) -> None:
    shell.write(f"{existing}.json", b"mine")
    paths = ("--private-key", "private.json", "--keyring", "keyring.json")
    undecided(shell("keygen", "key.of.a.test", *paths), f"cannot write {existing}.json: File exists")
    assert sorted(path.name for path in shell.folder.iterdir()) == [f"{existing}.json"]
    assert (shell.folder / f"{existing}.json").read_bytes() == b"mine"


def test_keygen_refuses_what_cannot_be(shell: Shell) -> None:
    for arguments in (
        ("short",),
        ("with/slash.of.key",),
        ("key.of.a.test", "--private-key", "no/folder.json"),
        ("key.of.a.test", "--keyring", "no/folder.json"),
        ("key.of.a.test", "--private-key", "same.json", "--keyring", "same.json"),
    ):
        undecided(shell("keygen", *arguments))
        assert not list(shell.folder.iterdir())


# schema and explain


def test_schema_list_and_print(shell: Shell) -> None:
    listed = shell("schema", "list")
    assert [line.split()[0] for line in listed.lines] == list(SCHEMA_FILES)
    for name in SCHEMA_FILES:
        printed = json.loads(shell("schema", "print", name).out)
        assert f"{printed['$id']}  {printed['title']}" in listed.out
    undecided(shell("schema", "print", "seal"), "seal", "contract, certificate, receipt")


def test_schema_bundle(shell: Shell) -> None:
    bundled = json.loads(shell("schema", "bundle", "receipt").out)
    assert bundled["$id"] == json.loads(shell("schema", "print", "receipt").out)["$id"]
    assert "schema.json" not in json.dumps(bundled).replace(bundled["$id"], "")
    undecided(shell("schema", "bundle", "common"), "common")


def test_explain_knows_every_code(shell: Shell) -> None:
    for code in catalogue().values():
        ran = shell("explain", code.id)
        assert ran.status == 0
        expected = [
            code.id,
            f"  says    {code.sentence}",
            f"  layer   {code.layer}",
            f"  source  schemas/{code.source}",
        ]
        assert ran.lines == expected + ([f"  fix     {code.fix}"] if code.fix else [])


def test_explain_names_what_is_close(shell: Shell) -> None:
    undecided(shell("explain", "receipt.verified-postive"), "receipt.verified-positive")
    undecided(shell("explain", "qqqq"), "no rule or code 'qqqq'")


# help, version, usage


def test_version(shell: Shell) -> None:
    ran = shell("--version")
    assert ran.status == 0
    first, *rest = ran.out.splitlines()
    assert first == f"reward-receipts {rr.__version__}"
    assert rest in ([], ["with the extension reward_receipts_core"])


@pytest.mark.parametrize(
    "command", ["", "lint", "digest", "score", "audit", "sign", "verify", "keygen", "explain", "schema"]
)
def test_help_of_every_command_and_no_certified_without_synthetic(shell: Shell, command: str) -> None:
    ran = shell(*command.split(), "--help")
    assert (ran.status, ran.err) == (0, "")
    assert "Usage: reward-receipts" in ran.out
    words = " ".join(ran.out.split())
    assert words.count("certified") + words.count("certification") <= words.count("synthetic")


def test_wrong_usage(shell: Shell) -> None:
    undecided(shell("lintt"), "lintt")
    undecided(shell("lint"), "FILES")
    undecided(shell("lint", "x", "--formt", "json"), "--formt")
    undecided(shell("lint", "x", "-f", "yaml"), "yaml")
    undecided(shell("score", "verified"), "--contract")
    undecided(shell("schema"))
    assert shell().status == 2


def test_files_on_a_network_drive_without_inode_numbers_are_all_read(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, *_ = receipts(1)
    names = [shell.write("good.json", good), shell.write("bad.json", {**good, "oracle_tier": 9})]
    status = os.stat

    def without_inodes(path: Any, **options: Any) -> os.stat_result:
        found = list(status(path, **options))
        found[1] = found[2] = 0  # st_ino and st_dev
        return os.stat_result(found)

    monkeypatch.setattr(os, "stat", without_inodes)
    assert shell("lint", *names).status == 1


def test_a_file_named_in_several_ways_is_read_once(shell: Shell) -> None:
    name = shell.write("good.json", receipts(1)[0])
    (shell.folder / "link.json").symlink_to(name)
    ran = shell("digest", name, f"./{name}", shell.folder / name, "link.json", "*.json")
    assert (ran.status, len(ran.lines)) == (0, 1)


@pytest.mark.parametrize(
    ("wrapped", "hint"),
    [
        ({"issuer": "self_signed", "receipt": receipts(1)[0]}, 'Its member "receipt" is a document; take it out'),
        ({"issuer_key_id": "key.mine.0001", "private_key": "AA=="}, "This looks like a private key file"),
        ({"receipt": {"schema_version": ["x"]}}, "The kinds are "),
    ],
)
def test_an_envelope_and_a_private_key_file_are_recognised(shell: Shell, wrapped: Any, hint: str) -> None:
    ran = shell("lint", shell.write("wrapped.json", wrapped))
    assert (ran.status, ran.codes) == (1, [("wrapped.json:1:1", "schema.required")])
    assert hint in ran.out
