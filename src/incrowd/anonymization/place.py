"""Where a release goes: refused before anything is read where it cannot go there."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from incrowd.errors import SourceError, UsageError
from incrowd.formats import WriteOptions, check_writable
from incrowd.formats._atomic import refuse_existing
from incrowd.formats.writing import refuse_existing_table
from incrowd.jobs import Job
from incrowd.registry import members
from incrowd.release import manifest_path, record_path


@dataclass(frozen=True)
class Place:
    """Where the parts of a release go."""

    location: str
    table: str | None
    manifest: Path
    record: Path
    mapping: Path | None
    options: WriteOptions

    @classmethod
    def of(cls, job: Job) -> "Place":
        """As the job says."""
        output = job.output
        assert output is not None
        location = job.located(output.to)
        return cls(
            location,
            output.table,
            manifest_path(location, output.table),
            Path(job.located(output.record)) if output.record else record_path(location, output.table),
            Path(job.located(output.mapping)) if output.mapping else None,
            WriteOptions(delimiter=output.delimiter, table=output.table, replace=output.replace),
        )

    @property
    def in_database(self) -> bool:
        """Whether the data go into a database's table."""
        return "://" in self.location

    @property
    def kind(self) -> str:
        """The format of the data, by its name in the registry."""
        if self.in_database:
            return "database"
        known = members("formats", "WRITTEN_SUFFIXES")
        return max(
            (len(suffix), name)
            for name, module in known.items()
            for suffix in module.WRITTEN_SUFFIXES
            if self.location.lower().endswith(suffix)
        )[1]

    @property
    def files(self) -> list[Path]:
        """All files that are written."""
        beside = [self.manifest, self.record, *([self.mapping] if self.mapping else [])]
        return beside if self.in_database else [Path(self.location), *beside]

    def refuse_existing(self) -> None:
        """What is there already stays, unless the job says otherwise."""
        for path in self.files:
            refuse_existing(str(path), self.options.replace)
        if self.in_database:
            refuse_existing_table(self.location, self.options)


def check_place(job: Job, read: Iterable[str]) -> None:
    """Refuse, before anything is read from these locations, what cannot be written and what must not be replaced."""
    if job.output is None:
        return
    place = Place.of(job)
    check_writable(place.location, place.options)
    sources = {os.path.realpath(location) for location in read if "://" not in location}
    for path in place.files:
        if os.path.realpath(path) in sources:
            raise UsageError.senseless(f"writing to {path}", "the data are read from there", "choose another name")
        if not path.parent.is_dir():
            raise SourceError.of(path, "there is no such folder", "make it, or choose another place")
    place.refuse_existing()
