"""The base of all generated classes: the schema is run on every way in, and what is held cannot change.

``Part`` is the base of the objects inside documents, ``Document`` of the three documents themselves.

An instance that came through validation is *settled*: it carries a mark that only validation sets. One made by
``model_construct`` is not; before it is digested, signed, compared or dumped it is validated like any other input.

A subclass can add methods and validators; what its validators return is checked again. Outside of all this is code in
the same process that rewrites ``__dict__``, the slots whose names begin with an underscore, or these classes: nothing
in Python stops it, so a document is evidence as text with a signature, not as an object that others could reach.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    model_serializer,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

from ..core.canonical import sha256_digest
from ..core.findings import Finding, InvalidDocument, shown
from ..core.pointer import member_at
from ..core.redaction import could_be_key, redacted
from ..core.strict_json import read_json
from ..validation.check import check, is_small
from ..validation.schemas import DataKind, Kind
from .attributes import attributes
from .build import builder, in_canonical_order
from .direct import accepted_document
from .export import canonical_texts, plain_member
from .json_schema import state
from .python_input import plain_json

_GENERATED: Final = re.compile(r"reward_receipts\.[\w.]+\.generated\.")

Model = TypeVar("Model", bound="Part")


class Checked:
    """Holds plain members that the schema and the rules have already accepted. Only this package makes one."""

    __slots__ = ("members",)

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members


def _enforce(cls: type[Model], data: Any, handler: ValidatorFunctionWrapHandler) -> Model:
    """Every way in to an instance of a class. Whatever a subclass adds to it runs inside."""
    base = _generated_class(cls)
    if type(data) is Checked:
        plain = data.members
    else:
        if isinstance(data, cls):
            return data._settled()
        try:
            plain = plain_json(data, ())
        except InvalidDocument as error:
            raise cls._refusal(error.findings, data, _foreign_input) from None
        findings = base._check(plain)
        if findings:
            raise cls._refusal(findings, plain)
    if cls is base and type(data) is Checked:  # of others pydantic may have made the instance already
        return base.of_checked(plain)
    made = handler(base._complete(in_canonical_order(base, plain)))
    if cls is not base:
        if not isinstance(made, cls):
            raise TypeError(f"a validator of {cls.__name__} returned a {type(made).__name__}")
        given = made.__pydantic_fields_set__
        # A validator of the subclass can have changed members: they are checked like any others, and stored in the
        # types that cannot change.
        base._take(made, base.model_validate({name: made.__dict__[name] for name in given if name in made.__dict__}))
    object.__setattr__(made, "_known", {})
    result: Model = made
    return result


@cache
def _enforcer(cls: type[Part]) -> Callable[[Any, ValidatorFunctionWrapHandler], Part]:
    """``_enforce`` for one class; the same function each time, under the class's name in pydantic's messages."""

    def enforce(data: Any, handler: ValidatorFunctionWrapHandler) -> Part:
        return _enforce(cls, data, handler)

    enforce.__name__ = enforce.__qualname__ = cls.__name__
    return enforce


class Part(BaseModel):
    """An object inside a document: frozen, checked against its schema on every way in."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    __slots__ = ("_known",)
    if TYPE_CHECKING:
        # What was worked out. That it is there at all says that validation made the instance. A slot, written as a
        # class variable so that type checkers do not take it for a member of the document.
        _known: ClassVar[dict[str, str]]

    _kind: ClassVar[Kind | DataKind] = "contract"
    """The kind of document whose schema defines the class."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        defined = cast("dict[str, Any]", handler.resolve_ref_schema(schema))
        enforced = _enforcer(cls)
        if defined["type"] != "function-wrap" or defined["function"]["function"] is not enforced:
            # Around all of it, the validators of subclasses too, and in place: a reference to it stays one.
            inner = dict(defined)
            ref = inner.pop("ref", None)
            outer = core_schema.no_info_wrap_validator_function(enforced, cast(CoreSchema, inner), ref=ref)
            defined.clear()
            defined.update(outer)
        return schema

    @classmethod
    def _check(cls, plain: Any) -> tuple[Finding, ...]:
        return check(cls._kind, plain, cls._generated_class().__name__)

    @classmethod
    def _generated_class(cls) -> type[Part]:
        """The class that the schema gives; a subclass of it has the same members and identity."""
        return _generated_class(cls)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if _GENERATED.match(cls.__module__):
            return
        for base in cls.__mro__[1:]:
            if _GENERATED.match(base.__module__) and issubclass(base, Part):
                _require_same_document(cls, base)

    def _take(self, other: Part) -> None:
        """Stores the members of another instance in place of its own."""
        object.__setattr__(self, "__dict__", dict(other.__dict__))
        object.__setattr__(self, "__pydantic_fields_set__", set(other.__pydantic_fields_set__))

    @classmethod
    def _complete(cls, plain: dict[str, Any]) -> dict[str, Any]:
        """Accepted members, with their parts as ``Checked``; pydantic fills in the defaults."""
        return plain

    @classmethod
    def of_checked(cls, plain: dict[str, Any]) -> Self:
        """The instance of plain members that the schema and the rules accepted. For this package only."""
        made: Self = builder(cls)(plain)
        return made

    @classmethod
    def _refusal(
        cls, findings: tuple[Finding, ...], value: Any, shown_input: Callable[[Any], Any] | None = None
    ) -> ValidationError:
        """Pydantic's error for findings. The type of each is its code."""
        shown_input = shown_input or _input
        return ValidationError.from_exception_data(
            cls.__name__,
            [
                InitErrorDetails(
                    type=PydanticCustomError(finding.code, "{sentence}", cls._context(finding, value)),
                    loc=tuple(redacted(step) if isinstance(step, str) else step for step in finding.path),
                    input=shown_input(member_at(value, finding.path)),
                )
                for finding in findings
            ],
        )

    @classmethod
    def _context(cls, finding: Finding, value: Any) -> dict[str, Any]:
        return {"sentence": finding.sentence}

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """Like pydantic's, from strict text: a member named twice, a BOM, NaN and the like are refused.

        Raises pydantic's ValidationError; the types of its errors are the ids of rules and codes.
        """
        try:
            data = read_json(json_data)
        except InvalidDocument as error:
            raise cls._refusal(error.findings, None) from None
        if options or _generated_class(cls) is not cls:
            return cls.model_validate(data, **options)
        findings = cls._check(data)
        if findings:
            raise cls._refusal(findings, data)
        return cls.of_checked(data)

    @classmethod
    def model_validate(
        cls, obj: Any, *, strict: bool | None = None, from_attributes: bool | None = None, **options: Any
    ) -> Self:
        """Like pydantic's. ``strict`` changes nothing: the schema, which is strict, is run in any case.

        With ``from_attributes`` the members are read from the attributes of an object: a row of an ORM, or a model of
        another package. What else it has is not looked at.
        """
        return super().model_validate(attributes(cls, obj) if from_attributes else obj, **options)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some members changed, checked against the schema and every rule again.

        Raises pydantic's ValidationError where the changed document does not hold them.
        """
        settled = self._settled()
        return type(self).model_validate({**settled._plain(), **update}) if update else settled

    def _settled(self) -> Self:
        """This instance if validation made it, else one that validation makes of its members."""
        try:
            self._known  # noqa: B018 - validation sets it, and nothing else does
        except AttributeError:
            return type(self).model_validate(dict(self.__dict__))
        return self

    def _canonical_text(self) -> str:
        """The canonical form of the completed object, worked out once."""
        settled = self._settled()
        text = settled._known.get("canonical text")
        if text is None:
            _, members, template = _layout(type(self))
            text = template % canonical_texts(members(settled.__dict__))
            settled._known["canonical text"] = text
        return text

    def _plain(self) -> dict[str, Any]:
        """The completed object as plain JSON, a dict of its own, in canonical order."""
        members = self._settled().__dict__
        return {name: plain_member(members[name]) for name in _layout(type(self))[0]}

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Part) or other._generated_class() is not self._generated_class():
            return NotImplemented
        return self._canonical_text() == other._canonical_text()

    def __hash__(self) -> int:
        return hash(self._canonical_text())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._plain())

    def __copy__(self) -> Self:
        return self._settled()

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self._settled()

    @model_serializer(mode="wrap")
    def _export(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        exported: dict[str, Any] = handler(self._settled())
        return exported

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # _export gives out the members as they are, so what goes out has the schema of what comes in.
        inner = core_schema.get("schema")
        if isinstance(inner, dict) and inner.get("type") == "model":
            inner = {key: value for key, value in inner.items() if key != "serialization"}
            core_schema = cast(CoreSchema, {**core_schema, "schema": inner})
        published = handler(core_schema)
        state(cls._kind, _generated_class(cls).__name__, handler.resolve_ref_schema(published))
        return published


class Document(Part):
    """A contract, a certificate or a receipt."""

    __slots__ = ()

    @classmethod
    def _check(cls, plain: Any) -> tuple[Finding, ...]:
        return check(cls._kind, plain)

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """Like pydantic's, from strict text: a member named twice, a BOM, NaN and the like are refused.

        Raises pydantic's ValidationError; the types of its errors are the ids of rules and codes.
        """
        if not options and _generated_class(cls) is cls:
            accepted: Self | None = accepted_document(json_data, cls._kind, (cls,))
            if accepted is not None:
                return accepted
        return super().model_validate_json(json_data, **options)

    @property
    def digest(self) -> str:
        """``sha256:`` and the hex of the SHA-256 over the canonical bytes of the completed document.

        Worked out once. Raises pydantic's ValidationError for an instance that came past validation and does not hold.
        """
        try:
            known = self._known
        except AttributeError:
            return self._settled().digest
        digest = known.get("digest")
        if digest is None:
            digest = known["digest"] = sha256_digest(self._canonical_text().encode("ascii"))
        return digest


class SignedDocument(Document):
    """A document that carries a signature over itself."""

    __slots__ = ()

    def unsigned_payload(self) -> dict[str, Any]:
        """What the signature covers: the completed document without signature and signature_algorithm.

        A plain dict of its own, in canonical order; ``canonical_json_bytes`` of it are the bytes that are signed.
        """
        payload = self._plain()
        del payload["signature"], payload["signature_algorithm"]
        return payload

    def _signature(self) -> tuple[str, str]:
        """The algorithm and the signature."""
        members = self._settled().__dict__
        return members["signature_algorithm"], members["signature"]

    def _signed_bytes(self) -> bytes:
        """The canonical bytes of ``unsigned_payload()``: those of the document, without two members side by side."""
        algorithm, signature = self._signature()
        cut = f',"signature":"{signature}","signature_algorithm":"{algorithm}"'
        return self._canonical_text().replace(cut, "", 1).encode("ascii")


@cache
def _generated_class(cls: type[Part]) -> type[Part]:
    return next(base for base in cls.__mro__ if _GENERATED.match(base.__module__))


_OWN: Final = frozenset({"__setattr__", "__delattr__", "__get_pydantic_core_schema__"})
"""Names that a subclass of a document cannot define: it would make it mutable, or let members in unchecked."""


def _require_same_document(cls: type[Part], base: type[Part]) -> None:
    """Raises TypeError unless a subclass has the members of its document, and cannot change either."""
    if cls.model_fields.keys() != base.model_fields.keys():
        raise TypeError(f"{cls.__name__} adds members to {base.__name__}, which its digest could not cover")
    own = vars(cls).keys() | inspect.get_annotations(cls).keys()
    if redefined := sorted(own & base.model_fields.keys()):
        raise TypeError(f"{cls.__name__} redefines {', '.join(redefined)} of {base.__name__}; the schema defines it")
    if forbidden := sorted(own & _OWN):
        raise TypeError(f"{cls.__name__} defines {', '.join(forbidden)}; a {base.__name__} is immutable and checked")
    if not cls.model_config.get("frozen"):
        raise TypeError(f"{cls.__name__} is not frozen; a {base.__name__} is immutable, and its digest is remembered")


def _input(value: Any) -> Any:
    """A value as an error carries it: all of it, or a large container's beginning; who sends errors on copies it.

    Pydantic prints it, so what could be a private key is left out.
    """
    if isinstance(value, str):
        return redacted(value) if is_small(value) else shown(value)
    return value if is_small(value) and not _holds_key(value) else shown(value)


def _foreign_input(value: Any) -> Any:
    """A value that JSON does not have, as an error carries it: text, because services send errors on as JSON."""
    if isinstance(value, str):
        return shown(redacted(value))
    return repr(float(value)) if isinstance(value, float) else f"<{type(value).__module__}.{type(value).__qualname__}>"


def _holds_key(value: Any) -> bool:
    """Whether a member of an object, or its name, could be a private key. A signature is not one."""
    return isinstance(value, Mapping) and any(
        could_be_key(str(name)) or (isinstance(member, str) and name != "signature" and could_be_key(member))
        for name, member in value.items()
    )


def expected(value: object, kind: type[Model], name: str, wanted: str | None = None) -> Model:
    """``value``, an argument called ``name``, if it is of a kind. Raises TypeError, which says how to make one.

    ``wanted`` is the name of the class that messages ask for, where ``kind`` is a base of it.
    """
    if isinstance(value, kind):
        return value
    wanted, found = wanted or kind.__name__, type(value).__name__
    if isinstance(value, Mapping):
        fix = f"; {wanted}.model_validate({name}) makes one"
    elif isinstance(value, (str, bytes, bytearray)):
        fix = f"; {wanted}.model_validate_json({name}) makes one"
    elif not isinstance(value, Part) and isinstance(value, BaseModel):
        fix = f"; {wanted}.model_validate({name}.model_dump()) makes one"
    else:
        fix = ""
    article = "an" if found[:1] in "aeiouAEIO" else "a"
    given = "None" if value is None else f"{article} {found}"
    if found == wanted:
        given += f" of {type(value).__module__}"
    raise TypeError(f"{name} is {given}; expected a {wanted}{fix}")


def _restore(cls: type[Part], members: dict[str, Any]) -> Part:
    return cls.model_validate(members)


@cache
def _layout(cls: type[Part]) -> tuple[tuple[str, ...], Callable[[dict[str, Any]], tuple[Any, ...]], str]:
    """The names of a class in canonical order, what takes their values, and the canonical text around these."""
    names = tuple(sorted(cls.model_fields))
    return names, itemgetter(*names), "{" + ",".join(f'"{name}":%s' for name in names) + "}"
