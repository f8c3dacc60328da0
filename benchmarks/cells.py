"""Wiping single cells: times, and how many cells are wiped on Adult beside sdcMicro and beside the fewest there can be.

python benchmarks/cells.py                     # times, against a hundredth of sdcMicro's on eight columns
python benchmarks/cells.py counts              # cells that are wiped, as Markdown
python benchmarks/cells.py fewest              # the fewest there can be, which takes minutes
"""

import sys
from collections.abc import Iterator

import tables
from harness import Figures, Row, measure, run
from layered import searched

from anonymization import counted
from incrowd.core.frequencies import FrequencySet
from incrowd.searches import Search
from incrowd.searches.fewest_cells import FewestCells
from incrowd.searches.forest import Forest
from incrowd.searches.greedy_cover import GreedyCover
from incrowd.searches.local_suppression import LocalSuppression

FOUR = ("sex", "age", "race", "marital-status")
FIVE = (*FOUR, "education")
EIGHT = (*FIVE, "native-country", "workclass", "occupation")
SDC_MICRO = {(FOUR, 2): 543, (FOUR, 3): 1046, (FOUR, 5): 1836, (FIVE, 2): 3187, (FIVE, 3): 5101, (FIVE, 5): 7883}
"""Cells that sdcMicro wipes, where a wiped cell matches anything."""
SEARCHES = (LocalSuppression(wiped="anything"), LocalSuppression(), GreedyCover(), Forest())


def _wiped(search: Search, frequencies: FrequencySet, k: int) -> str:
    return f"{searched(search, frequencies, k).details['wiped']:,}"


def _measured(search: Search, columns: tuple[str, ...], k: int) -> Figures:
    table = tables.adult().select(columns)
    # Imports what is imported on first use.
    searched(search, counted(table.slice(0, 200), columns), 2)
    return measure(lambda: f"{_wiped(search, counted(table, columns), k)} cells wiped")


def own_four() -> Figures:
    return _measured(LocalSuppression(), FOUR, 5)


def own_eight() -> Figures:
    return _measured(LocalSuppression(), EIGHT, 2)


def anything_eight() -> Figures:
    return _measured(LocalSuppression(wiped="anything"), EIGHT, 2)


def levels_five() -> Figures:
    return _measured(LocalSuppression(generalize="column"), FIVE, 5)


def greedy_five() -> Figures:
    return _measured(GreedyCover(), FIVE, 5)


def forest_five() -> Figures:
    return _measured(Forest(), FIVE, 5)


ROWS = [
    Row("Adult, four columns, k=5", "own_four", None, "cpu", 0.2),
    Row("Adult, eight columns, k=2 (sdcMicro: 809 s)", "own_eight", None, "cpu", 8.09),
    Row("Adult, eight columns, k=2, wiped=anything (sdcMicro: 809 s)", "anything_eight", None, "cpu", 8.09),
    Row("Adult, five columns, k=5, generalize=column", "levels_five", None, "cpu", 30.0),
    Row("Adult, five columns, k=5, greedy_cover", "greedy_five", None, "cpu", 30.0),
    Row("Adult, five columns, k=5, forest", "forest_five", None, "cpu", 5.0),
]


def _tables() -> Iterator[tuple[tuple[str, ...], int, FrequencySet]]:
    for columns, k in SDC_MICRO:
        yield columns, k, counted(tables.adult().select(columns), columns)


def counts() -> None:
    """As Markdown."""
    print("| columns | k | unsafe records | sdcMicro | anything | own | greedy_cover | forest |\n" + "|---" * 8 + "|")
    for columns, k, frequencies in _tables():
        unsafe = int(frequencies.counts[frequencies.counts < k].sum())
        found = " | ".join(_wiped(search, frequencies, k) for search in SEARCHES)
        print(f"| {len(columns)} | {k} | {unsafe:,} | {SDC_MICRO[columns, k]:,} | {found} |", flush=True)


def fewest() -> None:
    """As Markdown."""
    print("| columns | k | the fewest | proven |\n|---|---|---|---|")
    for columns, k, frequencies in _tables():
        found = searched(FewestCells(seconds=600), frequencies, k)
        print(f"| {len(columns)} | {k} | {found.details['wiped']:,} | {found.optimal} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] in (["counts"], ["fewest"]):
        globals()[sys.argv[1]]()
    else:
        run(__file__, globals(), ROWS, tables.adult)
