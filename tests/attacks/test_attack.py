"""Attacks as users ask for them: in Python and on the command line, on releases of any make."""

import json
from pathlib import Path
from typing import Any

import polars
import pytest

import incrowd
from cli.command import Command
from incrowd.attacks import ATTACKS, AttackOptions
from incrowd.attacks._reading import read_target
from incrowd.attacks._running import attack_target
from incrowd.watch import Watch

TEN = Path(__file__).parents[2] / "examples" / "ten.csv"
TOWNS = TEN.parent / "hierarchies" / "town.yaml"
JOB: dict[str, Any] = {
    "data": str(TEN),
    "columns": {
        "age": {"role": "quasi", "hierarchy": "intervals:widths=10/20,domain=20/59"},
        "town": {"role": "quasi", "hierarchy": str(TOWNS)},
        "illness": {"role": "sensitive"},
    },
    "models": ["k_anonymity:k=3"],
}
ALWAYS = {"homogeneity", "background_knowledge", "skewness", "similarity", "range_disclosure", "wildcards"}


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def release(tmp_path: Path) -> str:
    """The ten people in three classes, as levels."""
    incrowd.anonymize(None, {**JOB, "search": "optimal", "output": str(tmp_path / "release.csv")})
    return str(tmp_path / "release.csv")


def local(folder: Path) -> str:
    """The same people, as ranges."""
    search = {"search": "mondrian:cuts=relaxed", "output": str(folder / "local.csv")}
    incrowd.anonymize(None, {**JOB, **search})
    return str(folder / "local.csv")


def test_every_attack_is_tried_or_says_what_it_lacks(release: str) -> None:
    found = incrowd.attack(release)
    tried = {each.attack.partition(":")[0] for each in found.exposures}
    assert tried == ALWAYS
    assert {*found.untried} == set(ATTACKS.known()) - ALWAYS
    assert found.exposed
    assert (found.records, found.classes) == (10, 3)


def test_everything_at_once(release: str, tmp_path: Path) -> None:
    knows = ["age=47,town=Wels: illness not in asthma/diabetes"]
    found = incrowd.attack(release, outside=TEN, other=local(tmp_path), knows=knows)
    records = {each.attack: each.records for each in found.exposures}
    assert found.untried == {}
    # Nobody is found among three; the flu is all that both releases leave of somebody of 31 in Linz.
    assert records["linkage"] == 0
    assert records["statements"] == 1
    assert records["intersection"] == 1
    assert records["background_knowledge"] == 3
    plain = json.loads(found.to_json())
    assert plain["exposed"] is True
    assert {"story", "knows", "records", "worst", "stopped_by"} <= set(plain["exposures"][0])
    assert "Not tried" not in str(found)


def test_the_ten_people_as_they_are_are_all_found() -> None:
    found = incrowd.attack(
        str(TEN), {"age": "quasi", "town": "quasi", "illness": "sensitive"}, ["linkage"], outside=TEN
    )
    assert found.exposures[0].records == 10
    assert found.exposures[0].stopped_by == "k_anonymity:k=2 and distinct_l:l=2,column=illness"


def test_a_release_in_two_tables(tmp_path: Path) -> None:
    job = {
        **JOB,
        "models": ["frequency_l:l=2,column=illness"],
        "search": "anatomy",
        "output": str(tmp_path / "two.csv"),
    }
    incrowd.anonymize(None, job)
    found = {each.attack: each for each in incrowd.attack(tmp_path / "two.csv", outside=TEN).exposures}
    assert found["homogeneity"].records == 0
    # Quasi-identifiers are published as they are: everybody is found, and nobody's illness is.
    assert found["linkage"].details["people whom one record fits"] == 10
    assert found["linkage"].details["people whose illness is known"] == 0


def test_equal_people_in_different_groups_of_two_tables(tmp_path: Path) -> None:
    """Everybody twice: two records fit each, in one group or in two."""
    rows = TEN.read_text("utf-8").splitlines()
    (tmp_path / "twenty.csv").write_text("\n".join([*rows, *rows[1:]]), "utf-8")
    model = {"models": ["frequency_l:l=2,column=illness"], "search": "anatomy"}
    incrowd.anonymize(None, {**JOB, **model, "data": str(tmp_path / "twenty.csv"), "output": str(tmp_path / "two.csv")})
    found = incrowd.attack(tmp_path / "two.csv", attacks=["linkage", "linkage:k=3"], outside=TEN).exposures
    assert found[0].details["people whom one record fits"] == 0
    assert found[1].details["people whom fewer than 3 fit"] == 10


def test_missing_cells_and_other_alphabets() -> None:
    frame = polars.DataFrame(
        {"età": ["20-29", "20-29", None, "30"], "città": ["Forlì", None, "Forlì", "*"], "male": ["a", "b", "c", "c"]}
    )
    outside = polars.DataFrame({"nome": ["Niccolò", "Zoë"], "anni": [25, 30], "città": ["Forlì", "Århus"]})
    columns = {"età": "quasi", "città": "quasi", "male": "sensitive"}
    found = incrowd.attack(frame, columns, ["linkage"], outside, "nome", {"anni": "età"})
    # Three records fit Niccolò (two in their twenties, one of any age); the last one alone fits Zoë, with any age too.
    assert found.exposures[0].people == ("Zoë",)
    assert found.exposures[0].details["people whom one record fits"] == 1


def test_an_empty_release() -> None:
    empty = polars.DataFrame({"age": [], "illness": []}, schema={"age": polars.String, "illness": polars.String})
    found = incrowd.attack(empty, {"age": "quasi", "illness": "sensitive"}, outside=polars.DataFrame({"age": ["3"]}))
    assert not found.exposed
    assert (found.records, found.classes) == (0, 0)


def test_the_command(command: Command, release: str) -> None:
    done = command("attack", release, "--with", TEN, "--only", "linkage,homogeneity")
    assert (done.code, done.error) == (0, "")
    done = command("attack", release, "--with", TEN, "--only", "linkage:k=4", "--details")
    assert done.code == 1
    assert "match fewer than 4 records: 6" in done.out
    assert "30-39" in done.out
    plain = json.loads(command("attack", release, "--json").out)
    assert plain["quasi"] == ["age", "town"]


def test_no_value_is_shown_unless_asked_for(command: Command, release: str, tmp_path: Path) -> None:
    words = ("attack", release, "--with", TEN, "--other", local(tmp_path), "--only")
    for attack in (*ALWAYS, "linkage:k=9", "intersection:k=9"):
        shown = command(*words, attack).out + command(*words, attack, "--json").out
        assert not any(value in shown for value in ("flu", "asthma", "Styria", "20-29", "Graz", "gastritis"))


@pytest.mark.parametrize(
    "words",
    [
        ["--only", "lincage"],
        ["--only", "linkage"],
        ["--only", "linkage:k=0"],
        ["--only", "linkage:size=3"],
        ["--name", "age"],
        ["--with", TEN, "--map", "age"],
        ["--with", TEN, "--map", "old=age"],
        ["--with", TEN, "--map", "income=wage"],
        ["--with", TEN, "--map", "income=age", "--map", "illness=age"],
        ["--with", TEN, "--map", "income=age", "--name", "age"],
        ["--with", TEN, "--name", "who"],
        ["--with", TEN.parent / "hospital.csv"],
        ["--knows", "illness"],
        ["--knows", "illness!=plague"],
        ["-q", "wage"],
        ["--other", "nowhere.csv"],
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(command: Command, release: str, words: list[Any]) -> None:
    done = command("attack", release, *words)
    assert (done.code, done.out) == (2, "")
    assert done.error.count("\n") == 1
    assert "plague" not in done.error


def test_a_table_of_which_nothing_is_known(command: Command) -> None:
    done = command("attack", TEN)
    assert done.code == 2
    assert "no quasi-identifiers given" in done.error


def test_what_is_known_when_it_is_stopped(release: str) -> None:
    watch = Watch()
    target = read_target(release, AttackOptions(), watch)
    watch.cancel()
    found = attack_target(target, (), watch)
    assert (found.stopped, found.exposures) == ("interrupted", ())
    assert found.untried["homogeneity"] == "needs more time"
    assert "interrupted" in str(found)


def test_a_class_has_one_number_however_it_is_counted(release: str) -> None:
    """Numbers follow the published cells, so a frame, a file and fewer columns give the same."""
    as_frame = incrowd.attack(polars.read_csv(release), {"age": "quasi", "town": "quasi", "illness": "sensitive"})
    turned = incrowd.attack(
        polars.read_csv(release).reverse(), {"age": "quasi", "town": "quasi", "illness": "sensitive"}
    )
    worst = [[each.worst for each in found.exposures] for found in (incrowd.attack(release), as_frame, turned)]
    assert worst[0] == worst[1] == worst[2]


def test_a_column_that_is_called_so_comes_before_one_that_happens_to_be(release: str) -> None:
    people = polars.DataFrame({"age": [99, 99], "years": [23, 99], "town": ["Graz", "Graz"]})
    for columns in (people, people.select("years", "town", "age")):
        [found] = incrowd.attack(release, attacks=["linkage"], outside=columns, renamed={"years": "age"}).exposures
        assert found.details["people whom no record fits"] == 1


def test_that_nobody_could_be_found_is_said(command: Command, tmp_path: Path) -> None:
    """Years in the release, days outside: without the hierarchy no record fits anybody, and that is no all-clear."""
    (tmp_path / "release.csv").write_text("born,illness\n1980,flu\n1981,gout\n", "utf-8")
    (tmp_path / "people.csv").write_text("born\n1980-02-03\n1981-04-05\n", "utf-8")
    words = ("attack", tmp_path / "release.csv", "-q", "born", "-s", "illness", "--with", tmp_path / "people.csv")
    done = command(*words, "--only", "linkage")
    assert done.code == 0
    assert "people who match no record: 2" in done.out
    assert "2 of born" in done.out
    assert "prevented by" not in done.out


def test_means_are_nobodys_values(tmp_path: Path) -> None:
    """A mean fits whoever is behind it, though nobody has it; people are looked for by the other columns."""
    columns = {**JOB["columns"], "age": {"role": "quasi", "form": "mean"}}
    settings = {"columns": columns, "search": "microaggregation", "output": str(tmp_path / "means.csv")}
    incrowd.anonymize(None, {**JOB, **settings})
    means = str(tmp_path / "means.csv")
    found = incrowd.attack(means, attacks=["linkage:k=4", "intersection"], outside=TEN, other=local(tmp_path))
    for each in found.exposures:
        assert "age (mean)" in each.note
    assert found.exposures[0].details["people whom no record fits"] == 0
    assert found.exposures[1].details["people in both releases"] == 10
    [unnamed] = incrowd.attack(means, attacks=["intersection"], other=str(tmp_path / "local.csv")).exposures
    assert unnamed.records is not None
    assert unnamed.records <= (found.exposures[1].records or 0) <= (unnamed.at_most or 0)


@pytest.mark.parametrize(
    ("settings", "besides"),
    [
        ({"nulls": "maybe"}, "nulls: extended"),
        ({"generalize": "none", "suppress": "cell", "search": "local_suppression:wiped=anything"}, "wiped=own"),
    ],
)
def test_what_matches_everything_does_not_hide_who_is_known(
    settings: dict[str, str], besides: str, tmp_path: Path
) -> None:
    """k-anonymity holds and people are found: the remedy is the same model, with such cells as values of their own."""
    rows = ["age,town,illness", "34,Graz,flu", "34,,gout", "34,Linz,flu", "51,Graz,gout", ",Graz,flu", "52,,gout"]
    (tmp_path / "gaps.csv").write_text("\n".join(rows), "utf-8")
    columns = {"age": {"role": "quasi"}, "town": {"role": "quasi"}, "illness": {"role": "sensitive"}}
    job = {"data": str(tmp_path / "gaps.csv"), "columns": columns, "models": ["k_anonymity:k=2"]}
    incrowd.anonymize(None, {**job, **settings, "output": str(tmp_path / "release.csv")})
    people = polars.DataFrame({"age": [34, 34, 34, 51, 52], "town": ["Graz", "Wels", "Linz", "Graz", "Enns"]})
    [found] = incrowd.attack(tmp_path / "release.csv", attacks=["linkage"], outside=people).exposures
    assert besides in found.stopped_by


@pytest.mark.parametrize(
    "attack",
    [
        "linkage:k=4",
        "homogeneity",
        "background_knowledge",
        "background_knowledge:values=2",
        "statements",
        "skewness:factor=1.2",
        "similarity",
        "range_disclosure:within=0.2",
        "wildcards",
    ],
)
@pytest.mark.parametrize("suppress", [0, 0.3])
def test_the_model_that_is_named_stops_the_attack(attack: str, suppress: float, tmp_path: Path) -> None:
    """From end to end: somebody is exposed; the job with what is named besides exposes nobody."""
    illness = {"role": "sensitive", "hierarchy": str(TEN.parent / "hierarchies" / "illness.yaml")}
    rows = TEN.read_text("utf-8")
    if attack == "wildcards":
        rows = rows.replace("36,Linz,asthma", ",Linz,asthma").replace("28,Leoben", "28,")
    (tmp_path / "ten.csv").write_text(rows, "utf-8")
    job = {
        "data": str(tmp_path / "ten.csv"),
        "columns": {**JOB["columns"], "illness": illness, "income": {"role": "sensitive"}},
        "suppress": suppress,
    }
    asked = {"knows": ["illness!=asthma"]} if attack == "statements" else {}
    columns = {"age": "quasi", "town": "quasi", "illness": illness, "income": "sensitive"}

    def exposed(name: str, **changes: Any) -> list[incrowd.attacks.Exposure]:
        incrowd.anonymize(None, {**job, "output": str(tmp_path / name), **changes})
        found = incrowd.attack(tmp_path / name, columns, [attack], outside=TEN, **asked).exposures
        return [each for each in found if each.column != "income" or attack.startswith("range")]

    nulls = "maybe" if attack == "wildcards" else "extended"
    before = [each for each in exposed("before.csv", models=["k_anonymity:k=2"], nulls=nulls) if each.records]
    assert before
    named = before[0].stopped_by.partition(", from")[0].partition(" with ")[0]
    models = named.replace("LOW", "18").replace("HIGH", "90").split(" and ")
    after = exposed("after.csv", models=["k_anonymity:k=2", *models])
    assert [each.records for each in after if each.column == before[0].column] == [0]
