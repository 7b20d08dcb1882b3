"""Whether a receipt holds, as the extension decides it: quickly, and only for those that do."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..core import extension
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from .algorithms import DEFAULT
from .keys import Keyring, VerifyingKey


def holds(
    receipt: RewardEvidenceReceiptV1,
    contract: RewardContractV1 | None,
    certificate: RewardCertificateV1 | None,
    keyring: object,
    at_update: int | None,
) -> bool:
    """Whether every check that applies to a receipt ran and passed; False where the audit has to look.

    The documents are settled. What the extension made of the others is kept for the next receipts.
    """
    module = extension.extension()
    if module is None or contract is None or not isinstance(keyring, (Keyring, VerifyingKey)):
        return False
    auditor = _auditor(module, contract, certificate, keyring, at_update)
    return auditor is not None and bool(auditor.holds(receipt._canonical_text()))


@lru_cache(maxsize=16)
def _auditor(
    module: Any,
    contract: RewardContractV1,
    certificate: RewardCertificateV1 | None,
    keyring: Keyring | VerifyingKey,
    at_update: int | None,
) -> extension.NativeAuditor | None:
    held = [keyring] if isinstance(keyring, VerifyingKey) else list(keyring._keys.values())
    if any(key.algorithm is not DEFAULT for key in held):
        return None
    keys: Any = bytes(keyring) if isinstance(keyring, VerifyingKey) else {i: bytes(k) for i, k in keyring._keys.items()}
    certificates = () if certificate is None else (certificate,)
    return extension.auditor((contract,), certificates, keys, at_update, by_digest=False)
