"""The registry: components by name, registered in this process or offered by installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reward_receipts.rewards import (
    ComponentNameTaken,
    CompositionEngine,
    Registry,
    RewardComponent,
    RewardSignal,
    StepContext,
    register,
)
from reward_receipts.rewards.registry import ENTRY_POINTS, REGISTRY
from scripted_components import scripted, spec_of, step_of


def test_a_component_is_found_under_the_name_it_was_registered_under() -> None:
    registry, upright = Registry(), scripted("upright")
    registry.register("stands", upright)
    assert registry["stands"] is upright
    assert list(registry) == ["stands"]
    assert len(registry) == 1
    engine = CompositionEngine(spec_of({"type": "stands", "weight": 2.0}), registry=registry)
    assert engine.compute_step(step_of(upright=0.5)).contributions == {"stands": 1.0}


def test_a_name_twice_is_an_error_unless_it_is_to_be_overwritten() -> None:
    first, second = scripted("a"), scripted("a")
    registry = Registry({"a": first})
    with pytest.raises(ComponentNameTaken, match="'a' is registered already, as .*; choose another name, or give over"):
        registry.register("a", second)
    assert registry["a"] is first
    registry.register("a", second, overwrite=True)
    assert registry["a"] is second


def test_the_same_class_twice_is_a_name_twice_too() -> None:
    registry = Registry({"a": scripted("a")})
    with pytest.raises(ComponentNameTaken):
        registry.register("a", registry["a"])


def test_an_engine_keeps_the_component_that_it_was_made_with() -> None:
    registry = Registry({"a": scripted("a")})
    engine = CompositionEngine(spec_of("a"), registry=registry)
    registry.register("a", scripted("b"), overwrite=True)
    assert engine.compute_step(step_of(a=1.0, b=2.0)).total == 1.0


def test_register_is_for_the_specs_of_the_process() -> None:
    register("test_reward_registry.a", scripted("a"))
    assert CompositionEngine(spec_of("test_reward_registry.a")).compute_step(step_of(a=1.0)).total == 1.0
    with pytest.raises(ComponentNameTaken):
        register("test_reward_registry.a", scripted("a"))
    register("test_reward_registry.a", scripted("b"), overwrite=True)
    assert CompositionEngine(spec_of("test_reward_registry.a")).compute_step(step_of(b=2.0)).total == 2.0


class Whole(RewardComponent):
    name = "whole"

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0)


class Nameless(RewardComponent):
    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0)


class Unfinished(RewardComponent):
    name = "unfinished"


@pytest.mark.parametrize(
    ("component", "error", "message"),
    [
        (object, TypeError, "no subclass of RewardComponent"),
        (Whole(), TypeError, "no subclass of RewardComponent"),
        (lambda: Whole(), TypeError, "no subclass of RewardComponent"),
        (None, TypeError, "no subclass of RewardComponent"),
        (Nameless, ValueError, "has no name"),
        (Unfinished, ValueError, "compute"),
    ],
)
def test_what_is_no_whole_component_is_refused(component: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Registry().register("x", component)


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("cadence", "step", "cadence 'step'; give it Cadence.STEP or Cadence.EPISODE_END"),
        ("cadence", None, "cadence None"),
        ("reads", "extras", "reads 'extras'"),
        ("reads", ("extra",), "a step has state_before, state_after, incidents, verifications, extras"),
        ("reads", ("step",), "reads"),
        ("reads", None, "reads None"),
        ("reads", ([],), "reads"),
        ("default_weight", float("nan"), "default_weight nan; give it a finite number"),
        ("default_weight", float("inf"), "default_weight inf"),
        ("default_weight", True, "default_weight True"),
        ("default_weight", "1.0", "default_weight '1.0'"),
        ("default_weight", None, "default_weight None"),
        ("default_weight", 10**400, "default_weight"),
        ("clip", (1.0, 0.0), "give it None or two finite numbers, the first at most the second"),
        ("clip", (0.0, float("inf")), "clip"),
        ("clip", (float("nan"), 1.0), "clip"),
        ("clip", (0.0,), "clip"),
        ("clip", (0.0, 1.0, 2.0), "clip"),
        ("clip", (False, True), "clip"),
        ("clip", 1.0, "clip 1.0"),
        ("clip", "01", "clip '01'"),
        ("clip", {0.0, 1.0}, "clip"),
        ("clip", (0.0, 10**400), "clip"),
    ],
    ids=lambda value: f"{value!r:.20}",
)
def test_broken_class_attributes_are_refused(attribute: str, value: object, message: str) -> None:
    broken = type("Broken", (Whole,), {attribute: value})
    with pytest.raises(ValueError, match=r"the component 'x' \(Broken\)") as caught:
        Registry().register("x", broken)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["", "x" * 129, None, 1])
def test_a_name_that_no_spec_could_have_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="a text of 1 to 128 characters"):
        Registry().register(name, Whole)


def test_whole_numbers_and_a_list_for_a_clip_do() -> None:
    registry = Registry({"x": type("Fine", (Whole,), {"clip": [0, 1], "default_weight": 2, "reads": ["extras"]})})
    (term,) = CompositionEngine(spec_of("x"), registry=registry).resolved.terms
    assert (term.weight, term.clip, term.reads) == (2.0, (0.0, 1.0), ("extras",))


MODULE = """
from reward_receipts.rewards import RewardComponent

class Offered(RewardComponent):
    name = "offered"
    def compute(self, ctx):
        return self._signal(4.0)

not_a_component = 1
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, with a module of components that an installed package can offer."""
    (tmp_path / "offered_components.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("offered_components", None)


def install(packages: Path, name: str, *entries: str) -> None:
    """Makes a distribution look installed."""
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join([f"[{ENTRY_POINTS}]", *entries, ""]))


def test_an_installed_package_offers_components(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    registry = Registry(group=ENTRY_POINTS)
    assert "offered" in registry
    assert "offered_components" not in sys.modules  # to be asked for is not to be loaded
    assert CompositionEngine(spec_of("offered"), registry=registry).compute_step(step_of()).total == 4.0


def test_a_name_that_a_package_offers_is_taken_unless_it_is_to_be_overwritten(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    registry = Registry(group=ENTRY_POINTS)
    with pytest.raises(ComponentNameTaken, match="registered already, as offered_components:Offered"):
        registry.register("offered", Whole)
    registry.register("offered", Whole, overwrite=True)
    assert registry["offered"] is Whole


def test_two_packages_that_offer_one_name_are_an_error(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    install(packages, "two", "offered = offered_components:Other")
    with pytest.raises(ComponentNameTaken, match="two installed packages offer a component 'offered'"):
        list(Registry(group=ENTRY_POINTS))


def test_what_a_package_offers_is_held_to_the_same_rules(packages: Path) -> None:
    install(packages, "one", "number = offered_components:not_a_component")
    with pytest.raises(TypeError, match="no subclass of RewardComponent"):
        Registry(group=ENTRY_POINTS)["number"]


def test_a_registry_without_a_group_has_no_part_in_what_is_installed(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    assert list(Registry()) == []
    assert len(Registry()) == 0
    assert "offered" not in Registry()


def test_the_registry_of_the_process_looks_at_installed_packages() -> None:
    assert REGISTRY._group == "reward_receipts.components"
