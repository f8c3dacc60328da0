"""The facts of a report on a table that is not published yet, as plain data: counts and names, no values."""

from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np

from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.core.table import MISSING
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.contribution import contributions
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.diagnosis.histogram_counters import profiles_for
from incrowd.diagnosis.overview import overview
from incrowd.diagnosis.wording import limits
from incrowd.release import Plain
from incrowd.reports.sizes import Bin, binned
from incrowd.watch import Progress, Watch

_MOST_SETS = 100_000
"""The number of column sets to examine; of wider tables only smaller sets are."""
_SECONDS = 20.0
"""For the search through them."""
_UP_TO = 50
"""The largest k of the curve."""
_MOST_ROWS = 200
"""The number of rows shown of a list that may be very long."""


@dataclass(frozen=True)
class ColumnFacts:
    """A column, and what it adds."""

    name: str
    distinct: int
    missing: int
    unique: int
    """Records, or people, that have their value to themselves."""
    k_loss: float | None
    """The average decrease of k when the column is added to others."""
    unique_gain: float | None
    """The average number of records, or people, that become unique then."""


@dataclass(frozen=True)
class SetFacts:
    """A set of columns."""

    columns: tuple[str, ...]
    unique: int | None = None
    k: int | None = None


@dataclass(frozen=True)
class AnswerFacts:
    """One of the twelve questions, answered."""

    question: str
    sentence: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: int
    """Rows that are not listed."""


@dataclass(frozen=True)
class DiagnosisFacts:
    """The unique records of a table, and the columns that single them out."""

    name: str
    records: int
    nulls: str
    among: tuple[str, ...]
    """The columns an attacker may know."""
    answer: AnswerFacts | None
    judged: tuple[str, ...]
    """The columns that classes, suppression and risk are about."""
    k: int
    unique: int
    classes: int | None
    """None if missing values match everything, since there are no classes then."""
    sizes: tuple[Bin, ...]
    suppression: tuple[tuple[int, int], ...]
    """For each k the number of records to suppress."""
    threats: tuple[SetFacts, ...]
    """The smallest sets that single out records."""
    more_threats: int
    safe: tuple[SetFacts, ...]
    """The largest sets in which no record is unique."""
    more_safe: int
    limits: tuple[str, ...]
    """Sentences on what was not examined."""
    columns: tuple[ColumnFacts, ...]
    largest_set: int
    """The largest size of the sets over which contributions of columns are averaged."""
    people: int | None = None
    """The number of people, if they are counted: then k, unique and the class sizes are numbers of people."""
    kind: str = field(default="diagnosis", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        plain = asdict(self)
        if self.people is None:
            del plain["people"]
        return plain


def diagnosis_facts(
    diagnosis: Diagnosis, answer: Answer | None, is_private: bool, watch: Watch, seconds: float | None = None
) -> DiagnosisFacts:
    """Return the facts of a report on a table; counts what is not counted yet."""
    asked = None if answer is None else answer.asked
    judged = diagnosis.among if asked is None or asked.quasi is None else asked.quasi
    diagnosis.frequencies(diagnosis.everything, watch)
    frequencies = diagnosis.counted(judged)
    every = _every_set(diagnosis, answer, _SECONDS if seconds is None else seconds, watch)
    seen = overview(diagnosis, every)
    threats = seen.threats if frequencies.records else ()
    wild = diagnosis.nulls in WILDCARDS
    measure = every.asked.measure
    profile = profiles_for(frequencies, diagnosis.nulls, measure).profile(range(len(judged)))
    sizes = profile.sizes if profile.who is None else profile.who.distinct
    added = contributions(diagnosis.counted(diagnosis.among), watch, measure)
    border = every.other_border or []
    return DiagnosisFacts(
        name=diagnosis.source.name if is_private else _without_folders(diagnosis.source.name),
        records=frequencies.records,
        nulls=str(diagnosis.nulls),
        among=diagnosis.among,
        answer=None if answer is None or answer.is_first_look else answer_facts(answer),
        judged=judged,
        k=int(profile.reached(0)),
        unique=profile.unique,
        classes=None if wild else len(sizes),
        sizes=() if wild else binned(sizes, profile.sizes),
        suppression=() if wild else tuple((row["k"], row["suppressed"]) for row in profile.needed_for_each(_UP_TO)),
        threats=tuple(SetFacts(tuple(names), unique=unique) for names, unique in threats),
        more_threats=max(0, len(border) - len(seen.threats)) if threats else 0,
        safe=tuple(SetFacts(tuple(names), k=k) for names, k in seen.safe[:_MOST_ROWS]),
        more_safe=max(0, len(seen.safe) - _MOST_ROWS),
        limits=tuple(limits(every)),
        columns=tuple(
            ColumnFacts(name, *_alone(diagnosis, name), added.k_losses[at], added.unique_gains[at])
            for at, name in enumerate(diagnosis.among)
        ),
        largest_set=added.largest_set,
        people=every.people if measure.person else None,
    )


def _every_set(diagnosis: Diagnosis, answer: Answer | None, seconds: float, watch: Watch) -> Answer:
    """Return the known answer to Q4, or ask it within limits."""
    if answer is not None and answer.is_first_look:
        return answer

    def pass_on(event: Progress) -> None:
        watch.tick(event.words, event.share)

    return diagnosis.ask(max_size=_affordable(len(diagnosis.among)), time=seconds, progress=pass_on)


def _affordable(width: int) -> int | None:
    """Return the largest size at which all sets can be examined; None if sets of every size can."""
    size, sets, of_size = 0, 0, 1
    while size < width:
        of_size = of_size * (width - size) // (size + 1)
        if size > 1 and sets + of_size > _MOST_SETS:
            return size
        sets, size = sets + of_size, size + 1
    return None


def _alone(diagnosis: Diagnosis, name: str) -> tuple[int, int, int]:
    """Return the distinct values, the missing values and the unique records, or people, of one column."""
    column = diagnosis.frequencies([name])
    missing = int(column.counts[column.codes[0] == MISSING].sum())
    unique = int(np.count_nonzero(column.counts == 1))
    if diagnosis.counts_people():
        unique = diagnosis.ask(quasi=[name]).unique or 0
    return int(np.count_nonzero(column.codes[0] != MISSING)), missing, unique


def answer_facts(answer: Answer) -> AnswerFacts:
    """Return the facts of one answer; a long list is cut."""
    rows = answer.to_rows()
    headers = tuple(rows[0]) if rows else ()
    shown = tuple(tuple(row.get(name) for name in headers) for row in rows[:_MOST_ROWS])
    return AnswerFacts(answer.question, answer.sentence, headers, shown, max(0, len(rows) - _MOST_ROWS))


@dataclass(frozen=True)
class AnswerOnly:
    """An answer without the table that it came from."""

    among: tuple[str, ...]
    records: int
    nulls: str
    answer: AnswerFacts
    kind: str = field(default="answer", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return asdict(self)


def answer_only(answer: Answer) -> AnswerOnly:
    """Return the facts of an answer without its table."""
    nulls: Nulls = answer.asked.nulls
    return AnswerOnly(answer.asked.among, answer.records, str(nulls), answer_facts(answer))


def _without_folders(name: str) -> str:
    """Return the name of a file without folders; of a database only its kind, since its URL may be confidential."""
    return f"{name.partition('://')[0]} database" if "://" in name else PurePath(name).name
