"""``ledger stats``: what a ledger has."""

from __future__ import annotations

from dataclasses import asdict

from ...core.exit_status import ExitStatus
from ...core.text_table import aligned
from ..ledgers import LedgerName, Stopped, label_of, reader, subject, using
from ..options import TextOrJson
from ..report import Report
from ..results import Result


def ledger_stats(ledger: LedgerName, form: TextOrJson = "text") -> ExitStatus:
    """Rows, the last link, bytes on disk, and the number of receipts for each contract and each issuer key."""
    report = Report("ledger stats", form)
    try:
        with reader(report, ledger) as opened, using(report, ledger):
            stats = opened.stats()
    except Stopped:
        return report.close()
    rows = [("contract", "receipts", "first update", "last update")]
    rows += [
        (each.reward_contract_digest, str(each.receipts), str(each.first_update), str(each.last_update))
        for each in stats.contracts
    ]
    issuers = [("issuer key", "receipts"), *((name, str(count)) for name, count in stats.issuers.items())]
    lines = (
        f"ledger  {label_of(ledger)}",
        f"rows    {stats.rows}",
        f"link    {stats.link}",
        f"bytes   {stats.bytes}",
        "",
        *aligned(rows, 1),
        "",
        *aligned(issuers, 1),
    )
    members = {
        "rows": stats.rows,
        "link": stats.link,
        "bytes": stats.bytes,
        "contracts": [asdict(each) for each in stats.contracts],
        "issuers": stats.issuers,
    }
    report.add(Result(subject(ledger), "counted", lines, members))
    return report.close()
