//! Reports of graphs that are counted one after the other: each to standard output as it comes, or all to one file.

use tribin::Result;
use tribin::report::{OutputFile, counted};

use super::args::CountArgs;
use super::failure::Failure;
use super::output::print;
use super::stderr;

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
        let (json, quiet) = (args.json, args.quiet);
        Ok(Reports { output, text: String::new(), number: 0, json, quiet })
    }

    /// The next graph's report.
    pub fn add(&mut self, report: &str) -> Result<(), Failure> {
        // People get a blank line between blocks, machines JSON Lines.
        let gap = if self.number > 0 && !self.json { "\n" } else { "" };
        self.number += 1;
        self.say(&format!("{gap}{report}"))
    }

    /// What is said of all graphs after their reports.
    pub fn add_table(&mut self, table: &str) -> Result<(), Failure> {
        self.say(&format!("\n{table}"))
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        if self.output.is_none() {
            return print(text);
        }
        self.text.push_str(text);
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
