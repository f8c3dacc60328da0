"""Pages of a table are found by what their modules declare."""

from types import SimpleNamespace

import pytest

from incrowd import families
from incrowd.web import pages


def test_steps_and_tools_in_their_order() -> None:
    assert list(pages.steps()) == ["columns", "diagnose", "hierarchies", "privacy", "releases"]
    assert list(pages.tools()) == ["risk", "frontier", "apply", "measure", "table", "linked"]
    assert all(callable(module.show) for module in (pages.steps() | pages.tools()).values())


def test_a_page_of_another_package_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    page = SimpleNamespace(TOOL=(2, "Equal classes"), show=lambda space, owner, file: None)
    point = SimpleNamespace(name="equal", load=lambda: page)
    points = {"incrowd.web.pages": [point]}
    families.found.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(families, "entry_points", lambda group: points.get(group, []))
        assert list(pages.tools()) == ["risk", "equal", "frontier", "apply", "measure", "table", "linked"]
        assert "equal" not in pages.steps()
        families.found.cache_clear()
