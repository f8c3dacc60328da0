"""The folder of a release of several tables: written beside it first, verified there, and put in place together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from incrowd.errors import IncrowdError, NotVerified, UsageError
from incrowd.files.outputs import DATA, JOB, Named, check_outputs, refuse_existing
from incrowd.files.private import sweep
from incrowd.files.together import Change, Planned, changed_together
from incrowd.files.whole import PRIVATE
from incrowd.formats import WriteOptions, check_writable, write
from incrowd.formats.connections import file_of, is_file
from incrowd.formats.writing import written_format
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import LinkedFound, manifest_of, record_of
from incrowd.release import Data, hash_of
from incrowd.release.tables import MANIFEST, LinkedManifest, LinkedRecord
from incrowd.verification import LinkedVerdict, reads_files, verify_linked
from incrowd.watch import Watch


@dataclass(frozen=True)
class LinkedPlace:
    """The files of a release."""

    folder: Path
    tables: Mapping[str, Path]
    manifest: Path
    record: Path
    replace: bool

    @classmethod
    def of(cls, job: LinkedJob) -> "LinkedPlace":
        """Return the place that a job names."""
        assert job.output is not None
        folder = Path(job.located(job.output.to))
        suffix = job.output.format.removeprefix(".")
        record = job.output.record
        beside = folder.parent / f"{folder.name}.record.json"
        return cls(
            folder,
            {name: folder / f"{name}.{suffix}" for name in job.tables},
            folder / MANIFEST,
            beside if record is None else Path(job.located(record)),
            job.output.replace,
        )

    @property
    def files(self) -> list[Path]:
        """Return all files in the order in which they are put in place."""
        return [self.record, self.manifest, *self.tables.values()]


def check_place(job: LinkedJob, is_given: bool, further: Sequence[Named] = ()) -> None:
    """Refuse, before anything is read, what cannot be written and what must not be replaced.

    `further` files are written beside the release.
    """
    if job.output is None:
        return
    place = LinkedPlace.of(job)
    if "://" in job.output.to:
        raise UsageError.invalid(
            "an output of several tables in a database", "they are written as files", "name a folder"
        )
    for path in place.tables.values():
        check_writable(str(path), WriteOptions())
        format = written_format(str(path))
        if format is None or not reads_files(format):
            raise UsageError.invalid(f"writing to {path}", "such files cannot be verified", "choose another format")
    if place.folder.exists() and not place.folder.is_dir():
        raise UsageError.invalid(f"writing to {place.folder}", "it is not a folder", "name a folder")
    with _made(place.folder):
        sweep(place.folder)
        check_outputs([*_named(place), *further], [] if is_given else _read(job), place.replace)


def _named(place: LinkedPlace) -> list[Named]:
    tables: list[Named] = [(f"table {name}", path) for name, path in place.tables.items()]
    return [*tables, ("the manifest", place.manifest), ("the private record", place.record)]


def _read(job: LinkedJob) -> list[Named]:
    found: list[Named] = [] if job.file is None else [(JOB, job.file)]
    for part in job.tables.values():
        for location in part.data.locations if part.data is not None else ():
            located = job.located(location)
            if "://" not in located or is_file(located):
                found.append((DATA, file_of(located) if "://" in located else located))
    return found


@dataclass(frozen=True, eq=False)
class LinkedPlaced:
    """A verified release and what goes with it."""

    manifest: LinkedManifest
    record: LinkedRecord
    verdict: LinkedVerdict
    place: LinkedPlace | None = None


def placed(found: LinkedFound, watch: Watch) -> LinkedPlaced:
    """Write the tables where only their owner sees them, verify them there, then put everything in its place."""
    place = LinkedPlace.of(found.job)
    with _made(place.folder), _waiting(place) as change:
        data = {name: _written(found, name, change.fresh(path), path, watch) for name, path in place.tables.items()}
        made = _verified(found, data, change.fresh(place.manifest).parent)
        watch.tick("verified")
        made.record.write(change.fresh(place.record))
        made.manifest.write(change.fresh(place.manifest))
        for path in place.files:
            refuse_existing(str(path), place.replace)
        change.put_in_place(place.files)
    verdict = LinkedVerdict(**{**vars(made.verdict), "name": str(place.folder)})
    return LinkedPlaced(made.manifest, made.record, verdict, place)


def _written(found: LinkedFound, name: str, fresh: Path, final: Path, watch: Watch) -> Data:
    table = found.tables[name]
    written = write(table.to_batches(), table.schema, fresh, WriteOptions(), watch, PRIVATE)
    format = written_format(str(final))
    assert format is not None
    return Data(final.name, format, written.sha256 or hash_of(fresh), written.records, tuple(table.column_names))


def _verified(found: LinkedFound, data: Mapping[str, Data], folder: Path) -> LinkedPlaced:
    manifest = manifest_of(found, data)
    record = record_of(found, manifest)
    verdict = verify_linked(folder, manifest, record)
    return LinkedPlaced(manifest, record, confirmed(verdict))


def confirmed(verdict: LinkedVerdict) -> LinkedVerdict:
    """Return a verdict that holds; raise NotVerified if it does not."""
    if not verdict.holds:
        raise NotVerified([check.name for check in verdict.checks if check.holds is not True], verdict)
    return verdict


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make the folder of a release; one that stays empty is removed."""
    is_new = not folder.exists()
    if is_new and folder.parent.is_dir():
        with suppress(OSError):
            folder.mkdir()
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def _waiting(place: LinkedPlace) -> Iterator[Change]:
    """Yield the change that holds the files until they are put in place."""
    planned: Sequence[Planned] = [Planned(path, path == place.record) for path in place.files]
    in_folder = [place.manifest, *place.tables.values()]
    with changed_together(planned, place.folder, None, in_folder) as change:
        try:
            yield change
        except IncrowdError as error:
            # The user knows the final names alone.
            words = str(error)
            for final in change.waiting:
                words = words.replace(str(change.fresh(final)), str(final))
            error.args = (words,)
            raise
