"""The text and pictures of a report on the columns of a release."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from incrowd import charts
from incrowd.comparison.distributions import Spread
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Share, Words
from incrowd.reports.column_facts import ColumnFacts
from incrowd.reports.release_facts import ReleaseFacts, SensitiveFacts
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
    drawn = [each for each in both if each.after is not None and each.after.bars]
    if drawn:
        yield Words("Records per value, before and as published; rare values are counted together.")
    if any(map(_is_estimated, drawn)):
        yield Words(
            "If a column is generalized, its values are estimated from the release: the records of each cell are "
            "spread evenly over the values it covers."
        )
    for column in drawn[:_MOST_CHARTS]:
        yield _distribution(column)
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


def _is_estimated(column: ColumnFacts | SensitiveFacts) -> bool:
    """Return whether the values after are estimated from what the cells cover."""
    return column.told is not None and isinstance(column, ColumnFacts) and column.level != 0


def _distribution(column: ColumnFacts | SensitiveFacts) -> Picture:
    name, before, after = column.name, column.before, column.told or column.after
    assert after is not None
    if before is None:
        rows: tuple[tuple[Cell, ...], ...] = after.bars
        return Picture(
            partial(charts.one_distribution, after.bars), Grid(f"{name}: as published", ("published", "records"), rows)
        )
    if column.told is not None:
        bars = with_all_bars(before, after)
        estimated = _is_estimated(column)
        title = "before, and estimated from the release" if estimated else "before and as published"
        grid = Grid(
            f"{name}: {title}",
            ("value", "before", "estimated" if estimated else "published"),
            tuple(
                (label, records, _whole(shown)) for (label, records), (_, shown) in zip(bars, after.bars, strict=True)
            ),
        )
        return Picture(partial(charts.before_and_after, bars, after.bars, is_estimated=estimated), grid)
    after = _in_order_of(before, after)
    rows = (*(("before", *bar) for bar in before.bars), *(("published", *bar) for bar in after.bars))
    grid = Grid(f"{name}: before and as published", ("table", "value", "records"), rows)
    return Picture(partial(charts.before_and_after, before.bars, after.bars), grid)


def with_all_bars(before: Spread, after: Spread) -> tuple[tuple[str, float], ...]:
    """Return the bars before, with those that only the release has."""
    return (*before.bars, *((label, 0) for label, _ in after.bars[len(before.bars) :]))


def _whole(records: float) -> float:
    """Return a number of records without decimals if it has none."""
    return int(records) if records == int(records) else records


def _in_order_of(before: Spread, after: Spread) -> Spread:
    """Return the bars of `after` in the order of `before`, if they have the same values."""
    places = {label: at for at, (label, _) in enumerate(before.bars)}
    if not all(label in places for label, _ in after.bars):
        return after
    return replace(after, bars=tuple(sorted(after.bars, key=lambda bar: places[bar[0]])))
