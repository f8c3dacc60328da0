"""The grid as settings of a job: every combination is a point or refused, and every point has a search."""

from decimal import Decimal
from typing import Any

import pytest

from incrowd.core.grid import Generalize, Point, Suppress, point_of
from incrowd.errors import JobError
from incrowd.jobs import Job, Options, job_from_options
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.grid import point_of_job

PLAIN: dict[str, Any] = {
    "data": "people.csv",
    "columns": {"age": {"role": "quasi"}, "sex": {"role": "quasi"}},
    "models": [{"k_anonymity": {"k": 2}}],
}

LECTURE = {
    ("column", "row"): "AG_TS",
    ("column", 3): "AG_TS",
    ("column", 0.02): "AG_TS",
    ("column", "column"): "AG_",
    ("column", "cell"): "AG_CS",
    ("column", "none"): "AG_",
    ("column", 0): "AG_",
    ("cell", "row"): None,
    ("cell", 3): None,
    ("cell", 0.02): None,
    ("cell", "column"): None,
    ("cell", "cell"): "CG_",
    ("cell", "none"): "CG_",
    ("cell", 0): "CG_",
    ("none", "row"): "_TS",
    ("none", 3): "_TS",
    ("none", 0.02): "_TS",
    ("none", "column"): "_AS",
    ("none", "cell"): "_CS",
    ("none", "none"): None,
    ("none", 0): None,
}
"""The lecture's table of models; None where it says "not applicable" or "not interesting"."""


def served(point: str) -> bool:
    """Whether any search serves a point."""
    return any(Point(point) in kind.points for kind in SEARCHES.known().values())


@pytest.mark.parametrize(("generalize", "suppress"), LECTURE)
def test_every_combination_is_a_point_or_refused(generalize: str, suppress: Any) -> None:
    given = {**PLAIN, "generalize": generalize, "suppress": suppress}
    expected = LECTURE[generalize, suppress]
    if expected is None:
        with pytest.raises(JobError) as caught:
            Job.from_dict(given)
        [fault] = caught.value.faults
        assert fault.where == ("generalize" if generalize == "none" else "suppress")
        return
    job = Job.from_dict(given)
    assert point_of_job(job) == expected
    assert job.search.serves(Point(expected))
    assert "search" not in job.to_dict()


def test_the_refusals_in_words() -> None:
    def told(generalize: str, suppress: str) -> str:
        with pytest.raises(JobError) as caught:
            Job.from_dict({**PLAIN, "generalize": generalize, "suppress": suppress})
        return str(caught.value.faults[0])

    assert told("cell", "row") == (
        "suppress: records are not suppressed if cells are generalized individually; write suppress: none, or "
        "generalize: column"
    )
    assert "columns are not suppressed" in told("cell", "column")
    assert told("none", "none") == (
        "generalize: nothing is generalized or suppressed, so there is nothing to search; add suppress: row, "
        "column or cell"
    )


@pytest.mark.parametrize(("suppress", "told"), [("column", "column or none"), ("cell", "column, cell or none")])
def test_what_is_generalized_must_be_said(suppress: str, told: str) -> None:
    with pytest.raises(JobError, match=f"suppress: it does not say what is generalized; add generalize: {told}$"):
        Job.from_dict({**PLAIN, "suppress": suppress})


def test_jobs_that_say_nothing_are_as_they_were() -> None:
    job = Job.from_dict({**PLAIN, "suppress": 0.02})
    assert (job.generalize, job.suppress, job.budget(151)) == (None, Decimal("0.02"), 3)
    assert SEARCHES.spell(job.search) == "auto"
    assert "generalize" not in job.to_dict()


@pytest.mark.parametrize(
    ("search", "suppress", "expected"),
    [
        ("optimal", 0, "AG_"),
        ("samarati", 5, "AG_TS"),
        ("mondrian", 0, "CG_"),
        ("mondrian", 5, None),
        ("layered", 0, "CG_"),
        ("local_suppression", 0, "_CS"),
        ("scored", 0, "AG_"),
        ({"scored": {"partial": True}}, 0, "CG_"),
    ],
)
def test_where_a_search_is_when_nothing_is_said(search: Any, suppress: int, expected: str | None) -> None:
    assert point_of_job(Job.from_dict({**PLAIN, "search": search, "suppress": suppress})) == expected


def test_means_are_no_generalization() -> None:
    columns = {"age": {"role": "quasi", "form": "mean"}, "sex": {"role": "quasi"}}
    given = {**PLAIN, "columns": columns, "search": "mondrian"}
    assert point_of_job(Job.from_dict(given)) is None
    with pytest.raises(JobError, match=r"columns.age.form: mean does not generalize"):
        Job.from_dict({**given, "generalize": "cell"})


@pytest.mark.parametrize(
    ("suppress", "budget"), [("row", 40), ("column", 0), ("cell", 0), ("none", 0), (7, 7), (99, 40), ("0.1", 4)]
)
def test_how_many_records_may_go(suppress: Any, budget: int) -> None:
    assert Job.from_dict({**PLAIN, "generalize": "column", "suppress": suppress}).budget(40) == budget


def test_a_search_must_serve_the_point() -> None:
    with pytest.raises(JobError) as caught:
        Job.from_dict({**PLAIN, "generalize": "none", "suppress": "column", "search": "mondrian"})
    [fault] = caught.value.faults
    start = "mondrian does not support _AS (columns suppressed); those that do are "
    assert fault.where == "search"
    assert fault.what.startswith(start)
    listed = fault.what.removeprefix(start).split(", ")
    assert {"optimal", "samarati", "best_first"} <= set(listed)
    assert not {"mondrian", "layered", "anatomy", "local_suppression"} & set(listed)
    for name in listed:
        assert Point.AS in SEARCHES.known()[name].points


def test_every_search_declares_points_with_options_that_it_has() -> None:
    for name, kind in SEARCHES.known().items():
        for point, options in kind.points.items():
            assert point in tuple(Point)
            if options:
                assert SEARCHES.member({name: options}).serves(point), (name, point)
    assert all(served(point) for point in Point), "a point without a search"


def test_faults_of_both_keys_are_told_and_nothing_more() -> None:
    with pytest.raises(JobError) as caught:
        Job.from_dict({**PLAIN, "generalize": "columns", "suppress": "rows"})
    assert [fault.where for fault in caught.value.faults] == ["generalize", "suppress"]


@pytest.mark.parametrize("point", list(Point))
def test_the_same_point_in_all_forms(point: Point, tmp_path: Any) -> None:
    job = Job.from_dict({**PLAIN, "generalize": point.generalize, "suppress": point.suppress})
    for suffix, text in ((".yaml", job.to_yaml()), (".json", job.to_json()), (".xml", job.to_xml())):
        path = tmp_path / f"job{suffix}"
        path.write_text(text, encoding="utf-8")
        assert Job.from_file(path) == job
    words = f"--generalize {point.generalize}"
    assert words in job.to_command()
    given = Options(
        files=["people.csv"],
        quasi=["age=none", "sex=none"],
        model=["k_anonymity:k=2"],
        generalize=point.generalize,
        suppress=point.suppress,
    )
    assert job_from_options(given) == job
    assert f"generalize='{point.generalize}'" in job.to_script()


def test_the_points_by_their_settings() -> None:
    for point in Point:
        assert point_of(point.generalize, point.suppress) == point
        assert point.words
    assert point_of(Generalize.COLUMN, Suppress.COLUMN) == Point.AG
    assert point_of(Generalize.CELL, Suppress.CELL) == Point.CG
