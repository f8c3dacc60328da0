"""Putting a release in its place: written beside it first, read again and verified, and only then moved there."""

import csv
import io
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from incrowd.anonymization.claims import SearchResult, manifest_of, record_of
from incrowd.anonymization.formulas import Formulas
from incrowd.anonymization.output_paths import OutputPaths
from incrowd.core.hierarchy import text_forms
from incrowd.engines.publish import Published
from incrowd.errors import IncrowdError, NotVerified
from incrowd.files.together import Change, Planned, changed_together
from incrowd.files.whole import PRIVATE, write_text
from incrowd.formats import WriteOptions, write
from incrowd.formats.connections import without_secrets
from incrowd.formats.writing import Written, is_placed, journal_entry, passing_table, put_in_place
from incrowd.recodings import RecodingMap
from incrowd.release import Data, Manifest, Record, hash_of
from incrowd.verification import Original, Verdict, verify, verify_frame
from incrowd.watch import Watch, wait_for


def _refused(verdict: Verdict) -> NotVerified:
    return NotVerified([check.name for check in verdict.checks if check.holds is not True], verdict)


@dataclass(frozen=True, eq=False)
class Placed:
    """A verified release and what goes with it."""

    manifest: Manifest
    record: Record
    verdict: Verdict
    output: str | None = None
    manifest_file: Path | None = None
    record_file: Path | None = None
    mapping_file: Path | None = None
    sensitive_file: Path | None = None


class Against(NamedTuple):
    """Tables that a release is verified against."""

    population: Any = None
    """The population, as verification reads it, if a model compares with it."""
    original: Original | None = None
    """The original table, if people are counted."""
    keeps_thread: bool = False
    """True if one of them may be a frame, whose engine may refuse another thread than the one that made it."""


def placed(found: SearchResult, published: Published, place: OutputPaths, against: Against, watch: Watch) -> Placed:
    """Write the data where only their owner sees them, verify them there, then put everything in its place."""
    with _waiting(place) as (change, fresh):
        formulas = Formulas(place)
        options = _beside_options(place)
        written = write(formulas.seen(published.batches()), published.schema, fresh, options, watch, PRIVATE)
        second = None
        if place.sensitive is not None:
            assert found.apart is not None
            apart = formulas.seen(found.apart.to_batches())
            second = write(apart, found.apart.schema, change.fresh(place.sensitive), options, watch, PRIVATE)
        made = _verified(found, place, written, second, against, watch)
        watch.tick("verified")
        if place.in_database:
            place = replace(place, options=replace(place.options, declared=published.declared))
            made = _stored(made, found, fresh, place, change, against, watch)
        else:
            _write_beside(made, found, place, change)
            # Others may have written there while this run was searching.
            place.refuse_existing()
            change.put_in_place(place.files)
    shown = without_secrets(place.location) if place.in_database else place.location
    return replace(
        made,
        verdict=replace(made.verdict, name=shown, warnings=(*made.verdict.warnings, *formulas.warnings)),
        output=shown,
        manifest_file=place.manifest,
        record_file=place.record,
        mapping_file=place.mapping,
        sensitive_file=place.sensitive,
    )


def _write_beside(made: Placed, found: SearchResult, place: OutputPaths, change: Change) -> None:
    """Write the files that accompany the data, where only their owner can read them."""
    made.record.write(change.fresh(place.record))
    if place.mapping is not None:
        write_text(change.fresh(place.mapping), mapping_of(found.recoding, found.prepared.not_published), PRIVATE)
    made.manifest.write(change.fresh(place.manifest))


def _stored(
    made: Placed,
    found: SearchResult,
    fresh: Path,
    place: OutputPaths,
    change: Change,
    against: Against,
    watch: Watch,
) -> Placed:
    """Copy the data into a table, verify them there, and only then give it its name and drop what had that."""
    with _waiting_records(fresh) as file, passing_table(place.location, str(place.table)) as table:
        passing = replace(place.options, table=table, replace=False)
        write(file.iter_batches(), file.schema_arrow, place.location, passing, watch)
        verdict = verify(place.location, made.manifest, made.record, against.population, table, against.original)
        if not verdict.holds:
            raise _refused(verdict)
        _write_beside(made, found, place, change)
        place.refuse_existing()
        change.put_in_place_with(
            place.files,
            journal_entry(place.location, table, place.options),
            partial(put_in_place, place.location, table, place.options),
        )
    return replace(made, verdict=verdict)


def _waiting_records(path: Path) -> Any:
    """Open the file in which the records of a release wait for a database."""
    from pyarrow.parquet import ParquetFile

    return ParquetFile(path)


def _verified(
    found: SearchResult, place: OutputPaths, written: Written, second: Written | None, against: Against, watch: Watch
) -> Placed:
    """Read what was written, and judge it."""
    data = Data(
        file=str(place.table) if place.in_database else Path(place.location).name,
        kind="parquet" if place.in_database else place.kind,
        sha256=_hash_of(written),
        records=written.records,
        columns=(*found.prepared.published, *found.recoding.further),
        spreadsheet_safe=place.options.spreadsheet_safe,
    )
    apart = None
    if second is not None and found.apart is not None:
        columns = tuple(found.apart.column_names)
        safe = place.options.spreadsheet_safe
        name = Path(second.location).name
        apart = Data(name, place.kind, _hash_of(second), second.records, columns, spreadsheet_safe=safe)
    manifest = manifest_of(found, data, apart)
    record = record_of(found, manifest)
    verifying = partial(verify, written.location, manifest, record, against.population, None, against.original)
    # Verification has no watch. A run that was stopped with its best release would seem to hang, and be ended.
    verdict = verifying() if against.keeps_thread else wait_for(verifying, watch, "verifying the release")
    if not verdict.holds:
        raise _refused(verdict)
    if place.in_database:
        manifest = replace(manifest, data=replace(data, kind=place.kind, sha256=None, table=place.table))
        record = record_of(found, manifest)
    return Placed(manifest, record, verdict)


def _hash_of(written: Written) -> str:
    """Return the hash of a file as it was written; of one that was not written in order, as it is read."""
    return written.sha256 or hash_of(Path(written.location))


def _beside_options(place: OutputPaths) -> WriteOptions:
    return WriteOptions() if place.in_database else replace(place.options, replace=False)


@contextmanager
def _waiting(place: OutputPaths) -> Iterator[tuple[Change, Path]]:
    """Yield the change that holds the files until they are put in place, and the private path of the data."""
    data = place.folder / "release.parquet" if place.in_database else Path(place.location)
    private = {place.record, place.mapping, data if place.in_database else None}
    planned = [Planned(path, path in private) for path in dict.fromkeys([data, *place.files])]
    beside = [path for path in (data, place.sensitive) if path is not None]
    with changed_together(planned, place.folder, partial(is_placed, place.location), beside) as change:
        fresh = change.fresh(data)
        try:
            yield change, fresh
        except IncrowdError as error:
            # The user knows the final names alone.
            words = str(error)
            for final in change.waiting:
                words = words.replace(str(change.fresh(final)), str(place.location if final == data else final))
            error.args = (words,)
            raise


def framed(found: SearchResult, frame: Any, apart: Any, against: Against) -> Placed:
    """Return a release that stays a frame, or two of them: their cells are read where they are, and judged."""
    columns = (*found.prepared.published, *found.recoding.further)
    data = Data("", "frame", None, found.recoding.records, columns)
    values = found.apart
    second = None if values is None else Data("", "frame", None, values.num_rows, tuple(values.column_names))
    manifest = manifest_of(found, data, second)
    record = record_of(found, manifest)
    verdict = verify_frame(frame, manifest, record, against.population, apart, original=against.original)
    if not verdict.holds:
        raise _refused(verdict)
    return Placed(manifest, record, verdict)


def mapping_of(recoding: RecodingMap, not_published: Collection[str] = ()) -> str:
    """Return the published form of every value of every column as CSV; suppressed combinations are omitted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("column", "value", "published"))
    combinations = recoding.combinations
    for at, (name, column) in enumerate(zip(combinations.names, recoding.columns, strict=True)):
        if name in not_published:
            continue
        values = [None, *(text_forms(value)[0] for value in combinations.values[at].to_pylist())]
        codes = recoding.codes(at)[recoding.kept]
        became = codes if column is None else column.codes[recoding.kept]
        labels = values if column is None else column.labels
        pairs = sorted(set(zip(codes.tolist(), became.tolist(), strict=True)))
        writer.writerows((name, values[code] or "", labels[label] or "") for code, label in pairs)
    return text.getvalue()
