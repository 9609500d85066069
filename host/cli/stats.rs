//! `tribin stats`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueHint;
use tribin::plan::Task;
use tribin::read::{self, Format, Source};
use tribin::report::{human, json};
use tribin::{Input, Result, Session};

use super::args::{ReadAllArgs, format};
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

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let mut options = args.place.options(args.threads);
    let display = Display::new(args.quiet);
    options.work = display.work().clone();
    options.task = Task::Stats;
    let session = Session::opened_later(options, display.on_phase())?;
    args.place.check(&session)?;
    let reading = args.read.options(args.format, Some(display.on_bytes()));
    let mut failed = None;
    for (i, source) in sources(&args.files, args.merge).into_iter().enumerate() {
        let report = source.and_then(|source| {
            display.begin(source.name());
            let report = report(&session, source, &reading, args.json);
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
    for_machines: bool,
) -> Result<String> {
    let stats = session.prepare(Input::file(source, reading))?.stats()?;
    Ok(if for_machines { json::line(&stats) } else { human::stats(&stats) })
}
