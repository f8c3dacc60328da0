"""How far each privacy model holds for a table as it is."""

from functools import partial
from math import isclose
from typing import Any

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.core.classes import Classes
from incrowd.errors import UsageError
from incrowd.families import MODELS
from incrowd.models import from_dict
from incrowd.risks.strengths import Strength
from incrowd.watch import Watch

ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([1, 2, 3, None])), min_size=1, max_size=12)


def strengths(rows: list[tuple[Any, ...]]) -> tuple[Strength, ...]:
    frame = polars.DataFrame(rows, schema={"q": polars.String, "s+": polars.Int64}, orient="row")
    return incrowd.risk(frame, ["q"], sensitive=["s+"]).strengths


def is_so(classes: Classes, of: Strength, value: float) -> bool:
    """Whether the model holds for every class with another value of its parameter."""
    about = {} if of.column is None else {"column": (of.column,)}
    other = {"k": 1} if of.model == "alpha_k" else {}
    model = from_dict({of.model: {of.parameter: value, **about, **other, **of.given}})
    return bool(model.holds(classes).all())


@settings(max_examples=60)
@given(ROWS)
def test_what_is_told_holds_and_a_little_more_does_not(rows: list[tuple[Any, ...]]) -> None:
    """By the models themselves, whose fast forms are bound to the definitions elsewhere."""
    frame = polars.DataFrame(rows, schema={"q": polars.String, "s+": polars.Int64}, orient="row")
    counted = incrowd.read(frame).count(["q", "s+"], Watch())
    classes = counted.judged(["q"], [("s+",)])
    found = strengths(rows)
    assert [each.model for each in found].count("t_closeness") == 2
    for each in found:
        holds = partial(is_so, classes, each)
        if each.value is None:
            assert not holds(1e9)
        elif MODELS.types(each.model)[each.parameter] is int:
            assert holds(int(each.value))
            assert not holds(int(each.value) + 1)
        else:
            shown = float(each.words.split(",")[0].split()[-1])
            assert isclose(shown, each.value, abs_tol=1.1e-4)
            stronger = each.value * (1 + 1e-3) if each.model == "entropy_l" else each.value * (1 - 1e-3) - 1e-3
            if shown > 0 and (each.parameter not in ("c", "delta")):
                assert holds(min(shown, 1) if each.parameter in ("alpha", "t") else shown)
            if stronger > 0:
                assert not holds(stronger)


def test_the_words_are_on_the_side_that_holds() -> None:
    assert Strength("t_closeness", "t", 1 / 3).words == "t = 0.3334"
    assert Strength("entropy_l", "l", 1.88988).words == "l = 1.8898"
    assert Strength("recursive_cl", "c", 2.0, given={"l": 2}).words == "c > 2, l = 2"
    assert Strength("distinct_l", "l", 3.0).words == "l = 3"
    assert Strength("delta_disclosure", "delta", None).words == "no delta"


def test_nothing_is_told_unless_asked() -> None:
    frame = polars.DataFrame({"q": ["a", "a"], "s": ["x", "y"]})
    assert incrowd.risk(frame, ["q"]).strengths == ()
    plain = incrowd.risk(frame, ["q"], sensitive=["s"]).to_dict()["models"]
    named = {"model": "distinct_l", "parameter": "l", "column": "s", "given": {}}
    assert plain[1] == {**named, "value": 2.0, "words": "l = 2"}
    assert "distinct_l        s       l = 2" in str(incrowd.risk(frame, ["q"], sensitive=["s"]))


def test_what_cannot_be_asked() -> None:
    frame = polars.DataFrame({"q": ["a", "a"], "s": ["x", "y"]})
    with pytest.raises(UsageError, match="the attacker knows it"):
        incrowd.risk(frame, ["q", "s"], sensitive=["s"])
    with pytest.raises(UsageError, match="'z'"):
        incrowd.risk(frame, ["q"], sensitive=["z"])
    assert incrowd.risk(frame.clear(), ["q"], sensitive=["s"]).records == 0
