"""The settings of a job about people, as a search of groups of records takes them."""

from dataclasses import replace

from incrowd.core.knowledge import Known
from incrowd.searches._people.histories import Run, clusters_of_people
from incrowd.searches.outcomes import GroupsOutcome, NothingFound
from incrowd.searches.problem import Problem
from incrowd.watch import Watch


def run_for_people(search: str, run: Run, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
    """Run a search of groups of records on a problem that says what is known of people, or who may be left out.

    If one record is known, classes with enough people are all that is asked, which the model says. No more people lose
    a record than records are lost, so a limit of people is one of records, too; and if a person must not lose only some
    records, none are left out.
    """
    assert problem.people is not None
    if problem.people.knows != Known.RECORD:
        return clusters_of_people(search, run, problem, watch)
    return run(replace(problem, people=None, budget=0 if problem.people.whole else problem.budget), watch)
