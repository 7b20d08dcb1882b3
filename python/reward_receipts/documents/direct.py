"""How the extension makes models of what it accepted: as validation makes them, without running it again."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typing_extensions import TypeAliasType

from ..core import extension
from ..core.frozen import Frozen, FrozenMap
from ..validation.schemas import KINDS

Classes = tuple[type[BaseModel], ...]
"""Generated classes of documents. They are given and not imported: their own bases import this module."""


def accepted_document(data: object, kind: str | None, classes: Classes) -> Any:
    """The model of the document in a text; None if the package has to check it. One of the classes has the kind."""
    module = extension.extension()
    if module is None or (kind is not None and kind not in KINDS):  # a trace row, say
        return None
    return _models(module, classes).read(data, kind)


@cache
def _models(module: Any, classes: Classes) -> Any:
    """What makes models: it is given, for each kind, the layout of its class."""
    return module.Models({cls._kind: _layout(cls) for cls in classes})  # type: ignore[attr-defined]


def _layout(cls: type[BaseModel]) -> tuple[type[BaseModel], dict[str, Any], dict[str, Any]]:
    """A class, the default of each member, and what makes the members that are not plain values."""
    defaults, makings = {}, {}
    for name, field in cls.model_fields.items():
        default = field.get_default(call_default_factory=True)
        defaults[name] = None if default is PydanticUndefined else default
        making = (FrozenMap, "_members") if Frozen in field.metadata else _making(field.annotation)
        if making is not None:
            makings[name] = making
    return cls, defaults, makings


def _making(annotation: Any) -> Any:
    """The members of an enum by their values, or the layout of a part; None for plain values."""
    if isinstance(annotation, TypeAliasType):
        return _making(annotation.__value__)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {member.value: member for member in annotation}
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _layout(annotation)
    return next((found for each in get_args(annotation) if (found := _making(each)) is not None), None)
