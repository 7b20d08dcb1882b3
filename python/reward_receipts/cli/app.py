"""The table of commands. A command is imported when it runs, or when its own help is asked for, so help is fast.

The command ``spec lint`` is the function ``spec_lint`` of ``commands/spec_lint.py``. It returns the exit status, its
parameters are its options, and its docstring continues its help after the summary of the table below.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from .options import with_groups_as_options

_HELP: Final = """Reward contracts, certificates and signed receipts: check, digest, score, audit and sign them.

\b
Exit status: 0 good; 1 a finding (a document that does not hold, an audit
that fails, a signature that is invalid); 2 wrong usage, or something that
cannot be decided. Where both occur it is 1.

\b
A finding is one line: FILE:LINE:COLUMN POINTER CODE SENTENCE
POINTER is the JSON pointer of the place; the whole document is (document).
`reward-receipts explain CODE` says more. Results go to standard output,
messages to standard error.

Every certificate here is synthetic; none is for production.
"""

COMMANDS: Final = {
    "lint": "Check documents by text, schema and rules, and receipts for repeats.",
    "digest": "Print the digests of documents.",
    "score": "Score one episode under a contract.",
    "audit": "Check receipts against their contracts, certificates and keys.",
    "show": "Show one receipt with its contract and its certificate.",
    "sign": "Sign a certificate or a receipt. A signature that it has is replaced, one that it lacks is added.",
    "verify": "Check signatures with keys that you hold.",
    "keygen": "Make a signing key.",
    "init": "Write a document to start from, which is valid as it is.",
    "explain": "Say what a rule or code means, where it is, and what to do.",
    "schema list": "List the schemas.",
    "schema print": "Print a schema as it is.",
    "schema bundle": "Print a schema as one file that refers to no other.",
    "conformance run": "Ask a driver all cases, twice, in an order that the seed gives.",
    "conformance matrix": "Print a Markdown table of layers by implementations.",
    "spec lint": "Check reward specs by text, schema and rules.",
    "spec show": "Show a spec with its components: terms, digests and ceiling.",
    "spec diff": "Say what changed from one spec to another.",
    "spec ceiling": "Say the most that a reward can come to, and which terms nothing bounds.",
    "trace summary": "Summarise a trace, per component and per regime, and the gap to the ceiling.",
    "trace measures": "Say how an agent adapted: measures of each visit of a regime.",
    "trace check": "Check traces row by row and against their manifests.",
    "trace rescore": "Say what another spec would have paid for the same behaviour.",
    "trace export": "Write a trace in the format of another program.",
    "calibrate run": "Bound a checker's false accepts from labelled trials, and issue a certificate (synthetic).",
    "calibrate plan": "Say how many trials a bound needs, by the false accepts among them.",
    "calibrate threshold": "Choose a threshold from trials without breaking the bound.",
    "calibrate recheck": "Compute a certificate (synthetic) again from its trials.",
    "ledger admit": "Record receipts that hold in a ledger, each once.",
    "ledger check": "Check that no row of a ledger was edited, removed or moved.",
    "ledger export": "Print the receipts of a ledger, or its signed head.",
    "ledger stats": "Count what a ledger has.",
    "gate": "Run a service that admits receipts over HTTP.",
    "experiment lint": "Check experiments by text, schema and rules.",
    "experiment show": "Show an experiment with all defaults, and its digest.",
    "experiment diff": "Say what changed from one experiment to another.",
    "experiment run": "Train every seed of an experiment, in a new folder.",
    "experiment resume": "Train the seeds of a run that are not complete.",
    "experiment summary": "Say how a run adapted: its measures over seeds.",
    "experiment compare": "Put two runs side by side.",
    "experiment report": "Write one HTML file or a picture over runs.",
    "experiment export": "Write a trained policy to a folder that says what it was trained on.",
    "export check": "Say whether an exported policy is the one that was trained, and on what.",
    "env check": "Say which tier an environment reaches, and what is missing.",
}
"""Each command with the first sentence of its help."""

_GROUPS: Final = {
    "schema": "List, print or bundle the schemas.",
    "conformance": "Hold an implementation to the corpus.",
    "spec": "Check, show and compare reward specs.",
    "trace": "Read the traces of runs.",
    "calibrate": "Bound a checker's false accepts. `calibrate TRIALS` is short for `calibrate run TRIALS`.",
    "ledger": "Admit receipts once, and check what was admitted.",
    "experiment": "Runs as files: check, train, measure, compare and export them.",
    "export": "Check exported policies.",
    "env": "Look at environments.",
}

_DEFAULTS: Final = {"calibrate": "run"}
"""The command of a group that runs if none is named."""

_PASSES_ARGUMENTS_ON: Final = ("conformance run",)
"""Commands that leave whatever follows their first argument to another program."""

app = typer.Typer(
    help=_HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__
        from ..core.extension import extension

        print(f"reward-receipts {__version__}")
        if extension() is not None:
            print("with the extension reward_receipts_core")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def load_command(name: str) -> Any:
    """The command of a name, imported, as the parser of its arguments."""
    function_name = name.replace(" ", "_").replace("-", "_")
    function = getattr(import_module(f".commands.{function_name}", __package__), function_name)
    settings = {"allow_interspersed_args": False} if name in _PASSES_ARGUMENTS_ON else {}
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(
        name.rpartition(" ")[2],
        help=f"{COMMANDS[name]}\n\n{inspect.getdoc(function) or ''}",
        context_settings=settings,
    )(with_groups_as_options(function))
    return typer.main.get_command(single)


def _deferred(name: str) -> type[TyperCommand]:
    class Deferred(TyperCommand):
        """Takes a place in a list of commands for one that is not imported yet."""

        def make_context(self, *arguments: Any, **settings: Any) -> Any:
            return load_command(name).make_context(*arguments, **settings)

    return Deferred


def _with_default(command: str) -> type[TyperGroup]:
    class WithDefault(TyperGroup):
        """A group of which one command runs if the first argument names none."""

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
                args = [command, *args]
            return super().parse_args(ctx, args)

    return WithDefault


def _add_commands() -> None:
    groups = {"": app}
    for name, summary in COMMANDS.items():
        group, _, own = name.rpartition(" ")
        if group not in groups:
            kind = _with_default(_DEFAULTS[group]) if group in _DEFAULTS else TyperGroup
            groups[group] = typer.Typer(cls=kind, help=_GROUPS[group], no_args_is_help=True, rich_markup_mode=None)
            app.add_typer(groups[group], name=group)
        groups[group].command(own, help=summary, cls=_deferred(name))(lambda: None)


_add_commands()
