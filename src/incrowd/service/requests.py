"""Requests of the service as typed plain data. Files are named by id; a run's id stands for its release."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=1000)]
Id = Annotated[str, Field(min_length=1, max_length=300)]
Names = Annotated[list[Name], Field(max_length=2000)]
Widths = Annotated[list[Annotated[int, Field(ge=1, lt=2**31)]], Field(max_length=2000)]
Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
Amount = int | Annotated[float, Field(allow_inf_nan=False)] | Annotated[str, Field(max_length=100)]
"""A suppression limit; a whole number is one of records, any other a share."""


class Request(BaseModel):
    """A request; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ReadingOptions(Request):
    """Options for reading a table."""

    missing: Names = []
    """Markers of missing values, beside empty cells."""
    delimiter: Annotated[str, Field(max_length=3)] | None = None
    """Field delimiter of a text file (default: detected)."""
    encoding: Annotated[str, Field(max_length=40)] | None = None
    """Encoding of a text file (default: detected)."""
    header: bool | None = None
    """True if the first line of a text file or sheet is a header; by default one like a record is refused."""
    names: Names = []
    """Names of the columns; the first line is then a record, unless header is true."""
    widths: Widths = []
    """Characters of each column of a text file without delimiters."""
    prepare: dict[str, Any] | None = None
    """Changes to the table as it is read, as `prepare` of the data in a job."""
    table: Name | None = None
    """Table of a database, or sheet of a workbook."""
    normalize: dict[Name, str | list[str]] | None = None
    """By column how its cells are read, as `normalize` of a column in a job."""
    missing_in: dict[Name, list[str | int]] | None = None
    """By column its codes for missing, as `missing` of a column in a job."""


class Reading(ReadingOptions):
    """A table, and options for reading it."""

    file: Id
    """The file, or the run that made the release."""


class Inspect(Reading):
    """Describe every column: its values, how far it singles people out, and its likely role; and what is noticed of how
    its values are written."""

    among: Names | None = None
    """Columns that an outsider may know (default: all)."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


class Diagnose(ReadingOptions):
    """Ask which sets of columns single people out; what is left out is asked for."""

    file: Id | None = None
    """The file, or the run that made the release."""
    job: dict[str, Any] | None = None
    """Or a job of several tables as plain data: which of their columns single people out. With k, max_size and time."""
    quasi: Names | None = None
    """The set of columns to judge."""
    k: int | None = None
    """The k of k-anonymity."""
    sensitive: Name | None = None
    """Sensitive column: asks for l-diversity or t-closeness instead of k."""
    l: int | float | None = None  # noqa: E741 - the name that the parameter has in every paper
    """Number of different sensitive values that every class must have."""
    t: float | None = None
    """Largest distance of a class from the whole table, from 0 to 1."""
    measure: Annotated[str, Field(max_length=10_000)] | None = None
    """Model to measure: k_anonymity, distinct_l, frequency_l, entropy_l or t_closeness, which may name its distance."""
    hierarchy: Any = None
    """Hierarchy of the sensitive column, for the hierarchical distance: a builder with its options, or a file by id."""
    suppress: Amount | None = None
    """Suppression limit: a share (0.02, "2%") or a number of records (1); or 'find' to ask for it."""
    among: Names | None = None
    """Columns that an outsider may know (default: all but those of the person)."""
    person: Names = []
    """Columns that together tell which person a record is about: people are counted."""
    at_most: bool = False
    """Ask for sets with at most the given k or l, which threaten the table."""
    at_least: bool = False
    """Ask for sets with at least the given t, which threaten the table."""
    nulls: Literal["extended", "basic", "maybe", "right_maybe"] = "extended"
    """Matching of missing values."""
    max_size: int | None = None
    """Largest sets of columns to look at."""
    up_to: Annotated[int, Field(ge=1, le=10_000_000)] = 50
    """The largest k or l listed if suppression is asked for every one."""
    rows: bool = False
    """List the records to suppress too, counted from 0."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


class Risk(ReadingOptions):
    """Measure the re-identification risk from an attacker who knows these columns."""

    file: Id | None = None
    """The file, or the run that made the release."""
    job: dict[str, Any] | None = None
    """Or a job of several tables as plain data; with quasi, knows, threshold, population and time."""
    tables: Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """Or a release of several tables: by the name of each its file. That of a run is named by the run."""
    manifest: Id | None = None
    """The manifest of tables that were uploaded."""
    quasi: Names = []
    """Columns that the attacker knows; of several tables TABLE.COLUMN (default: all)."""
    sensitive: Names = []
    """Sensitive columns: reports how far each privacy model is satisfied."""
    person: Names = []
    """Columns that together tell which person a record is about: people are counted."""
    knows: int | Annotated[str, Field(max_length=40)] = "record"
    """How much the attacker knows of a person: record (any one record), a number of records, or history (all)."""
    threshold: float | Annotated[str, Field(max_length=40)] = 0.2
    """Risk threshold."""
    population: Annotated[int, Field(ge=1)] | Id | Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """The population: a file, or its size; of several tables the file of each by its name."""
    max_size: Annotated[int, Field(ge=1)] | None = None
    """Largest sets of columns searched for special uniques."""
    rows: bool = False
    """List the records with the highest scores too, counted from 0."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


class Hierarchy(Reading):
    """Build the hierarchy of a column and describe its levels along the data."""

    column: Name
    """The column to generalize."""
    spec: Any = None
    """A builder with its options, or a hierarchy file by id (default: proposed from the values)."""
    losses: Annotated[list[float], Field(max_length=1000)] | None = None
    """The information loss of each level."""
    show_values: bool = False
    """Show values of the data too."""
    time: Seconds | None = None
    """Time limit (seconds)."""


class Anonymize(Request):
    """Create a release that satisfies your privacy models."""

    job: dict[str, Any]
    """A job as plain data, of one table or several; it names files of the workspace, and of its output only the ending
    counts."""


class Apply(Request):
    """Publish new data with the recoding of an earlier release."""

    record: Id
    """The private record: a file, or the run that made the release."""
    file: Id | None = None
    """The new data."""
    tables: Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """Or several tables: by the name that each has in the earlier release its file."""
    output: Annotated[str, Field(pattern=r"^[A-Za-z0-9.]{1,20}$")] = "csv"
    """The format of the release, by its ending."""
    spreadsheet_safe: bool = False
    """True to escape cells that a spreadsheet would run as formulas."""


class Frontier(Request):
    """Run a job under many k and searches, and recommend one of the Pareto-optimal releases."""

    job: dict[str, Any]
    """A job as plain data."""
    k: Annotated[list[int], Field(max_length=200)] | None = None
    """The k to try."""
    searches: Annotated[list[Any], Field(max_length=50)] | None = None
    """Searches to try."""
    suppress: Annotated[list[Amount], Field(max_length=200)] | None = None
    """Suppression limits to try, each a share (0.02, "2%") or a number of records (1)."""
    risk: Literal["highest", "average"] = "highest"
    """Risk to weigh against the loss."""
    time: Seconds | None = None
    """Time limit of each search (seconds)."""
    grid: bool = False
    """True to run the job as it is on every point of the grid of generalization and suppression instead."""


class Verify(Request):
    """Verify a release against its manifest."""

    file: Id | None = None
    """The release: a file, or the run that made it."""
    tables: Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """Or several tables: by the name of each its file. Those of a run are named by the run."""
    manifest: Id | None = None
    """Its manifest; needed for files, known for a run."""
    record: Id | None = None
    """Its private record; known for a run."""
    population: Id | None = None
    """The population, for k_map and delta_presence."""
    original: Id | Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """The original table, in which people are counted again, or several by their names; needs the private record. Known
    for a run."""


class ReleasedTables(Request):
    """A release of several tables that was uploaded."""

    tables: Annotated[dict[Name, Id], Field(max_length=1000)]
    """By the name of each table its file."""
    manifest: Id
    """Their manifest."""
    record: Id | None = None
    """Their private record, which knows the hierarchies."""


class Measure(Request):
    """Compare the utility and protection of releases."""

    original: Id | Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """The original table; of several tables the file of each by its name (default: those of the run)."""
    missing: Names = []
    """Markers of missing values in the original, beside empty cells."""
    delimiter: Annotated[str, Field(max_length=3)] | None = None
    """Field delimiter of the original (default: detected)."""
    encoding: Annotated[str, Field(max_length=40)] | None = None
    """Encoding of the original (default: detected)."""
    header: bool | None = None
    """True if the first line of the original is a header; by default one like a record is refused."""
    names: Names = []
    """Names of the columns of the original, if it has no header."""
    widths: Widths = []
    """Characters of each column of the original, if it has no delimiters."""
    prepare: dict[str, Any] | None = None
    """Changes to the original as it is read, as `prepare` of the data in a job."""
    releases: Annotated[list[Id | ReleasedTables], Field(min_length=1, max_length=50)]
    """Releases of it: files, or runs that made them; of several tables runs, or the files of each with its manifest."""
    columns: dict[Name, Any] | Names | None = None
    """Quasi-identifiers, or by name the role of a column or its settings; a hierarchy file is named by id."""
    label: Name | None = None
    """The column that a classifier predicts."""
    pair: Annotated[Names, Field(max_length=2)] = []
    """Two columns to cross-tabulate, before and after."""
    queries: Id | None = None
    """A table with a row for each query to answer."""
    metrics: Annotated[list[Name], Field(max_length=100, validation_alias=AliasChoices("metrics", "yardsticks"))] = []
    """Release metrics (default: all); one with a minus sign before it is excluded."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Random seed."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


class Records(Request):
    """List the records of the original table beside what a release publishes of them, smallest classes first."""

    release: Id
    """The run that made the release."""
    original: Id | None = None
    """The original table (default: the one that the run read)."""
    rows: Annotated[int, Field(ge=1, le=1000)] = 50
    """Number of records in the result; the file that the run keeps for pages has more."""
    time: Seconds | None = None
    """Time limit (seconds)."""


class Attack(Request):
    """Attack a release as somebody who has it could, and count the people that each attack exposes."""

    release: Id | None = None
    """A file, or a run that made it."""
    tables: Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """Or several tables: by the name of each its file. Those of a run are named by the run."""
    manifest: Id | None = None
    """The manifest of several tables that were uploaded."""
    columns: dict[Name, Any] | Names | None = None
    """Quasi-identifiers, or by name the role of a column or its settings; a hierarchy file is named by id."""
    attacks: Annotated[list[Name | dict[Name, Any]], Field(max_length=100)] = []
    """Attacks (default: all that can be tried)."""
    outside: Id | None = None
    """A table of people that the attacker looks for."""
    name: Name | None = None
    """The column of that table with their names; those found are listed."""
    renamed: dict[Name, Name] = {}
    """Name in the release by column of that table."""
    person: Names = []
    """Columns of that table that together tell the person, if it is the original table: people are counted."""
    other: Id | None = None
    """Another release of the same people."""
    knows: Annotated[list[Name], Field(max_length=100)] = []
    """Statements about values that the attacker knows; of several tables how much is known of a person: record, a
    number of records, or history."""
    shares: Annotated[list[Id | dict[Name, dict[Name, float]]], Field(max_length=100)] = []
    """Shares of sensitive values in the population, by column and value, or files with such a column and `share`; also
    as a text: disease=diabetes:0.2."""
    missing: Names = []
    """Markers of missing values in all tables, beside empty cells."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


class Report(ReadingOptions):
    """Report on a release or a table, on one page for people."""

    file: Id | None = None
    """The file, or the run that made the release."""
    tables: Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """Or several tables: by the name of each its file. Those of a run are named by the run."""

    audience: Literal["internal", "external", "both"] = "both"
    """Internal for those who may see the original table; external for recipients: no value of any record."""
    form: Literal["html", "md", "json"] = "html"
    """A page, Markdown, or plain data."""
    manifest: Id | None = None
    """Manifest of an uploaded release; the release of a run has one. Without it the table is diagnosed."""
    record: Id | None = None
    """The private record of a release that was uploaded."""
    original: Id | Annotated[dict[Name, Id], Field(max_length=1000)] | None = None
    """The original table, for an internal report; of several tables the file of each by its name (default: those of
    the run)."""
    population: Annotated[int, Field(ge=1)] | Id | None = None
    """The population: a file, or its size (default: that of the job)."""
    among: Names | None = None
    """Columns that an outsider may know (default: all but those of the person), for a table that is diagnosed."""
    person: Names = []
    """Columns that together tell which person a record is about, for a table that is diagnosed: people are counted."""
    time: Seconds | None = None
    """Time limit for looking at sets of columns (seconds)."""


class Table(Reading):
    """Publish a table of numbers whose sensitive cells cannot be derived."""

    by: Annotated[Names, Field(min_length=1)]
    """The columns of the table."""
    measure: Name = "count"
    """Content of the cells: count, sum:COLUMN, mean:COLUMN, percent or percent:COLUMN, shares over that column."""
    rules: Annotated[list[Any], Field(max_length=20)] = []
    """Rules for sensitive cells, such as {"threshold": {"n": 3}} (default: threshold, for sums and means also
    p_percent)."""
    protect: Any = "suppression"
    """Protection of sensitive cells, such as {"controlled_rounding": {"base": 5}}."""
    hierarchies: dict[Name, Any] = {}
    """Hierarchies by column, for subtotals; a hierarchy file is named by id."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    """Random seed, to be kept secret (default: drawn)."""
    contributors: Annotated[int, Field(ge=1, le=2)] = 1
    """Number of contributors that may combine their own records."""
    person: Names = []
    """Columns that together tell which person a record is about: contributors are people, with all their records."""
    details: bool = False
    """Add private details: sensitive cells, and the interval that an attacker can derive for each."""
    output: Annotated[str, Field(pattern=r"^[A-Za-z0-9.]{1,20}$")] = "csv"
    """Format of the table, by its extension: json with its notes; any other has a row for each cell."""
    time: Seconds | None = None
    """Time limit (seconds), after which nothing is published."""
