"""Means and shares in percent: computed from protected numbers, and what whoever computes back finds."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from cli.command import Command
from incrowd.errors import Infeasible, UsageError
from incrowd.tables.audit import Knowledge
from incrowd.tables.derived import with_known_counts
from incrowd.tables.protections import Protected
from incrowd.tables.result import PublishedTable
from incrowd.tables.safety import audited
from incrowd.watch import Watch
from tabulation.tables_by_hand import beneficiaries, made

PAY = [("F", "A", 450), ("F", "A", 300), ("F", "A", 250), ("F", "B", 900), ("F", "C", 500)]
PAY += [("M", letter, pay) for letter in "ABC" for pay in (210, 230, 250)]
PEOPLE = pa.table({name: [row[at] for row in PAY] for at, name in enumerate(("sex", "job", "pay"))})
ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("cde"), st.integers(0, 60)), min_size=1, max_size=16)


def by_cell(table: PublishedTable) -> dict[tuple[object, ...], object]:
    return {row[:-1]: row[-1] for row in table.rows()}


def test_a_mean_is_hidden_where_its_sum_is() -> None:
    """With the counts, which anybody may know, each mean would give the sum back."""
    means, sums = (by_cell(incrowd.table(PEOPLE, ["sex", "job"], f"{kind}:pay")) for kind in ("mean", "sum"))
    assert {cell for cell, value in means.items() if value == "x"} == {c for c, value in sums.items() if value == "x"}
    assert means["F", "B"] == "x"
    counts = {cell: sum(cell[0] in (row[0], "Total") and cell[1] in (row[1], "Total") for row in PAY) for cell in means}
    shown = [cell for cell, value in means.items() if value != "x"]
    assert shown
    assert all(means[cell] == round(sums[cell] / counts[cell], 2) for cell in shown)  # type: ignore[operator]


@settings(max_examples=25, deadline=None)
@given(ROWS, st.sampled_from(["suppression", "random_rounding:base=40", "sampling:share=0.5"]))
def test_means_tell_what_protected_sums_and_counts_tell(rows: list[tuple[str, str, int]], protect: str) -> None:
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate("xyn")})
    found = []
    for kind in ("mean", "sum"):
        try:
            found.append(by_cell(incrowd.table(table, ["x", "y"], f"{kind}:n", protect=protect, seed=1)))
        except Infeasible:
            # Who knows which cells are empty knows more than who does not.
            assert kind == "mean" or not found
            return
    means, sums = found
    for cell, mean in means.items():
        records = sum(cell[0] in (row[0], "Total") and cell[1] in (row[1], "Total") for row in rows)
        if records == 0:
            assert mean == "-"
        elif protect != "sampling:share=0.5":
            expected = sums[cell] if sums[cell] == "x" else round(sums[cell] / records, 2)  # type: ignore[operator]
            assert mean == expected


def test_the_empty_cells_of_a_mean_are_known() -> None:
    """Behind a rounded sum of 0 may be something; not where it is known that nobody is there."""
    rows = [("a", "c", 30)] * 4 + [("a", "d", 2), ("b", "c", 9)]
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate("xyn")})
    cells = made(table, ["x", "y"], "mean:n")
    lower, upper = np.zeros(len(cells), dtype=np.int64), np.full(len(cells), 200)
    found = with_known_counts(cells, Protected(cells.values, np.zeros(len(cells), dtype=bool), Knowledge(lower, upper)))
    empty = cells.counts == 0
    assert empty.any()
    assert (found.known.upper[empty] == 0).all()
    assert (found.known.upper[~empty] == 200).all()
    # The only one of a row in which all others are empty: its total, if that is told, is the cell.
    room = np.zeros(len(cells), dtype=np.int64)
    alone = [cells.labels(at) for at in range(len(cells))].index(("b", "c"))
    room[alone] = 4
    total = [cells.labels(at) for at in range(len(cells))].index(("b", "Total"))
    lower[total] = upper[total] = cells.values[total]
    open_ = Protected(cells.values, np.zeros(len(cells), dtype=bool), Knowledge(lower, upper))
    assert not len(audited(cells, room, open_, False, Watch()).given_away)
    assert audited(cells, room, with_known_counts(cells, open_), False, Watch()).given_away.tolist() == [alone]


def test_shares_of_the_lecture_s_beneficiaries() -> None:
    """Slide 6: a count table holds numbers or percentages of respondents."""
    counts = by_cell(incrowd.table(beneficiaries(), ["county", "benefit"]))
    for measure, whole in {
        "percent": lambda cell: ("Total", "Total"),
        "percent:benefit": lambda cell: (cell[0], "Total"),
        "percent:county": lambda cell: ("Total", cell[1]),
    }.items():
        for cell, share in by_cell(incrowd.table(beneficiaries(), ["county", "benefit"], measure)).items():
            part, base = counts[cell], counts[whole(cell)]
            if "x" in (part, base):
                assert share == "x"
            else:
                assert share == round(100 * part / base, 1)  # type: ignore[operator]


def test_a_share_of_nothing() -> None:
    rows = {"a": ["1"] * 8 + ["2"] * 8, "b": ["u"] * 8 + ["v"] * 8, "c": (["k"] * 4 + ["m"] * 4) * 2}
    found = by_cell(incrowd.table(pa.table(rows), ["a", "b", "c"], "percent:c"))
    assert found["1", "v", "k"] == "-"
    assert found["1", "u", "k"] == 50.0


def test_subtotals_have_shares_of_the_whole(tmp_path: Path) -> None:
    tree = tmp_path / "x.csv"
    tree.write_text("p,pq,*\nq,pq,*\nr,r,*\n", "utf-8")
    table = pa.table({"x": ["p"] * 5 + ["q"] * 5 + ["r"] * 10})
    found = by_cell(incrowd.table(table, "x", "percent", hierarchies={"x": str(tree)}))
    assert found["pq",] == 50.0
    assert found["Total",] == 100.0


def test_the_command_says_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = Command(monkeypatch, capsys)
    path = tmp_path / "people.csv"
    path.write_text("sex,job,pay\n" + "".join(f"{','.join(map(str, row))}\n" for row in PAY), "utf-8")
    done = command("table", path, "--by", "sex", "--measure", "mean:pay", "-o", tmp_path / "mean.csv")
    assert done.code == 0
    assert "the number of records in a cell is assumed public" in done.out
    assert (tmp_path / "mean.csv").read_text("utf-8").splitlines()[0] == "sex,mean_pay"
    shares = command("table", path, "--by", "sex,job", "--measure", "percent:job")
    assert "Shares in percent of the total over job, computed from protected counts." in shares.out


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("mean", "mean:COLUMN"),
        ("mean:", "mean:COLUMN"),
        ("median:pay", "mean:COLUMN"),
        ("percent:pay", "no column 'pay'"),
        ("mean:sex", "the table is already by this column"),
    ],
)
def test_refused(measure: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        incrowd.table(PEOPLE, ["sex", "job"], measure)
