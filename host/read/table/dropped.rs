//! Lines in the midst of a table that were left out: they are counted, since none is left out in silence.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A kind of lines that are left out.
#[derive(Clone, Copy)]
pub(super) enum WhyDropped {
    Comment,
    /// A row that has the names of the columns once more, as where tables were put one after the other.
    Header,
    /// A row of which an end is missing.
    Missing,
}

/// Why lines of each kind are left out.
const WHY: [&str; 3] = [
    "a comment in the midst of the table",
    "the names of the columns once more",
    "an end is missing",
];

/// How many lines were left out, by why.
#[derive(Debug, Default)]
pub(super) struct DroppedLines([AtomicU64; WHY.len()]);

impl DroppedLines {
    /// Forgets what was counted: the lines are read once more.
    pub(super) fn restart(&self) {
        self.0.iter().for_each(|count| count.store(0, Relaxed));
    }

    /// Counts a line.
    #[cold]
    pub(super) fn count(&self, why: WhyDropped) {
        self.0[why as usize].fetch_add(1, Relaxed);
    }

    /// The warnings on what was dropped.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let counts = self.0.iter().map(|count| count.load(Relaxed));
        counts.zip(WHY).filter(|(count, _)| *count > 0).map(|(count, why)| match count {
            1 => format!("1 line was left out: {why}"),
            count => format!("{count} lines were left out: {why}"),
        })
    }
}
