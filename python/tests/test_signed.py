"""Triangles by the signs of their edges."""

from __future__ import annotations

import pytest

import tribin


@pytest.mark.parametrize(
    ("zero", "kinds", "on_the_edge"),
    [
        ("positive", {"+++": 0, "++-": 1, "+--": 1, "---": 0}, [0, 1, 1, 0]),
        ("negative", {"+++": 0, "++-": 0, "+--": 2, "---": 0}, [0, 0, 2, 0]),
        ("skip", {"+++": 0, "++-": 0, "+--": 1, "---": 0}, [0, 0, 1, 0]),
    ],
)
def test_triangles_by_the_signs_of_their_edges(zero: str, kinds: dict[str, int], on_the_edge: list[int]) -> None:
    edges = [("Ann", "Bo", 1), ("Bo", "Cy", -2.5), ("Cy", "Ann", -1), ("Cy", "Di", 0), ("Di", "Ann", 3)]
    found = tribin.signed_triangles(edges, weight=True, zero=zero)
    assert found.pop("balanced") == kinds["+--"] / sum(kinds.values())
    assert found == kinds
    names = ["all_positive", "one_negative", "two_negative", "all_negative"]
    prepared = tribin.Graph(edges, weight=True)
    at_vertices = {vertex: numbers for vertex, *numbers in prepared.at_vertices(*names, zero=zero).rows()}
    assert at_vertices["Ann"] == at_vertices["Cy"] == on_the_edge and at_vertices["Bo"] == [0, 0, 1, 0]
    on_edges = {frozenset((u, v)): numbers for u, v, *numbers in prepared.on_edges(*names, zero=zero).rows()}
    assert on_edges[frozenset(("Ann", "Cy"))] == on_the_edge and on_edges[frozenset(("Ann", "Bo"))] == [0, 0, 1, 0]


def test_zeros_and_wrong_usage_are_refused() -> None:
    graph = tribin.Graph([("Ann", "Bo", 1), ("Bo", "Cy", 0), ("Cy", "Ann", 1)], weight=True)
    with pytest.raises(tribin.InputError, match="has the weight 0"):
        graph.signed_triangles()
    assert graph.signed_triangles(zero="positive")["+++"] == 1
    with pytest.raises(ValueError, match="`maybe` is nothing for 0 to be"):
        graph.signed_triangles(zero="maybe")
    with pytest.raises(ValueError, match="without weights"):
        tribin.Graph([(0, 1)]).signed_triangles()
