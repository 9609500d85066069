//! `tribin bench`.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueHint;
use tribin::bench::{BenchRecord, Contender, DeviceRecord, Scales, markdown, measure, subjects};
use tribin::count::{CountOptions, EngineChoice};
use tribin::papers::PaperEngine;
use tribin::report::{OutputFile, printable};
use tribin::{DeviceChoice, Error, Options, Result};

use super::args::{NamedEngine, WorkArgs, engine};
use super::failure::{self, Failure};
use super::output::print;
use super::{stderr, threads};

const EXAMPLES: &str = "\
A graph is a file, or a generated graph of a scale S, which has 2^S vertices and
about 16 times as many edges (roads have twice as many): rmatS, erdos-renyiS,
barabasi-albertS, watts-strogatzS, geometricS, clusteredS, webS, roadS,
affiliationS, communitiesS, hubS, hyperbolicS, gap-kronS or gap-urandS.
(`./rmat16` is a file.)

Examples:
  tribin bench graph.mtx
  tribin bench rmat --scales 14..18 --json rmat.json
  tribin bench rmat20 road20 --engines forward,hybrid --devices cpu,gpu
  tribin bench --from rmat.json

Every engine counts each graph once more than it is timed, and all must find the
same figures; if not, that is an error and the exit code is 1.
";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// What to count: files and generated graphs
    #[arg(
        required_unless_present = "from",
        value_name = "FILE|KIND",
        value_hint = ValueHint::FilePath
    )]
    graphs: Vec<String>,

    /// The scales of kinds that are named without one: 14..18, both included, or 14,16,18
    #[arg(long, value_name = "SCALES")]
    scales: Option<Scales>,

    /// The engines; by default all that a device has, but `radix-binning-undirected`
    #[arg(long, value_name = "ENGINE", value_delimiter = ',', value_parser = engine())]
    engines: Vec<NamedEngine>,

    /// The devices; by default the CPU and, if one can be used, a GPU
    #[arg(long, value_name = "DEVICE", value_delimiter = ',', value_parser = str::parse::<DeviceChoice>)]
    devices: Vec<DeviceChoice>,

    /// Timed runs of each engine
    #[arg(long, value_name = "N", default_value = "5", value_parser = threads::at_least_one)]
    runs: NonZeroUsize,

    /// The seed of generated graphs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: WorkArgs,

    /// Write the measurements
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,

    /// Show measurements that `--json` wrote, instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with = "graphs", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
}

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    let json = args.json.as_ref().map(OutputFile::new).transpose()?;
    if let Some(json) = &json {
        json.refuse_as(args.graphs.iter().map(Path::new).chain(args.from.as_deref()))?;
    }
    let record = match &args.from {
        Some(path) => load(path)?,
        None => measurements(args)?,
    };
    if let Some(json) = json {
        // Structs of numbers and strings.
        let mut text = serde_json::to_string_pretty(&record).expect("a record is plain values");
        text.push('\n');
        json.write(text.as_bytes())?;
    }
    if args.json.as_deref() == Some(Path::new("-")) {
        // What stands there is for a program.
        return Ok(());
    }
    let table = markdown::results(&record);
    print(&table.lines().map(|line| printable(line) + "\n").collect::<String>())
}

/// Reads what `--json` wrote.
fn load(path: &Path) -> Result<BenchRecord> {
    let text =
        fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    serde_json::from_str(&text).map_err(|error| Error::Input {
        file: path.display().to_string(),
        message: format!("these are no measurements of `tribin bench --json` ({error})").into(),
    })
}

fn measurements(args: &BenchArgs) -> Result<BenchRecord> {
    let graphs = subjects(&args.graphs, args.scales.as_ref())?;
    // Threads that cannot be are no reason to leave out the CPU.
    threads::on(args.work.threads, || ())?;
    let contenders = contenders(args)?;
    let mut devices: Vec<DeviceRecord> = Vec::new();
    for contender in &contenders {
        let device = &contender.session().selection().device;
        if devices.iter().all(|known| known.device != *device) {
            devices.push(contender.device());
        }
    }
    let mut measured = Vec::new();
    for subject in &graphs {
        if !args.work.quiet {
            let engines = if contenders.len() == 1 { "engine" } else { "engines" };
            stderr::line(format_args!("note: measuring {subject}: {} {engines}", contenders.len()));
        }
        let graph =
            threads::on(args.work.threads, || subject.load(args.seed, &args.work.reading(None)))??;
        let mut record = measure(&graph, &contenders, args.runs.get())?;
        record.kind = subject.kind().map(String::from);
        measured.push(record);
    }
    let typed = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    let command = std::iter::once("tribin".to_owned()).chain(typed).collect::<Vec<_>>().join(" ");
    Ok(BenchRecord {
        version: env!("CARGO_PKG_VERSION").into(),
        command,
        runs: args.runs.get(),
        devices,
        graphs: measured,
    })
}

/// Every engine on every device. What was not asked for by name and cannot be had is left out.
fn contenders(args: &BenchArgs) -> Result<Vec<Contender>> {
    let engines = match &args.engines[..] {
        [] => {
            // The engine without orientation takes hours where others take seconds.
            let left_out = [
                NamedEngine::Own(EngineChoice::Auto),
                NamedEngine::Paper(PaperEngine::RadixBinningUndirected),
            ];
            NamedEngine::all().filter(|engine| !left_out.contains(engine)).collect()
        }
        named => named.to_vec(),
    };
    let devices = match &args.devices[..] {
        [] => vec![DeviceChoice::Cpu, DeviceChoice::Gpu(None)],
        named => named.to_vec(),
    };
    let mut contenders = Vec::new();
    let mut refused = None;
    for &device in &devices {
        for &engine in &engines {
            let mut options = Options::default();
            (options.device, options.threads) = (device, args.work.threads);
            let mut counting = CountOptions::default();
            if let NamedEngine::Own(choice) = engine {
                counting.engine = choice;
            }
            let session = engine.session(options);
            match session.and_then(|session| Contender::new(session, counting)) {
                Ok(contender) => contenders.push(contender),
                // Some engines run on some devices only.
                Err(error @ Error::Usage(_)) => refused = Some(error),
                Err(error @ Error::Device(_)) if args.devices.is_empty() => {
                    if !args.work.quiet && refused.is_none() {
                        stderr::line(format_args!(
                            "note: only the CPU is measured: {}",
                            failure::text("bench", &error)
                        ));
                    }
                    refused = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
    }
    match (contenders.is_empty(), refused) {
        (true, Some(error)) => Err(error),
        _ => Ok(contenders),
    }
}
