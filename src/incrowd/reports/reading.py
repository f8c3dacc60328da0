"""What a report on a release is made from: the data published, what lies beside them, and the table before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.anonymization import AnonymizationResult
from incrowd.engines.source import Source
from incrowd.errors import IncrowdError, SourceError
from incrowd.formats import format_of, read
from incrowd.formats.options import OF_FILES, ReadOptions
from incrowd.formats.settling import record_at, settled
from incrowd.jobs import Job
from incrowd.release import Manifest, Record, manifest_path, record_path
from incrowd.verification import Verdict, verify


@dataclass(frozen=True, eq=False)
class GivenRelease:
    """A release, and what is known besides."""

    name: str
    manifest: Manifest
    source: Source
    second: Source | None = None
    """The sensitive values, where they are published apart."""
    record: Record | None = None
    verdict: Verdict | None = None
    original: Source | None = None
    population: Source | int | None = None
    """All people among whom those of the table are, or how many there are."""
    notes: tuple[str, ...] = ()
    """What was lacking."""


def is_release(location: object, table: str | None = None) -> bool:
    """Whether a manifest lies beside what is named."""
    return isinstance(location, str | PathLike) and manifest_path(settled(location, table), table).exists()


def release_at(
    location: str | PathLike[str],
    original: Any = None,
    record: str | PathLike[str] | None = None,
    table: str | None = None,
    is_private: bool = True,
    population: Any = None,
) -> GivenRelease:
    """A release at a path or URL; its record, the original and a population are looked at only for a private report."""
    place = settled(location, table)
    manifest = Manifest.read(manifest_path(place, table))
    notes: list[str] = []
    found = _record(place, manifest, record, table, notes) if is_private else None
    before = _respelled(_original(original, found, notes), manifest) if is_private else None
    return GivenRelease(
        manifest.data.file if not is_private else place,
        manifest,
        read(place, options=_release_options(manifest, found)),
        # By its name alone: whoever wrote the manifest does not choose the folder.
        None if manifest.apart is None else _second(Path(place).parent / Path(manifest.apart.data.file).name),
        found,
        _verdict(place, manifest, found, table, notes),
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
    """A release that was just made; `location` is where it is, if that has a password, which the result has not."""
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
        source,
        second,
        record,
        made.verdict,
        _respelled(_original(original, record, notes), manifest) if is_private else None,
        _population(population, record, notes) if is_private else None,
        tuple(notes),
    )


def inputs_of(job: Job) -> tuple[Source | None, Source | None]:
    """The table before and the population as a job names them: with passwords, which a record has not."""
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
    """The sensitive values of a release, which has a header as all that is released."""
    return read(location, options=ReadOptions(header=True))


def _release_options(manifest: Manifest, record: Record | None) -> ReadOptions:
    """How the release was written, where that is known."""
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
        notes.append("The private record was not given: what only it tells is left out.")
        return None
    found = record_at(path)
    if found.release != manifest.fingerprint:
        if given is not None:
            raise SourceError.of(
                path, "it belongs to another release", "give the record that was written with this one"
            )
        notes.append("The private record beside the release belongs to another one and is not used.")
        return None
    return found


def _respelled(original: Source | None, manifest: Manifest) -> Source | None:
    """The table before, in the spelling in which it was counted."""
    return original.normalized(manifest.normalized) if original is not None and manifest.normalized else original


def _original(given: Any, record: Record | None, notes: list[str]) -> Source | None:
    """The table before: as it is given, or else where the record says that it was, if it is still there."""
    part: Mapping[str, Any] = {} if record is None else record.job.get("data") or {}
    options = _reading(part)
    if given is not None:
        several: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
        # A copy of the table may be in another format.
        is_open = any(not isinstance(each, str | PathLike) for each in several)
        return read(*several) if is_open else read(*several, options=_alike(options, several))
    if not part:
        notes.append("The original table was not given: nothing is said about it.")
        return None
    try:
        located = part["source"] if isinstance(part["source"], list | tuple) else [part["source"]]
        return read(*located, options=ReadOptions(**options))
    except IncrowdError:
        notes.append("The original table is no longer where it was: nothing is said about it. Name it (--original).")
        return None


def _alike(options: Mapping[str, Any], copies: Sequence[Any]) -> ReadOptions:
    """What holds of every copy of a table, in all that applies to its format."""
    known = {name for each in copies for name in format_of(str(fspath(each))).OPTIONS}
    wanted = known & {"missing", "header", "names", "widths"}
    return ReadOptions(**{name: options[name] for name in wanted if name in options})


def _reading(part: Mapping[str, Any]) -> dict[str, Any]:
    """How the data of a recorded job are read; a single text may stand for a list of one."""
    found = {name: part[name] for name in (*OF_FILES, "table", "query") if part.get(name) not in (None, [], "")}
    lists = {name: found[name] for name in ("missing", "names", "widths") if name in found}
    return {**found, **{name: (of,) if isinstance(of, str) else tuple(of) for name, of in lists.items()}}


def _population(given: Any, record: Record | None, notes: list[str]) -> Source | int | None:
    """All people: as they are given, counted or by their number, or else where the job said that they are."""
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
        notes.append("The population is no longer where it was: nothing is said about it. Name it (--population).")
        return None


def _verdict(
    place: str, manifest: Manifest, record: Record | None, table: str | None, notes: list[str]
) -> Verdict | None:
    try:
        return verify(place, manifest, record, None, table)
    except IncrowdError:
        # A population is lacking, or a file that cannot be judged; a report is no verdict.
        notes.append("The release could not be verified here; run incrowd verify.")
        return None
