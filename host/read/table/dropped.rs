//! Lines in the midst of a table that were left out: they are counted, since none is left out in silence.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many lines were left out, by why.
#[derive(Debug, Default)]
pub(crate) struct Dropped<'a> {
    /// The names of the two ends, where the first line has them.
    header: Option<&'a [String; 2]>,
    comments: AtomicU64,
    headers: AtomicU64,
    missing: AtomicU64,
}

impl<'a> Dropped<'a> {
    /// No lines yet, of a table with these names of its two ends.
    pub(super) fn below(header: Option<&'a [String; 2]>) -> Dropped<'a> {
        Dropped { header, ..Dropped::default() }
    }

    /// Forgets what was counted: the lines are read once more.
    pub(crate) fn restart(&self) {
        for count in [&self.comments, &self.headers, &self.missing] {
            count.store(0, Relaxed);
        }
    }

    /// Whether there are names of columns that may come again.
    pub(super) fn has_header(&self) -> bool {
        self.header.is_some()
    }

    /// Counts a comment.
    #[cold]
    pub(crate) fn comment(&self) {
        self.comments.fetch_add(1, Relaxed);
    }

    /// Counts a row of which an end is missing.
    #[cold]
    pub(super) fn missing(&self) {
        self.missing.fetch_add(1, Relaxed);
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
            self.headers.fetch_add(1, Relaxed);
        }
        is
    }

    /// What to say of it.
    pub(super) fn warnings(&self) -> Vec<String> {
        let told = |count: &AtomicU64, one: &str, many: &str| match count.load(Relaxed) {
            0 => None,
            1 => Some(format!("1 line {one} was left out")),
            count => Some(format!("{count} lines {many} were left out")),
        };
        let found = [
            told(
                &self.comments,
                "in the midst of the table that begins as a comment",
                "in the midst of the table that begin as comments",
            ),
            told(
                &self.headers,
                "with the names of the columns once more",
                "with the names of the columns once more",
            ),
            told(&self.missing, "of which an end is missing", "of which an end is missing"),
        ];
        found.into_iter().flatten().collect()
    }
}
