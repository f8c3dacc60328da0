"""Suppressed cells as missing values, with which a column of numbers, dates, moments or truth values stays one.

No missing value of the original is ever joined with them: a column that publishes any keeps the label, so the classes
are the same either way.
"""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from incrowd.anonymization.claims import SearchResult
from incrowd.core.axes import texts_of
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.schema import Nulls, WipedAs
from incrowd.core.table import MISSING
from incrowd.families import FORMATS
from incrowd.jobs import Job
from incrowd.recodings import PublishedColumn, RecodingMap, kept_kind
from incrowd.recodings.by_group import EVERYTHING, summary_kind
from incrowd.searches import CellsOutcome, CellsSearch


def with_nulls(found: SearchResult, output: str | None) -> SearchResult:
    """Return the recoding with suppressed cells as missing values, if the job or the output asks for them.

    `output` is the format of the release, None for a frame.
    """
    if not _asked(found.job, output):
        return found
    if found.losses is not None:
        return _of_groups(found)
    if not isinstance(found.outcome, CellsOutcome):
        return found
    ladders = found.prepared.problem.ladders
    columns, labels = list(found.recoding.columns), dict[str, str]()
    # With one level for all, a suppressed cell is one of a suppressed column.
    for at, ladder in enumerate(ladders if None in found.levels else ()):
        became = _with_null(columns[at], ladder, found.job.wiped)
        if became is not None:
            columns[at], labels[ladder.name] = became, str(_top(ladder))
    found = replace(found, recoding=replace(found.recoding, columns=tuple(columns)), null_labels=labels)
    return replace(found, ambiguous=tuple(_ambiguous(found)))


def _of_groups(found: SearchResult) -> SearchResult:
    """Return groups with missing values in place of a mean or a median that they lack, because some cells are missing.

    A column that publishes missing values of whole groups keeps the label.
    """
    problem = found.prepared.problem
    kinds = [summary_kind(axis, form) for axis, form in zip(problem.axes, problem.forms, strict=True)]
    columns, labels = list(found.recoding.columns), dict[str, str]()
    for at, (axis, kind) in enumerate(zip(problem.axes, kinds, strict=True)):
        column = columns[at]
        if kind == pa.string() or column is None or EVERYTHING not in column.labels:
            continue
        if len(column.labels) > 1 and None not in column.labels:
            shown = tuple(None if label == EVERYTHING else label for label in column.labels)
            columns[at], labels[axis.name] = replace(column, labels=shown, kind=kind), EVERYTHING
    recoding = replace(found.recoding, columns=tuple(columns))
    typed = [at for at, kind in enumerate(kinds) if kind != pa.string() and not _labeled(columns[at])]
    ambiguous = tuple(problem.axes[at].name for at in typed if _shows_missing(recoding, at))
    return replace(found, recoding=recoding, null_labels=labels, ambiguous=ambiguous)


def _labeled(column: PublishedColumn | None) -> bool:
    return column is not None and EVERYTHING in column.labels


def _asked(job: Job, output: str | None) -> bool:
    """Return whether any column may show missing values in place of suppressed cells."""
    if job.wiped is not None:
        return job.wiped == WipedAs.NULL
    matches_anything = isinstance(job.search, CellsSearch) and job.search.matches_anything
    return _is_typed(output) and job.nulls == Nulls.EXTENDED and not matches_anything


def _is_typed(output: str | None) -> bool:
    """Return whether columns have types; in some formats a number is a text like others, so a label changes nothing."""
    return output is None or bool(getattr(FORMATS.module(output), "TYPED", True))


def _with_null(
    column: PublishedColumn | None, ladder: EncodedHierarchy, asked: WipedAs | None
) -> PublishedColumn | None:
    """Return the column with missing values in place of the label; None if it keeps the label.

    A text without characters is a missing value in many formats.
    """
    if column is None or (top := _top(ladder)) not in column.labels or {None, ""} & set(column.labels):
        return None
    values = set(texts_of(ladder.values))
    others = set(column.labels) - {top}
    kind = kept_kind(ladder.values.type) if others <= values else pa.string()
    if not others or top in values or (asked is None and kind == pa.string()):
        return None
    return replace(column, labels=tuple(None if label == top else label for label in column.labels), kind=kind)


def _top(ladder: EncodedHierarchy) -> str | None:
    """Return what a suppressed cell shows as a label; None if the top of the hierarchy has several."""
    top = ladder.hierarchy.labels[-1]
    return top[0] if len(top) == 1 else None


def _ambiguous(found: SearchResult) -> Iterator[str]:
    """Yield the columns that show missing values which may be suppressed cells, as far as the release tells."""
    for at, ladder in enumerate(found.prepared.problem.ladders):
        column = found.recoding.columns[at]
        may_be = found.job.wiped is not None or kept_kind(ladder.values.type) != pa.string()
        shows_label = column is not None and _top(ladder) in column.labels
        if may_be and not shows_label and _shows_missing(found.recoding, at):
            yield ladder.name


def _shows_missing(recoding: RecodingMap, at: int) -> bool:
    return bool((recoding.published(at) == MISSING).any())
