"""YAML: what it would do silently is refused or told; what looks like something else stays a text."""

from pathlib import Path

import pytest
import yaml

from incrowd.jobs import Job, yaml_file
from incrowd.jobs.families import SEARCHES
from jobs.faulty import told

JOB = "models: [{k_anonymity: {k: 5}}]\n"


def read(folder: Path, text: str) -> Job:
    """The job of a YAML text."""
    path = folder / "job.yaml"
    path.write_text(text, encoding="utf-8")
    return Job.from_file(path)


def test_the_shape_that_everybody_writes(tmp_path: Path) -> None:
    text = """\
data: {source: patients.csv, missing: ['?'], delimiter: ;}
output: release.csv
population: everybody.csv
nulls: basic
columns:
  age: {role: quasi, hierarchy: {intervals: {widths: [5, 10, 20]}}, losses: [0, 0, 0, 0.5, 1], priority: 2, limit: 3}
  zip: {role: quasi, hierarchy: {mask: {from: right}}, minimum: 1}
  country: {role: quasi, hierarchy: country.csv}
  disease: {role: sensitive, hierarchy: disease.csv}
  visits: {role: keep}
  name: {role: identifier}
models:
  - {k_anonymity: {k: 5}}
  - {t_closeness: {t: 0.2, column: disease, distance: hierarchical}}
suppress: 0.02
search: {samarati: {prefer: relative}}
metric: height
time: 60
seed: 7
"""
    job = read(tmp_path, text)
    assert job.to_yaml() == text
    assert job.base == tmp_path


def test_names_of_columns_are_texts_however_they_look(tmp_path: Path) -> None:
    names = ["no", "yes", "on", "12", "010", "1.50", "null", "~", "true", "2020-01-01", "1:30", "0x1f", "="]
    job = read(tmp_path, JOB + "columns:\n" + "".join(f"  {name}: {{role: quasi}}\n" for name in names))
    assert list(job.columns) == names


def test_values_are_texts_however_they_look(tmp_path: Path) -> None:
    text = """\
data: {source: t.csv, missing: [99, 1.0, no, null, 010]}
columns:
  zip: {role: quasi, hierarchy: {tree: {groups: {1: [010, 011], no: [on, 1.50, true]}}}}
  size: {role: sensitive}
models: [{t_closeness: {t: 0.1, column: size, distance: ordered, order: [1, 2.0, yes]}}]
"""
    job = read(tmp_path, text)
    assert job.data is not None
    assert job.data.missing == ("99", "1.0", "no", "null", "010")
    assert job.columns["zip"].hierarchy == {"tree": {"groups": {"1": ("010", "011"), "no": ("on", "1.50", "true")}}}
    assert job.models[0].order == ("1", "2.0", "yes")  # type: ignore[attr-defined]


def test_words_of_older_yaml_are_texts(tmp_path: Path) -> None:
    assert yaml.safe_load("no") is False
    written = yaml_file.read("[no, 010, 1_000, 1:30, 2020-01-01, .5, 1e3, 12, true, null]", "job")
    assert written.plain == ["no", "010", "1_000", "1:30", "2020-01-01", 0.5, 1000.0, 12, True, None]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            "columns:\n  a: {role: quasi}\n  b: {role: keep}\n  a: {role: drop}\nmodels: [{k_anonymity: {k: 5}}]\n",
            [(4, "columns.a", "written twice")],
        ),
        ("seed: 1\nseed: 2\n" + JOB + "columns: {a: {role: quasi}}", [(2, "seed", "written twice")]),
        (
            "columns: !!python/object:os.system {a: {role: quasi}}\n" + JOB,
            [(1, "columns", "a job is plain data"), (1, "columns", "it must be a mapping: columns")],
        ),
        (
            "columns: {a: {role: !secret quasi}}\n" + JOB,
            [(1, "columns.a.role", "a job is plain data"), (1, "columns.a.role", "it must be 'identifier'")],
        ),
        (
            "columns:\n  a: {role: quasi}\n  <<: {b: {role: keep}}\n" + JOB,
            [(3, "columns", "merge keys (<<) are not supported")],
        ),
        (
            "columns:\n  a: {role: quasi}\n  ? [x]\n  : {role: keep}\n" + JOB,
            [(3, "columns", "a key is not text")],
        ),
        (
            "columns:\n  a: {role: quasi}\n  ?\n  : {role: keep}\n" + JOB,
            [(3, "columns.''", "a column has no name")],
        ),
        (
            "columns: {a: {role: quasi}}\nseed: !!int x\n" + JOB,
            [(2, "seed", "its value does not fit its tag"), (2, "seed", "it must be a whole number")],
        ),
    ],
)
def test_refused(tmp_path: Path, text: str, faults: list[tuple[int, str, str]]) -> None:
    assert told(tmp_path, text) == faults


def test_both_lines_of_a_repeated_key_are_told(tmp_path: Path) -> None:
    text = "columns:\n  a: {role: quasi}\n  a: {role: quasi, limit: -1}\n" + JOB
    with pytest.raises(Exception, match=r"line 3: columns\.a: written twice, first on line 2; keep one"):
        read(tmp_path, text)


def test_aliases_may_repeat_parts(tmp_path: Path) -> None:
    text = JOB + "columns:\n  a: &plain {role: quasi, hierarchy: mask}\n  b: *plain\n"
    job = read(tmp_path, text)
    assert job.columns["a"] == job.columns["b"]
    assert "&" not in job.to_yaml()


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, 12)]
    [(line, _, what)] = told(tmp_path, "\n".join(levels))
    assert what.startswith("aliases (*) repeat more than")
    assert line is not None


def test_an_alias_inside_itself_is_refused(tmp_path: Path) -> None:
    assert told(tmp_path, "columns: &all\n  a: *all\n") == [(1, "", "an alias (*) is inside the part it repeats")]


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: b: c", 1), ("columns:\n  a: [1, 2\nb: 3", 3), ("a: 1\n---\nb: 2", 2), ("x:\n\t- 1", 2), ("a: 'x", 1)],
)
def test_no_yaml(tmp_path: Path, text: str, line: int) -> None:
    [(at, where, what)] = told(tmp_path, text)
    assert (at, where) == (line, "")
    assert what.startswith("this is not valid YAML: ")


def test_characters_that_yaml_cannot_hold(tmp_path: Path) -> None:
    assert told(tmp_path, "a: \x01") == [(None, "", "it contains characters that YAML does not allow")]


def test_nested_too_deeply(tmp_path: Path) -> None:
    assert told(tmp_path, "[" * 5000) == [(None, "", "it is nested too deeply")]


def test_notes_become_comments() -> None:
    text = yaml_file.write(
        {"data": "a", "columns": {"a b": {"role": "quasi"}}}, {"data": "one\ntwo", "columns.a b": "x"}
    )
    assert text == "# one\n# two\ndata: a\ncolumns:\n  # x\n  a b: {role: quasi}\n"


def test_what_is_too_wide_for_a_line_is_written_in_blocks() -> None:
    groups = {f"group {at}": [f"value {at} {number}" for number in range(9)] for at in range(9)}
    plain = {"columns": {"a": {"role": "quasi", "hierarchy": {"tree": {"groups": groups}}}}}
    text = yaml_file.write(plain)
    assert max(map(len, text.splitlines())) < 80
    assert yaml.safe_load(text) == plain


def test_options_that_are_enumerations_are_written_as_text() -> None:
    spelled = "local_suppression:wiped=anything"
    plain = SEARCHES.to_plain(SEARCHES.member(spelled))
    assert SEARCHES.spell(SEARCHES.member(plain)) == spelled
    assert "wiped: anything" in yaml_file.write({"search": plain})
