"""A query: the question and everything that was given."""

from dataclasses import dataclass, field

from incrowd.core.brief import Brief
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.diagnosis.measures import Measure, Number
from incrowd.diagnosis.questions import FIND, Find, Question
from incrowd.diagnosis.suppression import Given
from incrowd.errors import UsageError

UP_TO = 50
"""The largest k or l that is listed unless another is given."""


@dataclass(frozen=True, eq=False, repr=False)
class DiagnosisQuery(Brief):
    """A question with what was given."""

    question: Question
    among: tuple[str, ...]
    measure: Measure = field(default_factory=Measure)
    value: Number | None = None
    """The k, l or t that was given."""
    quasi: tuple[str, ...] | None = None
    suppress: Given | Find | None = None
    at_most: bool = False
    at_least: bool = False
    nulls: Nulls = Nulls.EXTENDED
    max_size: int | None = None
    up_to: int = UP_TO
    person: tuple[str, ...] = ()
    """The columns that together tell the person of a record, if given."""

    @property
    def is_threat(self) -> bool:
        """Return whether the query asks for the side of the value that does not protect."""
        return self.at_most if self.measure.larger_is_safer else self.at_least

    def budget(self, judged: int) -> int:
        """Return how many records may be suppressed."""
        return self.suppress.of(judged) if isinstance(self.suppress, Given) else 0

    @property
    def least_size(self) -> int:
        """Return roughly how many records a class needs to be on the side that protects."""
        assert self.value is not None
        if self.measure.larger_is_safer:
            return int(self.value) + self.is_threat
        # Shares of n records differ from those of the table by about 1 / sqrt(n).
        return min(10_000, round(1 / max(self.value, 0.01) ** 2))

    def is_safe(self, reached: Number) -> bool:
        """Return whether this value is on the side that protects; the given value itself is on the side asked for."""
        assert self.value is not None
        compare = self.measure.exceeds if self.is_threat else self.measure.satisfies
        return compare(reached, self.value)

    def holds_for(self, reached: Number) -> bool:
        """Return whether `reached` is on the side asked for."""
        return self.is_safe(reached) != self.is_threat


def refuse_senseless(asked: DiagnosisQuery, has_hierarchy: bool) -> None:
    """Refuse invalid combinations."""
    _refuse_sides(asked)
    _refuse_sensitive(asked, has_hierarchy)
    if asked.nulls in WILDCARDS and asked.suppress is not None:
        raise UsageError.invalid(
            f"suppression with nulls={asked.nulls}",
            "wildcards do not form classes to suppress, and each suppressed record changes what matches the others",
            "ask without suppress, or with nulls extended or basic",
        )
    if asked.nulls in WILDCARDS and asked.measure.person:
        raise UsageError.invalid(
            f"nulls={asked.nulls} with a person",
            "missing values that match everything do not form classes in which people could be counted",
            "ask with nulls extended or basic",
        )
    if asked.max_size is not None and asked.quasi is not None:
        raise UsageError.invalid("max_size with quasi", "only one set is counted", "omit one of them")


def _refuse_sides(asked: DiagnosisQuery) -> None:
    if not (asked.at_most or asked.at_least):
        return
    side, parameter = "at most" if asked.at_most else "at least", asked.measure.parameter
    if asked.at_most and asked.at_least:
        raise UsageError.invalid("at most and at least", "a value has one side", "give one of them")
    if asked.value is None:
        needed = {"k": "a k", "l": "an l", "t": "a t"}[parameter]
        example = "t=0.2" if parameter == "t" else f"{parameter}=1"
        raise UsageError.invalid(side, f"it needs {needed} to compare with", f"give {parameter}, such as {example}")
    if asked.is_threat and asked.suppress is FIND:
        does = "raises" if asked.measure.larger_is_safer else "lowers"
        raise UsageError.invalid(
            f"{side} with suppress=find",
            f"suppression only ever {does} {parameter}",
            f"omit {side.replace(' ', '_')}, or give a share to suppress",
        )


def _refuse_sensitive(asked: DiagnosisQuery, has_hierarchy: bool) -> None:
    measure = asked.measure
    if has_hierarchy and not measure.needs_hierarchy:
        raise UsageError.invalid(
            "a hierarchy",
            "only the hierarchical distance uses it",
            "omit it, or ask with measure=t_closeness:distance=hierarchical",
        )
    if measure.column is None:
        return
    if measure.needs_hierarchy and not has_hierarchy:
        raise UsageError.invalid(
            f"t_closeness with hierarchical distance on column {measure.column!r}",
            "the column has no hierarchy",
            "give it one (hierarchy), or choose another distance",
        )
    if measure.column in (asked.quasi or asked.among):
        raise UsageError.invalid(
            f"column {measure.column!r} as sensitive", "the attacker knows it", "remove it from one of the two"
        )
    if not (asked.quasi or asked.among):
        raise UsageError.no_columns("among")
    if asked.nulls in WILDCARDS:
        raise UsageError.invalid(
            f"a sensitive column with nulls={asked.nulls}",
            "wildcards do not form classes whose values could be compared",
            "ask with nulls extended or basic",
        )
    if not measure.larger_is_safer and asked.up_to != UP_TO:
        raise UsageError.invalid("up_to with t", "t is listed in hundredths until no record remains", "omit it")
