"""How many classes a node has at most, known from its levels alone."""

import numpy as np

from incrowd.metrics import Columns, Numbers

_SLACK = 1e-9
"""Logarithms are rounded; a bound may be too low by this, never too high."""


class ClassLimit:
    """At most one class for each combination of labels, and for each combination of the data.

    A class has records, so each of its labels occurs in its column, and one of the data's combinations is its own.
    """

    def __init__(self, columns: Columns) -> None:
        self.combinations = int(np.count_nonzero(columns.combinations.counts))
        self.parts = [-np.log(counts) for counts in label_counts(columns)]

    def most(self, total: Numbers) -> Numbers:
        """Return the limit where the parts sum up to the total; 1 where there is no record."""
        known = max(1, self.combinations)
        # Cut before it is raised, because many columns have more combinations of labels than a float can hold.
        labels = np.exp(np.minimum(-total, np.log(known)))
        return np.minimum(np.floor(labels * (1 + _SLACK)), known)


def label_counts(columns: Columns) -> list[Numbers]:
    """Return per column and level how many different labels the data have; 1 where there is no record."""
    return [
        np.array([max(1.0, np.count_nonzero(np.bincount(up, weights=totals))) for up in ladder.up])
        for ladder, totals in zip(columns.ladders, columns.totals, strict=True)
    ]
