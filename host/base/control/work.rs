//! How much of the work is done.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Says how much of the work at hand is done. Clones are one gauge, and any thread may look at it.
///
/// Work on the CPU says at its start how many units it has (bytes, entries, tasks, …), and adds those that are
/// done, a batch at a time. A job of a GPU has steps: its upload goes by pieces, and what follows says when it is done.
///
/// ```
/// use tribin::{Graph, Options, Session, Work};
///
/// let work = Work::new();
/// assert_eq!(work.done(), None);
/// let mut options = Options::default();
/// options.work = work.clone();
/// // Another thread may look at `work.done()` meanwhile.
/// Session::open(options)?.count(&Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]))?;
/// assert!(work.done().is_none_or(|share| share == 1.0));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Work(Arc<Units>);

#[derive(Default)]
struct Units {
    done: AtomicU64,
    /// 0 where nobody said how many there are.
    all: AtomicU64,
}

impl Work {
    /// A gauge of no work yet.
    pub fn new() -> Work {
        Work::default()
    }

    /// Begins work of this many units. Where there are 0, how much is done is not known.
    pub fn begin(&self, units: u64) {
        self.0.all.store(0, Relaxed);
        self.0.done.store(0, Relaxed);
        self.0.all.store(units, Relaxed);
    }

    /// Adds units that are done. Cheap enough for every task, not for every edge.
    pub fn add(&self, units: u64) {
        self.0.done.fetch_add(units, Relaxed);
    }

    /// The share that is done, from 0 to 1; `None` where it is not known. Nothing orders it against the work
    /// itself: it is for showing.
    pub fn done(&self) -> Option<f64> {
        let all = self.0.all.load(Relaxed);
        (all > 0).then(|| (self.0.done.load(Relaxed) as f64 / all as f64).min(1.0))
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Work").field(&self.done()).finish()
    }
}

impl PartialEq for Work {
    /// Whether both are one gauge.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Work {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_what_was_begun() {
        let work = Work::new();
        work.add(3);
        assert_eq!(work.done(), None);
        work.begin(8);
        assert_eq!(work.done(), Some(0.0));
        work.clone().add(6);
        assert_eq!(work.done(), Some(0.75));
        work.add(6);
        assert_eq!(work.done(), Some(1.0));
        work.begin(0);
        assert_eq!(work.done(), None);
    }
}
