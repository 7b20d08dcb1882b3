"""The extension for the tests of this folder."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator

import pytest
from reward_receipts.core import extension
from rust_workspace import extension_folder


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The extension that is installed, or one that is built now; subprocesses find it too."""
    with pytest.MonkeyPatch.context() as patch:
        if importlib.util.find_spec("reward_receipts_core") is None:
            if os.environ.get("REWARD_RECEIPTS_CORE") == "required":
                pytest.fail("reward_receipts_core is not installed; pip install ./rust/python")
            folder = extension_folder(tmp_path_factory.mktemp("built"))
            patch.syspath_prepend(folder)
            patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *os.environ.get("PYTHONPATH", "").split()]))
        patch.delenv("REWARD_RECEIPTS_CORE", raising=False)
        extension.extension.cache_clear()
        assert extension.extension() is not None
        yield
    extension.extension.cache_clear()
