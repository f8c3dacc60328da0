"""Build the hierarchy of one column and describe it along the data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy, Row
from incrowd.hierarchies import Spec, by_table, described, levels, settled, tree
from incrowd.hierarchies import build as build_hierarchy
from incrowd.hierarchies.automatic import propose_each
from incrowd.hierarchies.overview import Overview, overview
from incrowd.results import Result

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True, repr=False)
class ColumnHierarchy(Brief, Result):
    """The hierarchy of a column, and what each of its levels does to the data."""

    hierarchy: Hierarchy
    overview: Overview
    builder: str
    options: dict[str, Any]
    """Options of the builder, as a job would give them."""
    has_own_losses: bool = False
    """Whether the information loss of each level was given."""
    show_values: bool = False
    """Whether values of the data may be shown."""
    reason: str | None = None
    """Why it is proposed, in one short sentence; None if it was given."""

    @property
    def spec(self) -> dict[str, Any]:
        """The hierarchy as a job describes it."""
        return {self.builder: self.options}

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every value with its label on each level."""
        return tuple(self.hierarchy.rows)

    def save(self, path: str | PathLike[str], replace: bool = False) -> None:
        """Write a level table, or a tree if the name ends in .yaml or .yml, which other commands and jobs read."""
        is_tree = Path(path).suffix.lower() in (".yaml", ".yml")
        (tree if is_tree else levels).save(self.hierarchy, Path(path), replace)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; rows only if values may be shown."""
        rows = [list(row) for row in self.rows] if self.show_values else None
        losses = list(self.hierarchy.losses)
        plain = {"hierarchy": self.spec, "reason": self.reason, "losses": losses, "rows": rows}
        return {**self.overview.to_dict(), **plain}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each level."""
        return [{**asdict(each), "examples": list(each.examples)} for each in self.overview.levels]

    def parts(self) -> list[str]:
        """Return the levels as a table, and why they are proposed."""
        why = [] if self.reason is None else [f"Proposed: {self.reason}."]
        return [*self.overview.parts(self.show_values), *why]

    def look(self) -> list[str]:
        """Return the levels without values of the data."""
        return self.overview.parts(with_examples=False)

    def plot(self) -> Chart:
        """Return a picture of the labels of each level that the data have."""
        from incrowd.charts import bars

        return bars([(f"level {each.level}", each.in_data) for each in self.overview.levels], "labels in the data")


def column_hierarchy(
    spec: Spec,
    frequencies: FrequencySet,
    losses: Sequence[float] | None = None,
    show_values: bool = False,
    missing: Collection[str] = (),
    beside: Callable[[], FrequencySet] | None = None,
) -> ColumnHierarchy:
    """Build the hierarchy of the one column of a frequency set; without a description one is proposed.

    `beside` counts the column along with the others of the table, which is done only if groups are learned from them.
    """
    (name,), (values,) = frequencies.names, frequencies.values
    builder, options = settled(described(spec, values), name)
    asked = builder == "automatic" or by_table(builder, name)
    proposed = propose_each(frequencies, [name])[name] if asked else None
    if proposed is not None and proposed.is_learned and beside is not None:
        proposed = propose_each(beside(), [name])[name]
    if proposed is not None and proposed.spec is not None:
        ((builder, by_itself),) = proposed.spec.items()
        options = {**by_itself, **options}
    per_level = options.pop("losses", None) if losses is None else list(losses)
    built = build_hierarchy({builder: {**options, "losses": per_level}}, values, name, missing=missing)
    facts = overview(built, frequencies, show_values)
    reason = None if proposed is None else proposed.reason
    return ColumnHierarchy(built, facts, builder, options, per_level is not None, show_values, reason)
