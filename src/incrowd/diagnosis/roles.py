"""The suggested role of a column: from its name, then the form of its values, then its counts.

A person confirms each suggestion. In doubt it is the cautious one, and its reason never quotes a value.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.schema import Role
from incrowd.diagnosis.kinds import Kind, written
from incrowd.diagnosis.names import NameRule, rule_for


@dataclass(frozen=True, eq=False)
class Facts:
    """The known facts of a column."""

    name: str
    kind: Kind
    values: pa.Array
    """Its distinct values."""
    records: int
    missing: int
    unique: int
    """Records whose value in this column is unique."""
    unique_gain: float | None
    """The average number of records it makes unique when it joins other columns; None if unknown."""

    @property
    def distinct(self) -> int:
        """Return how many distinct values there are."""
        return len(self.values)

    @property
    def present(self) -> int:
        """Return how many records have a value."""
        return self.records - self.missing

    @cached_property
    def texts(self) -> pa.Array:
        """Return a spread of its values as text; none if the form of this kind adds nothing."""
        has_text = pa.types.is_string(self.values.type) or pa.types.is_integer(self.values.type)
        if self.kind not in (Kind.TEXT, Kind.MIXED, Kind.INTEGER) or not has_text:
            return pa.array([], pa.string())
        spread = np.unique(np.linspace(0, self.distinct - 1, min(self.distinct, _LOOKED_AT)).astype(np.int64))
        return self.values.take(pa.array(spread)).cast(pa.string())


@dataclass(frozen=True)
class Suggestion:
    """A role, and why."""

    role: Role
    reason: str


@dataclass(frozen=True)
class Look:
    """A form in which values that identify a person are written."""

    what: str
    form: str
    certain: bool
    """True if nothing else has this form, whatever the column's name."""


LOOKS: tuple[Look, ...] = (
    Look("e-mail addresses", r"[^@\s]+@[^@\s]+\.[^@\s.]{2,}", True),
    Look("web addresses", r"(?i:https?|ftp)://\S+|(?i:www)\.\S+\.\S+", True),
    Look("device addresses", r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", True),
    Look("network addresses", r"([0-9]{1,3}\.){3}[0-9]{1,3}|([0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{0,4}", True),
    Look("bank accounts", r"[A-Z]{2}[0-9]{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?", True),
    Look("generated keys", r"\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?", True),
    Look("long numbers, like those of people or accounts", r"[0-9]{9,20}|0[0-9]{7}", False),
    Look("phone numbers", r"(\+|00|0|\()[0-9]{1,4}\)?[-0-9 ()./]{5,18}[0-9]|[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4}", False),
    Look("official or card numbers", r"[0-9]{3}-[0-9]{2}-[0-9]{4}|[0-9]{4}([ -][0-9]{4}){2,3}", False),
)

_COMPACT_DATE = "(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
"""A date written as one number, such as 20241231."""

_LOOKED_AT = 10_000
"""The number of values whose form is checked."""
_MOST = 0.8
"""The share of values that must have a form."""
_FEW_RECORDS = 20
"""With fewer records, counts mean nothing."""
_FEW_VALUES = 20
"""The most values of a category, and the fewest records that share each on average."""
_NEARLY_ALL = 0.95
"""The share of records with a value of their own that makes an identifier."""
_LONG = 40
"""The average number of characters of free text."""
_MANY_NUMBERS = 100
"""More distinct numbers are measurements or amounts, not codes."""
_NOTICEABLE = 0.001
"""The share of records that a column must make unique on average, to count."""


HARMLESS = Suggestion(Role.KEEP, "it makes hardly any record unique, even with other columns")
TOGETHER = Suggestion(Role.QUASI, "it adds little alone, but columns like it make records unique together")
"""The suggestion for harmless columns that together single out records."""


def suggest(facts: Facts) -> Suggestion:
    """Suggest the role of a column."""
    rule, look = rule_for(facts.name), _look_of(facts)
    if rule is None:
        return Suggestion(Role.IDENTIFIER, f"its values look like {look.what}") if look else _by_numbers(facts)
    but = _contradiction(facts, rule, look)
    named = f"its name suggests {rule.what}"
    return Suggestion(but.role, f"{named}, but {but.reason}") if but else Suggestion(rule.role, named)


def _look_of(facts: Facts) -> Look | None:
    """Return the form of most values; if many records share each value, only an unmistakable form."""
    looks = [look for look in LOOKS if look.certain or not _is_category(facts)]
    return next((look for look in looks if _is_written(facts.texts, look.form)), None)


def _is_written(texts: pa.Array, form: str) -> bool:
    return len(texts) > 0 and bool(pc.sum(written(texts, form)).as_py() >= _MOST * len(texts))


def _is_category(facts: Facts) -> bool:
    return is_category(facts.distinct, facts.present)


def is_category(distinct: int, records: int) -> bool:
    """Return whether there are few values, each shared by many records."""
    return 0 < distinct <= _FEW_VALUES and records >= _FEW_VALUES * distinct


def _contradiction(facts: Facts, rule: NameRule, look: Look | None) -> Suggestion | None:
    """Return the suggestion of values that clearly contradict the name; None if they do not."""
    if rule.role is Role.IDENTIFIER:
        return None if look or not _is_category(facts) else _category(facts)
    if look and look.certain:
        return Suggestion(Role.IDENTIFIER, f"its values look like {look.what}")
    if _is_free_text(facts):
        return Suggestion(Role.IDENTIFIER, "it is free text, which may contain anything about a person")
    if rule.role is Role.SENSITIVE and facts.kind in (Kind.DATE, Kind.TIMESTAMP):
        return Suggestion(Role.QUASI, "it is a date, which others may know")
    return None


def _category(facts: Facts) -> Suggestion:
    if facts.distinct == 1 and not facts.missing:
        return Suggestion(Role.KEEP, "all records have the same value")
    return Suggestion(Role.QUASI, "many records share each of its few values: a category")


def _is_free_text(facts: Facts) -> bool:
    """Return whether the values are long texts, most of which occur once or twice."""
    if facts.kind not in (Kind.TEXT, Kind.MIXED) or len(facts.texts) == 0:
        return False
    return bool(pc.mean(pc.utf8_length(facts.texts)).as_py() >= _LONG and 2 * facts.distinct >= facts.present)


def _by_numbers(facts: Facts) -> Suggestion:
    """Suggest a role from counts, if neither name nor form decides."""
    if facts.records and not facts.distinct:
        return Suggestion(Role.KEEP, "all its values are missing")
    if _is_free_text(facts):
        return Suggestion(Role.IDENTIFIER, "free text may contain anything about a person")
    if facts.kind in (Kind.DATE, Kind.TIMESTAMP) or _is_written(facts.texts, _COMPACT_DATE):
        return Suggestion(Role.QUASI, "dates in a person's life are known to others")
    if facts.present < _FEW_RECORDS:
        return Suggestion(Role.QUASI, "it has too few values to judge; others may know it")
    if facts.distinct == 1 and not facts.missing:
        return Suggestion(Role.KEEP, "all records have the same value")
    if facts.kind in (Kind.TEXT, Kind.MIXED, Kind.INTEGER) and facts.unique >= _NEARLY_ALL * facts.present:
        return Suggestion(Role.IDENTIFIER, "nearly every record has a value of its own")
    if facts.kind in (Kind.INTEGER, Kind.NUMBER) and facts.distinct > _MANY_NUMBERS:
        return Suggestion(Role.SENSITIVE, "an amount or a measurement: attackers seldom know it, and it discloses much")
    return _by_contribution(facts)


def _by_contribution(facts: Facts) -> Suggestion:
    if facts.unique_gain is None:
        return Suggestion(Role.QUASI, "others may know it, and what it adds to other columns was not counted")
    if is_noticeable(facts.unique_gain, facts.records):
        return Suggestion(Role.QUASI, "together with other columns it makes records unique")
    return HARMLESS


def is_noticeable(unique: float, records: int) -> bool:
    """Return whether this number of unique records is noticeable."""
    return unique >= _NOTICEABLE * records
