"""The compiled form: one spec as straight-line Python, for raw values that are there already.

The text of the program is built from places and from the digits of doubles, and from nothing else that a spec says. It
takes doubles only, and looks once at each step whether all is well. Where it is not, or where a value is another kind
of number, it gives up, and the plain engine's arithmetic decides: it alone knows what to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..components.component import Cadence, RewardComponent
from ..components.registry import REGISTRY
from ..spec.generated.reward_spec import RewardSpec
from ..spec.resolved import ResolvedSpec, ResolvedTerm, required_spec, resolve
from .plain import compose_raw, episode_over

Outcome = tuple[float, tuple[float | None, ...]]
"""The total, and the contributions in the spec's order; None for a term that was not due."""


class CompiledReward:
    """Runs one spec on the raw values of one environment. Made by ``compile_reward``."""

    def __init__(self, resolved: ResolvedSpec) -> None:
        self.resolved: Final = resolved
        """The spec as it is run."""
        self.source: Final = _program(resolved)
        """The program, for reading: two functions of the raw values, which give None where they give up."""
        namespace: dict[str, Any] = {}
        exec(compile(self.source, "<compiled reward>", "exec"), namespace)  # noqa: S102 - see the module's text
        self._at_step: Callable[[Sequence[object]], Outcome | None] = namespace["at_step"]
        self._at_end: Callable[[Sequence[object]], Outcome | None] = namespace["at_end"]
        self._ended = False

    def compute_step(self, values: Sequence[object], ends: bool = False, step: int = 0) -> Outcome:
        """Total and contributions of one step, bit for bit those of the plain engine.

        ``values`` has what each term's component gave, in the spec's order and in the component's unit; what is
        for terms that are not due is ignored. ``ends`` says whether the step ends the episode, terminated or truncated:
        the EPISODE_END terms are due at that step. ``step`` is for messages.

        Raises CompositionError as the plain engine does, for a step after the end too, and ValueError for another
        number of values than terms. The step then does not count as the episode's end.
        """
        if self._ended:
            raise episode_over(step)
        outcome = self._at_end(values) if ends else self._at_step(values)
        if outcome is None:
            contributions, total = compose_raw(self.resolved, values, ends, step)
            outcome = total, contributions
        if ends:
            self._ended = True
        return outcome

    def reset(self) -> None:
        """Begins a new episode."""
        self._ended = False

    def __getstate__(self) -> tuple[ResolvedSpec, bool]:
        return self.resolved, self._ended

    def __setstate__(self, state: tuple[ResolvedSpec, bool]) -> None:
        resolved, ended = state
        CompiledReward.__init__(self, resolved)
        self._ended = ended


def compile_reward(spec: RewardSpec | None, registry: Mapping[str, type[RewardComponent]] = REGISTRY) -> CompiledReward:
    """The compiled form of a spec.

    Raises RewardSpecRequired without a spec, and InvalidDocument where a type of the spec is not in the registry.
    """
    return CompiledReward(resolve(required_spec(spec), registry))


def _program(resolved: ResolvedSpec) -> str:
    return _function("at_step", resolved, ends=False) + "\n\n" + _function("at_end", resolved, ends=True)


def _function(name: str, resolved: ResolvedSpec, ends: bool) -> str:
    """Raw value v0 of the first term, its contribution c0, and so on."""
    terms = list(enumerate(resolved.terms))
    due = [(place, term) for place, term in terms if ends or term.cadence is Cadence.STEP]
    places = [place for place, _ in due]
    lines = [
        "try:",
        f"    [{', '.join(f'v{place}' for place, _ in terms)}] = values",
        "except (TypeError, ValueError):",
        "    return None",
        *(f"if type(v{place}) is not float: return None" for place in places),
        *(f"c{place} = {term.weight!r} * {_clipped(place, term)} + 0.0" for place, term in due),
        # A sum that is not finite has a value in it that is not, or has overflowed; then the plain arithmetic looks.
        f"check = {' + '.join(_looked_at(place, term) for place, term in due) or '0.0'}",
        *(_gated(place, need, need in places) for place, need in resolved.gates if place in places),
        f"total = {' + '.join(['0.0', *(f'c{place}' for place, _ in due)])}",
        "if (check - check) + (total - total) != 0.0: return None",
        f"return total, ({''.join(f'c{place}, ' if place in places else 'None, ' for place, _ in terms)})",
    ]
    return f"def {name}(values):\n" + "".join(f"    {line}\n" for line in lines)


def _clipped(place: int, term: ResolvedTerm) -> str:
    if term.clip is None:
        return f"v{place}"
    low, high = term.clip
    at_least = "" if low is None else f"{low!r} if v{place} < {low!r} else "
    at_most = "" if high is None else f"{high!r} if v{place} > {high!r} else "
    return f"({at_least}{at_most}v{place})"


def _gated(place: int, need: int, due: bool) -> str:
    """The gate of one term; one that requires a term that is not due is shut."""
    return f"if not c{need} > 0.0: c{place} = 0.0" if due else f"c{place} = 0.0"


def _looked_at(place: int, term: ResolvedTerm) -> str:
    """What has to be finite for the value and its contribution to be."""
    if term.clip is None:
        return f"c{place}"
    return f"v{place} + c{place}" if term.can_overflow else f"v{place}"
