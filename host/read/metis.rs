//! METIS adjacency lists, as in the 10th DIMACS Implementation Challenge.
//!
//! Format: Karypis, "METIS, A Software Package for Partitioning Unstructured Graphs", manual 5.1,
//! section 4.1.1. Line i after the header lists the neighbours of vertex i, so every edge stands in
//! the file twice. The graph gets it once, from the line of its smaller end: the second listing is
//! the format's, not a duplicate. A file that does not list every edge twice (it is directed, or
//! damaged) keeps all of its entries, so that no edge is lost. Weights must be whole numbers; those of edges are
//! kept where they are asked for, those of vertices never. A file whose two listings of an edge differ in their
//! weights keeps all of its entries, too.

use std::ops::Range;

use super::entries::close_gaps;
use super::format::{About, Format, Reader};
use super::ids::{self, MOST_VERTICES};
use super::input::{self, Input, ends_line, excerpt, is_blank, next_line, skip_blanks, split};
use super::inspect::{Content, Entries};
use super::memory;
use super::number::{is_negative, number, whole};
use super::{Options, recognise, rows, weights};
use crate::{Graph, Hint, Message, Result};
use tribin_base::par;

/// Where a line is wrong, and why.
type Fault = (usize, Message);

/// What the header line declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    vertices: u64,
    /// Undirected edges: half the entries.
    edges: u64,
    /// Numbers before the neighbours of each line: vertex size and vertex weights.
    before: u64,
    /// Whether a weight follows each neighbour.
    weighted: bool,
    at: usize,
    body: usize,
}

/// What a line holds.
enum Item {
    Neighbour(u32),
    /// The weight of the edge to the neighbour before.
    Weight(u64),
}

/// The format.
pub(super) struct Metis;

impl Reader for Metis {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::Metis) }
    }

    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        recognise::refuse_binary(name, content, &recognise::WEBGRAPH)
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        let head = head(&content.input)?;
        Ok((Some(head.vertices), Entries::Declared(head.edges)))
    }

    fn parse(&self, input: &Input, options: &Options) -> Result<Graph> {
        let graph = parse(input, options.weight.as_deref());
        graph.map_err(|error| match is_edge_list(input.content) {
            true => input::hinted(error, Hint::EdgeListFormat),
            false => error,
        })
    }
}

/// Whether the first lines have two numbers each, as those of edge lists under this extension do.
fn is_edge_list(text: &[u8]) -> bool {
    const LINES: usize = 100;
    let lines = text.split(|&byte| ends_line(byte)).map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty() && !b"%#".contains(&line[0])).take(LINES);
    let are_two = |line: &[u8]| {
        let words = || line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words().count() == 2 && words().all(|word| word.iter().all(u8::is_ascii_digit))
    };
    lines.clone().count() > 1 && lines.clone().all(are_two)
}

/// Reads a graph, with the weights of its edges where their name is given.
fn parse(input: &Input, weight: Option<&str>) -> Result<Graph> {
    let head = head(input)?;
    if let Some(asked) = weight {
        weights::check_name(input, asked, "weight")?;
        if !head.weighted {
            return Err(input.at_line_of(
                head.at,
                "the header says that edges have no weights: its third number ends with 1 where they have",
            ));
        }
    }
    let text = input.content;
    let chunks = split(text, head.body, input.chunk);
    let counts = par::map(&chunks, |chunk| count_lines(&text[chunk.clone()]));
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
    let mut edges = entries(input, &head, &chunks)?;
    let entries = edges.len();
    let mut weights = match weight {
        Some(_) => weights_of(input, &head, &chunks),
        None => Vec::new(),
    };
    let twice = rows::is_symmetric(&edges, &weights).map_err(|refused| input.no_memory(refused))?;
    if twice {
        let mut next = 0;
        weights.retain(|_| {
            let [v, w] = edges[next];
            next += 1;
            v <= w
        });
        edges.retain(|[v, w]| v <= w);
        edges.shrink_to_fit();
    }
    let graph =
        ids::graph(input.name, edges, head.vertices.saturating_sub(1), Some(head.vertices))?;
    let graph = graph.with_reading(rows::one_sided("METIS", twice, entries));
    let graph = if twice { graph.with_both_directions() } else { graph };
    match weight {
        Some(_) => graph.with_weights(weights),
        None => Ok(graph),
    }
}

/// Every entry, in the file's order. `chunks` have the number of lines before them.
fn entries(input: &Input, head: &Head, chunks: &[(Range<usize>, u64)]) -> Result<Vec<[u32; 2]>> {
    // Upper bounds of the chunks' entries let every chunk write to its final place.
    let rooms = par::map(chunks, |(chunk, _)| columns(&input.content[chunk.clone()]));
    let edges = memory::zeroed(rooms.iter().sum());
    let mut edges: Vec<[u32; 2]> = edges.map_err(|refused| input.no_memory(refused))?;
    let slots = par::cut(&mut edges, rooms.iter().copied());
    let found = par::try_map(chunks.iter().zip(slots), |((chunk, first), slot)| {
        let mut found = 0;
        input.meter.add(chunk.len());
        each_list(&input.content[..chunk.end], chunk.start, *first, head, |v, item| {
            if let Item::Neighbour(w) = item {
                slot[found] = [v as u32, w];
                found += 1;
            }
        })?;
        Ok((found, 0))
    });
    let found = found.map_err(|(at, message): Fault| input.at_line_of(at, message))?;
    close_gaps(&mut edges, found.into_iter().zip(rooms));
    agrees_with_header(input, head, &edges).map(|()| edges)
}

/// The weight of every entry of a file that was found to be good.
fn weights_of(input: &Input, head: &Head, chunks: &[(Range<usize>, u64)]) -> Vec<f64> {
    let parts = par::map(chunks, |(chunk, first)| {
        let mut weights = Vec::new();
        // It had no fault the first time.
        let _ = each_list(&input.content[..chunk.end], chunk.start, *first, head, |_, item| {
            if let Item::Weight(weight) = item {
                weights.push(weight as f64);
            }
        });
        weights
    });
    parts.concat()
}

/// Reads the header line: `n m [fmt [ncon]]`.
fn head(input: &Input) -> Result<Head> {
    match input.first_line(0) {
        Some(at) => header(input, at),
        None => Err(input.at_line_of(
            input.content.len(),
            "the file ends before the header `vertices edges [format [weights]]`: it is cut off, fetch \
             it again",
        )),
    }
}

fn header(input: &Input, at: usize) -> Result<Head> {
    let text = input.content;
    let body = next_line(text, at);
    let line = text[at..body].trim_ascii();
    let words: Vec<&[u8]> =
        line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty()).collect();
    let read = || {
        let (&n, &m) = (words.first()?, words.get(1)?);
        let fmt = match words.get(2) {
            // Three digits at most, each of which stands for a kind of weights.
            Some(&word) => whole(word).filter(|fmt| {
                word.len() <= 3 && matches!(fmt, 0 | 1 | 10 | 11 | 100 | 101 | 110 | 111)
            })?,
            None => 0,
        };
        // A number of weights needs weights, as METIS itself has it.
        let weights = match (words.get(3), fmt / 10 % 10 == 1) {
            (Some(&word), true) => whole(word).filter(|&weights| weights >= 1)?,
            (None, true) => 1,
            (Some(_), false) => return None,
            (None, false) => 0,
        };
        Some(Head {
            vertices: whole(n)?,
            edges: whole(m)?,
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
                 110, 111, and `weights` only where vertices have weights (10, 11, 110, 111), at \
                 least 1",
                excerpt(line)
            ),
        )),
    }
}

/// What stands between blanks and line ends: neighbours, and weights and words of comments.
fn columns(chunk: &[u8]) -> usize {
    let is_column = |b: u8| b > b' ';
    let first = chunk.first().is_some_and(|&b| is_column(b));
    let others = chunk.windows(2).filter(|pair| !is_column(pair[0]) & is_column(pair[1])).count();
    usize::from(first) + others
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

/// Parses the lines from `at` to the end of `text`, the first of which is that of vertex `vertex`. Calls
/// `found` with each vertex and what its line holds.
fn each_list(
    text: &[u8],
    mut at: usize,
    mut vertex: u64,
    head: &Head,
    mut found: impl FnMut(u64, Item),
) -> Result<(), Fault> {
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
        at = neighbours(text, at, vertex, head, &mut found)?;
        vertex += 1;
    }
    Ok(())
}

fn surplus_line(text: &[u8], at: usize, head: &Head) -> Fault {
    let line = text[at..next_line(text, at)].trim_ascii_end();
    let message = format!(
        "{} stands after the line of the last vertex: the header announces {} vertices, correct it or fetch the file again",
        excerpt(line),
        head.vertices
    );
    (at, message.into())
}

/// Parses one vertex's line and returns the start of the next.
fn neighbours(
    text: &[u8],
    mut at: usize,
    vertex: u64,
    head: &Head,
    found: &mut impl FnMut(u64, Item),
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
            match number(text, at) {
                Ok((weight, end)) if ends_column(text, end) => {
                    if last.is_some() {
                        found(vertex, Item::Weight(weight));
                    }
                    at = end;
                }
                _ => return Err(not_a_weight(text, at)),
            }
            skip -= 1;
            continue;
        }
        let (id, end) = match number(text, at) {
            Ok((id, end)) if (1..=head.vertices).contains(&id) && ends_column(text, end) => {
                (id - 1, end)
            }
            _ => return Err(not_a_neighbour(text, at, head)),
        };
        // Below the number of vertices, which fits 32 bits.
        found(vertex, Item::Neighbour(id as u32));
        last = Some(at);
        at = end;
        skip = u64::from(head.weighted);
    }
    let message = match last {
        _ if skip == 0 => return Ok(next_line(text, at)),
        Some(last) => format!(
            "the neighbour {} has no edge weight after it, which the header's format asks for: correct the header or fetch the \
             file again",
            excerpt(column(text, last))
        ),
        None => format!(
            "the line of vertex {} lacks {skip} of the {} vertex weights that the header's format asks for: correct the header or \
             fetch the file again",
            vertex + 1,
            head.before
        ),
    };
    Err((last.unwrap_or(at), message.into()))
}

/// Whether a column ends before byte `at`.
#[inline(always)]
fn ends_column(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&b| is_blank(b) || ends_line(b))
}

/// What stands at `at`, to the next blank or line end: a comma separates nothing here.
fn column(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at..];
    let end = rest.iter().position(|&b| is_blank(b) || ends_line(b));
    &rest[..end.unwrap_or(rest.len())]
}

fn not_a_weight(text: &[u8], at: usize) -> Fault {
    let found = excerpt(column(text, at));
    let message = format!(
        "{found} is not a weight: the header's format asks for weights, which are whole numbers from 0 \
         to 2^64-1; correct the header or the line"
    );
    (at, message.into())
}

fn not_a_neighbour(text: &[u8], at: usize, head: &Head) -> Fault {
    let column = column(text, at);
    let found = excerpt(column);
    let digits = column.iter().all(u8::is_ascii_digit);
    let message: Message = if digits || is_negative(column) {
        format!(
            "the neighbour {found} is out of range: the header allows 1 to {}, correct it or fetch \
             the file again",
            head.vertices
        )
        .into()
    } else {
        Message::from(format!(
            "{found} is not a neighbour: each line holds the numbers of a vertex's neighbours, from \
             1 to {}",
            head.vertices
        ))
        .with_hint(Hint::EdgeListFormat)
    };
    (at, message)
}

/// Checks the number of entries. A self-loop may be listed once or twice.
fn agrees_with_header(input: &Input, head: &Head, edges: &[[u32; 2]]) -> Result<()> {
    let loops =
        par::map(edges.chunks(par::BLOCK), |edges| edges.iter().filter(|[v, w]| v == w).count());
    let (entries, loops) = (edges.len(), loops.into_iter().sum::<usize>());
    let announced = u128::from(head.edges) * 2;
    if announced == entries as u128 || announced == (entries + loops) as u128 {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle;
    use super::*;
    use crate::VertexIds;

    fn unweighted(input: &Input) -> Result<Graph> {
        parse(input, None)
    }

    #[test]
    fn weights_of_edges_are_kept_and_those_of_vertices_are_not() {
        let weighted = |text: &str, chunk: usize| {
            let read = |input: &Input| parse(input, Some("weight"));
            oracle::with_chunk(text.as_bytes(), chunk, read)
        };
        for chunk in 1..40 {
            // A vertex has a size and a weight before its neighbours.
            let graph =
                weighted("3 3 111\n9 8 2 5 3 7\n9 8 1 5 3 0\n9 8 1 7 2 0\n", chunk).unwrap();
            assert_eq!(graph.edges(), [[0, 1], [0, 2], [1, 2]]);
            assert_eq!(graph.weights(), Some(&[5.0, 7.0, 0.0][..]));
            // Two listings that differ are two arcs.
            let graph = weighted("% two\n2 1 1\n2 5\n1 6\n", chunk).unwrap();
            assert_eq!(graph.edges(), [[0, 1], [1, 0]]);
            assert_eq!(graph.weights(), Some(&[5.0, 6.0][..]));
        }
        let error = weighted("2 1 10\n4 2\n4 1\n", 9).unwrap_err().to_string();
        assert!(error.contains("the header says that edges have no weights"), "{error}");
    }

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
            let graph = oracle::with_chunk(text.as_bytes(), chunk, unweighted).unwrap();
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
            let graph = oracle::with_chunk(text.as_bytes(), chunk, unweighted).unwrap();
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
        let graph = oracle::with_chunk(b"4 1\n2\n\n\n3\n", 3, unweighted).unwrap();
        assert_eq!(graph.edges(), [[0, 1], [3, 2]]);
        // 1 lists 3 and 3 lists 2: as many entries lead up to 3 as down from it.
        let graph = oracle::with_chunk(b"3 1\n3\n\n2\n", 3, unweighted).unwrap();
        assert_eq!(graph.edges(), [[0, 2], [2, 1]]);
    }
}
