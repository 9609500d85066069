//! Lines of ids, in parallel: what tables, Matrix Market files and DIMACS files share.

mod pieces;
#[cfg(target_arch = "x86_64")]
mod plain;

pub(super) use self::pieces::{ParsedEdges, TextPieces, visit_compressed};
use super::input::{self, Fault, ends_word, skip_blanks};
use super::number::{Number, number};

/// A rule by which lines become entries.
pub(super) trait Rule: Copy + Send + Sync {
    /// This rule for the lines of a piece, of this number.
    fn in_piece(self, _: usize) -> Self {
        self
    }

    /// Calls `found` with each entry of the line at `at`, and returns the start of the next line. The first id that the file may use
    /// is taken off each id. The weight is 1 where none is read.
    ///
    /// # Errors
    /// For a line that is no entry, no comment and not blank.
    fn line(
        &mut self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> Result<usize, Fault>;

    /// Whether weights are read.
    fn is_weighted(self) -> bool {
        false
    }

    /// An upper bound of the entries in some lines.
    fn room(self, text: &[u8]) -> usize {
        let lines = input::lines(text) + usize::from(!text.ends_with(b"\n"));
        // The shortest, `0 0` and a line end, has four bytes.
        lines.min((text.len() + 1) / 4)
    }

    /// The bytes that may stand between the two numbers of a line, where two numbers alone on a line are an entry.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    fn between(self) -> Option<[u8; 2]> {
        None
    }

    /// A pass over the lines begins: what was counted of lines before is of an earlier pass.
    fn restart(self) {}
}

/// The largest `id - first` that is kept in 32 bits; the number of vertices then fits as well.
pub(super) const LARGEST: u64 = u32::MAX as u64 - 1;

/// Reads the lines from `at` to the end of `text`.
#[inline(always)]
pub(super) fn lines(
    text: &[u8],
    mut at: usize,
    mut rule: impl Rule,
    mut found: impl FnMut(u64, u64, f64),
) -> Result<(), Fault> {
    /// Lines after one that is not plain: others may follow it.
    const ONE_BY_ONE: usize = 8;
    while at < text.len() {
        #[cfg(target_arch = "x86_64")]
        if let Some(between) = rule.between() {
            at = plain::lines(text, at, between, &mut |u, v| found(u, v, 1.0));
        }
        for _ in 0..ONE_BY_ONE {
            if at < text.len() {
                at = rule.line(text, at, &mut found)?;
            }
        }
    }
    Ok(())
}

/// Moves the entries of all parts to the front. `parts` has the number of the entries of each, and how much room it had.
fn close_gaps(edges: &mut Vec<[u32; 2]>, parts: impl Iterator<Item = (usize, usize)>) {
    let (mut kept, mut offset) = (0, 0);
    for (entries, room) in parts {
        if kept != offset {
            edges.copy_within(offset..offset + entries, kept);
        }
        kept += entries;
        offset += room;
    }
    edges.truncate(kept);
    edges.shrink_to_fit();
}

/// The next of the vertices 1 to `vertices` on a line, from 0, and where it ends; or where a column begins that is none of them.
#[inline(always)]
pub(super) fn vertex(text: &[u8], at: usize, vertices: u64) -> Result<Number, usize> {
    let at = skip_blanks(text, at);
    match number(text, at) {
        Ok(Number { value: id, end }) if ends_word(text, end) && (1..=vertices).contains(&id) => {
            Ok(Number { value: id - 1, end })
        }
        _ => Err(at),
    }
}
