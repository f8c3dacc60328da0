"""Local searches that cluster people: nobody is exposed to an attacker who tries everything that may be known."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.core.knowledge import Known, Knows
from incrowd.core.people import TableOfPeople
from incrowd.errors import UsageError
from incrowd.families import SEARCHES as FAMILY
from incrowd.metrics.loss import Loss
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople
from incrowd.models.on_views import OnViews
from incrowd.models.t_closeness import TCloseness
from incrowd.recodings import Form
from incrowd.recodings.by_group import by_group
from incrowd.searches import GroupsSearch, LinkedTable, People, Problem
from incrowd.searches._people.clusters import Clusters
from incrowd.searches._people.judging import OfClusters
from incrowd.searches._people.lots import lots_of
from incrowd.searches._people.mending import exposed, mended
from incrowd.searches._people.records import PeopleRecords
from incrowd.searches.k_members import KMembers
from incrowd.searches.microaggregation import Microaggregation
from incrowd.searches.mondrian import Mondrian
from incrowd.searches.tradeoff import Tradeoff
from incrowd.watch import Watch
from searches.chosen import groups_of
from searches.local_problems import numbers
from searches.people_by_hand import PERSON, ByHand, Row
from searches.problems import CLOSED_MODELS, DISEASE, MODELS, Ticks, frequency_set

DOCS = Path(__file__).parents[2] / "docs"
KNOWLEDGES: SearchStrategy[Knows] = st.sampled_from([2, 3, Known.HISTORY])
SEARCHES = [
    KMembers(),
    KMembers(objective="protection"),
    Microaggregation(),
    Tradeoff(),
    Tradeoff(clusters="seeded", leftovers="suppress"),
    Mondrian(),
    Mondrian(cuts="relaxed"),
]


def problem_of(
    rows: list[dict[str, str | None]], model: PrivacyModel, knows: Knows, budget: int = 0, of_people: bool = True
) -> Problem:
    """Records with a number, a text and a disease."""
    frequencies = frequency_set(rows, ["age", "town", PERSON, DISEASE])
    age, town, _, disease = frequencies.values
    table = LinkedTable(TableOfPeople.of(frequencies, (PERSON,)), ())
    return Problem(
        frequencies,
        (),
        OfPeople(model, (PERSON,)),
        Loss(),
        budget,
        axes=(numbers("age", age), Axis.of_set("town", town)),
        sensitive_axes={DISEASE: Axis.of_set(DISEASE, disease)},
        forms=(Form.RANGE, Form.SET),
        people=People((table,), knows, whole=True, of_people=of_people),
    )


@st.composite
def histories(
    draw: st.DrawFn, models: SearchStrategy[PrivacyModel] = MODELS, knowledges: SearchStrategy[Knows] = KNOWLEDGES
) -> Problem:
    """Up to ten people with one to six records each, and records of which nobody knows the person."""
    record = st.fixed_dictionaries(
        {
            "age": st.integers(0, 9).map(str) | st.none(),
            "town": st.sampled_from(["x", "y", None]),
            DISEASE: st.sampled_from("xyz"),
        }
    )
    lengths = draw(st.lists(st.sampled_from([1, 1, 2, 2, 2, 3, 4, 6]), min_size=1, max_size=10))
    rows = [{**draw(record), PERSON: f"p{at}"} for at, length in enumerate(lengths) for _ in range(length)]
    rows += [{**each, PERSON: None} for each in draw(st.lists(record, max_size=2))]
    return problem_of(rows, draw(models), draw(knowledges), draw(st.integers(0, 4)), draw(st.booleans()))


class AsReleased(ByHand):
    """A problem, and the groups that a search found, by definition."""

    def released(self, groups: Groups) -> list[Row]:
        """Every published record, as an attacker sees it."""
        recoding = by_group(replace(groups, frequencies=groups.frequencies), self.problem.axes, self.problem.forms)
        owner = np.full(len(recoding.kept), -1)
        owner[recoding.kept] = recoding.classes(len(self.problem.axes)).of
        names = groups.frequencies.names
        if recoding.pieces is None and recoding.combinations.names != names:
            of = owner[groups.frequencies.classes(self.problem.quasi).of]
            pieces = zip(groups.combination.tolist(), groups.counts.tolist(), of.tolist(), strict=True)
        else:
            pieces = zip(groups.combination.tolist(), groups.counts.tolist(), owner.tolist(), strict=True)
        texts = [[None, *map(str, values.to_pylist())] for values in groups.frequencies.values]
        found = []
        for combination, count, number in pieces:
            codes = groups.frequencies.codes[:, combination].tolist()
            cells = {name: text[code] for name, text, code in zip(names, texts, codes, strict=True)}
            values = {columns: tuple(cells[name] for name in columns) for columns in self.model.needs}
            for at in range(count if number >= 0 else 0):
                person = ("nobody", combination, number, at) if cells[PERSON] is None else (cells[PERSON],)
                found.append(Row(person, (), (number,), values))
        return found

    def is_anybody_exposed(self, rows: list[Row]) -> bool:
        """Whether some view, or some class, violates the model."""
        views = self._views([rows]).items()
        return any(not self._safe(known, who, [rows]) for known, who in views) or bool(self._in_bad_classes([rows]))

    def lost_at_the_least(self) -> int:
        """How much is lost if all records are published alike, as the limit counts it."""
        assert self.problem.people is not None
        [rows] = self.tables(())
        gone = self._gone([rows])
        return len(gone) if self.problem.people.of_people else sum(row.person in gone for row in rows)


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@given(problem=histories(), can_part=st.booleans())
def test_nobody_is_exposed(search: GroupsSearch, problem: Problem, can_part: bool) -> None:
    problem = replace(problem, can_part=can_part)
    groups = groups_of(search.run(problem, Watch()))
    if groups is None:
        return
    if not can_part:
        pieces = groups.frequencies.codes[groups.frequencies.names.index(PERSON)][groups.combination]
        told = groups.combination[pieces > 0]
        assert len(np.unique(told)) == len(told)
    by_hand = AsReleased(problem)
    rows = by_hand.released(groups)
    assert not by_hand.is_anybody_exposed(rows)
    # Whoever is published appears with all records, and no more go than may.
    [every] = by_hand.tables(())
    shown, there = Counter(row.person[0] for row in rows), Counter(row.person[0] for row in every)  # type: ignore[index]
    assert all(shown[who] == there[who] for who in shown if str(who).startswith("p"))
    assert problem.people is not None
    known = {who for who in there if str(who).startswith("p")}
    nobody = sum(isinstance(row.person, str) for row in every) - sum(len(row.person) > 1 for row in rows)  # type: ignore[arg-type]
    lost = len(known - set(shown)) + nobody if problem.people.of_people else len(every) - len(rows)
    assert lost <= problem.budget


@pytest.mark.parametrize("search", [KMembers(), Microaggregation(), Mondrian()], ids=str)
@given(problem=histories(CLOSED_MODELS))
def test_there_is_a_release_wherever_there_can_be_one(search: GroupsSearch, problem: Problem) -> None:
    groups = groups_of(search.run(problem, Watch()))
    assert (groups is None) == (AsReleased(problem).lost_at_the_least() > problem.budget)


@given(histories(), st.data())
def test_clusters_are_judged_as_the_definition_says(problem: Problem, data: st.DataObject) -> None:
    records = PeopleRecords.of(problem)
    assert isinstance(problem.model, OfPeople)
    judge = OnViews.of(problem.model.model, [records.table], Known.HISTORY)
    people = np.arange(records.table.people)
    # Everybody has a record in each group, as in a lot.
    slot = np.minimum(records.step, data.draw(st.integers(0, int(records.lengths.min()) - 1)))
    model = OfClusters(judge, "number", people, slot)
    cluster = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(people), max_size=len(people))))
    _, cluster = np.unique(cluster, return_inverse=True)
    n = int(cluster.max()) + 1
    holds = model.of_people(people.astype(np.int32), cluster.astype(np.int32), n)
    for at in range(n):
        who = Counter({(str(person + 1),): 1 for person in people[cluster == at].tolist()})
        assert model.textbook(Block(len(who), {("number",): who}), Reference({}, {})) == holds[at]


@given(search=st.sampled_from(SEARCHES), problem=histories(), seed=st.integers(0, 9))
def test_the_order_of_combinations_does_not_matter(search: GroupsSearch, problem: Problem, seed: int) -> None:
    table = problem.frequencies
    order = np.random.default_rng(seed).permutation(table.combinations)
    other = FrequencySet(table.names, table.values, np.ascontiguousarray(table.codes[:, order]), table.counts[order])
    assert problem.people is not None
    linked = LinkedTable(TableOfPeople.of(other, (PERSON,)), ())
    found = search.run(replace(problem, frequencies=other, people=replace(problem.people, tables=(linked,))), Watch())
    one, two = groups_of(search.run(problem, Watch())), groups_of(found)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        assert _published(problem, one) == _published(problem, two)


def _published(problem: Problem, groups: Groups) -> "Counter[object]":
    """The published cells of each record, with the person."""
    recoding = by_group(groups, problem.axes, problem.forms)
    shown: Counter[object] = Counter()
    texts = [[None, *values.to_pylist()] for values in recoding.combinations.values]
    columns = [recoding.codes(at) for at in range(len(recoding.combinations.names))]
    for at in np.flatnonzero(recoding.kept).tolist():
        cells = [
            text[codes[at]] if column is None else column.labels[column.codes[at]]
            for text, codes, column in zip(texts, columns, recoding.columns, strict=False)
        ]
        rest = [text[codes[at]] for text, codes in zip(texts, columns, strict=True)][len(recoding.columns) :]
        shown[(*cells, *rest)] += int(recoding.counts[at])
    return shown


@given(search=st.sampled_from(SEARCHES), problem=histories(), ticks=st.integers(0, 6))
def test_stopped_at_any_time(search: GroupsSearch, problem: Problem, ticks: int) -> None:
    groups = groups_of(search.run(problem, Ticks(ticks)))
    if groups is not None:
        by_hand = AsReleased(problem)
        assert not by_hand.is_anybody_exposed(by_hand.released(groups))


def visits(lengths: list[int]) -> list[dict[str, str | None]]:
    """People whose records are years one after the other, each like those of its neighbors."""
    return [
        {"age": str(10 * (who // 2) + year), "town": "x", PERSON: f"p{who}", DISEASE: "x"}
        for who, length in enumerate(lengths)
        for year in range(length)
    ]


@pytest.mark.parametrize("search", [KMembers(), Microaggregation(), Mondrian()], ids=str)
def test_equal_histories_keep_all_detail(search: GroupsSearch) -> None:
    """Three pairs of equal people: the j-th records of each pair are alike, so nothing is generalized."""
    problem = problem_of(visits([3, 3, 3, 3, 2, 2]), KAnonymity(2), Known.HISTORY)
    groups = groups_of(search.run(problem, Watch()))
    assert groups is not None
    assert groups.n == 3 + 3 + 2
    recoding = by_group(groups, problem.axes, problem.forms)
    assert all(column is None for column in recoding.columns)


def test_rare_numbers_of_records_share_a_lot() -> None:
    """If two records are known, four and five records are both "at least two" in the last group of a cluster."""
    problem = problem_of(visits([5, 4, 4, 3, 3, 1]), KAnonymity(2), 2)
    records = PeopleRecords.of(problem)
    made = lots_of(records, np.arange(6), 2, lambda people: len(people) >= 2)
    assert [(lot.fewest, lot.most, lot.width, len(lot.people)) for lot in made.lots] == [(4, 5, 3, 3), (3, 3, 3, 2)]
    assert records.lengths[made.guests].tolist() == [1]
    groups = groups_of(KMembers().run(problem, Watch()))
    assert groups is not None
    assert not groups.suppressed
    assert not AsReleased(problem).is_anybody_exposed(AsReleased(problem).released(groups))
    # All of five, or of one, would have to go if histories were known.
    assert (
        groups_of(KMembers().run(problem_of(visits([5, 4, 4, 3, 3, 1]), KAnonymity(2), Known.HISTORY), Watch())) is None
    )


def test_what_is_published_alike_is_judged_together() -> None:
    """Each group of a cluster has the values of the table, and the class that two groups make has not."""
    rows = [
        {"age": "1", "town": "x", PERSON: f"p{who}", DISEASE: disease}
        for who, diseases in enumerate(["xy", "yx", "xy", "yx"])
        for disease in diseases
    ]
    problem = problem_of(rows, TCloseness(t=0.0, column=DISEASE), Known.HISTORY)
    records = PeopleRecords.of(problem)
    judge = OnViews.of(TCloseness(t=0.0, column=DISEASE), [records.table], Known.HISTORY)
    clusters = Clusters.none(records)
    clusters.add(0, np.array([0, 1]), np.zeros(2, dtype=np.int64), records.step)
    clusters.add(0, np.array([2, 3]), np.zeros(2, dtype=np.int64), records.step)
    assert not exposed(clusters, judge).any()
    lone = Clusters.none(records)
    lone.add(0, np.array([0, 1, 2, 3]), np.array([0, 1, 0, 1]), records.step)
    found = mended(lone, judge)
    assert found is not None
    assert not exposed(found, judge).any()
    assert (found.group() != SUPPRESSED).all()


def test_what_clusters_records_refuses_people() -> None:
    with pytest.raises(UsageError, match="objective of k_members"):
        KMembers(objective="range_diversity").run(problem_of(visits([2, 2]), KAnonymity(2), 2), Watch())


def test_the_page_says_what_each_search_can_do() -> None:
    rows = [line.split("|") for line in (DOCS / "people.md").read_text("utf-8").splitlines() if line.startswith("| `a")]
    named = [set(re.findall(r"`(\w+)`", searches)) for _, searches, *_ in rows]
    known = FAMILY.known()
    assert named == [
        {name for name, search in known.items() if search.leaves_out_people},
        {name for name, search in known.items() if search.counts_people and not search.leaves_out_people},
        {name for name, search in known.items() if not search.counts_people},
    ]
