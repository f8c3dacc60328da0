"""The grid of Samarati's lecture: what may be generalized, crossed with what may be suppressed."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Generalize(StrEnum):
    """The unit that is generalized."""

    COLUMN = "column"
    """A column as a whole: all its cells are on one level."""
    CELL = "cell"
    """Each cell by itself."""
    NONE = "none"
    """Nothing: what is published stays as it was."""


class Suppress(StrEnum):
    """The unit that may be suppressed."""

    ROW = "row"
    """Records, as many as it takes."""
    COLUMN = "column"
    """Columns as a whole."""
    CELL = "cell"
    """Single cells."""
    NONE = "none"


class Point(StrEnum):
    """A point of the grid, as the lecture calls it: generalization, underscore, suppression."""

    AG_TS = "AG_TS"
    AG_CS = "AG_CS"
    AG = "AG_"
    """Equals AG_AS: a column on its top level is suppressed."""
    CG = "CG_"
    """Equals CG_CS: a cell on its top level is suppressed."""
    TS = "_TS"
    AS = "_AS"
    CS = "_CS"

    @property
    def generalize(self) -> Generalize:
        """The unit that is generalized."""
        return _SETTINGS[self][0]

    @property
    def suppress(self) -> Suppress:
        """The unit that is suppressed; none if generalization includes it."""
        return _SETTINGS[self][1]

    @property
    def words(self) -> str:
        """The meaning of the point, in words."""
        return _WORDS[self]


_SETTINGS = {
    Point.AG_TS: (Generalize.COLUMN, Suppress.ROW),
    Point.AG_CS: (Generalize.COLUMN, Suppress.CELL),
    Point.AG: (Generalize.COLUMN, Suppress.NONE),
    Point.CG: (Generalize.CELL, Suppress.NONE),
    Point.TS: (Generalize.NONE, Suppress.ROW),
    Point.AS: (Generalize.NONE, Suppress.COLUMN),
    Point.CS: (Generalize.NONE, Suppress.CELL),
}
_POINTS = {
    **{settings: point for point, settings in _SETTINGS.items()},
    (Generalize.COLUMN, Suppress.COLUMN): Point.AG,
    (Generalize.CELL, Suppress.CELL): Point.CG,
}
_WORDS = {
    Point.AG_TS: "columns generalized, records suppressed",
    Point.AG_CS: "columns generalized, cells suppressed",
    Point.AG: "columns generalized",
    Point.CG: "cells generalized",
    Point.TS: "records suppressed",
    Point.AS: "columns suppressed",
    Point.CS: "cells suppressed",
}


Allowed = int | Decimal | Suppress
"""The suppression allowed: a number of records, a share of them, or a kind."""


class Unit(StrEnum):
    """The unit of a suppression limit."""

    RECORDS = "records"
    PEOPLE = "people"
    """People who lose a record."""


@dataclass(frozen=True)
class Limit:
    """A suppression limit that counts people, or that takes all records of a person who loses one."""

    amount: int | Decimal
    """A number, or a share of all."""
    of: Unit = Unit.RECORDS
    whole: bool = False
    """Whether a person who loses a record loses all of them."""


Suppression = Allowed | Limit
"""The suppression of a job: counted in records alone, or by people."""


def allowed_by(suppress: Suppression) -> Allowed:
    """Return the number, the share or the kind that is allowed, whatever is counted."""
    return suppress.amount if isinstance(suppress, Limit) else suppress


def kind_of(suppress: Suppression) -> Suppress:
    """Return the unit that may be suppressed; a number means rows."""
    suppress = allowed_by(suppress)
    if isinstance(suppress, Suppress):
        return suppress
    return Suppress.ROW if suppress else Suppress.NONE


def point_of(generalize: Generalize, suppress: Suppression) -> Point | None:
    """Return the point that both make; None for the combinations that make no sense."""
    return _POINTS.get((generalize, kind_of(suppress)))
