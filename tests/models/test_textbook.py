"""What a search is told is what the definition says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.families import members
from incrowd.models import PrivacyModel, parse
from incrowd.models.conjunction import All
from models.judging import PARAMETERS, Judged, judged, judgements, models


def test_every_model_is_tested() -> None:
    # Guards are a second column: see test_personal_breach.
    assert {*PARAMETERS, "personal_breach"} == set(members("models", "MODEL"))


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data(), table=judgements())
def test_holds_is_the_textbook(name: str, data: st.DataObject, table: Judged) -> None:
    model = data.draw(models(name))
    assert table.holds(model) == table.textbook(model)


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data(), table=judgements())
def test_so_it_is_for_what_a_search_prunes_on(name: str, data: st.DataObject, table: Judged) -> None:
    relaxed = data.draw(models(name)).relaxed()
    assert relaxed is not None
    assert table.holds(relaxed) == table.textbook(relaxed)


SHARP: list[tuple[str, list[list[str]], list[bool]]] = [
    ("k_anonymity:k=3", [["a"] * 3, ["a"] * 2], [True, False]),
    ("entropy_l:l=3,column=s", [["a", "b", "c"], ["a", "a", "b", "c"]], [True, False]),
    # 10 equally frequent values: their entropy in binary numbers is just below log 10.
    ("entropy_l:l=10,column=s", [list("abcdefghij")], [True]),
    ("recursive_cl:c=2,l=2,column=s", [["a", "a", "a", "b", "b"], ["a", "a", "b"]], [True, False]),
    # In binary numbers 7 < 0.07 * 100 holds.
    (
        "recursive_cl:c=0.07,l=1,column=s",
        [list("abcdefghijklmn" * 7 + "oo"), list("abcdefghijklmnopq" * 6)],
        [False, True],
    ),
    ("alpha_k:alpha=0.3,k=1,column=s", [list("aaabbbcccd"), list("aaabbbccc")], [True, False]),
    ("alpha_k:alpha=1,k=2,column=s", [["a"] * 2, ["a"]], [True, False]),
    ("p_sensitive:p=2,k=3,column=s", [list("aab"), list("ab"), list("aaa")], [True, False, False]),
    ("t_closeness:t=0.3,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [True, True]),
    ("t_closeness:t=0.299999,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [False, False]),
    ("basic_beta:beta=0.6,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [True, True]),
    ("basic_beta:beta=0.5999,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [False, False]),
    # -ln 0.5 = 0.693 lies between the two gains.
    ("enhanced_beta:beta=2,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [True, True]),
    ("enhanced_beta:beta=2,column=s", [list("aaaaaaaaab"), list("abbbbbbbbb")], [False, False]),
    # ln 1.6 = 0.4700, ln 0.4 = -0.9163.
    ("delta_disclosure:delta=0.917,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [True, True]),
    ("delta_disclosure:delta=0.916,column=s", [list("aaaaaaaabb"), list("aabbbbbbbb")], [False, False]),
    ("delta_disclosure:delta=9,column=s", [["a"], ["b"]], [False, False]),
    ("delta_disclosure:delta=9,column=s,absent=ignored", [["a"], ["b"]], [True, True]),
]


@pytest.mark.parametrize(("text", "classes", "expected"), SHARP, ids=[text for text, _, _ in SHARP])
def test_just_within_and_just_beyond(text: str, classes: list[list[str]], expected: list[bool]) -> None:
    table = judged(*classes)
    model = parse(text)
    assert table.holds(model) == table.textbook(model) == expected


@given(data=st.data(), table=judgements())
def test_several_models_together(data: st.DataObject, table: Judged) -> None:
    drawn: list[PrivacyModel] = [data.draw(models(data.draw(st.sampled_from(sorted(PARAMETERS))))) for _ in range(2)]
    both = All(tuple(drawn))
    one, other = (table.holds(model) for model in drawn)
    assert table.holds(both) == table.textbook(both) == [a and b for a, b in zip(one, other, strict=True)]
    assert set(both.needs) == {columns for model in drawn for columns in model.needs}
    assert both.suppressible == (drawn[0].suppressible and drawn[1].suppressible)
    assert both.strength(table.classes) == all(table.holds(both))
    assert all(model.promise() in both.promise() for model in drawn)
    assert both.needs_population == any(model.needs_population for model in drawn)
    assert both.needs_reference == any(model.needs_reference for model in drawn)


def test_no_models_ask_for_nothing() -> None:
    nothing = All(())
    assert nothing.relaxed() is None
    assert judged(["a"]).holds(nothing) == [True]


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data())
def test_no_classes_at_all(name: str, data: st.DataObject) -> None:
    table = judged(paths={"3": ("*",)})
    model = data.draw(models(name))
    assert table.holds(model) == []
    assert model.strength(table.classes) == 0


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data())
def test_a_class_without_records_has_nobody_to_protect(name: str, data: st.DataObject) -> None:
    table = judged([], ["3", "3"])
    assert table.holds(data.draw(models(name)))[0]
