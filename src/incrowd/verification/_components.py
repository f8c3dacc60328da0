"""Strongly connected components, for the notion global_one_k: which nodes reach each other.

Forward and backward reach from a pivot (Fleischer, Hendrickson and Pinar 2000): the nodes that it reaches and that
reach it are its component; every other component lies wholly in what it reaches, in what reaches it, or in the rest.
"""

from collections.abc import Callable, Iterator

Bits = int
"""A set of nodes: node v is in it where bit v is set."""

Arcs = Callable[[int], Bits]


def components(nodes: int, after: Arcs, before: Arcs) -> Iterator[Bits]:
    """Yield the components of a graph; `after` gives the heads of a node's arcs, `before` the tails."""
    waiting = [(1 << nodes) - 1]
    while waiting:
        among = waiting.pop()
        if not among:
            continue
        pivot = among & -among
        reached, reaching = _reach(pivot, among, after), _reach(pivot, among, before)
        yield reached & reaching
        waiting += [reached & ~reaching, reaching & ~reached, among & ~(reached | reaching)]


def nodes_of(bits: Bits) -> Iterator[int]:
    """Yield the members of a set, the lowest first."""
    octets = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for at, octet in enumerate(octets):
        while octet:
            lowest = octet & -octet
            yield at * 8 + lowest.bit_length() - 1
            octet ^= lowest


def _reach(start: Bits, among: Bits, arcs: Arcs) -> Bits:
    """Return the nodes reached from a set along arcs within another one, the set itself included."""
    found = fresh = start
    while fresh:
        heads = 0
        for node in nodes_of(fresh):
            heads |= arcs(node)
        fresh = heads & among & ~found
        found |= fresh
    return found
