"""Every result against NetworkX, on many small graphs."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
from conftest import random_graphs

import tribin


def triangles_of(graph: nx.Graph) -> set[frozenset[int]]:
    return {
        frozenset((u, v, w))
        for u, v in graph.edges
        for w in set(graph[u]) & set(graph[v])
    }


def trussness_of(graph: nx.Graph) -> dict[frozenset[int], int]:
    """By definition: the last k whose k-truss has the edge."""
    trussness = {frozenset(edge): 2 for edge in graph.edges}
    for k in itertools.count(3):
        kept = nx.k_truss(graph, k)
        if not kept.edges:
            return trussness
        trussness.update({frozenset(edge): k for edge in kept.edges})


def test_results_are_networkx_s() -> None:
    for graph in random_graphs(120):
        found = tribin.Graph(graph)
        nodes = list(graph)
        triangles = nx.triangles(graph)
        clustering = nx.clustering(graph)
        corners = triangles_of(graph)

        assert found.count() == len(corners) == sum(triangles.values()) // 3
        assert (found.number_of_vertices, found.number_of_edges) == (len(graph), graph.size())
        local = found.local()
        assert local.vertex.tolist() == nodes
        assert dict(zip(nodes, local.degree.tolist())) == dict(graph.degree)
        assert dict(zip(nodes, local.triangles.tolist())) == triangles
        assert dict(zip(nodes, local.clustering.tolist())) == clustering
        assert found.clustering().clustering.tolist() == list(clustering.values())
        mean = nx.average_clustering(graph) if nodes else 0
        assert abs(found.average_clustering() - mean) < 1e-14
        assert found.transitivity() == nx.transitivity(graph)
        cores = found.core_numbers()
        assert dict(zip(cores.vertex.tolist(), cores.core_number.tolist())) == nx.core_number(graph)

        support = {frozenset((u, v)): s for u, v, s in found.support().rows()}
        expected = {frozenset((u, v)): len(list(nx.common_neighbors(graph, u, v))) for u, v in graph.edges}
        assert support == expected
        trussness = {frozenset((u, v)): k for u, v, k in found.truss().rows()}
        assert trussness == trussness_of(graph)
        for k in (0, 2, 3, 4, 6):
            kept = {frozenset(edge) for edge in found.k_truss(k).rows()}
            assert kept == {edge for edge, last in trussness.items() if last >= k}

        listed = [frozenset(row) for chunk in found.triangles(chunk=7) for row in chunk.tolist()]
        assert len(listed) == len(corners) and set(listed) == corners

        stats = found.stats()
        joined = [node for node in graph if graph.degree(node)]
        assert (stats.vertices, stats.edges, stats.triangles) == (len(joined), graph.size(), len(corners))
        assert stats.wedges == sum(d * (d - 1) // 2 for _, d in graph.degree)
        assert stats.degeneracy == max(nx.core_number(graph).values(), default=0)


def test_vertices_are_those_of_the_edges_unless_all_are_known() -> None:
    edges = np.array([[5, 7], [7, 9], [9, 5], [9, 9], [7, 5]])
    graph = tribin.Graph(edges)
    assert graph.local().vertex.tolist() == [5, 7, 9]
    assert (graph.self_loops_dropped, graph.duplicates_dropped, graph.reciprocal_dropped) == (1, 1, 1)
    graph = tribin.Graph(edges, vertices=11)
    assert graph.local().vertex.tolist() == list(range(11))
    assert graph.core_numbers().core_number.tolist() == [0, 0, 0, 0, 0, 2, 0, 2, 0, 2, 0]
    assert abs(graph.average_clustering() - 3 / 11) < 1e-15


def test_far_ids_keep_their_values() -> None:
    for far, dtype in ((2**62, np.int64), (2**64 - 1, np.uint64)):
        edges = np.array([[1, far], [far, 7], [7, 1]], dtype=np.uint64)
        graph = tribin.Graph(edges)
        assert graph.local().vertex.dtype == dtype
        assert graph.local().vertex.tolist() == [1, 7, far]
        assert [chunk.tolist() for chunk in graph.triangles()] == [[[1, 7, far]]]
        assert list(graph.support().rows()) == [(1, 7, 1), (1, far, 1), (7, far, 1)]


def test_an_engine_of_one_thread_finds_the_same() -> None:
    graph = nx.gnp_random_graph(300, 0.1, seed=1)
    one, all_threads = tribin.Graph(graph, threads=1), tribin.Graph(graph, device="cpu")
    assert one.local() == all_threads.local()
    assert one.truss() == all_threads.truss()
    assert one.explain().threads == 1
