"""Expands conformance/sources into the corpus: cases/, manifest.json and json-schema-test-suite/.

    python scripts/corpus            write it
    python scripts/corpus --check    write nothing; exit 1 where the corpus is not what the sources give

Verdicts and rule ids are named by hand in the sources. Canonical texts, digests, scores and composed rewards are worked
out by corpus.second and .composition, which share no code with the package; where the package says
otherwise, nothing is written.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # so that this folder is the package ``corpus``

from corpus.agreement import disagreements  # noqa: E402
from corpus.audits import audits  # noqa: E402
from corpus.compositions import compositions  # noqa: E402
from corpus.digests import digests  # noqa: E402
from corpus.library import CONFORMANCE, Library  # noqa: E402
from corpus.manifest import manifest  # noqa: E402
from corpus.records import LAYERS, Record, SourceError, lines  # noqa: E402
from corpus.refusals import groups, members  # noqa: E402
from corpus.scores import certificates, scores  # noqa: E402
from corpus.signatures import signatures  # noqa: E402
from corpus.suite import suite  # noqa: E402

COMMAND = "python scripts/corpus"
TABLES = {
    "json": groups,
    "schema": groups,
    "members": members,
    "neighbours": groups,
    "rules": groups,
    "digest": digests,
    "signature": signatures,
    "score": scores,
    "certificate": certificates,
    "audit": audits,
    "compose": compositions,
    "specs": compositions,
}
WRITTEN = ("cases", "json-schema-test-suite")
"""The folders that hold nothing but what is written here."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    check = parser.parse_args(arguments).check
    try:
        wanted = generate()
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    there = {path.relative_to(CONFORMANCE).as_posix() for path in _written_files()}
    stale = [name for name, data in wanted.items() if name not in there or _read(name) != data]
    orphans = sorted(there - set(wanted))
    if check:
        for name in stale:
            print(f"conformance/{name} is not what the sources give: {COMMAND}", file=sys.stderr)
        for name in orphans:
            print(f"conformance/{name} is not written by {COMMAND}: remove it", file=sys.stderr)
        return 1 if stale or orphans else 0
    for name in stale:
        path = CONFORMANCE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[name])
    for name in orphans:
        (CONFORMANCE / name).unlink()
    print(f"{len(stale)} of {len(wanted)} files written, {len(orphans)} removed")
    return 0


def generate() -> dict[str, bytes]:
    """All files by their path below conformance/. Raises SourceError."""
    library = Library()
    records = expand(library)
    if wrong := disagreements(records):
        raise SourceError("\n".join(wrong))
    files = {
        f"cases/{layer}.jsonl": lines([record for record in records if record["layer"] == layer]) for layer in LAYERS
    }
    exported = suite(records)
    about = tomllib.loads((CONFORMANCE / "sources" / "corpus.toml").read_bytes().decode("utf-8"))
    return {**files, **exported, "manifest.json": manifest(about, records, files, exported)}


def expand(library: Library) -> list[Record]:
    """The cases of all tables. Raises SourceError where an id appears twice."""
    records: dict[str, Record] = {}
    for name, expander in TABLES.items():
        table = tomllib.loads((CONFORMANCE / "sources" / "tables" / f"{name}.toml").read_bytes().decode("utf-8"))
        for record in expander(table, library):
            if record["id"] in records:
                raise SourceError(f"{record['id']} is there twice")
            records[record["id"]] = record
    return list(records.values())


def _written_files() -> list[Path]:
    files = [CONFORMANCE / "manifest.json"]
    for folder in WRITTEN:
        files += (CONFORMANCE / folder).rglob("*")
    return [path for path in files if path.is_file()]


def _read(name: str) -> bytes:
    return (CONFORMANCE / name).read_bytes()


if __name__ == "__main__":
    sys.exit(main())
