"""Options of the search `scored`: score, starting table, pre-sampling, partial domains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from nicegui import ui

from incrowd.families import SCORES
from incrowd.web.parts import layout, words
from incrowd.web.parts.draft import SCORED, Draft


class Scoring:
    """The fields, shown while the search is `scored`; an empty field means the default."""

    def __init__(self, draft: Draft, keep: Callable[[], None]) -> None:
        self.draft, self.keep = draft, keep
        self.options = draft.scored
        self.place = ui.element("div").classes("stack full")
        self.kinds = SCORES.known()
        self.fill()

    def fill(self) -> None:
        """Show the fields if the search has them."""
        self.place.clear()
        if self.draft.search != SCORED:
            return
        with self.place, layout.mark(ui.element("div").classes("stack full"), "scored-options"):
            layout.heading("Options of the search scored", 3)
            layout.hint(
                "The score counts different values, weighted by the priorities above. The lowest and highest levels "
                "set there apply."
            )
            with layout.line():
                self._score()
                self._number("p", "p: records above k at the start", 0)
            with layout.line():
                self._number("sample_k", "sample_k: drop smaller classes first (pre-sampling)", 1)
                partial = ui.checkbox("Restore detail in single classes (partial)", value=self._is("partial"))
                partial.on_value_change(lambda event: self._set("partial", event.value or None))
                layout.mark(partial, "scored-partial")
            self._levels()

    def _is(self, name: str) -> bool:
        return bool(self.options.get(name))

    def _score(self) -> None:
        name, given = self._named()
        explained = words.meanings(SCORES)
        chosen = words.select(explained, name, "Score", lambda event: self._choose(event.value))
        layout.mark(chosen.classes("middle"), "scored-score")
        for each in fields(self.kinds[name]):
            field = ui.number(f"{each.name} of {name}", value=given.get(each.name), min=0)
            field.on_value_change(lambda event, option=each.name: self._set_score(option, event.value))
            layout.mark(field.classes("narrow"), f"scored-score-{each.name}")

    def _named(self) -> tuple[str, dict[str, Any]]:
        """Return the score and its options."""
        given = self.options.get("score", SCORES.ranked()[0])
        [(name, options)] = given.items() if isinstance(given, dict) else [(given, {})]
        return (name, dict(options)) if name in self.kinds else (SCORES.ranked()[0], {})

    def _choose(self, name: str) -> None:
        if name != self._named()[0]:
            self._set("score", name)
            self.fill()

    def _set_score(self, option: str, value: float | None) -> None:
        name, options = self._named()
        options = {**options, option: _to_int_if_whole(value)} if value is not None else {}
        self._set("score", {name: options} if options else name)

    def _number(self, name: str, label: str, usual: int) -> None:
        field = ui.number(label, value=self.options.get(name), min=usual, precision=0, placeholder=str(usual))
        field.on_value_change(lambda event: self._set(name, None if event.value is None else int(event.value)))
        layout.mark(field.classes("wide").props("stack-label"), f"scored-{name}")

    def _levels(self) -> None:
        """Show the level at which pre-sampling compares each column."""
        layout.hint("sample_levels: level at which pre-sampling compares each column (0: original value).")
        with layout.line():
            for at, column in enumerate(self.draft.quasi):
                field = ui.number(column, value=self._known_levels().get(column), min=0, precision=0, placeholder="0")
                field.on_value_change(lambda event, name=column: self._set_level(name, event.value))
                layout.mark(field.classes("narrow").props("stack-label"), f"scored-level-{at}")

    def _known_levels(self) -> dict[str, int]:
        """Return the levels of columns that still are quasi-identifiers."""
        known = self.options.get("sample_levels", {})
        return {name: level for name, level in known.items() if name in self.draft.quasi}

    def _set_level(self, column: str, value: float | None) -> None:
        levels = self._known_levels()
        levels.pop(column, None)
        self._set("sample_levels", levels if value is None else {**levels, column: int(value)})

    def _set(self, name: str, value: Any) -> None:
        if value in (None, {}):
            self.options.pop(name, None)
        else:
            self.options[name] = value
        self.keep()


def _to_int_if_whole(value: float) -> float:
    return int(value) if float(value).is_integer() else value
