"""Changes of a job file on the command line: another place to write to, leave to replace, less time,
a search, columns to drop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from incrowd.errors import close_to
from incrowd.jobs.document import Place, Written
from incrowd.jobs.variables import Unresolved

_TO: Place = ("output", "to")


@dataclass(frozen=True)
class Changes:
    """Settings that take the place of those of a job."""

    output: str | None = None
    """A path begins at the present folder, not at that of the job."""
    replace: bool = False
    time: float | None = None
    search: Any = None
    drop: Sequence[str] = ()
    """Columns of the job that are not published after all."""

    def put_into(self, written: Written, located: Callable[[str], str]) -> None:
        """Put them into a job as it is written, before it is parsed; `located` finds a path of the present folder."""
        if not isinstance(written.plain, Mapping):
            return
        output = _output(written.plain.get("output"))
        if output is not None and (self.output is not None or (self.replace and output)):
            own: dict[str, Any] = {"replace": True} if self.replace else {}
            if self.output is not None:
                own["to"] = located(self.output)
                _note(written, _TO, "--output")
            written.plain = {**written.plain, "output": {**output, **own}}
        if self.time is not None:
            written.plain = {**written.plain, "time": self.time}
            _note(written, ("time",), "--time")
        if self.search is not None:
            written.plain = {**written.plain, "search": self.search}
            _note(written, ("search",), "--search")
        if self.drop:
            self._leave_out(written)

    def _leave_out(self, written: Written) -> None:
        columns = written.plain.get("columns")
        if not isinstance(columns, Mapping):
            return
        for name in self.drop:
            if name not in columns:
                written.fault(
                    ("columns",), f"--drop names column {name!r}, which the job lacks{close_to(name, columns)}"
                )
        written.plain = {**written.plain, "columns": {**columns, **dict.fromkeys(self.drop, "drop")}}

    def still_unresolved(self, texts: Unresolved) -> Unresolved:
        """Return the texts with environment variables that these settings leave in the job."""
        return {place: text for place, text in texts.items() if self.output is None or place != _TO}


def _note(written: Written, place: Place, option: str) -> None:
    """Faults name the option, and no line of the file."""
    written.names[place] = option
    written.lines[place] = None


def _output(given: Any) -> dict[str, Any] | None:
    """Return what a job says of its output, by key; None where it cannot be read, which is told elsewhere."""
    if isinstance(given, str):
        return {"to": given}
    return dict(given or {}) if isinstance(given, Mapping | None) else None
