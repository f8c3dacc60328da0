"""How values are written: codes for missing, numbers and dates as people write them, spellings.

Each module looks at one thing. Nothing is changed by a notice: it says what is assumed, and which settings of the
column in a job (`missing`, `normalize`) would read it otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType

from incrowd.core.normal_form import codes_for_missing
from incrowd.core.schema import Normalize, Notation
from incrowd.noticing import codes, dates, decimals, headers, missing, spellings
from incrowd.noticing.notice import Notice, Settings
from incrowd.proposing.facts import Column, Sureness

__all__ = ["Notice", "Settings", "likely_settings", "notices", "together"]

_LOOKS: tuple[ModuleType, ...] = (headers, missing, decimals, dates, codes, spellings)

_READ = {
    Notation.DECIMAL_COMMA: "numbers are read with a decimal comma: 1.234,5 is 1234.5",
    Notation.DECIMAL_POINT: "numbers are read with a decimal point: 1,234.5 is 1234.5",
    Notation.DAY_FIRST: "dates are read day first: 03/04/2021 is 2021-04-03",
    Notation.MONTH_FIRST: "dates are read month first: 03/04/2021 is 2021-03-04",
    Notation.EXCEL_DATE: "numbers are read as the days of a spreadsheet: 44289 is 2021-04-03",
}


def notices(column: Column, steps: Sequence[str] = (), names: Sequence[str] = ()) -> tuple[Notice, ...]:
    """Return what is noticed of a column that is read as steps say; unsure notices first.

    `names` are the columns of the table.
    """
    found = [notice for look in _LOOKS for notice in look.look(column, steps, names)]
    found.sort(key=lambda notice: notice.sureness is not Sureness.UNSURE)
    return (*found, *_read(column.name, steps))


def likely_settings(noticed: Iterable[Notice]) -> dict[str, dict[str, list[str]]]:
    """Return by column the settings that are more than a guess, as a job has them."""
    found: dict[str, dict[str, list[str]]] = {}
    for notice in noticed:
        for key, values in notice.likely.items():
            found.setdefault(notice.column, {}).setdefault(key, []).extend(values)
    return found


def together(
    settings: Mapping[str, Mapping[str, Sequence[str]]],
    normalize: Mapping[str, Sequence[str] | str],
    missing_in: Mapping[str, Sequence[str | int]],
) -> dict[str, dict[str, list[str]]]:
    """Return settings of columns with those that were given, as a job has them."""
    found = {name: {key: [*values] for key, values in of.items()} for name, of in settings.items()}
    for key, given in (("normalize", normalize), ("missing", missing_in)):
        for name, values in given.items():
            known = found.setdefault(name, {}).get(key, [])
            listed = [values] if isinstance(values, str) else map(str, values)
            found[name][key] = [*dict.fromkeys([*known, *listed])]
    return found


def _read(name: str, steps: Sequence[str]) -> list[Notice]:
    """Return what is set for a column."""
    gone = sorted(codes_for_missing(steps))
    said = f"{', '.join(map(repr, gone))} {'is' if len(gone) == 1 else 'are'} read as missing"
    told = [(said, "missing")] if gone else []
    told += [(_READ[Notation(step)], "normalize") for step in steps if step in tuple(Notation)]
    merged = [step for step in steps if step in tuple(Normalize)]
    told += [(f"spellings of a value are merged ({', '.join(merged)})", "normalize")] if merged else []
    return [Notice(name, what, f"set by {key}", sureness=Sureness.SURE, set_by=key) for what, key in told]
