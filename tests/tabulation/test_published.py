"""Whole tables, from records to what may be published."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.errors import Infeasible, Interrupted, UsageError
from incrowd.tables import TableOptions, publish, run
from incrowd.watch import Watch
from tabulation.tables_by_hand import beneficiaries, children

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"
PROTECTIONS = ["suppression", "suppression:search=heuristic", "suppression:zeros=hide", "random_rounding:base=5"]
PROTECTIONS += ["controlled_rounding:base=5", "confidentiality_edit:share=0.2", "sampling:share=0.5"]
FEW = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["d", "e", None])), max_size=14)


def frame(rows: list[tuple[object, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [(), ()]
    return pa.table({"x": pa.array(columns[0], pa.string()), "y": pa.array(columns[1], pa.string())})


@pytest.mark.parametrize("protect", PROTECTIONS)
@settings(max_examples=12, deadline=None)
@given(rows=FEW)
def test_what_is_published_gives_no_sensitive_cell_away(protect: str, rows: list[tuple[object, ...]]) -> None:
    try:
        found = incrowd.table(frame(rows), ["x", "y"], protect=protect, seed=1)
    except Infeasible:
        # Chance alone cannot protect every table; a suppression can.
        assert not protect.startswith("suppression")
        return
    ranges = found.private["ranges"]
    assert len([each for each in ranges if each["sensitive"]]) == found.private["sensitive"]
    for each in ranges:
        assert each["low"] <= each["value"] <= each["high"]
        # Where a cell is known to hold at least something, its range may begin there.
        assert not each["sensitive"] or each["high"] > each["value"] or each["low"] < each["value"]


def test_suppressed_cells_are_not_told_apart() -> None:
    found = incrowd.table(beneficiaries(), ["county", "benefit"])
    assert found.suppressed == found.private["primary"] + found.private["secondary"] > found.private["primary"]
    assert {row[-1] for row in found.rows() if not isinstance(row[-1], int)} == {"x"}
    public = json.dumps(found.to_dict()) + found.to_json() + str(found) + repr(found)
    for word in ("primary", "secondary", 'sensitive"', "seed", "ranges"):
        assert word not in public
    assert found.to_dict(private=True)["private"]["secondary"] == found.private["secondary"]
    assert found.private["optimal"] is True


def test_a_table_of_sums_is_protected_by_p_percent() -> None:
    found = incrowd.table(children(), "education", "sum:salary", rules=["dominance:n=1,k=45"])
    assert found.private["rules"] == ["dominance:n=1,k=45"]
    assert found.private["sensitive"] == 2
    assert found.columns == ("education", "sum_salary")
    usual = incrowd.table(children(), ["race", "education"], "sum:salary")
    assert usual.private["rules"] == ["threshold", "p_percent"]


def test_subtotals_are_protected_with_their_parts() -> None:
    rows = {"21": ("20s", "*"), "25": ("20s", "*"), "31": ("30s", "*"), "38": ("30s", "*")}
    ages = ["21"] * 1 + ["25"] * 9 + ["31"] * 8 + ["38"] * 7
    hierarchy = incrowd_hierarchy(rows)
    found = incrowd.table(pa.table({"age": ages}), "age", hierarchies={"age": hierarchy})
    hidden = {row[0] for row in found.rows() if row[-1] == "x"}
    # With its subtotal known, one of two parts tells the other.
    assert "21" in hidden
    assert len(hidden) >= 2
    assert found.labels == (("21", "25", "31", "38", "20s", "30s", "Total"),)


def incrowd_hierarchy(rows: dict[str, tuple[str, ...]]) -> object:
    from incrowd.core.hierarchy import Hierarchy

    return Hierarchy.from_rows([(value, *labels) for value, labels in rows.items()])


def test_empty_tables_one_record_and_nothing_but_zeros() -> None:
    empty = incrowd.table(frame([]), ["x", "y"])
    assert list(empty.rows()) == [("Total", "Total", 0)]
    one = incrowd.table(frame([("a", "d")]), ["x", "y"])
    assert one.suppressed == len(one.values) == 4
    assert str(one)
    zeros = incrowd.table(pa.table({"x": ["a"] * 4 + ["b"] * 4, "n": [0] * 8}), "x", "sum:n")
    assert [row[-1] for row in zeros.rows()] == [0, 0, 0]


def test_empty_cells_can_be_sensitive_and_can_be_hidden() -> None:
    rows = [("a", "d")] * 5 + [("b", "d")] * 5 + [("b", "e")] * 5 + [("c", "d")] * 6 + [("c", "e")] * 6
    kept = incrowd.table(frame(rows), ["x", "y"])
    assert kept.suppressed == 0
    hidden = incrowd.table(frame(rows), ["x", "y"], rules="threshold:n=3,zeros=sensitive")
    assert ("a", "e", "x") in list(hidden.rows())


def test_labels_in_any_script_and_formulas() -> None:
    found = incrowd.table(frame([("=1+1", "ñandú")] * 4 + [("日本", "e\x1b[31m")] * 4), ["x", "y"])
    assert any("run as a formula" in note for note in found.notes)
    assert "日本" in str(found)
    assert "\x1b" not in str(found)


def test_a_rounding_that_gives_cells_away_is_refused() -> None:
    with pytest.raises(Infeasible, match=r"disclose \d+ of its \d+ sensitive cells.*larger base"):
        incrowd.table(beneficiaries(), ["county", "benefit"], protect="random_rounding:base=1", seed=0)
    with pytest.raises(Infeasible, match="smaller share"):
        incrowd.table(frame([("a", "d")] * 6 + [("b", "e")]), ["x", "y"], protect="sampling:share=0.99")


def test_the_seed_is_drawn_and_private() -> None:
    seeds = {incrowd.table(children(), "race", protect="random_rounding").private["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.parametrize("rule", ["dominance:n=1,k=1", "p_percent:p=10000", "dominance:n=999999999,k=5"])
def test_room_beyond_the_whole_table_is_there_when_all_is_left_out(rule: str) -> None:
    found = incrowd.table(children(), "race", "sum:salary", rules=rule)
    assert found.suppressed == 3
    assert all(each["high"] > 5 * each["value"] for each in found.private["ranges"])


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"by": "race", "measure": "sum:salary", "rules": {"p_percent": {"p": 1e300}}}, "too wide for numbers"),
        ({"by": []}, "names no column"),
        ({"by": ["rase"]}, "did you mean 'race'"),
        ({"by": ["race", "race"]}, "more than once"),
        ({"by": "race", "measure": "sum:race"}, "the table is already by this column"),
        ({"by": "race", "measure": "sum:education"}, "not finite numbers"),
        ({"by": "race", "measure": "sum:wage"}, "no column 'wage'"),
        ({"by": "race", "rules": "p_percent"}, "needs amounts"),
        ({"by": "race", "hierarchies": {"education": None}}, "no column 'education'"),
        ({"by": "race", "seed": -1}, "random seed is -1"),
    ],
)
def test_senseless_tables_are_refused(given: dict[str, object], wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        incrowd.table(children(), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", ["scipy", "highspy"])
def test_without_its_libraries_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(run, "find_spec", lambda name: None if name == missing else object())
    with pytest.raises(UsageError, match=r"incrowd\[table\]"):
        incrowd.table(children(), "race")


def test_when_the_time_is_up_nothing_is_published() -> None:
    asked = TableOptions.of(["county", "benefit"], "count", (), "suppression")
    with Watch(0) as watch, pytest.raises(Interrupted, match="while the frame was being read"):
        publish(incrowd.read(beneficiaries()), asked, watch)


def test_large_tables_are_audited_without_the_range_of_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.tables import safety

    monkeypatch.setattr(safety, "MOST_RANGES", 2)
    asked = TableOptions.of(["county", "benefit"], "count", (), "suppression")
    with Watch() as watch:
        assert publish(incrowd.read(beneficiaries()), asked, watch).private["ranges"] is None


@pytest.mark.parametrize("name", ["table.csv", "table.json", "table.parquet", "table.xlsx"])
def test_a_table_is_written_and_read_again(tmp_path: Path, name: str) -> None:
    found = incrowd.table(str(HOSPITAL), ["sex", "marital_status"], "sum:income")
    path = tmp_path / name
    assert found.save(path) == str(path)
    if name.endswith(".json"):
        assert json.loads(path.read_text("utf-8")) == found.to_dict()
    else:
        again = incrowd.read(str(path)).table(found.columns, Watch()).decode()
        assert again.num_rows == len(found.values)
        assert again.column(2).to_pylist() == [str(row[-1]) for row in found.rows()]
    with pytest.raises(UsageError, match="it already exists"):
        found.save(path)
    found.save(path, replace=True)


def test_frames_and_files_give_the_same_table() -> None:
    from_file = incrowd.table(str(HOSPITAL), ["sex", "marital_status"])
    from_frame = incrowd.table(incrowd.read(str(HOSPITAL)), ["sex", "marital_status"])
    assert from_file.to_dict() == from_frame.to_dict()
    assert sum(np.array(from_file.values[:-1]) == from_file.values[-1]) == 0
