"""The manifest: what the corpus consists of, its hashes and its counts."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from reward_receipts.core.codes import catalogue

from .records import LAYERS, Record


def manifest(
    about: dict[str, Any], records: list[Record], files: dict[str, bytes], exported: dict[str, bytes]
) -> bytes:
    """manifest.json: versions, files with hashes, counts by layer and by code, and the codes that have none."""
    listed = [
        {"path": path, "sha256": _sha256(data), "cases": len(data.splitlines())} for path, data in sorted(files.items())
    ]
    content = {
        "corpus": about["corpus"],
        "protocol": about["protocol"],
        "files": listed,
        "export": [{"path": path, "sha256": _sha256(data)} for path, data in sorted(exported.items())],
        "counts": {layer: _counts([each for each in records if each["layer"] == layer]) for layer in LAYERS},
        "codes": codes(records),
        "not_covered": {
            **about["not_covered"],
            **{
                code.id: about["not_covered_layers"][code.layer]
                for code in catalogue().values()
                if code.layer in about["not_covered_layers"]
            },
        },
    }
    return (json.dumps(content, indent=1) + "\n").encode("ascii")


def codes(records: list[Record]) -> dict[str, dict[str, int]]:
    """For each code how many cases are about it and do not meet it, and how many meet it."""
    found: dict[str, Counter[str]] = {}
    for record in records:
        code = record.get("about")
        if code is not None:
            found.setdefault(code, Counter())["refuse" if code in answered_codes(record) else "accept"] += 1
    return {code: {side: found[code][side] for side in ("accept", "refuse")} for code in sorted(found)}


def answered_codes(record: Record) -> list[str]:
    """All codes in the expected answer of a case."""
    listed: list[str] = []
    for member in ("codes", "refusals", "unmet", "findings", "unchecked"):
        listed += record["expect"].get(member, [])
    listed += [step["refused"] for step in record["expect"].get("steps", []) if "refused" in step]
    return listed


def _counts(records: list[Record]) -> dict[str, int]:
    """Accepted and refused where an answer is a verdict, answers elsewhere; and how many are recommended."""
    counts = Counter(_side(record) for record in records)
    counts["recommended"] = sum(record["level"] == "recommended" for record in records)
    return {"cases": len(records), **{side: counts[side] for side in ("accept", "refuse", "answer", "recommended")}}


def _side(record: Record) -> str:
    expect = record["expect"]
    if "valid" in expect:
        return "accept" if expect["valid"] else "refuse"
    if record["operation"] == "verify":
        return "accept" if expect["verdict"] == "valid" else "refuse"
    return "answer"


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
