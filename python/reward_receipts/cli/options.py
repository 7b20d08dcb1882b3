"""Options and arguments that several commands share, each with its help, and groups of them that belong together.

A command takes a group as one parameter (``listing: Listing``); ``app`` shows its fields as options of the command.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, cast, get_type_hints

import typer

from ..core.generated.tables import MAX_POLICY_UPDATE
from ..core.generated.tables import Kind as Kind
from .formats import Format

MAX_COUNT: Final = 2**53 - 1
"""The greatest count that every reader of JSON reads as it was written."""
_UNCHANGED: Final = "Counts and exit status stay the same."

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES...",
        help="Paths, patterns, folders, or - for standard input. A JSON file holds one document or an array of them; "
        ".jsonl and .ndjson are JSON Lines; gzip (.gz) and zstd (.zst) are unpacked. A folder means all files of these "
        "suffixes in it and below it, in the order of their names; hidden ones and links to folders are left out.",
    ),
]
KindOption = Annotated[
    Kind | None, typer.Option("--kind", help="The kind of the documents. By default each names its own.")
]
Lines = Annotated[
    bool | None, typer.Option("--lines/--no-lines", help="Read as JSON Lines, or not, whatever the suffix.")
]
SpecFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A spec: JSON where its name ends in .json, else YAML; - is standard input."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="TERM.MEMBER=VALUE",
        help="Changes the spec first: TERM.weight=0.1, TERM.clip=[0,1], TERM.params.NAME=1.5; null removes a setting. "
        "May be given repeatedly.",
    ),
]
Components = Annotated[
    list[str] | None,
    typer.Option(
        "--components",
        metavar="MODULE",
        help="A module to import, which registers components; may be given repeatedly. It is looked for in this "
        "folder too.",
    ),
]
AtUpdate = Annotated[
    int | None,
    typer.Option("--at-update", min=0, max=MAX_POLICY_UPDATE, help="The trainer's own policy update."),
]
PolicyFile = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A trust policy in YAML or JSON: which key may sign what, least tier, certified (synthetic) or not.",
    ),
]
NewFile = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="A new file, or - for standard output, the default."),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f")]
TextOrJson = Annotated[Literal["text", "json"], typer.Option("--format", "-f")]


@dataclass(frozen=True, slots=True)
class Listing:
    """Which of the results are listed, how, and where. It changes neither the counts nor the exit status."""

    form: FormatOption = "text"
    only_findings: Annotated[
        bool,
        typer.Option("--only-findings", "-q", help=f"Leave out documents without findings of their own. {_UNCHANGED}"),
    ] = False
    """Whether documents without findings, and without anything unchecked of their own, are left out."""
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Count the codes instead of listing findings; with text, json and jsonl."),
    ] = False
    max_findings: Annotated[
        int | None,
        typer.Option(
            "--max-findings", metavar="N", min=0, max=MAX_COUNT, help=f"List N findings at most. {_UNCHANGED}"
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the results to FILE, in place of what it has; - is standard output, the default.",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.statistics and self.form not in ("text", "json", "jsonl"):
            raise typer.BadParameter(f"--statistics goes with -f text, json or jsonl, not with {self.form}")


@dataclass(frozen=True, slots=True)
class TextOrJsonListing(Listing):
    """``Listing`` of a command whose results have no other format."""

    form: TextOrJson = "text"


@dataclass(frozen=True, slots=True)
class Keys:
    """The public keys that the reader holds: keyrings, or one key."""

    keyring: Annotated[
        list[str] | None,
        typer.Option(
            "--keyring",
            metavar="FILE",
            help="JSON: an object of key ids and base64 public keys. A path or a pattern; may be given repeatedly.",
        ),
    ] = None
    public_key: Annotated[
        str | None,
        typer.Option("--public-key", metavar="FILE", help="One base64 public key, taken for whichever key is named."),
    ] = None

    def __post_init__(self) -> None:
        if self.keyring and self.public_key is not None:
            raise typer.BadParameter("give --keyring or --public-key, not both")

    @property
    def given(self) -> bool:
        """Whether any was given."""
        return bool(self.keyring) or self.public_key is not None


def with_groups_as_options(command: Callable[..., int]) -> Callable[..., int]:
    """The command with each parameter that is a group of options replaced by the fields of the group."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, type[Any]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        group = parameter.annotation
        if not dataclasses.is_dataclass(group):
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = cast("type[Any]", group)
        hints = get_type_hints(group, include_extras=True)
        for field in dataclasses.fields(group):
            option = inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default)
            parameters.append(option.replace(annotation=hints[field.name]))

    def run(**given: Any) -> int:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in dataclasses.fields(group)})
        return command(**given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
