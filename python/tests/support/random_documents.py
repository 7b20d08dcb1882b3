"""Random contracts, certificates and receipts: valid ones from the whole space, and ones with faults that have a name.

``document(number)`` is the same for ever: what one run finds, another finds again by its number. A document is plain
JSON as ``read_json`` gives it. Its edits say what was done to a valid document, and its claims what has to come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from document_space import (
    DOUBLE,
    MAGNITUDE,
    MAX_UPDATE,
    NAME,
    NOT_POSITIVE,
    POSITIVE,
    REFERENCE,
    SCORED,
    SHAPES,
    STATES,
    UNCERTAINTIES,
    UNSCORED,
    WEIGHT,
    Array,
    Form,
    Kind,
    Map,
    Object,
    Shape,
    names,
    own,
    right,
    whole,
)


@dataclass(frozen=True)
class Document:
    """A random document and how it was made."""

    number: int
    kind: Kind
    value: Any
    """Plain JSON. Nearly always an object."""
    edits: tuple[str, ...]
    """What was done to a valid document, by name; () for one that was left alone."""
    claims: frozenset[str] | None
    """Codes that a check has to find among others; none at all for a document that stayed valid. None: unknown, since
    several edits can hide each other."""

    def __str__(self) -> str:
        return f"document {self.number}, a {self.kind} with the edits {list(self.edits)}: {self.value!r}"


# Valid documents.


def contract(rng: Random) -> dict[str, Any]:
    """A valid contract."""
    value: dict[str, Any] = right(rng, SHAPES["contract"])
    return value


def certificate(rng: Random) -> dict[str, Any]:
    """A valid certificate; now and then it holds up to the very last policy update."""
    value: dict[str, Any] = right(rng, SHAPES["certificate"])
    room = MAX_UPDATE - int(value["issued_at_policy_update"])
    if room == 0:
        value["issued_at_policy_update"], room = whole(MAX_UPDATE - 1, rng), 1
    if int(value["expiry_policy_updates"]) > room or rng.random() < 0.1:
        value["expiry_policy_updates"] = whole(room, rng)
    return value


def receipt(rng: Random) -> dict[str, Any]:
    """A valid receipt: each outcome at each tier in each state with each uncertainty, as far as the rules let it."""
    value: dict[str, Any] = right(rng, SHAPES["receipt"])
    set_outcome(rng, value, rng.choice(SCORED + UNSCORED))
    set_tier(rng, value, rng.randint(0, 3))
    set_state(rng, value, rng.choice(STATES))
    if value["certificate_state"] == "current" and value["oracle_tier"] >= 2:
        value["certified"] = rng.random() < 0.7
    return value


MAKERS: Mapping[Kind, Callable[[Random], dict[str, Any]]] = {
    "contract": contract,
    "certificate": certificate,
    "receipt": receipt,
}


def set_outcome(rng: Random, value: dict[str, Any], outcome: str) -> None:
    """An outcome, and what the rules ask of it."""
    value["reward_outcome"] = outcome
    if outcome in SCORED:
        value["reward_components"] = {key: MAGNITUDE.right(rng) for key in names(rng, 1, 64)}
        value["scalar_reward"] = (POSITIVE if outcome == "verified" else NOT_POSITIVE).right(rng)
    else:
        _empty(rng, value, "reward_components", {})
        _empty(rng, value, "scalar_reward", None)
    uncertain = {"verified": ("none",), "reconciliation_required": UNCERTAINTIES[1:]}
    value["uncertainty"] = rng.choice(uncertain.get(outcome, UNCERTAINTIES))


def set_tier(rng: Random, value: dict[str, Any], level: int) -> None:
    """A tier, and what the rules ask of it."""
    value["oracle_tier"] = whole(level, rng)
    value["development_only"] = level < 2
    if level < 2:
        value["certified"] = False


def set_state(rng: Random, value: dict[str, Any], state: str) -> None:
    """A certificate state, and what the rules ask of it."""
    value["certificate_state"] = state
    for key in REFERENCE:
        if state == "absent":
            _empty(rng, value, key, None)
        else:
            value[key] = right(rng, SHAPES["receipt"].members[key])
    if state != "current":
        value["certified"] = False


def _empty(rng: Random, value: dict[str, Any], key: str, empty: Any) -> None:
    """A member that says nothing: left out, or said to be nothing."""
    value.pop(key, None)
    if rng.random() < 0.5:
        value[key] = empty


# Edits that break one rule, by the rule's id.

Edit = Callable[[Random, dict[str, Any]], None]


def _development_only(rng: Random, value: dict[str, Any]) -> None:
    value["development_only"] = not value["development_only"]


def _certified_tier(rng: Random, value: dict[str, Any]) -> None:
    set_tier(rng, value, rng.randint(0, 1))
    set_state(rng, value, "current")
    value["certified"] = True


def _certified_current(rng: Random, value: dict[str, Any]) -> None:
    set_tier(rng, value, rng.randint(2, 3))
    set_state(rng, value, rng.choice(("absent", "not_yet_valid", "expired")))
    value["certified"] = True


def _absent_with_reference(rng: Random, value: dict[str, Any]) -> None:
    set_state(rng, value, "absent")
    for key in rng.sample(REFERENCE, rng.choice((1, 1, 1, 2, 4))):
        value[key] = right(rng, SHAPES["receipt"].members[key])


def _reference_incomplete(rng: Random, value: dict[str, Any]) -> None:
    set_state(rng, value, rng.choice(STATES[1:]))
    for key in rng.sample(REFERENCE, rng.choice((1, 1, 1, 2, 4))):
        _empty(rng, value, key, None)


def _unscored_with_scalar(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, rng.choice(UNSCORED))
    value["scalar_reward"] = rng.choice((0.0, -0.0, 0, 1.0, -1.0, MAGNITUDE.right(rng)))


def _unscored_with_components(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, rng.choice(UNSCORED))
    value["reward_components"] = dict.fromkeys(names(rng, 1, 64), 0.0)


def _scored_without_scalar(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, rng.choice(SCORED))
    _empty(rng, value, "scalar_reward", None)


def _scored_without_components(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, rng.choice(SCORED))
    _empty(rng, value, "reward_components", {})


def _verified_not_positive(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, "verified")
    value["scalar_reward"] = rng.choice((0.0, -0.0, 0, -1, -5e-324, NOT_POSITIVE.right(rng)))


def _penalty_positive(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, rng.choice(SCORED[1:]))
    value["scalar_reward"] = rng.choice((5e-324, 1, POSITIVE.right(rng)))


def _verified_uncertain(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, "verified")
    value["uncertainty"] = rng.choice(UNCERTAINTIES[1:])


def _reconciliation_certain(rng: Random, value: dict[str, Any]) -> None:
    set_outcome(rng, value, "reconciliation_required")
    value["uncertainty"] = "none"


def _component_twice(rng: Random, value: dict[str, Any]) -> None:
    components = value["components"]
    twice = {"name": rng.choice(components)["name"], "weight": WEIGHT.right(rng)}
    if len(components) == 64:
        rest = [index for index, component in enumerate(components) if component["name"] != twice["name"]]
        components[rng.choice(rest)] = twice
    else:
        components.insert(rng.randint(0, len(components)), twice)


def _expiry_too_far(rng: Random, value: dict[str, Any]) -> None:
    issued = rng.choice((1, MAX_UPDATE, rng.randint(1, MAX_UPDATE)))
    value["issued_at_policy_update"] = whole(issued, rng)
    too_far = MAX_UPDATE - issued + 1
    value["expiry_policy_updates"] = whole(rng.choice((too_far, MAX_UPDATE, rng.randint(too_far, MAX_UPDATE))), rng)


RULE_EDITS: Mapping[Kind, Mapping[str, Edit]] = {
    "receipt": {
        "receipt.development-only": _development_only,
        "receipt.certified-tier": _certified_tier,
        "receipt.certified-current": _certified_current,
        "receipt.absent-has-no-reference": _absent_with_reference,
        "receipt.reference-complete": _reference_incomplete,
        "receipt.unscored-no-scalar": _unscored_with_scalar,
        "receipt.unscored-no-components": _unscored_with_components,
        "receipt.scored-needs-scalar": _scored_without_scalar,
        "receipt.scored-needs-components": _scored_without_components,
        "receipt.verified-positive": _verified_not_positive,
        "receipt.penalty-not-positive": _penalty_positive,
        "receipt.verified-certain": _verified_uncertain,
        "receipt.reconciliation-uncertain": _reconciliation_certain,
    },
    "contract": {"contract.component-names-unique": _component_twice},
    "certificate": {"certificate.expiry-fits": _expiry_too_far},
}

# Edits that break one keyword of the shape.


@dataclass(frozen=True)
class Fault:
    """A place in a document that can be broken so that a keyword refuses it."""

    keyword: str
    place: str
    apply: Callable[[Random], None]


def shape_faults(shape: Shape, value: Any, place: str = "") -> Iterator[Fault]:
    """Everything in a value of a shape that can be broken. What has lost its shape already is passed over."""
    if isinstance(shape, Object) and type(value) is dict:
        yield Fault("additionalProperties", place, lambda rng: _set_new(rng, value, None))
        for key, member in shape.members.items():
            if key in value:
                if key not in shape.defaults:
                    yield Fault("required", f"{place}/{key}", lambda rng, key=key: value.pop(key, None))
                yield from _member_faults(member, value, key, f"{place}/{key}")
                yield from shape_faults(member, value[key], f"{place}/{key}")
    elif isinstance(shape, Map) and type(value) is dict:
        yield Fault("propertyNames", place, lambda rng: value.update({_wrong_name(rng): 0.5}))
        yield Fault("maxProperties", place, lambda rng: _fill(rng, value, shape.most))
        for key in value:
            yield from _member_faults(shape.values, value, key, f"{place}/{key}")
    elif isinstance(shape, Array) and type(value) is list:
        yield Fault("minItems", place, lambda rng: value.clear())
        yield Fault("maxItems", place, lambda rng: _append(rng, value, shape))
        if shape.distinct and value:
            yield Fault("uniqueItems", place, lambda rng: value.insert(rng.randint(0, len(value) - 1), value[0]))
        for index, item in enumerate(value):
            yield from _member_faults(shape.items, value, index, f"{place}/{index}")
            yield from shape_faults(shape.items, item, f"{place}/{index}")


def _member_faults(shape: Shape, holder: Any, key: str | int, place: str) -> Iterator[Fault]:
    if isinstance(shape, Form):
        for keyword, make in shape.faults():
            yield Fault(keyword, place, lambda rng, make=make: holder.__setitem__(key, make(rng)))
    else:
        others = [None, True, 3, 1.5, "text", {} if isinstance(shape, Array) else []]
        yield Fault("type", place, lambda rng: holder.__setitem__(key, rng.choice(others)))


def _set_new(rng: Random, value: dict[str, Any], member: Any) -> None:
    near = [rng.choice(list(value)) + "s"] if value else []
    value[
        rng.choice(["extra", "execution_id", "workflow_digest", "", "caf\u00e9", "certified ", "__proto__", *near])
    ] = member


def _wrong_name(rng: Random) -> str:
    wrong: str = rng.choice((NAME.wrong["pattern"], NAME.wrong["maxLength"]))(rng)
    return wrong


def _fill(rng: Random, value: dict[str, Any], most: int) -> None:
    for extra in range(most + rng.randint(1, 3)):
        value[f"extra{extra}"] = MAGNITUDE.right(rng)


def _append(rng: Random, value: list[Any], shape: Array) -> None:
    for extra in range(shape.most + 1 - len(value) + rng.randint(0, 2)):
        item = f"extra{extra}"
        value.append(item if isinstance(shape.items, Form) else {**right(rng, shape.items), "name": item})


def _break_shape(rng: Random, kind: Kind, value: dict[str, Any]) -> Fault | None:
    faults: dict[str, list[Fault]] = {}
    for fault in shape_faults(SHAPES[kind], value):
        faults.setdefault(fault.keyword, []).append(fault)
    if not faults:
        return None
    # A keyword first: there are thousands of places for a wrong type, and few for a missing item.
    fault = rng.choice(faults[rng.choice(sorted(faults))])
    fault.apply(rng)
    return fault


# Edits that keep a document what it is: the same digest in other words.


def respelt(rng: Random, kind: Kind, value: Any) -> Any:
    """The same document in other words: members and components in another order, defaults left out or written down,
    integers as whole doubles, whole doubles as integers.
    """
    return _respelt(rng, SHAPES[kind], value)


def _respelt(rng: Random, shape: Shape, value: Any) -> Any:
    if isinstance(shape, Object) and type(value) is dict:
        members = {key: _respelt(rng, shape.members[key], member) for key, member in value.items()}
        for key, default in shape.defaults.items():
            if key not in members:
                if rng.random() < 0.5:
                    members[key] = own(default)
            elif repr(members[key]) == repr(default) and rng.random() < 0.5:
                del members[key]
        return _shuffled(rng, members)
    if isinstance(shape, Map) and type(value) is dict:
        return _shuffled(rng, {key: _respelt(rng, shape.values, member) for key, member in value.items()})
    if isinstance(shape, Array) and type(value) is list:
        items = [_respelt(rng, shape.items, item) for item in value]
        rng.shuffle(items)
        return items
    if isinstance(shape, Form) and rng.random() < 0.5:
        if shape.types == (int,) and abs(value) <= MAX_UPDATE:
            return float(value) if type(value) is int else int(value)
        if shape.types == DOUBLE and type(value) is float and value.is_integer() and repr(value) != "-0.0":
            return int(value)
        if shape.types == DOUBLE and type(value) is int:
            return float(value)
    return value


def _shuffled(rng: Random, members: dict[str, Any]) -> dict[str, Any]:
    order = list(members)
    rng.shuffle(order)
    return {key: members[key] for key in order}


# Edits that keep a document valid and make it another one.

_FREE: Mapping[Kind, tuple[str, ...]] = {
    "contract": ("contract_id", "task_digest", "oracle", "components", "scoring", "certificate_policy"),
    "certificate": (
        "certificate_id",
        "reward_contract_digest",
        "epsilon",
        "delta",
        "threshold",
        "signature",
        "issued_at",
    ),
    "receipt": ("receipt_id", "policy_update", "evidence_digest", "nonce", "signature", "issued_at", "issuer_key_id"),
}


def changed(rng: Random, kind: Kind, value: dict[str, Any]) -> dict[str, Any]:
    """Another valid document: one member has another value of its shape. Now and then that is the same value."""
    key = rng.choice(_FREE[kind])
    return {**value, key: right(rng, SHAPES[kind].members[key])}


# The documents.

_NO_OBJECT = (None, True, 0, 1.5, "openadapt.reward-contract/v1", [], [{}], {})


def document(number: int, seed: str = "reward documents") -> Document:
    """The document of a number: of 100, about 48 valid ones, 42 with one fault and 10 with several."""
    rng = Random(f"{seed}/{number}")
    kind: Kind = rng.choice(("receipt", "receipt", "receipt", "contract", "certificate"))
    value = MAKERS[kind](rng)
    way = rng.random()
    edits: list[str] = []
    claims: set[str] | None = set()
    if way < 0.16:
        value = _shuffled(rng, value)
    elif way < 0.32:
        edits.append("respelt")
        value = respelt(rng, kind, value)
    elif way < 0.48:
        edits.append("changed")
        value = changed(rng, kind, value)
    elif way < 0.68:
        claims.update(_one_rule(rng, kind, value, edits))
    elif way < 0.9:
        claims.update(_one_keyword(rng, kind, value, edits))
    elif way < 0.905:
        edits.append("no object, or an empty one")
        value = own(rng.choice(_NO_OBJECT))
        claims.add("schema.required" if type(value) is dict else "schema.type")
    else:
        # Rules first: they need a document whose members are still there.
        rules = rng.randint(0, 3)
        for _ in range(rules):
            _one_rule(rng, kind, value, edits)
        for _ in range(rng.choice((0, 0, 1, 2)) if rules > 1 else rng.randint(2 - rules, 3)):
            _one_keyword(rng, kind, value, edits)
        claims = None
    return Document(number, kind, value, tuple(edits), None if claims is None else frozenset(claims))


def _one_rule(rng: Random, kind: Kind, value: dict[str, Any], edits: list[str]) -> set[str]:
    rule = rng.choice(list(RULE_EDITS[kind]))
    RULE_EDITS[kind][rule](rng, value)
    edits.append(f"breaks {rule}")
    return {rule}


def _one_keyword(rng: Random, kind: Kind, value: dict[str, Any], edits: list[str]) -> set[str]:
    fault = _break_shape(rng, kind, value)
    if fault is None:
        return set()
    edits.append(f"breaks {fault.keyword} at {fault.place or 'the document'}")
    return {f"schema.{fault.keyword}"}
