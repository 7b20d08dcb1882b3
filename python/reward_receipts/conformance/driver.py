"""This package's own driver: ``python -m reward_receipts.conformance.driver``. It claims every layer."""

from __future__ import annotations

import base64
import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import reward_receipts as rr

from ..rewards import (
    Cadence,
    CompositionEngine,
    CompositionError,
    Param,
    Registry,
    RewardComponent,
    RewardSignal,
    RewardSpec,
    StepContext,
)
from .protocol import LAYERS, OPERATIONS, PROTOCOL

Members = dict[str, Any]


def answer(request: Members) -> Members:
    """The line that answers a request: its id, and an answer, or the error that kept it from one."""
    try:
        given = request["input"]
        documents = {name: None if given[name] is None else base64.b64decode(given[name]) for name in given}
        return {"id": request["id"], "answer": _OPERATIONS[request["operation"]](request, documents)}
    except Exception as error:
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}


def hello() -> Members:
    """The line that a run starts with."""
    about = {"protocol": PROTOCOL, "name": "reward-receipts", "version": rr.__version__, "language": "Python"}
    return {"hello": {**about, "layers": list(LAYERS), "operations": list(OPERATIONS)}}


def main() -> int:
    """Answers requests until there are no more. Returns the exit status."""
    _write(hello())
    for line in sys.stdin.buffer:
        _write(answer(json.loads(line)))
    return 0


def _write(message: Members) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


def _read(request: Members, documents: Members) -> Members:
    try:
        rr.read_json(documents["text"])
    except rr.InvalidText as error:
        return {"valid": False, "codes": [finding.code for finding in error.findings]}
    return {"valid": True}


def _validate(request: Members, documents: Members) -> Members:
    try:
        rr.read_document(documents["document"], request["kind"])
    except rr.InvalidDocument as error:
        return {"valid": False, "codes": [finding.code for finding in error.findings]}
    return {"valid": True}


def _canonical(request: Members, documents: Members) -> Members:
    return {"canonical": _base64(rr.canonical_json_bytes(rr.read_json(documents["text"])))}


def _digest(request: Members, documents: Members) -> Members:
    document = rr.read_document(documents["document"], request["kind"])
    return {"digest": document.digest, "canonical": _base64(rr.canonical_json_bytes(document))}


def _verify(request: Members, documents: Members) -> Members:
    document = rr.read_document(documents["document"], request["kind"])
    try:
        keyring = _keyring(documents["keyring"])
    except (rr.KeyFormatError, rr.InvalidText):
        return {"verdict": "error"}
    return {"verdict": str(rr.verify(document, keyring))}  # type: ignore[arg-type]


def _score(request: Members, documents: Members) -> Members:
    asked = request["arguments"]
    contract, certificate = _document(documents, "contract"), _document(documents, "certificate")
    try:
        score = rr.score(asked["outcome"], asked["tier"], certificate, asked["policy_update"], contract=contract)
    except ValueError:
        return {"error": "value"}
    return {
        "scalar": None if score.scalar is None else rr.canonical_json_bytes(score.scalar).decode("ascii"),
        "certified": score.certified,
        "development_only": score.development_only,
        "refusals": [refusal.code for refusal in score.certification_refusals],
    }


def _state(request: Members, documents: Members) -> Members:
    certificate = _document(documents, "certificate")
    try:
        return {"state": rr.certificate_state(certificate, request["arguments"]["policy_update"]).value}
    except ValueError:
        return {"error": "value"}


def _unmet(request: Members, documents: Members) -> Members:
    certificate, contract = _document(documents, "certificate"), _document(documents, "contract")
    return {"unmet": [shortfall.code for shortfall in certificate.unmet(contract.certificate_policy)]}


def _refusals(request: Members, documents: Members) -> Members:
    receipt, contract = _document(documents, "receipt"), _document(documents, "contract")
    refusals = receipt.certification_refusals(contract, _document(documents, "certificate"))
    return {"refusals": [refusal.code for refusal in refusals]}


def _audit(request: Members, documents: Members) -> Members:
    given = [_document(documents, kind) for kind in ("receipt", "contract", "certificate")]
    try:
        keyring = None if documents.get("keyring") is None else _keyring(documents["keyring"])
        report = rr.audit(*given, keyring=keyring, at_update=request["arguments"].get("at_update"))
    except ValueError:  # InvalidText and KeyFormatError are ValueErrors too
        return {"error": "value"}
    return {
        "verdict": str(report.verdict),
        "findings": [finding.code for finding in report.findings],
        "unchecked": [finding.code for finding in report.unchecked],
    }


def _compose(request: Members, documents: Members) -> Members:
    asked = request["arguments"]
    try:
        spec = RewardSpec.from_json(documents["spec"])
        resolved = spec.resolve(registry := _registry(asked["components"]))
    except rr.InvalidDocument as error:
        return {"valid": False, "codes": [finding.code for finding in error.findings]}
    ceiling = spec.ceiling(registry)
    return {
        "digest": resolved.spec_digest,
        "resolved_digest": resolved.digest,
        "ceiling": {
            "per_step": ceiling.per_step,
            "at_end": ceiling.at_end,
            "per_episode": ceiling.per_episode(asked["episode_steps"]),
            "unbounded": list(ceiling.unbounded),
        },
        "steps": list(_steps(CompositionEngine(spec, registry=registry), asked["steps"])),
    }


def _steps(engine: CompositionEngine, steps: list[Members]) -> Iterator[Members]:
    """What an engine makes of the steps of a case, in which {"reset": true} begins an episode anew."""
    number = 0
    for step in steps:
        if "reset" in step:
            engine.reset()
            number = 0
            continue
        flags = {name: step[name] for name in ("terminated", "truncated")}
        try:
            result = engine.compute_step(StepContext(number, extras=step["raw"], **flags))
            yield {"contributions": dict(result.contributions), "total": result.total}
        except CompositionError as error:
            at_fault = {} if error.component is None else {"component": error.component}
            yield {"refused": error.code, **at_fault}
        number += 1


def _registry(components: Members) -> Registry:
    """Components as a case declares them. What each gives at a step, the case says too."""
    return Registry({name: _component(name, **declared) for name, declared in components.items()})


class _Given(RewardComponent):
    """A component that gives what the case says of its term."""

    def __init__(self, **params: Any) -> None:
        pass

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(_raw(ctx.extras[self.term]))


def _component(
    component: str,
    *,
    cadence: str,
    clip: list[float | None] | None,
    default_weight: float,
    params: dict[str, dict[str, Any]] | None = None,
) -> type[RewardComponent]:
    declared = {name: Param(**param) for name, param in (params or {}).items()}
    members = {"cadence": Cadence(cadence), "clip": clip, "default_weight": default_weight, "params": declared}
    return type("Given", (_Given,), {"name": component, **members})


def _raw(given: Any) -> Any:
    """A raw value from its JSON form. Raises RuntimeError for a component that fails."""
    if type(given) is not dict:
        return given
    if "fails" in given:
        raise RuntimeError("the case requires it")
    return _NOT_FINITE[given["double"]]


_NOT_FINITE: Final = {"nan": math.nan, "infinity": math.inf, "-infinity": -math.inf}
"""The doubles that JSON does not have, under the names that they have in a case."""

_OPERATIONS: Final[dict[str, Callable[[Members, Members], Members]]] = {
    "read": _read,
    "validate": _validate,
    "canonical": _canonical,
    "digest": _digest,
    "verify": _verify,
    "score": _score,
    "state": _state,
    "unmet": _unmet,
    "refusals": _refusals,
    "audit": _audit,
    "compose": _compose,
}


def _document(documents: Members, kind: Any) -> Any:
    """The document that was given under the name of its kind; None where none was."""
    data = documents.get(kind)
    return None if data is None else rr.read_document(data, kind)


def _keyring(data: bytes) -> rr.Keyring:
    keys = rr.read_json(data)
    if type(keys) is not dict:
        raise rr.KeyFormatError("a keyring is a JSON object of key ids and base64 public keys")
    return rr.Keyring.from_mapping(keys)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


if __name__ == "__main__":
    sys.exit(main())
