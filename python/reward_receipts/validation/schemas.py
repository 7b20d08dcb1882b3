"""The schema files, and the kinds of documents that they describe."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Literal

from ..core.codes import SCHEMA_FILES, read_schema_file
from ..core.findings import Finding, shown
from .sentences import typed

Kind = Literal["contract", "certificate", "receipt"]
"""The kind of a document that the audit reads."""

KINDS: Final[tuple[Kind, ...]] = ("contract", "certificate", "receipt")

DataKind = Literal["spec", "trace-row", "regime-report"]
"""The kind of a document about a reward as data; the caller names it, no reader has to find it out."""

DATA_KINDS: Final[tuple[DataKind, ...]] = ("spec", "trace-row", "regime-report")


@cache
def schema_of(name: str) -> Any:
    """The parsed schema file of a kind, of ``common`` or of ``document``. Shared: not to be changed."""
    return read_schema_file(SCHEMA_FILES[name])


REWARD_CONTRACT_SCHEMA: Final[str] = schema_of("contract")["properties"]["schema_version"]["const"]
REWARD_CERTIFICATE_SCHEMA: Final[str] = schema_of("certificate")["properties"]["schema_version"]["const"]
REWARD_EVIDENCE_RECEIPT_SCHEMA: Final[str] = schema_of("receipt")["properties"]["schema_version"]["const"]
_NAMED: Final[dict[str, Kind]] = {
    REWARD_CONTRACT_SCHEMA: "contract",
    REWARD_CERTIFICATE_SCHEMA: "certificate",
    REWARD_EVIDENCE_RECEIPT_SCHEMA: "receipt",
}


def kind_of(value: Any) -> Kind | Finding:
    """The kind that a plain JSON value says it is, or what keeps it from saying so."""
    if type(value) is not dict:
        return Finding("schema.type", f"Expected a document, which is a JSON object; found {typed(value)}.")
    if "schema_version" not in value:
        what = f"schema_version is missing; a document names its kind. {_known()}"
        return Finding("schema.required", f"{what}{_likely_mistake(value)}")
    version = value["schema_version"]
    kind = _NAMED.get(version) if type(version) is str else None
    if kind is None:
        return Finding("schema.enum", f"Found {shown(version)}, no known kind. {_known()}", ("schema_version",))
    return kind


def _likely_mistake(value: dict[str, Any]) -> str:
    """What an object without a kind may be instead of a document, as one more sentence; "" if there is no sign."""
    for name, member in value.items():
        version = member.get("schema_version") if type(member) is dict else None
        if type(version) is str and version in _NAMED:
            return f" Its member {shown(name)} is a document; take it out of its envelope."
    return " This looks like a private key file, which is not a document." if "private_key" in value else ""


def _known() -> str:
    return f"Known are {', '.join(_NAMED)}."
