"""The risk of people in several tables, beside plain Python that lists all that may be known of everybody."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from cli.command import Command
from incrowd.errors import UsageError
from linked_sets import Frames, job_of, small_set

QUASI = {"people": ["age", "sex"], "visits": ["ward"], "tests": ["kind"]}


def known(frames: Frames, knows: str, columns: dict[str, list[str]]) -> dict[Any, set[Any]]:
    """All that may be known of each person, by the definition."""
    people = frames["people"]
    found = {}
    for row in people.to_dict("records"):
        own = tuple(row[each] for each in columns["people"])
        options = []
        for name in [each for each in columns if each != "people"]:
            table = frames[name]
            records = [tuple(of) for of in table[table["id"] == row["id"]][columns[name]].itertuples(index=False)]
            everything = frozenset(Counter(records).items())
            options.append({*records, None} if knows == "record" else {everything})
        found[row["id"]] = set(product([own], *options))
    return found


def risks(sample: dict[Any, set[Any]], among: dict[Any, set[Any]]) -> tuple[list[Fraction], Fraction]:
    """The risk of each person, and what one who matches everybody gets right on average."""
    sizes = Counter(view for views in among.values() for view in views)
    of_each = [max(Fraction(1, sizes[view]) for view in views) for views in sample.values()]
    right = [sum((Fraction(1, sizes[view]) for view in views), Fraction(0)) / len(views) for views in sample.values()]
    return of_each, sum(right, Fraction(0)) / len(right)


def rounded(plain: Any) -> Any:
    """Plain data without the last digits of sums, which depend on the order of the people."""
    return json.loads(json.dumps(plain), parse_float=lambda text: round(float(text), 9))


def part(frames: Frames, people: int) -> Frames:
    """The tables of the first people."""
    ids = frames["people"]["id"].iloc[:people]
    return {name: frame[frame["id"].isin(ids)].reset_index(drop=True) for name, frame in frames.items()}


@given(seed=st.integers(0, 500), knows=st.sampled_from(["record", "history"]), some=st.booleans())
def test_risk_is_as_by_hand(seed: int, knows: str, some: bool) -> None:
    population = small_set(seed, people=16, nested=False)
    sample = part(population, 9)
    columns = {"people": ["age"], "visits": ["ward"]} if some else QUASI
    names = [f"{table}.{column}" for table, of in columns.items() for column in of]
    job = incrowd.LinkedJob.from_dict(job_of(sample)).reading(sample)
    found = incrowd.risk(job, names, "1/3", population, knows=knows)
    here, everybody = known(sample, knows, columns), known(population, knows, columns)
    for attack, share, among in (
        (found.prosecutor, found.marketer, here),
        (found.journalist, found.marketer_in_population, everybody),
    ):
        of_each, right = risks(here, among)
        assert attack is not None
        assert attack.highest == float(max(of_each))
        assert attack.average == pytest.approx(float(sum(of_each) / len(of_each)))
        assert attack.at_risk == sum(risk > Fraction(1, 3) for risk in of_each)
        assert share == pytest.approx(float(right))
    assert found.alone == sum(risk == 1 for risk in risks(here, here)[0])
    assert found.population == 16


@given(seed=st.integers(0, 500), knows=st.sampled_from(["record", 2, "history"]))
def test_nobody_is_at_less_risk_from_who_knows_more(seed: int, knows: Any) -> None:
    """Nested tables too; and the figures are those of the attack."""
    frames = small_set(seed)
    job = incrowd.LinkedJob.from_dict(job_of(frames, knows=knows)).reading(frames)
    found = incrowd.risk(job, knows=knows)
    fewer = incrowd.risk(job, ["people.age", "visits.ward"], knows=knows)
    assert fewer.prosecutor.highest <= found.prosecutor.highest
    assert fewer.alone <= found.alone
    diagnosed = incrowd.diagnose(job).ask()
    assert diagnosed.highest_risk == found.prosecutor.highest
    assert diagnosed.average_risk == pytest.approx(found.prosecutor.average)
    assert found.marketer <= found.prosecutor.average + 1e-12
    if knows != "record":
        known_before = incrowd.risk(job, knows="record")
        assert known_before.prosecutor.highest <= found.prosecutor.highest or knows == "history"


def test_a_release_keeps_its_promise(tmp_path: Path) -> None:
    """By the folder, and as it was returned."""
    frames = small_set(3, people=60)
    made = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=3"], suppress=0.6), output=tmp_path / "r")
    for release in (made, tmp_path / "r"):
        found = incrowd.risk(release, threshold="1/3")
        assert found.prosecutor.highest <= 1 / 3
        assert not found.exceeded
        assert found.alone == 0
    assert "Prosecutor risk" in str(found)


def test_what_one_table_has_is_refused() -> None:
    frames = small_set(3)
    job = incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames)
    for further, words in (
        ({"sensitive": ["visits.illness"]}, "risk of several tables with sensitive"),
        ({"max_size": 2}, "risk of several tables with max_size"),
        ({"person": ["id"]}, "risk of several tables with person"),
        ({"population": 1000}, "the size of the population"),
        ({"quasi": ["people.sxe"]}, "did you mean 'people.sex'"),
        ({"threshold": 2}, "a risk is a probability"),
        ({"population": small_set(4)}, "people of the tables are not in it"),
    ):
        with pytest.raises(UsageError, match=words):
            incrowd.risk(job, **further)
    with pytest.raises(UsageError):
        incrowd.risk(frames["people"])


def test_the_command_is_python(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    frames = small_set(3, people=20)
    job = job_of(frames)
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        job["tables"][name]["data"] = f"{name}.csv"
    (tmp_path / "job.json").write_text(json.dumps(job))
    command = Command(monkeypatch, capsys)
    done = command("risk", tmp_path / "job.json", "--json")
    expected = incrowd.risk(incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames)).to_dict()
    printed = json.loads(done.out)
    del printed["version"]
    assert rounded(printed) == rounded(expected)
    assert command("risk", tmp_path / "job.json", "--threshold", "0.2", "--knows", "history").code == 1
    refused = command("risk", tmp_path / "job.json", "--sensitive", "visits.illness")
    assert refused.code == 2
    assert "risk of several tables with --sensitive" in refused.error
    assert command("risk", tmp_path / "people.csv").code == 2
    assert "Journalist risk" in command("risk", tmp_path / "job.json", "--population", tmp_path / "job.json").out
