"""A release: data, the public manifest that tells what it claims, the private record that tells how it was made.

Who has data and manifest can verify the release; who has the record can repeat it, and undo it: it is another file,
which only its owner may read, and it must not go where the data go.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from incrowd.errors import SourceError

FORMAT = 1
"""The form of both files; a reader refuses a higher one."""

Plain = dict[str, Any]
"""Data as JSON has it."""

_SINGLE = frozenset({NoneType, bool, int, float, str})
"""What is plain already; a record may hold millions of these."""

_LATER = {"later": True}
"""Marks fields that older files lack; they are written only if they say something, which keeps old fingerprints."""

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
    """A quasi-identifier and how far up its hierarchy its cells are; None where that differs from cell to cell."""

    name: str
    level: int | None
    height: int | None
    form: str | None = None
    """What a group of records publishes in it, where each group was recoded on its own."""
    loss: float | None = None
    """Then, the share of its domain that a cell spans, as a mean over all records; suppressed ones count 1."""


@dataclass(frozen=True)
class SearchFacts:
    """How the recoding was chosen."""

    name: str
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


@dataclass(frozen=True)
class Manifest:
    """What a release claims. It tells nothing about the original values that the data do not show."""

    incrowd: str
    """The version that made the release."""
    data: Data
    quasi: tuple[PublishedQuasi, ...]
    sensitive: tuple[str, ...]
    kept: tuple[str, ...]
    models: tuple[Plain, ...]
    """As incrowd.models.to_dict gives them, without values that the data do not show (see `shown_model`)."""
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
    """By metric."""
    search: SearchFacts
    ladders: Ladders
    """Of sensitive columns that a model measures along their hierarchy, for the values that the data show."""
    apart: Apart | None = None
    """Where sensitive values are published by group; then these groups are the classes."""
    utility: float | None = None
    """The mean share of the quasi-identifiers' domains that a class spans at most, where the search promises it."""
    wiped: Mapping[str, str] = field(default_factory=dict)
    """Where wiped cells match anything: by quasi-identifier what they show. Where it is empty they are values."""
    grid: str | None = None
    """What was generalised and what suppressed, as Samarati's lecture calls it: AG_TS, _CS; None for anything else."""
    normalized: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=_LATER)
    """By column, the steps that made all spellings of a value one; cells that show a value show its normal form."""
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Plain data for JSON."""
        return _encoded_fields(self)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the manifest") -> "Manifest":
        """What `to_dict` gave; anything else is refused under the given name."""
        return _versioned(cls, plain, name)

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """The manifest in a file."""
        return cls.from_dict(_loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file, whole or not at all."""
        write_text(path, _text(self.to_dict()), 0o666)

    @property
    def fingerprint(self) -> str:
        """By this the private record knows its release."""
        return sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class RecodedQuasi:
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


@dataclass(frozen=True)
class RecodedCombinations:
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


@dataclass(frozen=True)
class ReferenceCounts:
    """How often each value, or combination of values, occurs in the table that was given."""

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Record:
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
    determined: tuple[Plain, ...] = field(default=(), metadata=_LATER)
    """Kept columns that determine the original value of a quasi-identifier (anonymization.kept_columns)."""
    format: int = FORMAT

    def to_dict(self) -> Plain:
        """Plain data for JSON."""
        return _encoded_fields(self)

    @classmethod
    def from_dict(cls, plain: Any, name: str = "the record") -> "Record":
        """What `to_dict` gave; anything else is refused under the given name."""
        return _versioned(cls, plain, name)

    @classmethod
    def read(cls, path: Path) -> "Record":
        """The record in a file."""
        return cls.from_dict(_loaded(path), str(path))

    def write(self, path: Path) -> None:
        """Put it into a file that only its owner may read, whole or not at all."""
        write_text(path, _text(self.to_dict()), 0o600)


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


def write_text(path: Path, text: str, mode: int) -> None:
    """Write a file so that a reader, or a crash, finds the old one or the whole new one."""
    from incrowd.formats._atomic import whole_file

    with whole_file(str(path), replace=True, mode=mode) as file:
        file.write(text.encode())


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


def _encoded_fields(value: Any) -> Plain:
    told = {each.name: getattr(value, each.name) for each in fields(value)}
    later = {each.name for each in fields(value) if each.metadata == _LATER}
    return {name: _encoded(of) for name, of in told.items() if of or name not in later}


def _encoded(value: Any) -> Any:
    if type(value) in _SINGLE:
        return value
    if is_dataclass(value):
        return _encoded_fields(value)
    if isinstance(value, Mapping):
        return {key: _encoded(of) for key, of in value.items()}
    if isinstance(value, tuple | list):
        return list(value) if _SINGLE.issuperset(map(type, value)) else [_encoded(each) for each in value]
    return value


def _loaded(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refused)
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path") from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path and your rights") from None
    except (ValueError, RecursionError):
        raise SourceError.of(path, "it is not valid JSON", "get it anew from whoever made the release") from None


def _refused(word: str) -> None:
    raise ValueError(word)


Form = TypeVar("Form", Manifest, Record)


def _versioned(form: type[Form], plain: Any, name: str) -> Form:
    version = plain.get("format") if isinstance(plain, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        what = form.__name__.lower()
        raise SourceError.of(name, f"it is no {what} of a release", f"give the {what} that was written with the data")
    if version > FORMAT:
        raise SourceError.of(
            name,
            f"it has format {version}, and this version of Incrowd knows up to {FORMAT}",
            "install a newer Incrowd",
        )
    made: Form = _decoded(form, plain, name, "")
    return made


def _decoded(kind: Any, plain: Any, name: str, place: str) -> Any:
    """Plain data as the type that a field has."""
    if is_dataclass(kind):
        return kind(**_decoded_fields(kind, plain, name, place))  # type: ignore[operator]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        # Every union here is "something or None".
        return None if plain is None else _decoded(next(a for a in arguments if a is not NoneType), plain, name, place)
    if origin is tuple and isinstance(plain, list):
        return tuple(_decoded(arguments[0], each, name, f"{place}[{at}]") for at, each in enumerate(plain))
    if origin in (Mapping, dict) and isinstance(plain, dict):
        return {key: _decoded(arguments[1], each, name, f"{place}.{key}") for key, each in plain.items()}
    if kind is Any or _fits(kind, plain):
        return plain
    raise _unfit(name, place, "does not have the form that it should")


def _decoded_fields(kind: Any, plain: Any, name: str, place: str) -> dict[str, Any]:
    types = get_type_hints(kind)
    if not isinstance(plain, dict):
        raise _unfit(name, place, "does not have the form that it should")
    dot = f"{place}." if place else ""
    later = {each.name for each in fields(kind) if each.metadata == _LATER}
    types = {key: of for key, of in types.items() if key in plain or key not in later}
    for key in sorted(types.keys() ^ plain.keys()):
        raise _unfit(name, f"{dot}{key}", "is lacking" if key in types else "is not known")
    return {key: _decoded(types[key], plain[key], name, f"{dot}{key}") for key in types}


def _fits(kind: Any, plain: Any) -> bool:
    if kind is float:
        return isinstance(plain, int | float) and not isinstance(plain, bool)
    if kind is int:
        # All of them count something.
        return isinstance(plain, int) and not isinstance(plain, bool) and plain >= 0
    return isinstance(kind, type) and isinstance(plain, kind)


def _unfit(name: str, place: str, wrong: str) -> SourceError:
    return SourceError.of(name, f"its part {place!r} {wrong}", "get it anew from whoever made the release")
