"""The number of records that models ask of a class."""

import pytest

from incrowd.models import parse
from incrowd.models.class_size import fewest_records, smallest_class_size
from incrowd.models.conjunction import All


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
