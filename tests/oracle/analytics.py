"""Makes tests/data/analytics.tsv: what independent programs find in the reference graphs.

Usage, in the repository's root (Python 3.11, about 20 minutes on one core):

    pip install -r tests/oracle/requirements.txt
    python tests/oracle/analytics.py ../shared/data > tests/data/analytics.tsv

| column | from | what |
| --- | --- | --- |
| vertices, edges | NetworkX | of the simple graph, isolated vertices left out |
| triangles | NetworkX | sum of `triangles` over the vertices, divided by 3 |
| transitivity, average_clustering | NetworkX | in Python's shortest digits that read back the same |
| degeneracy | NetworkX | largest `core_number` |
| max_truss | graphblas-algorithms | largest k whose k-truss has an edge |
| local | NetworkX | SHA-256 of (vertex, degree, `triangles`, `clustering`) for every vertex |
| support | NetworKit | SHA-256 of (u, v, `TriangleEdgeScore`) for every edge |
| truss | graphblas-algorithms | SHA-256 of (u, v, largest k with the edge in `k_truss`) for every edge |

Hashed are rows of little-endian 64-bit words (integers, and doubles for the clustering coefficient),
vertices ascending, edges with u < v ascending by u and then v, vertices called as in the file. For
graphs of up to NETWORKX_TRUSS edges NetworkX's `k_truss` must give the same trussness, or the script
stops.
"""

import gzip
import hashlib
import io
import sys
from pathlib import Path

import graphblas_algorithms
import networkit
import networkx
import numpy
import scipy.io

NETWORKX_TRUSS = 30_000


def pairs(path):
    """The edge entries of a file as an array of shape (m, 2), vertices called as in the file."""
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    kind = path.name.removesuffix(".gz").rsplit(".")[-1]
    if kind == "mtx":
        matrix = scipy.io.mmread(io.BytesIO(raw)).tocoo()
        return numpy.stack([matrix.row, matrix.col], axis=1).astype(numpy.int64) + 1
    lines = raw.decode().splitlines()
    if kind == "graph":
        lines = [line for line in lines if not line.startswith("%")][1:]
        ends = [(v, int(u)) for v, line in enumerate(lines, 1) for u in line.split()]
    else:
        lines = [line.split()[:2] for line in lines if line.strip() and line[0] not in "#%"]
        ends = [(int(u), int(v)) for u, v in lines]
    return numpy.array(ends, dtype=numpy.int64)


def sha256(rows, double=()):
    """The checksum of rows, each a tuple of integers and, in the columns `double`, of doubles."""
    columns = []
    for column, values in enumerate(zip(*rows)):
        if column in double:
            columns.append(numpy.array(values, dtype="<f8").view("<u8"))
        else:
            columns.append(numpy.array(values, dtype="<u8"))
    return hashlib.sha256(numpy.stack(columns, axis=1).tobytes()).hexdigest()


def ordered(u, v):
    return (u, v) if u < v else (v, u)


def support(graph):
    """Triangles on each edge, by NetworKit."""
    names = sorted(graph)
    number = {name: i for i, name in enumerate(names)}
    other = networkit.Graph(len(names))
    for u, v in graph.edges():
        other.addEdge(number[u], number[v])
    other.indexEdges()
    score = networkit.sparsification.TriangleEdgeScore(other).run().scores()
    return {
        ordered(names[u], names[v]): int(score[other.edgeId(u, v)]) for u, v in other.iterEdges()
    }


def trussness(graph):
    """The largest k whose k-truss has the edge, by SuiteSparse:GraphBLAS."""
    found = {ordered(u, v): 2 for u, v in graph.edges()}
    rest, k = graphblas_algorithms.Graph.from_networkx(graph), 3
    while True:
        rest = graphblas_algorithms.k_truss(rest, k)
        matrix = rest._A
        if matrix.nvals == 0:
            return found
        names = rest.id_to_key
        rows, columns, _ = matrix.to_coo()
        for u, v in zip(rows.tolist(), columns.tolist()):
            found[ordered(names[u], names[v])] = k
        k += 1


def trussness_by_networkx(graph):
    found = {ordered(u, v): 2 for u, v in graph.edges()}
    rest, k = graph, 3
    while rest.number_of_edges() > 0:
        rest = networkx.k_truss(rest, k)
        for u, v in rest.edges():
            found[ordered(u, v)] = k
        k += 1
    return found


def row(path):
    graph = networkx.Graph(pairs(path).tolist())
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    graph.remove_nodes_from(list(networkx.isolates(graph)))
    triangles = networkx.triangles(graph)
    clustering = networkx.clustering(graph)
    truss = trussness(graph)
    if graph.number_of_edges() <= NETWORKX_TRUSS:
        assert truss == trussness_by_networkx(graph), path
    return [
        path.name,
        graph.number_of_nodes(),
        graph.number_of_edges(),
        sum(triangles.values()) // 3,
        repr(float(networkx.transitivity(graph))),
        repr(float(networkx.average_clustering(graph))),
        max(networkx.core_number(graph).values()),
        max(truss.values()),
        sha256(((v, graph.degree(v), triangles[v], clustering[v]) for v in sorted(graph)), {3}),
        sha256((u, v, count) for (u, v), count in sorted(support(graph).items())),
        sha256((u, v, k) for (u, v), k in sorted(truss.items())),
    ]


def main():
    folder = Path(sys.argv[1])
    files = [line.split("\t")[0] for line in (folder / "reference.tsv").read_text().splitlines()[1:]]
    tools = [networkx, networkit, graphblas_algorithms]
    print("# " + ", ".join(f"{tool.__name__} {tool.__version__}" for tool in tools))
    print(
        "file vertices edges triangles transitivity average_clustering degeneracy max_truss "
        "local support truss".replace(" ", "\t")
    )
    for file in sys.argv[2:] or files:
        print("\t".join(map(str, row(folder / file))), flush=True)


if __name__ == "__main__":
    main()
