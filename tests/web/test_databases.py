"""Tables of databases, from the first page to a release."""

import sqlite3
from pathlib import Path

import pytest

from web.driving import VERIFIED, Browser

ROWS = [(20 + at % 10, "NSEW"[at % 4], "flu" if at % 3 else "cold") for at in range(40)]


def made(browser: Browser) -> None:
    """A release of the table that is open, and what is looked up about it."""
    assert browser.text("summary").startswith("40 records, 3 columns")
    browser.click("step-privacy")
    browser.type("k", "4")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.tab("data")
    browser.until(lambda: "flu" in browser.text("records-original"), "the original")
    browser.tab("risk")
    browser.text("risk-table")
    browser.tab("utility")
    browser.text("utility-table")
    browser.tab("columns")
    browser.find("spread-chart")


def test_a_file_with_several_tables(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "several.sqlite"
    with sqlite3.connect(path) as database:
        for name in ("people", "staff"):
            database.execute(f"CREATE TABLE {name} (age, region, disease)")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", ROWS)
    database.close()
    browser.go("/")
    browser.drop("drop", path)
    browser.choose("which-table", "staff")
    browser.click("take-table")
    made(browser)


def test_postgresql(browser: Browser, postgres_url: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres_url) as database, database.cursor() as cursor:
        cursor.execute("CREATE TABLE web_people (age integer, region text, disease text)")
        cursor.executemany("INSERT INTO web_people VALUES (%s, %s, %s)", ROWS)
    browser.go("/")
    browser.type("url", postgres_url)
    browser.type("table", "web_people")
    browser.click("connect")
    browser.click("next")
    assert browser.text("sentence")
    browser.click("next")
    browser.text("levels-table")
    browser.click("step-columns")
    made(browser)
    password = postgres_url.split(":")[2].split("@")[0]
    assert password not in browser.driver.page_source
    browser.tab("files")
    assert "web_people" in browser.text("command")
    browser.go("/")
    browser.type("url", postgres_url)
    browser.type("query", "SELECT age, region FROM web_people WHERE age < 25")
    browser.click("connect")
    assert browser.text("summary").startswith("20 records, 2 columns")
    browser.go("/")
    browser.type("url", postgres_url)
    browser.type("table", "nobody")
    browser.click("connect")
    assert "nobody" in browser.text("message-error")
