"""The text of a report on a table: settings, unique records, the columns that single them out, and remedies."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from incrowd import charts
from incrowd.core.schema import WILDCARDS
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Points, Section, Share, Words, several
from incrowd.reports.diagnosis_facts import AnswerFacts, AnswerOnly, DiagnosisFacts
from incrowd.reports.release_words import missing_cells, sizes_picture
from incrowd.text import attributes, count, number, percent

_MOST_SETS = 40
_MOST_BARS = 40
_USUAL = (2, 3, 5, 10, 20, 50)
"""The values of k in the table below the curve."""


def diagnosis_sections(facts: DiagnosisFacts) -> tuple[Section, ...]:
    """Return the sections of a report on a table."""
    found = [
        Section("Summary", tuple(_short(facts))),
        Section("Settings", tuple(_settings(facts))),
        Section("Class sizes", tuple(_sizes(facts))),
        Section(f"Columns that single out {_units(facts)}", tuple(_sets(facts))),
        Section("Contribution of each column", tuple(_columns(facts))),
        Section("Suppression needed for k", tuple(_suppression(facts))),
    ]
    return tuple(section for section in found if section.blocks)


def answer_sections(facts: AnswerOnly) -> tuple[Section, ...]:
    """Return the sections of a report on a single answer."""
    lines = (
        f"The table has {count(facts.records, 'record')}. An attacker may know {several(facts.among)}.",
        missing_cells(facts.nulls),
    )
    return (
        Section("Summary", (Words(facts.answer.sentence),)),
        Section("Settings", (Points(lines), *_answer_table(facts.answer))),
    )


def _unit(facts: DiagnosisFacts) -> str:
    """Return what is counted."""
    return "record" if facts.people is None else "person"


def _units(facts: DiagnosisFacts) -> str:
    return "records" if facts.people is None else "people"


def _everybody(facts: DiagnosisFacts) -> int:
    return facts.records if facts.people is None else facts.people


def _records(facts: DiagnosisFacts) -> str:
    of = "" if facts.people is None else f" of {count(facts.people, 'person')}"
    return f"{count(facts.records, 'record')}{of}"


def _short(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records:
        yield Words("The table has no records, so k is 0.")
        return
    lines = [facts.answer.sentence] if facts.answer is not None else []
    alone = (
        f"no {_unit(facts)} is unique"
        if not facts.unique
        else f"{count(facts.unique, _unit(facts))} ({percent(facts.unique / _everybody(facts))}) "
        f"{'is' if facts.unique == 1 else 'are'} unique"
    )
    lines.append(f"Over {_over(facts)}, k = {number(facts.k)}: {alone}.")
    if facts.threats:
        smallest = facts.threats[0]
        lines.append(
            f"{attributes(smallest.columns)} {'alone singles' if len(smallest.columns) == 1 else 'together single'} "
            f"out {count(smallest.unique or 0, _unit(facts))}."
        )
    if facts.suppression:
        # The curve ends at the first k for which every record is suppressed.
        gone = dict(facts.suppression).get(5, facts.records)
        lines.append(
            f"For k = 5 over these columns, {number(gone)} of {count(facts.records, 'record')} "
            f"({percent(gone / facts.records)}) must be suppressed if nothing is generalized."
        )
    yield Points(tuple(lines))


def _over(facts: DiagnosisFacts) -> str:
    return f"{count(len(facts.judged), 'column')}" if len(facts.judged) > 8 else attributes(facts.judged)


def _settings(facts: DiagnosisFacts) -> Iterator[Block]:
    lines = [f"The table {facts.name} has {_records(facts)}."]
    lines.append(f"Columns an attacker may know: {several(facts.among)}.")
    if facts.judged != facts.among:
        lines.append(f"Columns assessed: {several(facts.judged)}.")
    lines.append(missing_cells(facts.nulls))
    yield Points(tuple(lines))
    if facts.answer is not None:
        yield from _answer_table(facts.answer)


def _answer_table(answer: AnswerFacts) -> Iterator[Block]:
    if not answer.rows:
        return
    rows = tuple(tuple(map(_cell, row)) for row in answer.rows)
    yield Grid(f"Answer to {answer.question}", answer.headers, rows)
    if answer.more:
        yield Words(f"{number(answer.more)} more are not listed.")


def _cell(value: Any) -> Cell:
    if isinstance(value, list | tuple):
        return attributes(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _sizes(facts: DiagnosisFacts) -> Iterator[Block]:
    if facts.nulls in WILDCARDS:
        yield Words("Missing values match everything here, so there are no classes to show the sizes of.")
    elif facts.sizes:
        yield Words(
            f"A class is a set of records with the same values in {_over(facts)}. There are "
            f"{count(facts.classes or 0, 'class')}; records in small classes are easy to re-identify."
        )
        yield sizes_picture(facts.sizes, size="class size" if facts.people is None else "people in a class")


def _sets(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records:
        return
    if facts.threats:
        yield Words(
            f"The smallest sets of columns that single out {_units(facts)}: anyone who knows these columns can "
            "re-identify people."
        )
        rows = tuple(
            (attributes(each.columns), len(each.columns), each.unique, Share((each.unique or 0) / _everybody(facts)))
            for each in facts.threats[:_MOST_SETS]
        )
        headers = ("columns", "number of columns", f"unique {_units(facts)}", "share")
        yield Grid(f"Sets that single out {_units(facts)}", headers, rows)
        more = facts.more_threats + max(0, len(facts.threats) - _MOST_SETS)
        if more:
            yield Words(f"{number(more)} more sets are not listed.")
    else:
        yield Words(f"No set of columns singles out a {_unit(facts)}.")
    yield from (Words(limit) for limit in facts.limits)
    if facts.safe:
        safe = tuple((attributes(each.columns), len(each.columns), each.k) for each in facts.safe[:_MOST_SETS])
        yield Grid(
            f"The largest sets in which no {_unit(facts)} is unique", ("columns", "number of columns", "k"), safe
        )
        more = facts.more_safe + max(0, len(facts.safe) - _MOST_SETS)
        if more:
            yield Words(f"{number(more)} more sets are not listed.")


def _columns(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records:
        return
    rows = tuple(
        (
            column.name,
            column.distinct,
            column.missing,
            column.unique,
            None if column.k_loss is None else round(column.k_loss, 2),
            None if column.unique_gain is None else round(column.unique_gain, 1),
        )
        for column in facts.columns
    )
    headers = ("column", "distinct values", "missing", "unique alone", "decrease of k", f"{_units(facts)} made unique")
    table = Grid("Contribution of each column", headers, rows).without_empty()
    gains = [(column.name, column.unique_gain) for column in facts.columns if column.unique_gain is not None]
    if len(gains) < 2:
        yield table
        return
    others = "every set of other columns"
    if facts.largest_set < len(facts.among):
        others = f"sets of up to {facts.largest_set - 1} other columns"
    # Where nobody is unique, nothing has to be generalized.
    advice = " Generalize or drop columns that contribute much." if any(gain for _, gain in gains) else ""
    yield Words(
        f"How many {_units(facts)} become unique, and how much k decreases, when a column is added to {others}, on "
        f"average.{advice}"
    )
    longest = sorted(gains, key=lambda each: -each[1])[:_MOST_BARS]
    yield Picture(partial(charts.bars, longest, f"{_units(facts)} made unique, on average"), table)


def _suppression(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records or not facts.suppression:
        return
    yield Words(
        "To reach k without generalizing, all records in classes "
        f"{'smaller than k' if facts.people is None else 'with fewer than k people'} must be suppressed. "
        f"Columns: {several(facts.judged)}."
    )
    rows = tuple((k, gone, Share(gone / facts.records)) for k, gone in facts.suppression)
    named = tuple(row for row in rows if row[0] in (*_USUAL, rows[-1][0]))
    table = Grid("Suppression needed for k", ("k", "records to suppress", "share"), named or rows)
    if len(rows) < 2:
        yield table
        return
    yield Picture(partial(charts.suppression, [(k, gone / facts.records) for k, gone in facts.suppression]), table)
