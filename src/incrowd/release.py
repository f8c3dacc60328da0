"""A release: the data, the public manifest with its claims, and the private record of how it was made.

Anyone with the data and the manifest can verify the release. The private record can repeat the release, and reverse
it: it is a separate file that only its owner may read, and it must not be shared with the data.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from incrowd.core.brief import Brief
from incrowd.core.plain_data import SINCE, decoded_fields, encoded_fields
from incrowd.core.plain_data import Plain as Plain
from incrowd.core.plain_json import parsed
from incrowd.errors import SourceError
from incrowd.files.whole import PRIVATE, PUBLIC, write_text

FORMAT = 2
"""The form of both files; a reader refuses a higher one.

Manifests of format 1 also had figures that follow from original and suppressed cells; these are in the private record
since.
"""

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
class _PublishedQuasiOfFormat1(PublishedQuasi):
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
    """The suppression limit, in records."""
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
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the manifest") -> "Manifest":
        """Return the manifest that `to_dict` gave; raise SourceError with the given name for anything else."""
        return _versioned({1: _ManifestOfFormat1, FORMAT: Manifest}, plain, name)

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """Return the manifest in a file."""
        return cls.from_dict(loaded_json(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file, whole or not at all."""
        write_text(path, manifest_text(self.to_dict()), PUBLIC)

    @property
    def fingerprint(self) -> str:
        """Return the hash by which the private record identifies its release."""
        return sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, repr=False)
class _ManifestOfFormat1(Manifest):
    quasi: tuple[_PublishedQuasiOfFormat1, ...]
    search: SearchFacts


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
class RecodedCombinations(Brief):
    """The published cells of each combination, if they do not follow from a level per column.

    A combination whose records are split is listed once per piece.
    """

    names: tuple[str, ...]
    """The quasi-identifiers, and sensitive columns where records part by them."""
    values: tuple[tuple[str | None, ...], ...]
    """Per column its original values."""
    labels: tuple[tuple[str | None, ...], ...]
    """Per column its published cells."""
    original: tuple[tuple[int, ...], ...]
    """Per piece the positions of its values."""
    published: tuple[tuple[int, ...] | None, ...]
    """Per piece the positions of its cells; None if it is suppressed."""
    counts: tuple[int, ...]
    """Per piece its records."""
    groups: tuple[str | None, ...] = ()
    """Per piece its group, if sensitive values are published by group; None if it is suppressed."""


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

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the record") -> "Record":
        """Return the private record that `to_dict` gave; raise SourceError with the given name for anything else."""
        return _versioned({FORMAT: Record}, plain, name)

    @classmethod
    def of(cls, given: "Record | Mapping[str, Any] | str | PathLike[str]") -> "Record":
        """Return a record that is given as such, as plain data or as a file."""
        if isinstance(given, Record):
            return given
        return cls.from_dict(given) if isinstance(given, Mapping) else cls.read(Path(given))

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Return the private record in a file."""
        return cls.from_dict(loaded_json(path), str(path))

    def write(self, path: Path) -> None:
        """Write the private record to a file that only its owner may read, completely or not at all."""
        write_text(path, manifest_text(self.to_dict()), PRIVATE)


def known_figures(manifest: Manifest, record: Record | None) -> Figures | None:
    """Return the figures of a release, from its private record; for format 1 from its manifest."""
    if isinstance(manifest, _ManifestOfFormat1):
        losses = {column.name: column.loss for column in manifest.quasi if column.loss is not None}
        return Figures(manifest.scores, losses, manifest.search)
    return None if record is None else record.figures


def manifest_path(location: str, table: str | None = None) -> Path:
    """Return the path of the manifest of a release."""
    return _beside(location, table, ".manifest.json")


def sensitive_path(location: str, suffix: str) -> Path:
    """Return the path of the sensitive values of a release in two tables: `release-sensitive.csv`."""
    return Path(location[: -len(suffix)] + "-sensitive" + location[-len(suffix) :])


def record_path(location: str, table: str | None = None) -> Path:
    """Return the path of the private record of a release."""
    return _beside(location, table, ".record.json")


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _beside(location: str, table: str | None, suffix: str) -> Path:
    """Return a path beside the data: beside the file of a database; for a server, in the current folder."""
    scheme, url, rest = location.partition("://")
    if not url:
        return Path(location + suffix)
    # A server's address may hold a password.
    file = Path(rest.removeprefix("/")) if scheme in ("sqlite", "duckdb") else Path("")
    name = (table or "").replace("/", "_")
    return file.parent / (".".join(filter(None, [file.name, name])) + suffix)


def manifest_text(plain: Plain) -> str:
    """Return JSON with one part per line: indenting within parts needs Python's own, far slower encoder."""
    parts = [f"{json.dumps(key)}: {json.dumps(of, ensure_ascii=False, allow_nan=False)}" for key, of in plain.items()]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def loaded_json(path: Path) -> Any:
    """Return the data of a manifest or private record."""
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError.of(path, "no such file", "check the path") from None
    except OSError as error:
        raise SourceError.of(path, f"cannot be read ({error.strerror})", "check path and permissions") from None
    except (ValueError, RecursionError):
        raise SourceError.of(path, "not valid JSON", "get the file again from the publisher") from None


Form = TypeVar("Form", Manifest, Record)


def _versioned(forms: Mapping[int, type[Form]], plain: Any, name: str) -> Form:
    """Return plain data of any known format as an object."""
    version = plain.get("format") if isinstance(plain, dict) else None
    newest = forms[FORMAT]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        what = "manifest" if newest is Manifest else "private record"
        raise SourceError.of(name, f"not the {what} of a release", f"give the {what} that was written with the data")
    if version > FORMAT:
        raise SourceError.of(
            name,
            f"format {version} is newer than this Incrowd supports (up to {FORMAT})",
            "install a newer Incrowd",
        )
    made: Form = decoded_fields(forms.get(version, newest), plain, version, name)
    return made
