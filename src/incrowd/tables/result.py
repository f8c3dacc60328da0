"""A published table, and the private details that only its owner may see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np

from incrowd.core.brief import Brief
from incrowd.results import Result
from incrowd.tables import wording
from incrowd.tables.cells import Cells
from incrowd.tables.derived import shown
from incrowd.tables.protections import Protected
from incrowd.tables.safety import Audit

SUPPRESSED = "x"
"""The content of a suppressed cell, whether primary or secondary."""
NOTHING = "-"
"""The content of a cell without a mean or share, since the divisor is zero."""

Row = tuple[str | int | float, ...]


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable(Brief, Result):
    """A table of counts, sums, means or shares that was protected and audited; only `private` must be kept secret."""

    by: tuple[str, ...]
    measure: str
    labels: tuple[tuple[str, ...], ...]
    """Per column the labels of its categories, then of its subtotals, and last of the total."""
    values: tuple[int | float | None, ...]
    """Every cell, the labels of the last column changing fastest; None if suppressed, NaN without a mean or share."""
    notes: tuple[str, ...]
    """Notes for readers."""
    private: dict[str, Any] = field(repr=False)
    """For the owner alone: rules, seed, sensitive cells and what an attacker can find out about each hidden one."""

    @property
    def suppressed(self) -> int:
        """Return the number of suppressed cells."""
        return sum(value is None for value in self.values)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of the published table: those it is by, and its numbers."""
        name = self.measure.replace(":", "_")
        while name in self.by:
            name += "_"
        return (*self.by, name)

    def rows(self) -> Iterator[Row]:
        """Yield one row per cell: its labels and its number, `x` if suppressed, `-` if it has no mean or share."""
        shape = tuple(map(len, self.labels))
        for at, value in enumerate(self.values):
            nodes = np.unravel_index(at, shape)
            labels = (of[int(node)] for of, node in zip(self.labels, nodes, strict=True))
            yield (*labels, SUPPRESSED if value is None else NOTHING if value != value else value)

    def to_dict(self, private: bool = False) -> dict[str, Any]:
        """Return plain data for JSON; with the private details if `private`."""
        public = {
            "by": list(self.by),
            "measure": self.measure,
            "notes": list(self.notes),
            "audit": " ".join(wording.audited(self.private)),
            "suppressed": self.suppressed,
            "totals": [of[-1] for of in self.labels],
            "columns": list(self.columns),
            "cells": [list(row) for row in self.rows()],
        }
        return {**public, "private": self.private} if private else public

    def to_json(self) -> str:
        """Return the published table as a JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def save(self, location: str | PathLike[str], replace: bool = False) -> str:
        """Write the published table, whole or not at all: .json with its notes, or a row a cell in any other format."""
        from incrowd.tables.writing import save

        return save(self, fspath(location), replace)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each cell: its labels and its number; None if suppressed, NaN without a mean or share."""
        found = zip(self.rows(), self.values, strict=True)
        return [dict(zip(self.columns, (*row[:-1], value), strict=True)) for row, value in found]

    def parts(self) -> list[str]:
        """Return the published table, its notes and the result of the audit."""
        return wording.parts(self)


def published(cells: Cells, protected: Protected, audit: Audit, settings: dict[str, Any]) -> PublishedTable:
    """Return the public part of a table that passed its audit, with private details."""
    values = shown(cells, protected)
    labels = tuple(axis.labels for axis in cells.axes)
    notes = (*protected.words, *wording.notes(cells, labels, values))
    return PublishedTable(
        by=tuple(axis.name for axis in cells.axes),
        measure=str(cells.measure),
        labels=labels,
        values=values,
        notes=notes,
        private={**settings, "sensitive": len(audit.sensitive), **protected.private, "ranges": _ranges(cells, audit)},
    )


def _ranges(cells: Cells, audit: Audit) -> list[dict[str, Any]] | None:
    """Return the intervals that an attacker can derive: per suppressed cell, or per sensitive one if none is."""
    if audit.ranges is None:
        return None
    sensitive = set(audit.sensitive.tolist())
    return [
        {
            "cell": list(cells.labels(int(cell))),
            "value": cells.shown(int(cells.values[cell])),
            "low": cells.shown(int(low)),
            "high": cells.shown(int(high)),
            "sensitive": int(cell) in sensitive,
        }
        for cell, low, high in zip(audit.ranges.cells, audit.ranges.low, audit.ranges.high, strict=True)
    ]
