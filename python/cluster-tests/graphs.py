"""Graphs that are hard for a cluster, and what is true of them, found with matrices of NumPy's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

#: The largest id that a column of 64 bits with a sign has.
LARGEST = 2**63 - 1


@dataclass
class Truth:
    count: int
    local: dict[Any, int]
    support: dict[tuple[Any, Any], int]


def hard(seed: int = 1) -> list[tuple[int, int]]:
    """A hub with half of all edges, one id of billions and the largest one, duplicates in both directions far from each
    other, self-loops, and a vertex that has nothing else.
    """
    random = np.random.default_rng(seed)
    ids = random.choice(10**6, 150, replace=False)
    ids[0] = 5_000_000_000
    ids[1] = LARGEST
    pairs = random.choice(ids, (700, 2)).tolist()
    hub = int(ids[2])
    spokes = [(hub, int(other)) for other in np.repeat(ids[3:], 5)]
    edges = [*pairs, *spokes, *((v, u) for u, v in pairs[:200]), (77, 77), (hub, hub), *pairs[:50]]
    return [(int(u), int(v)) for u, v in edges]


def named(edges: list[tuple[int, int]]) -> list[tuple[str, str]]:
    """The same with names, some of them beyond ASCII."""
    return [(f"né{u}" if u % 3 else f"{u}", f"né{v}" if v % 3 else f"{v}") for u, v in edges]


def table(edges: list[tuple[Any, Any]], ids: pa.DataType | None = None) -> pa.Table:
    return pa.table({"source": pa.array([u for u, _ in edges], ids), "target": pa.array([v for _, v in edges], ids)})


def truth(edges: list[tuple[Any, Any]]) -> Truth:
    vertices = sorted({vertex for u, v in edges if u != v for vertex in (u, v)})
    place = {vertex: number for number, vertex in enumerate(vertices)}
    joined = np.zeros((len(vertices), len(vertices)), np.int64)
    for u, v in edges:
        if u != v:
            joined[place[u], place[v]] = joined[place[v], place[u]] = 1
    support = joined @ joined * joined
    return Truth(
        int(support.sum()) // 6,
        {vertex: int(support[number].sum()) // 2 for number, vertex in enumerate(vertices)},
        {
            (vertices[u], vertices[v]): int(support[u, v])
            for u, v in zip(*(ends.tolist() for ends in np.nonzero(joined)))
            if u < v
        },
    )
