"""The parts of a job, each valid by itself: what is read, what is written, what each column is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    model_validator,
)

from incrowd import hierarchies
from incrowd.core.brief import Brief
from incrowd.core.grid import Allowed, Suppress
from incrowd.core.schema import Normalize, Role
from incrowd.jobs import families
from incrowd.jobs.frozen import FrozenMapping, plain
from incrowd.recodings import Form


class Part(Brief, BaseModel):
    """Keys that are known, values that stay."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, arbitrary_types_allowed=True)

    def __repr_args__(self) -> list[Any]:
        """Nothing to show unasked: hierarchies, scales and orders hold cells."""
        return []

    __str__ = Brief.__repr__

    def to_dict(self) -> dict[str, Any]:
        """What differs from what is usual, as plain data."""
        return {key: _plain(getattr(self, key)) for key in self._unusual()}

    def _unusual(self) -> list[str]:
        own = {key: getattr(self, key) for key in type(self).model_fields}
        usual = {
            key: field.get_default(call_default_factory=True, validated_data=own)
            for key, field in type(self).model_fields.items()
        }
        return [key for key, value in own.items() if value != usual[key]]


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else plain(value)


def _several(given: Any) -> Any:
    return (given,) if isinstance(given, str | Mapping) else given


def _of_characters(text: str) -> str:
    """A text that files, and the names of files, can hold: no NUL, and no half of a character."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it holds a character that no file can hold; leave it out, or rename the file")
    return text


Text = Annotated[StrictStr, Field(min_length=1), AfterValidator(_of_characters)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
_SEVERAL = BeforeValidator(_several, json_schema_input_type=str | list[str])
Delimiter = Annotated[Text, BeforeValidator(lambda given: "\t" if given in ("tab", r"\t") else given)]
Level = Annotated[StrictInt, Field(ge=0)]


class Records(Part):
    """Records and where they are."""

    source: Annotated[tuple[Text, ...], Field(min_length=1), _SEVERAL]
    """Files or database URLs; several are read as one table. A path begins at the folder of the job file."""
    table: Text | None = None
    """Table of a database, or sheet of a workbook."""
    query: Text | None = None
    """Database query whose result is the table."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The paths and URLs."""
        return self.source

    def moved(self, located: Callable[[str], str]) -> list[Any]:
        """Return the sources as plain data, with other locations."""
        return [located(each) for each in self.source]

    def to_dict(self) -> dict[str, Any]:
        """What differs from what is usual; a single source without a list."""
        sources = self.moved(str)
        return {**super().to_dict(), "source": sources[0] if len(sources) == 1 else sources}


class Origin(Part):
    """One of several sources, with a table, a query or a form of its own."""

    file: Text | None = None
    """A path; begins at the folder of the job file."""
    url: Text | None = None
    """A database URL, in place of a path."""
    table: Text | None = None
    """Table of a database, or sheet of a workbook."""
    query: Text | None = None
    """Database query whose result is the table."""
    delimiter: Delimiter | None = None
    """What separates the cells of a text file; found by looking when not given."""
    encoding: Text | None = None
    """Encoding of a text file; found by looking when not given."""
    header: StrictBool | None = None
    """Whether the first line of a text file or sheet is a header."""
    names: Annotated[tuple[Text, ...], _SEVERAL] = ()
    """Names of the columns; the first line is then a record, unless header is true."""
    widths: tuple[Annotated[StrictInt, Field(ge=1)], ...] = ()
    """How many characters each column of a text file without delimiters has."""

    @model_validator(mode="after")
    def _at_one_place(self) -> Origin:
        if (self.file is None) == (self.url is None):
            raise ValueError("a source is at one place; give it 'file' or 'url'")
        if ("://" in self.location) != (self.url is not None):
            raise ValueError("a path is written as 'file', what has :// in it as 'url'")
        return self

    @property
    def location(self) -> str:
        """The path or URL."""
        return str(self.file or self.url)

    def moved(self, location: str) -> dict[str, Any]:
        """Return the source as plain data, with another location."""
        return {**self.to_dict(), "file" if self.url is None else "url": location}


def _kind_of_source(given: Any) -> str:
    return DESCRIBED if isinstance(given, Mapping | Origin) else "text"


def _shortest(given: str | Origin) -> str | Origin:
    """Return a source that says nothing of its own as its location alone."""
    return given if isinstance(given, str) or len(given.to_dict()) > 1 else given.location


DESCRIBED = "described"
"""In the places of faults: the source is described by keys, not named by a text."""
_Origin = Annotated[
    Annotated[Text, Tag("text")] | Annotated[Origin, Tag(DESCRIBED)],
    Discriminator(_kind_of_source),
    AfterValidator(_shortest),
]


class Population(Records):
    """The population that the table was drawn from; what stands for missing, and the encoding, are as in the data."""


class Data(Records):
    """What is read."""

    source: Annotated[  # type: ignore[assignment]
        tuple[_Origin, ...],
        Field(min_length=1),
        BeforeValidator(_several, json_schema_input_type=str | Origin | list[str | Origin]),
    ]
    """Files or database URLs; several are read as one table. A path begins at the folder of the job file. A source with
    a table, query or form of its own has keys; the keys beside `source`, except `missing`, are not about it then."""
    missing: Annotated[tuple[StrictStr, ...], _SEVERAL] = ()
    """Texts that stand for missing, beside empty cells."""
    delimiter: Delimiter | None = None
    """What separates the cells of a text file; found by looking when not given."""
    encoding: Text | None = None
    """Encoding of a text file; found by looking when not given."""
    header: StrictBool | None = None
    """Whether the first line of a text file or sheet is a header; if not given, a line that looks like a record is
    refused."""
    names: Annotated[tuple[Text, ...], _SEVERAL] = ()
    """Names of the columns; the first line is then a record, unless header is true."""
    widths: tuple[Annotated[StrictInt, Field(ge=1)], ...] = ()
    """How many characters each column of a text file without delimiters has."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The paths and URLs."""
        return tuple(each if isinstance(each, str) else each.location for each in self.source)

    def moved(self, located: Callable[[str], str]) -> list[Any]:
        """Return the sources as plain data, with other locations."""
        return [located(each) if isinstance(each, str) else each.moved(located(each.location)) for each in self.source]


class Output(Part):
    """What is written."""

    to: Text
    """A file or a database URL. A path begins at the folder of the job file."""
    table: Text | None = None
    """Table of a database that is written to."""
    delimiter: Delimiter | None = None
    """What separates the cells of a text file; a comma when not given."""
    replace: StrictBool = False
    """Whether what is there already may be replaced."""
    spreadsheet_safe: StrictBool = False
    """Whether cells of a text file that a spreadsheet would run as formulas are made harmless, by an apostrophe."""
    record: Text | None = None
    """Where the private record goes; beside the release when not given."""
    mapping: Text | None = None
    """Where the recoding is listed, for those who may know it; nowhere when not given."""


class Column(Part):
    """What a column is for."""

    role: Role
    """identifier: names a person, never published. quasi: known to outsiders. sensitive: what nobody may learn. keep:
    published as it is. drop: left out."""
    hierarchy: Annotated[str | FrozenMapping | None, PlainValidator(families.hierarchy, json_schema_input_type=Any)] = (
        None
    )
    """How values are generalised: a file, a builder with its options, or nothing to have one proposed."""
    losses: tuple[Number, ...] | None = None
    """The information loss of each level, from level 0 up; never falling."""
    priority: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)] = 1.0
    """How much it matters that the column stays as it is; 1 is usual."""
    limit: Level | None = None
    """The highest level allowed; the top when not given."""
    minimum: Level = 0
    """The lowest level allowed."""
    form: Form | None = None
    """What a group publishes where the search is local: range, ancestor, set, mean, median or mode; what a part
    publishes where the search parts values: range or set."""
    scale: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """All values from the lowest to the highest, where they are ordered but no numbers; for searches
    that are local or part values."""
    domain: tuple[Number, Number] | None = None
    """The lowest and the highest number that could occur; for local searches, which measure ranges by it,
    and those that part values."""
    bounds: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)] | None = None
    """For local searches: published ranges of numbers end at multiples of this, and those with the lowest or highest
    number where the declared domain does; not at values of records."""

    normalize: Annotated[tuple[Annotated[Normalize, AfterValidator(str)], ...], _SEVERAL] = ()
    """Steps that make all spellings of a value one, before anything is counted and in what is published: blanks,
    case, unicode."""

    def spec(self, name: str) -> hierarchies.Spec:
        """What builds the column's hierarchy, the losses included."""
        builder, options = hierarchies.settled(plain(self.hierarchy), name)
        return {builder: options if self.losses is None else {**options, "losses": list(self.losses)}}


def suppression(given: Any) -> Allowed:
    """A whole number of records, a share of them as the decimal number that was written, or what may be left out."""
    if given in tuple(Suppress):
        return 0 if given == Suppress.NONE else Suppress(given)
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    try:
        share = None if isinstance(given, bool) else Decimal(str(given))
    except InvalidOperation:
        share = None
    if share is not None and share.is_finite() and 0 <= share < 1:
        return share or 0
    if isinstance(given, str) and given.isdecimal():
        return int(given)
    raise ValueError(
        "it must be a share of the records, from 0 to below 1 (0.02 for two in a hundred), a whole number of them, "
        "or row, column, cell or none"
    )
