"""``audit``: what can be proved of receipts with contracts, certificates and keys in hand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from ...bulk.auditor import Auditor, Documents, Good, Level, Verdict
from ...bulk.files import Unread
from ...bulk.summary import Summary
from ...bulk.summary_lines import summary_text
from ...bulk.workers import WorkerLost
from ...core.codes import audit_inputs, note
from ...core.counted import counted
from ...core.exit_status import ExitStatus
from ...core.extras import extra_module
from ...core.findings import shown
from ...core.redaction import redacted
from ...receipts.keys import Keyring, PublicKey
from ..held import held_documents
from ..keys import public_keys
from ..options import AtUpdate, Keys, Lines, Listing, PolicyFile
from ..progress import Progress
from ..report import Report
from ..results import NotGiven, Result
from ..terminal import OutputFile
from ..trust import trust_policy

VERDICTS: Final = ("holds", "fails", "undecided", "invalid")
_SHALLOW_VERDICTS: Final = ("valid", *VERDICTS[1:])


def audit(
    receipts: Annotated[
        list[str], typer.Argument(metavar="RECEIPTS...", help="As FILES of lint; also Parquet with a column of texts.")
    ],
    contract: Annotated[
        list[str] | None,
        typer.Option("--contract", metavar="FILE", help="Contracts, as FILES of lint; may be given repeatedly."),
    ] = None,
    certificate: Annotated[
        list[str] | None,
        typer.Option("--certificate", metavar="FILE", help="Certificates, as FILES of lint; may be given repeatedly."),
    ] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--documents",
            metavar="FOLDER",
            help="Contracts and certificates, as FILES of lint; may be given repeatedly. With it the text output is a "
            "summary.",
        ),
    ] = None,
    *,
    keys: Keys,
    policy: PolicyFile = None,
    lines: Lines = None,
    column: Annotated[
        str | None,
        typer.Option(
            "--column",
            metavar="NAME",
            help="The column of Parquet that has the receipts. By default the only one of text, else receipt.",
        ),
    ] = None,
    at_update: AtUpdate = None,
    level: Annotated[
        Level, typer.Option("--level", help="How deep to check. Each level includes those before it.")
    ] = "audit",
    summary: Annotated[
        bool | None,
        typer.Option(
            "--summary/--no-summary",
            help="Print counts over all receipts in place of a result for each, or not. With --only-findings, both.",
            show_default="with --documents and -f text",
        ),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the summary as one HTML file too, which opens offline."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, max=1024, help="How many processes check receipts.")
    ] = 1,
    progress: Annotated[
        bool | None,
        typer.Option(
            "--progress/--no-progress",
            help="Show receipts, rate and time left on standard error, or not.",
            show_default="on a terminal",
        ),
    ] = None,
    listing: Listing,
) -> ExitStatus:
    """Each receipt is audited against the contract and the certificate that it names by digest; if it names none of
    those given, it is undecided. If at most one contract and one certificate are given with --contract and
    --certificate, every receipt is audited against them, and a receipt that names another fails.

    If a check cannot be made, the receipt is undecided. If a contract, certificate or key is not given, the command
    reports that once, at the end, with the number of receipts that needed it.

    A receipt repeats an earlier one if it has its receipt_id, or its nonce under the same issuer_key_id. It fails
    (duplicate) if the earlier one's verdict is holds, and is undecided if the earlier one is undecided. An earlier
    receipt that fails, for example because its signature is forged, is not counted.

    At a level below audit, a receipt without findings is valid, never holds: text checks the JSON text, schema also
    the schema with its rules, signature also the receipt's own signature.

    The last line, on standard error, counts the verdicts. Ctrl-C ends the run with the counts of what was done until
    then, and exit status 130.
    """
    if documents and (contract or certificate):
        raise typer.BadParameter("give --documents, or --contract and --certificate, not both")
    if policy is not None and level != "audit":
        raise typer.BadParameter("--policy goes with --level audit")
    if html is not None and level != "audit":
        raise typer.BadParameter("--html goes with --level audit")
    report = Report("audit", listing, verdicts=VERDICTS if level == "audit" else _SHALLOW_VERDICTS)
    try:
        page = None if html is None else _Page(report, html)
    except ModuleNotFoundError as error:
        report.problem("--html", str(error))
        return report.close()
    held = held_documents(report, documents or ())
    contracts = {**held.contracts, **held_documents(report, contract or (), "contract").contracts}
    certificates = {**held.certificates, **held_documents(report, certificate or (), "certificate").certificates}
    public_key = public_keys(report, keys)
    trust = None if policy is None else trust_policy(report, policy)
    if report.summary.exit_status:  # verdicts would rest on less than was asked for
        return report.close()
    by_digest = bool(documents) or len(contracts) > 1 or len(certificates) > 1
    auditor = Auditor(
        contracts.values(),
        certificates.values(),
        public_key,
        policy=trust,
        at_update=at_update,
        by_digest=by_digest,
        level=level,
    )
    if summary is None:
        summary = bool(documents) and listing.form == "text" and not listing.statistics
    run = _Run(report, auditor, receipts, lines, column, workers, Progress(receipts, progress))
    totals = Summary(Documents(contracts, certificates))
    if summary:
        run.count_all(totals, listed=listing.only_findings)
    else:
        run.list_all(None if page is None else totals)
    if summary:
        report.aggregate(totals.to_json(), summary_text(totals).splitlines())
    if page is not None:
        held = Documents(contracts, certificates)
        page.write(totals, _about(receipts, held, public_key, at_update, is_whole=not report.is_interrupted))
    return report.close()


class _Run:
    """The receipts under way."""

    def __init__(
        self,
        report: Report,
        auditor: Auditor,
        receipts: Sequence[str],
        lines: bool | None,
        column: str | None,
        workers: int,
        progress: Progress,
    ) -> None:
        self._report = report
        self._auditor = auditor
        self._receipts = receipts
        self._lines = lines
        self._column = column
        self._workers = workers
        self._progress = progress

    def list_all(self, totals: Summary | None) -> None:
        """Reports each receipt; counts it in ``totals`` too, if they are wanted."""
        with self._guarded():
            for found in self._auditor.files(
                self._receipts,
                lines=self._lines,
                column=self._column,
                workers=self._workers,
                done=self._progress.advance,
            ):
                if totals is not None:
                    totals.add(found)
                self._take(found, listed=True)

    def count_all(self, totals: Summary, *, listed: bool) -> None:
        """Counts each receipt; reports those with findings, if they are to be ``listed``."""
        with self._guarded():
            for batch, found in self._auditor.counted(
                self._receipts, lines=self._lines, column=self._column, workers=self._workers
            ):
                if batch.source:
                    self._report.reads(batch.source)
                for each in found:
                    if isinstance(each, Good):
                        totals.count(each)
                        self._report.count(each.shape[0], each.count, each.shape[1] if len(each.shape) > 1 else ())
                    else:
                        totals.add(each)
                        self._take(each, listed=listed)
                self._progress.advance(sum(each.count if isinstance(each, Good) else 1 for each in found), batch.size)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with self._progress:
                yield
        except KeyboardInterrupt:
            self._report.interrupted()
        except WorkerLost as error:
            self._report.problem("", str(error))

    def _take(self, found: Verdict | Unread, *, listed: bool) -> None:
        if isinstance(found, Unread):
            self._report.unread(found)
        else:
            self._report.add(_result(found), listed=listed)


def _result(found: Verdict) -> Result:
    receipt = found.receipt
    if receipt is None:
        line = f"{found.label}  {found.verdict}"
        return Result(found, found.verdict, (line,), {"kind": "receipt"}, found.findings)
    scalar = "unscored" if receipt.scalar_reward is None else shown(receipt.scalar_reward)
    certified = "certified (synthetic)" if receipt.certified else "not certified (synthetic)"
    line = f"{found.label}  {receipt.receipt_id}  {found.verdict}  {receipt.reward_outcome}  {scalar}  {certified}"
    members = {
        "kind": "receipt",
        "receipt_id": receipt.receipt_id,
        "reward_outcome": receipt.reward_outcome,
        "scalar_reward": receipt.scalar_reward,
        "certified_synthetic": receipt.certified,
        "development_only": receipt.development_only,
        "roles": [role._asdict() for role in found.roles],
    }
    options = audit_inputs()
    not_given = tuple(
        NotGiven(what, note("not-given-option", input=what, options=options[what]), codes)
        for what, codes in found.not_given.items()
    )
    return Result(found, found.verdict, (line,), members, found.findings, found.unchecked, not_given, found.checked)


class _Page:
    """The report in HTML, whose file and packages are known to be there before the receipts are read."""

    def __init__(self, report: Report, name: str) -> None:
        """Raises OutputLost, and ModuleNotFoundError, which names the extra."""
        for module in ("altair", "vl_convert"):
            extra_module(module, "a report in HTML", "report")
        self._file = OutputFile(name, "--html")
        report.also_writes(self._file)

    def write(self, totals: Summary, about: Mapping[str, str]) -> None:
        """Puts the page in its place. Raises OutputLost."""
        from ...report.page import page

        self._file.write(page(totals, os.path.dirname(self._file.place), "Audit of receipts", about))
        self._file.complete()


def _about(
    receipts: Sequence[str], documents: Documents, key: PublicKey | None, at_update: int | None, is_whole: bool
) -> dict[str, str]:
    """What the page says first."""
    held = f"{counted(len(documents.contracts), 'contract')}, "
    held += f"{counted(len(documents.certificates), 'certificate')} (synthetic)"
    about = {"Receipts": ", ".join(map(redacted, receipts)), "Audited against": held}
    about["Keys"] = "none" if key is None else counted(len(key), "key") if isinstance(key, Keyring) else "1 key"
    if at_update is not None:
        about["Trainer's policy update"] = str(at_update)
    if not is_whole:
        about["Interrupted"] = "the run was ended early; the figures are of what was done until then"
    return about
