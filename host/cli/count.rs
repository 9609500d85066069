//! `tribin count`.

use std::path::Path;

use tribin::Session;
use tribin::report::{OutputFile, counted, human, json};
use tribin::{Result, read};

use super::args::CountArgs;
use super::failure::{Failure, say};
use super::fallback;
use super::output::print;
use super::progress::Display;
use super::stderr;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let output = args.output.as_ref().map(OutputFile::new).transpose()?;
    if let Some(output) = &output {
        output.refuse_as(&args.files)?;
    }
    let display = Display::new(args.quiet);
    let mut options = args.session_options();
    options.work = display.work().clone();
    let session = Session::with_progress(options, display.on_phase())?;
    session.selection().check(&args.options())?;
    fallback::check_memory(args.memory, args.device, session.selection())?;
    fallback::say(session.selection(), "counting");
    let options = args.read.options(args.format, Some(display.on_bytes()));

    let mut reports = String::new();
    let mut failed = false;
    for (i, file) in args.files.iter().enumerate() {
        display.begin(file);
        let report = report(&session, file, &options, args);
        display.end();
        match report {
            Ok(report) => {
                // People get a blank line between blocks, machines JSON Lines.
                let gap = if i > 0 && !args.json { "\n" } else { "" };
                let text = format!("{gap}{report}");
                match &output {
                    Some(_) => reports.push_str(&text),
                    None => print(&text)?,
                }
            }
            Err(error) => {
                say(&error);
                failed = true;
            }
        }
    }
    if failed {
        return Err(Failure::Said);
    }
    if let Some(output) = output {
        output.write(reports.as_bytes())?;
        if !args.quiet && output.is_file() {
            let reports = counted(args.files.len() as u64, "report", "reports");
            stderr::line(format_args!("note: {}: {reports} written", output.name()));
        }
    }
    Ok(())
}

fn report(
    session: &Session,
    file: &Path,
    options: &read::Options,
    args: &CountArgs,
) -> Result<String> {
    if args.dry_run {
        let plan = session.plan(file, options, &args.options())?;
        Ok(if args.json { json::line(&plan) } else { human::plan(&plan) })
    } else {
        let count = session.count_file(file, options, &args.options())?;
        Ok(if args.json { json::line(&count) } else { human::count(&count) })
    }
}
