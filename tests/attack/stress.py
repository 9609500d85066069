"""Random graphs through every command, format and number of threads, against NetworkX and igraph.

Usage: python tests/attack/stress.py --tribin target/release/tribin [--graphs 2000] [--seed 1]

Each graph has a seed of its own, which a failure names: `--seed S --only N` makes it again.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import igraph
import networkx as nx

Edges = list[tuple[int, int]]

#: Formats that `convert` writes, and the number of the first vertex in each.
FORMATS = {
    "txt": 0, "csv": 0, "tsv": 0, "bin": 0, "npy": 0, "npz": 0, "sg": 0, "mtx": 1, "graph": 1, "txt.gz": 0, "csv.zst": 0,
    "bin.gz": 0, "mtx.gz": 1, "graph.zst": 1,
}
PATIENCE = 120


def some_graph(draw: random.Random) -> Edges:
    """Entries in any order and direction, some of them twice, and some self-loops."""
    n = draw.choice((3, 5, 9, 17, 33, 70))
    seed = draw.randrange(1 << 30)
    kinds: list[Callable[[], nx.Graph]] = [
        lambda: nx.gnp_random_graph(n, draw.choice((0.05, 0.2, 0.5, 0.9)), seed=seed),
        lambda: nx.barabasi_albert_graph(n, draw.randrange(1, min(n, 6)), seed=seed),
        lambda: nx.watts_strogatz_graph(n, min(n - 1, 4), 0.2, seed=seed),
        lambda: nx.caveman_graph(max(1, n // 5), draw.randrange(2, 7)),
        lambda: nx.star_graph(n),
        lambda: nx.complete_graph(min(n, 24)),
        lambda: nx.wheel_graph(n),
        lambda: nx.powerlaw_cluster_graph(n, min(n - 1, 3), 0.8, seed=seed),
        lambda: nx.random_geometric_graph(n, 0.3, seed=seed),
        lambda: nx.full_rary_tree(2, n),
    ]
    edges = list(draw.choice(kinds)().edges())
    names = draw.sample(range(2 * n + 2), 2 * n + 2) if draw.random() < 0.5 else list(range(2 * n + 2))
    edges = [(names[u], names[v]) for u, v in edges]
    edges += draw.sample(edges, draw.randrange(len(edges) // 3 + 1))
    edges += [(v, v) for v in draw.sample(names[:n], draw.randrange(3))]
    edges = [(v, u) if draw.random() < 0.5 else (u, v) for u, v in edges]
    draw.shuffle(edges)
    return edges


def trussness(graph: nx.Graph) -> dict[frozenset[int], int]:
    """The largest k of which each edge is in the k-truss, by NetworkX."""
    found = {frozenset(edge): 2 for edge in graph.edges()}
    k = 3
    while graph.number_of_edges():
        graph = nx.k_truss(graph, k)
        found |= {frozenset(edge): k for edge in graph.edges()}
        k += 1
    return found


class Stress:
    def __init__(self, tribin: Path, folder: Path) -> None:
        self.tribin, self.folder = str(tribin.resolve()), folder
        self.runs = 0

    def run(self, *arguments: str) -> bytes:
        self.runs += 1
        run = subprocess.run([self.tribin, *arguments], capture_output=True, timeout=PATIENCE, check=False)
        if run.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)}: exit code {run.returncode}: {run.stderr[-300:]!r}")
        return run.stdout

    def rows(self, *arguments: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.run(*arguments, "-o", "-", "--to-format", "csv").decode())))

    def check(self, edges: Edges, draw: random.Random) -> None:
        """All commands on one graph."""
        text = self.folder / "graph.txt"
        # The first line says that there may be no edges, and the option that no other format is looked for.
        text.write_text("# edges\n" + "".join(f"{u} {v}\n" for u, v in edges))
        form = draw.choice(list(FORMATS))
        if not edges and form.startswith("bin"):
            # Raw pairs without any are an empty file, which is refused.
            form = "txt"
        path, first = self.folder / f"other.{form}", FORMATS[form]
        self.run("convert", "--from-format", "edge-list", str(text), str(path), "--quiet")
        known = nx.Graph((u, v) for u, v in edges if u != v)
        threads = ["--threads", str(draw.randrange(1, 9)), "--quiet"]
        cpu = [str(path), "--device", "cpu", *threads]

        report = json.loads(self.run("count", "--json", "--verify", *cpu))
        of_vertices = nx.triangles(known)
        same("edges", report["edges"], known.number_of_edges())
        same("triangles", report["triangles"], sum(of_vertices.values()) // 3)
        same("triangles of igraph", report["triangles"], len(of_igraph(known).cliques(3, 3)))
        same("transitivity", round(report["transitivity"], 12), round(nx.transitivity(known), 12))

        stats = json.loads(self.run("stats", "--json", *cpu))
        average = sum(nx.clustering(known).values()) / max(len(known), 1)
        same("average clustering", round(stats["average_clustering"], 12), round(average, 12))
        cores = nx.core_number(known)
        same("degeneracy", stats["degeneracy"], max(cores.values(), default=0))

        rows = self.rows("local", "--core", *cpu)
        found = {int(row["vertex"]) - first: (int(row["degree"]), int(row["triangles"]), int(row["core"])) for row in rows}
        same("local", found, {v: (known.degree(v), of_vertices[v], cores[v]) for v in known})

        for command, column, expected in (
            ("support", "support", {frozenset((u, v)): len(set(known[u]) & set(known[v])) for u, v in known.edges()}),
            ("truss", "trussness", trussness(known)),
        ):
            rows = self.rows(command, *cpu)
            ends = [frozenset((int(row["u"]) - first, int(row["v"]) - first)) for row in rows]
            same(command, dict(zip(ends, (int(row[column]) for row in rows))), expected)

        rows = self.rows("list", str(path), *threads)
        listed = sorted(tuple(sorted(int(row[end]) - first for end in "uvw")) for row in rows)
        same("list", listed, sorted(tuple(sorted(triangle)) for triangle in nx.all_triangles(known)))


def of_igraph(graph: nx.Graph) -> igraph.Graph:
    index = {v: i for i, v in enumerate(graph)}
    return igraph.Graph(n=len(index), edges=[(index[u], index[v]) for u, v in graph.edges()])


def same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"{what}: {str(found)[:300]}, expected {str(expected)[:300]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tribin", type=Path, required=True)
    parser.add_argument("--graphs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one graph")
    options = parser.parse_args()
    start, failures = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="tribin-stress-") as folder:
        stress = Stress(options.tribin, Path(folder))
        for number in [options.only] if options.only is not None else range(options.graphs):
            draw = random.Random(f"{options.seed} {number}")
            edges = some_graph(draw)
            try:
                stress.check(edges, draw)
            except (AssertionError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
                failures += 1
                print(f"graph {number} (seed {options.seed}): FAILED: {error}", flush=True)
        took = time.monotonic() - start
        print(f"{stress.runs} runs in {took:.0f} s, seed {options.seed}: {failures or 'no'} failures")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
