"""Entries of a histogram sorted within their classes."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts, Histogram


def arranged(histogram: Histogram, positions: Counts) -> NDArray[np.intp]:
    """The entries class by class, within a class by the position of their values."""
    return np.argsort(histogram.owner * np.int64(len(positions)) + positions[histogram.values])


def descending(histogram: Histogram) -> Counts:
    """The counts class by class, within a class the largest first."""
    largest = int(histogram.counts.max(initial=0))
    if len(histogram) * (largest + 1) >= 2**63:
        return histogram.counts[np.lexsort((-histogram.counts, histogram.owner))]
    # Sorting one packed number is several times as fast as sorting by two.
    packed = histogram.owner * np.int64(largest + 1)
    found: Counts = largest - (np.sort(packed + (largest - histogram.counts)) - packed)
    return found
