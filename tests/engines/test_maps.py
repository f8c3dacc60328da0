"""Small tables for each column publish what the recoding says, whatever it is; their numbers sort as the cells do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort
from incrowd.engines.maps import RANK, Combinations, Maps, maps, ranks_of
from incrowd.engines.repeated import repeated

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Drawn:
    """Combinations of texts, and what is published for them."""

    rows: list[Row]
    kept: list[bool]
    labels: dict[str, list[str | None]]
    """By published column, those of each combination."""
    of: dict[str, int]
    shown: list[str]
    counts: list[int]

    def combinations(self) -> Combinations:
        """As an engine counted them; it compares bytes."""
        cells = [pa.array(column, pa.string()) for column in zip(*self.rows, strict=True)]
        return Combinations(
            cells,
            [column.cast(pa.binary()) for column in cells],
            np.array(self.kept, dtype=np.bool_),
            {name: pa.array(of, pa.string()).dictionary_encode("encode") for name, of in self.labels.items()},
            self.of,
        )

    def cells(self, at: int) -> Row:
        """What is published for a combination."""
        return tuple(
            self.labels[name][at] if name in self.labels else self.rows[at][self.of[name]] for name in self.shown
        )


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    """Labels are those of the value, of the combination, or there are none; whole classes or single combinations go."""
    width = draw(st.integers(1, 4))
    cell = st.sampled_from([None, "", "a", "A", "b", "é", "日本"])
    rows = draw(st.lists(st.tuples(*[cell] * width), min_size=1, max_size=25, unique=True))
    label = st.sampled_from([None, "", "*", "[0, 10["])
    labels: dict[str, list[str | None]] = {}
    of: dict[str, int] = {}
    for at in range(width):
        kind = draw(st.sampled_from(["value", "combination", "unchanged", "not shown"]))
        if kind == "not shown":
            continue
        of[f"{'p' if kind == 'unchanged' else 'l'}{at}"] = at
        if kind == "value":
            by_value = draw(st.fixed_dictionaries({row[at]: label for row in rows}))
            labels[f"l{at}"] = [by_value[row[at]] for row in rows]
        elif kind == "combination":
            labels[f"l{at}"] = draw(st.lists(label, min_size=len(rows), max_size=len(rows)))
    shown = draw(st.permutations([*of]))
    counts = draw(st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows)))
    made = Drawn(rows, [True] * len(rows), labels, of, shown, counts)
    by_class = draw(st.booleans())
    lost = draw(st.sets(st.sampled_from([made.cells(at) if by_class else at for at in range(len(rows))])))
    kept = [(made.cells(at) if by_class else at) not in lost for at in range(len(rows))]
    return Drawn(rows, kept, labels, of, shown, counts)


def published(wanted: Maps, row: Sequence[Any]) -> dict[str, Any] | None:
    """What joins publish of one row, in plain Python; None if it is left out."""
    found: dict[str, Any] = {}
    for at, table in wanted.columns.items():
        link = None if row[at] is None else row[at].encode()
        same = [each for each in table.to_pylist() if each[f"m{at}"] == link]
        if not same:
            return None
        [one] = same
        found |= one
    number = {f"n{word}": sum(found[f"k{at}"] for at in parts) for word, parts in enumerate(wanted.words)}
    if wanted.combinations is None:
        return {RANK: number.get("n0", 0), **found}
    same = [each for each in wanted.combinations.to_pylist() if all(each[name] == of for name, of in number.items())]
    if wanted.how != "inner":
        return {RANK: number["n0"], **found} if bool(same) == (wanted.how == "semi") else None
    return {**found, **same[0]} if same else None


def in_order(row: Row) -> list[tuple[bool, str]]:
    """Missing comes first."""
    return [(cell is not None, cell or "") for cell in row]


@settings(max_examples=effort(60, 500))
@given(drawn())
def test_each_row_is_published_as_the_recoding_says(table: Drawn) -> None:
    wanted = maps(table.combinations(), table.shown)
    ranks: dict[Row, set[int]] = {}
    for at, row in enumerate(table.rows):
        found = published(wanted, row)
        assert (found is not None) == table.kept[at]
        if found is not None:
            cells = tuple(row[table.of[name]] if name not in table.labels else found[name] for name in table.shown)
            assert cells == table.cells(at)
            ranks.setdefault(cells, set()).add(found[RANK])
    # One rank for all records that look alike, in the order of the cells: nothing is left of any other order.
    assert all(len(of) == 1 for of in ranks.values())
    assert sorted(ranks, key=in_order) == sorted(ranks, key=lambda cells: min(ranks[cells]))
    assert len(set().union(*ranks.values())) == len(ranks)


@settings(max_examples=effort(60, 500))
@given(drawn())
def test_repeated_classes_are_all_records(table: Drawn) -> None:
    counts = np.array(table.counts, dtype=np.int64)
    classes = repeated(table.combinations(), counts, table.shown)
    expected = [table.cells(at) for at, kept in enumerate(table.kept) if kept for _ in range(table.counts[at])]
    rows = [tuple(row.values()) for batch in classes.batches() for row in batch.to_pylist()]
    if table.shown:
        assert rows == sorted(expected, key=in_order)
        parts = classes.parts("n").to_pylist()
        assert [tuple(part[name] for name in table.shown) for part in parts for _ in range(part["n"])] == rows
    assert int(classes.counts.sum()) == len(expected)


@pytest.mark.parametrize("records", [1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 3 << 16])
def test_large_classes_are_divided_for_the_workers_of_an_engine(records: int) -> None:
    given = Drawn([("a",), ("b",)], [True, True], {}, {"p0": 0}, ["p0"], [records, 2]).combinations()
    classes = repeated(given, np.array([records, 2], dtype=np.int64), ["p0"])
    parts = classes.parts("n").to_pydict()
    assert max(parts["n"]) <= 1 << 16
    assert min(parts["n"]) > 0
    assert sum(n for name, n in zip(parts["p0"], parts["n"], strict=True) if name == "a") == records
    assert sum(batch.num_rows for batch in classes.batches()) == records + 2


def test_few_numbers_and_whole_classes_need_no_table_of_combinations() -> None:
    rows = [(a, b) for a in "abcd" for b in "xyz"]
    labels: dict[str, list[str | None]] = {"l0": ["ab" if a in "ab" else "cd" for a, _ in rows]}
    whole = Drawn(rows, [True] * 12, labels, {"l0": 0, "p1": 1}, ["l0", "p1"], [1] * 12)
    assert maps(whole.combinations(), whole.shown).combinations is None
    lost = Drawn(rows, [at >= 6 or b != "x" for at, (_, b) in enumerate(rows)], labels, whole.of, whole.shown, [1] * 12)
    wanted = maps(lost.combinations(), lost.shown)
    assert (wanted.how, wanted.combinations.num_rows) == ("anti", 1)  # type: ignore[union-attr]


def test_values_that_are_equal_here_and_not_there_stand_apart() -> None:
    """A database tells 1.0 from 1.00 by their texts; their order is that of the texts."""
    cells, links = pa.array([1.0, 1.0, 0.5]), pa.array(["1.00", "1.0", "0.5"])
    assert ranks_of(cells, links).tolist() == [2, 1, 0]
