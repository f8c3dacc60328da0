"""The front against its definition, and knees that can be seen."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from incrowd.frontiers.pareto import Point, front, knee, most_for_its_risk

POINTS = st.lists(st.builds(Point, st.integers(0, 6), st.integers(1, 6)), max_size=12)
"""Few different coordinates, so that ties are frequent."""


def dominates(one: Point, other: Point) -> bool:
    """The definition."""
    return one.loss <= other.loss and one.risk <= other.risk and one != other


@given(POINTS)
def test_the_front_is_what_nothing_dominates(points: Sequence[Point]) -> None:
    expected = {at for at, point in enumerate(points) if not any(dominates(other, point) for other in points)}
    found = front(points)
    assert set(found) == expected
    assert len(found) == len(expected)
    assert [points[at] for at in found] == sorted(points[at] for at in found)


@given(POINTS)
def test_a_knee_is_the_deepest_point_below_the_line(points: Sequence[Point]) -> None:
    steps = sorted({points[at] for at in front(points)})
    at = knee(steps)
    if len(steps) < 3:
        assert at is None
        return
    first, last = steps[0], steps[-1]

    def area(point: Point) -> float:
        """Twice the triangle of a point and the ends, positive below the line: the distance but for a factor."""
        return (first.risk - last.risk) * (last.loss - point.loss) - (point.risk - last.risk) * (last.loss - first.loss)

    areas = [area(point) for point in steps]
    if max(areas) <= 0:
        assert at is None
    else:
        assert at is not None
        assert areas[at] == max(areas)
        # The lower risk, of equal ones.
        assert max(areas) not in areas[at + 1 :]


def test_no_points() -> None:
    assert front([]) == []
    assert knee([]) is None


def test_a_knee_that_can_be_seen() -> None:
    # Risk falls fast up to the third point, then hardly.
    steps = [Point(0.0, 0.5), Point(0.1, 0.3), Point(0.2, 0.1), Point(0.6, 0.08), Point(1.0, 0.05)]
    assert knee(steps) == 2


def test_stretching_an_axis_changes_nothing() -> None:
    steps = [Point(0.0, 0.5), Point(0.1, 0.3), Point(0.2, 0.1), Point(0.6, 0.08), Point(1.0, 0.05)]
    assert knee([Point(7 + 1000 * point.loss, point.risk / 50) for point in steps]) == 2


def test_a_straight_line_and_a_bulge_have_no_knee() -> None:
    assert knee([Point(0.0, 0.3), Point(0.1, 0.2), Point(0.2, 0.1)]) is None
    assert knee([Point(0.0, 0.3), Point(0.15, 0.25), Point(0.2, 0.1)]) is None


def test_most_for_its_risk() -> None:
    # Risk falls to a tenth, detail to nine tenths.
    assert most_for_its_risk([Point(0.1, 0.5), Point(0.19, 0.05)]) == 1
    # Risk falls to a half, detail to a tenth.
    assert most_for_its_risk([Point(0.1, 0.5), Point(0.91, 0.25)]) == 0
    # As much of both: the lower risk.
    assert most_for_its_risk([Point(0.0, 0.5), Point(0.5, 0.25)]) == 1
    assert most_for_its_risk([Point(1.0, 0.5)]) == 0
