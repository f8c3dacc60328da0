"""The model that an attack names stops it: no class that satisfies the model is exposed."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.test_columns import GROUPS, NODES, VALUES, histogram
from incrowd.attacks._columns import OnColumn
from incrowd.attacks.background_knowledge import BackgroundKnowledge
from incrowd.attacks.homogeneity import Homogeneity
from incrowd.attacks.range_disclosure import RangeDisclosure
from incrowd.attacks.similarity import Similarity
from incrowd.attacks.skewness import Skewness
from incrowd.core.classes import Classes
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.histograms import Histogram
from incrowd.models import PrivacyModel, parse


def exposed_although(model: PrivacyModel, attack: OnColumn, seen: Histogram) -> int:
    """Classes that satisfy the model and are exposed all the same."""
    found = attack.exposed(seen)
    assert found is not None
    return int((model.holds(Classes(seen.sizes, {("value",): seen})) & found).sum())


@settings(max_examples=60)
@given(GROUPS, st.sampled_from([Homogeneity(), BackgroundKnowledge(1), BackgroundKnowledge(3)]))
def test_distinct_values(groups: list[list[Any]], attack: OnColumn) -> None:
    seen = histogram(groups, VALUES)
    named = attack.stopped_by("value", seen)
    values = len({value for group in groups for value in group})
    # What no release of these values satisfies is not advised.
    assert named.startswith("none: ") == (parse(named.rpartition(" ")[2]).l > values)  # type: ignore[attr-defined]
    if not named.startswith("none"):
        assert exposed_although(parse(named), attack, seen) == 0
    # Nor is anything where nobody is exposed.
    assert bool(attack.of_column(seen).stopped_by) == bool(attack.of_column(seen).records)


@settings(max_examples=80)
@given(GROUPS, st.sampled_from([Skewness(), Skewness(1.5, 0.8), Skewness(3, 0.4)]))
def test_skew(groups: list[list[Any]], attack: Skewness) -> None:
    seen = histogram(groups, VALUES)
    assert exposed_although(parse(attack.stopped_by("value", seen)), attack, seen) == 0
    # A value that gains no more than the factor allows is not skewed, however frequent it is.
    assert exposed_although(parse(f"basic_beta:beta={attack.factor - 1},column=value"), attack, seen) == 0


THREE_LEVELS = [(value, NODES[value], "acute" if NODES[value] != "joints" else "chronic", "*") for value in VALUES]


@settings(max_examples=80)
@given(GROUPS, st.sampled_from([None, 1, 2]))
def test_similarity(groups: list[list[Any]], level: int | None) -> None:
    ladder = Hierarchy.from_rows(THREE_LEVELS).along("value", pa.array(VALUES))
    seen, attack = histogram(groups, VALUES, {"value": ladder}), Similarity(level)
    named = attack.stopped_by("value", seen)
    if not named.startswith("none"):
        assert exposed_although(parse(named), attack, seen) == 0


NUMBERS = st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=60)
@given(NUMBERS, st.sampled_from([("0-9", 10), ("0-9/30-40", 11)]))
def test_sensitive_ranges(groups: list[list[int]], asked: tuple[str, int]) -> None:
    """Two numbers in one range are near by 1 less the share that it spans: P below that of the widest."""
    text, width = asked
    groups = [*groups, [0, 40]]
    attack, seen = RangeDisclosure(ranges=tuple(text.split("/"))), histogram(groups, list(range(41)))
    assert attack.stopped_by("value", seen).startswith("range_diversity:p=P,column=value with")
    model = parse(f"range_diversity:p={1 - width / 40 - 0.001},column=value,ranges={text.replace('-', '..')}")
    assert exposed_although(model, attack, seen) == 0


@settings(max_examples=60)
@given(NUMBERS, st.sampled_from([0.0, 0.1, 0.25, 1.0]).map(RangeDisclosure))
def test_ranges(groups: list[list[int]], attack: RangeDisclosure) -> None:
    """One range over all numbers: its Range Diversity is the mean nearness, 1 - 0.1 or more within a tenth."""
    there = [number for group in groups for number in group]
    if min(there) == max(there):
        return
    seen = histogram(groups, list(range(41)))
    named, _, _ = attack.stopped_by("value", seen).partition(", from")
    if attack.within == 1:
        assert named.startswith("none")
        return
    model = parse(named.replace("LOW", str(min(there))).replace("HIGH", str(max(there))))
    assert exposed_although(model, attack, seen) == 0


def test_where_no_model_helps() -> None:
    """All values below one node: a class can hardly say less than the whole release."""
    ladder = Hierarchy.from_rows([("flu", "lungs", "*"), ("cold", "lungs", "*")]).along(
        "value", pa.array(["flu", "cold"])
    )
    seen = histogram([["flu", "cold"]], ["flu", "cold"], {"value": ladder})
    assert Similarity().stopped_by("value", seen).startswith("none")


@pytest.mark.parametrize(
    ("groups", "t"),
    # The largest node has three of five records; a class below one node is 2/5 away at least, a missing one 4/5.
    [([["flu", "cold"], ["flu"], ["gout", "mumps"]], "0.399"), ([["flu"], ["gout"]], "0.499")],
)
def test_the_distance_that_is_named(groups: list[list[Any]], t: str) -> None:
    ladder = Hierarchy.from_rows([(value, NODES[value], "*") for value in VALUES]).along("value", pa.array(VALUES))
    named = Similarity().stopped_by("value", histogram(groups, VALUES, {"value": ladder}))
    assert named == f"t_closeness:t={t},column=value,distance=hierarchical"
