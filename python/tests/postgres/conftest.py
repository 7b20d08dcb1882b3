"""The places of ledgers, as fixtures."""

from ledger_places import place as place
from ledger_places import server as server
