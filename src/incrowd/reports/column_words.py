"""What is left of each column of a release, in words and pictures."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from incrowd.reports import charts
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Share, Words
from incrowd.reports.release_facts import ColumnFacts, ReleaseFacts, SensitiveFacts
from incrowd.reports.values import Spread
from incrowd.text import number

_MOST_CHARTS = 24
"""Columns that are drawn; of more, the others are in the tables."""


def column_blocks(facts: ReleaseFacts) -> Iterator[Block]:
    """What each column is published as, and a picture of its values before and after."""
    if facts.apart:
        yield Words("Quasi-identifiers are published as they are; nothing of their detail is lost.")
    rows = tuple(_row(column) for column in facts.columns)
    headers = ("column", "published as", "level", "of", "different cells", "different values before", "detail left")
    known = [(column.name, 1 - column.loss) for column in facts.columns if column.loss is not None]
    if known:
        yield Words(
            "Detail left is what remains of a column: 100 % where every cell is as it was, 0 % where no cell tells "
            "anything; a record that was left out counts as nothing left."
        )
    table = Grid("What was generalised to which level, and what is left", headers, rows).without_empty()
    if len(known) > 1:
        yield Picture(partial(charts.bars, known[: 2 * _MOST_CHARTS], "detail left", share=True), table, folded=False)
    else:
        yield table
    both: list[ColumnFacts | SensitiveFacts] = [*facts.columns, *facts.sensitive]
    spreads = [(column.name, column.before, column.after) for column in both]
    told = {column.name: column.told for column in facts.columns if column.told is not None}
    drawn = [each for each in spreads if each[2] is not None and each[2].bars]
    if drawn:
        yield Words("Records per value, before and as published; rare values are counted together.")
    if told:
        yield Words(
            "Where cells differ from group to group, or there are too many to show, the release is told by what its "
            "cells cover: the records of each cell are spread evenly over its values."
        )
    for name, before, after in drawn[:_MOST_CHARTS]:
        assert after is not None
        yield _distribution(name, before, told.get(name) or after, name in told)
    if len(drawn) > _MOST_CHARTS:
        yield Words(f"{number(len(drawn) - _MOST_CHARTS)} more columns are not drawn.")


def _row(column: ColumnFacts) -> tuple[Cell, ...]:
    return (
        column.name,
        _state(column),
        column.level,
        column.height,
        column.published,
        None if column.before is None else column.before.distinct,
        None if column.loss is None else Share(1 - column.loss),
    )


def _state(column: ColumnFacts) -> str:
    if column.form is not None:
        return "as it is" if column.form == "value" or column.loss == 0 else f"{column.form}, from group to group"
    if column.level is None and column.height is not None:
        return "levels that differ from cell to cell"
    if column.level == 0:
        return "as it is"
    return "nothing left" if column.level == column.height else "generalised"


def _distribution(name: str, before: Spread | None, after: Spread, told: bool) -> Picture:
    if before is None:
        rows: tuple[tuple[Cell, ...], ...] = after.bars
        return Picture(
            partial(charts.one_distribution, after.bars), Grid(f"{name}: as published", ("published", "records"), rows)
        )
    if told:
        pairs = zip(before.bars, after.bars, strict=True)
        rows = tuple((label, records, expected) for (label, records), (_, expected) in pairs)
        grid = Grid(f"{name}: before, and as the release tells it", ("value", "before", "told"), rows)
        return Picture(partial(charts.before_and_after, before.bars, after.bars, told=True), grid)
    after = _in_order_of(before, after)
    rows = (*(("before", *bar) for bar in before.bars), *(("published", *bar) for bar in after.bars))
    grid = Grid(f"{name}: before and as published", ("table", "value", "records"), rows)
    return Picture(partial(charts.before_and_after, before.bars, after.bars), grid)


def _in_order_of(before: Spread, after: Spread) -> Spread:
    """Bars of the same values stand beside each other."""
    places = {label: at for at, (label, _) in enumerate(before.bars)}
    if not all(label in places for label, _ in after.bars):
        return after
    return replace(after, bars=tuple(sorted(after.bars, key=lambda bar: places[bar[0]])))
