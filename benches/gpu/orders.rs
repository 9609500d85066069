//! The orders of the vertices side by side: what each costs from raw edges on, and what it saves the count.

use tribin::Graph;
use tribin_device::launch::Device;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::methods::Method;
use tribin_gpu::prepare::decide::decide;
use tribin_gpu::prepare::degrees::{Seen, count_degrees};
use tribin_gpu::prepare::keys::{Orientation, orient_by};
use tribin_gpu::prepare::rows::clean;
use tribin_gpu::prepare::vertex_order::{VertexOrder, min_hash_labels};
use tribin_gpu::prepare::{self as prepare_gpu};
use tribin_plan::counting::CountShape;
use tribin_plan::counting::Segments;
use tribin_plan::{EdgeOrder, Task};

use super::median;

/// Prints, for each order, milliseconds of ordering and orienting, of sorting and dropping, of the merge, and of
/// the merge of segments: medians of `runs` after one warm-up.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let vertices = graph.vertex_bound() as u64;
    println!("{name}: {} entries", graph.edges().len());
    let mut triangles = None;
    for order in ["degrees", "ids", "MinHash"] {
        let mut phases: [Vec<f64>; 5] = Default::default();
        for _ in 0..=runs {
            let (edges, _) = prepare_gpu::upload(gpu, graph)?;
            let mut degrees = count_degrees(gpu, &edges, vertices)?;
            let seen = Seen { order: EdgeOrder::Unsorted, ..degrees.look(gpu, &edges)? };
            let figures = seen.summary;
            let decided = decide(gpu, &edges, &mut degrees, &seen, Task::Count)?;
            let sort = decided.orientation().sort;
            let start = gpu.record()?;
            let order = match order {
                "degrees" => VertexOrder::Degrees,
                "ids" => VertexOrder::Ids,
                _ => {
                    let labels = min_hash_labels(gpu, &edges, &degrees.degree, figures.vertices)?;
                    VertexOrder::MinHash(labels)
                }
            };
            let orientation = Orientation { order, sort, task: Task::Count };
            let keys = orient_by(gpu, edges, degrees, orientation)?;
            let oriented = gpu.record()?;
            let graph = clean(gpu, keys)?;
            let cleaned = gpu.record()?;
            let merged = CountShape::default().count(gpu, &graph, &())?;
            let counted = gpu.record()?;
            let segments = Segments.build(gpu, &graph)?;
            let cut = gpu.record()?;
            let by_segments = Segments.count(gpu, &graph, &segments)?;
            let end = gpu.record()?;
            assert_eq!(merged, by_segments, "entries and segments disagree");
            assert_eq!(*triangles.get_or_insert(merged), merged, "two orders disagree");
            let marks = [&start, &oriented, &cleaned, &counted, &cut, &end];
            for (phase, marks) in phases.iter_mut().zip(marks.windows(2)) {
                phase.push(gpu.seconds_between(marks[0], marks[1])? * 1e3);
            }
        }
        let [orient, clean, merge, cut, segments] = phases.map(median);
        println!(
            "  {order:16} orient {orient:8.3}  clean {clean:8.3}  merge {merge:8.3}  \
             segments {segments:8.3}  cut {cut:8.3}"
        );
    }
    Ok(())
}
