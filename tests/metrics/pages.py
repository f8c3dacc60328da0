"""Small tables parted into groups, twice: as a release that yardsticks measure, and as the page of a textbook."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.core.frequencies import Counting
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import Hierarchy
from incrowd.release_metrics.contract import ReleaseMetric
from incrowd.release_metrics.covers import Cell, Covers
from incrowd.release_metrics.reference import Base, Class, ReferenceRelease, under_one_node
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Scale, leaf_positions
from incrowd.release_metrics.workload import NO_CONDITION, Workload
from strategies_lattice import missing_paths, trees

Row = Sequence[Any]


@dataclass(frozen=True)
class Told:
    """How a column is measured."""

    kind: str
    """numbers, order, tree or set."""
    order: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    """Of a tree: each value with its labels."""
    domain: tuple[float, float] | None = None

    def axis(self, name: str, values: pa.Array) -> Axis:
        """The column's axis."""
        if self.kind == "numbers":
            axis = Axis.of_numbers(name, values, self.domain)
            assert axis is not None
            return axis
        if self.kind == "order":
            return Axis.of_order(name, values, self.order)
        if self.kind == "tree":
            return Axis.of_tree(Hierarchy.from_rows(self.rows).along(name, values))
        return Axis.of_set(name, values)

    def base(self, values: Sequence[Any]) -> Base:
        """The base values, in plain Python."""
        there = sorted({value for value in values if value is not None})
        if self.kind == "numbers":
            low, high = self.domain or ((there[0], there[-1]) if there else (0, 0))
            whole = all(value == int(value) for value in [*there, low, high])
            return Base(tuple(range(int(low), int(high) + 1)) if whole else tuple(there), numeric=True)
        if self.kind == "order":
            return Base(self.order, ordered=True)
        if self.kind == "tree":
            paths = {row[0]: tuple(str(label) for label in row[1:]) for row in self.rows}
            if len(self.rows[0]) == 2:
                # Every missing cell joins the others at the top, listed or not.
                paths.pop(None, None)
            return Base(tuple(paths), paths=paths)
        return Base(tuple(there))

    def cell(self, values: Sequence[Any], base: Base) -> frozenset[Any]:
        """What local recoding publishes for the values of a group."""
        there = [value for value in values if value is not None]
        if self.kind == "tree":
            return under_one_node(values, base)
        if len(there) < len(values):
            return frozenset([*base.values, None] if there else [None])
        if self.kind == "set":
            return frozenset(there)
        at = [base.values.index(value) for value in there]
        return frozenset(base.values[min(at) : max(at) + 1])


@dataclass(frozen=True)
class Example:
    """A table, how its columns are measured, and the group of each record; -1 where it is suppressed."""

    quasi: Mapping[str, Told]
    rows: Sequence[Row]
    groups: Sequence[int]
    sensitive: Mapping[str, Told] = field(default_factory=dict)
    k: int | None = None
    weights: tuple[float, ...] = ()
    label: str | None = None
    ranges: Mapping[str, Sequence[frozenset[Any]]] = field(default_factory=dict)
    """By sensitive column sets of base values."""
    queries: Sequence[Mapping[str, frozenset[Any]]] = ()

    @property
    def told(self) -> dict[str, Told]:
        """All columns."""
        return {**self.quasi, **self.sensitive}

    def released(self) -> Released:
        """As yardsticks see it."""
        frequencies, at = counted(tuple(self.told), self.rows)
        groups = Groups.of_pieces(
            frequencies, at, np.ones(len(self.rows), dtype=np.int64), np.array(self.groups, dtype=np.int32)
        )
        axes = {
            name: told.axis(name, values)
            for (name, told), values in zip(self.told.items(), frequencies.values, strict=True)
        }
        quasi = [axes[name] for name in self.quasi]
        made = Released.of_groups(groups, quasi, {name: axes[name] for name in self.sensitive}, self.k, self.weights)
        scales = {covers.scale.name: covers.scale for covers in made.columns}
        bases = {name: told.base([row[at] for row in self.rows]) for at, (name, told) in enumerate(self.told.items())}
        ranges = {
            name: Covers.of_cells(scales[name], [asked(scales[name], bases[name], each) for each in wanted])
            for name, wanted in self.ranges.items()
        }
        return replace(made, label=self.label, ranges=ranges, workloads=self.workloads(made, bases))

    def workloads(self, made: Released, bases: Mapping[str, Base]) -> dict[str, Workload]:
        """The queries, as yardsticks see them."""
        columns, conditions = [], np.full((len(made.columns), len(self.queries)), NO_CONDITION, dtype=np.int32)
        for at, covers in enumerate(made.columns):
            name, cells = covers.scale.name, []
            for number, query in enumerate(self.queries):
                if name in query:
                    conditions[at, number] = len(cells)
                    cells.append(asked(covers.scale, bases[name], query[name]))
            columns.append(Covers.of_cells(covers.scale, cells))
        return {"own": Workload.of_conditions(made.original, columns, conditions)}

    def page(self) -> ReferenceRelease:
        """As the textbook sees it."""
        told, m = list(self.told.values()), len(self.quasi)
        bases = tuple(each.base([row[at] for row in self.rows]) for at, each in enumerate(told))
        members: dict[tuple[frozenset[Any], ...], list[Row]] = {}
        for group in sorted({each for each in self.groups if each >= 0}):
            inside = [row for row, of in zip(self.rows, self.groups, strict=True) if of == group]
            cells = tuple(told[at].cell([row[at] for row in inside], bases[at]) for at in range(m))
            members.setdefault(cells, []).extend(inside)
        classes = [
            Class(cells, tuple(tuple(row[:m]) for row in inside), tuple(tuple(row[m:]) for row in inside))
            for cells, inside in members.items()
        ]
        place = {name: at for at, name in enumerate(self.told)}
        return ReferenceRelease(
            tuple(map(tuple, self.rows)),
            tuple(classes),
            bases,
            m,
            tuple(range(m, len(told))),
            label=None if self.label is None else place[self.label],
            k=self.k,
            weights=self.weights,
            ranges={place[name]: tuple(each) for name, each in self.ranges.items()},
            queries=tuple({place[name]: each for name, each in query.items()} for query in self.queries),
        )


def asked(scale: Scale, base: Base, wanted: frozenset[Any]) -> Cell:
    """Base values as a cell that covers them."""
    places = sorted(place_of(scale, base)[value] for value in wanted)
    gaps = len(places) < places[-1] - places[0] + 1
    return Cell(places[0], places[-1], members=np.array(places, dtype=np.int64) if gaps else None)


def place_of(scale: Scale, base: Base) -> dict[Any, int]:
    """Where each base value stands, found in plain Python."""
    if base.paths is None:
        return {value: at for at, value in enumerate(base.values)}
    rows = [value for value in base.values if value is not None]
    assert scale.ladder is not None
    leaves = leaf_positions(scale.ladder.hierarchy)
    return {value: int(leaves[scale.ladder.hierarchy.values.index(value)]) for value in rows}


def counted(names: Sequence[str], rows: Sequence[Row]) -> tuple[Any, Any]:
    """The frequency set of rows, and the combination of each row."""
    counting = Counting(names)
    columns = [pa.array([row[at] for row in rows]) for at in range(len(names))]
    counting.add([pa.array(each, pa.string()) if pa.types.is_null(each.type) else each for each in columns])
    frequencies = counting.result()
    codes = {tuple(combination): at for at, combination in enumerate(frequencies.codes.T.tolist())}
    code_of = [{value: code + 1 for code, value in enumerate(v.to_pylist())} for v in frequencies.values]
    found = [codes[tuple(of.get(cell, 0) for of, cell in zip(code_of, row, strict=True))] for row in rows]
    return frequencies, np.array(found, dtype=np.int64)


def reading(yardstick: ReleaseMetric, example: Example) -> float | None:
    """What a yardstick says, agreed upon by its textbook."""
    return agreed(yardstick, example.released(), example.page())


def agreed(yardstick: ReleaseMetric, released: Released, page: ReferenceRelease) -> float | None:
    """What a yardstick says about a release, agreed upon by its textbook about the page."""
    found = yardstick.measure(released).value
    expected = yardstick.textbook(page)
    assert (found is None) == (expected is None)
    assert found is None or found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    return found


# Random ones.


@st.composite
def columns(draw: st.DrawFn) -> tuple[Told, st.SearchStrategy[Any]]:
    """A column and what its cells may be."""
    kind = draw(st.sampled_from(["numbers", "halves", "order", "tree", "set"]))
    if kind == "numbers":
        return Told("numbers"), st.integers(-3, 9)
    if kind == "halves":
        return Told("numbers"), st.integers(-3, 9).map(lambda number: number / 2)
    if kind == "order":
        order = ("none", "low", "medium", "high", "severe")
        return Told("order", order=order), st.sampled_from(order)
    if kind == "tree":
        rows = draw(trees())
        values = st.sampled_from([row[0] for row in rows])
        listed = draw(st.just([]) | missing_paths(rows).map(lambda row: [row]))
        return Told("tree", rows=(*rows, *listed)), values
    return Told("set"), st.sampled_from("abcde")


@st.composite
def examples(draw: st.DrawFn, sensitive: int = 0, most_rows: int = 14) -> Example:
    """A table with missing cells in groups of any size, with sensitive ranges and queries."""
    quasi = draw(st.lists(columns(), min_size=1, max_size=3))
    others = draw(st.lists(columns(), min_size=sensitive, max_size=sensitive))
    told = {f"q{at}": each for at, (each, _) in enumerate(quasi)}
    secret = {f"s{at}": each for at, (each, _) in enumerate(others)}
    rows = draw(st.lists(st.tuples(*[st.none() | of for _, of in [*quasi, *others]]), max_size=most_rows))
    groups = draw(st.lists(st.integers(-1, 3), min_size=len(rows), max_size=len(rows)))
    numbered = {group: at for at, group in enumerate(sorted({each for each in groups if each >= 0}))}
    bases = {name: each.base([row[at] for row in rows]) for at, (name, each) in enumerate({**told, **secret}.items())}
    # Where no record has a value there is nothing to ask for.
    there = [any(row[at] is not None for row in rows) for at in range(len(bases))]
    wanted = {name: subsets(base) for (name, base), some in zip(bases.items(), there, strict=True) if some}
    return Example(
        told,
        rows,
        [numbered.get(group, -1) for group in groups],
        secret,
        k=draw(st.none() | st.integers(1, 3)),
        weights=draw(st.just(()) | st.tuples(*[st.sampled_from([0.5, 1.0, 2.0])] * len(quasi))),
        label=draw(st.none() | st.just("s0")) if sensitive else None,
        ranges={name: draw(st.lists(wanted[name], max_size=2)) for name in secret if name in wanted},
        queries=draw(st.lists(st.fixed_dictionaries({}, optional=wanted), max_size=3)),
    )


def subsets(base: Base) -> st.SearchStrategy[frozenset[Any]]:
    """Some of a column's base values."""
    return st.frozensets(st.sampled_from([value for value in base.values if value is not None]), min_size=1, max_size=4)


Near = Callable[[float | Fraction], Any]


def near(value: float | Fraction) -> Any:
    """Equal up to rounding."""
    return pytest.approx(float(value), rel=1e-9)
