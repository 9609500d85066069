//! What the headers of delta-encoded pages announce, before the parquet crate makes room for it.

/// Values of a block at most; writers use 128.
const MOST_OF_A_BLOCK: u64 = 1 << 16;

/// Integers that are encoded block-wise, DELTA_BINARY_PACKED: how many are announced, and where they end.
#[derive(Debug, PartialEq, Eq)]
struct Announced {
    values: u64,
    end: usize,
}

/// Reads a block-wise encoding of integers. `None` where it is malformed.
fn integers(data: &[u8]) -> Option<Announced> {
    let mut at = 0;
    let block = varint(data, &mut at)?;
    let minis = varint(data, &mut at)?;
    let values = varint(data, &mut at)?;
    varint(data, &mut at)?;
    let fits = block <= MOST_OF_A_BLOCK && minis > 0 && block.checked_rem(minis)? == 0;
    if !fits || block == 0 {
        return None;
    }
    let of_mini = block / minis;
    let mut left = values.saturating_sub(1);
    while left > 0 {
        varint(data, &mut at)?;
        let widths = data.get(at..at.checked_add(minis as usize)?)?;
        at += minis as usize;
        for &width in widths {
            // Those after the last value are not there.
            if left == 0 {
                break;
            }
            at = at.checked_add((of_mini * u64::from(width) / 8) as usize)?;
            left = left.saturating_sub(of_mini);
        }
        if at > data.len() {
            return None;
        }
    }
    Some(Announced { values, end: at })
}

pub(super) fn varint(data: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *data.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Whether DELTA_BINARY_PACKED data, or the lengths of DELTA_LENGTH_BYTE_ARRAY data, announce at most `most` values.
pub(super) fn integers_fit(data: &[u8], most: u64) -> bool {
    data.is_empty() || integers(data).is_some_and(|found| found.values <= most)
}

/// Whether DELTA_BYTE_ARRAY data announce at most `most` values, prefixes and rests.
pub(super) fn prefixes_fit(data: &[u8], most: u64) -> bool {
    data.is_empty()
        || integers(data).is_some_and(|it| it.values <= most && integers_fit(&data[it.end..], most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_held_against_the_page() {
        // Blocks of 128 values in 4 parts, 3 values: 7, then deltas of 0 bits.
        let good = [0x80, 0x01, 4, 3, 14, 0, 0, 0, 0, 0];
        assert_eq!(integers(&good), Some(Announced { values: 3, end: 10 }));
        assert!(integers_fit(&good, 3) && !integers_fit(&good, 2));
        assert!(!integers_fit(&good[..9], 3));
        // One value has no block.
        assert_eq!(integers(&[0x80, 0x01, 4, 1, 14]), Some(Announced { values: 1, end: 5 }));
        // 2⁶³ values in blocks of 0 bits are walked no further than the data.
        let lie =
            [0x80, 0x01, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0];
        assert_eq!(integers(&lie), None);
        assert_eq!(integers(&[0x80, 0x01, 0, 3, 14, 0]), None);
        assert!(prefixes_fit(&[good, good].concat(), 3) && !prefixes_fit(&good[..8], 3));
    }
}
