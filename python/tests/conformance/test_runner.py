"""The runner: whatever an implementation does, each case gets the right status, in time, and no process is left."""

from __future__ import annotations

import contextlib
import re
import secrets
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
import small_corpus
from reward_receipts.conformance import runner
from reward_receipts.conformance.corpus import load
from reward_receipts.conformance.process import MAX_LINE, CannotStart
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.conformance.results import Run
from reward_receipts.conformance.runner import Settings

TESTS = Path(__file__).resolve().parents[1] / "support"
FAMILY = "REWARD_RECEIPTS_TEST_FAMILY"
PASS = dict.fromkeys(("json/object", "json/array", "json/comma", "json/open"), "pass")

OwnToy = Callable[..., Run]


def family(mark: str) -> list[psutil.Process]:
    """What a test started, and all that came of it, while it runs: by environment or by argument."""
    found = []
    for process in psutil.process_iter():
        try:
            marked = process.environ().get(FAMILY) == mark or mark in process.cmdline()
            if marked and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            pass
    return found


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark that whatever the test starts carries. At the end none of that may run."""
    mark = secrets.token_hex(8)
    monkeypatch.setenv(FAMILY, mark)
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    yield mark
    left = family(mark)
    for process in left:
        process.kill()
    assert left == []


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("few") / "corpus", small_corpus.a_few())


@pytest.fixture(scope="session")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("every") / "corpus", small_corpus.all_layers())


def toy_command(tmp_path: Path, script: str, corpus: Path, *arguments: str) -> list[str]:
    """The command of a toy driver."""
    file = tmp_path / "driver.py"
    file.write_text("from toy import *\nimport os, subprocess\n" + textwrap.dedent(script))
    return [sys.executable, str(file), str(corpus), *arguments]


@pytest.fixture
def toy(tmp_path: Path, few: Path, mark: str, monkeypatch: pytest.MonkeyPatch) -> OwnToy:
    """Runs a toy driver on the four cases of ``few``.

    It waits long for a driver that answers, which costs nothing; a test of one that does not says how long.
    """

    def run(script: str, *, timeout: float = 60.0, start_timeout: float = 60.0, last_words: float = 1.0) -> Run:
        command = toy_command(tmp_path, script, few, mark)
        monkeypatch.setattr(runner, "LAST_WORDS", last_words)
        return runner.run(load(str(few)), command, Settings(timeout, start_timeout, seed=7))

    return run


def statuses(run: Run) -> dict[str, str]:
    return {result.case.id: result.status for result in run.results}


def detail(run: Run, case_id: str) -> str:
    return next(result.detail for result in run.results if result.case.id == case_id)


def on_comma(what: str) -> str:
    """A driver that answers rightly, and does something at json/comma."""
    return f"""
hello()
for request in requests():
    if name_of(request) != "json/comma":
        answer(request)
        continue
{textwrap.indent(textwrap.dedent(what).strip(), "    ")}
"""


# What it should do


def test_right_answers_are_a_claim(toy: OwnToy) -> None:
    done = toy("hello()\nfor request in requests(): answer(request)")
    assert statuses(done) == PASS
    assert done.conformant
    assert done.claim == "conformant at json of corpus 1.0.0"


def test_each_case_is_asked_twice_in_two_orders_that_the_seed_gives_and_by_ids_that_say_nothing(
    tmp_path: Path, every: Path
) -> None:
    script = """
    log = open(sys.argv[2], "a")
    hello()
    for request in requests():
        print(request["id"], name_of(request), file=log, flush=True)
        answer(request)
    """
    asked = []
    corpus = load(str(every))
    for number, seed in enumerate((7, 7, 8)):
        log = tmp_path / str(number)
        done = runner.run(corpus, toy_command(tmp_path, script, every, str(log)), Settings(seed=seed))
        assert done.conformant, done.claim
        asked.append([line.split() for line in log.read_text().splitlines()])
    first, same_seed, other_seed = ([name for _, name in lines] for lines in asked)
    half = len(corpus.cases)
    assert sorted(first[:half]) == sorted(first[half:]) == sorted(case.id for case in corpus.cases)
    assert first[:half] != first[half:]
    assert first == same_seed
    assert first != other_seed
    ids = [request_id for lines in asked for request_id, _ in lines]
    assert len(set(ids)) == len(ids)


def test_one_process_answers_the_whole_run(toy: OwnToy, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    done = toy(f"open({str(starts)!r}, 'a').write('x')\nhello()\nfor request in requests(): answer(request)")
    assert done.conformant
    assert starts.read_text() == "x"


def test_standard_error_is_never_an_answer(toy: OwnToy) -> None:
    script = """
    hello()
    for request in requests():
        sys.stderr.write("warning: x" * 200_000)
        answer(request)
    """
    assert statuses(toy(script)) == PASS


def test_a_document_over_the_size_of_a_pipe_arrives_whole(tmp_path: Path) -> None:
    large = small_corpus.record("json/large", "read", {"valid": True}, text="[" + " " * 1_000_000 + "]")
    folder = small_corpus.write(tmp_path / "corpus", [large])
    script = "hello()\nfor request in requests(): answer(request)"
    assert runner.run(load(str(folder)), toy_command(tmp_path, script, folder), Settings()).conformant


# What it says instead of an answer


def test_a_skip_and_an_error_are_not_answers(toy: OwnToy) -> None:
    script = """
    hello()
    for request in requests():
        name = name_of(request)
        if name == "json/comma": say({"id": request["id"], "skip": "not yet"})
        elif name == "json/open": say({"id": request["id"], "error": "panic!"})
        else: answer(request)
    """
    done = toy(script)
    assert statuses(done) == {**PASS, "json/comma": "skip", "json/open": "error"}
    assert detail(done, "json/comma") == "not yet"
    assert not done.conformant


def test_anything_that_hello_does_not_claim_is_unsupported_and_not_asked(tmp_path: Path, every: Path) -> None:
    script = """
    hello(layers=["json", "digest"], operations=["read", "digest"])
    for request in requests():
        assert request["operation"] in ("read", "digest")
        answer(request)
    """
    done = runner.run(load(str(every)), toy_command(tmp_path, script, every), Settings())
    assert {r.case.layer for r in done.results if r.status == "pass"} == {"json", "digest"}
    assert {r.status for r in done.results if r.case.layer not in ("json", "digest")} == {"unsupported"}
    # The layer digest has required cases of the operation canonical, which hello leaves out.
    assert statuses(done)["digest/number"] == "unsupported"
    assert [layer.layer for layer in done.layers if layer.conformant] == ["json"]
    assert not done.conformant


def test_a_wrong_answer_fails(toy: OwnToy) -> None:
    script = """
    hello()
    for request in requests():
        say({"id": request["id"], "answer": {"valid": True}})
    """
    done = toy(script)
    assert statuses(done) == {**PASS, "json/comma": "fail", "json/open": "fail"}
    assert detail(done, "json/comma") == "accepted, expected refused (json.syntax)"


def test_the_rule_id_is_a_figure_of_its_own_and_decides_nothing(toy: OwnToy) -> None:
    script = """
    hello()
    for request in requests():
        name = name_of(request)
        if name == "json/comma": say({"id": request["id"], "answer": {"valid": False, "codes": ["json.trailing"]}})
        elif name == "json/open": say({"id": request["id"], "answer": {"valid": False}})
        else: answer(request)
    """
    done = toy(script)
    assert statuses(done) == PASS
    (layer,) = done.layers
    assert (layer.accepts.passed, layer.accepts.of) == (2, 2)
    assert (layer.refusals.passed, layer.refusals.of) == (2, 2)
    assert (layer.rule_ids.passed, layer.rule_ids.of) == (0, 2)


@pytest.mark.parametrize(
    "change",
    [
        'say({"id": request["id"], "answer": {"valid": number % 2 == 0}})',
        'say({"id": request["id"], "answer": {"valid": False, "codes": ["json.syntax", "json.size"][:number]}})',
        'answer(request) if number % 2 else say({"id": request["id"], "skip": "not now"})',
    ],
)
def test_an_answer_that_differs_is_unstable(toy: OwnToy, change: str) -> None:
    done = toy(
        "number = 0\n"
        + on_comma(f"""
        number += 1
        {change}
        """)
    )
    assert statuses(done) == {**PASS, "json/comma": "unstable"}


def test_words_that_differ_in_an_error_are_not_unstable(toy: OwnToy) -> None:
    done = toy(on_comma('say({"id": request["id"], "error": "at 0x" + os.urandom(8).hex()})'))
    assert statuses(done) == {**PASS, "json/comma": "error"}


# What it must not do: one case

PAYLOADS = {
    "no boolean": '{"id": ID, "answer": {"valid": 1}}',
    "another member": '{"id": ID, "answer": {"valid": false, "sure": true}}',
    "no members": '{"id": ID, "answer": {}}',
    "no object": '{"id": ID, "answer": false}',
    "nothing": '{"id": ID}',
    "two things": '{"id": ID, "answer": {"valid": false}, "skip": "no"}',
    "codes that are none": '{"id": ID, "answer": {"valid": false, "codes": [1]}}',
    "a reason that is none": '{"id": ID, "skip": null}',
}


@pytest.mark.parametrize("line", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_an_answer_of_the_wrong_shape_is_a_protocol_error_and_no_refusal(toy: OwnToy, line: str) -> None:
    done = toy(on_comma(f"write({line!r}.replace('ID', json.dumps(request['id'])).encode() + b'\\n')"))
    assert statuses(done) == {**PASS, "json/comma": "protocol-error"}


LINES = {
    "no JSON": b"accept\n",
    "an empty line": b"\n",
    "two values": b'{"valid": false} {"valid": false}\n',
    "no object": b"[false]\n",
    "no id": b'{"answer": {"valid": false}}\n',
    "another id": b'{"id": "1", "answer": {"valid": false}}\n',
    "an id that is a number": b'{"id": 1, "answer": {"valid": false}}\n',
    "NaN": b'{"id": ID, "answer": {"valid": NaN}}\n',
    "a member twice": b'{"id": ID, "answer": {"valid": false, "valid": false}}\n',
    "bytes that are not UTF-8": b'{"id": ID, "error": "\xff\xfe"}\n',
    "a byte order mark": b'\xef\xbb\xbf{"id": ID, "answer": {"valid": false}}\n',
    "binary garbage": bytes(range(256)) * 8 + b"\n",
    "nested too deep": b'{"id": ID, "answer": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "one giant line": b'{"id": ID, "error": "' + b"x" * (3 * MAX_LINE) + b'"}\n',
    "an answer after a log line": b'warning: slow\n{"id": ID, "answer": {"valid": false}}\n',
    "two answers": b'{"id": ID, "answer": {"valid": false}}\n{"id": ID, "answer": {"valid": false}}\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_line_that_is_not_an_answer_is_a_protocol_error_of_that_case_alone(
    toy: OwnToy, tmp_path: Path, line: bytes
) -> None:
    (tmp_path / "line").write_bytes(line)
    done = toy(
        on_comma(f"""
        line = open({str(tmp_path / "line")!r}, "rb").read()
        write(line.replace(b"ID", json.dumps(request["id"]).encode()))
        """)
    )
    assert statuses(done) == {**PASS, "json/comma": "protocol-error"}
    assert done.trouble is None
    assert len(detail(done, "json/comma")) < 1000


ENDS = {
    "dies of a signal": ("os.kill(os.getpid(), 11)", "crash", "died of signal 11 (SIGSEGV) before its answer"),
    "ends early with status 0": ("os._exit(0)", "crash", "ended with status 0 before its answer"),
    "ends with a status": ("os._exit(3)", "crash", "ended with status 3 before its answer"),
    "raises": ("raise RuntimeError('what broke')", "crash", "ended with status 1 before its answer"),
    "dies after its answer": (
        "answer(request); os.abort()",
        "crash",
        "died of signal 6 (SIGABRT) after its last answer",
    ),
    "ends after its answer": ("answer(request); os._exit(1)", "crash", "ended with status 1 after its last answer"),
    "ends within a line": ("write(b'{\"id\"'); os._exit(0)", "protocol-error", "its output ended within a line"),
    "dies within a line": ("write(b'{\"id\"'); os._exit(3)", "crash", "within a line: '{\"id\"'"),
    "closes its output": ("os.close(1); sleep()", "protocol-error", "its output ended before its answer"),
}


@pytest.mark.parametrize(("what", "status", "said"), ENDS.values(), ids=ENDS.keys())
def test_an_end_before_or_after_the_answer_is_that_case_alone(toy: OwnToy, what: str, status: str, said: str) -> None:
    done = toy(on_comma(what))
    assert statuses(done) == {**PASS, "json/comma": status}
    assert said in detail(done, "json/comma")
    assert done.trouble is None
    assert not done.conformant


def test_a_case_that_crashed_twice_is_not_asked_a_third_time(toy: OwnToy, tmp_path: Path) -> None:
    starts, asked = tmp_path / "starts", tmp_path / "asked"
    script = f"open({str(starts)!r}, 'a').write('x')\n" + on_comma(f"open({str(asked)!r}, 'a').write('x'); os.abort()")
    assert statuses(toy(script)) == {**PASS, "json/comma": "crash"}
    assert asked.read_text() == "xx"
    # At first; comma alone; the case before it alone, if there was one; and to go on.
    assert len(starts.read_text()) in (3, 4)


def test_a_case_that_was_answered_once_only_does_not_pass(toy: OwnToy, tmp_path: Path) -> None:
    once = str(tmp_path / "once")
    done = toy(f"""
    if os.path.exists({once!r}): sys.exit("not again")
    open({once!r}, "w")
    hello()
    for number, request in enumerate(requests()):
        if number == 4: os._exit(0)
        answer(request)
    """)
    assert sorted(statuses(done).values()) == ["crash", "not-run", "not-run", "not-run"]
    assert done.trouble is not None
    assert done.trouble.stderr == "not again\n"


def test_the_start_and_the_end_of_standard_error_tell_of_a_crash(toy: OwnToy) -> None:
    done = toy(on_comma("sys.stderr.write('panic: first\\n' + 'x' * 1_000_000); raise RuntimeError('what broke')"))
    (crash,) = [result for result in done.results if result.status == "crash"]
    assert crash.stderr.rstrip().endswith("RuntimeError: what broke")
    assert crash.stderr.startswith("panic: first\n")
    assert " bytes left out ..." in crash.stderr
    assert len(crash.stderr) <= 4100


WAITS = {
    "hangs, and ignores signals": "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]; sleep()",
    "drips": "while True: write(b' '); time.sleep(0.05)",
    "leaves out the line end": "write(json.dumps({'id': request['id'], 'answer': {'valid': False}}).encode()); sleep()",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", WAITS.values(), ids=WAITS.keys())
def test_no_whole_line_in_time_is_a_timeout_of_that_case_alone(toy: OwnToy, what: str) -> None:
    done = toy(on_comma(what), timeout=1.0)
    assert statuses(done) == {**PASS, "json/comma": "timeout"}
    assert "no answer within 1 s" in detail(done, "json/comma")


def test_the_timeout_is_for_each_answer_and_not_for_the_run(toy: OwnToy) -> None:
    script = """
    hello()
    for request in requests():
        time.sleep(0.3)
        answer(request)
    """
    assert statuses(toy(script, timeout=1.0)) == PASS


FLOODS = {
    "one line without end": b"x" * 65536,
    "lines": b"x\n" * 32768,
    "empty lines": b"\n" * 65536,
    "lines as long as may be": b"x" * 65535 + b"\n",
}


@pytest.mark.parametrize("chunk", FLOODS.values(), ids=FLOODS.keys())
def test_a_flood_on_standard_output_is_a_protocol_error(toy: OwnToy, tmp_path: Path, chunk: bytes) -> None:
    (tmp_path / "chunk").write_bytes(chunk)
    script = f"chunk = open({str(tmp_path / 'chunk')!r}, 'rb').read()\nwhile True: write(chunk)"
    assert statuses(toy(on_comma(script))) == {**PASS, "json/comma": "protocol-error"}


@pytest.mark.slow
def test_a_flood_on_standard_error_is_drained(toy: OwnToy) -> None:
    done = toy(on_comma("while True: os.write(2, b'x' * 65536)"), timeout=1.0)
    assert statuses(done) == {**PASS, "json/comma": "timeout"}


def peak_of(command: list[str]) -> tuple[int, int]:
    """Runs a command; its exit status, and the most bytes of memory that it held itself."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as popen:
        watched = psutil.Process(popen.pid)
        peak = 0
        while popen.poll() is None:
            try:
                peak = max(peak, watched.memory_info().rss)
            except psutil.Error:
                break
            time.sleep(0.005)
        return popen.wait(), peak


def test_long_answers_take_little_memory(tmp_path: Path, figure: Callable[[str], None]) -> None:
    cases = [small_corpus.record(f"json/{n}", "read", {"valid": True}, text=f"[{n}]") for n in range(60)]
    folder = small_corpus.write(tmp_path / "corpus", cases)
    script = """
    hello()
    for request in requests():
        say({"id": request["id"], "answer": {"valid": False, "codes": ["x" * 1_000_000]}})
    """
    command = toy_command(tmp_path, script, folder)
    status, peak = peak_of([*CLI, "conformance", "run", "--cases", str(folder), "--", *command])
    assert status == 1
    assert peak < 80 * 2**20
    figure(f"120 answers of 1 MB: {peak / 2**20:.0f} MiB at most")


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["stdout, no line end", "stdout, lines", "stderr"])
def test_a_flood_takes_little_memory(tmp_path: Path, few: Path, stream: str, figure: Callable[[str], None]) -> None:
    written = tmp_path / "written"
    chunk = b"x" * 999_999 + (b"\n" if stream == "stdout, lines" else b"x")
    script = f"""
    import threading
    def flood():
        written = 0
        while True:
            written += os.write({2 if stream == "stderr" else 1}, {chunk!r})
            open({str(written)!r}, "a").write(".")
    hello()
    flood()
    """
    command = toy_command(tmp_path, script, few)
    options = ["--cases", str(few), "--case", "json/comma", "--timeout", "1.5"]
    status, peak = peak_of([*CLI, "conformance", "run", *options, "--", *command])
    assert status == 1
    assert peak < 80 * 2**20
    figure(f"flood on {stream}: {peak / 2**20:.0f} MiB at most")


# What it must not do: every case


@pytest.mark.slow
def test_a_driver_that_always_hangs_is_given_up_in_bounded_time(toy: OwnToy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_TIMEOUTS", 4)
    done = toy("hello()\nsleep()", timeout=0.3)
    assert done.trouble is not None
    assert done.trouble.status == "not-run"
    assert "4 answers did not come in time" in done.trouble.detail
    assert sorted(statuses(done).values()) == ["not-run", "not-run", "timeout", "timeout"]


def test_a_driver_that_always_crashes_is_started_a_bounded_number_of_times(
    toy: OwnToy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MAX_STARTS", 5)
    starts = tmp_path / "starts"
    done = toy(f"open({str(starts)!r}, 'a').write('x')\nhello()\nfor request in requests(): os._exit(1)")
    assert starts.read_text() == "xxxxx"
    assert sorted(statuses(done).values()) == ["crash", "crash", "crash", "not-run"]
    assert done.trouble is not None
    assert "started 5 times" in done.trouble.detail
    assert not done.conformant


EVERY = {
    "wrong ids": 'say({"id": "1", "answer": right(request)})',
    "duplicate answers": "answer(request); answer(request)",
    "log lines": "print('asked', flush=True); answer(request)",
}


@pytest.mark.parametrize("what", EVERY.values(), ids=EVERY.keys())
def test_lines_that_are_always_wrong_are_protocol_errors(toy: OwnToy, what: str) -> None:
    done = toy(f"hello()\nfor request in requests():\n    {what}")
    assert set(statuses(done).values()) == {"protocol-error"}


def test_answers_before_requests_are_protocol_errors(toy: OwnToy) -> None:
    done = toy('hello()\nwhile True: say({"id": "1", "answer": {"valid": False}})')
    assert set(statuses(done).values()) == {"protocol-error"}


def test_a_driver_that_never_reads_does_not_block_the_runner(tmp_path: Path) -> None:
    large = small_corpus.record("json/large", "read", {"valid": True}, text="[" + " " * 1_048_000 + "]")
    corpus = load(str(small_corpus.write(tmp_path / "corpus", [large])))
    for end, status in (("sleep()", "timeout"), ("os._exit(0)", "crash")):
        command = toy_command(tmp_path, f"hello()\n{end}", tmp_path / "corpus")
        done = runner.run(corpus, command, Settings(timeout=0.5))
        assert {result.status for result in done.results} == {status}


def test_an_early_end_between_two_answers_is_a_crash_where_the_answer_was_due(toy: OwnToy) -> None:
    done = toy("""
    hello()
    for number, request in enumerate(requests()):
        if number == 3: sys.exit(0)
        answer(request)
    """)
    found = statuses(done)
    assert list(found.values()).count("crash") >= 1
    assert set(found.values()) == {"crash", "pass"}
    crashed = next(case_id for case_id, status in found.items() if status == "crash")
    assert detail(done, crashed).startswith("it ended with status 0 before its answer; the request was a line of ")
    assert detail(done, crashed).endswith(" bytes; asked again alone, it answered")


# The start and the end

HELLOS = {
    "nothing, and hangs": ("sleep()", "timeout", "no hello within 1 s"),
    "nothing, and reads": ("sys.stdin.read()", "timeout", "at the end of its input it ended with status 0"),
    "nothing, reads, and dies": ("sys.stdin.read(); os.abort()", "timeout", "it died of signal 6 (SIGABRT)"),
    "nothing, and ends": ("", "crash", "it ended with status 0 before its hello"),
    "a traceback": ("raise ImportError('no such thing')", "crash", "ended with status 1 before its hello"),
    "no JSON": ("print('starting up ...', flush=True); sys.stdin.read()", "protocol-error", "'starting up ...'"),
    "no hello": ("print('{}', flush=True)", "protocol-error", 'the first line is {}; it must have "hello"'),
    "more than hello": ("say({'hello': {}, 'id': 1})", "protocol-error", 'it must have "protocol"'),
    "no line end": ("write(b'{\"hello\"'); sleep()", "timeout", "within a line: '{\"hello\"'"),
    "no UTF-8": ("write(b'\\xff\\n')", "protocol-error", "json.utf8"),
    "a flood": ("while True: write(b'x' * 65536)", "protocol-error", f"more than {MAX_LINE} bytes"),
    "another protocol": ("hello(protocol=2)", "protocol-error", "hello/protocol is 2; it must be 1"),
    "a protocol that is not a number": (
        "hello(protocol=True)",
        "protocol-error",
        "hello/protocol is true; it must be 1",
    ),
    "no name": ("hello(name='')", "protocol-error", 'hello/name is ""; it is shorter than 1 character'),
    "a version that is not text": ("hello(version=1)", "protocol-error", "hello/version is 1; it must be text"),
    "an unknown layer": (
        "hello(layers=['json', 'digests'])",
        "protocol-error",
        'hello/layers/1 is "digests"; it must be "json" or',
    ),
    "a layer twice": (
        "hello(layers=['json', 'json'])",
        "protocol-error",
        'hello/layers is ["json", "json"]; it has non-unique',
    ),
    "layers that are none": ("hello(layers='json')", "protocol-error", 'hello/layers is "json"; it must be array'),
    "an unknown operation": (
        "hello(operations=['reed'])",
        "protocol-error",
        'hello/operations/0 is "reed"; it must be "read" or',
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("script", "status", "said"), HELLOS.values(), ids=HELLOS.keys())
def test_without_a_hello_nothing_is_asked_and_the_reason_is_reported(
    toy: OwnToy, script: str, status: str, said: str
) -> None:
    reads = "read()" in script
    done = toy(script, start_timeout=1.0 if status == "timeout" else 60.0, last_words=60.0 if reads else 1.0)
    assert done.trouble is not None
    assert done.trouble.status == status
    assert said in done.trouble.detail
    assert set(statuses(done).values()) == {"not-run"}
    assert not done.conformant
    assert said in done.claim


def test_a_slow_start_is_not_a_fault(toy: OwnToy) -> None:
    script = "time.sleep(1.5)\nhello()\nfor request in requests(): answer(request)"
    assert toy(script, timeout=1.0).conformant


def test_a_driver_that_says_another_hello_when_started_again_is_not_believed(toy: OwnToy, tmp_path: Path) -> None:
    once = str(tmp_path / "once")
    done = toy(f"""
    first = not os.path.exists({once!r})
    open({once!r}, "w")
    hello(version="1" if first else "2")
    for request in requests(): os._exit(1)
    """)
    assert done.trouble is not None
    assert (done.trouble.status, done.trouble.detail) == ("protocol-error", "started again, it says another hello")


BYES = {
    "ends with a status": ("sys.exit(3)", "crash", "it ended with status 3 after its last answer"),
    "hangs": ("sleep()", "timeout", "still running 1 s after the end of its input"),
    "says more": ("print('bye')", "protocol-error", "one more line than was asked for: 'bye'"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("bye", "status", "said"), BYES.values(), ids=BYES.keys())
def test_an_end_that_is_always_bad_is_the_drivers_fault_and_no_cases(
    toy: OwnToy, bye: str, status: str, said: str
) -> None:
    done = toy(f"hello()\nfor request in requests(): answer(request)\n{bye}", timeout=1.0)
    assert statuses(done) == PASS
    assert done.trouble is not None
    assert (done.trouble.status, done.trouble.detail) == (status, said)
    assert not done.conformant


def test_a_bad_end_does_not_hide_which_case_crashes(toy: OwnToy) -> None:
    done = toy(on_comma("os.abort()") + "\nsys.exit(3)")
    assert statuses(done) == {**PASS, "json/comma": "crash"}


# What it starts

LEAVES = {
    "a child that keeps the pipes": "subprocess.Popen(CHILD)",
    "a child in a session of its own": "subprocess.Popen(CHILD, start_new_session=True)",
    "a child without the environment": "subprocess.Popen(CHILD, start_new_session=True, env={})",
    "a daemon": "subprocess.run([sys.executable, '-c', DAEMON], check=True)",
    "a child that forks and ends, over and over": "subprocess.Popen([sys.executable, '-c', FORKS])",
}
LEFT = """
CHILD = [sys.executable, "-c", "import time; time.sleep(300)", sys.argv[2]]
DAEMON = f"import subprocess; subprocess.Popen({CHILD!r}, start_new_session=True)"
FORKS = "import os, time\\nfor _ in range(50):\\n    os.fork() and os._exit(0)\\n    time.sleep(0.2)"
"""


@pytest.mark.parametrize("leave", LEAVES.values(), ids=LEAVES.keys())
def test_anything_that_a_driver_leaves_behind_is_not_waited_for_and_does_not_stay(toy: OwnToy, leave: str) -> None:
    done = toy(f"{LEFT}\nhello()\n{leave}\nfor request in requests(): answer(request)")
    assert statuses(done) == PASS
    assert done.conformant


def test_a_crash_is_seen_though_a_child_keeps_the_pipe(toy: OwnToy) -> None:
    leave = LEAVES["a child in a session of its own"]
    done = toy(LEFT + on_comma(f"{leave}\nos._exit(0)"))
    assert statuses(done) == {**PASS, "json/comma": "crash"}


@pytest.mark.slow
def test_children_of_a_hung_driver_do_not_stay(toy: OwnToy) -> None:
    done = toy(LEFT + on_comma("subprocess.Popen(CHILD, start_new_session=True, env={})\nsleep()"), timeout=1.0)
    assert statuses(done) == {**PASS, "json/comma": "timeout"}


@pytest.mark.slow
@pytest.mark.parametrize("what", ["hello", "answer"])
def test_a_line_that_was_not_flushed_is_recognised_at_the_end_of_the_input(toy: OwnToy, what: str) -> None:
    held_back = """
    lines = []
    hello() if WHAT == "answer" else lines.append(None)
    for request in requests(): lines.append(request)
    for request in lines: hello() if request is None else answer(request)
    """
    # Only the line that is held back is waited for in vain; a slow start is not taken for one.
    waits = {"timeout": 0.5} if what == "answer" else {"start_timeout": 0.5}
    done = toy(held_back.replace("WHAT", repr(what)), **waits, last_words=60.0)
    said = done.trouble.detail if what == "hello" and done.trouble else detail(done, "json/comma")
    assert f"it probably wrote its {what} and did not flush it: flush standard output after each line" in said


def test_a_crash_names_the_length_of_the_request(tmp_path: Path) -> None:
    folder = small_corpus.write(
        tmp_path / "corpus", [small_corpus.record("json/long", "read", {"valid": True}, text="[]".ljust(500_000))]
    )
    command = toy_command(tmp_path, "hello()\nfor r in requests(): os._exit(3)", folder)
    done = runner.run(load(str(folder)), command, Settings(5.0, 10.0, seed=7))
    found = re.search(r"the request was a line of ([0-9]+) bytes", detail(done, "json/long"))
    assert found is not None
    assert 666_000 < int(found[1]) < 668_000


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is another thing there")
@pytest.mark.parametrize(
    ("name", "status"), [("SIGINT", 130), ("SIGTERM", -signal.SIGTERM), ("SIGHUP", -signal.SIGHUP)]
)
def test_a_signal_that_ends_a_run_leaves_no_process(tmp_path: Path, few: Path, name: str, status: int) -> None:
    asked = tmp_path / "asked"
    script = f"""
    hello()
    for request in requests():
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        open({str(asked)!r}, "w")
        sleep()
    """
    command = toy_command(tmp_path, script, few)
    with subprocess.Popen([*CLI, "conformance", "run", "--cases", str(few), "--", *command]) as popen:
        while not asked.exists():
            assert popen.poll() is None
            time.sleep(0.02)
        popen.send_signal(getattr(signal, name))
        assert popen.wait(20) == status


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no hang-up")
def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path, few: Path) -> None:
    asked = tmp_path / "asked"
    script = f"hello()\nfor request in requests(): open({str(asked)!r}, 'w'); time.sleep(0.2); answer(request)"
    command = toy_command(tmp_path, script, few)
    ignoring = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); from reward_receipts.cli import main; "
    )
    ignoring += "sys.exit(main(sys.argv[1:]))"
    started = [sys.executable, "-c", ignoring, "conformance", "run", "--cases", str(few), "--", *command]
    with subprocess.Popen(started, stdout=subprocess.DEVNULL) as popen:
        while not asked.exists():
            assert popen.poll() is None
            time.sleep(0.02)
        popen.send_signal(signal.SIGHUP)
        assert popen.wait(60) == 0


@pytest.mark.parametrize("what", ["missing", "not executable", "a folder", "no name"])
def test_anything_that_cannot_be_started_is_reported_by_name(tmp_path: Path, few: Path, what: str) -> None:
    command = tmp_path / "impl.py"
    if what == "not executable":
        command.write_text("print('no shebang, not executable')")
    elif what == "a folder":
        command.mkdir()
    with pytest.raises(CannotStart, match="cannot start"):
        runner.run(load(str(few)), ["" if what == "no name" else str(command)], Settings())


def test_a_driver_that_is_gone_when_it_is_to_be_started_again_is_reported_by_name(tmp_path: Path, few: Path) -> None:
    script = tmp_path / "impl"
    script.write_text('#!/bin/sh\nrm -- "$0"\n')  # no interpreter by its path, which may hold a space
    script.chmod(0o755)
    # It never says hello, so there is no second start, and no first one that could not be made.
    assert runner.run(load(str(few)), [str(script)], Settings()).trouble is not None
    with pytest.raises(CannotStart):
        runner.run(load(str(few)), [str(script)], Settings())


# This package's own driver

CLI = [sys.executable, "-c", "import sys; from reward_receipts.cli import main; sys.exit(main())"]
OWN = [sys.executable, "-m", "reward_receipts.conformance.driver"]


def test_our_own_driver_is_conformant_at_every_layer(every: Path) -> None:
    done = runner.run(load(str(every)), OWN, Settings())
    assert [(r.case.id, r.status, r.detail) for r in done.results if r.status != "pass"] == []
    assert all(layer.rule_ids.passed == layer.rule_ids.of for layer in done.layers)
    assert done.claim == f"conformant at {', '.join(LAYERS)} of corpus 1.0.0"


@pytest.mark.slow
def test_the_whole_corpus_takes_our_own_driver_few_seconds_and_little_memory(figure: Callable[[str], None]) -> None:
    began = time.monotonic()
    with subprocess.Popen([*CLI, "conformance", "run", "--", *OWN], stdout=subprocess.PIPE, text=True) as popen:
        assert popen.stdout is not None
        seconds: dict[int, float] = {}
        peak = 0
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.extend(popen.stdout or ()))
        reader.start()
        while popen.poll() is None:
            memory = 0
            with contextlib.suppress(psutil.Error):  # it ends at some time
                for process in (watched := psutil.Process(popen.pid), *watched.children(recursive=True)):
                    memory += process.memory_full_info().uss
                    seconds[process.pid] = sum(process.cpu_times()[:2])
            peak = max(peak, memory)
            time.sleep(0.05)
        reader.join()
        assert popen.wait() == 0
    corpus = load()
    assert said[-1] == f"conformant at {', '.join(LAYERS)} of corpus {corpus.version}\n"
    took = f"{sum(seconds.values()):.1f} s of processor, {time.monotonic() - began:.1f} s in all"
    figure(f"{len(corpus.cases)} cases twice: {took}, {peak / 1e6:.0f} MB at most")
    # Of processor, since others may have the machine; one after the other asks and answers, so alone it takes no more.
    assert sum(seconds.values()) < 10
    assert peak < 100e6


def test_our_own_driver_tells_of_what_it_cannot_answer(every: Path) -> None:
    from reward_receipts.conformance.driver import answer

    said = answer({"id": "x", "operation": "digest", "kind": "receipt", "input": {"document": "e30="}, "arguments": {}})
    assert set(said) == {"id", "error"}
    assert said["error"].startswith("InvalidDocument: ")
    assert "error" in answer({"id": "x", "operation": "dance", "kind": None, "input": {}, "arguments": {}})
