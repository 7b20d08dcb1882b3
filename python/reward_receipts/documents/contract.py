"""What a contract can do beside holding its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..validation.schemas import Kind
from .certificate import CertificatePolicyPart
from .model import Checked, Document, Part
from .oracle import OraclePart
from .outcomes import ScoringPolicyPart


class ComponentPart(Part):
    """Base of RewardComponentV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        name: str


class ContractDocument(Document):
    """Base of RewardContractV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        oracle: OraclePart
        components: tuple[ComponentPart, ...]
        scoring: ScoringPolicyPart
        certificate_policy: CertificatePolicyPart

    _kind: ClassVar[Kind] = "contract"

    @property
    def component_names(self) -> tuple[str, ...]:
        """The names of the components, sorted."""
        return tuple(component.name for component in self._settled().components)

    @classmethod
    def _complete(cls, plain: dict[str, Any]) -> dict[str, Any]:
        completed = {**plain, "components": [Checked(component) for component in plain["components"]]}
        for name in ("oracle", "scoring", "certificate_policy"):
            if name in plain:
                completed[name] = Checked(plain[name])
        return completed
