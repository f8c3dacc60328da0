"""The draft of a job: what was chosen on the pages for one table, kept in the workspace from one visit to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role
from incrowd.formats.options import OF_FILES

if TYPE_CHECKING:
    from incrowd.service import Workspace

K, SUPPRESS = 5, 0.02
"""What is usual: everybody among five, and two records in a hundred may be left out."""
SEARCH = "optimal"
SCORED = "scored"
"""The search whose options have fields of their own."""
METRIC = "usual"
"""In place of a metric: the one of a job that names none."""


@dataclass
class Draft:
    """Everything that was chosen for a table; what is empty is as usual."""

    file: str
    missing: list[str] = field(default_factory=list)
    """Texts that stand for missing cells."""
    delimiter: str = ""
    encoding: str = ""
    """Of a text file; found by looking where they are empty."""
    header: bool | None = None
    """Whether the first line is a header; None where nobody has said so."""
    names: list[str] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    """Characters of each column of a text file without delimiters."""
    inspection: dict[str, Any] | None = None
    """What a first look found."""
    roles: dict[str, str] = field(default_factory=dict)
    hierarchies: dict[str, Any] = field(default_factory=dict)
    """By column, as a job has them; files of the workspace by their id."""
    limits: dict[str, int] = field(default_factory=dict)
    minimums: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, float] = field(default_factory=dict)
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By column what few need to say: form, scale, domain, losses."""
    normalize: dict[str, list[str]] = field(default_factory=dict)
    """By column the steps that make all spellings of a value one."""
    k: int = K
    models: list[dict[str, Any]] = field(default_factory=list)
    """Those beside k-anonymity, each about a sensitive column."""
    protected: list[str] = field(default_factory=list)
    """The sensitive columns that were given a model once; who takes it away is not given it again."""
    suppress: float = SUPPRESS
    metric: str = METRIC
    search: Any = SEARCH
    scored: dict[str, Any] = field(default_factory=dict)
    """Options of the search `scored`, as a job has them."""
    time: float | None = None
    output: str = ".csv"
    """How the name of the release ends."""
    spreadsheet_safe: bool = False
    expert: dict[str, Any] = field(default_factory=dict)
    """Keys of a job that few need; under `models` further ones in their short form."""
    opened: list[str] | None = None
    """What an opened job left to do by hand; None where none was opened."""
    question: dict[str, Any] = field(default_factory=dict)
    explored: list[str] = field(default_factory=list)
    """The set of columns that was looked at last."""

    def __post_init__(self) -> None:
        self._read: dict[str, Any] = {}

    @classmethod
    def of(cls, space: Workspace, owner: str, file: str) -> Draft:
        """The draft as it was left."""
        known = {each.name for each in fields(cls)}
        kept = space.notes(owner).get(_key(file)) or {}
        draft = cls(**{"file": file, **{name: value for name, value in kept.items() if name in known}})
        draft._read = asdict(draft)
        return draft

    def keep(self, space: Workspace, owner: str) -> None:
        """Put what was changed here into the workspace; what was changed in another window meanwhile stays."""
        mine, theirs = asdict(self), asdict(Draft.of(space, owner, self.file))
        merged = {name: _merged(self._read.get(name), value, theirs[name]) for name, value in mine.items()}
        space.notes(owner).put(_key(self.file), merged)
        self._read = mine

    def having(self, role: Role) -> list[str]:
        """The columns with a role, in the order of the table."""
        return [name for name, given in self.roles.items() if given == role]

    @property
    def quasi(self) -> list[str]:
        """What outsiders may know."""
        return self.having(Role.QUASI)

    @property
    def reading(self) -> dict[str, Any]:
        """The table and how it is read, as a request has them."""
        told = {name: getattr(self, name) for name in OF_FILES}
        return {"file": self.file, **{name: value for name, value in told.items() if value not in (None, "", [])}}

    @property
    def data(self) -> dict[str, Any]:
        """The same as a job has it."""
        reading = self.reading
        return {"source": reading.pop("file"), **reading}

    def protect(self) -> None:
        """A model for every column that became sensitive, and none for what is sensitive no longer."""
        sensitive = self.having(Role.SENSITIVE)
        kept = [each for each in self.models or () if model_column(each) in sensitive]
        known = {*self.protected, *map(model_column, kept)}
        self.models = [*kept, *(_usual_model(name) for name in sensitive if name not in known)]
        self.protected = sensitive

    def job(self) -> dict[str, Any]:
        """The job as plain data."""
        self.protect()
        # The usual metric is left out: it depends on declared losses, and some searches have a cost of their own.
        metric = None if self.metric == METRIC else self.metric
        settings = {"suppress": self.suppress, "metric": metric, "search": self._search(), "time": self.time}
        if "generalize" in self.expert and self.search == SEARCH:
            # What is asked for has a usual search of its own.
            del settings["search"]
        return {
            "data": self.data,
            "output": {"to": f"release{self.output}", **({"spreadsheet_safe": True} if self.spreadsheet_safe else {})},
            "columns": {name: self._column(name, role) for name, role in self.roles.items()},
            **{key: value for key, value in (settings | self.expert).items() if value not in (None, "")},
            "models": self._models(),
        }

    def _search(self) -> Any:
        """Return the search with its options; levels of columns that are no quasi-identifiers any more stay behind."""
        if self.search != SCORED or not self.scored:
            return self.search
        levels = {name: of for name, of in self.scored.get("sample_levels", {}).items() if name in self.quasi}
        options = {name: value for name, value in self.scored.items() if name != "sample_levels"}
        return {SCORED: {**options, **({"sample_levels": levels} if levels else {})}}

    def _models(self) -> list[Any]:
        """k-anonymity and the others; not where it is asked for in the revisited sense."""
        others = [*self.models, *self.expert.get("models", ())]
        revisited = any(isinstance(each, Mapping) and "consistent_k" in each for each in others)
        return others if revisited else [{"k_anonymity": {"k": self.k}}, *others]

    def _column(self, name: str, role: str) -> dict[str, Any]:
        common = {"hierarchy": self.hierarchies, "normalize": self.normalize}
        if role == Role.SENSITIVE:
            return {"role": role, **{key: by_name[name] for key, by_name in common.items() if name in by_name}}
        if role != Role.QUASI:
            return {"role": role}
        chosen: dict[str, Mapping[str, Any]] = {
            **common,
            "limit": self.limits,
            "minimum": self.minimums,
            "priority": self.priorities,
        }
        settings = {key: by_name[name] for key, by_name in chosen.items() if name in by_name}
        return {"role": role, **settings, **self.details.get(name, {})}


def _usual_model(column: str) -> dict[str, Any]:
    """At least two different values in every group: no group gives its value away."""
    return {"distinct_l": {"l": 2, "column": written_column(column)}}


def written_column(column: str) -> str | list[str]:
    """A column as a model names it: a plus sign would join the names of several."""
    return [column] if "+" in column else column


def model_column(model: Mapping[str, Any]) -> str:
    """The sensitive column that a model is about."""
    [options] = model.values()
    column = options["column"]
    return str(column[0] if isinstance(column, list) else column)


def _merged(before: Any, mine: Any, theirs: Any) -> Any:
    """Mine where I changed it, else theirs; of what goes by name, name by name."""
    if mine == before:
        return theirs
    if not (isinstance(before, dict) and isinstance(mine, dict) and isinstance(theirs, dict)):
        return mine
    names = [*theirs, *(name for name in mine if name not in theirs)]
    chosen = {name: mine if mine.get(name) != before.get(name) else theirs for name in names}
    return {name: of[name] for name, of in chosen.items() if name in of}


def kept(space: Workspace, owner: str, file: str) -> Any:
    """The draft of a table as plain data, as the workspace has it."""
    return space.notes(owner).get(_key(file))


def _key(file: str) -> str:
    return f"draft-{file}"
