"""What a job says of people: how much is known of them, and how suppression counts them."""

from decimal import Decimal
from typing import Any

import pytest

from incrowd.core.grid import Limit, Suppress, Unit
from incrowd.core.knowledge import Known
from incrowd.errors import JobError
from incrowd.jobs import Job
from incrowd.jobs.suppression import in_words, with_amount

PLAIN: dict[str, Any] = {
    "data": "visits.csv",
    "columns": {"age": "quasi", "patient": "person"},
    "models": [{"k_anonymity": {"k": 5}}],
}
FORMS = ["to_yaml", "to_json", "to_xml"]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"share": 0.02, "of": "people", "whole": True}, Limit(Decimal("0.02"), Unit.PEOPLE, whole=True)),
        ({"number": 100, "of": "people"}, Limit(100, Unit.PEOPLE)),
        ({"share": "0.5", "whole": True}, Limit(Decimal("0.5"), whole=True)),
        ("0.02:of=people,whole=true", Limit(Decimal("0.02"), Unit.PEOPLE, whole=True)),
        ("100: of=people", Limit(100, Unit.PEOPLE)),
        ({"share": 0, "of": "people"}, Limit(0, Unit.PEOPLE)),
        # What counts records and may part people is a share or a number, as ever.
        ({"share": 0.02}, Decimal("0.02")),
        ({"number": 3, "of": "records", "whole": False}, 3),
        ("row", Suppress.ROW),
        ("1 person", Limit(1, Unit.PEOPLE)),
        ("3 people:whole=true", Limit(3, Unit.PEOPLE, whole=True)),
        ({"share": 1, "of": "people"}, Limit(Decimal(1), Unit.PEOPLE)),
        ({"share": "100%"}, Decimal(1)),
    ],
)
def test_limits(given: Any, found: Any) -> None:
    job = Job.from_dict({**PLAIN, "suppress": given})
    assert job.suppress == found
    for form in FORMS:
        assert Job.from_text(getattr(job, form)()).suppress == found


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"of": "people"}, "it needs either share"),
        ({"share": 0.1, "number": 2}, "it needs either share"),
        ({"share": 2}, "share must be from 0 to 1"),
        ({"share": "2 records"}, "share must be from 0 to 1"),
        ({"number": 0.5}, "share must be from 0 to 1"),
        ({"number": 1.0}, "share must be from 0 to 1"),
        ({"share": 0.1, "of": "persons"}, "of must be records or people"),
        ({"share": 0.1, "whole": "yes"}, "whole must be true or false"),
        ({"share": 0.1, "each": 1}, "it has no option 'each'"),
        ("row:whole=true", "of and whole belong to a share or a number"),
        ("0.1:of", "'of' has no ="),
    ],
)
def test_faulty_limits(given: Any, told: str) -> None:
    with pytest.raises(JobError, match=f"suppress: {told}"):
        Job.from_dict({**PLAIN, "suppress": given})


@pytest.mark.parametrize(("given", "found"), [("history", Known.HISTORY), (3, 3), ("3", 3), (1, Known.RECORD)])
def test_knowledge(given: Any, found: Any) -> None:
    job = Job.from_dict({**PLAIN, "knows": given})
    assert job.knows == found
    assert job.takes_whole_people == (found != Known.RECORD)
    for form in FORMS:
        assert Job.from_text(getattr(job, form)()).knows == found


@pytest.mark.parametrize("given", [0, -1, 1.5, True, "all", None])
def test_faulty_knowledge(given: Any) -> None:
    with pytest.raises(JobError, match="knows: it must be record"):
        Job.from_dict({**PLAIN, "knows": given})


def test_without_a_person_nothing_is_said_of_people() -> None:
    """Both faults at once, each at its key."""
    given = {**PLAIN, "columns": {"age": "quasi"}, "knows": 2, "suppress": {"share": 0.1, "whole": True}}
    with pytest.raises(JobError) as caught:
        Job.from_dict(given)
    assert [(fault.where, fault.what) for fault in caught.value.faults] == [
        (where, "no column tells the person of a record; give one the role person") for where in ("knows", "suppress")
    ]


def test_the_command_line() -> None:
    job = Job.from_dict({**PLAIN, "knows": "history", "suppress": {"share": 0.02, "of": "people", "whole": True}})
    assert job.to_command() == (
        "incrowd anonymize visits.csv -q age=none --person patient -m k_anonymity:k=5 --knows history "
        "--suppress 0.02:of=people,whole=true"
    )


def test_a_budget_of_people() -> None:
    job = Job.from_dict({**PLAIN, "suppress": {"share": 0.1, "of": "people"}})
    assert (job.budget(59), job.counts_lost_people, job.takes_whole_people) == (5, True, False)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (0, "0.0%"),
        (0.02, "2.0%"),
        (100, "100 records"),
        ("row", "row"),
        ({"share": 0.05, "of": "people"}, "5.0% of the people"),
        ({"number": 1, "of": "people", "whole": True}, "1 person, with all their records"),
        ({"share": 0.05, "whole": True}, "5.0%, with all their records"),
    ],
)
def test_a_limit_in_words(given: Any, words: str) -> None:
    """Pages list jobs with any limit."""
    assert in_words(given) == words


def test_another_amount_counts_what_the_limit_counts() -> None:
    """A release that is tried with another share is created with that of the same people."""
    limit = {"share": 0.05, "of": "people", "whole": True}
    assert with_amount(limit, 0.1) == {"share": 0.1, "of": "people", "whole": True}
    assert with_amount(limit, 30) == {"number": 30, "of": "people", "whole": True}
    assert with_amount(limit, "row") == "row"
    assert with_amount(0.05, 0.1) == 0.1
