//! Lines in the midst of a table that were left out: they are counted, since none is left out in silence.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Why lines are left out.
const WHY: [&str; 3] = [
    "a comment in the midst of the table",
    "the names of the columns once more",
    "an end is missing",
];

/// How many lines were left out, by why.
#[derive(Debug, Default)]
pub(crate) struct Dropped<'a> {
    /// The names of the two ends, where the first line has them.
    header: Option<&'a [String; 2]>,
    lines: [AtomicU64; WHY.len()],
}

impl<'a> Dropped<'a> {
    /// No lines yet, of a table with these names of its two ends.
    pub(super) fn below(header: Option<&'a [String; 2]>) -> Dropped<'a> {
        Dropped { header, ..Dropped::default() }
    }

    /// Forgets what was counted: the lines are read once more.
    pub(crate) fn restart(&self) {
        self.lines.iter().for_each(|count| count.store(0, Relaxed));
    }

    /// Counts a comment.
    #[cold]
    pub(crate) fn comment(&self) {
        self.lines[0].fetch_add(1, Relaxed);
    }

    /// Counts a row of which an end is missing.
    #[cold]
    pub(super) fn missing(&self) {
        self.lines[2].fetch_add(1, Relaxed);
    }

    /// Whether the two ends are the names of the columns.
    #[inline]
    pub(super) fn has_names(&self, ends: [&[u8]; 2]) -> bool {
        self.header
            .is_some_and(|header| header.iter().zip(ends).all(|(name, end)| name.as_bytes() == end))
    }

    /// Whether the two ends are the names of the columns once more, as where tables were put one after the other. Counts
    /// the row if they are.
    pub(crate) fn is_header(&self, ends: [&[u8]; 2]) -> bool {
        let is = self.has_names(ends);
        if is {
            self.lines[1].fetch_add(1, Relaxed);
        }
        is
    }

    /// What to say of it.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let counts = self.lines.iter().map(|count| count.load(Relaxed));
        counts.zip(WHY).filter(|(count, _)| *count > 0).map(|(count, why)| match count {
            1 => format!("1 line was left out: {why}"),
            count => format!("{count} lines were left out: {why}"),
        })
    }
}
