"""Answers about a sensitive column in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.core.schema import Nulls
from incrowd.diagnosis.measures import Measure, Number
from incrowd.diagnosis.suppression import Given
from incrowd.text import attributes, cautious, count, number, percent, printable

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer

_REACH = {
    "distinct_l": "at least {value} different values of {column}",
    "frequency_l": "no value of {column} more often than once in {value} records",
    "entropy_l": "values of {column} at least as evenly spread as {value} equally frequent ones",
    "t_closeness": "a distance of at most {value} from the whole table in {column}",
}
"""Phrases for a class that satisfies a value."""
_MISS = {
    "distinct_l": "fewer than {value} different values of {column}",
    "frequency_l": "a value of {column} more often than once in {value} records",
    "entropy_l": "values of {column} less evenly spread than {value} equally frequent ones",
    "t_closeness": "a distance of more than {value} from the whole table in {column}",
}
"""Phrases for a class that does not."""


def columns_of(answer: Answer) -> str:
    """Return the set of columns in question."""
    return "{" + attributes(answer.asked.quasi or answer.asked.among) + "}"


def allowed_of(answer: Answer) -> str:
    """Return the suppression limit in words."""
    limit = answer.asked.suppress
    assert isinstance(limit, Given)
    return f"with at most {limit.of_records} suppressed"


def of_people(people: int | None) -> str:
    """Return whose records they are; an empty text if records are counted."""
    return "" if people is None else f" of {count(people, 'person')}"


def shown(measure: Measure, value: Number) -> str:
    """Return a value of the parameter, rounded to the side on which the claim stays true."""
    return number(value) if isinstance(value, int) else cautious(value, measure.larger_is_safer)


def _class_has(answer: Answer, value: Number, phrases: dict[str, str] = _REACH) -> str:
    measure = answer.asked.measure
    words = phrases[measure.name]
    if value == 1:
        words = words.replace("different values", "different value")
    if measure.person:
        words = words.replace("records", "people")
    return words.format(value=shown(measure, value), column=_column(answer))


def _column(answer: Answer) -> str:
    return printable(answer.asked.measure.column or "")


def _given(answer: Answer) -> str:
    """Return the given value, as in l = 3."""
    asked = answer.asked
    assert asked.value is not None
    return f"{asked.measure.parameter} = {shown(asked.measure, asked.value)}"


def _with(answer: Answer, before: str = " ", after: str = "") -> str:
    return f"{before}{allowed_of(answer)}{after}" if answer.asked.suppress is not None else ""


def _yes_no(answer: Answer) -> str:
    asked, columns = answer.asked, columns_of(answer)
    assert asked.value is not None
    yes = "Yes" if answer.answer else "No"
    if asked.is_threat:
        side = "at most" if asked.at_most else "at least"
        is_it = "is" if answer.answer else "is not"
        reached = f"{asked.measure.parameter} of {_column(answer)} for {columns} {is_it}"
        return f"{yes}:{_with(answer, after=',')} {reached} {side} {shown(asked.measure, asked.value)}."
    if answer.answer:
        return f"Yes:{_with(answer, after=',')} every class of {columns} has {_class_has(answer, asked.value)}."
    judged = answer.records - (answer.set_aside or 0)
    below = answer.below or 0
    whose = of_people(answer.below_people)
    short = f"{count(below, 'record')} ({percent(below / judged)}){whose} {'is' if below == 1 else 'are'} in classes"
    limit = f", and only {asked.suppress.words} may be suppressed" if isinstance(asked.suppress, Given) else ""
    return f"No: {short} of {columns} that have {_class_has(answer, asked.value, _MISS)}{limit}."


def _value(answer: Answer) -> str:
    measure = answer.asked.measure
    reached = f"{measure.parameter} = {shown(measure, answer.answer)} of {_column(answer)} for {columns_of(answer)}"
    if measure.larger_is_safer and answer.answer <= 1 and answer.homogeneous:
        alone = answer.homogeneous
        meaning = f"{count(alone, 'record')} {'is' if alone == 1 else 'are'} in classes with a single value"
    else:
        meaning = f"every class has {_class_has(answer, answer.answer)}"
    allowed = _with(answer, "", ", ")
    return f"{allowed[:1].upper()}{allowed[1:]}{reached}: {meaning}."


def _relation(answer: Answer) -> str:
    """Return the condition of a safe set, as in l >= 3."""
    asked = answer.asked
    assert asked.value is not None
    sign = ">=" if asked.measure.larger_is_safer else "<="
    return f"{asked.measure.parameter} {sign} {shown(asked.measure, asked.value)} of {_column(answer)}"


def _borders(answer: Answer) -> str:
    asked, found = answer.asked, len(answer.answer)
    if asked.is_threat:
        assert asked.value is not None
        parameter = f"{asked.measure.parameter} of {_column(answer)}"
        to = f"{shown(asked.measure, asked.value)} or {'below' if asked.at_most else 'above'}{_with(answer)}"
        if not found:
            return f"No set of columns brings {parameter} to {to}."
        sets = f"{count(found, 'smallest set')} of columns, if known to an attacker,"
        return f"{sets} {'brings' if found == 1 else 'bring'} {parameter} to {to}."
    if not found:
        return f"No set of columns, not even a single column, has {_relation(answer)}{_with(answer)}."
    published = f"{count(found, 'largest set')} of columns can be published with {_relation(answer)}{_with(answer)}"
    subsets = f"and so can every subset of {'it' if found == 1 else 'them'}"
    return f"{published}, {subsets}." if _parts_are_safe(answer) else f"{published}."


def _parts_are_safe(answer: Answer) -> bool:
    """Return whether every subset of a safe set is safe."""
    asked = answer.asked
    measure = asked.measure
    by_splitting = measure.is_absorbed or (measure.survives_merging and asked.budget(answer.records) == 0)
    return by_splitting and asked.nulls is not Nulls.BASIC


def _all_sets(answer: Answer) -> str:
    measure, rows = answer.asked.measure, answer.answer
    sets = f"{count(len(rows), 'set')} of columns"
    if not measure.larger_is_safer:
        reached = [row["t"] for row in rows] or [0.0]
        span = f"from {shown(measure, min(reached))} to {shown(measure, max(reached))}"
        return f"t of {_column(answer)} is {span} in {sets}{_with(answer)}."
    safe = sum(1 for row in rows if not measure.is_worst(row[measure.parameter], None))
    keep = f"{number(safe)} {'keeps' if safe == 1 else 'keep'} l of {_column(answer)} above 1"
    return f"Of {sets} {keep}{_with(answer)}."


def _least(answer: Answer) -> str:
    gone, left = answer.answer["suppressed"], answer.answer["remaining"]
    asked, columns = answer.asked, columns_of(answer)
    assert asked.value is not None
    if gone == 0:
        return f"No suppression is needed: every class of {columns} has {_class_has(answer, asked.value)}."
    if left == 0:
        return f"All records must be suppressed: no class of {columns} has {_class_has(answer, asked.value)}."
    remain = f"{number(left)} {'remains' if left == 1 else 'remain'}"
    share = percent(answer.answer["suppress"])
    needed = f"{count(gone, 'record')} ({share}){of_people(answer.answer.get('people'))} must be suppressed"
    return f"{needed} for {_given(answer)} of {_column(answer)} with {columns}; {remain}."


def _least_for_sets(answer: Answer) -> str:
    free = sum(1 for row in answer.answer if row["suppressed"] == 0)
    sets = f"{count(free, 'set')} of columns {'reaches' if free == 1 else 'reach'}"
    return f"{sets} {_given(answer)} of {_column(answer)} without suppression; the rest as listed."


def _each(answer: Answer) -> str:
    measure = answer.asked.measure
    return f"each l up to {answer.asked.up_to}" if measure.larger_is_safer else "each t in hundredths"


def _least_for_each(answer: Answer) -> str:
    measure, listed = answer.asked.measure, answer.answer
    name = measure.parameter
    free = [row[name] for row in listed if row["suppressed"] == 0]
    best = (max(free) if measure.larger_is_safer else min(free)) if free else 0
    at = "at least " if name == "l" and not measure.is_whole else "at most " if name == "t" else ""
    reached = f"{name} of {_column(answer)} {at or '= '}{shown(measure, best)}"
    words = f"{columns_of(answer)} has {reached} without suppression"
    if listed and listed[-1]["suppress"] == 1:
        return f"{words}; for {name} = {shown(measure, listed[-1][name])} no record would remain."
    return f"{words}; the table lists the suppression needed for {_each(answer)}."


def _least_for_all(answer: Answer) -> str:
    what = f"{_each(answer)} of {_column(answer)}"
    return f"Suppression needed for each set of columns and {what}, until no record remains."


OF_SENSITIVE = {
    "Q1": _yes_no,
    "Q2": _value,
    "Q3": _borders,
    "Q4": _all_sets,
    "Q5": _yes_no,
    "Q6": _value,
    "Q7": _borders,
    "Q8": _all_sets,
    "Q9": _least,
    "Q10": _least_for_sets,
    "Q11": _least_for_each,
    "Q12": _least_for_all,
}
