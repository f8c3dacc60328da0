"""Settings about people beyond enough of them in a class: the knowledge of a person, and who is suppressed."""

from dataclasses import replace

from incrowd.core.knowledge import Known
from incrowd.core.people import TableOfPeople
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.suppression import spell_suppression
from incrowd.models import PrivacyModel
from incrowd.models.of_people import OfPeople
from incrowd.searches import LinkedTable, People, Problem


def judged_for(job: Job, problem: Problem, model: PrivacyModel) -> Problem:
    """Return the problem with a model and the limits of a job, and with what the job says of people if they repeat.

    The model counts people if the problem was prepared for that.
    """
    if not isinstance(problem.model, OfPeople):
        return replace(problem, model=model, budget=job.budget(problem.frequencies.records))
    refuse_uncounted(job)
    person = problem.model.person
    problem = replace(problem, model=model if isinstance(model, OfPeople) else OfPeople(model, person))
    if not judges_people(job):
        return replace(problem, budget=job.budget(problem.frequencies.records), people=None)
    people = TableOfPeople.of(problem.frequencies, person)
    table = LinkedTable(people, problem.ladders, problem.priorities)
    existing = people.people if job.counts_lost_people else people.records
    of_people = People((table,), job.knows, job.takes_whole_people, job.counts_lost_people)
    return replace(problem, budget=job.budget(existing), people=of_people)


def judges_people(job: Job) -> bool:
    """Return whether the job asks for more than classes with enough people in them."""
    return job.takes_whole_people or job.counts_lost_people


def refuse_uncounted(job: Job) -> None:
    """Refuse what cannot count people who have several records, or cannot leave them out."""
    name = SEARCHES.name_of(job.search)
    if job.nulls in WILDCARDS:
        raise UsageError.invalid(
            f"nulls: {job.nulls} with a person",
            "missing values that match everything do not form classes in which people could be counted",
            "choose nulls: extended or basic",
        )
    if not job.search.counts_people:
        raise UsageError.invalid(
            f"the search {name} with a person",
            "people have several records, and this search counts records",
            "choose optimal or mondrian, or keep one record of each person",
        )
    if not judges_people(job):
        return
    if not job.search.leaves_out_people:
        raise UsageError.invalid(
            f"the search {name} with {_asked(job)}",
            "people have several records, and this search judges and suppresses classes of records",
            "choose optimal or mondrian, or keep one record of each person",
        )
    if job.nulls == Nulls.BASIC:
        raise UsageError.invalid(
            f"nulls: basic with {_asked(job)}",
            "records with a missing quasi-identifier are set aside without regard to the person",
            "choose nulls: extended",
        )
    if any(model.needs_population for model in job.models):
        raise UsageError.invalid(
            f"a model that compares with the population with {_asked(job)}",
            "of the people of the population one record is known, not several",
            "choose another model, or knows: record with suppression of records",
        )


def _asked(job: Job) -> str:
    """Return what the job says of people, as it is written."""
    if job.knows != Known.RECORD:
        return f"knows: {job.knows}"
    return f"suppress: {spell_suppression(job.suppress)}"
