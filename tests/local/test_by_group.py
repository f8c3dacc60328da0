"""What groups publish: every form, whole combinations and pieces, and that cells cover what they stand for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.groups import Groups
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings import Form, RecodingMap
from incrowd.recodings.by_group import by_group
from local.tables import PLACES, SIZES, local_problem, tables


def counted(name: str, cells: list[Any]) -> FrequencySet:
    """One column, counted."""
    counting = Counting([name])
    counting.add([pa.array(cells)])
    return counting.result()


def labels(axis_of: Any, cells: list[Any], numbers: list[int], form: Form) -> list[str | None]:
    """What is published for each cell."""
    frequencies = counted("column", cells)
    axis = axis_of(frequencies.values[0])
    values = [None, *frequencies.values[0].to_pylist()]
    group = np.array([numbers[cells.index(values[code])] for code in frequencies.codes[0].tolist()], dtype=np.int32)
    recoding = by_group(Groups.of_combinations(frequencies, group), [axis], [form])
    [column] = recoding.columns
    if column is None:
        return list(cells)
    by_value = {values[code]: column.labels[of] for code, of in zip(frequencies.codes[0], column.codes, strict=True)}
    return [by_value[cell] for cell in cells]


def numbers(values: pa.Array) -> Axis | None:
    """Numbers and dates."""
    return Axis.of_numbers("column", values)


def test_ranges() -> None:
    """As intervals are written; in words where a dash is a part of a number or date."""
    assert labels(numbers, [20, 29, 7], [0, 0, 1], Form.RANGE) == ["20-29", "20-29", "7"]
    assert labels(numbers, [-3, 4, 7], [0, 0, 1], Form.RANGE) == ["-3 to 4", "-3 to 4", "7"]
    assert labels(numbers, ["0.5", "2", "9"], [0, 0, 1], Form.RANGE) == ["0.5 to 2", "0.5 to 2", "9"]
    dates = ["2024-01-31", "2024-03-01", "2025-01-01"]
    told = "2024-01-31 to 2024-03-01"
    assert labels(numbers, dates, [0, 0, 1], Form.RANGE) == [told, told, "2025-01-01"]
    assert labels(numbers, [1, None, 7, 8], [0, 0, 1, 2], Form.RANGE) == ["*", "*", "7", "8"]
    assert labels(numbers, [None, 7, 8], [0, 1, 1], Form.RANGE) == [None, "7-8", "7-8"]
    # Two texts that spell one number, and two numbers that are one float, are two values.
    assert labels(numbers, ["1", "1.0", "2"], [0, 0, 1], Form.RANGE) == ["1 to 1.0", "1 to 1.0", "2"]
    huge = [2**60, 2**60 + 1, 2**60 + 2]
    assert labels(numbers, huge, [0, 0, 1], Form.RANGE) == [f"{huge[0]}-{huge[1]}"] * 2 + [str(huge[2])]


def test_order() -> None:
    """From the lowest to the highest."""
    found = labels(
        lambda values: Axis.of_order("column", values, SIZES), ["huge", "small", "large"], [0, 1, 0], Form.RANGE
    )
    assert found == ["large..huge", "small", "large..huge"]


def test_ancestors() -> None:
    """The closest common one; a missing cell and others have the top in common."""
    tree = lambda values: Axis.of_tree(PLACES.along("column", values))  # noqa: E731
    cells = ["Bonn", "Köln", "Essen", "Ulm", "Linz", "Oslo", None]
    assert labels(tree, cells, [0, 0, 1, 2, 2, 3, 4], Form.ANCESTOR) == [
        "Rhine",
        "Rhine",
        "Essen",
        "Danube",
        "Danube",
        "Oslo",
        None,
    ]
    assert labels(tree, cells, [0, 0, 0, 1, 1, 2, 2], Form.ANCESTOR) == ["west"] * 3 + ["Danube"] * 2 + ["*"] * 2


def test_sets_or_ancestors() -> None:
    """Few values; the ancestor of more, of all that it covers, and of missing ones; values again below the top."""
    tree = lambda values: replace(Axis.of_tree(PLACES.along("column", values)), listed=2)  # noqa: E731
    cells = ["Bonn", "Köln", "Essen", "Ulm", "Linz", "Oslo", None]
    form = Form.SET_OR_ANCESTOR
    assert labels(tree, cells, [0, 0, 0, 1, 1, 2, 3], form) == ["west"] * 3 + ["Danube"] * 2 + ["Oslo", None]
    assert labels(tree, cells, [0, 1, 0, 2, 2, 1, 2], form) == [
        *("{Bonn, Essen}", "{Köln, Oslo}", "{Bonn, Essen}"),
        *("*", "*", "{Köln, Oslo}", "*"),
    ]
    assert labels(tree, cells, [0, 0, 1, 0, 1, 2, 3], form)[:3] == ["{Bonn, Köln, Ulm}"] * 2 + ["{Essen, Linz}"]


def test_what_is_published_is_what_is_lost() -> None:
    """A set costs its values, an ancestor all that it covers, both as a share of the same domain."""
    frequencies = counted("column", ["Bonn", "Essen", "Köln", "Ulm", None])
    axis = replace(Axis.of_tree(PLACES.along("column", frequencies.values[0])), listed=2)
    code = {value: at + 1 for at, value in enumerate(frequencies.values[0].to_pylist())}
    groups = [["Bonn", "Essen"], ["Bonn", "Essen", "Köln"], ["Bonn", "Essen", "Ulm"], ["Ulm", None], ["Ulm"]]
    pairs = [(code.get(value, 0), at) for at, values in enumerate(groups) for value in values]
    codes, group = (np.array(row, dtype=np.int32) for row in zip(*pairs, strict=True))
    assert axis.cells(codes, group, len(groups)).spread.tolist() == [1 / 5, 2 / 5, 2 / 5, 1.0, 0.0]


def test_equal_texts_are_one_label() -> None:
    """Different sets with missing cells publish the same, and are one class."""
    frequencies = counted("column", ["a", "b", "c", None, None])
    combination = np.sort(np.append(np.arange(4), np.flatnonzero(frequencies.codes[0] == 0)))
    missing = frequencies.codes[0][combination] == 0
    first = np.append(True, combination[1:] != combination[:-1]) & missing
    group = np.where(first | (~missing & (np.arange(5) % 2 == 0)), 0, 1).astype(np.int32)
    groups = Groups.of_pieces(frequencies, combination, np.ones(5, dtype=np.int64), group)
    [column] = by_group(groups, [Axis.of_set("column", frequencies.values[0])], [Form.SET]).columns
    assert column is not None
    assert column.labels == ("*",)


def test_sets() -> None:
    """Sorted; quoted where a value could be taken for something else; anything where some cell is missing."""
    every = lambda values: Axis.of_set("column", values)  # noqa: E731
    assert labels(every, ["b", "a", "c"], [0, 0, 1], Form.SET) == ["{a, b}", "{a, b}", "c"]
    assert labels(every, ["b, x", 'a"', " c"], [0, 0, 0], Form.SET) == ['{" c", "a\\"", "b, x"}'] * 3
    assert labels(every, ["b", None, "c"], [0, 0, 1], Form.SET) == ["*", "*", "c"]


def test_single_values() -> None:
    """Mean, the lower median, and the most frequent value, the lower of two."""
    assert labels(numbers, [1, 2, 6], [0, 0, 0], Form.MEAN) == ["3"] * 3
    assert labels(numbers, [1, 2, 5, 6], [0, 0, 1, 1], Form.MEDIAN) == ["1", "1", "5", "5"]
    assert labels(numbers, [1, 2, 5], [0, 0, 0], Form.MODE) == ["1"] * 3
    assert labels(numbers, [1, None, 5], [0, 0, 1], Form.MEAN) == ["*", "*", "5"]
    frequencies = counted("column", [1, 9, 9, 4, 4, 4])
    axis = numbers(frequencies.values[0])
    assert axis is not None
    groups = Groups.of_combinations(frequencies, np.zeros(3, dtype=np.int32))
    for form, told in ((Form.MEAN, f"{31 / 6:.10g}"), (Form.MEDIAN, "4"), (Form.MODE, "4")):
        [column] = by_group(groups, [axis], [form]).columns
        assert column is not None
        assert column.labels == (told,)


def pieces_of(recoding: RecodingMap) -> dict[tuple[Any, ...], int]:
    """How many records have each pair of original and published cells."""
    found: dict[tuple[Any, ...], int] = {}
    for at in np.flatnonzero(recoding.kept).tolist():
        row: list[Any] = []
        for column, (values, published) in enumerate(zip(recoding.combinations.values, recoding.columns, strict=True)):
            original = [None, *values.to_pylist()][recoding.codes(column)[at]]
            row += [original, original if published is None else published.labels[published.codes[at]]]
        found[tuple(row)] = found.get(tuple(row), 0) + int(recoding.counts[at])
    return found


@given(tables(), st.data())
def test_pieces(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    """Records of a combination may part; all of a group publish the same cells; suppressed ones publish none."""
    problem = local_problem(rows, KAnonymity(1))
    frequencies = problem.frequencies
    combination = np.repeat(np.arange(frequencies.combinations), frequencies.counts)
    drawn = data.draw(st.lists(st.integers(-1, 2), min_size=len(combination), max_size=len(combination)))
    used = sorted(set(drawn) - {-1})
    group = np.array([-1 if each < 0 else used.index(each) for each in drawn], dtype=np.int32)
    groups = Groups.of_pieces(frequencies, combination, np.ones(len(combination), dtype=np.int64), group)
    assert groups.counts.sum() == len(rows)
    forms = [data.draw(st.sampled_from([Form.RANGE, Form.MODE, Form.MEDIAN])), Form.ANCESTOR, Form.RANGE, Form.SET]
    recoding = by_group(groups, problem.axes, forms)
    assert recoding.records == sum(1 for each in drawn if each >= 0) == sum(pieces_of(recoding).values())
    for number in range(len(used)):
        members = np.flatnonzero(groups.group == number) if recoding.pieces else None
        if members is not None:
            for column in recoding.columns:
                assert column is None or len({column.labels[code] for code in column.codes[members]}) == 1


def test_whole_combinations_need_no_pieces() -> None:
    """Where what is sensitive parts no records, combinations are of quasi-identifiers alone: any engine can join."""
    rows = [{"age": "1", "place": "Bonn", "size": None, "mark": "x", "disease": each} for each in ("flu", "cold")]
    problem = local_problem(rows, KAnonymity(1), sensitive=["disease"])
    together = by_group(
        Groups.of_combinations(problem.frequencies, np.zeros(2, dtype=np.int32)), problem.axes, [Form.RANGE] * 4
    )
    assert together.combinations.names == ("age", "place", "size", "mark")
    apart = by_group(
        Groups.of_combinations(problem.frequencies, np.arange(2, dtype=np.int32)), problem.axes, [Form.RANGE] * 4
    )
    assert apart.combinations.names == ("age", "place", "size", "mark", "disease")
    assert apart.pieces is None


@pytest.mark.parametrize("cells", [["a", "1"], ["2024-13-01"], ["nan"], ["0x1"], ["1_000"]])
def test_no_numbers(cells: list[str]) -> None:
    """What is no number makes the column no line."""
    assert numbers(pa.array(cells)) is None
