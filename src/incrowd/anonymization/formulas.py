"""A warning if a spreadsheet would run cells of a published text file."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from incrowd.anonymization.output_paths import OutputPaths
from incrowd.errors import listed
from incrowd.families import FORMATS
from incrowd.formats.formulas import columns_with_formulas
from incrowd.threads import in_order


def _has_formulas(kind: str) -> bool:
    """Return whether cells of a format can be made harmless for spreadsheets, which would run them."""
    return "spreadsheet_safe" in FORMATS.module(kind).WRITE_OPTIONS


class Formulas:
    """Looks at records on their way into a text file."""

    def __init__(self, place: OutputPaths) -> None:
        self._looks = not place.in_database and _has_formulas(place.kind) and not place.options.spreadsheet_safe
        self._columns: dict[str, None] = {}

    def seen(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the same batches."""
        if not self._looks:
            yield from batches
            return
        for batch, found in in_order(lambda batch: (batch, columns_with_formulas(batch)), batches):
            self._columns |= dict.fromkeys(sorted(found))
            yield batch

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the publisher."""
        if not self._columns:
            return ()
        return (
            f"cells of {listed(self._columns)} start like formulas, and a spreadsheet that opens the file would run "
            "them. Set spreadsheet_safe (--spreadsheet-safe) to put an apostrophe before each.",
        )
