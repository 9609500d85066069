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

/// Runs a decoder of another crate on bytes that may be anything. It answers many damaged files with an error, and panics on some.
///
/// A panic must not end the process, and there is no other way to keep it from that: what was being decoded is
/// dropped, and nothing else was touched.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) fn contained<T, E: std::fmt::Display>(
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, String> {
    let before = CONTAINED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    CONTAINED.set(before);
    // One line, whatever stands in it.
    let line =
        |error: E| error.to_string().replace(char::is_control, " ").chars().take(200).collect();
    result.map_err(|_| "its values cannot be decoded".to_owned())?.map_err(line)
}

#[cfg(all(test, any(feature = "arrow", feature = "parquet")))]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_while_a_panic_is_contained() {
        let within = contained(|| Ok::<bool, String>(is_contained()));
        assert_eq!((within, is_contained()), (Ok(true), false));
    }
}
