"""``audit --documents``: many receipts, the summary, levels, workers, and a run that ends before its time."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
import reward_receipts as rr
from command_line import COMMAND, Shell, in_a_process
from field import Bench
from reward_receipts.bulk.batches import Batch

FIRST, SECOND, UNHELD = Bench(), Bench(contract_id="contract.of.another.task"), Bench(contract_id="contract.not.held")
for bench in (SECOND, UNHELD):
    bench.key = FIRST.key
    bench.certificate = bench.certify()
ALL = ("--documents", "documents", "--keyring", "keyring.json")


def line(number: int, bench: Bench = FIRST, **members: object) -> bytes:
    ids = {"receipt_id": f"receipt.{number:04}", "nonce": f"nonce.{number:04}"}
    return bench.receipt(**{**ids, **members}).model_dump_json().encode() + b"\n"


LINES = [line(number, (FIRST, SECOND)[number % 2]) for number in range(40)]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    (tmp_path / "documents").mkdir()
    for number, each in enumerate((FIRST, SECOND)):
        shell.write(f"documents/contract{number}.json", each.contract.model_dump_json())
        shell.write(f"documents/certificate{number}.json", each.certificate.model_dump_json())
    shell.write("keyring.json", {FIRST.key.key_id: FIRST.key.public_key})
    return shell


def test_each_receipt_is_audited_against_what_it_names(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join(LINES))
    ran = desk("audit", "receipts.jsonl", *ALL)
    assert ran.status == 0
    assert ran.lines[0] == "40 receipts: 40 hold, 0 fail, 0 undecided, 0 invalid"
    assert any("certified (synthetic)" in each for each in ran.lines)
    assert ran.err == "40 documents, 0 findings; verdicts: 40 holds, 0 fails, 0 undecided, 0 invalid\n"


def test_a_receipt_without_its_documents_is_undecided_and_others_are_checked(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join([*LINES[:10], line(50, UNHELD), line(51, UNHELD), *LINES[10:20]]))
    ran = desk("audit", "receipts.jsonl", *ALL)
    assert ran.status == 2
    assert ran.lines[0] == "22 receipts: 20 hold, 0 fail, 2 undecided, 0 invalid"
    assert any("documents-not-held" in each and "receipts.jsonl:11" in each for each in ran.lines)
    assert "2 undecided" in ran.err


def test_findings_are_listed_on_request(desk: Shell) -> None:
    desk.write("receipts.jsonl.gz", gzip.compress(b"".join([LINES[0], b"{\n", LINES[0], LINES[1]])))
    ran = desk("audit", "receipts.jsonl.gz", *ALL)
    assert ran.status == 1
    assert not [each for each in ran.lines if each.startswith("receipts.jsonl.gz:")]
    listed = desk("audit", "receipts.jsonl.gz", *ALL, "--only-findings")
    assert listed.status == 1
    assert [each.split()[0] for each in listed.lines[:2]] == ["receipts.jsonl.gz:2", "receipts.jsonl.gz:2:2"]
    assert "2 duplicate" in " ".join(" ".join(listed.lines).split()) or "duplicate" in listed.out
    assert "4 receipts: 2 hold, 1 fail, 0 undecided, 1 invalid" in listed.lines


def test_a_verdict_a_line(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join([*LINES[:3], b"\n", b"{\n", LINES[3]]))
    ran = desk("audit", "receipts.jsonl", *ALL, "-f", "jsonl")
    found = [json.loads(each) for each in ran.lines]
    assert [(each["line"], each["verdict"]) for each in found[:-1]] == [
        (1, "holds"),
        (2, "holds"),
        (3, "holds"),
        (5, "invalid"),
        (6, "holds"),
    ]
    assert found[-1]["verdicts"] == {"holds": 4, "fails": 0, "undecided": 0, "invalid": 1}
    assert "aggregate" not in found[-1]


def test_the_summary_as_json(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join(LINES))
    whole = json.loads(desk("audit", "receipts.jsonl", *ALL, "--summary", "-f", "json").out)
    assert whole["results"] == []
    assert whole["summary"]["aggregate"]["verdicts"]["holds"] == 40
    assert len(whole["summary"]["aggregate"]["contracts"]) == 2
    one = json.loads(desk("audit", "receipts.jsonl", *ALL, "--no-summary", "-f", "json").out)
    assert whole["summary"]["checked"] == one["summary"]["checked"]
    assert len(one["results"]) == 40


@pytest.mark.parametrize(("level", "verdicts"), [("text", 3), ("schema", 2), ("signature", 1), ("audit", 1)])
def test_levels(desk: Shell, level: str, verdicts: int) -> None:
    valid_alone = LINES[0].replace(b"episode.", b"Episode.").replace(b"receipt.0000", b"receipt.0009")
    text_alone = b'{"a": 1}\n'
    desk.write("receipts.jsonl", LINES[0] + valid_alone.replace(b"nonce.0000", b"nonce.0009") + text_alone)
    results = desk.results("audit", "receipts.jsonl", *ALL, "--level", level)
    good = "holds" if level == "audit" else "valid"
    assert [each["verdict"] for each in results].count(good) == verdicts
    assert results[0]["verdict"] == good
    ran = desk("audit", "receipts.jsonl", *ALL, "--level", level)
    assert f"3 receipts: {verdicts if level == 'audit' else 0} hold" in ran.lines[0]


@pytest.mark.slow
def test_workers_print_the_same(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join([*LINES, b"{\n", LINES[3], *LINES[5:9]]))
    for form in ("text", "jsonl"):
        one, two = (desk("audit", "receipts.jsonl", *ALL, "-f", form, *more) for more in ((), ("--workers", "2")))
        assert (two.status, two.out, two.err) == (one.status, one.out, one.err)


def test_parquet_and_packed_names_need_no_option(desk: Shell) -> None:
    desk.write("a.jsonl.gz", gzip.compress(LINES[0] + LINES[1])[:-4])
    ran = desk("audit", ".", "--documents", "documents/*.json", "--keyring", "keyring.json")
    assert "text.damaged" in ran.out
    assert ran.status == 1


def test_documents_that_cannot_be_used(desk: Shell) -> None:
    desk.write("receipts.jsonl", LINES[0])
    desk.write("documents/bad.json", b'{"schema_version": "openadapt.reward-contract/v1"}')
    ran = desk("audit", "receipts.jsonl", *ALL)
    assert ran.status == 1
    assert "bad.json:1:1" in ran.out
    assert "hold" not in ran.out
    both = desk("audit", "receipts.jsonl", *ALL, "--contract", "documents/contract0.json")
    assert both.status == 2
    assert "not both" in both.err


def test_a_keyring_with_a_bad_entry_is_refused_whole(desk: Shell) -> None:
    desk.write("receipts.jsonl", LINES[0])
    desk.write("keyring.json", {FIRST.key.key_id: FIRST.key.public_key, "key.of.another": "AAAA"})
    ran = desk("audit", "receipts.jsonl", *ALL)
    assert (ran.status, ran.out) == (2, "")
    assert "key.of.another" in ran.err


def test_the_results_never_replace_what_is_read(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join(LINES))
    ran = desk("audit", "receipts.jsonl", *ALL, "-o", "receipts.jsonl")
    assert ran.status == 2
    assert (desk.folder / "receipts.jsonl").read_bytes() == b"".join(LINES)


def test_progress_is_on_standard_error(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join(LINES))
    ran = desk("audit", "receipts.jsonl", *ALL, "--progress")
    assert "40 receipts, " in ran.err
    assert "100%, 0 s left" in ran.err
    assert "receipts," not in desk("audit", "receipts.jsonl", *ALL).err


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_an_interrupted_run_says_what_was_done(desk: Shell, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("receipts.jsonl", b"".join(LINES))
    monkeypatch.setattr("reward_receipts.bulk.batches.BATCH_BYTES", 5000)
    real, calls = rr.bulk.Auditor.judge, []

    def judge(self: rr.bulk.Auditor, batch: Batch, key: bytes, *, keep: bool) -> object:
        calls.append(batch)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(self, batch, key, keep=keep)

    monkeypatch.setattr(rr.bulk.Auditor, "judge", judge)
    ran = desk("audit", "receipts.jsonl", *ALL, "-f", form)
    assert ran.status == 130
    assert "interrupted" in ran.err
    done = sum(batch.data.count(b"\n") for batch in calls[:2])
    assert 0 < done < 40
    if form == "text":
        assert ran.lines[0].startswith(f"{done} receipts: {done} hold")
    else:
        last = json.loads(ran.lines[-1])
        assert (last["type"], last["documents"], last["exit_status"]) == ("summary", done, 130)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_in_a_process(desk: Shell, workers: str) -> None:
    desk.write("receipts.jsonl", b"".join(LINES) + b"{\n" * 300_000)
    command = [*COMMAND, "audit", "receipts.jsonl", *ALL, "--workers", workers, "--no-summary"]
    with subprocess.Popen(command, cwd=desk.folder, stdout=-1, stderr=-1, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it is at work
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted; the counts are of what was done" in said
    assert b"Traceback" not in said


@pytest.mark.slow
def test_a_closed_pipe_gives_no_traceback(desk: Shell) -> None:
    desk.write("receipts.jsonl", b"".join(LINES) + b"{\n" * 20_000)
    command = [*COMMAND, "audit", "receipts.jsonl", *ALL, "-f", "jsonl", "--workers", "2"]
    with subprocess.Popen(command, cwd=desk.folder, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.wait() == 2
    assert said == "reward-receipts: cannot write to standard output: Broken pipe\n"


@pytest.mark.slow
def test_standard_input(desk: Shell) -> None:
    ran = in_a_process("audit", "-", "--lines", *ALL, cwd=desk.folder, input=b"".join(LINES).decode())
    assert ran.returncode == 0
    assert ran.stdout.startswith("40 receipts: 40 hold")
