"""incrowd anonymize"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.linked import anonymize_linked, changes_of, describes_tables, search_of
from incrowd.cli.output import STANDARD, input_file
from incrowd.cli.reading import job_at
from incrowd.cli.released import released
from incrowd.cli.report_option import REPORT, write_release
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.jobs import Job


ORDER = 70


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
            "Quasi-identifier, with its hierarchy: age=age.csv, zip=mask, age=intervals:widths=5/10/20; for a name "
            "alone (sex) one is proposed from the table, with sex=none from its values alone; may be repeated.",
            "COLUMN[=HIERARCHY]",
            "--quasi",
            "-q",
        ),
    ] = None,
    sensitive: Annotated[
        Listed, _option("Sensitive column; may be repeated.", "COLUMN[=HIERARCHY]", "--sensitive", "-s")
    ] = None,
    k: Annotated[
        int | None, _option("The k of k-anonymity: short for --model k_anonymity:k=NUMBER.", "NUMBER", "--k", "-k")
    ] = None,
    model: Annotated[
        Listed,
        _option(
            "Privacy model for every class: k_anonymity:k=5, distinct_l:l=3,column=disease; may be repeated.",
            "MODEL",
            "--model",
            "-m",
        ),
    ] = None,
    generalize: Annotated[
        str | None,
        _option("What to generalize: column, cell or none (default: as the search does).", "WORD"),
    ] = None,
    suppress: Annotated[
        str | None,
        _option(
            "Suppression limit: a share (0.02, 2%) or a number of records (1); or what to suppress: row, column, "
            "cell or none. "
            "With --person also 0.02:of=people (people who lose a record) or 0.02:whole=true (they lose all theirs).",
            "SHARE|NUMBER|WORD",
        ),
    ] = None,
    search: Annotated[
        str | None,
        _option(
            "Search algorithm (default: auto, which runs several and takes the release that keeps most, or the one "
            "that --generalize and --suppress need).",
            "SEARCH",
        ),
    ] = None,
    uniform: Annotated[
        bool, typer.Option("--uniform", help="One level per column in all records; the search is then optimal.")
    ] = False,
    metric: Annotated[
        str | None, _option("Metric to minimize (default: loss, or weighted_loss with --losses).", "METRIC")
    ] = None,
    keep: Annotated[Listed, _option("Columns to publish unchanged.", "COLUMNS")] = None,
    identifier: Annotated[Listed, _option("Direct identifiers; never published.", "COLUMNS")] = None,
    person: Annotated[
        Listed,
        _option(
            "Columns that together tell which person a record is about; never published. Classes are then counted in "
            "people.",
            "COLUMNS",
        ),
    ] = None,
    knows: Annotated[
        str | None,
        _option(
            "How much an attacker knows of a person (with --person): record (any one record), a number of records, or "
            "history (all of them) (default: record).",
            "WORD|NUMBER",
        ),
    ] = None,
    drop: Annotated[Listed, _option("Columns to drop.", "COLUMNS")] = None,
    priority: Annotated[Listed, _option("Priority of a column: age=2; may be repeated.", "COLUMN=NUMBER")] = None,
    limit: Annotated[Listed, _option("Highest level of a column: age=3; may be repeated.", "COLUMN=LEVEL")] = None,
    minimum: Annotated[Listed, _option("Lowest level of a column: age=1; may be repeated.", "COLUMN=LEVEL")] = None,
    losses: Annotated[
        Listed,
        _option("Information loss of each level of a column: age=0/0.2/1; may be repeated.", "COLUMN=NUMBERS"),
    ] = None,
    form: Annotated[
        Listed,
        _option(
            "What a class publishes (local searches): age=mean; range, ends (in two columns), ancestor, set, "
            "set_or_ancestor, mean, median or mode; for k_optimize, range or set; may be repeated.",
            "COLUMN=FORM",
        ),
    ] = None,
    scale: Annotated[
        Listed,
        _option(
            "All values of a column, lowest first (local searches and k_optimize): size=small,middle,large.",
            "COLUMN=VALUES",
        ),
    ] = None,
    domain: Annotated[
        Listed,
        _option("Lowest and highest possible number (local searches): age=0/120.", "COLUMN=LOW/HIGH"),
    ] = None,
    normalize: options.Normalize = None,
    missing_in: options.MissingIn = None,
    bounds: Annotated[
        Listed,
        _option(
            "End published ranges at multiples of a number, the outermost at the domain (local searches): age=10.",
            "COLUMN=NUMBER",
        ),
    ] = None,
    nulls: Annotated[
        str | None, _option("What a missing value matches: extended, basic, maybe or right_maybe.", "WORD")
    ] = None,
    order: Annotated[
        str | None,
        _option("Order of the published records: sorted by their cells (default), or source.", "WORD"),
    ] = None,
    wiped: Annotated[
        str | None,
        _option("What a suppressed cell shows: label (the top of the hierarchy), or null (a missing value).", "WORD"),
    ] = None,
    population: Annotated[
        Listed, _option("Population the table was drawn from, for k_map, delta_presence and reports.", "FILE")
    ] = None,
    population_table: Annotated[str | None, _option("Database table of the population.", "NAME")] = None,
    population_query: Annotated[str | None, _option("Database query of the population.", "SQL")] = None,
    missing: Annotated[Listed, _option('Missing-value marker, such as "?"; may be repeated.', "TEXT")] = None,
    delimiter: Annotated[str | None, _option("Field delimiter of a text file (default: detected).", "TEXT")] = None,
    encoding: Annotated[str | None, _option("Encoding of a text file (default: detected).", "NAME")] = None,
    header: options.Header = None,
    names: options.Names = None,
    widths: options.Widths = None,
    prepare: options.Prepare = None,
    table: Annotated[str | None, _option("Database table, or sheet of a workbook.", "NAME")] = None,
    query: Annotated[str | None, _option("Database query whose result is the table.", "SQL")] = None,
    output: Annotated[
        str | None,
        _option(
            "Output file (format from extension) or database URL; - for standard output, as CSV.",
            "FILE",
            "--output",
            "-o",
        ),
    ] = None,
    output_table: Annotated[str | None, _option("Database table to write.", "NAME")] = None,
    output_delimiter: Annotated[str | None, _option("Field delimiter of the output file.", "TEXT")] = None,
    replace: options.Replace = False,
    spreadsheet_safe: options.SpreadsheetSafe = False,
    record: Annotated[str | None, _option("File for the private record.", "FILE")] = None,
    mapping: Annotated[str | None, _option("Private file that lists what each value became.", "FILE")] = None,
    seed: Annotated[int | None, _option("Random seed.", "NUMBER")] = None,
    show: Annotated[
        str | None,
        _option("Print the job as yaml, json, xml, command or script, and run nothing.", "FORM"),
    ] = None,
    report: options.Report = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Create a release that satisfies your privacy models.

    Searches for the best generalization within the limits, writes it, re-reads it and verifies it.
    """
    words = {**locals(), "files": files or []}
    if not files and source is None:
        raise UsageError.invalid(
            "nothing to read", "no source is given", "name a job file, a file or a database URL, or give --source"
        )
    if _is_job(words) and describes_tables(words["files"][0]):
        anonymize_linked(words["files"][0], _given(words), show, report, as_json)
        return
    job = _job(words)
    if show is not None:
        print(_shown(job, show), end="")
        return
    from incrowd.api import anonymize as run

    if job.output is None:
        raise UsageError.invalid("the job", "it names no output", "name a file (-o FILE)")
    if report is not None:
        _check_report(report, job)
    released(
        lambda progress: run(None, job, progress=progress),
        as_json,
        None if report is None else lambda made: write_release(report, made, job),
        words["files"][0] if _is_job(words) else None,
    )


def _check_report(report: str, job: Job) -> None:
    """Refuse a report that cannot be written before the run starts."""
    from incrowd.anonymization import check_place
    from incrowd.reports.report import check_writable

    check_writable(report)
    check_place(job, () if job.data is None else job.data.moved(job.located), outputs=[(REPORT, report)])


def _job(words: dict[str, Any]) -> Job:
    """Return the job of the named file if the line describes none itself, else the job that the line describes."""
    from incrowd.jobs import Options, job_from_options

    given = _given(words)
    if _is_job(words):
        return job_at(words["files"][0], changes_of(given))
    number, search = given.pop("k", None), search_of(given)
    if number is not None:
        given["model"] = [f"k_anonymity:k={number}", *given.get("model", ())]
    given = {name: of for name, of in given.items() if name != "uniform"}
    return job_from_options(Options(**{**given, "search": search, "files": list(map(input_file, words["files"]))}))


def _given(words: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the line that describe a job."""
    return {
        name: of
        for name, of in words.items()
        if name not in ("show", "report", "as_json") and of not in (None, []) and (of is not False or name == "header")
    }


def _is_job(words: dict[str, Any]) -> bool:
    """Return whether the line names a job file and does not describe a job itself."""
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
        raise UsageError.invalid(
            "--show", "the job file has environment variables, whose values may be secret", "read the file itself"
        )
    return forms[form]().rstrip("\n") + "\n"
