"""The re-identification risk of people in several tables: prosecutor, journalist and marketer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.knowledge import Counts, Knows, Views
from incrowd.core.table import MISSING, Codes, Encoder
from incrowd.errors import UsageError, close_to
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import words
from incrowd.linked.counting import Counting, quasi_identifiers
from incrowd.linked.given import tables_given
from incrowd.linked.problem import people_tables
from incrowd.linked.reading import LinkedData, PeopleTable, open_tables, read_tables
from incrowd.results import Result
from incrowd.risks import Attack, Threshold, attackers, picture
from incrowd.text import attributes, count, number, percent
from incrowd.watch import Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True, eq=False, repr=False)
class LinkedRisk(Brief, Result):
    """The risk of people from attackers who know something of each in every table."""

    people: int
    columns: tuple[str, ...]
    """By `table.column`."""
    knows: str
    known: str
    """The knowledge, in words."""
    threshold: Threshold
    alone: int
    """People of whom something may be known that is true of nobody else."""
    prosecutor: Attack
    """From one who knows that a person is in the tables: 1 by the fewest people of whom the same may be known."""
    marketer: float
    """The share of all people whom one re-identifies who matches everybody, knowing of each any one such thing."""
    population: int | None = None
    """The people of the population."""
    journalist: Attack | None = None
    """From one who looks for a person in the population."""
    marketer_in_population: float | None = None
    stopped: str | None = None

    @property
    def exceeded(self) -> bool:
        """Return whether the risk of a person is above the threshold: journalist risk if there is a population."""
        return (self.journalist or self.prosecutor).at_risk > 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "people": self.people,
            "columns": list(self.columns),
            "knows": self.knows,
            "known": self.known,
            "threshold": self.threshold.number,
            "alone": self.alone,
            "population": self.population,
            "prosecutor": self.prosecutor.to_dict(),
            "journalist": None if self.journalist is None else self.journalist.to_dict(),
            "marketer": {"same_people": self.marketer, "population": self.marketer_in_population},
            "exceeded": self.exceeded,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each attacker."""
        return attackers(self)

    def plot(self) -> Chart:
        """Return a picture of the average risk from each attacker."""
        return picture(self)

    def parts(self) -> list[str]:
        """Return the risks in sentences."""
        lines = [
            f"{count(self.people, 'person')}, {count(len(self.columns), 'quasi-identifier')}: "
            f"{attributes(self.columns)}.",
            f"An attacker who knows {self.known}, and that the person is in the tables, re-identifies with certainty "
            f"{self._of(self.alone)}.",
            f"Prosecutor risk: {self._told(self.prosecutor)}.",
            "An attacker who matches everybody, knowing of each any one such thing, is right for "
            f"{percent(self.marketer)} of people on average (marketer).",
        ]
        if self.journalist is not None and self.marketer_in_population is not None:
            lines += [
                f"Journalist risk, in a population of {number(self.population or 0)}: {self._told(self.journalist)}.",
                f"One who matches the population is right for {percent(self.marketer_in_population)} of people.",
            ]
        return ["\n".join(lines)]

    def _of(self, people: int) -> str:
        return f"{number(people)} of {number(self.people)} people ({percent(people / max(1, self.people))})"

    def _told(self, attack: Attack) -> str:
        above = f"{self._of(attack.at_risk)} above {percent(self.threshold.number)}"
        return f"{percent(attack.highest)} at most, {percent(attack.average)} on average; {above}"


def risk_of_set(
    job: LinkedJob, quasi: Sequence[str], knows: Knows, threshold: object, population: Any, watch: Watch
) -> LinkedRisk:
    """Return the risk of the people in the tables of a job; `quasi` are columns by `table.column`, all by default.

    `population` names tables of the same form that hold everybody, those of the job included.
    """
    accepted = Threshold.parse(threshold)
    columns = _chosen(quasi, quasi_identifiers(job))
    data = read_tables(job, open_tables(job, job.frames), watch)
    own = Counting(job, people_tables(job, data), columns, knows, 2).all_views()
    sizes = own.sizes[own.of]
    fewest = _fewest(own, sizes, data.people)
    found = LinkedRisk(
        data.people,
        tuple(columns),
        str(knows),
        f"the record of a person and {words(knows)}",
        accepted,
        int((fewest < 2).sum()),
        _attack(fewest, accepted),
        _marketer(own, sizes, data.people),
    )
    if population is None:
        return found
    watch.tick("the population")
    return _in_population(found, job, data, columns, knows, population, watch)


def _chosen(quasi: Sequence[str], known: Sequence[str]) -> list[str]:
    unknown = [name for name in quasi if name not in known]
    if unknown:
        raise UsageError.invalid(
            f"quasi {unknown[0]!r}",
            f"no such quasi-identifier; there are {', '.join(known)}{close_to(unknown[0], known)}",
            "name columns as TABLE.COLUMN",
        )
    return [name for name in known if name in quasi] if quasi else list(known)


def _fewest(views: Views, sizes: Counts, people: int) -> Counts:
    found = np.full(people, np.iinfo(np.int64).max)
    np.minimum.at(found, views.person, sizes)
    return found


def _attack(fewest: Counts, threshold: Threshold) -> Attack:
    if not len(fewest):
        return Attack(0.0, 0.0, 0)
    above = threshold.exceeded_by_one_in(fewest)
    return Attack(1 / int(fewest.min()), float((1 / fewest).mean()), int(above.sum()))


def _marketer(views: Views, sizes: Counts, people: int) -> float:
    """Return the mean over people of the mean of 1 by size over all that may be known of each."""
    if not people:
        return 0.0
    weights = np.bincount(views.person, weights=1 / sizes, minlength=people)
    return float((weights / np.bincount(views.person, minlength=people)).mean())


def _in_population(
    found: LinkedRisk,
    job: LinkedJob,
    data: LinkedData,
    columns: Sequence[str],
    knows: Knows,
    given: Any,
    watch: Watch,
) -> LinkedRisk:
    other = job.reading(tables_given(given, list(job.tables)))
    everybody = read_tables(other, open_tables(other, other.frames), watch)
    both = LinkedData(
        {name: _joined(data, everybody, name, job.tables[name].of) for name in data.tables},
        data.people + everybody.people,
    )
    seen = Counting(job, people_tables(job, both), columns, knows, 2).all_views()
    of_table = seen.person < data.people
    among = np.bincount(seen.of[~of_table], minlength=seen.n).astype(np.int64)
    own = Views(seen.of[of_table], seen.person[of_table], seen.n)
    sizes = among[own.of]
    if not sizes.all() or everybody.people < data.people:
        raise UsageError.invalid(
            "the population", "people of the tables are not in it", "give tables that hold everybody, also these people"
        )
    fewest = _fewest(own, sizes, data.people)
    return replace(
        found,
        population=everybody.people,
        journalist=_attack(fewest, found.threshold),
        marketer_in_population=_marketer(own, sizes, data.people),
    )


def _joined(before: LinkedData, after: LinkedData, name: str, of: str | None) -> PeopleTable:
    """Return the records of a table in two sets, the people of the second numbered after those of the first."""
    one, other, people = before.tables[name], after.tables[name], before.people
    above = None
    if of is not None and one.above is not None and other.above is not None:
        above = np.concatenate([one.above, other.above + before.tables[of].records.combinations])
    return replace(
        one,
        records=_together(one.records, other.records),
        person=np.concatenate([one.person, other.person + np.int32(people)]).astype(np.int32),
        above=above,
    )


def _together(one: FrequencySet, other: FrequencySet) -> FrequencySet:
    """Return the combinations of both, with one code for equal values."""
    codes: list[Codes] = []
    values = []
    for at, name in enumerate(one.names):
        encoder, parts = Encoder(name), []
        for each, column in ((one, at), (other, other.names.index(name))):
            local, lookup = encoder.encode(each.values[column])
            new = np.append(np.int32(MISSING), lookup[local])
            parts.append(new[each.codes[column]].astype(np.int32))
        codes.append(np.concatenate(parts))
        values.append(encoder.values)
    return FrequencySet(one.names, tuple(values), np.vstack(codes), np.concatenate([one.counts, other.counts]))
