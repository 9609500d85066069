"""Writes the files of this folder and manifest.tsv, which says what NetworkX counts in each.

    python -m venv VENV && VENV/bin/pip install pandas polars duckdb networkx scipy && VENV/bin/python make.py

Each file is as one program writes it. Where that program is not installed with pip (R, Excel, Neo4j, Gephi, SQL
shells), its output is written here letter by letter.

A line of the manifest has five columns, with tabs between them:

    file        its name in files/
    triangles   the count, or `error`
    message     for an error: what its message has to say
    options     for an error: the options that make it work, with blanks between them; `-` if it has to be converted
    then        the count with these options

To add a file, call `add`, or write it under files/ and append its line by hand behind the last line of this script's.
"""

import io
import pathlib
import random
import shutil

import duckdb
import networkx as nx
import pandas as pd
import polars as pl
import scipy.io
import scipy.sparse

import unusual

HERE = pathlib.Path(__file__).parent
FILES = HERE / "files"
LINES = []


def triangles(edges):
    graph = nx.Graph()
    graph.add_edges_from((u, v) for u, v in edges if u != v)
    return sum(nx.triangles(graph).values()) // 3


def add(name, content, edges=None, *, error=None, options="-", then=None):
    """A file, the edges that it holds, or the error and the options that give these edges."""
    path = FILES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    line(name, edges, error=error, options=options, then=then)


def line(name, edges=None, *, error=None, options="-", then=None):
    count = "-" if edges is None else str(triangles(edges))
    if error is None:
        LINES.append((name, count, "-", options, "-"))
    else:
        LINES.append((name, "error", error, options, str(then) if then is not None else count))


# ---- graphs ----

random.seed(7)
KARATE = [(u, v) for u, v in nx.karate_club_graph().edges]
SMALL = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5)]  # K4 and a tail: 4 triangles
WIDE = [(u * 10**12 + 7, v * 10**12 + 7) for u, v in SMALL]
GNP = [(u, v) for u, v in nx.gnp_random_graph(30, 0.25, seed=3).edges]
random.shuffle(GNP)
MISERABLES = [(u, v) for u, v in nx.les_miserables_graph().edges]
FAMILIES = [(u, v) for u, v in nx.florentine_families_graph().edges]
NICK = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
PEOPLE = [(NICK[u], NICK[v]) for u, v in SMALL]
EMOJI = ["🦊fox", "été", "日本", "user_1", "O'Neil", "a.b-c"]
TWEETS = [(EMOJI[u], EMOJI[v]) for u, v in SMALL]
CITY = ["New York", "São Paulo", "Los Angeles", "Den Haag", "Bad Ems", "La Paz"]
CITIES = [(CITY[u], CITY[v]) for u, v in SMALL]
COMPANY = ["Smith, Jones", 'The "Best"', "A & B", "X; Y", "P|Q", "Z"]
COMPANIES = [(COMPANY[u], COMPANY[v]) for u, v in SMALL]
UUIDS = [f"{i:08x}-1b4f-4c8e-9b1a-{i * 7919:012x}" for i in range(6)]
UUID = [(UUIDS[u], UUIDS[v]) for u, v in SMALL]
ZIPS = [(f"0{u}123", f"0{v}123") for u, v in SMALL]
BIG = [(f"{10**25 + u}", f"{10**25 + v}") for u, v in SMALL]


def rows(edges, separator=",", tail=lambda i: "", end="\n"):
    return "".join(f"{u}{separator}{v}{tail(i)}{end}" for i, (u, v) in enumerate(edges))


def quoted(edges, separator=",", tail=lambda i: ""):
    q = lambda x: '"' + str(x).replace('"', '""') + '"'
    return "".join(f"{q(u)}{separator}{q(v)}{tail(i)}\n" for i, (u, v) in enumerate(edges))


def weight(i):
    return f",{(i % 5) + 0.5}"


# ---- pandas ----

def pandas_files():
    for name, edges in [("karate", KARATE), ("people", PEOPLE), ("cities", CITIES), ("wide", WIDE)]:
        frame = pd.DataFrame(edges, columns=["source", "target"])
        add(f"pandas/{name}.csv", frame.to_csv(index=False), edges)
        add(f"pandas/{name}-index.csv", frame.to_csv(), edges)
        add(f"pandas/{name}.tsv", frame.to_csv(index=False, sep="\t"), edges)
        add(f"pandas/{name}-semicolon.csv", frame.to_csv(index=False, sep=";"), edges)
        add(f"pandas/{name}-pipe.csv", frame.to_csv(index=False, sep="|"), edges)
    frame = pd.DataFrame(KARATE, columns=["source", "target"])
    frame["weight"] = [(i % 7) / 2 for i in range(len(frame))]
    add("pandas/weighted.csv", frame.to_csv(index=False), KARATE)
    add("pandas/weighted-index.csv", frame.to_csv(), KARATE)
    add("pandas/no-header.csv", frame.to_csv(index=False, header=False), KARATE)
    add("pandas/columns-last.csv", frame[["weight", "source", "target"]].to_csv(index=False), KARATE)
    add("pandas/target-first.csv", frame[["target", "weight", "source"]].to_csv(index=False), KARATE)
    add("pandas/resaved-index.csv", pd.read_csv(io.StringIO(frame.to_csv())).to_csv(index=False), KARATE)
    add("pandas/decimal-comma.csv", frame.to_csv(index=False, sep=";", decimal=","), KARATE)
    add("pandas/quote-all.csv", frame.to_csv(index=False, quoting=1), KARATE)
    add("pandas/crlf.csv", frame.to_csv(index=False, lineterminator="\r\n"), KARATE)
    add("pandas/bom.csv", frame.to_csv(index=False).encode("utf-8-sig"), KARATE)
    add("pandas/utf-16.csv", frame.to_csv(index=False).encode("utf-16"), KARATE)
    floats = pd.DataFrame(KARATE, columns=["source", "target"], dtype=float)
    add("pandas/floats.csv", floats.to_csv(index=False), KARATE)
    add("pandas/floats-no-header.csv", floats.to_csv(index=False, header=False), KARATE)
    add("pandas/default-columns-index.csv", pd.DataFrame(SMALL).to_csv(), SMALL)
    unnamed = pd.DataFrame(SMALL, columns=["person", "friend"])
    add("pandas/two-columns-index.csv", unnamed.to_csv(), SMALL)
    met = unnamed.assign(met=[1999 + i for i in range(8)], where=["x"] * 8)
    add("pandas/which-columns.csv", met.to_csv(index=False), SMALL)
    missing = pd.DataFrame({"source": [0.0, 1.0, None], "target": [1.0, 2.0, 0.0]})
    add("pandas/missing.csv", missing.to_csv(index=False), error="a column is empty", then="-")
    text = pd.DataFrame(PEOPLE, columns=["source", "target"])
    text.loc[3, "target"] = None
    add("pandas/missing-name.csv", text.to_csv(index=False, na_rep="NULL"), error="a value is missing",
        options="--ids names", then=triangles(text.fillna("NULL").values.tolist()))
    names = pd.DataFrame(COMPANIES, columns=["from", "to"])
    add("pandas/companies.csv", names.to_csv(index=False), COMPANIES)
    add("pandas/companies.tsv", names.to_csv(index=False, sep="\t"), COMPANIES)
    notes = names.assign(note=["two\nlines, here" if i % 2 else "one" for i in range(8)])
    add("pandas/line-ends-in-quotes.csv", notes.to_csv(index=False), COMPANIES)
    numbers = pd.DataFrame(SMALL, columns=["source", "target"])
    tweets = numbers.assign(text=['a "quote"\n0,5,x' if i % 2 else "b" for i in range(8)])
    add("pandas/integers-and-line-ends.csv", tweets.to_csv(index=False), SMALL)
    add("pandas/zip-codes.csv", pd.DataFrame(ZIPS, columns=["source", "target"]).to_csv(index=False), ZIPS)
    add("pandas/uuid.csv", pd.DataFrame(UUID, columns=["src", "dst"]).to_csv(index=False), UUID)
    add("pandas/128-bits.csv", pd.DataFrame(BIG, columns=["u", "v"]).to_csv(index=False), BIG)
    add("pandas/negative.csv", pd.DataFrame([(u - 2, v - 2) for u, v in SMALL]).to_csv(index=False, header=False),
        [(u - 2, v - 2) for u, v in SMALL], error="is not a vertex id", options="--ids names")
    add("pandas/crosstab.csv",
        pd.crosstab(names["from"], names["to"]).to_csv(), error="", then="-")


# ---- polars and DuckDB ----

def polars_files():
    for name, edges in [("gnp", GNP), ("miserables", MISERABLES), ("tweets", TWEETS)]:
        frame = pl.DataFrame(edges, schema=["src", "dst"], orient="row")
        add(f"polars/{name}.csv", frame.write_csv(), edges)
        add(f"polars/{name}-no-header.csv", frame.write_csv(include_header=False), edges)
        add(f"polars/{name}.tsv", frame.write_csv(separator="\t"), edges)
        add(f"polars/{name}-pipe.txt", frame.write_csv(separator="|"), edges)
        indexed = frame.with_row_index()
        add(f"polars/{name}-index.csv", indexed.write_csv(), edges)
        add(f"polars/{name}-quoted.csv", frame.write_csv(quote_style="always"), edges)
        path = FILES / f"duckdb-{name}.csv"
        duckdb.sql(f"copy (select src as u, dst as v from frame) to '{path}' (header, delimiter ',')")
        content = path.read_bytes()
        path.unlink()
        add(f"duckdb/{name}.csv", content, edges)
        add(f"duckdb/{name}-box.txt", str(duckdb.sql("select * from frame limit 8")), error="", then="-")


# ---- NetworkX, SciPy, igraph ----

def networkx_files():
    karate = nx.karate_club_graph()
    plain = nx.Graph(KARATE)
    for name, graph, edges in [("karate", plain, KARATE), ("families", nx.Graph(FAMILIES), FAMILIES)]:
        def written(write, **options):
            buffer = io.BytesIO()
            write(graph, buffer, **options)
            return buffer.getvalue()
        add(f"networkx/{name}.edgelist", written(nx.write_edgelist), edges)
        add(f"networkx/{name}-bare.edgelist", written(nx.write_edgelist, data=False), edges)
        add(f"networkx/{name}-comma.csv", written(nx.write_edgelist, data=False, delimiter=","), edges)
        add(f"networkx/{name}.graphml", written(nx.write_graphml), edges)
        add(f"networkx/{name}-graphml.txt", written(nx.write_graphml), edges)
        add(f"networkx/{name}.gml", written(nx.write_gml), edges)
        add(f"networkx/{name}-gml.txt", written(nx.write_gml), edges)
        add(f"networkx/{name}-pajek.txt", written(nx.write_pajek), edges)
        add(f"networkx/{name}-gexf.txt", written(nx.write_gexf), error="GEXF", then="-")
    adjacency = "\n".join(nx.generate_adjlist(plain)) + "\n"
    add("networkx/adjlist.adjlist", adjacency, KARATE)
    add("networkx/adjlist.txt", adjacency, KARATE, error="columns", options="--format adjacency")
    buffer = io.BytesIO()
    nx.write_weighted_edgelist(karate, buffer)
    add("networkx/weighted.edgelist", buffer.getvalue(), KARATE)
    buffer = io.BytesIO()
    nx.write_edgelist(karate, buffer)
    add("networkx/attributes.edgelist", buffer.getvalue(), KARATE)
    uneven = nx.Graph(SMALL)
    uneven.edges[0, 1].update(weight=1, kind="a b")
    buffer = io.BytesIO()
    nx.write_edgelist(uneven, buffer)
    add("networkx/uneven-attributes.edgelist", buffer.getvalue(), SMALL)
    import json
    add("networkx/node-link.json", json.dumps(nx.node_link_data(plain, edges="links")), KARATE)
    add("networkx/node-link.txt", json.dumps(nx.node_link_data(plain, edges="links")), KARATE)
    add("networkx/pairs.json", json.dumps(SMALL), SMALL)
    add("networkx/print.txt", "".join(f"{pair}\n" for pair in SMALL), error="bracket", then="-")
    add("networkx/graph6.txt", nx.to_graph6_bytes(plain), error="graph6", then="-")
    matrix = scipy.sparse.coo_matrix(nx.to_scipy_sparse_array(plain))
    for name, options in [("general", {"symmetry": "general"}), ("symmetric", {"symmetry": "symmetric"})]:
        buffer = io.BytesIO()
        scipy.io.mmwrite(buffer, matrix, **options)
        add(f"scipy/{name}.mtx", buffer.getvalue(), KARATE)
        add(f"scipy/{name}-mtx.txt", buffer.getvalue(), KARATE)
        body = b"".join(l for l in buffer.getvalue().splitlines(True) if not l.startswith(b"%"))
        add(f"scipy/{name}-no-banner.txt", body, KARATE, error="Matrix Market", options="--skip 1")
    dense = nx.to_numpy_array(nx.Graph(SMALL), dtype=int)
    text = io.StringIO()
    import numpy
    numpy.savetxt(text, dense, fmt="%d")
    add("numpy/dense.txt", text.getvalue(), error="adjacency matrix", then="-")
    text = io.StringIO()
    numpy.savetxt(text, dense, fmt="%d", delimiter=",")
    add("numpy/dense.csv", text.getvalue(), error="adjacency matrix", then="-")
    text = io.StringIO()
    numpy.savetxt(text, numpy.array(KARATE), fmt="%d")
    add("numpy/edges.txt", text.getvalue(), KARATE)
    text = io.StringIO()
    numpy.savetxt(text, numpy.array(KARATE))
    add("numpy/exponents.txt", text.getvalue(), KARATE)
    text = io.StringIO()
    numpy.savetxt(text, numpy.array(KARATE), fmt="%d", header="source target")
    add("numpy/commented-header.txt", text.getvalue(), KARATE)


# ---- R, Excel, SQL ----

def other_programs():
    add("r/write.csv", '"","from","to"\n' + "".join(f'"{i + 1}",{u},{v}\n' for i, (u, v) in enumerate(SMALL)), SMALL)
    add("r/write-names.csv",
        '"","from","to"\n' + "".join(f'"{i + 1}","{u}","{v}"\n' for i, (u, v) in enumerate(PEOPLE)), PEOPLE)
    add("r/write-no-row-names.csv", '"from","to"\n' + rows(SMALL), SMALL)
    add("r/write-table.txt", '"V1" "V2"\n' + "".join(f'"{i + 1}" {u} {v}\n' for i, (u, v) in enumerate(SMALL)), SMALL)
    add("r/write-table-names.txt",
        '"from" "to"\n' + "".join(f'"{i + 1}" "{u}" "{v}"\n' for i, (u, v) in enumerate(CITIES)), CITIES)
    add("r/write-csv2.csv", '"";"from";"to";"weight"\n'
        + "".join(f'"{i + 1}";{u};{v};{i},5\n' for i, (u, v) in enumerate(SMALL)), SMALL)
    add("r/igraph.txt", rows(KARATE, " "), KARATE)
    add("r/data-table.csv", "V1,V2\n" + rows(SMALL), SMALL)
    add("excel/utf-8.csv", b"\xef\xbb\xbf" + ("Source;Target\r\n" + rows(SMALL, ";", end="\r\n")).encode(), SMALL)
    add("excel/sep.csv", "sep=;\r\nSource;Target\r\n" + rows(PEOPLE, ";", end="\r\n"), PEOPLE)
    add("excel/weights.csv", b"\xef\xbb\xbf" + ("Source;Target;Weight\r\n"
        + rows(SMALL, ";", lambda i: f";{i},25", end="\r\n")).encode(), SMALL)
    add("excel/unicode.txt", ("Source\tTarget\r\n" + rows(PEOPLE, "\t", end="\r\n")).encode("utf-16"), PEOPLE)
    add("excel/mac.csv", "Source,Target\r" + rows(SMALL, ",", end="\r"), SMALL)
    add("excel/names.csv", b"\xef\xbb\xbf" + ("Von;Nach\r\n" + rows(CITIES, ";", end="\r\n")).encode(), CITIES)
    add("excel/latin-1.csv", ("Source;Target\n" + rows(CITIES, ";")).encode("latin-1"), error="UTF-8", then="-")
    add("sql/postgres.csv", "follower_id,followee_id,created_at\n"
        + rows(SMALL, ",", lambda i: f",2024-01-0{i + 1} 12:00:00+00"), SMALL)
    add("sql/postgres-copy.tsv", rows(SMALL, "\t"), SMALL)
    add("sql/postgres-null.tsv", rows(SMALL[:5], "\t") + "\\N\t3\n", error="`\\\\N`", then="-")
    add("sql/psql.txt", " id1 | id2 \n-----+-----\n" + "".join(f"   {u} |   {v}\n" for u, v in SMALL) + "(8 rows)\n",
        error="", then="-")
    add("sql/mysql.tsv", "user_a\tuser_b\n" + rows(PEOPLE, "\t"), PEOPLE)
    add("sql/sqlite.txt", rows(PEOPLE, "|"), PEOPLE)
    add("sql/sqlite-header.txt", "src|dst|w\n" + rows(SMALL, "|", lambda i: "|1"), SMALL)
    add("sql/bigquery.csv", "source_user,target_user,n\n" + rows(TWEETS, ",", lambda i: f",{i}"), TWEETS)
    add("sql/dump.csv", "id,person1_id,person2_id\n"
        + "".join(f"{100 + i},{u},{v}\n" for i, (u, v) in enumerate(SMALL)), SMALL)
    add("sql/two-pairs.csv", "from_id,to_id,from_name,to_name\n"
        + "".join(f"{u},{v},{NICK[u]},{NICK[v]}\n" for u, v in SMALL), SMALL,
        error="several pairs", options="--columns from_id,to_id")
    add("sql/ids-and-names.csv", "source,target,source_name,target_name\n"
        + "".join(f"{u},{v},{NICK[u]},{NICK[v]}\n" for u, v in SMALL), SMALL)


# ---- graph databases and tools ----

def graph_tools():
    add("neo4j/import.csv", ":START_ID,:END_ID,:TYPE\n" + rows(SMALL, ",", lambda i: ",KNOWS"), SMALL)
    add("neo4j/groups.csv", ":START_ID(Person),since:int,:END_ID(Person),:TYPE\n"
        + "".join(f"{u},{2000 + i},{v},KNOWS\n" for i, (u, v) in enumerate(PEOPLE)), PEOPLE)
    add("neo4j/apoc.csv", '"_start","_end","_type"\n' + quoted(SMALL, ",", lambda i: ',"KNOWS"'), SMALL)
    add("neo4j/query.csv", "a,b\n" + quoted(PEOPLE), PEOPLE)
    add("gephi/edges.csv", "Source,Target,Type,Id,Label,timeset,Weight\n"
        + "".join(f"{u},{v},Undirected,{i},,,1.0\n" for i, (u, v) in enumerate(SMALL)), SMALL)
    add("gephi/names.csv", "Source,Target,Type,Id,Label,timeset,Weight\n"
        + "".join(f"{u},{v},Directed,{i},,,1.0\n" for i, (u, v) in enumerate(PEOPLE)), PEOPLE)
    add("gephi/semicolon.csv", "Source;Target;Type;Weight\n" + rows(PEOPLE, ";", lambda i: ";Undirected;1.0"), PEOPLE)
    add("cytoscape/edges.csv", "source,interaction,target\n" + "".join(f"{u},pp,{v}\n" for u, v in PEOPLE), PEOPLE)
    add("cytoscape/network.sif", "".join(f"{u}\tpp\t{v}\n" for u, v in PEOPLE), PEOPLE, options="--columns 1,3")
    add("kg/triples.txt", "".join(f"{u}\t/knows\t{v}\n" for u, v in PEOPLE), PEOPLE, options="--columns 1,3")
    add("spark/part-00000.csv", "src,dst\n" + rows(SMALL[:4]), SMALL[:4])
    add("spark/part-00001.csv", "src,dst\n" + rows(SMALL[4:]), SMALL[4:])
    add("spark/graphx.txt", "# Vertices and edges\n" + rows(SMALL, " "), SMALL)
    add("spark/part-no-header.csv", rows(PEOPLE), PEOPLE)
    add("hive/part.txt", rows(PEOPLE, "\x01"), PEOPLE, error="control character", options="--delimiter \x01")
    add("graphviz/dot.txt", "graph {\n" + "".join(f"  {u} -- {v};\n" for u, v in SMALL) + "}\n", error="DOT", then="-")
    add("arrows/arrows.txt", "".join(f"{u} -> {v}\n" for u, v in SMALL), SMALL)
    add("arrows/dashes.txt", "".join(f"{u} -- {v}\n" for u, v in PEOPLE), PEOPLE)
    add("arrows/colon.txt", "".join(f"{u}:{v}\n" for u, v in SMALL), SMALL,
        error="only one column", options="--delimiter :")
    add("tgf/people.tgf", "".join(f"{i} {n}\n" for i, n in enumerate(NICK)) + "#\n" + rows(SMALL, " "), SMALL,
        error="Trivial Graph Format", options="--skip 7")
    add("web/not-found.txt", "<!DOCTYPE html>\n<html><body>404</body></html>\n", error="web page", then="-")
    add("web/lfs.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", error="Git", then="-")


# ---- published collections ----

def collections():
    snap = "# Directed graph (each unordered pair of nodes is saved once)\n# Nodes: 34 Edges: 78\n# FromNodeId\tToNodeId\n"
    add("snap/karate.txt", snap + rows(KARATE, "\t"), KARATE)
    add("snap/crlf.txt", snap.replace("\n", "\r\n") + rows(KARATE, "\t", end="\r\n"), KARATE)
    add("snap/both-directions.txt", snap + rows(KARATE + [(v, u) for u, v in KARATE], "\t"), KARATE)
    add("snap/temporal.txt", rows(KARATE, " ", lambda i: f" {1082008561 + i}"), KARATE)
    add("snap/signed.csv", rows(KARATE, ",", lambda i: f",{i % 21 - 10},1289241911.7{i}"), KARATE)
    add("snap/musae.csv", "id_1,id_2\n" + rows(KARATE), KARATE)
    add("snap/twitch.csv", "numeric_id_1,numeric_id_2\n" + rows(KARATE), KARATE)
    add("snap/deezer.csv", "node_1,node_2\n" + rows(KARATE), KARATE)
    add("snap/reddit.tsv", "SOURCE_SUBREDDIT\tTARGET_SUBREDDIT\tPOST_ID\tTIMESTAMP\tLINK_SENTIMENT\tPROPERTIES\n"
        + rows(PEOPLE, "\t", lambda i: f"\t1u4nr{i}s\t2013-12-31 16:39:58\t1\t345.0,298.0,0.75"), PEOPLE)
    add("konect/out.karate", "% sym unweighted\n% 78 34 34\n" + rows([(u + 1, v + 1) for u, v in KARATE], " "), KARATE)
    add("konect/out.weighted", "% asym posweighted\n" + rows(KARATE, " ", lambda i: f"\t{i % 4 + 1}\t{1082008561 + i}"), KARATE)
    add("konect/out.tabs", "% sym weighted\n" + rows(KARATE, "\t", lambda i: f"\t{i % 4 + 1}"), KARATE)
    add("networkrepository/karate.edges", "% sym\n" + rows(KARATE, " "), KARATE)
    add("networkrepository/comma.edges", rows(KARATE, ","), KARATE)
    add("networkrepository/weighted.edges", rows(KARATE, ",", lambda i: f",{i % 3 + 1}"), KARATE)
    one = [(u + 1, v + 1) for u, v in KARATE]
    body = f"34 34 {len(one)}\n" + rows([(v, u) for u, v in one], " ")
    add("networkrepository/karate.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% from NR\n" + body, KARATE)
    add("suitesparse/karate.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n%" + "-" * 60 + "\n% UF\n" + body, KARATE)
    add("suitesparse/real.mtx", "%%MatrixMarket matrix coordinate real general\n"
        + f"34 34 {len(one)}\n" + rows(one, " ", lambda i: f" {i}.5e-01"), KARATE)
    add("suitesparse/no-banner.mtx", body, error="banner", options="--format edge-list --skip 1", edges=KARATE)
    add("suitesparse/body.txt", body, KARATE, error="Matrix Market", options="--skip 1")
    add("suitesparse/real-body.txt", f"34 34 {len(one)}\n" + rows(one, " ", lambda i: " 1"), KARATE,
        error="Matrix Market", options="--skip 1")
    add("ogb/edge.csv", rows(KARATE), KARATE)
    add("ogb/triples.csv", "head,relation,tail\n" + "".join(f"{u},{i % 3},{v}\n" for i, (u, v) in enumerate(KARATE)), KARATE)
    add("webgraph/arcs.txt", rows(sorted(KARATE), "\t"), KARATE)
    add("graphchallenge/karate_adj.tsv", rows(one, "\t", lambda i: "\t1"), KARATE)
    graph = nx.Graph(KARATE)
    metis = f"34 {len(KARATE)}\n" + "".join(" ".join(str(w + 1) for w in sorted(graph[v])) + "\n" for v in range(34))
    add("metis/karate.graph", metis, KARATE)
    add("metis/karate.txt", metis, KARATE, error="METIS", options="--format metis")
    add("metis/k4.txt", "4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", SMALL[:6], error="METIS", options="--format metis")
    add("metis/comments.txt", "% a comment\n" + metis, KARATE, error="METIS", options="--format metis")
    cycle = nx.circulant_graph(9, [1, 2])
    regular = f"9 {cycle.number_of_edges()}\n" + "".join(" ".join(str(w + 1) for w in sorted(cycle[v])) + "\n" for v in range(9))
    add("metis/regular.txt", regular, list(cycle.edges), error="METIS", options="--format metis")
    ring = nx.cycle_graph(5)
    ring2 = "5 5\n" + "".join(" ".join(str(w + 1) for w in sorted(ring[v])) + "\n" for v in range(5))
    add("metis/cycle.txt", ring2, list(ring.edges), error="METIS", options="--format metis")
    add("metis/isolated.txt", "5 3\n2 3\n1 3\n1 2\n\n\n", [(1, 2), (1, 3), (2, 3)], error="METIS", options="--format metis")
    lists = "".join(f"{v} " + " ".join(map(str, sorted(graph[v]))) + "\n" for v in graph)
    add("adjacency/both.txt", lists, KARATE, error="adjacency", options="--format adjacency")
    add("adjacency/regular.txt", "".join(f"{v} " + " ".join(map(str, sorted(cycle[v]))) + "\n" for v in cycle),
        list(cycle.edges), error="adjacency", options="--format adjacency")
    add("counted/contest.txt", f"6 8\n" + rows([(u + 1, v + 1) for u, v in SMALL], " "), SMALL,
        error="sizes", options="--skip 1")
    add("dimacs/karate.col", f"c FILE\np edge 34 {len(one)}\n" + "".join(f"e {u} {v}\n" for u, v in one), KARATE)
    add("dimacs/karate-col.txt", f"c FILE\np edge 34 {len(one)}\n" + "".join(f"e {u} {v}\n" for u, v in one), KARATE)
    add("dimacs/roads.gr", f"c 9th\np sp 34 {len(one)}\n" + "".join(f"a {u} {v} 7\n" for u, v in one), KARATE)
    add("uneven/trailing.txt", rows(SMALL[:4], " ") + rows(SMALL[4:], " ", lambda i: " 1"), SMALL)
    add("uneven/more.txt", rows(SMALL[:4], " ") + rows(SMALL[4:], " ", lambda i: " 1 2"), SMALL,
        error="columns", options="--columns 1,2")
    add("uneven/middle.csv", "source,target,w\n" + rows(SMALL[:4], ",", lambda i: ",1") + rows(SMALL[4:], ","), SMALL)
    add("uneven/names.csv", "source,target,w\n" + rows(PEOPLE[:4], ",", lambda i: ",1") + rows(PEOPLE[4:], ","), PEOPLE,
        error="columns", options="--columns source,target")


# ---- names as people have them ----

def names():
    for label, edges in [("people", PEOPLE), ("tweets", TWEETS), ("uuid", UUID)]:
        add(f"names/{label}.txt", rows(edges, " "), edges)
        add(f"names/{label}.tsv", rows(edges, "\t"), edges)
        add(f"names/{label}.csv", rows(edges), edges)
        add(f"names/{label}-quoted.txt", quoted(edges, " "), edges)
        add(f"names/{label}-weighted.csv", "source,target,weight\n" + rows(edges, ",", weight), edges)
    add("names/cities.tsv", rows(CITIES, "\t"), CITIES)
    add("names/cities.txt", quoted(CITIES, " "), CITIES)
    add("names/companies.csv", quoted(COMPANIES), COMPANIES)
    add("names/companies.txt", quoted(COMPANIES, " "), COMPANIES)
    tags = [(f"#t{u}", f"#t{v}") for u, v in SMALL]
    add("names/hashtags.csv", rows(tags), tags)
    add("names/hashtags.txt", rows(tags, " "), tags)
    add("names/hashtags-header.csv", "source,target\n" + rows(tags), tags)
    handles = [(f"@{n}", f"@{m}") for n, m in PEOPLE]
    add("names/handles.csv", "follower,followed\n" + rows(handles), handles)
    urls = [(f"https://example.org/{u}?a=1", f"https://example.org/{v}?a=1") for u, v in SMALL]
    add("names/urls.txt", rows(urls, " "), urls)
    add("names/urls.csv", "from,to\n" + rows(urls), urls)
    emails = [(f"{n.lower()}@example.org", f"{m.lower()}@example.org") for n, m in PEOPLE]
    add("names/emails.csv", "sender,recipient,date\n" + rows(emails, ",", lambda i: f",2001-05-0{i + 1}"), emails)
    prefixed = [(f"user:{u}", f"user:{v}") for u, v in SMALL]
    add("names/prefixed.txt", rows(prefixed, "\t"), prefixed)
    add("names/letters.txt", rows([("abcdef"[u], "abcdef"[v]) for u, v in SMALL], " "), SMALL)
    genes = [(f"ENSG{u:011d}", f"ENSG{v:011d}") for u, v in SMALL]
    add("names/string.txt", "protein1 protein2 combined_score\n" + rows(genes, " ", lambda i: f" {900 - i}"), genes)
    add("names/ip.csv", "src_ip,dst_ip,bytes\n"
        + rows([(f"10.0.0.{u}", f"10.0.0.{v}") for u, v in SMALL], ",", lambda i: ",64"), SMALL)
    add("names/mostly-integers.txt", rows(SMALL, " ") + "x 0\n", SMALL,
        error="`x` is not a vertex id", options="--ids names")
    add("names/na.csv", "source,target\n" + rows(PEOPLE) + "NA,Ann\nNA,Bo\n", error="a value is missing",
        options="--ids names", then=triangles(PEOPLE + [("NA", "Ann"), ("NA", "Bo")]))
    add("names/padded.txt", rows([(f"{u:03}", f"{v:03}") for u, v in SMALL], " "), SMALL)
    add("names/plus.txt", rows([(f"+{u}", f"+{v}") for u, v in SMALL], " "), SMALL)
    add("names/exponents.csv", rows([(f"{u + 1}e3", f"{v + 1}e3") for u, v in SMALL]), SMALL)
    add("names/whole-and-not.csv", "1.0,2\n2,3\n3,x\n", error="is not a vertex id", options="--ids names", then=0)


# ---- tribin's own tables ----

def own():
    add("tribin/support.csv", "u,v,support\n" + rows(SMALL, ",", lambda i: ",2"), SMALL)
    add("tribin/truss.tsv", "# u\tv\ttrussness\n" + rows(SMALL, "\t", lambda i: "\t4"), SMALL)
    add("tribin/truss-names.csv", "u,v,trussness\n" + rows(PEOPLE, ",", lambda i: ",4"), PEOPLE)
    add("tribin/k-truss-names.csv", "u,v\n" + rows(PEOPLE), PEOPLE)
    local = "".join(f"{v},3,{3},1.0\n" for v in range(4))
    add("tribin/local.csv", "vertex,degree,triangles,clustering\n" + local, error="tribin local", then="-")
    add("tribin/local.tsv", "# vertex\tdegree\ttriangles\tclustering\n" + local.replace(",", "\t"), error="tribin local", then="-")
    add("tribin/local-header.tsv", "vertex\tdegree\ttriangles\tclustering\n" + local.replace(",", "\t"), error="tribin local", then="-")
    add("tribin/list.csv", "u,v,w\n0,1,2\n0,1,3\n0,2,3\n1,2,3\n", error="tribin list", then="-")
    add("tribin/list.tsv", "# u\tv\tw\n0\t1\t2\n0\t1\t3\n0\t2\t3\n1\t2\t3\n", error="tribin list", then="-")


def main():
    shutil.rmtree(FILES, ignore_errors=True)
    for part in [pandas_files, polars_files, networkx_files, other_programs, graph_tools, collections, names, own]:
        part()
    unusual.unusual(add, globals(), rows, quoted, triangles)
    text = "file\ttriangles\tmessage\toptions\tthen\n"
    text += "".join("\t".join(line) + "\n" for line in LINES)
    (HERE / "manifest.tsv").write_text(text)
    print(len(LINES), "files")


if __name__ == "__main__":
    main()
