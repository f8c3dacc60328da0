"""Jobs that are wrong, and what is told about them."""

from pathlib import Path
from textwrap import dedent

import pytest

from incrowd.errors import Fault, JobError
from incrowd.jobs import Job


def faults_of(folder: Path, text: str, suffix: str = ".yaml") -> list[Fault]:
    """All that is wrong with the job of a text."""
    path = folder / f"job{suffix}"
    path.write_text(dedent(text), encoding="utf-8")
    with pytest.raises(JobError) as caught:
        Job.from_file(path)
    assert caught.value.exit_code == 2
    assert str(caught.value).splitlines()[1:] == [str(fault) for fault in caught.value.faults]
    assert str(caught.value).startswith(str(path))
    return list(caught.value.faults)


def told(folder: Path, text: str, suffix: str = ".yaml") -> list[tuple[int | None, str, str]]:
    """Line, place and the first words, up to a comma or semicolon, of each fault."""
    found = faults_of(folder, text, suffix)
    return [(fault.line, fault.where, fault.what.split(";")[0].split(",")[0]) for fault in found]
