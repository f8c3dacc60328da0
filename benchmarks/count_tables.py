"""Tables of counts on Adult, of growing size: python benchmarks/count_tables.py [CELLS]

Times of the suppression and of the audit, with counts of 1 and 2 sensitive; tables of more than CELLS cells (10,000
when not given) are left out. Seconds are those of the processor.
"""

import sys
from time import process_time

import numpy as np
import tables

from incrowd.api import read
from incrowd.tables.audit import ranges
from incrowd.tables.cells import Cells, tabulate
from incrowd.tables.exact import exact
from incrowd.tables.greedy import greedy, is_safe
from incrowd.tables.measure import Measure
from incrowd.tables.needs import Needs, of_suppression
from incrowd.watch import Watch

BY = (
    ("sex", "race"),
    ("sex", "race", "marital-status"),
    ("sex", "workclass", "marital-status"),
    ("race", "education", "marital-status"),
    ("sex", "race", "marital-status", "education"),
    ("sex", "race", "marital-status", "workclass", "salary-class"),
    ("race", "marital-status", "workclass", "education"),
)
SECONDS = 60.0
"""The exact search ends after so long."""


def needs_of(by: tuple[str, ...]) -> Needs:
    """Counts of 1 and 2 are sensitive; empty cells are published."""
    cells: Cells = tabulate(read(tables.adult().select(list(by))).count(by, Watch()), by, Measure())
    return of_suppression(cells, ((cells.values > 0) & (cells.values < 3)).astype(np.int64), "keep", "cells")


def searched(needs: Needs) -> str:
    """How many cells the exact search hides and how long it takes, or that it did not end."""
    start = process_time()
    found = exact(needs, seconds=SECONDS)
    if not found.proven:
        return f"at least {found.least}, not proven within {SECONDS:.0f} s"
    return f"{found.hidden.sum()} in {process_time() - start:.2f} s"


def main() -> None:
    """Print a row a table."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    greedy(needs_of(BY[0]))  # imports what is imported on first use
    print("| by | cells | sensitive | exact | heuristic | audit of the sensitive | all ranges |")
    print("|---|---|---|---|---|---|---|")
    for by in BY:
        needs = needs_of(by)
        if len(needs.cells) > most:
            continue
        best = searched(needs) if len(needs.cells) <= 1_000 else "-"
        start = process_time()
        hidden = greedy(needs).hidden
        found = process_time()
        assert is_safe(needs, hidden)
        audited = process_time()
        widths = ranges(needs.cells, needs.suppressed(hidden)) if hidden.sum() <= 2_000 else None
        told = "-" if widths is None else f"{len(widths.cells)} in {process_time() - audited:.2f} s"
        print(
            f"| {', '.join(by)} | {len(needs.cells):,} | {len(needs.primary)} | {best} | "
            f"{hidden.sum()} in {found - start:.2f} s | {audited - found:.2f} s | {told} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
