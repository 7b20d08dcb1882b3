"""Lints schemas/ and prose.

Schemas: every validator reads them alike, no generator drops a part of them, and they fit together. Prose: plain
English in comments, strings, names of tests and pages (``prose.HABITS``).

python scripts/lint      exit 0 if nothing is wrong, 1 with a line for each finding
"""

from __future__ import annotations

import sys
from typing import Any

from reward_receipts.core.findings import InvalidText
from reward_receipts.core.strict_json import read_json

from lint import places, prose
from lint.files import of_files
from lint.forms import of_forms, of_shapes
from lint.meaning import of_meaning
from lint.names import of_names
from lint.texts import of_texts

STAGES = (of_files, of_shapes, of_forms, of_texts, of_names, of_meaning)


def main() -> int:
    files, findings = {}, []
    for path in sorted(places.SCHEMAS.glob("*.json")):
        try:
            files[path.name] = read_json(path.read_bytes())
        except InvalidText as error:
            findings.append(f"schemas/{path.name}:{error.findings[0]}")
    findings = (findings or lint(files)) + list(prose.findings())
    for line in findings:
        print(line)
    print(f"{len(files)} files under schemas/, and all prose: {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


def lint(files: dict[str, Any]) -> list[str]:
    """What is wrong with the content of schemas/, given by file name.

    A line for each finding: ``schemas/FILE:/json/pointer``, what is wrong there, and what to write instead.
    Each stage relies on what the earlier ones have checked, and does not run if one of them found a fault.
    """
    for stage in STAGES:
        if findings := list(stage(files)):
            return findings
    return []
