"""Exact triangle counts of data frames of Spark, on all machines of the cluster.

>>> import tribin.spark                            # doctest: +SKIP
>>> tribin.spark.triangles(edges)                  # doctest: +SKIP
>>> print(tribin.spark.explain(edges))             # doctest: +SKIP

The edges are put into groups by colours of their ends, and each group is counted by tribin in one task of Spark's. The
groups are independent: a task that fails, or whose executor is lost, is run again by Spark. How groups are made, and why the
sum of their counts is exact, is written in the documentation of ``tribin._colours``.

Tribin, NumPy and pyarrow must be installed wherever executors run. A data frame is read twice, once to choose the number of
colours and once to count: one that is costly to make should be cached before.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tribin import _cluster_plan, _colours, _native
from tribin._cluster_plan import Plan
from tribin._errors import InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["Plan", "explain", "local", "support", "triangles"]

_SEED = 1

#: The most tasks of a shuffle. A task counts several groups where there are more.
_MOST_TASKS = 20_000


def triangles(
    df: DataFrame,
    *,
    source: str | None = None,
    target: str | None = None,
    device: str = "auto",
    memory: int | str | None = None,
    colours: int | None = None,
    seed: int = _SEED,
) -> int:
    """Count the triangles of a graph whose edges are rows.

    Directions, duplicates and self-loops are dropped, wherever they are.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The edges. Vertices are called by integers from 0 to 2^63 - 1 or by texts.
    source, target : str, optional
        The columns with the two ends. By default they are found by their names, as by `tribin.Graph`.
    device : str, default "auto"
        With ``auto`` each task asks Spark for a GPU if executors have some (``spark.executor.resource.gpu.amount``),
        and counts on it; else on the CPU. ``cpu`` and ``gpu`` say which.
    memory : int or str, optional
        The bytes that one task may use, for example ``"8G"``. By default they follow from the settings of Spark.
    colours : int, optional
        The number of colours; a divisor of 120. By default the least whose largest group fits ``memory``.
    seed : int
        Colours are hashes with this seed. It changes how even groups are, and no result.

    Returns
    -------
    int
        The exact number.

    Raises
    ------
    InputError
        If an id is null or negative, or a column holds neither integers nor texts.

    Notes
    -----
    With c colours every edge is moved c - 1 or c times, and a group has about 6 / c^2 of the edges.
    """
    run = _Run(df, source, target, device, memory, colours, seed)
    rows = run.counted("count", "group long, triangles long").collect()
    return _colours.total(run.plan.colours, ((row["group"], row["triangles"]) for row in rows))


def local(
    df: DataFrame,
    *,
    source: str | None = None,
    target: str | None = None,
    device: str = "auto",
    memory: int | str | None = None,
    colours: int | None = None,
    seed: int = _SEED,
) -> DataFrame:
    """Count the triangles at every vertex.

    Parameters are those of `triangles`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``vertex`` and ``triangles``: a row for each vertex with an edge to another one, also where it has
        no triangle, as `tribin.local` has it. Vertices are of type long or string. Rows are in no order. The groups
        are counted when rows are asked for.
    """
    run = _Run(df, source, target, device, memory, colours, seed)
    from pyspark.sql import functions as F

    found = run.counted("local", f"vertex {run.kind}, triangles long")
    return found.groupBy("vertex").agg(F.sum("triangles").alias("triangles"))


def support(
    df: DataFrame,
    *,
    source: str | None = None,
    target: str | None = None,
    device: str = "auto",
    memory: int | str | None = None,
    colours: int | None = None,
    seed: int = _SEED,
) -> DataFrame:
    """Count the triangles on every edge.

    Parameters are those of `triangles`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``source``, ``target`` and ``support``: each edge once, the smaller end first (texts are compared
        byte by byte), also edges without a triangle. Rows are in no order. The groups are counted when rows are asked for.
    """
    run = _Run(df, source, target, device, memory, colours, seed)
    from pyspark.sql import functions as F

    found = run.counted("support", f"source {run.kind}, target {run.kind}, support long")
    return found.groupBy("source", "target").agg(F.sum("support").alias("support"))


def explain(
    df: DataFrame,
    *,
    source: str | None = None,
    target: str | None = None,
    memory: int | str | None = None,
    colours: int | None = None,
    seed: int = _SEED,
) -> Plan:
    """Say how a data frame would be counted: colours, groups, what is moved, and the largest group.

    It reads the edges once, and moves none. Parameters are those of `triangles`.

    Returns
    -------
    Plan
        ``print`` shows it.
    """
    return _Run(df, source, target, "cpu", memory, colours, seed).plan


class _Run:
    """A data frame that was looked at once, and has a plan."""

    def __init__(
        self,
        df: DataFrame,
        source: str | None,
        target: str | None,
        device: str,
        memory: int | str | None,
        colours: int | None,
        seed: int,
    ) -> None:
        if (source is None) != (target is None):
            raise UsageError("`source` and `target` go together: name both columns, or none")
        asked = None if source is None or target is None else (source, target)
        (one, other), _, _ = _native.choose_columns(df.columns, asked)
        self._names = df.columns[one], df.columns[other]
        self._seed = seed
        conf = {name: df.sparkSession.conf.get(name, None) or "" for name in _SETTINGS}
        self._gpu = _takes_gpu(device, conf)
        self._threads = max(int(conf["spark.task.cpus"] or 1), 1)
        task_bytes, told = _cluster_plan.spark_memory(conf, memory)
        self.kind, self._edges = _typed(df, self._names)
        self.plan = _cluster_plan.plan(self._look(), task_bytes, told, colours)

    def _colour(self, name: str) -> Column:
        from pyspark.sql import functions as F

        return F.pmod(F.xxhash64(F.lit(self._seed), F.col(name)), F.lit(_colours.FINE)).cast("int")

    def _look(self) -> _cluster_plan.Facts:
        """One pass over the edges: what is wrong with them, and how many there are of each pair of fine colours."""
        from pyspark.sql import functions as F

        ends = [F.col("source"), F.col("target")]
        none = F.lit(None).cast("long")
        sizes = F.octet_length("source") + F.octet_length("target") if self.kind == "string" else F.lit(0)
        least = [F.min(end) if self.kind == "long" else none for end in ends]
        fine = self._colour("source"), self._colour("target")
        rows = (
            self._edges.groupBy(
                F.least(*fine).alias("one"), F.greatest(*fine).alias("other"), (ends[0] == ends[1]).alias("loop")
            )
            .agg(
                F.count(F.lit(1)).alias("rows"),
                F.sum(sizes.cast("long")).alias("bytes"),
                *(F.count_if(end.isNull()).alias(f"nulls{place}") for place, end in enumerate(ends)),
                *(value.alias(f"least{place}") for place, value in enumerate(least)),
            )
            .collect()
        )
        for place, name in enumerate(self._names):
            if any(row[f"nulls{place}"] for row in rows):
                raise InputError(_colours.missing_id(name))
            smallest = min((row[f"least{place}"] for row in rows if row[f"least{place}"] is not None), default=0)
            if smallest < 0:
                raise InputError(_colours.negative_id(name, smallest))
        pairs = np.zeros((_colours.FINE, _colours.FINE), np.int64)
        loops = text = 0
        for row in rows:
            if row["loop"]:
                loops += row["rows"]
            else:
                pairs[row["one"], row["other"]] += row["rows"]
                text += row["bytes"]
        return _cluster_plan.Facts(int(pairs.sum()), loops, text, pairs)

    def counted(self, output: str, schema: str) -> DataFrame:
        """What all groups give."""
        from pyspark.sql import functions as F

        if not self.plan.fits:
            warnings.warn(f"tribin.spark: {self.plan.reasons[-1]}\n{self.plan}", RuntimeWarning, stacklevel=3)
        colours = self.plan.colours
        routes = _colours.groups_of(colours).routes
        edges = self._edges.where(F.col("source") != F.col("target"))
        if colours == 1:
            moved = edges.withColumn("group", F.lit(0))
        else:
            ends = [self._colour(name) % colours for name in ("source", "target")]
            least, most = F.least(*ends), F.greatest(*ends)
            place = (most * (most + 1) / 2).cast("int") + least
            table = _route_table(edges, routes)
            moved = edges.withColumn("place", place).join(F.broadcast(table), "place")
            moved = moved.select(F.explode("groups").alias("group"), "source", "target")
        tasks = min(self.plan.groups, _MOST_TASKS)
        together = hasattr(moved, "repartitionById") and tasks == self.plan.groups
        if together:
            # Each partition is one group: there is nothing to sort.
            moved = moved.repartitionById(tasks, "group")
        else:
            moved = moved.repartition(tasks, "group").sortWithinPartitions("group")
        moved = moved.select("group", "source", "target")
        task = _colours.Task(output, colours, "gpu" if self._gpu else "cpu", self._threads)

        def count(batches: Iterator[Any]) -> Iterator[Any]:
            return count_partition(task, batches)

        if not self._gpu:
            return moved.mapInArrow(count, schema)
        from pyspark.resource import ResourceProfileBuilder, TaskResourceRequests

        requests = TaskResourceRequests().cpus(self._threads).resource("gpu", 1)
        return moved.mapInArrow(count, schema, profile=ResourceProfileBuilder().require(requests).build)


#: The settings of Spark that matter.
_SETTINGS = (
    "spark.master",
    "spark.executor.cores",
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.executor.memoryOverheadFactor",
    "spark.executor.pyspark.memory",
    "spark.executor.resource.gpu.amount",
    "spark.task.cpus",
)


def _takes_gpu(device: str, conf: dict[str, str]) -> bool:
    """Whether tasks ask Spark for a GPU each."""
    if device not in ("auto", "cpu", "gpu"):
        raise UsageError(f"`{device}` is none of `auto`, `cpu`, `gpu`: Spark says which GPU a task has")
    has = float(conf.get("spark.executor.resource.gpu.amount") or 0) > 0
    if device == "gpu" and not has:
        raise UsageError("executors have no GPU: set spark.executor.resource.gpu.amount, or take `device=\"cpu\"`")
    return device != "cpu" and has


def _typed(df: DataFrame, names: tuple[str, str]) -> tuple[str, DataFrame]:
    """Spark's type of the ids, and the two columns `source` and `target` with it."""
    from pyspark.sql import functions as F

    kinds = []
    for name in names:
        kind = next(field.dataType.simpleString() for field in df.schema.fields if field.name == name)
        if kind in ("tinyint", "smallint", "int", "bigint"):
            kinds.append("long")
        elif kind == "string" or kind.startswith(("varchar", "char")):
            kinds.append("string")
        else:
            raise InputError(_colours.no_id(name, kind))
    if kinds[0] != kinds[1]:
        raise InputError(_colours.names_and_integers(names))
    quoted = [F.col("`" + name.replace("`", "``") + "`") for name in names]
    return kinds[0], df.select(quoted[0].cast(kinds[0]).alias("source"), quoted[1].cast(kinds[0]).alias("target"))


def _route_table(df: DataFrame, routes: list[list[int]]) -> DataFrame:
    """A table of the groups of each pair of colours. It is small, and every machine gets it."""
    from pyspark.sql import functions as F

    rows = [(json.dumps(groups), place) for place, groups in enumerate(routes)]
    texts = df.sparkSession.createDataFrame(rows, "groups string, place int")
    return texts.select("place", F.from_json("groups", "array<int>").alias("groups"))


def count_partition(task: _colours.Task, batches: Iterator[Any]) -> Iterator[Any]:
    """What a task of Spark's runs: it counts the groups of one partition."""
    device = task.device
    if device == "gpu":
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        device = f"gpu:{context.resources()['gpu'].addresses[0]}"
    return _colours.count_sorted(_colours.Task(task.output, task.colours, device, task.threads), batches)
