"""A lot of people as a problem about records: a person is one long record."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.models.on_views import OnViews
from incrowd.searches._people.judging import model_of
from incrowd.searches._people.lots import Lot
from incrowd.searches._people.records import PeopleRecords
from incrowd.searches.problem import Problem

NUMBER = "person"
"""The column with the number of each person; no other name of a long record is like it."""


def wide(records: PeopleRecords, lot: Lot, judge: OnViews, slot: NDArray[np.int64], budget: int) -> Problem:
    """Return the problem to cluster the people of a lot, so many of whom may be left out."""
    problem = records.problem
    entries = lot.entries(records)
    sensitive = [axis for axis in problem.sensitive_axes.values() if axis.name not in records.table.columns]
    numbers = pa.array(np.arange(1, len(lot.people) + 1))
    columns = [(axis, at) for kept in (problem.axes, sensitive) for at in range(lot.width) for axis in kept]
    codes = [_codes(records, axis.name)[entries[:, at]] for axis, at in columns]
    names = [_name(axis.name, at) for axis, at in columns]
    axes = [replace(axis, name=name) for (axis, _), name in zip(columns, names, strict=True)]
    quasi = lot.width * len(problem.axes)
    return replace(
        problem,
        frequencies=FrequencySet(
            (*names, NUMBER),
            (*(axis.values for axis in axes), numbers),
            np.stack([*codes, np.arange(1, len(lot.people) + 1, dtype=np.int32)]),
            np.ones(len(lot.people), dtype=np.int64),
        ),
        model=model_of(judge, NUMBER, lot.people, slot),
        budget=budget,
        priorities=problem.priorities * lot.width,
        sensitive={},
        axes=tuple(axes[:quasi]),
        sensitive_axes={axis.name: axis for axis in axes[quasi:]},
        forms=problem.forms * lot.width,
        people=None,
    )


def _name(name: str, at: int) -> str:
    return f"{name} {at + 1}"


def _codes(records: PeopleRecords, name: str) -> NDArray[np.int32]:
    frequencies = records.table.frequencies
    found: NDArray[np.int32] = frequencies.codes[frequencies.names.index(name)][records.table.row]
    return found
