//! METIS adjacency lists, as in the 10th DIMACS Implementation Challenge.
//!
//! Format: Karypis, "METIS, A Software Package for Partitioning Unstructured Graphs", manual 5.1,
//! section 4.1.1. Line i after the header lists the neighbours of vertex i, so every edge stands in
//! the file twice. The graph gets it once, from the line of its smaller end: the second listing is
//! the format's, not a duplicate. A file that does not list every edge twice (it is directed, or
//! damaged) keeps all of its entries, so that no edge is lost.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::edge_list::is_negative;
use super::ids::MOST_VERTICES;
use super::input::{Input, ends_line, excerpt, is_blank, next_line, skip_blanks, split, token};
use super::number::number;
use crate::{Graph, Result, VertexIds};

/// What the header line declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) vertices: u64,
    /// Undirected edges: half the entries.
    pub(super) edges: u64,
    /// Numbers before the neighbours of each line: vertex size and vertex weights.
    before: u64,
    /// Whether a weight follows each neighbour.
    weighted: bool,
    at: usize,
    body: usize,
}

/// The neighbours of the vertices of one chunk.
#[derive(Default)]
struct Lists {
    /// Entries `[v, w]` with `v <= w`, `v` ascending.
    up: Vec<[u32; 2]>,
    loops: u64,
    /// Neighbours below their vertex: ascending for each vertex, vertices one after the other.
    down: Vec<u32>,
    /// How many of `down` belong to each vertex of the chunk.
    down_lengths: Vec<usize>,
}

/// What is wrong with a line, and where.
struct Fault {
    at: usize,
    message: String,
}

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let head = head(input)?;
    let text = input.content;
    let chunks = split(text, head.body, input.chunk);
    let counts: Vec<u64> =
        chunks.par_iter().map(|chunk| count_lines(&text[chunk.clone()])).collect();
    let lines: u64 = counts.iter().sum();
    if lines < head.vertices {
        return Err(input.at_line_of(
            head.at,
            format!(
                "the header announces {} vertices and {lines} lines of neighbours follow: the file \
                 is cut off (the line of a vertex without neighbours is empty, not missing)",
                head.vertices
            ),
        ));
    }
    let firsts = counts.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count)
    });
    let chunks: Vec<(Range<usize>, u64)> = chunks.into_iter().zip(firsts).collect();
    let first_bad = AtomicUsize::new(usize::MAX);
    let lists: Vec<Result<Lists, Fault>> = chunks
        .into_par_iter()
        .enumerate()
        .map(|(index, (chunk, first))| {
            // A chunk after a bad one cannot hold the first fault.
            if first_bad.load(Relaxed) < index {
                return Ok(Lists::default());
            }
            let lists = chunk_lists(&text[..chunk.end], chunk.start, first, &head);
            if lists.is_err() {
                first_bad.fetch_min(index, Relaxed);
            }
            input.meter.add(chunk.len());
            lists
        })
        .collect();
    let lists: Vec<Lists> = lists
        .into_iter()
        .collect::<Result<_, Fault>>()
        .map_err(|fault| input.at_line_of(fault.at, fault.message))?;
    agrees_with_header(input, &head, &lists)?;
    // At most `MOST_VERTICES`, so it fits.
    let ids = VertexIds::OneBased { bound: head.vertices as u32 };
    Ok(Graph::from_parts(edges(lists, head.vertices as usize), ids, input.name.into()))
}

/// Reads the header line: `n m [fmt [ncon]]`.
pub(super) fn head(input: &Input) -> Result<Head> {
    let text = input.content;
    let mut at = 0;
    while at < text.len() {
        let first = skip_blanks(text, at);
        match text.get(first) {
            None | Some(b'\n' | b'\r' | b'%') => at = next_line(text, first),
            Some(_) => return header(input, first),
        }
    }
    Err(input.at_line_of(
        text.len(),
        "the file ends before the header `vertices edges [format [weights]]`: it is cut off, fetch \
         it again",
    ))
}

fn header(input: &Input, at: usize) -> Result<Head> {
    let text = input.content;
    let body = next_line(text, at);
    let line = text[at..body].trim_ascii();
    let words: Vec<&[u8]> =
        line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty()).collect();
    let value = |word: &[u8]| match number(word, 0) {
        Ok((value, end)) if end == word.len() => Some(value),
        _ => None,
    };
    let read = || {
        let (&n, &m) = (words.first()?, words.get(1)?);
        let fmt = match words.get(2) {
            Some(&word) => {
                value(word).filter(|fmt| matches!(fmt, 0 | 1 | 10 | 11 | 100 | 101 | 110 | 111))?
            }
            None => 0,
        };
        let constraints = match words.get(3) {
            Some(&word) => value(word)?,
            None => 1,
        };
        let weights = if fmt / 10 % 10 == 1 { constraints } else { 0 };
        Some(Head {
            vertices: value(n)?,
            edges: value(m)?,
            before: weights.checked_add(fmt / 100)?,
            weighted: fmt % 10 == 1,
            at,
            body,
        })
    };
    match read() {
        Some(head) if words.len() <= 4 && head.vertices > MOST_VERTICES => Err(input.at_line_of(
            at,
            format!(
                "the header announces {} vertices: at most {MOST_VERTICES} (2^32-2) can be counted",
                head.vertices
            ),
        )),
        Some(head) if words.len() <= 4 => Ok(head),
        _ => Err(input.at_line_of(
            at,
            format!(
                "{} is not the header of a METIS file: two to four integers are expected, \
                 `vertices edges [format [weights]]`, the format one of 0, 1, 10, 11, 100, 101, \
                 110, 111",
                excerpt(line)
            ),
        )),
    }
}

/// Lines that stand for a vertex: all but comments.
fn count_lines(chunk: &[u8]) -> u64 {
    let (mut at, mut lines) = (0, 0);
    while at < chunk.len() {
        lines += u64::from(chunk[at] != b'%');
        at = next_line(chunk, at);
    }
    lines
}

/// Parses the lines from `at` to the end of `text`, the first of which is that of vertex `vertex`.
fn chunk_lists(text: &[u8], mut at: usize, mut vertex: u64, head: &Head) -> Result<Lists, Fault> {
    let mut lists = Lists::default();
    while at < text.len() {
        if text[at] == b'%' {
            at = next_line(text, at);
            continue;
        }
        if vertex >= head.vertices {
            at = skip_blanks(text, at);
            if text.get(at).is_some_and(|&b| !ends_line(b)) {
                return Err(surplus_line(text, at, head));
            }
            at = next_line(text, at);
            continue;
        }
        let begun = lists.down.len();
        at = neighbours(text, at, vertex, head, &mut lists)?;
        let down = &mut lists.down[begun..];
        if !down.is_sorted() {
            down.sort_unstable();
        }
        lists.down_lengths.push(down.len());
        vertex += 1;
    }
    Ok(lists)
}

fn surplus_line(text: &[u8], at: usize, head: &Head) -> Fault {
    let line = text[at..next_line(text, at)].trim_ascii_end();
    Fault {
        at,
        message: format!(
            "{} stands after the line of the last vertex: the header announces {} vertices, \
             correct it or fetch the file again",
            excerpt(line),
            head.vertices
        ),
    }
}

/// Parses one vertex's line and returns the start of the next.
fn neighbours(
    text: &[u8],
    mut at: usize,
    vertex: u64,
    head: &Head,
    lists: &mut Lists,
) -> Result<usize, Fault> {
    let mut skip = head.before;
    let mut last = None;
    loop {
        at = skip_blanks(text, at);
        match text.get(at) {
            None | Some(b'\n' | b'\r') => break,
            Some(_) => {}
        }
        if skip > 0 {
            skip -= 1;
            at += token(text, at).len().max(1);
            continue;
        }
        let (id, end) = match number(text, at) {
            Ok((id, end)) if (1..=head.vertices).contains(&id) && ends_column(text, end) => {
                (id - 1, end)
            }
            _ => return Err(not_a_neighbour(text, at, head)),
        };
        // Both are below the number of vertices, which fits 32 bits.
        let (v, w) = (vertex as u32, id as u32);
        if w < v {
            lists.down.push(w);
        } else {
            lists.loops += u64::from(w == v);
            lists.up.push([v, w]);
        }
        last = Some(at);
        at = end;
        skip = u64::from(head.weighted);
    }
    match last {
        Some(last) if skip > 0 => Err(Fault {
            at: last,
            message: format!(
                "the neighbour {} has no edge weight after it, which the header's format asks for: \
                 correct the header or fetch the file again",
                excerpt(token(text, last))
            ),
        }),
        None if skip > 0 => Err(Fault {
            at,
            message: format!(
                "the line of vertex {} lacks {skip} of the {} vertex weights that the header's \
                 format asks for: correct the header or fetch the file again",
                vertex + 1,
                head.before
            ),
        }),
        _ => Ok(next_line(text, at)),
    }
}

/// Whether a column ends before byte `at`.
#[inline(always)]
fn ends_column(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&b| is_blank(b) || ends_line(b))
}

fn not_a_neighbour(text: &[u8], at: usize, head: &Head) -> Fault {
    let end = text.len().min(at + token(text, at).len() + 1);
    let column = text[at..end].trim_ascii_end();
    let found = excerpt(column);
    let digits = column.iter().all(u8::is_ascii_digit);
    let message = if digits || is_negative(column) {
        format!(
            "the neighbour {found} is out of range: the header allows 1 to {}, correct it or fetch \
             the file again",
            head.vertices
        )
    } else {
        format!(
            "{found} is not a neighbour: each line holds the numbers of a vertex's neighbours, from \
             1 to {} (for an edge list use `--format edge-list`)",
            head.vertices
        )
    };
    Fault { at, message }
}

/// Checks the number of entries. A self-loop may be listed once or twice.
fn agrees_with_header(input: &Input, head: &Head, lists: &[Lists]) -> Result<()> {
    let loops: u64 = lists.iter().map(|list| list.loops).sum();
    let entries: u64 = lists.iter().map(|list| (list.up.len() + list.down.len()) as u64).sum();
    let announced = u128::from(head.edges) * 2;
    if announced == u128::from(entries) || announced == u128::from(entries + loops) {
        return Ok(());
    }
    Err(input.at_line_of(
        head.at,
        format!(
            "the header announces {} edges and the lines hold {entries} neighbours, not twice as \
             many: correct the header (it counts each edge once) or fetch the file again",
            head.edges
        ),
    ))
}

/// Each edge once where the file lists each twice, and every entry otherwise.
fn edges(lists: Vec<Lists>, vertices: usize) -> Vec<[u32; 2]> {
    let mut all = Vec::with_capacity(lists.iter().map(|list| list.up.len()).sum());
    let symmetric = is_symmetric(&lists, vertices);
    let mut vertex = 0;
    for list in &lists {
        all.extend_from_slice(&list.up);
        let mut down = &list.down[..];
        for &length in &list.down_lengths {
            let (own, rest) = down.split_at(length);
            if !symmetric {
                all.extend(own.iter().map(|&w| [vertex, w]));
            }
            down = rest;
            vertex += 1;
        }
    }
    all
}

/// Whether every entry `v -> w` has its own `w -> v`, in O(n + m): the entries with `v < w` come in
/// ascending `v`, so those with equal `w` must name the lower neighbours of `w` one after the other.
fn is_symmetric(lists: &[Lists], vertices: usize) -> bool {
    let down = lists.iter().map(|list| &list.down[..]).collect::<Vec<_>>().concat();
    let mut next = Vec::with_capacity(vertices + 1);
    let mut end = 0usize;
    next.push(0);
    for &length in lists.iter().flat_map(|list| &list.down_lengths) {
        end += length;
        next.push(end);
    }
    let ends = next[1..].to_vec();
    let mut seen = 0;
    for &[v, w] in lists.iter().flat_map(|list| &list.up).filter(|[v, w]| v != w) {
        let at = next[w as usize];
        if at == ends[w as usize] || down[at] != v {
            return false;
        }
        next[w as usize] += 1;
        seen += 1;
    }
    seen == down.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle;
    use super::*;

    proptest! {
        #[test]
        fn symmetric_files_give_each_edge_once(
            n in 1u32..20,
            pairs in prop::collection::vec((0u32..20, 0u32..20), 0..60),
            chunk in 1usize..60,
        ) {
            let mut edges: Vec<[u32; 2]> =
                pairs.iter().map(|&(u, v)| [u % n, v % n]).filter(|[u, v]| u < v).collect();
            let mut lists = vec![vec![]; n as usize];
            for &[u, v] in &edges {
                lists[u as usize].push(v);
                lists[v as usize].push(u);
            }
            let text = write(&lists, edges.len());
            let graph = oracle::with_chunk(text.as_bytes(), chunk, parse).unwrap();
            edges.sort_unstable();
            let mut read = graph.edges().to_vec();
            read.sort_unstable();
            prop_assert_eq!(read, edges);
            prop_assert_eq!(graph.ids(), &VertexIds::OneBased { bound: n });
        }

        #[test]
        fn other_files_lose_no_edge(
            n in 1u32..12,
            pairs in prop::collection::vec((0u32..12, 0u32..12), 0..24),
            chunk in 1usize..40,
        ) {
            let mut entries: Vec<[u32; 2]> = pairs.iter().map(|&(u, v)| [u % n, v % n]).collect();
            if entries.len() % 2 == 1 {
                entries.pop();
            }
            let mut lists = vec![vec![]; n as usize];
            for &[u, v] in &entries {
                lists[u as usize].push(v);
            }
            let text = write(&lists, entries.len() / 2);
            let graph = oracle::with_chunk(text.as_bytes(), chunk, parse).unwrap();
            let simple = |edges: &[[u32; 2]]| {
                let mut edges: Vec<_> = edges.iter().map(|&[u, v]| (u.min(v), u.max(v))).collect();
                edges.sort_unstable();
                edges.dedup();
                edges
            };
            prop_assert_eq!(simple(graph.edges()), simple(&entries));
        }
    }

    fn write(lists: &[Vec<u32>], edges: usize) -> String {
        let mut text = format!("% a comment\n{} {edges}\n", lists.len());
        for list in lists {
            text.extend(list.iter().map(|w| format!(" {}", w + 1)));
            text.push_str("\n% between lines\n");
        }
        text
    }

    #[test]
    fn equal_numbers_of_both_directions_are_not_enough_to_drop_one() {
        // 1 lists 2 and 4 lists 3, each edge from one end only.
        let graph = oracle::with_chunk(b"4 1\n2\n\n\n3\n", 3, parse).unwrap();
        assert_eq!(graph.edges(), [[0, 1], [3, 2]]);
        // 1 lists 3 and 3 lists 2: as many entries lead up to 3 as down from it.
        let graph = oracle::with_chunk(b"3 1\n3\n\n2\n", 3, parse).unwrap();
        assert_eq!(graph.edges(), [[0, 2], [2, 1]]);
    }
}
