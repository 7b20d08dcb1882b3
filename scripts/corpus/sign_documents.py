"""Makes the documents of conformance/sources/bench/documents.toml that conformance/sources/signed/ lacks.

    python scripts/corpus/sign_documents.py

What is there already stays as it is: a case's documents do not change. The new ones are signed with a key that is
drawn in memory and forgotten; only its public half is written, to signed/keys.json.
"""

from __future__ import annotations

import base64
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])  # so that this folder is the package ``corpus``

from corpus.forging import Key, draw_key, forge, sign  # noqa: E402
from corpus.raw_json import edited, parse, write  # noqa: E402
from corpus.second import digest, signed_bytes  # noqa: E402

SOURCES = Path(__file__).resolve().parents[2] / "conformance" / "sources"
BENCH = SOURCES / "bench"
SIGNED = SOURCES / "signed" / "bench.jsonl"
REPORTED = SOURCES / "signed" / "reported.jsonl"
KEYS = SOURCES / "signed" / "keys.json"
FORGED_KEY = "key.conformance.forged"


def main() -> int:
    rows = tomllib.loads((BENCH / "documents.toml").read_text("utf-8"))["document"]
    lines = SIGNED.read_text("ascii").splitlines() if SIGNED.exists() else []
    given = [*lines, *REPORTED.read_text("ascii").splitlines()]
    made = {entry["name"]: parse(entry["text"]) for entry in map(json.loads, given)}
    keys: dict[str, str] = json.loads(KEYS.read_text("ascii")) if KEYS.exists() else {}
    key, key_id = draw_key(), f"key.conformance.{len(keys) + 1:04}"
    new = [_made(row, made, key, key_id) for row in rows if row["name"] not in made]
    if new:
        keys[key_id] = _base64(key.public)
        _write(SIGNED, [*lines, *map(json.dumps, new)])
        _write(KEYS, [json.dumps(keys, indent=1)])
    print(f"{len(new)} documents made, {len(lines)} were there")
    return 0


def _made(row: dict[str, Any], made: dict[str, Any], key: Key, key_id: str) -> dict[str, str]:
    """The line of a document. It also goes to ``made``."""
    kind = row["name"].split("/")[0]
    template = row["template"]
    document = made[template] if template in made else parse((BENCH / f"{template}.json").read_text("utf-8"))
    if "contract" in row:
        document = {**document, "reward_contract_digest": digest("contract", made[row["contract"]])}
    if "certificate" in row:
        document = {**document, "certificate_digest": digest("certificate", made[row["certificate"]])}
    document = edited(document, row.get("set", {}))
    entry = {"name": row["name"], "says": row["says"]}
    if kind != "contract":
        document["issuer_key_id"] = key_id
        public = key.public
        if "forge" in row:
            forged = forge(row["forge"], key, kind, document)
            if forged.public != public:
                document["issuer_key_id"] = FORGED_KEY
                forged = forge(row["forge"], key, kind, document)
            document["signature"], public = _base64(forged.signature), forged.public
        else:
            document["signature"] = _base64(sign(key, signed_bytes(kind, document)))
        entry["key"] = _base64(public)
    made[row["name"]] = document
    return {**entry, "text": write(document)}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("ascii"))


if __name__ == "__main__":
    sys.exit(main())
