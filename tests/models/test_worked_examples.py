"""Numbers that papers print, and that follow from their tables; the names are those of the digest of the papers."""

from math import exp, log

import numpy as np
import pyarrow as pa
import pytest

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from incrowd.models import parse
from models.judging import Judged, judged


def strengths(text: str, *tables: Judged) -> list[float]:
    """What each table reaches of the model's parameter."""
    return [parse(text).strength(table.classes) for table in tables]


def test_fx_sam_5_homogeneity() -> None:
    table = judged(
        ["hypertension", "obesity", "chest pain"],
        ["obesity", "obesity"],
        ["short breath", "short breath"],
        ["chest pain", "short breath"],
    )
    assert table.holds(parse("distinct_l:l=2,column=s")) == [True, False, False, True]
    assert table.holds(parse("distinct_l:l=3,column=s")) == [True, False, False, False]
    assert strengths("distinct_l:l=2,column=s", table) == [1]
    assert strengths("k_anonymity:k=2", table) == [2]


def test_fx_sam_6_skewness() -> None:
    table = judged(["diabetes"] * 3 + ["short breath"], elsewhere=["diabetes"] * 17 + ["short breath"] * 79)
    assert table.whole == {"diabetes": 20, "short breath": 80}
    assert table.holds(parse("distinct_l:l=2,column=s")) == [True]
    assert strengths("t_closeness:t=0.5,column=s", table) == pytest.approx([11 / 20], abs=1e-12)
    assert table.holds(parse("t_closeness:t=0.55,column=s")) == [True]
    assert table.holds(parse("t_closeness:t=0.549,column=s")) == [False]


def test_fx_lou_2_recursive_diversity() -> None:
    table = judged(["10"] * 4, ["20", "40", "40", "30"])
    model = parse("recursive_cl:c=2,l=2,column=s")
    assert table.holds(model) == table.textbook(model) == [False, True]
    assert model.strength(table.classes) == float("inf")
    # 2 < c (1 + 1) for every c above 1.
    assert strengths("recursive_cl:c=2,l=2,column=s", judged(["20", "40", "40", "30"])) == [1]


def test_fx_lou_4_salaries() -> None:
    apart = judged(["10"] * 4, ["20", "40", "40", "30"])
    mixed = judged(["10", "10", "20", "40"], ["10", "10", "40", "30"])
    assert strengths("t_closeness:t=0.5,column=s", apart, mixed) == pytest.approx([1 / 2, 1 / 8], abs=1e-12)
    ordered = strengths("t_closeness:t=0.5,column=s,distance=ordered", apart, mixed)
    assert ordered == pytest.approx([3 / 8, 1 / 24], abs=1e-12)
    assert strengths("entropy_l:l=2,column=s", apart, mixed) == pytest.approx([1, 8**0.5], abs=1e-9)
    assert strengths("entropy_l:l=2,column=s", judged(["20", "40", "40", "30"])) == pytest.approx([2.8284], abs=1e-4)


def test_fx_lou_7_closeness() -> None:
    flu = judged(["Flu"] * 6 + ["other"] * 4, ["Flu"] * 8 + ["other"] * 2, ["Flu"] * 4 + ["other"] * 6)
    assert flu.whole["Flu"] / flu.whole.total() == 0.6
    assert flu.holds(parse("t_closeness:t=0,column=s")) == [True, False, False]
    assert strengths("t_closeness:t=0,column=s", flu) == pytest.approx([0.2], abs=1e-12)
    hiv = judged(["HIV"] * 3 + ["other"] * 7, ["HIV"] + ["other"] * 9, ["HIV"] * 5 + ["other"] * 5)
    assert strengths("t_closeness:t=0,column=s", hiv) == pytest.approx([0.2], abs=1e-12)


@pytest.mark.parametrize(("salaries", "expected"), [("3 4 5", 3 / 8), ("6 8 11", 1 / 6)])
def test_fx_lou_7_ordered_distance_of_li_et_al(salaries: str, expected: float) -> None:
    rest = {str(salary) for salary in range(3, 12)} - set(salaries.split())
    table = judged(salaries.split(), elsewhere=rest)
    assert strengths("t_closeness:t=0,column=s,distance=ordered", table) == pytest.approx([expected], abs=1e-12)


PATIENTS = {
    "Alice": "Hepatitis", "Bob": "Hepatitis", "Charlie": "Flu", "Daniel": "Flu", "Emma": "Cancer", "Felix": "Hepatitis",
    "George": "Flu", "Harry": "Flu", "Isabel": "Cancer", "Jenny": "Cancer", "Kate": "Cancer", "Lara": "Cancer",
}  # fmt: skip


@pytest.mark.parametrize(("groups", "diversity"), [("ABCD EFGH IJKL", [2, 3, 1]), ("ADIJ EFGH BCKL", [3, 3, 3])])
def test_fx_anon_1_two_anonymous_tables(groups: str, diversity: list[int]) -> None:
    named = {name[0]: condition for name, condition in PATIENTS.items()}
    class_of = {initial: str(at) for at, group in enumerate(groups.split()) for initial in group}
    batch = pa.record_batch(
        [pa.array([class_of[initial] for initial in named]), pa.array(named.values())], names=["class", "Condition"]
    )
    frequencies = FrequencySet.of_table(Table.from_batches(["class", "Condition"], [batch]))
    classes = frequencies.judged(["class"], [("Condition",)])
    # Classes are numbered as their first records come.
    assert sorted(classes.histograms["Condition",].distinct.tolist()) == sorted(diversity)
    assert parse("k_anonymity:k=4").strength(classes) == 4
    assert parse("distinct_l:l=3,column=Condition").strength(classes) == min(diversity)


TREE = {
    "gastric ulcer": ("stomach", "digestive", "*"),
    "gastritis": ("stomach", "digestive", "*"),
    "colitis": ("colon", "digestive", "*"),
    "flu": ("infection", "respiratory", "*"),
    "pneumonia": ("infection", "respiratory", "*"),
}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        # Each absent disease has a fifth of the table.
        (["gastric ulcer"], (1 / 3 + 2 / 3 + 1 + 1) / 5),
        (["flu", "pneumonia"], 3 / 5),
        (["gastric ulcer", "gastritis", "colitis", "flu", "pneumonia"], 0),
        # Of both there is 3/10 too much: 1/5 for the nearest disease and 1/10 for colitis.
        (["gastric ulcer", "flu"], (1 * 1 / 3 + 0.5 * 2 / 3 + 1 * 1 / 3 + 0.5 * 1) / 5),
    ],
)
def test_hierarchical_distance_by_hand(members: list[str], expected: float) -> None:
    table = judged(members, elsewhere=set(TREE) - set(members), paths=dict(TREE))
    model = parse("t_closeness:t=0.5,column=s,distance=hierarchical")
    assert model.strength(table.classes) == pytest.approx(expected, abs=1e-12)
    assert table.holds(model) == table.textbook(model) == [expected <= 0.5]


def test_enhanced_likeness_of_a_frequent_value() -> None:
    table = judged(list("aaab"), list("abbb"))
    # Both gain a half, less than -ln(1/2).
    assert strengths("enhanced_beta:beta=9,column=s", table) == pytest.approx([0.5], abs=1e-12)
    assert strengths("enhanced_beta:beta=9,column=s", judged(["a"], ["b"])) == [float("inf")]
    assert strengths("basic_beta:beta=9,column=s", judged(["a"], ["b"])) == pytest.approx([1], abs=1e-12)


def test_presence_in_a_population() -> None:
    table = judged(["a"] * 3, ["a"], [])
    classes = table.classes
    assert parse("k_map:k=2").holds(classes).tolist() == [True, False, True]
    grown = Judged(table.counts, table.whole, table.paths, (6, 10, 4))
    presence = parse("delta_presence:lower=0.1,upper=0.5")
    assert grown.holds(presence) == grown.textbook(presence) == [True, True, False]
    assert grown.holds(parse("delta_presence:lower=0,upper=0.49")) == [False, True, True]
    assert presence.strength(grown.classes) == 0.5
    assert not presence.suppressible
    assert parse("delta_presence:lower=0,upper=0.5").suppressible
    assert parse("k_map:k=2").strength(grown.classes) == 6


def test_strength_of_diversity_and_disclosure() -> None:
    table = judged(list("aab"), list("abb"))
    assert strengths("alpha_k:alpha=1,k=1,column=s", table) == pytest.approx([2 / 3])
    assert strengths("p_sensitive:p=1,k=1,column=s", table) == [2]
    assert strengths("delta_disclosure:delta=1,column=s", table) == pytest.approx([log(1.5)])
    assert strengths("delta_disclosure:delta=1,column=s", judged("a", "b")) == [float("inf")]
    assert strengths("delta_disclosure:delta=1,column=s,absent=ignored", judged("a", "b")) == pytest.approx([log(2)])
    entropy = -np.sum(np.array([1 / 3, 2 / 3]) * np.log([1 / 3, 2 / 3]))
    assert strengths("entropy_l:l=1,column=s", table) == pytest.approx([exp(entropy)])
