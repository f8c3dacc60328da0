"""Files that hold several tables: one is chosen, and is what the file stands for from then on."""

import io
import sqlite3
from pathlib import Path

import pytest

from incrowd.errors import IncrowdError, UsageError
from incrowd.service import Limits, Workspace
from service.spaces import opened


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return opened(tmp_path / "space", Limits())


def database(folder: Path, *names: str) -> io.BytesIO:
    path = folder / "some.sqlite"
    with sqlite3.connect(path) as connection:
        for name in names:
            connection.execute(f'CREATE TABLE "{name}" (age, sex)')
            connection.execute(f'INSERT INTO "{name}" VALUES (1, 2)')
    connection.close()
    return io.BytesIO(path.read_bytes())


def workbook(*sheets: list[list[object]]) -> io.BytesIO:
    openpyxl = pytest.importorskip("openpyxl")
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for at, rows in enumerate(sheets):
        sheet = book.create_sheet(f"sheet {at}")
        for row in rows:
            sheet.append(row)
    book.save(out)
    out.seek(0)
    return out


def test_the_only_table_is_taken(space: Workspace, tmp_path: Path) -> None:
    file = space.add_file("a.sqlite", database(tmp_path, "people"))
    assert file.table == "people"
    assert space.tables(file.id) == []


def test_one_of_several_is_chosen(space: Workspace, tmp_path: Path) -> None:
    file = space.add_file("a.sqlite", database(tmp_path, "people", "staff; DROP"), "ann")
    assert file.table is None
    assert space.tables(file.id, "ann") == ["people", "staff; DROP"]
    with pytest.raises(UsageError, match="nobody"):
        space.choose_table(file.id, "nobody", "ann")
    with pytest.raises(IncrowdError, match="no such file"):
        space.choose_table(file.id, "people", "bob")
    assert space.choose_table(file.id, "people", "ann").table == "people"
    held = space.held(file.id, "ann")
    assert held is not None
    assert held.table == "people"
    assert space.tables(file.id, "ann") == []


def test_sheets_of_a_workbook(space: Workspace) -> None:
    people: list[list[object]] = [["age", "sex"], [1, "f"]]
    one = space.add_file("one.xlsx", workbook(people))
    assert (one.table, space.tables(one.id)) == (None, ["sheet 0"])
    # A cover before the table is no reason to refuse the file.
    two = space.add_file("two.xlsx", workbook([], people))
    assert space.tables(two.id) == ["sheet 0", "sheet 1"]
    assert space.choose_table(two.id, "sheet 1").table == "sheet 1"


def test_what_holds_no_table(space: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "none.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("DROP TABLE t")
    connection.close()
    with pytest.raises(IncrowdError, match=r"^a\.sqlite: .*no tables"):
        space.add_file("a.sqlite", io.BytesIO(path.read_bytes()))
    damaged = io.BytesIO(workbook([["a"], [1]]).getvalue()[:-400])
    with pytest.raises(IncrowdError, match=r"^b\.xlsx: "):
        space.add_file("b.xlsx", damaged)
