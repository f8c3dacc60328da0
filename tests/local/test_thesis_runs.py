"""Whole runs of the thesis' two methods: files and frames, verification, what is refused and what cannot be."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.errors import Infeasible, UsageError
from local.test_runs import ROWS, job

SAFE = ["k_anonymity:k=4", "range_diversity:p=0.5,column=disease"]


@pytest.mark.parametrize(
    ("search", "models"),
    [
        ("tradeoff", ["k_anonymity:k=4"]),
        ("tradeoff:protection=1,delta=0.6,s=10", ["k_anonymity:k=4", "distinct_l:l=2,column=disease"]),
        ("tradeoff:leftovers=suppress", ["k_anonymity:k=4"]),
        ("guaranteed:utility=0.6", SAFE),
        ("guaranteed:utility=0.55,s=8", SAFE),
    ],
)
def test_a_release_is_verified(tmp_path: Path, search: str, models: list[str]) -> None:
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    output = tmp_path / "release.csv"
    given = job(data=str(tmp_path / "rows.csv"), output=str(output), search=search, models=models, suppress=0.8)
    release = incrowd.anonymize(None, given)
    found = release.to_dict()
    assert found["verdict"] == "holds"
    assert found["search"] == search.partition(":")[0]
    assert incrowd.verify(output, record=release.record_file).holds


@pytest.mark.parametrize("search", ["tradeoff", "guaranteed:utility=0.6"])
def test_every_order_of_the_rows_gives_the_same_release(search: str) -> None:
    given = job(search=search, models=SAFE, suppress=0.5)
    forwards = incrowd.anonymize(pd.DataFrame(ROWS), given).frame.drop(columns="note")
    backwards = incrowd.anonymize(pd.DataFrame(ROWS[::-1]), given).frame.drop(columns="note")
    columns = list(forwards.columns)
    one, other = (frame.sort_values(columns, ignore_index=True) for frame in (forwards, backwards))
    pd.testing.assert_frame_equal(one, other)


def test_what_a_group_may_span_holds() -> None:
    release = incrowd.anonymize(pd.DataFrame(ROWS), job(search="guaranteed:utility=0.4", models=SAFE, suppress=0.9))
    for cells in release.frame[["age"]].drop_duplicates()["age"]:
        low, _, high = str(cells).partition("-")
        # One of four columns, of which the others span nothing at least.
        assert (int(high or low) - int(low)) / 100 <= 4 * 0.4 + 1e-9


def test_limits_that_leave_too_few() -> None:
    with pytest.raises(Infeasible, match=r"0 records may be suppressed, 60 must be"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(search="guaranteed:utility=0", models=SAFE))


def test_without_range_diversity() -> None:
    with pytest.raises(UsageError, match="no model limits what a class discloses; add a range_diversity"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(search="guaranteed:utility=0.5"))


@pytest.mark.parametrize("search", ["guaranteed", "guaranteed:utility=2", "tradeoff:delta=2", "tradeoff:weight=1"])
def test_options_are_checked_with_the_job(search: str) -> None:
    with pytest.raises(UsageError, match="search"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(search=search, models=SAFE))


def test_range_diversity_in_a_local_and_in_a_full_domain_release() -> None:
    columns: dict[str, Any] = {
        "size": {"role": "quasi"},
        "mark": {"role": "quasi"},
        "age": {"role": "sensitive", "hierarchy": "intervals:widths=10"},
    }
    for search in ("optimal", "mondrian", "tradeoff"):
        for model in ("ranges=20..29/40..49", "level=1", "policy=20=20..29/27=20..30"):
            given = {
                "columns": columns,
                "models": ["k_anonymity:k=3", f"range_diversity:p=0.6,column=age,{model}"],
                "search": search,
                "suppress": 0.2,
            }
            assert incrowd.anonymize(pd.DataFrame(ROWS), given).to_dict()["verdict"] == "holds"
