"""What is compared with the claims of a release, one check a function."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from incrowd.errors import listed
from incrowd.models import Block
from incrowd.release import Manifest, Plain, PublishedQuasi, RecodedQuasi, Record
from incrowd.text import count
from incrowd.verification._covers import published_counts
from incrowd.verification._judges import UNFIT, Counts, Judge
from incrowd.verification._normal_form import is_normal
from incrowd.verification._population import cells
from incrowd.verification._tally import Tally
from incrowd.verification._verdict import Check, FailingClass

_SHOWN = 5
"""So many failing classes are named."""


def hash_check(claimed: str | None, found: str) -> Check:
    """The bytes of the file."""
    if found == claimed:
        return Check("hash", True, "the file is, byte for byte, the one that was released")
    return Check("hash", False, "the file is not the one that the manifest speaks of: its SHA-256 is another")


def columns_check(manifest: Manifest, found: Sequence[str]) -> Check:
    """The columns, their order, and that each has one role."""
    claimed = manifest.data.columns
    sensitive = manifest.sensitive if manifest.apart is None else (manifest.apart.group,)
    roles = [*(column.name for column in manifest.quasi), *sensitive, *manifest.kept]
    if Counter(roles) != Counter(claimed):
        return Check("columns", False, "the manifest does not give each column one role")
    lacking = [name for name in claimed if name not in found]
    beyond = [name for name in found if name not in claimed]
    if beyond and len(lacking) == len(claimed):
        # The file may have no header: then these are not names, but the cells of a record.
        return Check("columns", False, f"the data have none of the {count(len(claimed), 'column')} that are claimed")
    if lacking or beyond:
        told = [f"lacks {listed(lacking)}"] * bool(lacking) + [f"has {listed(beyond)} beyond them"] * bool(beyond)
        return Check("columns", False, f"of the columns that are claimed the data {' and '.join(told)}")
    if tuple(found) != claimed:
        return Check("columns", False, "the columns are in another order than claimed")
    return Check("columns", True, f"{count(len(claimed), 'column')}, as claimed, each with one role")


def records_check(manifest: Manifest, found: int) -> Check:
    """The number of records, and what became of those that were given."""
    if found != manifest.data.records:
        return Check("records", False, f"{count(found, 'record')}, but {manifest.data.records:,} are claimed")
    parts = manifest.data.records + manifest.suppressed + manifest.set_aside
    told = f"{found:,} published, {manifest.suppressed:,} suppressed, {manifest.set_aside:,} set aside"
    if parts != manifest.input_records:
        return Check("records", False, f"{told}: that is not {manifest.input_records:,}, which were given")
    if manifest.suppressed > manifest.suppress_limit:
        return Check("records", False, f"{told}: no more than {manifest.suppress_limit:,} might be suppressed")
    return Check("records", True, f"{told}, {manifest.input_records:,} given")


def missing_check(tally: Tally, quasi: Sequence[str]) -> Check:
    """Where records with a missing quasi-identifier are set aside, none is published."""
    lacking = [name for name in quasi if (None,) in tally.counter([name])]
    if lacking:
        return Check("missing", False, f"cells are missing in {listed(lacking)}, though such records are set aside")
    return Check("missing", True, "no quasi-identifier is missing")


def classes_check(manifest: Manifest, classes: int, smallest: int, wildcards: str | None) -> Check:
    """The number of classes and the smallest of them; where some cells match everything, the fewest matches."""
    fewest = "the smallest of" if wildcards is None else "each matched by at least"
    found = f"{count(classes, 'class')}, {fewest} {count(smallest, 'record')}"
    if (classes, smallest) == (manifest.classes, manifest.smallest):
        return Check("classes", True, f"{found}, as claimed")
    return Check("classes", False, f"{found}; claimed are {manifest.classes:,} and {manifest.smallest:,}")


def record_check(manifest: Manifest, record: Record) -> Check:
    """That the private record is that of this release."""
    same = (
        record.release == manifest.fingerprint
        and (record.combinations is not None or all(_has_level(column) for column in record.quasi))
        and [column.name for column in record.quasi] == [column.name for column in manifest.quasi]
        and all(_is_level_of(*pair) for pair in zip(manifest.quasi, record.quasi, strict=True))
        and [*map(_without_values, record.models)] == [*map(_without_values, manifest.models)]
    )
    return Check("record", same, "it is that of this release" if same else "it is that of another release")


def _is_level_of(told: PublishedQuasi, column: RecodedQuasi) -> bool:
    """The manifest tells the lowest level with all published labels, and only where the job declares the levels."""
    return told.level is None or column.level is None or told.level <= column.level


def _has_level(column: RecodedQuasi) -> bool:
    return column.level is not None and bool(column.rows) and all(len(row) > column.level for row in column.rows)


def _without_values(model: Plain) -> Plain:
    """A model without lists of values, of which a manifest shows only some."""
    shown = {name: of.items() for name, of in model.items()}
    return {name: {key: value for key, value in of if key not in ("order", "policy")} for name, of in shown.items()}


def reference_check(manifest: Manifest, release: Counts, given: Counts) -> Check:
    """That the release can have come from the table whose counts the record holds."""
    records = {manifest.input_records, manifest.input_records - manifest.set_aside}
    for columns, published in release.items():
        if columns not in given:
            return Check("reference", False, f"the record lacks the counts of {listed(columns)}")
        if given[columns].total() not in records or published - given[columns]:
            return Check("reference", False, f"the counts of {listed(columns)} in the record do not fit the release")
    return Check("reference", True, "the release fits the counts of the table that was given")


def cells_check(record: Record, tally: Tally) -> Check:
    """That the quasi-identifiers hold what the record says is published."""
    if record.combinations is not None:
        names = [column.name for column in record.quasi]
        claimed, found = published_counts(record), tally.counter(names)
        strange = sum(1 for cells in claimed.keys() | found.keys() if claimed[cells] != found[cells])
        where = f"{count(strange, 'combination')} of quasi-identifiers"
    else:
        strange_in = [
            column.name
            for column in record.quasi
            if {cell for (cell,) in tally.counter([column.name])} - set(cells(column).values())
        ]
        strange, where = len(strange_in), f"cells in {listed(strange_in)}"
    if strange:
        return Check("cells", False, f"{where} are not what the record says is published")
    return Check("cells", True, "the quasi-identifiers hold what the record says is published")


def wiped_check(manifest: Manifest, record: Record) -> Check:
    """That what matches anything is the top of a hierarchy, so that no value of the table is taken for a wiped cell."""
    strange = [name for name, shown in manifest.wiped.items() if not _only_at_the_top(name, shown, record)]
    if strange:
        return Check(
            "wiped", False, f"in {listed(strange)} wiped cells do not show what the manifest says matches anything"
        )
    return Check("wiped", True, "what matches anything is what the record says wiped cells show")


def _only_at_the_top(name: str, shown: str, record: Record) -> bool:
    """Whether a text is the top of a column's hierarchy, and below it no value and no label among others."""
    levels = [[*zip(*column.rows, strict=True)] for column in record.quasi if column.name == name]
    return all(
        set(top) == {shown} and not any(shown in level and len(set(level)) > 1 for level in below)
        for *below, top in levels
    ) and bool(levels)


def spelling_check(manifest: Manifest, record: Record | None, strange: Collection[str]) -> Check:
    """That cells of a normalized column, and the values behind them where the record tells them, are in that form."""
    found = set(strange)
    for name, values in _values_behind(record) if record else ():
        steps = manifest.normalized.get(name)
        if steps and not all(is_normal(value, steps) for value in values):
            found.add(name)
    if found:
        return Check("spelling", False, f"values of {listed(sorted(found))} are not in the normal form that is claimed")
    told = ", ".join(f"{name} ({', '.join(steps)})" for name, steps in manifest.normalized.items())
    return Check("spelling", True, f"each value has one spelling in {told}")


def _values_behind(record: Record) -> Iterator[tuple[str, Iterable[str | None]]]:
    yield from ((column.name, (row[0] for row in column.rows)) for column in record.quasi)
    yield from ((name, (row[0] for row in rows)) for name, rows in record.ladders.items())
    if record.combinations is not None:
        yield from zip(record.combinations.names, record.combinations.values, strict=True)
    for reference in record.reference:
        yield from ((name, (value[at] for value in reference.values)) for at, name in enumerate(reference.columns))


def model_checks(
    judges: Sequence[Judge], blocks: Iterable[tuple[int | None, Block]]
) -> tuple[list[Check], list[FailingClass]]:
    """Every model on every class; and the classes that fail any of them."""
    failing: dict[int, list[FailingClass]] = {at: [] for at, judge in enumerate(judges) if judge.holds is not None}
    unfit = {at for at, judge in enumerate(judges) if not judge.fits}
    failing_any: dict[FailingClass, None] = {}
    judged = 0
    for number, block in blocks:
        judged += 1
        for at in failing:
            if at not in unfit and not _holds(judges[at], block, at, unfit):
                failing[at].append(FailingClass(number, block.size))
                failing_any.update({failing[at][-1]: None})
    checks = [
        Check(judge.name, False, "it cannot be applied: the values do not fit its order, hierarchy or counts")
        if at in unfit
        else _model_check(judge, failing.get(at, []), judged)
        for at, judge in enumerate(judges)
    ]
    return checks, list(failing_any)[:_SHOWN]


def _holds(judge: Judge, block: Block, at: int, unfit: set[int]) -> bool:
    assert judge.holds is not None
    try:
        return judge.holds(block)
    except UNFIT:
        unfit.add(at)
        return True


def _model_check(judge: Judge, failing: Sequence[FailingClass], judged: int) -> Check:
    if judge.holds is None:
        return Check(judge.name, None, judge.basis)
    if not failing:
        return Check(judge.name, True, judge.basis)
    shown = ", ".join(map(str, failing[:_SHOWN]))
    more = f" and {len(failing) - _SHOWN:,} more" if len(failing) > _SHOWN else ""
    return Check(judge.name, False, f"{len(failing):,} of {judged:,} classes fail: {shown}{more}")
