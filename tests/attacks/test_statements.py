"""What an attacker says to know, against brute force over all persons of whom it is true."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.cells import Row, meanings, target
from incrowd.attacks import Exposure
from incrowd.attacks._statements import Statement, read_statement
from incrowd.attacks.statements import Statements
from incrowd.comparison import Column
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.watch import Watch

VALUES = ["flu", "cold", "gout", "Röteln"]
QUASI, SENSITIVE = ("age", "town", "code"), ("illness",)


def attacked(records: list[Row], *knows: str, hierarchy: Hierarchy | None = None) -> Exposure:
    """What the fast form finds."""
    seen = target(records, SENSITIVE)
    columns = {**seen.columns, "illness": Column(Role.SENSITIVE, hierarchy)}
    [exposure] = Statements().on(replace(seen, knows=knows, columns=columns), Watch())
    return exposure


def published(groups: list[list[Any]]) -> list[Row]:
    """A class for each group."""
    return [(str(20 + at), "*", "*", value) for at, group in enumerate(groups) for value in group]


GROUPS = st.lists(st.lists(st.sampled_from([*VALUES, None]), min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=50)
@given(GROUPS, st.lists(st.sampled_from(VALUES), min_size=1, max_size=3, unique=True), st.booleans())
def test_against_every_person_of_whom_it_is_true(groups: list[list[Any]], named: list[str], rules_out: bool) -> None:
    there = {value for group in groups for value in group}
    named = [value for value in named if value in there] or sorted(there - {None})[:1]
    if not named:
        return

    def possible(value: Hashable) -> bool:
        return (value not in named) if rules_out else (value in named)

    found = attacked(published(groups), f"illness {'not in' if rules_out else 'in'} {'/'.join(named)}")
    assert found.records == Statements().textbook(groups, possible)
    ruled_out = sum(not possible(value) for value in there)
    if not found.records:
        assert found.stopped_by == ""
    elif len(there) < ruled_out + 2:
        assert found.stopped_by.startswith("none: ")
    else:
        assert found.stopped_by == f"distinct_l:l={ruled_out + 2},column=illness"


@settings(max_examples=40)
@given(GROUPS, st.sampled_from(VALUES))
def test_nothing_is_learned_where_the_model_holds_that_is_named(groups: list[list[Any]], ruled_out: str) -> None:
    groups = [[*group, *VALUES] for group in groups]
    found = attacked(published(groups), f"illness!={ruled_out}")
    assert found.records == 0
    assert found.stopped_by == ""


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["20", "20-24", "*", None]),
            st.sampled_from(["Graz", "Styria", "Linz"]),
            st.just("*"),
            st.sampled_from(VALUES),
        ),
        min_size=1,
        max_size=7,
    )
)
def test_a_person(records: list[Row]) -> None:
    """Somebody of 21 in Graz who does not have the flu."""
    fitting = {
        row[3]
        for row in records
        if all(a & b for a, b in zip(meanings(row), meanings(("21", "Graz", None)), strict=True))
    }
    if "flu" not in {row[3] for row in records}:
        return
    found = attacked(records, "age=21,town=Graz: illness!=flu")
    assert found.records == (len(fitting - {"flu"}) == 1)
    assert found.details["people whom no record fits"] == (not fitting - {"flu"})


def test_labels_of_the_hierarchy_and_several_statements() -> None:
    tree = Hierarchy.from_rows([("flu", "lungs", "*"), ("cold", "lungs", "*"), ("gout", "joints", "*")])
    records = published([["flu", "cold", "gout"], ["flu", "gout"], ["cold", "flu"]])
    assert attacked(records, "illness in lungs", hierarchy=tree).records == 1
    assert attacked(records, "illness in lungs", "illness!=flu", hierarchy=tree).records == 2
    named = attacked(records, "illness in lungs", "age=20: illness!=cold", "age=21: illness=gout", hierarchy=tree)
    # Of the second person both are known: something of the lungs, and gout, which is none; nobody is like that.
    assert (named.records, named.details["people whom no record fits"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("illness!=flu", Statement("illness", ("flu",), True)),
        ("illness = flu", Statement("illness", ("flu",), False)),
        (" illness in flu/cold ", Statement("illness", ("flu", "cold"), False)),
        ("illness not in 0-9/>=20", Statement("illness", ("0-9", ">=20"), True)),
        ("age=34,town=Graz: illness!=flu", Statement("illness", ("flu",), True, (("age", "34"), ("town", "Graz")))),
        (
            'age=34,town="Graz, Süd": illness!=flu',
            Statement("illness", ("flu",), True, (("age", "34"), ("town", "Graz, Süd"))),
        ),
        ('"illness"=a:b', Statement("illness", ("a:b",), False)),
    ],
)
def test_how_statements_are_read(text: str, expected: Statement) -> None:
    assert read_statement(text, QUASI, SENSITIVE) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "illness",
        "illness>3",
        "age: illness!=flu",
        "town!=Graz",
        "pet=cat: illness!=flu",
        "illness!=",
        "wage=3",
        "age=: illness!=flu",
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_statement(text, QUASI, SENSITIVE)
    assert "\n" not in str(refused.value)


def test_a_value_that_nobody_has_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as refused:
        attacked(published([["flu"]]), "illness!=plague")
    assert "plague" not in str(refused.value)
