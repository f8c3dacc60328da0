"""A warning where a text file is published whose cells a spreadsheet would run."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from incrowd.anonymization.output_paths import OutputPaths
from incrowd.errors import listed
from incrowd.formats.formulas import columns_with_formulas


class Formulas:
    """Looks at records on their way into a text file."""

    def __init__(self, place: OutputPaths) -> None:
        self._looks = not place.in_database and place.kind == "delimited" and not place.options.spreadsheet_safe
        self._columns: dict[str, None] = {}

    def seen(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The same batches."""
        for batch in batches:
            if self._looks:
                self._columns |= dict.fromkeys(sorted(columns_with_formulas(batch)))
            yield batch

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever publishes should know."""
        if not self._columns:
            return ()
        return (
            f"cells of {listed(self._columns)} begin as formulas do, and a spreadsheet that opens the file would run "
            "them. With spreadsheet_safe (--spreadsheet-safe) an apostrophe is put before each.",
        )
