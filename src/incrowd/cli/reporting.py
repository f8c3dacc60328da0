"""What `--report` does, for the commands that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.anonymization import Anonymized
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis
    from incrowd.jobs import Job
    from incrowd.measuring import Comparison


def check_report(path: str) -> None:
    """Refuse a place where no report can go, before anything takes long."""
    from incrowd.reports.report import check_writable

    check_writable(path)


def write_diagnosis(path: str, diagnosis: Diagnosis, answer: Answer) -> None:
    """A report on a table and the answer that was asked for."""
    from incrowd.reports import Audience
    from incrowd.reports.making import of_diagnosis
    from incrowd.watch import Watch

    of_diagnosis(diagnosis, answer, Audience.INTERNAL, Watch()).write(path)


def write_release(path: str, made: Anonymized, job: Job) -> None:
    """A report on a release; databases are read as the job names them, with their passwords."""
    from incrowd.reports import Audience
    from incrowd.reports.making import of_release
    from incrowd.reports.reading import inputs_of, release_made
    from incrowd.watch import Watch

    original, people = inputs_of(job)
    location = job.located(job.output.to) if job.output is not None and "://" in job.output.to else None
    given = release_made(made, original, location=location, population=people)
    of_release(given, Audience.INTERNAL, Watch()).write(path)


def write_comparison(path: str, found: Comparison) -> None:
    """A report on releases that were measured."""
    from incrowd.reports import make_report

    make_report(found).write(path)
