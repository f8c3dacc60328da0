"""The subject of a column, by its name.

Names are split into words at anything that is not a letter and at capitals (birthDate); accents are ignored. A term
matches whole words, joined or not. A word that is no term may be an abbreviation of one (hispan), or be made of parts
that all have a meaning (faminc: family and income), as in the files of surveys.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary import TOPICS, Topic
from incrowd.proposing.vocabulary.known import DURATION, EVENT, SIZE

_GENERAL = (EVENT, DURATION, SIZE)
"""Topics of words that say when or how much, not of what."""
_LONGEST_TERM = 4
"""Words that a term has at most."""
_ABBREVIATION = 5
"""Letters of a word that must begin a term to stand for it."""
_TELLING = 3
"""Letters that the telling parts of a compound must have."""

_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe", "æ": "ae", "œ": "oe"}
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Meaning:
    """The subject of a name."""

    topic: Topic
    whole: bool
    """True if a term stands in the name; False if a word only resembles one or is made of abbreviations."""


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name, in lower case, without accents and digits."""
    plain = unicodedata.normalize("NFC", name.lower() if name.isupper() else name).translate(_UMLAUTS)
    plain = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return tuple(word.casefold() for word in _WORDS.findall(plain))


_NEUTRAL = frozenset(
    words_of(
        "l ln log sq num no nr cat categ grp group code cod cd yrs yr year lvl level lev stat type typ ind flag "
        "tot total avg mean max min idx index per perc pct percent rate rt new old rec recode dec of in at to the "
        "is has was ever any lt ge gt le dk own resp base pre post cur curr last first prev high hi low lo real "
        "net gross ann week wk mth mon day hr hour rnd round wave var val bin dum dummy rev std cent z yn othr "
        "other oth ord non local not nat sum mo mnth da dy young youngest oldest small big large many mid term am pm a "
        "b sm lg c d e f g h i j k m n p q r s t u v w x y"
    )
)
"""Parts of a compound that say nothing about what it means."""


@cache
def meaning_of(name: str) -> Meaning | None:
    """Return what a name is about: by its longest term; of equally long ones by the first topic; else by parts."""
    words = words_of(name)
    found = [(-length, TOPICS.index(topic)) for length, topic in _terms_in(words)]
    whole = TOPICS[min(found)[1]] if found else None
    if whole is not None and whole not in _GENERAL:
        return Meaning(whole, whole=True)
    # Beside a word such as month or size, an abbreviation says more: months_since_delinq.
    parts = [topic for word in words if word not in _TERMS for topic in (_abbreviated(word) or _compound(word))]
    if parts and (whole is None or min(map(TOPICS.index, parts)) < TOPICS.index(whole)):
        return Meaning(min(parts, key=TOPICS.index), whole=False)
    return None if whole is None else Meaning(whole, whole=True)


def topic_of(name: str) -> Topic | None:
    """Return the topic of a name that has a term of it; None if it has none."""
    meaning = meaning_of(name)
    return meaning.topic if meaning is not None and meaning.whole else None


def _terms() -> dict[str, Topic]:
    """Return the topic of every term, written as one word."""
    found: dict[str, Topic] = {}
    for topic in TOPICS:
        for term in topic.terms.split(","):
            found.setdefault(term.replace(" ", ""), topic)
    return found


_TERMS = _terms()
_WORDS_ALONE = {
    term: _TERMS[term] for topic in TOPICS for of in topic.terms.split(",") if " " not in (term := of.strip())
}
"""The terms of one word, which people abbreviate."""


def _short() -> dict[str, Topic]:
    """Return the topic of every part that a compound may have."""
    found: dict[str, Topic] = {}
    for topic in TOPICS:
        for part in topic.short.split(","):
            found.setdefault(part.replace(" ", ""), topic)
    long = {term: topic for term, topic in _TERMS.items() if len(term) > _TELLING}
    return {part: topic for part, topic in {**long, **found}.items() if part}


_PARTS = _short()


def _terms_in(words: tuple[str, ...]) -> Iterator[tuple[int, Topic]]:
    """Yield the topic of every run of words that is a term, with or without a plural s, and how many words it has."""
    runs = {words[at : at + length] for length in range(1, _LONGEST_TERM + 1) for at in range(len(words))}
    for run in {*runs, words}:
        phrase = "".join(run)
        topic = _TERMS.get(phrase) or (_TERMS.get(phrase.removesuffix("s")) if len(phrase) > 3 else None)
        if topic is not None:
            yield len(run), topic


def _abbreviated(word: str) -> list[Topic]:
    """Return the topic of the terms that a word begins, if they agree on the role; identifiers are written out."""
    if len(word) < _ABBREVIATION or word in _NEUTRAL:
        return []
    found = [topic for term, topic in _WORDS_ALONE.items() if term.startswith(word)]
    agree = len({topic.role for topic in found}) == 1 and found[0].role is not Role.IDENTIFIER
    return [min(found, key=TOPICS.index)] if agree else []


@cache
def _compound(word: str) -> list[Topic]:
    """Return the topics of the parts of a word; none unless its parts have a meaning, and at most one is a letter."""
    # The letters after a long part may mean anything: uempla, the unemployed in the survey's form a.
    for end in (0, 1, 2):
        best = _split(word[: len(word) - end])
        if best is None or sum(len(part) == 1 for part in best) > 1:
            continue
        telling = [part for part in best if part in _PARTS]
        if sum(map(len, telling)) >= _TELLING + (end > 0):
            return [_PARTS[part] for part in telling]
    return []


def _split(word: str) -> list[str] | None:
    """Return the parts that make up a word: those of which most letters tell something, of these the fewest."""
    ways: list[tuple[int, int, list[str]] | None] = [(0, 0, []), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - 16), end):
            before, part = ways[start], word[start:end]
            if before is not None and (part in _PARTS or part in _NEUTRAL):
                told = len(part) if part in _PARTS else 0
                way = (before[0] - told, before[1] + 1, [*before[2], part])
                known = ways[end]
                ways[end] = way if known is None or way[:2] < known[:2] else known
    found = ways[-1]
    return None if found is None else found[2]
