"""Families of interchangeable members: the modules of a folder, and the entry points of other packages.

A member is a module, named as its file or as its entry point in the group "incrowd.<folder>". It declares what the
family asks for, such as MODEL, and may also declare

    MEANING    one short sentence for lists (default: the first line of the docstring)
    RANK       its place in lists; members without one follow by name
    ALIASES    further names
    LABELS     by option the label of its field
    SUGGESTED  by option a first value for what must be given

The package of a family says what a member needs: CONTRACT, a Protocol, and `faults(module)`, further checks. A member
that cannot be imported or is incomplete is refused: it is in no list, asking for it gives the reason, the others work.

A member is spelled `name:option=value,option=value`; `incrowd.spelling` has the grammar.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from inspect import get_annotations, getdoc, isfunction
from pkgutil import iter_modules
from typing import Any, NamedTuple, Protocol, get_type_hints

from incrowd.errors import IncrowdError, UsageError
from incrowd.spelling import read_options, write_options

_WITH_OPTIONS = re.compile(r"\s*([A-Za-z_]\w*):(?=\s*\Z|\s*[A-Za-z_]\w*\s*=)", re.ASCII)
_WRITTEN = "write it as name:option=value,option=value"
_REPAIR = "update or remove the package that offers it"


class Found(NamedTuple):
    """Members of a family: their modules, and the reasons why others were refused."""

    modules: dict[str, Any]
    refused: dict[str, str]


@cache
def _declared(path: tuple[str, ...]) -> Any:
    """Return what all packages on a path declare, which takes a look at each of them."""
    return metadata.entry_points()


def entry_points(group: str) -> metadata.EntryPoints:
    """Return what other packages declare in a group."""
    found: metadata.EntryPoints = _declared(tuple(sys.path)).select(group=group)
    return found


@cache
def found(folder: str, declares: str) -> Found:
    """Find the members of a folder and of entry points; refuse those that are incomplete."""
    package = import_module(f"incrowd.{folder}")
    names = [module.name for module in iter_modules(package.__path__) if not module.name.startswith("_")]
    own = {name: import_module(f"{package.__name__}.{name}") for name in names}
    modules = {name: module for name, module in own.items() if hasattr(module, declares)}
    refused: dict[str, str] = {}
    for point in entry_points(group=package.__name__):
        # Members of our own keep their names.
        if point.name not in modules:
            try:
                modules[point.name] = point.load()
            except Exception as error:
                refused[point.name] = f"it cannot be imported ({type(error).__name__})"
    for name, module in list(modules.items()):
        lacking = _faults(package, module, declares)
        if lacking:
            del modules[name]
            refused[name] = "; ".join(lacking)
    return Found(modules, refused)


@cache
def _own(folder: str, declares: str, name: str, path: tuple[str, ...]) -> Any:
    """Return the module of one of our own members, whose folders are on the path, without loading the others; None if
    there is none, or none that is complete."""
    package = import_module(f"incrowd.{folder}")
    if name.startswith("_") or not name.isidentifier() or find_spec(f"{package.__name__}.{name}") is None:
        return None
    module = import_module(f"{package.__name__}.{name}")
    return module if hasattr(module, declares) and not _faults(package, module, declares) else None


def members(folder: str, declares: str) -> dict[str, Any]:
    """Return the module of every complete member of a family, by name."""
    return found(folder, declares).modules


def _faults(package: Any, module: Any, declares: str) -> list[str]:
    member = getattr(module, declares, None)
    if member is None:
        return [f"it declares no {declares}"]
    further: Callable[[Any], list[str]] = getattr(package, "faults", lambda module: [])
    return _incomplete(member, getattr(package, "CONTRACT", None)) or further(module)


def _incomplete(member: Any, contract: Any) -> list[str]:
    if contract is None:
        return []
    if not isinstance(member, type) or not is_dataclass(member) or not member.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return ["it is not a frozen dataclass"]
    known = {field.name for field in fields(member)}
    lacking = [name for name in _demanded(contract) if name not in known and not hasattr(member, name)]
    verbs = [name for name, of in _demanded(contract).items() if isfunction(of) and hasattr(member, name)]
    no_verbs = [name for name in verbs if not callable(getattr(member, name))]
    return [f"it lacks {', '.join(lacking)}"] * bool(lacking) + [f"{name} cannot be called" for name in no_verbs]


def _demanded(contract: type) -> dict[str, Any]:
    """Return the public names of a Protocol, those of its bases included."""
    bases = [base for base in reversed(contract.__mro__) if base not in (object, Protocol)]
    names: dict[str, Any] = {}
    for base in bases:
        names |= dict.fromkeys(get_annotations(base)) | dict(vars(base))
    return {name: of for name, of in names.items() if not name.startswith("_")}


@dataclass(frozen=True)
class Family:
    """Interchangeable members, each a frozen dataclass whose fields are its options, or a module."""

    folder: str
    declares: str
    one: str
    """A member as messages call it."""

    def modules(self) -> dict[str, Any]:
        """Return the module of every member."""
        return members(self.folder, self.declares)

    def known(self) -> dict[str, Any]:
        """Return the class of every member, or what else it declares."""
        return {name: getattr(module, self.declares) for name, module in self.modules().items()}

    def own(self, name: object) -> Any:
        """Return the module of one of our own members by its name, alone; None if there is none."""
        path = tuple(import_module(f"incrowd.{self.folder}").__path__)
        return _own(self.folder, self.declares, name, path) if isinstance(name, str) else None

    def own_name(self, member: Any) -> str | None:
        """Return the name of one of our own members; None if it is not one."""
        package, _, name = type(member).__module__.rpartition(".")
        module = self.own(name) if package == f"incrowd.{self.folder}" else None
        return name if module is not None and getattr(module, self.declares) is type(member) else None

    def has(self, given: Any) -> bool:
        """Return whether what is given is a member."""
        return self.own_name(given) is not None or type(given) in self.known().values()

    def refused(self) -> dict[str, str]:
        """Return the members that are incomplete, with the reason."""
        return dict(found(self.folder, self.declares).refused)

    def ranked(self) -> list[str]:
        """Return all names, those with a rank first."""
        return sorted(self.modules(), key=lambda name: (getattr(self.modules()[name], "RANK", 1 << 16), name))

    def meaning(self, name: str) -> str:
        """Return what a member does, in one short sentence."""
        module = self.modules()[name]
        member = getattr(module, self.declares)
        said = getattr(module, "MEANING", None) or getattr(member, "meaning", None)
        return str(said or (getdoc(member) or getdoc(module) or name).partition("\n")[0])

    def module(self, name: object) -> Any:
        """Return the module of a member by its name or an alias; raise UsageError if there is none."""
        return self.own(name) or self.modules()[self.resolved(name)]

    def resolved(self, name: object) -> str:
        """Return the name that a name or an alias means; raise UsageError if there is no such member."""
        if isinstance(name, str) and self.own(name) is not None:
            return name
        known = self.modules()
        if isinstance(name, str) and name in known:
            return name
        also = {alias: of for of, module in known.items() for alias in getattr(module, "ALIASES", ())}
        if isinstance(name, str) and name in also:
            return also[name]
        if isinstance(name, str) and name in self.refused():
            raise UsageError.invalid(f"{self.one} {name}", f"it is refused: {self.refused()[name]}", _REPAIR)
        prefix, colon, rest = str(name).partition(":")
        if colon and prefix in known:
            raise UsageError.invalid(f"{self.one} {prefix}", f"{rest.strip()!r} has no =", _WRITTEN)
        raise UsageError.no_such(self.one, str(name), sorted(known))

    def types(self, name: str) -> dict[str, Any]:
        """Return the declared type of each option; none of an unknown member."""
        own = self.own(name)
        member = self.known().get(name) if own is None else getattr(own, self.declares)
        try:
            found = {} if member is None else get_type_hints(member, include_extras=True)
        except NameError:
            # An annotation that only type checkers can resolve says nothing about the text.
            found = {}
        return {option.rstrip("_"): kind for option, kind in found.items()}

    def member(self, given: Any) -> Any:
        """Return the member that a text, or a name with options, means; a member stays as it is."""
        if not isinstance(given, str | Mapping) and self.has(given):
            return given
        name, options = self.named(given)
        kind = getattr(self.module(name), self.declares)
        name, has = self.resolved(name), [field.name for field in ordered(kind)]
        unknown = [str(option) for option in options if option not in has]
        if unknown:
            raise UsageError.no_option(name, unknown, has)
        lacking = [option for option in needed(kind) if option not in options]
        if lacking:
            example = f"{name}:{','.join(f'{option}=...' for option in lacking)}"
            raise UsageError.invalid(f"{self.one} {name}", f"it needs {' and '.join(lacking)}", f"write {example}")
        try:
            return kind(**options)
        except IncrowdError:
            raise
        except (AttributeError, TypeError, ValueError):
            # Its words may quote anything.
            raise UsageError.invalid(
                f"{self.one} {name}", "an option is of the wrong kind", f"it has {', '.join(has)}"
            ) from None

    def named(self, given: Any) -> tuple[str, dict[str, Any]]:
        """Return the name and the options of a member given as text or as {name: options}."""
        read = self.read(given) if isinstance(given, str) else given
        if isinstance(read, str):
            return read, {}
        if isinstance(read, Mapping) and len(read) == 1:
            [(name, options)] = read.items()
            if isinstance(name, str) and isinstance(options, Mapping | None):
                return name, dict(options or {})
        raise UsageError(f"a {self.one} is one name, or one name with its options as {{name: {{option: value}}}}")

    def read(self, text: str) -> str | dict[str, dict[str, Any]]:
        """Return what a text says: {name: options}, or the text itself if it has no options."""
        named = _WITH_OPTIONS.match(text)
        if named is None:
            return text.strip()
        try:
            return {named[1]: read_options(text[named.end() :], self.types(named[1]))}
        except ValueError as error:
            raise UsageError.invalid(f"{self.one} {named[1]}", str(error), _WRITTEN) from None

    def write(self, name: str, options: Mapping[str, Any] | None) -> str:
        """Return the text that `read` reads as the name with these options."""
        return f"{name}:{write_options(options or {}, self.types(name))}"

    def name_of(self, member: Any) -> str:
        """Return the name of a member; raise TypeError if it is part of others and has none."""
        own = self.own_name(member)
        if own is not None:
            return own
        for name, kind in self.known().items():
            if type(member) is kind:
                return name
        raise TypeError(f"{type(member).__name__} is part of other members and has no name of its own")

    def options_of(self, member: Any) -> dict[str, Any]:
        """Return the options that differ from what is usual, those that must be given first."""
        given = [(field, getattr(member, field.name)) for field in ordered(type(member))]
        return {field.name: value for field, value in given if value != option_default(field)}

    def spell(self, member: Any) -> str:
        """Return the shortest text that means the member."""
        name, options = self.name_of(member), self.options_of(member)
        return self.write(name, options) if options else name


def ordered(kind: Any) -> list[Field[Any]]:
    """Return the options of a member: those that must be given first, keywords last among them."""
    return sorted(fields(kind), key=lambda field: (option_default(field) is not MISSING, field.kw_only))


def option_default(field: Field[Any]) -> Any:
    """Return the value of an option that is not given; MISSING if it must be."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def needed(kind: Any) -> list[str]:
    """Return the options of a member that must be given."""
    return [field.name for field in ordered(kind) if option_default(field) is MISSING]


MODELS = Family("models", "MODEL", "model")
METRICS = Family("metrics", "METRIC", "metric")
RELEASE_METRICS = Family("release_metrics", "RELEASE_METRIC", "release metric")
SEARCHES = Family("searches", "SEARCH", "search")
SCORES = Family("scores", "SCORE", "score")
BUILDERS = Family("hierarchies", "build", "hierarchy")
RULES = Family("tables.rules", "RULE", "rule")
PROTECTIONS = Family("tables.protections", "PROTECTION", "protection")
ATTACKS = Family("attacks", "ATTACK", "attack")
FORMATS = Family("formats", "open", "format")
JUDGES = Family("proposing", "judge", "judge")

FAMILIES = (MODELS, METRICS, RELEASE_METRICS, SEARCHES, SCORES, BUILDERS, RULES, PROTECTIONS, ATTACKS, FORMATS, JUDGES)
