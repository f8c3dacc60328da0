"""Which classes satisfy a model, from what is known of their records and entries."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts, Histogram
from incrowd.models._contract import Mask

_ROUNDING = 1e-6


def wholly(violating: Mask, classes: Classes) -> Counts:
    """Return all records of the classes that violate something that no part of them satisfies either."""
    return np.where(violating, classes.sizes, 0)


def partly(least: NDArray[np.float64], classes: Classes) -> Counts:
    """Return how many records are lost at least: a whole number, rounded cautiously, at most all of them."""
    whole = np.ceil(least * (1 - _ROUNDING) - _ROUNDING)
    return np.clip(whole, 0, classes.sizes).astype(np.int64)


def or_empty(satisfied: Mask, classes: Classes) -> Mask:
    """Return the mask with True for classes without records, which have nobody to protect."""
    found: Mask = satisfied | (classes.sizes == 0)
    return found


def spared(histogram: Histogram, marked: Mask) -> Mask:
    """Return the classes none of whose entries is marked."""
    found = np.ones(len(histogram), dtype=np.bool_)
    found[histogram.owner[marked]] = False
    return found
