"""The tables of the page on the thesis' experiments are those of the results that were measured."""

import importlib.util
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
THESIS = ROOT / "benchmarks" / "thesis"


def test_the_tables_are_those_of_the_results() -> None:
    spec = importlib.util.spec_from_file_location("page", THESIS / "page.py")
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    results = json.loads((THESIS / "results.json").read_text(encoding="utf-8"))
    text = (ROOT / "docs" / "thesis.md").read_text(encoding="utf-8")
    assert page.filled(text, page.tables(results)) == text


def test_every_plot_is_there() -> None:
    text = (ROOT / "docs" / "thesis.md").read_text(encoding="utf-8")
    shown = {part.partition(")")[0] for part in text.split("](thesis/")[1:]}
    assert {f"{path.name}" for path in (ROOT / "docs" / "thesis").glob("*.svg")} == shown
