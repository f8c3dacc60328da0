"""Putting a release in its place: written beside it first, read again and verified, and only then moved there."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from time import perf_counter

from incrowd.anonymization.claims import Found, manifest_of, record_of
from incrowd.core.hierarchy import text_forms
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import Published
from incrowd.errors import IncrowdError, UsageError
from incrowd.formats import WriteOptions, drop, move, refuse_existing, write
from incrowd.jobs import Job
from incrowd.recodings import RecodingMap
from incrowd.release import Data, Manifest, Record, hash_of, manifest_path, record_path, write_text
from incrowd.verification import Verdict, verify, verify_counted
from incrowd.watch import Watch


class NotVerified(IncrowdError):
    """What was made does not keep its promises; nothing was left behind."""

    exit_code = 1

    def __init__(self, verdict: Verdict) -> None:
        failed = [check.name for check in verdict.checks if check.holds is not True]
        super().__init__(
            f"the release was made, read again and found wanting ({', '.join(failed)}), so it was not kept; "
            "please report this"
        )
        self.verdict = verdict


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


@dataclass(frozen=True)
class Place:
    """Where the parts of a release go."""

    location: str
    table: str | None
    manifest: Path
    record: Path
    mapping: Path | None
    options: WriteOptions

    @classmethod
    def of(cls, job: Job) -> "Place":
        """As the job says."""
        output = job.output
        assert output is not None
        location = job.located(output.to)
        return cls(
            location,
            output.table,
            manifest_path(location, output.table),
            Path(job.located(output.record)) if output.record else record_path(location, output.table),
            Path(job.located(output.mapping)) if output.mapping else None,
            WriteOptions(output.delimiter, output.table, output.replace),
        )

    @property
    def in_database(self) -> bool:
        """Whether the data go into a database's table."""
        return "://" in self.location

    def refuse_overwriting(self) -> None:
        """Before anything is read: what is there already stays, unless the job says otherwise."""
        refuse_existing(self.location, self.options)
        beside = [path for path in (self.manifest, self.record, self.mapping) if path is not None and path.exists()]
        if beside and not self.options.replace:
            raise UsageError.senseless(
                f"writing {beside[0]}", "it exists", "choose another name, or say that it may be replaced (--replace)"
            )


def placed(
    found: Found, published: Published, place: Place, population: str | None, started: float, watch: Watch
) -> Placed:
    """Write the data under a name of their own, verify them there, then move everything to its place."""
    fresh = _fresh(place)
    with _left_clean(fresh):
        written = write(published.batches(), published.schema, fresh.location, fresh.options, watch)
        data = Data(
            file=str(place.table) if place.in_database else Path(place.location).name,
            kind=written.kind,
            sha256=None if place.in_database else hash_of(Path(fresh.location)),
            records=written.records,
            columns=found.prepared.published,
            table=place.table,
        )
        manifest = manifest_of(found, data)
        record = record_of(found, manifest, perf_counter() - started)
        verdict = verify(fresh.location, manifest, record, population, fresh.table)
        if not verdict.holds:
            raise NotVerified(verdict)
        move(fresh.location, place.location, fresh.table, place.table)
    manifest.write(place.manifest)
    record.write(place.record)
    if place.mapping is not None:
        write_text(place.mapping, mapping_of(found.recoding), 0o600)
    return Placed(
        manifest,
        record,
        replace(verdict, name=written.name),
        written.name,
        place.manifest,
        place.record,
        place.mapping,
    )


def framed(found: Found, published: Published, population: str | None, started: float, watch: Watch) -> Placed:
    """A release that stays a frame: its combinations are counted anew, where it is, and judged."""
    frame = FrameSource(published.frame(), "the release")
    columns = list(dict.fromkeys([*found.prepared.problem.frequencies.names]))
    counted = frame.count(columns, watch)
    data = Data("", "frame", None, counted.records, tuple(frame.columns))
    manifest = manifest_of(found, data)
    record = record_of(found, manifest, perf_counter() - started)
    verdict = verify_counted("the release", frame.columns, counted, manifest, record, population)
    if not verdict.holds:
        raise NotVerified(verdict)
    return Placed(manifest, record, verdict)


def _fresh(place: Place) -> Place:
    """A name beside the final one, so that moving is one step."""
    if place.in_database:
        table = f"{place.table}_{token_hex(4)}"
        return replace(place, table=table, options=replace(place.options, table=table, replace=False))
    path = Path(place.location)
    return replace(place, location=str(path.with_name(f".{token_hex(8)}.{path.name}")))


@contextmanager
def _left_clean(fresh: Place) -> Iterator[None]:
    """Whatever happens, nothing stays under the passing name."""
    try:
        yield
    finally:
        if fresh.in_database:
            drop(fresh.location, fresh.table)
        else:
            Path(fresh.location).unlink(missing_ok=True)


def mapping_of(recoding: RecodingMap) -> str:
    """What every value of every column became, as CSV; suppressed combinations say nothing here."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("column", "value", "published"))
    combinations = recoding.combinations
    for at, (name, column) in enumerate(zip(combinations.names, recoding.columns, strict=True)):
        values = [None, *(text_forms(value)[0] for value in combinations.values[at].to_pylist())]
        codes = combinations.codes[at][recoding.kept]
        became = codes if column is None else column.codes[recoding.kept]
        labels = values if column is None else column.labels
        pairs = sorted(set(zip(codes.tolist(), became.tolist(), strict=True)))
        writer.writerows((name, values[code] or "", labels[label] or "") for code, label in pairs)
    return text.getvalue()
