"""Similar pairs beside NetworkX and plain Python."""

from __future__ import annotations

import math
from itertools import combinations

import igraph
import networkx as nx
import numpy as np
import pandas
import polars
import pytest

import tribin

MEASURES = {
    "jaccard": lambda common, u, v: len(common) / (u + v - len(common)),
    "overlap": lambda common, u, v: len(common) / min(u, v),
    "cosine": lambda common, u, v: len(common) / math.sqrt(u * v),
    "sorensen": lambda common, u, v: 2 * len(common) / (u + v),
    "common": lambda common, u, v: len(common),
}


def scores(graph: nx.Graph, by: str) -> dict[tuple[int, int], float]:
    """All pairs that share a neighbour."""
    found = {}
    for u, v in combinations(sorted(graph), 2):
        common = set(nx.common_neighbors(graph, u, v))
        if not common:
            continue
        if by == "adamic_adar":
            found[u, v] = sum(1 / math.log(graph.degree(w)) for w in common)
        elif by == "resource_allocation":
            found[u, v] = sum(1 / graph.degree(w) for w in common)
        else:
            found[u, v] = MEASURES[by](common, graph.degree(u), graph.degree(v))
    return found


@pytest.mark.parametrize("by", [result.name for result in tribin.results() if result.of == "pair"])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_networkx(by: str, seed: int) -> None:
    graph = nx.gnp_random_graph(40, 0.05 + 0.1 * seed, seed=seed)
    prepared = tribin.Graph(graph)
    expected = scores(graph, by)
    found = prepared.similar(by, top=None)
    assert list(zip(found.source.tolist(), found.target.tolist())) == sorted(expected)
    assert found[by] == pytest.approx([expected[pair] for pair in sorted(expected)], rel=1e-12)
    least = float(np.median(list(expected.values())))
    above = prepared.similar(by, top=None, min=least, non_edges=True)
    kept = [
        pair
        for pair in zip(found.source.tolist(), found.target.tolist(), found[by].tolist())
        if pair[2] >= least and not graph.has_edge(*pair[:2])
    ]
    assert list(zip(above.source.tolist(), above.target.tolist(), above[by].tolist())) == kept
    # The best of each vertex, by the scores that all pairs have.
    both = {pair: score for pair, score in zip(zip(found.source.tolist(), found.target.tolist()), found[by].tolist())}
    both.update({(v, u): score for (u, v), score in both.items()})
    best = [
        pair
        for vertex in graph
        for pair in sorted((pair for pair in both if pair[0] == vertex), key=lambda pair: (-both[pair], pair[1]))[:3]
    ]
    top = prepared.similar(by, top=3)
    assert list(zip(top.source.tolist(), top.target.tolist())) == best
    assert prepared.similarities(best, by).tolist() == top[by].tolist()


def test_given_pairs_and_what_is_wrong_with_them() -> None:
    named = tribin.Graph([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Di")])
    assert named.similarities([("Di", "Ann"), ("Ann", "Ann"), ("Cy", "Di")]).tolist() == [0.5, 1.0, 0.0]
    assert named.similar(top=1).target.tolist() == ["Di", "Di", "Ann", "Ann"]
    assert tribin.similarities([(5, 7), (7, 9)], np.array([[5, 9]]), "common").tolist() == [1.0]
    assert tribin.similar([(5, 7), (7, 9)]).to_dict() == {"source": [5, 9], "target": [9, 5], "jaccard": [1.0, 1.0]}
    assert named.similarities([]).tolist() == []
    for pairs, by, said in [
        ([("Ann", "Eve")], "jaccard", "there is no vertex 'Eve'"),
        ([("Ann", "Di")], "likeness", "`likeness` is no similarity"),
    ]:
        with pytest.raises(tribin.UsageError, match=said):
            named.similarities(pairs, by)
    for wrong in ([("Ann",)], [("Ann", "Di", "Bo")], ["Ann"], [(["Ann"], "Di")]):
        with pytest.raises(tribin.UsageError, match="two vertices in each row"):
            named.similarities(wrong)
    called_alike = igraph.Graph([(0, 1), (1, 2)])
    called_alike.vs["name"] = ["a", "b", "a"]
    with pytest.raises(tribin.UsageError, match="several vertices are called the same"):
        tribin.Graph(called_alike).similarities([("a", "b")])
    for library in (pandas, polars):
        table = library.DataFrame({"u": ["Di", "Cy"], "v": ["Ann", "Di"]})
        assert named.similarities(table).tolist() == [0.5, 0.0]
        assert tribin.similarities([(5, 7), (7, 9)], library.DataFrame({"u": [5], "v": [9]})).tolist() == [1.0]
    numbered = tribin.Graph([(5, 7), (7, 9)])
    for wrong, said in [([(5, 60)], "no vertex 60"), ([(5, -7)], "whole numbers"), ([5, 7], "two vertices in each row"), (np.ma.array([[5, 7]], mask=[[0, 1]]), "no mask")]:
        with pytest.raises(tribin.UsageError, match=said):
            numbered.similarities(wrong)
    with pytest.raises(tribin.UsageError, match="no columns"):
        numbered.similarities((np.array([5, 7]), np.array([7, 9])))
    with pytest.raises(tribin.UsageError, match="top"):
        numbered.similar(top=-1)
    assert len(numbered.similar(top=2**64 - 1)) == 2
    large = tribin.Graph([(2**64 - 1, 5), (5, 7)])
    assert large.similarities([(2**64 - 1, 7.0)], "common").tolist() == [1.0]


def test_a_vertex_shares_all_of_its_neighbours_with_itself() -> None:
    graph = nx.star_graph(3)
    graph.add_edge(1, 2)
    expected = [score for _, _, score in nx.resource_allocation_index(graph, [(0, 0)])]
    assert tribin.similarities(graph, [(0, 0)], "resource_allocation").tolist() == expected == [2.0]
    assert tribin.similarities(graph, [(0, 0)], "common").tolist() == [3.0]
