"""The text and pictures of a report on the columns of a release."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from incrowd import charts
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Share, Words
from incrowd.reports.release_facts import ColumnFacts, ReleaseFacts, SensitiveFacts
from incrowd.reports.values import Spread
from incrowd.text import number

_MOST_CHARTS = 24
"""The number of columns that are drawn; further ones are in the tables only."""


def column_blocks(facts: ReleaseFacts) -> Iterator[Block]:
    """Yield the level and information loss of each column, and pictures of its values before and after."""
    if facts.apart:
        yield Words("Quasi-identifiers are published unchanged, without information loss.")
    rows = tuple(_row(column) for column in facts.columns)
    headers = ("column", "published as", "level", "of", "distinct cells", "distinct values before", "information loss")
    known = [(column.name, column.loss) for column in facts.columns if column.loss is not None]
    if known:
        yield Words(
            "The information loss of a column is 0% if every cell is unchanged and 100% if no cell carries any "
            "information. A suppressed record counts as 100%."
        )
    table = Grid("Levels and information loss" if known else "Levels", headers, rows).without_empty()
    if len(known) > 1:
        bars = partial(charts.bars, known[: 2 * _MOST_CHARTS], "information loss", share=True)
        yield Picture(bars, table, folded=False)
    else:
        yield table
    both: list[ColumnFacts | SensitiveFacts] = [*facts.columns, *facts.sensitive]
    spreads = [(column.name, column.before, column.after) for column in both]
    estimated = {column.name: column.told for column in facts.columns if column.told is not None}
    drawn = [each for each in spreads if each[2] is not None and each[2].bars]
    if drawn:
        yield Words("Records per value, before and as published; rare values are counted together.")
    if estimated:
        yield Words(
            "If cells differ between classes, or are too many to show, the values are estimated from the release: the "
            "records of each cell are spread evenly over the values it covers."
        )
    for name, before, after in drawn[:_MOST_CHARTS]:
        assert after is not None
        yield _distribution(name, before, estimated.get(name) or after, name in estimated)
    if len(drawn) > _MOST_CHARTS:
        yield Words(f"{number(len(drawn) - _MOST_CHARTS)} more columns are not shown.")


def _row(column: ColumnFacts) -> tuple[Cell, ...]:
    return (
        column.name,
        _state(column),
        column.level,
        column.height,
        column.published,
        None if column.before is None else column.before.distinct,
        None if column.loss is None else Share(column.loss),
    )


def _state(column: ColumnFacts) -> str:
    if column.form is not None:
        return "unchanged" if column.form == "value" or column.loss == 0 else f"{column.form}, per class"
    if column.level is None and column.height is not None:
        return "levels differ between cells"
    return level_words(column.level, column.height)


def level_words(level: int | None, height: int | None) -> str:
    """Return what a level of a hierarchy means for the cells of a column."""
    if level == 0:
        return "unchanged"
    return "fully generalized" if level == height else "generalized"


def _distribution(name: str, before: Spread | None, after: Spread, is_estimated: bool) -> Picture:
    if before is None:
        rows: tuple[tuple[Cell, ...], ...] = after.bars
        return Picture(
            partial(charts.one_distribution, after.bars), Grid(f"{name}: as published", ("published", "records"), rows)
        )
    if is_estimated:
        pairs = zip(before.bars, after.bars, strict=True)
        rows = tuple((label, records, expected) for (label, records), (_, expected) in pairs)
        grid = Grid(f"{name}: before, and estimated from the release", ("value", "before", "estimated"), rows)
        return Picture(partial(charts.before_and_after, before.bars, after.bars, is_estimated=True), grid)
    after = _in_order_of(before, after)
    rows = (*(("before", *bar) for bar in before.bars), *(("published", *bar) for bar in after.bars))
    grid = Grid(f"{name}: before and as published", ("table", "value", "records"), rows)
    return Picture(partial(charts.before_and_after, before.bars, after.bars), grid)


def _in_order_of(before: Spread, after: Spread) -> Spread:
    """Return the bars of `after` in the order of `before`, if they have the same values."""
    places = {label: at for at, (label, _) in enumerate(before.bars)}
    if not all(label in places for label, _ in after.bars):
        return after
    return replace(after, bars=tuple(sorted(after.bars, key=lambda bar: places[bar[0]])))
