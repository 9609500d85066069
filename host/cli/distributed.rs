//! `tribin count --ranks env`: one of several processes that count together.

use tribin::ranks::{Environment, Ranks};
use tribin::read::Source;
use tribin::{DeviceChoice, Error, Result, Session};

use super::args::{CountArgs, NamedEngine};
use super::count::{of_count, of_plan};
use super::failure::Failure;
use super::gpu_ranks;
use super::progress::Display;
use super::reports::Reports;
use super::sources::sources;

/// Counts each graph together with the other ranks. Rank 0 alone reports.
pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if let NamedEngine::Paper(engine) = args.engine {
        let message = format!(
            "`--engine {engine}` counts in one process: leave out `--ranks`, or `--engine`"
        );
        return Err(Error::Usage(message.into()).into());
    }
    if !matches!(args.device, DeviceChoice::Auto | DeviceChoice::Cpu) {
        return gpu_ranks::run(args);
    }
    if args.generate.is_some() {
        let message =
            "ranks that count on their CPUs read files: write the graph with `tribin generate`";
        return Err(Error::Usage(message.into()).into());
    }
    let environment = Environment::of_process()?;
    let mut options = args.session_options().for_ranks()?;
    let is_first = environment.rank() == 0;
    let reports = is_first.then(|| Reports::open(args)).transpose()?;
    let sources = || sources(&args.files, args.merge).into_iter().collect::<Result<Vec<Source>>>();
    let display = Display::new(args.quiet || !is_first);
    options.work = display.work().clone();
    let reading = args.read.options(args.format, Some(display.on_bytes()));
    let counting = args.options();
    if args.dry_run {
        let Some(mut reports) = reports else { return Ok(()) };
        let session = Session::with_progress(options, display.on_phase())?;
        for source in sources()? {
            display.begin(source.name());
            let plan = session.plan_with_ranks(&environment, source, &reading, &counting);
            display.end();
            reports.add(&of_plan(&plan?, args))?;
        }
        return reports.finish();
    }
    let ranks = Ranks::join(&environment)?;
    options.cancel = ranks.cancel().clone();
    let session = Session::with_progress(options, display.on_phase());
    let session = session.map_err(|error| ranks.fail(error))?;
    let mut counts = Vec::new();
    for source in sources().map_err(|error| ranks.fail(error))? {
        display.begin(source.name());
        let count = session.count_with_ranks(&ranks, source, &reading, &counting);
        display.end();
        counts.push(count?);
    }
    ranks.finish();
    let Some(mut reports) = reports else { return Ok(()) };
    counts.iter().try_for_each(|count| reports.add(&of_count(count, args)))?;
    reports.finish()
}
