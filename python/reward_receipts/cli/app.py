"""The commands with their arguments and their help. What a command does is loaded when it runs, so help is fast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from ..core.generated.tables import MAX_POLICY_UPDATE, Kind
from .arguments import Format
from .conformance import app as _conformance

if TYPE_CHECKING:
    from .formats import Listing

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

app = typer.Typer(
    help=_HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
_schema = typer.Typer(help="List, print or bundle the schemas.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(_schema, name="schema")
app.add_typer(_conformance, name="conformance")
_spec = typer.Typer(help="Check, show and compare reward specs.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(_spec, name="spec")
_trace = typer.Typer(help="Read the traces of runs.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(_trace, name="trace")
_env = typer.Typer(help="Look at environments.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(_env, name="env")

_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES...",
        help="Paths, patterns, folders, or - for standard input. A JSON file holds one document or an array of them; "
        ".jsonl and .ndjson are JSON Lines. A folder means all files of these three suffixes in it and below it, "
        "in the order of their names; hidden ones and links to folders are left out.",
    ),
]
_KindOption = Annotated[
    Kind | None, typer.Option("--kind", help="The kind of the documents. By default each names its own.")
]
_Lines = Annotated[
    bool | None, typer.Option("--lines/--no-lines", help="Read as JSON Lines, or not, whatever the suffix.")
]
_SpecFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A spec: JSON where its name ends in .json, else YAML; - is standard input."),
]
_Components = Annotated[
    list[str] | None,
    typer.Option(
        "--components",
        metavar="MODULE",
        help="A module to import, which registers components; may be given repeatedly. It is looked for in this "
        "folder too.",
    ),
]
_MOST: Final = 2**53 - 1
"""The greatest count that every reader of JSON reads as it was written."""
_UNCHANGED: Final = "Counts and exit status stay the same."
_OnlyFindings = Annotated[
    bool,
    typer.Option("--only-findings", "-q", help=f"Leave out documents without findings of their own. {_UNCHANGED}"),
]
_Statistics = Annotated[
    bool,
    typer.Option("--statistics", help="Count the codes instead of listing findings; with text, json and jsonl."),
]
_MaxFindings = Annotated[
    int | None,
    typer.Option("--max-findings", metavar="N", min=0, max=_MOST, help=f"List N findings at most. {_UNCHANGED}"),
]
_Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the results to FILE, in place of what it has; - is standard output, the default.",
    ),
]
_Format = Annotated[Format, typer.Option("--format", "-f")]
_Keyrings = Annotated[
    list[str] | None,
    typer.Option(
        "--keyring",
        metavar="FILE",
        help="JSON: an object of key ids and base64 public keys. A path or a pattern; may be given repeatedly.",
    ),
]
_PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", metavar="FILE", help="One base64 public key, taken for whichever key is named."),
]


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__
        from ..core.extension import extension

        print(f"reward-receipts {__version__}")
        if extension() is not None:
            print("with the extension reward_receipts_core")
        raise typer.Exit


def _listing(form: str, only_findings: bool, statistics: bool, max_findings: int | None, output: str | None) -> Listing:
    if statistics and form not in ("text", "json", "jsonl"):
        raise typer.BadParameter(f"--statistics goes with -f text, json or jsonl, not with {form}")
    from .formats import Listing

    return Listing(only_findings, statistics, max_findings, output)


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def lint(
    files: _Files,
    kind: _KindOption = None,
    lines: _Lines = None,
    form: _Format = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Check documents by text, schema and rules, and receipts for repeats.

    No signature is checked here, so a receipt repeats any earlier one that is valid; audit tells forged ones apart.
    """
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .lint import lint as run

    raise typer.Exit(run(files, kind, lines, form, listing))


@app.command()
def digest(
    files: _Files,
    kind: _KindOption = None,
    lines: _Lines = None,
    form: _Format = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Print the digests of documents."""
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .digest import digest as run

    raise typer.Exit(run(files, kind, lines, form, listing))


@app.command()
def score(
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="A reward outcome, such as verified.")],
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract to score under.")],
    tier: Annotated[int, typer.Option("--tier", min=0, max=3, help="The oracle tier of the reading.")],
    policy_update: Annotated[
        int, typer.Option("--policy-update", min=0, max=MAX_POLICY_UPDATE, help="The policy update of the episode.")
    ],
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="The certificate of the checker.")
    ] = None,
    keyring: _Keyrings = None,
    public_key: _PublicKey = None,
    form: _Format = "text",
) -> None:
    """Score one episode under a contract.

    Says too what speaks against certification (synthetic), which is not a finding. An unscored episode is never 0.0.
    With --keyring or --public-key the certificate's signature is checked: an invalid one is a finding, an unknown
    signer cannot be decided, and nothing is scored. Without them the result says that nobody checked it.
    """
    if keyring and public_key is not None:
        raise typer.BadParameter("give --keyring or --public-key, not both")
    from .score import score as run

    raise typer.Exit(run(outcome, contract, tier, policy_update, certificate, keyring or [], public_key, form))


@app.command()
def audit(
    receipts: Annotated[list[str], typer.Argument(metavar="RECEIPTS...", help="As FILES of lint.")],
    contract: Annotated[
        list[str] | None,
        typer.Option("--contract", metavar="FILE", help="Contracts, as FILES of lint; may be given repeatedly."),
    ] = None,
    certificate: Annotated[
        list[str] | None,
        typer.Option("--certificate", metavar="FILE", help="Certificates, as FILES of lint; may be given repeatedly."),
    ] = None,
    keyring: _Keyrings = None,
    public_key: _PublicKey = None,
    lines: _Lines = None,
    at_update: Annotated[
        int | None,
        typer.Option("--at-update", min=0, max=MAX_POLICY_UPDATE, help="The trainer's own policy update."),
    ] = None,
    form: _Format = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Check receipts against their contracts, certificates and keys.

    Each receipt is audited against the contract and the certificate that it names by digest; if it names none of those
    given, it is undecided. If at most one contract and one certificate are given, every receipt is audited against
    them, and a receipt that names another fails.

    If a check cannot be made, the receipt is undecided. If a contract, certificate or key is not given, the command
    reports that once, at the end, with the number of receipts that needed it.

    A receipt repeats an earlier one if it has its receipt_id, or its nonce under the same issuer_key_id. It fails
    (duplicate) if the earlier one's verdict is holds, and is undecided if the earlier one is undecided. An earlier
    receipt that fails, for example because its signature is forged, is not counted.

    The last line, on standard error, counts the verdicts.
    """
    if keyring and public_key is not None:
        raise typer.BadParameter("give --keyring or --public-key, not both")
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .audit import audit as run

    raise typer.Exit(
        run(receipts, lines, contract or [], certificate or [], keyring or [], public_key, at_update, form, listing)
    )


@app.command()
def sign(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A certificate or a receipt, or - for standard input.")],
    signing_key: Annotated[
        str,
        typer.Option(
            "--signing-key", metavar="FILE", help="A private key file of keygen, a pipe, or - for standard input."
        ),
    ],
    allow_group_readable: Annotated[
        bool,
        typer.Option(
            "--allow-group-readable", help="Take a private key file that its group can read, such as a mounted secret."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="A new file, or - for standard output, the default."),
    ] = None,
    kind: _KindOption = None,
) -> None:
    """Sign a certificate or a receipt. A signature that it has is replaced, one that it lacks is added."""
    if file == signing_key == "-":
        raise typer.BadParameter("standard input is the document or the signing key, not both")
    from .sign import sign as run

    raise typer.Exit(run(file, signing_key, allow_group_readable, output, kind))


@app.command()
def verify(
    files: _Files,
    keyring: _Keyrings = None,
    public_key: _PublicKey = None,
    kind: _KindOption = None,
    lines: _Lines = None,
    form: _Format = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Check signatures with keys that you hold."""
    if bool(keyring) == (public_key is not None):
        raise typer.BadParameter("give --keyring or --public-key, one of them")
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .verify import verify as run

    raise typer.Exit(run(files, kind, lines, keyring or [], public_key, form, listing))


@app.command()
def keygen(
    key_id: Annotated[str, typer.Argument(metavar="KEY_ID", help="The issuer_key_id that the key goes by.")],
    private_key: Annotated[
        str | None,
        typer.Option("--private-key", metavar="PATH", help="A new file, mode 0600. By default KEY_ID.private.json."),
    ] = None,
    keyring: Annotated[
        str | None, typer.Option("--keyring", metavar="PATH", help="A new file. By default KEY_ID.keyring.json.")
    ] = None,
) -> None:
    """Make a signing key.

    Writes two new files, or neither: the private key, and a keyring of the public key.
    """
    from .keygen import keygen as run

    raise typer.Exit(run(key_id, private_key, keyring))


@app.command()
def init(
    kind: Annotated[Literal["contract", "certificate", "spec"], typer.Argument(help="What to start.")],
    contract: Annotated[
        str | None,
        typer.Option("--contract", metavar="FILE", help="Of a certificate: the contract whose policy it has to meet."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="A new file, or - for standard output, the default."),
    ] = None,
) -> None:
    """Write a document to start from, which is valid as it is.

    A spec is YAML with comments. A contract and a certificate are JSON, which has none: what each member means goes to
    standard error.
    """
    if contract is not None and kind != "certificate":
        raise typer.BadParameter("--contract is for a certificate")
    from .init import init as run

    raise typer.Exit(run(kind, contract, output))


@_schema.command("list")
def list_schemas() -> None:
    """List the schemas."""
    from .schema import list_schemas as run

    raise typer.Exit(run())


@_schema.command("print")
def print_schema(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Print a schema as it stands."""
    from .schema import print_schema as run

    raise typer.Exit(run(name))


@_schema.command("bundle")
def bundle_schema(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Print a schema as one file that refers to no other."""
    from .schema import bundle_schema as run

    raise typer.Exit(run(name))


@_spec.command("lint")
def lint_specs(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Paths, patterns, folders (their .yaml, .yml and .json files), or - for standard input, one spec in "
            "each. JSON if the name ends in .json, "
            "else YAML; standard input is JSON if it starts with {.",
        ),
    ],
    components: _Components = None,
    registered: Annotated[
        bool, typer.Option("--registered", help="Report a component that is not registered or installed as a finding.")
    ] = False,
    form: _Format = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Check reward specs by text, schema and rules.

    A spec can be valid and still look wrong: a misspelt component, a cost that pays, a gate that never opens, a reward
    that is always 0. Each is a warning, and the exit status stays 0. Components need not be registered, unless
    --registered or --components is given.
    """
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .spec import lint as run

    raise typer.Exit(run(files, components or [], registered, form, listing))


@_spec.command("show")
def show_spec(file: _SpecFile, components: _Components = None, form: _Format = "text") -> None:
    """Show a spec with its components: terms, digests and ceiling.

    What the spec leaves to a component is marked (own). The share is that of the ceiling of the term's cadence: of a
    step, or of the end of an episode.
    """
    from .spec_show import show as run

    raise typer.Exit(run(file, components or [], form))


@_spec.command("diff")
def diff_specs(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="As FILE of show.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="As FILE of show.")],
    form: Annotated[Literal["text", "json"], typer.Option("--format", "-f")] = "text",
) -> None:
    """Say what changed from one spec to another.

    Exit status: 0 nothing, so that the digests are equal; 1 something; 2 one of them cannot be read, or does not hold.
    """
    from .spec import diff as run

    raise typer.Exit(run(before, after, form))


@_spec.command("ceiling")
def spec_ceiling(
    file: _SpecFile,
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", min=0, max=_MOST, help="Says it of an episode of so many steps too."),
    ] = None,
    components: _Components = None,
    form: _Format = "text",
) -> None:
    """Say the most that a reward can come to, and which terms nothing bounds."""
    from .spec_show import show_ceiling as run

    raise typer.Exit(run(file, steps, components or [], form))


@_env.command("check")
def check_environment(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="MODULE:CLASS, an id that Gymnasium knows, or MODULE:ID for one that the module registers.",
        ),
    ],
    kwargs: Annotated[
        str | None, typer.Option("--kwargs", metavar="JSON", help="An object: the arguments that it is made with.")
    ] = None,
    imports: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="MODULE", help="Import a module that registers environments. Repeatable."),
    ] = None,
    tier: Annotated[int, typer.Option("--tier", min=1, max=2, help="The tier that is asked for.")] = 1,
    episodes: Annotated[int, typer.Option("--episodes", metavar="N", min=1, max=_MOST, help="How many to play.")] = 3,
    max_steps: Annotated[
        int,
        typer.Option("--max-steps", metavar="N", min=1, max=_MOST, help="Where an episode is left that does not end."),
    ] = 1000,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=_MOST, help="The seed of the first episode.")
    ] = 0,
    form: Annotated[Literal["text", "json"], typer.Option("--format", "-f")] = "text",
) -> None:
    """Say which tier an environment reaches, and what is missing.

    Modules are looked for in this folder too. Whole episodes are played, with actions drawn from the action space.
    Exit status: 0 it reaches the tier that is asked for; 1 something is missing; 2 it cannot be made, or too little
    was seen.
    """
    from .env_check import check_environment as run

    raise typer.Exit(run(target, kwargs, imports or [], tier, episodes, max_steps, seed, form))


@_trace.command("summary")
def summarise_trace(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A trace: .jsonl, .ndjson or .parquet; - is standard input, in JSON Lines."
        ),
    ],
    manifest: Annotated[
        str | None,
        typer.Option(
            "--manifest", metavar="FILE", help="The manifest of the run. By default the one beside the trace."
        ),
    ] = None,
    spec: Annotated[
        str | None, typer.Option("--spec", metavar="FILE", help="The spec of the run, in place of its manifest.")
    ] = None,
    components: _Components = None,
    form: Annotated[Literal["text", "json"], typer.Option("--format", "-f")] = "text",
    only_findings: _OnlyFindings = False,
    statistics: _Statistics = False,
    max_findings: _MaxFindings = None,
    output: _Output = None,
) -> None:
    """Say what a trace comes to, per component and per regime, and the gap to the ceiling.

    The mean is over the steps at which the reward is scored, or the component due; an unscored step is no 0. A finding
    is a row that does not hold or is of another spec, one with a component that the spec does not have, with a
    contribution above its ceiling or a reward that is not the sum of them, one that comes twice or late, and a file
    that its manifest has another digest of. There is no summary then, nor of a file without rows (exit 2).
    """
    if manifest is not None and spec is not None:
        raise typer.BadParameter("give --manifest or --spec, not both")
    listing = _listing(form, only_findings, statistics, max_findings, output)
    from .trace_summary import trace_summary as run

    raise typer.Exit(run(file, manifest, spec, components or [], form, listing))


@app.command()
def explain(
    rule_id: Annotated[str, typer.Argument(metavar="RULE-ID", help="A rule or code, as messages name it.")],
) -> None:
    """Say what a rule or code means, where it stands, and what to do."""
    from .explain import explain as run

    raise typer.Exit(run(rule_id))
