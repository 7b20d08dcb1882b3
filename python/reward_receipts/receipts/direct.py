"""Whether a receipt holds, as the extension decides it: quickly, and only for those that do."""

from __future__ import annotations

from collections.abc import Iterable
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
    certificates = () if certificate is None else (certificate,)
    return native_auditor((contract,), certificates, keyring, at_update, by_digest=False)


def native_auditor(
    contracts: Iterable[RewardContractV1],
    certificates: Iterable[RewardCertificateV1],
    keyring: object,
    at_update: int | None,
    *,
    by_digest: bool,
) -> extension.NativeAuditor | None:
    """The extension's auditor of some documents and keys; None without it, or if a key is of another algorithm."""
    if not isinstance(keyring, (Keyring, VerifyingKey)):
        return None
    held = [keyring] if isinstance(keyring, VerifyingKey) else list(keyring._keys.values())
    if any(key.algorithm is not DEFAULT for key in held):
        return None
    keys: Any = bytes(keyring) if isinstance(keyring, VerifyingKey) else {i: bytes(k) for i, k in keyring._keys.items()}
    return extension.auditor(contracts, certificates, keys, at_update, by_digest=by_digest)
