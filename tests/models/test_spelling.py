"""Models as text and as data, and what is said when they are misspelt."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import SourceError, UsageError
from incrowd.models import PrivacyModel, from_dict, parse, spell, to_dict
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.range_diversity import RangeDiversity
from incrowd.models.t_closeness import TCloseness
from models.judging import PARAMETERS, models

SPELT: list[tuple[str, dict[str, Any]]] = [
    ("k_anonymity:k=5", {"k_anonymity": {"k": 5}}),
    ("distinct_l:l=3,column=disease", {"distinct_l": {"l": 3, "column": "disease"}}),
    ("distinct_l:l=3,column=disease+job", {"distinct_l": {"l": 3, "column": "disease+job"}}),
    ("entropy_l:l=2.5,column=disease", {"entropy_l": {"l": 2.5, "column": "disease"}}),
    ("recursive_cl:c=0.5,l=3,column=disease", {"recursive_cl": {"c": 0.5, "l": 3, "column": "disease"}}),
    ("t_closeness:t=0.2,column=disease", {"t_closeness": {"t": 0.2, "column": "disease"}}),
    (
        "t_closeness:t=0.2,column=pain,distance=ordered,order=none/some/much",
        {"t_closeness": {"t": 0.2, "column": "pain", "distance": "ordered", "order": ["none", "some", "much"]}},
    ),
    ("alpha_k:alpha=0.5,k=3,column=disease", {"alpha_k": {"alpha": 0.5, "k": 3, "column": "disease"}}),
    ("p_sensitive:p=2,k=3,column=disease", {"p_sensitive": {"p": 2, "k": 3, "column": "disease"}}),
    ("basic_beta:beta=1,column=disease", {"basic_beta": {"beta": 1, "column": "disease"}}),
    ("enhanced_beta:beta=1,column=disease", {"enhanced_beta": {"beta": 1, "column": "disease"}}),
    (
        "delta_disclosure:delta=1,column=disease,absent=ignored",
        {"delta_disclosure": {"delta": 1, "column": "disease", "absent": "ignored"}},
    ),
    ("delta_presence:lower=0,upper=0.5", {"delta_presence": {"lower": 0, "upper": 0.5}}),
    ("k_map:k=5", {"k_map": {"k": 5}}),
    ("range_diversity:p=0.5,column=income", {"range_diversity": {"p": 0.5, "column": "income"}}),
    (
        "range_diversity:p=0.5,column=income,ranges=0..4/5..9/80.5..99,domain=0..99",
        {
            "range_diversity": {
                "p": 0.5,
                "column": "income",
                "ranges": [[0, 4], [5, 9], [80.5, 99]],
                "domain": [0, 99],
            }
        },
    ),
    (
        "range_diversity:p=0.5,column=income,ranges=low/very\\,high/0\\..4",
        {"range_diversity": {"p": 0.5, "column": "income", "ranges": ["low", "very,high", "0..4"]}},
    ),
    (
        "range_diversity:p=0.5,column=born,ranges=1950-01-01..1959-12-31",
        {"range_diversity": {"p": 0.5, "column": "born", "ranges": [["1950-01-01", "1959-12-31"]]}},
    ),
    (
        "range_diversity:p=1,column=income,level=2,distance=numeric",
        {"range_diversity": {"p": 1, "column": "income", "level": 2, "distance": "numeric"}},
    ),
    (
        "range_diversity:p=0.2,column=x,policy=a\\=b=some/17=10..30,distance=equal",
        {
            "range_diversity": {
                "p": 0.2,
                "column": "x",
                "policy": [["a=b", "some"], ["17", 10, 30]],
                "distance": "equal",
            }
        },
    ),
]


@pytest.mark.parametrize(("text", "data"), SPELT, ids=[text for text, _ in SPELT])
def test_text_and_data_say_the_same(text: str, data: dict[str, Any]) -> None:
    model = parse(text)
    assert from_dict(data) == model
    assert spell(model) == text
    assert to_dict(model) == data


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data())
def test_there_and_back(name: str, data: st.DataObject) -> None:
    model = data.draw(models(name))
    assert parse(spell(model)) == model == from_dict(to_dict(model))
    assert hash(parse(spell(model))) == hash(model)


names = st.lists(st.text(min_size=1), min_size=1, max_size=3, unique=True)


@given(columns=names, order=names)
def test_whatever_the_names_are(columns: list[str], order: list[str]) -> None:
    made: list[PrivacyModel] = [
        DistinctL(2, column=tuple(columns)),
        TCloseness(0.5, column=(columns[0],), distance="ordered", order=tuple(order)),
    ]
    for model in made:
        assert parse(spell(model)) == model == from_dict(to_dict(model))


def test_columns_jointly() -> None:
    model = DistinctL(2, column="a+b")
    assert model == DistinctL(2, column=("a", "b")) == from_dict({"distinct_l": {"l": 2, "column": ["a", "b"]}})
    assert model.needs == (("a", "b"),)
    assert "a and b together" in model.promise()
    plus = DistinctL(2, column=("a+b",))
    assert plus != model
    assert spell(plus) == r"distinct_l:l=2,column=a\+b"
    assert to_dict(plus) == {"distinct_l": {"l": 2, "column": ["a+b"]}}


def test_what_is_only_part_of_models_has_no_name() -> None:
    with pytest.raises(TypeError, match="All is part of other members"):
        spell(All(()))


MISSPELT = {
    "": "there is no model ''; there are alpha_k, basic_beta, ",
    "kanonymity:k=5": "there is no model 'kanonymity'; there are .*; did you mean 'k_anonymity'?",
    "k_anonymity": "model k_anonymity: it needs k; write k_anonymity:k=...",
    "k_anonymity:K=5": "k_anonymity has no option 'K'; it has k",
    "distinct_l:l=3,colum=x": "distinct_l has no option 'colum'; it has l, column; did you mean 'column'?",
    "distinct_l:l=3,": "model distinct_l: it needs column; write distinct_l:column=...",
    "k_anonymity:5": "model k_anonymity: '5' has no =; write it as name:option=value,option=value",
    "k_anonymity:k=5,k=6": "model k_anonymity: the option 'k' comes twice; write it as",
    "k_anonymity:k=0": "k of k_anonymity is 0; it may be a whole number, 1 or more",
    "k_anonymity:k=2.5": "k of k_anonymity is 2.5; it may be a whole number, 1 or more",
    "k_anonymity:k=five": "k of k_anonymity is 'five'; it may be a whole number, 1 or more",
    "k_map:k=-1": "k of k_map is -1; it may be a whole number, 1 or more",
    "distinct_l:l=0,column=x": "l of distinct_l is 0; it may be a whole number, 1 or more",
    "distinct_l:l=2,column=": "column is (); it may be the name of a column, names joined by + to judge jointly",
    "distinct_l:l=2,column=a+": "column is ('a', ''); it may be",
    "distinct_l:l=2,column=a+a": "named more than once: 'a'; name each column once",
    "entropy_l:l=0.5,column=x": "l of entropy_l is 0.5; it may be a number, 1 or more",
    "entropy_l:l=nan,column=x": "l of entropy_l is nan; it may be a number, 1 or more",
    "recursive_cl:c=0,l=2,column=x": "c of recursive_cl is 0; it may be a number above 0",
    "recursive_cl:c=inf,l=2,column=x": "c of recursive_cl is inf; it may be a number above 0",
    "recursive_cl:c=1,l=x,column=x": "l of recursive_cl is 'x'; it may be a whole number, 1 or more",
    "t_closeness:t=1.5,column=x": "t of t_closeness is 1.5; it may be a number from 0 to 1",
    "t_closeness:t=0.5,column=x,distance=far": "distance of t_closeness is 'far'; it may be equal, ordered, ",
    "t_closeness:t=0.5,column=x,order=a/b": "t_closeness: an order is given; choose distance=ordered or omit it",
    "t_closeness:t=0.5,column=x,distance=ordered,order=a/a": "order of t_closeness: a value is repeated; list each",
    "t_closeness:t=0.5,column=x+y,distance=ordered": "several columns jointly have neither one order nor one hierarchy",
    "alpha_k:alpha=0,k=2,column=x": "alpha of alpha_k is 0; it may be a number above 0, at most 1",
    "alpha_k:alpha=0.5,k=0,column=x": "k of alpha_k is 0; it may be a whole number, 1 or more",
    "p_sensitive:p=0,k=2,column=x": "p of p_sensitive is 0; it may be a whole number, 1 or more",
    "p_sensitive:p=2,k=0,column=x": "k of p_sensitive is 0; it may be a whole number, 1 or more",
    "basic_beta:beta=0,column=x": "beta of basic_beta is 0; it may be a number above 0",
    "enhanced_beta:beta=-1,column=x": "beta of enhanced_beta is -1; it may be a number above 0",
    "delta_disclosure:delta=0,column=x": "delta of delta_disclosure is 0; it may be a number above 0",
    "delta_disclosure:delta=1,column=x,absent=no": "absent of delta_disclosure is 'no'; it may be violates, ignored",
    "delta_presence:lower=0.5,upper=0.1": "delta_presence: lower is above upper; give the smaller share as lower",
    "delta_presence:lower=0,upper=0": "upper of delta_presence is 0; it may be a number above 0, at most 1",
    "delta_presence:lower=-1,upper=1": "lower of delta_presence is -1; it may be a number from 0 to 1",
    "range_diversity:p=0,column=x": "p of range_diversity is 0; it may be a number above 0, at most 1",
    "range_diversity:p=0.5,column=x+y": "range_diversity: several columns jointly have no ranges; judge each",
    "range_diversity:p=0.5,column=x,ranges=4..1": "ranges of range_diversity: a low bound is above its high bound",
    "range_diversity:p=0.5,column=x,ranges=0..4/4..9": "ranges of range_diversity: some overlap; separate them",
    "range_diversity:p=0.5,column=x,ranges=0..4/low": "some are intervals and some are labels; give intervals only",
    "range_diversity:p=0.5,column=x,level=-1": "level of range_diversity is -1; it may be a whole number, 0 or more",
    "range_diversity:p=0.5,column=x,level=1,ranges=a": "a value can have one range only; give ranges, a level or a",
    "range_diversity:p=0.5,column=x,policy=1=1..2/2=low": "choose distance=numeric or hierarchical",
    "range_diversity:p=0.5,column=x,policy=1=1..2/1=1..3": "policy of range_diversity: a value is repeated; list each",
    "range_diversity:p=0.5,column=x,domain=low": "domain of range_diversity is 'low'; it may be [low, high]",
    "range_diversity:p=0.5,column=x,ranges=low,domain=0..1,distance=hierarchical": "a domain is for numeric distance",
    "range_diversity:p=0.5,column=x,distance=far": "distance of range_diversity is 'far'; it may be automatic, numeric",
}


@pytest.mark.parametrize("text", MISSPELT)
def test_what_is_misspelt_is_refused(text: str) -> None:
    wanted = MISSPELT[text] if ".*" in MISSPELT[text] else re.escape(MISSPELT[text])
    with pytest.raises(UsageError, match=wanted) as refused:
        parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "a model is one name, or one name with its options as {"),
        ({"k_map": {"k": 1}, "k_anonymity": {"k": 1}}, "a model is one name"),
        ("k_anonymity", "a model is one name"),
        ({"k_anonymity": 5}, "a model is one name"),
        ({"k_anonymity": {"k": True}}, "k of k_anonymity is True; it may be a whole number"),
        ({"k_anonymity": {"k": "5"}}, "k of k_anonymity is '5'; it may be a whole number"),
        ({"t_closeness": {"t": "x", "column": "a"}}, "t of t_closeness is 'x'; it may be a number from 0 to 1"),
        ({"distinct_l": {"l": 1, "column": 7}}, "column is 7; it may be the name of a column"),
        ({"distinct_l": {"l": 1, "column": [7]}}, "column is [7]; it may be the name of a column"),
        ({"range_diversity": {"p": 1, "column": "a", "ranges": 3}}, "ranges of range_diversity is 3; it may be a list"),
        ({"range_diversity": {"p": 1, "column": "a", "ranges": [[1]]}}, "is [1]; it may be [low, high], both numbers"),
        (
            {"range_diversity": {"p": 1, "column": "a", "policy": [["x"]]}},
            "it may be a list of rows [value, low, high]",
        ),
        (
            {"range_diversity": {"p": 1, "column": "a", "policy": {"x": 1}}},
            "it may be a list of rows [value, low, high]",
        ),
        (
            {"t_closeness": {"t": 1, "column": "a", "distance": "ordered", "order": "abc"}},
            "order of t_closeness is 'abc'; it may be a list of all values, lowest first",
        ),
    ],
)
def test_what_is_no_model_is_refused(data: Mapping[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        from_dict(data)


def test_no_order_is_no_order() -> None:
    ordered = {"t": 1, "column": "a", "distance": "ordered"}
    assert from_dict({"t_closeness": ordered | {"order": None}}) == from_dict({"t_closeness": ordered})
    by_number, by_text = ({"t_closeness": ordered | {"order": order}} for order in ([1, 2], ["1", "2"]))
    assert from_dict(by_number) == from_dict(by_text)


def test_a_policy_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "policy.csv"
    file.write_text("0,0,9\n17,16,19\nHIV,infectious\n", "utf-8")
    given = {"p": 0.5, "column": "a", "distance": "numeric"}
    rows = [["0", 0, 9], ["17", 16, 19], ["HIV", "infectious"]]
    model = from_dict({"range_diversity": given | {"policy": str(file)}})
    assert model == from_dict({"range_diversity": given | {"policy": rows}})
    assert to_dict(model)["range_diversity"]["policy"] == rows
    assert (
        parse(f"range_diversity:p=0.5,column=a,distance=numeric,policy={str(file).replace('/', chr(92) + '/')}")
        == model
    )
    with pytest.raises(SourceError, match="cannot be read from it; give a CSV file of value,low,high or value,label"):
        from_dict({"range_diversity": given | {"policy": str(tmp_path / "none.csv")}})


@given(value=st.text(min_size=1), label=st.text(min_size=1))
def test_whatever_the_values_and_labels_of_ranges_are(value: str, label: str) -> None:
    for model in (
        RangeDiversity(0.5, column="a", ranges=(label,)),
        RangeDiversity(0.5, column="a", policy=((value, label),)),
    ):
        assert parse(spell(model)) == model == from_dict(to_dict(model))
