"""A picture of a bound: how it falls with the number of trials, and where a measurement is."""

from __future__ import annotations

import math
import os
from typing import Any, Final

from ..core.extras import extra_module
from ..core.whole_files import replace_file
from .bound import clopper_pearson_upper
from .measurement import Measurement

SUFFIXES: Final = (".html", ".png", ".svg")
_POINTS: Final = 80


def draw_bound(found: Measurement, path: str | os.PathLike[str], *, policy_epsilon: float | None = None) -> None:
    """Draws the bound against the number of trials, for 0 false accepts and for as many as were found, to a file.

    The measurement is a point on the second curve; ``policy_epsilon`` is a dashed line. The file is SVG, PNG or HTML by
    its suffix, is replaced if it exists, and loads nothing from the network. Raises ValueError for another suffix,
    ModuleNotFoundError if Altair or vl-convert is not installed, OSError if the file cannot be written.

        draw_bound(measure(trials, delta=0.05), "bound.svg", policy_epsilon=0.05)
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture is {', '.join(SUFFIXES)} by its suffix, not {suffix or 'without one'}")
    write_chart(_chart(found, policy_epsilon), path, suffix)


def write_chart(chart: Any, path: str | os.PathLike[str], suffix: str) -> None:
    """Writes a chart of Altair, whole or not at all, without the network."""
    convert = extra_module("vl_convert", "a picture")
    spec = chart.to_json()
    if suffix == ".svg":
        data = convert.vegalite_to_svg(spec).encode()
    elif suffix == ".png":
        data = convert.vegalite_to_png(spec, scale=2)
    else:
        data = convert.vegalite_to_html(spec, bundle=True).encode()
    replace_file(path, data)


def _chart(found: Measurement, policy_epsilon: float | None) -> Any:
    altair = extra_module("altair", "a picture")
    most = max(4 * found.trials, 100)
    rows = [
        {"trials": trials, "bound": clopper_pearson_upper(count, trials, found.delta), "false accepts": f"{count}"}
        for count in sorted({0, found.false_accepts})
        for trials in _spread(count + 1, most)
    ]
    here = {"trials": found.trials, "bound": found.epsilon, "false accepts": f"{found.false_accepts}"}
    label = f"{found.false_accepts} of {found.trials} {found.unit}: {found.epsilon:.4g}"
    x = altair.X("trials:Q", title=f"{found.unit} that should be refused", scale=altair.Scale(type="log", nice=False))
    y = altair.Y(
        "bound:Q", title=f"bound on P(false accept) at delta {found.delta:g}, synthetic", scale=altair.Scale(type="log")
    )
    lines = altair.Chart(altair.Data(values=rows)).mark_line().encode(x=x, y=y, color="false accepts:N")
    point = altair.Chart(altair.Data(values=[here])).mark_point(filled=True, size=120, color="black").encode(x=x, y=y)
    named = point.mark_text(align="left", dx=8, dy=-8, color="black").encode(text=altair.value(label))
    layers = [lines, point, named]
    if policy_epsilon is not None:
        policy = altair.Chart(altair.Data(values=[{"policy": policy_epsilon}])).encode(y="policy:Q")
        text = altair.value(f"the policy's epsilon: {policy_epsilon:g}")
        layers.append(policy.mark_rule(strokeDash=[6, 4], color="black"))
        layers.append(policy.mark_text(align="left", dx=6, dy=8, color="black").encode(x=altair.value(0), text=text))
    return altair.layer(*layers).properties(width=560, height=320)


def _spread(low: int, high: int) -> list[int]:
    """Whole numbers from low to high, about evenly spread on a logarithmic axis."""
    step = (math.log(high) - math.log(low)) / _POINTS
    return sorted({round(math.exp(math.log(low) + index * step)) for index in range(_POINTS + 1)})
