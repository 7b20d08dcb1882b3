"""Documents in files, checked one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ..core import extension
from ..core.codes import note, sentence
from ..core.findings import Finding, InvalidText
from ..core.generated.tables import MAX_INVALID_DOCUMENTS
from ..core.pointer import Path
from ..core.strict_json import read_json
from ..validation.check import check_document
from ..validation.schemas import Kind, kind_of
from .files import (
    SUFFIXES,
    WHITE_SPACE,
    Damaged,
    Text,
    Unread,
    files,
    no_document,
    texts,
    too_many_documents,
)

if TYPE_CHECKING:
    from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1


_UNREAD: Final = object()
"""In place of the value of a text that the extension accepted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document as it is in a file, and everything that is wrong with it."""

    text: Text
    at: Path
    """Where it is in the text: () or, in a file that is one array, its index."""
    _value: Any
    kind: Kind | None
    """The kind that was asked for, or the one that the document names; None where it names none."""
    findings: tuple[Finding, ...]
    """With the places in the file; () where the document holds."""

    @property
    def value(self) -> Any:
        """The plain JSON value; None where the text was refused. Of a text that was accepted unread it is read now."""
        if self._value is _UNREAD:
            object.__setattr__(self, "_value", json.loads(self.text.data))
        return self._value

    @property
    def label(self) -> str:
        """``file``, ``file:line`` in JSON Lines, ``file:line:column`` in an array."""
        if self.at:
            line, column = self.text.place(self.at)
            return f"{self.text.label}:{line}:{column}"
        return self.text.label if self.text.line is None else f"{self.text.label}:{self.text.line}"

    @property
    def line(self) -> int | None:
        """The line that it starts on, where the file can hold several documents."""
        return self.text.place(self.at)[0] if self.at else self.text.line

    def finding(self, code: str, sentence: str, path: Path = ()) -> Finding:
        """A finding about a member of the document, with its place in the file."""
        return self.locate((Finding(code, sentence, path),))[0]

    def locate(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings about members of the document, with their places in the file."""
        paths = [(*self.at, *finding.path) for finding in findings]
        return tuple(
            replace(finding, path=path, line=line, column=column)
            for finding, path, (line, column) in zip(findings, paths, self.text.places_of(paths), strict=True)
        )

    def document(self) -> RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1:
        """The model. Only for an entry without findings."""
        from ..documents.read import checked_document, read_document  # loads the models; checking alone does not

        if self._value is _UNREAD:
            return read_document(self.text.data, self.kind)
        return checked_document(self.value, self.kind)


def entries(
    names: Iterable[str], kind: Kind | None = None, lines: bool | None = None, *, column: str | None = None
) -> Iterator[Entry | Unread]:
    """Every document in some files, checked, in order; in between, what could not be read.

    A name is a path, a pattern (``*``, ``?``, ``[``, ``**``), a folder or ``-``; see ``files``. ``lines`` says whether
    they are JSON Lines; None means that the suffix does (.jsonl and .ndjson are). gzip and zstd are unpacked; the texts
    of Parquet are in ``column``, else in its only column of text, else in ``receipt``.
    """
    for name in files(names, SUFFIXES):
        if isinstance(name, Unread):
            yield name
            continue
        empty = True
        try:
            for text in texts(name, lines, column=column):
                for entry in entries_of(text, kind):
                    empty = False
                    yield entry
        except Damaged as damaged:
            yield damaged_entry(damaged, kind)
            continue
        except Unread as unread:
            yield unread
            continue
        if empty:
            yield no_document(name)


def entry_of_text(text: Text, kind: Kind | None = None, *, text_only: bool = False) -> Entry:
    """The one document in a text, checked; with ``text_only``, only its text is. An array is not one."""
    accepted = extension.kind_of(text.data, kind)
    if accepted is not None:
        return Entry(text, (), _UNREAD, accepted, ())
    try:
        value = read_json(text.data)
    except InvalidText as error:
        return refused_entry(text, kind, error)
    return Entry(text, (), value, kind, ()) if text_only else entry_of(text, (), value, kind)


def only_entry(name: str, kind: Kind | None = None) -> Entry:
    """The one document in a file. Raises Unread where the file cannot be read or holds another number of them."""
    found = None
    for entry in entries((name,), kind):
        if isinstance(entry, Unread):
            raise entry
        if found is not None:
            raise too_many_documents(name)
        found = entry
    assert found is not None  # entries() never ends without a word
    return found


def entries_of(text: Text, kind: Kind | None, *, text_only: bool = False) -> Iterator[Entry]:
    """The documents in a text, checked. With ``text_only`` only the text is, and is one entry.

    Raises Unread after an array with many invalid documents.
    """
    if text.line is not None or text_only:
        yield entry_of_text(text, kind, text_only=text_only)
        return
    accepted = extension.kind_of(text.data, kind)
    if accepted is not None:
        yield Entry(text, (), _UNREAD, accepted, ())
        return
    try:
        value = read_json(text.data)
    except InvalidText as error:
        yield refused_entry(text, kind, error)
        return
    if type(value) is list:
        left = MAX_INVALID_DOCUMENTS
        for index, item in enumerate(value):
            if not left:
                rest = len(value) - index
                raise Unread(
                    text.name,
                    f"{text.name}: after {MAX_INVALID_DOCUMENTS} invalid documents, the other {rest} are not checked",
                )
            entry = entry_of(text, (index,), item, kind)
            left -= bool(entry.findings)
            yield entry
    else:
        yield entry_of(text, (), value, kind)


def damaged_entry(damaged: Damaged, kind: Kind | None) -> Entry:
    """In place of the text that a damaged file ends in: the finding that it is damaged."""
    finding = Finding("text.damaged", sentence("text.damaged", found=damaged.found), (), damaged.line or 1, 1)
    return Entry(Text(damaged.name, b"", damaged.line), (), None, kind, (finding,))


def refused_entry(text: Text, kind: Kind | None, error: InvalidText) -> Entry:
    """The entry of a text that is not strict JSON."""
    findings = tuple(replace(fault, line=text.file_line(fault.line or 1)) for fault in error.findings)
    if findings[0].code == "json.size" and text.data.lstrip(WHITE_SPACE).startswith(b"["):
        findings = (replace(findings[0], sentence=f"{findings[0].sentence} {note('size-of-line')}"),)
    return Entry(text, (), None, kind, findings)


def entry_of(text: Text, at: Path, value: Any, kind: Kind | None) -> Entry:
    """The entry of a plain JSON value that is in a good text."""
    named = kind or kind_of(value)
    entry = Entry(text, at, value, None if isinstance(named, Finding) else named, ())
    faults = check_document(value, kind)
    if kind is not None and not isinstance(own := kind_of(value), Finding) and own != kind:
        # Of a document that names another kind, that is what is wrong; the rest follows.
        faults = tuple(fault for fault in faults if fault.path == ("schema_version",))
    return replace(entry, findings=entry.locate(faults)) if faults else entry
