"""Where levels differ from cell to cell, metrics score what is published: record by record, by the definitions."""

from collections import Counter
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.families import members
from incrowd.metrics import Cells, Columns, Metric
from incrowd.metrics.queries import Queries, fits
from incrowd.recodings.by_combination import SUPPRESSED, generalized, recode
from strategies_lattice import laid_tables

MEANS = ("loss", "precision", "certainty_penalty", "ambiguity")
"""A mean over all records."""
LEVELS = ("height", "relative_distance", "weighted_loss")
"""A cost of the levels, here a mean over the records that are published."""
CLASSES = ("discernibility", "average_class_size", "distinct_rows", "suppressed")
"""A cost of the classes."""


METRICS: dict[str, Metric] = {name: module.METRIC() for name, module in members("metrics", "METRIC").items()}
METRICS["queries"] = Queries(size=12)


def test_every_metric_is_tried() -> None:
    assert {*MEANS, *LEVELS, *CLASSES, "entropy", "queries"} == set(METRICS)


def text(ladder: EncodedHierarchy, code: int, level: int) -> str | None:
    """What is published for a value."""
    if level:
        return ladder.labels(level)[ladder.up[level][code]]
    return ladder.values[code - 1].as_py() if code else None


def by_classes(sizes: list[int], gone: int) -> dict[str, float]:
    """What depends on the sizes of the published classes alone."""
    n, classes = sum(sizes) + gone, len(sizes) + bool(gone)
    return {
        "discernibility": float(sum(size * size for size in sizes) + n * gone),
        "average_class_size": n / classes if classes else 0.0,
        "distinct_rows": float(n - len(sizes)),
        "suppressed": float(gone),
    }


def entropy(columns: Columns, records: list[tuple[Cells, tuple[int, ...]]]) -> float:
    """The bits that each cell hides; its value and its label are counted in the whole column."""
    cost = 0.0
    for at, ladder in enumerate(columns.ladders):
        values = Counter(cells.values[at] for cells, _ in records)
        for cells, levels in records:
            up = ladder.up[-1 if cells.suppressed else levels[at]]
            behind = sum(times for value, times in values.items() if up[value] == up[cells.values[at]])
            cost -= columns.weights[at] * log2(values[cells.values[at]] / behind)
    return cost


def query_error(columns: Columns, records: list[tuple[Cells, tuple[int, ...]]]) -> float:
    """The mean over queries of their relative errors; what a record adds to an estimate depends on its own levels."""
    asked = Queries(size=12).asked(columns)
    errors = []
    for conditions in asked.conditions.T.tolist():
        actual, estimated = 0, 0.0
        for cells, levels in records:
            about = [c for c, condition in enumerate(conditions) if condition >= 0]
            found = [
                fits(columns, c, max(0, levels[c]), cells.values[c], asked.wanted[c][conditions[c]]) for c in about
            ]
            actual += all(really for really, _ in found)
            estimated += 0.0 if cells.suppressed else prod(probably for _, probably in found)
        errors += [abs(actual - estimated) / actual] if actual else []
    return sum(errors) / max(1, len(errors))


@given(data=st.data(), columns=laid_tables(least_count=1))
def test_the_score_is_the_definition_s(data: st.DataObject, columns: Columns) -> None:
    combinations = columns.combinations
    own = np.array(
        [[data.draw(st.integers(0, ladder.height)) for _ in combinations.counts] for ladder in columns.ladders],
        dtype=np.int16,
    ).reshape(len(columns.ladders), combinations.combinations)
    own[:, [data.draw(st.integers(0, 3)) == 0 for _ in combinations.counts]] = SUPPRESSED
    recoding = recode(combinations, columns.ladders, own)
    records = [
        (Cells(tuple(codes), SUPPRESSED in levels), tuple(levels))
        for codes, levels, times in zip(
            combinations.codes.T.tolist(), own.T.tolist(), combinations.counts.tolist(), strict=True
        )
        for _ in range(times)
    ]
    rows = Counter(
        tuple(text(*cell) for cell in zip(columns.ladders, cells.values, levels, strict=True))
        for cells, levels in records
        if not cells.suppressed
    )
    kept = [(cells, levels) for cells, levels in records if not cells.suppressed]
    expected = by_classes(list(rows.values()), len(records) - len(kept)) | {
        "entropy": entropy(columns, records),
        "queries": query_error(columns, records),
    }
    for name in (*MEANS, *LEVELS):
        counting = records if name in MEANS else kept
        bottom = (0,) * len(columns.ladders)
        costs = [
            METRICS[name].textbook([cells], bottom if cells.suppressed else levels, columns)
            for cells, levels in counting
        ]
        expected[name] = sum(costs) / max(1, len(costs))
    for name, metric in METRICS.items():
        found = metric.prepare(columns).score(generalized(recoding, own))
        assert found == pytest.approx(expected[name], rel=1e-9, abs=1e-9), name
