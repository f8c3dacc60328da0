"""The picture of a release: what each quasi-identifier costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.anonymization.first_look import columns_by_loss
from incrowd.anonymization.released import released_table

if TYPE_CHECKING:
    from incrowd.anonymization.result import AnonymizationResult
    from incrowd.charts import Chart
    from incrowd.release import RecodedQuasi

_LOSS = "information loss"
_LEVEL = "level of its cells, on average, as a share of the levels of its hierarchy"


def picture_of(made: AnonymizationResult) -> Chart:
    """Return the loss of each column, or the mean level of its cells if the search measured no losses."""
    from incrowd.charts import bars

    losses = made.figures.losses
    if losses:
        return bars(columns_by_loss(losses), _LOSS, share=True)
    found = {column.name: _mean_level(column, made) for column in made.record.quasi}
    return bars(columns_by_loss(found), _LEVEL, share=True)


def _mean_level(column: RecodedQuasi, made: AnonymizationResult) -> float:
    """Return the mean level of the cells of a column by its height; a label on several levels is on the lowest."""
    if not column.height:
        return 0.0
    if column.level is not None:
        return column.level / column.height
    lowest: dict[Any, int] = {}
    for row in column.rows:
        for level, label in enumerate(row):
            lowest[label] = min(level, lowest.get(label, level))
    cells = released_table(made).column(column.name).to_pylist()
    levels = [lowest.get(str(cell), column.height) for cell in cells if cell is not None]
    return sum(levels) / max(1, len(levels)) / column.height
