"""Changes to a table as it is read: names, values and types of columns, and the rows."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.prepare import ValueType
from incrowd.errors import IncrowdError, UsageError
from incrowd.jobs.names import listed
from incrowd.jobs.preparation import prepare_given
from incrowd.service.uploads import has_types
from incrowd.text import count
from incrowd.web.parts import layout
from incrowd.web.parts.background import fetch_result, newest, stop_if_gone
from incrowd.web.parts.draft import model_column, spell_column
from incrowd.web.parts.grids import grid
from incrowd.web.parts.typed_fields import TypedFields

if TYPE_CHECKING:
    from incrowd.service import Workspace
    from incrowd.web.parts.draft import Draft

MOST_VALUES = 2000
"""Different values of a column up to which they are listed."""
_AS_READ = "as read"
_TYPES = {
    _AS_READ: "as read",
    ValueType.TEXT: "text",
    ValueType.INTEGER: "integer: whole numbers",
    ValueType.NUMBER: "number",
    ValueType.DATE: "date, written as 2021-04-03",
}
_BY_COLUMN = (
    "chosen",
    "also_person",
    "hierarchies",
    "limits",
    "minimums",
    "priorities",
    "details",
    "normalize",
    "missing_in",
)
"""Settings of a column that stay its own under another name."""

Again = Callable[[], Awaitable[None]]
Change = Callable[[dict[str, Any]], object]
"""Changes what is prepared, as the draft has it."""


class Preparing:
    """The fields that change one table."""

    def __init__(self, space: Workspace, owner: str, draft: Draft, again: Again) -> None:
        self.space, self.owner, self.draft, self.again = space, owner, draft, again
        columns = [] if draft.inspection is None else draft.inspection["columns"]
        self.columns: dict[str, dict[str, Any]] = {each["name"]: each for each in columns}

    @cached_property
    def typed_column(self) -> TypedFields:
        """Return the choice of a column; what is typed for it is kept apart, because another one may be chosen."""
        return self._typed("column")

    @cached_property
    def typed_rows(self) -> TypedFields:
        """Return what is typed for rows."""
        return self._typed("rows")

    @property
    def is_pending(self) -> bool:
        """Return whether something was chosen or typed, and no button pressed."""
        return self.typed_column.is_pending or self.typed_rows.is_pending

    def _typed(self, name: str) -> TypedFields:
        return TypedFields(self.space, self.owner, self.draft.file, name)

    def _of_column(self, name: str) -> TypedFields:
        return self._typed(f"column-{[*self.columns].index(name)}")

    def show(self) -> None:
        """Show what was changed, with buttons that take it back, and the fields for more."""
        layout.hint(
            "The file stays as it is; the table is changed each time that it is read, before anything else. The "
            "release and its manifest do not say what was changed; the private record does."
        )
        self.show_changes()
        with layout.stack() as self.place:
            pass
        names = list(self.columns)
        with layout.line() as choice:
            self.column = ui.select(names, label="Column to change", with_input=True).classes("middle")
            layout.mark(self.column, "prepare-column")
        with layout.stack() as self.of_column:
            pass
        self.column.on_value_change(self._show_column)
        self.typed_column.watch(choice)
        with layout.stack() as rows:
            self._show_rows(names)
        self.typed_rows.watch(rows)

    def show_changes(self) -> None:
        """Show what was changed, also if the table cannot be read so."""
        for at, (words, take_back) in enumerate(self._changes()):
            with layout.line():
                layout.mark(layout.message(words), f"prepared-{at}")
                layout.mark(layout.quiet_button("Undo").on_click(self._pressed(take_back)), f"unprepare-{at}")

    def _changes(self) -> list[tuple[str, Change]]:
        """Return what is changed in words, each with what takes it back."""
        plain = self.draft.prepare
        found: list[tuple[str, Change]] = []
        for old, new in plain.get("rename", {}).items():
            found.append((f"{old} is named {new}.", partial(self._rename, new, old)))
        for name, of in plain.get("recode", {}).items():
            found.append((f"{name}: {count(len(of), 'value')} recoded.", partial(_forget, "recode", name)))
        for name, of in plain.get("type", {}).items():
            found.append((f"{name} is converted to {of}.", partial(_forget, "type", name)))
        if "rows" in plain:
            found.append((f"Rows: {_rows_in_words(plain['rows'])}.", _forget_rows))
        return found

    async def _show_column(self) -> None:
        """Show the name, type and values of the column that is chosen."""
        name = self.column.value
        with newest(self.of_column) as box:
            if name not in self.columns:
                return
            typed = self._of_column(name)
            with layout.line():
                new = layout.mark(ui.input("Name", value=name).classes("middle"), "new-name")
                layout.mark(
                    layout.quiet_button("Rename").on_click(
                        self._pressed(lambda made: self._rename(name, new.value or "", made), typed)
                    ),
                    "rename",
                )
                kind = layout.mark(self._type_field(name), "new-type")
                layout.mark(
                    layout.quiet_button("Convert").on_click(
                        self._pressed(lambda made: _set_type(made, name, kind.value), typed)
                    ),
                    "convert",
                )
            typed.watch(box)
            distinct = self.columns[name]["distinct"]
            if distinct > MOST_VALUES:
                layout.hint(f"It has {distinct:,} different values; up to {MOST_VALUES:,} can be recoded here.")
                return
            values = await self._values(name)
            stop_if_gone(box)
            if values is not None:
                self._show_values(name, values, typed)
                typed.watch(box)

    def _type_field(self, name: str) -> ui.select:
        chosen = self.draft.prepare.get("type", {}).get(name, _AS_READ)
        # Where all cells are text, a conversion to text would change nothing.
        typed = has_types(self.space.file(self.draft.file, self.owner).kind)
        types = {kind: words for kind, words in _TYPES.items() if typed or ValueType.TEXT != kind != chosen}
        return ui.select({**types, chosen: _TYPES[chosen]}, value=chosen, label="Type").classes("middle")

    async def _values(self, name: str) -> list[str] | None:
        """Return the values of a column as they are now, sorted."""
        # Of the hierarchy only the values are needed.
        spec = {"mask": {"steps": [1]}}
        asked = {**self.draft.reading_columns, "column": name, "spec": spec, "show_values": True}
        found = await fetch_result(self.space, "hierarchy", asked, self.owner)
        return None if found is None else [str(row[0]) for row in found["rows"] or ()]

    def _show_values(self, name: str, values: list[str], typed: TypedFields) -> None:
        with layout.line():
            new = layout.mark(ui.input("New value of the selected ones").classes("middle"), "new-value")
            recode = layout.mark(layout.quiet_button("Recode"), "recode")
            gone = layout.mark(layout.quiet_button("Read as missing"), "recode-missing")
        shown = grid(
            "values-grid",
            f"Values of {name}",
            {
                "columnDefs": [{"field": "value", "headerName": "value", "flex": 1}],
                "rowData": [{"at": at, "value": value} for at, value in enumerate(values)],
                ":getRowId": "(row) => String(row.data.at)",
                "rowSelection": {"mode": "multiRow", "selectAll": "filtered", "enableClickSelection": True},
                "selectionColumnDef": {"width": 44, "resizable": False},
            },
            as_high_as_rows=len(values) <= 12,
        )
        chosen = f"() => emit(getElement({shown.id}).api.getSelectedNodes().map((each) => Number(each.id)))"

        async def take(event: Any, target: Callable[[], str | None]) -> None:
            picked = [values[int(at)] for at in event.args]
            to = target()
            if not picked or to == "":
                with newest(self.place):
                    layout.message("Select values, and type what they become.", "error")
                return
            await self._change(lambda made: _recode(made, name, picked, to), typed)

        async def to_value(event: Any) -> None:
            await take(event, lambda: (new.value or "").strip())

        async def to_missing(event: Any) -> None:
            await take(event, lambda: None)

        recode.on("click", to_value, js_handler=chosen)
        gone.on("click", to_missing, js_handler=chosen)

    def _show_rows(self, names: list[str]) -> None:
        rows = self.draft.prepare.get("rows", {})
        layout.heading("Rows")
        with layout.line():
            where = layout.mark(ui.select(names, label="Where column", with_input=True, clearable=True), "where-column")
            where.classes("middle")
            values = layout.mark(
                ui.input("has one of the values", placeholder="north, south").classes("middle"), "where-values"
            )
            low = layout.mark(ui.input("or is from").classes("narrow"), "where-from")
            high = layout.mark(ui.input("to").classes("narrow"), "where-to")
        with layout.line():
            sample = layout.mark(
                ui.number("Sample (%)", min=0, max=100, value=_percent(rows.get("sample"))).classes("narrow"), "sample"
            )
            first = layout.mark(
                ui.number("First records", min=1, precision=0, value=rows.get("first")).classes("narrow"), "first"
            )

            def chosen(made: dict[str, Any]) -> None:
                before = made.get("rows", {})
                made["rows"] = _rows(
                    before, where.value, values.value, low.value, high.value, sample.value, first.value
                )

            layout.mark(
                layout.quiet_button("Choose these rows").on_click(self._pressed(chosen, self.typed_rows)), "choose-rows"
            )
        layout.hint("The seed of a sample is drawn by chance and kept secret: it shows whose records were drawn.")

    def _pressed(self, change: Change, typed: TypedFields | None = None) -> Callable[[], Awaitable[None]]:
        async def pressed() -> None:
            await self._change(change, typed)

        return pressed

    async def _change(self, change: Change, typed: TypedFields | None) -> None:
        """Change the table by what was typed, and read it again; keep it as it is if the change is refused."""
        made = deepcopy(self.draft.prepare)
        try:
            change(made)
            made = {key: of for key, of in made.items() if of}
            prepare_given(made)
        except IncrowdError as error:
            with newest(self.place):
                layout.message(str(error), "error")
            return
        self.draft.prepare, self.draft.inspection = made, None
        self.draft.keep(self.space, self.owner)
        if typed is not None:
            typed.forget()
        if typed is not self.typed_rows:
            self.typed_column.forget()
        await self.again()

    def _rename(self, name: str, new: str, made: dict[str, Any]) -> None:
        """Give a column another name, under which its settings stay."""
        new = new.strip()
        if not new or new in self.columns:
            raise UsageError.invalid("the name", "it is empty or that of a column", "choose another one")
        draft = self.draft
        renamed = made.setdefault("rename", {})
        original = next((old for old, now in renamed.items() if now == name), name)
        renamed[original] = new
        if original == new:
            del renamed[original]
        for part in (made.get("recode", {}), made.get("type", {}), made.get("rows", {}).get("where", {})):
            if name in part:
                part[new] = part.pop(name)
        draft.roles = {new if each == name else each: role for each, role in draft.roles.items()}
        for model in draft.models:
            if model_column(model) == name:
                [options] = model.values()
                options["column"] = spell_column(new)
        draft.protected = [new if each == name else each for each in draft.protected]
        for key in _BY_COLUMN:
            by_name = getattr(draft, key) or {}
            if name in by_name:
                setattr(draft, key, {new if each == name else each: of for each, of in by_name.items()})


def _forget(key: str, name: str, made: dict[str, Any]) -> None:
    del made[key][name]


def _forget_rows(made: dict[str, Any]) -> None:
    del made["rows"]


def _set_type(made: dict[str, Any], name: str, kind: str) -> None:
    types = made.setdefault("type", {})
    if kind == _AS_READ:
        types.pop(name, None)
    else:
        types[name] = str(kind)


def _recode(made: dict[str, Any], name: str, values: list[str], to: str | None) -> None:
    """Give values another one; they may have been recoded to what they are now."""
    of = made.setdefault("recode", {}).setdefault(name, {})
    for old, now in list(of.items()):
        if now in values:
            of[old] = to
    for value in values:
        of[value] = to
    made["recode"][name] = {old: now for old, now in of.items() if old != now}
    if not made["recode"][name]:
        del made["recode"][name]


def _rows(
    before: Mapping[str, Any],
    column: str | None,
    values: str | None,
    low: str | None,
    high: str | None,
    sample: Any,
    first: Any,
) -> dict[str, Any]:
    """Return the rows as the fields say; conditions on other columns stay."""
    where = dict(before.get("where", {}))
    if column and (values or "").strip():
        where[column] = listed(values or "") or [values]
    elif column and ((low or "").strip() or (high or "").strip()):
        where[column] = {key: _bound(of) for key, of in (("from", low), ("to", high)) if (of or "").strip()}
    seed = before.get("seed", secrets.randbelow(1 << 63))
    return {
        **({"where": where} if where else {}),
        **({"sample": sample / 100, "seed": seed} if sample and sample < 100 else {}),
        **({"first": int(first)} if first else {}),
    }


def _bound(text: str | None) -> float | str:
    written = (text or "").strip()
    try:
        number = float(written)
    except ValueError:
        return written
    return int(number) if number.is_integer() else number


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 6)


def _rows_in_words(rows: Mapping[str, Any]) -> str:
    parts = []
    for name, of in rows.get("where", {}).items():
        if isinstance(of, Mapping):
            bounds = [f"{key} {of[key]}" for key in ("from", "to") if key in of]
            parts.append(f"{name} {' '.join(bounds)}")
        else:
            parts.append(f"{name} is {' or '.join('missing' if each is None else str(each) for each in of)}")
    parts += [f"a sample of {_percent(rows['sample']):g}%"] if "sample" in rows else []
    parts += [f"the first {rows['first']:,}"] if "first" in rows else []
    return "; ".join(parts)
