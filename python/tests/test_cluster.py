"""The groups that edges are put into on a cluster, and which there are. No engine runs."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tribin
from tribin import _cluster


def table(ends: Any) -> pa.Table:
    return pa.table({"source": pa.array(ends[:, 0]), "target": pa.array(ends[:, 1])})


def inputs() -> list[Any]:
    random = np.random.default_rng(7)
    ends = random.integers(0, 50, (600, 2))
    hub = np.stack([np.zeros(300, np.int64), random.integers(0, 200, 300)], 1)
    names = np.array([f"é{number}" * (number % 3) + str(number) for number in range(200)], dtype=object)
    star = np.concatenate([hub, random.integers(0, 200, (300, 2))])
    large = ends.astype(np.uint64) + np.uint64(2**63 - 25)
    ones = [table(ends), table(ends.astype(np.int8)), table(large), table(star), table(names[star])]
    return [*ones, ones[4].cast(pa.schema([("source", pa.large_string()), ("target", pa.string())]))]


NAMES = ("source", "target")


def facts(edges: pa.Table) -> _cluster.Facts:
    parts = [[edges[:70], edges[70:100], edges[:0]], [edges[100:]]]
    looks = [_cluster.look_at(part, NAMES, 3) for part in parts]
    # What the driver collects grows with the tasks, and not with the batches that edges come in.
    assert all(look.num_rows == 1 for look in looks)
    return _cluster.facts_of([row for look in looks for row in look.to_pylist()], NAMES)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("share", [1, 2, 7, 1000])
def test_groups_add_up_to_the_graph(place: int, share: int) -> None:
    edges = inputs()[place]
    graph = tribin.Graph(edges)
    found = facts(edges)
    each = _cluster.EDGE_BYTES + 3 * math.ceil(found.text_bytes / found.rows)
    plan, groups = _cluster.plan(found, max(found.rows * each // share, 1), "a test")
    moved = _cluster.routed(edges, NAMES, found.kind, groups, 3).sort_by("group")
    assert (plan.groups, plan.moved_rows) == (len(groups), moved.num_rows)
    assert (plan.groups == 1) == (share == 1)

    def rows(output: str) -> list[dict[str, Any]]:
        task = _cluster.Task(output, groups, 3, "cpu", 1)
        batches = moved.to_batches(max_chunksize=40)
        found = [row for batch in _cluster.count_sorted(task, batches) for row in batch.to_pylist()]
        assert all(tuple(row) == _cluster.COLUMNS[output] for row in found)
        return found

    assert _cluster.total((row["group"], row["triangles"]) for row in rows("count")) == graph.count()
    local: dict[Any, int] = {}
    for row in rows("local"):
        local[row["vertex"]] = local.get(row["vertex"], 0) + row["triangles"]
    assert local == dict(zip(graph.local().vertex.tolist(), graph.local().triangles.tolist()))
    support: dict[Any, int] = {}
    for row in rows("support"):
        edge = row["source"], row["target"]
        assert edge[0] < edge[1]
        support[edge] = support.get(edge, 0) + row["support"]
    assert support == {(min(u, v), max(u, v)): number for u, v, number in graph.support().rows()}


def test_a_plan_says_why() -> None:
    found = facts(inputs()[0])
    each = _cluster.EDGE_BYTES
    whole, _ = _cluster.plan(found, found.rows * each, "a test")
    assert (whole.colours, whole.groups, whole.fits) == (1, 1, True)
    assert "the whole graph fits one task: one group, counted by one task" in whole.reasons
    small, groups = _cluster.plan(found, found.rows * each // 10, "a test")
    assert small.fits and small.groups == len(groups) > 10 and small.colours == 256
    assert "the largest groups were split until each fits a task" in small.reasons
    asked, _ = _cluster.plan(found, 1 << 30, "a test", colours=4)
    assert (asked.colours, asked.groups) == (4, 8) and "4 colours were asked for" in asked.reasons
    assert asked.moved_bytes == asked.moved_rows * _cluster.ROW_BYTES
    nowhere, _ = _cluster.plan(found, 1, "a test")
    assert not nowhere.fits and "no smaller groups fit either" in str(nowhere)


def test_no_edges() -> None:
    plan, groups = _cluster.plan(facts(inputs()[0][:0]), 1 << 20, "a test")
    assert (plan.rows, plan.colours, plan.heaviest_bytes, plan.fits) == (0, 1, 0, True)
    assert len(groups) == 1 and _cluster.total([]) == 0


def test_a_hub_makes_no_group_large() -> None:
    ends = np.stack([np.zeros(200_000, np.int64), np.arange(1, 200_001)], 1)
    found = facts(table(ends))
    plan, _ = _cluster.plan(found, found.rows * _cluster.EDGE_BYTES // 50, "a test")
    assert plan.fits and plan.heaviest_rows <= found.rows // 50


MEMORY = [
    ({}, None, 1 << 30, "as much as the heap, spark.executor.memory=1g, of one task"),
    ({}, "3K", 3 << 10, "`memory`"),
    ({"spark.executor.memory": "4g", "spark.executor.cores": "4"}, None, 1 << 30, "shared by 4 tasks"),
    ({"spark.executor.cores": "4", "spark.task.cpus": "4"}, None, 1 << 30, "of one task"),
    ({"spark.executor.pyspark.memory": "512"}, None, 512 << 20, "spark.executor.pyspark.memory=512, of one task"),
    ({"spark.master": "local[4, 2]"}, None, 256 << 20, "spark.driver.memory=1g, shared by 4 tasks"),
    ({"spark.master": "local", "spark.driver.memory": "3g"}, None, 3 << 30, "spark.driver.memory=3g, of one task"),
    ({"spark.master": "local-cluster[2,1,1024]"}, None, 1 << 30, "spark.executor.memory=1g, of one task"),
    ({"spark.master": "yarn", "spark.executor.memory": "8g"}, None, int(0.1 * (8 << 30)), "beside a heap of 8g"),
    ({"spark.master": "yarn", "spark.executor.memory": "1g"}, None, 384 << 20, "beside a heap of 1g"),
    ({"spark.master": "k8s://x", "spark.executor.memoryOverhead": "2g"}, None, 2 << 30, "memoryOverhead=2g"),
]


@pytest.mark.parametrize(("conf", "memory", "size", "told"), MEMORY)
def test_the_memory_of_sparks_tasks(conf: dict[str, str], memory: str | None, size: int, told: str) -> None:
    found, said = _cluster.spark_memory(conf, memory)
    assert found == size and told in said


def test_the_memory_of_rays_tasks() -> None:
    assert _cluster.ray_memory([(4, 800), (2, 600), (0, 10)], 1, None)[0] == 200
    assert _cluster.ray_memory([(4, 800)], 8, None)[0] == 800
    assert _cluster.ray_memory([], 1, None)[0] == 1 << 30
    assert _cluster.ray_memory([(4, 800)], 1, "1M") == (1 << 20, "`memory`")


def test_a_group_counted_twice_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="group 1 was counted twice"):
        _cluster.total([(0, 1), (1, 2), (1, 2)])


BAD = [
    ({"a": [1, None], "b": [2, 3]}, "column `a` has a null: every edge has two ends"),
    ({"a": [1, 5], "b": [2, -3]}, "column `b` has -3: vertex ids are not negative"),
    ({"a": [1.5], "b": [2]}, "column `a` holds double: vertex ids are integers or texts"),
    ({"a": ["x"], "b": [2]}, "of the columns `a` and `b` one holds texts and the other integers"),
]


@pytest.mark.parametrize(("columns", "reason"), BAD)
def test_bad_ids(columns: dict[str, Any], reason: str) -> None:
    with pytest.raises(tribin.InputError, match=reason):
        _cluster.ids_of(pa.table(columns), ("a", "b"))


def test_engines_are_imported_when_they_are_used() -> None:
    program = (
        "import sys, tribin; tribin.count([(0, 1)]); import tribin.spark, tribin.ray;"
        "print([name for name in ('pyspark', 'ray', 'pyarrow', 'pandas') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")
