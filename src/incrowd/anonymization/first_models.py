"""Models for the sensitive columns of a first job: those that can be satisfied, and that cost little, as measured."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

from incrowd.anonymization.model_costs import Losses, sample_words
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.diagnosis.ranges import RANGES, FirstRanges, ranges_of
from incrowd.models import from_dict
from incrowd.profiles import USUAL
from incrowd.proposing.facts import Column, Table
from incrowd.text import attributes, percent

MOST = 0.25
"""Models are added while at most this share of classes is expected to break one of them by chance."""
RAISES, POINTS = 0.5, 0.05
"""All models together may raise the information loss by half, or by five percentage points where that is more."""

ORDERED = 12
"""So many models are measured one by one, to keep those first that cost least; of more, those that few classes break by
chance come first."""
RUNS = 30
"""After so many sets of models, those that are left are judged together."""

Measure = Callable[[Sequence[Mapping[str, Any]]], Losses]
"""Prepare to measure the losses under some of these models."""


@dataclass(frozen=True, repr=False)
class FirstModel(Brief):
    """One setting of a model for a column."""

    column: str
    chance: float
    """The chance that a class of k breaks it."""
    different: int = 0
    """Of distinct_l: how many different values every class must have."""
    ranges: FirstRanges | None = None
    """Of range_diversity."""

    @property
    def model(self) -> dict[str, Any]:
        """The model as a job has it."""
        if self.ranges is not None:
            return {"range_diversity": {"column": _spelled(self.column), **self.ranges.options}}
        return {"distinct_l": {"l": self.different, "column": _spelled(self.column)}}


@dataclass(frozen=True, repr=False)
class FirstCosts(Brief):
    """The information loss with and without the models of a first job, as measured."""

    records: int
    """The records that were clustered."""
    of: int
    """All records of the table."""
    without: float
    """The loss with k-anonymity alone."""
    together: float
    """The loss with all models that were kept."""
    refused: Mapping[str, float | None] = field(default_factory=dict)
    """By column whose model costs too much, or that has a weaker one for that reason: the loss with it beside the
    models that were kept before; None if there would be no release. What was judged together has one loss."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "records": self.records,
            "of": self.of,
            "without": round(self.without, 4),
            "together": round(self.together, 4),
            "refused": {name: None if loss is None else round(loss, 4) for name, loss in self.refused.items()},
        }


@dataclass(frozen=True, repr=False)
class FirstModels(Brief):
    """The models that a first job has for its sensitive columns."""

    chances: Mapping[str, float] = field(default_factory=dict)
    """By column with a model: the chance that a class of k breaks it."""
    ranges: Mapping[str, FirstRanges] = field(default_factory=dict)
    """By column of numbers that are nearly all different its range diversity; the others have distinct_l."""
    costly: Sequence[str] = ()
    """Columns without a model, because most records share a value: classes would become much larger."""
    constant: Sequence[str] = ()
    """Columns of one value, which no model can protect."""
    different: Mapping[str, int] = field(default_factory=dict)
    """By column with distinct_l: how many different values every class must have."""
    costs: FirstCosts | None = None
    """The cost of the models, and those that cost too much; None if that was not measured."""

    @property
    def models(self) -> list[dict[str, Any]]:
        """The models as a job has them."""
        return [
            FirstModel(name, chance, self.different.get(name, 0), self.ranges.get(name)).model
            for name, chance in self.chances.items()
        ]

    @property
    def unprotected(self) -> list[str]:
        """The columns without a model because it would cost too much."""
        measured = () if self.costs is None else self.costs.refused
        return [*self.costly, *(name for name in measured if name not in self.chances)]

    @property
    def words(self) -> list[str]:
        """Their effect, their cost, and the columns that have none."""
        found = [*self._effects(), *self._costs()]
        if self.costly:
            found.append(
                f"No model yet, because most records share a value, so it would cost much: {', '.join(self.costly)}."
            )
        if self.constant:
            found.append(f"No model can protect a column of one value: {', '.join(self.constant)}.")
        return found

    def _effects(self) -> list[str]:
        found = []
        if self.different:
            found.append(f"distinct_l: {self._effect()}")
        if self.ranges:
            found.append(
                f"range_diversity, for numbers that are nearly all different ({', '.join(self.ranges)}): the records "
                f"of a class are never all near each other. Each of {self._numbers()} ranges holds equally many "
                "records."
            )
        return found

    def _effect(self) -> str:
        if set(self.different.values()) == {2}:
            return "the records of a class never share one value of the column."
        by_number: dict[int, list[str]] = {}
        for name, number in self.different.items():
            by_number.setdefault(number, []).append(name)
        least = "; ".join(f"{number} of {attributes(names)}" for number, names in sorted(by_number.items()))
        return f"no class has fewer different values than asked for ({least})."

    def _numbers(self) -> str:
        """Return about how many ranges there are."""
        most = max(len(each.ranges) for each in self.ranges.values())
        return f"about {RANGES}" if most <= RANGES + 1 else f"about {RANGES} or {2 * RANGES}"

    def _costs(self) -> list[str]:
        if self.costs is None:
            if not self.chances:
                return []
            share = "Under 1%" if self.expected < 0.01 else f"About {self.expected:.0%}"
            return [f"{share} of the classes would break a model by chance, and lose more detail for it."]
        costs, without = self.costs, percent(self.costs.without)
        found, refused = [], "it would raise the information loss too much, to the share in brackets"
        if self.chances:
            it = "this model" if len(self.chances) == 1 else "these models"
            found.append(
                f"Information loss about {without} without {it}, {percent(costs.together)} with, measured on "
                f"{sample_words(costs.records, costs.of)}."
            )
        out = {name: loss for name, loss in costs.refused.items() if name not in self.chances}
        if out:
            beside = (
                ""
                if self.chances
                else f" It is about {without} without, measured on {sample_words(costs.records, costs.of)}."
            )
            found.append(f"No model yet, because {refused}: {_raised(out)}.{beside}")
        weaker = {name: loss for name, loss in costs.refused.items() if name in self.chances}
        if weaker:
            found.append(f"A weaker model than usual, because {refused}: {_raised(weaker)}.")
        return found

    @property
    def expected(self) -> float:
        """The share of classes that break one of the models by chance."""
        return min(1.0, sum(self.chances.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return what the models cost, and the columns that have none, as plain data."""
        return {
            "measured": None if self.costs is None else self.costs.to_dict(),
            "unprotected": self.unprotected,
            "constant": list(self.constant),
        }


def _raised(losses: Mapping[str, float | None]) -> str:
    """Return columns with the loss that a model of each would raise it to."""
    return ", ".join(f"{name} ({'no release' if loss is None else percent(loss)})" for name, loss in losses.items())


def first_models(
    counted: Sequence[FrequencySet], k: int, different: int = USUAL.l, measure: Measure | None = None
) -> FirstModels:
    """Return the models for sensitive columns, each counted alone; the cheapest first.

    A class is to have so many `different` values, or as many as there are; 2 of a column where more would cost much.
    What costs much by chance is left out first, then what is found to cost too much when it is measured.
    """
    columns = {each.names[0]: Table.of(each).columns[0] for each in counted}
    wanted = {each.names[0]: [*_settings(each, columns[each.names[0]], k, different)] for each in counted}
    likely = _likely({name: settings for name, settings in wanted.items() if settings})
    chosen, costs = _affordable(likely, wanted, measure) if measure is not None and likely else (likely, None)
    refused = () if costs is None else costs.refused
    kept = {name: chosen[name] for name in wanted if name in chosen}
    return FirstModels(
        {name: each.chance for name, each in kept.items()},
        {name: each.ranges for name, each in kept.items() if each.ranges is not None},
        [name for name, settings in wanted.items() if settings and name not in kept and name not in refused],
        [each.names[0] for each in counted if each.combinations <= 1],
        {name: each.different for name, each in kept.items() if each.ranges is None},
        costs,
    )


def _settings(counted: FrequencySet, column: Column, k: int, different: int) -> Iterator[FirstModel]:
    """Yield the settings of models that may protect a column, the strongest first."""
    if counted.combinations <= 1:
        return
    for ranges in ranges_of(column, k):
        yield FirstModel(column.name, ranges.chance, ranges=ranges)
    most = min(different, counted.combinations)
    for number in range(most, min(most, USUAL.l) - 1, -1):
        # Of numbers that are nearly all different, two values are the least, and cost nothing.
        yield FirstModel(column.name, _chance(counted, k, number), number)


def _likely(wanted: Mapping[str, Sequence[FirstModel]]) -> dict[str, FirstModel]:
    """Return for each column a setting that few classes break by chance, as long as they are few together."""
    first = {
        name: next((each for each in settings if each.chance <= MOST), settings[-1])
        for name, settings in wanted.items()
    }
    kept: dict[str, FirstModel] = {}
    for name in sorted(first, key=lambda each: first[each].chance):
        spent = sum(each.chance for each in kept.values())
        at = wanted[name].index(first[name])
        fitting = next((each for each in wanted[name][at:] if spent + each.chance <= MOST), None)
        if fitting is not None:
            kept[name] = fitting
    return kept


def _affordable(
    likely: Mapping[str, FirstModel], wanted: Mapping[str, Sequence[FirstModel]], measure: Measure
) -> tuple[Mapping[str, FirstModel], FirstCosts | None]:
    """Return what may be kept of the likely models, or weaker ones, so that all together cost little; and their
    costs."""
    losses = measure([each.model for each in likely.values()])
    without = losses.loss([])
    if without is None:
        return likely, None
    most = max(without * (1 + RAISES), without + POINTS)
    choice = _Choice(losses, most, wanted)
    choice.add([*likely.values()])
    costs = FirstCosts(losses.records, losses.of, without, choice.together(without), choice.refused)
    return choice.kept, costs


class _Choice:
    """The models that are kept, and the losses with those that were refused."""

    def __init__(self, losses: Losses, most: float, wanted: Mapping[str, Sequence[FirstModel]]) -> None:
        self.kept: dict[str, FirstModel] = {}
        self.refused: dict[str, float | None] = {}
        self._losses, self._most, self._wanted = losses, most, wanted
        self._now: float | None = None
        self._known: dict[tuple[FirstModel, ...], float | None] = {}

    def together(self, without: float) -> float:
        """Return the loss with all that are kept."""
        return without if self._now is None else self._now

    def add(self, models: Sequence[FirstModel]) -> None:
        """Keep what is affordable: all together, or else half by half, those first that cost least alone."""
        waiting = [[*models]]
        while waiting:
            block = waiting.pop(0)
            if self._fits(block):
                continue
            if len(block) == 1 or len(self._known) >= RUNS:
                self._weaken(block)
                continue
            if block == models and len(block) <= ORDERED:
                block = self._cheapest_first(block)
            waiting += [block[: len(block) // 2], block[len(block) // 2 :]]

    def _cheapest_first(self, models: Sequence[FirstModel]) -> list[FirstModel]:
        alone = {each: self._losses.loss([from_dict(each.model)]) for each in models}
        return sorted(models, key=lambda each: 1.0 if (loss := alone[each]) is None else loss)

    def _weaken(self, block: Sequence[FirstModel]) -> None:
        """Refuse models that cost too much, and keep weaker settings of them, if there are any that do not."""
        self.refused |= dict.fromkeys([each.column for each in block], self._loss(block))
        places = {each.column: self._wanted[each.column].index(each) for each in block}
        weaker = block
        while weaker and not self._fits(weaker):
            step = 1 if len(self._known) < RUNS else len(max(self._wanted.values(), key=len))
            last = {name: len(self._wanted[name]) - 1 for name in places}
            places = {name: min(at + step, last[name]) for name, at in places.items() if at < last[name]}
            weaker = [self._wanted[name][at] for name, at in places.items()]

    def _fits(self, models: Sequence[FirstModel]) -> bool:
        """Keep models if they are affordable beside those that are kept; return whether they are."""
        loss = self._loss(models)
        if loss is None or loss > self._most:
            return False
        self.kept |= {each.column: each for each in models}
        self._now = loss
        return True

    def _loss(self, models: Sequence[FirstModel]) -> float | None:
        together = (*self.kept.values(), *models)
        if together not in self._known:
            self._known[together] = self._losses.loss([from_dict(each.model) for each in together])
        return self._known[together]


def _chance(counted: FrequencySet, k: int, different: int) -> float:
    """Return the chance that k records that are drawn at random have fewer than 2, or 3, different values.

    They have exactly two, if they are of two values and not of one alone; the sums over pairs are products of sums.
    """
    shares = counted.counts / max(1, counted.records)
    one = float((shares**k).sum())
    if different == 2:
        return one
    sums = [float((shares**power).sum()) for power in range(k + 1)]
    pairs = sum(comb(k, power) * sums[power] * sums[k - power] for power in range(1, k)) / 2
    return min(1.0, max(one, one + pairs - (2.0 ** (k - 1) - 1) * one))


def _spelled(column: str) -> str | list[str]:
    """Return a column as a model names it: a plus sign would join several names."""
    return [column] if "+" in column else column
