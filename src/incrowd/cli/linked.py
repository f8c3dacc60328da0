"""A job file of several tables on the command line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import typer

from incrowd.cli.output import STANDARD, print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.report_option import REPORT
from incrowd.commands import steps
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.jobs import Changes
    from incrowd.linked import LinkedResult


UNIFORM = "auto:uniform=true"
"""The search of --uniform."""


def describes_tables(file: str) -> bool:
    """Return whether a job file describes several tables; one from standard input is of one table."""
    from incrowd.jobs.linked import describes_tables as has_tables

    return file != STANDARD and has_tables(file)


def is_set(location: str) -> bool:
    """Return whether a location is the folder of a release of several tables."""
    from incrowd.api.linked import is_linked_release

    return is_linked_release(location)


def refuse_options(command: str, given: dict[str, Any], takes: tuple[str, ...]) -> None:
    """Refuse the options of a command that describe one table."""
    further = [name for name, value in given.items() if value not in (None, False, ()) and name not in takes]
    if further:
        raise UsageError.invalid(
            f"{command} of several tables with {', '.join('--' + name.replace('_', '-') for name in further)}",
            f"it takes {', '.join('--' + name for name in takes)}",
            "omit the others",
        )


def attack_linked(release: str, given: dict[str, Any], as_json: bool) -> None:
    """Attack a release of several tables and print whom attackers single out."""
    from incrowd.api import attack
    from incrowd.cli.columns import listed

    refuse_options("attack", given, ("knows", "only", "time"))
    with ProgressLine() as line:
        found: Any = attack(
            release, attacks=listed(given["only"]), knows=given["knows"] or (), time=given["time"], progress=line.show
        )
    _print(found, as_json)
    if found.exposed:
        raise typer.Exit(1)


def risk_linked(file: str, given: dict[str, Any], time: float | None, as_json: bool) -> None:
    """Measure the risk of people in several tables; exit with 1 if it is above a threshold that was given."""
    from incrowd.api import risk
    from incrowd.cli.columns import listed

    refuse_options("risk", given, ("quasi", "knows", "threshold", "population"))
    threshold, population = given["threshold"], given["population"]
    with ProgressLine() as line:
        found: Any = risk(
            file,
            listed(given["quasi"]),
            "0.2" if threshold is None else threshold,
            int(population) if (population or "").isdecimal() else population,
            time=time,
            knows=given["knows"],
            progress=line.show,
        )
    _print(found, as_json)
    if threshold is not None and found.exceeded:
        raise typer.Exit(1)


def measure_linked(original: str, releases: list[str], given: dict[str, Any], as_json: bool) -> None:
    """Measure releases of several tables and print the people and the metrics of each."""
    from incrowd.api import measure
    from incrowd.cli.columns import listed

    refuse_options("measure", {**given, "seed": given["seed"] or None}, ("only", "without", "seed", "time"))
    metrics = [*listed(given["only"]), *(f"-{name}" for name in listed(given["without"]))]
    with ProgressLine() as line:
        found: Any = measure(
            original, releases, metrics=metrics, seed=given["seed"], time=given["time"], progress=line.show
        )
    _print(found, as_json)


def _print(found: Any, as_json: bool) -> None:
    """Print a result that may be partial; exit if it was interrupted."""
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def search_of(given: dict[str, Any]) -> str | None:
    """Return the search that a line names: --uniform is the one that keeps one level per column."""
    if "uniform" not in given:
        return given.get("search")
    if "search" in given:
        raise UsageError.invalid("--uniform with --search", "both choose the search", "give only one of them")
    return UNIFORM


def changes_of(given: dict[str, Any]) -> Changes:
    """Return what a line says beside a job file; refuse all that the file sets."""
    from incrowd.jobs import Changes
    from incrowd.jobs.names import listed

    further = sorted(set(given) - {"files", "output", "replace", "time", "search", "uniform", "drop"})
    if further:
        raise UsageError.invalid(
            f"a job file with {', '.join('--' + name.replace('_', '-') for name in further)}",
            "the job file sets these",
            "change them there; only -o, --replace, --time, --search, --uniform and --drop may be given with it",
        )
    drop = [name for text in given.get("drop", ()) for name in listed(text) or [text]]
    return Changes(given.get("output"), "replace" in given, given.get("time"), search_of(given), tuple(drop))


def anonymize_linked(file: str, given: dict[str, Any], show: str | None, report: str | None, as_json: bool) -> None:
    """Run a job of several tables, write a report if requested, and print the result."""
    from incrowd.jobs.linked import LinkedJob
    from incrowd.linked import anonymize_tables
    from incrowd.linked.places import check_place

    if show is not None:
        raise UsageError.invalid("--show with several tables", "it shows a job of one table", "omit it")
    job = LinkedJob.from_file(file, changes_of(given))
    if report is not None:
        from incrowd.reports.report import check_writable

        check_writable(report)
        check_place(job, False, [(REPORT, report)])
    with ProgressLine() as line:
        made = anonymize_tables(None, job, line.show)
        if report is not None:
            from incrowd.reports import make_report

            # Databases are read as the job names them, with their passwords.
            make_report(made, original=job).write(report, job.output is not None and job.output.replace)
    _print_made(made, as_json)


def apply_linked(record: str, files: list[str], given: dict[str, Any], as_json: bool) -> None:
    """Publish new tables with the recoding of an earlier release of several tables, and print the result."""
    from incrowd.api import apply

    refuse_options("apply", given, ("output", "replace"))
    if not files:
        raise UsageError.invalid(
            "nothing to read", "no new tables are given", "name a folder, TABLE=FILE or a job file"
        )
    with ProgressLine() as line:
        made: Any = apply(record, files, given["output"], replace=given["replace"], progress=line.show)
    _print_made(made, as_json)


def _print_made(made: LinkedResult, as_json: bool) -> None:
    """Print the result of a run that makes a release of several tables."""
    if as_json:
        print_json(made.to_dict())
    else:
        print("\n\n".join([str(made), steps(_next(str(made.output), str(made.record_file)))]))
    if not made.manifest.people:
        raise typer.Exit(3)


def _next(output: str, record: str) -> list[tuple[str, str]]:
    """Return the next steps for a release of several tables."""
    elsewhere = [] if record == f"{output}.record.json" else ["--record", record]
    return [
        (shlex.join(["incrowd", "verify", output]), "reads the tables again and checks every claim"),
        (shlex.join(["incrowd", "attack", output]), "shows whom an attacker could still single out"),
        (
            shlex.join(["incrowd", "report", output, *elsewhere, "-o", "report.html"]),
            "writes a one-page report; add --external for a version to share",
        ),
    ]


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
    _print(answer, as_json)
