"""Writes generated/ from schemas/.

    python scripts/generate.py            write it
    python scripts/generate.py --check    write nothing; exit 1 where generated/ is not what the schemas give

Needs the tools that pyproject.toml pins under [dependency-groups] generate.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from keyword import iskeyword
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))  # this checkout's catalogue, whatever is installed, or nothing

from emitted_text import python_text  # noqa: E402
from reward_receipts.core.codes import SCHEMA_FILES  # noqa: E402
from shared_tables import python_tables, typescript_codes, typescript_tables  # noqa: E402
from typescript_types import types  # noqa: E402

SCHEMAS = ROOT / "schemas"
GENERATED = ROOT / "generated"
PINS = {"datamodel-code-generator": "0.89.0", "ruff": "0.17.6"}
COMMAND = "python scripts/generate.py"

HEADER = f'''"""{{title}}

Generated from schemas/. Do not edit: change the schemas, then run

    {COMMAND}
"""

'''

TYPESCRIPT_HEADER = f"""/*
 * {{title}}
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     {COMMAND}
 */

"""

TABLES = "What follows from an outcome and from a channel, and the limits."
GENERATED_INIT = '"""Written by scripts/generate.py from the schemas."""\n'
PACKAGE_INIT = '''"""Written by scripts/generate.py from the schemas.

``models`` is loaded when it is first used: the bases of its classes, which it imports, name these classes in their
annotations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import models as models


def __getattr__(name: str) -> Any:
    if name != "models":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.models")
'''

# What stands in hand-written Python about each class; the others are plain parts.
PART = "reward_receipts.documents.model.Part"
BASES = {
    "RewardContractV1": "reward_receipts.documents.contract.ContractDocument",
    "RewardCertificateV1": "reward_receipts.documents.certificate.CertificateDocument",
    "RewardEvidenceReceiptV1": "reward_receipts.documents.receipt.ReceiptDocument",
    "RewardOracleV1": "reward_receipts.documents.oracle.OraclePart",
    "RewardScoringPolicyV1": "reward_receipts.documents.outcomes.ScoringPolicyPart",
    "RewardSpec": "reward_receipts.rewards.spec.document.SpecDocument",
    "RewardSpecComponent": "reward_receipts.rewards.spec.members.SpecComponentPart",
    "RewardSpecGate": "reward_receipts.rewards.spec.members.SpecGatePart",
    "RewardTraceRow": "reward_receipts.traces.bases.TraceRowDocument",
    "RewardTermDetail": "reward_receipts.traces.bases.TraceRowPart",
    "RegimeReport": "reward_receipts.traces.bases.RegimeReportDocument",
    "EpisodeStatistics": "reward_receipts.traces.bases.RegimeReportPart",
    "EvaluationSummary": "reward_receipts.traces.bases.RegimeReportPart",
    "RegimeSummary": "reward_receipts.traces.bases.RegimeReportPart",
    "SpecStageSummary": "reward_receipts.traces.bases.RegimeReportPart",
    "ComponentSummary": "reward_receipts.traces.bases.RegimeReportPart",
}

APART = {
    "spec": "rewards/reward_spec",
    "trace-row": "traces/reward_trace_row",
    "regime-report": "traces/regime_report",
}
"""The documents that get a module of their own, on their floor, so that whoever reads one loads no other."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    check = parser.parse_args(arguments).check
    for tool, pinned in PINS.items():
        if (found := _version(tool)) != pinned:
            print(f"{tool} {pinned} is needed, {found} is installed: pip install --group generate", file=sys.stderr)
            return 2
    wanted = generate()
    there = {path.relative_to(GENERATED).as_posix() for path in GENERATED.rglob("*") if _counts(path)}
    stale = [name for name, text in wanted.items() if name not in there or _read(name) != text]
    orphans = sorted(there - wanted.keys())
    if check:
        for name in stale:
            print(f"generated/{name} is not what the schemas give: run {COMMAND}", file=sys.stderr)
        for name in orphans:
            print(f"generated/{name} is not generated from anything: run {COMMAND}", file=sys.stderr)
        return 1 if stale or orphans else 0
    for name in orphans:
        (GENERATED / name).unlink()
    for name in stale:
        path = GENERATED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[name].encode())
        print(f"wrote generated/{name}", file=sys.stderr)
    return 0


def generate() -> dict[str, str]:
    """The text of every file under generated/, by its path there."""
    vocabulary, _ = split(datamodel_codegen("--use-field-description"))  # documents the members of enums
    _, models = split(datamodel_codegen())  # there it would move the descriptions out of the fields
    apart = {module: (kind, datamodel_codegen(file=SCHEMA_FILES[kind])) for kind, module in APART.items()}
    schemas = {name: schema_file(name) for name in SCHEMA_FILES.values()}
    return {
        "python/core/__init__.py": GENERATED_INIT,
        "python/documents/__init__.py": PACKAGE_INIT,
        "python/rewards/__init__.py": GENERATED_INIT,
        "python/traces/__init__.py": GENERATED_INIT,
        "python/core/vocabulary.py": formatted(
            HEADER.format(title="The words of the reward documents: enums.") + vocabulary
        ),
        "python/documents/models.py": formatted(
            HEADER.format(title="The reward documents and their parts: models.") + frozen(models)
        ),
        **{
            f"python/{module}.py": formatted(
                HEADER.format(title=f"The {kind} and its parts: models.") + frozen(only_used(used_imports(source)))
            )
            for module, (kind, source) in apart.items()
        },
        "python/core/tables.py": formatted(HEADER.format(title=TABLES) + python_tables(schema_file)),
        "typescript/types.ts": typescript("The reward documents and their parts: types.", types(schemas)),
        "typescript/tables.ts": typescript(TABLES, typescript_tables(schema_file)),
        "typescript/codes.ts": typescript("Every rule and code.", typescript_codes(schema_file)),
    }


def schema_file(name: str) -> Any:
    """The parsed content of a file under schemas/ of this checkout."""
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def datamodel_codegen(*options: str, file: str = SCHEMA_FILES["document"]) -> str:
    """The output of datamodel-code-generator for a schema file, by default the umbrella: one module.

    It sees placeholders for the descriptions, which ``worded`` replaces: so no text of a schema can end a docstring or
    a string of the module, or be taken for its code.
    """
    with tempfile.TemporaryDirectory() as directory:
        words = Words()
        for name in SCHEMA_FILES.values():
            named(schema := schema_file(name), name)
            (Path(directory) / name).write_text(json.dumps(words.hidden(schema)), encoding="utf-8")
        output = Path(directory) / "models.py"
        command = [sys.executable, "-m", "datamodel_code_generator"]
        command += ["--input", str(Path(directory) / file), "--output", str(output)]
        command += ["--input-file-type", "jsonschema", "--schema-version", "2020-12", "--schema-version-mode", "strict"]
        command += ["--strict-refs", "--no-allow-remote-refs", "--output-model-type", "pydantic_v2.BaseModel"]
        command += ["--target-python-version", "3.11", "--disable-timestamp", "--formatters", "ruff-format"]
        command += ["--use-double-quotes", "--no-treat-dot-as-module", "--use-title-as-name", "--use-annotated"]
        command += ["--use-type-alias", "--strict-nullable", "--use-specialized-enum", "--capitalise-enum-members"]
        command += ["--use-schema-description", "--use-single-line-docstring", "--use-exact-imports"]
        command += ["--base-class", PART, "--base-class-map", json.dumps(BASES), *options]
        run(command, cwd=directory)
        return output.read_text(encoding="utf-8")


class Words:
    """The descriptions in the schema files, each with a placeholder: the same ones whenever the files are the same."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def hidden(self, schema: Any) -> Any:
        """A schema with placeholders for its descriptions, which are kept."""
        if isinstance(schema, list):
            return [self.hidden(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        return {
            name: self._placeholder(value) if name == "description" and isinstance(value, str) else self.hidden(value)
            for name, value in schema.items()
        }

    def _placeholder(self, text: str) -> str:
        self.texts.append(text)
        return f"Description{len(self.texts) - 1}Ends"


def worded(source: str) -> str:
    """A module with the descriptions in the place of their placeholders, which stand in docstrings and strings."""
    words = Words()
    for name in SCHEMA_FILES.values():
        words.hidden(schema_file(name))
    return re.sub(r"Description(\d+)Ends", lambda found: python_text(words.texts[int(found[1])]), source)


def named(schema: Any, file: str) -> None:
    """Stops unless the document and every definition have names that can be a class's in any language."""
    is_document = "type" in schema or "oneOf" in schema  # else it is a file of definitions
    titles = [*([schema.get("title", "")] if is_document else []), *schema.get("$defs", {})]
    titles += [each["title"] for each in schema.get("$defs", {}).values() if "title" in each]
    for title in titles:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", title) or iskeyword(title):
            raise SystemExit(f"schemas/{file}: the title {json.dumps(title)} cannot be the name of a class or a type")


def split(source: str) -> tuple[str, str]:
    """The generated module as two: the enums, which the hand-written bases need; the models, which need the bases."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    enums, rest, names = [], [], []
    for node in tree.body:
        text = "".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) in ("StrEnum", "IntEnum") for base in node.bases):
            enums.append(text)
            names.append(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and "enum" in text:
            continue
        else:
            rest.append(text)
    vocabulary = "from __future__ import annotations\n\nfrom enum import IntEnum, StrEnum\n\n" + "\n\n".join(enums)
    models = "\n".join(rest).replace(
        "from __future__ import annotations\n",
        "from __future__ import annotations\n\nfrom collections.abc import Mapping\n"
        "from reward_receipts.core.frozen import Frozen, FrozenMap\n"
        f"from reward_receipts.core.generated.vocabulary import {', '.join(sorted(names))}\n",
    )
    return vocabulary, models


def used_imports(source: str) -> str:
    """A generated module with the imports that ``frozen`` counts on; formatting removes those that nothing uses."""
    return source.replace(
        "from __future__ import annotations\n",
        "from __future__ import annotations\n\nfrom collections.abc import Mapping\n"
        "from reward_receipts.core.frozen import Frozen, FrozenMap\n",
    )


def only_used(source: str) -> str:
    """A generated module without the shared definitions that its document does not use."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    texts: dict[str, str] = {}
    rest: list[str] = []
    document = ""
    for node in tree.body:
        text = "".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.ClassDef):
            texts[node.name] = text
            document = node.name  # the last one
        elif isinstance(node, ast.Assign):
            texts[ast.unparse(node.targets[0])] = text
        elif not isinstance(node, ast.Expr):
            rest.append(text)
    used, found = set[str](), {document}
    while found:
        used |= found
        found = {word for name in found for word in re.findall(r"\w+", texts[name])} & texts.keys() - used
    return "\n".join([*rest, *(text for name, text in texts.items() if name in used)])


def frozen(models: str) -> str:
    """Arrays as tuples, maps as frozen maps, object defaults made when they are needed: no flag gives these."""
    models = re.sub(r"list\[(\w+)\]", r"tuple[\1, ...]", models)
    models = re.sub(r"dict\[([^\]]*)\],(\s*)Field\(", r"Mapping[\1],\2Frozen,\2Field(", models)
    models = re.sub(
        r"(Mapping\[.*?\n    \]) = \{\}", r"\1 = Field(default_factory=lambda: FrozenMap({}))", models, flags=re.S
    )
    models = re.sub(r",\s*validate_default=True,?(\s*\),?\s*\] = )\[\]", r"\1()", models)
    models = re.sub(
        r"Annotated\[\s*(\w+),\s*(Field\([^()]*?), validate_default=True\),?\s*\] = \{\}",
        r"Annotated[\1, \2)] = Field(default_factory=lambda: \1())",
        models,
    )
    for title, definition in schema_file(SCHEMA_FILES["common"])["$defs"].items():
        if "not" in definition:  # which the generator leaves out
            extra = f"json_schema_extra={ {'not': definition['not']}!r}"
            models = models.replace(f'title="{title}"', f'title="{title}", {extra}')
    models = models.replace('title="RewardDocument"', 'discriminator="schema_version", title="RewardDocument"')
    if re.search(r"\b(dict|list)\[|\] = \{\}", models):
        raise SystemExit(
            "the generator wrote a dict or an object default in a form that scripts/generate.py does not know"
        )
    return models


def formatted(source: str) -> str:
    """The source as ruff sorts its imports and formats it, under the repository's settings."""
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(GENERATED / "python" / "module.py")]
    sorted_imports = run([*ruff, "check", "--fix", "--quiet", "--select", "I,F401", *name, "-"], worded(source))
    return run([*ruff, "format", *name, "-"], sorted_imports)


def typescript(title: str, body: str) -> str:
    """A module in TypeScript under its header."""
    return TYPESCRIPT_HEADER.format(title=title) + body


def run(command: list[str], source: str | None = None, cwd: str | None = None) -> str:
    environment = {**os.environ, "RUFF_NO_CACHE": "true", "PYTHONUTF8": "1"}
    done = subprocess.run(
        command, input=source, cwd=cwd or ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command[:4])} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def _version(tool: str) -> str | None:
    try:
        return version(tool)
    except PackageNotFoundError:
        return None


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"


def _read(name: str) -> str:
    # Git may have checked the file out with the line ends of another system.
    return (GENERATED / name).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")


if __name__ == "__main__":
    sys.exit(main())
