"""An answer: data first, and the same as a sentence, a table, a frame and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from incrowd.core.brief import Brief
from incrowd.diagnosis.query import DiagnosisQuery
from incrowd.diagnosis.questions import Suppression
from incrowd.diagnosis.suppression import Given
from incrowd.diagnosis.wording import answer_tables, sentence
from incrowd.errors import UsageError
from incrowd.results import Result

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Brief, Result):
    """The answer to one of the twelve questions."""

    asked: DiagnosisQuery
    found: Callable[[], Any] = field(repr=False)
    """Makes the answer on first use: a list of all sets may be long."""
    records: int
    evaluations: int
    """The number of sets of columns that were counted."""
    unique: int | None = None
    """One set, for k: the unique records, or people."""
    homogeneous: int | None = None
    """One set, with a sensitive column: the records in classes of a single sensitive value."""
    below: int | None = None
    """One set and a value: the records in classes that do not satisfy it, for k in smaller ones."""
    below_people: int | None = None
    """One set and a value, if people are counted: those with a record in such a class."""
    set_aside: int | None = None
    """Basic matching: the records with a missing value in the set."""
    other_border: list[list[str]] | None = None
    """Over all sets: the smallest that fail, or whose value no further column changes; for a threat, the largest safe.

    For k these are the smallest sets with k = 1, or without any remaining record.
    """
    below_border: Callable[[], list[dict[str, Any]]] = field(default=list, repr=False)
    """Q4/Q8 and the like: only the sets below the border."""
    compact: bool = False
    """The list holds the sets below the border and the border itself; all sets above are like the border."""
    through: int | None = None
    """Over all sets, for their values: sets of at most so many columns are all decided, however the search ended."""
    stopped: str | None = None
    """The reason the search ended early: 'time' or 'interrupted'; None if it did not."""
    rows: Callable[[], list[int]] | None = field(default=None, repr=False)
    people: int | None = None
    """The number of people the records are about, if the columns of the person were named."""

    @cached_property
    def answer(self) -> Any:
        """Return a bool (Q1/Q5), k, l or t (Q2/Q6), a list of column lists (Q3/Q7), else one dict or a list of them."""
        return self.found()

    @property
    def question(self) -> str:
        """Return the name of the question: Q1 to Q12."""
        return self.asked.question.name

    @property
    def is_no(self) -> bool:
        """Return whether a yes-or-no question was answered with no."""
        return self.question in ("Q1", "Q5") and not self.answer

    @property
    def is_first_look(self) -> bool:
        """Return whether nothing was given: Q4 for k, from which the first diagnosis follows."""
        return self.question == "Q4" and self.asked.measure.column is None

    @property
    def complete(self) -> bool:
        """Return whether the answer is complete."""
        return self.stopped is None

    @property
    def sentence(self) -> str:
        """Return the answer in words."""
        return sentence(self)

    @property
    def suppressed_rows(self) -> list[int]:
        """Return the positions of records to suppress, counted from 0; with basic matching, also those set aside."""
        if self.rows is None:
            raise UsageError.invalid(
                f"rows to suppress for {self.question}",
                "they exist for one set of columns and a suppression that suffices",
                "ask with quasi=[...] and suppress=0.1 or suppress=FIND",
            )
        return self.rows()

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the answer as rows of a table."""
        if isinstance(self.answer, dict):
            return [self.answer]
        if isinstance(self.answer, list):
            return [row if isinstance(row, dict) else {"quasi": row} for row in self.answer]
        name = "holds" if isinstance(self.answer, bool) else self.asked.measure.parameter
        return [{"quasi": list(self.asked.quasi or ()), name: self.answer}]

    def _columns(self) -> list[str]:
        """Return the columns of the answer as a table."""
        asked = self.asked.question
        names = ["quasi"] if self.question not in ("Q9", "Q11") else []
        if self.question in ("Q1", "Q5"):
            return [*names, "holds"]
        names += [self.asked.measure.parameter] if not asked.k else []
        people = ["people"] if self.asked.measure.person else []
        names += ["suppress", "suppressed", *people] if asked.suppression is Suppression.ASKED else []
        return [*names, "remaining"] if self.question == "Q9" else names

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON."""
        asked = self.asked
        suppress = asked.suppress.number if isinstance(asked.suppress, Given) else asked.suppress and "find"
        measure = asked.measure
        of = {} if measure.column is None else {"measure": measure.words, "sensitive": measure.column}
        plain: dict[str, Any] = {
            "question": self.question,
            **of,
            measure.parameter: asked.value,
            "quasi": list(asked.quasi) if asked.quasi else None,
            "suppress": suppress,
            "answer": self.answer,
            "evaluations": self.evaluations,
            "records": self.records,
            **({"people": self.people, "person": list(asked.person)} if asked.person else {}),
            "among": list(asked.among),
            "at_most": asked.at_most,
            **({"at_least": asked.at_least} if of else {}),
            "nulls": str(asked.nulls),
            "max_size": asked.max_size,
            "complete": self.complete,
            "stopped": self.stopped,
            "compact": self.compact,
        }
        if self.through is not None:
            plain["through"] = self.through
        if self.set_aside is not None:
            plain["set_aside"] = self.set_aside
        if self.other_border is not None:
            plain["smallest_unsafe" if not asked.is_threat else "largest_safe"] = self.other_border
        return plain

    def to_json(self) -> str:
        """Return the same as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def parts(self) -> list[str]:
        """Return the answer in words, and as a table if it is a list."""
        return [self.sentence, *answer_tables(self)]

    def plot(self) -> Chart:
        """Return a picture of the suppression by k (Q11), or of a list of sets of columns, each with its number."""
        from incrowd.diagnosis.pictures import picture_of_answer

        return picture_of_answer(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: the answer in full, and no way back to the table."""
        border, rows = self.below_border(), None if self.rows is None else self.rows()
        kept = {**vars(self), "answer": self.answer, "found": None, "below_border": _Given(border)}
        return {**kept, "rows": None if rows is None else _Given(rows)}


@dataclass(frozen=True, repr=False)
class _Given(Brief):
    """The answer to a question, where a function is expected."""

    value: Any

    def __call__(self) -> Any:
        return self.value
