"""Exact triangle counts of data frames of Spark, on all machines of the cluster.

>>> import tribin.spark                            # doctest: +SKIP
>>> tribin.spark.count(edges)                      # doctest: +SKIP
>>> print(tribin.spark.explain(edges))             # doctest: +SKIP

The edges are put into groups by colours of their ends, and each group is counted by tribin in one task of Spark's. The
groups are independent: a task that fails, or whose executor is lost, is run again by Spark. How groups are made, and why the
sum of their counts is exact, is written in docs/spark-and-ray.md of the repository.

Tribin, NumPy and pyarrow must be installed wherever executors run. A data frame is read twice, once to choose the number of
colours and once to count: one that is costly to make should be cached before.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tribin import _cluster, _inputs, _native
from tribin._cluster import Plan
from tribin._errors import InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from tribin._cluster import Options

__all__ = ["Plan", "count", "explain", "local", "support"]

#: The most tasks of a shuffle. A task counts several groups where there are more.
_MOST_TASKS = 20_000


def count(df: DataFrame, **options: Unpack[Options]) -> int:
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
        The number of sets of colours that groups are made of, from 1 to 256. By default groups are split until each fits
        ``memory``.
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
    UsageError
        If the Python that Spark's tasks run has no tribin.

    Notes
    -----
    With c sets of colours every edge is moved about c times, and there are about c^3 / 6 groups.
    """
    run = _Run(df, **options)
    rows = run.counted("count", "group long, triangles long").collect()
    return _cluster.total((row["group"], row["triangles"]) for row in rows)


def local(df: DataFrame, **options: Unpack[Options]) -> DataFrame:
    """Count the triangles at every vertex.

    Parameters are those of `count`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``vertex`` and ``triangles``: a row for each vertex with an edge to another one, also where it has
        no triangle, as `tribin.local` has it. Vertices are of type long or string. Rows are in no order. The groups
        are counted when rows are asked for.
    """
    run = _Run(df, **options)
    from pyspark.sql import functions as F

    found = run.counted("local", f"vertex {run.kind}, triangles long")
    return found.groupBy("vertex").agg(F.sum("triangles").alias("triangles"))


def support(df: DataFrame, **options: Unpack[Options]) -> DataFrame:
    """Count the triangles on every edge.

    Parameters are those of `count`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``source``, ``target`` and ``support``: each edge once, the smaller end first (texts are compared
        byte by byte), also edges without a triangle. Rows are in no order. The groups are counted when rows are asked for.
    """
    run = _Run(df, **options)
    from pyspark.sql import functions as F

    found = run.counted("support", f"source {run.kind}, target {run.kind}, support long")
    return found.groupBy("source", "target").agg(F.sum("support").alias("support"))


def explain(df: DataFrame, **options: Unpack[Options]) -> Plan:
    """Say how a data frame would be counted: colours, groups, what is moved, and the largest group.

    It reads the edges once, and moves none. Parameters are those of `count`.

    Returns
    -------
    Plan
        ``print`` shows it.
    """
    options["device"] = "cpu"
    return _Run(df, **options).plan


class _Run:
    """A data frame that was looked at once, and has a plan."""

    def __init__(
        self,
        df: DataFrame,
        source: str | None = None,
        target: str | None = None,
        device: str = "auto",
        memory: int | str | None = None,
        colours: int | None = None,
        seed: int = 1,
    ) -> None:
        asked = _inputs.as_texts(_inputs.asked_for(source, target))
        _use_this_python(df)
        (one, other), _, _ = _native.choose_columns(df.columns, asked)
        self._names = df.columns[one], df.columns[other]
        self._seed = seed
        conf = {name: df.sparkSession.conf.get(name, None) or "" for name in _SETTINGS}
        gpus = float(conf["spark.executor.resource.gpu.amount"] or 0)
        lacks = "executors have no GPU: set spark.executor.resource.gpu.amount, or"
        self._gpu = _cluster.takes_gpu(device, gpus, "Spark", lacks)
        self._threads = max(int(conf["spark.task.cpus"] or 1), 1)
        task_bytes, told = _cluster.spark_memory(conf, memory)
        self.kind, self._edges = _typed(df, self._names)
        facts = _cluster.facts_of(self._look(), self._names)
        self._ids = facts.kind
        self.plan, self._groups = _cluster.plan(facts, task_bytes, told, colours)

    def _look(self) -> list[Any]:
        """One pass over the edges: what is wrong with them, and how many there are between each two colours."""
        names, seed, real = ("source", "target"), self._seed, self._names

        def look(batches: Iterator[Any]) -> Iterator[Any]:
            tables = (_table(batch).rename_columns(list(real)) for batch in batches)
            yield from _cluster.look_at(tables, real, seed).to_batches()

        schema = "wrong string, kind string, bytes long, places array<long>, rows array<long>"
        _describe(self._edges, "tribin: look at the edges")
        try:
            rows: list[Any] = self._edges.select(*names).mapInArrow(look, schema).collect()
        except Exception as error:
            lacking = re.search(r"No module named '(tribin|numpy|pyarrow)\b", str(error))
            if lacking is None:
                raise
            context = getattr(self._edges.sparkSession, "_sc", None)
            python = "the Python of Spark's tasks" if context is None else f"Spark's tasks run `{context.pythonExec}`, which"
            raise UsageError(
                f"{python} has no module `{lacking[1]}`: set PYSPARK_PYTHON, before the session starts, to a Python that has tribin "
                "on every machine"
            ) from None
        return rows

    def counted(self, output: str, schema: str) -> DataFrame:
        """What all groups give."""
        if not self.plan.fits:
            warnings.warn(f"tribin.spark: {self.plan.reasons[-1]}\n{self.plan}", RuntimeWarning, stacklevel=3)
        groups, seed, kind = self._groups, self._seed, self._ids

        def route(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                table = _cluster.routed(_table(batch), ("source", "target"), kind, groups, seed)
                yield from table.to_batches(max_chunksize=1 << 16)

        moved = self._edges.mapInArrow(route, f"group int, source {self.kind}, target {self.kind}")
        tasks = min(self.plan.groups, _MOST_TASKS)
        together = hasattr(moved, "repartitionById") and tasks == self.plan.groups
        if together:
            # Each partition is one group: there is nothing to sort.
            moved = moved.repartitionById(tasks, "group")
        else:
            moved = moved.repartition(tasks, "group").sortWithinPartitions("group")
        moved = moved.select("group", "source", "target")
        task = _cluster.Task(output, groups, seed, "gpu" if self._gpu else "cpu", self._threads)

        def count(batches: Iterator[Any]) -> Iterator[Any]:
            return count_partition(task, batches)

        _describe(self._edges, f"tribin: count {self.plan.groups} groups of edges")
        if not self._gpu:
            return moved.mapInArrow(count, schema)
        from pyspark.resource import ResourceProfileBuilder, TaskResourceRequests

        requests = TaskResourceRequests().cpus(self._threads).resource("gpu", 1)
        return moved.mapInArrow(count, schema, profile=ResourceProfileBuilder().require(requests).build)


def _use_this_python(df: DataFrame) -> None:
    """Let tasks of this machine run the Python that runs here: Spark takes `python3` of the path if `PYSPARK_PYTHON` is not set,
    and a virtual environment that is not activated is not there."""
    # Sessions of Spark Connect have no context.
    context = getattr(df.sparkSession, "_sc", None)
    if context is not None and context.master.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable


def _table(batch: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([batch])


def _describe(df: DataFrame, text: str) -> None:
    """Says what the next job does, where Spark shows its jobs. Spark Connect has no context to say it to."""
    try:
        df.sparkSession.sparkContext.setJobDescription(text)
    except Exception:
        return


#: The settings of Spark that matter.
_SETTINGS = (
    "spark.master",
    "spark.driver.memory",
    "spark.executor.cores",
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.executor.memoryOverheadFactor",
    "spark.executor.pyspark.memory",
    "spark.executor.resource.gpu.amount",
    "spark.task.cpus",
)


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
            raise InputError(_cluster.no_id(name, kind))
    if kinds[0] != kinds[1]:
        raise InputError(_cluster.names_and_integers(names))
    quoted = [F.col("`" + name.replace("`", "``") + "`") for name in names]
    return kinds[0], df.select(quoted[0].cast(kinds[0]).alias("source"), quoted[1].cast(kinds[0]).alias("target"))


def count_partition(task: _cluster.Task, batches: Iterator[Any]) -> Iterator[Any]:
    """What a task of Spark's runs: it counts the groups of one partition."""
    if task.device == "gpu":
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        task = replace(task, device=f"gpu:{context.resources()['gpu'].addresses[0]}")
    return _cluster.count_sorted(task, batches)
