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
from incrowd.core.people import with_person
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import Infeasible, Interrupted, UsageError
from incrowd.families import PROTECTIONS, RULES
from incrowd.hierarchies import Spec, build
from incrowd.models.of_people import records_are_people
from incrowd.tables.cells import Cells, Numbers, tabulate
from incrowd.tables.derived import with_known_counts
from incrowd.tables.measure import Measure
from incrowd.tables.protections import Protection
from incrowd.tables.result import PublishedTable, published
from incrowd.tables.rules import Rule
from incrowd.tables.safety import audited
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
    """The spelling of the protection."""
    hierarchies: Mapping[str, Spec] = field(default_factory=dict)
    """Hierarchies of columns that get subtotals, by name."""
    seed: int | None = None
    """Random seed; drawn if not given."""
    in_full: bool = False
    """True if the intervals of all suppressed cells are wanted, however many they are."""
    contributors: int = 1
    """The number of contributors that may combine knowledge of their own records: 1 or 2."""
    person: tuple[str, ...] = ()
    """The columns that together tell the person of a record: contributors are people then."""

    def __post_init__(self) -> None:
        if self.contributors not in (1, 2):
            raise UsageError.not_one_of("contributors", self.contributors, ["1", "2"])
        whole = isinstance(self.seed, int) and not isinstance(self.seed, bool)
        if self.seed is not None and (not whole or self.seed < 0):
            raise UsageError.not_one_of("random seed", self.seed, ["a whole number, 0 or more"])

    @classmethod
    def of(cls, by: Sequence[str] | str, measure: str, rules: Any, protect: Any, **further: Any) -> TableOptions:
        """Return the options as given by a user."""
        kind = Measure.parse(measure)
        given = [rules] if isinstance(rules, str | Mapping) else list(rules or ())
        usual = USUAL_RULES["count" if kind.column is None else "sum"]
        chosen: list[Rule] = [RULES.member(rule) for rule in given or usual]
        for rule in chosen:
            if kind.column is None and not rule.for_counts and not further.get("person"):
                raise UsageError.invalid(
                    f"rule {RULES.name_of(rule)}",
                    "needs amounts, which a table of counts does not have",
                    "use threshold, sum a column, or say who a record is about (person)",
                )
        protection: Protection = PROTECTIONS.member(protect)
        columns = (by,) if isinstance(by, str) else tuple(by)
        by_spelling = {RULES.spell(rule): rule for rule in chosen}
        further["person"] = _names(further.get("person"))
        return cls(columns, kind, by_spelling, protection, PROTECTIONS.spell(protection), **further)


def _names(given: Sequence[str] | str | None) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given or ())


def publish(source: Source, options: TableOptions, watch: Watch) -> PublishedTable:
    """Return the table, protected and audited; raise Infeasible if it would disclose a sensitive cell."""
    if find_spec("scipy") is None or find_spec("highspy") is None:
        raise UsageError.invalid(
            "the table",
            "the audit needs SciPy and highspy",
            "run: pip install 'incrowd[table]'",
        )
    by = chosen_columns(options.by, source.columns, "by")
    if options.measure.over is not None and options.measure.over not in by:
        raise UsageError.unknown_columns([options.measure.over], by)
    summed = (
        () if options.measure.column is None else chosen_columns([options.measure.column], source.columns, "measure")
    )
    if set(summed) & set(by):
        raise UsageError.invalid(
            f"the {options.measure.kind} of column {summed[0]!r}",
            "the table is already by this column",
            f"{'sum' if options.measure.kind == 'sum' else 'average'} a column that is not in --by",
        )
    person = chosen_columns(options.person, source.columns, "person") if options.person else ()
    names = (*by, *summed)
    try:
        counted = count(source, tuple(dict.fromkeys((*names, *person))), watch)
        if not person or records_are_people(counted, person):
            return _made(counted.project(names) if person else counted, by, options, watch)
        return _made(with_person(counted, names, person), by, options, watch, of_people=True)
    except Stopped as stop:
        why = "timed out" if stop.reason == "time" else "interrupted"
        raise Interrupted(f"{why} before a safe table was found; nothing is published") from None


def _made(
    frequencies: FrequencySet, by: Sequence[str], options: TableOptions, watch: Watch, of_people: bool = False
) -> PublishedTable:
    cells = tabulate(frequencies, by, options.measure, _ladders(frequencies, by, options.hierarchies), of_people)
    cells = replace(cells, contributors=options.contributors)
    room = rooms(cells, list(options.rules.values()))
    seed = randbits(64) if options.seed is None else options.seed
    protected = options.protection.protect(cells, room, np.random.default_rng(seed), watch)
    protected = with_known_counts(cells, protected)
    audit = audited(cells, room, protected, options.in_full, watch)
    if len(audit.given_away) or len(audit.to_contributors):
        raise Infeasible.gives_away(
            len(audit.given_away), len(audit.to_contributors), len(audit.sensitive), options.protection.remedy()
        )
    settings = {
        "rules": list(options.rules),
        "protection": options.spelled,
        "seed": seed,
        "contributors": options.contributors,
        **({"person": list(options.person), "people": _people(frequencies, of_people)} if options.person else {}),
    }
    return published(cells, protected, audit, settings)


def _people(frequencies: FrequencySet, of_people: bool) -> int:
    return frequencies.cardinalities[-1] - 1 if of_people else frequencies.records


def rooms(cells: Cells, rules: Sequence[Rule]) -> Numbers:
    """Return per cell how far its interval must reach, by the strictest rule; 0 if no rule makes it sensitive."""
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
