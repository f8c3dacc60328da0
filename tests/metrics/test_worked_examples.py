"""The numbers of the papers: Samarati's slides, Loukides' thesis, ANON's report."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics import Columns, Levels
from incrowd.metrics.ambiguity import Ambiguity
from incrowd.metrics.average_class_size import AverageClassSize
from incrowd.metrics.certainty_penalty import CertaintyPenalty
from incrowd.metrics.discernibility import Discernibility
from incrowd.metrics.distinct_rows import DistinctRows
from incrowd.metrics.height import Height
from incrowd.metrics.loss import Loss
from incrowd.metrics.precision import Precision
from incrowd.metrics.relative_distance import RelativeDistance
from incrowd.metrics.suppressed import Suppressed
from incrowd.metrics.weighted_loss import WeightedLoss
from metrics.by_hand import laid, node, records


def score(
    metric: type, columns: Columns, levels: Levels, kept: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None
) -> float:
    """The score at a node, agreed upon by the textbook."""
    seen = node(columns, levels, kept)
    found = metric().prepare(columns).score(seen)
    assert found == pytest.approx(metric().textbook(records(columns, seen), levels, columns), rel=1e-12)
    return found


def ranges(numbers: Iterable[int], *levels: Sequence[range], prefix: str = "") -> Hierarchy:
    """Numbers whose labels are given ranges of them; what is in none of a level's ranges has a label of its own there.

    The hierarchy counts its values, and knows nothing of numbers.
    """
    rows = []
    for number in numbers:
        found = [next((f"{r[0]}-{r[-1]}" for r in level if number in r), f"only {number}") for level in levels]
        rows.append([f"{prefix}{number}", *found, "*"])
    return Hierarchy.from_rows(rows)


class TestSamarati:
    """FX-SAM-2: Race and ZIP, k = 2."""

    race = Hierarchy.from_rows([("asian", "person"), ("black", "person"), ("white", "person")])
    zip_code = Hierarchy.from_rows([(zip_, f"{zip_[:4]}*", "941**") for zip_ in ("94138", "94139", "94141", "94142")])
    rows = "asian 94142,asian 94141,asian 94139,asian 94139,asian 94139,black 94138,black 94139,white 94139,white 94141"
    columns = laid({"race": race, "zip": zip_code}, [row.split() for row in rows.split(",")])

    @pytest.mark.parametrize(
        ("levels", "suppressed", "distinct", "absolute", "relative", "precision"),
        [((0, 0), 6, 1, 0, 0, 1), ((1, 0), 2, 2, 1, 1, 1 / 2), ((0, 1), 2, 3, 1, 1 / 2, 3 / 4)],
    )
    def test_preferences(
        self, levels: Levels, suppressed: int, distinct: int, absolute: int, relative: float, precision: float
    ) -> None:
        def pairs(sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
            return sizes >= 2

        assert score(Suppressed, self.columns, levels, pairs) == suppressed
        assert score(DistinctRows, self.columns, levels, pairs) == 9 - distinct
        assert score(Height, self.columns, levels, pairs) == absolute
        assert score(RelativeDistance, self.columns, levels, pairs) == relative
        assert 1 - score(Precision, self.columns, levels) == precision
        # A suppressed record has lost all precision.
        assert 1 - score(Precision, self.columns, levels, pairs) == pytest.approx(precision * (9 - suppressed) / 9)


POSTCODES = [range(10, 16), range(16, 20), range(20, 31)]
"""FX-LOU-1: the first level above the 21 postcodes NW10..NW30."""


class TestLoukidesOneColumn:
    """FX-LOU-2: two groups of four postcodes (Table 2.3), and one group (Table 2.2)."""

    numbers = (10, 15, 12, 13, 20, 30, 30, 25)
    columns = laid({"postcode": ranges(range(10, 31), POSTCODES)}, [[str(number)] for number in numbers])

    @pytest.mark.parametrize(
        ("metric", "two_groups", "one_group"),
        [
            (Discernibility, 32, 64),
            # C_AVG is 1 and 2 with k = 4.
            (AverageClassSize, 4, 8),
            # GENC, a sum over eight cells.
            (Precision, 4 / 8, 8 / 8),
            # NCP by leaves of the tree, a sum as well.
            (CertaintyPenalty, 68 / 21 / 8, 8 / 8),
        ],
    )
    def test_groups(self, metric: type, two_groups: float, one_group: float) -> None:
        assert score(metric, self.columns, (1,)) == pytest.approx(two_groups)
        assert score(metric, self.columns, (2,)) == pytest.approx(one_group)

    def test_certainty_penalty_of_numbers(self) -> None:
        rows = [(str(n), next(f"{r[0]}-{r[-1]}" for r in POSTCODES if n in r), "*") for n in range(10, 31)]
        inside = [next((float(r[0]), float(r[-1])) for r in POSTCODES if n in r) for n in range(10, 31)]
        spans = [[(float(n), float(n)) for n in range(10, 31)], inside, [(10.0, 30.0)] * 21]
        columns = laid({"postcode": Hierarchy.from_rows(rows, spans=spans)}, [[str(n)] for n in self.numbers])
        assert score(CertaintyPenalty, columns, (0,)) == 0
        assert score(CertaintyPenalty, columns, (1,)) == pytest.approx(3 / 8)
        assert score(CertaintyPenalty, columns, (2,)) == 1


def test_loukides_pairs() -> None:
    """FX-LOU-3, Table 2.7: the domains have 66 ages and 21 postcodes; the printed 0.252 follows from no definition."""
    columns = laid(
        {
            "age": ranges(range(15, 81), [range(15, 31), range(31, 40), range(40, 81)]),
            "postcode": ranges(range(10, 31), [range(10, 13), range(13, 16), range(16, 20), range(20, 26)]),
        },
        [row.split() for row in ("15 10", "30 15", "30 12", "15 13", "40 20", "80 30", "80 30", "40 25")],
    )
    assert score(Ambiguity, columns, (1, 1)) == pytest.approx(383 / 5544)
    assert score(Discernibility, columns, (1, 1)) == 16
    # C_AVG is 1 with k = 2.
    assert score(AverageClassSize, columns, (1, 1)) == 2


def test_loukides_quadruples() -> None:
    """FX-LOU-4, Table 3.2: ages 30 to 60, and the postcodes of FX-LOU-1."""
    columns = laid(
        {
            "age": ranges(range(30, 61), [range(30, 41), range(41, 45), range(45, 61)]),
            "postcode": ranges(range(10, 31), POSTCODES),
        },
        [row.split() for row in ("30 10", "32 15", "37 12", "40 13", "45 20", "46 30", "57 30", "60 25")],
    )
    assert score(Loss, columns, (1, 1)) == pytest.approx(19 / 48)
    assert score(Ambiguity, columns, (1, 1)) == pytest.approx(121 / 651)
    assert score(Discernibility, columns, (1, 1)) == 32
    # C_AVG is 1 with k = 4.
    assert score(AverageClassSize, columns, (1, 1)) == 4


@pytest.mark.parametrize(
    ("levels", "equal", "ranked"),
    [
        ((0, 1, 1), 4 / 3, 5 / 3),
        ((1, 2, 0), 1, 7 / 3),
        ((2, 1, 0), 1, 8 / 3),
        ((0, 1, 0), 1 / 3, 2 / 3),
        ((1, 2, 1), 2, 10 / 3),
        ((2, 1, 1), 2, 11 / 3),
        ((3, 3, 0), 2, 5),
        ((0, 2, 1), 5 / 3, 7 / 3),
    ],
)
def test_weighted_information_loss(levels: Levels, equal: float, ranked: float) -> None:
    """FX-ANON-1: ZIP, Age, Sex with losses 0, 1/3, 2/3, 1 and 0, 1; priorities 1, 1, 1 and 3, 2, 1."""
    thirds = [0, 1 / 3, 2 / 3, 1]
    zips, ages = ("13053", "13068", "14853", "14850"), (28, 29, 21, 23, 50, 55, 47, 49, 31, 37, 36, 35)
    decades = {age: "<30" if age < 30 else "3*" if age < 40 else ">=40" for age in ages}
    hierarchies = {
        "zip": Hierarchy.from_rows([(z, f"{z[:4]}*", f"{z[:3]}**", "*****") for z in zips], losses=thirds),
        "age": Hierarchy.from_rows(
            [(str(age), decades[age], "<=40" if age <= 40 else ">40", "*") for age in ages], losses=thirds
        ),
        "sex": Hierarchy.from_rows([("F", "*"), ("M", "*")], losses=[0, 1]),
    }
    rows = (
        "13053 28 F,13068 29 M,13068 21 M,13053 23 M,14853 50 F,14853 55 M,"
        "14850 47 M,14850 49 M,13053 31 F,13053 37 F,13068 36 F,13068 35 F"
    )
    cells = [row.split() for row in rows.split(",")]
    assert score(WeightedLoss, laid(hierarchies, cells), levels) == pytest.approx(equal)
    assert score(WeightedLoss, laid(hierarchies, cells, weights=(3, 2, 1)), levels) == pytest.approx(ranked)
