"""A worker process, seen from the server."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from typing import Any

from incrowd.service.limits import Limits
from incrowd.service.sources import without_logins

_MOST = 256 << 20
"""Bytes of one answer."""


class Ended(Exception):
    """The process is gone."""


class Process:
    """Takes one task at a time; one that `looks` does not load beforehand what only runs need."""

    def __init__(self, limits: Limits, looks: bool = False) -> None:
        # A session of its own: Ctrl-C in the terminal of the server is not meant for it.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "incrowd.service.worker", str(limits.memory), *(["looks"] if looks else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=without_logins(os.environ),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._rest = b""
        self.tasks = 0

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Return whether it is running."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Give it a task."""
        self.tasks += 1
        try:
            self._in.write(line.encode() + b"\n")
            self._in.flush()
        except OSError:
            raise Ended from None

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """Return its next message, or None after so many seconds."""
        while b"\n" not in self._rest:
            if not select.select([self._out], [], [], seconds)[0]:
                return None
            block = os.read(self._out.fileno(), 1 << 16)
            if not block or len(self._rest) > _MOST:
                raise Ended
            self._rest += block
        line, _, self._rest = self._rest.partition(b"\n")
        said: dict[str, Any] = json.loads(line)
        return said

    def interrupt(self) -> None:
        """Ask it to stop its run with the best result so far."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> int:
        """Kill the process if running; return its exit code."""
        self._process.kill()
        code = self._process.wait()
        with contextlib.suppress(OSError):
            # What it did not read any more cannot be sent.
            self._in.close()
        self._out.close()
        return code
