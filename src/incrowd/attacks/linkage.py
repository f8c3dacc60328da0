"""Linkage: persons of an outside table are looked for in the release (Samarati 2001, Sweeney 2002)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from incrowd import models
from incrowd.attacks._candidates import Candidates
from incrowd.attacks._contract import Exposure, Mask, Needs, Worst
from incrowd.attacks._crowd import Crowd, crowd_of
from incrowd.attacks._remedies import remedy
from incrowd.attacks._several import SeveralRecords
from incrowd.attacks._target import Target
from incrowd.core.histograms import Counts, Histogram
from incrowd.core.knowledge import Known, Knows, known_records
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.jobs.suppression import known
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.parameters import whole_number
from incrowd.text import attributes, count
from incrowd.watch import Watch

Cells = Sequence[AbstractSet[Hashable]]
"""Per column the values that a cell may have."""


@dataclass(frozen=True)
class Linkage:
    """A person is exposed if fewer than k records match, or if all of them share a sensitive value.

    A record matches if each of its cells is the person's value, or a range, a set, a mask or a label that covers it. A
    missing value matches everyone. If the outside table is the original and tells its people, a person is exposed by
    any of their records, and also if these match records of fewer than k people. If several records of a person are
    known, a person is exposed too if these match records of fewer than k people.
    """

    k: int = 2
    """The smallest number of records that must match a person; with 2, a single one is too few."""
    exact: bool = False
    """True if cells must equal the value; then nothing generalized, masked or missing matches."""
    knows: int | str | None = None
    """How much is known of a person: record, a number of records or history (default: what the release states)."""

    needs = Needs.OUTSIDE

    def __post_init__(self) -> None:
        whole_number("k of linkage", self.k)
        if not isinstance(self.exact, bool):
            raise UsageError.not_one_of("exact of linkage", self.exact, ["true", "false"])
        if self.knows is not None:
            much = _knows(self.knows)
            object.__setattr__(self, "knows", much if isinstance(much, int) else str(much))
        if self.exact and self.knows not in (None, Known.RECORD):
            raise UsageError.invalid(
                f"knows={self.knows} of linkage", "exact compares one record at a time", "omit one of the two"
            )

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the people of the outside table that are re-identified, or whose value is disclosed."""
        assert target.people is not None
        people = target.people.combinations
        found = target.candidates(people, watch, self.exact)
        sizes = found.sizes(target.sizes)
        crowd = None if self.exact else crowd_of(target, watch)
        several = self._several(target, crowd)
        disclosed = {name: _distinct(found, target, name) == 1 for name in target.histograms}
        few = (sizes > 0) & (sizes < self.k)
        number, alone = target.people.number, (sizes == 1)[found.view]
        details = {
            "people whom no record fits": number((sizes == 0)[found.view]),
            "people whom one record fits": number(alone),
            "of these, nobody else of the outside table fits it": number(_certain(found, alone)),
            f"people whom fewer than {self.k} fit": number(few[found.view]),
        } | {f"people whose {name} is known": number(of[found.view]) for name, of in disclosed.items()}
        hidden_among = sizes
        if crowd is not None:
            hidden_among = np.where(sizes > 0, np.minimum(sizes, crowd.of_views()), 0)
            few = (hidden_among > 0) & (hidden_among < self.k)
            details[f"people found among fewer than {self.k} people"] = number(few[found.view])
        views = few | np.any([*disclosed.values(), few], axis=0)
        exposed = views[found.view]
        hit = np.unique(found.classes[views[found.owner]])
        columns = [target.histograms[name] for name, of in disclosed.items() if of.any()]
        exposure = Exposure(
            "People in an outside table are re-identified by the columns it shares with the release, or a "
            "sensitive value is disclosed because all records that match them share it.",
            f"an outside table with {attributes(target.people.quasi)}, and that its people are in the release",
            number(exposed),
            len(hit),
            among=target.people.everybody,
            worst=_worst(found, sizes, views, hidden_among, "record" if crowd is None else "person"),
            stopped_by=" and ".join(_remedies(bool(few.any()), self.k, target.records, columns))
            + ("" if crowd is None else " by people")
            + _as_values(target),
            details=details,
            people=target.people.names(exposed),
            note="; ".join(remarks(found.unmatched, {} if self.exact else target.summaries)),
        )
        yield exposure if several is None else self._with_several(exposure, exposed, hit, several)

    def _several(self, target: Target, crowd: Crowd | None) -> SeveralRecords | None:
        """Return what several known records of people find; None if one record of a person is known."""
        assert target.people is not None
        if self.knows not in (None, Known.RECORD) and not target.people.tells:
            raise UsageError.invalid(
                f"knows={self.knows} of linkage",
                "no column tells the person of a record of the outside table",
                "give the original table and name such columns (--person)",
            )
        knows = target.knows_of_person if self.knows is None else _knows(self.knows)
        # If everybody has one record, that is all there is to know.
        return None if crowd is None or knows == Known.RECORD else SeveralRecords.of(crowd, knows, target.whole_people)

    def _with_several(self, one: Exposure, exposed: Mask, hit: Counts, several: SeveralRecords) -> Exposure:
        """Return the exposure by one known record, with whom several known records find."""
        found, people = several.found_among_fewer(self.k), several.crowd.people
        by_people = f"{models.spell(KAnonymity(k=self.k))} by people with knows={several.knows}"
        remedies = [
            *([one.stopped_by] if one.records or not found.any() else []),
            *([by_people] if found.any() else []),
        ]
        told = f"people found among fewer than {self.k} people by {several.words}"
        return replace(
            one,
            knows=f"{one.knows}, and {known_records(several.knows)}",
            records=people.number(exposed, found),
            classes=len(np.union1d(hit, several.classes(found))),
            worst=one.worst or several.worst(found),
            stopped_by=" and ".join(remedies),
            details={**one.details, told: int(np.count_nonzero(found))},
            people=people.names(exposed, found),
            note="; ".join(filter(None, [one.note, several.note()])),
        )

    def textbook(self, people: Sequence[Cells], records: Sequence[tuple[Cells, Sequence[Hashable]]]) -> list[bool]:
        """Return whether each person is exposed, trying every record."""
        found = []
        for person in people:
            fitting = [values for cells, values in records if all(a & b for a, b in zip(person, cells, strict=True))]
            columns = list(zip(*fitting, strict=True))
            alike = any(len(set(column)) == 1 for column in columns)
            found.append(bool(fitting) and (len(fitting) < self.k or alike))
        return found


def _knows(given: int | str) -> Knows:
    try:
        return known(given)
    except ValueError as error:
        raise UsageError(f"knows of linkage {given!r}: {error}") from None


def _distinct(found: Candidates, target: Target, name: str) -> Counts:
    """Return how many different values each view has."""
    view, _, _ = found.values(target.histograms[name], target.group)
    return np.bincount(view, minlength=len(found))


def _certain(found: Candidates, alone: Mask) -> Mask:
    """Return people whose single matching record matches nobody else: re-identified without knowing presence."""
    first = np.append(found.classes, 0)[found.starts[:-1]][found.view]
    return alone & (found.fitting[first] == 1) if len(found.classes) else alone & False


def _worst(found: Candidates, sizes: Counts, views: Mask, hidden_among: Counts, unit: str) -> Worst | None:
    """Return the view with the fewest records, or people, by its first class."""
    where = np.flatnonzero(views)
    if not len(where):
        return None
    at = int(where[np.argmin(hidden_among[where])])
    number, size = int(found.classes[found.starts[at]]), int(sizes[at])
    people = "" if unit == "record" else f" of {count(int(hidden_among[at]), unit)}"
    return Worst(number + 1, size, f"{count(size, 'record')}{people} for a person")


def _remedies(few: bool, k: int, records: int, disclosed: Sequence[Histogram]) -> Iterable[str]:
    if few or not disclosed:
        named = models.spell(KAnonymity(k=k))
        yield named if k <= records else f"none: the release has too few records for {named}"
    yield from (remedy(DistinctL(l=2, column=each.domain.columns), each) for each in disclosed)


def _as_values(target: Target) -> str:
    """Return the settings a model also needs if wildcards only seemed to hide people."""
    settings = [
        *(["missing values as values (nulls: extended)"] if target.nulls in WILDCARDS else []),
        *(["suppressed cells as values (wiped=own)"] if target.wiped else []),
    ]
    return f" with {' and '.join(settings)}" if settings else ""


def remarks(unmatched: Mapping[str, int], summaries: Mapping[str, str], beside: str = "outside table") -> Iterable[str]:
    """Yield remarks on cells that match nobody, and on cells that were not compared."""
    if unmatched:
        listed = ", ".join(f"{number:,} of {attributes([name])}" for name, number in unmatched.items())
        yield (
            f"distinct cells of the release that match nobody in the {beside}: {listed}; if these are labels, give "
            "their hierarchy (-q COLUMN=HIERARCHY), otherwise check that both tables spell values alike"
        )
    if summaries:
        listed = ", ".join(f"{attributes([name])} ({form})" for name, form in summaries.items())
        yield f"cells of {listed} summarize a class and need not apply to each person: they were not used for matching"


ATTACK = Linkage
RANK = 1
