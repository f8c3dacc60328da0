"""Work on several processors: in threads, for libraries and kernels that do without Python's lock.

What is worked out, and in which order it comes, is the same for any number of threads.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeVar

from incrowd.errors import UsageError

VARIABLE = "INCROWD_THREADS"
"""Says how many threads there may be, unless the command line does."""

_AHEAD = 2
"""How many batches are read before they are asked for."""

_One = TypeVar("_One")
_Made = TypeVar("_Made")


@contextmanager
def limited_threads(number: int | None) -> Iterator[None]:
    """Use so many threads at most, in this process and those that it starts; None sets no limit of its own."""
    before = os.environ.get(VARIABLE)
    if number is not None:
        os.environ[VARIABLE] = str(number)
    try:
        yield
    finally:
        if before is not None:
            os.environ[VARIABLE] = before
        elif number is not None:
            del os.environ[VARIABLE]


def processors() -> int:
    """Return how many processors may be used: as limited, else those that this process has."""
    given = os.environ.get(VARIABLE)
    if not given:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not given.isdecimal() or int(given) < 1:
        raise UsageError.invalid(VARIABLE, "not a whole number from 1 on", "set it to a number of threads")
    return int(given)


def in_order(work: Callable[[_One], _Made], items: Iterable[_One]) -> Iterator[_Made]:
    """Yield what the work makes of each item, in their order; some are worked on at a time."""
    number = processors()
    if number < 2:
        yield from map(work, items)
        return
    pool, waiting = ThreadPoolExecutor(number), deque[Future[_Made]]()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # Who leaves early may be the garbage collector, in any thread: it must not wait for one.
        pool.shutdown(wait=False, cancel_futures=True)


def ahead(batches: Iterator[_One]) -> Iterator[_One]:
    """Yield the same, worked out in another thread while those before are used."""
    if processors() < 2:
        yield from batches
        return
    left: list[bool] = []

    def following() -> list[_One]:
        found = list(islice(batches, 1))
        if left:
            _close(batches)
        return found

    pool = ThreadPoolExecutor(1)
    try:
        waiting = deque(pool.submit(following) for _ in range(_AHEAD))
        while found := waiting.popleft().result():
            waiting.append(pool.submit(following))
            yield from found
    finally:
        left.append(True)
        pool.shutdown(wait=False, cancel_futures=True)
        _close(batches)


def _close(batches: Iterator[Any]) -> None:
    """Close a generator, unless it runs in another thread: that closes it then."""
    if isinstance(batches, Generator):
        with suppress(ValueError):
            batches.close()
