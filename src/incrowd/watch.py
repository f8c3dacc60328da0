"""Time limit, interruption and progress of anything that may take long.

    with Watch(seconds=30, progress=show) as watch:
        while work:
            ...
            watch.tick("3 sets counted", share_done)   # raises Stopped

The worker catches Stopped and returns partial results.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import FrameType, TracebackType
from typing import Any, TypeVar

from incrowd.errors import Interrupted, UsageError
from incrowd.notebook import Bar, bar


class Stopped(Exception):
    """The time limit was reached, or the user interrupted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def all_or_nothing(doing: str, consequence: str = "there is no result yet") -> Iterator[None]:
    """Raise Interrupted if a watch stops work that has no partial result."""
    try:
        yield
    except Stopped as stop:
        why = "timed out" if stop.reason == "time" else "interrupted"
        raise Interrupted(f"{why} while {doing}; {consequence}") from None


class _CallerFailed(BaseException):
    """The caller's progress function failed.

    Not an Exception, to keep the run from mistaking it for a failure of the data, a database or a file. The watch
    re-raises what the function raised.
    """

    def __init__(self, failure: Exception) -> None:
        super().__init__(type(failure).__name__)
        self.failure = failure


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    share: float | None
    """The share of the work done; None while unknown."""
    words: str
    """The current state, such as '120 attribute sets counted'."""


Show = Callable[[Progress], None]


class Watch:
    """The time limit, interruption and progress events of a run; in a notebook a bar shows the progress by default.

    Inside the `with` block the first Ctrl-C asks the run to stop at the next tick with partial results; the second one
    stops it at once.
    """

    def __init__(self, seconds: float | None = None, progress: Show | None = None) -> None:
        if seconds is not None and not seconds >= 0:
            raise UsageError(f"the time limit is {seconds!r}; it must be a number of seconds, 0 or more")
        self._seconds = seconds
        self._progress = progress
        self._deadline: float | None = None
        self._cancelled = False
        self._before: Any = None
        self._bar: Bar | None = None
        self._shown = 0.0
        self._inside = False
        self._reserve = 0.0
        self._looked: float | None = None
        self._step = 0.0

    def __enter__(self) -> "Watch":
        self._inside = True
        if self._seconds is not None:
            self._deadline = time.monotonic() + self._seconds
            self._reserve, self._looked, self._step = 0.0, None, 0.0
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        if self._progress is None:
            self._progress = self._bar = bar()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        self._inside = False
        if self._bar is not None:
            self._bar.close()
            self._progress = self._bar = None
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
    def cancelled(self) -> bool:
        """Return whether the run was asked to stop, also after its last tick."""
        return self._cancelled

    @property
    def seconds_left(self) -> float:
        """Return the seconds until the work must end; infinite if there is no deadline."""
        return inf if self._deadline is None else max(0.0, self._deadline - self._reserve - time.monotonic())

    @contextmanager
    def as_long_at_the_end(self, times: float) -> Iterator[None]:
        """Keep so many times as long as the work in the `with` block takes for what must be done once time is up."""
        if self._deadline is None:
            yield
            return
        before = time.monotonic()
        yield
        self._reserve = max(self._reserve, times * (time.monotonic() - before))

    def tick(self, words: str, share: float | None = None) -> None:
        """Report progress; raise Stopped if the run must end, or if the next step would end too late."""
        if self._cancelled:
            raise Stopped("interrupted")
        now = time.monotonic()
        if self._deadline is not None and now + self._reserve + self._next_step(now) > self._deadline:
            raise Stopped("time")
        if self._progress is not None and now - self._shown > 0.1:
            self._shown = now
            try:
                self._progress(Progress(share, words))
            except Exception as error:
                if not self._inside:
                    raise
                raise _CallerFailed(error) from None

    def _next_step(self, now: float) -> float:
        """Return how long it will probably take until the next tick: as one of the last two times, the shorter."""
        looked, before = self._looked, self._step
        self._looked = now
        if looked is None:
            return 0.0
        self._step = now - looked
        return min(before, self._step)


_Found = TypeVar("_Found")
_MOMENT = 1.0
"""Seconds to wait for work that was asked to end."""


def wait_for(work: Callable[[], _Found], watch: Watch, words: str, end: Callable[[], None] | None = None) -> _Found:
    """Run blocking work, such as a solver, in a thread under a watch; return its result.

    The work must release the interpreter's lock. If the watch stops the run, Stopped is raised at once; if `end` is
    given, it is called first and the work has a moment to finish. A thread that goes on anyway is abandoned and does
    not keep the program from exiting.
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
