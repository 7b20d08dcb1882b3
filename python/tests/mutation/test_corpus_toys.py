"""Toy implementations that are wrong in plain ways all fail the corpus, and the report says where and why.

Each is a driver of a few lines, a process of its own, put to the real runner. The toys that do know some right answers
look them up in the corpus, as no implementation could.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from checkout import ROOT
from command_line import COMMAND

Figure = Callable[[str], None]
Report = dict[str, Any]

CONFORMANCE = ROOT / "conformance"
TESTS = Path(__file__).resolve().parents[1] / "support"
HEAD = "import sys; sys.path.append({tests!r})\nfrom toy import *\n"
ANSWER = """
hello()
for request in requests():
    say({"id": request["id"], "answer": reply(request)})
"""
BY_OPERATION = """
EMPTY = {
    "canonical": {"canonical": ""}, "digest": {"digest": "", "canonical": ""}, "unmet": {"unmet": []},
    "score": {"scalar": "1.0", "certified": True, "development_only": False, "refusals": []},
    "state": {"state": "current"}, "refusals": {"refusals": []},
    "audit": {"verdict": "holds", "findings": [], "unchecked": []},
    "compose": {
        "digest": "", "resolved_digest": "", "steps": [],
        "ceiling": {"per_step": None, "at_end": None, "per_episode": None, "unbounded": []},
    },
}
"""


@pytest.fixture
def held(tmp_path: Path) -> Callable[..., Report]:
    """Runs a toy under the command line of the package; it must fail. Returns the report."""

    def run(script: str, *options: str, timeout: float = 10.0) -> Report:
        file = tmp_path / "driver.py"
        file.write_text(HEAD.format(tests=str(TESTS)) + textwrap.dedent(script))
        command = [
            *COMMAND,
            "conformance",
            "run",
            "--cases",
            str(CONFORMANCE),
            "--timeout",
            str(timeout),
            "--seed",
            "3",
        ]
        command += ["--start-timeout", "60", "-f", "json", *options, "--", sys.executable, str(file), str(CONFORMANCE)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 1, done.stderr
        report: Report = json.loads(done.stdout)
        assert report["claim"]["conformant"] is False
        assert report["claim"]["sentence"].startswith("not conformant")
        return report

    return run


def layers(report: Report) -> dict[str, Report]:
    found: dict[str, Report] = report["layers"]
    return found


def statuses(report: Report) -> set[str]:
    return {status for layer in report["layers"].values() for status in layer["statuses"]}


def all_of(count: Report) -> bool:
    return 0 < count["passed"] == count["of"]


def none_of(count: Report) -> bool:
    return count["passed"] == 0 < count["of"]


def tell(figure: Figure, name: str, report: Report) -> None:
    figure(f"{name}: {report['claim']['sentence']}")


@pytest.mark.slow
def test_one_that_accepts_everything(held: Callable[..., Report], figure: Figure) -> None:
    report = held(f"""{BY_OPERATION}
def reply(request):
    if request["operation"] in ("read", "validate"):
        return {{"valid": True}}
    return {{"verdict": "valid"}} if request["operation"] == "verify" else EMPTY[request["operation"]]
{ANSWER}""")
    for name in ("json", "schema", "rules", "signature"):
        assert all_of(layers(report)[name]["accepts"])
        assert none_of(layers(report)[name]["refusals"])
    assert not any(layer["conformant"] for layer in report["layers"].values())
    tell(figure, "accepts everything", report)


@pytest.mark.slow
def test_one_that_refuses_everything(held: Callable[..., Report], figure: Figure) -> None:
    report = held(f"""{BY_OPERATION}
def reply(request):
    if request["operation"] in ("read", "validate"):
        return {{"valid": False}}
    return {{"verdict": "invalid"}} if request["operation"] == "verify" else EMPTY[request["operation"]]
{ANSWER}""")
    for name in ("json", "schema", "rules"):
        assert none_of(layers(report)[name]["accepts"])
        assert all_of(layers(report)[name]["refusals"])
        assert none_of(layers(report)[name]["rule_ids"])
    assert not any(layer["conformant"] for layer in report["layers"].values())
    tell(figure, "refuses everything", report)


@pytest.mark.slow
def test_one_that_knows_the_schema_and_no_rules(held: Callable[..., Report], figure: Figure) -> None:
    report = held(
        f"""
import reward_receipts as rr
def reply(request):
    try:
        rr.read_document(base64.b64decode(request["input"]["document"]), request["kind"])
    except rr.InvalidDocument as error:
        code = error.findings[0].code
        if code.startswith(("schema.", "json.")):
            return {{"valid": False, "codes": [code]}}
    return {{"valid": True}}
{ANSWER}""",
        "--layer",
        "schema",
        "--layer",
        "rules",
    )
    expected = {case["rule_id"]["expected"] for case in report["cases"] if case["status"] == "fail"}
    assert expected
    assert all(code.startswith(("receipt.", "contract.", "certificate.")) for code in expected)
    assert all_of(layers(report)["schema"]["accepts"])
    assert all_of(layers(report)["rules"]["accepts"])
    assert layers(report)["rules"]["refusals"]["passed"] < layers(report)["rules"]["refusals"]["of"] // 4
    tell(figure, "knows no rules", report)


PLAIN_DIGEST = """
import hashlib
def digest(value):
    data = json.dumps(value, sort_keys=True, separators=(",", ":"){options}).encode()
    return {{"digest": "sha256:" + hashlib.sha256(data).hexdigest(), "canonical": base64.b64encode(data).decode()}}
def reply(request):
    given = request["input"].get("document") or request["input"].get("text")
    found = digest(json.loads(base64.b64decode(given)))
    return found if request["operation"] == "digest" else {{"canonical": found["canonical"]}}
"""


@pytest.mark.slow
def test_one_that_digests_with_plain_json_dumps(held: Callable[..., Report], figure: Figure) -> None:
    plain = PLAIN_DIGEST.replace(', separators=(",", ":"){options}', "").replace("{{", "{").replace("}}", "}")
    report = held(plain + ANSWER, "--layer", "digest")
    digest = layers(report)["digest"]
    assert digest["statuses"]["fail"] > digest["others"]["of"] // 2
    assert any("canonical differs at byte" in case.get("detail", "") for case in report["cases"])
    tell(figure, "digests with plain json.dumps", report)


@pytest.mark.slow
def test_one_that_digests_without_defaults(held: Callable[..., Report], figure: Figure) -> None:
    plain = PLAIN_DIGEST.replace("{options}", "").replace("{{", "{").replace("}}", "}")
    report = held(plain + ANSWER, "--layer", "digest")
    failed = {case["id"] for case in report["cases"] if case["status"] == "fail"}
    assert failed
    assert all(case.startswith("digest/document/") for case in failed), sorted(failed)
    assert "digest/document/completed/certificate-left-out" in failed
    tell(figure, "digests without defaults", report)


def test_one_that_always_gives_the_same_score(held: Callable[..., Report], figure: Figure) -> None:
    report = held(f"{BY_OPERATION}\ndef reply(request): return EMPTY['score']\n{ANSWER}", "--layer", "score")
    score = layers(report)["score"]
    assert 0 < score["others"]["passed"] < score["others"]["of"] // 2
    tell(figure, "a constant score", report)


PLAIN_ENGINE = """
from math import isfinite, nan, inf
DOUBLES = {"nan": nan, "infinity": inf, "-infinity": -inf}
def number(raw):
    raw = DOUBLES.get(raw.get("double"), 0.0) if type(raw) is dict else raw
    return float(raw) if type(raw) in (int, float, bool) else 0.0
def composed(spec, components, raw, ends):
    contributions = {}
    for term in spec["components"]:
        own = components[term["type"]]
        if own["cadence"] == "step" or ends:
            value = number(raw[term["type"]])
            low, high = term.get("clip") or own["clip"] or (-inf, inf)
            contributions[term["type"]] = max(low, min(value, high)) * term.get("weight", own["default_weight"])
    for gate in spec.get("gates", []):
        if not contributions.get(gate["requires"], 0.0) >= 0.0:
            contributions[gate["component"]] = 0.0
    contributions = {name: value if isfinite(value) else 0.0 for name, value in contributions.items()}
    return {"contributions": contributions, "total": min(sum(contributions.values()), 1e308)}
def reply(request):
    answer, asked = dict(right(request)), request["arguments"]
    if "steps" in answer:
        spec = json.loads(base64.b64decode(request["input"]["spec"]))
        steps = [step for step in asked["steps"] if "raw" in step]
        answer["steps"] = [composed(spec, asked["components"], step["raw"], step["terminated"]) for step in steps]
    return answer
"""


@pytest.mark.slow
def test_one_that_composes_as_a_training_loop_does(held: Callable[..., Report], figure: Figure) -> None:
    """NaN becomes a bound or 0, 0 opens a gate, only a terminated episode ends, and it ends again and again."""
    report = held(PLAIN_ENGINE + ANSWER, "--layer", "compose")
    compose = layers(report)["compose"]
    assert 0 < compose["others"]["passed"] < compose["others"]["of"]
    assert all_of(compose["refusals"])
    failed = {case["id"].split("/")[1] for case in report["cases"] if case["status"] == "fail"}
    assert {"not-finite", "not-a-number", "gates", "gates-in-order", "cadence", "minus-zero", "defaults"} <= failed
    details = {case["id"]: case["detail"] for case in report["cases"] if case["status"] == "fail"}
    assert details["compose/gates/shut-by-zero"] == "steps/0/contributions/bonus is 2.0, expected 0.0; " + (
        "steps/0/total is 2.0, expected 0.0"
    )
    assert not {"example", "clip", "ceiling", "digest"} & failed
    tell(figure, "composes as a training loop does", report)


@pytest.mark.slow
def test_one_that_crashes_on_what_it_must_refuse(held: Callable[..., Report], figure: Figure) -> None:
    report = held(
        f"""
def reply(request):
    if not right(request)["valid"]:
        os._exit(3)
    return right(request)
{ANSWER}""",
        "--case",
        "json/literals",
    )
    assert statuses(report) == {"pass", "crash"}
    assert all_of(layers(report)["json"]["accepts"])
    assert none_of(layers(report)["json"]["refusals"])  # a crash is not a refusal
    tell(figure, "crashes on invalid input", report)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reply", "status"),
    [
        ("hangs", "sleep()", "timeout"),
        ("writes garbage", 'write(b"\\x00\\xff garbage\\n")', "protocol-error"),
        ("answers under a wrong id", 'say({"id": "1", "answer": right(request)})', "protocol-error"),
    ],
    ids=["hang", "garbage", "wrong-id"],
)
def test_one_that_breaks_the_protocol(
    name: str, reply: str, status: str, held: Callable[..., Report], figure: Figure
) -> None:
    began = time.monotonic()
    report = held(f"hello()\nfor request in requests(): {reply}", "--case", "json/bom", timeout=1.0)
    assert status in statuses(report)
    assert statuses(report) <= {status, "not-run"}
    assert none_of(layers(report)["json"]["refusals"])
    figure(f"{name}: {report['claim']['sentence']} ({time.monotonic() - began:.0f} s)")


@pytest.mark.slow
def test_the_driver_of_this_package_is_held_to_the_whole_corpus(tmp_path: Path, figure: Figure) -> None:
    command = [*COMMAND, "conformance", "run", "--cases", str(CONFORMANCE), "-f", "json", "--"]
    command += [sys.executable, "-m", "reward_receipts.conformance.driver"]
    began, peaks = time.monotonic(), dict[str, int]()
    with (tmp_path / "report.json").open("wb") as file, subprocess.Popen(command, stdout=file) as process:
        while process.poll() is None:
            for name, size in _sizes(process.pid):
                peaks[name] = max(peaks.get(name, 0), size)
            time.sleep(0.05)
    seconds = time.monotonic() - began
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert process.returncode == 0
    assert report["claim"]["sentence"] == f"conformant at {', '.join(layers(report))} of corpus {report['corpus']}"
    assert set(peaks) == {"runner", "driver"}
    sizes = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in sorted(peaks.items()))
    figure(f"{len(report['cases'])} cases, each asked twice, in {seconds:.1f} s; at most {sizes}")


def _sizes(pid: int) -> Iterator[tuple[str, int]]:
    """The memory that the runner and its driver hold just now."""
    try:
        runner = psutil.Process(pid)
        yield "runner", runner.memory_info().rss
        for driver in runner.children():
            yield "driver", driver.memory_info().rss
    except psutil.NoSuchProcess:
        return
