"""A job file of several tables on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from incrowd.cli.output import STANDARD, print_json
from incrowd.cli.progress import ProgressLine
from incrowd.commands import steps
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.jobs import Changes


def describes_tables(file: str) -> bool:
    """Return whether a job file describes several tables; one from standard input is of one table."""
    from incrowd.jobs.linked import describes_tables as has_tables

    return file != STANDARD and has_tables(file)


def changes_of(given: dict[str, Any]) -> Changes:
    """Return what a line says beside a job file; refuse all that the file sets."""
    from incrowd.jobs import Changes

    further = sorted(set(given) - {"files", "output", "replace", "time"})
    if further:
        raise UsageError.invalid(
            f"a job file with {', '.join('--' + name.replace('_', '-') for name in further)}",
            "the job file sets these",
            "change them there; only -o, --replace and --time may be given with it",
        )
    return Changes(given.get("output"), "replace" in given, given.get("time"))


def anonymize_linked(file: str, given: dict[str, Any], further: str | None, as_json: bool) -> None:
    """Run a job of several tables and print its result."""
    from incrowd.jobs.linked import LinkedJob
    from incrowd.linked import anonymize_tables

    if further is not None:
        raise UsageError.invalid("--show or --report with several tables", "these take one table", "omit them")
    job = LinkedJob.from_file(file, changes_of(given))
    with ProgressLine() as line:
        made = anonymize_tables(None, job, line.show)
    if as_json:
        print_json(made.to_dict())
    else:
        checked = (f"incrowd verify {made.output}", "reads the tables again and checks every claim")
        print("\n\n".join([str(made), steps([checked])]))
    if not made.manifest.people:
        raise typer.Exit(3)


def diagnose_linked(
    file: str, k: int | None, max_size: int | None, time: float | None, as_json: bool, further: bool
) -> None:
    """Diagnose the tables of a job file and print which columns single people out."""
    from incrowd.jobs.linked import LinkedJob
    from incrowd.linked import LinkedDiagnosis

    if further:
        raise UsageError.invalid(
            "diagnose of several tables with other options", "it takes --k, --max-size and --time", "omit the others"
        )
    diagnosis = LinkedDiagnosis(LinkedJob.from_file(file))
    with ProgressLine() as line:
        answer = diagnosis.ask(2 if k is None else k, 2 if max_size is None else max_size, time, line.show)
    if as_json:
        print_json(answer.to_dict())
    else:
        print(answer)
    if answer.stopped == "interrupted":
        raise typer.Exit(130)
