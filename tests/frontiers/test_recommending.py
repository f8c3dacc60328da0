"""What is recommended, and the words for it, on fronts made by hand."""

from dataclasses import replace

from frontiers.fronts import frontier, run
from incrowd.frontiers import Risk
from incrowd.text import percent


def test_a_knee() -> None:
    found = frontier(run(2, 0.1), run(5, 0.12), run(10, 0.15, "mondrian"), run(20, 0.35), run(40, 0.6))
    assert [each.k for each in found.front] == [2, 5, 10, 20, 40]
    assert found.has_knee
    assert found.recommended is found.runs[2]
    assert found.why == (
        "k = 10 with mondrian: half the highest risk of k = 5 with optimal for 3.0 points more loss; "
        "beyond it each further halving of the highest risk costs 20.0 points."
    )


def test_dominated_runs_are_not_on_the_front() -> None:
    found = frontier(run(2, 0.1, "mondrian"), run(2, 0.2), run(5, 0.15, "mondrian"), run(5, 0.3), run(10, 0.4))
    assert [(each.search, each.k) for each in found.front] == [("mondrian", 2), ("mondrian", 5), ("optimal", 10)]
    assert found.recommended is found.runs[2]


def test_one_point() -> None:
    found = frontier(run(5, 0.2, reached=10), run(2, 0.3))
    assert found.recommended is found.runs[0]
    assert found.why == (
        "k = 5 with optimal: the only Pareto-optimal release. None has less loss or a lower highest risk."
    )


def test_one_point_of_which_nothing_is_left() -> None:
    found = frontier(run(5, 1.0, reached=1000))
    assert found.why.endswith(" Its quasi-identifiers carry no information.")


def test_of_equal_releases_the_strongest_promise() -> None:
    found = frontier(run(2, 0.3, reached=10), run(5, 0.3, "mondrian", reached=10), run(5, 0.3, reached=10))
    assert found.front == found.distinct == (found.runs[2],)
    assert found.recommended is found.runs[2]
    assert [found.same_as(each) for each in found.runs] == [found.runs[2], found.runs[2], None]
    stopped = replace(found.runs[2], release=replace(found.runs[2].release, stopped="time"))  # type: ignore[type-var]
    again = frontier(found.runs[0], found.runs[1], stopped)
    assert again.recommended is found.runs[1]


def test_releases_of_equal_worth_are_shown_once() -> None:
    found = frontier(
        run(2, 0.3, reached=10), run(5, 0.3, "mondrian", reached=10), run(5, 0.3, reached=10), run(20, 0.6)
    )
    plain = found.to_dict()
    assert [each["same_as"] for each in plain["runs"]] == [2, 2, None, None]
    assert plain["front"] == [2, 3]
    assert [row["same_as"] for row in found.to_rows()] == [2, 2, None, None]
    listed = str(found).partition("Releases of equal")[0]
    rows = [line.split()[:3] for line in listed.splitlines() if line.startswith(("* ", "> "))]
    assert sorted(row[1:] for row in rows if row[1] != "Pareto-optimal:" and row[1] != "recommended.") == [
        ["optimal", "20"],
        ["optimal", "5"],
    ]
    assert "  k = 5 with optimal = k = 5 with mondrian; k = 2 with optimal" in str(found)
    # Another average risk is another worth.
    average = replace(found.runs[0], release=replace(found.runs[0].release, average_risk=0.02))  # type: ignore[type-var]
    assert len(frontier(average, *found.runs[1:]).distinct) == 3


def test_what_would_help_if_nothing_is_found() -> None:
    late = replace(run(2, 0.3), release=None, reason="timed out without finding a release")
    assert "raise the time limit" in frontier(late).why
    assert "lower k" in frontier(late, replace(late, reason="no release within the limits")).why
    assert "no records" in replace(frontier(late), records=0).why


def test_two_points() -> None:
    found = frontier(run(2, 0.1), run(10, 0.19))
    assert found.recommended is found.runs[1]
    assert found.why == (
        "k = 10 with optimal: two Pareto-optimal releases are too few for a knee. It loses least for its risk: "
        "a fifth of the highest risk of k = 2 with optimal for 9.0 points more loss."
    )


def test_two_points_of_which_the_safer_one_says_nothing() -> None:
    found = frontier(run(2, 0.1), run(10, 0.99))
    assert found.recommended is found.runs[0]
    assert found.why.endswith("k = 10 with optimal would have a fifth of the highest risk, for 89.0 points more loss.")


def test_no_knee() -> None:
    found = frontier(run(10, 0.0), run(11, 0.45), run(100, 0.5))
    assert not found.has_knee
    assert found.recommended is found.runs[2]
    assert found.why == (
        "k = 100 with optimal: the front has no knee. It loses least for its risk: "
        f"{percent(0.11)} of the highest risk of k = 11 with optimal for 5.0 points more loss."
    )


def test_nothing() -> None:
    without = replace(run(5, 0.2), release=None, reason="k is larger than the table (3 records)")
    found = frontier(without)
    assert (found.front, found.recommended, found.command) == ((), None, None)
    assert found.why.startswith("No release was found: ")
    assert "k is larger than the table (3 records)" in str(found)
    assert "worth having:" not in str(found)


def test_the_average_risk() -> None:
    # k = 5 has many classes of 5, k = 4 few large ones and one of 4.
    large = replace(run(4, 0.2), release=replace(run(4, 0.2).release, classes=10, average_risk=0.01))  # type: ignore[type-var]
    assert frontier(large, run(5, 0.2)).recommended is not large
    assert frontier(large, run(5, 0.2), risk=Risk.AVERAGE).recommended is large


def test_runs_that_differ_in_what_may_go_say_so() -> None:
    found = frontier(run(2, 0.1), run(2, 0.2, reached=3), run(10, 0.2, suppress=20), run(20, 0.5))
    assert found.recommended is found.runs[2]
    assert (
        "k = 10 with optimal and suppress 20: a fifth of the highest risk of k = 2 with optimal and suppress 0"
        in found.why
    )
    assert " limit " in str(found)


def test_a_tiny_difference() -> None:
    found = frontier(run(2, 0.1), run(10, 0.1001), run(11, 0.9))
    assert "for less than 0.1 points more loss" in found.why
