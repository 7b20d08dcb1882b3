"""The main job on real documents: a story of 21 episodes that two checkers read, then the receipts, one by one.

    python3 scripts/demo.py               sets everything up, then runs this
    python scripts/receipts_demo.py       where reward-receipts is installed

Exits with 0 only if every receipt and every refusal is as expected.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import reward_receipts as rr
from pydantic import ValidationError
from reward_receipts.calibration import CalibrationRefused, Trials, certify, measure, recheck
from rich.console import Console
from rich.table import Table
from rich.text import Text

VECTORS = Path(__file__).resolve().parent.parent / "conformance" / "vectors"
TABLE_WIDTH = 160  # what the table needs; a narrower terminal gets a few lines for each receipt instead
PLAIN_WIDTH = 1000  # where there is no terminal: no cell is ever wrapped


STORY_WIDTH = 78  # the table of the story fits any terminal

WHAT_HAPPENED = {
    "control": "saved the record, as asked",
    "claim": "only claimed to have saved it",
    "unsubmit": "filled the form, never submitted it",
    "omit": "left a part of the record out",
    "dup": "saved the record twice",
    "extra": "saved another record too",
    "oracle_outage": "(the database could not be read)",
}
"""The kinds of episodes in the receipts that openadapt-evals made, as their ids name them."""


@dataclass(frozen=True)
class Payments:
    """The payments of one checker for some episodes. Unscored ones are counted apart; they are not a payment of 0."""

    episodes: int = 0
    positive: int = 0
    certified: int = 0
    unscored: int = 0
    total: float = 0.0

    def __add__(self, other: Payments) -> Payments:
        return Payments(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def paid(self) -> str:
        """The sum of what was paid, or that nothing was scored."""
        return "unscored" if self.unscored == self.episodes else f"{self.total:.1f}"


class Readings:
    """The payments of the screen checker (tiers 0 and 1) and of the record checker for episodes of one kind."""

    def __init__(self) -> None:
        self.screen = Payments()
        self.record = Payments()

    def add(self, receipt: rr.RewardEvidenceReceiptV1) -> None:
        """Counts one receipt."""
        scalar = receipt.scalar_reward
        paid = (
            Payments(1, certified=int(receipt.certified), unscored=1)
            if scalar is None
            else Payments(1, positive=int(scalar > 0), certified=int(receipt.certified), total=scalar)
        )
        if receipt.development_only:
            self.screen += paid
        else:
            self.record += paid


@dataclass(frozen=True)
class Judgement:
    """A receipt and everything that can be reported of it with its contract, its certificate and a key in hand."""

    receipt: rr.RewardEvidenceReceiptV1
    report: rr.AuditReport
    signature: rr.SignatureVerdict
    why_not: str
    """The codes of what speaks against the receipt; where nothing does, of why it is not certified (synthetic)."""


class Demo:
    """Prints what it finds, and remembers what is not as expected."""

    def __init__(self, vectors: Path, console: Console) -> None:
        self.vectors = vectors
        self.console = console
        self.unexpected: list[str] = []

    def run(self) -> int:
        """The whole demo; 0 if everything is as expected, else 1."""
        self.field_receipts()
        self.placeholder_signatures()
        self.own_receipt()
        self.own_certificate()
        for line in self.unexpected:
            print(f"Not as expected: {line}", file=sys.stderr)
        self.say("")
        self.say("Everything is as expected." if not self.unexpected else "Something is not as expected.")
        return 1 if self.unexpected else 0

    def field_receipts(self) -> None:
        """Signed receipts from the field, with their contract, their certificate and the issuer's public key."""
        folder = self.vectors / "openadapt"
        contract = rr.RewardContractV1.model_validate_json((folder / "contract.json").read_bytes())
        certificate = rr.RewardCertificateV1.model_validate_json((folder / "certificate.json").read_bytes())
        key = (folder / "public_key.txt").read_text().strip()
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
        self.expect(len(values) > 0, "there are no receipts")
        self.story(judgement.receipt for judgement in judgements)

        self.heading("2. The same receipts, one by one: text, schema, rules, digest, signature, audit")
        self.say(f"contract     {contract.contract_id}\n             {contract.digest}")
        self.say(f"certificate  {certificate.certificate_id}\n             {certificate.digest}")
        first, end = certificate.issued_at_policy_update, certificate.expires_at_policy_update
        self.say(
            f"             {certificate.calibration_scope}, self-signed, signature {rr.verify(certificate, key)}\n"
            f"             P(false accept) <= {certificate.epsilon} at confidence 1 - {certificate.delta}\n"
            f"             for policy updates {first} to {end - 1}"
        )
        self.say("")
        self.show(judgements)
        self.say("")
        verdicts = Counter(judgement.report.verdict.value for judgement in judgements)
        certified = sum(judgement.receipt.certified for judgement in judgements)
        unscored = sum(judgement.receipt.scalar_reward is None for judgement in judgements)
        self.say(
            f"{len(values)} receipts: {verdicts['holds']} hold, {verdicts['fails']} fail, "
            f"{verdicts['undecided']} undecided, {len(values) - len(judgements)} refused. "
            f"{certified} certified (synthetic), {len(judgements) - certified} not. "
            f"{unscored} unscored, which is not a reward and never 0.0."
        )

    def story(self, receipts: Iterable[rr.RewardEvidenceReceiptV1]) -> None:
        """The payments of each checker for the same episodes, by what the policy did in them."""
        readings: defaultdict[str, Readings] = defaultdict(Readings)
        for receipt in receipts:
            readings[receipt.episode_id.split(".")[1]].add(receipt)
        self.heading("1. What a checker's error costs: the same episodes, read by two checkers")
        self.say(
            "A policy had to save one record in a clinic's form. One checker believed the\n"
            "screen; the other read the record itself from the database. Each signed a\n"
            "receipt for each episode. This is what they paid:"
        )
        self.say("")
        table = Table(box=None, pad_edge=False, header_style="bold", width=STORY_WIDTH)
        table.add_column("what the policy did")
        for title in ("episodes", "screen pays", "record pays"):
            table.add_column(title, justify="right")
        order = {kind: place for place, kind in enumerate(WHAT_HAPPENED)}
        for kind, read in sorted(readings.items(), key=lambda entry: order.get(entry[0], len(order))):
            table.add_row(
                WHAT_HAPPENED.get(kind, kind), str(read.record.episodes), read.screen.paid(), read.record.paid()
            )
        screen = sum((read.screen for read in readings.values()), Payments())
        record = sum((read.record for read in readings.values()), Payments())
        table.add_row("all", str(record.episodes), screen.paid(), record.paid(), style="bold")
        self.console.print(table)
        self.say("")
        wrong = record.episodes - record.positive - record.unscored
        self.say(
            f"The screen paid {screen.positive} episodes; {wrong} of them left the wrong record, and "
            f"{record.unscored} left\none that nobody could read. A trainer without receipts cannot see that, and\n"
            "teaches the policy to look finished. With receipts it knows who read what:\n"
            f"only the {record.certified} readings of the record are certified (synthetic), and the\n"
            f"{record.unscored} unscored episodes are dropped, never counted as 0.0."
        )
        self.expect(record.episodes == screen.episodes, "the two checkers did not read the same episodes")

    def placeholder_signatures(self) -> None:
        """Documents that are right in everything but the signature, which is a placeholder."""
        folder = self.vectors / "worked"
        contract = rr.RewardContractV1.model_validate_json((folder / "contract_as_authored.json").read_bytes())
        certificate = rr.RewardCertificateV1.model_validate_json((folder / "certificate.json").read_bytes())
        receipt = rr.RewardEvidenceReceiptV1.model_validate_json((folder / "receipt.json").read_bytes())
        published = rr.read_json((folder / "EXPECTED.json").read_bytes())
        key = (self.vectors / "openadapt" / "public_key.txt").read_text().strip()

        self.heading("3. Documents whose signatures are placeholders: all else is right, and they must not verify")
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
        self.heading("4. A receipt of our own: issued, signed, verified, then changed by one byte")
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
            certificate_keyring=keys,
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

    def own_certificate(self) -> None:
        """Two checkers are calibrated on labelled trials; the one whose bound is small enough gets a certificate."""
        self.heading("5. A certificate (synthetic) of our own: calibrate, certify, issue, audit")
        signing_key = rr.SigningKey.generate("key.demo.0002")
        plain = rr.read_json((self.vectors / "openadapt" / "contract.json").read_bytes())
        for name, accepts in CHECKERS.items():
            trials = Trials(labelled_trials(accepts))
            policy = {"epsilon": 0.05, "delta": 0.05, "threshold": 0.5, "expiry_policy_updates": 50}
            policy["calibration_corpus_digest"] = trials.digest
            contract = rr.RewardContractV1.model_validate({**plain, "certificate_policy": policy})
            found = measure(trials, delta=0.05)
            self.say(f"{name}: {found.false_accepts} of {found.trials} faults accepted")
            try:
                certificate = certify(
                    trials,
                    contract,
                    checker_configuration_digest="sha256:" + "c" * 64,
                    issued_at_policy_update=100,
                    signing_key=signing_key,
                )
            except CalibrationRefused as refusal:
                for sentence in refusal.refusals:
                    self.say(f"    no certificate: {sentence.code} {sentence}")
                self.expect(found.false_accepts == found.trials, f"{name} has no certificate: {refusal}")
                continue
            self.say(
                f"    certificate (synthetic): P(false accept) <= {certificate.epsilon:.7f} at confidence 1 - "
                f"{certificate.delta},\n    for policy updates 100 to {certificate.expires_at_policy_update - 1}"
            )
            self.expect(abs(certificate.epsilon - 0.0114123) < 1e-6, f"the bound of 0 in 261 is {certificate.epsilon}")
            self.expect(recheck(certificate, trials).holds, "the certificate is not what its trials give")
            receipt = rr.issue_receipt(
                contract=contract,
                certificate=certificate,
                outcome="verified",
                tier=contract.oracle.tier,
                policy_update=120,
                policy_checkpoint_id="policy.checkpoint.demo",
                episode_id="episode.demo.0003",
                evidence_digest="sha256:" + "e" * 64,
                reward_components={"terminal_effect": 1.0},
                signing_key=signing_key,
                certificate_keyring=signing_key.keyring,
            )
            judgement = judge(receipt, contract, certificate, {signing_key.key_id: signing_key.public_key})
            self.show([judgement])
            good = bool(judgement.report.verdict) and receipt.certified
            self.expect(good, f"the receipt on our own certificate {judgement.report.verdict}")

    def heading(self, line: str) -> None:
        """A line over what follows."""
        self.console.print()
        self.console.print(line, style="bold")

    def say(self, line: str) -> None:
        """A line as it is."""
        self.console.print(line, soft_wrap=not self.console.is_terminal)  # a file gets whole lines

    def show(self, judgements: list[Judgement]) -> None:
        """Receipts as a table, one line each; in a narrow terminal as a few lines each."""
        if self.console.width < TABLE_WIDTH:
            for judgement in judgements:
                receipt, tier, outcome, scalar, certified, signature, verdict, why_not = row(judgement)
                self.console.print(receipt, verdict, "signature", signature, soft_wrap=True)
                self.say(f"    tier {tier}  {outcome}  {scalar}")
                self.say(f"    claims certified (synthetic) {certified}" + (f"  why not: {why_not}" if why_not else ""))
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("receipt", "tier", "outcome", "scalar", "claims certified (synthetic)", "signature", "verdict"):
            right = title in ("tier", "scalar")
            table.add_column(title, justify="right" if right else "left", max_width=11 if "(" in title else None)
        table.add_column("why not")
        for judgement in judgements:
            table.add_row(*row(judgement))
        self.console.print(table)

    def expect(self, held: bool, otherwise: str) -> None:
        """Remembers what is not as expected."""
        if not held:
            self.unexpected.append(otherwise)


CHECKERS: dict[str, Callable[[str, str], bool]] = {
    "the screen": lambda screen, record: screen == "saved",
    "the record": lambda screen, record: record == "asked",
}
"""Two checkers: each is given what the screen says and what the record holds, and says whether to accept."""


def labelled_trials(accepts: Callable[[str, str], bool]) -> list[dict[str, Any]]:
    """261 scripted faults, which a checker should refuse, and 20 clean controls, with what the checker decided."""
    faults = ("duplicate", "extra", "omitted", "claimed", "wrong record")
    trials: list[dict[str, Any]] = []
    for number in range(261):
        fault = faults[number % len(faults)]
        label = {"trial_id": f"fault.{number:03}", "should_accept": False, "fault_class": fault}
        trials.append({**label, "accepted": accepts("saved", fault)})
    for number in range(20):
        trials.append(
            {"trial_id": f"control.{number:03}", "should_accept": True, "accepted": accepts("saved", "asked")}
        )
    return trials


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
    parser = argparse.ArgumentParser(
        prog="demo.py", description="Signed receipts: what they say, and which are genuine."
    )
    parser.add_argument("folder", nargs="?", type=Path, default=VECTORS, help="documents, as in conformance/vectors")
    folder: Path = parser.parse_args(arguments).folder
    console = Console(emoji=False, highlight=False, markup=False)
    if not console.is_terminal:  # plain text
        console = Console(emoji=False, highlight=False, markup=False, width=PLAIN_WIDTH, color_system=None)
    try:
        return Demo(folder, console).run()
    except (OSError, ValueError) as error:  # a document that the rest needs is not there, or is refused
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
