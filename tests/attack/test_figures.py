"""The count with sets is that of NetworkX. Run by `python tests/attack/test_figures.py`."""

from __future__ import annotations

import random

import networkx as nx

import figures


def test_random_graphs() -> None:
    draw = random.Random(1)
    for _ in range(500):
        n = draw.randrange(1, 30)
        edges = [(draw.randrange(n), draw.randrange(n)) for _ in range(draw.randrange(120))]
        graph = nx.Graph((u, v) for u, v in edges if u != v)
        triangles = sum(nx.triangles(graph).values()) // 3
        assert figures.of(edges) == (graph.number_of_nodes(), graph.number_of_edges(), triangles), edges


if __name__ == "__main__":
    test_random_graphs()
