"""Motifs by their names."""

from __future__ import annotations

import networkx as nx

import tribin


def test_the_karate_club() -> None:
    karate = nx.karate_club_graph()
    motifs = tribin.Graph(karate).motifs()
    assert list(motifs) == ["wedge", "triangle", "star", "path", "tailed_triangle", "cycle", "diamond", "clique"]
    assert [motif["induced"] for motif in motifs.values()] == [393, 45, 1098, 681, 452, 36, 85, 11]
    assert motifs["cycle"] == {"induced": 36, "subgraphs": 154}
    assert tribin.motifs(karate) == motifs
