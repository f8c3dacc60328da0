"""All twelve questions give the same JSON whichever engine holds the table, and what the definitions say."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import FIND, QUESTIONS, Given, expected, givens, small_tables
from diagnosis.by_definition_people import K, judging
from diagnosis.by_definition_sensitive import SENSITIVE
from diagnosis.by_definition_sensitive import Given as OfMeasure
from diagnosis.by_definition_sensitive import expected as by_measure
from effort import effort
from engines.same_rows import ENGINES, IN_PROCESS, Column, Columns, arrow_table
from incrowd.api import diagnose
from strategies import Row

Build = Callable[[str, pa.Table], Any]

TABLES: dict[str, Columns] = {
    "missing cells": {
        "town": Column(pa.string(), ["Graz", None, "Graz", "", None, "Graz", "", "Graz", None, "Wien"]),
        "age": Column(pa.int64(), [40, 40, 40, 41, 40, 40, 41, 40, 41, 40]),
        "sick": Column(pa.bool_(), [True, None, True, False, None, True, False, True, None, True]),
        "weight": Column(pa.float64(), [1.5, None, 1.5, 0.0, float("nan"), 1.5, -0.0, 1.5, 2.0, 1.5]),
    },
    "texts of the world": {
        "Straße": Column(pa.string(), ["é", "e\u0301", "é", "É", "日本", "日本", "😀", "😀", "ß", "ss"]),
        "名前": Column(pa.string(), ["a", "a", "a", "A", "a", "a ", " a", "a", "a", "a"]),
        "größe, cm": Column(pa.string(), ["1", "1", "1", "1.0", "01", "1", "1", "1", "1", "1"]),
    },
    "other types": {
        "born": Column(pa.int64(), [2**53, 2**53 + 1, 2**53, 5, 5, 5, 5, 5, 2**53, 5]),
        "narrow": Column(pa.int8(), [1, 2, 1, 2, 1, 2, 1, 2, 1, 127]),
        "share": Column(pa.float64(), [0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 1.0, 1.0, 1.0, 0.3, 1e300]),
        "kind": Column(pa.dictionary(pa.int8(), pa.string()), ["x", "y", "x", "y", "x", "x", "x", "y", "x", "x"]),
    },
    "no records": {"a": Column(pa.string(), []), "b": Column(pa.int64(), [])},
}


def given_in(question: str, columns: Columns) -> Given:
    """A question about the first two columns, or about all sets."""
    given = QUESTIONS[question]
    return Given(
        k=2 if "k" in given else None,
        quasi=tuple(columns)[:2] if "quasi" in given else None,
        suppress=FIND if "find" in given else "0.3" if "share" in given else None,
    )


def plain_rows(columns: Columns) -> list[Row]:
    """The cells as Python compares them; NaN is missing."""
    cells = [[None if cell != cell else cell for cell in column.cells] for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


@pytest.mark.core
@pytest.mark.parametrize("nulls", ["extended", "basic"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_answers(build: Build, engine: str, table: str, nulls: str) -> None:
    columns = TABLES[table]
    arrow = arrow_table(columns)
    here, there = diagnose(arrow, nulls=nulls), diagnose(build(engine, arrow), nulls=nulls)
    for question in QUESTIONS:
        given = given_in(question, columns)
        answer = there.ask(**given.arguments())
        assert answer.answer == expected(plain_rows(columns), tuple(columns), given, nulls)
        assert answer.to_dict() == here.ask(**given.arguments()).to_dict()


PEOPLE: Columns = {
    "town": Column(pa.string(), ["Graz", None, "Graz", "Wien", None, "Graz", "Wien", "Graz", None, "Wien"]),
    "sick": Column(pa.string(), ["0", "1", "0", "0", "2", "1", "1", "0", "2", "0"]),
    "name": Column(pa.string(), ["ann", "bob", "ann", "eve", None, "ann", "eve", None, "bob", None]),
    "born": Column(pa.int64(), [1, 2, 1, 1, None, 2, 1, None, 2, 3]),
}
"""Records of people, told by name and year of birth; of two nothing is told."""


@pytest.mark.parametrize("nulls", ["extended", "basic"])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_answers_by_people(build: Build, engine: str, nulls: str) -> None:
    arrow, person = arrow_table(PEOPLE), ("name", "born")
    rows = [{**row, SENSITIVE: row["sick"]} for row in plain_rows(PEOPLE)]
    there = diagnose(build(engine, arrow), ["town", "sick"], nulls, person=person)
    of_values = diagnose(build(engine, arrow), ["town"], nulls, person=person)
    for question in QUESTIONS:
        asked = given_in(question, {name: PEOPLE[name] for name in ("town", "sick")})
        given = OfMeasure(K, asked.k, asked.quasi, asked.suppress)
        answer = there.ask(**given.arguments())
        assert answer.answer == by_measure(rows, ("town", "sick"), given, nulls, judging(person))
        assert answer.people == 7
        secret = OfMeasure("frequency_l", asked.k, asked.quasi and ("town",), asked.suppress)
        told = {**secret.arguments(), "sensitive": "sick"}
        assert of_values.ask(**told).answer == by_measure(rows, ("town",), secret, nulls, judging(person))


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_answers_with_wildcards(build: Build, engine: str, nulls: str) -> None:
    columns = TABLES["missing cells"]
    there = diagnose(build(engine, arrow_table(columns)), nulls=nulls)
    for question in ("Q1", "Q2", "Q3", "Q4"):
        given = given_in(question, columns)
        assert there.ask(**given.arguments()).answer == expected(plain_rows(columns), tuple(columns), given, nulls)


@pytest.mark.parametrize("engine", ENGINES)
def test_random_tables(build: Build, engine: str) -> None:
    """Spark and PostgreSQL take their time with every table, so they see fewer."""

    @settings(max_examples=effort(8, 12) if engine in IN_PROCESS else 3, deadline=None)
    @given(small_tables(), st.sampled_from(["extended", "basic"]), st.data())
    def check(table: tuple[tuple[str, ...], list[Row]], nulls: str, data: st.DataObject) -> None:
        columns, rows = table
        arrow = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in columns})
        there = diagnose(build(engine, arrow), nulls=nulls)
        for question in QUESTIONS:
            asked = data.draw(givens(question, columns))
            assert there.ask(**asked.arguments()).answer == expected(rows, columns, asked, nulls)

    check()
