"""The page that joins further tables about the same people to a table, and publishes them together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.formats import outputs
from incrowd.text import number, percent
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.background import fetch_result, newest, run_soon, starts_run, stop_if_gone, try_in_thread
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.inspected import inspected
from incrowd.web.parts.key_columns import ROWS, Seen, Suggestion, suggestions
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.parts.linked_draft import Child, LinkedDraft, table_name

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

TOOL = (6, "Several tables")


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    lead = (
        "Tables about the same people, such as visits of patients, may single people out only together. Join them by "
        "their keys: they are diagnosed, generalized, published and verified as one. Open the table with one row per "
        "person."
    )
    with layout.page("Several tables", lead, (file.id, file.name), "linked"):
        LinkedForm(space, owner, file).show()


class LinkedForm:
    """The tables of a set, and what is asked of them."""

    def __init__(self, space: Workspace, owner: str, file: StoredFile) -> None:
        self.space, self.owner, self.file = space, owner, file
        self.set = LinkedDraft.load(space, owner, file)
        self.drafts: dict[str, Draft] = {}
        self.diagnosis = LatestRun(space, owner, f"{file.id}-linked", "diagnose", _show_diagnosis)
        self.risk = LatestRun(space, owner, f"{file.id}-linked", "risk", _show_risk)

    def show(self) -> None:
        """Show the tables once they are inspected."""
        self.body = ui.element("div").classes("stack")
        run_soon(self.fill)

    async def fill(self) -> None:
        """Show everything anew."""
        with newest(self.body) as box:
            self.drafts = {name: Draft.load(self.space, self.owner, file) for name, file in self.set.files.items()}
            for draft in self.drafts.values():
                known = await inspected(self.space, self.owner, draft)
                stop_if_gone(box)
                if not known:
                    layout.next_step("Go to columns", draft.file, "columns")
                    return
            self._choose_key()
            with layout.panel("Tables", mark="linked-tables"):
                self._tables()
            with layout.panel("Add a table", mark="add-table"):
                self._add_form()
            if self.set.children:
                self._settings()
                self._next()

    @property
    def _first(self) -> Seen:
        """The columns of the first table, and its first records."""
        return Seen(self.drafts[self.set.name].inspection or {}, {"rows": []})

    def _choose_key(self) -> None:
        """Take the columns that identify the person: those that were chosen, or the likeliest."""
        seen = self._first
        if not self.set.key or not set(self.set.key) <= set(seen.columns):
            told = self.drafts[self.set.name].person
            one = [name for name in told if name in seen.unique] or ([] if len(told) > 1 else seen.unique)
            self.set.key = one[:1] or (told if len(told) > 1 else [])

    # The tables

    def _tables(self) -> None:
        self._key_field()
        with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
            layout.table_head(
                ("table", "belongs to", "quasi-identifiers", "sensitive", "published unchanged", "action")
            )
            with ui.element("tbody"):
                for at, (name, draft) in enumerate(self.drafts.items()):
                    with ui.element("tr"):
                        self._row(at, name, draft)
        layout.hint(
            "Roles and hierarchies are those of each table's own pages. Keys get new numbers, the same in all tables. "
            "Every other column that identifies people is dropped."
        )

    def _key_field(self) -> None:
        seen = self._first
        if not seen.unique:
            layout.mark(
                layout.message(
                    "No column has a value of its own in every record. The first table needs one row per person: "
                    "choose several columns if they identify the person together. People who repeat are refused.",
                    "warning",
                ),
                "person-repeats",
            )
        field = ui.select(
            seen.columns, value=self.set.key, multiple=True, label="Columns that identify the person"
        ).classes("wide")

        def choose(event: Any) -> None:
            self.set.key = list(event.value or [])
            self.set.keep(self.space, self.owner)

        # Drawn anew once all of them are chosen.
        field.on("popup-hide", self.fill)
        layout.mark(field.on_value_change(choose), "person-key")
        if self.set.children:
            # Others belong to it by these columns.
            field.disable()

    def _row(self, at: int, name: str, draft: Draft) -> None:
        child = next((each for each in self.set.children if each.name == name), None)
        columns = self.set.columns(name, draft)
        layout.mark(layout.text(name, "td", "column-name"), f"linked-{at}").style("font-weight: 600")
        layout.text(self._belongs(child), "td")
        for role in (Role.QUASI, Role.SENSITIVE, Role.KEEP):
            layout.text(", ".join(each for each, of in columns.items() if of["role"] == role), "td")
        with ui.element("td"), layout.line() as actions:
            actions.style("flex-wrap: nowrap")
            layout.mark(ui.link("Columns", f"/files/{draft.file}/columns"), f"linked-columns-{at}")
            layout.mark(ui.link("Hierarchies", f"/files/{draft.file}/hierarchies"), f"linked-hierarchies-{at}")
            if child is not None:

                async def remove() -> None:
                    self.set.remove(name)
                    self.set.keep(self.space, self.owner)
                    await self.fill()

                layout.mark(layout.quiet_button("Remove").on_click(remove), f"linked-remove-{at}")

    def _belongs(self, child: Child | None) -> str:
        if child is None:
            is_one_each = any(name in self._first.unique for name in self.set.key)
            return "one row per person" if is_one_each else ""
        theirs = "" if child.here == child.there else f" = {' + '.join(child.there)}"
        return f"{child.of} by {' + '.join(child.here)}{theirs}"

    # One more

    def _add_form(self) -> None:
        others = {
            id: label
            for id, label in choices.tables_of(self.space, self.owner).items()
            if id not in self.set.files.values()
        }
        if not others:
            layout.hint("No other table is stored. Open its file on the first page, then come back.")
            return
        with layout.line():
            self.other = ui.select(others, label="Table to add").classes("wide")
            layout.mark(self.other.on_value_change(self._suggest), "linked-file")
            self.of = ui.select(self.set.names, value=self.set.name, label="It belongs to").classes("middle")
            layout.mark(self.of.on_value_change(self._suggest), "linked-of")
        with layout.line():
            self.here = ui.select([], multiple=True, label="Its key columns").classes("middle")
            layout.mark(self.here, "linked-here")
            self.there = ui.select([], multiple=True, label="Key columns there, in the same order").classes("middle")
            layout.mark(self.there, "linked-there")
            layout.mark(ui.button("Add the table", on_click=self._add).props("outline no-caps"), "linked-add")
        self.about = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "linked-about")

    async def _suggest(self) -> None:
        """Fill the key columns with those that are likeliest to go together."""
        if not self.other.value:
            return
        file, of = self.other.value, self.of.value
        with newest(self.about) as box:
            child = await self._seen(Draft.load(self.space, self.owner, file))
            stop_if_gone(box)
            parent = await self._seen(self.drafts[of])
            stop_if_gone(box)
            if child is None or parent is None:
                return
            known = self.set.key_of(of)
            if len(known) > 1:
                # Only together do they lead to a record.
                same = known if set(known) <= set(child.columns) else []
                self._fill_keys((child.columns, same), (known, known))
                layout.mark(layout.message(_suggested_together(known, bool(same))), "linked-suggested")
                return
            there = known or parent.unique
            first = next((each for each in suggestions(child, parent) if each.there in there), None)
            self._fill_keys(
                (child.columns, [first.here] if first else []),
                (known or parent.columns, [first.there] if first else known),
            )
            layout.mark(layout.message(_suggested(first), "" if first else "warning"), "linked-suggested")

    def _fill_keys(self, here: tuple[list[str], list[str]], there: tuple[list[str], list[str]]) -> None:
        """Show the columns that may be keys, and those that are suggested."""
        self.here.set_options(here[0], value=list(here[1]))
        self.there.set_options(there[0], value=list(there[1]))

    async def _seen(self, draft: Draft) -> Seen | None:
        if not await inspected(self.space, self.owner, draft):
            return None
        head = await fetch_result(self.space, "head", {**draft.reading, "rows": ROWS}, self.owner)
        return None if head is None else Seen(draft.inspection or {}, head)

    async def _add(self) -> None:
        if not (self.other.value and self.here.value and self.there.value):
            ui.notify("Choose a table and the key columns first.", type="info")
            return
        if len(self.here.value) != len(self.there.value):
            ui.notify("Choose as many key columns here as there.", type="info")
            return
        if self.other.value in self.set.files.values():
            # A second click on the button.
            return
        stored = self.space.file(self.other.value, self.owner)
        name = table_name(stored, self.set.names)
        self.set.children.append(Child(stored.id, name, self.of.value, list(self.here.value), list(self.there.value)))
        self.set.keep(self.space, self.owner)
        await self.fill()

    # What is asked

    def _settings(self) -> None:
        draft = self.drafts[self.set.name]

        def change(name: str, value: Any) -> None:
            if value is not None or name == "time":
                setattr(draft, name, value)
                draft.keep(self.space, self.owner)

        with layout.panel("Privacy", mark="linked-privacy"):
            layout.hint(
                "An attacker knows the person's row in the first table and, in every other table, one, some or all "
                "records of the person. Whatever is known is then true of at least k people."
            )
            with layout.line():
                k = ui.number("k", value=draft.k, min=2, step=1, precision=0).classes("narrow")
                layout.mark(k.on_value_change(lambda event: change("k", event.value and int(event.value))), "k")
                choices.knows(draft.knows).on_value_change(lambda event: change("knows", event.value))
                share = ui.number("People suppressed at most (%)", value=draft.suppress * 100, min=0, max=100, step=0.5)
                layout.mark(
                    share.classes("middle").on_value_change(
                        lambda event: change("suppress", None if event.value is None else round(event.value / 100, 6))
                    ),
                    "suppress",
                )
            with layout.line():
                choices.time_limit(draft.time).on_value_change(lambda event: change("time", event.value))
                format = ui.select(outputs(), value=draft.output, label="File format").classes("middle")
                layout.mark(format.on_value_change(lambda event: change("output", event.value)), "output")
            layout.hint("Sensitive columns are protected by the models of their table's Privacy page.")

    def _next(self) -> None:
        with layout.panel("Singled-out people", mark="linked-diagnosis"):
            layout.hint("How many people the columns single out, and which columns of several tables do so together.")
            with layout.line():
                layout.mark(layout.quiet_button("Diagnose the tables").on_click(self._diagnose), "linked-diagnose")
                layout.mark(layout.quiet_button("Measure the risk").on_click(self._risk), "linked-risk")
            for latest in (self.diagnosis, self.risk):
                if not self._is_of_these(latest):
                    latest.last = None
            self.diagnosis.place_result("linked-diagnosed", self._diagnosis_request, self.body)
            self.risk.place_result("linked-risks", self._risk_request, self.body)
        with ui.element("div").classes("next"):
            layout.mark(starts_run(ui.button("Create the release").props("no-caps unelevated"), self._start), "go")
        self.place = ui.element("div")

    def _is_of_these(self, latest: LatestRun) -> bool:
        """Return whether the latest run is of these tables, with these roles and keys."""
        job = latest.request.get("job", {})
        return bool(job.get("tables") == json.loads(json.dumps(self.set.job(self.drafts)["tables"])))

    async def _diagnose(self) -> None:
        await self.diagnosis.start(self._diagnosis_request())

    def _diagnosis_request(self) -> dict[str, Any]:
        return {"job": self.set.job(self.drafts), "k": 2, "max_size": 2}

    async def _risk(self) -> None:
        await self.risk.start(self._risk_request())

    def _risk_request(self) -> dict[str, Any]:
        return {"job": self.set.job(self.drafts), "knows": self.drafts[self.set.name].knows}

    async def _start(self) -> Run | None:
        self.place.clear()
        with self.place:
            return await try_in_thread(self.space.submit, "anonymize", {"job": self.set.job(self.drafts)}, self.owner)


def _suggested(first: Suggestion | None) -> str:
    if first is None:
        return "No columns go together by their names and values. Choose the key columns, if there are any."
    names = "the same name" if first.same_name else "different names"
    return (
        f"Suggested: {first.here} = {first.there}. They have {names}, and of the values in the first {number(ROWS)} "
        f"records, {percent(first.share)} are in both tables. Correct it if it is wrong."
    )


def _suggested_together(known: list[str], is_same: bool) -> str:
    together = " and ".join(known)
    if is_same:
        return f"Suggested: {together}, which both tables have. Correct it if it is wrong."
    return f"The key there is {together}. Choose the columns here that go with them, in the same order."


def _show_diagnosis(over: Run) -> None:
    """Show who is singled out by all columns, and which columns do so only together."""
    found = over.result or {}
    first, *_ = str(found["text"]).split("\n\n")
    for line in first.split("\n"):
        layout.mark(layout.paragraph(line, "found"), "linked-singled")
    together = [each for each in found["sets"] if len({name.partition(".")[0] for name in each["columns"]}) > 1]
    rows = [
        [" + ".join(each["columns"]), each["people"], each["only_together"]]
        for each in sorted(together, key=lambda each: -each["only_together"])
        if each["only_together"]
    ]
    if rows:
        tables.show(["columns of several tables", "people singled out", "only together"], rows)
    else:
        layout.hint("No two columns of different tables single out anybody only together.")


def _show_risk(over: Run) -> None:
    """Show the risk of people in sentences."""
    for line in str((over.result or {})["text"]).split("\n"):
        layout.mark(layout.paragraph(line, "found"), "linked-risk-found")
