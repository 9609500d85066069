"""Cliques against NetworkX's enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, takewhile

import networkx as nx
import numpy as np
import pytest

import tribin


def cliques_of(graph: nx.Graph, k: int) -> set[tuple[int, ...]]:
    """All cliques of k vertices, each ascending."""
    up_to = takewhile(lambda clique: len(clique) <= k, nx.enumerate_all_cliques(graph))
    return {tuple(sorted(clique)) for clique in up_to if len(clique) == k}


def graphs() -> list[nx.Graph]:
    made = [nx.gnp_random_graph(30, p, seed=seed) for p in (0.2, 0.5) for seed in range(5)]
    made += [nx.complete_graph(13), nx.turan_graph(20, 5), nx.mycielski_graph(5), nx.karate_club_graph()]
    return [*made, nx.barabasi_albert_graph(60, 8, seed=1), nx.windmill_graph(4, 6)]


@pytest.mark.parametrize("graph", graphs(), ids=str)
@pytest.mark.parametrize("k", range(3, 9))
def test_cliques_are_networkx_s(graph: nx.Graph, k: int) -> None:
    expected = cliques_of(graph, k)
    found = tribin.Graph(graph)
    assert found.cliques(k) == tribin.cliques(graph, k) == len(expected)

    at = Counter(vertex for clique in expected for vertex in clique)
    table = found.cliques_at_vertices(k)
    assert table.columns == ("vertex", "cliques")
    assert dict(table.rows()) == {vertex: at[vertex] for vertex in graph}

    on = Counter(edge for clique in expected for edge in combinations(clique, 2))
    table = found.cliques_on_edges(k)
    assert table.columns == ("source", "target", "cliques")
    assert {(u, v): n for u, v, n in table.rows()} == {(u, v): on[u, v] for u, v in map(sorted, graph.edges)}

    chunks = list(found.list_cliques(k, chunk=7))
    assert all(chunk.shape[1] == k and 0 < len(chunk) <= 7 for chunk in chunks)
    rows = [tuple(row) for chunk in chunks for row in chunk.tolist()]
    assert len(rows) == len(expected) and set(rows) == expected


def test_vertices_are_called_as_in_the_input() -> None:
    edges = [("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Di"), ("Di", "Ann"), ("Di", "Bo"), ("Di", "Eva")]
    assert tribin.cliques_at_vertices(edges, 4).to_dict() == {
        "vertex": ["Ann", "Bo", "Cy", "Di", "Eva"],
        "cliques": [1, 1, 1, 1, 0],
    }
    assert [chunk.tolist() for chunk in tribin.list_cliques(edges, 4)] == [[["Ann", "Bo", "Cy", "Di"]]]
    assert tribin.cliques_on_edges(edges, 4).cliques.dtype == np.int64
    assert sum(tribin.cliques_on_edges(edges, 4).cliques) == 6


def test_other_numbers_of_vertices_are_refused() -> None:
    graph = tribin.Graph([(0, 1)])
    with pytest.raises(tribin.UsageError, match="`k` is 2: it must be 3 or more"):
        graph.cliques(2)
    with pytest.raises(tribin.UsageError, match="`k` is 13: cliques have from 3 to 12 vertices"):
        graph.list_cliques(13)
    with pytest.raises(tribin.UsageError, match="must be a whole number"):
        graph.cliques_at_vertices("four")  # type: ignore[arg-type]
