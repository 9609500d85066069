"""Reads a graph that tribin wrote in every format, with the readers that users have.

Usage: python tests/oracle/read_back.py FOLDER, with SciPy, NetworkX and igraph, and maybe pandas and pyarrow.
`tests/cli/read_back.rs` fills the folder and runs this where the packages are there. In it are

| file | what |
| --- | --- |
| edges.json | the edges of the simple graph as pairs of indexes from 0, the smaller first, ascending |
| vertices.json | the number of vertices, isolated ones included |
| graph.EXTENSION | the graph |
| local.EXTENSION | the table of `tribin local --all` |

Every file that is there is read, and each reader says so in a line. The first difference ends the script.
"""

import json
import struct
import sys
from pathlib import Path

import igraph
import networkx
import numpy
import scipy.io
import scipy.sparse

FOLDER = Path(sys.argv[1])
EDGES = [tuple(edge) for edge in json.loads((FOLDER / "edges.json").read_text())]
VERTICES = json.loads((FOLDER / "vertices.json").read_text())
EXPECTED = networkx.Graph(EDGES)
EXPECTED.add_nodes_from(range(VERTICES))
TRIANGLES = sum(networkx.triangles(EXPECTED).values()) // 3


def check(name, edges, triangles=None):
    """Compares pairs without directions, self-loops and duplicates, and the reader's own count."""
    simple = sorted({(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]})
    assert simple == EDGES, f"{name}: {len(simple)} edges, not {len(EDGES)}"
    assert triangles in (None, TRIANGLES), f"{name}: {triangles} triangles, not {TRIANGLES}"
    print(name)


def integers(pairs):
    return [(int(u), int(v)) for u, v in pairs]


def of_networkx(name, graph):
    triangles = sum(networkx.triangles(graph).values()) // 3
    check(name, integers(graph.edges), triangles)


def of_matrix(name, matrix):
    """A symmetric matrix of ones: its cube counts each triangle six times."""
    matrix = scipy.sparse.csr_array(matrix).astype("int64")
    assert matrix.shape == (VERTICES, VERTICES), name
    assert (matrix != matrix.T).nnz == 0 and set(matrix.data) <= {1}, name
    triangles = (matrix @ matrix).multiply(matrix).sum() // 6
    check(name, integers(zip(*matrix.nonzero())), int(triangles))
    of_networkx(f"{name}, networkx", networkx.from_scipy_sparse_array(matrix))


def of_sg(path):
    """GAP's layout: whether it is directed, edges and nodes, offsets, neighbours."""
    data = path.read_bytes()
    directed, entries, nodes = struct.unpack_from("<?qq", data)
    assert not directed and nodes == VERTICES and len(data) == 17 + 8 * (nodes + 1) + 4 * entries
    offsets = numpy.frombuffer(data, "<i8", nodes + 1, 17)
    neighbours = numpy.frombuffer(data, "<i4", entries, 17 + 8 * (nodes + 1))
    check("sg, GAP's layout", zip(numpy.repeat(range(nodes), numpy.diff(offsets)), neighbours))


def of_metis(path):
    nodes, edges, *rows = path.read_text().split("\n")[0].split() + path.read_text().split("\n")[1:-1]
    assert (int(nodes), int(edges)) == (VERTICES, len(EDGES)) and len(rows) == VERTICES
    pairs = [(u, int(v) - 1) for u, row in enumerate(rows) for v in row.split()]
    assert len(pairs) == 2 * len(EDGES)
    check("graph, METIS's layout", pairs)


def of_table(name, table):
    """Signed columns: a vertex with more triangles than neighbours has a negative difference."""
    assert list(table["vertex"]) == list(range(VERTICES)), name
    assert list(table["degree"]) == [EXPECTED.degree(v) for v in range(VERTICES)], name
    triangles = networkx.triangles(EXPECTED)
    assert list(table["triangles"]) == [triangles[v] for v in range(VERTICES)], name
    assert min(table["degree"] - table["triangles"]) < 0, name
    print(f"{name}, table")


def main():
    graph = lambda extension: FOLDER / f"graph.{extension}"
    for extension, delimiter in [("txt", None), ("txt.gz", None), ("csv", ","), ("tsv", "\t")]:
        read = networkx.read_edgelist(graph(extension), delimiter=delimiter, nodetype=int)
        of_networkx(f"{extension}, networkx", read)
    read = igraph.Graph.Read_Edgelist(str(graph("txt")), directed=False).simplify()
    check("txt, igraph", read.get_edgelist(), len(read.list_triangles()))
    check("txt, numpy", integers(numpy.loadtxt(graph("txt"), dtype="int64")))
    check("npy, numpy", integers(numpy.load(graph("npy"))))
    check("bin, numpy", integers(numpy.fromfile(graph("bin"), "<u4").reshape(-1, 2)))
    of_matrix("mtx, scipy", scipy.io.mmread(graph("mtx")))
    of_matrix("mtx.gz, scipy", scipy.io.mmread(graph("mtx.gz")))
    of_matrix("npz, scipy", scipy.sparse.load_npz(graph("npz")))
    of_metis(graph("graph"))
    of_sg(graph("sg"))
    of_table("npy", numpy.load(FOLDER / "local.npy"))
    try:
        import pandas
    except ImportError:
        print("pandas is not there")
        return
    for extension in ["csv", "csv.gz"]:
        of_table(f"{extension}, pandas", pandas.read_csv(FOLDER / f"local.{extension}"))
    of_table("tsv, pandas", pandas.read_csv(FOLDER / "local.tsv", sep="\t"))
    for extension, read in [("parquet", pandas.read_parquet), ("feather", pandas.read_feather)]:
        if (path := FOLDER / f"local.{extension}").exists():
            try:
                of_table(f"{extension}, pandas", read(path))
            except ImportError:
                print("pyarrow is not there")
    try:
        import zstandard  # noqa: F401, what pandas reads .zst with
    except ImportError:
        return
    of_table("csv.zst, pandas", pandas.read_csv(FOLDER / "local.csv.zst"))
    check("csv.zst, pandas", integers(pandas.read_csv(graph("csv.zst"), header=None).to_numpy()))


main()
print("all agree")
