"""The columns page says that people have several records, and lets them be counted."""

from pathlib import Path

from web.driving import Browser


def people(path: Path) -> Path:
    """Forty people with two records each; two of them share a name."""
    rows = [f"n{at // 2 % 39},19{50 + at // 2 % 40}-01-0{1 + at // 2 % 9},{'NSEW'[at % 4]}" for at in range(80)]
    path.write_text("name,birth_date,region\n" + "\n".join(rows) + "\n")
    return path


def test_the_person_is_proposed_and_chosen(browser: Browser, tmp_path: Path) -> None:
    browser.open(people(tmp_path / "visits.csv"))
    assert "80 records are about 40 people" in browser.text("people")
    assert "People are counted by name and birth_date." in browser.text("people")
    assert not browser.all("count-people")
    browser.choose("role-0", "identifier")
    browser.until(lambda: "People are counted by birth_date." in browser.text("people"), "one column less")
    browser.choose("role-1", "quasi:")
    browser.until(lambda: "Records are counted" in browser.text("people"), "records")
    browser.click("count-people")
    browser.until(lambda: "People are counted by name and birth_date." in browser.text("people"), "the suggestion")
    assert "1 for the person" in browser.text("summary")
    browser.choose("role-0", "identifier")
    browser.choose("role-1", "quasi:")
    browser.choose("role-1", "quasi, person")
    browser.until(lambda: "People are counted by birth_date." in browser.text("people"), "a quasi-identifier")
    assert browser.complaints() == []
