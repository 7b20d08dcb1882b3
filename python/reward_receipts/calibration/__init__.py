"""Calibration: from labelled trials of a checker to a bound on its false accepts, and a certificate (synthetic).

from reward_receipts.calibration import certify, clopper_pearson_upper, measure, read_trials
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .bound import binomial_tail as binomial_tail
    from .bound import clopper_pearson_upper as clopper_pearson_upper
    from .bound import trials_needed as trials_needed
    from .certificate import CertificateCheck as CertificateCheck
    from .certificate import certify as certify
    from .certificate import policy_refusals as policy_refusals
    from .certificate import recheck as recheck
    from .drift import updates_until as updates_until
    from .measurement import CalibrationRefused as CalibrationRefused
    from .measurement import ClassCount as ClassCount
    from .measurement import Measurement as Measurement
    from .measurement import measure as measure
    from .picture import draw_bound as draw_bound
    from .planning import PlannedTrials as PlannedTrials
    from .planning import plan as plan
    from .threshold import ThresholdChoice as ThresholdChoice
    from .threshold import ThresholdTest as ThresholdTest
    from .threshold import choose_threshold as choose_threshold
    from .trials import InvalidTrials as InvalidTrials
    from .trials import Trial as Trial
    from .trials import Trials as Trials
    from .trials import read_trials as read_trials

_MODULES = {
    ".bound": "binomial_tail clopper_pearson_upper trials_needed",
    ".certificate": "CertificateCheck certify policy_refusals recheck",
    ".drift": "updates_until",
    ".measurement": "CalibrationRefused ClassCount Measurement measure",
    ".picture": "draw_bound",
    ".planning": "PlannedTrials plan",
    ".threshold": "ThresholdChoice ThresholdTest choose_threshold",
    ".trials": "InvalidTrials Trial Trials read_trials",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
