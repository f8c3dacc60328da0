"""People, counted again from the original table: it is recoded by the private record and compared with the release.

The release does not show which person a record is about. Without the original only what records show is checked: a
class has no more people than records, and what a model asks that further records cannot undo must hold of records too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.errors import HierarchyError, UsageError, listed
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.models.of_people import OfPeople, people_among, promised
from incrowd.release import Manifest, People, Record
from incrowd.text import count
from incrowd.verification._checks import model_checks
from incrowd.verification._classes import BASIC, ClassesOfRelease, Columns, classes_of
from incrowd.verification._distinct import all_different
from incrowd.verification._judges import UNFIT, Judge, check_name, ladders_of
from incrowd.verification._recoded import Recoded, recoded
from incrowd.verification._rows import Batches, Rows, cells_of_arrow, numbers_of
from incrowd.verification._spelling import respelled
from incrowd.verification._tally import Numbers, Tally, Value, differing, keys_of, tally
from incrowd.verification._verdict import Check, FailingClass
from incrowd.verification._views import PeopleOfRelease

_NEEDS = "can be checked only with the original table and the private record (--original FILE --record FILE)"


RECORD = "record"
"""One record of a person is known."""

_OTHER_NUMBERS = "the original table has other numbers of people than the manifest claims"

_PERSON = "\0person"
"""The name of a column with a number for each person; no table has a column of that name."""


class Original(NamedTuple):
    """The original table. Whoever opened it hands its cells over, and counts nothing."""

    columns: tuple[str, ...]
    batches: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    """The cells of some columns, as the run saw them: in their normal form if the job asks for one."""
    missing: tuple[str, ...] = ()
    """Texts that stand for missing."""

    def rows(self) -> Rows:
        """Return the table as releases are read."""

        def batches(columns: Sequence[str]) -> Batches:
            for batch in self.batches(columns):
                yield [cells_of_arrow(column) for column in batch.columns]

        return Rows(self.columns, batches)

    def unknown_if_one_record_each(self, person: Columns, records: int) -> int | None:
        """Return how many records tell no person, if there are so many records and no two are about the same person.

        Otherwise return None. Arrow counts; no cell becomes an object.
        """
        self.refuse_lacking(person)
        read = [[_plain(column, self.missing) for column in batch.columns] for batch in self.batches(person)]
        columns = [pa.chunked_array(of).combine_chunks() for of in _of_one_type(zip(*read, strict=True))]
        if not columns or len(columns[0]) != records:
            return None
        if len(columns) == 1:
            # Looking for equal cells takes less than numbering them.
            [cells] = columns
            return cells.null_count if all_different(cells) else None
        coded = [column.dictionary_encode() for column in columns]
        # Arrow's own grouping would load an engine for queries.
        codes = np.array([numbers_of(each.indices, len(each.dictionary)) for each in coded])
        missing = np.array([len(each.dictionary) for each in coded], dtype=np.int64)[:, None]
        told = (codes != missing).any(axis=0)
        keys = keys_of(codes[:, told])
        return records - len(keys) if len(np.unique(keys)) == len(keys) else None

    def refuse_lacking(self, columns: Sequence[str]) -> None:
        """Raise UsageError if the table lacks a column that the private record names."""
        lacking = [name for name in columns if name not in self.columns]
        if lacking:
            wrong = f"it lacks {listed(lacking)}, which the private record names"
            raise UsageError.invalid("the original table", wrong, "give the table that was released")


@dataclass(frozen=True, eq=False)
class CountedPeople:
    """The people of the original, and of what is published of it."""

    record: Record
    everything: Tally
    """The original, with the columns of the person."""
    published: Recoded | None
    """None if the private record does not tell what is published of it."""

    @classmethod
    def of(
        cls,
        claims: Manifest,
        record: Record,
        release: Tally,
        original: Original,
        models: Sequence[PrivacyModel],
        known: Mapping[str, set[str]],
    ) -> "CountedPeople":
        """Read and recode the original; `known` are the spellings of the private record, and of the release by now."""
        needed = [name for model in models for columns in model.needs for name in columns]
        parting = () if record.combinations is None else record.combinations.names
        names = list(dict.fromkeys([*(column.name for column in record.quasi), *needed, *parting, *record.person]))
        original.refuse_lacking(names)
        read = tally(original.rows(), names)
        gone = set(original.missing)
        texts = tuple([None if text in gone else text for text in of_column] for of_column in read.texts)
        everything = _with_person(respelled(replace(read, texts=texts), known).merged(), record.person)
        try:
            published = recoded(everything, record, release, claims.nulls == BASIC)
        except HierarchyError:
            # It has values that the private record does not know.
            published = None
        return cls(record, everything, published)

    @cached_property
    def person(self) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the number of each combination's person, and which combinations tell none."""
        at = self.everything.columns.index(_PERSON)
        numbers = self.everything.codes[at]
        return numbers, np.array([text is None for text in self.everything.texts[at]], dtype=np.bool_)[numbers]

    @property
    def one_record_each(self) -> bool:
        """Return whether every record of the original is about another person."""
        numbers, nobody = self.person
        return bool((np.bincount(numbers[~nobody], weights=self.everything.counts[~nobody]) <= 1).all())

    def people(self) -> People:
        """Return the people as they are found here."""
        assert self.published is not None
        numbers, nobody = self.person
        rows, records = self.published.rows, self.published.tally.counts
        known = ~nobody[rows]
        n = int(numbers.max(initial=-1)) + 1
        before = np.bincount(numbers[~nobody], weights=self.everything.counts[~nobody], minlength=n)
        after = np.bincount(numbers[rows[known]], weights=records[known], minlength=n)
        quasi = [column.name for column in self.record.quasi]
        classes, values = self.published.tally.numbered(quasi)
        pairs = np.unique(classes[known] * max(1, n) + numbers[rows[known]])
        sizes = np.bincount(pairs // max(1, n), minlength=len(values))
        sizes = sizes + np.bincount(classes[~known], weights=records[~known], minlength=len(values))
        unknown = int(self.everything.counts[nobody].sum())
        return People(
            input=int((before > 0).sum()) + unknown,
            published=int((after > 0).sum()) + int(records[~known].sum()),
            fewer=int(((after > 0) & (after < before)).sum()),
            unknown=unknown,
            smallest=int(sizes.min(initial=0)) if not len(sizes) else int(sizes.min()),
        )

    def views(self, needs: Sequence[Columns]) -> PeopleOfRelease:
        """Return the people of the release with their values in some columns."""
        assert self.published is not None
        numbers, nobody = self.person
        rows = self.published.rows
        person = [None if nobody[row] else int(numbers[row]) for row in rows.tolist()]
        return PeopleOfRelease(self.published.tally, person, [column.name for column in self.record.quasi], needs)

    def blocks(self, models: Sequence[PrivacyModel], order: Sequence[Value]) -> Iterator[Block]:
        """Yield the classes in the given order, with every pair of person and value."""
        assert self.published is not None
        needs = self.needs(models)
        found = classes_of(self.published.tally, [column.name for column in self.record.quasi], needs)
        place = {combination: at for at, combination in enumerate(found.combinations)}
        for combination in order:
            at = place[combination]
            values = {columns: of.of(at) for columns, of in found.entries.items()}
            yield Block(people_among(values[_PERSON,]), values)

    def reference(self, models: Sequence[PrivacyModel]) -> dict[Columns, "Counter[Value]"]:
        """Return the counts of the original that models compare with."""
        return {columns: self.everything.counter(columns) for columns in self.needs(models)}

    def needs(self, models: Sequence[PrivacyModel]) -> list[Columns]:
        """Return the columns whose values are counted in every class."""
        return list(dict.fromkeys(each for model in models for each in OfPeople(model, (_PERSON,)).needs))


def _plain(column: pa.Array, missing: Sequence[str]) -> pa.Array:
    """Return cells with null for what stands for missing: texts, their numbers, and NaN."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    if not missing:
        return column
    texts = column.cast(pa.string())
    return pc.if_else(pc.is_in(texts, pa.array(missing, pa.string())), pa.scalar(None, texts.type), texts)


def _of_one_type(columns: Iterable[Sequence[pa.Array]]) -> Iterator[list[pa.Array]]:
    """Yield the batches of each column; as text if they are of several types."""
    for batches in columns:
        kinds = {batch.type for batch in batches}
        yield [batch.cast(pa.string()) for batch in batches] if len(kinds) > 1 else list(batches)


def _with_person(counted: Tally, person: Columns) -> Tally:
    """Return the tally with the number of the person of each combination as a further column.

    The columns that tell the person may be quasi-identifiers, which are recoded.
    """
    numbers, values = counted.numbered(person)
    texts = [None if all(cell is None for cell in value) else str(at) for at, value in enumerate(values)]
    codes = np.concatenate([counted.codes, numbers[None, :]])
    return Tally((*counted.columns, _PERSON), (*counted.texts, texts), codes, counted.counts)


def one_record_each(claims: Manifest, record: Record, original: Original) -> Check | None:
    """Check the people of a release whose original has one record of each: they are its records.

    Return None if the manifest does not claim that, or the original does not show it.
    """
    people, records = claims.people, claims.input_records
    if people is None or people.input != records:
        return None
    unknown = original.unknown_if_one_record_each(record.person, records)
    if unknown is None:
        return None
    alike = None if people.knows == RECORD else claims.smallest
    found = replace(
        people, published=claims.data.records, fewer=0, unknown=unknown, smallest=claims.smallest, alike=alike
    )
    if beyond_limits(found) is not None:
        return beyond_limits(found)
    detail = f"every one of the {records:,} records of the original is about another person"
    return Check("people", True, detail) if found == people else Check("people", False, _OTHER_NUMBERS)


def people_check(claims: Manifest, release: Tally, counted: CountedPeople) -> Check:
    """Check that the release is the original, recoded, and that it has the people that the manifest claims."""
    if counted.published is None:
        return Check("people", False, "the original table does not match the private record")
    # A group number, in place of values that are published apart, is not a column of the original.
    shared = [name for name in release.columns if name in counted.everything.columns]
    wrong = differing(release, counted.published.tally, shared)
    if wrong:
        return Check("people", False, f"{count(wrong, 'combination')} of the release differ from the recoded original")
    found = counted.people()
    if counted.one_record_each:
        # Classes may be groups, or not be classes at all; how many records the smallest has is checked by itself.
        found = replace(found, smallest=claims.smallest)
    assert claims.people is not None
    found = replace(found, knows=claims.people.knows, limit=claims.people.limit, whole=claims.people.whole)
    if found.knows != RECORD:
        found = replace(found, alike=_alike(claims, counted, found))
    if found != claims.people:
        return Check("people", False, _OTHER_NUMBERS)
    wrong_limit = beyond_limits(found)
    if wrong_limit is not None:
        return wrong_limit
    return Check(
        "people",
        True,
        f"the release is the original, recoded; {found.input:,} people in the original, {found.published:,} published, "
        f"smallest class {found.smallest:,}",
    )


def _alike(claims: Manifest, counted: CountedPeople, found: People) -> int:
    """Return the fewest people of whom something known is true."""
    if counted.one_record_each:
        return claims.smallest
    return min(map(len, counted.views([]).views(found.knows).values()), default=0)


def beyond_limits(people: People) -> Check | None:
    """Return the check that fails if more people lose a record than may, or lose some where they must lose all."""
    lost = people.input - people.published + people.fewer
    if people.limit is not None and lost > people.limit:
        return Check(
            "people", False, f"{count(lost, 'person')} lose a record: the suppression limit is {people.limit:,}"
        )
    if people.whole and people.fewer:
        return Check("people", False, f"{count(people.fewer, 'person')} lose some records, not all")
    return None


def judged_by_people(
    counted: CountedPeople,
    models: Sequence[PrivacyModel],
    classes: Sequence[Value],
    population: "Counter[Value] | None",
    knows: str,
) -> tuple[list[Check], list[FailingClass]]:
    """Check every model on the people of every class, and on those of every view if more than a record is known."""
    try:
        ladders = ladders_of(counted.record.ladders)
    except UNFIT:
        ladders = None
    reference = Reference(counted.reference(models), ladders or {})
    judges = [
        Judge(
            check_name(plain),
            f"{promised(model, knows=knows)} Counted in the original table.",
            _by_people(model, reference),
            fits=ladders is not None,
        )
        for plain, model in zip(counted.record.models, models, strict=True)
    ]
    blocks = counted.blocks(models, classes)
    numbered = _numbered(classes, blocks, population, counted.needs(models))
    checks, failing = model_checks(judges, numbered, "person")
    if knows == RECORD or not all(check.holds for check in checks):
        return checks, failing
    needs = list(dict.fromkeys(columns for model in models for columns in model.needs))
    return model_checks(judges, enumerate(counted.views(needs).blocks(knows, _PERSON), 1), "person")


def _by_people(model: PrivacyModel, reference: Reference) -> Callable[[Block], bool]:
    by_people = OfPeople(model, (_PERSON,))
    return lambda block: by_people.textbook(block, reference)


def _numbered(
    classes: Sequence[Value], blocks: Iterable[Block], population: "Counter[Value] | None", needs: Sequence[Columns]
) -> Iterator[tuple[int | None, Block]]:
    """Yield the classes with their numbers and their people in the population; last those that only that has."""
    for number, (combination, block) in enumerate(zip(classes, blocks, strict=True), 1):
        yield number, block if population is None else block._replace(population=population[combination])
    for combination in population.keys() - set(classes) if population is not None else ():
        nobody: dict[Columns, Counter[Value]] = {columns: Counter() for columns in needs}
        yield None, Block(0, nobody, (population or Counter())[combination])


def without_original(
    models: Sequence[PrivacyModel], judgements: Sequence[Check], classes: ClassesOfRelease, claimed: People
) -> tuple[list[Check], list[Check], list[FailingClass]]:
    """Return the checks without the original: what records refute fails, everything else is not checked.

    The records of a class are its pairs of person and value, each once, and repetitions. An absorbing model holds of a
    class whatever is added to it; so where people satisfy a model, records satisfy its relaxed form.
    """
    needed = [model.relaxed() for model in models]
    judges = [
        Judge(check.name, check.detail, None if model is None or model.needs_reference else _by_records(model))
        for check, model in zip(judgements, needed, strict=True)
    ]
    checks, failing = model_checks(judges, enumerate(classes.blocks(), 1))
    wrong = beyond_limits(claimed)
    unknown = Check("people", None, f"the numbers of people {_NEEDS}") if wrong is None else wrong
    open_checks = [
        check if check.holds is False else _open(model, by_records, claimed.knows)
        for check, by_records, model in zip(checks, judgements, models, strict=True)
    ]
    return [unknown], open_checks, failing


def _open(model: PrivacyModel, by_records: Check, knows: str) -> Check:
    """Return the check by records of a model that asks the same of people, such as a number of different values."""
    promise = promised(model, knows=knows)
    return by_records if promise == promised(model) else Check(by_records.name, None, f"{promise} This {_NEEDS}.")


def _by_records(model: PrivacyModel) -> Callable[[Block], bool]:
    return lambda block: model.textbook(block, Reference({}, {}))
