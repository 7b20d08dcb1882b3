"""The drivers that are shipped in ``conformance/drivers``, run as anybody runs them."""

from __future__ import annotations

import ast
import base64
import inspect
import json
import os
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import small_corpus
from checkout import ROOT
from reward_receipts.conformance import runner
from reward_receipts.conformance.corpus import Case, Corpus, load
from reward_receipts.conformance.protocol import LAYERS, OPERATIONS
from reward_receipts.conformance.results import Run
from reward_receipts.conformance.runner import Settings

DRIVERS = ROOT / "conformance" / "drivers"
CORPUS = ROOT / "conformance"
PYTHON = "template.py"
NODE = "template.mjs"
TEMPLATES = [PYTHON, NODE]
LONGEST = 90
TWO_OF_FOUR = ["pass", "pass", "fail", "fail"]
"""What comes of accepting each of the four cases of ``few``."""

Figure = Callable[[str], None]

# A driver that gives the right answers, by what it was asked: a template with this in it shows that what reaches its
# functions is what the cases say, and that what they return is what the runner gets.
RIGHT = {
    PYTHON: """
def right(operation, given):
    with open(sys.argv[1], encoding="utf-8") as file:
        answers = json.load(file)
    parts = []
    for name, value in given.items():
        if type(value) is bytes:
            parts.append(name + "=" + base64.b64encode(value).decode())
        elif value is not None:
            parts.append(name + "=" + json.dumps(value, separators=(",", ":")))
    return answers["|".join([operation, *sorted(parts)])]
""",
    NODE: """
import { readFileSync } from "node:fs";
function right(operation, given) {
  const answers = JSON.parse(readFileSync(process.argv[2], "utf-8"));
  const parts = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    parts.push(name + "=" + (Buffer.isBuffer(value) ? value.toString("base64") : JSON.stringify(value)));
  }
  return answers[[operation, ...parts.sort()].join("|")];
}
""",
}


def question(case: Case) -> str:
    """What a case asks, as ``right`` in a template spells it."""
    given = {name: base64.b64encode(data).decode() for name, data in case.input.items() if data is not None}
    for name, value in case.arguments.items():
        if value is not None:
            given[name] = json.dumps(value, separators=(",", ":"))
    if case.kind is not None:
        given["kind"] = json.dumps(case.kind)
    return "|".join([case.operation, *sorted(f"{name}={value}" for name, value in given.items())])


def command_of(file: Path, *arguments: str) -> list[str]:
    """What runs a driver: this Python, or the Node on the path or, failing that, beside this Python."""
    if file.suffix == ".py":
        return [sys.executable, str(file), *arguments]
    node = shutil.which("node") or shutil.which("node", path=os.path.dirname(sys.executable))
    assert node is not None, "no Node: use tox -e node"
    return [node, str(file), *arguments]


def filled_in(template: str, operation: str, body: str) -> str:
    """A template with a function filled in by one line."""
    if "async function" in template:
        function = rf"^(async function {operation}\(.*\) \{{)(\}})$"
    else:
        function = rf'^(def {operation}\(.*\):\n    """.*"""\n)()'
    found, times = re.subn(function, lambda match: f"{match[1]}    {body}\n{match[2]}", template, flags=re.M)
    assert times == 1, operation
    return found


def names_of(template: str, operation: str) -> list[str]:
    """The names of what a function of a template is given."""
    (names,) = re.findall(rf"^(?:def|async function) {operation}\((.*)\)", template, flags=re.M)
    return re.findall(r"\w+", re.sub(r"=\w+", "", names))


def claiming(template: str, *layers: str) -> str:
    """A template that claims some layers."""
    for layer in layers:
        template, times = re.subn(rf'^( +)(?:#|//) ("?{layer}"?: \[.*\],)$', r"\1\2", template, flags=re.M)
        assert times == 1, layer
    return template


def run(driver: Path, corpus: Corpus, *arguments: str, layers: tuple[str, ...] = ()) -> Run:
    return runner.run(corpus, command_of(driver, *arguments), Settings(seed=7), layers=layers)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Some cases of every operation."""
    folder = small_corpus.write(tmp_path_factory.mktemp("every") / "corpus", small_corpus.all_layers())
    return load(str(folder))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return load(str(small_corpus.write(tmp_path_factory.mktemp("few") / "corpus", small_corpus.a_few())))


def driver_in(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def reading(name: str, body: str) -> str:
    """A template that claims the layer json, with one line in ``read``."""
    return claiming(filled_in((DRIVERS / name).read_text(encoding="utf-8"), "read", body), "json")


# The templates


@pytest.mark.parametrize("name", [PYTHON, NODE])
def test_a_template_is_short_and_needs_nothing(name: str) -> None:
    text = (DRIVERS / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    if name == PYTHON:
        imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
        assert len(imports) == len(modules)
        assert modules <= sys.stdlib_module_names
    else:
        assert re.findall(r'^import .*"(.*)";$', text, flags=re.M) == ["node:readline"]
        assert text.count("import ") == 1
        assert "require(" not in text


@pytest.mark.parametrize("name", [PYTHON, NODE])
def test_a_template_has_all_layers_and_operations(name: str) -> None:
    text = (DRIVERS / name).read_text(encoding="utf-8")
    lines = re.findall(r'^ +(?:#|//) "?(\w+)"?: \[(.*)\],$', text, flags=re.M)
    assert [layer for layer, _ in lines] == list(LAYERS)
    in_corpus: dict[str, set[str]] = {}
    for case in load(str(CORPUS)).cases:
        in_corpus.setdefault(case.layer, set()).add(case.operation)
    assert {layer: set(functions.split(", ")) for layer, functions in lines} == in_corpus
    assert re.findall(r"^(?:def|async function) (\w+)", text, flags=re.M) == list(OPERATIONS)


def test_each_function_takes_what_each_case_gives() -> None:
    template = runpy.run_path(str(DRIVERS / PYTHON))
    script = (DRIVERS / NODE).read_text(encoding="utf-8")
    for case in load(str(CORPUS)).cases:
        given = {**case.input, **case.arguments, **({"kind": case.kind} if case.kind else {})}
        inspect.signature(template[case.operation]).bind(**given)
        assert given.keys() <= set(names_of(script, case.operation)), case.id


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_without_changes_claims_nothing(name: str, few: Corpus) -> None:
    done = run(DRIVERS / name, few)
    assert done.hello is not None
    assert (done.hello.layers, done.hello.operations) == ((), ())
    assert {result.status for result in done.results} == {"unsupported"}
    assert not done.conformant
    assert done.trouble is None


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_with_all_filled_in_can_claim_all(name: str, every: Corpus, tmp_path: Path) -> None:
    text = (DRIVERS / name).read_text(encoding="utf-8")
    for operation in OPERATIONS:
        names = ", ".join(names_of(text, operation))
        given = "locals()" if name == PYTHON else f"{{ {names} }}"
        text = filled_in(text, operation, f'return right("{operation}", {given})')
    text = claiming(text, *LAYERS)
    text = text.replace("\nLAYERS = ", f"{RIGHT[name]}\nLAYERS = ") if name == PYTHON else text + RIGHT[name]
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({question(case): case.expect for case in every.cases}))
    done = run(driver_in(tmp_path, name, text), every, str(answers))
    assert [(r.case.id, r.status, r.detail) for r in done.results if r.status != "pass"] == []
    assert done.claim == f"conformant at {', '.join(LAYERS)} of corpus 1.0.0"


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_claimed_function_that_is_not_filled_in_answers_nothing(name: str, few: Corpus, tmp_path: Path) -> None:
    text = claiming((DRIVERS / name).read_text(encoding="utf-8"), "json")
    done = run(driver_in(tmp_path, name, text), few)
    assert {result.status for result in done.results} == {"protocol-error"}
    assert done.trouble is None


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize(
    ("python", "javascript", "statuses", "detail"),
    [
        ('return "no parser"', 'return "no parser";', ["skip"] * 4, "no parser"),
        ('raise KeyError("lost")', 'throw new Error("lost");', ["error"] * 4, "lost"),
        ('print("?"); return {"valid": True}', 'console.log("?"); return { valid: true };', TWO_OF_FOUR, ""),
    ],
    ids=["skip", "error", "print"],
)
def test_templates_do_with_what_its_functions_do(
    name: str, python: str, javascript: str, statuses: list[str], detail: str, few: Corpus, tmp_path: Path
) -> None:
    body = python if name == PYTHON else javascript
    done = run(driver_in(tmp_path, name, reading(name, body)), few)
    assert done.trouble is None
    assert [result.status for result in done.results] == statuses
    assert all(detail in result.detail for result in done.results)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_reads_bytes_as_they_are(name: str, tmp_path: Path) -> None:
    """Also no bytes at all, which are not the same as no document."""
    texts = (b"", b"\xff", b"\xef\xbb\xbf{}", "é𝄞".encode())
    valid = {text: "-".join(["bytes", *map(str, sorted(text))]) for text in texts}
    records = [
        small_corpus.record(f"json/text-{number}", "read", {"valid": False, "codes": [codes]}, text=text)
        for number, (text, codes) in enumerate(valid.items())
    ]
    corpus = load(str(small_corpus.write(tmp_path / "corpus", records)))
    python = 'return {"valid": False, "codes": ["-".join(["bytes", *map(str, sorted(text))])]}'
    sorting = '["bytes", ...[...text].sort((a, b) => a - b)].join("-")'
    body = python if name == PYTHON else f"return {{valid: false, codes: [{sorting}]}};"
    done = run(driver_in(tmp_path, name, reading(name, body)), corpus)
    assert [result.code for result in done.results] == list(valid.values())
    assert all(result.rule_id_agrees for result in done.results)
