"""A backend of NetworkX: triangles, clustering, the triad census, trusses and cores with tribin.

NetworkX calls the functions of this module with a `TribinGraph` in place of the graph.
"""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import Any

import networkx as nx  # type: ignore[import-untyped,unused-ignore]
import numpy as np
import tribin
from numpy.typing import NDArray
from tribin import _inputs

_SELF_LOOPS = (
    "Input graph has self loops which is not permitted; Consider using G.remove_edges_from(nx.selfloop_edges(G))."
)


#: The process, the nodes and the entries of a graph.
Marks = tuple[int, int, int] | None


class TribinGraph:
    """A graph of NetworkX's, prepared by tribin."""

    __networkx_backend__ = "tribin"

    def __init__(self, original: Any) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        #: What it was made of: attributes and the order of neighbours are there.
        self.original = original
        self._forget()

    def _forget(self) -> None:
        """Leave everything to be made when it is asked for."""
        self.nodes: list[Hashable] = []
        self._prepared: tribin.Graph | None = None
        self._marks: Marks = None
        #: The name of weights, the weights, what the graph was like then, and the graph with them: those that were
        #: asked for last.
        self._weighted: tuple[str, Any, Marks, tribin.Graph] | None = None

    def __getstate__(self) -> dict[str, Any]:
        # What is prepared is in the memory of this process.
        return {"original": self.original}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # The original may have nothing yet: it has this object in its cache, and may be restored around it.
        self.__networkx_cache__ = {}
        self.original = state["original"]
        self._forget()

    def _made(self, columns: _inputs.Columns) -> tribin.Graph:
        config = getattr(nx.config.backends, "tribin", None)
        return tribin.Graph(
            (columns.source, columns.target),
            vertices=columns.vertices,
            directed=self.is_directed(),
            weight=columns.weights,
            device=getattr(config, "device", "auto"),
        )

    def weighted(self, weight: str) -> tribin.Graph:
        """The prepared graph with the weights of this name.

        Nothing tells when a weight is changed: all are looked at, and the graph is made again if one was.
        """
        kept, marks = self._weighted, self._find_marks()
        values = self._values(weight)
        if kept is None or marks is None or kept[0] != weight or kept[2] != marks or kept[1] != values:
            whole = marks is None or self.is_directed()
            columns = _inputs.weighted_adjacency(self.original, "a graph of NetworkX's", weight, both=not whole)
            self._check_ends(columns, marks)
            kept = self._weighted = (weight, values, marks, self._made(columns))
            self.nodes = list(self.original._adj)
        return kept[3]

    def _values(self, weight: str) -> list[Any]:
        """The weights of the entries, in their order."""
        return [data.get(weight, 1) for row in self.original._adj.values() for data in row.values()]

    def _check_ends(self, columns: _inputs.Columns, marks: Marks) -> None:
        """Take every edge of an undirected view at one of its ends, if all are there at both, with the same weight.

        A filter of edges may keep an edge from one end and drop it from the other, and of two arcs a view without
        directions shows another one from either end. What NetworkX finds then depends on the function.
        """
        if marks is not None or self.is_directed():
            return
        source, target = columns.source.astype(np.int64), columns.target.astype(np.int64)
        nodes, once, again = len(self.original), source <= target, source >= target
        there, back = source[once] * nodes + target[once], target[again] * nodes + source[again]
        order, back_order = np.argsort(there), np.argsort(back)
        if not np.array_equal(there[order], back[back_order]):
            raise NotImplementedError("an edge of the view is there from one of its ends only")
        columns.source, columns.target = columns.source[once], columns.target[once]
        if (weights := columns.weights) is not None:
            columns.weights = weights[once]
            if not np.array_equal(columns.weights[order], weights[again][back_order]):
                raise NotImplementedError("an edge of the view has another weight from its other end")

    def _find_marks(self) -> Marks:
        """What tells that the graph was changed, or is in a process that was forked; None where nothing does."""
        adjacency = self.original._adj
        if hasattr(self.original, "_graph") or type(adjacency) is not dict:
            # A view of another graph, which may have been changed.
            return None
        return os.getpid(), len(adjacency), sum(map(len, adjacency.values()))

    @property
    def graph(self) -> tribin.Graph:
        """The prepared graph; made again where the original was changed behind NetworkX's back, and for every call
        where it is a view of another graph."""
        marks = self._find_marks()
        if self._prepared is None or marks is None or self._marks != marks:
            # The numbers of nodes stand for them: what they are called is known here.
            whole = marks is None or self.is_directed()
            columns = _induced(self.original) or _inputs.adjacency(self.original._adj, "a graph", both=not whole)
            self._check_ends(columns, marks)
            self._prepared, self._weighted = self._made(columns), None
            self.nodes = list(self.original._adj)
            self._marks = marks
        return self._prepared

    def is_directed(self) -> bool:
        """Whether edges have directions."""
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        """Parallel edges are one."""
        return False

    def __len__(self) -> int:
        return len(self.original)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.original)

    def __contains__(self, node: object) -> bool:
        return node in self.original

    def number_of_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self.original)


def _induced(view: Any) -> _inputs.Columns | None:
    """The edges of `G.subgraph(nodes)`, from those of the graph that it shows: a view asks its filter of every neighbour, in Python."""
    if type(getattr(view, "_NODE_OK", None)) is not nx.filters.show_nodes or view._EDGE_OK is not nx.filters.no_filter:
        return None
    base = view._graph
    if type(base._adj) is not dict:
        return None
    found = _inputs.adjacency(base._adj, "a graph")
    places = {node: place for place, node in enumerate(view)}
    number = np.fromiter((places.get(node, -1) for node in base), dtype=np.int64, count=len(base))
    source, target = number[found.source], number[found.target]
    kept = (source >= 0) & (target >= 0)
    return _inputs.Columns(source[kept], target[kept], found.told, vertices=len(places))


def convert_from_nx(graph: Any, **_: Any) -> TribinGraph:
    """Prepare a graph of NetworkX's. Attributes stay where they are."""
    if isinstance(graph, TribinGraph):
        return graph
    if isinstance(reason := _is_read_rightly(graph), str):
        raise NotImplementedError(reason)
    return TribinGraph(graph)


def _is_read_rightly(graph: Any) -> bool | str:
    """Say whether the edges of a graph are those that NetworkX's classes keep, or what may show others."""
    if not isinstance(graph, nx.Graph):
        # A graph of this or of another backend, which makes one of NetworkX's of it.
        return True
    name = _inputs.redefined(graph)
    return True if name is None else f"the graph has a `{name}` of its own, and may show other edges than it keeps"


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Give the graph of NetworkX's back."""
    return result.original if isinstance(result, TribinGraph) else result


def _argument(args: tuple[Any, ...], kwargs: dict[str, Any], place: int, name: str) -> Any:
    return args[place] if len(args) > place else kwargs.get(name)


#: Where functions take the nodes that they are asked about.
_NODES = {
    "all_triangles": (1, "nbunch"),
    "average_clustering": (1, "nodes"),
    "average_neighbor_degree": (3, "nodes"),
    "clustering": (1, "nodes"),
    "constraint": (1, "nodes"),
    "effective_size": (1, "nodes"),
    "generalized_degree": (1, "nodes"),
    "reciprocity": (1, "nodes"),
    "square_clustering": (1, "nodes"),
    "triangles": (1, "nodes"),
}

#: Where functions take the attribute of weights, which they have no answer for.
_WEIGHTS = {"average_neighbor_degree": 4, "constraint": 2, "effective_size": 2, "local_constraint": 3}

#: What NetworkX answers for undirected graphs in a way of its own.
_DIRECTED_ONLY = ("overall_reciprocity", "reciprocity")

#: What is known of directed graphs.
_DIRECTED = ("average_clustering", "clustering", "overall_reciprocity", "reciprocity", "transitivity", "triadic_census")


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Say whether a call is one of tribin's, or why not."""
    graph = _argument(args, kwargs, 0, "G")
    if isinstance(reason := _is_read_rightly(graph), str):
        return reason
    if graph.is_directed() and name not in _DIRECTED:
        return "directed graphs are not supported"
    if not graph.is_directed() and name in _DIRECTED_ONLY:
        return "undirected graphs are not supported"
    if graph.is_multigraph() and name not in ("all_triangles", "enumerate_all_cliques", "triadic_census"):
        return "multigraphs are not supported"
    if name == "triadic_census" and _argument(args, kwargs, 1, "nodelist") is not None:
        return "the triads of some nodes only are not supported"
    if name in _WEIGHTS and _argument(args, kwargs, _WEIGHTS[name], "weight") is not None:
        return "weights are not supported"
    if name == "common_neighbor_centrality" and _argument(args, kwargs, 2, "alpha") != 1:
        return "distances are not found: only `alpha=1` is supported"
    if name == "local_constraint" and not all(node in graph for node in _ends(args, kwargs)):
        return "a node is not in the graph"
    return True


def _ends(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    return _argument(args, kwargs, 1, "u"), _argument(args, kwargs, 2, "v")


#: Functions of pairs of nodes.
_OF_PAIRS = ("adamic_adar_index", "common_neighbor_centrality", "jaccard_coefficient", "resource_allocation_index")

#: Pairs that take about as long as preparing a graph, with NetworkX.
_FEW_PAIRS = 1000


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Say whether tribin gains, or why not."""
    graph = _argument(args, kwargs, 0, "G")
    if name in _OF_PAIRS:
        pairs = _argument(args, kwargs, 1, "ebunch")
        if pairs is not None and (not hasattr(pairs, "__len__") or len(pairs) < _FEW_PAIRS):
            return "few pairs are asked about, and NetworkX is as fast"
    if name in _NODES and _argument(args, kwargs, *_NODES[name]) is not None:
        return "some nodes are asked about, and tribin would find the answer of all"
    if name == "local_constraint" and len(graph._adj[_ends(args, kwargs)[0]]) ** 2 < sum(map(len, graph._adj.values())):
        return "the node has few neighbours, and NetworkX is as fast"
    config = getattr(nx.config.backends, "tribin", None)
    fewest = getattr(config, "min_edges", 0)
    # Without directions each edge is there at both of its ends.
    enough = fewest if graph.is_directed() else 2 * fewest
    # Counting them all would take as long as small graphs do.
    edges = 0
    for neighbours in graph._adj.values():
        edges += len(neighbours)
        if edges >= enough:
            return True
    return f"the graph has fewer than {fewest} edges, and NetworkX is as fast"


def _of_nodes(G: TribinGraph, nodes: Any, values: Iterable[Any]) -> Any:
    """The values of all nodes, of those that are asked for, or of one: as NetworkX's functions return them."""
    of_all = dict(zip(G.nodes, values))
    if nodes is None:
        return of_all
    if nodes in G:
        return of_all[nodes]
    return {node: of_all[node] for node in G.original.nbunch_iter(nodes)}


def triangles(G: TribinGraph, nodes: Any = None) -> Any:
    """Count the triangles of every node."""
    return _of_nodes(G, nodes, G.graph.local().triangles.tolist())


def clustering(G: TribinGraph, nodes: Any = None, weight: str | None = None) -> Any:
    """Find the clustering coefficient of every node."""
    try:
        found = (G.graph if weight is None else G.weighted(weight)).clustering()
    except tribin.InputError as error:
        # NetworkX knows what to make of such weights.
        raise NotImplementedError(str(error)) from None
    # NetworkX has the integer 0 where there is no triangle.
    return _of_nodes(G, nodes, [value or 0 for value in found.clustering.tolist()])


def average_clustering(
    G: TribinGraph, nodes: Any = None, weight: str | None = None, count_zeros: bool = True
) -> float:
    """Find the mean of the clustering coefficients."""
    values = [value for value in clustering(G, nodes, weight).values() if value or count_zeros]
    return float(sum(values) / len(values))


def square_clustering(G: TribinGraph, nodes: Any = None) -> Any:
    """Find the share of the possible cycles of four edges that pass every node."""
    found = G.graph.square_clustering()
    pairs = zip(found.squares.tolist(), found.possible.tolist())
    return _of_nodes(G, nodes, [squares / possible if possible else 0 for squares, possible in pairs])


def _without_own_neighbours(G: TribinGraph) -> tribin.Graph:
    """The prepared graph, where no node is its own neighbour; NetworkX has an answer for others."""
    if G.graph.self_loops_dropped:
        raise NotImplementedError("a node with a self-loop is its own neighbour for NetworkX")
    return G.graph


def robins_alexander_clustering(G: TribinGraph) -> float:
    """Find the share of the paths of three edges that a fourth edge closes."""
    motifs = _without_own_neighbours(G).motifs()
    paths = motifs["path"]["subgraphs"]
    return 4.0 * motifs["cycle"]["subgraphs"] / paths if paths else 0


def transitivity(G: TribinGraph) -> float:
    """Find the share of wedges that are closed; of a directed graph that of pairs of arcs from one node."""
    return (G.graph.directed_transitivity() if G.is_directed() else G.graph.transitivity()) or 0


def triadic_census(G: TribinGraph, nodelist: None = None) -> dict[str, int]:
    """Count the triples of nodes of each of 16 classes."""
    return G.graph.census()


def overall_reciprocity(G: TribinGraph) -> float:
    """Find the share of the edges that have one back."""
    found = G.graph.reciprocity()
    if math.isnan(found):
        raise nx.NetworkXError("Not defined for empty graphs")
    return found


def reciprocity(G: TribinGraph, nodes: Any = None) -> Any:
    """Find the share of the edges of every node that have one back."""
    if nodes is None:
        return overall_reciprocity(G)
    values = [None if math.isnan(value) else value for value in G.graph.reciprocities().reciprocity.tolist()]
    found = _of_nodes(G, nodes, values)
    if found is None:
        raise nx.NetworkXError("Not defined for isolated nodes.")
    return found


def _of_pairs(G: TribinGraph, ebunch: Any, by: str) -> Iterator[tuple[Any, Any, Any]]:
    """Pairs of nodes, without an edge where none are given, with how alike they are."""
    graph = _without_own_neighbours(G)
    pairs = [(u, v) for u, v in (nx.non_edges(G.original) if ebunch is None else ebunch)]
    if by == "adamic_adar" and any(u == v for u, v in pairs):
        raise NotImplementedError("a neighbour of degree 1 divides by zero in NetworkX")
    places = {node: place for place, node in enumerate(G.nodes)}
    for node in itertools.chain.from_iterable(pairs):
        if node not in places:
            raise nx.NodeNotFound(f"Node {node} not in G.")
    numbers = np.array([(places[u], places[v]) for u, v in pairs], dtype=np.int64).reshape(-1, 2)
    values = graph.similarities(numbers, by).tolist()
    adjacency = G.original._adj

    def value(u: Any, v: Any, found: float) -> float:
        # NetworkX has the integer 0 where there is nothing to divide or to add.
        divides = by == "jaccard" and (adjacency[u] or adjacency[v])
        return found if found or divides else 0

    return ((u, v, value(u, v, found)) for (u, v), found in zip(pairs, values))


def jaccard_coefficient(G: TribinGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Find the common neighbours of pairs of nodes as a share of all neighbours of either."""
    return _of_pairs(G, ebunch, "jaccard")


def common_neighbor_centrality(
    G: TribinGraph, ebunch: Any = None, alpha: float = 0.8
) -> Iterator[tuple[Any, Any, Any]]:
    """Count the common neighbours of pairs of nodes: what the measure is where no distance is in it."""
    # Here and not at the first pair, so that NetworkX can still take over from a graph that is refused.
    found = _of_pairs(G, ebunch, "common")

    def counts() -> Iterator[tuple[Any, Any, Any]]:
        for u, v, common in found:
            if u == v:
                raise nx.NetworkXAlgorithmError("Self loops are not supported")
            yield u, v, int(common)

    return counts()


def adamic_adar_index(G: TribinGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Find the sum of 1 / ln(d) over the common neighbours of pairs of nodes."""
    return _of_pairs(G, ebunch, "adamic_adar")


def resource_allocation_index(G: TribinGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Find the sum of 1 / d over the common neighbours of pairs of nodes."""
    return _of_pairs(G, ebunch, "resource_allocation")


def average_neighbor_degree(
    G: TribinGraph, source: str = "out", target: str = "out", nodes: Any = None, weight: None = None
) -> Any:
    """Find the mean number of neighbours of the neighbours of every node."""
    if (source, target) != ("out", "out"):
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    found = _without_own_neighbours(G).at_vertices("degree", "wedge_ends")
    # A path of two edges ends at a node for each neighbour of a neighbour but the node itself.
    sums = (found.wedge_ends + found.degree).tolist()
    means = (total / degree if degree else 0.0 for total, degree in zip(sums, found.degree.tolist()))
    of_nodes = _of_nodes(G, None, means)
    return of_nodes if nodes is None else {node: of_nodes[node] for node in G.original.nbunch_iter(nodes)}


def _of_holes(G: TribinGraph, nodes: Any, values: NDArray[np.float64]) -> dict[Any, float]:
    """The values of all nodes, or of those that are asked for, in their order."""
    if nodes is None and not len(G):
        raise nx.NetworkXError("Graph has no nodes or edges")
    of_all = dict(zip(G.nodes, values.tolist()))
    return of_all if nodes is None else {node: of_all[node] for node in nodes}


def effective_size(G: TribinGraph, nodes: Any = None, weight: None = None) -> dict[Any, float]:
    """Find the neighbours of every node, less the mean number of others that each of them is joined with."""
    found = _without_own_neighbours(G).at_vertices("degree", "triangles")
    with np.errstate(invalid="ignore"):
        return _of_holes(G, nodes, found.degree - 2 * found.triangles / found.degree)


def constraint(G: TribinGraph, nodes: Any = None, weight: None = None) -> dict[Any, float]:
    """Find Burt's constraint of every node: how much of what it puts into its neighbours comes back to the same ones."""
    graph = _without_own_neighbours(G)
    edges = graph.support()
    # A neighbour is reached at once, and by way of each common neighbour q with a share of 1 / d(q).
    ends = np.column_stack((edges.source, edges.target)).astype(np.int64)
    squares = (1 + graph.similarities(ends, "resource_allocation")) ** 2
    both = ends.T.ravel()
    sums = np.bincount(both, np.concatenate((squares, squares)), len(G.nodes))
    with np.errstate(invalid="ignore"):
        return _of_holes(G, nodes, sums / np.bincount(both, minlength=len(G.nodes)) ** 2)


def local_constraint(G: TribinGraph, u: Any, v: Any, weight: None = None) -> float:
    """Find how much of what one node puts into its neighbours comes back to another: a term of `constraint`."""
    graph, neighbours = _without_own_neighbours(G), G.original._adj[u]
    pair = np.array([(G.nodes.index(u), G.nodes.index(v))], dtype=np.int64)
    (indirect,) = graph.similarities(pair, "resource_allocation").tolist()
    return float((((v in neighbours) + indirect) / len(neighbours)) ** 2) if neighbours else 0


def generalized_degree(G: TribinGraph, nodes: Any = None) -> Any:
    """Count the edges of every node by the number of their triangles."""
    found = G.graph.support()
    # A node and a number of triangles in one number: pairs would be sorted field by field.
    width = int(found.support.max(initial=0)) + 1
    numbers = np.concatenate((found.source, found.target)) * width + np.concatenate((found.support, found.support))
    pairs, counts = np.unique(numbers, return_counts=True)
    ends = np.searchsorted(pairs, np.arange(1, len(G.nodes) + 1) * width).tolist()
    supports, times = (pairs % width).tolist(), counts.tolist()
    counters = (
        Counter(dict(zip(supports[start:end], times[start:end]))) for start, end in zip([0, *ends], ends)
    )
    return _of_nodes(G, nodes, counters)


def all_triangles(G: TribinGraph, nbunch: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """List all triangles, or those of some nodes, the nodes of each in the order of NetworkX."""
    # Here and not at the first triangle, so that NetworkX can still take over from a graph that is refused.
    return _listed(G, G.graph, G.nodes, nbunch)


def _listed(
    G: TribinGraph, graph: tribin.Graph, nodes: list[Hashable], nbunch: Any
) -> Iterator[tuple[Any, Any, Any]]:
    if nbunch is None:
        for chunk in graph.triangles():
            for u, v, w in chunk.tolist():
                yield nodes[u], nodes[v], nodes[w]
        return
    # The first node of a triangle is called as it was asked for: `True` may be the node 1.
    chosen = {node: node for node in dict.fromkeys(G.original.nbunch_iter(nbunch))}
    others = (other for node in chosen for other in G.original.neighbors(node) if other not in chosen)
    order = {node: place for place, node in enumerate(itertools.chain(chosen, others))}
    # Nodes that are no neighbours of the chosen ones come last, and are in no triangle with them.
    places = np.array([order.get(node, len(order)) for node in nodes], dtype=np.int64)
    is_chosen = np.array([node in chosen for node in nodes], dtype=bool)
    for chunk in graph.triangles():
        found = chunk[is_chosen[chunk].any(axis=1)]
        found = np.take_along_axis(found, np.argsort(places[found], axis=1), axis=1)
        for u, v, w in found.tolist():
            yield chosen[nodes[u]], nodes[v], nodes[w]


#: The most vertices of the cliques that tribin lists.
_LARGEST_CLIQUE = 12


def enumerate_all_cliques(G: TribinGraph) -> Iterator[list[Any]]:
    """List all cliques, the smaller ones first, the nodes of each in the order of the graph."""
    graph = G.graph
    # Every node of a clique has all others of it for neighbours.
    largest = int(graph.core_numbers().core_number.max(initial=-1)) + 1
    if largest > _LARGEST_CLIQUE:
        raise NotImplementedError(f"a clique may have {largest} nodes, and those of more than {_LARGEST_CLIQUE} are not listed")
    return _by_size(graph, G.nodes, largest)


def _by_size(graph: tribin.Graph, nodes: list[Hashable], largest: int) -> Iterator[list[Any]]:
    yield from ([node] for node in nodes)
    pairs = graph.k_truss(2)
    sizes = itertools.chain([[np.column_stack((pairs.source, pairs.target))]], map(graph.list_cliques, range(3, largest + 1)))
    for chunks in sizes:
        for chunk in chunks:
            for clique in np.sort(chunk, axis=1).tolist():
                yield [nodes[place] for place in clique]


def _without_self_loops(G: TribinGraph, verb: str = "has") -> tribin.Graph:
    """The prepared graph, where no edge joins a node to itself. NetworkX's messages differ in a verb."""
    graph = G.graph
    if graph.self_loops_dropped:
        raise nx.NetworkXNotImplemented(_SELF_LOOPS.replace("has", verb))
    return graph


def core_number(G: TribinGraph) -> dict[Any, int]:
    """Find the core number of every node."""
    numbers = _without_self_loops(G).core_numbers().core_number.tolist()
    return dict(zip(G.nodes, numbers))


#: By a name that arguments do not take.
_core_number = core_number


def _part(original: Any, nodes: Iterable[Any], kept: Callable[[Any], Container[Any]]) -> Any:
    """The nodes of a graph with the edges to neighbours that are kept, attributes copied, in the order of `copy`."""
    rows, part = original._adj, original.__class__()
    part.graph.update(original.graph)
    part.add_nodes_from((node, original._node[node].copy()) for node in nodes)
    if type(original) is not nx.Graph or type(rows) is not dict:
        # A class may add edges in a way of its own, and a view may show other attributes from either end.
        for u in part:
            of_u, row = kept(u), rows[u].items()
            part.add_edges_from((u, v, data.copy()) for v, data in row if v in of_u)
        return part
    adjacency = part._adj
    for u, row in adjacency.items():
        of_u = kept(u)
        for v, data in rows[u].items():
            if v in of_u and v not in row:
                row[v] = adjacency[v][u] = data.copy()
    return part


def _of_cores(G: TribinGraph, numbers: dict[Any, int], is_kept: Callable[[Any], bool]) -> Any:
    """The nodes that are kept, with the attributes of the graph."""
    view = G.original.subgraph(node for node in numbers if is_kept(node))
    if type(G.original) is not nx.Graph:
        return view.copy()
    nodes = list(view)
    inside = set(nodes)
    return _part(G.original, nodes, lambda _: inside)


def k_core(G: TribinGraph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    """Find the k-core, with the attributes of the graph."""
    numbers = _core_number(G) if core_number is None else core_number
    least = max(numbers.values()) if k is None else k
    return _of_cores(G, numbers, lambda node: numbers[node] >= least)


def k_shell(G: TribinGraph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    """Find the nodes of the core number k, with the attributes of the graph."""
    numbers = _core_number(G) if core_number is None else core_number
    number = max(numbers.values()) if k is None else k
    return _of_cores(G, numbers, lambda node: numbers[node] == number)


def k_crust(G: TribinGraph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    """Find the nodes of core numbers up to k, with the attributes of the graph."""
    numbers = _core_number(G) if core_number is None else core_number
    most = max(numbers.values()) - 1 if k is None else k
    return _of_cores(G, numbers, lambda node: numbers[node] <= most)


def k_corona(G: TribinGraph, k: int, core_number: dict[Any, int] | None = None) -> Any:
    """Find the nodes of the k-core that have k neighbours in it, with the attributes of the graph."""
    numbers = _core_number(G) if core_number is None else core_number
    adjacency = G.original._adj

    def is_kept(node: Any) -> bool:
        return numbers[node] == k and k == sum(numbers[other] >= k for other in adjacency[node])

    return _of_cores(G, numbers, is_kept)


def onion_layers(G: TribinGraph) -> dict[Any, int]:
    """Find the layer of every node, in the order of the layers.

    Nodes with at most k neighbours left are a layer, and are taken away together, k the least core number that is left.
    """
    graph = _without_self_loops(G, "contains")
    cores, edges = graph.core_numbers().core_number.astype(np.int64), graph.k_truss(2)
    ends = np.concatenate((edges.source, edges.target)).astype(np.int64)
    neighbours = np.concatenate((edges.target, edges.source))[np.argsort(ends, kind="stable")]
    degrees = np.bincount(ends, minlength=len(cores))
    begins, left, layers = np.cumsum(degrees) - degrees, degrees.copy(), np.zeros(len(cores), dtype=np.int64)
    order: list[int] = []
    number = 0
    shells = np.split(np.argsort(cores, kind="stable"), np.cumsum(np.bincount(cores))[:-1])
    for k, shell in enumerate(shells):
        layer = shell[left[shell] <= k]
        while layer.size:
            number += 1
            layers[layer] = number
            order += layer[np.lexsort((layer, left[layer]))].tolist()
            lengths = degrees[layer]
            places = np.arange(lengths.sum()) + np.repeat(begins[layer] - np.cumsum(lengths) + lengths, lengths)
            others, lost = np.unique(neighbours[places], return_counts=True)
            left[others] -= lost
            layer = others[(layers[others] == 0) & (left[others] <= k)]
    return dict(zip((G.nodes[node] for node in order), layers[order].tolist()))


def k_truss(G: TribinGraph, k: int) -> Any:
    """Find the k-truss, with the attributes of the graph."""
    found = _without_self_loops(G).truss()
    found = found[found.trussness >= k]
    kept: dict[Any, set[Any]] = {}
    for u, v in zip(found.source.tolist(), found.target.tolist()):
        kept.setdefault(u, set()).add(G.nodes[v])
        kept.setdefault(v, set()).add(G.nodes[u])
    of_nodes = {G.nodes[u]: kept[u] for u in sorted(kept)}
    return _part(G.original, of_nodes, of_nodes.__getitem__)
