"""Full-subtree recodings of Adult, CPU seconds and what they are worth: python benchmarks/subtrees.py [NAME...]

`python benchmarks/subtrees.py losses` prints the loss for several k and limits; `python benchmarks/subtrees.py labels`
how well salary-class can be predicted from releases of the other eight columns.
"""

import sys
from time import process_time

import tables
from harness import Figures, Row, measure, run

from anonymization import HIERARCHIES, counted, hierarchies
from incrowd.core.frequencies import FrequencySet
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Outcome, Problem, Search
from incrowd.searches.annealing import Annealing
from incrowd.searches.genetic import Genetic
from incrowd.searches.optimal import Optimal
from incrowd.searches.top_down_specialization import TopDownSpecialization
from incrowd.watch import Watch

LABEL = "salary-class"
FEATURES = tuple(name for name in tables.NINE if name != LABEL)
"""All but the label."""


def searched(search: Search, frequencies: FrequencySet, k: int, share: float, seed: int = 0) -> Outcome:
    """Preparation and search, from the counted combinations on; a label that is counted is no quasi-identifier."""
    quasi = FEATURES if isinstance(search, TopDownSpecialization) else frequencies.names
    ladders = hierarchies(frequencies.names)
    laid = tuple(
        ladders[name].along(name, values)
        for name, values in zip(frequencies.names, frequencies.values, strict=True)
        if name in quasi
    )
    return search.run(
        Problem(frequencies, laid, KAnonymity(k), Loss(), int(share * frequencies.records), seed=seed), Watch()
    )


def _measured(search: Search) -> Figures:
    table = tables.adult().select(tables.NINE)
    # Imports what is imported on first use.
    searched(Optimal(), counted(table.slice(0, 200), tables.NINE), 2, 0.0)

    def told() -> str:
        node = searched(search, counted(table, tables.NINE), 5, 0.02).node
        assert node is not None
        return f"loss {node.score:.6f}"

    return measure(told)


def genetic() -> Figures:
    return _measured(Genetic())


def annealing() -> Figures:
    return _measured(Annealing())


def top_down() -> Figures:
    """Eight quasi-identifiers, since the label is none."""
    return _measured(TopDownSpecialization(LABEL))


ROWS = [
    Row("Adult, nine columns, k=5, 2 %: genetic", "genetic", None, "cpu", 5.0),
    Row("Adult, nine columns, k=5, 2 %: annealing", "annealing", None, "cpu", 5.0),
    Row("Adult, eight columns, k=5, 2 %: top_down_specialization", "top_down", None, "cpu", 1.0),
]


def losses() -> None:
    """As Markdown: the loss of the best full-domain release, and what several seeds lead to."""
    frequencies = counted(tables.adult().select(tables.NINE), tables.NINE)
    print("| k | suppressed at most | optimal | genetic, three seeds | annealing, three seeds |\n|---|---|---|---|---|")
    for k, share in ((2, 0.01), (5, 0.0), (5, 0.02)):
        best = searched(Optimal(), frequencies, k, share).node
        cells = [str(k), f"{share:.0%}", f"{best.score:.4f}" if best else "-"]
        for search in (Genetic(), Annealing()):
            before = process_time()
            nodes = [searched(search, frequencies, k, share, seed).node for seed in range(3)]
            found = sorted(node.score for node in nodes if node)
            cells.append(f"{found[0]:.4f} to {found[-1]:.4f} ({(process_time() - before) / 3:.1f} s)")
        print(f"| {' | '.join(cells)} |", flush=True)


def labels() -> None:
    """As Markdown: what a classifier learns from releases with salary-class kept."""
    import incrowd

    table = tables.adult().select(tables.NINE)
    columns = {name: {"role": "quasi", "hierarchy": str(HIERARCHIES / f"{name}.csv")} for name in FEATURES}
    job = {"columns": {**columns, LABEL: {"role": "keep"}}, "suppress": 0.02}
    print("| k | search | loss | classification | classifier_accuracy |\n|---|---|---|---|---|")
    for k in (5, 50):
        for search in ("optimal", "genetic", {"top_down_specialization": {"label": LABEL}}):
            made = incrowd.anonymize(table, {**job, "models": [{"k_anonymity": {"k": k}}], "search": search})
            found = incrowd.measure(
                table,
                made.frame,
                columns,
                LABEL,
                yardsticks=["classification", "classifier_accuracy"],
            ).to_dict()
            [release] = found["releases"]
            told = [f"{release['readings'][name]['value']:.4f}" for name in ("classification", "classifier_accuracy")]
            name = search if isinstance(search, str) else next(iter(search))
            print(f"| {k} | {name} | {made.figures.scores['loss']:.4f} | {' | '.join(told)} |", flush=True)


def prepare() -> None:
    """Nothing: Adult is there."""


if __name__ == "__main__":
    if sys.argv[1:2] == ["losses"]:
        losses()
    elif sys.argv[1:2] == ["labels"]:
        labels()
    else:
        run(__file__, globals(), ROWS, prepare)
