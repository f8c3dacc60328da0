"""Small problems for set-partitioning, and every partition of them weighed by plain Python."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis
from incrowd.metrics import Metric
from incrowd.metrics.loss import Loss
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.recodings import Form
from incrowd.searches import Problem
from searches.local_problems import GRADES, Kind, Row, grades, local_problem, numbers, tree
from searches.problems import DISEASE, MODELS
from strategies_lattice import hierarchies

Parts = tuple[Mapping[int, int], ...]
"""Per column the part of each code."""


def part_problem(
    rows: Sequence[Row],
    kinds: Mapping[str, Kind],
    model: PrivacyModel,
    budget: int = 0,
    label: str | None = None,
    metric: Metric | None = None,
) -> Problem:
    """The columns with a kind are the quasi-identifiers; parts are published as sets."""
    made = local_problem(rows, kinds, model, budget, sensitive=[] if label is None else [label])
    return replace(made, forms=(Form.SET,) * len(kinds), metric=metric or Loss())


@st.composite
def part_problems(
    draw: st.DrawFn, models: SearchStrategy[PrivacyModel] = MODELS, metric: Metric | None = None
) -> Problem:
    """Up to three columns of few values, some missing, and up to ten kinds of records, each several times."""
    kinds: dict[str, Kind] = {}
    cells: dict[str, SearchStrategy[str | None]] = {}
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        most = 4 if name == "a" else 2
        drawn = draw(st.sampled_from(["numbers", "grades", "tree", "set"]))
        if drawn == "tree":
            hierarchy = draw(hierarchies(most_values=most))
            kinds[name], known = tree(hierarchy), hierarchy.values
        elif drawn == "numbers":
            kinds[name], known = numbers, ("-3", "0.5", "2", "10")[:most]
        elif drawn == "grades":
            kinds[name], known = grades, GRADES[:most]
        else:
            kinds[name], known = Axis.of_set, ("x", "ß", "京", "y")[:most]
        cells[name] = st.sampled_from(known) | st.none()
    different = draw(
        st.lists(st.fixed_dictionaries({**cells, DISEASE: st.sampled_from("xyz")}), min_size=1, max_size=10)
    )
    times = draw(st.lists(st.integers(1, 4), min_size=len(different), max_size=len(different)))
    rows: list[Row] = [row for row, often in zip(different, times, strict=True) for _ in range(often)]
    return part_problem(rows, kinds, draw(models), draw(st.integers(0, len(rows) // 2)), DISEASE, metric)


def in_order(problem: Problem) -> list[list[int]]:
    """Per column the codes that occur, in the order of its axis."""
    used = [sorted(set(codes.tolist())) for codes in problem.frequencies.codes[: len(problem.axes)]]
    return [
        sorted(codes, key=lambda code: int(axis.rank[code])) for axis, codes in zip(problem.axes, used, strict=True)
    ]


def every_interval(problem: Problem) -> Iterator[Parts]:
    """All ordered set-partitionings: each column with a cut, or none, before each value but the first."""
    columns = []
    for codes in in_order(problem):
        found = []
        for cuts in product((0, 1), repeat=max(0, len(codes) - 1)):
            found.append({code: sum(cuts[:at]) for at, code in enumerate(codes)})
        columns.append(found)
    return product(*columns)


def every_set(problem: Problem) -> Iterator[Parts]:
    """All unordered ones."""
    return product(*(list(_sets(codes)) for codes in in_order(problem)))


def _sets(codes: Sequence[int]) -> Iterator[Mapping[int, int]]:
    if not codes:
        yield {}
        return
    for rest in _sets(codes[:-1]):
        for part in range(max(rest.values(), default=-1) + 2):
            yield {**rest, codes[-1]: part}


class Seen(NamedTuple):
    """A release, judged by the definitions."""

    feasible: bool
    suppressed: int
    discernibility: int
    classification: int


def seen(problem: Problem, parts: Parts) -> Seen:
    """Classes record by record; those that violate the model are suppressed."""
    frequencies, model = problem.frequencies, problem.model
    texts = [[None, *map(str, values.to_pylist())] for values in frequencies.values]
    at = {name: frequencies.names.index(name) for name in frequencies.names}
    # Where nothing is to be predicted, all have the same label.
    labels = (DISEASE,) if DISEASE in at else ()
    classes: dict[tuple[int, ...], list[tuple[tuple[str | None, ...], int]]] = {}
    whole: list[tuple[tuple[str | None, ...], int]] = []
    for codes, count in zip(frequencies.codes.T.tolist(), frequencies.counts.tolist(), strict=True):
        cells = tuple(text[code] for text, code in zip(texts, codes, strict=True))
        key = tuple(part[code] for part, code in zip(parts, codes, strict=False))
        classes.setdefault(key, []).append((cells, count))
        whole.append((cells, count))

    def tallies(
        members: Sequence[tuple[tuple[str | None, ...], int]],
    ) -> dict[tuple[str, ...], Counter[tuple[str | None, ...]]]:
        found: dict[tuple[str, ...], Counter[tuple[str | None, ...]]] = {}
        for columns in {*model.needs, labels}:
            found[columns] = Counter()
            for cells, count in members:
                found[columns][tuple(cells[at[name]] for name in columns)] += count
        return found

    reference = Reference(tallies(whole), {})
    suppressed = discernibility = wrong = 0
    for members in classes.values():
        size, values = sum(count for _, count in members), tallies(members)
        if model.textbook(Block(size, values), reference):
            discernibility += size * size
            wrong += size - max(values[labels].values())
        else:
            suppressed += size
            discernibility += size * frequencies.records
            wrong += size
    return Seen(suppressed <= problem.budget, suppressed, discernibility, wrong)
