"""The explorer of a lattice: counted, filtered, sorted, and any node shown and created."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from incrowd.client import Client
from incrowd.web.result import explorer
from incrowd.web.result.neighbors import job_at
from web.driving import PATIENCE, Browser, Server

ROWS = [
    f"{20 + at % 37},{'ab'[at % 2]}{'xyz'[at % 3]},{'fm'[at % 2]},{'flu' if at % 4 else 'cold'}" for at in range(150)
]
JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
        "town": {"role": "quasi", "hierarchy": {"prefix": {"keep": [1]}}},
        "sex": "quasi",
        "disease": {"role": "sensitive"},
    },
    "models": [{"k_anonymity": {"k": 8}}],
    "search": "optimal",
}


@pytest.fixture(scope="module")
def ids(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A table and two releases of it."""
    path: Path = tmp_path_factory.mktemp("explorer") / "people.csv"
    path.write_text("age,town,sex,disease\n" + "\n".join(ROWS) + "\n")
    with Client(server.address, timeout=PATIENCE) as client:
        file = client.upload(path).id
        made = client.wait(client.anonymize({**JOB, "data": file}).id)
        local = client.wait(client.anonymize({**JOB, "data": file, "search": "mondrian"}).id)
        yield {"file": file, "release": made.id, "local": local.id}


def losses(browser: Browser) -> list[float]:
    """The known losses of the list."""
    rows = browser.find("lattice-list").find_elements("css selector", "tbody tr td:nth-child(3)")
    return [float(each.text.rstrip("%")) for each in rows if each.text and "≥" not in each.text]


def counted(browser: Browser, ids: dict[str, str]) -> None:
    """Open the explorer, which has the nodes that were counted before, or count them."""
    browser.go(f"/runs/{ids['release']}?tab=lattice")
    browser.find("node-0")
    if "counted" not in ids:
        browser.click("lattice-go")
        ids["counted"] = "yes"
    browser.find("lattice-list")
    browser.find("lattice-graph")


def test_every_node_is_counted_drawn_and_listed(browser: Browser, ids: dict[str, str]) -> None:
    counted(browser, ids)
    assert browser.text("lattice-sentence").startswith("30 nodes: ")
    assert "0 unknown" in browser.text("lattice-sentence")
    assert browser.text("list-range") == "1 to 30 of 30"
    assert losses(browser) == sorted(losses(browser))
    # What was counted is there on the next visit.
    browser.driver.refresh()
    assert browser.text("list-range") == "1 to 30 of 30"
    assert browser.complaints() == []


def test_a_filter_and_an_order(browser: Browser, ids: dict[str, str]) -> None:
    counted(browser, ids)
    browser.click("lattice-filter")
    browser.click("state-1")
    browser.until(lambda: "not satisfied" not in browser.text("lattice-list"), "only satisfied ones")
    browser.click("sort-score")
    browser.until(lambda: losses(browser) == sorted(losses(browser), reverse=True), "descending")
    most = losses(browser)[0]
    browser.type("score-high", str(most - 1))
    browser.until(lambda: max(losses(browser)) <= most - 1, "a lower loss")
    browser.choose("level-2-to", "0")
    browser.until(lambda: "sex" in browser.text("lattice-list") and _levels(browser, 3) == {"0"}, "one level of sex")
    browser.click("lattice-reset")
    browser.until(lambda: browser.text("list-range") == "1 to 30 of 30", "everything")


def _levels(browser: Browser, column: int) -> set[str]:
    cells = browser.find("lattice-list").find_elements("css selector", f"tbody tr td:nth-child({6 + column})")
    return {each.text for each in cells}


def test_a_node_is_shown_and_created(browser: Browser, ids: dict[str, str]) -> None:
    counted(browser, ids)
    browser.click("sort-height")
    browser.click("sort-height")
    # The top of the lattice, which no search would choose.
    browser.until(
        lambda: browser.find("lattice-list").find_element("css selector", "tbody td:nth-child(6)").text == "7", "top"
    )
    button = browser.find("lattice-list").find_element("css selector", "tbody button")
    browser.click(str(button.get_attribute("data-mark")))
    browser.until(
        lambda: browser.text("node-sentence").startswith("The chosen node (age 4, town 2, sex 1)"), "the node"
    )
    browser.click("node-records")
    assert "→ *" in browser.text("node-sample")
    browser.click("node-create")
    browser.until(lambda: ids["release"] not in browser.driver.current_url, "another run")
    assert "all detail" in browser.text("sentence") or browser.text("verdict")
    browser.tab("lattice")
    browser.until(lambda: "age 4, town 2, sex 1" in browser.text("node-sentence"), "the node that was created")


def test_a_click_in_the_picture_shows_a_node(browser: Browser, ids: dict[str, str]) -> None:
    counted(browser, ids)
    before = browser.text("node-sentence")
    orange = "[data-mark=lattice-graph] svg path[fill='#E69F00']"
    # The last one is in the legend.
    points = browser.until(lambda: browser.driver.find_elements("css selector", orange)[:-1], "points of the picture")
    browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", points[0])
    points[0].click()
    browser.until(lambda: browser.text("node-sentence") != before, "another node")
    assert "does not satisfy the models" in browser.text("node-sentence")
    assert not browser.all("node-create")
    browser.click("node-back")
    browser.until(lambda: browser.text("node-sentence") == before, "this release")


def test_unknown_nodes_are_counted_on_demand(browser: Browser, server: Server, ids: dict[str, str]) -> None:
    """A count that was stopped at once, as the page finds it."""
    with Client(server.address, timeout=PATIENCE) as client:
        made = client.run(ids["release"])
        heights, levels = made.result["heights"], made.result["levels"]
        job = job_at(made.request["job"], explorer.narrowed(explorer.allowed(made.request["job"], heights), levels))
        stopped = client.wait(client.start("lattice", job=job, time=0).id)
    with sqlite3.connect(server.folder / "workspace.sqlite") as ledger:
        ledger.execute(
            "INSERT OR REPLACE INTO notes VALUES ('', ?, ?)", (f"draft-{ids['file']}-lattice", f'"{stopped.id}"')
        )
    browser.go(f"/runs/{ids['release']}?tab=lattice")
    assert "Stopped early" in browser.text("lattice-sentence")
    assert "≥" in browser.text("lattice-list")
    browser.click("count-more")
    browser.until(lambda: ", 0 unknown" in browser.text("lattice-sentence"), "all of them")
    browser.until(lambda: not browser.all("count-more"), "nothing left to count")
    assert browser.complaints() == []


def test_a_local_release_says_how_to_get_a_lattice(browser: Browser, ids: dict[str, str]) -> None:
    browser.go(f"/runs/{ids['local']}?tab=lattice")
    browser.click("create-uniform")
    browser.until(lambda: ids["local"] not in browser.driver.current_url, "another run")
    browser.find("sentence")
    browser.tab("lattice")
    browser.find("lattice-go")


# Without a browser.


def test_the_levels_that_a_job_allows() -> None:
    job = {"columns": {"age": {"role": "quasi", "minimum": 1, "limit": 3}, "sex": "quasi", "town": {"role": "quasi"}}}
    box = explorer.allowed(job, {"age": 4, "sex": 1, "town": 2})
    assert box == {"age": (1, 3), "sex": (0, 1), "town": (0, 2)}
    assert explorer.size_of(box) == 18
    assert explorer.narrowed(box, {"age": 1, "sex": 0, "town": 2}) == box


def test_a_large_lattice_is_narrowed_around_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "MOST", 1000)
    own = {f"c{at}": at % 5 for at in range(8)}
    box = explorer.narrowed(dict.fromkeys(own, (0, 6)), own)
    assert 1 <= explorer.size_of(box) <= 1000
    assert all(low <= own[name] <= high for name, (low, high) in box.items())


def test_a_job_at_some_levels() -> None:
    job = {"columns": {"age": {"role": "quasi", "limit": 3}, "sex": "quasi", "id": "drop"}, "models": []}
    found = job_at(job, {"age": (1, 2), "sex": (0, 0)})
    assert found["columns"]["age"] == {"role": "quasi", "minimum": 1, "limit": 2}
    assert found["columns"]["sex"] == {"role": "quasi", "minimum": 0, "limit": 0}
    assert found["columns"]["id"] == "drop"
