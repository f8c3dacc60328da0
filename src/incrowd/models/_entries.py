"""Entries of a histogram sorted within their classes."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts, Histogram


def arranged(histogram: Histogram, positions: Counts) -> NDArray[np.intp]:
    """Return the entries class by class, within a class by the position of their values."""
    return np.argsort(histogram.owner * np.int64(len(positions)) + positions[histogram.values])
