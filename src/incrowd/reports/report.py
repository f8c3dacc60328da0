"""A report: facts, told as a page, as Markdown or as plain data."""

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
from incrowd.reports.blocks import Document, Section
from incrowd.reports.markdown import to_markdown
from incrowd.reports.page import to_html

FORMS = (".html", ".md", ".json")


class Audience(StrEnum):
    """Who may read a report."""

    INTERNAL = "internal"
    """Those who may see the original table."""
    EXTERNAL = "external"
    """Whoever gets the release: no value of any record is in it."""


_NOTICES = {
    Audience.INTERNAL: (
        "Internal. This report holds figures, and may hold values, of the original table. It is for those who may see "
        "that table, and must not go where a release goes."
    ),
    Audience.EXTERNAL: "This report holds no value of any record. It may go where the data that it speaks of may go.",
}


class Facts(Protocol):
    """What a report tells, as plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Report(Brief):
    """What was asked and what was found, for people."""

    title: str
    subtitle: str
    audience: Audience
    facts: Facts
    sections: tuple[Section, ...]

    @cached_property
    def document(self) -> Document:
        """The report before it has a form."""
        private = self.audience == Audience.INTERNAL
        return Document(self.title, self.subtitle, _NOTICES[self.audience], private, self.sections)

    def to_html(self) -> str:
        """One page that opens offline."""
        return to_html(self.document)

    def to_markdown(self) -> str:
        """The same as Markdown."""
        return to_markdown(self.document)

    def to_dict(self) -> dict[str, Any]:
        """The same facts as plain data."""
        # Through JSON, so that what is plain stays so.
        plain: dict[str, Any] = json.loads(json.dumps(self.facts.to_dict()))
        return {"audience": str(self.audience), **plain}

    def to_json(self) -> str:
        """The same as a text."""
        return json.dumps(self.to_dict(), ensure_ascii=False) + "\n"

    def write(self, path: str | PathLike[str], replace: bool = False) -> None:
        """Put it into a file, whole or not at all: HTML, Markdown or JSON, by its ending.

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
    """Refuse a place where no report can go, before anything takes long."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise UsageError.not_one_of("the ending of the report's file", suffix, FORMS)


def audience_of(given: object) -> Audience:
    """Who is to read it."""
    if given not in tuple(Audience):
        raise UsageError.not_one_of("the audience", str(given), tuple(Audience))
    return Audience(str(given))
