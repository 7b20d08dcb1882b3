"""The gate under schemathesis: requests that its OpenAPI document describes, and many that it does not.

``SCHEMATHESIS`` names the virtual environment that schemathesis is installed in.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from field import Bench
from gate_process import running
from many_receipts import signed_texts
from reward_receipts.ledger import Ledger

BENCH = Bench()


def test_every_answer_is_one_that_the_document_describes(tmp_path: Path, figure: Callable[[str], None]) -> None:
    environment = os.environ.get("SCHEMATHESIS")
    assert environment, "SCHEMATHESIS has to name the environment of schemathesis: tox -e attack"
    examples = [json.loads(text) for text in signed_texts(BENCH.receipt(), BENCH.key, map(str, range(100, 103)))]
    with running(tmp_path, BENCH, ["--no-access-log", "--body-seconds", "2"]) as gate:
        base = f"http://127.0.0.1:{gate.port}"
        with urllib.request.urlopen(f"{base}/openapi.json", timeout=60) as answer:
            document = json.load(answer)
        path = tmp_path / "openapi.json"
        path.write_text(json.dumps(with_examples(document, examples)))
        command = [str(Path(environment) / "bin" / "schemathesis"), "run", str(path), "--url", base, "--no-color"]
        # A receipt of the right shape is not admitted unless somebody signed it: 422 for it is right.
        command += ["--exclude-checks", "positive_data_acceptance", "--suppress-health-check", "all"]
        command += ["--max-examples", "200", "--seed", "1"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1200)
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
        found = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
        assert found is not None, done.stdout[-3000:]
        assert found[1] == found[2]
        assert int(found[1]) > 500
        gate.stop()
    log = "".join(gate.log)
    assert "Traceback" not in log
    assert "ERROR" not in log
    with Ledger.open(tmp_path / "receipts.ledger", read_only=True) as ledger:
        assert ledger.check() == ()
        assert {record.receipt_id for record in ledger.chain()} == {each["receipt_id"] for each in examples}
    figure(f"schemathesis: {found[0]}")


def with_examples(document: Any, examples: list[Any]) -> Any:
    """The document with receipts that can be admitted, and without the rules beyond shape: no generator meets them."""
    del document["components"]["schemas"]["RewardEvidenceReceiptV1"]["allOf"]
    content = document["paths"]["/receipts"]["post"]["requestBody"]["content"]
    content["application/json"]["examples"] = {
        f"example{at}": {"value": example} for at, example in enumerate(examples)
    }
    (parameter,) = document["paths"]["/receipts/{receipt_id}"]["get"]["parameters"]
    parameter["examples"] = {"admitted": {"value": examples[0]["receipt_id"]}}
    return document
