"""How many colours: a pure function of what one look at the edges says, and of the memory that a task has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tribin._colours import CHOICES, FINE, groups_of
from tribin._errors import UsageError
from tribin._graph import _bytes

__all__ = ["Facts", "Plan"]

#: Bytes of memory that a task takes for each edge of its group, with ids of 64 bits (docs/spark-and-ray.md#memory).
EDGE_BYTES = 100

#: Bytes of a row that is moved: a group and two ids of 64 bits, as Spark's rows have them, before compression.
ROW_BYTES = 32


@dataclass(frozen=True)
class Facts:
    """What one look at the edges says.

    Attributes
    ----------
    rows : int
        Rows that are edges. Duplicates count, self-loops do not.
    self_loops : int
        Rows that join a vertex to itself.
    text_bytes : int
        The bytes of all ids, where these are texts.
    pairs : numpy.ndarray
        How many rows there are of each pair of the fine colours; a square, filled above its diagonal and on it.
    """

    rows: int
    self_loops: int
    text_bytes: int
    pairs: NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """How a graph is counted on a cluster, and why.

    Attributes
    ----------
    rows : int
        Rows that are edges; duplicates count.
    colours, groups : int
        How many colours there are, and how many groups of edges.
    moved_rows, moved_bytes : int
        What the engine moves between machines (the shuffle), before compression.
    heaviest_rows, heaviest_bytes : int
        The edges of the largest group, which are counted and not estimated, and the memory that it takes.
    task_bytes : int
        The memory that one task may use.
    fits : bool
        Whether the largest group fits that memory.
    reasons : list of str
        Why these colours were chosen.
    """

    __module__ = "tribin"

    rows: int
    colours: int
    groups: int
    moved_rows: int
    moved_bytes: int
    heaviest_rows: int
    heaviest_bytes: int
    task_bytes: int
    fits: bool
    reasons: list[str]

    def __str__(self) -> str:
        return (
            f"edges     {self.rows:,} rows"
            f"\ncolours   {self.colours}, so {self.groups:,} group{'s' if self.groups != 1 else ''}"
            f"\nmoved     {self.moved_rows:,} rows, {_size(self.moved_bytes)} before compression"
            f"\nheaviest  {self.heaviest_rows:,} rows, {_size(self.heaviest_bytes)} of the {_size(self.task_bytes)} of a task"
            "\nreasons   " + "\n          ".join(self.reasons)
        )


def _size(count: int) -> str:
    """A number of bytes, to read."""
    size, unit = float(count), "bytes"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"


def loads(pairs: NDArray[np.int64], colours: int) -> tuple[int, int]:
    """The rows of the largest group, and those of all groups together."""
    of = np.arange(FINE) % colours
    coarse = np.zeros((colours, colours), np.int64)
    np.add.at(coarse, (of[:, None], of[None, :]), pairs)
    within = np.diag(coarse).copy()
    between = coarse + coarse.T
    np.fill_diagonal(between, 0)
    crossing = int(between.sum()) // 2
    alone = 0 if colours == 2 else 1
    moved = crossing * (colours - 1) + int(within.sum()) * (colours - 1 + alone)
    if colours == 1:
        return int(within[0]), int(within[0])
    two = within[:, None] + within[None, :] + between
    np.fill_diagonal(two, 0)
    heaviest = int(two.max())
    for colour in range(colours if colours > 2 else 0):
        three = between + between[colour][:, None] + between[colour][None, :]
        np.fill_diagonal(three, 0)
        three[colour, :] = three[:, colour] = 0
        heaviest = max(heaviest, int(three.max()))
    return heaviest, moved


def plan(facts: Facts, task_bytes: int, told: str, colours: int | None = None) -> Plan:
    """Choose the number of colours.

    The choice is the least number whose largest group fits the memory of a task, because every further colour moves
    all edges once more. `told` says where the memory is from.
    """
    if task_bytes < 1:
        raise UsageError(f"`memory` is {task_bytes}: it must be 1 byte or more")
    if colours is not None and colours not in CHOICES:
        raise UsageError(f"`colours` is {colours}: it must be one of {', '.join(map(str, CHOICES))}")
    text = math.ceil(facts.text_bytes / facts.rows) if facts.rows else 0
    # A name is in the batch, in the list of names and in the table that numbers them.
    edge_bytes, row_bytes = EDGE_BYTES + 3 * text, ROW_BYTES + text
    found = []
    for choice in CHOICES if colours is None else (colours,):
        heaviest, moved = loads(facts.pairs, choice)
        found.append((choice, heaviest, moved))
        if heaviest * edge_bytes <= task_bytes:
            break
    choice, heaviest, moved = found[-1]
    fits = heaviest * edge_bytes <= task_bytes
    reasons = [f"a task may use {_size(task_bytes)}: {told}"]
    if colours is not None:
        reasons.append(f"{colours} colours were asked for")
    elif choice == 1:
        reasons.append("the whole graph fits one task: one group, counted by one task")
    elif fits:
        before, too_large, _ = found[-2]
        reasons.append(
            f"{choice} is the least number whose largest group fits: with {before} it takes {_size(too_large * edge_bytes)}"
        )
    else:
        reasons.append("no number of colours makes the largest group fit")
    if not fits:
        reasons.append("the largest group is predicted not to fit: give tasks more memory, fewer at a time")
    groups = groups_of(choice)
    even = max(facts.rows * (1 if choice == 1 else max(6 / choice**2, 4 / choice**2 if choice > 2 else 1)), 1)
    if choice > 2 and heaviest > 2 * even + 1000:
        reasons.append(f"the edges are skewed: an even graph's largest group would have {even:,.0f} rows")
    return Plan(
        facts.rows,
        choice,
        len(groups.sets),
        moved,
        moved * row_bytes,
        heaviest,
        heaviest * edge_bytes,
        task_bytes,
        fits,
        reasons,
    )


def spark_memory(conf: Mapping[str, str], memory: int | str | None) -> tuple[int, str]:
    """The bytes that one task of Spark's may use outside of the JVM, and where they are from."""
    if memory is not None:
        return _bytes(memory) or 0, "`memory`"
    cores = int(conf.get("spark.executor.cores") or 1)
    tasks = max(cores // int(conf.get("spark.task.cpus") or 1), 1)
    shared = f"shared by {tasks} tasks" if tasks > 1 else "of one task"
    named = conf.get("spark.executor.pyspark.memory")
    if named:
        return _jvm_bytes(named, 20) // tasks, f"spark.executor.pyspark.memory={named}, {shared}"
    heap = conf.get("spark.executor.memory") or "1g"
    if conf.get("spark.master", "").startswith(("yarn", "k8s")):
        overhead = conf.get("spark.executor.memoryOverhead")
        if overhead:
            return _jvm_bytes(overhead, 20) // tasks, f"spark.executor.memoryOverhead={overhead}, {shared}"
        factor = float(conf.get("spark.executor.memoryOverheadFactor") or 0.1)
        size = max(int(_jvm_bytes(heap, 20) * factor), 384 << 20)
        return size // tasks, f"the memory of a container beside a heap of {heap}, {shared}"
    return _jvm_bytes(heap, 20) // tasks, f"as much as the heap, spark.executor.memory={heap}, {shared}"


def _jvm_bytes(text: str, unit: int) -> int:
    """Bytes of a setting of Spark's, whose numbers without a unit are of 2^unit bytes."""
    return int(text) << unit if text.isdigit() else _bytes(text) or 0


def ray_memory(node_bytes: list[tuple[float, float]], cpus: float, memory: int | str | None) -> tuple[int, str]:
    """The bytes that one task of Ray's may use: the share of its CPUs of the memory of the smallest node."""
    if memory is not None:
        return _bytes(memory) or 0, "`memory`"
    shares = [int(size * min(cpus / have, 1)) for have, size in node_bytes if have > 0 and size > 0]
    if not shares:
        return 1 << 30, "no node says how much memory it has"
    return min(shares), f"the memory of the smallest node, shared by its tasks of {cpus:g} CPUs"
