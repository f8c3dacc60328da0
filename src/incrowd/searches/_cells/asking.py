"""What searches that wipe cells can be asked for."""

from enum import StrEnum
from importlib.util import find_spec

from incrowd.core.grid import Point
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem, Served
from incrowd.searches._layers.outcome import refuse_wildcards
from incrowd.searches.mondrian import smallest


class Wiped(StrEnum):
    """What a wiped cell matches."""

    OWN = "own"
    """Itself: it is a value of its own, and a class is what is published alike."""
    ANYTHING = "anything"
    """Every value: a published row fits k records at least, but it may be the only one of its kind."""


class Generalize(StrEnum):
    """What else may become of cells."""

    NONE = "none"
    """Nothing: a cell is as it was or wiped (Samarati's _CS)."""
    COLUMN = "column"
    """All cells of a column that are not wiped are on one level (Samarati's AG_CS)."""


POINTS: Served = {Point.CS: {"generalize": Generalize.NONE}, Point.AG_CS: {"generalize": Generalize.COLUMN}}
"""Where on the grid a search is that wipes cells."""


def asked_wiped(search: str, given: object) -> Wiped:
    """The convention, checked."""
    if given not in tuple(Wiped):
        raise UsageError.not_one_of(f"wiped of {search}", given, [str(each) for each in Wiped])
    return Wiped(str(given))


def asked_generalize(search: str, given: object) -> Generalize:
    """What else may become of cells, checked."""
    if given not in tuple(Generalize):
        raise UsageError.not_one_of(f"generalize of {search}", given, [str(each) for each in Generalize])
    return Generalize(str(given))


def only_k(model: PrivacyModel) -> bool:
    """Whether nothing is asked for but k-anonymity."""
    return all(isinstance(each, KAnonymity) for each in (model.models if isinstance(model, All) else (model,)))


def k_alone(search: str, problem: Problem) -> int:
    """k, where nothing else is asked for."""
    refuse_wildcards(search, problem)
    if problem.population is not None or not only_k(problem.model):
        raise UsageError.senseless(
            search,
            "it knows no model but k_anonymity",
            "leave the other models out, or choose local_suppression:wiped=own",
        )
    return smallest(problem.model)


def refuse_twins_of_wiped(search: str, problem: Problem) -> None:
    """Where a wiped cell matches anything, a value or label that looks like one would match anything too."""
    for ladder in problem.ladders:
        [top] = ladder.hierarchy.labels[-1]
        below = [labels for labels in ladder.hierarchy.labels[:-1] if len(labels) > 1]
        if any(top in labels for labels in below):
            raise UsageError.senseless(
                search,
                f"column {ladder.name!r} has a value or label that is spelled like a wiped cell",
                "give its hierarchy another top label, or choose wiped=own",
            )


def refuse_limits(search: str, problem: Problem) -> None:
    """A bound holds where everything may be wiped."""
    limits = problem.limit or tuple(ladder.height for ladder in problem.ladders)
    for ladder, limit in zip(problem.ladders, limits, strict=True):
        if limit < ladder.height:
            raise UsageError.senseless(
                search,
                f"column {ladder.name!r} must not reach its top, and its bound holds where every cell may be wiped",
                "leave its limit out, or choose local_suppression",
            )


def refuse_larger(search: str, size: int, most: int, what: str) -> None:
    """A table that would take too long."""
    if size > most:
        raise UsageError.senseless(
            search, f"the table has {size:,} {what}, and it takes at most {most:,}", "choose local_suppression"
        )


def need_scipy(search: str) -> None:
    """The integer programme is solved by HiGHS, which comes with SciPy."""
    if find_spec("scipy") is None:
        raise UsageError.senseless(
            search,
            "it needs SciPy, which is not installed",
            "run: pip install 'incrowd[table]', or choose local_suppression",
        )
