"""Every search declares its kind, and one that is incomplete is named with what it lacks."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from incrowd.core.grid import Point
from incrowd.families import members
from incrowd.jobs.families import SEARCHES
from incrowd.recodings import Form
from incrowd.searches import (
    KINDS,
    ApartSearch,
    CellsSearch,
    GroupsSearch,
    LevelsOutcome,
    LevelsSearch,
    NothingFound,
    PartsSearch,
    Problem,
    Search,
    minimized_by,
)
from incrowd.searches.kinds import faults
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch

EVERY = {name: module.SEARCH for name, module in members("searches", "SEARCH").items()}


@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_search_is_complete(name: str) -> None:
    assert faults(EVERY[name]) == []


def test_every_kind_has_a_search() -> None:
    found = {kind: sorted(name for name in EVERY if issubclass(EVERY[name], KINDS[kind])) for kind in KINDS}
    assert sum(map(len, found.values())) == len(EVERY)
    assert found["apart"] == ["anatomy"]
    assert found["parts"] == ["k_optimize", "set_partitioning"]
    assert "optimal" in found["levels"]
    assert "layered" in found["cells"]
    assert "mondrian" in found["groups"]


@dataclass(frozen=True)
class Complete(LevelsSearch):
    """All that a search needs."""

    wide: bool = False
    points: ClassVar = {Point.AG: {"wide": True}}

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        return Optimal().run(problem, watch)


def test_a_complete_search_has_no_faults() -> None:
    assert faults(Complete) == []
    assert not Complete().serves(Point.AG)
    assert Complete(True).serves(Point.AG)
    assert not Complete(True).serves(Point.CG)


def test_no_class() -> None:
    assert faults(Optimal()) == ["SEARCH must be a class"]


def test_no_kind() -> None:
    @dataclass(frozen=True)
    class Bare:
        def run(self, problem: Problem, watch: Watch) -> None: ...

    bases = "LevelsSearch, CellsSearch, GroupsSearch, PartsSearch, ApartSearch, ChoosingSearch"
    assert faults(Bare) == [f"it declares no kind; derive it from one of {bases}"]

    @dataclass(frozen=True)
    class Both(LevelsSearch, PartsSearch):
        def run(self, problem: Problem, watch: Watch) -> NothingFound:
            raise NotImplementedError

    assert faults(Both) == [f"it declares several kinds (levels, parts); derive it from one of {bases}"]


def test_no_run() -> None:
    @dataclass(frozen=True)
    class Idle(LevelsSearch):
        """Nothing."""

    @dataclass(frozen=True)
    class Narrow(LevelsSearch):
        def run(self, problem: Problem) -> NothingFound:  # type: ignore[override]
            raise NotImplementedError

    assert faults(Idle) == ["it lacks run"]
    assert faults(Narrow) == ["run must be a method that takes the problem and the watch"]


def test_no_frozen_dataclass() -> None:
    class Plain(Complete):
        """A subclass of a dataclass is one."""

    class Loose(LevelsSearch):
        run = Complete.run

    assert faults(Plain) == []
    assert faults(Loose) == ["it must be a frozen dataclass whose fields are its options"]


def declared(kind: type[Search], **attributes: object) -> type[Search]:
    """A search of a kind with these attributes."""
    return dataclass(frozen=True)(type("Declared", (kind,), {"run": Complete.run, **attributes}))


def test_apart_names_its_columns_and_judges_models() -> None:
    lacking = declared(ApartSearch)
    assert faults(lacking) == ["it lacks can_promise", "group must be a text", "count must be a text"]


@pytest.mark.parametrize(
    ("kind", "attributes", "words"),
    [
        (LevelsSearch, {"points": {"ag": {}}}, "points must be a mapping of points of the grid to mappings of options"),
        (LevelsSearch, {"points": {Point.AG: {"deep": 1}}}, "points names options that it does not have: deep"),
        (LevelsSearch, {"metrics": "loss"}, "metrics must be a tuple of texts"),
        (LevelsSearch, {"minimizes": 3}, "minimizes must be a text or None"),
        (LevelsSearch, {"looks_at": ["label"]}, "looks_at must be a tuple of texts"),
        (LevelsSearch, {"drops_records": 1}, "drops_records must be True or False"),
        (CellsSearch, {"consistent": "yes"}, "consistent must be True or False"),
        (CellsSearch, {"matches_anything": None}, "matches_anything must be True or False"),
        (PartsSearch, {"forms": ()}, "forms must be a tuple of at least one Form"),
        (PartsSearch, {"forms": ("set",)}, "forms must be a tuple of at least one Form"),
        (GroupsSearch, {"needs_sensitive": 0}, "needs_sensitive must be True or False"),
        (GroupsSearch, {"generalizes": "no"}, "generalizes must be True or False"),
        (GroupsSearch, {"most_spanned": "0.5"}, "most_spanned must be a number or None"),
    ],
)
def test_a_wrong_type_is_named(kind: type[Search], attributes: dict[str, object], words: str) -> None:
    assert faults(declared(kind, **attributes)) == [words]


def test_right_types_are_taken() -> None:
    assert faults(declared(PartsSearch, forms=(Form.RANGE, Form.SET), metrics=("loss",))) == []
    assert faults(declared(GroupsSearch, most_spanned=0.5, needs_sensitive=True)) == []


def test_the_metric_that_a_search_minimizes() -> None:
    assert minimized_by("best_first") == "weighted_loss"
    assert minimized_by("optimal") is None
    assert minimized_by("applied") is None, "no search, but a release may name it"


def test_options_that_a_point_takes_are_those_of_the_search() -> None:
    for name, kind in EVERY.items():
        for point, options in kind.points.items():
            assert not options or SEARCHES.member({name: dict(options)}).serves(point)
