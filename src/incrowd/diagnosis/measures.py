"""The measure of a question: k, or the parameter of a privacy model of one sensitive column.

The Diagnosis Centre leaves the questions for other notions than k-anonymity as future work (section 8). The definitions
are those of the models; what may be skipped follows from their claims.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.errors import UsageError
from incrowd.models import from_dict, read
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.ground_distance import ground
from incrowd.models.of_people import OfPeople, people_in
from incrowd.models.t_closeness import TOLERANCE, TCloseness

Number = int | float
Scores = Counts | NDArray[np.float64]
"""The score of each class; a larger one is safer."""

Model = DistinctL | FrequencyL | EntropyL | TCloseness

K_ANONYMITY: Final = "k_anonymity"
PARAMETERS: Final = {K_ANONYMITY: "k", "distinct_l": "l", "frequency_l": "l", "entropy_l": "l", "t_closeness": "t"}
"""The measures, each with the parameter that a question gives or asks for."""

_ANY: Final = {"l": 2, "t": 1}
"""A value for a model that is only asked what its classes reach, and what it claims."""


@dataclass(frozen=True)
class Measure:
    """k of k-anonymity, or the parameter of a model of a sensitive column."""

    name: str = K_ANONYMITY
    model: Model | None = None
    """None for k-anonymity, which counts records; of another one everything but the parameter matters."""
    person: Columns = ()
    """The columns that together tell the person, if people are counted instead of records."""

    @property
    def parameter(self) -> str:
        """Return the name of the parameter: k, l or t."""
        return PARAMETERS[self.name]

    @property
    def column(self) -> str | None:
        """Return the sensitive column; None for k."""
        return None if self.model is None else self.model.columns[0]

    @property
    def larger_is_safer(self) -> bool:
        """Return whether larger values protect more; otherwise smaller ones do."""
        return self.parameter != "t"

    @property
    def is_whole(self) -> bool:
        """Return whether the parameter is a whole number, compared exactly."""
        return self.name not in ("entropy_l", "t_closeness")

    @property
    def needs_hierarchy(self) -> bool:
        """Return whether distances follow the column's hierarchy."""
        return isinstance(self.model, TCloseness) and self.model.needs_hierarchy

    @property
    def words(self) -> str:
        """Return the model as users write it, with its distance unless that is the default."""
        distance = self.model.distance if isinstance(self.model, TCloseness) else "equal"
        return self.name if distance == "equal" else f"{self.name}:distance={distance}"

    def given(self, value: object) -> Number:
        """Check and return the value that a user gives for the parameter."""
        if self.model is None:
            return whole("k", value)
        number = whole(self.parameter, value) if self.is_whole else _real(value)
        self.at(number)
        return number

    def at(self, value: Number) -> Model:
        """Return the model with this parameter."""
        assert self.model is not None
        return replace(self.model, **{self.parameter: value})  # type: ignore[arg-type]

    def needs(self, who: str) -> tuple[Columns, ...]:
        """Return the histograms from which people are counted; `who` is the column that numbers them."""
        return ((who,),) if self.model is None else OfPeople(self.model, (who,)).needs

    def by_people(self, classes: Classes, who: str) -> Classes:
        """Return classes with people in place of records, each person once for a value."""
        if self.model is None:
            return Classes(people_in(classes.histograms[who,]))
        return OfPeople(self.model, (who,)).by_people(classes)

    def scores(self, classes: Classes) -> Scores:
        """Return the score of each class."""
        if self.model is None:
            return classes.sizes
        reached = self.model.strengths(classes)
        return reached if self.larger_is_safer else -reached

    def score(self, value: Number) -> Number:
        """Return the least score of a class that satisfies this value, within the model's tolerance."""
        if self.is_whole:
            return value
        return value * (1 - TOLERANCE) if self.larger_is_safer else -value - TOLERANCE

    def shown(self, score: Number) -> Number:
        """Return a score as the parameter's value."""
        if self.is_whole:
            return int(score)
        # A distance of nothing is 0, not -0.
        return float(score) if self.larger_is_safer else abs(float(score))

    def exceeds(self, reached: Number, value: Number) -> bool:
        """Return whether `reached` is strictly safer than a value."""
        if self.is_whole:
            return reached > value
        return reached > value * (1 + TOLERANCE) if self.larger_is_safer else reached < value - TOLERANCE

    def satisfies(self, reached: Number, value: Number) -> bool:
        """Return whether `reached` is at least as safe as a value."""
        return self.score(value) <= (reached if self.larger_is_safer else -reached)

    def is_worst(self, reached: Number, classes: Classes | None) -> bool:
        """Return whether no class can be less safe; then no further column changes the value."""
        if self.larger_is_safer:
            return reached <= (1 if self.is_whole else 1 + TOLERANCE)
        assert isinstance(self.model, TCloseness)
        assert classes is not None
        # Distance is convex: no class is farther than the farthest class of a single value.
        farthest = ground(self.model.distance, self.model.order, self.model.histogram(classes).domain)[1]
        return reached >= farthest - TOLERANCE

    @property
    def survives_merging(self) -> bool:
        """Return whether the value can only get worse when a column joins."""
        if self.model is None:
            return True
        return OfPeople(self.model, self.person).monotone.merging if self.person else self.model.monotone.merging

    @property
    def is_absorbed(self) -> bool:
        """Return whether all parts of a violating class violate it too; then more columns need more suppression."""
        return self.model is None or self.model.monotone.absorbing


def chosen_measure(measure: str | None, sensitive: str | None, given: Mapping[str, object]) -> tuple[Measure, Any]:
    """Return the chosen measure and the value given for its parameter; `given` contains k, l and t."""
    values = {name: value for name, value in given.items() if value is not None}
    if len(values) > 1:
        raise UsageError.invalid(" and ".join(values), "a question has one measure", "give one of them")
    name, options = _described(measure, sensitive, values)
    parameter = PARAMETERS[name]
    if values and parameter not in values:
        (other,) = values
        raise UsageError.invalid(f"{other} with measure {name}", f"it has {parameter}", f"give {parameter}")
    if name == K_ANONYMITY:
        if sensitive is not None:
            raise UsageError.invalid(
                f"{K_ANONYMITY} with a sensitive column", "k only counts records", "omit it, or give l or t"
            )
        found = Measure()
    else:
        if sensitive is None:
            raise UsageError.invalid(name, "it judges a sensitive column", "name one: sensitive (--sensitive COLUMN)")
        model = from_dict({name: {**options, parameter: _ANY[parameter], "column": (sensitive,)}})
        assert isinstance(model, Model)
        found = Measure(name, model)
    return found, None if not values else found.given(values[parameter])


def _described(measure: str | None, sensitive: str | None, values: Mapping[str, object]) -> tuple[str, dict[str, Any]]:
    """Return the name and options of a measure from its text, or else from the given values."""
    if measure is None:
        if "t" in values:
            return "t_closeness", {}
        is_l = "l" in values or (sensitive is not None and "k" not in values)
        return "distinct_l" if is_l else K_ANONYMITY, {}
    name = str(measure).partition(":")[0]
    if name not in PARAMETERS:
        raise UsageError.not_one_of("measure", name, PARAMETERS)
    options = read(str(measure))[name]
    parts = [each for each in (PARAMETERS[name], "column") if each in options]
    if parts:
        raise UsageError.invalid(
            f"measure {name}",
            f"{parts[0]} is part of the question",
            f"give it separately: {PARAMETERS[name]}, sensitive",
        )
    return name, options


def whole(what: str, value: object) -> int:
    """Check and return a whole number of at least 1."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        raise UsageError.bad_k(value, what)
    return number


def _real(value: object) -> Number:
    """Return a Python number; anything else is left for the model to refuse."""
    return float(value) if isinstance(value, float | np.floating | np.integer) else value  # type: ignore[return-value]
