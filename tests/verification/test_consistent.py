"""consistent_k as verification judges it, against the definition, record by record."""

from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.models.consistent_k import NOTIONS, ConsistentK
from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.verification._classes import ClassesOfRelease
from incrowd.verification._consistent import consistency_check
from searches.consistent_by_hand import holds

TREE = (("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*"), ("d", "de", "*"), ("ä", "de", "*"))
LISTED = (*TREE, (None, "c", "*"))
MODELS = st.builds(ConsistentK, k=st.integers(2, 4), notion=st.sampled_from(NOTIONS))
Path = tuple[str | None, ...]


def path_of(value: str | None, listed: bool) -> Path:
    """The cells that cover a value."""
    rows = {row[0]: row for row in (LISTED if listed else TREE)}
    return rows.get(value, (value, "*"))


@settings(max_examples=150)
@given(st.data(), MODELS, st.booleans(), st.booleans())
def test_by_definition(data: st.DataObject, model: ConsistentK, listed: bool, missing_fits: bool) -> None:
    people = data.draw(st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", "d", "ä", None])] * 2), max_size=7))
    # Where records with a missing cell are set aside, they are not published.
    out = [(not missing_fits and None in person) or data.draw(st.integers(0, 5)) == 0 for person in people]
    rows = [tuple(data.draw(st.sampled_from(path_of(value, listed))) for value in person) for person in people]
    record, classes = told(people, rows, out, listed)
    known = [person for person in people if missing_fits or None not in person]
    shown = [row for row, gone in zip(rows, out, strict=True) if not gone]
    pairs = [
        [all(cell in path_of(value, listed) for value, cell in zip(person, row, strict=True)) for row in shown]
        for person in known
    ]
    assert consistency_check("it", model, record, classes, missing_fits).holds is holds(model, pairs)


def told(people: list[Any], rows: list[Any], out: list[bool], listed: bool) -> tuple[Record, ClassesOfRelease]:
    """A private record, and the classes of the release that it tells of."""
    tree = LISTED if listed else TREE
    values = tuple(tuple(dict.fromkeys(person[at] for person in people)) for at in range(2))
    labels = tuple(tuple(dict.fromkeys(row[at] for row in rows)) for at in range(2))
    combinations = RecodedCombinations.of_pieces(
        ("x", "y"),
        values,
        labels,
        tuple(tuple(of.index(cell) for of, cell in zip(values, person, strict=True)) for person in people),
        tuple(
            None if gone else tuple(of.index(cell) for of, cell in zip(labels, row, strict=True))
            for row, gone in zip(rows, out, strict=True)
        ),
        (1,) * len(people),
    )
    quasi = tuple(RecodedQuasi(name, None, (0, 0.5, 1), tree) for name in "xy")
    shown = [row for row, gone in zip(rows, out, strict=True) if not gone]
    sizes = {row: shown.count(row) for row in shown}
    record = SimpleNamespace(quasi=quasi, combinations=combinations)
    return cast(Record, record), ClassesOfRelease(list(sizes), list(sizes.values()), {})


def test_a_record_of_another_release() -> None:
    record, classes = told([("a", "c"), ("b", "c")], [("a", "c"), ("b", "c")], [False, False], listed=False)
    other = ClassesOfRelease([("ab", "c"), ("b", "c")], [1, 1], {})
    assert consistency_check("it", ConsistentK(2), record, other, missing_fits=True).holds is False
    assert consistency_check("it", ConsistentK(2), None, classes, missing_fits=True).holds is None
