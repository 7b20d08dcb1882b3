"""A corpus of a few cases, in the format of the real one, for tests of what holds implementations to it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import reward_receipts as rr
from field import OPENADAPT, PUBLIC_KEY
from reward_receipts.rewards import RewardSpec

Record = dict[str, Any]


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def record(case_id: str, operation: str, expect: Record, /, **documents: str | bytes | None) -> Record:
    """A required case; its layer is what its id starts with. A document is text, or bytes that are none."""
    inputs: Record = {}
    hashes = {}
    for name, document in documents.items():
        data = document.encode() if isinstance(document, str) else document
        if data is None:
            inputs[name] = None
            continue
        hashes[name] = digest(data)
        is_text = isinstance(document, str)
        inputs[name] = {"text": document} if is_text else {"base64": base64.b64encode(data).decode()}
    return {
        "id": case_id,
        "operation": operation,
        "kind": None,
        "layer": case_id.partition("/")[0],
        "level": "required",
        "section": "4",
        "sentence": f"The case {case_id} is answered as it must be.",
        "input": inputs,
        "sha256": hashes,
        "arguments": {},
        "expect": expect,
    }


def write(folder: Path, records: Iterable[Record]) -> Path:
    """Writes a corpus of some records to a folder; returns it."""
    by_layer: dict[str, list[Record]] = {}
    for case in records:
        by_layer.setdefault(case["layer"], []).append(case)
    (folder / "cases").mkdir(parents=True)
    files = []
    for layer, cases in by_layer.items():
        data = "".join(json.dumps(case) + "\n" for case in cases).encode()
        (folder / "cases" / f"{layer}.jsonl").write_bytes(data)
        files.append({"path": f"cases/{layer}.jsonl", "sha256": digest(data), "cases": len(cases)})
    manifest = {"corpus": "1.0.0", "protocol": 1, "files": files, "counts": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def a_few() -> list[Record]:
    """Four cases that any JSON reader answers."""
    return [
        record("json/object", "read", {"valid": True}, text="{}"),
        record("json/array", "read", {"valid": True}, text="[1, 2.0]"),
        record("json/comma", "read", {"valid": False, "codes": ["json.syntax"]}, text="[1,]"),
        record("json/open", "read", {"valid": False, "codes": ["json.syntax"]}, text="[1"),
    ]


def all_layers() -> list[Record]:
    """Cases of every layer and operation, made of the signed documents of the field."""
    contract = (OPENADAPT / "contract.json").read_text()
    certificate = (OPENADAPT / "certificate.json").read_text()
    receipts = json.loads((OPENADAPT / "receipts.json").read_bytes())
    certified = next(r for r in receipts if r["certified"] and r["reward_outcome"] == "verified")
    receipt = json.dumps(certified)
    keyring = json.dumps({certified["issuer_key_id"]: PUBLIC_KEY})
    known = rr.read_document(contract, "contract")
    canonical = base64.b64encode(rr.canonical_json_bytes(known)).decode()
    update = certified["policy_update"]
    score: Record = {"scalar": "1.0", "certified": True, "development_only": False, "refusals": []}
    absent = {**score, "certified": False, "refusals": ["certificate-absent"]}
    unscored = {**score, "scalar": None}

    def of(kind: str, case: Record) -> Record:
        return {**case, "kind": kind}

    def scored(case_id: str, expect: Record, outcome: str, tier: Any, with_certificate: bool = True) -> Record:
        case = record(
            case_id, "score", expect, contract=contract, certificate=certificate if with_certificate else None
        )
        return {**case, "arguments": {"outcome": outcome, "tier": tier, "policy_update": update}}

    def refused(text: str) -> Record:
        return {"valid": False, "codes": [text]}

    tampered = json.dumps({**certified, "nonce": "nonce.of.another"})
    tier_0 = json.dumps({**certified, "oracle_tier": 0, "development_only": True})
    bad_keyring = json.dumps({certified["issuer_key_id"]: PUBLIC_KEY[:-4]})
    return [
        *a_few(),
        record("json/bom", "read", refused("json.bom"), text=b"\xef\xbb\xbf{}"),
        record("json/utf8", "read", refused("json.utf8"), text=b'"\xff"'),
        {
            **record("json/size", "read", refused("json.size"), text="1" + " " * 1048576),
            "input": {"text": {"text": "1", "pad": {"with": " ", "to": 1048577}}},
        },
        record("schema/receipt", "validate", {"valid": True}, document=receipt),
        record(
            "schema/receipt.nonce",
            "validate",
            refused("schema.pattern"),
            document=json.dumps({**certified, "nonce": "short"}),
        ),
        of(
            "receipt",
            record(
                "rules/receipt.certified-tier/tier-0", "validate", refused("receipt.certified-tier"), document=tier_0
            ),
        ),
        record(
            "digest/number",
            "canonical",
            {"canonical": base64.b64encode(b'{"a":1e-05}').decode()},
            text='{"a": 0.00001}',
        ),
        of(
            "contract",
            record("digest/contract", "digest", {"digest": known.digest, "canonical": canonical}, document=contract),
        ),
        of("receipt", record("signature/field", "verify", {"verdict": "valid"}, document=receipt, keyring=keyring)),
        of(
            "receipt",
            record("signature/tampered", "verify", {"verdict": "invalid"}, document=tampered, keyring=keyring),
        ),
        of(
            "receipt",
            record("signature/unknown", "verify", {"verdict": "signer-unknown"}, document=receipt, keyring="{}"),
        ),
        of(
            "receipt",
            record("signature/short-key", "verify", {"verdict": "error"}, document=receipt, keyring=bad_keyring),
        ),
        scored("score/verified", score, "verified", 2),
        scored("score/absent", absent, "verified", 2, with_certificate=False),
        scored("score/unscored", unscored, "failed_platform", 2),
        scored("score/tier-is-no-integer", {"error": "value"}, "verified", True),
        {
            **record("certificate/current", "state", {"state": "current"}, certificate=certificate),
            "arguments": {"policy_update": update},
        },
        {
            **record("certificate/range", "state", {"error": "value"}, certificate=None),
            "arguments": {"policy_update": -1},
        },
        record("certificate/meets", "unmet", {"unmet": []}, certificate=certificate, contract=contract),
        record(
            "audit/refusals",
            "refusals",
            {"refusals": ["receipt-certificate-not-given", "certificate-absent"]},
            receipt=receipt,
            contract=contract,
        ),
        record(
            "audit/holds",
            "audit",
            {"verdict": "holds", "findings": [], "unchecked": []},
            receipt=receipt,
            contract=contract,
            certificate=certificate,
            keyring=keyring,
        ),
        {
            **record(
                "audit/ahead",
                "audit",
                {
                    "verdict": "fails",
                    "findings": ["policy-update-ahead"],
                    "unchecked": ["signer-unknown", "certificate-signer-unknown"],
                },
                receipt=receipt,
                contract=contract,
                certificate=certificate,
            ),
            "arguments": {"at_update": update - 1},
        },
        *composed(),
    ]


def composed() -> list[Record]:
    """Cases of the layer compose: a spec that runs, with a step that is refused, and one that is not a spec."""
    spec = '{"name": "balance", "components": [{"type": "up", "clip": [0.5, 1.5]}, {"type": "end", "weight": -0.5}]}'
    component = {"cadence": "step", "clip": None, "default_weight": 2.5}
    arguments = {
        "components": {"up": component, "end": {**component, "cadence": "episode_end"}},
        "steps": [
            {"raw": {"up": 9.5}, "terminated": False, "truncated": False},
            {"raw": {"up": 0.5, "end": {"double": "nan"}}, "terminated": False, "truncated": True},
            {"reset": True},
            {"raw": {"up": 0.5, "end": 1.5}, "terminated": True, "truncated": False},
        ],
        "episode_steps": 10,
    }
    resolved = RewardSpec.from_dict(
        {
            "name": "balance",
            "components": [
                {"type": "up", "weight": 2.5, "clip": [0.5, 1.5]},
                {"type": "end", "weight": -0.5, "clip": None},
            ],
        }
    )
    answer = {
        "digest": RewardSpec.from_json(spec).digest,
        "resolved_digest": resolved.digest,
        "ceiling": {"per_step": 3.75, "at_end": None, "per_episode": None, "unbounded": ["end"]},
        "steps": [
            {"contributions": {"up": 3.75}, "total": 3.75},
            {"refused": "compose.not-finite", "component": "end"},
            {"contributions": {"up": 1.25, "end": -0.75}, "total": 0.5},
        ],
    }
    refused = {"valid": False, "codes": ["spec.clip-ordered"]}
    reversed_clip = spec.replace("[0.5, 1.5]", "[1.5, 0.5]")
    return [
        {**record("compose/balance", "compose", answer, spec=spec), "arguments": arguments},
        {**record("compose/clip-reversed", "compose", refused, spec=reversed_clip), "arguments": arguments},
    ]
