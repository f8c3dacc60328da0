"""The risk-utility map: a picture in a file."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import incrowd
from comparison.tables import OTHERS, RANGES, written
from incrowd.comparison import Comparison
from incrowd.errors import UsageError


@pytest.fixture
def found(tmp_path: Path) -> Comparison:
    paths = written(tmp_path, ranges=RANGES, others=OTHERS)
    columns = {"age": "quasi", "town": {"role": "quasi", "hierarchy": paths["regions"]}, "income": "sensitive"}
    releases = {"ranges & <others>": paths["ranges"], "$sets$": paths["others"], "as it is": paths["original"]}
    return incrowd.measure(paths["original"], releases, columns)


def test_svg(found: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    found.map(path)
    words = {element.text for element in ElementTree.parse(path).iter() if element.tag.endswith("text")}
    assert {"A", "B", "C", "A  ranges & <others>", "C  as it is"} <= words
    assert any("lower is safer" in (word or "") for word in words)
    again = tmp_path / "again.svg"
    found.map(again)
    assert path.read_bytes() == again.read_bytes()


def test_png(found: Comparison, tmp_path: Path) -> None:
    found.map(tmp_path / "map.png", x="query_error", y="protection_measure")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_html(found: Comparison, tmp_path: Path) -> None:
    found.map(tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "ranges &amp; &lt;others&gt;" in page
    assert not re.search(r'(src|href)="http', page)
    assert page.count("<tr>") == 4


@pytest.mark.parametrize(
    ("path", "x", "message"),
    [("map.pdf", "loss", "the extension of the map file is '.pdf'"), ("map.svg", "los", "an axis of the map is 'los'")],
)
def test_what_makes_no_sense(found: Comparison, tmp_path: Path, path: str, x: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        found.map(tmp_path / path, x=x)
    assert not (tmp_path / path).exists()


def test_a_release_without_a_place_is_left_out(found: Comparison, tmp_path: Path) -> None:
    found.map(tmp_path / "map.svg", x="classification")
    assert "Risk and utility of 0 releases" in (tmp_path / "map.svg").read_text(encoding="utf-8")
