"""Every risk measure of one table, and the report of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.risks import _wording, journalist, marketer, prosecutor, special_uniques, strengths, uniques
from incrowd.risks._attack import Attack
from incrowd.risks._population import population_of
from incrowd.risks._threshold import Threshold
from incrowd.risks.special_uniques import SpecialUniques
from incrowd.risks.strengths import Strength
from incrowd.risks.uniques import Uniques
from incrowd.watch import Watch

COMMON_THRESHOLD = 0.2
"""Classes of five: the limit that El Emam (2013) reports for most releases of health data."""


@dataclass(frozen=True, eq=False, repr=False)
class RiskReport(Brief):
    """The re-identification risk of a table, by kind of attacker."""

    columns: tuple[str, ...]
    """By which people are compared."""
    records: int
    classes: int
    threshold: Threshold
    population: int | None
    """The size of the population, if one was given."""
    estimated: bool
    """True if the population figures are estimated from its size."""
    prosecutor: Attack
    journalist: Attack | None
    marketer: float
    """The expected share of records found by matching with a register of the same people."""
    marketer_in_population: float | None
    """The same, by matching with the population."""
    uniques: Uniques
    special_uniques: SpecialUniques | None
    strengths: tuple[Strength, ...] = ()
    """The strongest parameters that each privacy model satisfies, if sensitive columns were named."""

    @property
    def stopped(self) -> str | None:
        """Return why the search for special uniques ended early: 'time' or 'interrupted'; None if it did not."""
        return self.special_uniques.stopped if self.special_uniques else None

    @property
    def exceeded(self) -> bool:
        """Return whether the risk of a record is above the threshold: journalist risk if a population is given, else
        prosecutor risk.
        """
        return (self.journalist or self.prosecutor).at_risk > 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "quasi": list(self.columns),
            "records": self.records,
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

    def __str__(self) -> str:
        return _wording.report(self)


def assess(
    frequencies: FrequencySet,
    quasi: Sequence[str],
    threshold: object = COMMON_THRESHOLD,
    population: FrequencySet | int | None = None,
    special: bool = True,
    max_size: int | None = None,
    watch: Watch | None = None,
    sensitive: Sequence[str] = (),
) -> RiskReport:
    """Measure the re-identification risk through the columns `quasi`.

    `threshold` is the risk still accepted; `population` the frequency set of the population that the table was drawn
    from, or its size; `special` asks for special uniques, of at most `max_size` columns; `sensitive` for how far
    each privacy model holds.
    """
    accepted = Threshold.parse(threshold)
    classes = frequencies.project(_checked(quasi))
    sizes = classes.counts
    among = None if population is None else population_of(classes, population)
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
    )


def _checked(quasi: Sequence[str]) -> tuple[str, ...]:
    if not quasi:
        raise UsageError.no_columns("quasi")
    repeated = {name for name in quasi if list(quasi).count(name) > 1}
    if repeated:
        raise UsageError.repeated_columns(repeated)
    return tuple(quasi)
