"""Results as tables of other libraries."""

from __future__ import annotations

import copy
import pickle
import tracemalloc

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tribin

NAMED = [("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Δι")]


def test_columns_are_typed_and_read_only(karate: tribin.Graph) -> None:
    local = karate.local()
    assert [local[name].dtype.name for name in local.columns] == ["int64", "int64", "int64", "float64"]
    assert karate.support().support.dtype == karate.truss().trussness.dtype == np.int64
    squares = karate.square_clustering()
    assert [squares[name].dtype.name for name in squares.columns] == ["int64", "int64", "int64", "float64"]
    with pytest.raises(ValueError, match="read-only"):
        local.degree[0] = 1
    with pytest.raises(KeyError, match="colour"):
        local["colour"]
    assert type(karate.count()) is int
    assert len(local) == 34 and local.to_dict()["degree"][0] == 16
    assert local[0] == (0, 16, 18, 0.15)


def test_tables_of_other_libraries(karate: tribin.Graph) -> None:
    for found in (karate.local(), karate.truss(), karate.core_numbers(), tribin.local(NAMED), tribin.support(NAMED)):
        frame = found.to_pandas()
        assert isinstance(frame, pd.DataFrame) and tuple(frame.columns) == found.columns
        polars, arrow = found.to_polars(), found.to_arrow()
        assert isinstance(polars, pl.DataFrame) and isinstance(arrow, pa.Table)
        assert polars.to_dict(as_series=False) == arrow.to_pydict() == found.to_dict() == frame.to_dict("list")
        assert duckdb.sql("from arrow").fetchall() == duckdb.sql("from found").fetchall() == list(found.rows())


def test_arrays(karate: tribin.Graph) -> None:
    truss = np.asarray(karate.truss())
    assert (truss.shape, truss.dtype) == ((78, 3), np.int64)
    local = np.asarray(karate.local())
    assert local.dtype.names == ("vertex", "degree", "triangles", "clustering")
    assert np.asarray(karate.k_truss(5), dtype=np.float32).dtype == np.float32


def test_a_table_is_a_dictionary_of_columns(karate: tribin.Graph) -> None:
    local = karate.local()
    assert list(local) == list(local.keys()) == list(local.columns) and len(local) == 34
    assert all(column is local[name] for name, column in dict(local).items())
    frame = pd.DataFrame(local)
    assert frame.equals(local.to_pandas()) and list(frame.dtypes) == [column.dtype for column in local.values()]
    assert pl.DataFrame(local).equals(local.to_polars()) and pa.table(local).to_pydict() == local.to_dict()
    for change in (lambda: local.pop("degree"), lambda: local.update(degree=local.triangles), lambda: local.clear()):
        with pytest.raises(TypeError, match="does not change"):
            change()
    with pytest.raises(TypeError, match="does not change"):
        local["degree"] = local.triangles
    # For completion.
    assert {*local.columns, "rows", "head"} <= set(dir(local)) and "jaccard" in dir(karate.on_edges("jaccard"))
    numbers = local.to_numpy()
    assert (numbers.shape, numbers.dtype) == ((34, 4), np.float64) and numbers[0].tolist() == [0, 16, 18, 0.15]
    assert tribin.local(NAMED).to_numpy().dtype == object and local.to_numpy(np.float32).dtype == np.float32
    assert karate.stats().to_dict()["triangles"] == 45


def test_rows_of_a_table(karate: tribin.Graph) -> None:
    local = karate.local()
    rows = list(local.rows())
    assert rows[0] == local[0] == (0, 16, 18, 0.15) and local[-1] == local[np.int64(33)] == rows[-1]
    assert list(local[3:7].rows()) == list(local[[3, 4, 5, 6]].rows()) == rows[3:7]
    assert type(local.head()) is tribin.Local and list(local.head().rows()) == rows[:5] and len(local.head(0)) == 0
    assert list(local[local.degree > 11].rows()) == [row for row in rows if row[1] > 11]
    with pytest.raises(IndexError, match="no row 34: there are 34"):
        local[34]
    found = karate.on_edges("jaccard", "forman")
    assert found[:2].columns == found.columns and found[:2] == found.head(2)


@pytest.mark.parametrize("n", [0, 1, 3, 10, 34, 99])
@pytest.mark.parametrize("by", [None, "degree", "vertex"])
def test_the_top_of_a_table(karate: tribin.Graph, n: int, by: str | None) -> None:
    local = karate.local()
    place = local.columns.index(by or "triangles")
    assert list(local.top(n, by).rows()) == sorted(local.rows(), key=lambda row: -row[place])[:n]


def test_the_top_of_what_is_no_number() -> None:
    shares = tribin.Graph(np.array([[0, 1], [1, 0], [1, 2]]), directed=True, vertices=4).reciprocities()
    assert shares.top(4).vertex.tolist() == [0, 1, 2, 3] and shares.top(1).reciprocity.tolist() == [1.0]
    assert tribin.support(NAMED).top(1).support.tolist() == [1]
    with pytest.raises(tribin.UsageError, match="the column `vertex` has names"):
        tribin.local(NAMED).top(1, "vertex")


def test_the_first_rows_are_shown_without_the_others() -> None:
    vertices = np.arange(3_000_000)
    table = tribin.CoreNumbers(vertices, vertices)
    tracemalloc.start()
    shown, html = repr(table), table._repr_html_()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert shown.endswith("          4\n… (3,000,000 rows)") and peak < 100_000
    assert html.startswith("<table><tr><th>vertex</th><th>core_number</th></tr><tr><td>0</td>") and "<td>9</td>" in html
    assert html.endswith("</table>… (3,000,000 rows)") and "<td>10</td>" not in html
    assert "<td>&lt;b&gt;</td>" in tribin.core_numbers([("<b>", "c")])._repr_html_()


def test_edges_are_graphs_of_other_libraries(karate: tribin.Graph) -> None:
    truss = tribin.truss(NAMED)
    of_networkx = truss.to_networkx()
    ends = {("Ann", "Bo"): 3, ("Ann", "Cy"): 3, ("Bo", "Cy"): 3, ("Cy", "Δι"): 2}
    assert {tuple(sorted(edge)): k for *edge, k in of_networkx.edges(data="trussness")} == ends
    of_igraph = truss.to_igraph()
    names = of_igraph.vs["name"]
    edges = zip(of_igraph.get_edgelist(), of_igraph.es["trussness"])
    assert {tuple(sorted((names[u], names[v]))): k for (u, v), k in edges} == ends
    with pytest.raises(tribin.UsageError, match="the vertices have names"):
        truss.to_scipy()
    matrix = karate.truss().to_scipy()
    assert matrix.shape == (34, 34) and (matrix != matrix.T).nnz == 0 and matrix.sum() == 2 * karate.truss().trussness.sum()
    assert karate.k_truss(5).to_scipy(40).shape == (40, 40) and karate.k_truss(5).to_networkx().number_of_edges() == 14
    assert tribin.count(karate.k_truss(5)) == tribin.count(karate.k_truss(5).to_scipy()) == 16
    with pytest.raises(tribin.UsageError, match="the rows of this table are a vertex each"):
        karate.local().to_networkx()


def test_an_exported_table_outlives_the_graph() -> None:
    arrow = tribin.Graph(np.arange(20_000).reshape(-1, 2)).local().to_arrow()
    assert arrow["vertex"].to_pylist() == list(range(20_000))
    assert arrow["degree"].to_pylist() == [1] * 20_000


def test_vertices_without_a_type_of_arrow_s() -> None:
    with pytest.raises(tribin.UsageError, match=r"the vertex \(.*\) is of the type tuple, and an Arrow column"):
        tribin.local([((0, 1), (1, 1))]).to_arrow()


def test_a_table_shows_itself() -> None:
    assert repr(tribin.core_numbers(NAMED)) == (
        "tribin.CoreNumbers\n"
        "vertex  core_number\n"
        "   Ann            2\n"
        "    Bo            2\n"
        "    Cy            2\n"
        "    Δι            1"
    )
    assert repr(tribin.Graph(NAMED)) == "tribin.Graph(vertices=4, edges=4, device='cpu')"


def test_shortcuts_are_the_graph_s(karate: tribin.Graph) -> None:
    edges = np.argwhere(np.triu(np.ones((5, 5)), 1))
    graph = tribin.graph(edges)
    assert tribin.graph(graph) is graph
    assert tribin.count(edges) == graph.count() == 10
    assert tribin.stats(edges) == graph.stats()
    assert tribin.clustering(edges) == graph.clustering()
    assert tribin.average_clustering(edges) == tribin.transitivity(edges) == 1.0
    assert tribin.truss(edges) == graph.truss() and tribin.k_truss(edges, 5) == graph.k_truss(5)
    assert sum(len(chunk) for chunk in tribin.triangles(edges, chunk=3)) == 10
    with pytest.raises(TypeError, match="made already"):
        tribin.count(graph, device="cpu")
    with pytest.raises(tribin.UsageError, match="`chunk` is 0"):
        graph.triangles(chunk=0)


def test_tables_without_rows() -> None:
    graph = tribin.Graph(np.empty((0, 2), dtype=np.int64))
    directed = tribin.Graph(np.empty((0, 2), dtype=np.int64), directed=True)
    weighted = tribin.Graph(np.empty((0, 2), dtype=np.int64), weight=[])
    named = tribin.Graph([("a", "b")])
    tables = [
        graph.local(),
        graph.clustering(),
        graph.square_clustering(),
        graph.support(),
        graph.truss(),
        graph.k_truss(3),
        graph.core_numbers(),
        directed.directed_local(),
        directed.reciprocities(),
        weighted.weighted_local(),
        tribin.Graph([(0, 1)]).k_truss(3),
        named.k_truss(3),
    ]
    for found in tables:
        polars, arrow = found.to_polars(), found.to_arrow()
        assert len(found) == 0 and polars.height == arrow.num_rows == len(found.to_pandas()) == 0
        assert tuple(polars.columns) == tuple(arrow.column_names) == found.columns
        assert duckdb.sql("from found").fetchall() == []


def test_results_that_are_no_numbers_are_equal() -> None:
    graph = tribin.Graph(np.array([[0, 1]]), directed=True, vertices=3)
    assert graph.reciprocities() == graph.reciprocities()


def test_all_names_are_exported() -> None:
    names: dict[str, object] = {}
    exec("from tribin import *", names)
    assert {"Graph", "count", "truss", "InputError"} <= set(names)


def test_copies_of_results_are_read_only(karate: tribin.Graph) -> None:
    local = karate.local()
    for again in (pickle.loads(pickle.dumps(local)), copy.deepcopy(local)):
        assert again == local and type(again) is tribin.Local
        with pytest.raises(ValueError, match="read-only"):
            again.degree[0] = 1
    with pytest.raises(ValueError, match="is a copy"):
        local.__array__(copy=False)


def test_the_list_of_results_is_told_and_found(karate: tribin.Graph) -> None:
    listed = tribin.results()
    at_vertices = [result.name for result in listed if result.of == "vertex" and not result.needs]
    on_edges = [result.name for result in listed if result.of == "edge" and not result.needs]
    assert at_vertices == [
        "degree",
        "triangles",
        "clustering",
        "core",
        "triangle_centrality",
        "wedges",
        "wedge_ends",
        "four_cycles",
        "square_clustering",
    ]
    assert on_edges == ["support", "jaccard", "overlap", "cosine", "sorensen", "edge_clustering", "forman"]
    assert all(result.formula and result.meaning.endswith(".") for result in listed)

    found = karate.at_vertices(*at_vertices)
    assert found.columns == ("vertex", *at_vertices)
    assert found.triangles.tolist() == karate.local().triangles.tolist()
    assert found.core.tolist() == karate.core_numbers().core_number.tolist()
    centrality = dict(zip(found.vertex.tolist(), found.triangle_centrality.tolist()))
    assert [round(centrality[member], 6) for member in (13, 0, 31, 2)] == [0.755556, 0.674074, 0.651852, 0.644444]
    edges = karate.on_edges(*on_edges)
    rows = {(u, v): numbers for u, v, *numbers in edges.rows()}
    assert rows[0, 1][:2] == [7, 7 / 18] and rows[32, 33][1] == 10 / 19
    assert (min(edges.forman), max(edges.forman)) == (-18, 5) and edges.forman.dtype == np.int64


def test_columns_of_results_are_a_table_like_any_other(karate: tribin.Graph) -> None:
    found = karate.on_edges("jaccard", "forman")
    again = pickle.loads(pickle.dumps(found))
    assert again == found == copy.deepcopy(found) and again.columns == found.columns
    assert found != karate.on_edges("forman", "jaccard")
    assert found.to_polars().equals(pl.DataFrame(found.to_dict()))
    assert list(found.to_pandas()) == ["source", "target", "jaccard", "forman"]
    with pytest.raises(AttributeError, match="no column `overlap`: there are source, target, jaccard, forman"):
        found.overlap


def test_results_that_a_graph_does_not_have_are_told(karate: tribin.Graph) -> None:
    with pytest.raises(tribin.UsageError, match="`nope` is no result: there are degree, triangles, "):
        karate.at_vertices("nope")
    with pytest.raises(tribin.UsageError, match="`ldbc_clustering` is a result of graphs with directions"):
        karate.at_vertices("ldbc_clustering")
    with pytest.raises(tribin.UsageError, match="`degree` is no result: there are support, jaccard, "):
        karate.on_edges("degree")
    directed = tribin.Graph([(0, 1), (0, 2), (1, 2), (2, 1)], directed=True)
    assert directed.at_vertices("ldbc_clustering", "core").ldbc_clustering.tolist() == [1.0, 0.5, 0.5]
