"""The option `--report` of several commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from incrowd.files.outputs import DATA, Named, check_outputs

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.comparison import Comparison
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis
    from incrowd.jobs import Job


REPORT, MAP = "the report", "the map"


def check_report(path: str, read: Iterable[Named], replace: bool) -> None:
    """Refuse a path where no report can be written before the run starts."""
    from incrowd.reports.report import check_writable

    check_writable(path)
    check_outputs([(REPORT, path)], read, replace)


def data_of(files: Iterable[str]) -> list[Named]:
    """Return the files that a command reads, including those of databases."""
    from incrowd.formats.connections import file_of, is_file

    local = [file_of(file) if is_file(file) else file for file in files if "://" not in file or is_file(file)]
    return [(DATA, path) for path in local]


def write_diagnosis(path: str, diagnosis: Diagnosis, answer: Answer, replace: bool) -> None:
    """Write a report on a table and the requested answer."""
    from incrowd.reports import Audience
    from incrowd.reports.making import of_diagnosis
    from incrowd.watch import Watch

    of_diagnosis(diagnosis, answer, Audience.INTERNAL, Watch()).write(path, replace)


def write_release(path: str, made: AnonymizationResult, job: Job) -> None:
    """Write a report on a release; databases are read as the job names them, with their passwords."""
    from incrowd.reports import Audience
    from incrowd.reports.making import of_release
    from incrowd.reports.reading import inputs_of, release_made
    from incrowd.watch import Watch

    original, people = inputs_of(job)
    location = job.located(job.output.to) if job.output is not None and "://" in job.output.to else None
    given = release_made(made, original, location=location, population=people)
    of_release(given, Audience.INTERNAL, Watch()).write(path, job.output is not None and job.output.replace)


def write_comparison(path: str, found: Comparison, replace: bool) -> None:
    """Write a report on releases that were compared."""
    from incrowd.reports import make_report

    make_report(found).write(path, replace)
