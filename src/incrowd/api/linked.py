"""Several tables in place of one: which calls mean them, and which verbs do not take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import SourceError, UsageError

if TYPE_CHECKING:
    from incrowd.core.knowledge import Knows
    from incrowd.jobs.linked import LinkedJob
    from incrowd.jobs.shorthand import Shorthand
    from incrowd.linked import LinkedResult
    from incrowd.linked.attacking import LinkedAttack
    from incrowd.linked.measuring import LinkedComparison
    from incrowd.linked.risk import LinkedRisk
    from incrowd.release.tables import LinkedRecord
    from incrowd.verification import Verdict
    from incrowd.watch import Show, Watch

_TAKE_TABLES = (
    "anonymize, diagnose and risk take a job of several tables; verify, report, attack, measure and apply their release"
)


def linked_job(given: Any, short: Shorthand) -> LinkedJob:
    """Return the job of several tables that is given as such, as a file or as plain data."""
    from incrowd.jobs import Changes
    from incrowd.jobs.linked import LinkedJob

    further = sorted(set(short.given) - {"output", "time"})
    if further:
        raise UsageError.invalid(
            f"a job with {', '.join(further)}", "the job says all that", "change it there; output and time may be given"
        )
    said = {key: value for key, value in (("output", short.output), ("time", short.time)) if value is not None}
    if isinstance(given, Mapping):
        return LinkedJob.from_dict({**given, **said})
    if isinstance(given, LinkedJob):
        return LinkedJob.from_dict({**given.written, **said}, given.base) if said else given
    if isinstance(short.output, Mapping):
        raise UsageError.invalid("a job file with an output of several keys", "give a folder", "or change the file")
    return LinkedJob.from_file(
        given, Changes(None if short.output is None else fspath(short.output), False, short.time)
    )


def is_linked_job(given: Any) -> bool:
    """Return whether something is the job of several tables; no module of jobs is loaded to tell."""
    return type(given).__module__ == "incrowd.jobs.linked"


def tables_of(source: Any) -> Mapping[str, Any] | None:
    """Return the tables that are given by their names; None if the job names them all."""
    if source is None or isinstance(source, Mapping):
        return source
    raise UsageError.invalid(
        "a job of several tables", "one source is given", "give a mapping from their names to frames or files"
    )


def apply_linked(
    record: Any,
    source: Any,
    output: str | PathLike[str] | None,
    replace: bool,
    progress: Show | None,
    *further: Any,
) -> LinkedResult:
    """Apply the recoding of several tables to others; the further options are those of one table."""
    from incrowd.linked.applying import apply_tables

    if any(further):
        raise UsageError.invalid(
            "apply of several tables with options of one table", "it takes output and replace", "omit the others"
        )
    return apply_tables(linked_record(record), source, output, replace, progress)


def is_linked_release(given: Any) -> bool:
    """Return whether a release consists of several tables: a folder with their manifest, or what a run returned."""
    from incrowd.release.tables import is_linked_manifest, manifest_in

    if is_linked_manifest(given) or is_linked_manifest(getattr(given, "manifest", None)):
        return True
    return isinstance(given, str | PathLike) and "://" not in fspath(given) and manifest_in(Path(given)) is not None


def is_record_of_tables(given: Any) -> bool:
    """Return whether something is the private record of several tables, as such, as plain data or as a file.

    Whoever reads it says what else is wrong with it.
    """
    from incrowd.release.stored import loaded
    from incrowd.release.tables import LinkedRecord, is_linked_record

    if isinstance(given, LinkedRecord):
        return True
    try:
        return is_linked_record(loaded(Path(given)) if isinstance(given, str | PathLike) else given)
    except (SourceError, ValueError):
        return False


def means_tables(location: Any, manifest: Any) -> bool:
    """Return whether several tables are to be verified: frames by their names, or a folder with their manifest."""
    from incrowd.release.tables import LinkedManifest

    return isinstance(location, Mapping) or isinstance(manifest, LinkedManifest) or is_linked_release(location)


def verify_tables(location: Any, manifest: Any, record: Any, original: Any, **further: Any) -> Verdict:
    """Verify several tables as a whole; refuse what only the release of one table can be verified with."""
    from incrowd.formats.settling import settled
    from incrowd.linked.originals import originals_of
    from incrowd.release.tables import MANIFEST
    from incrowd.verification import verify_linked

    refuse_further("verify", "the manifest, the record and the original tables", **further)
    if original is not None and record is None:
        raise UsageError.invalid(
            "the original tables", "the private record is not given", "give it too (--record FILE)"
        )
    if not isinstance(location, Mapping):
        settled(Path(fspath(location)) / MANIFEST)
    private = None if record is None else linked_record(record)
    originals = None if private is None else originals_of(private, original)
    return verify_linked(location, manifest, private, originals)


def linked_record(given: Any) -> LinkedRecord:
    """Return the private record of several tables, given as such, as plain data or as a file."""
    from incrowd.formats.settling import settled
    from incrowd.release.tables import LinkedRecord

    return LinkedRecord.of(settled(given) if isinstance(given, str | PathLike) else given)


def each_of(releases: Any) -> Sequence[Any]:
    """Return the releases that are given: one, several, or several by name."""
    if isinstance(releases, Mapping):
        return list(releases.values())
    return releases if isinstance(releases, list | tuple) else [releases]


def refuse_tables(verb: str, *given: Any) -> None:
    """Raise UsageError if a verb for one table is given several, or a job or release of several."""
    refuse_jobs(verb, *given)
    if any(is_linked_release(each) for each in given):
        raise UsageError.invalid(f"{verb} of several tables", "it takes one table", _TAKE_TABLES)


def refuse_jobs(verb: str, *given: Any) -> None:
    """Raise UsageError if a verb is given a job of several tables."""
    from incrowd.jobs.linked import describes_tables

    if any(describes_tables(each) for each in given):
        raise UsageError.invalid(f"{verb} of a job of several tables", "it takes no such job", _TAKE_TABLES)


def refuse_further(verb: str, takes: str, **further: Any) -> None:
    """Raise UsageError if a verb is given, with several tables, what it takes with one table alone."""
    given = [name for name, value in further.items() if value is not None and not _is_empty(value)]
    if given:
        raise UsageError.invalid(f"{verb} of several tables with {', '.join(given)}", f"it takes {takes}", "omit it")


def _is_empty(value: Any) -> bool:
    """Return whether an argument says nothing; a frame, which has no truth value, says something."""
    return isinstance(value, str | bool | Sequence | Mapping) and not value


def attack_tables(
    release: Any, attacks: Sequence[Any], knows: Sequence[str] | str, watch: Watch, **further: Any
) -> LinkedAttack:
    """Attack a release of several tables; refuse what only the release of one table can be attacked with."""
    from incrowd.attacks import chosen
    from incrowd.attacks.linkage import Linkage
    from incrowd.linked.attacking import attack_set
    from incrowd.linked.released import released_set

    refuse_further("attack", "knows (record, a number or history) and the attack linkage", **further)
    wanted = chosen(attacks) or [Linkage()]
    [linkage, *more] = wanted
    if more or not isinstance(linkage, Linkage) or linkage.exact:
        raise UsageError.invalid(
            "attack of several tables with other attacks", "people are looked for by linkage alone", "omit them"
        )
    said = (knows,) if isinstance(knows, str | int) else tuple(knows)
    return attack_set(released_set(release, is_private=False), said, linkage.k, watch)


def is_job_of_tables(job: Any) -> bool:
    """Return whether what a verb is given as a job, or as the file of one, describes several tables."""
    from incrowd.jobs import Job

    if job is None or isinstance(job, Job):
        return False
    from incrowd.jobs.linked import describes_tables

    return describes_tables(job)


def means_set(source: Any) -> bool:
    """Return whether something is the job of several tables or its file, or their release."""
    from incrowd.jobs.linked import describes_tables

    is_place = isinstance(source, str | PathLike)
    return is_linked_job(source) or (is_place and describes_tables(source)) or is_linked_release(source)


def risk_tables(
    source: Any,
    quasi: Sequence[str],
    knows: Knows,
    threshold: float | str,
    population: Any,
    watch: Watch,
    **further: Any,
) -> LinkedRisk:
    """Measure the risk of people in several tables; refuse what only one table has."""
    from incrowd.jobs.linked import LinkedJob, describes_tables
    from incrowd.linked.released import released_set
    from incrowd.linked.risk import risk_of_set

    refuse_further("risk", "quasi, knows, threshold, population and time", **further)
    if isinstance(population, int):
        raise UsageError.invalid(
            "risk of several tables with the size of the population", "people are looked for in it", "give its tables"
        )
    if is_linked_job(source):
        job = source
    elif isinstance(source, str | PathLike) and describes_tables(source):
        job = LinkedJob.from_file(source)
    else:
        job = released_set(source, is_private=False).job
    return risk_of_set(job, tuple(quasi), knows, threshold, population, watch)


def measure_tables(
    original: Any, releases: Mapping[str, Any], metrics: Mapping[str, Any], seed: int, watch: Watch, **further: Any
) -> LinkedComparison:
    """Measure releases of several tables; refuse what only a release of one table can be measured with."""
    from incrowd.linked.measuring import measure_sets
    from incrowd.linked.released import released_set

    refuse_further("measure", "metrics, seed and time", **further)
    single = [name for name, each in releases.items() if not is_linked_release(each)]
    if single:
        raise UsageError.invalid(f"measure of {single[0]}", "not a release of several tables", "omit it")
    sets = {name: released_set(each) for name, each in releases.items()}
    return measure_sets(original, sets, metrics, seed, watch)
