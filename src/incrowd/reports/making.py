"""From what is given to the report on it."""

from __future__ import annotations

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

_BESIDE = "Several releases of one table, beside each other"
_DIAGNOSIS = "What was asked, what was found, and through which columns people stand out"


def make_report(
    of: Any, audience: str = "internal", original: Any = None, watch: Watch | None = None, population: Any = None
) -> Report:
    """A report on a release, a diagnosis, a comparison, a sweep, or on what lies at a path."""
    whom, watch = audience_of(audience), watch or Watch()
    private = whom == Audience.INTERNAL
    if population is not None and not (isinstance(of, AnonymizationResult) or is_release(of)):
        raise UsageError.senseless("a population", "only a release is held against it", "leave it out")
    if isinstance(of, AnonymizationResult):
        return of_release(release_made(of, original, private, population=population), whom, watch)
    if is_release(of):
        return of_release(release_at(of, original, is_private=private, population=population), whom, watch)
    if isinstance(of, Comparison):
        measured = comparison_facts(of, private)
        return Report("Releases compared", _BESIDE, whom, measured, comparison_sections(measured))
    if isinstance(of, Frontier):
        swept = frontier_facts(of, private)
        return Report("Releases within reach", _BESIDE, whom, swept, frontier_sections(swept))
    if isinstance(of, Answer):
        answered = answer_only(of)
        return Report(f"An answer to {of.question}", _DIAGNOSIS, whom, answered, answer_sections(answered))
    return of_diagnosis(of if isinstance(of, Diagnosis) else Diagnosis(read(of)), None, whom, watch)


def of_diagnosis(
    diagnosis: Diagnosis, answer: Answer | None, audience: Audience, watch: Watch, seconds: float | None = None
) -> Report:
    """A report on a table, with the answer to what was asked of it; `seconds` are for looking at sets of columns."""
    facts = diagnosis_facts(diagnosis, answer, audience == Audience.INTERNAL, watch, seconds)
    name = PurePath(facts.name).name if "://" not in facts.name else facts.name
    return Report(f"Who stands out in {name}", _DIAGNOSIS, audience, facts, diagnosis_sections(facts))


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
