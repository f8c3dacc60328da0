"""No release within the limits: how near the nearest miss came, and what single concession opens one."""

import copy
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.hospital import PATIENTS, hospital_job, in_arrow, in_folder
from anonymization.runs import Job, files, job, quasi, refused
from incrowd.anonymization.infeasible import NoRelease
from incrowd.anonymization.relaxing import Relaxation
from incrowd.errors import IncrowdError, Infeasible, Interrupted

NARROW = {"age": 2, "zip": 2, "sex": 0}
"""Limits that leave classes of a few records."""


def limited(*models: dict[str, Any], limits: dict[str, int] = NARROW, **settings: Any) -> Job:
    """A job whose columns may not go to the top."""
    made = hospital_job(*models, **settings)
    made["columns"] = {
        name: {**column, **({"limit": limits[name]} if name in limits else {})}
        for name, column in made["columns"].items()
    }
    return made


def miss(described: Job, table: Any = None) -> NoRelease:
    """The error of a job that has no release."""
    with pytest.raises(NoRelease) as caught:
        incrowd.anonymize(in_arrow() if table is None else table, described)
    return caught.value


def conceded(described: Job, relaxation: Relaxation) -> Job:
    """The job with one concession."""
    made = copy.deepcopy(described)
    if relaxation.setting == "suppress":
        return {**made, "suppress": relaxation.value}
    if limit := re.fullmatch("limit of '(.*)'", relaxation.setting):
        made["columns"][limit[1]]["limit"] = relaxation.value
        return made
    of_model = re.fullmatch(r"(\w+) of (\w+)(?: on (.*))?", relaxation.setting)
    assert of_model is not None
    parameter, model, columns = of_model.groups()
    [meant] = [each[model] for each in made["models"] if model in each and named(each[model]) == columns]
    assert parameter in meant
    meant[parameter] = relaxation.value
    return made


def named(parameters: dict[str, Any]) -> str | None:
    """The columns of a model as messages name them."""
    return ", ".join(map(repr, parameters["column"].split("+"))) if "column" in parameters else None


def one_step_less(relaxation: Relaxation) -> Relaxation:
    """The concession that is a little smaller: a record fewer, a level lower, k one higher, t a digit lower."""
    setting, value = relaxation.setting, relaxation.value
    if isinstance(value, int):
        return Relaxation(setting, value - 1 if setting.startswith(("suppress", "limit")) else value + 1)
    first = Decimal(str(value)).adjusted()
    digit = Decimal(1).scaleb(first - (2 if Decimal(str(value)) == Decimal(1).scaleb(first) else 1))
    return Relaxation(setting, float(Decimal(str(value)) - digit))


def check_concessions(described: Job, table: Any = None) -> set[str]:
    """Each one opens a release, and a smaller one does not; what they are called."""
    error = miss(described, table)
    for relaxation in error.relaxations:
        made = incrowd.anonymize(in_arrow() if table is None else table, conceded(described, relaxation))
        assert made.verdict.holds
        assert made.manifest.data.records > 0
        with pytest.raises(NoRelease):
            incrowd.anonymize(in_arrow() if table is None else table, conceded(described, one_step_less(relaxation)))
    return {relaxation.setting for relaxation in error.relaxations}


K = {"k_anonymity": {"k": 9}}
JOBS: dict[str, tuple[Job, set[str]]] = {
    "k": (limited(K, suppress=20), {"suppress", "k of k_anonymity", "limit of 'age'", "limit of 'sex'"}),
    "a share": (limited({"k_anonymity": {"k": 7}}, suppress=0.1), {"suppress", "k of k_anonymity"}),
    "l": (
        limited({"distinct_l": {"l": 4, "column": "disease"}}),
        {"suppress", "l of distinct_l on 'disease'"},
    ),
    "l of two columns": (
        limited({"distinct_l": {"l": 7, "column": "disease+ward"}}),
        {"suppress", "l of distinct_l on 'disease', 'ward'"},
    ),
    "two of the same kind": (
        hospital_job({"distinct_l": {"l": 2, "column": "disease"}}, {"distinct_l": {"l": 4, "column": "ward"}}),
        {"l of distinct_l on 'ward'"},
    ),
    "entropy": (limited({"entropy_l": {"l": 3.5, "column": "disease"}}), {"suppress", "l of entropy_l on 'disease'"}),
    "recursive": (
        limited({"recursive_cl": {"c": 1.2, "l": 3, "column": "ward"}}),
        {"c of recursive_cl on 'ward'"},
    ),
    "t": (
        limited({"t_closeness": {"t": 0.05, "column": "disease"}}, suppress=6),
        {"t of t_closeness on 'disease'"},
    ),
    "alpha": (
        limited({"alpha_k": {"alpha": 0.3, "k": 3, "column": "disease"}}),
        {"suppress", "alpha of alpha_k on 'disease'"},
    ),
    "p": (
        limited({"p_sensitive": {"p": 4, "k": 2, "column": "disease"}}),
        {"suppress", "p of p_sensitive on 'disease'"},
    ),
    "beta": (
        limited({"basic_beta": {"beta": 0.2, "column": "ward"}}),
        {"beta of basic_beta on 'ward'"},
    ),
    "k beside l": (
        limited(K, {"distinct_l": {"l": 2, "column": "disease"}}, suppress=30),
        {"k of k_anonymity", "limit of 'age'", "limit of 'sex'", "suppress"},
    ),
}


@pytest.mark.parametrize("name", JOBS)
def test_every_concession_opens_a_release_and_none_smaller(name: str) -> None:
    described, expected = JOBS[name]
    assert expected <= check_concessions(described)


SMALL = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)), min_size=3, max_size=9)
TREE = "1;12;*\n2;12;*\n3;34;*\n4;34;*\n"


def of_numbers(folder: Path, limits: dict[str, int], *models: dict[str, Any], **settings: Any) -> Job:
    """A job about columns a and b with a hierarchy of three levels, and a sensitive column s."""
    (folder / "tree.csv").write_text(TREE)
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": str(folder / "tree.csv"), **({"limit": limits[name]} if limits else {})}
        for name in ("a", "b")
    }
    return job({**columns, "s": {"role": "sensitive"}}, *models, **settings)


def numbers(rows: list[tuple[int, int, int]]) -> pa.Table:
    """A table of such columns."""
    return pa.table({name: [str(row[at]) for row in rows] for at, name in enumerate(("a", "b", "s"))})


@settings(max_examples=60)
@given(
    rows=SMALL,
    k=st.integers(2, 5),
    l=st.integers(1, 3),
    suppress=st.integers(0, 3),
    limits=st.fixed_dictionaries({"a": st.integers(0, 2), "b": st.integers(0, 2)}),
    search=st.sampled_from(["local_suppression", "local_suppression anything", "fewest_cells"]),
)
def test_where_cells_are_wiped(
    rows: list[tuple[int, int, int]],
    k: int,
    l: int,  # noqa: E741
    suppress: int,
    limits: dict[str, int],
    search: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Levels between a value and its top are no way out: such a search never uses them."""
    name, _, wiped = search.partition(" ")
    models: list[dict[str, Any]] = [{"k_anonymity": {"k": k}}]
    if search == "local_suppression":
        models.append({"distinct_l": {"l": l, "column": "s"}})
    chosen = {name: {"wiped": wiped}} if wiped else name
    described = of_numbers(tmp_path_factory.mktemp("t"), limits, *models, suppress=suppress, search=chosen)
    try:
        incrowd.anonymize(numbers(rows), described)
    except NoRelease:
        check_concessions(described, numbers(rows))
    else:
        assume(False)


def test_where_cells_are_wiped_the_words_do_not_contradict_each_other(tmp_path: Path) -> None:
    """On level 1 of a two records would go, but cells are published as they were or wiped, and a may not be wiped."""
    rows = [(4, 3, 1), (1, 2, 1), (4, 4, 1), (2, 2, 2), (1, 1, 1)]
    models = [{"k_anonymity": {"k": 3}}]
    described = of_numbers(tmp_path, {"a": 1, "b": 2}, *models, search="local_suppression", suppress=2)
    error = miss(described, numbers(rows))
    assert str(error) == (
        "no release satisfies the models within the limits (2 records may be suppressed); the nearest miss would "
        "suppress 5 of 5 records (levels a 0, b 2); any one of these changes makes a release possible: "
        "k of k_anonymity = 2, limit of 'a' = 2"
    )
    assert check_concessions(described, numbers(rows)) == {"k of k_anonymity", "limit of 'a'"}


def test_where_nothing_is_generalized_levels_are_those_of_the_hierarchies(tmp_path: Path) -> None:
    rows = [(4, 3, 1), (1, 2, 1), (4, 4, 1), (2, 2, 2), (1, 1, 1)]
    settings = {"generalize": "none", "suppress": "column"}
    described = of_numbers(tmp_path, {"a": 1, "b": 2}, {"k_anonymity": {"k": 3}}, **settings)
    error = miss(described, numbers(rows))
    assert error.nearest is not None
    assert error.nearest.levels == (0, 2)
    assert Relaxation("limit of 'a'", 2) in error.relaxations
    check_concessions(described, numbers(rows))
    with_rows = {**described, "suppress": 1}
    assert not any(each.setting.startswith("limit") for each in miss(with_rows, numbers(rows)).relaxations)


@settings(max_examples=15)
@given(
    k=st.integers(2, 12),
    l=st.integers(1, 4),
    suppress=st.integers(0, 10),
    limits=st.fixed_dictionaries({"age": st.integers(0, 3), "zip": st.integers(0, 2), "sex": st.integers(0, 1)}),
    seed=st.integers(0, 3),
)
def test_any_job(k: int, l: int, suppress: int, limits: dict[str, int], seed: int) -> None:  # noqa: E741
    models = [{"k_anonymity": {"k": k}}, {"distinct_l": {"l": l, "column": "disease"}}]
    described = limited(*models, limits=limits, suppress=suppress)
    table = in_arrow(PATIENTS[seed::4])
    try:
        incrowd.anonymize(table, described)
    except NoRelease:
        check_concessions(described, table)
    else:
        assume(False)


def test_the_words() -> None:
    error = miss(limited(K, suppress=0.1))
    assert error.exit_code == 3
    assert str(error) == (
        "no release satisfies the models within the limits (6 records may be suppressed); the nearest miss would "
        "suppress 39 of 60 records (levels age 2, zip 2, sex 0); any one of these changes makes a release possible: "
        "suppress = 39, k of k_anonymity = 6, limit of 'age' = 3, limit of 'sex' = 1"
    )


def test_as_data() -> None:
    plain = miss(limited(K, suppress=0.1)).to_dict()
    # Of the zip codes two characters are left, which all have.
    sizes = Counter((person["age"] // 10, person["sex"]) for person in PATIENTS).values()
    small = sum(size for size in sizes if size < 9)
    large = sum(1 for size in sizes if size >= 9)
    assert plain["verdict"] == "infeasible"
    assert plain["nearest"] == {"levels": {"age": 2, "zip": 2, "sex": 0}, "suppressed": small, "classes": large}
    assert {"setting": "suppress", "value": small} in plain["relaxations"]  # type: ignore[operator]


def test_the_nearest_miss_is_the_nearest_even_where_the_search_did_not_look() -> None:
    # Entropy is not monotone: the fewest records go on low levels, which the search knows to be in vain.
    rows = [("a", "x"), ("a", "y"), ("a", "z"), *[("b", "x")] * 9]
    table = {"q": [q for q, _ in rows], "s": [s for _, s in rows]}
    described = job({**quasi("q"), "s": {"role": "sensitive"}}, {"entropy_l": {"l": 3, "column": "s"}})
    error = miss(described, pa.table(table))
    assert error.nearest is not None
    assert (error.nearest.levels, error.nearest.suppressed) == ((0,), 9)
    assert error.relaxations[0] == Relaxation("suppress", 9)


@pytest.mark.parametrize("suppress", [0, 59, 0.99])
def test_more_people_than_there_are(suppress: float) -> None:
    error = miss(hospital_job({"k_anonymity": {"k": 61}}, suppress=suppress))
    assert error.relaxations == (Relaxation("k of k_anonymity", 60),)
    assert "the nearest miss would suppress 60 of 60 records" in str(error)


@pytest.mark.parametrize("k", [10**12, 10**30])
@pytest.mark.parametrize("others", [(), ({"distinct_l": {"l": 2, "column": "disease"}},)])
def test_a_huge_k_takes_no_time(k: int, others: tuple[dict[str, Any], ...]) -> None:
    error = miss(hospital_job({"k_anonymity": {"k": k}}, *others))
    assert error.relaxations == (Relaxation("k of k_anonymity", 60),)


def test_no_single_concession() -> None:
    models = [{"k_anonymity": {"k": 61}}, {"distinct_l": {"l": 5, "column": "disease"}}]
    error = miss(hospital_job(*models))
    assert error.relaxations == ()
    assert str(error).endswith(
        "no release of these records satisfies k_anonymity and distinct_l on 'disease', whatever is suppressed: relax "
        "these models"
    )


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_where_missing_matches_everything(nulls: str) -> None:
    assert "k of k_anonymity" in check_concessions(limited(K, nulls=nulls))


def test_wildcards_with_a_hierarchy_that_takes_them_away(tmp_path: Path) -> None:
    """A missing cell that has a label higher up matches less there, so the top is not the best place to look."""
    (tmp_path / "a.csv").write_text("u;group;*\nv;group;*\n;unknown;*\n")
    table = pa.table({"a": ["u", "u", "v", "v", None], "b": ["p", "p", "p", "p", "q"]})
    columns = {"a": {"role": "quasi", "hierarchy": str(tmp_path / "a.csv"), "limit": 1, "minimum": 0}, **quasi("b")}
    described = job(columns, {"k_anonymity": {"k": 6}}, nulls="maybe")
    assert check_concessions(described, table) >= {"k of k_anonymity"}


def test_of_a_population(tmp_path: Path) -> None:
    people = in_folder(tmp_path, [*PATIENTS, *PATIENTS], "people.csv")
    described = hospital_job({"k_map": {"k": 121}}, population=str(people))
    assert check_concessions(described) == {"k of k_map"}


def test_nothing_is_written(tmp_path: Path) -> None:
    source = in_folder(tmp_path)
    before = files(tmp_path)
    described = limited(K, output=str(tmp_path / "release.csv"))
    refused(NoRelease, lambda: incrowd.anonymize(str(source), described))
    assert files(tmp_path) == before


def test_the_time_was_up_says_nothing_about_limits() -> None:
    words = refused(Interrupted, lambda: incrowd.anonymize(in_arrow(), limited(K, time=0)))
    assert words == (
        "timed out without finding a release; raise the time limit (time), choose another search, or raise the "
        "suppression limit (suppress)"
    )


def test_an_order_of_values_is_not_told() -> None:
    order = ["cancer", "cold", "flu", "gout"]
    model = {"t_closeness": {"t": 0.01, "column": "disease", "distance": "ordered", "order": order}}
    error = miss(limited(model))
    assert error.relaxations
    assert not any(value in str(error) + str(error.to_dict()) for value in order)


# A search that does not find every release there is.

SCORED_COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}, "limit": 2},
    "zip": {"role": "quasi", "hierarchy": {"mask": {}}, "limit": 2},
    "sex": {"role": "quasi", "limit": 0},
    "disease": {"role": "sensitive"},
}


def with_option(job: dict[str, Any], setting: str, value: float) -> dict[str, Any]:
    """The job with one concession."""
    if setting.startswith("limit of "):
        name = setting.removeprefix("limit of ").strip("'")
        return {**job, "columns": {**job["columns"], name: {**job["columns"][name], "limit": int(value)}}}
    option, _, member = setting.partition(" of ")
    if member == "scored":
        [(name, options)] = job["search"].items()
        return {**job, "search": {name: {**options, option: int(value)}}}
    return {**job, "models": [{member: {option: int(value)}}]}


@pytest.mark.parametrize("further", [{}, {"suppress": 2}, {"suppress": 30}], ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"sample_levels": {"age": 2, "zip": 2}}, {"sample_levels": {"age": 2, "zip": 2}, "p": 2}], ids=str
)
def test_every_concession_to_scored_opens_a_release(options: dict[str, Any], further: dict[str, Any]) -> None:
    described = {**job(SCORED_COLUMNS, {"k_anonymity": {"k": 12}}, search={"scored": options}), **further}
    with pytest.raises(NoRelease) as refused:
        incrowd.anonymize(in_arrow(), described)
    offered = refused.value.relaxations
    assert offered
    # What may be suppressed is no use to it.
    assert "suppress" not in [each.setting for each in offered]
    for each in offered:
        made = incrowd.anonymize(in_arrow(), with_option(described, each.setting, each.value))
        assert made.verdict.holds
        assert made.manifest.data.records


def test_pre_sampling_is_offered_where_it_helps_and_needs_no_suppress() -> None:
    search = {"scored": {"sample_levels": {"age": 2, "zip": 2}}}
    described = job(SCORED_COLUMNS, {"k_anonymity": {"k": 12}}, search=search)
    with pytest.raises(NoRelease, match=r"sample_k of scored = \d+") as refused:
        incrowd.anonymize(in_arrow(), described)
    [value] = [each.value for each in refused.value.relaxations if each.setting == "sample_k of scored"]
    made = incrowd.anonymize(in_arrow(), with_option(described, "sample_k of scored", value))
    assert 0 < made.manifest.suppressed < 60
    assert made.manifest.grid == "AG_TS"
    assert f"Score s (basic, higher is better): {made.details['full_domain']:.6g}." in str(made)
    # A limit that is given counts.
    few = {**with_option(described, "sample_k of scored", value), "suppress": 0}
    with pytest.raises(IncrowdError, match="pre-sampling of scored"):
        incrowd.anonymize(in_arrow(), few)


@pytest.mark.parametrize("search", ["mondrian", "k_members"])
@pytest.mark.parametrize("model", ["distinct_l:l=4,column=ill", "k_anonymity:k=50"])
def test_only_what_helps_is_advised(search: str, model: str) -> None:
    """No suppression gives a column of three values a fourth one."""
    table = pa.table({"age": [str(20 + at % 5) for at in range(40)], "ill": ["flu", "cold", "gout", "flu"] * 10})
    job = {"columns": {"age": "quasi", "ill": "sensitive"}, "search": search}
    with pytest.raises(Infeasible) as refused:
        incrowd.anonymize(table, {**job, "models": [model], "suppress": "50%"})
    assert "no release of these records satisfies" in str(refused.value)
    assert "raise the suppression limit" not in str(refused.value)
    assert "drop quasi-identifiers" not in str(refused.value)
