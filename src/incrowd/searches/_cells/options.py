"""Options of searches that wipe cells."""

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
    """The values that a wiped cell matches."""

    OWN = "own"
    """Itself: it is a value of its own, and a class is what is published alike."""
    ANYTHING = "anything"
    """Every value: a published row fits k records at least, but it may be the only one of its kind."""


class CellsGeneralize(StrEnum):
    """Whether cells are also generalized, and how."""

    NONE = "none"
    """Nothing: a cell is as it was or wiped (Samarati's _CS)."""
    COLUMN = "column"
    """All cells of a column that are not wiped are on one level (Samarati's AG_CS)."""


POINTS: Served = {Point.CS: {"generalize": CellsGeneralize.NONE}, Point.AG_CS: {"generalize": CellsGeneralize.COLUMN}}
"""Where on the grid a search is that wipes cells."""


def checked_wiped(search: str, given: object) -> Wiped:
    """Return the convention, checked."""
    if given not in tuple(Wiped):
        raise UsageError.not_one_of(f"wiped of {search}", given, [str(each) for each in Wiped])
    return Wiped(str(given))


def checked_generalize(search: str, given: object) -> CellsGeneralize:
    """Return the option `generalize` of a search, checked."""
    if given not in tuple(CellsGeneralize):
        raise UsageError.not_one_of(f"generalize of {search}", given, [str(each) for each in CellsGeneralize])
    return CellsGeneralize(str(given))


def only_k(model: PrivacyModel) -> bool:
    """Return whether nothing is asked for but k-anonymity."""
    return all(isinstance(each, KAnonymity) for each in (model.models if isinstance(model, All) else (model,)))


def k_alone(search: str, problem: Problem) -> int:
    """Return k; refuse problems with other models than k-anonymity."""
    refuse_wildcards(search, problem)
    if problem.population is not None or not only_k(problem.model):
        raise UsageError.invalid(
            search,
            "it supports only the model k_anonymity",
            "omit the other models, or choose local_suppression:wiped=own",
        )
    return smallest(problem.model)


def refuse_twins_of_wiped(search: str, problem: Problem) -> None:
    """Refuse values and labels that look like a wiped cell: they would match anything too."""
    for ladder in problem.ladders:
        [top] = ladder.hierarchy.labels[-1]
        below = [labels for labels in ladder.hierarchy.labels[:-1] if len(labels) > 1]
        if any(top in labels for labels in below):
            raise UsageError.invalid(
                search,
                f"column {ladder.name!r} has a value or label that is spelled like a suppressed cell",
                "give its hierarchy another top label, or choose wiped=own",
            )


def refuse_limits(search: str, problem: Problem) -> None:
    """Refuse limits of levels: the bound holds only if every cell may be wiped."""
    limits = problem.limit or tuple(ladder.height for ladder in problem.ladders)
    for ladder, limit in zip(problem.ladders, limits, strict=True):
        if limit < ladder.height:
            raise UsageError.invalid(
                search,
                f"column {ladder.name!r} must not reach its top, and the bound holds only if every cell may be "
                "suppressed",
                "omit its limit, or choose local_suppression",
            )


def refuse_larger(search: str, size: int, most: int, what: str) -> None:
    """Refuse a table that would take too long."""
    if size > most:
        raise UsageError.invalid(
            search, f"the table has {size:,} {what}; the limit is {most:,}", "choose local_suppression"
        )


def need_scipy(search: str) -> None:
    """Raise an error if SciPy, whose HiGHS solves the integer program, is not installed."""
    if find_spec("scipy") is None:
        raise UsageError.invalid(
            search,
            "it needs SciPy, which is not installed",
            "run: pip install 'incrowd[table]', or choose local_suppression",
        )
