"""Where no release is within the limits: how near the nearest miss came, and which single concession opens one."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from math import ceil

from incrowd.metrics.suppressed import Suppressed
from incrowd.models import PrivacyModel, spell
from incrowd.models._all import All
from incrowd.searches import Problem
from incrowd.searches._lattice import Lattice
from incrowd.searches.optimal import Optimal, walk_over
from incrowd.watch import Stopped, Watch

_FEWER = ("k", "l", "p")
"""Parameters of models that ask for less when they are lower."""

_MORE = {"t": 1.0, "alpha": 1.0, "c": 100.0, "beta": 1000.0, "delta": 1000.0, "upper": 1.0}
"""Parameters that ask for less when they are higher, and how high it makes sense to go."""

Models = tuple[PrivacyModel, ...]


@dataclass(frozen=True)
class Relaxation:
    """One concession that opens a release while all else stays."""

    setting: str
    """What would change, as a user calls it: 'suppress', 'k_anonymity', 'limit of age'."""
    value: str
    """What it would have to be."""


def relaxations(problem: Problem, watch: Watch) -> list[Relaxation]:
    """All single concessions that open a release, as far as the watch allows."""
    found: list[Relaxation] = []
    try:
        for relaxation in _all(problem, watch):
            found.append(relaxation)
    except Stopped:
        pass
    return found


def _all(problem: Problem, watch: Watch) -> Iterator[Relaxation]:
    fewest = _fewest_suppressed(problem, watch)
    if fewest is not None:
        yield Relaxation("suppress", str(fewest))
    models = problem.model.models if isinstance(problem.model, All) else (problem.model,)
    for at, model in enumerate(models):
        for weaker in _weaker(problem, models, at, watch):
            yield Relaxation(type(model).__name__, spell(weaker))
    limit = problem.limit or tuple(ladder.height for ladder in problem.ladders)
    for column, ladder in enumerate(problem.ladders):
        for level in range(limit[column] + 1, ladder.height + 1):
            if _opens(replace(problem, limit=(*limit[:column], level, *limit[column + 1 :])), watch):
                yield Relaxation(f"limit of {ladder.name!r}", str(level))
                break


def _fewest_suppressed(problem: Problem, watch: Watch) -> int | None:
    """The smallest number of records whose suppression opens a release; None where none does."""
    everything = replace(problem, metric=Suppressed(), budget=problem.frequencies.records)
    best = Optimal().run(everything, watch).node
    return None if best is None or best.classes == 0 else best.suppressed


def _opens(problem: Problem, watch: Watch) -> bool:
    """Whether any node is feasible."""
    lattice = Lattice(problem)
    if problem.model.monotone.absorbing:
        return lattice.count(lattice.top).feasible
    for node in walk_over(lattice).run():
        watch.tick("looking for what would open a release")
        if node.feasible:
            return True
    return False


def _weaker(problem: Problem, models: Models, at: int, watch: Watch) -> Iterator[PrivacyModel]:
    """The same model with one parameter just weak enough, for each parameter that can be."""
    for field in fields(models[at]):  # type: ignore[arg-type]
        weaker = [
            replace(models[at], **{field.name: value})  # type: ignore[type-var]
            for value in _lower_demands(field.name, getattr(models[at], field.name))
        ]
        others = (*models[:at], *models[at + 1 :])
        # What opens a release still does when less is asked for, so halving finds the first of the weaker ones.
        first = bisect_left(
            weaker, True, key=lambda model: _opens(replace(problem, model=All((model, *others))), watch)
        )
        if first < len(weaker):
            yield weaker[first]


def _lower_demands(parameter: str, value: float) -> list[float]:
    """Values of a parameter that ask for less than the given one, the most demanding first."""
    if parameter in _FEWER:
        return list(range(ceil(value) - 1, 0, -1))
    if parameter not in _MORE:
        return []
    tens = [Decimal(10) ** exponent for exponent in range(-4, 3)]
    numbers = [float(ten * digits) for ten in tens for digits in range(10, 100)]
    return [number for number in numbers if value < number <= _MORE[parameter]]
