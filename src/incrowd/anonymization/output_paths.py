"""The output paths of a release, checked before anything is read."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from incrowd.errors import UsageError
from incrowd.files.outputs import (
    DATA,
    JOB,
    POPULATION,
    RECORD,
    WORKLOAD,
    Named,
    check_outputs,
    is_same,
    refuse_existing,
)
from incrowd.formats import WriteOptions, check_writable
from incrowd.formats.connections import file_of, is_file
from incrowd.formats.described import location_of
from incrowd.formats.settling import folder_of, settle
from incrowd.formats.writing import is_same_database, refuse_existing_table, written_format, written_suffix
from incrowd.hierarchies import files_of
from incrowd.jobs import Job
from incrowd.release import manifest_path, record_path, sensitive_path
from incrowd.searches import ApartSearch
from incrowd.verification import reads_files, reads_url


@dataclass(frozen=True)
class OutputPaths:
    """The paths of the parts of a release."""

    location: str
    table: str | None
    manifest: Path
    record: Path
    mapping: Path | None
    options: WriteOptions
    sensitive: Path | None = None
    """The path of sensitive values that are published in a second table."""

    @classmethod
    def of(cls, job: Job) -> "OutputPaths":
        """Return the output paths of a job."""
        output = job.output
        assert output is not None
        location = job.located(output.to)
        # The end of a name that tells no format is refused elsewhere.
        suffix = written_suffix(location) or ".csv"
        return cls(
            location,
            output.table,
            manifest_path(location, output.table),
            Path(job.located(output.record)) if output.record else record_path(location, output.table),
            Path(job.located(output.mapping)) if output.mapping else None,
            WriteOptions(
                delimiter=output.delimiter,
                table=output.table,
                replace=output.replace,
                spreadsheet_safe=output.spreadsheet_safe,
            ),
            sensitive_path(location, suffix) if isinstance(job.search, ApartSearch) else None,
        )

    @property
    def in_database(self) -> bool:
        """Return whether the data are written to a database."""
        return "://" in self.location

    @property
    def kind(self) -> str:
        """Return the name of the format of the data."""
        if self.in_database:
            return "database"
        format = written_format(self.location)
        assert format is not None
        return format

    @property
    def folder(self) -> Path:
        """Return the folder of the data, which is also searched for leftovers of a killed run."""
        return folder_of(self.location, self.table)

    @property
    def outputs(self) -> list[Named]:
        """Return all output files, each with what it is, the data first."""
        known: list[tuple[str, Path | None]] = [
            ("the release", None if self.in_database else Path(self.location)),
            ("the table of sensitive values", self.sensitive),
            ("the manifest", self.manifest),
            ("the private record", self.record),
            ("the mapping", self.mapping),
        ]
        return [(what, path) for what, path in known if path is not None]

    @property
    def files(self) -> list[Path]:
        """Return all output files in the order they are put in place: the data last."""
        return [Path(path) for _, path in reversed(self.outputs)]

    def refuse_existing(self) -> None:
        """Refuse to replace existing files unless the job allows it."""
        for path in self.files:
            refuse_existing(str(path), self.options.replace)
        if self.in_database:
            refuse_existing_table(self.location, self.options)


def check_place(
    job: Job, data: Sequence[Any], record: str | os.PathLike[str] | None = None, outputs: Iterable[Named] = ()
) -> None:
    """Refuse, before anything is read, what cannot be written and what must not be replaced.

    `data` are the sources of the table, of which frames are at no place; `record` is one that the run reads, `outputs`
    are further files that it writes.
    """
    if job.output is None:
        return
    place = OutputPaths.of(job)
    check_writable(place.location, place.options)
    _refuse_unverifiable(place)
    settle(place.location, place.table)
    located = [location for source in data if (location := location_of(source)) is not None]
    read: list[Named] = [*((DATA, location) for location in located), *_named_by(job)]
    read += [] if record is None else [(RECORD, record)]
    local = [(what, file_of(str(path)) if is_file(str(path)) else path) for what, path in read if not _on_server(path)]
    files = [*place.outputs, *outputs]
    if place.in_database:
        _refuse_same_table(place, job, data)
        for what, path in files:
            if is_file(place.location) and is_same(path, file_of(place.location)):
                raise UsageError.shared_place(path, "the database", what)
    check_outputs(files, local, place.options.replace)
    place.refuse_existing()


def _refuse_unverifiable(place: OutputPaths) -> None:
    """Refuse a format that verification cannot read, before anything is searched."""
    scheme = place.location.partition("://")[0].lower()
    known = reads_url(scheme) if place.in_database else reads_files(place.kind)
    if not known:
        what = f"{scheme}://" if place.in_database else f"files of the format {place.kind}"
        raise UsageError.invalid(
            f"writing to {scheme}://" if place.in_database else f"writing to {place.location}",
            f"{what} cannot be verified, so no release can be written there",
            "choose another format; one that another package adds needs verification_rows",
        )


def _named_by(job: Job) -> list[Named]:
    """Return the files that the job reads beside the data."""
    found: list[Named] = [] if job.file is None else [(JOB, job.file)]
    ladders = files_of({name: column.spec(name) for name, column in job.columns.items()})
    found += [(what, job.located(os.fspath(path))) for what, path in ladders]
    workload = getattr(job.metric, "workload", None)
    found += [] if workload is None else [(WORKLOAD, job.located(workload))]
    people = () if job.population is None else job.population.source
    return found + [(POPULATION, job.located(location)) for location in people]


def _on_server(location: str | os.PathLike[str]) -> bool:
    return "://" in str(location) and not is_file(str(location))


def _refuse_same_table(place: OutputPaths, job: Job, data: Sequence[Any]) -> None:
    """Refuse to replace a table that is read."""
    of_all = None if job.data is None else job.data.table
    for source in data:
        location = location_of(source)
        table = source.get("table") if isinstance(source, Mapping) else of_all
        if location and "://" in location and table == place.table and is_same_database(place.location, location):
            raise UsageError.read_there(f"table {table!r}", DATA)
