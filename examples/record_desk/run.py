"""Calibrates checkers on one corpus of faults, trains a policy against each, and shows what their bounds are worth.

    python examples/record_desk/run.py --folder FOLDER [--episodes N] [--seeds N]

For each checker: 300 scripted faults (50 of each class) and 50 clean controls are calibrated, a certificate (synthetic)
is issued if the contract's policy is met, and a bandit is trained on the scalar rewards of signed receipts. Then the
last fifth of its episodes is read by the oracle, the file itself. Writes into FOLDER: trials and contract of each
checker, the certificates, receipts of each run, the keyring, summary.json, and summary.svg if Altair is installed.
Needs reward-receipts[calibration]; takes less than a minute on one core.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import reward_receipts as rr
from checkers import Checker, records
from desk import BUSY, FAULTS, SAVE, WAYS, Desk, Task
from reward_receipts.calibration import CalibrationRefused, Measurement, Trials, certify, measure

CHECKERS = (
    Checker("visual (the screen)", 0.0),
    *(Checker(f"screen, file in {share:.0%}", share) for share in (0.1, 0.2, 0.3, 0.4, 0.6, 0.8)),
    Checker("record (the file)", 1.0),
)
PER_CLASS = 50
EPSILON = DELTA = 0.05
RATE = 0.1
"""The learning rate of the bandit."""


def digest(value: bytes | str) -> str:
    data = value.encode() if isinstance(value, str) else value
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def trials_of(checker: Checker, desk: Desk) -> list[dict[str, Any]]:
    """What the checker says of scripted episodes, whose labels follow from the script and not from any checker."""
    source = random.Random(7)  # noqa: S311 - tasks, not keys
    trials = []
    for way in (*FAULTS, SAVE):
        for number in range(PER_CLASS):
            task = Task.drawn(source)
            trial_id = f"{way}.{number:04}"
            screen = desk.work(task, way)
            verdict = checker.check(trial_id, task, screen, desk.path)
            label = {"should_accept": True} if way == SAVE else {"should_accept": False, "fault_class": way}
            trials.append({"trial_id": trial_id, **label, "accepted": verdict.accepted})
    return trials


def contract_of(checker: Checker, corpus: str) -> rr.RewardContractV1:
    """A contract that rewards what this checker accepts, with a policy for its certificate (synthetic)."""
    return rr.RewardContractV1.model_validate({
        "contract_id": "contract.record-desk",
        "contract_version": f"contract.record-desk.{checker.file_share}",
        "task_id": "task.record-desk",
        "task_digest": digest("save the record, once, and nothing else"),
        "environment_id": "environment.record-desk",
        "environment_digest": digest("record desk"),
        "required_effect_contract_digest": digest("the record is in the file"),
        "forbidden_effect_contract_digest": digest("nothing else is in the file"),
        "oracle": {"channel": checker.channel, "identity_keys": ["person_id"],
                   "oracle_contract_digest": digest(json.dumps(checker.configuration))},
        "components": [{"name": "terminal_effect", "weight": 1.0}],
        "certificate_policy": {"epsilon": EPSILON, "delta": DELTA, "threshold": 0.5,
                               "calibration_corpus_digest": corpus, "expiry_policy_updates": 1_000_000},
    })  # fmt: skip


def calibrated(
    checker: Checker, desk: Desk, key: rr.SigningKey, folder: Path
) -> tuple[rr.RewardContractV1, Measurement, rr.RewardCertificateV1 | None, str]:
    """The contract, the bound, and the certificate or why there is none."""
    rows = trials_of(checker, desk)
    name = f"{checker.file_share:.1f}"
    (folder / f"trials-{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    trials = Trials(rows)
    contract = contract_of(checker, trials.digest)
    (folder / f"contract-{name}.json").write_bytes(rr.canonical_json_bytes(contract))
    found = measure(trials, delta=DELTA)
    try:
        certificate = certify(
            trials,
            contract,
            checker_configuration_digest=digest(rr.canonical_json_bytes(checker.configuration)),
            issued_at_policy_update=0,
            signing_key=key,
        )
    except CalibrationRefused as error:
        return contract, found, None, ", ".join(each.code.partition(".")[2] for each in error.refusals)
    (folder / f"certificate-{name}.json").write_bytes(rr.canonical_json_bytes(certificate))
    return contract, found, certificate, ""


class Bandit:
    """A softmax over the ways of working, trained by the policy gradient against the mean reward so far."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self._preferences = [0.0] * len(WAYS)
        self._mean = 0.0
        self._steps = 0

    def shares(self) -> list[float]:
        powers = [math.exp(preference - max(self._preferences)) for preference in self._preferences]
        return [power / sum(powers) for power in powers]

    def choose(self) -> str:
        return self._source.choices(WAYS, self.shares())[0]

    def learn(self, way: str, reward: float) -> None:
        self._steps += 1
        self._mean += (reward - self._mean) / self._steps
        for index, share in enumerate(self.shares()):
            self._preferences[index] += RATE * (reward - self._mean) * ((WAYS[index] == way) - share)


def trained(
    checker: Checker, desk: Desk, issuer: rr.Issuer, seed: int, episodes: int
) -> Iterator[tuple[bool, rr.RewardEvidenceReceiptV1]]:
    """Trains a policy on what the checker pays. Gives whether each episode left the file wrong, and its receipt."""
    source = random.Random(seed)  # noqa: S311 - tasks, not keys
    policy = Bandit(source)
    for number in range(episodes):
        task, way, busy = Task.drawn(source), policy.choose(), source.random() < BUSY
        episode_id = f"episode.{seed}.{number:06}"
        screen = desk.work(task, way, busy=busy)
        verdict = checker.check(episode_id, task, screen, desk.path)
        receipt = issuer.issue(
            rr.Episode(
                episode_id=episode_id,
                outcome=verdict.outcome,
                tier=verdict.tier,
                policy_update=number,
                policy_checkpoint_id=f"checkpoint.{seed}.{number}",
                evidence_digest=digest(verdict.evidence),
                reward_components={"terminal_effect": float(verdict.accepted)},
            )
        )
        if receipt.scalar_reward is not None:  # an unscored episode teaches nothing
            policy.learn(way, receipt.scalar_reward)
        # A policy that was asked to come back did nothing wrong.
        right = records(desk.path) == [task.row] or (way == SAVE and busy)
        yield not right, receipt


def summary(folder: Path, episodes: int, seeds: int) -> list[dict[str, Any]]:
    """One row for each checker."""
    rows = []
    key = rr.SigningKey.generate("key.record-desk")
    key.keyring.write(folder / "keyring.json")  # the private key stays in memory
    desk = Desk(folder / "desk.sqlite")
    for checker in CHECKERS:
        contract, found, certificate, why_not = calibrated(checker, desk, key, folder)
        wrong, paid_wrong, certified, counted, failed = 0, 0, 0, 0, 0
        for seed in range(seeds):
            path = folder / f"receipts-{checker.file_share:.1f}-{seed}.jsonl"
            with rr.Issuer(contract, certificate, key, path=path) as issuer:
                for number, (is_wrong, receipt) in enumerate(trained(checker, desk, issuer, seed, episodes)):
                    if number >= episodes - episodes // 5:
                        counted += 1
                        wrong += is_wrong
                        paid_wrong += is_wrong and (receipt.scalar_reward or 0) > 0
                        certified += receipt.certified
                        failed += not rr.audit(receipt, contract, certificate, keyring=key.keyring).verdict
        rows.append({
            "checker": checker.name,
            "file_share": checker.file_share,
            "false_accepts": found.false_accepts,
            "trials": found.trials,
            "bound_synthetic": found.epsilon,
            "certificate_synthetic": certificate is not None,
            "why_not": why_not,
            "wrong_action_rate": wrong / counted,
            "paid_wrong_rate": paid_wrong / counted,
            "certified_synthetic_rate": certified / counted,
            "audits_that_fail": failed,
        })  # fmt: skip
    desk.close()
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [
        f"{'checker':<22}{'false accepts':>14}{'bound':>9}  {'certificate':<12}{'wrong actions':>14}{'paid wrong':>12}"
    ]
    for row in rows:
        accepted = f"{row['false_accepts']} of {row['trials']}"
        lines.append(
            f"{row['checker']:<22}{accepted:>14}{row['bound_synthetic']:>9.4f}"
            f"  {'yes' if row['certificate_synthetic'] else 'no':<12}"
            f"{row['wrong_action_rate']:>14.1%}{row['paid_wrong_rate']:>12.1%}"
        )
    return "\n".join(
        [*lines, "Bounds and certificates are synthetic, at delta 0.05; the policy asks for 0.05 at most."]
    )


def draw(rows: list[dict[str, Any]], path: Path) -> bool:
    """The wrong-action rate against the bound; False if Altair is not installed."""
    try:
        import altair
        import vl_convert
    except ModuleNotFoundError:
        return False
    x = altair.X(
        "bound_synthetic:Q",
        title="bound on P(false accept) at delta 0.05, synthetic",
        scale=altair.Scale(domain=[0, 1.1]),
    )
    y = altair.Y("wrong_action_rate:Q", title="wrong actions of the trained policy", axis=altair.Axis(format="%"))
    base = altair.Chart(altair.Data(values=rows)).encode(x=x, y=y)
    points = base.mark_point(filled=True, size=90).encode(
        color=altair.Color(
            "certificate_synthetic:N", title="certificate (synthetic)", legend=altair.Legend(orient="bottom")
        )
    )
    names = base.mark_text(align="left", dx=8, dy=4).encode(text="checker:N")
    line = base.mark_line(color="lightgray")
    chart = altair.layer(line, points, names).properties(width=640, height=360)
    path.write_text(vl_convert.vegalite_to_svg(chart.to_json()))
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="a new or empty folder, where the files go")
    parser.add_argument("--episodes", type=int, default=1500, help="of each run (1500)")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each checker (3)")
    options = parser.parse_args(arguments)
    if options.episodes < 5 or options.seeds < 1:
        parser.error("--episodes is at least 5, --seeds at least 1")
    options.folder.mkdir(parents=True, exist_ok=True)
    if any(options.folder.iterdir()):
        parser.error(f"{options.folder} is not empty; name another folder")
    warnings.simplefilter("ignore", rr.CertificateEnding)
    rows = summary(options.folder, options.episodes, options.seeds)
    (options.folder / "summary.json").write_text(json.dumps(rows, indent=2) + "\n")
    print(table(rows))
    if not draw(rows, options.folder / "summary.svg"):
        print("no picture: pip install 'reward-receipts[calibration]'", file=sys.stderr)
    return 1 if any(row["audits_that_fail"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
