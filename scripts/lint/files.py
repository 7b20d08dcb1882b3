"""The files of schemas/ are those that the package reads, and valid against the metaschema of their draft."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs
from reward_receipts.core.pointer import Path
from reward_receipts.core.schema_files import (
    EXPERIMENT_FILE,
    KEYRING_FILE,
    LEDGER_HEAD_FILE,
    MANIFEST_FILE,
    POLICY_FILE,
    PRIVATE_KEY_FILE,
    TRIAL_FILE,
    TRUST_POLICY_FILE,
)

from lint.places import CODES, SCHEMA_FILES, TABLES, Findings, Spot

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def of_files(files: dict[str, Any]) -> Findings:
    """The files are those that the package reads, and each is valid against its metaschema."""
    expected = {
        *SCHEMA_FILES.values(),
        EXPERIMENT_FILE,
        MANIFEST_FILE,
        POLICY_FILE,
        LEDGER_HEAD_FILE,
        KEYRING_FILE,
        PRIVATE_KEY_FILE,
        TRIAL_FILE,
        TRUST_POLICY_FILE,
        CODES,
        TABLES,
    }
    for file in sorted(expected - files.keys()):
        yield Spot(file, (), None).says("is missing, and the package reads it; add it.")
    for file, content in files.items():
        root = Spot(file, (), content)
        if file not in expected:
            yield root.says("is not read by anything; enter it in core/schema_files.py, or remove it.")
        elif file in (CODES, TABLES):
            continue
        elif not isinstance(content, dict) or content.get("$schema") != DRAFT:
            yield root.says(f"is not a schema of draft 2020-12; give it $schema {DRAFT}.")
        else:
            for path, message in _against_metaschema(json.dumps(content)):
                yield Spot(file, path, None).says(f"breaks the metaschema of draft 2020-12: {message}.")


@cache
def _against_metaschema(text: str) -> tuple[tuple[Path, str], ...]:
    """Where a schema breaks its metaschema, according to two engines. Slow, so the answer for a text is kept."""
    schema = json.loads(text)
    metaschema = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    found: dict[Path, str] = {tuple(error.absolute_path): error.message for error in metaschema.iter_errors(schema)}
    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        found.setdefault(tuple(error.instance_path), error.message)
    return tuple(found.items())
