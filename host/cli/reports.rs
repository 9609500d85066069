//! Reports of graphs that are counted one after the other: each to standard output as it comes, or all to one file.

use serde::Serialize;
use tribin::Result;
use tribin::plan::Explanation;
use tribin::read::Source;
use tribin::report::{OutputFile, counted, human, json};

use super::args::CountArgs;
use super::failure::{Failure, code, say};
use super::output::print;
use super::progress::Display;
use super::stderr;

/// A report for people, or as a line of JSON, with an explanation where there is one.
pub fn text<T: Serialize>(
    as_json: bool,
    report: &T,
    explanation: Option<Explanation>,
    for_people: impl Fn(&T) -> String,
) -> String {
    if as_json {
        return json::line(&Explained { report, explanation });
    }
    let lines = explanation.as_ref().map(human::explanation);
    for_people(report) + &lines.unwrap_or_default()
}

/// The fields of a report and those of its explanation.
#[derive(Serialize)]
struct Explained<'r, T> {
    #[serde(flatten)]
    report: &'r T,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation>,
}

/// Prints a report for people, or as a line of JSON.
pub fn print_as<T: Serialize>(
    as_json: bool,
    report: &T,
    for_people: impl Fn(&T) -> String,
) -> Result<(), Failure> {
    print(&text(as_json, report, None, for_people))
}

pub struct Reports {
    output: Option<OutputFile>,
    /// What the file is to hold.
    text: String,
    number: u64,
    json: bool,
    quiet: bool,
}

impl Reports {
    /// Opens the file that `--output` names, before anything is read.
    ///
    /// # Errors
    /// Where it cannot be written, or is one of the inputs.
    pub fn open(args: &CountArgs) -> Result<Reports> {
        let output = args.output.as_ref().map(OutputFile::new).transpose()?;
        if let Some(output) = &output {
            output.refuse_as(&args.files)?;
        }
        let (json, quiet) = (args.json, args.work.quiet);
        Ok(Reports { output, text: String::new(), number: 0, json, quiet })
    }

    /// Reports that are printed one by one, each when it is made.
    pub fn printed(json: bool) -> Reports {
        Reports { output: None, text: String::new(), number: 0, json, quiet: false }
    }

    /// A report on each source. Where there is none, `command` says why, and the others follow. Returns the exit code of the worst
    /// failure.
    ///
    /// # Errors
    /// Where reports cannot be printed.
    pub fn add_each(
        &mut self,
        command: &str,
        sources: Vec<Result<Source>>,
        display: &Display,
        mut report: impl FnMut(Source) -> Result<String>,
    ) -> Result<Option<u8>, Failure> {
        let mut failed = None;
        for source in sources {
            let report = source.and_then(|source| {
                display.begin(source.clone());
                let report = report(source);
                display.end();
                report
            });
            match report {
                Ok(report) => self.add(&report)?,
                Err(error) => {
                    say(command, &error);
                    failed = failed.max(Some(code(&error)));
                }
            }
        }
        Ok(failed)
    }

    /// The next graph's report.
    pub fn add(&mut self, report: &str) -> Result<(), Failure> {
        // People get a blank line between blocks, machines JSON Lines.
        let gap = if self.number > 0 && !self.json { "\n" } else { "" };
        self.number += 1;
        let text = format!("{gap}{report}");
        if self.output.is_none() {
            return print(&text);
        }
        self.text.push_str(&text);
        Ok(())
    }

    /// Writes the file.
    pub fn finish(self) -> Result<(), Failure> {
        let Some(output) = self.output else { return Ok(()) };
        output.write(self.text.as_bytes())?;
        if !self.quiet && output.is_file() {
            let reports = counted(self.number, "report", "reports");
            stderr::line(format_args!("note: {}: {reports} written", output.name()));
        }
        Ok(())
    }
}
