"""Estimates against what is counted exactly."""

from __future__ import annotations

import networkx as nx
import pytest

import tribin


def test_a_small_graph_is_counted_exactly() -> None:
    karate = nx.karate_club_graph()
    found = tribin.estimate(karate)
    assert found["exact"] and found["because"] == "all triangles are found as soon"
    assert found["triangles"] == {"value": 45, "low": 45, "high": 45}
    assert found["transitivity"]["value"] == pytest.approx(nx.transitivity(karate))
    assert found["average_clustering"]["value"] == pytest.approx(nx.average_clustering(karate))


def test_intervals_cover_the_figures_of_networkx() -> None:
    graph = nx.watts_strogatz_graph(10_000, 10, 0.2, seed=1)
    prepared = tribin.Graph(graph)
    found = prepared.estimate(0.1, 0.9999, seed=5, sample=True)
    assert not found["exact"] and found["because"] == "asked for"
    assert 2_000 < found["sampled_wedges"] < 10_000 and 2_000 < found["sampled_vertices"] < 10_000
    exact = {
        "triangles": sum(nx.triangles(graph).values()) // 3,
        "transitivity": nx.transitivity(graph),
        "average_clustering": nx.average_clustering(graph),
    }
    for name, number in exact.items():
        assert found[name]["low"] <= number <= found[name]["high"], name
    assert found == prepared.estimate(0.1, 0.9999, seed=5, sample=True)


@pytest.mark.parametrize(("error", "confidence"), [(0, 0.95), (1.5, 0.95), (0.01, 95)])
def test_shares_that_make_no_sense_are_refused(error: float, confidence: float) -> None:
    with pytest.raises(ValueError, match="must be above 0 and below 1"):
        tribin.Graph([(0, 1)]).estimate(error, confidence)
