"""The manifest (the claims of a release) and the private record (how it was made), from the facts of a run."""

import platform
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import metadata
from time import perf_counter

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.anonymization.job_data import from_anywhere
from incrowd.anonymization.kept_columns import Determined, recorded
from incrowd.anonymization.manifest_values import shown_ladders, shown_model
from incrowd.anonymization.people import people_of
from incrowd.anonymization.preparing import Prepared
from incrowd.anonymization.recorded import Texts, recorded_combinations, texts_of_column
from incrowd.anonymization.repeated_people import RepeatedPeople
from incrowd.core.axes import Kind, texts_of
from incrowd.core.brief import Brief
from incrowd.core.classes import squares
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.schema import Role
from incrowd.core.table import booleans
from incrowd.hierarchies import build, declares_labels, declares_levels, follows_rule
from incrowd.jobs import Job
from incrowd.jobs.grid import point_of_job
from incrowd.models import to_dict
from incrowd.models.of_people import promised
from incrowd.recodings import SUMMARIES, Form, RecodingMap
from incrowd.recodings.by_group import EVERYTHING
from incrowd.recodings.two_tables import not_promised
from incrowd.release import (
    COLUMNAR,
    FORMAT,
    WITH_PEOPLE,
    Apart,
    Data,
    Figures,
    Ladders,
    Manifest,
    People,
    PublishedQuasi,
    PublishedSearch,
    RecodedQuasi,
    Record,
    ReferenceCounts,
    SearchFacts,
)
from incrowd.searches import ApartSearch, GroupsSearch, Outcome, PartsSearch

installed = cache(metadata.version)
"""The version of a library; it is read from files, and stays while this runs."""

AS_IT_IS = "value"
"""In place of a form: every cell is a single value."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(Brief):
    """The result of a search, before anything is published."""

    job: Job
    prepared: Prepared
    outcome: Outcome
    levels: tuple[int | None, ...]
    """Of the quasi-identifiers; None if it differs from cell to cell."""
    recoding: RecodingMap
    scores: Mapping[str, float]
    smallest: int
    """The smallest class; where missing cells match everything, the fewest records that match one."""
    sizes: Counts
    """The records of each published class."""
    started: float
    """When the run began, by the performance counter."""
    published: NDArray[np.bool_]
    """Which of the counted combinations, sensitive columns included, are published."""
    suppressed: int
    losses: tuple[float, ...] | None = None
    """Of a local search, per quasi-identifier the mean share of its domain that a cell spans."""
    wiped: Mapping[str, str] = field(default_factory=dict)
    """The text of suppressed cells, by quasi-identifier, if they match anything."""
    null_labels: Mapping[str, str] = field(default_factory=dict)
    """By quasi-identifier the label that missing values stand for (anonymization.nulls)."""
    ambiguous: Collection[str] = ()
    """Quasi-identifiers whose missing values may be missing in the original or suppressed."""
    apart: pa.Table | None = None
    """The second table, where sensitive values are published by group."""
    determined: tuple[Determined, ...] = ()
    """Kept columns that determine a quasi-identifier which is not published as it is."""
    repeated: RepeatedPeople | None = None
    """The classes with fewer people than records are asked for, if records are counted and identifiers tell so."""

    @property
    def people(self) -> People | None:
        """The people of the release, if the job says which columns tell them."""
        return None if self._people is None else self._people[0]

    @property
    def people_by_class(self) -> Counts:
        """The people of each published class; its records if the job does not say which columns tell the person."""
        return self.sizes if self._people is None else self._people[1]

    @cached_property
    def _people(self) -> tuple[People, Counts] | None:
        of, records = self.prepared.people, self.prepared.counted.records
        if of is None:
            return None
        limits = self.job, self.prepared.problem.budget
        return people_of(of, self.recoding, len(self.levels), records, self.sizes, self.smallest, *limits)

    @property
    def by_combination(self) -> bool:
        """Return whether what is published does not follow from a level per column and whole classes."""
        return None in self.levels or len(self.recoding.combinations.names) > len(self.levels)

    @property
    def classes(self) -> int:
        """Return how many classes are published."""
        return len(self.sizes)


def manifest_of(found: SearchResult, data: Data, second: Data | None = None) -> Manifest:
    """Return the claims of the release, which reveal no original value that it does not show. `second` is the second
    table."""
    apart = _apart(found, second)
    job, prepared = found.job, found.prepared
    shown, utility = _shown(found), _utility(found)
    knows = None if found.people is None else found.people.knows
    return Manifest(
        incrowd=installed("incrowd"),
        data=data,
        quasi=_published_quasi(found),
        sensitive=job.having(Role.SENSITIVE),
        kept=job.having(Role.KEEP),
        models=tuple(shown_model(to_dict(model), shown) for model in job.models),
        promises=(
            *(promised(model, apart is not None, knows) for model in job.models),
            *([] if utility is None else [_spans_no_more(utility)]),
            *([_if_wiped_match(found)] if found.wiped else []),
            *(f"A missing value of {name} is missing in the original or suppressed." for name in found.ambiguous),
            *([] if apart is None else [not_promised(apart.group)]),
        ),
        nulls=str(job.nulls),
        input_records=prepared.counted.records,
        suppressed=found.suppressed,
        set_aside=prepared.set_aside,
        suppress_limit=prepared.counted.records if job.counts_lost_people else prepared.problem.budget,
        classes=found.classes,
        smallest=found.smallest,
        scores=_class_scores(found),
        search=PublishedSearch(found.outcome.search),
        ladders=_declared_ladders(found, shown),
        apart=apart,
        utility=utility,
        grid=None if (point := point_of_job(job)) is None else str(point),
        wiped=found.wiped,
        normalized=job.normalizing,
        people=found.people,
        warnings=() if found.repeated is None else (found.repeated.public(),),
        format=FORMAT if found.people is None and found.repeated is None else WITH_PEOPLE,
    )


def _utility(found: SearchResult) -> float | None:
    """Return the span that the search guarantees for every class, if the cells show it; a mean or mode does not."""
    shows = all(form not in SUMMARIES for form in found.prepared.problem.forms)
    search = found.job.search
    return search.most_spanned if shows and isinstance(search, GroupsSearch) else None


def _spans_no_more(utility: float) -> str:
    return (
        f"No class spans more than {utility:g} of the quasi-identifiers' domains, as a mean over them "
        "(Worst-Group Utility)."
    )


def _if_wiped_match(found: SearchResult) -> str:
    return (
        "A suppressed cell counts as one that matches anything: "
        f"every record matches at least {found.smallest} records, itself included, and those need not be equal."
    )


def _apart(found: SearchResult, second: Data | None) -> Apart | None:
    if second is None:
        return None
    assert isinstance(found.job.search, ApartSearch)
    return Apart(second, found.job.search.group, found.job.search.count)


def _class_scores(found: SearchResult) -> dict[str, float]:
    """Return the scores that follow from the release and the numbers of records."""
    suppressed = found.suppressed
    records = int(found.sizes.sum()) + suppressed
    classes = found.classes + bool(suppressed)
    return {
        "discernibility": float(squares(found.sizes) + records * suppressed),
        "average_class_size": _rounded(records / classes) if classes else 0.0,
    }


def _published_quasi(found: SearchResult) -> tuple[PublishedQuasi, ...]:
    problem = found.prepared.problem
    if found.losses is not None:
        forms = zip(problem.axes, problem.forms, strict=True)
        return tuple(
            PublishedQuasi(axis.name, None, None, _shown_form(found, at, form)) for at, (axis, form) in enumerate(forms)
        )
    return tuple(_along_levels(found, at) for at in range(len(problem.ladders)))


def _along_levels(found: SearchResult, at: int) -> PublishedQuasi:
    """Return the lowest level with all labels that are published: equal cells may have come from several.

    How many levels parts of values or a proposed hierarchy have follows from the values of the table, so that nothing
    but level 0 is told there.
    """
    ladder, column = found.prepared.problem.ladders[at], found.recoding.columns[at]
    texts = set() if column is None else {text for text in column.labels if text is not None}
    levels = enumerate(ladder.hierarchy.labels)
    lowest = next((level for level, labels in levels if texts.issubset(labels)), None)
    lowest = None if ladder.name in found.ambiguous else lowest
    spec = found.job.columns[ladder.name].spec(ladder.name)
    if not isinstance(found.job.search, PartsSearch) and declares_levels(spec, ladder.name):
        return PublishedQuasi(ladder.name, lowest, ladder.height)
    return PublishedQuasi(ladder.name, 0 if lowest == 0 else None, None)


def _shown_form(found: SearchResult, at: int, form: Form) -> str:
    """Return the form of a column, as the job declares it or else as the cells show it.

    Whether all original values are numbers makes ranges or sets of them; single cells are neither.
    """
    axis, column = found.prepared.problem.axes[at], found.recoding.columns[at]
    given = found.job.columns[axis.name]
    if given.form is not None or declares_levels(given.spec(axis.name), axis.name):
        return _form(found, form)
    single = column is None or {None, EVERYTHING, *texts_of(axis.values)}.issuperset(column.labels)
    return AS_IT_IS if single else _form(found, form)


def _declared_ladders(found: SearchResult, shown: Mapping[str, Collection[str | None]]) -> Ladders:
    """Return the sensitive columns' hierarchies as the job declares them, for the values that the data show.

    By a rule they are built for these values alone: one more value may change the labels of all.
    """
    told: dict[str, tuple[Texts, ...]] = {}
    for name, ladder in found.prepared.problem.sensitive.items():
        spec = found.job.columns[name].spec(name)
        if not declares_labels(spec, name):
            continue
        hierarchy = ladder.hierarchy
        if follows_rule(spec, name):
            seen = [text_forms(value)[0] in shown[name] for value in plain(ladder.values)]
            hierarchy = build(spec, ladder.values.filter(booleans(np.array(seen, dtype=np.bool_))), name)
        told[name] = _rows(hierarchy)
    return shown_ladders(told, shown)


def _recoded_quasi(found: SearchResult) -> tuple[RecodedQuasi, ...]:
    problem = found.prepared.problem
    if found.losses is None:
        return tuple(
            RecodedQuasi(
                ladder.name,
                level,
                ladder.hierarchy.losses,
                _rows(ladder.hierarchy),
                null_label=found.null_labels.get(ladder.name),
            )
            for ladder, level in zip(problem.ladders, found.levels, strict=True)
        )
    return tuple(
        RecodedQuasi(
            axis.name,
            None,
            () if axis.ladder is None else axis.ladder.hierarchy.losses,
            () if axis.ladder is None else _rows(axis.ladder.hierarchy),
            _form(found, form),
            found.job.columns[axis.name].scale,
            axis.span if axis.kind == Kind.NUMBERS else None,
            null_label=found.null_labels.get(axis.name),
        )
        for axis, form in zip(problem.axes, problem.forms, strict=True)
    )


def _form(found: SearchResult, form: Form) -> str:
    """Return the form of a column; beside a second table it is the value itself."""
    return str(form) if found.apart is None else AS_IT_IS


def _rounded(number: float) -> float:
    """Return the number without its last digits, which depend on the order of an engine's counts."""
    return float(f"{number:.12g}")


def record_of(found: SearchResult, manifest: Manifest) -> Record:
    """Return how the release was made."""
    job, prepared = found.job, found.prepared
    needs = dict.fromkeys(columns for model in job.models for columns in model.needs)
    return Record(
        release=manifest.fingerprint,
        job=from_anywhere(job),
        models=tuple(to_dict(model) for model in job.models),
        quasi=_recoded_quasi(found),
        combinations=recorded_combinations(found.recoding) if found.by_combination else None,
        reference=tuple(_reference(prepared.problem.frequencies, each) for each in needs),
        ladders=_sensitive_ladders(prepared) | {name: _rows(each) for name, each in prepared.unasked.items()},
        not_published=prepared.not_published,
        seconds=round(perf_counter() - found.started, 3),
        versions={
            "python": platform.python_version(),
            **{name: installed(name) for name in ("incrowd", "numpy", "pyarrow", "narwhals")},
        },
        determined=recorded(found.determined),
        figures=_figures(found),
        person=job.person,
        repeated=None if found.repeated is None else found.repeated.to_dict(),
        format=_record_format(found),
    )


def _record_format(found: SearchResult) -> int:
    """Return the oldest form that has everything: then older versions read it too."""
    if found.by_combination:
        return COLUMNAR
    return WITH_PEOPLE if found.job.person or found.repeated is not None else FORMAT


def _figures(found: SearchResult) -> Figures:
    """Return the scores of the release, the suppressed records included."""
    outcome, problem = found.outcome, found.prepared.problem
    return Figures(
        scores={name: _rounded(score) for name, score in found.scores.items()},
        losses={axis.name: _rounded(loss) for axis, loss in zip(problem.axes, found.losses or (), strict=False)},
        search=SearchFacts(
            outcome.search,
            str(outcome.guarantee),
            outcome.optimal,
            None if outcome.gap is None else _rounded(outcome.gap),
            outcome.counted,
            outcome.lattice or None,
            None if outcome.stopped == "done" else outcome.stopped,
        ),
    )


def _reference(frequencies: FrequencySet, columns: tuple[str, ...]) -> ReferenceCounts:
    """Return how often each value of some columns occurs in the table that was given."""
    counted = frequencies.project(columns)
    texts = [texts_of_column(counted, name) for name in columns]
    values = tuple(tuple(of[code] for of, code in zip(texts, codes, strict=True)) for codes in counted.codes.T.tolist())
    return ReferenceCounts(columns, values, tuple(counted.counts.tolist()))


def _shown(found: SearchResult) -> dict[str, Collection[str | None]]:
    """Return per sensitive column the values that the release shows."""
    frequencies = found.prepared.problem.frequencies
    shown: dict[str, Collection[str | None]] = {}
    for name, codes in zip(frequencies.names, frequencies.codes, strict=True):
        if name in found.job.having(Role.SENSITIVE):
            texts = texts_of_column(frequencies, name)
            shown[name] = {texts[code] for code in np.unique(codes[found.published]).tolist()}
    # Of a column that was generalized record by record, not the values behind its cells.
    recoded = zip(found.recoding.combinations.names, found.recoding.columns, strict=True)
    return shown | {name: column.labels for name, column in recoded if name in shown and column is not None}


def _sensitive_ladders(prepared: Prepared) -> dict[str, tuple[Texts, ...]]:
    return {name: _rows(ladder.hierarchy) for name, ladder in prepared.problem.sensitive.items()}


def _rows(hierarchy: Hierarchy) -> tuple[Texts, ...]:
    """Return each base value with its label on every level, and the row of missing where it is listed."""
    rows: list[Texts] = list(hierarchy.rows)
    if hierarchy.lists_missing:
        rows.append(tuple(hierarchy.missing_row))
    return tuple(rows)
