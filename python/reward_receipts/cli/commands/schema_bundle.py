"""``schema bundle``: a schema and all that it refers to as one self-contained file."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...validation.bundle import BUNDLES, bundle
from ..terminal import say


def schema_bundle(name: Annotated[str, typer.Argument(metavar="NAME")]) -> ExitStatus:
    if name not in BUNDLES:
        say(f"reward-receipts: there is no schema {name!r} to bundle; known are {', '.join(BUNDLES)}")
        return ExitStatus.UNDECIDED
    print(json.dumps(bundle(name), indent=2))
    return ExitStatus.GOOD
