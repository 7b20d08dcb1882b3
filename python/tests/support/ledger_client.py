"""A process that admits receipts, and writes a line for each that was acknowledged. A test kills it.

    python ledger_client.py LEDGER TEXTS FIRST BATCH [LIMIT]

TEXTS has the documents and receipts that ``write_work`` put there. Receipts are admitted from line FIRST on, and LIMIT
is the size in bytes from which on no file can grow. A line is the number of the receipt, its status and its row.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from reward_receipts import RewardCertificateV1, RewardContractV1
from reward_receipts.bulk import Auditor
from reward_receipts.ledger import Ledger, LedgerError


def write_work(
    path: Path, contract: object, certificate: object, keyring: dict[str, str], texts: Sequence[bytes]
) -> None:
    """Writes what a client works on: a line with contract, certificate and keys, then the receipts."""
    documents = [each.model_dump(mode="json") for each in (contract, certificate)]  # type: ignore[attr-defined]
    path.write_bytes(b"\n".join([json.dumps([*documents, keyring]).encode(), *texts, b""]))


def auditor_of(line: bytes) -> Auditor:
    contract, certificate, keyring = json.loads(line)
    held = RewardContractV1.model_validate(contract), RewardCertificateV1.model_validate(certificate)
    return Auditor([held[0]], [held[1]], keyring)


def main() -> int:
    name, work, first, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    lines = Path(work).read_bytes().splitlines()
    auditor = auditor_of(lines[0])
    if len(sys.argv) > 5:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[5]), int(sys.argv[5])))
    os.write(1, b"ready\n")
    try:
        with Ledger.open(name, auditor) as ledger:
            for number, line in _answers(ledger, lines[1:], first, batch):
                os.write(1, b"%d %s\n" % (number, line))
    except LedgerError as error:
        os.write(2, str(error).encode())
        return 3
    return 0


def _answers(ledger: Ledger, texts: Sequence[bytes], first: int, batch: int) -> Iterator[tuple[int, bytes]]:
    for number, answer in enumerate(ledger.admit_each(texts[first:], batch=batch), first):
        yield number, f"{answer.status} {answer.row}".encode()


if __name__ == "__main__":
    sys.exit(main())
