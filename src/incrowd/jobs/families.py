"""Members of families as a job names them: privacy models, the search, the metric, the hierarchies of columns.

A member is `optimal`, or `{distinct_l: {l: 3, column: disease}}`; in one text it is `distinct_l:l=3,column=disease`.
Every fault is a ValueError, which a job reports with all its other faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from incrowd import families, hierarchies, models
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import IncrowdError, UsageError
from incrowd.jobs.frozen import FrozenMapping, fixed, plain

Made = TypeVar("Made")


class JobFamily(families.Family):
    """A family whose members a job names, as data that every form of a job can hold."""

    def member(self, given: Any) -> Any:
        """Return the member that a name, or a name with options, means; raise ValueError if it is none."""
        if not isinstance(given, str | Mapping) and self.has(given):
            return given
        name, options = checked(f"the {self.one}", lambda: self.named(given))
        data = {name: plain(fixed(options))}
        return checked(f"the {self.one}", lambda: families.Family.member(self, data))

    def options_of(self, member: Any) -> dict[str, Any]:
        """Return the options that differ from what is usual, as plain data."""
        found: dict[str, Any] = plain(super().options_of(member))
        return found

    def renamed(self, given: Any) -> str | None:
        """Return a sentence about a member that is given by an earlier name; None if it is not."""
        try:
            name, _ = self.named(given)
            current = self.resolved(name)
        except UsageError:
            return None
        return None if current == name else f"The {self.one} {name} is now called {current}; use the new name."

    def is_other(self, given: Any, name: str) -> bool:
        """Return whether a member is given that is not the usual one of that name."""
        try:
            return given is not None and self.to_plain(self.member(given)) != name
        except ValueError:
            return False

    def to_plain(self, member: Any) -> Any:
        """Return the name, with the options that differ from what is usual."""
        name, changed = self.name_of(member), self.options_of(member)
        # A file of a job has no enumerations.
        plain = {option: str(value) if isinstance(value, StrEnum) else value for option, value in changed.items()}
        return {name: plain} if plain else name


NONE = "none"
"""The hierarchy of a column for which a job names none, where leaving it out means something else."""
SEARCHES = JobFamily("searches", "SEARCH", "search")
METRICS = JobFamily("metrics", "METRIC", "metric")


def model(given: Any) -> models.PrivacyModel:
    """Return the privacy model that a job means."""
    if not isinstance(given, str | Mapping) and families.MODELS.has(given):
        made: models.PrivacyModel = given
        return made
    if isinstance(given, str):
        return checked("the model", lambda: models.parse(given))
    return checked("the model", lambda: models.from_dict(plain(fixed(given))))


def hierarchy(given: Any) -> str | FrozenMapping | None:
    """Return a description of a hierarchy as a job keeps it: a path, a builder's name, or a builder with options."""
    read = fixed(checked("the hierarchy", lambda: _described(given)))
    if read is None or isinstance(read, str):
        return read
    [(builder, options)] = read.items() if isinstance(read, FrozenMapping) and len(read) == 1 else [("", {})]
    if not builder or not isinstance(options, Mapping | None):
        raise ValueError("a hierarchy is a file, or one builder with its options as {intervals: {widths: [5, 10]}}")
    if "losses" in (options or {}):
        raise ValueError("losses belong to the column; write them beside the hierarchy")
    return FrozenMapping({builder: options}) if options else builder


def _described(given: Any) -> Any:
    """Return a hierarchy that is a text or an object as plain data."""
    if isinstance(given, str):
        return None if given == NONE else hierarchies.parse(given)
    if isinstance(given, Hierarchy):
        return {"levels": {"rows": hierarchies.rows_of(given)}}
    return hierarchies.described(given)


def spell(spec: str | FrozenMapping | None) -> str:
    """Return a hierarchy as one text."""
    return hierarchies.spell(plain(spec))


def check_hierarchy(spec: str | FrozenMapping | None, column: str) -> None:
    """Refuse unknown builders and options out of range; faults that depend on values or files show later."""
    checked("the hierarchy", lambda: hierarchies.check(plain(spec), column))


def checked(what: str, make: Callable[[], Made]) -> Made:
    """Return what is made; raise ValueError with the reason in one line if it cannot be."""
    try:
        return make()
    except UsageError as error:
        raise ValueError(str(error)) from None
    except IncrowdError:
        raise
    except (AttributeError, TypeError, ValueError):
        # Its words may quote anything.
        raise ValueError(f"{what} has an option of the wrong type, or lacks one") from None
