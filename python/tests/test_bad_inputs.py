"""Bad input gets one exception, with the reason and the row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import tribin


UNSIGNED = "vertex ids are not negative"
BAD_INPUT: list[tuple[Any, str]] = [
    (np.array([[0, 1], [2, -3]]), f"edges: row 1 (from 0) is (2, -3): {UNSIGNED}"),
    (np.array([[0, 1], [-2, 3]], dtype=np.int8), f"edges: row 1 (from 0) is (-2, 3): {UNSIGNED}"),
    ([(0, 1), (1, -1)], f"edges: row 1 (from 0) is (1, -1): {UNSIGNED}"),
    ([(0, 1), (1, 2**64)], "edges: value 1 (from 0) is 18446744073709551616: vertex ids are from 0 to 2^64-1"),
    ([(0, 1), (1,)], "edges: row 1 (from 0) is (1,): an edge is a pair of vertices"),
    ([(0, 1), 5], "edges: row 1 (from 0) is 5: an edge is a pair of vertices"),
    ([("a", "b"), ("a", None)], "edges: row 1 (from 0) has None: every edge has two ends"),
    ([("a", "b"), ("a", [])], "edges: row 1 (from 0) has a vertex of type list, which is not hashable"),
    (np.array([[0.5, 1.0]]), "edges: the array holds float64: vertex ids are integers or names"),
    (np.zeros((4, 3), dtype=int), "edges: the shape is (4, 3): it must be (m, 2) or (2, m)"),
    (np.zeros((4, 2, 2), dtype=int), "edges: the shape is (4, 2, 2): it must be (m, 2) or (2, m)"),
    (np.zeros((4, 4), dtype=int), "looks like an adjacency matrix: give `scipy.sparse.csr_array(matrix)`"),
    ((np.arange(3), np.arange(4)), "edges: the columns have 3 and 4 rows: they must have as many"),
    ((np.zeros((2, 2)), np.arange(4)), "edges: the column `source` has 2 dimensions: it must have one"),
    (sp.csr_array((3, 4)), "edges: a matrix of shape (3, 4) is not square"),
    (pl.DataFrame({"a": [0, -1], "b": [1, 2]}), f"edges: row 1 (from 0) of column `a` is -1: {UNSIGNED}"),
    (pl.DataFrame({"a": [0, 1], "b": [1, None]}), "edges: row 1 (from 0) of column `b` is null"),
    (pl.DataFrame({"a": ["x", None], "b": ["y", "z"]}), "edges: row 1 (from 0) of column `a` is null"),
    (pl.DataFrame({"a": [0.5], "b": [1.5]}), "edges: column `a` holds Float64: vertex ids are integers or texts"),
    (pl.DataFrame({"a": ["x"], "b": [1]}), "edges: column `a` holds names and `b` integers"),
    (pa.table({"a": pa.array([0, None]), "b": [1, 2]}), "edges: row 1 (from 0) of column `a` is null"),
    (pd.DataFrame({"a": [0, 1], "b": ["x", None]}), "edges: row 1 (from 0) of column `b` is null"),
    (pd.DataFrame({"a": [0, 1], "b": [0.5, 1]}), "edges: column `b` holds float64: vertex ids are integers or names"),
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
    ({"edges": [(0, 1)], "threads": 10**6}, "1000000 threads are asked for"),
    ({"edges": [(0, 1)], "memory": "much"}, "`much` is no number of bytes"),
    ({"edges": [(0, 1)], "source": "a"}, "`source` and `target` go together"),
    ({"edges": [(0, 1)], "vertices": -1}, "`vertices` is -1"),
    ({"edges": [("a", "b")], "vertices": 5}, "`vertices` goes with integers in memory only"),
    ({"edges": pl.DataFrame({"a": [1]})}, "there is one column only"),
    ({"edges": {"a": [1], "b": [2]}, "source": "a", "target": "c"}, "there is no column 'c'"),
]


@pytest.mark.parametrize(("options", "message"), BAD_USE, ids=range(len(BAD_USE)))
def test_bad_use_is_a_usage_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(tribin.UsageError) as raised:
        tribin.Graph(**options)
    assert message in str(raised.value)


def test_ids_past_the_vertices() -> None:
    with pytest.raises(tribin.InputError, match="vertices are below 3"):
        tribin.Graph(np.array([[0, 3]]), vertices=3)


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
