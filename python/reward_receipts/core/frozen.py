"""A mapping that cannot change, for the maps inside documents."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Self, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, SchemaSerializer, core_schema

Value = TypeVar("Value", covariant=True)


class FrozenDict(Mapping[str, Value]):
    """A read-only, picklable mapping from text, in the order it was given; hashable where its values are."""

    __slots__ = ("_members",)
    _members: Mapping[str, Value]
    __pydantic_serializer__ = SchemaSerializer(  # for dumps that go by the value's type (serialize_as_any)
        core_schema.any_schema(serialization=core_schema.plain_serializer_function_ser_schema(dict))
    )

    def __new__(cls, members: Mapping[str, Value]) -> Self:
        self = super().__new__(cls)
        _set_members(self, MappingProxyType(dict(members)))
        return self

    def __getitem__(self, key: str) -> Value:
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def items(self) -> ItemsView[str, Value]:
        return self._members.items()

    def __len__(self) -> int:
        return len(self._members)

    def copy(self) -> dict[str, Value]:
        """The members as a plain dict, which can change."""
        return dict(self._members)

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        """The members of both as a plain dict; those of ``other`` win."""
        return {**self._members, **other} if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self._members} if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._members.items()))  # mappings are equal in any order

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot change")

    __delattr__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self._members))

    def __reduce__(self) -> tuple[type[FrozenDict[Value]], tuple[dict[str, Value]]]:
        return type(self), (dict(self._members),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class FrozenMap(FrozenDict[Value]):
    """A FrozenDict in the order of its keys' code points, as the documents hold it."""

    __slots__ = ()

    def __new__(cls, members: Mapping[str, Value]) -> Self:
        return super().__new__(cls, dict(sorted(members.items())))


_set_members: Final[Any] = FrozenDict.__dict__["_members"].__set__  # the slot itself, past __setattr__


class _Frozen:
    """Marks a ``Mapping`` field: any mapping goes in, a FrozenMap is held, a plain dict comes out of a dump."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        key, value = source.__args__
        plain = core_schema.dict_schema(handler.generate_schema(key), handler.generate_schema(value))
        return core_schema.no_info_after_validator_function(
            FrozenMap,
            plain,
            serialization=core_schema.plain_serializer_function_ser_schema(dict, return_schema=plain),
        )


Frozen: Final = _Frozen()


def frozen_json(value: Any) -> Any:
    """A plain JSON value as a document holds it: tuples, FrozenMaps, and doubles for all numbers.

    >>> frozen_json({"target": 1, "names": ["x", True]})
    {'names': ('x', True), 'target': 1.0}
    """
    if type(value) is int:
        return float(value)
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen_json, value))
    if isinstance(value, Mapping):
        return FrozenMap({name: frozen_json(member) for name, member in value.items()})
    return value


def thawed_json(value: Any) -> Any:
    """The same as lists and dicts, which can change.

    >>> thawed_json(frozen_json({"names": ["x"]}))
    {'names': ['x']}
    """
    if isinstance(value, tuple):
        return [thawed_json(item) for item in value]
    if isinstance(value, Mapping):
        return {name: thawed_json(member) for name, member in value.items()}
    return value


class _FrozenJson:
    """Marks a ``Mapping`` field whose members are any JSON: ``frozen_json`` of it is held, a plain dict comes out."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        plain = core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema())
        return core_schema.no_info_after_validator_function(
            frozen_json,
            plain,
            serialization=core_schema.plain_serializer_function_ser_schema(thawed_json, return_schema=plain),
        )


FROZEN_JSON: Final = _FrozenJson()
FrozenJson: TypeAlias = Annotated[Mapping[str, Any], FROZEN_JSON]
"""An object with any members, which cannot change at any depth."""
