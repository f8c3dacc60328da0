"""Every risk measure of one table, and the report of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.knowledge import Known, Knows
from incrowd.core.people import with_person
from incrowd.errors import UsageError
from incrowd.models.of_people import records_are_people
from incrowd.results import Result
from incrowd.risks import _wording, journalist, marketer, prosecutor, special_uniques, strengths, uniques
from incrowd.risks._attack import Attack, attackers, picture
from incrowd.risks._people import PeopleInClasses, population_of_people
from incrowd.risks._population import population_of
from incrowd.risks._threshold import Threshold
from incrowd.risks.special_uniques import SpecialUniques
from incrowd.risks.strengths import Strength
from incrowd.risks.uniques import Uniques
from incrowd.watch import Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart

COMMON_THRESHOLD = 0.2
"""Classes of five: the limit that El Emam (2013) reports for most releases of health data."""


@dataclass(frozen=True, eq=False, repr=False)
class RiskReport(Brief, Result):
    """The re-identification risk of a table, by kind of attacker."""

    columns: tuple[str, ...]
    """By which people are compared."""
    records: int
    """The number of records, even if risks and uniques count people."""
    classes: int
    threshold: Threshold
    population: int | None
    """The size of the population, if one was given."""
    estimated: bool
    """True if the population figures are estimated from its size."""
    prosecutor: Attack
    journalist: Attack | None
    marketer: float | None
    """The expected share of records, or people, found by matching with a register of the same people; None if several
    records of a person are known."""
    marketer_in_population: float | None
    """The same, by matching with the population."""
    uniques: Uniques
    special_uniques: SpecialUniques | None
    strengths: tuple[Strength, ...] = ()
    """The strongest parameters that each privacy model satisfies, if sensitive columns were named."""
    person: tuple[str, ...] = ()
    """The columns that together tell the person of a record, if named."""
    people: int | None = None
    """The number of people the records are about, if these columns were named."""
    knows: Knows = Known.RECORD
    """How much an attacker knows of a person. If it is more than one record, and people have several, only prosecutor
    risk and uniques are measured."""

    @property
    def counts_people(self) -> bool:
        """Return whether people have several records, so that people are counted."""
        return self.people not in (None, self.records)

    @property
    def knows_several(self) -> bool:
        """Return whether several records of a person are known, so that views take the place of classes."""
        return self.counts_people and self.knows != Known.RECORD

    @property
    def stopped(self) -> str | None:
        """Return why the search for special uniques ended early: 'time' or 'interrupted'; None if it did not."""
        return self.special_uniques.stopped if self.special_uniques else None

    @property
    def exceeded(self) -> bool:
        """Return whether the risk of a record or person is above the threshold: journalist risk if a population is
        given, else prosecutor risk.
        """
        return (self.journalist or self.prosecutor).at_risk > 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        knows = str(self.knows) if isinstance(self.knows, Known) else self.knows
        return {
            "quasi": list(self.columns),
            "records": self.records,
            **({"people": self.people, "person": list(self.person), "knows": knows} if self.person else {}),
            "classes": self.classes,
            "threshold": self.threshold.number,
            "exceeded": self.exceeded,
            "population": self.population,
            "estimated": self.estimated,
            "prosecutor": self.prosecutor.to_dict(),
            "journalist": self.journalist.to_dict() if self.journalist else None,
            "marketer": {"same_people": self.marketer, "population": self.marketer_in_population},
            "uniques": self.uniques.to_dict(),
            "special_uniques": self.special_uniques.to_dict() if self.special_uniques else None,
            "models": [{**vars(each), "words": each.words} for each in self.strengths],
        }

    def to_json(self) -> str:
        """Return the same as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each attacker."""
        return attackers(self)

    def parts(self) -> list[str]:
        """Return the risks in sentences, then in tables."""
        return _wording.parts(self)

    def plot(self) -> Chart:
        """Return a picture of the average risk from each attacker."""
        return picture(self)


def assess(
    frequencies: FrequencySet,
    quasi: Sequence[str],
    threshold: object = COMMON_THRESHOLD,
    population: FrequencySet | int | None = None,
    special: bool = True,
    max_size: int | None = None,
    watch: Watch | None = None,
    sensitive: Sequence[str] = (),
    person: Sequence[str] = (),
    knows: Knows = Known.RECORD,
) -> RiskReport:
    """Measure the re-identification risk through the columns `quasi`.

    `threshold` is the risk still accepted; `population` the frequency set of the population that the table was drawn
    from, or its size; `special` asks for special uniques, of at most `max_size` columns; `sensitive` for how far
    each privacy model holds. If `person` names the columns that together tell the person of a record, and some people
    have several records, people are counted; `knows` says how much an attacker knows of each.
    """
    check_known(knows, person, population, sensitive, max_size)
    accepted = Threshold.parse(threshold)
    quasi, person = _checked(quasi), tuple(person)
    population, everybody = population_of_people(population, quasi, person)
    if person and not records_are_people(frequencies, person):
        numbered = with_person(frequencies, tuple(dict.fromkeys((*quasi, *sensitive))), person)
        if knows != Known.RECORD:
            found = _assess_known(PeopleInClasses.of(numbered, quasi), numbered.records, accepted, knows)
        else:
            given = (population, everybody)
            found = _assess_people(numbered, quasi, accepted, given, special, max_size, watch, sensitive)
        return replace(found, person=person, knows=knows)
    classes = frequencies.project(quasi)
    sizes = classes.counts
    among = None if population is None else population_of(classes, population, None, everybody)
    return RiskReport(
        columns=classes.names,
        records=classes.records,
        classes=len(sizes),
        threshold=accepted,
        population=None if among is None else among.records,
        estimated=among is not None and among.estimated,
        prosecutor=prosecutor.measure(sizes, accepted),
        journalist=None if among is None else journalist.measure(sizes, among, accepted),
        marketer=marketer.measure(sizes),
        marketer_in_population=None if among is None else marketer.measure(sizes, among),
        uniques=uniques.measure(sizes, among),
        special_uniques=special_uniques.measure(classes, max_size, watch) if special else None,
        strengths=strengths.measure(frequencies, classes.names, sensitive) if sensitive else (),
        person=person,
        people=classes.records if person else None,
        knows=knows,
    )


def _assess_people(
    numbered: FrequencySet,
    quasi: tuple[str, ...],
    accepted: Threshold,
    population: tuple[FrequencySet | int | None, int | None],
    special: bool,
    max_size: int | None,
    watch: Watch | None,
    sensitive: Sequence[str],
) -> RiskReport:
    """Return the same by people; the last column numbers them, and the population comes with its number of people."""
    held = PeopleInClasses.of(numbered, quasi)
    given, everybody = population
    among = None if given is None else population_of(held.classes, given, held.people, everybody)
    classes = numbered.project(quasi)
    return RiskReport(
        columns=quasi,
        records=numbered.records,
        classes=len(held.sizes),
        threshold=accepted,
        population=None if among is None else among.records,
        estimated=among is not None and among.estimated,
        prosecutor=prosecutor.of_people(held.alike(Known.RECORD), accepted),
        journalist=None if among is None else journalist.of_people(held, among, accepted),
        marketer=marketer.of_people(held),
        marketer_in_population=None if among is None else marketer.of_people(held, among),
        uniques=uniques.of_people(held, among),
        special_uniques=special_uniques.measure(classes, max_size, watch, held.alone()) if special else None,
        strengths=strengths.measure(numbered, quasi, sensitive, numbered.names[-1]) if sensitive else (),
        people=held.people,
    )


def _assess_known(held: PeopleInClasses, records: int, accepted: Threshold, knows: Knows) -> RiskReport:
    """Return what is defined if several records of a person are known."""
    alike = held.alike(knows)
    return RiskReport(
        columns=held.classes.names,
        records=records,
        classes=len(held.sizes),
        threshold=accepted,
        population=None,
        estimated=False,
        prosecutor=prosecutor.of_people(alike, accepted),
        journalist=None,
        marketer=None,
        marketer_in_population=None,
        uniques=uniques.of_known_people(alike),
        special_uniques=None,
        people=held.people,
    )


def check_known(
    knows: Knows, person: Sequence[str], population: object, sensitive: Sequence[str] = (), max_size: int | None = None
) -> None:
    """Refuse to know several records of nobody, and what is measured for one known record only."""
    if knows == Known.RECORD:
        return
    if not person:
        raise UsageError.invalid(
            f"knows: {knows}", "no column tells the person of a record", "name such columns as person"
        )
    if population is not None:
        raise _for_one_record(knows, "journalist risk is", "the population")
    if sensitive:
        raise _for_one_record(knows, "models are", "the sensitive columns (sensitive)")
    if max_size is not None:
        raise _for_one_record(knows, "special uniques are", "their size (max_size)")


def check_rows(knows: int | str, rows: bool) -> None:
    """Refuse to list the records of special uniques if several records of a person are known."""
    if rows and str(knows) not in (Known.RECORD, "1"):
        raise _for_one_record(knows, "special uniques are", "the list of their records (rows)")


def _for_one_record(knows: int | str, what: str, option: str) -> UsageError:
    return UsageError.invalid(
        f"knows: {knows}",
        f"{what} measured for one known record of a person only",
        f"omit {option}, or choose record",
    )


def _checked(quasi: Sequence[str]) -> tuple[str, ...]:
    if not quasi:
        raise UsageError.no_columns("quasi")
    repeated = {name for name in quasi if list(quasi).count(name) > 1}
    if repeated:
        raise UsageError.repeated_columns(repeated)
    return tuple(quasi)
