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
from incrowd.release import manifest_path, record_path, sensitive_path
from incrowd.searches import is_apart


@dataclass(frozen=True)
class Place:
    """Where the parts of a release go."""

    location: str
    table: str | None
    manifest: Path
    record: Path
    mapping: Path | None
    options: WriteOptions
    sensitive: Path | None = None
    """Where sensitive values go that are published apart from the records."""

    @classmethod
    def of(cls, job: Job) -> "Place":
        """As the job says."""
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
            sensitive_path(location, suffix) if is_apart(job.search) else None,
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
        suffix = written_suffix(self.location)
        known = members("formats", "WRITTEN_SUFFIXES")
        return next(name for name, module in known.items() if suffix in module.WRITTEN_SUFFIXES)

    @property
    def files(self) -> list[Path]:
        """All files that are written."""
        beside = [self.manifest, self.record, *filter(None, [self.mapping, self.sensitive])]
        return beside if self.in_database else [Path(self.location), *beside]

    def refuse_existing(self) -> None:
        """What is there already stays, unless the job says otherwise."""
        for path in self.files:
            refuse_existing(str(path), self.options.replace)
        if self.in_database:
            refuse_existing_table(self.location, self.options)


def written_suffix(location: str) -> str | None:
    """The end of a path that tells in which format it is written."""
    suffixes = [end for module in members("formats", "WRITTEN_SUFFIXES").values() for end in module.WRITTEN_SUFFIXES]
    return max((end for end in suffixes if location.lower().endswith(end)), key=len, default=None)


def check_place(job: Job, read: Iterable[str]) -> None:
    """Refuse, before anything is read from these locations, what cannot be written and what must not be replaced."""
    if job.output is None:
        return
    place = Place.of(job)
    check_writable(place.location, place.options)
    if place.sensitive is not None and place.files.count(place.sensitive) > 1:
        raise UsageError.senseless(f"writing to {place.sensitive}", "sensitive values go there", "choose another name")
    sources = {os.path.realpath(location) for location in read if "://" not in location}
    for path in place.files:
        if os.path.realpath(path) in sources:
            raise UsageError.senseless(f"writing to {path}", "the data are read from there", "choose another name")
        if not path.parent.is_dir():
            raise SourceError.of(path, "there is no such folder", "make it, or choose another place")
    place.refuse_existing()
