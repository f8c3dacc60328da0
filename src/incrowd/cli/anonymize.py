"""incrowd anonymize"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import STANDARD, input_file
from incrowd.cli.reading import job_at
from incrowd.cli.released import released
from incrowd.cli.report_option import REPORT, write_release
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.jobs import Job


def _option(help: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(*names, help=help, metavar=metavar, show_default=False)
    return found


Listed = list[str] | None
_JOB_SUFFIXES = (".yaml", ".yml", ".json", ".xml")


def anonymize(
    files: Annotated[
        Listed,
        typer.Argument(
            metavar="[JOB|FILE...]",
            help="A job file (YAML, JSON or XML), or the data: files or database URLs, several read as one table; "
            "- for standard input.",
            show_default=False,
        ),
    ] = None,
    source: options.Sources = None,
    quasi: Annotated[
        Listed,
        _option(
            "A column that outsiders know, with its hierarchy: age=age.csv, zip=mask, age=intervals:widths=5/10/20, or "
            "sex alone to have one proposed; may be repeated.",
            "COLUMN[=HIERARCHY]",
            "--quasi",
            "-q",
        ),
    ] = None,
    sensitive: Annotated[
        Listed, _option("A column that nobody may learn; may be repeated.", "COLUMN[=HIERARCHY]", "--sensitive", "-s")
    ] = None,
    model: Annotated[
        Listed,
        _option(
            "What every class must fulfil: k_anonymity:k=5, distinct_l:l=3,column=disease; may be repeated.",
            "MODEL",
            "--model",
            "-m",
        ),
    ] = None,
    generalize: Annotated[
        str | None,
        _option("What goes up its hierarchy: column, cell or none; what the search does when not given.", "WORD"),
    ] = None,
    suppress: Annotated[
        str | None,
        _option(
            "How many records may be left out: a share (0.02), or a number of them; or what may be: row, column, cell "
            "or none.",
            "SHARE|NUMBER|WORD",
        ),
    ] = None,
    search: Annotated[
        str | None,
        _option(
            "What chooses the recoding; optimal when not given, or what --generalize and --suppress ask for.", "SEARCH"
        ),
    ] = None,
    metric: Annotated[
        str | None, _option("Metric to minimize; loss when not given, weighted_loss with --losses.", "METRIC")
    ] = None,
    keep: Annotated[Listed, _option("Columns that are published as they are.", "COLUMNS")] = None,
    identifier: Annotated[Listed, _option("Columns that name a person; never published.", "COLUMNS")] = None,
    drop: Annotated[Listed, _option("Columns that are left out.", "COLUMNS")] = None,
    priority: Annotated[Listed, _option("How much a column matters: age=2; may be repeated.", "COLUMN=NUMBER")] = None,
    limit: Annotated[Listed, _option("The highest level of a column: age=3; may be repeated.", "COLUMN=LEVEL")] = None,
    minimum: Annotated[Listed, _option("The lowest level of a column: age=1; may be repeated.", "COLUMN=LEVEL")] = None,
    losses: Annotated[
        Listed,
        _option("The information loss of a column's levels: age=0/0.2/1; may be repeated.", "COLUMN=NUMBERS"),
    ] = None,
    form: Annotated[
        Listed,
        _option(
            "What a group publishes, for local searches: age=mean; range, ancestor, set, mean, median or mode; what "
            "a part does, for k_optimize: range or set; may be repeated.",
            "COLUMN=FORM",
        ),
    ] = None,
    scale: Annotated[
        Listed,
        _option(
            "All values of a column, lowest first, for local searches and k_optimize: size=small,middle,large.",
            "COLUMN=VALUES",
        ),
    ] = None,
    domain: Annotated[
        Listed,
        _option("The lowest and highest number that could occur, for local searches: age=0/120.", "COLUMN=LOW/HIGH"),
    ] = None,
    normalize: Annotated[
        Listed,
        _option(
            "Make all spellings of a value in a column one: town=blanks/case/unicode; may be repeated.",
            "COLUMN=STEPS",
        ),
    ] = None,
    bounds: Annotated[
        Listed,
        _option(
            "End published ranges at multiples of a number, the outermost at the domain, for local searches: age=10.",
            "COLUMN=NUMBER",
        ),
    ] = None,
    nulls: Annotated[
        str | None, _option("What a missing cell matches: extended, basic, maybe or right_maybe.", "WORD")
    ] = None,
    order: Annotated[
        str | None,
        _option("In what order the records are published: sorted by their cells (as usual), or source.", "WORD"),
    ] = None,
    wiped: Annotated[
        str | None,
        _option("What a suppressed cell shows: label (the top of the hierarchy), or null (a missing value).", "WORD"),
    ] = None,
    population: Annotated[
        Listed, _option("The population that the table was drawn from, for k_map, delta_presence and reports.", "FILE")
    ] = None,
    population_table: Annotated[str | None, _option("Table of the population's database.", "NAME")] = None,
    population_query: Annotated[str | None, _option("Query of the population's database.", "SQL")] = None,
    missing: Annotated[Listed, _option('A text that stands for missing, such as "?"; may be repeated.', "TEXT")] = None,
    delimiter: Annotated[str | None, _option("What separates the cells of a text file.", "TEXT")] = None,
    encoding: Annotated[str | None, _option("Encoding of a text file.", "NAME")] = None,
    header: options.Header = None,
    names: options.Names = None,
    widths: options.Widths = None,
    table: Annotated[str | None, _option("Table of a database, or sheet of a workbook.", "NAME")] = None,
    query: Annotated[str | None, _option("Database query whose result is the table.", "SQL")] = None,
    output: Annotated[
        str | None,
        _option(
            "Where the release goes: a file, by its ending, or a database URL; - for standard output, as CSV.",
            "FILE",
            "--output",
            "-o",
        ),
    ] = None,
    output_table: Annotated[str | None, _option("Table of a database that is written to.", "NAME")] = None,
    output_delimiter: Annotated[str | None, _option("What separates the cells of the file written.", "TEXT")] = None,
    replace: options.Replace = False,
    spreadsheet_safe: options.SpreadsheetSafe = False,
    record: Annotated[str | None, _option("Where the private record goes.", "FILE")] = None,
    mapping: Annotated[str | None, _option("List what every value became, in this file.", "FILE")] = None,
    seed: Annotated[int | None, _option("What chance starts from.", "NUMBER")] = None,
    show: Annotated[
        str | None,
        _option("Run nothing; print the same job as yaml, json, xml, command or script.", "FORM"),
    ] = None,
    report: options.Report = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Create a release that satisfies your privacy models.

    Finds the best generalisation within the limits, writes it, reads it again and verifies it.
    """
    words = {**locals(), "files": files or []}
    if not files and source is None:
        raise UsageError.senseless(
            "nothing to read", "no source was given", "name a job file, a file or a database URL, or give --source"
        )
    job = _job(words)
    if show is not None:
        print(_shown(job, show), end="")
        return
    from incrowd.api import anonymize as run

    if job.output is None:
        raise UsageError.senseless("the job", "it does not say where the release goes", "name a file (-o FILE)")
    if report is not None:
        _check_report(report, job)
    released(
        lambda progress: run(None, job, progress=progress),
        as_json,
        None if report is None else lambda made: write_release(report, made, job),
        words["files"][0] if _is_job(words) else None,
    )


def _check_report(report: str, job: Job) -> None:
    """Refuse a report that cannot be written, or not there, before anything takes long."""
    from incrowd.anonymization import check_place
    from incrowd.reports.report import check_writable

    check_writable(report)
    check_place(job, () if job.data is None else job.data.moved(job.located), outputs=[(REPORT, report)])


def _job(words: dict[str, Any]) -> Job:
    """The job of a file, where one is named and nothing on the line describes another; else the line's own."""
    from incrowd.jobs import Options, job_from_options

    given = {
        name: of
        for name, of in words.items()
        if name not in ("show", "report", "as_json") and of not in (None, []) and (of is not False or name == "header")
    }
    if _is_job(words):
        further = sorted(set(given) - {"files", "output", "replace", "time"})
        if further:
            raise UsageError.senseless(
                f"a job file with {', '.join('--' + name.replace('_', '-') for name in further)}",
                "the file says all that",
                "change it there; -o, --replace and --time may be given with it",
            )
        return job_at(words["files"][0]).changed(given.get("output"), "replace" in given, given.get("time"))
    return job_from_options(Options(**{**given, "files": list(map(input_file, words["files"]))}))


def _is_job(words: dict[str, Any]) -> bool:
    """Whether the line names a job file and describes no job itself."""
    files = words["files"]
    described = any(words[name] is not None for name in ("source", "quasi", "model"))
    return not described and len(files) == 1 and (files[0] == STANDARD or files[0].lower().endswith(_JOB_SUFFIXES))


def _shown(job: Job, form: str) -> str:
    forms = {
        "yaml": job.to_yaml,
        "json": job.to_json,
        "xml": job.to_xml,
        "command": job.to_command,
        "script": job.to_script,
    }
    if form not in forms:
        raise UsageError.not_one_of("--show", form, forms)
    if job.unresolved:
        raise UsageError.senseless(
            "--show", "the job file has environment variables, whose values may be secret", "read the file itself"
        )
    return forms[form]().rstrip("\n") + "\n"
