"""What edges are read from: each kind of input becomes two columns of integers, an Arrow stream, or a file."""

from __future__ import annotations

import copy
import datetime
import functools
import itertools
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tribin import _device, _native
from tribin._errors import InputError, UsageError

_native.find_numpy()


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
    #: The weight of every edge.
    weights: NDArray[np.float64] | None = None
    #: Whether each edge leads both ways and is there once.
    both_ways: bool = False


@dataclass
class Stream:
    """An Arrow stream."""

    capsule: Callable[[], Any]
    told: str
    weights: NDArray[np.float64] | None = None
    #: The number of vertices, where those without an edge count.
    vertices: int | None = None
    #: The columns that hold nothing, whatever their type.
    nothing: list[int] = field(default_factory=list)


@dataclass
class File:
    """A file, a folder of files, or several that are one graph."""

    paths: list[str]
    told: str
    #: What removes a copy of an open file when it is read.
    copy: Any = None
    weights: None = None


#: The two columns that are asked for, by what they are called in the input.
Asked = tuple[Any, Any] | None

#: What asks for weights: a name, `True` for those that the input has in one place, or the weights themselves.
Weight = Any


def read(
    edges: Any,
    asked: Asked,
    vertices: int | None,
    directed: bool = False,
    weight: Weight = None,
) -> Columns | Stream | File | _device.DeviceShares:
    """Find out what the input is."""
    beside = weight is not None and weight is not True and not isinstance(weight, str)
    found = _find(edges, asked, directed, None if beside else weight, beside)
    if isinstance(found, _device.DeviceColumns):
        found = _device.DeviceShares.of([found])
    if isinstance(found, Columns) and not directed and _has_directions(edges):
        found.told += ", whose directions are dropped without `directed=True`"
    if beside:
        if isinstance(found, _device.DeviceShares):
            raise UsageError("the edges are in the memory of a GPU, and weights are read from host memory: copy them")
        if isinstance(found, File):
            raise UsageError("the weights of a file are in one of its columns: give the name of the column")
        if isinstance(found, Stream):
            found.weights = _weights_of(weight, "the weights")
        else:
            found.weights = _weights_of(weight, "the weights")
            if len(found.weights) != len(found.source):
                raise InputError(f"there are {len(found.weights)} weights for {len(found.source)} edges")
    if directed and isinstance(found, Columns) and found.both_ways:
        _turn(found)
    if vertices is not None:
        if isinstance(found, File):
            raise UsageError("`vertices` goes with integers in memory only, and the edges are in a file: leave it out")
        if isinstance(found, Columns) and found.labels is not None:
            raise UsageError("`vertices` goes with integers only: here vertices are known by their names")
        found.vertices = vertices
    return found


def _has_directions(graph: Any) -> bool:
    """Whether a graph of another library has directions."""
    asks = (getattr(graph, name, None) for name in ("is_directed", "isDirected"))
    return any(callable(ask) and ask() for ask in asks) or "DiGraph" in type(graph).__name__


def _weights_of(values: Any, what: str) -> NDArray[np.float64]:
    """Weights as an array of float64."""
    try:
        array = np.asarray(values if isinstance(values, (list, tuple)) else _as_array(values, "edge has a weight"))
        if array.dtype.kind not in "iufb" and not (array.dtype.kind == "O" and _are_numbers(array)):
            raise TypeError
        if array.ndim != 1:
            raise InputError(f"edges: {what} have {array.ndim} dimensions: they must have one")
        weights = np.ascontiguousarray(array, dtype=np.float64)
    except InputError:
        raise
    except (TypeError, ValueError):
        raise InputError(f"edges: {what} are no numbers") from None
    except OverflowError:
        raise InputError(f"edges: one of {what} is too large for a double") from None
    return weights


def _are_numbers(array: NDArray[Any]) -> bool:
    return all(isinstance(value, (int, float, np.number, Decimal)) for value in array.ravel().tolist())


def _find(
    edges: Any, asked: Asked, directed: bool, weight: str | bool | None, in_order: bool = False
) -> Columns | Stream | File | _device.DeviceColumns | _device.DeviceShares:
    if isinstance(edges, (str, bytes, os.PathLike)):
        path = os.fsdecode(edges)
        return File([path], path)
    if isinstance(edges, list) and edges and all(map(_is_path, edges)):
        paths = list(map(os.fsdecode, edges))
        return File(paths, ", ".join(paths))
    modules = {cls.__module__.partition(".")[0] for cls in type(edges).__mro__}
    if "networkx" in modules and hasattr(edges, "_adj"):
        _refuse_columns(asked)
        return _networkx(edges, directed, weight, in_order)
    if "igraph" in modules and hasattr(edges, "get_edgelist"):
        _refuse_columns(asked)
        return _igraph(edges, weight)
    if "rustworkx" in modules and hasattr(edges, "edge_list"):
        _refuse_columns(asked)
        return _rustworkx(edges, weight)
    if "cudf" in modules and hasattr(edges, "columns"):
        (first, second), reason, _ = _native.choose_columns([str(name) for name in edges.columns], as_texts(asked))
        names = edges.columns[first], edges.columns[second]
        told = f"a cuDF DataFrame, columns {names[0]} and {names[1]}: {reason}"
        return _device.pair(edges[names[0]], edges[names[1]], told)
    if "networkit" in modules and hasattr(edges, "iterEdges"):
        _refuse_columns(asked)
        return _networkit(edges, weight)
    if "pyarrow" in modules and hasattr(edges, "scanner"):
        # A dataset.
        edges = edges.scanner().to_reader()
    if "pyarrow" in modules and hasattr(edges, "iter_batches"):
        # A file of Parquet.
        edges = sys.modules["pyarrow"].RecordBatchReader.from_batches(edges.schema_arrow, edges.iter_batches())
    if "scipy" in modules and hasattr(edges, "tocoo"):
        _refuse_columns(asked)
        return _scipy(edges, weight)
    if "pandas" in modules and hasattr(edges, "columns"):
        return _pandas(edges, asked, weight)
    if "pandas" in modules and getattr(getattr(edges, "index", None), "nlevels", 1) == 2:
        # A series whose index has the two ends, and whose values are weights.
        _refuse_columns(asked)
        frame = edges.index.to_frame(index=False, name=["source", "target"]).assign(weight=edges.to_numpy())
        return _pandas(frame, ("source", "target"), "weight" if weight else None)
    if "pandas" in modules and hasattr(edges, "to_numpy") and edges.dtype == object:
        # A series of pairs, or an index of several levels.
        _refuse_columns(asked)
        return _pairs(edges.tolist(), weight)
    if "polars" in modules and hasattr(edges, "collect"):
        raise UsageError("a LazyFrame has no rows before it is collected: give `edges.collect()`")
    if "tribin" in modules and hasattr(edges, "to_networkx"):
        # A table of results has edges, or says what it has.
        edges._ends()
    if isinstance(edges, memoryview):
        return _array(np.asarray(edges), asked, by_columns=False, weight=weight)
    if getattr(edges, "edge_index", None) is not None:
        _refuse_columns(asked)
        index = edges.edge_index
        if _device.is_on_device(index):
            on_device = _device.columns(index, by_columns=True)
            nodes = getattr(edges, "num_nodes", None)
            on_device.vertices = nodes if isinstance(nodes, int) else None
            on_device.told = f"`edge_index` of {type(edges).__name__}: {on_device.told}"
            return on_device
        found = _array(index, asked, by_columns=True)
        if weight is not None:
            name = "edge_weight" if weight is True else str(weight)
            found.weights = _weights_of(_attribute(edges, name), f"`{name}`")
        nodes = getattr(edges, "num_nodes", None)
        found.vertices = nodes if isinstance(nodes, int) else None
        found.told = f"`edge_index` of {type(edges).__name__}: {found.told}"
        return found
    if hasattr(edges, "__arrow_c_stream__"):
        kind = type(edges)
        if weight is True:
            raise UsageError("give the name of the column that has the weights")
        told = f"an Arrow stream of {kind.__module__.partition('.')[0]}.{kind.__name__}"
        if "polars" in modules and hasattr(edges, "dtypes"):
            polars = sys.modules["polars"]
            if polars.Object in edges.dtypes:
                # Arrow has the addresses of such values.
                ends = _native.choose_columns(edges.columns, as_texts(asked))[0]
                for name in (edges.columns[end] for end in ends if edges.dtypes[end] == polars.Object):
                    raise InputError(f"edges: the column `{name}` holds Object: vertex ids are integers or names: give two lists")
            nothing = [place for place, dtype in enumerate(edges.dtypes) if dtype == polars.Null]
            if nothing:
                # Polars gives such columns a buffer, which those of Arrow do not have.
                edges = edges.cast({polars.Null: polars.Boolean})
            return Stream(edges.__arrow_c_stream__, told, nothing=nothing)
        return Stream(edges.__arrow_c_stream__, told)
    # Views of the edges of a NetworkX graph are sets and mappings at once: sets of edges is what they are here.
    if isinstance(edges, Mapping) and not isinstance(edges, Set):
        return _mapping(edges, asked, weight)
    if isinstance(edges, (list, tuple)) and edges and all(map(_device.is_share, edges)):
        shares = [_find(share, asked, directed, weight) for share in edges]
        return _device.DeviceShares.of([share for share in shares if isinstance(share, _device.DeviceColumns)])
    # A list of pairs is long, and is not looked through.
    if isinstance(edges, list) and edges and _device.is_like_share(edges[0]) and any(map(_device.is_share, edges)):
        place = next(place for place, share in enumerate(edges) if not _device.is_share(share))
        raise UsageError(
            f"edges: item {place} (from 0) of the list is not in the memory of a GPU, and others are: copy it there, or "
            "the others to the host"
        )
    if isinstance(edges, tuple) and len(edges) == 2 and any(map(_device.is_on_device, edges)):
        _refuse_columns(asked)
        return _device.pair(edges[0], edges[1], "two columns")
    if _device.is_on_device(edges):
        _refuse_columns(asked)
        return _device.columns(edges, by_columns="torch" in modules)
    if isinstance(edges, tuple) and len(edges) == 2 and all(map(_is_column, edges)):
        _refuse_columns(asked)
        _refuse_names(weight)
        return _pair(edges[0], edges[1], "two columns")
    if hasattr(edges, "__array__") or hasattr(edges, "__dlpack__"):
        return _array(edges, asked, by_columns="torch" in modules, weight=weight)
    if callable(getattr(edges, "read", None)):
        return _open_file(edges)
    if isinstance(edges, Iterable):
        _refuse_columns(asked)
        if weight is True and "networkx" in modules and isinstance(edges, Mapping):
            raise UsageError("give the graph and `weight`: a view of its edges has no weights")
        return _pairs(edges, weight)
    kind = type(edges)
    raise UsageError(
        f"edges cannot be read from {kind.__module__}.{kind.__qualname__}: give a table, an array of shape (m, 2) or "
        "(2, m), a tuple of two columns, a graph, pairs, or the path of a file"
    )


def _is_path(value: Any) -> bool:
    """Whether an item of a list is a path. Texts may be anything: those of files that are there are paths."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and os.path.exists(value))


def _open_file(file: Any) -> File:
    """What is left to read of an open file, as a file of its own, with the extensions of the name."""
    name = getattr(file, "name", None)
    name = os.path.basename(name) if isinstance(name, str) else ""
    # Compressed content is told by its first bytes, and what `gzip.open` gives is none.
    bare = re.sub(r"\.(gz|bz2|xz|zst)$", "", name)
    copied = tempfile.NamedTemporaryFile(prefix="tribin-", suffix=f"-{bare}" if bare else "")
    while content := file.read(1 << 20):
        copied.write(content.encode() if isinstance(content, str) else content)
    copied.flush()
    return File([copied.name], f"an open file {name}".strip(), copied)


def _attribute(edges: Any, name: str) -> Any:
    values = getattr(edges, name, None)
    if values is None:
        raise UsageError(f"the graph has no `{name}`")
    return values


def asked_for(source: Any, target: Any) -> Asked:
    """The two columns that are asked for, if they are."""
    if (source is None) != (target is None):
        raise UsageError("`source` and `target` go together: name both columns, or none")
    return None if source is None else (source, target)


def as_texts(asked: Asked) -> tuple[str, str] | None:
    """The columns that are asked for, by names as a file has them."""
    return None if asked is None else (str(asked[0]), str(asked[1]))


def _refuse_columns(asked: Asked) -> None:
    """Where there are no names, none can be asked for."""
    if asked is not None:
        raise UsageError("`source` and `target` name columns of a table, and the edges are in none: leave them out")


def _refuse_names(weight: str | bool | None) -> None:
    """Columns without names have their weights beside them."""
    if weight is not None:
        raise UsageError("the edges have no column of weights: give the weights, an array with one for each edge")


def _is_column(column: Any) -> bool:
    if isinstance(column, (tuple, str, bytes)):
        return False
    return isinstance(column, list) or (hasattr(column, "__len__") and not isinstance(column, (Mapping, Set)))


def _named(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}".replace(",)", ")")


def _as_array(values: Any, each: str = "edge has two ends") -> NDArray[Any]:
    """A NumPy array, without a copy if the memory allows it."""
    if isinstance(values, np.ma.MaskedArray):
        # Records are looked at column by column.
        return values if values.dtype.names is not None else _unmasked(values, each)
    if hasattr(values, "__array__"):
        # Not a matrix, whose rows are matrices.
        return np.asarray(values)
    if hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    if isinstance(values, (list, tuple)):
        return _of_objects(list(values))
    return np.asarray(values)


def _unmasked(array: np.ma.MaskedArray[Any, Any], each: str) -> NDArray[Any]:
    """The values of an array that masks none of them."""
    masked = np.argwhere(np.ma.getmaskarray(array))
    if len(masked):
        place = ", ".join(map(str, masked[0].tolist()))
        raise InputError(f"edges: the value at [{place}] is masked: every {each}")
    values: NDArray[Any] = array.data
    return values


#: Whole numbers up to this one are all floats.
_EXACT = 2.0**53


def _whole_floats(array: NDArray[Any], where: str, copies: list[str]) -> NDArray[Any]:
    """Floats as integers, if all are whole and at most 2^53: what others make of integers where some were missing."""
    if array.size and not _are_whole(array).all():
        _refuse_fractions(array, where)
    copies.append(f"{where}: {array.dtype} was made int64")
    return array.astype(np.int64)


def _are_whole(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Which floats are ids."""
    # The largest float of 16 bits is below the limit, which is none of them.
    known = np.finfo(array.dtype)
    whole: NDArray[np.bool_] = (array == np.floor(array)) & (abs(array) <= (_EXACT if known.maxexp > 53 else known.max))
    return whole


def _refuse_fractions(array: NDArray[Any], where: str) -> NoReturn:
    """Say of numbers with fractions that they are no ids, or that they were integers, some of which were missing."""
    missing = np.isnan(array)
    if missing.any() and (array[~missing] == np.floor(array[~missing])).all():
        place = ", ".join(map(str, np.argwhere(missing)[0].tolist()))
        raise InputError(
            f"edges: {where} has nan at [{place}]: every edge has two ends, and integers with missing values become "
            f"{array.dtype}"
        )
    place = np.argwhere(~_are_whole(array))[0].tolist()
    _refuse_number(f"{where} holds {array.dtype}", array[tuple(place)], ", ".join(map(str, place)))


def _refuse_number(what: str, value: Any, place: str) -> NoReturn:
    raise InputError(
        f"edges: {what}, and {value} at [{place}]: vertex ids are integers or names, and floats are ids if all are whole "
        "and at most 2^53"
    )


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
    return _objects(values)


def _objects(values: list[Any]) -> NDArray[Any]:
    """An array of objects. NumPy alone would take tuples for rows."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _integers(column: NDArray[Any], copies: list[str], what: str) -> NDArray[Any] | None:
    """The column, if it holds integers, in native byte order and of 32 or 64 bits."""
    if column.dtype.kind not in "iu":
        return None
    if column.dtype.itemsize < 4:
        copies.append(f"{what}: {column.dtype} was made int32")
        return column.astype(np.int32)
    if not column.dtype.isnative:
        copies.append(f"{what}: {column.dtype} was put in the byte order of this machine")
        return column.astype(column.dtype.newbyteorder("="))
    return column


#: The kinds of what stands in columns of objects, by their types.
_KINDS: list[tuple[type | tuple[type, ...], str]] = [
    ((bool, np.bool_), "booleans"),
    ((datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64), "dates and times"),
    ((complex, np.complexfloating), "complex numbers"),
    ((int, np.integer), "integers"),
    ((float, np.floating), "floats"),
    (Decimal, "decimals"),
    (str, "texts"),
    (bytes, "bytes"),
]

#: The same of arrays, by what NumPy calls their types.
_KINDS_OF_ARRAYS = {
    "b": "booleans", "c": "complex numbers", "f": "floats", "i": "integers", "m": "dates and times", "M": "dates and times", "S": "bytes",
    "T": "texts", "U": "texts", "u": "integers",
}  # fmt: skip

#: Kinds that are no ids, as in files.
_NO_IDS = {"booleans", "complex numbers", "dates and times"}

#: Kinds that are numbers: the float 1.0 and the integer 1 are one vertex.
_NUMBERS = {"integers", "floats", "decimals"}


def _kind_of(kind: type) -> str | None:
    """What values of a type are; None of those that are nothing but hashable."""
    if any(base.__module__.startswith("pandas._libs.tslibs.") for base in kind.__mro__):
        # Spans of time as well.
        return "dates and times"
    return next((called for types, called in _KINDS if issubclass(kind, types)), None)


def _kinds_of(column: NDArray[Any]) -> dict[str, int]:
    """The kinds that a column has, with the first row of each."""
    if column.dtype.kind != "O":
        kind = _KINDS_OF_ARRAYS.get(column.dtype.kind)
        return {} if kind is None else {kind: 0}
    values = column.tolist()
    found: dict[str, int] = {}
    for of_value in set(map(type, values)):
        called = _kind_of(of_value)
        if called is not None:
            row = next(row for row, value in enumerate(values) if type(value) is of_value)
            found[called] = min(row, found.get(called, row))
    return dict(sorted(found.items(), key=lambda kind: kind[1]))


def _check_kinds(columns: list[NDArray[Any]], names: tuple[str, str]) -> None:
    """Refuse columns that hold numbers and texts: whether the text `1` and the number 1 are one vertex is not known."""
    found = [_kinds_of(column) for column in columns]
    for kinds, what in zip(found, names):
        for kind in kinds.keys() & _NO_IDS:
            raise InputError(
                f"edges: the column `{what}` holds {kind}, which are no ids: name two other columns as `source` and `target`, "
                "or write integers or texts, as `.astype(str)` does"
            )
    alike = [{"numbers" if kind in _NUMBERS else kind for kind in kinds} for kinds in found]
    if len(alike[0] | alike[1]) < 2:
        return
    # NaN, which is a float, and what else is no value is told as such.
    _refuse_missing(columns)
    advice = "both ends of an edge are of one kind, write both as integers or both as texts"
    for kinds, ends, what in zip(found, alike, names):
        if len(ends) > 1:
            one = next(iter(kinds))
            other, row = next((kind, row) for kind, row in kinds.items() if not {one, kind} <= _NUMBERS and kind != one)
            raise InputError(f"edges: the column `{what}` holds {one} and, in row {row} (from 0), {other}: {advice}")
    one, other = (next(iter(kinds)) for kinds in found)
    raise InputError(f"edges: the column `{names[0]}` holds {one} and `{names[1]}` holds {other}: {advice}")


def _refuse_missing(columns: list[NDArray[Any]]) -> None:
    """Refuse values that are none, the first one of all rows."""
    missing = (
        (row, place)
        for place, column in enumerate(columns)
        if column.dtype.kind == "O"
        for row in [next((row for row, value in enumerate(column.tolist()) if is_missing(value)), None)]
        if row is not None
    )
    first = min(missing, default=None)
    if first is not None:
        raise _no_end(first[0], columns[first[1]][first[0]])


def _no_end(row: int, value: Any) -> InputError:
    return InputError(f"edges: row {row} (from 0) has {value!r}: every edge has two ends")


def _numbers_of_objects(column: NDArray[Any], where: str, copies: list[str]) -> NDArray[Any]:
    """A column of objects as integers, if all are numbers; of other objects the column itself."""
    kinds = _kinds_of(column)
    if column.dtype.kind != "O" or not kinds or not set(kinds) <= _NUMBERS:
        return column
    values = column.tolist()
    if any(_kind_of(kind) is None for kind in set(map(type, values))):
        return column
    if set(kinds) == {"integers"}:
        return _of_objects(values)
    _refuse_missing([column])
    for row, value in enumerate(values):
        if not _is_whole(value):
            _refuse_number(f"{where} holds {_kind_of(type(value))}", value, str(row))
    copies.append(f"{where}: numbers were made integers one by one in Python")
    return _of_objects([int(value) for value in values])


def _is_whole(number: Any) -> bool:
    """Whether a number has no fraction, and is known to the last digit."""
    if isinstance(number, (int, np.integer)):
        return True
    if isinstance(number, Decimal):
        return number.is_finite() and number == number.to_integral_value()
    return bool(np.isfinite(number) and number == np.floor(number) and abs(float(number)) <= _EXACT)


def _pair(
    source: Any,
    target: Any,
    told: str,
    copies: list[str] | None = None,
    names: tuple[str, str] = ("source", "target"),
    of_one_kind: bool = True,
) -> Columns:
    """Two columns of integers, or of whatever can be compared. `names` stand in messages. Ends of pairs of Python's
    objects need not be of one kind.
    """
    copies = [] if copies is None else copies
    columns = []
    for column, what in zip((source, target), names):
        array = _as_array(column)
        if array.ndim != 1:
            raise InputError(f"edges: the column `{what}` has {array.ndim} dimensions: it must have one")
        columns.append(array)
    if len(columns[0]) != len(columns[1]):
        one, other = len(columns[0]), len(columns[1])
        raise InputError(f"edges: the columns have {one} and {other} rows: they must have as many")
    if of_one_kind and len(columns[0]):
        _check_kinds(columns, names)
    for place, what in enumerate(names):
        if columns[place].dtype.kind == "f":
            columns[place] = _whole_floats(columns[place], f"the column `{what}`", copies)
        elif of_one_kind:
            columns[place] = _numbers_of_objects(columns[place], f"the column `{what}`", copies)
    numbers = [_integers(column, copies, what) for column, what in zip(columns, names)]
    if numbers[0] is not None and numbers[1] is not None:
        return Columns(numbers[0], numbers[1], f"{told}, {columns[0].dtype} and {columns[1].dtype}", copies=copies)
    if not len(columns[0]):
        none = np.empty(0, dtype=np.int64)
        return Columns(none, none, f"{told}, empty", copies=copies)
    for column in columns:
        if column.dtype.kind not in "iuOUTS":
            raise InputError(f"edges: the array holds {column.dtype}: vertex ids are integers or names")
    pandas = sys.modules.get("pandas")
    if pandas is not None and len(columns[0]) and all(set(_kinds_of(column)) == {"texts"} for column in columns):
        both = np.stack([column.astype(object) for column in columns], axis=1)
        if all(set(map(type, column.tolist())) == {str} for column in columns):
            # Numbered as they are first mentioned, as below.
            numbers, names = pandas.factorize(both.reshape(-1))
            ends = numbers.astype(np.uint32)
            copies.append("names were numbered by pandas")
            return Columns(ends[0::2], ends[1::2], f"{told} of objects", labels=np.asarray(names), copies=copies)
    copies.append("names were numbered one by one in Python")
    return _numbered(columns[0].tolist(), columns[1].tolist(), f"{told} of objects", copies)


def is_missing(value: Any) -> bool:
    """Whether a value stands for none."""
    if value is None:
        return True
    try:
        # NaN of any type, and NaT, differ from themselves.
        return bool(value != value)
    except (TypeError, ValueError):
        # pandas has a value of which this is not known.
        return type(value).__name__ == "NAType"


def whole(value: Any) -> int | None:
    """The integer that a value is, a float without a fraction too; None of other values."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    is_whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return int(value) if is_whole else None


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
                if is_missing(value):
                    raise _no_end(row // 2, value)
                number = index[value] = len(index)
            numbers[row] = number
    except TypeError:
        raise InputError(
            f"edges: row {row // 2} (from 0) has a vertex of type {type(value).__name__}, which is not hashable"
        ) from None
    # Of edges alone, vertices without an edge to another are not known: as in files and Arrow tables.
    return Columns(numbers[0::2], numbers[1::2], told, labels=labels_of(index), copies=copies)


def labels_of(vertices: Iterable[Any]) -> NDArray[Any]:
    """What vertices are called: an array of integers if all are, else of objects."""
    values = list(vertices)
    try:
        return _of_objects(values)
    except InputError:
        return _objects(values)


def _array(
    edges: Any, asked: Asked, by_columns: bool, weight: str | bool | None = None
) -> Columns:
    """An array of shape (m, 2) or (2, m), or of records."""
    array = _as_array(edges)
    told = "an array of " + _named(array)
    copies = []
    if not isinstance(edges, np.ndarray) and not np.shares_memory(array, np.asarray(edges)):
        copies.append("the array was copied to NumPy")
    if array.dtype.names is not None:
        header = list(array.dtype.names)
        (source, target), reason, beside = _native.choose_columns(header, as_texts(asked), _named_weight(weight))
        names = header[source], header[target]
        told = f"records, columns {names[0]} and {names[1]}: {reason}"
        found = _pair(array[names[0]], array[names[1]], told, copies, names)
        if beside is not None:
            found.weights = _weights_of(array[header[beside]], f"the values of `{header[beside]}`")
        return found
    _refuse_columns(asked)
    if weight is True and array.ndim == 2 and array.shape[1] == 3:
        found = _array(array[:, :2], None, by_columns=False)
        found.weights = _weights_of(array[:, 2], "the third column")
        return found
    _refuse_names(weight)
    if array.size == 0:
        none = np.empty(0, dtype=np.int64)
        return Columns(none, none, told, copies=copies)
    if array.dtype.kind == "f" and array.ndim == 2 and 2 in array.shape:
        array = _whole_floats(array, "the array", copies)
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


def _named_weight(weight: str | bool | None) -> str | None:
    """The name of the column of the weights."""
    if weight is True:
        raise UsageError("give the name of the column that has the weights")
    return weight or None


def _refuse_columns_as_rows(edges: Iterable[Any], have_weights: bool) -> Iterable[Any]:
    """Refuses two rows that are columns, and rows of tables with their index: the first two items of each are no edge."""
    rows = iter(edges)
    first = list(itertools.islice(rows, 3))
    if first and next(iter(getattr(first[0], "_fields", ())), None) == "Index":
        raise InputError(
            "edges: rows of `itertuples()` begin with the index of the table: give the table itself, or `itertuples(index=False)`"
        )
    if len(first) == 2 and not have_weights:
        lengths = [len(row) if isinstance(row, (list, tuple, np.ndarray)) else 0 for row in first]
        alike = lengths[0] == lengths[1] > 2 and all(type(end) is type(first[0][0]) for row in first for end in row)
        if alike:
            raise InputError(
                f"edges: two rows of {lengths[0]} items may be two columns: give these as a tuple of two lists or as an array "
                "of shape (2, m), and edges as pairs"
            )
    return itertools.chain(first, rows)


def _is_no_pair(edge: Any) -> bool:
    """Whether what is given as an edge has other items than two ends: letters, names of columns, nodes, or lines of a file."""
    kinds = ("columns", "adj", "read")
    return isinstance(edge, (str, bytes, Mapping)) or any(hasattr(edge, name) for name in kinds)


def _pairs(edges: Iterable[Any], weight: str | bool | None = None) -> Columns:
    """Pairs, and with `weight=True` triples; what comes after that is left aside."""
    if weight is not None and weight is not True:
        raise UsageError("pairs have no names: `weight=True` takes the third item of each")
    source, target = [], []
    weights: list[Any] = []
    edges = _refuse_columns_as_rows(edges, weight is True)
    for row, edge in enumerate(edges):
        if type(edge) is not tuple and _is_no_pair(edge):
            what = repr(edge) if isinstance(edge, (str, bytes, dict)) else f"of the type {type(edge).__name__}"
            raise InputError(
                f"edges: row {row} (from 0) is {what}: an edge is a pair of vertices. Files are given by a path or a list of paths "
                "that are all there; records are made a table of pandas or Polars, and several tables or graphs are made one"
            )
        try:
            u, v, *rest = edge
        except (TypeError, ValueError):
            raise InputError(f"edges: row {row} (from 0) is {edge!r}: an edge is a pair of vertices") from None
        # NetworkX has tuples with a key and attributes behind the ends.
        if len(rest) > (2 if isinstance(edge, tuple) else weight is True):
            raise InputError(
                f"edges: row {row} (from 0) has {2 + len(rest)} items, and an edge is a pair of vertices: `weight=True` takes a third "
                "item for its weight, columns are given as a tuple of two arrays, and matrices and lists of neighbours as those of "
                "SciPy and as a dictionary"
            )
        source.append(u)
        target.append(v)
        if weight is True:
            if len(edge) < 3:
                raise InputError(f"edges: row {row} (from 0) is {edge!r}: it has no weight behind its vertices")
            weights.append(edge[2])
    told, copies = "pairs of Python objects", ["pairs were copied one by one in Python"]
    found = _pair(source, target, told, copies, of_one_kind=False)
    if weight is True:
        found.weights = _weights_of(weights, "the third items")
    return found


def _mapping(
    edges: Mapping[Any, Any], asked: Asked, weight: str | bool | None = None
) -> Columns:
    """Columns by name, or neighbours by vertex."""
    if asked is None:
        asked = _columns_of(edges, weight)
    if asked is not None:
        names = list(edges)
        header = list(map(str, names))
        (source, target), _, beside = _native.choose_columns(header, as_texts(asked), _named_weight(weight))
        told = f"columns {header[source]} and {header[target]} of a mapping"
        found = _pair(edges[names[source]], edges[names[target]], told, names=(header[source], header[target]))
        if beside is not None:
            found.weights = _weights_of(edges[names[beside]], f"the values of `{names[beside]}`")
        return found
    _refuse_names(weight)
    for vertex, row in edges.items():
        if type(row) not in _PLAIN and (isinstance(row, (str, bytes)) or not isinstance(row, Iterable)):
            raise InputError(f"edges: the neighbours of {vertex!r} are {row!r}: they must be a list, a set or a dictionary")
    try:
        found = adjacency(edges, "neighbours by vertex")
    except TypeError as error:
        raise InputError(f"edges: a neighbour is no vertex: {error}") from None
    labels = found.labels
    if labels is not None:
        _refuse_integers(labels)
    if labels is not None and labels.dtype == object:
        for vertex in labels.tolist():
            if is_missing(vertex):
                raise InputError(f"edges: a vertex is {vertex!r}: every edge has two ends")
    return found


def _refuse_integers(labels: NDArray[Any]) -> None:
    """Refuse integers that are no ids, where all vertices are integers: as in pairs."""
    if labels.dtype.kind == "i" and len(labels) and labels.min() < 0:
        raise InputError(f"edges: a vertex is {labels[labels < 0][0]}: vertex ids are not negative")
    values = labels.tolist() if labels.dtype == object else []
    if values and all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values):
        vertex = next(value for value in values if not 0 <= value < 2**64)
        raise InputError(f"edges: a vertex is {vertex}: vertex ids are from 0 to 2^64-1")


#: Why columns are taken whose names say what they are.
_BY_THEIR_NAMES = "their names are those of the two ends of an edge"


def _columns_of(edges: Mapping[Any, Any], weight: str | bool | None) -> Asked:
    """The columns of a table, where a dictionary is one: lists of one length that are called as ends of edges are."""
    names = list(edges)
    if len(names) < 2 or not all(isinstance(name, str) for name in names):
        return None
    header = names
    try:
        (source, target), reason, _ = _native.choose_columns(header, None, weight if isinstance(weight, str) else None)
    except UsageError:
        return None
    if reason != _BY_THEIR_NAMES:
        return None
    columns = [edges[header[source]], edges[header[target]]]
    if not all(isinstance(column, (tuple, Mapping)) or _is_column(column) for column in columns):
        return None
    ends = [value for column in columns for value in column]
    if min(len(header[source]), len(header[target])) == 1 and any(isinstance(value, str) for value in ends):
        # Letters are names of vertices as often.
        return None
    known = [isinstance(value, str) and value in edges for value in ends]
    if known and all(known):
        return None
    if any(isinstance(column, Mapping) for column in columns):
        raise InputError(
            f"edges: the columns `{header[source]}` and `{header[target]}` are dictionaries: give lists, as `to_dict('list')` of pandas "
            "makes them, or the table itself"
        )
    if any(known) or len(columns[0]) != len(columns[1]):
        raise UsageError(
            f"the dictionary may be a table with the columns `{header[source]}` and `{header[target]}`, or have the "
            "neighbours of these vertices: give `source` and `target`, or neighbours as sets"
        )
    return header[source], header[target]


#: What is as long as it says.
_PLAIN = (dict, list, tuple, set, frozenset, np.ndarray)


def _rows(neighbours: Mapping[Any, Any]) -> Iterable[Any]:
    """The row of every vertex, as `neighbours[vertex]` gives it: a class may have redefined that and not `values`."""
    return neighbours.values() if type(neighbours) is dict else map(neighbours.__getitem__, neighbours)


def adjacency(neighbours: Mapping[Any, Iterable[Any]], told: str, both: bool = False) -> Columns:
    """Neighbours by vertex. With `both`, every edge is there at both of its ends: one is enough."""
    if type(neighbours) is dict:
        found = _native.integer_adjacency(neighbours, both)
        if found is not None:
            labels, source, target = found
            return Columns(source, target, told, vertices=len(labels), labels=labels)
    index = {vertex: number for number, vertex in enumerate(neighbours)}
    # Rows of views may have another length than they say.
    lists: list[Any] = [row if type(row) in _PLAIN else list(row) for row in _rows(neighbours)]
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


#: What finds elements in a graph, beside the attributes that have names.
_READING = frozenset(["__contains__", "__getattr__", "__getattribute__", "__getitem__", "__iter__", "__len__"])

#: What changes a graph or names it: a class may do that in its own way and be read as every graph.
_CHANGING = frozenset(["clear", "clear_edges", "name", "new_edge_key", "update"])

#: Where a graph of NetworkX's keeps its nodes and edges. Views of other graphs have mappings of their own there.
_KEEPING = frozenset(["_adj", "_node", "_pred", "_succ"])


@functools.cache
def _read_by_networkx() -> frozenset[str]:
    """The attributes of NetworkX's classes that tell the nodes and edges of a graph."""
    networkx = sys.modules["networkx"]
    kinds = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph)
    names = {name for kind in kinds for name in vars(kind)}
    changing = {name for name in names if name.startswith(("__", "add_", "remove_")) or name.endswith("_factory")}
    return _READING.union(names - changing - _CHANGING)


def redefined(graph: Any) -> str | None:
    """The attribute by which a graph may show other edges than those that NetworkX's classes keep, if there is one.

    Such a graph is not read: which of its attributes has its edges is not known here.
    """
    names = _read_by_networkx()
    for kind in type(graph).__mro__:
        if kind.__module__.startswith("networkx.classes.") or kind is object:
            continue
        if own := names & vars(kind).keys():
            return f"{kind.__name__}.{min(own)}"
    attributes: dict[str, Any] = vars(graph)
    for name, value in attributes.items():
        # Properties are kept where they were asked for once.
        if name in names and name not in _KEEPING and not type(value).__module__.startswith("networkx.classes."):
            return name
    return None


def _networkx(graph: Any, directed: bool, weight: str | bool | None, in_order: bool) -> Columns:
    told = f"a NetworkX {type(graph).__name__}"
    if (name := redefined(graph)) is not None:
        raise UsageError(
            f"the graph has a `{name}` of its own, so its edges may be others than those that NetworkX's classes keep: "
            "give the pairs that are meant, such as `list(graph.edges)`"
        )
    both = not graph.is_directed() and not directed
    if in_order:
        # In the order of the graph's list of edges, which has each once.
        index = {node: number for number, node in enumerate(graph)}
        ends = np.array([(index[u], index[v]) for u, v in graph.edges()], dtype=np.uint32).reshape(-1, 2)
        copies = ["edges were numbered one by one in Python"]
        return Columns(
            ends[:, 0], ends[:, 1], told, len(index), labels_of(index), copies, both_ways=not graph.is_directed()
        )
    if weight is None:
        return adjacency(graph._adj, told, both=both)
    name = "weight" if weight is True else str(weight)
    found = weighted_adjacency(graph, told, name, both)
    found.told += f", weights of `{name}`"
    return found


def weighted_adjacency(graph: Any, told: str, weight: str, both: bool) -> Columns:
    """A graph of NetworkX's with the weights of its edges, 1 where an edge has none. Parallel edges are several."""
    multigraph = graph.is_multigraph()
    rows: Any = graph._adj
    if multigraph:
        rows = {node: [v for v, keys in row.items() for _ in keys] for node, row in zip(rows, _rows(rows))}
    found = adjacency(rows, told)
    data = (data for row in _rows(graph._adj) for data in _rows(row))
    edges = itertools.chain.from_iterable(keys.values() for keys in data) if multigraph else data
    weights = _weights_of([edge.get(weight, 1) for edge in edges], f"the values of `{weight}`")
    if both:
        # Every edge is there at both of its ends.
        once = found.source <= found.target
        found.source, found.target, weights = found.source[once], found.target[once], weights[once]
    found.weights = weights
    found.copies.append("weights were taken one by one in Python")
    return found


def _turn(found: Columns) -> None:
    """Make it have the edges in both directions; self-loops have one."""
    source, target = found.source, found.target
    back = source != target
    found.source, found.target = np.concatenate((source, target[back])), np.concatenate((target, source[back]))
    if found.weights is not None:
        found.weights = np.concatenate((found.weights, found.weights[back]))


def _igraph(graph: Any, weight: str | bool | None) -> Columns:
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    labels = labels_of(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    copies = ["igraph gives its edges as a list of tuples"]
    found = Columns(edges[:, 0], edges[:, 1], "an igraph Graph", graph.vcount(), labels, copies, both_ways=not graph.is_directed())
    if weight is not None:
        name = "weight" if weight is True else str(weight)
        if name not in graph.es.attributes():
            raise UsageError(f"the edges of the graph have no attribute `{name}`")
        found.weights = _weights_of(graph.es[name], f"the values of `{name}`")
    return found


def _rustworkx(graph: Any, weight: str | bool | None) -> Columns:
    nodes = np.fromiter(graph.node_indices(), dtype=np.int64, count=graph.num_nodes())
    edges = np.array(graph.edge_list(), dtype=np.int64).reshape(-1, 2)
    told, copies = f"a rustworkx {type(graph).__name__}", ["rustworkx gives its edges as a list"]
    found = Columns(edges[:, 0], edges[:, 1], told, len(nodes), None, copies, both_ways="Di" not in type(graph).__name__)
    if len(nodes) and nodes[-1] + 1 != len(nodes):
        # Nodes were removed: those that are left keep their numbers.
        places = np.searchsorted(nodes, edges)
        found.source, found.target, found.labels = places[:, 0], places[:, 1], nodes
    if weight is not None:
        values = graph.edges()
        try:
            values = values if weight is True else [value[weight] for value in values]
        except (KeyError, TypeError):
            raise UsageError(
                f"an edge of the graph has no `{weight}`: `weight=True` takes what edges have for a number"
            ) from None
        found.weights = _weights_of(values, "what edges have")
    return found


def _networkit(graph: Any, weight: str | bool | None) -> Columns:
    if weight not in (None, True, "weight"):
        raise UsageError("edges of NetworKit have one weight: give `weight=True`")
    edges: list[Any] = list(graph.iterEdgesWeights())
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    copies = ["NetworKit gives its edges one by one"]
    bound, both = graph.upperNodeIdBound(), not graph.isDirected()
    found = Columns(ends[:, 0], ends[:, 1], "a NetworKit Graph", bound, None, copies, both_ways=both)
    if weight is not None:
        found.weights = _weights_of([edge[2] for edge in edges], "the weights")
    return found


def _scipy(matrix: Any, weight: str | bool | None) -> Columns:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"edges: a matrix of shape {matrix.shape} is not square: rows and columns are the vertices")
    told = f"a SciPy {matrix.format.upper()} matrix: an edge is a stored entry"
    copies = [] if matrix.format == "coo" else [f"the indexes of {matrix.format.upper()} were spread to columns"]
    if hasattr(matrix, "check_format"):
        # A shallow copy, whose attributes may be set: the check leaves out entries behind the last row. SciPy believes
        # indexes wherever it does not check them.
        matrix = copy.copy(matrix)
        try:
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise InputError(f"edges: the {matrix.format.upper()} matrix is damaged: {error}") from None
    entries = matrix.tocoo()
    found = Columns(entries.row, entries.col, told, matrix.shape[0], None, copies)
    if weight is not None:
        if weight not in (True, "data", "weight"):
            raise UsageError("the weights of a matrix are its stored values: give `weight=True`")
        found.weights = _weights_of(entries.data, "the stored values")
    return found


def _pandas(frame: Any, asked: Asked, weight: str | bool | None) -> Columns:
    """Column by column: the whole frame could be read as an Arrow stream with pyarrow only.

    Levels of the index that have names are columns too, as in the files that pandas writes. They come behind the others:
    numbers of columns are those of the frame.
    """
    header = [str(name) for name in frame.columns]
    if asked is None and len(header) > 2 and frame.index.equals(frame.columns) and not hasattr(frame.index, "step"):
        raise InputError(
            "edges: a pandas DataFrame whose rows and columns have the same names looks like an adjacency matrix: give "
            "`nx.from_pandas_adjacency(frame)`"
        )
    levels = [place for place, name in enumerate(frame.index.names) if name is not None and str(name) not in header]
    header += [str(frame.index.names[place]) for place in levels]
    try:
        (source, target), reason, beside = _native.choose_columns(header, as_texts(asked), _named_weight(weight))
    except UsageError as error:
        if frame.index.nlevels > 1 and None in frame.index.names:
            raise UsageError(f"{error}; `reset_index()` makes columns of the index of the frame") from None
        raise
    if asked is None and reason != _BY_THEIR_NAMES:
        # As they are written: the index comes first.
        source, target = sorted((source, target), key=lambda place: place < len(frame.columns))
    told = f"a pandas DataFrame, columns {header[source]} and {header[target]}: {reason}"

    def column(place: int, each: str) -> Any:
        if place < len(frame.columns):
            return _full(frame.iloc[:, place], header[place], each)
        level = levels[place - len(frame.columns)]
        return _full(frame.index.get_level_values(level).to_series(), header[place], each)

    columns = []
    for place in (source, target):
        end = column(place, "edge has two ends")
        kind = getattr(end.dtype, "numpy_dtype", end.dtype)
        if hasattr(kind, "fill_value"):
            # What a sparse column holds.
            kind = kind.subtype
        whole = getattr(kind, "kind", "O") in "iuf"
        columns.append(end.to_numpy(dtype=kind if whole else object))
    found = _pair(columns[0], columns[1], told, names=(header[source], header[target]))
    if beside is not None:
        weights = column(beside, "edge has a weight")
        found.weights = _weights_of(weights.to_numpy(), f"the values of `{header[beside]}`")
    return found


def _full(column: Any, name: str, each: str) -> Any:
    """A column of pandas's in which nothing is missing."""
    if column.isna().any():
        row = int(column.isna().to_numpy().argmax())
        raise InputError(f"edges: row {row} (from 0) of column `{name}` is null: every {each}")
    return column
