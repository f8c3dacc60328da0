"""Manifest and record: to their files and back, whole or not at all, and for whom they are."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.anonymization.manifest_values import shown_ladders, shown_model
from incrowd.errors import SourceError
from incrowd.files.whole import write_text
from incrowd.release import (
    COLUMNAR,
    FORMAT,
    WITH_PEOPLE,
    Apart,
    Data,
    Figures,
    Manifest,
    People,
    PublishedQuasi,
    PublishedSearch,
    RecodedCombinations,
    RecodedQuasi,
    Record,
    ReferenceCounts,
    SearchFacts,
    hash_of,
    manifest_path,
    record_path,
)
from incrowd.release.packed import packed

TEXT = st.text(st.characters(codec="utf-8"), max_size=5)
COUNT = st.integers(0, 2**70)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


def several(of: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """A tuple of some."""
    return st.lists(of, max_size=3).map(tuple)


CELL = st.none() | TEXT
CELLS = several(CELL)
OBJECTS = st.dictionaries(TEXT, PLAIN, max_size=3)
LADDERS = st.dictionaries(TEXT, several(CELLS), max_size=2)

DATA = st.builds(Data, file=TEXT, kind=TEXT, sha256=CELL, records=COUNT, columns=several(TEXT), table=CELL)
MANIFESTS = st.builds(
    Manifest,
    incrowd=TEXT,
    data=DATA,
    quasi=several(st.builds(PublishedQuasi, name=TEXT, level=st.none() | COUNT, height=st.none() | COUNT)),
    sensitive=several(TEXT),
    kept=several(TEXT),
    models=several(OBJECTS),
    promises=several(TEXT),
    nulls=TEXT,
    **dict.fromkeys(("input_records", "suppressed", "set_aside", "suppress_limit", "classes", "smallest"), COUNT),
    scores=st.dictionaries(TEXT, NUMBER, max_size=3),
    search=st.builds(PublishedSearch, name=TEXT),
    ladders=LADDERS,
    apart=st.none() | st.builds(Apart, data=DATA, group=TEXT, count=TEXT),
    format=st.just(FORMAT),
)
PEOPLE = st.builds(
    People,
    **dict.fromkeys(("input", "published", "fewer", "unknown", "smallest"), COUNT),
)
FIGURES = st.builds(
    Figures,
    scores=st.dictionaries(TEXT, NUMBER, max_size=3),
    losses=st.dictionaries(TEXT, NUMBER, max_size=3),
    search=st.builds(
        SearchFacts,
        name=TEXT,
        guarantee=TEXT,
        optimal=st.booleans(),
        gap=st.none() | NUMBER,
        counted=COUNT,
        lattice=st.none() | COUNT,
        stopped=CELL,
    ),
)


@st.composite
def combinations(draw: st.DrawFn) -> RecodedCombinations:
    """Pieces of some columns, in no or in some groups."""
    width, pieces = draw(st.integers(0, 3)), draw(st.integers(0, 4))
    texts = [draw(st.lists(CELL, min_size=1, max_size=3).map(tuple)) for _ in range(2 * width)]
    rows = [st.tuples(*(st.integers(0, len(of) - 1) for of in some)) for some in (texts[:width], texts[width:])]
    return RecodedCombinations.of_pieces(
        draw(st.lists(TEXT, min_size=width, max_size=width)),
        texts[:width],
        texts[width:],
        *(draw(st.lists(each, min_size=pieces, max_size=pieces)) for each in (rows[0], st.none() | rows[1])),
        draw(st.lists(st.integers(0, 2**63 - 1), min_size=pieces, max_size=pieces)),
        draw(st.just([]) | st.lists(CELL, min_size=pieces, max_size=pieces)),
    )


RECORDS = st.builds(
    Record,
    release=TEXT,
    job=OBJECTS,
    models=several(OBJECTS),
    quasi=several(
        st.builds(RecodedQuasi, name=TEXT, level=st.none() | COUNT, losses=several(NUMBER), rows=several(CELLS))
    ),
    combinations=st.none() | combinations(),
    reference=several(st.builds(ReferenceCounts, columns=several(TEXT), values=several(CELLS), counts=several(COUNT))),
    ladders=LADDERS,
    not_published=several(TEXT),
    seconds=NUMBER,
    versions=st.dictionaries(TEXT, TEXT, max_size=3),
    format=st.sampled_from([FORMAT, COLUMNAR]),
    figures=st.none() | FIGURES,
)


@given(MANIFESTS | st.builds(replace, MANIFESTS, people=PEOPLE, format=st.just(WITH_PEOPLE)))
def test_manifests_come_back(tmp_path_factory: pytest.TempPathFactory, manifest: Manifest) -> None:
    path = tmp_path_factory.mktemp("release") / "x.manifest.json"
    manifest.write(path)
    assert Manifest.read(path) == manifest
    assert Manifest.from_dict(manifest.to_dict()) == manifest
    assert Manifest.read(path).fingerprint == manifest.fingerprint


@given(RECORDS)
def test_records_come_back(tmp_path_factory: pytest.TempPathFactory, record: Record) -> None:
    path = tmp_path_factory.mktemp("release") / "x.record.json"
    record.write(path)
    assert Record.read(path) == record
    assert Record.from_dict(record.to_dict()) == record


def places(plain: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every part of plain data but models and jobs, which are of any form."""
    yield place
    items: Any = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, inner in items:
        if place[:1] not in (("models",), ("job",)) and place[:1] != ("scores",):
            yield from places(inner, (*place, key))


def with_wrong_part(plain: Any, place: tuple[str | int, ...]) -> Any:
    """The same data with something invalid in one place."""
    if not place:
        return {"never": [object]} if isinstance(plain, list) else [{"never": None}]
    here = dict(plain) if isinstance(plain, dict) else list(plain)
    here[place[0]] = with_wrong_part(plain[place[0]], place[1:])
    return here


@given(MANIFESTS, st.data())
def test_a_wrong_part_is_refused_in_one_line(manifest: Manifest, data: st.DataObject) -> None:
    plain = manifest.to_dict()
    wrong = with_wrong_part(plain, data.draw(st.sampled_from(list(places(plain)))))
    with pytest.raises(SourceError) as caught:
        Manifest.from_dict(wrong, "out.manifest.json")
    assert str(caught.value).startswith("out.manifest.json: ")
    assert "\n" not in repr(str(caught.value))


@pytest.fixture
def manifest() -> Manifest:
    """Any manifest."""
    return Manifest(
        incrowd="0.1.0",
        data=Data("out.csv", "delimited", "ab", 2, ("age",)),
        quasi=(PublishedQuasi("age", 1, 2),),
        sensitive=(),
        kept=(),
        models=({"k_anonymity": {"k": 2}},),
        promises=("Every record shares its quasi-identifiers with at least 1 other.",),
        nulls="extended",
        input_records=2,
        suppressed=0,
        set_aside=0,
        suppress_limit=0,
        classes=1,
        smallest=2,
        scores={"discernibility": 4.0},
        search=PublishedSearch("optimal"),
        ladders={},
    )


@pytest.fixture
def record(manifest: Manifest) -> Record:
    """The record of that manifest."""
    return Record(
        release=manifest.fingerprint,
        job={"seed": 0},
        models=manifest.models,
        quasi=(RecodedQuasi("age", 1, (0.0, 0.5, 1.0), (("20", "2*", "*"), (None, "none", "*"))),),
        combinations=None,
        reference=(),
        ladders={},
        not_published=("name",),
        seconds=0.25,
        versions={"incrowd": "0.1.0"},
    )


def test_equal_releases_have_equal_bytes(tmp_path: Path, manifest: Manifest) -> None:
    for name in ("a", "b"):
        manifest.write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert hash_of(tmp_path / "a") == hash_of(tmp_path / "b")


def test_every_claim_is_in_the_fingerprint(manifest: Manifest) -> None:
    changed = [
        replace(manifest, classes=2),
        replace(manifest, scores={"discernibility": 5.0}),
        replace(manifest, data=replace(manifest.data, sha256="ac")),
    ]
    assert len({manifest.fingerprint, *(each.fingerprint for each in changed)}) == 4


def test_the_record_is_for_its_owner_alone(tmp_path: Path, manifest: Manifest, record: Record) -> None:
    path = tmp_path / "out.csv.record.json"
    path.write_text("an old one that all may read")
    path.chmod(0o644)
    before = os.umask(0o022)
    try:
        record.write(path)
        manifest.write(tmp_path / "out.csv.manifest.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "out.csv.manifest.json").stat().st_mode) == 0o644


def test_the_manifest_tells_nothing_of_the_record(manifest: Manifest, record: Record) -> None:
    private = {"job", "reference", "not_published", "versions", "seconds", "combinations", "rows", "losses", "figures"}
    assert private & set(json.dumps(manifest.to_dict()).replace('"', " ").split()) == set()


def test_a_broken_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.json"
    write_text(path, "old", 0o666)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match=r"cannot be written \(No space left on device\)"):
        write_text(path, "new", 0o666)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_encoded_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "out.json", "\udcff", 0o666)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path, manifest: Manifest) -> None:
    with pytest.raises(SourceError, match="cannot be written"):
        manifest.write(tmp_path / "none" / "out.json")


@pytest.mark.parametrize(
    ("location", "table", "expected"),
    [
        ("out.csv", None, "out.csv.manifest.json"),
        ("folder/out.csv", None, "folder/out.csv.manifest.json"),
        ("sqlite:///folder/out.db", "people", "folder/out.db.people.manifest.json"),
        ("duckdb:////data/out.db", "people", "/data/out.db.people.manifest.json"),
        ("postgresql://me:secret@host/base", "clinic.people", "clinic.people.manifest.json"),
    ],
)
def test_where_the_manifest_is(location: str, table: str | None, expected: str) -> None:
    assert str(manifest_path(location, table)) == expected
    assert str(record_path(location, table)) == expected.replace("manifest", "record")


def test_only_what_is_shown() -> None:
    shown = {"a": {"1", "3", None}, "b+c": {"1"}}
    ordered = {"t_closeness": {"t": 0.1, "column": "a", "order": ["3", "2", "1"]}}
    assert shown_model(ordered, shown) == {"t_closeness": {"t": 0.1, "column": "a", "order": ["3", "1"]}}
    listed = {"t_closeness": {"t": 0.1, "column": ["b+c"], "order": ["2", "1"]}}
    assert shown_model(listed, shown)["t_closeness"]["order"] == ["1"]
    assert shown_model({"k_anonymity": {"k": 2}}, shown) == {"k_anonymity": {"k": 2}}
    rows = (("1", "x", "*"), ("2", "x", "*"), (None, "y", "*"))
    assert shown_ladders({"a": rows}, shown) == {"a": (rows[0], rows[2])}


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("original", ["1:AAAA", "1:AAAA"]),
        ("original", ["x", "x"]),
        ("original", [packed(np.array([0, 2])), packed(np.array([0, 1]))]),
        ("rows", [packed(np.array([0, 1])), packed(np.array([0, 3]))]),
        ("row", packed(np.array([1, 3]))),
        ("row", packed(np.array([1, 2, 0]))),
        ("row", f"2{packed(np.array([1, 2]))[1:]}"),
        ("row", 5),
        ("counts", packed(np.array([1, 2**63], dtype=np.uint64))),
        ("pieces", 2**70),
        ("published", -1),
        ("group", packed(np.array([1, 1]))),
        ("names", ["a"]),
        ("values", [["1", 2], ["x", None]]),
        ("seen", 1),
    ],
)
def test_damaged_columns_of_a_record_are_refused(record: Record, part: str, wrong: object) -> None:
    texts = (("1", "2"), ("x", None))
    told = RecodedCombinations.of_pieces(("a", "b"), texts, texts, ((0, 0), (1, 1)), ((0, 1), (1, 0)), (1, 2))
    plain = replace(record, combinations=told, format=COLUMNAR).to_dict()
    assert Record.from_dict(plain).combinations == told
    plain["combinations"][part] = wrong
    with pytest.raises(SourceError, match="its part 'combinations' is malformed"):
        Record.from_dict(plain)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("original", [[0, 0], [1]]),
        ("original", [[0, 0], [1, "1"]]),
        ("original", [[0, 0], [1, 9]]),
        ("published", [None]),
        ("published", [[0, -1], None]),
        ("counts", [1, 2**70]),
        ("counts", [1, 1.5]),
        ("groups", ["one"]),
        ("groups", [1, None]),
    ],
)
def test_damaged_lists_of_an_old_record_are_refused(record: Record, part: str, wrong: object) -> None:
    texts = (("1", "2"), ("x", None))
    told = RecodedCombinations.of_pieces(
        ("a", "b"), texts, texts, ((0, 0), (1, 1)), ((0, 1), None), (1, 2), ("1", None)
    )
    plain = replace(record, combinations=told).to_dict()
    assert plain["combinations"]["published"] == [[0, 1], None]
    assert Record.from_dict(plain).combinations == told
    plain["combinations"][part] = wrong
    with pytest.raises(SourceError, match="its part 'combinations' is malformed"):
        Record.from_dict(plain)
