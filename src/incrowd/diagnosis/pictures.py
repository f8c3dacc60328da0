"""Pictures of answers: those that list suppression by k, or sets of columns with a number each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import UsageError
from incrowd.text import attributes

if TYPE_CHECKING:
    from incrowd.charts import Chart
    from incrowd.diagnosis.answer import Answer

_MOST_BARS = 30


def picture_of_answer(answer: Answer) -> Chart:
    """Return a picture of an answer; refuse those that a sentence says."""
    from incrowd.charts import bars, suppression

    rows = answer.to_rows() if isinstance(answer.answer, list) else []
    measure = answer.asked.measure.parameter
    if answer.question == "Q11" and measure == "k" and rows:
        return suppression([(row["k"], row["suppress"]) for row in rows])
    shown = "suppress" if rows and "suppress" in rows[0] else measure
    if not rows or answer.question == "Q12" or shown not in rows[0]:
        raise UsageError.invalid(
            f"a picture of the answer to {answer.question}", "it has no number for each set of columns", "print it"
        )
    named = [(attributes(row["quasi"]) if "quasi" in row else f"{measure} = {row[measure]}", row) for row in rows]
    values = [(name, float(row[shown])) for name, row in named[:_MOST_BARS]]
    return bars(values, "records to suppress" if shown == "suppress" else measure, share=shown == "suppress")
