"""What all tests share: the figures that they print, also where they pass."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow; it is not wrong.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# A test run that was started in the background ignores these, and so would every process that a test starts and ends.
for _number in (signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number is signal.SIGINT else signal.SIG_DFL)

_FIGURE = "figure"


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Takes a line for the section "figures" at the end of the run: ``figure("10000 documents")``."""

    def add(line: str) -> None:
        # A test's properties travel with its report, so from a pytest-xdist worker too.
        request.node.user_properties.append((_FIGURE, line))

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the figures, test by test."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    figures = [
        (report.nodeid, line)
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, line in report.user_properties
        if name == _FIGURE
    ]
    if figures:
        terminalreporter.section("figures")
    shown = None
    for test, line in sorted(figures, key=lambda entry: entry[0]):
        if test != shown:
            terminalreporter.line(test)
            shown = test
        terminalreporter.line(f"    {line}")
