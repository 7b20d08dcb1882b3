"""The intermediate model: everything that the schemas, codes.json and tables.json say, in the form that emitters use.

``read.read()`` builds one ``Model`` from the files under ``schemas/``. It refuses a construct that
``scripts/lint/forms.py`` does not allow, a reference to nothing, and two definitions of one name. An emitter
(``python.py``, ``typescript.py``, ...) is a module with ``emit(model) -> dict[str, str]``: the text of each file that
it writes, by the file's path under ``generated/``. docs/adding-a-language.md shows how to add one.

What an emitter can rely on:

- Everything is immutable, and nothing refers to a schema: no emitter reads a file.
- ``Model.definitions`` has every named type once, in the order of the files and within each file. A document is a
  definition too; it comes after the other definitions of its file. ``Reference.name`` is always a key of it, and no
  definition refers to itself, directly or not, so that ``Model.in_order_of_use`` can list each after what it uses.
- Names of definitions are CamelCase, names of members and of words snake_case, names of listed integers UPPER_CASE;
  all are ASCII.
- A type is one of the classes in ``Type``. Items of arrays, keys and values of maps, and what can be null, are
  references. A member is a reference, a nullable, a constant, a boolean, an array, a map or any object.
- A member that is not required has a default, or else ``default is ABSENT``: then the member can be left out of the
  completed document too. A default is a scalar, null, ``[]`` or ``{}``; ``{}`` for a record means a record of defaults.
- A text's ``pattern`` is anchored by ^ and $ and made of ASCII literals, ASCII classes, groups, alternatives and
  counted repeats, which every regular expression engine reads alike. A text that matches it must also be free of the
  line breaks in ``LINE_BREAKS``: in some engines $ also matches before a last one. Lengths count Unicode code points.
- ``Integer`` and listed integers lie within 2^53 and are given by any JSON number of that value (2 and 2.0 alike).
- ``Document.rules`` are those that the schemas state; ``Document.rules_beyond`` need hand-written code. Findings are
  reported in that order: rules, then rules beyond.
- Sentences of codes have ``{name}`` placeholders, of word characters only.
- Descriptions, sentences and fixes are free text: an emitter escapes them for the place they are written to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final, TypeAlias

LINE_BREAKS: Final = "\n\r\u0085\u2028\u2029"
"""What no text with a pattern may contain."""


CERTIFIED_MINIMUM_TIER: Final = (
    "The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one."
)
"""What emitters write beside ``Tables.certified_minimum_tier``."""


class Absent(Enum):
    """The type of ``ABSENT``."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""In place of a default: there is none. None is the default null."""

Scalar: TypeAlias = str | int | float | bool | None
Default: TypeAlias = Scalar | tuple[()] | dict[str, "Default"]


@dataclass(frozen=True)
class Bounds:
    """The bounds of a number; None for none."""

    minimum: int | float | None = None
    exclusive_minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_maximum: int | float | None = None


@dataclass(frozen=True)
class Reference:
    """The definition of that name."""

    name: str


@dataclass(frozen=True)
class Nullable:
    """A value of a definition, or null."""

    of: Reference


@dataclass(frozen=True)
class Text:
    """A text of a form: at most ``max_length`` code points that match ``pattern``."""

    max_length: int
    pattern: str
    example: str


@dataclass(frozen=True)
class FreeText:
    """Any text of that many code points."""

    min_length: int
    max_length: int


@dataclass(frozen=True)
class Constant:
    """One text and no other."""

    value: str


@dataclass(frozen=True)
class Word:
    """One of the texts of an enumeration."""

    value: str
    description: str

    @property
    def name(self) -> str:
        """The word in capitals, as the name of a constant."""
        return self.value.upper()


@dataclass(frozen=True)
class Words:
    """One of a few texts."""

    words: tuple[Word, ...]


@dataclass(frozen=True)
class ListedInteger:
    """One of the integers of an enumeration."""

    value: int
    name: str
    description: str


@dataclass(frozen=True)
class Integers:
    """One of a few integers."""

    integers: tuple[ListedInteger, ...]


@dataclass(frozen=True)
class Integer:
    """A whole number between two others, inclusive."""

    minimum: int
    maximum: int


@dataclass(frozen=True)
class Number:
    """A finite double."""

    bounds: Bounds


@dataclass(frozen=True)
class Boolean:
    """True or false."""


@dataclass(frozen=True)
class Array:
    """An array; with ``unique``, its items (texts) must differ."""

    items: Reference
    min_items: int
    max_items: int
    unique: bool

    @property
    def length(self) -> int | None:
        """The number of items, if only one is allowed."""
        return self.max_items if self.min_items == self.max_items else None


@dataclass(frozen=True)
class Map:
    """An object with any members whose names are texts of one definition and whose values are of another."""

    names: Reference
    values: Reference
    max_members: int


@dataclass(frozen=True)
class AnyObject:
    """An object with any members, each any JSON value. Its numbers count as doubles, however deep they are."""

    max_members: int


@dataclass(frozen=True)
class Member:
    """A named member of a record."""

    name: str
    type: MemberType
    description: str
    required: bool
    default: Default | Absent = ABSENT


@dataclass(frozen=True)
class Record:
    """An object with these members and no others."""

    members: tuple[Member, ...]

    @cached_property
    def by_name(self) -> dict[str, Member]:
        """The members by their names."""
        return {member.name: member for member in self.members}


MemberType: TypeAlias = Reference | Nullable | Constant | Boolean | Array | Map | AnyObject
Type: TypeAlias = MemberType | Text | FreeText | Words | Integers | Integer | Number | Record


@dataclass(frozen=True)
class Definition:
    """A named type."""

    name: str
    description: str
    type: Type
    file: str
    """The file under ``schemas/`` that defines it."""


@dataclass(frozen=True)
class Demand:
    """What a rule asks of one member. All that is given has to be met."""

    member: str
    required: bool
    """Whether the member must be given: a default does not meet the demand."""
    values: tuple[Scalar, ...] = ()
    """The only values that are allowed; empty for any."""
    types: tuple[str, ...] = ()
    """The only JSON types that are allowed (string, number, integer, boolean, object, null); empty for any."""
    bounds: Bounds = Bounds()
    min_members: int | None = None
    max_members: int | None = None


@dataclass(frozen=True)
class Case:
    """What a rule demands if its member has one of some values."""

    values: tuple[Scalar, ...]
    demands: tuple[Demand, ...]


@dataclass(frozen=True)
class Rule:
    """A rule of a schema, over the completed document: the first case that has the member's value decides."""

    id: str
    sentence: str
    member: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Code:
    """A rule or code that a message can carry."""

    id: str
    layer: str
    sentence: str
    fix: str
    source: str
    """The file under ``schemas/`` that states it."""
    field: str = ""
    """The member of the receipt that an audit's finding with this code points to; empty where no audit has it."""
    found: str = ""
    """What a message says after the sentence of a rule beyond the schemas."""


@dataclass(frozen=True)
class Keyword:
    """What a message says of a value that a keyword of JSON Schema refuses."""

    keyword: str
    found: str
    form: str = ""
    """The part of ``found`` that also goes with the name of a member; empty if the keyword is not about texts."""


@dataclass(frozen=True)
class AuditCheck:
    """A check of an audit."""

    code: str
    applies_with: tuple[str, ...]
    """When it applies: ``certificate`` if the receipt names one, ``update`` if the trainer's update is given."""
    needs: tuple[str, ...]
    """The inputs that it needs besides the receipt."""
    signer_unknown: str | None = None
    """The code under which a check of a signature is unchecked if no key of the signer is held."""


@dataclass(frozen=True)
class Audit:
    """The checks of an audit in their order, and the inputs that they need with the options that give them."""

    inputs: dict[str, str]
    checks: tuple[AuditCheck, ...]


@dataclass(frozen=True)
class Document:
    """A kind of document."""

    kind: str
    """The short name, as in messages and on the command line: contract, receipt, trace-row, ..."""
    schema_version: str
    id: str
    """The $id of its schema."""
    definition: Definition
    record: Record
    rules: tuple[Rule, ...]
    rules_beyond: tuple[Code, ...]

    @property
    def constant_name(self) -> str:
        """The name of the schema's file in capitals, as the beginning of a constant's name."""
        return self.definition.file.removesuffix(".schema.json").replace("-", "_").upper()


@dataclass(frozen=True)
class Umbrella:
    """The schema of any signed or digested document, which tells the kinds apart by ``schema_version``."""

    name: str
    description: str
    label_description: str
    """What ``schema_version`` is to a reader that does not know the kind yet."""
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class ScoringClass:
    """How some outcomes are scored."""

    name: str
    description: str
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class Limit:
    """A number that every implementation keeps to."""

    name: str
    """In capitals, as the name of a constant."""
    value: int
    description: str


@dataclass(frozen=True)
class CanonicalOrder:
    """An array that is sorted in the canonical form: by a member of its items, or by the items if ``by`` is None."""

    definition: str
    member: str
    by: str | None


@dataclass(frozen=True)
class Tables:
    """What follows from the words of the schemas."""

    scoring_classes: tuple[ScoringClass, ...]
    tier_of_channel: dict[str, int]
    certified_minimum_tier: int
    """What ``CERTIFIED_MINIMUM_TIER`` says."""
    canonical_order: tuple[CanonicalOrder, ...]
    """No other array is sorted. Texts compare by code points."""
    limits: tuple[Limit, ...]

    @property
    def scoring_class_of_outcome(self) -> dict[str, str]:
        """The name of the scoring class of each outcome."""
        return {outcome: each.name for each in self.scoring_classes for outcome in each.outcomes}


@dataclass(frozen=True)
class Model:
    """Everything that the files under ``schemas/`` say."""

    documents: tuple[Document, ...]
    umbrella: Umbrella
    definitions: dict[str, Definition]
    codes: tuple[Code, ...]
    """Rules of the schemas, rules beyond them and all other codes, in the order in which findings are reported."""
    keywords: tuple[Keyword, ...]
    notes: dict[str, str]
    """Sentences that belong to no code, by their ids."""
    audit: Audit
    tables: Tables

    def document(self, kind: str) -> Document:
        """The document of a kind."""
        return next(document for document in self.documents if document.kind == kind)

    def resolved(self, type_: Type) -> Type:
        """A type with references followed to what they name."""
        while isinstance(type_, Reference):
            type_ = self.definitions[type_.name].type
        return type_

    def values_of(self, type_: Type) -> tuple[Scalar, ...] | None:
        """All values of a type, if the schemas list them; else None."""
        match self.resolved(type_):
            case Words(words):
                return tuple(word.value for word in words)
            case Integers(integers):
                return tuple(each.value for each in integers)
            case Boolean():
                return (False, True)
            case _:
                return None

    def in_order_of_use(self, *names: str) -> list[Definition]:
        """The definitions of those names and all that they use, each once and after what it uses."""
        found: dict[str, Definition] = {}

        def visit(name: str) -> None:
            if name not in found:
                definition = self.definitions[name]
                for reference in references(definition.type):
                    visit(reference.name)
                found[name] = definition

        for name in names:
            visit(name)
        return list(found.values())

    def in_file_order(self, *names: str) -> list[Definition]:
        """The same definitions in the order of ``definitions``."""
        used = {definition.name for definition in self.in_order_of_use(*names)}
        return [definition for name, definition in self.definitions.items() if name in used]


def references(type_: Type) -> Iterator[Reference]:
    """The references in a type, in the order in which they are written; definitions are not followed."""
    match type_:
        case Reference():
            yield type_
        case Nullable(of):
            yield of
        case Array(items=items):
            yield items
        case Map(names=names, values=values):
            yield from (names, values)
        case Record(members):
            for member in members:
                yield from references(member.type)
        case _:
            return
