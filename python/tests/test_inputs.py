"""Every kind of input gives the same graph."""

from __future__ import annotations

import gzip
import io
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import igraph
import networkit
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
import rustworkx as rx
import scipy.sparse as sp
from conftest import KARATE

import tribin

EDGES = np.array(KARATE.edges)
SOURCE, TARGET = EDGES[:, 0], EDGES[:, 1]
NAMES = np.array([f"member {vertex}" for vertex in KARATE], dtype=object)


class Tensor:
    """What a tensor of PyTorch's on the CPU is to NumPy."""

    __module__ = "torch"

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return self.array


class Data:
    """What PyTorch Geometric has."""

    edge_index = Tensor(EDGES.T)
    num_nodes = 34


NUMBERS: dict[str, Any] = {
    "rows": EDGES,
    "columns": np.ascontiguousarray(EDGES.T),
    "rows in Fortran's order": np.asfortranarray(EDGES),
    "every second row": np.repeat(EDGES, 2, axis=0)[::2],
    "backwards": EDGES[::-1],
    "read-only": np.frombuffer(EDGES.astype(np.uint32).tobytes(), dtype=np.uint32).reshape(-1, 2),
    "unaligned": np.frombuffer(b"x" + EDGES.astype(np.int64).tobytes(), dtype=np.int64, offset=1).reshape(-1, 2),
    "other byte order": EDGES.astype(">i4"),
    "two arrays": (SOURCE, TARGET),
    "two arrays of 16 bits": (SOURCE.astype(np.uint16), TARGET.astype(">i2")),
    "two arrays of different types": (SOURCE.astype(np.uint8), TARGET.astype(np.int64)),
    "two lists": (SOURCE.tolist(), TARGET.tolist()),
    "two series": (pl.Series(SOURCE), pd.Series(TARGET)),
    "two Arrow arrays": (pa.array(SOURCE), pa.chunked_array([TARGET[:7], TARGET[7:]])),
    "records": np.rec.fromarrays([SOURCE, TARGET], names="source,target"),
    "pairs": [tuple(edge) for edge in EDGES.tolist()],
    "a set of pairs": {tuple(edge) for edge in EDGES.tolist()},
    "an iterator of edges with weights": ((u, v, 0.5) for u, v in EDGES.tolist()),
    "NumPy's numbers": [tuple(edge) for edge in EDGES],
    "Polars": pl.DataFrame({"weight": SOURCE * 0.5, "src": SOURCE, "dst": TARGET}),
    "Polars, uint8": pl.DataFrame({"u": SOURCE.astype(np.uint8), "v": TARGET.astype(np.uint8)}),
    "pandas": pd.DataFrame({"from": SOURCE, "to": TARGET, "weight": 1.0}),
    "pandas, nullable": pd.DataFrame({"from": SOURCE, "to": TARGET}, dtype="Int32"),
    "pandas, sparse": pd.DataFrame({"from": SOURCE, "to": TARGET}).astype(pd.SparseDtype("int64", 0)),
    "pandas, pyarrow": pd.DataFrame({"from": SOURCE, "to": TARGET}, dtype="int64[pyarrow]"),
    "pandas, ends in the index": pd.DataFrame({"w": 1.0}, index=pd.MultiIndex.from_arrays([SOURCE, TARGET], names=["src", "dst"])),
    "pandas, one end in the index": pd.DataFrame({"source": SOURCE, "target": TARGET, "w": 1.0}).set_index("source"),
    "pandas, unknown names in the index": pd.DataFrame({"person": SOURCE, "friend": TARGET}).set_index("person"),
    "pandas, another name in the index": pd.DataFrame({"from": SOURCE, "to": TARGET}, index=pd.Index(SOURCE * 3, name="id")),
    "pandas, objects": pd.DataFrame({"from": SOURCE, "to": TARGET}, dtype=object),
    "pandas, categories": pd.DataFrame({"from": SOURCE, "to": TARGET}, dtype="category"),
    "pandas, decimals": pd.DataFrame({"from": [Decimal(int(u)) for u in SOURCE], "to": TARGET}),
    "a series of pairs": pd.Series([tuple(edge) for edge in EDGES.tolist()]),
    "an index of pairs": pd.MultiIndex.from_arrays([SOURCE, TARGET]),
    "an array of objects": EDGES.astype(object),
    "a view of memory": memoryview(EDGES),
    "lists of integers and floats": ([float(u) if u % 2 else u for u in SOURCE.tolist()], TARGET.tolist()),
    "halves": EDGES.astype(np.float16),
    "pandas with an index": pd.DataFrame({"from": SOURCE, "to": TARGET}, index=SOURCE * 3),
    "floats": EDGES * 1.0,
    "two arrays, one of floats": (SOURCE, TARGET.astype(np.float32)),
    "Polars, floats": pl.DataFrame({"u": SOURCE * 1.0, "v": TARGET}),
    "Polars, decimals": pl.DataFrame({"u": SOURCE, "v": TARGET}).cast(pl.Decimal(9, 0)),
    "pandas, floats": pd.DataFrame({"from": SOURCE * 1.0, "to": TARGET}),
    "pandas, nullable floats": pd.DataFrame({"from": SOURCE, "to": TARGET}, dtype="Float64"),
    "pyarrow, decimals": pa.table({"a": pa.array(SOURCE).cast(pa.decimal128(19, 0)), "b": TARGET}),
    "pyarrow": pa.table({"source": SOURCE, "target": TARGET}),
    "pyarrow, in batches": pa.Table.from_batches(pa.table({"a": SOURCE, "b": TARGET}).to_batches(5)),
    "pyarrow, dictionaries": pa.table(
        {"a": pa.array(SOURCE).dictionary_encode(), "b": pa.array(TARGET).dictionary_encode()}
    ),
    "DuckDB": duckdb.sql("select a, b from (values " + ", ".join(f"({u}, {v})" for u, v in EDGES) + ") t(a, b)"),
    "SciPy CSR": sp.csr_array((np.ones(len(EDGES)), (SOURCE, TARGET)), shape=(34, 34)),
    "SciPy CSC": sp.csc_matrix((np.ones(len(EDGES)), (SOURCE, TARGET)), shape=(34, 34)),
    "SciPy COO": sp.coo_array((np.ones(len(EDGES)), (SOURCE, TARGET)), shape=(34, 34)),
    "SciPy LIL": sp.coo_array((np.ones(len(EDGES)), (SOURCE, TARGET)), shape=(34, 34)).tolil(),
    "NetworkX": KARATE,
    "NetworkX, directed": KARATE.to_directed(),
    "NetworkX, multigraph": nx.MultiGraph([*KARATE.edges, *KARATE.edges]),
    "igraph": igraph.Graph(EDGES.tolist()),
    "rustworkx": rx.networkx_converter(KARATE),
    "rustworkx, directed": rx.networkx_converter(KARATE.to_directed()),
    "neighbours": {vertex: list(KARATE[vertex]) for vertex in KARATE},
    "neighbours of some": {vertex: [w for w in KARATE[vertex] if w > vertex] for vertex in list(KARATE)[:33]},
    "PyTorch": Tensor(EDGES.T),
    "PyTorch Geometric": Data(),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_integers(kind: str) -> None:
    graph = tribin.Graph(NUMBERS[kind])
    expected = tribin.Graph(KARATE)
    assert (graph.count(), graph.number_of_vertices, graph.number_of_edges) == (45, 34, 78)
    in_order = np.argsort(graph.local().vertex)
    assert graph.local().triangles[in_order].tolist() == expected.local().triangles.tolist()
    assert graph.explain().input and graph.explain().device in str(graph.explain())


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_every_type_of_integers(dtype: str) -> None:
    assert tribin.count(EDGES.astype(dtype)) == 45
    assert tribin.count((EDGES.T.astype(dtype)[0], EDGES.T.astype(dtype)[1])) == 45
    table = pa.table({"a": SOURCE.astype(dtype), "b": TARGET.astype(dtype)})
    assert tribin.count(table) == 45


NAMED: dict[str, Any] = {
    "pairs": [(NAMES[u], NAMES[v]) for u, v in EDGES],
    "an array of objects": NAMES[EDGES],
    "an array of texts": NAMES[EDGES].astype(str),
    "two lists": (NAMES[SOURCE].tolist(), NAMES[TARGET].tolist()),
    "Polars": pl.DataFrame({"a": NAMES[SOURCE], "b": NAMES[TARGET]}, schema={"a": pl.String, "b": pl.String}),
    "Polars, categories": pl.DataFrame(
        {"a": NAMES[SOURCE], "b": NAMES[TARGET]}, schema={"a": pl.Categorical, "b": pl.Categorical}
    ),
    "pandas": pd.DataFrame({"a": NAMES[SOURCE], "b": NAMES[TARGET]}),
    "pandas, categories": pd.DataFrame({"a": NAMES[SOURCE], "b": NAMES[TARGET]}, dtype="category"),
    "pyarrow": pa.table({"a": NAMES[SOURCE], "b": NAMES[TARGET]}),
    "pyarrow, large": pa.table(
        {"a": pa.array(NAMES[SOURCE], pa.large_string()), "b": pa.array(NAMES[TARGET], pa.string_view())}
    ),
    "pyarrow, dictionaries": pa.table(
        {"a": pa.array(NAMES[SOURCE]).dictionary_encode(), "b": pa.array(NAMES[TARGET]).dictionary_encode()}
    ),
    "pyarrow, binary": pa.table(
        {"a": pa.array([name.encode() for name in NAMES[SOURCE]]), "b": pa.array(NAMES[TARGET], pa.large_binary())}
    ),
    "NetworkX": nx.relabel_nodes(KARATE, dict(enumerate(NAMES))),
    "igraph": igraph.Graph.TupleList([(NAMES[u], NAMES[v]) for u, v in EDGES]),
}


@pytest.mark.parametrize("kind", NAMED)
def test_names(kind: str) -> None:
    graph = tribin.Graph(NAMED[kind])
    assert (graph.count(), graph.number_of_vertices) == (45, 34)
    local = graph.local()
    found = dict(zip(local.vertex.tolist(), local.triangles.tolist()))
    assert found == {NAMES[v]: t for v, t in nx.triangles(KARATE).items()}
    truss = {frozenset(edge) for edge in graph.k_truss(5).rows()}
    assert truss == {frozenset((NAMES[u], NAMES[v])) for u, v in nx.k_truss(KARATE, 5).edges}
    corners = {frozenset(row) for chunk in graph.triangles() for row in chunk.tolist()}
    assert len(corners) == 45 and all(corner <= set(NAMES) for corner in corners)
    assert local.to_polars()["vertex"].dtype == pl.String


def test_any_hashable_is_a_vertex() -> None:
    edges = [((0, 1), "a"), ("a", 2.5), (2.5, (0, 1)), (1, "1")]
    graph = tribin.Graph(edges)
    assert graph.count() == 1
    local = graph.local()
    assert local.vertex.tolist() == [(0, 1), "a", 2.5, 1, "1"]
    assert local.triangles.tolist() == [1, 1, 1, 0, 0]


def test_files(tmp_path: Path) -> None:
    text = "\n".join(f"{u} {v}" for u, v in EDGES)
    plain, packed = tmp_path / "karate.txt", tmp_path / "karate.el.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    parquet = tmp_path / "karate.parquet"
    pl.DataFrame({"source": NAMES[SOURCE], "target": NAMES[TARGET]}).write_parquet(parquet)
    for path in (plain, str(plain), packed):
        assert tribin.Graph(path).local() == tribin.Graph(EDGES).local()
    table = tmp_path / "table.csv"
    table.write_text("friend,person\n" + "\n".join(f"{u},{v}" for u, v in EDGES))
    assert tribin.count(table, source="person", target="friend") == 45
    graph = tribin.Graph(parquet)
    assert graph.count() == 45
    assert set(graph.local().vertex.tolist()) == set(NAMES)
    assert "source and target" in graph.explain().input


def test_columns_that_are_named() -> None:
    table = pl.DataFrame({"x": SOURCE, "person": SOURCE, "friend": TARGET})
    for edges in (table, table.to_pandas(), table.to_arrow(), table.to_dict()):
        assert tribin.count(edges, source="friend", target="person") == 45
    with pytest.raises(tribin.UsageError, match="there is no column `enemy`"):
        tribin.count(table, source="person", target="enemy")
    with pytest.raises(tribin.UsageError, match="does not tell which two columns"):
        tribin.count(table)


def test_what_is_copied_is_told() -> None:
    once = ["the two columns were copied once, to edges of 32 bits"]
    assert tribin.Graph(EDGES.astype(np.uint32)).explain().copies == once
    assert tribin.Graph(EDGES[::-1]).explain().copies == once
    swapped = tribin.Graph(EDGES.astype(">i8")).explain().copies
    assert len(swapped) == 3 and "byte order" in swapped[0]
    short = tribin.Graph(EDGES.astype(np.uint8)).explain().copies
    assert short[:2] == ["source: uint8 was made int32", "target: uint8 was made int32"] and short[2:] == once
    assert tribin.Graph(Tensor(EDGES.T)).explain().copies == once


def test_a_square_is_rows_of_numpy_and_columns_of_pytorch() -> None:
    square = np.array([[0, 1], [2, 3]])
    assert list(tribin.Graph(square).support().rows()) == [(0, 1, 0), (2, 3, 0)]
    assert list(tribin.Graph(Tensor(square)).support().rows()) == [(0, 2, 0), (1, 3, 0)]
    assert "transpose" in tribin.Graph(square).explain().input


def test_nothing() -> None:
    empty: dict[str, list[int]] = {"source": [], "target": []}
    arrays: list[Any] = [[], np.empty((0, 2), dtype=int), np.empty((0, 2)), ([], []), nx.Graph(), {}]
    schemas: list[Any] = [None, {"source": pl.Int64, "target": pl.Int64}, {"source": pl.String, "target": pl.Null}]
    tables: list[Any] = [empty, pd.DataFrame(empty), pa.table(empty), *(pl.DataFrame(empty, schema=schema) for schema in schemas)]
    for edges in arrays + tables:
        graph = tribin.Graph(edges)
        assert (graph.count(), len(graph.local()), len(graph.support()), graph.transitivity()) == (0, 0, 0, 0.0)
        assert graph.average_clustering() == 0.0 and list(graph.triangles()) == []


def test_frames_are_read_as_the_files_that_they_are_written_to(tmp_path: Path) -> None:
    columns = pd.DataFrame({"source": NAMES[SOURCE], "target": NAMES[TARGET], "w": np.arange(78) * 0.5})
    for number, index in enumerate((["source", "target"], ["source"], ["target"], ["w"])):
        frame, path = columns.set_index(index), tmp_path / f"{number}.csv"
        frame.to_csv(path)
        assert dict(tribin.Graph(frame, directed=True).reciprocities().rows()) == dict(tribin.Graph(path, directed=True).reciprocities().rows())
        found, expected = (tribin.Graph(edges, directed=True, weight="w").clustering() for edges in (frame, path))
        assert dict(found.rows()) == pytest.approx(dict(expected.rows()))
        assert "columns source and target" in tribin.Graph(frame).explain().input
    # Without names that are known the index comes first, and named columns may be in it.
    arcs = pd.DataFrame({"friend": [1, 2], "team": [7, 8]}, index=pd.Index([0, 0], name="person"))
    for edges, options in ((arcs[["friend"]], {}), (arcs, {"source": "person", "target": "friend"})):
        local = tribin.Graph(edges, directed=True, **options).directed_local()
        assert local.to_dict()["out_degree"] == [2, 0, 0]
    with pytest.raises(tribin.UsageError, match="does not tell which two columns"):
        tribin.count(arcs)


def test_numbers_that_are_objects_are_ids() -> None:
    graph = tribin.Graph(([Decimal(1), Decimal(2**60 + 1)], [2.0, 3]))
    assert graph.local().vertex.tolist() == [1, 2, 3, 2**60 + 1]
    assert "numbers were made integers one by one in Python" in str(graph.explain())
    # Of pairs any two objects are vertices.
    assert tribin.Graph([(1, "1"), ("1", 2), (2, 1), (0.5, True)]).count() == 1


def test_floats_are_read_without_warnings(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for dtype in (np.float16, np.float32, np.float64, np.longdouble):
            assert tribin.count(EDGES.astype(dtype)) == 45
            for wrong in (0.5, np.inf, np.nan):
                with pytest.raises(tribin.InputError):
                    tribin.count(np.array([[1, wrong]], dtype=dtype))
        for dtype in (np.float32, np.float64):
            np.save(tmp_path / "edges.npy", EDGES.astype(dtype))
            assert tribin.count(tmp_path / "edges.npy") == 45
    np.save(tmp_path / "edges.npy", np.array([[1, 0.5]]))
    with pytest.raises(tribin.InputError, match="row 0: 0.5 is no vertex id"):
        tribin.count(tmp_path / "edges.npy")


def test_delimiters_have_the_names_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    for delimiter, names in ((",", [",", "comma"]), ("\t", ["\t", "tab", "\\t"]), (";", [";", "semicolon"]), ("|", ["|", "pipe"]), (" ", [" ", "blank", "space"])):
        path.write_text("\n".join(f"{u}{delimiter}{v}" for u, v in EDGES))
        for name in names:
            assert tribin.count(path, delimiter=name) == 45


def test_removed_nodes_of_rustworkx_leave_gaps() -> None:
    graph = rx.PyGraph()
    graph.add_nodes_from(range(6))
    graph.add_edges_from_no_data([(1, 3), (3, 5), (5, 1)])
    graph.remove_node(2)
    found = tribin.Graph(graph).local()
    assert found.vertex.tolist() == [0, 1, 3, 4, 5]
    assert found.triangles.tolist() == [0, 1, 1, 0, 1]


def test_graphs_of_networkx_are_read_by_the_mappings_that_they_have() -> None:
    class Rows(dict[Any, Any]):
        """A row that shows its vertices below three."""

        def __iter__(self) -> Any:
            return (v for v in self.keys() if v < 3)

    class OfRows(nx.Graph):
        adjlist_inner_dict_factory = Rows

        def add_edge(self, u: Any, v: Any, **attributes: Any) -> None:
            super().add_edge(u, v, **attributes)

    class Table(dict[Any, Any]):
        """Rows that are looked up with their vertices below three."""

        def __getitem__(self, node: Any) -> Any:
            return {v: data for v, data in super().__getitem__(node).items() if v < 3}

    graph = OfRows()
    graph.add_edges_from(nx.complete_graph(5).edges)
    # Vertices 3 and 4 still have their edges to the others.
    assert tribin.Graph(graph, directed=True).count() == 7
    plain = nx.complete_graph(5)
    plain._adj = Table(plain._adj)
    assert sum(map(len, (plain[v] for v in plain))) == 12
    for weight in (None, "w"):
        assert tribin.Graph(plain, directed=True, weight=weight).count() == 7
    complete = nx.complete_graph(6)
    views = [complete.subgraph(range(4)), nx.subgraph_view(complete, filter_node=lambda node: node < 4)]
    views += [nx.restricted_view(complete, [4, 5], []), nx.DiGraph(complete).subgraph(range(4)).to_undirected(as_view=True)]
    for view in views:
        assert tribin.Graph(view).count() == tribin.Graph(view, weight="w").count() == 4
    assert tribin.Graph(nx.DiGraph([(0, 1), (1, 2), (2, 0)]).reverse(copy=False)).count() == 1


def test_views_of_the_edges_of_networkx() -> None:
    complete = nx.complete_graph(4)
    directed, multi = nx.DiGraph(complete), nx.MultiGraph([*complete.edges, (0, 1)])
    views = [
        complete.edges,
        complete.edges(),
        complete.edges(data=True),
        directed.edges,
        directed.in_edges,
        directed.out_edges,
        multi.edges,
        nx.MultiDiGraph(directed).edges,
        nx.MultiDiGraph(directed).in_edges,
        nx.complete_graph(6).subgraph(range(4)).edges,
        nx.complete_graph(6).edge_subgraph(list(complete.edges)).edges,
    ]
    for view in views:
        graph = tribin.Graph(view)
        assert (graph.count(), graph.number_of_vertices, graph.number_of_edges) == (4, 4, 6)
    assert tribin.Graph(complete.adj).count() == 4
    nx.set_edge_attributes(complete, 8.0, "w")
    assert tribin.Graph(complete.edges(data="w"), weight=True).weighted_local().strength.tolist() == [24.0] * 4
    with pytest.raises(tribin.UsageError, match="a view of its edges has no weights"):
        tribin.Graph(multi.edges, weight=True)


def test_filtered_views_of_multigraphs() -> None:
    multi = nx.MultiGraph([*nx.complete_graph(5).edges, (0, 1), (0, 1)])
    multi.add_node("alone")
    kept = multi.edge_subgraph([(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, 0)])
    graph = tribin.Graph(kept)
    assert (graph.count(), graph.number_of_vertices, graph.number_of_edges) == (1, 4, 4)
    hidden = nx.restricted_view(multi, ["alone"], [(0, 1, 0), (0, 1, 1), (0, 1, 2)])
    assert (tribin.Graph(hidden).count(), tribin.Graph(hidden).number_of_vertices) == (7, 5)
    assert tribin.Graph(hidden, weight="weight").weighted_local().degree.tolist() == [3, 3, 4, 4, 4]


def test_paths_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "karate.txt"
    path.write_text("\n".join(f"{u} {v}" for u, v in EDGES))
    assert tribin.count(str(path).encode()) == 45


def test_columns_that_are_called_by_numbers() -> None:
    frame = pd.DataFrame({0: SOURCE, 1: TARGET, 2: np.arange(78) * 1.0})
    assert tribin.count(frame, source=0, target=1) == 45
    found = tribin.Graph(frame, source=0, target=1, weight="2").weighted_local()
    assert tribin.Graph(frame, weight=2).weighted_local() == found
    expected = tribin.Graph(EDGES, weight=np.arange(78) * 1.0).weighted_local()
    assert dict(zip(found.vertex.tolist(), found.strength.tolist())) == dict(
        zip(expected.vertex.tolist(), expected.strength.tolist())
    )
    columns = {0: SOURCE, 1: TARGET, 2: np.arange(78) * 1.0}
    assert tribin.count(columns, source=0, target=1) == 45
    strengths = tribin.Graph(columns, source=0, target=1, weight=2).weighted_local().strength
    assert strengths.tolist() == expected.strength.tolist()


def test_dictionaries_of_columns() -> None:
    table = {"source": SOURCE.tolist(), "target": TARGET.tolist(), "w": [0.5] * 78}
    graph = tribin.Graph(table)
    assert (graph.count(), graph.number_of_vertices) == (45, 34)
    assert tribin.Graph(table, weight="w").weighted_local().strength.sum() == 78.0
    assert tribin.Graph({"src": NAMES[SOURCE], "dst": NAMES[TARGET]}).count() == 45
    # Other names are those of vertices, and so are these where all of the values are.
    assert tribin.Graph({"u": [0, 1, 2], "v": [1, 2, 0]}).count() == 1
    assert tribin.Graph({"a": ["b", "c"], "b": ["c", "d"]}).number_of_edges == 4
    assert tribin.Graph({"u": ["x"], "v": ["y"]}).number_of_vertices == 4
    assert tribin.Graph({"source": ["target"], "target": ["source"]}).number_of_edges == 1
    assert tribin.Graph({"source": {"x", "y"}, "target": {"x", "y"}}).number_of_edges == 4
    assert tribin.Graph({"source": {"x", "y"}, "target": {"x"}}).number_of_edges == 3
    assert tribin.Graph({"source": (0, 1, 2), "target": (1, 2, 0)}).count() == 1
    for target in (["x", "y"], ["x"]):
        with pytest.raises(tribin.UsageError, match="may be a table with the columns `source` and `target`"):
            tribin.Graph({"source": ["target", "x"], "target": target})
        with pytest.raises(tribin.UsageError, match="may be a table with the columns `source` and `target`"):
            tribin.Graph({"source": ["x", "y", "z"], "target": target})


def test_tables_of_integers_have_as_many_vertices_as_are_said() -> None:
    columns = {"source": [0, 1, 2], "target": [1, 2, 0]}
    tables: list[Any] = [pl.DataFrame(columns), pa.table(columns), pd.DataFrame(columns), columns, list(zip(*columns.values()))]
    for edges in (*tables, pl.DataFrame(columns).cast(pl.Float64)):
        graph = tribin.Graph(edges, vertices=5)
        assert (graph.number_of_vertices, graph.count()) == (5, 1)
        assert graph.local().triangles.tolist() == [1, 1, 1, 0, 0]
    far = pl.DataFrame({"a": [0, 1 << 21], "b": [1 << 21, 5]})
    assert tribin.Graph(far, vertices=(1 << 21) + 1).number_of_vertices == (1 << 21) + 1
    weighted = tribin.Graph(pl.DataFrame({**columns, "w": [1, 1, 8]}), weight="w", vertices=4)
    assert weighted.weighted_local().strength.tolist() == [9.0, 2.0, 9.0, 0.0]


def test_tables_in_memory_are_read_as_their_files(tmp_path: Path) -> None:
    columns = {"source": [0, 1, 2, 3], "target": [1, 2, 0, 0]}
    numbers = pa.table(columns)
    weights = [pa.array([4, 5, 6, 7], pa.decimal128(12, 0)), pa.array([4.0, 5.0, 6.0, 7.0]), pa.array([4, 5, 6, 7])]
    for number, column in enumerate(weights):
        table = numbers.append_column("beside", pa.array(["x"] * 4)).append_column("cost", column)
        path = tmp_path / f"{number}.parquet"
        pl.DataFrame(table).write_parquet(path)
        frames: list[Any] = [table, pl.DataFrame(table), table.to_pandas(), table.to_pydict(), path]
        for edges in frames:
            for weight in ("cost", "4", 4):
                found = tribin.Graph(edges, weight=weight).weighted_local()
                assert found.strength.tolist() == [17.0, 9.0, 11.0, 7.0]
    keys = pa.array([bytes([1, 2]), bytes([3, 0]), bytes([1, 2])], pa.binary(2))
    named = tribin.Graph(pa.table({"a": keys, "b": pa.array(["0300", "0102", "ff"])})).local()
    assert named.vertex.tolist() == ["0102", "0300", "ff"]
    mixed = pa.table({"source": [0, 1], "target": ["1", "2"]})
    path = tmp_path / "mixed.parquet"
    pl.DataFrame(mixed).write_parquet(path)
    for edges in (mixed, pl.DataFrame(mixed), path):
        with pytest.raises(tribin.InputError, match="`source` holds integers and `target` holds texts: both ends of an edge"):
            tribin.Graph(edges)
    assert tribin.Graph(path, ids="names").number_of_vertices == 3


def test_columns_that_nobody_reads_may_hold_anything() -> None:
    columns = {"x": [[0], [1]], "source": [0, 1], "when": [None, None], "target": [1, 2], "more": [True, False]}
    reader = pa.RecordBatchReader.from_batches(pa.table(columns).schema, pa.table(columns).to_batches(1))
    graph = tribin.Graph(reader)
    assert list(graph.support().rows()) == [(0, 1, 0), (1, 2, 0)]
    assert "columns source and target" in graph.explain().input
    # A table that tribin wrote holds no edges.
    local = tribin.Graph([(0, 1), (1, 2), (2, 0)]).local()
    with pytest.raises(tribin.InputError, match="this is a table of vertices, as `tribin local` writes it"):
        tribin.Graph(local.to_polars())


def test_masked_arrays_that_mask_nothing() -> None:
    assert tribin.count(np.ma.array(EDGES)) == 45
    assert tribin.count((np.ma.array(SOURCE), np.ma.array(TARGET))) == 45


def test_named_vertices_without_an_edge_are_not_known_of_edges_alone() -> None:
    columns = {"source": ["a", "b", "c", "b"], "target": ["a", "c", "d", "d"]}
    pairs = list(zip(columns["source"], columns["target"]))
    tables = (pd.DataFrame(columns), pl.DataFrame(columns), pairs, (columns["source"], columns["target"]), columns)
    for edges in tables:
        assert tribin.Graph(edges).local().to_dict()["vertex"] == ["b", "c", "d"]
        assert tribin.average_clustering(edges) == 1.0
    # A graph knows its vertices, and so do lists of neighbours.
    assert len(tribin.Graph(nx.Graph(pairs)).local()) == 4
    assert len(tribin.Graph({"a": ["a"], "b": ["c"], "d": []}).local()) == 4


def test_several_files_are_one_graph(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("source,target\nAnn,Bo\nBo,Cy\n")
    other.write_text("source,target\nCy,Ann\n")
    for paths in ([one, other], [str(one), str(other)]):
        graph = tribin.Graph(paths)
        assert graph.count() == 1 and graph.explain().input.startswith(f"{one}, {other}: ")
    with pytest.raises(tribin.FileError, match="none.csv") as caught:
        tribin.Graph([one, tmp_path / "none.csv"])
    assert caught.value.filename == str(tmp_path / "none.csv")


def test_open_files_are_read_from_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv.gz"
    path.write_bytes(gzip.compress(b"source,target\n0,1\n1,2\n2,0\n"))
    with path.open("rb") as file:
        graph = tribin.Graph(file)
    assert graph.count() == 1 and graph.explain().input.startswith("an open file edges.csv.gz: ")
    with gzip.open(path) as file, gzip.open(path, "rt") as lines:
        assert tribin.count(file) == tribin.count(lines) == 1
    assert tribin.count(io.BytesIO(path.read_bytes())) == tribin.count(io.StringIO("0 1\n1 2\n2 0\n")) == 1
    lines = io.StringIO("three edges\n0 1\n1 2\n2 0\n")
    lines.readline()
    assert tribin.count(lines) == 1
    table = io.BytesIO()
    pl.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0]}).write_parquet(table)
    table.seek(0)
    assert tribin.count(table) == 1


def test_files_and_datasets_of_pyarrow(tmp_path: Path) -> None:
    table = pa.table({"source": ["Ann", "Bo", "Cy"], "target": ["Bo", "Cy", "Ann"], "weight": [1.0, 1.0, 8.0]})
    path = tmp_path / "edges.parquet"
    pyarrow.parquet.write_table(table, path, row_group_size=2)
    with pyarrow.parquet.ParquetFile(path) as file:
        assert tribin.count(file) == 1
    dataset = pyarrow.dataset.dataset(tmp_path)
    assert tribin.count(dataset) == 1
    assert tribin.weighted_local(dataset, weight="weight").strength.tolist() == [9.0, 2.0, 9.0]


def test_graphs_of_networkit() -> None:
    graph = networkit.Graph(5, weighted=True)
    for u, v, weight in [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 8.0), (3, 2, 1.0)]:
        graph.addEdge(u, v, weight)
    found = tribin.Graph(graph, weight=True)
    assert (found.number_of_vertices, found.count()) == (5, 1)
    assert found.weighted_local().strength.tolist() == [9.0, 2.0, 10.0, 1.0, 0.0]
    assert tribin.census(graph)["300"] == 1


def test_weights_beside_pairs_and_matrices() -> None:
    rows = np.array([[0, 1, 1.0], [1, 2, 1.0], [2, 0, 8.0]])
    assert tribin.Graph(rows, weight=True).weighted_local().strength.tolist() == [9.0, 2.0, 9.0]
    with pytest.raises(tribin.InputError, match=r"the shape is \(3, 3\)|looks like an adjacency matrix"):
        tribin.Graph(rows)
    assert tribin.count(np.asmatrix([[0, 1], [1, 2], [2, 0]])) == 1
    index = pd.MultiIndex.from_tuples([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")])
    series = pd.Series([1.0, 1.0, 8.0], index=index)
    assert tribin.count(series) == 1
    assert tribin.Graph(series, weight=True).weighted_local().strength.tolist() == [9.0, 2.0, 9.0]


def test_texts_are_numbered_as_they_are_first_mentioned() -> None:
    source, target = ["Cy", "Ann", "Bo", "Δι"], ["Ann", "Bo", "Cy", "Ann"]
    frame = pd.DataFrame({"source": source, "target": target})
    for edges in (frame, frame.astype(object), (source, target), list(zip(source, target)), (np.array(source), np.array(target))):
        graph = tribin.Graph(edges)
        assert graph.local().vertex.tolist() == ["Cy", "Ann", "Bo", "Δι"]
        assert graph.explain().copies[-2] == "names were numbered by pandas"
