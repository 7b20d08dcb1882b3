"""The interquartile mean of ``traces.over_seeds`` is SciPy's trimmed mean; here, since SciPy is in this environment."""

from __future__ import annotations

import numpy
import pytest
from reward_receipts.traces.over_seeds import interquartile_mean
from scipy import stats


@pytest.mark.parametrize("count", range(1, 14))
def test_interquartile_mean_is_scipys(count: int) -> None:
    scores = numpy.random.default_rng(count).normal(size=count).tolist()
    assert interquartile_mean(scores) == pytest.approx(stats.trim_mean(scores, 0.25), rel=1e-12)
