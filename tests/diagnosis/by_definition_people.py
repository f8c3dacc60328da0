"""The twelve questions by people, from their definitions: sets of people, and of pairs of a person and a value."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from diagnosis.by_definition_sensitive import SENSITIVE, Judged, Number, satisfies, value_of
from incrowd.api import diagnose
from incrowd.diagnosis.diagnosis import Diagnosis
from strategies import COLUMNS, Cell, Row, arrays, cells

K = "k_anonymity"
WHO = ("p", "r")
"""Columns that tell the person."""
Person = tuple[Any, ...]


def person_of(rows: Sequence[Row], at: int, person: Sequence[str]) -> Person:
    """Who a record is about; one of whom nothing is told is somebody else."""
    told = tuple(rows[at][name] for name in person)
    return ("own", at) if set(told) == {None} else told


def reached_by(members: Sequence[int], rows: Sequence[Row], person: Sequence[str], measure: str) -> Number:
    """What a class reaches: the number of its people, or what their values reach, each person once for a value."""
    people = {person_of(rows, at, person) for at in members}
    if measure == K:
        return len(people)
    mine = {(person_of(rows, at, person), rows[at][SENSITIVE]) for at in members}
    if measure == "frequency_l":
        return len(people) // max(Counter(value for _, value in mine).values())
    whole = {(person_of(rows, at, person), row[SENSITIVE]) for at, row in enumerate(rows)}
    pairs: list[Row] = [{SENSITIVE: value} for _, value in whole]
    return value_of([value for _, value in mine], measure, pairs)


def members_of(rows: Sequence[Row], columns: Sequence[str], nulls: str) -> list[list[int]]:
    """The records of each class."""
    found: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        combination = tuple(row[name] for name in columns)
        if nulls != "basic" or None not in combination:
            found[combination].append(at)
    return list(found.values())


class JudgedPeople(Judged):
    """The classes of one set, by people; records are suppressed."""

    def __init__(self, rows: Sequence[Row], columns: Sequence[str], nulls: str, measure: str, person: Sequence[str]):
        self.measure = measure
        self.classes = members_of(rows, columns, nulls)
        self.each = [(reached_by(members, rows, person, measure), len(members)) for members in self.classes]
        self.records = sum(size for _, size in self.each)
        self.people = [{person_of(rows, at, person) for at in members} for members in self.classes]

    def below(self, value: Number) -> set[Person]:
        """The people with a record in a class that does not satisfy a value."""
        failing = [
            who
            for who, (reached, _) in zip(self.people, self.each, strict=True)
            if not satisfies(reached, value, self.measure)
        ]
        return set().union(*failing)

    def suppression(self, value: Number) -> dict[str, Any]:
        return {**super().suppression(value), "people": len(self.below(value))}

    @property
    def unique(self) -> int:
        """The people who are alone in a class."""
        return len(set().union(*(who for who in self.people if len(who) == 1)))


def judging(person: Sequence[str]) -> Callable[..., Judged]:
    return lambda rows, columns, nulls, measure: JudgedPeople(rows, columns, nulls, measure, person)


def repeats(rows: Sequence[Row], person: Sequence[str]) -> bool:
    """Whether somebody has several records."""
    return len({person_of(rows, at, person) for at in range(len(rows))}) < len(rows)


def opened(rows: Sequence[Row], columns: Sequence[str], person: Sequence[str], nulls: str = "extended") -> Diagnosis:
    """A diagnosis of the rows by people."""
    names = [*columns, SENSITIVE, *WHO]
    return diagnose(pa.table(arrays(rows, names), names=names), among=columns, nulls=nulls, person=person)


@st.composite
def tables_of_people(draw: st.DrawFn) -> tuple[tuple[str, ...], list[Row], tuple[str, ...]]:
    """One to four columns, records of some people of one to six records each, and the columns that tell the person."""
    columns = COLUMNS[: draw(st.integers(1, 4))]
    cell = cells(draw(st.integers(1, 3)))
    secret = st.none() | st.sampled_from(["0", "1", "2", "3"][: draw(st.integers(1, 4))])
    rows: list[Row] = []
    for at in range(draw(st.integers(0, 5))):
        told = draw(st.sampled_from([(f"n{at}", None), (f"n{at // 2}", f"b{at % 2}"), (None, f"b{at}"), (None, None)]))
        for _ in range(draw(st.integers(1, 6))):
            record = [*(draw(cell) for _ in columns), draw(secret), *told]
            rows.append(dict(zip((*columns, SENSITIVE, *WHO), record, strict=True)))
    person = draw(st.sampled_from([("p",), WHO, ("r", columns[0])]))
    return columns, draw(st.permutations(rows)), person
