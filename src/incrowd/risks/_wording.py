"""The risk report in words: sentences first, then tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from incrowd.core.knowledge import known_records
from incrowd.risks._attack import attackers
from incrowd.text import Cell, attributes, count, number, percent, table

if TYPE_CHECKING:
    from incrowd.risks._attack import Attack
    from incrowd.risks.assessment import RiskReport
    from incrowd.risks.special_uniques import SpecialUniques
    from incrowd.risks.strengths import Strength

_MOST_ROWS = 40
_ATTACKERS = {
    "prosecutor": "prosecutor: knows that the person is in the table",
    "journalist": "journalist: searches the population",
    "marketer": "marketer: matches all records with the same people",
    "marketer, population": "marketer: matches all records with the population",
}
_LEFT_OUT = (
    "Journalist and marketer risk, special uniques and models are omitted: they assume that one record of a person is "
    "known."
)


def parts(found: RiskReport) -> list[str]:
    """Return the sentences of the report, then its tables."""
    if not found.records:
        return ["The table has no records, so every risk is 0."]
    tables = [_attackers(found), *(_special_tables(found.special_uniques) if found.special_uniques else ())]
    return ["\n".join(_sentences(found)), *tables, *_models(found.strengths)]


def _models(strengths: Sequence[Strength]) -> Iterator[str]:
    if strengths:
        rows: list[list[Cell]] = [[each.model, each.column or "", each.words] for each in strengths]
        yield "The strongest parameters that every class of the table satisfies:"
        yield table(["model", "column", "satisfied with"], rows)


def _unit(found: RiskReport) -> str:
    return "person" if found.counts_people else "record"


def _units(found: RiskReport) -> str:
    return "people" if found.counts_people else "records"


def _in(found: RiskReport) -> str:
    return "for" if found.counts_people else "in"


def _whole(found: RiskReport) -> int:
    return (found.people or 0) if found.counts_people else found.records


def _sentences(found: RiskReport) -> Iterator[str]:
    of = f" of {count(found.people or 0, 'person')}" if found.counts_people else ""
    yield (
        f"{count(found.records, 'record')}{of} in {count(found.classes, 'class')} of equal values in "
        f"{{{attributes(found.columns)}}}."
    )
    if found.person:
        told = attributes(found.person)
        yield f"People are counted ({told})." if of else f"Every record is about another person ({told})."
    yield (
        f"An attacker who knows {_known(found)} re-identifies that person with certainty "
        f"{_in(found)} {_of(found.uniques.sample, found)}."
    )
    yield f"{_above(found.prosecutor, found)}{_reason(found)}."
    if found.journalist is not None:
        yield from _population_sentences(found, found.journalist)
    if found.marketer is None:
        yield _LEFT_OUT
    else:
        yield from _marketer_sentences(found, found.marketer)
    if found.special_uniques is not None:
        yield from _special_sentences(found, found.special_uniques)


def _known(found: RiskReport) -> str:
    several = f"{known_records(found.knows)} who is in the table"
    return several if found.knows_several else "that a person is in the table"


def _marketer_sentences(found: RiskReport, share: float) -> Iterator[str]:
    of_people = " by one of their records at least" if found.counts_people else ""
    right = _expected(share * _whole(found), found) if found.counts_people else _of(found.classes, found)
    yield (
        "An attacker who matches the whole table with a register of the same people is right for "
        f"{right}{of_people}, on average."
    )
    if found.marketer_in_population is not None:
        yield (
            "One who matches it with the population is right for "
            f"{_expected(found.marketer_in_population * _whole(found), found)}{of_people}, on average."
        )


def _population_sentences(found: RiskReport, attack: Attack) -> Iterator[str]:
    unique = found.uniques.population or 0
    certain = _of(unique, found) if isinstance(unique, int) else _expected(unique, found)
    yield (
        "An attacker who does not know whether a person is in the table, and searches the population of "
        f"{number(found.population or 0)}, re-identifies that person with certainty {_in(found)} {certain}."
    )
    yield f"{_above(attack, found)}."
    if found.estimated:
        yield (
            "Population figures are estimates: only the size of the population is known, so the table is assumed to be "
            "a random sample of it."
        )


def _special_sentences(found: RiskReport, special: SpecialUniques) -> Iterator[str]:
    few = f"{special.max_size} or fewer of the {count(len(found.columns), 'column')} single out"
    suffice = few if special.max_size > 1 else "A single column singles out"
    singled = special.records if special.people is None else special.people
    yield f"{suffice} {_of(singled, found) if singled else f'no {_unit(found)}'}."
    if special.reduced:
        yield (
            f"Only sets of up to {count(special.max_size, 'column')} were counted, because there are too many larger "
            "ones; raise max_size to count more."
        )
    if special.stopped:
        why = "timed out" if special.stopped == "time" else "interrupted"
        yield (
            f"Partial result: {why} after {count(special.sets, 'set')} of columns; the numbers of minimal sample "
            "uniques and the scores can only grow."
        )


def _of(some: int, found: RiskReport) -> str:
    whole = _whole(found)
    return f"{number(some)} of {count(whole, _unit(found))} ({percent(some / whole)})"


def _expected(some: float, found: RiskReport) -> str:
    whole = _whole(found)
    return f"{some:,.1f} of {count(whole, _unit(found))} ({percent(some / whole)})"


def _above(attack: Attack, found: RiskReport) -> str:
    return f"The risk exceeds {found.threshold.number:.4g} for {_of(attack.at_risk, found)}"


def _reason(found: RiskReport) -> str:
    size = found.threshold.safe_size
    if size is None or not found.prosecutor.at_risk:
        return ""
    if found.knows_several:
        return f": something known of them is true of fewer than {number(size)} people"
    classes = "a class of theirs has" if found.counts_people else "their classes have"
    return f": {classes} fewer than {number(size)} {_units(found)}"


def _attackers(found: RiskReport) -> str:
    above = f"{_units(found)} above {found.threshold.number:.4g}"
    rows = [[_ATTACKERS[row["attacker"]], *list(row.values())[1:]] for row in attackers(found)]
    return table(["attacker", "highest risk", "average risk", above], rows)


def _special_tables(special: SpecialUniques) -> Iterator[str]:
    if not special.records:
        return
    sizes = [[at + 1, found] for at, found in enumerate(special.by_size)]
    yield table(["columns that suffice", "minimal sample uniques"], sizes)
    parts = sorted(special.by_column, key=lambda part: -part.share)
    rows: list[list[Cell]] = [[part.column, part.minimal_uniques, percent(part.share)] for part in parts]
    yield table(["column", "minimal sample uniques with it", "share of the score"], rows, _MOST_ROWS)
