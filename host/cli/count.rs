//! `tribin count`.

use std::path::Path;

use tribin::count::Count;
use tribin::generate::command;
use tribin::graph::{EdgeBlocks, Reading};
use tribin::read::Source;
use tribin::report::human;
use tribin::{Error, Input, Options, Result, Session, read};

use super::args::CountArgs;
use super::failure::Failure;
use super::labels;
use super::progress::Display;
#[cfg(feature = "cluster")]
use super::ranks;
use super::reports::{Reports, text};
use super::sources::sources;
use super::stderr;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if args.ranks.is_some() {
        #[cfg(feature = "cluster")]
        return ranks::run(args);
        #[cfg(not(feature = "cluster"))]
        return Err(super::failure::left_out("cluster", "`--ranks` needs").into());
    }
    if let Some(table) = &args.labels.labels {
        return labels::run(args, table);
    }
    let mut reports = Reports::open(args)?;
    let display = Display::new(args.work.quiet);
    let session = open(args, args.session_options(), &display)?;
    if let Some(kind) = &args.generate {
        display.begin(Path::new(kind));
        let count = generated(&session, kind, args);
        display.end();
        reports.add(&of_count(&count?, args))?;
        return reports.finish();
    }
    let options = args.work.reading(Some(display.on_bytes()));
    let failed =
        reports.add_each("count", sources(&args.files, args.merge), &display, |source| {
            report(&session, source, &options, args)
        })?;
    failed.map_or_else(|| reports.finish(), |code| Err(Failure::Said(code)))
}

/// The session that counts: the engine that was asked for, which opens its devices when they are needed.
pub(super) fn open(args: &CountArgs, options: Options, display: &Display) -> Result<Session> {
    let (cancel, work) = (options.cancel.clone(), display.work().clone());
    let options = Options { open_later: true, work: work.clone(), ..options };
    let session = args.engine.session(options)?;
    let session = session.with_control(cancel, work, display.on_phase());
    session.check(&args.options())?;
    args.place.check(&session)?;
    Ok(session)
}

/// The report of a count.
pub(super) fn of_count(count: &Count, args: &CountArgs) -> String {
    say_reading(&count.file, count.reading.as_ref(), args);
    text(args.json, count, None, human::count)
}

/// Counts a generated graph.
fn generated(session: &Session, kind: &str, args: &CountArgs) -> Result<Count> {
    let (name, model) = model(session, kind, args)?;
    session.count(Input::blocks(&*model, &name).with_options(&args.options()))
}

/// The name and the edges of a generated graph.
pub(super) fn model(
    session: &Session,
    kind: &str,
    args: &CountArgs,
) -> Result<(String, Box<dyn EdgeBlocks>)> {
    let Some((kind, scale)) = command::named(kind)? else {
        let message =
            format!("`{kind}` is no generated graph: name a kind and a scale, as in rmat20");
        return Err(Error::Usage(message.into()));
    };
    let scale = scale.unwrap_or(command::SCALE);
    let model = session.install(|| command::model(kind, scale, args.seed.unwrap_or(1)))?;
    Ok((format!("{kind}{scale}"), model))
}

/// A graph's report.
fn report(
    session: &Session,
    source: Source,
    options: &read::Options,
    args: &CountArgs,
) -> Result<String> {
    let input = Input::file(source, options).with_options(&args.options());
    if args.dry_run {
        Ok(text(args.json, &session.plan(input)?, None, human::plan))
    } else {
        Ok(of_count(&session.count(input)?, args))
    }
}

/// Says how a table of text was read, to whoever looks on while a program reads the JSON. There is nothing to say of two columns of
/// integers.
pub(super) fn say_reading(file: &str, reading: Option<&Reading>, args: &CountArgs) {
    let Some(reading) = reading else { return };
    let is_plain = !reading.header && reading.of_columns.is_none() && reading.ids == "integers";
    if args.json && !args.work.quiet && reading.delimiter.is_some() && !is_plain {
        stderr::line(format_args!("note: {file}: read as {reading}"));
    }
}
