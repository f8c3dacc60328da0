"""The tables of Loukides' thesis: Adult as in table 4.2, synthetic ones as described there, a census like its own."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import pyarrow as pa
import tables
from local_thesis_speed import CENSUS, QUASI, SENSITIVE, census, numbers_of

from anonymization import counted
from incrowd.core.frequencies import FrequencySet
from incrowd.jobs import Job

SEED = 2008
DEVIATION = 2.5
"""Of the synthetic tables: the thesis' usual one (section 4.2)."""
MIDDLE = 9.5
"""Of the values 0 to 19."""


@dataclass(frozen=True, eq=False)
class Table:
    """What was counted; all columns that are not quasi-identifiers are sensitive."""

    frequencies: FrequencySet
    quasi: tuple[str, ...]
    hierarchies: Mapping[str, Any] = field(default_factory=dict)

    def job(
        self,
        models: list[Any],
        search: Any,
        hierarchies: Mapping[str, Any] | None = None,
        drop: tuple[str, ...] = (),
        **more: Any,
    ) -> Job:
        """A job on this table, with its hierarchies or others."""
        laid = self.hierarchies if hierarchies is None else hierarchies
        columns: dict[str, Any] = {name: {"role": "drop"} for name in drop}
        for name in self.frequencies.names:
            columns[name] = {"role": "quasi" if name in self.quasi else "sensitive"}
            if name in laid:
                columns[name]["hierarchy"] = laid[name]
        return Job.from_dict({"columns": columns, "models": models, "search": search, **more})

    def sampled(self, size: int, seed: int) -> "Table":
        """A uniform random sample with replacement; the domains stay those of the whole table."""
        given = self.frequencies
        drawn = np.random.default_rng(seed).integers(given.records, size=size)
        counts = np.bincount(
            np.searchsorted(np.cumsum(given.counts), drawn, side="right"), minlength=given.combinations
        )
        there = np.flatnonzero(counts)
        codes = np.ascontiguousarray(given.codes[:, there])
        return replace(self, frequencies=replace(given, codes=codes, counts=counts[there].astype(np.int64)))

    def narrowed(self, quasi: int) -> "Table":
        """The first quasi-identifiers alone, beside the sensitive columns."""
        names = [*self.quasi[:quasi], *(name for name in self.frequencies.names if name not in self.quasi)]
        rows = self.rows().select(names)
        kept = {name: laid for name, laid in self.hierarchies.items() if name in names}
        return Table(counted(rows, tuple(names)), self.quasi[:quasi], kept)

    def rows(self) -> pa.Table:
        """One row a record."""
        given = self.frequencies
        cells = [
            values.take(pa.array(np.repeat(codes, given.counts) - 1))
            for values, codes in zip(given.values, given.codes, strict=True)
        ]
        return pa.table(cells, names=list(given.names))


def adult(rows: int | None = None, quasi: tuple[str, ...] = QUASI, sensitive: tuple[str, ...] = SENSITIVE) -> Table:
    """The complete records, or a random sample of them; occupations are numbered, as in the thesis."""
    names = [*quasi, *sensitive]
    table = tables.adult().select(names)
    numbered = table.column("occupation").combine_chunks().dictionary_encode()
    table = table.set_column(names.index("occupation"), "occupation", numbers_of(numbered))
    if rows is not None:
        drawn = np.random.default_rng(SEED).choice(table.num_rows, rows, replace=False)
        table = table.take(pa.array(np.sort(drawn)))
    return Table(counted(table, tuple(names)), quasi)


def synthetic(
    rows: int,
    quasi: int,
    sensitive: int,
    deviation: float = DEVIATION,
    seed: int = SEED,
    secret: tuple[float, float] | None = None,
) -> Table:
    """Whole numbers from 0 to 19, normally distributed around the middle, each column on its own; the sensitive ones
    around another center, with another deviation, where `secret` has them."""
    random = np.random.default_rng(seed)
    names = [*(f"q{at}" for at in range(1, quasi + 1)), *(f"s{at}" for at in range(1, sensitive + 1))]
    cells = {}
    for name in names:
        around = secret if secret is not None and name.startswith("s") else (MIDDLE, deviation)
        cells[name] = np.clip(np.rint(random.normal(*around, rows)), 0, 19).astype(int)
    return Table(counted(pa.table(cells), tuple(names)), tuple(names[:quasi]))


def invented_census(rows: int = 100_000) -> Table:
    """The columns and domain sizes of table 6.1; the extract itself is not published, and neither are its hierarchies:
    education and occupation have groups of four or five values, marital status has two."""
    groups = {
        "education": [range(5), range(5, 9), range(9, 13), range(13, 17)],
        "occupation": [range(at, min(at + 5, 26)) for at in range(0, 26, 5)],
    }
    named = {"education": "{}", "occupation": "o{}"}
    trees: dict[str, Any] = {
        name: {
            "tree": {
                "groups": {f"{name} {at}": [named[name].format(each) for each in group] for at, group in enumerate(of)}
            }
        }
        for name, of in groups.items()
    }
    trees["marital"] = {"tree": {"groups": {"married": list("abc"), "alone": list("def")}}}
    return Table(census(rows), CENSUS, trees)


def widened(table: Table) -> Table:
    """With two more quasi-identifiers, of 9 and of 51 values: figure 6.37 has seven, and table 6.1 tells of five."""
    random = np.random.default_rng(SEED)
    rows = table.rows()
    for name, values in (("region", 9), ("state", 51)):
        rows = rows.append_column(name, pa.array(random.integers(0, values, rows.num_rows).astype(str)))
    quasi = (*table.quasi, "region", "state")
    names = (*quasi, "income")
    return Table(counted(rows.select(list(names)), names), quasi, table.hierarchies)


WITH_AGES = {"age": {"intervals": {"widths": [5, 10, 20, 40], "domain": [0, 79]}}}
"""A hierarchy of ages, for searches that need one."""
