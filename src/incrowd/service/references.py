"""Files of the workspace that a request names, under names in the folder of the run; never a path from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from incrowd.errors import NotThere, UsageError

RELEASE = "release"
"""The name of what a run publishes: a file with an ending, or a folder of several tables."""
TABLES = "tables"
"""The kind of a release of several tables, which is a folder."""

PREVIEWS = "previews.json"
"""A few records as each of the searches that were tried would publish them; private."""

RESERVED = ("release", "previews", "job", "command", "script", "report", "hierarchy", "mapping", "table")
"""Beginnings of the names of files that a run makes."""


@dataclass(frozen=True)
class Held:
    """A file of the workspace, or a release that a run made."""

    id: str
    name: str
    kind: str
    suffix: str
    path: Path
    url: str | None = None
    """Of a database, with its password."""
    table: str | None = None
    query: str | None = None
    made_from: str | None = None
    """Of a release, the id of the table that the run read."""
    job: Mapping[str, Any] | None = None
    """Of a release of several tables, the job of the run, if it had one."""
    given: Mapping[str, str] | None = None
    """Of a release that applied an earlier recoding to several tables, their ids by their names."""


_RECORD = ".record.json"
Find = Callable[[str], Held | None]


@dataclass
class References:
    """Collects what a request names, each under a name of its own in the folder of the run."""

    find: Find
    links: dict[str, str] = field(default_factory=dict)
    """By name in the folder of the run the path in the workspace."""
    uses: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    """URLs with passwords, and what is told instead."""

    def held(self, text: Any, what: str = "file") -> Held:
        """Return the file or release that a text of the request means."""
        found = self.find(text) if isinstance(text, str) else None
        if found is None:
            raise NotThere.of(what, "upload it, and name it by its id")
        if found.id not in self.uses:
            self.uses.append(found.id)
        return found

    def path(self, text: Any, what: str = "file", *kinds: str) -> str:
        """Return the name of a file in the folder of the run."""
        held = self.held(text, what)
        _refuse_several(held, what)
        if held.url is not None or (kinds and held.kind not in kinds):
            raise UsageError.invalid(f"the {what}", f"it is of the kind {held.kind}", f"give {' or '.join(kinds)}")
        return self._linked(held)

    def source(self, text: Any, what: str = "file") -> dict[str, Any]:
        """Return the location of a table, and the table or query of a database."""
        held = self.held(text, what)
        _refuse_several(held, what)
        if held.kind in ("hierarchy", "manifest", "record"):
            raise UsageError.invalid(f"the {what}", f"not a table but a {held.kind}", "give a table")
        if held.url is not None:
            self.secrets[held.url] = held.name
            return {"source": held.url, "table": held.table, "query": held.query}
        name = self._linked(held)
        return {"source": f"sqlite:///{name}" if held.kind == "sqlite" else name, "table": held.table, "query": None}

    def described(self, text: Any, what: str = "file") -> dict[str, Any]:
        """Return the location of a table and its table or query as a job describes a source."""
        found = self.source(text, what)
        own = {name: value for name, value in found.items() if name != "source" and value is not None}
        return {"url" if "://" in found["source"] else "file": found["source"], **own}

    def folder(self, held: Held) -> str:
        """Return the name of the folder with the tables of a release; its private record is beside it."""
        name = self._free(held.name, str(held.path))
        self.links |= {name: str(held.path), f"{name}{_RECORD}": f"{held.path}{_RECORD}"}
        return name

    def _linked(self, held: Held) -> str:
        name = self._free(_safe(held.name, held.suffix), str(held.path))
        self.links[name] = str(held.path)
        if held.kind == "release":
            # What goes with a release is looked for beside it.
            for beside in (".manifest.json", _RECORD):
                self.links[name + beside] = str(held.path) + beside
            second = _sensitive(held.path, held.suffix)
            if second.exists():
                # Some look for it by the name of the first table, others by the one that the manifest has.
                self.links[_sensitive(Path(name), held.suffix).name] = str(second)
                self.links[second.name] = str(second)
        return name

    def _free(self, name: str, path: str) -> str:
        """Return the name, or a similar one that is free."""
        if name.startswith(RESERVED):
            name = f"given-{name}"
        candidate, at = name, 1
        while self.links.get(candidate, path) != path:
            at += 1
            candidate = f"{at}-{name}"
        return candidate


def _refuse_several(held: Held, what: str) -> None:
    if held.kind == TABLES:
        raise UsageError.invalid(f"the {what}", "it is a release of several tables", "name one table")


def _sensitive(path: Path, suffix: str) -> Path:
    from incrowd.release import sensitive_path

    return sensitive_path(str(path), suffix)


def _safe(name: str, suffix: str) -> str:
    """Return a name that is safe in paths, URLs and terminals, with the right extension.

    Blanks and brackets stay: the command and the script then name the table as its owner does.
    """
    plain = re.sub(r"[^\w.() -]", "_", name).lstrip(" .-")[-100:].lstrip(" .-") or "file"
    return plain if plain.lower().endswith(suffix) else plain + suffix
