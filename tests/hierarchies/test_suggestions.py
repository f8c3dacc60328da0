"""What builders suggest for counted columns, each judge alone, and which suggestion wins."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree
from incrowd.api import read
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import plain, text_forms
from incrowd.engines.source import count
from incrowd.families import BUILDERS
from incrowd.hierarchies import build
from incrowd.hierarchies.automatic import propose_each
from incrowd.proposing.facts import Column
from incrowd.watch import Watch


def column(name: str, held: Mapping[Any, int]) -> Column:
    """A column whose values are held by so many records."""
    return Column(name, pa.array([*held]), np.array([*held.values()], dtype=np.int64), sum(held.values()))


def each(name: str, values: Sequence[Any], records: int = 10) -> Column:
    return column(name, dict.fromkeys(values, records))


SUGGESTED: dict[str, tuple[str, Column, dict[str, Any] | None]] = {
    "ages": ("intervals", each("age", range(17, 100)), {"widths": [5, 10, 20], "top": 90}),
    "young": ("intervals", each("alter", range(20, 60)), {"widths": [5, 10, 20]}),
    "ages of another name": ("intervals", each("score", range(17, 100)), {"widths": [5, 20]}),
    "counts": (
        "intervals",
        column("children", {0: 500, 1: 200, 2: 180, 3: 40, 4: 9, 5: 1}),
        {"cuts": [[1, 2], [1]], "bottom": 0},
    ),
    "three": ("intervals", column("x", {4: 10, 5: 90, 6: 20}), {"cuts": [[6]]}),
    "nearly all of one number": (
        "intervals",
        column("visits", {0: 9990, **dict.fromkeys(range(1, 31), 1)}),
        {"widths": [2, 10]},
    ),
    "two": ("intervals", each("x", [1, 2]), None),
    "texts among numbers": (
        "intervals",
        each("x", [*map(str, range(100)), "."]),
        {"widths": [5, 20], "other": "other"},
    ),
    "decimal commas": ("intervals", each("x", ["1,5", "2,5", "3,5"]), {"cuts": [[2.5]], "decimal": ","}),
    "mostly texts": ("intervals", each("x", ["1", "2", "3", "a", "b", "c", "d"]), None),
    "a few years": (
        "dates",
        each("x", ["2020-01-05", "2020-01-06", "2020-02-01", "2021-05-05"]),
        {"levels": ["month", "quarter"]},
    ),
    "times of day": (
        "dates",
        each("x", ["7/31/20 15:03", "7/31/20 15:04", "8/6/20 17:35"]),
        {"levels": ["day"], "format": "%m/%d/%y %H:%M"},
    ),
    "day or month first": (
        "dates",
        each("x", ["01/02/1999", "01/03/1999", "02/03/2001"]),
        {"levels": ["year"], "format": "%d/%m/%Y"},
    ),
    "words of a scale": (
        "scale",
        column("x", {"high": 10, "Low": 50, "medium": 40, "don't know": 9}),
        {"order": ["Low", "medium", "high"], "sizes": [[1, 2]]},
    ),
    "in German": (
        "scale",
        each("x", ["nie", "selten", "oft", "immer"]),
        {"order": ["nie", "selten", "oft", "immer"], "sizes": [[2, 2]]},
    ),
    "numbered": (
        "scale",
        each("x", ["1. never", "2. often", "3. always"]),
        {"order": ["1. never", "2. often", "3. always"], "sizes": [[1, 2]]},
    ),
    "stages": (
        "scale",
        each("x", ["Stage III", "Stage I", "Stage II"]),
        {"order": ["Stage I", "Stage II", "Stage III"], "sizes": [[1, 2]]},
    ),
    "brackets": (
        "scale",
        each("x", ["65+", "18-24", "25-64", "<18", "unknown"]),
        {"order": ["<18", "18-24", "25-64", "65+"], "sizes": [[2, 2]]},
    ),
    "amounts": (
        "scale",
        each("x", ["10,000 to 20,000", "under 10,000", "over 20,000"]),
        {"order": ["under 10,000", "10,000 to 20,000", "over 20,000"], "sizes": [[1, 2]]},
    ),
    "no scale": ("scale", each("x", ["low", "high", "green"]), None),
    "numbers are no scale": ("scale", each("x", ["1", "2", "3", "."]), None),
    "latitude": ("grid", each("lat", [48.201, 48.202, 48.31, 48.36, 49.5]), {"sizes": [0.01, 0.1, 1]}),
    "meters": ("grid", each("easting", [500_010, 500_020, 600_000]), {"sizes": [100]}),
    "pairs": ("grid", each("x", ["48.201, 16.301", "48.202, 16.302", "49.5, 16.4"]), {"sizes": [0.01]}),
    "illnesses": ("icd10", each("x", ["A15.1", "A15.2", "A16", "E11.9", "zz"], 3), None),
    "illnesses alone": ("icd10", each("x", ["A15.1", "A15.2", "A16", "E11.9"]), {"levels": ["category", "block"]}),
    "drugs": (
        "atc",
        each("x", ["A10BA02", "A10BA03", "A10BB01", "A10AB01", "A11GA01", "C01AA05"]),
        {"levels": ["chemical", "pharmacological", "therapeutic", "anatomical"]},
    ),
    "occupations": ("isco", each("occupation", [2511, 2512, 2521, 9111]), {"levels": ["minor", "submajor"]}),
    "numbers of four digits": ("isco", each("x", [2511, 2512, 2521, 9111]), None),
    "activities": ("nace", each("nace", ["62.01", "62.02", "63.11", "01.11"]), {"levels": ["group", "section"]}),
    "regions": (
        "nuts",
        each("x", ["AT130", "AT121", "AT122", "AT334", "DE212"]),
        {"levels": ["nuts2", "nuts1", "country"]},
    ),
    "countries": (
        "countries",
        each("x", ["Austria", "Italy", "Chile", "nowhere"]),
        {"levels": ["region"], "other": "other"},
    ),
    "codes of states": ("countries", each("state", ["CA", "AL", "DE", "IN", "GA", "AR"]), None),
    "beginnings": ("prefix", each("x", ["ab1", "ab2", "ac3", "ad4", "b"], 1), {"keep": [1]}),
}


@pytest.mark.parametrize("case", SUGGESTED)
def test_what_a_builder_suggests(case: str) -> None:
    builder, held, options = SUGGESTED[case]
    found = BUILDERS.module(builder).suggest(held)
    assert (None if found is None else found.options) == options
    if found is not None:
        texts = [text_forms(value)[0] for value in plain(held.values)]
        assert_covers(build({builder: found.options}, held.values, "x").rows, texts)
        assert [text for text in texts if len(text) > 1 and text in found.reason] == []


def assert_covers(rows: Sequence[Sequence[str]], texts: Sequence[str]) -> None:
    assert set(texts) <= {row[0] for row in rows}
    assert len(rows[0]) > 2


def counted(columns: Mapping[str, Sequence[Any]]) -> FrequencySet:
    return count(read(pa.table(columns)), [*columns], Watch())


def proposed(columns: Mapping[str, Sequence[Any]], name: str) -> tuple[str, Any]:
    """The builder proposed for a column, and its options."""
    spec = propose_each(counted(columns), [name])[name].spec
    assert spec is not None
    ((builder, options),) = spec.items()
    return builder, options


TOWNS = ["Graz", "Linz", "Wels", "Enns"]


def test_what_resembles_each_other_is_together() -> None:
    """Graz and Wels have the same incomes, Linz and Enns others; noise tells nothing."""
    towns = TOWNS * 40
    incomes = [("low" if town in ("Graz", "Wels") else "high") for town in towns]
    noise = [at // 4 % 2 for at in range(len(towns))]
    builder, options = proposed({"town": towns, "income": incomes, "noise": noise}, "town")
    assert builder == "tree"
    assert options["groups"] == [{"Enns, Linz": ["Enns", "Linz"]}, {"Graz, Wels": ["Graz", "Wels"]}]


def test_rare_values_are_other_and_no_label_names_them() -> None:
    towns = [*TOWNS * 10, "Secret", "Hidden"]
    builder, options = proposed({"town": towns, "x": [len(town) % 2 for town in towns]}, "town")
    assert (builder, options["other"]) == ("tree", "other")
    assert "Secret" not in str(options)
    assert "Hidden" not in str(options)
    rows = {row[0]: row for row in build({builder: options}, pa.array(sorted(set(towns))), "town").rows}
    assert rows["Secret"][1:] == rows["Hidden"][1:] == rows["other"][1:]


def test_the_label_of_the_rare_is_none_of_the_values() -> None:
    towns = [*TOWNS * 10, *["Other"] * 9, "Secret", "all others"]
    _, options = proposed({"town": towns, "x": towns[::-1]}, "town")
    assert options["other"] == "any other value"


def test_a_few_rare_values_are_in_groups_without_names() -> None:
    builder, options = proposed({"town": ["red", "blue", "green"], "x": [1, 2, 2]}, "town")
    assert builder == "tree"
    assert [label for group in options["groups"] for label in group] == ["group 1", "group 2"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["f", "m"] * 9, "two values: between them and the top there is nothing"),
        (["f"] * 9, "one value: there is nothing to join"),
    ],
)
def test_two_values_have_no_level(values: list[str], reason: str) -> None:
    found = propose_each(counted({"sex": values, "x": [*range(len(values))]}), ["sex"])["sex"]
    assert (found.spec, found.reason) == (None, reason)


@given(st.data())
def test_every_column_of_three_values_gets_a_level(data: st.DataObject) -> None:
    """Whatever the values: a true tree over them all with a level between, and in any order of the records the same."""
    kinds = st.sampled_from(["text", "number", "mixed"])
    words = {"text": st.text("abc, 1.", min_size=1, max_size=3), "number": st.integers(-9, 99).map(str)}
    kind = data.draw(kinds)
    cells = words.get(kind, words["text"] | words["number"])
    values = data.draw(st.lists(cells, min_size=3, max_size=8, unique=True))
    rows = data.draw(st.lists(st.tuples(st.sampled_from(values), st.integers(0, 2)), max_size=40))
    rows = [*((value, 0) for value in values), *rows]
    orders = [
        propose_each(counted({"x": [x for x, _ in of], "y": [y for _, y in of]}), ["x"])["x"]
        for of in (rows, rows[::-1])
    ]
    assert orders[0] == orders[1]
    spec = orders[0].spec
    if spec is None:
        assert kind != "text" or len({value.strip() for value in values}) < 3
        return
    hierarchy = build(spec, pa.array(values), "x")
    assert set(values) <= {row[0] for row in hierarchy.rows}
    if "other" not in str(spec):
        assert_true_tree(hierarchy, values)
    below = {row[0]: row[1:] for row in hierarchy.rows}
    assert any(len({below[value][level] for value in values}) > 1 for level in range(hierarchy.height - 1))
