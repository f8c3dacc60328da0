"""The facts of a report on a column that is generalized: its level, its values before and after, and what is lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from incrowd.comparison.columns import Column
from incrowd.comparison.distributions import Bars, Spread, expected, spread
from incrowd.comparison.metadata import recorded
from incrowd.comparison.tables import Original
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import WILDCARDS, Role
from incrowd.core.table import MISSING
from incrowd.errors import IncrowdError
from incrowd.release import Figures, Manifest, PublishedQuasi, RecodedQuasi, Record
from incrowd.release_metrics.distribution_distance import DistributionDistance
from incrowd.release_metrics.loss import LossOfRelease


@dataclass(frozen=True, repr=False)
class ColumnFacts(Brief):
    """A quasi-identifier, its level and its information loss."""

    name: str
    level: int | None
    """None if it differs between cells."""
    height: int | None
    form: str | None
    loss: float | None
    """The mean share of its domain that a cell leaves open, suppressed cells counted as 1."""
    published: int
    """Different published cells."""
    before: Spread | None = None
    after: Spread | None = None
    told: Spread | None = None
    """The values estimated from the release, in the bars of `before`."""
    distance: float | None = None
    """How far its distribution, as the release shows it, is from the original one: 0 to 1."""


class Measured(NamedTuple):
    """Facts of a column that need both the release and the original table."""

    loss: float | None
    told: Spread | None = None
    distance: float | None = None


def known_loss(figures: Figures | None, name: str) -> Measured:
    """Return what is known of a column without measuring it."""
    return Measured(None if figures is None else figures.losses.get(name))


def column_facts(
    column: PublishedQuasi | RecodedQuasi,
    measured: Measured,
    after: FrequencySet,
    before: FrequencySet | None,
    is_private: bool,
) -> ColumnFacts:
    """Return the facts of a quasi-identifier."""
    published = after.project([column.name])
    return ColumnFacts(
        column.name,
        column.level,
        column.height,
        column.form,
        measured.loss,
        int(np.count_nonzero(published.codes[0] != MISSING)),
        None if before is None else spread(before, column.name),
        spread(after, column.name) if is_private else None,
        measured.told,
        measured.distance,
    )


def measured_columns(
    manifest: Manifest, record: Record | None, before: FrequencySet | None, after: FrequencySet
) -> dict[str, Measured]:
    """Return what the release itself shows of each column; nothing if its cells cannot be read."""
    wild = manifest.nulls in WILDCARDS or manifest.wiped
    if before is None or record is None or manifest.apart is not None or wild:
        return {}
    roles = {column.name: Role.QUASI for column in manifest.quasi}
    roles |= {name: Role.SENSITIVE for name in manifest.sensitive if name in after.names and name in before.names}
    columns: Mapping[str, Column] = {name: recorded(name, Column(role), record) for name, role in roles.items()}
    names = list(roles)
    try:
        table = Original.of(before.project(names), columns)
        released = table.released("the release", after.project(names), columns, None)
    except IncrowdError:
        return {}
    losses = LossOfRelease().measure(released).parts
    distances = DistributionDistance().measure(released).parts
    return {
        name: Measured(
            losses.get(name) if roles[name] == Role.QUASI else None,
            expected(Bars.of(before, name), released.columns[at], released.total(at)),
            distances.get(name),
        )
        for at, name in enumerate(names)
    }
