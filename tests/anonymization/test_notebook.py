"""Results in a notebook: a look that is HTML and escaped, frames, pictures, pickles; and the progress bar."""

import pickle
import re
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization import run_of_everything as every
from incrowd import notebook
from incrowd.charts import Chart
from incrowd.errors import UsageError
from incrowd.watch import Progress, Watch

NASTY = "<img src=x onerror=alert(1)>"
VOID = {"img", "br", "wbr"}
OPEN = ("read",)
"""Verbs that open a table and find nothing yet."""
RESULTS = {name: make for name, make in every.RESULTS.items() if name not in OPEN} | {
    "anonymize": lambda folder, table: incrowd.anonymize(table, every.job())
}
WITHOUT_PICTURE = {"Diagnosis", "Head", "FirstJob", "PairedRecords", "Report", "PublishedTable", "Verdict"}


class Tags(HTMLParser):
    """The tags of a page; all that are opened must be closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.waiting: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.waiting.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.waiting.pop() == tag


def tags(page: str) -> set[str]:
    found = Tags(page)
    assert found.waiting == []
    return found.seen


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_every_result(result: Callable[[Path, pa.Table], Any], tmp_path: Path) -> None:
    made = result(tmp_path, every.people())
    for each in made if type(made) is list else [made]:
        assert tags(each._repr_html_()) <= {"div", "strong", "table", "thead", "tbody", "tr", "th", "td"}
        rows = each.to_rows()
        assert len(rows) == len(each.to_pandas()) == len(each.to_polars()) > 0
        if type(each).__name__ not in WITHOUT_PICTURE and getattr(each, "question", "") != "Q3":
            assert each.plot().startswith("<svg")
        again = pickle.loads(pickle.dumps(each))
        assert again.to_rows() == rows
        assert str(again)
        assert again._repr_html_()


def test_what_comes_from_data_is_escaped() -> None:
    table = pa.table({NASTY: ["a", "b", "b"], "sex": ["f", "m", "m"]})
    found = [incrowd.inspect(table), incrowd.diagnose(table).ask(), incrowd.risk(table, [NASTY, "sex"])]
    for each in found:
        assert "img" not in tags(each._repr_html_())
        assert "&lt;img" in each._repr_html_()
    assert "<img" not in found[0].plot()


def test_people_who_are_exposed_are_not_named() -> None:
    people = pa.table({"who": ["Ann Quokka", "Bo Quokka"], "age": ["31", "47"]})
    found = incrowd.attack(people.select(["age"]), columns={"age": {"role": "quasi"}}, outside=people, name="who")
    assert "Ann Quokka" in str(found)
    assert "Quokka" not in found._repr_html_()
    assert "exposed" in found._repr_html_()


def test_the_first_look_at_a_release() -> None:
    made = incrowd.anonymize(every.people(), every.job())
    page = made._repr_html_()
    assert "<strong>Verified: 40 records in " in page
    assert "Information loss: " in page
    assert "Warning: " in page
    assert "Next: made.frame has the release." in page


def test_a_release_is_its_own_frame(tmp_path: Path) -> None:
    in_memory = incrowd.anonymize(every.people(), every.job())
    assert in_memory.to_rows() == in_memory.frame.to_pylist()
    written = incrowd.anonymize(every.people(), every.job(output=str(tmp_path / "out.csv")))
    texts = [{name: None if cell is None else str(cell) for name, cell in row.items()} for row in in_memory.to_rows()]
    assert [{name: str(cell) for name, cell in row.items()} for row in written.to_rows()] == texts


def test_a_pickle_leaves_out_the_private_record() -> None:
    made = incrowd.anonymize(every.people(), every.job())
    assert made.record.quasi
    assert copy(made).record is deepcopy(made).record is made.record
    made.frame.schema  # noqa: B018 - the frame itself is kept
    stored = pickle.dumps(made)
    assert b"RecodedQuasi" not in stored
    again = pickle.loads(stored)
    assert again.frame == made.frame
    assert again.verdict == made.verdict
    assert not again.has_record
    assert "Verified: 40 records" in again._repr_html_()
    with pytest.raises(UsageError, match="a pickle of a release leaves it out"):
        _ = again.record
    with pytest.raises(AttributeError, match="nothing"):
        _ = again.nothing


def test_answers_keep_what_they_say() -> None:
    diagnosis = incrowd.diagnose(every.people())
    for asked in ({"k": 3}, {"k": 3, "quasi": ["town", "income"], "suppress": incrowd.FIND}, {}):
        answer = diagnosis.ask(**asked)
        again = pickle.loads(pickle.dumps(answer))
        assert again.answer == answer.answer
        assert str(again) == str(answer)
        assert again.below_border() == answer.below_border()
    every_row = diagnosis.ask(k=11, quasi=["town"], suppress=incrowd.FIND)
    assert pickle.loads(pickle.dumps(every_row)).suppressed_rows == list(range(40))


def test_pictures() -> None:
    diagnosis = incrowd.diagnose(every.people())
    with pytest.raises(UsageError, match="print it"):
        diagnosis.ask(k=3, quasi=["town"]).plot()
    curve = diagnosis.ask(quasi=["town", "born"], suppress=incrowd.FIND).plot()
    assert "records to suppress" in curve
    figure = curve.figure()
    assert figure.axes[0].get_xlabel() == "k"
    assert curve._repr_html_().startswith('<div style="background:#fff')
    assert repr(curve).startswith("<Chart: ")
    stored = pickle.loads(pickle.dumps(curve))
    assert (stored, type(stored)) == (curve, Chart)
    with pytest.raises(UsageError, match="draw it again"):
        stored.figure()


def words(chart: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", chart)


def test_the_picture_of_a_release() -> None:
    """One level for each column; cells that differ; and losses that a local search measured."""
    models = [{"k_anonymity": {"k": 10}}]
    levels = incrowd.anonymize(every.people(), every.job(models=models, suppress=0))
    heights = {column.name: column.height for column in levels.record.quasi}
    shares = {name: f"{100 * (level or 0) / (heights[name] or 1):.1f}%" for name, level in levels.levels.items()}
    assert any(share != "0.0%" for share in shares.values())
    assert set(shares.values()) <= set(words(levels.plot()))
    cells = incrowd.anonymize(every.people(), every.job("fewest_cells", models=models, suppress=0))
    gone = [sum(cell is None or cell == "*" for cell in cells.frame.column(name).to_pylist()) for name in heights]
    assert any(gone)
    assert {f"{100 * of / 40:.1f}%" for of in gone} <= set(words(cells.plot()))
    assert "information loss" in words(incrowd.anonymize(every.people(), every.job("mondrian")).plot())


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.charts.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'incrowd\[report\]'"):
        incrowd.inspect(every.people()).plot()


class Screen:
    """A notebook that notes what is shown, in place of IPython."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[str] = []
        shell = ModuleType("IPython")
        page = ModuleType("IPython.display")
        shell.get_ipython = lambda: self  # type: ignore[attr-defined]
        page.HTML = str  # type: ignore[attr-defined]
        page.display = self.display  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "IPython", shell)
        monkeypatch.setitem(sys.modules, "IPython.display", page)
        self.kernel: Any = "a kernel"

    def display(self, page: str, display_id: bool) -> "Screen":
        assert display_id
        self.shown.append(page)
        return self

    def update(self, page: str) -> None:
        self.shown.append(page)


def test_a_bar_is_shown_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)
    monkeypatch.setattr(notebook, "_PATIENCE", 0)
    with Watch() as watch:
        watch.tick("<b>half</b>", 0.5)
    assert screen.shown == [
        '<progress max="1" value="0.500" aria-label="&lt;b&gt;half&lt;/b&gt;" style="width:20em"></progress> '
        "&lt;b&gt;half&lt;/b&gt;",
        "",
    ]


def test_a_verb_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)
    monkeypatch.setattr(notebook, "_PATIENCE", 0)
    incrowd.anonymize(every.people(), every.job())
    assert screen.shown[-1] == ""
    assert any("<progress" in page for page in screen.shown)


def test_no_bar_where_none_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)
    with Watch() as watch:
        watch.tick("over soon")
    seen: list[Progress] = []
    monkeypatch.setattr(notebook, "_PATIENCE", 0)
    with Watch(progress=seen.append) as watch:
        watch.tick("told elsewhere")
    screen.kernel = None
    with Watch() as watch:
        watch.tick("in a terminal")
    assert screen.shown == []
    assert [each.words for each in seen] == ["told elsewhere"]


def test_a_page_that_is_gone_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch)
    monkeypatch.setattr(notebook, "_PATIENCE", 0)
    monkeypatch.setattr(screen, "update", lambda page: 1 / 0)
    with Watch() as watch:
        watch.tick("first")
