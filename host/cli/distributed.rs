//! `tribin count --ranks env`: one of several processes that count together.

use tribin::ranks::{Environment, Ranks};
use tribin::read::Source;
use tribin::report::{OutputFile, human, json};
use tribin::{DeviceChoice, Error, Result, Session};

use super::args::CountArgs;
use super::failure::Failure;
use super::gpu_ranks;
use super::output::print;
use super::progress::Display;
use super::sources::sources;

/// Counts each graph together with the other ranks. Rank 0 alone reports.
pub fn run(args: &CountArgs) -> Result<(), Failure> {
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
    let output = args.output.as_ref().filter(|_| is_first).map(OutputFile::new).transpose()?;
    if let Some(output) = &output {
        output.refuse_as(&args.files)?;
    }
    let sources = || sources(&args.files, args.merge).into_iter().collect::<Result<Vec<Source>>>();
    let display = Display::new(args.quiet || !is_first);
    options.work = display.work().clone();
    let reading = args.read.options(args.format, Some(display.on_bytes()));
    let counting = args.options();
    let mut reports = String::new();
    let mut report = |text: String| {
        // People get a blank line between blocks, machines JSON Lines.
        let gap = if reports.is_empty() || args.json { "" } else { "\n" };
        reports.push_str(gap);
        reports.push_str(&text);
    };
    if args.dry_run {
        if !is_first {
            return Ok(());
        }
        let session = Session::with_progress(options, display.on_phase())?;
        for source in sources()? {
            display.begin(source.name());
            let plan = session.plan_with_ranks(&environment, source, &reading, &counting);
            display.end();
            let plan = plan?;
            report(if args.json { json::line(&plan) } else { human::plan(&plan) });
        }
    } else {
        let ranks = Ranks::join(&environment)?;
        options.cancel = ranks.cancel().clone();
        let session = Session::with_progress(options, display.on_phase());
        let session = session.map_err(|error| ranks.fail(error))?;
        for source in sources().map_err(|error| ranks.fail(error))? {
            display.begin(source.name());
            let count = session.count_with_ranks(&ranks, source, &reading, &counting);
            display.end();
            let count = count?;
            report(if args.json { json::line(&count) } else { human::count(&count) });
        }
        ranks.finish();
    }
    if !is_first {
        return Ok(());
    }
    match output {
        Some(output) => Ok(output.write(reports.as_bytes())?),
        None => print(&reports),
    }
}
