//! Texts with an entry a line whose vertices are called 1 to n: Matrix Market and DIMACS. A head says how many vertices and entries
//! there are.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::entries::{Rule, TextPieces, vertex};
use super::format::{About, Format, Reader};
use super::input::{Fault, ends_line, ends_word, excerpt, next_line, skip_blanks, token};
use super::inspect::Foretold;
use super::number::Number;
use super::open_file::OpenFile;
use super::table::is_mark;
use super::weights;
use crate::graph::{EdgeSink, EntryIds, Reading, Visited};
use crate::{Graph, Result};

/// A format of such texts.
pub(super) struct NumberedFormat {
    pub(super) format: Format,
    /// The name of the format for people.
    pub(super) called: &'static str,
    /// Whether a file is of the format because of its first bytes; `named` is the format that its extension says.
    pub(super) begins: fn(head: &[u8], named: Option<Format>) -> bool,
    pub(super) head: fn(&OpenFile) -> Result<NumberedHead>,
    /// What the entries are counted in.
    pub(super) declares: &'static str,
    /// What a line needs.
    pub(super) needs: &'static str,
    /// Whether letters begin lines, as of comments and of what is said of vertices.
    pub(super) has_letters: bool,
    /// What weights are called beside `weight`.
    pub(super) weights: &'static str,
}

/// What the head of a file says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NumberedHead {
    pub(super) vertices: u64,
    pub(super) entries: u64,
    /// Whether there are exactly as many entries. Else files may have each edge twice, or have counted both directions.
    pub(super) is_exact: bool,
    /// Whether an entry stands for its opposite, too.
    pub(super) is_mirrored: bool,
    /// Whether entries whose value is 0 are counted.
    pub(super) counts_zeros: bool,
    /// Why there are no weights.
    pub(super) no_weights: Option<&'static str>,
    /// What is odd about the head.
    pub(super) note: Option<&'static str>,
    /// Where the number of entries is declared, and where the first entry's line begins.
    pub(super) at: usize,
    pub(super) body: usize,
}

impl Reader for NumberedFormat {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(self.format) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        (self.begins)(head, named)
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let head = (self.head)(input)?;
        Ok(Some(Foretold::declared(head.entries, Some(head.vertices))))
    }

    /// The head or a line end may go on behind what is looked at. What is wrong with a head is said of the whole file.
    fn needs_all(&self, input: &OpenFile) -> bool {
        !(self.head)(input).is_ok_and(|head| head.body < input.content().len())
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let head = (self.head)(input)?;
        weights::check_name(input, self.weights)?;
        let is_weighted = input.options.weight.is_some();
        if let Some(why) = head.no_weights.filter(|_| is_weighted) {
            return Err(Fault::line(0, why));
        }
        let zeros = AtomicU64::new(0);
        let rule = NumberedLines { format: self, head, zeros: &zeros, is_weighted };
        let graph = TextPieces::of(input, head.body).graph(rule, Some(head.vertices))?;
        self.check(&head, graph.edges().len() as u64)?;
        let graph = if head.is_mirrored { graph.with_both_directions() } else { graph };
        Ok(graph.with_reading(self.reading(&head, zeros)))
    }

    fn visit(&self, input: &OpenFile, sink: &dyn EdgeSink) -> Result<Option<Visited>, Fault> {
        let (head, zeros) = ((self.head)(input)?, AtomicU64::new(0));
        let rule = NumberedLines { format: self, head, zeros: &zeros, is_weighted: false };
        let found = TextPieces::of(input, head.body).visit(rule, sink)?;
        self.check(&head, found)?;
        let ids = EntryIds::FromOne { declared: Some(head.vertices) };
        let (reading, both_directions) = (self.reading(&head, zeros), head.is_mirrored);
        Ok(Some(Visited { ids, reading, both_directions, ..Visited::default() }))
    }
}

impl NumberedFormat {
    /// Refuses another number of entries than the head announces.
    fn check(&self, head: &NumberedHead, found: u64) -> Result<(), Fault> {
        let NumberedHead { entries: announced, is_exact, .. } = *head;
        let declares = self.declares;
        let why = match found.cmp(&announced) {
            Ordering::Equal => return Ok(()),
            _ if !is_exact
                && (announced.checked_mul(2) == Some(found) || 2 * found == announced) =>
            {
                return Ok(());
            }
            Ordering::Less => "the file is cut off, fetch it again".into(),
            Ordering::Greater => format!("correct the {declares}, or fetch the file again"),
        };
        let message = format!(
            "the {declares} announces {announced} entries and the file holds {found}: {why}"
        );
        Err(Fault::line(head.at, message))
    }

    /// What a user should know.
    fn reading(&self, head: &NumberedHead, zeros: AtomicU64) -> Option<Reading> {
        let notes = head.note.map(String::from).into_iter().chain(zeros_note(zeros.into_inner()));
        noted(self.called, notes.collect())
    }
}

/// A report of warnings alone; `None` where there are none.
pub(super) fn noted(called: &str, warnings: Vec<String>) -> Option<Reading> {
    let table = called.into();
    (!warnings.is_empty()).then(|| Reading { table, warnings, ..Reading::default() })
}

/// What a user should know of entries that are stored and have the value 0.
pub(super) fn zeros_note(zeros: u64) -> Option<String> {
    (zeros > 0)
        .then(|| format!("{zeros} stored entries have the value 0: they were taken as edges"))
}

/// How lines become entries.
#[derive(Clone, Copy)]
struct NumberedLines<'a> {
    format: &'a NumberedFormat,
    head: NumberedHead,
    /// The entries whose value is 0, where the head says that they are counted.
    zeros: &'a AtomicU64,
    is_weighted: bool,
}

impl NumberedLines<'_> {
    /// The fault of a line whose vertex at `at` is none.
    #[cold]
    fn no_vertex(self, text: &[u8], line: usize, at: usize) -> Fault {
        let (found, what) = match token(text, at) {
            [] => (token(text, line), "stands alone"),
            found => (found, "is no such index"),
        };
        let (needs, vertices) = (self.format.needs, self.head.vertices);
        let message = format!("{} {what}: {needs} from 1 to {vertices}", excerpt(found));
        Fault::line(line, message)
    }
}

impl Rule for NumberedLines<'_> {
    #[inline(always)]
    fn line(
        &mut self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> std::result::Result<usize, Fault> {
        let line = skip_blanks(text, at);
        let rest = &text[line..];
        if rest.first().is_none_or(|&byte| ends_line(byte)) || is_mark(rest) {
            return Ok(next_line(text, line));
        }
        let mut first = line;
        if self.format.has_letters && ends_word(text, line + 1) {
            match rest[0] {
                b'a' | b'e' => first = line + 1,
                b'c' | b'n' | b'd' | b'v' | b'x' => return Ok(next_line(text, line)),
                _ => {}
            }
        }
        let vertex = |at: usize| {
            vertex(text, at, self.head.vertices).map_err(|at| self.no_vertex(text, line, at))
        };
        let Number { value: u, end } = vertex(first)?;
        let Number { value: v, end } = vertex(end)?;
        let mut weight = 1.0;
        if self.is_weighted || self.head.counts_zeros {
            let value = token(text, skip_blanks(text, end));
            if self.is_weighted {
                weight = weights::number(value).map_err(|message| Fault::line(line, message))?;
            }
            if self.head.counts_zeros && is_zero(value) {
                self.zeros.fetch_add(1, Relaxed);
            }
        }
        found(u, v, weight);
        Ok(next_line(text, end))
    }

    fn is_weighted(self) -> bool {
        self.is_weighted
    }

    fn restart(self) {
        self.zeros.store(0, Relaxed);
    }
}

/// Whether a value is 0, however it is written. The first byte tells most that are not.
fn is_zero(value: &[u8]) -> bool {
    value.first().is_some_and(|byte| b"+-.0".contains(byte))
        && weights::number(value).is_ok_and(|value| value == 0.0)
}
