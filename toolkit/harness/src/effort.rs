//! How much of what could be tried a run of the tests tries.
//!
//! Emulating every kernel under every seed, and every method under every policy, takes minutes. A quick
//! run takes a share of the combinations that leaves out no kernel, no method and no policy. The share is
//! the same in every quick run.

const VARIABLE: &str = "WARPWISE_TEST_EFFORT";

/// Whether the run is to try everything: `WARPWISE_TEST_EFFORT=full`. Otherwise the variable is `quick`,
/// or not set.
///
/// # Panics
/// If the variable holds another value.
pub fn is_full() -> bool {
    match std::env::var(VARIABLE).as_deref() {
        Ok("full") => true,
        Ok("quick") | Err(_) => false,
        Ok(other) => panic!("{VARIABLE}={other}: expected quick or full"),
    }
}

/// Whether a quick run tries the combination with this number: one in `share` is tried.
pub fn takes(number: usize, share: usize) -> bool {
    is_full() || number.is_multiple_of(share)
}

/// A share of the items in a quick run: those whose number is a multiple of `share`, counted from `from` on. Where `from` counts what
/// the items are combined with, no item is left out of all combinations.
pub fn some<T>(
    items: impl IntoIterator<Item = T>,
    from: usize,
    share: usize,
) -> impl Iterator<Item = T> {
    let taken = (from..).zip(items).filter(move |&(number, _)| takes(number, share));
    taken.map(|(_, item)| item)
}

/// How many cases to draw where a full run draws `full`.
pub fn cases(full: u32) -> u32 {
    if is_full() { full } else { full.div_ceil(4) }
}
