"""No record value is in an external report, whatever the values, the models and the search."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.reports import Report
from reports.releases import released, written

MARK = "canary"
COLUMNS: dict[str, Any] = {
    "who": {"role": "identifier"},
    "street": {"role": "quasi", "hierarchy": {"mask": {"steps": [2, 4]}}},
    "size": {"role": "quasi"},
    "illness": {"role": "sensitive"},
    "wage": {"role": "sensitive"},
    "note": {"role": "keep"},
}


def rows_of(numbers: list[int]) -> list[dict[str, Any]]:
    """Records all of whose cells are marked; numbers are nine digits long."""
    return [
        {
            "who": f"{MARK}-who-{at}",
            "street": f"{MARK}{number % 7:03}",
            "size": 700_000_007 + 1_000_003 * (number % 5),
            "illness": f"{MARK}ill{number % 3}",
            "wage": 300_000_007 + 1_000_003 * (number % 11),
            "note": f"{MARK}note{at}",
        }
        for at, number in enumerate(numbers)
    ]


def forms_of(report: Report) -> str:
    """Everything that the report could be written as."""
    return "\n".join([report.to_html(), report.to_markdown(), json.dumps(report.to_dict(), ensure_ascii=False)])


def refuse_values(text: str, rows: list[dict[str, Any]]) -> None:
    assert MARK not in text.lower()
    numbers = {str(row[name]) for row in rows for name in ("size", "wage")}
    assert [number for number in numbers if number in text or f"{int(number):,}" in text] == []


MODELS = [
    ["k_anonymity:k=2"],
    ["k_anonymity:k=2", "distinct_l:l=1,column=illness"],
    [
        {
            "t_closeness": {
                "t": 1.0,
                "column": "illness",
                "distance": "ordered",
                "order": [f"{MARK}ill{n}" for n in range(3)],
            }
        }
    ],
    [{"range_diversity": {"p": 1.0, "column": "wage", "ranges": [[300_000_007, 305_000_022]]}}],
]


@settings(max_examples=6)
@given(st.lists(st.integers(0, 400), min_size=4, max_size=30), st.sampled_from(MODELS), st.booleans())
def test_releases(tmp_path_factory: pytest.TempPathFactory, numbers: list[int], models: list[Any], local: bool) -> None:
    folder, rows = tmp_path_factory.mktemp("canaries"), rows_of(numbers)
    columns = {**COLUMNS, "street": {"role": "quasi"}} if local else COLUMNS
    search = {"search": "mondrian"} if local else {}
    made = released(folder, rows, columns=columns, models=models, suppress=len(rows), **search)
    refuse_values(forms_of(incrowd.report(made, "external")), rows)
    refuse_values(forms_of(incrowd.report(folder / "release.csv", "external")), rows)
    # The test would see a value: the internal report has some, wherever records are published.
    assert not made.manifest.data.records or MARK in incrowd.report(made).to_markdown().lower()


@pytest.mark.parametrize(
    ("models", "settings"),
    [
        (["t_closeness:t=0.9,column=illness,distance=hierarchical"], {}),
        (["personal_breach:p=0.7,column=illness,guard=asks", "k_anonymity:k=2"], {"search": "personalized"}),
        (["consistent_k:k=3"], {"search": "consistent"}),
        (["k_map:k=2"], {"population": "population.csv"}),
        (["k_anonymity:k=3"], {"search": "local_suppression:wiped=anything"}),
        (["k_anonymity:k=3"], {"search": "set_partitioning"}),
        (["k_anonymity:k=3"], {"search": "k_members"}),
    ],
)
def test_hierarchies_guards_and_populations(tmp_path: Path, models: list[str], settings: dict[str, Any]) -> None:
    guarded = [{**row, "asks": f"{MARK}node0" if at % 13 == 0 else ""} for at, row in enumerate(rows_of([*range(80)]))]
    nodes = "".join(f"{MARK}ill{at},{MARK}node{at // 2},*\n" for at in range(3))
    (tmp_path / "illness.csv").write_text(nodes, "utf-8")
    columns = {
        **COLUMNS,
        "illness": {"role": "sensitive", "hierarchy": str(tmp_path / "illness.csv")},
        "asks": {"role": "drop"},
    }
    if "population" in settings:
        settings = {"population": str(written(tmp_path, guarded * 2).rename(tmp_path / "population.csv"))}
    released(tmp_path, guarded, columns=columns, models=models, suppress=0.6, **settings)
    text = forms_of(incrowd.report(tmp_path / "release.csv", "external"))
    refuse_values(text, guarded)
    assert [name for name in ("illness.csv", "population.csv", str(tmp_path)) if name in text] == []


def test_anatomy(tmp_path: Path) -> None:
    rows = rows_of(list(range(60)))
    columns = {name: each for name, each in COLUMNS.items() if name != "wage"}
    columns["street"] = {"role": "quasi"}
    released(tmp_path, rows, columns=columns, models=["frequency_l:l=3,column=illness"], search="anatomy")
    refuse_values(forms_of(incrowd.report(tmp_path / "release.csv", "external")), rows)


def test_diagnosis(tmp_path: Path) -> None:
    rows = rows_of(list(range(40)))
    path = written(tmp_path, rows)
    refuse_values(forms_of(incrowd.report(path, "external")), rows)
    refuse_values(forms_of(incrowd.report(incrowd.diagnose(path).ask(k=2), "external")), rows)


def test_comparison(tmp_path: Path) -> None:
    rows = rows_of(list(range(60)))
    released(tmp_path, rows, columns=COLUMNS)
    found = incrowd.measure(tmp_path / "rows.csv", tmp_path / "release.csv", metrics=["-classifier_accuracy"])
    text = forms_of(incrowd.report(found, "external"))
    refuse_values(text, rows)
    assert str(tmp_path) not in text


def test_paths_and_what_is_not_published_stay_inside(tmp_path: Path) -> None:
    rows = rows_of(list(range(60)))
    released(tmp_path, rows, columns=COLUMNS)
    outside = forms_of(incrowd.report(tmp_path / "release.csv", "external"))
    assert str(tmp_path) not in outside
    assert "rows.csv" not in outside
    facts = incrowd.report(tmp_path / "release.csv", "external").to_dict()
    private = ("risk_before", "not_published", "job")
    assert [facts[name] for name in private] == [None, None, None]
    assert facts["details"] == []
    assert all(column["before"] is None and column["after"] is None for column in facts["columns"])


def test_an_external_report_needs_no_record(tmp_path: Path) -> None:
    released(tmp_path)
    with_record = incrowd.report(tmp_path / "release.csv", "external").to_dict()
    (tmp_path / "release.csv.record.json").unlink()
    (tmp_path / "rows.csv").unlink()
    assert incrowd.report(tmp_path / "release.csv", "external").to_dict() == with_record
