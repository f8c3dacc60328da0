"""Whole runs that wipe single cells: what is published, claimed and verified, in both conventions."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_arrow
from anonymization.runs import frame_of, job, quasi, read_csv, rows_of, verified, write_csv
from incrowd.errors import UsageError
from incrowd.frontiers import FrontierOptions
from incrowd.release import Manifest, hash_of

SEARCHES = ["local_suppression", "local_suppression:generalize=column", "fewest_cells", "greedy_cover", "forest"]
ROWS: list[dict[str, Any]] = [{"a": a, "b": b, "disease": "flu"} for a, b in ("uu", "uv", "vu", "vv", "vv", "üu")] + [
    {"a": None, "b": "v", "disease": "flu"}
]


def cells_job(search: str, k: int = 2, **further: Any) -> dict[str, Any]:
    columns = quasi("a", "b")
    columns["disease"] = {"role": "sensitive"}
    return job(columns, {"k_anonymity": {"k": k}}, search=search, **further)


def matching(rows: list[dict[str, Any]]) -> list[int]:
    """How many rows match each, a cell `*` matching anything."""

    def match(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return all(one[name] == other[name] or "*" in (one[name], other[name]) for name in ("a", "b"))

    return [sum(match(row, other) for other in rows) for row in rows]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_wiped_cell_is_a_value_of_its_own(search: str, tmp_path: Path) -> None:
    source = write_csv(tmp_path / "people.csv", ROWS)
    made = verified(incrowd.anonymize(str(source), {**cells_job(search), "output": str(tmp_path / "out.csv")}))
    assert made.manifest.wiped == {}
    published = read_csv(tmp_path / "out.csv")
    sizes = Counter((row["a"], row["b"]) for row in published)
    assert min(sizes.values()) == made.manifest.smallest >= 2
    assert len(published) == 7
    wiped = sum(row[name] == "*" for row in published for name in ("a", "b"))
    assert wiped == made.details["wiped"] == sum(made.details["wiped_by_column"].values())
    assert not any("wildcard" in warning for warning in made.verdict.warnings)


@pytest.mark.parametrize("search", SEARCHES)
def test_people_are_told_how_many_cells_are_wiped(search: str) -> None:
    made = incrowd.anonymize(frame_of(ROWS, ("a", "b", "disease")), cells_job(search))
    told = str(made)
    assert f"{made.details['wiped']} of 14 cells suppressed" in told
    lines = [line.split() for line in told.splitlines()]
    for name in ("a", "b"):
        [row] = [line for line in lines if line[:1] == [name]]
        assert int(row[1]) == sum(cells[name] == "*" for cells in rows_of(made))
        assert (row[-3:] == ["0", "of", "1"]) == ("column" in search)
    assert ("times as many cells are suppressed as necessary" in told) == ("bound" in made.details)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("search", ["local_suppression:wiped=anything", "fewest_cells:wiped=anything"])
def test_a_wiped_cell_matches_anything(search: str, k: int, tmp_path: Path) -> None:
    source = write_csv(tmp_path / "people.csv", ROWS)
    made = verified(incrowd.anonymize(str(source), {**cells_job(search, k), "output": str(tmp_path / "out.csv")}))
    published = read_csv(tmp_path / "out.csv")
    assert made.manifest.wiped == {name: "*" for name in ("a", "b") if any(row[name] == "*" for row in published)}
    assert made.manifest.wiped
    assert min(matching(published)) == made.manifest.smallest >= k
    # A missing cell is a value like others: no row is hidden by it.
    assert sum(row["a"] is None for row in published) <= 1
    assert "if suppressed cells match anything" in str(made)
    assert "A suppressed cell counts as one that matches anything" in made.manifest.promises[-1]
    [warning] = [each for each in made.verdict.warnings if "wildcards" in each]
    assert "may still be unique" in warning
    frame = incrowd.anonymize(frame_of(ROWS, ("a", "b", "disease")), cells_job(search, k))
    assert sorted(map(str, rows_of(frame))) == sorted(map(str, published))


def test_a_release_that_matches_too_few_fails_verification(tmp_path: Path) -> None:
    """Cells of one row are other ones, and the manifest has the new hash: then some rows match k, some k - 1 rows."""
    described = {**cells_job("local_suppression:wiped=anything"), "output": str(tmp_path / "out.csv")}
    made = incrowd.anonymize(str(write_csv(tmp_path / "people.csv", ROWS)), described)
    rows, judged = read_csv(tmp_path / "out.csv"), set()
    for at in range(len(rows)):
        for names in ("a", "b", "ab"):
            changed = [dict(each) for each in rows]
            changed[at] |= dict.fromkeys(names, "ö")
            write_csv(tmp_path / "out.csv", changed)
            claims = replace(made.manifest, data=replace(made.manifest.data, sha256=hash_of(tmp_path / "out.csv")))
            verdict = incrowd.verify(tmp_path / "out.csv", manifest=claims)
            k_holds = next(check.holds for check in verdict.checks if "k_anonymity" in check.name)
            assert k_holds == (min(matching(changed)) >= 2)
            assert verdict.smallest == min(matching(changed))
            judged.add(k_holds)
    assert judged == {True, False}


def test_a_verdict_does_not_say_that_records_are_equal_where_they_only_match(tmp_path: Path) -> None:
    rows = [{"a": str(at), "b": town, "disease": "flu"} for at, town in enumerate("GGLLZZZWWW")]
    described = {**cells_job("local_suppression:wiped=anything", 3), "output": str(tmp_path / "out.csv")}
    incrowd.anonymize(str(write_csv(tmp_path / "people.csv", rows)), described)
    published = read_csv(tmp_path / "out.csv")
    sizes, fewest = Counter((row["a"], row["b"]) for row in published), min(matching(published))
    assert min(sizes.values()) == 1
    told = str(incrowd.verify(tmp_path / "out.csv"))
    assert f"in {len(sizes)} classes; at least {fewest} match each, if suppressed cells match anything." in told
    assert f"classes: {len(sizes)} classes, fewest records that match one: {fewest}, as claimed" in told
    assert "Every record matches at least 2 others, if suppressed cells match anything." in told
    assert "smallest class" not in told
    assert "shares its quasi-identifiers" not in told


@pytest.mark.parametrize("search", ["local_suppression:wiped=anything", "fewest_cells:wiped=anything"])
def test_a_value_that_looks_like_a_wiped_cell_does_not_match_anything(search: str, tmp_path: Path) -> None:
    rows = [{"a": a, "b": b, "disease": "flu"} for a, b in ("uu", "uv", "vu", "vv", "*v", "üu")]
    table = frame_of(rows, ("a", "b", "disease"))
    with pytest.raises(UsageError, match="column 'a' has a value or label that is spelled like a suppressed cell"):
        incrowd.anonymize(table, cells_job(search))
    # Where the value is a value of its own, records are alike as they are published.
    made = incrowd.anonymize(table, cells_job(search.partition(":")[0]))
    assert min(Counter((row["a"], row["b"]) for row in rows_of(made)).values()) == made.manifest.smallest >= 2


def test_without_the_claim_the_same_rows_are_judged_by_classes(tmp_path: Path) -> None:
    described = {**cells_job("local_suppression:wiped=anything"), "output": str(tmp_path / "out.csv")}
    made = incrowd.anonymize(str(write_csv(tmp_path / "people.csv", ROWS)), described)
    assert incrowd.verify(tmp_path / "out.csv").holds
    assert not incrowd.verify(tmp_path / "out.csv", manifest=replace(made.manifest, wiped={})).holds
    told = made.manifest.to_dict()
    assert Manifest.from_dict(told) == made.manifest


def test_no_value_is_passed_off_as_a_wiped_cell(tmp_path: Path) -> None:
    """A manifest that calls a value wiped would make records match that do not; the private record knows better."""
    source = write_csv(tmp_path / "people.csv", ROWS)
    described = {**cells_job("local_suppression:wiped=anything"), "output": str(tmp_path / "out.csv")}
    made = verified(incrowd.anonymize(str(source), described))
    [check] = [each for each in made.verdict.checks if each.name == "wiped"]
    assert check.holds
    for wiped in ({**made.manifest.wiped, "a": "v"}, {"b": "*", "a": "*", "disease": "flu"}):
        claims = replace(made.manifest, wiped=wiped)
        record = replace(made.record, release=claims.fingerprint)
        verdict = incrowd.verify(tmp_path / "out.csv", claims, record)
        assert not verdict.holds
        [check] = [each for each in verdict.checks if each.name == "wiped"]
        assert check.holds is False
        assert "'a'" in check.detail or "'disease'" in check.detail
    # Nor where the record itself has a value that is spelled like the top.
    first, *others = made.record.quasi
    twin = replace(first, rows=(*first.rows, ("*", "*")))
    record = replace(made.record, quasi=(twin, *others))
    verdict = incrowd.verify(tmp_path / "out.csv", made.manifest, record)
    assert [each.holds for each in verdict.checks if each.name == "wiped"] == [False]


def test_missing_cells_cannot_be_wildcards_too() -> None:
    for search in ("local_suppression:wiped=anything", "fewest_cells", "forest"):
        with pytest.raises(UsageError, match="nulls=maybe"):
            incrowd.anonymize(frame_of(ROWS, ("a", "b", "disease")), cells_job(search, nulls="maybe"))


def test_other_models_need_classes() -> None:
    described = hospital_job({"k_anonymity": {"k": 3}}, {"distinct_l": {"l": 2, "column": "disease"}})
    with pytest.raises(UsageError, match=r"wiped=anything: it supports only the model k_anonymity"):
        incrowd.anonymize(in_arrow(), {**described, "search": "local_suppression:wiped=anything"})


def test_there_is_no_average_risk_without_classes() -> None:
    described = incrowd.Job.from_dict(cells_job("local_suppression:wiped=anything"))
    with pytest.raises(UsageError, match="risk average with wiped=anything"):
        FrontierOptions.of(described, risk="average", searches=["local_suppression:wiped=anything"])


def test_a_report_says_what_wiped_cells_match(tmp_path: Path) -> None:
    described = {**cells_job("local_suppression:wiped=anything"), "output": str(tmp_path / "out.csv")}
    incrowd.anonymize(str(write_csv(tmp_path / "people.csv", ROWS)), described)
    told = incrowd.report(tmp_path / "out.csv").to_markdown()
    assert "A suppressed cell matches anything: a." in told
    assert "Everybody is hidden among" not in told
    assert "7 records in 3 classes; every record matches at least 3, if suppressed cells match anything." in told
    assert "The smallest has" not in told
    assert "classes may have fewer than the 3 records that match each" in told


@pytest.mark.parametrize("search", SEARCHES)
def test_no_nodes_are_told_of_where_cells_are_wiped(search: str) -> None:
    told = str(incrowd.anonymize(frame_of(ROWS, ("a", "b", "disease")), cells_job(search)))
    assert "nodes counted" not in told
    name, _, levels = search.partition(":")
    assert f"Search {name}: " in told if levels else f"Search {name}. " in told
    assert ("of 4 choices of levels tried." in told) == bool(levels)
