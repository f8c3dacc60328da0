"""The metadata beside a release: roles and k from its manifest, hierarchies from its private record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from incrowd.comparison.columns import Column, hierarchy_of
from incrowd.comparison.ends import joined_ends
from incrowd.core.schema import Role
from incrowd.engines.source import Source
from incrowd.formats import is_source, read
from incrowd.formats.options import ReadOptions
from incrowd.formats.settling import manifest_at, record_at
from incrowd.release import Record, record_path


@dataclass(frozen=True)
class ReleaseMetadata:
    """The metadata of a release."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    """Empty where it has no manifest."""
    k: int | None = None
    note: str = ""
    normalized: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By column the steps to the normal form in which the original was counted."""


def read_release(
    release: Any, missing: Sequence[str] = (), table: str | None = None, header: bool | None = None
) -> Source:
    """Open the data of a release, without the spreadsheet escape.

    One with a manifest has a header; of another one `header` says so. What is open already stays as it is.
    """
    if is_source(release):
        return read(release)
    manifest = manifest_at(release, table)
    safe = manifest is not None and manifest.data.spreadsheet_safe
    named = header if manifest is None else True
    found = read(release, options=ReadOptions(tuple(missing), table=table, spreadsheet_safe=safe, header=named))
    return joined_ends(found, manifest)


def by_name(releases: Any) -> dict[str, Any]:
    """Return releases by name: of a path its own, else a number."""
    if isinstance(releases, Mapping):
        return {str(name): source for name, source in releases.items()}
    several = releases if isinstance(releases, list | tuple) else [releases]
    paths = [str(fspath(each)) if isinstance(each, str | PathLike) else None for each in several]
    return {path or f"release {at + 1}": each for at, (path, each) in enumerate(zip(paths, several, strict=True))}


def metadata_of(release: Any, table: str | None = None) -> ReleaseMetadata:
    """Return the metadata beside a release; empty for a frame."""
    manifest = manifest_at(release, table)
    if manifest is None:
        return ReleaseMetadata()
    record_file = record_path(str(fspath(release)), table)
    columns = {each.name: Column(Role.QUASI) for each in manifest.quasi}
    columns |= {name: Column(Role.SENSITIVE) for name in manifest.sensitive}
    k = next((int(model["k_anonymity"]["k"]) for model in manifest.models if "k_anonymity" in model), None)
    record = record_beside(release, table)
    if record is None:
        note = f"{record_file} belongs to another release and is ignored" if record_file.exists() else ""
        return ReleaseMetadata(columns, k, note, manifest.normalized)
    known = {name: recorded(name, column, record) for name, column in columns.items()}
    return ReleaseMetadata(known, k, normalized=manifest.normalized)


def record_beside(release: Any, table: str | None = None) -> Record | None:
    """Return the private record beside a release; None if there is none, or if it belongs to another release."""
    manifest = manifest_at(release, table)
    file = None if manifest is None else record_path(str(fspath(release)), table)
    if manifest is None or file is None or not file.exists():
        return None
    record = record_at(file)
    return record if record.release == manifest.fingerprint else None


def recorded(name: str, column: Column, record: Record) -> Column:
    """Return a column with the facts of the private record."""
    rows = next((each.rows for each in record.quasi if each.name == name), ()) or _with_levels(record, name)
    return known_column(name, column.role, rows, record.job.get("columns", {}).get(name, {}))


def known_column(
    name: str, role: Role | None, rows: Sequence[Sequence[str | None]], settings: Mapping[str, Any]
) -> Column:
    """Return a column with the rows of its hierarchy, and with its settings in the job of the release."""
    domain = settings.get("domain")
    return Column(
        role,
        hierarchy_of(rows, name),
        scale=tuple(settings.get("scale") or ()),
        domain=None if not domain else (float(domain[0]), float(domain[1])),
        priority=float(settings.get("priority", 1.0)),
    )


def _with_levels(record: Record, name: str) -> tuple[tuple[str | None, ...], ...]:
    return tuple(record.ladders.get(name, ()))
