"""The ladder that the whole table suggests: the name of the column, how often values occur, and the other columns too."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import automatic

MEANING = (
    "Suggested from the whole table, as incrowd init does: also from the name of the column, from how often values occur "
    "and from the other columns."
)
RANK = 1.5

BY_VALUES = True
BY_TABLE = True


def build(values: pa.Array, *, name: str = "unnamed") -> Hierarchy:
    """Return the ladder that the values suggest where nothing else of the table is known."""
    return automatic.build(values, name=name)


def declares_levels(options: Mapping[str, Any]) -> bool:
    """Return False: the table proposes them."""
    return False
