"""This package's own driver: ``python -m reward_receipts.conformance.driver``. It claims every layer."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from typing import Any, Final

import reward_receipts as rr

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
    report = rr.audit(
        _document(documents, "receipt"),
        _document(documents, "contract"),
        _document(documents, "certificate"),
        keyring=None if documents.get("keyring") is None else _keyring(documents["keyring"]),
        at_update=request["arguments"].get("at_update"),
    )
    return {
        "verdict": str(report.verdict),
        "findings": [finding.code for finding in report.findings],
        "unchecked": [finding.code for finding in report.unchecked],
    }


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
