"""One question to a graph that is not kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import NDArray

from tribin import _native
from tribin._graph import Graph, Options, Stats
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

if TYPE_CHECKING:
    from typing_extensions import Unpack


def graph(edges: Any, **options: Unpack[Options]) -> Graph:
    """Make a `Graph`, or return the one that is given.

    Parameters
    ----------
    edges, **options
        As those of `Graph`. A graph that is made already takes no options.
    """
    return edges if isinstance(edges, Graph) and not options else Graph(edges, **options)


def count(edges: Any, **options: Unpack[Options]) -> int:
    """Count the triangles.

    Parameters
    ----------
    edges, **options
        As those of `Graph`.

    Examples
    --------
    >>> import tribin
    >>> tribin.count([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")])
    1
    """
    return graph(edges, **options).count()


def stats(edges: Any, **options: Unpack[Options]) -> Stats:
    """Find the figures of the whole graph: `Graph.stats`."""
    return graph(edges, **options).stats()


def local(edges: Any, **options: Unpack[Options]) -> Local:
    """Find the degree, triangles and clustering coefficient of every vertex: `Graph.local`."""
    return graph(edges, **options).local()


def clustering(edges: Any, *, weighting: str = "onnela", **options: Unpack[Options]) -> Clustering:
    """Find the clustering coefficient of every vertex: `Graph.clustering`.

    Examples
    --------
    >>> import tribin
    >>> cycle = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 8.0)]
    >>> tribin.clustering(cycle, directed=True, weight=True).clustering.tolist()
    [0.125, 0.125, 0.125]
    """
    return graph(edges, **options).clustering(weighting)


def average_clustering(edges: Any, *, weighting: str = "onnela", **options: Unpack[Options]) -> float:
    """Find the mean of the clustering coefficients: `Graph.average_clustering`."""
    return graph(edges, **options).average_clustering(weighting)


def transitivity(edges: Any, **options: Unpack[Options]) -> float:
    """Find the share of wedges that are closed: `Graph.transitivity`."""
    return graph(edges, **options).transitivity()


def square_clustering(edges: Any, **options: Unpack[Options]) -> SquareClustering:
    """Find the cycles of four edges at every vertex: `Graph.square_clustering`."""
    return graph(edges, **options).square_clustering()


def _directed(edges: Any, options: Options) -> Graph:
    if not isinstance(edges, Graph):
        options.setdefault("directed", True)
    return graph(edges, **options)


def at_vertices(edges: Any, *results: str, zero: str = "error", **options: Unpack[Options]) -> Results:
    """Find numbers at every vertex, by the names of results: `Graph.at_vertices`."""
    return graph(edges, **options).at_vertices(*results, zero=zero)


def on_edges(edges: Any, *results: str, zero: str = "error", **options: Unpack[Options]) -> Results:
    """Find numbers on every edge, by the names of results: `Graph.on_edges`."""
    return graph(edges, **options).on_edges(*results, zero=zero)


def directed_local(edges: Any, **options: Unpack[Options]) -> DirectedLocal:
    """Find the degrees, directed triangles and coefficients of every vertex: `Graph.directed_local`."""
    return _directed(edges, options).directed_local()


def weighted_local(edges: Any, **options: Unpack[Options]) -> WeightedLocal:
    """Find the degree, strength and weighted coefficients of every vertex: `Graph.weighted_local`."""
    return graph(edges, **options).weighted_local()


def census(edges: Any, **options: Unpack[Options]) -> dict[str, int]:
    """Count the triples of vertices of each of 16 classes: `Graph.census`."""
    return _directed(edges, options).census()


def reciprocity(edges: Any, **options: Unpack[Options]) -> float:
    """Find the share of the arcs that have one back: `Graph.reciprocity`."""
    return _directed(edges, options).reciprocity()


def reciprocities(edges: Any, **options: Unpack[Options]) -> Reciprocities:
    """Find the share of every vertex's arcs that have one back: `Graph.reciprocities`."""
    return _directed(edges, options).reciprocities()


def directed_transitivity(edges: Any, **options: Unpack[Options]) -> float:
    """Find NetworkX's ``transitivity`` of a ``DiGraph``: `Graph.directed_transitivity`."""
    return _directed(edges, options).directed_transitivity()


def support(edges: Any, *, min_support: int = 0, **options: Unpack[Options]) -> Support:
    """Count the triangles on every edge: `Graph.support`."""
    return graph(edges, **options).support(min_support=min_support)


def similar(
    edges: Any,
    by: str = "jaccard",
    *,
    top: int | None = 10,
    min: float | None = None,
    non_edges: bool = False,
    vertex: Any = None,
    **options: Unpack[Options],
) -> Results:
    """Find pairs of vertices that share neighbours, and how alike they are: `Graph.similar`."""
    return graph(edges, **options).similar(by, top=top, min=min, non_edges=non_edges, vertex=vertex)


def similarities(edges: Any, pairs: Any, by: str = "jaccard", **options: Unpack[Options]) -> NDArray[Any]:
    """Find how alike the vertices of given pairs are: `Graph.similarities`."""
    return graph(edges, **options).similarities(pairs, by)


def truss(edges: Any, **options: Unpack[Options]) -> Trussness:
    """Find the trussness of every edge: `Graph.truss`."""
    return graph(edges, **options).truss()


def k_truss(edges: Any, k: int | Literal["max"], **options: Unpack[Options]) -> Edges:
    """Find the edges of the k-truss: `Graph.k_truss`."""
    return graph(edges, **options).k_truss(k)


def k_core(edges: Any, k: int | Literal["max"], **options: Unpack[Options]) -> Edges:
    """Find the edges of the k-core: `Graph.k_core`."""
    return graph(edges, **options).k_core(k)


def core_numbers(edges: Any, **options: Unpack[Options]) -> CoreNumbers:
    """Find the core number of every vertex: `Graph.core_numbers`."""
    return graph(edges, **options).core_numbers()


def triangles(
    edges: Any, *, chunk: int = 1 << 18, limit: int | None = None, **options: Unpack[Options]
) -> Iterator[NDArray[Any]]:
    """List all triangles in chunks: `Graph.triangles`."""
    return graph(edges, **options).triangles(chunk=chunk, limit=limit)


def cliques(edges: Any, k: int, **options: Unpack[Options]) -> int:
    """Count the cliques of k vertices: `Graph.cliques`.

    Examples
    --------
    >>> import tribin
    >>> tribin.cliques([(u, v) for u in range(5) for v in range(u)], 4)
    5
    """
    return graph(edges, **options).cliques(k)


def cliques_at_vertices(edges: Any, k: int, **options: Unpack[Options]) -> Results:
    """Count the cliques of k vertices that hold each vertex: `Graph.cliques_at_vertices`."""
    return graph(edges, **options).cliques_at_vertices(k)


def cliques_on_edges(edges: Any, k: int, **options: Unpack[Options]) -> Results:
    """Count the cliques of k vertices that hold each edge: `Graph.cliques_on_edges`."""
    return graph(edges, **options).cliques_on_edges(k)


def list_cliques(
    edges: Any, k: int, *, chunk: int = 1 << 18, limit: int | None = None, **options: Unpack[Options]
) -> Iterator[NDArray[Any]]:
    """List all cliques of k vertices in chunks: `Graph.list_cliques`."""
    return graph(edges, **options).list_cliques(k, chunk=chunk, limit=limit)


def motifs(edges: Any, **options: Unpack[Options]) -> dict[str, dict[str, int]]:
    """Count the connected motifs of three and four vertices: `Graph.motifs`."""
    return graph(edges, **options).motifs()


def report(edges: Any, path: str | os.PathLike[str], *, title: str = "graph", **options: Unpack[Options]) -> None:
    """Write a page of HTML with figures, plots and what comes first: `Graph.report`."""
    graph(edges, **options).report(path, title=title)


def signed_triangles(edges: Any, *, zero: str = "error", **options: Unpack[Options]) -> dict[str, Any]:
    """Count triangles by the signs of their edges: `Graph.signed_triangles`."""
    return graph(edges, **options).signed_triangles(zero=zero)


def count_by_labels(edges: Any, labels: Mapping[Any, Any], *, unlabelled: Any = None, **options: Unpack[Options]) -> Results:
    """Count triangles by the labels of their three vertices: `Graph.count_by_labels`."""
    return graph(edges, **options).count_by_labels(labels, unlabelled=unlabelled)


def estimate(
    edges: Any,
    error: float = 0.01,
    confidence: float = 0.95,
    *,
    seed: int = 1,
    sample: bool = False,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Estimate triangles, transitivity and mean clustering, with intervals: `Graph.estimate`."""
    return graph(edges, **options).estimate(error, confidence, seed=seed, sample=sample)


def doctor() -> dict[str, Any]:
    """Say which GPUs, driver and kernels there are, and what is missing: what ``tribin doctor --json`` prints.

    Examples
    --------
    >>> import tribin
    >>> tribin.doctor()["version"] == tribin.__version__
    True
    """
    report: dict[str, Any] = json.loads(_native.doctor())
    return report
