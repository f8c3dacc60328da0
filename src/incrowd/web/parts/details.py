"""What few need to say about a column: what a group publishes, in what order values are, what levels cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from incrowd.recodings import Form
from incrowd.web.parts import layout
from incrowd.web.parts.choices import numbers
from incrowd.web.parts.draft import Draft

_FORMS = {
    "": "as usual",
    Form.RANGE: "range: from the lowest to the highest",
    Form.ANCESTOR: "ancestor: the closest label that all share",
    Form.SET: "set: all its values",
    Form.MEAN: "mean of its numbers",
    Form.MEDIAN: "median: the middle value",
    Form.MODE: "mode: the most frequent value",
}


def _values(written: str) -> list[str]:
    return [each.strip() for each in written.split(",") if each.strip()]


_READ: dict[str, Callable[[str], Any]] = {
    "scale": _values,
    "domain": lambda written: numbers(written, float),
    "bounds": lambda written: (numbers(written, float) or [None])[0],
    "losses": lambda written: numbers(written, float),
}
_EXAMPLES = {"scale": "small, middle, large", "domain": "0, 120", "bounds": "10", "losses": "0, 0.2, 1"}


def show(draft: Draft, keep: Callable[[], None]) -> None:
    """A row for each column that outsiders may know."""
    layout.hint(
        "For searches that make groups (mondrian, k_members, microaggregation): what a group publishes, all values of "
        "a column from lowest to highest, the lowest and highest number that could occur, and the step at whose "
        "multiples ranges end instead of at real values. For the others: what each level of the hierarchy loses."
    )
    with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in (
                "column",
                "a group publishes",
                "order of its values",
                "lowest, highest",
                "range step",
                "losses of levels",
            ):
                layout.text(name, "th").props("scope=col")
        with ui.element("tbody"):
            for at, column in enumerate(draft.quasi):
                with ui.element("tr"):
                    layout.text(column, "td", "column-name")
                    _form(draft, keep, column, at)
                    for key in _READ:
                        _written(draft, keep, column, key, at)


def _set(draft: Draft, keep: Callable[[], None], column: str, key: str, value: Any) -> None:
    chosen = draft.details.setdefault(column, {})
    if value in (None, "", []):
        chosen.pop(key, None)
    else:
        chosen[key] = value
    keep()


def _form(draft: Draft, keep: Callable[[], None], column: str, at: int) -> None:
    with ui.element("td"):
        options = {str(form): told for form, told in _FORMS.items()}
        field = ui.select(options, value=draft.details.get(column, {}).get("form", ""), label=f"Form of {column}")
        field.on_value_change(lambda event: _set(draft, keep, column, "form", event.value))
        layout.marked(field.props("dense options-dense").classes("unlabelled"), f"form-{at}")


def _written(draft: Draft, keep: Callable[[], None], column: str, key: str, at: int) -> None:
    def change(event: Any) -> None:
        try:
            _set(draft, keep, column, key, _READ[key](event.value or ""))
        except ValueError:
            ui.notify(f"Write numbers, such as {_EXAMPLES[key]}.", type="negative")

    with ui.element("td"):
        known = ", ".join(each if isinstance(each, str) else f"{each:g}" for each in _known(draft, column, key))
        field = ui.input(value=known, placeholder=_EXAMPLES[key]).props("dense debounce=400")
        layout.marked(field.on_value_change(change), f"{key}-{at}").props["aria-label"] = f"{key} of {column}"


def _known(draft: Draft, column: str, key: str) -> list[Any]:
    known = draft.details.get(column, {}).get(key, ())
    return list(known) if isinstance(known, list | tuple) else [known]
