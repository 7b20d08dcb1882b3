"""The components that every registry of the package has, by the names under which a spec finds them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from . import generic, operations
from .component import RewardComponent

COMPONENTS: Final[Mapping[str, type[RewardComponent]]] = MappingProxyType(
    {**operations.COMPONENTS, **generic.COMPONENTS}
)
