"""``sign``: puts a key's signature on a certificate or a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ...bulk.documents import Entry, entry_of, refused_entry
from ...bulk.files import Unread, only_text
from ...core.canonical import canonical_json_bytes
from ...core.exit_status import ExitStatus
from ...core.findings import InvalidText
from ...core.strict_json import read_json
from ...receipts.sign import sign as signed_copy
from ...receipts.sign import with_placeholder
from ...validation.schemas import Kind
from ..keys import signing_key_in
from ..options import KindOption, NewFile
from ..report import Report
from ..terminal import write_document

if TYPE_CHECKING:
    from ...documents.generated.models import RewardEvidenceReceiptV1


def sign(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A certificate or a receipt, or - for standard input.")],
    signing_key: Annotated[
        str,
        typer.Option(
            "--signing-key", metavar="FILE", help="A private key file of keygen, a pipe, or - for standard input."
        ),
    ],
    allow_group_readable: Annotated[
        bool,
        typer.Option(
            "--allow-group-readable", help="Take a private key file that its group can read, such as a mounted secret."
        ),
    ] = False,
    output: NewFile = None,
    kind: KindOption = None,
) -> ExitStatus:
    """The document is written completed: with every default that the schema states."""
    if file == signing_key == "-":
        raise typer.BadParameter("standard input is the document or the signing key, not both")
    report = Report("sign", "text")
    key = signing_key_in(report, signing_key, allow_group_readable)
    if key is None:
        return report.close()
    entry = report.valid(lambda: _to_be_signed(file, kind, key.algorithm))
    if entry is None:
        return report.close()
    try:
        signed = signed_copy(cast("RewardEvidenceReceiptV1", entry.document()), key)
    except ValueError as error:  # another issuer_key_id
        report.problem(file, f"{entry.label}: {error}")
        return report.close()
    write_document(output, canonical_json_bytes(signed) + b"\n")
    return ExitStatus.GOOD


def _to_be_signed(file: str, kind: Kind | None, algorithm: str) -> Entry:
    """The document with a placeholder where its signature will be. Raises Unread, for a contract too."""
    text = only_text(file)
    try:
        value = read_json(text.data)
    except InvalidText as error:
        return refused_entry(text, kind, error)
    if type(value) is dict:
        value = with_placeholder(value, algorithm)
    entry = entry_of(text, (), value, kind)
    if entry.kind == "contract":
        raise Unread(file, f"{entry.label} is a contract, which carries no signature")
    return entry
