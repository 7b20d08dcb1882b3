"""``explain``: what a rule or code says, where it is, and what to do about it."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from ...core.codes import catalogue
from ...core.exit_status import ExitStatus
from ..terminal import say


def explain(
    rule_id: Annotated[str, typer.Argument(metavar="RULE-ID", help="A rule or code, as messages name it.")],
) -> ExitStatus:
    codes = catalogue()
    code = codes.get(rule_id)
    if code is None:
        close = difflib.get_close_matches(rule_id, codes, n=5, cutoff=0.5)
        hint = f"; close to it: {', '.join(close)}" if close else ""
        say(f"reward-receipts: there is no rule or code {rule_id!r}{hint}")
        return ExitStatus.UNDECIDED
    print(code.id)
    print(f"  says    {code.sentence}")
    print(f"  layer   {code.layer}")
    print(f"  source  schemas/{code.source}")
    if code.fix:
        print(f"  fix     {code.fix}")
    return ExitStatus.GOOD
