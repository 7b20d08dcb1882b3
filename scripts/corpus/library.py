"""The documents that cases are made of, by name, and the keys that go with them.

KIND/NAME            conformance/sources/signed/: made for the corpus, or from public reports
KIND/field...        conformance/vectors/openadapt: what is in use
KIND/scored...       conformance/vectors/openadapt_flow: receipts of a benchmark, each with its own contract and key
KIND/worked...       conformance/vectors/worked: what was published with the first contract
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .raw_json import parse, write

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"


@dataclass(frozen=True)
class Document:
    """A document of the library."""

    text: str
    says: str
    keys: dict[str, str]
    """What a reader holds who trusts its signer: base64 keys by id. Empty for a contract."""

    @property
    def words(self) -> str:
        """What it is, for the middle of a sentence."""
        return self.says[0].lower() + self.says[1:].rstrip(".")


class Library:
    """The documents by name, read once."""

    def __init__(self, conformance: Path = CONFORMANCE) -> None:
        signed = conformance / "sources" / "signed"
        self.keys: dict[str, str] = json.loads((signed / "keys.json").read_bytes())
        """The keyring of the documents that were made for the corpus."""
        self._documents: dict[str, Document] = {}
        for file in ("bench.jsonl", "reported.jsonl"):
            for line in (signed / file).read_bytes().splitlines():
                self._add_line(json.loads(line))
        self._add_field(conformance / "vectors" / "openadapt")
        self._add_scored(conformance / "vectors" / "openadapt_flow")
        self._add_worked(conformance / "vectors" / "worked")

    def __getitem__(self, name: str) -> Document:
        return self._documents[name]

    @property
    def names(self) -> list[str]:
        """All names, in the order of the files."""
        return list(self._documents)

    @property
    def field_receipts(self) -> list[str]:
        """The names of the receipts from the field."""
        return [name for name in self._documents if name.startswith("receipt/field-")]

    @property
    def scored_receipts(self) -> list[str]:
        """The names of the receipts of the benchmark. The contract of receipt/scored-00 is contract/scored-00."""
        return [name for name in self._documents if name.startswith("receipt/scored-")]

    def _add_line(self, entry: dict[str, Any]) -> None:
        text = entry["text"]
        keys: dict[str, str] = entry.get("keys", {})
        if "key" in entry:
            keys = {json.loads(text)["issuer_key_id"]: entry["key"]}
        self._documents[entry["name"]] = Document(text, entry["says"], keys)

    def _add_field(self, folder: Path) -> None:
        key = (folder / "public_key.txt").read_text("ascii").strip()
        self._documents["contract/field"] = Document(_text(folder / "contract.json"), "A contract from the field.", {})
        certificate = _text(folder / "certificate.json")
        keys = {json.loads(certificate)["issuer_key_id"]: key}
        self._documents["certificate/field"] = Document(certificate, "Its certificate.", keys)
        for number, receipt in enumerate(parse(_text(folder / "receipts.json"))):
            says = f"Receipt {number} from the field: {receipt['reward_outcome']} at tier {receipt['oracle_tier']}."
            self._documents[f"receipt/field-{number:02}"] = Document(write(receipt), says, keys)

    def _add_scored(self, folder: Path) -> None:
        for number, line in enumerate((folder / "receipts.jsonl").read_bytes().splitlines()):
            entry = json.loads(line)
            receipt = json.loads(entry["receipt"])
            keys = {receipt["issuer_key_id"]: entry["key"]}
            says = f"Receipt {number} of a benchmark: {receipt['reward_outcome']} at tier {receipt['oracle_tier']}."
            self._documents[f"receipt/scored-{number:02}"] = Document(entry["receipt"], says, keys)
            says = f"The contract of receipt {number} of a benchmark."
            self._documents[f"contract/scored-{number:02}"] = Document(entry["contract"], says, {})

    def _add_worked(self, folder: Path) -> None:
        for name, file in (
            ("contract/worked", "contract_as_authored"),
            ("contract/worked-completed", "contract_canonical"),
            ("certificate/worked", "certificate"),
            ("receipt/worked", "receipt"),
        ):
            says = f"The published {file.replace('_', ' ')}."
            self._documents[name] = Document(_text(folder / f"{file}.json"), says, {})


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
