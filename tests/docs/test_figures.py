"""Numbers that pages state by hand are those of the code and of the benchmarks."""

import re
import tomllib
from pathlib import Path

import pytest

from incrowd.families import members

ROOT = Path(__file__).parents[2]
UNITS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(number: int) -> str:
    """A number below a hundred."""
    tens, units = divmod(number, 10)
    if tens == 1:
        return TEENS[units]
    return "-".join(part for part in (TENS[tens], UNITS[units]) if part)


def words_of(path: str) -> str:
    """A page as one line."""
    return " ".join((ROOT / path).read_text("utf-8").split())


@pytest.mark.parametrize(
    ("page", "before_link", "family", "constant"),
    [
        ("README.md", "{} [privacy models](docs/models.md)", "models", "MODEL"),
        ("README.md", "{} [metrics](docs/metrics.md)", "metrics", "METRIC"),
        ("README.md", "{} [searches](docs/searches.md)", "searches", "SEARCH"),
        ("docs/comparison.md", "[{}](models.md), any number at a time", "models", "MODEL"),
    ],
)
def test_counts(page: str, before_link: str, family: str, constant: str) -> None:
    assert before_link.format(in_words(len(members(family, constant)))) in words_of(page)


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (released,) = re.findall(
        rf"^## {re.escape(project['version'])} \((\d+)-", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    author = project["authors"][0]["name"]
    cited = words_of("docs/cite.md")
    assert (
        f"> {author} ({released}). *Incrowd* (version {project['version']}) [software]. {project['license']}." in cited
    )
    for key, value in {"author": f"{{{author}}}", "version": project["version"], "year": released}.items():
        assert re.search(rf"{key} *= {re.escape(f'{{{value}}}')}", cited)


def test_speeds() -> None:
    table = words_of("README.md").partition("## How fast it is")[2].partition("## More")[0]
    measured = words_of("benchmarks/README.md")
    figures = re.findall(r"\d[\d.,]* (?:s CPU|s\b|MB)", table)
    assert len(figures) > 10
    assert [figure for figure in figures if figure not in measured] == []
