"""An attacker who sees the published table alone, and tries every table of whole numbers that agrees with it."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import Infeasible
from incrowd.tables.result import PublishedTable

TREE = {"a": "x", "b": "x", "c": "y"}
HIERARCHY = Hierarchy.from_rows([(leaf, above, "*") for leaf, above in TREE.items()])
ROUNDED = [f"{kind}_rounding:base={base}" for kind in ("random", "controlled") for base in (2, 3)]
SUPPRESSED = [
    "suppression" + (f":{','.join(options)}" if options else "")
    for options in product(("search=exact", "search=heuristic"), ("zeros=keep", "zeros=hide"))
]
MOST = 5
"""The attacker tries tables with so many people in a category's cell, two more than there are."""
RULES = st.sampled_from(["threshold", "threshold:n=2", "threshold:room=2", "threshold:zeros=sensitive"])


@st.composite
def frames(draw: st.DrawFn) -> pa.Table:
    """Records of a few people, in a table of up to six categories' cells."""
    sizes = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 1), (2, 2, 1)]))
    inner = list(product(*("abc"[:size] for size in sizes)))
    numbers = draw(st.lists(st.integers(0, 3), min_size=len(inner), max_size=len(inner)).filter(any))
    rows = [cell for cell, number in zip(inner, numbers, strict=True) for _ in range(number)]
    return pa.table({f"column {at}": list(column) for at, column in enumerate(zip(*rows, strict=True))})


def below(label: str, labels: tuple[str, ...]) -> list[str]:
    """The categories that a label stands for."""
    leaves = [each for each in labels if each in TREE]
    return [leaf for leaf in leaves if label in (leaf, TREE[leaf], "Total")]


def possible(table: PublishedTable, within: int, positive: bool) -> dict[tuple[str, ...], set[int]]:
    """Per cell what it holds in some table that the attacker cannot rule out, among tables of few people."""
    inner = list(product(*(below("Total", labels) for labels in table.labels)))
    tables = np.indices((MOST + 1,) * len(inner)).reshape(len(inner), -1).T
    covered = {}
    for *labels, shown in table.rows():
        parts = list(product(*(below(label, known) for label, known in zip(labels, table.labels, strict=True))))
        covered[tuple(labels)] = [inner.index(part) for part in parts]
        cell = tables[:, covered[tuple(labels)]].sum(axis=1)
        tables = tables[cell >= int(positive) if shown == "x" else np.abs(cell - int(shown)) < within]
    for side, labels in enumerate(table.labels):
        for leaf in below("Total", labels):
            # Nobody would have heard of a category that has no record.
            tables = tables[tables[:, [at for at, of in enumerate(inner) if of[side] == leaf]].sum(axis=1) > 0]
    return {labels: set(tables[:, parts].sum(axis=1).tolist()) for labels, parts in covered.items()}


@pytest.mark.parametrize("protect", [*SUPPRESSED, *ROUNDED])
@settings(max_examples=10, deadline=None)
@given(frame=frames(), rule=RULES, subtotals=st.booleans())
def test_no_attacker_narrows_a_cell_further_than_the_audit_says(
    protect: str, frame: pa.Table, rule: str, subtotals: bool
) -> None:
    hierarchies = {"column 0": HIERARCHY} if subtotals else {}
    try:
        found = incrowd.table(frame, frame.column_names, rules=rule, protect=protect, hierarchies=hierarchies, seed=1)
    except Infeasible:
        assert protect in ROUNDED
        return
    within = 1 if protect in SUPPRESSED else int(protect[-1])
    seen = possible(found, within, "keep" in protect and "zeros" not in rule)
    for each in found.private["ranges"]:
        values = seen[tuple(each["cell"])]
        assert each["value"] in values
        # The tables that are tried have few people in each cell, so that they need not reach as far as all tables do.
        assert min(values) <= max(each["low"], each["value"] - 1)
        assert max(values) >= min(each["high"], each["value"] + 1)
