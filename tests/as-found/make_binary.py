"""Makes the binary files, archives and folders of tests/as-found/binary, and its manifest.

Each file is written by the program or library that people write such files with. The expected counts are
NetworkX's, of the edges that were written. Run it in a virtual environment with pyarrow, pandas, polars, duckdb,
fastparquet, networkx, numpy and scipy:

    python3 make_binary.py

The manifest is a list of cases: `path` below this folder, `args` for `tribin count`, and either `triangles`,
`edges` and `vertices`, or `error`, a part of the message. `fixed` has the arguments that make a file work that is an
error without them. `needs` names the features of the build that a case needs.
"""

import bz2
import gzip
import io
import json
import lzma
import shutil
import tarfile
import uuid
import zipfile
from decimal import Decimal
from pathlib import Path

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather as feather
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse

OUT = Path(__file__).parent / "binary"
CASES = []

karate = nx.karate_club_graph()
EDGES = list(karate.edges())
NAMES = [f"Member {v} é" for v in range(34)]
SOURCE = np.array([u for u, _ in EDGES], dtype=np.int64)
TARGET = np.array([v for _, v in EDGES], dtype=np.int64)
WEIGHT = np.arange(len(EDGES)) * 0.5
TEXT = "".join(f"{u} {v}\n" for u, v in EDGES)


def figures(graph):
    graph = nx.Graph(graph)
    graph.remove_edges_from(nx.selfloop_edges(graph))
    return {
        "triangles": sum(nx.triangles(graph).values()) // 3,
        "edges": graph.number_of_edges(),
        "vertices": sum(1 for _, degree in graph.degree() if degree > 0),
    }


def case(path, graph=karate, args=(), error=None, fixed=None, needs=()):
    entry = {"path": f"binary/{path}", "args": list(args), "needs": list(needs)}
    if error:
        entry["error"] = error
    if fixed:
        entry["fixed"] = list(fixed)
    if graph is not None:
        entry.update(figures(graph))
    CASES.append(entry)
    return OUT / path


def path_of(path, **about):
    found = case(path, **about)
    found.parent.mkdir(parents=True, exist_ok=True)
    return found


PARQUET = {"needs": ["parquet"]}
ARROW = {"needs": ["arrow"]}

frame = pd.DataFrame({"source": SOURCE, "target": TARGET, "weight": WEIGHT})
named = pd.DataFrame({"from": [NAMES[u] for u in SOURCE], "to": [NAMES[v] for v in TARGET]})
table = pa.table({"source": SOURCE, "target": TARGET, "weight": WEIGHT})


def parquet():
    for compression in ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]:
        about = {"graph": None, "error": "pages compressed with LZO or Brotli are not read"} if compression == "brotli" else {}
        path = path_of(f"parquet/pyarrow-{compression}.parquet", **PARQUET, **about)
        pq.write_table(table, path, compression=compression, row_group_size=20)
    for version in ["1.0", "2.0"]:
        path = path_of(f"parquet/pages-{version}.parquet", **PARQUET)
        pq.write_table(table, path, data_page_version=version, data_page_size=64, compression="zstd")
    for encoding in ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]:
        path = path_of(f"parquet/{encoding.lower()}.parquet", **PARQUET)
        columns = {"source": encoding, "target": encoding}
        pq.write_table(table.drop(["weight"]), path, use_dictionary=False, column_encoding=columns)
    for encoding in ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "PLAIN"]:
        path = path_of(f"parquet/names-{encoding.lower()}.parquet", **PARQUET)
        columns = {"from": encoding, "to": encoding}
        pq.write_table(pa.Table.from_pandas(named), path, use_dictionary=False, column_encoding=columns)
    for kind in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", "float32", "float64"]:
        path = path_of(f"parquet/{kind}.parquet", **PARQUET)
        columns = {"src": SOURCE.astype(kind), "dst": TARGET.astype(kind)}
        pq.write_table(pa.table(columns), path)
    decimal = pa.array([Decimal(int(v)) for v in SOURCE], pa.decimal128(20, 0))
    path = path_of("parquet/decimal.parquet", **PARQUET)
    pq.write_table(pa.table({"source": decimal, "target": TARGET}), path)
    for kind in [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]:
        path = path_of(f"parquet/{str(kind).split('<')[0]}.parquet", **PARQUET)
        columns = {"from": pa.array(named["from"], kind), "to": pa.array(named["to"], kind)}
        pq.write_table(pa.table(columns), path)
    ids = [uuid.UUID(int=(v * 0x9E3779B97F4A7C15) ** 2 % 2**128).bytes for v in range(34)]
    hashes = {"source": [ids[u] for u in SOURCE], "target": [ids[v] for v in TARGET]}
    path = path_of("parquet/fixed-binary.parquet", **PARQUET)
    pq.write_table(pa.table({k: pa.array(v, pa.binary(16)) for k, v in hashes.items()}), path)
    path = path_of("parquet/nested-beside.parquet", **PARQUET)
    nested = {
        "tags": [[1, 2]] * 78,
        "about": [{"a": 1, "b": "x"}] * 78,
        "source": SOURCE,
        "target": TARGET,
        "when": pd.Timestamp("2024-01-01"),
    }
    pq.write_table(pa.Table.from_pandas(pd.DataFrame(nested)), path, row_group_size=30)
    path = path_of("parquet/wide-ids.parquet", **PARQUET)
    pq.write_table(pa.table({"source": SOURCE + 2**40, "target": TARGET + 2**40}), path)
    frame.to_parquet(path_of("parquet/pandas.parquet", **PARQUET))
    frame.set_index("weight").to_parquet(path_of("parquet/pandas-index.parquet", **PARQUET))
    frame.to_parquet(path_of("parquet/fastparquet.parquet", **PARQUET), engine="fastparquet")
    named.astype("category").to_parquet(path_of("parquet/pandas-category.parquet", **PARQUET))
    pl.from_pandas(frame).write_parquet(path_of("parquet/polars.parquet", **PARQUET), row_group_size=25)
    pl.from_pandas(named).write_parquet(path_of("parquet/polars-names.parquet", **PARQUET))
    path = path_of("parquet/duckdb.parquet", **PARQUET)
    duckdb.sql(f"copy (select * from frame) to '{path}' (format parquet, row_group_size 2048)")
    path = path_of("parquet/duckdb-zstd-names.parquet", **PARQUET)
    duckdb.sql(f"copy (select * from named) to '{path}' (format parquet, codec zstd)")
    path = path_of("parquet/duckdb-uuid.parquet", **PARQUET)
    duckdb.sql(
        f"copy (select md5(source::varchar)::uuid source, md5(target::varchar)::uuid target from frame) "
        f"to '{path}' (format parquet)"
    )
    # Many rows of few bytes: two million self-loops.
    path = path_of("parquet/repeated.parquet", graph=nx.Graph([(0, 0)]), **PARQUET)
    zeros = np.zeros(2_000_000, dtype=np.int64)
    pq.write_table(
        pa.table({"source": zeros, "target": zeros}), path, compression="zstd", row_group_size=len(zeros),
        write_batch_size=len(zeros), max_rows_per_page=len(zeros),
    )
    # What is not read as it stands.
    holes = {"source": [0, 1, None, 2], "target": [1, 2, 2, 0]}
    path = path_of("parquet/missing.parquet", graph=None, error="row 2: a value is missing", **PARQUET)
    pq.write_table(pa.table(holes), path)
    path = path_of("parquet/pandas-nan.parquet", graph=None, error="row 2: a value is missing", **PARQUET)
    pd.DataFrame(holes).to_parquet(path)
    path = path_of("parquet/negative.parquet", graph=None, error="row 1: the vertex id -7 is negative", **PARQUET)
    pq.write_table(pa.table({"source": [0, -7], "target": [1, 2]}), path)
    path = path_of("parquet/fraction.parquet", graph=None, error="row 1: 1.5 is no vertex id", **PARQUET)
    pq.write_table(pa.table({"source": [0.0, 1.5], "target": [1.0, 2.0]}), path)
    path = path_of(
        "parquet/which-columns.parquet", error="the columns are", fixed=["--columns", "x,z"], **PARQUET
    )
    pq.write_table(pa.table({"x": SOURCE, "y": SOURCE * 0, "z": TARGET}), path)
    path = path_of("parquet/dates.parquet", graph=None, error="holds values of the type Timestamp", **PARQUET)
    when = pd.to_datetime(SOURCE, unit="s")
    pq.write_table(pa.table({"source": when, "target": when}), path)
    cut = path_of("parquet/cut.parquet", graph=None, error="cut off or damaged", **PARQUET)
    cut.write_bytes((OUT / "parquet/pyarrow-snappy.parquet").read_bytes()[:-100])


def arrow():
    for compression in ["uncompressed", "lz4", "zstd"]:
        path = path_of(f"arrow/feather-{compression}.feather", **ARROW)
        feather.write_feather(table, path, compression=compression, chunksize=20)
        path = path_of(f"arrow/feather-names-{compression}.feather", **ARROW)
        feather.write_feather(named, path, compression=compression)
    feather.write_feather(named.astype("category"), path_of("arrow/categories.feather", **ARROW))
    path = path_of("arrow/version-1.feather", graph=None, error="Feather file of version 1")
    feather.write_feather(frame, path, version=1)
    pl.from_pandas(frame).write_ipc(path_of("arrow/polars.arrow", **ARROW), compression="lz4")
    path = path_of("arrow/polars-names.arrow", **ARROW)
    pl.from_pandas(named).with_columns(pl.col("to").cast(pl.Categorical)).write_ipc(path)
    pl.from_pandas(frame).write_ipc_stream(path_of("arrow/polars.arrows", **ARROW))
    views = pa.table({k: pa.array(named[k], pa.string_view()) for k in named})
    with pa.ipc.new_file(path_of("arrow/views.arrow", **ARROW), views.schema) as writer:
        writer.write_table(views, max_chunksize=30)
    nested = pa.table(
        {
            "tags": [[1, 2]] * 78,
            "about": [{"a": 1, "b": "x"}] * 78,
            "text": pa.array(["view that is longer than twelve"] * 78, pa.string_view()),
            "source": SOURCE,
            "target": pa.array(TARGET, pa.uint16()),
        }
    )
    with pa.ipc.new_stream(path_of("arrow/nested.arrows", **ARROW), nested.schema) as writer:
        writer.write_table(nested, max_chunksize=30)
    # A dictionary that grows, and one that is replaced.
    for kind, emit in [("delta", True), ("replaced", False)]:
        options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=emit)
        schema = pa.schema([(k, pa.dictionary(pa.int8(), pa.string())) for k in ["from", "to"]])
        path = path_of(f"arrow/{kind}.arrows", **ARROW)
        with pa.ipc.new_stream(path, schema, options=options) as writer:
            for part in [named[:40], named[40:]]:
                seen = {k: list(dict.fromkeys(named[k][: part.index[-1] + 1])) for k in named}
                if not emit:
                    seen = {k: list(reversed(v)) for k, v in seen.items()}
                columns = [
                    pa.DictionaryArray.from_arrays(
                        pa.array([seen[k].index(v) for v in part[k]], pa.int8()), pa.array(seen[k])
                    )
                    for k in ["from", "to"]
                ]
                writer.write_batch(pa.record_batch(columns, schema=schema))
    holes = pa.table({"source": [0, 1, None, 2], "target": [1, 2, 2, 0]})
    path = path_of("arrow/missing.arrow", graph=None, error="row 2: a value is missing", **ARROW)
    with pa.ipc.new_file(path, holes.schema) as writer:
        writer.write_table(holes, max_chunksize=2)


def mtx(graph):
    to = io.BytesIO()
    matrix = nx.to_scipy_sparse_array(graph, weight=None, format="coo", dtype=np.int8)
    scipy.io.mmwrite(to, matrix, symmetry="symmetric", field="pattern")
    return to.getvalue()


def tar(path, members, mode):
    with tarfile.open(path, mode) as archive:
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))


def zip_of(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)


def archives():
    matrix = mtx(karate)
    suite_sparse = {
        "karate/karate.mtx": matrix,
        "karate/karate_b.mtx": b"%%MatrixMarket matrix array real general\n2 1\n1\n2\n",
        "karate/karate_coord.mtx": b"%%MatrixMarket matrix array real general\n2 1\n1\n2\n",
    }
    tar(path_of("archives/suitesparse.tar.gz"), suite_sparse, "w:gz")
    tar(path_of("archives/plain.tar"), suite_sparse, "w")
    tar(path_of("archives/short.tgz"), {"karate.mtx": matrix}, "w:gz")
    konect = {
        "ucidata-zachary/out.ucidata-zachary": b"% sym unweighted\n% 78 34 34\n" + TEXT.encode(),
        "ucidata-zachary/meta.ucidata-zachary": b"name:  Zachary karate club\n",
        "ucidata-zachary/README.ucidata-zachary": b"Zachary karate club network\n",
        "ucidata-zachary/ent.ucidata-zachary": b"1\n2\n",
    }
    tar(path_of("archives/konect.tar.bz2"), konect, "w:bz2")
    tar(path_of("archives/konect.tar.xz"), konect, "w:xz")
    repository = {"soc-karate.mtx": matrix, "readme.html": b"<html>Network Repository</html>"}
    zip_of(path_of("archives/network-repository.zip"), repository)
    mac = {"g/g.txt": TEXT.encode(), "__MACOSX/g/._g.txt": b"\0\5\x16\7", "g/.DS_Store": b"\0"}
    zip_of(path_of("archives/macos.zip"), mac)
    zip_of(path_of("archives/windows.zip"), {"graph\\edges.txt": TEXT.replace("\n", "\r\n").encode()})
    stored = {"edges.csv": b"source,target\n" + TEXT.replace(" ", ",").encode()}
    zip_of(path_of("archives/stored.zip"), stored, zipfile.ZIP_STORED)
    several = {"a.txt": TEXT.encode(), "b.txt": b"0 1\n", "README": b"two graphs"}
    zip_of(path_of("archives/several.zip", graph=None, error="extract the one that is meant"), several)
    zip_of(path_of("archives/none.zip", graph=None, error="holds no graph"), {"README": b"nothing"})
    ogb = {
        "karate/raw/edge.csv.gz": gzip.compress(TEXT.replace(" ", ",").encode()),
        "karate/raw/num-node-list.csv.gz": gzip.compress(b"34\n"),
        "karate/raw/num-edge-list.csv.gz": gzip.compress(b"78\n"),
        "karate/raw/node-feat.csv.gz": gzip.compress(b"0.5,0.25\n" * 34),
    }
    zip_of(path_of("archives/ogb.zip"), ogb)
    savez = io.BytesIO()
    np.savez(savez, edge_index=np.array([SOURCE, TARGET]))
    path_of("archives/savez.npz").write_bytes(savez.getvalue())
    path_of("compressed/edges.txt.bz2").write_bytes(bz2.compress(TEXT.encode()))
    path_of("compressed/edges.txt.xz").write_bytes(lzma.compress(TEXT.encode()))
    path_of("compressed/streams.bz2").write_bytes(
        bz2.compress(TEXT[:100].encode()) + bz2.compress(TEXT[100:].encode())
    )
    path_of("compressed/streams.xz").write_bytes(
        lzma.compress(TEXT[:100].encode()) + lzma.compress(TEXT[100:].encode(), preset=9)
    )
    cut = path_of("compressed/cut.txt.xz", graph=None, error="stop in the middle")
    cut.write_bytes(lzma.compress(TEXT.encode())[:-40])


def formats():
    arcs = "".join(f"a {u + 1} {v + 1} 3\na {v + 1} {u + 1} 3\n" for u, v in EDGES)
    path_of("formats/roads.gr").write_text(f"c 9th DIMACS\np sp 34 {2 * len(EDGES)}\n{arcs}")
    lines = "".join(f"e {u + 1} {v + 1}\n" for u, v in EDGES)
    path_of("formats/karate.col").write_text(f"c colouring\np edge 34 {len(EDGES)}\n{lines}")
    path_of("formats/karate.clq").write_text(f"c clique\np col 34 {len(EDGES)}\n{lines}")
    path_of("formats/dimacs.txt").write_text(f"c told by its line p\np edge 34 {len(EDGES)}\n{lines}")
    pace = "".join(f"{u + 1} {v + 1}\n" for u, v in EDGES)
    path_of("formats/pace.gr").write_text(f"c PACE\np tw 34 {len(EDGES)}\n{pace}")
    cut = path_of("formats/cut.gr", graph=None, error="announces 156 edges")
    cut.write_text(f"p sp 34 {2 * len(EDGES)}\n{arcs[:200].rsplit(chr(10), 1)[0]}\n")
    nx.write_adjlist(karate, path_of("formats/karate.adjlist"))
    plain = nx.Graph(EDGES)
    nx.write_adjlist(plain, path_of("formats/adjacency.txt", args=["--format", "adjacency"]))
    np.save(path_of("formats/rows.npy"), np.array(EDGES))
    np.save(path_of("formats/edge_index.npy"), np.array([SOURCE, TARGET]))
    np.save(path_of("formats/fortran.npy"), np.asfortranarray(np.array([SOURCE, TARGET], dtype="u2")))
    nx.write_graphml(plain, path_of("formats/karate.graphml"))
    nx.write_gexf(plain, path_of("formats/karate.gexf", graph=None, error="GEXF"))
    nx.write_gml(plain, path_of("formats/karate.gml"))
    nx.write_pajek(plain, path_of("formats/karate.net"))
    path_of("formats/karate.json").write_text(json.dumps(nx.node_link_data(plain, edges="links")))
    path_of("formats/karate.dot", graph=None, error="DOT").write_text(
        "graph karate {\n" + "".join(f"  {u} -- {v};\n" for u, v in EDGES) + "}\n"
    )
    scipy.io.savemat(path_of("formats/karate.mat", graph=None, error="MATLAB"), {"A": np.eye(2)})
    frame[:3].to_pickle(path_of("formats/frame.pkl", graph=None, error="pickle"))


def folders():
    # As Spark writes them.
    def spark(folder, files, **about):
        root = path_of(folder, **about)
        root.mkdir(parents=True)
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        return root

    head = b"source,target\n"
    lines = TEXT.replace(" ", ",").encode().splitlines(keepends=True)
    csv = {
        "_SUCCESS": b"",
        "._SUCCESS.crc": b"crc\0",
        ".part-00000-4f2a-c000.csv.crc": b"crc\0",
        "part-00000-4f2a-c000.csv": head + b"".join(lines[:30]),
        "part-00001-4f2a-c000.csv": head + b"".join(lines[30:]),
        "part-00002-4f2a-c000.csv": b"",
    }
    spark("folders/spark-csv", csv)
    path = path_of("folders/spark.parquet", **PARQUET)
    path.mkdir(parents=True)
    (path / "_SUCCESS").write_bytes(b"")
    for part in range(3):
        pq.write_table(table[part * 26 : (part + 1) * 26], path / f"part-{part:05}.snappy.parquet")
    path = path_of("folders/hive", **PARQUET)
    kinds = pa.array(["a", "b", "c"] * 26)
    ds.write_dataset(
        table.append_column("kind", kinds), path, format="parquet", partitioning=["kind"], partitioning_flavor="hive",
    )
    path = path_of("folders/duckdb-hive", **PARQUET)
    duckdb.sql(
        f"copy (select *, source % 3 as shard from frame) to '{path}' (format parquet, partition_by (shard))"
    )
    names = pa.Table.from_pandas(named)
    path = path_of("folders/names", **PARQUET)
    path.mkdir(parents=True)
    for part in range(2):
        pq.write_table(names[part * 39 : (part + 1) * 39], path / f"{part}.parquet")
    hadoop = {"part-r-00000": b"".join(lines[:30]).replace(b",", b"\t"), "part-r-00001": b"".join(lines[30:]).replace(b",", b"\t")}
    spark("folders/hadoop", hadoop | {"_SUCCESS": b"", "_logs/history": b"x"})
    gz = {f"part-0000{i}.csv.gz": gzip.compress(b"".join(lines[i::2])) for i in range(2)}
    spark("folders/compressed", gz)
    # The first part's ids are numbers, the second's are names.
    mixed = {"0.csv": b"a,b\n1,2\n2,3\n", "1.csv": b"a,b\nx,y\ny,z\nz,x\n"}
    spark("folders/numbers-and-names", mixed, graph=nx.Graph([("1", "2"), ("2", "3"), ("x", "y"), ("y", "z"), ("z", "x")]))
    two = {"a.csv": b"0,1\n", "b.mtx": mtx(karate)}
    spark("folders/two-formats", two, graph=None, error="`a.csv` is edge-list and `b.mtx` is matrix-market")
    spark("folders/documents-only", {"README.md": b"nothing"}, graph=None, error="no graph")
    raw = {
        "edge.csv.gz": gzip.compress(b"".join(lines)),
        "num-node-list.csv.gz": gzip.compress(b"34\n"),
        "node-feat.csv.gz": gzip.compress(b"0.5\n"),
    }
    spark("folders/ogb-raw", raw)
    spark("folders/suitesparse", {"karate.mtx": mtx(karate), "karate_b.mtx": b"%%MatrixMarket matrix array real general\n1 1\n1\n"})


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir()
for make in [parquet, arrow, archives, formats, folders]:
    make()
(OUT / "manifest.json").write_text(json.dumps(CASES, indent=1) + "\n")
print(len(CASES), "cases,", sum(f.stat().st_size for f in OUT.rglob("*") if f.is_file()), "bytes")
