"""The evaluation of each model on a class: exact if the reference is known, otherwise within a stated margin.

Classes are compared with the original table. The manifest does not have its distribution, because together with the
release that would disclose the suppressed records; the private record has it. Without the private record: of n input
records s were suppressed, so a value with r records in the release had from r to r + s in the original table. A model
that fails for every such table fails; one that does not is consistent with its claim. Records set aside count as
suppressed: if they were not part of the table, that only widens the margin.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from incrowd.errors import IncrowdError, SourceError
from incrowd.models import Block, PrivacyModel, Reference, from_dict, unpublished
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.of_people import promised
from incrowd.release import Ladders, Manifest, Plain, Record, ReferenceCounts
from incrowd.text import count
from incrowd.verification._classes import Columns
from incrowd.verification._tally import Value

Holds = Callable[[Block], bool]
Counts = Mapping[Columns, "Counter[Value]"]

UNFIT = (IncrowdError, LookupError, ValueError, ArithmeticError, TypeError, StopIteration)
"""The errors a model raises for values that do not fit its order, hierarchy or counts."""

_ROUNDING = 1e-9


class Judge(NamedTuple):
    """A model as it is applied."""

    name: str
    basis: str
    """The guarantee and its reference; or what is needed to evaluate it."""
    holds: Holds | None
    """None if it is not evaluated."""
    fits: bool = True
    """True if the values fit its order, hierarchy and counts."""


def check_name(model: Plain) -> str:
    """Return a model with its numbers and columns, without lists of values."""
    [(name, parameters)] = model.items()
    options = ",".join(f"{key}={value}" for key, value in parameters.items() if key not in ("order", "policy"))
    return f"{name}:{options}" if options else str(name)


def judges(manifest: Manifest, record: Record | None, release: Counts, with_people: bool) -> list[Judge]:
    """Return a judge for each model that the release claims."""
    return [_judge(plain, manifest, record, release, with_people) for plain in (record or manifest).models]


def _judge(plain: Plain, manifest: Manifest, record: Record | None, release: Counts, with_people: bool) -> Judge:
    model, name = from_dict(plain), check_name(plain)
    if model.needs_population and not with_people:
        lacking = "the population table and the private record (--population FILE --record FILE)"
        return Judge(name, f"needs {lacking}", None)
    if unpublished(model):
        return _guarded(name, model, record)
    if isinstance(model, ConsistentK):
        return Judge(name, model.promise(), None)
    if not model.needs_reference:
        return Judge(name, promised(model, manifest.apart is not None), _exactly(model, Reference({}, {})))
    try:
        ladders = ladders_of((record or manifest).ladders)
        if record is not None:
            return _compared(name, model, Reference(counts_of(record.reference), ladders))
        return _within(plain, model, Reference(release, ladders), manifest.suppressed + manifest.set_aside)
    except UNFIT:
        return Judge(name, model.promise(), None, fits=False)


def _compared(name: str, model: PrivacyModel, given: Reference) -> Judge:
    return Judge(name, f"{model.promise()} Compared with the original table.", _exactly(model, given))


def _guarded(name: str, model: PrivacyModel, record: Record | None) -> Judge:
    """Return the judge of a model whose guards only the private record has."""
    if record is None or record.combinations is None:
        return Judge(name, "needs the private record, which has the guard of each record (--record FILE)", None)
    try:
        ladders = ladders_of(record.ladders)
    except UNFIT:
        return Judge(name, model.promise(), None, fits=False)
    return Judge(name, f"{model.promise()} Guards as in the private record.", _exactly(model, Reference({}, ladders)))


def _within(plain: Plain, model: PrivacyModel, release: Reference, left_out: int) -> Judge:
    name, promise = check_name(plain), model.promise()
    lacking = getattr(model, "needs_hierarchy", False) and any(name not in release.ladders for [name] in model.needs)
    if lacking or getattr(model, "needs_leaves", False):
        # The manifest shows only the leaves that the release has, and no hierarchy that the job does not declare.
        return Judge(name, "needs the private record (--record FILE)", None)
    if left_out == 0:
        return Judge(name, f"{promise} Compared with the release, which suppresses nothing.", _exactly(model, release))
    [kind] = plain
    if kind not in _MARGINS:
        return Judge(name, "needs the private record (--record FILE)", None)
    basis = (
        f"{promise} Checked within a margin of {count(left_out, 'unpublished record')}; "
        "the private record proves it exactly (--record FILE)."
    )
    return Judge(name, basis, _MARGINS[kind](model, release, left_out))


def counts_of(reference: Sequence[ReferenceCounts]) -> dict[Columns, "Counter[Value]"]:
    """Return the counts of the original table."""
    if any(len(each.values) != len(each.counts) for each in reference):
        raise SourceError.of("the private record", "'reference' lacks counts or values", "get the private record again")
    return {each.columns: Counter(dict(zip(each.values, each.counts, strict=True))) for each in reference}


def ladders_of(ladders: Ladders) -> dict[str, dict[str | None, tuple[str, ...]]]:
    """Return the labels of each value, by column; raise if they are not a tree with one top."""
    return {column: _ladder(rows) for column, rows in ladders.items()}


def _ladder(rows: Sequence[Sequence[str | None]]) -> dict[str | None, tuple[str, ...]]:
    """Return the labels of each value; raise if they are not a tree with one top."""
    parents: list[dict[str | None, str | None]] = [{} for _ in rows[0][1:]] if rows else []
    for row in rows:
        if len(row) != len(parents) + 1 or not all(row[1:]):
            raise ValueError
        # The value None is a missing cell, and not a label.
        for level, (label, above) in enumerate(pairwise(row)):
            if parents[level].setdefault(label, above) != above:
                raise ValueError
    if rows and (not parents or len(set(parents[-1].values())) > 1):
        raise ValueError
    return {row[0]: tuple(map(str, row[1:])) for row in rows}


def _exactly(model: PrivacyModel, reference: Reference) -> Holds:
    def holds(block: Block) -> bool:
        return model.textbook(block, reference)

    return holds


def _close(model: Any, release: Reference, left_out: int) -> Holds:
    """Return t-closeness to the release R, with a larger t.

    The table P is (n - s)/n R + s/n Q, Q being the distribution of the s suppressed records. No two values are more
    than 1 apart, so moving the share s/n of Q to where R has it costs at most s/n: EMD(R, P) <= s/n. By the triangle
    inequality EMD(class, R) <= EMD(class, P) + EMD(P, R) <= t + s/n for every class that satisfies the model.

    Ordered distance is measured in steps of 1/(m - 1) between the m values of the table. The release may lack up to s
    of them, which makes its steps longer, at most from 1/(m' - 1 + s) to 1/(m' - 1) if it has m' values; distances
    measured in it are longer by no more than that factor.
    """
    values = release.values[model.columns]
    steps = max(1, len(values) - 1)
    stretch = (steps + left_out) / steps if model.distance == "ordered" else 1.0
    most = (model.t + left_out / (values.total() + left_out)) * stretch + _ROUNDING
    return _exactly(replace(model, t=min(1.0, most)), release)


def _gaining(model: Any, release: Reference, left_out: int) -> Holds:
    """Return beta-likeness with every value as frequent in the original table as possible, which allows the most.

    q (1 + beta) and q (1 - ln q), which the share of a value in a class may not exceed, both rise with q up to 1.
    """

    def holds(block: Block) -> bool:
        counts, values = block.values[model.columns], release.values[model.columns]
        n = values.total() + left_out
        tested = [value for value in counts if counts[value] * n > (values[value] + left_out) * block.size]
        return all(_alone(model, block, value, values[value] + left_out, n) for value in tested)

    return holds


def _alike(model: Any, release: Reference, left_out: int) -> Holds:
    """Return delta-disclosure with the original share nearest to the share in the class: |ln(p/q)| is least there.

    All other values of the class together keep within delta where each of them does, since the sum of their p's is
    within the same factor of the sum of their q's. Where values that the class lacks are ignored, theirs are no part
    of that sum; they get what makes p and q of the others equal, as far as there is so much.
    """

    def holds(block: Block) -> bool:
        counts, values = block.values[model.columns], release.values[model.columns]
        n, size = values.total() + left_out, block.size
        for value, there in values.items():
            here = counts[value] * n
            nearest = min(max(here, there * size), (there + left_out) * size)
            ignored = max(0, here - nearest) if model.absent == "ignored" else 0
            if nearest != here and not _alone(model, block, value, nearest, n * size, ignored):
                return False
        return True

    return holds


def _nearer(model: Any, release: Reference, left_out: int) -> Holds:
    """Return range_diversity in the domain of the release.

    The domain of the table is at least as large, so two values are at least as near to each other there: a class that
    fails here fails there.
    """
    return _exactly(model, release)


def _alone(model: Any, block: Block, value: Value, in_table: int, n: int, ignored: int = 0) -> bool:
    """Return the model for one value against all others together, some of which the class may lack."""
    here = block.values[model.columns][value]
    others, lacking = ((*value[:-1], f"{word} {value[-1]}") for word in ("not", "never"))
    in_class = Counter({value: here, others: block.size - here})
    table = Counter({value: in_table, others: n - in_table - ignored, lacking: ignored})
    # Unary plus drops what occurs never.
    return bool(model.textbook(Block(block.size, {model.columns: +in_class}), Reference({model.columns: +table}, {})))


_MARGINS: Mapping[str, Callable[[Any, Reference, int], Holds]] = {
    "t_closeness": _close,
    "basic_beta": _gaining,
    "enhanced_beta": _gaining,
    "delta_disclosure": _alike,
    "range_diversity": _nearer,
}
