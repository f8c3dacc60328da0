"""Cuts through the trees of columns: all of them are reached, and each is judged as the definitions say."""

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.height import Height
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import Problem
from incrowd.searches._subtrees.cuts import Cuts
from incrowd.searches._subtrees.trees import ROOT, Cut, HierarchyTrees
from searches.problems import problem
from searches.subtrees import ByHand, cuts_of_columns, number_of_cuts, tree_problems

TOWNS = Hierarchy.from_rows(
    [
        ("Graz", "Steiermark", "süd", "*"),
        ("Leoben", "Steiermark", "süd", "*"),
        ("Linz", "Oberösterreich", "nord", "*"),
        ("Wels", "Oberösterreich", "nord", "*"),
        ("Wien", "Wien", "nord", "*"),
    ]
)


def reached(trees: HierarchyTrees) -> list[Cut]:
    """All cuts that single steps of specialization lead to, each once."""
    found = {trees.highest.tobytes(): trees.highest}
    open_ends = [trees.highest]
    while open_ends:
        cut = open_ends.pop()
        for node in trees.shut(cut).tolist():
            further = trees.opened(cut, node)
            if further.tobytes() not in found:
                found[further.tobytes()] = further
                open_ends.append(further)
    return list(found.values())


def count_of(trees: HierarchyTrees) -> int:
    """Through a tree it is the root alone, or one cut through each tree below it."""

    def ways(node: int) -> int:
        below = np.flatnonzero(trees.parents == node).tolist()
        return 1 + prod(map(ways, below)) if below else 1

    return prod(map(ways, np.flatnonzero(trees.parents == ROOT).tolist()))


def as_levels(cuts: Cuts, cut: Cut) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Per column the level of each code that occurs."""
    levels, codes = cuts.trees.levels_of(cut), cuts.lattice.combinations.codes
    return tuple(
        tuple((code, int(levels[begin + code])) for code in sorted(set(row)))
        for begin, row in zip(cuts.trees.begins.tolist(), codes.tolist(), strict=True)
    )


@settings(max_examples=25)
@given(tree_problems())
def test_steps_lead_to_every_cut_and_to_nothing_else(given_problem: Problem) -> None:
    cuts = Cuts(given_problem)
    found = reached(cuts.trees)
    assert count_of(cuts.trees) == len(found) == number_of_cuts(given_problem)
    expected = [[tuple(sorted(cut.items())) for cut in column] for column in cuts_of_columns(given_problem)]
    by_level = {as_levels(cuts, cut) for cut in found}
    assert len(by_level) == len(found)
    assert all(cut in column for levels in by_level for cut, column in zip(levels, expected, strict=True))


@settings(max_examples=25)
@given(tree_problems(), st.data())
def test_to_generalize_undoes_a_specialization(given_problem: Problem, data: st.DataObject) -> None:
    trees = Cuts(given_problem).trees
    cut = data.draw(st.sampled_from(reached(trees)))
    for node in trees.shut(cut).tolist():
        assert np.array_equal(trees.closed(trees.opened(cut, node), node), cut)
    for node in trees.lowest_open(cut).tolist():
        above = trees.closed(cut, node)
        assert np.array_equal(trees.opened(above, node), cut)
    # Without steps down there is none up, and without any the cut is the highest.
    assert bool(len(trees.lowest_open(cut))) == bool(cut.any())


@settings(max_examples=25)
@given(tree_problems(), st.data())
def test_any_genes_make_a_cut(given_problem: Problem, data: st.DataObject) -> None:
    trees = Cuts(given_problem).trees
    genes = np.array([data.draw(st.booleans()) for _ in range(len(trees))] + [False], dtype=np.bool_)
    genes[:-1] &= trees.inner
    cut = trees.repaired(genes)
    assert cut.tobytes() in {each.tobytes() for each in reached(trees)}
    assert np.array_equal(trees.levels_of(cut), trees.levels_of(genes))


@settings(max_examples=40)
@given(tree_problems(most=60))
def test_each_cut_is_judged_as_the_definitions_say(given_problem: Problem) -> None:
    cuts = Cuts(given_problem)
    expected = {
        tuple(tuple(sorted(cut.items())) for cut in chosen): node for chosen, node in ByHand(given_problem).every_cut()
    }
    for cut in reached(cuts.trees):
        node, found = expected[as_levels(cuts, cut)], cuts.judge(cut)
        assert (found.suppressed, found.smallest, found.feasible) == (node.suppressed, node.smallest, node.feasible)
        if node.feasible:
            assert found.score == pytest.approx(node.score, rel=1e-8, abs=1e-9)
        own = cuts.own_levels(cut)
        assert int(cuts.lattice.combinations.counts[(own == SUPPRESSED).all(axis=0)].sum()) == node.suppressed


@settings(max_examples=25)
@given(tree_problems(most=60))
def test_what_is_not_feasible_stays_so_where_that_is_claimed(given_problem: Problem) -> None:
    cuts = Cuts(given_problem)
    for cut in reached(cuts.trees) if cuts.keeps_feasible else ():
        if not cuts.judge(cut).feasible:
            for node in cuts.trees.shut(cut).tolist():
                assert not cuts.judge(cuts.trees.opened(cut, node)).feasible


def test_cuts_of_a_tree() -> None:
    """Of a tree it is one cut more than of its branches together: Steiermark 2, süd 3; Oberösterreich and Wien 2 and 2,
    nord 5; all 16."""
    rows = [{"town": town} for town in ("Graz", "Leoben", "Linz", "Wels", "Wien")]
    trees = Cuts(problem(rows, {"town": TOWNS}, KAnonymity(1))).trees
    assert count_of(trees) == 1 + (1 + 2) * (1 + 2 * 2)
    # Without the top there are two trees, and above the towns two or three branches.
    below = Cuts(problem(rows, {"town": TOWNS}, KAnonymity(1), minimum=(1,), limit=(2,))).trees
    assert count_of(below) == (1 + 1) * (1 + 1)
    assert len(below) == 2 + 3
    two = Cuts(problem([{**row, "other": "Graz"} for row in rows], {"town": TOWNS, "other": TOWNS}, KAnonymity(1)))
    assert count_of(two.trees) == prod([16, 4])


def test_a_cut_is_a_full_domain_recoding_where_all_levels_are_equal() -> None:
    rows = [{"town": town} for town in ("Graz", "Leoben", "Linz", "Wels", "Wien", "Wien", "Wels")]
    cuts = Cuts(problem(rows, {"town": TOWNS}, KAnonymity(2), budget=3))
    for level, suppressed in enumerate((3, 0, 0, 0)):
        found = cuts.judge(cuts.trees.at_levels((level,)))
        node = cuts.lattice.count((level,))
        assert (found.suppressed, found.smallest) == (node.suppressed, node.smallest)
        assert found.suppressed == suppressed
        assert found.score == pytest.approx(node.score)


def test_nodes_that_look_alike_are_one_class() -> None:
    """'other' is a branch of two trees on two levels: whoever sees a cell cannot tell which."""
    ladder = Hierarchy.from_rows(
        [("a", "other", "x", "*"), ("b", "b", "other", "*"), ("c", "c", "other", "*"), ("d", "other", "x", "*")]
    )
    rows = [{"v": value} for value in "abcd"]
    cuts = Cuts(problem(rows, {"v": ladder}, KAnonymity(4)))
    assert not cuts.keeps_feasible
    root = 0
    opened = cuts.trees.opened(cuts.trees.highest, root)
    x = next(node for node in cuts.trees.shut(opened).tolist() if cuts.trees.ends[node] == node + 4)
    # x and other are two classes of two, and other and other are one of four.
    assert not cuts.judge(opened).feasible
    assert cuts.judge(cuts.trees.opened(opened, x)).smallest == 4


@pytest.mark.parametrize("metric", [Loss(), Height()])
def test_many_columns_need_several_words(metric: Loss | Height) -> None:
    random = np.random.default_rng(1)
    ladder = Hierarchy.from_rows([(f"v{at}", f"{at // 4}", "*") for at in range(16)])
    rows = [{f"c{at}": f"v{random.integers(16)}" for at in range(20)} for _ in range(30)]
    given_problem = problem(rows, {f"c{at}": ladder for at in range(20)}, KAnonymity(2), metric, budget=30)
    cuts = Cuts(given_problem)
    for levels in ((0,) * 20, (2,) * 20, (0, 1) * 10, (2,) * 19 + (1,), (1,) + (2,) * 19):
        found, node = cuts.judge(cuts.trees.at_levels(levels)), cuts.lattice.count(levels)
        assert (found.suppressed, found.smallest) == (node.suppressed, node.smallest)
        if node.classes:
            assert found.score == pytest.approx(node.score, rel=1e-8)


class Everybody(KAnonymity):
    """A model that suppressing records does not mend."""

    suppressible = False


def test_a_model_that_suppression_does_not_mend() -> None:
    rows = [{"town": town} for town in ("Graz", "Graz", "Linz")]
    cuts = Cuts(problem(rows, {"town": TOWNS}, Everybody(2), budget=3))
    alone = cuts.judge(cuts.trees.at_levels((0,)))
    assert (alone.suppressed, alone.feasible, alone.score) == (1, False, float("inf"))
    assert cuts.judge(cuts.trees.highest).feasible
