"""One spelling for the members of all families: it is read back as it was, and old spellings mean what they meant."""

from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import IncrowdError, UsageError
from incrowd.families import ATTACKS, BUILDERS, FAMILIES, METRICS, MODELS, PROTECTIONS, RULES, SCORES, SEARCHES, Family
from incrowd.hierarchies import options_of
from incrowd.spelling import Name, Names, Text, TextForm, escaped, read_options, split, unescaped, write_options

NASTY = st.text(alphabet=st.sampled_from(list(",/+\\\"'=:;[]{} \tüß漢aB019.-_\n")), max_size=12)
WORDS = NASTY | st.sampled_from(
    ["null", "true", "5", "05", "1e3", "-0", "NaN", "Infinity", "", " ", "a,b=c", "\\", '"']
)
SCALARS = WORDS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))

BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    Name: WORDS,
    Names: st.lists(WORDS.filter(bool)).map(tuple),
    Text: WORDS,
    str: WORDS,
}


@pytest.mark.parametrize("kind", BY_TYPE, ids=["Name", "Names", "Text", "str"])
@given(data=st.data())
def test_every_kind_of_value_comes_back(kind: Any, data: st.DataObject) -> None:
    options = {"first": data.draw(BY_TYPE[kind]), "second": data.draw(BY_TYPE[kind]), "third": 3}
    types = {"first": kind, "second": kind, "third": int}
    assert read_options(write_options(options, types), types) == options


@given(st.dictionaries(st.from_regex("[a-z_][a-z0-9_]{0,5}", fullmatch=True), PLAIN, max_size=4))
def test_plain_data_come_back(options: dict[str, Any]) -> None:
    assert read_options(write_options(options, {}), {}) == options


@given(st.text(), st.sampled_from(",+/="))
def test_escaping_takes_the_meaning_of_separators(text: str, separator: str) -> None:
    assert unescaped(escaped(text, "=")) == text
    assert split(escaped(text, "="), separator) == [escaped(text, "=")]


OF_CLASSES = [family for family in FAMILIES if family.declares not in ("build", "open", "judge")]


def values_for(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an option that its own form can write, or any plain data."""
    form = next((mark for mark in getattr(kind, "__metadata__", ()) if isinstance(mark, TextForm)), None)
    return BY_TYPE.get(kind, PLAIN) if form is None or kind in BY_TYPE else st.nothing()


@pytest.mark.parametrize(
    ("family", "name"), [(family, name) for family in OF_CLASSES for name in family.modules()], ids=str
)
@given(data=st.data())
def test_options_of_every_member_come_back(family: Family, name: str, data: st.DataObject) -> None:
    types = family.types(name)
    known = [field.name for field in fields(family.known()[name])]
    assert set(known) <= set(types), "an annotation cannot be resolved"
    given_options = {}
    for option in known:
        values = values_for(types[option])
        if not values.is_empty:
            given_options[option] = data.draw(values)
    text = family.write(name, given_options)
    back = family.named(text)[1]
    # A text that is written for a number, or the other way round, is refused by the member, not lost in its spelling.
    assert family.write(name, back) == family.write(name, family.named(family.write(name, back))[1])
    for option, value in given_options.items():
        if isinstance(value, str | tuple) and types[option] in BY_TYPE:
            assert back[option] == value


@pytest.mark.parametrize("name", sorted(BUILDERS.modules()))
@given(data=st.data())
def test_options_of_every_builder_come_back(name: str, data: st.DataObject) -> None:
    options = {option: data.draw(WORDS) for option in options_of(name)}
    assert BUILDERS.read(BUILDERS.write(name, options)) == {name: options}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.folder)
@given(data=st.data())
def test_any_text_is_read_or_refused(family: Family, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(family.modules())) | NASTY)
    text = f"{name}{data.draw(st.sampled_from([':', '', ' :', ': ']))}{data.draw(NASTY | st.text())}"
    with suppress(UsageError):
        read = family.read(text)
        if isinstance(read, dict):
            [(member, options)] = read.items()
            assert family.read(family.write(member, options)) == read
    if family in OF_CLASSES:
        with suppress(IncrowdError):
            member = family.member(text)
            assert family.member(family.spell(member)) == member


OLD: list[tuple[Family, str, str, dict[str, Any]]] = [
    # Models: names with backslashes, + between columns, / between values; nothing is stripped from a name.
    (MODELS, r"distinct_l:l=3,column=a\,b", r"distinct_l:l=3,column=a\,b", {"l": 3, "column": ("a,b",)}),
    (MODELS, r"distinct_l:l=3,column=a\+b+c\/d", r"distinct_l:l=3,column=a\+b+c\/d", {"column": ("a+b", "c/d")}),
    (MODELS, 'distinct_l:l=3,column="q"', 'distinct_l:l=3,column="q"', {"column": ('"q"',)}),
    (MODELS, r"distinct_l:l=3,column=\x", "distinct_l:l=3,column=x", {"column": ("x",)}),
    (MODELS, "distinct_l:l=3,column= a ", "distinct_l:l=3,column= a ", {"column": (" a ",)}),
    (MODELS, "distinct_l:column=a=b,l=1_0", "distinct_l:l=10,column=a=b", {"l": 10, "column": ("a=b",)}),
    (MODELS, "t_closeness:t=1e-1,column=a", "t_closeness:t=0.1,column=a", {"t": 0.1}),
    (MODELS, "t_closeness:t=1.0,column=a", "t_closeness:t=1.0,column=a", {"t": 1.0}),
    (MODELS, "t_closeness:t=.5,column=a,distance=ordered,order=x/y\\/z", "", {"order": ("x", "y/z")}),
    (MODELS, "range_diversity:p=0.5,column=a,ranges=0..4/5..9", "", {"ranges": ((0, 4), (5, 9))}),
    # Searches, metrics and attacks: words, numbers, slashes, JSON; blanks do not matter.
    (SEARCHES, "optimal", "optimal", {}),
    (SEARCHES, "optimal:", "optimal", {}),
    (SEARCHES, "mondrian: cuts = relaxed ", "mondrian:cuts=relaxed", {"cuts": "relaxed"}),
    (SEARCHES, 'scored:score={"eta": {"d": 3}},p=2', 'scored:score={"eta": {"d": 3}},p=2', {"p": 2}),
    (SEARCHES, 'k_optimize:label="a,b"', 'k_optimize:label="a,b"', {"label": "a,b"}),
    (SEARCHES, 'k_optimize:label="5"', 'k_optimize:label="5"', {"label": "5"}),
    (ATTACKS, "linkage:k=5", "linkage:k=5", {"k": 5}),
    (ATTACKS, "range_disclosure:ranges=0..4/5..9", "range_disclosure:ranges=0..4/5..9", {}),
    # Rules and protections: numbers as Python reads them, blanks around keys and values.
    (RULES, " threshold ", "threshold", {}),
    (RULES, "threshold: n = 5 , zeros = sensitive", "threshold:n=5,zeros=sensitive", {"n": 5, "zeros": "sensitive"}),
    (RULES, "dominance:k=75.50", "dominance:k=75.5", {"k": 75.5}),
    (RULES, "dominance:n=1,k=7_5", "dominance:n=1,k=75", {"k": 75}),
    (PROTECTIONS, "confidentiality_edit:share=0.1,column=a/b", "", {"share": 0.1, "column": "a/b"}),
    (PROTECTIONS, r"confidentiality_edit:column=a\b+c", r"confidentiality_edit:column=a\b+c", {"column": r"a\b+c"}),
    # Scores had no text with options before.
    (SCORES, "eta:d=3", "eta:d=3", {"d": 3}),
]


@pytest.mark.parametrize(("family", "text", "spelled", "options"), OLD, ids=[text for _, text, _, _ in OLD])
def test_old_spellings_mean_what_they_meant(family: Family, text: str, spelled: str, options: dict[str, Any]) -> None:
    member = family.member(text)
    assert {name: getattr(member, name) for name in options} == options
    assert family.spell(member) == (spelled or family.spell(member))
    assert family.member(family.spell(member)) == member


def test_a_workload_is_a_path() -> None:
    assert METRICS.read("queries:workload=a/b.csv") == {"queries": {"workload": "a/b.csv"}}
    assert METRICS.read(r"queries:workload=C:\a\\b.csv") == {"queries": {"workload": r"C:\a\\b.csv"}}
    assert METRICS.write("queries", {"workload": "a/b.csv"}) == "queries:workload=a/b.csv"
    assert METRICS.write("queries", {"workload": "a,b.csv"}) == 'queries:workload="a,b.csv"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("optimal:5", "search optimal: '5' has no =; write it as name:option=value,option=value"),
        ("scored:p=1,p=2", "search scored: the option 'p' comes twice; write it as"),
        ('scored:score="x', "search scored: the text after a bracket or a quotation mark is not JSON"),
        ('scored:score="x"p=1', "search scored: there is no comma between two options"),
        ("optimall", "there is no search 'optimall'; there are .*; did you mean 'optimal'?"),
        ("scored:q=1", "scored has no option 'q'; it has score, p,"),
        ("top_down_specialization", "search top_down_specialization: it needs label; write"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SEARCHES.member(text)
