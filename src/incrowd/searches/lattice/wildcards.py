"""k-anonymity where a missing cell matches everything: no classes, but records that match each other."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.matching import matching_records
from incrowd.core.schema import Nulls
from incrowd.models import PrivacyModel


def wildcard_holds(
    model: PrivacyModel, codes: NDArray[np.int32], counts: NDArray[np.int64], nulls: Nulls
) -> NDArray[np.bool_]:
    """Return which rows of equal records can be published together: each with enough matches among those published.

    Leaving records out takes matches from others, so it is repeated until nothing changes. What can be published on
    some levels can be published on higher ones, because records that match still do: the result never shrinks on the
    way up, as the search demands of a model that is absorbing.
    """
    kept = np.ones(len(counts), dtype=np.bool_)
    names = tuple(str(at) for at in range(len(codes)))
    values = tuple(pa.nulls(int(row.max(initial=0))) for row in codes)
    while kept.any():
        part = FrequencySet(names, values, np.ascontiguousarray(codes[:, kept]), counts[kept])
        enough = model.holds(Classes(matching_records(part, names, nulls)))
        if enough.all():
            break
        kept[np.flatnonzero(kept)[~enough]] = False
    return kept
