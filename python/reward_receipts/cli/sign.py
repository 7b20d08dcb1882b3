"""``sign``: puts a key's signature on a certificate or a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..bulk.documents import Entry, entry_of, refused_entry
from ..bulk.files import Unread, only_text
from ..core.canonical import canonical_json_bytes
from ..core.findings import InvalidText
from ..core.strict_json import read_json
from ..core.whole_files import write_new_file
from ..receipts.sign import PLACEHOLDER_SIGNATURE
from ..receipts.sign import sign as signed_copy
from ..validation.schemas import Kind
from .formats import Report, Result
from .keys import signing_key_in

if TYPE_CHECKING:
    from ..documents.generated.models import RewardEvidenceReceiptV1


def sign(file: str, signing_key: str, allow_group_readable: bool, output: str | None, kind: Kind | None) -> int:
    """Signs one document and writes it, completed, to standard output or to a new file. Returns the exit status."""
    report = Report("sign", "text")
    key = signing_key_in(report, signing_key, allow_group_readable)
    if key is None:
        return report.close()
    try:
        entry = _to_be_signed(file, kind)
    except Unread as unread:
        report.unread(unread)
        return report.close()
    if entry.findings:
        report.add(Result(entry, "invalid", findings=entry.findings))
        return report.close()
    try:
        signed = signed_copy(cast("RewardEvidenceReceiptV1", entry.document()), key)
        line = canonical_json_bytes(signed) + b"\n"
        if output is None or output == "-":
            print(line.decode("ascii"), end="")
        else:
            write_new_file(output, line)
    except ValueError as error:  # another issuer_key_id
        report.problem(file, f"{entry.label}: {error}")
        return report.close()
    except OSError as error:
        report.problem(output or "", f"cannot write {output}: {error.strerror or error}")
        return report.close()
    return 0


def _to_be_signed(file: str, kind: Kind | None) -> Entry:
    """The document with a placeholder where its signature will be. Raises Unread, for a contract too."""
    text = only_text(file)
    try:
        value = read_json(text.data)
    except InvalidText as error:
        return refused_entry(text, kind, error)
    if type(value) is dict:
        value = {**value, "signature": PLACEHOLDER_SIGNATURE}
    entry = entry_of(text, (), value, kind)
    if entry.kind == "contract":
        raise Unread(file, f"{entry.label} is a contract, which carries no signature")
    return entry
