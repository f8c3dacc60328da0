"""The page of several tables is asked anew before it has answered, or clicked twice: without a browser."""

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import ui

from incrowd.service import Workspace
from incrowd.web.pages import linked
from incrowd.web.pages.linked import LinkedForm
from incrowd.web.parts.draft import Draft
from web.test_newest_answer import end, on_a_page, shown, until

TABLES = {
    "patients": "clinic,patient,region\na,1,N\na,2,S\nb,1,N\n",
    "visits": "clinic,patient,ward\na,1,x\nb,1,y\n",
    "stays": "visit,house\n1,a\n2,b\n",
}


def column(name: str, distinct: int, records: int) -> dict[str, Any]:
    return {"name": name, "distinct": distinct, "missing": 0, "role": "quasi"}


def prepared(folder: Path) -> tuple[Workspace, dict[str, Any]]:
    """The tables as they are after they were inspected."""
    space = Workspace.open(folder / "space")
    files = {}
    for name, text in TABLES.items():
        files[name] = space.add_file(f"{name}.csv", io.BytesIO(text.encode()))
        header, *records = [line.split(",") for line in text.splitlines()]
        draft = Draft.load(space, "", files[name].id)
        draft.roles = dict.fromkeys(header, "quasi")
        of = [column(each, len({row[at] for row in records}), len(records)) for at, each in enumerate(header)]
        draft.inspection = {"records": len(records), "columns": of}
        draft.keep(space, "")
    return space, files


async def form_of(space: Workspace, files: dict[str, Any]) -> LinkedForm:
    form = LinkedForm(space, "", files["patients"])
    form.body = ui.element("div")
    await form.fill()
    return form


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> list["asyncio.Future[Any]"]:
    """The first records of a table, which come when the test says so."""
    asked: list[asyncio.Future[Any]] = []

    async def fetch(space: Any, kind: str, request: dict[str, Any], owner: str) -> Any:
        asked.append(asyncio.get_running_loop().create_future())
        return await asked[-1]

    monkeypatch.setattr(linked, "fetch_result", fetch)
    return asked


def test_an_earlier_suggestion_is_not_shown(tmp_path: Path, heads: list[Any]) -> None:
    space, files = prepared(tmp_path)

    async def test() -> None:
        form = await form_of(space, files)
        form.other = SimpleNamespace(value=files["stays"].id)  # type: ignore[assignment]
        first = asyncio.create_task(form._suggest())
        await until(lambda: len(heads) == 1)
        form.other = SimpleNamespace(value=files["visits"].id)  # type: ignore[assignment]
        second = asyncio.create_task(form._suggest())
        await until(lambda: len(heads) == 2)
        of_stays = {"columns": ["visit", "house"], "rows": []}
        of_visits = {"columns": ["clinic", "patient", "ward"], "rows": []}
        heads[1].set_result(of_visits)
        await until(lambda: len(heads) == 3)
        heads[2].set_result({"columns": ["clinic", "patient", "region"], "rows": []})
        await end(second)
        heads[0].set_result(of_stays)
        await end(first)
        assert form.here.options == of_visits["columns"]
        assert len([each for each in form.about.descendants() if "data-mark" in each.props]) == 1

    on_a_page(test)
    space.close()


def test_the_page_says_that_people_repeat_only_if_no_column_tells(tmp_path: Path) -> None:
    """In this table no column has a value of its own in every record."""
    space, files = prepared(tmp_path)

    async def test() -> None:
        form = await form_of(space, files)
        assert "No column has a value of its own" in shown(form.body)
        assert "one row per person</" not in shown(form.body)
        texts = [str(getattr(each, "text", "")) for each in form.body.descendants()]
        assert "one row per person" not in texts
        form.set.key = ["clinic", "patient"]
        form.set.keep(space, "")
        await form.fill()
        assert form.set.job(form.drafts)["tables"]["patients"]["columns"]["clinic"] == {"role": "person"}

    on_a_page(test)
    space.close()


def test_a_second_click_adds_no_table_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space, files = prepared(tmp_path)

    async def keep_fields() -> None:
        """The second click came before the page was drawn anew."""

    async def test() -> None:
        form = await form_of(space, files)
        form.set.key = ["clinic", "patient"]
        fill, form.fill = form.fill, keep_fields  # type: ignore[method-assign]
        fields = {"other": files["visits"].id, "of": "patients"}
        both = ["clinic", "patient"]
        for name, value in {**fields, "here": both, "there": both}.items():
            setattr(form, name, SimpleNamespace(value=value))
        clicks = [asyncio.create_task(form._add()) for _ in range(2)]
        for click in clicks:
            await end(click)
        assert [child.name for child in form.set.children] == ["visits"]
        form.fill = fill  # type: ignore[method-assign]
        await form.fill()
        assert form.set.job(form.drafts)["tables"]["visits"]["on"] == ["clinic", "patient"]

    on_a_page(test)
    space.close()
