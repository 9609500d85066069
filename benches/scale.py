#!/usr/bin/env python3
"""What large graphs take on one GPU, on the GPUs of a host, and on 2 to 10,000 workers that count groups of colours. Prints
docs/scale.md's tables.

The first table holds rates that were measured with one to eight H200 against every run of docs/measured.md, "Several GPUs
of one host": the program fails where one of them is off by more than 20%. The others are arithmetic with those rates, with
rates of CPUs, and with what plans of `host/cluster` give to workers. Needs NumPy.

    python3 benches/scale.py
"""

from __future__ import annotations

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
# A core of a host, nanoseconds an entry of an R-MAT graph: what does not depend on its scale, and what grows 1.19-fold with
# each scale from 20 on (docs/ranks.md: 95, 102 and 120 at scales 18, 19 and 20).
CORE_FIXED, CORE_GROWING = 35e-9, 85e-9
# Assumed.
CORES = 64  # of a host
NETWORK = 1.25e9  # of a host: 10 Gb/s
ROW = 20  # a row of a shuffle: a group and two ids, compressed
GROUP_ENTRY = 64  # memory for an entry of a group

# What workers get of an R-MAT graph: groups, the largest one's share of the entries, the busiest worker's, and how often an
# entry goes to a group (`cargo test -p tribin-cluster -- --ignored --nocapture`).
PLANS = {
    2: (2, 0.7512, 0.7512, 1.50),
    4: (4, 0.6667, 0.6667, 2.33),
    8: (8, 0.4394, 0.4394, 3.25),
    16: (16, 0.3115, 0.3115, 4.61),
    64: (63, 0.1398, 0.1398, 8.07),
    256: (240, 0.0614, 0.0614, 13.13),
    1_024: (1_642, 0.0259, 0.0271, 24.59),
    10_000: (7_719, 0.0067, 0.0067, 38.59),
}


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


def bytes_of(number: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:.0f} B"


def seconds_of(number: float) -> str:
    return f"{number:.2g} s" if number < 100 else f"{number:,.0f} s"


def many(scale: int) -> None:
    """A row for each number of workers, each a host of 64 cores."""
    graph = Graph.rmat(scale)
    core = CORE_FIXED + CORE_GROWING * 1.19 ** (scale - 20)
    read = 8 * graph.entries
    memory, seconds = bytes_of(4 * graph.edges + 8 * graph.vertices), seconds_of(one_host(graph, 1)[1])
    fits = 20 * graph.entries < 141e9
    print(f"{graph.name}: {bytes_of(read)} of raw pairs. One H200: {seconds if fits else 'does not hold it'} ({memory} of rows).")
    print()
    print("| workers | read by each | held by each | groups | moved in all | Spark and Ray |")
    print("| --- | --- | --- | --- | --- | --- |")
    for workers, (_, largest, busiest, moved) in PLANS.items():
        count = graph.entries * busiest * core / CORES
        shuffled = moved * graph.entries * ROW
        cells = [f"{workers:,}", bytes_of(read), bytes_of(GROUP_ENTRY * largest * graph.entries)]
        cells += [seconds_of(2 * read / NETWORK + count), bytes_of(shuffled)]
        cells += [seconds_of((2 * read + 2 * shuffled) / workers / NETWORK + count)]
        print("| " + " | ".join(cells) + " |")
    print()


def main() -> int:
    within = check()
    for scale in (26, 30, 34):
        many(scale)
    if not within:
        print("a measured run is off by more than 20%", file=sys.stderr)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
