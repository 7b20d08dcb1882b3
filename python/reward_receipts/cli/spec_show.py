"""``spec show`` and ``spec ceiling``: a spec resolved against its components, and the most that it can come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..core.escaping import printable
from ..core.findings import shown
from ..core.foreign import describe_clip
from ..rewards.components.component import Cadence
from ..rewards.spec.ceiling import Ceiling, ceiling
from ..rewards.spec.resolved import ResolvedSpec, ResolvedTerm
from .components import resolved_spec
from .formats import Format, Report, Result

if TYPE_CHECKING:
    from ..rewards.spec.generated.reward_spec import RewardSpecComponent

_HEADINGS: Final = ("term", "cadence", "clip", "weight", "share", "requires")
_OWN: Final = " (own)"
_UNBOUNDED: Final = "unbounded"


def show(name: str, components: Sequence[str], form: Format) -> int:
    """Shows a spec's terms, digests and ceiling. Returns the exit status."""
    report = Report("spec show", form)
    found = resolved_spec(report, name, components)
    if found is not None:
        file, spec = found
        written = file.spec().components
        most = ceiling(spec)
        terms = [_term(spec, most, place, written[place]) for place in range(len(spec.terms))]
        lines = (
            *_table(terms),
            "",
            f"name             {spec.name}",
            f"digest           {spec.spec_digest}",
            f"resolved digest  {spec.digest}",
            *_ceiling_lines(most),
        )
        members = {
            "kind": "spec",
            "name": spec.name,
            "digest": spec.spec_digest,
            "resolved_digest": spec.digest,
            "terms": terms,
            "ceiling": _ceiling_members(most),
        }
        report.add(Result(file, "valid", lines, members))
    return report.close()


def show_ceiling(name: str, steps: int | None, components: Sequence[str], form: Format) -> int:
    """Says the most that a spec can come to. Returns the exit status; unbounded is an answer, and no finding."""
    report = Report("spec ceiling", form)
    found = resolved_spec(report, name, components)
    if found is not None:
        file, spec = found
        most = ceiling(spec)
        lines = _ceiling_lines(most)
        members: dict[str, Any] = {
            "kind": "spec",
            "name": spec.name,
            "resolved_digest": spec.digest,
            "ceiling": _ceiling_members(most),
        }
        if steps is not None:
            episode = most.per_episode(steps)
            lines.append(f"{steps} steps".ljust(17) + _bound(episode))
            members |= {"steps": steps, "per_episode": episode}
        report.add(Result(file, "valid", tuple(lines), members))
    return report.close()


def _term(spec: ResolvedSpec, most: Ceiling, place: int, written: RewardSpecComponent) -> dict[str, Any]:
    term = spec.terms[place]
    return {
        "type": term.type,
        "cadence": term.cadence.value,
        "clip": None if term.clip is None else list(term.clip),
        "clip_is_own": "clip" not in written.model_fields_set,
        "weight": term.weight,
        "weight_is_own": "weight" not in written.model_fields_set,
        "bound": term.bound,
        "share": _share(term, most),
        "requires": [spec.terms[need].type for need in term.requires],
        "reads": list(term.reads),
    }


def _share(term: ResolvedTerm, most: Ceiling) -> float | None:
    """The part of its cadence's ceiling that is the term's; None where that ceiling is not above 0, or unbounded."""
    whole = most.per_step if term.cadence is Cadence.STEP else most.at_end
    if term.bound is None or whole is None or whole <= 0.0:
        return None
    share = term.bound / whole
    return share if share - share == 0.0 else None


def _table(terms: Sequence[dict[str, Any]]) -> list[str]:
    rows = [_HEADINGS, *map(_row, terms)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _row(term: dict[str, Any]) -> tuple[str, ...]:
    clip = describe_clip(term["clip"])
    return (
        printable(term["type"]),
        term["cadence"],
        clip + _OWN * term["clip_is_own"],
        shown(term["weight"]) + _OWN * term["weight_is_own"],
        _UNBOUNDED if term["bound"] is None else "-" if term["share"] is None else f"{term['share']:.1%}",
        printable(", ".join(term["requires"])) or "-",
    )


def _ceiling_lines(most: Ceiling) -> list[str]:
    lines = [f"per step         {_bound(most.per_step)}", f"at the end       {_bound(most.at_end)}"]
    return lines + ([f"unbounded terms  {', '.join(most.unbounded)}"] if most.unbounded else [])


def _ceiling_members(most: Ceiling) -> dict[str, Any]:
    return {"per_step": most.per_step, "at_end": most.at_end, "unbounded": list(most.unbounded)}


def _bound(value: float | None) -> str:
    return _UNBOUNDED if value is None else f"at most {shown(value)}"
