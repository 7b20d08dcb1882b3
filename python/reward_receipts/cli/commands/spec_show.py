"""``spec show``: a spec resolved against its components, and the most that it can come to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ...core.escaping import printable
from ...core.exit_status import ExitStatus
from ...core.findings import shown
from ...core.foreign import describe_clip
from ...core.frozen import thawed_json
from ...core.text_table import aligned
from ...rewards.components.component import Cadence
from ...rewards.spec.ceiling import Ceiling, ceiling
from ...rewards.spec.resolved import ResolvedSpec, ResolvedTerm
from ..ceilings import UNBOUNDED, ceiling_lines, ceiling_members
from ..components import resolved_spec
from ..options import Components, FormatOption, Settings, SpecFile
from ..report import Report
from ..results import Result

if TYPE_CHECKING:
    from ...rewards.spec.generated.reward_spec import RewardSpecComponent

_HEADINGS: Final = ("term", "cadence", "clip", "weight", "share", "requires")
_OWN: Final = " (own)"


def spec_show(
    file: SpecFile,
    components: Components = None,
    settings: Settings = None,
    step_seconds: Annotated[
        float | None,
        typer.Option(
            "--step-seconds",
            metavar="SECONDS",
            min=1e-9,
            max=1e9,
            help="How long a step takes; shows what each weight is per second too.",
        ),
    ] = None,
    form: FormatOption = "text",
) -> ExitStatus:
    """What the spec leaves to a component is marked (own). The share is that of the ceiling of the term's cadence: of a
    step, or of the end of an episode.
    """
    report = Report("spec show", form)
    found = resolved_spec(report, file, components or (), settings or ())
    if found is not None:
        spec_file, spec = found
        written = spec_file.spec().components
        most = ceiling(spec)
        terms = [_term(spec, most, place, written[place], step_seconds) for place in range(len(spec.terms))]
        lines = (
            *aligned(_rows(terms, step_seconds is not None)),
            "",
            f"name             {spec.name}",
            f"digest           {spec.spec_digest}",
            f"resolved digest  {spec.digest}",
            *ceiling_lines(most),
        )
        members = {
            "kind": "spec",
            "name": spec.name,
            "digest": spec.spec_digest,
            "resolved_digest": spec.digest,
            "terms": terms,
            "ceiling": ceiling_members(most),
        }
        report.add(Result(spec_file, "valid", lines, members))
    return report.close()


def _term(
    spec: ResolvedSpec, most: Ceiling, place: int, written: RewardSpecComponent, seconds: float | None
) -> dict[str, Any]:
    term = spec.terms[place]
    return {
        "name": term.name,
        "type": term.type,
        "params": thawed_json(term.params),
        "cadence": term.cadence.value,
        "clip": None if term.clip is None else list(term.clip),
        "clip_is_own": "clip" not in written.model_fields_set,
        "weight": term.weight,
        "weight_is_own": "weight" not in written.model_fields_set,
        "weight_per_second": None if seconds is None or term.cadence is not Cadence.STEP else term.weight / seconds,
        "bound": term.bound,
        "share": _share(term, most),
        "requires": [spec.terms[need].name for need in term.requires],
        "reads": list(term.reads),
    }


def _share(term: ResolvedTerm, most: Ceiling) -> float | None:
    """The part of its cadence's ceiling that is the term's; None where that ceiling is not above 0, or unbounded."""
    whole = most.per_step if term.cadence is Cadence.STEP else most.at_end
    if term.bound is None or whole is None or whole <= 0.0:
        return None
    share = term.bound / whole
    return share if share - share == 0.0 else None


def term_label(term: Mapping[str, Any]) -> str:
    """The name of a term, with its type if that differs, and its parameters: ``near_goal = near(target=1.5)``."""
    given = ", ".join(f"{name}={json.dumps(value)}" for name, value in term["params"].items())
    made = term["type"] + (f"({given})" if given else "")
    return made if term["name"] == term["type"] else f"{term['name']} = {made}"


def _rows(terms: list[dict[str, Any]], per_second: bool) -> list[tuple[str, ...]]:
    """The table of the terms, with a column after the weight for what it is per second, if that was asked for."""
    rows = [_HEADINGS, *map(_row, terms)]
    if not per_second:
        return rows
    rates = ["per second", *(_rate(term["weight_per_second"]) for term in terms)]
    return [(*row[:4], rate, *row[4:]) for row, rate in zip(rows, rates, strict=True)]


def _rate(weight: float | None) -> str:
    return "-" if weight is None else shown(weight)


def _row(term: dict[str, Any]) -> tuple[str, ...]:
    clip = describe_clip(term["clip"])
    return (
        printable(term_label(term)),
        term["cadence"],
        clip + _OWN * term["clip_is_own"],
        shown(term["weight"]) + _OWN * term["weight_is_own"],
        UNBOUNDED if term["bound"] is None else "-" if term["share"] is None else f"{term['share']:.1%}",
        printable(", ".join(term["requires"])) or "-",
    )
