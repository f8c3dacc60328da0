"""The judges of columns beside each other: people by age, places, points of a scale, indicators."""

import random
from collections.abc import Sequence

import pytest

from incrowd.core.schema import Role
from incrowd.proposing import age_ranges, batteries, by_name, dates, indicators, places_by_name, propose
from proposing.columns import named, proposed, shared, table

ID, QUASI, SENSITIVE, KEEP = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.KEEP


def drawn(seed: int, values: Sequence[object], n: int = 300) -> list[object]:
    chance = random.Random(seed)
    return [chance.choice(values) for _ in range(n)]


# People of the household by age


@pytest.mark.parametrize(
    "names",
    [
        ("num5_17", "num18_64"),
        ("numlt5", "num5_17"),
        ("num18_64", "numgt64"),
        ("k5", "k618"),
        ("n_0_5", "n_6_17", "n_18_99"),
        ("p0to14", "p15to64"),
    ],
)
def test_people_by_age(names: tuple[str, ...]) -> None:
    found = age_ranges.judge(named({name: drawn(at, [0, 0, 1, 2, 3]) for at, name in enumerate(names)}))
    assert {name: opinion.role for name, opinion in found.items()} == dict.fromkeys(names, QUASI)


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (("num5_17", "num20_64"), [0, 1, 2]),
        (("num5_17", "other18_64"), [0, 1, 2]),
        (("num5_17", "num18_64"), [1, 2, 3]),
        (("num5_17", "num18_64"), [0, 10, 60]),
        (("num5_17", "num18_64"), [0.5, 1.5]),
        (("inc5_17", "inc18_64"), [0, 1, 2]),
        (("q1", "q2"), [0, 1, 2]),
        (("num517",), [0, 1, 2]),
    ],
)
def test_other_numbers_are_no_people_by_age(names: tuple[str, ...], values: list[object]) -> None:
    assert age_ranges.judge(named({name: drawn(at, values) for at, name in enumerate(names)})) == {}


# Places


def test_indicators_called_after_places() -> None:
    columns = {"ky": drawn(1, [0, 1]), "mi": drawn(2, [0, 1]), "zz": drawn(3, [0, 1]), "oh": drawn(4, [0, 1, 2])}
    found = places_by_name.judge(named(columns))
    assert {name: opinion.role for name, opinion in found.items()} == {"ky": QUASI, "mi": QUASI}
    assert places_by_name.judge(named({"ky": columns["ky"], "zz": columns["zz"]})) == {}
    countries = {"france": drawn(1, [0, 1]), "chile": drawn(2, [0, 1])}
    assert places_by_name.judge(named(countries)).keys() == countries.keys()


# Points of a scale


def test_columns_side_by_side_on_the_same_scale_are_a_battery() -> None:
    words = ["exciting", "calm", "kind", "warm", "strong", "happy"]
    items = {word: drawn(at, range(1, 10)) for at, word in enumerate(words)}
    found = batteries.judge(named({"age": drawn(9, range(18, 70)), **items}))
    assert {name: opinion.role for name, opinion in found.items()} == dict.fromkeys(words, KEEP)
    assert propose(named(items))["kind"].role is KEEP, "although it is the German word for a child"
    five = {word: items[word] for word in words[:5]}
    assert batteries.judge(named(five)) == {}
    broken = {**five, "sex": drawn(9, ["m", "f"]), "happy": items["happy"]}
    assert batteries.judge(named(broken)) == {}, "they are not side by side"
    few = {word: drawn(at, [1, 2, 3]) for at, word in enumerate(words)}
    assert batteries.judge(named(few)) == {}, "other questions have three answers too"


def test_columns_about_one_known_thing_are_no_battery() -> None:
    columns = {name: drawn(at, [0, 1]) for at, name in enumerate(("nearc2", "nearc4", "nearc4a", "nearc4b"))}
    assert batteries.judge(named(columns)) == {}
    assert {each.role for each in propose(named(columns)).values()} == {QUASI}


# Indicators


def of_work(names: Sequence[str], n: int = 400) -> dict[str, list[object]]:
    """Indicators of which a record has at most one, and most have none."""
    job = drawn(5, range(2 * len(names)), n)
    return {name: [int(each == at) for each in job] for at, name in enumerate(names)}


def test_indicators_of_which_most_are_about_one_known_thing() -> None:
    columns = of_work(["construc", "ndx", "trade", "services", "qcom", "clerk"])
    found = indicators.judge(named(columns))
    assert {name: opinion.role for name, opinion in found.items()} == {"ndx": QUASI, "qcom": QUASI}
    private = of_work(["construc", "ndx", "zz", "qcom", "yy", "clerk"])
    assert indicators.judge(named(private)) == {}, "most may be anything"
    few = of_work(["construc", "ndx", "trade", "services"])
    assert indicators.judge(named(few)) == {}, "few exclude each other by chance"


def test_indicators_of_those_who_answered() -> None:
    origin = [None if at % 20 == 0 else at % 3 for at in range(300)]
    columns = {
        name: [None if each is None else int(each == at) for each in origin]
        for at, name in enumerate(("black", "white", "zz"))
    }
    assert {name: each.role for name, each in indicators.judge(named(columns)).items()} == {"zz": QUASI}
    columns["zz"][1] = None
    assert indicators.judge(named(columns)) == {}, "another did not answer"


# Dates and durations


@pytest.mark.parametrize(
    "form",
    [
        "{month}{day:02d}89",
        "{day}{month:02d}89",
        "89{month:02d}{day:02d}",
        "{day:02d}{month:02d}1989",
        "{year}{month:02d}",
    ],
)
def test_dates_written_as_one_number(form: str) -> None:
    days = [(1 + at % 12, 1 + at % 28, 1960 + at % 50) for at in range(200)]
    values = [form.format(month=month, day=day, year=year) for month, day, year in days]
    assert dates.judge(table(x=values))["x"].role is QUASI
    assert dates.judge(table(x=list(map(int, values))))["x"].role is QUASI
    spoiled = [*values, *["993399"] * 2]
    assert dates.judge(table(x=spoiled)) == {}


def test_a_year_under_a_word_for_it() -> None:
    years = shared([68, 70, 71, 73])
    assert dates.judge(named({"acceptyear": years, "yrdispl": years, "zz": years, "yearsx": years})).keys() == {
        "acceptyear",
        "yrdispl",
    }
    assert dates.judge(named({"acceptyear": shared([168, 170])})) == {}


def test_the_word_for_several_of_them_counts_and_does_not_date() -> None:
    found = by_name.judge(table(months=shared(range(30)), month=shared(range(1, 13)), Tage=shared(range(30))))
    assert {name: opinion.role for name, opinion in found.items()} == {
        "months": SENSITIVE,
        "month": QUASI,
        "Tage": SENSITIVE,
    }
    assert proposed("years", shared(range(1980, 2000))).role is QUASI, "the values are years"
