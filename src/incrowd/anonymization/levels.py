"""The levels of its hierarchy that a column may have, from the job."""

from collections.abc import Sequence

from incrowd.core.grid import Point
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role
from incrowd.errors import Fault
from incrowd.jobs import Job
from incrowd.jobs.grid import nothing_generalized, point_of_job


def needed_levels(job: Job, name: str, hierarchy: Hierarchy) -> Hierarchy:
    """Return a column's hierarchy; if nothing is generalized, the value and the top alone.

    A column with a minimum is not published below it, whatever else is asked for, so that level stays as well.
    """
    kept = kept_levels(job, name, hierarchy.height)
    return hierarchy if len(kept) > hierarchy.height else hierarchy.with_levels(kept)


def level_faults(job: Job, name: str, hierarchy: Hierarchy) -> list[Fault]:
    """Return levels that the job asks for, and that the hierarchy does not have."""
    column = job.columns[name]
    wanted = {"limit": column.limit or 0, "minimum": column.minimum}
    return [
        Fault(None, f"columns.{name}.{key}", f"it is {level}; the hierarchy has the levels 0 to {hierarchy.height}")
        for key, level in wanted.items()
        if level > hierarchy.height
    ]


def allowed_levels(job: Job, name: str, height: int) -> tuple[int, int]:
    """Return the lowest and the highest level that a column may have; the height is that of the whole hierarchy."""
    column = job.columns[name]
    limit = height if column.limit is None else column.limit
    if not nothing_generalized(job):
        return column.minimum, limit
    kept = kept_levels(job, name, height)
    lowest = kept.index(column.minimum)
    # A column that may not go all the way up cannot be removed.
    removable = limit == height and point_of_job(job) != Point.TS
    return lowest, len(kept) - 1 if removable else lowest


def kept_levels(job: Job, name: str, height: int) -> Sequence[int]:
    """Return which levels of a hierarchy of this height its ladder has."""
    if not nothing_generalized(job) or job.columns[name].role != Role.QUASI:
        return range(height + 1)
    return sorted({0, job.columns[name].minimum, height})
