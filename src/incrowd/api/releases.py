"""Verbs that make or verify a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, overload

from incrowd.api.linked import (
    apply_linked,
    is_job_of_tables,
    is_record_of_tables,
    linked_job,
    means_tables,
    refuse_tables,
    tables_of,
    verify_tables,
)
from incrowd.watch import Show

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.jobs import Job
    from incrowd.jobs.linked import LinkedJob
    from incrowd.linked import LinkedResult
    from incrowd.release import Manifest, Record
    from incrowd.release.tables import LinkedManifest, LinkedRecord
    from incrowd.verification import Verdict

__all__ = ["anonymize", "apply", "verify"]

Location = str | PathLike[str]


@overload
def anonymize(
    source: Mapping[str, Any],
    job: LinkedJob | Mapping[str, Any] | Location,
    progress: Show | None = None,
    *,
    output: Location | Mapping[str, Any] | None = None,
    time: float | None = None,
) -> LinkedResult: ...


@overload
def anonymize(
    source: None,
    job: LinkedJob,
    progress: Show | None = None,
    *,
    output: Location | Mapping[str, Any] | None = None,
    time: float | None = None,
) -> LinkedResult: ...


@overload
def anonymize(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    progress: Show | None = None,
    *,
    quasi: Sequence[str] | Mapping[str, Any] | str = (),
    sensitive: Sequence[str] | Mapping[str, Any] | str = (),
    identifier: Sequence[str] | str = (),
    person: Sequence[str] | str = (),
    keep: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    k: int | None = None,
    model: Sequence[Any] | str = (),
    knows: int | str | None = None,
    suppress: float | str | Mapping[str, Any] | None = None,
    search: Any = None,
    metric: Any = None,
    population: Any = None,
    output: Location | Mapping[str, Any] | None = None,
    time: float | None = None,
    seed: int | None = None,
) -> AnonymizationResult: ...


def anonymize(
    source: Any = None,
    job: Job | LinkedJob | Mapping[str, Any] | Location | None = None,
    progress: Show | None = None,
    *,
    quasi: Sequence[str] | Mapping[str, Any] | str = (),
    sensitive: Sequence[str] | Mapping[str, Any] | str = (),
    identifier: Sequence[str] | str = (),
    person: Sequence[str] | str = (),
    keep: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    k: int | None = None,
    model: Sequence[Any] | str = (),
    knows: int | str | None = None,
    suppress: float | str | Mapping[str, Any] | None = None,
    search: Any = None,
    metric: Any = None,
    population: Any = None,
    output: Location | Mapping[str, Any] | None = None,
    time: float | None = None,
    seed: int | None = None,
) -> AnonymizationResult | LinkedResult:
    """Create a release that satisfies your privacy models: found, published, read again and verified.

    `job` is a Job, a job file, or its plain data, in which hierarchies may be frames, mappings from values to labels or
    functions, and the population a frame. `source` is a file, a database URL or a frame; by default the job's own data.
    A frame comes back as a frame of the same kind (`.frame`), and is written too if there is an output.

    Without a job, keywords describe one: `anonymize(frame, quasi=["age", "zip"], sensitive=["income"], k=5)`. `quasi`,
    `sensitive`, `identifier`, `person`, `keep` and `drop` are the columns of each role, the first two also by name with
    their hierarchies. A quasi-identifier without one has what the table proposes, as in a job of `init`; "none" is what
    a job means that names none: what its values alone suggest. The columns of `person` together tell which person a
    record is about: classes are then counted in people, and `knows` says how much an attacker knows of a person:
    "record", a number of records, or "history". `k` asks for k-anonymity, `model` lists further privacy models.
    `suppress`, `search`, `metric`, `population`, `output`, `time` and `seed` are those of a job. Beside a job only the
    population, the output, the time, the search and `drop` may be given.

    Several tables about the same people are described by a job with `tables`; `source` then is a mapping from their
    names to frames or files, and a LinkedResult comes back, with the frames by name (`.frames`).
    """
    from incrowd.anonymization import anonymize as run
    from incrowd.anonymization.opening import job_and_inputs, with_shorthand
    from incrowd.jobs.shorthand import Shorthand

    short = Shorthand(
        quasi,
        sensitive,
        identifier,
        person,
        keep,
        drop,
        k,
        model,
        knows,
        suppress,
        search,
        metric,
        population,
        output,
        time,
        seed,
    )
    if is_job_of_tables(job):
        from incrowd.linked import anonymize_tables

        return anonymize_tables(tables_of(source), linked_job(job, short), progress)
    wanted, inputs = job_and_inputs(source, with_shorthand(job, short), "anonymize", population=population)
    return run(inputs, wanted, progress)


@overload
def apply(
    record: LinkedRecord,
    source: Any,
    output: Location | None = None,
    *,
    replace: bool = False,
    progress: Show | None = None,
) -> LinkedResult: ...


@overload
def apply(
    record: Record | Mapping[str, Any] | Location,
    source: Any,
    output: Location | None = None,
    output_table: str | None = None,
    replace: bool = False,
    spreadsheet_safe: bool = False,
    progress: Show | None = None,
    table: str | None = None,
    query: str | None = None,
) -> AnonymizationResult: ...


def apply(
    record: Record | LinkedRecord | Mapping[str, Any] | Location,
    source: Any,
    output: Location | None = None,
    output_table: str | None = None,
    replace: bool = False,
    spreadsheet_safe: bool = False,
    progress: Show | None = None,
    table: str | None = None,
    query: str | None = None,
) -> AnonymizationResult | LinkedResult:
    """Publish new data of the same shape with the recoding of an earlier release, known by its private `record`.

    `record` is a file, or the record itself (`anonymize(...).record`). `source` is a file, a database URL, a list of
    them (each may have keys, as for `read`) or a frame, read as the earlier data were: of a database the table or query
    that the earlier release came from, unless another `table` or `query` is given. Of several tables, `source` is a
    mapping from their names to frames or files, a folder with a file for each, or their job; and `output` a folder.
    """
    from incrowd.anonymization import apply as run
    from incrowd.anonymization.applying import read_alike
    from incrowd.anonymization.opening import inputs_of
    from incrowd.errors import UsageError
    from incrowd.formats.settling import record_at
    from incrowd.jobs import Job
    from incrowd.jobs.preparation import prepare_given

    if is_record_of_tables(record):
        return apply_linked(record, source, output, replace, progress, output_table, spreadsheet_safe, table, query)
    refuse_tables("apply", source)
    made = record_at(record)  # type: ignore[arg-type]  # that of one table
    settings = {key: value for key, value in made.job.items() if key not in ("data", "output", "time")}
    if output is not None:
        into = {} if output_table is None else {"table": output_table}
        settings["output"] = {"to": fspath(output), "replace": replace, "spreadsheet_safe": spreadsheet_safe, **into}
    given = source if isinstance(source, list | tuple) else [source]
    if all(isinstance(each, str | PathLike | Mapping) for each in given):
        named = [dict(each) if isinstance(each, Mapping) else str(fspath(each)) for each in given]
        settings["data"], source = read_alike(made.job.get("data") or {}, named, table, query), None
    elif table is not None or query is not None:
        raise UsageError.invalid("a table or query", "the source is open already", "open it with incrowd.read")
    job = Job.from_dict(settings)
    file = record if isinstance(record, str | PathLike) else None
    before = made.job.get("data", {})
    prepare = prepare_given(before.get("prepare"))
    return run(inputs_of(source, job, before.get("missing", ()), file, prepare=prepare), made, job, progress)


def verify(
    location: Any,
    manifest: Manifest | LinkedManifest | Mapping[str, Any] | Location | None = None,
    record: Record | LinkedRecord | Mapping[str, Any] | Location | None = None,
    population: Any = None,
    table: str | None = None,
    sensitive: Any = None,
    original: Any = None,
) -> Verdict:
    """Verify a release against its manifest: read it again and check every claim.

    `location` is a path, a database URL or a frame. The manifest is looked for beside the data; of a frame it must be
    given, as a file, as its plain data, or as `anonymize(...).manifest`. With the private `record`, models that compare
    with the original table are checked exactly; k_map and delta_presence need it and the `population`, a file or a
    frame. `sensitive` is the second frame of a release whose sensitive values are in a table of their own. If the
    release counts people, they are counted again in the `original`, a file, a database URL or a frame, with the private
    record; by default in the files that it names, if they are still there. A release of several tables is verified as a
    whole: `location` is its folder, or a mapping from the names of the tables to frames; `original` a mapping to
    frames, files or URLs, a folder with a file for each table, or their job.
    """
    from incrowd.anonymization.original import original_of
    from incrowd.errors import UsageError
    from incrowd.formats.settling import record_at, settled
    from incrowd.release.tables import LinkedManifest, LinkedRecord
    from incrowd.verification import verify as verify_release
    from incrowd.verification import verify_frame

    if means_tables(location, manifest):
        return verify_tables(
            location, manifest, record, original, population=population, table=table, sensitive=sensitive
        )
    assert not isinstance(manifest, LinkedManifest)
    assert not isinstance(record, LinkedRecord)
    made = None if record is None else record_at(record)
    if original is not None and (made is None or not made.person):
        wrong = "the private record is not given" if made is None else "the release counts records, not people"
        raise UsageError.invalid("the original table", wrong, "omit it" if made else "give it too (--record FILE)")
    people = None if made is None else original_of(made, original)
    if isinstance(location, str | PathLike):
        return verify_release(settled(location, table), manifest, made, population, table, people)
    return verify_frame(location, manifest, made, population, sensitive, original=people)
