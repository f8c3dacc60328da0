"""Strongly connected components against what can be reached, node by node."""

from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.components import members, strong_components


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    """Up to nine nodes with the heads of their arcs."""
    n = draw(st.integers(0, 9))
    return [draw(st.sets(st.integers(0, n - 1), max_size=3)) for _ in range(n)]


def reached(graph: list[set[int]], start: int) -> set[int]:
    """All nodes that some way leads to."""
    found, open_nodes = {start}, [start]
    while open_nodes:
        new = graph[open_nodes.pop()] - found
        found |= new
        open_nodes += new
    return found


@given(graphs())
def test_two_nodes_are_together_where_each_leads_to_the_other(graph: list[set[int]]) -> None:
    after = [sum(1 << head for head in heads) for heads in graph]
    before = [sum(1 << tail for tail, heads in enumerate(graph) if at in heads) for at in range(len(graph))]
    found = strong_components(len(graph), after.__getitem__, before.__getitem__)
    ways = [reached(graph, at) for at in range(len(graph))]
    for one in range(len(graph)):
        for other in range(len(graph)):
            assert (found[one] == found[other]) == (other in ways[one] and one in ways[other])


@given(st.sets(st.integers(0, 300)))
def test_members_are_the_bits(nodes: set[int]) -> None:
    assert members(sum(1 << node for node in nodes)) == sorted(nodes)
