"""Results: columns of NumPy arrays, which every library of tables takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribin import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import CapsuleType

__all__ = [
    "Clustering",
    "CoreNumbers",
    "DirectedLocal",
    "Edges",
    "Local",
    "Reciprocities",
    "Result",
    "Results",
    "Support",
    "Table",
    "Trussness",
    "WeightedLocal",
    "results",
]


def _are_equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether all values are the same; what is no number is the same as itself."""
    are_floats = one.dtype.kind == other.dtype.kind == "f"
    return np.array_equal(one, other, equal_nan=are_floats)


class Table:
    """Columns of one length.

    Each column is an attribute, and a read-only NumPy array. Vertices are called as in the input: integers are
    int64, or uint64 where one is 2**63 or more; names and other objects are an array of objects.

    The table is an Arrow table to every library that reads ``__arrow_c_stream__``, for example
    ``polars.DataFrame(table)``, ``pyarrow.table(table)`` and ``duckdb.sql("from result")``.
    """

    __module__ = "tribin"
    __slots__ = ("_columns",)

    #: The names of the columns.
    columns: ClassVar[tuple[str, ...]] = ()
    _columns: tuple[NDArray[Any], ...]

    def __init__(self, *columns: NDArray[Any]) -> None:
        assert len(columns) == len(self.columns)
        for column in columns:
            column.setflags(write=False)
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, column: str) -> NDArray[Any]:
        """Return a column by its name."""
        try:
            return self._columns[self.columns.index(column)]
        except ValueError:
            raise KeyError(column) from None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows, as tuples of Python's numbers."""
        return zip(*(column.tolist() for column in self._columns))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table) or self.columns != other.columns:
            return NotImplemented
        return all(_are_equal(a, b) for a, b in zip(self._columns, other._columns))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Table], tuple[NDArray[Any], ...]]:
        """Pickled and copied tables are made anew, so that their columns are read-only as well."""
        return type(self), self._columns

    def __repr__(self) -> str:
        shown = 5
        rows = [self.columns, *(tuple(map(str, row)) for row, _ in zip(self, range(shown)))]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        if len(self) > shown:
            lines.append(f"… ({len(self):,} rows)")
        return f"tribin.{type(self).__name__}\n" + "\n".join(lines)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return an array of shape (rows, columns), or of records where the columns are of several types."""
        if copy is False:
            raise ValueError("a table is a column after the other: one array of it is a copy")
        types = {column.dtype for column in self._columns}
        if len(types) == 1:
            array = np.stack(self._columns, axis=1)
        else:
            fields = [(name, column.dtype) for name, column in zip(self.columns, self._columns)]
            array = np.empty(len(self), dtype=fields)
            for name, column in zip(self.columns, self._columns):
                array[name] = column
        return array if dtype is None else array.astype(dtype)

    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType:
        """Export the table to a library of Arrow's. Numbers are not copied."""
        columns = [
            column.tolist() if column.dtype == object else np.ascontiguousarray(column)
            for column in self._columns
        ]
        return _native.export_stream(self.columns, columns)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists of Python's numbers."""
        return {name: column.tolist() for name, column in zip(self.columns, self._columns)}

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas data frame."""
        import pandas

        return pandas.DataFrame(dict(zip(self.columns, self._columns)))

    def to_polars(self) -> polars.DataFrame:
        """Return a Polars data frame."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of pyarrow's."""
        import pyarrow

        return pyarrow.table(self)


class Results(Table):
    """Columns of the results that were asked for, behind those of the vertices or edges."""

    __module__ = "tribin"
    __slots__ = ("columns",)
    columns: tuple[str, ...]  # type: ignore[misc]

    def __init__(self, names: tuple[str, ...], columns: tuple[NDArray[Any], ...]) -> None:
        self.columns = names
        super().__init__(*columns)

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Return a column by its name."""
        if name.startswith("_") or name == "columns":
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no column `{name}`: there are {', '.join(self.columns)}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.columns, self._columns)


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
    >>> [result.name for result in tribin.results() if result.of == "edge"]
    ['support', 'jaccard', 'overlap', 'cosine', 'sorensen', 'edge_clustering', 'forman']
    """
    return [Result(*told) for told in _native.list_of_results()]


class _OfVertices(Table):
    __slots__ = ()

    @property
    def vertex(self) -> NDArray[Any]:
        """The vertices, called as in the input."""
        return self._columns[0]


class _OfEdges(Table):
    __slots__ = ()

    @property
    def source(self) -> NDArray[Any]:
        """One end of each edge, called as in the input."""
        return self._columns[0]

    @property
    def target(self) -> NDArray[Any]:
        """The other end."""
        return self._columns[1]


class Local(_OfVertices):
    """Degree, triangles and clustering coefficient of every vertex."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("vertex", "degree", "triangles", "clustering")

    @property
    def degree(self) -> NDArray[np.int64]:
        """The number of neighbours."""
        return self._columns[1]

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The triangles that have the vertex as a corner."""
        return self._columns[2]

    @property
    def clustering(self) -> NDArray[np.float64]:
        """The local clustering coefficient, from 0 to 1; 0 where the degree is below 2."""
        return self._columns[3]


class Clustering(_OfVertices):
    """The clustering coefficient of every vertex."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("vertex", "clustering")

    @property
    def clustering(self) -> NDArray[np.float64]:
        """The local clustering coefficient, from 0 to 1; 0 where the degree is below 2."""
        return self._columns[1]


class SquareClustering(_OfVertices):
    """The cycles of four edges at every vertex, beside those that there could be."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("vertex", "squares", "possible", "clustering")

    @property
    def squares(self) -> NDArray[np.int64]:
        """The cycles of four edges that pass the vertex."""
        return self._columns[1]

    @property
    def possible(self) -> NDArray[np.int64]:
        """The cycles that pass it or could, with the neighbours that its neighbours have."""
        return self._columns[2]

    @property
    def clustering(self) -> NDArray[np.float64]:
        """The share of them that are there, from 0 to 1; 0 where there could be none."""
        return self._columns[3]


class DirectedLocal(_OfVertices):
    """Degrees, directed triangles and clustering coefficients of every vertex."""

    __module__ = "tribin"
    __slots__ = ()
    columns = (
        "vertex",
        "in_degree",
        "out_degree",
        "mutual_degree",
        "cycle_triangles",
        "middleman_triangles",
        "in_triangles",
        "out_triangles",
        "triangles",
        "cycle_clustering",
        "middleman_clustering",
        "in_clustering",
        "out_clustering",
        "clustering",
    )

    @property
    def in_degree(self) -> NDArray[np.int64]:
        """The number of arcs that end at the vertex."""
        return self._columns[1]

    @property
    def out_degree(self) -> NDArray[np.int64]:
        """The number of arcs that begin at the vertex."""
        return self._columns[2]

    @property
    def mutual_degree(self) -> NDArray[np.int64]:
        """The number of neighbours with an arc each way."""
        return self._columns[3]

    @property
    def cycle_triangles(self) -> NDArray[np.int64]:
        """The triangles whose arcs lead round: i → j → k → i."""
        return self._columns[4]

    @property
    def middleman_triangles(self) -> NDArray[np.int64]:
        """The triangles in which the vertex stands between the others: j → i → k and j → k."""
        return self._columns[5]

    @property
    def in_triangles(self) -> NDArray[np.int64]:
        """The triangles in which both others have an arc to the vertex."""
        return self._columns[6]

    @property
    def out_triangles(self) -> NDArray[np.int64]:
        """The triangles in which the vertex has an arc to both others."""
        return self._columns[7]

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The triangles of all kinds."""
        return self._columns[8]

    @property
    def cycle_clustering(self) -> NDArray[np.float64]:
        """The share of possible triangles of this kind that are there; 0 where none is possible."""
        return self._columns[9]

    @property
    def middleman_clustering(self) -> NDArray[np.float64]:
        """As `cycle_clustering`."""
        return self._columns[10]

    @property
    def in_clustering(self) -> NDArray[np.float64]:
        """As `cycle_clustering`."""
        return self._columns[11]

    @property
    def out_clustering(self) -> NDArray[np.float64]:
        """As `cycle_clustering`."""
        return self._columns[12]

    @property
    def clustering(self) -> NDArray[np.float64]:
        """The share of possible triangles of all kinds that are there, as NetworkX has it."""
        return self._columns[13]


class WeightedLocal(_OfVertices):
    """Degree, strength and weighted clustering coefficients of every vertex."""

    __module__ = "tribin"
    __slots__ = ()
    columns = (
        "vertex",
        "degree",
        "strength",
        "onnela",
        "barrat",
    )

    @property
    def degree(self) -> NDArray[np.int64]:
        """The number of neighbours."""
        return self._columns[1]

    @property
    def strength(self) -> NDArray[np.float64]:
        """The sum of the weights of the vertex's edges."""
        return self._columns[2]

    @property
    def onnela(self) -> NDArray[np.float64]:
        """The coefficient after Onnela and others, which is NetworkX's."""
        return self._columns[3]

    @property
    def barrat(self) -> NDArray[np.float64]:
        """The coefficient after Barrat and others, which is igraph's."""
        return self._columns[4]


class Reciprocities(_OfVertices):
    """The share of the arcs of every vertex that have one back."""

    __module__ = "tribin"
    __slots__ = ()
    columns = (
        "vertex",
        "reciprocity",
    )

    @property
    def reciprocity(self) -> NDArray[np.float64]:
        """The share, from 0 to 1; nan of a vertex without arcs."""
        return self._columns[1]


class CoreNumbers(_OfVertices):
    """The core number of every vertex."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("vertex", "core_number")

    @property
    def core_number(self) -> NDArray[np.int64]:
        """The largest k for which the vertex is in the k-core."""
        return self._columns[1]


class Support(_OfEdges):
    """The number of triangles on every edge."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("source", "target", "support")

    @property
    def support(self) -> NDArray[np.int64]:
        """The triangles that have the edge as a side."""
        return self._columns[2]


class Trussness(_OfEdges):
    """The trussness of every edge."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("source", "target", "trussness")

    @property
    def trussness(self) -> NDArray[np.int64]:
        """The largest k for which the edge is in the k-truss, at least 2."""
        return self._columns[2]


class Edges(_OfEdges):
    """Edges."""

    __module__ = "tribin"
    __slots__ = ()
    columns = ("source", "target")
