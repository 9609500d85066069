//! `tribin stats`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tribin::analytics::ZeroSign;
use tribin::plan::Task;
use tribin::read::{self, Format, Source};
use tribin::report::{human, json};
use tribin::{Duplicates, Input, Result, Session};

use super::args::{ReadAllArgs, duplicates, format};
use super::failure::{Failure, code, say};
use super::output::print;
use super::progress::Display;
use super::sources::sources;
use super::tables::PlaceArgs;
use super::threads;

#[derive(Debug, clap::Args)]
pub struct StatsArgs {
    /// Graphs: files, or folders of files that are one graph; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Take all files as parts of one graph
    #[arg(long)]
    merge: bool,

    /// Print one JSON object for each file, on a line of its own
    #[arg(long)]
    json: bool,

    /// Count triangles by the signs of their edges too: those of this column of weights, by name or number from 1
    #[arg(long, value_name = "COLUMN")]
    sign: Option<String>,

    /// What the sign of an edge of weight 0 is: it is refused, positive, negative, or its triangles are left out
    #[arg(long, value_name = "RULE", default_value = "error", value_parser = zero(), requires = "sign")]
    zero: ZeroSign,

    /// What the weight of an edge is that is there several times: it must be equal, the sum, or the last
    #[arg(long, value_name = "RULE", default_value = "equal", value_parser = duplicates(), requires = "sign")]
    duplicates: Duplicates,

    #[command(flatten)]
    place: PlaceArgs,

    /// CPU threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,

    /// The files' format, where it is not what extension and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    #[command(flatten)]
    read: ReadAllArgs,

    /// No progress bars and no notes: only warnings and errors go to stderr
    #[arg(short, long)]
    quiet: bool,
}

fn zero() -> impl TypedValueParser<Value = ZeroSign> {
    PossibleValuesParser::new(ZeroSign::ALL.map(ZeroSign::name))
        .try_map(|name| name.parse::<ZeroSign>())
}

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let mut options = args.place.options(args.threads);
    let display = Display::new(args.quiet);
    options.work = display.work().clone();
    options.task = Task::Stats;
    let session = Session::opened_later(options, display.on_phase())?;
    args.place.check(&session)?;
    let mut reading = args.read.options(args.format, Some(display.on_bytes()));
    reading.weight.clone_from(&args.sign);
    reading.duplicates = args.duplicates;
    let mut failed = None;
    for (i, source) in sources(&args.files, args.merge).into_iter().enumerate() {
        let report = source.and_then(|source| {
            display.begin(source.name());
            let report = report(&session, source, &reading, args);
            display.end();
            report
        });
        match report {
            // People get a blank line between blocks, machines JSON Lines.
            Ok(report) if i > 0 && !args.json => print(&format!("\n{report}"))?,
            Ok(report) => print(&report)?,
            Err(error) => {
                say("stats", &error);
                failed = failed.max(Some(code(&error)));
            }
        }
    }
    failed.map_or(Ok(()), |code| Err(Failure::Said(code)))
}

fn report(
    session: &Session,
    source: Source,
    reading: &read::Options,
    args: &StatsArgs,
) -> Result<String> {
    let graph = session.prepare(Input::file(source, reading))?;
    let mut stats = graph.stats()?;
    if args.sign.is_some() {
        let start = Instant::now();
        stats.signed = Some(graph.signed_triangles(args.zero)?);
        stats.seconds.total += start.elapsed().as_secs_f64();
    }
    Ok(if args.json { json::line(&stats) } else { human::stats(&stats) })
}
