"""The manifest: the public claims of a release."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from incrowd.core.brief import Brief
from incrowd.core.plain_data import SINCE, Plain, encoded_fields
from incrowd.files.whole import PUBLIC, write_text
from incrowd.release.stored import FORMAT, WITH_PEOPLE, as_text, loaded, versioned

OF_CLASSES = ("discernibility", "average_class_size")
"""The scores of a manifest: what the sizes of the published classes and the numbers of records give."""

Ladders = Mapping[str, tuple[tuple[str | None, ...], ...]]
"""By column: each value with its label on levels 1, 2, ..., top."""


@dataclass(frozen=True)
class Data:
    """The published data."""

    file: str
    """Its name without folders; of a database's table the name of the table."""
    kind: str
    """The format, by its name in the registry of formats."""
    sha256: str | None
    """The hash of the file's bytes; None for a database's table, which has none of its own."""
    records: int
    columns: tuple[str, ...]
    """In their order."""
    table: str | None = None
    """The table of a database, or the sheet of a workbook."""
    spreadsheet_safe: bool = False
    """True if cells of a text file that a spreadsheet would run are escaped with an apostrophe."""


@dataclass(frozen=True)
class PublishedQuasi:
    """A quasi-identifier and how far up its hierarchy its cells are."""

    name: str
    level: int | None
    """The lowest level with all published labels; None if there is none, since it differs between cells. If the job
    does not declare the levels, as with a proposed hierarchy, 0 or None: others follow from original values."""
    height: int | None
    """The number of the highest level, if the job declares the levels."""
    form: str | None = None
    """The form of the published cells, if each class was recoded on its own."""


@dataclass(frozen=True)
class PublishedQuasiOfFormat1(PublishedQuasi):
    """A quasi-identifier with its loss, which manifests no longer have."""

    loss: float | None = None


@dataclass(frozen=True)
class PublishedSearch:
    """The search that chose the recoding."""

    name: str


@dataclass(frozen=True)
class SearchFacts(PublishedSearch):
    """The search that chose the recoding, and its result."""

    guarantee: str
    optimal: bool
    gap: float | None
    """The largest possible distance of the score from the best one; None if nothing is proven."""
    counted: int
    """The number of recodings counted."""
    lattice: int | None
    """The number of all recodings; None if not known."""
    stopped: str | None
    """The reason why the search ended early, if it did."""


@dataclass(frozen=True)
class People:
    """The people of a release whose records tell which person they are about."""

    input: int
    """Different people in the input."""
    published: int
    """People with at least one published record."""
    fewer: int
    """Of these, people with fewer records than in the input."""
    unknown: int
    """Input records without any value that tells the person: each is counted as a person of its own."""
    smallest: int
    """People in the smallest class."""
    knows: str = "record"
    """How much an attacker knows of a person: any one record (record), any m of them (m), or all (history)."""
    alike: int | None = None
    """If more than one record is known: the fewest people of whom all is true that may be known of anybody."""
    limit: int | None = None
    """The suppression limit in people who lose a record; None if it is in records."""
    whole: bool = False
    """True if people who lose a record lose all of them."""


@dataclass(frozen=True)
class Apart:
    """Sensitive values in a second table; records show their group instead."""

    data: Data
    """The second table, beside the first: the values of each group, and how many of its records have each."""
    group: str
    """The column that both tables have."""
    count: str
    """The column of the second that counts records."""


@dataclass(frozen=True, repr=False)
class Manifest(Brief):
    """The claims of a release: a function of the published data, the job, and the number of input records.

    Releases of one job that are equal have equal manifests, whatever the original and the suppressed cells are.
    """

    incrowd: str
    """The version that made the release."""
    data: Data
    quasi: tuple[PublishedQuasi, ...]
    sensitive: tuple[str, ...]
    kept: tuple[str, ...]
    models: tuple[Plain, ...]
    """As incrowd.models.to_dict gives them, without values that the data do not show (see `anonymization.shown`)."""
    promises: tuple[str, ...]
    """The guarantee of each model in words, then that of the search, if any; and last, if values are
    in a second table, what is not guaranteed."""
    nulls: str
    input_records: int
    suppressed: int
    set_aside: int
    """Records with a missing quasi-identifier, which nulls=basic sets aside."""
    suppress_limit: int
    """The suppression limit, in records; all of them if it is in people (`people.limit`)."""
    classes: int
    """The number of classes; if missing values or suppressed cells are wildcards, the number of combinations."""
    smallest: int
    """Records in the smallest class; if cells are wildcards, the fewest that match a combination."""
    scores: Mapping[str, float]
    """By metric, those of OF_CLASSES."""
    search: PublishedSearch
    ladders: Ladders
    """Hierarchies of sensitive columns that a model measures distances on, for published values; not a
    hierarchy that follows from all values of the table."""
    apart: Apart | None = None
    """The second table, if sensitive values are published by group; then these groups are the classes."""
    utility: float | None = None
    """The largest mean share of the quasi-identifiers' domains that a class spans, if the search guarantees one."""
    wiped: Mapping[str, str] = field(default_factory=dict)
    """The wildcard of each quasi-identifier, if suppressed cells match anything; empty if they are values."""
    grid: str | None = None
    """The kinds of generalization and suppression in Samarati's notation: AG_TS, _CS; None for any other."""
    normalized: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata={SINCE: 2})
    """By column, the steps that made all spellings of a value one; cells that show a value show its normal form."""
    people: People | None = field(default=None, metadata={SINCE: 3})
    """The people, if the models count them; None if they count records."""
    warnings: tuple[str, ...] = field(default=(), metadata={SINCE: 3})
    """Facts from the original table beside these claims: classes with too few people, if records are counted."""
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the manifest") -> "Manifest":
        """Return the manifest that `to_dict` gave; raise SourceError with the given name for anything else."""
        return versioned({1: ManifestOfFormat1, FORMAT: Manifest}, plain, name, "manifest", WITH_PEOPLE)

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """Return the manifest in a file."""
        return cls.from_dict(loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file, whole or not at all."""
        write_text(path, as_text(self.to_dict()), PUBLIC)

    @property
    def fingerprint(self) -> str:
        """Return the hash by which the private record identifies its release."""
        return sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, repr=False)
class ManifestOfFormat1(Manifest):
    """A manifest with figures that follow from original and suppressed cells."""

    quasi: tuple[PublishedQuasiOfFormat1, ...]
    search: SearchFacts
