"""Colour sets: how the triangles of one graph are counted in groups that know nothing of each other.

Every vertex gets one of c colours, by a hash of its id. A *group* is a set of one, two or three colours. It holds

- of one colour {i}: the edges with both ends of colour i;
- of two colours {i, j}: the edges whose ends have colours of the set, equal or not;
- of three colours {i, j, k}: the edges whose ends have two different colours of the set.

An edge between two colours goes to c - 1 groups, and an edge within a colour to c. Each group is a graph of its own.
Tribin counts it, and the counts are added with these weights: 2 - c for a group of one colour, 1 for every other.

Why the sum is exact
--------------------
Take any triangle, and look at which groups hold all of its three edges.

1. Its corners have three different colours i, j, k. The edges join all three pairs of them. A group of at most two
   colours lacks one of the pairs, and of the groups of three colours only {i, j, k} has them all. One group of weight
   1 counts the triangle.
2. Its corners have two colours, i twice and k once. One of its edges is within i, and no group of three colours
   holds such an edge. Of the groups of two colours only {i, k} has both colours. The group {i} lacks k. One group
   of weight 1 counts the triangle.
3. Its corners all have colour i. The groups that hold its edges are {i} and the c - 1 groups {i, x}. The weights add
   up to (2 - c) + (c - 1) = 1.

So every triangle is counted with weight 1. The triangles at a vertex and those on an edge are sums over triangles,
and the same weights hold for them. With c = 1 there is the one group {0}, of weight 1. With c = 2 the groups of one
colour have weight 0 and are left out.

A group drops the duplicates of its own edges, in both directions: an edge goes to the same groups wherever and
however often it is entered. The hash decides how large groups are, and never what is counted: all that matters is
that an id has the same colour everywhere. A group is a pure function of its edges, so an engine may count it again
after a failure, on any machine.

A group of m edges has fewer than m^1.5 triangles (Kruskal, Katona), which is below 2^63 for m up to 4 * 10^12, and
no group of a machine is as large. Sums over groups are made with Python's integers for the global count. The partial
sums at a vertex or an edge may be negative until the groups of one colour are added, and are of 64 bits: c times the
triangles of a vertex must be below 2^63.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribin._errors import InputError, UsageError
from tribin._graph import Graph

#: Colours that the edges are first counted by. Each number of colours that may be chosen divides it, so that one look
#: at the edges gives the size of every group for every choice.
FINE = 120

#: The numbers of colours to choose from.
CHOICES = tuple(colours for colours in range(1, FINE + 1) if FINE % colours == 0)

#: What a group gives for the edges that it holds: the names of the columns.
COLUMNS = {"count": ("group", "triangles"), "local": ("vertex", "triangles"), "support": ("source", "target", "support")}


@dataclass(frozen=True)
class Groups:
    """All groups of a number of colours, in the order of their numbers."""

    colours: int
    #: The colours of each group, ascending.
    sets: tuple[tuple[int, ...], ...]

    def weight(self, group: int) -> int:
        """How often the triangles of a group count."""
        return 2 - self.colours if len(self.sets[group]) == 1 else 1

    @functools.cached_property
    def routes(self) -> list[list[int]]:
        """The groups of an edge, by the place of its two colours (`pair_place`)."""
        routes: list[list[int]] = [[] for _ in range(pair_place(0, self.colours))]
        for group, colours in enumerate(self.sets):
            for one, other in itertools.combinations(colours, 2):
                routes[pair_place(one, other)].append(group)
            if len(colours) < 3:
                for colour in colours:
                    routes[pair_place(colour, colour)].append(group)
        return routes


def pair_place(one: int, other: int) -> int:
    """The place of two colours, the smaller first, among all pairs."""
    return other * (other + 1) // 2 + one


@functools.lru_cache(maxsize=4)
def groups_of(colours: int) -> Groups:
    """The groups of a number of colours.

    >>> groups_of(3).sets
    ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
    """
    alone = [] if colours == 2 else [(colour,) for colour in range(colours)]
    pairs = itertools.combinations(range(colours), 2)
    triples = itertools.combinations(range(colours), 3)
    return Groups(colours, (*alone, *pairs, *triples))


# How edges find their groups, where the engine leaves it to Python.


def _mixed(values: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014), after the seed."""
    mixed = values ^ np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _text_hashes(texts: Any) -> NDArray[np.uint64]:
    """A polynomial of the bytes of every text, modulo 2^64."""
    import pyarrow as pa

    texts = texts.cast(pa.large_binary())
    _, offsets_buffer, data_buffer = texts.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64, len(texts) + 1, 8 * texts.offset)
    ends = offsets - offsets[0]
    if not ends[-1]:
        return np.zeros(len(texts), np.uint64)
    data = np.frombuffer(data_buffer, np.uint8, int(ends[-1]), int(offsets[0]))
    lengths = np.diff(ends)
    powers = np.full(int(lengths.max()), 0x9E3779B97F4A7C15, np.uint64)
    powers = np.multiply.accumulate(powers)
    place = np.arange(len(data)) - np.repeat(ends[:-1], lengths)
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum((data.astype(np.uint64) + np.uint64(1)) * powers[place], out=sums[1:])
    hashes: NDArray[np.uint64] = sums[ends[1:]] - sums[ends[:-1]]
    return hashes


def fine_colours(ids: Any, seed: int) -> NDArray[np.int64]:
    """The colour of every id of an Arrow array, of `FINE` colours. Ids are int64, uint64 or large_string."""
    import pyarrow as pa

    if pa.types.is_integer(ids.type):
        hashes = ids.to_numpy(zero_copy_only=False).astype(np.uint64)
    else:
        hashes = _text_hashes(ids)
    return (_mixed(hashes, seed) % np.uint64(FINE)).astype(np.int64)


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
            raise InputError(missing_id(name))
        if any(is_text(kind) for is_text in texts):
            column = column.cast(pa.large_string())
        elif pa.types.is_integer(kind):
            if pa.types.is_signed_integer(kind) and len(column) and (least := pc.min(column).as_py()) < 0:
                raise InputError(negative_id(name, least))
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


def missing_id(name: str) -> str:
    return f"edges: column `{name}` has a null: every edge has two ends; leave such rows out"


def negative_id(name: str, value: object) -> str:
    return f"edges: column `{name}` has {value}: vertex ids are not negative; give texts instead, or add a constant"


def no_id(name: str, kind: str) -> str:
    return f"edges: column `{name}` holds {kind}: vertex ids are integers or texts"


def names_and_integers(names: tuple[str, str]) -> str:
    return f"edges: of the columns `{names[0]}` and `{names[1]}` one holds texts and the other integers"


def places_of(source: Any, target: Any, colours: int, seed: int) -> NDArray[np.int64]:
    """The place of each edge's two colours among all pairs."""
    one, other = (fine_colours(ids, seed) % colours for ids in (source, target))
    least, most = np.minimum(one, other), np.maximum(one, other)
    places: NDArray[np.int64] = most * (most + 1) // 2 + least
    return places


def routed(source: Any, target: Any, colours: int, seed: int) -> Any:
    """The edges, each once for every group that it goes to: an Arrow table with `group`, `source`, `target`."""
    import pyarrow as pa

    routes = groups_of(colours).routes
    places = places_of(source, target, colours, seed)
    lengths = np.array([len(groups) for groups in routes])
    ends = np.concatenate(([0], np.cumsum(lengths)))
    flat = np.array(list(itertools.chain.from_iterable(routes)), dtype=np.int32)
    copies = lengths[places]
    rows = np.repeat(np.arange(len(places)), copies)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(copies) - copies, copies)
    group = flat[ends[places][rows] + within]
    taken = pa.array(rows)
    return pa.table({"group": pa.array(group, pa.int32()), "source": source.take(taken), "target": target.take(taken)})


# What is counted of a group.


@dataclass(frozen=True)
class Task:
    """What a group is asked for, and with what it is counted. It is sent to every worker."""

    output: str
    colours: int
    device: str
    threads: int

    def __post_init__(self) -> None:
        if self.output not in COLUMNS:
            raise UsageError(f"`{self.output}` is none of `count`, `local`, `support`")


def count_group(task: Task, group: int, batches: Iterable[Any], schema: Any) -> Any:
    """Count a group whose edges come in Arrow batches with the columns `source` and `target`.

    The result is an Arrow table with the columns of `COLUMNS`. That of a count has one row. Rows of vertices and
    edges are weighted, and there may be several of one vertex or edge, in one group or in many: they are added.
    Vertices and edges without a triangle come from the groups of two colours, which hold every edge between them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    groups = groups_of(task.colours)
    weight = groups.weight(group)
    reader = pa.RecordBatchReader.from_batches(schema, iter(batches))
    graph = Graph(reader, source="source", target="target", device=task.device, threads=task.threads)
    if task.output == "count":
        triangles = graph.count()
        return pa.table({"group": pa.array([group], pa.int64()), "triangles": pa.array([triangles], pa.int64())})
    ids = schema.field("source").type
    found: Any = graph.local() if task.output == "local" else graph.support()
    number = found.triangles if task.output == "local" else found.support
    # All ends of edges are in groups of two colours, or in the only group.
    keep = np.ones(len(number), bool) if len(groups.sets[group]) == 2 or task.colours == 1 else number > 0
    weighted = pa.array(number[keep] * np.int64(weight), pa.int64())
    if task.output == "local":
        return pa.table({"vertex": pa.array(found.vertex[keep], ids), "triangles": weighted})
    one, other = pa.array(found.source[keep], ids), pa.array(found.target[keep], ids)
    ascends = pc.less(one, other)
    source, target = pc.if_else(ascends, one, other), pc.if_else(ascends, other, one)
    return pa.table({"source": source, "target": target, "support": weighted})


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


def total(colours: int, counts: Iterable[tuple[int, int]]) -> int:
    """The triangles of the whole graph, from those of its groups."""
    groups = groups_of(colours)
    found: dict[int, int] = {}
    for group, triangles in counts:
        if group in found:
            raise RuntimeError(f"group {group} was counted twice: the engine did not keep its edges together")
        found[group] = triangles
    return sum(groups.weight(group) * triangles for group, triangles in found.items())
