//! The GPU pipeline against the clock: every phase on graphs of real skew, counts checked.
//!
//! `cargo bench --bench gpu -- [--runs N] [--ptx FILE] [--hybrid | --sweep | --analytics | --analytics-sweep] [GRAPH…]`, with GRAPH one of `rmatS`, `erS`, `ba`, `ws`, `sort`.
//! `--hybrid` times the hybrid engine beside the merge, `--sweep` also with every cut-off moved.
//! `--analytics` times support, local counts and trussness; `--peel-blocks N` peels with N blocks a
//! multiprocessor, which have to fit it.
//! Needs a GPU; says so and ends where there is none. Figures are kept in docs/benchmarks.md.

#[path = "gpu/analytics.rs"]
mod analytics;
#[path = "../tests/generators/mod.rs"]
mod generators;
#[path = "gpu/hybrid.rs"]
mod hybrid;

use std::time::Instant;

use tribin::Graph;
use tribin::device::cuda::{Gpu, PTX};
use tribin::device::radix_sort::{self, Histograms};
use tribin::engine::forward_gpu::{CountShape, MemoryPlan, count_oriented, count_uploaded};
use tribin_device::launch::{Buffer, Device};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut runs = 5;
    let mut names = Vec::new();
    let mut ptx = PTX.to_owned();
    let (mut shapes, mut folder) = (false, None);
    let (mut hybrid, mut sweep) = (false, false);
    let (mut analytics, mut analytics_sweep, mut peel_blocks) = (false, false, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--shapes" => shapes = true,
            "--hybrid" => hybrid = true,
            "--sweep" => (hybrid, sweep) = (true, true),
            "--peel-blocks" => {
                peel_blocks = Some(args.next().ok_or("--peel-blocks takes a number")?.parse()?);
            }
            "--analytics" => analytics = true,
            "--analytics-sweep" => (analytics, analytics_sweep) = (true, true),
            "--write" => folder = Some(args.next().ok_or("--write takes a folder")?),
            "--ptx" => {
                ptx = std::fs::read_to_string(args.next().ok_or("--ptx takes a file")?)?;
            }
            "--runs" => runs = args.next().ok_or("--runs takes a number")?.parse()?,
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = ["sort", "rmat20", "rmat22", "er22", "ba", "ws"].map(String::from).to_vec();
    }
    let gpu = match Gpu::with_kernels(0, &ptx) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    println!("{}, median of {runs} runs after one warm-up (least .. most), ms", gpu.info().name);
    for name in names {
        if name == "sort" {
            bench_sort(&gpu, runs)?;
            continue;
        }
        let graph = Graph::from_edges(generators::by_name(&name).ok_or("no such graph")?);
        if let Some(folder) = &folder {
            let file = std::path::Path::new(folder).join(&name).with_extension("bin");
            std::fs::write(file, bytemuck::cast_slice(graph.edges()))?;
        }
        if analytics {
            analytics::bench(&gpu, &name, &graph, runs, analytics_sweep, peel_blocks)?;
            continue;
        }
        if hybrid {
            hybrid::bench(&gpu, &name, &graph, runs, sweep)?;
            continue;
        }
        bench_graph(&gpu, &name, &graph, runs)?;
        if shapes {
            bench_shapes(&gpu, &graph, runs)?;
        }
    }
    Ok(())
}

/// Median, least and most of `runs` samples after one warm-up, in milliseconds.
struct Spread(Vec<f64>);

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
        write!(f, "{:9.3} ({least:.3} .. {most:.3})", sorted[sorted.len() / 2])
    }
}

fn bench_sort(gpu: &Gpu, runs: usize) -> tribin::Result<()> {
    for (n, bits) in [(16u64 << 20, 44), (64 << 20, 44), (128 << 20, 44), (64 << 20, 64)] {
        let mut random = generators::SplitMix64::new(1, n);
        let keys: Vec<u64> = (0..n).map(|_| random.next() >> (64 - bits)).collect();
        let mut samples = Vec::new();
        let mut sorted = Vec::new();
        for _ in 0..=runs {
            let input = Buffer::from_host(gpu, &keys)?;
            let other = Buffer::uninitialized(gpu, n)?;
            let start = gpu.mark()?;
            let histograms = Histograms::of_keys(gpu, input.view(), 0, bits)?;
            let sorted_keys = radix_sort::sort(gpu, input, other, histograms, 0)?.keys;
            let end = gpu.mark()?;
            samples.push(gpu.seconds_between(&start, &end)? * 1e3);
            sorted = sorted_keys.to_vec(gpu)?;
        }
        let mut expected = keys;
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut expected[..]);
        assert!(sorted == expected, "the sort is wrong");
        samples.remove(0);
        println!("sort {:4} M keys of {bits} bits  {}", n >> 20, Spread(samples));
    }
    Ok(())
}

fn bench_shapes(gpu: &Gpu, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let mut edges = Buffer::uninitialized(gpu, graph.edges().len() as u64)?;
    edges.upload_bytes(gpu, 0, bytemuck::cast_slice(graph.edges()))?;
    let keys = tribin::orient::gpu::orient(gpu, edges, graph.vertex_bound() as u64)?;
    let oriented = tribin::clean::gpu::clean(gpu, keys)?;
    for block in [32, 64, 128, 256, 512] {
        for blocks_per_multiprocessor in [8, 64, 256, 1024, 4096] {
            let shape = CountShape { block, blocks_per_multiprocessor };
            let mut samples = Vec::new();
            for _ in 0..=runs {
                let start = gpu.mark()?;
                count_oriented(gpu, &oriented, shape)?;
                let end = gpu.mark()?;
                samples.push(gpu.seconds_between(&start, &end)? * 1e3);
            }
            samples.remove(0);
            println!("    {block:4} threads x {blocks_per_multiprocessor:4} {}", Spread(samples));
        }
    }
    Ok(())
}

fn bench_graph(
    gpu: &Gpu,
    name: &str,
    graph: &Graph,
    runs: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let entries = graph.edges().len() as u64;
    let bound = graph.vertex_bound() as u64;
    let mut phases: [Vec<f64>; 7] = Default::default();
    let mut last = None;
    let mut peak = 0;
    for _ in 0..=runs {
        let wall = Instant::now();
        let count = tribin::engine::forward_gpu::count(gpu, graph)?;
        let wall = wall.elapsed().as_secs_f64();
        peak = gpu.take_peak_memory()?;

        // Once more from the device's memory, the phases apart and the counting repeated alone.
        let mut edges = Buffer::uninitialized(gpu, entries)?;
        edges.upload_bytes(gpu, 0, bytemuck::cast_slice(graph.edges()))?;
        let again = count_uploaded(gpu, edges, bound)?;
        assert_eq!(count.triangles, again.triangles, "two runs disagree");
        let mut edges = Buffer::uninitialized(gpu, entries)?;
        edges.upload_bytes(gpu, 0, bytemuck::cast_slice(graph.edges()))?;
        let keys = tribin::orient::gpu::orient(gpu, edges, bound)?;
        let oriented = tribin::clean::gpu::clean(gpu, keys)?;
        let start = gpu.mark()?;
        assert_eq!(count_oriented(gpu, &oriented, CountShape::default())?, count.triangles);
        let end = gpu.mark()?;
        let s = again.seconds;
        let row = [
            s.orient,
            s.clean,
            s.orient + s.clean,
            gpu.seconds_between(&start, &end)?,
            s.orient + s.clean + s.count,
            count.seconds.upload,
            wall,
        ];
        for (phase, seconds) in phases.iter_mut().zip(row) {
            phase.push(seconds * 1e3);
        }
        last = Some(count);
    }
    let count = last.expect("at least one run");
    println!(
        "{name}: {entries} entries, {} edges, {} vertices, {} wedges, {} triangles, peak {} MB of {} MB planned",
        count.figures.edges,
        count.figures.vertices,
        count.figures.wedges,
        count.triangles,
        peak / 1_000_000,
        MemoryPlan::new(entries, bound).peak() / 1_000_000
    );
    let labels = [
        "orient",
        "clean",
        "preprocessing (orient + clean)",
        "counting kernel",
        "edges on the device -> count",
        "upload",
        "edges in host memory -> count",
    ];
    for (label, mut samples) in labels.into_iter().zip(phases) {
        samples.remove(0);
        println!("  {label:32} {}", Spread(samples));
    }
    Ok(())
}
