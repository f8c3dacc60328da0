"""Random jobs, with names of columns and files that are hard to write down."""

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from incrowd.jobs import Job

ODD = ["a,b", "x=y", 'say "so"', "'", " lead", "trail ", "-q", "--keep", "größe 👪", "no", "on", "12", "010", "1e5",
       "null", "~", "true", "<<", "=", "a+b", "a/b", "back\\slash", "k:l=1", "a: b", "#c", "&a", "*", "? x", "- y",
       "{z}", "[z]", "2020-01-01", "two\nlines", "tab\t", "\u2028", "<&>", "%20", "$HOME", "`x`",
       "x" * 200]  # fmt: skip

characters = st.characters(exclude_categories=["Cs", "Cc", "Cn"])
names = st.one_of(st.sampled_from(ODD), st.text(characters, min_size=1, max_size=8))
words = st.text(st.sampled_from("abcxyz -_.é,'\""), min_size=1, max_size=8)
files = st.builds(lambda stem, suffix: stem + suffix, words, st.sampled_from([".csv", ".tsv"]))
numbers = st.floats(0, 1e6, allow_nan=False).map(abs)


shapes = st.recursive(
    st.integers(1, 3),
    lambda inside: st.tuples(st.booleans(), st.lists(inside, min_size=1, max_size=3)),
    max_leaves=5,
)
"""How a tree branches: so many values, or several trees, as a mapping or as a list."""


@st.composite
def trees(draw: st.DrawFn) -> Any:
    """Groups of groups of values; no label comes twice."""
    shape = draw(shapes)
    labels = iter(draw(st.lists(names, min_size=30, max_size=30, unique=True)))

    def filled(shape: Any) -> Any:
        if isinstance(shape, int):
            return [next(labels) for _ in range(shape)]
        as_mapping, parts = shape
        grown = {next(labels): filled(part) for part in parts}
        return grown if as_mapping else [next(labels), *({label: inside} for label, inside in grown.items())]

    return filled(shape)


hierarchies = st.one_of(
    st.none(),
    st.sampled_from(["mask", "automatic", "age.csv", "tree.yaml"]),
    files.map(lambda path: {"levels": {"path": path}}),
    files.map(lambda path: {"tree": {"path": path}}),
    st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True).map(
        lambda powers: {"intervals": {"widths": [5 * 2**power for power in sorted(powers)]}}
    ),
    st.builds(
        lambda side, character: {"mask": {"from": side, "character": character}},
        st.sampled_from(["right", "left"]),
        st.sampled_from("*#,/=\"' "),
    ),
    st.sampled_from([{"dates": {"levels": ["month", "year"], "format": "%d/%m/%Y"}}, {"mask": {"steps": [1, 3]}}]),
    trees().map(lambda groups: {"tree": {"groups": groups}}),
)


@st.composite
def columns(draw: st.DrawFn, local: bool) -> dict[str, Any]:
    """At least one quasi column, settings only where they make sense."""
    found: dict[str, Any] = {}
    for at, name in enumerate(draw(st.lists(names, min_size=1, max_size=5, unique=True))):
        others = ["quasi", "sensitive", "keep", "identifier", "person", "drop"]
        role = "quasi" if at == 0 else draw(st.sampled_from(others))
        column: dict[str, Any] = {"role": role}
        hierarchy = draw(hierarchies) if role in ("quasi", "sensitive") else None
        if hierarchy is not None:
            column["hierarchy"] = hierarchy
        if role == "quasi":
            column |= draw(local_settings() if local else settings())
            column |= draw(st.sampled_from([{}, {}, {"person": True}]))
        if local and role in ("quasi", "sensitive"):
            column |= draw(lines)
        if role in ("quasi", "sensitive"):
            column |= draw(spellings)
        found[name] = column
    return found


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    """Priority, levels and losses of a quasi column."""
    minimum = draw(st.integers(0, 2))
    given = {
        "priority": st.floats(1e-3, 1e3),
        "limit": st.integers(minimum, 3),
        "minimum": st.just(minimum),
        "losses": st.lists(numbers, min_size=4, max_size=5).map(sorted),
    }
    return {key: draw(value) for key, value in given.items() if draw(st.booleans())}


@st.composite
def local_settings(draw: st.DrawFn) -> dict[str, Any]:
    """Priority and form of a quasi column."""
    forms = ["range", "ancestor", "set", "mean", "median", "mode"]
    given = {
        "priority": st.floats(1e-3, 1e3),
        "form": st.sampled_from(forms),
        "bounds": st.integers(1, 100) | st.floats(1e-3, 1e3),
    }
    return {key: draw(value) for key, value in given.items() if draw(st.booleans())}


lines = st.one_of(
    st.just({}),
    st.lists(names, min_size=1, max_size=3, unique=True).map(lambda scale: {"scale": scale}),
    st.lists(numbers, min_size=2, max_size=2).map(lambda domain: {"domain": sorted(domain)}),
)
"""How near the values of a column are to each other."""


spellings = st.one_of(
    st.just({}),
    st.lists(st.sampled_from(["blanks", "case", "unicode", "day_first"]), min_size=1, unique=True).map(
        lambda steps: {"normalize": steps}
    ),
    st.lists(st.sampled_from(["99", "n/a", "k. A.", '"', "a,b"]), min_size=1, unique=True).map(
        lambda codes: {"missing": codes}
    ),
)
"""What makes all spellings of a value one."""


def models(sensitive: list[str], population: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Any model that the columns allow."""
    found = [st.integers(1, 99).map(lambda k: {"k_anonymity": {"k": k}})]
    if population:
        found.append(st.integers(1, 9).map(lambda k: {"k_map": {"k": k}}))
    if sensitive:
        judged = st.lists(st.sampled_from(sensitive), min_size=1, max_size=2, unique=True)
        found += [
            st.builds(lambda size, column: {"distinct_l": {"l": size, "column": column}}, st.integers(1, 9), judged),
            st.builds(
                lambda t, column, order: {
                    "t_closeness": {"t": t, "column": column[:1], "distance": "ordered", "order": order}
                },
                st.floats(0, 1),
                judged,
                st.lists(names, max_size=3, unique=True),
            ),
        ]
    return st.one_of(found)


limits = st.builds(
    lambda amount, of, whole: {**amount, **of, **whole},
    st.integers(0, 99).map(lambda number: {"number": number})
    | st.decimals(0, Decimal("0.999"), places=5).map(lambda share: {"share": share}),
    st.sampled_from([{}, {"of": "records"}, {"of": "people"}]),
    st.sampled_from([{}, {"whole": True}, {"whole": False}]),
)
"""Suppression limits that count people, or take whole ones."""

points = st.sampled_from(
    [
        {"generalize": "column", "suppress": "row", "search": "best_first"},
        {"generalize": "column", "suppress": "column"},
        {"generalize": "cell", "suppress": "cell"},
        {"generalize": "cell", "suppress": "none", "search": {"scored": {"partial": True}}},
        {"generalize": "none", "suppress": 0.1},
        {"generalize": "none", "suppress": "column"},
        {"generalize": "none", "suppress": "cell"},
    ]
)
"""Jobs on the grid, with and without a search."""

FULL_DOMAIN = ["optimal", "best_first", {"samarati": {"prefer": "relative", "vectors": True}}]
LOCAL = ["mondrian", {"mondrian": {"cuts": "relaxed", "column": "loss"}}]


@st.composite
def origins(draw: st.DrawFn, place: str) -> dict[str, Any]:
    """One of several sources, with options of its own."""
    options = {
        "table": words,
        "query": words,
        "delimiter": st.sampled_from([";", "\t", '"', ","]),
        "encoding": words,
        "header": st.booleans(),
        "names": st.lists(names, min_size=1, max_size=3),
        "widths": st.lists(st.integers(1, 99), min_size=1, max_size=3),
    }
    chosen = draw(st.lists(st.sampled_from(list(options)), min_size=1, unique=True))
    return {"url" if "://" in place else "file": place, **{key: draw(options[key]) for key in chosen}}


def prepared() -> st.SearchStrategy[dict[str, Any]]:
    """What is changed of a table as it is read."""
    values = st.lists(names, min_size=1, max_size=3)
    rows = st.fixed_dictionaries(
        {},
        optional={
            "where": st.dictionaries(names, values | st.just({"from": 1, "to": 2.5}), min_size=1, max_size=2),
            "first": st.integers(1, 99),
        },
    )
    sample = st.fixed_dictionaries({"sample": st.just(0.25), "seed": st.integers(0, 2**40)})
    return st.fixed_dictionaries(
        {"rename": st.dictionaries(names, names, min_size=1, max_size=2)},
        optional={
            "recode": st.dictionaries(
                names, st.dictionaries(names, names | st.none(), min_size=1), min_size=1, max_size=2
            ),
            "type": st.dictionaries(names, st.sampled_from(["text", "date"]), min_size=1, max_size=2),
            "rows": rows.filter(bool) | sample,
        },
    )


@st.composite
def plain_jobs(draw: st.DrawFn) -> dict[str, Any]:
    """The data of a job that can run, with any of its keys."""
    local = draw(st.booleans())
    described = draw(columns(local))
    sensitive = [name for name, column in described.items() if column["role"] == "sensitive"]
    places = draw(st.lists(st.one_of(files, names), min_size=6, max_size=6, unique=True))
    text = st.none() | words
    population = draw(st.none() | st.builds(_without_nothing, source=st.just(places[:1]), table=text, query=text))
    sources = draw(st.permutations([places[1], draw(st.just(places[2]) | origins(places[2]))]))
    read = {"source": st.just(list(sources)), "missing": st.lists(st.one_of(names, st.just("")), max_size=3),
            "delimiter": st.sampled_from([None, ";", "\t", '"', "-"]), "encoding": text,
            "header": st.sampled_from([None, True, False]), "names": st.lists(names, max_size=3),
            "widths": st.lists(st.integers(1, 99), max_size=3), "table": text, "query": text,
            "prepare": st.none() | prepared()}  # fmt: skip
    written = {"to": st.just(places[3]), "table": text, "delimiter": st.sampled_from([None, ";", "\t"]),
               "replace": st.booleans(), "spreadsheet_safe": st.booleans(),
               "record": st.sampled_from([None, places[4]]),
               "mapping": st.sampled_from([None, places[5]])}  # fmt: skip
    more = {
        "output": st.none() | st.builds(_without_nothing, **written),
        "nulls": st.sampled_from(["extended", "basic", "maybe", "right_maybe"]),
        "order": st.sampled_from(["sorted", "source"]),
        "wiped": st.sampled_from(["label", "null"]),
        "suppress": st.one_of(
            st.integers(0, 99), st.decimals(0, Decimal("0.999"), places=5), st.floats(0, 0.99), st.just("row")
        ),
        "metric": st.just("loss") if local else st.sampled_from(["loss", "height"]),
        "time": st.none() | numbers,
        "seed": st.integers(0, 2**40),
    }
    if any(column["role"] == "person" or column.get("person") for column in described.values()):
        more["knows"] = st.sampled_from(["record", "history", 1]) | st.integers(1, 99)
        more["suppress"] |= limits
    search = draw(st.sampled_from(LOCAL if local else FULL_DOMAIN))
    asked = {key: draw(value) for key, value in more.items() if draw(st.booleans())}
    if asked.get("nulls", "extended") != "extended":
        asked.pop("wiped", None)
    chosen = {"search": search} if local or draw(st.booleans()) else draw(points)
    return _without_nothing(
        data=draw(st.builds(_without_nothing, **read)),
        population=population,
        columns=described,
        models=draw(st.lists(models(sensitive, population is not None), min_size=1, max_size=3)),
        **{**asked, **chosen},
    )


def _without_nothing(**given: Any) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}


jobs = plain_jobs().map(Job.from_dict)
