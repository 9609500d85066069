"""The groups that edges are put into on a cluster, and how many colours there are. No engine runs."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tribin
from tribin import _cluster_plan, _colours


def of_group(colours: int, group: int, edge: tuple[int, int]) -> bool:
    """Whether a group holds an edge between two colours, as the documentation says it."""
    members = _colours.groups_of(colours).sets[group]
    return {*edge} <= {*members} and (len(members) < 3 or edge[0] != edge[1])


@pytest.mark.parametrize("colours", [1, 2, 3, 4, 5, 6])
def test_every_triangle_has_weight_one(colours: int) -> None:
    groups = _colours.groups_of(colours)
    for corners in itertools.combinations_with_replacement(range(colours), 3):
        sides = list(itertools.combinations(corners, 2))
        holding = [g for g in range(len(groups.sets)) if all(of_group(colours, g, side) for side in sides)]
        assert sum(map(groups.weight, holding)) == 1, corners


@pytest.mark.parametrize("colours", [1, 2, 3, 4, 5, 6])
def test_routes_are_the_groups_that_hold_an_edge(colours: int) -> None:
    groups = _colours.groups_of(colours)
    for one, other in itertools.combinations_with_replacement(range(colours), 2):
        route = groups.routes[_colours.pair_place(one, other)]
        assert route == [g for g in range(len(groups.sets)) if of_group(colours, g, (one, other))]
        assert len(route) == (colours if one == other and colours != 2 else max(colours - 1, 1))


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


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("colours", [1, 2, 3, 5, 8])
def test_groups_add_up_to_the_graph(place: int, colours: int) -> None:
    edges = inputs()[place]
    graph = tribin.Graph(edges)
    source, target = _colours.ids_of(edges, ("source", "target"))
    moved = _colours.routed(source, target, colours, seed=3).sort_by("group")

    def rows(output: str) -> list[dict[str, Any]]:
        task = _colours.Task(output, colours, "cpu", 1)
        batches = moved.to_batches(max_chunksize=40)
        found = [row for batch in _colours.count_sorted(task, batches) for row in batch.to_pylist()]
        assert all(tuple(row) == _colours.COLUMNS[output] for row in found)
        return found

    assert _colours.total(colours, [(row["group"], row["triangles"]) for row in rows("count")]) == graph.count()
    local: dict[Any, int] = {}
    for row in rows("local"):
        local[row["vertex"]] = local.get(row["vertex"], 0) + row["triangles"]
    assert local == dict(zip(graph.local().vertex.tolist(), graph.local().triangles.tolist()))
    support: dict[Any, int] = {}
    for row in rows("support"):
        edge = row["source"], row["target"]
        assert edge[0] < edge[1]
        support[edge] = support.get(edge, 0) + row["support"]
    assert support == {(min(u, v), max(u, v)): number for u, v, number in graph.support()}


def facts(edges: pa.Table, text_bytes: int = 0) -> _cluster_plan.Facts:
    source, target = _colours.ids_of(edges, ("source", "target"))
    one, other = (_colours.fine_colours(ids, 3) for ids in (source, target))
    pairs = np.zeros((_colours.FINE, _colours.FINE), np.int64)
    np.add.at(pairs, (np.minimum(one, other), np.maximum(one, other)), 1)
    return _cluster_plan.Facts(len(source), edges.num_rows - len(source), text_bytes, pairs)


@pytest.mark.parametrize("place", [0, 3, 4])
@pytest.mark.parametrize("colours", [1, 2, 3, 4, 8, 15])
def test_loads_are_those_of_the_groups(place: int, colours: int) -> None:
    edges = inputs()[place]
    moved = _colours.routed(*_colours.ids_of(edges, ("source", "target")), colours, 3)
    groups = np.bincount(moved["group"].to_numpy())
    assert _cluster_plan.loads(facts(edges).pairs, colours) == (groups.max(), moved.num_rows)


def test_the_least_number_that_fits_is_chosen() -> None:
    found = facts(inputs()[0])
    each = _cluster_plan.EDGE_BYTES
    whole = _cluster_plan.plan(found, found.rows * each, "a test")
    assert (whole.colours, whole.groups, whole.fits) == (1, 1, True)
    assert "the whole graph fits one task: one group, counted by one task" in whole.reasons
    for before, choice in itertools.pairwise(_colours.CHOICES[:8]):
        most = _cluster_plan.loads(found.pairs, choice)[0] * each
        if most >= min(_cluster_plan.loads(found.pairs, less)[0] for less in _colours.CHOICES if less < choice) * each:
            continue
        assert _cluster_plan.plan(found, most, "a test").colours == choice
        assert _cluster_plan.plan(found, most - 1, "a test").colours > choice, before
    asked = _cluster_plan.plan(found, 1 << 30, "a test", colours=4)
    assert asked.colours == 4 and "4 colours were asked for" in asked.reasons
    assert asked.moved_bytes == asked.moved_rows * _cluster_plan.ROW_BYTES


def test_what_fits_nowhere_is_said() -> None:
    plan = _cluster_plan.plan(facts(inputs()[0]), 1, "a test")
    assert plan.colours == _colours.CHOICES[-1] and not plan.fits
    assert "no number of colours makes the largest group fit" in str(plan)


def test_no_edges() -> None:
    plan = _cluster_plan.plan(facts(inputs()[0][:0]), 1 << 20, "a test")
    assert (plan.rows, plan.colours, plan.heaviest_bytes, plan.fits) == (0, 1, 0, True)
    assert _colours.total(1, []) == 0


def test_a_hub_is_told() -> None:
    ends = np.stack([np.zeros(20_000, np.int64), np.arange(1, 20_001)], 1)
    plan = _cluster_plan.plan(facts(table(ends)), 1 << 30, "a test", colours=10)
    assert any("the edges are skewed" in reason for reason in plan.reasons)
    # All edges have the hub's colour: a group of three has those to two other colours, about a fifth.
    assert 0.15 < plan.heaviest_rows / plan.rows < 0.35


MEMORY = [
    ({}, None, 1 << 30, "as much as the heap, spark.executor.memory=1g, of one task"),
    ({}, "3K", 3 << 10, "`memory`"),
    ({"spark.executor.memory": "4g", "spark.executor.cores": "4"}, None, 1 << 30, "shared by 4 tasks"),
    ({"spark.executor.cores": "4", "spark.task.cpus": "4"}, None, 1 << 30, "of one task"),
    ({"spark.executor.pyspark.memory": "512"}, None, 512 << 20, "spark.executor.pyspark.memory=512, of one task"),
    ({"spark.master": "yarn", "spark.executor.memory": "8g"}, None, int(0.1 * (8 << 30)), "beside a heap of 8g"),
    ({"spark.master": "yarn", "spark.executor.memory": "1g"}, None, 384 << 20, "beside a heap of 1g"),
    ({"spark.master": "k8s://x", "spark.executor.memoryOverhead": "2g"}, None, 2 << 30, "memoryOverhead=2g"),
]


@pytest.mark.parametrize(("conf", "memory", "size", "told"), MEMORY)
def test_the_memory_of_sparks_tasks(conf: dict[str, str], memory: str | None, size: int, told: str) -> None:
    found, said = _cluster_plan.spark_memory(conf, memory)
    assert found == size and told in said


def test_the_memory_of_rays_tasks() -> None:
    assert _cluster_plan.ray_memory([(4, 800), (2, 600), (0, 10)], 1, None)[0] == 200
    assert _cluster_plan.ray_memory([(4, 800)], 8, None)[0] == 800
    assert _cluster_plan.ray_memory([], 1, None)[0] == 1 << 30
    assert _cluster_plan.ray_memory([(4, 800)], 1, "1M") == (1 << 20, "`memory`")


def test_a_group_counted_twice_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="group 1 was counted twice"):
        _colours.total(3, [(0, 1), (1, 2), (1, 2)])


BAD = [
    ({"a": [1, None], "b": [2, 3]}, "column `a` has a null: every edge has two ends"),
    ({"a": [1, 5], "b": [2, -3]}, "column `b` has -3: vertex ids are not negative"),
    ({"a": [1.5], "b": [2]}, "column `a` holds double: vertex ids are integers or texts"),
    ({"a": ["x"], "b": [2]}, "of the columns `a` and `b` one holds texts and the other integers"),
]


@pytest.mark.parametrize(("columns", "reason"), BAD)
def test_bad_ids(columns: dict[str, Any], reason: str) -> None:
    with pytest.raises(tribin.InputError, match=reason):
        _colours.ids_of(pa.table(columns), ("a", "b"))


def test_engines_are_imported_when_they_are_used() -> None:
    program = (
        "import sys, tribin; tribin.count([(0, 1)]); import tribin.spark, tribin.ray;"
        "print([name for name in ('pyspark', 'ray', 'pyarrow', 'pandas') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")
