"""A first look at a table: the content of each column, how much it singles out records, and a suggested role."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.commands import command, source_arguments, steps
from incrowd.core.brief import Brief
from incrowd.core.schema import Role, Schema
from incrowd.diagnosis.bars import bars
from incrowd.diagnosis.contribution import contributions
from incrowd.diagnosis.people import RepeatedPeople, find_people
from incrowd.diagnosis.ranges import FirstRanges, first_ranges
from incrowd.engines.source import Source, Steps, chosen_columns
from incrowd.engines.source import count as count_source
from incrowd.errors import listed
from incrowd.noticing import Notice, notices
from incrowd.noticing.wording import as_text
from incrowd.proposing import Proposal, propose
from incrowd.proposing.facts import Column, Sureness, Table
from incrowd.proposing.kinds import Kind, placeholders
from incrowd.results import Result
from incrowd.text import Cell, count, percent, table
from incrowd.watch import Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart


_K = 5
"""The k of a first job."""


@dataclass(frozen=True, repr=False)
class ColumnReport(Brief):
    """One column. In all that is said about k and unique records, missing is a value like any other."""

    name: str
    type: Kind
    distinct: int
    """Distinct values, missing not counted."""
    missing: int
    missing_share: float
    unique_share: float
    """The share of records whose value in this column is unique."""
    k_loss: float | None
    """The average loss of k when the column joins other columns; None if no set of them was counted."""
    unique_gain: float | None
    """The average number of records that become unique when the column joins other columns."""
    role: Role
    reason: str
    sureness: Sureness
    """How sure the suggested role is."""
    placeholders: tuple[str, ...] = ()
    """Texts among its values that often mean missing, such as ?."""
    spellings: int = 0
    """Values that are another spelling of one of the others: they differ in blanks, case, Unicode form or invisible
    characters alone."""
    most_frequent: int = 0
    """The records with its most frequent value; missing counts as one."""
    person: bool = False
    """True if the column tells, alone or with others, which person a record is about."""
    alike: float = 0.0
    """The chance that five records drawn at random share one value; missing counts as one."""
    bars: tuple[float, ...] = ()
    """The distribution of its values: the share of records in each of a few equal ranges of numbers or dates, or of the
    most frequent values."""


@dataclass(frozen=True, repr=False)
class Inspection(Brief, Result):
    """The result of a first look."""

    source: str
    arguments: tuple[str, ...]
    """The arguments that name the source on a command line; empty if it has no name there."""
    records: int
    columns: tuple[ColumnReport, ...]
    largest_set: int
    """The largest number of columns in the sets averaged over, including the one that joins; 1: there are none."""
    stopped: str | None = None
    """The reason larger sets were not counted: 'time' or 'interrupted'; None if the watch did not stop it."""
    people: RepeatedPeople | None = None
    """The people of the table, if a person has several records and columns tell so."""
    noticed: tuple[Notice, ...] = ()
    """How values are written, and what is assumed; nothing is changed by it."""
    ranges: Mapping[str, FirstRanges] = field(default_factory=dict)
    """By column of numbers that are nearly all different, the ranges that protect it if it is sensitive (k = 5)."""

    @property
    def exact(self) -> bool:
        """Return whether the averages are over all sets of columns there are."""
        return self.largest_set == len(self.columns)

    @property
    def unsure_first(self) -> list[ColumnReport]:
        """Return the columns in their order, those whose role is unsure before the others."""
        return sorted(self.columns, key=lambda column: column.sureness is not Sureness.UNSURE)

    @property
    def placeholders(self) -> dict[str, list[str]]:
        """Return texts that often mean missing, each with the columns in which it occurs."""
        found: dict[str, list[str]] = {}
        for column in self.columns:
            for text in column.placeholders:
                found.setdefault(text, []).append(column.name)
        return found

    @property
    def schema(self) -> Schema:
        """Return the suggested roles."""
        return Schema({column.name: column.role for column in self.columns})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "source": self.source,
            "records": self.records,
            "largest_set": self.largest_set,
            "exact": self.exact,
            "stopped": self.stopped,
            "people": None if self.people is None else self.people.to_dict(),
            "columns": [
                {
                    **vars(column),
                    "type": str(column.type),
                    "role": str(column.role),
                    "sureness": str(column.sureness),
                }
                for column in self.columns
            ],
            "noticed": [notice.to_dict() for notice in self.noticed],
            "ranges": {name: of.options for name, of in self.ranges.items()},
            "range_chances": {name: of.chance for name, of in self.ranges.items()},
        }

    def to_json(self) -> str:
        """Return the same as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each column, in the order of the table."""
        rows: list[dict[str, Any]] = self.to_dict()["columns"]
        return [{**row, "placeholders": list(row["placeholders"]), "bars": list(row["bars"])} for row in rows]

    def plot(self) -> Chart:
        """Return a picture of the share of records that each column alone makes unique."""
        from incrowd.charts import bars

        shares = [(column.name, column.unique_share) for column in self.columns]
        return bars(shares, "share of records that the column alone makes unique", share=True)

    def parts(self) -> list[str]:
        """Return the columns as a table, those whose role is unsure first, and what to do next."""
        size = f"{self.source}: {count(self.records, 'record')}, {count(len(self.columns), 'column')}."
        people = [] if self.people is None else [f"{self.people.sentence()} {_count_people(self, self.people)}"]
        noticed = [as_text(self.noticed)] if self.noticed else []
        return [size, _as_table(self), _explained(self), *people, *noticed, _what_next(self)]

    def look(self) -> list[str]:
        """Return the same without what was noticed of values, which may quote some."""
        noticed = as_text(self.noticed) if self.noticed else None
        hint = "Something was noticed about values: print(...) shows it."
        return [hint if part == noticed else part for part in self.parts()]


def inspect(
    source: Source, watch: Watch, among: Sequence[str] | None = None, readings: Steps | None = None
) -> Inspection:
    """Look at all columns of a source, or at the named ones, each read as `readings` say."""
    names = source.columns if among is None else chosen_columns(among, source.columns, "among")
    steps = {} if readings is None else readings
    if steps:
        chosen_columns(steps, source.columns, "the columns to read")
        source = source.normalized(steps)
    frequencies = count_source(source, names, watch)
    added = contributions(frequencies, watch)
    people = find_people(frequencies, names)
    table = Table.of(frequencies)
    proposed = propose(table)
    effects = zip(table.columns, added.k_losses, added.unique_gains, strict=True)
    columns = [_report(column, proposed[column.name], loss, gain) for column, loss, gain in effects]
    return Inspection(
        source.name,
        source_arguments(source.name),
        frequencies.records,
        tuple(columns if people is None else [_telling(column, people) for column in columns]),
        added.largest_set,
        added.stopped,
        people,
        tuple(notice for column in table.columns for notice in notices(column, steps.get(column.name, ()), names)),
        {column.name: found for column in table.columns if (found := first_ranges(column, _K)) is not None},
    )


def _telling(column: ColumnReport, people: RepeatedPeople) -> ColumnReport:
    """Return a column with the role person if it tells the person; a quasi-identifier stays one."""
    if column.name not in people.columns:
        return column
    if len(people.columns) > 1 and column.role is Role.QUASI:
        return replace(
            column, person=True, reason=f"{column.reason}; with {_others(column, people)} it tells the person"
        )
    beside = f", with {_others(column, people)}" if len(people.columns) > 1 else ""
    sureness = Sureness.SURE if column.role is Role.IDENTIFIER else Sureness.LIKELY
    reason = f"its values repeat and tell the person{beside}"
    return replace(column, person=True, role=Role.PERSON, reason=reason, sureness=sureness)


def _others(column: ColumnReport, people: RepeatedPeople) -> str:
    return " and ".join(name for name in people.columns if name != column.name)


def _report(column: Column, proposed: Proposal, k_loss: float | None, unique_gain: float | None) -> ColumnReport:
    return ColumnReport(
        name=column.name,
        type=column.kind,
        distinct=column.distinct,
        missing=column.missing,
        missing_share=column.missing / max(1, column.records),
        unique_share=(column.unique + (column.missing == 1)) / max(1, column.records),
        k_loss=k_loss,
        unique_gain=unique_gain,
        role=proposed.role,
        reason=proposed.reason,
        sureness=proposed.sureness,
        placeholders=placeholders(column.values),
        spellings=column.spellings,
        most_frequent=max(int(column.holders.max(initial=0)), column.missing),
        alike=_alike(column),
        bars=bars(column),
    )


def _alike(column: Column) -> float:
    """Return the chance that records of a class of k, drawn at random, share one value."""
    shares = np.append(column.holders, column.missing) / max(1, column.records)
    return float((shares**_K).sum())


_HEADERS = ("column", "type", "distinct", "missing", "unique", "k lost", "unique gained", "role", "sureness", "because")


def _as_table(inspection: Inspection) -> str:
    """Return the columns, those whose role is unsure first."""
    columns = inspection.unsure_first
    records = max(1, inspection.records)
    missing = _to_the_right([percent(column.missing_share) for column in columns])
    unique = _to_the_right([percent(column.unique_share) for column in columns])
    gained = _to_the_right(
        ["-" if column.unique_gain is None else percent(column.unique_gain / records) for column in columns]
    )
    rows: list[list[Cell]] = [
        [
            column.name,
            column.type,
            column.distinct,
            missing[at],
            unique[at],
            None if column.k_loss is None else _rounded(column.k_loss),
            gained[at],
            column.role,
            column.sureness,
            column.reason,
        ]
        for at, column in enumerate(columns)
    ]
    return table(_HEADERS, rows)


def _to_the_right(texts: Sequence[str]) -> list[str]:
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _rounded(average: float) -> int | float:
    """Return as many digits as a reader needs."""
    return round(average) if average >= 100 else round(average, 2)


def _explained(inspection: Inspection) -> str:
    """Explain the figures and their limits."""
    lines = ["unique: share of records that the column alone makes unique."]
    if inspection.largest_set > 1:
        sets = (
            "every set of other columns" if inspection.exact else f"sets of up to {inspection.largest_set - 1} others"
        )
        lines.append(f"k lost, unique gained: the column's average effect when it joins {sets}.")
    elif len(inspection.columns) > 1 and not inspection.stopped:
        lines.append("Joint effects were not counted: there are too many columns; choose some with --among.")
    if inspection.stopped:
        why = "timed out" if inspection.stopped == "time" else "interrupted"
        lines.append(f"Larger sets of columns were not counted: {why}.")
    return "\n".join(lines)


def _count_people(inspection: Inspection, people: RepeatedPeople) -> str:
    """Return how to count people instead of records."""
    if inspection.arguments and "".join(people.columns).isprintable():
        return f"To count people instead of records, add --person {shlex.quote(','.join(people.columns))}"
    return f"To count people instead of records, add person={list(people.columns)}"


def _what_next(inspection: Inspection) -> str:
    unsure = sum(column.sureness is Sureness.UNSURE for column in inspection.columns)
    first = f" Start with the {count(unsure, 'unsure one')} at the top." if unsure else ""
    lines = [f"Correct the roles: a quasi-identifier is anything an attacker may know about a person.{first}"]
    told = {notice.column for notice in inspection.noticed}
    mixed = [column.name for column in inspection.columns if column.type is Kind.MIXED and column.name not in told]
    if mixed:
        lines.append(
            f"Text is mixed with numbers or dates in {listed(mixed)}. If it means missing, name it with --missing"
        )
    quasi = inspection.schema.quasi
    if not quasi:
        return "\n".join(lines)
    # Control characters must not reach the terminal; Python's notation escapes them.
    on_command_line = inspection.arguments and "".join(quasi).isprintable()
    return "\n".join([*lines, "", steps(_commands(inspection) if on_command_line else _calls(inspection))])


def _commands(inspection: Inspection) -> list[tuple[str, str]]:
    """Return the next commands, each with what it does."""
    source, quasi = inspection.arguments, inspection.schema.quasi
    return [
        (
            command("diagnose", source, "--quasi", quasi, "--k", "5"),
            "checks whether every class has at least 5 records",
        ),
        (
            command("diagnose", source, "--among", quasi, "--k", "5"),
            "lists which of these columns can be published together",
        ),
        (command("risk", source, "--quasi", quasi), "measures the risk from an attacker who knows these columns"),
    ]


def _calls(inspection: Inspection) -> list[tuple[str, str]]:
    """Return the same calls in Python, for a source without a name on the command line."""
    quasi = list(inspection.schema.quasi)
    return [
        (f"incrowd.diagnose(source).ask(quasi={quasi}, k=5)", "checks whether every class has at least 5 records"),
        (f"incrowd.diagnose(source, among={quasi}).ask(k=5)", "lists which of these columns can be published together"),
    ]
