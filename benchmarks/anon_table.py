"""ANON's experiment re-created: visited nodes beside those of the report, as Markdown: python benchmarks/anon_table.py

The 45,222 complete records of Adult (training and test file), seven quasi-identifiers, 2,160 nodes. The report says in
which order the columns' priorities rise, but neither their values nor the losses of the levels, and its hierarchies are
not published with it; so here priorities are 1 to 7, the loss of a level is level / height, and the hierarchies are
our own of the same heights. Numbers that hang on them differ.
"""

import csv
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pyarrow.csv

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.weighted_loss import WeightedLoss
from incrowd.models._all import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Outcome, Problem
from incrowd.searches.best_first import BestFirst
from incrowd.watch import Watch

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult"

RISING = ("age", "native-country", "education", "marital-status", "workclass", "race", "sex")
"""The quasi-identifiers from the lowest priority to the highest."""

QUASI = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")
"""In the order of the report's definition file, which decides between equal losses."""

ONE_PERCENT = 453
"""What the report allows; it rounds up."""


class Experiment(NamedTuple):
    """One row of the table."""

    k: int
    salary: int
    occupation: int
    budget: int
    printed: int | None
    """Visited nodes in the report; None where it prints no number."""


EXPERIMENTS = (
    Experiment(2, 1, 1, 0, 1075),
    Experiment(2, 1, 1, ONE_PERCENT, 60),
    Experiment(10, 2, 10, 0, 1255),
    Experiment(10, 2, 10, ONE_PERCENT, None),
    Experiment(14, 2, 14, 0, 2160),
    Experiment(14, 2, 14, ONE_PERCENT, None),
)


def complete_records() -> FrequencySet:
    """Both files without the records in which any of their columns is unknown."""
    columns = [*QUASI, "salary-class", "occupation"]
    counting = Counting(columns, missing=["?"])
    for name in ("adult-train.csv", "adult-test.csv"):
        table = pyarrow.csv.read_csv(ADULT / name)
        counting.add([table.column(column).combine_chunks() for column in columns])
    return counting.result().complete(columns)


def hierarchy(column: str) -> Hierarchy:
    """The shared hierarchy of a column; the loss of a level is level / height."""
    with (ADULT / "hierarchies" / f"{column}.csv").open(newline="", encoding="utf-8") as file:
        return Hierarchy.from_rows(csv.reader(file, delimiter=";"), name=column)


def problem(frequencies: FrequencySet, experiment: Experiment) -> Problem:
    """The experiment as a problem; a requirement of one value is none."""
    diversity = {"salary-class": experiment.salary, "occupation": experiment.occupation}
    required = [DistinctL(least, column=column) for column, least in diversity.items() if least > 1]
    return Problem(
        frequencies,
        tuple(hierarchy(name).along(name, frequencies.values[at]) for at, name in enumerate(QUASI)),
        All((KAnonymity(experiment.k), *required)),
        WeightedLoss(),
        budget=experiment.budget,
        priorities=tuple(float(RISING.index(name) + 1) for name in QUASI),
    )


def row(experiment: Experiment, outcome: Outcome, seconds: float) -> str:
    """One line of the table; without limits the top qualifies, so there is always a node."""
    node = outcome.node
    assert node is not None
    cells = [
        experiment.k,
        experiment.salary,
        experiment.occupation,
        experiment.budget,
        "-" if experiment.printed is None else f"{experiment.printed:,}",
        f"{outcome.counted:,}",
        " ".join(map(str, node.levels)),
        node.suppressed,
        node.classes,
        f"{outcome.details['weighted_loss']:g}",
        f"{seconds:.1f} s",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table."""
    if not ADULT.exists():
        sys.exit("the experiment needs the Adult table at shared/data/adult beside the project")
    frequencies = complete_records()
    print(f"{frequencies.records:,} records; levels of {', '.join(QUASI)}\n")
    print("| k | l salary | l occupation | may be suppressed | visited: report | visited: here "
          "| levels | suppressed | classes | weighted loss | time |")  # fmt: skip
    print("|" + "---|" * 11)
    for experiment in EXPERIMENTS:
        start = time.perf_counter()
        outcome = BestFirst().run(problem(frequencies, experiment), Watch())
        print(row(experiment, outcome, time.perf_counter() - start))


if __name__ == "__main__":
    main()
