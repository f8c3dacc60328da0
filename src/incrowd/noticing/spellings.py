"""Values that differ in blanks, case, Unicode form or invisible characters alone."""

from collections.abc import Iterator, Sequence

from incrowd.core.schema import Normalize
from incrowd.noticing.notice import Notice
from incrowd.proposing.facts import Column
from incrowd.text import count


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice on several spellings of a value."""
    found = column.spellings
    if found:
        are = "is another spelling" if found == 1 else "are other spellings"
        yield Notice(
            column.name,
            f"{found:,} of {count(column.distinct, 'value')} {are} of a value (blanks, case, Unicode form, invisible "
            "characters)",
            "each counts as a value of its own",
            (("Merge spellings", {"normalize": tuple(map(str, Normalize))}),),
        )
