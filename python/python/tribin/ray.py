"""Exact triangle counts of datasets of Ray, on all machines of the cluster.

>>> import tribin.ray                              # doctest: +SKIP
>>> tribin.ray.count(edges)                    # doctest: +SKIP
>>> print(tribin.ray.explain(edges))               # doctest: +SKIP

The edges are put into groups by colours of their ends, and each group is counted by tribin in one task of Ray's. The groups
are independent: a task that fails, or whose node is lost, is run again by Ray. How groups are made, and why the sum of their
counts is exact, is written in docs/spark-and-ray.md of the repository.

Tribin must be installed on every node. A dataset is read twice, once to choose the number of colours and once to
count: one that is costly to make should be materialized before.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from tribin import _cluster, _inputs, _native
from tribin._cluster import Plan
from tribin._errors import UsageError

if TYPE_CHECKING:
    from ray.data import Dataset
    from typing_extensions import Unpack

    class Options(_cluster.Options, total=False):
        """The options of each function."""

        cpus: int

__all__ = ["Plan", "count", "explain", "local", "support"]


def count(ds: Dataset, **options: Unpack[Options]) -> int:
    """Count the triangles of a graph whose edges are rows.

    Directions, duplicates and self-loops are dropped, wherever they are.

    Parameters
    ----------
    ds : ray.data.Dataset
        The edges. Vertices are called by integers from 0 to 2^64 - 1 or by texts.
    source, target : str, optional
        The columns with the two ends. By default they are found by their names, as by `tribin.Graph`.
    device : str, default "auto"
        With ``auto`` each task asks Ray for a GPU if the cluster has one, and counts on it; else on the CPU. ``cpu``
        and ``gpu`` say which.
    memory : int or str, optional
        The bytes that one task may use, for example ``"8G"``. By default it is the share of ``cpus`` in the memory of
        the smallest node.
    colours : int, optional
        The number of sets of colours that groups are made of, from 1 to 256. By default groups are split until each fits
        ``memory``.
    seed : int
        Colours are hashes with this seed. It changes how even groups are, and no result.
    cpus : int, default 1
        The CPUs that a task asks Ray for, and the threads that it counts with.

    Returns
    -------
    int
        The exact number.

    Raises
    ------
    InputError
        If an id is null or negative, or a column holds neither integers nor texts.
    """
    run = _Run(ds, **options)
    rows = run.counted("count").take_all()
    return _cluster.total((row["group"], row["triangles"]) for row in rows)


def local(ds: Dataset, **options: Unpack[Options]) -> Dataset:
    """Count the triangles at every vertex.

    Parameters are those of `count`.

    Returns
    -------
    ray.data.Dataset
        The columns ``vertex`` and ``triangles``: a row for each vertex with an edge to another one, also where it has
        no triangle, as `tribin.local` has it. Rows are in no order. The groups are counted when rows are asked for.
    """
    run = _Run(ds, **options)
    return run.summed(run.counted("local"), ["vertex"], "triangles")


def support(ds: Dataset, **options: Unpack[Options]) -> Dataset:
    """Count the triangles on every edge.

    Parameters are those of `count`.

    Returns
    -------
    ray.data.Dataset
        The columns ``source``, ``target`` and ``support``: each edge once, the smaller end first (texts are compared
        byte by byte), also edges without a triangle. Rows are in no order. The groups are counted when rows are asked for.
    """
    run = _Run(ds, **options)
    return run.summed(run.counted("support"), ["source", "target"], "support")


def explain(ds: Dataset, **options: Unpack[Options]) -> Plan:
    """Say how a dataset would be counted: colours, groups, what is moved, and the largest group.

    It reads the edges once, and moves none. Parameters are those of `count`.

    Returns
    -------
    Plan
        ``print`` shows it.
    """
    options["device"] = "cpu"
    return _Run(ds, **options).plan


class _Run:
    """A dataset that was looked at once, and has a plan."""

    def __init__(
        self,
        ds: Dataset,
        source: str | None = None,
        target: str | None = None,
        device: str = "auto",
        memory: int | str | None = None,
        colours: int | None = None,
        seed: int = 1,
        cpus: int = 1,
    ) -> None:
        import ray

        if cpus < 1:
            raise UsageError(f"`cpus` is {cpus}: it must be 1 or more")
        asked = _inputs.as_texts(_inputs.asked_for(source, target))
        schema = ds.schema()
        header = [] if schema is None else list(schema.names)
        self._seed, self._cpus, self._ds = seed, cpus, ds
        self._empty = not header
        self._names = ("source", "target")
        if header:
            (one, other), _, _ = _native.choose_columns(header, asked)
            self._names = header[one], header[other]
        # Ray has no types for these.
        cluster: Any = ray
        gpus = float(cluster.cluster_resources().get("GPU", 0))
        self._gpu = _cluster.takes_gpu(device, gpus, "Ray", "the cluster has no GPU:")
        nodes = [node["Resources"] for node in cluster.nodes() if node["Alive"]]
        sizes = [(node.get("CPU", 0.0), node.get("memory", 0.0)) for node in nodes]
        task_bytes, told = _cluster.ray_memory(sizes, cpus, memory)
        facts = _cluster.facts_of(self._look(), self._names)
        self._kind = facts.kind
        self.plan, self._groups = _cluster.plan(facts, task_bytes, told, colours)

    def _look(self) -> list[Any]:
        """One pass over the edges: what is wrong with them, and how many there are between each two colours."""
        names, seed = self._names, self._seed

        def look_at_edges(table: Any) -> Any:
            return _cluster.look_at([table], names, seed)

        if self._empty:
            return []
        found: list[Any] = self._ds.map_batches(look_at_edges, batch_format="pyarrow", batch_size=None).take_all()
        return found

    def counted(self, output: str) -> Dataset:
        """What all groups give."""
        import pyarrow as pa
        import ray.data

        if not self.plan.fits:
            warnings.warn(f"tribin.ray: {self.plan.reasons[-1]}\n{self.plan}", RuntimeWarning, stacklevel=3)
        names, seed, groups, kind = self._names, self._seed, self._groups, self._kind
        if not self.plan.rows:
            integer, ids = pa.int64(), pa.type_for_alias(kind)
            types = {"group": integer, "vertex": ids, "source": ids, "target": ids}
            return ray.data.from_arrow(
                pa.table({name: pa.array([], types.get(name, integer)) for name in _cluster.COLUMNS[output]})
            )

        # Ray shows the names of these as those of its steps.
        def edges_to_groups(table: Any) -> Any:
            return _cluster.routed(table, names, kind, groups, seed)

        # Ray shows a task its own GPU only, through CUDA_VISIBLE_DEVICES.
        task = _cluster.Task(output, groups, seed, "gpu:0" if self._gpu else "cpu", self._cpus)

        def count_group(table: Any) -> Any:
            edges = table.select(["source", "target"])
            return _cluster.count_group(task, table["group"][0].as_py(), edges.to_batches(), edges.schema)

        moved = self._ds.map_batches(edges_to_groups, batch_format="pyarrow", batch_size=1 << 20)
        resources: dict[str, Any] = {"num_gpus": 1} if self._gpu else {}
        # Ray sorts a partition in the memory of one task. With many partitions, few of them have several groups.
        partitions = 1 if self.plan.groups == 1 else min(8 * self.plan.groups, 1_000)
        grouped = moved.groupby("group", num_partitions=partitions)
        return grouped.map_groups(count_group, batch_format="pyarrow", num_cpus=self._cpus, **resources)

    def summed(self, ds: Dataset, keys: list[str], value: str) -> Dataset:
        """The rows of one vertex or edge as one."""
        from ray.data.aggregate import Sum

        key = keys if len(keys) > 1 else keys[0]
        return ds.groupby(key, num_partitions=min(self.plan.groups, 200)).aggregate(Sum(value, alias_name=value))
