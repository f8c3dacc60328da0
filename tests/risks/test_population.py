"""Who shares a record's values in the population: matched by name and value, and refused when somebody is missing."""

import pyarrow as pa
import pytest

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from incrowd.errors import SourceError, UsageError
from incrowd.risks._population import CountedPopulation, SizedPopulation, population_of
from risks.counting import counted, letters


def of(**columns: list[object]) -> FrequencySet:
    return FrequencySet.of_table(Table.from_batches(tuple(columns), [pa.record_batch(columns)]))


def sizes(classes: FrequencySet, everybody: FrequencySet) -> list[int]:
    population = population_of(classes, everybody)
    assert isinstance(population, CountedPopulation)
    return population.sizes.tolist()


def test_columns_go_by_name_and_others_do_not_matter() -> None:
    classes = of(sex=["f", "m", "m"], age=[30, 40, None])
    everybody = of(age=[40, None, 30, 40, 30], zip=[1, 2, 3, 4, 5], sex=["m", "m", "f", "m", "m"])
    assert sizes(classes, everybody) == [1, 2, 1]
    assert population_of(classes, everybody).records == 5


@pytest.mark.parametrize(
    ("sample", "population"),
    [([30, 40], ["40", "30", "30"]), (["30", "40"], [40, 30, 30]), ([30, 40], [40.0, 30.0, 30.0])],
)
def test_values_of_different_types_go_by_their_text(sample: list[object], population: list[object]) -> None:
    assert sizes(of(age=sample), of(age=population)) == [2, 1]


def test_a_column_without_any_value() -> None:
    assert sizes(of(a=[None], b=[1]), of(a=["x", None, None], b=[1, 1, 1])) == [2]


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (["xy", "xz", "xz", "vw"], "absent from it: 2 classes with 3 records"),
        (["xy", "xy"], "smaller in it: 1 class with 2 records"),
        (["xy", "xy", "vw"], "absent from it: 1 class with 1 record; smaller in it: 1 class with 2 records"),
    ],
)
def test_a_population_contains_the_table(sample: list[str], words: str) -> None:
    with pytest.raises(SourceError) as refused:
        population_of(counted(letters(*sample), "ab"), counted(letters("xy", "--", "--"), "ab"))
    assert f"({words})" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_population_has_the_columns() -> None:
    with pytest.raises(UsageError, match=r"the population: it lacks 'b'; its columns are 'a'"):
        population_of(counted(letters("xy"), "ab"), counted(letters("x"), "a"))


def test_a_size() -> None:
    population = population_of(counted(letters("x", "y"), "a"), 8)
    assert population == SizedPopulation(8, 0.25)
    assert population.estimated


def test_a_size_is_at_least_that_of_the_table() -> None:
    with pytest.raises(UsageError, match=r"population 1: the table has 2 records"):
        population_of(counted(letters("x", "y"), "a"), 1)


@pytest.mark.parametrize("wrong", [-1, 2.5, True, "many"])
def test_what_is_no_size_is_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="neither a table nor a size"):
        population_of(counted(letters("x"), "a"), wrong)  # type: ignore[arg-type]
