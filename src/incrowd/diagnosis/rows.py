"""The records to suppress, from the records themselves."""

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Nulls
from incrowd.core.table import MISSING, Table
from incrowd.diagnosis.measures import Number
from incrowd.diagnosis.query import DiagnosisQuery


def rows_below(table: Table, asked: DiagnosisQuery, goal: Number, hierarchy: Hierarchy | None) -> list[int]:
    """Return the rows in classes that do not satisfy the goal; with basic matching also those set aside.

    A sensitive column is the last of the table.
    """
    assert asked.quasi is not None
    measure, width = asked.measure, len(asked.quasi)
    codes = np.array([column.codes for column in table.columns], dtype=np.int32)
    names, values = zip(*((column.name, column.values) for column in table.columns), strict=True)
    records = FrequencySet(names, values, codes, np.ones(table.rows, dtype=np.int64))
    is_basic = asked.nulls is Nulls.BASIC
    kept = (codes[:width] != MISSING).all(axis=0) if is_basic else np.ones(table.rows, dtype=np.bool_)
    judged = records.complete(asked.quasi) if is_basic else records
    sensitive = [] if measure.column is None else [(measure.column,)]
    ladders = {} if hierarchy is None else {names[-1]: hierarchy.along(names[-1], values[-1])}
    classes = judged.classes(asked.quasi)
    grouped = judged.grouped(classes.of, len(classes), sensitive, ladders, records)
    gone = ~kept
    gone[kept] = (measure.scores(grouped) < measure.score(goal))[grouped.of]
    rows: list[int] = np.flatnonzero(gone).tolist()
    return rows
