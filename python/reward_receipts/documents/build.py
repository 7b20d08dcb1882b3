"""Makes an instance of a generated class from members that its schema and rules accepted.

Pydantic would run its own validation over them once more, and find what the schema found already. What it would store
is stored here: enums, doubles, whole numbers, tuples, frozen maps, and parts of their own classes. Tests compare both.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from operator import itemgetter
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typing_extensions import TypeAliasType

from ..core.frozen import FROZEN_JSON, Frozen, FrozenMap, frozen_json
from ..core.generated.tables import CANONICAL_ORDER

Make = Callable[[Any], Any]

_SET: Final = object.__setattr__


def in_canonical_order(cls: type[BaseModel], plain: dict[str, Any]) -> dict[str, Any]:
    """Accepted members, the arrays that ``schemas/tables.json`` lists sorted."""
    order = CANONICAL_ORDER.get(cls.__name__)
    if order is None:
        return plain
    keys = {name: None if by is None else itemgetter(by) for name, by in order.items() if name in plain}
    return {**plain, **{name: sorted(plain[name], key=key) for name, key in keys.items()}}


@cache
def builder(cls: type[BaseModel]) -> Callable[[dict[str, Any]], Any]:
    """Returns a function that makes an instance of a generated class of plain members, which it copies."""
    defaults: dict[str, Any] = {}
    factories: dict[str, Callable[[], Any]] = {}
    makes: list[tuple[str, Make]] = []
    for name, field in cls.model_fields.items():
        defaults[name] = None if field.default is PydanticUndefined else field.default
        if field.default_factory is not None:
            factories[name] = field.default_factory  # type: ignore[assignment]  # none takes validated data
        make = _map_of(_make(get_args(field.annotation)[1])) if Frozen in field.metadata else _make(field.annotation)
        if make is not None:
            makes.append((name, make))

    def build(plain: dict[str, Any]) -> Any:
        members = {**defaults, **in_canonical_order(cls, plain)}
        for name, factory in factories.items():
            if name not in plain:
                members[name] = factory()
        for name, make in makes:
            if name in plain:
                members[name] = make(members[name])
        made = cls.__new__(cls)
        _SET(made, "__dict__", members)
        _SET(made, "__pydantic_fields_set__", set(plain))
        _SET(made, "__pydantic_extra__", None)
        _SET(made, "__pydantic_private__", None)
        _SET(made, "_known", {})
        return made

    return build


def _make(annotation: Any) -> Make | None:
    """Returns the function that turns a plain value into the one that is held; None if they are the same."""
    if isinstance(annotation, TypeAliasType):
        return _make(annotation.__value__)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return frozen_json if FROZEN_JSON in arguments[1:] else _make(arguments[0])
    if origin is tuple:
        return _tuple_of(_make(arguments[0]))
    if len(arguments) == 2 and type(None) in arguments and (origin is Union or origin is type(int | None)):
        return _or_none(_make(arguments[arguments[0] is type(None)]))
    if isinstance(annotation, type):
        if issubclass(annotation, BaseModel):
            return builder(annotation)
        if issubclass(annotation, Enum):
            return {member.value: member for member in annotation}.__getitem__
        if annotation in (float, int):
            return annotation
    return None


def _or_none(make: Make | None) -> Make | None:
    return None if make is None else lambda value: None if value is None else make(value)


def _tuple_of(make: Make | None) -> Make:
    return tuple if make is None else lambda values: tuple(map(make, values))


def _map_of(make: Make | None) -> Make:
    if make is None:
        return FrozenMap
    return lambda members: FrozenMap({name: make(member) for name, member in members.items()})
