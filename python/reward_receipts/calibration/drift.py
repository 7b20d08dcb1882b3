"""For how many policy updates a bound stays useful while the policy drifts away from the trials."""

from __future__ import annotations

from ..core.generated.tables import MAX_POLICY_UPDATE
from ..core.numbers import finite_double
from .bound import require_probability


def updates_until(limit: float, epsilon: float, drift: float) -> int:
    """For how many policy updates P(false accept) stays at most ``limit``, if the policy drifts no faster than assumed.

    ``drift`` is an upper bound, which the caller assumes, on the total variation distance between the episodes of one
    policy update and those of the next. By the definition of that distance P(false accept) grows by at most ``drift``
    an update, so that after t updates it is at most epsilon + t * drift. The first update counts as t = 0. The result
    is what ``expiry_policy_updates`` of a certificate can be at most: 0 if epsilon is above the limit already.

    Raises ValueError for a limit or epsilon that is not between 0 and 1, and for a drift that is not positive.

        >>> updates_until(0.05, 0.0114123, 0.001)
        39
    """
    most, start = require_probability(limit, "limit"), require_probability(epsilon, "epsilon")
    step = finite_double(drift, "drift")
    if step <= 0.0:
        raise ValueError(f"drift is {step}; expected a number above 0")
    if start > most:
        return 0
    return int(min((most - start) / step, MAX_POLICY_UPDATE - 1)) + 1
