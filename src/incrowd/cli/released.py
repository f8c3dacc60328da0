"""Print the result of a run that makes a release."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from os.path import isfile
from typing import TYPE_CHECKING

import typer

from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.commands import steps
from incrowd.text import attributes

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.watch import Show


def released(
    run: Callable[[Show], AnonymizationResult],
    as_json: bool,
    report: Callable[[AnonymizationResult], None] | None = None,
    job_file: str | None = None,
) -> None:
    """Run with progress, write the report if requested, and print the result."""
    with ProgressLine() as line:
        made = run(line.show)
        if report is not None:
            report(made)
    if as_json:
        print_json(made.to_dict())
    else:
        print("\n\n".join(part for part in (str(made), _next(made, job_file)) if part))
    if not made.manifest.data.records:
        raise typer.Exit(3)


def _next(made: AnonymizationResult, job_file: str | None) -> str:
    """Return the next steps for a release in a file, and for its job if a column is fully generalized."""
    if made.output is None or not isfile(made.output) or not made.manifest.data.records:
        return ""
    beside = f"{made.output}.record.json"
    record = [] if str(made.record_file) == beside else ["--record", str(made.record_file)]
    report = shlex.join(["incrowd", "report", made.output, *record, "-o", "report.html"])
    listed = [
        (shlex.join(["incrowd", "attack", made.output]), "shows what an attacker could still learn from it"),
        (report, "writes a one-page report; add --external for a version to share"),
    ]
    lost = [column.name for column in made.record.quasi if column.level is not None and column.level == column.height]
    if lost and job_file is not None:
        shows = f"shows whether another recoding keeps something of {attributes(lost)}"
        listed.append((shlex.join(["incrowd", "frontier", job_file, "--grid"]), shows))
    return steps(listed)
