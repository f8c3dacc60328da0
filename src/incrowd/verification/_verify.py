"""Verify a release against its manifest."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.errors import SourceError, UsageError, listed
from incrowd.models import Block, PrivacyModel, from_dict, unpublished
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.release import Data, Manifest, Record, manifest_path
from incrowd.text import count
from incrowd.verification import _checks
from incrowd.verification._classes import (
    BASIC,
    NULLS,
    WILDCARDS,
    ClassesOfRelease,
    Columns,
    blocks_under,
    classes_of,
)
from incrowd.verification._columns import Observed
from incrowd.verification._consistent import consistency_check
from incrowd.verification._covers import covers_check
from incrowd.verification._databases import shown_url
from incrowd.verification._ends import joined
from incrowd.verification._fingerprint import hash_read, refuse_unreadable
from incrowd.verification._frames import rows_of_frame
from incrowd.verification._guards import guards_by_class, raised_check
from incrowd.verification._judges import check_name, counts_of, judges
from incrowd.verification._observing import observed_columns, observing
from incrowd.verification._people import (
    CountedPeople,
    Original,
    judged_by_people,
    one_record_each,
    people_check,
    without_original,
)
from incrowd.verification._population import cells, people_by_class
from incrowd.verification._rows import Rows, open_rows
from incrowd.verification._spelling import respelled
from incrowd.verification._spreadsheet_escape import restored, written
from incrowd.verification._tally import Tally, Value, tally
from incrowd.verification._two_tables import (
    SensitiveTable,
    counted_apart,
    groups_check,
    links_check,
    read_apart,
    single_value_warnings,
)
from incrowd.verification._utility import utility_check
from incrowd.verification._verdict import Check, FailingClass, Verdict, wildcard_cells
from incrowd.verification._warnings import warnings_of

Location = str | PathLike[str]


@dataclass(frozen=True, eq=False)
class _Case:
    """A release to verify, with everything needed to verify it."""

    name: str
    claims: Manifest
    models: tuple[PrivacyModel, ...]
    record: Record | None
    people: "Counter[Value] | None"
    """By class, if the population is known."""
    original: Original | None = None

    @property
    def quasi(self) -> list[str]:
        return [column.name for column in self.claims.quasi]

    @property
    def needs(self) -> list[Columns]:
        """Return the columns of the release that models use."""
        found = [(columns, unpublished(model)) for model in self.models for columns in model.needs]
        return list(dict.fromkeys(columns for columns, withheld in found if not set(columns) & set(withheld)))

    @property
    def withheld(self) -> list[Columns]:
        """Return the columns that models use but the release must not show; only the private record has them."""
        return list(dict.fromkeys((name,) for model in self.models for name in unpublished(model)))

    @property
    def columns(self) -> list[str]:
        """Return the columns that models or classes need."""
        return list(dict.fromkeys([*self.quasi, *(name for columns in self.needs for name in columns)]))

    @property
    def read(self) -> list[str]:
        """Return the columns that are read with the records."""
        return self.columns if self.claims.apart is None else [*self.quasi, self.claims.apart.group]


def verify(
    location: Location,
    manifest: Manifest | Mapping[str, Any] | Location | None = None,
    record: Record | Mapping[str, Any] | Location | None = None,
    population: Any = None,
    table: str | None = None,
    original: Original | None = None,
) -> Verdict:
    """Verify the release at a path or database URL against its manifest.

    The manifest is looked for beside the data. With the private record, models that compare with the original table
    are checked exactly; k_map and delta_presence need the record and the `population`, a file or a frame. `table`
    names the table of a database. People are counted in the `original`, with the private record.
    """
    place = str(fspath(location))
    claims = _claims(place, manifest, table)
    models = _models(claims)
    if "://" not in place:
        refuse_unreadable(place)
    checks: list[Check] = []
    private = None if record is None else Record.of(record)
    if private is not None:
        checks.append(_checks.record_check(claims, private))
        private = private if checks[-1].holds else None
    case = _Case(_shown(place), claims, models, private, _people(models, private, population), original)
    rows = None
    try:
        rows = _opened(place, claims.data, table)
        second = None if claims.apart is None else read_apart(_file(place), claims)
        verdict = _read(case, rows, checks, second)
    except SourceError as error:
        if "://" in place:
            raise
        unread = Check("reading", False, str(error))
        verdict = Verdict(case.name, (*checks, unread), records=0, classes=0, smallest=0)
    if "://" in place:
        return verdict
    hashed = _checks.hash_check(claims.data.sha256, hash_read(Path(place), rows))
    return replace(verdict, checks=(hashed, *verdict.checks))


def _read(case: _Case, rows: Rows, checks: Sequence[Check], second: SensitiveTable | None) -> Verdict:
    """Count the cells and judge them."""
    claims, physical = case.claims, rows.columns
    rows = joined(rows, claims)
    observed = observing(claims, case.models, rows.columns)
    counted = tally(rows, [name for name in case.read if name in rows.columns], observed)
    checks = [*checks, _checks.columns_check(claims, physical), _checks.records_check(claims, counted.records)]
    lacking = [name for name in case.read if name not in counted.columns]
    if lacking:
        wrong = f"cannot be evaluated without {listed(lacking)}"
        unjudged = [Check(check_name(plain), False, wrong) for plain in claims.models]
        return Verdict(case.name, (*checks, *unjudged), counted.records, classes=0, smallest=0)
    return _judged(case, counted, checks, second, observed)


def _opened(place: str, data: Data, table: str | None) -> Rows:
    """Return the rows of the release, without the spreadsheet escape."""
    if not data.spreadsheet_safe:
        return open_rows(place, data.columns, data.kind, table or data.table)
    return restored(open_rows(place, [written(name) for name in data.columns], data.kind))


def verify_frame(
    frame: Any,
    manifest: Manifest | Mapping[str, Any] | Location | None,
    record: Record | Mapping[str, Any] | Location | None = None,
    population: Any = None,
    apart: Any = None,
    name: str = "the release",
    original: Original | None = None,
) -> Verdict:
    """Verify a release that is a frame against its manifest, from its cells.

    `apart` is the second frame if sensitive values are in one.
    """
    if manifest is None:
        raise UsageError.invalid("a frame without its manifest", "nothing says what it claims", "give the manifest")
    claims = _claims("", manifest, None)
    models, private = _models(claims), None if record is None else Record.of(record)
    if claims.apart is not None and apart is None:
        raise UsageError.invalid(
            "the release", "its sensitive values are in a second table", "give that frame too (sensitive=...)"
        )
    checks = [] if private is None else [_checks.record_check(claims, private)]
    private = private if all(check.holds for check in checks) else None
    case = _Case(name, claims, models, private, _people(models, private, population), original)
    second = None
    if apart is not None:
        values = rows_of_frame(apart, name)
        second = counted_apart(claims, values.columns, tally(values, values.columns))
    return _read(case, rows_of_frame(frame, name), checks, second)


def _judged(
    case: _Case, found: Tally, checks: Sequence[Check], second: SensitiveTable | None, observed: Observed
) -> Verdict:
    nulls = case.claims.nulls
    known = _known_spellings(case)
    counted = respelled(found, known)
    # Where sensitive values are apart from the records, classes are groups.
    judged, by = counted, case.quasi
    if second is not None:
        judged, by = respelled(second.values, known), list(second.values.columns[:1])
    classes = classes_of(judged, by, case.needs)
    wiped = [case.claims.wiped.get(name) for name in case.quasi] if second is None else []
    wildcards = "wiped" if any(wiped) else "missing" if nulls in WILDCARDS else None
    blocks: Iterable[Block] = blocks_under(classes, nulls, wiped)
    sizes = [block.size for block in blocks] if isinstance(blocks, list) else classes.sizes
    release = {columns: judged.counter(columns) for columns in case.needs}
    applied = judges(case.claims, case.record, release, case.people is not None)
    judgements, failing = _checks.model_checks(applied, _numbered(case, classes, blocks))
    people: list[Check] = []
    if case.claims.people is not None:
        people, judgements, failing = _by_people(case, counted, known, classes, judgements, failing)
    judgements = [_whole(case, check, model, classes) for check, model in zip(judgements, case.models, strict=True)]
    judgements = [_matched(check, model, wildcards) for check, model in zip(judgements, case.models, strict=True)]
    columns = observed_columns(case.claims, case.models, observed, None if second is None else judged)
    return Verdict(
        name=case.name,
        checks=(
            *checks,
            *([] if second is None else _apart_checks(case, counted, judged, second)),
            *_record_checks(case, counted, release),
            *([_checks.missing_check(counted, case.quasi)] if nulls == BASIC else []),
            *([_checks.spelling_check(case.claims, case.record, observed.strange)] if case.claims.normalized else []),
            _checks.classes_check(case.claims, len(sizes), min(sizes, default=0), wildcards),
            *people,
            *judgements,
            *([] if case.claims.utility is None else [utility_check(case.claims, case.record, classes.combinations)]),
        ),
        records=counted.records,
        classes=len(sizes),
        smallest=min(sizes, default=0),
        failing=tuple(failing),
        warnings=(
            *warnings_of(case.claims, case.models, classes, release),
            *([] if second is None else single_value_warnings(judged)),
            *columns.sentences(),
        ),
        wildcards=wildcards,
        columns=columns.columns,
    )


def _by_people(
    case: _Case,
    counted: Tally,
    known: Mapping[str, set[str]],
    classes: ClassesOfRelease,
    judgements: list[Check],
    failing: list[FailingClass],
) -> tuple[list[Check], list[Check], list[FailingClass]]:
    """Return the check of the people, and those of the models by people, with the classes that fail one.

    `judgements` are by records: they are the same where every record is about another person.
    """
    assert case.claims.people is not None
    if case.record is None or case.original is None:
        return without_original(case.models, judgements, classes, case.claims.people)
    alone = one_record_each(case.claims, case.record, case.original)
    if alone is not None:
        return [alone], judgements, failing
    found = CountedPeople.of(case.claims, case.record, counted, case.original, case.models, known)
    check = people_check(case.claims, counted, found)
    if not check.holds or found.one_record_each:
        return [check], judgements, failing
    judged, failing = judged_by_people(found, case.models, classes.combinations, case.people, case.claims.people.knows)
    return [check], judged, failing


def _whole(case: _Case, check: Check, model: PrivacyModel, classes: ClassesOfRelease) -> Check:
    """Return the check of the whole release for a model that is not evaluated class by class."""
    if not isinstance(model, ConsistentK):
        return check
    return consistency_check(check.name, model, case.record, classes, case.claims.nulls != BASIC)


def _matched(check: Check, model: PrivacyModel, wildcards: str | None) -> Check:
    """Return the check with the detail that k records match, but need not be equal, if some cells are wildcards."""
    if wildcards is None or not check.holds or not isinstance(model, KAnonymity):
        return check
    return check._replace(
        detail=f"Every record matches at least {count(model.k - 1, 'other')}, if {wildcard_cells(wildcards)} match "
        "anything."
    )


def _apart_checks(case: _Case, counted: Tally, values: Tally, second: SensitiveTable) -> list[Check]:
    apart = case.claims.apart
    assert apart is not None
    links = [] if case.record is None else [links_check(case.record, apart, counted, values)]
    return [*second.checks, groups_check(apart, counted, values), *links]


def _claims(place: str, given: Manifest | Mapping[str, Any] | Location | None, table: str | None) -> Manifest:
    if isinstance(given, Manifest | Mapping):
        found, name = given if isinstance(given, Manifest) else Manifest.from_dict(given), "the manifest"
    else:
        path = manifest_path(place, table) if given is None else Path(given)
        if given is None and not path.exists():
            raise SourceError.of(_shown(place), f"no manifest at {path}", "name the manifest (--manifest FILE)")
        found, name = Manifest.read(path), str(path)
    if found.nulls not in NULLS:
        raise SourceError.of(name, "unknown value of 'nulls'", "install a newer Incrowd")
    try:
        _models(found)
    except UsageError as error:
        raise SourceError.of(name, str(error), "a newer Incrowd may support it") from None
    return found


def _models(claims: Manifest) -> tuple[PrivacyModel, ...]:
    return tuple(from_dict(plain) for plain in claims.models)


def _people(models: Sequence[PrivacyModel], record: Record | None, population: Any) -> "Counter[Value] | None":
    if population is None:
        return None
    if not any(model.needs_population for model in models):
        raise UsageError.invalid("population", "no model of the release uses one", "omit it")
    if record is None or record.combinations is not None:
        return None
    return people_by_class(population, record)


def _record_checks(case: _Case, counted: Tally, release: Mapping[Columns, "Counter[Value]"]) -> list[Check]:
    if case.record is None:
        return []
    compared = [columns for model in case.models if model.needs_reference for columns in model.needs]
    return [
        _checks.reference_check(
            case.claims, {columns: release[columns] for columns in compared}, counts_of(case.record.reference)
        ),
        _checks.cells_check(case.record, counted),
        *([] if case.record.combinations is None else [covers_check(case.record)]),
        *([_checks.wiped_check(case.claims, case.record)] if case.claims.wiped else []),
        *(raised_check(case.record, model, counted) for model in case.models if unpublished(model)),
    ]


def _known_spellings(case: _Case) -> dict[str, set[str]]:
    """Return the spelling of the values of each column in manifest and private record."""
    found: dict[str, set[str | None]] = {name: set() for name in case.columns}
    source = case.record or case.claims
    for column, rows in source.ladders.items():
        found.setdefault(column, set()).update(row[0] for row in rows)
    for model in map(from_dict, source.models):
        for columns in model.needs:
            known = found.setdefault(columns[0], set())
            known.update(getattr(model, "order", ()))
            known.update(str(row[0]) for row in getattr(model, "policy", ()))
    for reference in case.record.reference if case.record else ():
        for at, column in enumerate(reference.columns):
            found.setdefault(column, set()).update(value[at] for value in reference.values)
    for name, published in zip(case.quasi, _published_cells(case.record), strict=False):
        found[name].update(published)
    for column, rows in source.ladders.items() if any(map(unpublished, case.models)) else ():
        # Its cells may be labels.
        found[column].update(label for row in rows for label in row)
    return {column: {text for text in texts if text is not None} for column, texts in found.items()}


def _published_cells(record: Record | None) -> Iterator[Iterable[str | None]]:
    """Yield the possible published cells of each quasi-identifier, by the private record."""
    if record is None:
        return
    for at, column in enumerate(record.quasi):
        yield cells(column).values() if record.combinations is None else record.combinations.labels[at]


def _numbered(case: _Case, classes: ClassesOfRelease, blocks: Iterable[Block]) -> Iterator[tuple[int | None, Block]]:
    """Yield the classes with their numbers and people; last those that occur in the population only."""
    if case.people is None:
        guards = {columns: guards_by_class(case.record, columns) for columns in case.withheld} if case.record else {}
        for number, (combination, block) in enumerate(zip(classes.combinations, blocks, strict=True), 1):
            asked = {columns: of.get(combination, Counter()) for columns, of in guards.items()}
            yield number, block._replace(values={**block.values, **asked}) if asked else block
        return
    for number, (combination, block) in enumerate(zip(classes.combinations, blocks, strict=True), 1):
        yield number, block._replace(population=case.people[combination])
    for combination in case.people.keys() - set(classes.combinations):
        yield None, Block(0, {columns: Counter() for columns in case.needs}, case.people[combination])


def _file(place: str) -> str:
    if "://" in place:
        wrong = "its manifest describes two files, not a database"
        raise SourceError.of(_shown(place), wrong, "verify the file that the manifest names")
    return place


def _shown(place: str) -> str:
    return shown_url(place) if "://" in place else place
