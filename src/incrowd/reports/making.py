"""Make a report on a release, a table, a diagnosis, a comparison or a frontier."""

from __future__ import annotations

from os import PathLike
from pathlib import PurePath
from typing import Any

from incrowd.anonymization import AnonymizationResult
from incrowd.comparison import Comparison
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.frontiers import Frontier
from incrowd.reports.comparison_facts import comparison_facts, frontier_facts
from incrowd.reports.comparison_words import comparison_sections, frontier_sections
from incrowd.reports.diagnosis_facts import answer_only, diagnosis_facts
from incrowd.reports.diagnosis_words import answer_sections, diagnosis_sections
from incrowd.reports.reading import GivenRelease, is_release, release_at, release_made
from incrowd.reports.release_facts import release_facts
from incrowd.reports.release_words import release_sections
from incrowd.reports.report import Audience, Report, audience_of
from incrowd.watch import Watch

_SEVERAL = "Several releases of one table"
_DIAGNOSIS = "Unique records, and the columns that single them out"


def make_report(
    of: Any,
    audience: str = "internal",
    original: Any = None,
    watch: Watch | None = None,
    population: Any = None,
    record: str | PathLike[str] | None = None,
    seconds: float | None = None,
) -> Report:
    """Report on a release, a diagnosis, a comparison, a frontier, or what is at a path.

    `record` is the private record of a release at a path, `seconds` the limit for looking at sets of columns.
    """
    whom, watch = audience_of(audience), watch or Watch()
    private = whom == Audience.INTERNAL
    if population is not None and not (isinstance(of, AnonymizationResult) or is_release(of)):
        raise UsageError.invalid("population", "only reports on releases use one", "omit it")
    if record is not None and not is_release(of):
        raise UsageError.invalid("private record", "only a release at a path has one elsewhere", "omit it")
    if isinstance(of, AnonymizationResult):
        return of_release(release_made(of, original, private, population=population), whom, watch)
    if is_release(of):
        return of_release(release_at(of, original, record, is_private=private, population=population), whom, watch)
    if isinstance(of, Comparison):
        measured = comparison_facts(of, private)
        return Report("Comparison of releases", _SEVERAL, whom, measured, comparison_sections(measured))
    if isinstance(of, Frontier):
        swept = frontier_facts(of, private)
        return Report("Risk-utility frontier", _SEVERAL, whom, swept, frontier_sections(swept))
    if isinstance(of, Answer):
        answered = answer_only(of)
        return Report(f"Answer to {of.question}", _DIAGNOSIS, whom, answered, answer_sections(answered))
    return of_diagnosis(of if isinstance(of, Diagnosis) else Diagnosis(read(of)), None, whom, watch, seconds)


def of_diagnosis(
    diagnosis: Diagnosis, answer: Answer | None, audience: Audience, watch: Watch, seconds: float | None = None
) -> Report:
    """Return a report on a table, with an answer if given; `seconds` limits the search among sets of columns."""
    facts = diagnosis_facts(diagnosis, answer, audience == Audience.INTERNAL, watch, seconds)
    name = PurePath(facts.name).name if "://" not in facts.name else facts.name
    return Report(f"Diagnosis of {name}", _DIAGNOSIS, audience, facts, diagnosis_sections(facts))


def of_release(given: GivenRelease, audience: Audience, watch: Watch) -> Report:
    """Return a report on a release."""
    facts = release_facts(given, audience == Audience.INTERNAL, watch)
    name = PurePath(facts.name).name if "://" not in facts.name else facts.name
    return Report(
        f"Release {name}" if name != "the release" else "Release",
        "Settings, results, guarantees and their limits",
        audience,
        facts,
        release_sections(facts),
    )
