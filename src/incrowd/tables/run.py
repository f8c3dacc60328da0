"""From records to a table that may be published: count, find what is sensitive, protect, audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from secrets import randbits
from typing import Any

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import Infeasible, Interrupted, UsageError
from incrowd.hierarchies import Spec, build
from incrowd.tables.cells import Cells, Numbers, tabulate
from incrowd.tables.derived import with_known_counts
from incrowd.tables.measure import Measure
from incrowd.tables.protections import Protection
from incrowd.tables.result import PublishedTable, published
from incrowd.tables.rules import Rule
from incrowd.tables.safety import audited
from incrowd.tables.spelling import named, spelled
from incrowd.watch import Stopped, Watch

USUAL_RULES = {"count": ("threshold",), "sum": ("threshold", "p_percent")}
"""The rules of a table for which none is given."""


@dataclass(frozen=True)
class TableOptions:
    """The table that a user wants."""

    by: tuple[str, ...]
    measure: Measure
    rules: Mapping[str, Rule]
    """By their spelling."""
    protection: Protection
    spelled: str
    """How the protection is spelled."""
    hierarchies: Mapping[str, Spec] = field(default_factory=dict)
    """Of columns that get subtotals, by name."""
    seed: int | None = None
    """What chance starts from; drawn when not given."""
    in_full: bool = False
    """Whether the ranges of all hidden cells are wanted, however many they are."""
    contributors: int = 1
    """How many contributors may put together what they know of their own records: 1 or 2."""

    def __post_init__(self) -> None:
        if self.contributors not in (1, 2):
            raise UsageError.not_one_of("the number of contributors", self.contributors, ["1", "2"])
        whole = isinstance(self.seed, int) and not isinstance(self.seed, bool)
        if self.seed is not None and (not whole or self.seed < 0):
            raise UsageError.not_one_of("the seed", self.seed, ["a whole number, 0 or more"])

    @classmethod
    def of(cls, by: Sequence[str] | str, measure: str, rules: Any, protect: Any, **further: Any) -> TableOptions:
        """From the words of a user."""
        kind = Measure.parse(measure)
        given = [rules] if isinstance(rules, str | Mapping) else list(rules or ())
        chosen = [named("rule", rule) for rule in given or USUAL_RULES["count" if kind.column is None else "sum"]]
        for name, rule in chosen:
            if kind.column is None and not rule.for_counts:
                raise UsageError.senseless(
                    f"rule {name}",
                    "it compares amounts, and a table of counts has none",
                    "use threshold, or sum a column",
                )
        name, protection = named("protection", protect)
        columns = (by,) if isinstance(by, str) else tuple(by)
        by_spelling = {spelled(name, rule): rule for name, rule in chosen}
        return cls(columns, kind, by_spelling, protection, spelled(name, protection), **further)


def publish(source: Source, asked: TableOptions, watch: Watch) -> PublishedTable:
    """The table, protected and audited; Infeasible where it would give somebody away."""
    if find_spec("scipy") is None or find_spec("highspy") is None:
        raise UsageError.senseless(
            "the table",
            "auditing it needs SciPy and highspy, which are not both installed",
            "run: pip install 'incrowd[table]'",
        )
    by = chosen_columns(asked.by, source.columns, "by")
    if asked.measure.over is not None and asked.measure.over not in by:
        raise UsageError.unknown_columns([asked.measure.over], by)
    summed = () if asked.measure.column is None else chosen_columns([asked.measure.column], source.columns, "measure")
    if set(summed) & set(by):
        raise UsageError.senseless(
            f"the {asked.measure.kind} of column {summed[0]!r}",
            "the table is by that column",
            f"{'sum' if asked.measure.kind == 'sum' else 'average'} a column that is not among --by",
        )
    try:
        return _made(count(source, [*by, *summed], watch), by, asked, watch)
    except Stopped as stop:
        why = "the time was up" if stop.reason == "time" else "interrupted"
        raise Interrupted(f"{why} before the table was safe; nothing is published") from None


def _made(frequencies: FrequencySet, by: Sequence[str], asked: TableOptions, watch: Watch) -> PublishedTable:
    cells = tabulate(frequencies, by, asked.measure, _ladders(frequencies, by, asked.hierarchies))
    cells = replace(cells, contributors=asked.contributors)
    room = rooms(cells, list(asked.rules.values()))
    seed = randbits(64) if asked.seed is None else asked.seed
    protected = asked.protection.protect(cells, room, np.random.default_rng(seed), watch)
    protected = with_known_counts(cells, protected)
    audit = audited(cells, room, protected, asked.in_full, watch)
    if len(audit.given_away) or len(audit.to_contributors):
        raise Infeasible.gives_away(
            len(audit.given_away), len(audit.to_contributors), len(audit.sensitive), asked.protection.remedy()
        )
    settings = {
        "rules": list(asked.rules),
        "protection": asked.spelled,
        "seed": seed,
        "contributors": asked.contributors,
    }
    return published(cells, protected, audit, settings)


def rooms(cells: Cells, rules: Sequence[Rule]) -> Numbers:
    """Per cell how far its range must reach, by the strictest rule; 0 where no rule makes it sensitive."""
    # No cell has more contributors than that.
    most = max(2, int(cells.counts.max(initial=0)))
    largest = cells.largest(min(most, max((rule.largest for rule in rules), default=0)))
    found = np.zeros(len(cells), dtype=np.int64)
    for rule in rules:
        found = np.maximum(found, rule.needed(cells, largest))
    return found


def _ladders(
    frequencies: FrequencySet, by: Sequence[str], hierarchies: Mapping[str, Spec]
) -> dict[str, EncodedHierarchy]:
    unknown = [name for name in hierarchies if name not in by]
    if unknown:
        raise UsageError.unknown_columns(unknown, by)
    values = dict(zip(frequencies.names, frequencies.values, strict=True))
    return {name: build(spec, values[name], name).along(name, values[name]) for name, spec in hierarchies.items()}
