//! `tribin stats`.

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use tribin::analytics::ZeroSign;
use tribin::plan::Task;
use tribin::read::{self, Source};
use tribin::report::human;
use tribin::{Duplicates, Input, Result, Session};

use super::args::{PlaceArgs, WorkArgs, named};
use super::failure::Failure;
use super::reports::{Reports, text};
use super::sources::sources;

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

    /// Say what would happen, without counting
    #[arg(long)]
    dry_run: bool,

    /// Say what was decided and why, and what each step was predicted to take and took
    #[arg(long, conflicts_with = "dry_run")]
    explain: bool,

    /// Count triangles by the signs of their edges too: those of this column of weights, by name or number from 1
    #[arg(long, value_name = "COLUMN")]
    sign: Option<String>,

    /// The sign of an edge of weight 0: it is an error, positive, negative, or skip leaves its triangles out
    #[arg(long, value_name = "RULE", default_value = "error", value_parser = named::<ZeroSign>(ZeroSign::ALL.map(ZeroSign::name)), requires = "sign")]
    zero: ZeroSign,

    /// What the weight of an edge is that is there several times: it must be equal, the sum, or the last
    #[arg(long, value_name = "RULE", default_value = "equal", value_parser = named::<Duplicates>(Duplicates::ALL.map(Duplicates::name)), requires = "sign")]
    duplicates: Duplicates,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    work: WorkArgs,
}

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let (display, session, mut reading) = args.place.open(&args.work)?;
    reading.weight.clone_from(&args.sign);
    reading.duplicates = args.duplicates;
    let mut reports = Reports::printed(args.json);
    let sources = sources(&args.files, args.merge);
    let report = |source| report(&session, source, &reading, args);
    match reports.add_each("stats", sources, &display, report)? {
        Some(code) => Err(Failure::Said(code)),
        None => Ok(()),
    }
}

fn report(
    session: &Session,
    source: Source,
    reading: &read::Options,
    args: &StatsArgs,
) -> Result<String> {
    let input = Input::file(source, reading).for_task(Task::Stats);
    if args.dry_run {
        return Ok(text(args.json, &session.plan(input)?, None, human::plan));
    }
    let graph = session.prepare(input)?;
    let mut stats = graph.stats()?;
    if args.sign.is_some() {
        let start = Instant::now();
        stats.signed = Some(graph.signed_triangles(args.zero)?);
        stats.head.seconds.total += start.elapsed().as_secs_f64();
    }
    let found = stats.head.seconds.total - graph.seconds().total;
    let explanation = args.explain.then(|| graph.explanation(Task::Stats, found));
    Ok(text(args.json, &stats, explanation, human::stats))
}
