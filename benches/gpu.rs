//! The GPU pipeline against the clock: every phase on graphs of real skew, counts checked.
//!
//! `cargo bench --bench gpu -- phases GRAPH…` times every phase; `cargo bench --bench gpu -- --help` lists what else
//! is measured. GRAPH is a file or one of the names of benches/graphs.
//!
//! Needs a GPU; says so and ends where there is none. Figures are kept in docs/measured.md.

#[path = "gpu/analytics.rs"]
mod analytics;
#[path = "gpu/bed.rs"]
mod bed;
#[path = "gpu/degrees.rs"]
mod degrees;
#[path = "gpu/devices.rs"]
mod devices;
#[path = "gpu/engines.rs"]
mod engines;
mod graphs;
#[path = "gpu/groups.rs"]
mod groups;
#[path = "gpu/hubs.rs"]
mod hubs;
#[path = "gpu/hybrid.rs"]
mod hybrid;
#[path = "gpu/list.rs"]
mod list;
#[path = "gpu/regret.rs"]
mod regret;
#[path = "gpu/sorts.rs"]
mod sorts;
#[path = "gpu/truss.rs"]
mod truss;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use bed::BedShare;
use clap::{Parser, Subcommand};
use testkit::devices::{entries_on, in_groups, prepared};
use tribin::Graph;
use tribin_gpu::counting::hybrid as hybrid_count;
use tribin_gpu::device::cuda::{Gpu, Kernels, kernels};
use tribin_gpu::methods::Method;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::{self, CountShape, CountingSettings, GroupSettings, HubSettings};
use tribin_gpu::plan::memory::MemoryPlan;
use tribin_gpu::prepare::prepare_uploaded;
use tribin_graph::Summary;
use tribin_papers::bit_tiles::Tiling;
use tribin_papers::merge_path::Shares;
use warpwise_device::launch::Device;

/// Measures tribin's kernels on a GPU.
#[derive(Parser)]
#[command(name = "gpu")]
struct Args {
    #[command(subcommand)]
    what: Option<What>,

    /// Runs of each, after one that warms up
    #[arg(long, default_value_t = 5, global = true)]
    runs: usize,

    /// A file with other kernels than the embedded ones
    #[arg(long, global = true)]
    ptx: Option<PathBuf>,

    /// What cargo passes
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum What {
    /// Every phase from the edges to the count
    Phases {
        /// Also by the hubs' matrix, merge-path, bitmap and on the CPU, whose counts must agree
        #[arg(long)]
        verify: bool,
        graphs: Vec<String>,
    },
    /// What `auto` chooses among: merges, filters, segments, groups
    Hybrid { graphs: Vec<String> },
    /// Merge-path and bitmap beside one core of the CPU engine
    Engines { graphs: Vec<String> },
    /// Products of matrices for the hubs alone
    Hubs { graphs: Vec<String> },
    /// Ways to bring keys into rows, in the order that the plan chooses
    Sorts { graphs: Vec<String> },
    /// What the plan chooses beside every order with every method
    Regret {
        /// The graphs of benches/gpu/bed.rs, or this share of them: 2/3 is the second of three
        #[arg(long, value_name = "I/N", num_args = 0..=1, default_missing_value = "1/1", value_parser = share)]
        bed: Option<BedShare>,
        /// Start no further graph after this many seconds
        #[arg(long, value_name = "SECONDS", default_value_t = u64::MAX)]
        within: u64,
        graphs: Vec<String>,
    },
    /// One GPU and several: every step, and the bytes that go between them
    Devices {
        /// Numbers of GPUs
        #[arg(long, value_delimiter = ',', default_value = "1,2")]
        gpus: Vec<u32>,
        /// Numbers of parts; by default the plan's
        #[arg(long, value_delimiter = ',')]
        parts: Vec<u32>,
        /// Threads of the host; by default one for each core
        #[arg(long)]
        threads: Option<NonZeroUsize>,
        /// From edges in the memory of the GPUs
        #[arg(long, conflicts_with = "threads")]
        on_devices: bool,
        graphs: Vec<String>,
    },
    /// Degrees counted in device memory and in buckets
    Degrees { graphs: Vec<String> },
    /// Edges brought into groups at random and through bins
    Groups { graphs: Vec<String> },
    /// Support and local counts
    Analytics { graphs: Vec<String> },
    /// All triangles, for a consumer on the device and to host memory
    List {
        #[command(flatten)]
        what: list::What,
        graphs: Vec<String>,
    },
    /// Trussness, the same in every run and on the CPU
    Truss {
        #[command(flatten)]
        what: truss::What,
        graphs: Vec<String>,
    },
}

/// `2/3`, for the second share of three.
fn share(text: &str) -> Result<BedShare, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| {
        Some(BedShare { number: number.parse().ok()?, of: of.parse().ok()? })
    });
    let bounded = numbers.filter(|share| (1..=share.of).contains(&share.number));
    bounded.ok_or_else(|| format!("`{text}` is no share, such as 2/3"))
}

impl What {
    fn graphs(&self) -> Vec<String> {
        let named = match self {
            What::Regret { bed: Some(share), graphs, .. } => {
                return share.graphs().map(String::from).chain(graphs.clone()).collect();
            }
            What::Regret { graphs, .. } => graphs.clone(),
            What::Phases { graphs, .. }
            | What::Hybrid { graphs }
            | What::Engines { graphs }
            | What::Hubs { graphs }
            | What::Sorts { graphs }
            | What::Degrees { graphs }
            | What::Groups { graphs }
            | What::Devices { graphs, .. }
            | What::Analytics { graphs }
            | What::List { graphs, .. }
            | What::Truss { graphs, .. } => graphs.clone(),
        };
        match named.is_empty() {
            true => ["rmat20", "rmat22", "er22", "ba", "ws"].map(String::from).to_vec(),
            false => named,
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let runs = args.runs;
    let ptx = args.ptx.map(std::fs::read_to_string).transpose()?;
    let chosen = match &ptx {
        Some(ptx) => Kernels::from(ptx),
        None => kernels(),
    };
    let gpu = match Gpu::open(0, chosen) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    println!("{}, median of {runs} runs after one warm-up (least .. most), ms", gpu.info().name);
    let what = args.what.unwrap_or(What::Phases { verify: false, graphs: Vec::new() });
    let mut regrets = Vec::new();
    let start = Instant::now();
    for name in what.graphs() {
        if let What::Regret { within, .. } = what
            && start.elapsed().as_secs() >= within
        {
            println!("{name} and those after it are left out: the time is over");
            break;
        }
        let graph = if std::path::Path::new(&name).is_file() {
            tribin::open(&name)?
        } else {
            graphs::by_name(&name)?.ok_or_else(|| {
                // cargo starts benches in the package's folder.
                let here = std::env::current_dir().unwrap_or_default();
                format!("{name}: no file in {}, and no name of benches/graphs", here.display())
            })?
        };
        match &what {
            What::Phases { verify, .. } => bench_graph(&gpu, &name, &graph, runs, *verify)?,
            What::Hybrid { .. } => hybrid::bench(&gpu, &name, &graph, runs)?,
            What::Engines { .. } => engines::bench(&gpu, &name, &graph, runs)?,
            What::Hubs { .. } => hubs::bench(&gpu, &name, &graph, runs)?,
            What::Sorts { .. } => sorts::bench(&gpu, &name, &graph, runs)?,
            What::Degrees { .. } => degrees::bench(&gpu, &name, &graph, runs)?,
            What::Groups { .. } => groups::bench(&gpu, &name, &graph, runs)?,
            What::Regret { .. } => {
                regrets.push(regret::bench(&gpu, &name, &graph, runs)?);
                println!("{name}\t{:.1} s so far", start.elapsed().as_secs_f64());
            }
            What::Analytics { .. } => analytics::bench(&gpu, &name, &graph, runs)?,
            What::List { what, .. } => list::bench(&gpu, &name, &graph, runs, what)?,
            What::Truss { what, .. } => truss::bench(&gpu, &name, &graph, runs, what)?,
            What::Devices { gpus, parts, on_devices: true, .. } => {
                devices::bench_on_devices(&name, &graph, runs, gpus, parts)?;
            }
            What::Devices { gpus, parts, threads, .. } => {
                devices::bench(&name, &graph, runs, gpus, parts, *threads)?;
            }
        }
    }
    if !regrets.is_empty() {
        regret::print_worst_first(regrets);
    }
    Ok(())
}

/// The median of all but the first, which warms up; of a single one, that one.
fn median(mut samples: Vec<f64>) -> f64 {
    if samples.len() > 1 {
        samples.remove(0);
    }
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
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

fn bench_graph(
    gpu: &Gpu,
    name: &str,
    graph: &Graph,
    runs: usize,
    verify: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let entries = graph.edges().len() as u64;
    let bound = graph.vertex_bound() as u64;
    let settings = CountingSettings::MEASURED;
    let mut phases: [Vec<f64>; 9] = Default::default();
    let mut last = None;
    let mut peak = 0;
    for _ in 0..=runs {
        let wall = Instant::now();
        let ready = prepared(gpu, graph, Task::Count)?;
        let upload = ready.seconds.upload;
        let count = hybrid_count::count_within(gpu, &ready.graph, &settings, u64::MAX)?.0;
        let wall = wall.elapsed().as_secs_f64();
        peak = gpu.take_peak_memory()?;
        drop(ready);

        // Once more from the device's memory, with both engines.
        let edges = entries_on(gpu, graph.edges())?;
        let ready = prepare_uploaded(gpu, edges, bound, Task::Count)?;
        let start = gpu.record()?;
        let merged = CountShape::default().count(gpu, &ready.graph, &mut gpu.record()?)?;
        let end = gpu.record()?;
        assert_eq!(merged, count.counted.triangles, "two engines disagree");
        let again = hybrid_count::count_within(gpu, &ready.graph, &settings, u64::MAX)?.0;
        assert_eq!(again.counted.triangles, count.counted.triangles, "two runs disagree");
        let s = ready.seconds;
        let row = [
            s.orient,
            s.clean,
            s.orient + s.clean,
            gpu.seconds_between(&start, &end)?,
            again.counted.build,
            again.counted.count,
            s.orient + s.clean + again.counted.build + again.counted.count,
            upload,
            wall,
        ];
        for (phase, seconds) in phases.iter_mut().zip(row) {
            phase.push(seconds * 1e3);
        }
        last = Some((count, ready.figures));
    }
    let (count, figures) = last.expect("at least one run");
    println!(
        "{name}: {entries} entries, {} edges, {} vertices, {} wedges, {} triangles, {:?}, peak {} MB of {} MB planned",
        figures.edges,
        figures.vertices,
        figures.wedges,
        count.counted.triangles,
        count.edges,
        peak / 1_000_000,
        (MemoryPlan::new(entries, bound).peak() + counting::most_bytes(entries, bound, &settings))
            / 1_000_000
    );
    if verify {
        let ready = prepared(gpu, graph, Task::Count)?;
        let tiling = Tiling::for_ranks(ready.graph.rows.len() / 2);
        let hubs = HubSettings { min_edges: 0, min_permille: 0, ..HubSettings::MEASURED };
        let groups = GroupSettings { hubs: Some(hubs), ..GroupSettings::MEASURED };
        let with_hubs = CountingSettings { groups: Some(groups), ..settings };
        let by_engine = [
            (
                "hybrid with hubs",
                hybrid_count::count_within(gpu, &ready.graph, &in_groups(&with_hubs), u64::MAX)?
                    .0
                    .counted
                    .triangles,
            ),
            ("merge-path", Shares::default().count(gpu, &ready.graph, &mut gpu.record()?)?),
            ("bitmap", tiling.count(gpu, &ready.graph, &mut gpu.record()?)?),
        ];
        for (engine, triangles) in by_engine {
            assert_eq!(triangles, count.counted.triangles, "{engine} disagrees");
        }
        drop(ready);
        println!("  the hubs' matrix, merge-path and bitmap agree");
        let start = Instant::now();
        let prepared = tribin_cpu::prepare::prepare(graph.edges(), graph.vertex_bound());
        let triangles = tribin_cpu::forward::count(&prepared.oriented);
        let reciprocal_dropped = figures.reciprocal_dropped;
        let found = Summary { reciprocal_dropped, ..prepared.figures };
        assert_eq!((triangles, found), (count.counted.triangles, figures), "the CPU disagrees");
        println!("  the CPU agrees, after {:.1} s", start.elapsed().as_secs_f64());
    }
    let labels = [
        "orient",
        "clean",
        "preprocessing (orient + clean)",
        "counting kernel, forward",
        "grouping, auto",
        "counting, auto",
        "edges on the device -> count, auto",
        "upload",
        "edges in host memory -> count, auto",
    ];
    for (label, mut samples) in labels.into_iter().zip(phases) {
        samples.remove(0);
        println!("  {label:36} {}", Spread(samples));
    }
    Ok(())
}
