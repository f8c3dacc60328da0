"""Keep a release that a run made, with its reports and its job."""

from __future__ import annotations

import json
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.service.references import PREVIEWS, RELEASE
from incrowd.watch import Progress, Show

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.jobs import Job
    from incrowd.linked import LinkedResult

_EVERY = 2.0
"""Seconds between two signs of life."""


def keep(made: AnonymizationResult, original: Any, show: Show, population: Any = None) -> dict[str, Any]:
    """Return the facts of the release; write an internal and an external report in every form."""
    from incrowd.reports.making import of_release
    from incrowd.reports.reading import release_made
    from incrowd.reports.report import FORMS, Audience
    from incrowd.watch import Watch

    for audience in (Audience.EXTERNAL, Audience.INTERNAL):
        private = audience == Audience.INTERNAL
        with _finishing(), _telling(show, f"writing the {audience} report"):
            given = release_made(made, original if private else None, private, population=population)
            report = of_release(given, audience, Watch())
            for form in FORMS:
                report.write(f"report-{audience}{form}")
    if made.previews is not None:
        Path(PREVIEWS).write_text(json.dumps(made.previews.to_dict(), ensure_ascii=False), encoding="utf-8")
    return {**made.to_dict(), "text": str(made)}


def keep_tables(made: LinkedResult, original: Any, show: Show) -> dict[str, Any]:
    """Return the facts of a release of several tables; write reports in every form, and an archive of what is shared.

    `original` names or reads the original tables.
    """
    from incrowd.linked.released import released_set
    from incrowd.reports.making import of_set
    from incrowd.reports.report import FORMS, Audience
    from incrowd.watch import Watch

    for audience in (Audience.EXTERNAL, Audience.INTERNAL):
        private = audience == Audience.INTERNAL
        with _finishing(), _telling(show, f"writing the {audience} report"):
            report = of_set(released_set(made, is_private=private), original if private else None, audience, Watch())
            for form in FORMS:
                report.write(f"report-{audience}{form}")
    with _finishing(), _telling(show, "packing the release"):
        _pack(Path(RELEASE), Path(f"{RELEASE}.zip"))
    return {**made.to_dict(), "text": str(made)}


def keep_job_of_tables(made: LinkedResult, plain: dict[str, Any]) -> None:
    """Write the job of several tables, and the hierarchies that it reads."""
    from incrowd.jobs import yaml_file

    # That of the private record has no password.
    Path("job.yaml").write_text(yaml_file.write(made.record.job).rstrip("\n") + "\n", encoding="utf-8")
    for table in plain["tables"].values():
        _keep_hierarchies(table.get("columns") or {})


def _pack(folder: Path, archive: Path) -> None:
    """Put the files of a folder into an archive whose bytes follow from them alone."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    with ZipFile(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            entry = ZipInfo(f"{folder.name}/{path.name}")
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            with path.open("rb") as read, packed.open(entry, "w", force_zip64=True) as write:
                shutil.copyfileobj(read, write)


@contextmanager
def _finishing() -> Iterator[None]:
    """Ignore who cancels: the release is there, and is kept."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _telling(show: Show, words: str) -> Iterator[None]:
    """Report progress regularly; otherwise a cancelled run would be taken for one that hangs."""
    over = threading.Event()

    def tell() -> None:
        while not over.is_set():
            show(Progress(None, words))
            over.wait(_EVERY)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def keep_job(job: Job, plain: dict[str, Any]) -> None:
    """Write the job, the command and the script that do the same, and the hierarchies that they read."""
    job = _without_passwords(job)
    texts = {"job.yaml": job.to_yaml(), "command.txt": job.to_command(), "script.py": job.to_script()}
    for name, text in texts.items():
        Path(name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    _keep_hierarchies(plain.get("columns") or {})


def _keep_hierarchies(columns: dict[str, Any]) -> None:
    """Keep the hierarchies that a job reads, in place of links to them."""
    for link in _hierarchies(columns):
        source = link.resolve()
        link.unlink()
        shutil.copyfile(source, link)


def _without_passwords(job: Job) -> Job:
    """Return the job without passwords in its URLs, whatever form it is written in later."""
    from incrowd.jobs import Job

    locations = [each for part in (job.data, job.population) if part is not None for each in part.locations]
    if all(_without_password(each) == each for each in locations):
        return job
    told = job.to_dict()
    for key in ("data", "population"):
        if (part := getattr(job, key)) is not None:
            told[key] = {**part.to_dict(), "source": part.moved(_without_password)}
    return Job.from_dict(told, job.base)


def _without_password(location: str) -> str:
    from incrowd.formats.connections import without_secrets

    return without_secrets(location) if "://" in location else location


def _hierarchies(columns: dict[str, Any]) -> list[Path]:
    """Return the links to hierarchy files; several columns may share one."""
    specs = [column.get("hierarchy") for column in columns.values() if isinstance(column, Mapping)]
    named = [options.get("path") for spec in specs if isinstance(spec, Mapping) for options in spec.values() if options]
    texts = {each for each in (*specs, *named) if isinstance(each, str)}
    return [Path(text) for text in sorted(texts) if Path(text).is_symlink()]
