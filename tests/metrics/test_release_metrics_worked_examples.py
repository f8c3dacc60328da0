"""The numbers of Loukides' thesis; where it prints another one than its definitions give, theirs."""

from fractions import Fraction
from typing import ClassVar

import pytest

from incrowd.release_metrics.ambiguity import AmbiguityOfRelease
from incrowd.release_metrics.certainty_penalty import CertaintyPenaltyOfRelease
from incrowd.release_metrics.classification import Classification
from incrowd.release_metrics.contract import ReleaseMetric
from incrowd.release_metrics.discernibility import DiscernibilityOfRelease
from incrowd.release_metrics.generalization_cost import GeneralizationCost
from incrowd.release_metrics.group_diversity import GroupDiversity
from incrowd.release_metrics.loss import LossOfRelease
from incrowd.release_metrics.normalized_class_size import NormalizedClassSize
from incrowd.release_metrics.protection_measure import ProtectionMeasure
from incrowd.release_metrics.query_error import QueryError
from incrowd.release_metrics.utility_measure import UtilityMeasure
from incrowd.release_metrics.weighted_tuple_diversity import WeightedTupleDiversity
from incrowd.release_metrics.worst_group_protection import (
    WorstGroupProtection,
    class_range_diversity,
    disclosure_confidence,
    pairwise_contribution,
    range_diversity,
)
from incrowd.release_metrics.worst_group_utility import WorstGroupUtility
from metrics.pages import Example, Told, near, reading

NUMBERS, SET = Told("numbers"), Told("set")
POSTCODES = Told(
    "tree",
    rows=tuple(
        (f"NW{n}", "NW[10-15]" if n < 16 else "NW[16-19]" if n < 20 else "NW[20-30]", "*") for n in range(10, 31)
    ),
)
"""FX-LOU-1: 21 leaves."""


class TestOnePostcode:
    """FX-LOU-2: two groups of four (Table 2.3), and one group (Table 2.2)."""

    numbers = (10, 15, 12, 13, 20, 30, 30, 25)
    two, one = [0, 0, 0, 0, 1, 1, 1, 1], [0] * 8

    def example(self, told: Told, groups: list[int]) -> Example:
        rows = [(number if told is NUMBERS else f"NW{number}",) for number in self.numbers]
        return Example({"postcode": told}, rows, groups, k=4)

    @pytest.mark.parametrize(
        ("yardstick", "told", "of_two", "of_one"),
        [
            (DiscernibilityOfRelease(), POSTCODES, 32, 64),
            (NormalizedClassSize(), POSTCODES, 1, 2),
            (GeneralizationCost(), POSTCODES, 4, 8),
            (CertaintyPenaltyOfRelease(), NUMBERS, 3, 8),
            (CertaintyPenaltyOfRelease(), SET, 4, 8),
            (CertaintyPenaltyOfRelease(), POSTCODES, 4, 8),
            (CertaintyPenaltyOfRelease("leaves"), POSTCODES, Fraction(68, 21), 8),
            (CertaintyPenaltyOfRelease("xu"), POSTCODES, Fraction(68, 21), 8),
        ],
    )
    def test_groups(self, yardstick: ReleaseMetric, told: Told, of_two: float, of_one: float) -> None:
        assert reading(yardstick, self.example(told, self.two)) == near(of_two)
        assert reading(yardstick, self.example(told, self.one)) == near(of_one)

    def test_a_single_value_costs_something_or_not(self) -> None:
        single = self.example(POSTCODES, [0, 1, 2, 3, 4, 5, 5, 6])
        assert reading(CertaintyPenaltyOfRelease(), single) == near(Fraction(8, 7))
        assert reading(CertaintyPenaltyOfRelease("leaves"), single) == near(Fraction(8, 21))
        assert reading(CertaintyPenaltyOfRelease("xu"), single) == 0


class TestClassification:
    """FX-LOU-3: Tables 2.6 and 2.7; the ages are 15 to 80, the postcodes 10 to 30."""

    rows = (
        (15, 10, "Y"), (30, 15, "N"), (30, 12, "Y"), (15, 13, "N"),
        (40, 20, "Y"), (80, 30, "N"), (80, 30, "N"), (40, 25, "Y"),
    )  # fmt: skip
    groups: ClassVar = {"2.6": [0, 1, 1, 0, 2, 2, 2, 2], "2.7": [0, 1, 0, 1, 2, 3, 3, 2]}

    def example(self, table: str) -> Example:
        # In Table 2.7 the ages of the last two groups are published as one range, [40-80].
        cells = [(age, postcode) for age, postcode, _ in self.rows]
        return Example({"age": NUMBERS, "postcode": NUMBERS}, cells, self.groups[table], k=2)

    def test_table_2_6(self) -> None:
        example = self.example("2.6")
        assert reading(AmbiguityOfRelease(), example) == near(Fraction(65, 396))
        assert reading(DiscernibilityOfRelease(), example) == 24
        assert reading(NormalizedClassSize(), example) == near(Fraction(4, 3))

    def test_table_2_7(self) -> None:
        example = self.example("2.7")
        assert reading(DiscernibilityOfRelease(), example) == 16
        assert reading(NormalizedClassSize(), example) == 1


class TestSalaries:
    """FX-LOU-4: Tables 3.2 and 3.3; the printed MPM of the second is of a salary that its table does not have."""

    rows = (
        (30, "NW10", 10), (32, "NW15", 10), (37, "NW12", 10), (40, "NW13", 10),
        (45, "NW20", 20), (46, "NW30", 40), (57, "NW30", 40), (60, "NW25", 30),
    )  # fmt: skip
    groups: ClassVar = {"3.2": [0, 0, 0, 0, 1, 1, 1, 1], "3.3": [0, 0, 1, 1, 0, 0, 1, 1]}

    def example(self, table: str) -> Example:
        return Example({"age": NUMBERS, "postcode": POSTCODES}, self.rows, self.groups[table], {"salary": NUMBERS}, k=4)

    @pytest.mark.parametrize(
        ("yardstick", "of_3_2", "of_3_3"),
        [
            (UtilityMeasure(), Fraction(95, 240), Fraction(33, 40)),
            (WorstGroupUtility(), Fraction(1, 2), Fraction(53, 60)),
            (ProtectionMeasure(), Fraction(2, 3), 0),
            (DiscernibilityOfRelease(), 32, 32),
            (NormalizedClassSize(), 1, 1),
            (LossOfRelease(), Fraction(19, 48), Fraction(33, 40)),
            (AmbiguityOfRelease(), Fraction(121, 651), Fraction(41, 62)),
            (WeightedTupleDiversity(), Fraction(31, 96) + Fraction(5, 24), Fraction(23, 120) + Fraction(53, 240)),
        ],
    )
    def test_groups(self, yardstick: ReleaseMetric, of_3_2: Fraction, of_3_3: Fraction) -> None:
        assert reading(yardstick, self.example("3.2")) == near(of_3_2)
        assert reading(yardstick, self.example("3.3")) == near(of_3_3)

    def test_q_diversity_and_the_sum_of_losses(self) -> None:
        released = self.example("3.2").released()
        assert released.spreads[:, released.class_of[0]] == near_all(Fraction(10, 30), Fraction(5, 20))
        assert sorted(released.spreads[0]) == near_all(Fraction(10, 30), Fraction(15, 30))
        assert LossOfRelease().measure(released).parts["sum"] == near(Fraction(19, 24))
        assert LossOfRelease().measure(self.example("3.3").released()).parts["sum"] == near(Fraction(33, 20))

    def test_worst_class(self) -> None:
        found = WeightedTupleDiversity().measure(self.example("3.2").released())
        assert found.parts["worst class"] == near(Fraction(31, 48))

    def test_the_printed_arithmetic_of_example_3_1_4(self) -> None:
        rows = [(*row[:2], 30 if row[0] == 57 else row[2]) for row in self.rows]
        example = Example({"age": NUMBERS, "postcode": POSTCODES}, rows, self.groups["3.3"], {"salary": NUMBERS})
        assert reading(ProtectionMeasure(), example) == near(Fraction(1, 6))


class TestPrePartitioning:
    """FX-LOU-5 and FX-LOU-8: Tables 3.9 and 3.10; the printed UM of the second is not divided by the columns."""

    rows = (
        (10, 170, "NW30", 20), (15, 175, "NW32", 20), (15, 170, "NW30", 65), (20, 175, "NW32", 65),
        (20, 170, "NW30", 20), (25, 175, "NW32", 20), (25, 170, "NW30", 65), (30, 175, "NW32", 65),
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("groups", "utility", "protection", "both"),
        [
            ([0, 0, 1, 1, 2, 2, 3, 3], Fraction(3, 4), 1, Fraction(7, 8)),
            ([0, 1, 0, 1, 2, 3, 2, 3], Fraction(1, 12), 0, Fraction(1, 24)),
        ],
    )
    def test_groups(self, groups: list[int], utility: Fraction, protection: int, both: Fraction) -> None:
        quasi = {"age": NUMBERS, "height": NUMBERS, "postcode": SET}
        example = Example(quasi, self.rows, groups, {"salary": NUMBERS}, k=2)
        assert reading(UtilityMeasure(), example) == near(utility)
        assert reading(ProtectionMeasure(), example) == near(protection)
        assert reading(WeightedTupleDiversity(), example) == near(both)

    def test_the_ratio_is_within_the_bound_of_theorem_3_3_1(self) -> None:
        n, s, m = 8, 2, 3
        bound = n // s * (1 / (n // (2 * s - 1)) + m - 1)
        assert bound == 10
        assert Fraction(3, 4) / Fraction(1, 12) == 9 <= bound


def near_all(*values: Fraction) -> object:
    """Equal up to rounding, one by one."""
    return pytest.approx([float(value) for value in values], rel=1e-9)


class TestRanges:
    """FX-LOU-6: Table 5.3, incomes of 0 to 99 thousand."""

    ages = (30, 22, 29, 29, 31, 35, 37, 39, 41, 42, 44, 45)
    incomes = (1, 4, 22, 23, 24, 9, 0, 9, 25, 26, 90, 90)
    groups = (0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0)
    numeric = Told("numbers", domain=(0, 99))
    tree = Told("tree", rows=tuple((str(n), f"5: {n // 5}", f"10: {n // 10}", "*") for n in range(100)))

    def example(self, told: Told, ranges: list[frozenset[object]]) -> Example:
        incomes = [income if told is self.numeric else str(income) for income in self.incomes]
        rows = list(zip(self.ages, incomes, strict=True))
        return Example({"age": NUMBERS}, rows, self.groups, {"income": told}, ranges={"income": ranges})

    def by_group(self, example: Example) -> list[float]:
        """The range diversity of both groups; the second has the income of 22."""
        page, released = example.page(), example.released()
        found = [class_range_diversity(page, at) for at in range(2)]
        assert sorted(range_diversity(released)) == pytest.approx(sorted(found))
        second = [any(record[0] in (22, "22") for record in group.others) for group in page.classes]
        return [found[second.index(False)], found[second.index(True)]]

    def test_numbers(self) -> None:
        ranges = [frozenset(range(low, high + 1)) for low, high in ((0, 4), (5, 9), (80, 99), (10, 30))]
        example = self.example(self.numeric, ranges)
        assert self.by_group(example) == near_all(Fraction(197, 594), Fraction(1267, 1782))
        assert reading(WorstGroupProtection(), example) == near(Fraction(1267, 1782))

    def test_categories(self) -> None:
        ranges = [frozenset(str(n) for n in range(low, low + 5)) for low in range(0, 100, 5)]
        example = self.example(self.tree, ranges)
        assert self.by_group(example) == near_all(Fraction(295, 891), Fraction(677, 1782))
        assert reading(WorstGroupProtection(), example) == near(Fraction(677, 1782))

    def test_a_constant_class_is_disclosed(self) -> None:
        constant = Example({"age": NUMBERS}, [(1, 5), (2, 5), (9, 7)], [0, 0, -1], {"income": NUMBERS})
        assert reading(WorstGroupProtection(), constant) == 1

    def test_half_and_half(self) -> None:
        ranges = [frozenset(range(10, 31))]
        example = self.example(self.numeric, ranges)
        worst = GroupDiversity().measure(example.released()).parts["worst class"]
        assert reading(GroupDiversity(), example) <= worst

    def test_pairwise_contribution(self) -> None:
        numbers, leaves = self.numeric.base([0, 99]), self.tree.base([])
        assert pairwise_contribution("1", "4", leaves) == near(1 - Fraction(4, 99))
        assert pairwise_contribution(1, 4, numbers) == near(1 - Fraction(3, 99))
        assert pairwise_contribution(1, 90, numbers) == near(1 - Fraction(89, 99))

    def test_disclosure_confidence(self) -> None:
        values = [0, 22, 23, 24, 25, 26]
        found = disclosure_confidence(22, values, frozenset(range(10, 31)), self.numeric.base([0, 99]))
        assert found == near(Fraction(485, 594))


def test_a_query_on_table_2_3() -> None:
    """FX-LOU-2: COUNT where the postcode is NW10; 4/6 instead of 1, and 8/21 of one group."""
    rows = [(f"NW{number}",) for number in TestOnePostcode.numbers]
    for groups, estimated in ((TestOnePostcode.two, Fraction(4, 6)), (TestOnePostcode.one, Fraction(8, 21))):
        example = Example({"postcode": POSTCODES}, rows, groups, queries=[{"postcode": frozenset(["NW10"])}])
        assert reading(QueryError(), example) == near(1 - estimated)


def test_the_most_likely_salary() -> None:
    """FX-LOU-7: salaries 0, 40, 40 span 40 of 40; S-diversity sees the range, whatever is likely."""
    example = Example({"age": NUMBERS}, [(1, 0), (1, 40), (1, 40)], [0, 0, 0], {"salary": NUMBERS})
    assert reading(ProtectionMeasure(), example) == 0
    assert reading(WorstGroupProtection(), example) == near(Fraction(5, 9))


def test_labels_of_table_2_6_and_2_7() -> None:
    """FX-LOU-3: 4/8 and 0."""
    rows = TestClassification.rows
    for table, share in (("2.6", Fraction(4, 8)), ("2.7", 0)):
        groups = TestClassification.groups[table]
        told = {"age": NUMBERS, "postcode": NUMBERS}
        example = Example(told, rows, groups, {"mortgage": SET}, label="mortgage")
        assert reading(Classification(), example) == near(share)
