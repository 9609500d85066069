//! Formats: what each reader implements, the list of all, and how a file's format is told.

use super::compression::Compression;
use super::input::{self, Fault};
use super::inspect::Foretold;
use super::open_file::OpenFile;
use super::{IdKind, Options, recognise, weights};
use super::{adjacency, dimacs, gml, matrix_market, metis, npy, pairs, pajek, sg, table};
use crate::graph::{EdgeSink, Visited};
use crate::{Error, Graph, Message, Result, features};
pub use tribin_base::file_format::Format;

/// A format: how its files are told and read. Its own module implements it, and [`READERS`] has it.
pub(super) trait Reader: Sync {
    /// The facts of the format that are known before a file is looked at.
    fn about(&self) -> About;

    /// Whether a file is of this format because of its first bytes, decompressed. `named` is the format that its
    /// extension says.
    fn begins(&self, _head: &[u8], _named: Option<Format>) -> bool {
        false
    }

    /// Whether a file that begins so is none of this format, although its extension says so.
    fn denies(&self, _head: &[u8]) -> bool {
        false
    }

    /// Refuses a file that begins as those of a format do that is not read.
    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        recognise::refuse(name, content, false)
    }

    /// How large the graph of a file is, as its beginning says; `None` where that says nothing.
    fn sizes(&self, _beginning: &OpenFile) -> Result<Option<Foretold>> {
        Ok(None)
    }

    /// Whether all of a file that begins so has to be in memory, and nothing else can be parsed or visited.
    fn needs_all(&self, _beginning: &OpenFile) -> bool {
        true
    }

    /// The graph of a content.
    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault>;

    /// Hands the entries of a file to a sink in blocks of about as many bytes as its chunks have. `None` where all
    /// of it has to be in memory: they are those of [`parse`](Self::parse) then.
    fn visit(&self, _: &OpenFile, _: &dyn EdgeSink) -> Result<Option<Visited>, Fault> {
        Ok(None)
    }
}

/// The facts of a format that are known before a file is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub(super) format: Format,
    /// Whether its files are tables: columns are chosen, and rows are left out.
    pub(super) is_table: bool,
    /// Whether its files are tables of text, with a delimiter and perhaps a header, which [`Reader::visit`] decompresses.
    pub(super) is_text_table: bool,
    /// Whether ids may be asked for as names.
    pub(super) has_names: bool,
    pub(super) has_weights: bool,
    /// Whether a file may begin with any bytes, so that they tell little.
    pub(super) is_raw: bool,
    /// Whether a file with its extension is the graph among others that have none of a format.
    pub(super) is_graph_by_name: bool,
    /// The feature of cargo that a build without this format lacks, and what needs it.
    pub(super) lacks: Option<(&'static str, &'static str)>,
}

impl About {
    /// A format of graphs that are no tables, and without weights.
    pub(super) const fn of(format: Format) -> About {
        About {
            format,
            is_table: false,
            is_text_table: false,
            has_names: false,
            has_weights: false,
            is_raw: false,
            is_graph_by_name: true,
            lacks: None,
        }
    }

    /// The reason why this build cannot read the format; `None` where it can.
    pub(super) fn left_out(self) -> Option<String> {
        self.lacks.map(|(feature, needs)| features::missing(feature, needs))
    }

    /// Refuses a file where this build cannot read the format, or options say what means nothing for it.
    pub(super) fn check(self, name: &str, options: &Options) -> Result<()> {
        if let Some(message) = self.left_out() {
            return Err(input::error(name, message));
        }
        let About { format, is_table, is_text_table, .. } = self;
        let (texts, tables) = ("tables of text", "tables");
        let by_name = options.ids == IdKind::Names;
        for (option, is_given, applies, what) in [
            ("columns", options.columns.is_some(), is_table, tables),
            ("header", options.header.is_some(), is_text_table, texts),
            ("delimiter", options.delimiter.is_some(), is_text_table, texts),
            ("skip", options.skip > 0, is_text_table, texts),
            ("missing", options.skip_missing, is_text_table, texts),
            ("bipartite", options.bipartite, is_text_table, texts),
            ("ids", by_name, self.has_names, "formats whose ids may be names"),
        ] {
            if is_given && !applies {
                let message = format!(
                    "{name}: the format is `{format}`, and one of the options is of {what} only"
                );
                let message = Message::from(message).with_hint(format!(": leave out `--{option}`"));
                return Err(Error::Usage(message));
            }
        }
        match options.weight.is_some() && !self.has_weights {
            true => Err(weights::not_read(name, format)),
            false => Ok(()),
        }
    }
}

/// The reader of each format, in the order of [`Format::ALL`].
static READERS: [&dyn Reader; Format::ALL.len()] = [
    &table::TextTable,
    &matrix_market::MATRIX_MARKET,
    &metis::Metis,
    &pairs::RawPairs,
    &npy::Npy,
    #[cfg(feature = "archives")]
    &super::npz::Npz,
    #[cfg(not(feature = "archives"))]
    &UnbuiltFormat(Format::Npz, |_| false, "archives", ".npz files need"),
    &sg::Sg,
    &dimacs::DIMACS,
    &adjacency::ADJACENCY,
    #[cfg(feature = "formats")]
    &super::graphml::GRAPHML,
    #[cfg(not(feature = "formats"))]
    &UnbuiltFormat(Format::GraphMl, recognise::is_graphml, "formats", "GraphML files need"),
    &gml::GML,
    &pajek::PAJEK,
    #[cfg(feature = "formats")]
    &super::json::JSON,
    #[cfg(not(feature = "formats"))]
    &UnbuiltFormat(Format::Json, recognise::is_json, "formats", "JSON files need"),
    #[cfg(feature = "parquet")]
    &super::columnar::ColumnarFormat(Format::Parquet, is_parquet),
    #[cfg(not(feature = "parquet"))]
    &UnbuiltFormat(Format::Parquet, is_parquet, "parquet", "Parquet files need"),
    #[cfg(feature = "arrow")]
    &super::columnar::ColumnarFormat(Format::Arrow, is_arrow),
    #[cfg(not(feature = "arrow"))]
    &UnbuiltFormat(Format::Arrow, is_arrow, "arrow", "Arrow and Feather files need"),
];

/// The reader of a format.
pub(super) fn reader(format: Format) -> &'static dyn Reader {
    READERS[format as usize]
}

/// A format that this build cannot read: how its files are told, the feature that it lacks, and what needs that.
#[cfg_attr(all(feature = "archives", feature = "arrow", feature = "parquet"), allow(dead_code))]
struct UnbuiltFormat(Format, fn(&[u8]) -> bool, &'static str, &'static str);

impl Reader for UnbuiltFormat {
    fn about(&self) -> About {
        let UnbuiltFormat(format, _, feature, needs) = *self;
        About { lacks: Some((feature, needs)), ..About::of(format) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        !is_raw(named) && (self.1)(head)
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        Err(input.error(self.about().left_out().unwrap_or_default()).into())
    }
}

/// The reason why a file was taken for a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// The caller named it.
    Option,
    /// The file's first bytes.
    FirstBytes,
    /// The file's extension.
    Extension,
    /// Nothing told the format: an edge list is assumed.
    Default,
}

/// The format that a name's extension says, that of the compression left aside.
pub fn of_name(name: &str) -> Option<(Format, Compression)> {
    let (name, compression) = Compression::of_name(name);
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let format = Format::ALL.into_iter().find(|f| f.extensions().contains(&extension.as_str()))?;
    Some((format, compression))
}

/// The format that options name, else that a file's extension says.
pub(super) fn named(name: &str, options: &Options) -> Option<Format> {
    options.format.or_else(|| of_name(name).map(|(format, _)| format))
}

/// Whether a file of this format may begin with any bytes.
pub(super) fn is_raw(named: Option<Format>) -> bool {
    named.is_some_and(|format| reader(format).about().is_raw)
}

/// The format of a file that its first bytes tell, where `named` is the one that its extension says.
pub(super) fn told(head: &[u8], named: Option<Format>) -> Option<Format> {
    let reader = READERS.iter().find(|reader| reader.begins(head, named))?;
    Some(reader.about().format)
}

/// The format of a file, from its name and the first of its (decompressed) bytes.
pub(super) fn tell(name: &str, head: &[u8], asked: Option<Format>) -> (Format, ToldBy) {
    if let Some(format) = asked {
        return (format, ToldBy::Option);
    }
    let named = of_name(name).map(|(format, _)| format);
    if let Some(format) = told(head, named) {
        return (format, ToldBy::FirstBytes);
    }
    match named.filter(|&format| !reader(format).denies(head)) {
        Some(format) => (format, ToldBy::Extension),
        None => (Format::EdgeList, ToldBy::Default),
    }
}

/// Whether a file begins as Parquet does; `PARE` stands in files whose footer is encrypted.
fn is_parquet(head: &[u8]) -> bool {
    head.starts_with(b"PAR1") || head.starts_with(b"PARE")
}

/// Whether a file begins as Arrow's files do, or its streams.
fn is_arrow(head: &[u8]) -> bool {
    // A stream begins with a message: a mark, the length of its head, and the head's root table.
    let stream = matches!(head, [0xff, 0xff, 0xff, 0xff, _, _, 0, 0, _, _, 0, 0, ..]);
    head.starts_with(b"ARROW1\0\0") || stream
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_before_first_bytes_before_extension() {
        let mtx = b"%%matrixmarket matrix";
        assert_eq!(
            tell("a.graph", mtx, Some(Format::EdgeList)),
            (Format::EdgeList, ToldBy::Option)
        );
        assert_eq!(tell("a.graph", mtx, None), (Format::MatrixMarket, ToldBy::FirstBytes));
        let marked = b"\xef\xbb\xbf%%MatrixMarket matrix";
        assert_eq!(tell("a", marked, None), (Format::MatrixMarket, ToldBy::FirstBytes));
        assert_eq!(tell("a", b"\x93NUMPY\x01", None), (Format::Npy, ToldBy::FirstBytes));
        let npy = |head| tell("a.bin", head, None).0;
        assert_eq!(npy(b"\x93NUMPY\x01\0\x10\0{'des"), Format::Npy);
        assert_eq!(npy(b"\x93NUMPY\x01\0\x10\0\0\0\0\0"), Format::Pairs);
        assert_eq!(npy(b"\x93NUMPY\x09\0\x10\0{'des"), Format::Pairs);
        assert_eq!(tell("a", b"PK\x03\x04", None), (Format::Npz, ToldBy::FirstBytes));
        assert_eq!(tell("a.bin", b"PK\x03\x04", None), (Format::Pairs, ToldBy::Extension));
        assert_eq!(tell("a.GRAPH.Gz", b"1 0", None), (Format::Metis, ToldBy::Extension));
        assert_eq!(tell("a.bin.zst", b"", None), (Format::Pairs, ToldBy::Extension));
        assert_eq!(tell("x.y/out.konect", b"1 2", None), (Format::EdgeList, ToldBy::Default));
        assert_eq!(tell("-", b"1 2", None), (Format::EdgeList, ToldBy::Default));
    }

    #[test]
    fn each_reader_has_the_place_of_its_format() {
        for format in Format::ALL {
            assert_eq!(reader(format).about().format, format);
        }
    }

    #[test]
    fn formats_of_other_programs_are_told_under_any_name() {
        for (name, head, format) in [
            ("a.graphml", &b"<?xml version='1.0'?>\n<graphml xmlns=\"x\">"[..], Format::GraphMl),
            ("a", b"\xef\xbb\xbf<graphml>", Format::GraphMl),
            ("a.txt", b"graph [\n  node [\n", Format::Gml),
            ("a.txt", b"Creator \"x\"\ngraph\n[\n  directed 0", Format::Gml),
            ("a.txt", b"*Vertices 3\n1 \"a\"\n", Format::Pajek),
            ("a.csv", b"{\"nodes\": []}", Format::Json),
            ("a", b"[[0, 1], [1, 2]]", Format::Json),
            ("a.graph", b"[\n  {\"source\": 1, \"target\": 2},\n", Format::Json),
            (
                "a.edges",
                b"%MatrixMarket matrix coordinate pattern general\n3 3 1\n",
                Format::MatrixMarket,
            ),
        ] {
            assert_eq!(tell(name, head, None), (format, ToldBy::FirstBytes), "{name}");
            assert_eq!(tell("a.bin", head, None).0 == format, format == Format::MatrixMarket);
        }
        assert_eq!(tell("a.gml", b"graph\n", None), (Format::Gml, ToldBy::Extension));
        assert_eq!(tell("a.jsonl", b"a", None), (Format::Json, ToldBy::Extension));
        for (name, head) in [
            ("a.net", &b"0 1\n1 2\n"[..]),
            ("a.json", b"# really an edge list\n0 1\n"),
            ("a.csv", b"graph,vertex\ngraph,edge\n"),
            ("a.csv", b"[unused],x\n"),
            ("a.edges", b"%MatrixMarket matrix coordinate pattern symmetric\n% 6 6 8\n2 1\n"),
        ] {
            assert_eq!(tell(name, head, None).0, Format::EdgeList, "{name}");
        }
    }
}
