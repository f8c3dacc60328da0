"""A set of columns and the sets around it: what one column more or less does to k."""

from collections.abc import Sequence
from typing import Any

from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.watch import Show, Watch


def around(diagnosis: Diagnosis, columns: Sequence[str], progress: Show | None = None) -> list[dict[str, Any]]:
    """The set itself, the sets with one column less, and those with one more, each with k and its unique records."""
    with Watch(None, progress) as watch:
        # All others are counted from this one, without reading the table again.
        diagnosis.frequencies(diagnosis.among, watch)
    chosen = list(columns)
    less = [("less", name, [each for each in chosen if each != name]) for name in chosen if len(chosen) > 1]
    added = [name for name in diagnosis.among if name not in chosen]
    more = [("more", name, [each for each in diagnosis.among if each in (*chosen, name)]) for name in added]
    return [_counted(diagnosis, *each) for each in [("chosen", None, chosen), *less, *more]]


def _counted(diagnosis: Diagnosis, step: str, column: str | None, quasi: list[str]) -> dict[str, Any]:
    answer = diagnosis.ask(quasi=quasi)
    return {"step": step, "column": column, "quasi": quasi, "k": answer.answer, "unique": answer.unique}
