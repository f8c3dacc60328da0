"""Pool: a few long-lived worker processes, each with a thread of the server that gives it runs and minds it."""

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
            raise UsageError.senseless(f"{workers} workers", "nothing would ever run", "have at least one")
        self.space = space
        self._minders = [threading.Thread(target=self._mind, name=f"minder-{at}", daemon=True) for at in range(workers)]
        self._stopping = threading.Event()
        self._lock: IO[bytes] | None = None
        self.pids: dict[int, str | None] = {}
        """The processes, each with the run that it is at."""

    def start(self) -> None:
        """Take up what waits, also what a server that was killed has left."""
        self._lock = _locked(self.space)
        self.space.tidy()
        queue.recover(self.space)
        for minder in self._minders:
            minder.start()

    def stop(self) -> None:
        """End all processes; what they ran waits until the next start."""
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
        """What one thread does, come what may: whatever goes wrong here must not leave fewer of them."""
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
        """Give a process one run after another, as long as it can go on."""
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
        """What was begun must not stay so for ever: where not even that can be written, it is tried until it can."""
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
        """See a run to its end; whether the process can go on."""
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
"""So many times the grace may pass while a run that was asked to end tells that it goes on."""


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
        """From now on its time counts."""
        queue.begins(self._space, self._task.id)
        self._until = time.monotonic() + self._space.limits.seconds

    def asks_to_end(self) -> bool:
        """Whether it is to be asked now: it was cancelled, or its time is up; once."""
        self._cancelled = queue.cancelled(self._space, self._task.id)
        if self._until is None:
            return False
        self._late = self._late or (not self._cancelled and time.monotonic() > self._until)
        if self._asked is None and (self._cancelled or self._late):
            self._asked = time.monotonic()
            return True
        return False

    def heard(self) -> None:
        """It told how far it is."""
        self._heard = time.monotonic()

    def is_overdue(self) -> bool:
        """Whether it was asked in vain: told twice, or silent for too long; what publishes the best may go on."""
        if self._asked is None:
            return self._cancelled > 1
        now, grace = time.monotonic(), self._space.limits.grace
        silent = now - max(self._asked, self._heard) > grace
        return self._cancelled > 1 or silent or now - self._asked > _ENDING * grace

    def answered(self, said: dict[str, Any]) -> None:
        """It came to an end by itself, be it with a part of the work."""
        if "error" not in said:
            queue.end(self._space, self._task.id, "done", said["result"], None, said["artefacts"])
        elif self._late:
            queue.end(self._space, self._task.id, "failed", error=self._too_long())
        elif self._asked is not None:
            queue.end(self._space, self._task.id, "cancelled")
        else:
            queue.end(self._space, self._task.id, "failed", said.get("result"), said["error"])

    def without_answer(self, code: int) -> None:
        """Its process is gone: killed because it did not end, or by itself."""
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
                f"the process that did it ended {how}, perhaps for want of memory",
                "ask for less, or raise the limit on memory",
            )
            queue.end(self._space, self._task.id, "failed", error=died)

    def _too_long(self) -> dict[str, str]:
        most = f"{self._space.limits.seconds:g} seconds"
        return failure("out_of_time", f"the run took longer than {most}", "ask for less, or give it a time of its own")


def _leaves_doubt(said: dict[str, Any]) -> bool:
    """Whether the process is better not used again: its memory ran out, or something happened that nobody foresaw."""
    return "error" in said and said["error"]["code"] in ("out_of_memory", INTERNAL)


def _locked(space: Workspace) -> IO[bytes]:
    """Only one server works in a workspace; the lock ends with its process, however that ends."""
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
        raise UsageError.senseless(
            f"the workspace {space.folder}", "another server works in it", "stop that one, or choose another folder"
        ) from None
    return file
