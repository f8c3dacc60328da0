"""JSON: the same as YAML, with lines."""

from pathlib import Path

import pytest

from incrowd.jobs import json_file
from jobs.faulty import told


def test_lines(tmp_path: Path) -> None:
    text = """\
    {
      "columns": {
        "age": {"role": "quasi",
                "priority": 0},
        "sex": {"role": "quasi"},
        "age": {"role": "keep"}
      },
      "models": [
        {"k_anonymity": {"k": 5}},
        {"k_anonymity":
           {"k": "five"}}
      ],
      "sed": 3
    }
    """
    assert told(tmp_path, text, ".json") == [
        (4, "columns.age.priority", "it must be greater than 0"),
        (6, "columns.age", "written twice"),
        (10, "models[2]", "k of k_anonymity is 'five'"),
        (13, "sed", "there is no such key"),
    ]


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("{\n'a': 1}", 2), ('{"a": 1,\n}', 2), ("{} {}", 1), ('{"a": "\n"}', 1)]
)
def test_no_json(tmp_path: Path, text: str, line: int) -> None:
    [(at, where, what)] = told(tmp_path, text, ".json")
    assert (at, where) == (line, "")
    assert what.startswith("this is not valid JSON: ")


@pytest.mark.parametrize("text", ['{"seed": NaN}', '{"seed": Infinity}', '{"seed": ' + "9" * 5000 + "}"])
def test_no_numbers(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text, ".json") == [(None, "", "it contains a number that is invalid or too long")]


def test_nested_too_deeply(tmp_path: Path) -> None:
    assert told(tmp_path, "[" * 100_000, ".json") == [(None, "", "it is nested too deeply")]


def test_everything_that_json_has() -> None:
    text = '{"a": [1, -2.5e3, true, false, null, "\\u00e9\\ud83d\\ude00\\"\\\\/", [], {}], "b": {"c": "{[,:]}"}}'
    written = json_file.read(text, "job")
    assert written.plain == {
        "a": [1, -2500.0, True, False, None, 'é\N{GRINNING FACE}"\\/', [], {}],
        "b": {"c": "{[,:]}"},
    }


def test_values_are_texts_however_they_look() -> None:
    text = '{"data": {"missing": [99, 1.50, null, "x"]}, "seed": 99}'
    assert json_file.read(text, "job").plain == {"data": {"missing": ["99", "1.50", "null", "x"]}, "seed": 99}
