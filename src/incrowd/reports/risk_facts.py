"""Re-identification risk before and after: prosecutor, journalist and marketer."""

from dataclasses import dataclass

import numpy as np

from incrowd.anonymization.applying import hierarchies_of, levels_of
from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import WILDCARDS
from incrowd.core.table import text_array
from incrowd.engines.source import count_population
from incrowd.errors import IncrowdError
from incrowd.jobs import Job
from incrowd.release import Record
from incrowd.reports.people_facts import ReleasedPeople
from incrowd.reports.reading import GivenRelease
from incrowd.risks import Attack, assess
from incrowd.watch import Watch

NOT_GIVEN = "no population is given"

RECORDS, PEOPLE = "records", "people"


@dataclass(frozen=True)
class RiskFacts:
    """The risk from attackers who know all quasi-identifiers of people."""

    records: int
    classes: int
    unique: int
    """How many are unique: records or people, as the unit says."""
    highest: float
    """Highest risk from an attacker who knows that a person is in the table (prosecutor)."""
    average: float
    threshold: float
    at_risk: int
    """How many have a risk above the threshold: records or people, as the unit says."""
    marketer: float
    """The share re-identified by matching all records with a register of the same people."""
    journalist: Attack | None = None
    """Risk from an attacker who searches a population without knowing who of it is in the table."""
    population: int | None = None
    """The size of the population."""
    estimated: bool = False
    """True if only the size of the population is known."""
    unit: str = RECORDS
    """The unit of risks and uniques: records or people."""
    people: int | None = None
    """The number of people, if they are counted."""


@dataclass(frozen=True)
class Risks:
    """Risk before and after; `without` is the reason why journalist risk is not known."""

    after: RiskFacts
    before: RiskFacts | None = None
    without: str | None = NOT_GIVEN


def risks_of(
    given: GivenRelease,
    before: FrequencySet | None,
    after: FrequencySet,
    watch: Watch,
    people: ReleasedPeople | None = None,
) -> Risks:
    """Return the risks of a release and, if given, of the original table; only then is a population used.

    If it is known who is in which class, people are counted.
    """
    quasi = [column.name for column in given.manifest.quasi]
    person: tuple[str, ...] = ()
    if people is not None:
        before, after, person = people.before, people.after, (people.number,)
    alone = Risks(_risk(after, quasi, person), None if before is None else _risk(before, quasi, person))
    if given.population is None or before is None:
        return alone
    try:
        first, second = _populations(given, quasi, watch)
        return Risks(_risk(after, quasi, person, second), _risk(before, quasi, person, first), None)
    except IncrowdError as error:
        return Risks(alone.after, alone.before, str(error))


def _risk(
    frequencies: FrequencySet,
    quasi: list[str],
    person: tuple[str, ...] = (),
    population: FrequencySet | int | None = None,
) -> RiskFacts:
    found = assess(frequencies, quasi, population=population, special=False, person=person)
    assert found.marketer is not None, "one record is known"
    return RiskFacts(
        found.records,
        found.classes,
        found.uniques.sample,
        found.prosecutor.highest,
        found.prosecutor.average,
        found.threshold.number,
        found.prosecutor.at_risk,
        found.marketer,
        found.journalist,
        found.population,
        found.estimated,
        PEOPLE if person else RECORDS,
        found.people,
    )


def _populations(given: GivenRelease, quasi: list[str], watch: Watch) -> tuple[FrequencySet | int, FrequencySet | int]:
    """Return the population, and the population recoded like the release."""
    if isinstance(given.population, int):
        return given.population, given.population
    assert given.population is not None
    if given.manifest.nulls in WILDCARDS:
        raise IncrowdError("missing values match everything, so records cannot be looked up by equal values")
    if given.record is None:
        raise IncrowdError("the private record is needed to recode the population")
    if None in [column.level for column in given.record.quasi]:
        raise IncrowdError("cells differ between classes, so the recoding of the population is not known")
    people = count_population(given.population, quasi, watch)
    return people, published_alike(people, given.record)


def published_alike(people: FrequencySet, record: Record) -> FrequencySet:
    """Return people recoded like the release."""
    job = Job.from_dict({key: value for key, value in record.job.items() if key not in ("data", "output", "time")})
    hierarchies = hierarchies_of(record, job)
    codes, values = [], []
    for column, level in zip(record.quasi, levels_of(record), strict=True):
        at = people.names.index(column.name)
        base = people.values[at]
        ladder = hierarchies[column.name](base).along(column.name, base)
        codes.append(ladder.up[level][people.codes[at]])
        values.append(base if level == 0 else text_array(ladder.hierarchy.labels[level]))
    names = tuple(column.name for column in record.quasi)
    return FrequencySet(names, tuple(values), np.array(codes, dtype=np.int32), people.counts)
