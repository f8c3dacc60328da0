"""Small tables whose records guard nodes of a tree, and the problems that they make."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis
from incrowd.core.frequencies import Counting
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.personal_breach import PersonalBreach
from incrowd.recodings import Form
from incrowd.searches import Problem
from local.tables import PLACES

Text = str | None
Ladder = tuple[tuple[Text, ...], ...]
Row = dict[str, Text]

VALUE, GUARD = "value", "guard"

TREE: Ladder = (
    ("flu", "lungs", "ill", "*"),
    ("cough", "lungs", "ill", "*"),
    ("asthma", "lungs", "ill", "*"),
    ("ulcer", "stomach", "ill", "*"),
    ("colic", "stomach", "ill", "*"),
    ("burn", "skin", "hurt", "*"),
)
"""Six values under three nodes under two."""


def labels_of(rows: Ladder) -> list[str]:
    """All that may be guarded."""
    return sorted({text for row in rows for text in row if text is not None})


@st.composite
def trees(draw: st.DrawFn) -> Ladder:
    """Two to six values below one to three levels; missing is listed or not."""
    values: list[Text] = [*"abcdef"[: draw(st.integers(2, 6))]]
    inner = draw(st.integers(0, 2))
    # Below the top alone, missing has no path of its own.
    if inner and draw(st.booleans()):
        values.append(None)
    high = [draw(st.integers(0, 1)) for _ in range(4)]
    rows = []
    for value in values:
        low = draw(st.integers(0, 3))
        rows.append((value, *(f"low {low}", f"high {high[low]}")[:inner], "*"))
    return tuple(rows)


@st.composite
def guarded_tables(draw: st.DrawFn, most: int = 16) -> tuple[Ladder, list[Row]]:
    """A tree, and records with values and guards of it, some without either."""
    rows = draw(trees())
    values, labels = [row[0] for row in rows] + [None], [*labels_of(rows), None, None]
    row = st.fixed_dictionaries(
        {
            "age": st.sampled_from(["7", "18", "19", "40", None]),
            "place": st.sampled_from([*PLACES.values, None]),
            VALUE: st.sampled_from(values),
            GUARD: st.sampled_from(labels),
        }
    )
    return rows, draw(st.lists(row, max_size=most))


def guarded_problem(
    rows: Ladder, records: Sequence[Row], p: float, *others: PrivacyModel, budget: int = 0, more: Sequence[str] = ()
) -> Problem:
    """The problem of a table with the quasi-identifiers age and place."""
    guard = PersonalBreach(p, GUARD, column=VALUE)
    names = ["age", "place", VALUE, GUARD, *more]
    counting = Counting(names)
    counting.add([pa.array([record[name] for record in records], pa.string()) for name in names])
    found = counting.result()
    age, place = Axis.of_numbers("age", found.values[0]), Axis.of_tree(PLACES.along("place", found.values[1]))
    ladder = Hierarchy.from_rows(rows).along(VALUE, found.values[2])
    assert age is not None
    sets = {name: Axis.of_set(name, of) for name, of in zip(names[3:], found.values[3:], strict=True)}
    return Problem(
        found,
        (),
        All((guard, *others)) if others else guard,
        Loss(),
        budget,
        sensitive={VALUE: ladder},
        axes=(age, place),
        sensitive_axes={VALUE: Axis.of_tree(ladder), **sets},
        forms=(Form.RANGE, Form.ANCESTOR),
    )


def below(rows: Ladder, text: Text) -> set[Text]:
    """The values below a node, each row being a value and all that lies above it."""
    found = {row[0] for row in rows if text in row}
    return found or {None}


def share(rows: Ladder, cell: Text, guard: Text) -> Fraction:
    """How much of what a cell covers lies below a guard; missing that is not listed lies below the top alone."""
    if len(below(rows, guard)) == len(rows):
        return Fraction(1)
    covered = below(rows, cell) if cell is not None or any(row[0] is None for row in rows) else set()
    return Fraction(len(covered & below(rows, guard)), max(1, len(covered)))


def breach(rows: Ladder, cells: "Counter[Text]", guard: Text) -> Fraction:
    """The probability that a record of a class lies below a guard, by the definition."""
    return sum((n * share(rows, cell, guard) for cell, n in cells.items()), Fraction(0)) / max(1, cells.total())


def cells_of(rows: Ladder, groups: Groups) -> dict[int, list[tuple[Text, Text, Text]]]:
    """By group what each record had, what is published of it, and what it guards."""
    texts = [[None, *values.to_pylist()] for values in groups.frequencies.values]
    paths = {row[0]: row for row in rows}
    found: dict[int, list[tuple[Text, Text, Text]]] = {}
    pieces: Any = zip(
        groups.combination.tolist(),
        groups.counts.tolist(),
        groups.group.tolist(),
        groups.levels[VALUE].tolist(),
        strict=True,
    )
    for at, n, group, level in pieces:
        value, guard = (texts[column][groups.frequencies.codes[column, at]] for column in (2, 3))
        top = rows[0][-1] if level == len(rows[0]) - 1 else None
        cell = paths[value][level] if value in paths else top
        found.setdefault(group, []).extend([(value, cell, guard)] * n)
    return found


shares = st.sampled_from([0.1, 0.2, 0.25, 1 / 3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0])


def hopeless(rows: Ladder, records: Sequence[Row], p: float) -> int:
    """Records whose guard no release can keep."""
    floors = [Fraction(len(below(rows, record[GUARD])), len(rows)) for record in records if record[GUARD] is not None]
    return sum(1 for floor in floors if floor > Fraction(str(p)) + Fraction("1e-9"))


def records(*pairs: tuple[Text, Text]) -> list[Row]:
    """One class of values with their guards."""
    return [{"age": "7", "place": "Bonn", VALUE: value, GUARD: guard} for value, guard in pairs]


def some_shares() -> SearchStrategy[float]:
    """What p may be."""
    return shares
