"""Next month's release: a recoding that was found before, on new data of the same shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from incrowd.anonymization.infeasible import NoRelease, allowed, suppressed
from incrowd.anonymization.levels import needed_levels
from incrowd.anonymization.preparing import Lay
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.table import text_array
from incrowd.errors import UsageError
from incrowd.formats import format_of
from incrowd.formats.described import location_of
from incrowd.hierarchies import build, follows_rule
from incrowd.jobs import Job
from incrowd.metrics import Levels
from incrowd.release import Record
from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, Problem
from incrowd.searches.lattice import lattice_of
from incrowd.text import number
from incrowd.watch import Watch


@dataclass(frozen=True)
class AtLevels(LevelsSearch):
    """No search: the levels of an earlier release."""

    levels: Levels

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome:
        """Count that one node; refuse it where it would cost more records than may be suppressed."""
        watch.tick("applying the recoding")
        lattice = lattice_of(replace(problem, minimum=self.levels, limit=self.levels))
        node = lattice.count(self.levels)
        watch.tick("applying the recoding", 1)
        if not node.feasible:
            limit = f"{number(problem.budget)} may be" if problem.people is None else allowed(problem)
            raise NoRelease(
                f"the recoding does not fit the new data: it would suppress {suppressed(problem, node)}, and "
                f"{limit}; run the full job on the new data",
                node,
                (),
                problem.quasi,
            )
        return LevelsOutcome(
            search="applied",
            guarantee=Guarantee.HEURISTIC,
            node=node,
            counted=1,
            lattice=1,
            stopped="done",
            gap=None,
        )


def read_alike(
    before: Mapping[str, Any],
    sources: Sequence[str | Mapping[str, Any]],
    table: str | None = None,
    query: str | None = None,
) -> dict[str, Any]:
    """Return new data as a job names them: read as the earlier ones (`before`) in all that applies to their format.

    A table or query that is given is read instead. That of the earlier data means nothing if one of both is a file
    and the other a database. Of several earlier sources with options of their own, a new one is read as the only one of
    its kind was.
    """
    earlier = before.get("source", ())
    earlier = list(earlier) if isinstance(earlier, list | tuple) else [earlier]
    plain = [each for each in sources if isinstance(each, str)]
    known = {name for each in plain for name in format_of(each).OPTIONS}
    given = {name: text for name, text in (("table", table), ("query", query)) if text is not None}
    alone = [each for each in earlier if isinstance(each, str)]
    if given or _is_database(alone) != _is_database(plain):
        known -= {"table", "query"}
    alike = [each if given else _alike(each, earlier) for each in sources]
    return {**_of(before, known | {"missing", "prepare"}), **given, "source": alike}


def _alike(source: str | Mapping[str, Any], earlier: Sequence[Any]) -> str | Mapping[str, Any]:
    """Return a new source with the options of the only earlier one of its kind, where that had options of its own."""
    if not isinstance(source, str):
        return source
    same = [each for each in earlier if _is_database([str(location_of(each))]) == _is_database([source])]
    if len(same) != 1 or isinstance(same[0], str):
        return source
    own = _of(same[0], set(format_of(source).OPTIONS))
    return {"url" if "://" in source else "file": source, **own}


def _of(before: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in before.items() if name in names}


def _is_database(sources: Sequence[str]) -> bool:
    return any("://" in each for each in sources)


def levels_of(record: Record) -> Levels:
    """Return the levels of an earlier release."""
    levels = [column.level for column in record.quasi]
    if None in levels:
        raise UsageError.invalid(
            "applying this record",
            "cell-level recoding cannot be reused on new data",
            "run the full job on the new data, or make releases with --uniform to reuse their recoding",
        )
    return tuple(level for level in levels if level is not None)


def hierarchies_of(record: Record, job: Job) -> dict[str, Lay]:
    """Return the hierarchies that were used, whatever has become of the files that they came from."""
    return {name: partial(for_values, job, name, known) for name, known in _recorded(record).items()}


def for_values(job: Job, name: str, known: Hierarchy, values: pa.Array) -> Hierarchy:
    """Return the hierarchy that was used; longer by new values where it follows a rule, and no label of an old one
    changes."""
    spec = job.columns[name].spec(name)
    texts = set(known.values)
    forms = [text_forms(value) for value in plain(values)]
    lacking = [each[0] for each in forms if texts.isdisjoint(each)]
    if not lacking or not follows_rule(spec, name):
        return known
    try:
        longer = needed_levels(
            job, name, build(spec, text_array([*known.values, *lacking]), name, None, job.columns[name].steps)
        )
    except UsageError:
        # No number, no date, or beyond the domain that was given: refused as any value that is not known.
        return known
    rows = {row[0]: row for row in longer.rows}
    same = all(rows[row[0]] == row for row in known.rows)
    return longer.with_losses(known.losses) if same else known


def _recorded(record: Record) -> dict[str, Hierarchy]:
    found = {
        column.name: Hierarchy.from_rows(column.rows, column.losses, name=f"the hierarchy of column {column.name!r}")
        for column in record.quasi
    }
    return found | {
        name: Hierarchy.from_rows(rows, name=f"the hierarchy of column {name!r}")
        for name, rows in record.ladders.items()
    }
