"""``schema print``: a schema file as it is."""

from __future__ import annotations

import pkgutil
from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...core.schema_files import SCHEMA_FILES
from ..terminal import say


def schema_print(name: Annotated[str, typer.Argument(metavar="NAME")]) -> ExitStatus:
    if name not in SCHEMA_FILES:
        say(f"reward-receipts: there is no schema {name!r}; known are {', '.join(SCHEMA_FILES)}")
        return ExitStatus.UNDECIDED
    data = pkgutil.get_data("reward_receipts.schemas", SCHEMA_FILES[name])
    assert data is not None
    print(data.decode("utf-8"), end="")
    return ExitStatus.GOOD
