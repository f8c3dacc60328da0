"""Counting people instead of records, where the job says which columns tell the person of a record."""

from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import WILDCARDS, Role
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import SEARCHES
from incrowd.models import PrivacyModel
from incrowd.models.of_people import OfPeople, records_are_people


def counted_in_people(job: Job, model: PrivacyModel) -> PrivacyModel:
    """Return the model, by people if the job names the columns of the person."""
    return OfPeople(model, job.person) if job.person else model


def as_records(job: Job, model: PrivacyModel, counted: FrequencySet) -> tuple[PrivacyModel, FrequencySet]:
    """Return the model and what was counted; by records if every record is about another person.

    Both give the same answers then, and counting records is faster. If people repeat, refuse what counts records alone.
    """
    if not isinstance(model, OfPeople):
        return model, counted
    if records_are_people(counted, model.person):
        return model.model, counted.project([name for name in counted.names if job.columns[name].role != Role.PERSON])
    if job.nulls in WILDCARDS:
        raise UsageError.invalid(
            f"nulls: {job.nulls} with a person",
            "missing values that match everything do not form classes in which people could be counted",
            "choose nulls: extended or basic",
        )
    if not job.search.counts_people:
        raise UsageError.invalid(
            f"the search {SEARCHES.name_of(job.search)} with a person",
            "people have several records, and this search counts records",
            "choose optimal or mondrian, or keep one record of each person",
        )
    return model, counted
