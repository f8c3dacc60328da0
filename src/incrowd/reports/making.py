"""Make a report on a release, a table, a diagnosis, a comparison or a frontier."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any

from incrowd.anonymization import AnonymizationResult
from incrowd.comparison import Comparison
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.frontiers import Frontier
from incrowd.linked import LinkedResult
from incrowd.linked.released import ReleasedSet, released_set
from incrowd.release.tables import manifest_in
from incrowd.reports.comparison_facts import comparison_facts, frontier_facts
from incrowd.reports.comparison_words import comparison_sections, frontier_sections
from incrowd.reports.diagnosis_facts import answer_only, diagnosis_facts
from incrowd.reports.diagnosis_words import answer_sections, diagnosis_sections
from incrowd.reports.linked_facts import linked_facts
from incrowd.reports.linked_words import linked_sections
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
    if is_set(of):
        if population is not None:
            raise UsageError.invalid("population", "a release of several tables is compared with none", "omit it")
        return of_set(released_set(of, record, private), original, whom, watch)
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


def is_set(of: Any) -> bool:
    """Return whether something is a release of several tables: what a run returned, or their folder."""
    if isinstance(of, LinkedResult):
        return True
    is_path = isinstance(of, str | PathLike) and "://" not in fspath(of)
    return is_path and manifest_in(Path(fspath(of))) is not None


def of_set(given: ReleasedSet, original: Any, audience: Audience, watch: Watch) -> Report:
    """Return a report on a release of several tables; `original` names them as `tables_given` reads it."""
    facts = linked_facts(given, audience == Audience.INTERNAL, original, watch)
    title = "Release" if given.folder is None else f"Release {PurePath(facts.name).name}"
    subtitle = "Several tables about the same people: settings, results, guarantees and their limits"
    return Report(title, subtitle, audience, facts, linked_sections(facts))


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
