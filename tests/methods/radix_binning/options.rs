//! No option changes the count.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testkit::oracle::brute_force;
use testkit::{devices, effort};
use tribin::Graph;
use tribin_papers::radix_binning as radix;
use tribin_papers::radix_binning::{KeyOrder, Orientation, RadixOptions, RadixPlan};
use warpwise_device::launch::Device;

use super::{check, model};
use testkit::generators;

fn options() -> impl Strategy<Value = RadixOptions> {
    let orientation = prop_oneof![Just(Orientation::Degree), Just(Orientation::None)];
    let key_order = prop_oneof![Just(KeyOrder::Concatenated), Just(KeyOrder::Interleaved)];
    // Without a budget, with one of kilobytes, and with one that nothing fits.
    let memory = prop_oneof![Just(u64::MAX), 4_000u64..400_000, Just(0)];
    let threshold = prop_oneof![0u32..40, 100u32..2000, Just(u32::MAX)];
    (orientation, memory, 1u32..=8, threshold, key_order).prop_map(
        |(orientation, memory, digit_bits, threshold, key_order)| RadixOptions {
            orientation,
            memory,
            digit_bits,
            threshold,
            key_order,
        },
    )
}

fn edges() -> impl Strategy<Value = Vec<[u32; 2]>> {
    let dense = prop::collection::vec([0u32..40, 0u32..40], 0..400);
    let sparse = prop::collection::vec([0u32..3000, 0u32..3000], 0..60);
    let hub = (2u32..50, prop::collection::vec([0u32..50, 0u32..50], 0..60))
        .prop_map(|(n, rest)| [generators::star(n), rest].concat());
    prop_oneof![4 => dense, 1 => sparse, 2 => hub]
}

fn check_drawn<D: Device<Error: std::fmt::Debug>>(device: &D, cases: u32) {
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let test = |(edges, options): (Vec<[u32; 2]>, RadixOptions)| {
        check(device, &edges, &options);
        Ok(())
    };
    runner.run(&(edges(), options()), test).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn no_option_changes_the_count_in_the_emulator() {
    if let Some(emulator) = devices::emulated(4) {
        check_drawn(&emulator, effort::cases(32));
    }
}

#[test]
fn no_option_changes_the_count_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_drawn(&gpu, 500);
    }
}

/// Batches of the least size, of all sizes between, and one of all candidates.
fn check_budgets<D: Device<Error: std::fmt::Debug>>(device: &D) {
    let edges = generators::rmat(7, 10, 11);
    let triangles = brute_force(&edges);
    let graph = Graph::from_edges(edges);
    for orientation in [Orientation::Degree, Orientation::None] {
        let mut batches = Vec::new();
        for memory in [0, 40_000, u64::MAX] {
            let options = RadixOptions {
                orientation,
                memory,
                digit_bits: 4,
                threshold: 30,
                ..RadixOptions::default()
            };
            let count = radix::count(device, &graph, &options).unwrap();
            assert_eq!(count.triangles, triangles, "{options:?}");
            batches.push(count.batches);
        }
        let candidates =
            model::Lists::of(&generators::rmat(7, 10, 11), orientation).candidates.len();
        assert_eq!(batches[0], (candidates as u64).div_ceil(RadixPlan::LEAST_BATCH));
        assert!(batches[0] > batches[1] && batches[1] > 1, "{batches:?}");
        assert_eq!(batches[2], 1);
    }
}

#[test]
fn a_budget_makes_batches_in_the_emulator() {
    if let Some(emulator) = devices::emulated(5) {
        check_budgets(&emulator);
    }
}

#[test]
fn a_budget_makes_batches_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_budgets(&gpu);
    }
}

#[test]
fn plans_keep_their_budget() {
    for edges in [1, 1000, 1 << 20, 15_701_346] {
        for candidates in [1, 255, 256, 257, 1 << 20, 1 << 40] {
            for memory in [0, 1 << 16, 1 << 30, u64::MAX] {
                for digit_bits in [1, 5, 8] {
                    let options = RadixOptions { memory, digit_bits, ..RadixOptions::default() };
                    let plan = RadixPlan::new(edges, candidates, 40, &options);
                    assert!(plan.batch >= 1 && plan.batch <= candidates, "{plan:?}");
                    assert!(edges + plan.batch <= u64::from(u32::MAX), "{plan:?}");
                    let least = RadixPlan::least(edges, 40, &options);
                    assert!(plan.bytes <= memory.max(least.bytes), "{memory}: {plan:?}");
                }
            }
        }
    }
}
