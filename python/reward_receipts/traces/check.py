"""Whether a trace is whole: each row, the rows among each other, and the file against its manifest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .formats import trace_name
from .manifest import ManifestRefused, file_digest, manifest_path, traces_of
from .read import trace_entries
from .summary import TraceSummary

_MOST_FINDINGS = 1000


@dataclass
class TraceCheck:
    """What a check of a trace found."""

    rows: int = 0
    episodes: int = 0
    findings: list[str] = field(default_factory=list)
    """Each thing that is wrong, with its place; at most 1,000, and ``left_out`` counts the others."""
    left_out: int = 0
    manifest: str | None = None
    """The manifest that it was checked against; None if there is none."""

    def add(self, finding: str) -> None:
        """Notes something that is wrong."""
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(finding)
        else:
            self.left_out += 1

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "rows": self.rows,
            "episodes": self.episodes,
            "manifest": self.manifest,
            "findings": self.findings,
            "left_out": self.left_out,
        }


def check_trace(trace: str | os.PathLike[str]) -> TraceCheck:
    """Checks every row of a trace, alone and after the rows before it, and the file against the manifest beside it.

    Found are rows that are not valid, of another spec, out of order or twice, rewards that are not the sum of their
    terms, and a file whose digest, steps or episodes are not those of the manifest. Raises Unread.
    """
    name = os.fspath(trace)
    found = TraceCheck()
    manifest = _manifest(name, found)
    try:
        summary = TraceSummary(manifest)
    except ManifestRefused as error:
        found.add(f"{found.manifest}: {error}")
        summary = TraceSummary()
    for entry in trace_entries(name):
        found.rows += 1
        findings = entry.findings
        if entry.row is not None:
            found.episodes += bool(entry.row["terminated"] or entry.row["truncated"])
            findings = entry.placed(summary.add(entry.row))
        for finding in findings:
            found.add(f"{name}:{finding}")
    if manifest is not None:
        for problem in _against(name, manifest, found):
            found.add(f"{name}: {problem}")
    return found


def _manifest(name: str, found: TraceCheck) -> dict[str, Any] | None:
    for path in (manifest_path(Path(name)), manifest_path(Path(trace_name(name)))):
        if path.is_file():
            found.manifest = str(path)
            try:
                said = json.loads(path.read_bytes())
                if isinstance(said, dict):
                    return said
                found.add(f"{path}: it is not a JSON object")
            except (ValueError, RecursionError) as error:
                found.add(f"{path}: it is not JSON: {error}")
            return None
    return None


def _against(name: str, manifest: dict[str, Any], found: TraceCheck) -> Iterator[str]:
    own = trace_name(os.path.basename(name))
    known = traces_of(manifest)
    if own not in known:
        yield f"{found.manifest} does not name it; it names {', '.join(known) or 'no trace'}"
        return
    if (expected := known[own]) is not None and (digest := file_digest(name)) != expected:
        yield f"its digest is {digest}; the manifest has {expected}"
    run = manifest.get("run")
    if isinstance(run, dict) and run.get("finished") is True:
        for what, count in (("steps", found.rows), ("episodes", found.episodes)):
            if run.get(what) != count:
                yield f"it has {count} {what}; the manifest counts {run.get(what)}"
