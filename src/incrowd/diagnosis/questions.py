"""The twelve questions of the Diagnosis Centre, as data: three things can be given or asked for."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Find(Enum):
    """Asks for the suppression instead of giving it."""

    FIND = "find"

    def __repr__(self) -> str:
        return "FIND"


FIND: Final = Find.FIND


class Suppression(Enum):
    """The part of suppression in a question."""

    NONE = "none"
    GIVEN = "given"
    ASKED = "asked"


@dataclass(frozen=True)
class Question:
    """One of the twelve questions: what is given, and its text."""

    name: str
    k: bool
    quasi: bool
    suppression: Suppression
    words: str


QUESTIONS: Final = (
    Question("Q1", True, True, Suppression.NONE, "Is the table k-anonymous for these columns?"),
    Question("Q2", False, True, Suppression.NONE, "For which k is the table k-anonymous for these columns?"),
    Question("Q3", True, False, Suppression.NONE, "For which sets of columns is the table k-anonymous?"),
    Question("Q4", False, False, Suppression.NONE, "What is k for every set of columns?"),
    Question(
        "Q5", True, True, Suppression.GIVEN, "Is it k-anonymous for these columns if a share of records is suppressed?"
    ),
    Question(
        "Q6", False, True, Suppression.GIVEN, "Which k do these columns reach if a share of records is suppressed?"
    ),
    Question(
        "Q7", True, False, Suppression.GIVEN, "Which sets of columns reach k if a share of records is suppressed?"
    ),
    Question(
        "Q8", False, False, Suppression.GIVEN, "Which k does every set of columns reach if a share is suppressed?"
    ),
    Question("Q9", True, True, Suppression.ASKED, "How many records must be suppressed for k with these columns?"),
    Question(
        "Q10", True, False, Suppression.ASKED, "How many records must be suppressed for k, for every set of columns?"
    ),
    Question(
        "Q11", False, True, Suppression.ASKED, "How many records must be suppressed for every k with these columns?"
    ),
    Question(
        "Q12",
        False,
        False,
        Suppression.ASKED,
        "How many records must be suppressed for every set of columns and every k?",
    ),
)

_BY_GIVEN = {(question.k, question.quasi, question.suppression): question for question in QUESTIONS}


def question_for(k: bool, quasi: bool, suppression: Suppression) -> Question:
    """Return the question that follows from what is given."""
    return _BY_GIVEN[k, quasi, suppression]
