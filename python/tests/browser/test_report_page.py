"""The report of an audit in headless Chromium, from a file, without the network: light, dark, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chromium import dumped
from reward_receipts.report import write_report
from summaries import summary_with_everything


@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_charts_are_drawn(tmp_path: Path, width: int, scheme: str) -> None:
    path = tmp_path / "report.html"
    write_report(summary_with_everything(), path)
    options = ["--virtual-time-budget=20000", f"--window-size={width},2000"]
    options.append(f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}")
    dom = dumped(path.as_uri(), tmp_path / "profile", *options)
    charts = re.search(r'<div id="charts"[^>]*data-drawn="true".*?</svg>', dom, re.DOTALL)
    assert charts is not None, dom[-3000:]
    drawing = charts[0]
    drawn_width = re.search(r'<svg[^>]* width="([\d.]+)"', drawing)
    assert drawn_width is not None
    assert float(drawn_width[1]) <= max(width, 500)  # a window of Chromium is not narrower than 500
    for title in ("Verdicts", "Outcomes", "Certified (synthetic)", "Mean scalar", "Certificates (synthetic)"):
        assert f">{title}" in drawing
    assert drawing.count('aria-roledescription="bar"') > 50
    text = {"light": "#1c1f24", "dark": "#e6e8eb"}[scheme]
    assert text in drawing, "the titles have the colour of the scheme"
