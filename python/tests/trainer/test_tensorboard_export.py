"""``trace export --to tensorboard``: TensorBoard itself reads the file. Run by tox -e trainer."""

from __future__ import annotations

from pathlib import Path

import pytest
from reward_receipts.envs import TraceRecorder
from reward_receipts.envs.order_desk import OperationsEnv
from reward_receipts.traces.export import scalars, write_tensorboard
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def test_tensorboard_reads_what_was_exported(tmp_path: Path) -> None:
    trace = tmp_path / "trace.parquet"
    env = TraceRecorder(OperationsEnv(), trace)
    env.reset(seed=1)
    for _ in range(40):
        env.step(0)
    env.close()
    expected = list(scalars([trace], window=10))
    assert write_tensorboard([trace], tmp_path / "board", window=10) == len(expected)
    found = EventAccumulator(str(tmp_path / "board"))
    found.Reload()
    for name in {name for name, _, _ in expected}:
        steps = [(each.step, each.value) for each in found.Scalars(name)]
        assert steps == [(step, pytest.approx(value)) for scalar, step, value in expected if scalar == name]
    with pytest.raises(FileExistsError):
        write_tensorboard([trace], tmp_path / "board", window=10)
