"""incrowd tally"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.reading import SourceOptions, reads_table

ORDER = 500


@reads_table
def tally(
    given: SourceOptions,
    by: Annotated[list[str], typer.Option(metavar="COLUMN", help="A column that is counted; may be repeated.")],
    as_json: options.Json = False,
) -> None:
    """Count the records of a table, and the combinations of some of its columns."""
    import incrowd

    found = incrowd.tally(given.source, given.columns(by) or ())
    if as_json:
        print_json(found)
    else:
        print(f"{found['records']} records, {found['combinations']} combinations")
