"""Small tables for local searches: rows of mixed columns, and the problems that they make."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis
from incrowd.core.frequencies import Counting
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.t_closeness import TCloseness
from incrowd.searches import Problem

Row = Mapping[str, str | None]

PLACES = Hierarchy.from_rows(
    [
        ("Bonn", "Rhine", "west", "*"),
        ("Köln", "Rhine", "west", "*"),
        ("Essen", "Ruhr", "west", "*"),
        ("Ulm", "Danube", "south", "*"),
        ("Linz", "Danube", "south", "*"),
        ("Oslo", "north", "north", "*"),
    ]
)
"""A tree of places with branches of different sizes."""

SIZES = ("small", "middle", "large", "huge")
"""Ordered values, of which a table may lack some."""

QUASI = ("age", "place", "size", "mark")
DISEASE = "disease"


def axis_of(name: str, values: pa.Array) -> Axis:
    """How each column of these tables is measured."""
    if name == "age":
        axis = Axis.of_numbers(name, values)
        assert axis is not None
        return axis
    if name == "place":
        return Axis.of_tree(PLACES.along(name, values))
    return Axis.of_order(name, values, SIZES) if name == "size" else Axis.of_set(name, values)


def local_problem(
    rows: Sequence[Row],
    model: PrivacyModel,
    quasi: Sequence[str] = QUASI,
    budget: int = 0,
    priorities: tuple[float, ...] = (),
    seed: int = 0,
    sensitive: Sequence[str] = (),
) -> Problem:
    """The problem of a table; sensitive columns beyond those that the model needs are counted as well."""
    needed = [*dict.fromkeys([*(name for columns in model.needs for name in columns), *sensitive])]
    names = [*quasi, *needed]
    counting = Counting(names)
    counting.add([pa.array([row[name] for row in rows], pa.string()) for name in names])
    frequencies = counting.result()
    axes = [axis_of(name, values) for name, values in zip(names, frequencies.values, strict=True)]
    return Problem(
        frequencies,
        (),
        model,
        Loss(),
        budget,
        priorities=priorities,
        seed=seed,
        axes=tuple(axes[: len(quasi)]),
        sensitive_axes=dict(zip(needed, axes[len(quasi) :], strict=True)),
    )


def records_of(groups: Groups) -> dict[int, list[tuple[str | None, ...]]]:
    """By group its records, sorted; -1 are those left out."""
    texts = [[None, *values.to_pylist()] for values in groups.frequencies.values]
    found: dict[int, list[tuple[str | None, ...]]] = {}
    for at, n, group in zip(groups.combination.tolist(), groups.counts.tolist(), groups.group.tolist(), strict=True):
        codes = groups.frequencies.codes[:, at].tolist()
        record = tuple(of[code] for of, code in zip(texts, codes, strict=True))
        found.setdefault(group, []).extend([record] * n)
    return {group: sorted(records, key=str) for group, records in found.items()}


def assert_whole(problem: Problem, groups: Groups) -> None:
    """Every record is in the groups once, groups are numbered without gaps, and all satisfy the model."""
    found = np.zeros(problem.frequencies.combinations, dtype=np.int64)
    np.add.at(found, groups.combination, groups.counts)
    assert (found == problem.frequencies.counts).all()
    assert set(groups.group.tolist()) - {-1} == set(range(groups.n))
    assert groups.suppressed <= problem.budget
    assert problem.model.holds(groups.classes(problem.model.needs, problem.sensitive)).all()


def _row() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "age": st.sampled_from(["7", "07", "18", "19", "40", "41.5", "-3", None]),
            "place": st.sampled_from([*PLACES.values, None]),
            "size": st.sampled_from([*SIZES[:3], None]),
            "mark": st.sampled_from(["x", "y", "ü", None]),
            DISEASE: st.sampled_from(["flu", "cold", "gout"]),
        }
    )


def tables(most: int = 24) -> SearchStrategy[list[dict[str, Any]]]:
    """Rows with duplicates, missing cells, and two spellings of one number."""
    return st.lists(_row(), min_size=1, max_size=most)


def some_models() -> SearchStrategy[PrivacyModel]:
    """k-anonymity alone and with models of each kind of monotonicity."""
    k = st.integers(1, 6).map(KAnonymity)
    further = st.sampled_from(
        [DistinctL(2, column=DISEASE), EntropyL(1.5, column=DISEASE), TCloseness(0.4, column=DISEASE)]
    )
    return st.one_of(k, st.tuples(k, further).map(lambda both: All(both)))
