"""What a hierarchy makes of a column."""

import pyarrow as pa

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import build
from incrowd.hierarchies.overview import overview

COUNTRY = Hierarchy.from_rows(
    [("UK", "Europe", "*"), ("Italy", "Europe", "*"), ("USA", "USA", "*"), ("Peru", "America", "*")],
    losses=[0, 0.25, 1],
)


def counted(cells: list[str | None]) -> FrequencySet:
    """The frequency set of one column."""
    counting = Counting(["country"])
    counting.add([pa.array(cells, pa.string())])
    return counting.result()


def test_facts() -> None:
    facts = overview(COUNTRY, counted(["UK", "UK", "Italy", "USA", "USA", "UK", None, None]))
    assert (facts.records, facts.missing, facts.values, facts.domain) == (8, 2, 3, 4)
    assert [level.labels for level in facts.levels] == [4, 3, 1]
    assert [level.in_data for level in facts.levels] == [4, 3, 1]
    assert [level.covers for level in facts.levels] == [1, 2, 4]
    assert [level.loss for level in facts.levels] == [0, 0.25, 1]
    # Missing is a class of its own until the top.
    assert [level.smallest_class for level in facts.levels] == [1, 2, 8]


def test_values_are_shown_on_request_alone() -> None:
    cells: list[str | None] = ["UK", "Italy", "USA", "Peru"]
    assert [level.examples for level in overview(COUNTRY, counted(cells)).levels] == [(), ("Europe", "America"), ("*",)]
    shown = overview(COUNTRY, counted(cells), show_values=True)
    assert [level.examples for level in shown.levels] == [("UK", "Italy", "USA"), ("Europe", "USA", "America"), ("*",)]


def test_an_empty_table() -> None:
    facts = overview(COUNTRY, counted([]))
    assert (facts.records, [level.smallest_class for level in facts.levels]) == (0, [0, 0, 0])


def test_a_column_without_values() -> None:
    frequencies = counted([None, None])
    facts = overview(build(None, frequencies.values[0], "country"), frequencies)
    assert [level.smallest_class for level in facts.levels] == [2, 2]
    assert facts.levels[-1].examples == ("*",)
