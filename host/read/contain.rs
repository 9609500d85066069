//! Panics of decoders that are given bytes that may be anything.

use std::cell::Cell;
#[cfg(any(feature = "arrow", feature = "parquet"))]
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread becomes an error of a reader. The crates that decode Parquet and Arrow panic on some damaged files;
/// the file is then refused with one message, and a panic hook has nothing to add.
///
/// ```
/// let report = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !tribin::read::is_contained() {
///         report(panic);
///     }
/// }));
/// ```
pub fn is_contained() -> bool {
    CONTAINED.get()
}

/// Runs a decoder of another crate on bytes that may be anything. `None` where it panicked.
///
/// A panic must not end the process, and there is no other way to keep it from that: what was being decoded is
/// dropped, and nothing else was touched.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    let before = CONTAINED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CONTAINED.set(before);
    result.ok()
}

#[cfg(all(test, any(feature = "arrow", feature = "parquet")))]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_while_a_panic_is_contained() {
        assert_eq!((contained(is_contained), is_contained()), (Some(true), false));
    }
}
