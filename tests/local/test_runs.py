"""Whole local runs: files and frames, records that part, missing cells, and what verification catches."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.errors import IncrowdError, Infeasible, JobError, UsageError
from incrowd.release import Manifest, Record
from local.tables import PLACES, SIZES
from verification.releases import with_lists

ROWS = [
    {
        "id": at,
        "age": 20 + (at * 7) % 30,
        "place": PLACES.values[at % 6],
        "size": SIZES[at % 3],
        "mark": "xyz"[at % 3] if at % 11 else None,
        "disease": ("flu", "cold", "gout")[at % 3],
        "note": f"n{at}",
    }
    for at in range(60)
]

GROUPS = {
    "west": {"Rhine": ["Bonn", "Köln"], "Ruhr": ["Essen"]},
    "south": {"Danube": ["Ulm", "Linz"]},
    "north": {"fjord": ["Oslo"]},
}
TREE = {"tree": {"groups": GROUPS}}


def job(**changes: Any) -> dict[str, Any]:
    """A local job over the rows."""
    return {
        "columns": {
            "age": {"role": "quasi", "domain": [0, 100]},
            "place": {"role": "quasi", "hierarchy": TREE},
            "size": {"role": "quasi", "scale": list(SIZES)},
            "mark": {"role": "quasi"},
            "disease": {"role": "sensitive"},
            "note": {"role": "keep"},
        },
        "models": ["k_anonymity:k=4", "distinct_l:l=2,column=disease"],
        "search": "mondrian",
        **changes,
    }


def test_a_frame() -> None:
    """Every column in its usual form."""
    release = incrowd.anonymize(pd.DataFrame(ROWS), job())
    found = release.to_dict()
    assert found["forms"] == {"age": "range", "place": "set_or_ancestor", "size": "range", "mark": "set"}
    assert found["smallest"] >= 4
    assert found["suppressed"] == 0
    assert found["verdict"] == "holds"
    assert len(release.frame) == 60
    assert 0 < found["scores"]["loss"] < 1
    assert "id" not in release.frame
    assert "share of domain per cell" in str(release)


@pytest.mark.parametrize("cuts", ["strict", "relaxed"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file(tmp_path: Path, cuts: str, suffix: str) -> None:
    """Written, read again, verified; the manifest verifies it elsewhere, the record proves that cells cover."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    output = tmp_path / f"release.{suffix}"
    given = job(data=str(tmp_path / "rows.csv"), output=str(output), search={"mondrian": {"cuts": cuts}})
    release = incrowd.anonymize(None, given)
    assert release.manifest_file is not None
    alone = incrowd.verify(output)
    assert alone.holds
    known = incrowd.verify(output, record=release.record_file)
    assert known.holds
    assert {"cells", "covers"} <= {check.name for check in known.checks}
    assert Manifest.read(release.manifest_file).quasi[0].form == "range"


def test_deals_out_equal_records(tmp_path: Path) -> None:
    """Relaxed cuts put equal records into different groups; over many batches and files each goes to one."""
    rows = pd.DataFrame({"age": [30] * 7 + [31] * 5, "note": range(12)})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    given = {
        "columns": {"age": {"role": "quasi"}, "note": {"role": "keep"}},
        "models": ["k_anonymity:k=6"],
        "search": "mondrian:cuts=relaxed",
        "data": str(tmp_path / "rows.csv"),
        "output": str(tmp_path / "release.csv"),
    }
    release = incrowd.anonymize(None, given)
    published = pd.read_csv(tmp_path / "release.csv")
    assert sorted(published["age"].value_counts().to_dict().items()) == [("30", 6), ("30-31", 6)]
    assert sorted(published["note"]) == list(range(12))
    assert release.record.combinations is not None
    assert release.record.combinations.counts.sum() == 12


def test_forms() -> None:
    """Any form that a column can have."""
    columns = job()["columns"]
    columns["age"] = {"role": "quasi", "form": "mean"}
    columns["place"] = {"role": "quasi", "form": "set"}
    columns["size"] = {"role": "quasi", "scale": list(SIZES), "form": "median"}
    columns["mark"] = {"role": "quasi", "form": "mode"}
    release = incrowd.anonymize(pd.DataFrame(ROWS), job(columns=columns))
    assert release.verdict.holds
    assert release.frame["place"].str.startswith("{").any()


def test_basic_nulls(tmp_path: Path) -> None:
    """Records with missing quasi-identifiers are set aside, whole or parted."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    for cuts in ("strict", "relaxed"):
        output = tmp_path / f"{cuts}.csv"
        given = job(data=str(tmp_path / "rows.csv"), output=str(output), nulls="basic", search=f"mondrian:cuts={cuts}")
        release = incrowd.anonymize(None, given)
        assert release.manifest.set_aside == sum(1 for row in ROWS if row["mark"] is None)
        assert incrowd.verify(output, record=release.record_file).holds


def test_missing_cells_as_values() -> None:
    """Extended: a group of missing cells publishes missing, a mixed one everything."""
    rows = [{"a": None if at < 4 else at, "b": at % 2} for at in range(12)]
    release = incrowd.anonymize(
        pd.DataFrame(rows, dtype="Int64"),
        {
            "columns": {"a": {"role": "quasi"}, "b": {"role": "quasi"}},
            "models": ["k_anonymity:k=4"],
            "search": "mondrian",
        },
    )
    assert release.verdict.holds
    assert release.frame["a"].isna().sum() == 4


def planted(tmp_path: Path, change: Any) -> list[str]:
    """The names of the checks that fail after the record was tampered with, the release and its manifest left."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    given = job(data=str(tmp_path / "rows.csv"), output=str(tmp_path / "release.csv"))
    release = incrowd.anonymize(None, given)
    assert release.record_file is not None
    record = with_lists(release.record_file)
    change(record["combinations"])
    release.record_file.write_text(json.dumps(record))
    verdict = incrowd.verify(tmp_path / "release.csv", record=release.record_file)
    return [check.name for check in verdict.checks if check.holds is False]


def wider(of: list[str | None], wrong: str) -> list[str | None]:
    """All generalized labels become another one."""
    return [
        wrong if label is not None and ("-" in label or label in ("west", "south", "Rhine")) else label for label in of
    ]


def test_a_range_too_narrow(tmp_path: Path) -> None:
    """A cell that does not cover what it stands for."""

    def change(combinations: Any) -> None:
        combinations["labels"][0] = wider(combinations["labels"][0], "20-21")

    assert "covers" in planted(tmp_path, change)


def test_a_wrong_ancestor(tmp_path: Path) -> None:
    """A label that is not above the value."""

    def change(combinations: Any) -> None:
        combinations["labels"][1] = wider(combinations["labels"][1], "fjord")

    assert "covers" in planted(tmp_path, change)


def test_counts_that_differ(tmp_path: Path) -> None:
    """One record more than is published."""

    def change(combinations: Any) -> None:
        combinations["counts"][0] += 1

    assert "cells" in planted(tmp_path, change)


def test_a_class_too_small(tmp_path: Path) -> None:
    """k - 1: one line of a release taken away, the manifest's hash forged."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    output = tmp_path / "release.csv"
    release = incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=str(output)))
    frame = pd.read_csv(output, dtype=str, keep_default_na=False)
    sizes = frame.groupby(["age", "place", "size", "mark"]).transform("size")
    frame.drop(index=sizes.idxmin()).to_csv(output, index=False)
    assert release.manifest.smallest == 4
    verdict = incrowd.verify(output)
    assert {"hash", "records"} <= {check.name for check in verdict.checks if check.holds is False}
    assert verdict.smallest == 3
    assert any(check.name.startswith("k_anonymity") for check in verdict.checks if check.holds is False)


def test_no_release() -> None:
    """Fewer than k records: exit 3, nothing written."""
    with pytest.raises(Infeasible, match="mondrian found no release"):
        incrowd.anonymize(pd.DataFrame(ROWS[:3]), job())


def test_empty() -> None:
    """An empty table is published empty, and says so."""
    release = incrowd.anonymize(pd.DataFrame(ROWS[:0], columns=list(ROWS[0])), job())
    assert len(release.frame) == 0
    assert "Nothing is published" in str(release)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"search": "optimal"}, "only local searches use it"),
        ({"metric": "height"}, "a local search minimizes loss"),
        ({"columns": {**job()["columns"], "age": {"role": "quasi", "limit": 1}}}, "local searches do not use levels"),
        ({"columns": {**job()["columns"], "age": {"role": "quasi", "domain": [9, 1]}}}, "lowest number first"),
        ({"columns": {**job()["columns"], "age": {"role": "quasi", "domain": [0, 25]}}}, "lie outside"),
        ({"columns": {**job()["columns"], "size": {"role": "quasi", "scale": ["small"]}}}, "it lacks 2 of"),
        ({"columns": {**job()["columns"], "mark": {"role": "quasi", "form": "mean"}}}, "not all values are numbers"),
        ({"columns": {**job()["columns"], "note": {"role": "keep", "form": "mean"}}}, "only a quasi column"),
        ({"columns": {**job()["columns"], "note": {"role": "keep", "scale": ["a"]}}}, "only a quasi or sensitive"),
    ],
)
def test_faults(change: dict[str, Any], words: str) -> None:
    """What does not fit together is told in one line each."""
    with pytest.raises(JobError, match=words):
        incrowd.anonymize(pd.DataFrame(ROWS), job(**change))


def test_refused() -> None:
    """Wildcards make no groups, and nobody knows which group people of a population would be in."""
    with pytest.raises(UsageError, match="choose nulls: extended or basic"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(nulls="maybe", models=["k_anonymity:k=2"]))


def test_equal_records_in_an_engine(tmp_path: Path) -> None:
    """Records that part are numbered where they are, but not across sources of different kinds: one clear line."""
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame(ROWS).lazy()
    release = incrowd.anonymize(lazy, job())
    assert release.frame.collect().height == 60
    relaxed = job(search="mondrian:cuts=relaxed", models=["k_anonymity:k=3"])
    repeated = incrowd.anonymize(polars.concat([lazy, lazy]), relaxed).frame.collect()
    here = incrowd.anonymize(polars.DataFrame(ROWS * 2), relaxed).frame
    assert repeated.drop("disease", "note").equals(here.drop("disease", "note"))
    with pytest.raises(IncrowdError, match="puts equal records into different classes"):
        incrowd.anonymize(incrowd.read(lazy, polars.DataFrame(ROWS)), {**relaxed, "output": str(tmp_path / "out.csv")})


def test_apply_is_refused(tmp_path: Path) -> None:
    """Groups say nothing about new combinations."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    release = incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=str(tmp_path / "release.csv")))
    assert release.record_file is not None
    assert Record.read(release.record_file).combinations is not None
    with pytest.raises(UsageError, match="run the full job on the new data"):
        incrowd.apply(release.record_file, tmp_path / "rows.csv", str(tmp_path / "next.csv"))
