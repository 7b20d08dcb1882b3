"""Writes generated/python: the words and tables by hand, the models through datamodel-code-generator.

datamodel-code-generator reads a schema that is written from the model, with a placeholder for each description, so that
no text of a schema can become code. Its module is changed as a syntax tree, since no option gives what the package
needs: tuples and frozen maps in place of lists and dicts, defaults that are made anew, the words from their own module.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from pathlib import Path
from typing import TypeVar

from generate import COMMAND
from generate.json_schema import Writer
from generate.model import (
    CERTIFIED_MINIMUM_TIER,
    LINE_BREAKS,
    Definition,
    Integers,
    Map,
    Member,
    Model,
    Record,
    Reference,
    Text,
    Words,
)
from generate.texts import one_line, python_text
from generate.tools import ROOT, require, run

TOOLS = {"datamodel-code-generator": "0.89.0", "ruff": "0.17.6"}
"""The programs that write and format the models, and the versions that give the committed bytes."""

HEADER = '''"""{title}

Generated from schemas/. Do not edit: change the schemas, then run

    {command}
"""

from __future__ import annotations

'''

BASES = {
    "RewardContractV1": "reward_receipts.documents.contract.ContractDocument",
    "RewardCertificateV1": "reward_receipts.documents.certificate.CertificateDocument",
    "RewardEvidenceReceiptV1": "reward_receipts.documents.receipt.ReceiptDocument",
    "RewardCertificatePolicyV1": "reward_receipts.documents.certificate.CertificatePolicyPart",
    "RewardComponentV1": "reward_receipts.documents.contract.ComponentPart",
    "RewardOracleV1": "reward_receipts.documents.oracle.OraclePart",
    "RewardScoringPolicyV1": "reward_receipts.documents.outcomes.ScoringPolicyPart",
    "RewardSpec": "reward_receipts.rewards.spec.document.SpecDocument",
    "RewardSpecComponent": "reward_receipts.rewards.spec.members.SpecComponentPart",
    "RewardSpecGate": "reward_receipts.rewards.spec.members.SpecGatePart",
    "RewardTraceRow": "reward_receipts.traces.bases.TraceRowDocument",
    "RewardTermDetail": "reward_receipts.traces.bases.TraceRowPart",
    "RegimeReport": "reward_receipts.traces.bases.RegimeReportDocument",
    **dict.fromkeys(
        ("EpisodeStatistics", "EvaluationSummary", "RegimeSummary", "SpecStageSummary", "ComponentSummary"),
        "reward_receipts.traces.bases.RegimeReportPart",
    ),
}
"""The hand-written base of each class; the others have ``PART``."""

PART = "reward_receipts.documents.model.Part"
FROZEN = "reward_receipts.core.frozen"
VOCABULARY = "reward_receipts.core.generated.vocabulary"

APART = {
    "spec": "python/rewards/reward_spec.py",
    "trace-row": "python/traces/reward_trace_row.py",
    "regime-report": "python/traces/regime_report.py",
}
"""The documents that get a module of their own, so that whoever reads one loads no other."""


FOLDER = f'"""Written by {COMMAND} from the schemas."""\n'


def emit(model: Model) -> dict[str, str]:
    """The text of each file, by its path under generated/. Raises ToolMissing."""
    for tool, pinned in TOOLS.items():
        require(tool, pinned)
    documents = [document.definition.name for document in model.umbrella.documents]
    roots = [*documents, *(model.document(kind).definition.name for kind in APART)]
    words = [each for each in model.in_file_order(*roots) if isinstance(each.type, Words | Integers)]
    elsewhere = {definition.name for definition in words}
    models = Models(model)
    shared = models.module([*defined_before_use(model, *documents), model.umbrella.name], elsewhere)
    bodies = {
        "python/core/vocabulary.py": ("The words of the reward documents: enums.", vocabulary(words)),
        "python/documents/models.py": ("The reward documents and their parts: models.", shared),
        "python/core/tables.py": ("What follows from an outcome and from a channel, and the limits.", tables(model)),
    }
    for kind, path in APART.items():
        names = defined_before_use(model, model.document(kind).definition.name)
        bodies[path] = f"The {kind} and its parts: models.", models.module(names, elsewhere)
    written = {path: HEADER.format(title=title, command=COMMAND) + body for path, (title, body) in bodies.items()}
    folders = {f"python/{name}/__init__.py": FOLDER for name in ("core", "documents", "rewards", "traces")}
    return folders | {path: formatted(source) for path, source in written.items()}


# Words and tables


def vocabulary(words: list[Definition]) -> str:
    """The enums."""
    text = "from enum import IntEnum, StrEnum\n"
    for definition in words:
        listed = definition.type
        assert isinstance(listed, Words | Integers)
        base = "StrEnum" if isinstance(listed, Words) else "IntEnum"
        text += f'class {definition.name}({base}):\n    """{python_text(definition.description)}"""\n'
        members = listed.words if isinstance(listed, Words) else listed.integers
        for member in members:
            text += f'    {member.name} = {json.dumps(member.value)}\n    """{python_text(member.description)}"""\n'
    return text


def tables(model: Model) -> str:
    """The tables over words, and the constants."""
    listed = model.definitions["OracleTier"].type
    assert isinstance(listed, Integers)
    tiers = {each.value: f"OracleTier.{each.name}" for each in listed.integers}
    lines = [
        "from collections.abc import Mapping",
        "from enum import StrEnum",
        "from types import MappingProxyType",
        "from typing import Final, Literal",
        "from .vocabulary import OracleChannel, OracleTier, RewardOutcomeV1",
        "class RewardScoringClassV1(StrEnum):",
        '    """How an outcome is scored."""',
    ]
    for each in model.tables.scoring_classes:
        lines.append(f'    {each.name.upper()} = "{each.name}"')
        lines.append(f'    """{python_text(each.description)}"""')
    lines.append("REWARD_SCORING_CLASS: Final[Mapping[RewardOutcomeV1, RewardScoringClassV1]] = MappingProxyType({")
    for outcome, scoring in model.tables.scoring_class_of_outcome.items():
        lines.append(f"    RewardOutcomeV1.{outcome.upper()}: RewardScoringClassV1.{scoring.upper()},")
    lines += ["})", '"""The scoring class of each outcome."""']
    lines.append("TIER_OF_CHANNEL: Final[Mapping[OracleChannel, OracleTier]] = MappingProxyType({")
    for channel, tier in model.tables.tier_of_channel.items():
        lines.append(f"    OracleChannel.{channel.upper()}: {tiers[tier]},")
    lines += ["})", '"""The tier of each channel."""']
    lines.append(f"REWARD_CERTIFIED_MINIMUM_TIER: Final = {tiers[model.tables.certified_minimum_tier]}")
    lines.append(f'"""{CERTIFIED_MINIMUM_TIER}"""')
    signed = [document.kind for document in model.umbrella.documents]
    data = [document.kind for document in model.documents if document.kind not in signed]
    for name, kinds, described in (
        ("Kind", signed, "The kind of a document that names its kind itself."),
        ("DataKind", data, "The kind of a document about a reward as data; the caller names it."),
    ):
        lines += [f"{name} = Literal[{', '.join(map(repr, kinds))}]", f'"""{described}"""']
        plural = "KINDS" if name == "Kind" else "DATA_KINDS"
        lines.append(f"{plural}: Final[tuple[{name}, ...]] = ({', '.join(map(repr, kinds))},)")
    lines.append("CANONICAL_ORDER: Final[Mapping[str, Mapping[str, str | None]]] = MappingProxyType({")
    for name in dict.fromkeys(order.definition for order in model.tables.canonical_order):
        sorted_by = {each.member: each.by for each in model.tables.canonical_order if each.definition == name}
        lines.append(f"    {name!r}: MappingProxyType({sorted_by!r}),")
    lines += [
        "})",
        '"""The arrays that are sorted in the canonical form, by a member of their items, or by the items (None)."""',
    ]
    for limit in model.tables.limits:
        lines += [f"{limit.name}: Final = {limit.value}", f'"""{python_text(limit.description)}"""']
    return "\n".join(lines) + "\n"


# Models


class Models:
    """All that datamodel-code-generator writes for the model, by name, with the changes that the package needs."""

    def __init__(self, model: Model) -> None:
        self.model = model
        placeholders = Placeholders()
        writer = Writer(reference, placeholders.of)
        umbrella = model.umbrella
        schema = {
            "title": umbrella.name,
            "description": placeholders.of(umbrella.description),
            "oneOf": [{"$ref": reference(document.definition.name)} for document in umbrella.documents],
            "$defs": {name: writer.definition(definition) for name, definition in model.definitions.items()},
        }
        changes = Changes(model, placeholders)
        tree = changes.visit(codegen(schema))
        refuse_mutable(tree)
        self.imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != "__future__"]
        self.by_name = {name_of(node): node for node in tree.body if isinstance(node, ast.ClassDef | ast.Assign)}

    def module(self, names: list[str], elsewhere: set[str]) -> str:
        """A module with what those names define; words that are elsewhere are imported. ruff removes other imports."""
        text = f"from collections.abc import Mapping\nfrom {FROZEN} import Frozen, FrozenJson, FrozenMap\n"
        if imported := sorted(elsewhere.intersection(names)):
            text += f"from {VOCABULARY} import {', '.join(imported)}\n"
        body = [ast.unparse(self.by_name[name]) for name in names if name not in elsewhere]
        return text + "\n".join(map(ast.unparse, self.imports)) + "\n\n" + "\n\n".join(body)


def refuse_mutable(tree: ast.Module) -> None:
    """Stops if a class or alias names a type whose values can be changed: the changes do not know its form."""
    for node in tree.body:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in ("list", "dict", "set"):
                where = getattr(node, "name", "an alias")
                raise SystemExit(f"datamodel-code-generator wrote {each.id} in {where}, in a form that Changes misses")


def reference(name: str) -> str:
    """The $ref to a definition in the schema that datamodel-code-generator reads."""
    return f"#/$defs/{name}"


def defined_before_use(model: Model, *documents: str) -> list[str]:
    """The names of documents and of all that they use, in the order of the files where the uses allow it."""
    order = model.in_order_of_use(*(definition.name for definition in model.in_file_order(*documents)))
    return [definition.name for definition in order]


def name_of(node: ast.ClassDef | ast.Assign) -> str:
    """The name that a class or an alias defines."""
    return node.name if isinstance(node, ast.ClassDef) else ast.unparse(node.targets[0])


class Placeholders:
    """The descriptions of a schema, each with a word that takes its place."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def of(self, text: str) -> str:
        """The placeholder of a text."""
        placeholder = f"Description{len(self.texts)}."
        self.texts[placeholder] = one_line(text)
        return placeholder


OPTIONS = [
    *("--input-file-type", "jsonschema", "--schema-version", "2020-12", "--schema-version-mode", "strict"),
    *("--strict-refs", "--no-allow-remote-refs", "--output-model-type", "pydantic_v2.BaseModel", "--ignore-pyproject"),
    *("--target-python-version", "3.11", "--disable-timestamp", "--no-formatters", "--no-treat-dot-as-module"),
    *("--use-title-as-name", "--use-annotated", "--use-type-alias", "--strict-nullable", "--use-specialized-enum"),
    *("--capitalise-enum-members", "--use-schema-description", "--use-single-line-docstring", "--use-exact-imports"),
    *("--base-class", PART, "--base-class-map", json.dumps(BASES)),
]


def codegen(schema: object) -> ast.Module:
    """The module that datamodel-code-generator writes for a schema."""
    with tempfile.TemporaryDirectory() as directory:
        given, output = Path(directory) / "schema.json", Path(directory) / "models.py"
        given.write_text(json.dumps(schema), encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(given), "--output", str(output)]
        run([*command, *OPTIONS], cwd=directory)
        return ast.parse(output.read_text(encoding="utf-8"))


class Changes(ast.NodeTransformer):
    """What the package needs and datamodel-code-generator has no option for."""

    def __init__(self, model: Model, placeholders: Placeholders) -> None:
        self.model = model
        self.placeholders = placeholders

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Descriptions in the place of their placeholders."""
        return (
            ast.Constant(self.placeholders.texts.get(node.value, node.value)) if isinstance(node.value, str) else node
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Defaults that are made anew for each object."""
        self.generic_visit(node)
        definition = self.model.definitions[node.name]
        for member in node.body:
            if isinstance(member, ast.AnnAssign) and isinstance(definition.type, Record):
                self._default(member, definition.type.by_name[ast.unparse(member.target)])
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Arrays as tuples, maps as frozen maps, any objects as frozen JSON."""
        self.generic_visit(node)
        match node:
            case ast.Subscript(ast.Name("dict"), ast.Tuple([ast.Name("str"), ast.Name("Any")])):
                return ast.Name("FrozenJson", ast.Load())
            case ast.Subscript(ast.Name("list"), item):
                return expression(f"tuple[{ast.unparse(item)}, ...]", ast.Subscript)
            case ast.Subscript(ast.Name("Annotated"), ast.Tuple([ast.Subscript(ast.Name("dict"), of), field])):
                written = f"Annotated[Mapping[{ast.unparse(of)}], Frozen, {ast.unparse(field)}]"
                return expression(written, ast.Subscript)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """The discriminator of the union, and what texts must not match, in JSON Schemas that pydantic writes."""
        self.generic_visit(node)
        given = {each.arg: each.value for each in node.keywords}
        match given.get("title"):
            case ast.Constant(str(title)) if title == self.model.umbrella.name:
                node.keywords.insert(-1, ast.keyword("discriminator", ast.Constant("schema_version")))
            case ast.Constant(str(title)) if isinstance(self.model.definitions[title].type, Text):
                extra = expression(repr({"not": {"pattern": f"[{LINE_BREAKS}]"}}), ast.Dict)
                node.keywords.append(ast.keyword("json_schema_extra", extra))
        return node

    def _default(self, node: ast.AnnAssign, member: Member) -> None:
        if member.default == {}:
            made = "FrozenMap({})" if isinstance(member.type, Map) else f"{self._class_of(member)}()"
            node.value = expression(f"Field(default_factory=lambda: {made})", ast.Call)
        elif member.default == ():
            node.value = ast.Tuple([], ast.Load())
        if not isinstance(member.type, Map):  # what else is made from a default is valid as it is
            for call in (each for each in ast.walk(node.annotation) if isinstance(each, ast.Call)):
                call.keywords = [keyword for keyword in call.keywords if keyword.arg != "validate_default"]

    def _class_of(self, member: Member) -> str:
        assert isinstance(member.type, Reference)  # only a map or a record has the default {}
        return member.type.name


Node = TypeVar("Node", bound=ast.expr)


def expression(source: str, kind: type[Node]) -> Node:
    """The syntax tree of an expression."""
    tree = ast.parse(source, mode="eval").body
    assert isinstance(tree, kind)
    return tree


def formatted(source: str) -> str:
    """The source as ruff sorts its imports and formats it, under the repository's settings."""
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(ROOT / "generated" / "python" / "module.py")]
    sorted_imports = run([*ruff, "check", "--fix", "--quiet", "--select", "I,F401", *name, "-"], source)
    return run([*ruff, "format", *name, "-"], sorted_imports)
