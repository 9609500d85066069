"""What a count should say, found without tribin."""

from __future__ import annotations

from collections.abc import Iterable

#: What is compared: vertices with an edge, edges of the simple graph, triangles.
Figures = tuple[int, int, int]


class NoOpinion(Exception):
    """The oracle knows too little of such a file to say what is in it."""


def of(edges: Iterable[tuple[object, object]]) -> Figures:
    """Count with sets."""
    neighbours: dict[object, set[object]] = {}
    for u, v in edges:
        if u != v:
            neighbours.setdefault(u, set()).add(v)
            neighbours.setdefault(v, set()).add(u)
    ends = sum(map(len, neighbours.values()))
    corners = sum(len(row & neighbours[v]) for row in neighbours.values() for v in row)
    return len(neighbours), ends // 2, corners // 6
