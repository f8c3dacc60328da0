"""Defaults and explanations of the pages."""

from typing import Any

import pytest

from incrowd.diagnosis.questions import QUESTIONS
from incrowd.families import MODELS, members
from incrowd.models import from_dict
from incrowd.text import percent
from incrowd.web.pages import table
from incrowd.web.pages.columns import _summary, _unique_kept
from incrowd.web.parts import help as helps
from incrowd.web.parts import tables, words
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.protection import GUARD, doubted, example, new_model, optional_parameters, required_parameters
from incrowd.web.result.columns import suppressed_cells
from incrowd.web.result.overview import _scores, _sentence


@pytest.mark.parametrize("name", list(words.models()))
def test_a_model_can_be_added_as_it_is_offered(name: str) -> None:
    [options] = new_model(Draft("table"), name, "disease").values()
    guard = {GUARD: "guard"} if GUARD in required_parameters(name) else {}
    assert members("models", "MODEL")[name].MODEL(**options, **guard)


@pytest.mark.parametrize("name", list(words.models()))
def test_a_model_explains_what_it_must_be_given(name: str) -> None:
    told = [part for word in words.models()[name].split() for part in word.strip(".,;:").split("-")]
    assert [parameter for parameter in required_parameters(name) if parameter not in (*told, GUARD)] == []


@pytest.mark.parametrize("name", list(words.models()))
def test_every_option_has_a_label_and_every_word_a_choice(name: str) -> None:
    module, types = MODELS.module(name), MODELS.types(name)
    options = [*required_parameters(name), *optional_parameters(name)]
    assert [option for option in options if option not in module.LABELS] == []
    choices = getattr(module, "CHOICES", {})
    assert [option for option in options if types[option] is str and option not in choices and option != GUARD] == []
    [given] = new_model(Draft("table"), name, "disease").values()
    guard = {GUARD: "guard"} if GUARD in required_parameters(name) else {}
    for option, offered in choices.items():
        for value in offered:
            if (option, value) != ("distance", "numeric"):
                assert from_dict({name: {**given, **guard, option: value}})


def inspected(distinct: int, most_frequent: int, records: int = 100) -> Draft:
    column = {"name": "disease", "distinct": distinct, "missing": 0, "most_frequent": most_frequent}
    roles = {"disease": "sensitive", "age": "quasi"}
    return Draft("table", roles=roles, inspection={"records": records, "columns": [column]})


def test_advice_can_be_followed() -> None:
    two = inspected(2, 60)
    assert new_model(two, "distinct_l", "disease") == {"distinct_l": {"l": 2, "column": "disease"}}
    assert new_model(inspected(1, 100), "p_sensitive", "disease")["p_sensitive"]["p"] == 1
    assert "no class can have 4. Choose 2 or fewer." in doubted(two, "distinct_l", {"l": 4, "column": "disease"})
    assert doubted(two, "distinct_l", {"l": 2, "column": "disease"}) == ""
    assert "60.0% of the records, more than the 50.0%" in doubted(two, "frequency_l", {"l": 2, "column": "disease"})
    assert doubted(inspected(9, 50), "frequency_l", {"l": 2, "column": "disease"}) == ""
    # Nothing is claimed of a table that was not looked at.
    assert doubted(Draft("table"), "distinct_l", {"l": 4, "column": "disease"}) == ""
    assert "no model can protect it" in example(inspected(1, 100), "disease")
    # With 60 of 100 records, 0.6 to the fifth of all classes of five.
    assert "all records of about 7.8% of the classes of 5 would have it" in example(two, "disease")


def test_a_column_of_one_value_gets_no_model() -> None:
    for draft, models in ((inspected(1, 100), 0), (inspected(2, 60), 1)):
        draft.protect()
        assert len(draft.models) == models
        draft.protect()
        assert len(draft.models) == models


def test_the_glossary_helps_as_plain_text() -> None:
    found = helps.terms()
    assert found["Drop"] == "To remove a whole column from the release."
    assert found["Pareto-optimal"].startswith("A release that no other release beats")
    assert [name for name, text in found.items() if not text.endswith(".") or set("[]*`") & set(text)] == []


def test_every_question_is_put_in_words() -> None:
    assert list(words.QUESTIONS) == [question.name for question in QUESTIONS]
    for question in QUESTIONS:
        assert ("{k}" in words.QUESTIONS[question.name]) == question.k
        assert ("{share}" in words.QUESTIONS[question.name]) == (question.suppression.value == "given")


def test_every_question_about_a_sensitive_column_is_put_in_words() -> None:
    assert list(words.SENSITIVE_QUESTIONS) == [question.name for question in QUESTIONS]
    for question in QUESTIONS:
        assert ("{bound}" in words.SENSITIVE_QUESTIONS[question.name]) == question.k
        assert ("{share}" in words.SENSITIVE_QUESTIONS[question.name]) == (question.suppression.value == "given")


def test_what_singles_out_and_is_kept_is_told() -> None:
    columns = [{"name": name, "unique_share": share, "distinct": 9} for name, share in (("weight", 0.4), ("sex", 0.0))]
    draft = Draft("f1", roles={"weight": "keep", "sex": "keep"})
    draft.inspection = {"columns": columns}
    assert _summary(draft, 10).startswith("10 records, 2 columns: 2 published unchanged.")
    assert f"makes records unique: weight ({percent(0.4)} of records). Another file that has it" in _unique_kept(draft)
    draft.inspection["columns"].append({"name": "height", "unique_share": 0.3, "distinct": 9})
    draft.roles["height"] = "keep"
    assert f"make records unique: weight ({percent(0.4)} of records), height" in _unique_kept(draft)
    draft.roles["weight"] = draft.roles["height"] = "quasi"
    assert _unique_kept(draft) == ""


def test_a_table_of_counts_begins_with_columns_that_can_be_read() -> None:
    distinct = {"born": 4000, "town": 3, "constant": 1, "sex": 2}
    draft = Draft(
        "f1",
        roles=dict.fromkeys(distinct, "quasi"),
        inspection={"columns": [{"name": name, "distinct": values} for name, values in distinct.items()]},
    )
    assert table._columns_with_fewest_values(draft) == ["town", "sex"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([1, None, 2.5], True),
        (["100.0 %", "<0.1 %", "100.0%", ">99.9%", "5,000", ""], True),
        (["2024-01-01"], False),
        (["1 column", "2 columns"], False),
        ([True, False], False),
        ([None, ""], False),
    ],
)
def test_numbers_are_to_the_right(cells: list[object], expected: bool) -> None:
    assert tables._are_numbers(cells) is expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(1.284e-05, "0.000013"), (0.0, "0"), (0.5, "0.5"), (0.12345678, "0.1235"), (1234567.8, "1,234,568"), (1e-9, "0")],
)
def test_numbers_have_no_exponent(cell: float, expected: str) -> None:
    assert tables.format_cell(cell) == expected


RESULT: dict[str, Any] = {
    "input_records": 10,
    "records": 10,
    "classes": 4,
    "smallest": 2,
    "optimal": False,
    "search": "optimal",
    "stopped": None,
    "wildcards": None,
    "heights": {"age": 3, "sex": 1},
    "details": {"wiped_by_column": {"age": 4, "sex": 0}},
}


def test_how_many_cells_of_each_column_are_wiped() -> None:
    headers, rows = suppressed_cells(RESULT)
    assert headers == ["column", "suppressed cells", "share"]
    assert rows == [["age", 4, percent(0.4)], ["sex", 0, percent(0)]]
    headers, rows = suppressed_cells({**RESULT, "details": {**RESULT["details"], "levels": {"age": 1, "sex": 0}}})
    assert headers == ["column", "suppressed cells", "share", "level of other cells", "top level"]
    assert rows == [["age", 4, percent(0.4), 1, 3], ["sex", 0, percent(0), 0, 1]]


def test_the_page_says_what_the_terminal_says() -> None:
    told = "10 records in 4 classes; every record matches at least 2, if wiped cells match anything."
    assert _sentence({**RESULT, "summary": told}) == told
    assert _sentence(RESULT) == "10 records in 4 classes."


@pytest.mark.parametrize(
    ("more", "score"),
    [
        ({"optimal": True, "metric": "loss"}, "loss"),
        ({"optimal": True}, "loss"),
        ({"optimal": True, "metric": "entropy"}, "entropy"),
        ({"search": "best_first"}, "weighted loss"),
        ({"search": "best_first", "stopped": "time"}, ""),
        ({}, ""),
    ],
)
def test_what_was_proven_names_the_score(more: dict[str, Any], score: str) -> None:
    proof = f" No release of this recoding type within the limits has a lower {score}." if score else ""
    assert _sentence({**RESULT, **more}) == f"10 records in 4 classes.{proof}"


def test_the_score_that_the_search_minimizes_is_shown() -> None:
    scores = {"loss": 0.25, "weighted_loss": 1.5}
    assert _scores({**RESULT, "search": "best_first", "metric": "loss", "scores": scores}) == {
        "information loss": percent(0.25),
        "weighted loss (minimized)": "1.5",
    }
    assert list(_scores({**RESULT, "metric": "weighted_loss", "scores": scores}))[1:] == ["weighted loss (minimized)"]
    assert list(_scores({**RESULT, "scores": scores})) == ["information loss"]
