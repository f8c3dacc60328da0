"""Attacks that count people: the original table says whose records a release has."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
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


@pytest.mark.parametrize("attack", ["background_knowledge", "skewness", "skewness:factor=1"])
@settings(max_examples=30, deadline=None)
@given(rows=people())
def test_other_attacks_on_a_column_expose_the_people_of_the_same_classes_and_more(attack: str, rows: list[Row]) -> None:
    records = incrowd.attack(released(rows), QUASI, [attack]).exposures[0]
    found = attacked(rows, attack)[attack]
    assert found.records is not None
    assert records.records is not None
    if not repeats(rows):
        assert found == records
        return
    assert found.classes is not None
    assert found.classes >= (records.classes or 0)
    assert (found.records > 0) == (found.classes > 0)
    if found.classes == len(classes_of(rows)):
        assert found.records == found.among


@settings(max_examples=30, deadline=None)
@given(rows=people())
def test_with_one_record_each_everything_is_as_for_records(rows: list[Row]) -> None:
    own: list[Row] = [(*row[:3], f"n{at}" if at % 3 else None) for at, row in enumerate(rows)]
    by_people, by_records = (
        incrowd.attack(released(own), QUASI, outside=original(own), person=person) for person in (["who"], [])
    )
    assert by_people.to_dict() == by_records.to_dict()
    assert str(by_people) == str(by_records)


@settings(max_examples=25, deadline=None)
@given(rows=people())
def test_two_releases(rows: list[Row]) -> None:
    """Of intersection and difference: people are exposed if one of their records is, and never more than there are."""
    given = {"outside": original(rows), "other": released(rows)}
    attacks = ["intersection", "difference:person=stayed"]
    by_records = {each.attack: each for each in incrowd.attack(released(rows), QUASI, attacks, **given).exposures}
    everybody = {person for members in classes_of(rows).values() for person, _ in members}
    for name, found in attacked(rows, *attacks, other=released(rows)).items():
        assert found.among == len(everybody)
        assert found.records is not None
        assert (found.records > 0) == ((by_records[name].records or 0) > 0)
        assert found.records <= len(everybody)


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
