"""What every hierarchy must be, checked from its rows alone."""

from collections.abc import Sequence

from incrowd.core.hierarchy import Hierarchy


def assert_true_tree(hierarchy: Hierarchy, values: Sequence[str]) -> None:
    """Covers the values; each level joins what the one below tells apart; one top; a label means one code."""
    rows = hierarchy.rows
    assert set(values) <= {row[0] for row in rows}
    assert len({row[0] for row in rows}) == len(rows) == len(hierarchy.values)
    for level in range(hierarchy.height):
        parents: dict[str, set[str]] = {}
        for row in rows:
            parents.setdefault(row[level], set()).add(row[level + 1])
        assert all(len(above) == 1 for above in parents.values()), f"level {level + 1} tears level {level}"
    assert len({row[-1] for row in rows}) == 1
    for level, labels in enumerate(hierarchy.labels):
        assert len(set(labels)) == len(labels)
        assert level == 0 or all(labels)
        # Each code has its label, and each label stands for values.
        assert {row[level] for row in rows} == set(labels)


def labels_of(hierarchy: Hierarchy, level: int) -> dict[str, str]:
    """Each base value with its label on a level."""
    return {row[0]: row[level] for row in hierarchy.rows}
