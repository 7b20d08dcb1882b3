"""When a certificate ends, for a run that trains on it: told before it happens, and then as configured."""

from __future__ import annotations

import warnings
from typing import Final, Literal, get_args

from ..core.findings import shown
from ..core.numbers import finite_double, plain_integer
from ..core.redaction import redacted
from ..documents.certificate import require_policy_update
from ..documents.generated.models import RewardCertificateV1
from ..documents.model import expected

WhenCertificateEnds = Literal["stop", "uncertified"]
"""``stop`` raises CertificateEnded; ``uncertified`` goes on with rewards that are not certified (synthetic)."""

DEFAULT_VACUITY_LIMIT: Final = 0.5
"""The epsilon from which on a bound on P(false accept) says nothing: a coin does as well."""

DEFAULT_WARN_WITHIN: Final = 10
"""How many policy updates before its end its end is announced."""


class CertificateEnding(UserWarning):
    """A certificate expires within a few policy updates, or has expired in a run that continues uncertified."""


class CertificateEnded(ValueError):
    """A certificate is not current at a policy update, in a run that stops then."""


class CertificateVacuous(ValueError):
    """A certificate's epsilon is at or above the vacuity limit, so that it bounds nothing that matters."""


class CertificateLifetime:
    """What a run does as the policy updates of its certificate pass by.

    ``warn_within`` is in policy updates. ``vacuity_limit`` is the epsilon from which on a bound says nothing: such a
    certificate is refused with CertificateVacuous, whatever ``on_end`` is. Raises ValueError for another ``on_end``, a
    ``warn_within`` below 0 and a ``vacuity_limit`` that is not above 0 and at most 1, TypeError if ``certificate`` is
    another kind of document.

        lifetime = CertificateLifetime(certificate, warn_within=5, on_end="uncertified")
        lifetime.require(update)
    """

    def __init__(
        self,
        certificate: RewardCertificateV1,
        *,
        warn_within: int = DEFAULT_WARN_WITHIN,
        on_end: WhenCertificateEnds = "stop",
        vacuity_limit: float = DEFAULT_VACUITY_LIMIT,
    ) -> None:
        self.certificate = expected(certificate, RewardCertificateV1, "certificate")._settled()
        number = plain_integer(warn_within)
        if number is None or number < 0:
            raise ValueError(f"warn_within is {shown(warn_within)}; expected a number of policy updates from 0")
        if on_end not in get_args(WhenCertificateEnds):
            raise ValueError(f"{shown(on_end)} is not a way to end; expected stop or uncertified")
        limit = finite_double(vacuity_limit, "vacuity_limit")
        if not 0.0 < limit <= 1.0:
            raise ValueError(f"vacuity_limit is {limit}; expected a number above 0 and at most 1")
        if self.certificate.epsilon >= limit:
            raise CertificateVacuous(
                f"certificate {redacted(self.certificate.certificate_id)} (synthetic) bounds P(false accept) by "
                f"{self.certificate.epsilon}, and from the vacuity limit {limit} on a bound says nothing: calibrate on "
                "more trials, or improve the checker"
            )
        self.warn_within = number
        self.on_end: WhenCertificateEnds = on_end
        self._told: str | None = None

    def expires_in(self, policy_update: int) -> int:
        """For how many updates, this one included, the certificate is current; 0 or less once it has expired."""
        return self.certificate.expires_at_policy_update - require_policy_update(policy_update)

    def require(self, policy_update: int) -> None:
        """Takes the policy update that a run is at.

        Warns CertificateEnding, once for each distance to the end. Raises CertificateEnded if the certificate is not
        current and ``on_end`` is ``stop``.
        """
        left = self.expires_in(policy_update)
        certificate = self.certificate
        name = f"certificate {redacted(certificate.certificate_id)} (synthetic)"
        first, end = certificate.issued_at_policy_update, certificate.expires_at_policy_update
        if certificate.is_current(policy_update):
            if left <= self.warn_within:
                self._tell(f"{name} expires in {left} update{'s' * (left != 1)}: it is current until update {end - 1}")
            return
        found = f"is current from update {first} on" if left > 0 else f"expired at update {end}"
        if self.on_end == "stop":
            raise CertificateEnded(
                f"{name} {found}, and the policy is at update {policy_update}. Calibrate the checker again; or give "
                '"uncertified" in place of "stop", to continue with rewards that are not certified (synthetic)'
            )
        self._tell(f"{name} {found}; rewards are not certified (synthetic) from here on")

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            warnings.warn(text, CertificateEnding, stacklevel=4)
