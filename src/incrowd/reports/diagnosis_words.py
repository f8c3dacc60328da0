"""A diagnosis in words: what was asked, who stands out, through which columns, and what it would cost to mend it."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from incrowd.core.schema import WILDCARDS
from incrowd.reports import charts
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Points, Section, Share, Words, several
from incrowd.reports.diagnosis_facts import AnswerFacts, AnswerOnly, DiagnosisFacts
from incrowd.reports.release_words import missing_cells, sizes_picture
from incrowd.text import attributes, count, number, percent

_MOST_SETS = 40
_MOST_BARS = 40
_USUAL = (2, 3, 5, 10, 20, 50)
"""The k that are named in the table below the curve."""


def diagnosis_sections(facts: DiagnosisFacts) -> tuple[Section, ...]:
    """All parts of a report on a table."""
    found = [
        Section("In short", tuple(_short(facts))),
        Section("What was asked", tuple(_asked(facts))),
        Section("How large classes are", tuple(_sizes(facts))),
        Section("Which columns single people out", tuple(_sets(facts))),
        Section("What each column contributes", tuple(_columns(facts))),
        Section("What suppression costs", tuple(_suppression(facts))),
    ]
    return tuple(section for section in found if section.blocks)


def answer_sections(facts: AnswerOnly) -> tuple[Section, ...]:
    """An answer by itself."""
    lines = (
        f"The table has {count(facts.records, 'record')}; an outsider may know {several(facts.among)}.",
        missing_cells(facts.nulls),
    )
    return (
        Section("In short", (Words(facts.answer.sentence),)),
        Section("What was asked", (Points(lines), *_answer_table(facts.answer))),
    )


def _short(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records:
        yield Words("The table has no records, so there is nobody to hide and k is 0.")
        return
    lines = [facts.answer.sentence] if facts.answer is not None else []
    alone = (
        "no record is unique"
        if not facts.unique
        else f"{count(facts.unique, 'record')} ({percent(facts.unique / facts.records)}) "
        f"{'is the only one of its kind' if facts.unique == 1 else 'are the only ones of their kind'}"
    )
    lines.append(f"Over {_over(facts)}, k = {number(facts.k)}: {alone}.")
    if facts.threats:
        smallest = facts.threats[0]
        lines.append(
            f"{attributes(smallest.columns)} {'suffices' if len(smallest.columns) == 1 else 'together suffice'} to "
            f"single out {count(smallest.unique or 0, 'record')}."
        )
    if facts.suppression:
        # The curve ends where everybody is gone.
        gone = dict(facts.suppression).get(5, facts.records)
        lines.append(
            f"For k = 5 over these columns, {number(gone)} of {count(facts.records, 'record')} "
            f"({percent(gone / facts.records)}) would have to go if nothing is generalised."
        )
    yield Points(tuple(lines))


def _over(facts: DiagnosisFacts) -> str:
    return f"{count(len(facts.judged), 'column')}" if len(facts.judged) > 8 else attributes(facts.judged)


def _asked(facts: DiagnosisFacts) -> Iterator[Block]:
    lines = [f"The table {facts.name} has {count(facts.records, 'record')}."]
    lines.append(f"Columns that an outsider may know: {several(facts.among)}.")
    if facts.judged != facts.among:
        lines.append(f"Columns that were asked about: {several(facts.judged)}.")
    lines.append(missing_cells(facts.nulls))
    yield Points(tuple(lines))
    if facts.answer is not None:
        yield from _answer_table(facts.answer)


def _answer_table(answer: AnswerFacts) -> Iterator[Block]:
    if not answer.rows:
        return
    rows = tuple(tuple(map(_cell, row)) for row in answer.rows)
    yield Grid(f"The answer to {answer.question}", answer.headers, rows)
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
        yield Words("Missing cells match everything here, and so there are no classes whose sizes could be shown.")
    elif facts.sizes:
        yield Words(
            f"A class is a set of records that agree in all of {_over(facts)}. There are {number(facts.classes or 0)}; "
            "whoever is in a small one is easily found."
        )
        yield sizes_picture(facts.sizes)


def _sets(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records:
        return
    if facts.threats:
        yield Words("The smallest sets of columns that single somebody out: whoever knows these finds people.")
        rows = tuple(
            (attributes(each.columns), len(each.columns), each.unique, Share((each.unique or 0) / facts.records))
            for each in facts.threats[:_MOST_SETS]
        )
        yield Grid("Sets that single people out", ("columns", "how many", "records singled out", "share"), rows)
        more = facts.more_threats + max(0, len(facts.threats) - _MOST_SETS)
        if more:
            yield Words(f"{number(more)} more sets are not listed.")
    else:
        yield Words("No set of columns singles anybody out.")
    yield from (Words(limit) for limit in facts.limits)
    if facts.safe:
        safe = tuple((attributes(each.columns), len(each.columns), each.k) for each in facts.safe[:_MOST_SETS])
        yield Grid("The largest sets in which no record is unique", ("columns", "how many", "k"), safe)
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
    headers = ("column", "different values", "missing", "unique by itself", "k lost", "records made unique")
    table = Grid("What each column adds", headers, rows).without_empty()
    gains = [(column.name, column.unique_gain) for column in facts.columns if column.unique_gain is not None]
    if len(gains) < 2:
        yield table
        return
    others = "every set of other columns"
    if facts.largest_set < len(facts.among):
        others = f"sets of up to {facts.largest_set - 1} other columns"
    yield Words(
        f"How many records become the only one of their kind, and how much k falls, when a column joins {others}; on "
        "average. A column that adds much is worth generalising, or leaving out."
    )
    longest = sorted(gains, key=lambda each: -each[1])[:_MOST_BARS]
    yield Picture(partial(charts.bars, longest, "records made unique, on average"), table)


def _suppression(facts: DiagnosisFacts) -> Iterator[Block]:
    if not facts.records or not facts.suppression:
        return
    yield Words(
        "Records in classes smaller than k would have to be left out to reach it without generalising anything. "
        f"Columns: {several(facts.judged)}."
    )
    rows = tuple((k, gone, Share(gone / facts.records)) for k, gone in facts.suppression)
    named = tuple(row for row in rows if row[0] in (*_USUAL, rows[-1][0]))
    table = Grid("What has to go for which k", ("k", "records that have to go", "share"), named or rows)
    if len(rows) < 2:
        yield table
        return
    yield Picture(partial(charts.suppression, [(k, gone / facts.records) for k, gone in facts.suppression]), table)
