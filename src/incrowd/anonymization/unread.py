"""Values of a job's columns that seem to mean something else than they are read as."""

from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Normalize, Role
from incrowd.jobs import Job
from incrowd.noticing import Notice, notices
from incrowd.noticing.wording import sentence
from incrowd.proposing.facts import Table

_MOST = 10_000
"""Distinct values that are looked at; a column with more is looked at by `inspect`."""


def unread(job: Job, counted: FrequencySet) -> tuple[str, ...]:
    """Return a note for each column whose values a job could read otherwise, if that is more than a guess."""
    names = [name for name in counted.names if name in job.columns]
    found = []
    for column in Table.of(counted).columns:
        if column.name not in names or job.columns[column.name].role not in (Role.QUASI, Role.SENSITIVE):
            continue
        if column.distinct <= _MOST:
            found += [each for each in notices(column, job.columns[column.name].steps, names) if _matters(each)]
    return tuple(
        f"{notice.column}: {sentence(notice)}; to change it, give the column {_keys(notice)}" for notice in found
    )


def _matters(notice: Notice) -> bool:
    """Return whether a notice is more than a guess; the verdict tells spellings."""
    return any(set(values) - {*Normalize} for values in notice.likely.values())


def _keys(notice: Notice) -> str:
    return " and ".join(f"{key}: [{', '.join(map(repr, values))}]" for key, values in notice.likely.items())
