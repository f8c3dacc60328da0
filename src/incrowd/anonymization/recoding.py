"""From what a search chose to what is published for every combination."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from incrowd.anonymization.preparing import Prepared
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, text_forms
from incrowd.core.keys import among_used
from incrowd.core.matching import matching_records
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.core.table import MISSING, Codes
from incrowd.families import METRICS
from incrowd.metrics import Columns, Generalized, Levels
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.recodings.by_column import by_column
from incrowd.recodings.by_combination import SUPPRESSED, generalized, recode
from incrowd.recodings.by_parts import published_ladder
from incrowd.searches import CellsOutcome, LevelsOutcome, PartsOutcome, Problem, minimized_by
from incrowd.searches.lattice import Lattice

SCORES = ("loss", "precision", "discernibility", "average_class_size")
"""The scores of every full-domain release, beside the metric that the search minimized."""

LeveledOutcome = LevelsOutcome | CellsOutcome | PartsOutcome
"""Outcomes whose recoding has levels, of the columns or of single cells."""


def kept_combinations(lattice: Lattice, outcome: LeveledOutcome) -> NDArray[np.bool_]:
    """Return which of the combinations that the lattice decides on are published."""
    if isinstance(outcome, CellsOutcome):
        kept: NDArray[np.bool_] = (outcome.own_levels != SUPPRESSED).all(axis=0)
        if outcome.pieces is not None:
            # A combination is left out as a whole, so any of its pieces tells.
            pieces, kept = kept, np.zeros(lattice.combinations.combinations, dtype=np.bool_)
            kept[outcome.pieces[0][pieces]] = True
        return kept
    of, holds = lattice.classes_of(outcome.node.levels)
    return holds[of]


def published_levels(outcome: LeveledOutcome, kept: NDArray[np.bool_]) -> tuple[int | None, ...]:
    """Return the level of each quasi-identifier; None if it differs from cell to cell."""
    if not isinstance(outcome, CellsOutcome):
        return outcome.node.levels
    kept = kept if outcome.pieces is None else kept[outcome.pieces[0]]
    same = (outcome.own_levels[:, kept] == np.array(outcome.node.levels)[:, None]).all(axis=1)
    return tuple(level if alike else None for level, alike in zip(outcome.node.levels, same, strict=True))


def published_parts(problem: Problem, lattice: Lattice, kept: NDArray[np.bool_]) -> Problem:
    """Return the problem on the parts that a search made of its values, with labels for what is published of them."""
    there = kept & (lattice.combinations.counts > 0)
    columns = zip(problem.axes, problem.forms, lattice.problem.ladders, lattice.combinations.codes, strict=False)
    ladders = [published_ladder(axis, form, ladder, np.unique(codes[there])) for axis, form, ladder, codes in columns]
    return replace(lattice.problem, ladders=tuple(ladders))


def recoding_of(
    prepared: Prepared, lattice: Lattice, outcome: LeveledOutcome, levels: Sequence[int | None], kept: NDArray[np.bool_]
) -> RecodingMap:
    """Return the recoding of each combination of the source, those set aside included."""
    ladders = prepared.problem.ladders
    if None in levels:
        assert isinstance(outcome, CellsOutcome)
        found = recode(lattice.combinations, ladders, outcome.own_levels, outcome.pieces)
    else:
        found = by_column(lattice.decided, ladders, [level or 0 for level in levels], kept)
    return with_set_aside(found, prepared.counted, len(ladders))


def with_set_aside(recoding: RecodingMap, counted: FrequencySet, quasi: int) -> RecodingMap:
    """Return combinations that were not judged are not published; those of the population alone are not looked for."""
    everything = counted.project(recoding.combinations.names)
    there = recoding.combinations.counts > 0
    aside = _lacking(everything, recoding.combinations, quasi)
    if not len(aside) and there.all():
        return recoding
    assert recoding.pieces is None or there.all(), "groups know no population"
    combinations = FrequencySet(
        everything.names,
        everything.values,
        np.ascontiguousarray(np.hstack([recoding.combinations.codes[:, there], everything.codes[:, aside]])),
        np.concatenate([recoding.combinations.counts[there], everything.counts[aside]]),
    )
    pieces = recoding.pieces
    if pieces is not None:
        there = np.ones(len(pieces[0]), dtype=bool)
        beyond = recoding.combinations.combinations + np.arange(len(aside))
        pieces = np.concatenate([pieces[0], beyond]), np.concatenate([pieces[1], everything.counts[aside]])

    def longer(column: PublishedColumn) -> PublishedColumn:
        return replace(column, codes=np.concatenate([column.codes[there], np.zeros(len(aside), dtype=np.int32)]))

    columns = tuple(column and longer(column) for column in recoding.columns)
    kept = np.append(recoding.kept[there], np.zeros(len(aside), dtype=bool))
    added = {name: longer(column) for name, column in recoding.added.items()}
    return RecodingMap(combinations, kept, columns, pieces, added)


def _lacking(everything: FrequencySet, judged: FrequencySet, quasi: int) -> NDArray[np.int64]:
    """Return the positions of combinations that are not among those that were judged."""
    if everything.records == judged.records:
        return np.empty(0, dtype=np.int64)
    # Only records with a missing quasi-identifier are ever set aside; those come first, what is sensitive after them.
    return np.flatnonzero((everything.codes[:quasi] == MISSING).any(axis=0))


def shown_wiped(recoding: RecodingMap, outcome: LeveledOutcome) -> dict[int, str]:
    """Return by quasi-identifier the text of wiped cells that match anything, if the release has any."""
    found: dict[int, str] = {}
    if not isinstance(outcome, CellsOutcome):
        return found
    for at, (column, text) in enumerate(zip(recoding.columns, outcome.wiped, strict=False)):
        if text in (_shown_texts(recoding, at) if column is None else column.labels):
            found[at] = text
    return found


def _shown_texts(recoding: RecodingMap, at: int) -> set[str | None]:
    """Return the values of a column that is published as it is, without those of suppressed records alone."""
    texts = _texts(recoding, at)
    return {texts[code] for code in np.unique(recoding.codes(at)[recoding.kept]).tolist()}


def published_classes(
    recoding: RecodingMap, nulls: Nulls, quasi: int, wiped: Mapping[int, str] | None = None
) -> tuple[Counts, int]:
    """Return how large the classes of the release are, and the smallest; where some cells match everything, the fewest
    matches.

    The first `quasi` columns of the recoding are the quasi-identifiers; `wiped` says by column which text of theirs
    matches everything, in place of missing cells.
    """
    kept = recoding.kept
    if not kept.any():
        return np.zeros(0, dtype=np.int64), 0
    classes = recoding.classes(quasi)
    if nulls not in WILDCARDS and not wiped:
        return classes.sizes, classes.smallest
    codes = [recoding.published(column) for column in range(quasi)]
    if wiped:
        nulls = Nulls.MAYBE
        codes = [_with_wildcards(recoding, at, row, wiped.get(at)) for at, row in enumerate(codes)]
    released = FrequencySet(
        recoding.combinations.names[:quasi],
        tuple(range(int(row.max(initial=0))) for row in codes),
        np.array(codes),
        recoding.counts[kept],
    )
    return classes.sizes, int(matching_records(released.project(released.names), released.names, nulls).min())


def _with_wildcards(recoding: RecodingMap, at: int, codes: Codes, text: str | None) -> Codes:
    """Return codes in which 0 is a wiped cell, and missing is a value like others."""
    column = recoding.columns[at]
    texts = _texts(recoding, at) if column is None else [None, *column.labels]
    wild = np.array([text is not None and each == text for each in texts], dtype=np.bool_)
    return np.where(wild[codes], 0, codes + 1).astype(np.int32)


def _texts(recoding: RecodingMap, at: int) -> list[str | None]:
    """Return the values of a column that is published as it is, missing first."""
    values = recoding.combinations.values[at]
    return [None, *(text_forms(value)[0] for value in values.to_pylist())]


def scores_of(
    lattice: Lattice, ladders: Sequence[EncodedHierarchy], outcome: LeveledOutcome, kept: NDArray[np.bool_], chosen: str
) -> dict[str, float]:
    """Return the costs of what is published on these ladders, by the usual metrics and by what the search minimized."""
    problem = lattice.problem
    columns = Columns(lattice.combinations, tuple(ladders), problem.priorities or (1.0,) * len(ladders))
    if None in published_levels(outcome, kept):
        assert isinstance(outcome, CellsOutcome)
        recoding = recode(lattice.combinations, problem.ladders, outcome.own_levels, outcome.pieces)
        node = generalized(recoding, outcome.own_levels)
        found = {chosen: float(problem.metric.prepare(columns).score(node))}
    else:
        node = _full_domain(lattice, outcome.node.levels, kept)
        found = {chosen: float(outcome.node.score)}
        has_own_score = isinstance(outcome, PartsOutcome) and outcome.scored_by is not None
        if not has_own_score and ladders is not problem.ladders:
            found = {chosen: float(problem.metric.prepare(columns).score(node))}
    own = minimized_by(outcome.search)
    for name in SCORES if own is None else (own, *SCORES):
        if name not in found:
            found[name] = float(METRICS.module(name).METRIC().prepare(columns).score(node))
    return found


def _full_domain(lattice: Lattice, levels: Levels, kept: NDArray[np.bool_]) -> Generalized:
    """Return one node for all; what a search drops beforehand may be a part of a class."""
    of, _ = lattice.classes_of(levels)
    keys = of.astype(np.int64) * 2 + kept
    used, parts = among_used(keys, int(keys.max(initial=-1)) + 1)
    origins = np.empty(len(used), dtype=np.int64)
    # Backwards, so that the first one of each stays.
    origins[parts[::-1]] = np.arange(len(keys) - 1, -1, -1)
    sizes = np.zeros(len(origins), dtype=np.int64)
    np.add.at(sizes, parts, lattice.decided.counts)
    return Generalized(levels, sizes, kept[origins], lattice.origin_of[origins])
