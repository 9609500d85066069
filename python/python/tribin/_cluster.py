"""What Spark and Ray have in common: how edges find the groups that tasks count, and what a task counts.

Which groups there are, which edges belong to them, and why their results add up is Rust's (`host/cluster` of the repository): every
vertex has one of 256 colours, by a hash of its id, and a group is the triangles with a corner in each of three sets of
colours. Every triangle is in one group. A group is a pure function of its edges, so an engine may count it again after
a failure, on any machine.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from tribin import _native
from tribin._errors import InputError, UsageError
from tribin._graph import _bytes, _Resources

#: The number of colours.
COLOURS = 256

#: Bytes of memory that a task takes for each edge of its group, with ids of 64 bits (docs/spark-and-ray.md#memory).
EDGE_BYTES = 100

#: Bytes of a row that is moved: a group and two ids of 64 bits, as Spark's rows have them, before compression.
ROW_BYTES = 32

#: What a group gives for the edges that it holds: the names of the columns.
COLUMNS = {"count": ("group", "triangles"), "local": ("vertex", "triangles"), "support": ("source", "target", "support")}

#: A group, as Rust has it: three sets of colours of four words each.
Group = tuple[int, ...]


class Options(TypedDict, total=False):
    """The options of each function of Spark and Ray."""

    source: str | None
    target: str | None
    device: str
    memory: int | str | None
    colours: int | None
    seed: int


# What one look at the edges says.


def ids_of(table: Any, names: tuple[str, str]) -> tuple[Any, Any]:
    """Both columns of Arrow's, as arrays of one type: int64, uint64 or large_string. Self-loops are left out.

    Raises `InputError` where an id is missing or negative, or where the types are no ids.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = []
    for name in names:
        column = table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        kind = column.type
        texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
        if column.null_count:
            raise InputError(f"edges: column `{name}` has a null: every edge has two ends; leave such rows out")
        if any(is_text(kind) for is_text in texts):
            column = column.cast(pa.large_string())
        elif pa.types.is_integer(kind):
            if pa.types.is_signed_integer(kind) and len(column) and (least := pc.min(column).as_py()) < 0:
                raise InputError(
                    f"edges: column `{name}` has {least}: vertex ids are not negative; give texts instead, or add a constant"
                )
            column = column.cast(pa.uint64() if pa.types.is_uint64(kind) else pa.int64())
        else:
            raise InputError(no_id(name, str(kind)))
        columns.append(column)
    if columns[0].type != columns[1].type:
        if any(pa.types.is_large_string(column.type) for column in columns):
            raise InputError(names_and_integers(names))
        columns = [column.cast(pa.uint64()) for column in columns]
    edges = pc.not_equal(columns[0], columns[1])
    return columns[0].filter(edges), columns[1].filter(edges)


def no_id(name: str, kind: str) -> str:
    return f"edges: column `{name}` holds {kind}: vertex ids are integers or texts"


def names_and_integers(names: tuple[str, str]) -> str:
    return f"edges: of the columns `{names[0]}` and `{names[1]}` one holds texts and the other integers"


def _colours(source: Any, target: Any, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The colours of both ends of every edge."""
    import pyarrow as pa

    edges = pa.table({"source": source, "target": target})
    return _native.colours_of_edges(edges.__arrow_c_stream__(), seed % 2**64)


def look_at(tables: Iterable[Any], names: tuple[str, str], seed: int) -> Any:
    """What is wrong with a part of the edges, and how many there are between each two colours: one row, however many
    tables the part comes in. All have ids of one type.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    wrong, kind, text = "", "", 0
    pairs = np.zeros(COLOURS * COLOURS, np.int64)
    for table in tables:
        try:
            source, target = ids_of(table, names)
        except InputError as error:
            wrong = str(error)
            break
        if table.num_rows:
            kind = str(source.type)
        if kind == "large_string" and len(source):
            text += sum(pc.sum(pc.binary_length(ids)).as_py() for ids in (source, target))
        one, other = _colours(source, target, seed)
        square = np.minimum(one, other) * np.int64(COLOURS) + np.maximum(one, other)
        pairs += np.bincount(square, minlength=len(pairs))
    places = np.flatnonzero(pairs)
    lists = pa.list_(pa.int64())
    return pa.table(
        {
            "wrong": [wrong],
            "kind": [kind],
            "bytes": pa.array([text], pa.int64()),
            "places": pa.array([places], lists),
            "rows": pa.array([pairs[places]], lists),
        }
    )


@dataclass(frozen=True)
class Facts:
    """What one look at the edges says.

    Attributes
    ----------
    rows : int
        Rows that are edges. Duplicates count, self-loops do not.
    text_bytes : int
        The bytes of all ids, where these are texts.
    kind : str
        The type of Arrow's that holds all ids.
    pairs : numpy.ndarray
        How many rows there are between each two colours, as `look_at` places them.
    """

    rows: int
    text_bytes: int
    kind: str
    pairs: NDArray[np.uint64]


def facts_of(rows: Iterable[Mapping[str, Any]], names: tuple[str, str]) -> Facts:
    """What all looks at parts of the edges say together."""
    pairs = np.zeros(COLOURS * COLOURS, np.uint64)
    text = 0
    kinds: set[str] = set()
    for row in rows:
        if row["wrong"]:
            raise InputError(row["wrong"])
        if row["kind"]:
            kinds.add(row["kind"])
        pairs[np.asarray(row["places"], np.int64)] += np.asarray(row["rows"], np.uint64)
        text += row["bytes"]
    if "large_string" in kinds and len(kinds) > 1:
        raise InputError(names_and_integers(names))
    # Parts may have other types than others: all are made what the widest is.
    kind = next((kind for kind in ("large_string", "uint64") if kind in kinds), "int64")
    return Facts(int(pairs.sum()), text, kind, pairs)


# Which groups there are.


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
        Why these groups were chosen.
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


def plan(facts: Facts, task_bytes: int, told: str, colours: int | None = None) -> tuple[Plan, tuple[Group, ...]]:
    """Choose the groups, so that the largest fits the memory of a task. `told` says where the memory is from."""
    if task_bytes < 1:
        raise UsageError(f"`memory` is {task_bytes}: it must be 1 byte or more")
    if colours is not None and not 1 <= colours <= COLOURS:
        raise UsageError(f"`colours` is {colours}: it must be from 1 to {COLOURS}")
    text = math.ceil(facts.text_bytes / facts.rows) if facts.rows else 0
    # A name is in the batch, in the list of names and in the table that numbers them.
    edge_bytes, row_bytes = EDGE_BYTES + 3 * text, ROW_BYTES + text
    words, entries, moved = _native.plan_groups(facts.pairs, task_bytes // edge_bytes, colours)
    groups, heaviest = tuple(map(tuple, words)), max(entries, default=0)
    fits = heaviest * edge_bytes <= task_bytes
    reasons = [f"a task may use {_size(task_bytes)}: {told}"]
    if colours is not None:
        reasons.append(f"{colours} colours were asked for")
    elif len(groups) == 1:
        reasons.append("the whole graph fits one task: one group, counted by one task")
    else:
        reasons.append("the largest groups were split until each fits a task" if fits else "no smaller groups fit either")
    if not fits:
        reasons.append("the largest group is predicted not to fit: give tasks more memory, fewer at a time")
    chosen = colours or (COLOURS if len(groups) > 1 else 1)
    sizes = moved, moved * row_bytes, heaviest, heaviest * edge_bytes, task_bytes
    return Plan(facts.rows, chosen, len(groups), *sizes, fits, reasons), groups


def takes_gpu(device: str, gpus: float, engine: str, lacks: str) -> bool:
    """Whether tasks ask the engine for a GPU each."""
    if device not in ("auto", "cpu", "gpu"):
        raise UsageError(f"`{device}` is none of `auto`, `cpu`, `gpu`: {engine} says which GPU a task has")
    if device == "gpu" and not gpus:
        raise UsageError(f"{lacks} take `device=\"cpu\"`")
    return device != "cpu" and gpus > 0


def spark_memory(conf: Mapping[str, str], memory: int | str | None) -> tuple[int, str]:
    """The bytes that one task of Spark's may use outside of the JVM, and where they are from."""
    if memory is not None:
        return _bytes("memory", memory) or 0, "`memory`"
    master, setting = conf.get("spark.master", ""), "spark.executor.memory"
    cores = int(conf.get("spark.executor.cores") or 1)
    # In local mode the driver is the only executor, and its threads are told with the mode.
    local = re.fullmatch(r"local(?:\[(\d+|\*)(?:,.*)?\])?", master)
    if local:
        threads, setting = local[1] or "1", "spark.driver.memory"
        cores = (os.cpu_count() or 1) if threads == "*" else int(threads)
    tasks = max(cores // int(conf.get("spark.task.cpus") or 1), 1)
    shared = f"shared by {tasks} tasks" if tasks > 1 else "of one task"
    named = conf.get("spark.executor.pyspark.memory")
    if named:
        return _jvm_bytes(named, 20) // tasks, f"spark.executor.pyspark.memory={named}, {shared}"
    heap = conf.get(setting) or "1g"
    if master.startswith(("yarn", "k8s")):
        overhead = conf.get("spark.executor.memoryOverhead")
        if overhead:
            return _jvm_bytes(overhead, 20) // tasks, f"spark.executor.memoryOverhead={overhead}, {shared}"
        factor = float(conf.get("spark.executor.memoryOverheadFactor") or 0.1)
        size = max(int(_jvm_bytes(heap, 20) * factor), 384 << 20)
        return size // tasks, f"the memory of a container beside a heap of {heap}, {shared}"
    return _jvm_bytes(heap, 20) // tasks, f"as much as the heap, {setting}={heap}, {shared}"


def _jvm_bytes(text: str, unit: int) -> int:
    """Bytes of a setting of Spark's, whose numbers without a unit are of 2^unit bytes."""
    return int(text) << unit if text.isdigit() else _bytes("memory", text) or 0


def ray_memory(node_bytes: list[tuple[float, float]], cpus: float, memory: int | str | None) -> tuple[int, str]:
    """The bytes that one task of Ray's may use: the share of its CPUs of the memory of the smallest node."""
    if memory is not None:
        return _bytes("memory", memory) or 0, "`memory`"
    shares = [int(size * min(cpus / have, 1)) for have, size in node_bytes if have > 0 and size > 0]
    if not shares:
        return 1 << 30, "no node says how much memory it has"
    return min(shares), f"the memory of the smallest node, shared by its tasks of {cpus:g} CPUs"


# How edges find their groups.


@functools.lru_cache(maxsize=4)
def _routes(groups: tuple[Group, ...]) -> _native.Routes:
    return _native.Routes(groups)


def routed(table: Any, names: tuple[str, str], kind: str, groups: tuple[Group, ...], seed: int) -> Any:
    """The edges of a batch, each once for every group that takes it: an Arrow table with `group`, `source`, `target`."""
    import pyarrow as pa

    ids = pa.type_for_alias(kind)
    source, target = (column.cast(ids) for column in ids_of(table, names))
    group, rows = _routes(groups).of(*_colours(source, target, seed))
    taken = pa.array(rows)
    return pa.table({"group": pa.array(group, pa.int32()), "source": source.take(taken), "target": target.take(taken)})


# What is counted of a group.


@dataclass(frozen=True)
class Task:
    """What groups are asked for, and with what they are counted. It is sent to every worker."""

    output: str
    groups: tuple[Group, ...]
    seed: int
    device: str
    threads: int

    def __post_init__(self) -> None:
        if self.output not in COLUMNS:
            raise UsageError(f"`{self.output}` is none of `count`, `local`, `support`")


def count_group(task: Task, group: int, batches: Iterable[Any], schema: Any) -> Any:
    """Count a group whose edges come in Arrow batches with the columns `source` and `target`.

    The result is an Arrow table with the columns of `COLUMNS`. That of a count has one row. There may be several rows
    of one vertex or edge, in one group or in many: they are added. Vertices and edges without a triangle come from
    the groups in which edges are at home.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    reader = pa.RecordBatchReader.from_batches(schema, iter(batches))
    resources = _Resources(task.device, task.threads, None)
    stream = reader.__arrow_c_stream__()
    found = _native.count_group(resources, stream, task.groups[group], task.seed % 2**64, task.output)
    if task.output == "count":
        return pa.table({"group": pa.array([group], pa.int64()), "triangles": pa.array(found, pa.int64())})
    *ends, values, called = found
    ids = pa.array(called, schema.field("source").type)
    ends = [ids.take(pa.array(end)) for end in ends]
    if task.output == "local":
        return pa.table({"vertex": ends[0], "triangles": pa.array(values)})
    ascends = pc.less(*ends)
    source, target = pc.if_else(ascends, ends[0], ends[1]), pc.if_else(ascends, ends[1], ends[0])
    return pa.table({"source": source, "target": target, "support": pa.array(values)})


def count_sorted(task: Task, batches: Iterable[Any]) -> Iterator[Any]:
    """Count the groups of a stream of Arrow batches with `group`, `source`, `target`, in which the rows of each group
    are together. Each group is read as it comes: no more than one batch is held beside what tribin makes of it.
    """
    import pyarrow as pa

    pieces = _pieces(batches)
    for group, of_group in itertools.groupby(pieces, key=lambda piece: piece[0]):
        first = next(of_group)[1]
        rest = itertools.chain([first], (piece for _, piece in of_group))
        table = count_group(task, group, rest, first.schema)
        for batch in table.to_batches(max_chunksize=1 << 16):
            yield pa.RecordBatch.from_arrays(batch.columns, schema=batch.schema)


def _pieces(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The parts of batches that are of one group."""
    for batch in batches:
        if not batch.num_rows:
            continue
        numbers = batch.column("group").to_numpy(zero_copy_only=False)
        starts = np.concatenate(([0], np.flatnonzero(np.diff(numbers)) + 1, [len(numbers)]))
        edges = batch.select(["source", "target"])
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist()):
            yield int(numbers[start]), edges.slice(start, end - start)


def total(counts: Iterable[tuple[int, int]]) -> int:
    """The triangles of the whole graph, from those of its groups."""
    found: dict[int, int] = {}
    for group, triangles in counts:
        if group in found:
            raise RuntimeError(f"group {group} was counted twice: the engine did not keep its edges together")
        found[group] = triangles
    return sum(found.values())
