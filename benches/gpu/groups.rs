//! Ways to bring edges into groups by their heads, side by side, of a graph that is on the GPU.

use rayon::prelude::*;
use testkit::devices::prepared;
use tribin::Graph;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::methods::row_bits::{find_groups, make_groups, most_listed};
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::{GroupBins, RowBits};
use tribin_kernels::edge_groups::{HEADS, LISTED, SIZES, SLOTS, cursor_at};
use warpwise_device::launch::Device;

use super::median;

/// Prints the milliseconds of each way: medians of `runs` after one warm-up. All must find the same groups and as long lists.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let graph = prepared(gpu, graph, Task::Count)?.graph;
    let row_bits = RowBits::MEASURED;
    let mut sizes = [0; SIZES as usize];
    let groups = find_groups(gpu, &graph, &row_bits)?.of_heads;
    groups.sizes.download(gpu, 0, &mut sizes)?;
    let (slots, heads) = (u64::from(sizes[SLOTS as usize]), u64::from(sizes[HEADS as usize]));
    let chosen = GroupBins::of(slots, heads);
    println!("{name}: {} edges, {slots} in groups of {heads} heads, {chosen:?}", graph.edges);
    let bins = [11, 12, 13, 14, 15, 16, 17, 18, 19]
        .map(|slots_log2| GroupBins::with_slots_log2(slots, heads, slots_log2));
    let mut expected = None;
    for by in bins {
        let mut times = Vec::new();
        for _ in 0..=runs {
            let mut groups = find_groups(gpu, &graph, &row_bits)?.of_heads;
            let starts = groups.cursors.to_vec(gpu)?;
            let bits = groups.grouping.to_vec(gpu)?;
            let has_group = |head: &u32| bits[*head as usize / 32] >> (head % 32) & 1 == 1;
            let with_group: Vec<u32> = (0..groups.heads).filter(has_group).collect();
            let listed = most_listed(&graph, slots);
            let start = gpu.record()?;
            let places = graph.counted_from(0);
            let made = make_groups(gpu, &graph, places, &mut groups, slots, listed, by)?;
            let end = gpu.record()?;
            times.push(gpu.seconds_between(&start, &end)? * 1e3);
            let (words, ends) = (made.grouped.to_vec(gpu)?, groups.cursors.to_vec(gpu)?);
            // The order within a group is any.
            let of_group = |head: &u32| {
                let at = cursor_at(*head) as usize;
                let used = &words[starts[at] as usize..ends[at] as usize];
                (
                    ends[at],
                    used.iter().fold(0u64, |sum, word| sum.wrapping_add(word.wrapping_mul(*word))),
                )
            };
            let of_groups: Vec<_> = with_group.par_iter().map(of_group).collect();
            groups.sizes.download(gpu, 0, &mut sizes)?;
            let found = (of_groups, sizes[LISTED as usize]);
            assert!(*expected.get_or_insert_with(|| found.clone()) == found, "{by:?}");
        }
        println!("  {:8.3}  {by:?}", median(times));
    }
    Ok(())
}
