"""The page of a graph."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

import tribin


def test_names_are_those_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    tribin.Graph(nx.florentine_families_graph()).report(path, title="Florence & its families")
    page = path.read_text()
    assert "<h1>Florence &amp; its families</h1>" in page
    # The Medici are married into six families, more than anybody.
    assert "<td>Medici</td><td>6</td>" in page


def test_ids_are_shown_where_there_are_no_names(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    tribin.report([(1000, 7), (7, 30), (30, 1000)], path)
    assert "<td>1000</td><td>2</td>" in path.read_text()


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(tribin.InputError, match="there is no folder"):
        tribin.report([(0, 1)], tmp_path / "nowhere" / "graph.html")
