"""Anatomy: a literal reference, every model that buckets can promise, suppression, chance, time."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.groups import SUPPRESSED
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.models.t_closeness import TCloseness
from incrowd.searches import ApartSearch, LocalSearch, NothingFound, Outcome, Problem
from incrowd.searches.anatomy import Anatomy
from incrowd.watch import Watch
from local.tables import DISEASE, assert_whole, local_problem, records_of, tables
from searches.chosen import groups_of

Row = dict[str, str | None]


def run(problem: Problem, seconds: float | None = None) -> Outcome:
    """What the search found."""
    with Watch(seconds) as watch:
        return Anatomy().run(problem, watch)


def rows_with(diseases: Sequence[str | None]) -> list[Row]:
    """Records that differ in age, with these diseases."""
    return [
        {"age": str(at), "place": "Bonn", "size": "small", "mark": "x", DISEASE: disease}
        for at, disease in enumerate(diseases)
    ]


def diseases_of(outcome: Outcome) -> dict[int, list[str | None]]:
    """By group the sensitive values."""
    assert not isinstance(outcome, NothingFound)
    return {group: [record[-1] for record in records] for group, records in records_of(outcome.groups).items()}


def anatomize(counts: "Counter[str]", size: int) -> tuple[list[list[str]], "Counter[str]"]:
    """The algorithm as the paper tells it, lines 3 to 8: the buckets' values, and those of the residue."""
    left, buckets = Counter(counts), []
    while sum(1 for count in left.values() if count) >= size:
        largest = sorted(left, key=lambda value: (-left[value], value))[:size]
        left -= Counter(largest)
        buckets.append(largest)
    return buckets, left


@given(diseases=st.lists(st.sampled_from("abcdef"), max_size=40), size=st.integers(1, 4))
def test_as_the_paper_tells(diseases: list[str], size: int) -> None:
    """Buckets take from the largest lists; what is left over, one record of a value, goes where the value lacks."""
    counts = Counter(diseases)
    outcome = run(local_problem(rows_with(diseases), FrequencyL(size, column=DISEASE)))
    if any(count * size > len(diseases) for count in counts.values()):
        assert isinstance(outcome, NothingFound)
        return
    buckets, residue = anatomize(counts, size)
    assert max(residue.values(), default=0) <= 1
    found = diseases_of(outcome)
    assert len(found) == len(buckets) == outcome.counted
    more: Counter[str | None] = Counter()
    for at, values in enumerate(buckets):
        beyond = Counter(found[at]) - Counter(values)
        assert len(set(found[at])) == len(found[at]) == len(values) + beyond.total()
        more += beyond
    assert more == residue


def test_the_papers_patients() -> None:
    """Xiao and Tao, table 1, with l = 2: four pairs of different diseases, of which no disease is left out."""
    diseases = ["pneumonia", "dyspepsia", "dyspepsia", "pneumonia", "flu", "gastritis", "flu", "bronchitis"]
    outcome = run(local_problem(rows_with(diseases), FrequencyL(2, column=DISEASE)))
    found = diseases_of(outcome)
    assert [len(set(values)) for values in found.values()] == [2] * 4
    assert Counter(value for values in found.values() for value in values) == Counter(diseases)
    assert outcome.details == {"l": 2, "buckets": 4}


def judged() -> SearchStrategy[PrivacyModel]:
    """Models that buckets can promise."""
    one = st.one_of(
        st.integers(1, 4).map(lambda size: FrequencyL(size, column=DISEASE)),
        st.integers(1, 4).map(lambda size: DistinctL(size, column=DISEASE)),
        st.sampled_from([1, 1.5, 2, 2.7, 3]).map(lambda size: EntropyL(size, column=DISEASE)),
        st.tuples(st.sampled_from([0.4, 0.5, 1, 3]), st.integers(1, 3)).map(
            lambda both: RecursiveCL(*both, column=DISEASE)
        ),
    )
    return one | st.tuples(one, one).map(All)


@given(rows=tables(), model=judged(), budget=st.integers(0, 24), seconds=st.sampled_from([None, None, 0]))
def test_every_bucket_keeps_the_promise(
    rows: list[Row], model: PrivacyModel, budget: int, seconds: float | None
) -> None:
    """Whatever may be suppressed, and stopped at once too; all values of a bucket differ."""
    problem = local_problem(rows, model, budget=budget)
    outcome = run(problem, seconds)
    if isinstance(outcome, NothingFound):
        assert outcome.details["would_suppress"] > budget
        return
    assert_whole(problem, outcome.groups)
    for group, diseases in diseases_of(outcome).items():
        if group != SUPPRESSED:
            assert len(set(diseases)) == len(diseases) >= outcome.details["l"]


def fewest(counts: Sequence[int], size: int) -> int:
    """How many records must go so that no value has more than an l-th of what is left, by trying everything."""
    kept = [
        sum(left)
        for left in product(*(range(count + 1) for count in counts))
        if all(size * count <= sum(left) for count in left)
    ]
    return sum(counts) - max(kept)


@given(counts=st.lists(st.integers(1, 7), max_size=4), size=st.integers(1, 4))
def test_suppresses_as_few_as_possible(counts: list[int], size: int) -> None:
    """Or says how many it would be."""
    rows = rows_with([f"d{value}" for value, count in enumerate(counts) for _ in range(count)])
    needed = fewest(counts, size)
    enough = groups_of(run(local_problem(rows, FrequencyL(size, column=DISEASE), budget=needed)))
    assert enough is not None
    assert enough.suppressed == needed
    if needed:
        short = run(local_problem(rows, FrequencyL(size, column=DISEASE), budget=needed - 1))
        assert isinstance(short, NothingFound)
        assert short.details["would_suppress"] == needed
        assert short.details["why"] == f"more than one record in {size} has the same value of 'disease'"


@given(rows=tables(), seed=st.integers(0, 3), order=st.randoms())
def test_the_order_of_records_does_not_matter(rows: list[Row], seed: int, order: Random) -> None:
    """Engines hand over combinations in any order; equal data with an equal seed make equal groups."""
    model = FrequencyL(2, column=DISEASE)
    shuffled = order.sample(rows, len(rows))
    one, other = (groups_of(run(local_problem(given, model, budget=24, seed=seed))) for given in (rows, shuffled))
    assert one is not None
    assert other is not None
    assert records_of(one) == records_of(other)


def test_chance() -> None:
    """Another seed, or one other value, makes other groups: the seed alone does not tell who was drawn."""
    diseases = ["flu", "cold", "gout"] * 20
    model = FrequencyL(3, column=DISEASE)

    def found(diseases: Sequence[str], seed: int = 0) -> dict[str, int]:
        outcome = run(local_problem(rows_with(diseases), model, seed=seed))
        assert not isinstance(outcome, NothingFound)
        return {str(record[0]): group for group, records in records_of(outcome.groups).items() for record in records}

    swapped = [*diseases[1:2], *diseases[:1], *diseases[2:]]
    first = found(diseases)
    assert first == found(diseases)
    for other in (found(diseases, 1), found(swapped)):
        assert sum(1 for age in first if first[age] == other[age]) < 15


@pytest.mark.parametrize(
    ("diseases", "size", "groups"),
    [
        ([], 3, 0),
        (["flu"], 1, 1),
        (["flu"] * 5, 1, 5),
        ([None, "flu"], 2, 1),
        (["ü", "ß", None], 3, 1),
        ([str(10**30 + at) for at in range(9)], 2, 4),
    ],
)
def test_edges(diseases: list[str | None], size: int, groups: int) -> None:
    """Nothing, one value, missing as a value."""
    outcome = run(local_problem(rows_with(diseases), FrequencyL(size, column=DISEASE)))
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n == outcome.counted == groups


def test_equal_records_part() -> None:
    """Many records of few combinations: each is in one group."""
    rows = rows_with(["flu"] * 400 + ["cold"] * 300 + ["gout"] * 300)
    rows = [{**row, "age": "7"} for row in rows]
    problem = local_problem(rows, FrequencyL(2, column=DISEASE))
    outcome = run(problem)
    assert not isinstance(outcome, NothingFound)
    assert problem.frequencies.combinations == 3
    assert_whole(problem, outcome.groups)
    assert outcome.groups.n == 500
    assert np.bincount(outcome.groups.group, weights=outcome.groups.counts).max() == 2


def test_stopped() -> None:
    """Time that is up leaves complete buckets, and says so."""
    outcome = run(local_problem(rows_with(["a", "b", "c", "d"] * 5), FrequencyL(3, column=DISEASE)), 0)
    assert outcome.stopped == "time"
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n == 6


def test_refused() -> None:
    """Models that look at quasi-identifiers, several columns, and names that are none."""
    rows = rows_with(["flu", "cold"])
    with pytest.raises(UsageError, match="quasi-identifiers are published unchanged"):
        run(local_problem(rows, All((TCloseness(0.5, column=DISEASE), FrequencyL(2, column=DISEASE)))))
    with pytest.raises(UsageError, match="group of anatomy is ' '"):
        Anatomy(group=" ")
    with pytest.raises(UsageError, match="both have the same name"):
        Anatomy(count="group")
    assert isinstance(Anatomy(), LocalSearch)
    assert Anatomy().needs_sensitive
    assert isinstance(Anatomy(), ApartSearch)
    assert not Anatomy().can_promise(TCloseness(0.5, column=DISEASE))


def groups_by_age(outcome: Outcome) -> dict[str, int]:
    """By age the group of a record; ages differ."""
    assert not isinstance(outcome, NothingFound)
    return {str(record[0]): group for group, records in records_of(outcome.groups).items() for record in records}


@given(rows=tables(), k=st.integers(1, 6), budget=st.integers(0, 24))
def test_k_alone(rows: list[Row], k: int, budget: int) -> None:
    """Groups of k records or a few more, as many as there can be, and nothing is suppressed unless all is."""
    problem = local_problem(rows, KAnonymity(k), budget=budget, sensitive=[DISEASE])
    outcome = run(problem)
    if len(rows) < k:
        assert (isinstance(outcome, NothingFound)) == (len(rows) > budget)
        return
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.suppressed == 0
    assert_whole(problem, outcome.groups)
    sizes = [len(records) for records in records_of(outcome.groups).values()]
    assert len(sizes) == outcome.counted == len(rows) // k
    assert min(sizes, default=k) >= k
    assert max(sizes, default=k) - min(sizes, default=k) <= 1


@given(diseases=st.lists(st.sampled_from("abc"), min_size=3, max_size=20), k=st.integers(1, 5), order=st.randoms())
def test_with_k_alone_groups_tell_nothing_of_values(diseases: list[str], k: int, order: Random) -> None:
    """Whoever has which value: records with these quasi-identifiers are in these groups."""
    one, other = (
        run(local_problem(rows_with(given), KAnonymity(k), budget=20, sensitive=[DISEASE]))
        for given in (diseases, order.sample(diseases, len(diseases)))
    )
    assert groups_by_age(one) == groups_by_age(other)


@given(rows=tables(), k=st.integers(1, 7), size=st.integers(1, 3), seconds=st.sampled_from([None, 0]))
def test_k_beside_a_model_of_values(rows: list[Row], k: int, size: int, seconds: float | None) -> None:
    """Both hold in every group; buckets of different values are put together until they are large enough."""
    model = All((KAnonymity(k), FrequencyL(size, column=DISEASE)))
    problem = local_problem(rows, model, budget=24)
    outcome = run(problem, seconds)
    assert not isinstance(outcome, NothingFound)
    assert_whole(problem, outcome.groups)
    found = {group: values for group, values in diseases_of(outcome).items() if group != SUPPRESSED}
    assert outcome.counted == len(found)
    for values in found.values():
        assert len(values) >= k
        assert max(Counter(values).values()) * size <= len(values)


def test_fewer_records_than_k() -> None:
    outcome = run(local_problem(rows_with(["flu", "cold"]), KAnonymity(3), sensitive=[DISEASE]))
    assert isinstance(outcome, NothingFound)
    assert outcome.details["why"] == "fewer than 3 records can be in a group"
