"""The command ``gate`` in a process of its own, on loopback."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from field import Bench


@dataclass
class Gate:
    """A gate that runs."""

    process: subprocess.Popen[str]
    port: int
    log: list[str]
    """The lines on standard error; all of them once it has stopped."""

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal, and returns the exit status."""
        self.process.send_signal(number)
        return self.process.wait(60)


def documents(folder: Path, bench: Bench) -> list[str]:
    """Writes what a gate needs; returns the options that name it."""
    held = folder / "documents"
    held.mkdir(exist_ok=True)
    (held / "contract.json").write_text(bench.contract.model_dump_json())
    (held / "certificate.json").write_text(bench.certificate.model_dump_json())
    (folder / "keyring.json").write_text(json.dumps({bench.key.key_id: bench.key.public_key}))
    return ["--documents", str(held), "--keyring", str(folder / "keyring.json")]


@contextmanager
def running(folder: Path, bench: Bench, options: Sequence[str] = (), ledger: str | None = None) -> Iterator[Gate]:
    """A gate over a ledger in a folder; it is stopped at the end."""
    command = [sys.executable, "-m", "reward_receipts", "gate", "--ledger", ledger or str(folder / "receipts.ledger")]
    command += [*documents(folder, bench), "--port", "0", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    log: list[str] = []
    assert process.stderr is not None
    first = process.stderr.readline()
    log.append(first)
    stderr = process.stderr
    reader = threading.Thread(target=lambda: log.extend(stderr), daemon=True)
    reader.start()
    try:
        found = re.search(r"http://[^ ]+:(\d+)$", first.strip())
        assert found is not None, first + "".join(log)
        yield Gate(process, int(found[1]), log)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(60)
        reader.join(60)
        process.stderr.close()
