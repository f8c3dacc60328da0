"""A release and what an attacker brings along become a target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from pathlib import Path
from typing import Any

import numpy as np

from incrowd import hierarchies
from incrowd.attacks._contract import Attack
from incrowd.attacks._published import with_classes
from incrowd.attacks._shares import Given, read_shares
from incrowd.attacks._target import People, Target, numbered
from incrowd.comparison import Column, metadata_of, read_release, record_beside
from incrowd.comparison.columns import hierarchy_of, settled
from incrowd.core.axes import numbers_of
from incrowd.core.frequencies import FrequencySet, aligned
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.knowledge import Known
from incrowd.core.people import combinations_of_people, unused_name, with_person
from incrowd.core.schema import Nulls, Role
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import IncrowdError, SourceError, UsageError
from incrowd.formats import ReadOptions, read
from incrowd.formats.settling import manifest_at
from incrowd.jobs.suppression import known
from incrowd.models.of_people import records_are_people
from incrowd.recodings import SUMMARIES
from incrowd.release import Manifest, Record
from incrowd.watch import Watch


@dataclass(frozen=True)
class Outside:
    """A table with people, and how its columns are called in the release."""

    source: Source
    name: str | None = None
    """The column with their names."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """By column of the outside table the column of the release that it corresponds to."""
    person: tuple[str, ...] = ()
    """Its columns that together tell the person, if it is the original table: then people are counted."""


@dataclass(frozen=True)
class AttackOptions:
    """The options of attacks on a release."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    attacks: tuple[Attack, ...] = ()
    """All that can be tried when none is named."""
    outside: Outside | None = None
    other: Any = None
    """Another release of the same people."""
    knows: tuple[str, ...] = ()
    """Statements."""
    missing: tuple[str, ...] = ()
    """Missing-value markers of the releases."""
    table: str | None = None
    """The table of the release in a database."""
    header: bool | None = None
    """True if the first line of a release without a manifest is a header."""
    shares: tuple[Given, ...] = ()
    """The shares of sensitive values in the population."""


def read_target(release: Any, options: AttackOptions, watch: Watch) -> Target:
    """Return the release with everything the attacker has."""
    target = _target(release, options, watch)
    if options.other is not None:
        target = replace(target, other=_target(options.other, options, watch))
    if options.outside is not None:
        target = replace(target, people=_people(options.outside, target, record_beside(release, options.table), watch))
    return replace(target, knows=options.knows, shares=read_shares(options.shares, target.sensitive, watch))


def _target(release: Any, options: AttackOptions, watch: Watch) -> Target:
    """Return a release of any tool, with roles from its manifest or from the user."""
    manifest = manifest_at(release, options.table)
    source = read_release(release, options.missing, options.table, options.header)
    beside = metadata_of(release, options.table).columns
    columns = {**settled(options.columns, [_with_ladders(beside, manifest)], "nothing to attack")}
    quasi = [name for name, column in columns.items() if column.role == Role.QUASI]
    sensitive = [name for name, column in columns.items() if column.role == Role.SENSITIVE]
    if manifest is not None and manifest.apart is not None:
        beside_it = Path(fspath(release)).parent / Path(manifest.apart.data.file).name
        second = read(beside_it, options=ReadOptions(header=True))
        made = _apart(source, second, manifest, quasi, sensitive, watch)
    else:
        made = _together(source, quasi, sensitive, watch)
    ladders = {name: _ladder(name, made.rows, columns[name]) for name in sensitive}
    stated = None if manifest is None else manifest.people
    return replace(
        made,
        columns=columns,
        ladders={name: ladder for name, ladder in ladders.items() if ladder is not None},
        nulls=Nulls.EXTENDED if manifest is None else Nulls(manifest.nulls),
        wiped=manifest is not None and bool(manifest.wiped),
        summaries={} if manifest is None else _summaries(manifest, quasi),
        knows_of_person=Known.RECORD if stated is None else known(stated.knows),
        whole_people=stated is not None and stated.fewer == 0,
    )


def _summaries(manifest: Manifest, quasi: Sequence[str]) -> dict[str, str]:
    return {each.name: each.form for each in manifest.quasi if each.form in SUMMARIES and each.name in quasi}


def _people(outside: Outside, target: Target, record: Record | None, watch: Watch) -> People:
    """Return people of an outside table: the columns it shares with the release, under the release's names."""
    has = outside.source.columns
    chosen_columns([*outside.renamed, *([outside.name] if outside.name else [])] or has, has, "the outside table")
    quasi = tuple(dict.fromkeys((*target.quasi, *(() if target.other is None else target.other.quasi))))
    renamed = chosen_columns(outside.renamed.values(), quasi, "--map") if outside.renamed else ()
    if outside.name in renamed:
        raise UsageError.invalid(
            f"--name {outside.name}", "--map gives another column this name", "rename the column with names"
        )
    # What a user calls so comes before what happens to be called so.
    own = {column: column for column in has if column != outside.name and column not in outside.renamed}
    called = own | {name: column for column, name in outside.renamed.items()}
    shared = [name for name in quasi if name in called]
    if not shared:
        raise UsageError.invalid(
            outside.source.name,
            f"none of the release's quasi-identifiers {', '.join(map(repr, target.quasi))} is in it",
            "map its column names (--map OUTSIDE=RELEASE)",
        )
    wanted = [called[name] for name in shared]
    beside = [outside.name] if outside.name else []
    if outside.person:
        person = chosen_columns(outside.person, has, "person")
        secret = tuple(name for name in target.sensitive if name in has and name not in (*wanted, *beside))
        names = (*wanted, *beside, *secret)
        counted = count(outside.source, tuple(dict.fromkeys((*names, *person))), watch)
        if not records_are_people(counted, person):
            known = with_classes(counted, target.cells, record)
            counted, classes = (counted, None) if known is None else known
            classes = None if classes is None else classes[combinations_of_people(counted, person)]
            found = with_person(counted, names, person)
            renamed_to = (*shared, *found.names[len(shared) : -1], unused_name((*shared, *names)))
            return People(replace(found, names=renamed_to), outside.name, secret, renamed_to[-1], True, classes)
    found = count(outside.source, [*wanted, *beside], watch)
    searched = replace(found, names=(*shared, *found.names[len(shared) :]))
    return People(searched, outside.name, tells=bool(outside.person))


def by_group(second: Source, manifest: Manifest, watch: Watch) -> FrequencySet:
    """Return the separate table of sensitive values, in which a row counts several records."""
    apart = manifest.apart
    assert apart is not None
    names = [apart.group, *(name for name in manifest.sensitive if name in second.columns)]
    rows = count(second, chosen_columns([*names, apart.count], second.columns, second.name), watch)
    numbers = numbers_of(rows.values[-1]) if len(rows.values[-1]) else []
    if numbers is None:
        raise SourceError.of(
            second.name, f"column {apart.count!r} has cells that are not numbers", "get the release again"
        )
    beside = np.array([0, *map(int, numbers)], dtype=np.int64)
    return FrequencySet(tuple(names), rows.values[:-1], rows.codes[:-1], rows.counts * beside[rows.codes[-1]])


def _with_ladders(beside: Mapping[str, Column], manifest: Manifest | None) -> dict[str, Column]:
    """Return the metadata of a release, with hierarchies of sensitive columns from the manifest."""
    found = dict(beside)
    for name, rows in ({} if manifest is None else manifest.ladders).items():
        if name in found and found[name].hierarchy is None:
            found[name] = replace(found[name], hierarchy=hierarchy_of(rows, name))
    return found


def _together(source: Source, quasi: Sequence[str], sensitive: Sequence[str], watch: Watch) -> Target:
    rows = count(source, chosen_columns([*quasi, *sensitive], source.columns, source.name), watch)
    cells, of = numbered(rows, quasi)
    group = np.arange(cells.combinations, dtype=np.int64)
    return Target(source.name, cells, group, rows, of, {}, tuple(sensitive))


def _apart(
    source: Source, second: Source, manifest: Manifest, quasi: Sequence[str], sensitive: Sequence[str], watch: Watch
) -> Target:
    """Return a release whose records show their group, with the values of each group from the second table."""
    assert manifest.apart is not None
    name = manifest.apart.group
    shown = count(source, chosen_columns([*quasi, name], source.columns, source.name), watch)
    shown, rows = aligned(shown, by_group(second, manifest, watch), [name])
    groups, of = numbered(rows, [name])
    number = np.full(shown.cardinalities[-1], groups.combinations, dtype=np.int64)
    number[groups.codes[0]] = np.arange(groups.combinations)
    cells, _ = numbered(shown, [*quasi, name])
    return Target(
        source.name,
        FrequencySet(cells.names[:-1], cells.values[:-1], cells.codes[:-1], cells.counts),
        number[cells.codes[-1]],
        rows,
        of,
        {},
        tuple(each for each in sensitive if each in rows.names),
    )


def _ladder(name: str, rows: FrequencySet, column: Column) -> EncodedHierarchy | None:
    """Return the hierarchy of a sensitive column along its values; None if it does not fit them."""
    if column.hierarchy is None:
        return None
    values = rows.values[rows.names.index(name)]
    try:
        return hierarchies.build(column.hierarchy, values, name).along(name, values)
    except IncrowdError:
        if isinstance(column.hierarchy, Hierarchy):
            return None
        raise
