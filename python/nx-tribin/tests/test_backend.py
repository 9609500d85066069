"""The backend gives what NetworkX gives, in its order and types."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import re
import signal
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import nx_tribin

ALL = {"backend": "tribin"}

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs are saved")


def graphs() -> list[nx.Graph]:
    random = np.random.default_rng(7)
    found = [nx.Graph(), nx.empty_graph(5), nx.karate_club_graph(), nx.complete_graph(7)]
    for seed in range(40):
        graph = nx.gnp_random_graph(int(random.integers(1, 40)), float(random.random()) ** 2, seed=seed)
        # Names in another order than their edges.
        order = random.permutation(len(graph)).tolist()
        found.append(nx.relabel_nodes(graph, {node: f"node {order[node]}" for node in graph}))
    return found


def same(found: Any, expected: Any) -> None:
    """Equal, of the same types, in the same order."""
    assert type(found) is type(expected)
    assert found == expected
    # What NetworkX counts comes in the order of a set.
    if isinstance(expected, dict) and not isinstance(expected, Counter):
        assert list(found) == list(expected)
        for node, value in expected.items():
            assert type(found[node]) is type(value), (node, value)


@pytest.mark.parametrize("graph", graphs(), ids=range(len(graphs())))
def test_functions(graph: nx.Graph) -> None:
    some = list(graph)[::3]
    for function in (nx.triangles, nx.clustering, nx.square_clustering, nx.generalized_degree):
        if len(graph):
            same(function(graph, some[0], **ALL), function(graph, some[0]))
        same(function(graph, some, **ALL), function(graph, some))
        if function is not nx.generalized_degree:
            same(function(graph, **ALL), function(graph))
    same(nx.generalized_degree(graph, list(graph), **ALL), nx.generalized_degree(graph, list(graph)))
    same(nx.transitivity(graph, **ALL), nx.transitivity(graph))
    same(nx.core_number(graph, **ALL), nx.core_number(graph))
    same(nx.onion_layers(graph, **ALL), nx.onion_layers(graph))
    if len(graph):
        same(nx.average_clustering(graph, **ALL), nx.average_clustering(graph))
        same(nx.average_clustering(graph, some, **ALL), nx.average_clustering(graph, some))
    found = list(nx.all_triangles(graph, **ALL))
    expected = list(nx.all_triangles(graph))
    assert len(found) == len(expected) and set(found) == set(expected)


@pytest.mark.parametrize("graph", graphs(), ids=range(len(graphs())))
def test_neighbours_of_neighbours_and_structural_holes(graph: nx.Graph) -> None:
    some = list(graph)[::3]
    function = nx.average_neighbor_degree
    same(function(graph, **ALL), function(graph))
    same(function(graph, nodes=some, **ALL), function(graph, nodes=some))
    # NetworkX has an error for a graph without nodes.
    of_all = [None] if len(graph) else []
    for function in (nx.constraint, nx.effective_size):
        for nodes in (*of_all, some):
            found, expected = function(graph, nodes, **ALL), function(graph, nodes)
            assert list(found) == list(expected)
            assert all(type(value) is float for value in found.values())
            assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("graph", graphs(), ids=range(len(graphs())))
def test_constraints_of_pairs_and_cliques(graph: nx.Graph) -> None:
    nodes = list(graph)
    for u, v in [(u, v) for u in nodes[:7] for v in nodes[:9]]:
        found, expected = nx.local_constraint(graph, u, v, **ALL), nx.local_constraint(graph, u, v)
        assert type(found) is type(expected) and found == pytest.approx(expected, rel=1e-12)
    if max(nx.core_number(graph).values(), default=0) > 11:
        with pytest.raises(NotImplementedError, match="raised NotImplementedError when calling"):
            nx.enumerate_all_cliques(graph, **ALL)
        return
    cliques, wanted = list(nx.enumerate_all_cliques(graph, **ALL)), list(nx.enumerate_all_cliques(graph))
    assert list(map(len, cliques)) == list(map(len, wanted))
    assert sorted(cliques) == sorted(wanted)


def test_constraints_that_networkx_finds_as_fast() -> None:
    star = nx.star_graph(600)
    assert nx_tribin.should_run("local_constraint", (star, 0, 1), {}) is True
    assert "few neighbours" in str(nx_tribin.should_run("local_constraint", (star, 1), {"v": 0}))
    assert nx_tribin.can_run("local_constraint", (star, 0, 601), {}) == "a node is not in the graph"
    assert nx_tribin.can_run("local_constraint", (star, 0, 1, "weight"), {}) == "weights are not supported"


def test_weights_and_self_loops_of_structural_holes_are_networkxs() -> None:
    looped = nx.Graph([(0, 0), (0, 1), (1, 2), (2, 0)])
    weighted = nx.Graph()
    weighted.add_weighted_edges_from([(0, 1, 2.0), (1, 2, 5.0), (2, 0, 1.0)])
    for function in (nx.average_neighbor_degree, nx.constraint, nx.effective_size):
        with pytest.raises(NotImplementedError, match="raised NotImplementedError when calling"):
            function(looped, **ALL)
        assert nx_tribin.can_run(function.__name__, (weighted,), {"weight": "weight"}) == "weights are not supported"
    for function in (nx.constraint, nx.effective_size):
        assert function(nx.Graph(), [], **ALL) == {}
        with pytest.raises(nx.NetworkXError, match="Graph has no nodes or edges"):
            function(nx.Graph(), **ALL)
    with pytest.raises(nx.NetworkXError, match="only supported for directed graphs"):
        nx.average_neighbor_degree(nx.karate_club_graph(), source="in", **ALL)


def test_two_sided_graphs_have_a_clustering() -> None:
    women = nx.davis_southern_women_graph()
    two_sided = [women, nx.path_graph(3), nx.star_graph(5), nx.bipartite.random_graph(20, 30, 0.3, seed=1)]
    for graph in [*two_sided, *graphs()]:
        if nx.number_of_selfloops(graph) == 0 and not graph.is_directed():
            function = nx.bipartite.robins_alexander_clustering
            same(function(graph, **ALL), function(graph))


def test_pairs_are_compared_as_networkx_does() -> None:
    for graph in graphs():
        nodes = list(graph)
        some = [(u, v) for u in nodes[:9] for v in nodes[3:12] if u != v]
        for function in (nx.jaccard_coefficient, nx.adamic_adar_index, nx.resource_allocation_index):
            for pairs in (None, some):
                found, expected = list(function(graph, pairs, **ALL)), list(function(graph, pairs))
                assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
                assert [type(pair[2]) for pair in found] == [type(pair[2]) for pair in expected]
                assert [pair[2] for pair in found] == pytest.approx([pair[2] for pair in expected], rel=1e-12)
    with pytest.raises(nx.NodeNotFound, match="Node 99 not in G"):
        nx.jaccard_coefficient(nx.karate_club_graph(), [(0, 99)], **ALL)
    karate = nx.karate_club_graph()
    assert list(nx.common_neighbor_centrality(karate, alpha=1, **ALL)) == list(
        nx.common_neighbor_centrality(karate, alpha=1)
    )
    with pytest.raises(nx.NetworkXAlgorithmError, match="Self loops"):
        list(nx.common_neighbor_centrality(karate, [(3, 3)], alpha=1, **ALL))
    looped = nx.Graph([(0, 0), (0, 1), (1, 2)])
    assert list(nx.jaccard_coefficient(looped)) == [(0, 2, 0.5)]
    for pairs in ([(0, 1, 2)], [(0,)], ["a"]):
        with pytest.raises(ValueError, match="values to unpack"):
            nx.jaccard_coefficient(karate, pairs, **ALL)
    # Of node 11, which has one neighbour, and itself.
    assert list(nx.resource_allocation_index(karate, [(11, 11)], **ALL)) == [(11, 11, 1 / 16)]
    with pytest.raises(NotImplementedError):
        nx.adamic_adar_index(karate, [(0, 0)], **ALL)


def test_pairs_of_graphs_with_self_loops_are_left_to_networkx(first_for_all: Any) -> None:
    looped = nx.Graph([(0, 0), (0, 1), (1, 2)])
    assert list(nx.common_neighbor_centrality(looped, alpha=1)) == [(0, 2, 1)]
    assert list(nx.jaccard_coefficient(looped)) == [(0, 2, 0.5)]
    with pytest.raises(ZeroDivisionError):
        list(nx.adamic_adar_index(nx.path_graph(3), [(1, 1)]))


def with_attributes() -> nx.Graph:
    graph = nx.karate_club_graph()
    graph.graph["colour"] = "blue"
    for node in graph:
        graph.nodes[node]["age"] = node + 20
    return graph


@pytest.mark.parametrize("k", [0, 2, 3, 4, 5, 6])
def test_subgraphs_keep_their_attributes_and_order(k: int) -> None:
    graph = with_attributes()
    for function in (nx.k_truss, nx.k_core, nx.k_shell, nx.k_crust, nx.k_corona):
        found, expected = function(graph, k, **ALL), function(graph, k)
        assert type(found) is nx.Graph
        assert found.graph == expected.graph
        assert list(found.nodes(data=True)) == list(expected.nodes(data=True))
        assert list(found.edges(data=True)) == list(expected.edges(data=True))
    for function in (nx.k_core, nx.k_shell, nx.k_crust):
        assert list(function(graph, **ALL)) == list(function(graph))
    numbers = nx.core_number(graph)
    assert list(nx.k_core(graph, 2, numbers, **ALL)) == list(nx.k_core(graph, 2, numbers))


@pytest.mark.parametrize("k", [0, 2, 3, 4, 5])
def test_subgraphs_of_views_and_classes_are_those_of_networkx(k: int) -> None:
    class Roads(nx.Graph):
        pass

    graph = with_attributes()
    # From either end a view without directions shows the attributes of another arc.
    arcs = graph.to_directed()
    for u, v, data in arcs.edges(data=True):
        data["from"] = u
    unlike = arcs.to_undirected(as_view=True)
    for given in (graph, graph.subgraph(range(3, 30)), nx.relabel_nodes(graph, str), Roads(graph), unlike):
        for function in (nx.k_truss, nx.k_core):
            found, expected = function(given, k, **ALL), function(given, k)
            assert type(found) is type(expected)
            # Also the order of the neighbours.
            assert {u: list(row.items()) for u, row in found.adj.items()} == {
                u: list(row.items()) for u, row in expected.adj.items()
            }
            for u, v, data in found.edges(data=True):
                assert found[v][u] is data and given[u][v] is not data and found.nodes[u] is not given.nodes[u]
            found.add_edge("a", "b")
            assert "a" not in given


def test_induced_views_are_read_from_what_they_show() -> None:
    graph = nx.gnp_random_graph(60, 0.2, seed=3)
    graph.add_edge(7, 7)
    directed = nx.gnp_random_graph(60, 0.1, seed=4, directed=True)
    some = [*range(40, 5, -1), 59, "nobody"]
    for whole in (graph, nx.relabel_nodes(graph, str), directed):
        nodes = some if 5 in whole else list(map(str, some))
        for view in (whole.subgraph(nodes), whole.subgraph(nodes).subgraph(nodes[3:20]), whole.subgraph([])):
            assert nx_tribin._induced(view) is not None
            functions = [nx.clustering] if view.is_directed() else [nx.triangles, nx.clustering, nx.generalized_degree]
            for function in functions:
                same(function(view, **ALL), function(view))
        whole.remove_node(nodes[0])
        view = whole.subgraph(nodes)
        same(nx.clustering(view, **ALL), nx.clustering(view))
    filtered = nx.subgraph_view(graph, filter_edge=lambda u, v: u + v != 9)
    assert nx_tribin._induced(filtered) is None and nx_tribin._induced(graph) is None
    view = directed.reverse(copy=False).subgraph(some)
    assert nx.reciprocity(view, 9, **ALL) == nx.reciprocity(view, 9)
    same(nx.clustering(view, **ALL), nx.clustering(view))


def test_weights_that_are_changed_are_seen() -> None:
    graph = nx.karate_club_graph()
    for weight in (3.0, 5, 0.25):
        graph[0][1]["weight"] = graph[32][33]["weight"] = weight
        found, expected = nx.clustering(graph, weight="weight", **ALL), nx.clustering(graph, weight="weight")
        assert found == pytest.approx(expected, rel=1e-12)


def test_self_loops_are_what_they_are_to_networkx() -> None:
    graph = nx.karate_club_graph()
    graph.add_edge(3, 3)
    same(nx.triangles(graph, **ALL), nx.triangles(graph))
    same(nx.clustering(graph, **ALL), nx.clustering(graph))
    same(nx.square_clustering(graph, **ALL), nx.square_clustering(graph))
    for function in (nx.core_number, nx.k_core, nx.onion_layers):
        with pytest.raises(nx.NetworkXNotImplemented, match="self loops"):
            function(graph, **ALL)
    with pytest.raises(nx.NetworkXNotImplemented, match="self loops"):
        nx.k_truss(graph, 3, **ALL)


def directed_graphs() -> list[nx.DiGraph]:
    random = np.random.default_rng(11)
    found = [nx.DiGraph(), nx.empty_graph(4, create_using=nx.DiGraph)]
    for _ in range(60):
        nodes, density = int(random.integers(1, 25)), float(random.random()) ** 2
        graph = nx.DiGraph()
        graph.add_nodes_from(f"node {node}" for node in random.permutation(nodes).tolist())
        for u, v in np.argwhere(random.random((nodes, nodes)) < density).tolist():
            graph.add_edge(f"node {u}", f"node {v}")
            if random.random() < 0.8:
                graph.edges[f"node {u}", f"node {v}"]["w"] = float(random.random())
        found.append(graph)
    return found


def close(found: Any, expected: Any) -> None:
    """Nearly equal, of the same types, in the same order."""
    if not isinstance(expected, dict):
        found, expected = {0: found}, {0: expected}
    assert list(found) == list(expected)
    for node, value in expected.items():
        assert type(found[node]) is type(value)
        assert found[node] == pytest.approx(value, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("graph", directed_graphs(), ids=range(len(directed_graphs())))
def test_directions_and_weights(graph: nx.DiGraph) -> None:
    some = list(graph)[::3]
    same(nx.clustering(graph, **ALL), nx.clustering(graph))
    same(nx.clustering(graph, some, **ALL), nx.clustering(graph, some))
    same(nx.transitivity(graph, **ALL), nx.transitivity(graph))
    same(nx.triadic_census(graph, **ALL), nx.triadic_census(graph))
    same(nx.reciprocity(graph, some, **ALL), nx.reciprocity(graph, some))
    if graph.size():
        same(nx.overall_reciprocity(graph, **ALL), nx.overall_reciprocity(graph))
        same(nx.reciprocity(graph, **ALL), nx.reciprocity(graph))
    else:
        with pytest.raises(nx.NetworkXError, match="empty graphs"):
            nx.overall_reciprocity(graph, **ALL)
    if len(graph):
        one = some[0]
        same(nx.clustering(graph, one, **ALL), nx.clustering(graph, one))
        close(nx.average_clustering(graph, weight="w", **ALL), nx.average_clustering(graph, weight="w"))
        close(nx.average_clustering(graph, count_zeros=True, **ALL), nx.average_clustering(graph))
        if graph.degree(one):
            same(nx.reciprocity(graph, one, **ALL), nx.reciprocity(graph, one))
        else:
            with pytest.raises(nx.NetworkXError, match="isolated"):
                nx.reciprocity(graph, one, **ALL)
    undirected = nx.Graph(graph)
    for weighted in (graph, undirected):
        close(nx.clustering(weighted, weight="w", **ALL), nx.clustering(weighted, weight="w"))
        close(nx.clustering(weighted, some, "w", **ALL), nx.clustering(weighted, some, "w"))
    found, expected = (sorted(nx.all_triangles(undirected, some, **kind)) for kind in (ALL, {}))
    assert found == expected


def test_nodes_are_called_as_they_were_asked_for() -> None:
    graph = nx.complete_graph(5)
    for asked in (True, 1.0, [True, 2]):
        found, expected = (list(nx.all_triangles(graph, asked, **kind)) for kind in (ALL, {}))
        assert sorted(map(repr, found)) == sorted(map(repr, expected))


def test_weights_that_networkx_knows_better() -> None:
    graph = nx.complete_graph(3)
    graph[0][1]["w"] = float("inf")
    with pytest.raises(NotImplementedError):
        nx.clustering(graph, weight="w", **ALL)
    with pytest.raises(NotImplementedError, match="weights are finite"):
        nx_tribin.clustering(nx_tribin.convert_from_nx(graph), weight="w")


def test_what_it_cannot_do() -> None:
    run = nx_tribin.can_run
    graph, directed, multi = nx.path_graph(3), nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1)])
    assert run("triangles", (graph,), {}) is True
    assert run("clustering", (directed, None, "weight"), {}) is True
    assert run("triangles", (directed,), {}) == "directed graphs are not supported"
    assert run("transitivity", (), {"G": multi}) == "multigraphs are not supported"
    assert run("all_triangles", (multi, [0]), {}) is True
    assert run("triadic_census", (directed,), {}) is True
    some = "the triads of some nodes only are not supported"
    assert run("triadic_census", (directed, [0]), {}) == some


def test_small_graphs_and_few_nodes_are_left_to_networkx(caplog: pytest.LogCaptureFixture) -> None:
    small, large = nx.path_graph(400), nx.path_graph(600)
    assert nx_tribin.should_run("triangles", (small,), {}) == (
        "the graph has fewer than 500 edges, and NetworkX is as fast"
    )
    assert nx_tribin.should_run("triangles", (large,), {}) is True
    assert "some nodes" in str(nx_tribin.should_run("triangles", (large, 5), {}))
    caplog.set_level(logging.DEBUG, "networkx.utils.backends")
    before = nx.config.backend_priority.algos
    try:
        nx.config.backend_priority.algos = ["tribin"]
        nx.triangles(small)
        assert "shouldn't run `triangles`" in caplog.text
        caplog.clear()
        nx.triangles(large)
        assert "Using backend 'tribin'" in caplog.text
    finally:
        nx.config.backend_priority.algos = before


def test_a_conversion_is_kept_until_the_graph_changes() -> None:
    graph = nx.complete_graph(6)
    assert nx.triangles(graph, 0, **ALL) == 10
    kept = graph.__networkx_cache__["backends"]["tribin"]
    (first,) = kept.values()
    prepared = first.graph
    assert nx.transitivity(graph, **ALL) == 1.0
    assert first.graph is prepared
    # Through NetworkX's methods, which drop what is kept.
    graph.remove_edge(0, 1)
    assert nx.triangles(graph, 0, **ALL) == 6
    # Behind their back.
    graph.__networkx_cache__.get("backends", {})
    del graph._adj[2][3], graph._adj[3][2]
    assert nx.triangles(graph, 2, **ALL) == nx.triangles(graph.copy(), 2)
    graph._adj["new"] = {}
    graph._node["new"] = {}
    assert nx.triangles(graph, **ALL)["new"] == 0


def test_what_networkx_is_told() -> None:
    info = nx.utils.backends.backend_info["tribin"]
    assert info["backend_name"] == "tribin"
    for name in info["functions"]:
        module = nx if hasattr(nx, name) else nx.bipartite
        assert callable(getattr(nx_tribin, name)) and callable(getattr(module, name))
    assert nx.config.backends.tribin.min_edges == 500


def test_a_graph_that_was_asked_is_pickled_and_copied() -> None:
    graph = nx.complete_graph(5)
    nx.set_edge_attributes(graph, 2.0, "w")
    assert nx.triangles(graph, 0, **ALL) == 6
    assert nx.clustering(graph, 0, "w", **ALL) == 1.0
    for other in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph), copy.copy(graph)):
        assert nx.triangles(other, **ALL) == dict.fromkeys(range(5), 6)
        assert nx.clustering(other, weight="w", **ALL) == dict.fromkeys(range(5), 1.0)
    loaded = pickle.loads(pickle.dumps(nx_tribin.convert_from_nx(graph)))
    assert list(loaded) == list(range(5)) and len(loaded) == loaded.number_of_nodes() == 5
    assert nx_tribin.transitivity(loaded) == 1.0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_prepares_its_graphs_again() -> None:
    graph = nx.complete_graph(5)
    nx.set_edge_attributes(graph, 2.0, "w")
    assert nx.triangles(graph, 0, **ALL) == 6
    assert nx.clustering(graph, 0, "w", **ALL) == 1.0
    child = os.fork()
    if child == 0:
        status = 1
        try:
            assert nx.clustering(graph, 0, "w", **ALL) == 1.0
            assert nx.triangles(graph, **ALL) == dict.fromkeys(range(5), 6)
            assert len(list(nx.all_triangles(graph, **ALL))) == 10
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(ended[1]) == 0


def test_views_show_what_their_graph_is_now() -> None:
    graph = nx.complete_graph(5)
    nx.set_edge_attributes(graph, 1.0, "w")
    part = graph.subgraph(range(4))
    assert nx.triangles(part, **ALL) == dict.fromkeys(range(4), 3)
    assert nx.clustering(part, 2, "w", **ALL) == 1.0
    # As many edges as before.
    graph.remove_edge(0, 1)
    assert nx.triangles(part, **ALL) == {0: 1, 1: 1, 2: 2, 3: 2}
    assert nx.clustering(part, 2, "w", **ALL) == pytest.approx(2 / 3)
    graph.remove_edge(2, 3)
    graph.add_edge(0, 1, w=1.0)
    assert nx.triangles(part, **ALL) == {0: 2, 1: 2, 2: 1, 3: 1}
    assert nx.core_number(part, **ALL) == dict.fromkeys(range(4), 2)
    directed = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    undirected = directed.to_undirected(as_view=True)
    assert nx.triangles(undirected, **ALL) == {0: 1, 1: 1, 2: 1}
    directed.remove_edge(2, 0)
    directed.add_edge(2, 3)
    assert nx.triangles(undirected, **ALL) == {0: 0, 1: 0, 2: 0, 3: 0}


def test_filtered_views_of_multigraphs() -> None:
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 3), (3, 0)])
    kept = multi.edge_subgraph([(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, 0)])
    assert [set(found) for found in nx.all_triangles(kept, **ALL)] == [{0, 1, 2}]


class ByNeighbors(nx.Graph):
    """Shows the edges that are not red, by the methods that return neighbours."""

    def __getitem__(self, node: Any) -> Any:
        return {other: data for other, data in self._adj[node].items() if not data.get("red")}

    def neighbors(self, node: Any) -> Any:
        return iter(self[node])

    def adjacency(self) -> Any:
        return ((node, self[node]) for node in self)


class ByAdj(nx.Graph):
    """Shows the edges that are not red, by the view of all rows."""

    @property
    def adj(self) -> Any:
        return nx.classes.coreviews.FilterAdjacency(
            self._adj, lambda node: True, lambda u, v: not self._adj[u][v].get("red")
        )

    def adjacency(self) -> Any:
        return iter(self.adj.items())


class ByRows(nx.Graph):
    """Shows the edges that are not red, by the attribute that NetworkX's functions read."""

    kept: Any = None

    @property
    def _adj(self) -> Any:
        if self.kept is None:
            return self._rows
        return nx.classes.coreviews.FilterAdjacency(self._rows, lambda node: True, self.kept)

    @_adj.setter
    def _adj(self, rows: Any) -> None:
        self._rows = rows


class Rows(dict):
    """A row that shows the neighbours whose edges are not red."""

    def __iter__(self) -> Any:
        return (other for other in self.keys() if not self[other].get("red"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, other: Any) -> bool:
        return super().__contains__(other) and not self[other].get("red")


class WithRows(nx.Graph):
    """Keeps its edges in dictionaries of another class."""

    adjlist_inner_dict_factory = Rows


def fill(graph: nx.Graph) -> nx.Graph:
    """Forty nodes, all joined; of two nodes that are even and odd, the edge is red."""
    for u in range(40):
        for v in range(u):
            graph.add_edge(u, v, red=(u + v) % 2 == 1, w=1 + (u * v) % 7)
    if isinstance(graph, ByRows):
        graph.kept = lambda u, v: (u + v) % 2 == 0
    return graph


@pytest.fixture
def first_for_all() -> Any:
    """NetworkX asks this backend first, for graphs of every size."""
    before = nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges
    nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges = ["tribin"], 0
    yield
    nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges = before


@pytest.mark.parametrize(
    "kind, name",
    [(ByNeighbors, "ByNeighbors.__getitem__"), (ByAdj, "ByAdj.adj"), (ByRows, "ByRows._adj")],
)
def test_classes_that_show_other_edges_than_they_keep_are_left_to_networkx(
    first_for_all: Any, kind: type[nx.Graph], name: str
) -> None:
    assert sum(nx.triangles(fill(nx.Graph())).values()) // 3 == 9880
    graph = fill(kind())
    reason = f"the graph has a `{name}` of its own, and may show other edges than it keeps"
    assert nx_tribin.can_run("triangles", (graph,), {}) == reason
    # Two complete graphs of twenty nodes.
    assert nx.triangles(graph) == dict.fromkeys(range(40), 171)
    assert nx.clustering(graph) == nx.clustering(graph, backend="networkx")
    with pytest.raises(NotImplementedError):
        nx.triangles(graph, **ALL)
    with pytest.raises(NotImplementedError, match=re.escape(reason)):
        nx_tribin.convert_from_nx(graph)


def test_methods_of_an_instance_are_seen(first_for_all: Any) -> None:
    graph = fill(nx.Graph())
    assert nx_tribin.can_run("core_number", (graph,), {}) is True
    # What NetworkX keeps in the instance itself.
    assert (len(graph.adj), len(graph.edges), len(graph.nodes), graph.degree[0]) == (40, 780, 40, 39)
    assert nx_tribin.can_run("core_number", (nx.freeze(graph),), {}) is True
    graph.neighbors = lambda node: iter([other for other in graph._adj[node] if (node + other) % 2 == 0])
    assert nx_tribin.can_run("core_number", (graph,), {}) == (
        "the graph has a `neighbors` of its own, and may show other edges than it keeps"
    )


def test_rows_of_another_class_are_read_by_its_methods(first_for_all: Any) -> None:
    graph = fill(WithRows())
    assert nx_tribin.can_run("triangles", (graph,), {}) is True
    assert nx.triangles(graph) == nx.triangles(graph, backend="networkx") == dict.fromkeys(range(40), 171)


def test_classes_that_change_or_name_their_graph_are_read() -> None:
    class Named(nx.Graph):
        edge_attr_dict_factory = lambda self: {"kind": "road"}  # noqa: E731

        def __init__(self, *args: Any, **attributes: Any) -> None:
            super().__init__(*args, **attributes)
            self.added = 0

        def add_edge(self, u: Any, v: Any, **attributes: Any) -> None:
            self.added += 1
            super().add_edge(u, v, **attributes)

        def __str__(self) -> str:
            return f"{self.added} roads"

    graph = fill(Named())
    assert str(graph) == "780 roads"
    assert nx_tribin.can_run("triangles", (graph,), {}) is True
    assert nx.triangles(graph, **ALL) == dict.fromkeys(range(40), 741)
    assert nx_tribin.can_run("all_triangles", (nx.MultiGraph(graph),), {}) is True
    assert nx_tribin.can_run("triadic_census", (nx.MultiDiGraph(graph),), {}) is True


def test_a_planar_embedding_is_left_to_networkx(first_for_all: Any) -> None:
    embedding = nx.check_planarity(nx.wheel_graph(9))[1]
    assert nx_tribin.can_run("triangles", (embedding,), {}) == (
        "the graph has a `PlanarEmbedding.copy` of its own, and may show other edges than it keeps"
    )
    assert nx.triangles(embedding) == nx.triangles(embedding, backend="networkx")


@pytest.mark.parametrize("seed", range(12))
def test_components_by_a_class_of_complements_are_networkx_s(first_for_all: Any, seed: int) -> None:
    graph = nx.gnp_random_graph(24, 0.15 + 0.03 * seed, seed=seed)
    found = nx.approximation.k_components(graph)
    nx.config.backend_priority.algos = []
    assert found == nx.approximation.k_components(graph)


def test_a_complement_is_left_to_networkx(first_for_all: Any) -> None:
    complement = nx.approximation.kcomponents._AntiGraph(nx.path_graph(30).edges)
    assert "may show other edges" in str(nx_tribin.can_run("core_number", (complement,), {}))
    numbers = nx.core_number(complement)
    assert numbers == nx.core_number(nx.complement(nx.path_graph(30))) and max(numbers.values()) == 27


def test_views_are_read_as_they_are_seen(first_for_all: Any) -> None:
    graph = fill(nx.Graph())
    views = [
        (graph.subgraph(range(10)), 8 * 9 // 2),
        (nx.subgraph_view(graph, filter_edge=lambda u, v: (u + v) % 2 == 0), 171),
        (graph.edge_subgraph([(0, 1), (1, 2), (2, 0)]), 1),
        (nx.restricted_view(graph, range(3, 40), [(0, 1)]), 0),
        (graph.subgraph(range(10)).subgraph(range(5)), 6),
        (nx.DiGraph(graph).to_undirected(as_view=True), 741),
        (nx.DiGraph(graph.edges).to_undirected(as_view=True), 741),
        (nx.classes.graphviews.generic_graph_view(graph), 741),
    ]
    for view, triangles in views:
        assert nx_tribin.can_run("triangles", (view,), {}) is True
        assert nx.triangles(view) == nx.triangles(view, backend="networkx")
        assert nx.triangles(view)[0] == triangles
        close(nx.clustering(view, weight="w"), nx.clustering(view, weight="w", backend="networkx"))
    arcs = nx.gn_graph(60, seed=2)
    arcs.add_edges_from((v, u) for u, v in list(arcs.edges)[::3])
    for view in (arcs.reverse(copy=False), arcs.subgraph(range(30)), nx.Graph(arcs).to_directed(as_view=True)):
        assert nx_tribin.can_run("triadic_census", (view,), {}) is True
        assert nx.triadic_census(view) == nx.triadic_census(view, backend="networkx")
        assert nx.reciprocity(view) == nx.reciprocity(view, backend="networkx")


def test_views_of_classes_that_show_other_edges_are_left_to_networkx(first_for_all: Any) -> None:
    for kind in (ByNeighbors, ByAdj, ByRows):
        view = fill(kind()).subgraph(range(20))
        assert "may show other edges" in str(nx_tribin.can_run("triangles", (view,), {}))
        assert nx.triangles(view) == nx.triangles(view, backend="networkx")


def test_edges_that_are_there_from_one_end_are_left_to_networkx(first_for_all: Any) -> None:
    view = nx.subgraph_view(fill(nx.Graph()), filter_edge=lambda u, v: u < v)
    for function in (nx.triangles, nx.clustering, nx.core_number):
        assert function(view) == function(view, backend="networkx")
    assert sorted(nx.all_triangles(view)) == sorted(nx.all_triangles(view, backend="networkx"))
    with pytest.raises(NotImplementedError, match="from one of its ends only"):
        nx_tribin.triangles(nx_tribin.convert_from_nx(view))


def test_weights_that_differ_from_either_end_are_left_to_networkx(first_for_all: Any) -> None:
    arcs = nx.DiGraph()
    arcs.add_weighted_edges_from([(0, 1, 1), (1, 0, 8), (1, 2, 1), (2, 0, 1)])
    view = arcs.to_undirected(as_view=True)
    same(nx.triangles(view, **ALL), {0: 1, 1: 1, 2: 1})
    with pytest.raises(NotImplementedError):
        nx.clustering(view, weight="weight", **ALL)
    same(nx.clustering(view, weight="weight"), nx.clustering(view, weight="weight", backend="networkx"))
    arcs[1][0]["weight"] = 1
    same(nx.clustering(view, weight="weight", **ALL), {0: 1.0, 1: 1.0, 2: 1.0})


def test_reciprocity_of_undirected_graphs_is_networkx_s() -> None:
    graph = nx.path_graph(3)
    for name in ("reciprocity", "overall_reciprocity"):
        assert nx_tribin.can_run(name, (graph,), {}) == "undirected graphs are not supported"
        assert nx_tribin.can_run(name, (nx.DiGraph(graph),), {}) is True
    before = nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges
    expected = nx.overall_reciprocity(graph), nx.reciprocity(graph)
    try:
        nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges = ["tribin"], 0
        assert (nx.overall_reciprocity(graph), nx.reciprocity(graph)) == expected
    finally:
        nx.config.backend_priority.algos, nx.config.backends.tribin.min_edges = before


def test_the_backend_checks_strictly(tmp_path: Path) -> None:
    # A copy: beside the package that is installed are others, which mypy would take for sources.
    shutil.copytree(Path(nx_tribin.__file__).parent, tmp_path / "nx_tribin")
    check = [sys.executable, "-m", "mypy", "--strict", "nx_tribin"]
    found = subprocess.run(check, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
