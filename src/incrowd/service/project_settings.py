"""The types of the settings in a project file, which the pages of its table need to show them.

Unknown names are of another version, which the pages pass over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from incrowd.core.grid import Unit
from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.jobs.preparation import prepare_given
from incrowd.recodings import Form


def _one_with_column(model: dict[str, Any]) -> dict[str, Any]:
    options = next(iter(model.values()), None)
    column = options.get("column") if isinstance(options, dict) else None
    if len(model) != 1 or not (isinstance(column, str) or (column and _are_texts(column))):
        raise ValueError("not a model of a sensitive column")
    return model


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(each, str) for each in given)


def _prepared(given: dict[str, Any]) -> dict[str, Any]:
    try:
        prepare_given(given)
    except UsageError:
        raise ValueError("not changes to a table") from None
    return given


Number = Annotated[float, Field(allow_inf_nan=False)]
Texts = list[str]
Value = str | bool | int | Number | None
Model = Annotated[dict[str, Any], AfterValidator(_one_with_column)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class Details(_Part):
    """Optional settings of a column."""

    form: Form | Literal[""] = ""
    scale: Texts | str = ""
    domain: list[Number] | Number = 0
    bounds: list[Number] | Number = 0
    losses: list[Number] | Number = 0


class Expert(_Part):
    """Optional keys of a job."""

    seed: int | None = None
    models: Texts = []
    nulls: str = ""
    order: str = ""
    wiped: str = ""
    generalize: str = ""
    suppress: Any = ""
    population: str = ""
    search: str = ""
    metric: str = ""


class Scored(_Part):
    """Options of the search `scored`."""

    score: str | Annotated[dict[str, dict[str, Number | None]], Field(min_length=1, max_length=1)] = ""
    p: int | None = None
    sample_k: int | None = None
    partial: bool | None = None
    sample_levels: dict[str, int] = {}


class Column(_Part):
    """Facts about a column."""

    name: str
    role: Role
    reason: str
    type: str
    distinct: int
    missing: int
    missing_share: Number
    unique_share: Number
    unique_gain: Number | None
    sureness: str = ""
    person: bool = False
    most_frequent: int = 0
    bars: list[Number] = []


class People(_Part):
    """Who has several records."""

    summary: str
    columns: Annotated[Texts, Field(min_length=1)]


class Choice(_Part):
    """A way to read a column."""

    label: str
    missing: Texts = []
    normalize: Texts = []


class Notice(_Part):
    """How the values of a column are written."""

    column: str
    what: str
    assumed: str
    sureness: str
    set_by: str
    choices: list[Choice]


class Inspection(_Part):
    """Facts about a table."""

    records: int
    columns: list[Column]
    people: People | None = None
    noticed: list[Notice] = []
    ranges: dict[str, dict[str, Any]] = {}


class Proposed(_Part):
    """Hierarchies proposed for columns."""

    reading: dict[str, Any] = {}
    by_column: dict[str, Any] = {}


class Settings(_Part):
    """The choices for a table."""

    missing: Texts = []
    delimiter: str = ""
    encoding: str = ""
    header: bool | None = None
    names: Texts = []
    widths: list[int] = []
    prepare: Annotated[dict[str, Any], AfterValidator(_prepared)] = {}
    inspection: Inspection | None = None
    roles: dict[str, Role] = {}
    chosen: dict[str, bool] | None = None
    also_person: dict[str, bool] = {}
    hierarchies: dict[str, str | dict[str, Any] | list[Any] | None] = {}
    proposed: Proposed | dict[str, None] = {}
    limits: dict[str, int] = {}
    minimums: dict[str, int] = {}
    priorities: dict[str, Number] = {}
    details: dict[str, Details] = {}
    normalize: dict[str, Texts] = {}
    missing_in: dict[str, Texts] = {}
    k: int = 2
    models: list[Model] = []
    protected: Texts = []
    knows: str = ""
    suppress: Number = 0
    suppress_of: Unit = Unit.RECORDS
    suppress_whole: bool = False
    metric: str = ""
    search: str | dict[str, Any] = ""
    scored: Scored = Scored()
    time: Number | None = None
    output: str = ""
    spreadsheet_safe: bool = False
    expert: Expert = Expert()
    opened: Texts | None = None
    question: dict[str, Value | Texts] = {}
    explored: Texts = []


def _change(given: tuple[Texts, list[Any], list[Any]]) -> tuple[Texts, list[Any], list[Any]]:
    """Return a path with the value before and after, each at most one."""
    path, *sides = given
    if not 1 <= len(path) <= 2 or max(map(len, sides)) > 1:
        raise ValueError("not a change of a setting")
    for [value] in filter(None, sides):
        # Undo makes them settings again.
        _fits(Settings, {path[0]: value if len(path) == 1 else {path[1]: value}})
    return given


class Step(_Part):
    """Settings that were changed at once."""

    window: str
    at: Number
    changes: list[Annotated[tuple[Texts, list[Any], list[Any]], AfterValidator(_change)]]


class Steps(_Part):
    """The steps that can be undone and redone."""

    done: list[Step] = []
    undone: list[Step] = []
    said: dict[str, str] = {}


class Child(BaseModel):
    """A table that belongs to another one."""

    model_config = ConfigDict(extra="forbid", strict=True)

    file: str
    name: str
    of: str
    here: Texts | str
    there: Texts | str


class Linked(_Part):
    """The tables of a set."""

    key: Texts | str = []
    children: list[Child] = []


_BY_NAME: Mapping[str, Any] = {"": Settings, "-steps": Steps, "-linked": Linked}
_OTHERS = str | dict[str, Value | list[Value]] | None
"""The id of the latest run of a kind, or what the fields of a form hold."""


def check(name: str, value: Any) -> None:
    """Raise ValueError with its place if a setting is none; `name` is what follows the id of the table."""
    _fits(_BY_NAME.get(name, _OTHERS), value)


def _fits(kind: Any, value: Any) -> None:
    try:
        TypeAdapter[Any](kind).validate_json(json.dumps(value))
    except ValidationError as error:
        place = error.errors(include_input=False, include_context=False, include_url=False)[0]["loc"]
        # Further parts may be names of columns or values.
        raise ValueError(str(place[0]) if place else "all of it") from None
