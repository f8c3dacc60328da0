"""One function per verb. No logic: what each does lives where it is imported from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, overload

from incrowd.core.schema import Nulls
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.engines.source import Source
from incrowd.formats import read as read_sources
from incrowd.formats.options import ReadOptions
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.anonymization.neighbors import Neighbour
    from incrowd.attacks import AttackReport
    from incrowd.comparison import Comparison
    from incrowd.diagnosis.inspection import Inspection
    from incrowd.frontiers import Frontier, Grid
    from incrowd.jobs import Job
    from incrowd.reports import Report
    from incrowd.risks import RiskReport
    from incrowd.tables import PublishedTable
    from incrowd.verification import Verdict


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
) -> Source:
    """Open files, database tables or frames; several with the same columns become one table.

    A source may have options of its own: {"file": "a.csv", "delimiter": ";"}, {"url": "sqlite:///b.db", "table": "b"};
    then the others, except `missing`, are not about it.

    `missing` names texts that stand for missing cells; `delimiter` and `encoding` of a text file are found when not
    given; `table` names a database's table or a workbook's sheet, `query` a database query. `header` says whether the
    first line of a text file or sheet is a header; `names` are those of the columns if it is not, `widths` their
    characters in a text file without delimiters.
    """
    options = ReadOptions(tuple(missing), delimiter, encoding, table, query, False, header, tuple(names), tuple(widths))
    return read_sources(*sources, options=options)


def diagnose(
    source: Any,
    among: Sequence[str] | None = None,
    nulls: Nulls | str = Nulls.EXTENDED,
    missing: Sequence[str] = (),
) -> Diagnosis:
    """A table that answers questions about k-anonymity, l-diversity and t-closeness: `diagnose(table).ask(k=3)`.

    `among` names the columns an outsider may know (all when not given); `nulls` says what a missing cell matches.
    """
    return Diagnosis(read(source, missing=missing), among, nulls)


def inspect(
    source: Any,
    among: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> Inspection:
    """What each column, or each of `among`, holds, how much it singles people out, and what it is probably for."""
    from incrowd.diagnosis.inspection import inspect as inspect_source

    with Watch(time, progress) as watch:
        return inspect_source(read(source, missing=missing), watch, among)


def risk(
    source: Any,
    quasi: Sequence[str],
    threshold: float | str = 0.2,
    population: Any = None,
    max_size: int | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    sensitive: Sequence[str] = (),
) -> RiskReport:
    """What an attacker who knows the columns `quasi` finds: prosecutor, journalist, marketer, special uniques.

    `threshold` is the risk still accepted; `population` a source that holds the population, or its size; `max_size`
    limits the sets looked at for special uniques. With `sensitive` columns: how far each privacy model holds, too.
    """
    from incrowd.engines.source import chosen_columns, count, count_population
    from incrowd.risks import assess

    with Watch(time, progress) as watch:
        sample = read(source, missing=missing)
        columns = chosen_columns(quasi, sample.columns, "quasi")
        secret = chosen_columns(sensitive, sample.columns, "sensitive") if sensitive else ()
        if population is not None and not isinstance(population, int):
            population = count_population(read(population, missing=missing), columns, watch)
        counted = count(sample, tuple(dict.fromkeys((*columns, *secret))), watch)
        return assess(counted, columns, threshold, population, max_size=max_size, watch=watch, sensitive=secret)


def anonymize(
    source: Any = None, job: Job | Mapping[str, Any] | str | PathLike[str] | None = None, progress: Show | None = None
) -> AnonymizationResult:
    """Create a release that satisfies your privacy models: found, published, read again and verified.

    `job` is a Job, a job file, or its plain data; `source` a file, a database URL or a frame, the job's own data when
    not given. A frame comes back as a frame of the same kind (`.frame`), and is written too where the job names an
    output.
    """
    from incrowd.anonymization import anonymize as run
    from incrowd.anonymization.opening import inputs_of, job_of

    wanted = job_of(job, "anonymize")
    return run(inputs_of(source, wanted, wanted.missing), wanted, progress)


@overload
def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | str | PathLike[str] | None = None,
    k: Sequence[int | str] | int | None = None,
    searches: Sequence[Any] | str | None = None,
    suppress: Sequence[float | str] | float | str | None = None,
    risk: str = "highest",
    time: float | None = None,
    progress: Show | None = None,
    grid: Literal[False] = False,
) -> Frontier: ...


@overload
def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | str | PathLike[str] | None = None,
    *,
    time: float | None = None,
    progress: Show | None = None,
    grid: Literal[True],
) -> Grid: ...


def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | str | PathLike[str] | None = None,
    k: Sequence[int | str] | int | None = None,
    searches: Sequence[Any] | str | None = None,
    suppress: Sequence[float | str] | float | str | None = None,
    risk: str = "highest",
    time: float | None = None,
    progress: Show | None = None,
    grid: bool = False,
) -> Frontier | Grid:
    """The job under every `k` with every search: which releases are worth having, and which one is recommended.

    Nothing is published. `source` and `job` are as for `anonymize`; k is 2, 5, 10, 25 and 50 when not given, the
    `searches` are that of the job, optimal and mondrian, and `suppress` is as in the job. `risk` says what is kept low
    beside the loss: that of the record found most easily (highest), or the mean over all (average). `time` is for each
    search. With `grid` the job is run as it is on every point of the grid of generalisation and suppression instead.
    """
    from incrowd.anonymization.opening import inputs_of, job_of
    from incrowd.frontiers import FrontierOptions, sweep, sweep_grid
    from incrowd.frontiers.options import alone
    from incrowd.frontiers.variants import without_output

    wanted = job_of(job, "frontier")
    if grid:
        alone(k=k, searches=searches, suppress=suppress, risk=None if risk == "highest" else risk)
        inputs = inputs_of(source, without_output(wanted), wanted.missing)
        return sweep_grid(inputs, wanted, time, progress, has_command=source is None)
    asked = FrontierOptions.of(wanted, k, searches, suppress, risk, time)
    inputs = inputs_of(source, without_output(wanted), wanted.missing)
    return sweep(inputs, wanted, asked, progress, has_command=source is None)


def neighbours(
    source: Any = None,
    job: Job | Mapping[str, Any] | str | PathLike[str] | None = None,
    levels: Mapping[str, int] | None = None,
    progress: Show | None = None,
) -> list[Neighbour]:
    """The releases around one: its levels, and those one step up or down in one column, counted and scored.

    `source` and `job` are as for `anonymize`; `levels` are those of a release, as `anonymize(...).levels` tells them.
    """
    from incrowd.anonymization.neighbors import neighbours as counted
    from incrowd.anonymization.opening import inputs_of, job_of
    from incrowd.frontiers.variants import without_output

    wanted = without_output(job_of(job, "neighbours"))
    with Watch(None, progress) as watch:
        return counted(inputs_of(source, wanted, wanted.missing), wanted, levels or {}, watch)


def apply(
    record: str | PathLike[str],
    source: Any,
    output: str | None = None,
    output_table: str | None = None,
    replace: bool = False,
    spreadsheet_safe: bool = False,
    progress: Show | None = None,
    table: str | None = None,
    query: str | None = None,
) -> AnonymizationResult:
    """The recoding of an earlier release, known by its private `record`, on new data of the same shape.

    `source` is a file, a database URL, a list of them (each may have keys, as for `read`) or a frame, read as the
    earlier data were: of a database the table or query that the earlier release came from, unless another `table` or
    `query` is given.
    """
    from incrowd.anonymization import apply as run
    from incrowd.anonymization.applying import read_alike
    from incrowd.anonymization.opening import inputs_of
    from incrowd.errors import UsageError
    from incrowd.formats.settling import record_at
    from incrowd.jobs import Job

    made = record_at(record)
    settings = {key: value for key, value in made.job.items() if key not in ("data", "output", "time")}
    if output is not None:
        into = {} if output_table is None else {"table": output_table}
        settings["output"] = {"to": str(output), "replace": replace, "spreadsheet_safe": spreadsheet_safe, **into}
    given = source if isinstance(source, list | tuple) else [source]
    if all(isinstance(each, str | PathLike | Mapping) for each in given):
        named = [dict(each) if isinstance(each, Mapping) else str(fspath(each)) for each in given]
        settings["data"], source = read_alike(made, named, table, query), None
    elif table is not None or query is not None:
        raise UsageError.senseless("a table or query", "what is given is open already", "open it so: incrowd.read")
    job = Job.from_dict(settings)
    return run(inputs_of(source, job, made.job.get("data", {}).get("missing", ()), record), made, job, progress)


def verify(
    location: str | PathLike[str],
    manifest: str | PathLike[str] | None = None,
    record: str | PathLike[str] | None = None,
    population: str | PathLike[str] | None = None,
    table: str | None = None,
) -> Verdict:
    """Whether the release at `location`, a path or database URL, is what its `manifest` claims, read and judged anew.

    The manifest is looked for beside the data. With the private `record`, models that compare with the original table
    are checked exactly; k_map and delta_presence need it and the `population`.
    """
    from incrowd.formats.settling import settled
    from incrowd.verification import verify as verify_release

    return verify_release(settled(location, table), manifest, record, population, table)


def measure(
    original: Any,
    releases: Any,
    columns: Any = None,
    label: str | None = None,
    queries: Any = None,
    yardsticks: Sequence[str] = (),
    seed: int = 0,
    progress: Show | None = None,
) -> Comparison:
    """What releases of the table `original` are worth, and how well they protect, side by side, whoever made them.

    `releases` is a source, a list of them, or a mapping from names to them. `columns` names the quasi-identifiers, or
    tells by name what a column is for: `{"age": {"role": "quasi", "hierarchy": "age.csv"}, "income": "sensitive"}`;
    what it leaves open is taken from the manifest and the private record beside a release. `label` is the column that a
    classifier is to predict, `queries` a source with a row for each query that is to be answered. `yardsticks` are all
    when not given; one behind a minus sign is left out.
    """
    from incrowd.comparison import (
        ComparisonOptions,
        GivenRelease,
        by_name,
        chosen,
        columns_of,
        compare,
        metadata_of,
        read_release,
    )

    without = [name.removeprefix("-") for name in yardsticks if name.startswith("-")]
    wanted = chosen([name for name in yardsticks if not name.startswith("-")], without)
    asked = ComparisonOptions(columns_of(columns), label, None if queries is None else read(queries), wanted, seed)
    given = [
        GivenRelease(name, read_release(source), metadata_of(source)) for name, source in by_name(releases).items()
    ]
    with Watch(None, progress) as watch:
        return compare(read(original), given, asked, watch)


def attack(
    release: Any,
    columns: Any = None,
    attacks: Sequence[Any] = (),
    outside: Any = None,
    name: str | None = None,
    renamed: Mapping[str, str] | None = None,
    other: Any = None,
    knows: Sequence[str] | str = (),
    time: float | None = None,
    progress: Show | None = None,
    shares: Any = None,
) -> AttackReport:
    """What somebody who has `release` can learn about the people in it: each attack with how many it exposes.

    `columns` are as for `measure`; what they leave open is taken from the manifest beside the release. `attacks` are
    all that can be tried when not given. `outside` is a table of people, with their names in the column `name`, whose
    columns are called as in the release, or `renamed` to that; `other` is another release of the same people; `knows`
    are statements such as `illness!=flu`; `shares` in the population are {"illness": {"flu": 0.05}} or a table.
    """
    from incrowd.attacks import AttackOptions, Outside, attack_release, chosen, given_shares
    from incrowd.comparison import columns_of

    people = None if outside is None else Outside(read(outside), name, renamed or {})
    said = (knows,) if isinstance(knows, str) else tuple(knows)
    asked = AttackOptions(
        columns_of(columns), tuple(chosen(attacks)), people, other, said, shares=given_shares(shares, read)
    )
    with Watch(time, progress) as watch:
        return attack_release(release, asked, watch)


def report(
    of: Any,
    audience: str = "internal",
    original: Any = None,
    progress: Show | None = None,
    population: Any = None,
) -> Report:
    """What was asked and what was found, for people: `report(made).write("report.html")`, or .md, or .json.

    `of` is a release (what `anonymize` gave, or its path), a diagnosis or one of its answers, a comparison, a frontier,
    or any table, which is then diagnosed. `audience` is internal, for those who may see the original table, or
    external: then no value of any record is in it. `original` is the table before, where that is not where the private
    record says; `population` all people, as a source or their number, where the job of a release does not name them.
    """
    from incrowd.reports import make_report

    with Watch(None, progress) as watch:
        return make_report(of, audience, original, watch, population)


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
) -> PublishedTable:
    """A table of numbers with its margins, in which no sensitive cell can be computed or narrowed down.

    `measure` is `count`, `sum:COLUMN`, `mean:COLUMN`, `percent` (of all) or `percent:COLUMN`, shares that add up over
    that column. `rules` say which cells are sensitive (`threshold:n=3`; for sums and means also `p_percent:p=10`).
    Columns in `hierarchies` get subtotals. Keep `seed` secret. 1 or 2 `contributors` may combine.
    """
    from incrowd.tables import TableOptions, publish

    asked = TableOptions.of(
        by, measure, rules, protect, hierarchies=hierarchies or {}, seed=seed, contributors=contributors
    )
    with Watch(None, progress) as watch:
        return publish(read(source), asked, watch)
