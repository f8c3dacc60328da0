"""The combinations of two tables under one numbering: equal values get equal numbers, however they were encoded."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING, Codes, Encoder

Encoded = tuple[NDArray[np.int32], Sequence[pa.Array]]
"""Codes (columns x combinations), and per column the values that they stand for."""


def number_together(names: Sequence[str], first: Encoded, second: Encoded) -> tuple[Codes, Codes, int]:
    """Return the number of each combination of the first and second table, and how many numbers there are.

    Where the types of a column differ, its values are compared as text.
    """
    encoders = [Encoder(name) for name in names]
    codes = np.concatenate([_encoded(encoders, first), _encoded(encoders, second)], axis=1)
    numbers, n = number_combinations(list(codes), [len(encoder) for encoder in encoders])
    width = first[0].shape[1]
    return numbers[:width], numbers[width:], n


def _encoded(encoders: Sequence[Encoder], table: Encoded) -> NDArray[np.int32]:
    rows = [_shared_codes(encoder, values)[codes] for encoder, codes, values in zip(encoders, *table, strict=True)]
    return np.array(rows, dtype=np.int32)


def _shared_codes(encoder: Encoder, values: pa.Array) -> Codes:
    """Return the code that the encoder gives to each of a table's own codes."""
    own = pa.DictionaryArray.from_arrays(pa.array(range(len(values)), pa.int32()), values)
    _, shared = encoder.encode(own)
    return np.concatenate([[np.int32(MISSING)], shared[:-1]])
