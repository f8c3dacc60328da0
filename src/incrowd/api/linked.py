"""Several tables in place of one: which calls mean them, and which verbs do not take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import SourceError, UsageError

if TYPE_CHECKING:
    from incrowd.jobs.linked import LinkedJob
    from incrowd.jobs.shorthand import Shorthand
    from incrowd.linked import LinkedResult
    from incrowd.release.tables import LinkedRecord
    from incrowd.verification import Verdict
    from incrowd.watch import Show

_TAKE_TABLES = "anonymize, verify and diagnose take several tables, and apply in Python"


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
            "apply of several tables with options of one", "it takes output and replace", "omit the others"
        )
    return apply_tables(linked_record(record), source, output, replace, progress)


def is_linked_release(given: Any) -> bool:
    """Return whether a release consists of several tables: a folder with their manifest, or what a run returned."""
    from incrowd.release.tables import LinkedManifest, LinkedRecord, is_linked_manifest, manifest_in

    if isinstance(given, LinkedManifest | LinkedRecord) or is_linked_manifest(getattr(given, "manifest", None)):
        return True
    if not isinstance(given, str | PathLike) or "://" in fspath(given):
        return False
    path = Path(fspath(given))
    return _is_record(path) if path.name.endswith(".record.json") else manifest_in(path) is not None


def _is_record(path: Path) -> bool:
    """Return whether a file is the private record of several tables; whoever reads it says what else is wrong."""
    from incrowd.release.stored import loaded
    from incrowd.release.tables import is_linked_record

    try:
        return is_linked_record(loaded(path))
    except SourceError:
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

    given = [name for name, value in further.items() if value is not None]
    if given:
        raise UsageError.invalid(
            f"verify of several tables with {', '.join(given)}",
            "it takes the manifest, the record and the original tables",
            "omit it",
        )
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
    from incrowd.jobs.linked import describes_tables

    if any(describes_tables(each) or is_linked_release(each) for each in given):
        raise UsageError.invalid(f"{verb} of several tables", "it takes one table", _TAKE_TABLES)
