"""The checks of a release against its claims, one function each."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from incrowd.errors import listed
from incrowd.models import Block
from incrowd.release import Manifest, Plain, PublishedQuasi, RecodedQuasi, Record
from incrowd.text import count
from incrowd.verification._ends import columns_of
from incrowd.verification._judges import UNFIT, Counts, Judge
from incrowd.verification._normal_form import is_normal
from incrowd.verification._pieces import published_cells
from incrowd.verification._population import cells
from incrowd.verification._tally import Tally, differing
from incrowd.verification._verdict import Check, FailingClass

_SHOWN = 5
"""The number of failing classes that are named."""


def hash_check(claimed: str | None, found: str) -> Check:
    """Check the bytes of the file."""
    if found == claimed:
        return Check("hash", True, "the SHA-256 matches: this is the file that was released")
    return Check("hash", False, "the SHA-256 does not match: this is not the file that the manifest describes")


def columns_check(manifest: Manifest, found: Sequence[str]) -> Check:
    """Check the columns and their order, and that each has one role."""
    claimed = manifest.data.columns
    sensitive = manifest.sensitive if manifest.apart is None else (manifest.apart.group,)
    quasi = [name for column in manifest.quasi for name in columns_of(column)]
    roles = [*quasi, *sensitive, *manifest.kept]
    if Counter(roles) != Counter(claimed):
        return Check("columns", False, "the manifest does not give each column one role")
    lacking = [name for name in claimed if name not in found]
    beyond = [name for name in found if name not in claimed]
    if beyond and len(lacking) == len(claimed):
        # The file may have no header: then these are not names, but the cells of a record.
        return Check("columns", False, f"the data have none of the {count(len(claimed), 'claimed column')}")
    if lacking or beyond:
        wrong = [f"missing: {listed(lacking)}"] * bool(lacking) + [f"not claimed: {listed(beyond)}"] * bool(beyond)
        return Check("columns", False, "; ".join(wrong))
    if tuple(found) != claimed:
        return Check("columns", False, "the columns are not in the claimed order")
    return Check("columns", True, f"{count(len(claimed), 'column')} as claimed, each with one role")


def records_check(manifest: Manifest, found: int) -> Check:
    """Check the number of records, and that published, suppressed and set aside add up to the input."""
    if found != manifest.data.records:
        return Check("records", False, f"{count(found, 'record')}; the manifest claims {manifest.data.records:,}")
    parts = manifest.data.records + manifest.suppressed + manifest.set_aside
    numbers = f"{found:,} published, {manifest.suppressed:,} suppressed, {manifest.set_aside:,} set aside"
    if parts != manifest.input_records:
        return Check("records", False, f"{numbers}: they do not add up to the {manifest.input_records:,} of the input")
    if manifest.suppressed > manifest.suppress_limit:
        return Check("records", False, f"{numbers}: the suppression limit is {manifest.suppress_limit:,}")
    return Check("records", True, f"{numbers}, of {manifest.input_records:,} in the input")


def missing_check(tally: Tally, quasi: Sequence[str]) -> Check:
    """Check that no published record has a missing quasi-identifier, if such records are set aside."""
    lacking = [name for name in quasi if (None,) in tally.counter([name])]
    if lacking:
        return Check("missing", False, f"values are missing in {listed(lacking)}; such records must be set aside")
    return Check("missing", True, "no quasi-identifier has missing values")


def classes_check(manifest: Manifest, classes: int, smallest: int, wildcards: str | None) -> Check:
    """Check the number of classes and the size of the smallest; with wildcards, the fewest matches."""
    fewest = "smallest class" if wildcards is None else "fewest records that match one"
    found = f"{count(classes, 'class')}, {fewest}: {smallest:,}"
    if (classes, smallest) == (manifest.classes, manifest.smallest):
        return Check("classes", True, f"{found}, as claimed")
    return Check("classes", False, f"{found}; the manifest claims {manifest.classes:,} and {manifest.smallest:,}")


def record_check(manifest: Manifest, record: Record) -> Check:
    """Check that the private record belongs to this release."""
    same = (
        record.release == manifest.fingerprint
        and (record.combinations is not None or all(_has_level(column) for column in record.quasi))
        and [column.name for column in record.quasi] == [column.name for column in manifest.quasi]
        and all(_is_level_of(*pair) for pair in zip(manifest.quasi, record.quasi, strict=True))
        and [*map(_without_values, record.models)] == [*map(_without_values, manifest.models)]
    )
    return Check("record", same, f"the private record belongs to {'this' if same else 'another'} release")


def _is_level_of(claimed: PublishedQuasi, column: RecodedQuasi) -> bool:
    """Return whether the levels agree: a manifest has the lowest level with all published labels, if declared."""
    return claimed.level is None or column.level is None or claimed.level <= column.level


def _has_level(column: RecodedQuasi) -> bool:
    return column.level is not None and bool(column.rows) and all(len(row) > column.level for row in column.rows)


def _without_values(model: Plain) -> Plain:
    """Return a model without lists of values, which a manifest shows only in part."""
    shown = {name: of.items() for name, of in model.items()}
    return {name: {key: value for key, value in of if key not in ("order", "policy")} for name, of in shown.items()}


def reference_check(manifest: Manifest, release: Counts, given: Counts) -> Check:
    """Check that the release can come from the table whose counts the private record has."""
    records = {manifest.input_records, manifest.input_records - manifest.set_aside}
    for columns, published in release.items():
        if columns not in given:
            return Check("reference", False, f"the private record lacks the counts of {listed(columns)}")
        if given[columns].total() not in records or published - given[columns]:
            wrong = f"the counts of {listed(columns)} in the private record do not match the release"
            return Check("reference", False, wrong)
    return Check("reference", True, "the release is consistent with the counts of the original table")


def cells_check(record: Record, tally: Tally) -> Check:
    """Check that the quasi-identifiers have the cells that the private record says are published."""
    if record.combinations is not None:
        names = [column.name for column in record.quasi]
        strange = differing(published_cells(record.combinations, names), tally, names)
        where = f"{count(strange, 'combination')} of quasi-identifiers"
    else:
        strange_in = [
            column.name
            for column in record.quasi
            if {cell for (cell,) in tally.counter([column.name])} - set(cells(column).values())
        ]
        strange, where = len(strange_in), f"cells in {listed(strange_in)}"
    if strange:
        return Check("cells", False, f"{where} do not match the private record")
    return Check("cells", True, "the quasi-identifiers match the private record")


def wiped_check(manifest: Manifest, record: Record) -> Check:
    """Check that the wildcard is the top of a hierarchy, so no original value counts as a suppressed cell."""
    strange = [name for name, shown in manifest.wiped.items() if not _only_at_the_top(name, shown, record)]
    if strange:
        return Check(
            "wiped", False, f"in {listed(strange)} suppressed cells do not show the wildcard that the manifest names"
        )
    return Check("wiped", True, "suppressed cells show the wildcard that the manifest names")


def _only_at_the_top(name: str, shown: str, record: Record) -> bool:
    """Return whether a text is the top of a column's hierarchy, and on lower levels never one label among others."""
    levels = [[*zip(*column.rows, strict=True)] for column in record.quasi if column.name == name]
    return all(
        set(top) == {shown} and not any(shown in level and len(set(level)) > 1 for level in below)
        for *below, top in levels
    ) and bool(levels)


def spelling_check(manifest: Manifest, record: Record | None, strange: Collection[str]) -> Check:
    """Check that cells of a normalized column, and the original values if known, are in the normal form."""
    found = set(strange)
    for name, values in _values_behind(record) if record else ():
        steps = manifest.normalized.get(name)
        if steps and not all(is_normal(value, steps) for value in values):
            found.add(name)
    if found:
        return Check("spelling", False, f"values of {listed(sorted(found))} are not in the claimed normal form")
    columns = ", ".join(f"{name} ({', '.join(steps)})" for name, steps in manifest.normalized.items())
    return Check("spelling", True, f"each value has one spelling in {columns}")


def _values_behind(record: Record) -> Iterator[tuple[str, Iterable[str | None]]]:
    yield from ((column.name, (row[0] for row in column.rows)) for column in record.quasi)
    yield from ((name, (row[0] for row in rows)) for name, rows in record.ladders.items())
    if record.combinations is not None:
        yield from zip(record.combinations.names, record.combinations.values, strict=True)
    for reference in record.reference:
        yield from ((name, (value[at] for value in reference.values)) for at, name in enumerate(reference.columns))


def model_checks(
    judges: Sequence[Judge], blocks: Iterable[tuple[int | None, Block]], unit: str = "record"
) -> tuple[list[Check], list[FailingClass]]:
    """Check every model on every class; return the checks and the classes that fail any of them. `unit` is what the
    classes' sizes count."""
    failing: dict[int, list[FailingClass]] = {at: [] for at, judge in enumerate(judges) if judge.holds is not None}
    unfit = {at for at, judge in enumerate(judges) if not judge.fits}
    failing_any: dict[FailingClass, None] = {}
    judged = 0
    for number, block in blocks:
        judged += 1
        for at in failing:
            if at not in unfit and not _holds(judges[at], block, at, unfit):
                failing[at].append(FailingClass(number, block.size, unit))
                failing_any.update({failing[at][-1]: None})
    checks = [
        Check(judge.name, False, "cannot be evaluated: the values do not fit its order, hierarchy or counts")
        if at in unfit
        else model_check(judge, failing.get(at, []), judged)
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


def model_check(judge: Judge, failing: Sequence[FailingClass], judged: int) -> Check:
    """Return the check of a model, given the classes that fail it and how many were judged."""
    if judge.holds is None:
        return Check(judge.name, None, judge.basis)
    if not failing:
        return Check(judge.name, True, judge.basis)
    shown = ", ".join(map(str, failing[:_SHOWN]))
    more = f" and {len(failing) - _SHOWN:,} more" if len(failing) > _SHOWN else ""
    return Check(judge.name, False, f"{len(failing):,} of {judged:,} classes fail: {shown}{more}")
