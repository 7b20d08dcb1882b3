"""The page of a report: one HTML file with its styles, scripts and data, which loads nothing.

Its Content-Security-Policy allows the two scripts of the page by their hashes and no network at all. All text that
comes from receipts and file names is escaped.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from ..bulk.files import STDIN
from ..bulk.summary import OTHERS, OUTCOMES, VERDICTS, CodeCount, Example, Group, Groups, Summary
from ..core.codes import audit_inputs, catalogue
from ..core.counted import counted
from ..core.redaction import could_be_key
from ..core.whole_files import replace_file
from .charts import MAX_CERTIFICATES, POPULATIONS, Charts, charts_of, population_of
from .html import Cell, Html, as_code, chart_place, digest_code, html_page, table, text

_ROWS: Final = 100
"""The most rows of a table; a line below it counts further ones."""
_VERDICT_WORDS: Final = {
    "holds": "hold",
    "valid": "valid, not audited",
    "fails": "fail",
    "undecided": "undecided",
    "invalid": "invalid",
}


def write_report(
    summary: Summary, path: str | os.PathLike[str], *, title: str = "Audit of receipts", about: Mapping[str, str] = {}
) -> None:
    """Writes a summary as an HTML file, in place of what the path has.

    The file opens offline, in light and dark, and its size does not depend on the number of receipts. ``about`` is
    shown first, for example which files were read. The same summary gives the same bytes.

    Raises ModuleNotFoundError if Altair or vl-convert is not installed, OSError if the file cannot be written.

        write_report(summary, "report.html", about={"Receipts": "receipts/"})
    """
    folder = os.path.dirname(os.path.realpath(path))
    replace_file(path, page(summary, folder, title, about).encode())


def page(summary: Summary, folder: str, title: str, about: Mapping[str, str]) -> str:
    """The page as text. Links to files are relative to ``folder``."""
    charts = charts_of(summary)
    body = "\n".join(_body(summary, charts, folder, title, about))
    return html_page(title, body, with_charts=charts is not None)


def _body(summary: Summary, charts: Charts | None, folder: str, title: str, about: Mapping[str, str]) -> Iterator[str]:
    yield f"<h1>{text(title)}</h1>"
    yield '<p class="soft">Every certificate and every certified reward here is synthetic; none is for production.</p>'
    if about:
        rows = "".join(f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" for name, value in about.items())
        yield f"<dl>{rows}</dl>"
    yield from _tiles(summary)
    yield from _checked(summary)
    yield from _over_updates(summary, charts)
    yield from _by_verdict(summary)
    sections = [
        ("findings", "Findings", "Receipts with a finding fail or are invalid.", summary.findings),
        ("unchecked", "Checks that could not run for some receipts", "", summary.unchecked),
        (
            "refusals",
            "Why receipts are not certified (synthetic)",
            "Refusals of receipts that do not fail. These are not findings.",
            summary.refusals,
        ),
    ]
    for name, heading, note, counts in sections:
        yield from _codes(name, heading, note, counts)
    if summary.refusals_unknown:
        yield f"<p>Unknown for {_receipts(summary.refusals_unknown)}: the contract or certificate is not held.</p>"
    yield from _contracts(summary)
    yield from _certificates(summary)
    yield from _examples(sections, folder)


def _tiles(summary: Summary) -> Iterator[str]:
    population = population_of(summary)
    group = summary.groups.get(population, Group())
    tiles = [("", f"{summary.receipts:,}", "receipts")]
    tiles += [(verdict, f"{count:,}", _VERDICT_WORDS[verdict]) for verdict, count in summary.verdicts.items()]
    if group.receipts:
        share = f"{group.certified / group.receipts:.1%}"
        tiles.append(("", share, f"of the {POPULATIONS[population]} say certified (synthetic)"))
    items = (
        f'<li class="{kind}"><b>{text(figure)}</b> {text(label)}</li>'
        if kind
        else f"<li><b>{text(figure)}</b> {text(label)}</li>"
        for kind, figure, label in tiles
    )
    yield f'<ul class="tiles">{"".join(items)}</ul>'


def _checked(summary: Summary) -> Iterator[str]:
    yield '<h2 id="checked">Checked, and not checked</h2>'
    count, named = summary.unread
    if count:
        yield f"<p>{text(_many(count, 'file'))} could not be read, or not to the end:</p><ul>"
        yield from (f"<li>{text(message)}</li>" for _, message in named)
        yield "</ul>"
        yield from _more(count, len(named), "file")
    for what, (receipts, codes) in summary.not_given.items():
        checks = ", ".join(f"<code>{text(code)}</code>" for code in codes)
        yield (
            f"<p>No {text(what)} was given ({text(audit_inputs()[what])}), which {_receipts(receipts)} needed. "
            f"Not checked: {checks}.</p>"
        )
    if summary.checked:
        yield f"<details><summary>{text(counted(len(summary.checked), 'check'))} ran</summary>"
        rows = ((as_code(code), count) for code, count in summary.checked.items())
        yield from table(["check", "receipts"], rows, 1)
        yield "</details>"
    else:
        yield "<p>No check of an audit ran.</p>"


def _over_updates(summary: Summary, charts: Charts | None) -> Iterator[str]:
    if charts is None:
        return
    yield '<h2 id="updates">Over policy updates</h2>'
    if charts.outside:
        yield f"<p>Not drawn: {_receipts(charts.outside)} of far-off policy updates. The table has them.</p>"
    if charts.certificates_left_out:
        yield (
            f"<p>Drawn are the {MAX_CERTIFICATES} certificates (synthetic) that the most receipts name; "
            f"{charts.certificates_left_out} are not drawn.</p>"
        )
    yield from chart_place(charts.spec, "The charts need JavaScript; the table has the same figures.")
    yield "<details><summary>The same as a table</summary>"
    rows: Iterator[list[Cell]] = (
        [f"{first}" if first == last else f"{first} to {last}", *_figures(groups)]
        for first, last, groups in summary.ranges
    )
    yield from table(["policy updates", *_FIGURES], rows, 1)
    yield f'<p class="soft">{_OF_HOLDING}</p></details>'


_FIGURES: Final = ("hold", "fail", "undecided", "certified (synthetic)", "scored", "unscored", "mean scalar")
_OF_HOLDING: Final = "Certified (synthetic), scored, unscored and mean scalar are of the receipts that hold."


def _figures(groups: Groups) -> list[Cell]:
    """What ``_FIGURES`` names."""
    holds, fails, undecided = (groups.get(verdict, Group()) for verdict in ("holds", "fails", "undecided"))
    scalars = holds.scalars
    return [
        holds.receipts,
        fails.receipts,
        undecided.receipts,
        _share(holds.certified, holds.receipts),
        scalars.count,
        holds.unscored,
        scalars.mean,
    ]


def _share(part: int, whole: int) -> str | None:
    return f"{part:,} ({part / whole:.1%})" if whole else None


def _by_verdict(summary: Summary) -> Iterator[str]:
    shown = [verdict for verdict in VERDICTS if verdict in summary.groups]
    if not shown:
        return
    groups = [summary.groups[verdict] for verdict in shown]
    rows: list[list[Cell]] = [["receipts", *(group.receipts for group in groups)]]
    rows.append(["say certified (synthetic)", *(_share(group.certified, group.receipts) for group in groups)])
    rows.append(["development only", *(_share(group.development_only, group.receipts) for group in groups)])
    for outcome in OUTCOMES:
        if any(group.outcomes[outcome] for group in groups):
            rows.append([as_code(outcome), *(_share(group.outcomes[outcome], group.receipts) for group in groups)])
    scalars = [group.scalars for group in groups]
    rows.append(["scored", *(each.count for each in scalars)])
    rows.append(["mean scalar of the scored", *(each.mean for each in scalars)])
    rows.append(["standard deviation", *(each.deviation for each in scalars)])
    rows.append(["least", *(each.least if each.count else None for each in scalars)])
    rows.append(["greatest", *(each.greatest if each.count else None for each in scalars)])
    rows.append(["unscored", *(group.unscored for group in groups)])
    yield '<h2 id="verdicts">Outcomes and scalars</h2>'
    yield from table(["", *(_VERDICT_WORDS[verdict] for verdict in shown)], rows, 1)


def _codes(name: str, heading: str, note: str, counts: Mapping[str, CodeCount]) -> Iterator[str]:
    if not counts:
        return
    yield f'<h2 id="{name}">{text(heading)}</h2>'
    if note:
        yield f'<p class="soft">{text(note)}</p>'
    rows: Iterator[list[Cell]] = (
        [
            Html(f'<a href="#{name}-{text(code)}"><code>{text(code)}</code></a>'),
            Html(f"<code>{text(count.example.place or count.example.receipt_id or '')}</code>"),
            count.receipts,
            count.times,
        ]
        for code, count in counts.items()
    )
    yield from table(["code", "first at", "receipts", "times"], rows, 2)


def _contracts(summary: Summary) -> Iterator[str]:
    contracts = summary.contracts
    if not contracts:
        return
    yield '<h2 id="contracts">Contracts</h2>'
    rows: list[list[Cell]] = [
        [
            "others" if digest == OTHERS else digest_code(digest),
            summary.contract_id(digest) or ("" if digest == OTHERS else "(not held)"),
            *_figures(groups),
        ]
        for digest, groups in list(contracts.items())[:_ROWS]
    ]
    yield from table(["contract", "id", *_FIGURES], rows, 2)
    yield from _more(len(contracts), _ROWS, "contract")
    yield f'<p class="soft">{_OF_HOLDING}</p>'


def _certificates(summary: Summary) -> Iterator[str]:
    if summary.documents is None or not summary.documents.certificates:
        return
    yield '<h2 id="certificates">Certificates (synthetic)</h2>'
    held = summary.documents.certificates
    rows: list[list[Cell]] = [
        [
            digest_code(digest),
            held[digest].certificate_id,
            held[digest].issued_at_policy_update,
            held[digest].expires_at_policy_update,
            held[digest].epsilon,
            count,
        ]
        for digest, count in list(summary.certificates.items())[:_ROWS]
    ]
    yield from table(["certificate", "id", "issued at update", "expires at update", "epsilon", "receipts"], rows, 2)
    yield from _more(len(held), _ROWS, "certificate")


def _examples(sections: Sequence[tuple[str, str, str, Mapping[str, CodeCount]]], folder: str) -> Iterator[str]:
    if not any(counts for *_, counts in sections):
        return
    yield '<h2 id="examples">Examples</h2>'
    for name, heading, _, counts in sections:
        for code, count in counts.items():
            example = count.example
            yield f'<h3 id="{name}-{text(code)}"><code>{text(code)}</code></h3>'
            yield f"<p>{text(example.sentence)}</p><dl>"
            yield f'<dt>of</dt><dd><a href="#{name}">{text(heading)}</a>: {_receipts(count.receipts)}</dd>'
            if example.place:
                yield f"<dt>place</dt><dd>{_link(example, folder)}</dd>"
            if example.pointer:
                yield f"<dt>member</dt><dd><code>{text(example.pointer)}</code></dd>"
            if example.receipt_id is not None:
                yield f"<dt>receipt</dt><dd><code>{text(example.receipt_id)}</code></dd>"
            fix = catalogue()[code].fix if code in catalogue() else ""
            if fix:
                yield f"<dt>what to do</dt><dd>{text(fix)}</dd>"
            yield "</dl>"


def _link(example: Example, folder: str) -> str:
    """The place of an example; a link to its file if it has one, relative to the report."""
    place = f"<code>{text(example.place)}</code>"
    source = example.source
    if source in ("", STDIN) or could_be_key(source):
        return place
    try:
        relative = os.path.relpath(os.path.realpath(source), folder)
    except (OSError, ValueError):  # another drive
        return place
    return f'<a href="{html.escape(quote(os.fsencode(relative.replace(os.sep, "/")), safe="/.-_~"))}">{place}</a>'


def _many(number: int, what: str) -> str:
    return counted(number, what) if number < 1000 else f"{number:,} {what}s"


def _receipts(count: int) -> str:
    return _many(count, "receipt")


def _more(count: int, shown: int, what: str) -> Iterator[str]:
    if count > shown:
        yield f"<p>And {text(_many(count - shown, f'more {what}'))}.</p>"
