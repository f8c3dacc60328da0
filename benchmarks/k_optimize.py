"""Ordered set-partitioning on Adult, as a Markdown table: python benchmarks/k_optimize.py [SECONDS]

Age and four more columns, k from 5 to 50, by both costs, each search stopped after SECONDS of CPU time (60 when not
given): it runs on one thread, so that on a quiet machine they are seconds by the clock.
"""

import csv
import sys
from time import process_time

import tables

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.engines.frames import FrameSource
from incrowd.engines.source import count
from incrowd.metrics.discernibility import Discernibility
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings import Form
from incrowd.searches import NothingFound, Outcome, Problem
from incrowd.searches.k_optimize import KOptimize
from incrowd.watch import Stopped, Watch

COLUMNS = ("age", "sex", "race", "marital-status", "education")
LABEL = "salary-class"
SIZES = (5, 10, 20, 25, 50)


class CpuWatch(Watch):
    """Stops a search after so many seconds of this process alone."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = process_time() + seconds

    def tick(self, words: str, share: float | None = None) -> None:
        """As any watch, by another clock."""
        super().tick(words, share)
        if process_time() > self.end:
            raise Stopped("time")


def axis_of(name: str, frequencies: FrequencySet) -> Axis:
    """Ages as numbers, the others in the order of their hierarchies."""
    values = frequencies.values[frequencies.names.index(name)]
    if (numbers := Axis.of_numbers(name, values)) is not None:
        return numbers
    with (tables.ADULT.parent / "hierarchies" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return Axis.of_tree(Hierarchy.from_rows(csv.reader(file, delimiter=";")).along(name, values))


def problem_of(k: int, suppress: float) -> Problem:
    """The 30,162 complete records."""
    names = (*COLUMNS, LABEL)
    frequencies = count(FrameSource(tables.adult(), "Adult"), names, Watch())
    return Problem(
        frequencies,
        (),
        KAnonymity(k),
        Discernibility(),
        int(suppress * frequencies.records),
        axes=tuple(axis_of(name, frequencies) for name in COLUMNS),
        forms=(Form.RANGE, *[Form.SET] * 4),
    )


def told(outcome: Outcome) -> str:
    """What was found, and how far it is from the best."""
    assert not isinstance(outcome, NothingFound)
    assert outcome.gap is not None
    score = outcome.node.score
    proven = "optimal" if outcome.optimal else f"gap {outcome.gap / score:.1%}"
    parts = "/".join(str(outcome.details["parts"][name]) for name in COLUMNS)
    shown = f"{score:,.0f}" if score > 1 else f"{score:.4f}"
    return (
        f"{shown} | {proven} | {parts} | {outcome.node.suppressed} | {outcome.details['nodes']} | {outcome.counted:,}"
    )


def main(seconds: float) -> None:
    """As Markdown."""
    print("| cost | suppressed at most | k | score | proven | parts | suppressed | nodes | bounds | CPU |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for label, suppress in ((None, 0.0), (None, 1.0), (LABEL, 0.0), (LABEL, 0.02)):
        for k in SIZES:
            problem = problem_of(k, suppress)
            started = process_time()
            with CpuWatch(seconds) as watch:
                outcome = KOptimize(label).run(problem, watch)
            took = process_time() - started
            cost = "discernibility" if label is None else "classification"
            print(f"| {cost} | {suppress:.0%} | {k} | {told(outcome)} | {took:.1f} s |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
