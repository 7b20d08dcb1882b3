"""What reward_receipts.envs offers."""

from __future__ import annotations

import inspect

import pytest
from reward_receipts import envs


def test_the_package_offers_what_it_lists() -> None:
    typed = {line.split()[-1] for line in inspect.getsource(envs).splitlines() if line.startswith("    from .")}
    assert typed == set(envs.__all__)
    assert all(getattr(envs, name) is not None for name in envs.__all__)
    with pytest.raises(AttributeError):
        envs.nothing_of_the_kind  # noqa: B018
