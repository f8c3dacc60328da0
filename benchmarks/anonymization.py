"""Speed of anonymization, beside its references in the same run: python benchmarks/anonymization.py [NAME...]

`python benchmarks/anonymization.py nodes` prints the nodes counted on Adult for many k and limits.
"""

import csv
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import tables
from harness import Figures, Row, command, measure, run

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel, parse
from incrowd.models.conjunction import All
from incrowd.searches import LevelsOutcome, Outcome, Problem
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch

HIERARCHIES = tables.ADULT.parent / "hierarchies"
EIGHT = tuple(name for name in tables.NINE if name != "occupation")
K = "k_anonymity:k=5"
SENSITIVE = ("distinct_l:l=3", "entropy_l:l=3", "recursive_cl:c=2,l=3", "t_closeness:t=0.2")


def hierarchies(names: tuple[str, ...]) -> dict[str, Hierarchy]:
    """The shared ones."""
    found = {}
    for name in names:
        with (HIERARCHIES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found[name] = Hierarchy.from_rows(csv.reader(file, delimiter=";"))
    return found


def counted(table: pa.Table | str, names: tuple[str, ...]) -> FrequencySet:
    """Distinct combinations."""
    import incrowd

    return incrowd.read(table).count(names, Watch())


def searched(
    frequencies: FrequencySet, quasi: tuple[str, ...], ladders: dict[str, Hierarchy], models: list[str], share: float
) -> Outcome:
    """Preparation and search, from the counted combinations on."""
    laid: dict[str, EncodedHierarchy] = {
        name: ladders[name].along(name, values)
        for name, values in zip(frequencies.names, frequencies.values, strict=True)
    }
    parsed: list[PrivacyModel] = [parse(model) for model in models]
    problem = Problem(
        frequencies,
        tuple(laid[name] for name in quasi),
        parsed[0] if len(parsed) == 1 else All(tuple(parsed)),
        Loss(),
        int(share * frequencies.records),
        sensitive={name: ladder for name, ladder in laid.items() if name not in quasi},
    )
    return Optimal().run(problem, Watch())


def told(outcome: Outcome) -> str:
    """What was found."""
    score = f", score {outcome.node.score:.6f}" if isinstance(outcome, LevelsOutcome) else ""
    return f"{outcome.counted} of {outcome.lattice} nodes{score}"


# Adult, nine quasi-identifiers, loss, k = 5: counting, preparation and search together.


def _coded(names: tuple[str, ...]) -> pa.Table:
    """Adult with its values numbered, which is how the group-by is given them too."""
    table = tables.adult().select(names)
    return pa.table({name: table.column(name).combine_chunks().dictionary_encode() for name in names})


def _adult(share: float) -> Figures:
    table, ladders = _coded(tables.NINE), hierarchies(tables.NINE)
    # Imports what is imported on first use.
    searched(counted(table.slice(0, 10), tables.NINE), tables.NINE, ladders, [K], share)
    # The group-by of all nodes has its memory after the first few, too.
    return measure(lambda: told(searched(counted(table, tables.NINE), tables.NINE, ladders, [K], share)), times=5)


def adult_two_percent() -> Figures:
    return _adult(0.02)


def adult_no_suppression() -> Figures:
    return _adult(0.0)


def adult_everything() -> Figures:
    return _adult(1.0)


def adult_numpy() -> Figures:
    """A plain group-by for each of the 12,960 nodes: generalize the codes, pack them into integers, count them."""
    from itertools import product

    import numpy as np

    table, ladders = _coded(tables.NINE), hierarchies(tables.NINE)
    generalized = []
    for name in tables.NINE:
        column = table.column(name).combine_chunks()
        ladder = ladders[name].along(name, column.dictionary)
        codes = np.asarray(column.indices)
        levels = [
            (ladder.up[level][codes + 1].astype(np.int64), int(ladder.up[level].max()) + 1)
            for level in range(ladder.height + 1)
        ]
        generalized.append(levels)

    def every_node() -> int:
        classes = 0
        for node in product(*generalized):
            key = np.zeros(table.num_rows, dtype=np.int64)
            for codes, labels in node:
                key = key * labels + codes
            sizes = np.unique(key, return_counts=True)[1]
            classes += len(sizes) + int(sizes[sizes < 5].sum() <= 603)
        return classes

    return measure(every_node)


# The hard table: a million rows, nine columns.


def hard() -> Figures:
    path, ladders = str(tables.DATA / "one-million-nine.parquet"), hierarchies(tables.NINE)
    counted(tables.adult().slice(0, 10).select(tables.NINE), tables.NINE)
    return measure(lambda: told(searched(counted(path, tables.NINE), tables.NINE, ladders, [K], 0.02)))


def _group_by(path: Path) -> Figures:
    import duckdb

    columns = ", ".join(f'"{name}"' for name in tables.NINE)
    query = f"SELECT count(*), min(n) FROM (SELECT count(*) n FROM '{path}' GROUP BY {columns})"
    return measure(lambda: duckdb.connect().sql(query).fetchall()[0][0])


def hard_duckdb() -> Figures:
    return _group_by(tables.DATA / "one-million-nine.parquet")


# With a model on occupation, beside the k-only run over the same eight quasi-identifiers.


def _on_occupation(*models: str) -> Figures:
    names = (*EIGHT, "occupation") if models else EIGHT
    table, ladders = tables.adult().select(names), hierarchies(tables.NINE)
    wanted = [K, *(f"{model},column=occupation" for model in models)]
    searched(counted(table.slice(0, 10), names), EIGHT, ladders, wanted, 1.0)
    return measure(lambda: told(searched(counted(table, names), EIGHT, ladders, wanted, 0.02)))


def eight_k() -> Figures:
    return _on_occupation()


def eight_distinct() -> Figures:
    return _on_occupation(SENSITIVE[0])


def eight_entropy() -> Figures:
    return _on_occupation(SENSITIVE[1])


def eight_recursive() -> Figures:
    return _on_occupation(SENSITIVE[2])


def eight_closeness() -> Figures:
    return _on_occupation(SENSITIVE[3])


def eight_closeness_hierarchical() -> Figures:
    return _on_occupation("t_closeness:t=0.2,distance=hierarchical")


def eight_all() -> Figures:
    return _on_occupation(*SENSITIVE)


# A whole command: Adult's CSV to a verified release.


def whole_command() -> Figures:
    quasi = [word for name in tables.NINE for word in ("-q", f"{name}={HIERARCHIES / name}.csv")]
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "out.csv")
        return command(
            "anonymize", str(tables.ADULT), "--missing", "?", *quasi, "-m", K, "--suppress", "0.02", "-o", out
        )


# Growth: twice the rows, and ten million of them.


def _grown(name: str) -> Figures:
    path, ladders = str(tables.DATA / f"{name}.parquet"), hierarchies(tables.NINE)
    counted(tables.adult().slice(0, 10).select(tables.NINE), tables.NINE)
    return measure(lambda: told(searched(counted(path, tables.NINE), tables.NINE, ladders, [K], 0.02)))


def two_million() -> Figures:
    return _grown("two-million-nine")


def hard_five_million() -> Figures:
    return _grown("five-million")


def ten_million() -> Figures:
    """From Parquet to a verified CSV file; ages are jittered by up to two years."""
    quasi = [word for name in tables.NINE for word in ("-q", f"{name}={HIERARCHIES / name}.csv")]
    with tempfile.TemporaryDirectory(dir=tables.DATA) as folder:
        out = str(Path(folder) / "out.csv")
        return command(
            "anonymize",
            str(tables.DATA / "ten-million-jittered.parquet"),
            *quasi,
            "-m",
            K,
            "--suppress",
            "0.02",
            "-o",
            out,
        )


ROWS = [
    Row(
        "Adult k=5, 2 %, counting to result / NumPy group-by of all nodes",
        "adult_two_percent",
        "adult_numpy",
        "cpu",
        1 / 300,
    ),
    Row("Adult k=5, 0 % / the same", "adult_no_suppression", "adult_numpy", "cpu", 1 / 300),
    Row("Adult k=5, 100 % / the same", "adult_everything", "adult_numpy", "cpu", 1 / 300),
    Row("hard table, 1 M x 9, k=5, 2 % / one DuckDB GROUP BY", "hard", "hard_duckdb", "cpu", 3.0),
    Row("with distinct l=3 / k alone", "eight_distinct", "eight_k", "cpu", 10.0),
    Row("with entropy l=3 / k alone", "eight_entropy", "eight_k", "cpu", 10.0),
    Row("with recursive (2,3) / k alone", "eight_recursive", "eight_k", "cpu", 10.0),
    Row("with t=0.2, equal / k alone", "eight_closeness", "eight_k", "cpu", 10.0),
    Row("with t=0.2, hierarchical / k alone", "eight_closeness_hierarchical", "eight_k", "cpu", 10.0),
    Row("with all four / k alone", "eight_all", "eight_k", "cpu", 10.0),
    Row("incrowd anonymize adult-train.csv", "whole_command", None, "wall", 1.5),
    Row("2 M rows / 1 M rows", "two_million", "hard", "cpu", 2.2),
    Row("10 M rows, Parquet to verified CSV: memory in MB", "ten_million", None, "memory", 4096.0),
]


def nodes() -> None:
    """Nodes counted on Adult, as Markdown: rows k, columns the share of records that may be suppressed."""
    table, ladders = tables.adult().select(tables.NINE), hierarchies(tables.NINE)
    frequencies = counted(table, tables.NINE)
    shares = (0.0, 0.01, 0.02, 0.05, 0.1, 1.0)
    print("| k | " + " | ".join(f"{share:.0%}" for share in shares) + " |\n|" + "---|" * (len(shares) + 1))
    for k in (2, 3, 5, 10, 25, 50, 100):
        found = [searched(frequencies, tables.NINE, ladders, [f"k_anonymity:k={k}"], share).counted for share in shares]
        print(f"| {k} | " + " | ".join(map(str, found)) + " |", flush=True)


def prepare() -> None:
    """The large tables."""
    tables.parquet("one-million-nine", tables.NINE, 1_000_000)
    tables.parquet("two-million-nine", tables.NINE, 2_000_000)
    tables.jittered("ten-million-jittered", tables.NINE, 10_000_000)


if __name__ == "__main__":
    if sys.argv[1:2] == ["nodes"]:
        nodes()
    else:
        run(__file__, globals(), ROWS, prepare)
