//! METIS adjacency lists, as in the 10th DIMACS Implementation Challenge.
//!
//! Format: Karypis, "METIS, A Software Package for Partitioning Unstructured Graphs", manual 5.1,
//! section 4.1.1. Line i after the header lists the neighbours of vertex i, so every edge stands in
//! the file twice. The graph gets it once, from the line of its smaller end: the second listing is
//! the format's, not a duplicate. A file that does not list every edge twice (it is directed, or
//! damaged) keeps all of its entries, so that no edge is lost. Weights must be whole numbers; those of edges are
//! kept where they are asked for, those of vertices never. A file whose two listings of an edge differ in their
//! weights keeps all of its entries, too.

use super::entries::{ParsedEdges, Rule, TextPieces};
use super::format::{About, Format, Reader};
use super::ids::{self, MOST_VERTICES};
use super::in_order::in_order;
use super::input::{
    self, Fault, ends_line, ends_word, excerpt, lines_from, next_line, skip_blanks, words,
};
use super::inspect::Foretold;
use super::number::{Number, number, whole};
use super::open_file::OpenFile;
use super::{rows, weights};
use crate::{Graph, Message, Result, hint};

/// What the header line declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MetisHead {
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

/// The format.
pub(super) struct Metis;

impl Reader for Metis {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::Metis) }
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let head = head(input)?;
        Ok(Some(Foretold::declared(head.edges, Some(head.vertices))))
    }

    /// What is wrong with a head is said of the whole file. A text is read twice, which takes a server its time.
    fn needs_all(&self, input: &OpenFile) -> bool {
        input.file.is_far() || !head(input).is_ok_and(|head| head.body < input.content().len())
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        parse(input).map_err(|fault| match is_edge_list(input.content()) {
            true => input::hinted(input.fault(fault), hint::EDGE_LIST_FORMAT).into(),
            false => fault,
        })
    }
}

/// Whether the first lines have two numbers each, as those of edge lists under this extension do.
fn is_edge_list(text: &[u8]) -> bool {
    const LINES: usize = 100;
    let is_edge = |line: &&[u8]| !line.is_empty() && !b"%#".contains(&line[0]);
    let lines = lines_from(text, 0).map(|(_, line)| line).filter(is_edge).take(LINES);
    let are_two =
        |line: &&[u8]| words(line).count() == 2 && words(line).flatten().all(u8::is_ascii_digit);
    let lines: Vec<&[u8]> = lines.collect();
    lines.len() > 1 && lines.iter().all(are_two)
}

/// Reads a graph, with the weights of its edges where they are asked for.
fn parse(input: &OpenFile) -> Result<Graph, Fault> {
    let (head, weight) = (head(input)?, &input.options.weight);
    weights::check_name(input, "weight")?;
    if weight.is_some() && !head.weighted {
        let why = "the header says that edges have no weights: its third number ends with 1 where they have";
        return Err(Fault::line(head.at, why));
    }
    let pieces = TextPieces::of(input, head.body);
    let counts = in_order(pieces.number(), |piece, buffer: &mut Vec<u8>| {
        let text = pieces.read(piece, buffer)?;
        Ok::<u64, Fault>(lines_from(text, 0).filter(|&(at, _)| text[at] != b'%').count() as u64)
    })?;
    let lines: u64 = counts.iter().sum();
    if lines < head.vertices {
        let message = format!(
            "the header announces {} vertices and {lines} lines of neighbours follow: the file is cut off (the line of a \
             vertex without neighbours is empty, not missing)",
            head.vertices
        );
        return Err(Fault::line(head.at, message));
    }
    let firsts = counts.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count)
    });
    let firsts: Vec<u64> = firsts.collect();
    let rule = Lists { head, firsts: &firsts, vertex: 0, is_weighted: weight.is_some() };
    let ParsedEdges { edges, weights, .. } = pieces.entries(rule)?;
    let entries = edges.len();
    // A self-loop may be listed once or twice.
    let loops = edges.iter().filter(|[v, w]| v == w).count();
    let announced = u128::from(head.edges) * 2;
    if announced != entries as u128 && announced != (entries + loops) as u128 {
        let message = format!(
            "the header announces {} edges and the lines hold {entries} neighbours, not twice as many: correct the header \
             (it counts each edge once) or fetch the file again",
            head.edges
        );
        return Err(Fault::line(head.at, message));
    }
    rows::listed_twice("METIS", edges, weights, |edges| {
        ids::graph(input.name(), edges, head.vertices.saturating_sub(1), Some(head.vertices))
    })
}

/// Reads the header line: `n m [fmt [ncon]]`.
fn head(input: &OpenFile) -> Result<MetisHead> {
    let text = input.content();
    let Some((at, line)) = input.first_line(0) else {
        let why = "the file ends before the header `vertices edges [format [weights]]`: it is cut off, fetch it again";
        return Err(input.at_line_of(text.len(), why));
    };
    let body = next_line(text, at);
    let words: Vec<&[u8]> = words(line).collect();
    let read = || {
        let numbers: Option<Vec<u64>> = words.iter().map(|word| whole(word)).collect();
        let (vertices, edges, format, number) = match numbers?[..] {
            [n, m] => (n, m, 0, None),
            [n, m, format] => (n, m, format, None),
            [n, m, format, number] => (n, m, format, Some(number)),
            _ => return None,
        };
        // Three digits at most, each of which stands for a kind of weights.
        let is_format = matches!(format, 0 | 1 | 10 | 11 | 100 | 101 | 110 | 111)
            && words.get(2).is_none_or(|word| word.len() <= 3);
        // A number of weights needs weights, as METIS itself has it.
        let weights = match (number, format / 10 % 10) {
            (None, of_vertices) => of_vertices,
            (Some(number), 1) if number >= 1 => number,
            _ => return None,
        };
        let before = weights.checked_add(format / 100)?;
        let head = MetisHead { vertices, edges, before, weighted: format % 10 == 1, at, body };
        is_format.then_some(head)
    };
    match read() {
        Some(head) if head.vertices > MOST_VERTICES => {
            Err(input.at_line_of(at, input::too_many(head.vertices)))
        }
        Some(head) => Ok(head),
        None => {
            let message = format!(
                "{} is not the header of a METIS file: two to four integers are expected, `vertices edges [format [weights]]`, \
                 the format one of 0, 1, 10, 11, 100, 101, 110, 111, and `weights` only where vertices have weights (10, 11, \
                 110, 111), at least 1",
                excerpt(line)
            );
            Err(input.at_line_of(at, message))
        }
    }
}

/// The neighbours of the vertices, a line for each.
#[derive(Clone, Copy)]
struct Lists<'a> {
    head: MetisHead,
    /// The first vertex in each piece of the file.
    firsts: &'a [u64],
    /// The vertex whose line comes next.
    vertex: u64,
    is_weighted: bool,
}

impl Rule for Lists<'_> {
    fn in_piece(self, index: usize) -> Self {
        Lists { vertex: self.firsts[index], ..self }
    }

    fn line(
        &mut self,
        text: &[u8],
        line: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> Result<usize, Fault> {
        let (head, vertex) = (self.head, self.vertex);
        if text[line] == b'%' {
            return Ok(next_line(text, line));
        }
        if vertex >= head.vertices {
            return behind_the_last(text, line, &head);
        }
        self.vertex += 1;
        // Weights that come before the next neighbour: those of the vertex, then that of the edge to the neighbour before.
        let (mut at, mut weights, mut neighbour) = (line, head.before, None);
        loop {
            at = skip_blanks(text, at);
            if text.get(at).is_none_or(|&byte| ends_line(byte)) {
                break;
            }
            let number = number(text, at).ok().filter(|number| ends_word(text, number.end));
            let is_id = number.is_some_and(|id| (1..=head.vertices).contains(&id.value));
            let Some(Number { value, end }) = number.filter(|_| weights > 0 || is_id) else {
                return Err(no_number(text, at, weights > 0, &head));
            };
            if weights > 0 {
                weights -= 1;
                if let Some(neighbour) = neighbour.take() {
                    found(vertex, neighbour, value as f64);
                }
            } else if head.weighted {
                (weights, neighbour) = (1, Some(value - 1));
            } else {
                found(vertex, value - 1, 1.0);
            }
            at = end;
        }
        if weights == 0 {
            return Ok(next_line(text, at));
        }
        let message = format!(
            "the line of vertex {} ends before {weights} of the weights that the header's format asks for: correct the header \
             or fetch the file again",
            vertex + 1
        );
        Err(Fault::line(at, message))
    }

    fn is_weighted(self) -> bool {
        self.is_weighted
    }

    /// The number of words between blanks and line ends: neighbours, and weights and words of comments.
    fn room(self, text: &[u8]) -> usize {
        let is_column = |b: u8| b > b' ';
        let first = text.first().is_some_and(|&b| is_column(b));
        let others = text.windows(2).filter(|pair| !is_column(pair[0]) & is_column(pair[1]));
        usize::from(first) + others.count()
    }
}

/// The start of the line after one that stands behind the line of the last vertex, and has to be blank.
fn behind_the_last(text: &[u8], at: usize, head: &MetisHead) -> Result<usize, Fault> {
    let (at, next) = (skip_blanks(text, at), next_line(text, at));
    let line = text[at..next].trim_ascii_end();
    if line.is_empty() {
        return Ok(next);
    }
    let message = format!(
        "{} stands after the line of the last vertex: the header announces {} vertices, correct it or fetch the \
         file again",
        excerpt(line),
        head.vertices
    );
    Err(Fault::line(at, message))
}

/// The fault of the text at `at`, where a weight or a neighbour is expected.
#[cold]
fn no_number(text: &[u8], at: usize, is_weight: bool, head: &MetisHead) -> Fault {
    let column = words(&text[at..next_line(text, at)]).next().unwrap_or_default();
    let found = excerpt(column);
    if is_weight {
        let message = format!(
            "{found} is not a weight: the header's format asks for weights, which are whole numbers from 0 \
             to 2^64-1; correct the header or the line"
        );
        return Fault::line(at, message);
    }
    let message = Message::from(format!(
        "{found} is not a neighbour: each line holds the numbers of a vertex's neighbours, from 1 to {}",
        head.vertices
    ));
    match column.iter().all(u8::is_ascii_digit) {
        true => Fault::Line(at, message),
        false => Fault::Line(at, message.with_hint(hint::EDGE_LIST_FORMAT)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Options, oracle};
    use super::*;
    use crate::VertexIds;

    fn unweighted(text: &[u8], chunk: usize) -> Result<Graph> {
        oracle::with_chunk(text, chunk, &Options::default(), parse)
    }

    #[test]
    fn weights_of_edges_are_kept_and_those_of_vertices_are_not() {
        let weighted = |text: &str, chunk: usize| {
            let options = Options { weight: Some("weight".into()), ..Options::default() };
            oracle::with_chunk(text.as_bytes(), chunk, &options, parse)
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
            let graph = unweighted(text.as_bytes(), chunk).unwrap();
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
            let graph = unweighted(text.as_bytes(), chunk).unwrap();
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
        let graph = unweighted(b"4 1\n2\n\n\n3\n", 3).unwrap();
        assert_eq!(graph.edges(), [[0, 1], [3, 2]]);
        // 1 lists 3 and 3 lists 2: as many entries lead up to 3 as down from it.
        let graph = unweighted(b"3 1\n3\n\n2\n", 3).unwrap();
        assert_eq!(graph.edges(), [[0, 2], [2, 1]]);
    }
}
