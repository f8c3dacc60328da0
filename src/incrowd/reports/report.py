"""A report: facts as an HTML page, as Markdown or as plain data."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from incrowd.core.brief import Brief
from incrowd.errors import UsageError
from incrowd.files.outputs import check_outputs
from incrowd.files.whole import PRIVATE, PUBLIC, write_text
from incrowd.reports.blocks import Document, Grid, Listing, Picture, Points, Section, Words
from incrowd.reports.markdown import to_markdown
from incrowd.reports.page import to_html
from incrowd.results import Result
from incrowd.text import table

FORMS = (".html", ".md", ".json")


class Audience(StrEnum):
    """The people who may read a report."""

    INTERNAL = "internal"
    """People who may see the original table."""
    EXTERNAL = "external"
    """Recipients of the release: the report contains no values of records."""


_NOTICES = {
    Audience.INTERNAL: (
        "Internal. This report contains figures, and may contain values, of the original table. Give it only to "
        "people who may see that table. Do not share it with the release."
    ),
    Audience.EXTERNAL: "This report contains no value of any record. It may be shared wherever the data may be shared.",
}


class Facts(Protocol):
    """The content of a report, as plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Report(Brief, Result):
    """Settings and results, for people."""

    title: str
    subtitle: str
    audience: Audience
    facts: Facts
    sections: tuple[Section, ...]

    @cached_property
    def document(self) -> Document:
        """Return the report before it has a format."""
        private = self.audience == Audience.INTERNAL
        return Document(self.title, self.subtitle, _NOTICES[self.audience], private, self.sections)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each section: its title, and how much it holds."""
        return [
            {
                "section": each.title,
                "sentences": sum(isinstance(block, Words | Points) for block in each.blocks),
                "tables": sum(isinstance(block, Grid | Listing) for block in each.blocks),
                "pictures": sum(isinstance(block, Picture) for block in each.blocks),
            }
            for each in self.sections
        ]

    def parts(self) -> list[str]:
        """Return the title, who may read the report, and its sections; not what they say."""
        rows = self.to_rows()
        shown = table(tuple(rows[0]), [tuple(row.values()) for row in rows]) if rows else ""
        how = "To read it, write it to a file:\n  report.write('report.html')"
        return [f"{self.title}\n{self.subtitle}", self.document.notice, shown, how]

    def to_html(self) -> str:
        """Return the report as one HTML page that opens offline."""
        return to_html(self.document)

    def to_markdown(self) -> str:
        """Return the report as Markdown."""
        return to_markdown(self.document)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        # Through JSON, so that what is plain stays so.
        plain: dict[str, Any] = json.loads(json.dumps(self.facts.to_dict()))
        return {"audience": str(self.audience), **plain}

    def to_json(self) -> str:
        """Return the facts as a JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False) + "\n"

    def write(self, path: str | PathLike[str], replace: bool = False) -> None:
        """Write the report to a file, completely or not at all: HTML, Markdown or JSON, by its extension.

        A file that exists stays, unless it may be replaced. Only its owner may read an internal report.
        """
        check_writable(path)
        check_outputs([("the report", path)], (), replace)
        place = Path(path)
        forms = {".html": self.to_html, ".md": self.to_markdown, ".json": self.to_json}
        write_text(
            place, forms[place.suffix.lower()](), PRIVATE if self.audience == Audience.INTERNAL else PUBLIC, replace
        )


def check_writable(path: str | PathLike[str]) -> None:
    """Raise UsageError for a path that no report can be written to, before anything takes long."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise UsageError.not_one_of("the extension of the report file", suffix, FORMS)


def audience_of(given: object) -> Audience:
    """Return the audience of that name."""
    if given not in tuple(Audience):
        raise UsageError.not_one_of("audience", str(given), tuple(Audience))
    return Audience(str(given))
