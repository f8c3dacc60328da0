"""Secondary suppressions: the cheapest ones against all choices, and the heuristic against the cheapest."""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incrowd.api import read
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import Infeasible
from incrowd.tables.cells import Cells, tabulate
from incrowd.tables.exact import exact
from incrowd.tables.greedy import greedy, is_safe
from incrowd.tables.measure import Measure
from incrowd.tables.needs import Needs
from incrowd.watch import Watch
from tabulation.tables_by_hand import (
    beneficiaries,
    counted,
    made,
    needs_of,
    safe_choices,
    small,
    tables_near,
    tables_with_total,
)

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult" / "adult-train.csv"


@settings(max_examples=25, deadline=None)
@given(small((2, 2), (2, 3), (3, 2)), st.sampled_from(["cells", "values"]), st.sampled_from(["keep", "hide"]))
def test_the_exact_search_is_as_cheap_as_any_safe_choice(cells: Cells, cost: str, zeros: str) -> None:
    needs = needs_of(cells, zeros=zeros, cost=cost)
    costs = (
        [float(needs.weights[hidden].sum()) for hidden in safe_choices(needs, tables_near(needs))]
        if len(needs.primary)
        else [0.0]
    )
    if not costs:
        with pytest.raises(Infeasible):
            exact(needs)
        return
    chosen = exact(needs)
    assert chosen.proven
    assert is_safe(needs, chosen.hidden)
    # What a cost has beyond a whole number only chooses among equals.
    assert int(needs.weights[chosen.hidden].sum()) == int(min(costs)) == chosen.least


HIERARCHY = dict(zip("0123", "aabb", strict=True))


def with_subtotals(counts: list[int]) -> Cells:
    """A table of four categories in two groups, by two others."""
    rows = [
        (value, other)
        for (value, other), count in zip(product("0123", "xy"), counts, strict=True)
        for _ in range(count)
    ]
    frequencies = read(pa.table({"grouped": [row[0] for row in rows], "plain": [row[1] for row in rows]})).count(
        ["grouped", "plain"], Watch()
    )
    values = frequencies.values[0]
    ladder = Hierarchy.from_rows([(value, above, "*") for value, above in HIERARCHY.items()]).along("grouped", values)
    return tabulate(frequencies, ["grouped", "plain"], Measure(), {"grouped": ladder})


@st.composite
def few_that_may_be_hidden(draw: st.DrawFn) -> Needs:
    """Tables of three columns, or with subtotals: everybody knows the total, and few other cells may be hidden."""
    numbers = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8).filter(lambda found: 2 < sum(found) < 11))
    cells = counted(np.array(numbers).reshape(2, 2, 2)) if draw(st.booleans()) else with_subtotals(numbers)
    needs = needs_of(
        cells, zeros=draw(st.sampled_from(["keep", "hide"])), cost=draw(st.sampled_from(["cells", "values"]))
    )
    others = np.flatnonzero(needs.may_hide & ~needs.sensitive)[:-1]
    chosen = draw(st.permutations(others.tolist()))[:9]
    may_hide = np.zeros(len(cells), dtype=bool)
    may_hide[chosen] = True
    return replace(needs, may_hide=may_hide)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(few_that_may_be_hidden())
def test_the_exact_search_finds_the_cheapest_of_all_choices_in_any_table(needs: Needs) -> None:
    tables = tables_with_total(needs.cells)
    tables = tables[(tables >= needs.floor).all(axis=1)]
    costs = [int(needs.weights[hidden].sum()) for hidden in safe_choices(needs, tables)] if len(needs.primary) else [0]
    if not costs:
        with pytest.raises(Infeasible):
            exact(needs)
        return
    chosen = exact(needs)
    assert chosen.proven
    assert is_safe(needs, chosen.hidden)
    assert int(needs.weights[chosen.hidden].sum()) == min(costs) == chosen.least


@settings(max_examples=10, deadline=None)
@given(small((2, 3), (3, 3), (2, 2, 2), (2, 3, 2)))
def test_the_heuristic_is_safe_and_no_cheaper_than_the_exact_search(cells: Cells) -> None:
    needs = needs_of(cells)
    found, best = greedy(needs), exact(needs)
    assert is_safe(needs, found.hidden)
    assert is_safe(needs, best.hidden)
    assert needs.sensitive[found.hidden].sum() == needs.sensitive.sum()
    assert needs.weights[found.hidden].sum() >= needs.weights[best.hidden].sum() - 1e-6


@settings(max_examples=30, deadline=None)
@given(small((2, 3), (3, 3), (2, 2, 2)))
def test_where_empty_cells_are_kept_a_table_can_always_be_made_safe(cells: Cells) -> None:
    needs = needs_of(cells)
    hidden = greedy(needs).hidden
    assert (cells.values[hidden] > 0).all()


def test_the_lectures_count_table() -> None:
    cells = made(beneficiaries(), ["county", "benefit"])
    needs = needs_of(cells)
    assert [cells.labels(int(cell)) for cell in needs.primary] == [
        ("A", "$0-19"),
        ("A", "$100+"),
        ("D", "$40-59"),
        ("D", "Total"),
        ("Total", "$0-19"),
        ("Total", "$100+"),
    ]
    chosen = exact(needs)
    assert is_safe(needs, chosen.hidden)
    assert not is_safe(needs, needs.sensitive)
    # What county A has more of the lowest benefit, county D has less of the middle one.
    secondary = np.flatnonzero(chosen.hidden & ~needs.sensitive)
    assert [cells.labels(int(cell)) for cell in secondary] == [("A", "Total"), ("Total", "$40-59")]
    assert chosen.hidden.sum() <= greedy(needs).hidden.sum()


def adult(*by: str) -> Cells:
    """A table of the Adult census data."""
    if not ADULT.exists():
        pytest.skip(f"the Adult census table is not at {ADULT}")
    return tabulate(read(str(ADULT)).count(by, Watch()), by, Measure())


@pytest.mark.parametrize("cost", ["cells", "values"])
def test_adult_needs_as_many_suppressions_as_sdctable_finds(cost: str) -> None:
    # sdcTable, protectTable(method = "OPT") with counts of 1 and 2 sensitive: 4 primary, 12 secondary.
    cells = adult("sex", "race", "marital-status")
    assert (len(cells), int((cells.values == 0).sum())) == (144, 10)
    needs = needs_of(cells, cost=cost)
    chosen = exact(needs)
    assert (int(needs.sensitive.sum()), int((chosen.hidden & ~needs.sensitive).sum())) == (4, 12)
    assert is_safe(needs, chosen.hidden)


@pytest.mark.parametrize(
    ("complete", "zeros", "secondary"), [(False, "keep", 12), (True, "keep", 14), (True, "hide", 12)]
)
def test_the_figures_of_adult_in_the_documentation(complete: bool, zeros: str, secondary: int) -> None:
    by = ("sex", "race", "marital-status")
    everyone = adult(*by)
    frame = pd.read_csv(ADULT, skipinitialspace=True, dtype=str)
    cells = made(frame[(frame != "?").all(axis=1)], by) if complete else everyone
    chosen = exact(needs_of(cells, zeros=zeros))
    assert chosen.proven
    assert int(chosen.hidden.sum()) == 4 + secondary
    page = " ".join((Path(__file__).parents[2] / "docs" / "tables.md").read_text("utf-8").split())
    number = f"{int(cells.values[-1]):,} records"
    said = page.partition(number)[2].partition("records")[0].partition("###")[0]
    assert re.search(rf"\b{secondary} with `zeros={zeros}`" if complete else rf"\b{secondary} secondary", said)


def test_the_heuristic_on_adult() -> None:
    needs = needs_of(adult("sex", "race", "marital-status"))
    found = greedy(needs)
    assert is_safe(needs, found.hidden)
    assert 16 <= found.hidden.sum() <= 20


def test_nothing_sensitive_nothing_hidden() -> None:
    needs = needs_of(counted(np.array([[5, 6], [7, 8]])))
    assert not exact(needs).hidden.any()
    assert not greedy(needs).hidden.any()


def test_a_table_that_cannot_be_safe_is_refused() -> None:
    cells = counted(np.array([[1, 6], [7, 8]]))
    nothing = np.zeros(len(cells), dtype=bool)
    needs = Needs(cells, (cells.values == 1).astype(np.int64), nothing, np.zeros_like(cells.values))
    for search in (exact, greedy):
        with pytest.raises(Infeasible, match="no safe table"):
            search(needs)


def test_the_exact_search_ends_when_its_time_is_up() -> None:
    needs = needs_of(counted(np.array([[1, 6], [7, 8]])))
    stopped = exact(needs, seconds=0)
    assert not stopped.proven
    assert is_safe(needs, stopped.hidden)
    assert (stopped.least or 0) <= exact(needs).hidden.sum()
