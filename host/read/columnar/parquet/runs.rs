//! The runs of a page's indices to a dictionary, before the parquet crate decodes them.

use super::delta::varint;

/// Whether no run before the last of `most` values is empty, but for zeros up to the end, which some writers leave there.
/// The parquet crate takes the value of an empty run for the beginning of the next one.
pub(super) fn runs_fit(data: &[u8], most: u64) -> bool {
    // A page without values may leave the width out.
    let Some((&width, runs)) = data.split_first() else { return true };
    if width > 32 {
        return false;
    }
    let (mut at, mut values) = (0, 0u64);
    while at < runs.len() && values < most {
        let start = at;
        let Some(head) = varint(runs, &mut at) else { break };
        if head == 0 {
            return runs[start..].iter().all(|&byte| byte == 0);
        }
        let packed = head & 1 == 1;
        // A packed run has groups of eight values.
        let more = if packed { (head >> 1).saturating_mul(8) } else { head >> 1 };
        let bytes = if packed {
            (head >> 1).saturating_mul(width.into())
        } else {
            u64::from(width).div_ceil(8)
        };
        values = values.saturating_add(more);
        // What is missing at the end is found where it is decoded.
        at = usize::try_from(bytes).map_or(usize::MAX, |bytes| at.saturating_add(bytes));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_runs_are_no_runs() {
        for good in [
            &[][..],
            &[0],
            &[2],
            &[2, 6, 1],
            &[2, 3, 0x24, 0],
            &[2, 3, 0x24, 0, 6, 1, 0, 0],
            &[2, 0, 0],
            &[9, 6, 1, 0],
            &[2, 0x7f, 0x24],
            &[2, 0xff],
            &[0, 6, 3],
        ] {
            assert!(runs_fit(good, 99), "{good:?}");
        }
        // Nobody looks behind the last value.
        assert!(runs_fit(&[2, 6, 1, 0, 0x24, 0], 3) && !runs_fit(&[2, 6, 1, 0, 0x24, 0], 4));
        for bad in [&[2, 0, 0x24, 0][..], &[2, 6, 1, 0, 0x24, 0], &[33, 6, 1], &[9, 6, 1, 0, 0, 1]]
        {
            assert!(!runs_fit(bad, 99), "{bad:?}");
        }
    }
}
