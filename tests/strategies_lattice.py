"""Random small lattices for property tests: ladders that are true trees, and tables with missing cells along them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy, Span
from incrowd.metrics import Columns

NAMES = ("a", "b", "c", "d")

Path = tuple[str | None, ...]
"""A base value with its label on every level."""


@st.composite
def trees(draw: st.DrawFn, most_values: int = 6, most_levels: int = 3) -> list[Path]:
    """The rows of a hierarchy: each level joins labels of the level below, the last one all of them."""
    values = [f"v{number}" for number in range(draw(st.integers(1, most_values)))]
    levels = [values]
    for level in range(1, draw(st.integers(1, most_levels))):
        below = list(dict.fromkeys(levels[-1]))
        parents = {label: f"{level}.{draw(st.integers(0, len(below) - 1))}" for label in below}
        levels.append([parents[label] for label in levels[-1]])
    return list(zip(*levels, ["*"] * len(values), strict=True))


@st.composite
def missing_paths(draw: st.DrawFn, rows: Sequence[Path]) -> Path:
    """The row of missing cells: on its own up to some level, from there on with one of the values."""
    joins = draw(st.sampled_from(rows))
    alone = draw(st.integers(1, len(joins) - 1))
    return (None, *(f"missing {level}" for level in range(1, alone)), *joins[alone:])


def spans_of(rows: Sequence[Path], numbers: Sequence[int]) -> list[list[Span]]:
    """Per level and row the least and the largest number of the values that have the row's label."""
    spans = []
    for labels in zip(*rows, strict=True):
        behind = [[n for n, other in zip(numbers, labels, strict=True) if other == label] for label in labels]
        spans.append([(float(min(each)), float(max(each))) for each in behind])
    return spans


@st.composite
def hierarchies(draw: st.DrawFn, most_values: int = 6, most_levels: int = 3) -> Hierarchy:
    """A hierarchy; some list missing cells, some know their numbers, some declare losses."""
    rows = draw(trees(most_values, most_levels))
    numbers = draw(st.none() | st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows)))
    spans = None if numbers is None else spans_of(rows, numbers)
    losses = draw(st.none() | st.lists(st.integers(0, 20), min_size=len(rows[0]), max_size=len(rows[0])))
    rows_of_missing = draw(st.just([]) | missing_paths(rows).map(lambda row: [row]))
    return Hierarchy.from_rows(
        [*rows, *rows_of_missing], losses=None if losses is None else [loss / 8 for loss in sorted(losses)], spans=spans
    )


@st.composite
def ladders(draw: st.DrawFn, name: str, most_values: int = 6, most_levels: int = 3) -> EncodedHierarchy:
    """A hierarchy along a column that has some of its values."""
    hierarchy = draw(hierarchies(most_values, most_levels))
    values = draw(st.lists(st.sampled_from(hierarchy.values), unique=True))
    return hierarchy.along(name, pa.array(values, pa.string()))


@st.composite
def frequency_sets(
    draw: st.DrawFn, ladders: Sequence[EncodedHierarchy], most_combinations: int = 12, least_count: int = 0
) -> FrequencySet:
    """Distinct combinations, some with missing cells; a count of 0 is what only a population has."""
    combination = st.tuples(*(st.integers(0, len(ladder.values)) for ladder in ladders))
    codes = draw(st.lists(combination, unique=True, max_size=most_combinations))
    counts = [draw(st.integers(least_count, 5)) for _ in codes]
    return FrequencySet(
        tuple(ladder.name for ladder in ladders),
        tuple(ladder.values for ladder in ladders),
        np.array(codes, dtype=np.int32).reshape(len(codes), len(ladders)).T.copy(),
        np.array(counts, dtype=np.int64),
    )


@st.composite
def laid_tables(draw: st.DrawFn, most_columns: int = 3, most_levels: int = 3, least_count: int = 0) -> Columns:
    """A table along its ladders, as a metric sees it."""
    names = NAMES[: draw(st.integers(1, most_columns))]
    along = tuple(draw(ladders(name, most_levels=most_levels)) for name in names)
    weights = tuple(draw(st.sampled_from([0.5, 1.0, 2.0, 3.0])) for _ in names)
    return Columns(draw(frequency_sets(along, least_count=least_count)), along, weights)
