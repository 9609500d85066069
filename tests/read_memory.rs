//! How much memory readers take: a process of its own, whose allocator refuses more.

use std::alloc::System;

#[path = "read/samples.rs"]
#[allow(dead_code, reason = "the other readers' tests use more of it")]
mod samples;

use samples::{npy, pairs, read, zip};

#[global_allocator]
static ALLOCATOR: cap::Cap<System> = cap::Cap::new(System, usize::MAX);

/// METIS files of empty lines took 28 times their size; raw pairs of spread ids 11 times.
#[test]
fn memory_is_at_most_six_times_the_content() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let spread = |i: u32| i.wrapping_mul(0x9e37_79b9);
    let distinct: Vec<[u32; 2]> =
        (0..1 << 19).map(|i| [spread(2 * i), spread(2 * i + 1)]).collect();
    let wide: Vec<u8> = "7 7\n".repeat(1 << 20).into_bytes();
    let wide_ids: Vec<u8> =
        (0..1u64 << 19).flat_map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
    let archive = |width: usize, kind: &str| {
        let list = |values: &[u32]| {
            let data = values.iter().flat_map(|v| v.to_le_bytes()[..width].to_vec());
            npy(kind, false, &format!("({},)", values.len()), &data.collect::<Vec<u8>>())
        };
        zip(&[
            ("format.npy", &npy("|S3", false, "()", b"csr")),
            ("shape.npy", &list(&[1, 1])),
            ("indptr.npy", &npy("<i4", false, "(2,)", &[0, 0, 0, 0, 0, 0, 16, 0])),
            ("indices.npy", &list(&vec![0; 1 << 20])),
        ])
    };
    for (name, bytes, content) in [
        ("empty.graph", [&b"4194304 0\n"[..], &[b'\n'; 1 << 22]].concat(), None),
        ("ones.graph", [&b"1048576 524288\n"[..], &b"1\n".repeat(1 << 20)].concat(), None),
        ("spread.bin", pairs(&distinct), None),
        ("short.txt", wide.clone(), None),
        ("wide.txt", [&wide[..], b"1 18446744073709551615\n"].concat(), None),
        ("wide.npy", npy("<u8", false, "(262144, 2)", &wide_ids), None),
        ("two.npy", npy("<u2", false, "(1048576, 2)", &vec![1; 1 << 22]), None),
        ("four.npz", archive(4, "<i4"), Some(1 << 22)),
        ("two.npz", archive(2, "<i2"), Some(1 << 21)),
    ] {
        let content = content.unwrap_or(bytes.len());
        // The content itself is one of the six, where it is not the archive's. What does not depend on it:
        // a few blocks for each thread.
        let allowed = if name.ends_with("npz") { 6 } else { 5 } * content + (3 << 20);
        ALLOCATOR.set_limit(ALLOCATOR.allocated() + allowed).unwrap();
        let graph = pool.install(|| read(name, &bytes));
        ALLOCATOR.set_limit(usize::MAX).unwrap();
        assert!(graph.is_ok(), "{name}: {}", graph.unwrap_err());
    }
}
