"""Ray: a cluster of a head and two nodes in one machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chaos
import graphs
import pyarrow as pa
import pytest
import ray
import ray.data
from ray.cluster_utils import Cluster

import tribin
import tribin.ray

HERE = Path(__file__).parent
EDGES = graphs.hard(2)
TRUTH = graphs.truth(EDGES)
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20}


@pytest.fixture(scope="module")
def cluster(orders: Path) -> Iterator[Cluster]:
    # The head works not at all: each of the other two may be lost.
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
    cluster.add_node(**NODE)
    cluster.add_node(**NODE)
    variables = {"PYTHONPATH": str(HERE), "TRIBIN_TEST_CHAOS": str(orders)}
    ray.init(
        address=cluster.address,
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env={"env_vars": variables, "worker_process_setup_hook": "chaos.install"},
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def edges(cluster: Cluster) -> ray.data.Dataset:
    """The hard graph in blocks, some of them without a row."""
    table = graphs.table(EDGES)
    third = len(EDGES) // 3
    return ray.data.from_arrow([table[:third], table[:0], table[third:], table[:0]])


def vertices(ds: ray.data.Dataset) -> dict[Any, int]:
    rows = ds.take_all()
    assert len({row["vertex"] for row in rows}) == len(rows)
    return {row["vertex"]: row["triangles"] for row in rows}


def supports(ds: ray.data.Dataset) -> dict[tuple[Any, Any], int]:
    rows = ds.take_all()
    assert len({(row["source"], row["target"]) for row in rows}) == len(rows)
    return {(row["source"], row["target"]): row["support"] for row in rows}


def test_the_count_is_the_same_with_one_group_and_with_many(edges: ray.data.Dataset) -> None:
    assert tribin.ray.count(edges) == TRUTH.count > 500
    assert tribin.ray.count(edges, colours=3, seed=5) == TRUTH.count


def test_every_vertex_and_every_edge_have_their_triangles(edges: ray.data.Dataset) -> None:
    assert vertices(tribin.ray.local(edges, colours=3)) == TRUTH.local
    assert supports(tribin.ray.support(edges, colours=2)) == TRUTH.support


def test_ids_of_64_bits_and_names(cluster: Cluster) -> None:
    large = [(u + 2**63, v + 2**63) if u != graphs.LARGEST != v else (u, v) for u, v in EDGES]
    ds = ray.data.from_arrow(graphs.table(large, pa.uint64()))
    assert vertices(tribin.ray.local(ds, colours=2)) == graphs.truth(large).local
    names = graphs.named(EDGES)
    assert supports(tribin.ray.support(ray.data.from_arrow(graphs.table(names)), colours=3)) == graphs.truth(names).support


def test_a_worker_that_is_killed_is_replaced(edges: ray.data.Dataset, orders: Path) -> None:
    (orders / "kill-worker").touch()
    assert tribin.ray.count(edges, colours=4) == TRUTH.count
    assert (orders / "done").exists(), "no worker was killed"
    (orders / "done").unlink()


def test_a_node_that_is_lost_is_not_missed(cluster: Cluster, edges: ray.data.Dataset, orders: Path) -> None:
    lost = threading.Event()
    stop = threading.Event()

    def lose() -> None:
        while not (orders / "node").exists():
            if stop.is_set():
                return
            time.sleep(0.05)
        name = (orders / "node").read_text()
        (node,) = (node for node in cluster.list_all_nodes() if node.node_id == name)
        cluster.remove_node(node, allow_graceful=False)
        lost.set()

    cluster.add_node(**NODE)
    loser = threading.Thread(target=lose)
    loser.start()
    try:
        (orders / "lose-node").touch()
        assert tribin.ray.count(edges, colours=4) == TRUTH.count
        assert lost.is_set(), "no node was lost"
    finally:
        stop.set()
        loser.join()


def test_what_is_no_graph_is_told(cluster: Cluster) -> None:
    def refused(columns: dict[str, list[Any]], reason: str) -> None:
        with pytest.raises(tribin.InputError, match=reason):
            tribin.ray.explain(ray.data.from_arrow(pa.table(columns)))

    refused({"source": [1, None], "target": [2, 3]}, "column `source` has a null: every edge has two ends")
    refused({"source": [1, 2], "target": [2, -3]}, "column `target` has -3: vertex ids are not negative")
    refused({"source": [1.0], "target": [2]}, "column `source` holds double: vertex ids are integers or texts")


def test_no_rows_and_the_plan(cluster: Cluster, edges: ray.data.Dataset) -> None:
    none = ray.data.from_arrow(graphs.table(EDGES)[:0])
    assert tribin.ray.count(none) == 0 and vertices(tribin.ray.local(none)) == {}
    plan = tribin.ray.explain(edges)
    assert (plan.colours, plan.groups, plan.fits) == (1, 1, True)
    assert "the memory of the smallest node, shared by its tasks of 1 CPUs" in str(plan)
    with pytest.raises(tribin.UsageError, match="the cluster has no GPU"):
        tribin.ray.count(edges, device="gpu")


def test_the_group_that_is_killed_is_one_of_four_colours(edges: ray.data.Dataset) -> None:
    assert 0 < chaos.GROUP < tribin.ray.explain(edges, colours=4).groups - 1
