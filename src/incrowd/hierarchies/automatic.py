"""The ladder that a column's values suggest: the strongest suggestion of the builders wins.

Every builder may declare `suggest(column)`, its options for a column with a reason, or None where it does not fit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.families import BUILDERS
from incrowd.hierarchies._learning import learned
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column, Table

MEANING = "Suggested from the values: intervals, units of time, groups of codes, masks, or a single top level."
RANK = 1

BY_VALUES = True

_TWO = "two values: between them and the top there is nothing"
_ONE = "one value: there is nothing to join"
_NONE = "nothing is known that its values have in common"


@dataclass(frozen=True, repr=False)
class Proposed(Brief):
    """The hierarchy proposed for a column, and why."""

    spec: dict[str, dict[str, Any]] | None
    """A builder with its options; None where nothing lies between the values and the top."""
    reason: str
    """One short sentence that quotes no value."""
    is_learned: bool = False
    """Whether it follows from the other columns too."""


def build(values: pa.Array, *, name: str = "unnamed") -> Hierarchy:
    """Return the ladder that the values alone suggest."""
    spec = propose(values)
    if spec is None:
        return hierarchy_of(name, sorted(text_forms(value)[0] for value in plain(values)), [])
    ((builder, options),) = spec.items()
    hierarchy: Hierarchy = BUILDERS.module(builder).build(values, name=name, **options)
    return hierarchy


def declares_levels(options: Mapping[str, Any]) -> bool:
    """Return False: the values propose them."""
    return False


def propose(values: pa.Array) -> dict[str, dict[str, Any]] | None:
    """Return what the values alone suggest: a builder with its options; None where there is no level below the top."""
    return _proposed(Column.alone(values), []).spec


def propose_each(counted: FrequencySet, columns: Sequence[str]) -> dict[str, Proposed]:
    """Return what is proposed for columns, along with all other columns that were counted.

    Texts without a form of their own get groups that resemble each other in the other columns.
    """
    table = Table.of(counted)
    return {
        column.name: _proposed(column, learned(table, column)) for column in table.columns if column.name in columns
    }


def _proposed(column: Column, further: Sequence[tuple[str, Suggestion]]) -> Proposed:
    """Return the strongest suggestion; of equally strong ones the first by the builder's name."""
    judges = {name: module.suggest for name, module in BUILDERS.modules().items() if hasattr(module, "suggest")}
    found = [(name, said) for name, judge in sorted(judges.items()) if (said := judge(column)) is not None]
    if not found and not further:
        return Proposed(None, {1: _ONE, 2: _TWO}.get(column.distinct, _NONE))
    builder, best = max([*found, *further], key=lambda each: each[1].sure)
    return Proposed({builder: best.options}, best.reason, any(best is said for _, said in further))
