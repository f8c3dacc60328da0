"""Members of families as a job names them: privacy models, the search, the metric, the hierarchies of columns.

A member is `optimal`, or `{distinct_l: {l: 3, column: disease}}`; in one text it is `distinct_l:l=3,column=disease`.
Whatever is wrong with one is a ValueError, so that it is told with all other faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, TypeVar

from incrowd import hierarchies, models
from incrowd.errors import UsageError, close_to
from incrowd.jobs.frozen import FrozenMapping, fixed, plain
from incrowd.registry import members

Made = TypeVar("Made")


@dataclass(frozen=True)
class Family:
    """Interchangeable members, each a frozen dataclass whose fields are its options."""

    folder: str
    declares: str
    one: str

    def known(self) -> dict[str, Any]:
        """The class of every member."""
        return {name: getattr(module, self.declares) for name, module in members(self.folder, self.declares).items()}

    def member(self, given: Any) -> Any:
        """The member that a name, or a name with options, means."""
        known = self.known()
        if type(given) in known.values():
            return given
        name, options = self._named(given)
        if name not in known:
            existing = ", ".join(sorted(known))
            raise ValueError(f"there is no {self.one} {name!r}; there are {existing}{close_to(name, known)}")
        has = [field.name for field in fields(known[name])]
        unknown = [option for option in options if option not in has]
        if unknown:
            words = f"{name} has no option {', '.join(map(repr, unknown))}"
            raise ValueError(f"{words}; it has {', '.join(has) or 'none'}{close_to(unknown[0], has)}")
        lacking = [field.name for field in fields(known[name]) if _usual(field) is MISSING]
        lacking = [option for option in lacking if option not in options]
        if lacking:
            written = f"{name}:{','.join(f'{option}=...' for option in lacking)}"
            raise ValueError(f"{self.one} {name} needs {' and '.join(lacking)}; write {written}")
        return told(f"{self.one} {name}", lambda: known[name](**options))

    def is_other(self, given: Any, name: str) -> bool:
        """Whether a member is given that is not the one of that name as it usually is."""
        try:
            return given is not None and self.to_plain(self.member(given)) != name
        except ValueError:
            return False

    def name_of(self, member: Any) -> str:
        """The name alone."""
        return next(name for name, kind in self.known().items() if type(member) is kind)

    def to_plain(self, member: Any) -> Any:
        """The name, with the options that differ from what is usual."""
        name = self.name_of(member)
        given = {field.name: getattr(member, field.name) for field in fields(member)}
        changed = {field.name: given[field.name] for field in fields(member) if given[field.name] != _usual(field)}
        return {name: plain(changed)} if changed else name

    def spell(self, member: Any) -> str:
        """The member as one text."""
        return hierarchies.spell(self.to_plain(member))

    def _named(self, given: Any) -> tuple[str, dict[str, Any]]:
        read = _read(given) if isinstance(given, str) else given
        if isinstance(read, str):
            return read, {}
        if isinstance(read, Mapping) and len(read) == 1:
            [(name, options)] = read.items()
            if isinstance(name, str) and isinstance(options, Mapping | None):
                return name, plain(fixed(options or {}))
        raise ValueError(f"a {self.one} is one name, or one name with its options as {{name: {{option: value}}}}")


def _usual(field: Field[Any]) -> Any:
    """What an option is when nothing is said."""
    return field.default if field.default_factory is MISSING else field.default_factory()


SEARCHES = Family("searches", "SEARCH", "search")
METRICS = Family("metrics", "METRIC", "metric")


def model(given: Any) -> models.PrivacyModel:
    """The privacy model that a job means."""
    if type(given) in [module.MODEL for module in members("models", "MODEL").values()]:
        made: models.PrivacyModel = given
        return made
    if isinstance(given, str):
        return told("the model", lambda: models.parse(given))
    return told("the model", lambda: models.from_dict(plain(fixed(given))))


def hierarchy(given: Any) -> str | FrozenMapping | None:
    """How a job keeps the description of a hierarchy: a path or a builder's name, or a builder with its options."""
    read = fixed(_read(given) if isinstance(given, str) else given)
    if read is None or isinstance(read, str):
        return read
    [(builder, options)] = read.items() if isinstance(read, FrozenMapping) and len(read) == 1 else [("", {})]
    if not builder or not isinstance(options, Mapping | None):
        raise ValueError("a hierarchy is a file, or one builder with its options as {intervals: {widths: [5, 10]}}")
    if "losses" in (options or {}):
        raise ValueError("losses belong to the column; write them beside the hierarchy")
    return FrozenMapping({builder: options}) if options else builder


def spell(spec: str | FrozenMapping | None) -> str:
    """A hierarchy as one text."""
    return hierarchies.spell(plain(spec))


def refuse_senseless(spec: str | FrozenMapping | None, column: str) -> None:
    """Unknown builders and options out of range; what depends on values or lies in a file shows later."""
    import pyarrow as pa

    builder, options = told("the hierarchy", lambda: hierarchies.settled(plain(spec), column))
    if "path" not in options:
        told("the hierarchy", lambda: hierarchies.build({builder: options}, pa.array([], pa.string()), column))


def _read(text: str) -> Any:
    """A member named in one text, as plain data."""
    try:
        return hierarchies.parse(text)
    except UsageError:
        raise ValueError("it cannot be read; write it as name:option=value,option=value") from None


def told(what: str, make: Callable[[], Made]) -> Made:
    """What is made, or a ValueError that says in one line why not."""
    try:
        return make()
    except UsageError as error:
        raise ValueError(str(error)) from None
    except (AttributeError, TypeError, ValueError):
        # Its words may quote anything.
        raise ValueError(f"{what} has a setting of the wrong kind, or lacks one") from None
