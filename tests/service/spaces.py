"""Workspaces and requests for the tests of the service."""

import io
import random
from functools import cache
from pathlib import Path
from typing import Any

from incrowd.service import Limits, Run, StoredFile, Workspace
from incrowd.service.prober import UploadProber

PEOPLE = "\n".join(
    ["age,sex,zip,disease", *(f"{20 + at % 40},{'mf'[at % 2]},{1000 + at % 7},{'abc'[at % 3]}" for at in range(200))]
)


class KeptProber(UploadProber):
    """Keeps its process for the next workspace with the same limits: to begin one takes longer than most tests."""

    def close(self) -> None:
        """Let it wait; it ends with this process."""


kept_prober = cache(KeptProber)


def opened(folder: Path, limits: Limits) -> Workspace:
    """A workspace that looks at files, though not at databases, in a process that others had before."""
    space = Workspace.open(folder, limits)
    space._looking = kept_prober(limits)
    return space


def upload(space: Workspace, text: str = PEOPLE, name: str = "people.csv", **more: str) -> StoredFile:
    """A text as a file of the workspace."""
    return space.add_file(name, io.BytesIO(text.encode()), **more)


def done(space: Workspace, kind: str, **request: Any) -> Run:
    """A run that was asked for, once it is done."""
    run = space.wait(space.submit(kind, request).id, 300)
    assert run.state == "done", run.error
    return run


SEARCH = {"search": "optimal"}
"""One level per column: what the tests know of the release does not depend on which search keeps most."""


def job_for(file: str, k: int = 5, **more: Any) -> dict[str, Any]:
    """A job that is quickly done."""
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}},
        "sex": {"role": "quasi"},
        "zip": {"role": "quasi", "hierarchy": "mask"},
        "disease": {"role": "sensitive"},
    }
    return {"data": file, "columns": columns, "models": [{"k_anonymity": {"k": k}}], "suppress": 0.1, **SEARCH, **more}


K_OF_WIDE = 20
"""Millions of sets of columns of the wide table have this k, while the answer names few of them."""


def wide_table(columns: int = 40, records: int = 3000) -> str:
    """A table with so many sets of columns that nobody counts them all while a test waits."""
    chance = random.Random(1)
    lines = [",".join(str(chance.randrange(2)) for _ in range(columns)) for _ in range(records)]
    return "\n".join([",".join(f"c{at}" for at in range(columns)), *lines])


def everything_in(folder: Path) -> list[Path]:
    """All files and folders below one."""
    return [folder, *folder.rglob("*")]
