"""Judge values that are codes of public lists: illnesses, drugs, regions, postcodes."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each

_FEWEST = 5
"""Distinct values below which a form is chance."""
_EUROPE = "AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IS|IT|LI|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|TR|UK"
_CODES: tuple[tuple[Role, str, str, float], ...] = (
    (Role.SENSITIVE, "codes of drugs (ATC)", "[A-DGHJL-NPRSV][0-9]{2}[A-Z]{2}[0-9]{2}", 0.9),
    (Role.SENSITIVE, "codes of illnesses (ICD-10)", r"[A-Z][0-9]{2}\.[0-9A-Z]{1,4}", 0.88),
    (Role.SENSITIVE, "codes of illnesses (ICD-10)", r"[A-TV-Z][0-9]{2}[0-9]?", 0.7),
    (Role.SENSITIVE, "codes of illnesses (ICD-9)", r"[VE][0-9]{2,3}\.[0-9]{1,2}|[0-9]{3}\.[0-9]{2}", 0.6),
    (Role.QUASI, "regions of Europe (NUTS)", f"({_EUROPE})[0-9A-Z][0-9A-Z]{{0,2}}", 0.82),
    (Role.QUASI, "postcodes", "[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]", 0.9),
    (Role.QUASI, "postcodes", "[0-9]{4} ?[A-Z]{2}|[0-9]{5}-[0-9]{4}", 0.85),
    (Role.QUASI, "branches of industry (NACE)", r"[A-U][0-9]{2}(\.[0-9]{1,2})?", 0.5),
)


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of such codes."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_text or column.distinct < _FEWEST:
        return None
    for role, what, form, sure in _CODES:
        if column.has_form(form):
            return Opinion(role, f"its values look like {what}", sure)
    if column.distinct >= 2 * _FEWEST and column.has_form("[0-9]{5}", 1.0) and not column.is_near_unique:
        return Opinion(Role.QUASI, "its values look like postcodes: five digits, some with a leading zero", 0.65)
    return None
