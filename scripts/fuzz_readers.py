"""Read damaged files of every kind: python scripts/fuzz_readers.py --inputs 100000 --seed 1

Valid files of every data format, form of job and form of hierarchy, a manifest, a private record and a release are
changed at random and read as the command line reads them. Every one must be read, or refused with an error of Incrowd
in one line; anything else is a fault. A worker process with bounded memory reads them, each within a time limit. Equal
seeds give equal inputs.
"""

import argparse
import gzip
import io
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

MEMORY = 4 << 30
"""Bytes that a worker may have."""
SECONDS = 20
"""For one input."""

TOKENS = [
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\\ud800",
        b"\n",
        b"\r",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        b"\xf0\x9f\x98\x80",
    ),
    *(b'"', b"'", b",", b";", b"\t", b"{", b"[", b"}", b"]", b"? ", b"- ", b": ", b"|", b"#"),
    *(b"null", b"true", b"NaN", b"Infinity", b"1e999", b"-0", b"9" * 30, b"18446744073709551616", b"2147483648"),
    *(b"<!DOCTYPE x>", b"&x;", b"<a>", b"</a>", b"<![CDATA[", b"&#0;", b"xmlns=''", b"0x", b"1_000", b"1900-01-00"),
    *(b"!!python/object:os.system", b"&a [*a, *a]", b"../../etc/passwd", b"XFD1048576", b"A" * 5000),
    *(b"[" * 3000, b"{'a':" * 500),
]
"""What is put into files beside random bytes."""


class Kind(NamedTuple):
    """One kind of file: a valid one, and how it is read."""

    name: str
    content: bytes
    read: Callable[[Path], object]


def mutated(content: bytes, name: str, chance: Random) -> bytes:
    """The content with a few changes; packed files mostly inside, so that more than the packing is tried."""
    if chance.random() < 0.75:
        if name.endswith((".xlsx", ".ods")):
            return _archive_mutated(content, chance)
        if name.endswith(".gz"):
            return gzip.compress(changed(gzip.decompress(content), chance), 1)
    return changed(content, chance)


def _archive_mutated(content: bytes, chance: Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {part.filename: archive.read(part) for part in archive.infolist()}
    name = chance.choice(sorted(parts))
    if chance.random() < 0.1:
        del parts[name]
    else:
        parts[name] = changed(parts[name], chance)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, part in parts.items():
            archive.writestr(each, part)
    return target.getvalue()


def changed(content: bytes, chance: Random) -> bytes:
    """One to six changes at random places."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        at = chance.randrange(len(data) + 1)
        length = chance.choice((1, 1, 2, 4, 16, 64, len(data) // 3 + 1))
        match chance.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = chance.choice(TOKENS)
            case 3:
                data[at : at + length] = chance.choice(TOKENS)
            case 4:
                data[at : at + length] = chance.randbytes(min(length, 64))
            case 5:
                start = chance.randrange(len(data) + 1)
                data[at:at] = data[start : start + length]
            case 6:
                start = chance.randrange(len(data) + 1)
                data[at : at + length] = data[start : start + length]
            case _ if chance.random() < 0.3:
                del data[at:]
    return bytes(data)


def kinds(folder: Path) -> list[Kind]:
    """Every kind of file that is read, made in a folder."""
    return [*_tables(folder), *_jobs(folder), *_hierarchies(), *_releases(folder)]


def _tables(folder: Path) -> Iterator[Kind]:
    import pyarrow as pa

    from incrowd.formats.options import WriteOptions
    from incrowd.formats.writing import write

    ages = [str(20 + number % 40) for number in range(60)]
    table = pa.table(
        {
            "age": pa.array([int(age) for age in ages]),
            "town": pa.array(["Graz", "Wien", "Linz"] * 20),
            "day": pa.array([f"19{age}-01-02" for age in ages]),
            "share": pa.array([None, 0.25, 1.5] * 20),
        }
    )
    for suffix in (".csv", ".csv.gz", ".tsv", ".xlsx", ".parquet", ".jsonl", ".json", ".xml"):
        path = folder / f"table{suffix}"
        write(table.to_batches(), table.schema, path)
        yield Kind(path.name, path.read_bytes(), read_table)
    text = (folder / "table.csv").read_text(encoding="utf-8")
    yield Kind("utf16.csv", text.encode("utf-16"), read_table)
    lines = "".join(f"{age:>3}{town:<6}\n" for age, town in zip(ages, ["Graz", "Wien", "Linz"] * 20, strict=True))
    yield Kind("fixed.txt", lines.encode(), lambda path: read_table(path, widths=(3, 6), names=("age", "town")))
    write(table.to_batches(), table.schema, f"sqlite:///{folder / 'table.sqlite'}", WriteOptions(table="people"))
    yield Kind(
        "table.sqlite",
        (folder / "table.sqlite").read_bytes(),
        lambda path: read_table(f"sqlite:///{path}", table="people"),
    )
    yield Kind("table.ods", _sheet(text), read_table)


def _sheet(text: str) -> bytes:
    """A small OpenDocument sheet."""
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f"<table:table-cell office:value-type='string'><text:p>{cell}</text:p></table:table-cell>"
            for cell in line.split(",")
        )
        + "</table:table-row>"
        for line in text.split()[:20]
    )
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet><table:table table:name='one'>{cells}"
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return target.getvalue()


def read_table(place: Path | str, **options: Any) -> None:
    """As `inspect`, `diagnose` and `risk` read it."""
    import incrowd
    from incrowd.watch import Watch

    source = incrowd.read(place, **options)
    columns = source.columns[:4]
    str(incrowd.inspect(source, among=columns))
    source.count(columns, Watch())
    if "://" not in str(place):
        source.table(columns, Watch()).decode()


_JOB = """
data: {source: table.csv, missing: ['?'], delimiter: ','}
output: {to: release.csv, replace: true}
columns:
  age: {role: quasi, hierarchy: {intervals: {widths: [5, 10, 20]}}, priority: 2, limit: 2}
  town: {role: quasi, hierarchy: {tree: {groups: {south: [Graz], east: [Wien, Linz]}}}, losses: [0, 0.5, 1]}
  day: {role: sensitive}
  share: {role: keep}
models: [{k_anonymity: {k: 3}}, {distinct_l: {l: 2, column: day}}]
suppress: 0.05
search: optimal
time: 10
seed: 7
"""


def _jobs(folder: Path) -> Iterator[Kind]:
    from incrowd.jobs import Job

    path = folder / "job.yaml"
    path.write_text(_JOB)
    job = Job.from_file(path)
    for suffix, text in ((".yaml", job.to_yaml()), (".json", job.to_json()), (".xml", job.to_xml())):
        yield Kind(f"job{suffix}", text.encode(), read_job)


def read_job(path: Path) -> None:
    """As `anonymize --show` reads it, and as a run looks for what it names."""
    from incrowd.errors import IncrowdError
    from incrowd.jobs import Job

    job = Job.from_file(path)
    for form in (job.to_yaml, job.to_json, job.to_xml, job.to_command, job.to_script):
        try:
            form()
        except IncrowdError:
            # Not every form can hold every job.
            continue
    Job.from_dict(job.to_dict(), job.base)


def _hierarchies() -> Iterator[Kind]:
    towns = "Graz;south;*\nWien;east;*\nLinz;east;*\n"
    yield Kind("levels.csv", towns.encode(), lambda path: read_hierarchy({"levels": {"path": str(path)}}))
    groups = "south: [Graz]\neast: [Wien, Linz]\n"
    yield Kind("tree.yaml", groups.encode(), lambda path: read_hierarchy({"tree": {"path": str(path)}}))
    as_json = '{"south": ["Graz"], "east": ["Wien", "Linz"]}'
    yield Kind("tree.json", as_json.encode(), lambda path: read_hierarchy({"tree": {"path": str(path)}}))


def read_hierarchy(spec: dict[str, Any]) -> None:
    """As `hierarchy` and a job read it."""
    import pyarrow as pa

    from incrowd.hierarchies import build

    build(spec, pa.array(["Graz", "Wien", "Linz"]), "town")


def _releases(folder: Path) -> Iterator[Kind]:
    import incrowd

    release = folder / "release.csv"
    incrowd.anonymize(job=folder / "job.yaml")
    manifest, record = (folder / f"release.csv.{what}.json" for what in ("manifest", "record"))

    def judged(path: Path) -> None:
        str(incrowd.verify(release, path))

    def applied(path: Path) -> None:
        str(incrowd.verify(release, manifest, path))
        incrowd.apply(path, str(folder / "table.csv"), str(folder / "applied.csv"), replace=True)

    yield Kind("manifest.json", manifest.read_bytes(), judged)
    yield Kind("record.json", record.read_bytes(), applied)
    yield Kind("release.csv", release.read_bytes(), lambda path: str(incrowd.verify(path, manifest)))


class _TooLong(BaseException):
    """The time of an input is up."""


def _ring(*_: object) -> None:
    raise _TooLong


def tried(kind: Kind, content: bytes, folder: Path) -> tuple[str, str]:
    """What became of one input: read, refused, internal, hang or memory; and where, for a fault."""
    from incrowd.errors import IncrowdError

    path = folder / f"input-{kind.name}"
    path.write_bytes(content)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        kind.read(path)
    except IncrowdError as error:
        several = "\n" in str(error) and type(error).__name__ != "JobError"
        return ("internal", f"{type(error).__name__} of several lines") if several else ("refused", "")
    except _TooLong as error:
        return "hang", _place(error)
    except MemoryError as error:
        return "memory", _place(error)
    except BaseException as error:
        # A panic of a Rust library is no Exception.
        return "internal", _place(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "read", ""


def _place(error: BaseException) -> str:
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "incrowd" in each.filename]
    at = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside"
    return f"{type(error).__name__} in {at}"


def _content(kind: Kind, seed: int, number: int) -> bytes:
    return mutated(kind.content, kind.name, Random(f"{seed}/{kind.name}/{number}"))


def _work(inputs: range, seed: int, known: list[Kind], pipe: Connection) -> None:
    """Try the inputs one by one, and tell of each before and after."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _ring)
    # What libraries print about damaged files is not looked at.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    folder = Path(tempfile.mkdtemp(dir=os.getcwd()))
    for number in inputs:
        pipe.send((number, None))
        kind = known[number % len(known)]
        pipe.send((number, tried(kind, _content(kind, seed, number), folder)))
    pipe.send(None)


def fuzzed(inputs: int, seed: int, keep: Path | None, first: int = 0) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """How often each kind of file was read, refused or a fault, and where the faults were."""
    counts: Counter[tuple[str, str]] = Counter()
    faults: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="incrowd-fuzz-") as place:
        os.chdir(place)
        known = kinds(Path(place))
        done = first
        while done < first + inputs:
            done = _watched(range(done, first + inputs), seed, known, keep, counts, faults)
        os.chdir("/")
    return counts, faults


def _watched(
    inputs: range, seed: int, known: list[Kind], keep: Path | None, counts: Counter[Any], faults: Counter[str]
) -> int:
    """Let one worker try the inputs; where it dies, the next one begins behind the input that it died of."""
    own, its = multiprocessing.get_context("fork").Pipe()
    worker = multiprocessing.get_context("fork").Process(target=_work, args=(inputs, seed, known, its), daemon=True)
    worker.start()
    its.close()
    number = inputs.start
    while True:
        try:
            # A library that does not return does not hear the alarm either.
            told = own.recv() if own.poll(3 * SECONDS) else (number, ("hang", "a library that does not return"))
        except EOFError:
            told = (number, ("killed", "the process ended"))
        if told is None:
            worker.join()
            return inputs.stop
        number, found = told
        if found is None:
            continue
        kind, (what, where) = known[number % len(known)], found
        counts[kind.name, what] += 1
        if what not in ("read", "refused"):
            faults[f"{what}: {kind.name}: {where}"] += 1
            if keep is not None:
                (keep / f"{number}-{kind.name}").write_bytes(_content(kind, seed, number))
        if what == "killed" or where == "a library that does not return":
            worker.kill()
            worker.join()
            return number + 1


def main() -> int:
    """Print the counts; leave with 1 where there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="how many files are read")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    parser.add_argument("--first", type=int, default=0, help="number of the first input, to go on where a run ended")
    parser.add_argument("--keep", type=Path, help="a folder for the inputs that are faults")
    asked = parser.parse_args()
    keep = None if asked.keep is None else asked.keep.resolve()
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    counts, faults = fuzzed(asked.inputs, asked.seed, keep, asked.first)
    outcomes = ("read", "refused", "internal", "hang", "memory", "killed")
    print(f"{'':14}" + "".join(f"{what:>10}" for what in outcomes))
    for name in [*sorted({name for name, _ in counts})]:
        print(f"{name:14}" + "".join(f"{counts[name, what]:>10,}" for what in outcomes))
    total = [sum(count for (_, what), count in counts.items() if what == each) for each in outcomes]
    print(f"{'all':14}" + "".join(f"{count:>10,}" for count in total))
    for fault, count in faults.most_common():
        print(f"{count:>6} {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
