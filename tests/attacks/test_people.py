"""Attacks that count people: the original table says whose records a release has."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.attacks.intersection import Intersection, textbook_people_behind
from incrowd.attacks.range_disclosure import RangeDisclosure
from incrowd.attacks.similarity import Similarity
from incrowd.attacks.skewness import Skewness
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError

Row = tuple[str, str, str, str | None]
"""Two quasi-identifiers, a sensitive value and the person."""

GENERAL = {"a": "ab", "b": "ab", "c": "c*"}
TREE = Hierarchy.from_rows([(value, label, "*") for value, label in GENERAL.items()])
QUASI = {"one": {"role": "quasi", "hierarchy": TREE}, "other": "quasi", "ill": "sensitive"}


@st.composite
def people(draw: st.DrawFn) -> list[Row]:
    """Some people with one to six records each; of some nothing is told."""
    rows: list[Row] = []
    for at in range(draw(st.integers(1, 6))):
        name = draw(st.sampled_from([f"n{at}", f"n{at}", f"n{at}", None]))
        for _ in range(draw(st.integers(1, 6))):
            place = draw(st.sampled_from("abc")), draw(st.sampled_from("xy"))
            rows.append((*place, draw(st.sampled_from(["flu", "gout", "cold"])), name))
    return rows


def original(rows: Sequence[Row]) -> pa.Table:
    columns = {name: [row[at] for row in rows] for at, name in enumerate(("one", "other", "ill"))}
    return pa.table({**columns, "who": pa.array([row[3] for row in rows], pa.string())})


def released(rows: Sequence[Row]) -> pa.Table:
    """The same records, a and b as one."""
    return pa.table(
        {"one": [GENERAL[row[0]] for row in rows], "other": [row[1] for row in rows], "ill": [row[2] for row in rows]}
    )


def classes_of(rows: Sequence[Row]) -> dict[tuple[str, str], list[tuple[Any, str]]]:
    """By class the person and the value of each record."""
    found: dict[tuple[str, str], list[tuple[Any, str]]] = defaultdict(list)
    for at, (one, other, ill, who) in enumerate(rows):
        found[GENERAL[one], other].append((("own", at) if who is None else who, ill))
    return found


def repeats(rows: Sequence[Row]) -> bool:
    named = [row[3] for row in rows if row[3] is not None]
    return len(set(named)) < len(named)


def attacked(rows: Sequence[Row], *attacks: str, **further: Any) -> dict[str, Any]:
    found = incrowd.attack(released(rows), QUASI, attacks, outside=original(rows), person=["who"], **further)
    return {each.attack: each for each in found.exposures}


@settings(max_examples=60, deadline=None)
@given(rows=people(), k=st.integers(2, 4))
def test_linkage(rows: list[Row], k: int) -> None:
    """Whoever has a record in a class of fewer than k people, or of one value, is found."""
    exposed: set[Any] = set()
    for members in classes_of(rows).values():
        who = {person for person, _ in members}
        if len(who) < k or len({ill for _, ill in members}) == 1:
            exposed |= who
    everybody = {person for members in classes_of(rows).values() for person, _ in members}
    found = attacked(rows, f"linkage:k={k}")
    [linkage] = found.values()
    assert (linkage.records, linkage.among) == (len(exposed), len(everybody))


@settings(max_examples=60, deadline=None)
@given(rows=people())
def test_homogeneity(rows: list[Row]) -> None:
    """A class is exposed if everybody in it has a value in common; a single person has."""
    exposed: set[Any] = set()
    classes = 0
    for members in classes_of(rows).values():
        values: dict[str, set[Any]] = defaultdict(set)
        for person, ill in members:
            values[ill].add(person)
        who = {person for person, _ in members}
        if any(having == who for having in values.values()):
            exposed |= who
            classes += 1
    found = attacked(rows, "homogeneity")["homogeneity"]
    if repeats(rows):
        alone = [members for members in classes_of(rows).values() if len({person for person, _ in members}) == 1]
        assert (found.records, found.classes) == (len(exposed), classes)
        assert found.details["people alone in a class"] == len({person for each in alone for person, _ in each})
    else:
        assert found.among is None


def in_common(members: Sequence[tuple[Any, str]]) -> bool:
    """Whether everybody of a class has one value in common."""
    everybody = {person for person, _ in members}
    return any({person for person, ill in members if ill == value} == everybody for _, value in members)


@pytest.mark.parametrize(
    "attack", ["background_knowledge", "background_knowledge:values=2", "skewness", "skewness:factor=1"]
)
@settings(max_examples=40, deadline=None)
@given(rows=people())
def test_other_attacks_on_a_column(attack: str, rows: list[Row]) -> None:
    """As values or shares of people in a class show, and if its people have a value in common."""
    most = {"background_knowledge": 2, "background_knowledge:values=2": 3}.get(attack, 0)
    groups = list(classes_of(rows).values())
    skewed = Skewness(1 if attack.endswith("factor=1") else 2).textbook_of_people(groups)
    classes = [
        members
        for at, members in enumerate(groups)
        if (len({ill for _, ill in members}) <= most if most else skewed[at]) or in_common(members)
    ]
    found = attacked(rows, attack)[attack]
    if not repeats(rows):
        assert found == incrowd.attack(released(rows), QUASI, [attack]).exposures[0]
        return
    assert found.classes == len(classes)
    assert found.records == len({person for members in classes for person, _ in members})


ILLNESSES = Hierarchy.from_rows([("flu", "lungs", "*"), ("cold", "lungs", "*"), ("gout", "joints", "*")])


@settings(max_examples=60, deadline=None)
@given(rows=people())
def test_similarity(rows: list[Row]) -> None:
    """A class is exposed if everybody in it has a value below one node, among others perhaps."""
    nodes = {"flu": "lungs", "cold": "lungs", "gout": "joints"}
    groups = list(classes_of(rows).values())
    exposed = [
        members for members, is_exposed in zip(groups, Similarity().textbook_of_people(groups, nodes), strict=True)
        if is_exposed
    ]  # fmt: skip
    columns = {**QUASI, "ill": {"role": "sensitive", "hierarchy": ILLNESSES}}
    found = incrowd.attack(released(rows), columns, ["similarity"], outside=original(rows), person=["who"]).exposures[0]
    if repeats(rows):
        assert found.classes == len(exposed)
        assert found.records == len({person for members in exposed for person, _ in members})


NUMBERS = {"flu": 0, "cold": 3, "gout": 10}


@settings(max_examples=60, deadline=None)
@given(rows=people(), within=st.sampled_from([0.1, 0.3, 0.7, 1]), data=st.data())
def test_range_disclosure(rows: list[Row], within: float, data: st.DataObject) -> None:
    """A class is exposed if everybody in it has a number in one narrow range, among others perhaps."""
    numbers = [data.draw(st.sampled_from([0, 3, 7, 10, 10, None])) for _ in rows]
    of_class: dict[Any, list[tuple[Any, int | None]]] = defaultdict(list)
    for at, (one, other, _, who) in enumerate(rows):
        of_class[GENERAL[one], other].append((("own", at) if who is None else who, numbers[at]))
    groups = list(of_class.values())
    exposed = [
        members for members, is_exposed in zip(groups, RangeDisclosure(within).textbook_of_people(groups), strict=True)
        if is_exposed
    ]  # fmt: skip
    tables = [
        table.set_column(table.column_names.index("ill"), "ill", pa.array(numbers, pa.int64()))
        for table in (released(rows), original(rows))
    ]
    attack = {"range_disclosure": {"within": within}}
    found = incrowd.attack(tables[0], QUASI, [attack], outside=tables[1], person=["who"]).exposures[0]
    if repeats(rows) and any(number is not None for number in numbers):
        alone = [members for members in groups if len({person for person, _ in members}) == 1]
        exposed += [members for members in alone if members not in exposed]
        assert found.classes == len(exposed)
        assert found.records == len({person for members in exposed for person, _ in members})


def test_sensitive_ranges() -> None:
    """Everybody of the first class has a number from 0 to 3, and nobody else has only such numbers."""
    rows: list[Row] = [("a", "x", "flu", "ann"), ("a", "x", "gout", "ann"), ("a", "x", "cold", "bob")]
    rows += [("c", "y", "gout", "tom"), ("c", "y", "flu", "kim"), ("c", "y", "flu", "kim")]
    numbers = pa.array([NUMBERS[row[2]] for row in rows])
    tables = [table.set_column(2, "ill", numbers) for table in (released(rows), original(rows))]
    attack = {"range_disclosure": {"ranges": ["0-3"]}}
    found = incrowd.attack(tables[0], QUASI, [attack], outside=tables[1], person=["who"]).exposures[0]
    assert (found.records, found.classes) == (2, 1)


def test_one_person_with_many_records_is_one_person() -> None:
    """Nine records of flu are most of a class, and one of its four people has flu."""
    rows: list[Row] = [("a", "x", "flu", "ann")] * 9
    rows += [("a", "x", ill, who) for ill, who in (("cold", "bob"), ("gout", "eve"), ("none", "tom"))]
    rows += [("c", "y", ill, f"n{at}") for at, ill in enumerate(("cold", "gout", "none", "flu") * 4)]
    by_records = incrowd.attack(released(rows), QUASI, ["skewness:factor=1.5"]).exposures[0]
    by_people = attacked(rows, "skewness:factor=1.5")["skewness:factor=1.5"]
    assert (by_records.records, by_people.records) == (12, 0)
    few: list[Row] = [*rows, *(("b", "y", "flu", f"m{at}") for at in range(3)), ("b", "y", "cold", "m0")]
    found = attacked([(*row[:3], row[3]) if row[0] != "c" else ("c", "x", *row[2:]) for row in few], "skewness")
    worst = found["skewness"].worst
    assert worst is not None
    assert "3 of 3 people" in worst.told
    assert found["skewness"].stopped_by == (
        "frequency_l:l=3,column=ill by people (only if records are suppressed: all in one class do not satisfy it)"
    )


def test_of_values_that_the_original_lacks_shares_are_those_of_records() -> None:
    rows: list[Row] = [("a", "x", "flu", "ann"), ("a", "x", "gout", "ann"), ("a", "x", "cold", "bob")]
    without = original(rows).drop_columns(["ill"])
    found = incrowd.attack(released(rows), QUASI, ["skewness"], outside=without, person=["who"]).exposures[0]
    assert "shares are those of records" in found.note


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.integers(2, 3))
def test_classes_that_overlap(data: st.DataObject, k: int) -> None:
    """A record fits every range with its age; the crowd is everybody who has a record that fits one of these."""
    ranges = {"0-4": range(5), "3-7": range(3, 8), "5-9": range(5, 10)}
    rows = [
        (f"n{at}", data.draw(st.integers(0, 9))) for at in range(data.draw(st.integers(1, 5)))
        for _ in range(data.draw(st.integers(1, 4)))
    ]  # fmt: skip
    shown = [data.draw(st.sampled_from([name for name, ages in ranges.items() if age in ages])) for _, age in rows]
    release = pa.table({"age": shown})
    original = pa.table({"age": [age for _, age in rows], "who": [who for who, _ in rows]})
    found = incrowd.attack(release, ["age"], [f"linkage:k={k}"], outside=original, person=["who"]).exposures[0]
    exposed = set()
    for who, age in rows:
        fits = [name for name in set(shown) if age in ranges[name]]
        crowd = {other for other, years in rows if any(years in ranges[name] for name in fits)}
        if len(crowd) < k or sum(name in fits for name in shown) < k:
            exposed.add(who)
    assert (found.records, found.among) == (len(exposed), len({who for who, _ in rows}))


@settings(max_examples=30, deadline=None)
@given(rows=people())
def test_with_one_record_each_everything_is_as_for_records(rows: list[Row]) -> None:
    own: list[Row] = [(*row[:3], f"n{at}" if at % 3 else None) for at, row in enumerate(rows)]
    by_people, by_records = (
        incrowd.attack(released(own), QUASI, outside=original(own), person=person) for person in (["who"], [])
    )
    assert by_people.to_dict() == by_records.to_dict()
    assert str(by_people) == str(by_records)


AGES = {"0-4": range(5), "3-7": range(3, 8), "5-9": range(5, 10)}
OTHER_AGES = {"0-1": range(2), "2-6": range(2, 7), "6-9": range(6, 10)}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.integers(2, 4))
def test_two_releases(data: st.DataObject, k: int) -> None:
    """By both releases, whoever is found among few records, or records of few people, or with one value left."""
    rows = [
        (f"n{at}", data.draw(st.integers(0, 9)), data.draw(st.sampled_from(["flu", "gout"])))
        for at in range(data.draw(st.integers(1, 5)))
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    releases, fitting, shown = [], [], []
    for ranges in (AGES, OTHER_AGES):
        names = [
            data.draw(st.sampled_from([name for name, ages in ranges.items() if age in ages])) for _, age, _ in rows
        ]
        releases.append(pa.table({"age": names, "ill": [ill for _, _, ill in rows]}))
        fitting.append([[name for name in set(names) if age in ranges[name]] for _, age, _ in rows])
        shown.append([([set(ranges[name])], (ill,)) for name, (_, _, ill) in zip(names, rows, strict=True)])
    original = pa.table({"age": [age for _, age, _ in rows], "who": [who for who, _, _ in rows]})
    columns = {"age": "quasi", "ill": "sensitive"}
    given = {"outside": original, "person": ["who"], "other": releases[1]}
    found = incrowd.attack(releases[0], columns, [f"intersection:k={k}"], **given).exposures[0]
    by_records = Intersection(k).textbook([[{age}] for _, age, _ in rows], shown)
    behind = textbook_people_behind([(who, fits) for (who, _, _), *fits in zip(rows, *fitting, strict=True)])
    exposed = {who for (who, _, _), hit, people in zip(rows, by_records, behind, strict=True) if hit or people < k}
    assert (found.records, found.among) == (len(exposed), len({who for who, _, _ in rows}))


def test_difference_pairs_records_and_says_so() -> None:
    rows: list[Row] = [("a", "x", "flu", "ann"), ("a", "x", "flu", "ann"), ("a", "x", "gout", "bob")]
    found = attacked(rows, "difference:person=stayed", other=released(rows))["difference:person=stayed"]
    assert found.among == 2
    assert "records are paired one by one, without regard to the person" in found.note


def test_a_class_of_one_person_is_no_crowd() -> None:
    """Three records with three values are safe for an attacker without the original, and are all ann's."""
    rows: list[Row] = [("a", "x", ill, "ann") for ill in ("flu", "gout", "cold")]
    rows += [("c", "y", ill, who) for ill, who in (("flu", "bob"), ("gout", "eve"), ("cold", "tom"))]
    alone = incrowd.attack(released(rows), QUASI, ["homogeneity"])
    assert not alone.exposed
    found = attacked(rows, "homogeneity", "linkage:k=3")
    assert found["homogeneity"].records == found["linkage:k=3"].records == 1
    assert found["linkage:k=3"].details["people found among fewer than 3 people"] == 1
    told = str(incrowd.attack(released(rows), QUASI, ["homogeneity"], outside=original(rows), person="who"))
    assert "1 of 4 people looked for (25.0%)" in told


def test_what_is_not_the_original_is_refused() -> None:
    rows: list[Row] = [("a", "x", "flu", "ann"), ("a", "x", "gout", "ann"), ("a", "x", "cold", "bob")]
    with pytest.raises(UsageError, match="too few records that fit 1 class of the release"):
        incrowd.attack(released(rows), QUASI, outside=original(rows[:2]), person=["who"])
    with pytest.raises(UsageError, match="describes an outside table"):
        incrowd.attack(released(rows), QUASI, person=["who"])


def test_a_release_of_the_tool_itself(tmp_path: Any) -> None:
    """A job that counts people leaves nobody to be found among fewer than k people."""
    rows: list[Row] = [("a", "x", "flu", "ann")] * 3 + [("b", "x", "gout", "bob"), ("b", "x", "cold", "eve")]
    rows += [("c", "y", "flu", "tom")] * 2 + [("c", "y", "cold", "kim"), ("a", "y", "gout", "lea")]
    source = original(rows)
    columns = {"one": "quasi", "other": "quasi", "ill": "sensitive", "who": "person"}
    job = {"columns": columns, "models": ["k_anonymity:k=3"], "output": tmp_path / "r.csv"}
    made = incrowd.anonymize(source, job)
    found = incrowd.attack(made.output, outside=source, person=["who"], attacks=["linkage:k=3"]).exposures[0]
    assert found.details["people found among fewer than 3 people"] == 0
