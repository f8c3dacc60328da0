"""The twelve questions for l-diversity and t-closeness, from their definitions, record by record.

Nothing here knows of histograms that are merged, of pruning or of what a model claims; every set is looked at.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from diagnosis.by_definition import FIND, QUESTIONS, Columns, all_sets, largest, shares, smallest
from incrowd.api import diagnose
from incrowd.core.hierarchy import Hierarchy
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.models import Reference
from incrowd.models._by_definition import TextGround
from strategies import COLUMNS, Cell, Row, arrays, cells, column_sets

SENSITIVE = "s"
TOLERANCE = 1e-9
MEASURES = (
    "distinct_l",
    "frequency_l",
    "entropy_l",
    "t_closeness",
    "t_closeness:distance=ordered",
    "t_closeness:distance=hierarchical",
)
TREE: dict[str | None, tuple[str, ...]] = {"0": ("low", "*"), "1": ("low", "*"), "2": ("high", "*"), "3": ("high", "*")}
"""Of the sensitive values, for hierarchical distance."""

Number = int | float | Fraction
Classes = list[list[Cell]]
"""Per class the sensitive values of its records."""


@dataclass(frozen=True)
class Given:
    """What is given; the rest is asked for."""

    measure: str
    value: float | int | None = None
    quasi: Columns | None = None
    suppress: str | None = None
    threat: bool = False
    max_size: int | None = None
    up_to: int = 50

    @property
    def parameter(self) -> str:
        return "t" if self.measure.startswith("t_") else "k" if self.measure == "k_anonymity" else "l"

    def arguments(self) -> dict[str, Any]:
        """As `ask` takes them."""
        side = "at_least" if self.parameter == "t" else "at_most"
        secret = None if self.parameter == "k" else SENSITIVE
        found: dict[str, Any] = {
            "sensitive": secret,
            "measure": self.measure,
            self.parameter: self.value,
            side: self.threat,
        }
        if "hierarchical" in self.measure:
            found["hierarchy"] = Hierarchy.from_rows([(value, *labels) for value, labels in TREE.items()])
        return found | {name: getattr(self, name) for name in ("quasi", "suppress", "max_size", "up_to")}


def classes_of(rows: Sequence[Row], columns: Sequence[str], nulls: str) -> Classes:
    """The sensitive values of the records that agree in the columns."""
    found: dict[tuple[Cell, ...], list[Cell]] = defaultdict(list)
    for row in rows:
        combination = tuple(row[name] for name in columns)
        if nulls != "basic" or None not in combination:
            found[combination].append(row[SENSITIVE])
    return list(found.values())


def value_of(values: Sequence[Cell], measure: str, rows: Sequence[Row]) -> Number:
    """What one class reaches."""
    counts, size = Counter(values), len(values)
    if measure == "distinct_l":
        return len(counts)
    if measure == "frequency_l":
        return size // max(counts.values())
    if measure == "entropy_l":
        return math.exp(math.fsum(-count / size * math.log(count / size) for count in counts.values()))
    distance = measure.partition("=")[2] or "equal"
    whole = Counter((row[SENSITIVE],) for row in rows)
    ground = TextGround((SENSITIVE,), distance, (), Reference({(SENSITIVE,): whole}, {SENSITIVE: TREE}))  # type: ignore[dict-item]
    return ground.from_table(Counter((value,) for value in values))  # type: ignore[arg-type]


def satisfies(reached: Number, value: Number, measure: str) -> bool:
    """Whether a class that reaches this satisfies a value."""
    if measure.startswith("t_"):
        return reached <= value + TOLERANCE
    return reached >= (value * (1 - TOLERANCE) if measure == "entropy_l" else value)


class Judged:
    """The classes of one set."""

    def __init__(self, rows: Sequence[Row], columns: Sequence[str], nulls: str, measure: str) -> None:
        self.measure = measure
        self.each = [(value_of(values, measure, rows), len(values)) for values in classes_of(rows, columns, nulls)]
        self.records = sum(size for _, size in self.each)

    def gone_for(self, value: Number) -> int:
        """How many records are in classes that do not satisfy a value."""
        return sum(size for reached, size in self.each if not satisfies(reached, value, self.measure))

    def reached(self, share: str | None) -> Number:
        """The best value that some class reaches and for which no more records go than may."""
        budget = 0 if share is None else math.floor(Fraction(share) * self.records)
        found = [value for value, _ in self.each if self.gone_for(value) <= budget]
        return (min if self.measure.startswith("t_") else max)(found, default=0)

    def suppression(self, value: Number) -> dict[str, Any]:
        """What has to go for a value."""
        gone = self.gone_for(value)
        return {"suppress": gone / self.records if self.records else 0.0, "suppressed": gone}

    def suppressions(self, up_to: int) -> list[dict[str, Any]]:
        """What has to go for each value, until nothing is left."""
        if not self.each:
            return []
        values: list[Number] = list(range(1, up_to + 1))
        if self.measure.startswith("t_"):
            farthest = max(value for value, _ in self.each)
            first = next(step for step in range(101) if satisfies(farthest, Fraction(step, 100), self.measure))
            values = [step / 100 for step in range(first, -1, -1)]
        rows = [{Given(self.measure).parameter: value, **self.suppression(value)} for value in values]
        last = next((at for at, row in enumerate(rows) if row["suppressed"] == self.records), len(rows))
        return rows[: last + 1]


def is_safe(reached: Number, given: Given) -> bool:
    """Whether what is reached is on the side that protects; of a threat the value itself is not."""
    assert given.value is not None
    if not given.threat:
        return satisfies(reached, given.value, given.measure)
    if given.parameter == "t":
        return reached < given.value - TOLERANCE
    return reached > (given.value * (1 + TOLERANCE) if given.measure == "entropy_l" else given.value)


def expected(
    rows: Sequence[Row],
    columns: Sequence[str],
    given: Given,
    nulls: str,
    judge: Callable[[Sequence[Row], Sequence[str], str, str], Judged] = Judged,
) -> Any:
    """The answer, in the shape that `Answer.answer` has."""

    def judged(names: Sequence[str]) -> Judged:
        return judge(rows, names, nulls, given.measure)

    if given.quasi is not None:
        return _of_set(judged(given.quasi), given)
    sets = all_sets(columns, given.max_size)
    if given.suppress == FIND and given.value is not None:
        return [{"quasi": list(s), **judged(s).suppression(given.value)} for s in sets]
    if given.suppress == FIND:
        return [{"quasi": list(s), **row} for s in sets for row in judged(s).suppressions(given.up_to)]
    reached = {s: judged(s).reached(given.suppress) for s in sets}
    if given.value is None:
        return [{"quasi": list(s), given.parameter: reached[s]} for s in sets]
    if given.threat:
        return smallest([s for s in sets if not is_safe(reached[s], given)])
    return largest([s for s in sets if is_safe(reached[s], given)])


def _of_set(judged: Judged, given: Given) -> Any:
    if given.suppress == FIND and given.value is not None:
        return {**judged.suppression(given.value), "remaining": judged.records - judged.gone_for(given.value)}
    if given.suppress == FIND:
        return judged.suppressions(given.up_to)
    reached = judged.reached(given.suppress)
    return reached if given.value is None else is_safe(reached, given) != given.threat


def rows_to_go(rows: Sequence[Row], given: Given, nulls: str) -> list[int]:
    """The records of one set that have to go, those set aside included."""
    assert given.quasi is not None
    judged = Judged(rows, given.quasi, nulls, given.measure)
    goal = judged.reached(given.suppress) if given.value is None else given.value
    found = []
    for at, row in enumerate(rows):
        mine = tuple(row[name] for name in given.quasi)
        alike = [other[SENSITIVE] for other in rows if tuple(other[name] for name in given.quasi) == mine]
        aside = nulls == "basic" and None in mine
        if aside or not satisfies(value_of(alike, given.measure, rows), goal, given.measure):
            found.append(at)
    return found


def rounded(answer: Any) -> Any:
    """An answer whose l and t are rounded to the ninth digit: one side has fractions, the other what rounding left."""
    if isinstance(answer, list):
        return [rounded(each) for each in answer]
    if isinstance(answer, dict):
        return {name: rounded(value) if name in ("l", "t") else value for name, value in answer.items()}
    return round(float(answer), 9) if isinstance(answer, float | Fraction) else answer


def opened(rows: Sequence[Row], columns: Sequence[str], nulls: str = "extended") -> Diagnosis:
    """A diagnosis of the rows and their sensitive column."""
    names = [*columns, SENSITIVE]
    return diagnose(pa.table(arrays(rows, names), names=names), nulls=nulls)


@st.composite
def small_tables(draw: st.DrawFn, missing: bool = True, fewest_rows: int = 0) -> tuple[Columns, list[Row]]:
    """One to four columns with few values, a sensitive one, and up to a dozen rows."""
    columns = COLUMNS[: draw(st.integers(1, 4))]
    cell = cells(draw(st.integers(1, 3)), missing)
    secret = st.sampled_from(["0", "1", "2", "3"][: draw(st.integers(1, 4))])
    record = st.tuples(*[cell] * len(columns), st.none() | secret if missing else secret)
    records = draw(st.lists(record, min_size=fewest_rows, max_size=12))
    return columns, [dict(zip((*columns, SENSITIVE), each, strict=True)) for each in records]


def values(measure: str) -> st.SearchStrategy[float | int]:
    """What may be given for the parameter; some are what classes reach exactly."""
    if measure.startswith("t_"):
        return st.sampled_from([0, 0.05, 0.1, 1 / 6, 0.2, 0.25, 0.3, 1 / 3, 0.4, 0.5, 2 / 3, 0.75, 1])
    if measure == "entropy_l":
        return st.sampled_from([1, 1.5, 3 / 2 ** (2 / 3), 2, 2.5, 3, 4])
    return st.integers(1, 5)


@st.composite
def givens(draw: st.DrawFn, question: str, measure: str, columns: Sequence[str], threat: bool = False) -> Given:
    """What is given when a question is asked of a table with these columns."""
    given = QUESTIONS[question]
    listed = given <= {"quasi", "find"} and not measure.startswith("t_")
    return Given(
        measure,
        value=draw(values(measure)) if "k" in given else None,
        quasi=draw(column_sets(columns)) if "quasi" in given else None,
        suppress=FIND if "find" in given else draw(shares()) if "share" in given else None,
        threat=threat,
        max_size=draw(st.none() | st.integers(1, 5)) if "quasi" not in given else None,
        up_to=draw(st.sampled_from([1, 2, 3, 50])) if listed else 50,
    )
