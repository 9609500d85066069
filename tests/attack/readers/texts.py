"""Formats of text: tables of edges, Matrix Market, METIS, DIMACS, adjacency lists."""

from __future__ import annotations

import csv
import io
import os
import random
import re
import shutil

import networkx as nx
import scipy.io
import scipy.sparse

import figures
import mutations
from figures import Figures, NoOpinion

from .base import Content, Reader, some_edges, write

# One processor is one job.
if fast := getattr(scipy.io, "_fast_matrix_market", None):
    fast.PARALLELISM = 1


def lines_of(content: Content) -> list[str]:
    """The lines of a text, which end with a line feed, a carriage return or both."""
    return content.decode("ascii").replace("\r\n", "\n").replace("\r", "\n").split("\n")


class EdgeList(Reader):
    """NetworkX reads it."""

    name, extension = "edge-list", "txt"

    def good(self, draw: random.Random) -> bytes:
        between, end = draw.choice((" ", "\t")), draw.choice(("\n", "\n", "\r\n"))
        more = draw.choice(("", "", "", f"{between}1", f"{between}0.5{between}1700000000"))
        lines = [f"{u}{between}{v}{more}" for u, v in some_edges(draw)]
        if draw.random() < 0.3:
            lines.insert(0, draw.choice(("# FromNodeId\tToNodeId", "# Nodes: 5 Edges: 8", "")))
        return "".join(line + end for line in lines).encode()

    def read(self, content: Content) -> Figures:
        # As `nx.read_edgelist` opens it: lines end where Python's do.
        lines = list(io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        if re.search(r"(^|\s)(0|\+)[0-9]|\S#", "".join(lines)):
            # A number or a name; a comment or a part of a name.
            raise NoOpinion
        if re.match(r"\s*\t0(\t[0-9]+)+\s*$", next((line for line in lines if line.strip()), "")):
            # A line that is indented, or the names that pandas gives to columns.
            raise NoOpinion
        named = [line.lstrip("#%/ \t").split() for line in lines if "NodeId" in line]
        if any(words[:2] != ["FromNodeId", "ToNodeId"] for words in named):
            # A comment may name the columns, in another order.
            raise NoOpinion
        if any(len(line.partition("#")[0].split()) == 1 for line in lines):
            raise ValueError("a line with one word, which NetworkX leaves out")
        words = [re.sub("[#%].*|//.*", "", line).strip() for line in lines]
        if any("\xa0" in word for word in words):
            # Ids, or names, between blanks that only Unicode knows.
            raise NoOpinion
        if any(re.search(r'"[^\s,;|]', word.lstrip('"')) for word in words):
            # Quotes that are a part of what they stand in.
            raise NoOpinion
        tabs = {word.count("\t") for word in words if word}
        if len(tabs) == 1 and tabs != {0} and any(re.search(r"\S +[^\s\",]", word) for word in words):
            # Every line has as many tabs, and blanks may be parts of names between them.
            raise NoOpinion
        return figures.of(nx.parse_edgelist(lines, nodetype=int, create_using=nx.MultiDiGraph, data=False).edges())


class Csv(Reader):
    """Python's csv module reads it; the two columns are those of these names, or the first two of two."""

    name, extension = "csv", "csv"
    delimiter = ","
    names = False

    def good(self, draw: random.Random) -> bytes:
        text = io.StringIO()
        quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
        end = draw.choice(("\n", "\r\n"))
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator=end, quoting=quoting)
        order = draw.choice((
            ("source", "target"), ("weight", "source", "target"), ("source", "target", "note"),
            ("", "source", "target"), ("source", "note", "target", "weight"),
        ))
        writer.writerow(order)
        called = draw.choice(self.CALLED) if self.names else str
        for number, (u, v) in enumerate(some_edges(draw)):
            row = {"source": called(u), "target": called(v), "weight": 5, "note": 'a "b", c', "": number}
            writer.writerow([row[name] for name in order])
        mark = b"\xef\xbb\xbf" if draw.random() < 0.1 else b""
        return mark + text.getvalue().encode()

    #: Names of vertices, some of which need quotes.
    CALLED = (
        lambda vertex: f"Ann {vertex}", lambda vertex: f"Ann {vertex}", lambda vertex: f"u{vertex}",
        lambda vertex: f"Ångström, {vertex}", lambda vertex: f'the "{vertex}"', lambda vertex: f"two\nlines {vertex}",
        lambda vertex: f"10.1000/x{vertex}", lambda vertex: f"http://example.org/{vertex}#a",
    )

    def read(self, content: Content) -> Figures:
        text = content.decode("utf-8-sig")
        if "\0" in text:
            raise ValueError("a NUL")
        if re.search(r'^[ \t]*"(#|%|//)', text.replace("\r", "\n"), re.MULTILINE):
            # A mark within quotes begins no comment, and Python's module does not tell where quotes were.
            raise NoOpinion
        if "\ufeff" in text or self.names and re.search(r"^(#|%|//)\S", text.replace("\r", "\n"), re.MULTILINE):
            # A mark in the middle; a comment or a name.
            raise NoOpinion
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter, strict=True))
        if any(row[0].startswith(("#", "%", "//")) and any("\n" in field for field in row) for row in rows if row):
            # A comment with quotes: it may end with its line, or with them.
            raise NoOpinion
        rows = [row for row in rows if row and not row[0].startswith(("#", "%", "//"))]
        head = rows[0]
        if "source" not in head or "target" not in head:
            raise NoOpinion
        if not set(head) <= {"source", "target", "weight", "note", ""}:
            # A first line with a number is no header, nor are some others.
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
        if any(field.lstrip(" \t").startswith('"') and field[0] in " \t" for row in rows for field in row):
            # Blanks before a quote, which may open a column.
            raise NoOpinion
        if any(end.startswith('"') for edge in edges for end in edge):
            raise NoOpinion
        if self.names:
            whole = {row[place] for row in rows[1:] for place in places}
            if any(end != end.strip(" \t") and '"' + end.replace('"', '""') + '"' in text for end in whole):
                # Blanks within quotes are a part of a name, and Python's module does not tell where quotes were.
                raise NoOpinion
            return figures.of(edges)
        if any(re.match("0[0-9]", end) for edge in edges for end in edge):
            # A number or a name.
            raise NoOpinion
        numbers = [(int(u), int(v)) for u, v in edges]
        if any(number >= 2**64 for edge in numbers for number in edge):
            raise ValueError("an id is too large")
        return figures.of(numbers)


class Names(Csv):
    name, extension, names = "names", "csv", True


class Tsv(Csv):
    name, extension, delimiter = "tsv", "tsv", "\t"


class Semicolon(Csv):
    name, extension, delimiter = "semicolon", "csv", ";"


class Plain(Reader):
    """Python's csv module reads it: no header, the first two columns."""

    name, extension = "headless", "csv"

    def good(self, draw: random.Random) -> bytes:
        more = draw.choice(("", "", ",1", ",0.5"))
        mark = draw.choice(('"{}"', "{}", "{}", "{}"))
        return "".join(f"{mark.format(u)},{mark.format(v)}{more}\n" for u, v in some_edges(draw)).encode()

    def read(self, content: Content) -> Figures:
        text = content.decode("utf-8-sig")
        if "\0" in text:
            raise ValueError("a NUL")
        if re.search(r'^[ \t]*"(#|%|//)', text.replace("\r", "\n"), re.MULTILINE):
            # A mark within quotes begins no comment, and Python's module does not tell where quotes were.
            raise NoOpinion
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        rows = [row for row in rows if not row[0].startswith(("#", "%", "//"))]
        if not rows or any(len(row) != len(rows[0]) or len(row) < 2 for row in rows):
            raise ValueError("rows differ in their columns")
        ends = [[end.strip(" \t") for end in row[:2]] for row in rows]
        if any(not re.fullmatch("[0-9]+", end) for row in ends for end in row):
            # A header, names or a mistake.
            raise NoOpinion
        if any(len(end) > 1 and end.startswith("0") or int(end) >= 2**64 for row in ends for end in row):
            raise NoOpinion
        return figures.of((int(u), int(v)) for u, v in ends)


class Folder(Reader):
    """A folder of tables as Spark and Dask write it, and what they leave beside; each file by Python's csv module."""

    name, extension = "folder", "parts"

    def good(self, draw: random.Random) -> Content:
        parts = draw.choice((1, 2, 3))
        header = draw.random() < 0.5
        files = {}
        for part in range(parts):
            rows = "".join(f"{u},{v}\n" for u, v in some_edges(draw))
            name = draw.choice((f"part-{part:05}.csv", f"day={part}/edges.csv", f"{part}.csv"))
            files[name] = (("source,target\n" if header else "") + rows).encode()
        for name in draw.choice(((), ("_SUCCESS",), (".part-0.csv.crc", "README.md"))):
            files[name] = b"7 8 9" if name != "_SUCCESS" else b""
        return files

    def damaged(self, content: Content, draw: random.Random) -> Content:
        files = dict(content)
        name = draw.choice(sorted(files))
        kind = draw.randrange(10)
        if kind == 0:
            del files[name]
        elif kind == 1:
            files[name] = b""
        elif kind == 2:
            files["_" + name.replace("/", "_")] = files.pop(name)
        elif kind == 3:
            files["copy.csv"] = files[name]
        else:
            files[name] = mutations.text(files[name], draw)
        return files

    def read(self, content: Content) -> Figures:
        edges = []
        heads = set()
        parts = [part for name, part in content.items() if name.endswith(".csv") and name[0] not in "_." and part]
        for part in parts:
            text = part.decode("utf-8-sig")
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
            rows = [row for row in rows if not row[0].startswith(("#", "%", "//"))]
            if "\0" in text or not rows or any(len(row) != 2 for row in rows):
                raise ValueError("rows differ in their columns, or there is none")
            heads.add(tuple(rows[0]) if rows[0] == ["source", "target"] else ())
            rows = [row for row in rows if row != ["source", "target"]]
            ends = [[end.strip(" \t") for end in row] for row in rows]
            if any(not re.fullmatch("0|[1-9][0-9]{0,18}", end) for row in ends for end in row):
                raise NoOpinion
            edges += [(int(u), int(v)) for u, v in ends]
        if not edges or len(heads) > 1:
            raise NoOpinion
        return figures.of(edges)

    def place(self, path: str, content: Content) -> None:
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        for name, part in content.items():
            os.makedirs(os.path.dirname(f"{path}/{name}"), exist_ok=True)
            write(f"{path}/{name}", part)


class MatrixMarket(Reader):
    """SciPy reads it."""

    name, extension = "matrix-market", "mtx"

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw, 2**31)
        n = max(map(max, edges)) + 1
        field = draw.choice(("pattern", "integer", "real", "complex"))
        kinds = {
            "pattern": ("general", "symmetric"), "integer": ("general", "symmetric", "skew-symmetric"),
            "real": ("general", "symmetric", "skew-symmetric"),
            "complex": ("general", "symmetric", "skew-symmetric", "hermitian"),
        }
        kind = draw.choice(kinds[field])
        if kind != "general":
            edges = sorted({(max(edge), min(edge)) for edge in edges if kind != "skew-symmetric" or edge[0] != edge[1]})
        value = {"pattern": "", "integer": " 3", "real": " 1.5e0", "complex": " 1 -2.5"}[field]
        banner = draw.choice(("%%MatrixMarket matrix coordinate", "%%MatrixMarket MATRIX Coordinate"))
        lines = [f"{banner} {field} {kind}", "% a comment", f"{n} {n} {len(edges)}"]
        return "\n".join(lines + [f"{u + 1} {v + 1}{value}" for u, v in edges] + [""]).encode()

    def read(self, content: Content) -> Figures:
        found = scipy.io.mmread(io.BytesIO(content))
        if not scipy.sparse.issparse(found):
            raise ValueError("a dense matrix")
        matrix = scipy.sparse.coo_array(found)
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError("the matrix is not square")
        return figures.of(zip(matrix.row.tolist(), matrix.col.tolist()))


class Metis(Reader):
    """The manual of METIS 5, section 4.1.1, in a few lines."""

    name, extension = "metis", "graph"

    def good(self, draw: random.Random) -> bytes:
        simple = {(min(edge), max(edge)) for edge in some_edges(draw, 0) if edge[0] != edge[1]}
        n = max((v for _, v in simple), default=0) + 1
        form = draw.choice(("", "", "0", "1", "001", "10", "011", "100", "101", "111"))
        sizes, weights, weighted = (form.rjust(3, "0")[place] == "1" for place in range(3))
        constraints = draw.choice((1, 2)) if weights else 0
        before = ["4"] * sizes + ["2"] * constraints
        rows: list[list[str]] = [list(before) for _ in range(n)]
        for u, v in sorted(simple):
            for one, other in ((u, v), (v, u)):
                rows[one] += [str(other + 1)] + (["7"] if weighted else [])
        head = f"{n} {len(simple)} {form}".rstrip() + (f" {constraints}" if constraints > 1 else "")
        return "\n".join(["% a comment", head, *(" ".join(row) for row in rows), ""]).encode()

    def read(self, content: Content) -> Figures:
        lines = lines_of(content)
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
    """The page of the ninth DIMACS challenge, those of the first and the second, and that of PACE."""

    name, extension = "dimacs", "gr"

    def good(self, draw: random.Random) -> bytes:
        edges = some_edges(draw, 2**32 - 12)
        n = max(map(max, edges)) + 1
        kind, line = draw.choice((
            ("sp", "a {} {} 5"), ("sp", "a {} {} 5"), ("edge", "e {} {}"), ("col", "e {} {}"), ("max", "a {} {} 9"),
            ("tw", "{} {}"),
        ))
        said = {"max": "n 1 s\nn 2 t\n"}.get(kind, "")
        if kind == "edge" and draw.random() < 0.3:
            edges = [edge for pair in edges for edge in (pair, pair[::-1])]
        told = draw.choice((len(edges), len(edges) // 2)) if kind == "edge" and len(edges) % 2 == 0 else len(edges)
        arcs = "".join(line.format(u + 1, v + 1) + "\n" for u, v in edges)
        return f"c a comment\np {kind} {n} {told}\n{said}{arcs}".encode()

    def read(self, content: Content) -> Figures:
        n, m, kind, arcs = None, 0, "", []
        for line in lines_of(content):
            words = line.split()
            if not words or words[0] == "c":
                continue
            if words[0] == "p" and n is None and words[1] in ("sp", "edge", "col", "max", "tw") and len(words) == 4:
                kind, n, m = words[1], int(words[2]), int(words[3])
                continue
            if n is None:
                raise ValueError(line)
            if kind == "max" and words[0] == "n" and len(words) == 3:
                continue
            letter, weights = {"sp": ("a", 1), "max": ("a", 1), "tw": ("", 0)}.get(kind, ("e", 0))
            if letter:
                if words.pop(0) != letter:
                    raise ValueError(line)
            if len(words) != 2 + weights:
                raise ValueError(line)
            ends = int(words[0]), int(words[1])
            float(words[-1])
            if not all(1 <= end <= n for end in ends):
                raise ValueError("a vertex")
            arcs.append(ends)
        several = (m, 2 * m, m / 2) if kind in ("edge", "col") else (m,)
        if n is None or len(arcs) not in several:
            raise ValueError("not as many arcs as announced")
        return figures.of(arcs)


class Adjacency(Reader):
    """NetworkX reads it."""

    name, extension = "adjacency", "adjlist"

    def good(self, draw: random.Random) -> bytes:
        graph = nx.MultiDiGraph(some_edges(draw))
        return ("\n".join(nx.generate_adjlist(nx.Graph(graph))) + "\n").encode()

    def read(self, content: Content) -> Figures:
        if b"\xc2\xa0" in content or re.search(rb"(^|\s)(0|\+)[0-9]", content):
            # A blank that only Unicode knows; a number or a name.
            raise NoOpinion
        lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
        return figures.of(nx.parse_adjlist(lines, nodetype=int).edges())
