"""The cost of parts: discernibility, the cost of classification, or loss."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Columns, Counts
from incrowd.searches._parts.sheet import Sheet, Spread

Costs = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Cost(Protocol):
    """A cost that is a sum over classes, and never falls when classes that are kept are joined."""

    @property
    def name(self) -> str:
        """As scores are named."""
        ...

    @property
    def unit(self) -> float:
        """The factor from this cost to the published score."""
        ...

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The spreads that it looks at."""
        ...

    def of(self, sheet: Sheet, gone: Mask, least: int = 0) -> Costs:
        """Return per row what its records cost, those of the marked classes being suppressed.

        With `least`, the records of each other class may yet be joined with others or suppressed, and are in no class
        smaller than that where they are kept: what they cost then at least.
        """
        ...


class DiscernibilityCost(NamedTuple):
    """The size of its class for a record, as many as there are records for a suppressed one."""

    records: int
    unit: float = 1.0
    name: str = "discernibility"
    needs: tuple[Columns, ...] = ()

    def of(self, sheet: Sheet, gone: Mask, least: int = 0) -> Costs:
        """Return squares, with sizes raised to `least`: a record's class only grows when others join it.

        Floats, which are exact up to 94 million records, whose squares are below 2^53.
        """
        sizes = sheet.sizes.astype(np.float64)
        each = np.where(gone, float(self.records), np.maximum(sizes, float(min(least, self.records))))
        found: Costs = np.einsum("rc,rc->r", sizes, each)
        return found


class ClassificationCost(NamedTuple):
    """1 for each record whose label is not the most frequent one of its class, and for each suppressed one."""

    label: Columns
    unit: float
    """The share of the records that one is."""
    name: str = "classification"

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The labels."""
        return (self.label,)

    def of(self, sheet: Sheet, gone: Mask, least: int = 0) -> Costs:
        """Return a lower bound: in joined classes, no more records have the most frequent label than in each."""
        most = _most(sheet.spreads[self.label], sheet.sizes.shape[1])
        found: Costs = np.where(gone, sheet.sizes, sheet.sizes - most).sum(axis=1).astype(np.float64)
        return found


def _most(spread: Spread, classes: int) -> Counts:
    """Return rows x classes: how many records have the most frequent value. Each class has an entry."""
    starts = np.searchsorted(spread.owner, np.arange(classes))
    entries = np.diff(np.append(starts, len(spread.owner)))
    # The first entry of each class, then the second and so on: twice as fast as np.maximum.reduceat for two labels.
    most: Counts = spread.counts[:, starts]
    for at in range(1, int(entries.max(initial=0))):
        more = np.flatnonzero(entries > at)
        most[:, more] = np.maximum(most[:, more], spread.counts[:, starts[more] + at])
    return most


class LossCost(NamedTuple):
    """Per cell of a record the values that its part has beyond one, as a share of all; 1 for a suppressed cell.

    As the metric, but that a missing cell is always one of the values. Priorities weigh columns and sum up to 1.
    """

    rows: Costs
    """By row what a cell of the column that the rows are of costs, by its priority."""
    classes: Costs
    """By class what the cells of the other columns cost."""
    unit: float
    name: str = "loss"
    needs: tuple[Columns, ...] = ()

    def of(self, sheet: Sheet, gone: Mask, least: int = 0) -> Costs:
        """Return the cost of the cells of each record."""
        kept = np.where(gone, 0, sheet.sizes)
        found: Costs = kept.sum(axis=1) * self.rows + kept @ self.classes + np.where(gone, sheet.sizes, 0).sum(axis=1)
        return found
