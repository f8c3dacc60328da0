"""The number of records, and of different values, that models ask of a class."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.histograms import Columns
from incrowd.models import Block, PrivacyModel, Reference, parse
from incrowd.models.class_size import fewest_records, fewest_values, smallest_class_size
from incrowd.models.conjunction import All
from incrowd.models.of_people import OfPeople


@pytest.mark.parametrize(
    ("models", "asked", "fewest"),
    [
        ([], 1, 1),
        (["k_anonymity:k=5"], 5, 5),
        (["alpha_k:alpha=0.5,k=3,column=d"], 3, 3),
        (["k_map:k=7"], 1, 7),
        (["distinct_l:l=4,column=d"], 1, 4),
        (["entropy_l:l=2.5,column=d"], 1, 3),
        (["p_sensitive:p=4,k=2,column=d"], 2, 4),
        (["range_diversity:p=0.5,column=d"], 1, 1),
        (["t_closeness:t=0.2,column=d"], 1, 1),
        (["k_anonymity:k=3", "distinct_l:l=6,column=d"], 3, 6),
    ],
)
def test_sizes(models: list[str], asked: int, fewest: int) -> None:
    model = All(tuple(parse(each) for each in models))
    assert (smallest_class_size(model), fewest_records(model)) == (asked, fewest)


def model_of(*models: str) -> PrivacyModel:
    """Several models as one."""
    return All(tuple(parse(each) for each in models))


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (model_of("k_anonymity:k=5"), {}),
        (model_of("distinct_l:l=4,column=d"), {("d",): 4}),
        (model_of("distinct_l:l=1,column=d"), {}),
        (model_of("distinct_l:l=2,column=d", "distinct_l:l=3,column=d", "distinct_l:l=2,column=c+d"),
         {("d",): 3, ("c", "d"): 2}),
        (model_of("p_sensitive:p=3,k=2,column=d"), {("d",): 3}),
        (model_of("entropy_l:l=2.5,column=d"), {("d",): 3}),
        (model_of("recursive_cl:c=0.5,l=2,column=d"), {("d",): 4}),
        (model_of("t_closeness:t=0.2,column=d"), {}),
        (OfPeople(model_of("k_anonymity:k=3", "distinct_l:l=2,column=d"), ("who",)), {("who",): 3, ("d",): 2}),
        (OfPeople(model_of("distinct_l:l=2,column=d"), ("who",)), {("d",): 2}),
    ],
)  # fmt: skip
def test_values(model: PrivacyModel, values: dict[Columns, int]) -> None:
    assert fewest_values(model) == values


@given(
    model=st.sampled_from(
        ["distinct_l:l=3,column=d", "p_sensitive:p=3,k=2,column=d", "entropy_l:l=1.7,column=d",
         "recursive_cl:c=0.6,l=2,column=d", "recursive_cl:c=3,l=2,column=d"]
    ),
    counts=st.lists(st.integers(1, 6), min_size=1, max_size=5),
)  # fmt: skip
def test_a_class_that_satisfies_a_model_has_the_values_that_it_asks_for(model: str, counts: list[int]) -> None:
    values = Counter({(str(at),): count for at, count in enumerate(counts)})
    if parse(model).textbook(Block(sum(counts), {("d",): values}), Reference({}, {})):
        assert len(counts) >= fewest_values(parse(model))["d",]
