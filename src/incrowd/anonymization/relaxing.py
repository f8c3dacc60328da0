"""No release within the limits: find the nearest miss, and each single change that makes a release possible."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import partial
from math import ceil

from incrowd.anonymization.unsatisfiable import called
from incrowd.metrics.suppressed import Suppressed
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.of_people import OfPeople
from incrowd.searches import Conceding, Node, NothingFound, Problem, Search
from incrowd.searches.lattice import lattice_of
from incrowd.searches.optimal import Optimal, walk_over
from incrowd.watch import Stopped, Watch

_FEWER = ("k", "l", "p")
"""Parameters of models that demand less when they are lower."""

_MORE = {"t": 1.0, "alpha": 1.0, "c": 100.0, "beta": 1000.0, "delta": 1000.0, "upper": 1.0}
"""Parameters that demand less when they are higher, each with the highest useful value."""

_HIGHEST = 1 << 62
"""More than any table has records, and still within the limits of a range."""

_LOOKING = "searching for changes that make a release possible"

Models = tuple[PrivacyModel, ...]


@dataclass(frozen=True)
class Relaxation:
    """One change that makes a release possible while all else stays."""

    setting: str
    """The setting to change, as a user calls it: 'suppress', 'k of k_anonymity', 'limit of age'."""
    value: float
    """The value that makes a release possible."""

    def __str__(self) -> str:
        return f"{self.setting} = {self.value:,}"


def nearest_miss(problem: Problem, watch: Watch) -> Node | None:
    """Return the node that needs the fewest records suppressed; None if suppression helps at no node."""
    everything = replace(problem, metric=Suppressed(), budget=problem.frequencies.records)
    lattice = lattice_of(everything)
    if problem.model.suppressible and lattice.keeps_feasible:
        # A feasible node stays feasible at higher levels.
        return lattice.count(lattice.top)
    found = Optimal().run(everything, watch)
    return None if isinstance(found, NothingFound) else found.node


Opens = Callable[[Problem], bool]


def relaxations(
    problem: Problem, search: Search, nearest: Node | None, own: Sequence[Sequence[int]], watch: Watch
) -> list[Relaxation]:
    """Return all single changes with which the search finds a release, as far as the watch allows.

    `own` gives, for each level of each ladder, its level in the column's hierarchy.
    """
    found: list[Relaxation] = []
    try:
        for relaxation in _all(problem, search, nearest, own, watch):
            found.append(relaxation)
    except Stopped:
        pass
    return found


def _all(
    problem: Problem, search: Search, nearest: Node | None, own: Sequence[Sequence[int]], watch: Watch
) -> Iterator[Relaxation]:
    def opens(conceded: Problem) -> bool:
        watch.tick(_LOOKING)
        return search.finds(conceded, watch) if isinstance(search, Conceding) else _opens(conceded, watch)

    if isinstance(search, Conceding):
        yield from _own(problem, search, watch)
    # A release without records does not count.
    elif nearest is not None and nearest.classes:
        of_people = problem.people is not None and problem.people.of_people
        yield Relaxation("suppress", nearest.people if of_people else nearest.suppressed)
    counted = problem.model.model if isinstance(problem.model, OfPeople) else problem.model
    models = counted.models if isinstance(counted, All) else (counted,)
    for at in range(len(models)):
        yield from _weaker(problem, models, at, opens)
    limit = problem.limit or tuple(ladder.height for ladder in problem.ladders)
    for column, ladder in enumerate(problem.ladders):
        for level in range(limit[column] + 1, ladder.height + 1):
            if opens(replace(problem, limit=(*limit[:column], level, *limit[column + 1 :]))):
                yield Relaxation(f"limit of {ladder.name!r}", own[column][level])
                break


def _own(problem: Problem, search: Conceding, watch: Watch) -> Iterator[Relaxation]:
    """Yield for each option of the search the first value that makes a release possible."""
    opened: set[str] = set()
    for setting, value, weaker in search.concessions(problem):
        watch.tick(_LOOKING)
        if setting not in opened and weaker.finds(problem, watch):
            opened.add(setting)
            yield Relaxation(setting, value)


def _opens(problem: Problem, watch: Watch) -> bool:
    """Return whether any node is feasible."""
    lattice = lattice_of(problem)
    if lattice.keeps_feasible:
        return lattice.count(lattice.top).feasible
    for node in walk_over(lattice).run():
        watch.tick(_LOOKING)
        if node.feasible:
            return True
    return False


def _weaker(problem: Problem, models: Models, at: int, opens: Opens) -> Iterator[Relaxation]:
    """Yield for each parameter of a model the most demanding weaker value that makes a release possible."""
    others = (*models[:at], *models[at + 1 :])

    def suffices(parameter: str, value: float) -> bool:
        weaker = replace(models[at], **{parameter: value})  # type: ignore[type-var]
        model: PrivacyModel = All((weaker, *others))
        if isinstance(problem.model, OfPeople):
            model = OfPeople(model, problem.model.person)
        return opens(replace(problem, model=model))

    for field in fields(models[at]):  # type: ignore[arg-type]
        values = _lower_demands(field.name, getattr(models[at], field.name))
        # If a value makes a release possible, so do all less demanding ones: bisection finds the first.
        first = bisect_left(values, True, key=partial(suffices, field.name))
        if first < len(values):
            yield Relaxation(f"{field.name} of {called(models[at])}", values[first])


def _lower_demands(parameter: str, value: float) -> Sequence[float]:
    """Return values of a parameter that demand less than the given one, the most demanding first."""
    if parameter in _FEWER:
        return range(min(ceil(value) - 1, _HIGHEST), 0, -1)
    if parameter not in _MORE:
        return []
    tens = [Decimal(10) ** exponent for exponent in range(-4, 3)]
    numbers = [float(ten * digits) for ten in tens for digits in range(10, 100)]
    return [number for number in numbers if value < number <= _MORE[parameter]]
