"""The job of a call, and the inputs of its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from os.path import abspath
from typing import Any

from incrowd import hierarchies
from incrowd.anonymization.output_paths import check_place
from incrowd.anonymization.run import Inputs
from incrowd.core.prepare import Prepare
from incrowd.engines.frames import FrameSource
from incrowd.engines.source import Source, count
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.formats.options import ReadOptions
from incrowd.jobs import Job, Population
from incrowd.jobs.shorthand import Shorthand
from incrowd.watch import Watch

_FRAME = "(a frame)"
"""How a job names a population that is not at any place."""


def job_of(given: Any, verb: str) -> Job:
    """Return the job that is given as such, as a file or as plain data."""
    if given is None:
        raise UsageError.invalid(verb, "no job is given", "give a Job, a job file, or its plain data")
    if isinstance(given, Job):
        return given
    return Job.from_dict(given) if isinstance(given, Mapping) else Job.from_file(given)


def with_shorthand(given: Any, short: Shorthand) -> Any:
    """Return the job that keywords describe, or the one that is given with their output, time, search and `drop`."""
    if given is None:
        return short.to_dict() if short.given else None
    further = sorted(set(short.given) - {"output", "time", "population", "search", "drop"})
    if further:
        raise UsageError.invalid(
            f"a job with {', '.join(further)}",
            "the job says all that",
            "change it there; output, time, search and drop may be given",
        )
    own = {"output": short.output, "time": short.time, "search": short.search}
    said = {key: value for key, value in own.items() if value is not None}
    dropped = [short.drop] if isinstance(short.drop, str) else list(short.drop)
    if not said and not dropped:
        return given
    if isinstance(given, Mapping):
        columns = {"columns": {**given["columns"], **dict.fromkeys(dropped, "drop")}} if dropped else {}
        return {**given, **columns, **said}
    job = job_of(given, "anonymize").changed(drop=dropped)
    if isinstance(short.output, Mapping):
        return Job.from_dict({**job.to_dict(), **said}, job.base)
    return job.changed(None if short.output is None else fspath(short.output), time=short.time, search=short.search)


def job_and_inputs(
    source: Any, given: Any, verb: str, publishes: bool = True, population: Any = None
) -> tuple[Job, Inputs]:
    """Return the job that is given and what it reads; what it reads may be frames, and hierarchies functions.

    A function is called with the values of its column, and its labels become part of the job.
    """
    plain: Any = given
    functions: dict[str, Any] = {}
    if isinstance(given, Mapping):
        plain, functions, held = _without_objects(given)
        population = held if population is None else population
        plain = plain if population is None else {**plain, "population": _named(population)}
    job = job_of(plain, verb)
    if population is not None and plain is given:
        job = Job.from_dict({**job.to_dict(), "population": _named(population)}, job.base)
    inputs = inputs_of(source, job if publishes else job.without_output(), job.missing, population=population)
    if not functions:
        return job, inputs
    with Watch() as watch:
        counted = count(inputs.source, list(functions), watch)
    columns = dict(plain["columns"])
    for name, values in zip(counted.names, counted.values, strict=True):
        columns[name] = {**columns[name], "hierarchy": hierarchies.described(functions[name], values)}
    return Job.from_dict({**plain, "columns": columns}), inputs


def _without_objects(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Return a job as data, hierarchies that are functions by column, and a population that is a frame."""
    plain, functions, population = dict(given), {}, None
    if isinstance(columns := plain.get("columns"), Mapping):
        functions = {
            name: of["hierarchy"]
            for name, of in columns.items()
            if isinstance(of, Mapping) and hierarchies.is_function(of.get("hierarchy"))
        }
        plain["columns"] = {
            name: {**of, "hierarchy": None} if name in functions else of for name, of in columns.items()
        }
    people = plain.get("population")
    if people is not None and not isinstance(people, str | PathLike | Mapping | list | tuple | Population):
        plain["population"], population = _named(people), people
    return plain, functions, population


def _named(population: Any) -> Any:
    """Return the population as a job in any folder names it; a frame is nowhere."""
    if not isinstance(population, str | PathLike):
        return _FRAME
    place = fspath(population)
    return place if "://" in place else abspath(place)


def inputs_of(
    source: Any,
    job: Job,
    missing: Sequence[str],
    record: str | PathLike[str] | None = None,
    population: Any = None,
    prepare: Prepare | None = None,
) -> Inputs:
    """Open the source that is given, or else the job's own data.

    `record` is one that was read already, `population` a frame in place of what the job names; `missing` and `prepare`
    say how a source that is given is read.
    """
    prepare = prepare if job.data is None else job.data.prepare
    reading: dict[str, Any] = {"missing": tuple(missing), "prepare": prepare}
    given = source if isinstance(source, list | tuple) else [source]
    if source is None:
        if job.data is None:
            raise UsageError.invalid("the job", "it names no data", "add data to the job, or pass them")
        given = job.data.moved(job.located)
        reading = {name: value for name, value in job.data if name != "source"}
    if job.population is not None and prepare is not None and prepare.changes_columns:
        raise UsageError.invalid(
            "the population",
            "names, values or types of the data are prepared, and those of the population are not",
            "prepare both beforehand; rows alone may be chosen",
        )
    check_place(job, given, record)
    data = read(*given, options=ReadOptions(**reading))
    file, people = _people(population, job, missing)
    return Inputs(data, source is not None and isinstance(data, FrameSource), people, file).normalized(job.normalizing)


def _people(given: Any, job: Job, missing: Sequence[str]) -> tuple[Any, Source | None]:
    """Return the population as verification reads it, and as a source."""
    if job.population is None:
        return None, None
    if given is not None and not isinstance(given, str | PathLike):
        return given, read(given, options=ReadOptions(tuple(missing)))
    return job.located(job.population.source[0]), _population(job.population, job, missing)


def _population(part: Population, job: Job, missing: Sequence[str]) -> Source:
    if len(part.source) > 1 or part.query is not None:
        raise UsageError.invalid(
            "the population", "a release is verified against one file or table", "combine the population into one"
        )
    header = (job.data is not None and job.data.header) or None
    options = ReadOptions(tuple(missing), table=part.table, header=header)
    return read(job.located(part.source[0]), options=options)
