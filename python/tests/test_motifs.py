"""Motifs against NetworkX, one set of vertices after the other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import pytest

import tribin

MOTIFS = {
    "wedge": nx.path_graph(3),
    "triangle": nx.complete_graph(3),
    "star": nx.star_graph(3),
    "path": nx.path_graph(4),
    "tailed_triangle": nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3)]),
    "cycle": nx.cycle_graph(4),
    "diamond": nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
    "clique": nx.complete_graph(4),
}


def graphs() -> list[nx.Graph]:
    made = [nx.gnp_random_graph(16, p, seed=seed) for p in (0.2, 0.5, 0.8) for seed in range(3)]
    return [*made, nx.petersen_graph(), nx.complete_bipartite_graph(4, 6), nx.wheel_graph(9)]


@pytest.mark.parametrize("graph", graphs(), ids=str)
def test_motifs_are_those_of_all_sets_of_vertices(graph: nx.Graph) -> None:
    sets = (graph.subgraph(members) for size in (3, 4) for members in combinations(graph, size))
    found = Counter(
        name for among in sets for name, motif in MOTIFS.items() if nx.could_be_isomorphic(among, motif)
    )
    motifs = tribin.motifs(graph)
    assert list(motifs) == list(MOTIFS)
    assert {name: count["induced"] for name, count in motifs.items()} == {name: found[name] for name in MOTIFS}


def test_the_karate_club() -> None:
    motifs = tribin.Graph(nx.karate_club_graph()).motifs()
    assert [motif["induced"] for motif in motifs.values()] == [393, 45, 1098, 681, 452, 36, 85, 11]
    assert motifs["cycle"] == {"induced": 36, "subgraphs": 154}
