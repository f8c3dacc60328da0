"""Small problems for the searches: built from rows, drawn at random, and searched without a search."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics import Levels, Metric
from incrowd.metrics.average_class_size import AverageClassSize
from incrowd.metrics.discernibility import Discernibility
from incrowd.metrics.height import Height
from incrowd.metrics.loss import Loss
from incrowd.metrics.weighted_loss import WeightedLoss
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.delta_presence import DeltaPresence
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.k_map import KMap
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.models.t_closeness import TCloseness
from incrowd.searches import Node, Problem
from incrowd.searches.lattice import Lattice
from incrowd.watch import Stopped, Watch
from strategies_lattice import hierarchies

Row = Mapping[str, str | None]

DISEASE = "disease"


def frequency_set(rows: Sequence[Row], columns: Sequence[str]) -> FrequencySet:
    """The rows, counted."""
    counting = Counting(columns)
    counting.add([pa.array([row[name] for row in rows], pa.string()) for name in columns])
    return counting.result()


def problem(
    rows: Sequence[Row],
    hierarchies: Mapping[str, Hierarchy],
    model: PrivacyModel,
    metric: Metric | None = None,
    budget: int = 0,
    minimum: Levels = (),
    limit: Levels = (),
    priorities: tuple[float, ...] = (),
) -> Problem:
    """The hierarchies' columns are the quasi-identifiers, in their order."""
    sensitive = sorted({name for columns in model.needs for name in columns})
    frequencies = frequency_set(rows, [*hierarchies, *sensitive])
    ladders = tuple(
        hierarchy.along(name, values)
        for (name, hierarchy), values in zip(hierarchies.items(), frequencies.values, strict=False)
    )
    return Problem(frequencies, ladders, model, metric or Loss(), budget, minimum, limit, priorities)


@lru_cache(maxsize=4)  # a test asks several times about its problem
def every_node(given: Problem) -> dict[Levels, Node]:
    """Each node of the lattice, counted apart from all others."""
    low = given.minimum or (0,) * len(given.ladders)
    high = given.limit or tuple(ladder.height for ladder in given.ladders)
    nodes = product(*(range(least, most + 1) for least, most in zip(low, high, strict=True)))
    return {levels: Lattice(given).count(levels) for levels in nodes}


def feasible_levels(given: Problem) -> set[Levels]:
    """The nodes that a search may choose from."""
    return {levels for levels, node in every_node(given).items() if node.feasible}


def minimal(levels: set[Levels]) -> set[Levels]:
    """Those that no other one lies below."""

    def below(lower: Levels, upper: Levels) -> bool:
        return lower != upper and all(low <= high for low, high in zip(lower, upper, strict=True))

    return {upper for upper in levels if not any(below(lower, upper) for lower in levels)}


class Ticks(Watch):
    """Stops a run at a tick."""

    def __init__(self, allowed: int) -> None:
        super().__init__()
        self.ticks_left = allowed

    def tick(self, words: str, share: float | None = None) -> None:
        """Raises Stopped when the allowed ticks are used up."""
        assert share is None or 0 <= share <= 1
        if self.ticks_left == 0:
            raise Stopped("interrupted")
        self.ticks_left -= 1


AGES = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 60)])
SEXES = Hierarchy.from_rows([("F", "*"), ("M", "*")])

PRIORITIES = st.sampled_from([0.0, 1 / 3, 0.5, 1.0, 2.0, 3.0])

K_ANONYMITY: SearchStrategy[PrivacyModel] = st.builds(KAnonymity, k=st.integers(1, 6))
CLOSED_MODELS: SearchStrategy[PrivacyModel] = st.one_of(
    K_ANONYMITY,
    st.builds(DistinctL, l=st.integers(1, 3), column=st.just(DISEASE)),
)
OPEN_MODELS: SearchStrategy[PrivacyModel] = st.one_of(
    st.builds(EntropyL, l=st.sampled_from([1.5, 2.0, 2.5]), column=st.just(DISEASE)),
    st.builds(RecursiveCL, c=st.sampled_from([0.5, 1.0, 2.0]), l=st.integers(1, 3), column=st.just(DISEASE)),
    st.builds(TCloseness, t=st.sampled_from([0.0, 0.2, 0.4, 0.6]), column=st.just(DISEASE)),
)
ONE_MODEL = CLOSED_MODELS | OPEN_MODELS
MODELS: SearchStrategy[PrivacyModel] = ONE_MODEL | st.lists(ONE_MODEL, min_size=2, max_size=3).map(
    lambda models: All(tuple(models))
)
METRICS: SearchStrategy[Metric] = st.sampled_from(
    [Loss(), WeightedLoss(), Height(), Discernibility(), AverageClassSize()]
)


@st.composite
def problems(draw: st.DrawFn, models: SearchStrategy[PrivacyModel] = MODELS) -> Problem:
    """Up to three columns and twelve different kinds of records; few values, so that classes merge."""
    columns = ("a", "b", "c")[: draw(st.integers(1, 3))]
    ladders = {name: draw(hierarchies(most_values=4)) for name in columns}
    cells = {name: st.sampled_from(ladder.values) | st.none() for name, ladder in ladders.items()}
    kinds = draw(st.lists(st.fixed_dictionaries({**cells, DISEASE: st.sampled_from("xyz")}), min_size=1, max_size=12))
    times = draw(st.lists(st.integers(1, 4), min_size=len(kinds), max_size=len(kinds)))
    rows = [row for row, often in zip(kinds, times, strict=True) for _ in range(often)]
    minimum = tuple(draw(st.integers(0, min(1, ladder.height))) for ladder in ladders.values())
    limit = tuple(draw(st.integers(low, top.height)) for low, top in zip(minimum, ladders.values(), strict=True))
    return problem(
        rows,
        ladders,
        draw(models),
        draw(METRICS),
        budget=draw(st.integers(0, len(rows) // 2)),
        minimum=draw(st.sampled_from([(), minimum])),
        limit=draw(st.sampled_from([(), limit])),
        priorities=draw(st.just(()) | st.tuples(*[PRIORITIES] * len(columns)).filter(any)),
    )


PRESENCE = st.builds(DeltaPresence, lower=st.sampled_from([0.0, 0.1]), upper=st.sampled_from([0.3, 0.5, 1.0]))
POPULATION_MODELS: SearchStrategy[PrivacyModel] = st.one_of(
    st.builds(KMap, k=st.integers(1, 8)),
    PRESENCE,
    st.tuples(K_ANONYMITY, PRESENCE).map(All),
)


@st.composite
def population_problems(draw: st.DrawFn) -> Problem:
    """The people of the table, each some times over, and others beside them."""
    given = draw(problems(K_ANONYMITY))
    table = given.frequencies
    others = draw(st.lists(st.tuples(*(st.integers(0, n - 1) for n in table.cardinalities)), max_size=4))
    further = np.array(others, dtype=np.int32).reshape(-1, len(table.names)).T
    codes = np.ascontiguousarray(np.concatenate([table.codes, further], axis=1))
    times = draw(st.lists(st.integers(1, 4), min_size=codes.shape[1], max_size=codes.shape[1]))
    counts = np.append(table.counts, np.ones(len(others), dtype=np.int64)) * np.array(times, dtype=np.int64)
    people = FrequencySet(table.names, table.values, codes, counts).project(table.names)
    return replace(given, model=draw(POPULATION_MODELS), population=people)
