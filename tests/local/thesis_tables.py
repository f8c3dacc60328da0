"""Tables for the algorithms of the thesis: its own, and random ones whose spans are exact in binary numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis, Kind
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem
from incrowd.searches._tradeoff.records import TradeoffRecords
from local.thesis import Columns

Row = tuple[Any, ...]

LEAVES = Hierarchy.from_rows([(f"l{at}", f"n{at // 3}", "*") for at in range(9)])
ORDER = ["none", "little", "some", "much", "all"]

AXES: dict[str, Axis] = {
    # Every domain spans a power of two.
    "number": Axis.of_numbers("number", pa.array([0, 1, 2, 3, 5, 8]), (0, 8)),  # type: ignore[dict-item]
    "mark": Axis.of_set("mark", pa.array(["a", "b", "c", "d", "ü"])),
    "leaf": Axis.of_tree(LEAVES.along("leaf", pa.array(["l0", "l1", "l2", "l4", "l5", "l8"]))),
    "degree": Axis.of_order("degree", pa.array(["none", "little", "much", "all"]), ORDER),
    "income": Axis.of_numbers("income", pa.array([0, 1, 2, 4, 7, 8]), (0, 8)),  # type: ignore[dict-item]
    "illness": Axis.of_set("illness", pa.array(["cold", "flu", "gout"])),
    "ward": Axis.of_tree(LEAVES.along("ward", pa.array(["l0", "l1", "l3", "l8"]))),
}


def problem(
    rows: Sequence[Row], quasi: Sequence[Axis], sensitive: Sequence[Axis], model: PrivacyModel, **more: Any
) -> Problem:
    """Rows of codes; equal ones are counted together, the first to come first."""
    axes = [*quasi, *sensitive]
    counts: dict[Row, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    codes = np.array(list(counts), dtype=np.int32).reshape(len(counts), len(axes)).T
    frequencies = FrequencySet(
        tuple(axis.name for axis in axes),
        tuple(axis.values for axis in axes),
        np.ascontiguousarray(codes),
        np.array(list(counts.values()), dtype=np.int64),
    )
    named = {axis.name: axis for axis in sensitive}
    ladders = {axis.name: axis.ladder for axis in sensitive if axis.ladder is not None}
    return Problem(frequencies, (), model, Loss(), axes=tuple(quasi), sensitive_axes=named, sensitive=ladders, **more)


def of_texts(
    rows: Sequence[Mapping[str, Any]],
    quasi: Sequence[Axis],
    sensitive: Sequence[Axis],
    model: PrivacyModel,
    **more: Any,
) -> Problem:
    """Rows of values."""
    code = {
        axis.name: {value: at + 1 for at, value in enumerate(axis.values.to_pylist())} for axis in (*quasi, *sensitive)
    }
    coded = [tuple(code[name][row[name]] for name in code) for row in rows]
    return problem(coded, quasi, sensitive, model, **more)


def rescaled(given: Problem, factor: int, shift: int) -> Problem:
    """Quasi-identifiers that are numbers, times a factor and further up, and so their domains."""

    def other(axis: Axis) -> Axis:
        if axis.kind != Kind.NUMBERS:
            return axis
        values = [value * factor + shift for value in axis.values.to_pylist()]
        found = Axis.of_numbers(axis.name, pa.array(values), (shift, axis.span * factor + shift))
        assert found is not None
        return found

    axes = tuple(map(other, given.axes))
    values = {axis.name: axis.values for axis in axes}
    names = given.frequencies.names
    every = tuple(values.get(name, own) for name, own in zip(names, given.frequencies.values, strict=True))
    return replace(given, axes=axes, frequencies=replace(given.frequencies, values=every))


def columns_of(given: Problem, records: TradeoffRecords) -> Columns:
    """As the slow references see them."""
    sensitive = list(given.sensitive_axes.values())
    codes = given.frequencies.codes[:, records.order].tolist()
    return Columns(given.axes, sensitive, codes)


def listed(records: TradeoffRecords) -> list[int]:
    """Every record by its position, in order."""
    return np.repeat(np.arange(len(records.counts)), records.counts).tolist()


@st.composite
def problems(
    draw: st.DrawFn, most: int = 14, models: SearchStrategy[PrivacyModel] | None = None, **more: Any
) -> Problem:
    """Two or four quasi-identifiers of all kinds, with duplicates and missing cells; k from 2 on.

    With k = 1 equal records that each are a cluster are told as one.
    """
    names = draw(st.sampled_from([("number", "leaf"), ("mark", "degree"), ("number", "mark", "leaf", "degree")]))
    quasi = [AXES[name] for name in names]
    every = [("income",), ("income", "illness"), ("illness", "income")]
    judged = ("income", "illness", "ward") if models is not None else draw(st.sampled_from(every))
    sensitive = [AXES[name] for name in judged]
    cells = [st.integers(0, len(axis.values)) for axis in (*quasi, *sensitive)]
    kinds = draw(st.lists(st.tuples(*cells), min_size=1, max_size=most))
    times = draw(st.lists(st.sampled_from([1, 1, 1, 2, 4]), min_size=len(kinds), max_size=len(kinds)))
    rows = [row for row, often in zip(kinds, times, strict=True) for _ in range(often)]
    model = draw(models if models is not None else st.integers(2, 4).map(KAnonymity))
    return problem(rows, quasi, sensitive, model, seed=draw(st.integers(0, 3)), **more)
