"""Answers a folder of given cases (an index.json, a folder a case) and compares with the answers that it states.

    python scripts/handed_cases.py FOLDER [--only ID]

Takes the ops bundle, validate, digest, canonical, verify, verify-keyset, score, recheck, python and jsonl, and those of
handed_rewards.py, which need the package's extra ``envs``. Prints a line for each case that is answered otherwise, and
the counts; exit 1 where there is one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import handed_rewards
import pydantic
import reward_receipts as rr

MODELS = {
    "contract": rr.RewardContractV1,
    "certificate": rr.RewardCertificateV1,
    "receipt": rr.RewardEvidenceReceiptV1,
}
Case = dict[str, Any]
Answer = Any


def read(folder: Path, kind: str) -> Any:
    """A document of a case, by way of the text boundary."""
    return rr.read_document((folder / f"{kind}.json").read_bytes(), kind)  # type: ignore[arg-type]


def validate(case: Case, folder: Path) -> Answer:
    kind = case["expected"]["type"]
    text = (folder / f"{kind}.json").read_bytes()
    try:
        rr.read_document(text, kind)
        boundary = "accept"
    except rr.InvalidDocument:
        boundary = "reject"
    try:
        MODELS[kind].model_validate_json(text)
        model = "accept"
    except pydantic.ValidationError:
        model = "reject"
    wanted = case["expected"]["verdict"]
    return boundary == model == wanted, f"boundary {boundary}, model {model}"


def digest(case: Case, folder: Path) -> Answer:
    document = read(folder, case["expected"]["type"])
    right = document.digest == case["expected"]["digest"]
    if "signature" in case["expected"]:
        verdict = rr.verify(document, case["expected"]["public_key_base64"])
        right = right and verdict == case["expected"]["signature"]
    return right, document.digest


def canonical(case: Case, folder: Path) -> Answer:
    try:
        got = rr.canonical_json_bytes(rr.read_json((folder / "input.json").read_bytes())).hex()
    except rr.InvalidText as error:
        return case["expected"].get("verdict") == "reject", str(error)
    return got == case["expected"].get("canonical_hex"), got


def verify(case: Case, folder: Path) -> Answer:
    kind = case["expected"]["type"]
    try:
        got = str(rr.verify(read(folder, kind), (folder / "public_key.b64").read_text()))
    except rr.KeyFormatError as error:
        return case["expected"]["signature"] == "error", f"error: {error}"
    return got == case["expected"]["signature"], got


def verify_keyset(case: Case, folder: Path) -> Answer:
    got = rr.verify(read(folder, "receipt"), rr.Keyring.from_file(folder / "keys.json"))
    return got == case["expected"]["signature"], str(got)


def score(case: Case, folder: Path) -> Answer:
    contract, certificate = read(folder, "contract"), read(folder, "certificate")
    answers = []
    for call in json.loads((folder / "calls.json").read_text()):
        update = float("nan") if call["policy_update"] == "NaN" else call["policy_update"]
        wanted = call["expect"]
        try:
            got = rr.score(call["outcome"], call["tier"], certificate, update, contract=contract)
        except ValueError as error:
            answers.append((wanted.get("raises") is True, str(error)))
            continue
        right = "raises" not in wanted
        right = right and wanted.get("certified", got.certified) == got.certified
        right = right and ("scalar" not in wanted or wanted["scalar"] == got.scalar)
        right = right and (not wanted.get("refusals_nonempty") or bool(got.certification_refusals))
        answers.append((right, str(got)))
    return all(right for right, _ in answers), [text for right, text in answers if not right]


def recheck(case: Case, folder: Path) -> Answer:
    receipt, contract = read(folder, "receipt"), read(folder, "contract")
    certificate = read(folder, "certificate") if (folder / "certificate.json").exists() else None
    refusals = receipt.certification_refusals(contract, certificate)
    report = rr.audit(receipt, contract, certificate)
    said = [f"{r.code} {r}" for r in refusals] + [f"{f.code} {f.sentence}" for f in report.findings]
    named = any(case["expected"]["should_name"] in text for text in said)
    return bool(said) is not case["expected"]["refusals_empty"] and named and not report.verdict, said


def python(case: Case, folder: Path) -> Answer:
    spec = importlib.util.spec_from_file_location("case", folder / "case.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    api = SimpleNamespace(
        Receipt=rr.RewardEvidenceReceiptV1,
        Contract=rr.RewardContractV1,
        Certificate=rr.RewardCertificateV1,
        Invalid=pydantic.ValidationError,
        score=rr.score,
        canonical=rr.canonical_json_bytes,
        digest=lambda document: document.digest,
        read=lambda name: (folder / name).read_text(),
    )
    wanted = case["expected"]
    try:
        got = module.run(api)
    except Exception as error:
        return wanted.get("raises") is True, repr(error)
    if "returns_one_of" in wanted:
        return got in wanted["returns_one_of"], got
    return "returns" in wanted and wanted["returns"] == got, got


def jsonl(case: Case, folder: Path) -> Answer:
    command = [str(Path(sys.executable).with_name("reward-receipts")), "lint", "--kind", "receipt", "-f", "jsonl"]
    file = folder / Path(case["files"][0]).name
    done = subprocess.run([*command, "--lines", str(file)], capture_output=True, text=True)
    wanted = case["expected"]
    if "Traceback" in done.stderr:
        return False, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    lines = [[r["line"], line_verdict(r)] for r in records if r.get("line") is not None]
    also = wanted.get("also_ok", {})
    if lines == wanted["lines"] or not wanted["lines"]:
        return (done.returncode == 0) == wanted["exit_zero"], (lines, done.returncode)
    if "refused" in also:
        return done.returncode != 0 and "gzip" in done.stdout + done.stderr, (lines, done.stderr)
    right = lines == also.get("lines") and also["message_contains"] in done.stdout and done.returncode == 1
    return right, (lines, done.returncode, done.stdout[:300])


def line_verdict(record: dict[str, Any]) -> str:
    codes = {finding["code"] for finding in record["findings"]}
    return "duplicate" if codes == {"duplicate"} else "invalid" if codes else "valid"


def bundle(case: Case, folder: Path) -> Answer:
    wanted = case["expected"]
    documents = {kind: read(folder, kind) for kind in MODELS}
    digests = all(documents[kind].digest == wanted[f"{kind}_digest"] for kind in MODELS)
    keys = json.loads((folder / "keys.json").read_text())
    keyring = {name: key["ed25519_public_base64"] for name, key in keys.items() if isinstance(key, dict)}
    contract, certificate, receipt = documents["contract"], documents["certificate"], documents["receipt"]
    signed = rr.verify(receipt, keyring) and rr.verify(certificate, keyring)
    refusals = receipt.certification_refusals(contract, certificate)
    held = rr.audit(receipt, contract, certificate, keyring=keyring).verdict
    return digests and bool(signed) and refusals == () and bool(held), str(held)


OPS: dict[str, Callable[[Case, Path], Answer]] = {
    "bundle": bundle,
    "validate": validate,
    "digest": digest,
    "canonical": canonical,
    "verify": verify,
    "verify-keyset": verify_keyset,
    "score": score,
    "recheck": recheck,
    "python": python,
    "jsonl": jsonl,
    **handed_rewards.OPS,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", metavar="ID")
    options = parser.parse_args()
    asked: Counter[str] = Counter()
    otherwise = 0
    for case in json.loads((options.folder / "index.json").read_text()):
        if case["op"] not in OPS or options.only not in (None, case["id"]):
            continue
        asked[case["op"]] += 1
        right, got = OPS[case["op"]](case, options.folder / case["id"])
        if not right:
            otherwise += 1
            print(f"{case['id']} {case['op']} ({case['kind']}): expected {case['expected']}, got {got}")
    print(", ".join(f"{count} {op}" for op, count in asked.items()))
    print(f"{asked.total()} cases, {otherwise} answered otherwise")
    return 1 if otherwise or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
