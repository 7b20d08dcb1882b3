"""write_report: one HTML file that loads nothing, of a size that the number of receipts does not change."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import json
import random
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from field import Bench
from reward_receipts.bulk import Auditor, Documents, Summary, Unread, Verdict
from reward_receipts.bulk.summary import Group, UpdateRange
from reward_receipts.core.codes import catalogue
from reward_receipts.core.findings import Finding
from reward_receipts.report import html as html_module
from reward_receipts.report import write_report
from reward_receipts.report.charts import charts_of
from summaries import HOSTILE, summary_with_everything


class Page(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and self.scripts[-1] == "":
            self.scripts[-1] = data
        elif not (self.tags and self.tags[-1][0] == "style"):
            self.words += data

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(summary_with_everything(), path, title=HOSTILE, about={"Receipts": HOSTILE})
    return path.read_text()


def test_nothing_is_loaded_and_only_its_own_scripts_may_run(written: str) -> None:
    page = Page(written)
    assert page.values("src") == []
    assert [tag for tag, _ in page.tags if tag in ("link", "img", "iframe", "object", "base", "form")] == []
    assert not [each for each in page.values("href") if not re.fullmatch(r"#[\w.-]+|[\w./%~-]+", each)]
    (policy,) = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    data, *run = page.scripts
    assert json.loads(data)["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in run]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert len(hashes) == 2


def test_text_of_others_is_escaped(written: str) -> None:
    assert written.count("<script") == 3
    assert "<script>alert" not in written.replace("<script>" + Page(written).scripts[1], "")
    assert "\x1b" not in written
    assert HOSTILE.replace("\x1b", "\\x1b") in Page(written).words


def test_every_link_inside_the_page_leads_somewhere(written: str) -> None:
    page = Page(written)
    places, links = set(page.values("id")), {each[1:] for each in page.values("href") if each.startswith("#")}
    assert {
        "findings-duplicate",
        "findings-json.syntax",
        "unchecked-signer-unknown",
        "refusals-certificate-expired",
    } <= links
    assert links <= places


def test_examples_link_to_their_files(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    source = tmp_path / "my receipts" / "a#b.jsonl"
    summary = Summary()
    summary.add(Verdict("invalid", str(source), 3, None, (Finding("json.syntax", "said", (), 3, 1),)))
    write_report(summary, tmp_path / "out" / "report.html")
    page = Page((tmp_path / "out" / "report.html").read_text())
    assert "../my%20receipts/a%23b.jsonl" in page.values("href")


def test_certified_appears_with_synthetic(written: str) -> None:
    for sentence in re.split(r"(?<=[.!?]) |</\w+>", re.sub(r"<script>.*?</script>", "", written, flags=re.DOTALL)):
        if "ertified" in sentence and "certified_" not in sentence:
            assert "synthetic" in sentence, sentence


@pytest.mark.parametrize("level", ["text", "schema", "signature", "audit"])
def test_every_level_of_an_auditor_has_a_page(tmp_path: Path, level: Any) -> None:
    bench = Bench()
    documents = Documents({bench.contract.digest: bench.contract}, {bench.certificate.digest: bench.certificate})
    held = (documents.contracts.values(), documents.certificates.values())
    auditor = Auditor(*held, bench.key.keyring, level=level)
    summary = Summary(documents)
    for verdict in auditor.lines([bench.receipt().model_dump_json().encode(), b"{"]):
        summary.add(verdict)
    write_report(summary, tmp_path / "report.html")
    words = Page((tmp_path / "report.html").read_text()).words
    assert ("1 valid, not audited" in words) == (level != "audit")
    assert ("1 hold" in words) == (level == "audit")


def test_unchecked_codes_are_named(written: str) -> None:
    words = Page(written).words
    assert (
        "No key was given (--keyring or --public-key), which 1 receipt needed. Not checked: signature-invalid." in words
    )
    assert "1 file could not be read, or not to the end:" in words
    assert "signer-unknown" in words


def test_the_same_summary_gives_the_same_bytes(tmp_path: Path) -> None:
    summary = summary_with_everything(60)
    for name in ("a.html", "b.html"):
        write_report(summary, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_the_size_does_not_depend_on_the_number_of_receipts(tmp_path: Path) -> None:
    """Each receipt counts 4,096 times in the second summary, which makes a million."""
    sizes = []
    for doublings in (0, 12):
        summary = summary_with_everything(250)
        for _ in range(doublings):
            summary.merge(copy.deepcopy(summary))
        write_report(summary, tmp_path / "report.html")
        sizes.append((tmp_path / "report.html").stat().st_size)
    assert summary.receipts == 251 * 2**12 > 1_000_000
    assert sizes[1] - sizes[0] < 20_000
    assert max(sizes) < 3_000_000


def test_the_fullest_report_stays_below_three_megabytes(tmp_path: Path) -> None:
    draw = random.Random(2)
    base = summary_with_everything(20)
    summary = Summary(base.documents)
    long = "x<" * 5000
    for code in catalogue():
        summary.add(Verdict("invalid", f"{'d' * 200}/{long[:200]}.jsonl", 1, None, (Finding(code, long, (), 1, 1),)))
    for number in range(300):
        summary.add(Unread(f"{number}", long[:1000]))
    summary.merge(base)
    for number in range(3000):
        group = Group(receipts=draw.randrange(1, 10**6))
        summary._contracts[f"sha256:{number:064x}"] = {"undecided": group}
        summary._ranges[number] = {"undecided": group, "holds": group, "fails": group}
    summary._limit_ranges()
    write_report(summary, tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 3_000_000


def test_a_stray_update_is_not_drawn_and_counted(tmp_path: Path) -> None:
    summary = Summary()
    summary._ranges = {number: {"holds": Group(receipts=1000)} for number in range(100)}
    summary._ranges[2**40] = {"holds": Group(receipts=3)}
    summary._groups = {"holds": Group(receipts=100_003)}
    charts = charts_of(summary)
    assert charts is not None
    assert charts.outside == 3
    assert '"domain": [0, 100]' in json.dumps(charts.spec)
    write_report(summary, tmp_path / "report.html")
    assert "3 receipts of far-off policy updates" in (tmp_path / "report.html").read_text()


def test_a_range_without_scored_receipts_has_no_mean() -> None:
    summary = summary_with_everything()
    unscored = {"holds": Group(receipts=5)}
    summary._ranges[10_000] = unscored
    charts = charts_of(summary)
    assert charts is not None
    assert UpdateRange(10_000, 10_000, unscored) in summary.ranges
    (means,) = [
        view["data"]["values"] if "values" in view["data"] else charts.spec["datasets"][view["data"]["name"]]
        for view in charts.spec["vconcat"]
        if "Mean scalar" in str(view["title"])
    ]
    assert means
    assert all(row["mean"] is not None for row in means)
    assert 10_000 not in [row["first"] for row in means]


def test_nothing_valid_needs_no_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    summary = Summary()
    write_report(summary, tmp_path / "empty.html")
    assert "No check of an audit ran." in (tmp_path / "empty.html").read_text()
    assert "<script" not in (tmp_path / "empty.html").read_text()


@pytest.mark.parametrize("module", ["altair", "vl_convert"])
def test_without_its_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    html_module._vega.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install 'reward-receipts[report]'")):
        write_report(summary_with_everything(20), tmp_path / "report.html")
    assert [*tmp_path.iterdir()] == []


def test_a_name_that_could_be_a_key_is_not_written(tmp_path: Path) -> None:
    key = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
    summary = Summary()
    summary.add(Verdict("invalid", f"{key}.jsonl", 1, None, (Finding("json.syntax", "said", (), 1, 1),)))
    write_report(summary, tmp_path / "report.html")
    assert key.rstrip("=") not in html.unescape((tmp_path / "report.html").read_text())


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"path": tmp_path / "missing" / "report.html"}
    with pytest.raises(FileNotFoundError):
        write_report(Summary(), **arguments)
