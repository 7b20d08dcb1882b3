"""The seven components for operational records: what each makes of records, and what it refuses."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_receipts.rewards import (
    Cadence,
    ComponentNameTaken,
    CompositionEngine,
    CompositionError,
    Registry,
    RewardComponent,
    RewardSignal,
    StepContext,
    register,
)
from reward_receipts.rewards.components import registry as registry_module
from reward_receipts.rewards.components.operations import COMPONENTS
from scripted_components import spec_of

BUILTIN = "reward_receipts.rewards.components.operations:COMPONENTS"
STATE: dict[str, Any] = {
    "units_ordered": 10,
    "units_filled": 6,
    "units_completed": 8,
    "operating_cost": 12.0,
    "capacity": 4,
    "budget": 8.0,
}
INCIDENT: dict[str, Any] = {"id": "i1", "severity": 0.5, "status": "opened"}
DELIVERY: dict[str, Any] = {"effect": "delivery", "verified": True, "on_time": True}
FULL: dict[str, Any] = {
    "state_before": {**STATE, "units_completed": 5, "operating_cost": 10.0},
    "state_after": STATE,
    "incidents": [INCIDENT],
    "verifications": [DELIVERY],
}


def signal(name: str, **fields: Any) -> RewardSignal:
    return COMPONENTS[name]().compute(StepContext(3, **fields))


# What each makes of records


def test_on_time_delivery_is_the_share_of_deliveries_that_came_on_time_and_were_verified() -> None:
    late, lost = {**DELIVERY, "on_time": False}, {**DELIVERY, "verified": False}
    repair = {"effect": "repair", "verified": True}
    given_signal = signal("on_time_delivery", verifications=[DELIVERY, late, lost, DELIVERY, repair])
    assert given_signal.value == 0.5
    assert given_signal.detail == {"late": 0.25, "unverified": 0.25}


def test_verified_effects_is_the_share_of_all_checks_that_found_their_effect() -> None:
    checks = [DELIVERY, {"effect": "repair", "verified": False}, {"effect": "repair", "verified": True}, DELIVERY]
    assert signal("verified_effects", verifications=checks).value == 0.75


def test_fill_rate_is_the_share_of_ordered_units_that_were_filled_and_is_due_at_the_end_only() -> None:
    assert COMPONENTS["fill_rate"].cadence is Cadence.EPISODE_END
    assert signal("fill_rate", state_after=STATE).value == 0.6
    engine = CompositionEngine(spec_of("fill_rate"))
    assert engine.compute_step(StepContext(0, state_after=STATE)).contributions == {}
    assert engine.compute_step(StepContext(1, state_after=STATE, truncated=True)).contributions == {"fill_rate": 0.6}


def test_incident_severity_is_a_penalty_for_what_is_open_and_resolution_pays_for_what_was_put_right() -> None:
    ongoing = {"id": "i2", "severity": 0.25, "status": "ongoing"}
    resolved = {"id": "i3", "severity": 0.75, "status": "resolved"}
    incidents = [INCIDENT, ongoing, resolved]
    severity = signal("incident_severity", incidents=incidents)
    assert severity.value == -0.75
    assert severity.detail == {"opened": -0.5, "ongoing": -0.25}
    assert signal("incident_resolution", incidents=incidents).value == 0.75


def test_the_clip_keeps_many_incidents_at_minus_1() -> None:
    incidents = [{"id": f"i{place}", "severity": 1.0, "status": "ongoing"} for place in range(5)]
    result = CompositionEngine(spec_of("incident_severity")).compute_step(StepContext(0, incidents=incidents))
    assert (result.raw["incident_severity"], result.total) == (-5.0, -1.0)


def test_an_incident_can_open_and_be_resolved_in_one_step() -> None:
    incidents = [INCIDENT, {**INCIDENT, "status": "resolved"}]
    assert signal("incident_severity", incidents=incidents).value == -0.5
    assert signal("incident_resolution", incidents=incidents).value == 0.5


def test_throughput_and_cost_are_what_the_step_added_against_what_it_had() -> None:
    assert signal("throughput", **FULL).value == 0.75
    assert signal("operating_cost", **FULL).value == -0.25


@pytest.mark.parametrize(("name", "value"), [("throughput", 1.0), ("operating_cost", -1.0)])
def test_more_than_the_capacity_or_the_budget_counts_as_all_of_it(name: str, value: float) -> None:
    after = {**STATE, "capacity": 0, "budget": 0}
    assert signal(name, state_before=FULL["state_before"], state_after=after).value == value


def test_nothing_is_divided_by_zero() -> None:
    still = {"units_completed": 3, "operating_cost": 1, "capacity": 0, "budget": 0}
    for name in ("throughput", "operating_cost"):
        assert signal(name, state_before=still, state_after=still).value == 0.0
    assert signal("fill_rate", state_after={"units_ordered": 0, "units_filled": 0}).value == 0.0


@pytest.mark.parametrize("name", COMPONENTS)
def test_no_records_are_0(name: str) -> None:
    assert signal(name).value == 0.0


@pytest.mark.parametrize("name", ["on_time_delivery", "verified_effects", "incident_severity", "incident_resolution"])
def test_empty_lists_are_0(name: str) -> None:
    assert signal(name, incidents=[], verifications=[]).value == 0.0


# What is refused: a member that is missing or of another form, never a silent 0

WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "no severity": ("incident_severity", {"incidents": [{"id": "i", "status": "opened"}]}, "no member severity"),
    "severity text": ("incident_severity", {"incidents": [{**INCIDENT, "severity": "high"}]}, 'severity "high"'),
    "severity 1.5": ("incident_resolution", {"incidents": [{**INCIDENT, "severity": 1.5}]}, "at most 1"),
    "severity -0.1": ("incident_severity", {"incidents": [{**INCIDENT, "severity": -0.1}]}, "at least 0"),
    "severity NaN": ("incident_severity", {"incidents": [{**INCIDENT, "severity": math.nan}]}, "finite"),
    "severity bool": ("incident_severity", {"incidents": [{**INCIDENT, "severity": True}]}, "it is a number"),
    "status": ("incident_resolution", {"incidents": [{**INCIDENT, "status": "closed"}]}, "opened, ongoing, resolved"),
    "id": ("incident_severity", {"incidents": [{**INCIDENT, "id": ""}]}, "not empty"),
    "the second record": ("incident_severity", {"incidents": [INCIDENT, {**INCIDENT, "id": 2}]}, "incidents[1]"),
    "one twice": ("incident_severity", {"incidents": [INCIDENT, INCIDENT]}, "count twice"),
    "no mapping": ("incident_severity", {"incidents": ["fire"]}, "not a mapping"),
    "no verified": ("verified_effects", {"verifications": [{"effect": "repair"}]}, "no member verified"),
    "verified 1": ("verified_effects", {"verifications": [{**DELIVERY, "verified": 1}]}, "true or false"),
    "no effect": ("verified_effects", {"verifications": [{"verified": True}]}, "no member effect"),
    "no on_time": ("on_time_delivery", {"verifications": [{"effect": "delivery", "verified": True}]}, "on_time"),
    "no units_filled": ("fill_rate", {"state_after": {"units_ordered": 1}}, "no member units_filled"),
    "an empty state": ("fill_rate", {"state_after": {}}, "state_after has no member units_ordered"),
    "filled too many": ("fill_rate", {"state_after": {"units_ordered": 1, "units_filled": 2}}, "more than its"),
    "no state before": ("throughput", {"state_after": STATE}, "state_before has no member units_completed"),
    "no capacity": ("throughput", {"state_before": STATE, "state_after": {"units_completed": 8}}, "capacity"),
    "units fell": ("throughput", {"state_before": STATE, "state_after": {**STATE, "units_completed": 7}}, "fell"),
    "no budget": ("operating_cost", {"state_before": STATE, "state_after": {"operating_cost": 12}}, "budget"),
    "cost beyond": (
        "operating_cost",
        {"state_before": STATE, "state_after": {**STATE, "operating_cost": 10**400}},
        "beyond",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_member_that_is_missing_or_wrong_is_named_by_the_engine_with_component_and_step(case: str) -> None:
    name, fields, words = WRONG[case]
    with pytest.raises(CompositionError) as caught:
        CompositionEngine(spec_of(name)).compute_step(StepContext(3, terminated=True, **fields))
    assert caught.value.code == "compose.component-failed"
    assert (caught.value.component, caught.value.step) == (name, 3)
    assert words in str(caught.value)


# For all records of the documented form

SIZES = st.one_of(st.integers(0, 10**6), st.floats(0, 1.7e308, allow_subnormal=True))
INCIDENTS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(min_size=1, max_size=3),
            "severity": st.one_of(st.floats(0, 1), st.integers(0, 1)),
            "status": st.sampled_from(["opened", "ongoing", "resolved"]),
        }
    ),
    max_size=20,
    unique_by=lambda record: (record["id"], record["status"]),
)
VERIFICATIONS = st.lists(
    st.fixed_dictionaries(
        {"effect": st.sampled_from(["delivery", "repair"]), "verified": st.booleans(), "on_time": st.booleans()}
    ),
    max_size=20,
)


@st.composite
def contexts(draw: Callable[[st.SearchStrategy[Any]], Any]) -> StepContext:
    before, after = ({name: draw(SIZES) for name in STATE} for _ in range(2))
    for name in ("units_ordered", "units_filled", "units_completed", "operating_cost"):
        before[name], after[name] = sorted((before[name], after[name]))
    for state in (before, after):
        state["units_filled"], state["units_ordered"] = sorted((state["units_filled"], state["units_ordered"]))
    return StepContext(
        state_before=before, state_after=after, incidents=draw(INCIDENTS), verifications=draw(VERIFICATIONS)
    )


def ranges(ctx: StepContext) -> dict[str, tuple[float, float]]:
    """The documented range of each component."""
    incidents = len(ctx.incidents)
    penalties = {"incident_severity": (-incidents, 0), "operating_cost": (-1, 0)}
    return dict.fromkeys(COMPONENTS, (0, 1)) | {"incident_resolution": (0, incidents)} | penalties


@given(contexts())
def test_every_value_is_finite_and_in_its_documented_range_and_so_are_the_sub_terms(ctx: StepContext) -> None:
    for name, (low, high) in ranges(ctx).items():
        given_signal = COMPONENTS[name]().compute(ctx)
        assert low <= given_signal.value <= high, name
        assert given_signal.detail, name
        assert all(math.isfinite(part) for part in given_signal.detail.values()), name


@given(contexts())
def test_the_shares_add_up_to_1_or_nothing_was_shared(ctx: StepContext) -> None:
    for name in ("on_time_delivery", "verified_effects"):
        given_signal = COMPONENTS[name]().compute(ctx)
        total = given_signal.value + sum(given_signal.detail.values())
        assert total == pytest.approx(1.0) or (total == 0.0 and given_signal.value == 0.0)


@given(contexts())
def test_an_engine_over_all_seven_always_comes_to_a_total_within_its_ceiling(ctx: StepContext) -> None:
    spec = spec_of(*COMPONENTS)
    result = CompositionEngine(spec).compute_step(ctx.ending(True, False))
    ceiling = spec.ceiling().per_episode(1)
    assert ceiling is not None
    assert math.isfinite(result.total)
    assert result.total <= ceiling + 1e-12
    assert set(result.contributions) == set(COMPONENTS)


def test_each_says_its_unit_its_range_and_its_reason_and_penalties_are_clipped_below_0() -> None:
    for name, component in COMPONENTS.items():
        assert component.name == name
        assert component.clip == ((-1.0, 0.0) if name in ("incident_severity", "operating_cost") else (0.0, 1.0))
        assert component.default_weight > 0
        for word in ("Unit: ", "Range: ", "Reason: "):
            assert word in (component.__doc__ or ""), name


# Built in


def test_a_process_that_imports_nothing_of_them_can_resolve_a_spec_over_them() -> None:
    program = (
        "import sys; from reward_receipts.rewards import RewardSpec;"
        f"spec = RewardSpec.from_dict({{'name': 'x', 'components': [{{'type': n}} for n in {list(COMPONENTS)!r}]}});"
        "assert 'reward_receipts.rewards.components.operations' not in sys.modules; print(spec.ceiling().per_step)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert float(ran.stdout) == 1.0 + 0.5 + 0.5 + 0.5  # the penalties' most is 0


class Own(RewardComponent):
    name = "own"

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0)


def test_a_built_in_name_is_taken_unless_it_is_overwritten() -> None:
    registry = Registry(builtin=BUILTIN)
    with pytest.raises(ComponentNameTaken, match=r"OnTimeDelivery.*overwrite=True"):
        registry.register("on_time_delivery", Own)
    registry.register("on_time_delivery", Own, overwrite=True)
    assert registry["on_time_delivery"] is Own
    assert set(registry) == set(COMPONENTS)
    assert len(registry) == len(COMPONENTS)
    with pytest.raises(ComponentNameTaken):
        register("throughput", Own)


def test_an_installed_package_cannot_take_a_built_in_name_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "throughput"
        value = "other.package:Throughput"

    monkeypatch.setattr(registry_module, "entry_points", lambda group: [Entry()])
    registry = Registry(group="any", builtin=BUILTIN)
    with pytest.raises(ComponentNameTaken, match=r"operations\.Throughput and by .*other\.package:Throughput"):
        registry["throughput"]
    assert registry["fill_rate"] is COMPONENTS["fill_rate"]  # what is wrong with one name is of no matter to others
