"""Files that are less usual: what spreadsheets, databases and tools write at their edges, and faults that people make.

`make.py` writes them with the others. Most hold the same eight edges (`small`), by number or by name.
"""

import gzip
import io
import zipfile


def unusual(add, graphs, rows, quoted, triangles):
    small, people, karate, nick = (graphs[name] for name in ["SMALL", "PEOPLE", "KARATE", "NICK"])
    one = [(u + 1, v + 1) for u, v in small]

    # ---- spreadsheets ----
    add("excel/windows-1252.csv", ("Source;Target\r\n" + rows([(f"“{u}”", f"€{v}") for u, v in people], ";", end="\r\n"))
        .encode("cp1252"), error="UTF-8", then="-")
    add("excel/sep-comma.csv", "sep=,\r\nSource,Target\r\n" + rows(small, ",", end="\r\n"), small)
    add("excel/sep-tab.txt", "sep=\t\r\nSource\tTarget\r\n" + rows(people, "\t", end="\r\n"), people)
    add("excel/sep-upper.csv", b"\xef\xbb\xbf" + ("SEP=;\r\n" + rows(small, ";", end="\r\n")).encode(), small)
    add("excel/thousands.csv", "Source,Target\r\n"
        + rows([(f'"{u + 1},234"', f'"{v + 1},234"') for u, v in small], ",", end="\r\n"), small)
    add("excel/thousands-points.csv", "Von;Nach\r\n"
        + rows([(f"{u + 1}.23{u}", f"{v + 1}.23{v}") for u, v in small], ";", end="\r\n"), small)
    add("excel/thousands-some.csv", "Von;Nach\r\n"
        + rows([(f"{u + 1}.00{u}", f"{v + 1}.00{v}") for u, v in small], ";", end="\r\n"), small,
        error="is not a vertex id", options="--ids names")
    add("excel/bom-crlf-quoted.csv", b"\xef\xbb\xbf" + ('"Source","Target"\r\n'
        + quoted(people).replace("\n", "\r\n")).encode(), people)
    add("excel/empty-columns.csv", "Source,Target,,,\r\n" + rows(small, ",", lambda i: ",,,", end="\r\n"), small)
    add("excel/empty-rows.csv", "Source,Target\r\n" + rows(small[:4], ",", end="\r\n") + "\r\n\r\n"
        + rows(small[4:], ",", end="\r\n") + "\r\n", small)
    add("excel/comma-rows.csv", "Source,Target\r\n" + rows(small, ",", end="\r\n") + ",\r\n,\r\n", small)
    add("excel/title.csv", "Who knows whom,\r\nSource,Target\r\n" + rows(people, ",", end="\r\n"), people,
        error="column is empty", options="--missing skip")
    add("excel/errors.csv", "Source,Target\r\n" + rows(people, ",", end="\r\n") + "#N/A,Ann\r\n", people,
        error="`#N/A`", options="--ids names")
    add("excel/header-with-line-end.csv", '"Source\nnode","Target\nnode"\n' + rows(small), small)
    add("excel/quoted-line-ends.csv", "from;to\n" + quoted([(f"{u}\nx", f"{v}\nx") for u, v in people], ";"), people)
    add("excel/control-z.csv", "Source,Target\r\n" + rows(small, ",", end="\r\n") + "\x1a", error="`\\u{1a}`", then="-")
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
    add("excel/workbook.csv", book.getvalue(), error="Excel", then="-")

    # ---- ids ----
    add("ids/padded-and-not.txt", "7 8\n8 9\n9 7\n007 8\n", [(7, 8), (8, 9), (9, 7), ("007", 8)])
    add("ids/padded-first.txt", "007 8\n8 9\n9 007\n7 8\n", [("007", 8), (8, 9), (9, "007"), (7, 8)])
    add("ids/negative.txt", rows([(u - 2, v) for u, v in small], " "), error="is not a vertex id", options="--ids names",
        edges=[(u - 2, v) for u, v in small])
    add("ids/r-exponents.csv", '"from","to"\n' + rows([(("1e+05" if u == 2 else 99998 + u),
        ("1e+05" if v == 2 else 99998 + v)) for u, v in small]), small, error="1e+05", options="--ids names")
    add("ids/matlab-ascii.txt", "".join(f"   {u:.7e}   {v:.7e}\n" for u, v in one), small)
    add("ids/large-floats.csv", "source,target\n" + rows([(f"1e+1{u}", f"1e+1{v}") for u, v in small]), small)
    add("ids/beyond-64-bits-some.txt", rows([(u + 2**64 - 3, v + 2**64 - 3) for u, v in small], " "), small,
        error="is not a vertex id", options="--ids names")
    add("ids/beyond-128-bits.txt", rows([(u + 2**130, v + 2**130) for u, v in small], " "), small)
    add("ids/largest.txt", rows([(2**64 - 1 - u, 2**64 - 1 - v) for u, v in small], " "), small)
    add("ids/hex.csv", "from,to,value\n" + rows([(f"0x{u + 2**150:040x}", f"0x{v + 2**150:040x}") for u, v in small],
        ",", lambda i: f",{i}00"), small)
    add("ids/short-hex.txt", rows([(f"{u + 10:x}", f"{v + 10:x}") for u, v in small], " "), small)
    add("ids/codes.csv", "product_a,product_b\n" + rows([(f"{u}0{'X' if u % 3 == 2 else u}", f"{v}0{'X' if v % 3 == 2 else v}")
        for u, v in [(u + 1, v + 1) for u, v in karate]]), karate)
    add("ids/one-word.txt", rows(karate, " ") + "total 78\n", karate + [("total", 78)], error="`total`",
        options="--ids names")
    add("ids/missing-cases.csv", "source,target\n" + rows(people) + "n/a,Ann\n", people, error="a value is missing",
        options="--ids names")
    add("ids/lower-none.csv", "source,target\n" + rows(people) + "none,Ann\nna,Bo\n", people, error="--missing skip", options="--ids names")
    add("ids/missing-integers.csv", "source,target\n" + rows(small) + "NULL,3\n", small, error="`NULL`", then="-")
    add("ids/single-quotes.csv", rows([(f"'{u}'", f"'{v}'") for u, v in people]), people)
    add("ids/no-break-space.csv", "source,target\n" + rows([(u + "\u00a0Ø", v + "\u00a0Ø") for u, v in people]), people)
    add("ids/full-width-digits.txt", rows([("０１２３４５"[u], "０１２３４５"[v]) for u, v in small], " "), small)
    add("ids/base64.txt", rows([(f"/w{n}+8=", f"/w{m}+8=") for n, m in people], "\t"), people)
    add("ids/slashes.csv", "a,b\n" + rows([(f"//{n}", f"//{m}") for n, m in people]), people)
    add("ids/long.csv", "source,target\n" + rows([(n * 4000, m * 4000) for n, m in people]), people)
    add("ids/mixed-columns.csv", "user,item\n" + rows([(u, nick[v]) for u, v in small]), [(u, nick[v]) for u, v in small])

    # ---- lines and columns ----
    add("lines/trailing-comma.csv", rows(small, ",", lambda i: ","), small)
    add("lines/trailing-comma-header.csv", "source,target,\n" + rows(people, ",", lambda i: ","), people)
    add("lines/trailing-tab.txt", rows(small, "\t", lambda i: "\t"), small)
    add("lines/trailing-blanks.txt", rows(small, " ", lambda i: "  "), small)
    add("lines/comma-blank.csv", "source, target\n" + rows(small, ", "), small)
    add("lines/comma-blank-names.csv", "source, target\n" + rows(people, ", "), people)
    add("lines/blank-comma.csv", rows(people, " , "), people)
    add("lines/tabs-and-blanks.txt", "".join(f"{u}{' ' if i % 2 else chr(9)}{v}\n" for i, (u, v) in enumerate(small)), small)
    add("lines/tab-then-blank.txt", rows(small, "\t", lambda i: " 5"), small)
    add("lines/tabs-and-blanks-names.txt",
        "".join(f"{u}{' ' if i % 2 else chr(9)}{v}\n" for i, (u, v) in enumerate(people)), people)
    add("lines/fixed-width.txt", "".join(f"{u:8}{v:8}\n" for u, v in small), small)
    add("lines/fixed-width-header.txt", "  source  target\n" + "".join(f"{u:8}{v:8}\n" for u, v in small), small)
    add("lines/mixed-ends.csv", "source,target\r\n" + rows(small[:4], ",", end="\r\n") + rows(small[4:]), small)
    add("lines/doubled-cr.csv", "source,target\r\r\n" + rows(small, ",", end="\r\r\n"), small)
    add("lines/no-last-end.txt", rows(small, " ")[:-1], small)
    add("lines/one.txt", "0 1", [(0, 1)])
    add("lines/blank-first.csv", "\n\nsource,target\n" + rows(people), people)
    add("lines/single-column.txt", "".join(f"{u}\n" for u, _ in small), error="only one column", then="-")
    add("lines/single-column-names.csv", "name\n" + "".join(f"{u}\n" for u in nick), error="only one column", then="-")
    add("lines/header-only.csv", "source,target\n", [])
    add("lines/header-only-weights.csv", "source,target,weight\n", [])
    add("lines/comments-only.txt", "# nothing\n% here\n", [])
    add("lines/blanks-only.txt", "\n  \n\t\n", [])
    add("lines/same-names.csv", "id,id\n" + rows(small), small)
    add("lines/ldbc.csv", "Person.id|Person.id|creationDate\n" + rows(small, "|", lambda i: f"|201{i}-01-01"), small)
    add("lines/same-names-more.csv", "node,node,node\n" + rows(small, ",", lambda i: ",x"), small)
    add("lines/ragged-last.txt", rows(small, " ") + "5", error="has 1 column", then="-")
    add("lines/ragged-last.csv", "source,target\n" + rows(people) + "Ann", error="", then="-")
    add("lines/cut-last.csv", "source,target\n" + rows(people) + "Ann,", error="", then="-")
    add("lines/title.txt", "The edges of my graph\nsource target\n" + rows(small, " "), small, error="columns between", options="--skip 1")
    add("lines/repeated-header.csv", "source,target\n" + rows(small[:4]) + "source,target\n" + rows(small[4:]), small)
    add("lines/repeated-header-names.csv", "source,target\n" + rows(people[:4]) + "source,target\n" + rows(people[4:]), people)
    add("lines/footer.csv", "source,target\n" + rows(small) + "Total,8\n", small, error="`Total`", options="--ids names")
    add("lines/inline-comments.txt", rows(small, " ", lambda i: f" # edge {i}"), small)
    add("lines/comments-in-between.txt", "# Nodes: 6 Edges: 8\n" + rows(small[:4], "\t") + "# the rest\n"
        + rows(small[4:], "\t"), small)
    add("lines/commented-header.csv", "#source,target\n" + rows(people), people)
    add("lines/nul.txt", rows(small, " ").encode() + bytes(64), error="", then="-")
    add("lines/utf-16-without-mark.txt", rows(small, " ").encode("utf-16-le"), error="UTF-16", then="-")
    add("lines/marks-within.csv", b"\xef\xbb\xbfsource,target\n" + rows(small[:4]).encode()
        + b"\xef\xbb\xbf" + rows(small[4:]).encode(), error="feff", then="-")
    add("lines/form-feed.txt", rows(small[:4], " ") + "\f\n" + rows(small[4:], " "), small, error="", then="-")
    add("lines/backslash-quotes.csv", "a,b\n" + "".join(f'"{u} \\"x\\"","{v} \\"x\\""\n' for u, v in people), people,
        error="quote", then="-")
    add("lines/quotes-within.csv", "a,b\n" + rows([(f'{u} "x"', f'{v} "x"') for u, v in people]), people)
    add("lines/open-quote.csv", 'source,target\n"Ann,Bo\nBo,Cy\n', error="quote", then="-")
    add("lines/index-without-header.csv", "".join(f"{i},{u},{v}\n" for i, (u, v) in enumerate(small)), small, options="--columns 2,3")
    add("lines/weight-first.txt", "".join(f"0.{i + 1} {u} {v}\n" for i, (u, v) in enumerate(small)), small,
        error="as the ends of edges do", options="--columns 2,3")
    add("lines/kind-first.txt", "".join(f"e {u} {v}\n" for u, v in small), small, options="--columns 2,3")
    add("lines/words-first.txt", "".join(f"edge from {u} {v}\n" for u, v in people), people, options="--columns 3,4")

    # ---- compression ----
    packed = gzip.compress(rows(karate, " ").encode(), mtime=0)
    add("compressed/gzip.csv", packed, karate)
    add("compressed/plain.txt.gz", rows(karate, " "), karate, error="the extension says gzip", then="-")
    add("compressed/gzip.txt.zst", packed, karate)
    add("compressed/twice.txt.gz", gzip.compress(packed, mtime=0), karate, error="", then="-")
    add("compressed/cut.txt.gz", packed[:-20], error="cut off", then="-")
    add("compressed/two-members.txt.gz", gzip.compress(rows(karate[:30], " ").encode(), mtime=0)
        + gzip.compress(rows(karate[30:], " ").encode(), mtime=0), karate)

    # ---- arrows and print-outs ----
    add("arrows/tight.txt", "".join(f"{u}->{v}\n" for u, v in small), small, error="only one column", then="-")
    add("arrows/tight-names.txt", "".join(f"{u}-->{v}\n" for u, v in people), people, error="", then="-")
    add("arrows/fat.txt", "".join(f"{u} => {v}\n" for u, v in people), people)
    add("arrows/weights.txt", "".join(f"{u} -> {v} 0.5\n" for u, v in small), small)
    add("print/list.py.txt", repr(small) + "\n", error="", then="-")
    add("print/r-matrix.txt", "     [,1] [,2]\n" + "".join(f"[{i + 1},]    {u}    {v}\n" for i, (u, v) in enumerate(one)),
        error="", then="-")
    add("print/pandas.txt", "   source  target\n" + "".join(f"{i}       {u}       {v}\n" for i, (u, v) in enumerate(small)), small)
    add("print/markdown.md.txt", "| source | target |\n| --- | --- |\n" + "".join(f"| {u} | {v} |\n" for u, v in small),
        error="", then="-")
    add("print/mysql.txt", "+---+---+\n| a | b |\n+---+---+\n" + "".join(f"| {u} | {v} |\n" for u, v in small) + "+---+---+\n",
        error="", then="-")
    add("print/psql-unaligned.txt", "a|b\n" + rows(small, "|") + "(8 rows)\n", error="", then="-")
    add("print/insert.txt", "".join(f"INSERT INTO edges VALUES ({u},{v});\n" for u, v in small), error="SQL dump", then="-")

    # ---- databases and tools ----
    add("json/lines.jsonl", "".join(f'{{"source": {u}, "target": {v}}}\n' for u, v in small), small)
    add("json/arrays.txt", "".join(f"[{u}, {v}]\n" for u, v in small), small)
    add("databases/neptune.csv", "~id,~from,~to,~label\n" + "".join(f"e{i},{u},{v},knows\n" for i, (u, v) in enumerate(small)), small)
    add("databases/arango.csv", "_key,_from,_to\n" + "".join(f"{i},p/{u},p/{v}\n" for i, (u, v) in enumerate(people)), people)
    add("databases/n-triples.nt", "".join(f"<http://e/{u}> <http://e/knows> <http://e/{v}> .\n" for u, v in people), error="RDF", then="-")
    add("databases/snowflake.csv", '"SOURCE_ID","TARGET_ID","CREATED_AT"\n'
        + rows(small, ",", lambda i: f",2024-01-0{i + 1} 00:00:00.000 Z"), small)
    for name, head in [("citing", "citing,cited,year"), ("origin", "origin,destination,flights"), ("payer", "payer,payee,amount"),
                       ("parent", "parent,child,order"), ("follower", "follower,followee,since"), ("ij", "i,j,value"),
                       ("node-ab", "node_a,node_b,weight"), ("n1n2", "n1,n2,w"), ("from-node", "from_node,to_node,weight"),
                       ("source-id", "source_id,target_id,kind"), ("start", "start,end,length"), ("head", "head,tail,weight"),
                       ("spaces", "Source Node,Target Node,Weight"), ("upper", "SRC,DST,W")]:
        add(f"headers/{name}.csv", head + "\n" + rows(people, ",", lambda i: f",{i}"), people)
    add("biology/biogrid.txt", "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\tScore\n"
        + "".join(f"{100 + i * 7}\t{u}\t{v}\t-\n" for i, (u, v) in enumerate(one)), small)
    add("biology/mitab.txt", "#ID(s) interactor A\tID(s) interactor B\tMethod\n"
        + rows([(f"uniprotkb:{u}", f"uniprotkb:{v}") for u, v in people], "\t", lambda i: "\tpsi-mi"), people)
    add("networks/caida.txt", "# inferred\n# input clique: 174 209\n" + rows(small, "|", lambda i: f"|{i % 2 - 1}"), small)
    add("networks/clickstream.tsv", rows(people, "\t", lambda i: f"\tlink\t{i + 10}"), people)
    add("networks/graphalytics.e", rows(small, " ", lambda i: f" 0.{i + 1}"), small)
    add("networkrepository/percent.edges", "%MatrixMarket matrix coordinate pattern symmetric \n% 6 6 8 \n"
        + rows([(v, u) for u, v in one], " "), small)
    add("networkrepository/banner.edges", "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 8\n"
        + rows([(v, u) for u, v in one], " "), small)
    add("networkrepository/bip.edges", "% bip unweighted\n" + rows(one, " "), small, error="bipartite",
        options="--columns 1,2")
    add("konect/out.comments-between", "% sym unweighted\n" + rows(one[:4], " ") + "% more\n" + rows(one[4:], " "), small)
    add("igraph/ncol.ncol", rows(people, " ", lambda i: f" {i}.5"), people)
    grouped = {u: [v for w, v in people if w == u] for u in dict.fromkeys(u for u, _ in people)}
    add("igraph/lgl.lgl", "".join(f"# {u}\n" + "".join(f"{v}\n" for v in vs) for u, vs in grouped.items()), error="only one column", then="-")
    add("igraph/lgl-weights.lgl", "".join(f"# {u}\n" + "".join(f"{v} 1.5\n" for v in vs) for u, vs in grouped.items()),
        error="LGL", then="-")
    add("julia/graphs.lg", "6,8,u,small,2,Int64,graph\n" + rows(one), small, error="columns between", options="--skip 1")
    add("formats/pajek.net", '*Vertices 6\n1 "a"\n2 "b"\n*Edges\n' + rows(one, " "), one)
    add("formats/digraph.gv", "digraph G {\n" + "".join(f"  {u} -> {v};\n" for u, v in people) + "}\n", error="DOT", then="-")
    add("formats/strict.dot", "strict graph {\n" + "".join(f"  {u} -- {v}\n" for u, v in people) + "}\n", error="DOT", then="-")
    add("formats/graph.xml", '<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph/></graphml>\n',
        [])
    add("formats/ucinet.dl", "dl n=6 format=edgelist1\nlabels embedded\ndata:\n" + rows(people, " "), error="UCINET", then="-")
    add("formats/guess.gdf", "nodedef>name VARCHAR\nAnn\nBo\nedgedef>node1 VARCHAR,node2 VARCHAR\nAnn,Bo\n", error="GDF", then="-")
    add("formats/leda.lgr", "LEDA.GRAPH\nstring\nvoid\n-2\n6\n|{a}|\n", error="LEDA", then="-")
    add("formats/tulip.tlp", '(tlp "2.3"\n(nodes 0..5)\n(edge 0 0 1)\n)\n', error="Tulip", then="-")
    add("formats/gspan.txt", "t # 0\n" + "".join(f"v {i} {n}\n" for i, n in enumerate(nick))
        + "".join(f"e {u} {v} 1\n" for u, v in small), error="", then="-")
    adjacency = {v: [w for w in range(6) if (v, w) in small or (w, v) in small] for v in range(6)}
    offsets = [sum(len(adjacency[w]) for w in range(v)) for v in range(6)]
    add("formats/ligra.adj", "\n".join(map(str, ["AdjacencyGraph", 6, 16, *offsets, *sum(adjacency.values(), [])])) + "\n",
        error="Ligra", then="-")
    add("formats/pbbs.txt", "EdgeArray\n" + rows(small, " "), small, error="column between", options="--skip 1")

    # ---- Matrix Market ----
    def mtx(kind, body, size="6 6 8"):
        return f"%%MatrixMarket matrix {kind}\n{size}\n{body}"
    lower = [(v, u) for u, v in one]
    add("matrix-market/integer.mtx", mtx("coordinate integer general", rows(one, " ", lambda i: f" {i - 3}")), small)
    add("matrix-market/skew.mtx", mtx("coordinate real skew-symmetric", rows(lower, " ", lambda i: " 1.5")), small)
    add("matrix-market/hermitian.mtx", mtx("coordinate complex hermitian", rows(lower, " ", lambda i: " 1.5 -2")), small)
    add("matrix-market/upper-case.mtx", "%%MATRIXMARKET MATRIX COORDINATE PATTERN SYMMETRIC\n6 6 8\n" + rows(lower, " "), small)
    add("matrix-market/blank-lines.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n%\n\n6 6 8\n\n" + rows(lower, " "), small)
    add("matrix-market/array.mtx", mtx("array real general", "0\n1\n1\n0\n", "2 2"), error="array", then="-")
    add("matrix-market/rectangular.mtx", mtx("coordinate pattern general", "1 2\n3 1\n", "4 3 2"), error="", then="-")
    add("matrix-market/fewer.mtx", mtx("coordinate pattern symmetric", rows(lower[:7], " ")), error="", then="-")
    add("matrix-market/zero-based.mtx", mtx("coordinate pattern symmetric", rows([(v, u) for u, v in small], " ")), error="", then="-")

    # ---- adjacency lists ----
    lists = {u: [v for w, v in people if w == u] for u in nick}
    add("adjacency/names.adjlist", "".join(" ".join([u, *vs]) + "\n" for u, vs in lists.items()), people)
    add("adjacency/repeated.adjlist", "0 1 2\n0 3\n1 2 3\n2 3\n3 4\n4 5\n", small)
    add("adjacency/continued.adjlist", "0 1 \\\n 2 3\n1 2 3\n2 3\n3 4\n4 5\n", small)
    add("adjacency/continued-names.adjlist", "Ann Bo \\\n    Cy Di\nBo Cy Di\nCy Di\nDi Ed\nEd Flo\n", people)
    add("adjacency/indented.adjlist", "0 1 2\n  3\n1 2 3\n2 3\n3 4\n4 5\n", error="begins with a blank", then="-")
    add("adjacency/colons.txt", "0: 1 2 3\n1: 2 3\n2: 3\n3: 4\n4: 5\n", small, error="adjacency", options="--format adjacency")
    add("adjacency/colons-names.adjlist", "Ann: Bo Cy Di\nBo: Cy Di\nCy: Di\nDi: Ed\nEd: Flo\n", people)
    add("adjacency/gephi.csv", "Ann;Bo;Cy;Di\nBo;Cy;Di\nCy;Di\nDi;Ed\nEd;Flo\n", people, error="adjacency", options="--format adjacency")
    add("adjacency/commas.csv", "0,1,2,3\n1,2,3\n2,3\n3,4\n4,5\n", small, error="adjacency", options="--format adjacency")
    multi = "#created\n# GMT\n#\n" + "".join(f"{u} {len(vs)}\n" + "".join(f"{v} {{}}\n" for v in vs)
        for u, vs in [(0, [1, 2, 3]), (1, [2, 3]), (2, [3]), (3, [4]), (4, [5]), (5, [])])
    add("adjacency/multiline.adjlist", multi, error="begins attributes", then="-")
    add("adjacency/multiline.txt", multi, error="bracket", then="-")
