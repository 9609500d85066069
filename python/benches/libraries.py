"""Graph libraries side by side: the same edges in memory, two threads, runs that take turns.

    python libraries.py [--rounds 5] [--graph-tool /path/of/a/python/that/has/it] [--only tribin,igraph]
                        [--tasks truss] [--graphs rmat16]

Each library works in a process of its own, which is told one task after the other. A time is that from a NumPy array
of the edges to the result: what the library needs of its own structures is in it. The results are compared. Beside
the median of the wall-clock times stands that of the processor times, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
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
#: All triangles, the sum of the clustering coefficients, the edges of a truss.
TASKS = ("count", "local", "truss")
#: Of the truss.
K = 4
#: The graphs: what `tribin generate` makes.
GRAPHS = {
    "rmat16": ["rmat", "--scale", "16", "--seed", "1"],
    "ba": ["barabasi-albert", "--vertices", "100000", "--links", "10", "--seed", "1"],
}

Task = Callable[[Any], float]


def tribin_tasks() -> tuple[Callable[..., Any], dict[str, Task]]:
    import tribin

    return (
        lambda edges, n: tribin.Graph(edges, vertices=n, device="cpu", threads=THREADS),
        {
            "count": lambda graph: graph.count(),
            "local": lambda graph: graph.local().clustering.sum(),
            "truss": lambda graph: len(graph.k_truss(K)),
        },
    )


def networkit_tasks() -> tuple[Callable[..., Any], dict[str, Task]]:
    import networkit as nk

    nk.setNumberOfThreads(THREADS)

    def count(graph: Any) -> float:
        graph.indexEdges()
        return sum(nk.sparsification.TriangleEdgeScore(graph).run().scores()) // 3

    def local(graph: Any) -> float:
        return sum(nk.centrality.LocalClusteringCoefficient(graph, True).run().scores())

    def make(edges: Any, n: int) -> Any:
        columns = np.ascontiguousarray(edges[:, 0]), np.ascontiguousarray(edges[:, 1])
        return nk.graph.GraphFromCoo(columns, n=n, directed=False)

    return (
        make,
        {"count": count, "local": local},
    )


def of_transitivity(share: float, degrees: Any) -> int:
    degrees = np.asarray(degrees, dtype=np.int64)
    return round(share * int((degrees * (degrees - 1) // 2).sum()) / 3)


def igraph_tasks() -> tuple[Callable[..., Any], dict[str, Task]]:
    import igraph

    return (
        lambda edges, n: igraph.Graph(n=n, edges=edges),
        {
            "count": lambda graph: of_transitivity(graph.transitivity_undirected(), graph.degree()),
            "local": lambda graph: sum(graph.transitivity_local_undirected(mode="zero")),
        },
    )


def rustworkx_tasks() -> tuple[Callable[..., Any], dict[str, Task]]:
    import rustworkx as rx

    def make(edges: Any, n: int) -> Any:
        graph = rx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(list(map(tuple, edges.tolist())))
        return graph

    def count(graph: Any) -> float:
        return of_transitivity(rx.transitivity(graph), [graph.degree(node) for node in graph.node_indices()])

    return make, {"count": count}


def graph_tool_tasks() -> tuple[Callable[..., Any], dict[str, Task]]:
    import graph_tool.all as gt

    gt.openmp_set_num_threads(THREADS)

    def make(edges: Any, n: int) -> Any:
        graph = gt.Graph(directed=False)
        graph.add_vertex(n)
        graph.add_edge_list(edges)
        return graph

    return (
        make,
        {
            "count": lambda graph: gt.global_clustering(graph, ret_counts=True)[-2],
            "local": lambda graph: gt.local_clustering(graph).a.sum(),
        },
    )


def networkx_tasks(backend: str | None = None) -> tuple[Callable[..., Any], dict[str, Task]]:
    import networkx as nx

    chosen = {} if backend is None else {"backend": backend}

    def make(edges: Any, n: int) -> Any:
        graph = nx.empty_graph(n)
        graph.add_edges_from(edges.tolist())
        return graph

    return (
        make,
        {
            "count": lambda graph: sum(nx.triangles(graph, **chosen).values()) // 3,
            "local": lambda graph: sum(nx.clustering(graph, **chosen).values()),
            "truss": lambda graph: nx.k_truss(graph, K, **chosen).number_of_edges(),
        },
    )


LIBRARIES: dict[str, Callable[[], tuple[Callable[..., Any], dict[str, Task]]]] = {
    "tribin": tribin_tasks,
    "networkit": networkit_tasks,
    "igraph": igraph_tasks,
    "rustworkx": rustworkx_tasks,
    "graph-tool": graph_tool_tasks,
    "networkx": networkx_tasks,
    "networkx-tribin": lambda: networkx_tasks("tribin"),
}

#: Seconds that a first run may take for others to follow.
PATIENCE = 60.0


def work(library: str) -> None:
    """Does what each line of the input says, in a process of its own."""
    make, tasks = LIBRARIES[library]()
    print(json.dumps({"tasks": list(tasks)}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        edges = np.load(asked["edges"])
        start, used = time.perf_counter(), time.process_time()
        graph = make(edges, asked["vertices"])
        result = float(tasks[asked["task"]](graph))
        took = {"wall": time.perf_counter() - start, "cpu": time.process_time() - used}
        print(json.dumps({"result": result, **took}), flush=True)


class Worker:
    def __init__(self, library: str, python: str) -> None:
        command = [python, __file__, "--work", library]
        environment = os.environ | {"OMP_NUM_THREADS": str(THREADS), "RAYON_NUM_THREADS": str(THREADS)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.tasks: list[str] = self.read()["tasks"]

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline() or '{"tasks": []}')

    def ask(self, **asked: Any) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return self.read()


def edges_of(model: list[str], folder: str) -> Any:
    """Simple edges, each once, in an order of their own."""
    path = Path(folder) / "generated.npy"
    subprocess.run([sys.executable, "-m", "tribin", "generate", *model, "-o", path], check=True)
    edges = np.sort(np.load(path).reshape(-1, 2), axis=1)
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0).astype(np.int64)
    return edges[np.random.default_rng(1).permutation(len(edges))]


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:,.0f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--graph-tool", help="a Python that has graph-tool")
    parser.add_argument("--only", default=",".join(LIBRARIES))
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    pythons = {"graph-tool": options.graph_tool}
    workers = {}
    for library in options.only.split(","):
        python = pythons.get(library, sys.executable)
        if python is not None:
            workers[library] = Worker(library, python)
    print(f"Python {platform.python_version()}, {THREADS} threads, load {os.getloadavg()[0]:.1f} at the start")
    print("\n| graph | edges | task | " + " | ".join(workers) + " |")
    print("| --- | --- | --- |" + " --- |" * len(workers))
    with tempfile.TemporaryDirectory() as folder:
        for name in options.graphs.split(","):
            edges = edges_of(GRAPHS[name], folder)
            path = str(Path(folder) / f"{name}.npy")
            np.save(path, edges)
            for task in options.tasks.split(","):
                times: dict[str, list[tuple[float, float]]] = {library: [] for library in workers}
                results: dict[str, float] = {}
                for turn in range(options.rounds):
                    for library, worker in workers.items():
                        seen = times[library]
                        if task not in worker.tasks or (seen and seen[0][0] > PATIENCE):
                            continue
                        told = worker.ask(edges=path, vertices=int(edges.max()) + 1, task=task)
                        seen.append((told["wall"], told["cpu"]))
                        took = f"{shown(told['wall'])} ({shown(told['cpu'])})"
                        print(f"{name}, {task}, run {turn + 1}: {library} {took}", file=sys.stderr, flush=True)
                        results[library] = told["result"]
                first = next(iter(results.values()))
                for library, result in results.items():
                    assert abs(result - first) <= 1e-9 * abs(first), (name, task, library, result, first)
                cells = [
                    f"{shown(statistics.median(w for w, _ in seen))} ({shown(statistics.median(c for _, c in seen))})"
                    if seen
                    else ""
                    for seen in times.values()
                ]
                print(f"| {name} | {len(edges):,} | {task} | " + " | ".join(cells) + " |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
