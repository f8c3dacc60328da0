"""Which levels of its hierarchy a column may have: as the job says of the column, and of what is generalised at all."""

from incrowd.core.grid import Generalize, Point
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role
from incrowd.errors import Fault
from incrowd.jobs import Job
from incrowd.jobs.grid import point_of_job


def needed_levels(job: Job, name: str, hierarchy: Hierarchy) -> Hierarchy:
    """A column's hierarchy; where nothing is generalised, the value and the top alone.

    A column with a minimum is not published below it, whatever else is asked for, so that level stays as well.
    """
    if job.generalize != Generalize.NONE or job.columns[name].role != Role.QUASI:
        return hierarchy
    return hierarchy.with_levels(_kept(job, name, hierarchy.height))


def level_faults(job: Job, name: str, hierarchy: Hierarchy) -> list[Fault]:
    """Levels that the job asks for, and that the hierarchy does not have."""
    column = job.columns[name]
    wanted = {"limit": column.limit or 0, "minimum": column.minimum}
    return [
        Fault(None, f"columns.{name}.{key}", f"it is {level}; the hierarchy has the levels 0 to {hierarchy.height}")
        for key, level in wanted.items()
        if level > hierarchy.height
    ]


def allowed_levels(job: Job, name: str, height: int) -> tuple[int, int]:
    """The lowest and the highest level that a column may have; the height is that of the whole hierarchy."""
    column = job.columns[name]
    limit = height if column.limit is None else column.limit
    if job.generalize != Generalize.NONE:
        return column.minimum, limit
    kept = _kept(job, name, height)
    lowest = kept.index(column.minimum)
    # A column that may not go all the way up cannot be removed.
    removable = limit == height and point_of_job(job) != Point.TS
    return lowest, len(kept) - 1 if removable else lowest


def _kept(job: Job, name: str, height: int) -> list[int]:
    return sorted({0, job.columns[name].minimum, height})
