"""What edges are read from: each kind of input becomes two columns of integers, an Arrow stream, or a file."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribin import _device, _native
from tribin._errors import InputError, UsageError


@dataclass
class Columns:
    """Two columns of integers."""

    source: NDArray[Any]
    target: NDArray[Any]
    #: What the input is, in words.
    told: str
    #: The number of vertices, where vertices without an edge count.
    vertices: int | None = None
    #: What vertices are called, by number.
    labels: NDArray[Any] | None = None
    #: What was copied before the edges were.
    copies: list[str] = field(default_factory=list)


@dataclass
class Stream:
    """An Arrow stream."""

    capsule: Callable[[], Any]
    told: str


@dataclass
class File:
    """A file, or a folder of files."""

    path: str
    told: str


def read(
    edges: Any, asked: tuple[str, str] | None, vertices: int | None
) -> Columns | Stream | File | _device.DeviceColumns:
    """Find out what the input is."""
    found = _find(edges, asked)
    if vertices is not None:
        if not isinstance(found, (Columns, _device.DeviceColumns)) or (
            isinstance(found, Columns) and found.labels is not None
        ):
            raise UsageError("`vertices` goes with integers in memory only: here vertices are known by their names")
        found.vertices = vertices
    return found


def _find(edges: Any, asked: tuple[str, str] | None) -> Columns | Stream | File | _device.DeviceColumns:
    if isinstance(edges, (str, os.PathLike)):
        path = os.fspath(edges)
        return File(path if isinstance(path, str) else os.fsdecode(path), "a file")
    modules = {cls.__module__.partition(".")[0] for cls in type(edges).__mro__}
    if "networkx" in modules and hasattr(edges, "_adj"):
        return _networkx(edges)
    if "igraph" in modules and hasattr(edges, "get_edgelist"):
        return _igraph(edges)
    if "rustworkx" in modules and hasattr(edges, "edge_list"):
        return _rustworkx(edges)
    if "cudf" in modules and hasattr(edges, "columns"):
        (first, second), reason = _native.choose_columns([str(name) for name in edges.columns], asked)
        names = edges.columns[first], edges.columns[second]
        told = f"a cuDF DataFrame, columns {names[0]} and {names[1]}: {reason}"
        return _device.pair(edges[names[0]], edges[names[1]], told)
    if "scipy" in modules and hasattr(edges, "tocoo"):
        return _scipy(edges)
    if "pandas" in modules and hasattr(edges, "columns"):
        return _pandas(edges, asked)
    if getattr(edges, "edge_index", None) is not None:
        index = edges.edge_index
        found: Columns | _device.DeviceColumns = (
            _device.columns(index, by_columns=True)
            if _device.is_on_device(index)
            else _array(index, asked, by_columns=True)
        )
        nodes = getattr(edges, "num_nodes", None)
        found.vertices = nodes if isinstance(nodes, int) else None
        found.told = f"`edge_index` of {type(edges).__name__}: {found.told}"
        return found
    if hasattr(edges, "__arrow_c_stream__"):
        kind = type(edges)
        return Stream(edges.__arrow_c_stream__, f"an Arrow stream of {kind.__module__.partition('.')[0]}.{kind.__name__}")
    if isinstance(edges, Mapping):
        return _mapping(edges, asked)
    if isinstance(edges, tuple) and len(edges) == 2 and any(map(_device.is_on_device, edges)):
        return _device.pair(edges[0], edges[1], "two columns")
    if _device.is_on_device(edges):
        return _device.columns(edges, by_columns="torch" in modules)
    if isinstance(edges, tuple) and len(edges) == 2 and all(map(_is_column, edges)):
        return _pair(edges[0], edges[1], "two columns")
    if hasattr(edges, "__array__") or hasattr(edges, "__dlpack__"):
        return _array(edges, asked, by_columns="torch" in modules)
    if isinstance(edges, Iterable):
        return _pairs(edges)
    kind = type(edges)
    raise UsageError(
        f"edges cannot be read from {kind.__module__}.{kind.__qualname__}: give a table, an array of shape (m, 2) or "
        "(2, m), a tuple of two columns, a graph, pairs, or the path of a file"
    )


def _is_column(column: Any) -> bool:
    if isinstance(column, (tuple, str, bytes)):
        return False
    return isinstance(column, list) or (hasattr(column, "__len__") and not isinstance(column, Mapping))


def _named(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}".replace(",)", ")")


def _as_array(values: Any) -> NDArray[Any]:
    """A NumPy array, without a copy if the memory allows it."""
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__array__"):
        return np.asarray(values)
    if hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    if isinstance(values, list):
        return _of_objects(values)
    return np.asarray(values)


def _of_objects(values: list[Any]) -> NDArray[Any]:
    """An array of integers, if all values are; else of objects. NumPy alone would make texts of a mixture."""
    kinds = set(map(type, values))
    if kinds and all(issubclass(kind, (int, np.integer)) and kind is not bool for kind in kinds):
        for dtype in (np.int64, np.uint64):
            try:
                return np.array(values, dtype=dtype)
            except OverflowError:
                pass
        row = next(row for row, value in enumerate(values) if not 0 <= value < 2**64)
        raise InputError(f"edges: value {row} (from 0) is {values[row]}: vertex ids are from 0 to 2^64-1")
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _integers(column: NDArray[Any], copies: list[str], what: str) -> NDArray[Any] | None:
    """The column, if it holds integers, in native byte order."""
    if column.dtype.kind not in "iu":
        return None
    if not column.dtype.isnative:
        copies.append(f"{what}: {column.dtype} was put in the byte order of this machine")
        return column.astype(column.dtype.newbyteorder("="))
    return column


def _pair(source: Any, target: Any, told: str, copies: list[str] | None = None) -> Columns:
    """Two columns of integers, or of whatever can be compared."""
    copies = [] if copies is None else copies
    columns = []
    for column, what in ((source, "source"), (target, "target")):
        array = _as_array(column)
        if array.ndim != 1:
            raise InputError(f"edges: the column `{what}` has {array.ndim} dimensions: it must have one")
        columns.append(array)
    if len(columns[0]) != len(columns[1]):
        one, other = len(columns[0]), len(columns[1])
        raise InputError(f"edges: the columns have {one} and {other} rows: they must have as many")
    numbers = [_integers(column, copies, what) for column, what in zip(columns, ("source", "target"))]
    if numbers[0] is not None and numbers[1] is not None:
        return Columns(numbers[0], numbers[1], f"{told}, {columns[0].dtype} and {columns[1].dtype}", copies=copies)
    if not len(columns[0]):
        none = np.empty(0, dtype=np.int64)
        return Columns(none, none, f"{told}, empty", copies=copies)
    for column in columns:
        if column.dtype.kind not in "iuOUTS":
            raise InputError(f"edges: the array holds {column.dtype}: vertex ids are integers or names")
    copies.append("names were numbered one by one in Python")
    return _numbered(columns[0].tolist(), columns[1].tolist(), f"{told} of objects", copies)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _numbered(source: list[Any], target: list[Any], told: str, copies: list[str]) -> Columns:
    """Vertices of any hashable type, numbered as they are first mentioned."""
    index: dict[Any, int] = {}
    flat: Iterable[Any] = itertools.chain.from_iterable(zip(source, target))
    numbers = np.empty(2 * len(source), dtype=np.uint32)
    value: Any = None
    row = 0
    try:
        for row, value in enumerate(flat):
            number = index.get(value)
            if number is None:
                if _is_missing(value):
                    raise InputError(f"edges: row {row // 2} (from 0) has {value!r}: every edge has two ends")
                number = index[value] = len(index)
            numbers[row] = number
    except TypeError:
        raise InputError(
            f"edges: row {row // 2} (from 0) has a vertex of type {type(value).__name__}, which is not hashable"
        ) from None
    return Columns(
        numbers[0::2], numbers[1::2], told, vertices=len(index), labels=labels_of(index), copies=copies
    )


def labels_of(vertices: Iterable[Any]) -> NDArray[Any]:
    """What vertices are called: an array of integers if all are, else of objects."""
    values = list(vertices)
    try:
        return _of_objects(values) if any(type(value) is not str for value in values) else _texts(values)
    except InputError:
        return _texts(values)


def _texts(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    # Item by item: NumPy would take tuples for rows.
    for number, value in enumerate(values):
        array[number] = value
    return array


def _array(edges: Any, asked: tuple[str, str] | None, by_columns: bool) -> Columns:
    """An array of shape (m, 2) or (2, m), or of records."""
    array = _as_array(edges)
    told = "an array of " + _named(array)
    copies = []
    if not isinstance(edges, np.ndarray) and not np.shares_memory(array, np.asarray(edges)):
        copies.append("the array was copied to NumPy")
    if array.dtype.names is not None:
        (source, target), reason = _native.choose_columns(list(array.dtype.names), asked)
        names = array.dtype.names[source], array.dtype.names[target]
        return _pair(array[names[0]], array[names[1]], f"records, columns {names[0]} and {names[1]}: {reason}", copies)
    if array.size == 0:
        none = np.empty(0, dtype=np.int64)
        return Columns(none, none, told, copies=copies)
    if array.dtype.kind == "f":
        raise InputError(f"edges: the array holds {array.dtype}: vertex ids are integers or names")
    if array.ndim == 2 and array.shape[0] == 2 and (by_columns or array.shape[1] != 2):
        return _pair(array[0], array[1], told, copies)
    if array.ndim == 2 and array.shape[1] == 2:
        if array.shape == (2, 2):
            told += ", taken as rows: transpose it if its rows are the two columns"
        return _pair(array[:, 0], array[:, 1], told, copies)
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        raise InputError(
            f"edges: {_named(array)} looks like an adjacency matrix: give `scipy.sparse.csr_array(matrix)`"
        )
    raise InputError(f"edges: the shape is {array.shape}: it must be (m, 2) or (2, m)")


def _pairs(edges: Iterable[Any]) -> Columns:
    """Pairs; what comes after the first two of each is left aside."""
    source, target = [], []
    for row, edge in enumerate(edges):
        try:
            u, v, *_ = edge
        except (TypeError, ValueError):
            raise InputError(f"edges: row {row} (from 0) is {edge!r}: an edge is a pair of vertices") from None
        source.append(u)
        target.append(v)
    return _pair(source, target, "pairs of Python objects", ["pairs were copied one by one in Python"])


def _mapping(edges: Mapping[Any, Any], asked: tuple[str, str] | None) -> Columns:
    """Columns by name, or neighbours by vertex."""
    if asked is not None:
        try:
            return _pair(edges[asked[0]], edges[asked[1]], f"columns {asked[0]} and {asked[1]} of a mapping")
        except KeyError as missing:
            raise UsageError(f"there is no column {missing}") from None
    return adjacency(edges, "neighbours by vertex")


def adjacency(neighbours: Mapping[Any, Iterable[Any]], told: str, both: bool = False) -> Columns:
    """Neighbours by vertex. With `both`, every edge is there at both of its ends: one is enough."""
    if type(neighbours) is dict:
        found = _native.integer_adjacency(neighbours, both)
        if found is not None:
            labels, source, target = found
            return Columns(source, target, told, vertices=len(labels), labels=labels)
    index = {vertex: number for number, vertex in enumerate(neighbours)}
    lists: list[Any] = [row if hasattr(row, "__len__") else list(row) for row in neighbours.values()]
    degrees = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    total = int(degrees.sum())
    flat = itertools.chain.from_iterable(lists)
    try:
        target = np.fromiter(map(index.__getitem__, flat), dtype=np.uint32, count=total)
    except KeyError:
        # Neighbours that have no entry of their own are vertices too.
        for neighbour in itertools.chain.from_iterable(lists):
            index.setdefault(neighbour, len(index))
        flat = itertools.chain.from_iterable(lists)
        target = np.fromiter(map(index.__getitem__, flat), dtype=np.uint32, count=total)
    source = np.repeat(np.arange(len(lists), dtype=np.uint32), degrees)
    if both:
        once = source <= target
        source, target = source[once], target[once]
    copies = ["neighbours were numbered one by one in Python"]
    return Columns(source, target, told, vertices=len(index), labels=labels_of(index), copies=copies)


def _networkx(graph: Any) -> Columns:
    return adjacency(graph._adj, f"a NetworkX {type(graph).__name__}", both=not graph.is_directed())


def _igraph(graph: Any) -> Columns:
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    labels = labels_of(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    copies = ["igraph gives its edges as a list of tuples"]
    return Columns(edges[:, 0], edges[:, 1], "an igraph Graph", graph.vcount(), labels, copies)


def _rustworkx(graph: Any) -> Columns:
    nodes = np.fromiter(graph.node_indices(), dtype=np.int64, count=graph.num_nodes())
    edges = np.array(graph.edge_list(), dtype=np.int64).reshape(-1, 2)
    told, copies = f"a rustworkx {type(graph).__name__}", ["rustworkx gives its edges as a list"]
    if len(nodes) == 0 or nodes[-1] + 1 == len(nodes):
        return Columns(edges[:, 0], edges[:, 1], told, len(nodes), None, copies)
    # Nodes were removed: those that are left keep their numbers.
    places = np.searchsorted(nodes, edges)
    return Columns(places[:, 0], places[:, 1], told, len(nodes), nodes, copies)


def _scipy(matrix: Any) -> Columns:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"edges: a matrix of shape {matrix.shape} is not square: rows and columns are the vertices")
    told = f"a SciPy {matrix.format.upper()} matrix: an edge is a stored entry"
    copies = [] if matrix.format == "coo" else [f"the indexes of {matrix.format.upper()} were spread to columns"]
    entries = matrix.tocoo()
    return Columns(entries.row, entries.col, told, matrix.shape[0], None, copies)


def _pandas(frame: Any, asked: tuple[str, str] | None) -> Columns:
    """Column by column: the whole frame could be read as an Arrow stream with pyarrow only."""
    header = [str(name) for name in frame.columns]
    (source, target), reason = _native.choose_columns(header, asked)
    told = f"a pandas DataFrame, columns {header[source]} and {header[target]}: {reason}"
    columns = []
    for place in (source, target):
        column = frame.iloc[:, place]
        if column.isna().any():
            row = int(column.isna().to_numpy().argmax())
            raise InputError(
                f"edges: row {row} (from 0) of column `{header[place]}` is null: every edge has two ends"
            )
        kind = getattr(column.dtype, "numpy_dtype", column.dtype)
        if getattr(kind, "kind", "O") in "iu":
            columns.append(column.to_numpy(dtype=kind))
        elif getattr(kind, "kind", "O") == "f":
            raise InputError(
                f"edges: column `{header[place]}` holds {column.dtype}: vertex ids are integers or names"
            )
        else:
            columns.append(column.to_numpy(dtype=object))
    return _pair(columns[0], columns[1], told)
