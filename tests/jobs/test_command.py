"""The command line of a job: how names are quoted, how options become a job, and what is told about misuse."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import JobError, UsageError
from incrowd.jobs import Job, Options, job_from_options, names
from jobs.command_line import options_of
from jobs.random_jobs import ODD
from jobs.random_jobs import names as column_names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("age", "age"),
        ("two words", "two words"),
        ("-q", "-q"),
        ("a,b", '"a,b"'),
        ("a=b", '"a=b"'),
        ('5" pipe', '"5"" pipe"'),
        (" lead", '" lead"'),
        ("trail\t", '"trail\t"'),
    ],
)
def test_quoted_names(name: str, text: str) -> None:
    assert names.quoted(name) == text


@given(column_names, st.text())
def test_names_with_values_are_read_back(name: str, value: str) -> None:
    assert names.split(f"{names.quoted(name)}={value}") == (name, value)


@given(st.lists(column_names, max_size=4))
def test_lists_of_names_are_read_back(listed: list[str]) -> None:
    assert names.listed(",".join(map(names.quoted, listed))) == listed


@pytest.mark.parametrize("text", ["age", '"a=b"', '"a"b=c', "a,b=c", "=c", '"a', ""])
def test_no_name_with_a_value(text: str) -> None:
    assert names.split(text) is None


@pytest.mark.parametrize("text", ["a=b", '"a', 'a"b', '"a"b', '"a" b'])
def test_no_list_of_names(text: str) -> None:
    assert names.listed(text) is None


def test_what_people_type() -> None:
    line = """
        people.csv -q age=intervals:widths=5/10/20 -q 'sex, place' -q zip=mask -s disease=d.csv -m k_anonymity:k=5
        -m distinct_l:l=3,column=disease --keep visits,year --identifier name --drop '"a,b"' --suppress 0.02
        --search samarati:prefer=relative --metric height --priority age=2 --limit age=3 --minimum zip=1
        --losses sex=0/1 --nulls basic --order source --missing '?' --missing n/a --delimiter tab -o out.csv --replace
        --seed 3 --time 60
    """
    assert job_from_options(options_of(shlex.split(line))).to_dict() == {
        "data": {"source": "people.csv", "missing": ["?", "n/a"], "delimiter": "\t"},
        "output": {"to": "out.csv", "replace": True},
        "nulls": "basic",
        "order": "source",
        "columns": {
            "name": {"role": "identifier"},
            "age": {
                "role": "quasi",
                "hierarchy": {"intervals": {"widths": [5, 10, 20]}},
                "priority": 2,
                "limit": 3,
            },
            "sex": {"role": "quasi", "hierarchy": "proposed", "losses": [0, 1]},
            "place": {"role": "quasi", "hierarchy": "proposed"},
            "zip": {"role": "quasi", "hierarchy": "mask", "minimum": 1},
            "disease": {"role": "sensitive", "hierarchy": "d.csv"},
            "visits": {"role": "keep"},
            "year": {"role": "keep"},
            "a,b": {"role": "drop"},
        },
        "models": [{"k_anonymity": {"k": 5}}, {"distinct_l": {"l": 3, "column": "disease"}}],
        "suppress": 0.02,
        "search": {"samarati": {"prefer": "relative"}},
        "metric": "height",
        "time": 60,
        "seed": 3,
    }


def test_a_quasi_identifier_alone_has_what_the_table_proposes() -> None:
    """A job says so, since without the key its values alone suggest the hierarchy."""
    given = Options(files=["people.csv"], quasi=["age", "town=none", "zip=automatic"], model=["k_anonymity:k=2"])
    job = job_from_options(given)
    assert {name: column.hierarchy for name, column in job.columns.items()} == {
        "age": "proposed",
        "town": None,
        "zip": "automatic",
    }
    assert "-q age -q town=none -q zip=automatic" in job.to_command()
    assert job_from_options(options_of(shlex.split(job.to_command())[2:])) == job


def test_all_faults_at_once_by_the_option() -> None:
    options = Options(
        files=["people.csv"],
        quasi=["age=nothing", "a,b=mask", 'x"y', "sex"],
        keep=["sex"],
        model=["k_anonymity:k=0", "distinct_l:l=2,column=sex"],
        suppress="2.5",
        search="optimall",
        priority=["age", "agee=2", "age=high", "age=2"],
        limit=["sex=-1"],
        losses=["sex=0/low"],
        record="r.json",
        nulls="none",
        order="shuffled",
        seed=-1,
        population_table="t",
    )
    with pytest.raises(JobError, match="the command line has 18 errors:") as caught:
        job_from_options(options)
    found = {(fault.where, fault.what.split(";")[0]) for fault in caught.value.faults}
    cannot = "a name cannot be read"
    assert found == {
        ("--quasi", cannot),
        ("--keep", "column 'sex' is mentioned by --quasi already"),
        ("--quasi", "the hierarchy of column 'age' is 'nothing'"),
        ("--model", "k of k_anonymity is 0"),
        ("--model", "it judges column 'sex', which is quasi, not sensitive"),
        ("--suppress", "it must be a share of the records, as 0.02 or 2% (1.0 for all), or a number of records, as 1 "
        "or 20, or row, column, cell or none"),
        ("--search", "there is no search 'optimall'"),
        ("--priority", "it must be a column and a value, as age=2"),
        ("--priority", "no other option mentions column 'agee'"),
        ("--priority", "it must be a number"),
        ("--priority", "column 'age' has two"),
        ("--limit", "it must be 0 or more"),
        ("--losses", "it must be a number"),
        ("--output", "it is missing, and --record refers to it"),
        ("--population", "it is missing, and --population-table refers to it"),
        ("--nulls", "it must be 'extended', 'basic', 'maybe' or 'right_maybe'"),
        ("--order", "it must be 'sorted' or 'source'"),
        ("--seed", "it must be 0 or more"),
    }  # fmt: skip


def test_nothing_said() -> None:
    with pytest.raises(JobError) as caught:
        job_from_options(Options(files=["people.csv"]))
    assert [fault.where for fault in caught.value.faults] == ["--quasi", "--model"]


def test_what_begins_with_a_dash() -> None:
    job = Job.from_dict(
        {
            "data": ["-people.csv", "b.csv"],
            "output": "-o",
            "columns": {"-q": {"role": "quasi", "priority": 2}},
            "models": [{"k_anonymity": {"k": 2}}],
        }
    )
    assert job.to_command() == (
        "incrowd anonymize --quasi=-q=none -m k_anonymity:k=2 --priority=-q=2 --output=-o -- -people.csv b.csv"
    )


def test_an_option_for_everything() -> None:
    """No field of a job, and no field of the options, is left out of both."""
    fields = set(vars(Options()))
    said = "files source quasi sensitive keep identifier person drop model knows generalize suppress search metric"
    said += " priority limit minimum losses form scale domain normalize missing_in bounds nulls order wiped population"
    said += (
        " population_table population_query missing delimiter encoding header names widths prepare table query output"
    )
    said += " output_table output_delimiter replace spreadsheet_safe record mapping seed time"
    assert fields == set(said.split())


@pytest.mark.parametrize("form", ["to_command", "to_script"])
def test_a_job_without_data_has_no_command(form: str) -> None:
    job = Job.from_dict({"columns": {"a": {"role": "quasi"}}, "models": [{"k_anonymity": {"k": 2}}]})
    with pytest.raises(UsageError, match="it names no data"):
        getattr(job, form)()


@pytest.mark.parametrize("name", ODD)
def test_odd_names_alone(name: str) -> None:
    assert names.listed(names.quoted(name)) == [name]
