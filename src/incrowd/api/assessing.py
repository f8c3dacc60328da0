"""Verbs that measure, attack or report on a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from incrowd.api.linked import attack_tables, each_of, is_linked_release, measure_tables, refuse_jobs, refuse_tables
from incrowd.api.tables import open_source, read
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.attacks import AttackReport
    from incrowd.comparison import Comparison
    from incrowd.linked import LinkedResult
    from incrowd.linked.attacking import LinkedAttack
    from incrowd.linked.measuring import LinkedComparison
    from incrowd.reports import Report
    from incrowd.reports.pairs import PairedRecords

__all__ = ["attack", "measure", "records", "report"]

Location = str | PathLike[str]


@overload
def measure(
    original: Any,
    releases: LinkedResult,
    *,
    metrics: Sequence[str] = (),
    seed: int = 0,
    progress: Show | None = None,
    time: float | None = None,
) -> LinkedComparison: ...


@overload
def measure(
    original: Any,
    releases: Any,
    columns: Any = None,
    label: str | None = None,
    queries: Any = None,
    metrics: Sequence[str] = (),
    seed: int = 0,
    progress: Show | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    *,
    pair: Sequence[str] = (),
    yardsticks: Sequence[str] = (),
) -> Comparison: ...


def measure(
    original: Any,
    releases: Any,
    columns: Any = None,
    label: str | None = None,
    queries: Any = None,
    metrics: Sequence[str] = (),
    seed: int = 0,
    progress: Show | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    *,
    pair: Sequence[str] = (),
    yardsticks: Sequence[str] = (),
) -> Comparison | LinkedComparison:
    """Compare the utility and protection of releases of the table `original`, by whatever tool they were made.

    `releases` is a source, a list of them, or a mapping from names to them. `columns` names the quasi-identifiers, or
    describes columns by name: `{"age": {"role": "quasi", "hierarchy": "age.csv"}, "income": "sensitive"}`; the rest is
    taken from the manifest and the private record beside a release; kept columns with the role keep are measured beside
    them. `label` is the column that a classifier predicts, `pair` two columns to cross-tabulate before and after,
    `queries` a source with a row for each query to answer. `metrics` are all by default; one with a minus sign
    before it is excluded. `yardsticks` is the earlier name of `metrics`.

    Releases of several tables, given as folders or as `anonymize` returned them, are measured table by table, with the
    people of each; `original` then is a mapping from the names of the tables to frames or files, a folder with a file
    for each, or their job.
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

    refuse_jobs("measure", *each_of(releases))
    named = [*metrics, *yardsticks]
    without = [name.removeprefix("-") for name in named if name.startswith("-")]
    wanted = chosen([name for name in named if not name.startswith("-")], without)
    if any(is_linked_release(each) for each in each_of(releases)):
        further = {"columns": columns, "label": label, "queries": queries, "missing": missing, "pair": pair}
        with Watch(time, progress) as watch:
            return measure_tables(original, by_name(releases), wanted, seed, watch, **further)
    refuse_jobs("measure", original)
    asked_queries = None if queries is None else open_source(queries, missing)
    asked = ComparisonOptions(columns_of(columns), label, asked_queries, wanted, seed, tuple(pair))
    given = [
        GivenRelease(name, read_release(source, missing), metadata_of(source))
        for name, source in by_name(releases).items()
    ]
    with Watch(time, progress) as watch:
        return compare(open_source(original, missing), given, asked, watch)


@overload
def attack(
    release: LinkedResult,
    columns: None = None,
    attacks: Sequence[Any] = (),
    *,
    knows: Sequence[int | str] | int | str = (),
    time: float | None = None,
    progress: Show | None = None,
) -> LinkedAttack: ...


@overload
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
    missing: Sequence[str] = (),
    table: str | None = None,
    person: Sequence[str] = (),
) -> AttackReport: ...


def attack(
    release: Any,
    columns: Any = None,
    attacks: Sequence[Any] = (),
    outside: Any = None,
    name: str | None = None,
    renamed: Mapping[str, str] | None = None,
    other: Any = None,
    knows: Any = (),
    time: float | None = None,
    progress: Show | None = None,
    shares: Any = None,
    missing: Sequence[str] = (),
    table: str | None = None,
    person: Sequence[str] = (),
) -> AttackReport | LinkedAttack:
    """Attack `release` as somebody who has it could, and count the people that each attack exposes.

    `columns` are as for `measure`; the rest is taken from the manifest beside the release. `attacks` are all that can
    be tried by default. `outside` is a table of people, with their names in the column `name`; its columns are called
    as in the release, or `renamed` to that. `other` is another release of the same people; `knows` are statements such
    as `illness!=flu`; `shares` in the population are {"illness": {"flu": 0.05}} or a table. If `outside` is the
    original table, `person` names its columns that together tell the person of a record: then people are counted.

    In a release of several tables, given as its folder or as `anonymize` returned it, people are looked for by linkage;
    `knows` is how much is known of each in every table: "record", a number of records, "history", or several of these.
    """
    from incrowd.attacks import AttackOptions, Outside, attack_release, chosen, given_shares
    from incrowd.comparison import columns_of
    from incrowd.errors import UsageError

    refuse_jobs("attack", release)
    if is_linked_release(release):
        further: dict[str, Any] = {"columns": columns, "outside": outside, "other": other, "shares": shares}
        further |= {"name": name, "renamed": renamed, "missing": missing, "table": table, "person": person}
        with Watch(time, progress) as watch:
            return attack_tables(release, attacks, knows, watch, **further)
    who = (person,) if isinstance(person, str) else tuple(person)
    if outside is None and who:
        raise UsageError.invalid("person", "it describes an outside table", "give the original table (outside)")
    people = None if outside is None else Outside(open_source(outside, missing), name, renamed or {}, who)
    said = (knows,) if isinstance(knows, str) else tuple(knows)
    asked = AttackOptions(
        columns_of(columns),
        tuple(chosen(attacks)),
        people,
        other,
        said,
        tuple(missing),
        table,
        shares=given_shares(shares, read),
    )
    with Watch(time, progress) as watch:
        return attack_release(release, asked, watch)


def records(
    release: Any,
    original: Any = None,
    rows: int = 50,
    time: float | None = None,
    progress: Show | None = None,
) -> PairedRecords:
    """List the records of the original table beside what the release publishes of them, smallest classes first.

    `release` is a path with the private record beside it, or what `anonymize` returned; `original` the original table,
    if it is not where the private record says. At most so many `rows` are listed; if these are not all records, a
    quarter of them or less are suppressed ones. For the publisher alone: it undoes the release.
    """
    from incrowd.errors import UsageError
    from incrowd.reports.pairs import paired
    from incrowd.reports.reading import given_release

    refuse_tables("records", release)
    if rows < 1:
        raise UsageError.invalid(f"{rows} rows", "at least one is needed", "give a whole number, 1 or more")
    with Watch(time, progress) as watch:
        return paired(given_release(release, original), rows, watch)


def report(
    of: Any,
    audience: str = "internal",
    original: Any = None,
    progress: Show | None = None,
    population: Any = None,
    record: Location | None = None,
    time: float | None = None,
) -> Report:
    """Report on a release or a table for people: `report(made).write("report.html")`, or .md, or .json.

    `of` is a release (as `anonymize` returns it, or its path), a diagnosis or one of its answers, a comparison, a
    frontier, or any table, which is then diagnosed. `audience` is internal, for those who may see the original table,
    or external: then the report has no value of any record. `original` is the original table, if it is not where the
    private record says; `population` the population as a source or its size, if the job of a release does not name it;
    `record` the private record of a release at a path, if it is not beside it. Of a release of several tables, `of` is
    what `anonymize` returned or its folder, and `original` a mapping from their names to frames or files, or a folder.
    """
    from incrowd.reports import make_report

    refuse_jobs("report", of)
    with Watch(time, progress) as watch:
        return make_report(of, audience, original, watch, population, record, time)
