//! `tribin count`.

use std::path::Path;

use tribin::count::Counter;
use tribin::report::{OutputFile, human, json};
use tribin::{Result, read};

use super::args::CountArgs;
use super::failure::{Failure, say};
use super::fallback;
use super::output::print;
use super::progress::Display;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let output = args.output.as_ref().map(OutputFile::new).transpose()?;
    if let Some(output) = &output {
        output.refuse_as(&args.files)?;
    }
    let display = Display::new(args.quiet);
    let counter = Counter::new(args.options())?;
    let note = fallback::note(counter.selection(), "counting", args.quiet);
    let counter = counter.on_phase(display.on_phase(note));
    let options = args.read.options(args.format, Some(display.on_bytes()));

    let mut reports = String::new();
    let mut failed = false;
    for (i, file) in args.files.iter().enumerate() {
        display.begin(file);
        let report = report(&counter, file, &options, args);
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
    }
    Ok(())
}

fn report(
    counter: &Counter,
    file: &Path,
    options: &read::Options,
    args: &CountArgs,
) -> Result<String> {
    if args.dry_run {
        let plan = counter.plan(file, options)?;
        Ok(if args.json { json::line(&plan) } else { human::plan(&plan) })
    } else {
        let count = counter.count_file(file, options)?;
        Ok(if args.json { json::line(&count) } else { human::count(&count) })
    }
}
