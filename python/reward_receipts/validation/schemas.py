"""The schema files, and the kinds of documents that they describe."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ..core.codes import keyword_found, note
from ..core.findings import Finding, shown
from ..core.generated.tables import DATA_KINDS as DATA_KINDS
from ..core.generated.tables import KINDS as KINDS
from ..core.generated.tables import DataKind as DataKind
from ..core.generated.tables import Kind as Kind
from ..core.schema_files import SCHEMA_FILES, read_schema_file
from .sentences import typed


@cache
def schema_of(name: str) -> Any:
    """The parsed schema file of a kind, of ``common`` or of ``document``. Shared: not to be changed."""
    return read_schema_file(SCHEMA_FILES[name])


REWARD_CONTRACT_SCHEMA: Final[str] = schema_of("contract")["properties"]["schema_version"]["const"]
REWARD_CERTIFICATE_SCHEMA: Final[str] = schema_of("certificate")["properties"]["schema_version"]["const"]
REWARD_EVIDENCE_RECEIPT_SCHEMA: Final[str] = schema_of("receipt")["properties"]["schema_version"]["const"]
_NAMED: Final[dict[str, Kind]] = {schema_of(kind)["properties"]["schema_version"]["const"]: kind for kind in KINDS}


def kind_of(value: Any) -> Kind | Finding:
    """The kind that a plain JSON value says it is, or what keeps it from saying so."""
    if type(value) is not dict:
        found = keyword_found("type", place="the document", value=typed(value), expected="an object")
        return Finding("schema.type", found)
    if "schema_version" not in value:
        found = f"{keyword_found('required', member='schema_version')} {note('kinds', versions=', '.join(_NAMED))}"
        return Finding("schema.required", f"{found}{_likely_mistake(value)}")
    version = value["schema_version"]
    kind = _NAMED.get(version) if type(version) is str else None
    if kind is None:
        known = " or ".join(map(shown, _NAMED))
        found = keyword_found("enum", place="schema_version", value=shown(version), expected=known)
        return Finding("schema.enum", found, ("schema_version",))
    return kind


def _likely_mistake(value: dict[str, Any]) -> str:
    """What an object without a kind may be instead of a document, as one more sentence; "" if there is no sign."""
    for name, member in value.items():
        version = member.get("schema_version") if type(member) is dict else None
        if type(version) is str and version in _NAMED:
            return f" {note('document-inside', member=shown(name))}"
    return f" {note('private-key-file')}" if "private_key" in value else ""
