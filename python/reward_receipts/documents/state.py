"""The state of a certificate at a policy update, and of having none."""

from __future__ import annotations

from ..core.generated.vocabulary import RewardCertificateStateV1
from .certificate import require_policy_update
from .generated.models import RewardCertificateV1
from .model import expected


def certificate_state(certificate: RewardCertificateV1 | None, policy_update: int) -> RewardCertificateStateV1:
    """The state of a certificate at a policy update; absent if there is no certificate.

    Raises ValueError as ``state_at`` does, and TypeError if ``certificate`` is not a RewardCertificateV1.
    """
    if certificate is None:
        require_policy_update(policy_update)
        return RewardCertificateStateV1.ABSENT
    return expected(certificate, RewardCertificateV1, "certificate").state_at(policy_update)
