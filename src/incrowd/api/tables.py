"""Verbs that look at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from incrowd.api.linked import is_linked_job, means_set, risk_tables
from incrowd.core.schema import Nulls
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.engines.source import Source, chosen_columns
from incrowd.errors import UsageError
from incrowd.formats import is_source
from incrowd.formats import read as read_sources
from incrowd.formats.options import ReadOptions
from incrowd.parameters import whole_number
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.diagnosis.inspection import Inspection
    from incrowd.diagnosis.neighbors import Exploration
    from incrowd.engines.head import Head
    from incrowd.hierarchies.column import ColumnHierarchy
    from incrowd.jobs.linked import LinkedJob
    from incrowd.linked import LinkedDiagnosis, LinkedResult
    from incrowd.linked.risk import LinkedRisk
    from incrowd.risks import RiskReport
    from incrowd.tables import PublishedTable

__all__ = ["diagnose", "explore", "head", "hierarchy", "inspect", "read", "risk", "table"]


def read(
    *sources: Any,
    missing: Sequence[str] = (),
    delimiter: str | None = None,
    encoding: str | None = None,
    table: str | None = None,
    query: str | None = None,
    header: bool | None = None,
    names: Sequence[str] = (),
    widths: Sequence[int] = (),
    prepare: Mapping[str, Any] | None = None,
    normalize: Mapping[str, Sequence[str] | str] | None = None,
    missing_in: Mapping[str, Sequence[str | int]] | None = None,
    most_combinations: int | None = None,
) -> Source:
    """Open files, database tables or frames; several with the same columns become one table.

    A source may have options of its own: {"file": "a.csv", "delimiter": ";"}, {"url": "sqlite:///b.db", "table": "b"};
    then the other options, except `missing`, do not apply to it.

    `missing` lists markers of missing values. `delimiter` and `encoding` of a text file are detected by default.
    `table` names a database's table or a workbook's sheet, `query` a database query. `header` says whether the first
    line of a text file or sheet is a header; if it is not, `names` are those of the columns. `widths` are the
    characters of each column in a text file without delimiters.

    `prepare` changes the table before anything else, as the key `prepare` of the data in a job: {"rename": {"sx":
    "sex"}, "recode": {"sex": {"m": "male"}}, "type": {"age": "integer"}, "rows": {"where": {"age": {"from": 18}}}}.

    `normalize` (by column, such as {"born": "day_first"}) and `missing_in` (such as {"age": [99]}) say how columns are
    read, as the keys `normalize` and `missing` of a column in a job.

    `most_combinations` is how many distinct combinations of a lazy frame (Polars, DuckDB, Ibis, PySpark) may be
    fetched. If there are more, a search along hierarchies begins at higher levels, and says so.
    """
    from incrowd.jobs.parts import reading_steps
    from incrowd.jobs.preparation import prepare_given

    text = (delimiter, encoding, table, query, False, header, tuple(names), tuple(widths))
    if most_combinations is not None:
        whole_number("most_combinations", most_combinations, 1)
    options = ReadOptions(tuple(missing), *text, prepare_given(prepare), most_combinations)
    found = read_sources(*sources, options=options)
    steps = reading_steps(normalize or {}, missing_in or {})
    if not steps:
        return found
    chosen_columns(steps, found.columns, "the columns to read")
    return found.normalized(steps)


def open_source(source: Any, missing: Sequence[str] = ()) -> Source:
    """Open a source; one that is open already was read as it should be."""
    return read(source) if is_source(source) else read(source, missing=missing)


def head(
    source: Any,
    rows: int = 50,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> Head:
    """Return the first records of a table, as many as `rows`, every cell as text."""
    from incrowd.engines.head import head as first_records

    with Watch(time, progress) as watch:
        return first_records(read(source, missing=missing), rows, watch)


def inspect(
    source: Any,
    among: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    normalize: Mapping[str, Sequence[str] | str] | None = None,
    missing_in: Mapping[str, Sequence[str | int]] | None = None,
) -> Inspection:
    """Describe every column, or each of `among`: its values, how far it singles people out, and its likely role.

    Also tells what is noticed of how values are written. `normalize` (by column, such as {"born": "day_first"}) and
    `missing_in` (such as {"age": [99]}) say how columns are read, as the keys `normalize` and `missing` of a column in
    a job.
    """
    from incrowd.diagnosis.inspection import inspect as inspect_source
    from incrowd.jobs.parts import reading_steps

    with Watch(time, progress) as watch:
        return inspect_source(
            read(source, missing=missing), watch, among, reading_steps(normalize or {}, missing_in or {})
        )


@overload
def diagnose(source: LinkedJob) -> LinkedDiagnosis: ...


@overload
def diagnose(
    source: Any,
    among: Sequence[str] | None = None,
    nulls: Nulls | str = Nulls.EXTENDED,
    missing: Sequence[str] = (),
    person: Sequence[str] = (),
) -> Diagnosis: ...


def diagnose(
    source: Any,
    among: Sequence[str] | None = None,
    nulls: Nulls | str = Nulls.EXTENDED,
    missing: Sequence[str] = (),
    person: Sequence[str] = (),
) -> Diagnosis | LinkedDiagnosis:
    """Open a table for questions about k-anonymity, l-diversity and t-closeness: `diagnose(table).ask(k=3)`.

    `among` names the columns an outsider may know (default: all but those of the person); `nulls` says what a missing
    value matches. `person` names the columns that together tell the person of a record: then people are counted. Of
    several tables, given as a LinkedJob, `ask(k=2, max_size=2)` tells which columns single people out only together.
    """
    if is_linked_job(source):
        from incrowd.linked import LinkedDiagnosis

        return LinkedDiagnosis(source)
    return Diagnosis(read(source, missing=missing), among, nulls, person)


def explore(
    source: Any,
    quasi: Sequence[str],
    among: Sequence[str] | None = None,
    lattice: Sequence[str] = (),
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    person: Sequence[str] = (),
) -> Exploration:
    """Compare the set of columns `quasi` with those that have one column more or less, each with its k.

    `among` names the columns that may be added (default: all but those of the person). `lattice` names columns every
    subset of which is counted as well. `person` names the columns that together tell the person of a record: then
    people are counted.
    """
    from incrowd.diagnosis.neighbors import explore as explore_sets

    return explore_sets(diagnose(source, among, missing=missing, person=person), quasi, lattice, time, progress)


@overload
def risk(
    source: LinkedJob | LinkedResult,
    quasi: Sequence[str] = (),
    threshold: float | str = 0.2,
    population: Any = None,
    *,
    time: float | None = None,
    progress: Show | None = None,
    knows: int | str = "record",
) -> LinkedRisk: ...


@overload
def risk(
    source: Any,
    quasi: Sequence[str] = (),
    threshold: float | str = 0.2,
    population: Any = None,
    max_size: int | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    sensitive: Sequence[str] = (),
    person: Sequence[str] = (),
    knows: int | str = "record",
) -> RiskReport: ...


def risk(
    source: Any,
    quasi: Sequence[str] = (),
    threshold: float | str = 0.2,
    population: Any = None,
    max_size: int | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    sensitive: Sequence[str] = (),
    person: Sequence[str] = (),
    knows: int | str = "record",
) -> RiskReport | LinkedRisk:
    """Measure the re-identification risk from an attacker who knows the columns `quasi`.

    Prosecutor, journalist and marketer risk, and special uniques. `threshold` is the highest risk accepted;
    `population` a source that holds the population, or its size; `max_size` the largest sets of columns searched for
    special uniques. With `sensitive` columns, also report how far each privacy model is satisfied. `person` names the
    columns that together tell the person of a record: then people are counted, also in a population that has them.
    `knows` says how much is known of a person: any one record (`record`), a number of records, or all (`history`).
    Under the last two, only prosecutor risk and uniques are measured, if people have several records; a population,
    `sensitive` and `max_size` are refused.

    For several tables, `source` is their job or its file, or their release: a folder, or what `anonymize` returned. The
    risk is that of people, who are known by the record of each in the first table and, as `knows` says, by one, some or
    all of the records in every other; `quasi` are columns named `table.column`, all of them by default, and
    `population` tables of the same form.
    """
    from incrowd.engines.source import chosen_columns, count, count_population
    from incrowd.jobs.suppression import known
    from incrowd.risks import assess
    from incrowd.risks.assessment import check_known

    try:
        much = known(knows)
    except ValueError as error:
        raise UsageError(f"knows {knows!r}: {error}") from None
    if means_set(source):
        further: dict[str, Any] = {"max_size": max_size, "missing": missing, "sensitive": sensitive, "person": person}
        with Watch(time, progress) as watch:
            return risk_tables(source, quasi, much, threshold, population, watch, **further)
    if isinstance(quasi, str) or not quasi:
        raise UsageError.no_columns("the attacker")
    check_known(much, person, population, sensitive, max_size)
    with Watch(time, progress) as watch:
        sample = read(source, missing=missing)
        columns = chosen_columns(quasi, sample.columns, "quasi")
        secret = chosen_columns(sensitive, sample.columns, "sensitive") if sensitive else ()
        who = chosen_columns(person, sample.columns, "person") if person else ()
        if population is not None and not isinstance(population, int):
            population = read(population, missing=missing)
            told = who if set(who) <= set(population.columns) else ()
            population = count_population(population, tuple(dict.fromkeys((*columns, *told))), watch)
        counted = count(sample, tuple(dict.fromkeys((*columns, *secret, *who))), watch)
        return assess(
            counted,
            columns,
            threshold,
            population,
            max_size=max_size,
            watch=watch,
            sensitive=secret,
            person=who,
            knows=much,
        )


def hierarchy(
    source: Any,
    column: str,
    spec: Any = None,
    losses: Sequence[float] | None = None,
    show_values: bool = False,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> ColumnHierarchy:
    """Build the hierarchy of a column and describe its levels along the data.

    `spec` is a builder with its options, a file, a frame or mapping of values and labels, or a function from a value
    to its labels; without it a hierarchy is proposed: from the values, or from what they resemble in the other columns.
    `losses` is the information loss of each level,
    level 0 first. `show_values` shows values of the data too.
    """
    from incrowd.engines.source import chosen_columns, count
    from incrowd.hierarchies.column import column_hierarchy

    with Watch(time, progress) as watch:
        opened = open_source(source, missing)
        counted = count(opened, chosen_columns([column], opened.columns, "column"), watch)
        return column_hierarchy(
            spec, counted, losses, show_values, missing, lambda: count(opened, opened.columns, watch)
        )


def table(
    source: Any,
    by: Sequence[str] | str,
    measure: str = "count",
    rules: Sequence[Any] | str = (),
    protect: str | Mapping[str, Any] = "suppression",
    hierarchies: Mapping[str, Any] | None = None,
    seed: int | None = None,
    progress: Show | None = None,
    contributors: int = 1,
    missing: Sequence[str] = (),
    time: float | None = None,
    person: Sequence[str] = (),
) -> PublishedTable:
    """Publish a table of numbers with its margins whose sensitive cells cannot be derived or narrowed down.

    `measure` is `count`, `sum:COLUMN`, `mean:COLUMN`, `percent` (of all) or `percent:COLUMN`, shares that add up over
    that column. `rules` say which cells are sensitive (`threshold:n=3`; for sums and means also `p_percent:p=10`).
    Columns in `hierarchies` get subtotals. Keep `seed` secret. 1 or 2 `contributors` may combine. `person` names the
    columns that together tell the person of a record: then the rules and the audit are about people, each of whom
    contributes the sum over all their records.
    """
    from incrowd.tables import TableOptions, publish

    asked = TableOptions.of(
        by, measure, rules, protect, hierarchies=hierarchies or {}, seed=seed, contributors=contributors, person=person
    )
    with Watch(time, progress) as watch:
        return publish(read(source, missing=missing), asked, watch)
