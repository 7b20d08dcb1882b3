"""The main job on real documents: which of these receipts hold, and why do the others not?

    python3 scripts/demo.py               sets everything up, then runs this
    python scripts/receipts_demo.py       where reward-receipts is installed

Ends with 0 only if everything came out as this says it must.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import reward_receipts as rr
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

VECTORS = Path(__file__).resolve().parent.parent / "conformance" / "vectors"
TABLE_WIDTH = 160  # what the table needs; a narrower terminal gets a few lines for each receipt instead
PLAIN_WIDTH = 1000  # where there is no terminal: no cell is ever wrapped


@dataclass(frozen=True)
class Judgement:
    """A receipt and everything that can be said of it with its contract, its certificate and a key in hand."""

    receipt: rr.RewardEvidenceReceiptV1
    report: rr.AuditReport
    signature: rr.SignatureVerdict
    why_not: str
    """The codes of what speaks against the receipt; where nothing does, of why it is not certified (synthetic)."""


class Demo:
    """Prints what it finds, and remembers what did not come out as it must."""

    def __init__(self, vectors: Path, console: Console) -> None:
        self.vectors = vectors
        self.console = console
        self.unexpected: list[str] = []

    def run(self) -> int:
        """The whole demo; 0 where everything came out as it must, else 1."""
        self.field_receipts()
        self.placeholder_signatures()
        self.own_receipt()
        for line in self.unexpected:
            print(f"Not as it must be: {line}", file=sys.stderr)
        self.say("")
        self.say("Everything came out as it must." if not self.unexpected else "Something did not come out as it must.")
        return 1 if self.unexpected else 0

    def field_receipts(self) -> None:
        """Somebody was handed receipts, with the contract, the certificate and the issuer's public key."""
        folder = self.vectors / "openadapt"
        contract = rr.RewardContractV1.model_validate_json((folder / "contract.json").read_bytes())
        certificate = rr.RewardCertificateV1.model_validate_json((folder / "certificate.json").read_bytes())
        key = (folder / "public_key.txt").read_text().strip()

        self.heading("1. Signed receipts from the field: text, schema, rules, digest, signature, audit")
        self.say(f"contract     {contract.contract_id}  {contract.digest}")
        self.say(f"certificate  {certificate.certificate_id}  {certificate.digest}")
        first, end = certificate.issued_at_policy_update, certificate.expires_at_policy_update
        self.say(
            f"             {certificate.calibration_scope}, self-signed, signature {rr.verify(certificate, key)}; "
            f"P(false accept) <= {certificate.epsilon} at confidence 1 - {certificate.delta}; "
            f"for policy updates {first} to {end - 1}"
        )
        self.say("")
        values = rr.read_json((folder / "receipts.json").read_bytes())
        judgements = []
        for number, value in enumerate(values, start=1):
            try:
                receipt = rr.RewardEvidenceReceiptV1.model_validate(value)
            except ValidationError as error:
                codes = ", ".join(detail["type"] for detail in error.errors())
                self.expect(False, f"receipt {number} of {len(values)} is refused: {codes}")
                continue
            judgements.append(judge(receipt, contract, certificate, key))
            verdict = judgements[-1].report.verdict
            self.expect(bool(verdict), f"receipt {number}, {receipt.receipt_id}, {verdict}: {judgements[-1].why_not}")
        self.show(judgements)
        self.say("")
        verdicts = Counter(judgement.report.verdict.value for judgement in judgements)
        certified = sum(judgement.receipt.certified for judgement in judgements)
        unscored = sum(judgement.receipt.scalar_reward is None for judgement in judgements)
        self.say(
            f"{len(values)} receipts: {verdicts['holds']} hold, {verdicts['fails']} fail, "
            f"{verdicts['undecided']} undecided, {len(values) - len(judgements)} refused. "
            f"{certified} certified (synthetic), {len(judgements) - certified} not. "
            f"{unscored} unscored, which is no reward at all and never 0.0."
        )
        self.expect(len(values) > 0, "there are no receipts")

    def placeholder_signatures(self) -> None:
        """Documents that are right in everything but the signature, which is a placeholder."""
        folder = self.vectors / "worked"
        contract = rr.RewardContractV1.model_validate_json((folder / "contract_as_authored.json").read_bytes())
        certificate = rr.RewardCertificateV1.model_validate_json((folder / "certificate.json").read_bytes())
        receipt = rr.RewardEvidenceReceiptV1.model_validate_json((folder / "receipt.json").read_bytes())
        published = rr.read_json((folder / "EXPECTED.json").read_bytes())
        key = (self.vectors / "openadapt" / "public_key.txt").read_text().strip()

        self.heading("2. Documents whose signatures are placeholders: all else is right, and they must not verify")
        for name, document in (("contract", contract), ("certificate", certificate), ("receipt", receipt)):
            same = document.digest == published[f"{name}_digest"]
            self.say(f"{name:12} {document.digest}  {'as published' if same else 'NOT as published'}")
            self.expect(same, f"the digest of the worked {name} is not the published one")
        judgement = judge(receipt, contract, certificate, key)
        self.show([judgement])
        for finding in judgement.report.findings:
            self.say(f"{finding.code}: {finding.sentence}")
        codes = {finding.code for finding in judgement.report.findings}
        wanted = {"signature-invalid", "certificate-signature-invalid"}
        self.expect(codes == wanted, f"the worked receipt was refused for {sorted(codes)}, not for {sorted(wanted)}")

    def own_receipt(self) -> None:
        """Issues and signs a receipt, verifies it, changes it byte by byte. The private key stays in memory."""
        folder = self.vectors / "openadapt"
        contract = rr.RewardContractV1.model_validate_json((folder / "contract.json").read_bytes())
        certificate = rr.RewardCertificateV1.model_validate_json((folder / "certificate.json").read_bytes())
        signing_key = rr.SigningKey.generate("key.demo.0001")
        keys = {
            certificate.issuer_key_id: (folder / "public_key.txt").read_text().strip(),
            signing_key.key_id: signing_key.public_key,
        }
        self.heading("3. A receipt of our own: issued, signed, verified, then changed by one byte")
        receipt = rr.issue_receipt(
            contract=contract,
            certificate=certificate,
            outcome="verified",
            tier=contract.oracle.tier,
            policy_update=7,
            policy_checkpoint_id="policy.checkpoint.demo",
            episode_id="episode.demo.0001",
            evidence_digest="sha256:" + "e" * 64,
            reward_components={"terminal_effect": 1.0},
            signing_key=signing_key,
        )
        judgement = judge(receipt, contract, certificate, keys)
        self.show([judgement])
        self.expect(bool(judgement.report.verdict), f"our own receipt {judgement.report.verdict}")

        text = rr.canonical_json_bytes(receipt)
        for before, after, layer in CHANGES:
            tampered = text.replace(before, after, 1)
            refusal = refused(tampered, keys) or Refusal("nothing", "", "it was taken for valid")
            self.say(f"{before.decode()} -> {after.decode()}")
            self.say(f"    refused by {refusal.layer}: {refusal.code} {refusal.sentence}")
            self.expect(tampered != text and refusal.layer == layer, f"{before!r}: {refusal.layer}, not {layer}")

        layers = Counter(
            getattr(refused(text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :], keys), "layer", "nothing")
            for place in range(len(text))
        )
        counted = ", ".join(f"{count} by {layer}" for layer, count in sorted(layers.items()))
        self.say(f"Each of its {len(text)} bytes changed in turn: refused {counted}.")
        self.expect(layers["nothing"] == 0, f"{layers['nothing']} changed texts were taken for valid")

    def heading(self, line: str) -> None:
        """A line over what follows."""
        self.console.print()
        self.console.print(line, style="bold")

    def say(self, line: str) -> None:
        """A line as it is."""
        self.console.print(line, soft_wrap=True)

    def show(self, judgements: list[Judgement]) -> None:
        """Receipts as a table, one line each; in a narrow terminal as a few lines each."""
        if self.console.width < TABLE_WIDTH:
            for judgement in judgements:
                receipt, tier, outcome, scalar, certified, signature, verdict, why_not = row(judgement)
                self.console.print(receipt, verdict, "signature", signature, soft_wrap=True)
                self.say(f"    tier {tier}  {outcome}  {scalar}")
                self.say(f"    certified (synthetic) {certified}" + (f"  why not: {why_not}" if why_not else ""))
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("receipt", "tier", "outcome", "scalar", "certified (synthetic)", "signature", "verdict"):
            right = title in ("tier", "scalar")
            table.add_column(title, justify="right" if right else "left", max_width=11 if "(" in title else None)
        table.add_column("why not")
        for judgement in judgements:
            table.add_row(*row(judgement))
        self.console.print(table)

    def expect(self, held: bool, otherwise: str) -> None:
        """Remembers what did not come out as it must."""
        if not held:
            self.unexpected.append(otherwise)


# What is changed in our own receipt, and which layer must refuse it. Each differs in one byte.
CHANGES = (
    (b'{"', b"{#", "text"),
    (b"sha256:ee", b"sha257:ee", "schema"),
    (b'"oracle_tier":2', b'"oracle_tier":0', "rules"),
    (b'"scalar_reward":1.0', b'"scalar_reward":9.0', "signature"),
    (b"episode.demo.0001", b"episode.demo.0002", "signature"),
)


@dataclass(frozen=True)
class Refusal:
    """Why a text was refused: the first thing that is wrong with it."""

    layer: str
    """text, schema, rules or signature."""
    code: str
    sentence: str


def refused(text: bytes, keys: dict[str, str]) -> Refusal | None:
    """Why a receipt's text is refused; None where it is a receipt with a valid signature."""
    try:
        receipt = rr.read_document(text, "receipt")
    except rr.InvalidDocument as error:
        first = error.findings[0]
        layer = {"json": "text", "schema": "schema"}.get(first.code.partition(".")[0], "rules")
        return Refusal(layer, first.code, first.sentence)
    verdict = rr.verify(receipt, keys)
    if verdict:
        return None
    return Refusal("signature", verdict.value, f"under the key held as {receipt.issuer_key_id}")


def judge(
    receipt: rr.RewardEvidenceReceiptV1,
    contract: rr.RewardContractV1,
    certificate: rr.RewardCertificateV1,
    key: str | dict[str, str],
) -> Judgement:
    """Audits one receipt. One that refers to no certificate is not held against one."""
    report = rr.audit(receipt, contract, certificate, keyring=key)
    against = [finding.code for finding in (*report.findings, *report.unchecked)]
    if not against and not receipt.certified:
        presented = None if receipt.certificate_digest is None else certificate
        against = [refusal.code for refusal in receipt.certification_refusals(contract, presented)]
    return Judgement(receipt, report, rr.verify(receipt, key), ", ".join(against))


def row(judgement: Judgement) -> tuple[str | Text, ...]:
    """The cells of one receipt."""
    receipt, verdict = judgement.receipt, judgement.report.verdict
    return (
        receipt.receipt_id,
        str(int(receipt.oracle_tier)),
        receipt.reward_outcome.value,
        "unscored" if receipt.scalar_reward is None else str(receipt.scalar_reward),
        "yes" if receipt.certified else "no",
        Text(judgement.signature.value, "green" if judgement.signature else "red"),
        Text(verdict.value, "green" if verdict else "red"),
        judgement.why_not,
    )


def main(arguments: list[str]) -> int:
    """Runs the demo on the documents of the repository, or on those of another folder laid out like it."""
    console = Console(emoji=False, highlight=False, markup=False)
    if not console.is_terminal:  # plain text
        console = Console(emoji=False, highlight=False, markup=False, width=PLAIN_WIDTH, color_system=None)
    try:
        return Demo(Path(arguments[0]) if arguments else VECTORS, console).run()
    except (OSError, ValueError) as error:  # a document that the rest needs is not there, or is refused
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
