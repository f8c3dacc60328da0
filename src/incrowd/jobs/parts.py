"""The parts of a job, each valid by itself: data, output, population and columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue

from incrowd import hierarchies
from incrowd.core.brief import Brief
from incrowd.core.normal_form import missing_steps
from incrowd.core.prepare import Prepare
from incrowd.core.schema import Normalize, Notation, Role
from incrowd.errors import UsageError
from incrowd.jobs import families
from incrowd.jobs.docstrings import docstrings
from incrowd.jobs.frozen import FrozenMapping, plain
from incrowd.jobs.preparation import prepare_of
from incrowd.recodings import Form


class Part(Brief, BaseModel):
    """A part of a job: frozen, without unknown keys."""

    # A part that is only checked within a job has no schema of its own until someone asks for it.
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema with what is said of each field below it."""
        found = handler(core)
        properties = handler.resolve_ref_schema(found).get("properties", {})
        for name, text in docstrings(cls).items():
            if name in properties:
                properties[name].setdefault("description", text)
        return found

    def __repr_args__(self) -> list[Any]:
        """Show nothing: hierarchies, scales and orders hold cells."""
        return []

    __str__ = Brief.__repr__

    def to_dict(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, as plain data."""
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
    return (given,) if isinstance(given, str | PathLike | Mapping) else given


def _code(given: Any) -> Any:
    """Return a code for missing as text: 99 in a job file is a number."""
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


def _one_notation(steps: tuple[str, ...]) -> tuple[str, ...]:
    given = {step for step in steps if step in tuple(Notation)}
    if len(given) > 1 and given not in _TOGETHER:
        raise ValueError(f"{' and '.join(sorted(given))} contradict each other; keep one")
    return steps


_TOGETHER = (
    {Notation.DAY_FIRST, Notation.EXCEL_DATE},
    {Notation.MONTH_FIRST, Notation.EXCEL_DATE},
)
"""Notations that a column may have side by side."""


def _as_text(given: Any) -> Any:
    """Return a path as the text that every form of a job can hold."""
    return fspath(given) if isinstance(given, PathLike) else given


def _prepare(given: Any) -> Prepare | None:
    return None if given is None else prepare_of(given)


def _of_characters(text: str) -> str:
    """Return a text that files, and the names of files, can hold: no NUL, and no half of a character."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it contains a character that files do not support; remove it, or rename the file")
    return text


Text = Annotated[StrictStr, Field(min_length=1), AfterValidator(_of_characters), BeforeValidator(_as_text)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
_SEVERAL = BeforeValidator(_several, json_schema_input_type=str | list[str])
_ONE_OR_SEVERAL = BeforeValidator(
    lambda given: given if isinstance(given, list | tuple) else (given,),
    json_schema_input_type=str | int | list[str | int],
)
Delimiter = Annotated[Text, BeforeValidator(lambda given: "\t" if given in ("tab", r"\t") else given)]
Level = Annotated[StrictInt, Field(ge=0)]


class Records(Part):
    """The location of records."""

    source: Annotated[tuple[Text, ...], Field(min_length=1), _SEVERAL]
    """Files or database URLs; several are read as one table. Paths are relative to the folder of the job file."""
    table: Text | None = None
    """Database table, or sheet of a workbook."""
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
        """Return the values that differ from the defaults; a single source without a list."""
        sources = self.moved(str)
        return {**super().to_dict(), "source": sources[0] if len(sources) == 1 else sources}


class Origin(Part):
    """One of several sources, with its own table, query or file options."""

    file: Text | None = None
    """A path, relative to the folder of the job file."""
    url: Text | None = None
    """A database URL, instead of a path."""
    table: Text | None = None
    """Database table, or sheet of a workbook."""
    query: Text | None = None
    """Database query whose result is the table."""
    delimiter: Delimiter | None = None
    """Field delimiter of a text file (default: detected)."""
    encoding: Text | None = None
    """Encoding of a text file (default: detected)."""
    header: StrictBool | None = None
    """True if the first line of a text file or sheet is a header."""
    names: Annotated[tuple[Text, ...], _SEVERAL] = ()
    """Column names; the first line is then a record, unless header is true."""
    widths: tuple[Annotated[StrictInt, Field(ge=1)], ...] = ()
    """Width of each column (characters) of a text file without delimiters."""

    @model_validator(mode="after")
    def _at_one_place(self) -> Origin:
        if (self.file is None) == (self.url is None):
            raise ValueError("a source needs exactly one location; give either 'file' or 'url'")
        if ("://" in self.location) != (self.url is not None):
            raise ValueError("give a path as 'file', a location with :// as 'url'")
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
    """Return a source without options as its location alone."""
    return given if isinstance(given, str) or len(given.to_dict()) > 1 else given.location


DESCRIBED = "described"
"""In the places of faults: the source is described by keys, not named by a text."""
_Origin = Annotated[
    Annotated[Text, Tag("text")] | Annotated[Origin, Tag(DESCRIBED)],
    Discriminator(_kind_of_source),
    AfterValidator(_shortest),
]


class Population(Records):
    """The population that the table was drawn from; missing-value markers and encoding are those of the data."""


class Data(Records):
    """The data to read."""

    source: Annotated[  # type: ignore[assignment]
        tuple[_Origin, ...],
        Field(min_length=1),
        BeforeValidator(_several, json_schema_input_type=str | Origin | list[str | Origin]),
    ]
    """Files or database URLs; several are read as one table. Paths are relative to the folder of the job file. A source
    with its own table, query or file options has keys; those beside `source`, except `missing`, do not apply to it."""
    missing: Annotated[tuple[StrictStr, ...], _SEVERAL] = ()
    """Missing-value markers, in addition to empty cells."""
    delimiter: Delimiter | None = None
    """Field delimiter of a text file (default: detected)."""
    encoding: Text | None = None
    """Encoding of a text file (default: detected)."""
    header: StrictBool | None = None
    """True if the first line of a text file or sheet is a header; if not given, a line that looks like a record is
    refused."""
    names: Annotated[tuple[Text, ...], _SEVERAL] = ()
    """Column names; the first line is then a record, unless header is true."""
    widths: tuple[Annotated[StrictInt, Field(ge=1)], ...] = ()
    """Width of each column (characters) of a text file without delimiters."""
    prepare: Annotated[Prepare | None, PlainValidator(_prepare, json_schema_input_type=Any)] = None
    """Changes to the table as it is read, before anything else: `rename` (new names by old ones), `recode` (by
    column new values by old ones; null is missing), `type` (by column text, integer, number or date) and `rows`
    (`where` by column the values, or `from` and `to`; `sample`, a share, with a secret `seed`; `first`, a number). All
    but `rename` know columns by their new names."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, as plain data."""
        return {**super().to_dict(), **({} if self.prepare is None else {"prepare": self.prepare.to_plain()})}

    @property
    def locations(self) -> tuple[str, ...]:
        """The paths and URLs."""
        return tuple(each if isinstance(each, str) else each.location for each in self.source)

    def moved(self, located: Callable[[str], str]) -> list[Any]:
        """Return the sources as plain data, with other locations."""
        return [located(each) if isinstance(each, str) else each.moved(located(each.location)) for each in self.source]


class Output(Part):
    """The release to write."""

    to: Text
    """A file or a database URL. Paths are relative to the folder of the job file."""
    table: Text | None = None
    """Database table to write."""
    delimiter: Delimiter | None = None
    """Field delimiter of a text file (default: comma)."""
    replace: StrictBool = False
    """True if existing output may be replaced."""
    spreadsheet_safe: StrictBool = False
    """True to put an apostrophe before cells of a text file that a spreadsheet would run as formulas."""
    record: Text | None = None
    """Path of the private record (default: beside the release)."""
    mapping: Text | None = None
    """Path of a file that lists the recoding, to be kept private (default: none)."""


def reading_steps(normalize: Mapping[str, Any], missing: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return by column how its cells are read, from settings as a column of a job has them."""
    found = {}
    for name in dict.fromkeys((*normalize, *missing)):
        for step in _several(normalize.get(name, ())):
            if step not in _STEPS:
                raise UsageError.not_one_of(f"a step of normalize for column {name!r}", str(step), _STEPS)
        try:
            column = Column(role=Role.QUASI, normalize=normalize.get(name, ()), missing=missing.get(name, ()))
        except ValidationError as error:
            why = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise UsageError.invalid(f"how column {name!r} is read", why, f"steps: {', '.join(_STEPS)}") from None
        found[name] = column.steps
    return {name: steps for name, steps in found.items() if steps}


def steps_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return by column how its cells are read, from the settings of columns of a job."""
    by_key = [{name: of[key] for name, of in settings.items() if key in of} for key in ("normalize", "missing")]
    return reading_steps(*by_key)


_STEPS = (*Normalize, *Notation)


class Column(Part):
    """A column and its role."""

    role: Role
    """identifier: direct identifier, never published. person: tells which person a record is about, alone or with other
    such columns; never published, and sizes are then numbers of people. quasi: quasi-identifier, which an attacker may
    know. sensitive: to be protected from disclosure. keep: published unchanged. drop: not published."""
    hierarchy: Annotated[str | FrozenMapping | None, PlainValidator(families.hierarchy, json_schema_input_type=Any)] = (
        None
    )
    """Generalization hierarchy: a file, or a builder with its options (default: suggested from the values)."""
    losses: tuple[Number, ...] | None = None
    """Information loss of each level, from level 0 up; never decreasing."""
    priority: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)] = 1.0
    """Relative importance of preserving the column (default: 1)."""
    limit: Level | None = None
    """Highest level allowed (default: the top)."""
    minimum: Level = 0
    """Lowest level allowed."""
    form: Form | None = None
    """Published form of a class: range, ends (of ranges, in two columns), ancestor, set, set_or_ancestor, mean, median
    or mode for local searches; range or set for searches that partition values."""
    scale: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """All values from the lowest to the highest, if they are ordered but not numbers; for searches that are local
    or partition values."""
    domain: tuple[Number, Number] | None = None
    """Lowest and highest possible number; for local searches, which measure ranges by it, and searches that
    partition values."""
    bounds: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)] | None = None
    """For local searches: published ranges of numbers end at multiples of this number, not at values of records;
    those with the lowest or highest number end where the declared domain does."""

    normalize: Annotated[
        tuple[Annotated[Normalize | Notation, AfterValidator(str)], ...], _SEVERAL, AfterValidator(_one_notation)
    ] = ()
    """Steps that unify the spellings of a value before counting and in the release: blanks, case, unicode; or how
    numbers and dates are written, which are then read: decimal_comma, decimal_point, day_first, month_first,
    excel_date."""
    missing: Annotated[tuple[Annotated[StrictStr, BeforeValidator(_code)], ...], _ONE_OR_SEVERAL] = ()
    """Codes for missing in this column alone, such as 99."""
    person: StrictBool = False
    """True for a quasi-identifier that also tells, with the columns of role person, which person a record is about."""

    @property
    def steps(self) -> tuple[str, ...]:
        """How its cells are read, as steps to their normal form."""
        return (*self.normalize, *missing_steps(self.missing))

    def spec(self, name: str) -> hierarchies.Spec:
        """Return the specification of the column's hierarchy, including its losses."""
        builder, options = hierarchies.settled(plain(self.hierarchy), name)
        return {builder: options if self.losses is None else {**options, "losses": list(self.losses)}}
