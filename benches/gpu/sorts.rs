//! Ways to bring keys into rows side by side, in the order that the plan chooses.

use testkit::devices::entries_on;
use tribin::Graph;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::counting::CountShape;
use tribin_gpu::plan::preparation::{KeySort, SortedGroups};
use tribin_gpu::plan::{EdgeOrder, EntryFacts, Task};
use tribin_gpu::prepare::decide::decide;
use tribin_gpu::prepare::degrees::count_degrees;
use tribin_gpu::prepare::keys::orient_by;
use tribin_gpu::prepare::rows::clean;
use tribin_kernels::row_bins::MOST_RANK_BITS;
use warpwise_device::launch::Device;

use super::median;

/// Prints, for each sort, milliseconds of orienting and of what follows: medians of `runs` after one warm-up.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let vertices = graph.vertex_bound() as u64;
    println!("{name}: {} entries, {vertices} vertices", graph.edges().len());
    let mut triangles = None;
    let sorted_bins = SortedGroups::PASSES.map(|passes| KeySort::SortedBins { passes });
    for sort in [KeySort::Whole, KeySort::Bins].into_iter().chain(sorted_bins) {
        let entries = graph.edges().len() as u64;
        let fits = match sort {
            KeySort::Bins => sort.rank_bits(entries, vertices) <= MOST_RANK_BITS,
            KeySort::SortedBins { passes } => SortedGroups::of(entries, vertices, passes).is_some(),
            KeySort::Whole => true,
        };
        if !fits {
            continue;
        }
        let mut phases: [Vec<f64>; 2] = Default::default();
        let (mut chosen, mut order, mut figures) = (false, None, None);
        for _ in 0..=runs {
            let edges = entries_on(gpu, graph.edges())?;
            let mut degrees = count_degrees(gpu, &edges, vertices)?;
            let facts = degrees.look(gpu, &edges, edges.len(), Task::Count)?;
            let facts = EntryFacts { order: EdgeOrder::Unsorted, ..facts };
            let decided = decide(gpu, &edges, &degrees, &facts)?;
            (order, figures) = (Some(decided.order.choice), Some(facts.summary));
            let (by, chosen_sort) = decided.orientation();
            chosen = chosen_sort == sort;
            let start = gpu.record()?;
            let keys = orient_by(gpu, edges, degrees, (by, sort), Task::Count)?;
            let oriented = gpu.record()?;
            let graph = clean(gpu, keys)?;
            let end = gpu.record()?;
            let merged = CountShape::default().count(gpu, &graph, &mut gpu.record()?)?;
            assert_eq!(*triangles.get_or_insert(merged), merged, "two sorts disagree");
            for (phase, marks) in phases.iter_mut().zip([&start, &oriented, &end].windows(2)) {
                phase.push(gpu.seconds_between(marks[0], marks[1])? * 1e3);
            }
        }
        let [orient, clean] = phases.map(median);
        let chosen = if chosen { "chosen" } else { "" };
        let figures = figures.expect("at least one run");
        println!(
            "  {:8} orient {orient:8.3}  clean {clean:8.3}  together {:8.3}  {:?} {chosen} {:.0} wedges an entry, degree {}",
            format!("{sort:?}"),
            orient + clean,
            order.expect("at least one run"),
            figures.wedges as f64 / graph.edges().len() as f64,
            figures.max_degree,
        );
    }
    Ok(())
}
