"""What a run that makes a release prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine

if TYPE_CHECKING:
    from incrowd.anonymization import Anonymized
    from incrowd.watch import Show


def released(
    run: Callable[[Show], Anonymized], as_json: bool, report: Callable[[Anonymized], None] | None = None
) -> None:
    """Run with progress, report where asked to, print the release; without one, as JSON too what would open it."""
    from incrowd.anonymization.infeasible import NoRelease

    try:
        with ProgressLine() as line:
            made = run(line.show)
            if report is not None:
                report(made)
    except NoRelease as error:
        if as_json:
            print_json(error.to_dict())
        raise
    if as_json:
        print_json(made.to_dict())
    else:
        print(made)
