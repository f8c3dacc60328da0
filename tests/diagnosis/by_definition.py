"""The twelve questions answered from their definitions, record by record: what the Diagnosis Centre is tested against.

Nothing here knows of classes that are refined, of pruning or of monotony; every set of columns is looked at.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from incrowd.api import diagnose
from incrowd.diagnosis.diagnosis import Diagnosis
from strategies import COLUMNS, Cell, Row, arrays, cells, column_sets

Columns = tuple[str, ...]

FIND = "find"
CLASSES = ("extended", "basic")
"""Matchings that make classes, so that records can be suppressed."""
WILDCARDS = ("maybe", "right_maybe")


@dataclass(frozen=True)
class Given:
    """What is given; the rest is asked for."""

    k: int | None = None
    quasi: Columns | None = None
    suppress: str | None = None
    at_most: bool = False
    max_size: int | None = None
    up_to: int = 50

    def arguments(self) -> dict[str, Any]:
        """As `ask` takes them."""
        return vars(self)


QUESTIONS: dict[str, frozenset[str]] = {
    "Q1": frozenset({"k", "quasi"}),
    "Q2": frozenset({"quasi"}),
    "Q3": frozenset({"k"}),
    "Q4": frozenset(),
    "Q5": frozenset({"k", "quasi", "share"}),
    "Q6": frozenset({"quasi", "share"}),
    "Q7": frozenset({"k", "share"}),
    "Q8": frozenset({"share"}),
    "Q9": frozenset({"k", "quasi", "find"}),
    "Q10": frozenset({"k", "find"}),
    "Q11": frozenset({"quasi", "find"}),
    "Q12": frozenset({"find"}),
}
"""What is given in each of the twelve (digest of the paper, section 1.2)."""

OVER_ALL_SETS = tuple(question for question, given in QUESTIONS.items() if "quasi" not in given)
WITH_AT_MOST = ("Q1", "Q3", "Q5", "Q7")
WITHOUT_SUPPRESSION = tuple(question for question, given in QUESTIONS.items() if not given & {"share", "find"})


def matches(mine: Cell, other: Cell, nulls: str) -> bool:
    """Whether a cell on the original side matches one on the released side."""
    if nulls == "extended":
        return mine == other
    if nulls == "basic":
        return mine == other and mine is not None
    if nulls == "maybe":
        return mine == other or mine is None or other is None
    return mine == other or other is None


def judged(rows: Sequence[Row], columns: Iterable[str], nulls: str) -> list[tuple[Cell, ...]]:
    """The records that are looked at, cut down to the columns."""
    cut = [tuple(row[name] for name in columns) for row in rows]
    return [record for record in cut if None not in record] if nulls == "basic" else cut


def matching(rows: Sequence[Row], columns: Iterable[str], nulls: str) -> list[int]:
    """For every record that is looked at, how many of them match it."""
    records = judged(rows, list(columns), nulls)
    return [
        sum(
            all(matches(mine, other, nulls) for mine, other in zip(record, another, strict=True)) for another in records
        )
        for record in records
    ]


def class_sizes(rows: Sequence[Row], columns: Iterable[str], nulls: str = "extended") -> list[int]:
    """The sizes of the classes, ascending."""
    return sorted(Counter(judged(rows, list(columns), nulls)).values())


def k_of(rows: Sequence[Row], columns: Iterable[str], nulls: str = "extended", share: str | None = None) -> int:
    """The fewest records that match any; with a share, after whole classes of so many records are gone."""
    if share is None:
        return min(matching(rows, columns, nulls), default=0)
    sizes = class_sizes(rows, columns, nulls)
    budget = math.floor(Fraction(share) * sum(sizes))
    return max((k for k in sizes if gone_for(sizes, k) <= budget), default=0)


def gone_for(sizes: Sequence[int], k: int) -> int:
    """How many records are in classes smaller than k."""
    return sum(size for size in sizes if size < k)


def all_sets(columns: Sequence[str], most: int | None = None) -> list[Columns]:
    """Every set of columns, the small ones first, each in the order of the table."""
    sizes = range(1, min(most or len(columns), len(columns)) + 1)
    return [names for size in sizes for names in combinations(columns, size)]


def largest(sets: Sequence[Columns]) -> list[list[str]]:
    """The sets that are part of no other."""
    return [list(one) for one in sets if not any(set(one) < set(other) for other in sets)]


def smallest(sets: Sequence[Columns]) -> list[list[str]]:
    """The sets that hold no other."""
    return [list(one) for one in sets if not any(set(other) < set(one) for other in sets)]


def suppression(sizes: Sequence[int], k: int) -> dict[str, Any]:
    """What has to go for k."""
    gone = gone_for(sizes, k)
    return {"suppress": gone / sum(sizes) if sizes else 0.0, "suppressed": gone}


def suppressions(sizes: Sequence[int], up_to: int) -> Iterator[dict[str, Any]]:
    """What has to go for each k, until nothing is left."""
    for k in range(1, up_to + 1):
        if (k > 1 and gone_for(sizes, k - 1) == sum(sizes)) or not sizes:
            return
        yield {"k": k, **suppression(sizes, k)}


def expected(rows: Sequence[Row], columns: Sequence[str], given: Given, nulls: str) -> Any:
    """The answer, in the shape that `Answer.answer` has."""
    if given.quasi is not None:
        return expected_of_set(rows, given, nulls)
    sets = all_sets(columns, given.max_size)
    if given.suppress == FIND and given.k is not None:
        return [{"quasi": list(s), **suppression(class_sizes(rows, s, nulls), given.k)} for s in sets]
    if given.suppress == FIND:
        return [
            {"quasi": list(s), **row} for s in sets for row in suppressions(class_sizes(rows, s, nulls), given.up_to)
        ]
    k = {s: k_of(rows, s, nulls, given.suppress) for s in sets}
    if given.k is None:
        return [{"quasi": list(s), "k": k[s]} for s in sets]
    if given.at_most:
        return smallest([s for s in sets if k[s] <= given.k])
    return largest([s for s in sets if k[s] >= given.k])


def expected_of_set(rows: Sequence[Row], given: Given, nulls: str) -> Any:
    """The answer for one set of columns."""
    assert given.quasi is not None
    sizes = class_sizes(rows, given.quasi, nulls)
    if given.suppress == FIND and given.k is not None:
        return {**suppression(sizes, given.k), "remaining": sum(sizes) - gone_for(sizes, given.k)}
    if given.suppress == FIND:
        return list(suppressions(sizes, given.up_to))
    k = k_of(rows, given.quasi, nulls, given.suppress)
    if given.k is None:
        return k
    return k <= given.k if given.at_most else k >= given.k


def opened(rows: Sequence[Row], columns: Sequence[str], nulls: str = "extended") -> Diagnosis:
    """A diagnosis of the rows."""
    return diagnose(pa.table(arrays(rows, columns), names=list(columns)), nulls=nulls)


def shares() -> st.SearchStrategy[str]:
    """Shares with two decimals, as somebody writes them."""
    return st.integers(0, 100).map(lambda hundredths: f"{hundredths // 100}.{hundredths % 100:02}")


@st.composite
def small_tables(draw: st.DrawFn, missing: bool = True, fewest_rows: int = 0) -> tuple[Columns, list[Row]]:
    """One to five columns and up to a dozen rows; few values, so that records are alike."""
    columns = COLUMNS[: draw(st.integers(1, 5))]
    cell = cells(draw(st.integers(1, 3)), missing)
    records = draw(st.lists(st.tuples(*[cell] * len(columns)), min_size=fewest_rows, max_size=12))
    return columns, [dict(zip(columns, record, strict=True)) for record in records]


@st.composite
def givens(draw: st.DrawFn, question: str, columns: Sequence[str], at_most: bool = False) -> Given:
    """What is given when a question is asked of a table with these columns."""
    given = QUESTIONS[question]
    return Given(
        k=draw(st.integers(1, 7)) if "k" in given else None,
        quasi=draw(column_sets(columns)) if "quasi" in given else None,
        suppress=FIND if "find" in given else draw(shares()) if "share" in given else None,
        at_most=at_most,
        max_size=draw(st.none() | st.integers(1, 6)) if "quasi" not in given else None,
        up_to=draw(st.sampled_from([1, 2, 3, 50])) if given <= {"quasi", "find"} else 50,
    )
