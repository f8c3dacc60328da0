"""The map of a sweep."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from anonymization.runs import files
from frontiers.fronts import frontier, run
from incrowd.errors import SourceError, UsageError
from incrowd.frontiers import Frontier, Risk


@pytest.fixture
def found() -> Frontier:
    return frontier(run(2, 0.1), run(5, 0.12), run(10, 0.15, "mondrian"), run(40, 0.6), run(5, 0.4, "mondrian"))


def words(path: Path) -> list[str]:
    """The texts of a picture."""
    return [element.text or "" for element in ElementTree.parse(path).iter() if element.tag.endswith("text")]


def test_svg(found: Frontier, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    found.map(path)
    shown = words(path)
    assert {"optimal", "mondrian", "Pareto-optimal", "recommended", "40"} <= set(shown)
    assert shown.count("5") == 2
    assert "Risk and utility of 5 releases; labels: k" in shown
    assert any(word.startswith("highest re-identification risk") for word in shown)
    found.map(tmp_path / "again.svg")
    assert path.read_bytes() == (tmp_path / "again.svg").read_bytes()


def test_html_and_png(found: Frontier, tmp_path: Path) -> None:
    found.map(tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert "<td>mondrian, k = 10</td><td>0.15</td><td>0.1</td>" in page
    found.map(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_other_risk_and_several_shares(tmp_path: Path) -> None:
    frontier(run(2, 0.1), run(2, 0.05, suppress=20), risk=Risk.AVERAGE).map(tmp_path / "map.svg")
    shown = words(tmp_path / "map.svg")
    assert {"optimal, suppress 0", "optimal, suppress 20"} <= set(shown)
    assert any(word.startswith("average re-identification risk") for word in shown)


def test_nothing_to_draw(tmp_path: Path) -> None:
    frontier().map(tmp_path / "map.svg")
    assert "Risk and utility of 0 releases; labels: k" in words(tmp_path / "map.svg")


def test_what_cannot_be_drawn(found: Frontier, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the extension of the map file is '\.pdf'"):
        found.map(tmp_path / "map.pdf")
    with pytest.raises(SourceError, match="there is no such folder"):
        found.map(tmp_path / "nowhere" / "map.svg")
    assert files(tmp_path) == set()
