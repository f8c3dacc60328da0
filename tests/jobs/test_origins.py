"""Several sources, each with options of its own: in every form of a job, and what is wrong with them."""

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import JobError, UsageError
from incrowd.jobs import Job, job_from_options, origins
from jobs.command_line import options_of

MIXED = ["a.csv", {"url": "sqlite:///b.db", "table": "south"}, {"file": "c.txt", "delimiter": ";", "header": False}]


def job(data: Any, **more: Any) -> Job:
    return Job.from_dict({"data": data, "columns": {"age": {"role": "quasi"}}, "models": ["k_anonymity:k=2"], **more})


def test_the_sources_in_every_form() -> None:
    found = job({"source": MIXED, "delimiter": "|", "missing": ["?"]})
    assert found.data is not None
    assert found.data.locations == ("a.csv", "sqlite:///b.db", "c.txt")
    assert found.to_dict()["data"]["source"] == MIXED
    command = found.to_command()
    assert command.startswith(
        "incrowd anonymize a.csv --source sqlite:///b.db,table=south --source 'c.txt,delimiter=;,header=false' "
    )
    assert job_from_options(options_of(shlex.split(command)[2:])) == found
    assert '<source location="sqlite:///b.db" table="south" />' in found.to_xml()
    assert "  - url: sqlite:///b.db\n    table: south\n" in found.to_yaml()


def test_a_list_and_a_single_one_are_short_forms() -> None:
    assert job(MIXED) == job({"source": MIXED})
    one = {"url": "sqlite:///b.db", "table": "south"}
    assert job({"source": one}) == job([one])
    # What says nothing of its own is a location.
    assert job([{"file": "a.csv"}, "b.csv"]) == job(["a.csv", "b.csv"])


@pytest.mark.parametrize(
    ("data", "where", "what"),
    [
        ({"source": [{"table": "x"}]}, "data.source[1]", "give either 'file' or 'url'"),
        (
            {"source": ["a.csv", {"file": "a", "url": "b://c", "table": "x"}]},
            "data.source[2]",
            "give either 'file' or 'url'",
        ),
        ({"source": [{"file": "sqlite:///b.db", "table": "x"}]}, "data.source[1]", "a location with :// as 'url'"),
        ({"source": [{"url": "b.csv", "header": True}]}, "data.source[1]", "give a path as 'file'"),
        (
            {"source": [{"file": "a", "tabel": "x"}]},
            "data.source[1].tabel",
            "there are file, url, table, query, delimiter, encoding, header, names, widths; did you mean 'table'?",
        ),
        ({"source": [{"file": "a", "widths": [0]}]}, "data.source[1].widths[1]", "it must be 1 or more"),
        ({"source": [3]}, "data.source[1]", "it must be text"),
        (
            {"source": [{"file": "a.csv", "header": True}], "delimiter": ";"},
            "data.delimiter",
            "move it to the source it describes",
        ),
        ({"source": ["b.csv", {"file": "out.csv", "header": True}]}, "output", "choose another location"),
    ],
)
def test_what_is_wrong(data: Any, where: str, what: str) -> None:
    with pytest.raises(JobError) as caught:
        job(data, output="out.csv")
    [fault] = caught.value.faults
    assert fault.where == where
    assert what in fault.what


@pytest.mark.parametrize("text", ["", ",table=x", "a.csv,table", 'a.csv,table="x', "a.csv,=x", 'a"b.csv'])
def test_a_text_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError, match="--source"):
        origins.parse(text)


texts = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8)


@given(texts, st.dictionaries(st.sampled_from(["table", "query", "encoding"]), texts, min_size=1))
def test_what_is_spelled_is_read(location: str, options: dict[str, str]) -> None:
    described = {"url" if "://" in location else "file": location, **options}
    assert origins.parse(origins.spell(described)) == described
    assert origins.parse(origins.spell(location)) == location
