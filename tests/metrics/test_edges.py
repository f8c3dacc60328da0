"""Tables without records, hierarchies without choice, releases without a row."""

import numpy as np
import pytest

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.families import members
from incrowd.metrics import Columns, Metric
from incrowd.metrics.average_class_size import AverageClassSize
from incrowd.metrics.certainty_penalty import CertaintyPenalty
from incrowd.metrics.discernibility import Discernibility
from incrowd.metrics.distinct_rows import DistinctRows
from incrowd.metrics.entropy import Entropy
from incrowd.metrics.height import Height
from incrowd.metrics.loss import Loss
from incrowd.metrics.precision import Precision
from incrowd.metrics.suppressed import Suppressed
from metrics.by_hand import bound, laid, levels_of, node, records

METRICS: dict[str, Metric] = {name: module.METRIC() for name, module in members("metrics", "METRIC").items()}
OF_LEVELS = ("height", "relative_distance", "weighted_loss")

SHAPES = Hierarchy.from_rows([("ring", "round", "*"), ("disc", "round", "*"), ("cube", "edged", "*")])
SEXES = Hierarchy.from_rows([("F", "*"), ("M", "*")])
ALONE = Hierarchy.from_rows([("x", "*")])

every_metric = pytest.mark.parametrize("name", sorted(METRICS))


@every_metric
@pytest.mark.parametrize("hierarchy", [SHAPES, SEXES, ALONE])
def test_a_table_without_records(name: str, hierarchy: Hierarchy) -> None:
    columns = laid({"shape": hierarchy}, [])
    score = METRICS[name].prepare(columns)
    for levels in levels_of(columns):
        seen = node(columns, levels)
        assert score.score(seen) == METRICS[name].textbook([], levels, columns)
        assert bound(score, levels) <= score.score(seen)
        assert score.penalty(seen, ~seen.kept) == 0
        if name not in OF_LEVELS:
            assert score.score(seen) == 0


@every_metric
def test_a_table_of_which_only_the_population_has_records(name: str) -> None:
    table = laid({"shape": SHAPES, "sex": SEXES}, [("ring", "F"), ("disc", "M"), ("cube", None)])
    none = FrequencySet(
        table.combinations.names,
        table.combinations.values,
        table.combinations.codes,
        np.zeros_like(table.combinations.counts),
    )
    columns = Columns(none, table.ladders, table.weights)
    score = METRICS[name].prepare(columns)
    for levels in levels_of(columns):
        for kept in (None, lambda sizes: sizes > 0):
            seen = node(columns, levels, kept)
            assert bound(score, levels) <= score.score(seen) == METRICS[name].textbook([], levels, columns)


@pytest.mark.parametrize(
    ("name", "all_gone"),
    [
        ("loss", 1),
        ("precision", 1),
        ("certainty_penalty", 1),
        ("ambiguity", 1),
        ("suppressed", 4),
        ("distinct_rows", 4),
        ("discernibility", 16),
        ("average_class_size", 4),
        # Two bits for a shape that 1 of 4 records has, one for 2 of 4: 2 + 2 + 1 + 1 in both columns.
        ("entropy", 6 + 4),
        ("height", 0),
        ("relative_distance", 0),
        ("weighted_loss", 0),
    ],
)
def test_everything_suppressed(name: str, all_gone: float) -> None:
    """As when k is larger than the table."""
    columns = laid({"shape": SHAPES, "sex": SEXES}, [("ring", "F"), ("disc", "F"), ("cube", "M"), ("cube", "M")])
    seen = node(columns, (0, 0), lambda sizes: sizes >= 5)
    assert METRICS[name].prepare(columns).score(seen) == pytest.approx(all_gone)
    assert METRICS[name].textbook(records(columns, seen), (0, 0), columns) == pytest.approx(all_gone)


@pytest.mark.parametrize("name", ["certainty_penalty", "entropy", "distinct_rows"])
def test_a_domain_of_one_value_has_nothing_to_lose(name: str) -> None:
    columns = laid({"only": ALONE}, [("x",)])
    for levels in ((0,), (1,)):
        assert METRICS[name].prepare(columns).score(node(columns, levels)) == 0


def test_the_top_of_one_value_loses_it() -> None:
    """The top leaves everything open, as that of any other hierarchy does; a label of that value alone does not."""
    columns = laid({"only": Hierarchy.from_rows([("x", "letter", "*")])}, [("x",), (None,)])
    for level, loss in enumerate((0, 0, 1)):
        seen = node(columns, (level,))
        assert Loss().prepare(columns).score(seen) == loss
        assert Loss().textbook(records(columns, seen), (level,), columns) == loss


def test_numbers_without_a_range_are_counted() -> None:
    """A single number and missing: two values, which a range of 0 cannot tell."""
    rows = [("7", "*"), (None, "*")]
    spans = [[(7.0, 7.0)] * 2] * 2
    columns = laid({"number": Hierarchy.from_rows([*rows], spans=spans)}, [("7",), (None,)])
    assert CertaintyPenalty().prepare(columns).score(node(columns, (1,))) == 0
    listed = Hierarchy.from_rows([("7", "7", "*"), (None, "unknown", "*")], spans=[[(7.0, 7.0)] * 2] * 3)
    columns = laid({"number": listed}, [("7",), (None,)])
    assert CertaintyPenalty().prepare(columns).score(node(columns, (1,))) == 0
    assert CertaintyPenalty().prepare(columns).score(node(columns, (2,))) == 1


def test_what_is_unchanged_is_certain() -> None:
    """Although it is a range already, and although the column's codes are not the hierarchy's."""
    spans = [[(30.0, 39.0), (20.0, 29.0), (40.0, 40.0)], [(20.0, 40.0)] * 3]
    decades = Hierarchy.from_rows([("30-39", "*"), ("20-29", "*"), ("40", "*")], spans=spans)
    columns = laid({"age": decades}, [("40",), ("20-29",)])
    assert CertaintyPenalty().prepare(columns).score(node(columns, (0,))) == 0
    assert CertaintyPenalty().prepare(columns).score(node(columns, (1,))) == 1


def test_weights_shift_means_and_stretch_sums() -> None:
    rows = [("ring", "F"), ("disc", "F"), ("cube", "M"), ("cube", "M")]
    equal = laid({"shape": SHAPES, "sex": SEXES}, rows)
    skewed = laid({"shape": SHAPES, "sex": SEXES}, rows, weights=(3.0, 1.0))

    def scores(metric: Metric, levels: tuple[int, int]) -> tuple[float, float]:
        return (
            metric.prepare(equal).score(node(equal, levels)),
            metric.prepare(skewed).score(node(skewed, levels)),
        )

    assert scores(Precision(), (1, 0)) == pytest.approx((0.5 / 2, 3 * 0.5 / 4))
    assert scores(Loss(), (1, 0)) == pytest.approx((0.25 / 2, 3 * 0.25 / 4))
    # Ring or disc: one of two, twice.
    assert scores(Entropy(), (1, 0)) == pytest.approx((2, 6))
    assert scores(Height(), (1, 1)) == (2, 4)
    for metric in (Discernibility(), DistinctRows(), AverageClassSize(), Suppressed()):
        one, other = scores(metric, (1, 1))
        assert one == other


@pytest.mark.parametrize("records", [2**26 + 1, 2**32 + 1])
def test_discernibility_is_exact(records: int) -> None:
    """As far as a float is, and beyond it no square overflows."""
    table = laid({"sex": SEXES}, [("F",), ("M",)])
    counts = np.array([records, 1], dtype=np.int64)
    combinations = FrequencySet(("sex",), table.combinations.values, table.combinations.codes, counts)
    columns = Columns(combinations, table.ladders, (1.0,))
    score = Discernibility().prepare(columns)
    seen = node(columns, (0,), lambda sizes: sizes > 1)
    assert score.score(seen) == float(records**2 + records + 1)
    assert score.penalty(seen, ~seen.kept) == records
    assert bound(score, (0,)) <= score.score(seen)
    assert score.score(node(columns, (1,))) == float((records + 1) ** 2)
