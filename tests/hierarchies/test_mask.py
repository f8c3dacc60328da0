"""Masked codes."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree, labels_of
from incrowd.errors import UsageError
from incrowd.hierarchies.mask import build


def test_from_the_right() -> None:
    assert build(pa.array(["94139", "94142"])).rows == [
        ("94139", "9413*", "941**", "94***", "9****", "*"),
        ("94142", "9414*", "941**", "94***", "9****", "*"),
    ]


def test_from_the_left() -> None:
    assert build(pa.array(["94139", "80139"]), from_="left", steps=[2, 4]).rows == [
        ("80139", "**139", "****9", "*"),
        ("94139", "**139", "****9", "*"),
    ]


def test_shorter_values_are_filled_up() -> None:
    """12 joins 123 and 124 where their third character is hidden, and not later than 130."""
    ladder = build(pa.array(["12", "123", "124", "130"]))
    assert ladder.rows == [
        ("12", "12*", "1**", "*"),
        ("123", "12*", "1**", "*"),
        ("124", "12*", "1**", "*"),
        ("130", "13*", "1**", "*"),
    ]
    assert labels_of(build(pa.array([7, 127]), from_="left", steps=1), 1) == {"7": "**7", "127": "*27"}


def test_character() -> None:
    assert build(pa.array(["ab", "ac"]), character="·").rows == [("ab", "a·", "*"), ("ac", "a·", "*")]


def test_one_character_and_no_value() -> None:
    assert build(pa.array(["a", "b"])).rows == [("a", "*"), ("b", "*")]
    assert build(pa.array([""])).rows == [("", "*")]
    assert build(pa.array([""]), steps=1).rows == [("", "*", "*")]
    assert build(pa.nulls(0)).rows == [("*", "*")]
    assert build(pa.nulls(0), steps=[1, 2]).rows == [("*", "*", "*", "*")]


def test_more_steps_than_characters() -> None:
    assert build(pa.array(["ab"]), steps=[1, 5]).rows == [("ab", "a*", "**", "*")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"from_": "top"}, "mask: from is 'top'; it may be right, left"),
        ({"character": "**"}, "not one character"),
        ({"character": ""}, "not one character"),
        ({"character": 0}, "not one character"),
        ({"steps": []}, "none is given"),
        ({"steps": [0, 1]}, "rising whole numbers"),
        ({"steps": [2, 2]}, "rising whole numbers"),
        ({"steps": [1.5]}, "rising whole numbers"),
    ],
)
def test_misuse(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build(pa.array(["ab"]), **options)


@given(
    st.lists(
        st.text(alphabet="01*ä\N{OLD ITALIC LETTER A} ", min_size=0, max_size=6), min_size=1, max_size=20, unique=True
    ),
    st.sampled_from(["right", "left"]),
    st.none() | st.sets(st.integers(1, 8), min_size=1).map(sorted),
)
def test_a_true_tree(texts: list[str], side: str, steps: list[int] | None) -> None:
    assert_true_tree(build(pa.array(texts), from_=side, steps=steps), texts)
