"""What a first look says is what the definitions say, and it never quotes a value."""

import json
import random
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from incrowd.cli.reading import column_list
from incrowd.core.normal_form import normal_form, spellings
from incrowd.core.schema import Role
from incrowd.diagnosis import contribution
from incrowd.diagnosis.contribution import affordable_size
from incrowd.diagnosis.inspection import Inspection, inspect
from incrowd.engines.frames import FrameSource
from incrowd.engines.streams import StreamSource
from incrowd.errors import Interrupted, UsageError
from incrowd.proposing.kinds import Kind
from incrowd.watch import Stopped, Watch
from strategies import Row, batch, combination, tables

Drawn = tuple[tuple[str, ...], list[Row]]


def source_of(columns: Sequence[str], rows: Sequence[Row], name: str = "rows") -> StreamSource:
    """The rows as a source."""

    def batches(wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield batch(rows, wanted)

    return StreamSource(name, tuple(columns), batches)


def inspected(columns: Sequence[str], rows: Sequence[Row], watch: Watch | None = None) -> Inspection:
    """The rows inspected."""
    return inspect(source_of(columns, rows), watch or Watch())


# By definition, in plain Python


def k_and_unique(rows: Sequence[Row], columns: Sequence[str]) -> tuple[int, int]:
    """The size of the smallest class, and the records alone in theirs."""
    sizes = Counter(combination(row, columns) for row in rows).values()
    return min(sizes, default=0), sum(size == 1 for size in sizes)


def averages(rows: Sequence[Row], columns: Sequence[str], column: str, largest: int) -> tuple[float, float] | None:
    """What the column takes from k and adds to unique records, over all sets of which it makes at most `largest`."""
    others = [name for name in columns if name != column]
    sets = [chosen for size in range(1, largest) for chosen in combinations(others, size)]
    if not sets:
        return None
    before = [k_and_unique(rows, chosen) for chosen in sets]
    after = [k_and_unique(rows, (*chosen, column)) for chosen in sets]
    k_loss = sum(k - k_after for (k, _), (k_after, _) in zip(before, after, strict=True))
    gain = sum(unique_after - unique for (_, unique), (_, unique_after) in zip(before, after, strict=True))
    return k_loss / len(sets), gain / len(sets)


def assert_right(found: Inspection, columns: Sequence[str], rows: Sequence[Row], largest: int) -> None:
    assert found.records == len(rows)
    assert [column.name for column in found.columns] == list(columns)
    assert found.largest_set == largest
    for column in found.columns:
        cells = [row[column.name] for row in rows]
        assert column.distinct == len(set(cells) - {None})
        assert column.missing == cells.count(None)
        assert column.missing_share == (cells.count(None) / len(rows) if rows else 0)
        assert column.unique_share == (sum(cells.count(cell) == 1 for cell in cells) / len(rows) if rows else 0)
        expected = averages(rows, columns, column.name, largest)
        assert (column.k_loss, column.unique_gain) == (expected or (None, None))


@given(tables(most_columns=5, most=15))
@example((("a",), []))
@example((("a", "b"), []))
@example((("a", "b"), [{"a": "v0", "b": None}]))
def test_every_figure(drawn: Drawn) -> None:
    columns, rows = drawn
    found = inspected(columns, rows)
    assert_right(found, columns, rows, largest=len(columns))
    assert found.exact
    assert found.stopped is None


@given(tables(most_columns=5, distinct=40, most=15))
def test_every_figure_where_most_records_are_unique(drawn: Drawn) -> None:
    columns, rows = drawn
    assert_right(inspected(columns, rows), columns, rows, largest=len(columns))


@given(tables(most_columns=5, most=15), st.integers(1, 40))
def test_every_figure_where_only_some_sets_are_affordable(drawn: Drawn, most_sets: int) -> None:
    columns, rows = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contribution, "MOST_SETS", most_sets)
        found = inspected(columns, rows)
        assert_right(found, columns, rows, largest=affordable_size(len(columns), len(rows)))


def test_five_records_by_hand() -> None:
    columns = ("a", "b", "c")
    rows: list[Row] = [
        {"a": "x", "b": "1", "c": "m"},
        {"a": "x", "b": "1", "c": "m"},
        {"a": "x", "b": "2", "c": "m"},
        {"a": "y", "b": "2", "c": "m"},
        {"a": "y", "b": None, "c": "n"},
    ]
    # Class sizes: a 3 2; b 2 2 1; c 4 1; ab 2 1 1 1; ac 3 1 1; bc 2 2 1; abc 2 1 1 1.
    # Thus k is 2 for a, else 1; and unique are: a 0, b 1, c 1, ab 3, ac 2, bc 1, abc 3.
    a, b, c = inspected(columns, rows).columns
    # a joins b, c, bc: k stays 1; unique rises by 3-1, 2-1, 3-1.
    assert (a.k_loss, a.unique_gain) == (0, 5 / 3)
    # b joins a, c, ac: k falls from 2 to 1 once; unique rises by 3-0, 1-1, 3-2.
    assert (b.k_loss, b.unique_gain) == (1 / 3, 4 / 3)
    # c joins a, b, ab: k falls from 2 to 1 once; unique rises by 2-0, 1-1, 3-3.
    assert (c.k_loss, c.unique_gain) == (1 / 3, 2 / 3)
    # The missing cell of b is a value of its own, and nobody else has it.
    assert (a.unique_share, b.unique_share, c.unique_share) == (0, 1 / 5, 1 / 5)
    assert (b.type, b.distinct, b.missing, b.missing_share) == (Kind.INTEGER, 2, 1, 1 / 5)


def test_how_large_the_sets_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [affordable_size(width, 9) for width in (1, 2, 12, 13, 15, 90, 91, 5000)] == [1, 2, 12, 6, 4, 2, 1, 1]
    assert [affordable_size(10, combinations) for combinations in (10**5, 10**6, 10**9)] == [10, 3, 2]
    # Three columns have three sets of one and three of two.
    monkeypatch.setattr(contribution, "MOST_SETS", 6)
    assert affordable_size(3, 9) == 2


def test_some_columns_of_a_source() -> None:
    rows: list[Row] = [{"a": "x", "b": "1", "c": "m"}, {"a": "x", "b": "2", "c": "m"}]
    found = inspect(source_of(("a", "b", "c"), rows), Watch(), among=["c", "b"])
    assert_right(found, ("c", "b"), rows, largest=2)
    with pytest.raises(UsageError, match="no column 'd'"):
        inspect(source_of(("a", "b", "c"), rows), Watch(), among=["d"])


def test_values_that_no_record_has_do_not_count() -> None:
    cells = pa.DictionaryArray.from_arrays([0, 0, 2], ["1", "not a number", "2"])
    source = StreamSource("rows", ("a",), lambda _: iter([pa.record_batch([cells], ["a"])]))
    (column,) = inspect(source, Watch()).columns
    assert (column.distinct, column.type) == (2, Kind.INTEGER)


# Stopped


class Impatient(Watch):
    """Stops at the n-th tick."""

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self._ticks = ticks

    def tick(self, words: str, share: float | None = None) -> None:
        """One tick less."""
        self._ticks -= 1
        if self._ticks < 0:
            raise Stopped("time")


# Nobody is unique, so that no set is spared.
ROWS: list[Row] = [{"a": "x", "b": "1", "c": "m"}, {"a": "x", "b": "2", "c": "m"}, {"a": "y", "b": "2", "c": "n"}] * 2


def test_stopped_at_any_moment_what_is_said_is_right() -> None:
    """One tick to read, six for sets of one and two columns, seven for all sets."""
    largest = []
    for ticks in range(1, 16):
        found = inspected("abc", ROWS, Impatient(ticks))
        assert_right(found, "abc", ROWS, found.largest_set)
        assert found.stopped == ("time" if ticks < 14 else None)
        largest.append(found.largest_set)
    assert largest == [1] * 6 + [2] * 7 + [3] * 2


def test_stopped_while_reading_nothing_is_known() -> None:
    with pytest.raises(Interrupted, match="timed out while rows was being read; there is no result yet"):
        inspected("abc", ROWS, Impatient(0))


# What is shown


def test_text() -> None:
    text = str(inspected("abc", ROWS))
    first, _, header, *_ = text.splitlines()
    assert first == "rows: 6 records, 3 columns."
    assert header.split()[:4] == ["column", "type", "distinct", "missing"]
    assert "joins every set of other columns" in text


def test_text_says_how_far_the_averages_reach() -> None:
    found = inspected("abc", ROWS, Impatient(8))
    assert "joins sets of up to 1 others" in str(found)
    assert "Larger sets of columns were not counted: timed out." in str(found)
    assert "interrupted." in str(replace(found, stopped="interrupted"))
    wide = {f"c{number}": "v" for number in range(100)}
    assert "there are too many columns; choose some with --among" in str(inspected(tuple(wide), [wide, wide]))


def test_json_and_schema() -> None:
    found = inspected(("name", "sex"), [{"name": "x", "sex": "f"}, {"name": "y", "sex": "m"}])
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["records"] == 2
    assert plain["exact"] is True
    assert plain["columns"][1] == {
        "name": "sex",
        "type": "text",
        "distinct": 2,
        "missing": 0,
        "missing_share": 0.0,
        "unique_share": 1.0,
        "k_loss": 0.0,
        "unique_gain": 0.0,
        "role": "quasi",
        "reason": "its name suggests sex or gender",
        "sureness": "sure",
        "placeholders": [],
        "spellings": 0,
        "most_frequent": 1,
        "person": False,
        "alike": 2 * 0.5**5,
        "bars": [0.5, 0.5],
    }
    assert plain["people"] is None
    assert dict(found.schema.roles) == {"name": Role.IDENTIFIER, "sex": Role.QUASI}


def test_a_file_gets_commands_and_a_frame_gets_calls(tmp_path: Path) -> None:
    path = tmp_path / "two words.csv"
    path.write_text("sex,age\nf,1\n")
    named = str(inspect(source_of(("sex", "age"), [], str(path)), Watch()))
    assert f"incrowd diagnose '{path}' --quasi sex,age --k 5" in named
    unnamed = str(inspect(source_of(("sex", "age"), []), Watch()))
    assert "incrowd.diagnose(source).ask(quasi=['sex', 'age'], k=5)" in unnamed
    assert "incrowd diagnose" not in unnamed


@given(
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1, max_size=3, unique=True)
)
@example(["sex", "a,b"])
@example([" age ", "sex"])
@example(['"sex"'])
@example(["\x1b[31m"])
def test_commands_can_be_run_as_they_are(names: list[str]) -> None:
    """The shell and the command line read the same columns from them, whatever the columns are called."""
    found = inspected(names, [])
    found = replace(found, arguments=("some file.csv",))
    commands = [line.strip() for line in str(found).split("\n") if line.startswith("  incrowd ")]
    quasi = list(found.schema.quasi)
    for command in commands:
        program, _, file, *options = shlex.split(command)
        assert (program, file) == ("incrowd", "some file.csv")
        given = [
            options[at + 1] for at, word in enumerate(options[:-1]) if at % 2 == 0 and word in ("--quasi", "--among")
        ]
        assert column_list(given, names) == quasi
    assert len(commands) == (3 if quasi and "".join(quasi).isprintable() else 0)
    assert "\x1b" not in str(found)


FORMS = (
    "{}",
    "{}@example.org",
    "https://example.org/{}",
    "2024-01-{}",
    "{}0000000",
    "0{}",
    "{},5",
    "a longer text about somebody who is called {} by all",
)
NAMES = ("name", "age", "diagnosis", "x", "fnlwgt")


@given(
    st.lists(st.tuples(*(st.sampled_from(FORMS) for _ in NAMES)), max_size=40),
    st.sampled_from(["Zqx", "918273645"]),
    st.integers(1, 70),
)
def test_no_value_is_ever_shown(rows: list[tuple[str, ...]], mark: str, ticks: int) -> None:
    """Each cell holds a mark that nothing else holds."""
    filled: list[Row] = [
        {name: form.format(f"{mark}{at}") for name, form in zip(NAMES, row, strict=True)} for at, row in enumerate(rows)
    ]
    found = inspected(NAMES, filled, Impatient(ticks))
    assert mark not in str(found)
    assert mark not in json.dumps(found.to_dict())
    assert mark not in repr(found)


def test_answers_to_a_survey_are_kept_and_no_demographic_column_is() -> None:
    """Nobody outside knows sixty answers; that a column makes hardly any record unique is no reason to publish it."""
    chance = random.Random(1)
    names = [f"question_{at}" for at in range(60)]
    rows: list[Row] = [{name: str(chance.randint(1, 5)) for name in names} | {"sex": "f"} for _ in range(399)]
    rows.append({**rows[0], "sex": "m"})
    roles = {column.name: column.role for column in inspected(["sex", *names], rows).columns}
    assert roles == {"sex": Role.QUASI, **dict.fromkeys(names, Role.KEEP)}


def test_unsure_roles_come_first() -> None:
    rows: list[Row] = [{"sex": "f", "zz": str(at % 2), "age": str(at)} for at in range(40)]
    found = inspected(("sex", "zz", "age"), rows)
    assert [(column.name, column.sureness) for column in found.columns] == [
        ("sex", "sure"),
        ("zz", "unsure"),
        ("age", "sure"),
    ]
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines[4:7]] == ["zz", "sex", "age"]
    assert "Start with the 1 unsure one at the top." in str(found)
    assert [column["sureness"] for column in found.to_dict()["columns"]] == ["sure", "unsure", "sure"]


def test_what_may_stand_for_missing() -> None:
    rows = [{"age": "34", "work": "?", "note": "none"}, {"age": "NA", "work": "state", "note": "unknown"}]
    found = inspected(("age", "work", "note"), [*rows, {"age": "35", "work": "?", "note": "?!"}])
    assert found.placeholders == {"NA": ["age"], "?": ["work"]}
    assert "work: '?' seems to mean missing; it is read as a value. To change it: --missing-in 'work=?'\n" in str(found)
    assert "age: 'NA' seems to mean missing; it is read as a value. To change it: --missing-in age=NA\n" in str(found)
    assert "mixed with numbers" not in str(found), "it is told already"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2", "3", "4"], (0.4, 0.3, 0.2, 0.1)),
        (["b", "a", "d", "c"], (0.4, 0.3, 0.2, 0.1)),
        (["4", "3", "2", "1"], (0.1, 0.2, 0.3, 0.4)),
        (["2021-01-04", "2021-01-03", "2021-01-02", "2021-01-01"], (0.1, 0.2, 0.3, 0.4)),
        (["4.4.2021", "3.4.2021", "2.4.2021", "1.4.2021"], (0.4, 0.3, 0.2, 0.1)),
    ],
    ids=["numbers", "texts", "numbers are in order", "so are dates", "but no others"],
)
def test_the_bars_of_few_values(values: list[str], expected: tuple[float, ...]) -> None:
    rows: list[Row] = [{"a": value} for times, value in zip((4, 3, 2, 1), values, strict=True) for _ in range(times)]
    [column] = inspected(("a",), rows).columns
    assert column.bars == expected


@pytest.mark.parametrize("values", [range(1200), map(str, range(1200)), [f"{at},5" for at in range(1200)]])
def test_the_bars_of_many_numbers(values: Iterable[object]) -> None:
    source = FrameSource(pa.table({"a": pa.array(list(values))}))
    [column] = inspect(source, Watch()).columns
    assert column.bars == tuple([round(1 / 12, 4)] * 12)


def test_no_bars_without_values() -> None:
    [column] = inspected(("a",), [{"a": None}]).columns
    assert column.bars == ()


@given(st.lists(st.text(" aAbB\u00e9\u00c9e\u0301\u200b\t1", max_size=4), unique=True))
def test_other_spellings_are_those_with_an_equal_normal_form(texts: list[str]) -> None:
    assert spellings(pa.array(texts, pa.string())) == len(texts) - len({normal_form(text) for text in texts})


def test_the_chance_that_records_share_a_value() -> None:
    rows = [{"few": value, "each": str(at)} for at, value in enumerate(["a"] * 8 + [None] * 2)]
    few, each = inspected(("few", "each"), rows).columns
    assert few.alike == pytest.approx(0.8**5 + 0.2**5), "missing counts as one value"
    assert each.alike == pytest.approx(10 * 0.1**5)
