//! Files of formats that are not read: each is told, and gets one message that says what to do.
//!
//! First bytes go before the extension. An extension alone tells a format only where the file does not begin
//! with a digit below its comments, as an edge list under a strange name does.

use super::compression::Compression;
use super::input;
use crate::{Error, Result};

/// A format that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnreadFormat {
    /// The format's extensions, in lower case and with blanks between them.
    extensions: &'static str,
    begins: Begins,
    /// The kind's name, after "this is".
    what: &'static str,
    /// What to do.
    advice: &'static str,
}

/// How the beginning of a file tells its format.
#[derive(Debug, PartialEq, Eq)]
enum Begins {
    /// The file begins with one of these bytes.
    With(&'static [&'static [u8]]),
    /// The file has these bytes at this place.
    At(usize, &'static [u8]),
    /// The file is a text and begins with one of these words, in lower case, after blanks, line ends and a byte order mark.
    /// Where a word ends with a letter, no letter or digit follows.
    Words(&'static [&'static str]),
    /// The file is XML that has this word in its first kilobytes.
    Xml(&'static str),
    /// The file begins with one of these words, and has the word `graph` with this bracket behind it.
    Graph(&'static [&'static str], char),
    /// The file is a zip archive that names a member with these bytes in its first kilobytes.
    Zip(&'static [u8]),
    /// The file has the extension, and is no text.
    Binary,
}

use Begins::{At, Binary, Graph, With, Words, Xml, Zip};

const fn other(
    extensions: &'static str,
    begins: Begins,
    what: &'static str,
    advice: &'static str,
) -> UnreadFormat {
    UnreadFormat { extensions, begins, what, advice }
}

const XML: &[&str] = &["<?xml", "<!--", "<graphml", "<gexf"];

const SQL: &[&str] = &["insert into", "create table", "-- mysql dump", "--\n-- postgresql"];

/// What servers answer instead of a file.
const ANSWERS: &[&str] = &[
    "400: bad request",
    "400 bad request",
    "403: forbidden",
    "403 forbidden",
    "404: not found",
    "404 not found",
    "404 page not found",
    "500 internal server error",
    "502 bad gateway",
    "503 service unavailable",
];

const TORCH: &str = "save its edges with numpy.save(\"edges.npy\", data.edge_index.numpy())";

const PICKLE: &[&[u8]] = &[b"\x80\x02", b"\x80\x03", b"\x80\x04\x95", b"\x80\x05\x95"];

const COMPRESSED: &[&[u8]] = &[b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh91AY&SY"];

/// Formats that are told apart in this order.
const OTHERS: &[UnreadFormat] = &[
    other("gexf", Xml("<gexf"), "a GEXF file", "write it as GraphML, with Gephi or NetworkX"),
    other("html htm", Words(&["<!doctype html", "<html"]), "a web page", "fetch the graph itself"),
    other(
        "",
        Words(ANSWERS),
        "a message of a server",
        "its address may be wrong, or ask for a login",
    ),
    other("xml", Words(&["<?xml"]), "an XML file", "write its edges as two ids a line"),
    other("dot gv", Graph(DOT, '{'), "a DOT file", "write it as GML with Graphviz: `gv2gml FILE`"),
    other("dl", Words(DL), "a UCINET DL file", "write it as Pajek, with UCINET"),
    other("g6 s6 d6", With(GRAPH6), "a graph6 or sparse6 file", "write it as GML, with NetworkX"),
    other("gw lgr leda", With(&[b"LEDA.GRAPH"]), "a LEDA file", "write it as GML, with NetworkX"),
    other("lgf", Words(LEMON), "a LEMON graph", "its lines below `@arcs` are edges"),
    other("gdf", Words(&["nodedef>"]), "a GDF file", "its lines below `edgedef>` are edges"),
    other("tlp", Words(&["(tlp"]), "a Tulip file", "write it as GML, with Tulip"),
    other("sql", Words(SQL), "a SQL dump", "load it, and export the table of edges as CSV"),
    other("", With(LIGRA), "an AdjacencyGraph of Ligra or GBBS", "write its pairs of ids"),
    other("nt nq ttl rdf owl", Words(&["@prefix", "<http"]), "a file of RDF triples", TRIPLES),
    other("pt pth", Zip(b"data.pkl"), "a file that PyTorch saved", TORCH),
    other("", With(&[OLD_TORCH]), "a file that PyTorch saved", TORCH),
    other("pkl pickle gpickle", With(PICKLE), "a Python pickle", "write its edges with Python"),
    other("xlsx xlsm", Zip(b"[Content_Types].xml"), "an Excel workbook", SHEET),
    other("xls", With(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]), "an old Excel workbook", SHEET),
    other("", With(&[b"MATLAB 7.3 MAT-file"]), "a MATLAB file of version 7.3", MATRIX),
    other("mat", With(&[b"MATLAB 5.0 MAT-file"]), "a MATLAB file", MATRIX),
    other("h5 hdf5 h5ad", With(&[b"\x89HDF\r\n\x1a\n"]), "an HDF5 file", "save its edges as .npy"),
    other("", With(&[b"FEA1"]), "a Feather file of version 1", "write it again, as version 2"),
    other("dta", With(&[b"<stata_dta>"]), "a Stata file", "write its edges as CSV"),
    other("sav zsav", With(&[b"$FL2", b"$FL3"]), "an SPSS file", "write its edges as CSV"),
    other("orc", With(&[b"ORC"]), "an ORC file", "write it as Parquet, with pandas.read_orc"),
    other("avro", With(&[b"Obj\x01"]), "an Avro file", "write it as Parquet, with Polars"),
    other("sqlite sqlite3 db", With(&[b"SQLite format 3\0"]), "a SQLite database", EXPORT),
    other("duckdb ddb", At(8, b"DUCK"), "a DuckDB database", EXPORT),
    other("rdata rda rds", With(R), "data that R saved", "write the edges in R, with write.csv"),
    other("properties", Words(&["#bvgraph", "#efgraph"]), "the properties of WebGraph", WEB),
    other("7z", With(&[b"7z\xbc\xaf\x27\x1c"]), "a 7z archive", "extract the graph first"),
    other("rar", With(&[b"Rar!\x1a\x07"]), "a RAR archive", "extract the graph first"),
    other("", With(COMPRESSED), "data compressed twice", "decompress it once, with `gzip -dc`"),
    other("lzma", With(&[b"\x5d\0\0"]), "data compressed with lzma", "decompress it: `xz -d`"),
    other("lz4", With(&[b"\x04\x22M\x18"]), "data compressed with lz4", "decompress it: `lz4 -d`"),
    other("lz", With(&[b"LZIP"]), "data compressed with lzip", "decompress it: `lzip -d`"),
    other("lzo", With(&[b"\x89LZO\0"]), "data compressed with lzop", "decompress it: `lzop -d`"),
    other("z", With(&[b"\x1f\x9d"]), "data compressed with compress", "decompress it: `gzip -d`"),
    other("", With(&[b"version https://git-lfs"]), "a stand-in of Git", "fetch it: `git lfs pull`"),
    other("pdf", With(&[b"%PDF-"]), "a PDF document", "fetch the graph itself"),
    other("br", Binary, "data compressed with Brotli", "decompress it: `brotli -d`"),
    // The extensions are METIS's and those of DIMACS, too.
    other("graph", Binary, "binary data, as .graph files of WebGraph are", WEB),
    other("gr", Binary, "binary data, as .gr files of Galois are", GALOIS),
];

const DOT: &[&str] = &["graph", "digraph", "strict", "/*"];
const DL: &[&str] = &["dl n", "dl,", "dl\n", "dl\r"];
const LEMON: &[&str] = &["@nodes", "@arcs", "@edges"];
const GRAPH6: &[&[u8]] = &[b">>graph6<<", b">>sparse6<<", b">>digraph6<<"];
const LIGRA: &[&[u8]] = &[b"AdjacencyGraph", b"WeightedAdjacencyGraph"];
const TRIPLES: &str = "write subject and object of each triple as the two columns of a table";
const OLD_TORCH: &[u8] = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20";
const SHEET: &str = "save the sheet of edges as CSV";
const MATRIX: &str = "write the matrix as Matrix Market, with mmwrite or SciPy";
const EXPORT: &str = "export the table of edges as CSV or Parquet";
const R: &[&[u8]] = &[b"RDX2\n", b"RDX3\n", b"X\n\0\0\0"];
const GALOIS: &str = "write it as an edge list with Galois's `graph-convert --gr2edgelist`";
const WEB: &str =
    "write it as an edge list, with `java it.unimi.dsi.webgraph.ArcListASCIIGraph NAME edges.txt`";

/// Bytes from the front that are looked at.
pub(super) const LOOKED_AT: usize = 1 << 12;

/// Refuses a file of a format that is not read, by the first of its decompressed bytes, and by the extension if
/// `by_name` says so.
pub(super) fn refuse(name: &str, head: &[u8], by_name: bool) -> Result<()> {
    recognise(name, head, by_name).map_or(Ok(()), |other| Err(other.error(name)))
}

fn recognise(name: &str, head: &[u8], by_name: bool) -> Option<&'static UnreadFormat> {
    let head = &head[..head.len().min(LOOKED_AT)];
    let (name, _) = Compression::of_name(name);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let has_extension = |other: &&UnreadFormat| {
        let mut known = other.extensions.split(' ');
        extension.as_deref().is_some_and(|extension| known.any(|known| known == extension))
    };
    let tells = |other: &&UnreadFormat| {
        other.begins.tells(head) && (other.begins != Binary || has_extension(other))
    };
    let by_bytes = OTHERS.iter().find(tells);
    let by_extension = || OTHERS.iter().find(has_extension).filter(|_| by_name && !is_list(head));
    by_bytes.or_else(by_extension)
}

/// Whether a text begins as a list of edges does, below its comments: with a digit.
pub(super) fn is_list(head: &[u8]) -> bool {
    let mut firsts = input::lines_from(head, 0).filter_map(|(_, line)| line.first());
    firsts.find(|first| !b"#%".contains(first)).is_some_and(u8::is_ascii_digit)
}

impl UnreadFormat {
    /// The error for a file of this format.
    pub(super) fn error(&self, name: &str) -> Error {
        input::error(name, format!("this is {}, which is not read: {}", self.what, self.advice))
    }
}

impl Begins {
    fn tells(&self, head: &[u8]) -> bool {
        match self {
            With(beginnings) => beginnings.iter().any(|bytes| head.starts_with(bytes)),
            At(at, bytes) => head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)),
            Words(words) => begins_with_any(head, words),
            Xml(word) => is_xml(head, word),
            Graph(words, bracket) => is_graph(head, words, *bracket),
            Binary => head.iter().any(|&byte| byte < b'\t' || byte == 0x7f),
            Zip(member) => {
                head.starts_with(b"PK\x03\x04")
                    && head.windows(member.len()).any(|window| window == *member)
            }
        }
    }
}

/// The beginning of a text in lower case, without what stands before its first word.
fn text(head: &[u8]) -> String {
    let head = &head[..head.len().min(LOOKED_AT)];
    let head = head[input::text_start(head)..].trim_ascii_start();
    String::from_utf8_lossy(head).to_ascii_lowercase()
}

/// Whether a text begins with one of some words in lower case. Where a word ends with a letter, no letter or digit follows.
pub(super) fn begins_with_any(head: &[u8], words: &[&str]) -> bool {
    let text = text(head);
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    words.iter().any(|word| match text.strip_prefix(word) {
        None => false,
        Some(rest) => !(word.ends_with(in_word) && rest.starts_with(in_word)),
    })
}

/// Whether a text is XML that has a word in lower case in its first kilobytes.
fn is_xml(head: &[u8], word: &str) -> bool {
    begins_with_any(head, XML) && text(head).contains(word)
}

/// Whether a text begins as GraphML does, whose names may have a prefix.
pub(super) fn is_graphml(head: &[u8]) -> bool {
    is_xml(head, "graphml")
}

/// Whether a text begins with one of some words, and `graph` stands in it with this bracket behind it. GML has nothing
/// between them, DOT a name.
pub(super) fn is_graph(head: &[u8], words: &[&str], bracket: char) -> bool {
    begins_with_any(head, words)
        && text(head).split("graph").skip(1).any(|rest| {
            let line = rest.split(['\n', ';', ']', '}']).next().unwrap_or_default();
            let named = bracket == '{' && line.contains(bracket);
            named || rest.trim_start().starts_with(bracket)
        })
}

/// Whether a text begins as a JSON object does, or as an array of objects, arrays, texts or numbers.
pub(super) fn is_json(head: &[u8]) -> bool {
    let text = text(head);
    let rest = text.get(1..).unwrap_or_default().trim_start().bytes().next();
    match text.bytes().next() {
        Some(b'{') => matches!(rest, Some(b'"' | b'}')),
        Some(b'[') => matches!(rest, Some(b'{' | b'[' | b'"' | b']' | b'0'..=b'9')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, head: &[u8]) -> Option<&'static str> {
        let (format, _) = crate::format::tell(name, head, None);
        let refused = crate::format::reader(format).refuse_others(name, head).err()?.to_string();
        let is_told = |what: &&str| refused.contains(&format!(": this is {what}, which"));
        Some(OTHERS.iter().map(|other| other.what).find(is_told).expect("one of them"))
    }

    #[test]
    fn formats_that_are_not_read_are_told() {
        for (name, head, what) in [
            ("a.xml", &b"<?xml version='1.0'?>\n<gexf>"[..], "a GEXF file"),
            ("a.xml", b"<?xml version='1.0'?>\n<osm>", "an XML file"),
            ("a.txt", b"404: Not Found", "a message of a server"),
            ("a.csv", b"403 Forbidden\r\n", "a message of a server"),
            ("a.csv", b"404 page not found\n", "a message of a server"),
            ("a.txt", b"400: Bad Request", "a message of a server"),
            ("a.txt", b"<!DOCTYPE html>\n<title>404", "a web page"),
            ("a", b"strict graph {\n a -- b;\n}", "a DOT file"),
            ("a", b"digraph \"my graph\" {\n a -> b;\n}", "a DOT file"),
            ("a.gz", b"\x1f\x8b\x08\0", "data compressed twice"),
            ("a.txt.lzma", b"\x5d\0\0\x80\0\xff", "data compressed with lzma"),
            ("a.txt", b"dl n=3 format=edgelist1", "a UCINET DL file"),
            ("a.txt", b"DL\r\nN=3\r\n", "a UCINET DL file"),
            ("a.txt", b"@nodes\nlabel\n0\n@arcs\n", "a LEMON graph"),
            ("a.dta", b"<stata_dta><header>", "a Stata file"),
            ("a.sav", b"$FL2@(#) SPSS DATA FILE", "an SPSS file"),
            ("a.txt", b"\x89LZO\0\r\n\x1a\n", "data compressed with lzop"),
            ("a.csv.br", b"\x1b\x05\0\xf8", "data compressed with Brotli"),
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
            ("a.graph", b"\x01\x99\xf0", "binary data, as .graph files of WebGraph are"),
            ("a.gr.gz", b"\x01\0\0", "binary data, as .gr files of Galois are"),
            ("a.properties", b"#BVGraph properties\n", "the properties of WebGraph"),
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
    fn the_message_says_what_to_do() {
        let other = recognise("a.orc", b"ORC\x0a", true).unwrap();
        assert_eq!(
            other.error("a.orc").to_string(),
            "a.orc: this is an ORC file, which is not read: write it as Parquet, with \
             pandas.read_orc"
        );
    }
}
