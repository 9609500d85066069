"""A graph that is prepared once and asked often."""

from __future__ import annotations

import errno
import glob
import json
import math
import operator
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from fractions import Fraction
from typing import Any, Literal, NoReturn, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from tribin import _device, _inputs, _native
from tribin._errors import FileError, InputError, UsageError
from tribin._progress import Bar, Progress, progress_of
from tribin._results import (
    Clustering,
    CoreNumbers,
    DirectedLocal,
    Edges,
    Local,
    Reciprocities,
    Results,
    SquareClustering,
    Support,
    Trussness,
    WeightedLocal,
)

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class _Resources:
    device: str
    threads: int | None
    memory: int | None
    device_memory: int | None = None
    scratch: str | None = None
    engine: str = "auto"


class Options(TypedDict, total=False):
    """The options of `Graph`, for functions that pass them on."""

    source: str | int | None
    target: str | int | None
    vertices: int | None
    directed: bool
    weight: Any
    duplicates: Literal["equal", "sum", "last"]
    device: str
    threads: int | None
    memory: int | str | None
    device_memory: int | str | None
    scratch: str | os.PathLike[str] | None
    engine: str
    format: str | None
    ids: Literal["auto", "integers", "names"]
    header: bool | None
    delimiter: str | None
    skip: int
    missing: Literal["error", "skip"]
    bipartite: bool
    decompressed_limit: int | str | None
    progress: bool | Progress


@dataclass(frozen=True)
class _Arcs:
    directed: bool
    weight: str | None
    weights: NDArray[np.float64] | None
    duplicates: str


@dataclass(frozen=True)
class _OfFile:
    """How a file is read."""

    format: str | None = None
    ids: str = "auto"
    header: bool | None = None
    delimiter: str | None = None
    skip: int = 0
    missing: str = "error"
    bipartite: bool = False
    decompressed_limit: int | None = None


@dataclass(frozen=True)
class Explanation:
    """How a graph was read, and where it is.

    Attributes
    ----------
    input : str
        What the edges were read from.
    copies : list of str
        What was copied on the way, in order.
    device : str
        ``cpu``, or ``gpu:0``.
    device_name : str
        The name of the processor or of the GPU.
    reason : str
        Why this device was chosen.
    threads : int
        The number of CPU threads.
    """

    __module__ = "tribin"

    input: str
    copies: list[str]
    device: str
    device_name: str
    reason: str
    threads: int

    def __str__(self) -> str:
        copies = "\n          ".join(self.copies or ["nothing"])
        return (
            f"input     {self.input}\ncopies    {copies}"
            f"\ndevice    {self.device} ({self.device_name}, {self.threads} threads): {self.reason}"
        )


@dataclass(frozen=True)
class Stats:
    """The figures of a whole graph. Vertices without an edge are left out.

    Attributes
    ----------
    vertices, edges, triangles, wedges : int
        How many there are of each.
    min_degree, max_degree, median_degree, mean_degree
        The least, largest, middle and mean number of neighbours.
    transitivity : float
        3 * triangles / wedges; 0 without wedges.
    average_clustering : float
        The mean of the clustering coefficients.
    degeneracy : int
        The largest core number.
    self_loops_dropped, duplicates_dropped : int
        Entries of the input that are no edge, and that repeat one.
    reciprocal_dropped : int or None
        Of the duplicates, the edges that were entered in both directions. None where they are not told apart.
    """

    __module__ = "tribin"

    vertices: int
    edges: int
    triangles: int
    wedges: int
    min_degree: int
    max_degree: int
    median_degree: float
    mean_degree: float
    transitivity: float
    average_clustering: float
    degeneracy: int
    self_loops_dropped: int
    duplicates_dropped: int
    reciprocal_dropped: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by their names."""
        return asdict(self)


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _bytes(name: str, memory: int | str | None) -> int | None:
    if memory is None:
        return None
    if not isinstance(memory, str):
        return _whole(name, memory, 0)
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", memory, re.IGNORECASE)
    if found is None:
        raise UsageError(f"`{memory}` is no number of bytes: give for example `24G`")
    return _whole(name, int(Fraction(found[1]) * _UNITS[found[2].upper()]), 0)


def _whole(name: str, value: Any, least: int) -> int:
    """The number, if it is a whole one that is large enough, and of 64 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"`{name}` is {value!r}: it must be a whole number") from None
    if number < least:
        raise UsageError(f"`{name}` is {number}: it must be {least} or more")
    if number >= 2**64:
        raise UsageError(f"`{name}` is {number}: it must be below 2^64")
    return number


def _vertices_of_clique(k: Any) -> int:
    """The number of vertices of a clique, checked."""
    vertices = _whole("k", k, 3)
    if vertices > 12:
        raise UsageError(f"`k` is {vertices}: cliques have from 3 to 12 vertices")
    return vertices


def _depth() -> int:
    """How many frames lead from the function that asks to the program that called the package: where warnings belong."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == "tribin":
        frame, depth = frame.f_back, depth + 1
    return depth


def _core_or_truss(k: Any) -> int:
    """The number of a core or a truss, as one of 32 bits: beyond those there is none."""
    try:
        return min(max(operator.index(k), 0), 2**32 - 1)
    except TypeError:
        raise UsageError(f"`k` is {k!r}: it must be a whole number, or `max`") from None


def _check_texts(**options: Any) -> None:
    """Names of choices are texts."""
    for name, value in options.items():
        if not isinstance(value, str):
            raise UsageError(f"`{name}` is {value!r}: it must be a text")


def _check_flags(**options: Any) -> None:
    for name, value in options.items():
        if not isinstance(value, (bool, np.bool_)):
            raise UsageError(f"`{name}` is {value!r}: it must be True or False")


def _each_once(results: Sequence[str]) -> list[str]:
    """Names of results, in their order."""
    for name in results:
        if not isinstance(name, str):
            raise UsageError(f"{name!r} is no result: give their names one by one, as in `\"degree\", \"triangles\"`")
    return list(dict.fromkeys(results))


class Graph:
    """A simple graph, ready to be counted and analysed.

    Self-loops and duplicates of the edges are dropped, and directions unless ``directed`` is set. A graph may be
    shared by any number of threads.

    Parameters
    ----------
    edges
        What holds the edges:

        - a NumPy array of integers of shape (m, 2) or (2, m), or what becomes one, as tensors of PyTorch's
        - a tuple of two columns: arrays, series or lists of integers or names
        - a table: of Polars, pandas, pyarrow, DuckDB, or any other that exports ``__arrow_c_stream__``
        - a SciPy sparse matrix, whose stored entries are the edges
        - an array of CuPy, PyTorch, JAX or Numba, or two columns of cuDF, in the memory of a GPU: they stay there
        - a list of such arrays or tables, which may be on several GPUs: one graph of them all
        - a graph of NetworkX, igraph, rustworkx, NetworKit or PyTorch Geometric
        - a `Graph`, which is then shared
        - a dictionary of the neighbours of every vertex, or of columns that are named or called as the ends of edges
        - pairs of any hashable objects
        - the path of a file in any format that the command reads, a list of paths that are one graph, or an open file
    source, target : str or int, optional
        The two columns of a table. By default they are found by their names, for example ``source`` and ``target``.
    vertices : int, optional
        The number of vertices, where vertices are the integers from 0 on. Those without an edge are listed in
        results, too.
    directed : bool, default False
        Keep the directions of the edges, each from its first vertex to its second. `clustering`,
        `average_clustering`, `directed_local`, `census` and `reciprocity` then take them into account. Other
        results are those of the graph without directions. An edge of an undirected graph leads both ways.
    weight : str, True or array, optional
        The weights of the edges: the name of a column or of an attribute of edges, an array with a weight for each
        edge, in the order in which a graph lists them, or True where the input has one place for them (the values of a sparse matrix, the third items of
        triples). `clustering`, `average_clustering` and `weighted_local` then take them into account.
    duplicates : str, default "equal"
        What the weight of an edge is that is there several times: their ``sum``, the ``last`` one, or with ``equal``
        an error if they differ.
    device : str, default "auto"
        ``auto`` is a GPU if one can be used and the graph is large enough for it to pay, else the CPU; or
        ``cpu``, ``gpu``, ``gpu:1``.
    threads : int, optional
        CPU threads; by default one for each core.
    memory : int or str, optional
        Bytes of memory that may be used at most, for example ``"24G"``. A graph that takes more is worked on out of core, with its
        edges in scratch files. What edges in memory take themselves, 8 bytes each, is in it. With ``device="gpu"`` it is GPU
        memory, unless that has ``device_memory``.
    device_memory : int or str, optional
        Bytes of GPU memory that may be used at most, where it is not ``memory``.
    scratch : path, optional
        The folder for scratch files, which are removed at the end; by default one of the system's that has room.
    engine : str, default "auto"
        What counts the triangles: ``auto``, or an engine of a paper, which needs a GPU: ``merge-path``, ``bitmap``,
        ``radix-binning`` or ``radix-binning-undirected``.
    format, ids, header, delimiter, skip, missing, bipartite, decompressed_limit
        How a file is read, as the options of these names of the command say. They go with files only. What is
        doubtful of a file is a warning (`UserWarning`).
    progress : bool or callable, default False
        Shows a bar while the graph is prepared, and in every call after that. A callable is given the name of the
        phase and the share that is done, None where it is not known.

    Raises
    ------
    InputError
        If the input cannot be a graph. The text names the row or the line.
    UsageError
        If arguments do not go together.
    DeviceError
        If the device was named and cannot be used.

    Examples
    --------
    >>> import numpy as np, tribin
    >>> graph = tribin.Graph(np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> graph
    tribin.Graph(vertices=4, edges=4, device='cpu')
    >>> graph.count(), graph.transitivity()
    (1, 0.6)
    >>> graph.core_numbers().core_number.tolist()
    [2, 2, 2, 1]

    Columns of a table, by name:

    >>> table = {"person": ["Ann", "Bo", "Cy"], "friend": ["Bo", "Cy", "Ann"]}
    >>> tribin.Graph(table, source="person", target="friend").count()
    1

    With directions and weights, as NetworkX has it:

    >>> cycle = tribin.Graph(np.array([[0, 1], [1, 2], [2, 0]]), directed=True, weight=[1, 1, 8])
    >>> cycle.clustering().clustering.tolist()
    [0.125, 0.125, 0.125]
    """

    __module__ = "tribin"

    _core: _native.Core
    _labels: NDArray[Any] | None
    _all: bool
    _explanation: Explanation
    _progress: bool | Progress
    _count: int | None = None

    def __init__(
        self,
        edges: Any,
        *,
        source: str | int | None = None,
        target: str | int | None = None,
        vertices: int | None = None,
        directed: bool = False,
        weight: str | bool | Any = None,
        duplicates: Literal["equal", "sum", "last"] = "equal",
        device: str = "auto",
        threads: int | None = None,
        memory: int | str | None = None,
        device_memory: int | str | None = None,
        scratch: str | os.PathLike[str] | None = None,
        engine: str = "auto",
        format: str | None = None,
        ids: Literal["auto", "integers", "names"] = "auto",
        header: bool | None = None,
        delimiter: str | None = None,
        skip: int = 0,
        missing: Literal["error", "skip"] = "error",
        bipartite: bool = False,
        decompressed_limit: int | str | None = None,
        progress: bool | Progress = False,
    ) -> None:
        if isinstance(edges, Graph):
            asked_for, defaults = locals(), Graph.__init__.__kwdefaults__ or {}
            if any(asked_for[name] is not default for name, default in defaults.items()):
                raise TypeError("the graph is made already: options go with what it was made of")
            self.__dict__.update(edges.__dict__)
            return
        asked = _inputs.asked_for(source, target)
        vertices = None if vertices is None else _whole("vertices", vertices, 0)
        threads = None if threads is None else _whole("threads", threads, 1)
        skip = _whole("skip", skip, 0)
        texts = {"format": format, "delimiter": delimiter}
        _check_texts(device=device, engine=engine, ids=ids, duplicates=duplicates, missing=missing)
        _check_texts(**{name: text for name, text in texts.items() if text is not None})
        _check_flags(directed=directed, bipartite=bipartite, **({} if header is None else {"header": header}))
        if not callable(progress):
            _check_flags(progress=progress)
        directed, header = bool(directed), None if header is None else bool(header)
        decompressed = _bytes("decompressed_limit", decompressed_limit)
        of_file = _OfFile(format, ids, header, delimiter, skip, missing, bool(bipartite), decompressed)
        limits = _bytes("memory", memory), _bytes("device_memory", device_memory)
        resources = _Resources(device, threads, *limits, None if scratch is None else os.fspath(scratch), engine)
        self._progress = progress
        weight = None if weight is False else weight
        if isinstance(weight, int) and weight is not True:
            # Columns of pandas may be called by numbers.
            weight = str(weight)
        found = _inputs.read(edges, asked, vertices, directed, weight)
        if not isinstance(found, _inputs.File) and of_file != _OfFile():
            name = next(name for name, value in asdict(of_file).items() if value != getattr(_OfFile, name))
            raise UsageError(f"`{name}` says how a file is read, and the edges are in none: leave it out")
        names = _inputs.as_texts(asked)
        column = weight if isinstance(weight, str) and found.weights is None else None
        if isinstance(found, _inputs.File) and weight is True:
            column = "weight"
        arcs = _Arcs(directed, column, found.weights, duplicates)
        self._directed, self._weighted = directed, weight is not None
        self._labels, self._all = None, False
        copies = ["the two columns were copied once, to edges of 32 bits"]
        told = found.told
        if isinstance(found, _inputs.File):
            paths = found.paths
            try:
                self._core = self._shown(
                    lambda show: _native.Core.from_file(resources, arcs, paths, names, show, *astuple(of_file))
                )
            except InputError as error:
                if found.copy is not None:
                    raise InputError(str(error).replace(paths[0], found.told)) from None
                far = ("https://", "http://", "s3://", "gs://", "az://")
                here = [path for path in paths if path != "-" and not path.startswith(far) and not glob.has_magic(path)]
                gone = next((path for path in here if not os.path.exists(path)), None)
                if gone is None:
                    raise
                absent = FileError(str(error))
                absent.errno, absent.filename = errno.ENOENT, gone
                raise absent from None
            finally:
                if found.copy is not None:
                    found.copy.close()
            for text in self._core.warnings():
                warnings.warn(text, stacklevel=_depth())
            copies = []
            how = self._core.told(True)
            told = f"{found.told}: {how}" if how else found.told
        elif isinstance(found, _inputs.Stream):
            capsule = found.capsule()
            known, nothing = found.vertices, found.nothing
            self._core = self._shown(
                lambda show: _native.Core.from_arrow(resources, arcs, capsule, names, known, nothing, show)
            )
            self._all = known is not None
            told = f"{told}, {self._core.told(False)}"
        elif isinstance(found, _device.DeviceShares):
            on_device = found
            if directed or weight is not None:
                raise UsageError(
                    "directions and weights are read from host memory: copy the edges with `.get()` (CuPy), `.cpu()` "
                    "(PyTorch), or `.to_pandas()` (cuDF)"
                )
            if device == "cpu":
                raise UsageError(
                    "the edges are in the memory of a GPU, and the CPU is to count: copy them with `.get()` (CuPy), "
                    "`.cpu()` (PyTorch), or `.to_pandas()` (cuDF)"
                )
            if device in ("auto", "gpu"):
                label = "gpu:" + ",".join(map(str, found.gpus))
                resources = replace(resources, device=label)
            self._core = self._shown(lambda show: _native.Core.from_device(resources, on_device.shares, show))
            self._all = found.vertices is not None
            why = self._core.copied()
            copies = [] if why is None else [f"the edges were copied to the host: {why}"]
        else:
            columns = found
            self._core = self._shown(
                lambda show: _native.Core.from_columns(
                    resources, arcs, columns.source, columns.target, columns.vertices, show
                )
            )
            self._labels, self._all = columns.labels, columns.vertices is not None
            copies = columns.copies + copies
        if self._labels is None:
            called = self._core.names()
            self._labels = None if called is None else _inputs.labels_of(called)
        self._figures = self._core.summary()
        figures = self._figures
        self._explanation = Explanation(
            told, copies, figures["device"], figures["device_name"], figures["reason"], figures["threads"]
        )

    def _shown(self, call: Any) -> Any:
        """Call with what shows progress."""
        show = progress_of(self._progress)
        try:
            return call(show)
        finally:
            if isinstance(show, Bar):
                show.close()

    def _whole_graph(self, what: str, **options: Any) -> Any:
        """Figures of the whole graph, by their name."""
        return json.loads(self._shown(lambda show: _native.figures(self._core, what, show, **options)))

    def _columns(self, what: str, k: int = 3) -> Callable[[Progress | None], list[NDArray[Any]]]:
        """What finds vertices or the ends of edges and the column of this name."""
        return lambda show: _native.columns(self._core, what, k, self._all, show)

    def _called(self, vertices: NDArray[Any]) -> NDArray[Any]:
        """What vertices are called in the input."""
        return vertices if self._labels is None else self._labels[vertices]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a prepared graph is in the memory of its process: pickle what it was made of, or its results")

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        # It does not change.
        return self

    def __repr__(self) -> str:
        return (
            f"tribin.Graph(vertices={self.number_of_vertices}, edges={self.number_of_edges}, "
            f"device={self._figures['device']!r})"
        )

    @property
    def number_of_vertices(self) -> int:
        """The vertices: all that the input has, or those with an edge where it has edges only."""
        return int(self._figures["vertex_bound" if self._all else "vertices"])

    @property
    def number_of_edges(self) -> int:
        """The undirected edges, each once."""
        return int(self._figures["edges"])

    @property
    def self_loops_dropped(self) -> int:
        """Entries of the input that joined a vertex to itself."""
        return int(self._figures["self_loops_dropped"])

    @property
    def duplicates_dropped(self) -> int:
        """Entries of the input that repeated an edge, in either direction."""
        return int(self._figures["duplicates_dropped"])

    @property
    def reciprocal_dropped(self) -> int | None:
        """Edges that were entered in both directions, among the duplicates.

        The other duplicates repeated an entry as it stood. None where they are not told apart: on a GPU, unless the
        entries ascend or all have one direction.
        """
        reciprocal = self._figures["reciprocal_dropped"]
        return None if reciprocal is None else int(reciprocal)

    def explain(self) -> Explanation:
        """Say how the graph was read, what was copied, and which device was chosen.

        Examples
        --------
        >>> import numpy as np, tribin
        >>> edges = np.array([[0, 1], [1, 2], [2, 0]], dtype=np.uint32)
        >>> tribin.Graph(edges).explain().copies
        ['the two columns were copied once, to edges of 32 bits']
        """
        return self._explanation

    def count(self) -> int:
        """Count the triangles.

        Returns
        -------
        int
            The exact number.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0)]).count()
        1
        """
        if self._count is None:
            self._count = int(self._whole_graph("count"))
        return self._count

    def stats(self) -> Stats:
        """Find the figures of the whole graph: degrees, wedges, triangles, clustering, degeneracy."""
        report = self._whole_graph("stats")
        return Stats(**{name: report[name] for name in Stats.__dataclass_fields__})

    def local(self) -> Local:
        """Find the degree, triangles and clustering coefficient of every vertex.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]).local()
        tribin.Local
        vertex  degree  triangles          clustering
             a       2          1                 1.0
             b       2          1                 1.0
             c       3          1  0.3333333333333333
             d       1          0                 0.0
        """
        return Local(*self._vertex_columns(Local.columns[1:]))

    def _of_vertices(self, find: Callable[[Progress | None], list[NDArray[Any]]]) -> tuple[NDArray[Any], ...]:
        """The vertices that are found, called as in the input, and the columns beside them."""
        vertex, *columns = self._shown(find)
        return (self._called(vertex), *columns)

    def _of_edges(self, find: Callable[[Progress | None], list[NDArray[Any]]]) -> tuple[NDArray[Any], ...]:
        """The ends of the edges that are found, called as in the input, and the columns beside them."""
        source, target, *columns = self._shown(find)
        return (self._called(source), self._called(target), *columns)

    def _vertex_columns(self, names: Sequence[str], zero: str = "error") -> tuple[NDArray[Any], ...]:
        """The vertices, and a column for each result."""
        return self._of_vertices(lambda show: _native.at_vertices(self._core, list(names), self._all, zero, show))

    def at_vertices(self, *results: str, zero: str = "error") -> Results:
        """Find numbers at every vertex, by the names of results: `tribin.results` lists them.

        Results of directions and weights are of graphs that were made with these. ``zero`` says what an edge of weight 0
        is in results of signs, as `signed_triangles` has it.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).at_vertices("degree", "triangle_centrality")
        tribin.Results
        vertex  degree  triangle_centrality
             0       2                  1.0
             1       2                  1.0
             2       3                  1.0
             3       1                  1.0
        """
        _check_texts(zero=zero)
        names = _each_once(results)
        return Results(("vertex", *names), self._vertex_columns(names, zero))

    def on_edges(self, *results: str, zero: str = "error") -> Results:
        """Find numbers on every edge, by the names of results: `tribin.results` lists them.

        Results of weights are of graphs that were made with these. ``zero`` says what an edge of weight 0 is in results
        of signs, as `signed_triangles` has it.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).on_edges("jaccard", "forman")
        tribin.Results
        source  target             jaccard  forman
             0       1  0.3333333333333333       3
             0       2                0.25       2
             1       2                0.25       2
             2       3                 0.0       0
        """
        _check_texts(zero=zero)
        names = _each_once(results)
        return Results(("source", "target", *names), self._edge_columns(names, zero))

    def _edge_columns(self, names: Sequence[str], zero: str = "error") -> tuple[NDArray[Any], ...]:
        """The ends of the edges, and a column for each result."""
        return self._of_edges(lambda show: _native.on_edges(self._core, list(names), zero, show))

    def clustering(self, weighting: str = "onnela") -> Clustering:
        """Find the clustering coefficient of every vertex, with the directions and weights that the graph has.

        The coefficients are those of NetworkX's ``clustering``, also of a ``DiGraph`` and with ``weight``.

        Parameters
        ----------
        weighting : str, default "onnela"
            Of undirected graphs with weights: ``onnela``, which is NetworkX's, or ``barrat``, which is igraph's.
        """
        if weighting != "onnela" and (self._directed or not self._weighted):
            raise UsageError(f"`weighting={weighting!r}` is of undirected graphs with weights: give `weight`, and not `directed`")
        if self._weighted:
            name = "weighted_clustering" if self._directed else weighting
            if name not in ("weighted_clustering", "onnela", "barrat"):
                raise UsageError(f"`{weighting}` is no weighting: use `onnela` or `barrat`")
            return Clustering(*self._vertex_columns((name,)))
        local = self.directed_local() if self._directed else self.local()
        return Clustering(local.vertex, local.clustering)

    def average_clustering(self, weighting: str = "onnela") -> float:
        """Find the mean of the clustering coefficients of all vertices; 0 without vertices.

        Parameters
        ----------
        weighting : str, default "onnela"
            As that of `clustering`.
        """
        if self._directed or self._weighted or weighting != "onnela":
            values = self.clustering(weighting).clustering
            return math.fsum(values.tolist()) / len(values) if len(values) else 0.0
        mean = float(self._whole_graph("average_clustering"))
        joined = int(self._figures["vertices"])
        # The core does not know of vertices without an edge, whose coefficients are 0.
        return mean if joined == self.number_of_vertices else mean * joined / self.number_of_vertices

    def square_clustering(self) -> SquareClustering:
        """Find the share of the possible cycles of four edges that pass every vertex: NetworkX's
        ``square_clustering``. It takes O(m^1.5) time for m edges.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]).square_clustering().clustering.tolist()
        [0.5, 1.0, 0.5, 0.3333333333333333, 0.0]
        """
        names = ("degree", "wedge_ends", "triangles", "four_cycles", "square_clustering")
        vertex, degree, ends, triangles, squares, share = self._vertex_columns(names)
        # Each neighbour is in a pair with every other one. Products of 63 bits and more are those of Python's integers.
        pairs = np.maximum(degree - 1, 0)
        if float(pairs.max(initial=0)) * float(ends.max(initial=0)) >= 2**63:
            pairs = pairs.astype(object)
        possible = pairs * ends - 2 * triangles - squares
        return SquareClustering(vertex, squares, possible, share)

    def _check_directed(self) -> None:
        if not self._directed:
            raise UsageError("the graph was made without directions: say `directed=True` when it is made")

    def directed_local(self) -> DirectedLocal:
        """Find the degrees, directed triangles and clustering coefficients of every vertex, after Fagiolo.

        Where two vertices have an arc each way, a triangle of theirs is several directed ones.

        Examples
        --------
        >>> import tribin
        >>> graph = tribin.Graph([(0, 1), (1, 2), (2, 0), (0, 2)], directed=True)
        >>> local = graph.directed_local()
        >>> local.cycle_triangles.tolist(), local.triangles.tolist()
        ([1, 1, 1], [2, 2, 2])
        >>> local.clustering.tolist()
        [0.5, 1.0, 0.5]
        """
        self._check_directed()
        return DirectedLocal(*self._vertex_columns(DirectedLocal.columns[1:]))

    def weighted_local(self) -> WeightedLocal:
        """Find the degree, strength and weighted clustering coefficients of every vertex of an undirected graph.

        Examples
        --------
        >>> import tribin
        >>> edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 8.0)]
        >>> local = tribin.Graph(edges, weight=True).weighted_local()
        >>> local.strength.tolist(), local.onnela.tolist()
        ([9.0, 2.0, 9.0], [0.25, 0.25, 0.25])
        """
        if self._directed or not self._weighted:
            raise UsageError("these results are of undirected graphs with weights: give `weight`, and not `directed`")
        return WeightedLocal(*self._vertex_columns(WeightedLocal.columns[1:]))

    def census(self) -> dict[str, int]:
        """Count the triples of vertices of each of 16 classes, by what arcs are among them: the triad census.

        Returns
        -------
        dict
            The number of triples of each class, called and ordered as by NetworkX's ``triadic_census``.

        Examples
        --------
        >>> import tribin
        >>> census = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], directed=True).census()
        >>> {name: count for name, count in census.items() if count}
        {'012': 1, '021D': 1, '021C': 1, '030C': 1}
        """
        self._check_directed()
        return dict(self._whole_graph("census"))

    def reciprocity(self) -> float:
        """Find the share of the arcs that have one back, self-loops being arcs without one; nan without arcs.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 0), (1, 2), (2, 3)], directed=True).reciprocity()
        0.5
        """
        self._check_directed()
        found = self._whole_graph("reciprocity")
        return math.nan if found is None else float(found)

    def reciprocities(self) -> Reciprocities:
        """Find the share of the arcs of every vertex that have one back; nan of a vertex without arcs."""
        self._check_directed()
        return Reciprocities(*self._of_vertices(self._columns("reciprocities")))

    def directed_transitivity(self) -> float:
        """Find NetworkX's ``transitivity`` of a ``DiGraph``: the share of pairs of arcs u → v and u → w that have
        an arc between v and w. 0 without such pairs.
        """
        self._check_directed()
        return float(self._whole_graph("directed_transitivity"))

    def transitivity(self) -> float:
        """Find the share of wedges that are closed: 3 * triangles / wedges; 0 without wedges."""
        wedges = self._figures["wedges"]
        return 3 * self.count() / wedges if wedges else 0.0

    def similar(
        self,
        by: str = "jaccard",
        *,
        top: int | None = 10,
        min: float | None = None,
        non_edges: bool = False,
        vertex: Any = None,
    ) -> Results:
        """Find pairs of vertices that share neighbours, and how alike they are.

        The CPU finds them, in work of the sum of the squared degrees at most.

        Parameters
        ----------
        by : str
            ``jaccard``, ``overlap``, ``cosine``, ``sorensen``, ``common`` (the number of common neighbours),
            ``adamic_adar`` or ``resource_allocation``. Neighbourhoods are open, as NetworkX's are.
        top : int or None
            The most vertices for each vertex, the most similar first; None for all pairs, each once.
        min : float, optional
            Pairs with less are left out.
        non_edges : bool
            Pairs with an edge are left out, as a prediction of links wants it.
        vertex : optional
            The vertex whose pairs are found, called as in the input; by default those of all.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).similar(top=1)
        tribin.Results
        source  target  jaccard
             0       3      0.5
             1       3      0.5
             2       0     0.25
             3       0      0.5
        """
        _check_texts(by=by)
        _check_flags(non_edges=non_edges)
        if top is not None:
            top = _whole("top", top, 0)
        least = -math.inf if min is None else float(min)
        of = None if vertex is None else self._number_of(vertex)
        found = self._of_edges(lambda show: _native.similar(self._core, by, top, least, non_edges, of, show))
        return Results(("source", "target", by), found)

    def similarities(self, pairs: Any, by: str = "jaccard") -> NDArray[np.float64]:
        """Find how alike the vertices of given pairs are, in their order.

        Parameters
        ----------
        pairs : array_like
            Pairs of vertices, called as in the input: an array or a table of shape (n, 2), or a list of tuples. They need
            no common neighbour and no edge.
        by : str
            As of `similar`.

        Examples
        --------
        >>> import tribin
        >>> graph = tribin.Graph([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Di")])
        >>> graph.similarities([("Ann", "Di"), ("Cy", "Di")]).tolist()
        [0.5, 0.0]
        """
        _check_texts(by=by)
        if np.ma.isMaskedArray(pairs) or (isinstance(pairs, tuple) and any(hasattr(end, "__array__") for end in pairs)):
            raise UsageError("`pairs` must be an array or a table of shape (n, 2), or a list of tuples: no columns, and no mask")
        listed = np.asarray(pairs) if hasattr(pairs, "__array__") else list(pairs)
        if isinstance(listed, np.ndarray) and listed.size and listed.shape[1:] != (2,):
            raise UsageError(f"`pairs` has the shape {listed.shape}: it must be (n, 2)")
        if self._labels is None and isinstance(listed, np.ndarray) and listed.size and listed.dtype.kind in "iu":
            ends, fits = listed.astype(np.uint64), bool(listed.min() >= 0)
        else:
            found_ends = self._ends_of(listed.tolist() if isinstance(listed, np.ndarray) else listed)
            fits = all(end is not None and 0 <= end < 2**64 for end in found_ends.flat)
            ends = found_ends.astype(np.uint64) if fits else found_ends
        if not fits:
            raise UsageError("`pairs` must hold ids of vertices, which are whole numbers from 0 on")
        source, target = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
        found: NDArray[np.float64] = self._shown(
            lambda show: _native.similarities(self._core, by, source, target, show)
        )
        return found

    def _number_of(self, vertex: Any) -> int:
        """The number of a vertex, by what it is called."""
        number = _inputs.whole(vertex) if self._labels is None else self._places().get(vertex)
        if number is None or not 0 <= number < 2**64:
            raise UsageError(f"there is no vertex {vertex!r}")
        return number

    def _ends_of(self, rows: list[Any]) -> NDArray[Any]:
        """The vertices of pairs, by their ids or places."""
        place = _inputs.whole if self._labels is None else self._places().__getitem__
        try:
            if any(isinstance(row, str) for row in rows):
                raise TypeError
            return np.array([(place(u), place(v)) for u, v in rows], dtype=object).reshape(-1, 2)
        except KeyError as error:
            raise UsageError(f"there is no vertex {error.args[0]!r}") from None
        except (TypeError, ValueError):
            raise UsageError("`pairs` must hold two vertices in each row, called as in the input") from None

    def support(self, *, min_support: int = 0) -> Support:
        """Count the triangles on every edge; edges on fewer than ``min_support`` are left out.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).support(min_support=1).target.tolist()
        [1, 2, 2]
        """
        min_support = _whole("min_support", min_support, 0)
        found = Support(*self._edge_columns(("support",)))
        return found[found.support >= min_support] if min_support else found

    def truss(self) -> Trussness:
        """Find the trussness of every edge: the largest k for which it is in the k-truss, at least 2.

        In a k-truss every edge is in at least k - 2 triangles.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).truss().trussness.tolist()
        [3, 3, 3, 2]
        """
        return Trussness(*self._of_edges(self._columns("trussness")))

    def k_truss(self, k: int | Literal["max"]) -> Edges:
        """Find the edges of the k-truss, the largest subgraph whose every edge is in k - 2 of its triangles.

        Parameters
        ----------
        k : int or "max"
            Every edge is in a k-truss for k up to 2. ``max`` is the largest k that has an edge.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).k_truss("max").target.tolist()
        [1, 2, 2]
        """
        if k == "max":
            found = self.truss()
            kept = found[found.trussness == found.trussness.max(initial=2)]
            return Edges(kept.source, kept.target)
        return Edges(*self._of_edges(self._columns("k_truss", _core_or_truss(k))))

    def k_core(self, k: int | Literal["max"]) -> Edges:
        """Find the edges of the k-core, the largest subgraph whose every vertex has k neighbours in it.

        Parameters
        ----------
        k : int or "max"
            ``max`` is the largest k that has a vertex.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).k_core(2).to_networkx().number_of_edges()
        3
        """
        vertex, numbers = self._shown(lambda show: _native.at_vertices(self._core, ["core"], True, "error", show))
        least = numbers.max(initial=0) if k == "max" else _core_or_truss(k)
        # Every edge is in the 2-truss.
        source, target = self._shown(self._columns("k_truss", 2))
        is_dense = vertex.dtype.kind in "iu" and len(vertex) > 0 and vertex[-1] == len(vertex) - 1
        is_kept = numbers >= least

        def are_kept(ends: NDArray[Any]) -> NDArray[Any]:
            return is_kept[ends] if is_dense else np.isin(ends, vertex[is_kept])

        both = are_kept(source) & are_kept(target)
        return Edges(self._called(source[both]), self._called(target[both]))

    def core_numbers(self) -> CoreNumbers:
        """Find the core number of every vertex: the largest k for which it is in the k-core."""
        vertex, numbers = self._shown(lambda show: _native.at_vertices(self._core, ["core"], True, "error", show))
        if not self._all:
            # A vertex with an edge is in the 1-core.
            vertex, numbers = vertex[numbers > 0], numbers[numbers > 0]
        return CoreNumbers(self._called(vertex), numbers)

    def triangles(self, *, chunk: int = 1 << 18, limit: int | None = None) -> Iterator[NDArray[Any]]:
        """List all triangles, each once.

        Parameters
        ----------
        chunk : int
            The most rows of an array. Memory is in proportion to it, not to the number of triangles.
        limit : int, optional
            Stop after so many triangles.

        Yields
        ------
        numpy.ndarray
            An array of shape (n, 3): the corners of triangles, called as in the input.

        Examples
        --------
        >>> import tribin
        >>> [chunk.tolist() for chunk in tribin.Graph([(5, 7), (7, 9), (9, 5)]).triangles()]
        [[[5, 7, 9]]]
        """
        chunk = _whole("chunk", chunk, 1)
        return self._chunks(lambda: self._core.triangles(chunk), limit)

    def cliques(self, k: int) -> int:
        """Count the cliques of k vertices: sets of vertices of which any two are joined.

        Parameters
        ----------
        k : int
            From 3, for triangles, to 12.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(u, v) for u in range(6) for v in range(u)]).cliques(4)
        15
        """
        return int(self._whole_graph("cliques", k=_vertices_of_clique(k)))

    def cliques_at_vertices(self, k: int) -> Results:
        """Count the cliques of k vertices, from 3 to 12, that hold each vertex.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).cliques_at_vertices(3).cliques.tolist()
        [1, 1, 1, 0]
        """
        found = self._of_vertices(self._columns("cliques_at_vertices", _vertices_of_clique(k)))
        return Results(("vertex", "cliques"), found)

    def cliques_on_edges(self, k: int) -> Results:
        """Count the cliques of k vertices, from 3 to 12, that hold each edge.

        Examples
        --------
        >>> import tribin
        >>> tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).cliques_on_edges(3).cliques.tolist()
        [1, 1, 1, 0]
        """
        found = self._of_edges(self._columns("cliques_on_edges", _vertices_of_clique(k)))
        return Results(("source", "target", "cliques"), found)

    def motifs(self) -> dict[str, dict[str, int]]:
        """Count the connected motifs of three and four vertices.

        Returns
        -------
        dict
            For each motif how often it occurs: ``induced``, sets of vertices with the motif's edges and no others, and
            ``subgraphs``, sets of edges that make it.

        Examples
        --------
        >>> import tribin
        >>> motifs = tribin.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]).motifs()
        >>> motifs["diamond"], motifs["cycle"]
        ({'induced': 1, 'subgraphs': 1}, {'induced': 0, 'subgraphs': 1})
        """
        report = self._whole_graph("motifs")
        return {name: figure for name, figure in report.items() if isinstance(figure, dict) and "induced" in figure}

    def report(self, path: str | os.PathLike[str], *, title: str = "graph") -> None:
        """Write a page of HTML with the graph's figures, plots and what comes first by each result.

        The page stands alone: it has no script and loads nothing from elsewhere.

        Parameters
        ----------
        path : path
            The file to write, such as ``graph.html``: whole under its name, or not there.
        title : str
            What the page calls the graph.

        Examples
        --------
        >>> import pathlib, tempfile, tribin
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "graph.html"
        ...     tribin.Graph([("a", "b"), ("b", "c"), ("c", "a")]).report(path)
        ...     "<td>a</td>" in path.read_text()
        True
        """
        _check_texts(title=title)
        labels = None if self._labels is None else [str(label) for label in self._labels.tolist()]
        self._shown(lambda show: _native.page(self._core, os.fspath(path), title, labels, show))

    def signed_triangles(self, *, zero: str = "error") -> dict[str, Any]:
        """Count the triangles by the signs of their edges, which are those of the weights.

        Parameters
        ----------
        zero : str
            What an edge of weight 0 is: an ``error``, ``positive``, ``negative``, or with ``skip`` its triangles are left
            out.

        Returns
        -------
        dict
            The triangles of each three signs, ``+++``, ``++-``, ``+--`` and ``---``, and ``balanced``: the share of these
            whose product of signs is positive, None where there are none.

        Examples
        --------
        >>> import tribin
        >>> edges = [("Ann", "Bo", 1), ("Bo", "Cy", -2), ("Cy", "Ann", -1)]
        >>> tribin.Graph(edges, weight=True).signed_triangles()
        {'+++': 0, '++-': 0, '+--': 1, '---': 0, 'balanced': 1.0}
        """
        _check_texts(zero=zero)
        return dict(self._whole_graph("signed_triangles", zero=zero))

    def _places(self) -> dict[Any, int]:
        """The number of each vertex, by what it is called."""
        assert self._labels is not None
        places = {label: place for place, label in enumerate(self._labels.tolist())}
        if len(places) < len(self._labels):
            raise UsageError("several vertices are called the same, so that a name does not tell which one is meant")
        return places

    def count_by_labels(self, labels: Mapping[Any, Any], *, unlabelled: Any = None) -> Results:
        """Count the triangles by the labels of their three vertices, in whatever order.

        Parameters
        ----------
        labels : mapping
            The label of each vertex, called as in the input: a dictionary, or a series of pandas with vertices for its index.
            Labels are all texts, or all numbers. None and nan are no labels.
        unlabelled : optional
            The label of vertices that have none. None for none: then such a vertex in a triangle is an error.

        Returns
        -------
        Results
            A row for each three labels that any triangle has, ascending: ``label_1``, ``label_2``, ``label_3``,
            ``triangles``.

        Examples
        --------
        >>> import tribin
        >>> graph = tribin.Graph([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Di")])
        >>> graph.count_by_labels({"Ann": "red", "Bo": "blue", "Cy": "red"}).to_dict()
        {'label_1': ['blue'], 'label_2': ['red'], 'label_3': ['red'], 'triangles': [1]}
        """
        if not hasattr(labels, "items"):
            raise UsageError("`labels` must be a dictionary of vertices and their labels, or a series of pandas")
        if getattr(getattr(labels, "index", None), "has_duplicates", False):
            raise UsageError("`labels` has a vertex twice: each has one label")
        labels = {vertex: label for vertex, label in labels.items() if not _inputs.is_missing(label)}
        try:
            every = {*labels.values(), *(() if unlabelled is None else (unlabelled,))}
        except TypeError:
            raise UsageError("`labels` must be all texts, or all numbers") from None
        texts = all(isinstance(label, str) for label in every)
        if not texts and not all(isinstance(label, (int, float, np.number)) for label in every):
            raise UsageError("`labels` must be all texts, or all numbers")
        names = sorted(every)
        codes = {name: code for code, name in enumerate(names)}
        if self._labels is None:
            whole = ((_inputs.whole(vertex), label) for vertex, label in labels.items())
            known = {vertex: codes[label] for vertex, label in whole if vertex is not None}
        else:
            places = self._places()
            known = {places[vertex]: codes[label] for vertex, label in labels.items() if vertex in places}
        vertices = np.array([vertex for vertex in known if vertex >= 0], dtype=np.uint64)
        of_vertices = np.array([code for vertex, code in known.items() if vertex >= 0], dtype=np.uint32)
        rest = len(names) if unlabelled is None else codes[unlabelled]
        threes, triangles = self._shown(
            lambda show: _native.count_by_labels(self._core, vertices, of_vertices, rest, show)
        )
        if (threes == len(names)).any():
            rows = self.at_vertices("triangles").rows()
            vertex = next((vertex for vertex, triangles in rows if triangles and vertex not in labels), None)
            raise InputError(
                f"edges: the vertex {vertex!r} is in a triangle, and has no label: `unlabelled=` gives one to all such vertices"
            )
        called = np.array(names, dtype=object if texts else None)
        if called.tolist() != names:
            # Doubles do not tell all integers apart.
            called = np.array(names, dtype=object)
        called = called[threes.reshape(-1, 3)]
        columns = (*(np.ascontiguousarray(called[:, place]) for place in range(3)), triangles)
        return Results(("label_1", "label_2", "label_3", "triangles"), columns)

    def estimate(
        self, error: float = 0.01, confidence: float = 0.95, *, seed: int = 1, sample: bool = False
    ) -> dict[str, Any]:
        """Estimate triangles, transitivity and mean clustering, each with an interval.

        Parameters
        ----------
        error : float
            Half the width of each interval, as a share of the number.
        confidence : float
            How likely each interval is to cover its number.
        seed : int
            What the random numbers begin from.
        sample : bool
            Draw wedges even where all triangles would be found as soon.

        Returns
        -------
        dict
            ``triangles``, ``transitivity`` and ``average_clustering``, of the vertices with an edge: a dictionary each
            of ``value``, ``low`` and ``high``. ``exact`` and ``because``: whether all triangles were found, and why.
            ``sampled_wedges`` and ``sampled_vertices``: how many were drawn.

        Examples
        --------
        >>> import tribin
        >>> estimate = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]).estimate(0.05)
        >>> estimate["triangles"], estimate["exact"]
        ({'value': 1, 'low': 1, 'high': 1}, True)
        """
        shares = {"error": float(error), "confidence": float(confidence)}
        report = self._whole_graph("estimate", **shares, seed=_whole("seed", seed, 0), sample=sample)
        names = ("triangles", "transitivity", "average_clustering", "exact", "because")
        return {name: report[name] for name in (*names, "sampled_wedges", "sampled_vertices")}

    def list_cliques(self, k: int, *, chunk: int = 1 << 18, limit: int | None = None) -> Iterator[NDArray[Any]]:
        """List all cliques of k vertices, each once.

        Parameters
        ----------
        k : int
            From 3 to 12.
        chunk : int
            The most rows of an array. Memory is in proportion to it, not to the number of cliques.
        limit : int, optional
            Stop after so many cliques.

        Yields
        ------
        numpy.ndarray
            An array of shape (n, k): the vertices of cliques, called as in the input.

        Examples
        --------
        >>> import tribin
        >>> [chunk.tolist() for chunk in tribin.Graph([(5, 7), (7, 9), (9, 5)]).list_cliques(3)]
        [[[5, 7, 9]]]
        """
        k, chunk = _vertices_of_clique(k), _whole("chunk", chunk, 1)
        return self._chunks(lambda: self._core.cliques(k, chunk), limit)

    def _chunks(self, start: Callable[[], _native.Chunks], limit: int | None) -> Iterator[NDArray[Any]]:
        left = 2**64 if limit is None else _whole("limit", limit, 0)

        def chunks() -> Iterator[NDArray[Any]]:
            ids, listed, rest = self._core.id_table(), start(), left
            while rest and (found := listed.next()) is not None:
                found = found[:rest]
                rest -= len(found)
                yield self._called(found if ids is None else ids[found])

        return chunks()
