"""A valid spec that looks wrong is a warning with a place, in every format, and never changes the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell
from reward_receipts.rewards import Cadence, RewardSpec
from reward_receipts.rewards.components.registry import Registry
from reward_receipts.rewards.spec.warnings import spec_warnings
from scripted_components import scripted

REGISTRY = Registry(
    {
        "gain": scripted("gain", clip=(0.0, 1.0)),
        "cost": scripted("cost", clip=(-1.0, 0.0), default_weight=0.2),
        "effort": scripted("effort", clip=(0.0, 1.0), default_weight=-0.2),  # a cost by its own weight
        "open": scripted("open"),
        "end": scripted("end", Cadence.EPISODE_END, clip=(0.0, 4.0)),
    }
)


def warned(*components: Any, gates: Any = ()) -> list[tuple[str, str]]:
    terms = [each if isinstance(each, dict) else {"type": each} for each in components]
    members = [{"component": component, "requires": requires} for component, requires in gates]
    spec = RewardSpec.from_dict({"name": "s", "components": terms, "gates": members})
    return [(warning.code, warning.pointer) for warning in spec_warnings(spec, REGISTRY)]


@pytest.mark.parametrize(
    "components",
    [
        ["gain", "cost", "effort", "open", "end"],
        [{"type": "gain", "weight": -1.0}],  # a gain that costs is a design
        [{"type": "open", "weight": -1.0}],
        [{"type": "cost", "clip": None, "weight": -1.0}, "gain"][1:],
        [{"type": "cost", "weight": 0.0}, "gain"],
        ["gain", {"type": "cost", "clip": [-1.0, 1.0]}],
        ["cost"],
        ["somebody-elses", "gain"],
        [{"type": "somebody-elses", "clip": [-1.0, 0.0]}],  # its own weight can be negative
    ],
)
def test_nothing_is_reported_of_a_sound_spec(components: list[Any]) -> None:
    assert warned(*components) == []


@pytest.mark.parametrize(
    ("term", "member"),
    [
        ({"type": "cost", "weight": -1.0}, "weight"),
        ({"type": "effort", "weight": 0.2}, "weight"),
        ({"type": "open", "clip": [-2.0, 0.0], "weight": -1.0}, "weight"),
        ({"type": "open", "clip": [None, 0.0], "weight": -1.0}, "weight"),
        ({"type": "effort", "clip": [-1.0, 0.0]}, "type"),
        ({"type": "somebody-elses", "clip": [-2.0, -1.0], "weight": -1.0}, "weight"),
    ],
)
def test_a_cost_that_pays(term: dict[str, Any], member: str) -> None:
    assert warned("gain", term) == [("spec.cost-pays", f"/components/1/{member}")]


@pytest.mark.parametrize(
    ("required", "gates", "expected"),
    [
        ("cost", [("gain", "cost")], ["/gates/0/requires"]),
        ({"type": "open", "weight": 0.0}, [("gain", "open")], ["/gates/0/requires"]),
        ({"type": "open", "clip": [-1.0, 0.0]}, [("gain", "open")], ["/gates/0/requires"]),
        ({"type": "open", "clip": [-1.0, None]}, [("gain", "open")], []),
        ("end", [("gain", "end")], []),
        # A gate that never opens keeps the next one shut too.
        ("cost", [("end", "gain"), ("gain", "cost")], ["/gates/0/requires", "/gates/1/requires"]),
    ],
)
def test_a_gate_that_never_opens(required: Any, gates: Any, expected: list[str]) -> None:
    others = [] if required == "end" else ["end"]
    found = warned("gain", "effort", required, *others, gates=gates)
    assert found == [("spec.gate-never-opens", pointer) for pointer in expected]


@pytest.mark.parametrize(
    ("components", "gates"),
    [
        ([{"type": "gain", "weight": 0.0}], []),
        ([{"type": "gain", "clip": [0.0, 0.0]}], []),
        ([{"type": "open", "weight": 0.0}, {"type": "cost", "weight": -0.0}], []),
        ([{"type": "open", "weight": 0.0}, "gain"], [("gain", "open")]),
    ],
)
def test_a_reward_that_is_always_0(components: list[Any], gates: Any) -> None:
    assert ("spec.only-zero", "/components") in warned(*components, gates=gates)


def test_a_misspelt_component_is_named_with_the_nearest_one() -> None:
    assert warned("gian", "gain") == [("spec.component-misspelt", "/components/0/type")]
    assert warned("nothing-like-it", "gain") == []
    spec = RewardSpec.from_dict({"name": "s", "components": [{"type": "gian"}]})
    assert '"gian"; the nearest name is "gain"' not in str(spec_warnings(spec, Registry()))
    [warning] = spec_warnings(spec, REGISTRY)
    assert warning.sentence == 'No component is registered as "gian"; the nearest name is "gain".'


TURNED = """name: desk
components:
  - {type: on_time_delivery, weight: 1.0}
  - {type: operating_cost, weight: -1.0, clip: [-2.0, 0.0]}
"""


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


def test_lint_lists_a_warning_and_exits_with_0(shell: Shell) -> None:
    ran = shell("spec", "lint", shell.write("turned.yaml", TURNED))
    assert ran.status == 0
    assert ran.out == (
        'turned.yaml:4:28 /components/1/weight warning spec.cost-pays Term "operating_cost" is a cost, but its '
        "weight of -1.0 makes it pay.\n"
    )
    assert ran.err == "1 document, 0 findings, 1 warning\n"


def test_a_warning_is_in_every_format(shell: Shell) -> None:
    name = shell.write("turned.yaml", TURNED)
    [result] = shell.results("spec", "lint", name)
    assert [warning["code"] for warning in result["warnings"]] == ["spec.cost-pays"]
    assert (result["verdict"], result["findings"]) == ("valid", [])
    last = shell("spec", "lint", name, "-f", "jsonl").lines[-1]
    assert json.loads(last)["warnings"] == 1
    assert shell("spec", "lint", name, "-f", "github").out.startswith("::warning file=turned.yaml,line=4,col=28,")
    junit = shell("spec", "lint", name, "-f", "junit").out
    assert "warning 4:28 /components/1/weight spec.cost-pays" in junit
    assert "<failure" not in junit
    assert shell("spec", "lint", name, "-q").lines != []


def test_a_misspelt_component_is_a_finding_only_if_components_must_be_registered(shell: Shell) -> None:
    name = shell.write("misspelt.yaml", TURNED.replace("on_time_delivery", "on_time_delivry").replace("-1.0,", "1.0,"))
    ran = shell("spec", "lint", name)
    assert (ran.status, ran.codes) == (0, [("misspelt.yaml:3:6", "warning")])
    assert 'the nearest name is "on_time_delivery"' in ran.out
    assert 'not registered, so not looked at: "on_time_delivry"; --components MODULE imports' in ran.err
    ran = shell("spec", "lint", name, "--registered")
    assert (ran.status, [code for _, code in ran.codes]) == (1, ["compose.component-unknown", "warning"])
    assert "not looked at" not in ran.err
