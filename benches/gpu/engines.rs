//! The engines `merge-path` and `bitmap` from the oriented graph on the device, beside the merge and one
//! core of the CPU engine.

use std::time::Instant;

use testkit::devices::{in_groups, prepared};
use tribin::Graph;
use tribin_cpu::forward as forward_cpu;
use tribin_cpu::prepare::prepare;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::{Method, run};
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::{CountShape, CountingSettings};
use tribin_papers::bit_tiles::{BitRows, Tiling};
use tribin_papers::merge_path::Shares;
use warpwise_device::launch::Device;

/// Longest that the CPU engine is repeated.
const CPU_SECONDS: f64 = 3.0;

/// The median, in milliseconds, of `runs` calls after one that is not counted.
fn median(runs: usize, mut sample: impl FnMut() -> tribin::Result<f64>) -> tribin::Result<f64> {
    sample()?;
    let mut samples = (0..runs).map(|_| sample()).collect::<tribin::Result<Vec<f64>>>()?;
    samples.sort_by(f64::total_cmp);
    Ok(samples[samples.len() / 2] * 1e3)
}

/// Milliseconds that one core takes to count the oriented graph.
fn on_one_core(graph: &Graph, triangles: u64, runs: usize) -> tribin::Result<f64> {
    let oriented = prepare(graph.edges(), graph.vertex_bound()).oriented;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let sample = || {
        let start = Instant::now();
        assert_eq!(one.install(|| forward_cpu::count(&oriented)), triangles);
        Ok(start.elapsed().as_secs_f64())
    };
    let first = sample()?;
    if first > CPU_SECONDS { Ok(first * 1e3) } else { median(runs, sample) }
}

struct Bench<'a> {
    gpu: &'a Gpu,
    graph: &'a DeviceGraph<Gpu>,
    triangles: u64,
    runs: usize,
}

impl Bench<'_> {
    /// Milliseconds of a call on the device, its allocations and its last copy included.
    fn timed<E>(&self, count: impl Fn() -> Result<u64, E>) -> tribin::Result<f64>
    where
        tribin::Error: From<E>,
    {
        median(self.runs, || {
            let start = self.gpu.record()?;
            let counted = count()?;
            let end = self.gpu.record()?;
            assert_eq!(counted, self.triangles);
            Ok(self.gpu.seconds_between(&start, &end)?)
        })
    }

    fn merge_path(&self) -> tribin::Result<f64> {
        let ms =
            self.timed(|| Shares::default().count(self.gpu, self.graph, &mut self.gpu.record()?))?;
        println!("  {:43} {ms:9.3}", "merge-path");
        Ok(ms)
    }

    fn bitmap(&self, tiling: Tiling) -> tribin::Result<f64> {
        let phase = |cut: bool| {
            median(self.runs, || {
                let start = self.gpu.record()?;
                let counted = run(&tiling, self.gpu, self.graph, &start)?;
                assert_eq!(counted.triangles, self.triangles, "{tiling:?}");
                Ok(if cut { counted.build } else { counted.count })
            })
        };
        let (count, cut) = (phase(false)?, phase(true)?);
        let bits = BitRows::cut(self.gpu, self.graph, &tiling)?;
        let segments = bits.rows.to_vec(self.gpu)?.into_iter().max().unwrap_or(0);
        let wide_rows = bits.wide_rows.to_vec(self.gpu)?[0];
        println!(
            "  {:43} {count:9.3}  cut {cut:8.3}  {segments} segments, {wide_rows} wide rows",
            "bitmap"
        );
        Ok(count)
    }
}

/// Prints the times of one graph.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    // Entries that are sorted do not stay as they are.
    let oriented = prepared(gpu, graph, Task::AtVertices)?.graph;
    let triangles = CountShape::default().count(gpu, &oriented, &mut gpu.record()?)?;
    let bench = Bench { gpu, graph: &oriented, triangles, runs };
    println!("{name}: {} edges, {triangles} triangles", oriented.edges);
    let merge = bench.timed(|| CountShape::default().count(gpu, &oriented, &mut gpu.record()?))?;
    println!("  {:43} {merge:9.3}", "forward_merge");
    let by_groups = CountingSettings::MEASURED;
    let hybrid = median(runs, || {
        let count = tribin_gpu::counting::hybrid::count_within(
            gpu,
            &oriented,
            &in_groups(&by_groups),
            u64::MAX,
        )?
        .0;
        assert_eq!(count.counted.triangles, triangles);
        Ok(count.counted.count)
    })?;
    println!("  {:43} {hybrid:9.3}", "hybrid, counting alone");
    let merge_path = bench.merge_path()?;
    let bitmap = bench.bitmap(Tiling::for_ranks(oriented.rows.len() / 2))?;
    let cpu = on_one_core(graph, triangles, runs)?;
    println!(
        "  {:43} {cpu:9.3}  {:.0} times merge-path, {:.0} times bitmap",
        "one core of the CPU engine",
        cpu / merge_path,
        cpu / bitmap
    );
    Ok(())
}
