"""Consistent records by the definitions, record by record, for the metrics of Gionis, Mazza and Tassa."""

from incrowd.release_metrics.reference import ReferenceRelease

Fits = list[list[bool]]
"""Originals x released records."""


def fits(page: ReferenceRelease) -> Fits:
    """Return whether every cell of a released record covers the value of an original."""
    rows = [group.cells for group in page.classes for _ in group.others]
    people = [record[: page.quasi] for record in page.original]
    return [[all(value in cell for value, cell in zip(own, cells, strict=True)) for cells in rows] for own in people]


def least_of_people(page: ReferenceRelease) -> float | None:
    """Return the fewest released records that are consistent with an original."""
    if not page.published:
        return None
    found = [sum(of) for of in fits(page)]
    return 0.0 if found.count(0) > page.suppressed else _least(found)


def least_of_rows(page: ReferenceRelease) -> float | None:
    """Return the fewest originals that are consistent with a released record."""
    return min((float(sum(of)) for of in zip(*fits(page), strict=True)), default=None)


def least_matches(page: ReferenceRelease) -> float | None:
    """Return the fewest matches of an original, each pair tried by itself."""
    if not page.published:
        return None
    graph = fits(page)
    return _least(
        [sum(of[row] and _assignable(graph, at, row) for row in range(len(of))) for at, of in enumerate(graph)]
    )


def _least(found: list[int]) -> float:
    """Return the smallest nonzero count."""
    return float(min((n for n in found if n), default=0))


def _assignable(graph: Fits, person: int, row: int) -> bool:
    """Return whether all other released records can belong to different others, if this one is the person's."""
    owner = {row: person}

    def placed(wanted: int, tried: set[int]) -> bool:
        for each, of in enumerate(graph):
            if of[wanted] and each not in tried and each != person:
                tried.add(each)
                other = next((at for at, owned in owner.items() if owned == each), None)
                if other is None or placed(other, tried):
                    owner[wanted] = each
                    return True
        return False

    return all(placed(each, set()) for each in range(len(graph[0])) if each != row)
