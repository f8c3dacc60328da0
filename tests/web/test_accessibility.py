"""Every page passes the checks of axe and fits a small screen."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web.axe import violations
from web.driving import Browser, Server

PAGES = {
    "tables": ("/", None, ["drop"]),
    "columns": ("/files/{file}/columns", None, ["summary", "columns"]),
    "diagnose": ("/files/{file}/diagnose", None, ["sentence", "explored"]),
    "hierarchies": ("/files/{file}/hierarchies", None, ["levels-table", "tree-nodes"]),
    "privacy": ("/files/{file}/privacy", None, ["go"]),
    "releases": ("/files/{file}/releases", None, ["choose-1"]),
    "risk": ("/files/{file}/risk", "assess", ["attackers"]),
    "frontier": ("/files/{file}/frontier", "frontier-go", ["frontier-map"]),
    "apply": ("/files/{file}/apply", None, ["apply-record"]),
    "measure": ("/files/{file}/measure", None, ["measure-go"]),
    "table": ("/files/{file}/table", "tabulate", ["table-cells"]),
    "alternatives": ("/runs/{second}", None, ["tried"]),
    "release": ("/runs/{first}", None, ["sentence"]),
    "lattice": ("/runs/{first}?tab=lattice", "lattice-go", ["node-0", "lattice-graph", "lattice-list"]),
    "no lattice": ("/runs/{local}?tab=lattice", None, ["create-uniform"]),
    "data": ("/runs/{first}?tab=data", None, ["records-release"]),
    "release columns": ("/runs/{first}?tab=columns", None, ["levels", "columns-list", "spread-bars"]),
    "release risk": ("/runs/{first}?tab=risk", None, ["risk-table"]),
    "utility": ("/runs/{first}?tab=utility", None, ["utility-table", "heat-release", "largest-changes"]),
    "two columns": ("/runs/{first}?tab=utility", "cross-go", ["cross-table"]),
    "classifier": ("/runs/{first}?tab=utility", "classifier-go", ["accuracy-bars"]),
    "attacks": ("/runs/{first}?tab=attacks", "attack-go", ["exposures"]),
    "files": ("/runs/{first}?tab=files", None, ["command", "script", "read-internal"]),
    "report": ("/runs/{first}/report", None, ["report"]),
    "compare": ("/compare/{first},{second}", None, ["metrics-table", "risk-map"]),
    "linked": ("/files/{file}/linked", None, ["linked-tables"]),
    "check": ("/check", None, ["check"]),
    "not found": ("/runs/r0", None, ["message-error"]),
}
"""By name: the address, the button to press, and what to wait for."""


def request(server: Server, path: str, body: bytes | None = None) -> Any:
    """Return the answer of the service."""
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{server.address}/v1{path}", data=body, headers=headers)
    with urllib.request.urlopen(asked) as answer:
        return json.loads(answer.read())


@pytest.fixture(scope="module")
def ids(server: Server, the_browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The ids of a table and of two releases of it."""
    path: Path = tmp_path_factory.mktemp("axe") / "people.csv"
    rows = [f"{20 + at % 10},{'NSEW'[at % 4]},{'flu' if at % 3 else 'cold'}" for at in range(40)]
    path.write_text("age,region,disease\n" + "\n".join(rows) + "\n")
    file = the_browser.open(path)
    made = {"file": file}
    for name, k, search in (("first", 4, "optimal"), ("second", 8, "auto"), ("local", 4, "mondrian")):
        job = {
            "data": file,
            "columns": {"age": {"role": "quasi"}, "region": {"role": "quasi"}, "disease": {"role": "sensitive"}},
            "models": [{"k_anonymity": {"k": k}}],
            "suppress": 0.1,
            "search": search,
        }
        run = request(server, "/anonymize?wait=20", json.dumps(job).encode())
        while run["state"] in ("queued", "running"):
            run = request(server, f"/runs/{run['id']}?wait=20")
        assert run["state"] == "done"
        made[name] = run["id"]
    return made


EXPAND = """
for (const each of document.querySelectorAll(".q-expansion-item--collapsed")) each.querySelector(".q-item").click();
"""
BEYOND = """
const page = document.documentElement;
if (page.scrollWidth <= page.clientWidth) return [];
const isBeyond = (each) => each.getBoundingClientRect().right > page.clientWidth + 1;
return [...document.body.querySelectorAll("*")].filter(isBeyond).map((each) => each.outerHTML.slice(0, 200));
"""
"""The elements that make the page wider than the window."""
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
CORE = {"apply", "measure", "table", "linked", "check", "not found"}
"""Pages that `make test` looks at; most of the others are on the way of tests/web/test_way.py."""


def expand(browser: Browser) -> None:
    """Open every part of the page that is folded."""
    browser.driver.execute_script(EXPAND)
    moving = "return document.querySelector('.q-expansion-item--collapsed') || document.getAnimations().length"
    browser.until(lambda: not browser.driver.execute_script(moving), "the parts to open")


def fits_a_phone(browser: Browser) -> bool:
    """Return whether nothing runs off a small screen."""
    seen_as(browser, SCHEMES[0], min(WIDTHS))
    beyond = browser.driver.execute_script(BEYOND)
    _as_usual(browser)
    return beyond == []


def _as_usual(browser: Browser) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def seen_as(browser: Browser, scheme: str, width: int) -> None:
    """Show the page in a color scheme and at a width; the page has followed when its colors and width have."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    # The checks may take so long that the page misses the server meanwhile, and says so until it has it again.
    followed = (
        f"return innerWidth === {width} && document.body.classList.contains('body--{scheme}')"
        " && document.getElementById('popup').ariaHidden !== 'false'"
    )
    browser.until(lambda: browser.driver.execute_script(followed), f"{scheme} at {width} pixels")


@pytest.fixture
def usual(browser: Browser) -> Iterator[None]:
    """Take the color scheme and the width back."""
    yield
    _as_usual(browser)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.core) if name in CORE else name for name in PAGES]
)
def test_a_page_has_no_violation_and_fits(browser: Browser, ids: dict[str, str], usual: None, name: str) -> None:
    """Light and dark, on a small screen and on a large one."""
    address, button, marks = PAGES[name]
    browser.go(address.format(**ids))
    if button is not None:
        browser.click(button)
    for mark in marks:
        browser.find(mark)
    expand(browser)
    for scheme in SCHEMES:
        for width in WIDTHS:
            seen_as(browser, scheme, width)
            assert violations(browser) == {}, (scheme, width)
            assert browser.driver.execute_script(BEYOND) == [], (scheme, width)


def test_a_violation_is_noticed(browser: Browser) -> None:
    browser.go("/")
    browser.find("drop")
    browser.driver.execute_script("document.getElementById('content').innerHTML += '<button></button>'")
    assert "button-name" in violations(browser)
