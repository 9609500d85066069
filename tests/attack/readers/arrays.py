"""Arrays: raw pairs, NumPy's files, SciPy's matrices, and GAP's serialized graphs."""

from __future__ import annotations

import io
import random
import struct
import zipfile

import networkx as nx
import numpy as np
import scipy.sparse

import figures
import mutations
from figures import Figures, NoOpinion

from .base import Binary, Content, some_edges

#: Types of ids, and others.
TYPES = ("<u4", "<i4", "<i8", "<u8", "<u2", "<i2", "|u1", "|i1", ">i8", "<f8", "|b1", "<U3", "<c8")


class Bin(Binary):
    """Two numbers of 32 bits for each edge."""

    name, extension = "bin", "bin"

    def good(self, draw: random.Random) -> bytes:
        return np.array(some_edges(draw, 2**32 - 1), dtype="<u4").tobytes()

    def read(self, content: Content) -> Figures:
        if not content or len(content) % 8:
            raise ValueError("not whole edges")
        return figures.of(map(tuple, np.frombuffer(content, "<u4").reshape(-1, 2).tolist()))


class Npy(Binary):
    """NumPy reads it."""

    name, extension = "npy", "npy"

    def good(self, draw: random.Random) -> bytes:
        dtype = np.dtype(draw.choice(TYPES[:8]))
        array = np.array(some_edges(draw, np.iinfo(dtype).max), dtype=dtype)
        if draw.random() < 0.3:
            array = np.ascontiguousarray(array.T)
        if draw.random() < 0.3:
            array = np.asfortranarray(array)
        file = io.BytesIO()
        np.lib.format.write_array(file, array, version=draw.choice(((1, 0), (1, 0), (2, 0), (3, 0))))
        return file.getvalue()

    def damaged(self, content: Content, draw: random.Random) -> Content:
        if draw.random() < 0.5:
            return mutations.binary(content, draw)
        array = np.load(io.BytesIO(content))
        return npy(array, draw)

    def read(self, content: Content) -> Figures:
        array = np.load(io.BytesIO(content), allow_pickle=False)
        if array.dtype.names is not None or array.dtype.kind not in "iu":
            raise NoOpinion
        if array.ndim != 2:
            raise ValueError("no two columns of integers")
        if array.shape[1] != 2:
            array = array.T
        if array.shape[1] != 2:
            raise ValueError("no two columns")
        if not array.size:
            raise NoOpinion
        return figures.of(map(tuple, not_negative(array)))


def npy(array: np.ndarray, draw: random.Random) -> bytes:
    """An array whose header says something else than it is, and data that may fit."""
    shape = array.shape if draw.random() < 0.5 else draw.choice((
        array.shape[::-1], (array.size,), (array.size // 2, 2), (2, array.size // 2), (*array.shape, 1),
        (array.size // 2 + 1, 2), (array.size // 3, 2), (0, 2), (2**31, 2), (2**63, 2), (2**64, 2), (-1, 2), (),
    ))
    described = array.dtype.str if draw.random() < 0.6 else draw.choice((*TYPES, "<u3", "<i16", "<u4,<u4", "=i4", "int64", "|O"))
    ordered = draw.choice(("False", "True", "False", "True", "False", "True", "0", "None"))
    space, quote = draw.choice((" ", " ", "", "  ", "\t")), draw.choice("''\"")
    fields = [
        f"{quote}descr{quote}:{space}{quote}{described}{quote}", f"{quote}fortran_order{quote}:{space}{ordered}",
        f"{quote}shape{quote}:{space}{shape}",
    ]
    if draw.random() < 0.2:
        draw.shuffle(fields)
    if draw.random() < 0.1:
        fields.append(draw.choice(("'more': 1", fields[0])))
    head = ("{" + f",{space}".join(fields) + draw.choice((", }", "}", ",}"))).encode()
    version = draw.choice((1, 1, 1, 2, 3))
    size = 10 if version == 1 else 12
    head += b" " * (-(len(head) + size + 1) % draw.choice((64, 64, 16, 1))) + draw.choice((b"\n",) * 8 + (b"", b"\r\n"))
    length = struct.pack("<H" if version == 1 else "<I", len(head) + draw.choice((0,) * 10 + (1, -1)))
    data = array.tobytes()
    try:
        if draw.random() < 0.7:
            data = array.astype(described).tobytes()
    except (TypeError, ValueError, OverflowError):
        pass
    return b"\x93NUMPY" + bytes((version, 0)) + length + head + data


def not_negative(array: np.ndarray) -> list[list[int]]:
    numbers = array.tolist()
    if any(number < 0 for row in numbers for number in row):
        raise ValueError("a negative id")
    return numbers


class Npz(Binary):
    """SciPy reads it."""

    name, extension, share = "npz", "npz", 4

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw, 0)
        n = max(map(max, edges)) + 1
        rows, columns = zip(*edges)
        kind = draw.choice((
            scipy.sparse.csr_array, scipy.sparse.coo_array, scipy.sparse.csc_array, scipy.sparse.csr_matrix,
            scipy.sparse.csc_matrix, scipy.sparse.coo_matrix,
        ))
        values = np.ones(len(edges), draw.choice(("<f8", "<f4", "<i8", "|b1")))
        matrix = kind(scipy.sparse.coo_array((values, (rows, columns)), shape=(n, n)))
        file = io.BytesIO()
        scipy.sparse.save_npz(file, matrix, compressed=draw.random() < 0.5)
        return file.getvalue()

    def damaged(self, content: Content, draw: random.Random) -> Content:
        if draw.random() < 0.4:
            return mutations.binary(content, draw)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        return packed(dict(self.other(members, draw)), draw)

    def other(self, members: dict[str, bytes], draw: random.Random) -> dict[str, bytes]:
        """Members that say something else."""
        for _ in range(draw.choice((1, 1, 2))):
            name = draw.choice(sorted(members))
            kind = draw.randrange(12)
            array = np.load(io.BytesIO(members[name]))
            if kind == 0:
                del members[name]
                return members
            if kind == 1:
                members[name] = mutations.binary(members[name], draw)
                return members
            if kind == 2:
                members[name] = npy(array, draw)
                return members
            if kind == 3:
                members = dict(draw.sample(sorted(members.items()), len(members)))
            elif kind == 4:
                members[draw.choice(("README.md", "more.npy", "sub/format.npy", "__MACOSX/._a"))] = b"more"
                return members
            elif name == "format.npy":
                array = np.array(draw.choice(("csr", "csc", "coo", "bsr", "dia", "CSR", "csr ", "csrx")).encode())
            elif array.size and array.dtype.kind in "iu":
                flat = array.ravel().astype("<i8")
                place = draw.randrange(flat.size)
                if kind in (5, 6):
                    flat[place] = draw.choice((0, 1, 2, 3, 5, 8, int(flat[place]) // 2 + 1, -1, 2**31 - 1))
                elif kind == 7:
                    flat = flat[: draw.randrange(flat.size + 1)]
                elif kind == 8:
                    flat = np.append(flat, flat[place])
                elif kind == 9:
                    flat = flat[::-1]
                else:
                    flat = np.clip(flat, 0, 120).astype(draw.choice(TYPES[:9]))
                if kind < 10:
                    flat = flat.astype(array.dtype)
                array = flat.reshape(array.shape) if flat.size == array.size else flat
            file = io.BytesIO()
            np.save(file, array)
            members[name] = file.getvalue()
        return members

    def read(self, content: Content) -> Figures:
        # As `scipy.sparse.load_npz` does, without the values, which are not read.
        with np.load(io.BytesIO(content), allow_pickle=False) as members:
            # The name alone, whatever is said of its type.
            named = members.zip.read("format.npy")
            if not named.startswith(b"\x93NUMPY"):
                raise ValueError("no array")
            size = 2 if named[6] == 1 else 4
            form = named[8 + size + int.from_bytes(named[8 : 8 + size], "little") :].replace(b"\0", b"").decode()
            shape = tuple(map(int, members["shape"]))
            names = ("row", "col") if form == "coo" else ("indptr", "indices")
            first, second = (members[name] for name in names)
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError("not square")
        ones = np.ones(len(second))
        if form == "coo":
            matrix = scipy.sparse.coo_array((ones, (first, second)), shape=shape)
        elif form in ("csr", "csc"):
            kind = scipy.sparse.csr_array if form == "csr" else scipy.sparse.csc_array
            matrix = kind((ones, second, first), shape=shape)
            matrix.check_format(full_check=True)
            matrix = scipy.sparse.coo_array(matrix)
        else:
            raise ValueError(f"the format {form}")
        return figures.of(zip(matrix.row.tolist(), matrix.col.tolist()))


def packed(members: dict[str, bytes], draw: random.Random) -> bytes:
    file = io.BytesIO()
    method = draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


class NpzEdges(Npz):
    """An archive of one array of edges, as `numpy.savez` writes it, or of OGB's arrays; NumPy reads it."""

    name = "npz-edges"

    def good(self, draw: random.Random) -> bytes:
        array = np.array(some_edges(draw, 2**63 - 1), dtype=draw.choice(("<i8", "<u8")))
        arrays = {draw.choice(("arr_0", "edges", "edge_index")): array}
        if "edge_index" in arrays:
            arrays["edge_index"] = np.ascontiguousarray(array.T)
            if draw.random() < 0.5:
                arrays |= {"node_feat": np.ones((3, 2)), "num_nodes_list": np.array([9])}
        file = io.BytesIO()
        draw.choice((np.savez, np.savez_compressed))(file, **arrays)
        return file.getvalue()

    def read(self, content: Content) -> Figures:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            names = [name for name in arrays.files if not name.endswith(".md") and not name.startswith("__MACOSX")]
            if "format" in names:
                raise NoOpinion
            chosen = names if len(names) == 1 else [name for name in names if name in ("edges", "edge_index")]
            others = {name for name in names if name not in chosen}
            if len(chosen) != 1 or not others <= {"node_feat", "num_nodes_list"}:
                raise NoOpinion
            file = io.BytesIO()
            np.save(file, arrays[chosen[0]])
        return Npy().read(file.getvalue())


class Sg(Binary):
    """`SerializedGraph` of GAP, src/reader.h."""

    name, extension = "sg", "sg"

    def good(self, draw: random.Random) -> bytes:
        directed = draw.random() < 0.3
        edges = [(u, v) for u, v in some_edges(draw, 0) if u != v]
        graph = nx.DiGraph(edges) if directed else nx.Graph(edges).to_directed()
        return written(directed, max(graph.nodes, default=0) + 1, graph)

    def damaged(self, content: Content, draw: random.Random) -> Content:
        directed, entries, n = struct.unpack_from("<Bqq", content)
        if directed or not entries or draw.random() < 0.4:
            return mutations.binary(content, draw)
        words = np.frombuffer(content, "<i8", n + 1, 17).copy()
        flat = np.frombuffer(content, "<i4", entries, 17 + 8 * (n + 1)).copy()
        for _ in range(draw.choice((1, 1, 2))):
            kind, one, other = draw.randrange(8), draw.randrange(len(flat)), draw.randrange(len(flat))
            if kind == 0:
                flat[one] = draw.choice((0, 1, n - 1, n, -1, 2**31 - 1))
            elif kind == 1:
                flat[[one, other]] = flat[[other, one]]
            elif kind == 2:
                flat[one] = flat[other]
            elif kind == 3:
                words[draw.randrange(len(words))] += draw.choice((1, -1, 2**32, 2**62))
            elif kind == 4:
                directed = draw.choice((1, 2, 255))
            elif kind == 5:
                return written_twice(content)
            elif kind == 6:
                # A permutation of the vertices is another writing of the graph.
                return relabelled(content, draw)
            else:
                entries, n = entries + draw.choice((0, 1, -1)), n + draw.choice((0, 1, -1))
        return struct.pack("<Bqq", directed, entries, n) + words.tobytes() + flat.tobytes()

    def read(self, content: Content) -> Figures:
        directed, entries, n = struct.unpack_from("<Bqq", content)
        size = 8 * (n + 1) + 4 * entries
        if directed > 1 or not 0 <= n < 2**20 or not 0 <= entries < 2**20 or len(content) != 17 + size * (1 + directed):
            raise ValueError("the header")
        offsets = np.frombuffer(content, "<i8", n + 1, 17).tolist()
        flat = np.frombuffer(content, "<i4", entries, 17 + 8 * (n + 1)).tolist()
        if offsets[0] != 0 or offsets[-1] != entries or sorted(offsets) != offsets:
            raise ValueError("the offsets")
        edges = [(u, v) for u in range(n) for v in flat[offsets[u] : offsets[u + 1]]]
        if any(not 0 <= v < n for v in flat):
            raise ValueError("a neighbour")
        if not directed and sorted(edges) != sorted((v, u) for u, v in edges):
            raise ValueError("not symmetric")
        return figures.of(edges)


def written(directed: bool, n: int, graph: nx.DiGraph) -> bytes:
    lists = (graph.adj, graph.pred) if directed else (graph.adj,)
    content = struct.pack("<Bqq", directed, graph.number_of_edges(), n)
    for adjacent in lists:
        rows = [sorted(adjacent[v]) if v in graph else [] for v in range(n)]
        content += np.cumsum([0] + [len(row) for row in rows]).astype("<i8").tobytes()
        content += np.array([v for row in rows for v in row], dtype="<i4").tobytes()
    return content


def rows(content: bytes) -> tuple[np.ndarray, list[np.ndarray]]:
    """The offsets of a good undirected graph, and each vertex's neighbours."""
    _, entries, n = struct.unpack_from("<Bqq", content)
    offsets = np.frombuffer(content, "<i8", n + 1, 17)
    flat = np.frombuffer(content, "<i4", entries, 17 + 8 * (n + 1))
    return offsets, [flat[start:end] for start, end in zip(offsets[:-1], offsets[1:])]


def written_twice(content: bytes) -> bytes:
    """Each entry two times."""
    offsets, lists = rows(content)
    head = struct.pack("<Bqq", 0, 2 * int(offsets[-1]), len(lists))
    return head + (2 * offsets).tobytes() + b"".join(2 * one.tobytes() for one in lists)


def relabelled(content: bytes, draw: random.Random) -> bytes:
    """The same graph, its vertices in another order."""
    _, lists = rows(content)
    order = draw.sample(range(len(lists)), len(lists))
    edges = [(order[u], order[v]) for u, one in enumerate(lists) for v in one.tolist()]
    return written(False, len(lists), nx.DiGraph(edges))
