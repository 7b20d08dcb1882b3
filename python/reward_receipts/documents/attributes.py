"""The members of a document as the attributes of an object: a row of an ORM, a model of another package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel
from typing_extensions import TypeAliasType


def attributes(model: type[BaseModel], value: Any) -> Any:
    """The attributes of an object that a model has members for, parts of documents likewise.

    A mapping, text, or an instance of the model is returned as it is.
    """
    if value is None or isinstance(value, (Mapping, str, bytes, bytearray, int, float, model)):
        return value
    return {
        name: _read(_part(field.annotation), getattr(value, name))
        for name, field in model.model_fields.items()
        if hasattr(value, name)
    }


def _read(part: type[BaseModel] | None, value: Any) -> Any:
    if part is None:
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [attributes(part, item) for item in value]
    return attributes(part, value)


def _part(annotation: Any) -> type[BaseModel] | None:
    """The model of the objects in a member, if it has any."""
    if isinstance(annotation, TypeAliasType):
        return _part(annotation.__value__)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := _part(each)) is not None), None)
