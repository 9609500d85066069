//! Table I of paper 003: the paper's seconds (Tesla P100), miniTri's (one CPU core), and ours.
//!
//! `cargo bench --bench table_one -- [--runs N] [--order concatenated|interleaved] [--digit-bits D]
//! [--threshold T] [--levels] [--ptx FILE] [--sweep] [--budget GRAPH BYTES] [ROW…]`
//!
//! Every count is checked. Needs a GPU; says so and ends where there is none. The p2p-Gnutella rows
//! need the reference data beside the repository, or in the folder that `--data` names.

#[path = "../tests/generators/mod.rs"]
mod generators;
#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use support::table_one::{ROWS, Row};
use tribin::Graph;
use tribin::device::counted::Counted;
use tribin::device::cuda::{Gpu, PTX};
use tribin::engine::radix_gpu::{KeyOrder, Options, Orientation, RadixCount, count_uploaded};
use tribin_device::launch::{Buffer, Device};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Args {
    runs: usize,
    options: Options,
    levels: bool,
    sweep: bool,
    budget: Option<(String, u64)>,
    ptx: String,
    data: Option<PathBuf>,
    names: Vec<String>,
}

fn arguments() -> Result<Args> {
    let mut parsed = Args {
        runs: 5,
        options: Options::default(),
        levels: false,
        sweep: false,
        budget: None,
        ptx: PTX.to_owned(),
        data: None,
        names: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} takes a value"));
        match arg.as_str() {
            "--bench" => {}
            "--levels" => parsed.levels = true,
            "--sweep" => parsed.sweep = true,
            "--runs" => parsed.runs = value()?.parse()?,
            "--digit-bits" => parsed.options.digit_bits = value()?.parse()?,
            "--threshold" => parsed.options.threshold = value()?.parse()?,
            "--order" => parsed.options.key_order = order(&value()?)?,
            "--ptx" => parsed.ptx = std::fs::read_to_string(value()?)?,
            "--data" => parsed.data = Some(value()?.into()),
            "--budget" => parsed.budget = Some((value()?, value()?.parse()?)),
            name => parsed.names.push(name.to_owned()),
        }
    }
    Ok(parsed)
}

fn order(name: &str) -> Result<KeyOrder> {
    match name {
        "concatenated" => Ok(KeyOrder::Concatenated),
        "interleaved" => Ok(KeyOrder::Interleaved),
        _ => Err(format!("no key order {name}").into()),
    }
}

fn main() -> Result<()> {
    let args = arguments()?;
    let gpu = match Gpu::with_kernels(0, &args.ptx) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    if let Some((name, bytes)) = &args.budget {
        return budget(&gpu, name, *bytes, &args);
    }
    println!(
        "{}, {:?}: median of {} runs after one warm-up, ms on the device",
        gpu.info().name,
        args.options,
        args.runs
    );
    println!(
        "{:18} {:>7} {:>8} {:>6} {:>9} {:>8} | {:>7} {:>6} {:>6} {:>6} {:>6} {:>4} | {:>7} {:>6} {:>6} {:>6} {:>6} {:>4}",
        "row",
        "|E|",
        "|E'|",
        "tri",
        "paper",
        "miniTri",
        "paper's",
        "prep",
        "fig",
        "gen",
        "sect",
        "#",
        "degree",
        "prep",
        "fig",
        "gen",
        "sect",
        "#"
    );
    for row in ROWS {
        if !args.names.is_empty() && !args.names.iter().any(|name| row.name.contains(name.as_str()))
        {
            continue;
        }
        let Some(graph) = row.graph(args.data.as_deref()) else { continue };
        if args.sweep {
            sweep(&gpu, row, &graph, &args)?;
        } else {
            bench_row(&gpu, row, &graph, &args)?;
        }
    }
    Ok(())
}

/// The run of median time on the device, after one that warms up.
fn median(gpu: &Gpu, graph: &Graph, options: &Options, runs: usize) -> Result<RadixCount> {
    let mut counts = Vec::new();
    for _ in 0..=runs {
        let device = &Counted::new(gpu);
        let mut edges = Buffer::uninitialized(device, graph.edges().len() as u64)?;
        edges.upload_bytes(device, 0, bytemuck::cast_slice(graph.edges()))?;
        device.synchronize()?;
        counts.push(count_uploaded(device, edges, graph.vertex_bound() as u64, options)?);
    }
    counts.remove(0);
    assert!(counts.iter().all(|count| count.triangles == counts[0].triangles), "runs disagree");
    counts.sort_by(|a, b| a.seconds.on_device().total_cmp(&b.seconds.on_device()));
    Ok(counts.swap_remove(runs / 2))
}

fn phases(count: &RadixCount) -> String {
    let s = count.seconds;
    format!(
        "{:7.3} {:6.3} {:6.3} {:6.3} {:6.3} {:4}",
        s.on_device() * 1e3,
        s.prepare * 1e3,
        s.figures * 1e3,
        s.candidates * 1e3,
        s.intersect * 1e3,
        count.launches
    )
}

fn bench_row(gpu: &Gpu, row: &Row, graph: &Graph, args: &Args) -> Result<()> {
    let paper = Options { orientation: Orientation::None, ..args.options };
    let paper = median(gpu, graph, &paper, args.runs)?;
    let degree = Options { orientation: Orientation::Degree, ..args.options };
    let degree = median(gpu, graph, &degree, args.runs)?;
    assert_eq!((paper.edges, paper.candidates), (row.edges, row.candidates), "{}", row.name);
    assert_eq!((paper.triangles, degree.triangles), (row.triangles, row.triangles), "{}", row.name);
    println!(
        "{:18} {:7} {:8} {:6} {:9.3} {:8.3} | {} | {}",
        row.name,
        row.edges,
        row.candidates,
        row.triangles,
        row.paper_seconds * 1e3,
        row.minitri_seconds * 1e3,
        phases(&paper),
        phases(&degree)
    );
    if args.levels {
        for (name, count) in [("none", &paper), ("degree", &degree)] {
            for (depth, level) in count.levels.iter().enumerate() {
                println!("    {name:6} level {depth}: {level:?}");
            }
        }
    }
    Ok(())
}

/// Digit widths, thresholds and key orders against the clock.
fn sweep(gpu: &Gpu, row: &Row, graph: &Graph, args: &Args) -> Result<()> {
    for orientation in [Orientation::None, Orientation::Degree] {
        for key_order in [KeyOrder::Concatenated, KeyOrder::Interleaved] {
            for digit_bits in [4, 6, 8] {
                for threshold in [64, 256, 1024, 4096] {
                    let options =
                        Options { orientation, key_order, digit_bits, threshold, ..args.options };
                    let count = median(gpu, graph, &options, args.runs)?;
                    println!(
                        "{:18} {orientation:?} {key_order:?} d {digit_bits} thr {threshold:4} {}",
                        row.name,
                        phases(&count)
                    );
                }
            }
        }
    }
    Ok(())
}

/// A generated graph with unbounded memory and with a budget.
fn budget(gpu: &Gpu, name: &str, bytes: u64, args: &Args) -> Result<()> {
    let graph = Graph::from_edges(generators::by_name(name).ok_or("no such graph")?);
    let expected = tribin::engine::forward_gpu::count(gpu, &graph)?.triangles;
    for memory in [gpu.free_memory()? / 4 * 3, bytes] {
        let options = Options { memory, ..args.options };
        let count = median(gpu, &graph, &options, args.runs.min(3))?;
        assert_eq!(count.triangles, expected, "{name}");
        let seconds = count.seconds.candidates + count.seconds.intersect;
        let candidates = count.candidates as f64;
        println!(
            "{name}, {memory} bytes: {} edges, {} candidates in {} batches, {} launches\n  {}\n  \
             {:.3} ns a candidate, {:.2} G candidates a second",
            count.edges,
            count.candidates,
            count.batches,
            count.launches,
            phases(&count),
            seconds * 1e9 / candidates,
            candidates / seconds / 1e9
        );
        for (depth, level) in count.levels.iter().enumerate() {
            println!("    level {depth}: {level:?}");
        }
    }
    Ok(())
}
