"""Rules of contracts and certificates that JSON Schema cannot say.

Each looks only where the shape is right: a wrong shape is a finding of the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.codes import broken
from ..core.findings import Finding, shown
from ..core.generated.tables import MAX_POLICY_UPDATE
from .sentences import is_whole


def component_names_unique(contract: Any) -> Iterator[Finding]:
    components = contract.get("components") if type(contract) is dict else None
    seen: dict[str, int] = {}
    for index, component in enumerate(components if type(components) is list else ()):
        name = component.get("name") if type(component) is dict else None
        if type(name) is not str:
            continue
        first = seen.setdefault(name, index)
        if first != index:
            place = ("components", index, "name")
            yield broken("contract.component-names-unique", place, name=shown(name), first=first)


def expiry_fits(certificate: Any) -> Iterator[Finding]:
    if type(certificate) is not dict:
        return
    issued, updates = certificate.get("issued_at_policy_update"), certificate.get("expiry_policy_updates")
    if not (is_whole(issued) and is_whole(updates)):
        return
    issued, updates = int(issued), int(updates)
    if (end := issued + updates) > MAX_POLICY_UPDATE:
        place = ("expiry_policy_updates",)
        yield broken("certificate.expiry-fits", place, issued=issued, updates=updates, sum=end)
