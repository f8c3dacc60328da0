"""The ladder that the whole table suggests: by the name of the column, by counts of values and by other columns."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import automatic

MEANING = (
    "Suggested from the whole table, as incrowd init does: also from the column's name, from counts of its values and "
    "from the other columns."
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
