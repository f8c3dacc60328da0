"""A release: data, the public manifest that tells what it claims, the private record that tells how it was made.

Who has data and manifest can verify the release; who has the record can repeat it, and undo it: it is another file,
which only its owner may read, and it must not go where the data go.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
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

Manifests of format 1 also told what only the original and the suppressed cells tell; that is in the record since.
"""

OF_CLASSES = ("discernibility", "average_class_size")
"""The scores of a manifest: what the sizes of the published classes and the numbers of records give."""

Ladders = Mapping[str, tuple[tuple[str | None, ...], ...]]
"""By column: each value with its label on levels 1, 2, ..., top."""


@dataclass(frozen=True)
class Data:
    """What is published."""

    file: str
    """Its name without folders; of a database's table the name of the table."""
    kind: str
    """The format, by its name in the registry of formats."""
    sha256: str | None
    """Of the file's bytes; None for a database's table, which has none of its own."""
    records: int
    columns: tuple[str, ...]
    """In their order."""
    table: str | None = None
    """Of a database the table, of a workbook the sheet."""
    spreadsheet_safe: bool = False
    """Whether an apostrophe stands before each cell of a text file that a spreadsheet would otherwise run."""


@dataclass(frozen=True)
class PublishedQuasi:
    """A quasi-identifier and how far up its hierarchy its cells are."""

    name: str
    level: int | None
    """The lowest level with all published labels; None where there is none, since it differs from cell to cell. Where
    the job does not declare the levels, as of a proposed hierarchy, 0 or None: others follow from original values."""
    height: int | None
    """The number of the highest level, where the job declares the levels."""
    form: str | None = None
    """What a group of records publishes in it, where each group was recoded on its own."""


@dataclass(frozen=True)
class _PublishedQuasiOfFormat1(PublishedQuasi):
    loss: float | None = None


@dataclass(frozen=True)
class PublishedSearch:
    """What chose the recoding."""

    name: str


@dataclass(frozen=True)
class SearchFacts(PublishedSearch):
    """How the recoding was chosen."""

    guarantee: str
    optimal: bool
    gap: float | None
    """How far, at most, the score is from the best one; None where nothing is proven."""
    counted: int
    """How many recodings were counted."""
    lattice: int | None
    """How many there are; None where that is not known."""
    stopped: str | None
    """What ended the search early, if anything."""


@dataclass(frozen=True)
class Apart:
    """Sensitive values in a table of their own, where records show their group instead."""

    data: Data
    """The second table: of each group its values, and how many of its records have each. Beside the first one."""
    group: str
    """The column that both tables have."""
    count: str
    """The column of the second that counts records."""


@dataclass(frozen=True, repr=False)
class Manifest(Brief):
    """What a release claims: a function of the published data, of the job, and of how many records there were.

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
    """What each model promises, in words, then the search where it promises anything; and last, where values are
    published apart, what is not promised."""
    nulls: str
    input_records: int
    suppressed: int
    set_aside: int
    """Records with a missing quasi-identifier, which nulls=basic leaves out."""
    suppress_limit: int
    """So many records might have been suppressed."""
    classes: int
    """Where missing or wiped cells are wildcards: how many combinations."""
    smallest: int
    """Records of the smallest class; where cells are wildcards: the fewest that match a combination."""
    scores: Mapping[str, float]
    """By metric, those of OF_CLASSES."""
    search: PublishedSearch
    ladders: Ladders
    """Of sensitive columns that a model measures along their hierarchy, for the values that the data show; not of a
    hierarchy that follows from all values of the table."""
    apart: Apart | None = None
    """Where sensitive values are published by group; then these groups are the classes."""
    utility: float | None = None
    """The mean share of the quasi-identifiers' domains that a class spans at most, where the search promises it."""
    wiped: Mapping[str, str] = field(default_factory=dict)
    """Where wiped cells match anything: by quasi-identifier what they show. Where it is empty they are values."""
    grid: str | None = None
    """What was generalised and what suppressed, as Samarati's lecture calls it: AG_TS, _CS; None for anything else."""
    normalized: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata={SINCE: 2})
    """By column, the steps that made all spellings of a value one; cells that show a value show its normal form."""
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the manifest") -> "Manifest":
        """What `to_dict` gave; anything else is refused under the given name."""
        return _versioned({1: _ManifestOfFormat1, FORMAT: Manifest}, plain, name)

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """The manifest in a file."""
        return cls.from_dict(_loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file, whole or not at all."""
        write_text(path, _text(self.to_dict()), PUBLIC)

    @property
    def fingerprint(self) -> str:
        """By this the private record knows its release."""
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
    """None where it differs from cell to cell."""
    losses: tuple[float, ...]
    """Per level."""
    rows: tuple[tuple[str | None, ...], ...]
    """Each base value with its label on every level; the row that begins with None is that of missing."""
    form: str | None = None
    """What a group of records publishes in it, where each group was recoded on its own."""
    scale: tuple[str, ...] | None = None
    """Its values from the lowest to the highest, where the job gave that order."""
    span: float | None = None
    """Of numbers that groups of records publish as ranges: the highest of the domain less the lowest."""

    null_label: str | None = field(default=None, metadata={SINCE: 2})
    """The label that every missing value of the release stands for, where suppressed cells are published as such."""

    @property
    def height(self) -> int | None:
        """The number of its highest level; None where each group was recoded on its own."""
        return None if self.form is not None else len(self.losses) - 1


@dataclass(frozen=True, repr=False)
class RecodedCombinations(Brief):
    """What is published for each combination, where that does not follow from a level per column.

    A combination whose records part is listed as often as it has pieces.
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
    """Per piece the positions of its cells; None where it is suppressed."""
    counts: tuple[int, ...]
    """Per piece its records."""
    groups: tuple[str | None, ...] = ()
    """Per piece its group, where sensitive values are published by group; None where it is suppressed."""


@dataclass(frozen=True, repr=False)
class ReferenceCounts(Brief):
    """How often each value, or combination of values, occurs in the table that was given."""

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Figures(Brief):
    """What the release costs and how it was found, which takes the original and the suppressed cells to know."""

    scores: Mapping[str, float]
    """By metric."""
    losses: Mapping[str, float]
    """Where each group was recoded on its own: by quasi-identifier the share of its domain that a cell spans, as a mean
    over all records; suppressed ones count 1."""
    search: SearchFacts


@dataclass(frozen=True, repr=False)
class Record(Brief):
    """How a release was made: enough to repeat it, and enough to undo it."""

    release: str
    """The fingerprint of the manifest."""
    job: Plain
    models: tuple[Plain, ...]
    """As incrowd.models.to_dict gives them, complete."""
    quasi: tuple[RecodedQuasi, ...]
    combinations: RecodedCombinations | None
    reference: tuple[ReferenceCounts, ...]
    """What the models compared with."""
    ladders: Ladders
    """Of sensitive columns that a model measures along their hierarchy."""
    not_published: tuple[str, ...]
    """Columns of the table that was given."""
    seconds: float
    versions: Mapping[str, str]
    """Of Incrowd, Python and the libraries."""
    determined: tuple[Plain, ...] = field(default=(), metadata={SINCE: 2})
    """Kept columns that determine the original value of a quasi-identifier (anonymization.kept_columns)."""
    format: int = FORMAT
    figures: Figures | None = field(default=None, metadata={SINCE: 2})
    """What it costs; of a release of format 1 the manifest tells it."""

    def to_dict(self) -> Plain:
        """Plain data for JSON."""
        return encoded_fields(self, self.format)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the record") -> "Record":
        """What `to_dict` gave; anything else is refused under the given name."""
        return _versioned({FORMAT: Record}, plain, name)

    @classmethod
    def read(cls, path: Path) -> "Record":
        """The record in a file."""
        return cls.from_dict(_loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file that only its owner may read, whole or not at all."""
        write_text(path, _text(self.to_dict()), PRIVATE)


def known_figures(manifest: Manifest, record: Record | None) -> Figures | None:
    """What a release costs, as its private record tells it; of one of format 1 as its manifest does."""
    if isinstance(manifest, _ManifestOfFormat1):
        losses = {column.name: column.loss for column in manifest.quasi if column.loss is not None}
        return Figures(manifest.scores, losses, manifest.search)
    return None if record is None else record.figures


def manifest_path(location: str, table: str | None = None) -> Path:
    """Where the manifest of a release is."""
    return _beside(location, table, ".manifest.json")


def sensitive_path(location: str, suffix: str) -> Path:
    """Where the sensitive values of a release go that are published apart: `release-sensitive.csv`."""
    return Path(location[: -len(suffix)] + "-sensitive" + location[-len(suffix) :])


def record_path(location: str, table: str | None = None) -> Path:
    """Where the record of a release is written."""
    return _beside(location, table, ".record.json")


def hash_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _beside(location: str, table: str | None, suffix: str) -> Path:
    """Beside the data: of a table in a database's file beside that file, of one on a server in the present folder."""
    scheme, url, rest = location.partition("://")
    if not url:
        return Path(location + suffix)
    # A server's address may hold a password.
    file = Path(rest.removeprefix("/")) if scheme in ("sqlite", "duckdb") else Path("")
    name = (table or "").replace("/", "_")
    return file.parent / (".".join(filter(None, [file.name, name])) + suffix)


def _text(plain: Plain) -> str:
    """A part a line: indenting within a part would take Python's own encoder, which is many times slower."""
    parts = [f"{json.dumps(key)}: {json.dumps(of, ensure_ascii=False, allow_nan=False)}" for key, of in plain.items()]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _loaded(path: Path) -> Any:
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path") from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path and your rights") from None
    except (ValueError, RecursionError):
        raise SourceError.of(path, "it is not valid JSON", "get it anew from whoever made the release") from None


Form = TypeVar("Form", Manifest, Record)


def _versioned(forms: Mapping[int, type[Form]], plain: Any, name: str) -> Form:
    """What plain data of any known format are."""
    version = plain.get("format") if isinstance(plain, dict) else None
    newest = forms[FORMAT]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        what = newest.__name__.lower()
        raise SourceError.of(name, f"it is no {what} of a release", f"give the {what} that was written with the data")
    if version > FORMAT:
        raise SourceError.of(
            name,
            f"it has format {version}, and this version of Incrowd knows up to {FORMAT}",
            "install a newer Incrowd",
        )
    made: Form = decoded_fields(forms.get(version, newest), plain, version, name)
    return made
