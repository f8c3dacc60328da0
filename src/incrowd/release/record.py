"""The private record: how a release was made, enough to repeat it and to reverse it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from incrowd.core.brief import Brief
from incrowd.core.plain_data import SINCE, Plain, encoded_fields
from incrowd.files.whole import PRIVATE, write_text
from incrowd.release.combinations import RecodedCombinations
from incrowd.release.manifest import Ladders, SearchFacts
from incrowd.release.stored import COLUMNAR, FORMAT, as_text, loaded, versioned


@dataclass(frozen=True, repr=False)
class RecodedQuasi(Brief):
    """A quasi-identifier with the whole hierarchy that was used."""

    name: str
    level: int | None
    """None if it differs between cells."""
    losses: tuple[float, ...]
    """Per level."""
    rows: tuple[tuple[str | None, ...], ...]
    """Each base value with its label on every level; the row that begins with None is that of missing."""
    form: str | None = None
    """The form of the published cells, if each class was recoded on its own."""
    scale: tuple[str, ...] | None = None
    """Its values from the lowest to the highest, if the job declares that order."""
    span: float | None = None
    """For numbers that are published as ranges: the width of the domain."""

    null_label: str | None = field(default=None, metadata={SINCE: 2})
    """The label that missing values of the release stand for, if suppressed cells are published as missing."""

    @property
    def height(self) -> int | None:
        """Return the number of its highest level; None if each group was recoded on its own."""
        return None if self.form is not None else len(self.losses) - 1


@dataclass(frozen=True, repr=False)
class ReferenceCounts(Brief):
    """The count of each value, or combination of values, in the original table."""

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Figures(Brief):
    """The cost of a release and the result of its search, which follow from original and suppressed cells."""

    scores: Mapping[str, float]
    """By metric."""
    losses: Mapping[str, float]
    """If each class was recoded on its own: by quasi-identifier the mean share of its domain that a cell spans, over
    all records; suppressed ones count as 1."""
    search: SearchFacts


@dataclass(frozen=True, repr=False)
class Record(Brief):
    """The private record of a release: enough to repeat the release, and to reverse it."""

    release: str
    """The fingerprint of the manifest."""
    job: Plain
    models: tuple[Plain, ...]
    """As incrowd.models.to_dict gives them, complete."""
    quasi: tuple[RecodedQuasi, ...]
    combinations: RecodedCombinations | None
    reference: tuple[ReferenceCounts, ...]
    """The counts that models compare with."""
    ladders: Ladders
    """Hierarchies of sensitive columns that a model measures distances on."""
    not_published: tuple[str, ...]
    """Columns of the original table that are not published."""
    seconds: float
    versions: Mapping[str, str]
    """Versions of Incrowd, Python and the libraries."""
    determined: tuple[Plain, ...] = field(default=(), metadata={SINCE: 2})
    """Kept columns that determine the original value of a quasi-identifier (anonymization.kept_columns)."""
    format: int = FORMAT
    figures: Figures | None = field(default=None, metadata={SINCE: 2})
    """The cost of the release; of format 1 the manifest has it."""
    person: tuple[str, ...] = field(default=(), metadata={SINCE: 3})
    """The columns that together tell which person a record is about."""
    repeated: Plain | None = field(default=None, metadata={SINCE: 3})
    """If records are counted: the classes with too few people by identifiers (anonymization.repeated_people)."""

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the record") -> "Record":
        """Return the private record that `to_dict` gave; raise SourceError with the given name for anything else."""
        return versioned({FORMAT: Record}, plain, name, "private record", COLUMNAR)

    @classmethod
    def of(cls, given: "Record | Mapping[str, Any] | str | PathLike[str]") -> "Record":
        """Return a record that is given as such, as plain data or as a file."""
        if isinstance(given, Record):
            return given
        return cls.from_dict(given) if isinstance(given, Mapping) else cls.read(Path(given))

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Return the private record in a file."""
        return cls.from_dict(loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Write the private record to a file that only its owner may read, completely or not at all."""
        write_text(path, as_text(self.to_dict()), PRIVATE)
