"""Terms with names and params: a type twice, what a component declares, and what names contributions and gates."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from reward_receipts import InvalidDocument
from reward_receipts.rewards import (
    CompositionEngine,
    CompositionError,
    Param,
    Registry,
    RewardComponent,
    RewardSignal,
    RewardSpec,
    StepContext,
    compile_reward,
)


class Near(RewardComponent):
    name = "near"
    reads = ("extras",)
    clip = (-10.0, 0.0)
    params: ClassVar[Any] = {"target": Param("number"), "power": Param("integer", default=1, minimum=1, maximum=3)}

    def __init__(self, target: float, power: int) -> None:
        self.target, self.power = target, power

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(-(abs(ctx.extras["position"] - self.target) ** self.power), {self.term: self.target})


REGISTRY = Registry({"near": Near})


def spec(*components: dict[str, Any], gates: list[dict[str, str]] | None = None) -> RewardSpec:
    return RewardSpec.from_dict({"name": "a reward", "components": list(components), "gates": gates or []})


TWICE = spec(
    {"type": "near", "params": {"target": 1}},
    {"type": "near", "name": "far", "params": {"target": 3.0, "power": 2}, "weight": 0.5},
    gates=[{"component": "far", "requires": "near"}],
)


def test_a_type_twice_gives_a_contribution_for_each_name() -> None:
    ungated = TWICE.model_copy(update={"gates": []})
    result = CompositionEngine(ungated, registry=REGISTRY).compute_step(StepContext(extras={"position": 2.0}))
    assert dict(result.contributions) == {"near": -1.0, "far": -0.5}
    assert {name: dict(terms) for name, terms in result.detail.items()} == {"near": {"near": 1.0}, "far": {"far": 3.0}}


def test_gates_go_by_names() -> None:
    result = CompositionEngine(TWICE, registry=REGISTRY).compute_step(StepContext(extras={"position": 2.0}))
    assert dict(result.contributions) == {"near": -1.0, "far": 0.0}
    assert result.explain() == {"far": "far is 0: it requires near, which contributed -1.0"}


def test_a_component_gets_its_params_in_the_declared_types() -> None:
    terms = TWICE.resolve(REGISTRY).terms
    assert [(term.name, term.type, dict(term.params)) for term in terms] == [
        ("near", "near", {"power": 1, "target": 1.0}),
        ("far", "near", {"power": 2, "target": 3.0}),
    ]
    made = terms[1].make()
    assert isinstance(made, Near)
    assert (type(made.power), type(made.target), made.term) == (int, float, "far")


def test_json_params_are_the_components_own_to_change() -> None:
    class Weights(Near):
        params: ClassVar[Any] = {"weights": Param("json", default={"a": [1]})}

        def __init__(self, weights: dict[str, Any]) -> None:
            self.weights = weights

    (term,) = spec({"type": "w"}).resolve(Registry({"w": Weights})).terms
    first, second = term.make(), term.make()
    assert isinstance(first, Weights)
    assert isinstance(second, Weights)
    first.weights["a"].append(2.0)
    assert second.weights == {"a": [1.0]}


def test_a_failure_names_the_term() -> None:
    engine = CompositionEngine(TWICE, registry=Registry({"near": Broken}))
    with pytest.raises(CompositionError, match='Component "far" gave nan') as raised:
        engine.compute_step(StepContext(extras={}))
    assert raised.value.component == "far"


class Broken(Near):
    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(float("nan") if self.term == "far" else 0.0)


def test_the_compiled_form_and_the_ceiling_go_by_names() -> None:
    assert compile_reward(TWICE, REGISTRY).compute_step([-1.0, -4.0]) == (-1.0, (-1.0, 0.0))
    assert [(name, bound) for name, _, bound in TWICE.ceiling(REGISTRY).bounds] == [("near", 0.0), ("far", 0.0)]


def test_the_digest_of_a_spec_without_names_and_params_is_what_it_was() -> None:
    plain = spec({"type": "near"}, {"type": "far", "weight": 2, "clip": None})
    assert plain.digest == "sha256:96c61027da2d9a3eba5b54f470aa03f4d9ff64329f7e53431a2a150ada94cd62"


def test_anything_that_is_left_out_stays_left_out_and_numbers_are_doubles() -> None:
    one, other = (spec({"type": "near", "params": {"target": number}}) for number in (1, 1.0))
    assert one == other
    assert one.to_dict()["components"] == [{"type": "near", "params": {"target": 1.0}}]
    assert one.digest != spec({"type": "near", "name": "near", "params": {"target": 1}}).digest
    empty = {"type": "near", "params": {}}
    assert spec(empty).digest != spec({"type": "near"}).digest


@pytest.mark.parametrize("write", ["to_yaml", "to_json"])
def test_names_and_params_round_trip(write: str) -> None:
    params = {"on": {"no": [1, None, True, "1.0", {"": -0.0}]}, "é: x": "y\n", "10": [], "9": {}}
    written = spec({"type": "near", "name": "no", "params": params, "weight": 0.1})
    read = RewardSpec.from_yaml if write == "to_yaml" else RewardSpec.from_json
    assert read(getattr(written, write)()).digest == written.digest


@pytest.mark.parametrize("length", [1021, 1022, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("character", ["k", "\u00e9", "x: ", "'"])
def test_params_with_long_names_read_back_from_yaml(length: int, character: str) -> None:
    name = (character * length)[:length]
    written = spec({"type": "near", "params": {name: 1, "inner": {name: []}}})
    assert RewardSpec.from_yaml(written.to_yaml()) == written


def test_params_cannot_change() -> None:
    params: Any = spec({"type": "near", "params": {"k": [{"m": 1}]}}).components[0].params
    with pytest.raises(TypeError):
        params["k"] = 1
    with pytest.raises(TypeError):
        params["k"][0]["m"] = 1


@pytest.mark.parametrize(
    ("params", "code", "pointer", "message"),
    [
        ({"target": 0, "size": 1}, "compose.param-unknown", "/components/0/params/size", 'it has "power", "target".'),
        ({"power": 2}, "compose.param-missing", "/components/0", 'needs the parameter "target"'),
        ({"target": True}, "compose.param-type", "/components/0/params/target", "of the type number; found true."),
        ({"target": 0, "power": 1.5}, "compose.param-type", "/components/0/params/power", "integer; found 1.5."),
        ({"target": 0, "power": 4}, "compose.param-range", "/components/0/params/power", "4.0; expected 1.0 to 3.0."),
        ({"target": [0]}, "compose.param-type", "/components/0/params/target", "found [0.0]."),
    ],
)
def test_params_that_the_component_refuses(params: dict[str, Any], code: str, pointer: str, message: str) -> None:
    with pytest.raises(InvalidDocument) as raised:
        spec({"type": "near", "params": params}).resolve(REGISTRY)
    (finding,) = raised.value.findings
    assert (finding.code, finding.pointer) == (code, pointer)
    assert finding.sentence.endswith(message) or message in finding.sentence


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "float"}, "unknown type of parameter 'float'; expected one of: number, integer, boolean, text, json"),
        ({"type": "text", "minimum": 1}, "a parameter of type text has no minimum and no maximum"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "the minimum 2 is above the maximum 1"),
        ({"type": "number", "maximum": float("nan")}, "bounds are finite numbers, not nan"),
        ({"type": "integer", "default": 0.5}, "the default 0.5 is refused; expected integer"),
        ({"type": "number", "default": 3, "maximum": 2}, "the default 3 is refused; expected at most 2.0"),
    ],
)
def test_a_parameter_that_could_never_be_right_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Param(**given)


def test_a_component_declares_a_param_by_each_name() -> None:
    wrong: Any = {"target": "number"}
    with pytest.raises(ValueError, match="give it a Param by each name"):
        Registry({"near": type("Wrong", (Near,), {"params": wrong})})


def test_the_difference_of_two_specs_names_parameters() -> None:
    after = spec(
        {"type": "near", "params": {"target": 2}},
        {"type": "near", "name": "far", "params": {"target": 3, "power": 2}, "weight": 0.5},
        gates=[{"component": "far", "requires": "near"}],
    )
    assert str(TWICE.diff(after)) == 'The parameter "target" of "near" was 1.0 and is 2.0.'
    assert [change.to_dict() for change in TWICE.diff(after).changes] == [
        {
            "kind": "param",
            "component": "near",
            "before": {"target": 1.0},
            "after": {"target": 2.0},
            "sentence": 'The parameter "target" of "near" was 1.0 and is 2.0.',
        }
    ]


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ({"type": "a"}, {"type": "a", "name": "a"}, 'The name of "a" was left out and is "a"; the meaning is the same'),
        ({"type": "a"}, {"type": "a", "params": {}}, 'The params of "a" were left out and are {}; the meaning is the'),
        ({"type": "a"}, {"type": "b", "name": "a"}, 'The component of "a" was "a" and is "b".'),
        ({"type": "a"}, {"type": "a", "params": {"k": [1]}}, 'of "a" was the component\'s own and is [1.0].'),
        ({"type": "a", "params": {"k": 1}}, {"type": "c"}, "it had weight the component's own and clip the component"),
    ],
)
def test_each_difference_of_names_and_params_is_one_of_the_changes(
    before: dict[str, Any], after: dict[str, Any], sentence: str
) -> None:
    assert sentence in str(spec(before).diff(spec(after)))
