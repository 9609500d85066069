"""Bad input gets one exception, with the reason and the row."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rustworkx as rx
import scipy.sparse as sp

import tribin


UNSIGNED = "vertex ids are not negative"
FLOATS = "vertex ids are integers or names, and floats are ids if all are whole and at most 2^53"
MISSING = "a value is missing (leave out rows without an end, as `df.dropna` does)"
MOMENTS = pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02"]))
BAD_INPUT: list[tuple[Any, str]] = [
    (np.array([[0, 1], [2, -3]]), f"edges: row 1 (from 0) is (2, -3): {UNSIGNED}"),
    (np.array([[0, 1], [-2, 3]], dtype=np.int8), f"edges: row 1 (from 0) is (-2, 3): {UNSIGNED}"),
    ([(0, 1), (1, -1)], f"edges: row 1 (from 0) is (1, -1): {UNSIGNED}"),
    ([(0, 1), (1, 2**64)], "edges: value 1 (from 0) is 18446744073709551616: vertex ids are from 0 to 2^64-1"),
    ([(0, 1), (1,)], "edges: row 1 (from 0) is (1,): an edge is a pair of vertices"),
    ([(0, 1), 5], "edges: row 1 (from 0) is 5: an edge is a pair of vertices"),
    ([("a", "b"), ("a", None)], "edges: row 1 (from 0) has None: every edge has two ends"),
    ([("a", "b"), ("a", [])], "edges: row 1 (from 0) has a vertex of type list, which is not hashable"),
    (np.array([[0.5, 1.0]]), f"edges: the array holds float64, and 0.5 at [0, 0]: {FLOATS}"),
    (np.array([[1.0, 2.0**53 + 2]]), f"edges: the array holds float64, and 9007199254740994.0 at [0, 1]: {FLOATS}"),
    (np.array([[1.0, np.inf]]), f"edges: the array holds float64, and inf at [0, 1]: {FLOATS}"),
    (np.array([[1.0, -2.0]]), f"edges: row 0 (from 0) is (1, -2): {UNSIGNED}"),
    (np.zeros((4, 3), dtype=int), "edges: the shape is (4, 3): it must be (m, 2) or (2, m)"),
    (np.zeros((4, 2, 2), dtype=int), "edges: the shape is (4, 2, 2): it must be (m, 2) or (2, m)"),
    (np.zeros((4, 4), dtype=int), "looks like an adjacency matrix: give `scipy.sparse.csr_array(matrix)`"),
    ((np.arange(3), np.arange(4)), "edges: the columns have 3 and 4 rows: they must have as many"),
    ((np.zeros((2, 2)), np.arange(4)), "edges: the column `source` has 2 dimensions: it must have one"),
    (sp.csr_array((3, 4)), "edges: a matrix of shape (3, 4) is not square"),
    (pl.DataFrame({"a": [0, -1], "b": [1, 2]}), "edges: row 1 (from 0): the vertex id -1 is negative"),
    (pl.DataFrame({"a": [0, 1], "b": [1, None]}), f"edges: row 1 (from 0): {MISSING} in the column `b`"),
    (pl.DataFrame({"a": ["x", None], "b": ["y", "z"]}), f"edges: row 1 (from 0): {MISSING} in the column `a`"),
    (pl.DataFrame({"a": [1.0, 0.5], "b": [1, 2]}), "edges: row 1 (from 0): 0.5 is no vertex id (floats are ids if"),
    (pl.DataFrame({"a": [True], "b": [1]}), "edges: the column `a` holds values of the type Boolean, which are no ids"),
    (
        pl.DataFrame({"a": ["x"], "b": [1]}),
        "edges: the column `a` holds texts and `b` holds integers: both ends of an edge are of one kind",
    ),
    (pa.table({"a": pa.array([0, None]), "b": [1, 2]}), f"edges: row 1 (from 0): {MISSING} in the column `a`"),
    (pd.DataFrame({"a": [0, 1], "b": ["x", None]}), "edges: row 1 (from 0) of column `b` is null"),
    ([np.arange(9)] * 3, "edges: row 0 (from 0) has 9 items, and an edge is a pair of vertices: `weight=True` takes a third item"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "edges: row 0 (from 0) has 3 items, and an edge is a pair of vertices"),
    ([range(2), range(4)], "edges: row 1 (from 0) has 4 items, and an edge is a pair of vertices"),
    ([(0, 1), (0, 1, 2, 3, 4)], "edges: row 1 (from 0) has 5 items, and an edge is a pair of vertices"),
    ([io.StringIO("0 1\n1 2\n")], "edges: row 0 (from 0) is of the type StringIO: an edge is a pair of vertices"),
    (nx.to_pandas_adjacency(nx.complete_graph(["a", "b", "c", "d"])), "looks like an adjacency matrix: give `nx.from_pandas"),
    (["0 1", "1 2"], "edges: row 0 (from 0) is '0 1': an edge is a pair of vertices. Files are given by a path or a list of paths"),
    ([(0, 1), "ab"], "edges: row 1 (from 0) is 'ab': an edge is a pair of vertices"),
    ([b"01"], "edges: row 0 (from 0) is b'01': an edge is a pair of vertices"),
    ((line for line in ["0 1"]), "edges: row 0 (from 0) is '0 1': an edge is a pair of vertices"),
    ([{"source": 0, "target": 1}], "records are made a table of pandas or Polars"),
    ([pd.DataFrame({"source": [0], "target": [1]})] * 2, "row 0 (from 0) is of the type DataFrame: an edge is a pair of vertices"),
    ([nx.path_graph(2)] * 2, "row 0 (from 0) is of the type Graph: an edge is a pair of vertices"),
    (pd.DataFrame({"a": [0, 1], "b": [1, 2]}).rename(columns={"a": "source", "b": "target"}).to_dict(), "as `to_dict('list')`"),
    (pl.DataFrame({"source": [object()], "target": [object()]}), "the column `source` holds Object: vertex ids are"),
    (pd.DataFrame({"a": [1], "b": [datetime.date(2020, 1, 1)]}), "the column `b` holds dates and times, which are no ids"),
    (pd.DataFrame({"a": [1], "b": [1j]}), "the column `b` holds complex numbers, which are no ids"),
    ([("a", "b"), ("a", pd.NA)], "edges: row 1 (from 0) has <NA>: every edge has two ends"),
    ([("a", "b"), ("a", pd.NaT)], "edges: row 1 (from 0) has NaT: every edge has two ends"),
    ([("a", "b"), ("a", np.float32("nan"))], "edges: row 1 (from 0) has np.float32(nan): every edge has two ends"),
    ([("a", "b"), ("a", Decimal("nan"))], "edges: row 1 (from 0) has Decimal('NaN'): every edge has two ends"),
    ((pd.Series(["a", pd.NA]), pd.Series(["b", "c"])), "edges: row 1 (from 0) has"),
    ((pd.Series([0, None], dtype="Int64"), [1, 2]), "every edge has two ends"),
    (
        (pl.Series([0, None]), pl.Series([1, 2])),
        "has nan at [1]: every edge has two ends, and integers with missing values become float64",
    ),
    ((pa.array([0, 1]), pa.array([1, None])), "edges: the column `target` has nan at [1]: every edge has two ends"),
    (np.array([[0, 1], [2, np.nan]]), "edges: the array has nan at [1, 1]: every edge has two ends"),
    (np.array([[0.5, np.nan]]), f"edges: the array holds float64, and 0.5 at [0, 0]: {FLOATS}"),
    (np.ma.array([[0, 1], [1, 2]], mask=[[0, 0], [0, 1]]), "edges: the value at [1, 1] is masked: every edge has two ends"),
    ((np.ma.array([0, 1], mask=[1, 0]), [1, 2]), "edges: the value at [0] is masked: every edge has two ends"),
    ({"a": "bc"}, "edges: the neighbours of 'a' are 'bc': they must be a list, a set or a dictionary"),
    ({0: 1}, "edges: the neighbours of 0 are 1: they must be a list, a set or a dictionary"),
    ({"a": [["b"]]}, "edges: a neighbour is no vertex: unhashable type: 'list'"),
    ({"a": ["b", None]}, "edges: a vertex is None: every edge has two ends"),
    (pd.DataFrame({"a": [0, 1], "b": [0.5, 1]}), f"edges: the column `b` holds float64, and 0.5 at [0]: {FLOATS}"),
    *(
        (
            pd.DataFrame({"a": [0, 1], "b": moments}),
            "edges: the column `b` holds dates and times, which are no ids: name two other columns",
        )
        for moments in [
            MOMENTS,
            MOMENTS.dt.tz_localize("UTC"),
            MOMENTS.dt.to_period("D"),
            MOMENTS - MOMENTS[0],
            MOMENTS.astype("category"),
            MOMENTS.astype("timestamp[ns][pyarrow]"),
        ]
    ),
    (pl.DataFrame({"a": [0, 1], "b": MOMENTS.tolist()}), "edges: the column `b` holds values of the type Timestamp"),
    ({0: [1, -1]}, f"edges: a vertex is -1: {UNSIGNED}"),
    ({-1: [0]}, f"edges: a vertex is -1: {UNSIGNED}"),
    ({0: [2**64]}, "edges: a vertex is 18446744073709551616: vertex ids are from 0 to 2^64-1"),
]


@pytest.mark.parametrize(("edges", "message"), BAD_INPUT, ids=range(len(BAD_INPUT)))
def test_bad_input_is_an_input_error(edges: Any, message: str) -> None:
    with pytest.raises(tribin.InputError) as raised:
        tribin.Graph(edges)
    assert message in str(raised.value)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, tribin.Error)


BAD_USE: list[tuple[dict[str, Any], str]] = [
    ({"edges": 5}, "edges cannot be read from builtins.int"),
    ({"edges": [(0, 1)], "device": "tpu"}, "`tpu` is none of `auto`, `cpu`, `gpu`, `gpu:N`"),
    ({"edges": [(0, 1)], "threads": 0}, "`threads` is 0: it must be 1 or more"),
    ({"edges": [(0, 1)], "threads": 10**6}, "asks for 1000000 threads"),
    ({"edges": [(0, 1)], "memory": "much"}, "`much` is no number of bytes"),
    ({"edges": [(0, 1)], "memory": -1}, "`memory` is -1: it must be 0 or more"),
    ({"edges": [(0, 1)], "memory": 1.5}, "`memory` is 1.5: it must be a whole number"),
    ({"edges": [(0, 1)], "memory": 2**64}, "`memory` is 18446744073709551616: it must be below 2^64"),
    ({"edges": [(0, 1)], "threads": 1.5}, "`threads` is 1.5: it must be a whole number"),
    ({"edges": [(0, 1)], "vertices": 2.5}, "`vertices` is 2.5: it must be a whole number"),
    ({"edges": [(0, 1)], "skip": None}, "`skip` is None: it must be a whole number"),
    ({"edges": [(0, 1)], "device": None}, "`device` is None: it must be a text"),
    ({"edges": [(0, 1)], "duplicates": None}, "`duplicates` is None: it must be a text"),
    ({"edges": "x.txt", "format": 5}, "`format` is 5: it must be a text"),
    ({"edges": "x.txt", "header": "yes"}, "`header` is 'yes': it must be True or False"),
    ({"edges": "x.txt", "header": 1}, "`header` is 1: it must be True or False"),
    ({"edges": [(0, 1)], "directed": None}, "`directed` is None: it must be True or False"),
    ({"edges": "x.txt", "delimiter": ""}, "`` is no delimiter: use comma, tab, semicolon, pipe, blank or the characters themselves"),
    ({"edges": "x.txt", "delimiter": "1"}, "`1` is no delimiter"),
    ({"edges": "x.txt", "delimiter": 9}, "`delimiter` is 9: it must be a text"),
    ({"edges": [(0, 1)], "source": "a"}, "`source` and `target` go together"),
    ({"edges": [(0, 1)], "vertices": -1}, "`vertices` is -1"),
    ({"edges": [("a", "b")], "vertices": 5}, "`vertices` goes with integers only: here vertices are known by their names"),
    ({"edges": pl.DataFrame({"a": ["x"], "b": ["y"]}), "vertices": 5}, "`vertices` goes with integers only"),
    ({"edges": "x.txt", "vertices": 5}, "`vertices` goes with integers in memory only, and the edges are in a file"),
    ({"edges": pl.DataFrame({"source": [0], "target": [1], "w": [2]}), "weight": "source"}, "the column `source` is an end of the edges, and no weight"),
    ({"edges": pd.DataFrame({"source": [0], "target": [1], "w": [2]}), "weight": "source"}, "the column `source` is an end of the edges, and no weight"),
    ({"edges": pd.DataFrame({"source": [0], "target": [1]}), "weight": "w"}, "there is no column `w` of weights; the columns are `source`, `target`"),
    ({"edges": pd.DataFrame({"source": [0], "target": [1]}), "weight": True}, "give the name of the column that has the weights"),
    ({"edges": pl.DataFrame({"a": [1]})}, "there is one column only"),
    ({"edges": {"a": [1], "b": [2]}, "source": "a", "target": "c"}, "there is no column `c`; the columns are `a`, `b`"),
    ({"edges": {"a": [1], "b": [2]}, "source": "a", "target": "a"}, "`a` and `a` are one column"),
    ({"edges": pd.DataFrame({"a": [1], "b": [2]}), "source": "a", "target": "a"}, "`a` and `a` are one column"),
    ({"edges": pl.DataFrame({"source": [1], "target": [2]}).lazy()}, "a LazyFrame has no rows before it is collected: give `edges.collect()`"),
    ({"edges": pd.DataFrame({"w": [1]}, index=pd.MultiIndex.from_tuples([(1, 2)]))}, "`reset_index()` makes columns of the index"),
    ({"edges": pd.DataFrame({"x": [1], "y": [2]}, index=pd.Index([3], name="z"))}, "the columns are `x`, `y`, `z`"),
]


@pytest.mark.parametrize(("options", "message"), BAD_USE, ids=range(len(BAD_USE)))
def test_bad_use_is_a_usage_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(tribin.UsageError) as raised:
        tribin.Graph(**options)
    assert message in str(raised.value)


def hiding(**methods: Any) -> nx.Graph:
    """The complete graph of four vertices, of a class with these methods of its own."""
    kind = type("Hiding", (nx.Graph,), methods)
    return kind(nx.complete_graph(4).edges)


def test_graphs_of_networkx_that_show_other_edges_than_they_keep_are_refused() -> None:
    graphs = {
        "Hiding.neighbors": hiding(neighbors=lambda graph, node: (v for v in graph._adj[node] if v < 3)),
        "Hiding.adj": hiding(adj=property(lambda graph: {})),
        "Hiding.__getitem__": hiding(__getitem__=lambda graph, node: {v: {} for v in graph._adj[node] if v < 3}),
        "Hiding._adj": hiding(_adj=property(lambda graph: graph.rows, lambda graph, rows: vars(graph).update(rows=rows))),
        "_AntiGraph.__getitem__": nx.approximation.kcomponents._AntiGraph(nx.path_graph(4).edges),
    }
    for name, graph in graphs.items():
        for options in ({}, {"weight": "w"}, {"weight": [1.0] * 6}, {"directed": True}):
            with pytest.raises(tribin.UsageError) as raised:
                tribin.Graph(graph, **options)
            assert str(raised.value) == (
                f"the graph has a `{name}` of its own, so its edges may be others than those that NetworkX's classes keep: "
                "give the pairs that are meant, such as `list(graph.edges)`"
            )
    assert tribin.Graph(list(hiding(neighbors=None).edges)).count() == 4


ONE_KIND = "both ends of an edge are of one kind, write both as integers or both as texts"
INTEGERS, TEXTS = [1, 2, 3], ["2", "3", "1"]


def test_ends_are_of_one_kind(tmp_path: Path) -> None:
    columns = {"source": INTEGERS, "target": TEXTS}
    path = tmp_path / "mixed.parquet"
    pl.DataFrame(columns).write_parquet(path)
    tables: list[Any] = [
        columns,
        (INTEGERS, TEXTS),
        (np.array(INTEGERS), np.array(TEXTS)),
        (pd.Series(INTEGERS), pl.Series(TEXTS)),
        pd.DataFrame(columns),
        pd.DataFrame(columns, dtype=object),
        pd.DataFrame(columns, dtype="category"),
        pd.DataFrame({"source": pd.array(INTEGERS, dtype="Int64"), "target": pd.array(TEXTS, dtype="string")}),
        pd.DataFrame(columns).set_index("source"),
        np.array(list(zip(INTEGERS, TEXTS)), dtype=object),
        np.array(list(zip(INTEGERS, TEXTS)), dtype=[("source", "i8"), ("target", "U1")]),
        pl.DataFrame(columns),
        pa.table(columns),
        path,
    ]
    for edges in tables:
        with pytest.raises(tribin.InputError) as raised:
            tribin.Graph(edges)
        assert f"the column `source` holds integers and `target` holds texts: {ONE_KIND}" in str(raised.value)
    floats = {"source": [1.0, 2.0, 3.0], "target": TEXTS}
    for edges in (floats, pd.DataFrame(floats), pl.DataFrame(floats), (np.array(floats["source"]), TEXTS)):
        with pytest.raises(tribin.InputError, match="`source` holds floats and `target` holds texts: both ends"):
            tribin.Graph(edges)


KINDS: list[tuple[Any, Any, str]] = [
    ([1, 2, "3"], [2, 3, 1], f"the column `source` holds integers and, in row 2 (from 0), texts: {ONE_KIND}"),
    ([1, 2.0, "3"], ["2", "3", "1"], f"the column `source` holds integers and, in row 2 (from 0), texts: {ONE_KIND}"),
    (["1", "2", "3"], ["2", 3, "1"], f"the column `target` holds texts and, in row 1 (from 0), integers: {ONE_KIND}"),
    ([b"1", b"2"], ["2", "3"], f"the column `source` holds bytes and `target` holds texts: {ONE_KIND}"),
    ([Decimal(1), Decimal(2)], ["2", "3"], f"the column `source` holds decimals and `target` holds texts: {ONE_KIND}"),
    ([True, False], [1, 2], "the column `source` holds booleans, which are no ids: name two other columns"),
    ([1, 2], [0.5, 1.0], f"the column `target` holds floats, and 0.5 at [0]: {FLOATS}"),
    ([1, 2], [2.0, float("inf")], f"the column `target` holds floats, and inf at [1]: {FLOATS}"),
    ([1, 2], [2.0, 2.0**53 + 2], f"the column `target` holds floats, and 9007199254740994.0 at [1]: {FLOATS}"),
    ([1, 2], [Decimal(2), Decimal("0.5")], f"the column `target` holds decimals, and 0.5 at [1]: {FLOATS}"),
    ([1, -2], [2.0, 3.0], f"row 1 (from 0) is (-2, 3): {UNSIGNED}"),
    ([1, float("nan")], [2, 3], "row 1 (from 0) has nan: every edge has two ends"),
    (["a", float("nan")], ["b", "c"], "row 1 (from 0) has nan: every edge has two ends"),
    (["a", "b"], [None, 1], "row 0 (from 0) has None: every edge has two ends"),
]


@pytest.mark.parametrize(("source", "target", "message"), KINDS, ids=range(len(KINDS)))
def test_kinds_of_ends(source: list[Any], target: list[Any], message: str) -> None:
    tables: list[Any] = [(source, target), {"source": source, "target": target}]
    if "every edge has two ends" not in message:
        tables.append(pd.DataFrame({"source": source, "target": target}, dtype=object))
    for edges in tables:
        with pytest.raises(tribin.InputError) as raised:
            tribin.Graph(edges)
        assert message in str(raised.value)


def test_damaged_sparse_matrices() -> None:
    karate = sp.coo_array(nx.to_scipy_sparse_array(nx.karate_club_graph()))
    for form in ("csr", "csc"):
        for place, start in ((-1, 10**6), (5, -1), (4, 60)):
            matrix = karate.asformat(form)
            matrix.indptr[place] = start
            with pytest.raises(tribin.InputError, match=f"edges: the {form.upper()} matrix is damaged: "):
                tribin.count(matrix)
        matrix = karate.asformat(form)
        matrix.indices[0] = 34
        with pytest.raises(tribin.InputError, match=f"edges: the {form.upper()} matrix is damaged: "):
            tribin.count(matrix)
        # Looking leaves the matrix as it is.
        matrix = karate.asformat(form)
        matrix.indices = np.append(matrix.indices, matrix.indices[:3])
        matrix.data = np.append(matrix.data, matrix.data[:3])
        kept = matrix.indices, matrix.data, matrix.indptr
        assert tribin.count(matrix) == 45
        assert kept[0] is matrix.indices and kept[1] is matrix.data and kept[2] is matrix.indptr


def test_types_that_are_not_known() -> None:
    wide = pl.DataFrame({"source": [0], "target": [1]}).cast(pl.Int128)
    with pytest.raises(tribin.InputError, match="cast the columns of the ends, for example to integers of 64 bits"):
        tribin.count(wide)
    for edges in (pd.Series([1, 2]), pl.Series([[0, 1]]), pa.chunked_array([[1, 2]])):
        with pytest.raises(tribin.InputError, match="the Arrow stream is one column, and an edge has two ends"):
            tribin.count(edges)
    with pytest.raises(tribin.InputError, match="row 0 .from 0. is 'a': an edge is a pair of vertices"):
        tribin.count(pd.Series(["a", "b"], dtype=object))
    with pytest.raises(tribin.InputError, match=r"the shape is \(4,\): it must be"):
        tribin.count(memoryview(b"abcd"))
    with pytest.raises(tribin.InputError, match="the column `target` .*a value is missing|a value is missing .* in the column `target`"):
        tribin.count(pl.DataFrame({"source": [1], "target": [None]}))


def test_ids_past_the_vertices() -> None:
    for edges in (np.array([[0, 3]]), pl.DataFrame({"a": [0], "b": [3]})):
        with pytest.raises(tribin.InputError, match="edge 0 has vertex 3: vertices are below 3"):
            tribin.Graph(edges, vertices=3)


def test_bad_files(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("0 1\n2 x\n", newline="")
    with pytest.raises(tribin.InputError, match=r"bad\.txt:2: "):
        tribin.Graph(bad, ids="integers")
    with pytest.raises(tribin.FileError, match="no such file") as raised:
        tribin.Graph(tmp_path / "none.txt")
    assert isinstance(raised.value, OSError)
    with pytest.raises(tribin.UsageError, match="unknown format `xyz`"):
        tribin.Graph(bad, format="xyz")


def test_no_gpu() -> None:
    if tribin.doctor()["gpus"]:
        pytest.skip("there is a GPU")
    with pytest.raises(tribin.DeviceError):
        tribin.Graph([(0, 1)], device="gpu")


def test_a_stream_that_fails_says_why() -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": [1], "b": [2]})
        raise RuntimeError("the cable is out")

    schema = pa.schema({"a": pa.int64(), "b": pa.int64()})
    with pytest.raises(tribin.InputError, match="the cable is out"):
        tribin.Graph(pa.RecordBatchReader.from_batches(schema, batches()))


def test_options_of_files_go_with_files() -> None:
    options: dict[str, Any] = {"format": "csv", "ids": "names", "header": True, "delimiter": ",", "skip": 1}
    for name, value in options.items():
        for edges in ([(0, 1)], pl.DataFrame({"a": [0], "b": [1]}), np.array([[0, 1]])):
            with pytest.raises(tribin.UsageError, match=f"`{name}` says how a file is read"):
                tribin.Graph(edges, **{name: value})


def test_columns_go_with_tables() -> None:
    pair = np.array([0]), np.array([1])
    graphs = [nx.path_graph(2), igraph.Graph([(0, 1)]), rx.generators.path_graph(2), sp.csr_array((2, 2))]
    for edges in (*graphs, [(0, 1)], np.array([[0, 1]]), pair):
        with pytest.raises(tribin.UsageError, match="`source` and `target` name columns of a table"):
            tribin.Graph(edges, source="a", target="b")


def test_weights_that_no_double_holds() -> None:
    with pytest.raises(tribin.InputError, match="one of the weights is too large for a double"):
        tribin.Graph([(0, 1), (1, 2), (2, 0)], weight=[10**400, 1, 1])
    with pytest.raises(tribin.InputError, match="the weights have 0 dimensions: they must have one"):
        tribin.Graph([(0, 1)], weight=5.5)
    with pytest.raises(tribin.UsageError, match="pairs have no names"):
        tribin.Graph([(0, 1)], weight=5)
    with pytest.raises(tribin.InputError, match=r"the value at \[1\] is masked: every edge has a weight"):
        tribin.Graph([(0, 1), (1, 2)], weight=np.ma.array([1.0, 2.0], mask=[False, True]))


def test_numbers_of_calls_are_whole() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0)])
    with pytest.raises(tribin.UsageError, match="`k` is 2.5: it must be a whole number"):
        graph.k_truss(2.5)  # type: ignore[arg-type]
    with pytest.raises(tribin.UsageError, match="`chunk` is 0: it must be 1 or more"):
        graph.triangles(chunk=0)
    assert len(graph.k_truss(np.int64(3))) == 3  # type: ignore[arg-type]
    assert tribin.count([(0, 1)], threads=np.int64(1), memory="1.5G") == 0
    with pytest.raises(tribin.UsageError, match="`memory` is 9{400}: it must be below 2\\^64"):
        tribin.count([(0, 1)], memory="9" * 400)


def test_rows_that_are_no_edges() -> None:
    columns = [[0, 1, 2, 2], [1, 2, 0, 3]]
    for rows in (columns, [tuple(row) for row in columns], [np.array(row) for row in columns], list(zip(*[(0, 1), (1, 2), (2, 0)]))):
        with pytest.raises(tribin.InputError, match="may be two columns: give these as a tuple of two lists"):
            tribin.Graph(rows)
    assert tribin.Graph([(0, 1, 5), (1, 2, 7)], weight=True).number_of_edges == 2
    assert tribin.Graph([("a", "b", {}), ("b", "c", {})]).number_of_edges == 2
    table = pd.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0]})
    with pytest.raises(tribin.InputError, match="begin with the index of the table"):
        tribin.count(table.itertuples())
    assert tribin.count(table.itertuples(index=False)) == 1


def test_hints_name_the_arguments_of_python(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    columns = {"x": [0], "y": [1], "z": [2]}
    calls: list[tuple[str, Any, dict[str, Any], str]] = [
        ("", pd.DataFrame(columns), {}, '`x`, `y`, `z`: name two with `source` and `target`, for example `source="x", target="y"`'),
        ("source,target\n0,1\n", path, {"header": False}, '(`ids="names"` takes every id as a name)'),
        ("0,1\n1,\n", path, {}, '(`missing="skip"` leaves such lines out)'),
        ("0,1\n1,NA\n", path, {}, '(`missing="skip"` leaves such lines out, `ids="names"` takes every id as a name)'),
        ("a b c d\n0 1\n2 3\n4 5\n", path, {}, 'leave a first line out with `skip=1`, name the two ends with `source="1", target="2"`'),
        ("", [(0, 1, 1), (1, 0, 2)], {"weight": True}, 'edges: the edge 1 – 0 has the weights 1 and 2: say `duplicates="sum"` or'),
        ("", np.array([[0, 5]]), {"vertices": 3}, "edges: edge 0 has vertex 5: vertices are below 3"),
        ("", [(0, 1)], {"weight": [float("inf")]}, "edges: the weight of entry 0 (from 0) is inf: weights are finite numbers"),
        ("", [(0, 1)], {"threads": 10**6}, "`threads` asks for 1000000 threads: use at most 1024"),
    ]
    for text, edges, options, message in calls:
        path.write_text(text)
        with pytest.raises(tribin.Error) as raised:
            tribin.Graph(edges, **options)
        assert message in str(raised.value)


def test_faults_of_open_files_do_not_name_the_copy() -> None:
    with pytest.raises(tribin.InputError) as raised:
        tribin.Graph(io.BytesIO(b"0 1\nx y z\n"))
    assert str(raised.value).startswith("an open file:2: ") and "tribin-" not in str(raised.value)


def test_tables_of_results_that_have_no_edges_are_no_input() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    assert tribin.count(graph.support()) == 1
    for table in (graph.local(), graph.core_numbers(), graph.at_vertices("degree"), graph.count_by_labels(dict.fromkeys(range(4), "a"))):
        with pytest.raises(tribin.UsageError, match="the rows of this table are a "):
            tribin.Graph(table)


def test_arguments_of_results_that_make_no_sense() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    assert graph.at_vertices("degree", "degree").columns == ("vertex", "degree")
    assert graph.on_edges("forman", "support", "forman").columns == ("source", "target", "forman", "support")
    calls: list[tuple[Any, str]] = [
        (lambda: graph.at_vertices(["degree"]), r"\['degree'\] is no result: give their names one by one"),
        (lambda: graph.on_edges(None), "None is no result: give their names one by one"),
        (lambda: graph.similar(3), "`by` is 3: it must be a text"),
        (lambda: graph.similar(non_edges="no"), "`non_edges` is 'no': it must be True or False"),
        (lambda: graph.similarities([(0, 1)], by=None), "`by` is None: it must be a text"),
        (lambda: graph.support(min_support="1"), "`min_support` is '1': it must be a whole number"),
        (lambda: graph.support(min_support=-1), "`min_support` is -1: it must be 0 or more"),
        (lambda: graph.report("graph.html", title=3), "`title` is 3: it must be a text"),
        (lambda: tribin.Graph([(0, 1)], progress="no"), "`progress` is 'no': it must be True or False"),
        (lambda: tribin.Graph(np.array([[1, 2**63]], dtype=np.uint64)).support().to_scipy(), "numbers below 2.63"),
    ]
    for call, message in calls:
        with pytest.raises(tribin.UsageError, match=message):
            call()
