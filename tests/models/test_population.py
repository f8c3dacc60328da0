"""Models that compare with a population."""

import numpy as np
import pytest

from incrowd.core.classes import Classes
from incrowd.errors import UsageError
from incrowd.models import Block, Reference, parse


@pytest.mark.parametrize("text", ["k_map:k=2", "delta_presence:lower=0,upper=0.5"])
def test_without_a_population(text: str) -> None:
    model = parse(text)
    assert model.needs_population
    with pytest.raises(
        UsageError, match=r"compare with the population .*, and none is given; give the population's table"
    ):
        model.holds(Classes(np.array([3])))
    with pytest.raises(UsageError, match="none is given"):
        model.textbook(Block(3, {}), Reference({}, {}))


def test_records_that_the_population_lacks() -> None:
    classes = Classes(np.array([3, 0]), population=np.array([0, 0]))
    assert parse("k_map:k=1").holds(classes).tolist() == [False, True]
    assert parse("delta_presence:lower=0,upper=1").holds(classes).tolist() == [False, True]
    assert parse("delta_presence:lower=0,upper=1").strength(classes) == float("inf")
