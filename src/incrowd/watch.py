"""Deadline, interruption and progress: passed to anything that may take long.

    with Watch(seconds=30, progress=show) as watch:
        while work:
            ...
            watch.tick("3 sets counted", share_done)   # raises Stopped

Whoever does the work catches Stopped and returns what is known so far.
"""

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import FrameType, TracebackType
from typing import Any, TypeVar

from incrowd.errors import UsageError


class Stopped(Exception):
    """The deadline passed, or the user interrupted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _CallerFailed(BaseException):
    """The caller's function that shows progress failed.

    On its way out of the run nobody may take that for a failure of the data, of a database or of a file, so it is not
    an Exception. The watch raises what the caller's function raised.
    """

    def __init__(self, failure: Exception) -> None:
        super().__init__(type(failure).__name__)
        self.failure = failure


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    share: float | None
    """Share of the work that is done, None while unknown."""
    words: str
    """What is going on, such as '120 attribute sets counted'."""


Show = Callable[[Progress], None]


class Watch:
    """A run's deadline, its interruption and its progress events.

    Inside the `with` block the first Ctrl-C asks the run to stop at the next tick, with what is known so far; the
    second one stops it at once.
    """

    def __init__(self, seconds: float | None = None, progress: Show | None = None) -> None:
        if seconds is not None and not seconds >= 0:
            raise UsageError(f"the time is {seconds!r}; it must be a number of seconds, 0 or more")
        self._seconds = seconds
        self._progress = progress
        self._deadline: float | None = None
        self._cancelled = False
        self._before: Any = None
        self._shown = 0.0
        self._inside = False

    def __enter__(self) -> "Watch":
        self._inside = True
        if self._seconds is not None:
            self._deadline = time.monotonic() + self._seconds
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        self._inside = False
        if isinstance(error, _CallerFailed):
            raise error.failure from error.failure.__cause__

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._cancelled:
            raise KeyboardInterrupt
        self._cancelled = True

    def cancel(self) -> None:
        """Ask the run to stop; may be called from any thread."""
        self._cancelled = True

    @property
    def seconds_left(self) -> float:
        """Until the deadline; infinite where there is none."""
        return inf if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def tick(self, words: str, share: float | None = None) -> None:
        """Say how far the run is; raises Stopped when it must end."""
        if self._cancelled:
            raise Stopped("interrupted")
        now = time.monotonic()
        if self._deadline is not None and now > self._deadline:
            raise Stopped("time")
        if self._progress is not None and now - self._shown > 0.1:
            self._shown = now
            try:
                self._progress(Progress(share, words))
            except Exception as error:
                if not self._inside:
                    raise
                raise _CallerFailed(error) from None


_Found = TypeVar("_Found")
_MOMENT = 1.0
"""So many seconds work that was told to end is waited for."""


def wait_for(work: Callable[[], _Found], watch: Watch, words: str, end: Callable[[], None] | None = None) -> _Found:
    """What work finds that looks at no watch, such as that of a solver.

    It is done in a thread, so it must let go of the interpreter's lock. Where the watch stops the run, Stopped is
    raised at once, or, where the work can be told to `end`, as soon as it has, but within a moment. A thread that goes
    on is left to itself, and does not keep the program from ending.
    """
    found: list[_Found] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            if thread.is_alive():
                watch.tick(words)
    except BaseException:
        if end is not None:
            end()
            thread.join(_MOMENT)
        raise
    if failed:
        raise failed[0]
    return found[0]
