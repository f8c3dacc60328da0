"""The verifier's own components against what can be reached, node by node."""

from hypothesis import given
from hypothesis import strategies as st

from core.test_components import graphs, reached
from incrowd.verification._components import components, nodes_of


@given(graphs())
def test_a_component_is_all_nodes_that_reach_each_other(graph: list[set[int]]) -> None:
    after = [sum(1 << head for head in heads) for heads in graph]
    before = [sum(1 << tail for tail, heads in enumerate(graph) if at in heads) for at in range(len(graph))]
    found = [frozenset(nodes_of(each)) for each in components(len(graph), after.__getitem__, before.__getitem__)]
    ways = [reached(graph, at) for at in range(len(graph))]
    expected = {frozenset(other for other in ways[one] if one in ways[other]) for one in range(len(graph))}
    assert len(found) == len(expected)
    assert set(found) == expected


@given(st.sets(st.integers(0, 300)))
def test_the_nodes_of_a_set_are_its_bits(nodes: set[int]) -> None:
    assert list(nodes_of(sum(1 << node for node in nodes))) == sorted(nodes)
