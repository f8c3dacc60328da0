"""The kernels of clustering: compiled, checked and plain ones give the same answers, however the work is sliced."""

from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.core.kernels import numpy_kernels
from test_kernels import kernels, load  # noqa: F401  (a fixture)

FULL = 1000


def no_needs(items: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Clusters need nothing but records."""
    return np.empty((0, items), dtype=np.int32), np.empty(0, dtype=np.int64)


class Given(NamedTuple):
    """Records, and how their columns are measured."""

    measure: tuple[NDArray[Any], ...]
    ranks: NDArray[np.int32]
    counts: NDArray[np.int64]
    judged: NDArray[np.int32]
    least: NDArray[np.int64]

    def enough(self, members: dict[int, int]) -> bool:
        """Whether a cluster, by its items and their records, has the values that it needs."""
        return all(
            len({code for code in row[[*members]].tolist() if code >= 0})
            + sum(count for at, count in members.items() if row[at] < 0)
            >= least
            for row, least in zip(self.judged, self.least.tolist(), strict=True)
        )

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.ranks)


def part(kind: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """A column's part of the table."""
    if kind == 0:
        return np.append(0, np.sort(rng.integers(0, FULL + 1, size - 1)))
    if kind == 2:
        return np.minimum(np.maximum(np.arange(size + 1) - 1, 0) * (FULL // max(1, size - 2)), FULL)
    rows = [np.append(rng.integers(1, FULL + 1, size - 1), 0)]
    while 1 << len(rows) <= size:
        jump = 1 << (len(rows) - 1)
        rows.append(np.maximum(rows[-1], np.append(rows[-1][jump:], np.zeros(jump, dtype=np.int64))))
    return np.concatenate(rows)


@st.composite
def given_records(draw: st.DrawFn) -> Given:
    """Up to four columns of any kind."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.integers(0, 2), min_size=1, max_size=4))
    sizes = [draw(st.sampled_from([1, 2, 3, 5, 9, 40])) for _ in kinds]
    parts = [part(kind, size, rng) for kind, size in zip(kinds, sizes, strict=True)]
    n = draw(st.integers(0, 30))
    ranks = np.array([rng.integers(0, size, n) for size in sizes], dtype=np.int32).reshape(len(sizes), n)
    measure = (
        np.array(kinds, dtype=np.int32),
        np.array(sizes, dtype=np.int32),
        np.full(len(kinds), FULL, dtype=np.int32),
        np.append(0, np.cumsum([len(each) for each in parts]))[:-1].astype(np.int64),
        np.concatenate(parts).astype(np.int32),
    )
    needs = draw(st.lists(st.integers(1, 4), max_size=2))
    judged = rng.integers(-1 if draw(st.booleans()) else 0, draw(st.integers(1, 6)), (len(needs), n)).astype(np.int32)
    return Given(measure, ranks, rng.integers(1, 6, n), judged, np.array(needs, dtype=np.int64))


def finished(kernel: Any, work: int) -> Any:
    """A kernel that has done its work, slice by slice."""
    for _ in range(100_000):
        if kernel.run(work):
            return kernel
    raise AssertionError("it never ends")


def as_set(pieces: tuple[NDArray[np.int64], ...]) -> list[tuple[int, int, int]]:
    """Pieces, those of a combination in a cluster added up."""
    found: dict[tuple[int, int], int] = {}
    for at, count, cluster in zip(*(each.tolist() for each in pieces), strict=True):
        found[cluster, at] = found.get((cluster, at), 0) + count
    return sorted((cluster, at, count) for (cluster, at), count in found.items())


@given(data=given_records(), k=st.integers(1, 7), roles=st.data(), work=st.sampled_from([1, 200, 10**9]))
@settings(max_examples=60)
def test_growing(kernels: ModuleType, data: Given, k: int, roles: st.DataObject, work: int) -> None:  # noqa: F811
    drawn = np.array([roles.draw(st.sampled_from([0, 0, 1, 2])) for _ in range(data.columns)], dtype=np.int32)
    last = roles.draw(st.integers(0, max(0, len(data.counts) - 1)))
    told = []
    for module, slices in ((kernels, work), (numpy_kernels, 10**9)):
        grower = finished(
            module.Grower(data.measure, drawn, data.ranks, data.counts, k, last, data.judged, data.least), slices
        )
        cost = grower.settle()
        told.append((cost, as_set(grower.pieces())))
    assert told[0] == told[1]
    clusters = by_cluster(told[0][1])
    assert sum(sum(members.values()) for members in clusters) == data.counts.sum()
    if len(clusters) > 1:
        assert all(sum(members.values()) >= k and data.enough(members) for members in clusters)


def by_cluster(pieces: list[tuple[int, int, int]]) -> list[dict[int, int]]:
    """The items of each cluster, and their records."""
    found: dict[int, dict[int, int]] = {}
    for cluster, at, count in pieces:
        found.setdefault(cluster, {})[at] = count
    return [*found.values()]


def clustered(data: Given, k: int) -> tuple[NDArray[np.int64], ...]:
    """Records in clusters of k or more, in no good order: what is given to the kernel that makes them better."""
    at = np.repeat(np.arange(len(data.counts)), data.counts)
    cluster = np.minimum(np.arange(len(at)) // k, max(0, len(at) // k - 1))
    pieces = as_set((at, np.ones(len(at), dtype=np.int64), cluster))
    found = np.array(pieces, dtype=np.int64).reshape(-1, 3).T
    starts = np.append(np.flatnonzero(np.append(True, np.diff(found[0]) > 0)[: len(found[0])]), len(found[0]))
    return found[1], found[2], starts.astype(np.int64)


@given(
    data=given_records(),
    k=st.integers(1, 7),
    work=st.sampled_from([1, 200, 10**9]),
    room=st.sampled_from([0, 3, 10**6]),
    price=st.sampled_from([100, 1000, 4000]),
)
@settings(max_examples=80)
def test_making_clusters_better(
    kernels: ModuleType,  # noqa: F811
    data: Given,
    k: int,
    work: int,
    room: int,
    price: int,
) -> None:
    pieces = clustered(data, k)
    at = pieces[0]
    starts = pieces[2].tolist()
    enough_before = [
        data.enough(dict(zip(at[one:end].tolist(), pieces[1][one:end].tolist(), strict=True)))
        for one, end in pairwise(starts)
    ]
    told, before = [], 0
    for module, slices in ((kernels, work), (numpy_kernels, 10**9)):
        judged = data.judged[:, at].copy()
        clusters = module.Clusters(data.measure, data.ranks, k, *pieces, judged, data.least, room, price)
        before = clusters.cost()
        finished(clusters, slices)
        out = [each.tolist() for each in clusters.left_out()]
        told.append((clusters.cost(), as_set(clusters.pieces()), out))
    assert told[0] == told[1]
    left_out = sum(told[0][2][1])
    assert left_out <= room
    assert told[0][0] + price * left_out <= before
    made = by_cluster(told[0][1])
    assert sum(sum(members.values()) for members in made) == data.counts.sum() - left_out
    assert all(sum(members.values()) >= min(k, data.counts.sum()) for members in made)
    if all(enough_before):
        assert all(data.enough(members) for members in made)


@given(data=given_records(), k=st.integers(1, 4))
def test_nearest_clusters(kernels: ModuleType, data: Given, k: int) -> None:  # noqa: F811
    position, counts, starts = clustered(data, k)
    if len(starts) < 3:
        return
    which = np.arange(len(starts) - 1)
    one, other = (
        module.Clusters(
            data.measure, data.ranks, k, position, counts, starts, data.judged[:, position].copy(), data.least, 0, 0
        ).nearest(which)
        for module in (kernels, numpy_kernels)
    )
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    # Joined, the two cost as much more as it was said.
    a, b = 0, int(one[0][0])
    pair = [np.arange(starts[each], starts[each + 1]) for each in (a, b)]
    joined = kernels.Clusters(
        data.measure, data.ranks, k, position[np.concatenate(pair)], counts[np.concatenate(pair)],
        np.array([0, len(pair[0]) + len(pair[1])]), *no_needs(len(pair[0]) + len(pair[1])), 0, 0,
    )  # fmt: skip
    assert joined.cost() == one[1][0] + one[2][a] + one[2][b]


def test_a_slice_of_work_ends_within_a_large_cluster(kernels: ModuleType) -> None:  # noqa: F811
    """However many columns and needs there are, a run that is stopped waits for one slice alone."""
    rng, n = np.random.default_rng(7), 120
    parts = [part(0, 40, rng) for _ in range(3)]
    measure = (
        np.zeros(3, dtype=np.int32),
        np.full(3, 40, dtype=np.int32),
        np.full(3, FULL, dtype=np.int32),
        np.arange(3, dtype=np.int64) * 40,
        np.concatenate(parts).astype(np.int32),
    )
    ranks, starts = rng.integers(0, 40, (3, n)).astype(np.int32), np.array([0, n // 2, n])
    # Too small to be cut in two, and so large that a slice ends after each record that may change places.
    clusters = kernels.Clusters(measure, ranks, 40, np.arange(n), np.ones(n, np.int64), starts, *no_needs(n), 0, 0)
    slices = 1
    while not clusters.run(1):
        slices += 1
    assert slices > n


@given(data=given_records(), k=st.integers(1, 7), centres=st.data(), work=st.sampled_from([1, 10**9]))
@settings(max_examples=60)
def test_averaging(kernels: ModuleType, data: Given, k: int, centres: st.DataObject, work: int) -> None:  # noqa: F811
    drawn = [centres.draw(st.sampled_from([1, 2] if kind == 0 else [0])) for kind in data.measure[0]]
    told = []
    for module, slices in ((kernels, work), (numpy_kernels, 10**9)):
        averager = module.Averager(data.measure, np.array(drawn, dtype=np.int32), data.ranks, data.counts, k)
        finished(averager, slices).settle()
        told.append(as_set(averager.pieces()))
    assert told[0] == told[1]


def test_more_records_than_are_looked_at_in_one_go(kernels: ModuleType) -> None:  # noqa: F811
    rng = np.random.default_rng(7)
    parts = [part(kind, size, rng) for kind, size in ((0, 60), (1, 30), (2, 9))]
    measure = (
        np.array([0, 1, 2], dtype=np.int32),
        np.array([60, 30, 9], dtype=np.int32),
        np.full(3, FULL, dtype=np.int32),
        np.append(0, np.cumsum([len(each) for each in parts]))[:-1].astype(np.int64),
        np.concatenate(parts).astype(np.int32),
    )
    ranks = np.array([rng.integers(0, size, 2500) for size in (60, 30, 9)], dtype=np.int32)
    data = Given(measure, ranks, rng.integers(1, 3, 2500), *no_needs(2500))
    told: dict[str, list[Any]] = {}
    for module in (kernels, numpy_kernels):
        grower = finished(
            module.Grower(measure, np.zeros(3, np.int32), ranks, data.counts, 40, 5, *no_needs(2500)), 10**9
        )
        averager = finished(module.Averager(measure, np.array([1, 0, 0], np.int32), ranks, data.counts, 40), 10**9)
        averager.settle()
        told[module.__name__] = [grower.settle(), as_set(grower.pieces()), as_set(averager.pieces())]
    one, other = told.values()
    assert one == other


@pytest.mark.parametrize("name", ["compiled", "checked", "numpy_kernels"])
def test_what_does_not_fit_is_refused(name: str) -> None:
    module = load(name)
    one = np.zeros(1, dtype=np.int32)
    measure = (one, one + 1, one, np.zeros(1, dtype=np.int64), one)
    ranks, counts, needs = np.zeros((1, 3), dtype=np.int32), np.ones(3, dtype=np.int64), no_needs(3)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Grower((one[:0], *measure[1:]), one, ranks, counts, 2, 0, *needs)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Grower(measure, one, ranks, counts[:2], 2, 0, *needs)
    for k, last in ((0, 0), (2, 3), (2, -1)):
        with pytest.raises(ValueError, match="no such"):
            module.Grower(measure, one, ranks, counts, k, last, *needs)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Clusters(measure, ranks, 2, np.arange(3), counts, np.array([0, 2]), *needs, 0, 0)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Clusters(measure, ranks, 2, np.arange(3), counts, np.array([0, 3]), *no_needs(2), 0, 0)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Grower(measure, one, ranks, counts, 2, 0, ranks, np.empty(0, dtype=np.int64))
    with pytest.raises(ValueError, match="no such k"):
        module.Clusters(measure, ranks, 0, np.arange(3), counts, np.array([0, 3]), *needs, 0, 0)
    with pytest.raises(ValueError, match="lengths differ"):
        module.Averager(measure, one, ranks, counts[:2], 2)
    with pytest.raises(ValueError, match="no such k"):
        module.Averager(measure, one, ranks, counts, 0)
