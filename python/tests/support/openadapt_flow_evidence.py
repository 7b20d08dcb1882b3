"""The signed receipts in the evidence of openadapt-flow's second harness benchmark, with their contracts and keys."""

from __future__ import annotations

import base64
import io
import json
import tarfile
from collections import defaultdict
from pathlib import Path
from typing import Any

VERSION = "2.4.0"
SDIST = f"openadapt_flow-{VERSION}.tar.gz"
RAW = f"openadapt_flow-{VERSION}/benchmark/harness2_scorer/evidence/raw.tar.gz"
SAMPLED = {"verified": 24, "reconciliation_required": 16, "halted_before_effect": 10, "wrong_effect": 10}
"""How many receipts of each outcome are in the repository: every outcome that there is."""

Entry = dict[str, str]


def entries(sdist: Path) -> list[Entry]:
    """What an sdist has: for each receipt its name, its text, its contract's text and its signer's key in base64."""
    with tarfile.open(sdist) as outer:
        member = outer.extractfile(RAW)
        assert member is not None
        raw = member.read()
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(raw)) as inner:
        for info in inner:
            if info.isfile() and info.name.endswith(("receipt.json", "contract.json", "ed25519.pub")):
                read = inner.extractfile(info)
                assert read is not None
                files[info.name] = read.read()
    found = []
    for name in sorted(files):
        if name.endswith("/receipt.json"):
            folder = name.split("/reward/worker/")[0] + "/reward"
            key = bytes.fromhex(files[f"{folder}/worker/keys/ed25519.pub"].decode("ascii"))
            found.append(
                {
                    "path": name,
                    "receipt": files[name].decode("utf-8"),
                    "contract": files[f"{folder}/contract/contract.json"].decode("utf-8"),
                    "key": base64.b64encode(key).decode("ascii"),
                }
            )
    return found


def sample(found: list[Entry]) -> list[Entry]:
    """The receipts that are in the repository: of each outcome so many, evenly over the evidence."""
    by_outcome: dict[str, list[Entry]] = defaultdict(list)
    for entry in found:
        receipt: dict[str, Any] = json.loads(entry["receipt"])
        by_outcome[receipt["reward_outcome"]].append(entry)
    chosen = []
    for outcome, count in SAMPLED.items():
        of_it = by_outcome[outcome]
        chosen += [of_it[index * len(of_it) // count] for index in range(count)]
    return sorted(chosen, key=lambda entry: entry["path"])
