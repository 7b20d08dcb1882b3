"""A driver for openadapt-types 0.24.0, which is run and never read.

It claims what that package can be asked: no text of any other kind of JSON, no signature and no audit. Reading, it
names no rule, so ``codes`` are left out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from importlib.metadata import version
from typing import Any

import openadapt_types.reward as reward
from pydantic import ValidationError

MODELS = {
    "contract": reward.RewardContractV1,
    "certificate": reward.RewardCertificateV1,
    "receipt": reward.RewardEvidenceReceiptV1,
}

CODES = {
    "is development only": "tier-development-only",
    "no reward certificate was presented": "certificate-absent",
    "the certificate is not_yet_valid": "certificate-not-yet-valid",
    "the certificate is expired": "certificate-expired",
    "the certificate names a different reward contract": "certificate-names-another-contract",
    "certificate epsilon": "epsilon-exceeds-policy",
    "certificate delta": "delta-exceeds-policy",
    "certificate threshold": "threshold-differs",
    "calibration corpus": "calibration-corpus-differs",
    "certificate expiry": "expiry-exceeds-policy",
}
"""The code that says what one of its sentences says, by words of the sentence."""


def validate(document: bytes, kind: str | None = None) -> Any:
    if kind is None:
        return "it has no reader that finds out the kind of a document"
    try:
        MODELS[kind].model_validate_json(document)
    except ValidationError:
        return {"valid": False}
    return {"valid": True}


def digest(document: bytes, kind: str) -> Any:
    held = MODELS[kind].model_validate_json(document)
    # It offers no canonical bytes. Those of which its digest is the SHA-256 are the ones that it digests.
    text = json.dumps(held.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    if held.digest != f"sha256:{hashlib.sha256(text.encode()).hexdigest()}":
        raise ValueError(f"the digest {held.digest} is not over {text}")
    return {"digest": held.digest, "canonical": base64.b64encode(text.encode()).decode()}


def score(contract: bytes, outcome: Any, tier: Any, policy_update: Any, certificate: bytes | None = None) -> Any:
    held, presented = read(contract, "contract"), read(certificate, "certificate")
    try:
        given = reward.score(outcome, tier, presented, policy_update, contract=held)
    except ValueError:
        return {"error": "value"}
    return {
        "scalar": None if given.scalar is None else repr(given.scalar),
        "certified": given.certified,
        "development_only": given.development_only,
        "refusals": [code(sentence) for sentence in given.certification_refusals],
    }


def state(policy_update: Any, certificate: bytes | None = None) -> Any:
    held = read(certificate, "certificate")
    try:
        return {"state": reward.certificate_state(held, policy_update).value}
    except ValueError:
        return {"error": "value"}


def unmet(certificate: bytes, contract: bytes) -> Any:
    policy = read(contract, "contract").certificate_policy
    return {"unmet": [code(sentence) for sentence in read(certificate, "certificate").unmet(policy)]}


def read(document: bytes | None, kind: str) -> Any:
    return None if document is None else MODELS[kind].model_validate_json(document)


def code(sentence: str) -> str:
    # A sentence that none of the words or several of them are in is an error of this driver, and reported as one.
    (found,) = (each for words, each in CODES.items() if words in sentence)
    return found


LAYERS = {
    "schema": [validate],
    "rules": [validate],
    "digest": [digest],
    "score": [score],
    "certificate": [state, unmet],
}

if __name__ == "__main__":
    functions = {function.__name__: function for layer in LAYERS.values() for function in layer}
    about = {"name": "openadapt-types", "version": version("openadapt-types"), "language": "Python"}
    hello = {"protocol": 1, **about, "layers": list(LAYERS), "operations": list(functions)}
    print(json.dumps({"hello": hello}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        documents = {name: None if data is None else base64.b64decode(data) for name, data in request["input"].items()}
        kind = {"kind": request["kind"]} if request["kind"] else {}
        try:
            answer = functions[request["operation"]](**documents, **request["arguments"], **kind)
            reply = {"skip" if isinstance(answer, str) else "answer": answer}
        except Exception as error:
            reply = {"error": repr(error)}
        print(json.dumps({"id": request["id"], **reply}), flush=True)
