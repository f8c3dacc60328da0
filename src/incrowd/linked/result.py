"""The result of a run over several tables, as text and as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from incrowd.anonymization.cautions import Caution, of_levels
from incrowd.anonymization.first_look import steps_from_here, worked
from incrowd.release.tables import LinkedManifest, LinkedRecord
from incrowd.results import Release
from incrowd.text import attributes, count, number, percent, printable, table
from incrowd.verification import LinkedVerdict

_GUARANTEES = {
    "optimal": "No release with one level per column within the limits scores better.",
    "minimal": "No release within the limits has lower levels and none higher; another release may score better.",
    "heuristic": "A better release may exist.",
}


@dataclass(frozen=True, eq=False, repr=False)
class LinkedResult(Release):
    """A verified release of several tables."""

    manifest: LinkedManifest
    record: LinkedRecord
    verdict: LinkedVerdict
    unmentioned: tuple[str, ...]
    """Columns that the job does not mention, as `table.column`; they are not published."""
    seconds: float
    output: str | None = None
    """The folder of the release; None if it is frames alone."""
    manifest_file: Path | None = None
    record_file: Path | None = None
    frames: Mapping[str, Any] = field(default_factory=dict)
    """The tables that were given as frames, as frames of the same kinds."""

    def __repr__(self) -> str:
        claims = self.manifest
        found = f"{count(len(claims.tables), 'table')} about {number(claims.people)} people"
        return f"<Anonymized: {found}, {number(claims.suppressed)} suppressed; {self.verdict.word}>"

    @property
    def levels(self) -> dict[str, int | None]:
        """Return the level of each quasi-identifier, by `table.column`."""
        return {column.name: column.level for column in self.record.quasi}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        claims, search = self.manifest, self.record.figures.search
        return {
            "knows": claims.knows,
            "search": search.name,
            "guarantee": search.guarantee,
            "optimal": search.optimal,
            "gap": search.gap,
            "stopped": search.stopped,
            "levels": self.levels,
            "heights": {column.name: column.height for column in self.record.quasi},
            "input_people": claims.input_people,
            "people": claims.people,
            "suppressed": claims.suppressed,
            "suppress_limit": claims.suppress_limit,
            "smallest": claims.smallest,
            "tables": {
                each.name: {"records": each.data.records, "people": each.people, "file": each.data.file or None}
                for each in claims.tables
            },
            "scores": dict(self.record.figures.scores),
            "counted": search.counted,
            "lattice": search.lattice,
            "seconds": self.seconds,
            "output": self.output,
            "manifest": None if self.manifest_file is None else str(self.manifest_file),
            "record": None if self.record_file is None else str(self.record_file),
            "not_published": list(self.record.not_published),
            "verdict": self.verdict.value,
            "models": [dict(model) for model in claims.models],
            "cautions": [each.to_dict() for each in self._cautions()],
            "warnings": list(self.verdict.warnings),
        }

    def _cautions(self) -> tuple[Caution, ...]:
        levels = {column.name: column.level for column in self.record.quasi}
        heights = {column.name: column.height for column in self.record.quasi}
        is_stopped = self.record.figures.search.stopped is not None
        return of_levels(levels, heights, is_stopped) if self.manifest.people else ()

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each table; the tables themselves are `frames`, or files."""
        return [
            {"table": each.name, "records": each.data.records, "people": each.people, "belongs_to": each.of}
            for each in self.manifest.tables
        ]

    def parts(self) -> list[str]:
        """Return what was published and how well people are hidden, part by part."""
        made = [self._levels(), self._chosen(), self._left_out()] if self.has_record else []
        parts = [self._found(), self._tables(), *made, self._warned(), self._written()]
        return [part for part in parts if part]

    def look(self) -> list[str]:
        """Return whether it worked, what it cost and what can be done now."""
        return [worked(self.verdict.word, self.parts()[0]), *self.parts()[1:], *steps_from_here(self.output, "frames")]

    def _found(self) -> str:
        claims = self.manifest
        if not claims.people:
            return "Nothing is published: every person would be suppressed. Relax the models or the limits."
        share = percent(claims.suppressed / claims.input_people)
        return (
            f"{number(claims.people)} people in {count(len(claims.tables), 'table')}; whatever is known of one is true "
            f"of at least {number(claims.smallest)}.\n"
            f"{number(claims.suppressed)} of {number(claims.input_people)} people suppressed in all tables "
            f"({share}; limit {number(claims.suppress_limit)}).\n" + "\n".join(claims.promises)
        )

    def _tables(self) -> str:
        rows = [
            (each.name, each.data.records, each.people, "" if each.of is None else f"{each.of} by {each.on}")
            for each in self.manifest.tables
        ]
        return table(("table", "records", "people", "belongs to"), rows)

    def _levels(self) -> str:
        return table(("column", "level", "of"), [(each.name, each.level, each.height) for each in self.record.quasi])

    def _chosen(self) -> str:
        search = self.record.figures.search
        promised = _GUARANTEES[search.guarantee if search.stopped is None else "heuristic"]
        lines = [
            f"Search {search.name}: {number(search.counted)} of {number(search.lattice or 0)} nodes counted. {promised}"
        ]
        if search.stopped is not None:
            gap = "" if search.gap is None else f"; the best score is at most {search.gap:.4g} lower"
            lines.append(f"Stopped ({search.stopped}) with the best release so far{gap}.")
        scores = ", ".join(f"{name} {value:.6g}" for name, value in self.record.figures.scores.items())
        return "\n".join([*lines, f"Scores (lower is better): {scores}."])

    def _left_out(self) -> str:
        if not self.unmentioned:
            return ""
        return f"Not published, because the job does not mention them: {attributes(self.unmentioned)}."

    def _warned(self) -> str:
        return "\n".join(f"Warning: {printable(warning)}" for warning in self.verdict.warnings)

    def _written(self) -> str:
        lines = [f"Checked: {self.verdict.word}."]
        if self.output is not None:
            lines = [f"Written to {printable(self.output)}, read again and checked: {self.verdict.word}."]
        if self.manifest_file is not None:
            lines.append(f"Manifest (share with the data): {printable(str(self.manifest_file))}")
        if self.record_file is not None:
            lines.append(f"Private record (keep secret: can reverse the release): {printable(str(self.record_file))}")
        return "\n".join(lines)
