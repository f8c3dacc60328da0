"""The verdict on releases that are as claimed, and on those that are not."""

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incrowd.errors import SourceError, UsageError
from incrowd.formats import write
from incrowd.release import Manifest, PublishedQuasi, RecodedCombinations, manifest_path, record_path
from incrowd.verification import Check, FailingClass, verify, verify_frame
from incrowd.verification._rows import open_rows
from incrowd.verification._tally import tally
from verification.releases import (
    COLUMNS,
    K2,
    PEOPLE,
    QUASI,
    Made,
    Row,
    check,
    counted,
    csv_text,
    made,
    person,
    tampered,
)


@pytest.fixture
def release(tmp_path: Path) -> Made:
    """A release with three classes of 3, 2 and 4 records."""
    return made(tmp_path, PEOPLE, [K2])


def failed(verdict_checks: tuple[Check, ...]) -> set[str]:
    """The names of the checks that fail."""
    return {each.name for each in verdict_checks if each.holds is False}


def test_a_release_as_claimed_holds(release: Made) -> None:
    verdict = release.verify()
    assert verdict.holds
    assert (verdict.word, verdict.records, verdict.classes, verdict.smallest) == ("verified", 9, 3, 2)
    assert [each.name for each in verdict.checks] == ["hash", "columns", "records", "classes", "k_anonymity:k=2"]
    assert str(verdict).splitlines()[-1] == "verified"
    assert (verdict.to_dict()["holds"], verdict.to_dict()["verdict"], verdict.value) == (True, "holds", "holds")


def test_with_the_record_it_holds_too(release: Made) -> None:
    verdict = release.verify(record=record_path(str(release.path)))
    assert verdict.holds
    assert {"record", "reference", "cells"} <= {each.name for each in verdict.checks}


def test_manifest_and_record_may_be_given_as_they_are(release: Made) -> None:
    manifest_path(str(release.path)).unlink()
    assert verify(str(release.path), release.manifest, release.record).holds


# What was changed after the release.


def test_a_changed_cell(release: Made) -> None:
    release.path.write_text(csv_text(PEOPLE).replace("flu", "flx", 1))
    verdict = release.verify()
    assert failed(verdict.checks) == {"hash"}
    assert verdict.word == "failed"
    assert "Get the data and their manifest again" in str(verdict)


def test_a_removed_record_names_the_class(release: Made) -> None:
    release.path.write_text(csv_text([*PEOPLE[:4], *PEOPLE[5:]]))
    verdict = release.verify()
    assert failed(verdict.checks) == {"hash", "records", "classes", "k_anonymity:k=2"}
    assert verdict.failing == (FailingClass(2, 1),)
    assert "1 of 3 classes fail: class 2 (1 record)" in str(verdict)
    assert verdict.to_dict()["failing"] == [{"class": 2, "size": 1}]


def test_a_truncated_file(release: Made) -> None:
    text = csv_text(PEOPLE)
    release.path.write_text(text[: text.index("gout") - 10])
    verdict = release.verify()
    assert {"hash", "reading"} <= failed(verdict.checks)
    assert (verdict.records, verdict.classes, verdict.smallest) == (0, 0, 0)


def test_one_more_row(release: Made) -> None:
    release.path.write_text(csv_text([*PEOPLE, person("20s", "11", "flu")]))
    assert failed(release.verify().checks) == {"hash", "records"}


def test_another_order_of_the_columns(release: Made) -> None:
    release.path.write_text(csv_text(PEOPLE, ["zip", "age", "disease", "visits"]))
    verdict = release.verify()
    assert failed(verdict.checks) == {"hash", "columns"}
    assert "not in the claimed order" in check(verdict, "columns").detail


def test_a_column_too_many_and_one_too_few(release: Made) -> None:
    rows: list[Row] = [{**row, "name": "x"} for row in PEOPLE]
    release.path.write_text(csv_text(rows, ["name", "age", "disease", "visits"]))
    verdict = release.verify()
    assert check(verdict, "columns").detail == "missing: 'zip'; not claimed: 'name'"
    assert check(verdict, "k_anonymity").detail == "cannot be evaluated without 'zip'"
    assert not verdict.holds
    assert verdict.records == 9


def test_an_empty_file(release: Made) -> None:
    release.path.write_text("")
    assert "hash" in failed(release.verify().checks)


# Manifests.


def test_the_manifest_of_another_release(release: Made, tmp_path: Path) -> None:
    other = made(tmp_path, PEOPLE[:5], [K2], name="other.csv")
    verdict = release.verify(manifest=manifest_path(str(other.path)))
    assert failed(verdict.checks) == {"hash", "records", "classes"}


def test_no_manifest(release: Made) -> None:
    manifest_path(str(release.path)).unlink()
    with pytest.raises(SourceError) as caught:
        release.verify()
    assert str(caught.value) == (
        f"{release.path}: no manifest at {release.path}.manifest.json; name the manifest (--manifest FILE)"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": 4}, "format 4 is newer than this Incrowd supports (up to 3); install a newer Incrowd"),
        ({"format": "1"}, "not the manifest of a release"),
        ({"models": [{"x_anonymity": {"k": 2}}]}, "there is no model 'x_anonymity'"),
        ({"models": [{"k_anonymity": {"k": 0}}]}, "k of k_anonymity is 0"),
        ({"models": [{"distinct_l": {"l": 2, "column": 5}}]}, "column is 5"),
        ({"models": [{}]}, "a model is one name"),
        ({"models": [5]}, "its part 'models[0]' is malformed"),
        ({"nulls": "some"}, "unknown value of 'nulls'"),
        ({"classes": -1}, "its part 'classes' is malformed"),
        ({"seen": 1}, "its part 'seen' is unknown"),
        ({"data": {"file": "x"}}, "its part 'data.columns' is missing"),
    ],
)
def test_manifests_that_cannot_be_read(release: Made, changes: dict[str, object], words: str) -> None:
    path = manifest_path(str(release.path))
    tampered(path, **changes)
    with pytest.raises(SourceError) as caught:
        release.verify()
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "NaN", "[" * 100_000, "\xff"])
def test_what_is_no_manifest(release: Made, text: str) -> None:
    manifest_path(str(release.path)).write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceError, match=r"manifest\.json: not "):
        release.verify()


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"classes": 4}, "classes", "3 classes, smallest class: 2; the manifest claims 4 and 2"),
        ({"smallest": 3}, "classes", "3 classes, smallest class: 2; the manifest claims 3 and 3"),
        ({"input_records": 10}, "records", "0 set aside: they do not add up to the 10 of the input"),
        ({"suppressed": 1, "input_records": 10}, "records", "the suppression limit is 0"),
        ({"sensitive": ()}, "columns", "the manifest does not give each column one role"),
        ({"kept": ("visits", "age")}, "columns", "the manifest does not give each column one role"),
        ({"models": ({"k_anonymity": {"k": 3}},)}, "k_anonymity", "1 of 3 classes fail: class 2 (2 records)"),
        ({"models": ({"distinct_l": {"l": 3, "column": "disease"}},)}, "distinct_l", "2 of 3 classes fail"),
    ],
)
def test_false_claims(release: Made, changes: dict[str, object], name: str, words: str) -> None:
    verdict = release.claim(**changes).verify()
    assert failed(verdict.checks) == {check(verdict, name).name}
    assert words in check(verdict, name).detail


def test_a_manifest_without_hash_is_no_way_out(release: Made) -> None:
    data = replace(release.manifest.data, sha256=None)
    assert failed(release.claim(data=data).verify().checks) == {"hash"}


def test_a_model_whose_column_is_not_there(release: Made) -> None:
    verdict = release.claim(models=(K2, {"distinct_l": {"l": 2, "column": "income"}})).verify()
    assert failed(verdict.checks) == {"k_anonymity:k=2", "distinct_l:l=2,column=income"}


def test_no_such_file(tmp_path: Path, release: Made) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        verify(tmp_path / "none.csv", release.manifest)


# Records.


def test_the_record_of_another_release(release: Made, tmp_path: Path) -> None:
    other = made(tmp_path, PEOPLE[:5], [K2], name="other.csv")
    verdict = release.verify(record=record_path(str(other.path)))
    assert failed(verdict.checks) == {"record"}
    assert check(verdict, "record").detail == "the private record belongs to another release"
    assert "Give the one that was written with this release" in str(verdict)


def test_a_manifest_as_record(release: Made) -> None:
    with pytest.raises(SourceError, match=r"its part '\w+' is"):
        release.verify(record=manifest_path(str(release.path)))


def test_cells_that_are_not_of_the_level(release: Made) -> None:
    moved = replace(release.record, quasi=(release.record.quasi[0], replace(release.record.quasi[1], level=1)))
    manifest = replace(release.manifest, quasi=(release.manifest.quasi[0], replace(release.manifest.quasi[1], level=1)))
    verdict = verify(release.path, manifest, replace(moved, release=manifest.fingerprint))
    assert failed(verdict.checks) == {"cells"}
    assert "cells in 'zip' do not match the private record" in str(verdict)


def test_a_recoding_that_differs_from_cell_to_cell(release: Made) -> None:
    """Every combination that is published must be one that the record publishes."""
    levels = [(None, 2), (None, 2)]
    quasi = tuple(PublishedQuasi(name, *level) for name, level in zip(QUASI, levels, strict=True))
    recoded = tuple(replace(column, level=None) for column in release.record.quasi)
    found = counted(PEOPLE, QUASI)
    combinations = RecodedCombinations.of_pieces(
        names=QUASI,
        values=(("25", "35"), ("11", "12")),
        labels=(("20s", "30s"), ("11", "12")),
        original=((0, 0), (1, 1), (0, 1), (1, 0)),
        published=((0, 0), (1, 1), (0, 1), None),
        counts=(*(found[cells] for cells in (("20s", "11"), ("30s", "12"), ("20s", "12"))), 1),
    )
    record = replace(release.record, quasi=recoded, combinations=combinations)
    moved = replace(release, record=record).claim(quasi=quasi)
    assert moved.verify(record=moved.record).holds
    fewer = replace(combinations, row=np.array([1, 2, 0, 0], dtype=np.uint8))
    verdict = moved.verify(record=replace(moved.record, combinations=fewer))
    assert failed(verdict.checks) == {"cells"}
    assert check(verdict, "cells").detail.startswith("1 combination of quasi-identifiers")
    unsaid = replace(moved.record, combinations=None)
    assert failed(moved.verify(record=unsaid).checks) == {"record"}


def test_a_release_that_is_a_frame(release: Made) -> None:
    """Its cells are judged, whatever the engine that holds it would count."""
    frame = pa.Table.from_pylist(PEOPLE).select(COLUMNS)
    verdict = verify_frame(frame, release.manifest, release.record, name="the frame")
    assert (verdict.holds, verdict.name, verdict.records, verdict.smallest) == (True, "the frame", 9, 2)
    stricter = replace(release.manifest, models=({"k_anonymity": {"k": 3}},))
    record = replace(release.record, models=stricter.models, release=stricter.fingerprint)
    assert [each.size for each in verify_frame(frame, stricter, record).failing] == [2]
    without = frame.select(COLUMNS[:3])
    assert "columns" in failed(verify_frame(without, release.manifest, release.record).checks)
    assert failed(verify_frame(frame.slice(1), release.manifest, release.record).checks) == {"records"}


# What is told.


def test_no_value_is_told(tmp_path: Path) -> None:
    secret = "hidden words"
    rows = [person("20s", secret, secret), *PEOPLE]
    for given_rows in (rows, rows[1:]):
        text = str(made(tmp_path, given_rows, [K2]).claim(smallest=5).verify())
        assert secret not in text
    (tmp_path / "release.csv").write_text(csv_text(rows)[:-9] + f',"{secret}\n')
    text = str(verify(tmp_path / "release.csv"))
    assert secret not in text
    assert text.endswith("\nfailed")


def test_steering_a_terminal(tmp_path: Path, release: Made) -> None:
    rows: list[Row] = [{**row, "\x1b[2J": "x"} for row in PEOPLE]
    release.path.write_text(csv_text(rows, [*release.manifest.data.columns, "\x1b[2J"]))
    assert "\x1b" not in str(release.verify())


def test_an_empty_release_is_told(tmp_path: Path) -> None:
    verdict = made(tmp_path, [], [K2], PEOPLE).verify()
    assert (verdict.holds, verdict.word) == (True, "empty")
    assert verdict.warnings[0].startswith("the release has no records")


def test_missing_sensitive_cells_are_told(tmp_path: Path) -> None:
    rows = [*PEOPLE, person("20s", "11", None)]
    verdict = made(tmp_path, rows, [K2, {"distinct_l": {"l": 2, "column": "disease"}}]).verify()
    assert verdict.holds
    assert verdict.warnings == ("values are missing in 'disease'; missing counts as one more value there.",)
    assert made(tmp_path, PEOPLE, [{"distinct_l": {"l": 2, "column": "disease"}}]).verify().warnings == ()


def test_many_failing_classes_are_counted(tmp_path: Path) -> None:
    rows = [person("20s", f"1{at}", "flu") for at in range(8)]
    verdict = made(tmp_path, rows, [K2]).verify()
    assert "8 of 8 classes fail: class 1 (1 record), class 2 (1 record)" in check(verdict, "k_anonymity").detail
    assert check(verdict, "k_anonymity").detail.endswith("class 5 (1 record) and 3 more")
    assert len(verdict.failing) == 5


# Missing cells.


def test_missing_is_a_value(tmp_path: Path) -> None:
    rows = [*PEOPLE, person(None, "11", "flu"), person(None, "11", "flu")]
    assert made(tmp_path, rows, [K2]).verify().holds
    assert made(tmp_path, rows[:-1], [K2]).verify().failing == (FailingClass(4, 1),)


def test_missing_is_not_the_empty_text(tmp_path: Path) -> None:
    rows = [*PEOPLE, person(None, "11", "flu"), person("", "11", "flu")]
    assert made(tmp_path, rows, [K2]).verify().failing == (FailingClass(4, 1), FailingClass(5, 1))


def test_set_aside(tmp_path: Path) -> None:
    release = made(tmp_path, PEOPLE, [K2], nulls="basic", set_aside=3, input_records=12)
    assert release.verify().holds
    rows = [*PEOPLE, person(None, "11", "flu"), person(None, "11", "flu")]
    verdict = made(tmp_path, rows, [K2], nulls="basic").verify()
    assert failed(verdict.checks) == {"missing"}
    assert "values are missing in 'age'" in str(verdict)


def test_wildcards(tmp_path: Path) -> None:
    """FX-ANON-3: rows (a,1), (a,-), (b,1), (-,-), (a,1)."""
    cells = [("a", "1"), ("a", None), ("b", "1"), (None, None), ("a", "1")]
    rows = [person(age, zip, "flu") for age, zip in cells]
    maybe = made(tmp_path, rows, [K2], nulls="maybe", smallest=2).verify()
    assert maybe.holds
    assert "Every record matches at least 1 other, if missing values match anything." in str(maybe)
    assert "An attacker who knows which of a person's values are missing" in maybe.warnings[0]
    assert "the smallest class of equal records has 1" in maybe.warnings[0]
    right = made(tmp_path, rows, [K2], nulls="right_maybe", smallest=1).verify()
    assert failed(right.checks) == {"k_anonymity:k=2"}
    assert right.failing == (FailingClass(4, 1),)
    assert made(tmp_path, rows, [K2]).verify().failing == (FailingClass(2, 1), FailingClass(3, 1), FailingClass(4, 1))


# Any release.

CELLS = st.sampled_from(["x", "y", "", "a,b", 'q"t', "two\nlines", " ", "NULL", "ä", None])
SETTINGS = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[Row], int]:
    """Records in classes of at least k, shuffled; and k."""
    k = draw(st.integers(2, 4))
    combinations = draw(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6, unique=True))
    rows = [
        person(age, zip, draw(CELLS), draw(CELLS))
        for age, zip in combinations
        for _ in range(draw(st.integers(k, k + 3)))
    ]
    return draw(st.permutations(rows)), k


@SETTINGS
@given(releases())
def test_any_release_that_is_k_anonymous_holds(tmp_path: Path, drawn: tuple[list[Row], int]) -> None:
    rows, k = drawn
    verdict = made(tmp_path, rows, [{"k_anonymity": {"k": k}}]).verify()
    assert verdict.holds, str(verdict)
    assert verdict.classes == len(counted(rows, QUASI))


@SETTINGS
@given(releases(), st.data())
def test_a_broken_class_is_named(tmp_path: Path, drawn: tuple[list[Row], int], data: st.DataObject) -> None:
    """Records of one class are removed until it has k - 1; every claim follows, so that only the model fails."""
    rows, k = drawn
    classes = list(counted(rows, QUASI))
    broken = data.draw(st.sampled_from(classes))
    left: list[Row] = []
    for row in rows:
        of_broken = (row["age"], row["zip"]) == broken
        if not of_broken or counted(left, QUASI)[broken] < k - 1:
            left.append(row)
    verdict = made(tmp_path, left, [{"k_anonymity": {"k": k}}]).verify()
    number = list(counted(left, QUASI)).index(broken) + 1
    assert failed(verdict.checks) == {f"k_anonymity:k={k}"}
    assert verdict.failing == (FailingClass(number, k - 1),)


@SETTINGS
@given(releases(), st.data())
def test_a_record_taken_from_the_file_is_noticed(
    tmp_path: Path, drawn: tuple[list[Row], int], data: st.DataObject
) -> None:
    rows, k = drawn
    release = made(tmp_path, rows, [{"k_anonymity": {"k": k}}])
    at = data.draw(st.integers(0, len(rows) - 1))
    release.path.write_text(csv_text([*rows[:at], *rows[at + 1 :]]), encoding="utf-8")
    verdict = release.verify()
    assert {"hash", "records"} <= failed(verdict.checks)
    sizes = counted([*rows[:at], *rows[at + 1 :]], QUASI)
    small = [FailingClass(number, size) for number, size in enumerate(sizes.values(), 1) if size < k]
    assert list(verdict.failing) == small


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".jsonl", ".json", ".xml", ".parquet", ".xlsx"])
def test_the_hash_is_that_of_the_whole_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    table = pa.table({"age": ["1", "2"], "note": ["x", "y"]})
    write(table.to_batches(), table.schema, path)
    rows = open_rows(str(path), ("age", "note"))
    tally(rows, ["age"])
    assert rows.sha256() in (None, hashlib.sha256(path.read_bytes()).hexdigest())
    # These are not read from the first byte to the last.
    assert (rows.sha256() is None) == (suffix in (".parquet", ".xlsx"))


def test_bytes_behind_a_packed_file_are_hashed_too(release: Made) -> None:
    path = release.path.with_suffix(".csv.gz")
    path.write_bytes(gzip.compress(release.path.read_bytes(), mtime=0))
    rows = open_rows(str(path), release.manifest.data.columns)
    tally(rows, rows.columns)
    whole = rows.sha256()
    with path.open("ab") as file:
        file.write(gzip.compress(b"", mtime=0))
    tally(rows, rows.columns)
    assert rows.sha256() == hashlib.sha256(path.read_bytes()).hexdigest() != whole


def test_packed(release: Made) -> None:
    release.path.write_bytes(gzip.compress(csv_text(PEOPLE).encode()))
    digest = hashlib.sha256(release.path.read_bytes()).hexdigest()
    assert release.claim(data=replace(release.manifest.data, sha256=digest)).verify().holds


def test_a_population_that_nobody_needs(release: Made) -> None:
    with pytest.raises(UsageError, match="no model of the release uses one"):
        release.verify(population=release.path)


def test_the_manifest_is_json_that_others_can_read(release: Made) -> None:
    plain = json.loads(manifest_path(str(release.path)).read_text("utf-8"))
    assert plain["data"]["file"] == "release.csv"
    assert Manifest.from_dict(plain) == release.manifest
