"""Range Diversity: the numbers of Loukides' thesis (fixtures of the digest), and what does not fit a column."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from incrowd.errors import SourceError, UsageError
from incrowd.jobs import Job
from incrowd.models import from_dict, parse
from incrowd.models._ranges_by_definition import TextRanges
from incrowd.models.range_diversity import RangeDiversity
from models.judging import COLUMN, Judged, judged

INCOME: dict[str | None, tuple[str, ...]] = {
    str(value): (
        f"[{value // 5 * 5}-{value // 5 * 5 + 4}]",
        f"[{value // 10 * 10}-{value // 10 * 10 + 9}]",
        "[0-99]",
    )
    for value in range(100)
}
"""FX-LOU-6: value, [0-4].., [0-9].., [0-99]."""

TABLE_5_3 = (["1", "4", "9", "9", "90", "90"], ["0", "22", "23", "24", "25", "26"])

NUMERIC = "range_diversity:p=0.5,column=s,ranges=0..4/5..9/80..99/10..30,domain=0..99"


def each(table: Judged, model: Any) -> list[float]:
    """The Range Diversity of every class."""
    histogram = table.classes.histograms[(COLUMN,)]
    return [float(found) for found in model.contributions(histogram.domain).range_diversity(histogram)]


def exactly(table: Judged, model: Any) -> list[Fraction]:
    """The same by definition."""
    ranges = TextRanges(model, table.reference)
    return [ranges.range_diversity(counts) for counts in table.counts]


def test_fx_lou_6_pairwise_contributions() -> None:
    table = judged(*TABLE_5_3, paths=INCOME)
    numeric = TextRanges(parse(NUMERIC), table.reference)  # type: ignore[arg-type]
    assert numeric.contribution("1", "4") == 1 - Fraction(3, 99)
    assert numeric.contribution("1", "90") == 1 - Fraction(89, 99)
    by_leaves = TextRanges(parse("range_diversity:p=0.5,column=s,level=1"), table.reference)  # type: ignore[arg-type]
    assert by_leaves.contribution("1", "4") == 1 - Fraction(4, 99)
    assert numeric.disclosure_confidence("22", table.counts[1]) == Fraction(485, 594)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NUMERIC, [Fraction(197, 594), Fraction(1267, 1782)]),
        ("range_diversity:p=0.5,column=s,level=1", [Fraction(295, 891), Fraction(677, 1782)]),
    ],
)
def test_fx_lou_6_range_diversity(text: str, expected: list[Fraction]) -> None:
    table, model = judged(*TABLE_5_3, paths=INCOME), parse(text)
    assert exactly(table, model) == expected
    assert each(table, model) == pytest.approx([float(value) for value in expected], abs=1e-12)
    assert model.strength(table.classes) == pytest.approx(float(max(expected)))
    assert table.holds(model) == table.textbook(model) == [value <= Fraction(1, 2) for value in expected]


@pytest.mark.parametrize("text", [NUMERIC, "range_diversity:p=0.5,column=s,level=1", "range_diversity:p=0.5,column=s"])
def test_fx_lou_6_a_class_of_one_value_has_1(text: str) -> None:
    table = judged(["9"] * 5, ["22"], paths=INCOME)
    assert exactly(table, parse(text)) == [1, 1]
    assert each(table, parse(text)) == [1, 1]


POLICIES: dict[str, list[list[int]]] = {
    "P1": [],
    "P2": [[10, 15]],
    "P3": [[10, 15], [16, 17]],
    "P4": [[0, 9], [16, 19]],
    "P5": [[0, 9], [10, 15], [16, 19]],
}


def test_fx_lou_9_policies_ask_for_more_and_more() -> None:
    """Table 6.2: every policy protects more than the one before, so the same class has a larger Range Diversity."""
    table = judged(map(str, range(20)), [str(value) for value in range(20) for _ in range(1 + value % 3)])
    found = []
    for ranges in POLICIES.values():
        model = from_dict({"range_diversity": {"p": 0.5, "column": "s", "ranges": ranges, "domain": [0, 19]}})
        assert each(table, model) == pytest.approx([float(value) for value in exactly(table, model)], abs=1e-12)
        # The same policy value by value.
        rows = [[str(value), *span] for span in ranges for value in range(span[0], span[1] + 1)]
        listed = from_dict({"range_diversity": {"p": 0.5, "column": "s", "policy": rows, "domain": [0, 19]}})
        assert exactly(table, listed) == exactly(table, model)
        assert each(table, listed) == pytest.approx(each(table, model), abs=1e-12)
        found.append(exactly(table, model))
    assert found[0][0] == Fraction(1, 20)
    for one, other in pairwise(found):
        assert all(less < more for less, more in zip(one, other, strict=True))


def test_labels_levels_and_policies_say_the_same() -> None:
    table = judged(*TABLE_5_3, ["7", "8", "50"], paths=INCOME)
    labels = dict.fromkeys(labels[0] for value, labels in INCOME.items() if value in table.whole)
    by_level = parse("range_diversity:p=0.5,column=s,level=1")
    by_label = RangeDiversity(0.5, column=COLUMN, ranges=tuple(labels))
    by_value = RangeDiversity(0.5, column=COLUMN, policy=tuple((str(v), INCOME[v][0]) for v in table.whole))
    assert exactly(table, by_level) == exactly(table, by_label) == exactly(table, by_value)
    for model in (by_label, by_value):
        assert each(table, model) == pytest.approx(each(table, by_level), abs=1e-12)
    assert by_level.monotone.merging
    assert by_label.monotone.merging
    assert not by_value.monotone.merging


def test_dates_are_numbers() -> None:
    table = judged(["1950-01-01", "1955-01-01", "1990-01-01"])
    model = parse("range_diversity:p=0.5,column=s,ranges=1950-01-01..1959-12-31")
    near = 1 - Fraction(1826, 14610)
    assert exactly(table, model) == [(3 + 2 * near) / 9]
    assert each(table, model) == pytest.approx([float((3 + 2 * near) / 9)], abs=1e-12)


def test_a_missing_value_is_a_range_of_its_own() -> None:
    table = judged([None, None, "3", "4"], [None], elsewhere=["100"])
    model = parse("range_diversity:p=0.5,column=s,ranges=0..100")
    near = 1 - Fraction(1, 97)
    assert exactly(table, model) == [(4 + 2 + 2 * near) / 16, 1]
    assert each(table, model) == pytest.approx([float((6 + 2 * near) / 16), 1], abs=1e-12)


def test_huge_numbers_keep_their_differences() -> None:
    table = judged([str(2**70), str(2**70 + 1), str(2**70 + 4)])
    model = parse(f"range_diversity:p=0.5,column=s,ranges={2**70}..{2**70 + 1}")
    assert exactly(table, model) == [(3 + 2 * Fraction(3, 4)) / 9]
    assert each(table, model) == pytest.approx([0.5], abs=1e-12)


def test_many_pairs_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = judged(map(str, range(20)), [], map(str, range(5)), ["3"])
    model = RangeDiversity(0.5, column=COLUMN, policy=tuple((str(v), max(0, v - 2), v + 3) for v in range(20)))
    wanted = [float(value) for value in exactly(table, model)]
    for at_a_time in (1, 30, 1 << 20):
        monkeypatch.setattr("incrowd.models.contributions.PAIRS_AT_A_TIME", at_a_time)
        assert each(table, model) == pytest.approx(wanted, abs=1e-12)


def test_contributions_pair_by_pair() -> None:
    """What searches add up is what classes are judged by."""
    table = judged(*TABLE_5_3, paths=INCOME)
    for text in (NUMERIC, "range_diversity:p=0.5,column=s,level=2", "range_diversity:p=0.5,column=s,policy=1=0..9"):
        model: Any = parse(text)
        histogram = table.classes.histograms[(COLUMN,)]
        contributions = model.contributions(histogram.domain)
        for at, counts in enumerate(table.counts):
            mine = histogram.of_classes(np.array([at]))
            pairs = contributions.between(
                np.repeat(mine.values, len(mine.values)), np.tile(mine.values, len(mine.values))
            )
            weights = np.outer(mine.counts, mine.counts).ravel() / counts.total() ** 2
            assert pairs @ weights == pytest.approx(each(table, model)[at], abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ranges=0..4", "intervals and differences need numbers or dates (year-month-day), and not all of its values"),
        ("level=1,distance=numeric", "intervals and differences need numbers or dates"),
        ("level=7", "level of range_diversity on column 's': its hierarchy ends at 2; lower it"),
        ("ranges=nothing", "its hierarchy lacks a label; check the spelling"),
        ("ranges=low/all", "some labels lie below others; give a policy"),
        ("policy=x=high", "policy of range_diversity on column 's': a range does not contain its own value; widen it"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, message: str) -> None:
    table = judged("xyz", paths={"x": ("low", "all"), "y": ("low", "all"), "z": ("high", "all")})
    with pytest.raises(UsageError) as refused:
        table.holds(parse(f"range_diversity:p=0.5,column=s,{text}"))
    assert message in str(refused.value)


def test_numbers_outside_their_domain_are_refused() -> None:
    table = judged(["1", "20"])
    model = parse("range_diversity:p=0.5,column=s,ranges=0..30,domain=0..19")
    for judge in (table.holds, table.textbook):
        with pytest.raises(UsageError, match="some values lie outside"):
            judge(model)


def test_a_hierarchy_must_be_there() -> None:
    classes = judged(["3"]).classes
    histogram = classes.histograms[(COLUMN,)]
    object.__setattr__(histogram.domain, "ladder", None)
    with pytest.raises(UsageError, match="need a hierarchy, and it has none; give it one"):
        parse("range_diversity:p=0.5,column=s,level=1").holds(classes)


def test_what_it_compares_with() -> None:
    assert not parse("range_diversity:p=0.5,column=s").needs_reference
    assert not parse(NUMERIC).needs_reference
    assert parse("range_diversity:p=0.5,column=s,ranges=0..4").needs_reference
    assert parse("range_diversity:p=0.5,column=s,level=1").needs_reference
    assert "at most 0.5 (Range Diversity, numeric distance)" in parse(NUMERIC).promise()


def test_the_file_of_a_policy_is_found_beside_the_job(tmp_path: Path) -> None:
    (tmp_path / "policy.csv").write_text("5,0,9\n", encoding="utf-8")
    columns = {"age": {"role": "quasi"}, "income": {"role": "sensitive"}}
    for model in (
        {"range_diversity": {"p": 0.5, "column": "income", "policy": "policy.csv"}},
        "range_diversity:p=0.5,column=income,policy=policy.csv",
    ):
        plain = {"columns": columns, "models": [model]}
        assert Job.from_dict(plain, tmp_path).to_dict()["models"][0]["range_diversity"]["policy"] == [["5", 0, 9]]
        with pytest.raises(SourceError, match="cannot be read"):
            Job.from_dict(plain)


def test_a_value_and_a_missing_one_share_only_the_top() -> None:
    """Also where the hierarchy has one value: its top covers the whole domain."""
    model: Any = parse("range_diversity:p=0.5,column=s,level=1")
    table = judged(["x", "x", None, None], paths={"x": ("*",)})
    assert TextRanges(model, table.reference).contribution("x", None) == 0
    assert exactly(table, model) == each(table, model) == [Fraction(1, 2)]
