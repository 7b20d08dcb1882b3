"""Many signed receipts, quickly: only the signature is made for each, and the text around it is a template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import reward_receipts as rr

_IDS = ("receipt_id", "nonce", "episode_id")


def signed_texts(example: rr.RewardEvidenceReceiptV1, key: rr.SigningKey, suffixes: Iterable[str]) -> Iterator[bytes]:
    """The texts of receipts that differ from an example in their ids: ``receipt_id.SUFFIX``, ``nonce.SUFFIX`` ...

    Each has the key's own signature, and is as valid as the example.
    """
    named = example.model_copy(update={name: f"{name}.NUMBER" for name in _IDS})
    parts = named._signed_bytes().decode().split(".NUMBER")
    assert len(parts) == 4
    for suffix in suffixes:
        text = f".{suffix}".join(parts)
        signature = key.signature_of(text.encode())
        yield f'{text[:-1]},"signature":"{signature}","signature_algorithm":"{key.algorithm}"}}'.encode()
