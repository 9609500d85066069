"""The formats: how a good file is made, how it is damaged, and what another program reads in it."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import random
import re
import resource
import struct
import tarfile
import zipfile
from abc import ABC, abstractmethod

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import scipy.io
import scipy.sparse

import figures
import mutations
from figures import Figures, NoOpinion, Refused

Edges = list[tuple[int, int]]
#: A file, or the files of a folder by their names.
Content = bytes | dict[str, bytes]


def some_edges(draw: random.Random) -> Edges:
    """A small graph with loops, duplicates and both directions."""
    bound = draw.choice((2, 4, 6, 9))
    return [(draw.randrange(bound), draw.randrange(bound)) for _ in range(draw.choice((1, 3, 8, 20)))]


class Reader(ABC):
    """A format."""

    name: str
    extension: str
    #: Cases that damage the same good file, where it takes long to make.
    share = 1

    @abstractmethod
    def good(self, draw: random.Random) -> bytes: ...

    @abstractmethod
    def read(self, content: bytes) -> Figures: ...

    def damaged(self, content: bytes, draw: random.Random) -> bytes:
        return mutations.text(content, draw)

    def place(self, path: str, content: Content) -> None:
        """Writes a case where tribin finds it."""
        assert isinstance(content, bytes)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            os.write(file, content)
        finally:
            os.close(file)


class EdgeList(Reader):
    """NetworkX reads it."""

    name, extension = "edge-list", "txt"

    def good(self, draw: random.Random) -> bytes:
        between = draw.choice((" ", "\t"))
        return "".join(f"{u}{between}{v}\n" for u, v in some_edges(draw)).encode()

    def read(self, content: bytes) -> Figures:
        # As `nx.read_edgelist` opens it: lines end where Python's do.
        lines = list(io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        if re.search(r"(^|\s)0[0-9]", "".join(lines)):
            # A number or a name.
            raise NoOpinion
        if any(len(line.partition("#")[0].split()) == 1 for line in lines):
            raise ValueError("a line with one word, which NetworkX leaves out")
        return figures.of(nx.parse_edgelist(lines, nodetype=int, create_using=nx.MultiDiGraph, data=False).edges())


class Csv(Reader):
    """Python's csv module reads it; the two columns are those of these names, or the first two of two."""

    name, extension = "csv", "csv"
    names = False

    def good(self, draw: random.Random) -> bytes:
        text = io.StringIO()
        quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
        writer = csv.writer(text, lineterminator=draw.choice(("\n", "\r\n")), quoting=quoting)
        order = draw.choice((("source", "target"), ("weight", "source", "target"), ("source", "target", "note")))
        writer.writerow(order)
        for u, v in some_edges(draw):
            ends = self.called(u), self.called(v)
            row = {"source": ends[0], "target": ends[1], "weight": 5, "note": 'a "b", c'}
            writer.writerow([row[name] for name in order])
        return text.getvalue().encode()

    def called(self, vertex: int) -> str:
        return f"Ann {vertex}" if self.names else str(vertex)

    def read(self, content: bytes) -> Figures:
        text = content.decode("utf-8-sig")
        if "\0" in text:
            raise ValueError("a NUL")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        rows = [row for row in rows if row and not row[0].startswith(("#", "%", "//"))]
        head = rows[0]
        if "source" not in head or "target" not in head:
            raise NoOpinion
        if not rows[1:] or any({"source", "target"} & set(row) for row in rows[1:]):
            # Names that come again are names of vertices.
            raise NoOpinion
        places = head.index("source"), head.index("target")
        if any(len(row) != len(head) for row in rows):
            raise ValueError("rows differ in their columns")
        edges = [(row[places[0]].strip(" \t"), row[places[1]].strip(" \t")) for row in rows[1:]]
        if any(not end or end in ("NA", "None", "null", "nan", "\\N") for edge in edges for end in edge):
            raise ValueError("an end is missing")
        if self.names:
            return figures.of(edges)
        return figures.of((int(u), int(v)) for u, v in edges)


class Names(Csv):
    name, extension, names = "names", "csv", True


class MatrixMarket(Reader):
    """SciPy reads it."""

    name, extension = "matrix-market", "mtx"

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw)
        n = max(map(max, edges)) + 1
        field = draw.choice(("pattern", "integer", "real"))
        if symmetric := draw.random() < 0.5:
            edges = sorted({(max(edge), min(edge)) for edge in edges})
        value = {"pattern": "", "integer": " 3", "real": " 1.5e0"}[field]
        kind = "symmetric" if symmetric else "general"
        lines = [f"%%MatrixMarket matrix coordinate {field} {kind}", "% a comment", f"{n} {n} {len(edges)}"]
        return "\n".join(lines + [f"{u + 1} {v + 1}{value}" for u, v in edges] + [""]).encode()

    def read(self, content: bytes) -> Figures:
        matrix = scipy.sparse.coo_array(scipy.io.mmread(io.BytesIO(content)))
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError("the matrix is not square")
        return figures.of(zip(matrix.row.tolist(), matrix.col.tolist()))


class Metis(Reader):
    """The manual of METIS 5, section 4.1.1, in a few lines."""

    name, extension = "metis", "graph"

    def good(self, draw: random.Random) -> bytes:
        simple = {(min(edge), max(edge)) for edge in some_edges(draw) if edge[0] != edge[1]}
        n = max((v for _, v in simple), default=0) + 1
        weighted = draw.random() < 0.3
        rows: list[list[str]] = [[] for _ in range(n)]
        for u, v in sorted(simple):
            for one, other in ((u, v), (v, u)):
                rows[one] += [str(other + 1)] + (["7"] if weighted else [])
        head = f"{n} {len(simple)}" + (" 1" if weighted else "")
        return "\n".join(["% a comment", head, *(" ".join(row) for row in rows), ""]).encode()

    def read(self, content: bytes) -> Figures:
        lines = content.decode("ascii").split("\n")
        if lines and not lines[-1]:
            lines.pop()
        lines = [line for line in lines if not line.lstrip().startswith("%")]
        while lines and not lines[0].strip():
            lines.pop(0)
        head = [self.number(word) for word in lines[0].split()]
        n, m = head[:2]
        form = lines[0].split()[2] if len(head) > 2 else "0"
        if len(head) > 4 or not re.fullmatch("[01]{1,3}", form):
            raise ValueError("the header")
        sizes, weights, edge_weights = (form.rjust(3, "0")[place] == "1" for place in range(3))
        constraints = head[3] if len(head) > 3 else int(weights)
        if len(head) > 3 and not weights or weights and constraints < 1:
            raise ValueError("the number of weights")
        rows = lines[1:]
        while len(rows) > n and not rows[-1].strip():
            rows.pop()
        # Vertices at the end that have no neighbour may be left out by editors that cut blank lines: not here.
        if len(rows) != n:
            raise ValueError(f"{len(rows)} rows for {n} vertices")
        directed = []
        for u, row in enumerate(rows):
            words = [self.number(word) for word in row.split()]
            before = int(sizes) + constraints
            if before and len(words) < before:
                raise ValueError("weights are missing")
            words = words[before:]
            if edge_weights and (len(words) % 2 or any(weight < 1 for weight in words[1::2])):
                raise ValueError("edge weights")
            for v in words[:: 2 if edge_weights else 1]:
                if not 1 <= v <= n:
                    raise ValueError("a neighbour")
                directed.append((u, v - 1))
        if len(directed) != 2 * m or sorted(directed) != sorted((v, u) for u, v in directed):
            raise ValueError("not symmetric, or not as many edges as announced")
        return figures.of(directed)

    @staticmethod
    def number(word: str) -> int:
        if not re.fullmatch("[0-9]+", word):
            raise ValueError(word)
        return int(word)


class Dimacs(Reader):
    """The page of the ninth DIMACS challenge, and that of the second."""

    name, extension = "dimacs", "gr"

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw)
        n = max(map(max, edges)) + 1
        arcs = "".join(f"a {u + 1} {v + 1} 5\n" for u, v in edges)
        return f"c a comment\np sp {n} {len(edges)}\n{arcs}".encode()

    def read(self, content: bytes) -> Figures:
        n, m, arcs = None, 0, []
        for line in content.decode("ascii").replace("\r\n", "\n").split("\n"):
            words = line.split()
            if not words or words[0] == "c":
                continue
            if words[0] == "p" and n is None and words[1] in ("sp", "edge", "col") and len(words) == 4:
                n, m = int(words[2]), int(words[3])
            elif words[0] in ("a", "e") and n is not None and len(words) == (4 if words[0] == "a" else 3):
                ends = int(words[1]), int(words[2])
                float(words[-1])
                if not all(1 <= end <= n for end in ends):
                    raise ValueError("a vertex")
                arcs.append(ends)
            else:
                raise ValueError(line)
        if n is None or len(arcs) != m:
            raise ValueError("not as many arcs as announced")
        return figures.of(arcs)


class Adjacency(Reader):
    """NetworkX reads it."""

    name, extension = "adjacency", "adjlist"

    def good(self, draw: random.Random) -> bytes:
        graph = nx.MultiDiGraph(some_edges(draw))
        return ("\n".join(nx.generate_adjlist(nx.Graph(graph))) + "\n").encode()

    def read(self, content: bytes) -> Figures:
        lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
        return figures.of(nx.parse_adjlist(lines, nodetype=int).edges())


class Binary(Reader):
    def damaged(self, content: bytes, draw: random.Random) -> bytes:
        return mutations.binary(content, draw)


class Bin(Binary):
    """Two numbers of 32 bits for each edge."""

    name, extension = "bin", "bin"

    def good(self, draw: random.Random) -> bytes:
        return np.array(some_edges(draw), dtype="<u4").tobytes()

    def read(self, content: bytes) -> Figures:
        if not content or len(content) % 8:
            raise ValueError("not whole edges")
        return figures.of(map(tuple, np.frombuffer(content, "<u4").reshape(-1, 2).tolist()))


class Npy(Binary):
    """NumPy reads it."""

    name, extension = "npy", "npy"

    def good(self, draw: random.Random) -> bytes:
        dtype = draw.choice(("<u4", "<i4", "<i8", "<u8", ">i8", "<u2"))
        array = np.array(some_edges(draw), dtype=dtype)
        if draw.random() < 0.3:
            array = np.asfortranarray(array)
        file = io.BytesIO()
        np.save(file, array)
        return file.getvalue()

    def read(self, content: bytes) -> Figures:
        if 10 <= len(content) and len(content) > 1 << 20:
            raise ValueError("too large to try")
        array = np.load(io.BytesIO(content), allow_pickle=False)
        if array.dtype.names is not None or array.dtype.kind not in "iu":
            raise NoOpinion
        if array.ndim != 2:
            raise ValueError("no two columns of integers")
        if array.shape[1] != 2:
            array = array.T
        if array.shape[1] != 2:
            raise ValueError("no two columns")
        return figures.of(map(tuple, not_negative(array)))


def not_negative(array: np.ndarray) -> list[list[int]]:
    numbers = array.tolist()
    if any(number < 0 for row in numbers for number in row):
        raise ValueError("a negative id")
    return numbers


class Npz(Binary):
    """SciPy reads it."""

    name, extension = "npz", "npz"

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw)
        n = max(map(max, edges)) + 1
        rows, columns = zip(*edges)
        kind = draw.choice((scipy.sparse.csr_array, scipy.sparse.coo_array, scipy.sparse.csc_array))
        matrix = kind(scipy.sparse.coo_array((np.ones(len(edges)), (rows, columns)), shape=(n, n)))
        file = io.BytesIO()
        scipy.sparse.save_npz(file, matrix, compressed=draw.random() < 0.5)
        return file.getvalue()

    def read(self, content: bytes) -> Figures:
        matrix = scipy.sparse.load_npz(io.BytesIO(content))
        matrix.check_format() if hasattr(matrix, "check_format") else None
        matrix = scipy.sparse.coo_array(matrix)
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError("not square")
        return figures.of(zip(matrix.row.tolist(), matrix.col.tolist()))


class Sg(Binary):
    """`SerializedGraph` of GAP, src/reader.h: undirected, both directions."""

    name, extension = "sg", "sg"

    def good(self, draw: random.Random) -> bytes:
        graph = nx.Graph((u, v) for u, v in some_edges(draw) if u != v)
        n = max(graph.nodes, default=0) + 1
        rows = [sorted(graph[v]) if v in graph else [] for v in range(n)]
        offsets = np.cumsum([0] + [len(row) for row in rows]).astype("<i8")
        flat = np.array([v for row in rows for v in row], dtype="<i4")
        return struct.pack("<Bqq", 0, len(flat), n) + offsets.tobytes() + flat.tobytes()

    def read(self, content: bytes) -> Figures:
        directed, entries, n = struct.unpack_from("<Bqq", content)
        if directed or not 0 <= n < 2**20 or not 0 <= entries < 2**20 or len(content) != 17 + 8 * (n + 1) + 4 * entries:
            raise ValueError("the header")
        offsets = np.frombuffer(content, "<i8", n + 1, 17).tolist()
        flat = np.frombuffer(content, "<i4", entries, 17 + 8 * (n + 1)).tolist()
        if offsets[0] != 0 or offsets[-1] != entries or sorted(offsets) != offsets:
            raise ValueError("the offsets")
        edges = [(u, v) for u in range(n) for v in flat[offsets[u] : offsets[u + 1]]]
        if any(not 0 <= v < n for v in flat) or sorted(edges) != sorted((v, u) for u, v in edges):
            raise ValueError("not symmetric")
        return figures.of(edges)


def table(draw: random.Random) -> pa.Table:
    edges = some_edges(draw)
    sources, targets = ([edge[end] for edge in edges] for end in (0, 1))
    kind = draw.choice((pa.int64(), pa.int32(), pa.uint8(), pa.uint64(), pa.string(), pa.float64()))
    if kind == pa.string():
        sources, targets = ([f"Ann {vertex}" for vertex in ends] for ends in (sources, targets))
    columns = {"source": pa.array(sources, kind), "target": pa.array(targets, kind)}
    if kind == pa.string() and draw.random() < 0.5:
        columns = {name: column.dictionary_encode() for name, column in columns.items()}
    if draw.random() < 0.3:
        columns["weight"] = pa.array([0.5] * len(edges))
    return pa.table(columns)


def of_table(found: pa.Table) -> Figures:
    found.validate(full=True)
    if not {"source", "target"} <= set(found.column_names):
        raise NoOpinion
    columns = [found.column(name) for name in ("source", "target")]
    lists = [column.to_pylist() for column in columns]
    if any(value is None or value != value for column in lists for value in column):
        raise ValueError("a missing value")
    kinds = {("text" if isinstance(value, (str, bytes)) else "number") for column in lists for value in column}
    if len(kinds) > 1:
        lists = [list(map(str, column)) for column in lists]
    elif kinds == {"number"} and any(value < 0 or value != int(value) for column in lists for value in column):
        raise ValueError("no id")
    return figures.of(zip(*lists))


class Parquet(Binary):
    """Arrow's own reader reads it."""

    name, extension = "parquet", "parquet"

    def good(self, draw: random.Random) -> bytes:
        file = io.BytesIO()
        compression = draw.choice(("none", "snappy", "gzip", "zstd", "lz4", "brotli"))
        version = draw.choice(("1.0", "2.0"))
        pa.parquet.write_table(
            table(draw), file, compression=compression, row_group_size=draw.choice((3, 100)), data_page_version=version,
            write_page_checksum=True,
        )
        return file.getvalue()

    def read(self, content: bytes) -> Figures:
        return of_table(pa.parquet.read_table(io.BytesIO(content), page_checksum_verification=True))


class Arrow(Binary):
    """Arrow's own reader reads it."""

    name, extension = "arrow", "arrow"

    def good(self, draw: random.Random) -> bytes:
        file, found = io.BytesIO(), table(draw)
        compression = draw.choice((None, "lz4", "zstd"))
        options = pa.ipc.IpcWriteOptions(compression=compression)
        new = draw.choice((pa.ipc.new_file, pa.ipc.new_stream))
        with new(file, found.schema, options=options) as writer:
            writer.write_table(found, max_chunksize=draw.choice((3, 100)))
        return file.getvalue()

    def read(self, content: bytes) -> Figures:
        opened = pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream
        return of_table(opened(pa.BufferReader(content)).read_all())


class Packed(Binary):
    """An edge list that Python's own modules compress and decompress."""

    def good(self, draw: random.Random) -> bytes:
        return self.pack(EdgeList().good(draw))

    def read(self, content: bytes) -> Figures:
        return EdgeList().read(self.unpack(content))

    def pack(self, content: bytes) -> bytes: ...

    def unpack(self, content: bytes) -> bytes: ...


class Gzip(Packed):
    name, extension = "gzip", "txt.gz"

    def pack(self, content: bytes) -> bytes:
        return gzip.compress(content, mtime=0)

    def unpack(self, content: bytes) -> bytes:
        return gzip.decompress(content)


class Bzip2(Packed):
    name, extension = "bzip2", "txt.bz2"

    def pack(self, content: bytes) -> bytes:
        return bz2.compress(content)

    def unpack(self, content: bytes) -> bytes:
        return bz2.decompress(content)


class Xz(Packed):
    name, extension = "xz", "txt.xz"

    def pack(self, content: bytes) -> bytes:
        return lzma.compress(content)

    def unpack(self, content: bytes) -> bytes:
        return lzma.decompress(content, format=lzma.FORMAT_XZ)


class Zip(Packed):
    name, extension = "zip", "zip"

    def pack(self, content: bytes) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("edges.txt"), content, zipfile.ZIP_DEFLATED)
        return file.getvalue()

    def unpack(self, content: bytes) -> bytes:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            (only,) = archive.namelist()
            return archive.read(only)


class Tar(Packed):
    name, extension = "tar", "tar.gz"

    def pack(self, content: bytes) -> bytes:
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w") as archive:
            member = tarfile.TarInfo("edges.txt")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        return gzip.compress(plain.getvalue(), mtime=0)

    def unpack(self, content: bytes) -> bytes:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
            (only,) = [member for member in archive.getmembers() if member.isfile()]
            found = archive.extractfile(only)
            assert found is not None
            return found.read()


ALL: list[Reader] = [
    EdgeList(), Csv(), Names(), MatrixMarket(), Metis(), Dimacs(), Adjacency(), Bin(), Npy(), Npz(), Sg(), Parquet(),
    Arrow(), Gzip(), Bzip2(), Xz(), Zip(), Tar(),
]

BY_NAME = {reader.name: reader for reader in ALL}
