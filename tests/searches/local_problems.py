"""Small problems for searches that recode groups of records: built from rows, and drawn at random."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.searches import Problem
from searches.problems import DISEASE, K_ANONYMITY, MODELS, PRIORITIES, frequency_set
from strategies_lattice import hierarchies

Row = Mapping[str, str | None]
Kind = Callable[[str, pa.Array], Axis]
"""What makes an axis of a column's name and values."""

GRADES = ("poor", "fair", "good", "best")


def numbers(name: str, values: pa.Array) -> Axis:
    """Numbers, written as text."""
    axis = Axis.of_numbers(name, values)
    assert axis is not None
    return axis


def grades(name: str, values: pa.Array) -> Axis:
    """Values in an order."""
    return Axis.of_order(name, values, GRADES)


def tree(hierarchy: Hierarchy) -> Kind:
    """Values of a hierarchy."""
    return lambda name, values: Axis.of_tree(hierarchy.along(name, values))


def local_problem(
    rows: Sequence[Row],
    kinds: Mapping[str, Kind],
    model: PrivacyModel,
    budget: int = 0,
    priorities: tuple[float, ...] = (),
    seed: int = 0,
    sensitive: Sequence[str] = (),
) -> Problem:
    """The columns with a kind are the quasi-identifiers, in their order; sensitive ones have no order."""
    others = sorted({*sensitive, *(name for columns in model.needs for name in columns)})
    frequencies = frequency_set(rows, [*kinds, *others])
    values = dict(zip(frequencies.names, frequencies.values, strict=True))
    return Problem(
        frequencies,
        (),
        model,
        Loss(),
        budget,
        priorities=priorities,
        seed=seed,
        axes=tuple(kind(name, values[name]) for name, kind in kinds.items()),
        sensitive_axes={name: Axis.of_set(name, values[name]) for name in others},
    )


@st.composite
def tables(draw: st.DrawFn, most_kinds: int = 12) -> tuple[list[Row], dict[str, Kind]]:
    """Rows with up to four columns of any kind, missing cells, and records that occur several times."""
    kinds: dict[str, Kind] = {}
    cells: dict[str, SearchStrategy[str | None]] = {}
    for name in ("a", "b", "c", "d")[: draw(st.integers(1, 4))]:
        drawn = draw(st.sampled_from(["numbers", "grades", "tree", "set"]))
        if drawn == "tree":
            hierarchy = draw(hierarchies(most_values=6))
            kinds[name], known = tree(hierarchy), st.sampled_from(hierarchy.values)
        elif drawn == "numbers":
            kinds[name], known = numbers, st.integers(-3, 9).map(str)
        elif drawn == "grades":
            kinds[name], known = grades, st.sampled_from(GRADES)
        else:
            kinds[name], known = Axis.of_set, st.sampled_from(["x", "y", "ß", "京"])
        cells[name] = known | st.none()
    different = draw(
        st.lists(st.fixed_dictionaries({**cells, DISEASE: st.sampled_from("xyz")}), min_size=1, max_size=most_kinds)
    )
    times = draw(st.lists(st.integers(1, 5), min_size=len(different), max_size=len(different)))
    rows: list[Row] = [row for row, often in zip(different, times, strict=True) for _ in range(often)]
    return rows, kinds


@st.composite
def local_problems(draw: st.DrawFn, models: SearchStrategy[PrivacyModel] = MODELS) -> Problem:
    """Any table, any models."""
    rows, kinds = draw(tables())
    return local_problem(
        rows,
        kinds,
        draw(models),
        budget=draw(st.integers(0, len(rows) // 2)),
        priorities=draw(st.just(()) | st.tuples(*[PRIORITIES] * len(kinds))),
        seed=draw(st.integers(0, 3)),
        sensitive=[DISEASE] if draw(st.booleans()) else [],
    )


PLAIN_PROBLEMS = local_problems(K_ANONYMITY)

Told = tuple[str | None, ...]


def records_of(groups: Groups) -> list[tuple[int, Counter[Told]]]:
    """Every group, those that are suppressed as one of number -1: its records as values of all columns."""
    found: dict[int, Counter[Told]] = {}
    table = groups.frequencies
    texts = [[None, *values.to_pylist()] for values in table.values]
    for combination, count, group in zip(groups.combination, groups.counts, groups.group, strict=True):
        cells = tuple(text[code] for text, code in zip(texts, table.codes[:, combination], strict=True))
        found.setdefault(int(group), Counter())[cells] += int(count)
    return sorted(found.items(), key=lambda item: item[0])


def is_whole(groups: Groups) -> bool:
    """Whether all records are in groups that are numbered without gaps."""
    table = groups.frequencies
    summed = np.bincount(groups.combination, weights=groups.counts, minlength=table.combinations)
    return bool((summed == table.counts).all()) and set(groups.group.tolist()) <= {-1, *range(groups.n)}


def is_safe(problem: Problem, groups: Groups) -> bool:
    """Whether every group satisfies the models and no more is suppressed than may be."""
    sizes = np.bincount(groups.group[groups.kept], weights=groups.counts[groups.kept], minlength=groups.n)
    holds = problem.model.holds(groups.classes(problem.model.needs, problem.sensitive))
    return bool(holds.all()) and bool((sizes > 0).all()) and groups.suppressed <= problem.budget
