"""The base of all generated classes: the schema is run on every way in, and what is held cannot change.

``Part`` is the base of the objects inside documents, ``Document`` of the three documents themselves.

An instance that came through validation is *settled*: it carries a mark that only validation sets. One made by
``model_construct``, or by unpickling bytes that somebody wrote by hand, is not; before it is digested, signed,
compared or dumped it is validated like any other input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Never, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError

from ..canonical import sha256_digest
from ..findings import Finding, InvalidDocument, member_at, shown
from ..redaction import could_be_key, redacted
from ..shape import DataKind, Kind, check, is_small
from ..text import read_json
from .members import canonical_texts, plain_member
from .python_input import plain_json

_GENERATED: Final = "reward_receipts.generated."


class Judged:
    """Holds plain members that the schema and the rules have already accepted. Only this package makes one."""

    __slots__ = ("members",)

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members


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

    @model_validator(mode="wrap")
    @classmethod
    def _enforce(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if type(data) is Judged:
            data = data.members
        else:
            if isinstance(data, cls):
                return data._settled()
            try:
                plain = plain_json(data, ())
            except InvalidDocument as error:
                raise cls._refusal(error.findings, data, _foreign_input) from None
            findings = cls._check(plain)
            if findings:
                raise cls._refusal(findings, plain)
            data = plain
        self = handler(cls._complete(data))
        object.__setattr__(self, "_known", {})
        return self

    @classmethod
    def _check(cls, plain: Any) -> tuple[Finding, ...]:
        return check(cls._kind, plain, cls._generated_class().__name__)

    @classmethod
    def _generated_class(cls) -> type[Part]:
        """The class that the schema gives; a subclass of it has the same members and identity."""
        return next(base for base in cls.__mro__ if base.__module__.startswith(_GENERATED))

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        for base in cls.__mro__[1:]:
            if (
                base.__module__.startswith(_GENERATED)
                and issubclass(base, Part)
                and cls.model_fields.keys() != base.model_fields.keys()
            ):
                raise TypeError(f"{cls.__name__} adds members to {base.__name__}, which its digest could not cover")

    @classmethod
    def _complete(cls, plain: dict[str, Any]) -> dict[str, Any]:
        """Accepted members in the order of the completed document; pydantic fills in the defaults."""
        return plain

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
        return cls.model_validate(data, **options)

    @classmethod
    def model_validate(cls, obj: Any, *, strict: bool | None = None, **options: Any) -> Self:
        """Like pydantic's. ``strict`` changes nothing: the schema, which is strict, is run in any case."""
        return super().model_validate(obj, **options)

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

    def __setstate__(self, state: object) -> Never:
        raise TypeError(f"a pickled {type(self).__name__} is restored by validation only")

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
        return handler(core_schema)


class Document(Part):
    """A contract, a certificate or a receipt."""

    __slots__ = ()

    @classmethod
    def _check(cls, plain: Any) -> tuple[Finding, ...]:
        return check(cls._kind, plain)

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


PartClass = TypeVar("PartClass", bound=Part)


def expected(value: object, kind: type[PartClass], name: str) -> PartClass:
    """``value``, an argument called ``name``, if it is of a kind. Raises TypeError, which says how to make one."""
    if isinstance(value, kind):
        return value
    wanted, found = kind.__name__, type(value).__name__
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
    raise TypeError(f"{name} is {given}; expected a {wanted}{fix}")


def _restore(cls: type[Part], members: dict[str, Any]) -> Part:
    return cls.model_validate(members)


@cache
def _layout(cls: type[Part]) -> tuple[tuple[str, ...], Callable[[dict[str, Any]], tuple[Any, ...]], str]:
    """The names of a class in canonical order, what takes their values, and the canonical text around these."""
    names = tuple(sorted(cls.model_fields))
    return names, itemgetter(*names), "{" + ",".join(f'"{name}":%s' for name in names) + "}"
