//! Large arrays on huge pages: a page of 2 MiB is one fault where pages of 4 KiB are 512.
//!
//! Linux gives them on its own where `transparent_hugepage` is `always`, and to who asks where it is `madvise`, as most
//! distributions have it.

/// Smaller arrays are not worth a question.
const LEAST: usize = 16 << 20;

/// A huge page of x86-64, and of ARM64 with pages of 4 KiB.
const HUGE: usize = 2 << 20;

/// Asks for huge pages under an array that will be written as a whole. Nothing is promised, and nothing else changes.
pub(super) fn ask<T>(elements: &mut [T]) {
    if size_of_val(elements) >= LEAST {
        ask_for(elements.as_mut_ptr().cast(), size_of_val(elements));
    }
}

#[cfg(target_os = "linux")]
fn ask_for(start: *mut u8, bytes: usize) {
    let before = start.addr().next_multiple_of(HUGE) - start.addr();
    let whole = bytes.saturating_sub(before) / HUGE * HUGE;
    if whole > 0 {
        // SAFETY: `before + whole` is at most `bytes`, so that the pages are the caller's own. The advice changes what
        // memory lies under them, never what stands in it, and a refusal changes nothing.
        unsafe { libc::madvise(start.add(before).cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for(_: *mut u8, _: usize) {
    let _ = HUGE;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_advised_keeps_its_values() {
        let mut numbers: Vec<u64> = (0..(LEAST / 8 + 3) as u64).collect();
        ask(&mut numbers);
        ask(&mut numbers[5..]);
        ask(&mut numbers[..0]);
        assert!(numbers.iter().copied().eq(0..(LEAST / 8 + 3) as u64));
    }
}
