"""Runs that are killed: each in a process of its own, forked from this one, which has loaded everything already.

    python -m anonymization.killing FOLDER OUTPUT

The folder has a table and a folder `old`, in copies of which the runs begin: `whole`, which nobody kills, and the
others, each of which is killed at a time drawn by lot.
"""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import incrowd.anonymization
import incrowd.api
from anonymization.hospital import tight_job
from incrowd.jobs import Job

KILLED = 8


def described(folder: Path, output: str) -> Job:
    """The job, with leave to replace; FOLDER in a URL is the folder of the release."""
    to: dict[str, Any] = {"to": str(folder / output), "mapping": str(folder / "mapping.csv")}
    if "://" in output:
        to = {"to": output.replace("FOLDER", str(folder)), "table": "released"}
    return Job.from_dict(tight_job(output={**to, "replace": True}))


def run(folder: Path, output: str, moment: float | None = None) -> None:
    """One run in a process of its own, killed at a moment if one is given."""
    shutil.copytree(folder.parent / "old", folder)
    job = described(folder, output)
    child = os.fork()
    if child == 0:
        incrowd.api.anonymize(str(folder.parent / "patients.csv"), job)
        os._exit(0)
    if moment is not None:
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert status == 0 or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL)


def runs(folder: Path, output: str) -> None:
    """One run that is let alone, and so many that are not."""
    started = time.monotonic()
    run(folder / "whole", output)
    took = time.monotonic() - started
    luck = random.Random(11)
    for number in range(KILLED):
        run(folder / f"killed {number}", output, luck.uniform(0, took))


if __name__ == "__main__":
    runs(Path(sys.argv[1]), sys.argv[2])
