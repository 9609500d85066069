//! Content that is no table of edges, told by how it begins: what it is, and what to do with it.

use super::input::{self, next_line, skip_blanks};
use crate::{Hint, Message};

/// What a text begins with, in lower case; what that is; and what to do.
const BEGINNINGS: [(&str, &str, &str); 25] = [
    ("<!doctype html", "a web page", "the download gave a page instead of the file, fetch it again"),
    ("<html", "a web page", "the download gave a page instead of the file, fetch it again"),
    ("<graphml", "GraphML", GRAPHML),
    ("<gexf", "GEXF", "convert it with NetworkX: `nx.write_edgelist(nx.read_gexf(F), OUT, data=False)`"),
    ("<?xml", "XML", GRAPHML),
    ("creator ", "GML", GML),
    ("graph [", "GML", GML),
    ("graph[", "GML", GML),
    ("*vertices", "a Pajek network", PAJEK),
    ("*network", "a Pajek network", PAJEK),
    ("*arcs", "a Pajek network", PAJEK),
    ("*edges", "a Pajek network", PAJEK),
    ("*node data", "a VNA network", "export it as an edge list"),
    ("graph {", "a DOT graph", DOT),
    ("digraph ", "a DOT graph", DOT),
    ("digraph{", "a DOT graph", DOT),
    ("strict graph", "a DOT graph", DOT),
    ("strict digraph", "a DOT graph", DOT),
    ("dl n", "UCINET's DL", "export it from UCINET as an edge list"),
    ("leda.graph", "a LEDA graph", "convert it with NetworkX: `nx.read_leda(F)`, `nx.write_edgelist`"),
    (">>graph6<<", "graph6", "convert it with NetworkX: `nx.read_graph6(F)`, `nx.write_edgelist`"),
    (">>sparse6<<", "sparse6", "convert it with NetworkX: `nx.read_sparse6(F)`, `nx.write_edgelist`"),
    ("version https://git-lfs", "a Git LFS pointer", "fetch the file itself with `git lfs pull`"),
    ("create table", "SQL", "export the table of edges as CSV"),
    ("insert into", "SQL", "export the table of edges as CSV"),
];

const GRAPHML: &str =
    "convert it with NetworkX: `nx.write_edgelist(nx.read_graphml(F), OUT, data=False)`";
const GML: &str = "convert it with NetworkX: `nx.write_edgelist(nx.read_gml(F), OUT, data=False)`";
const PAJEK: &str =
    "convert it with NetworkX: `nx.write_edgelist(nx.read_pajek(F), OUT, data=False)`";
const DOT: &str =
    "convert it with NetworkX: `nx.write_edgelist(nx.nx_pydot.read_dot(F), OUT, data=False)`";
const JSON: &str = "write its links as a table, for example with `jq -r '.links[] | [.source, .target] \
                    | @csv' F > OUT.csv`";

/// Bytes that only binary files begin with.
const MAGICS: [(&[u8], &str, &str); 11] = [
    (b"PAR1", "Parquet", ""),
    (b"ARROW1", "Arrow IPC", ""),
    (b"FEA1", "Feather of version 1", "write it again with a newer version of Arrow"),
    (b"ORC", "ORC", "write it as Parquet"),
    (b"Obj\x01", "Avro", "write it as Parquet or CSV"),
    (b"\x89HDF", "HDF5", "write the edges as .npy or .mtx"),
    (b"MATLAB 5.0", "a MATLAB file", "write the matrix with SciPy: `scipy.io.mmwrite(OUT, matrix)`"),
    (b"SQLite format 3", "an SQLite database", "export the table of edges as CSV"),
    (b"%PDF", "a PDF", "it holds no table"),
    (b"\x80\x04\x95", "a Python pickle", "write the edges with `nx.write_edgelist` or as .npy"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook", "save the sheet as CSV UTF-8"),
];

/// What content is that is no text, or text in a wide encoding; `None` for text.
pub(super) fn binary(content: &[u8]) -> Option<Message> {
    if content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff") {
        return Some(utf16());
    }
    for (magic, what, how) in MAGICS {
        if content.starts_with(magic) && (magic.len() > 3 || content.contains(&0)) {
            let text = match how {
                "" => format!("this looks like {what}, and was not told to be read as that"),
                how => format!("this looks like {what}: {how}"),
            };
            return Some(Message::from(text).with_hint(Hint::NameFormat));
        }
    }
    let at = memchr::memchr(0, content)?;
    // Every second byte of Latin text in UTF-16 is 0.
    let zeros = |first: usize| {
        let bytes = content.iter().skip(first).step_by(2).take(64);
        bytes.len() > 3 && bytes.clone().filter(|&&b| b == 0).count() * 4 > bytes.len() * 3
    };
    if zeros(0) || zeros(1) {
        return Some(utf16());
    }
    let text = format!(
        "byte {at} is 0, which no text has: this is a binary file, or was damaged on its way"
    );
    Some(Message::from(text).with_hint(Hint::NameFormat))
}

fn utf16() -> Message {
    "this is text in UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`, or save it as CSV UTF-8".into()
}

/// What a text is that is no table of edges, told by its beginning, and where that is.
pub(super) fn text(text: &[u8]) -> Option<(usize, Message)> {
    let first = text.iter().position(|b| !b.is_ascii_whitespace())?;
    let found = |at: usize, what: &str, how: &str| {
        let article = if what.starts_with("a ") || what == what.to_uppercase() { "" } else { "" };
        Some((at, Message::from(format!("this looks like {article}{what}, which is not read: {how}"))))
    };
    let rest = &text[first..];
    let begins = |with: &str| {
        rest.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    if begins("<?xml") {
        let head = &rest[..rest.len().min(4096)];
        let has = |word: &[u8]| memchr::memmem::find(head, word).is_some();
        let (what, how) = match () {
            () if has(b"<gexf") => (BEGINNINGS[3].1, BEGINNINGS[3].2),
            () if has(b"<graphml") => ("GraphML", GRAPHML),
            () => ("XML", "export the edges as CSV"),
        };
        return found(first, what, how);
    }
    for (beginning, what, how) in BEGINNINGS {
        if begins(beginning) {
            return found(first, what, how);
        }
    }
    let compact: Vec<u8> =
        rest.iter().copied().filter(|b| !b.is_ascii_whitespace()).take(8).collect();
    match compact[..] {
        [b'{', b'"' | b'}' | b'[', ..] | [b'[', b'{' | b'[' | b'"', ..] => {
            return found(first, "JSON", JSON);
        }
        [b'g', b'r', b'a', b'p', b'h', b'[', ..] => return found(first, "GML", GML),
        _ => {}
    }
    lines(text)
}

/// What is told by a few lines.
fn lines(text: &[u8]) -> Option<(usize, Message)> {
    const LINES: usize = 200;
    let mut at = 0;
    let (mut problem, mut letters, mut others, mut first) = (false, 0, 0, None);
    let (mut rules, mut triples) = (0, 0);
    for _ in 0..LINES {
        if at >= text.len() {
            break;
        }
        let end = next_line(text, at);
        let line = text[skip_blanks(text, at)..end.max(skip_blanks(text, at))].trim_ascii();
        let words: Vec<&[u8]> =
            line.split(|&b| input::is_blank(b)).filter(|word| !word.is_empty()).collect();
        let digits = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
        match words[..] {
            [] => {}
            [b"p", kind, ..] if !digits(&kind) => {
                problem = true;
                first = first.or(Some(at));
            }
            [b"c", ..] => first = first.or(Some(at)),
            [b"e" | b"a", u, v, ..] if digits(&u) && digits(&v) => {
                letters += 1;
                first = first.or(Some(at));
            }
            [b"#"] => {
                rules += 1;
                others += 1;
            }
            [subject, _, _, ..] if subject.starts_with(b"<") && line.ends_with(b".") => triples += 1,
            _ => others += 1,
        }
        at = end;
    }
    if (problem && letters > 0) || (problem && others == 0) || (letters >= 2 && others == 0) {
        let at = first.unwrap_or(0);
        let message = "this is a DIMACS file (lines `p`, `e` or `a`), and was not told to be read as that";
        return Some((at, Message::from(message).with_hint(Hint::NameFormat)));
    }
    if triples > 0 && others == 0 {
        let message = "this looks like RDF triples: read its first and third column, blanks between them";
        let proposed = ["1", "3"].map(String::from);
        return Some((0, Message::from(message).with_hint(Hint::Columns { proposed })));
    }
    // Trivial Graph Format has its vertices before a line `#`, and its edges after it.
    (rules == 1 && is_tgf(text)).then(|| {
        let message = "this looks like the Trivial Graph Format, vertices before a line `#` and edges \
                       behind it: leave the lines up to that out";
        (0, Message::from(message).with_hint(Hint::SkipLines))
    })
}

/// Whether every line before the only `#` begins with another id.
fn is_tgf(text: &[u8]) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut at = 0;
    while at < text.len() {
        let end = next_line(text, at);
        let line = text[at..end].trim_ascii();
        if line == b"#" {
            return seen.len() > 1;
        }
        let id = line.split(|&b| input::is_blank(b)).next().unwrap_or_default();
        if id.is_empty() || id[0] == b'#' || !seen.insert(id) {
            return false;
        }
        at = end;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        for (content, told) in [
            ("<?xml version=\"1.0\"?>\n<graphml xmlns=\"x\">", "GraphML"),
            ("<?xml version=\"1.0\"?>\n<gexf>", "GEXF"),
            ("\n<graphml>", "GraphML"),
            ("graph\n[\n  node [", "GML"),
            ("Creator \"me\"\ngraph [", "GML"),
            ("*Vertices 4\n1 \"a\"", "Pajek"),
            ("{\"nodes\": []}", "JSON"),
            ("[[0, 1], [1, 2]]", "JSON"),
            ("graph {\n a -- b\n}", "DOT"),
            ("<!DOCTYPE html>\n<html>", "web page"),
            ("c a comment\np edge 4 6\ne 1 2\n", "DIMACS"),
            ("p sp 4 6\na 1 2 7\n", "DIMACS"),
            ("e 1 2\ne 2 3\n", "DIMACS"),
            ("1 Ann\n2 Bo\n#\n1 2\n", "Trivial Graph Format"),
            ("<http://a> <http://b> <http://c> .\n", "RDF"),
        ] {
            let (_, message) = text(content.as_bytes()).unwrap_or_else(|| panic!("{content}"));
            assert!(message.to_string().contains(told), "{content}: {message}");
        }
        for content in
            ["", "1 2\n", "# a\n1 2\n#\n", "a,b\n", "e f\na b\n", "c d e\n", "%%x\n", "[a] b\n", "a b\nc b\n"]
        {
            assert!(text(content.as_bytes()).is_none(), "{content}");
        }
    }

    #[test]
    fn no_text() {
        for content in [
            &b"\xff\xfe1\0,\0002\0\n\0"[..],
            b"1\0,\x002\0\n\x003\0,\x004\0",
            b"PAR1\x15\0",
            b"SQLite format 3\0",
            b"1 2\n\0\0",
        ] {
            assert!(binary(content).is_some(), "{content:?}");
        }
        assert!(binary(b"1 2\nORC x").is_none() && binary(b"ORC x\n").is_none());
    }
}
