"""What a reward spec can do beside holding its members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from ..components.component import RewardComponent
from ..components.registry import REGISTRY
from .ceiling import Ceiling, ceiling
from .diff import SpecDiff, diff_specs
from .members import SpecMembers
from .resolved import ResolvedSpec, resolve
from .settings import with_settings, with_weights_per_second


class SpecDocument(SpecMembers):
    """Base of RewardSpec."""

    __slots__ = ()

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Self:
        """The spec in plain JSON members. Raises pydantic's ValidationError if the schema or a rule refuses it."""
        return cls.model_validate(spec)

    @classmethod
    def from_yaml(cls, text: str | bytes) -> Self:
        """The spec in a YAML 1.2 text of one document, core schema; nothing else that YAML has is let in.

        Raises InvalidDocument, whose findings have line and column; InvalidText (one of its kind) where the text
        itself is refused.
        """
        from .read import read_yaml_spec

        return cls.model_validate(read_yaml_spec(text))

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The spec in a strict JSON text. Raises as ``from_yaml`` does."""
        from .read import read_json_spec

        return cls.model_validate(read_json_spec(text))

    def to_dict(self) -> dict[str, Any]:
        """The completed spec as plain JSON, a dict of its own. A weight or clip that was left out stays left out."""
        return self._plain()

    def to_yaml(self) -> str:
        """The completed spec as YAML 1.2, in block style, that reads back to an equal spec, in a 1.1 reader too."""
        from .write import write_yaml

        return write_yaml(self)

    def to_json(self) -> str:
        """The completed spec as indented JSON that reads back to an equal spec."""
        from .write import write_json

        return write_json(self)

    def diff(self, other: SpecDocument) -> SpecDiff:
        """What changed from this spec to another, both as they are written; see ``diff_specs``."""
        return diff_specs(self, other)

    def with_(self, settings: Mapping[str, Any]) -> Self:
        """The spec with settings such as ``{"near_goal.weight": 0.1}`` changed; see ``with_settings``."""
        return with_settings(self, settings)

    def with_weights_per_second(self, seconds: float, registry: Mapping[str, type[RewardComponent]] = REGISTRY) -> Self:
        """The spec with its weights read as per second, for steps of some seconds; see ``with_weights_per_second``."""
        return with_weights_per_second(self, seconds, registry)

    def resolve(self, registry: Mapping[str, type[RewardComponent]] = REGISTRY) -> ResolvedSpec:
        """The spec with each component's own weight and clip filled in; see ``resolved.resolve``."""
        return resolve(self, registry)

    def ceiling(self, registry: Mapping[str, type[RewardComponent]] = REGISTRY) -> Ceiling:
        """The most that the reward can come to, from the spec and its components' defaults alone.

        Raises InvalidDocument for types that the registry does not have.
        """
        return ceiling(resolve(self, registry))
