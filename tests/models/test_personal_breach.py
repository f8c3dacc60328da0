"""Personalized anonymity: the definition by hand, what a search is told, and what it refuses."""

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.classes import Classes
from incrowd.core.frequencies import Counting
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError
from incrowd.models import Block, Reference, from_dict, parse, spell, to_dict, unpublished
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.personal_breach import PersonalBreach
from local.guards import TREE, Ladder, Text, breach, labels_of, shares, trees

Records = Sequence[tuple[Text, Text]]
"""Published cells with guards."""


def model(p: float) -> PersonalBreach:
    return PersonalBreach(p, "g", column="s")


def classes_of(rows: Ladder, *classes: Records) -> Classes:
    """As a search sees them."""
    counting = Counting(("c", "s", "g"))
    flat = [(f"{at:03}", *record) for at, records in enumerate(classes) for record in records]
    columns = zip(*flat, strict=True) if flat else ((), (), ())
    counting.add([pa.array(list(column), pa.string()) for column in columns])
    counted = counting.result()
    hierarchy = Hierarchy.from_rows(rows)
    # The cells may be labels; the ladder is that of the values.
    ladder = hierarchy.along("s", pa.array(hierarchy.values, pa.string()))
    number = {text: at for at, text in enumerate(sorted(counted.values[0].to_pylist()))}
    of = [number[counted.values[0][int(code) - 1].as_py()] for code in counted.codes[0]]
    return counted.grouped(pa.array(of, pa.int32()).to_numpy(), len(number), [("s",), ("g",)], {"s": ladder})


def blocks_of(*classes: Records) -> list[Block]:
    """As verification sees them; classes without records are not there."""
    return [
        Block(len(each), {("s",): Counter((cell,) for cell, _ in each), ("g",): Counter((of,) for _, of in each)})
        for each in classes
        if each
    ]


def reference(rows: Ladder) -> Reference:
    return Reference({}, {"s": {row[0]: tuple(map(str, row[1:])) for row in rows}})


@st.composite
def judged(draw: st.DrawFn) -> tuple[Ladder, list[list[tuple[Text, Text]]]]:
    rows = draw(trees())
    texts: list[Text] = [*labels_of(rows), None]
    record = st.tuples(st.sampled_from(texts), st.sampled_from(texts))
    return rows, draw(st.lists(st.lists(record, max_size=6), max_size=4))


@given(case=judged(), p=shares)
def test_holds_is_the_textbook_and_the_definition(case: tuple[Ladder, list[list[tuple[Text, Text]]]], p: float) -> None:
    rows, classes = case
    found, there = classes_of(rows, *classes), [each for each in classes if each]
    likely = [
        max((breach(rows, Counter(cell for cell, _ in each), of) for _, of in each if of is not None), default=0)
        for each in there
    ]
    expected = [float(each) <= p + 1e-9 for each in likely]
    assert model(p).holds(found).tolist() == expected
    assert [model(p).textbook(block, reference(rows)) for block in blocks_of(*classes)] == expected
    assert model(p).strength(found) == pytest.approx(float(max(likely, default=0)))
    assert model(p).lost(found).tolist() == [0] * len(there)


BY_HAND: list[tuple[Records, float]] = [
    # The value itself, one of two.
    ([("flu", "flu"), ("ulcer", None)], 0.5),
    # Both lie below lungs, and one of them guards it.
    ([("flu", "lungs"), ("cough", None)], 1.0),
    # lungs covers three values, one of which is flu.
    ([("lungs", "flu")], 1 / 3),
    # ill covers five, three of them below lungs; burn covers none of them.
    ([("ill", "lungs"), ("burn", None)], 0.3),
    ([("*", "lungs"), ("*", None)], 0.5),
    # Nobody asks, so nobody is breached.
    ([("flu", None), ("flu", None)], 0.0),
    # A guard that lies beside the own value.
    ([("burn", "flu"), ("flu", None), ("burn", None)], 1 / 3),
    # Missing is below nothing but the top.
    ([(None, "flu"), ("flu", None)], 0.5),
    ([(None, "*")], 1.0),
]


@pytest.mark.parametrize(("records", "expected"), BY_HAND)
def test_by_hand(records: Records, expected: float) -> None:
    found = classes_of(TREE, records)
    assert model(0.5).strength(found) == pytest.approx(expected)
    for p in (0.29, 0.3, 0.34, 0.5, 1.0):
        assert model(p).holds(found).tolist() == [expected <= p]
        assert model(p).textbook(blocks_of(records)[0], reference(TREE)) == (expected <= p)


def test_two_safe_classes_may_breach_together() -> None:
    one, other = [("flu", "flu"), ("ulcer", None)], [("flu", None)] * 3
    assert model(0.5).holds(classes_of(TREE, one, other, [*one, *other])).tolist() == [True, True, False]
    assert not model(0.5).monotone.merging
    assert not model(0.5).monotone.absorbing
    assert model(0.5).relaxed() is None
    assert All((model(0.5), KAnonymity(2))).relaxed() == All((KAnonymity(2),))


def test_spelling() -> None:
    text = "personal_breach:p=0.5,guard=asks,column=disease"
    read = parse(text)
    assert spell(read) == text
    assert from_dict(to_dict(read)) == read == PersonalBreach(0.5, "asks", column="disease")
    assert unpublished(read) == ("asks",)
    assert unpublished(KAnonymity(2)) == ()
    assert read.needs == (("disease",), ("asks",))


@pytest.mark.parametrize(
    "text",
    [
        "personal_breach:p=0,guard=g,column=s",
        "personal_breach:p=1.1,guard=g,column=s",
        "personal_breach:p=x,guard=g,column=s",
        "personal_breach:p=0.5,column=s",
        "personal_breach:p=0.5,guard=,column=s",
        "personal_breach:p=0.5,guard=s,column=s",
        "personal_breach:p=0.5,guard=g,column=s+t",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text)


def test_unknown_guards_are_counted_and_not_shown() -> None:
    with pytest.raises(UsageError, match="2 of its 3 different values name no node of the hierarchy of 's'") as error:
        model(0.5).holds(classes_of(TREE, [("flu", "lungs"), ("flu", "secret"), ("flu", "other secret")]))
    assert "secret" not in str(error.value)


def test_a_label_must_mean_one_thing() -> None:
    twice: Ladder = (("a", "x", "y", "*"), ("b", "x", "y", "*"), ("c", "z", "x", "*"))
    with pytest.raises(UsageError, match="a label on level 2 of its hierarchy names other values elsewhere"):
        model(0.5).holds(classes_of(twice, [("a", "a")]))
    same: Ladder = (("a", "a", "y", "*"), ("b", "x", "x", "*"))
    assert model(0.5).holds(classes_of(same, [("a", "a"), ("b", None)])).tolist() == [True]


def test_without_a_hierarchy() -> None:
    found = classes_of(TREE, [("flu", "flu")])
    counting = Counting(("s", "g"))
    counting.add([pa.array(["flu"]), pa.array(["flu"])])
    bare = counting.result().judged(["s"], [("s",), ("g",)], {})
    assert len(bare) == len(found)
    with pytest.raises(UsageError, match="guards are nodes of its hierarchy, and it has none"):
        model(0.5).holds(bare)
