"""Triangles by the labels of their vertices, against all sets of three vertices."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import networkx as nx
import pandas
import pytest

import tribin


def brute_force(graph: nx.Graph, label: dict[Any, Any]) -> dict[tuple[Any, ...], int]:
    threes = (three for three in combinations(graph, 3) if graph.subgraph(three).number_of_edges() == 3)
    return dict(sorted(Counter(tuple(sorted(label[v] for v in three)) for three in threes).items()))


def rows(table: tribin.Results) -> dict[tuple[Any, ...], int]:
    columns = (table.label_1, table.label_2, table.label_3)
    return dict(zip(zip(*(column.tolist() for column in columns)), table.triangles.tolist()))


def test_the_karate_club_by_factions() -> None:
    karate = nx.karate_club_graph()
    factions = nx.get_node_attributes(karate, "club")
    found = tribin.Graph(karate).count_by_labels(factions)
    assert rows(found) == brute_force(karate, factions)
    assert found.triangles.sum() == 45
    numbers = {vertex: vertex * 7 % 3 for vertex in karate}
    named = nx.relabel_nodes(karate, {vertex: f"v{vertex}" for vertex in karate})
    of_names = {f"v{vertex}": number for vertex, number in numbers.items()}
    found = tribin.count_by_labels(named, {**of_names, "nobody": 9})
    assert rows(found) == rows(tribin.count_by_labels(karate, numbers)) == brute_force(karate, numbers)


def test_vertices_without_a_label() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    with pytest.raises(tribin.InputError, match="the vertex 2 is in a triangle, and has no label: `unlabelled=` gives"):
        graph.count_by_labels({0: "a", 1: "a", 3: "a"})
    with pytest.raises(tribin.InputError, match="the vertex 'b' is in a triangle, and has no label"):
        tribin.Graph([("a", "b"), ("b", "c"), ("c", "a")]).count_by_labels({"a": 1, "b": None, "c": 2})
    assert rows(graph.count_by_labels({0: "b", -1: "c"}, unlabelled="a")) == {("a", "a", "b"): 1}
    assert rows(tribin.Graph([(0, 1)]).count_by_labels({})) == {}
    for label in (1, (1,), b"a"):
        with pytest.raises(ValueError, match="all texts, or all numbers"):
            graph.count_by_labels({0: "a", 1: label, 2: "a"})
    with pytest.raises(tribin.UsageError, match="a dictionary of vertices and their labels"):
        graph.count_by_labels(["a", "b", "c"])  # type: ignore[arg-type]


def test_series_of_labels() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    found = graph.count_by_labels(pandas.Series({2: 0.5, 0: 2.0, 1: float("nan"), 9: 3.0}), unlabelled=1)
    assert found.to_dict() == {"label_1": [0.5], "label_2": [1.0], "label_3": [2.0], "triangles": [1]}
    # A label that ends with a NUL is another one than without.
    found = graph.count_by_labels(pandas.Series(["b", "a\0", "a"]))
    assert rows(found) == {("a", "a\0", "b"): 1} and found.label_1.dtype == object


def test_floats_name_vertices_and_labels_are_told_apart() -> None:
    graph = tribin.Graph([(0, 1), (1, 2), (2, 0)])
    labels = {0.0: "a", 1.0: "b", 2.0: "a"}
    assert rows(graph.count_by_labels(labels)) == rows(graph.count_by_labels(labels, unlabelled="z")) == {("a", "a", "b"): 1}
    large = {0: 2**63 + 1, 1: -1, 2: 2**63 + 3}
    assert rows(graph.count_by_labels(large)) == {(-1, 2**63 + 1, 2**63 + 3): 1}
    for wrong, said in [
        (pandas.Series(list("abcq"), index=[0, 1, 2, 0]), "a vertex twice"),
        ({0: ["a"]}, "all texts, or all numbers"),
    ]:
        with pytest.raises(tribin.UsageError, match=said):
            graph.count_by_labels(wrong)
