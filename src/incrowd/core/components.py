"""The strongly connected components of a graph whose arcs are sets of bits: dense graphs of many thousands of nodes."""

from collections.abc import Callable

import numpy as np

Bits = int
"""A set of nodes: node v is in it where bit v is set."""


def strong_components(n: int, after: Callable[[int], Bits], before: Callable[[int], Bits]) -> list[int]:
    """Return per node the number of its component; `after` gives the heads of a node's arcs, `before` the tails.

    Kosaraju and Sharir: deepest first along the arcs, then in the order of leaving, last first, against them. The next
    node is the lowest bit of what is still open, so that a node costs a few operations on words, whatever its arcs.
    """
    left: list[int] = []
    unseen = (1 << n) - 1
    while unseen:
        root = lowest(unseen)
        unseen &= ~(1 << root)
        path = [(root, after(root))]
        while path:
            node, heads = path[-1]
            heads &= unseen
            if heads:
                head = lowest(heads)
                unseen &= ~(1 << head)
                path.append((head, after(head)))
            else:
                path.pop()
                left.append(node)
    found = [-1] * n
    unseen, number = (1 << n) - 1, 0
    for root in reversed(left):
        if found[root] < 0:
            unseen &= ~(1 << root)
            found[root], open_nodes = number, [root]
            while open_nodes:
                tails = before(open_nodes.pop()) & unseen
                unseen &= ~tails
                for tail in members(tails):
                    found[tail] = number
                    open_nodes.append(tail)
            number += 1
    return found


def lowest(bits: Bits) -> int:
    """Return the lowest node of a set that has one."""
    return (bits & -bits).bit_length() - 1


def members(bits: Bits) -> list[int]:
    """Return the nodes of a set, in order."""
    octets = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    found: list[int] = np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()
    return found
