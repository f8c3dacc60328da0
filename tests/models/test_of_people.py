"""Models by people: both forms against the definition in plain sets, and what a search may prune on."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.table import Table
from incrowd.models import Block, PrivacyModel, Reference, from_dict
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople, people_in
from models.judging import PARAMETERS, models

Row = tuple[int, str | None, str | None]
"""The class of a record, its sensitive value and its person."""

VALUES = ("-1", "2.5", "3", "20")
PATHS = {"-1": ("low", "*"), "2.5": ("low", "*"), "3": ("high", "*"), "20": ("high", "*")}
REFUSED = {"personal_breach", "consistent_k"}
"""Judged record by record, or not class by class."""
OF_POPULATION = {"k_map", "delta_presence"}
JUDGED = sorted(set(PARAMETERS) - REFUSED - OF_POPULATION)

rows = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(VALUES), st.sampled_from([None, "a", "b", "c", "d", "e"])),
    min_size=1,
    max_size=24,
)


def classes_of(table: Sequence[Row], model: PrivacyModel) -> tuple[Classes, list[int]]:
    """The classes as a search sees them, and the number of each."""
    columns = {
        "q": pa.array([str(row[0]) for row in table]),
        "s": pa.array([row[1] for row in table], pa.string()),
        "p": pa.array([row[2] for row in table], pa.string()),
    }
    counted = FrequencySet.of_table(Table.from_batches(list(columns), pa.table(columns).to_batches()))
    at = counted.names.index("s")
    ladder = Hierarchy.from_rows([(value, *PATHS[value]) for value in VALUES]).along("s", counted.values[at])
    grouped = counted.judged(["q"], model.needs, {"s": ladder})
    first = [int(np.flatnonzero(grouped.of == number)[0]) for number in range(len(grouped))]
    texts = counted.values[0].to_pylist()
    return grouped, [int(texts[counted.codes[0][place] - 1]) for place in first]


def counter(table: Sequence[Row], columns: Sequence[str]) -> "Counter[tuple[str | None, ...]]":
    place = {"s": 1, "p": 2}
    return Counter(tuple(row[place[name]] for name in columns) for row in table)


def block_of(table: Sequence[Row], model: PrivacyModel) -> Block:
    return Block(len(table), {columns: counter(table, columns) for columns in model.needs})


def in_sets(table: Sequence[Row]) -> "tuple[int, Counter[tuple[str | None, ...]]]":
    """How many people, and how many of them have each value, with sets; a record without a person is one."""
    named = [(row[1], row[2] if row[2] is not None else ("own", at)) for at, row in enumerate(table)]
    return len({who for _, who in named}), Counter((value,) for value, _ in set(named))


@pytest.mark.parametrize("name", JUDGED)
@given(data=st.data(), table=rows)
def test_both_forms_are_the_definition_over_sets_of_pairs(name: str, data: st.DataObject, table: list[Row]) -> None:
    inner = data.draw(models(name))
    model = OfPeople(inner, ("p",))
    classes, numbers = classes_of(table, model)
    ladders = {"s": PATHS}
    reference = Reference({columns: counter(table, columns) for columns in model.needs}, ladders)
    whole = Reference({columns: in_sets(table)[1] for columns in inner.needs}, ladders)
    held = dict(zip(numbers, model.holds(classes).tolist(), strict=True))
    for number in held:
        members = [row for row in table if row[0] == number]
        people, values = in_sets(members)
        expected = inner.textbook(Block(people, dict.fromkeys(inner.needs, values)), whole)
        assert model.textbook(block_of(members, model), reference) == expected
        assert held[number] == expected


@given(rows)
def test_people_in_each_class(table: list[Row]) -> None:
    model = OfPeople(KAnonymity(2), ("p",))
    classes, numbers = classes_of(table, model)
    found = people_in(classes.histograms["p",]).tolist()
    assert found == [in_sets([row for row in table if row[0] == number])[0] for number in numbers]
    assert model.by_people(classes).sizes.tolist() == found


@given(rows)
def test_where_everybody_has_one_record_people_are_records(table: list[Row]) -> None:
    alone = [(number, value, str(at)) for at, (number, value, _) in enumerate(table)]
    for inner in (KAnonymity(2), from_dict({"entropy_l": {"l": 2, "column": "s"}})):
        classes, _ = classes_of(alone, OfPeople(inner, ("p",)))
        assert OfPeople(inner, ("p",)).holds(classes).tolist() == inner.holds(classes).tolist()


def unions(table: Sequence[Row]) -> list[tuple[list[int], list[Row]]]:
    numbers = sorted({row[0] for row in table})
    every = [list(each) for size in range(1, len(numbers) + 1) for each in combinations(numbers, size)]
    return [(each, [row for row in table if row[0] in each]) for each in every]


@pytest.mark.parametrize("name", JUDGED)
@given(data=st.data(), table=rows)
def test_claims_of_monotony_and_what_is_lost(name: str, data: st.DataObject, table: list[Row]) -> None:
    model = OfPeople(data.draw(models(name)), ("p",))
    reference = Reference({columns: counter(table, columns) for columns in model.needs}, {"s": PATHS})
    relaxed = model.relaxed()
    assert relaxed is not None
    assert relaxed.monotone.absorbing
    verdicts = {tuple(each): model.textbook(block_of(of, model), reference) for each, of in unions(table)}
    easier = {tuple(each): relaxed.textbook(block_of(of, relaxed), reference) for each, of in unions(table)}
    for each, of in unions(table):
        parts = [verdicts[number,] for number in each]
        if model.monotone.absorbing:
            assert verdicts[tuple(each)] or not any(parts)
        assert easier[tuple(each)] or not any(easier[number,] for number in each)
        assert easier[tuple(each)] or not verdicts[tuple(each)]
        merged = [(0, *row[1:]) for row in of]
        classes, _ = classes_of([*merged, *((9, *row[1:]) for row in table if row[0] not in each)], model)
        lost = int(model.lost(classes)[0])
        violating = sum(sum(row[0] == number for row in of) for number in each if not verdicts[number,])
        assert 0 <= lost <= violating


def test_shares_of_a_merged_class_may_exceed_those_of_its_parts() -> None:
    """Why nothing but absorbing models may prune by people."""
    one = [(0, "flu", "a"), (0, "flu", "b"), (0, "cold", "c"), (0, "cold", "d")]
    other = [(1, "flu", "e"), (1, "flu", "f"), (1, "cold", "c"), (1, "cold", "d")]
    model = OfPeople(from_dict({"alpha_k": {"alpha": 0.5, "k": 2, "column": "s"}}), ("p",))
    reference = Reference({}, {})
    assert model.textbook(block_of(one, model), reference)
    assert model.textbook(block_of(other, model), reference)
    assert not model.textbook(block_of([*one, *other], model), reference)
    assert not model.monotone.merging


def test_ten_records_of_flu_are_one_flu() -> None:
    table: list[Row] = [(0, "flu", "a")] * 10 + [(0, "cold", "b"), (0, "asthma", "c")]
    model = OfPeople(from_dict({"entropy_l": {"l": 3, "column": "s"}}), ("p",))
    assert model.textbook(block_of(table, model), Reference({}, {}))
    assert not from_dict({"entropy_l": {"l": 3, "column": "s"}}).textbook(block_of(table, model), Reference({}, {}))


def test_a_person_of_several_columns() -> None:
    """Records are about the same person if all of these cells are equal; those without any of them are alone."""
    table = pa.table(
        {
            "q": ["x"] * 6,
            "name": ["Ann", "Ann", "Ann", None, None, None],
            "born": ["1980", "1980", "1990", "1980", None, None],
        }
    )
    counted = FrequencySet.of_table(Table.from_batches(table.column_names, table.to_batches()))
    model = OfPeople(All((KAnonymity(5),)), ("name", "born"))
    classes = counted.judged(["q"], model.needs)
    assert people_in(classes.histograms["name", "born"]).tolist() == [5]
    assert model.holds(classes).tolist() == [True]
