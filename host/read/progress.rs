//! Progress in bytes of the file, for whoever draws it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A callback that is given the number of bytes consumed since its last call, from any thread. The
/// numbers add up to the file's size (its compressed size where it is compressed) when reading
/// succeeds, and never to more.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64) + Send + Sync>);

impl Progress {
    /// Wraps a callback, for example `move |bytes| bar.inc(bytes)`.
    pub fn new(consumed: impl Fn(u64) + Send + Sync + 'static) -> Progress {
        Progress(Arc::new(consumed))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress(..)")
    }
}

/// Counts consumed bytes up to the file's size: a second pass over the same bytes adds nothing.
#[derive(Default)]
pub(super) struct Meter {
    progress: Option<Progress>,
    left: AtomicU64,
}

impl Meter {
    pub(super) fn new(progress: Option<Progress>, total: u64) -> Meter {
        Meter { progress, left: AtomicU64::new(total) }
    }

    pub(super) fn add(&self, bytes: usize) {
        let Some(Progress(consumed)) = &self.progress else { return };
        let before = self
            .left
            .try_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(bytes as u64)))
            .unwrap_or(0);
        let step = before.min(bytes as u64);
        if step > 0 {
            consumed(step);
        }
    }

    pub(super) fn finish(&self) {
        self.add(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_reports_more_than_the_file_holds() {
        let seen = Arc::new(AtomicU64::new(0));
        let sum = seen.clone();
        let progress = Progress::new(move |bytes| {
            sum.fetch_add(bytes, Relaxed);
        });
        let meter = Meter::new(Some(progress), 10);
        meter.add(4);
        assert_eq!(seen.load(Relaxed), 4);
        meter.add(4);
        meter.add(4);
        assert_eq!(seen.load(Relaxed), 10);
        meter.finish();
        assert_eq!(seen.load(Relaxed), 10);
    }
}
