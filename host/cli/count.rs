//! `tribin count`.

use std::path::Path;

use tribin::Session;
use tribin::count::Count;
use tribin::read::Source;
use tribin::report::{OutputFile, counted, human, json};
use tribin::{Error, Result, read};

use super::args::CountArgs;
use super::bench::subject::{self, Subject};
use super::distributed;
use super::failure::{Failure, say};
use super::fallback;
use super::output::print;
use super::progress::Display;
use super::sources::sources;
use super::stderr;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if args.ranks.is_some() {
        return distributed::run(args);
    }
    let output = args.output.as_ref().map(OutputFile::new).transpose()?;
    if let Some(output) = &output {
        output.refuse_as(&args.files)?;
    }
    let display = Display::new(args.quiet);
    let mut options = args.session_options();
    options.work = display.work().clone();
    let session = Session::with_progress(options, display.on_phase())?;
    session.selection().check(&args.options())?;
    let device_memory = ("--device-memory", args.device_memory);
    fallback::check_memory(device_memory, args.device, session.selection())?;
    fallback::say(session.selection(), "counting");
    if let Some(kind) = &args.generate {
        display.begin(Path::new(kind));
        let count = generated(&session, kind, args);
        display.end();
        let count = count?;
        let report = if args.json { json::line(&count) } else { human::count(&count) };
        return match output {
            Some(output) => Ok(output.write(report.as_bytes())?),
            None => print(&report),
        };
    }
    let options = args.read.options(args.format, Some(display.on_bytes()));

    let mut reports = String::new();
    let mut failed = false;
    let mut counts = Vec::new();
    let mut reported = 0;
    for (i, source) in sources(&args.files, args.merge).into_iter().enumerate() {
        let report = source.and_then(|source| {
            display.begin(source.name());
            let report = report(&session, source, &options, args);
            display.end();
            report
        });
        match report {
            Ok((report, count)) => {
                counts.extend(count);
                reported += 1;
                // People get a blank line between blocks, machines JSON Lines.
                let gap = if i > 0 && !args.json { "\n" } else { "" };
                let text = format!("{gap}{report}");
                match &output {
                    Some(_) => reports.push_str(&text),
                    None => print(&text)?,
                }
            }
            Err(error) => {
                say("count", &error);
                failed = true;
            }
        }
    }
    // People get all counts side by side.
    if counts.len() > 1 && !args.json {
        let table = format!("\n{}", human::counts(&counts));
        match &output {
            Some(_) => reports.push_str(&table),
            None => print(&table)?,
        }
    }
    if failed {
        return Err(Failure::Said);
    }
    if let Some(output) = output {
        output.write(reports.as_bytes())?;
        if !args.quiet && output.is_file() {
            let reports = counted(reported, "report", "reports");
            stderr::line(format_args!("note: {}: {reports} written", output.name()));
        }
    }
    Ok(())
}

/// Counts a generated graph.
pub(super) fn generated(session: &Session, kind: &str, args: &CountArgs) -> Result<Count> {
    let named = subject::all(&[kind.to_owned()], None)?;
    let [Subject::Generated { kind, scale }] = &named[..] else {
        let message =
            format!("`{kind}` is no generated graph: name a kind and a scale, as in rmat20");
        return Err(Error::Usage(message.into()));
    };
    let model = session.install(|| subject::model(kind, *scale, args.seed))?;
    session.count_blocks(&*model, &named[0].to_string(), &args.options())
}

/// A graph's report, and its count where it was counted.
fn report(
    session: &Session,
    source: Source,
    options: &read::Options,
    args: &CountArgs,
) -> Result<(String, Option<Count>)> {
    if args.dry_run {
        let plan = session.plan(source, options, &args.options())?;
        Ok((if args.json { json::line(&plan) } else { human::plan(&plan) }, None))
    } else {
        let count = session.count_file(source, options, &args.options())?;
        let report = if args.json { json::line(&count) } else { human::count(&count) };
        Ok((report, Some(count)))
    }
}
