"""ANON's experiment re-created: visited nodes beside those of the report, as Markdown: python benchmarks/anon_table.py

The 45,222 complete records of Adult (training and test file), seven quasi-identifiers, 2,160 nodes. The report says in
which order the columns' priorities rise, but neither their values nor the losses of the levels, and its hierarchies are
not published with it; so here priorities are 1 to 7, the loss of a level is level / height, and the hierarchies are
our own of the same heights. Numbers that hang on them differ. With `quasi`, `k` or `priorities` as an argument, the
settings of the report's figures are run instead: 3 and 4, 5, and 6 and 7.
"""

import csv
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pyarrow.csv

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.weighted_loss import WeightedLoss
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import LevelsOutcome, Outcome, Problem
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
    assert isinstance(outcome, LevelsOutcome)
    node = outcome.node
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


K = (2, 3, 5, 10, 14, 20, 100, 200, 1000)
"""The values of k in table 4 of the report."""
BUDGETS = (0, ONE_PERCENT, 4523)
"""0 %, 1 % and 10 %, rounded up as in the report."""
ASKED = ((2, False, 0), (2, False, ONE_PERCENT), (10, True, 0), (10, True, ONE_PERCENT))
"""The four settings of figures 3 and 4: k, whether both columns are sensitive, what may be suppressed."""


def asked(k: int, sensitive: bool, budget: int, occupation: int | None = None) -> Experiment:
    """The setting "2 sensitive" asks for l = 2 of the salary and l = k of the occupation, 14 at most."""
    return Experiment(k, 2 if sensitive else 1, occupation or (min(k, 14) if sensitive else 1), budget, None)


def without_priorities(given: Problem) -> Problem:
    """No cost function: every step up costs the same, so that nodes come by their height (the report's second run)."""
    return replace(given, priorities=tuple(float(ladder.height) for ladder in given.ladders))


def narrowed(given: Problem, columns: int) -> Problem:
    """The first quasi-identifiers alone."""
    return replace(given, ladders=given.ladders[:columns], priorities=given.priorities[:columns])


def visited(given: Problem) -> str:
    """Visited nodes, and the time."""
    start = time.perf_counter()
    outcome = BestFirst().run(given, Watch())
    return f"{outcome.counted:,} ({time.perf_counter() - start:.1f} s)"


def table(head: str, settings: dict[str, Problem]) -> None:
    """Print one line for each setting."""
    print(f"| {head} | visited nodes |\n|---|---|")
    for words, given in settings.items():
        print(f"| {words} | {visited(given)} |", flush=True)


def words(experiment: Experiment) -> str:
    """A setting as the charts of the report call it."""
    return f"k={experiment.k}, l1={experiment.salary}, l2={experiment.occupation}, supp. {experiment.budget}"


def figures(frequencies: FrequencySet, which: str) -> None:
    """Print the figures of one kind: by quasi-identifiers (3, 4), by k (5), with and without priorities (6, 7)."""
    if which == "quasi":
        cases = {
            f"QID={columns}, {words(one)}": narrowed(problem(frequencies, one), columns)
            for one in (asked(*each) for each in ASKED)
            for columns in range(1, len(QUASI) + 1)
        }
    elif which == "k":
        settings = [asked(k, sensitive, budget) for sensitive in (False, True) for budget in BUDGETS for k in K]
        cases = {words(one): problem(frequencies, one) for one in settings}
    else:
        by_k = [asked(k, sensitive, ONE_PERCENT) for sensitive in (False, True) for k in K]
        by_l = [asked(14, True, ONE_PERCENT, occupation) for occupation in range(1, 14)]
        cases = {}
        for one in (*by_k, *by_l):
            given = problem(frequencies, one)
            cases[f"{words(one)}, with priorities"] = given
            cases[f"{words(one)}, w/o priorities"] = without_priorities(given)
    table("setting", cases)


def main() -> None:
    """Print the table."""
    if not ADULT.exists():
        sys.exit("the experiment needs the Adult table at shared/data/adult beside the project")
    frequencies = complete_records()
    if sys.argv[1:] and sys.argv[1] in ("quasi", "k", "priorities"):
        figures(frequencies, sys.argv[1])
        return
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
