"""The diagnosis page: any of the twelve questions, formed by choosing what is given and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Nulls
from incrowd.diagnosis.measures import K_ANONYMITY
from incrowd.diagnosis.questions import Suppression, question_for
from incrowd.text import attributes
from incrowd.web.parts import explore, layout, table_report, tables, words
from incrowd.web.parts.background import fetch_result, newest, run_soon
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.expert import NULLS
from incrowd.web.parts.kept_form import WORDS
from incrowd.web.parts.measure_choice import ChosenMeasure
from incrowd.web.parts.tables import format_cell

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

STEP = (2, "Diagnose")

ASKED = "asked"
HELPS = ("Quasi-identifier", "Equivalence class", "Single out", "k-anonymity", "Suppress", "Attribute disclosure")
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
    "suppress": "share to suppress",
    "suppressed": "records to suppress",
    "people": "people who lose records",
    "remaining": "remaining records",
    "holds": "satisfied",
}
_BORDERS = {"smallest_unsafe": "Smallest sets that fail", "largest_safe": "Largest safe sets"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    draft = Draft.load(space, owner, file.id)
    lead = (
        f"Find out which {'people' if draft.person else 'records'} are unique, and through which columns. Nothing here "
        "changes the table or the settings."
    )
    with layout.page("Diagnosis", lead, (file.id, file.name), "diagnose", HELPS):
        if not draft.quasi:
            layout.no_quasi_message(file.id)
            return
        about = (
            "Choose for each line whether you give the value or ask for it. Records with equal values in the columns "
            "that an attacker knows form an equivalence class; k is the size of the smallest class."
        )
        if draft.person:
            about += f" People are counted, identified by {attributes(draft.person)}."
        with layout.panel("Ask a question", about, mark="question"):
            question = Question(space, owner, draft)
            question.form()
        explore.show(space, owner, draft)
        table_report.show(space, owner, draft)
        layout.next_step("Next: hierarchies", file.id, "hierarchies")


class Question:
    """A question and the place for its answer."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        columns = [name for name in draft.question.get("columns", draft.quasi) if name in draft.roles]
        self.chosen: dict[str, Any] = {**_USUAL, "columns": columns, **draft.question}
        self.chosen["columns"] = columns or draft.quasi
        self.measure = ChosenMeasure(draft, self.chosen)
        self._answered: dict[str, Any] | None = None

    def form(self) -> None:
        """Show the measure, then one line for each part of the question."""
        self.measure.show(self._set, self._redraw)
        self.parts = ui.element("div").classes("stack")
        with self.parts:
            self._parts()
        self._settings()
        with layout.line():
            layout.mark(ui.button("Ask", on_click=self.ask).props("no-caps unelevated"), "ask")
            self.words = layout.mark(layout.text("", "span", "muted"), "question-words")
        self.outdated = layout.mark(layout.message(WORDS, "warning"), "outdated")
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "answer")
        self._update_question()
        run_soon(self.ask)

    def _redraw(self) -> None:
        """Show the parts again, because the parameter depends on the measure."""
        self.parts.clear()
        with self.parts:
            self._parts()

    def _parts(self) -> None:
        self._part("k", self.measure.label, {"given": "given", ASKED: "asked"}, self._value)
        columns = {"given": "given", ASKED: "asked: which sets?"}
        self._part("columns", "Columns that an attacker knows", columns, self._columns)
        kinds = {"none": "none", "given": "given", ASKED: "asked"}
        self._part("suppress", "Suppressed records", kinds, self._suppress)

    def _part(self, name: str, label: str, kinds: dict[str, str], field: Callable[[], ui.element]) -> None:
        with layout.line():
            layout.text(label, "span", "label")
            toggle = ui.toggle(kinds, value=self.chosen[f"{name}_kind"]).props(
                "no-caps unelevated toggle-color=primary"
            )
            layout.mark(toggle, f"{name}-kind")
            toggle.props["aria-label"] = label
            given = field()
            # If sets are asked for, these are the columns that they are made of.
            given.bind_visibility_from(toggle, "value", lambda kind: name == "columns" or kind == "given")
            toggle.on_value_change(lambda event: self._set(f"{name}_kind", event.value))

    def _value(self) -> ui.element:
        name = self.measure.parameter
        with layout.line() as box:
            value = self.measure.field().classes("narrow")
            layout.mark(value.on_value_change(lambda event: self._set(name, event.value)), name)
            side = "at least" if name == "t" else "at most"
            threat = ui.checkbox(f"Find threats: sets with {side} this {name}", value=self.chosen["threat"])
            layout.mark(threat.on_value_change(lambda event: self._set("threat", event.value)), "threat")
        return box

    def _columns(self) -> ui.element:
        select = ui.select(list(self.draft.roles), value=self.chosen["columns"], multiple=True, label="Columns")
        select.props("use-chips options-dense").classes("rest")
        return layout.mark(select.on_value_change(lambda event: self._set("columns", event.value)), "question-columns")

    def _suppress(self) -> ui.element:
        share = ui.number("Suppression limit (%)", value=self.chosen["suppress"], min=0, max=100, step=0.5)
        return layout.mark(
            share.classes("middle").on_value_change(lambda event: self._set("suppress", event.value)), "suppress"
        )

    def _settings(self) -> None:
        """Show optional settings; an empty field means the default."""
        with layout.mark(ui.expansion("More settings"), "question-settings"):
            with layout.line():
                nulls = ui.select(NULLS, value=self.chosen.get("nulls", str(Nulls.EXTENDED)), label="Missing values")
                nulls.on_value_change(lambda event: self._set("nulls", event.value))
                layout.mark(nulls.classes("wide"), "question-nulls")
                self._number("max_size", "Largest set (columns)", "all")
                self._number("up_to", "Largest k or l to list", "50")
                self._number("time", "Time limit (seconds)", "none")
            rows = ui.checkbox("List the records to suppress", value=self.chosen.get("rows", False))
            layout.mark(rows.on_value_change(lambda event: self._set("rows", event.value)), "question-rows")

    def _number(self, name: str, label: str, usual: str) -> None:
        field = ui.number(label, value=self.chosen.get(name), min=1, precision=0, placeholder=usual)
        field.on_value_change(lambda event: self._set(name, event.value and int(event.value)))
        layout.mark(field.classes("middle").props("stack-label"), f"question-{name.replace('_', '-')}")

    def _set(self, name: str, value: Any) -> None:
        self.chosen[name] = value
        self.draft.question = self.chosen
        self.draft.keep(self.space, self.owner)
        self._update_question()
        self._compare()

    def _compare(self) -> None:
        """Mark the answer if it is one to another question."""
        is_outdated = self._answered is not None and self._answered != self.request()
        self.outdated.set_visibility(is_outdated)
        self.place.classes(**{"add" if is_outdated else "remove": "outdated"})

    def _update_question(self) -> None:
        kind = {"none": Suppression.NONE, "given": Suppression.GIVEN, ASKED: Suppression.ASKED}
        question = question_for(
            self.chosen["k_kind"] == "given",
            self.chosen["columns_kind"] == "given",
            kind[self.chosen["suppress_kind"]],
        )
        self.words.set_content(escape(f"Question {question.name[1:]} of 12: {self._question_text(question.name)}"))

    @property
    def _is_threat(self) -> bool:
        chosen = self.chosen
        return bool(chosen["threat"] and chosen["k_kind"] == "given" and chosen["suppress_kind"] != ASKED)

    def _question_text(self, question: str) -> str:
        """Return the question in plain words."""
        chosen, share = self.chosen, f"{format_cell(self.chosen['suppress'])}%"
        if not self.measure.is_k:
            return self.measure.question_text(question, share, self._is_threat)
        if self._is_threat:
            return f"which sets have a k of at most {format_cell(chosen['k'])}?"
        return words.QUESTIONS[question].format(k=format_cell(chosen["k"]), share=share)

    def request(self) -> dict[str, Any]:
        """Return the question as a request."""
        chosen, given = self.chosen, self.chosen["k_kind"] == "given"
        asked: dict[str, Any] = {**self.draft.reading_columns, **self.measure.request(), "person": self.draft.person}
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
        # A t of 0 is a value, not an empty field.
        return {name: value for name, value in asked.items() if value not in (None, []) and value is not False}

    async def ask(self) -> None:
        """Ask the question and show the answer as a sentence and a table."""
        asked = self.request()
        self._answered = None
        self._compare()
        with newest(self.place):
            answer = await fetch_result(self.space, "diagnose", asked, self.owner)
            if answer is not None:
                _show_answer(answer)
                self._answered = asked
                self._compare()


def _show_answer(answer: dict[str, Any]) -> None:
    layout.mark(layout.paragraph(answer["sentence"], "found"), "sentence")
    rows = answer["answer"]
    if isinstance(rows, dict):
        rows = [rows]
    if isinstance(rows, list) and rows:
        plain = [row if isinstance(row, dict) else {"quasi": row} for row in rows]
        names = list(plain[0])
        layout.mark(
            tables.show(
                [_ROWS.get(name, name) for name in names],
                [[_cell(name, row.get(name)) for name in names] for row in plain],
            ),
            "answer-table",
        )
    suppressed = answer.get("suppressed_rows")
    if suppressed is not None:
        layout.heading("Records to suppress", 3)
        layout.mark(tables.show(["record (counted from 0)"], [[at] for at in suppressed]), "records-to-suppress")
    if answer["question"] in ("Q3", "Q7"):
        for border, title in _BORDERS.items():
            if answer.get(border):
                layout.heading(title, 3)
                layout.mark(tables.show(["columns"], [[each] for each in answer[border]]), "other-border")


def _cell(name: str, value: Any) -> Any:
    from incrowd.text import cautious, percent

    if name in ("l", "t") and isinstance(value, float):
        return cautious(value, larger_is_safer=name == "l")
    return percent(value) if name == "suppress" and value is not None else value
