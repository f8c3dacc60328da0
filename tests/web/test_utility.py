"""What a release keeps of its columns: each before and after, pairs of them, and what a classifier learns."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from incrowd.client import Client
from incrowd.web.parts import charting, sorting
from incrowd.web.result.before_after import in_order, on_one_axis, rows_of
from web.driving import PATIENCE, Browser, Server

HOSTILE = "<script>alert(1)</script>"
ROWS = [
    f"{20 + at % 40},{'NSEW'[at % 4]},{'flu' if at % 4 < 2 else 'cold'},{HOSTILE if at % 4 else 'b'},{at * 3.14159}"
    for at in range(200)
]
JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}},
        "region": {"role": "quasi"},
        "disease": {"role": "sensitive"},
        "note": {"role": "keep"},
    },
    "models": [{"k_anonymity": {"k": 8}}],
    "suppress": 0.1,
    "search": "optimal",
}


@pytest.fixture(scope="module")
def release(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a release."""
    path = tmp_path_factory.mktemp("utility") / "people.csv"
    odd = "99,X,cold,b,1.0"
    path.write_text("age,region,disease,note,figure\n" + "\n".join([*ROWS, odd]) + "\n")
    with Client(server.address, timeout=PATIENCE) as client:
        made = client.wait(client.anonymize({**JOB, "data": client.upload(path).id}).id)
        yield f"/runs/{made.id}"


def labels(browser: Browser, mark: str) -> list[str]:
    """All texts of a chart, once it is drawn."""
    found = browser.until(lambda: browser.find(mark).find_elements("css selector", "svg text"), mark)
    return [browser.driver.execute_script("return arguments[0].textContent", each) for each in found]


def first_cells(browser: Browser, mark: str) -> list[str]:
    """The first cell of each row of a table."""
    rows = browser.find(mark).find_elements("css selector", "tbody tr td:first-child, tbody tr th:first-child")
    return [each.text for each in rows]


def test_each_column_before_and_after_on_one_axis(browser: Browser, release: str) -> None:
    browser.go(f"{release}?tab=columns")
    browser.find("spread-bars")
    assert "figure" in first_cells(browser, "columns-list")
    browser.click("sort-name")
    browser.until(
        lambda: first_cells(browser, "columns-list") == ["age", "disease", "figure", "note", "region"], "sorted"
    )
    browser.click("sort-name")
    browser.until(lambda: first_cells(browser, "columns-list")[0] == "region", "descending")
    head = browser.find("columns-list").find_element("css selector", "th[aria-sort]")
    assert head.get_attribute("aria-sort") == "descending"
    browser.choose("spread-column", "age")
    browser.until(lambda: "20 to 29" in labels(browser, "spread-bars"), "ranges with round ends")
    shown = labels(browser, "spread-bars")
    assert {"original", "release", "suppressed", "(suppressed)"} <= set(shown)
    assert all(len(text.partition(".")[2]) <= 1 for text in shown if text.replace(".", "").replace(",", "").isdigit())
    browser.choose("spread-column", "disease")
    browser.until(lambda: "flu" in labels(browser, "spread-bars"), "another column")
    browser.click("pick-0")
    browser.until(lambda: "20 to 29" in labels(browser, "spread-bars"), "the first one, by its button")
    assert browser.complaints() == []


def test_associations_before_and_after(browser: Browser, release: str) -> None:
    browser.go(f"{release}?tab=utility")
    assert browser.text("association-change").startswith("Mean change: ")
    for mark in ("heat-original", "heat-release"):
        assert {"age", "region", "disease", "note"} <= set(labels(browser, mark))
    rows = browser.find("largest-changes").find_elements("css selector", "tbody tr")
    changes = [abs(float(row.find_element("css selector", "td:last-child").text)) for row in rows]
    assert changes
    assert changes == sorted(changes, reverse=True)
    assert browser.complaints() == []


def test_two_columns_together(browser: Browser, release: str) -> None:
    browser.go(f"{release}?tab=utility")
    browser.choose("cross-0", "region")
    browser.choose("cross-1", "note")
    browser.click("cross-go")
    assert HOSTILE in browser.text("cross-table")
    assert "→" in browser.text("cross-table")
    assert "1 suppressed record" in browser.text("crossed") or "suppressed" in browser.text("crossed")
    browser.toggle("cross-view", "Difference")
    browser.until(lambda: "→" not in browser.text("cross-table"), "differences")
    browser.choose("cross-1", "region")
    browser.click("cross-go")
    browser.shows("Choose two different columns.")
    assert browser.complaints() == []


def test_a_classifier(browser: Browser, release: str) -> None:
    browser.go(f"{release}?tab=utility")
    browser.click("classifier-go")
    assert {"trained on the original", "trained on the release", "baseline"} <= set(labels(browser, "accuracy-bars"))
    assert browser.complaints() == []


# Without a browser.


def test_rows_in_order_without_a_value_come_last() -> None:
    rows = [{"loss": None}, {"loss": 0.1}, {"loss": 0.9}]
    assert [row["loss"] for row in in_order(rows, ("loss", True))] == [0.9, 0.1, None]
    assert [row["loss"] for row in in_order(rows, ("loss", False))] == [0.1, 0.9, None]
    assert sorting.next_order(("loss", False), "loss") == ("loss", True)
    assert sorting.next_order(("loss", True), "loss") == ("loss", False)
    assert sorting.next_order(("loss", True), "name") == ("name", False)


def test_bars_that_only_the_release_has_are_on_the_same_axis() -> None:
    labels, before, after = on_one_axis([["a", 3], ["b", 1]], [["b", 2.5], ["a-b", 1]])
    assert labels == ["a", "b", "a-b"]
    assert before == [3, 1, 0]
    assert after == [0, 2.5, 1]


def test_reports_of_an_earlier_version_have_rows_too() -> None:
    spread = {"bars": [["f", 3]], "distinct": 1}
    quasi = {"name": "sex", "level": 0, "height": 1, "form": None, "loss": 0.0, "published": 1, "before": spread}
    facts = {
        "columns": [{**quasi, "after": spread, "told": None}],
        "sensitive": [],
        "kept": ["note"],
        "not_published": ["id"],
    }
    rows = rows_of(facts)
    assert [row["state"] for row in rows] == ["unchanged", "unchanged", "not published"]
    assert rows[0]["distance"] is None


@pytest.mark.parametrize("names", [[], ["a"], [HOSTILE, "b" * 90]])
def test_charts_are_plain_data(names: list[str]) -> None:
    values = dict.fromkeys(itertools.pairwise(names), 0.123456)
    heat, height = charting.heat_map(names, values)
    assert height > 0
    assert all(len(label) <= 14 for label in heat["xAxis"]["data"])
    assert {cell[2] for cell in heat["series"][0]["data"]} <= {0.12}
    bars, _ = charting.bars(names, {"original": [1.23456 for _ in names]}, "records")
    assert json.loads(json.dumps(bars))["series"][0]["data"] == [1.2 for _ in names]
