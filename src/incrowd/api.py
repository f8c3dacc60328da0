"""One function per verb. No logic: what each does lives where it is imported from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Nulls
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.engines.source import Source
from incrowd.formats import read as read_sources
from incrowd.formats.options import ReadOptions
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.diagnosis.inspection import Inspection
    from incrowd.risks import RiskReport


def read(
    *sources: Any,
    missing: Sequence[str] = (),
    delimiter: str | None = None,
    encoding: str | None = None,
    table: str | None = None,
    query: str | None = None,
) -> Source:
    """Open files, database tables or frames; several with the same columns become one table.

    `missing` names texts that stand for missing cells; `delimiter` and `encoding` of a text file are found when not
    given; `table` names a database's table or a workbook's sheet, `query` a database query.
    """
    return read_sources(*sources, options=ReadOptions(tuple(missing), delimiter, encoding, table, query))


def diagnose(
    source: Any,
    among: Sequence[str] | None = None,
    nulls: Nulls | str = Nulls.EXTENDED,
    missing: Sequence[str] = (),
) -> Diagnosis:
    """A table that answers questions about k-anonymity: `diagnose(table).ask(k=3)`.

    `among` names the columns an outsider may know (all when not given); `nulls` says what a missing cell matches.
    """
    return Diagnosis(read(source, missing=missing), among, nulls)


def inspect(
    source: Any,
    among: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> Inspection:
    """What each column holds, how much it singles people out, and what it is probably for."""
    from incrowd.diagnosis.inspection import inspect as inspect_source

    with Watch(time, progress) as watch:
        return inspect_source(read(source, missing=missing), watch, among)


def risk(
    source: Any,
    quasi: Sequence[str],
    threshold: float | str = 0.2,
    population: Any = None,
    max_size: int | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> RiskReport:
    """What an attacker who knows the columns `quasi` finds: prosecutor, journalist, marketer, special uniques.

    `threshold` is the risk still accepted; `population` a source that holds the population, or its size; `max_size`
    limits the sets of columns looked at for special uniques.
    """
    from incrowd.engines.source import chosen_columns, count
    from incrowd.risks import assess

    with Watch(time, progress) as watch:
        sample = read(source, missing=missing)
        columns = chosen_columns(quasi, sample.columns, "quasi")
        if population is not None and not isinstance(population, int):
            register = read(population, missing=missing)
            shared = [name for name in columns if name in register.columns]
            # Without all of them the assessment says what is lacking.
            population = count(register, shared or register.columns[:1], watch)
        return assess(count(sample, columns, watch), columns, threshold, population, max_size=max_size, watch=watch)
