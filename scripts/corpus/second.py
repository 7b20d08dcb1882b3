"""The second computation: sections 3, 5, 7 and 8 of the specification as plain code over parsed JSON.

It shares no code with the package: no schema, no model, no json.dumps, no repr of a float. A digest, a canonical text,
a score or an audit is pinned in the corpus only where the package says the same. It takes documents that hold: it
checks nothing.

It is independent on purpose: the order of the canonical form, the tables and the checks of an audit are written out
here again, so that a wrong entry in schemas/ contradicts it instead of changing both.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

from .doubles import canonical_text, nearest
from .raw_json import Number

# Section 3. A type is "number", "integer" or "text" (anything that is written as it is), an object's members, a
# list with the type of its items, or a map with the type of its values.
SCORING = {
    "verified_reward": ("number", "1.0"),
    "halted_before_effect_reward": ("number", "0.0"),
    "refused_reward": ("number", "0.0"),
    "rejected_policy_reward": ("number", "0.0"),
    "wrong_effect_reward": ("number", "-1.0"),
    "uncertain_episodes": ("text", "unscored"),
    "platform_failures": ("text", "unscored"),
}
POLICY = {
    "epsilon": "number",
    "delta": "number",
    "threshold": "number",
    "calibration_corpus_digest": "text",
    "expiry_policy_updates": "integer",
}
MEMBERS: dict[str, dict[str, Any]] = {
    "contract": {
        "schema_version": ("text", "openadapt.reward-contract/v1"),
        "contract_id": "text",
        "contract_version": "text",
        "task_id": "text",
        "task_digest": "text",
        "environment_id": "text",
        "environment_digest": "text",
        "required_effect_contract_digest": "text",
        "forbidden_effect_contract_digest": "text",
        "oracle": {"channel": "text", "identity_keys": "sorted texts", "oracle_contract_digest": "text"},
        "components": [{"name": "text", "weight": "number"}],
        "scoring": (SCORING, {}),
        "certificate_policy": POLICY,
    },
    "certificate": {
        "schema_version": ("text", "openadapt.reward-certificate/v1"),
        "certificate_id": "text",
        "reward_contract_digest": "text",
        "checker_configuration_digest": "text",
        "epsilon": "number",
        "delta": "number",
        "threshold": "number",
        "calibration_corpus_digest": "text",
        "calibration_scope": "text",
        "issued_at_policy_update": "integer",
        "expiry_policy_updates": "integer",
        "issued_at": "text",
        "issuer": "text",
        "issuer_key_id": "text",
        "signature_algorithm": ("text", "ed25519"),
        "signature": "text",
    },
    "receipt": {
        "schema_version": ("text", "openadapt.reward-evidence-receipt/v1"),
        "receipt_id": "text",
        "reward_contract_digest": "text",
        "policy_checkpoint_id": "text",
        "policy_update": "integer",
        "episode_id": "text",
        "oracle_tier": "integer",
        "reward_outcome": "text",
        "evidence_digest": "text",
        "reward_components": ("map of numbers", {}),
        "scalar_reward": ("number", None),
        "certificate_id": ("text", None),
        "certificate_digest": ("text", None),
        "certificate_state": "text",
        "calibration_corpus_digest": ("text", None),
        "calibration_scope": ("text", None),
        "uncertainty": "text",
        "certified": "text",
        "development_only": "text",
        "issuer_key_id": "text",
        "nonce": "text",
        "issued_at": "text",
        "signature_algorithm": ("text", "ed25519"),
        "signature": "text",
    },
}

TIERS = {
    "visual": 0,
    "ocr": 0,
    "second_session": 1,
    "api": 2,
    "db": 2,
    "file": 2,
    "ack": 2,
    "counterparty": 3,
}
PENALTIES = ("halted_before_effect", "refused", "rejected_policy", "wrong_effect")
UNSCORED = ("reconciliation_required", "failed_platform")
LAST_UPDATE = 9007199254740991


# Section 5: the canonical form.


def canonical_value(value: Any) -> str:
    """The canonical text of plain JSON."""
    if isinstance(value, Number):
        return str(_whole(value)) if value.exact else canonical_text(nearest(value))
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return _object({name: canonical_value(member) for name, member in value.items()})
    if isinstance(value, list):
        return _array(map(canonical_value, value))
    return {True: "true", False: "false", None: "null"}[value]


def canonical_document(kind: str, document: dict[str, Any], without: tuple[str, ...] = ()) -> str:
    """The canonical text of a document that holds: completed, and each number of the type its field has."""
    members = {name: type_ for name, type_ in MEMBERS[kind].items() if name not in without}
    return _typed(members, {name: value for name, value in document.items() if name not in without})


def digest(kind: str, document: dict[str, Any]) -> str:
    """The digest of a document that holds."""
    return "sha256:" + hashlib.sha256(canonical_document(kind, document).encode("ascii")).hexdigest()


def signed_bytes(kind: str, document: dict[str, Any]) -> bytes:
    """What the signature of a document covers (section 6)."""
    return canonical_document(kind, document, without=("signature", "signature_algorithm")).encode("ascii")


def canonical_spec(spec: dict[str, Any]) -> str:
    """The canonical text of a reward spec that holds (section 9): no array is sorted, a term has what it was given."""
    return _object(
        {
            "schema_version": _quoted("reward-receipts.reward-spec/v1"),
            "name": _quoted(spec["name"]),
            "components": _array(map(_term, spec["components"])),
            "gates": _array(_object({end: _quoted(name) for end, name in gate.items()}) for gate in _gates(spec)),
        }
    )


def spec_digest(spec: dict[str, Any]) -> str:
    """The digest of a reward spec that holds."""
    return "sha256:" + hashlib.sha256(canonical_spec(spec).encode("ascii")).hexdigest()


def _gates(spec: dict[str, Any]) -> list[dict[str, str]]:
    gates: list[dict[str, str]] = spec.get("gates", [])
    return gates


def _term(term: dict[str, Any]) -> str:
    texts = {"type": _quoted(term["type"])}
    if "name" in term:
        texts["name"] = _quoted(term["name"])
    if "params" in term:
        texts["params"] = _with_doubles(term["params"])
    if "weight" in term:
        texts["weight"] = _double_text(term["weight"])
    if "clip" in term:
        texts["clip"] = "null" if term["clip"] is None else _array(map(_bound_text, term["clip"]))
    return _object(texts)


def _with_doubles(value: Any) -> str:
    """The text of plain JSON in which every number is a double."""
    if isinstance(value, Number):
        return _double_text(value)
    if isinstance(value, dict):
        return _object({name: _with_doubles(member) for name, member in value.items()})
    return _array(map(_with_doubles, value)) if isinstance(value, list) else canonical_value(value)


def _bound_text(bound: Any) -> str:
    return "null" if bound is None else _double_text(bound)


def _typed(type_: Any, value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(type_, dict):
        texts = {}
        for name, member in type_.items():
            member_type, default = member if isinstance(member, tuple) else (member, None)
            if name in value:
                texts[name] = _typed(member_type, value[name])
            else:
                number = member_type == "number" and default is not None
                texts[name] = str(default) if number else _typed(member_type, default)
        return _object(texts)
    if isinstance(type_, list):
        return _array(_typed(type_[0], item) for item in sorted(value, key=lambda item: _points(item["name"])))
    if type_ == "number":
        return _double_text(value)
    if type_ == "integer":
        return str(_whole(value))
    if type_ == "map of numbers":
        return _object({name: _double_text(number) for name, number in value.items()})
    if type_ == "sorted texts":
        return _array(map(_quoted, sorted(value, key=_points)))
    return canonical_value(value)


def _double_text(number: Number) -> str:
    # The token -0 is the integer 0, so 0.0.
    return canonical_text(nearest(str(_whole(number)) if number.exact else number))


def _whole(number: Number) -> int:
    value = int(Fraction(number)) if number.exact else nearest(number).value
    if value != int(value):
        raise ValueError(f"{number} is not an integer")
    return int(value)


def _object(members: dict[str, str]) -> str:
    return "{" + ",".join(f"{_quoted(name)}:{members[name]}" for name in sorted(members, key=_points)) + "}"


def _array(items: Any) -> str:
    return "[" + ",".join(items) + "]"


def _points(text: str) -> list[int]:
    return [ord(character) for character in text]


_SHORT = {0x22: '\\"', 0x5C: "\\\\", 0x08: "\\b", 0x0C: "\\f", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}


def _quoted(text: str) -> str:
    written = []
    for point in _points(text):
        if point in _SHORT:
            written.append(_SHORT[point])
        elif 0x20 <= point <= 0x7E:
            written.append(chr(point))
        elif point <= 0xFFFF:
            written.append(f"\\u{point:04x}")
        else:
            high, low = divmod(point - 0x10000, 0x400)
            written.append(f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}")
    return f'"{"".join(written)}"'


# Section 7: scoring. Numbers compare as doubles.


def _number(token: Number) -> Fraction:
    return nearest(token).value


def state(certificate: dict[str, Any] | None, policy_update: int) -> str:
    """The state of a certificate at an update."""
    if certificate is None:
        return "absent"
    first = _whole(certificate["issued_at_policy_update"])
    if policy_update < first:
        return "not_yet_valid"
    return "current" if policy_update <= first + _whole(certificate["expiry_policy_updates"]) - 1 else "expired"


def unmet(certificate: dict[str, Any], contract: dict[str, Any]) -> list[str]:
    """What the contract's policy asks for and the certificate does not give."""
    policy = contract["certificate_policy"]
    codes = []
    if _number(certificate["epsilon"]) > _number(policy["epsilon"]):
        codes.append("epsilon-exceeds-policy")
    if _number(certificate["delta"]) > _number(policy["delta"]):
        codes.append("delta-exceeds-policy")
    if _number(certificate["threshold"]) != _number(policy["threshold"]):
        codes.append("threshold-differs")
    if certificate["calibration_corpus_digest"] != policy["calibration_corpus_digest"]:
        codes.append("calibration-corpus-differs")
    if _whole(certificate["expiry_policy_updates"]) > _whole(policy["expiry_policy_updates"]):
        codes.append("expiry-exceeds-policy")
    return codes


def scalar(contract: dict[str, Any], outcome: str) -> str | None:
    """The canonical text of what an outcome scores; None for an unscored one."""
    if outcome in UNSCORED:
        return None
    name = f"{outcome}_reward"
    given = contract.get("scoring", {}).get(name)
    return str(SCORING[name][1]) if given is None else _double_text(given)


def score(
    contract: dict[str, Any], certificate: dict[str, Any] | None, outcome: Any, tier: Any, policy_update: Any
) -> dict[str, Any]:
    """The answer to the operation score."""
    if outcome not in ("verified", *PENALTIES, *UNSCORED) or not _is_update(policy_update):
        return {"error": "value"}
    if type(tier) is not int or not 0 <= tier <= 3:
        return {"error": "value"}
    effective = min(tier, TIERS[contract["oracle"]["channel"]])
    codes = []
    if effective < 2:
        codes.append("tier-development-only")
    if certificate is None:
        codes.append("certificate-absent")
    else:
        where = state(certificate, policy_update)
        if where != "current":
            codes.append({"not_yet_valid": "certificate-not-yet-valid", "expired": "certificate-expired"}[where])
        if certificate["reward_contract_digest"] != digest("contract", contract):
            codes.append("certificate-names-another-contract")
        codes += unmet(certificate, contract)
    return {
        "scalar": scalar(contract, outcome),
        "certified": not codes,
        "development_only": effective < 2,
        "refusals": codes,
    }


def state_answer(certificate: dict[str, Any] | None, policy_update: Any) -> dict[str, Any]:
    """The answer to the operation state."""
    return {"state": state(certificate, policy_update)} if _is_update(policy_update) else {"error": "value"}


def _is_update(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LAST_UPDATE


# Sections 7 and 8: what a reader can prove.


def refusals(receipt: dict[str, Any], contract: dict[str, Any], certificate: dict[str, Any] | None) -> list[str]:
    """What speaks against certifying (synthetic) a receipt's reward."""
    codes = []
    if receipt["reward_contract_digest"] != digest("contract", contract):
        codes.append("receipt-names-another-contract")
    named = receipt.get("certificate_digest")
    if certificate is None:
        if named is not None:
            codes.append("receipt-certificate-not-given")
    elif named != digest("certificate", certificate):
        codes.append("receipt-names-another-certificate")
    tier, update = _whole(receipt["oracle_tier"]), _whole(receipt["policy_update"])
    codes += score(contract, certificate, receipt["reward_outcome"], tier, update)["refusals"]
    return list(dict.fromkeys(codes))


CONTRACT_CHECKS = [
    "receipt-names-another-contract",
    "tier-exceeds-channel",
    "scalar-differs-from-contract",
    "component-not-in-contract",
]
CERTIFICATE_CHECKS = [
    "receipt-names-another-certificate",
    "certificate-id-differs",
    "corpus-differs-from-certificate",
    "scope-differs-from-certificate",
    "certificate-state-differs",
]
BOTH_CHECKS = ["certified-unsupported", "certified-understated"]


def audit(
    receipt: dict[str, Any],
    contract: dict[str, Any] | None,
    certificate: dict[str, Any] | None,
    verdicts: tuple[str, str],
    at_update: Any,
) -> dict[str, Any]:
    """The answer to the operation audit; the signature verdicts of receipt and certificate come from elsewhere."""
    if "error" in verdicts or not (at_update is None or _is_update(at_update)):
        return {"error": "value"}
    findings: list[str] = []
    unchecked: list[str] = []
    refers = receipt["certificate_state"] != "absent"
    update = _whole(receipt["policy_update"])

    if contract is None:
        unchecked += CONTRACT_CHECKS
    else:
        wanted = scalar(contract, receipt["reward_outcome"])
        given = receipt.get("scalar_reward")
        same = wanted is given is None or (
            wanted is not None and given is not None and nearest(wanted).value == nearest(given).value
        )
        names = [component["name"] for component in contract["components"]]
        failed = [
            receipt["reward_contract_digest"] != digest("contract", contract),
            _whole(receipt["oracle_tier"]) > TIERS[contract["oracle"]["channel"]],
            not same,
            any(name not in names for name in receipt.get("reward_components", {})),
        ]
        findings += [code for code, fails in zip(CONTRACT_CHECKS, failed, strict=True) if fails]

    if refers and certificate is None:
        unchecked += CERTIFICATE_CHECKS
    elif refers and certificate is not None:
        failed = [
            receipt["certificate_digest"] != digest("certificate", certificate),
            receipt["certificate_id"] != certificate["certificate_id"],
            receipt["calibration_corpus_digest"] != certificate["calibration_corpus_digest"],
            receipt["calibration_scope"] != certificate["calibration_scope"],
            receipt["certificate_state"] != state(certificate, update),
        ]
        findings += [code for code, fails in zip(CERTIFICATE_CHECKS, failed, strict=True) if fails]

    if refers and (contract is None or certificate is None):
        unchecked += BOTH_CHECKS
    elif refers and contract is not None:
        against = refusals(receipt, contract, certificate)
        if receipt["certified"] and against:
            findings.append("certified-unsupported")
        if not receipt["certified"] and not against:
            findings.append("certified-understated")

    of_receipt, of_certificate = verdicts
    if of_receipt == "signer-unknown":
        unchecked.append("signer-unknown")
    elif of_receipt == "invalid":
        findings.append("signature-invalid")
    if refers and certificate is None:
        unchecked.append("certificate-signature-invalid")
    elif refers and of_certificate == "signer-unknown":
        unchecked.append("certificate-signer-unknown")
    elif refers and of_certificate == "invalid":
        findings.append("certificate-signature-invalid")

    if at_update is not None:
        if refers and certificate is None:
            unchecked.append("certificate-expired-at-update")
        elif refers and state(certificate, at_update) == "expired":
            findings.append("certificate-expired-at-update")
        if update > at_update:
            findings.append("policy-update-ahead")
    verdict = "fails" if findings else "undecided" if unchecked else "holds"
    return {"verdict": verdict, "findings": findings, "unchecked": unchecked}
