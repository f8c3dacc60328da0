"""Cells and margins: what is counted and summed, along hierarchies too."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError
from incrowd.tables import cells as cells_module
from incrowd.tables.axis import Axis
from incrowd.tables.measure import Amounts, Measure
from tabulation.tables_by_hand import beneficiaries, children, made

STATES = Hierarchy.from_rows(
    [
        ("single", "alone", "*"),
        ("widowed", "alone", "*"),
        ("divorced", "alone", "*"),
        ("married", "together", "*"),
        ("partner", "together", "*"),
        ("unknown", "unknown", "*"),
    ]
)


def known(cells: cells_module.Cells) -> dict[tuple[str, ...], int | float]:
    """What each cell holds, by its labels."""
    return {cells.labels(at): cells.shown(int(value)) for at, value in enumerate(cells.values)}


def test_the_margins_of_the_lectures_count_table() -> None:
    found = known(made(beneficiaries(), ["county", "benefit"]))
    assert [found[county, "Total"] for county in "ABCD"] == [52, 16, 55, 2]
    assert found["A", "$60-79"] == 20
    assert found["D", "$0-19"] == 0
    assert [found["Total", benefit] for benefit in ("$0-19", "$40-59", "Total")] == [2, 57, 125]


def test_the_margins_of_the_lectures_magnitude_table() -> None:
    days = {
        "M": {"Hypertension": 2, "Obesity": 8.5, "Chest Pain": 23.5, "Short Breath": 3},
        "F": {"Hypertension": 3, "Obesity": 30.5, "Chest Pain": 0, "Short Breath": 5},
    }
    rows = [(sex, disease, number) for sex, of in days.items() for disease, number in of.items()]
    columns = dict(zip(("sex", "disease", "days"), map(list, zip(*rows, strict=True)), strict=True))
    columns["days"] = [float(number) for number in columns["days"]]
    found = known(made(pa.table(columns), ["sex", "disease"], "sum:days"))
    assert [found["M", "Total"], found["F", "Total"], found["Total", "Total"]] == [37, 38.5, 75.5]
    of_both = [found["Total", disease] for disease in ("Hypertension", "Obesity", "Chest Pain", "Short Breath")]
    assert of_both == [5, 39, 23.5, 8]


def test_the_salaries_of_the_lectures_children() -> None:
    found = known(made(children(), ["race"], "sum:salary"))
    assert found == {("black",): 681, ("white",): 741, ("Total",): 1422}


def test_subtotals_along_a_hierarchy() -> None:
    values = ["single"] * 3 + ["widowed"] * 2 + ["married"] * 4 + ["partner"] + ["unknown"] * 5
    array = pa.array(sorted(set(values)))
    axis = Axis.of("state", array, False, STATES.along("state", array))
    # `unknown` alone makes up the subtotal of its name, which therefore says nothing.
    assert axis.labels == ("single", "widowed", "married", "partner", "unknown", "alone", "together", "Total")
    assert axis.levels == (0, 0, 0, 0, 0, 1, 1, 2)
    assert axis.parents == (5, 5, 6, 6, 7, 7, 7, -1)


def test_hierarchies_of_several_levels_and_missing_cells() -> None:
    rows = [(str(age), f"{age // 10 * 10}s", "young" if age < 40 else "old", "*") for age in (21, 25, 33, 44, 47, 52)]
    array = pa.array([21, 25, 33, 44, 47, 52])
    axis = Axis.of("age", array, True, Hierarchy.from_rows(rows).along("age", array))
    assert axis.labels == ("21", "25", "33", "44", "47", "52", "(missing)", "20s", "40s", "young", "old", "Total")
    parts = {axis.labels[node]: [axis.labels[part] for part in axis.children(node)] for node in axis.inner()}
    assert parts == {
        "20s": ["21", "25"],
        "40s": ["44", "47"],
        "young": ["33", "20s"],
        "old": ["52", "40s"],
        "Total": ["(missing)", "young", "old"],
    }


def test_categories_stand_in_their_natural_order() -> None:
    assert Axis.of("n", pa.array([10, 9, 100]), True).labels == ("9", "10", "100", "(missing)", "Total")
    assert Axis.of("n", pa.array(["b", "ä", "a"]), False).labels == ("a", "b", "ä", "Total")
    assert Axis.of("n", pa.array([date(2024, 2, 1), date(2023, 1, 1)]), False).labels[0] == "2023-01-01"


def test_labels_that_are_taken_are_told_apart() -> None:
    labels = Axis.of("n", pa.array(["Total", "(missing)", "(Total)"]), True).labels
    assert labels == ("(Total)", "(missing)", "Total", "((missing))", "((Total))")
    assert len(set(labels)) == 5


def test_missing_cells_are_a_category() -> None:
    found = known(made(pa.table({"a": ["x", None, None], "b": ["u", "u", None]}), ["a", "b"]))
    assert found["(missing)", "(missing)"] == 1
    assert found["(missing)", "Total"] == 2
    assert found["x", "(missing)"] == 0


def test_records_without_an_amount_are_left_out_of_a_sum() -> None:
    cells = made(pa.table({"a": ["x", "x", "y"], "n": [1.25, None, 3.5]}), ["a"], "sum:n")
    assert known(cells) == {("x",): 1.25, ("y",): 3.5, ("Total",): 4.75}
    assert cells.counts.tolist() == [1, 1, 2]
    assert cells.without_amount == 1


def test_sums_are_exact() -> None:
    cells = made(pa.table({"a": ["x"] * 10, "n": [0.1] * 10}), ["a"], "sum:n")
    assert known(cells)["x",] == 1
    assert made(pa.table({"a": ["x"] * 2, "n": ["1.5", " 2 "]}), ["a"], "sum:n").values.tolist() == [35, 35]


def test_fine_amounts_are_rounded() -> None:
    amounts = Amounts.of("n", pa.array([0.12345678, 2.0]))
    assert (amounts.units.tolist(), amounts.decimals, amounts.rounded) == ([0, 123457, 2000000], 6, True)


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        (["a", "1"], "not finite numbers"),
        ([-1, 2], "negative values"),
        ([True, False], "not finite"),
        ([1e300], "too large"),
        (["1e9999999"], "not finite"),
    ],
)
def test_what_cannot_be_summed_is_refused(values: list[object], wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        Amounts.of("n", pa.array(values))


def test_a_total_that_is_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match="too large"):
        made(pa.table({"a": ["x"] * 4, "n": [1 << 52] * 4}), ["a"], "sum:n")


@pytest.mark.parametrize("text", ["median:n", "mean", "percent:", "sum", "sum:", "count:n", ""])
def test_other_measures_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the measure is"):
        Measure.parse(text)


def test_a_table_with_too_many_cells_is_refused() -> None:
    numbers = list(range(1100))
    with pytest.raises(UsageError, match="exceed the limit of 1,000,000"):
        made(pa.table({"a": numbers, "b": numbers}), ["a", "b"])


def test_the_largest_contributions() -> None:
    cells = made(pa.table({"a": list("xxxyy"), "n": [5, 9, 5, 7, 1]}), ["a"], "sum:n")
    assert cells.largest(3).tolist() == [[9, 7, 9], [5, 1, 7], [5, 0, 5]]
    assert cells.largest(0).shape == (0, 3)


def test_an_empty_table_has_a_total_of_nothing() -> None:
    cells = made(pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.string())}), ["a", "b"])
    assert known(cells) == {("Total", "Total"): 0}
    assert np.asarray(cells.equations.sum(axis=1)).ravel().tolist() == [1.0, 1.0]
