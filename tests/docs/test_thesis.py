"""The tables and verdicts of the pages on the thesis' experiments are those of the results that were measured."""

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
THESIS = ROOT / "benchmarks" / "thesis"
OWN = ("page", "printed", "verdicts", "checks")
PAGES = ("thesis.md", "thesis/chapter-3.md", "thesis/chapter-4.md", "thesis/chapter-6.md")


@pytest.fixture
def page() -> Iterator[ModuleType]:
    """The module that writes the tables; its own imports are taken back."""
    path = list(sys.path)
    spec = importlib.util.spec_from_file_location("page", THESIS / "page.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    yield found
    sys.path[:] = path
    for name in OWN:
        sys.modules.pop(name, None)


@pytest.fixture
def results() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((THESIS / "results.json").read_text(encoding="utf-8"))
    return found


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_the_tables_are_those_of_the_results(name: str, page: ModuleType, results: dict[str, Any]) -> None:
    assert page.filled(text_of(name), page.tables(results)) == text_of(name)


def test_every_table_is_shown_once(page: ModuleType, results: dict[str, Any]) -> None:
    shown = [name for each in PAGES for name in re.findall(r"<!-- table (\S+) -->", text_of(each))]
    assert sorted(shown) == sorted(page.tables(results))


def test_every_plot_is_there() -> None:
    shown = {name for each in PAGES for name in re.findall(r"\]\(([0-9-]+\.svg)\)", text_of(each))}
    assert {path.name for path in (ROOT / "docs" / "thesis").glob("*.svg")} == shown


def test_a_changed_result_changes_a_verdict(page: ModuleType, results: dict[str, Any]) -> None:
    """UPC that suppresses everything, say, could not agree."""
    before = page.tables(results)["verdicts"]
    broken = [{**row, "suppressed": 1.0, "WGU": 1.0, "WGP": 1.0} for row in results["benchmarks"]]
    after = page.tables({**results, "benchmarks": broken})["verdicts"]
    changed = [one for one, other in zip(before.splitlines(), after.splitlines(), strict=True) if one != other]
    assert any("6.26" in line for line in changed)
