"""Models that would have prevented an attack, if a release of these records can satisfy them at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from incrowd import models
from incrowd.attacks._values_of_people import HistogramOfPeople
from incrowd.core.classes import Classes
from incrowd.core.histograms import Histogram
from incrowd.models import PrivacyModel


def remedy(model: PrivacyModel, histogram: Histogram, of_people: bool = False) -> str:
    """Return a model of one column as text, or that no release of these records satisfies it.

    If any classes satisfy a model that survives merging, so does one class of all records. If that does not, records
    must go; and if the model is absorbing, fewer of them do not satisfy it either.
    """
    named = models.spell(model) + (" by people" if of_people else "")
    whole = _as_one_class(histogram)
    classes = Classes(whole.sizes, {whole.domain.columns: whole})
    if not model.monotone.merging or model.holds(classes).all():
        return named
    if model.monotone.absorbing:
        return f"none: even all records in one class do not satisfy {named}"
    return f"{named} (only if records are suppressed: all in one class do not satisfy it)"


def _as_one_class(histogram: Histogram) -> Histogram:
    """Return the values of all records, or people, as one class."""
    whole = histogram.domain.whole
    there = np.flatnonzero(whole)
    starts = np.array([0, len(there)], dtype=np.int64)
    one = replace(histogram, starts=starts, values=there.astype(np.int32), counts=whole[there])
    return replace(one, people=np.array([one.everybody])) if isinstance(one, HistogramOfPeople) else one
