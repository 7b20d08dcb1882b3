"""Asking one implementation all the cases, twice, whatever it does.

One process answers everything, one request at a time. If it fails it is killed, and the case is asked
again alone, in a process that is then told to end: only that says whether the case did it, or the one before, whose
answer it had given already. A crash, a hang and a broken line are never an answer.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .case import Case
from .compare import Comparison, compare, has_rule_id, rule_id_agrees
from .corpus import Corpus
from .process import Process, Trouble, kill_the_rest
from .protocol import Answer, Hello, ProtocolError, read_answer, read_hello, request_line
from .results import CaseResult, Run, Status
from .signals import raised_as_exceptions

PASSES: Final = 2
"""How often each case is asked."""
MAX_STARTS: Final = 61
"""How often a run starts the driver at most; a case that brings it down takes two starts."""
MAX_TIMEOUTS: Final = 8
"""How often a run waits in vain for an answer at most; a case that hangs takes two."""
LAST_WORDS: Final = 1.0
"""Seconds in which a driver that was too slow may still say something, once its input has ended."""
END_TIMEOUT: Final = 5.0
"""Seconds that a driver may take to end once its input has."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made."""

    timeout: float = 10.0
    """Seconds for each answer, all of it."""
    start_timeout: float = 10.0
    """Seconds for the hello."""
    seed: int = 0
    """The seed of the order of the cases."""


class _Ended(Exception):
    """The run cannot go on."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble


class _Session:
    """A process that said hello."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        """Starts the driver. Raises CannotStart, and _Ended where it says no hello."""
        self._settings = settings
        self._process = Process(command)
        try:
            line = self._process.read_line(settings.start_timeout, "hello")
            if isinstance(line, Trouble):
                raise _Ended(self._late(line, "hello"))
            self.hello = read_hello(line)
        except ProtocolError as error:
            raise _Ended(self.stop(Trouble("protocol-error", str(error)))) from None
        except _Ended as ended:
            raise _Ended(self.stop(ended.trouble)) from None
        except BaseException:
            self._process.kill()
            raise
        self.last: Case | None = None
        """The case that was answered last."""

    def ask(self, case: Case) -> Answer | Trouble:
        """The answer to a case. After trouble the session is of no more use."""
        request_id = secrets.token_hex(8)
        request = request_line(case, request_id)
        self._process.write(request)
        line = self._process.read_line(self._settings.timeout, "answer")
        if isinstance(line, Trouble):
            line = self._late(line, "answer")
            return self.stop(replace(line, detail=f"{line.detail}; the request was a line of {len(request)} bytes"))
        try:
            answer = read_answer(line, request_id, case.operation)
        except ProtocolError as error:
            return self.stop(Trouble("protocol-error", str(error)))
        self.last = case
        return answer

    def _late(self, trouble: Trouble, what: str) -> Trouble:
        """A trouble; if it is that a line did not come in time, with what comes at the end of the driver's input."""
        if trouble.status != "timeout":
            return trouble
        return replace(trouble, detail=trouble.detail + self._process.last_words(LAST_WORDS, what))

    def end(self) -> Trouble | None:
        """Ends the driver as the protocol does; None where it takes it well."""
        trouble = self._process.end(min(END_TIMEOUT, self._settings.timeout))
        if trouble is not None:
            return self.stop(trouble)
        self.kill()
        return None

    def kill(self) -> None:
        self._process.kill()

    def stop(self, trouble: Trouble) -> Trouble:
        """Kills the driver; returns the trouble with what the driver wrote to standard error."""
        self.kill()
        return replace(trouble, stderr=self._process.stderr)


class _Runner:
    def __init__(self, cases: Sequence[Case], command: Sequence[str], settings: Settings) -> None:
        self._cases = cases
        self._command = command
        self._settings = settings
        self._random = random.Random(settings.seed)  # noqa: S311 - an order that can be had again, no secret
        self._session: _Session | None = None
        self._starts = 0
        self._timeouts = 0
        self._comparisons: dict[str, list[Comparison]] = {case.id: [] for case in cases}
        self._answer: Answer | None = None
        self._troubles: dict[str, Trouble] = {}
        """What a case did to the process."""
        self._fine_alone: set[str] = set()
        """The cases that were asked again alone because of the one after, and did nothing."""
        self._never_ends_well: Trouble | None = None
        """What a process does at the end of its input even where it was asked nothing."""
        self.hello: Hello | None = None
        self.trouble: Trouble | None = None

    def run(self) -> None:
        try:
            self._session = self._start()
            for _ in range(PASSES):
                self._pass()
            self._finish()
        except _Ended as ended:
            self.trouble = ended.trouble
        finally:
            if self._session is not None:
                self._session.kill()
        self.trouble = self.trouble or self._never_ends_well

    def result(self, case: Case) -> CaseResult:
        """The result of a case."""
        comparisons = self._comparisons[case.id]
        first = comparisons[0] if comparisons else None

        def result(status: Status, detail: str = "", stderr: str = "") -> CaseResult:
            code = None if first is None else first.code
            agrees = first is not None and status == "pass" and has_rule_id(case) and rule_id_agrees(case, first)
            return CaseResult(case, status, detail, agrees, code, self._answer, stderr)

        if self.hello is None:
            return result("not-run", "the driver never answered hello")
        if not self._claimed(case):
            what = f"layer {case.layer}" if case.layer not in self.hello.layers else f"operation {case.operation}"
            return result("unsupported", f"{what} is not claimed")
        if (trouble := self._troubles.get(case.id)) is not None:
            return result(trouble.status, trouble.detail, trouble.stderr)
        if first is None:
            return result("not-run", "the run had ended")
        for other in comparisons[1:]:
            if other.fingerprint != first.fingerprint:
                return result("unstable", f"first {first}; then {other}")
        if first.kind != "answer":
            return result("protocol-error" if first.kind == "malformed" else first.kind, first.said)
        if not first.right:
            return result("fail", first.said)
        if len(comparisons) < PASSES:
            return result("not-run", "the run had ended before it was asked again")
        return result("pass")

    def _record(self, case: Case, answer: Answer) -> None:
        if len(self._cases) == 1 and self._answer is None:
            self._answer = answer
        self._comparisons[case.id].append(compare(case, answer))

    def _claimed(self, case: Case) -> bool:
        hello = self.hello
        return hello is not None and case.layer in hello.layers and case.operation in hello.operations

    def _pass(self) -> None:
        order = [case for case in self._cases if self._claimed(case)]
        self._random.shuffle(order)
        for case in order:
            if case.id in self._troubles:  # it was asked twice already, the second time alone
                continue
            if self._session is None:
                self._session = self._start()
            answer = self._ask(self._session, case)
            if isinstance(answer, Trouble):
                self._find_cause(case, answer)
            else:
                self._record(case, answer)

    def _find_cause(self, case: Case, trouble: Trouble) -> None:
        before = None if self._session is None else self._session.last
        self._session = None
        self._troubles[case.id] = trouble  # it is this case's, unless another is found to have made it
        alone = self._ask_alone(case)
        if isinstance(alone, Trouble):
            self._troubles[case.id] = alone
        else:
            self._record(case, alone)
        # The case before may be at fault as well, and it must not pass because this one is.
        if before is not None and self._is_at_fault(before):
            if not isinstance(alone, Trouble):
                del self._troubles[case.id]
        elif not isinstance(alone, Trouble):
            self._troubles[case.id] = replace(trouble, detail=f"{trouble.detail}; asked again alone, it answered")

    def _is_at_fault(self, case: Case) -> bool:
        """Whether a case that was answered brings the process down when it is asked alone."""
        if case.id not in self._fine_alone:
            alone = self._ask_alone(case)
            if isinstance(alone, Trouble):
                self._troubles[case.id] = alone
                return True
            self._fine_alone.add(case.id)
        return False

    def _finish(self) -> None:
        """Ends the last process; what it does then is the last case's doing, unless it never ends well."""
        if self._session is None:
            return
        before, trouble = self._session.last, self._session.end()
        self._session = None
        if trouble is None:
            return
        at_fault = before is not None and self._is_at_fault(before)
        if not at_fault and self._never_ends_well is None:
            raise _Ended(trouble)

    def _ask_alone(self, case: Case) -> Answer | Trouble:
        """The answer of a process that is asked nothing else and then ends well; or else the trouble."""
        session = self._start()
        try:
            answer = self._ask(session, case)
            if isinstance(answer, Trouble) or self._never_ends_well is not None:
                return answer
            trouble = session.end()
        finally:
            session.kill()
        if trouble is None:
            return answer
        if trouble.status == "timeout":
            self._timeouts += 1
        # The case made it, unless a process that is asked nothing at all ends no better.
        session = self._start()
        try:
            self._never_ends_well = session.end()
        finally:
            session.kill()
        return trouble if self._never_ends_well is None else answer

    def _ask(self, session: _Session, case: Case) -> Answer | Trouble:
        answer = session.ask(case)
        if isinstance(answer, Trouble) and answer.status == "timeout":
            self._timeouts += 1
        return answer

    def _start(self) -> _Session:
        if self._starts == MAX_STARTS:
            raise _Ended(Trouble("not-run", f"the driver was started {MAX_STARTS} times; it is not started again"))
        if self._timeouts >= MAX_TIMEOUTS:
            raise _Ended(Trouble("not-run", f"{self._timeouts} answers did not come in time; no more are waited for"))
        self._starts += 1
        session = _Session(self._command, self._settings)
        if self.hello is None:
            self.hello = session.hello
        elif self.hello != session.hello:
            raise _Ended(session.stop(Trouble("protocol-error", "started again, it says another hello")))
        return session


def run(
    corpus: Corpus,
    command: Sequence[str],
    settings: Settings,
    *,
    layers: Sequence[str] = (),
    names: Sequence[str] = (),
) -> Run:
    """Asks the driver that a command starts the cases of a corpus, all by default.

    ``layers`` and ``names`` select as ``Corpus.select`` does. Raises CorpusError for what they do not find, and
    CannotStart where the command cannot be started. No process is left, whatever happens, also on SIGTERM and SIGHUP
    (unless somebody handles them already): the driver is killed first, and then this process by the same signal.
    """
    cases = corpus.select(layers, names)
    runner = _Runner(cases, command, settings)
    with raised_as_exceptions():
        try:
            runner.run()
        except BaseException:
            kill_the_rest()
            raise
    return Run(
        corpus=corpus,
        selected_layers=tuple(dict.fromkeys(layers)) or None,
        selected_names=tuple(dict.fromkeys(names)) or None,
        seed=settings.seed,
        hello=runner.hello,
        results=tuple(runner.result(case) for case in cases),
        trouble=runner.trouble,
    )
