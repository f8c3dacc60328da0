"""XML tables."""

import gc
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from formats.reading import SECRET, cells, classes, refusal
from incrowd.formats import read
from incrowd.formats.xml_rows import _rows


def written(folder: Path, content: str | bytes) -> Path:
    """A file with this content."""
    path = folder / "data.xml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


EXPECTED = {"a": ["1", None, "<3>"], "b": ["x", "y", None]}


@pytest.mark.parametrize(
    "content",
    [
        "<t><r><a>1</a><b>x</b></r><r><b>y</b></r><r><a>&lt;3&gt;</a></r></t>",
        '<t><r a="1" b="x"/><r b="y"/><r a="&#60;3>"/></t>',
        '<?xml version="1.0"?>\n<t>\n <!-- so -->\n <r a="1">\n  <b>x</b>\n </r>\n <r>\n  <a/>\n  <b>y</b>\n </r>\n'
        " <r><a><![CDATA[<3>]]></a><b>\n  </b></r>\n</t>\n",
        '<n:t xmlns:n="urn:n" xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="urn:n n.xsd">'
        '<n:r><n:a>1</n:a><n:b>x</n:b></n:r><n:r><n:a x:nil="true"/><n:b>y</n:b></n:r><n:r n:a="&lt;3>"/></n:t>',
    ],
    ids=["elements", "attributes", "both", "namespaces"],
)
def test_shapes(tmp_path: Path, content: str) -> None:
    assert cells(written(tmp_path, content)) == EXPECTED


def test_columns_in_order_of_appearance(tmp_path: Path) -> None:
    assert read(written(tmp_path, '<t><r b="1"><c>2</c></r><r a="3"/></t>')).columns == ("b", "c", "a")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?><t><r><Größe>Köln</Größe></r></t>'.encode(encoding)
    assert cells(written(tmp_path, content)) == {"Größe": ["Köln"]}


def test_cells_are_texts(tmp_path: Path) -> None:
    assert cells(written(tmp_path, "<t><r><a>007</a></r><r><a> 7</a></r></t>")) == {"a": ["007", " 7"]}


def test_missing_texts(tmp_path: Path) -> None:
    assert cells(written(tmp_path, "<t><r><a>?</a></r></t>"), missing=("?",)) == {"a": [None]}


def test_many_records(tmp_path: Path) -> None:
    path = written(tmp_path, "<t>" + '<r a="1"><b>x</b></r><r><b>y</b></r>' * 100_000 + "</t>")
    assert classes(read(path)) == {("1", "x"): 100_000, (None, "y"): 100_000}


def test_what_was_read_is_dropped(tmp_path: Path) -> None:
    path = written(tmp_path, "<t>" + "<r><a>1</a></r>" * 100_000 + "</t>")
    most = 0
    for number, _ in enumerate(_rows(str(path))):
        if number % 10_000 == 0:
            most = max(most, sum(isinstance(thing, Element) for thing in gc.get_objects()))
    # The parser hands over what it finds in 64 KiB, some 9,000 elements.
    assert 0 < most < 20_000


BOMB = '<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><t><r><c>&b;</c></r></t>'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, "document type or entities"),
        ('<!DOCTYPE t SYSTEM "t.dtd"><t><r a="1"/></t>', "document type or entities"),
        (f"<t>\n<r><a>{SECRET}</a></r>\n<r><a>{SECRET}</b></r></t>", "line 3 is not valid XML"),
        (f"<t><r><a>{SECRET}</a></r>", "line 1 is not valid XML"),
        (f"a,b\n{SECRET},2\n", "line 1 is not valid XML"),
        (f"<t><r><a>&unknown; {SECRET}</a></r></t>", "line 1 is not valid XML"),
        (f"<t><r a='1'/><r><a><x>{SECRET}</x></a></r></t>", "cell 'a' of record 2 is not a single value"),
        (f"<t><r><a unit='{SECRET}'>1</a></r></t>", "cell 'a' of record 1 is not a single value"),
        (f"<t><rows><r><a>{SECRET}</a></r></rows></t>", "cell 'r' of record 1 is not a single value"),
        (f"<t><r><a>1</a><a>{SECRET}</a></r></t>", "record 1 has more than one cell 'a'"),
        (f"<t><r a='1'><a>{SECRET}</a></r></t>", "record 1 has more than one cell 'a'"),
        (f"<t><r>{SECRET}</r></t>", "record 1 contains text outside its cells"),
        (f"<t><r><a>1</a>{SECRET}</r></t>", "record 1 contains text outside its cells"),
        (f"<t><r a='1'/><s a='{SECRET}'/></t>", "differ ('r' and 's')"),
        ("<t/>", "no columns"),
        ('<?xml version="1.0" encoding="klingon"?><t><r a="1"/></t>', "encoding"),
    ],
)
def test_refused(tmp_path_factory: pytest.TempPathFactory, content: str, words: str) -> None:
    # Not in tmp_path, which is named for the test and so for the content.
    assert words in refusal(written(tmp_path_factory.mktemp("refused"), content))
