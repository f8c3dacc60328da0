"""The points of the grid on the table of Samarati's lecture, beside the tables that it prints (FX-SAM-4)."""

from typing import Any

import pytest

import incrowd
from anonymization.lecture import JOB, PRINTED, QUASI, Cells, covers, is_anonymous, loss, table
from incrowd.anonymization import AnonymizationResult
from incrowd.core.grid import Point
from incrowd.errors import Infeasible


def made_at(generalize: str, suppress: Any, **settings: Any) -> AnonymizationResult:
    """The release of a point."""
    return incrowd.anonymize(table(), {**JOB, "generalize": generalize, "suppress": suppress, **settings})


def published(made: AnonymizationResult) -> list[Cells]:
    """Its rows."""
    return list(zip(*made.frame.select(list(QUASI)).to_pydict().values(), strict=True))


@pytest.mark.parametrize("point", list(Point))
def test_the_printed_tables_are_releases(point: Point) -> None:
    """Of nine rows, 2-anonymous, and every cell covers what it was."""
    originals = list(zip(*table().to_pydict().values(), strict=True))
    rows = PRINTED[point]
    assert len(rows) == len(originals)
    assert is_anonymous(rows)
    for row, original in zip(rows, originals, strict=True):
        assert row is None or all(map(covers, row, original))


@pytest.mark.parametrize("point", list(Point))
def test_no_printed_table_loses_less(point: Point) -> None:
    made = made_at(point.generalize, point.suppress)
    rows = published(made)
    assert is_anonymous(list(rows))
    assert made.manifest.grid == point
    assert made.figures.scores["loss"] <= loss(PRINTED[point]) + 1e-9
    if point.suppress != "row":
        assert len(rows) == 9
        assert made.figures.scores["loss"] == pytest.approx(loss(list(rows)))


@pytest.mark.parametrize(
    ("generalize", "suppress", "point"),
    [
        ("column", "row", "AG_TS"),
        ("column", 1, "AG_TS"),
        ("column", "none", "AG_"),
        ("column", "column", "AG_"),
        ("none", "column", "_AS"),
    ],
)
def test_where_the_printed_table_is_the_best_one(generalize: str, suppress: Any, point: str) -> None:
    """By AG_TS the second record is left out; by _AS, DOB and ZIP are removed."""
    assert published(made_at(generalize, suppress)) == [row for row in PRINTED[point] if row is not None]


@pytest.mark.parametrize("suppress", ["cell", "none"])
def test_single_cells_generalized_as_printed(suppress: str) -> None:
    assert published(made_at("cell", suppress)) == PRINTED["CG_"]


def test_single_cells_wiped() -> None:
    """The lecture wipes 14."""
    assert sum(row.count("*") for row in PRINTED["_CS"] if row) == 14
    made = made_at("none", "cell")
    assert sum(row.count("*") for row in published(made)) <= 12
    assert made.details["wiped"] <= 12


def test_rows_alone_are_all_lost() -> None:
    """Reported as empty, whoever asks."""
    made = made_at("none", "row")
    assert published(made) == []
    assert str(made).startswith("Nothing is published: every record would be suppressed.")
    assert "Point _TS of the grid: records suppressed." in str(made)
    assert "the release has no records" in made.verdict.warnings[0]
    assert (made.manifest.suppressed, made.manifest.suppress_limit, made.manifest.data.records) == (9, 9, 0)


def test_rows_alone_within_a_limit_are_too_many() -> None:
    with pytest.raises(Infeasible, match=r"3 records may be suppressed.*would suppress 9 of 9"):
        made_at("none", 3)


def test_levels_of_a_job_that_generalizes_nothing() -> None:
    """Each column has the value and the top, whatever its hierarchy."""
    made = made_at("none", "column")
    assert {column.name: (column.level, column.height) for column in made.record.quasi} == {
        "Race": (0, 1), "DOB": (1, 1), "Sex": (0, 1), "ZIP": (1, 1)
    }  # fmt: skip
