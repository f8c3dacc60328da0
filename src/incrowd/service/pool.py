"""A pool of long-lived worker processes, each supervised by a thread of the server."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from typing import IO, Any

from incrowd.errors import UsageError
from incrowd.service import queue
from incrowd.service.failures import INTERNAL, describe_error, failure
from incrowd.service.process import Ended, Process
from incrowd.service.queue import Task
from incrowd.service.workspace import Workspace

_log = logging.getLogger("incrowd")
_PATIENCE = 0.1
"""Seconds after which a minder looks again whether its run was cancelled."""
_TASKS = 500
"""After so many a process makes place for a new one, whatever it or a library has kept."""


class Pool:
    """Runs what waits in a workspace, on so many processes."""

    def __init__(self, space: Workspace, workers: int = 2) -> None:
        if workers < 1:
            raise UsageError.invalid(f"{workers} workers", "nothing would ever run", "have at least one")
        self.space = space
        self._minders = [threading.Thread(target=self._mind, name=f"minder-{at}", daemon=True) for at in range(workers)]
        self._stopping = threading.Event()
        self._lock: IO[bytes] | None = None
        self.pids: dict[int, str | None] = {}
        """The processes, each with the run that it is at."""

    def start(self) -> None:
        """Start working on waiting runs, also those that a killed server left."""
        self._lock = _locked(self.space)
        self.space.tidy()
        queue.recover(self.space)
        for minder in self._minders:
            minder.start()

    def stop(self) -> None:
        """Stop all processes; their runs wait until the next start."""
        self._stopping.set()
        self.space.tell()
        for minder in self._minders:
            if minder.is_alive():
                minder.join()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Pool:
        self.start()
        return self

    def __exit__(self, *of_an_error: object) -> None:
        self.stop()

    def _mind(self) -> None:
        """Run one thread; no error may end it."""
        while not self._stopping.is_set():
            try:
                self._with_process()
            except Exception as error:
                _log.error("%s", describe_error(error)["message"])
                self._stopping.wait(1)

    def _with_process(self) -> None:
        process = Process(self.space.limits)
        self.pids[process.pid] = None
        try:
            self._use(process)
        finally:
            self._gone(process)

    def _use(self, process: Process) -> None:
        """Give a process one run after another, as long as it is usable."""
        while not self._stopping.is_set() and process.tasks < _TASKS:
            task = queue.take(self.space)
            if task is None:
                with self.space.changed:
                    self.space.changed.wait(0.5)
                continue
            self.pids[process.pid] = task.id
            try:
                goes_on = self._done(process, task)
            except Exception as error:
                self._end(task, error)
                raise
            if not goes_on:
                return
            self.pids[process.pid] = None

    def _end(self, task: Task, error: Exception) -> None:
        """End a run in the ledger, and retry until that can be written."""
        while not self._stopping.is_set():
            try:
                queue.end(self.space, task.id, "failed", error=describe_error(error))
                return
            except Exception as again:
                _log.error("%s", describe_error(again)["message"])
                self._stopping.wait(1)

    def _gone(self, process: Process) -> int:
        self.pids.pop(process.pid, None)
        return process.kill()

    def _done(self, process: Process, task: Task) -> bool:
        """Supervise a run to its end; return whether the process is still usable."""
        case = RunSupervisor(self.space, task)
        try:
            process.send(task.line())
            while not self._stopping.is_set():
                said = process.answer(_PATIENCE)
                if said is not None and "begun" in said:
                    case.begins()
                elif said is not None and "words" in said:
                    case.heard()
                    self.space.live[task.id] = {"share": said["share"], "words": said["words"]}
                    self.space.tell()
                elif said is not None:
                    case.answered(said)
                    return not _leaves_doubt(said)
                if case.asks_to_end():
                    process.interrupt()
                if case.is_overdue():
                    raise Ended
            queue.put_back(self.space, task.id)
        except Ended:
            case.without_answer(self._gone(process))
        return False


_ENDING = 6
"""Number of grace periods for a run that was asked to stop and still reports progress."""


class RunSupervisor:
    """One run under watch: when it must end, and what is said of it then."""

    def __init__(self, space: Workspace, task: Task) -> None:
        self._space = space
        self._task = task
        self._until: float | None = None
        """When its time is up; None before its process has begun, which cannot be asked anything yet."""
        self._asked: float | None = None
        """Since when it is asked to end."""
        self._heard = 0.0
        """When it last told how far it is."""
        self._cancelled = 0
        self._late = False

    def begins(self) -> None:
        """Start its time."""
        queue.begins(self._space, self._task.id)
        self._until = time.monotonic() + self._space.limits.seconds

    def asks_to_end(self) -> bool:
        """Return, once, whether to ask it to stop: it was cancelled, or its time is over."""
        self._cancelled = queue.cancelled(self._space, self._task.id)
        if self._until is None:
            return False
        self._late = self._late or (not self._cancelled and time.monotonic() > self._until)
        if self._asked is None and (self._cancelled or self._late):
            self._asked = time.monotonic()
            return True
        return False

    def heard(self) -> None:
        """Note its progress."""
        self._heard = time.monotonic()

    def is_overdue(self) -> bool:
        """Return whether a run asked to stop must now be killed."""
        if self._asked is None:
            return self._cancelled > 1
        now, grace = time.monotonic(), self._space.limits.grace
        silent = now - max(self._asked, self._heard) > grace
        return self._cancelled > 1 or silent or now - self._asked > _ENDING * grace

    def answered(self, said: dict[str, Any]) -> None:
        """Record that it ended by itself, perhaps with a partial result."""
        if "error" not in said:
            queue.end(self._space, self._task.id, "done", said["result"], None, said["artefacts"])
        elif self._late:
            queue.end(self._space, self._task.id, "failed", error=self._too_long())
        elif self._asked is not None:
            queue.end(self._space, self._task.id, "cancelled")
        else:
            queue.end(self._space, self._task.id, "failed", said.get("result"), said["error"])

    def without_answer(self, code: int) -> None:
        """Record that its process is gone."""
        if self._cancelled:
            queue.end(self._space, self._task.id, "cancelled")
        elif self._until is None and self._task.starts < self._space.limits.starts:
            # It died before it began: nothing says that the run is at fault.
            queue.wait_again(self._space, self._task.id)
        elif self._late:
            queue.end(self._space, self._task.id, "failed", error=self._too_long())
        else:
            how = f"by signal {-code}" if code < 0 else f"with code {code}"
            died = failure(
                "worker_died",
                f"the process that did it ended {how}, perhaps because it ran out of memory",
                "ask for less, or raise the limit on memory",
            )
            queue.end(self._space, self._task.id, "failed", error=died)

    def _too_long(self) -> dict[str, str]:
        most = f"{self._space.limits.seconds:g} seconds"
        return failure("out_of_time", f"the run took longer than {most}", "ask for less, or give it a time of its own")


def _leaves_doubt(said: dict[str, Any]) -> bool:
    """Return whether to replace the process: out of memory, or an unforeseen error."""
    return "error" in said and said["error"]["code"] in ("out_of_memory", INTERNAL)


def _locked(space: Workspace) -> IO[bytes]:
    """Lock the workspace for one server; the lock ends with its process."""
    try:
        import fcntl
    except ImportError:
        raise UsageError.not_on_this_system() from None
    file = os.fdopen(os.open(space.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        with contextlib.suppress(OSError):
            file.close()
        raise UsageError.invalid(
            f"the workspace {space.folder}", "another server works in it", "stop that one, or choose another folder"
        ) from None
    return file
