"""Layers on Adult, CPU seconds and what is lost: python benchmarks/layered.py [NAME...]

`python benchmarks/layered.py losses` prints the loss on Adult for several k, beside another tool's.
"""

import sys

import tables
from harness import Figures, Row, measure, run

from anonymization import counted, hierarchies
from incrowd.core.frequencies import FrequencySet
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound, Outcome, Problem, Search
from incrowd.searches.layered import Layered
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch

ARX = {2: 0.0342, 5: 0.0677, 10: 0.0948, 50: 0.1749}
"""Loss by ARX 3.9.2 with local recoding, nothing suppressed."""


def searched(search: Search, frequencies: FrequencySet, k: int) -> Outcome:
    """Preparation and search, from the counted combinations on; nothing may be suppressed."""
    ladders = hierarchies(frequencies.names)
    laid = tuple(
        ladders[name].along(name, values) for name, values in zip(frequencies.names, frequencies.values, strict=True)
    )
    return search.run(Problem(frequencies, laid, KAnonymity(k), Loss()), Watch())


def told(outcome: Outcome) -> str:
    """What was found."""
    assert not isinstance(outcome, NothingFound)
    return f"loss {outcome.node.score:.4f}, {outcome.counted:,} nodes"


def _measured(search: Search, columns: tuple[str, ...], k: int) -> Figures:
    table = tables.adult().select(columns)
    # Imports what is imported on first use.
    searched(search, counted(table.slice(0, 200), columns), 2)
    return measure(lambda: told(searched(search, counted(table, columns), k)))


def layered_2() -> Figures:
    return _measured(Layered(), tables.NINE, 2)


def layered_5() -> Figures:
    return _measured(Layered(), tables.NINE, 5)


def layered_50() -> Figures:
    return _measured(Layered(), tables.NINE, 50)


def layered_million() -> Figures:
    """A million rows with many more combinations."""
    path = str(tables.DATA / "one-million-nine.parquet")
    searched(Layered(), counted(tables.adult().slice(0, 200).select(tables.NINE), tables.NINE), 2)
    return measure(lambda: told(searched(Layered(), counted(path, tables.NINE), 5)))


ROWS = [
    Row("Adult, nine columns, k=2 (ARX local recoding, k=5: 3.6 s)", "layered_2", None, "cpu", 3.6),
    Row("Adult, nine columns, k=5 (ARX local recoding: 3.6 s)", "layered_5", None, "cpu", 3.6),
    Row("Adult, nine columns, k=50", "layered_50", None, "cpu", 3.6),
    Row("hard table, 1 M x 9, k=5", "layered_million", None, "cpu", 10.0),
]


def losses() -> None:
    """As Markdown: the loss on Adult by k."""
    frequencies = counted(tables.adult().select(tables.NINE), tables.NINE)
    print("| k | optimal | layered | ARX local recoding |\n|---|---|---|---|")
    for k, other in ARX.items():
        nodes = [searched(search, frequencies, k).node for search in (Optimal(), Layered())]
        print(f"| {k} | " + " | ".join(f"{node.score:.4f}" for node in nodes if node) + f" | {other:.4f} |", flush=True)


def prepare() -> None:
    """The large table."""
    tables.parquet("one-million-nine", tables.NINE, 1_000_000)


if __name__ == "__main__":
    if sys.argv[1:2] == ["losses"]:
        losses()
    else:
        run(__file__, globals(), ROWS, prepare)
