"""The job that a caller means, and what its run reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from incrowd.anonymization.output_paths import check_place
from incrowd.anonymization.run import Inputs
from incrowd.engines.frames import FrameSource
from incrowd.engines.source import Source
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.formats.options import ReadOptions
from incrowd.jobs import Job, Population


def job_of(given: Any, verb: str) -> Job:
    """Return the job that is given as such, as a file or as plain data."""
    if given is None:
        raise UsageError.senseless(verb, "no job is given", "give a Job, a job file, or its plain data")
    if isinstance(given, Job):
        return given
    return Job.from_dict(given) if isinstance(given, Mapping) else Job.from_file(given)


def inputs_of(source: Any, job: Job, missing: Sequence[str], record: str | PathLike[str] | None = None) -> Inputs:
    """Open the source that is given, or else the job's own data; `record` is one that was read already."""
    reading: dict[str, Any] = {"missing": tuple(missing)}
    given = source if isinstance(source, list | tuple) else [source]
    if source is None:
        if job.data is None:
            raise UsageError.senseless("the job", "it names no data", "give it data, or hand them over")
        given = job.data.moved(job.located)
        reading = {name: value for name, value in job.data if name != "source"}
    file = None if job.population is None else job.located(job.population.source[0])
    check_place(job, given, record)
    data = read(*given, options=ReadOptions(**reading))
    people = None if job.population is None else _population(job.population, job, missing)
    return Inputs(data, source is not None and isinstance(data, FrameSource), people, file).normalized(job.normalizing)


def _population(part: Population, job: Job, missing: Sequence[str]) -> Source:
    if len(part.source) > 1 or part.query is not None:
        raise UsageError.senseless(
            "the population", "a release is verified against one file or table", "put all people into one, and name it"
        )
    header = (job.data is not None and job.data.header) or None
    options = ReadOptions(tuple(missing), table=part.table, header=header)
    return read(job.located(part.source[0]), options=options)
