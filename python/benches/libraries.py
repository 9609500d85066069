"""Graph libraries side by side: the same edges in memory, two threads, runs that take turns.

    python libraries.py [--rounds 3] [--limit 4] [--size 15] [--only tribin,igraph] [--tasks k-truss] [--graphs rmat]
                        [--graph-tool /path/of/a/python/that/has/it] [--of-own] [--processor]

Each run is a process of its own, forked from one that has imported the library. A time is that from a NumPy array of
the edges to the result: what the library needs of its own structures is in it. `--of-own` begins with these instead, and
`--processor` tells the time of all threads, which other work on the machine changes less. Memory is the most that the process
had beyond what it had when it had the array. The results are compared. A run that takes longer than the limit is ended.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import json
import math
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

THREADS = 2
#: Of the core, of the truss, and the vertices of the cliques and motifs.
K = 4
#: Pairs of vertices that are compared.
PAIRS = 10_000

#: What is found; each by two libraries at least.
TASKS = {
    "count": "all triangles",
    "local": "triangles at every vertex",
    "clustering": "clustering coefficients",
    "transitivity": "transitivity",
    "cores": "core numbers",
    "k-core": f"{K}-core",
    "k-truss": f"{K}-truss",
    "list": "list of triangles",
    "jaccard": f"Jaccard coefficients of {PAIRS:,} pairs",
    "adamic-adar": f"Adamic and Adar's index of {PAIRS:,} pairs",
    "cliques": f"cliques of {K} vertices",
    "motifs": f"motifs of {K} vertices",
    "census": "triad census",
}
#: What NetworkX has with the backend and without.
OF_BACKEND = {
    "weighted-clustering": "clustering coefficients with weights",
    "generalized-degree": "generalized degrees",
    "local-constraint": "local constraint of the vertex with most neighbours and one of these",
    "all-cliques": "all cliques",
}


def models(size: int) -> dict[str, list[str]]:
    """Five kinds of graphs with 2^size vertices and about eight times as many edges, as `tribin generate` makes them."""
    n = str(1 << size)
    return {
        "rmat": ["rmat", "--scale", str(size), "--edge-factor", "8"],
        "uniform": ["erdos-renyi", "--vertices", n, "--edges", str(8 << size)],
        "ba": ["barabasi-albert", "--vertices", n, "--links", "8"],
        "small-world": ["watts-strogatz", "--vertices", n, "--half-degree", "8"],
        "hyperbolic": ["hyperbolic", "--vertices", n, "--degree", "16"],
    }


#: Makes a graph of edges, a number of vertices, and whether edges have directions.
Make = Callable[[Any, int, bool], Any]
#: Finds a figure of a graph and of pairs of vertices.
Task = Callable[[Any, Any], float]
Library = Callable[[], tuple[Make, dict[str, Task]]]


def tribin_tasks() -> tuple[Make, dict[str, Task]]:
    import tribin

    def make(edges: Any, n: int, directed: bool) -> Any:
        return tribin.Graph(edges, vertices=n, device="cpu", threads=THREADS, directed=directed)

    def motifs(graph: Any) -> int:
        found = graph.motifs()
        return sum(motif["induced"] for name, motif in found.items() if name not in ("wedge", "triangle"))

    return make, {
        "count": lambda graph, _: graph.count(),
        "local": lambda graph, _: graph.local().triangles.sum(),
        "clustering": lambda graph, _: graph.clustering().clustering.sum(),
        "transitivity": lambda graph, _: graph.transitivity(),
        "cores": lambda graph, _: graph.core_numbers().core_number.sum(),
        "k-core": lambda graph, _: len(graph.k_core(K)),
        "k-truss": lambda graph, _: len(graph.k_truss(K)),
        "list": lambda graph, _: sum(map(len, list(graph.triangles()))),
        "jaccard": lambda graph, pairs: graph.similarities(pairs).sum(),
        "adamic-adar": lambda graph, pairs: graph.similarities(pairs, "adamic_adar").sum(),
        "cliques": lambda graph, _: graph.cliques(K),
        "motifs": lambda graph, _: motifs(graph),
        "census": lambda graph, _: graph.census()["030T"],
    }


def scipy_tasks() -> tuple[Make, dict[str, Task]]:
    import scipy.sparse as sp

    def make(edges: Any, n: int, _: bool) -> Any:
        ends = np.concatenate((edges, edges[:, ::-1]))
        return sp.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))

    def triangles(graph: Any) -> Any:
        return (graph @ graph).multiply(graph).sum(axis=1) / 2

    def wedges(graph: Any) -> Any:
        degrees = np.diff(graph.indptr)
        return degrees * (degrees - 1) / 2

    def count(graph: Any) -> float:
        lower = sp.tril(graph, format="csr")
        return (lower @ lower).multiply(lower).sum()

    def jaccard(graph: Any, pairs: Any) -> float:
        degrees = np.diff(graph.indptr)
        common = graph[pairs[:, 0]].multiply(graph[pairs[:, 1]]).sum(axis=1)
        every = degrees[pairs].sum(axis=1) - common
        return np.divide(common, every, out=np.zeros(len(every)), where=every > 0).sum()

    def adamic_adar(graph: Any, pairs: Any) -> float:
        shares = 1 / np.log(np.maximum(np.diff(graph.indptr), 2))
        return (graph[pairs[:, 0]].multiply(graph[pairs[:, 1]]) @ shares).sum()

    return make, {
        "count": lambda graph, _: count(graph),
        "local": lambda graph, _: triangles(graph).sum(),
        "clustering": lambda graph, _: (triangles(graph) / np.maximum(wedges(graph), 1)).sum(),
        "transitivity": lambda graph, _: 3 * count(graph) / wedges(graph).sum(),
        "jaccard": jaccard,
        "adamic-adar": adamic_adar,
    }


def networkit_tasks() -> tuple[Make, dict[str, Task]]:
    import networkit as nk

    nk.setNumberOfThreads(THREADS)

    def make(edges: Any, n: int, directed: bool) -> Any:
        columns = np.ascontiguousarray(edges[:, 0]), np.ascontiguousarray(edges[:, 1])
        return nk.graph.GraphFromCoo(columns, n=n, directed=directed)

    def count(graph: Any) -> int:
        graph.indexEdges()
        return sum(nk.sparsification.TriangleEdgeScore(graph).run().scores()) // 3

    def alike(index: Any, pairs: Any) -> float:
        return sum(score for _, score in index.runOn(list(map(tuple, pairs.tolist()))))

    return make, {
        "count": lambda graph, _: count(graph),
        "clustering": lambda graph, _: sum(nk.centrality.LocalClusteringCoefficient(graph, True).run().scores()),
        "transitivity": lambda graph, _: nk.globals.ClusteringCoefficient.exactGlobal(graph),
        "cores": lambda graph, _: sum(nk.centrality.CoreDecomposition(graph).run().scores()),
        "jaccard": lambda graph, pairs: alike(nk.linkprediction.JaccardIndex(graph), pairs),
        "adamic-adar": lambda graph, pairs: alike(nk.linkprediction.AdamicAdarIndex(graph), pairs),
    }


def of_transitivity(share: float, degrees: Any) -> int:
    degrees = np.asarray(degrees, dtype=np.int64)
    return round(share * int((degrees * (degrees - 1) // 2).sum()) / 3)


def igraph_tasks() -> tuple[Make, dict[str, Task]]:
    import igraph

    return lambda edges, n, directed: igraph.Graph(n=n, edges=edges, directed=directed), {
        "count": lambda graph, _: of_transitivity(graph.transitivity_undirected(), graph.degree()),
        "clustering": lambda graph, _: sum(graph.transitivity_local_undirected(mode="zero")),
        "transitivity": lambda graph, _: graph.transitivity_undirected(),
        "cores": lambda graph, _: sum(graph.coreness()),
        "k-core": lambda graph, _: graph.k_core(K).ecount(),
        "list": lambda graph, _: len(graph.list_triangles()),
        "jaccard": lambda graph, pairs: sum(graph.similarity_jaccard(pairs=pairs.tolist(), loops=False)),
        "cliques": lambda graph, _: len(graph.cliques(K, K)),
        "motifs": lambda graph, _: np.nansum(graph.motifs_randesu(K)),
        "census": lambda graph, _: graph.triad_census().t030T,
    }


def rustworkx_tasks() -> tuple[Make, dict[str, Task]]:
    import rustworkx as rx

    def make(edges: Any, n: int, _: bool) -> Any:
        graph = rx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(list(map(tuple, edges.tolist())))
        return graph

    def count(graph: Any) -> int:
        return of_transitivity(rx.transitivity(graph), [graph.degree(node) for node in graph.node_indices()])

    return make, {
        "count": lambda graph, _: count(graph),
        "transitivity": lambda graph, _: rx.transitivity(graph),
        "cores": lambda graph, _: sum(rx.core_number(graph).values()),
    }


def graph_tool_tasks() -> tuple[Make, dict[str, Task]]:
    import graph_tool.all as gt

    gt.openmp_set_num_threads(THREADS)

    def make(edges: Any, n: int, directed: bool) -> Any:
        graph = gt.Graph(directed=directed)
        graph.add_vertex(n)
        graph.add_edge_list(edges)
        return graph

    def alike(graph: Any, by: str, pairs: Any) -> float:
        return np.nansum(gt.vertex_similarity(graph, by, vertex_pairs=pairs))

    return make, {
        "count": lambda graph, _: gt.global_clustering(graph, ret_counts=True)[-2],
        "clustering": lambda graph, _: gt.local_clustering(graph).a.sum(),
        "transitivity": lambda graph, _: gt.global_clustering(graph)[0],
        "cores": lambda graph, _: gt.kcore_decomposition(graph).a.sum(),
        "jaccard": lambda graph, pairs: alike(graph, "jaccard", pairs),
        "adamic-adar": lambda graph, pairs: alike(graph, "inv-log-weight", pairs),
        "motifs": lambda graph, _: sum(gt.motifs(graph, K)[1]),
    }


def networkx_tasks(backend: str | None = None) -> tuple[Make, dict[str, Task]]:
    import networkx as nx

    chosen = {} if backend is None else {"backend": backend}

    def make(edges: Any, n: int, directed: bool) -> Any:
        graph = nx.empty_graph(n, nx.DiGraph if directed else nx.Graph)
        graph.add_edges_from(edges.tolist())
        return graph

    def scores(found: Any) -> float:
        return sum(score for _, _, score in found)

    def cliques(graph: Any) -> int:
        found = nx.enumerate_all_cliques(graph, **chosen)
        return sum(len(clique) == K for clique in itertools.takewhile(lambda clique: len(clique) <= K, found))

    def local_constraint(graph: Any) -> float:
        most = max(graph, key=graph.degree)
        return nx.local_constraint(graph, most, next(graph.neighbors(most)), **chosen)

    def weighted(graph: Any) -> float:
        return sum(nx.clustering(graph, weight="weight", **chosen).values())

    return make, {
        "count": lambda graph, _: sum(nx.triangles(graph, **chosen).values()) // 3,
        "local": lambda graph, _: sum(nx.triangles(graph, **chosen).values()),
        "clustering": lambda graph, _: sum(nx.clustering(graph, **chosen).values()),
        "transitivity": lambda graph, _: nx.transitivity(graph, **chosen),
        "cores": lambda graph, _: sum(nx.core_number(graph, **chosen).values()),
        "k-core": lambda graph, _: nx.k_core(graph, K, **chosen).number_of_edges(),
        "k-truss": lambda graph, _: nx.k_truss(graph, K, **chosen).number_of_edges(),
        "list": lambda graph, _: len(list(nx.all_triangles(graph, **chosen))),
        "jaccard": lambda graph, pairs: scores(nx.jaccard_coefficient(graph, pairs.tolist(), **chosen)),
        "adamic-adar": lambda graph, pairs: scores(nx.adamic_adar_index(graph, pairs.tolist(), **chosen)),
        "cliques": lambda graph, _: cliques(graph),
        "census": lambda graph, _: nx.triadic_census(graph, **chosen)["030T"],
        "weighted-clustering": lambda graph, _: weighted(graph),
        "generalized-degree": lambda graph, _: sum(map(len, nx.generalized_degree(graph, **chosen).values())),
        "local-constraint": lambda graph, _: local_constraint(graph),
        "all-cliques": lambda graph, _: sum(1 for _ in nx.enumerate_all_cliques(graph, **chosen)),
    }


LIBRARIES: dict[str, Library] = {
    "tribin": tribin_tasks,
    "scipy": scipy_tasks,
    "networkit": networkit_tasks,
    "igraph": igraph_tasks,
    "rustworkx": rustworkx_tasks,
    "graph-tool": graph_tool_tasks,
    "networkx": networkx_tasks,
    "networkx-tribin": lambda: networkx_tasks("tribin"),
}


def peak() -> float:
    """The most MiB that the process had resident since `Path("/proc/self/clear_refs")` was written to."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def run(make: Make, task: Task, asked: dict[str, Any]) -> None:
    """Does what a line of the input says, and tells what it took."""
    edges, vertices = np.load(asked["edges"]), asked["vertices"]
    pairs = np.random.default_rng(3).integers(0, vertices, (PAIRS, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    # What takes too long is ended, wherever it is.
    signal.alarm(asked["limit"])
    directed = asked["task"] == "census"
    # What a library does once in a process, such as starting its threads, is done before.
    task(make(np.array([[0, 1], [1, 2], [2, 0]]), 3, directed), np.array([[0, 1]]))
    # Memory that is free and not given back would be taken without being seen.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    clock = time.process_time if asked["processor"] else time.perf_counter
    start = clock()
    graph = make(edges, vertices, directed)
    if asked["of_own"]:
        start = clock()
    result = float(task(graph, pairs))
    took = clock() - start
    # Giving the graph's memory back takes time, too, and ends nothing.
    signal.alarm(0)
    print(json.dumps({"result": result, "seconds": took, "mib": peak() - before}), flush=True)


def work(library: str) -> None:
    """Lets a process of its own do each line of the input."""
    make, tasks = LIBRARIES[library]()
    print(json.dumps(list(tasks)), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            try:
                run(make, tasks[asked["task"]], asked)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGALRM:
            print("null", flush=True)


class Worker:
    def __init__(self, library: str, python: str) -> None:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
        environment = os.environ | dict.fromkeys(names, str(THREADS))
        self.process = subprocess.Popen(
            [python, "-W", "ignore", __file__, "--work", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.tasks: list[str] = self.read()

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, **asked: Any) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return self.read()


def edges_of(model: list[str], folder: str) -> Any:
    """Simple edges, each once, in an order of their own."""
    path = Path(folder) / "generated.npy"
    subprocess.run([sys.executable, "-m", "tribin", "generate", *model, "-q", "-o", path], check=True)
    edges = np.sort(np.load(path).reshape(-1, 2), axis=1)
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0).astype(np.int64)
    return edges[np.random.default_rng(1).permutation(len(edges))]


def cell(runs: list[Any], limit: int) -> str:
    if not runs:
        return ""
    if None in runs:
        return f"> {limit} s"
    seconds, mib = (statistics.median(run[what] for run in runs) for what in ("seconds", "mib"))
    return (f"{seconds:,.2f} s" if seconds >= 1 else f"{seconds * 1e3:,.1f} ms") + f", {mib:,.0f} MiB"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=4, help="seconds of a run")
    parser.add_argument("--size", type=int, default=15, help="the binary logarithm of the number of vertices")
    parser.add_argument("--graph-tool", help="a Python that has graph-tool")
    parser.add_argument("--only", default=",".join(name for name in LIBRARIES if name != "networkx-tribin"))
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--graphs", default=",".join(models(0)))
    parser.add_argument("--of-own", action="store_true", help="begin with the library's own graph")
    parser.add_argument("--processor", action="store_true", help="tell processor time")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    pythons = {"graph-tool": options.graph_tool}
    chosen = [name for name in options.only.split(",") if name not in pythons or pythons[name]]
    workers = {name: Worker(name, pythons.get(name, sys.executable)) for name in chosen}
    first = next(iter(workers))
    ratios: dict[str, list[float]] = {name: [] for name in workers if name != first}
    print(f"Python {platform.python_version()}, {THREADS} threads, load {os.getloadavg()[0]:.1f} at the start")
    print("\n| graph | edges | task | " + " | ".join(workers) + " |")
    print("| --- | --- | --- |" + " --- |" * len(workers))
    with tempfile.TemporaryDirectory() as folder:
        for name in options.graphs.split(","):
            edges = edges_of(models(options.size)[name], folder)
            path = str(Path(folder) / f"{name}.npy")
            np.save(path, edges)
            asked = {name: getattr(options, name) for name in ("limit", "of_own", "processor")}
            asked |= {"edges": path, "vertices": int(edges.max()) + 1}
            for task in options.tasks.split(","):
                runs: dict[str, list[Any]] = {library: [] for library in workers}
                for turn in range(options.rounds):
                    for library, worker in workers.items():
                        seen = runs[library]
                        # What takes long is run once.
                        if task not in worker.tasks or (seen and (seen[0] is None or seen[0]["seconds"] > 1)):
                            continue
                        seen.append(worker.ask(task=task, **asked))
                        print(f"{name}, {task}, run {turn + 1}: {library} {seen[-1]}", file=sys.stderr, flush=True)
                told = {library: seen[0]["result"] for library, seen in runs.items() if seen and seen[0]}
                expected = next(iter(told.values()), 0.0)
                for library, result in told.items():
                    assert math.isclose(result, expected, rel_tol=1e-9), (name, task, library, result, expected)
                cells = " | ".join(cell(seen, options.limit) for seen in runs.values())
                what = (TASKS | OF_BACKEND)[task]
                print(f"| {name} | {len(edges):,} | {what} | {cells} |", flush=True)
                if first in told:
                    least = min(run["seconds"] for run in runs[first])
                    for library in ratios:
                        if seen := runs[library]:
                            took = options.limit if seen[0] is None else min(run["seconds"] for run in seen)
                            ratios[library].append(took / least)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end. Times of the others as multiples of {first}'s, least of the runs:\n")
    for library, found in ratios.items():
        if found:
            print(f"- {library}: {min(found):.1f} to {max(found):.1f}, geometric mean {statistics.geometric_mean(found):.1f}")


if __name__ == "__main__":
    main()
