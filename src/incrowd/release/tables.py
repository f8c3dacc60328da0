"""A release of several tables: one public manifest and one private record for all of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from incrowd.core.brief import Brief
from incrowd.core.plain_data import Plain, decoded_fields, encoded_fields
from incrowd.errors import SourceError
from incrowd.files.whole import PRIVATE, PUBLIC, write_text
from incrowd.release.manifest import Data, PublishedQuasi, PublishedSearch
from incrowd.release.record import Figures, RecodedQuasi
from incrowd.release.stored import FORMAT, as_text, loaded

MANIFEST = "manifest.json"
"""The name of the manifest in the folder of a release."""


@dataclass(frozen=True)
class PublishedTable:
    """One table of the release, and how it hangs on another."""

    name: str
    data: Data
    key: str | None
    """The column by which other tables hang on it."""
    of: str | None
    """The table that it hangs on; None for the one with one row per person."""
    on: str | None
    """The column with the key of that table."""
    people: int
    """How many people have a record in it."""
    quasi: tuple[PublishedQuasi, ...]
    sensitive: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class LinkedManifest(Brief):
    """The claims of a release of several tables."""

    incrowd: str
    """The version that made the release."""
    tables: tuple[PublishedTable, ...]
    """The one with one row per person first."""
    models: tuple[Plain, ...]
    """Of columns that are named `table.column`."""
    promises: tuple[str, ...]
    knows: str
    """How much an attacker is taken to know of a person: record, history, or a number of records of each table."""
    input_people: int
    suppressed: int
    """People who are left out, with all of their records."""
    suppress_limit: int
    smallest: int
    """The fewest people of whom anything is true that an attacker may know."""
    search: PublishedSearch
    normalized: Mapping[str, tuple[str, ...]]
    format: int = FORMAT

    @property
    def people(self) -> int:
        """The people of the release."""
        return self.input_people - self.suppressed

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def of(cls, given: "LinkedManifest | Mapping[str, Any] | str | Path") -> "LinkedManifest":
        """Return a manifest that is given as such, as plain data or as a file."""
        if isinstance(given, LinkedManifest):
            return given
        if isinstance(given, Mapping):
            return _read(cls, given, "the manifest")
        return _read(cls, loaded(Path(given)), str(given))

    def write(self, path: Path) -> None:
        """Put it into a file, whole or not at all."""
        write_text(path, as_text(self.to_dict()), PUBLIC)

    @property
    def fingerprint(self) -> str:
        """Return the hash by which the private record identifies its release."""
        return sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, repr=False)
class LinkedRecord(Brief):
    """The private record of a release of several tables."""

    release: str
    """The fingerprint of the manifest."""
    job: Plain
    quasi: tuple[RecodedQuasi, ...]
    """Of all tables, by `table.column`."""
    not_published: tuple[str, ...]
    """Columns that are not published, as `table.column`."""
    seconds: float
    versions: Mapping[str, str]
    figures: Figures
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def of(cls, given: "LinkedRecord | Mapping[str, Any] | str | Path") -> "LinkedRecord":
        """Return a private record that is given as such, as plain data or as a file."""
        if isinstance(given, LinkedRecord):
            return given
        if isinstance(given, Mapping):
            return _read(cls, given, "the private record")
        return _read(cls, loaded(Path(given)), str(given))

    def write(self, path: Path) -> None:
        """Write the private record to a file that only its owner may read, completely or not at all."""
        write_text(path, as_text(self.to_dict()), PRIVATE)


def is_linked_manifest(plain: object) -> bool:
    """Return whether plain data are the manifest of several tables."""
    return isinstance(plain, LinkedManifest) or (isinstance(plain, Mapping) and "tables" in plain)


def is_linked_record(plain: object) -> bool:
    """Return whether plain data are the private record of several tables."""
    job = plain.get("job") if isinstance(plain, Mapping) else None
    return isinstance(job, Mapping) and "tables" in job


def manifest_in(folder: Path) -> Path | None:
    """Return the path of the manifest of several tables in a folder; None if there is none."""
    path = folder / MANIFEST
    return path if path.is_file() else None


Form = TypeVar("Form", LinkedManifest, LinkedRecord)


def _read(kind: type[Form], plain: Any, name: str) -> Form:
    version = plain.get("format") if isinstance(plain, Mapping) else None
    if version != FORMAT or ("tables" not in plain and kind is LinkedManifest):
        raise SourceError.of(
            name, "not of a release of several tables, or of a newer Incrowd", "give what was written with the data"
        )
    made: Form = decoded_fields(kind, dict(plain), FORMAT, name)
    return made
