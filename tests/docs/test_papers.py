"""Each of the five papers has a page that names every numbered definition, algorithm, table and figure of it."""

import re
from pathlib import Path

import pytest

from markdown_blocks import blocks_of

PAPERS = Path(__file__).parents[2] / "docs" / "papers"
SECTIONS = ["Terms", "Definitions", "Algorithms", "Examples", "Experiments", "What differs"]


def series(chapter: str, last: int) -> list[str]:
    """Return the numbers 1 to last of a chapter, or of the whole paper."""
    return [f"{chapter}{number}" for number in range(1, last + 1)]


# What the papers number. The lecture numbers nothing.
NUMBERED: dict[str, dict[str, list[str]]] = {
    "diagnosis-centre": {
        "Definition": series("", 3),
        "Lemma": series("", 2),
        "Algorithm": series("", 4),
        "Figure": series("", 15),
        "Q": series("", 12),
    },
    "privacyfrost2": {"Figure": series("", 3), "Table": series("", 3)},
    "samarati": {},
    "loukides": {
        "Definition": [
            *series("2.1.", 7),
            *series("3.1.", 4),
            *series("3.2.", 2),
            *series("5.1.", 5),
            *series("5.2.", 5),
        ],
        "Theorem": [*series("3.2.", 2), *series("3.3.", 2), "5.2.1"],
        "Algorithm": series("", 6),
        "Example": [*series("3.1.", 4), "3.2.1"],
        "Table": [
            *series("1.", 5),
            *series("2.", 14),
            *series("3.", 10),
            *series("4.", 8),
            *series("5.", 3),
            *series("6.", 5),
        ],
        "Figure": [*series("2.", 11), *series("3.", 11), *series("4.", 13), "5.1", *series("6.", 37)],
    },
    "anon": {"Algorithm": series("", 3), "Figure": series("", 7), "Table": series("", 4)},
}

_LIST = r"(?:\d+(?:\.\d+)*(?:,\s+(?:and\s+)?|\s+and\s+|\s+to\s+)?)+"


def named(text: str, kind: str) -> set[str]:
    """Return the numbers that stand behind a kind, singly, in lists ("Tables 1, 2 and 4") or in ranges ("1 to 4")."""
    plural = "Lemmas?|Lemmata" if kind == "Lemma" else f"{kind}s?"
    gap = r"\s*" if kind == "Q" else r"\s+"
    found = listed_under(text, kind)
    for match in re.finditer(rf"\b(?:{plural}){gap}({_LIST})", text, re.IGNORECASE):
        words = re.findall(r"\d+(?:\.\d+)*|to", match[1])
        for at, word in enumerate(words):
            if word != "to":
                found.add(word)
            elif 0 < at < len(words) - 1:
                found.update(between(words[at - 1], words[at + 1]))
    return found


def listed_under(text: str, kind: str) -> set[str]:
    """Return the numbers in the first column of tables that are headed by a kind."""
    found: set[str] = set()
    heading = ""
    for line in text.splitlines():
        first = line.split("|")[1].strip() if line.startswith("|") else ""
        heading = heading or first.lower() if first else ""
        if heading == kind.lower():
            found.update(re.findall(r"(?:^|; |, )(\d+(?:\.\d+)*)\b", first))
    return found


def between(first: str, last: str) -> list[str]:
    """Return the numbers from one to another of the same chapter."""
    chapter, _, low = first.rpartition(".")
    other, _, high = last.rpartition(".")
    assert chapter == other, f"{first} to {last} are not of one chapter"
    return [f"{chapter}.{number}".lstrip(".") for number in range(int(low), int(high) + 1)]


def text_of(paper: str) -> str:
    """Return a page, and beside that of the thesis the pages of its experiments."""
    pages = [PAPERS / f"{paper}.md"]
    if paper == "loukides":
        pages += [PAPERS.parent / "thesis.md", *sorted((PAPERS.parent / "thesis").glob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("paper", NUMBERED)
def test_a_page_names_everything_that_its_paper_numbers(paper: str) -> None:
    text = text_of(paper)
    missing = {
        kind: absent
        for kind, numbers in NUMBERED[paper].items()
        if (absent := [number for number in numbers if number not in named(text, kind)])
    }
    assert missing == {}


@pytest.mark.parametrize("paper", NUMBERED)
def test_a_page_has_the_sections_and_runs_something(paper: str) -> None:
    page = PAPERS / f"{paper}.md"
    assert re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE) == SECTIONS
    assert sum(block.runs and block.language in ("console", "python") for block in blocks_of(page)) >= 2


def test_numbers_are_found_in_lists_and_ranges() -> None:
    text = "Figure 1, figures 3 to 5, Tables 2.1, 2.3 and 2.5; Q1 to Q3, Q7"
    assert named(text, "Figure") == {"1", "3", "4", "5"}
    assert named(text, "Table") == {"2.1", "2.3", "2.5"}
    assert named("Q7 and Q1", "Q") == {"1", "7"}
    assert named("nothing", "Q") == set()
    assert named("| definition | here |\n|---|---|\n| 1.1, 1.3 a; 2.1 b | 7 |\n\n| 9 | 9 |", "Definition") == {
        "1.1",
        "1.3",
        "2.1",
    }
