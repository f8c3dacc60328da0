"""The input of a report on a release: the published data, manifest, private record and the original table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.anonymization import AnonymizationResult
from incrowd.comparison.ends import joined_ends
from incrowd.engines.source import Source
from incrowd.errors import IncrowdError, SourceError
from incrowd.formats import format_of, is_source, read
from incrowd.formats.options import OF_FILES, ReadOptions
from incrowd.formats.settling import record_at, settled
from incrowd.jobs import Job
from incrowd.jobs.preparation import prepare_given
from incrowd.release import Manifest, Record, manifest_path, record_path
from incrowd.verification import Verdict, verify


@dataclass(frozen=True, eq=False)
class GivenRelease:
    """A release with everything known about it."""

    name: str
    manifest: Manifest
    source: Source
    second: Source | None = None
    """The sensitive values, where they are published apart."""
    record: Record | None = None
    verdict: Verdict | None = None
    original: Source | None = None
    population: Source | int | None = None
    """The population that the table was drawn from, or its size."""
    notes: tuple[str, ...] = ()
    """Sentences on what is missing."""


def is_release(location: object, table: str | None = None) -> bool:
    """Return whether a location has a manifest beside it."""
    return isinstance(location, str | PathLike) and manifest_path(settled(location, table), table).exists()


def release_at(
    location: str | PathLike[str],
    original: Any = None,
    record: str | PathLike[str] | None = None,
    table: str | None = None,
    is_private: bool = True,
    population: Any = None,
    is_verified: bool = True,
) -> GivenRelease:
    """Return the release at a path or URL; its private parts are read only for an internal report.

    It is read once more to verify it, unless nobody asks for the verdict.
    """
    place = settled(location, table)
    manifest = Manifest.read(manifest_path(place, table))
    notes: list[str] = []
    found = _record(place, manifest, record, table, notes) if is_private else None
    before = _respelled(_original(original, found, notes), manifest) if is_private else None
    return GivenRelease(
        manifest.data.file if not is_private else place,
        manifest,
        joined_ends(read(place, options=_release_options(manifest, found)), manifest),
        # By its name alone: whoever wrote the manifest does not choose the folder.
        None if manifest.apart is None else _second(Path(place).parent / Path(manifest.apart.data.file).name),
        found,
        _verdict(place, manifest, found, table, notes) if is_verified else None,
        before,
        _population(population, found, notes) if is_private else None,
        tuple(notes),
    )


def release_made(
    made: AnonymizationResult,
    original: Any = None,
    is_private: bool = True,
    location: str | None = None,
    population: Any = None,
) -> GivenRelease:
    """Return a release that was just made; `location` is its URL if that has a password, which the result lacks."""
    manifest, notes = made.manifest, list[str]()
    record = made.record if is_private else None
    if made.output is None:
        source, name = read(made.frame), "the release"
        second = None if made.sensitive_frame is None else read(made.sensitive_frame)
    else:
        source, name = read(location or made.output, options=_release_options(manifest, made.record)), made.output
        second = None if made.sensitive_file is None else _second(made.sensitive_file)
    return GivenRelease(
        name if is_private else manifest.data.file or "the release",
        manifest,
        joined_ends(source, manifest),
        second,
        record,
        made.verdict,
        _respelled(_original(original, record, notes), manifest) if is_private else None,
        _population(population, record, notes) if is_private else None,
        tuple(notes),
    )


def given_release(release: Any, original: Any = None) -> GivenRelease:
    """Return a release that was just made, or one at a path or URL, which is not verified again."""
    if isinstance(release, AnonymizationResult):
        return release_made(release, original)
    return release_at(release, original, is_verified=False)


def inputs_of(job: Job) -> tuple[Source | None, Source | None]:
    """Return the original table and the population as a job names them, with passwords, which private records lack."""
    if job.data is None:
        return None, None
    options = {name: value for name, value in job.data if name != "source"}
    original = read(*job.data.moved(job.located), options=ReadOptions(**options))
    people = job.population
    if people is None:
        return original, None
    reading = ReadOptions(missing=job.data.missing, table=people.table, header=job.data.header or None)
    return original, read(job.located(people.source[0]), options=reading)


def _second(location: str | Path) -> Source:
    """Return the sensitive values of a release in two tables."""
    return read(location, options=ReadOptions(header=True))


def _release_options(manifest: Manifest, record: Record | None) -> ReadOptions:
    """Return the options to read the release with, as far as they are known."""
    written: Mapping[str, Any] = {} if record is None else record.job.get("output", {})
    return ReadOptions(
        delimiter=written.get("delimiter") if isinstance(written, Mapping) else None,
        table=manifest.data.table,
        header=True,
        spreadsheet_safe=manifest.data.spreadsheet_safe,
    )


def _record(
    place: str, manifest: Manifest, given: str | PathLike[str] | None, table: str | None, notes: list[str]
) -> Record | None:
    path = record_path(place, table) if given is None else Path(given)
    if given is None and not path.exists():
        notes.append("The private record was not given: figures that need it are omitted.")
        return None
    found = record_at(path)
    if found.release != manifest.fingerprint:
        if given is not None:
            raise SourceError.of(
                path, "belongs to another release", "give the private record that was written with this release"
            )
        notes.append("The private record beside the release belongs to another release and is not used.")
        return None
    return found


def _respelled(original: Source | None, manifest: Manifest) -> Source | None:
    """Return the original table in the spelling in which it was counted."""
    return original.normalized(manifest.normalized) if original is not None and manifest.normalized else original


def _original(given: Any, record: Record | None, notes: list[str]) -> Source | None:
    """Return the original table as given, or as the private record locates it, if it is still there."""
    part: Mapping[str, Any] = {} if record is None else record.job.get("data") or {}
    options = _reading(part)
    if given is not None:
        several: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
        # A copy of the table may be in another format.
        is_open = any(not isinstance(each, str | PathLike) for each in several)
        prepare = None if any(is_source(each) for each in several) else options.get("prepare")
        alike = ReadOptions(prepare=prepare) if is_open else _alike(options, several)
        return read(*several, options=alike)
    if not part:
        notes.append("The original table was not given: figures that need it are omitted.")
        return None
    try:
        located = part["source"] if isinstance(part["source"], list | tuple) else [part["source"]]
        return read(*located, options=ReadOptions(**options))
    except IncrowdError:
        notes.append("The original table was not found: figures that need it are omitted. Name it (--original).")
        return None


def _alike(options: Mapping[str, Any], copies: Sequence[Any]) -> ReadOptions:
    """Return the reading options that apply to every copy of a table, as far as its format has them."""
    known = {name for each in copies for name in format_of(str(fspath(each))).OPTIONS}
    wanted = (known & {"missing", "header", "names", "widths"}) | {"prepare"}
    return ReadOptions(**{name: options[name] for name in wanted if name in options})


def _reading(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reading options of a recorded job; a single text may stand for a list of one."""
    found = {name: part[name] for name in (*OF_FILES, "table", "query") if part.get(name) not in (None, [], "")}
    lists = {name: found[name] for name in ("missing", "names", "widths") if name in found}
    prepare = {"prepare": prepare_given(found["prepare"])} if "prepare" in found else {}
    return {**found, **prepare, **{name: (of,) if isinstance(of, str) else tuple(of) for name, of in lists.items()}}


def _population(given: Any, record: Record | None, notes: list[str]) -> Source | int | None:
    """Return the population as given, as a table or a number, or as the job locates it."""
    data, part = ((record.job.get(key) or {}) if record is not None else {} for key in ("data", "population"))
    missing = tuple(data.get("missing") or ())
    if isinstance(given, int):
        return given
    if given is not None:
        return read(given, options=ReadOptions(missing=missing)) if isinstance(given, str | PathLike) else read(given)
    if not part:
        return None
    try:
        [located] = part["source"] if isinstance(part["source"], list | tuple) else [part["source"]]
        return read(located, options=ReadOptions(missing=missing, table=part.get("table")))
    except IncrowdError:
        notes.append("The population was not found: figures that need it are omitted. Name it (--population).")
        return None


def _verdict(
    place: str, manifest: Manifest, record: Record | None, table: str | None, notes: list[str]
) -> Verdict | None:
    try:
        return verify(place, manifest, record, None, table)
    except IncrowdError:
        # The population may be missing, or the file unreadable; a report needs no verdict.
        notes.append("The release could not be verified here. Run incrowd verify.")
        return None
