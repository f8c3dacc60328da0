"""Uploads whose first line is a record: stored, but read only once somebody says what the line is."""

from collections.abc import Iterator

import pytest

from incrowd.service import Pool, Workspace
from service.spaces import PEOPLE, done, job_for, upload


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    space = Workspace.open(tmp_path_factory.mktemp("headers") / "space")
    with Pool(space, 1):
        yield space
    space.close()


def test_an_upload_without_a_header(space: Workspace) -> None:
    names, records = PEOPLE.split("\n")[0].split(","), PEOPLE.split("\n")[1:]
    file = upload(space, "\n".join(["Geheim,f,1003,a", *records]) + "\n").id
    for kind, request in (("inspect", {"file": file}), ("anonymize", {"job": job_for(file)})):
        run = space.wait(space.submit(kind, request).id, 300)
        assert run.state == "failed"
        assert "people.csv: the first line looks like a record" in str(run.error)
        assert "Geheim" not in str(run.error)
    found = done(space, "inspect", file=file, names=names).result
    assert (found["records"], [each["name"] for each in found["columns"]]) == (201, names)
    assert done(space, "inspect", file=file, header=False).result["columns"][0]["name"] == "column_1"
    job = job_for(upload(space, "\n".join(records) + "\n").id)
    made = done(space, "anonymize", job={**job, "data": {"source": job["data"], "names": names}})
    assert made.result["smallest"] >= 5
    assert done(space, "measure", original=job["data"], names=names, releases=[made.id]).result


def test_a_first_line_that_may_be_a_record_is_not_quoted(space: Workspace) -> None:
    file = upload(space, "".join(f"{each},{each}-Gasse,{each} Stadt\n" for each in ("Geheim", *"ABCDEFGH"))).id
    for kind, request in (
        ("diagnose", {"file": file, "quasi": ["age"]}),
        ("hierarchy", {"file": file, "column": "age"}),
        ("anonymize", {"job": job_for(file)}),
    ):
        run = space.wait(space.submit(kind, request).id, 60)
        assert run.state == "failed"
        assert "incrowd inspect" in str(run.error)
        assert "Geheim" not in str(run.error)


def test_an_upload_with_a_name_twice_is_read_with_other_names(space: Workspace) -> None:
    file = upload(space, "age,age\n1,f\n2,m\n").id
    told = done(space, "inspect", file=file).result
    assert [each["name"] for each in told["columns"]] == ["age", "age (2)"]
    assert [each["assumed"] for each in told["noticed"]] == ["it is numbered"]
    found = done(space, "inspect", file=file, header=True, names=["age", "sex"]).result
    assert found["records"] == 2


def test_columns_are_read_as_every_request_says(space: Workspace) -> None:
    text = ",born,q\n" + "".join(f"{at},0{1 + at % 2}/04/2021,{(1, 2, 3, 9)[at % 4]}\n" for at in range(40))
    file = upload(space, text).id
    read = {"file": file, "normalize": {"born": "day_first"}, "missing_in": {"q": [9]}}
    told = done(space, "inspect", **read).result
    assert {each["what"] for each in told["noticed"] if each["set_by"]} == {
        "dates are read day first: 03/04/2021 is 2021-04-03",
        "'9' is read as missing",
    }
    assert told["columns"][2]["missing"] == 10
    shown = done(space, "hierarchy", column="born", show_values=True, **read).result
    assert {row[0] for row in shown["rows"]} == {"2021-04-01", "2021-04-02"}
    drafted = done(space, "init", **read).result["job"]["columns"]
    assert (drafted["born"]["normalize"], drafted["q"]["missing"]) == (["day_first"], ["9"])
    assert drafted["column_1"] == {"role": "identifier"}


def test_fixed_widths(space: Workspace) -> None:
    file = upload(space, " 34f\n 35m\n", "people.txt").id
    assert done(space, "inspect", file=file, widths=[3, 1], header=False).result["records"] == 2
