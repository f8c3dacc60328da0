"""A newcomer's way through the web app, from a file to its downloaded and verified release, timed and counted.

    python scripts/walk.py [TABLE | FOLDER] [--tables N] [--seed S] [--pictures FOLDER]

Tables are drawn by lot from FOLDER; without one, the members of a club are invented. Each is walked twice: on defaults
(at most 7 clicks and 120 s) and with the role of every column reviewed (240 s). Leaves with 1 if a walk takes more, or
a page sends more than 2 MB.

What is timed, from the moment that the first page is asked for:

- What the machine takes, as it is. The page of a run is read while it works; after 15 s a run is stopped with the
  best release so far, which is a click more.
- Clicks: 4 s each. To choose a file is two: one opens the list of files, one chooses.
- Reading, at 238 words a minute: all text of the first screen (1280 by 1000 pixels), or down to the button that leads
  on if that lies further down, and every message and warning wherever it is. Sentences in tables are read as well;
  other tables and grids are looked over, a second a row for the first fifteen rows of a page. What is folded away is
  not read; nor is the head of the pages of a table a second time.
- A review opens and reads what the roles mean, and for every column its name, its role and the reason for it,
  at the same pace, with another second to judge; a reason in the same words as one above is not read anew. Where the
  page shows columns in groups that have a role for the same reason, every name is read, role and reason once a group,
  and a group is one judgment. Nothing is changed: only the reader knows what would be wrong.
"""

import argparse
import csv
import json
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from incrowd import api  # noqa: E402
from web.downloads import downloaded  # noqa: E402 - the tests know how to drive a browser
from web.driving import Browser, Server  # noqa: E402

WORDS_A_MINUTE = 238
"""How fast adults read (Brysbaert 2019, non-fiction in English)."""
SECONDS_A_CLICK = 4.0
"""To find a button that one has read about, and to press it."""
LOOKED_OVER = 15
"""Rows of tables on a page that are looked over, a second each."""
PATIENT_FOR = 15.0
"""Seconds of a run after which the button is pressed that stops it with the best release so far."""
MOST_CLICKS = 7
LIMITS = {"defaults": 120.0, "review": 240.0}
MOST_BYTES = 2_000_000
TABS = {"data": "records-release", "columns": "levels", "risk": "risk-table", "utility": "utility-table"}
"""Tabs of a release that pictures are taken of, each with a part to wait for."""
SEEN = """
const prose = "h1, h2, h3, p, .message, .figure, .q-field__label, .q-field__native, .q-btn, .q-item, .q-tab, .label, "
  + "a, li, pre, .verdict-bar, .model b, .wrapped th, .wrapped td, .ag-header-cell-text";
const rows = "table:not(.wrapped) tbody tr, .ag-center-cols-container .ag-row";
const to = arguments[0] ? document.querySelector(`[data-mark="${arguments[0]}"]`) : null;
const end = Math.max(innerHeight, to ? to.getBoundingClientRect().bottom + scrollY : 0);
const known = arguments[1] ? "header.top" : ".nothing";
const shown = (each) => each.checkVisibility({visibilityProperty: true}) && !each.closest(known) &&
  each.getBoundingClientRect().bottom + scrollY > 0 && !each.matches(".skip");
const count = (each) => each.innerText.split(/\\s+/).filter(Boolean).length -
  [...each.querySelectorAll(".q-icon")].filter((icon) => icon.innerText.trim()).length;
const above = (each) => each.getBoundingClientRect().top + scrollY < end;
const read = [...document.querySelectorAll(prose)].filter((each) => shown(each) &&
  !each.closest("table:not(.wrapped)") && !each.parentElement.closest(prose) &&
  (above(each) || each.matches(".message")));
return [read.reduce((sum, each) => sum + count(each), 0),
  [...document.querySelectorAll(rows)].filter((each) => shown(each) && above(each)).length];
"""
"""Words to read and rows of tables to look over, down to the button of that name."""
COLUMNS = """
const groups = [...document.querySelectorAll("[data-mark=role-groups] tbody tr")];
if (groups.length) return groups.map((row) => {
  const [role, columns, why] = row.cells;
  return [`${role.querySelector(".q-field__native").innerText} ${columns.innerText}`, why.innerText];
});
const at = document.querySelector("[data-mark=column-grid]").id.slice(1), found = [];
getElement(at).api.forEachNodeAfterFilterAndSort(({data}) => found.push([`${data.name} ${data.role}`, data.why]));
return found;
"""


def members_of_a_club(path: Path, people: int = 800) -> None:
    """A table as somebody may bring it: members of a sports club, with a text of its own for what is missing."""
    luck = random.Random(3)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["Member", "E-mail", "Born", "Sex", "Town", "Joined", "Sport", "Injury", "Fee"])
        for at in range(people):
            born = f"{luck.randint(1, 28):02d}.{luck.randint(1, 12):02d}.{luck.randint(1950, 2008)}"
            writer.writerow(
                [
                    f"M{at + 1:05d}",
                    f"member{at + 1}@example.org",
                    born,
                    luck.choice("fm"),
                    luck.choice(["Graz", "Leoben", "Bruck an der Mur", "Kapfenberg", "Mürzzuschlag"]),
                    luck.randint(1990, 2025),
                    luck.choice(["tennis", "football", "swimming", "judo"]),
                    luck.choice(["none", "none", "none", "knee", "shoulder", "back", "n/a"]),
                    luck.choice([80, 120, 160]),
                ]
            )


class Walk:
    """One visit, with the time that reading takes."""

    def __init__(self, browser: Browser, pictures: Path | None) -> None:
        self.browser, self.pictures = browser, pictures
        self.clicks, self.reading, self.took, self.pages, self.most = 0, 0.0, 0.0, 0, 0
        self.knows_head = False
        self.began, self.paused = time.monotonic(), 0.0

    @property
    def machine(self) -> float:
        """What the machine took so far."""
        return time.monotonic() - self.began - self.paused

    @property
    def seconds(self) -> float:
        """The time so far: what the machine took, and what a reader would."""
        return self.machine + self.reading + SECONDS_A_CLICK * self.clicks

    def look(self, name: str, leads_on: str = "") -> None:
        """Read the page that is open, down to the button that leads on."""
        words, rows = self.browser.driver.execute_script(SEEN, leads_on, self.knows_head)
        self.knows_head = bool(leads_on)
        took = words / WORDS_A_MINUTE * 60 + min(rows, LOOKED_OVER)
        self.reading += took
        self.say(name, f"{words} words and {rows} rows, {took:.0f} s to read")
        self.keep(name)

    def judge(self) -> None:
        """Read the role of every column, or of every group of them."""
        found = self.browser.driver.execute_script(COLUMNS)
        read = [*(named for named, _ in found), *{why for _, why in found}]
        words = sum(len(each.split()) for each in read)
        # They are not looked over as well.
        took = words / WORDS_A_MINUTE * 60 + len(found) - min(len(found), LOOKED_OVER)
        self.reading += took
        self.say("roles", f"{words} words in {len(found)} rows, {took:.0f} s more to read and judge")

    def say(self, name: str, what: str) -> None:
        """Say what was done on a page."""
        print(f"{self.seconds:6.1f} s ({self.machine:.1f} s machine)  {name}: {what}", flush=True)

    def click(self, mark: str) -> None:
        """Press a button."""
        self.clicks += 1
        self.browser.click(mark)

    def wait(self) -> None:
        """Wait for the release; press the button for the best one so far when patience ends."""
        until, is_stopped = time.monotonic() + PATIENT_FOR, False
        while not self.browser.all("sentence"):
            if not is_stopped and time.monotonic() > until and self.browser.all("cancel"):
                self.click("cancel")
                is_stopped = True
                self.say("run", "stopped with the best release so far")
            assert not self.browser.all("message-error"), self.browser.text("message-error")
            assert time.monotonic() < until + LIMITS["review"], "no release"
            time.sleep(0.1)
        self.browser.text("sentence")

    def weigh(self, name: str) -> None:
        """Count what a page has sent since the last call: files, and what comes over its socket."""
        kept = time.monotonic()
        sent = 0
        for entry in self.browser.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.loadingFinished":
                sent += int(event["params"]["encodedDataLength"])
            elif event["method"] == "Network.webSocketFrameReceived":
                sent += len(event["params"]["response"]["payloadData"])
        self.most = max(self.most, sent)
        self.paused += time.monotonic() - kept
        print(f"{'':9}{name} sent {sent / 1e6:.2f} MB")

    def keep(self, name: str) -> None:
        """Take pictures of the page that is open, which does not count."""
        if self.pictures is None:
            return
        began = time.monotonic()
        self.pages += 1
        for width in (390, 1280, 1920):
            self._picture(name, width)
        self.paused += time.monotonic() - began

    def _picture(self, name: str, width: int) -> None:
        assert self.pictures is not None
        driver = self.browser.driver
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        height = driver.execute_script("return Math.min(document.documentElement.scrollHeight, 6000)")
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "height": max(1000, height)})
        time.sleep(0.4)
        driver.save_screenshot(str(self.pictures / f"{self.pages}-{name}-{width}.png"))
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def main() -> None:
    """Walk, and say how long it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table", nargs="?", type=Path, help="a table, or a folder of CSV files to draw from")
    parser.add_argument("--tables", type=int, default=1, help="number of tables to draw (default: 1)")
    parser.add_argument("--seed", type=int, default=None, help="random seed (default: by chance, and printed)")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of every page")
    asked = parser.parse_args()
    if asked.pictures is not None:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        missed = []
        for table in drawn(asked.table, asked.tables, asked.seed, Path(folder)):
            for way in LIMITS:
                missed += [f"{table.name}, {way}: {each}" for each in walked(table, way, asked.pictures)]
    if missed:
        raise SystemExit("\n".join(["Missed:", *missed]))


def drawn(given: Path | None, number: int, seed: int | None, folder: Path) -> list[Path]:
    """Return the table to walk with, or those drawn by lot from a folder."""
    if given is None:
        members_of_a_club(folder / "club.csv")
        return [folder / "club.csv"]
    if given.is_file():
        return [given]
    chosen = random.randrange(1 << 32) if seed is None else seed
    print(f"Drawn with --seed {chosen}")
    tables = sorted(given.glob("*.csv"))
    return random.Random(chosen).sample(tables, min(number, len(tables)))


def walked(table: Path, way: str, pictures: Path | None) -> list[str]:
    """Walk one way, with a server and a browser that know nothing yet; return what was missed."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "workspace")
        try:
            browser = Browser(server)
            try:
                print(f"{table.name}, {way}", flush=True)
                walk = Walk(browser, pictures)
                through(walk, table, way, Path(folder))
            finally:
                browser.close()
        finally:
            server.stop()
    asked = {
        f"{walk.took:.0f} s of {LIMITS[way]:.0f} s": walk.took <= LIMITS[way],
        f"{walk.clicks} clicks of {MOST_CLICKS}": walk.clicks <= MOST_CLICKS,
        f"{walk.most / 1e6:.2f} MB of {MOST_BYTES / 1e6:.0f} MB in a page": walk.most <= MOST_BYTES,
    }
    print(f"{table.name}, {way}: {', '.join(asked)}", flush=True)
    return [words for words, holds in asked.items() if not holds]


def through(walk: Walk, own: Path, way: str, folder: Path) -> None:
    """Go page by page with the suggested settings, to a release that is downloaded and verified."""
    browser = walk.browser
    browser.go("/")
    browser.find("drop")
    walk.look("tables")
    walk.weigh("tables")
    walk.clicks += 2
    browser.drop("drop", own)
    browser.text("asked-words")
    browser.until(lambda: browser.driver.find_elements("css selector", "[data-mark=column-grid] .ag-row"), "columns")
    if way == "review":
        walk.click("meanings")
        browser.find("roles")
        walk.judge()
    walk.look("columns", "go")
    walk.weigh("columns")
    walk.click("go")
    walk.wait()
    walk.look("release", "get-manifest")
    walk.weigh("release")
    walk.clicks += 2
    release = downloaded(browser, "get-release", folder / "release.csv")
    downloaded(browser, "get-manifest", folder / "release.csv.manifest.json")
    walk.took = walk.seconds
    print(f"{walk.took:6.1f} s, {walk.clicks} clicks: {release.name} is downloaded", flush=True)
    verdict = api.verify(release)
    # Where people are counted, the release alone does not show all of it; the page has checked the rest.
    assert verdict.word in ("verified", "incomplete"), verdict
    if walk.pictures is not None:
        for tab, part in TABS.items():
            browser.tab(tab)
            browser.find(part)
            walk.keep(tab)


if __name__ == "__main__":
    main()
