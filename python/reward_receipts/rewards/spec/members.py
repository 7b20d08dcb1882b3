"""The bases of the generated classes of a spec's parts, and the members of a spec; its methods are in document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import SerializerFunctionWrapHandler, model_serializer

from ...documents.export import canonical_texts, plain_member
from ...documents.model import Checked, Document, Part
from ...validation.schemas import DataKind


class SpecGatePart(Part):
    """Base of RewardSpecGate."""

    __slots__ = ()
    if TYPE_CHECKING:
        component: str
        requires: str
    _kind: ClassVar[DataKind] = "spec"


class SpecComponentPart(Part):
    """Base of RewardSpecComponent. A name, params, weight or clip that was left out stays left out.

    ``model_fields_set`` says what was given. What was left out reads as None, and so does a clip that is null.
    """

    __slots__ = ()
    if TYPE_CHECKING:
        type: str
        name: str | None
        params: Mapping[str, Any] | None
        weight: float | None
        clip: tuple[float | None, ...] | None
    _kind: ClassVar[DataKind] = "spec"

    @property
    def term_name(self) -> str:
        """What gates, contributions and traces call the term: its name, or its type if it has none."""
        return self.type if self.name is None else self.name

    @property
    def model_fields_set(self) -> set[str]:
        """The names of the members that were given. A set of its own: changing it changes no spec."""
        return set(self.__pydantic_fields_set__)

    def _settled(self) -> Self:
        try:
            self._known  # noqa: B018 - as in Part
        except AttributeError:
            given = {name: value for name, value in self.__dict__.items() if name in self.model_fields_set}
            return type(self).model_validate(given)
        return self

    def _given(self) -> tuple[str, ...]:
        return tuple(sorted(self.model_fields_set))

    def _canonical_text(self) -> str:
        settled = self._settled()
        names = settled._given()
        texts = canonical_texts(tuple(settled.__dict__[name] for name in names))
        return "{" + ",".join(f'"{name}":{text}' for name, text in zip(names, texts, strict=True)) + "}"

    def _plain(self) -> dict[str, Any]:
        settled = self._settled()
        return {name: plain_member(settled.__dict__[name]) for name in settled._given()}

    @model_serializer(mode="wrap")
    def _export(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        settled = self._settled()
        exported: dict[str, Any] = handler(settled)
        return {name: value for name, value in exported.items() if name in settled.model_fields_set}


class SpecMembers(Document):
    """What a reward spec holds."""

    __slots__ = ()
    if TYPE_CHECKING:
        name: str
        components: tuple[SpecComponentPart, ...]
        gates: tuple[SpecGatePart, ...]

    _kind: ClassVar[DataKind] = "spec"

    @classmethod
    def _complete(cls, plain: dict[str, Any]) -> dict[str, Any]:
        return {
            **plain,
            "components": [Checked(component) for component in plain["components"]],
            "gates": [Checked(gate) for gate in plain.get("gates", ())],
        }
