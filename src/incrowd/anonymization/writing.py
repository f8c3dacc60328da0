"""Putting a release in its place: written beside it first, read again and verified, and only then moved there."""

import csv
import io
import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

from incrowd.anonymization.claims import Found, manifest_of, record_of
from incrowd.anonymization.formulas import Formulas
from incrowd.anonymization.place import Place
from incrowd.core.hierarchy import text_forms
from incrowd.engines.frames import FrameSource, like
from incrowd.engines.publish import Published
from incrowd.errors import IncrowdError, NotVerified
from incrowd.formats import WriteOptions, write
from incrowd.formats._databases import without_secrets
from incrowd.formats.writing import passing_table, put_in_place
from incrowd.recodings import RecodingMap
from incrowd.release import Data, Manifest, Record, hash_of, write_text
from incrowd.verification import Verdict, verify, verify_counted
from incrowd.watch import Watch


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


def placed(found: Found, published: Published, place: Place, population: str | None, watch: Watch) -> Placed:
    """Write the data under a passing name, verify them there, then put everything in its place."""
    with _passing_name(place) as fresh:
        formulas = Formulas(place)
        written = write(formulas.seen(published.batches()), published.schema, fresh, _beside_options(place), watch)
        second = None if place.sensitive is None else fresh.with_name(place.sensitive.name)
        if second is not None:
            assert found.apart is not None
            write(formulas.seen(found.apart.to_batches()), found.apart.schema, second, _beside_options(place), watch)
        made = _verified(found, place, (fresh, second), written.records, population)
        watch.tick("verified")
        # Others may have written there while this run was searching.
        place.refuse_existing()
        if place.in_database:
            made = _stored(made, fresh, place, population, watch)
        made.record.write(place.record)
        if place.mapping is not None:
            write_text(place.mapping, mapping_of(found.recoding, found.prepared.not_published), 0o600)
        made.manifest.write(place.manifest)
        if place.sensitive is not None and second is not None:
            os.replace(second, os.path.realpath(place.sensitive))
        if not place.in_database:
            # Last, so that data are nowhere without what goes with them.
            os.replace(fresh, os.path.realpath(place.location))
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


def _stored(made: Placed, fresh: Path, place: Place, population: str | None, watch: Watch) -> Placed:
    """Copy the data into a table, verify them there, and only then give it its name and drop what had that."""
    file = pq.ParquetFile(fresh)
    with passing_table(place.location, str(place.table)) as table:
        options = replace(place.options, table=table, replace=False)
        write(file.iter_batches(), file.schema_arrow, place.location, options, watch)
        verdict = verify(place.location, made.manifest, made.record, population, table)
        if not verdict.holds:
            raise _refused(verdict)
        put_in_place(place.location, table, place.options)
    return replace(made, verdict=verdict)


def _verified(
    found: Found, place: Place, written: tuple[Path, Path | None], records: int, population: str | None
) -> Placed:
    """Read what was written, and judge it."""
    fresh, second = written
    data = Data(
        file=str(place.table) if place.in_database else Path(place.location).name,
        kind="parquet" if place.in_database else place.kind,
        sha256=hash_of(fresh),
        records=records,
        columns=(*found.prepared.published, *found.recoding.added),
        spreadsheet_safe=place.options.spreadsheet_safe,
    )
    apart = None
    if second is not None and found.apart is not None:
        columns = tuple(found.apart.column_names)
        safe = place.options.spreadsheet_safe
        apart = Data(second.name, place.kind, hash_of(second), found.apart.num_rows, columns, spreadsheet_safe=safe)
    manifest = manifest_of(found, data, apart)
    verdict = verify(fresh, manifest, record_of(found, manifest), population)
    if not verdict.holds:
        raise _refused(verdict)
    if place.in_database:
        manifest = replace(manifest, data=replace(data, kind=place.kind, sha256=None, table=place.table))
    return Placed(manifest, record_of(found, manifest), verdict)


def _beside_options(place: Place) -> WriteOptions:
    return WriteOptions() if place.in_database else replace(place.options, replace=False)


@contextmanager
def _passing_name(place: Place) -> Iterator[Path]:
    """A file that is gone afterwards: beside the final one, so that moving is one step; for a table a private one.

    Two tables are in a folder of their own, each under its final name, because one is found by the name of the other.
    """
    with ExitStack() as stack:
        if place.in_database:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="incrowd-")))
            yield folder / "release.parquet"
            return
        path = Path(os.path.realpath(place.location))
        fresh = path.with_name(f".{token_hex(8)}.{path.name}")
        if place.sensitive is not None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix=".", suffix=f".{path.name}", dir=path.parent)))
            fresh = folder / Path(place.location).name
        stack.callback(fresh.unlink, missing_ok=True)
        try:
            yield fresh
        except IncrowdError as error:
            # The user knows the final name alone.
            error.args = (str(error).replace(str(fresh), place.location),)
            raise


def framed(found: Found, published: Published, population: str | None, watch: Watch) -> Placed:
    """A release that stays a frame: its combinations are counted anew, where it is, and judged."""
    frame = FrameSource(published.frame(), "the release")
    names = found.prepared.problem.frequencies.names
    counted = frame.count([*(name for name in names if name in frame.columns), *found.recoding.added], watch)
    data = Data("", "frame", None, counted.records, tuple(frame.columns))
    second, apart = None, None
    if found.apart is not None:
        second = FrameSource(like(published.frame(), found.apart), "the sensitive values").count(
            found.apart.column_names, watch
        )
        apart = Data("", "frame", None, second.records, second.names)
    manifest = manifest_of(found, data, apart)
    record = record_of(found, manifest)
    verdict = verify_counted(
        "the release", frame.columns, counted, manifest, record, population, second, published.batches
    )
    if not verdict.holds:
        raise _refused(verdict)
    return Placed(manifest, record, verdict)


def mapping_of(recoding: RecodingMap, not_published: Collection[str] = ()) -> str:
    """What every value of every published column became, as CSV; suppressed combinations say nothing here."""
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
