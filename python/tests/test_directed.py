"""Directions and weights against NetworkX and igraph, on many random graphs and on every kind of input."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import rustworkx
import scipy.sparse
from pyarrow import feather, parquet

import tribin

SEED = 20261122

CYCLE = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 8.0)]


def random_directed(count: int, seed: int) -> Iterator[nx.DiGraph]:
    """Weighted graphs with edges in both directions and self-loops; some nodes have no edge."""
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    for _ in range(count):
        nodes, density = int(random.integers(1, 24)), float(random.random()) ** 2
        graph = nx.DiGraph()
        graph.add_nodes_from(random.permutation(nodes).tolist())
        for u, v in np.argwhere(random.random((nodes, nodes)) < density).tolist():
            graph.add_edge(u, v, weight=round(float(random.random()) * 10 ** int(random.integers(-3, 4)), 6) + 1e-6)
        yield graph


def same(found: tribin.Table, expected: dict[int, float]) -> None:
    values = dict(found.rows())
    assert list(values) == list(expected)
    np.testing.assert_allclose(list(values.values()), list(expected.values()), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_graphs_as_networkx_and_igraph(part: int) -> None:
    for graph in random_directed(100, SEED + part):
        found = tribin.Graph(graph, directed=True, weight="weight")
        plain = tribin.Graph(graph, directed=True)
        assert plain.census() == nx.triadic_census(graph)
        assert list(plain.census()) == list(nx.triadic_census(graph))
        # Exactly: of whole numbers.
        assert dict(plain.clustering().rows()) == nx.clustering(graph)
        assert plain.directed_transitivity() == nx.transitivity(graph)
        assert abs(plain.average_clustering() - nx.average_clustering(graph)) < 1e-14
        same(found.clustering(), nx.clustering(graph, weight="weight"))
        mean = nx.average_clustering(graph, weight="weight")
        assert math.isclose(found.average_clustering(), mean, rel_tol=1e-12, abs_tol=1e-300)
        if graph.size():
            assert plain.reciprocity() == nx.overall_reciprocity(graph)
        else:
            assert math.isnan(plain.reciprocity())
        of_nodes = nx.reciprocity(graph, list(graph))
        values = {node: None if math.isnan(value) else value for node, value in plain.reciprocities().rows()}
        assert values == of_nodes
        kinds = by_matrices(graph)
        local = plain.directed_local()
        for name, expected in kinds.items():
            assert local[name].tolist() == expected, name

        undirected = nx.Graph()
        undirected.add_nodes_from(graph)
        undirected.add_edges_from((u, v, data) for u, v, data in graph.edges(data=True))
        weighted = tribin.Graph(undirected, weight=True)
        same(weighted.clustering(), nx.clustering(undirected, weight="weight"))
        without = nx.Graph(undirected)
        without.remove_edges_from(list(nx.selfloop_edges(without)))
        other = igraph.Graph.from_networkx(without)
        with_igraph(other, tribin.Graph(without, weight="weight"))
        directed = nx.DiGraph(graph)
        directed.remove_edges_from(list(nx.selfloop_edges(directed)))
        other = igraph.Graph.from_networkx(directed)
        census = plain.census()
        assert list(census.values())[1:] == list(other.triad_census())[1:]
        if directed.size():
            assert math.isclose(other.reciprocity(), tribin.reciprocity(directed), rel_tol=1e-15)


def with_igraph(other: igraph.Graph, found: tribin.Graph) -> None:
    """Barrat's coefficients, and strengths."""
    local = found.weighted_local()
    if other.ecount():
        np.testing.assert_allclose(local.strength, other.strength(weights="weight"), rtol=1e-12)
        expected = other.transitivity_local_undirected(weights="weight", mode="zero")
        np.testing.assert_allclose(local.barrat, expected, rtol=1e-12)


def by_matrices(graph: nx.DiGraph) -> dict[str, list[int]]:
    """Fagiolo's triangles, by his products of matrices."""
    a = nx.to_numpy_array(graph, weight=None).astype(np.int64)
    np.fill_diagonal(a, 0)
    t = a.T
    return {
        "cycle_triangles": np.diag(a @ a @ a).tolist(),
        "middleman_triangles": np.diag(a @ t @ a).tolist(),
        "in_triangles": np.diag(t @ a @ a).tolist(),
        "out_triangles": np.diag(a @ a @ t).tolist(),
        "triangles": (np.diag((a + t) @ (a + t) @ (a + t)) // 2).tolist(),
        "in_degree": a.sum(axis=0).tolist(),
        "out_degree": a.sum(axis=1).tolist(),
        "mutual_degree": (a * t).sum(axis=0).tolist(),
    }


def every_input(tmp_path: Path) -> dict[str, tribin.Graph]:
    source, target, weight = (list(column) for column in zip(*CYCLE))
    columns = {"source": source, "target": target, "w": weight}
    edges = np.array([source, target]).T
    matrix = scipy.sparse.coo_array((weight, (source, target)), shape=(3, 3))
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(CYCLE)
    other = igraph.Graph(edges=edges.tolist(), directed=True)
    other.es["w"] = weight
    digraph = rustworkx.PyDiGraph()
    digraph.add_nodes_from(range(3))
    digraph.add_edges_from(CYCLE)
    records = np.array(CYCLE, dtype=[("u", "i8"), ("v", "i8"), ("w", "f8")])
    path = tmp_path / "cycle.csv"
    pandas.DataFrame(columns).to_csv(path, index=False)
    scipy.sparse.save_npz(tmp_path / "rows.npz", matrix.tocsr())
    scipy.sparse.save_npz(tmp_path / "columns.npz", matrix.tocsc())
    lines = "".join(f"{u} {v} {w}\n" for u, v, w in CYCLE)
    (tmp_path / "cycle.el").write_text(lines)
    (tmp_path / "cycle.gr").write_text("p sp 3 3\n" + "".join(f"a {u + 1} {v + 1} {int(w)}\n" for u, v, w in CYCLE))
    matrix_market = "%%MatrixMarket matrix coordinate real general\n3 3 3\n"
    (tmp_path / "cycle.mtx").write_text(matrix_market + "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in CYCLE))
    frame = polars.DataFrame(columns)
    frame.write_parquet(tmp_path / "cycle.parquet")
    frame.with_columns(frame["w"].cast(polars.UInt8)).write_ipc(tmp_path / "cycle.arrow", compression="zstd")
    names = {column: [f"vertex {v}" for v in columns[column]] for column in ("source", "target")}
    frame.with_columns(**{n: polars.Series(v) for n, v in names.items()}).write_parquet(tmp_path / "names.parquet")
    halves = pyarrow.table({**columns, "w": pyarrow.array(weight, pyarrow.float32()).dictionary_encode()})
    feather.write_feather(halves, tmp_path / "halves.feather", compression="uncompressed", chunksize=2)
    decimals = pyarrow.array([decimal.Decimal(int(w)) for w in weight], pyarrow.decimal128(9, 0))
    parquet.write_table(pyarrow.table({**columns, "w": decimals}), tmp_path / "decimals.parquet", row_group_size=2)
    given = {
        "array": (edges, weight),
        "tensor-like": (edges.T.copy(), np.array(weight, dtype=np.float32)),
        "columns": ((source, target), np.array(weight)),
        "triples": (CYCLE, True),
        "mapping": (columns, "w"),
        "records": (records, "w"),
        "polars": (frame, "w"),
        "polars, weights beside": (frame.drop("w"), frame["w"]),
        "integers": (frame.with_columns(frame["w"].cast(polars.Int16)), "w"),
        "pyarrow": (pyarrow.table(columns), "w"),
        "pandas": (pandas.DataFrame(columns), "w"),
        "scipy": (matrix, True),
        "csr": (matrix.tocsr(), "data"),
        "networkx": (graph, "weight"),
        "igraph": (other, "w"),
        "rustworkx": (digraph, True),
        "csv": (path, "w"),
        "csv, by number": (str(path), "3"),
        "edge list": (tmp_path / "cycle.el", "3"),
        "edge list, the one": (tmp_path / "cycle.el", True),
        "dimacs": (tmp_path / "cycle.gr", True),
        "matrix market": (tmp_path / "cycle.mtx", "value"),
        "parquet": (tmp_path / "cycle.parquet", "w"),
        "parquet, by number": (tmp_path / "cycle.parquet", "3"),
        "parquet of names": (tmp_path / "names.parquet", "w"),
        "parquet of decimals, in groups of rows": (tmp_path / "decimals.parquet", "w"),
        "arrow": (tmp_path / "cycle.arrow", "w"),
        "feather with a dictionary of halves, in batches": (tmp_path / "halves.feather", "w"),
        "npz": (tmp_path / "rows.npz", True),
        "npz by columns": (tmp_path / "columns.npz", True),
    }
    named = {"mapping": {"source": "source", "target": "target"}}
    return {
        name: tribin.Graph(edges, directed=True, weight=weight, **named.get(name, {}))
        for name, (edges, weight) in given.items()
    }


def test_every_input_has_directions_and_weights(tmp_path: Path) -> None:
    for name, graph in every_input(tmp_path).items():
        assert graph.clustering().clustering.tolist() == [0.125] * 3, name
        assert graph.directed_local().cycle_triangles.tolist() == [1] * 3, name
        assert graph.reciprocity() == 0, name
        assert graph.count() == 1, name


def test_columns_of_the_second_order_keep_their_direction(tmp_path: Path) -> None:
    path = scipy.sparse.coo_array(([2.0, 3.0], ([0, 0], [1, 2])), shape=(3, 3))
    for matrix in (path, path.tocsr(), path.tocsc()):
        assert tribin.directed_local(matrix).out_degree.tolist() == [2, 0, 0]
    for matrix in (path.tocsr(), path.tocsc()):
        scipy.sparse.save_npz(tmp_path / "path.npz", matrix)
        assert tribin.directed_local(tmp_path / "path.npz").out_degree.tolist() == [2, 0, 0]


def test_undirected_inputs_lead_both_ways(tmp_path: Path) -> None:
    graph = nx.Graph([(0, 1), (1, 2)])
    symmetric = tmp_path / "path.mtx"
    symmetric.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
    edges = igraph.Graph(edges=[(0, 1), (1, 2)])
    other = rustworkx.PyGraph()
    other.add_nodes_from(range(3))
    other.add_edges_from_no_data([(0, 1), (1, 2)])
    for found in (graph, edges, other, symmetric):
        assert tribin.reciprocity(found) == 1
        assert tribin.census(found)["201"] == 1


def test_metis_has_every_weight_twice(tmp_path: Path) -> None:
    path = tmp_path / "cycle.graph"
    path.write_text("3 3 1\n2 1 3 8\n1 1 3 1\n1 8 2 1\n")
    edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 8.0)]
    assert tribin.weighted_local(path, weight=True).onnela.tolist() == [0.25] * 3
    for directed in (False, True):
        one = tribin.clustering(path, weight="weight", directed=directed)
        other = [*edges, *((v, u, w) for u, v, w in edges)] if directed else edges
        assert one.clustering.tolist() == tribin.clustering(other, weight=True, directed=directed).clustering.tolist()
    # Where they differ, each is that of one direction.
    path.write_text("3 3 1\n2 2 3 8\n1 1 3 1\n1 8 2 1\n")
    assert tribin.reciprocity(path) == 1
    with pytest.raises(tribin.InputError, match="has the weights"):
        tribin.clustering(path, weight=True)
    assert tribin.weighted_local(path, weight=True, duplicates="last").strength.tolist() == [9.0, 2.0, 9.0]


def test_weights_of_files_that_cannot_be(tmp_path: Path) -> None:
    frame = polars.DataFrame({"u": [0, 1], "v": [1, 2], "w": [1.0, None], "t": ["a", "b"], "n": [1.0, math.nan]})
    for path, write in (("bad.parquet", frame.write_parquet), ("bad.arrow", frame.write_ipc)):
        write(tmp_path / path)
        for weight, message in [
            ("w", "row 1: a weight is missing .* in the column `w`"),
            ("n", "row 1: NaN is no weight: weights are finite numbers in the column `n`"),
            ("t", "the column `t` holds texts: weights are numbers"),
            ("x", "there is no column `x` of weights; the columns are `u`, `v`, `w`, `t`, `n`"),
            ("v", "the column `v` is an end of the edges, and no weight"),
        ]:
            with pytest.raises(tribin.InputError, match=message):
                tribin.clustering(tmp_path / path, source="u", target="v", weight=weight)


def test_duplicates() -> None:
    edges = [(0, 1, 1.0), (1, 2, 2.0), (0, 2, 4.0), (0, 1, 3.0)]
    with pytest.raises(tribin.InputError, match="the edge 0 – 1 has the weights 1 and 3"):
        tribin.clustering(edges, weight=True)
    local = tribin.weighted_local(edges, weight=True, duplicates="sum")
    assert local.strength.tolist() == [8.0, 6.0, 6.0]
    last = tribin.weighted_local(edges, weight=True, duplicates="last")
    assert last.strength.tolist() == [7.0, 5.0, 6.0]
    # The other way round it is another arc, and the same edge.
    both = [*edges[:3], (1, 0, 3.0)]
    assert tribin.clustering(both, weight=True, directed=True).clustering.shape == (3,)
    with pytest.raises(tribin.InputError, match="has the weights"):
        tribin.clustering(both, weight=True)
    with pytest.raises(tribin.UsageError, match="use equal, sum or last"):
        tribin.clustering(edges, weight=True, duplicates="first")


def test_what_cannot_be() -> None:
    edges = np.array([[0, 1], [1, 2], [2, 0]])
    frame = polars.DataFrame({"u": [0, 1], "v": [1, 2], "w": [1.0, None], "t": ["a", "b"]})
    for given, weight, message in [
        (edges, [1.0, 2.0], "there are 2 weights for 3 edges"),
        (edges, [1.0, 2.0, math.nan], "weight of entry 2 .* is NaN: weights are finite"),
        (edges, ["a", "b", "c"], "are no numbers"),
        (edges, np.ones((3, 1)), "have 2 dimensions"),
        (edges, [0.0, 0.0, 0.0], "the largest weight is 0"),
        (frame, "w", "row 1 .*: a weight is missing .* in the column `w`"),
        (frame, "t", "the column `t` holds texts: weights are numbers"),
        (frame.to_pandas(), "w", "row 1 .* of column `w` is null"),
    ]:
        with pytest.raises(tribin.InputError, match=message):
            tribin.clustering(given, weight=weight)
    for given, weight, message in [
        (edges, "w", "no column of weights"),
        (frame, "x", "there is no column `x` of weights; the columns are `u`, `v`, `w`, `t`"),
        (frame, True, "give the name of the column"),
        ([(0, 1)], "w", "pairs have no names"),
        (scipy.sparse.eye_array(3), "w", "give `weight=True`"),
    ]:
        with pytest.raises(tribin.UsageError, match=message):
            tribin.clustering(given, weight=weight)
    plain = tribin.Graph(edges)
    for call in (plain.census, plain.reciprocity, plain.directed_local, plain.reciprocities):
        with pytest.raises(tribin.UsageError, match="`directed=True`"):
            call()
    with pytest.raises(tribin.UsageError, match="undirected graphs with weights"):
        plain.weighted_local()
    with pytest.raises(tribin.UsageError, match="undirected graphs with weights"):
        plain.clustering("barrat")


def test_tables_convert() -> None:
    found = tribin.directed_local(CYCLE)
    assert found.to_polars().columns == list(found.columns)
    assert found.to_pandas()["cycle_clustering"].tolist() == [1.0] * 3
    assert tribin.reciprocities(CYCLE).to_arrow().num_rows == 3


def test_weights_beside_a_graph_are_in_the_order_of_its_edges() -> None:
    graph = nx.Graph([("d", "a"), ("a", "b"), ("c", "a"), ("b", "c"), ("d", "c")])
    values = [1.0, 2.0, 4.0, 8.0, 16.0]
    nx.set_edge_attributes(graph, dict(zip(graph.edges, values)), "w")
    expected = nx.clustering(graph, weight="w")
    for edges in (graph, igraph.Graph.from_networkx(graph)):
        found = tribin.Graph(edges, weight=np.array(values)).clustering()
        assert found.clustering.tolist() == pytest.approx(list(expected.values()), rel=1e-12)
        strength = tribin.Graph(edges, weight=values).weighted_local().strength.tolist()
        assert strength == [value for _, value in graph.degree(weight="w")]
    both = tribin.Graph(graph, weight=values, directed=True).clustering().clustering.tolist()
    assert both == pytest.approx(list(nx.clustering(graph.to_directed(), weight="w").values()), rel=1e-12)
    multi = nx.MultiGraph([(0, 1), (1, 2), (2, 0), (0, 1)])
    # The edges are (0, 1), (0, 1), (0, 2), (1, 2).
    found = tribin.Graph(multi, weight=[1.0, 2.0, 4.0, 8.0], duplicates="sum").weighted_local()
    assert found.strength.tolist() == [7.0, 11.0, 12.0]
    with pytest.raises(tribin.InputError, match="there are 4 weights for 5 edges"):
        tribin.Graph(graph, weight=values[:4])


def test_a_self_loop_of_an_undirected_graph_is_one_arc() -> None:
    graph = nx.MultiGraph([(0, 1), (1, 2), (2, 0), (0, 0)])
    weights = {"duplicates": "sum", "directed": True}
    nx.set_edge_attributes(graph, {edge: place + 1.0 for place, edge in enumerate(graph.edges(keys=True))}, "weight")
    by_name = tribin.Graph(graph, weight=True, **weights)
    values = [value for _, _, value in graph.edges(data="weight")]
    beside = tribin.Graph(graph, weight=values, **weights)
    of_igraph = tribin.Graph(igraph.Graph(list(graph.edges())), weight=values, **weights)
    expected = by_name.clustering().clustering.tolist()
    for found in (by_name, beside, of_igraph):
        assert found.clustering().clustering.tolist() == expected
        assert (found.self_loops_dropped, found.reciprocity()) == (1, 6 / 7)


def test_directions_that_are_dropped_are_told() -> None:
    cycle = [(0, 1), (1, 2), (2, 0)]
    graphs = (nx.DiGraph(cycle), igraph.Graph(cycle, directed=True), rustworkx.PyDiGraph())
    for graph in graphs:
        assert tribin.Graph(graph).explain().input.endswith(", whose directions are dropped without `directed=True`")
        assert "dropped" not in tribin.Graph(graph, directed=True).explain().input
    assert "dropped" not in tribin.Graph(nx.Graph(cycle)).explain().input
    assert tribin.directed_transitivity(nx.DiGraph(cycle)) == nx.transitivity(nx.DiGraph(cycle)) == 0.0
    with pytest.raises(tribin.UsageError, match="give `weight`, and not `directed`"):
        tribin.Graph(cycle).clustering("barrat")
    weighted: tribin.Options = {"weight": True}
    assert tribin.clustering(CYCLE, weighting="barrat", **weighted) == tribin.Graph(CYCLE, **weighted).clustering("barrat")
    assert tribin.average_clustering(CYCLE, weighting="barrat", **weighted) == 1.0 > tribin.average_clustering(CYCLE, **weighted)
