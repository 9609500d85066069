//! `tribin count --ranks env`: one of several processes that count together.

use std::path::Path;

use tribin::count::Count;
use tribin::ranks::{Environment, Ranks};
use tribin::{Input, Options, Result};

use super::args::CountArgs;
use super::count::{model, of_count, open};
use super::failure::Failure;
use super::progress::Display;
use super::reports::Reports;
use super::sources::sources;

/// Counts each graph together with the other ranks. Rank 0 alone reports.
pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let environment = Environment::of_process()?;
    let is_first = environment.rank() == 0;
    let reports = is_first.then(|| Reports::open(args)).transpose()?;
    let display = Display::new(args.work.quiet || !is_first);
    let mut options = args.session_options().for_rank(&environment)?;
    let ranks = Ranks::join(&environment)?;
    options.cancel = ranks.cancel().clone();
    // All others end with this one, and say why.
    let counts = count(args, options, &ranks, &display).map_err(|error| ranks.fail(error))?;
    ranks.finish();
    let Some(mut reports) = reports else { return Ok(()) };
    counts.iter().try_for_each(|count| reports.add(&of_count(count, args)))?;
    reports.finish()
}

/// Counts every graph, all ranks together.
fn count(
    args: &CountArgs,
    options: Options,
    ranks: &Ranks,
    display: &Display,
) -> Result<Vec<Count>> {
    let session = open(args, options, display)?;
    let mut counts = Vec::new();
    if let Some(kind) = &args.generate {
        display.begin(Path::new(kind));
        let (name, model) = model(&session, kind, args)?;
        let input = Input::blocks(&*model, &name).with_options(&args.options());
        counts.push(session.count_with_ranks(ranks, input)?);
        display.end();
    }
    let reading = args.work.reading(Some(display.on_bytes()));
    for source in sources(&args.files, args.merge) {
        let source = source?;
        display.begin(source.clone());
        let input = Input::file(source, &reading).with_options(&args.options());
        counts.push(session.count_with_ranks(ranks, input)?);
        display.end();
    }
    Ok(counts)
}
