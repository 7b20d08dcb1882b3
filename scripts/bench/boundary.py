"""Measures how much memory and CPU time it takes to read and check hostile texts: a table, and an exit status.

    python scripts/bench/boundary.py                       # 24 texts in three sizes, chosen by a seed
    python scripts/bench/boundary.py --all                 # every text at every size, in every reader: most of a day
    python scripts/bench/boundary.py --reader lint --size 1
    python scripts/bench/boundary.py --all --npm typescript  # in Node too; the folder of the built package

Each text is read in a process of its own, whose peak memory (``ru_maxrss``) and CPU time are the figures. A text of at
most 1 MiB may take 200 MiB and 5 CPU seconds, and twice the size may take three times the time and half a second.
Exit status: 0 if every text stays within these bounds, 1 if one does not, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reward_receipts.core.schema_files import SCHEMA_FILES, read_schema_file

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("contract", "certificate", "receipt", "spec", "trace-row", "regime-report")
DOCUMENTS = KINDS[:3]
SIZES = (0.25, 0.5, 1.0)
MEBIBYTE = 1024 * 1024
MOST_MEMORY = 200
"""MiB, of the whole process."""
MOST_TIME = 5.0
"""CPU seconds."""
SAMPLE = 24

# What a text is filled with: each is given a number, so that names and values can differ.
FILLS: dict[str, Callable[[int], str]] = {
    "numbers": lambda number: "0",
    "doubles": lambda number: f"{number}.5",
    "strings": lambda number: f'"{number:x}"',
    "arrays": lambda number: "[]",
    "objects": lambda number: "{}",
    "members": lambda number: '{"":0}',
    "nested arrays": lambda number: "[" * 40 + "]" * 40,
    "nested objects": lambda number: '{"":' * 40 + "0" + "}" * 40,
}


@dataclass(frozen=True)
class Hostile:
    """A text that no reader accepts, or that costs more than it looks."""

    kind: str
    shape: str
    fill: str
    size: float
    """MiB."""

    def text(self) -> bytes:
        """The text, at most as long as its size."""
        room = int(self.size * MEBIBYTE)
        before, after = _frame(self.kind, self.shape)
        fill = FILLS[self.fill]
        if self.shape in ("members of the document", *(f"members of {name}" for name in _maps(self.kind))):
            parts = (f'"\u00a7{number:x}":{fill(number)}' for number in itertools.count())
        else:
            parts = map(fill, itertools.count())
        left = room - len(before.encode()) - len(after.encode())
        kept = []
        for part in parts:
            left -= len(part.encode()) + 1
            if left < 0:
                break
            kept.append(part)
        return (before + ",".join(kept) + after).encode()


def shapes(kind: str) -> Iterator[str]:
    """The names of the places in a document of a kind that a text can fill."""
    yield from ("members of the document", "an unknown member", "an array of documents", "the document cut off")
    for name in _maps(kind):
        yield f"members of {name}"
    for path in _arrays(kind):
        yield f"items of {path}"
    for name in _scalars(kind):
        yield f"items of {name}"


def _schema(kind: str) -> Any:
    return read_schema_file(SCHEMA_FILES[kind])


def _maps(kind: str) -> list[str]:
    return [name for name, member in _schema(kind)["properties"].items() if "propertyNames" in member]


def _arrays(kind: str) -> list[str]:
    """Every array of a schema, by the way to it: ``oracle/identity_keys``, ``components/*/clip``."""
    schema = _schema(kind)
    common = read_schema_file(SCHEMA_FILES["common"])

    def within(part: Any, way: str) -> Iterator[str]:
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            part = schema.get("$defs", {}).get(name) or common["$defs"].get(name)
        if part.get("type") == "array":
            yield way
            yield from within(part["items"], f"{way}/*")
        for option in part.get("anyOf", ()):
            yield from within(option, way)
        for name, member in part.get("properties", {}).items():
            yield from within(member, f"{way}/{name}" if way else name)
        if isinstance(part.get("additionalProperties"), dict):
            yield from within(part["additionalProperties"], f"{way}/name")

    return sorted(set(within(schema, "")))


def _scalars(kind: str) -> list[str]:
    """A member of each type that may be neither an array nor an object."""
    members = _schema(kind)["properties"]
    by_type = {str(member.get("type", member.get("$ref", "null"))): name for name, member in members.items()}
    return [name for name in by_type.values() if name not in (*_maps(kind), *_arrays(kind))]


def _frame(kind: str, shape: str) -> tuple[str, str]:
    """The text before and after what fills it. The other members are left out: that is refused, too."""
    version = json.dumps(_schema(kind)["properties"]["schema_version"]["const"])
    start = f'{{"schema_version":{version},'
    match shape.partition(" of ")[::2]:
        case ("members", "the document"):
            return start, "}"
        case ("members", name):
            return f'{start}"{name}":{{', "}}"
        case ("items", way):
            return _path(start, way.split("/"))
    if shape == "an array of documents":
        return "[", "]"
    if shape == "the document cut off":
        return f'{start}"unknown":[', ""
    return f'{start}"unknown":[', "]}"


def _path(start: str, way: Sequence[str]) -> tuple[str, str]:
    before, after = start, "}"
    for place, step in enumerate(way):
        if step == "*":
            before, after = f"{before}[", f"]{after}"
        else:
            before = f'{before}"{step}":' if place == 0 else f'{before}{{"{step}":'
            after = after if place == 0 else f"}}{after}"
    return f"{before}[", f"]{after}"


def cases(kinds: Sequence[str], sizes: Sequence[float]) -> Iterator[Hostile]:
    """Every shape with every filling, at every size."""
    for kind in kinds:
        for shape in shapes(kind):
            for fill in FILLS:
                for size in sizes:
                    yield Hostile(kind, shape, fill, size)


# Readers: what a text is given to. Each is a program that takes a file and a kind.

PYTHON = {
    "read_document": "rr.read_document(data, kind)",
    "model_validate_json": "MODEL.model_validate_json(data)",
    "model_validate": "MODEL.model_validate(json.loads(data))",
    "errors": "MODEL.model_validate_json(data)",
    "from_yaml": "RewardSpec.from_yaml(data)",
}
_PROGRAM = """
import json, sys
import reward_receipts as rr
from pydantic import ValidationError
from reward_receipts.core.findings import InvalidDocument
path, kind, reader = sys.argv[1:]
data = open(path, "rb").read()
if kind == "spec":
    from reward_receipts.rewards import RewardSpec
    MODEL = RewardSpec
elif kind == "trace-row":
    from reward_receipts.traces.generated.reward_trace_row import RewardTraceRow as MODEL
elif kind == "regime-report":
    from reward_receipts.traces.generated.regime_report import RegimeReport as MODEL
else:
    names = {"contract": "Contract", "certificate": "Certificate", "receipt": "EvidenceReceipt"}
    MODEL = getattr(rr, f"Reward{names[kind]}V1")
try:
    %s
except (InvalidDocument, ValidationError, json.JSONDecodeError) as refused:
    said = len(str(refused))
    if reader == "errors":
        said = len(json.dumps(refused.errors(), default=str)) + len(refused.json())
    print("refused", said)
"""
_COMMAND = "import sys; from reward_receipts.cli import main; sys.exit(main())"
COMMANDS: dict[str, tuple[str, ...]] = {
    **{f"lint -f {form}": ("lint", "-f", form) for form in ("text", "json", "jsonl", "junit", "github")},
    "digest": ("digest",),
    "verify": ("verify", "--public-key", "A" * 43 + "="),
    "audit": ("audit",),
    "audit --contract": ("audit", str(ROOT / "conformance/vectors/worked/receipt.json"), "--contract"),
    "verify --keyring": ("verify", str(ROOT / "conformance/vectors/worked/receipt.json"), "--keyring"),
    "score": ("score", "verified", "--tier", "2", "--policy-update", "1", "--contract"),
}
SPEC_COMMANDS: dict[str, tuple[str, ...]] = {
    "spec lint": ("spec", "lint"),
    "spec show": ("spec", "show"),
    "spec ceiling": ("spec", "ceiling"),
}
TRACE_COMMANDS: dict[str, tuple[str, ...]] = {"trace summary": ("trace", "summary")}
_NODE = """
import { readFileSync } from "node:fs";
const [path, kind, reader, folder] = process.argv.slice(2);
const rr = await import(`${folder}/dist/index.js`);
const isSpec = kind === "spec";
let findings;
if (reader === "npm read") {
  const data = readFileSync(path);
  findings = (isSpec ? rr.readRewardSpec(data) : rr.readDocument(data, kind)).findings;
} else {
  const value = JSON.parse(readFileSync(path, "utf8"));
  findings = (isSpec ? rr.completeRewardSpec(value) : rr.validate(value, kind)).findings;
}
console.log(findings?.[0]?.code ?? "valid");
"""
NODE_READERS = ("npm read", "npm validate")


def readers(kind: str) -> dict[str, Callable[[Path], list[str]]]:
    """The command lines that read a file with a document of a kind."""
    names = [*PYTHON] if kind in ("contract", "certificate", "receipt") else [*PYTHON][1:]
    found: dict[str, Callable[[Path], list[str]]] = {}
    for name in names:
        if name != "from_yaml" or kind == "spec":
            program = _PROGRAM % PYTHON[name]
            found[name] = lambda path, program=program, name=name: [
                sys.executable, "-c", program, str(path), kind, name
            ]  # fmt: skip
    commands = SPEC_COMMANDS if kind == "spec" else TRACE_COMMANDS if kind == "trace-row" else COMMANDS
    for name, words in commands.items() if kind != "regime-report" else ():
        found[name] = lambda path, words=words: [sys.executable, "-c", _COMMAND, *words, str(path)]
    return found


@dataclass(frozen=True)
class Measured:
    """The resources that one process used."""

    memory: float
    """Peak resident memory, MiB."""
    seconds: float
    """CPU time, user and system."""
    exit_status: int
    crashed: bool
    """Whether a traceback is on its standard error, or another one's exit status."""


# A process inherits the peak memory of the one that it was forked from, so a small one starts each command.
_START = """
import json, os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1)]
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(process, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss, usage.ru_utime + usage.ru_stime]))
"""


def measured(command: Sequence[str]) -> Measured:
    """Runs a command to its end."""
    with tempfile.TemporaryFile() as messages:
        start = [sys.executable, "-I", "-S", "-c", _START, *command]
        printed = subprocess.run(start, stdout=subprocess.PIPE, stderr=messages, check=True).stdout
        exit_status, memory, seconds = json.loads(printed)
        messages.seek(0)
        crashed = exit_status not in (0, 1, 2) or any(b"Traceback" in line for line in messages)
    unit = 1 if sys.platform == "darwin" else 1024
    return Measured(memory * unit / MEBIBYTE, seconds, exit_status, crashed)


def suffix(hostile: Hostile, reader: str) -> str:
    """The suffix that makes a reader take a text for what it is."""
    if reader == "trace summary":
        return ".jsonl"
    return ".yaml" if reader == "from_yaml" else ".json"


def within_bounds(found: Measured) -> bool:
    """Whether a process took no more than it may, and ended well."""
    return found.memory <= MOST_MEMORY and found.seconds <= MOST_TIME and not found.crashed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("--all", action="store_true", help="every text, not a sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--size", type=float, choices=SIZES, action="append", help="MiB")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--shape", help="only shapes with this text in their name")
    parser.add_argument("--reader", help="only readers with this text in their name")
    parser.add_argument("--npm", type=Path, metavar="FOLDER", help="read in Node too: the folder of the built package")
    parser.add_argument("--worst", type=int, default=15, help="how many of the most expensive texts are listed")
    given = parser.parse_args(arguments)
    sizes = tuple(sorted(given.size or SIZES))
    every = [
        (hostile, reader)
        for hostile in cases(given.kind or KINDS, sizes[:1])
        for reader in (*readers(hostile.kind), *(NODE_READERS if given.npm and hostile.kind in KINDS[:4] else ()))
        if (given.shape or "") in hostile.shape and (given.reader or "") in reader
        if reader != "npm validate" or hostile.shape != "the document cut off"  # JavaScript's own parser refuses it
    ]
    some = every if given.all else random.Random(given.seed).sample(every, min(given.sample, len(every)))
    chosen = [(replace(hostile, size=size), reader) for hostile, reader in some for size in sizes]
    rows: list[tuple[Measured, Hostile, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "read.mjs"
        program.write_text(_NODE, "utf-8")
        for number, (hostile, reader) in enumerate(chosen, 1):
            path = Path(folder) / f"hostile{suffix(hostile, reader)}"
            path.write_bytes(hostile.text())
            if reader in NODE_READERS:
                command = ["node", str(program), str(path), hostile.kind, reader, given.npm.resolve().as_uri()]
            else:
                command = readers(hostile.kind)[reader](path)
            rows.append((measured(command), hostile, reader))
            if sys.stderr.isatty() or number % 100 == 0:
                print(f"\r{number} of {len(chosen)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return report(rows, given.worst)


def report(rows: Sequence[tuple[Measured, Hostile, str]], worst: int) -> int:
    """Prints the table; returns the exit status."""
    print(f"{'':<28}{'peak MiB at':<21}CPU seconds at")
    print(f"{'reader':<20} {'texts':>6} " + " ".join(f"{size:>6g}" for size in (*SIZES, *SIZES)) + " MiB")
    for reader in dict.fromkeys(reader for _, _, reader in rows):
        own = [row for row in rows if row[2] == reader]
        by_size = [[found for found, hostile, _ in own if hostile.size == size] for size in SIZES]
        cells = [f"{max(f.memory for f in some):>6.0f}" if some else f"{'-':>6}" for some in by_size]
        cells += [f"{max(f.seconds for f in some):>6.2f}" if some else f"{'-':>6}" for some in by_size]
        print(f"{reader:<20} {len(own):>6} {' '.join(cells)}")
    print("\nmost expensive")
    cost = lambda row: max(row[0].memory / MOST_MEMORY, row[0].seconds / MOST_TIME)  # noqa: E731
    for found, hostile, reader in sorted(rows, key=cost, reverse=True)[:worst]:
        what = f"{hostile.kind}: {hostile.shape}, {hostile.fill}, {hostile.size:g} MiB"
        print(f"{found.memory:6.0f} MiB {found.seconds:6.2f} s  exit {found.exit_status}  {reader:<20} {what}")
    beyond = [row for row in rows if not within_bounds(row[0])]
    print(f"\n{len(rows)} texts read, {len(beyond)} beyond {MOST_MEMORY} MiB or {MOST_TIME:g} s, or not ended well")
    seconds = {(hostile, reader): found.seconds for found, hostile, reader in rows}
    grown = 0
    for (hostile, reader), half in seconds.items():
        whole = seconds.get((replace(hostile, size=2 * hostile.size), reader), 0.0)
        if whole > 3 * half + 0.5:
            grown += 1
            print(f"from {half:.2f} s to {whole:.2f} s at twice the size: {reader}, {hostile}")
    return 1 if beyond or grown else 0


if __name__ == "__main__":
    sys.exit(main())
