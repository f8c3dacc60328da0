"""Classes of one sensitive column in both forms: arrays for `holds`, plain counts for `textbook`; random ones too."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.classes import Classes
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.histograms import Domain, Histogram
from incrowd.families import MODELS, needed
from incrowd.models import Block, PrivacyModel, Reference, from_dict

COLUMN = "s"
COLUMNS = (COLUMN,)

Text = str | None
Path = tuple[str, ...]


@dataclass(frozen=True)
class Judged:
    """The counts of each class, of the whole table, and a hierarchy of the values."""

    counts: tuple["Counter[Text]", ...]
    whole: "Counter[Text]"
    paths: dict[Text, Path]
    """For each value its labels on levels 1, ..., top; None where the hierarchy lists missing."""
    population: tuple[int, ...]

    @cached_property
    def classes(self) -> Classes:
        """As a search sees them."""
        values = sorted(value for value in {*self.whole, *self.paths} if value is not None)
        code = {None: 0} | {value: at + 1 for at, value in enumerate(values)}
        array = pa.array(values, pa.string())
        rows = [(value, *self.paths[value]) for value in self.paths]
        ladder = Hierarchy.from_rows(rows).along(COLUMN, array) if values else None
        whole = np.array([self.whole[value] for value in code], dtype=np.int64)
        entries = [(code[value], count) for counts in self.counts for value, count in counts.items()]
        histogram = Histogram(
            Domain(COLUMNS, whole, array, ladder),
            np.cumsum([0, *(len(counts) for counts in self.counts)]).astype(np.int64),
            np.array([value for value, _ in entries], dtype=np.int32),
            np.array([count for _, count in entries], dtype=np.int64),
        )
        sizes = np.array([counts.total() for counts in self.counts], dtype=np.int64)
        return Classes(sizes, {COLUMNS: histogram}, np.array(self.population, dtype=np.int64))

    @cached_property
    def blocks(self) -> list[Block]:
        """As verification sees them."""
        return [
            Block(counts.total(), {COLUMNS: tuples(counts)}, people)
            for counts, people in zip(self.counts, self.population, strict=True)
        ]

    @cached_property
    def reference(self) -> Reference:
        """What verification compares them with."""
        return Reference({COLUMNS: tuples(self.whole)}, {COLUMN: self.paths})

    def textbook(self, model: PrivacyModel) -> list[bool]:
        """The definition, class by class."""
        return [model.textbook(block, self.reference) for block in self.blocks]

    def holds(self, model: PrivacyModel) -> list[bool]:
        """What a search is told."""
        return [bool(held) for held in model.holds(self.classes)]


def tuples(counts: "Counter[Text]") -> "Counter[tuple[Text, ...]]":
    """Values as they are judged: one column's are tuples of one."""
    return Counter({(value,): count for value, count in counts.items()})


def judged(*classes: Iterable[Text], elsewhere: Iterable[Text] = (), paths: dict[Text, Path] | None = None) -> Judged:
    """Classes given by their records' values; `elsewhere` is in the table, but in none of them."""
    counts = tuple(Counter(records) for records in classes)
    whole = sum(counts, Counter(elsewhere))
    flat: dict[Text, Path] = {value: ("*",) for value in whole if value is not None}
    return Judged(counts, whole, flat if paths is None else paths, tuple(count.total() for count in counts))


# Random ones: few values and small counts, so that ties and equal distributions are frequent; some counts are huge.

VALUES: tuple[Text, ...] = (None, "-1", "2.5", "3", "20", "100")

# No two shares of such counts differ by about a tolerance, where the last bit of a rounded number would decide.
_counts = st.integers(0, 4) | st.sampled_from([0, 1, 1, 7, 10**6 + 3, 10**12, 10**12 + 1])


def counters(values: Sequence[Text]) -> SearchStrategy["Counter[Text]"]:
    """How often each value occurs; perhaps none does."""
    numbers = st.lists(_counts, min_size=len(values), max_size=len(values))
    return numbers.map(lambda found: +Counter(dict(zip(values, found, strict=True))))


@st.composite
def hierarchies(draw: st.DrawFn, values: Sequence[Text]) -> dict[Text, Path]:
    """Labels on one to three levels above the values, the last one the same for all; missing is listed or not."""
    inner = draw(st.integers(0, 2))
    listed = [value for value in values if value is not None or draw(st.booleans())]
    low = {value: draw(st.integers(0, 3)) for value in listed}
    high = [draw(st.integers(0, 1)) for _ in range(4)]
    found: dict[Text, Path] = {}
    for value in listed:
        found[value] = (*(f"low {low[value]}", f"high {high[low[value]]}")[:inner], "*")
    return found


@st.composite
def judgements(draw: st.DrawFn, fewest: int = 0, most: int = 5) -> Judged:
    """Random classes of one table; some may be empty, and some records are in none of them."""
    values = draw(st.lists(st.sampled_from(VALUES), min_size=1, unique=True))
    if values == [None]:
        values.append("3")
    counts = draw(st.lists(counters(values), min_size=fewest, max_size=most))
    whole = sum(counts, draw(counters(values)))
    people = [count.total() + draw(st.integers(0, 3)) - draw(st.sampled_from([0, 0, 0, 1])) for count in counts]
    population = tuple(max(0, number * draw(st.sampled_from([1, 1, 2]))) for number in people)
    return Judged(tuple(counts), whole, draw(hierarchies(values)), population)


def suggested(known: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return first values of all other models that suggest all they need beside the column."""
    found = {name: getattr(module, "SUGGESTED", {}) for name, module in MODELS.modules().items() if name not in known}
    return {name: of for name, of in found.items() if {*needed(MODELS.known()[name])} <= {*of, "column"}}


_shares = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.333, 0.5, 0.6, 0.75, 0.9, 1.0])
_positive = st.sampled_from([0.1, 0.25, 0.5, 1, 1.5, 2, 3, 10]) | st.floats(0.01, 5)
_whole = st.integers(1, 5)

PARAMETERS: dict[str, dict[str, SearchStrategy[Any]]] = {
    "k_anonymity": {"k": _whole},
    "consistent_k": {"k": _whole, "notion": st.sampled_from(["one_k", "k_one", "k_k", "global_one_k"])},
    "distinct_l": {"l": _whole},
    "frequency_l": {"l": _whole},
    "entropy_l": {"l": st.integers(1, 4) | st.floats(1, 4)},
    "recursive_cl": {"c": _positive, "l": st.integers(1, 4)},
    "t_closeness": {
        "t": _shares | st.just(0) | st.floats(0, 1),
        "distance": st.sampled_from(["equal", "ordered", "hierarchical"]),
    },
    "alpha_k": {"alpha": _shares, "k": _whole},
    "p_sensitive": {"p": _whole, "k": _whole},
    "basic_beta": {"beta": _positive},
    "enhanced_beta": {"beta": _positive},
    "delta_disclosure": {"delta": _positive, "absent": st.sampled_from(["violates", "ignored"])},
    "delta_presence": {"upper": _shares, "lower": st.sampled_from([0, 0.05, 0.1])},
    "k_map": {"k": _whole},
    "range_diversity": {"p": _shares},
}
PARAMETERS |= {name: {key: st.just(value) for key, value in of.items()} for name, of in suggested(PARAMETERS).items()}

_distances = st.sampled_from(["numeric", "hierarchical", "equal"])
_policies = st.dictionaries(
    st.sampled_from(["-1", "2.5", "3", "20"]), st.sampled_from([[-1, 20], [-5, 100], "*"]), min_size=1
).map(lambda rows: [[value, span] if span == "*" else [value, *span] for value, span in rows.items()])
RANGES: SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"ranges": st.sampled_from([[[-5, 2.5], [3, 30]], [[0, 19]], [[3, 3], [-1, 2], [20, 100]]])}),
    st.fixed_dictionaries({"ranges": st.just([[-1, 3]]), "domain": st.sampled_from([[-1, 100], [-1.5, 1000]])}),
    st.fixed_dictionaries({"ranges": st.just([[-1, 3], [19, 20]]), "distance": _distances}),
    st.fixed_dictionaries({"ranges": st.just(["*"])}),
    st.fixed_dictionaries({"level": st.just(1), "distance": _distances | st.just("automatic")}),
    st.fixed_dictionaries({"policy": _policies, "distance": _distances}),
)
"""Sensitive ranges that fit every table below; a level above the first may not be there."""


def models(name: str) -> SearchStrategy[PrivacyModel]:
    """The named model with random parameters."""
    if name == "range_diversity":
        numbers = st.fixed_dictionaries(PARAMETERS[name] | {"column": st.just(COLUMN)})
        return st.tuples(numbers, RANGES).map(lambda parts: from_dict({name: parts[0] | parts[1]}))
    column = {"column": st.just(COLUMN)} if "column" in needed(MODELS.known()[name]) else {}
    return st.fixed_dictionaries(PARAMETERS[name] | column).map(lambda parameters: from_dict({name: parameters}))
