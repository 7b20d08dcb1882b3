"""What every report shares: the page around its body, its styles and scripts, tables, and text of others in HTML.

A page is one file that loads nothing. Its Content-Security-Policy allows its scripts by their hashes and no network.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ..core.escaping import printable, without_surrogates
from ..core.extras import extra_module

SHORT: Final = len("sha256:") + 12
"""The characters of a digest that are shown."""
_VEGA_LITE: Final = "6.1"
"""The version of Vega-Lite that Altair 6 writes for."""


def html_page(title: str, body: str, *, with_charts: bool) -> str:
    """A page with a body that is HTML already. Raises ModuleNotFoundError if it has charts and vl-convert is absent."""
    scripts = [_vega(), _file("page.js")] if with_charts else []
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in scripts) or "'none'"
    policy = f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{text(title)}</title>",
            f"<style>\n{_file('page.css')}</style>",
            "</head>",
            f"<body>\n{body}",
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>\n",
        ]
    )


def chart_place(spec: Mapping[str, Any], without: str) -> Iterator[str]:
    """Where charts are drawn, and their spec of Vega-Lite (``vconcat``). ``without`` shows if scripts do not run."""
    yield f'<div id="charts"><noscript>{text(without)}</noscript></div>'
    said = json.dumps(spec, sort_keys=True, separators=(",", ":"), allow_nan=False)
    yield f'<script id="spec" type="application/json">{_in_script(said)}</script>'


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    script: str = extra_module("vl_convert", "a report", "report").javascript_bundle(vl_version=_VEGA_LITE)
    return script


def _file(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@dataclass(frozen=True, slots=True)
class Html:
    """Text that is HTML already."""

    text: str


Cell = str | int | float | None | Html


def text(value: str) -> str:
    """A text of others, as HTML shows it."""
    return html.escape(printable(without_surrogates(value)))


def as_code(value: str) -> Html:
    """A text as code."""
    return Html(f"<code>{text(value)}</code>")


def digest_code(value: str) -> Html:
    """A digest, short; the whole of it shows when the pointer rests on it."""
    return Html(f'<code class="digest" title="{text(value)}">{text(value[:SHORT])}&hellip;</code>')


def cell(value: Cell) -> str:
    """What a cell of a table shows."""
    if isinstance(value, Html):
        return value.text
    if value is None:
        return "&ndash;"
    if isinstance(value, str):
        return text(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], numbers_from: int) -> Iterator[str]:
    """A table; the columns from ``numbers_from`` on are numbers."""

    def line(cells: Iterable[str], tag: str) -> str:
        written = (
            f'<{tag} class="number">{cell}</{tag}>' if column >= numbers_from else f"<{tag}>{cell}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr>{''.join(written)}</tr>"

    yield '<div class="wide"><table>'
    yield f"<thead>{line(map(text, head), 'th')}</thead><tbody>"
    for row in rows:
        yield line(map(cell, row), "td")
    yield "</tbody></table></div>"


def _in_script(text: str) -> str:
    """JSON in which nothing ends the element that it is in."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
