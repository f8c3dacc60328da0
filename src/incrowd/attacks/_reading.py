"""A release and what an attacker brings along become a target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from pathlib import Path
from typing import Any

import numpy as np

from incrowd import hierarchies
from incrowd.attacks._contract import Attack
from incrowd.attacks._shares import Given, read_shares
from incrowd.attacks._target import People, Target, numbered
from incrowd.comparison import Column, metadata_of, read_release
from incrowd.comparison.columns import hierarchy_of, settled
from incrowd.core.axes import numbers_of
from incrowd.core.frequencies import FrequencySet, aligned
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.schema import Nulls, Role
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import IncrowdError, SourceError, UsageError
from incrowd.formats import ReadOptions, read
from incrowd.formats.settling import manifest_at
from incrowd.recodings import SUMMARIES
from incrowd.release import Manifest
from incrowd.watch import Watch


@dataclass(frozen=True)
class Outside:
    """A table with people, and how its columns are called in the release."""

    source: Source
    name: str | None = None
    """The column with their names."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """By column of the outside table the column of the release that it is."""


@dataclass(frozen=True)
class AttackOptions:
    """What a user wants to know about a release."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    attacks: tuple[Attack, ...] = ()
    """All that can be tried when none is named."""
    outside: Outside | None = None
    other: Any = None
    """Another release of the same people."""
    knows: tuple[str, ...] = ()
    """Statements."""
    missing: tuple[str, ...] = ()
    """Texts that stand for missing in the releases."""
    table: str | None = None
    """Of a database, the table of the release."""
    header: bool | None = None
    """Whether the first line of a release without a manifest is a header."""
    shares: tuple[Given, ...] = ()
    """How frequent sensitive values are in the population."""


def read_asked(release: Any, asked: AttackOptions, watch: Watch) -> Target:
    """The release, and what the attacker brings along."""
    target = _target(release, asked, watch)
    if asked.other is not None:
        target = replace(target, other=_target(asked.other, asked, watch))
    if asked.outside is not None:
        target = replace(target, people=_people(asked.outside, target, watch))
    return replace(target, knows=asked.knows, shares=read_shares(asked.shares, target.sensitive, watch))


def _target(release: Any, asked: AttackOptions, watch: Watch) -> Target:
    """A release of any make: as its manifest says, or as a user says what its columns are for."""
    manifest = manifest_at(release, asked.table)
    source = read_release(release, asked.missing, asked.table, asked.header)
    told = metadata_of(release, asked.table).columns
    columns = {**settled(asked.columns, [_with_ladders(told, manifest)], "nothing to attack")}
    quasi = [name for name, column in columns.items() if column.role == Role.QUASI]
    sensitive = [name for name, column in columns.items() if column.role == Role.SENSITIVE]
    if manifest is not None and manifest.apart is not None:
        beside_it = Path(fspath(release)).parent / Path(manifest.apart.data.file).name
        second = read(beside_it, options=ReadOptions(header=True))
        made = _apart(source, second, manifest, quasi, sensitive, watch)
    else:
        made = _together(source, quasi, sensitive, watch)
    ladders = {name: _ladder(name, made.rows, columns[name]) for name in sensitive}
    return replace(
        made,
        columns=columns,
        ladders={name: ladder for name, ladder in ladders.items() if ladder is not None},
        nulls=Nulls.EXTENDED if manifest is None else Nulls(manifest.nulls),
        wiped=manifest is not None and bool(manifest.wiped),
        summaries={} if manifest is None else _summaries(manifest, quasi),
    )


def _summaries(manifest: Manifest, quasi: Sequence[str]) -> dict[str, str]:
    return {each.name: each.form for each in manifest.quasi if each.form in SUMMARIES and each.name in quasi}


def _people(outside: Outside, target: Target, watch: Watch) -> People:
    """People of an outside table: the columns that it shares with the release, under the release's names."""
    has = outside.source.columns
    chosen_columns([*outside.renamed, *([outside.name] if outside.name else [])] or has, has, "the outside table")
    quasi = tuple(dict.fromkeys((*target.quasi, *(() if target.other is None else target.other.quasi))))
    renamed = chosen_columns(outside.renamed.values(), quasi, "--map") if outside.renamed else ()
    if outside.name in renamed:
        raise UsageError.senseless(
            f"--name {outside.name}", "--map calls another column so", "give the column with names another name"
        )
    # What a user calls so comes before what happens to be called so.
    own = {column: column for column in has if column != outside.name and column not in outside.renamed}
    called = own | {name: column for column, name in outside.renamed.items()}
    shared = [name for name in quasi if name in called]
    if not shared:
        raise UsageError.senseless(
            outside.source.name,
            f"it has none of the release's quasi-identifiers {', '.join(map(repr, target.quasi))}",
            "say how its columns are called there (--map OUTSIDE=RELEASE)",
        )
    wanted = [called[name] for name in shared]
    found = count(outside.source, [*wanted, *([outside.name] if outside.name else [])], watch)
    return People(replace(found, names=(*shared, *found.names[len(shared) :])), outside.name)


def by_group(second: Source, manifest: Manifest, watch: Watch) -> FrequencySet:
    """The table of sensitive values that are published apart: a row stands for as many records as it says."""
    apart = manifest.apart
    assert apart is not None
    names = [apart.group, *(name for name in manifest.sensitive if name in second.columns)]
    rows = count(second, chosen_columns([*names, apart.count], second.columns, second.name), watch)
    numbers = numbers_of(rows.values[-1]) if len(rows.values[-1]) else []
    if numbers is None:
        raise SourceError.of(second.name, f"its column {apart.count!r} holds no numbers", "get the release anew")
    told = np.array([0, *map(int, numbers)], dtype=np.int64)
    return FrequencySet(tuple(names), rows.values[:-1], rows.codes[:-1], rows.counts * told[rows.codes[-1]])


def _with_ladders(told: Mapping[str, Column], manifest: Manifest | None) -> dict[str, Column]:
    """What lies beside a release; hierarchies of sensitive columns are in the manifest too."""
    found = dict(told)
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
    """Records show their group, whose values are in the second table."""
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
    """The hierarchy of a sensitive column along its values; none where what lies beside the release does not fit."""
    if column.hierarchy is None:
        return None
    values = rows.values[rows.names.index(name)]
    try:
        return hierarchies.build(column.hierarchy, values, name).along(name, values)
    except IncrowdError:
        if isinstance(column.hierarchy, Hierarchy):
            return None
        raise
