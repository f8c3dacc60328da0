"""Whole runs of k-anonymity revisited: what is published, told, verified, measured, and what is refused."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from anonymization.hospital import PATIENTS, ROLES, hospital_job, in_arrow, in_folder
from cli.command import Command
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible, JobError
from incrowd.models.consistent_k import NOTIONS
from incrowd.release import Manifest
from verification.releases import with_lists

QUASI = ["age", "zip", "sex"]


def released(folder: Path, notion: str, k: int = 3, **changes: Any) -> tuple[Path, AnonymizationResult]:
    """A release in a file, beside the patients."""
    output = folder / "release.csv"
    holes = [{**person, "sex": None if at % 9 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)]
    job = hospital_job({"consistent_k": {"k": k, "notion": notion}}, search="consistent", output=str(output), **changes)
    return output, incrowd.anonymize(str(in_folder(folder, holes)), job)


@pytest.mark.parametrize("nulls", ["extended", "basic"])
@pytest.mark.parametrize("notion", NOTIONS)
def test_searched_measured_and_verified(notion: str, nulls: str, tmp_path: Path) -> None:
    output, made = released(tmp_path, notion, nulls=nulls)
    assert made.verdict.holds
    assert made.manifest.smallest < 3, "no record need be alike to two others"
    assert made.manifest.set_aside == (7 if nulls == "basic" else 0)
    # As anybody may measure it, by code that does not know how it was made.
    source = pd.read_csv(tmp_path / "patients.csv", dtype=str)
    given = source if nulls == "extended" else source.dropna(subset=QUASI)
    given.to_csv(tmp_path / "given.csv", index=False)
    found = incrowd.measure(tmp_path / "given.csv", [output], metrics=[*NOTIONS, "loss"]).releases[0].readings
    assert found[notion].value is not None
    assert found[notion].value >= 3
    side = {"one_k": "one_k", "k_one": "one_k", "k_k": "one_k", "global_one_k": "global_one_k"}[notion]
    assert made.details == {"people": found[side].value, "rows": found["k_one"].value}
    assert incrowd.verify(output).word == "incomplete"
    assert incrowd.verify(output, record=made.record_file).holds


def test_what_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = Command(monkeypatch, capsys)
    output, made = released(tmp_path, "k_k")
    for shown in (str(made), command("report", output).out):
        assert (
            "Every original record is consistent with at least 3 released records, and each of those with at least 3"
            in shown
        )
        assert "Everybody is hidden among" not in shown
        assert "Every class" not in shown
    done = command("verify", output)
    assert done.code == 5
    assert "not checked  consistent_k:k=3: needs the private record" in done.out
    assert "k-anonymity is not claimed, only that enough records are consistent (consistent_k, k_k)" in done.out
    assert command("verify", output, "--record", f"{output}.record.json").code == 0


def test_where_classes_are_large_enough_no_record_is_needed(tmp_path: Path) -> None:
    output = tmp_path / "release.csv"
    job = hospital_job({"consistent_k": {"k": 3, "notion": "global_one_k"}}, output=str(output))
    made = incrowd.anonymize(in_arrow(), job)
    assert made.figures.search.name == "optimal"
    assert made.manifest.smallest >= 3
    assert incrowd.verify(output).holds
    assert str(made).partition(".")[0].endswith(f"smallest class: {made.manifest.smallest}")


# What verification catches.


def planted(folder: Path, notion: str, forge_record: bool) -> set[str]:
    """The checks that fail where a row is published as its original is, hash and manifest made to fit."""
    output, made = released(folder, notion)
    assert made.record_file is not None
    record = with_lists(made.record_file)
    told = record["combinations"]
    at = narrowest(told)
    cells = [of[code] for of, code in zip(told["labels"], told["published"][at], strict=True)]
    values = [of[code] for of, code in zip(told["values"], told["original"][at], strict=True)]
    frame = pd.read_csv(output, dtype=str, keep_default_na=False)
    same = (frame[QUASI] == ["" if cell is None else cell for cell in cells]).all(axis=1)
    chosen = frame.index[same][: told["counts"][at]]
    assert len(chosen) == told["counts"][at]
    for name, value in zip(QUASI, values, strict=True):
        frame.loc[chosen, name] = "" if value is None else value
    frame.to_csv(output, index=False)
    if forge_record:
        for column, value in enumerate(values):
            told["labels"][column].append(value)
            told["published"][at][column] = len(told["labels"][column]) - 1
    sizes = frame.groupby(QUASI).size()
    claims = made.manifest.to_dict() | {"classes": len(sizes), "smallest": int(sizes.min())}
    claims["data"]["sha256"] = sha256(output.read_bytes()).hexdigest()
    forged = Manifest.from_dict(claims)
    record["release"] = forged.fingerprint
    made.record_file.write_text(json.dumps(record))
    forged.write(Path(f"{output}.manifest.json"))
    verdict = incrowd.verify(output, record=made.record_file)
    return {check.name.partition(":")[0] for check in verdict.checks if check.holds is False}


def narrowest(told: dict[str, Any]) -> int:
    """A combination of one person whom nobody else is equal to, published more generally than it is."""
    for at, (original, published) in enumerate(zip(told["original"], told["published"], strict=True)):
        pairs = zip(told["values"], original, told["labels"], published, strict=True)
        if told["counts"][at] == 1 and all(of[code] != label[cell] for of, code, label, cell in pairs):
            return at
    raise AssertionError("every combination keeps a cell")


@pytest.mark.parametrize("notion", ["k_one", "k_k", "global_one_k"])
def test_a_row_that_is_too_narrow(notion: str, tmp_path: Path) -> None:
    assert planted(tmp_path, notion, forge_record=False) == {"cells", "consistent_k"}


@pytest.mark.parametrize("notion", ["k_one", "k_k", "global_one_k"])
def test_a_record_that_tells_the_same(notion: str, tmp_path: Path) -> None:
    assert planted(tmp_path, notion, forge_record=True) == {"consistent_k"}


# What is refused, and the frontier.


def test_what_does_not_fit_together() -> None:
    def faults(*models: dict[str, Any], **settings: Any) -> str:
        with pytest.raises(JobError) as refused:
            incrowd.anonymize(in_arrow(), hospital_job(*models, search="consistent", **settings))
        return str(refused.value)

    k_k = {"consistent_k": {"k": 3}}
    assert "models[1]: the search makes no classes for it to judge; give only consistent_k" in faults(
        {"k_anonymity": {"k": 3}}
    )
    assert "models[2]: the search supports one model; omit the others" in faults(k_k, k_k)
    assert "metric: the search minimizes loss and no other metric; omit it" in faults(k_k, metric="height")
    assert "notion of consistent_k is 'k'" in faults({"consistent_k": {"k": 3, "notion": "k"}})


def test_no_release_within_the_limits() -> None:
    roles = {name: {**of, "limit": 0} if of["role"] == "quasi" else of for name, of in ROLES.items()}
    job = {**hospital_job({"consistent_k": {"k": 3}}, search="consistent"), "columns": roles}
    with pytest.raises(Infeasible):
        incrowd.anonymize(in_arrow(), job)
    made = incrowd.anonymize(in_arrow(), {**job, "suppress": 60})
    assert made.verdict.holds
    with pytest.raises(Infeasible):
        incrowd.anonymize(in_arrow(), hospital_job({"consistent_k": {"k": 61}}, search="consistent"))


def test_the_frontier_varies_its_k() -> None:
    job = hospital_job({"consistent_k": {"k": 3, "notion": "global_one_k"}}, search="consistent")
    swept = incrowd.frontier(in_arrow(), job, k=[2, 4], searches=["consistent", "layered"])
    found = {(run.search, run.k): run.release for run in swept.runs}
    for k in (2, 4):
        ours, alike = found["consistent", k], found["layered", k]
        assert ours is not None
        assert alike is not None
        assert ours.smallest >= k
        assert ours.highest_risk == 1 / ours.smallest <= 1 / k
        assert ours.average_risk is None
        assert ours.loss <= alike.loss
    assert "these need not be equal" in str(swept)
    with pytest.raises(incrowd.IncrowdError, match="risk average with consistent_k"):
        incrowd.frontier(in_arrow(), job, k=[2], risk="average")


LECTURE = pd.DataFrame(
    [("White", "94138"), ("Black", "94139"), ("Asian", "94141"), ("Asian", "94141"), ("Asian", "94142")],
    columns=["Race", "ZIP"],
)


def lecture_job(folder: Path) -> dict[str, Any]:
    """The hierarchies of Samarati's lecture (FOSAD 2008)."""
    (folder / "race.csv").write_text("White,Person\nBlack,Person\nAsian,Person\n", "utf-8")
    codes = "".join(f"{code},{code[:4]}*,941**\n" for code in sorted({*LECTURE["ZIP"]}))
    (folder / "zip.csv").write_text(codes, "utf-8")
    columns = {name: {"role": "quasi", "hierarchy": str(folder / f"{name.lower()}.csv")} for name in LECTURE}
    return {"columns": columns, "models": ["consistent_k:k=2"], "search": "consistent"}


def test_two_equal_records_are_published_in_two_ways(tmp_path: Path) -> None:
    """FX-SAM-9, slide 57: found, published, and judged from the private record."""
    made = incrowd.anonymize(LECTURE, lecture_job(tmp_path))
    expected = [("Asian", "94141"), *[("Asian", "9414*")] * 2, *[("Person", "9413*")] * 2]
    assert sorted(made.frame.itertuples(index=False, name=None)) == sorted(expected)
    assert made.verdict.holds
    assert made.details == {"people": 2, "rows": 2}
    output = tmp_path / "release.csv"
    LECTURE.to_csv(tmp_path / "five.csv", index=False)
    written = incrowd.anonymize(str(tmp_path / "five.csv"), {**lecture_job(tmp_path), "output": str(output)})
    assert incrowd.verify(output, record=written.record_file).holds
    [reading] = incrowd.measure(tmp_path / "five.csv", [output], metrics=["k_k"]).releases
    assert reading.readings["k_k"].value == 2


def test_an_engine_publishes_two_equal_records_in_two_ways(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    five = duckdb.connect().from_df(LECTURE)
    made = incrowd.anonymize(five, lecture_job(tmp_path))
    assert made.verdict.holds
    expected = [("Asian", "94141"), *[("Asian", "9414*")] * 2, *[("Person", "9413*")] * 2]
    assert sorted(made.frame.fetchall()) == sorted(expected)
