"""Which classes satisfy a model, from what is known of their records and entries."""

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Histogram
from incrowd.models._contract import Mask


def or_empty(satisfied: Mask, classes: Classes) -> Mask:
    """A class without records has nobody to protect."""
    found: Mask = satisfied | (classes.sizes == 0)
    return found


def spared(histogram: Histogram, marked: Mask) -> Mask:
    """The classes none of whose entries is marked."""
    found = np.ones(len(histogram), dtype=np.bool_)
    found[histogram.owner[marked]] = False
    return found
