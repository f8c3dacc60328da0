"""Families and their members."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from incrowd import families
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError
from incrowd.families import found, members
from incrowd.formats import delimited, read


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    found.cache_clear()
    yield
    found.cache_clear()


def offer(monkeypatch: pytest.MonkeyPatch, **others: object) -> None:
    """What other packages offer as formats."""
    points = [SimpleNamespace(name=name, load=lambda other=other: other) for name, other in others.items()]
    monkeypatch.setattr(families, "entry_points", lambda group: points if group == "incrowd.formats" else [])


def test_members_are_the_modules_that_declare_the_name() -> None:
    names = set(members("formats", "open"))
    assert names >= {"database", "delimited", "duckdb_file", "excel", "json_lines", "parquet", "xml_rows"}


def test_entry_points_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("other", "incrowd.formats.parquet", "incrowd.formats")
    monkeypatch.setattr(families, "entry_points", lambda group: [point] if group == "incrowd.formats" else [])
    assert members("formats", "open")["other"] is members("formats", "open")["parquet"]


def test_a_format_of_another_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def opened(location: str, options: object) -> StreamSource:
        return StreamSource(location, ("a",), lambda columns: iter(()))

    offer(monkeypatch, other=SimpleNamespace(KIND="a thing", OPTIONS=(), SUFFIXES=(".thing", ".a.csv"), open=opened))
    (tmp_path / "data.thing").write_text("?")
    assert read(tmp_path / "data.thing").columns == ("a",)
    # The longest suffix that fits is it.
    (tmp_path / "data.a.csv").write_text("b\n1\n")
    assert read(tmp_path / "data.a.csv").columns == ("a",)
    (tmp_path / "data.bin").write_bytes(b"\0")
    with pytest.raises(SourceError, match=r"\.thing"):
        read(tmp_path / "data.bin")


def test_our_own_members_keep_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, delimited="not ours")
    assert members("formats", "open")["delimited"] is delimited
