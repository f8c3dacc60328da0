"""Judge indicators of one fact: neighboring columns of two values of which a record has at most one, such as ne, nc,
west and south. If outsiders know what one of them says, they know what the others say."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from incrowd.core.schema import Role
from incrowd.core.table import MISSING
from incrowd.proposing.facts import Column, Opinion, Table

_FEWEST = 3
"""Indicators of a fact: two that exclude each other may do so by chance of what they are, such as male and female."""
_SEVERAL = 5
"""Indicators that are of one fact although some records have none of them, if most are about the same."""
_FEWEST_RECORDS = 30
_YES = frozenset(("1", "1.0", "true", "yes", "y", "ja", "oui", "si", "sì", "sí", "sim"))


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column beside an indicator that outsiders know."""
    if table.counted.records < _FEWEST_RECORDS:
        return {}
    found: dict[str, Opinion] = {}
    for family, is_whole in _families(table):
        known = _known(family) if is_whole else _most(family)
        if known is not None:
            reason = f"with {known.name!r}, which others may know, it is one of {len(family)} indicators of one fact"
            found |= {column.name: Opinion(Role.QUASI, reason, 0.7) for column in family if column.meaning is None}
    return found


def _known(family: list[Column]) -> Column | None:
    """Return the first one that outsiders know, if any."""
    return next((each for each in family if each.meaning and each.meaning.whole and _is_of_others(each)), None)


def _most(family: list[Column]) -> Column | None:
    """Return the first of those that are about one thing that outsiders know, if at least half of several are."""
    topics = [each.meaning.topic if each.meaning and _is_of_others(each) else None for each in family]
    of = max(set(topics), key=topics.count)
    enough = len(family) >= _SEVERAL and of is not None and 2 * topics.count(of) >= len(family)
    return family[topics.index(of)] if enough else None


def _is_of_others(column: Column) -> bool:
    return column.meaning is not None and column.meaning.topic.role is Role.QUASI


def _families(table: Table) -> Iterator[tuple[list[Column], bool]]:
    """Yield neighboring columns that exclude each other, and whether every record has one of them."""
    family: list[Column] = []
    nothing = np.zeros(table.counted.combinations, dtype=np.bool_)
    hits = missing = nothing
    for column in (*table.columns, None):
        yes = None if column is None else _hits(table, column)
        lacks = nothing if column is None or yes is None else _lacks(table, column)
        # Who did not answer has none of them.
        goes_along = not family or bool((lacks == missing).all())
        if column is not None and yes is not None and goes_along and not (hits & yes).any():
            family.append(column)
            hits, missing = hits | yes, lacks
            if len(family) >= _FEWEST and (hits | missing).all():
                yield family, True
                family, hits, missing = [], nothing, nothing
            continue
        if len(family) >= _FEWEST:
            yield family, False
        family = [] if column is None or yes is None else [column]
        hits, missing = (nothing if yes is None else yes), lacks


def _hits(table: Table, column: Column) -> NDArray[np.bool_] | None:
    """Return which combinations have the value that means yes; None if the column is no indicator."""
    texts = [str(value).strip().casefold() for value in column.values.to_pylist()]
    yes = [text in _YES for text in texts]
    if len(texts) != 2 or sum(yes) != 1 or 2 * column.missing > column.records:
        return None
    at = table.counted.names.index(column.name)
    values = [str(value).strip().casefold() for value in table.counted.values[at].to_pylist()]
    code = 1 + values.index(texts[yes.index(True)])
    codes = table.counted.codes[at]
    found: NDArray[np.bool_] = (codes == code) & (codes != MISSING)
    return found


def _lacks(table: Table, column: Column) -> NDArray[np.bool_]:
    """Return which combinations have no value in a column."""
    found: NDArray[np.bool_] = table.counted.codes[table.counted.names.index(column.name)] == MISSING
    return found
