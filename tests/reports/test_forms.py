"""One set of facts, three forms: whole files, nothing loaded, everything escaped."""

import json
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd import charts
from incrowd.errors import IncrowdError, SourceError, UsageError
from incrowd.reports.blocks import Grid, Picture, Section, Share, shown
from incrowd.reports.report import Report
from reports.releases import released, written

HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</style><script>alert(2)</script>",
    "a|b`c*d_[x](http://evil.example/)",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe",
    "bell\x07\x1b[31m",
    "$x^2$ & \\alpha",
    "=cmd|' /C calc'!A0",
    "שלום",
    "x" * 300,
]


class Tags(HTMLParser):
    """What a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(page: str) -> Tags:
    """A page as a browser reads it."""
    tags = Tags()
    tags.feed(page)
    tags.close()
    return tags


def hostile_rows() -> list[dict[str, Any]]:
    """A table whose names and values are all hostile."""
    names = [*HOSTILE[:4], HOSTILE[6], "plain"]
    return [{name: HOSTILE[(at + shift) % 5 + 2] for shift, name in enumerate(names)} for at in range(30)]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A release of hostile data."""
    rows = hostile_rows()
    names = list(rows[0])
    columns = {name: {"role": "quasi"} for name in names[:3]} | {name: {"role": "sensitive"} for name in names[3:]}
    data = {"source": str(written(tmp_path, rows)), "header": True}
    released(tmp_path, rows, columns=columns, suppress=0.2, data=data)
    return tmp_path


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_hostile_text_is_only_ever_text(hostile: Path, audience: str) -> None:
    reports = [
        incrowd.report(hostile / "release.csv", audience),
        incrowd.report(incrowd.read(hostile / "rows.csv", header=True), audience),
    ]
    plain = incrowd.report(written(hostile), audience)
    for report in reports:
        page = report.to_html()
        found = parsed(page)
        assert set(found.tags) <= {*parsed(plain.to_html()).tags, "li", "summary", "pre", "image", "text", "br", "wbr"}
        assert found.tags.count("script") == 1
        assert "img" not in found.tags
        assert not [name for name, _ in found.attributes if name.startswith("on")]
        assert HOSTILE[0] in "".join(found.texts)
        markdown = report.to_markdown()
        # An indented line is code, of which no character means anything.
        lines = [line for line in markdown.splitlines() if not line.startswith("    ")]
        assert "<script" not in re.sub(r"\\<", "", "\n".join(lines))
        for text in (page, markdown):
            assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_markdown_tables_keep_their_columns(hostile: Path) -> None:
    for block in re.findall(r"(?:^\|.*\n?)+", incrowd.report(hostile / "release.csv").to_markdown(), re.MULTILINE):
        bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in block.strip().splitlines()}
        assert len(bars) == 1


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_the_page_loads_nothing(tmp_path: Path, audience: str) -> None:
    released(tmp_path)
    page = incrowd.report(tmp_path / "release.csv", audience).to_html()
    found = parsed(page)
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(found.tags)
    assert not [value for name, value in found.attributes if name in ("src", "srcset", "action", "background")]
    assert all((value or "").startswith("#") for name, value in found.attributes if name in ("href", "xlink:href"))
    assert "@import" not in page
    assert re.findall(r"url\((?!#)", page) == []
    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert "@media print" in page


def test_charts_have_real_text_and_names_that_do_not_clash(tmp_path: Path) -> None:
    released(tmp_path)
    found = parsed(incrowd.report(tmp_path / "release.csv").to_html())
    assert found.tags.count("svg") >= 4
    assert "Bonn" in "".join(found.texts)
    names = [value for name, value in found.attributes if name == "id"]
    pictures = [name for name in names if name and re.fullmatch(r"[pm][0-9a-f]{10}", name)]
    assert len(names) - len(pictures) == len(set(names) - set(pictures))


def grids(sections: tuple[Section, ...]) -> Iterator[Grid]:
    """All tables."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Grid | Picture):
                yield block if isinstance(block, Grid) else block.grid


def test_page_and_markdown_tell_the_same(tmp_path: Path) -> None:
    report = incrowd.report(released(tmp_path))
    texts = " ".join(parsed(report.to_html().replace("<wbr>", "")).texts)
    markdown = re.sub(r"\\(.)", r"\1", report.to_markdown())
    several = list(grids(report.sections))
    assert len(several) > 8
    for grid in several:
        assert grid.caption in texts
        assert f"**{grid.caption}**" in markdown
        for row in grid.rows:
            assert "| " + " | ".join(map(shown, row)) + " |" in markdown
            assert all(shown(cell) in texts for cell in row)


def test_every_column_of_a_table_has_a_name(tmp_path: Path) -> None:
    made = released(tmp_path)
    measured = incrowd.measure(tmp_path / "rows.csv", tmp_path / "release.csv", metrics=["loss"])
    for of in (made, measured, tmp_path / "rows.csv"):
        assert [grid.caption for grid in grids(incrowd.report(of).sections) if not all(grid.headers)] == []


def test_tables_tell_the_facts(tmp_path: Path) -> None:
    report = incrowd.report(released(tmp_path))
    facts = report.to_dict()
    rows = {grid.caption: grid.rows for grid in grids(report.sections)}
    assert [row[2] for row in rows["Class sizes"]] == [each["records"] for each in facts["sizes"] if each["classes"]]
    exposed = {each["attack"]: each["records"] for each in facts["sensitive"][0]["exposures"]}
    told = {attack: records for attack, records in exposed.items() if records is not None}
    assert {row[0]: row[2] for row in rows["disease: 5 values"]} == told
    assert all(attack in report.to_markdown().replace("\\", "") for attack in exposed)
    assert [row[1] for row in rows["Scores"]] == [each["value"] for each in facts["scores"]]


def test_equal_releases_make_equal_reports(tmp_path: Path) -> None:
    made = released(tmp_path)
    assert incrowd.report(made).to_html() == incrowd.report(made).to_html()


def test_files(tmp_path: Path) -> None:
    report: Report = incrowd.report(released(tmp_path))
    for ending, start in ((".html", "<!doctype html>"), (".md", "# Release"), (".json", "{")):
        path = tmp_path / f"report{ending}"
        report.write(path)
        assert path.read_text("utf-8").startswith(start)
        assert path.stat().st_mode & 0o077 == 0
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == report.to_dict()
    umask = os.umask(0o022)
    try:
        incrowd.report(tmp_path / "release.csv", "external").write(tmp_path / "external.html")
    finally:
        os.umask(umask)
    assert (tmp_path / "external.html").stat().st_mode & 0o777 == 0o644


def test_refusals(tmp_path: Path) -> None:
    report = incrowd.report(released(tmp_path))
    with pytest.raises(UsageError, match=r"the extension of the report file is '.pdf'"):
        report.write(tmp_path / "report.pdf")
    with pytest.raises(SourceError, match="no such folder"):
        report.write(tmp_path / "nowhere" / "report.html")
    with pytest.raises(UsageError, match="audience is 'everybody'"):
        incrowd.report(tmp_path / "release.csv", "everybody")
    with pytest.raises(IncrowdError, match="no such file"):
        incrowd.report(tmp_path / "nothing.csv")


def test_without_the_library_that_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    found = parsed(incrowd.report(released(tmp_path)).to_html())
    assert "svg" not in found.tags
    assert "town: before and as published" in found.texts


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "-"),
        (Share(0.5), "50.0%"),
        (1234, "1,234"),
        (1234.5, "1,234"),
        (0.12345, "0.1235"),
        (2.0, "2"),
        ("a\nb", "a\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_cells(cell: Any, text: str) -> None:
    assert shown(cell) == text
