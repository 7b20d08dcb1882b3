"""A function called on many items by several processes, with the results in the order of the items."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Found = TypeVar("Found")

_AHEAD: Final = 3
"""The items that are handed out for each worker before the first of them is done; they are in memory."""


class WorkerLost(Exception):
    """A process of the run ended, for example because it was killed for want of memory."""


def in_order(
    function: Callable[[Item], Found], items: Iterable[Item], workers: int = 1
) -> Iterator[tuple[Item, Found]]:
    """Each item with what the function gives for it, lazily.

    With one worker it is called here. With several, function and items have to be picklable. Raises ValueError for
    less than one worker, and WorkerLost if a process ends.
    """
    if workers < 1:
        raise ValueError(f"there are {workers} workers; expected at least 1")
    if workers == 1:
        for item in items:
            yield item, function(item)
        return
    from concurrent.futures import ProcessPoolExecutor  # loads multiprocessing, which one worker does not need
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[tuple[Item, Future[Found]]] = deque()
    pool = ProcessPoolExecutor(workers, initializer=_start, initargs=(function,))
    try:
        for item in items:
            waiting.append((item, pool.submit(_call, item)))
            if len(waiting) > workers * _AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    except BrokenProcessPool:
        raise WorkerLost("a worker process ended before it was done; try fewer workers") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_function: Callable[[Any], Any] | None = None
"""In a worker, what it calls."""


def _start(function: Callable[[Any], Any]) -> None:
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that handed out the items ends the others
    _function = function


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)
