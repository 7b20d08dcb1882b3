"""The trust policy that an option names."""

from __future__ import annotations

from ..bulk.files import Unread, only_text
from ..bulk.trust import TrustPolicy
from ..core.findings import InvalidDocument
from .report import Report


def trust_policy(report: Report, name: str) -> TrustPolicy | None:
    """The policy in a file of YAML or, if its name ends in .json, JSON; None if the report says what is wrong."""
    report.reads(name)
    try:
        text = only_text(name)
        if name.lower().endswith(".json"):
            return TrustPolicy.from_text(text.data)
        from ..rewards.spec.yaml_reader import read_yaml  # JSON does not need it

        return TrustPolicy.from_plain(read_yaml(text.data).value)
    except Unread as unread:
        report.unread(unread)
    except InvalidDocument as error:
        report.problem(name, f"{name} is not a trust policy: {error.findings[0]}")
    return None
