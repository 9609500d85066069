"""What the command does, Python does."""

from __future__ import annotations

import copy
import gzip
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import tribin

KARATE = nx.karate_club_graph()


def ends(edges: tribin.Edges) -> set[frozenset[Any]]:
    return {frozenset(row) for row in edges.rows()}


def test_a_graph_of_a_graph_is_shared(karate: tribin.Graph) -> None:
    again = tribin.Graph(karate)
    assert again.explain() is karate.explain() and again.count() == 45
    assert tribin.local(again) == karate.local()
    for options in ({"device": "cpu"}, {"directed": True}, {"vertices": 40}):
        with pytest.raises(TypeError, match="the graph is made already"):
            tribin.Graph(karate, **options)  # type: ignore[arg-type]


def test_a_graph_is_not_pickled(karate: tribin.Graph) -> None:
    with pytest.raises(TypeError, match="pickle what it was made of, or its results"):
        pickle.dumps(karate)
    assert copy.copy(karate) is copy.deepcopy(karate) is karate


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 5, "max"])
def test_cores_are_networkx_s(karate: tribin.Graph, k: Any) -> None:
    expected = nx.k_core(KARATE, None if k == "max" else k)
    assert ends(karate.k_core(k)) == set(map(frozenset, expected.edges))
    named = nx.relabel_nodes(KARATE, str)
    assert ends(tribin.k_core(named, k)) == {frozenset(map(str, edge)) for edge in expected.edges}
    with pytest.raises(tribin.UsageError, match="`k` is 'all': it must be a whole number, or `max`"):
        karate.k_core("all")  # type: ignore[arg-type]


def test_the_largest_truss(karate: tribin.Graph) -> None:
    assert karate.k_truss("max") == karate.k_truss(5) and len(karate.k_truss(6)) == 0
    assert len(tribin.Graph(np.empty((0, 2), dtype=np.int64)).k_truss("max")) == 0
    assert tribin.k_truss([(0, 1), (1, 2)], "max").target.tolist() == [1, 2]


def test_lists_that_end_early(karate: tribin.Graph) -> None:
    every = np.concatenate(list(karate.triangles()))
    for limit in (0, 1, 7, 45, 99):
        chunks = list(tribin.triangles(karate, chunk=4, limit=limit))
        found = np.concatenate([np.empty((0, 3), dtype=np.int64), *chunks])
        assert found.tolist() == every[:limit].tolist() and all(len(chunk) <= 4 for chunk in chunks)
    assert sum(map(len, karate.list_cliques(4, limit=3))) == 3
    with pytest.raises(tribin.UsageError, match="`limit` is -1"):
        karate.triangles(limit=-1)


def test_edges_on_many_triangles(karate: tribin.Graph) -> None:
    every = karate.support()
    assert tribin.support(karate, min_support=5) == every[every.support >= 5]
    assert karate.support().top(1).support.tolist() == [every.support.max()]


def test_a_file_out_of_core(tmp_path: Path) -> None:
    path, scratch = tmp_path / "edges.bin", tmp_path / "scratch"
    scratch.mkdir()
    tribin.generate("rmat", output=path, scale=17, edge_factor=16)
    limits: tribin.Options = {"memory": "20M", "device": "cpu", "threads": 2}
    limited, graph = tribin.Graph(path, scratch=scratch, **limits), tribin.Graph(path, device="cpu", threads=2)
    assert limited.count() == graph.count() and limited.stats().to_dict() == graph.stats().to_dict()
    assert limited.local() == graph.local() and limited.on_edges("jaccard") == graph.on_edges("jaccard")
    with pytest.raises(tribin.Error, match="in memory alone"):
        limited.motifs()
    both = [tribin.Graph(path, directed=True, scratch=scratch, **limits), tribin.Graph(path, directed=True, device="cpu", threads=2)]
    assert both[0].census() == both[1].census() and both[0].directed_local() == both[1].directed_local()
    assert both[0].reciprocity() == both[1].reciprocity()
    del both
    # Trusses take a walk over the edges for each level that memory does not peel.
    small = tmp_path / "small.bin"
    tribin.generate("rmat", output=small, scale=14, edge_factor=16)
    few = tribin.Graph(small, scratch=scratch, **limits)
    assert few.truss() == tribin.Graph(small, device="cpu", threads=2).truss()
    del limited, few
    assert list(scratch.iterdir()) == []
    with pytest.raises(tribin.Error, match="no-such-folder"):
        tribin.count(path, scratch=tmp_path / "no-such-folder", **limits)
    with pytest.raises(tribin.UsageError, match="`device_memory` is -1"):
        tribin.count(path, device_memory=-1)


def test_arrays_out_of_core() -> None:
    edges = tribin.generate("rmat", scale=15, edge_factor=32)
    assert edges is not None
    names = np.array([f"m{vertex}" for vertex in range(1 << 15)], dtype=object)
    limits: tribin.Options = {"memory": "28M", "device": "cpu", "threads": 2}
    for given in (edges, edges.astype(np.uint64) << np.uint64(40), (names[edges[:, 0]], names[edges[:, 1]])):
        limited, graph = tribin.Graph(given, **limits), tribin.Graph(given, device="cpu", threads=2)
        assert limited.local() == graph.local() and limited.stats() == graph.stats()
        with pytest.raises(tribin.InputError, match="in memory alone, .* allow more with `memory`"):
            limited.motifs()
    with pytest.raises(tribin.InputError, match="bytes of memory are needed to count it out of core, and 4194304 may be used"):
        tribin.count(edges, memory="4M", device="cpu")


def test_engines_of_papers_need_a_gpu(karate: tribin.Graph) -> None:
    assert tribin.count(KARATE, engine="auto") == 45
    with pytest.raises(tribin.UsageError, match="`nope` is none of `merge-path`, `bitmap`"):
        tribin.count(KARATE, engine="nope")
    with pytest.raises(tribin.UsageError, match="counts on a GPU"):
        tribin.count(KARATE, engine="merge-path", device="cpu")


def test_pairs_of_one_vertex(karate: tribin.Graph) -> None:
    every = karate.similar(top=40)
    for vertex in (0, 11, 33):
        assert karate.similar(vertex=vertex, top=40) == every[every.source == vertex]
    named = nx.relabel_nodes(KARATE, str)
    assert tribin.similar(named, vertex="11", top=2).target.tolist() == list(map(str, karate.similar(vertex=11, top=2).target))
    for vertex in (34, -1, 1.5, "11"):
        with pytest.raises(tribin.UsageError, match="there is no vertex"):
            karate.similar(vertex=vertex)


def test_what_a_file_decompresses_to_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt.gz"
    path.write_bytes(gzip.compress(b"0 1\n" * 1000))
    assert tribin.Graph(path, decompressed_limit="1M").number_of_edges == 1
    with pytest.raises(tribin.InputError, match="more than 1024 bytes: .* allow more with `decompressed_limit`"):
        tribin.count(path, decompressed_limit=1024)
    with pytest.raises(tribin.UsageError, match="`decompressed_limit` says how a file is read"):
        tribin.count(KARATE, decompressed_limit=1024)


def test_graphs_of_models(tmp_path: Path) -> None:
    edges = tribin.generate("watts-strogatz", vertices=100, half_degree=3, rewire=0.2, seed=4)
    assert edges is not None and edges.shape == (300, 2)
    path = tmp_path / "world.txt"
    assert tribin.generate("watts-strogatz", output=path, vertices=100, half_degree=3, rewire=0.2, seed=4) is None
    assert np.loadtxt(path, dtype=np.int64).tolist() == edges.tolist()
    again = tribin.generate("watts_strogatz", vertices=100, half_degree=3, rewire=0.2, seed=4)
    assert again is not None and again.tolist() == edges.tolist()
    theory = tribin.generate("theory", [3, 4], loops="leaf")
    assert theory is not None and tribin.count(theory) > 0
    with pytest.raises(tribin.UsageError, match="unrecognized subcommand 'nope'"):
        tribin.generate("nope")


def test_graphs_of_files_in_other_formats(tmp_path: Path) -> None:
    source, matrix, ids = tmp_path / "friends.csv", tmp_path / "friends.mtx", tmp_path / "ids.txt"
    source.write_text("who,whom\nAnn,Bo\nBo,Cy\nCy,Ann\nAnn,Bo\n")
    tribin.convert(source, matrix, ids=ids, header=True)
    assert tribin.count(matrix) == 1 and ids.read_text() == "Ann\nBo\nCy\n"
    simple = tmp_path / "simple.csv"
    tribin.convert(source, simple, simple=True, header=True)
    assert tribin.Graph(simple).duplicates_dropped == 0
    with pytest.raises(tribin.Error, match="none.csv"):
        tribin.convert(tmp_path / "none.csv", matrix)


@pytest.mark.parametrize("name", ["a.mtx", "a.graph", "a.npz", "a.sg", "a.el", "a.csv.gz", "a.bin", "a.npy"])
def test_graphs_of_memory_in_every_format(tmp_path: Path, karate: tribin.Graph, name: str) -> None:
    path = tmp_path / name
    for given in (karate, KARATE, list(KARATE.edges)):
        tribin.convert(given, path)
        assert tribin.Graph(path).motifs() == karate.motifs()


def test_names_of_memory_are_written(tmp_path: Path) -> None:
    named = nx.relabel_nodes(KARATE, lambda node: f'the "{node}", so\nto say')
    path, matrix, ids = tmp_path / "named.csv", tmp_path / "named.mtx", tmp_path / "ids.txt"
    tribin.convert(named, path)
    assert ends(tribin.k_truss(path, 2)) == set(map(frozenset, named.edges))
    tribin.convert(tribin.Graph(nx.relabel_nodes(KARATE, str)), matrix, ids=ids)
    assert tribin.count(matrix) == 45 and set(ids.read_text().split()) == set(map(str, KARATE))
    # Names that look like a header and a comment, and two that differ by a blank.
    tribin.convert([("source", "#a"), ("#a", "b"), ("b", " b ")], matrix, ids=ids)
    assert ids.read_text().splitlines() == ["source", '"#a"', "b", '" b "']
    with pytest.raises(tribin.Error, match="names"):
        tribin.convert(named, tmp_path / "named.bin")
