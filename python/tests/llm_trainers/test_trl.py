"""GRPORewards in TRL's own GRPOTrainer: two steps of a tiny random model on the CPU."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from datasets import Dataset
from reward_receipts.integrations.scoring import Reading
from reward_receipts.integrations.trl import GRPORewards
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from training import Desk, episode, reading
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

pytestmark = pytest.mark.filterwarnings("default")  # what TRL and what it uses warn of is not ours

GROUP = 4
READINGS = [
    reading("verified"),
    reading("verified"),
    reading("refused"),
    reading("reconciliation_required"),
]
"""A group whose totals are 1.0, 1.0 and 0.0 where the scalar is trained on, and an unscored sample."""


def tiny() -> tuple[Any, Any]:
    """A model of random weights, and a tokenizer of words."""
    words = {f"w{number}": number for number in range(30)} | {"<pad>": 30, "<eos>": 31}
    raw = Tokenizer(WordLevel(words, unk_token="w0"))
    raw.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="<eos>", padding_side="left")
    config = Qwen2Config(
        vocab_size=32,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=64,
        pad_token_id=30,
        eos_token_id=31,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(config), tokenizer


def trained(
    folder: Path,
    functions: list[Any],
    weights: list[float],
    *,
    steps: int = 2,
    **options: Any,
) -> GRPOTrainer:
    """A run over; its ``_logs`` and ``state.log_history`` say what happened."""
    model, tokenizer = tiny()
    rows = {"prompt": [f"w{number} w2" for number in range(GROUP)]}
    arguments = GRPOConfig(
        output_dir=str(folder),
        per_device_train_batch_size=GROUP,
        num_generations=GROUP,
        max_completion_length=4,
        max_steps=steps,
        learning_rate=1e-3,
        beta=0.0,
        reward_weights=weights,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
        disable_tqdm=True,
        shuffle_dataset=False,
        seed=3,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=functions,
        args=arguments,
        train_dataset=Dataset.from_dict(rows),
        processing_class=tokenizer,
        **options,
    )
    trainer.train()
    return trainer


def last_advantages(trainer: GRPOTrainer) -> list[float]:
    return [float(each) for each in list(trainer._logs["advantages"])[-GROUP:]]


@pytest.mark.parametrize("is_async", [False, True])
def test_the_advantage_of_an_unscored_row_is_exactly_0(tmp_path: Path, is_async: bool, figure: Any) -> None:
    calls: list[dict[str, Any]] = []
    updates: list[int] = []

    def read(**given: Any) -> list[Reading]:
        calls.append(given)
        updates.append(given["trainer_state"].global_step)
        return READINGS

    async def aread(**given: Any) -> list[Reading]:
        return read(**given)

    rewards = GRPORewards(Desk().scoring(), aread if is_async else read)
    trainer = trained(tmp_path, rewards.functions, rewards.weights)
    advantages = last_advantages(trainer)
    assert advantages[3] == 0.0
    assert all(abs(each) > 0.1 for each in advantages[:3])
    # One scoring a batch, with what TRL gives a reward function, at TRL's own update.
    assert updates == [0, 1]
    assert {"prompts", "completions", "completion_ids", "trainer_state"} <= calls[0].keys()
    assert "log_metric" not in calls[0]
    # Under the trainer's own names.
    log = trainer.state.log_history[0]
    assert trainer.reward_func_names == ["halt_on_uncertainty", "terminal_effect", "contract_scalar"]
    assert log["rewards/contract_scalar/mean"] == pytest.approx(2 / 3)
    assert log["rewards/halt_on_uncertainty/mean"] == pytest.approx(0.1)
    assert log["reward"] == pytest.approx(2 / 3)
    assert log["receipts/certified_synthetic"] == 0.75
    assert log["receipts/unscored"] == 0.25
    assert list(trainer._logs["extra"]["dropped"])[-GROUP:] == ["", "", "", "unscored"]
    assert list(trainer._logs["extra"]["certified_synthetic"])[-GROUP:] == [True, True, True, False]
    figure(f"{'async' if is_async else 'sync'}: advantages {', '.join(f'{each:.3f}' for each in advantages)}")


def test_the_advantage_with_one_column_none_and_another_a_number(tmp_path: Path, figure: Any) -> None:
    """Two functions as somebody would write them: one says None for the unscored sample, the other 0.1 for all."""

    def scalar(**given: Any) -> list[float | None]:
        return [1.0, 1.0, 0.0, None]

    def effort(**given: Any) -> list[float | None]:
        return [0.1] * GROUP

    advantages = last_advantages(trained(tmp_path, [scalar, effort], [1.0, 1.0]))
    assert advantages[3] == pytest.approx(-0.866, abs=2e-3)
    figure(f"one column None, the other 0.1: advantages {', '.join(f'{each:.3f}' for each in advantages)}")


def test_weights_for_components_keep_an_unscored_row_at_0(tmp_path: Path) -> None:
    rewards = GRPORewards(Desk().scoring(), lambda **given: READINGS, train_on="both", prefix="desk/")
    assert rewards.weights == [0.25, 1.0, 1.0]
    trainer = trained(tmp_path, rewards.functions, rewards.weights)
    assert trainer.reward_func_names == ["desk/halt_on_uncertainty", "desk/terminal_effect", "desk/contract_scalar"]
    assert last_advantages(trainer)[3] == 0.0
    assert trainer.state.log_history[0]["reward"] == pytest.approx(2 / 3 + 0.025)


def test_receipts_of_a_file_expire_at_the_trainers_own_update(tmp_path: Path) -> None:
    """The certificate is current at update 0 only, so that the second step trains on the same rewards, uncertified."""
    desk = Desk(expiry_policy_updates=1)
    outcomes = ["verified", "verified", "refused", "failed_platform"]
    path = tmp_path / "receipts.jsonl"
    with desk.issuer(path, warn_within=0) as issuer:
        issuer.issue_batch([episode(number, outcome) for number, outcome in enumerate(outcomes)])
    scoring = desk.scoring(receipts=path, when_certificate_ends="uncertified", warn_within=0)
    order = iter(range(1000))

    def read(completions: list[Any], **given: Any) -> list[str]:
        return [f"episode.{next(order) % GROUP:08d}" for _ in completions]

    rewards = GRPORewards(scoring, read)
    with pytest.warns(rr.CertificateEnding, match="expired at update 1"):
        trainer = trained(tmp_path / "run", rewards.functions, rewards.weights)
    first, second = trainer.state.log_history[:2]
    assert (first["receipts/certified_synthetic"], second["receipts/certified_synthetic"]) == (0.75, 0.0)
    assert "receipts/refusals/certificate-expired" not in first
    assert second["receipts/refusals/certificate-expired"] == 1.0
    assert first["reward"] == second["reward"] == pytest.approx(2 / 3)
    assert last_advantages(trainer)[3] == 0.0


def test_a_run_stops_before_it_trains_on_an_expired_certificate(tmp_path: Path) -> None:
    desk = Desk(expiry_policy_updates=1)
    rewards = GRPORewards(desk.scoring(warn_within=0), lambda **given: READINGS)
    with pytest.raises(rr.CertificateEnded, match="expired at update 1, and the policy is at update 1"):
        trained(tmp_path, rewards.functions, rewards.weights)


def test_certified_only_trains_on_certified_rewards_only(tmp_path: Path) -> None:
    samples = [reading(), reading("refused"), reading(tier=1), reading("refused", 0)]
    rewards = GRPORewards(Desk().scoring(certified_only=True), lambda **given: samples)
    trainer = trained(tmp_path, rewards.functions, rewards.weights)
    advantages = last_advantages(trainer)
    assert advantages[0] > 0 > advantages[1]
    assert advantages[2:] == [0.0, 0.0]
    log = trainer.state.log_history[0]
    assert log["receipts/dropped/uncertified"] == log["receipts/refusals/tier-development-only"] == 0.5


@pytest.mark.parametrize(
    ("samples", "sentence"),
    [
        ([*READINGS[:3], Reading("verified", 2, {"terminal_effect": float("nan")})], "sample 3: component .* is nan"),
        (READINGS[:3], "read returned 3 samples for 4 completions"),
        ([reading(number=1), reading(number=1), *READINGS[:2]], "samples 0 and 1 .* are both episode"),
    ],
)
def test_bad_samples_stop_the_run(tmp_path: Path, samples: list[Reading], sentence: str) -> None:
    rewards = GRPORewards(Desk().scoring(), lambda **given: samples)
    with pytest.raises(ValueError, match=sentence):
        trained(tmp_path, rewards.functions, rewards.weights)


def test_receipts_need_a_column_that_names_them(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    path.touch()
    rewards = GRPORewards(desk.scoring(receipts=path))
    with pytest.raises(ValueError, match="the batch has no episode_id"):
        trained(tmp_path / "run", rewards.functions, rewards.weights)


def test_a_rollout_function_names_the_receipts_of_its_completions(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    path.touch()
    numbers = iter(range(1000))
    with desk.issuer(path) as issuer:

        def rollout(prompts: list[Any], trainer: Any) -> dict[str, Any]:
            """Plays an episode for each prompt; another part of the run issues its receipt."""
            outcomes = ["verified", "refused", "verified", "failed_platform"]
            played = [(next(numbers), outcome) for outcome, _ in zip(outcomes, prompts, strict=True)]
            issuer.issue_batch(
                [episode(number, outcome, policy_update=trainer.state.global_step) for number, outcome in played]
            )
            return {
                "prompt_ids": [[1, 2] for _ in prompts],
                "completion_ids": [[3, 4, 31] for _ in prompts],
                "logprobs": [[-3.4, -3.4, -3.4] for _ in prompts],
                "episode_id": [f"episode.{number:08d}" for number, _ in played],
            }

        rewards = GRPORewards(desk.scoring(receipts=path))
        trainer = trained(tmp_path / "run", rewards.functions, rewards.weights, rollout_func=rollout)
    advantages = last_advantages(trainer)
    assert advantages[0] == advantages[2] > 0 > advantages[1]
    assert advantages[3] == 0.0
    assert next(numbers) == 2 * GROUP


def test_the_receipts_of_a_run_are_issued_while_it_trains(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    numbers = iter(range(1000))

    def read(completions: list[Any], **given: Any) -> list[Reading]:
        outcomes = ["verified", "verified", "refused", "failed_platform"]
        return [reading(outcome, number=next(numbers)) for outcome, _ in zip(outcomes, completions, strict=True)]

    with desk.issuer(path) as issuer, caplog.at_level(logging.WARNING, logger="reward_receipts.integrations"):
        rewards = GRPORewards(desk.scoring(issuer=issuer), read)
        trained(tmp_path / "run", rewards.functions, rewards.weights)
    receipts: list[Any] = [rr.read_document(line) for line in path.read_bytes().splitlines()]
    assert [receipt.policy_update for receipt in receipts] == [0] * GROUP + [1] * GROUP
    for receipt in receipts:
        assert rr.audit(receipt, desk.contract, desk.certificate, keyring=desk.key.keyring, at_update=2)
    assert "update 1: 1 of 4 samples dropped (1 unscored). sample 3" in caplog.text
