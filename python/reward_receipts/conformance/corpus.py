"""The corpus: cases from a folder, each file and each document checked against its hash before any driver is asked."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from ..core.escaping import printable_line
from ..core.findings import shown
from .case import Case
from .files import MAX_CASE, MAX_CORPUS_FILE, MAX_LIST, Unusable, fault, parsed, read_file
from .protocol import LAYERS, MAX_REQUEST, PROTOCOL

_BESIDE_DOCUMENTS: Final = 1024
"""Bytes of a request besides its documents and arguments: names and ids."""
_MAX_BYTES: Final = 64 * 1024 * 1024
"""How many bytes all documents of a corpus have at most, padding included: they are kept in memory."""


class CorpusError(ValueError):
    """A corpus cannot be used. The message names the file, the case and what is wrong."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The cases of one version of the corpus."""

    version: str
    cases: tuple[Case, ...]

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that have cases."""
        return tuple(layer for layer in LAYERS if any(case.layer == layer for case in self.cases))

    def case(self, case_id: str) -> Case:
        """The case of an id. Raises CorpusError."""
        for case in self.cases:
            if case.id == case_id:
                return case
        raise CorpusError(f"no case {shown(case_id)} in corpus {self.version}")

    def matching(self, name: str) -> tuple[Case, ...]:
        """The cases that a name names: an id, or the start of ids up to a slash, also written as ``start/*``."""
        start = name.removesuffix("*").removesuffix("/") + "/"
        return tuple(case for case in self.cases if case.id == name or case.id.startswith(start))

    def select(self, layers: Sequence[str] = (), names: Sequence[str] = ()) -> tuple[Case, ...]:
        """The cases of the layers, all by default, that one of the names names, all by default.

        Raises CorpusError for a layer or a name that the corpus does not have, and where nothing is left.
        """
        for layer in layers:
            if layer not in self.layers:
                raise CorpusError(f"no layer {shown(layer)}; corpus {self.version} has {', '.join(self.layers)}")
        chosen = set()
        for name in names:
            matching = self.matching(name)
            if not matching:
                raise CorpusError(f"no case {shown(name)} in corpus {self.version}")
            chosen |= {case.id for case in matching}
        cases = tuple(
            case for case in self.cases if (not layers or case.layer in layers) and (not names or case.id in chosen)
        )
        if not cases:
            raise CorpusError("no case is both in a layer and under a name that was selected")
        return cases


def load(folder: str | None = None) -> Corpus:
    """The corpus in a folder, by default the one that comes with the package. Raises CorpusError."""
    root: Traversable = files("reward_receipts.corpus") if folder is None else Path(folder)
    manifest = _manifest(root)
    cases: dict[str, Case] = {}
    size = 0
    for entry in manifest["files"]:
        data = _verified(root, entry)
        count = entry.get("cases")
        if count is None:
            continue
        found = 0
        for case in _cases(entry["path"], data):
            if case.id in cases:
                raise CorpusError(f"{entry['path']}: case {case.id} is there twice")
            cases[case.id] = case
            found += 1
            size += sum(len(data) for data in case.input.values() if data is not None)
            if size > _MAX_BYTES:
                raise CorpusError(f"{entry['path']}: the documents up to {case.id} have more than {_MAX_BYTES} bytes")
        if found != count:
            raise CorpusError(f"{entry['path']} has {found} cases; manifest.json says {count}")
    if not cases:
        raise CorpusError("manifest.json lists no cases")
    return Corpus(manifest["corpus"], tuple(cases.values()))


def _manifest(root: Traversable) -> dict[str, Any]:
    try:
        manifest: Any = parsed(_read(root, "manifest.json", MAX_LIST))
    except Unusable as error:
        raise CorpusError(f"manifest.json: {error}") from None
    if (wrong := fault(manifest, "manifest")) is not None:
        raise CorpusError(f"manifest.json: {wrong}")
    if manifest["protocol"] != PROTOCOL:
        raise CorpusError(f"manifest.json: protocol is {shown(manifest['protocol'])}; this is protocol {PROTOCOL}")
    paths = Counter(entry["path"] for entry in manifest["files"])
    for path, times in paths.items():
        if times > 1:
            raise CorpusError(f"manifest.json lists {path} twice")
    read: dict[str, Any] = manifest
    return read


def _verified(root: Traversable, entry: Mapping[str, Any]) -> bytes:
    data = _read(root, entry["path"], MAX_CORPUS_FILE)
    if _sha256(data) != entry["sha256"]:
        raise CorpusError(
            f"{entry['path']} has the hash {_sha256(data)}; manifest.json says {entry['sha256']}. "
            "The corpus was changed, or its line ends were."
        )
    return data


def _read(root: Traversable, path: str, limit: int) -> bytes:
    try:
        return read_file(root.joinpath(*path.split("/")), limit)
    except Unusable as error:
        raise CorpusError(f"{path} of the corpus: {error}") from None
    except OSError as error:
        raise CorpusError(f"cannot read {path} of the corpus: {error.strerror or error}") from None


def _cases(path: str, data: bytes) -> Iterator[Case]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            if len(line) > MAX_CASE:
                raise CorpusError(f"a line of {len(line)} bytes; a case has at most {MAX_CASE}")
            yield _case(parsed(line))
        except (CorpusError, Unusable) as error:
            raise CorpusError(f"{path}:{number}: {error}") from None


def _case(record: Any) -> Case:
    if (wrong := fault(record, "case", whole="a case")) is not None:
        known = type(record) is dict and type(record.get("id")) is str
        raise CorpusError(f"{printable_line(record['id'])[:100]}: {wrong}" if known else wrong)
    case_id: str = record["id"]
    documents = {
        name: None if given is None else _bytes(case_id, name, given) for name, given in record["input"].items()
    }
    for name, document in documents.items():
        if document is not None and _sha256(document) != record["sha256"].get(name):
            raise CorpusError(f"{case_id}: {name} has the hash {_sha256(document)}; the case says otherwise")
    length = sum(4 * (len(data) // 3 + 1) for data in documents.values() if data) + len(json.dumps(record["arguments"]))
    if length > MAX_REQUEST - _BESIDE_DOCUMENTS:
        raise CorpusError(f"{case_id}: its request has about {length} bytes; a request has at most {MAX_REQUEST}")
    others = {name: record.get(name) for name in ("about", "base", "edit")}
    named = {name: record[name] for name in _NAMED}
    return Case(**named, **others, input=documents)


_NAMED: Final = ("id", "operation", "kind", "layer", "level", "section", "sentence", "arguments", "expect")


def _bytes(case_id: str, name: str, given: Mapping[str, Any]) -> bytes:
    try:
        data = base64.b64decode(given["base64"], validate=True) if "base64" in given else given["text"].encode()
    except ValueError as error:
        raise CorpusError(f"{case_id}: {name}: {error}") from None
    pad = given.get("pad")  # a text that is only long would make the corpus so, too
    return data if pad is None else data.ljust(int(pad["to"]), pad["with"].encode("ascii"))


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
