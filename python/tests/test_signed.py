"""Triangles by the signs of their edges, against all sets of three vertices."""

from __future__ import annotations

import random
from itertools import combinations

import networkx as nx
import pytest

import tribin


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("zero", ["positive", "negative", "skip"])
def test_counts_are_those_of_all_sets_of_vertices(seed: int, zero: str) -> None:
    graph = nx.gnp_random_graph(20, 0.5, seed=seed)
    draw = random.Random(seed)
    for _, _, of_edge in graph.edges(data=True):
        of_edge["weight"] = draw.choice([-2.5, -1, 0, 1, 3])
    expected = {"+++": 0, "++-": 0, "+--": 0, "---": 0}
    names = ["all_positive", "one_negative", "two_negative", "all_negative"]
    on_edges = {frozenset(edge): [0] * 4 for edge in graph.edges}
    at_vertices = {vertex: [0] * 4 for vertex in graph}
    for three in combinations(graph, 3):
        ends = list(combinations(three, 2))
        if not all(graph.has_edge(*edge) for edge in ends):
            continue
        weights = [graph.edges[edge]["weight"] for edge in ends]
        if zero == "skip" and 0 in weights:
            continue
        negative = sum(weight < 0 or (weight == 0 and zero == "negative") for weight in weights)
        expected["+" * (3 - negative) + "-" * negative] += 1
        for edge in ends:
            on_edges[frozenset(edge)][negative] += 1
        for vertex in three:
            at_vertices[vertex][negative] += 1
    found = tribin.signed_triangles(graph, weight=True, zero=zero)
    assert found.pop("balanced") == pytest.approx((expected["+++"] + expected["+--"]) / sum(expected.values()))
    assert found == expected
    prepared = tribin.Graph(graph, weight=True)
    for vertex, *numbers in prepared.at_vertices(*names, zero=zero).rows():
        assert numbers == at_vertices[vertex]
    for source, target, *numbers in prepared.on_edges(*names, zero=zero).rows():
        assert numbers == on_edges[frozenset((source, target))]


def test_zeros_and_wrong_usage_are_refused() -> None:
    graph = tribin.Graph([("Ann", "Bo", 1), ("Bo", "Cy", 0), ("Cy", "Ann", 1)], weight=True)
    with pytest.raises(tribin.InputError, match="has the weight 0"):
        graph.signed_triangles()
    assert graph.signed_triangles(zero="positive")["+++"] == 1
    with pytest.raises(ValueError, match="`maybe` is nothing for 0 to be"):
        graph.signed_triangles(zero="maybe")
    with pytest.raises(ValueError, match="without weights"):
        tribin.Graph([(0, 1)]).signed_triangles()
