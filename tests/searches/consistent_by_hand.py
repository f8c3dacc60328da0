"""k-anonymity revisited by its definitions, record by record, and the cheapest of all cell generalizations."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Columns, Levels
from incrowd.metrics.loss import Loss
from incrowd.models.consistent_k import ConsistentK
from incrowd.recodings.by_combination import SUPPRESSED, generalized, recode
from incrowd.searches import Problem

Own = NDArray[np.int16]
Fits = list[list[bool]]
Pieces = tuple[NDArray[np.int64], NDArray[np.int64]] | None


def fits_of(given: Problem, own: Own, pieces: Pieces = None) -> Fits:
    """Originals x released records: whether each cell of the record covers the original's value."""
    table = given.frequencies.project(given.quasi)
    people = [tuple(of) for of, n in zip(table.codes.T.tolist(), table.counts.tolist(), strict=True) for _ in range(n)]
    at, counts = pieces or (np.arange(table.combinations), table.counts)
    parts = zip(table.codes[:, at].T.tolist(), own.T.tolist(), counts.tolist(), strict=True)
    rows = [(tuple(mine), tuple(of)) for mine, of, n in parts for _ in range(n) if SUPPRESSED not in of]
    return [[_covers(given, mine, of, person) for mine, of in rows] for person in people]


def _covers(given: Problem, mine: tuple[int, ...], levels: tuple[int, ...], person: tuple[int, ...]) -> bool:
    cells = zip(given.ladders, mine, levels, person, strict=True)
    return all(ladder.up[level][code] == ladder.up[level][other] for ladder, code, level, other in cells)


def holds(model: ConsistentK, fits: Fits) -> bool:
    """Whether a release satisfies the model."""
    of_rows = [sum(of) for of in zip(*fits, strict=True)]
    if model.of_rows and min(of_rows, default=model.k) < model.k:
        return False
    if model.notion == "global_one_k":
        fits = [[of[row] and _may_be(fits, at, row) for row in range(len(of))] for at, of in enumerate(fits)]
    of_people = [sum(of) for of in fits if any(of)]
    return not model.of_people or min(of_people, default=model.k) >= model.k


def _may_be(fits: Fits, person: int, row: int) -> bool:
    """Whether everybody else can have another one of the records that fit them, until none is left."""
    left = [at for at in range(len(fits[person])) if at != row]
    owner: dict[int, int] = {}

    def give(wanted: int, seen: set[int]) -> bool:
        for other, of in enumerate(fits):
            if of[wanted] and other != person and other not in seen:
                seen.add(other)
                if other not in owner or give(owner[other], seen):
                    owner[other] = wanted
                    return True
        return False

    return all(give(each, set()) for each in left)


def every_release(given: Problem) -> Iterator[tuple[Own, Pieces]]:
    """All ways to give every record levels of its own; nobody is suppressed."""
    low = given.minimum or (0,) * len(given.ladders)
    high = given.limit or tuple(ladder.height for ladder in given.ladders)
    nodes: list[Levels] = list(product(*(range(least, most + 1) for least, most in zip(low, high, strict=True))))
    table = given.frequencies.project(given.quasi)
    at = np.repeat(np.arange(table.combinations), table.counts)
    for chosen in product(nodes, repeat=table.records):
        own = np.array(chosen, dtype=np.int16).reshape(table.records, len(given.ladders)).T
        yield own, (at, np.ones(table.records, dtype=np.int64))


def loss_of(given: Problem, own: Own, pieces: Pieces = None) -> float:
    """What a release loses."""
    table = given.frequencies.project(given.quasi)
    columns = Columns(table, given.ladders, given.priorities or (1.0,) * len(given.ladders))
    return Loss().prepare(columns).score(generalized(recode(table, given.ladders, own, pieces), own))


def cheapest(given: Problem, model: ConsistentK) -> float:
    """The least that any release loses which suppresses nobody."""
    fit = (release for release in every_release(given) if holds(model, fits_of(given, *release)))
    return min((loss_of(given, *release) for release in fit), default=float("inf"))
