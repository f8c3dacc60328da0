"""Other pages of a table: risk, frontier, tables of counts."""

from pathlib import Path

from incrowd import api
from incrowd.text import percent
from web.downloads import downloaded, released
from web.driving import VERIFIED, Browser


def test_the_risk_of_a_table(browser: Browser, table: Path) -> None:
    people = table.with_name("population.csv")
    people.write_text("age,region\n" + "".join(f"{20 + at % 10},{'NSEW'[at % 4]}\n" for at in range(400)))
    browser.open(people)
    browser.open(table)
    browser.click("tool-risk")
    browser.choose_several("risk-columns", ["region"])
    browser.click("assess")
    assert browser.text("risk-sentence") == f"0 of 40 records ({percent(0)}) are unique in these columns."
    assert "Journalist" not in browser.text("attackers")
    browser.toggle("population-kind", "size")
    browser.type("population-size", "4000")
    browser.click("assess")
    browser.until(lambda: "Journalist" in browser.text("attackers"), "the journalist")
    browser.shows("Population figures are estimates")
    browser.toggle("population-kind", "table")
    browser.choose("population-file", "population.csv")
    browser.click("assess")
    browser.until(lambda: "Population figures are estimates" not in browser.body(), "the counted population")
    expected = api.risk(table, ["age", "region"], population=str(people)).journalist
    assert expected is not None
    found = f"{percent(expected.highest)} {percent(expected.average)} {expected.at_risk}"
    assert f"whether the person is in the table {found}" in browser.text("attackers")
    browser.driver.refresh()
    assert f"whether the person is in the table {found}" in browser.text("attackers")


def test_many_releases_and_the_one_to_publish(browser: Browser, table: Path, tmp_path: Path) -> None:
    browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("tool-frontier")
    browser.type("frontier-k", "2, 4")
    browser.type("frontier-suppress", "0, 10")
    browser.click("frontier-go")
    browser.text("frontier-why")
    assert browser.find("frontier-map").find_elements("css selector", "svg")
    # Two k, two limits, and the four searches that auto tries; releases of equal worth are shown once.
    rows = {at: browser.text(f"frontier-row-{at}") for at in range(16) if browser.all(f"frontier-row-{at}")}
    assert len(rows) < 16
    assert len(rows) + sum(row.partition("the same as")[2].count("k = ") for row in rows.values()) == 16
    assert sum("recommended" in row for row in rows.values()) == 1
    at = next(at for at, row in rows.items() if "recommended" in row)
    k = int(rows[at].split()[1])
    browser.click(f"frontier-make-{at}")
    browser.shows(f"Request: k = {k}")
    assert browser.text("verdict") == VERIFIED
    assert api.verify(released(browser, tmp_path)).smallest >= k


def test_counts_and_sums(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "firms.csv"
    rows = [f"{['<b>N</b>', 'S', 'E', 'W'][at % 4]},{'abc'[at % 3]},{at * 13 % 70 + 1}" for at in range(60)]
    path.write_text("region,sector,sales\n" + "\n".join([*rows, "S,d,9", "E,d,2"]) + "\n")
    browser.open(path)
    browser.click("tool-table")
    browser.choose_several("table-by", ["region", "sector"], only=True)
    browser.type("rule-n", "4")
    browser.click("tabulate")
    assert browser.text("audit").startswith("Audited")
    assert "<b>N</b>" in browser.text("table-cells")
    table = downloaded(browser, "download-table-csv", tmp_path / "table.csv").read_text()
    assert table.splitlines()[0] == "region,sector,count"
    expected = api.table(path, ["region", "sector"], rules=["threshold:n=4"])
    assert table.count(",x") == expected.suppressed > 0
    browser.click("table-private")
    assert "sensitive" in browser.text("table-ranges")
    browser.toggle("measure", "sums")
    browser.choose("summed", "sales")
    browser.choose("protection", "controlled_rounding")
    browser.type("protection-base", "20")
    browser.click("tabulate")
    browser.shows("rounded to a multiple of 20")
    browser.driver.refresh()
    browser.shows("rounded to a multiple of 20")


def test_means_and_shares(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    rows = [f"{'NSEW'[at % 4]},{'abc'[at % 3]},{at * 13 % 70 + 1}" for at in range(60)]
    path.write_text("region,sector,pay\n" + "\n".join(rows) + "\n")
    browser.open(path)
    browser.click("tool-table")
    browser.choose_several("table-by", ["region", "sector"], only=True)
    browser.toggle("measure", "means")
    browser.choose("summed", "pay")
    browser.click("tabulate")
    browser.shows("Means are computed from protected sums")
    found = downloaded(browser, "download-table-csv", tmp_path / "mean.csv").read_text()
    assert found.splitlines()[0] == "region,sector,mean_pay"
    browser.toggle("measure", "percentages")
    browser.choose("over", "sector")
    browser.click("tabulate")
    browser.shows("Shares in percent of the total over sector")
    browser.driver.refresh()
    browser.shows("Shares in percent of the total over sector")
