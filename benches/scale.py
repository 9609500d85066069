#!/usr/bin/env python3
"""What very large graphs would take on many GPUs: bytes moved, memory, balance and time. Prints docs/scale.md's tables.

Two things are simulated, and the rest is arithmetic:

1. the balance: R-MAT graphs are made, ranked by degree and oriented, and their wedges are dealt to GPUs in each of the
   ways that are compared;
2. the time: rates that were measured with one to eight H200, and the bytes that each way moves.

The rates are held against every run of docs/measured.md, "Several GPUs of one host": the program fails where one of
them is off by more than 20%. Needs NumPy.

    python3 benches/scale.py [--scale 20]
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np

# Measured with H200; seconds, bytes.
UPLOAD_ONE = 17e9  # from pageable host memory to one GPU
UPLOAD_ALL = 47e9  # to all GPUs of a host
PREPARE = 8.2e-11  # an entry: ranks, keys, sort, rows (host/plan/time.rs)
ASSEMBLE = 1.3e-10  # an edge: the rows of all parts, on every GPU
LINK = 3.5e11  # from one GPU of a host to another
# Wedges a second and GPU, by the scale of an R-MAT graph with 16 entries a vertex: the hubs' share falls.
WEDGE_RATES = {24: 1.33e12, 26: 1.07e12, 28: 0.73e12}
# Assumed.
GPUS = 8  # of a host
NETWORKS = {"400 Gb/s a GPU": 8 * 50e9, "100 Gb/s a host": 12.5e9}
GPU_MEMORY = 141e9


def wedge_rate(scale: float) -> float:
    """As measured, and 0.83 of it for each scale beyond."""
    known = sorted(WEDGE_RATES)
    if scale >= known[-1]:
        return WEDGE_RATES[known[-1]] * 0.83 ** (scale - known[-1])
    return float(np.exp(np.interp(scale, known, [math.log(WEDGE_RATES[k]) for k in known])))


@dataclass
class Graph:
    name: str
    vertices: float
    entries: float
    edges: float
    wedges: float  # of the graph oriented by degree
    seconds: float  # one GPU's, if it could hold the graph

    @staticmethod
    def rmat(scale: int) -> Graph:
        """16 entries a vertex. Wedges an edge: 160 at scale 24, and 1.19 times as many a scale further (measured for 18
        to 24, and then a little less)."""
        entries = 16.0 * 2**scale
        edges = entries * (1 - 0.0203 * 0.82 ** (scale - 26))
        wedges = edges * 160.3 * 1.19 ** (scale - 24)
        return Graph(f"R-MAT {scale}", 2.0**scale, entries, edges, wedges, wedges / wedge_rate(scale))

    @staticmethod
    def web(edges: float) -> Graph:
        """A web graph whose rows stand together: 12 wedges an edge, and as fast as segments of `clustered` (docs/measured.md:
        1.2 · 10⁹ edges in 17.1 ms)."""
        return Graph(f"web, {edges:.0e} edges", edges / 12, edges, edges, 12 * edges, edges * 17.1e-3 / 1.208e9)


def one_host(graph: Graph, gpus: int) -> tuple[float, float]:
    """Seconds of counting, and of all from entries in host memory, where every GPU gets the whole oriented graph."""
    count = graph.seconds / gpus
    upload = 8 * graph.entries / min(gpus * UPLOAD_ONE, UPLOAD_ALL)
    moved = (gpus - 1) / gpus * (8 * graph.entries / gpus + 4 * graph.edges)
    prepare = PREPARE * graph.entries / gpus + ASSEMBLE * graph.edges
    return count, count + prepare + moved / LINK + upload


# Milliseconds of counting, and of all from entries in host memory where that was measured.
MEASURED = [
    (Graph.rmat(24), {1: (33.4, 212), 2: (14.1, 128), 4: (7.6, 90), 8: (4.2, 89)}),
    (Graph.rmat(26), {1: (251.2, 942), 2: (101.7, 567), 4: (52.8, 399), 8: (28.7, 383)}),
    (Graph.rmat(28), {1: (2_100, None), 2: (860, None), 3: (600, None), 8: (240, None)}),
]


def check() -> bool:
    """Prints what is predicted beside what was measured; whether all of it is within a fifth."""
    print("| graph | GPUs | counting, ms | predicted | all, ms | predicted |")
    print("| --- | --- | --- | --- | --- | --- |")
    within = True
    for graph, runs in MEASURED:
        for gpus, measured in runs.items():
            cells = []
            for found, predicted in zip(measured, one_host(graph, gpus)):
                if found is None:
                    cells += ["", ""]
                    continue
                ratio = predicted * 1e3 / found
                within &= 0.8 <= ratio <= 1.2
                cells += [f"{found:,.4g}", f"{predicted * 1e3:,.3g} ({(ratio - 1) * 100:+.0f}%)"]
            print(f"| {graph.name} | {gpus} | " + " | ".join(cells) + " |")
    print()
    return within


def rmat(scale: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Tails and heads of the simple graph by rank: the larger degree has the smaller rank, and a tail is larger."""
    draw = np.random.default_rng(seed)
    entries = 16 << scale
    ends = np.zeros((2, entries), dtype=np.int64)
    for _ in range(scale):
        quadrant = np.searchsorted([0.57, 0.76, 0.95], draw.random(entries), side="right")
        ends = 2 * ends + np.stack([quadrant >> 1, quadrant & 1])
    low, high = ends.min(axis=0), ends.max(axis=0)
    keys = np.unique((low << scale | high)[low != high])
    low, high = keys >> scale, keys & ((1 << scale) - 1)
    degrees = np.bincount(np.concatenate([low, high]), minlength=1 << scale)
    rank = np.empty(1 << scale, dtype=np.int64)
    rank[np.argsort(-degrees, kind="stable")] = np.arange(1 << scale)
    low, high = rank[low], rank[high]
    return np.maximum(low, high), np.minimum(low, high)


def excess(loads: np.ndarray) -> float:
    """The largest load over the mean."""
    return float(loads.max() / loads.mean())


def balance(scale: int) -> None:
    """What the GPU with most work has, over the mean."""
    tails, heads = rmat(scale, seed=1)
    vertices = 1 << scale
    lengths = np.bincount(tails, minlength=vertices)
    wedges = lengths * (lengths - 1) // 2
    ranks = np.arange(vertices)
    shuffled = np.random.default_rng(2).permutation(vertices)
    print(f"R-MAT {scale}: {len(tails):,} edges, {wedges.sum() / len(tails):.1f} wedges an edge")
    print()
    print("| GPUs | wedges by rank mod p | by a hash mod p | n × n blocks | edges of a block | wedges of a task |")
    print("| --- | --- | --- | --- | --- | --- |")
    for gpus in (8, 64, 1_000):
        n = round(gpus ** (1 / 3))
        by_rank = np.bincount(ranks % gpus, weights=wedges)
        by_hash = np.bincount(shuffled % gpus, weights=wedges)
        blocks = np.bincount(tails % n * n + heads % n, minlength=n * n)
        # Of each row, how many heads there are of each class.
        classes = np.bincount(tails * n + heads % n, minlength=vertices * n).reshape(vertices, n)
        tasks = []
        for i in range(n):
            own = classes[i::n].astype(np.float64)
            # Ordered pairs of classes, each of which has half of the pairs of heads.
            pairs = (own.T @ own - np.diag(own.sum(axis=0))) / 2
            tasks.append(pairs.ravel())
        print(
            f"| {gpus:,} | {excess(by_rank):.3f} | {excess(by_hash):.3f} | {n} × {n} "
            f"| {excess(blocks):.3f} | {excess(np.concatenate(tasks)):.3f} |"
        )
    print()


def bytes_of(number: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:.0f} B"


def seconds_of(number: float) -> str:
    return f"{number:.2g} s" if number < 100 else f"{number:,.0f} s"


@dataclass
class Way:
    """How the graph is spread over the GPUs."""

    name: str
    memory: float  # bytes on a GPU
    into_host: float  # bytes that each host takes from the others
    into_gpu: float  # bytes that each GPU takes, wherever they come from
    balance: float  # the GPU with most work, over the mean
    held: bool = True  # whether all GPUs together hold the graph; otherwise it comes from host memory


def ways(graph: Graph, gpus: int) -> list[Way]:
    """Those whose memory is there."""
    hosts = max(gpus // GPUS, 1)
    other = (hosts - 1) / hosts
    room = 0.85 * GPU_MEMORY
    rows, ranks = 4 * graph.edges, 8 * graph.vertices
    keys = 8 * graph.entries / hosts * other
    found = [Way("replicated", rows + ranks, keys + rows * other, rows, 1.001)]
    # Each GPU keeps the rows of a part, and all rows come past, once for each part that it has; a host takes them once for
    # all of its GPUs.
    parts = math.ceil((rows + ranks) / gpus / (room - 4e9))
    own = (rows + ranks) / gpus / parts + 4e9
    past = f", {parts} a GPU" if parts > 1 else ""
    found.append(Way(f"parts of rows{past}", own, keys + parts * rows * other, parts * rows, 1.02, parts == 1))
    # Three blocks for a task, of which one stays for the next.
    blocks = round(gpus ** (1 / 3))
    while 3 * (rows / blocks**2 + ranks / blocks) > room:
        blocks += 1
    block = rows / blocks**2 + ranks / blocks
    tasks = blocks**3 / gpus
    taken = block * (3 + 2 * (max(tasks, 1) - 1))
    of_tasks = f", {tasks:.3g} tasks a GPU" if tasks > 1.01 else ""
    name = f"{blocks} × {blocks} blocks{of_tasks}"
    found.append(Way(name, 3 * block, keys + GPUS * taken * other, taken, 1.02, tasks <= 1.01))
    return [way for way in found if way.memory <= room]


def many(graph: Graph, gpus: int) -> str:
    """One row of the table: the way that takes the least time with the faster network."""
    hosts = max(gpus // GPUS, 1)

    def seconds(way: Way, network: float) -> tuple[float, float, float]:
        inside = way.into_gpu / (LINK if way.held else UPLOAD_ALL / GPUS)
        network = way.into_host / network
        prepare = PREPARE * graph.entries / gpus + ASSEMBLE * way.memory / 4
        return prepare, max(inside, network), graph.seconds / gpus * way.balance

    fast, slow = NETWORKS.values()
    way = min(ways(graph, gpus), key=lambda way: sum(seconds(way, fast)))
    prepare, moving, count = seconds(way, fast)
    cells = [graph.name, f"{gpus:,}", way.name, bytes_of(way.memory), bytes_of(way.into_host), bytes_of(way.into_gpu)]
    cells += [seconds_of(prepare), seconds_of(count), seconds_of(moving), seconds_of(seconds(way, slow)[1])]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20, help="of the R-MAT graph whose balance is simulated")
    options = parser.parse_args()
    within = check()
    balance(options.scale)
    names = " | ".join(f"moving, {name}" for name in NETWORKS)
    print(f"| graph | GPUs | way | memory of a GPU | into each host | into each GPU | preparing | counting | {names} |")
    print("| --- " * (8 + len(NETWORKS)) + "|")
    for graph in (Graph.rmat(30), Graph.rmat(32), Graph.rmat(34), Graph.web(1e12)):
        for gpus in (8, 64, 1_024):
            print(many(graph, gpus))
    if not within:
        print("a measured run is off by more than 20%", file=sys.stderr)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
