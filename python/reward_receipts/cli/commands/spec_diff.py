"""``spec diff``: what changed from one spec to another."""

from __future__ import annotations

from typing import Annotated

import typer

from ...bulk.files import Unread
from ...core.escaping import printable_line, without_surrogates
from ...core.exit_status import ExitStatus
from ...rewards.spec.files import SpecFile, read_spec_file
from ..formats.json import print_envelope
from ..options import TextOrJson
from ..terminal import say


def spec_diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="As FILE of show.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="As FILE of show.")],
    form: TextOrJson = "text",
) -> ExitStatus:
    """Exit status: 0 nothing, so that the digests are equal; 1 something; 2 one of them cannot be read, or does not
    hold.
    """
    files: list[SpecFile] = []
    problems: list[dict[str, str]] = []
    for name in (before, after):
        try:
            file = read_spec_file(name)
        except Unread as unread:
            problems.append({"file": unread.name, "message": str(unread)})
            continue
        files.append(file)
        problems += [{"file": file.label, "message": f"{file.label}:{finding}"} for finding in file.findings]
    for problem in problems:
        say(f"reward-receipts: {problem['message']}")
    if problems:
        if form == "json":
            print_envelope("spec diff", ExitStatus.UNDECIDED, problems=problems)
        return ExitStatus.UNDECIDED
    was, now = (file.spec() for file in files)
    found = was.diff(now)
    status = ExitStatus.FINDING if found else ExitStatus.GOOD
    if form == "json":
        before_file, after_file = (without_surrogates(file.label) for file in files)
        result = {"before_file": before_file, "after_file": after_file, **found.to_dict()}
        print_envelope("spec diff", status, [result])
    else:
        for line in str(found).splitlines():
            print(printable_line(line))
    return status
