"""The draft of a release of several tables: which belong to the first one, and by which keys."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role
from incrowd.web.parts.draft import KNOWS, Draft, model_column, spell_column

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


@dataclass(frozen=True)
class Child:
    """A table that belongs to another one."""

    file: str
    name: str
    of: str
    """The name of the other one."""
    here: list[str]
    """Its columns with the key of the other one."""
    there: list[str]
    """The key columns of the other one."""


@dataclass
class LinkedDraft:
    """The tables of a set; roles and hierarchies of each, k and the limits are in the drafts of the tables."""

    file: str
    name: str
    key: list[str] = field(default_factory=list)
    """The columns of the first table that together identify the person."""
    children: list[Child] = field(default_factory=list)

    @classmethod
    def load(cls, space: Workspace, owner: str, file: StoredFile) -> LinkedDraft:
        """Return the stored set of a table, without tables that were deleted."""
        kept = space.notes(owner).get(_note(file.id)) or {}
        known = {each.id for each in space.files(owner)}
        found = cls(file.id, table_name(file, ()), _several(kept.get("key", "")))
        for each in kept.get("children", ()):
            child = Child(**{**each, "here": _several(each["here"]), "there": _several(each["there"])})
            if child.file in known and child.of in found.names:
                found.children.append(child)
        return found

    def keep(self, space: Workspace, owner: str) -> None:
        """Store it; it is deleted with the first table."""
        plain = {"key": self.key, "children": [asdict(each) for each in self.children]}
        space.notes(owner).put(_note(self.file), plain)

    @property
    def names(self) -> list[str]:
        """The names of the tables, the first one first."""
        return [self.name, *(each.name for each in self.children)]

    @property
    def files(self) -> dict[str, str]:
        """The files by the names of the tables."""
        return {self.name: self.file, **{each.name: each.file for each in self.children}}

    def remove(self, name: str) -> None:
        """Remove a table and those that belong to it."""
        gone = {name}
        for child in self.children:
            gone |= {child.name} if child.of in gone else set()
        self.children = [each for each in self.children if each.name not in gone]

    def key_of(self, name: str) -> list[str]:
        """Return the columns by which other tables belong to a table; none if none does."""
        if name == self.name:
            return self.key
        return next((each.there for each in self.children if each.of == name), [])

    def keys_of(self, name: str) -> set[str]:
        """Return the key columns of a table, which get new numbers."""
        above = (column for each in self.children if each.name == name for column in each.here)
        return {*self.key_of(name), *above}

    def job(self, drafts: dict[str, Draft]) -> dict[str, Any]:
        """Return the job as plain data; `drafts` are those of the tables by their names."""
        first = drafts[self.name]
        children = {each.name: each for each in self.children}
        tables = {
            name: {"data": draft.data, **_belonging(children.get(name)), "columns": self.columns(name, draft)}
            for name, draft in drafts.items()
        }
        return {
            "tables": tables,
            "models": [{"k_anonymity": {"k": first.k}}, *self._models(drafts)],
            "suppress": first.suppress,
            "output": {"to": "release", "format": first.output.lstrip(".")},
            **({} if first.knows == KNOWS else {"knows": first.knows}),
            **({} if first.time is None else {"time": first.time}),
        }

    def columns(self, name: str, draft: Draft) -> dict[str, Any]:
        """Return the columns of a table; its keys have no other role, and no further column tells the person."""
        keys = self.keys_of(name)
        found: dict[str, Any] = {each: {"role": Role.PERSON} for each in self.key if name == self.name}
        for column, role in draft.roles.items():
            if column not in keys:
                settings = draft.column(column, Role.IDENTIFIER if role == Role.PERSON else role)
                found[column] = {key: value for key, value in settings.items() if key != "person"}
        return found

    def _models(self, drafts: dict[str, Draft]) -> list[dict[str, Any]]:
        """Return the models of sensitive columns, which are named with their tables."""
        found = []
        for name, draft in drafts.items():
            draft.protect()
            for model in draft.models:
                [(kind, options)] = model.items()
                if model_column(model) not in self.keys_of(name):
                    found.append({kind: {**options, "column": spell_column(f"{name}.{model_column(model)}")}})
        return found


def table_name(file: StoredFile, taken: Container[str]) -> str:
    """Return a name for a table that is also a file name, after that of its file, and not taken."""
    stem = file.table or PurePosixPath(file.name).name.partition(".")[0]
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_-") or "table"
    plain = plain if plain[0].isalpha() else f"t_{plain}"
    name, at = plain, 1
    while name in taken:
        at += 1
        name = f"{plain}_{at}"
    return name


def _belonging(child: Child | None) -> dict[str, Any]:
    if child is None:
        return {}
    on: Any = dict(zip(child.here, child.there, strict=False))
    if child.here == child.there:
        on = child.here[0] if len(child.here) == 1 else child.here
    return {"of": child.of, "on": on}


def _several(columns: str | list[str]) -> list[str]:
    """Return key columns; a draft of an earlier version has one by its name."""
    return columns if isinstance(columns, list) else [columns] if columns else []


def _note(file: str) -> str:
    # Deleted with the draft of the table.
    return f"draft-{file}-linked"
