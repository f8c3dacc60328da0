"""The facts of a report on a release, as plain data. An external report never gets facts that it may not show."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from incrowd.anonymization.kept_columns import sentences
from incrowd.anonymization.repeated_people import warnings_of
from incrowd.anonymization.summary import left_out, summary
from incrowd.attacks import Exposure, by_group, exposures, numbered
from incrowd.attacks.wildcards import Wildcards
from incrowd.comparison.distributions import Spread, spread
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.engines.source import chosen_columns, count
from incrowd.errors import IncrowdError
from incrowd.families import METRICS, MODELS, RELEASE_METRICS
from incrowd.jobs.metric import unused_losses
from incrowd.release import (
    OF_CLASSES,
    Figures,
    Manifest,
    People,
    Plain,
    Record,
    known_figures,
)
from incrowd.reports.column_facts import ColumnFacts, Measured, column_facts, known_loss, measured_columns
from incrowd.reports.people_facts import counted_people
from incrowd.reports.reading import GivenRelease
from incrowd.reports.risk_facts import PEOPLE, RECORDS, RiskFacts, risks_of
from incrowd.reports.sizes import Bin, binned
from incrowd.watch import Watch

_MODEL_WORDS = ("distance", "absent", "notion")
"""Parameters of models whose texts are keywords; other texts and lists may be values."""


@dataclass(frozen=True, repr=False)
class ModelFacts(Brief):
    """A privacy model and its guarantee."""

    name: str
    parameters: Plain
    promise: str
    not_promised: str


@dataclass(frozen=True, repr=False)
class SensitiveFacts(Brief):
    """A sensitive column and its exposure to each attack."""

    name: str
    values: int
    """Different published values."""
    exposures: tuple[Exposure, ...]
    before: Spread | None = None
    after: Spread | None = None
    told: Spread | None = None
    """The values as the release shows them, in the bars of `before`."""
    distance: float | None = None
    """How far its distribution moved, from 0 to 1."""


@dataclass(frozen=True)
class ScoreFacts:
    """A score of the release."""

    name: str
    value: float
    meaning: str


@dataclass(frozen=True)
class CheckFacts:
    """A check of the verification."""

    name: str
    holds: bool | None
    detail: str


@dataclass(frozen=True, repr=False)
class ReleaseFacts(Brief):
    """Everything about one release."""

    name: str
    incrowd: str
    records: int
    input_records: int
    suppressed: int
    set_aside: int
    suppress_limit: int
    classes: int
    smallest: int
    summary: str
    """In one line."""
    nulls: str
    wiped: tuple[str, ...]
    """The columns whose suppressed cells match anything."""
    columns: tuple[ColumnFacts, ...]
    kept: tuple[str, ...]
    models: tuple[ModelFacts, ...]
    further: tuple[str, ...]
    """Further sentences on guarantees and their limits."""
    apart: bool
    """True if sensitive values are in a table of their own, by group."""
    sensitive: tuple[SensitiveFacts, ...]
    sizes: tuple[Bin, ...]
    sizes_in: str
    """The unit of these sizes: records or people."""
    scores: tuple[ScoreFacts, ...]
    search: Plain
    risk_after: RiskFacts
    verdict: str | None
    checks: int | None
    """The number of checks; None in an external report, since some use the private record."""
    warnings: tuple[str, ...]
    risk_before: RiskFacts | None = None
    no_population: str | None = None
    """The reason why journalist risk is not known."""
    wildcards: Exposure | None = None
    """The exposure to an attacker who knows which values are missing, if missing values match everything."""
    not_published: tuple[str, ...] | None = None
    job: Plain | None = None
    details: tuple[CheckFacts, ...] = ()
    notes: tuple[str, ...] = ()
    people: People | None = None
    """The people, if the models count them."""
    person: tuple[str, ...] = ()
    """The columns that tell them; none in an external report."""
    people_words: str = ""
    """Who is left out, and who appears with fewer records."""
    kind: str = field(default="release", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return asdict(self)


def _scores(manifest: Manifest, figures: Figures | None) -> Mapping[str, float]:
    """Return all known scores; for an external report only those that follow from the published classes."""
    if figures is not None:
        return figures.scores
    return {name: score for name, score in manifest.scores.items() if name in OF_CLASSES}


def release_facts(given: GivenRelease, is_private: bool, watch: Watch) -> ReleaseFacts:
    """Return the facts of a release; for an internal report the original table is counted too."""
    manifest, record = given.manifest, given.record if is_private else None
    figures = known_figures(manifest, record) if is_private else None
    quasi = [column.name for column in manifest.quasi]
    beside = [name for name in manifest.sensitive if name in given.source.columns]
    group = [] if manifest.apart is None else [manifest.apart.group]
    after = count(given.source, chosen_columns([*quasi, *beside, *group], given.source.columns, given.name), watch)
    before = None
    if is_private and given.original is not None:
        wanted = chosen_columns([*quasi, *manifest.sensitive], given.original.columns, given.original.name)
        before = count(given.original, wanted, watch)
    values = after
    if manifest.apart is not None:
        assert given.second is not None
        values = by_group(given.second, manifest, watch)
    classes = group or quasi
    measured = measured_columns(manifest, record, before, after)
    recoded = manifest.quasi if record is None else record.quasi
    private = before if is_private else None
    people = counted_people(given, after, watch)
    risks = risks_of(given, private, after, watch, people)
    return ReleaseFacts(
        name=given.name,
        incrowd=manifest.incrowd,
        records=after.records,
        input_records=manifest.input_records,
        suppressed=manifest.suppressed,
        set_aside=manifest.set_aside,
        suppress_limit=manifest.suppress_limit,
        classes=manifest.classes,
        smallest=manifest.smallest,
        summary=summary(manifest),
        nulls=manifest.nulls,
        wiped=tuple(manifest.wiped),
        columns=tuple(
            column_facts(
                column, measured.get(column.name, known_loss(figures, column.name)), after, private, is_private
            )
            for column in recoded
        ),
        kept=manifest.kept,
        models=tuple(
            model_facts(model, promise) for model, promise in zip(manifest.models, manifest.promises, strict=False)
        ),
        further=manifest.promises[len(manifest.models) :],
        apart=manifest.apart is not None,
        sensitive=tuple(
            _sensitive(
                name,
                classes,
                values,
                (record or manifest).ladders.get(name, ()),
                private,
                measured.get(name) if is_private else None,
                is_private,
            )
            for name in manifest.sensitive
        ),
        sizes=binned(after.classes(classes).sizes) if people is None else people.bins(),
        sizes_in=RECORDS if people is None else PEOPLE,
        scores=tuple(ScoreFacts(name, value, meaning_of(name)) for name, value in _scores(manifest, figures).items()),
        search={"name": manifest.search.name} if figures is None else asdict(figures.search),
        risk_after=risks.after,
        verdict=None if given.verdict is None else given.verdict.value,
        checks=len(given.verdict.checks) if is_private and given.verdict is not None else None,
        warnings=(
            *warnings_of(manifest, record, () if given.verdict is None else given.verdict.warnings),
            # By the original table, which an external report says nothing about.
            *(() if record is None else sentences(record.determined)),
        ),
        risk_before=risks.before,
        no_population=risks.without,
        wildcards=_wildcards(manifest, after, quasi),
        not_published=None if record is None else record.not_published,
        job=None if record is None else record.job,
        details=() if given.verdict is None or not is_private else tuple(CheckFacts(*c) for c in given.verdict.checks),
        notes=(*given.notes, *_unused(record)) if is_private else (),
        people=manifest.people,
        person=() if record is None else record.person,
        people_words=left_out(manifest),
    )


def _unused(record: Record | None) -> tuple[str, ...]:
    unused = None if record is None else unused_losses(record.job)
    return () if unused is None else (unused,)


def _sensitive(
    name: str,
    classes: list[str],
    values: FrequencySet,
    levels: Sequence[Sequence[str | None]],
    before: FrequencySet | None,
    measured: Measured | None,
    is_private: bool,
) -> SensitiveFacts:
    at = values.names.index(name)
    ladder = _ladder(name, values, levels)
    cells, of = numbered(values, classes)
    judged = values.grouped(of, cells.combinations, [(name,)], {} if ladder is None else {name: ladder})
    return SensitiveFacts(
        name,
        int(np.count_nonzero(np.bincount(values.codes[at], minlength=1)[1:])),
        exposures(judged.histograms[name,]),
        None if before is None else spread(before, name),
        spread(values, name) if is_private else None,
        None if measured is None else measured.told,
        None if measured is None else measured.distance,
    )


def _wildcards(manifest: Manifest, after: FrequencySet, quasi: list[str]) -> Exposure | None:
    if manifest.nulls not in WILDCARDS:
        return None
    k = next((int(model["k_anonymity"]["k"]) for model in manifest.models if "k_anonymity" in model), 2)
    return Wildcards(k).of_cells(after, quasi, Nulls(manifest.nulls))


def _ladder(name: str, values: FrequencySet, rows: Sequence[Sequence[str | None]]) -> EncodedHierarchy | None:
    """Return the hierarchy of a sensitive column, if its levels are known and fit the values."""
    if not rows or len(rows[0]) < 2:
        return None
    try:
        return Hierarchy.from_rows(rows, name=f"the hierarchy of column {name!r}").along(
            name, values.values[values.names.index(name)]
        )
    except IncrowdError:
        return None


def model_facts(model: Plain, promise: str) -> ModelFacts:
    """Return a model of a manifest with its promise, without values of records."""
    [(name, parameters)] = model.items()
    kind = MODELS.known().get(name)
    return ModelFacts(
        name,
        {key: _parameter(key, value) for key, value in parameters.items()},
        promise,
        getattr(kind, "not_promised", ""),
    )


def _parameter(key: str, value: Any) -> Any:
    """Return a parameter without values of records: numbers, columns and keywords only."""
    if value is None or isinstance(value, int | float) or key == "column" or key in _MODEL_WORDS:
        return value
    return f"{len(value)} given" if isinstance(value, list | tuple | Mapping) else "given"


def meaning_of(score: str) -> str:
    """Return the meaning of a score as one sentence."""
    meaning = _described(score)
    return "" if not meaning else f"{meaning[0].upper()}{meaning[1:].rstrip('.')}."


def _described(score: str) -> str:
    known = RELEASE_METRICS.known()
    if score in known:
        return str(known[score].meaning)
    metric = METRICS.known().get(score)
    return (metric.__doc__ or "").splitlines()[0] if metric is not None and metric.__doc__ else ""
