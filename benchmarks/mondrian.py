"""Mondrian beside anonypy's, and on large tables: python benchmarks/mondrian.py [NAME...]

`python benchmarks/mondrian.py ncp` compares the certainty penalties for six k. anonypy is looked for as an installed
package (`pip install --no-deps anonypy`).
"""

import sys
from typing import Any

import numpy as np
import pyarrow as pa
import tables
from harness import Figures, Row, measure, run

import incrowd
from anonymization import HIERARCHIES, counted
from incrowd.anonymization.axes import axes_of
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.jobs import Job
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem
from incrowd.searches.mondrian import Mondrian
from incrowd.watch import Watch

SEVEN = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
KS = (2, 5, 10, 25, 50, 100)


def problem(frequencies: FrequencySet, k: int, with_trees: bool) -> Problem:
    """Numbers by their range; other columns along the shared hierarchies, or as sets."""
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in frequencies.names}
    if with_trees:
        columns = {name: {"role": "quasi", "hierarchy": str(HIERARCHIES / f"{name}.csv")} for name in columns}
    job = Job.from_dict({"columns": columns, "models": [{"k_anonymity": {"k": k}}], "search": "mondrian"})
    return Problem(frequencies, (), KAnonymity(k), Loss(), axes=axes_of(job, frequencies)[0])


def cut(frequencies: FrequencySet, k: int, with_trees: bool = False, **options: str) -> Groups:
    """The groups of Mondrian."""
    with Watch() as watch:
        found = Mondrian(**options).run(problem(frequencies, k, with_trees), watch).groups
    assert found is not None
    return found


def mondrian_incrowd() -> Figures:
    """From the table in memory to groups, counting included."""
    table = tables.adult().select(SEVEN)
    cut(counted(table.slice(0, 100), SEVEN), 10)
    return measure(lambda: cut(counted(table, SEVEN), 10).n)


def mondrian_anonypy() -> Figures:
    """From the frame to its partitions."""
    frame = _frame(tables.adult())
    partition = _anonypy(frame, 10)
    return measure(lambda: len(partition()))


def mondrian_ten_million() -> Figures:
    """From raw codes of 10 million rows to groups."""
    path = str(tables.parquet("hard-10m", tables.NINE, 10_000_000))
    table = pa.parquet.read_table(path, read_dictionary=list(tables.NINE))
    return measure(lambda: cut(counted(table, tables.NINE), 10, with_trees=True).n)


def mondrian_frequency_set() -> Figures:
    """From the frequency set of 10 million rows to groups."""
    frequencies = counted(str(tables.parquet("hard-10m", tables.NINE, 10_000_000)), tables.NINE)
    given = problem(frequencies, 10, with_trees=True)

    def work() -> str:
        with Watch() as watch:
            found = Mondrian().run(given, watch).groups
        assert found is not None
        return f"{found.n} groups of {frequencies.combinations} combinations"

    return measure(work)


def _frame(table: pa.Table) -> Any:
    """As anonypy takes it: texts as categories."""
    frame = table.select(SEVEN).to_pandas()
    for name in SEVEN[1:]:
        frame[name] = frame[name].astype("category")
    return frame


def _anonypy(frame: Any, k: int) -> Any:
    from anonypy.mondrian import Mondrian as Theirs

    theirs = Theirs(frame, list(SEVEN))
    return lambda: theirs.partition(k)


def ncp(sizes: Any, spans: Any) -> float:
    """Loukides 2.1.5: records times range over range of the table, or different values over those of the table."""
    return float(sizes @ spans)


def our_ncp(frequencies: FrequencySet, groups: Groups, axes: Any) -> float:
    """Of our groups."""
    total = np.zeros(groups.n)
    for at, axis in enumerate(axes):
        cells = axis.cells(frequencies.codes[at][groups.combination], groups.group, groups.n)
        total += cells.spread if axis.name == "age" else cells.distinct / (len(axis.rank) - 1)
    return ncp(np.bincount(groups.group, weights=groups.counts), total)


def their_ncp(frame: Any, partitions: Any) -> float:
    """Of anonypy's."""
    codes = {name: frame[name].cat.codes.to_numpy() for name in SEVEN[1:]}
    age = frame["age"].to_numpy()
    whole, sizes, spans = age.max() - age.min(), [], []
    for partition in partitions:
        rows = partition.to_numpy()
        span = (age[rows].max() - age[rows].min()) / whole
        span += sum(len(np.unique(of[rows])) / (of.max() + 1) for of in codes.values())
        sizes.append(len(rows))
        spans.append(span)
    return ncp(np.array(sizes), np.array(spans))


def compare_ncp() -> None:
    """For six k, both by the thesis' formula."""
    table = tables.adult().select(SEVEN)
    frame, frequencies = _frame(table), counted(table, SEVEN)
    axes = problem(frequencies, 2, with_trees=False).axes
    print("| k | widest | loss | anonypy |\n|---|---|---|---|")
    for k in KS:
        ours = [our_ncp(frequencies, cut(frequencies, k, column=column), axes) for column in ("widest", "loss")]
        print(f"| {k} | {ours[0]:,.0f} | {ours[1]:,.0f} | {their_ncp(frame, _anonypy(frame, k)()):,.0f} |", flush=True)


ROWS = [
    Row("Adult, seven columns, k = 10", "mondrian_incrowd", "mondrian_anonypy", "cpu", 1 / 200),
    Row("10 million rows, raw codes", "mondrian_ten_million", None, "wall", 10),
    Row("the same from 1.3 million combinations", "mondrian_frequency_set", None, "wall", 2),
]

MEASUREMENTS = {
    each.__name__: each for each in (mondrian_incrowd, mondrian_anonypy, mondrian_ten_million, mondrian_frequency_set)
}


def prepare() -> None:
    """The large table."""
    tables.parquet("hard-10m", tables.NINE, 10_000_000)


if __name__ == "__main__":
    if sys.argv[1:] == ["ncp"]:
        compare_ncp()
    else:
        assert incrowd
        run(__file__, MEASUREMENTS, ROWS, prepare)
