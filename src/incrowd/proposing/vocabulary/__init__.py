"""Subjects of columns, in English, German, French, Spanish, Dutch, Italian and Portuguese.

The topics are data, in the order of their weight: of two that a name suggests, the first counts. Words that say little
by themselves, such as name or id, come last: they count where nothing says what is named or numbered.
"""

from incrowd.proposing.vocabulary.health import ARM, DOSE, FINDING, ILLNESS, OUTCOME, SCALE
from incrowd.proposing.vocabulary.identifiers import (
    ADDRESS,
    CASE_NUMBER,
    COMMENT,
    DEVICE,
    FILE_NUMBER,
    FULL_NAME,
    KEY,
    NAME,
    OFFICIAL_NUMBER,
    WAY_TO_REACH,
)
from incrowd.proposing.vocabulary.known import (
    BIRTH,
    BUILD,
    DURATION,
    EVENT,
    FAMILY,
    INSTITUTION,
    LIVING,
    ORIGIN,
    PLACE,
    SCHOOLING,
    SEX,
    SIZE,
    WEIGHT,
    WORK,
)
from incrowd.proposing.vocabulary.private import ANSWER, ASSESSMENT, ATTITUDE, BELIEF, MONEY, OFFENSE
from incrowd.proposing.vocabulary.topic import Topic

__all__ = ["TOPICS", "Topic"]

TOPICS: tuple[Topic, ...] = (
    *(FULL_NAME, WAY_TO_REACH, OFFICIAL_NUMBER, FILE_NUMBER, CASE_NUMBER, DEVICE, WEIGHT, ARM, BIRTH, SEX),
    *(ILLNESS, FINDING, SCALE, DOSE, MONEY, ORIGIN, PLACE, BELIEF, OFFENSE, ASSESSMENT, OUTCOME, ATTITUDE, FAMILY),
    *(SCHOOLING, WORK, INSTITUTION, BUILD, LIVING, ANSWER, EVENT, DURATION, SIZE, NAME, ADDRESS, COMMENT, KEY),
)
