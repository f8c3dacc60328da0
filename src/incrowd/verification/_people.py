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
from numpy.typing import NDArray

from incrowd.errors import HierarchyError, UsageError, listed
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.models.of_people import OfPeople, people_among, promised
from incrowd.release import Manifest, People, Record
from incrowd.text import count
from incrowd.verification._checks import model_checks
from incrowd.verification._classes import BASIC, ClassesOfRelease, Columns, classes_of
from incrowd.verification._judges import UNFIT, Judge, check_name, ladders_of
from incrowd.verification._recoded import Recoded, differing, recoded
from incrowd.verification._rows import Batches, Rows, cells_of_arrow
from incrowd.verification._spelling import respelled
from incrowd.verification._tally import Numbers, Tally, Value, tally
from incrowd.verification._verdict import Check, FailingClass
from incrowd.verification._views import PeopleOfRelease

_NEEDS = "needs the original table and the private record (--original FILE --record FILE)"


RECORD = "record"
"""One record of a person is known."""

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
        names = list(dict.fromkeys([*(column.name for column in record.quasi), *needed, *record.person]))
        lacking = [name for name in names if name not in original.columns]
        if lacking:
            wrong = f"it lacks {listed(lacking)}, which the private record names"
            raise UsageError.invalid("the original table", wrong, "give the table that was released")
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


def _with_person(counted: Tally, person: Columns) -> Tally:
    """Return the tally with the number of the person of each combination as a further column.

    The columns that tell the person may be quasi-identifiers, which are recoded.
    """
    numbers, values = counted.numbered(person)
    texts = [None if all(cell is None for cell in value) else str(at) for at, value in enumerate(values)]
    codes = np.concatenate([counted.codes, numbers[None, :]])
    return Tally((*counted.columns, _PERSON), (*counted.texts, texts), codes, counted.counts)


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
        return Check("people", False, "the original table has other numbers of people than the manifest claims")
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
    knows = claimed.knows
    needed = [model.relaxed() for model in models]
    judges = [
        Judge(check.name, check.detail, None if model is None or model.needs_reference else _by_records(model))
        for check, model in zip(judgements, needed, strict=True)
    ]
    checks, failing = model_checks(judges, enumerate(classes.blocks(), 1))
    wrong = beyond_limits(claimed)
    unknown = Check("people", None, f"how many people there are {_NEEDS}") if wrong is None else wrong
    open_checks = [
        check if check.holds is False else Check(check.name, None, f"{promised(model, knows=knows)} This {_NEEDS}.")
        for check, model in zip(checks, models, strict=True)
    ]
    return [unknown], open_checks, failing


def _by_records(model: PrivacyModel) -> Callable[[Block], bool]:
    return lambda block: model.textbook(block, Reference({}, {}))
