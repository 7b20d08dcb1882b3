"""What reward_receipts.calibration offers."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from reward_receipts import calibration


def test_the_package_offers_what_it_lists() -> None:
    typed = {line.split()[-1] for line in inspect.getsource(calibration).splitlines() if line.startswith("    from .")}
    assert typed == set(calibration.__all__)
    assert all(not inspect.ismodule(getattr(calibration, name)) for name in calibration.__all__)
    with pytest.raises(AttributeError):
        calibration.nothing_of_the_kind  # noqa: B018


def test_scipy_and_altair_are_imported_when_they_are_used() -> None:
    program = (
        "import sys; from reward_receipts.calibration import *; clopper_pearson_upper(0, 261, 0.05);"
        "assert not {'scipy', 'altair', 'numpy', 'pyarrow'} & sys.modules.keys();"
        "clopper_pearson_upper(1, 261, 0.05); assert 'scipy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(ModuleNotFoundError, match=r"reward-receipts\[calibration\]"):
        calibration.clopper_pearson_upper(1, 100, 0.05)
    assert calibration.clopper_pearson_upper(0, 100, 0.05) == pytest.approx(0.0295130, abs=1e-7)
