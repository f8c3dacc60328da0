"""The members of families in the documentation: a reference of all, and the tables within pages written by hand."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from inspect import getdoc, signature
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from definitions import code, item, parameters, table

from incrowd.core.grid import Point
from incrowd.errors import UsageError
from incrowd.families import MODELS, members
from incrowd.jobs import Column, Data, Job, Output, Population
from incrowd.jobs.docstrings import docstrings
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.grid import serving, usual_search


class Family(NamedTuple):
    """A folder of interchangeable members."""

    folder: str
    declares: str
    one: str
    heading: str
    told: str

    page: str
    """Where its members are explained."""
    table: str
    """The name of the table that lists them, within that page."""
    pages: str = ""
    """The folder with a page for each member; empty where each is a section of the page."""

    def place(self, name: str) -> str:
        """Where a member is explained, seen from the page of the table."""
        return f"{self.pages}/{name}.md" if self.pages else f"#{name}"


FAMILIES = (
    Family(
        "models", "MODEL", "model", "Privacy models", "Requirements on every class", "models.md", "models", "models"
    ),
    Family(
        "metrics",
        "METRIC",
        "metric",
        "Metrics",
        "The quantity that a search minimizes",
        "metrics.md",
        "metrics",
        "metrics",
    ),
    Family(
        "searches", "SEARCH", "search", "Searches", "The choice of the recoding", "searches.md", "searches", "searches"
    ),
    Family(
        "scores", "SCORE", "score", "Scores", "The quantity that `scored` maximizes", "searches/scored.md", "scores"
    ),
    Family(
        "hierarchies",
        "build",
        "builder",
        "Hierarchy builders",
        "The ways to build a hierarchy",
        "hierarchies.md",
        "hierarchies",
    ),
    Family(
        "release_metrics",
        "RELEASE_METRIC",
        "metric",
        "Release metrics",
        "The quantities that any release is measured by",
        "measure.md",
        "yardsticks",
        "metrics",
    ),
    Family("tables.rules", "RULE", "rule", "Rules of tables", "Conditions for sensitive cells", "tables.md", "rules"),
    Family(
        "tables.protections",
        "PROTECTION",
        "protection",
        "Protections of tables",
        "The ways to protect sensitive cells of a table",
        "tables.md",
        "protections",
    ),
    Family(
        "attacks", "ATTACK", "attack", "Attacks", "What an attacker may learn from a release", "attack.md", "attacks"
    ),
)

_REGION = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

_TRIED: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("k", "l", "p"), (2, 3)),
    **dict.fromkeys(("t", "beta", "delta", "c", "upper"), (0.5,)),
    "alpha": (0.5, 1),
    "lower": (0, 0.1),
    "column": ("disease",),
    "ranges": ((), ((0, 4),)),
    "level": (0,),
    "policy": ((), (("flu", "infectious"),)),
    "guard": ("asks",),
    "domain": (None,),
    "distance": ("equal", "ordered", "hierarchical"),
    "order": ((),),
    "absent": ("violates", "ignored"),
    "notion": ("k_k", "global_one_k"),
}
"""Values of each parameter with which the claims of models are asked for."""

_TRIED_BY: dict[str, dict[str, tuple[Any, ...]]] = {
    "RangeDiversity": {"p": (0.5,), "distance": ("automatic",)},
    "PersonalBreach": {"p": (0.5,)},
}
"""Where a model takes others."""


def filled(text: str) -> str:
    """A page with its generated tables as they should be."""
    return _REGION.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", text)


def page() -> Iterator[str]:
    """Every member of every family with its options, part by part."""
    for family in FAMILIES:
        yield f"## {family.heading}"
        yield f"{family.told}; explained in [{Path(family.page).stem}]({family.page})."
        for name, module in _of(family):
            yield f"### {name}"
            yield getdoc(module) or ""
            yield getdoc(getattr(module, family.declares)) or ""
            options = [item(each, told) for each, told in options_of(getattr(module, family.declares))]
            yield "\n".join(options) if options else "No options."
            if family.pages:
                yield f"[What it means, with an example]({family.place(name)})"


def _of(family: Family) -> list[tuple[str, Any]]:
    return sorted(members(family.folder, family.declares).items())


def options_of(member: Any) -> list[tuple[str, str]]:
    """The options of a member as they are written, each with what is said about it."""
    if isinstance(member, type):
        return list(parameters(member))
    taken = [each for each in signature(member).parameters.values() if each.name not in ("values", "name")]
    # Without the marks that say how a text is read.
    kinds = get_type_hints(member)
    return [(_option(each, kinds[each.name]), "") for each in taken]


def _option(parameter: Any, annotation: Any) -> str:
    """A parameter of a builder; one whose name Python keeps for itself ends in an underscore."""
    kind = getattr(annotation, "__name__", None) if isinstance(annotation, type) else None
    shown = kind or re.sub(r"\b(\w+\.)+", "", re.sub(r"Optional\[(.*)\]", r"\1 | None", str(annotation)))
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{parameter.name.rstrip('_')}: {shown}{default}"


# Tables within pages.


def _claims() -> str:
    """What each model claims, with the values of its parameters that decide it."""
    rows = [
        (f"[`{name}`]({FAMILIES[0].place(name)})", *(_when(module.MODEL, ask) for ask in _ASKED.values()))
        for name, module in _of(FAMILIES[0])
    ]
    return table(("model", *_ASKED), rows)


_ASKED: dict[str, Callable[[Any], bool]] = {
    "survives merging": lambda model: model.monotone.merging,
    "absorbs any class": lambda model: model.monotone.absorbing,
    "suppression helps": lambda model: model.suppressible,
    "compares with the whole table": lambda model: model.needs_reference,
    "needs the population": lambda model: model.needs_population,
}


def _when(model: Any, ask: Callable[[Any], bool]) -> str:
    names = [each.partition(":")[0] for each, _ in parameters(model)]
    # A parameter that is not among them is tried with the first value that the member suggests.
    module = next(module for module in MODELS.modules().values() if module.MODEL is model)
    suggested = getattr(module, "SUGGESTED", {})
    choices = {**{name: (suggested.get(name, 1),) for name in names}, **_TRIED, **_TRIED_BY.get(model.__name__, {})}
    tried = [dict(zip(names, values, strict=True)) for values in product(*(choices[name] for name in names))]
    found = {}
    for given in tried:
        # Some parameters exclude each other.
        with suppress(UsageError):
            found[tuple(given.items())] = ask(model(**given))
    if len(set(found.values())) == 1:
        return "yes" if next(iter(found.values())) else "no"
    deciding = {entry for given in found for entry in given if all(held == (entry in at) for at, held in found.items())}
    if not deciding:
        return "it depends"
    [(name, value)] = deciding
    return f"with `{name}={value}`" if value != () else f"without `{name}`"


def _listed(family: Family) -> Callable[[], str]:
    """Every member with its options and what it is in short."""

    def written() -> str:
        rows = [
            (f"[`{name}`]({family.place(name)})", _shown(getattr(module, family.declares)), _first_line(module))
            for name, module in _of(family)
        ]
        return table((family.one, "options", "what it is"), rows)

    return written


def _shown(member: Any) -> str:
    options = [each.partition(":")[0] for each, _ in options_of(member)]
    return ", ".join(f"`{option}`" for option in options) or "none"


def _first_line(module: Any) -> str:
    return (getdoc(module) or "").partition("\n")[0]


def _keys(part: Any) -> Callable[[], str]:
    """The keys of a part of a job, each with its default."""

    def written() -> str:
        rows = [
            (code(key), "must be given" if field.is_required() else _usual(field), docstrings(part).get(key, ""))
            for key, field in part.model_fields.items()
        ]
        return table(("key", "when not given", "what it says"), rows)

    return written


def _usual(field: Any) -> str:
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is None or default == ():
        return ""
    if hasattr(default, "__dataclass_fields__"):
        return code(type(default).__name__.lower())
    return code(f"{default:g}" if isinstance(default, float) else str(default).lower())


def _grid() -> str:
    """The points of the grid, each with what serves it; what is usual comes first."""
    rows = []
    for point in Point:
        usual = SEARCHES.spell(usual_search({"generalize": point.generalize, "suppress": point.suppress}))
        others = [name for name in serving(point) if name != usual]
        settings = f"`generalize: {point.generalize}`, `suppress: {point.suppress}`"
        rows.append((code(point), point.words, settings, code(usual), ", ".join(map(code, others)) or "none"))
    return table(("point", "what it does", "settings", "usual search", "others that serve it"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "claims": _claims,
    "grid": _grid,
    **{family.table: _listed(family) for family in FAMILIES},
    **{part.__name__.lower(): _keys(part) for part in (Job, Data, Population, Output, Column)},
}
"""What stands between the marks of a page, by the name in the mark."""
