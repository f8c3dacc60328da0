"""Points to know before a release is shared, each in a few words; the warnings explain them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from incrowd.anonymization.unprotected import unprotected
from incrowd.core.brief import Brief
from incrowd.core.schema import Role
from incrowd.text import attributes, count

if TYPE_CHECKING:
    from incrowd.anonymization.result import AnonymizationResult

_NAMED = 2
"""The most columns that are named; more are counted."""


@dataclass(frozen=True, repr=False)
class Caution(Brief):
    """One point."""

    kind: str
    columns: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return it in a few words."""
        return _WORDS[self.kind].format(which(self.columns))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "columns": list(self.columns), "words": self.words}


_WORDS = {
    "nearly_unique": "nearly unique, published unchanged: {}",
    "finer": "classes smaller with kept columns: {}",
    "determined": "generalized, but determined by: {}",
    "unprotected": "sensitive without a model: {}",
    "gone": "no detail left: {}",
    "people": "people not known, records counted",
    "repeated": "classes with too few people",
    "stopped": "stopped early",
}


def which(columns: Sequence[str]) -> str:
    """Return the names of a few columns, or how many there are."""
    return attributes(columns) if len(columns) <= _NAMED else count(len(columns), "column")


def cautions(made: AnonymizationResult) -> tuple[Caution, ...]:
    """Return the points of a release, the gravest first; none of those that need columns if nothing is published."""
    return tuple(_found(made))


def _found(made: AnonymizationResult) -> Iterator[Caution]:
    manifest, record = made.manifest, made.record
    if not manifest.data.records:
        return
    published = [column for column in made.verdict.columns if column.role in ("keep", "sensitive")]
    yield from _of("nearly_unique", (column.name for column in published if column.is_nearly_unique))
    yield from _of("determined", dict.fromkeys(str(each["column"]) for each in record.determined))
    yield from _of("finer", (column.name for column in published if column.below and not column.is_nearly_unique))
    yield from _of("unprotected", unprotected(manifest))
    if record.repeated is not None:
        yield Caution("repeated")
    elif not record.person and not _has_identifier(record.job):
        yield Caution("people")
    heights = {column.name: column.height for column in record.quasi}
    yield from of_levels(made.levels, heights, made.figures.search.stopped is not None, _losses(made))


def of_levels(
    levels: Mapping[str, int | None],
    heights: Mapping[str, int | None],
    is_stopped: bool,
    losses: Mapping[str, float] | None = None,
) -> tuple[Caution, ...]:
    """Return the points that follow from how the search ended: columns of which no detail is left, and an early end."""
    top = {name for name, level in levels.items() if level and level == heights.get(name)}
    gone = [name for name in levels if name in top or (losses or {}).get(name) == 1]
    return (*_of("gone", gone), *([Caution("stopped")] if is_stopped else []))


def _has_identifier(job: Mapping[str, Any]) -> bool:
    """Return whether identifiers were compared, which shows whether people have several records."""
    return any(column["role"] == Role.IDENTIFIER for column in job["columns"].values())


def _of(kind: str, columns: Iterable[str]) -> Iterator[Caution]:
    """Yield a point about columns, if there are any."""
    names = tuple(columns)
    if names:
        yield Caution(kind, names)


def _losses(made: AnonymizationResult) -> Mapping[str, float]:
    """Return how much of its detail each column lost where cells differ between classes."""
    wiped = made.details.get("wiped_by_column") or {}
    records = made.manifest.data.records
    return {**made.figures.losses, **{name: cells / records for name, cells in wiped.items()}}
