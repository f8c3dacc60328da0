"""The three scores of PrivacyFrost2, and one that another package adds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd import families
from incrowd.core.hierarchy import Hierarchy
from incrowd.families import found
from incrowd.models.k_anonymity import KAnonymity
from incrowd.scores import named
from incrowd.scores.basic import Basic
from incrowd.scores.eta import Eta
from incrowd.scores.logarithm import Logarithm
from incrowd.searches import NothingFound
from incrowd.searches.scored import Scored
from incrowd.watch import Watch
from searches.problems import problem


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    found.cache_clear()
    yield
    found.cache_clear()


# Birth 2, gender 2, zip 2 of 6, nationality 3, with the priorities that the paper gives as an example.
DISTINCT, BEFORE, PRIORITIES = (2, 2, 2, 3), (2, 2, 6, 3), (10, 5, 1, 1)


def test_worked_scores() -> None:
    assert Basic().score(DISTINCT, BEFORE, PRIORITIES) == 35
    assert Eta(2).score(DISTINCT, BEFORE, PRIORITIES) == 18
    assert Logarithm().score(DISTINCT, BEFORE, PRIORITIES) == 10


def test_eta() -> None:
    assert [Eta(4).eta(values) for values in range(1, 6)] == [0, 0, 1, 1, 2]
    assert [Eta(1).eta(values) for values in range(3)] == [0, 1, 2]


def test_a_column_that_never_had_two_values_has_no_logarithm() -> None:
    assert Logarithm().score((1, 1), (1, 4), (9, 2)) == 0
    assert Logarithm().score((0, 0), (0, 0), (1, 1)) == 0


NUMBERS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.1, 0.3, 1, 2, 7])), min_size=1)


@given(NUMBERS, st.data())
def test_more_values_never_lower_a_score(columns: list[tuple[int, int, float]], data: st.DataObject) -> None:
    distinct, before, priorities = (list(each) for each in zip(*columns, strict=True))
    at = data.draw(st.integers(0, len(columns) - 1))
    more = [values + (column == at) * data.draw(st.integers(0, 3)) for column, values in enumerate(distinct)]
    for score in (Basic(), Eta(data.draw(st.sampled_from([1, 2, 5.5]))), Logarithm()):
        now = score.score(distinct, before, priorities)
        assert now <= score.score(more, before, priorities)
        most = score.most(more, before, priorities)
        assert most is None or now <= most
    assert Basic().most(more, before, priorities) is not None


def test_found_by_name() -> None:
    assert named("basic") == ("basic", Basic())
    assert named({"eta": {"d": 3}}) == ("eta", Eta(3))
    # A name with nothing behind it, as YAML reads `logarithm:`.
    assert named({"logarithm": None}) == ("logarithm", Logarithm())


@dataclass(frozen=True)
class First:
    """What the first column keeps."""

    weight: float = 1.0
    ignored: tuple[str, ...] = field(default_factory=tuple)

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Its values."""
        return self.weight * distinct[0]

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float | None:
        """Nothing is known."""
        return None


def test_a_score_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(SCORE=First)
    points = [SimpleNamespace(name="first", load=lambda: module)]
    monkeypatch.setattr(families, "entry_points", lambda group: points if group == "incrowd.scores" else [])
    flat = Hierarchy.from_rows([("x", "*"), ("y", "*")])
    rows = [{"a": a, "b": b} for a in "xy" for b in "xy"]
    given_problem = problem(rows, {"a": flat, "b": flat}, KAnonymity(2), priorities=(1.0, 5.0))
    outcome = Scored(score={"first": {"weight": 2}}).run(given_problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == (0, 1)
    assert (outcome.details["score"], outcome.details["full_domain"]) == ("first", 4)
    # The priorities alone would have it the other way round.
    basic = Scored().run(given_problem, Watch())
    assert not isinstance(basic, NothingFound)
    assert basic.node.levels == (1, 0)
