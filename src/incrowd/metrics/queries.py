"""Queries: how far off the answers of queries that count records are (ARE), of your own or of random ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from incrowd.core.axes import Axis
from incrowd.core.hierarchy import plain, text_forms
from incrowd.errors import UsageError
from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics._query_score import QueryScore
from incrowd.models.paths import located
from incrowd.release_metrics.query_conditions import QueryConditions, read_rows
from incrowd.release_metrics.scale import Scale, leaf_positions
from incrowd.release_metrics.workload import Workload
from incrowd.spelling import Text

CONDITIONS = 3
"""Random queries have conditions on so many columns: type 1 (Loukides 4.5.2)."""


@dataclass(frozen=True)
class Queries:
    """Mean over queries of |actual - estimated| / actual; the queries are those of a file, else random ones of type 1.

    The base values that a cell covers are taken to be equally likely. A suppressed record is in no estimate; a query
    that is true of no original record is left out.
    """

    workload: Text | None = None
    """A CSV file of queries: a row for each, a column for each column asked about, a value, range, set or label in each
    cell; an empty cell asks nothing of its column."""
    size: int = 1000
    """How many random queries of type 1, where there is no workload."""

    _file: ClassVar[Path]
    """Where the workload lies; not an option."""

    def __post_init__(self) -> None:
        if self.workload is not None and not (isinstance(self.workload, str) and self.workload):
            raise UsageError.not_one_of("workload of queries", self.workload, ["a CSV file of queries"])
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 1:
            raise UsageError(f"size of queries is {self.size!r}; it must be a number of queries, 1 or more")
        # Found from the folder of the job, wherever it is read later on.
        object.__setattr__(self, "_file", located(self.workload or ""))

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return QueryScore(columns, self.asked(columns))

    def asked(self, columns: Columns) -> QueryConditions:
        """Return what the queries ask for."""
        scales = [Scale.of(Axis.of_tree(ladder)) for ladder in columns.ladders]
        if self.workload is not None:
            rows = read_rows(self.workload, self._file)
            return QueryConditions.of_rows(self.workload, rows, scales, columns.combinations)
        drawn = Workload.at_random(columns.combinations, scales, CONDITIONS, self.size, seed=0)
        return QueryConditions.of_covers(drawn.asked, drawn.conditions)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition (Loukides 4.5.2), query by query and record by record."""
        asked = self.asked(columns)
        errors = []
        for conditions in asked.conditions.T.tolist():
            actual, estimated = 0, 0.0
            for record in records:
                each = [
                    fits(columns, c, level, record.values[c], asked.wanted[c][condition])
                    for c, (level, condition) in enumerate(zip(levels, conditions, strict=True))
                    if condition >= 0
                ]
                actual += all(really for really, _ in each)
                if not record.suppressed:
                    estimated += float(np.prod([probably for _, probably in each]))
            if actual:
                errors.append(abs(actual - estimated) / actual)
        return sum(errors) / len(errors) if errors else 0.0


def fits(columns: Columns, c: int, level: int, code: int, wanted: Sequence[bool]) -> tuple[bool, float]:
    """Return whether the original cell fulfils a condition, and how likely the published one does."""
    ladder = columns.ladders[c]
    hierarchy, leaves = ladder.hierarchy, leaf_positions(ladder.hierarchy).tolist()
    really = False
    if code:
        [value] = plain(ladder.values.slice(code - 1, 1))
        really = any(bool(wanted[leaves[at]]) for at, text in enumerate(hierarchy.values) if text in text_forms(value))
    if level == 0:
        return really, float(really)
    label = int(ladder.up[level][code])
    if not label:
        return really, 0.0
    covered = [at for at, each in enumerate(hierarchy.codes[level].tolist()) if each + 1 == label]
    count = len(covered) + (hierarchy.lists_missing and hierarchy.missing[level] + 1 == label)
    return really, sum(bool(wanted[leaves[at]]) for at in covered) / count


METRIC = Queries
MEANING = "average error of counting queries"
RANK = 12
