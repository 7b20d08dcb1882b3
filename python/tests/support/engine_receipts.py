"""A file of many receipts of eight contracts, one in twenty broken in one of ten ways; what one process finds in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from field import Bench
from many_receipts import signed_texts
from reward_receipts.bulk import Auditor, Documents, Summary, Verdict
from reward_receipts.bulk.documents import entry_of_text
from reward_receipts.bulk.files import texts

BROKEN: list[Callable[[bytes], bytes]] = [
    lambda text: text[:-9],
    lambda text: text.replace(b'"nonce":', b'"nonse":'),
    lambda text: text.replace(b'"scalar_reward":1.0', b'"scalar_reward":null'),
    lambda text: text.replace(b'"policy_update":1', b'"policy_update":-1'),
    lambda text: text.replace(b'"scalar_reward":1.0', b'"scalar_reward":0.5'),
    lambda text: (
        text.replace(b'"reward_contract_digest":"sha256:', b'"reward_contract_digest":"sha256:0000')[:-1] + b"}"
    ),
    lambda text: text.replace(b'"evidence_digest":"sha256:', b'"evidence_digest":"sha256:').replace(
        b"nonce.", b"nonse."
    ),
    lambda text: text.replace(b'"issuer_key_id":"key', b'"issuer_key_id":"kez'),
    lambda text: text.replace(b"{", b'{"nonce":"nonce.twice",', 1),
    lambda text: b"\xef\xbb\xbf" + text,
]


class Many:
    """A file of receipts, and an auditor for them."""

    def __init__(self, path: Path, count: int, contracts: int = 8) -> None:
        self.path, self.count = path, count
        benches = [Bench(task_id=f"task.number.{number:04}") for number in range(contracts)]
        for bench in benches:
            bench.key = benches[0].key
            bench.certificate = bench.certify()
        self.documents = Documents(
            {bench.contract.digest: bench.contract for bench in benches},
            {bench.certificate.digest: bench.certificate for bench in benches},
        )
        held = self.documents
        self.auditor = Auditor(held.contracts.values(), held.certificates.values(), benches[0].key.keyring)
        streams = []
        for at, bench in enumerate(benches):
            example = bench.receipt(policy_update=100 + 5 * at)
            numbers = (f"{number:08}" for number in range(at, count, contracts))
            streams.append(signed_texts(example, bench.key, numbers))
        with path.open("wb") as file:
            for number in range(count):
                text = next(streams[number % contracts])
                if number % 20 == 7:
                    text = BROKEN[number // 20 % len(BROKEN)](text)
                file.write(text + b"\n")

    def verdicts(self) -> Iterator[Verdict]:
        """The verdict of each line, in one process; repeats are not looked for."""
        for text in texts(str(self.path)):
            yield self.auditor.entry(entry_of_text(text, "receipt"), None)

    def expected(self) -> tuple[Summary, Counter[tuple[str, str | None, tuple[str, ...]]]]:
        """The summary, and how often each verdict was found with each id and codes."""
        summary = Summary(self.documents)
        found: Counter[tuple[str, str | None, tuple[str, ...]]] = Counter()
        for verdict in self.verdicts():
            summary.add(verdict)
            receipt_id = None if verdict.receipt is None else verdict.receipt.receipt_id
            codes = dict.fromkeys(finding.code for finding in (*verdict.findings, *verdict.unchecked))
            found[verdict.verdict, receipt_id, tuple(sorted(codes))] += 1
        assert summary.receipts == self.count
        assert all(summary.verdicts.values()), "every verdict is found"
        return summary, found

    def head(self, path: Path, count: int) -> None:
        """Writes the first lines to another file."""
        with self.path.open("rb") as file:
            path.write_bytes(b"".join(islice(file, count)))
