"""incrowd report"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table
from incrowd.cli.report_option import check_report, data_of
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.engines.source import Source
    from incrowd.files.outputs import Named
    from incrowd.reports import Audience, Report
    from incrowd.watch import Watch


ORDER = 120


def _option(help: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(*names, help=help, metavar=metavar, show_default=False)
    return found


@reads_table
def report(
    given: SourceOptions,
    output: Annotated[
        str | None,
        _option("Output file: HTML, Markdown or JSON, from extension.", "FILE", "--output", "-o"),
    ] = None,
    external: Annotated[
        bool, typer.Option("--external", help="Write a version to share with the data: no value of any record.")
    ] = False,
    original: Annotated[
        list[str] | None,
        _option(
            "Original table (default: where the private record says); may be repeated. Of several tables: a folder "
            "with a file for each, TABLE=FILE for each, or their job file.",
            "FILE",
        ),
    ] = None,
    record: Annotated[
        str | None, _option("Private record of the release (default: RELEASE.record.json).", "FILE")
    ] = None,
    population: Annotated[
        str | None,
        _option(
            "Population the table was drawn from: a file, or its size (default: that of the job).",
            "FILE|SIZE",
        ),
    ] = None,
    replace: options.Replace = False,
    among: options.Among = None,
    person: options.Person = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Write a one-page report on a release, on several releases, or on a table.

    FILE is a release with its manifest beside it, the folder of a release of several tables, several releases to
    compare (with --original), or any table, which is diagnosed. Without -o, prints the report as Markdown.
    """
    from incrowd.watch import Watch

    if output is not None:
        check_report(output, _read_for(given, *(original or ()), record, population), replace)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        words: dict[str, Any] = {"original": original, "record": record, "population": population, "time": time}
        words |= {"among": among, "person": person}
        made = _made(given, words, external, watch)
    if output is not None:
        made.write(output, replace)
        print(f"Report: {output}" if external else f"Report (internal: do not share): {output}")
    elif as_json:
        print_json(made.to_dict())
    else:
        print(made.to_markdown(), end="")


def _read_for(given: SourceOptions, *further: str | None) -> list[Named]:
    """Return all files that a report reads: releases with the files beside them, and all others that are named."""
    from incrowd.files.outputs import MANIFEST, RECORD
    from incrowd.release import manifest_path, record_path

    beside: list[Named] = []
    for file in given.files:
        beside += [(MANIFEST, manifest_path(file, given.table)), (RECORD, record_path(file, given.table))]
    return [*data_of([*given.files, *(each for each in further if each is not None)]), *beside]


def _made(given: SourceOptions, words: dict[str, Any], external: bool, watch: Watch) -> Report:
    from incrowd.api.linked import refuse_jobs
    from incrowd.reports.making import is_set, of_diagnosis, of_release
    from incrowd.reports.reading import is_release, release_at
    from incrowd.reports.report import Audience

    audience = Audience.EXTERNAL if external else Audience.INTERNAL
    refuse_jobs("report", *given.files)
    if any(is_set(file) for file in given.files):
        return _of_set(given, words, audience, watch)
    if not all(is_release(file, given.table) for file in given.files):
        _refuse(
            words,
            ("original", "record", "population"),
            "they describe a release, and no manifest lies beside the file",
        )
        from incrowd.api import diagnose

        diagnosis = diagnose(given.source, given.columns(words["among"]), person=given.columns(words["person"]) or ())
        return of_diagnosis(diagnosis, None, audience, watch, words["time"])
    _refuse(words, ("among", "person"), "the manifest of a release names the columns")
    if len(given.files) > 1:
        return _compared(given, words, audience, watch)
    [file] = given.files
    before = None if words["original"] is None else _original(words["original"], given)
    people = words["population"]
    everybody = int(people) if (people or "").isdecimal() else people
    release = release_at(file, before, words["record"], given.table, not external, everybody)
    return of_release(release, audience, watch)


def _of_set(given: SourceOptions, words: dict[str, Any], audience: Audience, watch: Watch) -> Report:
    """Return a report on a release of several tables."""
    from incrowd.reports import make_report

    if len(given.files) > 1:
        raise UsageError.invalid("several releases of several tables", "a report is on one of them", "name one")
    reading = [each.name for each in fields(given) if each.name != "files"]
    refused = [name for name in reading if getattr(given, name) is not None]
    _refuse(words, ("among", "person", "population"), "a release of several tables does without")
    if refused:
        raise UsageError.invalid(f"--{refused[0]} with several tables", "it describes one table", "omit it")
    return make_report(given.files[0], str(audience), words["original"], watch, None, words["record"])


def _original(locations: list[str], given: SourceOptions) -> Any:
    """Return the original table, opened if options say how to read it."""
    said = (given.missing, given.header, given.names, given.widths)
    return locations if said == (None, None, None, None) else _opened(locations, given)


def _opened(locations: list[str], given: SourceOptions) -> Source:
    return replace(given, files=locations, delimiter=None, encoding=None, table=None, query=None).source


def _compared(given: SourceOptions, words: dict[str, Any], audience: Any, watch: Watch) -> Report:
    """Return a report that compares several releases."""
    from incrowd.comparison import ComparisonOptions, chosen, compare, metadata_of, read_release
    from incrowd.comparison import GivenRelease as GivenRelease
    from incrowd.reports import make_report

    _refuse(words, ("population",), "only a single release is compared with it")
    _refuse(words, ("record",), "each of several releases has its own beside it")
    if words["original"] is None:
        raise UsageError.invalid(
            "several releases", "they are compared with the original table, which is not named", "name it (--original)"
        )
    releases = [GivenRelease(file, read_release(file), metadata_of(file)) for file in given.files]
    before = _opened(words["original"], given)
    return make_report(
        compare(before, releases, ComparisonOptions(yardsticks=chosen()), watch), str(audience), None, watch
    )


def _refuse(words: dict[str, Any], names: tuple[str, ...], why: str) -> None:
    refused = [f"--{name}" for name in names if words[name] is not None]
    if refused:
        raise UsageError.invalid(" and ".join(refused), why, "omit it" if len(refused) == 1 else "omit them")
