"""The tables of Loukides' thesis: Adult as in table 4.2, synthetic ones as described there, a census like its own."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import pyarrow as pa
import tables
from local_thesis_speed import CENSUS, QUASI, SENSITIVE, census, numbers_of

from anonymization import counted
from incrowd.core.frequencies import FrequencySet

SEED = 2008
DEVIATION = 2.5
"""Of the synthetic tables: the thesis' usual one (section 4.2)."""

Table = tuple[FrequencySet, tuple[str, ...]]
"""What was counted, and the names of the quasi-identifiers; all other columns are sensitive."""


def adult(rows: int | None = None) -> Table:
    """The complete records, or a random sample of them; occupations are numbered, as in the thesis."""
    table = tables.adult().select([*QUASI, *SENSITIVE])
    numbered = table.column("occupation").combine_chunks().dictionary_encode()
    table = table.set_column(len(QUASI) + 1, "occupation", numbers_of(numbered))
    if rows is not None:
        drawn = np.random.default_rng(SEED).choice(table.num_rows, rows, replace=False)
        table = table.take(pa.array(np.sort(drawn)))
    return counted(table, [*QUASI, *SENSITIVE]), QUASI


def synthetic(rows: int, quasi: int, sensitive: int) -> Table:
    """Whole numbers from 0 to 19, normally distributed around the middle, each column on its own."""
    random = np.random.default_rng(SEED)
    names = [*(f"q{at}" for at in range(1, quasi + 1)), *(f"s{at}" for at in range(1, sensitive + 1))]
    cells = {name: np.clip(np.rint(random.normal(9.5, DEVIATION, rows)), 0, 19).astype(int) for name in names}
    return counted(pa.table(cells), names), tuple(names[:quasi])


def invented_census() -> Table:
    """100,000 records with the columns and domain sizes of table 6.1; the extract itself is not published."""
    return census(100_000), CENSUS
