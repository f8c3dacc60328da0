"""Counting gives what collections.Counter gives, and what follows from a frequency set follows from the records."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.table import Table
from incrowd.errors import UsageError
from strategies import Cell, Row, arrays, batch, column_sets, combination, splits, tables

Drawn = tuple[tuple[str, ...], list[Row]]


def decoded(frequencies: FrequencySet) -> list[tuple[Cell, ...]]:
    """The combinations as values."""
    values = [[None, *column.to_pylist()] for column in frequencies.values]
    return [tuple(values[at][code] for at, code in enumerate(codes)) for codes in frequencies.codes.T.tolist()]


def counted(frequencies: FrequencySet) -> dict[tuple[Cell, ...], int]:
    """A frequency set as a dictionary; each combination may come once."""
    combinations = decoded(frequencies)
    assert len(combinations) == len(set(combinations)) == frequencies.combinations
    return dict(zip(combinations, frequencies.counts.tolist(), strict=True))


def expected(rows: Sequence[Row], columns: Sequence[str]) -> Counter[tuple[Cell, ...]]:
    """The frequency set by definition."""
    return Counter(combination(row, columns) for row in rows)


def count(rows: Sequence[Row], columns: Sequence[str]) -> FrequencySet:
    """Count the rows in one batch."""
    counting = Counting(columns)
    counting.add(arrays(rows, columns))
    return counting.result()


@given(data=st.data(), drawn=tables(most_columns=5))
def test_counting_batch_by_batch(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    counting = Counting(columns)
    for part in data.draw(splits(len(rows))):
        counting.add(arrays(rows[part], columns))
    found = counting.result()
    assert counted(found) == expected(rows, columns)
    assert found.records == len(rows)
    assert found.names == columns


@given(data=st.data(), drawn=tables(most_columns=3), different=st.integers(0, 40))
def test_counting_records_that_a_column_tells_apart(data: st.DataObject, drawn: Drawn, different: int) -> None:
    """All of them, or all up to one that repeats another or lacks it."""
    columns, rows = drawn
    ids = [str(at) if at < different else data.draw(st.sampled_from([None, "0", "1"])) for at in range(len(rows))]
    names = (*columns, "id")
    wanted = Counter((*combination(row, columns), number) for row, number in zip(rows, ids, strict=True))
    counting = Counting(names)
    with patch("incrowd.core.frequencies._LARGE", 1):
        for part in data.draw(splits(len(rows))):
            counting.add([*arrays(rows[part], columns), pa.array(ids[part], pa.string())])
    assert counted(counting.result()) == wanted


@given(data=st.data(), drawn=tables())
def test_counting_with_weights(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    weights = data.draw(st.lists(st.integers(1, 2**40), min_size=len(rows), max_size=len(rows)))
    wanted: Counter[tuple[Cell, ...]] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        wanted[combination(row, columns)] += weight
    counting = Counting(columns)
    for part in data.draw(splits(len(rows))):
        counting.add(arrays(rows[part], columns), np.array(weights[part], dtype=np.int64))
    assert counted(counting.result()) == wanted


@given(data=st.data(), drawn=tables())
def test_counting_a_table_is_counting_its_batches(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    batches = [batch(rows[part], columns) for part in data.draw(splits(len(rows)))]
    assert counted(FrequencySet.of_table(Table.from_batches(columns, batches))) == expected(rows, columns)


@given(
    width=st.integers(1, 60),
    distinct=st.integers(1, 300),
    seed=st.integers(0, 2**32 - 1),
    parts=st.integers(1, 6),
)
def test_counting_wide_tables(width: int, distinct: int, seed: int, parts: int) -> None:
    """Values keep coming, so the layout is widened again and again, past 64 bits and past 200."""
    rng = np.random.default_rng(seed)
    people = rng.integers(0, distinct, (width, 40)).astype(np.int64)
    codes = people[:, rng.integers(0, 40, 300)]
    counting = Counting([f"c{at}" for at in range(width)])
    for part in np.array_split(codes, parts, axis=1):
        counting.add([pa.array(row) for row in part])
    assert counted(counting.result()) == Counter(map(tuple, codes.T.tolist()))


@pytest.mark.parametrize(("width", "distinct"), [(8, 255), (9, 300), (30, 255), (70, 600)])
def test_neighbours_in_wide_tables_stay_apart(width: int, distinct: int) -> None:
    """Every record differs from the first in one column alone, whichever word holds that column."""
    first = np.arange(width) % distinct
    rows = np.tile(first, (width + 1, 1))
    rows[np.arange(width), np.arange(width)] = distinct - 1 - first
    columns = [pa.array(np.concatenate([np.arange(distinct), row])) for row in rows.T]
    counting = Counting([f"c{at}" for at in range(width)])
    counting.add(columns)
    assert counted(counting.result()) == Counter(zip(*[column.to_pylist() for column in columns], strict=True))


@given(data=st.data(), drawn=tables())
def test_projecting_is_counting_fewer_columns(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    names = data.draw(column_sets(columns))
    found = count(rows, columns).project(names)
    assert counted(found) == expected(rows, names)
    assert found.names == names


@given(data=st.data(), drawn=tables())
def test_classes_are_the_records_that_agree(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    names = data.draw(column_sets(columns))
    frequencies = count(rows, columns)
    classes = frequencies.classes(names)
    sizes = expected(rows, names)
    assert sorted(classes.sizes.tolist()) == sorted(sizes.values())
    places = [columns.index(name) for name in names]
    for combined, number in zip(decoded(frequencies), classes.of.tolist(), strict=True):
        assert classes.sizes[number] == sizes[tuple(combined[place] for place in places)]
    assert len(classes) == len(sizes)
    assert classes.smallest == min(sizes.values(), default=0)
    assert classes.unique == sum(size == 1 for size in sizes.values())


@given(data=st.data(), drawn=tables())
def test_complete_leaves_out_records_with_a_missing_cell(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    names = data.draw(column_sets(columns))
    kept = [row for row in rows if all(row[name] is not None for name in names)]
    assert counted(count(rows, columns).complete(names)) == expected(kept, columns)


@given(data=st.data(), drawn=tables())
def test_merging_is_counting_together(data: st.DataObject, drawn: Drawn) -> None:
    columns, rows = drawn
    parts = data.draw(splits(len(rows)))
    # Later parts may hold the columns in another order.
    orders = [columns, *[tuple(data.draw(st.permutations(columns))) for _ in parts[1:]]]
    sets = [count(rows[part], order) for part, order in zip(parts, orders, strict=True)]
    assert counted(FrequencySet.merge(sets)) == expected(rows, columns)


@given(drawn=tables(most_columns=5))
def test_a_larger_set_of_columns_never_has_a_larger_k(drawn: Drawn) -> None:
    columns, rows = drawn
    frequencies = count(rows, columns)
    sizes = [frequencies.classes(columns[:width]).smallest for width in range(1, len(columns) + 1)]
    assert sizes == sorted(sizes, reverse=True)


def histograms(frequencies: FrequencySet, quasi: Sequence[str], sensitive: Sequence[str]) -> dict[Any, Counter[int]]:
    """Per class, named by its values, the codes of its sensitive values with their counts."""
    classes = frequencies.judged(quasi, [tuple(sensitive)])
    histogram = classes.histograms[tuple(sensitive)]
    assert classes.sizes.tolist() == frequencies.classes(quasi).sizes.tolist() == histogram.sizes.tolist()
    at = frequencies.indices(quasi)
    name_of = {int(of): tuple(row[c] for c in at) for row, of in zip(decoded(frequencies), classes.of, strict=True)}
    found: dict[Any, Counter[int]] = {name: Counter() for name in name_of.values()}
    for owner, value, number in zip(histogram.owner, histogram.values, histogram.counts, strict=True):
        assert int(value) not in found[name_of[int(owner)]]
        found[name_of[int(owner)]][int(value)] = int(number)
    whole = Counter(dict(enumerate(histogram.domain.whole.tolist())))
    assert +whole == sum(found.values(), Counter())
    return found


def grouped(rows: Sequence[Row], quasi: Sequence[str], sensitive: Sequence[str]) -> dict[Any, Counter[Any]]:
    """The same by definition, with values for codes."""
    found: dict[Any, Counter[Any]] = {}
    for row in rows:
        found.setdefault(combination(row, quasi), Counter())[combination(row, sensitive)] += 1
    return found


@given(drawn=tables(most_columns=5), data=st.data())
def test_classes_with_their_sensitive_values(drawn: Drawn, data: st.DataObject) -> None:
    columns, rows = drawn
    frequencies = count(rows, columns)
    quasi, sensitive = data.draw(column_sets(columns)), columns[-1:]
    values = [None, *frequencies.values[-1].to_pylist()]
    found = histograms(frequencies, quasi, sensitive)
    named = {name: Counter({(values[code],): number for code, number in of.items()}) for name, of in found.items()}
    assert named == grouped(rows, quasi, sensitive)


@given(drawn=tables(most_columns=5), data=st.data())
def test_sensitive_columns_jointly(drawn: Drawn, data: st.DataObject) -> None:
    columns, rows = drawn
    quasi, sensitive = data.draw(column_sets(columns)), data.draw(column_sets(columns))
    found, wanted = histograms(count(rows, columns), quasi, sensitive), grouped(rows, quasi, sensitive)

    def shape(classes: dict[Any, Counter[Any]]) -> dict[Any, list[int]]:
        return {name: sorted(of.values()) for name, of in classes.items()}

    assert shape(found) == shape(wanted)
    # The same code stands for the same values in every class.
    assert sorted(sum(found.values(), Counter()).values()) == sorted(sum(wanted.values(), Counter()).values())


def test_the_hierarchy_of_a_sensitive_column_goes_along() -> None:
    frequencies = count([{"a": "x", "b": "u"}, {"a": "y", "b": "v"}], ["a", "b"])
    ladder = Hierarchy.from_rows([("u", "*"), ("v", "*")]).along("b", frequencies.values[1])
    classes = frequencies.judged(["a"], [("b",), ("a", "b")], {"b": ladder})
    assert classes.histograms[("b",)].domain.ladder is ladder
    assert classes.histograms[("a", "b")].domain.ladder is None
    assert classes.histograms[("a", "b")].domain.values is None
    with pytest.raises(UsageError, match="no column 'c'"):
        frequencies.judged(["a"], [("c",)])


def test_the_diagnosis_centre_example() -> None:
    """FX-DIAG-1: Zare Mirakabad, Jantan, Bressan, k-anonymity Diagnosis Centre, Figures 2 and 3."""
    lines = ["1A1a*", "1A1a*", "2A1b*", "2B1b+", "2B1a+", "3B1a+", "3A2b*", "3A2b*", "3A2a*", "3B2a+", "3B2b+", "3B2b+"]
    frequencies = count([dict(zip("VWXYZ", line, strict=True)) for line in lines], "VWXYZ")
    printed = {"V": 2, "W": 6, "WX": 3, "WZ": 6, "XY": 2, "VW": 1, "WXZ": 3, "WYZ": 3, "VWXYZ": 1}
    assert {names: frequencies.classes(names).smallest for names in printed} == printed
    assert sorted(frequencies.classes("VX").sizes.tolist()) == [1, 2, 3, 6]


def test_an_empty_table() -> None:
    empty = count([], ["a", "b"])
    assert (empty.records, empty.combinations, empty.cardinalities) == (0, 0, (1, 1))
    assert empty.classes(["a"]).smallest == 0
    assert counted(empty.project(["b"])) == {}
    assert counted(Counting(["a"]).result()) == {}


def test_texts_that_stand_for_missing_are_counted_as_missing() -> None:
    counting = Counting(["a"], missing=["?"])
    counting.add([pa.array(["?", "x", None])])
    assert counted(counting.result()) == {(None,): 2, ("x",): 1}


def test_an_unknown_column_is_refused() -> None:
    frequencies = count([{"sex": "f", "zip": "1"}], ["sex", "zip"])
    for ask in (frequencies.classes, frequencies.project, frequencies.complete):
        with pytest.raises(UsageError, match="no column 'zap'; the columns are 'sex', 'zip'"):
            ask(["sex", "zap"])


def test_as_many_weights_as_records() -> None:
    with pytest.raises(ValueError, match="lengths differ"):
        Counting(["a"]).add([pa.array(["x", "y"])], np.ones(3, dtype=np.int64))
