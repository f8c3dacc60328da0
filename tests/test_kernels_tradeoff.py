"""The kernels of the thesis' methods, their build with bounds checks and their NumPy twins give the same answers."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.kernels import numpy_kernels
from incrowd.searches import Problem
from incrowd.searches._tradeoff.contributing import Rated
from incrowd.searches._tradeoff.records import TradeoffRecords
from incrowd.searches._tradeoff.scales import UNITS, limit, lines_of
from incrowd.searches.tradeoff import weighted
from local.test_guaranteed import MODELS
from local.thesis_tables import problems
from test_kernels import load

PARTS = st.sampled_from([1, 2, 5, 100])


@pytest.fixture(scope="module", params=["compiled", "checked"])
def kernels(request: pytest.FixtureRequest) -> ModuleType:
    """Each compiled build."""
    return load(request.param)


def same(one: Any, other: Any) -> bool:
    """Equal arrays."""
    return all(a.dtype == b.dtype and a.tolist() == b.tolist() for a, b in zip(one, other, strict=True))


def worked(made: Any, at_a_time: int) -> Any:
    """To the end, in slices."""
    while made.work(at_a_time):
        pass
    return made


@given(problem=problems(most=30), least=st.integers(1, 9), slices=st.integers(1, 40))
def test_halves(kernels: ModuleType, problem: Problem, least: int, slices: int) -> None:
    records = TradeoffRecords.of(problem)
    given_all = records.quasi_ranks, records.counts, lines_of(problem.axes), least
    found, twin = (
        worked(build.MedianPartitioner(*given_all), slices).subspaces() for build in (kernels, numpy_kernels)
    )
    assert same(found, twin)
    assert found[1].sum() == records.total


@given(problem=problems(most=30), least=PARTS, protection=st.sampled_from([0, 0.3, 1]), delta=st.floats(0, 1))
def test_near_seed(kernels: ModuleType, problem: Problem, least: int, protection: float, delta: float) -> None:
    records = TradeoffRecords.of(problem)
    halves = worked(
        numpy_kernels.MedianPartitioner(records.quasi_ranks, records.counts, lines_of(problem.axes), least), 100
    )
    given_all = weighted(records, protection), records.quasi, records.ranks, halves.subspaces(), limit(delta)
    for slices in (1, 1000):
        found, twin = (worked(build.NearSeed(*given_all), slices).clusters() for build in (kernels, numpy_kernels))
        assert same(found, twin)
        assert found[1].sum() == records.total


def rated_by(build: ModuleType, records: TradeoffRecords, model: Any) -> Rated:
    """Judged columns for one build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("incrowd.searches._tradeoff.contributing.Contributing", build.Contributing)
        return Rated.of(records, model.models[1:], 4 * records.total, UNITS)


@settings(max_examples=60)
@given(
    problem=problems(most=16, models=MODELS),
    least=PARTS,
    most=st.sampled_from([0.1, 0.4, 1]),
    slices=st.integers(1, 99),
)
def test_near_cluster(kernels: ModuleType, problem: Problem, least: int, most: float, slices: int) -> None:
    records = TradeoffRecords.of(problem)
    scale = tuple(part[: records.quasi] for part in records.shares[:4]) + records.shares[4:]
    halves = worked(
        numpy_kernels.MedianPartitioner(records.quasi_ranks, records.counts, lines_of(problem.axes), least), 100
    )
    found = []
    for build in (kernels, numpy_kernels):
        rated = rated_by(build, records, problem.model)
        grown = build.NearCluster(
            scale,
            rated.values,
            records.quasi_ranks,
            rated.sensitive,
            halves.subspaces(),
            records.k,
            int(most * records.quasi * UNITS),
            rated.limits,
            rated.finest,
        )
        grown.work(slices)
        part = grown.clusters()
        found.append([*part, *worked(grown, slices).clusters()])
    assert same(*found)


@given(problem=problems(most=30), data=st.data(), window=st.integers(1, 12), protection=st.sampled_from([0, 0.4, 1]))
def test_neighbours(kernels: ModuleType, problem: Problem, data: st.DataObject, window: int, protection: float) -> None:
    """Pieces are placed, nearest clusters are asked for, and clusters joined, in any order."""
    records = TradeoffRecords.of(problem)
    n = len(records.counts)
    clusters, left = split(records, data)
    given_all = weighted(records, protection), records.quasi, records.ranks, clusters, len(left), window
    builds = [build.Neighbors(*given_all) for build in (kernels, numpy_kernels)]
    around = np.array(data.draw(st.lists(st.integers(0, n), min_size=len(left), max_size=len(left))), dtype=np.int64)
    found = [np.full(len(left), -1, dtype=np.int64) for _ in builds]
    rising, middle = data.draw(st.booleans()), data.draw(st.integers(0, len(left)))
    for neighbours, of in zip(builds, found, strict=True):
        neighbours.place(left, records.counts[left], around, of, 0, middle, rising)
        neighbours.place(left, records.counts[left], around, of, middle, len(left))
    assert found[0].tolist() == found[1].tolist()
    standing = list(range(len(clusters[2]) - 1))
    while len(standing) > 1:
        cluster = data.draw(st.sampled_from(standing))
        near, twin = (neighbours.nearest(cluster) for neighbours in builds)
        assert near == twin
        for neighbours in builds:
            neighbours.join(cluster, near[0])
        standing.remove(cluster)


def split(records: TradeoffRecords, data: st.DataObject) -> tuple[Any, Any]:
    """Some positions in clusters, the others left over."""
    n = len(records.counts)
    number = np.array(data.draw(st.lists(st.integers(-1, 5), min_size=n, max_size=n)), dtype=np.int64)
    number[0] = 0
    at = np.flatnonzero(number >= 0)
    at = at[np.argsort(number[at], kind="stable")]
    sizes = np.bincount(np.unique(number[at], return_inverse=True)[1].reshape(-1))
    starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return (at, records.counts[at], starts), np.flatnonzero(number < 0)


@settings(max_examples=60)
@given(
    problem=problems(most=16, models=MODELS), data=st.data(), window=st.integers(1, 8), most=st.sampled_from([0.3, 1])
)
def test_neighbours_within_limits(
    kernels: ModuleType, problem: Problem, data: st.DataObject, window: int, most: float
) -> None:
    records = TradeoffRecords.of(problem)
    scale = tuple(part[: records.quasi] for part in records.shares[:4]) + records.shares[4:]
    clusters, left = split(records, data)
    left = np.repeat(left, records.counts[left])
    found = []
    for build in (kernels, numpy_kernels):
        rated = rated_by(build, records, problem.model)
        neighbours = build.Neighbors(
            scale,
            records.quasi,
            records.quasi_ranks,
            clusters,
            len(left),
            window,
            rated.values,
            rated.sensitive,
            int(most * records.quasi * UNITS),
            rated.limits,
            rated.finest,
            20,
        )
        of = np.full(len(left), -1, dtype=np.int64)
        neighbours.place(left, np.ones(len(left), dtype=np.int64), left * 0, of, 0, len(left))
        found.append(of)
        if len(clusters[2]) > 2:
            with pytest.raises(ValueError, match="clusters with limits are not joined"):
                neighbours.join(0, 1)
        with pytest.raises(ValueError, match="clusters with limits are compared by what they have"):
            neighbours.place(left, left, left, of, 0, 0, True)
    assert found[0].tolist() == found[1].tolist()


def test_sets_with_more_values_than_bits(kernels: ModuleType) -> None:
    """Two ranks that share a bit are still two values."""
    width = 200
    table = np.maximum(np.arange(width + 2) - 1, 0)
    scale = (
        np.array([2], dtype=np.int32),
        np.array([width], dtype=np.int64),
        np.array([1000], dtype=np.int64),
        np.array([0], dtype=np.int64),
        table.astype(np.int64),
    )
    ranks = np.array([[1, 65, 129, 2, 66, 1]], dtype=np.int32)
    clusters = (np.array([0, 1, 3, 4]), np.ones(4, dtype=np.int64), np.array([0, 2, 4]))
    for build in (kernels, numpy_kernels):
        neighbours = build.Neighbors(scale, 1, ranks, clusters, 2, 8)
        found = np.full(2, -1, dtype=np.int64)
        neighbours.place(np.array([2, 5]), np.ones(2, dtype=np.int64), np.zeros(2, dtype=np.int64), found, 0, 2)
        assert found.tolist() == [0, 0]
        assert neighbours.nearest(1) == (0, 4)


def test_lengths_that_differ(kernels: ModuleType) -> None:
    for build in (kernels, numpy_kernels):
        scale = tuple(np.zeros(1, dtype=np.int64 if at else np.int32) for at in range(5))
        ranks, none = np.zeros((2, 1), dtype=np.int32), np.zeros(0, dtype=np.int64)
        pieces = (np.zeros(1, dtype=np.int64), none, np.array([0, 1]))
        lines = (np.zeros(1, dtype=np.int32), none, np.zeros(0), np.zeros(0))
        with pytest.raises(ValueError, match="MedianPartitioner: lengths differ"):
            build.MedianPartitioner(ranks, np.ones(1, dtype=np.int64), lines, 1)
        with pytest.raises(ValueError, match="NearSeed: lengths differ"):
            build.NearSeed(scale, 1, ranks, pieces, 0)
        with pytest.raises(ValueError, match="Scale: lengths differ"):
            build.NearSeed((scale[0], none, *scale[2:]), 1, ranks, pieces, 0)
        with pytest.raises(ValueError, match="Neighbors: lengths differ"):
            build.Neighbors(scale, 1, ranks, pieces, 0, 1)
        values = build.Contributing(scale, np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64))
        with pytest.raises(ValueError, match="NearCluster: lengths differ"):
            build.NearCluster(scale, values, ranks, ranks, pieces, 1, 0, np.zeros(1), 1.0)
        fit = (np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64), np.array([0, 1]))
        neighbours = build.Neighbors(scale, 1, ranks[:1], fit, 0, 1)
        with pytest.raises(ValueError, match="place: lengths differ"):
            neighbours.place(none, none, none, none, 0, 1)
        with pytest.raises(ValueError, match="nearest: no such cluster"):
            neighbours.nearest(1)
        with pytest.raises(ValueError, match="join: no such clusters"):
            neighbours.join(0, 0)


def test_nothing_at_all(kernels: ModuleType) -> None:
    none, ranks = np.zeros(0, dtype=np.int64), np.zeros((1, 0), dtype=np.int32)
    scale = tuple(np.zeros(1, dtype=np.int64 if at else np.int32) for at in range(5))
    for build in (kernels, numpy_kernels):
        halves = build.MedianPartitioner(ranks, none, (np.zeros(1, dtype=np.int32), none, np.zeros(0), np.zeros(1)), 1)
        assert not halves.work(1)
        assert [part.tolist() for part in halves.subspaces()] == [[], [], [0]]
        made = build.NearSeed(scale, 1, ranks, (none, none, np.array([0, 0])), 0)
        assert not made.work(1)
        assert [part.tolist() for part in made.clusters()] == [[], [], [0], []]
