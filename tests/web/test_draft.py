"""Drafts of one table in several windows: no window undoes what another one chose."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.service import Workspace
from incrowd.web.parts.column_grid import _unsure_first
from incrowd.web.parts.draft import Draft, _merge
from incrowd.web.parts.inspected import accept_suggestions
from incrowd.web.parts.noticed import choose, settle, together, undo
from incrowd.web.parts.preparing import Preparing, _recode
from incrowd.web.parts.profile_choice import describe

NAMED = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2), max_size=4)


@given(NAMED, NAMED, NAMED)
def test_merged_by_name(before: dict[str, int], mine: dict[str, int], theirs: dict[str, int]) -> None:
    found = _merge(before, mine, theirs)
    for name in "abcd":
        expected = theirs.get(name) if mine.get(name) == before.get(name) else mine.get(name)
        assert found.get(name) == expected


def test_windows(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    first, second = Draft.load(space, "", "f1"), Draft.load(space, "", "f1")
    changes: list[tuple[Draft, dict[str, Any]]] = [
        (first, {"k": 7, "roles": {"age": "quasi"}}),
        (second, {"suppress": 0.1, "roles": {"sex": "keep"}}),
        (first, {"metric": "entropy"}),
    ]
    for draft, change in changes:
        for name, value in change.items():
            setattr(draft, name, value)
        draft.keep(space, "")
    found = Draft.load(space, "", "f1")
    assert (found.k, found.suppress, found.metric) == (7, 0.1, "entropy")
    assert found.roles == {"age": "quasi", "sex": "keep"}
    # A choice that is taken back here is gone, also where the other window still has it.
    second.keep(space, "")
    assert Draft.load(space, "", "f1").metric == "entropy"
    first.roles = {}
    first.keep(space, "")
    assert Draft.load(space, "", "f1").roles == {"sex": "keep"}
    space.close()


def _protected(draft: Draft) -> list[str]:
    return [each["distinct_l"]["column"] for each in draft.job()["models"] if "distinct_l" in each]


def test_every_sensitive_column_has_a_model_until_it_is_taken_away() -> None:
    """Also where the page that lists the models was never opened."""
    draft = Draft("f1", roles={"age": "quasi", "disease": "sensitive"})
    assert _protected(draft) == ["disease"]
    draft.roles["income"] = "sensitive"
    assert _protected(draft) == ["disease", "income"]
    draft.models.pop(0)
    assert _protected(draft) == ["income"]
    draft.roles["income"] = "drop"
    assert _protected(draft) == []
    draft.roles["income"] = "sensitive"
    assert _protected(draft) == ["income"]


def test_numbers_that_are_nearly_all_different_get_ranges() -> None:
    ranges = {"p": 0.5, "ranges": [[0, 9], [10, 20]], "domain": [0, 20]}
    draft = Draft("f1", roles={"age": "quasi", "pay": "sensitive", "ill": "sensitive"})
    draft.inspection = {"columns": [], "ranges": {"pay": ranges}}
    found = draft.job()["models"]
    assert found[1:] == [{"range_diversity": {**ranges, "column": "pay"}}, {"distinct_l": {"l": 2, "column": "ill"}}]
    assert Job.from_dict(draft.job()).models


def test_a_draft_from_before_models_were_counted(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    known = {"file": "f1", "roles": {"age": "quasi", "disease": "sensitive"}}
    for models, expected in ((None, 2), ([{"entropy_l": {"l": 3, "column": "disease"}}], 3)):
        space.notes("").put("draft-f1", {**known, "models": models})
        [model] = Draft.load(space, "", "f1").job()["models"][1:]
        [options] = model.values()
        assert options["l"] == expected
    space.close()


def test_merged_spellings_are_in_the_job_of_what_is_counted() -> None:
    roles = {"town": "quasi", "ill": "sensitive", "ward": "keep"}
    draft = Draft("f1", roles=roles, normalize={name: ["case"] for name in roles})
    columns = draft.job()["columns"]
    assert [columns[name].get("normalize") for name in roles] == [["case"], ["case"], None]


def test_people_only_where_a_column_tells_them() -> None:
    chosen: dict[str, Any] = {"knows": "2", "suppress_of": "people", "suppress_whole": True, "suppress": 0.1}
    told = Draft("f1", roles={"age": "quasi", "patient": "person"}, **chosen).job()
    assert (told["knows"], told["suppress"]) == ("2", {"share": 0.1, "of": "people", "whole": True})
    untold = Draft("f1", roles={"age": "quasi", "patient": "identifier"}, **chosen).job()
    assert (untold.get("knows"), untold["suppress"]) == (None, 0.1)
    # A quasi-identifier may tell the person too.
    assert "knows" in Draft("f1", roles={"age": "quasi"}, also_person={"age": True}, **chosen).job()


def test_a_quasi_identifier_may_tell_the_person_too() -> None:
    draft = Draft("a-file", roles={"name": "person", "born": "quasi", "town": "quasi"}, also_person={"born": True})
    assert draft.person == ["name", "born"]
    assert draft.job()["columns"]["born"] == {"role": "quasi", "person": True}
    draft.roles["born"] = "drop"
    assert draft.person == ["name"]
    assert draft.job()["columns"]["born"] == {"role": "drop"}


def suggestions(**roles: str) -> dict[str, Any]:
    """An inspection that suggests these roles."""
    return {"columns": [{"name": name, "role": role, "person": False} for name, role in roles.items()]}


def test_roles_that_were_not_chosen_follow_the_suggestions() -> None:
    draft = Draft("f1")
    accept_suggestions(draft, suggestions(age="quasi", work="sensitive"))
    draft.roles["age"], draft.chosen = "drop", {"age": True}
    accept_suggestions(draft, suggestions(age="quasi", work="quasi", town="quasi"))
    assert draft.roles == {"age": "drop", "work": "quasi", "town": "quasi"}
    draft.chosen = {}
    accept_suggestions(draft, suggestions(age="quasi", work="quasi"))
    assert draft.roles == {"age": "quasi", "work": "quasi"}


def test_roles_of_an_older_draft_or_an_opened_job_were_chosen() -> None:
    draft = Draft("f1", roles={"age": "drop"})
    accept_suggestions(draft, suggestions(age="quasi", work="sensitive"))
    assert draft.roles == {"age": "drop", "work": "sensitive"}
    assert draft.chosen == {"age": True}


def test_unsure_suggestions_come_first() -> None:
    columns = [{"name": name, "sureness": sure} for name, sure in (("a", "sure"), ("b", "unsure"), ("c", "likely"))]
    assert _unsure_first(columns) == [1, 0, 2]
    old = [{"name": "a"}, {"name": "b"}]
    assert _unsure_first(old) == [0, 1]


def test_proposals_are_in_the_job_until_the_table_is_read_otherwise() -> None:
    """A hierarchy of the user's own goes before them."""
    draft = Draft("table", roles={"town": "quasi", "age": "quasi"}, hierarchies={"age": "mask"})
    draft.propose({"town": {"prefix": {"keep": [1]}}, "age": {"prefix": {"keep": [1]}}})
    columns = draft.job()["columns"]
    assert columns["town"]["hierarchy"] == {"prefix": {"keep": [1]}}
    assert columns["age"]["hierarchy"] == "mask"
    draft.missing = ["?"]
    assert "hierarchy" not in draft.job()["columns"]["town"]


def test_what_was_noticed_is_chosen_and_undone() -> None:
    draft = Draft("f1", normalize={"born": ["case", "month_first"]}, inspection={})
    choose(draft, ["a", "b"], {"label": "Read as missing", "missing": ["99"]})
    choose(draft, ["a"], {"label": "Read as missing", "missing": ["98", "99"]})
    choose(draft, ["born"], {"label": "Day first", "normalize": ["day_first"]})
    assert draft.inspection is None, "the table is read anew, and roles that nobody chose follow"
    assert draft.missing_in == {"a": ["99", "98"], "b": ["99"]}
    assert draft.normalize == {"born": ["case", "day_first"]}
    choose(draft, ["born"], {"label": "Merge spellings", "normalize": ["blanks", "case"]})
    assert draft.normalize == {"born": ["case", "day_first", "blanks"]}
    assert draft.reading_columns["missing_in"] == draft.missing_in
    draft.roles = {"a": "quasi", "b": "keep"}
    columns = draft.job()["columns"]
    assert (columns["a"]["missing"], "missing" in columns["b"]) == (["99", "98"], False)
    undo(draft, ["a", "b"], "missing")
    assert (draft.missing_in, draft.normalize["born"][1]) == ({}, "day_first")
    undo(draft, ["born"], "normalize")
    assert draft.normalize == {}


def test_columns_of_which_the_same_is_noticed_share_a_line() -> None:
    told = {"what": "w", "assumed": "a", "choices": [], "set_by": "", "sureness": "likely"}
    found = [{**told, "column": "a"}, {**told, "column": "b", "sureness": "unsure"}, {**told, "column": "c"}]
    assert [[each["column"] for each in alike] for alike in together(found)] == [["b"], ["a", "c"]]


def test_what_is_prepared_is_part_of_a_job_and_of_what_is_read() -> None:
    draft = Draft("table", roles={"sex": "quasi"})
    assert "prepare" not in draft.reading
    draft.prepare = {"rename": {"sx": "sex"}}
    assert draft.reading["prepare"] == draft.job()["data"]["prepare"] == {"rename": {"sx": "sex"}}


def test_a_renamed_column_keeps_its_settings() -> None:
    draft = Draft("table", roles={"a": "quasi", "b": "sensitive"}, chosen={"b": True}, limits={"a": 1})
    draft.inspection = {"columns": [{"name": "a"}, {"name": "b"}]}
    draft.models, draft.protected = [{"distinct_l": {"l": 4, "column": "b"}}], ["b"]
    preparing, made = Preparing(None, "", draft, None), {"recode": {"a": {"1": "2"}}}  # type: ignore[arg-type]
    for old, new in (("a", "c"), ("b", "d")):
        preparing._rename(old, new, made)
    draft.protect()
    assert made == {"recode": {"c": {"1": "2"}}, "rename": {"a": "c", "b": "d"}}
    assert list(draft.roles.items()) == [("c", "quasi"), ("d", "sensitive")]
    assert (draft.chosen, draft.limits) == ({"d": True}, {"c": 1})
    assert draft.models == [{"distinct_l": {"l": 4, "column": "d"}}]
    preparing.columns = {"c": {}, "d": {}}
    preparing._rename("c", "a", made)
    assert made["rename"] == {"b": "d"}, "a column with its own name again"
    with pytest.raises(UsageError):
        preparing._rename("c", "d", made)


def test_values_recoded_twice_are_recoded_from_what_the_file_has() -> None:
    made: dict[str, Any] = {}
    _recode(made, "a", ["m", "male"], "man")
    _recode(made, "a", ["man", "f"], "person")
    assert made == {"recode": {"a": {"m": "person", "male": "person", "f": "person", "man": "person"}}}
    _recode(made, "b", ["x"], None)
    _recode(made, "b", ["x"], "x")
    assert made["recode"].keys() == {"a"}


def test_what_is_likely_is_read_so_at_first_and_what_is_a_guess_is_not() -> None:
    told = {"what": "w", "assumed": "a", "set_by": ""}
    choices = [{"label": "Read as missing", "missing": ["."]}, {"label": "other", "missing": ["9"]}]
    noticed = [
        {**told, "column": "a", "choices": choices, "sureness": "likely"},
        {**told, "column": "b", "choices": choices, "sureness": "unsure"},
        {**told, "column": "c", "choices": [], "sureness": "sure"},
        {**told, "column": "d", "choices": choices, "sureness": "sure", "set_by": "missing"},
    ]
    draft = Draft("f1")
    assert settle(draft, {"noticed": noticed})
    assert draft.missing_in == {"a": ["."]}
    assert not settle(draft, {"noticed": noticed[1:]})
    assert not settle(draft, {})


def test_of_many_sensitive_columns_those_have_a_model_that_few_classes_break_by_chance() -> None:
    def drafted(columns: int, alike: float) -> Draft:
        names = [f"c{at}" for at in range(columns)]
        draft = Draft("f1", roles={"age": "quasi", **dict.fromkeys(names, "sensitive")})
        draft.inspection = {
            "columns": [{"name": name, "distinct": 3, "missing": 0, "alike": alike} for name in names],
            "range_chances": {},
        }
        draft.protect()
        return draft

    # Each of a few has one, whatever it costs.
    assert len(drafted(10, 0.5).models) == 10
    assert len(drafted(11, 0.5).models) == 0
    assert len(drafted(40, 0.012).models) == 20
    draft = drafted(11, 0.01)
    draft.inspection["columns"][0]["alike"] = 0.9  # type: ignore[index]
    draft.models, draft.protected = [], []
    draft.protect()
    assert len(draft.models) == 10
    assert "No model protects c0." in describe(draft)
