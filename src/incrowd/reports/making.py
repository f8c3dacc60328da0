"""From what is given to the report on it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from incrowd.anonymization import Anonymized
from incrowd.reports.reading import GivenRelease, is_release, release_at, release_made
from incrowd.reports.release_facts import release_facts
from incrowd.reports.release_words import release_sections
from incrowd.reports.report import Audience, Report, audience_of
from incrowd.watch import Watch


def make_report(of: Any, audience: str = "internal", original: Any = None, watch: Watch | None = None) -> Report:
    """A report on a release, a diagnosis, a comparison, a sweep, or on what lies at a path."""
    whom, watch = audience_of(audience), watch or Watch()
    private = whom == Audience.INTERNAL
    if isinstance(of, Anonymized):
        return of_release(release_made(of, original, private), whom, watch)
    if is_release(of):
        return of_release(release_at(of, original, is_private=private), whom, watch)
    raise NotImplementedError


def of_release(given: GivenRelease, audience: Audience, watch: Watch) -> Report:
    """A report on a release."""
    facts = release_facts(given, audience == Audience.INTERNAL, watch)
    name = PurePath(facts.name).name if "://" not in facts.name else facts.name
    return Report(
        f"The release {name}" if name != "the release" else "The release",
        "What was asked, what was found, and what is promised",
        audience,
        facts,
        release_sections(facts),
    )
