"""What ARX 3.9.2 suppresses on Adult at given levels, with 5-anonymity and a model of the occupation."""

from collections import Counter

import numpy as np
import pytest

from incrowd.core.classes import Classes
from incrowd.models import Block, PrivacyModel, Reference, parse
from models.adult import QUASI, SENSITIVE, frequencies, ladder, needs_adult, node, records

pytestmark = needs_adult

EQUAL = "t_closeness:t=0.3,column=occupation"
HIERARCHICAL = "t_closeness:t=0.2,column=occupation,distance=hierarchical"

MEASURED = [
    ("k_anonymity:k=5", (0, 3, 0, 2, 2, 1, 1, 0), 506, 222),
    ("distinct_l:l=3,column=occupation", (0, 3, 0, 2, 2, 1, 1, 0), 522, 219),
    ("entropy_l:l=3,column=occupation", (0, 4, 0, 1, 2, 1, 1, 0), 518, 152),
    ("recursive_cl:c=2,l=3,column=occupation", (0, 4, 0, 0, 2, 1, 2, 0), 582, 171),
    (EQUAL, (1, 4, 0, 2, 3, 1, 2, 0), 352, 14),
    (HIERARCHICAL, (1, 4, 0, 2, 3, 1, 2, 1), 151, 9),
]


def cost(text: str, classes: Classes, k: int = 5) -> tuple[int, int]:
    """Records suppressed and classes kept, under the model and k-anonymity."""
    kept = parse(text).holds(classes) & parse(f"k_anonymity:k={k}").holds(classes)
    return int(classes.sizes[~kept].sum()), int(np.count_nonzero(kept))


@pytest.mark.parametrize(("text", "levels", "suppressed", "kept"), MEASURED, ids=[text for text, *_ in MEASURED])
def test_what_a_node_costs(text: str, levels: tuple[int, ...], suppressed: int, kept: int) -> None:
    assert cost(text, node(levels)) == (suppressed, kept)


@pytest.mark.parametrize("times", [8, 1000, 300_000])
@pytest.mark.parametrize(
    ("text", "levels", "suppressed", "kept"), MEASURED[2:], ids=[text for text, *_ in MEASURED[2:]]
)
def test_repeating_every_record_changes_no_verdict(
    text: str, levels: tuple[int, ...], suppressed: int, kept: int, times: int
) -> None:
    """32-bit integers overflow here: ARX then accepts classes that are not t-close."""
    assert cost(text, node(levels, times), k=5 * times) == (suppressed * times, kept)


@pytest.mark.parametrize("text", [EQUAL, HIERARCHICAL, "t_closeness:t=0.3,column=occupation,distance=hierarchical"])
def test_more_classes_than_the_reference_node_by_definition(text: str) -> None:
    levels = (0, 3, 1, 1, 2, 1, 1, 1)
    model = parse(text)
    assert by_definition(model, levels) == sorted(zip(*sizes_and_verdicts(model, node(levels)), strict=True))


def sizes_and_verdicts(model: PrivacyModel, classes: Classes) -> tuple[list[int], list[bool]]:
    """Size and verdict of each class."""
    return classes.sizes.tolist(), model.holds(classes).tolist()


def by_definition(model: PrivacyModel, levels: tuple[int, ...]) -> list[tuple[int, bool]]:
    """Size and textbook verdict of each class, grouped record by record."""
    labels = [label_of(name, level) for name, level in zip(QUASI, levels, strict=True)]
    classes: dict[tuple[str, ...], Counter[tuple[str | None, ...]]] = {}
    for row in records():
        key = tuple(of[row[name]] for name, of in zip(QUASI, labels, strict=True))
        classes.setdefault(key, Counter())[row[SENSITIVE],] += 1
    whole = sum(classes.values(), Counter())
    paths: dict[str | None, tuple[str, ...]] = {row[0]: row[1:] for row in ladder(SENSITIVE).hierarchy.rows}
    reference = Reference({(SENSITIVE,): whole}, {SENSITIVE: paths})
    blocks = [Block(counts.total(), {(SENSITIVE,): counts}) for counts in classes.values()]
    return sorted((block.size, model.textbook(block, reference)) for block in blocks)


def label_of(name: str, level: int) -> dict[str, str]:
    """What each value of a column becomes."""
    return {row[0]: row[level] for row in ladder(name).hierarchy.rows}


def test_judged_groups_as_the_node_does() -> None:
    mine = frequencies().judged(QUASI, [(SENSITIVE,)], {SENSITIVE: ladder(SENSITIVE)})
    plain = node((0,) * len(QUASI))
    for text in (EQUAL, HIERARCHICAL, "entropy_l:l=3,column=occupation"):
        model = parse(text)
        assert sorted(zip(*sizes_and_verdicts(model, mine), strict=True)) == sorted(
            zip(*sizes_and_verdicts(model, plain), strict=True)
        )
