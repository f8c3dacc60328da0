"""Text that is cut at line breaks is read as text that is not, by the reader of tables and by that of verification."""

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.reading import cells
from incrowd.errors import SourceError
from incrowd.threads import limited_threads
from incrowd.verification._rows import open_rows

CELLS = st.text("ab \ufeffé'", max_size=4)
QUOTED = st.sampled_from(['""', '"a,b"', '"x\ny"', '"say ""so"""'])
LINE = st.tuples(CELLS, CELLS).map(",".join)
BREAKS = st.sampled_from(["\n", "\r\n", "\n\n"])
PLAIN = st.lists(st.tuples(LINE, BREAKS).map("".join), min_size=1, max_size=30).map("".join)
INSIDE = st.tuples(QUOTED, QUOTED).map(",".join)
SOME_QUOTED = st.tuples(PLAIN, INSIDE, PLAIN).map(lambda of: f"{of[0]}{of[1]}\n{of[2]}")


def verified(path: Path) -> list[list[str | None]]:
    """The cells as verification reads them, by column."""
    found: list[list[str | None]] = [[], []]
    for batch in open_rows(str(path), ["first", "second"]).batches(["first", "second"]):
        for column, (codes, texts) in zip(found, batch, strict=True):
            column.extend(texts[code] for code in codes.tolist())
    return found


def both(path: Path, block: int) -> tuple[object, object]:
    """What the two readers find, if they read so many bytes at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("incrowd.formats._line_blocks.BLOCK", block)
        patch.setattr("incrowd.verification._line_blocks._BLOCK", block)
        return cells(path), verified(path)


@settings(max_examples=150)
@given(
    st.one_of(PLAIN, SOME_QUOTED), st.sampled_from([40, 64, 100]), st.booleans(), st.booleans(), st.sampled_from([1, 3])
)
def test_cut_text_is_read_as_whole_text(records: str, block: int, packed: bool, quoted: bool, threads: int) -> None:
    header = '"first","second"' if quoted else "first,second"
    content = f"{header}\n{records}".encode()
    with tempfile.TemporaryDirectory() as folder, limited_threads(threads):
        path = Path(folder) / ("data.csv.gz" if packed else "data.csv")
        path.write_bytes(gzip.compress(content) if packed else content)
        assert both(path, block) == both(path, 1 << 22)


def test_single_byte_encodings_are_cut_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.formats._line_blocks.BLOCK", 16)
    path = tmp_path / "data.csv"
    path.write_bytes("town,n\nKöln,1\nBärn,2\nZürich,3\n".encode("cp1252"))
    assert cells(path) == {"town": ["Köln", "Bärn", "Zürich"], "n": ["1", "2", "3"]}


def test_wide_encodings_are_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.formats._line_blocks.BLOCK", 16)
    path = tmp_path / "data.csv"
    # In UTF-16 the character U+0A41 holds the byte of a line break.
    path.write_bytes("town,n\n\u0a41,1\n\u0a41b,2\n".encode("utf-16"))
    assert cells(path) == {"town": ["\u0a41", "\u0a41b"], "n": ["1", "2"]}


def test_a_record_that_no_block_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.formats._line_blocks.BLOCK", 64)
    path = tmp_path / "data.csv"
    path.write_text(f"town,n\n{'x' * 200},1\n")
    with pytest.raises(SourceError):
        cells(path)
