"""PrivacyFrost2's timings re-created beside those of its paper, as Markdown: python benchmarks/privacyfrost.py

Adult's training file, 32,561 records, "?" as missing. The paper takes 14 columns and prints neither its hierarchies nor
its priorities nor d; here eight columns with the shared hierarchies are quasi-identifiers, occupation is sensitive, all
priorities are 1 and d is 4. Timed are counting the records, the search with the partial-domain step, and what is
published for every combination: CPU time, the least of three runs. The paper's machine was a Core i7 870 of 2.93 GHz.
With `presampling` as an argument, its table 1; the paper's two k' in the middle are not legible.
"""

import csv
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv

from incrowd.core.frequencies import Counting
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.t_closeness import TCloseness
from incrowd.recodings.by_combination import recode
from incrowd.searches import NothingFound, Outcome, Problem
from incrowd.searches._scored.presampling import isolated
from incrowd.searches.scored import Scored
from incrowd.watch import Watch

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult"
QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
SENSITIVE = "occupation"
RUNS = 3

SCORES: dict[str, Any] = {"basic": "basic", "logarithm": "logarithm", "eta": {"eta": {"d": 4}}}


class Experiment(NamedTuple):
    """Three rows of the paper's table 2: one per score."""

    words: str
    model: PrivacyModel
    printed: tuple[int, int, int]
    """Milliseconds with basic, logarithm and eta."""


def both(k: int, other: PrivacyModel) -> PrivacyModel:
    """k-anonymity and a model of the sensitive column."""
    return All((KAnonymity(k), other))


EXPERIMENTS = (
    Experiment("k=2, l=2", both(2, DistinctL(2, column=SENSITIVE)), (619, 592, 680)),
    Experiment("k=2, t=0.1", both(2, TCloseness(0.1, column=SENSITIVE)), (736, 720, 675)),
    Experiment("k=2, t=0.9", both(2, TCloseness(0.9, column=SENSITIVE)), (823, 778, 723)),
    Experiment("k=10, l=10", both(10, DistinctL(10, column=SENSITIVE)), (663, 631, 669)),
    Experiment("k=10, t=0.1", both(10, TCloseness(0.1, column=SENSITIVE)), (726, 722, 696)),
    Experiment("k=10, t=0.9", both(10, TCloseness(0.9, column=SENSITIVE)), (803, 777, 833)),
)


def hierarchy(column: str) -> Hierarchy:
    """The shared hierarchy of a column."""
    with (ADULT / "hierarchies" / f"{column}.csv").open(newline="", encoding="utf-8") as file:
        return Hierarchy.from_rows(csv.reader(file, delimiter=";"), name=column)


def anonymized(
    records: pa.Table, hierarchies: dict[str, Hierarchy], model: PrivacyModel, search: Scored
) -> tuple[Outcome, float]:
    """What the search finds, and the milliseconds that all of it took."""
    start = time.process_time()
    counting = Counting(records.column_names, missing=["?"])
    counting.add([column.combine_chunks() for column in records.columns])
    frequencies = counting.result()
    ladders = tuple(
        hierarchies[name].along(name, values) for name, values in zip(QUASI, frequencies.values, strict=False)
    )
    outcome = search.run(Problem(frequencies, ladders, model, Loss()), Watch())
    assert outcome.own_levels is not None
    recode(frequencies.project(QUASI), ladders, outcome.own_levels)
    return outcome, (time.process_time() - start) * 1000


def presampling(records: pa.Table, hierarchies: dict[str, Hierarchy]) -> None:
    """Print table 1: pre-sampling with the threshold level 2, which the paper counts from the root."""
    print("| k' | paper | here | dropped |\n|---|---|---|---|")
    for k, printed in ((1, "1289"), (2, "-"), (5, "-"), (10, "1286")):
        took, dropped = [], 0
        for _ in range(RUNS):
            start = time.process_time()
            counting = Counting(records.column_names, missing=["?"])
            counting.add([column.combine_chunks() for column in records.columns])
            frequencies = counting.result().project(QUASI)
            ladders = tuple(
                hierarchies[name].along(name, values) for name, values in zip(QUASI, frequencies.values, strict=True)
            )
            levels = tuple(max(0, ladder.height - 2) for ladder in ladders)
            dropped = int(frequencies.counts[isolated(frequencies, ladders, k, levels)].sum())
            took.append((time.process_time() - start) * 1000)
        print(f"| {k} | {printed} | {min(took):.0f} | {dropped:,} |")


def main() -> None:
    """Print the table."""
    records = pyarrow.csv.read_csv(ADULT / "adult-train.csv").select([*QUASI, SENSITIVE])
    hierarchies = {name: hierarchy(name) for name in QUASI}
    if sys.argv[1:] == ["presampling"]:
        presampling(records, hierarchies)
        return
    print(f"{records.num_rows:,} records, {len(QUASI)} quasi-identifiers, times in ms\n")
    print("| model | score | paper | here | full-domain levels | score there | with partial-domain | tables checked |")
    print("|---|---|---|---|---|---|---|---|")
    for experiment in EXPERIMENTS:
        for (name, score), printed in zip(SCORES.items(), experiment.printed, strict=True):
            runs = [
                anonymized(records, hierarchies, experiment.model, Scored(score, partial=True)) for _ in range(RUNS)
            ]
            outcome, known = runs[0][0], runs[0][0].details
            assert not isinstance(outcome, NothingFound)
            levels = " ".join(map(str, outcome.node.levels))
            print(
                f"| {experiment.words} | {name} | {printed} | {min(took for _, took in runs):.0f} | {levels} "
                f"| {known['full_domain']:g} | {known['partial_domain']:.4g} | {known['tables_checked']} |"
            )


if __name__ == "__main__":
    main()
