"""The files under ``schemas/``, by name.

The generator uses this module, so it imports nothing that is generated.
"""

from __future__ import annotations

import json
import pkgutil
from typing import Any, Final

SCHEMA_FILES: Final = {
    "common": "common.schema.json",
    "contract": "reward-contract.schema.json",
    "certificate": "reward-certificate.schema.json",
    "receipt": "reward-evidence-receipt.schema.json",
    "document": "reward-documents.schema.json",
    "spec": "reward-spec.schema.json",
    "trace-row": "reward-trace-row.schema.json",
    "regime-report": "regime-report.schema.json",
}
"""The schema files by short name; ``document`` is the umbrella over contract, certificate and receipt."""

MANIFEST_FILE: Final = "run-manifest.schema.json"
"""The schema of the manifest beside a trace: a file of one program, not a document that others have to read."""

TRIAL_FILE: Final = "calibration-trial.schema.json"
"""The schema of one trial of a calibration: a row that only the program that measures a checker reads."""

LEDGER_HEAD_FILE: Final = "ledger-head.schema.json"
"""The schema of the signed head of a ledger: a file that ``reward-receipts ledger`` writes and reads."""

TRUST_POLICY_FILE: Final = "trust-policy.schema.json"
"""The schema of a trust policy: what one reader asks of receipts, which others need not read."""

EXPERIMENT_FILE: Final = "experiment.schema.json"
"""The schema of an experiment: its members are arguments of other programs, which may be any JSON."""

POLICY_FILE: Final = "policy-manifest.schema.json"
"""The schema of what a policy was trained on, which has a whole experiment in it."""

KEYRING_FILE: Final = "keyring.schema.json"
PRIVATE_KEY_FILE: Final = "private-key.schema.json"
"""The schemas of key files, which are not documents either."""

CODES_FILE: Final = "codes.json"
TABLES_FILE: Final = "tables.json"


def read_schema_file(name: str) -> Any:
    """The parsed content of a file under ``schemas/``. A fresh copy at each call."""
    data = pkgutil.get_data("reward_receipts.schemas", name)
    if data is None:  # only a broken installation gets here
        raise FileNotFoundError(f"reward_receipts.schemas lacks {name}")
    return json.loads(data)
