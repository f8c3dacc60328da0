"""The recoding of an earlier release of several tables on new data of the same shape."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

from incrowd.core.hierarchy import Hierarchy
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.result import LinkedResult
from incrowd.linked.run import anonymize_tables
from incrowd.release import RecodedQuasi
from incrowd.release.tables import LinkedRecord
from incrowd.watch import Show


def apply_tables(
    record: LinkedRecord,
    given: Mapping[str, Any],
    output: str | PathLike[str] | None = None,
    replace: bool = False,
    progress: Show | None = None,
) -> LinkedResult:
    """Publish new tables on the levels of an earlier release, with its hierarchies, models and limits.

    People are left out anew, and keys are numbered anew: those of the two releases have nothing to do with each other.
    """
    return anonymize_tables(given, job_at_levels(record, output, replace), progress)


def job_at_levels(record: LinkedRecord, output: str | PathLike[str] | None, replace: bool) -> LinkedJob:
    """Return the job of a release in which nothing is left to choose."""
    recoded = {column.name: column for column in record.quasi}
    plain = {key: of for key, of in record.job.items() if key not in ("output", "search", "time")}
    plain["tables"] = {
        name: {**{key: of for key, of in table.items() if key != "data"}, "columns": _columns(name, table, recoded)}
        for name, table in record.job["tables"].items()
    }
    for name, table in record.job["tables"].items():
        missing = table.get("data", {}).get("missing") if isinstance(table.get("data"), Mapping) else None
        if missing:
            # The markers of the earlier data; no source of theirs is read.
            plain["tables"][name]["data"] = {"source": name, "missing": missing}
    if output is not None:
        plain["output"] = {"to": output, "replace": replace}
    return LinkedJob.from_dict(plain)


def _columns(name: str, table: Mapping[str, Any], recoded: Mapping[str, RecodedQuasi]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column, of in table.get("columns", {}).items():
        known = recoded.get(f"{name}.{column}")
        settings = {"role": of} if isinstance(of, str) else dict(of)
        if known is not None:
            settings |= {
                "hierarchy": Hierarchy.from_rows(known.rows, name=known.name),
                "losses": list(known.losses),
                "minimum": known.level or 0,
                "limit": known.level or 0,
            }
        found[column] = settings
    return found
