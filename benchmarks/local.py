"""Local searches, beside ARX's local recoding: python benchmarks/local.py [NAME...]

`python benchmarks/local.py losses` compares the losses for four k. ARX's are figures of an earlier run of its local
recoding on the same records, columns and hierarchies, nothing suppressed; ARX is not run here.
"""

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import tables
from harness import Figures, Row, measure, run

from anonymization import counted, hierarchies
from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem
from incrowd.searches.k_members import KMembers
from incrowd.searches.microaggregation import Microaggregation
from incrowd.watch import Watch

SEVEN = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
ARX = {2: 0.0342, 5: 0.0677, 10: 0.0948, 50: 0.1749}
"""By k the loss of ARX's local recoding of Adult's nine columns."""

SEARCHES: Mapping[str, Any] = {
    "k_members": KMembers(),
    "full": KMembers(block=None),
    "blocks of 1,024": KMembers(block=1024),
    "as Byun et al.": KMembers(block=None, refine=0),
    "microaggregation": Microaggregation(),
}


def problem(frequencies: FrequencySet, k: int) -> Problem:
    """Ages by their range, out of the hundred of the hierarchy; other columns along the shared hierarchies."""
    ladders = hierarchies(frequencies.names)
    axes = []
    for name, values in zip(frequencies.names, frequencies.values, strict=True):
        tree = Axis.of_tree(ladders[name].along(name, values))
        axes.append(Axis.of_numbers(name, values, (1.0, 100.0)) or tree if name == "age" else tree)
    return Problem(frequencies, (), KAnonymity(k), Loss(), axes=tuple(axes))


def grouped(search: Any, given: Problem) -> Groups:
    """What a search finds."""
    with Watch() as watch:
        found: Groups | None = search.run(given, watch).groups
    assert found is not None
    return found


def loss(given: Problem, groups: Groups) -> float:
    """The mean over all cells of what they span."""
    spreads = np.zeros(groups.n)
    for c, axis in enumerate(given.axes):
        spreads += axis.cells(given.frequencies.codes[c][groups.combination], groups.group, groups.n).spread
    return float(spreads[groups.group] @ groups.counts) / given.frequencies.records / len(given.axes)


def _timed(search: Any, names: tuple[str, ...], k: int) -> Figures:
    """Preparation and search, from the counted combinations on."""
    frequencies = counted(tables.adult().select(names), names)
    grouped(search, problem(frequencies.project(names[:1]), k))

    def work() -> str:
        given = problem(frequencies, k)
        return f"loss {loss(given, grouped(search, given)):.4f}"

    return measure(work)


def seven_full() -> Figures:
    return _timed(KMembers(block=None, refine=0), SEVEN, 10)


def seven_blocks() -> Figures:
    return _timed(KMembers(block=1024, refine=0), SEVEN, 10)


def seven_refined() -> Figures:
    return _timed(KMembers(), SEVEN, 10)


def seven_microaggregation() -> Figures:
    return _timed(Microaggregation(), SEVEN, 10)


def _loss(k: int) -> Figures:
    """The loss in place of a time, so that it is compared with its target."""
    given = problem(counted(tables.adult().select(tables.NINE), tables.NINE), k)
    found = measure(lambda: loss(given, grouped(KMembers(), given)))
    return {**found, "loss": found["result"]}


def loss_2() -> Figures:
    return _loss(2)


def loss_5() -> Figures:
    return _loss(5)


def loss_10() -> Figures:
    return _loss(10)


def loss_50() -> Figures:
    return _loss(50)


ROWS = [
    Row("K-Members, Adult, seven columns, k = 10, full", "seven_full", None, "cpu", 2.0),
    Row("the same in blocks of 1,024", "seven_blocks", None, "cpu", 0.2),
    Row("the same as it is usually run, refined", "seven_refined", None, "cpu", 2.0),
    Row("microaggregation, Adult, seven columns, k = 10", "seven_microaggregation", None, "cpu", 2.0),
    *(Row(f"loss of k_members, nine columns, k = {k}", f"loss_{k}", None, "loss", 0.9 * arx) for k, arx in ARX.items()),
]


def losses() -> None:
    """For four k, as Markdown, with the CPU seconds of each search."""
    frequencies = counted(tables.adult().select(tables.NINE), tables.NINE)
    print("| k | " + " | ".join(SEARCHES) + " | ARX |\n|" + "---|" * (len(SEARCHES) + 2))
    for k, arx in ARX.items():
        told = []
        for search in SEARCHES.values():
            given = problem(frequencies, k)
            kept: list[Groups] = []
            figures = measure(lambda search=search, given=given, kept=kept: kept.append(grouped(search, given)))
            told.append(f"{loss(given, kept[0]):.4f} ({figures['cpu']:.2f} s)")
        print(f"| {k} | " + " | ".join(told) + f" | {arx:.4f} |", flush=True)


def prepare() -> None:
    """Nothing: Adult is small."""


if __name__ == "__main__":
    if sys.argv[1:] == ["losses"]:
        losses()
    else:
        run(__file__, globals(), ROWS, prepare)
