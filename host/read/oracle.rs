//! Test support: a parser that reads line by line with the standard library only.

use proptest::prelude::*;

use super::input::Input;
use super::progress::Meter;
use crate::{Graph, Result};

/// Calls a reader with chunks of `chunk` bytes.
pub(super) fn with_chunk<R>(content: &[u8], chunk: usize, read: impl FnOnce(&Input) -> R) -> R {
    let meter = Meter::new(None, 0);
    read(&Input { name: "test", content, chunk, meter: &meter })
}

/// The edges in the file's own ids.
pub(super) fn original_edges(graph: &Graph) -> Vec<[u64; 2]> {
    graph.edges().iter().map(|pair| pair.map(|v| graph.ids().original(v))).collect()
}

/// The entries of an edge list, or the number of the first bad line.
pub(super) fn edge_list(text: &[u8]) -> Result<Vec<[u64; 2]>, u64> {
    let mut edges = Vec::new();
    for (index, line) in text.split(|&b| b == b'\n').enumerate() {
        let bad = index as u64 + 1;
        let line = std::str::from_utf8(line).map_err(|_| bad)?;
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.is_empty() || ["#", "%", "//"].iter().any(|mark| line.starts_with(mark)) {
            continue;
        }
        let end = line.find([' ', '\t', '\r', ',']).unwrap_or(line.len());
        let (first, rest) = line.split_at(end);
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start_matches([' ', '\t', '\r']);
        let second = rest.split([' ', '\t', '\r', ',']).next().unwrap_or("");
        let id = |token: &str| {
            let digits = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
            if digits { token.parse::<u64>().map_err(|_| bad) } else { Err(bad) }
        };
        edges.push([id(first)?, id(second)?]);
    }
    Ok(edges)
}

/// Lines as they occur, now and then a bad one.
pub(super) fn edge_list_line() -> impl Strategy<Value = Vec<u8>> {
    let good = (any::<u16>(), any::<u16>()).prop_map(|(u, v)| format!("{u} {v}\n"));
    let wide = (any::<u64>(), any::<u32>()).prop_map(|(u, v)| format!("{u}\t{v}\r\n"));
    let tail = (any::<u8>(), any::<u8>(), "[ ,][ -~]{0,6}")
        .prop_map(|(u, v, tail)| format!(" {u} , {v}{tail}\n"));
    let comment = "(#|%|//)[ -~]{0,9}\n".prop_map(String::from);
    let blank = "[ \t\r]{0,3}\n".prop_map(String::from);
    let any_line = "[-0-9a#%/, \t\r]{0,24}\n".prop_map(String::from);
    prop_oneof![
        40 => good, 8 => wide, 8 => tail, 6 => comment, 6 => blank, 1 => any_line,
    ]
    .prop_map(String::into_bytes)
}
