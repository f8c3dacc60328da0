"""What the grids of a release ask for: read strictly, and answered to the owner alone."""

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from incrowd.client import Client
from incrowd.web.result.record_pages import asked_for
from web.driving import PATIENCE, Browser, Server

NUMBER = {"filterType": "number", "type": "equals", "filter": 5}
TEXT = {"filterType": "text", "type": "contains", "filter": "x"}
ALL = 1 << 62


@pytest.mark.parametrize(
    ("filters", "which", "between", "containing"),
    [
        ({}, "", {}, {}),
        ({"after": NUMBER, "o1": TEXT}, "all", {"after": (5, 5)}, {"o1": "x"}),
        ({"after": {**NUMBER, "type": "lessThan"}}, "published", {"after": (1, 4)}, {}),
        ({"after": {**NUMBER, "type": "inRange", "filterTo": 9}}, "", {"after": (5, 9)}, {}),
        ({"before": {**NUMBER, "type": "greaterThan"}}, "suppressed", {"before": (6, ALL), "after": (0, 0)}, {}),
        ({"p2": {"filterType": "text", "type": "blank"}}, "", {}, {"p2": ""}),
    ],
)
def test_filters(filters: Any, which: str, between: Any, containing: Any) -> None:
    asked = asked_for(0, 100, [["o0", True]], filters, which)
    assert (asked.between, asked.containing) == (between, containing)
    assert asked.sort == (("o0", True),)


@pytest.mark.parametrize(
    ("start", "end", "sort", "filters"),
    [
        (-1, 10, [], {}),
        (0, 10_000, [], {}),
        (5, 5, [], {}),
        (0, 10, [["secret", True]], {}),
        (0, 10, [], {"../o0": TEXT}),
        (0, 10, [], {"o0": {"filterType": "text"}}),
        (0, 10, [], {"after": {**NUMBER, "type": "notEqual"}}),
        (0, 10, [], []),
        (0, 10, 7, {}),
    ],
)
def test_anything_else_is_refused(start: int, end: int, sort: Any, filters: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        asked_for(start, end, sort, filters, "")


def test_pages_of_a_run(server: Server, table: Path) -> None:
    with Client(server.address, timeout=PATIENCE) as client:
        file = client.upload(table).id
        roles = {"age": "quasi", "region": "quasi", "disease": "sensitive"}
        job = {"data": file, "columns": roles, "models": ["k_anonymity:k=4"], "suppress": 0.1, "search": "optimal"}
        made = client.wait(client.anonymize(job))
        listed = client.wait(client.start("records", release=made.id, rows=3))
    assert listed.result is not None
    assert listed.result["kept"] == listed.result["records"] == 40
    assert len(listed.result["rows"]) == 3

    def fetched(run: str, **asked: Any) -> Any:
        query = urllib.parse.urlencode({key: json.dumps(value) for key, value in asked.items()})
        with urllib.request.urlopen(f"{server.address}/runs/{run}/records?{query}") as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            return json.loads(answer.read())

    found = fetched(listed.id, start=0, end=5, sort=[["o0", True]])
    assert (found["total"], len(found["rows"])) == (40, 5)
    assert found["rows"][0]["o0"] == "29"
    for run, asked in (("r0", {}), (made.id, {}), (listed.id, {"end": 5000}), (listed.id, {"filters": {"o0": "flu"}})):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetched(run, **asked)
        assert refused.value.code in (400, 404)
        assert "flu" not in refused.value.read().decode()


def test_the_page_says_how_classes_are_counted_if_cells_match_anything(browser: Browser, table: Path) -> None:
    roles = {"age": "quasi", "region": "quasi", "disease": "sensitive"}
    with Client(browser.server.address, timeout=PATIENCE) as client:
        job = {"data": client.upload(table).id, "columns": roles, "models": ["k_anonymity:k=4"]}
        made = client.wait(client.anonymize({**job, "search": "local_suppression:wiped=anything"}))
        other = client.wait(client.anonymize({**job, "search": "optimal", "suppress": 0.1}))
    browser.go(f"/runs/{made.id}?tab=data")
    assert "suppressed cells match anything" in browser.text("records-note")
    browser.go(f"/runs/{other.id}?tab=data")
    browser.find("records-release")
    assert browser.all("records-note") == []
