"""The specification defines what is cited of it, and names the rules, codes and names that there are."""

from __future__ import annotations

import json
import re

import pytest
import reward_receipts as rr
from checkout import ROOT
from reward_receipts.core.codes import catalogue

PAGE = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^## (\d+)\. (.+)$", PAGE, re.M))
ANCHORS = {f"{number}-{re.sub(r'[^a-z ]', '', title.lower()).replace(' ', '-')}" for number, title in SECTIONS.items()}

FOLDERS = (
    "conformance",
    "docs",
    "examples",
    "python",
    "rust",
    "schemas",
    "scripts",
    "typescript/src",
    "typescript/test",
)
SUFFIXES = {".md", ".py", ".rs", ".toml", ".ts", ".mjs", ".json"}
GENERATED = ("conformance/cases", "conformance/json-schema-test-suite", "python/tests/repository/test_specification.py")
CITATION = re.compile(r"\b[Ss]ections? (\d+(?:(?:, | and | to )\d+)*)")
OTHERS = re.compile(r"(?:YAML|RFC|draft)[^.;]{0,20}$")
"""What comes before a section of another text."""


def citations() -> list[tuple[str, str]]:
    """Each place in the checkout that names sections of the specification, and the numbers there."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in SUFFIXES or not path.is_file() or name.startswith(GENERATED) or "/target/" in name:
                continue
            text = path.read_text(encoding="utf-8")
            for citation in CITATION.finditer(text):
                if not OTHERS.search(text[: citation.start()][-40:].replace("\n", " ")):
                    line = text.count("\n", 0, citation.start()) + 1
                    found.append((f"{name}:{line}", citation[1]))
    return found


def test_sections_are_numbered_from_1() -> None:
    assert [*SECTIONS] == [str(number + 1) for number in range(len(SECTIONS))]


def test_every_cited_section_exists() -> None:
    found = citations()
    unknown = [
        f"{place}: section {number}"
        for place, numbers in found
        for number in re.findall(r"\d+", numbers)
        if number not in SECTIONS
    ]
    assert unknown == []
    assert len(found) > 40  # the pattern still finds them


def test_every_section_that_a_case_of_the_corpus_names_exists() -> None:
    named = {
        json.loads(line)["section"]
        for path in (ROOT / "conformance" / "cases").glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert {number for each in named for number in re.findall(r"\d+", each)} <= SECTIONS.keys()


def test_every_link_to_a_section_has_its_heading() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "conformance" / "README.md"]
    linked = [
        (page.name, anchor)
        for page in pages
        for anchor in re.findall(r"specification\.md#([\w-]+)", page.read_text(encoding="utf-8"))
    ]
    assert [link for link in linked if link[1] not in ANCHORS] == []
    assert linked != []


@pytest.mark.parametrize("layer", ["rules", "certification", "audit", "compose", "calibration"])
def test_every_code_of_a_layer_is_in_the_specification(layer: str) -> None:
    codes = [code.id for code in catalogue().values() if code.layer == layer]
    assert [code for code in codes if f"`{code}`" not in PAGE] == []


def test_every_code_of_reading_is_in_the_specification() -> None:
    codes = [code for code in catalogue() if code.startswith("json.")]
    assert [code for code in codes if f"`{code}`" not in PAGE] == []


def test_the_specification_names_no_code_that_does_not_exist() -> None:
    named = re.findall(r"`((?:json|schema|receipt|contract|certificate|spec|compose)\.[a-z-]+)`", PAGE)
    assert [code for code in named if code not in catalogue()] == []
    assert len(named) > 30


def test_the_names_of_section_13_can_be_imported() -> None:
    section = PAGE.partition("\n## 13. ")[2]
    names = re.findall(r"`([A-Za-z_0-9]+)`", section)
    assert [name for name in names if not hasattr(rr, name)] == []
    assert len(names) > 35
