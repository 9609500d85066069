//! Cache lines asked for before they are needed.
//!
//! A processor sees steady steps through memory coming, and not jumps. Who knows where it will look a few steps later
//! asks for it here, and goes on meanwhile.

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes of a table that a core's second-level cache has no room for, about. To ask for what is there costs more than it saves.
const UNCACHED: usize = 4 << 20;

/// How many steps before a look into a table at random its element is asked for. Of a small table nothing is asked for: the number
/// is larger than that of all steps.
pub fn steps_ahead<T>(table: &[T]) -> usize {
    if size_of_val(table) > UNCACHED { 24 } else { usize::MAX }
}

/// Asks for as many cache lines from the first element on.
#[inline(always)]
pub fn lines<const LINES: usize, T>(slice: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = slice.as_ptr().cast::<i8>().wrapping_add(line * LINE);
        // SAFETY: a prefetch is a hint. It has no effect that a program sees and no fault, wherever it points, and
        // every processor of this architecture has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, LINE);
}

/// Asks for the cache line of one element. Of none, it asks for nothing.
#[inline(always)]
pub fn element<T>(slice: &[T], index: usize) {
    if let Some(element) = slice.get(index) {
        lines::<1, T>(std::slice::from_ref(element));
    }
}

/// Asks for the element whose index stands at a place. Past the last place it asks for nothing.
#[inline(always)]
pub fn indexed<T>(slice: &[T], indices: &[u32], place: usize) {
    if let Some(&index) = indices.get(place) {
        element(slice, index as usize);
    }
}
