"""The two methods of Loukides' thesis on Adult and on a large census: python benchmarks/local_thesis_speed.py [NAME...]

The census is invented: the columns and numbers of different values of the thesis' table 6.1, drawn at random.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import tables
from harness import Figures, Row, measure, run

from anonymization import counted
from incrowd.anonymization.axes import axes_of
from incrowd.core.frequencies import FrequencySet
from incrowd.jobs import Job
from incrowd.metrics.loss import Loss
from incrowd.models.conjunction import All
from incrowd.searches import NothingFound, Problem
from incrowd.watch import Watch

QUASI = ("age", "sex", "race", "salary-class", "native-country", "workclass")
SENSITIVE = ("marital-status", "occupation")
"""Table 4.2 of the thesis."""

CENSUS = ("age", "gender", "education", "marital", "occupation")
"""Table 6.1; income is the sensitive column."""


def problem(frequencies: FrequencySet, quasi: tuple[str, ...], models: list[str], search: Any) -> Problem:
    """Numbers by their range, all other columns as sets; as many records may be suppressed as there are."""
    columns = {name: {"role": "quasi" if name in quasi else "sensitive"} for name in frequencies.names}
    job = Job.from_dict({"columns": columns, "models": models, "search": search})
    axes, _, sensitive = axes_of(job, frequencies)
    model = All(job.models)
    budget = frequencies.records
    return Problem(frequencies, (), model, Loss(), budget, axes=axes, sensitive_axes=sensitive)


def searched(given: Problem, search: Any) -> str:
    """What the search finds, in a few words."""
    made: Any = Job.from_dict(
        {"columns": {"x": {"role": "quasi"}}, "models": ["k_anonymity:k=2"], "search": search}
    ).search
    with Watch() as watch:
        outcome = made.run(given, watch)
    assert not isinstance(outcome, NothingFound)
    told = ", ".join(f"{key} {value}" for key, value in outcome.details.items())
    return f"{outcome.groups.n} groups; {told}"


def on_adult(search: Any) -> Figures:
    """k = 10; occupations are numbered, as in the thesis."""
    table = tables.adult().select([*QUASI, *SENSITIVE])
    numbered = table.column("occupation").combine_chunks().dictionary_encode()
    table = table.set_column(len(QUASI) + 1, "occupation", numbers_of(numbered))
    given = problem(counted(table, [*QUASI, *SENSITIVE]), QUASI, ["k_anonymity:k=10"], search)
    return measure(lambda: searched(given, search))


def numbers_of(column: Any) -> pa.Array:
    """The numbers of a dictionary's values in the order of their texts."""
    values = column.dictionary.to_pylist()
    order = np.argsort(np.argsort(values))
    return pa.array(order[column.indices.to_numpy(zero_copy_only=False)])


def census(rows: int) -> FrequencySet:
    """Age 79, gender 2, education 17, marital status 6, occupation 26, income 50 different values."""
    random = np.random.default_rng(1)
    age = np.clip(random.normal(35, 18, rows), 0, 78).astype(int)
    education = np.clip(random.normal(9, 3, rows) + age / 40, 0, 16).astype(int)
    columns = {
        "age": age,
        "gender": random.choice(["f", "m"], rows),
        "education": education,
        "marital": random.choice(list("abcdef"), rows, p=[0.45, 0.3, 0.1, 0.08, 0.05, 0.02]),
        "occupation": np.array([f"o{at}" for at in range(26)])[random.zipf(1.5, rows) % 26],
        "income": np.clip(random.gamma(2.5, 5, rows) + education, 0, 49).astype(int),
    }
    return counted(pa.table(columns), [*CENSUS, "income"])


LIMITED = ["k_anonymity:k=5", "range_diversity:p=0.5,column=income,ranges=0..9/10..19/20..29/30..49,domain=0..49"]


def on_census(rows: int, search: Any) -> Figures:
    """From the frequency set to groups."""
    given = problem(census(rows), CENSUS, LIMITED, search)
    return measure(lambda: searched(given, search))


GUARANTEED = {"guaranteed": {"utility": 0.5}}
FIXED = {"guaranteed": {"utility": 0.5, "s": 50}}
TRADED = {"tradeoff": {"delta": 0.375, "s": 50}}

MEASUREMENTS = {
    "tradeoff_adult": lambda: on_adult("tradeoff"),
    "seeded_adult": lambda: on_adult({"tradeoff": {"clusters": "seeded"}}),
    "k_members_adult": lambda: on_adult({"k_members": {"block": None}}),
    "guaranteed_census": lambda: on_census(500_000, GUARANTEED),
    "guaranteed_half": lambda: on_census(250_000, FIXED),
    "guaranteed_whole": lambda: on_census(500_000, FIXED),
    "tradeoff_half": lambda: on_census(250_000, TRADED),
    "tradeoff_whole": lambda: on_census(500_000, TRADED),
}

ROWS = [
    Row("Adult, table 4.2, k = 10, trade-off beside K-Members in full", "tradeoff_adult", "k_members_adult", "cpu", 2),
    Row("the same, the thesis' clusters around seeds", "seeded_adult", "k_members_adult", "cpu", 2),
    Row("census of 500,000, guaranteed", "guaranteed_census", None, "cpu", 15),
    Row("twice the rows, guaranteed, s = 50", "guaranteed_whole", "guaranteed_half", "cpu", 2.3),
    Row("twice the rows, trade-off, s = 50", "tradeoff_whole", "tradeoff_half", "cpu", 2.3),
]

if __name__ == "__main__":
    run(__file__, MEASUREMENTS, ROWS, lambda: None)
