"""The facts of a report on several releases, as plain data: of a comparison or a frontier."""

from dataclasses import asdict, dataclass, field
from pathlib import PurePath

from incrowd.comparison import Comparison
from incrowd.comparison.picture import RISK, axis_of
from incrowd.comparison.wording import short_names
from incrowd.core.grid import Suppress
from incrowd.frontiers import Frontier
from incrowd.release import Plain
from incrowd.release_metrics.contract import Goal


@dataclass(frozen=True)
class ReadingFacts:
    """The values of a metric for each release."""

    name: str
    side: str
    better: str
    meaning: str
    values: tuple[float | None, ...]
    """By release."""
    why: tuple[str, ...]
    """The reasons why it has no value."""


@dataclass(frozen=True)
class MeasuredFacts:
    """A release that was measured."""

    letter: str
    name: str
    records: int
    classes: int
    smallest: int


@dataclass(frozen=True)
class ComparisonFacts:
    """Releases of one table, measured alike."""

    original: str | None
    """None in an external report."""
    records: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    label: str | None
    releases: tuple[MeasuredFacts, ...]
    readings: tuple[ReadingFacts, ...]
    notes: tuple[str, ...]
    stopped: str | None
    across: str | None
    """The horizontal axis of the map; None if there is nothing to draw."""
    up: str | None
    points: tuple[tuple[float | None, float | None], ...]
    kind: str = field(default="comparison", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return asdict(self)


def comparison_facts(found: Comparison, is_private: bool) -> ComparisonFacts:
    """Return the facts of a comparison; an external report has no paths."""
    letters = short_names(found) if len(found.releases) > 1 else [""]
    utility = next((name for name in ("loss", *found.yardsticks) if _has_values(found, name)), None)
    across = None if utility is None else axis_of(found, utility)
    up = axis_of(found, RISK)
    return ComparisonFacts(
        original=found.original if is_private else None,
        records=found.records,
        quasi=found.quasi,
        sensitive=found.sensitive,
        label=found.label,
        releases=tuple(
            MeasuredFacts(
                letter,
                release.name if is_private else PurePath(release.name).name,
                release.records,
                release.classes,
                release.smallest,
            )
            for letter, release in zip(letters, found.releases, strict=True)
        ),
        readings=tuple(
            ReadingFacts(
                name,
                str(each.side),
                "lower" if each.goal == Goal.LOW else "higher",
                each.meaning,
                tuple(release.readings[name].value for release in found.releases),
                tuple(sorted({release.readings[name].why for release in found.releases} - {""})),
            )
            for name, each in found.yardsticks.items()
        ),
        notes=found.notes if is_private else (),
        stopped=found.stopped,
        across=None if across is None else across.title,
        up=up.title,
        points=() if across is None else tuple(zip(across.values, up.values, strict=True)),
    )


def _has_values(found: Comparison, name: str) -> bool:
    return name in found.yardsticks and any(release.readings[name].value is not None for release in found.releases)


@dataclass(frozen=True)
class RunFacts:
    """One search under one k."""

    search: str
    k: int
    suppress: float | str
    smallest: int | None
    records: int | None
    suppressed: int | None
    loss: float | None
    risk: float | None
    reason: str | None
    """The reason why there is no release."""
    is_worth_having: bool
    is_recommended: bool


@dataclass(frozen=True)
class FrontierFacts:
    """The runs of a frontier."""

    source: str | None
    records: int
    risk: str
    runs: tuple[RunFacts, ...]
    kind: str = field(default="frontier", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return asdict(self)


def frontier_facts(found: Frontier, is_private: bool) -> FrontierFacts:
    """Return the facts of every run, with the Pareto-optimal releases marked."""
    front = {id(run) for run in found.front}
    return FrontierFacts(
        found.source if is_private else None,
        found.records,
        str(found.risk),
        tuple(
            RunFacts(
                run.search,
                run.k,
                str(run.suppress) if isinstance(run.suppress, Suppress) else float(run.suppress),
                None if run.release is None else run.release.smallest,
                None if run.release is None else run.release.records,
                None if run.release is None else run.release.suppressed,
                None if run.release is None else run.release.loss,
                None if run.release is None else run.release.point(found.risk).risk,
                run.reason if is_private else None if run.release is not None else "there is no such release",
                id(run) in front,
                run is found.recommended,
            )
            for run in found.runs
        ),
    )
