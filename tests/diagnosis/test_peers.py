"""pyCANON, another implementation of k-anonymity, finds the same k."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon.anonymity import k_anonymity

from diagnosis.by_definition import small_tables
from incrowd.api import diagnose
from strategies import column_sets
from worked_example import COLUMNS, ROWS

# pyCANON 1.0 groups by a list of one column, of which pandas 3 will make something else.
pytestmark = pytest.mark.filterwarnings("ignore:In a future version, the keys of")


@settings(max_examples=40)
@given(table=small_tables(missing=False, fewest_rows=1), data=st.data())
def test_k_of_random_tables(table: Any, data: st.DataObject) -> None:
    columns, rows = table
    frame = pd.DataFrame(rows, columns=list(columns))
    quasi = list(data.draw(column_sets(columns)))
    assert diagnose(frame).k(quasi) == k_anonymity(frame, quasi)


def test_k_of_every_set_of_the_worked_example() -> None:
    frame = pd.DataFrame(ROWS, columns=list(COLUMNS))
    for row in diagnose(frame).ask().answer:
        assert row["k"] == k_anonymity(frame, row["quasi"])
