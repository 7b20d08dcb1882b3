"""What scripts/generate writes: the same bytes everywhere, all of it described, and nothing else in generated/."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from enum import Enum
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT, copy_of_checkout, scripts
from pydantic import BaseModel
from reward_receipts.core.generated import vocabulary
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.documents.generated import models

command, python, read, tools = scripts("generate", "command", "python", "read", "tools")
differing = scripts("generate", "differences")[0].differing
LANGUAGES = {language.__name__.rpartition(".")[2] for language in command.LANGUAGES}
SOURCES = sorted(path for path in (ROOT / "generated").rglob("*.*") if path.is_file() and path.suffix != ".pyc")

# The names of section 13 of the specification, as it groups them.
GENERATED_MODELS = [
    "RewardContractV1",
    "RewardCertificateV1",
    "RewardEvidenceReceiptV1",
    "RewardComponentV1",
    "RewardOracleV1",
    "RewardScoringPolicyV1",
    "RewardCertificatePolicyV1",
]
GENERATED_ENUMS = [
    "RewardOutcomeV1",
    "RewardCertificateStateV1",
    "RewardUncertaintyStateV1",
    "RewardCalibrationScopeV1",
    "RewardCertificateIssuerV1",
    "OracleChannel",
    "OracleTier",
]
WORDS = {*GENERATED_ENUMS, "ZeroReason"}
"""The enums of all floors."""
HAND_WRITTEN = [
    "DEFAULT_REWARD_SCORING",
    "RewardScoringClassV1",
    "REWARD_SCORING_CLASS",
    "UNSCORED_REWARD_OUTCOMES",
    "tier_of",
    "REWARD_CERTIFIED_MINIMUM_TIER",
    "REWARD_CONTRACT_SCHEMA",
    "REWARD_CERTIFICATE_SCHEMA",
    "REWARD_EVIDENCE_RECEIPT_SCHEMA",
    "score",
    "RewardScoreV1",
    "certificate_state",
    "refuse_development_certification",
    "RewardCertificationRefused",
    "read_json",
    "read_document",
    "canonical_json_bytes",
    "sign",
    "verify",
    "Keyring",
    "audit",
    "AuditReport",
    "issue_receipt",
]

Generate = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_of_checkout(tmp_path / "a copy")


@pytest.fixture
def generate(checkout: Path, tmp_path: Path) -> Generate:
    """Runs the generator of the copy, from a directory of no meaning."""

    def run(*arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, checkout / "scripts" / "generate", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
        )

    return run


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of the files under a folder, by their paths there."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_bytes_are_the_same_from_any_directory_and_hash_seed(generate: Generate, checkout: Path, seed: str) -> None:
    wanted = contents(ROOT / "generated")
    for name in wanted:
        (checkout / "generated" / name).unlink()
    written = generate(seed=seed)
    assert written.returncode == 0, written.stderr
    assert contents(checkout / "generated") == wanted
    assert sorted(written.stderr.split()[1::2]) == sorted(f"generated/{name}" for name in wanted)


@pytest.mark.slow
def test_the_generator_starts_where_nothing_is_generated_yet() -> None:
    program = (
        "import runpy, sys; runpy.run_path('scripts/generate/__main__.py', run_name='imported'); "
        "print(*[name for name in sys.modules if name.startswith('reward_receipts') and '.generated' in name])"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"


def test_check_passes_on_what_is_committed_and_says_nothing(generate: Generate) -> None:
    checked = generate("--check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["changed", "changed in TypeScript", "missing", "orphan", "orphan in TypeScript"])
def test_check_finds_each_difference_and_leaves_it_for_generate(generate: Generate, checkout: Path, harm: str) -> None:
    folder = checkout / "generated"
    others = {
        "changed in TypeScript": "typescript/types.ts",
        "orphan": "python/old.py",
        "orphan in TypeScript": "typescript/old.d.ts",
    }
    name = others.get(harm, "python/documents/models.py")
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    if harm == "missing":
        path.unlink()
    else:
        with path.open("a") as file:
            file.write("\n")
    before = contents(folder)

    checked = generate("--check")
    assert checked.returncode == 1
    what = "is missing" if harm == "missing" else "is not "
    assert f"generated/{name} {what}" in checked.stderr
    assert len(checked.stderr.splitlines()) == 1
    assert contents(folder) == before

    assert generate().returncode == 0
    assert contents(folder) == contents(ROOT / "generated")


@pytest.mark.slow
def test_check_finds_a_schema_that_was_changed_alone(generate: Generate, checkout: Path) -> None:
    schema = checkout / "schemas" / "reward-contract.schema.json"
    text = schema.read_text(encoding="utf-8")
    described = "Who reads the terminal effect."
    assert described in text
    schema.write_text(text.replace(described, "Who looks at the terminal effect."), encoding="utf-8")
    checked = generate("--check")
    assert checked.returncode == 1
    assert "models.py is not what the schemas give: RewardContractV1.oracle; run" in checked.stderr
    for name in ("documents/models.py", "typescript/types.ts"):
        assert f"{name} is not what the schemas give: RewardContractV1" in checked.stderr
    assert not re.search("[0-9a-f]{12}", checked.stderr)  # members, not digests


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("codes.json", "Save the text as UTF-8.", "Save it as UTF-8.", "codes"),
        ("tables.json", '"MAX_TEXT_DEPTH", "value": 64', '"MAX_TEXT_DEPTH", "value": 65', "tables"),
        ("tables.json", "A reward above 0.", "Some reward.", "tables"),
    ],
)
def test_check_finds_a_code_or_a_table_that_was_changed_alone(
    generate: Generate, checkout: Path, file: str, old: str, new: str, stale: str
) -> None:
    path = checkout / "schemas" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    checked = generate("--check")
    assert checked.returncode == 1
    assert {line.split()[0] for line in checked.stderr.splitlines()} == {
        path.relative_to(ROOT).as_posix() for path in SOURCES if path.stem == stale
    }


@pytest.mark.slow
def test_a_construct_that_is_not_allowed_is_named_and_nothing_is_written(generate: Generate, checkout: Path) -> None:
    schema = checkout / "schemas" / "reward-contract.schema.json"
    content = json.loads(schema.read_text(encoding="utf-8"))
    content["properties"]["task_id"]["contains"] = {}
    schema.write_text(json.dumps(content), encoding="utf-8")
    before = contents(checkout / "generated")
    done = generate()
    assert done.returncode == 2
    assert done.stderr.startswith("schemas/reward-contract.schema.json:/properties/task_id has contains, which ")
    assert contents(checkout / "generated") == before


def test_another_version_of_a_tool_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(python.TOOLS, "ruff", "0.0.1")
    assert command.main(["--check"]) == 2
    assert "ruff 0.0.1 is needed, 0." in capsys.readouterr().err


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(tools, "version", missing)
    assert command.main(["--check"]) == 2
    assert capsys.readouterr().err == (
        "datamodel-code-generator 0.89.0 is needed, none is installed: pip install --group generate\n"
    )
    with pytest.raises(tools.ToolMissing, match="a-formatter-of-nobody is needed and not on the PATH"):
        tools.run(["a-formatter-of-nobody"])


def test_the_pins_are_those_of_the_project() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    pins = {f"{tool}=={version}" for tool, version in python.TOOLS.items()}
    assert pins <= set(groups["generate"])


def test_anything_that_can_be_changed_in_a_generated_model_stops_the_generator() -> None:
    with pytest.raises(SystemExit, match="wrote dict in Part"):
        python.refuse_mutable(ast.parse("class Part(Base):\n    members: dict[str, int]\n"))


# A schema that gives another verdict gives another text in every language.

MUTANTS = {
    "a bound": ("common", ("$defs", "Probability", "exclusiveMaximum"), 0.5, "Probability"),
    "a bound of integers": ("common", ("$defs", "PolicyUpdateCount", "minimum"), 2, "PolicyUpdateCount"),
    "a pattern": ("common", ("$defs", "Name", "pattern"), "^[a-z][a-z0-9_]{0,127}$", "Name"),
    "a length": ("common", ("$defs", "ComponentType", "maxLength"), 64, "ComponentType"),
    "a word": ("common", ("$defs", "RewardUncertaintyStateV1", "oneOf", 3, "const"), "offline", "Uncertainty"),
    "a default": ("contract", ("$defs", "RewardScoringPolicyV1", "properties", "refused_reward", "default"), -1.0, ""),
    "an array's length": ("contract", ("properties", "components", "maxItems"), 3, "RewardContractV1"),
    "an optional member": (
        "certificate",
        ("properties", "issuer", "default"),
        "self_signed",
        "RewardCertificateV1",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_schema_of_another_verdict_changes_every_language(name: str) -> None:
    kind, steps, new, member = MUTANTS[name]
    files = {path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.json")}
    holder = files[SCHEMA_FILES[kind]]
    for step in steps[:-1]:
        holder = holder[step]
    assert holder.get(steps[-1]) != new
    holder[steps[-1]] = new
    if name == "an optional member":
        files[SCHEMA_FILES[kind]]["required"].remove("issuer")
    written = command.generate(read.model_of(files))
    before = {path: (ROOT / "generated" / path).read_text("utf-8") for path in written}
    changed = [path for path, text in written.items() if text != before[path]]
    assert {path.split("/")[0] for path in changed} == LANGUAGES
    for language in LANGUAGES:
        found = [differing(before[path], written[path]) for path in changed if path.startswith(language)]
        named = " ".join(found).replace("_", "").lower()  # ComponentType, or COMPONENT_TYPE
        assert member.lower() in named, language


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_header_names_the_command_and_no_moment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header = ast.get_docstring(ast.parse(text)) if path.suffix == ".py" else text[: text.index("\n\n")]
    assert header is not None
    assert "python scripts/generate" in header
    assert not any(character.isdigit() for character in header)


def test_the_files_are_marked_as_generated() -> None:
    assert "generated/** linguist-generated=true" in (ROOT / ".gitattributes").read_text().splitlines()


def generated_classes(base: type) -> list[type]:
    """The classes of a base that were generated."""
    values = [(module, value) for module in (vocabulary, models) for value in vars(module).values()]
    classes = [value for module, value in values if isinstance(value, type) and value.__module__ == module.__name__]
    return [value for value in classes if issubclass(value, base)]


def test_the_documents_and_the_words_are_one_class_each() -> None:
    assert {found.__name__ for found in generated_classes(BaseModel)} == set(GENERATED_MODELS)
    assert {found.__name__ for found in generated_classes(Enum)} == WORDS


@pytest.mark.parametrize("name", [*GENERATED_MODELS, *GENERATED_ENUMS, *HAND_WRITTEN])
def test_the_package_offers_the_name(name: str) -> None:
    assert name in rr.__all__
    assert getattr(rr, name) is not None


@pytest.mark.parametrize("model", generated_classes(BaseModel), ids=lambda model: model.__name__)
def test_every_class_and_field_is_described(model: type[BaseModel]) -> None:
    assert "__doc__" in vars(model)
    assert model.__doc__
    assert model.model_fields
    assert [name for name, field in model.model_fields.items() if not field.description] == []


def test_every_enum_and_member_is_described() -> None:
    tree = ast.parse((ROOT / "generated" / "python" / "core" / "vocabulary.py").read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert {node.name for node in classes} == WORDS
    undescribed = []
    for node in classes:
        if not ast.get_docstring(node):
            undescribed.append(node.name)
        for member, after in zip(node.body, [*node.body[1:], None], strict=True):
            described = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if isinstance(member, ast.Assign) and not described:
                undescribed.append(f"{node.name}.{ast.unparse(member.targets[0])}")
    assert undescribed == []


def test_no_annotation_names_what_can_be_changed() -> None:
    tree = ast.parse((ROOT / "generated" / "python" / "documents" / "models.py").read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names.isdisjoint({"list", "dict", "set", "List", "Dict"})
    assert {"tuple", "Mapping"} <= names


# Texts of the schemas cannot become code.

HOSTILE = (
    'a */ x(); /* b """ + c + """ \' d \\ e ${f} `g` </script> # h {i} %s \u202e \x00 \U0001f600\n'
    "import os\r\n*/ export const y = 1; //\u2028z();\u2029\x85 */"
)
QUOTES = ('"{}"', '""{}\\', "\\{}\\\\", "'{}'''", "{}")


def with_hostile_texts(value: Any, count: Iterator[int]) -> Any:
    if isinstance(value, list):
        return [with_hostile_texts(each, count) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: QUOTES[next(count) % len(QUOTES)].format(HOSTILE)
        if name in ("description", "sentence", "fix", "found", "text") and isinstance(each, str)
        else with_hostile_texts(each, count)
        for name, each in value.items()
    }


COMMENTS = {".ts": r"/\*.*?\*/", ".rs": r"//[^\n]*"}


def without_texts(name: str, source: str) -> str:
    """The code of a file with nothing in its comments and strings; of Markdown, its markup without the words."""
    if name.endswith(".py"):
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
        return ast.dump(tree)
    assert source.isascii() or all(c.isprintable() or c == "\n" for c in source)
    if name.endswith(".md"):
        lines = re.sub(r"\\.", "", source).splitlines()
        return "\n".join("".join(re.findall(r"^[#+=-]|[`*\[\]<>|~&$]", line)) for line in lines)
    comment = COMMENTS[Path(name).suffix]
    blank = re.sub(comment + r'|"(?:[^"\\\n]|\\.)*"', '""', source, flags=re.DOTALL)
    return re.sub(r"\s+|\"\"\s*", "", blank)


@pytest.mark.slow
def test_hostile_texts_in_the_schemas_stay_in_comments_and_strings(tmp_path: Path) -> None:
    """In every emitter: the code beside comments and strings is that of the schemas as they are."""
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    count = itertools.count()
    for path in (ROOT / "schemas").glob("*.json"):
        hostile = with_hostile_texts(json.loads(path.read_text("utf-8")), count)
        (schemas / path.name).write_text(json.dumps(hostile), "utf-8")
    written = command.generate(read.read(schemas))
    assert next(count) > 100
    assert {ROOT / "generated" / name for name in written} == set(SOURCES)
    for name, source in written.items():
        committed = (ROOT / "generated" / name).read_text("utf-8")
        assert without_texts(name, source) == without_texts(name, committed), name
        if Path(name).stem not in ("__init__", "audit", "schemas"):  # which take no text from the schemas
            assert source.count("import os") > 0, name  # the texts are there
        assert not re.search(r"Description[0-9]+", source), name


@pytest.mark.slow
def test_line_ends_of_another_system_are_not_a_difference(checkout: Path, generate: Generate) -> None:
    """Git for Windows checks text out with CRLF, unless .gitattributes says otherwise."""
    for path in (path for path in (checkout / "generated").rglob("*.*") if path.is_file()):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert generate("--check").returncode == 0
