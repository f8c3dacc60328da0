"""The result of a run, as text and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.anonymization import costliest, tried
from incrowd.anonymization.cautions import cautions
from incrowd.anonymization.first_look import cost, steps_from_here, worked
from incrowd.anonymization.kept_columns import sentences
from incrowd.anonymization.repeated_people import warnings_of
from incrowd.anonymization.summary import left_out, limit_of, summary
from incrowd.core.grid import Point
from incrowd.jobs.metric import metric_name, unused_losses
from incrowd.release import Figures, Manifest, Record
from incrowd.results import Release
from incrowd.searches import minimized_by
from incrowd.text import attributes, count, number, percent, printable, table
from incrowd.verification import Verdict

if TYPE_CHECKING:
    import pandas
    import polars

    from incrowd.anonymization.previews import Previews
    from incrowd.charts import Chart

_GUARANTEES = {
    "optimal": "No release of this recoding type within the limits scores better.",
    "minimal": "No release within the limits has lower levels and none higher; another release may score better.",
    "heuristic": "A better release may exist.",
}
_OF_ITS_KIND = ("fewest_cells",)
"""Searches that are optimal among releases that suppress cells, not among full-domain recodings."""


@dataclass(frozen=True, eq=False, repr=False)
class AnonymizationResult(Release):
    """A verified release."""

    manifest: Manifest
    record: Record
    verdict: Verdict
    unmentioned: tuple[str, ...]
    """Columns that the job does not mention; they are not published."""
    seconds: float
    output: str | None = None
    """The location of the data: a path, or a URL without its password; None if the release is a frame."""
    manifest_file: Path | None = None
    record_file: Path | None = None
    mapping_file: Path | None = None
    frame: Any = None
    """The release as a frame of the kind that was given."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Details that only this search reports."""
    sensitive_file: Path | None = None
    """The file of the sensitive values, if they are published by group in a table of their own."""
    sensitive_frame: Any = None
    """These values as a frame of the kind that was given."""
    job_notes: tuple[str, ...] = ()
    """Earlier names in the job, with the names to use now."""
    previews: Previews | None = None
    """Ten records as each of the searches that were tried would publish them: not verified, and private."""

    _kept_out: ClassVar[tuple[str, ...]] = (*Release._kept_out, "previews")

    def __repr__(self) -> str:
        claims = self.manifest
        found = f"{count(claims.data.records, 'record')} in {count(claims.classes, 'class')}"
        return f"<Anonymized: {found}, {number(claims.suppressed)} suppressed; {self.verdict.word}>"

    @property
    def levels(self) -> dict[str, int | None]:
        """Return the level of each quasi-identifier; None if it varies by cell."""
        return {column.name: column.level for column in self.record.quasi}

    @property
    def figures(self) -> Figures:
        """Return the scores of the release and how it was found: private, like the record that holds them."""
        assert self.record.figures is not None, "every run records them"
        return self.record.figures

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the warnings: those from the release alone, then those that need the original table."""
        if not self.has_record:
            return self.verdict.warnings
        verified = warnings_of(self.manifest, self.record, self.verdict.warnings)
        return (*verified, *sentences(self.record.determined))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes: earlier names in the job, values that may mean something else, settings that were not used."""
        unused = unused_losses(self.record.job)
        return (*self.job_notes, *([] if unused is None else [unused]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        claims, figures, search = self.manifest, self.figures, self.figures.search
        return {
            "summary": summary(claims) if claims.data.records else None,
            "grid": claims.grid,
            "search": search.name,
            "metric": metric_name(self.record.job),
            "guarantee": search.guarantee,
            "optimal": search.optimal,
            "gap": search.gap,
            "stopped": search.stopped,
            "levels": self.levels,
            "forms": {column.name: column.form for column in self.record.quasi if column.form is not None},
            "losses": dict(figures.losses),
            "heights": {column.name: column.height for column in self.record.quasi},
            "input_records": claims.input_records,
            "records": claims.data.records,
            "suppressed": claims.suppressed,
            **({} if claims.people is None else {"people": asdict(claims.people)}),
            "suppress_limit": claims.suppress_limit,
            "set_aside": claims.set_aside,
            "classes": claims.classes,
            "smallest": claims.smallest,
            "scores": dict(figures.scores),
            "counted": search.counted,
            "lattice": search.lattice,
            "wildcards": self.verdict.wildcards,
            "seconds": self.seconds,
            "output": self.output,
            "manifest": _text(self.manifest_file),
            "record": _text(self.record_file),
            "mapping": _text(self.mapping_file),
            "sensitive": _text(self.sensitive_file),
            "not_published": list(self.record.not_published),
            "verdict": self.verdict.value,
            "models": [dict(model) for model in claims.models],
            "cautions": [each.to_dict() for each in cautions(self)],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "columns": [asdict(column) for column in self.verdict.columns],
            "determined": [dict(each) for each in self.record.determined],
            **({} if self.record.repeated is None else {"repeated": dict(self.record.repeated)}),
            "details": dict(self.details),
        }

    def parts(self) -> list[str]:
        """Return what was published, its cost, how it was found, warnings and files, part by part."""
        made = [*self._levels(), self._proposed(), self._point(), self._chosen()] if self.has_record else []
        parts = [self._found(), *made, self._left_out(), *self._warnings(), self._written()]
        return [part for part in parts if part]

    def look(self) -> list[str]:
        """Return whether it worked, what it cost and what can be done now."""
        made = [self._cost(), *self._levels(), self._chosen()] if self.has_record else []
        parts = [worked(self.verdict.word, self._found()), *made, self._left_out(), *self._warnings()]
        return [part for part in (*parts, *steps_from_here(self.output, "frame")) if part]

    def plot(self) -> Chart:
        """Return a picture of what each quasi-identifier costs: its loss, or how far up its hierarchy it is."""
        from incrowd.anonymization.picture import picture_of

        return picture_of(self)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the records of the release."""
        from incrowd.anonymization.released import released_table

        rows: list[dict[str, Any]] = released_table(self).to_pylist()
        return rows

    def to_pandas(self) -> pandas.DataFrame:
        """Return the release as a pandas frame."""
        from incrowd.anonymization.released import released_table

        return released_table(self).to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Return the release as a Polars frame."""
        import polars

        from incrowd.anonymization.released import released_table

        return polars.DataFrame(released_table(self))

    def _found(self) -> str:
        claims = self.manifest
        if not claims.data.records:
            return f"Nothing is published: {_why_nothing(claims)}"
        share = percent(claims.suppressed / claims.input_records)
        aside = f"; {number(claims.set_aside)} set aside for missing values" if claims.set_aside else ""
        return (
            f"{summary(claims)}\n"
            f"{number(claims.suppressed)} of {count(claims.input_records, 'record')} suppressed "
            f"({share}; limit {limit_of(claims)}){aside}."
        ) + "".join(f"\n{line}" for line in left_out(claims).splitlines())

    def _levels(self) -> list[str]:
        if any(column.form is not None for column in self.record.quasi):
            return [self._forms()]
        if "parts" in self.details:
            return [self._parts()]
        if "wiped_by_column" in self.details and self.manifest.data.records:
            return self._wiped()
        rows = [
            (
                column.name,
                "varies" if column.level is None else column.level,
                column.height,
                _state(column.level, column.height),
            )
            for column in self.record.quasi
        ]
        return [table(("column", "level", "of", ""), rows)]

    def _forms(self) -> str:
        """Return what classes publish in each column, and the mean share of the domain that a cell spans."""
        losses = self.figures.losses
        rows = [
            (column.name, column.form or "", percent(losses[column.name]) if losses.get(column.name) else "unchanged")
            for column in self.record.quasi
        ]
        return table(("column", "published as", "share of domain per cell"), rows)

    def _proposed(self) -> str:
        """Return why hierarchies that the job leaves to the table are what they are."""
        reasons = self.details.get("proposed", {})
        if not reasons:
            return ""
        told = "\n".join(f"  {printable(name)}: {reason}" for name, reason in reasons.items())
        return f"Hierarchies proposed from the table (incrowd hierarchy shows and saves them):\n{told}"

    def _parts(self) -> str:
        """Return the number of parts into which the values of each column are divided."""
        rows = [
            (column.name, self.details["parts"][column.name], _state(column.level, column.height))
            for column in self.record.quasi
        ]
        return table(("column", "parts", ""), rows)

    def _wiped(self) -> list[str]:
        """Return how many cells of each column are suppressed, and the level of the others if one was chosen."""
        claims, wiped, levels = self.manifest, self.details["wiped_by_column"], self.details.get("levels")
        rows = [
            (
                column.name,
                wiped[column.name],
                percent(wiped[column.name] / claims.data.records),
                *([] if levels is None else [f"{levels[column.name]} of {column.height}"]),
            )
            for column in self.record.quasi
        ]
        all_wiped, cells = self.details["wiped"], claims.data.records * len(rows)
        total = f"{number(all_wiped)} of {count(cells, 'cell')} suppressed ({percent(all_wiped / cells)})."
        headers = ("column", "cells suppressed", "share", *([] if levels is None else ["level of the others"]))
        return [total, table(headers, rows)]

    def _cost(self) -> str:
        figures = self.figures
        return cost(figures.losses, figures.scores.get("loss")) if self.manifest.data.records else ""

    def _point(self) -> str:
        """Return the release's point on the grid, if the job asked for one."""
        if self.manifest.grid is None or "generalize" not in self.record.job:
            return ""
        point = Point(self.manifest.grid)
        return f"Point {point} of the grid: {point.words}."

    def _chosen(self) -> str:
        search, scores = self.figures.search, self.figures.scores
        listed = ", ".join(f"{name} {value:.6g}" for name, value in scores.items())
        promised = _GUARANTEES[search.guarantee if search.stopped is None else "heuristic"]
        if search.optimal and search.name in _OF_ITS_KIND:
            promised = "No release of this recoding type within the limits loses less, suppressed cells included."
        own = minimized_by(search.name)
        if own is not None and own in scores and search.stopped is None:
            promised = f"No release of this recoding type within the limits has a lower {own}: {scores[own]:.6g}."
        if "bound" in self.details:
            promised = f"At most {self.details['bound']:.3g} times as many cells are suppressed as necessary."
        counted = self._counted()
        lines = [f"Search {search.name}{f': {counted}' if counted else ''}. {promised}"]
        if search.stopped is not None:
            gap = "" if search.gap is None else f"; the best score is at most {search.gap:.4g} lower"
            lines.append(f"Stopped ({search.stopped}) with the best release so far{gap}.")
        if search.name == "scored":
            reached = self.details["partial_domain"] or self.details["full_domain"]
            lines.append(f"Score s ({self.details['score']}, higher is better): {reached:.6g}.")
        lines.append(f"Scores (lower is better): {listed}.")
        if "tried" in self.details:
            lines += [printable(line) for line in tried.lines(self.details["tried"], metric_name(self.record.job))]
        if "costliest" in self.details:
            lines.append(costliest.sentence(self.details["costliest"]))
        lines += [f"Note: {printable(note)}" for note in self.notes]
        return "\n".join(lines)

    def _counted(self) -> str:
        search = self.figures.search
        if "wiped_by_column" in self.details:
            # Cells are not searched node by node; if columns have levels too, those were tried one after another.
            levels = f"{number(search.counted)} of {number(search.lattice or 0)} choices of levels tried"
            return levels if "levels" in self.details else ""
        if search.lattice is None:
            local = self.manifest.apart is not None or any(column.form for column in self.record.quasi)
            noun, verb = ("group", "formed") if local else ("recoding", "counted")
            return f"{count(search.counted, noun)} {verb}"
        return f"{number(search.counted)} of {number(search.lattice)} nodes counted"

    def _left_out(self) -> str:
        lines = []
        if self.unmentioned:
            lines.append(f"Not published, because the job does not mention them: {attributes(self.unmentioned)}.")
        hidden = self.record.not_published if self.has_record else ()
        others = [name for name in hidden if name not in self.unmentioned]
        if others:
            lines.append(f"Not published, as the job says: {attributes(others)}.")
        return "\n".join(lines)

    def _warnings(self) -> list[str]:
        return [f"Warning: {printable(warning)}" for warning in self.warnings]

    def _written(self) -> str:
        lines = [f"Checked: {self.verdict.word}."]
        if self.output is not None:
            second = "" if self.sensitive_file is None else f" and {printable(str(self.sensitive_file))}"
            lines = [f"Written to {printable(self.output)}{second}, read again and checked: {self.verdict.word}."]
        if self.manifest_file is not None:
            lines.append(f"Manifest (share with the data): {printable(str(self.manifest_file))}")
        if self.record_file is not None:
            lines.append(f"Private record (keep secret: can reverse the release): {printable(str(self.record_file))}")
        if self.mapping_file is not None:
            lines.append(f"Mapping of values (keep secret): {printable(str(self.mapping_file))}")
        return "\n".join(lines)


def _why_nothing(claims: Manifest) -> str:
    if not claims.input_records:
        return "the table has no records."
    if claims.set_aside == claims.input_records:
        return "every record has a missing quasi-identifier and is set aside. Include them with nulls=extended."
    return "every record would be suppressed. Allow more generalization, or relax the models."


def _state(level: int | None, height: int | None) -> str:
    if level is None:
        return "varies by cell"
    return "unchanged" if level == 0 else "fully generalized" if level == height else "generalized"


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
