"""What is kept of a release that a run made."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.watch import Progress, Show

if TYPE_CHECKING:
    from incrowd.anonymization import Anonymized
    from incrowd.jobs import Job

_EVERY = 2.0
"""Seconds between two signs of life."""


def keep(made: Anonymized, original: Any, show: Show, population: Any = None) -> dict[str, Any]:
    """The facts of the release; beside it lie two reports in every form, one for those who may see the table before."""
    from incrowd.reports.making import of_release
    from incrowd.reports.reading import release_made
    from incrowd.reports.report import FORMS, Audience
    from incrowd.watch import Watch

    # The release is there: who cancels now gets it all the same.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    for audience in (Audience.EXTERNAL, Audience.INTERNAL):
        private = audience == Audience.INTERNAL
        with _telling(show, f"writing the {audience} report"):
            given = release_made(made, original if private else None, private, population=population)
            report = of_release(given, audience, Watch())
            for form in FORMS:
                report.write(f"report-{audience}{form}")
    signal.signal(signal.SIGINT, before)
    return {**made.to_dict(), "text": str(made)}


@contextmanager
def _telling(show: Show, words: str) -> Iterator[None]:
    """Say every now and then that the work goes on, so that who was cancelled is not taken for one that hangs."""
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


def keep_job(job: Job) -> None:
    """The job, and the command and the script that do the same."""
    texts = {"job.yaml": job.to_yaml(), "command.txt": job.to_command(), "script.py": job.to_script()}
    for name, text in texts.items():
        Path(name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
