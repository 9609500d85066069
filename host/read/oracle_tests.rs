//! Test support: a parser that reads line by line with the standard library only.

use proptest::prelude::*;

use super::Options;
use super::format::Reader;
use super::input::Fault;
use super::open_file::OpenFile;
use super::source::{self, RegularFile};
use crate::{Graph, Result};

/// Calls a reader with chunks of `chunk` bytes.
pub(super) fn with_chunk<R>(
    content: &[u8],
    chunk: usize,
    options: &Options,
    read: impl FnOnce(&OpenFile) -> Result<R, Fault>,
) -> Result<R> {
    let mut input = OpenFile::unseen(RegularFile::memory("test", content), options);
    input.chunk = chunk;
    read(&input).map_err(|fault| input.fault(fault))
}

/// Calls a reader with a file of this content.
pub(super) fn with_file<R>(content: &[u8], read: impl FnOnce(RegularFile) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test");
    std::fs::write(&path, content).unwrap();
    read(source::open(&path, &crate::Cancel::new()).unwrap())
}

/// Reads a file that is not in memory in pieces of `chunk` bytes; `None` where it has to be.
pub(super) fn in_pieces(
    reader: &dyn Reader,
    file: RegularFile,
    chunk: usize,
    options: &Options,
) -> Result<Option<Graph>> {
    let mut input = OpenFile::of(file, options)?;
    input.chunk = chunk;
    match reader.needs_all(&input) {
        true => Ok(None),
        false => reader.parse(&input).map(Some).map_err(|fault| input.fault(fault)),
    }
}

/// The edges in the file's own ids.
pub(super) fn original_edges(graph: &Graph) -> Vec<[u64; 2]> {
    graph.edges().iter().map(|pair| pair.map(|v| graph.ids().number(v))).collect()
}

/// The entries of an edge list with this delimiter, a blank for any blanks and tabs, or the number of the first bad line.
pub(super) fn edge_list(text: &[u8], delimiter: char) -> Result<Vec<[u64; 2]>, u64> {
    let mut edges = Vec::new();
    for (index, line) in lines(text).enumerate() {
        let bad = index as u64 + 1;
        if line.iter().all(|&byte| b" \t".contains(&byte) || byte == delimiter as u8) {
            continue;
        }
        edges.extend(row(line, delimiter).ok_or(bad)?);
    }
    Ok(edges)
}

/// A row's entry, `Some(None)` for a comment, `None` for a bad line.
fn row(line: &[u8], delimiter: char) -> Option<Option<[u64; 2]>> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let line = std::str::from_utf8(line).ok()?;
    let begin = line.trim_start_matches(BLANKS);
    if ["#", "%", "//"].iter().any(|mark| begin.starts_with(mark)) {
        return Some(None);
    }
    let mut fields: Vec<&str> = match delimiter {
        ' ' => line.split(BLANKS).filter(|field| !field.is_empty()).collect(),
        delimiter => line.split(delimiter).map(|field| field.trim_matches(BLANKS)).collect(),
    };
    fields.truncate(2);
    let id = |field: &str| match field.bytes().all(|b| b.is_ascii_digit()) {
        true => field.parse::<u64>().ok(),
        false => None,
    };
    match fields[..] {
        [first, second] => Some(Some([id(first)?, id(second)?])),
        _ => None,
    }
}

/// The entries of a Matrix Market body, or the number of the first bad line, 0 for too few entries or too many.
pub(super) fn entries(body: &[u8], size: u64, announced: usize) -> Result<Vec<[u64; 2]>, u64> {
    let mut edges = Vec::new();
    for (index, line) in lines(body).enumerate() {
        let bad = index as u64 + 1;
        let Some([u, v]) = entry(line).ok_or(bad)? else { continue };
        if !(1..=size).contains(&u) || !(1..=size).contains(&v) {
            return Err(bad);
        }
        edges.push([u, v]);
    }
    if edges.len() == announced { Ok(edges) } else { Err(0) }
}

/// The lines of a text, whichever of the three line ends stands between them.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let feeds = text.split(|&b| b == b'\n').count();
    text.split(|&b| b == b'\n').enumerate().flat_map(move |(i, line)| {
        // The return of a CRLF stands before the feed, so not in the last part.
        let line = match line.strip_suffix(b"\r") {
            Some(line) if i + 1 < feeds => line,
            _ => line,
        };
        line.split(|&b| b == b'\r')
    })
}

/// A line's entry, `Some(None)` for a blank line or a comment, `None` for a bad line.
fn entry(line: &[u8]) -> Option<Option<[u64; 2]>> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let line = std::str::from_utf8(line).ok()?.trim_matches(BLANKS);
    if line.is_empty() || ["#", "%", "//"].iter().any(|mark| line.starts_with(mark)) {
        return Some(None);
    }
    let mut words = line.split(BLANKS).filter(|word| !word.is_empty());
    let mut id = || {
        let word = words.next().filter(|word| word.bytes().all(|b| b.is_ascii_digit()))?;
        word.parse::<u64>().ok()
    };
    Some(Some([id()?, id()?]))
}

/// Lines as they occur between which this delimiter stands, now and then a bad one.
pub(super) fn edge_list_line(delimiter: char) -> impl Strategy<Value = Vec<u8>> {
    let d = delimiter;
    let good = (any::<u16>(), any::<u16>()).prop_map(move |(u, v)| format!("{u}{d}{v}\n"));
    let wide = (any::<u64>(), any::<u32>()).prop_map(move |(u, v)| format!("{u}{d}{v}\r\n"));
    let old = (any::<u8>(), any::<u16>()).prop_map(move |(u, v)| format!("{u}{d}{v}\r"));
    let padded = (any::<u8>(), any::<u8>(), "[ -~]{0,6}")
        .prop_map(move |(u, v, tail)| format!(" {u} {d} {v} {d}{tail}\n"));
    let comment = "(#|%|//)[ -~]{0,9}(\n|\r|\r\n)".prop_map(String::from);
    let blank = "[ \t\r]{0,3}\n".prop_map(String::from);
    let any_line = "[-0-9a#%/, \t\r]{0,24}\n".prop_map(String::from);
    prop_oneof![
        40 => good, 8 => wide, 4 => old, 8 => padded, 6 => comment, 6 => blank, 1 => any_line,
    ]
    .prop_map(String::into_bytes)
}

/// A delimiter, and some lines between which it stands.
pub(super) fn edge_lists() -> impl Strategy<Value = (char, Vec<Vec<u8>>)> {
    prop_oneof![Just(' '), Just(','), Just('\t')]
        .prop_flat_map(|d| (Just(d), prop::collection::vec(edge_list_line(d), 1..30)))
}
