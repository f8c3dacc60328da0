"""An answer to an earlier question is not shown beside or instead of that to the newest: pages without a browser."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import Client, ui

from incrowd.web.pages import columns
from incrowd.web.pages.diagnose import Question
from incrowd.web.pages.hierarchies import HierarchyEditor
from incrowd.web.pages.linked import LinkedForm
from incrowd.web.parts import background
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.parts.linked_draft import Child

LEVELS = {"level": 0, "labels": 1, "covers": 1, "loss": 0, "smallest_class": 1, "examples": []}


class Workspace:
    """Runs that end when a test says so; the result of a run tells its number."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.requests, self.over, self.kept = folder, [], set(), {}
        self.deleted: list[str] = []

    def submit(self, kind: str, request: dict[str, Any], owner: str) -> Any:
        self.requests.append(request)
        return self.run(str(len(self.requests)))

    def run(self, run_id: str, owner: str = "") -> Any:
        state = "done" if run_id in self.over else "running"
        request = self.requests[int(run_id) - 1]
        facts = {"records": 1, "values": 1, "missing": 0, "hierarchy": {"mask": {}}, "levels": [LEVELS], "people": None}
        result = {**facts, "sentence": f"answer {run_id}", "answer": None, "question": "Q1", "columns": []}
        return SimpleNamespace(id=run_id, state=state, progress={}, request=request, result=result, error=None)

    progress = run

    def cancel(self, run_id: str) -> None:
        self.over.add(run_id)

    def is_over(self, run_id: str) -> bool:
        return run_id in self.over

    def delete_run(self, run_id: str) -> None:
        self.deleted.append(run_id)

    def artifact(self, run_id: str, name: str) -> Path:
        path = self.folder / f"{run_id}.csv"
        path.write_text(f"value {run_id};*\n")
        return path

    def tables(self, file: str, owner: str) -> list[str]:
        return []

    def notes(self, owner: str) -> Any:
        forget = lambda name: self.kept.pop(name, None)  # noqa: E731 - as the notes have it
        return SimpleNamespace(get=self.kept.get, put=self.kept.__setitem__, delete=forget)


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(background, "_PAUSE", 0)
    return Workspace(tmp_path)


def on_a_page(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test where elements can be made."""

    async def run() -> None:
        client = Client(ui.page("/test"))
        with client:
            await test()
        client.delete()

    asyncio.run(run())


async def until(holds: Callable[[], Any]) -> None:
    while not holds():
        await asyncio.sleep(0)


async def end(task: "asyncio.Task[Any]") -> None:
    """Wait for a task, which may have been stopped."""
    with suppress(asyncio.CancelledError):
        await task


def shown(place: ui.element) -> str:
    """All that is written in a place."""
    return " ".join(str(each.content) for each in place.descendants() if isinstance(each, ui.html))


@pytest.mark.parametrize("first_ends_first", [True, False])
def test_a_question_asked_while_another_is_answered(space: Workspace, first_ends_first: bool) -> None:
    async def test() -> None:
        question = Question(space, "me", Draft("table", roles={"age": "quasi", "sex": "quasi"}))  # type: ignore[arg-type]
        question.form()
        first = asyncio.create_task(question.ask())
        await until(lambda: len(space.requests) == 1)
        second = asyncio.create_task(question.ask())
        await until(lambda: len(space.requests) == 2)
        for run_id, task in (("1", first), ("2", second)) if first_ends_first else (("2", second), ("1", first)):
            space.over.add(run_id)
            await end(task)
        assert "answer 2" in shown(question.place)
        assert "answer 1" not in shown(question.place)
        assert set(space.deleted) == {"1", "2"}

    on_a_page(test)


def test_a_hierarchy_built_while_another_is_read(space: Workspace) -> None:
    async def test() -> None:
        editor = HierarchyEditor(space, "me", Draft("table"), "zip")  # type: ignore[arg-type]
        editor.show()
        reading, read, artifact = Event(), Event(), space.artifact

        def slow(run_id: str, name: str) -> Path:
            if run_id == "1":
                reading.set()
                read.wait()
            return artifact(run_id, name)

        space.artifact = slow  # type: ignore[method-assign]
        space.over |= {"1", "2"}
        first = asyncio.create_task(editor.use("mask"))
        await until(reading.is_set)
        await editor.use("automatic")
        read.set()
        await end(first)
        assert "value 2" in str([each.props for each in editor.place.descendants()])
        assert "value 1" not in str([each.props for each in editor.place.descendants()])
        # Nor is what was not shown taken over.
        assert editor.draft.hierarchies == {"zip": "automatic"}
        assert set(space.deleted) == {"1", "2"}

    on_a_page(test)


def test_a_hierarchy_that_fails_changes_nothing(space: Workspace) -> None:
    async def test() -> None:
        editor = HierarchyEditor(space, "me", Draft("table", hierarchies={"zip": "automatic"}), "zip")  # type: ignore[arg-type]
        editor.show()
        first = asyncio.create_task(editor.use("mask"))
        await until(lambda: space.requests)
        run = space.run
        space.run = lambda run_id, owner="": SimpleNamespace(**{**vars(run(run_id)), "state": "failed"})  # type: ignore[method-assign]
        space.over |= {"1", "2"}
        await editor.use("dates")
        await end(first)
        assert editor.draft.hierarchies == {"zip": "automatic"}

    on_a_page(test)


def test_columns_read_again_while_they_are_read(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    works: list[Callable[[], Any]] = []
    bodies: list[ui.element] = []

    @contextmanager
    def page(*words: Any) -> Iterator[ui.element]:
        with ui.element("div") as made:
            bodies.append(made)
            yield made

    monkeypatch.setattr(columns.layout, "page", page)
    monkeypatch.setattr(columns, "run_soon", works.append)
    monkeypatch.setattr(columns, "_body", lambda *given: ui.html("the columns", sanitize=False))

    async def test() -> None:
        columns.show(space, "me", SimpleNamespace(id="table", name="t.csv"))  # type: ignore[arg-type]
        [load] = works
        both = [asyncio.create_task(load()), asyncio.create_task(load())]
        await until(lambda: space.requests)
        space.over |= {"1", "2"}
        for each in both:
            await end(each)
        assert shown(bodies[0]).count("the columns") == 1

    on_a_page(test)


def test_a_second_click_starts_no_second_run(space: Workspace) -> None:
    async def test() -> None:
        latest = LatestRun(
            space, "me", "table", "measure", lambda over: ui.html(f"run {over.id}", sanitize=False) and None
        )  # type: ignore[arg-type]
        latest.place_result("measured", dict)
        first = asyncio.create_task(latest.start({"seed": 1}))
        second = asyncio.create_task(latest.start({"seed": 1}))
        await second
        await until(lambda: space.requests)
        space.over.add("1")
        await first
        assert len(space.requests) == 1
        assert shown(latest.place) == "run 1"

    on_a_page(test)


def test_an_earlier_run_is_not_shown_below_a_later_one(space: Workspace) -> None:
    async def test() -> None:
        drawing = asyncio.Event()

        async def show(over: Any) -> None:
            above = ui.html(f"facts {over.id}", sanitize=False)
            if over.id == "1":
                await drawing.wait()
                background.stop_if_gone(above)
            ui.html(f"picture {over.id}", sanitize=False)

        latest = LatestRun(space, "me", "table", "frontier", show)  # type: ignore[arg-type]
        latest.place_result("found", dict)
        space.over |= {"1", "2"}
        first = asyncio.create_task(latest.start({}))
        await until(lambda: "facts 1" in shown(latest.place))
        await latest.start({})
        drawing.set()
        await end(first)
        assert shown(latest.place) == "facts 2 picture 2"

    on_a_page(test)


COLUMN = {"name": "key", "role": "identifier", "distinct": 2, "missing": 0, "records": 2}
INSPECTION = {"records": 2, "columns": [COLUMN]}


class Tables(Workspace):
    """A workspace with three tables."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.kinds: list[str] = []

    def files(self, owner: str) -> list[Any]:
        return [self.file(name, owner) for name in ("people", "visits", "tests")]

    def file(self, id: str, owner: str) -> Any:
        return SimpleNamespace(id=id, name=f"{id}.csv", table=None, kind="csv", added=0.0)

    def submit(self, kind: str, request: dict[str, Any], owner: str) -> Any:
        self.kinds.append(kind)
        return super().submit(kind, request, owner)

    def run(self, run_id: str, owner: str = "") -> Any:
        made = super().run(run_id, owner)
        head = {"columns": ["key"], "rows": [["1"], ["2"]]}
        return SimpleNamespace(
            **{**vars(made), "result": head if self.kinds[int(run_id) - 1] == "head" else INSPECTION}
        )

    progress = run


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tables:
    monkeypatch.setattr(background, "_PAUSE", 0)
    # A test chooses by itself.
    monkeypatch.setattr(ui.select, "on_value_change", lambda select, handler: select)
    return Tables(tmp_path)


def linked_form(space: Tables) -> LinkedForm:
    form = LinkedForm(space, "me", space.file("people", "me"))  # type: ignore[arg-type]
    form.body = ui.element("div")
    return form


def inspect_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table is inspected."""
    draft = Draft("", inspection=INSPECTION, roles={"key": "quasi"})
    monkeypatch.setattr(Draft, "load", lambda space, owner, file: replace(draft, file=file))


async def ask_twice(space: Tables, ask: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Ask again while the run of the first question, which is answered, is being deleted."""
    deleting, deleted, delete_run = Event(), Event(), space.delete_run

    def slow(run_id: str) -> None:
        if run_id == "1":
            deleting.set()
            deleted.wait()
        delete_run(run_id)

    space.delete_run = slow  # type: ignore[method-assign]
    space.over |= set("123456")
    first = asyncio.create_task(ask())
    await until(deleting.is_set)
    second = asyncio.create_task(ask())
    await until(lambda: len(space.requests) == 2)
    deleted.set()
    await end(first)
    await end(second)


def test_keys_of_a_table_that_was_chosen_twice(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect_at_once(monkeypatch)

    async def test() -> None:
        form = linked_form(tables)
        await form.fill()
        form.other.value = "visits"
        await ask_twice(tables, form._suggest)
        assert shown(form.about).count("Suggested: key = key.") == 1
        assert "Working" not in shown(form.about)

    on_a_page(test)


def test_tables_shown_again_while_they_are_read(tables: Tables) -> None:
    async def test() -> None:
        form = linked_form(tables)
        await ask_twice(tables, form.fill)
        marks = [each.props.get("data-mark") for each in form.body.descendants()]
        assert marks.count("linked-tables") == 1

    on_a_page(test)


def test_a_diagnosis_of_other_tables_is_not_shown(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect_at_once(monkeypatch)
    monkeypatch.setattr(LatestRun, "place_result", lambda latest, *more: None)

    async def test() -> None:
        form = linked_form(tables)
        await form.fill()
        form.set.children.append(Child("visits", "visits", "people", "key", "key"))
        await form.fill()
        last = SimpleNamespace(request=json.loads(json.dumps({"job": form.set.job(form.drafts)})))
        form.diagnosis.last = last  # type: ignore[assignment]
        await form.fill()
        assert form.diagnosis.last is last
        form.set.children.append(Child("tests", "tests", "people", "key", "key"))
        await form.fill()
        assert form.diagnosis.last is None

    on_a_page(test)
