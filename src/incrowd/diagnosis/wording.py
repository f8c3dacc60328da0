"""Answers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.diagnosis.measures import Measure, Number
from incrowd.diagnosis.sensitive_wording import OF_SENSITIVE, allowed_of, columns_of, of_people, shown
from incrowd.diagnosis.suppression import Given
from incrowd.text import attributes, count, number, percent, table

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer

_MOST_ROWS = 40


def sentence(answer: Answer) -> str:
    """Return the answer in words, with its limits."""
    parameter = answer.asked.measure.parameter
    if answer.records == 0:
        words = f"The table has no records, so {parameter} is 0."
    elif answer.set_aside == answer.records:
        return (
            f"Every record has a missing value in {columns_of(answer)} and was set aside: none remains, so "
            f"{parameter} is 0."
        )
    else:
        sentences = _SENTENCES if answer.asked.measure.column is None else OF_SENSITIVE
        words = sentences[answer.question](answer)
    return " ".join([words, *limits(answer)])


def limits(answer: Answer) -> list[str]:
    """Return the limits of an answer, one sentence each."""
    limits = [_about_people(answer)] if answer.asked.person and answer.records else []
    if answer.set_aside:
        limits.append(f"{count(answer.set_aside, 'record')} with a missing value {_were(answer.set_aside)} set aside.")
    if answer.asked.nulls in WILDCARDS:
        limits.append("Missing values count as wildcards here; they do not for an attacker who knows the true values.")
    if answer.compact:
        limits.append(
            "There are too many sets to list; those below the border and the border itself are shown"
            + (" as far as they were found" if answer.stopped else "")
            + ". Every set that contains a border set has the same value."
        )
    if answer.asked.max_size is not None:
        limits.append(f"Only sets of up to {count(answer.asked.max_size, 'column')} were counted.")
    if answer.stopped:
        why = "timed out" if answer.stopped == "time" else "interrupted"
        limits.append(f"Partial result: {why} after {count(answer.evaluations, 'attribute set')}. {_known(answer)}")
    return limits


def _known(answer: Answer) -> str:
    """Return what a search that was stopped has found out."""
    if not answer.through:
        return "Every set listed was counted; others may exist, and a safe set may be part of a larger one."
    sizes = "All sets of 1 column" if answer.through == 1 else f"All sets of up to {answer.through} columns"
    return f"{sizes} were counted; of larger ones, everything listed is correct, but more may exist."


def _about_people(answer: Answer) -> str:
    """Return what was counted, if the columns of the person were named."""
    told = attributes(answer.asked.person)
    if not answer.asked.measure.person:
        return f"Every record is about another person ({told})."
    return f"People are counted ({told}): {count(answer.records, 'record')} of {count(answer.people or 0, 'person')}."


def _times(number: Number | None) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _shared(answer: Answer, value: Number) -> str:
    """Return what is true of a combination that reaches a k."""
    if answer.asked.measure.person:
        return f"has at least {count(int(value), 'person')}"
    return f"occurs at least {_times(value)}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _yes_no(answer: Answer) -> str:
    asked = answer.asked
    with_suppression = f" {allowed_of(answer)}," if asked.suppress is not None else ""
    if asked.is_threat:
        yes, is_it = ("Yes", "is") if answer.answer else ("No", "is not")
        return f"{yes}:{with_suppression} k for {columns_of(answer)} {is_it} at most {asked.value}."
    if answer.answer:
        assert asked.value is not None
        return f"Yes:{with_suppression} every combination of {columns_of(answer)} {_shared(answer, asked.value)}."
    if answer.below is None:
        return f"No: some combinations of {columns_of(answer)} are matched by fewer than {asked.value} records."
    short = f"{count(answer.below, 'record')} ({percent(answer.below / (answer.records - (answer.set_aside or 0)))})"
    short += of_people(answer.below_people)
    has = f"{'has' if answer.below == 1 else 'have'} a combination of {columns_of(answer)} that"
    few = f"has fewer than {asked.value} people" if asked.measure.person else f"occurs fewer than {_times(asked.value)}"
    limit = f", and only {asked.suppress.words} may be suppressed" if isinstance(asked.suppress, Given) else ""
    return f"No: {short} {has} {few}{limit}."


def _k(answer: Answer) -> str:
    allowed = f"{allowed_of(answer)}, " if answer.asked.suppress is not None else ""
    if answer.answer > 1:
        meaning = f"every combination {_shared(answer, answer.answer)}"
    else:
        unit = "person" if answer.asked.measure.person else "record"
        meaning = f"{count(answer.unique or 0, unit)} {'is' if answer.unique == 1 else 'are'} unique"
    if answer.asked.suppress is not None:
        allowed = allowed[0].upper() + allowed[1:]
    return f"{allowed}k = {number(answer.answer)} for {columns_of(answer)}: {meaning}."


def _borders(answer: Answer) -> str:
    asked, found = answer.asked, len(answer.answer)
    allowed = f" {allowed_of(answer)}" if asked.suppress is not None else ""
    if asked.is_threat:
        if not found:
            return f"No set of columns lowers k to {asked.value} or below{allowed}."
        sets = f"{count(found, 'smallest set')} of columns, if known to an attacker,"
        return f"{sets} {'lowers' if found == 1 else 'lower'} k to {asked.value} or below{allowed}."
    if not found:
        return f"No set of columns, not even a single column, is {asked.value}-anonymous{allowed}."
    sets = f"{count(found, 'largest set')} of columns"
    published = f"{sets} can be published with k >= {asked.value}{allowed}"
    # With basic matching a subset of a safe set need not be safe: it sets fewer records aside.
    subsets = f"and so can every subset of {'it' if found == 1 else 'them'}"
    return f"{published}." if asked.nulls is Nulls.BASIC else f"{published}, {subsets}."


def _all_sets(answer: Answer) -> str:
    safe = sum(1 for row in answer.answer if row["k"] > 1)
    allowed = f" {allowed_of(answer)}" if answer.asked.suppress is not None else ""
    if answer.compact or answer.stopped:
        keep = f"{count(safe, 'set')} of columns {'keeps' if safe == 1 else 'keep'} k above 1"
        unit = "person" if answer.asked.measure.person else "record"
        return f"{keep}{allowed}; all others found single out at least one {unit}."
    keep = f"{number(safe)} {'keeps' if safe == 1 else 'keep'} k above 1"
    return f"Of {count(len(answer.answer), 'set')} of columns {keep}{allowed}."


def _least(answer: Answer) -> str:
    gone, left = answer.answer["suppressed"], answer.answer["remaining"]
    k = answer.asked.value
    if gone == 0:
        return f"No suppression is needed: {columns_of(answer)} is already {k}-anonymous."
    if left == 0:
        units = "people" if answer.asked.measure.person else "records"
        return f"All records must be suppressed: no class of {columns_of(answer)} has {k} {units}."
    gone_of = f"{count(gone, 'record')} ({percent(answer.answer['suppress'])}){of_people(answer.answer.get('people'))}"
    remain = f"{number(left)} {'remains' if left == 1 else 'remain'}"
    return f"{gone_of} must be suppressed for k = {k} with {columns_of(answer)}; {remain}."


def _least_for_sets(answer: Answer) -> str:
    free = sum(1 for row in answer.answer if row["suppressed"] == 0)
    reach = "reaches" if free == 1 else "reach"
    return f"{count(free, 'set')} of columns {reach} k = {answer.asked.value} without suppression; the rest as listed."


def _least_for_k(answer: Answer) -> str:
    listed = answer.answer
    free = max((row["k"] for row in listed if row["suppressed"] == 0), default=0)
    words = f"{columns_of(answer)} has k = {number(free)} without suppression"
    if listed and listed[-1]["suppress"] == 1:
        return f"{words}; for k = {number(listed[-1]['k'])} no record would remain."
    return f"{words}; the table lists the suppression needed for each k up to {answer.asked.up_to}."


def _least_for_all(answer: Answer) -> str:
    return f"Suppression needed for each set of columns and each k up to {answer.asked.up_to}, until no record remains."


_SENTENCES = {
    "Q1": _yes_no,
    "Q2": _k,
    "Q3": _borders,
    "Q4": _all_sets,
    "Q5": _yes_no,
    "Q6": _k,
    "Q7": _borders,
    "Q8": _all_sets,
    "Q9": _least,
    "Q10": _least_for_sets,
    "Q11": _least_for_k,
    "Q12": _least_for_all,
}


def answer_tables(answer: Answer) -> list[str]:
    """Return the rows of an answer as tables; none if the sentence says it all."""
    if not isinstance(answer.answer, list) or not answer.answer:
        return []
    rows = answer.to_rows()
    headers = list(rows[0])
    measure = answer.asked.measure
    cells = [[_cell(measure, name, row[name]) for name in headers] for row in rows]
    found: list[str] = [table(headers, cells, most=_MOST_ROWS)]
    if answer.other_border and answer.question in ("Q3", "Q7"):
        title = "largest safe sets" if answer.asked.is_threat else "smallest sets that fail"
        found.append(table([title], [[attributes(names)] for names in answer.other_border], most=_MOST_ROWS))
    return found


def _cell(measure: Measure, name: str, value: object) -> str | int:
    if name == "quasi" and isinstance(value, list):
        return attributes(value)
    if name == "suppress" and isinstance(value, float):
        return percent(value)
    if isinstance(value, float):
        return shown(measure, value)
    assert isinstance(value, int)
    return value
