//! When ends go into buckets, and what those take.

use proptest::prelude::*;
use tribin_kernels::degrees::{BUCKET_SHARED_BYTES, MOST_BITS, MOST_BUCKETS};

use super::super::{Buckets, ENTRIES_AT_ONCE, counted_at_once, counting_bytes, degree_buckets};
use crate::plan::memory::MemoryPlan;

const SHARED: u32 = 227 << 10;

fn bits_of(vertices: u64, entries: u64, shared: u32) -> Option<u32> {
    degree_buckets(vertices, entries, shared).map(|buckets| buckets.bits)
}

#[test]
fn many_entries_go_into_buckets() {
    for (vertices, entries, expected) in [
        (1 << 20, (1 << 20) - 1, None),
        (1 << 20, 1 << 20, Some(13)),
        (1 << 22, 1 << 26, Some(15)),
        (1 << 26, 1 << 28, Some(15)),
        // A block has a bucket, however few vertices there are.
        (1, 1 << 20, Some(0)),
        (200, 1 << 20, Some(0)),
        // Hardly any vertex has an entry.
        ((8 << 20) + 7, 1 << 20, Some(15)),
        ((8 << 20) + 8, 1 << 20, None),
    ] {
        assert_eq!(bits_of(vertices, entries, SHARED), expected, "{entries} between {vertices}");
    }
}

#[test]
fn buckets_fit_shared_memory() {
    // Compute capabilities 8.6 and 8.9 have 99 KiB: 2^14 counters.
    assert_eq!(bits_of(1 << 26, 1 << 28, 99 << 10), Some(14));
    assert_eq!(bits_of(1 << 26, 1 << 28, BUCKET_SHARED_BYTES), Some(14));
    assert_eq!(bits_of(1 << 26, 1 << 28, BUCKET_SHARED_BYTES - 1), None);
    assert_eq!(bits_of(1 << 26, 1 << 28, 0), None);
}

#[test]
fn entries_that_arrive_are_counted_in_sixteen_parts() {
    assert_eq!(counted_at_once(1 << 26), 1 << 22);
    assert_eq!(counted_at_once(1 << 24), 1 << 20);
    assert_eq!(counted_at_once((1 << 24) - 1), 1);
}

proptest! {
    #[test]
    fn windows_have_all_buckets(vertices in 1u64..1 << 32, bits in 0..=MOST_BITS) {
        let Buckets { at_once, windows, .. } = Buckets::with_bits(vertices, bits);
        prop_assert!((1..=MOST_BUCKETS).contains(&at_once));
        let all = vertices.div_ceil(1 << bits);
        prop_assert!(windows * u64::from(at_once) >= all);
        // Each has some, so that no launch is empty.
        prop_assert!((windows - 1) * u64::from(at_once) < all);
    }

    #[test]
    fn ends_take_less_than_the_keys_to_come(entries in 1u64..1 << 32, vertices in 1u64..1 << 32) {
        let counting = 8 * entries + 8 * vertices + counting_bytes(vertices, entries);
        prop_assert!(counting <= MemoryPlan::new(entries, vertices).peak(), "{counting}");
    }

    #[test]
    fn there_is_room_for_even_ends(
        entries in 1u64..=ENTRIES_AT_ONCE, vertices in 1u64..1 << 32, bits in 0..=MOST_BITS,
    ) {
        let room = u64::from(Buckets::with_bits(vertices, bits).room(entries, vertices));
        let even = (u128::from(2 * entries) << bits) / u128::from(vertices);
        prop_assert!(u128::from(room) >= even.min(u128::from(2 * entries)));
        prop_assert!(room.is_multiple_of(8));
    }
}
