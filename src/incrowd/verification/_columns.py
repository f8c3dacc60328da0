"""Disclosure by columns that no model covers: kept columns, sensitive values, spellings. From the release alone.

Cells are compared by 64-bit hashes, so a column of a million distinct values costs eight bytes per record and one
sort. Two different cells share a hash with a probability of about records^2 / 2^65, far below one in a million.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import listed
from incrowd.text import count, number
from incrowd.verification._normal_form import is_normal, normal_form
from incrowd.verification._rows import Cells

_Hashes = NDArray[np.uint64]

_PENDING = 1 << 21
"""Hashes that are gathered before those that are equal are joined."""
_MIXED = np.uint64(0x9E3779B97F4A7C15)
_MISSING = hash("a missing cell")


@dataclass(frozen=True)
class ColumnFacts:
    """One column of a release."""

    name: str
    role: str
    records: int
    """Records whose cell is not missing."""
    values: int
    """Distinct values."""
    spellings: int
    """Values that are another spelling of one of the others: they differ in blanks, case, Unicode form or invisible
    characters alone."""
    unique: int = 0
    """Of a kept column: records that are unique to an attacker who knows it beside the quasi-identifiers, and are
    not by those alone."""
    below: int = 0
    """Likewise, records in classes smaller than k."""

    @property
    def is_unique(self) -> bool:
        """Return whether every record has a value of its own."""
        return self.values == self.records > 1

    @property
    def is_nearly_unique(self) -> bool:
        """Return whether fewer than two records share a value, as a mean.

        Then most values belong to one record, and a person who is known to have such a value is re-identified. The
        limit needs no choice of a share or of k: from two records a value on, a value no longer stands for a record.
        """
        return self.records > 1 and 2 * self.values > self.records


@dataclass(frozen=True)
class ReleaseColumns:
    """The columns of a release that no model covers, and those whose spellings matter."""

    columns: tuple[ColumnFacts, ...] = ()
    k: int = 1
    """Classes that have fewer records are counted in `below`."""
    unique: int = 0
    """Records that are unique to an attacker who knows all kept columns beside the quasi-identifiers, and are not by
    those alone."""
    below: int = 0
    """Likewise, records in classes smaller than k."""

    def sentences(self) -> Iterator[str]:
        """Yield the warnings to read with a verdict, each naming its columns."""
        for role in ("keep", "sensitive"):
            found = [column for column in self.columns if column.role == role and column.is_nearly_unique]
            if found:
                yield _nearly_unique(role, found)
        if self.below:
            yield self._finer()
        for column in self.columns:
            if column.spellings:
                yield _spelled(column)

    def _finer(self) -> str:
        kept = [column for column in self.columns if column.role == "keep"]
        # Two columns may do together what neither does alone.
        each = ", ".join(f"{column.name!r} {number(column.unique)}" for column in kept if column.below)
        by = f" Unique by one of them alone: {each}." if each and len(kept) > 1 else ""
        return (
            "the models judge the quasi-identifiers alone. To an attacker who also knows the kept columns "
            f"({listed(column.name for column in kept)}), {count(self.below, 'more record')} {_are(self.below)} in "
            f"classes smaller than {number(self.k)}, and {number(self.unique)} of them {_are(self.unique)} unique.{by} "
            "Give columns that an attacker can know the role quasi, or drop them."
        )


def _nearly_unique(role: str, columns: Sequence[ColumnFacts]) -> str:
    how = "unique" if all(column.is_unique for column in columns) else "nearly unique"
    if len(columns) == 1:
        which, it, them = f"column {columns[0].name!r} is {how} ({_values(columns[0])})", "it", "it"
    else:
        each = ", ".join(f"{column.name!r} ({_values(column)})" for column in columns)
        which, it, them = f"columns {each} are {how}", "one of them", "them"
    if role == "keep":
        return (
            f"the kept {which}: anyone who knows {it} re-identifies records. Drop {them}, or give {them} the role "
            "quasi."
        )
    return (
        f"the sensitive {which}: nearly any class satisfies l-diversity, and anyone who knows a value re-identifies "
        f"its record. Publish {them} in fewer values, or drop {them}."
    )


def _values(column: ColumnFacts) -> str:
    return f"{count(column.values, 'distinct value')} in {count(column.records, 'record')}"


def _spelled(column: ColumnFacts) -> str:
    return (
        f"{number(column.spellings)} of {count(column.values, 'value')} in {column.name!r} {_are(column.spellings)} "
        "another spelling of a value (blanks, case, Unicode form, invisible characters), and each counts as a value of "
        f"its own. With normalize they are one (columns: {column.name}: normalize)."
    )


def _are(found: int) -> str:
    return "is" if found == 1 else "are"


def facts_of(name: str, role: str, counts: Mapping[tuple[str | None, ...], int]) -> ColumnFacts:
    """Return the facts of a column whose values were counted."""
    texts = {text: found for (text,), found in counts.items() if text is not None}
    return ColumnFacts(name, role, sum(texts.values()), len(texts), len(texts) - len({*map(normal_form, texts)}))


class Observed:
    """Observes the cells of all records once, batch by batch."""

    def __init__(
        self,
        quasi: Sequence[str],
        kept: Sequence[str],
        sensitive: Sequence[str],
        normalized: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Observe these columns; `normalized` has, by column, the steps to the normal form that its cells must have."""
        self._roles = {**dict.fromkeys(quasi, "quasi"), **dict.fromkeys(kept, "keep")}
        self._roles |= dict.fromkeys(sensitive, "sensitive")
        self._quasi, self._kept = list(quasi), list(kept)
        self._normalized = {name: tuple(steps) for name, steps in (normalized or {}).items() if name in self._roles}
        self.strange: set[str] = set()
        """Columns with a cell that is not in the normal form."""
        self._values = {name: _Counted() for name in self._roles}
        self._forms = {name: _Counted() for name in self._roles if name not in kept}
        self._classes = {key: _Counted() for key in (None, *kept, *([] if len(kept) < 2 else [tuple(kept)]))}

    @property
    def columns(self) -> list[str]:
        """Return the columns whose cells are observed."""
        return list(self._roles)

    def add(self, batch: Mapping[str, Cells]) -> None:
        """Observe the cells of some records."""
        rows: dict[str, _Hashes] = {}
        for name in self._roles:
            codes, texts = batch[name]
            hashes = _hashes(texts)
            found = np.bincount(codes, minlength=len(texts))
            if self._kept:
                rows[name] = hashes[codes]
            present = [code for code in np.flatnonzero(found).tolist() if texts[code] is not None]
            self._values[name].add(hashes[present], found[present])
            steps = self._normalized.get(name)
            if steps and not all(is_normal(texts[code], steps) for code in present):
                self.strange.add(name)
            if name in self._forms:
                self._forms[name].add(_hashes(normal_form(texts[code] or "") for code in present), found[present])
        if self._kept:
            ones = np.ones(len(rows[self._kept[0]]), dtype=np.int64)
            by_quasi = _together([rows[name] for name in self._quasi], len(ones))
            for key, counted in self._classes.items():
                further = [] if key is None else [key] if isinstance(key, str) else key
                counted.add(_together([by_quasi, *(rows[name] for name in further)], len(ones)), ones)

    def result(self, k: int) -> ReleaseColumns:
        """Return the observations; classes are compared with k."""
        before = self._classes[None].sizes()
        columns = tuple(self._column(name, before, k) for name in self._roles)
        if not self._kept:
            return ReleaseColumns(columns, k)
        after = self._classes[tuple(self._kept) if len(self._kept) > 1 else self._kept[0]].sizes()
        return ReleaseColumns(columns, k, _more(before, after, 2), _more(before, after, k))

    def _column(self, name: str, before: NDArray[np.int64], k: int) -> ColumnFacts:
        values = self._values[name].sizes()
        forms = len(self._forms[name].sizes()) if name in self._forms else len(values)
        after = self._classes[name].sizes() if name in self._kept else before
        return ColumnFacts(
            name,
            self._roles[name],
            int(values.sum()),
            len(values),
            len(values) - forms,
            _more(before, after, 2),
            _more(before, after, k),
        )


class _Counted:
    """The count of each hash."""

    def __init__(self) -> None:
        self._pending = [(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64))]
        self._waiting = 0

    def add(self, hashes: _Hashes, counts: NDArray[np.int64]) -> None:
        self._pending.append((hashes, counts))
        self._waiting += len(hashes)
        if self._waiting > max(_PENDING, len(self._pending[0][0])):
            self._join()

    def sizes(self) -> NDArray[np.int64]:
        """Return the count of each hash that occurs."""
        self._join()
        return self._pending[0][1]

    def _join(self) -> None:
        hashes, counts = (np.concatenate(parts) for parts in zip(*self._pending, strict=True))
        order = np.argsort(hashes)
        hashes = hashes[order]
        first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])) if len(hashes) else order
        totals = np.add.reduceat(counts[order], first) if len(first) else counts
        self._pending, self._waiting = [(hashes[first], totals)], 0


def _hashes(texts: Iterable[str | None]) -> _Hashes:
    """Return Python's hashes, which differ between processes, so cells with equal hashes cannot be prepared."""
    found = [_MISSING if text is None else hash(text) for text in texts]
    return np.array(found, dtype=np.int64).view(np.uint64)


def _together(columns: Sequence[_Hashes], rows: int) -> _Hashes:
    """Return one hash for the cells of several columns."""
    found = np.zeros(rows, dtype=np.uint64)
    for column in columns:
        found = (found ^ column) * _MIXED
        found ^= found >> np.uint64(29)
    return found


def _more(before: NDArray[np.int64], after: NDArray[np.int64], k: int) -> int:
    """Return how many more records are in classes smaller than k."""
    return int(after[after < k].sum() - before[before < k].sum())
