"""A release of several tables, opened as a set of its own: its cells are what an attacker has."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.core.brief import Brief
from incrowd.errors import SourceError
from incrowd.formats import read
from incrowd.formats.options import ReadOptions
from incrowd.formats.settling import settled
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.problem import people_tables
from incrowd.linked.reading import LinkedData, open_tables, read_tables
from incrowd.linked.result import LinkedResult
from incrowd.release.tables import MANIFEST, LinkedManifest, LinkedRecord, PublishedTable, manifest_in
from incrowd.searches import LinkedTable
from incrowd.verification import LinkedVerdict
from incrowd.watch import Watch


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedSet(Brief):
    """The tables of a release, with what is known of them."""

    name: str
    manifest: LinkedManifest
    tables: Mapping[str, Any]
    """Frames or open sources by the names of the tables."""
    record: LinkedRecord | None = None
    folder: Path | None = None
    """None if the release is frames."""
    verdict: LinkedVerdict | None = None
    """Of a release that was just made."""

    @cached_property
    def job(self) -> LinkedJob:
        """The job that reads the release, as if it were the data."""
        return reading_release(self.manifest, self.tables)

    def read(self, watch: Watch) -> LinkedData:
        """Return the tables as they are counted."""
        return read_tables(self.job, open_tables(self.job, self.tables), watch)

    def people_tables(self, watch: Watch) -> tuple[LinkedTable, ...]:
        """Return what people have in every table."""
        return people_tables(self.job, self.read(watch))


def released_set(release: Any, record: str | PathLike[str] | None = None, is_private: bool = True) -> ReleasedSet:
    """Return the release in a folder, or one that was just made.

    The private record is the one that is named, or that beside the folder; it is not looked for unless `is_private`.
    """
    if isinstance(release, LinkedResult):
        private = release.record if is_private else None
        if release.output is None:
            return ReleasedSet("the release", release.manifest, release.frames, private, verdict=release.verdict)
        return replace(_in_folder(Path(release.output), None, False), record=private, verdict=release.verdict)
    return _in_folder(Path(fspath(release)), None if record is None else Path(record), is_private)


def _in_folder(folder: Path, record: Path | None, is_private: bool) -> ReleasedSet:
    settled(folder / MANIFEST)
    path = manifest_in(folder)
    if path is None:
        raise SourceError.of(folder, "it has no manifest of several tables", "name the folder of a release")
    claims = LinkedManifest.of(path)
    # By their names alone: whoever wrote the manifest does not choose the folder.
    tables = {
        table.name: read(str(folder / Path(table.data.file).name), options=ReadOptions(header=_header(table)))
        for table in claims.tables
    }
    private = _record(folder, claims, record) if is_private else None
    return ReleasedSet(str(folder), claims, tables, private, folder)


def _header(table: PublishedTable) -> bool | None:
    return True if table.data.kind == "delimited" else None


def _record(folder: Path, claims: LinkedManifest, given: Path | None) -> LinkedRecord | None:
    """Return the private record of a release; None if none is named, and none of this release lies beside it."""
    path = folder.parent / f"{folder.name}.record.json" if given is None else given
    if given is None and not path.is_file():
        return None
    found = LinkedRecord.of(settled(path))
    if found.release == claims.fingerprint:
        return found
    if given is not None:
        raise SourceError.of(path, "it belongs to another release", "give the one that was written with this release")
    return None


def reading_release(claims: LinkedManifest, tables: Mapping[str, Any]) -> LinkedJob:
    """Return the job that describes the tables of a release as they are."""
    keys = {table.name: table.key for table in claims.tables}
    parts: dict[str, Any] = {}
    for table in claims.tables:
        roles = {column.name: "quasi" for column in table.quasi}
        roles |= dict.fromkeys(table.sensitive, "sensitive") | dict.fromkeys(table.kept, "keep")
        if table.of is None:
            parts[table.name] = {"columns": {str(table.key): "person", **roles}}
        else:
            parts[table.name] = {"columns": roles, "of": table.of, "on": {str(table.on): str(keys[table.of])}}
    knows = int(claims.knows) if claims.knows.isdecimal() else claims.knows
    job = {"tables": parts, "models": ["k_anonymity:k=1"], "knows": knows}
    return LinkedJob.from_dict(job).reading(tables)
