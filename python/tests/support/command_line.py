"""Running the command line: in this process, where the streams are caught, or in one of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from field import OPENADAPT, VECTORS, plain
from reward_receipts.cli import main
from reward_receipts.validation.schemas import schema_of

COMMAND = (sys.executable, "-c", "import sys; from reward_receipts.cli import main; sys.exit(main())")
"""The command line as a process of its own."""


@dataclass
class Ran:
    """The result of a run of the command line."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def codes(self) -> list[tuple[str, str]]:
        """Place and code of each finding in text."""
        return [(line.split(" ")[0], line.split(" ")[2]) for line in self.lines]


class Shell:
    """A folder to work in, and the command line called from it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        self.folder = folder
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: object, stdin: bytes = b"") -> Ran:
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        given = [str(argument) for argument in arguments]
        status = main(given)
        ran = Ran(status, *self._capsys.readouterr())
        if given[:1] != ["conformance"] and ran.out:
            _require_form(given, ran.out)
        return ran

    def write(self, name: str, content: Any) -> str:
        """Writes bytes, text, or a value as JSON. Returns the name."""
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return name

    def results(self, *arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
        """What a command says of each document, in JSON."""
        results: list[dict[str, Any]] = json.loads(self(*arguments, "-f", "json", stdin=stdin).out)["results"]
        return results


def in_a_process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own."""
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, check=False, text=True, **{"capture_output": True, "timeout": 60, **options})


def receipts(count: int) -> list[dict[str, Any]]:
    """The first receipts of the field, as plain JSON."""
    found: list[dict[str, Any]] = plain(OPENADAPT / "receipts.json")[:count]
    return found


def json_lines(documents: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def _require_form(arguments: Sequence[str], out: str) -> None:
    """Whatever a command prints as JSON is valid under the schema of outputs, in every test that runs one."""
    form = arguments[arguments.index("-f") + 1] if "-f" in arguments[:-1] else ""
    if form == "json":
        output_validator("").validate(json.loads(out))
    elif form == "jsonl":
        for line in out.splitlines():
            output_validator("#/$defs/Line").validate(json.loads(line))


@cache
def output_validator(part: str) -> jsonschema_rs.Draft202012Validator:
    """What is printed with ``-f json``, or the part of it that is a line of ``-f jsonl``."""
    output = plain(VECTORS.parent / "schemas" / "command-output.schema.json")
    files = [output, *map(schema_of, ("common", "regime-report"))]
    registry = jsonschema_rs.Registry([(each["$id"], each) for each in files])
    return jsonschema_rs.Draft202012Validator({"$ref": f"{output['$id']}{part}"}, registry=registry)
