"""A release about people is the same whichever engine holds the table."""

from collections import Counter
from typing import Any

import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.visits import ROLES, in_arrow, visits
from engines.publishing import cells_of
from engines.same_rows import ENGINES

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

JOB: dict[str, Any] = {
    "columns": {**ROLES, "row": {"role": "drop"}},
    "models": ["k_anonymity:k=2", "distinct_l:l=2,column=disease"],
    "suppress": {"share": 0.5, "of": "people"},
    "knows": "history",
}


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine(build: Any, engine: str) -> None:
    table = in_arrow(visits(25, 4))
    for search in ("optimal", "mondrian") if engine != "spark" else ("mondrian",):
        expected = incrowd.anonymize(table, {**JOB, "search": search})
        made = incrowd.anonymize(build(engine, table), {**JOB, "search": search})
        assert made.verdict.holds
        assert made.manifest.people is not None
        assert made.manifest.people.alike is not None
        assert made.manifest.people.alike >= 2
        # Where equal records cannot part, groups may be larger.
        if search == "optimal":
            assert made.manifest.people == expected.manifest.people
            assert _counted(made.frame) == _counted(expected.frame)


def _counted(frame: Any) -> "Counter[str]":
    """The records of a frame, in any order."""
    return Counter(map(str, zip(*(map(str, cells) for cells in cells_of(frame).values()), strict=True)))
