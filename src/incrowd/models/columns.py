"""Models that judge one sensitive column, or several jointly."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts, Histogram
from incrowd.errors import UsageError
from incrowd.models._contract import PrivacyModel
from incrowd.models._masks import wholly
from incrowd.spelling import joined

Column = Annotated[str | tuple[str, ...], joined("+")]
"""The name of a column; several jointly are "a+b", or a tuple, which may hold names with a plus sign."""


def columns_of(column: Column) -> Columns:
    """Return the columns that are judged jointly; most often a single one."""
    names = tuple(column.split("+") if isinstance(column, str) else column if isinstance(column, Sequence) else ())
    if not names or not all(isinstance(name, str) and name for name in names):
        raise UsageError.not_one_of("column", column, ["the name of a column", "names joined by + to judge jointly"])
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise UsageError.repeated_columns(repeated)
    return names


@dataclass(frozen=True, kw_only=True)
class OnColumns(ABC):
    """Common part of all models of sensitive columns."""

    column: Column

    needs_population = False
    needs_reference = False
    suppressible = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "column", columns_of(self.column))

    @property
    def columns(self) -> Columns:
        """The columns that are judged jointly."""
        return columns_of(self.column)

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The histograms that it looks at."""
        return (self.columns,)

    @property
    def subject(self) -> str:
        """The columns as a sentence names them."""
        return " and ".join(self.columns) + (" together" if len(self.columns) > 1 else "")

    @abstractmethod
    def relaxed(self) -> PrivacyModel:
        """Return a necessary model that only gets easier on the way up."""

    def lost(self, classes: Classes) -> Counts:
        """Return all records of the classes that violate the relaxed model."""
        return wholly(~self.relaxed().holds(classes), classes)

    def histogram(self, classes: Classes) -> Histogram:
        """Return how the judged values are spread."""
        return classes.histograms[self.columns]
