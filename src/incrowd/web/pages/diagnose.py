"""The Diagnosis Centre: any of the twelve questions, by choosing what is given and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Nulls
from incrowd.diagnosis.measures import K_ANONYMITY
from incrowd.diagnosis.questions import Suppression, question_for
from incrowd.web.parts import explore, layout, table_report, tables, words
from incrowd.web.parts.background import found, later
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.expert import NULLS
from incrowd.web.parts.measure_choice import ChosenMeasure
from incrowd.web.parts.tables import shown

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

ASKED = "asked"
_USUAL = {
    "measure": K_ANONYMITY,
    "k": 5,
    "k_kind": "given",
    "columns_kind": "given",
    "suppress_kind": "none",
    "suppress": 2.0,
    "threat": False,
}
_ROWS = {
    "quasi": "columns",
    "k": "k",
    "suppress": "share to leave out",
    "suppressed": "records to leave out",
    "remaining": "records that remain",
    "holds": "holds",
}
_BORDERS = {"smallest_unsafe": "Smallest sets that fail", "largest_safe": "Largest safe sets"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    draft = Draft.of(space, owner, file.id)
    lead = (
        "Choose what is given and what is asked; the answer is in words. It changes nothing: go on whenever you like."
    )
    with layout.page("Who stands out?", lead, (file.id, file.name), "diagnose"):
        if not draft.quasi:
            layout.without_quasi(file.id)
            return
        with layout.panel("Ask a question", mark="question"):
            question = Question(space, owner, draft)
            question.form()
        explore.show(space, owner, draft)
        table_report.show(space, owner, draft)
        layout.next_step("Next: how values are made coarser", file.id, "hierarchies")


class Question:
    """What is given and what is asked, and the place for the answer."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        columns = [name for name in draft.question.get("columns", draft.quasi) if name in draft.roles]
        self.chosen: dict[str, Any] = {**_USUAL, "columns": columns, **draft.question}
        self.chosen["columns"] = columns or draft.quasi
        self.measure = ChosenMeasure(draft, self.chosen)

    def form(self) -> None:
        """What is measured, then three lines, one for each part of a question."""
        self.measure.show(self._set, self._redraw)
        self.parts = ui.element("div").classes("stack")
        with self.parts:
            self._parts()
        self._settings()
        with layout.line():
            layout.marked(ui.button("Ask", on_click=self.ask).props("no-caps unelevated"), "ask")
            self.words = layout.marked(layout.text("", "span", "muted"), "question-words")
        self.place = layout.marked(ui.element("div").classes("stack").props("aria-live=polite"), "answer")
        self._tell()
        later(self.ask)

    def _redraw(self) -> None:
        """Another measure has another number to give."""
        self.parts.clear()
        with self.parts:
            self._parts()

    def _parts(self) -> None:
        self._part("k", self.measure.label, {"given": "given", ASKED: "asked"}, self._value)
        columns = {"given": "given", ASKED: "asked: which sets of them?"}
        self._part("columns", "Columns that an outsider knows", columns, self._columns)
        kinds = {"none": "none", "given": "given", ASKED: "asked"}
        self._part("suppress", "Records that are left out", kinds, self._suppress)

    def _part(self, name: str, label: str, kinds: dict[str, str], field: Callable[[], ui.element]) -> None:
        with layout.line():
            layout.text(label, "span", "label")
            toggle = ui.toggle(kinds, value=self.chosen[f"{name}_kind"]).props(
                "no-caps unelevated toggle-color=primary"
            )
            layout.marked(toggle, f"{name}-kind")
            toggle.props["aria-label"] = label
            given = field()
            # Also where sets are asked for, columns say of which ones they are made.
            given.bind_visibility_from(toggle, "value", lambda kind: name == "columns" or kind == "given")
            toggle.on_value_change(lambda event: self._set(f"{name}_kind", event.value))

    def _value(self) -> ui.element:
        name = self.measure.parameter
        with layout.line() as box:
            value = self.measure.field().classes("narrow")
            layout.marked(value.on_value_change(lambda event: self._set(name, event.value)), name)
            side = "more" if name == "t" else "less"
            threat = ui.checkbox(f"or {side}: list what threatens the table", value=self.chosen["threat"])
            layout.marked(threat.on_value_change(lambda event: self._set("threat", event.value)), "threat")
        return box

    def _columns(self) -> ui.element:
        select = ui.select(list(self.draft.roles), value=self.chosen["columns"], multiple=True, label="Columns")
        select.props("use-chips options-dense").classes("rest")
        return layout.marked(
            select.on_value_change(lambda event: self._set("columns", event.value)), "question-columns"
        )

    def _suppress(self) -> ui.element:
        share = ui.number("at most, in percent", value=self.chosen["suppress"], min=0, max=100, step=0.5)
        return layout.marked(
            share.classes("middle").on_value_change(lambda event: self._set("suppress", event.value)), "suppress"
        )

    def _settings(self) -> None:
        """What few need to say; an empty field is as usual."""
        with layout.marked(ui.expansion("Further settings"), "question-settings"):
            with layout.line():
                nulls = ui.select(NULLS, value=self.chosen.get("nulls", str(Nulls.EXTENDED)), label="Missing cells")
                nulls.on_value_change(lambda event: self._set("nulls", event.value))
                layout.marked(nulls.classes("wide"), "question-nulls")
                self._number("max_size", "Sets of columns up to", "all")
                self._number("up_to", "Largest k or l that is listed", "50")
                self._number("time", "Time, in seconds", "no limit")
            rows = ui.checkbox("List the records that have to go", value=self.chosen.get("rows", False))
            layout.marked(rows.on_value_change(lambda event: self._set("rows", event.value)), "question-rows")

    def _number(self, name: str, label: str, usual: str) -> None:
        field = ui.number(label, value=self.chosen.get(name), min=1, precision=0, placeholder=usual)
        field.on_value_change(lambda event: self._set(name, event.value and int(event.value)))
        layout.marked(field.classes("middle").props("stack-label"), f"question-{name.replace('_', '-')}")

    def _set(self, name: str, value: Any) -> None:
        self.chosen[name] = value
        self.draft.question = self.chosen
        self.draft.keep(self.space, self.owner)
        self._tell()

    def _tell(self) -> None:
        kind = {"none": Suppression.NONE, "given": Suppression.GIVEN, ASKED: Suppression.ASKED}
        question = question_for(
            self.chosen["k_kind"] == "given",
            self.chosen["columns_kind"] == "given",
            kind[self.chosen["suppress_kind"]],
        )
        self.words.set_content(
            escape(f"{self._put(question.name)} This is question {question.name[1:]} of the twelve.")
        )

    @property
    def _is_threat(self) -> bool:
        chosen = self.chosen
        return bool(chosen["threat"] and chosen["k_kind"] == "given" and chosen["suppress_kind"] != ASKED)

    def _put(self, question: str) -> str:
        """The question as a reader would put it."""
        chosen, share = self.chosen, f"{shown(self.chosen['suppress'])} %"
        if not self.measure.is_k:
            return self.measure.put(question, share, self._is_threat)
        if self._is_threat:
            return f"You ask what has a k of {shown(chosen['k'])} or less."
        others = shown(max(0, int(chosen["k"] or 0) - 1))
        return f"You ask: {words.QUESTIONS[question].format(others=others, share=share)}"

    def request(self) -> dict[str, Any]:
        """The question as plain data."""
        chosen, given = self.chosen, self.chosen["k_kind"] == "given"
        asked: dict[str, Any] = {**self.draft.reading, **self.measure.request()}
        columns = [name for name in chosen["columns"] if name != asked.get("sensitive")]
        asked["quasi" if chosen["columns_kind"] == "given" else "among"] = columns
        if given:
            asked[self.measure.parameter] = self.measure.value
            asked["at_least" if self.measure.parameter == "t" else "at_most"] = self._is_threat
        if chosen["suppress_kind"] != "none":
            share = round((chosen["suppress"] or 0) / 100, 6)
            asked["suppress"] = "find" if chosen["suppress_kind"] == ASKED else share
        asked |= {name: chosen.get(name) for name in ("nulls", "max_size", "time")}
        asked["up_to"] = chosen.get("up_to") if self.measure.parameter != "t" else None
        # Records belong to one set of columns.
        asked["rows"] = chosen.get("rows") and chosen["suppress_kind"] != "none" and given and "quasi" in asked
        # A t of 0 is given, too.
        return {name: value for name, value in asked.items() if value not in (None, []) and value is not False}

    async def ask(self) -> None:
        """Ask, and show the answer in words and as a table."""
        self.place.clear()
        with self.place:
            answer = await found(self.space, "diagnose", self.request(), self.owner)
            if answer is not None:
                _show_answer(answer)


def _show_answer(answer: dict[str, Any]) -> None:
    layout.marked(layout.paragraph(answer["sentence"], "found"), "sentence")
    rows = answer["answer"]
    if isinstance(rows, dict):
        rows = [rows]
    if isinstance(rows, list) and rows:
        plain = [row if isinstance(row, dict) else {"quasi": row} for row in rows]
        names = list(plain[0])
        layout.marked(
            tables.show(
                [_ROWS.get(name, name) for name in names],
                [[_cell(name, row.get(name)) for name in names] for row in plain],
            ),
            "answer-table",
        )
    gone = answer.get("suppressed_rows")
    if gone is not None:
        layout.heading("Records that have to go", 3)
        layout.marked(tables.show(["record (the first is 1)"], [[at + 1] for at in gone]), "gone")
    if answer["question"] in ("Q3", "Q7"):
        for border, title in _BORDERS.items():
            if answer.get(border):
                layout.heading(title, 3)
                layout.marked(tables.show(["columns"], [[each] for each in answer[border]]), "other-border")


def _cell(name: str, value: Any) -> Any:
    from incrowd.text import cautious, percent

    if name in ("l", "t") and isinstance(value, float):
        return cautious(value, larger_is_safer=name == "l")
    return percent(value) if name == "suppress" and value is not None else value
