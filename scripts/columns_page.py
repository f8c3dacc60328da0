"""How quick the columns page is: python scripts/columns_page.py

Prints how long a change of a role takes on a table of 200 columns, from the choice until the page shows the answer of
the server, and how much CPU the server takes to show the columns of a CSV file with a million rows.
"""

import csv
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from web.driving import Browser, Server  # noqa: E402 - the tests know how to drive a browser

COLUMNS, ROWS, CHANGES = 200, 1_000_000, 40
_CHANGE = """
const [at, role, answer] = arguments;
const summary = document.querySelector("[data-mark=summary]"), before = summary.innerText, begun = performance.now();
new MutationObserver((_, watching) => {
  if (summary.innerText !== before) { watching.disconnect(); answer(performance.now() - begun); }
}).observe(summary, {childList: true, subtree: true, characterData: true});
const field = document.querySelector(`[data-mark=role-${at}]`);
field.value = role;
field.dispatchEvent(new Event("change", {bubbles: true}));
"""


def main() -> None:
    """Measure both."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "workspace")
        browser = Browser(server)
        try:
            role_changes(browser, Path(folder) / "wide.csv")
            million_rows(server, browser, Path(folder) / "long.csv")
        finally:
            browser.close()
            server.stop()


def role_changes(browser: Browser, path: Path) -> None:
    """Change roles on a table of many columns."""
    luck = random.Random(1)
    written(
        path,
        [f"answer_{at}" for at in range(COLUMNS)],
        ([luck.randint(1, 5) for _ in range(COLUMNS)] for _ in range(300)),
    )
    browser.open(path)
    browser.find("role-0")
    took = [browser.driver.execute_async_script(_CHANGE, 0, ("drop", "identifier")[at % 2]) for at in range(CHANGES)]
    middle, late = statistics.median(took), sorted(took)[int(0.9 * CHANGES)]
    print(f"A role change on {COLUMNS} columns: median {middle:.0f} ms, 9 of 10 within {late:.0f} ms.")


def million_rows(server: Server, browser: Browser, path: Path) -> None:
    """Open a long table."""
    luck = random.Random(2)
    names = ["id", "birth_date", "sex", "postcode", "status", "work", "admitted", "diagnosis", "income", "weight"]
    written(path, names, (record(luck, at) for at in range(ROWS)))
    before = cpu(server.process.pid)
    browser.open(path)
    browser.find("role-0")
    print(f"The columns page of {ROWS:,} rows: {cpu(server.process.pid) - before:.1f} s of CPU, upload included.")


def record(luck: random.Random, at: int) -> list[object]:
    """Return an invented record."""
    day = f"{luck.randint(1, 12):02d}-{luck.randint(1, 28):02d}"
    work, diagnosis = f"job {luck.randint(1, 60)}", f"dx{luck.randint(1, 300):03d}"
    born, admitted = f"{luck.randint(1935, 2004)}-{day}", f"{luck.randint(2022, 2023)}-{day}"
    income, weight = luck.randint(100, 3000) * 10, round(luck.gauss(75, 15), 1)
    status, postcode = luck.choice(["single", "married", "divorced"]), int(4000 * luck.random() ** 4)
    return [f"P{at:07d}", born, luck.choice("fm"), f"{postcode:05d}", status, work, admitted, diagnosis, income, weight]


def written(path: Path, names: list[str], rows: object) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names])
        csv.writer(file).writerows(rows)  # type: ignore[arg-type]


def cpu(process: int) -> float:
    """Return the seconds of CPU that a process and those it started took so far."""
    total = 0
    for each in family(process):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def family(process: int) -> list[int]:
    """Return a process and all that come from it."""
    found = [process]
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += family(int(child))
    return found


if __name__ == "__main__":
    main()
