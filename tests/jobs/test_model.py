"""The job itself: frozen, equal by value, and what the run asks of it."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from incrowd import hierarchies
from incrowd.core.schema import Role
from incrowd.errors import JobError, SourceError, UsageError
from incrowd.jobs import Changes, Job
from incrowd.jobs.suppression import spell_suppression, suppression

GOOD: dict[str, Any] = {
    "data": "people.csv",
    "output": "release.csv",
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}, "losses": [0, 0.2, 0.5, 1]},
        "zip": {"role": "quasi"},
        "disease": {"role": "sensitive"},
        "name": {"role": "identifier"},
    },
    "models": [{"k_anonymity": {"k": 5}}],
}


def job(**changed: Any) -> Job:
    """A good job with some keys changed."""
    return Job.from_dict({**GOOD, **changed})


def test_frozen() -> None:
    made = job()
    with pytest.raises(ValidationError):
        made.seed = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        made.columns["age"] = made.columns["zip"]  # type: ignore[index]
    with pytest.raises(ValidationError):
        made.columns["age"].limit = 1
    with pytest.raises(TypeError):
        made.columns["age"].hierarchy["intervals"]["widths"] = (1,)  # type: ignore[index]
    assert made.columns["age"].hierarchy == {"intervals": {"widths": (5, 10)}}


def test_what_was_given_can_change_without_effect() -> None:
    given = {"age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}}}
    made = job(columns=given)
    given["age"]["hierarchy"]["intervals"]["widths"].append(7)  # type: ignore[index]
    assert made.columns["age"].hierarchy == {"intervals": {"widths": (5, 10)}}


def test_equal_by_value_wherever_it_came_from(tmp_path: Path) -> None:
    path = tmp_path / "job.yaml"
    path.write_text(job().to_yaml())
    assert Job.from_file(path) == job()
    assert Job.from_file(path).base == tmp_path
    assert job().base == Path()
    assert job(seed=1) != job()
    assert job() != GOOD


def test_short_forms_mean_the_same() -> None:
    assert job(data=["people.csv"]) == job(data={"source": "people.csv"}) == job()
    assert job(search={"auto": {}}) == job(search={"auto": None}) == job(search="auto") == job()
    assert job(models=["k_anonymity:k=5"]) == job()
    assert job(suppress="0.02") == job(suppress=0.02) == job(suppress=Decimal("0.020"))
    assert job(suppress="5") == job(suppress=5)
    columns = [
        {"zip": {"role": "quasi", "hierarchy": spec}} for spec in ("mask", "mask:", {"mask": {}}, {"mask": None})
    ]
    assert all(job(columns=each) == job(columns=columns[0]) for each in columns)


def test_what_is_usual_is_left_out() -> None:
    usual = {
        "nulls": "extended",
        "order": "sorted",
        "suppress": 0,
        "search": "auto",
        "metric": "loss",
        "seed": 0,
        "time": None,
    }
    columns = {"zip": {"role": "quasi", "hierarchy": None, "priority": 1, "limit": None, "minimum": 0}}
    assert job(columns=columns, **usual).to_dict() == {**GOOD, "columns": {"zip": {"role": "quasi"}}}


def test_columns_by_role() -> None:
    assert job().having(Role.QUASI) == ("age", "zip")
    assert job().having(Role.KEEP) == ()


@pytest.mark.parametrize(
    ("suppress", "records", "budget"),
    [
        (0, 100, 0),
        (7, 100, 7),
        (7, 3, 3),
        (0.02, 100, 2),
        (0.029, 100, 2),
        ("0.29", 100, 29),
        (0.07, 100, 7),
        (0.5, 0, 0),
        (1, 100, 1),
        ("1", 100, 1),
        ("1 record", 100, 1),
        ("20 records", 100, 20),
        (1.0, 100, 100),
        ("1.0", 100, 100),
        ("100%", 100, 100),
        ("2%", 100, 2),
        ("2.5 %", 1000, 25),
        ("0%", 100, 0),
    ],
)
def test_budget(suppress: Any, records: int, budget: int) -> None:
    made = job(suppress=suppress)
    assert made.budget(records) == budget
    for form in ("to_yaml", "to_json", "to_xml"):
        assert Job.from_text(getattr(made, form)()).suppress == made.suppress
    assert suppression(spell_suppression(made.suppress)) == made.suppress


@pytest.mark.parametrize("suppress", [1.5, "1.5", "101%", "2%%", "1 records of", -1, "-1", "1e0%", "", True, [1]])
def test_no_limit(suppress: Any) -> None:
    with pytest.raises(JobError, match="suppress: it must be a share of the records") as refused:
        job(suppress=suppress)
    assert "\n" not in refused.value.faults[0].what


@given(st.integers(1, 999), st.integers(0, 10**15))
def test_a_share_is_exact(thousandths: int, records: int) -> None:
    share = f"0.{thousandths:03}"
    assert job(suppress=share).budget(records) == thousandths * records // 1000
    assert job(suppress=float(share)).budget(records) == thousandths * records // 1000


def test_a_share_with_many_digits_survives() -> None:
    share = "0.333333333333333333333333333333"
    made = job(suppress=share)
    assert made.suppress == Decimal(share)
    assert made.to_dict()["suppress"] == share


def test_columns_that_the_data_lack_are_told_at_once() -> None:
    job().check_columns(["zip", "age", "disease", "name", "more"])
    with pytest.raises(JobError) as caught:
        job().check_columns(["ages", "disease", "zip"])
    assert [str(fault) for fault in caught.value.faults] == [
        "columns.age: the data have no such column; did you mean 'ages'?",
        "columns.name: the data have no such column; the columns are 'ages', 'disease', 'zip'",
    ]


def test_the_ladder_of_a_column_has_its_losses() -> None:
    ladder = hierarchies.build(job().columns["age"].spec("age"), pa.array([1, 7, 12]), "age")
    assert ladder.losses == (0, 0.2, 0.5, 1)
    assert hierarchies.build(job().columns["zip"].spec("zip"), pa.array(["a"]), "zip").height == 1


@pytest.mark.parametrize(
    ("location", "seen"),
    [
        ("a.csv", "folder/a.csv"),
        ("../a.csv", "folder/../a.csv"),
        ("/a.csv", "/a.csv"),
        ("sqlite:///a.db", "sqlite:///folder/a.db"),
        ("sqlite:////a.db", "sqlite:////a.db"),
        ("postgresql://host/base", "postgresql://host/base"),
    ],
)
def test_paths_begin_at_the_folder_of_the_job(location: str, seen: str) -> None:
    assert Job.from_dict(GOOD, "folder").located(location) == seen


def test_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = Job.from_dict({**GOOD, "output": {"to": "release.csv", "record": "r.json"}}, "folder")
    assert given.changed() == given
    other = given.changed("other.csv", replace=True, time=3)
    assert other.output is not None
    assert (other.output.replace, other.output.record, other.time) == (True, "r.json", 3)
    assert other.located(other.output.to) == str(tmp_path / "other.csv")
    assert other.located("people.csv") == "folder/people.csv"


@pytest.mark.parametrize("output", [None, "out.csv", {"to": "out.csv", "record": "r.json"}])
def test_a_file_with_changes_is_the_changed_job(output: Any, tmp_path: Path) -> None:
    (tmp_path / "job.json").write_text(json.dumps({**GOOD, "output": output}))
    for changes in (Changes(), Changes("other.csv"), Changes(replace=True), Changes("other.csv", True, 3)):
        at_once = Job.from_file(tmp_path / "job.json", changes)
        assert at_once == Job.from_file(tmp_path / "job.json").changed(changes.output, changes.replace, changes.time)
        assert (at_once.base, at_once.file) == (tmp_path, tmp_path / "job.json")


def test_faults_of_changes_name_the_option_and_no_line(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text("output: out.csv\ntime: -2\ncolumns: {a: {role: quasi}}\nmodels: []\n")
    with pytest.raises(JobError) as refused:
        Job.from_file(tmp_path / "job.yaml", Changes("bad\0name.csv", time=-1))
    assert str(refused.value).splitlines()[1:] == [
        "--output: it contains a character that files do not support; remove it, or rename the file",
        "--time: it must be 0 or more",
        "line 4: models: there is no privacy model; add one, such as k_anonymity:k=5",
    ]
    with pytest.raises(JobError, match=r"(?m)^output\.to: it contains a character"):
        job().changed("bad\0name.csv")


def test_without_output_it_can_be_given_one() -> None:
    given = job(output=None)
    assert given.output is None
    changed = given.changed("postgresql://host/base")
    assert changed.output is not None
    assert changed.output.to == "postgresql://host/base"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.yaml", None, "there is no such file"),
        ("job.yaml", "größe".encode("latin-1"), "it is not in UTF-8"),
        (".", None, "the ending of a job file is ''; it may be .yaml, .yml, .json, .xml"),
        ("job.toml", b"", "the ending of a job file is '.toml'"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises((SourceError, UsageError), match=words):
        Job.from_file(path)


def test_a_byte_order_mark_is_no_part_of_the_job(tmp_path: Path) -> None:
    for suffix, text in ((".yaml", job().to_yaml()), (".json", job().to_json()), (".xml", job().to_xml())):
        path = tmp_path / f"job{suffix.upper()}"
        path.write_text(text, encoding="utf-8-sig")
        assert Job.from_file(path) == job()
