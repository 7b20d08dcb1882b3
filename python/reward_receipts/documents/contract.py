"""What a contract can do beside holding its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..validation.schemas import Kind
from .model import Checked, Document

if TYPE_CHECKING:
    from .certification import Bound
    from .generated.models import RewardComponentV1


class ContractDocument(Document):
    """Base of RewardContractV1."""

    __slots__ = ("_bound",)
    if TYPE_CHECKING:
        _bound: ClassVar[Bound]  # a slot, as in Part
        components: tuple[RewardComponentV1, ...]

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
