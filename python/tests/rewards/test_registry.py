"""The registry: components by name, registered in this process or offered by installed packages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from reward_receipts.rewards import (
    ComponentNameTaken,
    ComponentNotLoaded,
    CompositionEngine,
    Registry,
    RewardComponent,
    RewardSignal,
    StepContext,
    compile_reward,
    register,
)
from reward_receipts.rewards.components.registry import ENTRY_POINTS, REGISTRY
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
    with pytest.raises(ComponentNameTaken, match='"a" is taken already, by .*; choose another name, or give over'):
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
        (object, TypeError, "not a subclass of RewardComponent"),
        (Whole(), TypeError, "not a subclass of RewardComponent"),
        (lambda: Whole(), TypeError, "not a subclass of RewardComponent"),
        (None, TypeError, "not a subclass of RewardComponent"),
        (Nameless, ValueError, "has no name"),
        (Unfinished, ValueError, "compute"),
    ],
)
def test_anything_that_is_not_a_whole_component_is_refused(
    component: Any, error: type[Exception], message: str
) -> None:
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
        ("clip", (1.0, 0.0), "give it None or two bounds, the first at most the second"),
        ("clip", (0.0, float("inf")), "a bound is a finite number, or None if that side is unbounded"),
        ("clip", (None, float("nan")), "clip"),
        ("clip", (None, True), "clip"),
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
    with pytest.raises(ValueError, match=r'the component "x" \(Broken\)') as caught:
        Registry().register("x", broken)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["", "x" * 129, None, 1])
def test_a_name_that_no_spec_could_have_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="a text of 1 to 128 characters"):
        Registry().register(name, Whole)


def test_a_name_with_half_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match=r'without unpaired surrogates, not "a\\ud800"'):
        Registry().register("a\ud800", Whole)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("cadence", "episode_end"), ("clip", (5.0, -5.0)), ("default_weight", float("nan")), ("reads", ("extra",))],
)
def test_a_class_that_escaped_registration_or_changed_after_it_is_refused_when_a_spec_is_resolved(
    attribute: str, value: object
) -> None:
    changed = type("Changed", (Whole,), {})
    registry = Registry({"x": changed})
    setattr(changed, attribute, value)
    for where in (registry, {"x": changed}):
        for run in (
            lambda where=where: CompositionEngine(spec_of("x"), registry=where),
            lambda where=where: compile_reward(spec_of("x"), where),
            lambda where=where: spec_of("x").ceiling(where),
        ):
            with pytest.raises(ValueError, match=rf'the component "x" \(Changed\).* {attribute}'):
                run()
    with pytest.raises(TypeError, match='the component "x" is 3, which is not a subclass of RewardComponent'):
        spec_of("x").resolve({"x": 3})  # type: ignore[dict-item]


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
    with pytest.raises(
        ComponentNameTaken,
        match='by the entry point "offered = offered_.*package one 1.0; .*need not reg',
    ):
        registry.register("offered", Whole)
    registry.register("offered", Whole, overwrite=True)
    assert registry["offered"] is Whole


def test_two_packages_that_offer_one_name_are_an_error(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    install(packages, "two", "offered = offered_components:Other")
    registry = Registry(group=ENTRY_POINTS)
    with pytest.raises(ComponentNameTaken, match='"offered" is offered more than once: .*one 1.0 .*two 1.0'):
        registry["offered"]
    with pytest.raises(ComponentNameTaken, match=r"package one 1\.0 and .*package two 1\.0"):
        registry.register("offered", Whole)
    registry.register("offered", Whole, overwrite=True)
    assert registry["offered"] is Whole


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("odd = offered_components:not_a_component", 'TypeError: the component "odd" is 1, which is not a subclass of'),
        ("odd = offered_components:Offred", "AttributeError: .*has no attribute 'Offred'"),
        ("odd = no_module_of_that_name:C", "ModuleNotFoundError: No module named"),
        ("odd = not an entry point", "AttributeError: .*an entry point is NAME = MODULE:CLASS"),
        ("odd = leaving:C", "SystemExit: no licence"),
        ("odd = sinking:C", "Sunk: gone"),
    ],
)
def test_anything_that_cannot_be_loaded_names_component_entry_point_and_package(
    packages: Path, entry: str, reason: str
) -> None:
    (packages / "leaving.py").write_text("import sys; sys.exit('no licence')")
    (packages / "sinking.py").write_text("class Sunk(BaseException): pass\nraise Sunk('gone')")
    install(packages, "one", entry)
    with pytest.raises(ComponentNotLoaded, match=reason) as caught:
        spec_of("odd").resolve(Registry(group=ENTRY_POINTS))
    assert f'the component "odd" cannot be loaded from the entry point "{entry}" of the package one 1.0' in str(
        caught.value
    )


def test_only_the_name_that_is_asked_for_fails(packages: Path) -> None:
    install(packages, "good", "offered = offered_components:Offered")
    install(packages, "clash", "fill_rate = offered_components:Offered", "odd = not an entry point")
    install(packages, "one", "twice = offered_components:Offered")
    install(packages, "two", "twice = offered_components:not_a_component")
    (packages / "broken-1.0.dist-info").mkdir()
    (packages / "broken-1.0.dist-info" / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nno equals sign\n")
    registry = Registry(group=ENTRY_POINTS, builtin="reward_receipts.rewards.components.operations:COMPONENTS")
    registry.register("mine", Whole)
    spec_of("mine", "offered", "throughput").resolve(registry)
    assert {"fill_rate", "odd", "twice", "offered", "mine", "throughput"} <= {*registry}
    for name in ("fill_rate", "twice"):
        with pytest.raises(ComponentNameTaken, match=name):
            registry[name]


def test_two_packages_that_offer_the_same_class_under_one_name_are_not_errors(packages: Path) -> None:
    for name in ("one", "two"):
        install(packages, name, "offered = offered_components:Offered")
    assert Registry(group=ENTRY_POINTS)["offered"].name == "offered"


def test_a_package_that_registers_while_it_is_imported_blocks_no_other_thread(packages: Path) -> None:
    (packages / "slow_components.py").write_text(
        "import time\nfrom reward_receipts.rewards import RewardComponent\n"
        "import slow_meeting\n"
        "class Slow(RewardComponent):\n    name = 'slow'\n"
        "    def compute(self, ctx): return self._signal(1.0)\n"
        "slow_meeting.importing.set()\ntime.sleep(0.3)\n"  # the other thread asks for the component meanwhile
        "slow_meeting.registry.register('beside', Slow)\n"
    )
    (packages / "slow_meeting.py").write_text("import threading\nimporting = threading.Event()\nregistry = None\n")
    install(packages, "slow", "slow = slow_components:Slow")
    meeting = importlib.import_module("slow_meeting")
    meeting.registry = registry = Registry(group=ENTRY_POINTS)
    first = Thread(target=importlib.import_module, args=("slow_components",), daemon=True)
    second = Thread(target=lambda: registry["slow"], daemon=True)
    try:
        first.start()
        assert meeting.importing.wait(10)
        second.start()
        for thread in (first, second):
            thread.join(10)
            assert not thread.is_alive()
        assert registry["slow"] is registry["beside"]
    finally:
        for name in ("slow_components", "slow_meeting"):
            sys.modules.pop(name, None)


def test_a_registry_without_a_group_has_no_part_in_what_is_installed(packages: Path) -> None:
    install(packages, "one", "offered = offered_components:Offered")
    assert list(Registry()) == []
    assert len(Registry()) == 0
    assert "offered" not in Registry()


def test_the_registry_of_the_process_looks_at_installed_packages() -> None:
    assert REGISTRY._group == "reward_receipts.components"
