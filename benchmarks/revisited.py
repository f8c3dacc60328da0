"""k-anonymity revisited on Adult, beside classes of k records: python benchmarks/revisited.py [NAME...]

Nine columns, 30,162 records, k = 5, nothing suppressed. The loss, what the yardsticks find (records of the smallest
class, released records that fit a person, people that fit a record, matches of a person for who knows everybody), and
the CPU seconds of the whole run, verification included.
"""

import sys
import time
from typing import Any

import tables

import incrowd

K = 5
SETTINGS: dict[str, tuple[str, str]] = {
    "optimal": (f"k_anonymity:k={K}", "optimal"),
    "layered": (f"k_anonymity:k={K}", "layered"),
    "k_members": (f"k_anonymity:k={K}", "k_members"),
    **{
        notion: (f"consistent_k:k={K},notion={notion}", "consistent")
        for notion in ("one_k", "k_one", "k_k", "global_one_k")
    },
}
YARDSTICKS = ("smallest_class", "one_k", "k_one", "global_one_k")


def columns() -> dict[str, Any]:
    """The nine columns with the shared hierarchies."""
    folder = tables.ADULT.parent / "hierarchies"
    return {name: {"role": "quasi", "hierarchy": str(folder / f"{name}.csv")} for name in tables.NINE}


def measured(name: str) -> str:
    """One row of the table: what a run costs and reaches."""
    model, search = SETTINGS[name]
    table = tables.adult().select(tables.NINE)
    job = {"columns": columns(), "models": [model], "search": search}
    started = time.process_time()
    made = incrowd.anonymize(table, job)
    seconds = time.process_time() - started
    # A local search publishes ranges of ages. As a label of the hierarchy, 20-24 stands for 21 to 25.
    told = {**columns(), "age": "quasi"} if search == "k_members" else columns()
    found = incrowd.measure(table, {name: made.frame}, columns=told, yardsticks=["loss", *YARDSTICKS])
    readings = found.releases[0].readings
    reached = " | ".join(f"{readings[each].value:g}" for each in YARDSTICKS)
    assert made.verdict.holds
    return f"| `{search}` | {model} | {readings['loss'].value:.4f} | {reached} | {seconds:.1f} |"


if __name__ == "__main__":
    print(f"| search | model | loss | {' | '.join(YARDSTICKS)} | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sys.argv[1:] or SETTINGS:
        print(measured(name), flush=True)
