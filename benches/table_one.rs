//! Table I of paper 003: the paper's seconds (Tesla P100), miniTri's (one CPU core), and ours.
//!
//! `cargo bench --bench table_one -- --help` says what can be measured.
//!
//! Every count is checked. Needs a GPU; says so and ends where there is none. Figures are kept in
//! docs/radix-binning.md.

mod graphs;
#[path = "table_one/studies.rs"]
mod studies;

use std::path::PathBuf;

use clap::Parser;
use testkit::table_one::{ROWS, Row};
use tribin::Graph;
use tribin_gpu::device::cuda::{Gpu, Kernels, kernels};
use tribin_papers::radix_binning::count_uploaded;
use tribin_papers::radix_binning::{KeyOrder, Orientation, RadixCount, RadixOptions};
use warpwise_device::launch::Metered;
use warpwise_device::launch::{Buffer, Device};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Table I of paper 003: every row by default.
#[derive(Parser)]
#[command(name = "table_one")]
struct Args {
    /// Runs of each, after one that warms up
    #[arg(long, default_value_t = 5)]
    runs: usize,

    /// The paper's d
    #[arg(long)]
    digit_bits: Option<u32>,

    /// The paper's thr
    #[arg(long)]
    threshold: Option<u32>,

    /// Which bits of an edge come first: concatenated or interleaved
    #[arg(long = "order", value_parser = order)]
    key_order: Option<KeyOrder>,

    /// Generated graphs also with this budget, in bytes
    #[arg(long)]
    memory: Option<u64>,

    /// What every level did
    #[arg(long)]
    levels: bool,

    /// All of d, thr and order against the clock
    #[arg(long)]
    sweep: bool,

    /// What each order eliminates where no tail helps (thr 0)
    #[arg(long)]
    pruning: bool,

    /// A file with other kernels than the embedded ones
    #[arg(long)]
    ptx: Option<PathBuf>,

    /// Where the p2p-Gnutella files are
    #[arg(long)]
    data: Option<PathBuf>,

    /// Parts of rows' names, or generated graphs: `rmatS`, `erS`, `ba`, `ws`
    names: Vec<String>,

    /// What cargo passes
    #[arg(long, hide = true)]
    bench: bool,
}

impl Args {
    /// The defaults of an orientation, and what was given instead.
    fn options(&self, orientation: Orientation) -> RadixOptions {
        let defaults = RadixOptions::of(orientation);
        RadixOptions {
            digit_bits: self.digit_bits.unwrap_or(defaults.digit_bits),
            threshold: self.threshold.unwrap_or(defaults.threshold),
            key_order: self.key_order.unwrap_or(defaults.key_order),
            ..defaults
        }
    }
}

fn order(name: &str) -> std::result::Result<KeyOrder, String> {
    match name {
        "concatenated" => Ok(KeyOrder::Concatenated),
        "interleaved" => Ok(KeyOrder::Interleaved),
        _ => Err(format!("no key order {name}")),
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let ptx = args.ptx.as_ref().map(std::fs::read_to_string).transpose()?;
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
    println!(
        "{}: median of {} runs after one warm-up, ms on the device",
        gpu.info().name,
        args.runs
    );
    for name in &args.names {
        let Some(graph) = graphs::by_name(name)? else { continue };
        if args.sweep {
            studies::sweep(&gpu, name, &graph, &[Orientation::Degree], &args)?;
        } else if args.pruning {
            studies::pruning(&gpu, name, &graph, Orientation::Degree)?;
        } else {
            studies::generated(&gpu, name, &graph, &args)?;
        }
    }
    let is_wanted = |row: &&Row| {
        args.names.is_empty() || args.names.iter().any(|name| row.name.contains(name.as_str()))
    };
    if !args.sweep && !args.pruning {
        println!(
            "{:18} {:>7} {:>8} {:>6} {:>9} {:>8} | {} | {}",
            "row",
            "|E|",
            "|E'|",
            "tri",
            "paper",
            "miniTri",
            headings("none"),
            headings("degree")
        );
    }
    for row in ROWS.iter().filter(is_wanted) {
        let Some(graph) = row.graph(args.data.as_deref()) else { continue };
        if args.sweep {
            let both = [Orientation::None, Orientation::Degree];
            studies::sweep(&gpu, row.name, &graph, &both, &args)?;
        } else if args.pruning {
            studies::pruning(&gpu, row.name, &graph, Orientation::None)?;
            studies::pruning(&gpu, row.name, &graph, Orientation::Degree)?;
        } else {
            bench_row(&gpu, row, &graph, &args)?;
        }
    }
    Ok(())
}

/// One count of a graph whose edges are on the device already.
fn run<D: Device<Error: Into<tribin::Error>>>(
    device: &D,
    graph: &Graph,
    options: &RadixOptions,
) -> Result<RadixCount> {
    let device = &Metered::of(device);
    let count = || {
        let mut edges = Buffer::uninitialized(device, graph.edges().len() as u64)?;
        edges.upload_bytes(device, 0, bytemuck::cast_slice(graph.edges()))?;
        device.synchronize()?;
        count_uploaded(device, edges, graph.vertex_bound() as u64, options)
    };
    Ok(count().map_err(Into::<tribin::Error>::into)?)
}

/// The run of median time on the device, after one that warms up.
fn median(gpu: &Gpu, graph: &Graph, options: &RadixOptions, runs: usize) -> Result<RadixCount> {
    run(gpu, graph, options)?;
    let mut counts =
        (0..runs.max(1)).map(|_| run(gpu, graph, options)).collect::<Result<Vec<_>>>()?;
    assert!(counts.iter().all(|count| count.triangles == counts[0].triangles), "runs disagree");
    counts.sort_by(|a, b| a.seconds.on_device().total_cmp(&b.seconds.on_device()));
    let middle = counts.len() / 2;
    Ok(counts.swap_remove(middle))
}

fn headings(orientation: &str) -> String {
    let names = ["orient", "clean", "gen", "sect"].map(|name| format!("{name:>6} ")).concat();
    format!("{orientation:>7} {names}{:>4}", "#")
}

fn phases(count: &RadixCount) -> String {
    let s = count.seconds;
    format!(
        "{:7.3} {:6.3} {:6.3} {:6.3} {:6.3} {:4}",
        s.on_device() * 1e3,
        s.orient * 1e3,
        s.clean * 1e3,
        s.candidates * 1e3,
        s.intersect * 1e3,
        count.launches
    )
}

fn bench_row(gpu: &Gpu, row: &Row, graph: &Graph, args: &Args) -> Result<()> {
    let (paper, degree) = (args.options(Orientation::None), args.options(Orientation::Degree));
    let counts = (median(gpu, graph, &paper, args.runs)?, median(gpu, graph, &degree, args.runs)?);
    let (none, oriented) = &counts;
    assert_eq!((none.edges, none.candidates), (row.edges, row.candidates), "{}", row.name);
    assert_eq!(
        (none.triangles, oriented.triangles),
        (row.triangles, row.triangles),
        "{}",
        row.name
    );
    println!(
        "{:18} {:7} {:8} {:6} {:9.3} {:8.3} | {} | {}",
        row.name,
        row.edges,
        row.candidates,
        row.triangles,
        row.paper_seconds * 1e3,
        row.minitri_seconds * 1e3,
        phases(none),
        phases(oriented)
    );
    for (options, count) in [(&paper, none), (&degree, oriented)] {
        studies::details(options, count, args);
    }
    Ok(())
}
