"""Roles of columns, and how cells are compared and shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from incrowd.errors import UsageError


class Role(StrEnum):
    """The role of a column."""

    IDENTIFIER = "identifier"
    """Names a person by itself; never published."""
    PERSON = "person"
    """Tells, alone or with others, which person a record is about; never published. People are counted then."""
    QUASI = "quasi"
    """Known to outsiders; singles people out in combination with others."""
    SENSITIVE = "sensitive"
    """Must not be disclosed about a person."""
    KEEP = "keep"
    """Harmless; published as it is."""
    DROP = "drop"
    """Not wanted; left out."""


class Nulls(StrEnum):
    """When two cells match although one of them is missing (Ciglic, Eder, Koncilia)."""

    EXTENDED = "extended"
    """Missing is a value of its own: it matches missing only."""
    BASIC = "basic"
    """Missing matches nothing; records with a missing cell are set aside."""
    MAYBE = "maybe"
    """Missing matches everything. For analysis only: an attacker may know the value."""
    RIGHT_MAYBE = "right_maybe"
    """A missing cell on the published side matches everything. For analysis only."""


class Normalize(StrEnum):
    """A step that makes several spellings of a value one. It looks at a cell alone, never at other records."""

    BLANKS = "blanks"
    """No blanks around a text, a single space in place of several; a text of blanks alone becomes missing."""
    CASE = "case"
    """Upper and lower case are the same: Unicode's case folding."""
    UNICODE = "unicode"
    """One Unicode form (NFC), without invisible characters such as a zero-width space."""


class Notation(StrEnum):
    """How numbers or dates of a column are written.

    Cells that are written so are read as the value that they mean; others stay as they are.
    """

    DECIMAL_COMMA = "decimal_comma"
    """1.234,5 is the number 1234.5."""
    DECIMAL_POINT = "decimal_point"
    """1,234.5 is the number 1234.5."""
    DAY_FIRST = "day_first"
    """03/04/2021 is the date 2021-04-03."""
    MONTH_FIRST = "month_first"
    """03/04/2021 is the date 2021-03-04."""
    EXCEL_DATE = "excel_date"
    """44289 is the date 2021-04-03: days as spreadsheets count them."""


class Order(StrEnum):
    """In what order records are published."""

    SORTED = "sorted"
    """By their published cells, so that the order tells nothing more."""
    SOURCE = "source"
    """As they were given; it may tell what the cells hide."""


class WipedAs(StrEnum):
    """The content of a suppressed cell."""

    LABEL = "label"
    """The top of its column's hierarchy, usually `*`; a number column becomes text."""
    NULL = "null"
    """A missing value; a number column keeps its type."""


WILDCARDS = (Nulls.MAYBE, Nulls.RIGHT_MAYBE)
"""The two that make no classes: who matches whom is not the same from both sides, or not passed on."""


@dataclass(frozen=True)
class Schema:
    """The role of every column of a table."""

    roles: Mapping[str, Role]

    def __post_init__(self) -> None:
        checked = {}
        for name, role in self.roles.items():
            if role not in tuple(Role):
                raise UsageError.not_one_of(f"the role of column {name!r}", str(role), tuple(Role))
            checked[name] = Role(role)
        if not checked:
            raise UsageError.no_columns("the schema")
        object.__setattr__(self, "roles", MappingProxyType(checked))

    def having(self, role: Role) -> tuple[str, ...]:
        """Return the columns with a role, in table order."""
        return tuple(name for name, has in self.roles.items() if has == role)

    @property
    def person(self) -> tuple[str, ...]:
        """The columns that together tell the person of a record; none if every record counts for itself."""
        return self.having(Role.PERSON)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.having(Role.QUASI)
