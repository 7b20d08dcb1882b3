"""The Markdown reference has everything that the schemas say, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT, scripts

PAGES = {path.name: path.read_text("utf-8") for path in (ROOT / "generated" / "markdown").glob("*.md")}
markdown, model, read = scripts("generate", "markdown", "model", "read")
MODEL = read.read(ROOT / "schemas")
HTTP = re.compile("https?:")


def anchors(page: str) -> set[str]:
    """The headings of a page, as a link names them."""
    return {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", PAGES[page], re.M)}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_heading(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", re.sub("`[^`]+`", "", PAGES[page]))
    for link in links:
        file, _, anchor = link.partition("#")
        assert (file or page) in PAGES, link
        assert not anchor or anchor in anchors(file or page), link


@pytest.mark.parametrize("document", MODEL.documents, ids=lambda document: document.kind)
def test_a_page_has_every_member_rule_default_and_type_of_its_document(document: object) -> None:
    text = PAGES[f"{document.kind}.md"]
    for member in document.record.members:
        (row,) = re.findall(rf"^\| `{member.name}` \|.*$", text.partition("\n## ")[0], re.M)
        assert row.endswith(f"| {markdown.escaped(member.description)} |")
        if member.default is not model.ABSENT:
            assert f"default `{markdown.json_text(member.default)}`" in row
    for rule in (*document.rules, *document.rules_beyond):
        assert f"| `{rule.id}` | {markdown.escaped(rule.sentence)}" in text
    for definition in MODEL.in_order_of_use(document.definition.name):
        pages = [page for page in PAGES if definition.name.lower() in anchors(page)]
        assert len(pages) == 1, definition.name


def test_the_pages_have_every_pattern_bound_example_word_and_code() -> None:
    text = "".join(PAGES.values())
    for definition in MODEL.definitions.values():
        match definition.type:
            case model.Text(most, pattern, example):
                assert markdown.code(pattern) in text
                assert f"| longest | {most} characters |" in text
                assert f"| example | `{example}` |" in text
            case model.Words(words):
                for word in words:
                    assert f"| `{word.value}` | {markdown.escaped(word.description)} |" in text
            case model.Integer(least, most):
                assert f"Integer from {least} to {most}." in text
            case model.Number(bounds):
                assert markdown.limits(bounds) in text
    for code in MODEL.codes:
        assert PAGES["codes.md"].count(f"| `{code.id}` | {markdown.escaped(code.sentence)}") == 1, code.id
        assert markdown.escaped(code.found) in PAGES["codes.md"]
    ids = {code.id for code in MODEL.codes}
    for keyword in (each for each in MODEL.keywords if f"schema.{each.keyword}" in ids):
        assert markdown.escaped(keyword.found.replace("{form}", keyword.form or "{form}")) in PAGES["codes.md"]
    checks = PAGES["codes.md"].partition("## The checks of an audit")[2]
    assert re.findall(r"^\| `(\S+)` \|", checks, re.M) == [check.code for check in MODEL.audit.checks]
    for order in MODEL.tables.canonical_order:
        assert f"| `{order.definition}.{order.member}` |" in PAGES["tables.md"]
    assert {code.layer for code in MODEL.codes} == markdown.LAYERS.keys()


def test_text_is_not_markup() -> None:
    text = "# a *b* [c](d) <e> | `f` _g_ h_i ~j~ &amp; $k$ \\"
    assert markdown.escaped(text) == (r"# a \*b\* \[c\](d) \<e\> \| \`f\` \_g\_ h_i \~j\~ \&amp; \$k\$ \\")
    assert markdown.paragraph("# a") == r"\# a"
    assert markdown.paragraph("1. a") == r"\1. a"
    assert markdown.code("a|b") == r"`a\|b`"
    assert markdown.code("a`b") == "`` a`b ``"


def test_the_page_about_languages_shows_the_emitter_as_it_is() -> None:
    page = (ROOT / "docs" / "adding-a-language.md").read_text("utf-8")
    (shown,) = re.findall(r"```python\n(.*?)```", page, re.S)
    assert shown in Path(markdown.__file__).read_text("utf-8")
    for name in re.findall(r"`([a-z_]+\.py)`", page):
        assert (ROOT / "scripts" / "generate" / name).exists(), name
    for link in re.findall(r"\]\(([^)#]+)\)", page):
        assert HTTP.match(link) or (ROOT / "docs" / link).exists(), link
