"""The exit statuses of every program here: the commands, the conformance runner, the scripts."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What a program tells whoever started it. If a run has findings and undecided results, it is a finding."""

    GOOD = 0
    FINDING = 1
    """A document that is not valid, an audit that fails, a signature that is invalid."""
    UNDECIDED = 2
    """Wrong usage, or something that cannot be decided."""
    INTERRUPTED = 130
    """SIGINT, as shells number it."""

    @classmethod
    def of(cls, findings: bool, undecided: bool) -> ExitStatus:
        """The status of a run, by whether it had any findings and anything undecided."""
        return cls.FINDING if findings else cls.UNDECIDED if undecided else cls.GOOD
