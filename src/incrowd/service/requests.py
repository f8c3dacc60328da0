"""What can be asked of the service, as typed plain data. Files are named by id; a run's id stands for its release."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=1000)]
Id = Annotated[str, Field(min_length=1, max_length=300)]
Names = Annotated[list[Name], Field(max_length=2000)]
Widths = Annotated[list[Annotated[int, Field(ge=1, lt=2**31)]], Field(max_length=2000)]
Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]


class Request(BaseModel):
    """Keys that are known."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Reading(Request):
    """A table and how to read it."""

    file: Id
    """The file, or the run whose release it is."""
    missing: Names = []
    """Texts that stand for missing, beside empty cells."""
    delimiter: Annotated[str, Field(max_length=3)] | None = None
    """What separates the cells of a text file; found by looking when not given."""
    encoding: Annotated[str, Field(max_length=40)] | None = None
    """Encoding of a text file; found by looking when not given."""
    header: bool | None = None
    """Whether the first line of a text file or sheet is a header; if not given, one like a record is refused."""
    names: Names = []
    """Names of the columns; the first line is then a record, unless header is true."""
    widths: Widths = []
    """How many characters each column of a text file without delimiters has."""
    table: Name | None = None
    """Table of a database, or sheet of a workbook."""


class Inspect(Reading):
    """What does each column hold, how much does it single people out, and what is it for?"""

    among: Names | None = None
    """Columns that an outsider may know; all of them when not given."""
    time: Seconds | None = None
    """Stop after so many seconds and say what is known."""


class Diagnose(Reading):
    """Who stands out, and through which columns? What is left out is asked for."""

    quasi: Names | None = None
    """The set of columns to judge."""
    k: int | None = None
    """How many must be alike."""
    sensitive: Name | None = None
    """Sensitive column: asks for l-diversity or t-closeness instead of k."""
    l: int | float | None = None  # noqa: E741 - the name that the parameter has in every paper
    """Number of different sensitive values that every class must have."""
    t: float | None = None
    """Largest distance of a class from the whole table, from 0 to 1."""
    measure: Annotated[str, Field(max_length=10_000)] | None = None
    """What to measure: k_anonymity, distinct_l, frequency_l, entropy_l or t_closeness, which may name its distance."""
    hierarchy: Any = None
    """Hierarchy of the sensitive column, for the hierarchical distance: a builder with its options, or a file by id."""
    suppress: float | Literal["find"] | None = None
    """Share of records that may go, or 'find'."""
    among: Names | None = None
    """Columns that an outsider may know; all of them when not given."""
    at_most: bool = False
    """Ask for at most the given k or l: what threatens the table?"""
    at_least: bool = False
    """Ask for at least the given t: what threatens the table?"""
    nulls: Literal["extended", "basic", "maybe", "right_maybe"] = "extended"
    """What a missing cell matches."""
    max_size: int | None = None
    """Look only at sets of up to so many columns."""
    up_to: Annotated[int, Field(ge=1, le=10_000_000)] = 50
    """The largest k or l listed when suppression is asked for every one."""
    rows: bool = False
    """List also the records that have to go, by their place from 0."""
    time: Seconds | None = None
    """Stop after so many seconds and say what is known."""


class Risk(Reading):
    """What does an attacker who knows these columns find?"""

    quasi: Names
    """The columns that are known."""
    sensitive: Names = []
    """Columns that nobody may learn: it is told how far each privacy model holds."""
    threshold: float | Annotated[str, Field(max_length=40)] = 0.2
    """The risk still accepted."""
    population: Annotated[int, Field(ge=1)] | Id | None = None
    """The population: a file, or its size."""
    max_size: Annotated[int, Field(ge=1)] | None = None
    """Look for special uniques only in sets of up to so many columns."""
    rows: bool = False
    """List also the records that stand out most, by their place from 0, with their scores."""
    time: Seconds | None = None
    """Stop after so many seconds and say what is known."""


class Hierarchy(Reading):
    """How can the values of a column be made coarser, step by step?"""

    column: Name
    """The column to generalise."""
    spec: Any = None
    """How: a builder with its options, or a hierarchy file by id; proposed from the values when not given."""
    losses: Annotated[list[float], Field(max_length=1000)] | None = None
    """The information loss of each level."""
    show_values: bool = False
    """Show values of the data too."""


class Anonymize(Request):
    """Create a release that satisfies your privacy models."""

    job: dict[str, Any]
    """A job as plain data; what it names are files of the workspace, and of its output only the ending counts."""


class Apply(Request):
    """Publish new data with the recoding of an earlier release."""

    record: Id
    """The private record: a file, or the run that made the release."""
    file: Id
    """The new data."""
    output: Annotated[str, Field(pattern=r"^[A-Za-z0-9.]{1,20}$")] = "csv"
    """The format of the release, by its ending."""
    spreadsheet_safe: bool = False
    """Whether cells that a spreadsheet would take for formulas are made harmless."""


class Frontier(Request):
    """Which releases are worth having?"""

    job: dict[str, Any]
    """A job as plain data."""
    k: Annotated[list[int], Field(max_length=200)] | None = None
    """Every k to try."""
    searches: Annotated[list[Any], Field(max_length=50)] | None = None
    """Every search to try."""
    suppress: Annotated[list[float | int], Field(max_length=200)] | None = None
    """How many records may be left out: every share or number to try."""
    risk: Literal["highest", "average"] = "highest"
    """What is kept low beside the loss."""
    time: Seconds | None = None
    """Seconds for each search."""
    grid: bool = False
    """Whether the job is run as it is on every point of the grid of generalisation and suppression instead."""


class Verify(Request):
    """Does this release keep its promises?"""

    file: Id
    """The release: a file, or the run that made it."""
    manifest: Id | None = None
    """Its manifest; needed for a file, known for a run."""
    record: Id | None = None
    """Its private record."""
    population: Id | None = None
    """The population, for k_map and delta_presence."""


class Measure(Request):
    """What are these releases worth, and how well do they protect?"""

    original: Id
    """The table before."""
    missing: Names = []
    """Texts that stand for missing in it, beside empty cells."""
    delimiter: Annotated[str, Field(max_length=3)] | None = None
    """What separates the cells of the original; found by looking when not given."""
    encoding: Annotated[str, Field(max_length=40)] | None = None
    """Encoding of the original; found by looking when not given."""
    header: bool | None = None
    """Whether the first line of the original is a header; if not given, one like a record is refused."""
    names: Names = []
    """Names of the columns of the original, if it has no header."""
    widths: Widths = []
    """How many characters each column of the original has, if it has no delimiters."""
    releases: Annotated[list[Id], Field(min_length=1, max_length=50)]
    """Releases of it: files, or runs that made them."""
    columns: dict[Name, Any] | Names | None = None
    """Quasi-identifiers, or by name what a column is for; a hierarchy file is named by id."""
    label: Name | None = None
    """The column that a classifier is to predict."""
    queries: Id | None = None
    """A table with a row for each query that is to be answered."""
    yardsticks: Annotated[list[Name], Field(max_length=100)] = []
    """All when not given; one behind a minus sign is left out."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """What chance starts from."""


class Attack(Request):
    """What can somebody who has this release learn about the people in it?"""

    release: Id
    """A file, or a run that made it."""
    columns: dict[Name, Any] | Names | None = None
    """Quasi-identifiers, or by name what a column is for; a hierarchy file is named by id."""
    attacks: Annotated[list[Name], Field(max_length=100)] = []
    """All that can be tried when not given."""
    outside: Id | None = None
    """A table of people whom the attacker looks for."""
    renamed: dict[Name, Name] = {}
    """By column of that table how it is called in the release."""
    other: Id | None = None
    """Another release of the same people."""
    knows: Annotated[list[Name], Field(max_length=100)] = []
    """Statements about values."""
    shares: Annotated[list[Id | dict[Name, dict[Name, float]]], Field(max_length=100)] = []
    """Shares of sensitive values in the population, by column and value, or files with such a column and `share`; also
    as a text: disease=diabetes:0.2."""


class Report(Reading):
    """What was asked, what was found, what is promised: for people, in one page."""

    audience: Literal["internal", "external", "both"] = "both"
    """Those who may see the original table, or whoever gets the release: then it holds no value of any record."""
    form: Literal["html", "md", "json"] = "html"
    """A page, Markdown, or plain data."""
    manifest: Id | None = None
    """Of a release that was uploaded; the release of a run has one. Without it the table is diagnosed."""
    record: Id | None = None
    """The private record of a release that was uploaded."""
    original: Id | None = None
    """The table before a release, for an internal report."""
    population: Annotated[int, Field(ge=1)] | Id | None = None
    """All people among whom those of a release are: a file, or their number; that of the job when not given."""
    time: Seconds | None = None
    """Stop looking at sets of columns after so many seconds."""


class Table(Reading):
    """How many people are in each combination of some columns, or what do their amounts add up to?"""

    by: Annotated[Names, Field(min_length=1)]
    """The columns of the table."""
    measure: Name = "count"
    """What the cells hold: count, sum:COLUMN, mean:COLUMN, percent or percent:COLUMN, shares over that column."""
    rules: Annotated[list[Any], Field(max_length=20)] = []
    """Which cells are sensitive, such as {"threshold": {"n": 3}}; threshold when not given, and p_percent for sums
    and means."""
    protect: Any = "suppression"
    """What becomes of them, such as {"controlled_rounding": {"base": 5}}."""
    hierarchies: dict[Name, Any] = {}
    """By column how its values are grouped for subtotals; a hierarchy file is named by id."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    """What chance starts from, to be kept secret; drawn when not given."""
    contributors: Annotated[int, Field(ge=1, le=2)] = 1
    """How many contributors may combine what they know of their own records."""
    details: bool = False
    """Tell also what only the owner may know: sensitive cells, and what an attacker can find out about each."""
    output: Annotated[str, Field(pattern=r"^[A-Za-z0-9.]{1,20}$")] = "csv"
    """The format of the table, by its ending: json with its notes, or a row a cell in any other."""
    time: Seconds | None = None
    """Stop after so many seconds; then nothing is published."""
