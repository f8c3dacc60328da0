"""The records to suppress, from the records themselves."""

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.people import with_person
from incrowd.core.schema import Nulls
from incrowd.core.table import MISSING, Table
from incrowd.diagnosis.measures import Number
from incrowd.diagnosis.query import DiagnosisQuery


def rows_below(table: Table, asked: DiagnosisQuery, goal: Number, hierarchy: Hierarchy | None) -> list[int]:
    """Return the rows in classes that do not satisfy the goal; with basic matching also those set aside.

    A sensitive column comes after the quasi-identifiers, and then those of the person.
    """
    assert asked.quasi is not None
    measure, width = asked.measure, len(asked.quasi)
    codes = np.array([column.codes for column in table.columns], dtype=np.int32)
    names, values = zip(*((column.name, column.values) for column in table.columns), strict=True)
    records = FrequencySet(names, values, codes, np.ones(table.rows, dtype=np.int64))
    sensitive = [] if measure.column is None else [(measure.column,)]
    if measure.person:
        # Every record counts once here, so that they stay in order.
        records = with_person(records, names[: width + len(sensitive)], measure.person)
    is_basic = asked.nulls is Nulls.BASIC
    kept = (codes[:width] != MISSING).all(axis=0) if is_basic else np.ones(table.rows, dtype=np.bool_)
    judged = records.complete(asked.quasi) if is_basic else records
    ladders = {} if hierarchy is None else {names[width]: hierarchy.along(names[width], values[width])}
    classes = judged.classes(asked.quasi)
    needed = measure.needs(records.names[-1]) if measure.person else sensitive
    grouped: Classes = judged.grouped(classes.of, len(classes), needed, ladders, records)
    if measure.person:
        grouped = measure.by_people(grouped, records.names[-1])
    gone = ~kept
    gone[kept] = (measure.scores(grouped) < measure.score(goal))[classes.of]
    rows: list[int] = np.flatnonzero(gone).tolist()
    return rows
