"""Results: columns of NumPy arrays, which every library of tables takes."""

from __future__ import annotations

import html
import inspect
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tribin import _native
from tribin._errors import UsageError

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import polars
    import pyarrow
    import scipy.sparse
    from typing_extensions import CapsuleType

_Table = TypeVar("_Table", bound="Table")


def _are_equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether all values are the same; what is no number is the same as itself."""
    are_floats = one.dtype.kind == other.dtype.kind == "f"
    return np.array_equal(one, other, equal_nan=are_floats)


class Table(dict[str, NDArray[Any]]):
    """Columns of one length: a dictionary of them that does not change, with rows.

    Each column is an attribute, and a read-only NumPy array. Vertices are called as in the input: integers are
    int64, or uint64 where one is 2**63 or more; names and other objects are an array of objects.

    ``len`` is the number of rows, and a loop passes the names of the columns, as those of a data frame do.
    ``table["degree"]`` is a column, ``table[0]`` a row, and ``table[:10]`` and ``table[table.degree > 3]`` are tables.

    The table is an Arrow table to every library that reads ``__arrow_c_stream__``, for example
    ``polars.DataFrame(table)``, ``pyarrow.table(table)`` and ``duckdb.sql("from result")``. For pandas it is a dictionary:
    ``pandas.DataFrame(table)``.

    Examples
    --------
    >>> import tribin
    >>> local = tribin.local([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    >>> local[0]
    ('a', 2, 1, 1.0)
    >>> local.top(1, "degree").vertex.tolist()
    ['c']
    """

    __module__ = "tribin"

    #: The names of the columns.
    columns: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        # The columns of a class are what it says of their types.
        kinds = [inspect.get_annotations(kind) for kind in reversed(cls.__mro__)]
        cls.columns = tuple(name for names in kinds for name in names if name != "columns")

    def __init__(self, *columns: NDArray[Any]) -> None:
        assert len(columns) == len(self.columns)
        for column in columns:
            column.setflags(write=False)
        super().__init__(zip(self.columns, columns))

    def _made(self: _Table, columns: Iterator[NDArray[Any]]) -> _Table:
        """A table with these columns instead."""
        return type(self)(*columns)

    def _unchanged(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a table of results does not change: `dict(table)` does")

    if not TYPE_CHECKING:
        __setitem__ = __delitem__ = __ior__ = _unchanged
        clear = pop = popitem = setdefault = update = _unchanged

    def __len__(self) -> int:
        return len(self[self.columns[0]])

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self: _Table, key: slice | NDArray[Any] | list[int] | list[bool]) -> _Table: ...
    def __getitem__(self, key: Any) -> Any:
        """Return a column by its name, a row by its place, or a table of some rows."""
        if isinstance(key, str):
            return super().__getitem__(key)
        if isinstance(key, (int, np.integer)):
            return tuple(column[key : key + 1 or None].tolist()[0] for column in self._checked(key).values())
        return self._made(column[key] for column in self.values())

    def _checked(self, row: Any) -> Table:
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}: there are {len(self)}")
        return self

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Return a column by its name."""
        if name in self.columns:
            return self[name]
        raise AttributeError(f"there is no column `{name}`: there are {', '.join(self.columns)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows, as tuples of Python's numbers."""
        starts = range(0, len(self), 1 << 16)
        return (row for start in starts for row in zip(*(c[start : start + (1 << 16)].tolist() for c in self.values())))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.columns == other.columns and all(map(_are_equal, self.values(), other.values()))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied tables are made anew, so that their columns are read-only as well."""
        return type(self), tuple(self.values())

    def __repr__(self) -> str:
        rows = [self.columns, *(tuple(map(str, row)) for row in self.head().rows())]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        return f"tribin.{type(self).__name__}\n" + "\n".join(lines + self._rest(5))

    def _rest(self, shown: int) -> list[str]:
        return [f"… ({len(self):,} rows)"] if len(self) > shown else []

    def _repr_html_(self) -> str:
        """Show the first rows in a notebook."""
        rows = [f"<th>{'</th><th>'.join(map(html.escape, self.columns))}</th>"]
        for row in self.head(10).rows():
            rows.append(f"<td>{'</td><td>'.join(html.escape(str(cell)) for cell in row)}</td>")
        return f"<table><tr>{'</tr><tr>'.join(rows)}</tr></table>{''.join(self._rest(10))}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return an array of shape (rows, columns), or of records where the columns are of several types."""
        if copy is False:
            raise ValueError("a table is a column after the other: one array of it is a copy")
        if len({column.dtype for column in self.values()}) == 1:
            array = np.stack(list(self.values()), axis=1)
        else:
            array = np.empty(len(self), dtype=[(name, column.dtype) for name, column in self.items()])
            for name, column in self.items():
                array[name] = column
        return array if dtype is None else array.astype(dtype)

    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType:
        """Export the table to a library of Arrow's. Numbers are not copied."""
        columns = [
            column.tolist() if column.dtype == object else np.ascontiguousarray(column) for column in self.values()
        ]
        return _native.export_stream(self.columns, columns)

    def head(self: _Table, n: int = 5) -> _Table:
        """Return the first rows."""
        return self[: max(n, 0)]

    def top(self: _Table, n: int, by: str | None = None) -> _Table:
        """Return the rows with the largest numbers, the largest first, and of equal ones the first row first.

        Parameters
        ----------
        n : int
            The most rows.
        by : str, optional
            The column that has the numbers; by default ``triangles`` where there is one, else the last.
        """
        by = by or ("triangles" if "triangles" in self else self.columns[-1])
        numbers = self[by]
        if numbers.dtype == object:
            raise UsageError(f"the column `{by}` has names: `top` goes by numbers")
        # Those that are no number come last.
        numbers = np.where(np.isnan(numbers), -np.inf, numbers) if numbers.dtype.kind == "f" else numbers
        if 0 < n < len(self):
            least = np.partition(numbers, len(self) - n)[len(self) - n]
            rows = np.flatnonzero(numbers >= least)
        else:
            rows = np.arange(len(self))
        # From behind, so that the sort, which keeps the order of equal ones, puts the first row first.
        order = np.argsort(numbers[rows][::-1], kind="stable")[::-1]
        return self[rows[::-1][order][: max(n, 0)]]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists of Python's numbers."""
        return {name: column.tolist() for name, column in self.items()}

    def to_numpy(self, dtype: Any = None) -> NDArray[Any]:
        """Return an array of shape (rows, columns), of one type that holds all columns, as pandas does."""
        return np.stack([column.astype(dtype or np.result_type(*self.values())) for column in self.values()], axis=1)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas data frame."""
        import pandas

        return pandas.DataFrame(dict(self))

    def to_polars(self) -> polars.DataFrame:
        """Return a Polars data frame."""
        import polars

        # Not as a dictionary: names that are no texts are an error.
        return polars.DataFrame(SimpleNamespace(__arrow_c_stream__=self.__arrow_c_stream__))

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of pyarrow's."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def _ends(self) -> tuple[NDArray[Any], NDArray[Any], dict[str, NDArray[Any]]]:
        """The ends of the edges, and the columns beside them."""
        if self.columns[:2] != ("source", "target"):
            raise UsageError(f"a graph is made of edges, and the rows of this table are a {self.columns[0]} each")
        return self["source"], self["target"], {name: self[name] for name in self.columns[2:]}

    def to_networkx(self) -> networkx.Graph[Any]:
        """Return the edges as a graph of NetworkX's. The other columns are attributes of the edges."""
        import networkx

        source, target, values = self._ends()
        graph: networkx.Graph[Any] = networkx.Graph()
        attributes = (dict(zip(values, row)) for row in zip(*(column.tolist() for column in values.values())))
        ends = (source.tolist(), target.tolist())
        graph.add_edges_from(zip(*ends, attributes) if values else zip(*ends))
        return graph

    def to_igraph(self) -> igraph.Graph:
        """Return the edges as a graph of igraph's, whose vertices are called by their attribute ``name``.

        The other columns are attributes of the edges.
        """
        import igraph

        source, target, values = self._ends()
        places: dict[Any, int] = {}
        flat = [places.setdefault(end, len(places)) for end in np.concatenate((source, target)).tolist()]
        edges = zip(flat[: len(source)], flat[len(source) :])
        lists = {name: column.tolist() for name, column in values.items()}
        return igraph.Graph(len(places), list(edges), vertex_attrs={"name": list(places)}, edge_attrs=lists)

    def to_scipy(self, vertices: int | None = None) -> scipy.sparse.coo_array:
        """Return the edges as a symmetric sparse matrix of SciPy's, with the values of the third column, or ones.

        Parameters
        ----------
        vertices : int, optional
            The number of rows and columns; by default as many as the largest vertex asks for.
        """
        import scipy.sparse

        source, target, values = self._ends()
        if source.dtype != np.int64:
            raise UsageError("rows and columns of a matrix are numbers below 2^63, and the vertices have names or larger ones")
        size = int(max(source.max(initial=-1), target.max(initial=-1))) + 1 if vertices is None else vertices
        value = next(iter(values.values()), np.ones(len(source), dtype=np.int64))
        ends = np.concatenate((source, target)), np.concatenate((target, source))
        return scipy.sparse.coo_array((np.concatenate((value, value)), ends), shape=(size, size))


class Results(Table):
    """Columns of the results that were asked for, behind those of the vertices or edges."""

    __module__ = "tribin"

    def __init__(self, names: tuple[str, ...], columns: tuple[NDArray[Any], ...]) -> None:
        self.columns = names
        super().__init__(*columns)

    def _made(self, columns: Iterator[NDArray[Any]]) -> Results:
        return Results(self.columns, tuple(columns))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.columns, tuple(self.values()))


class Result(NamedTuple):
    """What a result is."""

    #: The name of its column.
    name: str
    #: ``vertex``, ``edge``, or ``pair`` of any two vertices.
    of: str
    #: The options that the graph is made with, for example ``directed``; empty for every graph.
    needs: str
    #: How it is reckoned.
    formula: str
    #: What it says.
    meaning: str
    #: Where it was defined, and what other programs call it.
    source: str


def results() -> list[Result]:
    """List the results that `Graph.at_vertices`, `Graph.on_edges` and `Graph.similar` find.

    Examples
    --------
    >>> import tribin
    >>> [result.name for result in tribin.results() if result.of == "edge" and not result.needs]
    ['support', 'jaccard', 'overlap', 'cosine', 'sorensen', 'edge_clustering', 'forman']
    """
    return [Result(*told) for told in _native.list_of_results()]


class _OfVertices(Table):
    vertex: NDArray[Any]
    """The vertices, called as in the input."""


class _OfEdges(Table):
    source: NDArray[Any]
    """One end of each edge, called as in the input."""
    target: NDArray[Any]
    """The other end."""


class Local(_OfVertices):
    """Degree, triangles and clustering coefficient of every vertex."""

    __module__ = "tribin"

    degree: NDArray[np.int64]
    """The number of neighbours."""
    triangles: NDArray[np.int64]
    """The triangles that have the vertex as a corner."""
    clustering: NDArray[np.float64]
    """The local clustering coefficient, from 0 to 1; 0 where the degree is below 2."""


class Clustering(_OfVertices):
    """The clustering coefficient of every vertex."""

    __module__ = "tribin"

    clustering: NDArray[np.float64]
    """The local clustering coefficient, from 0 to 1; 0 where the degree is below 2."""


class SquareClustering(_OfVertices):
    """The cycles of four edges at every vertex, beside those that there could be."""

    __module__ = "tribin"

    squares: NDArray[np.int64]
    """The cycles of four edges that pass the vertex."""
    possible: NDArray[np.int64]
    """The cycles that pass it or could, with the neighbours that its neighbours have."""
    clustering: NDArray[np.float64]
    """The share of them that are there, from 0 to 1; 0 where there could be none."""


class DirectedLocal(_OfVertices):
    """Degrees, directed triangles and clustering coefficients of every vertex."""

    __module__ = "tribin"

    in_degree: NDArray[np.int64]
    """The number of arcs that end at the vertex."""
    out_degree: NDArray[np.int64]
    """The number of arcs that begin at the vertex."""
    mutual_degree: NDArray[np.int64]
    """The number of neighbours with an arc each way."""
    cycle_triangles: NDArray[np.int64]
    """The triangles whose arcs lead round: i → j → k → i."""
    middleman_triangles: NDArray[np.int64]
    """The triangles in which the vertex stands between the others: j → i → k and j → k."""
    in_triangles: NDArray[np.int64]
    """The triangles in which both others have an arc to the vertex."""
    out_triangles: NDArray[np.int64]
    """The triangles in which the vertex has an arc to both others."""
    triangles: NDArray[np.int64]
    """The triangles of all kinds."""
    cycle_clustering: NDArray[np.float64]
    """The share of possible triangles of this kind that are there; 0 where none is possible."""
    middleman_clustering: NDArray[np.float64]
    """As `cycle_clustering`."""
    in_clustering: NDArray[np.float64]
    """As `cycle_clustering`."""
    out_clustering: NDArray[np.float64]
    """As `cycle_clustering`."""
    clustering: NDArray[np.float64]
    """The share of possible triangles of all kinds that are there, as NetworkX has it."""


class WeightedLocal(_OfVertices):
    """Degree, strength and weighted clustering coefficients of every vertex."""

    __module__ = "tribin"

    degree: NDArray[np.int64]
    """The number of neighbours."""
    strength: NDArray[np.float64]
    """The sum of the weights of the vertex's edges."""
    onnela: NDArray[np.float64]
    """The coefficient after Onnela and others, which is NetworkX's."""
    barrat: NDArray[np.float64]
    """The coefficient after Barrat and others, which is igraph's."""


class Reciprocities(_OfVertices):
    """The share of the arcs of every vertex that have one back."""

    __module__ = "tribin"

    reciprocity: NDArray[np.float64]
    """The share, from 0 to 1; nan of a vertex without arcs."""


class CoreNumbers(_OfVertices):
    """The core number of every vertex."""

    __module__ = "tribin"

    core_number: NDArray[np.int64]
    """The largest k for which the vertex is in the k-core."""


class Support(_OfEdges):
    """The number of triangles on every edge."""

    __module__ = "tribin"

    support: NDArray[np.int64]
    """The triangles that have the edge as a side."""


class Trussness(_OfEdges):
    """The trussness of every edge."""

    __module__ = "tribin"

    trussness: NDArray[np.int64]
    """The largest k for which the edge is in the k-truss, at least 2."""


class Edges(_OfEdges):
    """Edges."""

    __module__ = "tribin"
