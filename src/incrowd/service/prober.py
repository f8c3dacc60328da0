"""Probe uploads and databases in a separate process: either may take too much memory or time."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from weakref import finalize

from incrowd.errors import HierarchyError, IncrowdError, QueueFull, SourceError, TooLarge, UsageError
from incrowd.service.failures import INTERNAL
from incrowd.service.ledger import packed
from incrowd.service.limits import Limits
from incrowd.service.process import Ended, Process
from incrowd.service.uploads import UploadInfo

LOOK = "look"
"""Kind of such a task of a worker."""
_AT_ONCE = 2
_AT_MOST = 8
"""Together with those that wait for their turn; each holds one of the server's threads."""
_KINDS: dict[str, type[IncrowdError]] = {
    "bad_source": SourceError,
    "bad_request": UsageError,
    "bad_hierarchy": HierarchyError,
    "too_large": TooLarge,
}


class UploadProber:
    """A worker process or two for what a workspace is given, begun when first needed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turn = threading.BoundedSemaphore(_AT_ONCE)
        self._room = threading.BoundedSemaphore(_AT_MOST)
        self._idle: list[Process] = []
        finalize(self, _end, self._idle)

    def look(self, path: Path, name: str, purpose: str) -> UploadInfo:
        """Return the result of `uploads.look`, run in another process."""
        limits = {key: getattr(self._limits, key) for key in ("upload", "unpacked")}
        task = {"path": str(path), "name": name, "purpose": purpose, "limits": limits}
        return UploadInfo(**self._asked(task, name, _too_heavy(name)))

    def tables(self, path: Path, kind: str, name: str) -> list[str]:
        """Return the result of `uploads.tables_in`, run in another process."""
        found: list[str] = self._asked({"path": str(path), "of": kind}, name, _too_heavy(name))["tables"]
        return found

    def source(self, url: str, table: str | None, query: str | None) -> None:
        """Connect to a database and refuse what does not exist, within a time limit."""
        from incrowd.formats.connections import without_secrets

        shown = without_secrets(url)
        wrong = f"it does not answer within {self._limits.looking:g} seconds"
        late = SourceError.of(shown, wrong, "check the host, the port, and the table or the query")
        self._asked({"url": url, "table": table, "query": query}, shown, late)

    def close(self) -> None:
        """Stop idle processes."""
        _end(self._idle)

    def _asked(self, task: dict[str, Any], name: str, late: IncrowdError) -> dict[str, Any]:
        if not self._room.acquire(blocking=False):
            raise QueueFull("too many files or databases are being looked at; ask again in a moment")
        try:
            with self._turn:
                return self._answered(task, name, late)
        finally:
            self._room.release()

    def _answered(self, task: dict[str, Any], name: str, late: IncrowdError) -> dict[str, Any]:
        process = self._process()
        try:
            said = _answer(process, packed({"kind": LOOK, **task}), self._limits.looking)
        except Ended:
            process.kill()
            raise late from None
        error = said.get("error")
        if error is None or error["code"] in _KINDS:
            self._idle.append(process)
        else:
            process.kill()
        if error is not None:
            raise _refusal(error, name, late)
        found: dict[str, Any] = said["result"]
        return found

    def _process(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
            process.kill()
        return Process(self._limits, looks=True)


def _end(processes: list[Process]) -> None:
    while processes:
        processes.pop().kill()


def _answer(process: Process, line: str, seconds: float) -> dict[str, Any]:
    process.send(line)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        said = process.answer(left)
        if said is not None:
            return said
    raise Ended


def _too_heavy(name: str) -> TooLarge:
    return TooLarge(f"{name}: reading it takes more memory or time than the service has; give it as CSV or Parquet")


def _refusal(error: dict[str, str], name: str, late: IncrowdError) -> IncrowdError:
    if error["code"] in _KINDS:
        return _KINDS[error["code"]]("; ".join(filter(None, [error["message"], error["hint"]])))
    if error["code"] == INTERNAL:
        return SourceError.of(name, f"it cannot be read ({error['message']})", "give it in another format")
    return late
