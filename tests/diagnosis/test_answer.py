"""Answers as a sentence, as text, as frames and as JSON; the rows that have to go; answers too long to list."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import QUESTIONS, all_sets, class_sizes, gone_for, judged, k_of, opened, small_tables
from incrowd import FIND
from incrowd.diagnosis import lattice
from incrowd.diagnosis.answer import Answer
from incrowd.errors import UsageError
from strategies import Row
from worked_example import COLUMNS, ROWS

ASKED: dict[str, dict[str, Any]] = {
    "Q1": {"k": 3, "quasi": ["W", "X"]},
    "Q2": {"quasi": ["V"]},
    "Q3": {"k": 3},
    "Q4": {},
    "Q5": {"k": 3, "quasi": ["V"], "suppress": 0.2},
    "Q6": {"quasi": ["V"], "suppress": "0.5"},
    "Q7": {"k": 2, "suppress": 0.2},
    "Q8": {"suppress": 0.2},
    "Q9": {"k": 3, "quasi": ["V"], "suppress": FIND},
    "Q10": {"k": 3, "suppress": "find"},
    "Q11": {"quasi": ["V"], "suppress": FIND},
    "Q12": {"suppress": FIND},
}
FIELDS = {
    "Q4": {"quasi": list, "k": int},
    "Q8": {"quasi": list, "k": int},
    "Q9": {"suppress": float, "suppressed": int, "remaining": int},
    "Q10": {"quasi": list, "suppress": float, "suppressed": int},
    "Q11": {"k": int, "suppress": float, "suppressed": int},
    "Q12": {"quasi": list, "k": int, "suppress": float, "suppressed": int},
}
SENTENCES = {
    "Q1": "Yes: every combination of {W, X} occurs at least 3 times.",
    "Q2": "k = 2 for {V}: every combination occurs at least 2 times.",
    "Q3": "2 largest sets of columns can be published with k >= 3, and so can every subset of them.",
    "Q4": "Of 31 sets of columns 13 keep k above 1.",
    "Q5": "Yes: with at most 20.0% of the records suppressed, every combination of {V} occurs at least 3 times.",
    "Q6": "With at most 50.0% of the records suppressed, k = 7 for {V}: every combination occurs at least 7 times.",
    "Q7": "3 largest sets of columns can be published with k >= 2 with at most 20.0% of the records suppressed, "
    "and so can every subset of them.",
    "Q8": "Of 31 sets of columns 22 keep k above 1 with at most 20.0% of the records suppressed.",
    "Q9": "2 records (16.7%) must be suppressed for k = 3 with {V}; 10 remain.",
    "Q10": "11 sets of columns reach k = 3 without suppression; the rest as listed.",
    "Q11": "{V} has k = 2 without suppression; for k = 8 no record would remain.",
    "Q12": "Suppression needed for each set of columns and each k up to 50, until no record remains.",
}


def asked(question: str, rows: Sequence[Row] = ROWS, nulls: str = "extended", **more: Any) -> Answer:
    return opened(rows, COLUMNS, nulls).ask(**(ASKED[question] | more))


def typed(value: Any, fields: dict[str, type]) -> bool:
    """Whether a dict has exactly these fields, of exactly these types."""
    return {name: type(cell) for name, cell in value.items()} == fields


@pytest.mark.parametrize("question", QUESTIONS)
def test_json_has_every_field_and_plain_types(question: str) -> None:
    answer = asked(question)
    plain = json.loads(json.dumps(answer.to_dict()))
    assert plain == answer.to_dict()
    assert {"question", "k", "quasi", "suppress", "answer", "evaluations", "records"} <= set(plain)
    assert plain["question"] == question
    assert plain["k"] == ASKED[question].get("k")
    assert plain["quasi"] == ASKED[question].get("quasi")
    given_share = {"0.5": 0.5, FIND: "find"}
    suppress = ASKED[question].get("suppress")
    assert plain["suppress"] == given_share.get(suppress, suppress)
    assert (plain["records"], plain["complete"], plain["stopped"]) == (12, True, None)
    assert type(plain["evaluations"]) is int
    found = plain["answer"]
    if question in ("Q1", "Q5"):
        assert type(found) is bool
    elif question in ("Q2", "Q6"):
        assert type(found) is int
    elif question in ("Q3", "Q7"):
        assert all(type(name) is str for names in found for name in names)
    elif question == "Q9":
        assert typed(found, FIELDS["Q9"])
    else:
        assert found
        assert all(typed(row, FIELDS[question]) for row in found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_sentence(question: str) -> None:
    assert asked(question).sentence == SENTENCES[question]


@pytest.mark.parametrize("question", QUESTIONS)
def test_text_is_the_sentence_and_a_table(question: str) -> None:
    answer = asked(question)
    sentence, _, table = str(answer).partition("\n\n")
    assert sentence == answer.sentence
    assert bool(table) == isinstance(answer.answer, list)
    assert all(line == line.rstrip() for line in str(answer).splitlines())
    if question == "Q12":
        assert "... and " in table


@pytest.mark.parametrize("question", QUESTIONS)
def test_frames_hold_what_is_answered(question: str) -> None:
    answer = asked(question)
    from_polars = answer.to_polars().to_dicts()
    assert from_polars == answer.to_pandas().to_dict("records") == answer.to_rows()
    if isinstance(answer.answer, list):
        assert [row if isinstance(row, dict) else {"quasi": row} for row in answer.answer] == from_polars
    else:
        assert len(from_polars) == 1


@pytest.mark.parametrize("question", [*QUESTIONS])
@pytest.mark.parametrize("nulls", ["extended", "basic"])
def test_a_table_without_records_is_answered_in_every_form(question: str, nulls: str) -> None:
    answer = asked(question, [], nulls)
    assert answer.records == 0
    assert answer.sentence == "The table has no records, so k is 0."
    assert str(answer).startswith(answer.sentence)
    json.dumps(answer.to_dict())
    assert len(answer.to_polars()) == len(answer.to_pandas()) == len(answer.to_rows())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"k": 3, "quasi": ["V"]}, "No: 2 records (16.7%) have a combination of {V} that occurs fewer than 3 times."),
        ({"k": 2, "quasi": ["V"], "at_most": True}, "Yes: k for {V} is at most 2."),
        ({"k": 1, "quasi": ["V"], "at_most": True}, "No: k for {V} is not at most 1."),
        ({"quasi": ["V", "W"]}, "k = 1 for {V, W}: 1 record is unique."),
        ({"k": 7}, "No set of columns, not even a single column, is 7-anonymous."),
        ({"k": 6, "at_most": True}, "5 smallest sets of columns, if known to an attacker, lower k to 6 or below."),
        ({"k": 2, "quasi": ["V"], "suppress": FIND}, "No suppression is needed: {V} is already 2-anonymous."),
        (
            {"k": 8, "quasi": ["V"], "suppress": FIND},
            "All records must be suppressed: no class of {V} has 8 records.",
        ),
        (
            {"quasi": ["V"], "suppress": FIND, "up_to": 4},
            "{V} has k = 2 without suppression; the table lists the suppression needed for each k up to 4.",
        ),
    ],
)
def test_other_sentences(arguments: dict[str, Any], sentence: str) -> None:
    assert opened(ROWS, COLUMNS).ask(**arguments).sentence == sentence


def test_one_is_singular() -> None:
    rows: list[Row] = [{"a": "x"}, {"a": "y"}, {"a": "y"}]
    diagnosis = opened(rows, ["a"])
    assert "1 record (33.3%) must be suppressed" in diagnosis.ask(k=2, quasi=["a"], suppress=FIND).sentence
    assert "push k" not in diagnosis.ask(k=1, at_most=True).sentence
    assert "1 set of columns reach " not in diagnosis.ask(k=1, suppress=FIND).sentence
    assert "1 times" not in diagnosis.ask(k=1, quasi=["a"]).sentence
    basic = opened([*rows, {"a": None}], ["a"], "basic").ask(quasi=["a"])
    assert basic.sentence.endswith("1 record with a missing value was set aside.")


@pytest.mark.parametrize(
    "arguments",
    [
        {"quasi": ["a"]},
        {"k": 1, "quasi": ["a"]},
        {"k": 2, "quasi": ["a"], "suppress": FIND},
        {"quasi": ["a"], "suppress": FIND},
        {"quasi": ["a"], "suppress": 0.1},
    ],
)
def test_a_set_of_which_all_records_are_set_aside_says_so(arguments: dict[str, Any]) -> None:
    answer = opened([{"a": None, "b": "1"}] * 3, ["a", "b"], "basic").ask(**arguments)
    assert answer.set_aside == 3
    for wrong in ("at least 0 times", "No suppression", "already", "some combinations", "k up to"):
        assert wrong not in answer.sentence


def test_only_where_it_is_true_are_parts_of_a_safe_set_called_safe() -> None:
    """Basic matching: {a, b, c} is safe because the lonely records are set aside, {a, b} is not."""
    cells = [("1", "1", "1"), ("1", "1", "1"), ("1", "2", None), ("1", None, "2")]
    rows: list[Row] = [dict(zip("abc", record, strict=True)) for record in cells]
    diagnosis = opened(rows, "abc", "basic")
    assert diagnosis.ask(k=2).answer == [["a", "b", "c"]]
    assert diagnosis.k(["a", "b"]) == 1
    assert "every subset" not in diagnosis.ask(k=2).sentence
    assert "every subset" in opened(rows, "abc").ask(k=1).sentence


def test_frames_of_an_empty_list_keep_their_columns() -> None:
    answer = opened(ROWS, COLUMNS).ask(k=7)
    assert answer.answer == []
    assert answer.to_polars().columns == list(answer.to_pandas().columns) == ["quasi"]


def test_wildcards_warn() -> None:
    for nulls in ("maybe", "right_maybe"):
        assert "wildcards" in opened(ROWS, COLUMNS, nulls).ask(quasi=["V"]).sentence


def test_a_limit_on_the_size_of_sets_is_said() -> None:
    assert "Only sets of up to 2 columns were counted." in asked("Q3", max_size=2).sentence
    assert "Only sets of up to 1 column were counted." in asked("Q3", max_size=1).sentence


def test_names_cannot_play_with_the_terminal() -> None:
    name = "a\x1b[31m\nb"
    diagnosis = opened([{name: "x"}, {name: "x"}], [name])
    for arguments in ({"quasi": [name]}, {"k": 2}, {"k": 2, "quasi": [name]}, {"k": 3, "quasi": [name]}):
        text = str(diagnosis.ask(**arguments))
        assert "\x1b" not in text
        assert "a\ufffd[31m\ufffdb" in text


# The rows that have to go.

WITH_ROWS = ("Q5", "Q6", "Q9")


@pytest.mark.parametrize("nulls", ["extended", "basic"])
@settings(max_examples=60)
@given(table=small_tables(), k=st.integers(1, 5), share=st.sampled_from(["0", "0.1", "0.25", "0.5", "0.9", "1.0"]))
def test_without_the_suppressed_rows_k_is_reached(nulls: str, table: Any, k: int, share: str) -> None:
    columns, rows = table
    diagnosis = opened(rows, columns, nulls)
    complete = len(judged(rows, columns, nulls))
    sizes = class_sizes(rows, columns, nulls)
    aside = {at for at, row in enumerate(rows) if nulls == "basic" and None in row.values()}

    def left_without(gone: list[int]) -> list[Row]:
        assert gone == sorted(set(gone))
        assert aside <= set(gone)
        return [row for at, row in enumerate(rows) if at not in gone]

    def k_left(left: list[Row]) -> int:
        return int(opened(left, columns, nulls).k(list(columns)))

    for_k = diagnosis.ask(k=k, quasi=columns, suppress="find")
    left = left_without(for_k.suppressed_rows)
    assert len(left) == for_k.answer["remaining"] == complete - gone_for(sizes, k)
    assert not left or k_left(left) >= k

    reached = diagnosis.ask(quasi=columns, suppress=share)
    left = left_without(reached.suppressed_rows)
    assert k_left(left) == reached.answer == k_of(rows, columns, nulls, share)
    assert complete - len(left) <= float(share) * complete

    yes_or_no = diagnosis.ask(k=k, quasi=columns, suppress=share)
    if yes_or_no.answer:
        left = left_without(yes_or_no.suppressed_rows)
        assert k_left(left) >= k
        assert complete - len(left) <= float(share) * complete


@pytest.mark.parametrize("question", [question for question in QUESTIONS if question not in WITH_ROWS])
def test_rows_of_other_questions_are_refused(question: str) -> None:
    with pytest.raises(UsageError, match=f"rows to suppress for {question}: ") as refused:
        _ = asked(question).suppressed_rows
    assert "\n" not in str(refused.value)


def test_rows_are_refused_where_no_suppression_suffices_or_at_most_was_asked() -> None:
    diagnosis = opened(ROWS, COLUMNS)
    for at_most in (False, True):
        with pytest.raises(UsageError):
            _ = diagnosis.ask(k=3, quasi=["V"], suppress=0.1, at_most=at_most).suppressed_rows


# Answers too long to list.


def compact_values(answer: Answer, columns: Sequence[str], most: int | None) -> dict[tuple[str, ...], Any]:
    """Every set's rows, filled in by what the answer says: a set above the border is like the border."""
    listed: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in answer.answer:
        values = dict(row)
        listed.setdefault(tuple(values.pop("quasi")), []).append(values)
    border = [tuple(names) for names in answer.other_border or []]
    every = {}
    for names in all_sets(columns, most):
        below = [one for one in border if set(one) <= set(names)]
        every[names] = listed[names] if names in listed else listed[below[0]]
        assert all(listed[one] == every[names] for one in below)
    return every


@pytest.mark.parametrize("question", ["Q4", "Q8", "Q10", "Q12"])
@settings(max_examples=40)
@given(table=small_tables(fewest_rows=1), most=st.none() | st.integers(1, 5))
def test_a_compact_answer_tells_every_set(question: str, table: Any, most: int | None) -> None:
    columns, rows = table
    arguments = {**ASKED[question], "max_size": most}
    whole = opened(rows, columns).ask(**arguments)
    assert not whole.compact
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, "LISTED", 0)
        answer = opened(rows, columns).ask(**arguments)
    assert answer.compact == bool(answer.other_border)
    assert answer.complete
    assert ("too many sets to list" in answer.sentence) == answer.compact
    assert compact_values(answer, columns, most) == compact_values(whole, columns, most)
    assert len(answer.answer) <= len(whole.answer)


def test_a_compact_answer_leaves_sets_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "LISTED", 30)
    answer = asked("Q4")
    assert answer.compact
    assert answer.to_dict()["compact"] is True
    assert len(answer.answer) == answer.evaluations == 19
    assert {tuple(row["quasi"]): row["k"] for row in answer.answer}[("V", "W")] == k_of(ROWS, "VW") == 1
    assert answer.sentence.startswith("13 sets of columns keep k above 1")


def test_json_text_is_the_same_as_the_plain_data() -> None:
    answer = opened([{"größe": "1"}], ("größe",)).ask()
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert "größe" in answer.to_json()
