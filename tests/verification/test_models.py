"""Models that compare with the table that was given: exactly, and within the margin that left-out records leave."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incrowd.anonymization.manifest_values import shown_ladders, shown_model
from incrowd.models import Block, Reference, from_dict
from incrowd.release import ReferenceCounts, manifest_path, record_path
from incrowd.verification import FailingClass
from verification.releases import QUASI, Made, Row, check, counted, made, person, tampered

DISEASES = ("1", "2", "3", "4", "5", "6")
LADDER = tuple((value, "low" if value < "3" else "high", "any") for value in DISEASES)


def about(kind: str, **parameters: Any) -> dict[str, Any]:
    """A model of the sensitive column."""
    return {kind: {**parameters, "column": "disease"}}


def of_class(zip: str, diseases: str) -> list[Row]:
    """A class with these diseases, one letter each."""
    return [person("20s", zip, disease) for disease in diseases]


def with_shown(release: Made) -> Made:
    """The manifest as it is published: without values that the data do not show."""
    rows = [line.split(",") for line in release.path.read_text("utf-8").splitlines()[1:]]
    shown = {"disease": {line[2].strip('"') for line in rows}}
    full = replace(release.record, ladders={"disease": LADDER})
    return replace(release, record=full).claim(
        models=tuple(shown_model(model, shown) for model in release.manifest.models),
        ladders=shown_ladders({"disease": LADDER}, shown),
    )


MODELS = [
    about("t_closeness", t=0.3),
    about("t_closeness", t=0.2, distance="ordered"),
    about("t_closeness", t=0.2, distance="ordered", order=["6", "1", "2", "5", "4", "3"]),
    about("t_closeness", t=0.25, distance="hierarchical"),
    about("basic_beta", beta=0.6),
    about("enhanced_beta", beta=1.5),
    about("delta_disclosure", delta=0.7),
    about("delta_disclosure", delta=0.7, absent="ignored"),
    about("range_diversity", p=0.4),
    about("range_diversity", p=0.5, ranges=[[1, 2], [4, 6]]),
    about("range_diversity", p=0.5, ranges=[[1, 2], [4, 6]], distance="equal"),
    about("range_diversity", p=0.5, ranges=[[1, 3]], domain=[0, 20]),
    about("range_diversity", p=0.5, policy=[["1", 1, 3], ["4", 3, 6], ["6", 6, 6]]),
    about("range_diversity", p=0.5, level=1),
]


def promised(model: dict[str, Any], rows: list[Row], table: list[Row]) -> list[bool]:
    """By definition, class by class, with all that only the data holder knows."""
    ladder = {"disease": {row[0]: row[1:] for row in LADDER}}
    reference = Reference({("disease",): counted(table, ["disease"])}, ladder)
    classes: dict[tuple[str | None, ...], list[Row]] = {}
    for row in rows:
        classes.setdefault(tuple(row[name] for name in QUASI), []).append(row)
    blocks = [Block(len(members), {("disease",): counted(members, ["disease"])}) for members in classes.values()]
    return [from_dict(model).textbook(block, reference) for block in blocks]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """What is released, in one to three classes, and what is left out."""
    diseases = st.sampled_from(DISEASES)
    classes = draw(st.lists(st.lists(diseases, min_size=2, max_size=8), min_size=1, max_size=3))
    rows = [person("20s", f"1{at}", disease) for at, members in enumerate(classes) for disease in members]
    left_out = draw(st.lists(diseases, max_size=6))
    return rows, [person("30s", "19", disease) for disease in left_out]


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=tables())
def test_against_the_definition(tmp_path: Path, model: dict[str, Any], drawn: tuple[list[Row], list[Row]]) -> None:
    """With the record as the definition says; without it no release fails that keeps its promise."""
    rows, left_out = drawn
    expected = promised(model, rows, [*rows, *left_out])
    release = with_shown(made(tmp_path, rows, [model], left_out))
    exact = release.verify(record=release.record)
    failing = tuple(
        FailingClass(number, size)
        for number, (size, kept) in enumerate(zip(counted(rows, QUASI).values(), expected, strict=True), 1)
        if not kept
    )
    assert exact.failing == failing, str(exact)
    assert exact.holds == all(expected)
    public = release.verify()
    [kind] = model
    if not left_out and "level" not in model[kind]:
        assert public.failing == failing
    assert set(public.failing) <= set(failing)


@pytest.mark.parametrize(
    ("model", "diseases"),
    [
        # 20 records of two kinds in equal parts, one left out; a class of one kind only.
        (about("t_closeness", t=0.4), ("11111", "22222", "1122112212")),
        (about("t_closeness", t=0.2, distance="ordered"), ("1111111111", "2222222222")),
        (about("t_closeness", t=0.4, distance="hierarchical"), ("11111", "44444", "1144114414")),
        (about("basic_beta", beta=0.5), ("11111", "22222", "1122112212")),
        (about("enhanced_beta", beta=0.5), ("11111", "22222", "1122112212")),
        (about("delta_disclosure", delta=0.5, absent="ignored"), ("11111", "22222", "1122112212")),
        (about("delta_disclosure", delta=9), ("11111", "22222", "1122112212")),
        (about("range_diversity", p=0.6, ranges=[[1, 2]]), ("11111", "22222", "1144114414")),
    ],
    ids=str,
)
def test_the_margin_lets_not_everything_pass(tmp_path: Path, model: dict[str, Any], diseases: tuple[str, ...]) -> None:
    rows = [row for at, members in enumerate(diseases) for row in of_class(f"1{at}", members)]
    release = with_shown(made(tmp_path, rows, [model], [person("30s", "19", "1")]))
    verdict = release.verify()
    [kind] = model
    assert check(verdict, kind).holds is False
    assert verdict.failing[:2] == (FailingClass(1, len(diseases[0])), FailingClass(2, len(diseases[1])))


def test_leaves_that_the_release_does_not_show(tmp_path: Path) -> None:
    release = with_shown(made(tmp_path, of_class("10", "1456"), [about("range_diversity", p=0.9, level=1)], []))
    unproven = check(release.verify(), "range_diversity")
    assert unproven.holds is None
    assert "needs the private record (--record FILE)" in str(unproven)
    # Of 6 leaves 4 are below "high": 1 - 3/5 of the pairs among 4, 5 and 6 count.
    assert check(release.verify(record=release.record), "range_diversity").holds
    assert promised(about("range_diversity", p=(4 + 6 * 0.4) / 16, level=1), of_class("10", "1456"), []) == [True]
    assert promised(about("range_diversity", p=0.399, level=1), of_class("10", "1456"), []) == [False]


def test_a_policy_is_told_for_shown_values_alone(tmp_path: Path) -> None:
    model = about("range_diversity", p=0.9, policy=[["1", 1, 3], ["3", 2, 6]])
    release = with_shown(made(tmp_path, of_class("10", "1456"), [model], [person("30s", "19", "3")]))
    assert release.manifest.models[0]["range_diversity"]["policy"] == [["1", 1, 3]]
    assert release.verify(record=release.record).holds
    assert check(release.verify(), "range_diversity").name == "range_diversity:p=0.9,column=disease"


def test_ordered_values_that_only_left_out_records_had(tmp_path: Path) -> None:
    """In the release 1 and 2 are as far apart as can be; in the table they were neighbours among six."""
    rows = [*of_class("11", "1" * 10), *of_class("12", "2" * 10)]
    left_out = [person("30s", "19", disease) for disease in "3456"]
    model = about("t_closeness", t=0.2, distance="ordered")
    assert promised(model, rows, [*rows, *left_out]) == [True, True]
    release = made(tmp_path, rows, [model], left_out)
    assert release.verify(record=release.record).holds
    assert release.verify().holds


def test_values_that_a_class_lacks_may_be_ignored(tmp_path: Path) -> None:
    """The second class lacks the 1 of nearly half of the table, which makes it no less like the rest."""
    rows = [*of_class("11", "111"), *of_class("12", "22223")]
    left_out = [person("30s", "19", "1")]
    model = about("delta_disclosure", delta=0.7, absent="ignored")
    assert promised(model, rows, [*rows, *left_out]) == [False, True]
    assert made(tmp_path, rows, [model], left_out).verify().failing == (FailingClass(1, 3),)


def test_what_the_margin_is_is_told(tmp_path: Path) -> None:
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    release = made(tmp_path, rows, [about("t_closeness", t=0.1)], [person("30s", "19", "6")] * 2)
    public = release.verify()
    assert public.holds
    told = "Checked within a margin of 2 unpublished records; the private record proves it"
    assert told in check(public, "t_closeness").detail
    # P has two records of ten that no class has.
    exact = release.verify(record=record_path(str(release.path)))
    assert exact.failing == (FailingClass(1, 4), FailingClass(2, 4))
    assert exact.word == "failed"


def test_nothing_left_out_is_exact(tmp_path: Path) -> None:
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    detail = check(made(tmp_path, rows, [about("t_closeness", t=0)]).verify(), "t_closeness").detail
    assert detail.endswith("Compared with the release, which suppresses nothing.")


def test_the_manifest_hides_what_the_data_do_not_show(tmp_path: Path) -> None:
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    model = about("t_closeness", t=0.5, distance="ordered", order=list(DISEASES))
    release = with_shown(made(tmp_path, rows, [model], [person("30s", "19", "6")]))
    assert release.manifest.models == (about("t_closeness", t=0.5, distance="ordered", order=["1", "2"]),)
    assert [row[0] for row in release.manifest.ladders["disease"]] == ["1", "2"]
    assert release.verify(record=release.record).holds
    assert release.verify().holds


def test_counts_that_do_not_fit(tmp_path: Path) -> None:
    """A record whose table has fewer of a value than the release, or none."""
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    release = made(tmp_path, rows, [about("t_closeness", t=1)])
    for values, counts in [((("1",), ("2",)), (5, 3)), ((("1",),), (8,)), ((("1",), ("2",)), (4, 5))]:
        reference = (ReferenceCounts(("disease",), values, counts),)
        verdict = release.verify(record=replace(release.record, reference=reference))
        assert check(verdict, "reference").holds is False
    verdict = release.verify(record=replace(release.record, reference=()))
    assert check(verdict, "reference").detail == "the private record lacks the counts of 'disease'"
    assert "do not fit its order, hierarchy or counts" in check(verdict, "t_closeness").detail


def test_a_hierarchy_that_lacks_a_value(tmp_path: Path) -> None:
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    release = made(tmp_path, rows, [about("t_closeness", t=1, distance="hierarchical")])
    # That of a hierarchy which the job does not declare is in the record alone.
    assert check(release.claim(ladders={}).verify(), "t_closeness").holds is None
    for ladders in ({"disease": ()}, {"disease": (("1", "low", "any"),)}, {"disease": (("1",), ("2",))}):
        verdict = release.claim(ladders=ladders).verify()
        assert check(verdict, "t_closeness").holds is False
        assert "cannot be evaluated" in check(verdict, "t_closeness").detail


def test_values_without_order(tmp_path: Path) -> None:
    model = about("t_closeness", t=1, distance="ordered")
    verdict = made(tmp_path, [*of_class("11", "ab")], [model]).verify()
    assert "cannot be evaluated" in check(verdict, "t_closeness").detail


def test_columns_that_are_judged_jointly(tmp_path: Path) -> None:
    rows = [person("20s", "11", disease, visits) for disease, visits in [("1", "a"), ("1", "b"), ("2", "a")]]
    assert made(tmp_path, rows, [{"distinct_l": {"l": 3, "column": "disease+visits"}}]).verify().holds
    assert not made(tmp_path, rows, [{"distinct_l": {"l": 4, "column": "disease+visits"}}]).verify().holds


def test_a_model_of_others_needs_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verification knows the margins of our own models alone."""
    monkeypatch.setattr("incrowd.verification._judges._MARGINS", {})
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    release = made(tmp_path, rows, [about("t_closeness", t=0.5)], [person("30s", "19", "1")])
    verdict = release.verify()
    assert (verdict.holds, verdict.word) == (False, "incomplete")
    assert check(verdict, "t_closeness").detail == "needs the private record (--record FILE)"
    assert "some could not be run" in str(verdict)
    assert release.verify(record=release.record).holds


# Spellings.


def test_numbers_that_are_spelled_otherwise(tmp_path: Path) -> None:
    """The data have 1.0 where the record has 1."""
    rows = [person("20s", "11", disease) for disease in ("1.0", "2", "2020-01-02 00:00:00", "True")]
    release = made(tmp_path, rows, [about("t_closeness", t=0)])
    values = (("1",), ("2",), ("2020-01-02",), ("true",))
    reference = (ReferenceCounts(("disease",), values, (1, 1, 1, 1)),)
    assert release.verify(record=replace(release.record, reference=reference)).holds


def test_two_spellings_in_the_data_stay_two_values(tmp_path: Path) -> None:
    rows = [person("20s", "11", disease) for disease in ("1.0", "1.00", "7")]
    release = made(tmp_path, rows, [about("distinct_l", l=3), about("t_closeness", t=1)])
    reference = (ReferenceCounts(("disease",), (("1",), ("7",)), (2, 1)),)
    verdict = release.verify(record=replace(release.record, reference=reference))
    assert check(verdict, "distinct_l").holds is True
    assert check(verdict, "reference").holds is False


# The population.

K_MAP: dict[str, Any] = {"k_map": {"k": 3}}


def population(folder: Path, *people: tuple[str, str], missing: str = "") -> Path:
    """A table of people with original ages and zips."""
    path = folder / "people.csv"
    lines = ["name,zip,age", *(f"p,{zip},{age or missing}" for age, zip in people)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_k_map(tmp_path: Path) -> None:
    rows = [person("20s", "11", "flu"), person("30s", "12", "flu"), person(None, "11", "flu")]
    release = made(tmp_path, rows, [K_MAP])
    people = [("20", "11"), ("21", "11"), ("29", "11"), ("", "11"), ("", "11"), ("", "11"), ("39", "12"), ("30", "12")]
    verdict = release.verify(record=release.record, population=population(tmp_path, *people))
    assert verdict.failing == (FailingClass(2, 1),)
    people.append(("31", "12"))
    assert release.verify(record=release.record, population=population(tmp_path, *people)).holds
    job = {**release.record.job, "data": {"source": "x.csv", "missing": ["?"]}}
    marked = population(tmp_path, *people, missing="?")
    assert release.verify(record=replace(release.record, job=job), population=marked).holds
    with pytest.raises(Exception, match="the hierarchy of column 'age' lacks 1 of its"):
        release.verify(record=release.record, population=marked)


def test_delta_presence_counts_people_whom_nobody_represents(tmp_path: Path) -> None:
    rows = [person("20s", "11", "flu"), person("30s", "12", "flu")]
    people = [("20", "11"), ("21", "11"), ("30", "12"), ("31", "12"), ("40", "15")]
    given_people = population(tmp_path, *people)
    release = made(tmp_path, rows, [{"delta_presence": {"lower": 0, "upper": 0.5}}])
    assert release.verify(record=release.record, population=given_people).holds
    release = made(tmp_path, rows, [{"delta_presence": {"lower": 0.1, "upper": 0.5}}])
    verdict = release.verify(record=release.record, population=given_people)
    assert verdict.failing == (FailingClass(None, 0),)
    assert "a class of the population without a record in the release" in str(verdict)


def test_missing_ages_join_the_others_at_the_top(tmp_path: Path) -> None:
    rows = [person("*", "11", "flu"), person("*", "11", "flu")]
    release = made(tmp_path, rows, [K_MAP])
    top = replace(release.record.quasi[0], level=2)
    release = replace(release, record=replace(release.record, quasi=(top, release.record.quasi[1])))
    release = release.claim(quasi=(replace(release.manifest.quasi[0], level=2), release.manifest.quasi[1]))
    people = population(tmp_path, ("20", "11"), ("", "11"), ("59", "11"))
    assert release.verify(record=release.record, population=people).holds


def test_without_the_population_nothing_is_proven(tmp_path: Path) -> None:
    release = made(tmp_path, [person("20s", "11", "flu")], [K_MAP])
    people = population(tmp_path, ("20", "11"), ("20", "11"), ("20", "11"))
    for given_files in ({}, {"population": people}, {"record": release.record}):
        verdict = release.verify(**given_files)
        assert (verdict.holds, verdict.word) == (False, "incomplete")
        needs = "needs the population table and the private record (--population FILE --record FILE)"
        assert check(verdict, "k_map").detail == needs
    assert release.verify(record=release.record, population=people).holds


def test_a_population_that_lacks_a_column(tmp_path: Path) -> None:
    release = made(tmp_path, [person("20s", "11", "flu")], [K_MAP])
    path = tmp_path / "people.csv"
    path.write_text("name,zip\nx,11\n")
    with pytest.raises(Exception, match="no column 'age'; the columns are 'name', 'zip'"):
        release.verify(record=release.record, population=path)
    with pytest.raises(Exception, match="no such file"):
        release.verify(record=release.record, population=tmp_path / "none.csv")


def test_tampered_ladders_do_not_crash(tmp_path: Path) -> None:
    rows = [*of_class("11", "1212"), *of_class("12", "1122")]
    release = made(tmp_path, rows, [about("t_closeness", t=1, distance="hierarchical")])
    tampered(manifest_path(str(release.path)), ladders={"disease": [["1", "low"], ["2", "low", "any"]]})
    assert check(release.verify(), "t_closeness").holds is False
