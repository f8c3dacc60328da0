"""The risk by people is the same whichever engine holds the table."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings

from diagnosis.by_definition_people import SENSITIVE, WHO, tables_of_people
from effort import effort
from engines.same_rows import ENGINES, IN_PROCESS
from incrowd.api import risk
from risks.test_people import assessed
from strategies import arrays


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine(build: Any, engine: str) -> None:
    @settings(max_examples=effort(6, 12) if engine in IN_PROCESS else 2, deadline=None)
    @given(tables_of_people())
    def check(table: Any) -> None:
        columns, rows, person = table
        names = [*columns, SENSITIVE, *WHO]
        found = risk(build(engine, pa.table(arrays(rows, names), names=names)), columns, person=person)
        expected = assessed(rows, columns, person).to_dict()
        plain = found.to_dict()
        for each in (plain, expected):
            # The order of records is not the same everywhere, and sums of fractions depend on it.
            each["prosecutor"], each["marketer"] = _rounded(each["prosecutor"]), _rounded(each["marketer"])
        assert plain == expected

    check()


def _rounded(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: value and round(value, 9) for name, value in plain.items()}
