"""Runs that are killed: each in a process of its own, forked from this one, which has loaded everything already.

    python -m anonymization.killing FOLDER OUTPUT lines|moments

The folder has a table and a folder `old`, in a copy of which each run begins. Prints a list: what each killed run left
behind, and at last what a run left that nobody killed. `lines` kills before each line of the functions that write;
`moments` at times drawn by lot.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import incrowd.anonymization
import incrowd.api
from anonymization.hospital import tight_job
from incrowd.jobs import Job

WRITING = frozenset({"placed", "_passing_name", "whole_file", "_to_disk", "write_text", "store", "_put_in_place"})
"""The functions by which files come and go."""
MOMENTS = 10

Left = dict[str, tuple[str, int]]
"""By name the content of every file, byte by byte as Latin-1, and its rights."""


def described(folder: Path, output: str) -> Job:
    """The job, with leave to replace."""
    if "://" in output:
        to: dict[str, Any] = {"to": output.replace("FOLDER", str(folder)), "table": "released"}
    else:
        to = {"to": str(folder / output), "mapping": str(folder / "mapping.csv")}
    return Job.from_dict(tight_job(output={**to, "replace": True}))


def run(table: str, job: Job, line: int | None = None, moment: float | None = None) -> bool:
    """One run in a process of its own, killed before a line or at a moment; whether it was."""
    child = os.fork()
    if child == 0:
        if line is not None:
            sys.settrace(killer(line))
        incrowd.api.anonymize(table, job)
        os._exit(0)
    if moment is not None:
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def killer(line: int) -> Any:
    """Traces the functions that write, and kills before the line of that number."""
    left = line

    def inside(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return inside

    def outside(frame: FrameType, event: str, _: object) -> Any:
        ours = "incrowd" in frame.f_code.co_filename and frame.f_code.co_name in WRITING
        return inside if ours else None

    return outside


def left_behind(folder: Path) -> Left:
    """All files of a folder."""
    return {path.name: (path.read_bytes().decode("latin-1"), path.stat().st_mode & 0o777) for path in folder.iterdir()}


def runs(folder: Path, output: str, how: str) -> Iterator[Left]:
    """What each run left behind."""
    table = str(folder / "patients.csv")
    started = time.monotonic()
    shutil.copytree(folder / "old", folder / "whole")
    assert not run(table, described(folder / "whole", output))
    took = time.monotonic() - started
    luck = random.Random(11)
    is_killed, number = True, 0
    while is_killed and (how == "lines" or number < MOMENTS):
        place = folder / "run"
        shutil.copytree(folder / "old", place)
        number += 1
        job = described(place, output)
        if how == "lines":
            is_killed = run(table, job, line=number)
        else:
            run(table, job, moment=luck.uniform(0, took))
        if is_killed:
            yield left_behind(place)
        shutil.rmtree(place)
    yield left_behind(folder / "whole")


if __name__ == "__main__":
    print(json.dumps(list(runs(Path(sys.argv[1]), *sys.argv[2:]))))
