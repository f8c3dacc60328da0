"""Settings of single columns: published form, order of values, bounds, losses of levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from incrowd.recodings import Form
from incrowd.web.parts import layout
from incrowd.web.parts.choices import parse_numbers
from incrowd.web.parts.draft import Draft

_FORMS = {
    "": "default of the search",
    Form.RANGE: "range: lowest to highest value",
    Form.ENDS: "ends: lowest and highest value, in two columns",
    Form.ANCESTOR: "ancestor: lowest label that covers all values",
    Form.SET: "set: all values",
    Form.SET_OR_ANCESTOR: "set or ancestor: all values where they are few, else the lowest label that covers them",
    Form.MEAN: "mean of the numbers",
    Form.MEDIAN: "median: middle value",
    Form.MODE: "mode: most frequent value",
}


def _parse_values(written: str) -> list[str]:
    return [each.strip() for each in written.split(",") if each.strip()]


_READ: dict[str, Callable[[str], Any]] = {
    "scale": _parse_values,
    "domain": lambda written: parse_numbers(written, float),
    "bounds": lambda written: (parse_numbers(written, float) or [None])[0],
    "losses": lambda written: parse_numbers(written, float),
}
_EXAMPLES = {"scale": "small, middle, large", "domain": "0, 120", "bounds": "10", "losses": "0, 0.2, 1"}


def show(draft: Draft, keep: Callable[[], None]) -> None:
    """Show a table row for each quasi-identifier."""
    layout.hint(
        "For local recoding (mondrian, k_members, microaggregation): the published form of a class, the order of all "
        "values, the lowest and highest possible number, and a step for ranges, which then end at its multiples "
        "instead of at real values. For global recoding: the loss of each level of the hierarchy."
    )
    with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
        layout.table_head(
            ("column", "published form", "order of values", "lowest, highest", "range step", "losses of levels")
        )
        with ui.element("tbody"):
            for at, column in enumerate(draft.quasi):
                with ui.element("tr"):
                    layout.text(column, "td", "column-name")
                    _form_field(draft, keep, column, at)
                    for key in _READ:
                        _text_field(draft, keep, column, key, at)


def _set(draft: Draft, keep: Callable[[], None], column: str, key: str, value: Any) -> None:
    chosen = draft.details.setdefault(column, {})
    if value in (None, "", []):
        chosen.pop(key, None)
    else:
        chosen[key] = value
    keep()


def _form_field(draft: Draft, keep: Callable[[], None], column: str, at: int) -> None:
    with ui.element("td"):
        options = {str(form): label for form, label in _FORMS.items()}
        field = ui.select(options, value=draft.details.get(column, {}).get("form", ""), label=f"Form of {column}")
        field.on_value_change(lambda event: _set(draft, keep, column, "form", event.value))
        layout.mark(field.props("dense options-dense").classes("unlabeled"), f"form-{at}")


def _text_field(draft: Draft, keep: Callable[[], None], column: str, key: str, at: int) -> None:
    def change(event: Any) -> None:
        try:
            _set(draft, keep, column, key, _READ[key](event.value or ""))
        except ValueError:
            ui.notify(f"Enter numbers, such as {_EXAMPLES[key]}.", type="negative")

    with ui.element("td"):
        known = ", ".join(
            each if isinstance(each, str) else f"{each:g}" for each in _current_values(draft, column, key)
        )
        field = ui.input(value=known, placeholder=_EXAMPLES[key]).props("dense debounce=400")
        layout.mark(field.on_value_change(change), f"{key}-{at}").props["aria-label"] = f"{key} of {column}"


def _current_values(draft: Draft, column: str, key: str) -> list[Any]:
    known = draft.details.get(column, {}).get(key, ())
    return list(known) if isinstance(known, list | tuple) else [known]
