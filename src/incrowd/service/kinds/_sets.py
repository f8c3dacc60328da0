"""Several tables as requests name them: the release of a run, or uploaded tables by their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from incrowd.errors import JobError, UsageError
from incrowd.service.path_sandbox import confined_tables
from incrowd.service.references import TABLES, Held, References


def is_of_run(text: Any, files: References) -> bool:
    """Return whether a text of a request means the release of several tables that a run made."""
    held = files.find(text) if isinstance(text, str) else None
    return held is not None and held.kind == TABLES


def made_here(held: Held, files: References) -> dict[str, Any]:
    """Return the release of a run, with its private record and, if they are all still there, its own tables."""
    folder = files.folder(held)
    return {"location": folder, "record": f"{folder}.record.json", **_own_tables(held, files)}


def uploaded(tables: Mapping[str, str], manifest: str | None, record: str | None, files: References) -> dict[str, Any]:
    """Return the release that uploaded files are, by the names of their tables."""
    if manifest is None:
        raise UsageError.invalid("the release", "no manifest is given", "upload its manifest, and name it")
    found = {name: files.path(id, f"table {name!r}") for name, id in tables.items()}
    further = {} if record is None else {"record": files.path(record, "record", "record")}
    return {"tables": found, "manifest": files.path(manifest, "manifest", "manifest"), **further}


def named(tables: Mapping[str, str], files: References) -> dict[str, dict[str, Any]]:
    """Return uploaded tables by their names, each as a source is described."""
    return {name: files.described(id, f"table {name!r}") for name, id in tables.items()}


def refuse_further(verb: str, given: set[str], *takes: str) -> None:
    """Raise UsageError if a request about several tables has what describes one table."""
    further = sorted(given - set(takes))
    if further:
        raise UsageError.invalid(
            f"{verb} of several tables with {', '.join(further)}", f"it takes {', '.join(takes)}", "omit the others"
        )


def released(plain: dict[str, Any], at: int = 1) -> str:
    """Return the folder of a release, in a worker: tables, manifest and private record as they were released.

    `at` tells several releases of a request apart.
    """
    if "location" in plain:
        return str(plain["location"])
    from incrowd.release.tables import MANIFEST, LinkedManifest

    tables, manifest = plain["tables"], plain["manifest"]
    claimed = {table.name: table.data.file for table in LinkedManifest.of(manifest).tables}
    if tables.keys() != claimed.keys():
        raise UsageError.invalid(
            "the tables", "they are not those of the manifest", f"give {', '.join(claimed)}, each by its name"
        )
    folder = Path("given" if at == 1 else f"given {at}")
    folder.mkdir()
    for name, file in (*((tables[name], file) for name, file in claimed.items()), (manifest, MANIFEST)):
        os.symlink(Path(name).resolve(), folder / file)
    return str(folder)


def originals(plain: dict[str, Any]) -> Any:
    """Return the original tables in a worker: those that were named, or the run's own; None if there are none."""
    from incrowd.jobs.linked import LinkedJob

    if "originals" in plain:
        return plain["originals"]
    return LinkedJob.from_dict(plain["read_by"]) if "read_by" in plain else None


def _own_tables(held: Held, files: References) -> dict[str, Any]:
    """Return what reads the tables of a run again, if all are still there and no database: none is read unasked."""
    trial = References(files.find)
    try:
        _reading(held, trial)
    except (JobError, UsageError):
        return {}
    return {} if trial.secrets else _reading(held, files)


def _reading(held: Held, files: References) -> dict[str, Any]:
    if held.job is not None:
        return {"read_by": confined_tables(held.job, files, publishes=False)}
    return {"originals": named(held.given or {}, files)}
