"""A button that starts a run starts one, however often it is clicked: pages without a browser."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from nicegui import core, ui

import incrowd.web
from incrowd.errors import UsageError
from incrowd.web.pages.privacy import PrivacyForm
from incrowd.web.parts import background
from incrowd.web.parts.draft import Draft
from web.test_newest_answer import Workspace, on_a_page, shown, until

DRAFT = {"roles": {"age": "quasi", "sex": "quasi"}}


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that pages go to."""
    found: list[str] = []
    monkeypatch.setattr(ui.navigate, "to", found.append)
    return found


def click(place: ui.element, words: str) -> ui.button:
    """Do what the server does when a click arrives, whether or not an earlier one has been worked on."""
    core.loop = asyncio.get_running_loop()
    button = next(each for each in place.descendants() if isinstance(each, ui.button) and each.text == words)
    listener = next(each for each in button._event_listeners.values() if each.type == "click")
    button.client.handle_event({"id": button.id, "listener_id": listener.id, "args": []})
    return button


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(background, "_PAUSE", 0)
    monkeypatch.setattr(core, "loop", None)
    return Workspace(tmp_path)


def test_a_doubled_click_creates_one_release(space: Workspace, visited: list[str]) -> None:
    async def test() -> None:
        form = PrivacyForm(space, "me", Draft("table", **DRAFT))  # type: ignore[arg-type]
        with ui.element("div") as place:
            form.start_button()
        for _ in range(3):
            click(place, "Create the release")
        await until(lambda: visited)
        # Nor does one that arrives before the browser has left the page.
        click(place, "Create the release")
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(space.requests) == 1
        assert visited == ["/runs/1"]

    on_a_page(test)


def test_after_a_refusal_the_button_works_again(space: Workspace, visited: list[str]) -> None:
    async def test() -> None:
        submit = space.submit

        def refuse(*given: Any) -> Any:
            raise UsageError("the queue is full")

        form = PrivacyForm(space, "me", Draft("table", **DRAFT))  # type: ignore[arg-type]
        with ui.element("div") as place:
            form.start_button()
        space.submit = refuse  # type: ignore[method-assign]
        button = click(place, "Create the release")
        await until(lambda: button.enabled)
        assert "the queue is full" in shown(place)
        space.submit = submit  # type: ignore[method-assign]
        click(place, "Create the release")
        await until(lambda: visited)
        assert "the queue is full" not in shown(place)

    on_a_page(test)


def test_every_page_that_goes_to_a_run_has_such_a_button() -> None:
    pages = Path(incrowd.web.__file__).parent.rglob("*.py")
    assert [path.name for path in pages if 'navigate.to(f"/runs/' in path.read_text("utf-8")] == ["background.py"]
