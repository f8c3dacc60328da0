"""The job that a draft describes, where an expert says what is generalized and what is left out."""

from typing import Any

import pytest

from incrowd.jobs import Job
from incrowd.jobs.grid import point_of_job
from incrowd.web.parts.draft import Draft


@pytest.mark.parametrize(
    ("expert", "point"),
    [
        ({}, None),
        ({"generalize": "column"}, "AG_TS"),
        ({"generalize": "cell", "suppress": "none"}, "CG_"),
        ({"generalize": "none", "suppress": "cell"}, "_CS"),
        ({"generalize": "none", "suppress": "column", "search": "samarati"}, "_AS"),
    ],
)
def test_a_point_of_the_grid(expert: dict[str, Any], point: str | None) -> None:
    draft = Draft("people.csv", roles={"age": "quasi"}, expert=expert)
    assert point_of_job(Job.from_dict(draft.job())) == point


def test_a_search_that_was_chosen_stays() -> None:
    draft = Draft("people.csv", roles={"age": "quasi"}, search="mondrian", expert={"generalize": "cell"})
    assert draft.job()["search"] == "mondrian"
