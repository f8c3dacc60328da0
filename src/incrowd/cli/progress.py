"""Progress on the terminal: one line on standard error, once a run takes longer than a moment."""

import sys
import time
from types import TracebackType

from incrowd.cli.output import is_quiet
from incrowd.watch import Progress

_PATIENCE = 1.0


class ProgressLine:
    """Show progress events on a terminal and clear the line at the end; silent if there is no terminal."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._on_terminal = sys.stderr.isatty() and not is_quiet()
        self._width = 0

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def show(self, progress: Progress) -> None:
        """Show one event."""
        if not self._on_terminal or time.monotonic() - self._start < _PATIENCE:
            return
        share = "" if progress.share is None else f"{100 * progress.share:5.1f}%  "
        line = f"{share}{progress.words}  (Ctrl-C stops with partial results)"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)
