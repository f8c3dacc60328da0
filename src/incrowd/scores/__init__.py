"""Scores: how much detail a table keeps, for the search `scored`. One score a file, found by the registry.

A module declares SCORE, a frozen dataclass whose fields are the score's options. More is better. A score sees only how
many different values each quasi-identifier has in a table; more values never lower it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Protocol

from incrowd.errors import UsageError, close_to, listed
from incrowd.registry import members


class Score(Protocol):
    """How much detail a table keeps."""

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """From the number of different values that each column has in the table, and had before anonymization."""
        ...

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float | None:
        """No table with at most so many different values per column scores more (the paper's skip rule).

        None where nothing is known; the search then checks every table.
        """
        ...


def named(given: str | Mapping[str, Any]) -> tuple[str, Score]:
    """A score and its name, from the name or from {name: options}."""
    if isinstance(given, str):
        given = {given: {}}
    if not isinstance(given, Mapping) or len(given) != 1:
        raise UsageError.senseless("a score", "it is not one name with its options", "write basic, or {eta: {d: 4}}")
    [(name, options)] = given.items()
    known = members("scores", "SCORE")
    if name not in known:
        there_are = f"the scores are {', '.join(sorted(known))}{close_to(str(name), known)}"
        raise UsageError.senseless(f"score {name!r}", "there is none of this name", there_are)
    kind = known[name].SCORE
    _refuse_others(name, kind, {} if options is None else options)
    return name, kind(**(options or {}))


def _refuse_others(name: str, kind: Any, options: object) -> None:
    """All options must exist, and those without a default be given."""
    names = [each.name for each in fields(kind)]
    has = f"its options are {', '.join(names)}" if names else "it has no options"
    if not isinstance(options, Mapping):
        raise UsageError.senseless(f"score {name}", "its options have no names", has)
    unknown = [key for key in options if key not in names]
    if unknown:
        raise UsageError.senseless(f"score {name}", f"it has no option {listed(unknown)}", has)
    needed = [each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]
    lacking = [each for each in needed if each not in options]
    if lacking:
        raise UsageError.senseless(
            f"score {name}", f"it needs {listed(lacking)}", f"write {{{name}: {{{lacking[0]}: ...}}}}"
        )
