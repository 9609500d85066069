//! Files of formats that are not read: each is told, and gets one message that says how to convert it.
//!
//! First bytes go before the extension. An extension alone tells a format only where the file does not begin
//! with a digit or a comment, as an edge list under a strange name does.

use super::input;
use crate::{Error, Result};

/// A format that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Other {
    /// The kind's name, after "this is".
    what: &'static str,
    /// The kind's extensions, in lower case and without the dot.
    extensions: &'static [&'static str],
    /// How files of the kind begin.
    begins: Begins,
    /// How a file becomes one that is read.
    advice: &'static str,
}

/// How the beginning of a file tells its format.
#[derive(Debug, PartialEq, Eq)]
enum Begins {
    /// With one of these bytes.
    With(&'static [&'static [u8]]),
    /// With these bytes at this place.
    At(usize, &'static [u8]),
    /// With one of these words, in a text, in lower case, after blanks, line ends and a byte order mark.
    /// Where a word ends with a letter, no letter or digit follows.
    Words(&'static [&'static str]),
    /// With a text that begins with the first word and has the second in its first kilobytes, both in lower case.
    Within(&'static [&'static str], &'static str),
    /// With a text that begins with one of these words and has the word `graph`, perhaps a name, and this bracket.
    Graph(&'static [&'static str], char),
    /// With a JSON value.
    Json,
    /// With a JSON object on the first line, and another on the next.
    JsonLines,
    /// With a JSON array.
    JsonArray,
    /// With nothing but what a server answers instead of a file, a status and its words.
    Status,
    /// With a zip archive that names a member with these bytes in its first kilobytes.
    Zip(&'static [u8]),
    /// With bytes that are no text.
    Binary,
}

const XML: &[&str] = &["<?xml", "<!--", "<graphml", "<gexf"];

/// Formats that are told apart in this order.
const OTHERS: &[Other] = &[
    Other {
        what: "a GraphML file",
        extensions: &["graphml"],
        begins: Begins::Within(XML, "<graphml"),
        advice: "convert it with networkx.write_edgelist(networkx.read_graphml(FILE), \"edges.tsv\", \
                 delimiter=\"\\t\", data=False)",
    },
    Other {
        what: "a GEXF file",
        extensions: &["gexf"],
        begins: Begins::Within(XML, "<gexf"),
        advice: "convert it with networkx.write_edgelist(networkx.read_gexf(FILE), \"edges.tsv\", \
                 delimiter=\"\\t\", data=False)",
    },
    Other {
        what: "a web page",
        extensions: &["html", "htm"],
        begins: Begins::Words(&["<!doctype html", "<html"]),
        advice: "what was fetched is a page about the graph or a message of the server; fetch the graph itself",
    },
    Other {
        what: "a message of a server",
        extensions: &[],
        begins: Begins::Status,
        advice: "fetch the graph itself: its address may be wrong, or ask for a login",
    },
    Other {
        what: "an XML file",
        extensions: &["xml"],
        begins: Begins::Words(&["<?xml"]),
        advice: "write its edges as two ids a line",
    },
    Other {
        what: "a GML file",
        extensions: &["gml"],
        begins: Begins::Graph(&["graph", "creator", "comment", "version"], '['),
        advice: "convert it with networkx.write_edgelist(networkx.read_gml(FILE, label=\"id\"), \"edges.txt\", data=False)",
    },
    Other {
        what: "a DOT file",
        extensions: &["dot", "gv"],
        begins: Begins::Graph(&["graph", "digraph", "strict", "/*"], '{'),
        advice: "convert it with Graphviz: `gvpr 'E {printf(\"%s\\t%s\\n\", $.tail.name, $.head.name)}' FILE > edges.tsv`",
    },
    Other {
        what: "a Pajek file",
        extensions: &["net", "paj"],
        begins: Begins::Words(&["*vertices", "*network", "*arcs", "*edges"]),
        advice: "convert it with igraph.Graph.Read_Pajek(FILE).write_edgelist(\"edges.txt\")",
    },
    Other {
        what: "a UCINET DL file",
        extensions: &["dl"],
        begins: Begins::Words(&["dl n", "dl,"]),
        advice: "convert it with igraph.Graph.Read_DL(FILE).write_edgelist(\"edges.txt\")",
    },
    Other {
        what: "a graph6 or sparse6 file",
        extensions: &["g6", "s6", "d6"],
        begins: Begins::With(&[b">>graph6<<", b">>sparse6<<", b">>digraph6<<"]),
        advice: "convert it with networkx.read_graph6 or read_sparse6, and networkx.write_edgelist(…, data=False)",
    },
    Other {
        what: "a LEDA file",
        extensions: &["gw", "lgr", "leda"],
        begins: Begins::With(&[b"LEDA.GRAPH"]),
        advice: "convert it with networkx.write_edgelist(networkx.read_leda(FILE), \"edges.tsv\", \
                 delimiter=\"\\t\", data=False)",
    },
    Other {
        what: "a GDF file",
        extensions: &["gdf"],
        begins: Begins::Words(&["nodedef>"]),
        advice: "leave the lines up to `edgedef>` out: what follows are edges, a line each",
    },
    Other {
        what: "a Tulip file",
        extensions: &["tlp"],
        begins: Begins::Words(&["(tlp"]),
        advice: "write its edges as CSV, with Tulip's export",
    },
    Other {
        what: "a SQL dump",
        extensions: &["sql"],
        begins: Begins::Words(&[
            "insert into",
            "create table",
            "-- mysql dump",
            "--\n-- postgresql",
        ]),
        advice: "load it into a database, and export the table of edges as CSV",
    },
    Other {
        what: "an AdjacencyGraph of Ligra or GBBS",
        extensions: &[],
        begins: Begins::With(&[b"AdjacencyGraph", b"WeightedAdjacencyGraph"]),
        advice: "write the pairs of its rows as two ids a line, or as a matrix with scipy.sparse.save_npz",
    },
    Other {
        what: "a JSON Lines file",
        extensions: &["jsonl", "ndjson"],
        begins: Begins::JsonLines,
        advice: "convert it with jq, for example `jq -r '[.source, .target] | @csv' FILE > edges.csv` where the two ends \
                 are called so",
    },
    Other {
        what: "a JSON array",
        extensions: &[],
        begins: Begins::JsonArray,
        advice: "convert it with jq, for example `jq -r '.[] | [.[]] | .[:2] | @csv' FILE > edges.csv` where the two ends \
                 of each edge come first",
    },
    Other {
        what: "a JSON file",
        extensions: &["json"],
        begins: Begins::Json,
        advice: "convert it with jq, for example `jq -r '(.links // .edges)[] | [.source, .target] | @csv' FILE > \
                 edges.csv` for what NetworkX and D3 write",
    },
    Other {
        what: "a file of RDF triples",
        extensions: &["nt", "nq", "ttl", "rdf", "owl"],
        begins: Begins::Words(&["@prefix", "<http"]),
        advice: "write the subject and the object of each triple as the two columns of a table",
    },
    Other {
        what: "a file that PyTorch saved",
        extensions: &["pt", "pth"],
        begins: Begins::Zip(b"data.pkl"),
        advice: "load it with torch.load(FILE, weights_only=False) if you trust it, which runs what is in it, and save its \
                 edges with numpy.save(\"edges.npy\", data.edge_index.numpy()); a .npy of shape (2, m) is read",
    },
    Other {
        what: "a file that PyTorch saved",
        extensions: &[],
        begins: Begins::With(&[b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20"]),
        advice: "load it with torch.load(FILE, weights_only=False) if you trust it, which runs what is in it, and save its \
                 edges with numpy.save(\"edges.npy\", data.edge_index.numpy()); a .npy of shape (2, m) is read",
    },
    Other {
        what: "a Python pickle",
        extensions: &["pkl", "pickle", "gpickle"],
        begins: Begins::With(&[b"\x80\x02", b"\x80\x03", b"\x80\x04\x95", b"\x80\x05\x95"]),
        advice: "load it with pickle.load(open(FILE, \"rb\")) if you trust it, which runs what is in it, and write its edges: a \
                 graph of NetworkX has networkx.write_edgelist(graph, \"edges.tsv\", delimiter=\"\\t\", data=False), one of \
                 igraph graph.write_edgelist(\"edges.txt\")",
    },
    Other {
        what: "an Excel workbook",
        extensions: &["xlsx", "xlsm"],
        begins: Begins::Zip(b"[Content_Types].xml"),
        advice: "save the sheet of edges as CSV, or convert it with pandas.read_excel(FILE).to_csv(\"edges.csv\", \
                 index=False)",
    },
    Other {
        what: "an old Excel workbook",
        extensions: &["xls"],
        begins: Begins::With(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]),
        advice: "save the sheet of edges as CSV",
    },
    Other {
        what: "a MATLAB file of version 7.3",
        extensions: &[],
        begins: Begins::With(&[b"MATLAB 7.3 MAT-file"]),
        advice: "fetch the Matrix Market version where there is one, or write one with mmwrite",
    },
    Other {
        what: "a MATLAB file",
        extensions: &["mat"],
        begins: Begins::With(&[b"MATLAB 5.0 MAT-file"]),
        advice: "fetch the Matrix Market version where there is one, or convert it with \
                 scipy.sparse.save_npz(\"graph.npz\", scipy.io.loadmat(FILE)[\"Problem\"][\"A\"][0, 0].tocsr())",
    },
    Other {
        what: "an HDF5 file",
        extensions: &["h5", "hdf5", "h5ad"],
        begins: Begins::With(&[b"\x89HDF\r\n\x1a\n"]),
        advice: "convert its edges with h5py and numpy.save, as an integer array of shape (m, 2) or (2, m)",
    },
    Other {
        what: "a Feather file of version 1",
        extensions: &[],
        begins: Begins::With(&[b"FEA1"]),
        advice: "write it again with pandas.read_feather(FILE).to_feather(FILE), which writes version 2",
    },
    Other {
        what: "an ORC file",
        extensions: &["orc"],
        begins: Begins::With(&[b"ORC"]),
        advice: "convert it with pandas.read_orc(FILE).to_parquet(\"edges.parquet\")",
    },
    Other {
        what: "an Avro file",
        extensions: &["avro"],
        begins: Begins::With(&[b"Obj\x01"]),
        advice: "convert it with polars.read_avro(FILE).write_parquet(\"edges.parquet\")",
    },
    Other {
        what: "a SQLite database",
        extensions: &["sqlite", "sqlite3", "db"],
        begins: Begins::With(&[b"SQLite format 3\0"]),
        advice: "export the table of edges, for example `sqlite3 -csv FILE \"select source, target from edges\" > \
                 edges.csv`",
    },
    Other {
        what: "a DuckDB database",
        extensions: &["duckdb", "ddb"],
        begins: Begins::At(8, b"DUCK"),
        advice: "export the table of edges, for example `duckdb FILE \"copy edges to 'edges.parquet'\"`",
    },
    Other {
        what: "data that R saved",
        extensions: &["rdata", "rda", "rds"],
        begins: Begins::With(&[b"RDX2\n", b"RDX3\n", b"X\n\0\0\0"]),
        advice: "write the edges in R with write.csv(igraph::as_data_frame(g), \"edges.csv\", row.names = FALSE)",
    },
    Other {
        what: "the properties of a WebGraph graph",
        extensions: &["properties"],
        begins: Begins::Words(&["#bvgraph", "#efgraph"]),
        advice: "write the graph itself with `java it.unimi.dsi.webgraph.ArcListASCIIGraph NAME edges.txt`",
    },
    Other {
        what: "a 7z archive",
        extensions: &["7z"],
        begins: Begins::With(&[b"7z\xbc\xaf\x27\x1c"]),
        advice: "extract the graph first",
    },
    Other {
        what: "a RAR archive",
        extensions: &["rar"],
        begins: Begins::With(&[b"Rar!\x1a\x07"]),
        advice: "extract the graph first",
    },
    Other {
        what: "data compressed twice",
        extensions: &[],
        begins: Begins::With(&[b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh91AY&SY"]),
        advice: "decompress it once, for example with `gzip -dc FILE > once.gz`, and read what comes out",
    },
    Other {
        what: "data compressed with lzma",
        extensions: &["lzma"],
        begins: Begins::With(&[b"\x5d\0\0"]),
        advice: "decompress it first, for example with `xz -d FILE`",
    },
    Other {
        what: "data compressed with lz4",
        extensions: &["lz4"],
        begins: Begins::With(&[b"\x04\x22\x4d\x18"]),
        advice: "decompress it first, for example with `lz4 -d FILE`",
    },
    Other {
        what: "data compressed with lzip",
        extensions: &["lz"],
        begins: Begins::With(&[b"LZIP"]),
        advice: "decompress it first, for example with `lzip -d FILE`",
    },
    Other {
        what: "data compressed with compress",
        extensions: &["z"],
        begins: Begins::With(&[b"\x1f\x9d"]),
        advice: "decompress it first, for example with `gzip -d FILE`",
    },
    Other {
        what: "the stand-in that Git leaves for a large file",
        extensions: &[],
        begins: Begins::With(&[b"version https://git-lfs"]),
        advice: "fetch the file itself with `git lfs pull`",
    },
    Other {
        what: "a PDF document",
        extensions: &["pdf"],
        begins: Begins::With(&[b"%PDF-"]),
        advice: "fetch the graph itself",
    },
];

/// WebGraph's extension is METIS's too.
pub(super) const WEBGRAPH: Other = Other {
    what: "no METIS text: it holds binary data, as the .graph files of WebGraph do",
    extensions: &[],
    begins: Begins::Binary,
    advice: "write a WebGraph graph as an edge list with `java it.unimi.dsi.webgraph.ArcListASCIIGraph NAME \
             edges.txt`, NAME without `.graph`",
};

/// Galois's extension is that of DIMACS too.
pub(super) const GALOIS: Other = Other {
    what: "no DIMACS text: it holds binary data, as the .gr files of Galois do",
    extensions: &[],
    begins: Begins::Binary,
    advice: "write it as an edge list with Galois's `graph-convert --gr2edgelist`",
};

/// Bytes from the front that are looked at.
pub(super) const LOOKED_AT: usize = 1 << 12;

/// Refuses a file of a format that is not read, by the first of its decompressed bytes, and by the extension if
/// `by_name` says so.
pub(super) fn refuse(name: &str, head: &[u8], by_name: bool) -> Result<()> {
    recognise(name, head, by_name).map_or(Ok(()), |other| Err(other.error(name)))
}

/// Refuses a file of binary data, which is no text of a format that another one shares its extension with.
pub(super) fn refuse_binary(name: &str, head: &[u8], other: &Other) -> Result<()> {
    refuse(name, head, false)?;
    let is_binary = Begins::Binary.tells(&head[..head.len().min(LOOKED_AT)]);
    if is_binary { Err(other.error(name)) } else { Ok(()) }
}

fn recognise(name: &str, head: &[u8], by_name: bool) -> Option<&'static Other> {
    let head = &head[..head.len().min(LOOKED_AT)];
    let by_bytes = OTHERS.iter().find(|other| other.begins.tells(head));
    if by_bytes.is_some() || !by_name {
        return by_bytes;
    }
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let is_listed = |other: &&Other| other.extensions.contains(&extension.as_str());
    OTHERS.iter().find(is_listed).filter(|_| !is_plain(head))
}

/// Whether a text begins as a list of edges does, with a digit or a comment, or is empty.
pub(super) fn is_plain(head: &[u8]) -> bool {
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_none_or(|first| first.is_ascii_digit() || b"#%".contains(first))
}

impl Other {
    /// What to say of such a file.
    pub(super) fn error(&self, name: &str) -> Error {
        input::error(name, format!("this is {}, which is not read: {}", self.what, self.advice))
    }
}

impl Begins {
    fn tells(&self, head: &[u8]) -> bool {
        match self {
            Begins::With(beginnings) => beginnings.iter().any(|bytes| head.starts_with(bytes)),
            Begins::At(at, bytes) => head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)),
            Begins::Words(words) => {
                let text = text(head);
                words.iter().any(|word| begins_with(&text, word))
            }
            Begins::Within(words, word) => {
                let text = text(head);
                words.iter().any(|word| begins_with(&text, word)) && text.contains(word)
            }
            Begins::Graph(words, bracket) => {
                let text = text(head);
                words.iter().any(|word| begins_with(&text, word)) && has_graph(&text, *bracket)
            }
            Begins::Json => is_json(text(head).as_bytes()),
            Begins::JsonLines => are_json_lines(&text(head)),
            Begins::JsonArray => {
                let text = text(head);
                text.starts_with('[') && is_json(text.as_bytes())
            }
            Begins::Status => is_status(&text(head)),
            Begins::Zip(member) => {
                head.starts_with(b"PK\x03\x04")
                    && head.windows(member.len()).any(|window| window == *member)
            }
            Begins::Binary => head.iter().any(|&byte| byte < b'\t' || byte == 0x7f),
        }
    }
}

/// The beginning of a text in lower case, without what stands before its first word.
fn text(head: &[u8]) -> String {
    let head = head[input::text_start(head)..].trim_ascii_start();
    String::from_utf8_lossy(head).to_ascii_lowercase()
}

fn begins_with(text: &str, word: &str) -> bool {
    let next = text.strip_prefix(word).map(|rest| rest.chars().next());
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    match next {
        None => false,
        Some(next) => !(word.ends_with(in_word) && next.is_some_and(in_word)),
    }
}

/// Whether `graph` stands in a text with this bracket behind it. GML has nothing between them, DOT a name.
fn has_graph(text: &str, bracket: char) -> bool {
    text.split("graph").skip(1).any(|rest| {
        let line = rest.split(['\n', ';', ']', '}']).next().unwrap_or_default();
        let named = bracket == '{' && line.contains(bracket);
        named || rest.trim_start().starts_with(bracket)
    })
}

/// Whether a text is what a server answers instead of a file: `404: Not Found`, `403 Forbidden`.
fn is_status(text: &str) -> bool {
    const WORDS: [&str; 11] = [
        "bad gateway",
        "bad request",
        "file not found",
        "forbidden",
        "gateway timeout",
        "internal server error",
        "invalid request",
        "not found",
        "page not found",
        "service unavailable",
        "too many requests",
    ];
    let text = text.trim_end();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (status, words) = text.split_at(digits);
    let is_status = digits == 3 && matches!(status.as_bytes()[0], b'4' | b'5');
    is_status && WORDS.contains(&words.trim_start_matches(':').trim_start())
}

/// Whether a text begins as a JSON object does, or as an array of objects, arrays, texts or numbers.
fn is_json(text: &[u8]) -> bool {
    let rest = |text: &[u8]| text.get(1..).unwrap_or_default().trim_ascii_start().first().copied();
    match text.first() {
        Some(b'{') => matches!(rest(text), Some(b'"' | b'}')),
        Some(b'[') => matches!(rest(text), Some(b'{' | b'[' | b'"' | b']' | b'0'..=b'9')),
        _ => false,
    }
}

/// Whether a text begins with two lines, each a JSON object.
fn are_json_lines(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_object = |line: &str| is_json(line.as_bytes()) && line.starts_with('{');
    lines.next().is_some_and(|line| is_object(line) && line.ends_with('}'))
        && lines.next().is_some_and(is_object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, head: &[u8]) -> Option<&'static str> {
        let (format, _) = crate::format::tell(name, head, None);
        let refused = crate::format::reader(format).refuse_others(name, head).err()?.to_string();
        let is_told = |what: &&str| refused.contains(&format!(": this is {what}, which"));
        let mut others = OTHERS.iter().chain([&WEBGRAPH, &GALOIS]).map(|other| other.what);
        Some(others.find(is_told).expect("one of them"))
    }

    #[test]
    fn formats_that_are_not_read_are_told() {
        for (name, head, what) in [
            ("a.graphml", &b"<?xml version='1.0'?>\n<graphml xmlns=\"x\">"[..], "a GraphML file"),
            ("a", b"\xef\xbb\xbf<graphml>", "a GraphML file"),
            ("a.xml", b"<?xml version='1.0'?>\n<gexf>", "a GEXF file"),
            ("a.xml", b"<?xml version='1.0'?>\n<osm>", "an XML file"),
            ("a.txt", b"404: Not Found", "a message of a server"),
            ("a.csv", b"403 Forbidden\r\n", "a message of a server"),
            ("a.txt", b"<!DOCTYPE html>\n<title>404", "a web page"),
            ("a.txt", b"graph [\n  node [\n", "a GML file"),
            ("a.txt", b"Creator \"x\"\ngraph\n[\n  directed 0", "a GML file"),
            ("a.gml", b"graph\n", "a GML file"),
            ("a", b"strict graph {\n a -- b;\n}", "a DOT file"),
            ("a", b"digraph \"my graph\" {\n a -> b;\n}", "a DOT file"),
            ("a.txt", b"*Vertices 3\n1 \"a\"\n", "a Pajek file"),
            ("a.json", b"{\"nodes\": []}", "a JSON file"),
            ("a.gz", b"\x1f\x8b\x08\0", "data compressed twice"),
            ("a.txt.lzma", b"\x5d\0\0\x80\0\xff", "data compressed with lzma"),
            ("a.json", b"{\n \"nodes\": [\n  {\"id\": 1},\n  {\"id\": 2}\n ]}", "a JSON file"),
            ("a", b"[[0, 1], [1, 2]]", "a JSON array"),
            ("a.json", b"[\n  {\"source\": 1, \"target\": 2},\n", "a JSON array"),
            ("a.json", b"{\"source\": 1, \"target\": 2}\n{\"source\": 2,", "a JSON Lines file"),
            ("a.jsonl", b"a", "a JSON Lines file"),
            ("a.txt", b"dl n=3 format=edgelist1", "a UCINET DL file"),
            ("a.txt", b"nodedef>name VARCHAR\n", "a GDF file"),
            ("a.txt", b"(tlp \"2.3\"\n", "a Tulip file"),
            ("a.txt", b"INSERT INTO edges VALUES (0, 1);\n", "a SQL dump"),
            ("a.pt", b"PK\x03\x04xxxxxxxxxarchive/data.pkl", "a file that PyTorch saved"),
            ("a", b"\x80\x04\x95\x10\0\0", "a Python pickle"),
            ("a.bin.xlsx", b"PK\x03\x04xxxx[Content_Types].xml", "an Excel workbook"),
            ("a.mat", b"MATLAB 5.0 MAT-file, ", "a MATLAB file"),
            ("a", b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
            ("a.feather", b"FEA1\0\0", "a Feather file of version 1"),
            ("a", b"12345678DUCK", "a DuckDB database"),
            ("a.nt", b"<http://a> <http://b> <http://c> .", "a file of RDF triples"),
            ("a.graph", b"\x01\x99\xf0", WEBGRAPH.what),
            ("a.properties", b"#BVGraph properties\n", "the properties of a WebGraph graph"),
        ] {
            assert_eq!(told(name, head), Some(what), "{name}");
        }
    }

    #[test]
    fn what_is_read_is_not_told_as_something_else() {
        for (name, head) in [
            ("a.txt", &b"0 1\n"[..]),
            ("a.net", b"0 1\n1 2\n"),
            ("a.json", b"# really an edge list\n0 1\n"),
            ("a.bin", b"\x89HDF\r\n\x1a\n"),
            ("a.csv", b"graph,vertex\ngraph,edge\n"),
            ("a.csv", b"graphs vertex\n{ [\n"),
            ("a.csv", b"[unused],x\n"),
            ("a.graph", b"% \xc3\xa4\n3 2\n2 3\n1\n1\n"),
            ("a.npz", b"PK\x03\x04xxxxindices.npy"),
            ("a", b""),
        ] {
            assert_eq!(told(name, head), None, "{name}");
        }
    }

    #[test]
    fn the_message_says_how_to_convert() {
        let other = recognise("a.orc", b"ORC\x0a", true).unwrap();
        assert_eq!(
            other.error("a.orc").to_string(),
            "a.orc: this is an ORC file, which is not read: convert it with \
             pandas.read_orc(FILE).to_parquet(\"edges.parquet\")"
        );
    }
}
